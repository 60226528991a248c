"""Shared by gathers and scatters: checks of index types and sizes, and their views in one general form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from wherry.errors import InvalidTypeError, InvalidValueError, invalid
from wherry.layout import Layout
from wherry.moves import CheckMove, CopyMove, GatherMove, Move, Negative, OutOfRange
from wherry.ops.operator import known, same_size
from wherry.tensors import Size, TensorType, View, is_integer


class OffAxis(StrEnum):
    """Which sizes an index tensor of elements may have on the axes that it does not index."""

    EQUAL = "equal"
    """Those of data."""
    AT_MOST = "at_most"
    """Those of data, or smaller."""


@dataclass(frozen=True)
class Coordinate:
    """One axis of c, the coordinates that a gather or scatter runs over: which axis of data and of indices it is."""

    size: int
    data: int | None
    indices: int | None


@dataclass(frozen=True)
class Indexing:
    """How indices address data: the axes of c, then the axes of data that are indexed.

    With `tuples` the last axis of indices holds one index for each of `indexed`. `sizes` are the numbers of
    positions on the indexed axes, those of data if not given; `limits` what an index must be below, if not these;
    `reason` ends the error of one that is not.
    """

    coordinates: tuple[Coordinate, ...]
    indexed: tuple[int, ...]
    tuples: bool = False
    sizes: tuple[int, ...] | None = None
    limits: tuple[int, ...] | None = None
    reason: str | None = None

    @property
    def kept(self) -> tuple[int, ...]:
        """The axes of c that are longer than 1, or empty; the others move nothing."""
        return tuple(number for number, coordinate in enumerate(self.coordinates) if coordinate.size != 1)

    def over_data(self, layout: Layout) -> Layout:
        """Return the layout of data as a move wants it: axes as those of c, then the indexed ones."""
        coordinates = [self.coordinates[number] for number in self.kept]
        sizes = [coordinate.size for coordinate in coordinates]
        return layout.spread(
            (*sizes, *self.positions(layout)), (*(coordinate.data for coordinate in coordinates), *self.indexed)
        )

    def over_indices(self, layout: Layout) -> Layout:
        """Return the layout of indices as a move wants it: axes as those of c, then the columns."""
        coordinates = [self.coordinates[number] for number in self.kept]
        column = layout.ndim - 1 if self.tuples else None
        return layout.spread(
            (*(coordinate.size for coordinate in coordinates), len(self.indexed)),
            (*(coordinate.indices for coordinate in coordinates), column),
        )

    def over_coordinates(self, layout: Layout) -> Layout:
        """Return the layout of a tensor with the axes of c as a move wants it."""
        return layout.spread([self.coordinates[number].size for number in self.kept], self.kept)

    def positions(self, layout: Layout) -> tuple[int, ...]:
        """Return the number of positions on each indexed axis."""
        return self.sizes or tuple(layout.sizes[axis] for axis in self.indexed)

    def check(self, data: View, indices: View, negative: Negative, subject: str, *, warns: bool = False) -> CheckMove:
        """Return the check of all indices."""
        sizes = self.limits or self.positions(data.layout)
        reasons = tuple(
            self.reason or f"axis {axis} of data has size {data.layout.sizes[axis]}" for axis in self.indexed
        )
        return CheckMove(indices, sizes, self.tuples, negative, reasons, subject, warns)


def gather(
    indexing: Indexing, views: tuple[View, View, View], out_of_range: OutOfRange, negative: Negative, subject: str
) -> Iterator[Move]:
    """Yield the moves of a gather; views are data, indices, and a target with the axes of c."""
    data, indices, target = views
    if not indexing.indexed:
        source = data.over(indexing.over_data(data.layout))
        yield CopyMove(source, target.over(indexing.over_coordinates(target.layout)))
        return
    if out_of_range is OutOfRange.RAISE:
        yield indexing.check(data, indices, negative, subject)
    yield GatherMove(
        data.over(indexing.over_data(data.layout)),
        indices.over(indexing.over_indices(indices.layout)),
        target.over(indexing.over_coordinates(target.layout)),
        out_of_range,
        negative,
    )


def check_index_type(indices: TensorType) -> None:
    """Refuse a tensor that cannot hold indices."""
    if not is_integer(indices.dtype):
        raise InvalidTypeError(
            f"indices has dtype {indices.dtype}, allowed int8..int64, uint8..uint64; convert it first"
        )


def check_not_empty(data: TensorType, axes: Sequence[int], indices: TensorType, rule: str, verb: str = "read") -> None:
    """Refuse clamp and wrap on an axis without positions, unless there is no index."""
    if rule not in ("clamp", "wrap") or data.sizes is None or not indices.is_known or 0 in indices.shape:
        return
    for axis in axes:
        if data.sizes[axis] == 0:
            raise invalid(f"size of axis {axis} of data", 0, "1 and more", f"{rule} has no element to {verb} there")


def check_batch(data: Sequence[Size], indices: Sequence[Size], batch_dims: int) -> tuple[Size, ...]:
    """Return the sizes of the batch axes; refuse those that differ."""
    for number in range(batch_dims):
        if not same_size(data[number], indices[number]):
            raise InvalidValueError(
                f"indices has size {indices[number]} on axis {number}, allowed {data[number]}: "
                f"the first {batch_dims} axes are batch axes and equal those of data"
            )
    return tuple(known(a, b) for a, b in zip(data[:batch_dims], indices, strict=False))


def check_off_axis(data: Sequence[Size], indices: Sequence[Size], axis: int, rule: OffAxis) -> None:
    """Refuse an index tensor of elements that does not lie beside data: another rank, or too large off the axis."""
    if len(indices) != len(data):
        raise InvalidValueError(f"indices has {len(indices)} axes, allowed {len(data)}, as many as data")
    for number, (size, most) in enumerate(zip(indices, data, strict=True)):
        if number == axis or same_size(size, most):
            continue
        if rule is OffAxis.EQUAL:
            raise invalid(
                f"size of axis {number} of indices", size, str(most), f"only axis {axis} may differ from data"
            )
        if isinstance(size, int) and isinstance(most, int) and size > most:
            raise invalid(f"size of axis {number} of indices", size, f"up to {most}", "data has that size")


def tuple_length(data: TensorType, indices: TensorType, batch_dims: int) -> int | None:
    """Return how many axes of data each tuple of indices addresses, or None while sizes are unknown.

    Raises InvalidValueError for indices without an axis, or tuples longer than data has axes behind the batch axes.
    """
    if indices.sizes is None:
        return None
    if not indices.sizes:
        raise InvalidValueError("indices is a scalar, allowed 1 axis and more: the last one holds the tuples")
    length = indices.sizes[-1]
    if data.sizes is None or not isinstance(length, int):
        return None
    most = len(data.sizes) - batch_dims
    if length > most:
        behind = f" behind {batch_dims} batch axes" if batch_dims else ""
        raise invalid(
            f"size of axis {len(indices.sizes) - 1} of indices", length, f"0..{most}",
            f"data has {len(data.sizes)} axes, so {most} can be indexed{behind}",
        )  # fmt: skip
    return length
