"""What sums, quotients, extremes and their like mean by version, and how they are written as nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from wherry import dtypes
from wherry.dialects.onnx.as_node import AsNode, Fields, ToNode
from wherry.dialects.onnx.row import FLAG, NOT_NEGATIVE, Meaning, OnnxRow, Use
from wherry.errors import InvalidTypeError, UnsupportedError
from wherry.graph import Deferred
from wherry.ops import (
    Binary,
    BinaryFunction,
    Broadcast,
    Clip,
    Constant,
    Divide,
    Elementwise,
    Extreme,
    ExtremeFunction,
    Quotient,
    Remainder,
    Unary,
    UnaryFunction,
)
from wherry.ops.elementwise import takes
from wherry.tensors import TensorType


def broadcasting(use: Use) -> dict[str, Any]:
    """Return how sizes meet: as the attributes of versions 1 and 6 say, else by NumPy's rule."""
    if not use.row.has_attribute("broadcast"):
        return {}
    if not use.attributes["broadcast"]:
        return {"broadcast": Broadcast.NONE}
    return {"broadcast": Broadcast.SECOND, "axis": use.attributes["axis"]}


def binary(use: Use, function: BinaryFunction) -> Binary:
    """Return what computes this of two inputs."""
    return Binary(function, **broadcasting(use))


def unary(use: Use, function: UnaryFunction) -> Unary:
    """Return what computes this of one input."""
    return Unary(function)


def _divide(use: Use) -> Divide:
    return Divide(**broadcasting(use))


def check_kinds(use: Use, name: str, kinds: Sequence[str], allowed: str) -> None:
    """Raise UnsupportedError unless an input has an element type of these kinds."""
    if not takes(use.types[name], kinds):
        raise UnsupportedError(f"{name} has dtype {use.types[name].dtype}, allowed {allowed}")


def _remainder(use: Use) -> Remainder:
    if not use.attributes["fmod"] and use.row.since < 28 and takes(use.types["A"], ("float",)):
        raise InvalidTypeError(f"A has dtype {use.types['A'].dtype}, allowed integers where fmod is 0; set fmod to 1")
    return Remainder(Quotient.TRUNCATE if use.attributes["fmod"] else Quotient.FLOOR)


def _extreme(use: Use, function: ExtremeFunction) -> Extreme:
    return Extreme(function, broadcast=Broadcast.NONE if use.row.since < 8 else Broadcast.BOTH)


def _clip(use: Use) -> Clip | Deferred:
    bounds = _limits(use.types["input"])
    if use.row.has_input("min"):
        known = {field: Constant(value) for field, value in bounds.items() if _BOUNDS[field] not in use.positions}
        return use.deferred(Clip, _BOUNDS, **known)
    for field, name in _BOUNDS.items():
        if use.attributes[name] is not None:
            with np.errstate(over="ignore"):
                bounds[field] = np.array(use.attributes[name], np.float32).astype(use.types["input"].numpy)
    return Clip(**bounds)


_BOUNDS = {"least": "min", "greatest": "max"}
"""What ONNX calls the bounds of Clip."""


def _limits(data: TensorType) -> dict[str, Any]:
    """Return the bounds of a Clip that is given none: the finite numbers of a float type; integers need no bound."""
    if not takes(data, ("int", "uint", "float")):
        raise UnsupportedError(f"input has dtype {data.dtype}, allowed integers and floats")
    if not takes(data, ("float",)):
        return {}
    limits: Any = dtypes.finfo(data.numpy)
    return {"least": np.array(limits.min, data.numpy), "greatest": np.array(limits.max, data.numpy)}


LIMITED = {"broadcast": FLAG, "axis": NOT_NEGATIVE}
"""The values of the attributes of versions 1 and 6."""

_ALIGNED = "B is repeated to the sizes of A where broadcast is 1: last axes together, or B's from axis on"
_NUMPYS = "broadcasts as NumPy does"


def broadcast_meanings(build: Callable[[Use], Elementwise], rule: str, types: str = "") -> tuple[Meaning, ...]:
    """Return the meanings of an operator with two inputs, whose version 7 brought NumPy's rule of broadcasting."""
    return (
        Meaning(1, f"{rule}; {_ALIGNED}", build, LIMITED),
        Meaning(7, f"{_NUMPYS}{types}", build),
    )


_WRAPS = "integers wrap around, floats are rounded to the nearest"
_QUOTIENT = (
    "integers toward zero; division of an integer by 0, and of the least by -1, of which the text does not speak, is "
    "refused"
)


def _arithmetic(build: Callable[[Use], Elementwise], rule: str) -> tuple[Meaning, ...]:
    first, second = broadcast_meanings(build, rule)
    return (first, Meaning(6, f"{_ALIGNED}; adds integers of 32 and 64 bits", build, LIMITED), second)


def _extremes(function: ExtremeFunction, rule: str) -> tuple[Meaning, ...]:
    build = partial(_extreme, function=function)
    words = f"{rule}; NaN if one is NaN, of which the text does not speak; of two zeros the sign is that of the order"
    return (
        Meaning(1, f"{words}; all of the same sizes", build),
        Meaning(6, _WITHOUT, build),
        Meaning(8, _NUMPYS, build),
    )


