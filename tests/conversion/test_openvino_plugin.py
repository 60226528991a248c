"""What OpenVINO's CPU plugin narrows is told, and what it does not compile is said otherwise, or told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import wherry as wh
from tests.conversion.running import assert_same_results, on_openvino, on_wherry
from tests.conversion.sites import use
from tests.differential.openvino_runtime import OpenVINORuntime, RefusedError
from wherry.conversion.openvino_plugin import NARROW
from wherry.graph import Deferred, GraphBuilder
from wherry.models.model import GraphModel
from wherry.moves import OutOfRange
from wherry.ops import (
    Binary,
    Cast,
    Concat,
    Divide,
    Expand,
    Fill,
    Gather,
    Identity,
    NonZero,
    OneHot,
    Operator,
    Pad,
    ShapeOf,
    Slice,
    Unique,
    Where,
)
from wherry.runtimes.case import Case
from wherry.runtimes.differences import differences
from wherry.tensors import TensorType

LARGE = np.array([2**63 - 1, 0, 5, -(2**40)])
AT = Gather(0, 0, OutOfRange.ZERO)


def model(
    operator: Operator | Deferred, constants: dict[str, np.ndarray], outputs: int = 1, **inputs: str
) -> GraphModel:
    """One node that reads inputs of three elements, by their types, and constants."""
    builder = GraphBuilder()
    for name, dtype in inputs.items():
        builder.add_input(name, TensorType(dtype, (3,)))
    for name, value in constants.items():
        builder.add_constant(name, value)
    names = [f"y{number}" for number in range(outputs)]
    builder.add(operator, [*inputs, *constants], names, "ONNX Test-1")
    return GraphModel(builder.build(names), "onnx")


def notes(model: GraphModel) -> list[str]:
    found = wh.convert(model, "openvino", allow_loss=True).findings
    return [str(finding) for finding in found if finding.rule == "wide data loses bits"]


TOLD: list[tuple[Callable[[], GraphModel], str]] = [
    (lambda: model(Concat(0), {"c": LARGE}, x="int64"), "int32, so that elements outside -2^31..2^31-1 change: "
     "input 'x' may have some, constant 'c' has 2 of them"),
    (lambda: model(Concat(0), {"c": np.array([2**64 - 1], np.uint64)}, x="uint64"),
     "above 2^31-1 change: input 'x' may"),
    (lambda: model(Concat(0), {"c": np.array([2**31, 1], np.uint32)}, x="uint32"),
     "change: constant 'c' has 1 of them"),
    (lambda: model(Concat(0), {"c": np.array([0.1, 0.5, np.inf, np.nan])}, x="float64"),
     "float32, so that elements are rounded, and infinities become finite: input 'x' may have some, "
     "constant 'c' has 2 of them"),
    (lambda: model(Concat(0), {}, a="int64", b="int64", c="int64", d="int64", e="int64"),
     "'c' may have some, and 2 tensors more"),
    (lambda: model(Cast("int64"), {}, x="float32"), "what ONNX Test-1 makes may have some"),
    (lambda: model(Pad((1,), (1,), value=2**40), {}, x="int64"), "a field of ONNX Test-1 has 1 of them"),
    (lambda: model(Fill(np.int64(2**40), (3,)), {}), "a field of ONNX Test-1 has 1 of them"),
    (lambda: model(Where(), {"no": np.array(2**40)}, condition="bool", yes="int64"), "constant 'no' has 1 of them"),
    (lambda: model(Deferred(Unique, (), (("data", 0),), 4), {}, 4, x="int64"), "input 'x' may have some"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(TOLD)))
def test_elements_that_may_change_are_told_once(number: int) -> None:
    make, words = TOLD[number]
    (note,) = notes(make())
    assert note.startswith("note: element type ")
    assert words in note


QUIET: list[Callable[[], GraphModel]] = [
    lambda: model(AT, {}, x="float32", indices="int64"),
    lambda: model(AT, {"c": np.array([0, -1])}, x="float32"),
    lambda: model(
        AT, {}, x="uint32", indices="int64"),
    lambda: model(Cast("int64"), {}, x="int16"),
    lambda: model(Cast("float64"), {}, x="float32"),
    lambda: model(ShapeOf(), {}, x="int64"),
    lambda: model(Deferred(NonZero, (), (("data", 0),)), {}, x="int64"),
    lambda: model(Deferred(Slice, (), (("starts", 1), ("ends", 2))), {"s": np.array([0]), "e": np.array([2**63 - 1])},
                  x="float32"),
    lambda: model(Fill(np.int64(7), (3,)), {}),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(QUIET)))
def test_sizes_indices_and_what_fits_are_not_told(number: int) -> None:
    assert notes(QUIET[number]()) == []


def test_other_targets_are_quiet() -> None:
    made = model(Concat(0), {"c": LARGE}, x="int64")
    assert all(finding.rule != "wide data loses bits" for finding in wh.convert(made, "onnx").findings)


INDEX_TYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")


@pytest.mark.parametrize("dtype", INDEX_TYPES)
@pytest.mark.parametrize("values", ["float32", "int64", "uint8", "float16", "bool"])
@pytest.mark.parametrize("constants", [(1, 2), (1,), ()])
def test_one_hot_compiles(
    dtype: str, values: str, constants: tuple[int, ...], openvino: OpenVINORuntime, tmp_path: Path
) -> None:
    """The plugin refuses indices of 8 bits, and off and on that are computed; others say the same."""
    off, on = np.array(0, values), np.array(1, values)
    one = use(OneHot(3), np.array([1, 0, 2, 3], dtype), off, on, constants=constants)
    found = on_openvino(wh.convert(one.model(), "openvino"), one.given, openvino, tmp_path)
    assert_same_results(found, on_wherry(one.model(), one.given))


def chosen_sizes(length: int | None) -> GraphModel:
    """Where chooses the sizes of an Expand, as exporters write it; their number is that of the axes."""
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (None, 1)))
    builder.add_input("c", TensorType("bool", (length,)))
    for name in ("s", "t"):
        builder.add_input(name, TensorType("int64", (length,)))
    builder.add(Where(), ["c", "s", "t"], ["w"], "ONNX Where-16")
    builder.add(Deferred(Expand, (), (("shape", 1),)), ["x", "w"], ["y"], "ONNX Expand-13")
    return GraphModel(builder.build(["y"]), "onnx")


def test_sizes_that_are_chosen_compile_where_their_number_is_known(openvino: OpenVINORuntime, tmp_path: Path) -> None:
    given = {"x": np.arange(3, dtype=np.float32).reshape(3, 1), "c": np.array([True, False]),
             "s": np.array([3, 4]), "t": np.array([1, 5])}  # fmt: skip
    expected = {"y": np.broadcast_to(given["x"], (3, 5))}
    with_length = wh.convert(chosen_sizes(2), "openvino")
    assert [finding.rule for finding in with_length.findings if finding.rule == "sizes"] == []
    assert_same_results(on_openvino(with_length, given, openvino, tmp_path), expected)
    without = wh.convert(chosen_sizes(None), "openvino")
    (note,) = [str(finding) for finding in without.findings if finding.rule == "sizes"]
    assert note.startswith("note: tensor 'y': has no known number of axes, and OpenVINO's plugins compile none such")
    with pytest.raises(RefusedError, match="dynamic rank"):
        on_openvino(without, given, openvino, tmp_path)
    assert_same_results(without.run(given), expected)
    given_sizes = wh.convert(chosen_sizes(None), "openvino", sizes={"c": [2], "s": [2], "t": [2]})
    assert_same_results(on_openvino(given_sizes, given, openvino, tmp_path), expected)


@pytest.mark.parametrize("name", NARROW)
def test_openvino_narrows_what_is_told(name: str, openvino: OpenVINORuntime, tmp_path: Path) -> None:
    """The runtime changes the constants that are counted, and no others."""
    dtype = np.dtype(name)
    most = [2**31, np.iinfo(dtype).max] if dtype.kind in "iu" else [0.1, 1e300, np.inf, -np.inf]
    constant = np.array([0, 1, 2**31 - 2**7, *most], dtype)
    made = wh.convert(model(Concat(0), {"c": constant}, x=name), "openvino")
    given = np.array([1, 2, 3], dtype)
    (found,) = on_openvino(made, {"x": given}, openvino, tmp_path).values()
    changed = found[3:] != constant
    assert changed.tolist() == NARROW[name].changes(constant).tolist()
    assert changed.any()


_EDGES = {
    "int64": [2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**63 - 1],
    "uint64": [2**31 - 1, 2**31, 2**64 - 1],
    "uint32": [2**31 - 1, 2**31, 2**32 - 1],
    "float64": [0.5, 0.1, np.inf, np.nan, -0.0, 2.0**127, 2.0**128],
}


@pytest.mark.parametrize("kind", NARROW)
def test_what_is_told_is_what_was_measured(kind: str) -> None:
    """The notes and the shipped difference have one border between the elements that change and those that do not."""
    (entry,) = (one for one in differences("openvino") if one.name == "wide data loses bits")
    for edge in _EDGES[kind]:
        data = np.array([edge], kind)
        spelled = {"int64": "i64", "uint64": "u64", "uint32": "u32", "float64": "f64"}[kind]
        case = Case("Roll", 7, (data, np.array([1]), np.array([0])), kinds=(spelled, "i64", "i64"))
        assert entry.applies(case) == bool(NARROW[kind].changes(data).any()), edge


def test_one_hot_is_said_otherwise_where_it_was_seen_to_be_refused() -> None:
    (entry,) = (one for one in differences("openvino") if one.name == "a OneHot by indices of 8 bits is refused")
    for kind, spelled in (("int8", "i8"), ("uint8", "u8"), ("int16", "i16"), ("int32", "i32"), ("int64", "i64")):
        indices = np.zeros(3, kind)
        case = Case("OneHot", 1, (indices, np.array(4), np.array(1), np.array(0)), kinds=(spelled, "i64", "i64", "i64"))
        one = model(OneHot(4), {"off": np.array(0), "on": np.array(1)}, x=kind)
        graph = wh.convert(one, "openvino").graph
        (node,) = (node for node in graph.nodes if isinstance(node.operator, OneHot))
        read = graph.types[node.inputs[0]].row
        assert read is not None
        assert read.bits >= 16
        assert entry.applies(case) == (read.name != kind)


def test_rounding_is_told() -> None:
    """One sum is the nearest float; a quotient, and what follows on other arithmetic, the plugin rounds otherwise."""
    builder = GraphBuilder()
    for name in "xy":
        builder.add_input(name, TensorType("float32", (None, 3)))
    builder.add(Binary("add"), ["x", "y"], ["sum"], "one sum")
    alone = GraphModel(builder.build(["sum"]), "onnx")
    assert not wh.convert(alone, "openvino").findings
    builder.add(Identity(), ["sum"], ["moved"], "a move")
    builder.add(Binary("multiply"), ["moved", "y"], ["product"], "a product")
    builder.add(Divide("truncate"), ["x", "y"], ["quotient"], "a quotient")
    (finding,) = wh.convert(GraphModel(builder.build(["product", "quotient"]), "onnx"), "openvino").findings
    assert finding.subject == "a product, and 1 more"
    assert "takes quotients as products" in finding.message
