"""ScaleBias by its formula: DirectML ELEMENT_WISE_IDENTITY with DML_SCALE_BIAS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import ScaleBias


def formula(operator: ScaleBias, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
    """`out[c] = data[c] * scale + bias`: whole numbers exactly, floats in float32 or, for float64, in float64."""
    (data,), (out,) = inputs, outputs
    wide = np.float64 if data.dtype == np.float64 else np.float32
    for c in np.ndindex(data.shape):
        if data.dtype.kind in "iu":
            out[c] = int(data[c]) * int(operator.scale) + int(operator.bias)
        else:
            with np.errstate(all="ignore"):
                product = wide(data[c]) * wide(operator.scale)
                out[c] = (product + wide(operator.bias)).astype(data.dtype)