def _signs(function: UnaryFunction, done: str) -> tuple[Meaning, ...]:
    build = partial(unary, function=function)
    return (
        Meaning(1, f"the sign bit of a float is {done}", build),
        Meaning(6, f"{_WITHOUT}; adds integers, the least of which stays", build),
    )


_WITHOUT = "without consumed_inputs, which means nothing"
_BOUNDED = (
    "Min(max, Max(input, min)), with the least and the greatest finite number as defaults; NaN stays, and a bound of "
    "NaN is none, of which the text does not speak"
)

MEANINGS = {
    "Add": _arithmetic(partial(binary, function=BinaryFunction.ADD), _WRAPS),
    "Sub": _arithmetic(partial(binary, function=BinaryFunction.SUBTRACT), _WRAPS),
    "Mul": _arithmetic(partial(binary, function=BinaryFunction.MULTIPLY), _WRAPS),
    "Div": _arithmetic(_divide, _QUOTIENT),
    "Mod": (
        Meaning(
            10,
            "with fmod of 0 of integers only, with the sign of the divisor; with fmod of 1 with that of the dividend; "
            "an integer by 0, of which the text does not speak, is refused",
            _remainder,
            {"fmod": FLAG},
        ),
        Meaning(28, "of floats with fmod of 0 too", _remainder, {"fmod": FLAG}),
    ),
    "Neg": _signs(UnaryFunction.NEGATIVE, "turned"),
    "Abs": _signs(UnaryFunction.ABSOLUTE, "cleared"),
    "Sign": (
        Meaning(
            9, "-1, 0 or 1; of NaN, of which the text does not speak, NaN", partial(unary, function=UnaryFunction.SIGN)
        ),
    ),
    "Min": _extremes(ExtremeFunction.MINIMUM, "the least of the elements"),
    "Max": _extremes(ExtremeFunction.MAXIMUM, "the greatest of the elements"),
    "Clip": (
        Meaning(1, _BOUNDED, _clip),
        Meaning(6, "the defaults are those of float32, for every type", _clip),
        Meaning(11, "min and max become inputs, of one element each", _clip),
    ),
    "BitwiseAnd": (Meaning(18, "of the bits of integers", partial(binary, function=BinaryFunction.AND)),),
    "BitwiseOr": (Meaning(18, "of the bits of integers", partial(binary, function=BinaryFunction.OR)),),
    "BitwiseXor": (Meaning(18, "of the bits of integers", partial(binary, function=BinaryFunction.XOR)),),
    "BitwiseNot": (Meaning(18, "of the bits of integers", partial(unary, function=UnaryFunction.NOT)),),
}


def elementwise_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    """Return the attributes that versions 1 and 6 have for broadcasting."""
    if fields["broadcast"] is Broadcast.BOTH:
        return AsNode({})
    return AsNode({"broadcast": fields["broadcast"] is Broadcast.SECOND, "axis": fields["axis"]})


def _remainder_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    return AsNode({"fmod": fields["rounding"] is Quotient.TRUNCATE})


def _clip_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    """Return the bounds that are given, but for those that a float type has anyway."""
    limits = _limits(types[0])
    values: dict[str, Any] = {}
    for field, name in _BOUNDS.items():
        bound = fields.get(field)
        bound = bound.value if isinstance(bound, Constant) else bound
        is_limit = isinstance(bound, np.ndarray) and field in limits and bound == limits[field]
        is_attribute = isinstance(bound, np.ndarray) and row.has_attribute(name)
        values[name] = None if is_limit else float(bound) if is_attribute else bound  # type: ignore[arg-type]
    return AsNode(values)


TO_NODES: Mapping[object, tuple[tuple[str, ToNode], ...]] = {
    (Binary, BinaryFunction.ADD): (("Add", elementwise_to_node),),
    (Binary, BinaryFunction.SUBTRACT): (("Sub", elementwise_to_node),),
    (Binary, BinaryFunction.MULTIPLY): (("Mul", elementwise_to_node),),
    (Binary, BinaryFunction.AND): (("And", elementwise_to_node), ("BitwiseAnd", elementwise_to_node)),
    (Binary, BinaryFunction.OR): (("Or", elementwise_to_node), ("BitwiseOr", elementwise_to_node)),
    (Binary, BinaryFunction.XOR): (("Xor", elementwise_to_node), ("BitwiseXor", elementwise_to_node)),
    (Unary, UnaryFunction.NEGATIVE): (("Neg", elementwise_to_node),),
    (Unary, UnaryFunction.ABSOLUTE): (("Abs", elementwise_to_node),),
    (Unary, UnaryFunction.SIGN): (("Sign", elementwise_to_node),),
    (Unary, UnaryFunction.NOT): (("Not", elementwise_to_node), ("BitwiseNot", elementwise_to_node)),
    (Extreme, ExtremeFunction.MINIMUM): (("Min", elementwise_to_node),),
    (Extreme, ExtremeFunction.MAXIMUM): (("Max", elementwise_to_node),),
    Divide: (("Div", elementwise_to_node),),
    Remainder: (("Mod", _remainder_to_node),),
    Clip: (("Clip", _clip_to_node),),
}
