"""Transpose by its formula: ONNX Transpose, OpenVINO Transpose-1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import Transpose

Array = NDArray[Any]


def formula(operator: Transpose, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c] = data[q]` with `q[perm[i]] = c[i]`."""
    (data,), (out,) = inputs, outputs
    perm = operator.perm or tuple(reversed(range(data.ndim)))
    for c in np.ndindex(out.shape):
        q = [0] * data.ndim
        for i, axis in enumerate(perm):
            q[axis] = c[i]
        out[c] = data[tuple(q)]
