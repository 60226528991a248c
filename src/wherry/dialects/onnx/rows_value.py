"""The rows of Identity and Constant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.onnx import types
from wherry.dialects.onnx.row import Attribute, Kind, OnnxRow, Parameter, Use
from wherry.dialects.onnx.types import TypeSet
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.ops import Identity
from wherry.tensors import TensorType

Array = NDArray[Any]

_SEQUENCES = "sequences of tensors"
_OPTIONALS = "sequences of tensors, and optional values"


def _build_identity(use: Use) -> Identity:
    return Identity()


def _identity_row(since: int, type_set: TypeSet, type_name: str, rule: str, refuses: str = "") -> OnnxRow:
    return OnnxRow(
        name="Identity",
        since=since,
        rule=rule,
        source=f"ONNX operator Identity-{since}",
        inputs=(Parameter("input", type_set, type_name),),
        outputs=(Parameter("output", type_set, type_name),),
        build=_build_identity,
        refuses=refuses,
    )


IDENTITY_ROWS = (
    _identity_row(1, types.ALL_1, "T", "any tensor"),
    _identity_row(13, types.ALL_13, "T", "adds bfloat16"),
    _identity_row(14, types.ALL_13, "V", "adds sequences, which are refused", _SEQUENCES),
    _identity_row(16, types.ALL_13, "V", "adds optional values, which are refused", _OPTIONALS),
    _identity_row(19, types.ALL_19, "V", "adds four float8 types", _OPTIONALS),
    _identity_row(21, types.ALL_21, "V", "adds int4 and uint4", _OPTIONALS),
    _identity_row(23, types.ALL_23, "V", "adds float4_e2m1fn", _OPTIONALS),
    _identity_row(24, types.ALL_24, "V", "adds float8_e8m0fnu", _OPTIONALS),
    _identity_row(25, types.ALL_25, "V", "adds int2 and uint2", _OPTIONALS),
)

_CONSTANTS: dict[str, tuple[Kind, Callable[[Any], Array]]] = {
    "value": (Kind.TENSOR, lambda value: value),
    "sparse_value": (Kind.SPARSE_TENSOR, lambda value: value),
    "value_float": (Kind.FLOAT, lambda value: np.array(value, np.float32)),
    "value_floats": (Kind.FLOATS, lambda value: np.array(value, np.float32)),
    "value_int": (Kind.INT, lambda value: np.array(value, np.int64)),
    "value_ints": (Kind.INTS, lambda value: np.array(value, np.int64)),
    "value_string": (Kind.STRING, lambda value: np.array(value, object)),
    "value_strings": (Kind.STRINGS, lambda value: np.array(value, object)),
}
"""The attributes that can hold a constant, with the array that each makes of its value."""


def _build_constant(use: Use) -> Array:
    given = [name for name, value in use.attributes.items() if value is not None]
    if len(given) != 1:
        have = " and ".join(given) or "none of them"
        allowed = ", ".join(attribute.name for attribute in use.row.attributes)
        raise InvalidValueError(f"{have} is given, allowed exactly one of {allowed}")
    value = _CONSTANTS[given[0]][1](use.attributes[given[0]])
    if not use.row.outputs[0].types.holds(TensorType.of(value)):
        raise InvalidTypeError(f"{given[0]} has dtype {value.dtype}, allowed {use.row.outputs[0].types}")
    return value


def _constant_row(since: int, type_set: TypeSet, attributes: tuple[str, ...], rule: str) -> OnnxRow:
    required = len(attributes) == 1
    return OnnxRow(
        name="Constant",
        since=since,
        rule=rule,
        source=f"ONNX operator Constant-{since}",
        inputs=(),
        outputs=(Parameter("output", type_set),),
        attributes=tuple(Attribute(name, _CONSTANTS[name][0], required=required) for name in attributes),
        build=_build_constant,
    )


_ALL_WAYS = tuple(_CONSTANTS)

CONSTANT_ROWS = (
    _constant_row(1, types.FLOATS_1, ("value",), "a tensor of floats"),
    _constant_row(9, types.ALL_1, ("value",), "any tensor"),
    _constant_row(11, types.ALL_1, ("value", "sparse_value"), "adds sparse tensors"),
    _constant_row(12, types.ALL_1, _ALL_WAYS, "adds numbers and strings, alone (no axis) or several (one axis)"),
    _constant_row(13, types.ALL_13, _ALL_WAYS, "adds bfloat16"),
    _constant_row(19, types.ALL_19, _ALL_WAYS, "adds four float8 types"),
    _constant_row(21, types.ALL_21, _ALL_WAYS, "adds int4 and uint4"),
    _constant_row(23, types.ALL_23, _ALL_WAYS, "adds float4_e2m1fn"),
    _constant_row(24, types.ALL_24, _ALL_WAYS, "adds float8_e8m0fnu"),
    _constant_row(25, types.ALL_25, _ALL_WAYS, "adds int2 and uint2"),
)

ROWS = IDENTITY_ROWS + CONSTANT_ROWS
