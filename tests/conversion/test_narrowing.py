"""Notes on element types that OpenVINO's CPU plugin narrows: one for each type, where elements are moved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import wherry as wh
from tests.conversion.running import on_openvino
from tests.differential.openvino_runtime import OpenVINORuntime
from wherry.conversion.narrowing import NARROW
from wherry.graph import Deferred, GraphBuilder
from wherry.model import GraphModel
from wherry.moves import OutOfRange
from wherry.ops import Cast, Fill, Gather, Join, NonZero, Operator, Pad, ShapeOf, Slice, Unique, Where
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
    return [str(finding) for finding in found if finding.rule == "element type"]


TOLD: list[tuple[Callable[[], GraphModel], str]] = [
    (lambda: model(Join(0), {"c": LARGE}, x="int64"), "int32, so that elements outside -2^31..2^31-1 change: "
     "input 'x' may have some, constant 'c' has 2 of them"),
    (lambda: model(Join(0), {"c": np.array([2**64 - 1], np.uint64)}, x="uint64"), "above 2^31-1 change: input 'x' may"),
    (lambda: model(Join(0), {"c": np.array([2**31, 1], np.uint32)}, x="uint32"), "change: constant 'c' has 1 of them"),
    (lambda: model(Join(0), {"c": np.array([0.1, 0.5, np.inf, np.nan])}, x="float64"),
     "float32, so that elements are rounded, and infinities become finite: input 'x' may have some, "
     "constant 'c' has 2 of them"),
    (lambda: model(Join(0), {}, a="int64", b="int64", c="int64", d="int64", e="int64"), "'c' may have some, and 2 tens"),
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
    made = model(Join(0), {"c": LARGE}, x="int64")
    assert all(finding.rule != "element type" for finding in wh.convert(made, "onnx").findings)


@pytest.mark.parametrize("name", NARROW)
def test_openvino_narrows_what_is_told(name: str, openvino: OpenVINORuntime, tmp_path: Path) -> None:
    """The runtime changes the constants that are counted, and no others."""
    dtype = np.dtype(name)
    most = [2**31, np.iinfo(dtype).max] if dtype.kind in "iu" else [0.1, 1e300, np.inf, -np.inf]
    constant = np.array([0, 1, 2**31 - 2**7, *most], dtype)
    made = wh.convert(model(Join(0), {"c": constant}, x=name), "openvino")
    given = np.array([1, 2, 3], dtype)
    (found,) = on_openvino(made, {"x": given}, openvino, tmp_path).values()
    changed = found[3:] != constant
    assert changed.tolist() == NARROW[name].changes(constant).tolist()
    assert changed.any()
