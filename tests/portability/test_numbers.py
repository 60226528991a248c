"""What a check knows of floats and divisors before a run: a guard suffices, and what only looks like one does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import wherry as wh
from tests.portability.models import FLOAT, INT32, INT64, model, node
from wherry.portability.ranges import Range, Ranges

NAN = np.float32(np.nan)
ENDS = {"low": np.float32(0), "high": np.float32(255), "zero": np.float32(0)}


def cast(nodes: Sequence[onnx.NodeProto], constants: Mapping[str, Any], name: str, to: int = TensorProto.UINT8) -> Any:
    return model([*nodes, node("Cast", name, to=to)], {"x": (FLOAT, [5]), "c": (TensorProto.BOOL, [5])}, constants)


NUMBER = [node("Equal", "x x", "e"), node("Where", "e x zero", "n")]
CLIP = node("Clip", "n low high", "k")

CASTS: Mapping[str, tuple[Any, bool]] = {
    "what is no NaN, and clipped": (cast([*NUMBER, CLIP], ENDS, "k"), True),
    "by Min and Max": (cast([*NUMBER, node("Min", "n high", "m"), node("Max", "m low", "k")], ENDS, "k"), True),
    "moved behind the guard": (cast([*NUMBER, CLIP, node("Transpose", "k", "t")], ENDS, "t"), True),
    "integers before": (cast([node("Cast", "c", "b", to=FLOAT)], {}, "b"), True),
    "fractions at the ends": (
        cast([*NUMBER, CLIP], {**ENDS, "low": np.float32(-0.5), "high": np.float32(255.5)}, "k"), True),
    "a NaN may pass the Clip": (cast([node("Clip", "x low high", "k")], ENDS, "k"), False),
    "numbers beyond the type": (cast([*NUMBER, CLIP], {**ENDS, "high": np.float32(256)}, "k"), False),
    "no Clip": (cast(NUMBER, ENDS, "n"), False),
    "clipped at one end": (cast([*NUMBER, node("Max", "n low", "k")], ENDS, "k"), False),
    "NaN is put in": (cast([*NUMBER, CLIP], {**ENDS, "zero": NAN}, "k"), False),
    "the branches changed": (
        cast([node("Equal", "x x", "e"), node("Where", "e zero x", "n"), CLIP], ENDS, "k"), False),
    "another tensor compared": (
        cast([node("Neg", "x", "y0"), node("Equal", "y0 y0", "e"), node("Where", "e x zero", "n"), CLIP], ENDS, "k"),
        False),
    "an end that is no number": (cast([*NUMBER, CLIP], {**ENDS, "high": NAN}, "k"), False),
    "computed behind the guard": (cast([*NUMBER, CLIP, node("Add", "k k", "s")], ENDS, "s"), False),
}  # fmt: skip


@pytest.mark.parametrize(("proto", "is_safe"), CASTS.values(), ids=CASTS)
def test_a_cast_is_safe_where_every_float_has_an_integer(proto: onnx.ModelProto, is_safe: bool) -> None:
    report = wh.check(wh.load(proto), ["directml:6.4", "openvino"])
    found = {one.name for one in report.findings}
    assert ("float_to_integer" not in found) == is_safe
    assert ("floats outside an integer type are clamped" not in found) == is_safe


def divided(nodes: Sequence[onnx.NodeProto], by: str, constants: Mapping[str, int], a: str = "a") -> onnx.ModelProto:
    inputs = {"a": (INT32, [4]), "b": (INT32, [4]), "d": (INT32, [4]), "r": (INT32, [1])}
    numbers = {name: np.int32(value) for name, value in {"zero": 0, "back": -1, "one": 1, **constants}.items()}
    return model([*nodes, node("Div", f"{a} {by}")], inputs, numbers)


IS_ZERO, IS_BACK = node("Equal", "b zero", "z"), node("Equal", "b back", "k")
BOTH = [IS_ZERO, IS_BACK, node("Or", "z k", "o")]
CHOSEN = node("Where", "o one b", "w")

DIVISORS: Mapping[str, tuple[onnx.ModelProto, bool]] = {
    "neither 0 nor -1": (divided([*BOTH, CHOSEN], "w", {}), True),
    "moved behind the guard": (divided([*BOTH, CHOSEN, node("Transpose", "w", "v")], "v", {}), True),
    "one after the other": (
        divided([IS_ZERO, node("Where", "z one b", "v"), node("Equal", "v back", "k"), node("Where", "k one v", "w")],
                "w", {}), True),
    "at least 1": (divided([node("Max", "b one", "w")], "w", {}), True),
    "not the least of dividends": (
        divided([IS_ZERO, node("Where", "z one b", "w"), node("Max", "a back", "p")], "w", {}, "p"), True),
    "a constant": (divided([], "three", {"three": 3}), True),
    "may be -1": (divided([IS_ZERO, node("Where", "z one b", "w")], "w", {}), False),
    "may be 0": (divided([IS_BACK, node("Where", "k one b", "w")], "w", {}), False),
    "0 is put in": (divided([*BOTH, CHOSEN], "w", {"one": 0}), False),
    "both must hold": (divided([IS_ZERO, IS_BACK, node("And", "z k", "o"), CHOSEN], "w", {}), False),
    "the branches changed": (divided([*BOTH, node("Where", "o b one", "w")], "w", {}), False),
    "another tensor compared": (divided([*BOTH, node("Where", "o one d", "w")], "w", {}), False),
    "another number compared": (divided([*BOTH, CHOSEN], "w", {"zero": 2}), False),
    "computed behind the guard": (divided([*BOTH, CHOSEN, node("Add", "w back", "v")], "v", {}), False),
}  # fmt: skip


@pytest.mark.parametrize(("proto", "is_safe"), DIVISORS.values(), ids=DIVISORS)
def test_a_quotient_is_safe_where_a_where_keeps_bad_divisors_out(proto: onnx.ModelProto, is_safe: bool) -> None:
    report = wh.check(wh.load(proto), ["onnxruntime", "openvino"])
    names = {"the least integer divided by -1", "quotients of integers that there are not"}
    assert names.isdisjoint(one.name for one in report.findings) == is_safe


@pytest.mark.parametrize(("nodes", "is_told"), [
    ([node("Max", "x zero", "m"), node("Cast", "m", to=INT64)], False),
    ([node("Max", "x zero", "m"), node("Less", "m zero")], False),
    ([node("Max", "x zero", "m"), node("Clip", "m zero", "k"), node("Cast", "k", to=INT64)], False),
    ([node("Max", "x zero")], True),
    ([node("Max", "x zero", "m"), node("Cast", "m", to=INT64), node("Neg", "m", "n")], True),
    ([node("Max", "x zero", "m"), node("Cast", "m", to=TensorProto.DOUBLE)], True),
])  # fmt: skip
def test_the_sign_of_zero_is_told_where_something_sees_it(nodes: list[onnx.NodeProto], is_told: bool) -> None:
    proto = model(nodes, {"x": (FLOAT, [5])}, {"zero": np.float32(0)})
    if nodes[-1].output[0] != "y":
        proto.graph.output.append(onnx.ValueInfoProto(name=nodes[-1].output[0]))
    report = wh.check(wh.load(onnx.shape_inference.infer_shapes(proto)), "openvino")
    assert ("the sign of the zero that is an extreme" in {one.name for one in report.findings}) == is_told


def test_ranges_of_floats() -> None:
    graph = wh.load(CASTS["what is no NaN, and clipped"][0]).graph
    ranges = Ranges(graph)
    assert ranges.range("x") is None
    assert ranges.range("n") == Range(-np.inf, np.inf)
    assert ranges.range("k") == Range(0, 255)
    assert ranges.range("y") == Range(0, 255)
