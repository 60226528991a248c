"""Cast: converts every element to another type."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes, errors
from wherry.dtypes import DType
from wherry.errors import InvalidTypeError, invalid
from wherry.moves import (
    ODD,
    ComputeMove,
    ConvertMove,
    CopyMove,
    FloatFormat,
    Move,
    RoundMove,
    TranslateMove,
    can_convert,
    can_round,
)
from wherry.ops.conversion import (
    FloatOverflow,
    FloatToInteger,
    IntegerOverflow,
    Rounding,
    to_bool,
    to_float,
    to_integer,
)
from wherry.ops.numerals import FloatText, from_text, to_text
from wherry.ops.operator import Operator
from wherry.tensors import TensorType, View

_NUMBERS = ("bool", "int", "uint", "float")
_KINDS = (*_NUMBERS, "string")


@dataclass(frozen=True)
class Cast(Operator):
    """`out[c] = data[c]` as type `to`.

    A float becomes an integer by dropping its fraction; any number a bool by asking whether it is not zero; a bool 0
    or 1. A number becomes the nearest float, of two equally near the even one, rounded once; `rounding` may say
    otherwise for float8_e8m0fnu only. What the destination does not hold follows the field for its kind. Strings are
    numerals (`numerals.from_text`); other text is refused. Bits are kept where the type stays the same.
    """

    to: DType
    float_overflow: FloatOverflow = FloatOverflow.INFINITY
    float_to_integer: FloatToInteger = FloatToInteger.SATURATE
    integer_overflow: IntegerOverflow = IntegerOverflow.WRAP
    rounding: Rounding = Rounding.NEAREST_EVEN
    nan_is_true: bool = True
    float_text: FloatText = FloatText.PLAIN

    def _check_fields(self) -> None:
        if self.to.kind not in _KINDS:
            raise _unknown("to", self.to)
        if self.rounding is not Rounding.NEAREST_EVEN and self.to.name != "float8_e8m0fnu":
            raise invalid("rounding", self.rounding, f"{Rounding.NEAREST_EVEN} for {self.to}",
                          "only float8_e8m0fnu has other roundings")  # fmt: skip

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        (data,) = inputs
        if data.row is None or data.row.kind not in _KINDS:
            raise _unknown("dtype of data", data.dtype)
        return (TensorType(self.to, data.sizes),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield a copy where the type stays the same, else one conversion."""
        (data,), (out,) = inputs, outputs
        if data.dtype == out.dtype:
            yield CopyMove(data, out)
            return

        move = self._move_of_the_core(data, out) if out.dtype.isnative else None
        if move is not None:
            yield move
            return

        def convert(values: NDArray[Any]) -> NDArray[Any]:
            with errors.subject(subject):
                return self._convert(np.atleast_1d(values)).reshape(values.shape)

        yield ComputeMove("cast", convert, (data,), out)

    def _move_of_the_core(self, data: View, out: View) -> Move | None:
        if (saturates := self.by_core(data.dtype)) is not None:
            return ConvertMove(data, out, saturates)
        if (rounded := self.by_rounding(data.dtype)) is not None:
            return RoundMove(data, out, rounded)
        if (by_table := self.by_table(data.dtype)) is not None:
            return TranslateMove(data, out, *by_table)
        return None

    def by_core(self, dtype: np.dtype[Any]) -> bool | None:
        """Return whether integers saturate where the core converts elements of a type by these rules, else None."""
        source = dtypes.find(dtype)
        if not (dtype.isnative and can_convert(source, self.to) and self._has_the_cores_rules(source)):
            return None
        if source.kind == "float":
            return self.float_to_integer is FloatToInteger.SATURATE
        return self.integer_overflow is IntegerOverflow.SATURATE

    def by_rounding(self, dtype: np.dtype[Any]) -> FloatFormat | None:
        """Return how the bytes are read of a float type to which the core rounds elements of a type, else None."""
        is_small = self.to.kind == "float" and self.to.bits <= 8 and self.to.name != "float8_e8m0fnu"
        return _format(self) if is_small and dtype.isnative and can_round(dtypes.find(dtype)) else None

    def by_table(self, dtype: np.dtype[Any]) -> tuple[bytes, DType | None, bool] | None:
        """Return the table by which the core translates elements of a type, and their code; see TranslateMove.

        None for strings, and where a table would be too large. To be asked where neither by_core nor by_rounding has a
        way: a table of 16 bits takes milliseconds to make.
        """
        source = dtypes.find(dtype)
        if not dtype.isnative or source.kind not in _NUMBERS or self.to.kind not in _NUMBERS:
            return None
        is_float = self.to.kind == "float"
        if dtype.itemsize == 1 or (dtype.itemsize == 2 and self.to.bits == 8):
            return _table(self, source), None, False
        if self.to.bits > 8 or self.to.kind == "bool" or not can_convert(source, dtypes.find("int8")):
            return None
        if is_float:
            return _table(self, ODD), ODD, False
        saturates = (self.float_to_integer is FloatToInteger.SATURATE if source.kind == "float"
                     else self.integer_overflow is IntegerOverflow.SATURATE)  # fmt: skip
        overflow = IntegerOverflow.SATURATE if saturates else IntegerOverflow.WRAP
        code = dtypes.find("int8" if self.to.kind == "int" else "uint8")
        return _table(replace(self, integer_overflow=overflow), code), code, saturates

    def _has_the_cores_rules(self, source: dtypes.DType) -> bool:
        """Return whether the core's rules are those of the fields, as far as these matter for the two types."""
        if self.to.kind == "bool":
            return self.nan_is_true or source.kind != "float"
        if self.to.kind != "float" or self.float_overflow is FloatOverflow.INFINITY:
            return True
        return source.kind != "float" and self.to.bits >= 32  # in range

    def _convert(self, values: NDArray[Any]) -> NDArray[Any]:
        is_text = values.dtype.kind in "OUST"
        if self.to.is_string:
            return _as_objects(values) if is_text else to_text(values, self.float_text)
        if is_text:
            return from_text(values, self.to, self.float_overflow)
        if self.to.kind == "bool":
            return to_bool(values, self.nan_is_true)
        if self.to.kind == "float":
            return to_float(values, self.to, self.float_overflow, self.rounding)
        return to_integer(values, self.to, self.float_to_integer, self.integer_overflow)


@lru_cache(64)
def _table(cast: Cast, source: DType) -> bytes:
    """Return what a cast makes of all elements of a type of 8 or 16 bits, in the order of their bits."""
    width = source.numpy.itemsize
    return cast._convert(np.arange(2 ** (8 * width)).astype(f"u{width}").view(source.numpy)).tobytes()


@lru_cache(64)
def _format(cast: Cast) -> FloatFormat:
    """Return the format of a float type of few bits, and what a cast makes of numbers that it does not hold."""

    def code(number: float) -> int:
        return int(cast._convert(np.array([number], np.float32)).view(np.uint8)[0])

    limits = dtypes.finfo(cast.to.numpy)
    return FloatFormat(
        limits.nmant,
        1 - limits.minexp,
        code(float(limits.max)),
        code(math.inf),
        code(math.nan),
        code(-math.nan),
        code(1) ^ code(-1),
        code(-0.0) != 0,
    )


def _as_objects(texts: NDArray[Any]) -> NDArray[Any]:
    return (np.char.decode(texts, "utf-8") if texts.dtype.kind == "S" else texts).astype(object)


def _unknown(field: str, dtype: object) -> InvalidTypeError:
    return InvalidTypeError(f"{field} is {dtype}, allowed bool, integers, floats and string; it has no conversions")
