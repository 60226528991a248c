"""OneHot by its formula: ONNX OneHot, OpenVINO OneHot-1 and -16, DirectML ONE_HOT."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.moves import Negative
from wherry.ops import FractionalIndex, OneHot


def position(index: Any, operator: OneHot) -> int | None:
    """Return the position that an index means, or None where all are off."""
    if not math.isfinite(float(index)):
        return None
    if float(index) != int(index) and operator.fractional is FractionalIndex.OFF:
        return None
    place = int(index)
    if place < 0 and operator.negative is Negative.FROM_END:
        place += operator.depth
    return place if 0 <= place < operator.depth else None


def formula(operator: OneHot, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
    """`out[p.., j, t..] = on if indices[p.., t..] == j else off`."""
    indices, *values = inputs
    off, on = values if len(values) == 2 else values[0]
    (out,) = outputs
    axis = operator.axis % out.ndim
    kept = (0,) if operator.keep_axis else ()
    for c in np.ndindex(out.shape):
        index = indices[(*c[:axis], *kept, *c[axis + 1 :])]
        chosen = on if position(index, operator) == c[axis] else off
        out[c] = np.reshape(chosen, -1)[0]
