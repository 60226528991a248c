"""AsStrided by its formula: the elements that a DirectML description with strides reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import AsStrided

Array = NDArray[Any]


def formula(operator: AsStrided, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[..] = data.flat[offset + sum of c[i] * strides[i]]`, one element after the other in row-major order."""
    (data,), (out,) = inputs, outputs
    flat, places = data.reshape(-1), list(np.ndindex(out.shape))
    for place, c in zip(places, np.ndindex(operator.sizes), strict=True):
        steps = (coord * stride for coord, stride in zip(c, operator.strides, strict=True))
        out[place] = flat[operator.offset + sum(steps)]
