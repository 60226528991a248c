"""Gathers by their formulas: ONNX Gather, GatherElements, GatherND and their likes in OpenVINO and DirectML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.moves import Negative
from wherry.ops import Gather, GatherElements, GatherND

Array = NDArray[Any]


def position(value: int, size: int, out_of_range: str, negative: str) -> int | None:
    """Return the position of an index on an axis of `size`, or None if it has none.

    Raises IndexError for an index that is refused.
    """
    if value < 0 and negative == Negative.FROM_END and out_of_range != "wrap":
        value += size
    if 0 <= value < size:
        return value
    match out_of_range:
        case "clamp":
            return 0 if value < 0 else size - 1
        case "wrap":
            return value % size
        case "zero" | "skip" | "report":
            return None
    raise IndexError(value)


def take(out: Array, c: tuple[int, ...], data: Array, place: Sequence[int | None]) -> None:
    """`out[c] = data[place]`, or zero if an index has no position."""
    if None not in place:
        out[c] = data[tuple(place)]
    elif out.dtype.hasobject:
        out[c] = type(data.flat[0])() if data.size else ""


def formula(operator: Gather, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[p.., i.., t..] = data[p.., indices[p[:batch_dims].., i..], t..]`, the index replacing the axis."""
    (data, indices), (out,) = inputs, outputs
    axis, batch_dims = operator.resolve(data.ndim, indices.ndim)
    end = axis + indices.ndim - batch_dims
    rules = operator.out_of_range, operator.negative
    places = {c: position(int(indices[c]), data.shape[axis], *rules) for c in np.ndindex(indices.shape)}
    for c in np.ndindex(out.shape):
        take(out, c, data, (*c[:axis], places[c[:batch_dims] + c[axis:end]], *c[end:]))


def formula_elements(operator: GatherElements, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c] = data[c with c[axis] replaced by indices[c]]`."""
    (data, indices), (out,) = inputs, outputs
    axis = operator.axis % data.ndim
    for c in np.ndindex(indices.shape):
        place = position(int(indices[c]), data.shape[axis], operator.out_of_range, operator.negative)
        take(out, c, data, (*c[:axis], place, *c[axis + 1 :]))


def formula_nd(operator: GatherND, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[p.., q.., t..] = data[p.., indices[p.., q.., 0], .., indices[p.., q.., k-1], t..]`."""
    (data, indices), (out,) = inputs, outputs
    batch, length = operator.batch_dims, indices.shape[-1]
    result = out.reshape(indices.shape[:-1] + data.shape[batch + length :])
    for q in np.ndindex(indices.shape[:-1]):
        picked = [
            position(int(indices[(*q, k)]), data.shape[batch + k], operator.out_of_range, operator.negative)
            for k in range(length)
        ]
        for t in np.ndindex(data.shape[batch + length :]):
            take(result, q + t, data, (*q[:batch], *picked, *t))
    out[...] = result.reshape(out.shape)
