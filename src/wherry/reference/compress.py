"""Compress by its formula: ONNX Compress."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import Compress


def formula(operator: Compress, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
    """`out[p.., j, t..] = data[p.., position(j), t..]`, position(j) the j-th true entry of the condition."""
    (data,), (out,) = inputs, outputs
    positions = [number for number, marked in enumerate(operator.condition) if marked]
    if operator.axis is None:
        elements = [data[c] for c in np.ndindex(data.shape)]
        for j in range(out.shape[0]):
            out[j] = elements[positions[j]]
        return
    axis = operator.axis % data.ndim
    for c in np.ndindex(out.shape):
        out[c] = data[(*c[:axis], positions[c[axis]], *c[axis + 1 :])]
