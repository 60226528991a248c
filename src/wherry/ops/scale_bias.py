"""ScaleBias: every element times one number plus another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import errors
from wherry.dtypes import DType
from wherry.errors import InvalidTypeError, InvalidValueError, invalid
from wherry.moves import ComputeMove, Move
from wherry.ops.operator import Operator
from wherry.tensors import TensorType, View

Array = NDArray[Any]


@dataclass(frozen=True)
class ScaleBias(Operator):
    """`out[c] = data[c] * scale + bias`, rounded after the product and after the sum.

    float32 and narrower floats compute in float32 (a narrower result is rounded once more), float64 in float64. Whole
    numbers are exact: `scale` and `bias` must be whole, and every result must fit its type.
    """

    scale: float
    bias: float

    @property
    def equal_is_same(self) -> bool:
        """See Operator."""
        return False

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of data; see Operator."""
        (data,) = inputs
        kind = data.dtype.kind if isinstance(data.dtype, DType) else ""
        if kind not in ("float", "int", "uint") or (kind != "float" and data.numpy.kind not in "iu"):
            raise InvalidTypeError(f"data has dtype {data.dtype}, allowed floats and integers of 8 bits and more")
        if kind != "float":
            for field, value in (("scale", self.scale), ("bias", self.bias)):
                if not value.is_integer():
                    raise invalid(field, value, f"whole numbers with {data.dtype} data",
                                  "how fractions of integers round is not specified; use a float type")  # fmt: skip
        return (data,)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one computation."""
        name = f"{inputs[0].dtype} * {self.scale:g} + {self.bias:g}"
        yield ComputeMove(name, partial(self.compute, subject=subject), (inputs[0],), outputs[0])

    def compute(self, data: Array, subject: str) -> Array:
        """Return the result. Raises InvalidValueError for an integer that does not fit its type."""
        if data.dtype.kind in "iu":
            with errors.subject(subject):
                return self._exact(data)
        wide = np.dtype(np.float64 if data.dtype == np.float64 else np.float32)
        with np.errstate(all="ignore"):
            result = data.astype(wide) * wide.type(self.scale) + wide.type(self.bias)
            return np.asarray(result.astype(data.dtype))

    def _exact(self, data: Array) -> Array:
        """Whole numbers: modulo the type's width, which is exact once the extreme results are known to fit."""
        scale, bias, limits = int(self.scale), int(self.bias), np.iinfo(data.dtype)
        if data.size == 0:
            return data.copy()
        for place in (int(data.argmin()), int(data.argmax())):
            value = int(data.flat[place])
            if not limits.min <= value * scale + bias <= limits.max:
                coords = ", ".join(str(int(coord)) for coord in np.unravel_index(place, data.shape))
                raise InvalidValueError(
                    f"data[{coords}] is {value}, and {value} * {scale} + {bias} = {value * scale + bias}, allowed "
                    f"{limits.min}..{limits.max} ({data.dtype}); use a wider type"
                )
        unsigned = np.dtype(f"u{data.dtype.itemsize}")
        modulus = 1 << 8 * data.dtype.itemsize
        bits = np.ascontiguousarray(data).view(unsigned).reshape(data.shape)
        with np.errstate(over="ignore"):
            result = bits * unsigned.type(scale % modulus) + unsigned.type(bias % modulus)
        return np.asarray(result, unsigned).view(data.dtype)
