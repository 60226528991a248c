"""ReverseSequence: reverses the first elements of each line of data, by the length of its sequence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from wherry import _core
from wherry.arguments import normalized_axis
from wherry.arrays.anywhere import as_array
from wherry.errors import InvalidTypeError, InvalidValueError, invalid
from wherry.limits import check_values
from wherry.moves import ComputeMove, CopyMove, Move
from wherry.ops.constant import Constant
from wherry.ops.operator import Operator, same_size
from wherry.ops.rearrange import Box, boxed
from wherry.tensors import TensorType, View

MOST_GROUPS = 8
"""Lines of up to this many lengths are reversed by copies; of more by one gather, which reads memory once."""

INDICES_AT_ONCE = 2**18
"""They take memory of their own."""


class TooLong(StrEnum):
    """The rule for a length that exceeds the axis."""

    REFUSE = "refuse"
    """It is an error."""
    CLAMP = "clamp"
    """The whole axis."""


def as_lengths(field: str, value: Any) -> Constant:
    """Return lengths as integers. Raises InvalidTypeError or InvalidValueError for what counts no elements."""
    array = value.value if isinstance(value, Constant) else as_array(value, field)
    check_values(array.size, "the lengths")
    if array.size == 0 or np.issubdtype(array.dtype, np.floating):
        whole = array.astype(np.int64) if np.isfinite(array).all() else array
        if not np.array_equal(whole.astype(array.dtype), array) or (whole is array and array.size):
            raise invalid(field, array, "whole numbers", "a length counts elements")
        array = whole
    if array.dtype.kind not in "iu":
        raise InvalidTypeError(f"{field} has dtype {array.dtype}, allowed integers; convert it first")
    for place in np.argwhere(array < 0)[:1]:
        at = ", ".join(map(str, place.tolist()))
        raise invalid(f"{field}[{at}]", array[tuple(place)], "0 and more", "a length counts elements")
    return Constant(array)


@dataclass(frozen=True)
class ReverseSequence(Operator):
    """`out[.., t, ..] = data[.., len - 1 - t, ..]` for t < len along `time_axis`, else `data[.., t, ..]`.

    `lengths` has an axis for each of `batch_axes` and the same sizes: one length for each line. With `batch_axes=None`
    these are all axes but the time axis, and lengths may keep that as an axis of 1. Lengths of 0 and 1 change nothing.

    Raises InvalidValueError for a negative length, one beyond the axis (if `too_long` refuses), lengths of other sizes,
    or an axis that is both; InvalidTypeError for lengths that are no integers.
    """

    lengths: Annotated[Constant, as_lengths]
    time_axis: int = 0
    batch_axes: tuple[int, ...] | None = (1,)
    too_long: TooLong = TooLong.REFUSE

    @property
    def equal_is_same(self) -> bool:
        """See Operator."""
        return False

    def _check_fields(self) -> None:
        if self.batch_axes is not None and self.lengths.value.ndim != len(self.batch_axes):
            raise InvalidValueError(f"lengths has {self.lengths.value.ndim} axes, allowed {len(self.batch_axes)}: "
                                    "one for each of batch_axes")  # fmt: skip

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return data's type, which the result has; see Deferred."""
        return (given["data"],)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of data; see Operator."""
        (data,) = inputs
        if data.sizes is None:
            return (data,)
        time_axis, batch_axes, lengths = self.resolve(len(data.sizes))
        for number, axis in enumerate(batch_axes):
            if not same_size(data.sizes[axis], lengths.shape[number]):
                raise InvalidValueError(f"lengths has size {lengths.shape[number]} on axis {number}, allowed "
                                        f"{data.sizes[axis]}, the size of axis {axis} of data")  # fmt: skip
        size = data.sizes[time_axis]
        if isinstance(size, int) and self.too_long is TooLong.REFUSE:
            for place in np.argwhere(lengths > size)[:1]:
                at = ", ".join(map(str, place.tolist()))
                raise invalid(f"lengths[{at}]", lengths[tuple(place)], f"0..{size}",
                              f"axis {time_axis} of data has size {size}")  # fmt: skip
        return (data,)

    def resolve(self, ndim: int) -> tuple[int, tuple[int, ...], NDArray[Any]]:
        """Return time axis and batch axes counted from the front, and the lengths with one axis for each of these."""
        time_axis = normalized_axis(self.time_axis, ndim, field="time_axis")
        if self.batch_axes is None:
            axes = tuple(axis for axis in range(ndim) if axis != time_axis)
        else:
            axes = tuple(normalized_axis(a, ndim, field=f"batch_axes[{n}]") for n, a in enumerate(self.batch_axes))
        if len({time_axis, *axes}) != 1 + len(axes):
            raise invalid("batch_axes", list(axes), f"different axes other than {time_axis}", "that is the time axis")
        lengths = self.lengths.value
        if self.batch_axes is None and lengths.ndim == ndim and lengths.shape[time_axis] == 1:
            lengths = lengths.reshape([size for axis, size in enumerate(lengths.shape) if axis != time_axis])
        if lengths.ndim != len(axes):
            raise InvalidValueError(f"lengths has {lengths.ndim} axes, allowed {len(axes)}: all but the time axis")
        return time_axis, axes, lengths

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield two copies for each group of neighbouring lines of one length, or one gather for many groups."""
        (data,), (output,) = inputs, outputs
        if data.layout.size == 0:
            return
        time_axis, axes, given = self.resolve(data.layout.ndim)
        size = data.layout.sizes[time_axis]
        lengths = np.minimum(given.astype(np.uint64), size).astype(np.int64)
        if _group_count(lengths) > MOST_GROUPS:
            reverse = partial(_reverse, lengths=lengths, time_axis=time_axis, axes=axes)
            yield ComputeMove("reverse", reverse, (data,), output, writes=True)
            return
        for length, group in _groups(lengths):
            box = [(0, n) for n in data.layout.sizes]
            for axis, part in zip(axes, group, strict=True):
                box[axis] = part
            source, target = boxed(data.layout, box), boxed(output.layout, box)
            turned = length if length > 1 else 0
            if turned:
                yield CopyMove(data.over(source.sliced(time_axis, turned - 1, turned, -1)),
                               output.over(target.sliced(time_axis, 0, turned)))  # fmt: skip
            if turned < size:
                yield CopyMove(data.over(source.sliced(time_axis, turned, size - turned)),
                               output.over(target.sliced(time_axis, turned, size - turned)))  # fmt: skip


