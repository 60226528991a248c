"""What comparisons and logical operators mean by version, and how comparisons are written as nodes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from wherry.dialects.onnx.as_node import ToNode
from wherry.dialects.onnx.operators.arithmetic import (
    binary,
    broadcast_meanings,
    broadcasting,
    elementwise_to_node,
    unary,
)
from wherry.dialects.onnx.row import Meaning, Use
from wherry.ops import BinaryFunction, Compare, Relation, UnaryFunction


def _compare(use: Use, function: Relation) -> Compare:
    return Compare(function, **broadcasting(use))


_NAN = "NaN equals nothing, -0.0 equals 0.0"
_ORDERED = "false where one is NaN"

MEANINGS = {
    "Equal": (
        *broadcast_meanings(partial(_compare, function=Relation.EQUAL), "integers and bools"),
        Meaning(11, f"adds floats: {_NAN}", partial(_compare, function=Relation.EQUAL)),
    ),
    "Greater": broadcast_meanings(partial(_compare, function=Relation.GREATER), _ORDERED),
    "Less": broadcast_meanings(partial(_compare, function=Relation.LESS), _ORDERED),
    "GreaterOrEqual": (Meaning(12, _ORDERED, partial(_compare, function=Relation.GREATER_OR_EQUAL)),),
    "LessOrEqual": (Meaning(12, _ORDERED, partial(_compare, function=Relation.LESS_OR_EQUAL)),),
    "And": broadcast_meanings(partial(binary, function=BinaryFunction.AND), "of bools"),
    "Or": broadcast_meanings(partial(binary, function=BinaryFunction.OR), "of bools"),
    "Xor": broadcast_meanings(partial(binary, function=BinaryFunction.XOR), "of bools"),
    "Not": (Meaning(1, "of bools", partial(unary, function=UnaryFunction.NOT)),),
}

TO_NODES: Mapping[object, tuple[tuple[str, ToNode], ...]] = {
    (Compare, Relation.EQUAL): (("Equal", elementwise_to_node),),
    (Compare, Relation.LESS): (("Less", elementwise_to_node),),
    (Compare, Relation.LESS_OR_EQUAL): (("LessOrEqual", elementwise_to_node),),
    (Compare, Relation.GREATER): (("Greater", elementwise_to_node),),
    (Compare, Relation.GREATER_OR_EQUAL): (("GreaterOrEqual", elementwise_to_node),),
}
