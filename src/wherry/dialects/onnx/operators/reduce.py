"""What reductions, running sums and places of extremes mean by version, and how they are written as nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from wherry.dialects.onnx.as_node import AsNode, Fields, ToNode, by_name
from wherry.dialects.onnx.operators.arithmetic import check_kinds
from wherry.dialects.onnx.row import FLAG, FROM_FRONT, Meaning, OnnxRow, Use
from wherry.graph import Deferred
from wherry.ops import (
    Accumulate,
    AccumulateFunction,
    ArgExtreme,
    EmptyAxes,
    ExtremeFunction,
    Operator,
    Reduce,
    ReduceFunction,
)
from wherry.ops.reduce import REDUCIBLE
from wherry.tensors import TensorType

_SUMMED = "integers; the result of floats depends on the order of the sum or product, which is open"


def _reduce(use: Use, function: ReduceFunction) -> Reduce | Deferred:
    is_sum = function in (ReduceFunction.SUM, ReduceFunction.PRODUCT)
    check_kinds(use, "data", REDUCIBLE[function], _SUMMED if is_sum else "numbers and bools")
    keeps = bool(use.attributes["keepdims"])
    if not use.row.has_input("axes"):
        return Reduce(function, use.attributes["axes"] or (), keeps)
    empty = EmptyAxes.NONE if use.attributes["noop_with_empty_axes"] else EmptyAxes.ALL
    return use.deferred(Reduce, {"axes": "axes"}, function=function, keep_axes=keeps, empty_axes=empty)


def _accumulate(use: Use, function: AccumulateFunction) -> Accumulate | Deferred:
    check_kinds(use, "x", ("int", "uint"), _SUMMED)
    exclusive, reverse = (bool(use.attributes[name]) for name in ("exclusive", "reverse"))
    return use.deferred(Accumulate, {"axis": "axis"}, function=function, exclusive=exclusive, reverse=reverse)


def _place(use: Use, function: ExtremeFunction) -> ArgExtreme:
    last = bool(use.attributes.get("select_last_index", 0))
    return ArgExtreme(function, use.attributes["axis"], bool(use.attributes["keepdims"]), last)


_FLAGS = {"keepdims": FLAG, "noop_with_empty_axes": FLAG}
_INPUT = "axes become an input; with noop_with_empty_axes none of them reduces nothing"


def _reductions(function: ReduceFunction, rule: str, inputs_since: int, more: str = "") -> tuple[Meaning, ...]:
    build = partial(_reduce, function=function)
    return (
        Meaning(1, f"{rule}; without axes all of them; negative axes are not named, so they are refused", build,
                {"keepdims": FLAG, "axes": FROM_FRONT}),
        Meaning(11, f"{rule}; negative axes count from the end; an axis named twice, which is undefined, is refused",
                build, {"keepdims": FLAG}),
        Meaning(inputs_since, _INPUT, build, _FLAGS),
        *([Meaning(20, more, build, _FLAGS)] if more else []),
    )  # fmt: skip


_SUM = "of integers, which wrap around"
_OF_NONE = "NaN if one is NaN, of which the text does not speak; of no elements the {} number, or {}infinity"
_BOOLS = "adds bool, of which false is less than true"


def _running(build: Callable[[Use], Operator | Deferred], since: int) -> tuple[Meaning, ...]:
    return (Meaning(since, _SUM, build, {"exclusive": FLAG, "reverse": FLAG}),)


def _places(function: ExtremeFunction) -> tuple[Meaning, ...]:
    build = partial(_place, function=function)
    return (
        Meaning(1, "the first place of the extreme, or of NaN, of which the text does not speak; negative axes are not "
                "named, so they are refused", build, {"keepdims": FLAG, "axis": FROM_FRONT}),
        Meaning(11, "a negative axis counts from the end", build, {"keepdims": FLAG}),
        Meaning(12, "adds select_last_index", build, {"keepdims": FLAG, "select_last_index": FLAG}),
    )  # fmt: skip


MEANINGS = {
    "ReduceSum": _reductions(ReduceFunction.SUM, _SUM, 13),
    "ReduceProd": _reductions(ReduceFunction.PRODUCT, _SUM, 18),
    "ReduceMin": _reductions(ReduceFunction.MINIMUM, _OF_NONE.format("greatest", ""), 18, _BOOLS),
    "ReduceMax": _reductions(ReduceFunction.MAXIMUM, _OF_NONE.format("least", "-"), 18, _BOOLS),
    "CumSum": _running(partial(_accumulate, function=AccumulateFunction.SUM), 11),
    "CumProd": _running(partial(_accumulate, function=AccumulateFunction.PRODUCT), 26),
    "ArgMax": _places(ExtremeFunction.MAXIMUM),
    "ArgMin": _places(ExtremeFunction.MINIMUM),
}


def _reduce_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    return AsNode(
        {
            "axes": fields["axes"] or None,
            "keepdims": fields["keep_axes"],
            "noop_with_empty_axes": fields["empty_axes"] is EmptyAxes.NONE,
        }
    )


_REDUCTIONS = {"sum": "ReduceSum", "product": "ReduceProd", "minimum": "ReduceMin", "maximum": "ReduceMax"}
_PLACED = by_name("axis", keep_axis="keepdims", last="select_last_index")

TO_NODES: Mapping[object, tuple[tuple[str, ToNode], ...]] = {
    **{(Reduce, function): ((_REDUCTIONS[function], _reduce_to_node),) for function in ReduceFunction},
    (Accumulate, AccumulateFunction.SUM): (("CumSum", by_name("axis", "exclusive", "reverse")),),
    (Accumulate, AccumulateFunction.PRODUCT): (("CumProd", by_name("axis", "exclusive", "reverse")),),
    (ArgExtreme, ExtremeFunction.MAXIMUM): (("ArgMax", _PLACED),),
    (ArgExtreme, ExtremeFunction.MINIMUM): (("ArgMin", _PLACED),),
}
