"""write: models and graphs to DxDispatch JSON and back with equal behaviour; and what DirectML cannot express."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dialects.directml import dispatch_models as models
from tests.support.compare import assert_same_bits
from wherry import reference
from wherry.dialects.directml import read, write
from wherry.errors import InvalidTypeError, InvalidValueError, UnsupportedError
from wherry.graph import GraphBuilder
from wherry.models.model import GraphModel
from wherry.ops import Concat, Constant, Gather, Identity, ScaleBias, Split
from wherry.tensors import TensorType


def one(operator, inputs, constants=None, outputs=1):
    """A graph of one node; inputs by name as (dtype, sizes)."""
    builder = GraphBuilder()
    names = []
    for name, kind in inputs.items():
        builder.add_input(name, TensorType(*kind))
        names.append(name)
    for name, value in (constants or {}).items():
        builder.add_constant(name, value)
        names.append(name)
    results = [f"out{number}" for number in range(outputs)]
    builder.add(operator, names, results, "Test 'node'")
    return builder.build(results)


def written(model, tmp_path, **options):
    path = tmp_path / "written.json"
    write(model, path, **options)
    return read(path, **options)


@pytest.mark.parametrize("model", [models.GATHER, models.JOIN, models.SPLIT, models.IDENTITY])
def test_models_come_back(tmp_path, model):
    (tmp_path / "model.json").write_text(json.dumps(model))
    first = read(tmp_path / "model.json")
    second = written(first, tmp_path)
    third = written(second, tmp_path)
    for other in (second, third):
        assert other.run_commands().lines == first.run_commands().lines
        assert other.inputs == first.inputs
        assert other.commands == first.commands
        assert other.dispatchables == first.dispatchables
        assert other.resources == first.resources


def test_everything_a_model_can_hold_comes_back(tmp_path):
    payload = np.array([0x7FC00001, 0xFFC00000, 0x7F800000, 0x80000000], "uint32").view("float32")
    np.save(tmp_path / "payload.npy", payload)
    identity = {
        "InputTensor": models.desc(2, 2, Strides=[0, 1], Flags="OWNED_BY_DML", GuaranteedBaseOffsetAlignment=16),
        "OutputTensor": models.desc(2, 2, Strides=[3, 1], TotalTensorSizeInBytes=24),
        "ScaleBias": {"Scale": 0.1, "Bias": "-inf"},
    }
    model = {
        "resources": {
            "payload": {"initialValues": {"sourcePath": "payload.npy"}},
            "long": models.resource({"valueCount": 100, "valueStart": 0.5, "valueDelta": 0.1}, "FLOAT16"),
            "mixed": {"initialValues": [{"type": "UINT8", "value": 7}, {"type": "FLOAT32", "value": 1}]},
            "big": models.resource([1, "nan"], sizeInBytes=64, initialValuesOffsetInBytes=16),
            "Ünïcode \"name\"": models.resource([2**63], "UINT64"),
        },
        "dispatchables": {
            "i": {"type": "ELEMENT_WISE_IDENTITY", "desc": identity,
                  "bindings": {"InputTensor": {"name": "big", "elementOffset": 4}}},
        },
        "commands": [
            models.dispatch("i", OutputTensor={"name": "long", "elementOffset": 8}),
            models.show("payload", verbose=True),
            models.show("long"),
            {"type": "writeFile", "resource": "big", "targetPath": "a/b.npy", "dimensions": [2, 2]},
        ],
    }  # fmt: skip
    (tmp_path / "model.json").write_text(json.dumps(model))
    first = read(tmp_path / "model.json")
    second = written(first, tmp_path)
    assert second.commands == first.commands
    assert second.dispatchables == first.dispatchables
    assert second.resources == first.resources
    before, after = first.run_commands(), second.run_commands()
    assert after.lines == before.lines
    assert {name: memory.tobytes() for name, memory in after.buffers.items()} == {
        name: memory.tobytes() for name, memory in before.buffers.items()}  # fmt: skip


@st.composite
def graphs(draw):
    """A chain of movement operators on one input, all of which DirectML can express."""
    builder = GraphBuilder()
    sizes = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    builder.add_input("data", TensorType("float32", sizes))
    last = "data"
    for step in range(draw(st.integers(1, 4))):
        shape = builder.types[last].shape
        axis = draw(st.integers(-len(shape), len(shape) - 1)) if shape else None
        kinds = ["copy", "scale"] + (["split", "join", "gather"] if shape else [])
        kind = draw(st.sampled_from(kinds))
        name, subject = f"t{step}", f"Test '{step}'"
        if kind == "copy":
            builder.add(Identity(), [last], [name], subject)
        elif kind == "scale":
            builder.add(ScaleBias(2.0, -0.5), [last], [name], subject)
        elif kind == "split":
            cut = draw(st.integers(1, shape[axis]))
            parts = [cut, shape[axis] - cut] if cut < shape[axis] else [cut]
            names = [name, *[f"{name}_rest"] * (len(parts) - 1)]
            builder.add(Split(axis, sizes=parts), [last], names, subject)
        elif kind == "join":
            builder.add(Concat(axis), [last, last], [name], subject)
        else:
            least = -shape[axis]
            index_shape = draw(st.lists(st.integers(1, 2), max_size=2))
            values = draw(st.lists(st.integers(least, shape[axis] - 1), min_size=4, max_size=4))
            value = np.resize(np.array(values, draw(st.sampled_from(["int32", "int64"]))), index_shape)
            builder.add_constant(f"{name}_indices", value)
            rule = draw(st.sampled_from(["raise", "clamp", "zero"]))
            builder.add(Gather(axis, 0, rule), [last, f"{name}_indices"], [name], subject)
        last = name
    return builder.build([last])


@given(graphs())
def test_graphs_run_as_before(tmp_path_factory, graph):
    data = np.random.default_rng(0).standard_normal(graph.inputs["data"].shape).astype("float32")
    (name,) = graph.outputs
    model = written(graph, tmp_path_factory.getbasetemp())
    result = model.run({"data": data.ravel()})[name]
    expected = reference.run_graph(graph, {"data": data})[name]
    assert_same_bits(result, expected.ravel())
    assert_same_bits(result, GraphModel(graph, "test").run({"data": data})[name].ravel())


def test_gather_is_filled_with_leading_ones(tmp_path):
    graph = one(Gather(1, 0, "clamp"), {"data": ("float32", (5, 6)), "indices": ("int64", (2, 3))})
    path = tmp_path / "written.json"
    write(GraphModel(graph, "test"), path)
    desc = json.loads(path.read_text())["dispatchables"]["gather_0"]["desc"]
    assert desc == {
        "InputTensor": {"DataType": "FLOAT32", "Sizes": [1, 5, 6]},
        "IndicesTensor": {"DataType": "INT64", "Sizes": [1, 2, 3]},
        "OutputTensor": {"DataType": "FLOAT32", "Sizes": [5, 2, 3]},
        "Axis": 2,
        "IndexDimensions": 2,
    }
    scalar = one(Gather(0, 0, "clamp"), {"data": ("float32", (5, 6)), "indices": ("int64", ())})
    assert written(scalar, tmp_path).dispatchables["gather_0"].desc.index_dimensions == 0


def test_results_are_printed(tmp_path):
    graph = one(Split(0, sizes=(1, 2)), {"data": ("int32", (3,))}, outputs=2)
    assert written(graph, tmp_path).run_commands({"data": np.int32([1, 2, 3])}).lines == [
        "Resource 'out0': 1", "Resource 'out1': 2, 3"]  # fmt: skip


def test_long_constants_go_to_files(tmp_path):
    table = np.random.default_rng(1).standard_normal((50, 4)).astype("float32")
    graph = one(Gather(0, 0, "clamp"), {}, {"table": table, "indices": np.int32([3, 7])})
    assert_same_bits(written(graph, tmp_path).run()["out0"], table[[3, 7]].ravel())
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["written.0.npy", "written.json"]


def test_constants_become_constants(tmp_path):
    builder = GraphBuilder()
    builder.add_input("data", TensorType("float32", (4,)))
    builder.add(Constant(np.int64([1, -1])), [], ["indices"], "Test 'literal'")
    builder.add(Gather(0), ["data", "indices"], ["out"], "Test 'gather'")
    model = written(builder.build(["out"]), tmp_path)
    assert model.run({"data": np.float32([5, 6, 7, 8])})["out"].tolist() == [6, 8]
    assert list(model.dispatchables) == ["gather_1"]


F4 = ("float32", (4,))
CANNOT = [
    (one(Gather(0), {"data": F4, "indices": ("int64", (2,))}),
     "Test 'node' as DirectML: out_of_range is 'raise', allowed 'clamp': GATHER knows no other rule", UnsupportedError),
    (one(Gather(0, 0, "zero"), {"data": F4}, {"indices": np.int64([4])}), "out_of_range is 'zero'", UnsupportedError),
    (one(Gather(0, 0, "wrap"), {"data": F4}, {"indices": np.int64([-5])}), "out_of_range is 'wrap'", UnsupportedError),
    (one(Gather(0, 0, "clamp", "invalid"), {"data": F4}, {"indices": np.int64([-1])}),
     "negative is 'invalid', allowed 'from_end'", UnsupportedError),
    (one(Gather(0, 0, "clamp"), {"data": F4, "indices": ("int8", (2,))}), "indices has dtype int8, allowed INT64",
     InvalidTypeError),
    (one(Gather(0, 0, "clamp"), {"data": ("float32", (1,) * 5), "indices": ("int64", (1,) * 5)}),
     "it needs 9 dimensions, allowed 1..8", UnsupportedError),
    (one(Identity(), {"data": ("float32", (2, 0))}), "'data' as DirectML: a tensor has sizes [2, 0]", UnsupportedError),
    (one(Identity(), {"data": ("bfloat16", (2,))}),
     "has dtype bfloat16, allowed the types of DirectML", InvalidTypeError),
    (one(Identity(), {"data": ("bool", (2,))}), "has dtype bool", InvalidTypeError),
    (one(Identity(), {"data": ("int4", (2,))}), "has dtype int4", InvalidTypeError),
    (one(Identity(), {"data": ("float32", ("N",))}), "sizes of float32[N] are not known", InvalidValueError),
    (one(ScaleBias(0.1, 0), {"data": F4}), "scale is 0.1, allowed a float32, the nearest", InvalidValueError),
]  # fmt: skip


@pytest.mark.parametrize(("graph", "message", "kind"), CANNOT)
def test_what_directml_cannot_express(tmp_path, graph, message, kind):
    with pytest.raises(kind) as caught:
        write(graph, tmp_path / "written.json")
    assert message in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_rules_that_no_index_needs(tmp_path):
    data = np.float32([5, 6, 7, 8])
    for rule in (Gather(0), Gather(0, 0, "zero"), Gather(0, 0, "wrap"), Gather(0, 0, "raise", "from_end")):
        graph = one(rule, {"data": F4}, {"indices": np.int64([3, -4])})
        assert written(graph, tmp_path).run({"data": data})["out0"].tolist() == [8, 5]
    graph = one(Gather(0, 0, "clamp", "invalid"), {"data": F4, "indices": ("uint64", (1,))})
    assert written(graph, tmp_path).run({"data": data, "indices": np.uint64([2**64 - 1])})["out0"].tolist() == [8]


def test_results_that_no_node_writes(tmp_path):
    builder = GraphBuilder()
    builder.add_input("data", TensorType("float32", (4,)))
    with pytest.raises(UnsupportedError, match="output 'data' is an input or a constant"):
        write(builder.build(["data"]), tmp_path / "written.json")
    with pytest.raises(InvalidTypeError, match="model is a dict, allowed a Model or a Graph"):
        write({}, tmp_path / "written.json")


def test_feature_level_of_the_target(tmp_path):
    """Tensors are filled up to the dimensions that the level asks for; what it lacks is told."""
    model = written(one(Identity(), {"data": F4}), tmp_path, feature_level="1.0")
    assert model.dispatchables["element_wise_identity_0"].desc.input_tensor.sizes == (1, 1, 1, 4)
    with pytest.raises(InvalidTypeError) as caught:
        write(one(Identity(), {"data": ("int64", (4,))}), tmp_path / "written.json", feature_level="4.0")
    assert "Test 'node' as DirectML ELEMENT_WISE_IDENTITY (feature level 4.0): InputTensor.DataType" in str(
        caught.value
    )
