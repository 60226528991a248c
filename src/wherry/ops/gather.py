"""Gather, GatherElements and GatherND: slices along one axis, single elements, and slices at tuples of indices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Annotated, Any, ClassVar

from wherry.arguments import normalized_axis
from wherry.errors import invalid
from wherry.layout import Layout
from wherry.moves import Move, Negative, OutOfRange
from wherry.ops import indexing
from wherry.ops.indexing import Coordinate, Indexing, OffAxis
from wherry.ops.operator import Operator, at_least
from wherry.tensors import Size, TensorType, View


@dataclass(frozen=True)
class Gather(Operator):
    """`out[p.., i.., t..] = data[p.., indices[p[:batch_dims].., i..], t..]`, where the index replaces `axis`.

    Sizes: `data[:axis] + indices[batch_dims:] + data[axis + 1:]`. A negative `axis` counts from data's end, a negative
    `batch_dims` from the end of indices' axes. Inputs: data (1 axis and more), indices (any integer type, any sizes).
    """

    axis: int = 0
    batch_dims: int = 0
    out_of_range: OutOfRange = OutOfRange.RAISE
    negative: Negative = Negative.FROM_END

    input_names: ClassVar[tuple[str, ...]] = ("data", "indices")

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return the number of axes; see Deferred."""
        data, indices, batch_dims = given["data"], given["indices"], fields.get("batch_dims")
        if data.sizes is None or indices.sizes is None or batch_dims is None:
            return (data.with_sizes(None),)
        batch = batch_dims + len(indices.sizes) if batch_dims < 0 else batch_dims
        return (data.with_sizes([None] * (len(data.sizes) + len(indices.sizes) - 1 - batch)),)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        data, indices = inputs
        indexing.check_index_type(indices)
        if data.sizes is None or indices.sizes is None:
            return (data.with_sizes(None),)
        axis, batch_dims = self.resolve(len(data.sizes), len(indices.sizes))
        batch = indexing.check_batch(data.sizes, indices.sizes, batch_dims)
        indexing.check_not_empty(data, [axis], indices, self.out_of_range)
        middle = [*data.sizes[batch_dims:axis], *indices.sizes[batch_dims:]]
        return (data.with_sizes([*batch, *middle, *data.sizes[axis + 1 :]]),)

    def resolve(self, data_ndim: int, indices_ndim: int) -> tuple[int, int]:
        """Return axis and batch_dims counted from the front, checked against the ranks."""
        axis = normalized_axis(self.axis, data_ndim)
        most = min(data_ndim, indices_ndim)
        batch_dims = self.batch_dims + indices_ndim if self.batch_dims < 0 else self.batch_dims
        if not 0 <= batch_dims <= most:
            raise invalid("batch_dims", self.batch_dims, f"{-most}..{most}",
                          f"data has {data_ndim} axes, indices {indices_ndim}")  # fmt: skip
        if batch_dims > axis:
            raise invalid("batch_dims", self.batch_dims, f"up to the axis, {axis}", "batch axes lie before the axis")
        return axis, batch_dims

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one gather."""
        data, indices = inputs
        how = along_axis(data.layout, indices.layout, *self.resolve(data.layout.ndim, indices.layout.ndim))
        yield from indexing.gather(how, (data, indices, outputs[0]), self.out_of_range, self.negative, subject)


def along_axis(data: Layout, indices: Layout, axis: int, batch_dims: int) -> Indexing:
    """Return how indices along one axis address data: slices, the axes of indices in the place of the axis."""
    before = [Coordinate(data.sizes[a], a, a if a < batch_dims else None) for a in range(axis)]
    picked = [Coordinate(indices.sizes[a], None, a) for a in range(batch_dims, indices.ndim)]
    behind = [Coordinate(data.sizes[a], a, None) for a in range(axis + 1, data.ndim)]
    return Indexing((*before, *picked, *behind), (axis,))


@dataclass(frozen=True)
class GatherElements(Operator):
    """`out[c] = data[c with c[axis] replaced by indices[c]]`; the sizes of the result are those of indices.

    Inputs: data, and indices of the same number of axes. Along `axis` indices may be shorter or longer than data;
    on the others `off_axis` tells.
    """

    axis: int = 0
    out_of_range: OutOfRange = OutOfRange.RAISE
    negative: Negative = Negative.FROM_END
    off_axis: OffAxis = OffAxis.EQUAL

    input_names: ClassVar[tuple[str, ...]] = ("data", "indices")

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        data, indices = inputs
        indexing.check_index_type(indices)
        if data.sizes is not None:
            axis = normalized_axis(self.axis, len(data.sizes))
            if indices.sizes is not None:
                indexing.check_off_axis(data.sizes, indices.sizes, axis, self.off_axis)
            indexing.check_not_empty(data, [axis], indices, self.out_of_range)
        return (data.with_sizes(indices.sizes),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one gather."""
        data, indices = inputs
        how = beside(indices.layout, normalized_axis(self.axis, data.layout.ndim))
        yield from indexing.gather(how, (data, indices, outputs[0]), self.out_of_range, self.negative, subject)


