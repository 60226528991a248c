"""Expand by its formula: ONNX Expand, OpenVINO Broadcast-1 and Broadcast-3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import Alignment, Expand

Array = NDArray[Any]


def formula(operator: Expand, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c] = data[c at data's axes]`, coordinate 0 where data has size 1."""
    (data,), (out,) = inputs, outputs
    axes = list(range(out.ndim - data.ndim, out.ndim))
    if operator.alignment is Alignment.EXPLICIT:
        axes = list(operator.axes or ())
    elif operator.alignment is Alignment.START and operator.start >= 0:
        axes = list(range(operator.start, operator.start + data.ndim))
    for c in np.ndindex(out.shape):
        out[c] = data[tuple(0 if size == 1 else c[axis] for axis, size in zip(axes, data.shape, strict=True))]