def _group_count(lengths: NDArray[np.int64]) -> int:
    if lengths.ndim == 0:
        return 1
    return int(np.count_nonzero(np.diff(lengths, axis=-1))) + int(np.prod(lengths.shape[:-1]))


def _groups(lengths: NDArray[np.int64]) -> Iterator[tuple[int, Box]]:
    """Yield each length with the lines that have it: neighbours along the last batch axis go together."""
    if lengths.ndim == 0:
        yield int(lengths), ()
        return
    for outer in np.ndindex(lengths.shape[:-1]):
        row = lengths[outer]
        cuts = [0, *(np.flatnonzero(np.diff(row)) + 1).tolist(), len(row)]
        for start, stop in pairwise(cuts):
            if start < stop:
                yield int(row[start]), (*((coord, 1) for coord in outer), (start, stop - start))


def _reverse(
    data: NDArray[Any], out: NDArray[Any], *, lengths: NDArray[np.int64], time_axis: int, axes: Sequence[int]
) -> None:
    """Write data to `out`, the beginning of each line turned round: by indices, some positions in time at once."""
    lines = [1] * data.ndim
    for axis, size in zip(axes, lengths.shape, strict=True):
        lines[axis] = size
    size = data.shape[time_axis]
    dtype = np.dtype(np.int32 if size <= np.iinfo(np.int32).max else np.int64)
    ends = lengths.transpose(np.argsort(axes)).reshape(lines).astype(dtype)
    step = max(1, INDICES_AT_ONCE // ends.size)
    lines_last = np.expand_dims(np.moveaxis(data, time_axis, -1), time_axis)
    for first in range(0, size, step):
        times = np.arange(first, min(first + step, size), dtype=dtype)
        times = times.reshape([-1 if axis == time_axis else 1 for axis in range(data.ndim)])
        indices: NDArray[np.integer[Any]] = np.where(times < ends, ends - 1 - times, times)
        part = out[(slice(None),) * time_axis + (slice(first, first + step),)]
        if data.dtype.hasobject:
            part[...] = np.take_along_axis(data, indices, time_axis)
            continue
        elements = np.broadcast_to(lines_last, (*part.shape, size))
        _core.gather_into(elements, np.broadcast_to(indices, part.shape)[..., None], part, 0, 0)  # all lie on the axis
