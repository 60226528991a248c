"""What Identity and Constant mean by version, and how they are written as nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from wherry.dialects.onnx.as_node import by_name
from wherry.dialects.onnx.row import Kind, Meaning, Use
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.ops import Constant, Identity
from wherry.tensors import TensorType

Array = NDArray[Any]


def _build_identity(use: Use) -> Identity:
    return Identity()


_NUMPY: dict[Kind, DTypeLike] = {
    Kind.FLOAT: np.float32,
    Kind.FLOATS: np.float32,
    Kind.INT: np.int64,
    Kind.INTS: np.int64,
    Kind.STRING: object,
    Kind.STRINGS: object,
}
"""The types of the arrays that an attribute's numbers and strings are; the other kinds are arrays."""


def _build_constant(use: Use) -> Array:
    given = [name for name, value in use.attributes.items() if value is not None]
    if len(given) != 1:
        have = " and ".join(given) or "none of them"
        allowed = ", ".join(attribute.name for attribute in use.row.attributes)
        raise InvalidValueError(f"{have} is given, allowed exactly one of {allowed}")
    kind = next(attribute.kind for attribute in use.row.attributes if attribute.name == given[0])
    value: Array = use.attributes[given[0]]
    if kind in _NUMPY:
        value = np.array(value, _NUMPY[kind])
    if not use.row.outputs[0].types.holds(TensorType.of(value)):
        raise InvalidTypeError(f"{given[0]} has dtype {value.dtype}, allowed {use.row.outputs[0].types}")
    return value


MEANINGS = {
    "Identity": (
        Meaning(1, "any tensor", _build_identity),
        Meaning(14, "adds sequences, which are refused", _build_identity),
        Meaning(16, "adds optional values, which are refused", _build_identity),
    ),
    "Constant": (
        Meaning(1, "a tensor of floats", _build_constant),
        Meaning(11, "adds sparse tensors", _build_constant),
        Meaning(12, "adds numbers and strings, alone (no axis) or several (one axis)", _build_constant),
    ),
}


TO_NODES = {
    Identity: (("Identity", by_name()),),
    Constant: (("Constant", by_name("value")),),
}
