"""Gather by its formula: ONNX Gather, OpenVINO Gather-8, DirectML GATHER."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.moves import Negative, OutOfRange
from wherry.ops import Gather


def position(value: int, size: int, operator: Gather) -> int | None:
    """Return the position on an axis of `size` that an index means, or None where zero is written.

    Raises IndexError for an index that the operator refuses.
    """
    if value < 0 and operator.negative is Negative.FROM_END and operator.out_of_range is not OutOfRange.WRAP:
        value += size
    if 0 <= value < size:
        return value
    match operator.out_of_range:
        case OutOfRange.CLAMP:
            return 0 if value < 0 else size - 1
        case OutOfRange.ZERO:
            return None
        case OutOfRange.WRAP:
            return value % size
    raise IndexError(value)


def formula(operator: Gather, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
    """`out[p.., i.., t..] = data[p.., indices[p[:batch_dims].., i..], t..]`, the index replacing the axis."""
    (data, indices), (out,) = inputs, outputs
    axis, batch_dims = operator.resolve(data.ndim, indices.ndim)
    end = axis + indices.ndim - batch_dims
    places = {c: position(int(indices[c]), data.shape[axis], operator) for c in np.ndindex(indices.shape)}
    for c in np.ndindex(out.shape):
        place = places[c[:batch_dims] + c[axis:end]]
        if place is not None:
            out[c] = data[(*c[:axis], place, *c[end:])]
        elif out.dtype.hasobject:
            out[c] = type(data.flat[0])() if data.size else ""
