"""Concat by its formula: ONNX Concat, OpenVINO Concat-1, DirectML JOIN."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import Concat


def formula(operator: Concat, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
    """`out[c with c[axis] + start(k)] = inputs[k][c]`, start(k) the sum of the axis sizes before input k."""
    (out,) = outputs
    axis = operator.axis % out.ndim
    start = 0
    for data in inputs:
        for c in np.ndindex(data.shape):
            out[(*c[:axis], c[axis] + start, *c[axis + 1 :])] = data[c]
        start += data.shape[axis]
