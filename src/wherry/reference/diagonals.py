"""Bands of matrices by their formula: ONNX Trilu and EyeLike, DirectML DIAGONAL_MATRIX and DIAGONAL_MATRIX1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import Eye, EyeLike, Trilu

Array = NDArray[Any]


def is_filled(operator: Trilu | Eye, y: int, x: int) -> bool:
    """Whether the value stands at row y, column x."""
    above = operator.begin is None or x - y >= operator.begin
    below = operator.end is None or x - y < operator.end
    return (above and below) != operator.inverted


def trilu(operator: Trilu, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[.., y, x] = value if begin <= x - y < end else data[.., y, x]`."""
    (data,), (out,) = inputs, outputs
    for c in np.ndindex(data.shape):
        if not is_filled(operator, c[-2], c[-1]):
            out[c] = data[c]
        elif operator.value is not None:
            out[c] = operator.value[()]
        elif out.dtype.hasobject:
            out[c] = ""


def eye(operator: Eye, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[.., y, x] = value if begin <= x - y < end else 0`."""
    (out,) = outputs
    for c in np.ndindex(out.shape):
        if is_filled(operator, c[-2], c[-1]):
            out[c] = operator.value[()]
        elif out.dtype.hasobject:
            out[c] = ""


def eye_like(operator: EyeLike, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[y, x] = 1 if x - y == k else 0`."""
    (out,) = outputs
    for y, x in np.ndindex(out.shape):
        if x - y == operator.k:
            out[y, x] = 1
