"""Pad by its formula: ONNX Pad, OpenVINO Pad-1 and Pad-12, DirectML PADDING and PADDING1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import MixedSigns, Pad, PadMode
from wherry.ops.constant import Constant
from wherry.reference import zero

Array = NDArray[Any]


def source(mode: PadMode, s: int, n: int) -> int | None:
    """Return the element that position `s` of an axis of `n` elements shows, or None for the value."""
    match mode:
        case PadMode.CONSTANT:
            return s if 0 <= s < n else None
        case PadMode.EDGE:
            return min(max(s, 0), n - 1)
        case PadMode.WRAP:
            return s % n
        case PadMode.REFLECT:
            while n > 1 and not 0 <= s < n:
                s = -s if s < 0 else 2 * (n - 1) - s
            return s if n > 1 else 0
        case PadMode.SYMMETRIC:
            while not 0 <= s < n:
                s = -1 - s if s < 0 else 2 * n - 1 - s
            return s


def formula(operator: Pad, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c] = data[source(c - begin)]` on each axis; cropped elements are gone first where the operator says so."""
    (data,), (out,) = inputs, outputs
    axes = range(data.ndim) if operator.axes is None else [axis % data.ndim for axis in operator.axes]
    pads = dict(zip(axes, zip(operator.begins, operator.ends, strict=True), strict=True))
    value = _value(operator, data)
    shown: list[list[int | None]] = []
    for axis, length in enumerate(out.shape):
        begin, end = pads.get(axis, (0, 0))
        positions = [o - begin for o in range(length)]
        if operator.mixed_signs is MixedSigns.CROP_FIRST and operator.mode is not PadMode.CONSTANT:
            left = list(range(data.shape[axis]))[max(0, -begin) :][
                : max(0, data.shape[axis] + min(begin, 0) + min(end, 0))
            ]
            places = [source(operator.mode, o - max(begin, 0), len(left)) for o in range(length)]
            shown.append([None if place is None else left[place] for place in places])
        else:
            shown.append([source(operator.mode, s, data.shape[axis]) for s in positions])
    for c in np.ndindex(out.shape):
        at = [shown[axis][coord] for axis, coord in enumerate(c)]
        out[c] = value if None in at else data[tuple(place for place in at if place is not None)]


def _value(operator: Pad, data: Array) -> object:
    if operator.value is None:
        return zero.of(data)
    if isinstance(operator.value, Constant):
        return operator.value.value[()]
    return operator.value