def beside(indices: Layout, axis: int) -> Indexing:
    """Return how indices that lie beside data, element by element, address it along one axis."""
    coordinates = [Coordinate(size, None if a == axis else a, a) for a, size in enumerate(indices.sizes)]
    return Indexing(tuple(coordinates), (axis,))


@dataclass(frozen=True)
class GatherND(Operator):
    """`out[p.., q.., t..] = data[p.., indices[p.., q.., 0], .., indices[p.., q.., k-1], t..]`.

    p runs over `batch_dims` axes, k is the size of the last axis of indices, from 0 (whole slices), or `least_indices`,
    to what data has behind the batch axes. Sizes: `indices[:-1] + data[batch_dims + k:]`; with `merge_batch` the
    batch axes of the result are one axis (OpenVINO GatherND-5). Inputs: data, and indices of 1 axis and more.
    """

    batch_dims: Annotated[int, at_least(0)] = 0
    out_of_range: OutOfRange = OutOfRange.RAISE
    negative: Negative = Negative.FROM_END
    merge_batch: bool = False
    least_indices: Annotated[int, at_least(0)] = 0

    input_names: ClassVar[tuple[str, ...]] = ("data", "indices")

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        data, indices = inputs
        indexing.check_index_type(indices)
        ranks = [len(sizes) for sizes in (data.sizes, indices.sizes) if sizes is not None]
        if ranks and self.batch_dims and self.batch_dims >= min(ranks):
            raise invalid("batch_dims", self.batch_dims, f"0..{max(min(ranks) - 1, 0)}",
                          "data and indices both have more axes than that")  # fmt: skip
        length = indexing.tuple_length(data, indices, self.batch_dims)
        if length is not None and length < self.least_indices:
            raise invalid("size of the last axis of indices", length, f"{self.least_indices} and more")
        if length is None or data.sizes is None or indices.sizes is None:
            return (data.with_sizes(None),)
        first = self.batch_dims
        batch = indexing.check_batch(data.sizes, indices.sizes, first)
        indexing.check_not_empty(data, range(first, first + length), indices, self.out_of_range)
        head = _merged(batch) if self.merge_batch else batch
        return (data.with_sizes([*head, *indices.sizes[first:-1], *data.sizes[first + length :]]),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one gather, or a copy where there is nothing to index."""
        (data, indices), (out,) = inputs, outputs
        how = by_tuples(data.layout, indices.layout, self.batch_dims)
        if self.merge_batch and self.batch_dims:
            out = out.over(out.layout.unfolded(0, indices.layout.sizes[: self.batch_dims]))
        yield from indexing.gather(how, (data, indices, out), self.out_of_range, self.negative, subject)


def by_tuples(data: Layout, indices: Layout, batch_dims: int) -> Indexing:
    """Return how tuples of indices, in the last axis of their tensor, address slices of data."""
    first = batch_dims + indices.sizes[-1]
    coordinates = [
        *(Coordinate(size, a if a < batch_dims else None, a) for a, size in enumerate(indices.sizes[:-1])),
        *(Coordinate(data.sizes[a], a, None) for a in range(first, data.ndim)),
    ]
    return Indexing(tuple(coordinates), tuple(range(batch_dims, first)), tuples=True)


def _merged(batch: Sequence[Size]) -> tuple[Size, ...]:
    """Return one size for several axes, and none for none."""
    numbers = [size for size in batch if isinstance(size, int)]
    if not batch:
        return ()
    return (prod(numbers) if len(numbers) == len(batch) else None,)
