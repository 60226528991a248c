"""Fill: a tensor filled with one value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry.moves import Move
from wherry.ops.constant import Constant
from wherry.ops.operator import unknown_sizes, vector_size
from wherry.ops.values import Scalar, Sizes, ValuesOperator, as_scalar, fill
from wherry.tensors import TensorType, View


@dataclass(frozen=True, eq=False)
class Fill(ValuesOperator):
    """`out[c] = value` for every coordinate of `sizes`; there is no input.

    `value` is a NumPy scalar or an array of one element, whose type is that of the result; a Python string makes a
    result of strings. Raises SizeOverflowError for sizes beyond 64-bit arithmetic.
    """

    value: Scalar
    sizes: Sizes

    input_names: ClassVar[tuple[str, ...]] = ()
    reads_values: ClassVar[bool] = False

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result before `sizes` is known; see Deferred."""
        length = vector_size(given["sizes"])
        sizes = None if length is None else unknown_sizes(length)
        return (TensorType(as_scalar("value", fields["value"]).dtype, sizes),)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        return (TensorType(self.value.dtype, self.sizes),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one fill."""
        yield fill(self.value, outputs[0])


def one_of(dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return the one of an element type, without axes."""
    return as_scalar("value", np.ones((), dtype))


def constant_of_shape(value: Constant, sizes: Any) -> Fill:
    """Return the Fill of ConstantOfShape; the value, as a Constant, keeps its bits."""
    return Fill(value.value, sizes)
