"""ExtractImagePatches-3 and Col2Im-15 of OpenVINO, Col2Im-18 of ONNX, DirectML UNFOLD (Im2Col) by their formulas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import AutoPad, Col2Im, ExtractImagePatches, Im2Col
from wherry.reference import zero

Array = NDArray[Any]


def front(operator: ExtractImagePatches, place: int, size: int, count: int) -> int:
    """Return the zeros before the image along rows (0) or columns (1)."""
    effective = (operator.sizes[place] - 1) * operator.rates[place] + 1
    total = max((count - 1) * operator.strides[place] + effective - size, 0)
    return {AutoPad.VALID: 0, AutoPad.SAME_UPPER: total // 2, AutoPad.SAME_LOWER: (total + 1) // 2}[operator.auto_pad]


def formula(operator: ExtractImagePatches, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[n, (i * kw + j) * C + c, y, x] = data[n, c, y * sh + i * rh - top, x * sw + j * rw - left]`, or 0."""
    (data,), (out,) = inputs, outputs
    (_, kw), (sh, sw), (rh, rw) = operator.sizes, operator.strides, operator.rates
    top, left = (front(operator, place, data.shape[2 + place], out.shape[2 + place]) for place in (0, 1))
    for n, depth, y, x in np.ndindex(out.shape):
        place, c = divmod(depth, data.shape[1])
        i, j = divmod(place, kw)
        row, column = y * sh + i * rh - top, x * sw + j * rw - left
        inside = 0 <= row < data.shape[2] and 0 <= column < data.shape[3]
        out[n, depth, y, x] = data[n, c, row, column] if inside else zero.of(data)


def formula_of_im2col(operator: Im2Col, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[n, c * prod(K) + k, l] = data[n, c, l * stride + k * dilation - begin]`, or 0 outside."""
    (data,), (out,) = inputs, outputs
    strides, dilations, begins = operator.strides or (), operator.dilations or (), operator.begins or ()
    places = int(np.prod(operator.block_shape))
    for n, c in np.ndindex(data.shape[:2]):
        for number, k in enumerate(np.ndindex(operator.block_shape)):
            for window, at in enumerate(np.ndindex(operator.counts(data.shape[2:]))):
                walk = zip(at, strides, k, dilations, begins, strict=True)
                place = [a * stride + b * dilation - begin for a, stride, b, dilation, begin in walk]
                inside = all(0 <= coord < size for coord, size in zip(place, data.shape[2:], strict=True))
                out[n, c * places + number, window] = data[(n, c, *place)] if inside else zero.of(data)


def formula_of_col2im(operator: Col2Im, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[n, c, l * stride + k * dilation - begin] += data[n, c * prod(K) + k, l]`, k ascending, from 0 on."""
    (data,), (out,) = inputs, outputs
    strides, dilations, begins = operator.strides or (), operator.dilations or (), operator.begins or ()
    places = int(np.prod(operator.block_shape))
    out[...] = 0
    for c in np.ndindex(out.shape[: data.ndim - 1]):
        for number, k in enumerate(np.ndindex(operator.block_shape)):
            for window, at in enumerate(np.ndindex(operator.counts)):
                walk = zip(at, strides, k, dilations, begins, strict=True)
                place = [a * stride + b * dilation - begin for a, stride, b, dilation, begin in walk]
                if all(0 <= coord < size for coord, size in zip(place, operator.image_shape, strict=True)):
                    with np.errstate(all="ignore"):
                        out[(*c, *place)] += data[(*c[:-1], c[-1] * places + number, window)]
