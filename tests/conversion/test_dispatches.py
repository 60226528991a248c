"""DxDispatch models as one graph: any strides, offsets and parts of buffers, in the order of the commands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wherry as wh
from tests.support.compare import assert_same_bits
from wherry.conversion.dispatches import graph_of
from wherry.dialects.directml.descs import ElementWiseIdentityOperatorDesc, JoinOperatorDesc
from wherry.dialects.directml.dxdispatch.model import Dispatch, Dispatchable, DispatchModel, Print, Resource, Source
from wherry.dialects.directml.enums import DataType, TensorFlags
from wherry.errors import ConversionError, InvalidValueError
from wherry.layout import Layout

TARGETS = ("onnx", "openvino", "directml")


def buffer(name: str, values: object, dtype: object = np.float32, size: int | None = None, offset: int = 0) -> Resource:
    array = np.asarray(values, dtype)
    kind = {"float32": DataType.FLOAT32, "int32": DataType.INT32, "uint8": DataType.UINT8}[array.dtype.name]
    return Resource(name, kind, array, size or -(-(array.nbytes + offset) // 4) * 4, offset)


def tensor(sizes: tuple[int, ...], strides: tuple[int, ...] | None = None, **options: object) -> object:
    return wh.directml.BufferTensorDesc("FLOAT32", sizes, strides, **options)


def copy_model(
    source: object, target: object, values: object, count: int, *, start: int = 0, printed: bool = True
) -> DispatchModel:
    desc = ElementWiseIdentityOperatorDesc(source, target)
    bindings = {"InputTensor": (Source("in", start),), "OutputTensor": (Source("out"),)}
    commands = [Dispatch("copy", bindings), *([Print("out")] if printed else [])]
    resources = [buffer("in", values), buffer("out", -np.arange(1, count + 1))]
    return DispatchModel(resources, [Dispatchable("copy", desc)], commands)


def flat(results: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: array.reshape(-1) for name, array in results.items()}


@settings(max_examples=60)
@given(draw=st.data())
def test_any_strides_read_and_written(draw: st.DataObject) -> None:
    sizes = tuple(draw.draw(st.lists(st.integers(1, 3), min_size=1, max_size=4)))
    source = draw.draw(strides_of(sizes, broadcast=True))
    target = draw.draw(strides_of(sizes, broadcast=False))
    reach = [sum((n - 1) * s for n, s in zip(sizes, given, strict=True)) + 1 for given in (source, target)]
    start = draw.draw(st.sampled_from([0, 16]))
    values = np.arange(1, reach[0] + start // 4 + 1 + draw.draw(st.integers(0, 3)))
    count = reach[1] + draw.draw(st.integers(0, 3))
    model = copy_model(tensor(sizes, source), tensor(sizes, target), values, count, start=start)
    expected = model.run()
    for inputs in (None, ["in"]):
        for dialect in TARGETS:
            made = wh.convert(model, dialect, inputs=inputs)
            given_arrays = {"in": values.astype(np.float32).reshape(made.inputs["in"].shape)} if inputs else {}
            found = made.run(given_arrays)
            assert_same_bits(found["out"].reshape(-1), expected["out"])


@st.composite
def strides_of(draw: st.DrawFn, sizes: tuple[int, ...], *, broadcast: bool) -> tuple[int, ...]:
    """Return strides that never overlap, of axes in any order, with gaps; some are 0 where that is allowed."""
    order = draw(st.permutations(range(len(sizes))))
    strides, step = [0] * len(sizes), 1
    for axis in order:
        strides[axis] = step
        step = step * sizes[axis] + draw(st.sampled_from([0, 0, 0, 1, 2]))
    if broadcast and draw(st.booleans()):
        strides[draw(st.sampled_from(range(len(sizes))))] = 0
    return tuple(strides)


def test_packed_tensors_keep_their_sizes() -> None:
    model = copy_model(tensor((2, 3)), tensor((2, 3)), np.zeros(6), 6)
    found = graph_of(model)
    assert str(found.graph.inputs["in"]) == "float32[2, 3]"
    assert [str(node.operator) for node in found.graph.nodes] == ["Identity()"]
    assert found.graph.outputs == ("out",)
    assert not found.findings


def test_strides_become_operators() -> None:
    nhwc = Layout.ordered((1, 3, 2, 2), "NHWC").strides
    model = copy_model(tensor((1, 3, 2, 2), nhwc), tensor((1, 3, 2, 2)), np.arange(12), 12)
    names = [type(node.operator).__name__ for node in graph_of(model, ["in"]).graph.nodes]
    assert names == ["Reshape", "Transpose", "Reshape", "Identity"]
    model = copy_model(tensor((2, 3), (0, 1)), tensor((2, 3)), np.arange(3), 6)
    assert [type(node.operator).__name__ for node in graph_of(model, ["in"]).graph.nodes] == [
        "Reshape",
        "Expand",
        "Identity",
    ]
    model = copy_model(tensor((2, 2), (1, 1)), tensor((2, 2)), np.arange(3), 4)
    assert [type(node.operator).__name__ for node in graph_of(model, ["in"]).graph.nodes] == ["Gather", "Identity"]


def test_what_begins_as_zero_is_an_input_and_the_rest_is_told() -> None:
    model = copy_model(tensor((3,)), tensor((3,)), [1, 2, 3], 3)
    found = graph_of(model)
    assert not found.graph.inputs
    assert [str(finding) for finding in found.findings] == [
        "note: buffer 'in': becomes a constant: the values that it begins with; name it in inputs to keep it an input"
    ]
    named = graph_of(model, ["in"])
    assert list(named.graph.inputs) == ["in"]
    assert named.defaults["in"].tolist() == [1, 2, 3]
    with pytest.raises(InvalidValueError, match="inputs names 'nix', allowed 'in', 'out'"):
        graph_of(model, ["nix"])


def test_values_of_inputs_stay_where_the_target_has_them() -> None:
    model = copy_model(tensor((3,)), tensor((3,)), [1, 2, 3], 3)
    made = wh.convert(model, "onnx", inputs=["in"])
    assert made.run({})["out"].tolist() == [1, 2, 3]
    assert made.run([np.array([7, 8, 9], np.float32)])["out"].tolist() == [7, 8, 9]
    again = wh.convert(made, "directml")
    assert again.run()["out"].tolist() == [1, 2, 3]
    made = wh.convert(model, "openvino", inputs=["in"])
    assert "its own one is left out" in str(made.findings[-1])
    assert made.run([np.array([7, 8, 9], np.float32)])["out"].tolist() == [7, 8, 9]


def test_a_buffer_that_is_changed_in_place() -> None:
    desc = ElementWiseIdentityOperatorDesc(tensor((4,)), tensor((2, 2), (1, 2)))
    bindings = {"InputTensor": (Source("a"),), "OutputTensor": (Source("b"),)}
    back = {"InputTensor": (Source("b"),), "OutputTensor": (Source("a"),)}
    turned = ElementWiseIdentityOperatorDesc(tensor((2, 2)), tensor((2, 2), (1, 2)))
    model = DispatchModel(
        [buffer("a", [1, 2, 3, 4]), buffer("b", [0, 0, 0, 0])],
        [Dispatchable("turn", turned)],
        [Dispatch("turn", bindings), Dispatch("turn", back)],
    )
    assert desc.name == "ELEMENT_WISE_IDENTITY"
    expected = flat(model.run())
    made = wh.convert(model, "onnx")
    found = flat(made.run({}))
    assert found["b"].tolist() == expected["b"].tolist() == [1, 3, 2, 4]
    assert found["a/result"].tolist() == expected["a"].tolist() == [1, 2, 3, 4]
    assert any("its last content is the output 'a/result'" in str(finding) for finding in made.findings)


def test_parts_of_a_buffer_are_joined() -> None:
    half = ElementWiseIdentityOperatorDesc(tensor((4,)), tensor((4,)))
    commands = [
        Dispatch("half", {"InputTensor": (Source("in"),), "OutputTensor": (Source("out", 16),)}),
        Print("out"),
    ]
    model = DispatchModel(
        [buffer("in", [1, 2, 3, 4]), buffer("out", np.arange(9))], [Dispatchable("half", half)], commands
    )
    expected = model.run()["out"].tolist()
    assert expected == [0, 1, 2, 3, 1, 2, 3, 4, 8]
    for dialect in TARGETS:
        assert wh.convert(model, dialect).run({})["out"].tolist() == expected


def test_what_directml_owns_is_taken_once() -> None:
    owned = tensor((2,), flags=TensorFlags.OWNED_BY_DML)
    join = JoinOperatorDesc([owned, owned], tensor((4,)), 0)
    write = ElementWiseIdentityOperatorDesc(tensor((2,)), tensor((2,)))
    model = DispatchModel(
        [buffer("w", [1, 2]), buffer("x", [8, 9]), buffer("out", np.zeros(4))],
        [Dispatchable("join", join, {"InputTensors": (Source("w"), Source("w"))}), Dispatchable("write", write)],
        [
            Dispatch("write", {"InputTensor": (Source("x"),), "OutputTensor": (Source("w"),)}),
            Dispatch("join", {"OutputTensor": (Source("out"),)}),
            Print("out"),
        ],
    )
    assert model.run()["out"].tolist() == [1, 2, 1, 2]
    assert wh.convert(model, "onnx").run({})["out"].tolist() == [1, 2, 1, 2]


def test_values_in_the_middle_of_a_buffer() -> None:
    desc = ElementWiseIdentityOperatorDesc(tensor((8,)), tensor((8,)))
    resources = [replace(buffer("in", [5, 6]), size_in_bytes=32, offset=8),
                 replace(buffer("out", [0, 0, 0]), size_in_bytes=32, offset=8)]  # fmt: skip
    bindings = {"InputTensor": (Source("in"),), "OutputTensor": (Source("out"),)}
    model = DispatchModel(resources, [Dispatchable("copy", desc)], [Dispatch("copy", bindings)])
    assert model.run()["out"].tolist() == [5, 6, 0]
    assert wh.convert(model, "onnx").run({})["out"].tolist() == [5, 6, 0]


def test_a_buffer_read_as_another_type_is_refused() -> None:
    model = copy_model(tensor((3,)), tensor((3,)), [1, 2, 3], 3)
    resources = [replace(resource, data_type=DataType.INT32, values=resource.values.astype(np.int32))
                 for resource in model.resources.values()]  # fmt: skip
    bad = DispatchModel(resources, list(model.dispatchables.values()), model.commands)
    with pytest.raises(ConversionError) as error:
        wh.convert(bad, "onnx")
    assert str(error.value) == (
        "one graph cannot say 1 thing of this model:\n  refused: dispatch 'copy': buffer 'in' holds int32, but is "
        "bound as float32: a view of bits as another type is no movement of elements"
    )
