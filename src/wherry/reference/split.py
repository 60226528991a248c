"""Split by its formula: ONNX Split, OpenVINO Split-1 and VariadicSplit-1, DirectML SPLIT."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import Split


def formula(operator: Split, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
    """`outputs[k][c] = data[c with c[axis] + start(k)]`, start(k) the sum of the parts before k."""
    (data,) = inputs
    axis = operator.axis % data.ndim
    start = 0
    for out in outputs:
        for c in np.ndindex(out.shape):
            out[c] = data[(*c[:axis], c[axis] + start, *c[axis + 1 :])]
        start += out.shape[axis]
