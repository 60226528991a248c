"""Where by its formula: ONNX Where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import Where


def formula(operator: Where, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
    """`out[c] = x[c] if condition[c] else y[c]`, an axis of 1 being read at 0."""
    condition, x, y = inputs
    (out,) = outputs
    for c in np.ndindex(out.shape):
        chosen = x if condition[_own(c, condition.shape)] else y
        out[c] = chosen[_own(c, chosen.shape)]


def _own(c: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...]:
    last = c[len(c) - len(shape) :]
    return tuple(0 if size == 1 else at for at, size in zip(last, shape, strict=True))
