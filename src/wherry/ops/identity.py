"""Identity: every element at the same coordinate; only the layout may change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wherry.layout import Layout
from wherry.ops.operator import Operator
from wherry.tensors import TensorType


@dataclass(frozen=True)
class Identity(Operator):
    """`out[c] = data[c]`."""

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of data; see Operator."""
        (data,) = inputs
        return (data,)

    def view(self, inputs: Sequence[Layout]) -> tuple[tuple[int, Layout], ...]:
        """Return data itself."""
        return ((0, inputs[0]),)
