"""Random models on wherry and on ONNX Runtime: the same bits, or both refuse."""

import numpy as np
import onnx
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st
from onnx import helper

pytest.importorskip("onnxruntime")

from tests.differential.case import Case
from tests.differential.expected_differences import expected
from tests.differential.onnx_cases import CASES, DTYPES, NARROW_TOO, VERSIONS, shapes, values
from tests.differential.onnxruntime_runtime import (
    IR_VERSION,
    Refused,
    by_onnxruntime,
    by_wherry,
    feeds,
    model_of,
    same,
)
from tests.support.strategies import strided
from wherry import dtypes
from wherry.dialects.onnx.table import NAMES
from wherry.dialects.onnx.tensor_data import type_number


@st.composite
def gathers(draw: st.DrawFn) -> Case:
    data = values(draw(shapes()), draw(st.sampled_from(DTYPES)))
    axis = draw(st.integers(-data.ndim - 1, data.ndim) | st.integers(-data.ndim, max(0, data.ndim - 1)))
    size = data.shape[axis] if -data.ndim <= axis < data.ndim else 3
    inside = st.integers(-size, size - 1) if size else st.just(0)
    picked = draw(shapes())[:2]
    count = int(np.prod(picked))
    indices = draw(st.lists(inside, min_size=count, max_size=count))
    if indices and draw(st.integers(0, 3)) == 0:
        bad = [size, -size - 1, 2**31 - 1, -(2**31)]
        indices[draw(st.integers(0, count - 1))] = draw(st.sampled_from(bad))
    kind = draw(st.sampled_from(["int32", "int64", "int64", "uint8"]))
    if kind == "uint8":
        indices = [abs(index) % 256 for index in indices]
    attributes = {"axis": axis} if axis or draw(st.booleans()) else {}
    return Case("Gather", draw(VERSIONS), (data, np.array(indices, kind).reshape(picked)), attributes)


@st.composite
def splits(draw: st.DrawFn) -> Case:
    parts = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    shape = list(draw(shapes())[:3])
    place = draw(st.integers(0, len(shape)))
    shape.insert(place, sum(parts))
    data = values(tuple(shape), draw(st.sampled_from(DTYPES)))
    axis = draw(st.sampled_from([place, place, place - data.ndim, data.ndim]))
    version = draw(VERSIONS)
    attributes: dict[str, object] = {"axis": axis}
    how = draw(st.sampled_from(["sizes", "equal", "count"]))
    if how == "sizes":
        if draw(st.integers(0, 4)) == 0:
            parts[draw(st.integers(0, len(parts) - 1))] += draw(st.sampled_from([1, -1, -4]))
        if version >= 13:
            return Case("Split", version, (data, np.array(parts)), attributes, len(parts))
        return Case("Split", version, (data,), attributes | {"split": parts}, len(parts))
    if how == "count":
        attributes["num_outputs"] = draw(st.integers(1, 5))
        return Case(
            "Split", version, (data,), attributes, draw(st.sampled_from([attributes["num_outputs"], len(parts)]))
        )
    return Case("Split", version, (data,), attributes, draw(st.integers(1, 4)))


@st.composite
def concats(draw: st.DrawFn) -> Case:
    shape = list(draw(shapes()))
    axis = draw(st.integers(-len(shape) - 1, len(shape)) | st.integers(0, max(0, len(shape) - 1)))
    dtype = draw(st.sampled_from(DTYPES))
    inputs = []
    for _ in range(draw(st.integers(1, 4))):
        own = list(shape)
        if -len(own) <= axis < len(own):
            own[axis] = draw(st.integers(0, 3))
        if own and draw(st.integers(0, 9)) == 0:
            own[draw(st.integers(0, len(own) - 1))] += 1
        inputs.append(values(tuple(own), dtype))
    return Case("Concat", draw(VERSIONS), tuple(inputs), {"axis": axis} if draw(st.integers(0, 9)) else {})


@st.composite
def identities(draw: st.DrawFn) -> Case:
    return Case("Identity", draw(VERSIONS), (values(draw(shapes()), draw(st.sampled_from(NARROW_TOO))),))


def check(case: Case, data: st.DataObject) -> None:
    """Compare one case, with some inputs as constants, sizes known or not, and odd strides for wherry."""
    difference = expected(case, "onnxruntime")
    event(f"{case.operator}: {difference.name}" if difference else f"{case.operator}: compared")
    assume(difference is None)
    constants = data.draw(st.frozensets(st.integers(1, max(1, len(case.inputs) - 1)), max_size=2), "constants")
    model = model_of(case, constants, sizes_known=data.draw(st.booleans(), "sizes known"))
    inputs = feeds(case, constants)
    odd = {name: array if array.dtype.hasobject else data.draw(strided(array)) for name, array in inputs.items()}
    theirs, ours = by_onnxruntime(model, inputs), by_wherry(model, odd)
    event(f"{case.operator}: {'refused' if isinstance(ours, Refused) else 'ran'}")
    assert same(ours, theirs), f"wherry: {ours}\nonnxruntime: {theirs}"


