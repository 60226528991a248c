"""Reshape, Squeeze, Unsqueeze, Flatten by their formula: element i in row-major order stays element i."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import Operator

Array = NDArray[Any]


def formula(operator: Operator, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """The elements of out, counted row-major, are those of data."""
    (data,), (out,) = inputs, outputs
    for c, d in zip(np.ndindex(out.shape), np.ndindex(data.shape), strict=True):
        out[c] = data[d]
