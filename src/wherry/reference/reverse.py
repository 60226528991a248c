"""Reverse, ReverseSequence and Roll by their formulas: OpenVINO, ONNX and DirectML alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import Reverse, ReverseSequence, Roll

Array = NDArray[Any]


def formula(operator: Reverse, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c] = data[size - 1 - c]` on the reversed axes."""
    (data,), (out,) = inputs, outputs
    turned = [axis % data.ndim for axis in operator.axes or ()]
    turned += [axis for axis, is_turned in enumerate(operator.mask or ()) if is_turned]
    for c in np.ndindex(out.shape):
        out[c] = data[tuple(out.shape[axis] - 1 - coord if axis in turned else coord for axis, coord in enumerate(c))]


def formula_of_sequence(operator: ReverseSequence, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[t] = data[len - 1 - t]` along the time axis for t < len, else `data[t]`; len is that of the line."""
    (data,), (out,) = inputs, outputs
    time = operator.time_axis % data.ndim
    others = [axis for axis in range(data.ndim) if axis != time]
    batch = others if operator.batch_axes is None else [axis % data.ndim for axis in operator.batch_axes]
    lengths = operator.lengths.value
    lengths = lengths.reshape([data.shape[axis] for axis in batch])
    for c in np.ndindex(out.shape):
        length = min(int(lengths[tuple(c[axis] for axis in batch)]), data.shape[time])
        t = length - 1 - c[time] if c[time] < length else c[time]
        out[c] = data[(*c[:time], t, *c[time + 1 :])]


def formula_of_roll(operator: Roll, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[(c + shift) mod size] = data[c]`, one listed axis after the other."""
    (data,), (out,) = inputs, outputs
    for c in np.ndindex(data.shape):
        place = list(c)
        for axis, shift in zip(operator.axes, operator.shifts, strict=True):
            place[axis] = (place[axis] + shift) % data.shape[axis]
        out[tuple(place)] = data[c]