@given(gathers(), st.data())
def test_gather(case: Case, data: st.DataObject) -> None:
    check(case, data)


@given(splits(), st.data())
def test_split(case: Case, data: st.DataObject) -> None:
    check(case, data)


@given(concats(), st.data())
def test_concat(case: Case, data: st.DataObject) -> None:
    check(case, data)


@given(identities(), st.data())
def test_identity(case: Case, data: st.DataObject) -> None:
    check(case, data)


@pytest.mark.parametrize("operator", CASES)
@given(st.data())
def test_operator(operator: str, data: st.DataObject) -> None:
    check(data.draw(CASES[operator], operator), data)


def test_every_operator_of_the_table_is_compared() -> None:
    assert CASES.keys() | {"Gather", "Split", "Concat", "Identity", "Constant"} == NAMES


@given(st.data())
def test_chains(data: st.DataObject) -> None:
    """Two to six nodes, each reading what earlier ones made; several results."""
    draw = data.draw
    x = values(
        draw(shapes(1)),
        draw(st.sampled_from([name for name in DTYPES if name not in ("complex64", "object", "bfloat16")])),
    )
    known: dict[str, tuple[int, ...]] = {"x": x.shape}
    nodes: list[onnx.NodeProto] = []
    inputs = {"x": x}
    for number in range(draw(st.integers(2, 6))):
        source = draw(st.sampled_from([name for name, shape in known.items() if shape]))
        shape = known[source]
        axis = draw(st.integers(-len(shape), len(shape) - 1))
        place, size = axis % len(shape), shape[axis]
        kind = draw(st.sampled_from(["Gather", "Split", "Concat", "Identity"]))
        if kind == "Gather":
            picked = draw(shapes())[:1] if size else (0,)
            index = draw(st.lists(st.integers(-size, max(size - 1, 0)), min_size=int(np.prod(picked)),
                                  max_size=int(np.prod(picked))))  # fmt: skip
            inputs[f"i{number}"] = np.array(index, np.int64).reshape(picked)
            nodes.append(helper.make_node("Gather", [source, f"i{number}"], [f"t{number}"], axis=axis))
            known[f"t{number}"] = (*shape[:place], *picked, *shape[place + 1 :])
        elif kind == "Split":
            cut = draw(st.integers(0, size))
            inputs[f"s{number}"] = np.array([cut, size - cut])
            names = [f"t{number}", f"u{number}"]
            nodes.append(helper.make_node("Split", [source, f"s{number}"], names, axis=axis))
            for name, part in zip(names, (cut, size - cut), strict=True):
                known[name] = (*shape[:place], part, *shape[place + 1 :])
        elif kind == "Concat":
            same_ranked = [n for n, s in known.items() if len(s) == len(shape) and s[:place] == shape[:place]
                           and s[place + 1 :] == shape[place + 1 :]]  # fmt: skip
            names = [source, *draw(st.lists(st.sampled_from(same_ranked), max_size=2))]
            nodes.append(helper.make_node("Concat", names, [f"t{number}"], axis=axis))
            known[f"t{number}"] = (*shape[:place], sum(known[n][place] for n in names), *shape[place + 1 :])
        else:
            nodes.append(helper.make_node("Identity", [source], [f"t{number}"]))
            known[f"t{number}"] = shape
    made = [name for node in nodes for name in node.output]
    wanted = draw(st.lists(st.sampled_from(made), min_size=1, unique=True))
    graph = onnx.GraphProto(name="chain", node=nodes)
    graph.input.extend(
        helper.make_tensor_value_info(name, type_number(dtypes.of(array.dtype)), array.shape)
        for name, array in inputs.items()
    )
    kind = type_number(dtypes.of(x.dtype))
    graph.output.extend(helper.make_tensor_value_info(name, kind, None) for name in wanted)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=IR_VERSION)
    theirs, ours = by_onnxruntime(model, inputs), by_wherry(model, inputs)
    assert same(ours, theirs), f"wherry: {ours}\nonnxruntime: {theirs}\n{graph}"
    assert not isinstance(ours, Refused), ours


def test_the_comparison_can_fail() -> None:
    one, two = (np.array([0.0]),), (np.array([-0.0]),)
    assert same(one, one)
    assert not same(one, two)
    assert not same(one, Refused("no"))
    assert same(Refused("no"), Refused("never"))
    assert not same(one, (*one, *one))
    assert not same(one, (one[0].astype(np.float32),))
