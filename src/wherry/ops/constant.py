"""Constant: a tensor from the file, or one that planning has computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry.arrays.anywhere import as_array
from wherry.ops.operator import Operator
from wherry.tensors import TensorType


def as_value(field: str, value: Any) -> NDArray[Any]:
    """Return a read-only copy of an array."""
    copy = np.array(as_array(value, field))
    copy.flags.writeable = False
    return copy


@dataclass(frozen=True, eq=False)
class Constant(Operator):
    """`out = value`; there is no input. Two constants are equal if type, sizes and bits are."""

    value: Annotated[NDArray[Any], as_value]

    input_names: ClassVar[tuple[str, ...]] = ()
    reads_values: ClassVar[bool] = False

    @property
    def equal_is_same(self) -> bool:
        """See Operator."""
        return False

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the value; see Operator."""
        return (TensorType.of(self.value),)

    def fold(self, inputs: Sequence[TensorType]) -> tuple[NDArray[Any], ...]:
        """Return the value."""
        return (self.value,)

    def _key(self) -> tuple[object, ...]:
        content = tuple(self.value.ravel().tolist()) if self.value.dtype.hasobject else self.value.tobytes()
        return (self.value.dtype, self.value.shape, content)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        value = f" {self.value.tolist()}" if self.value.size <= 8 else ""
        return f"Constant({TensorType.of(self.value)}{value})"
