"""Scatters: data with updates written to, or combined with, the elements at indices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from wherry.arguments import normalized_axis
from wherry.errors import InvalidTypeError, InvalidValueError, invalid
from wherry.layout import LIMIT, Layout
from wherry.moves import (
    ARITHMETIC,
    CopyMove,
    DistinctMove,
    Duplicates,
    Move,
    NanRule,
    Negative,
    OutOfRangeWrite,
    Reduction,
    ScatterMove,
)
from wherry.ops import indexing
from wherry.ops.gather import along_axis, beside, by_tuples
from wherry.ops.indexing import Coordinate, Indexing, OffAxis
from wherry.ops.operator import Operator, at_least, known, same_size
from wherry.tensors import Size, TensorType, View

_UNORDERED = {Reduction.MIN: ("complex64", "complex128"), Reduction.MAX: ("complex64", "complex128"),
              Reduction.MEAN: ("bool", "complex64", "complex128")}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Scatter(Operator):
    """What all scatters share: `out = data`, then updates in row-major order, each combined with its element.

    `use_init_val=False` drops what data holds at each element that an update goes to: it starts from 0 (add, sub,
    mean), 1 (mul), or the end of the type's range (min, max; infinity for floats). Without a reduction it means
    nothing, as `duplicates` does with one.
    """

    reduction: Reduction = Reduction.NONE
    use_init_val: bool = True
    nan: NanRule = NanRule.PROPAGATE
    out_of_range: OutOfRangeWrite = OutOfRangeWrite.RAISE
    negative: Negative = Negative.FROM_END
    duplicates: Duplicates = Duplicates.LAST

    input_names: ClassVar[tuple[str, ...]] = ("data", "indices", "updates")

    def check_types(self, data: TensorType, indices: TensorType | None, updates: TensorType) -> None:
        """Refuse element types that do not fit together, or that the reduction does not take."""
        if indices is not None:
            indexing.check_index_type(indices)
        if updates.dtype != data.dtype:
            raise InvalidTypeError(f"updates has dtype {updates.dtype}, allowed {data.dtype}, that of data; convert it")
        if self.reduction is Reduction.NONE:
            return
        row = data.row
        allowed = [name for name in ARITHMETIC if name not in _UNORDERED.get(self.reduction, ())]
        if row is None or row.name not in allowed or not data.numpy.isnative:
            raise InvalidTypeError(
                f"data has dtype {data.dtype}, allowed {', '.join(allowed)} for the reduction {self.reduction}"
            )

    def check_updates(self, updates: TensorType, expected: Sequence[Size]) -> None:
        """Refuse updates of other sizes than these."""
        if updates.sizes is None:
            return
        fits = len(updates.sizes) == len(expected) and all(map(same_size, updates.sizes, expected))
        if not fits:
            shown = ", ".join("?" if size is None else str(size) for size in expected)
            raise InvalidValueError(f"updates has sizes {list(updates.sizes)}, allowed [{shown}]")

    def moves(
        self,
        how: Indexing,
        views: tuple[View, View, View, View],
        subject: str,
        *,
        advance: int | None = None,
        settled: OutOfRangeWrite | None = None,
    ) -> Iterator[Move]:
        """Yield checks, the copy of data, and the scatter; views are data, indices, updates and the output.

        `advance` is the axis of c whose coordinate is added to the index; `settled` the rule behind the check.
        """
        data, indices, updates, output = views
        columns = indices.over(how.over_indices(indices.layout))
        target = output.over(how.over_data(output.layout))
        within = None if advance is None or advance not in how.kept else how.kept.index(advance)
        if how.indexed and self.out_of_range in (OutOfRangeWrite.RAISE, OutOfRangeWrite.REPORT):
            warns = self.out_of_range is OutOfRangeWrite.REPORT
            yield how.check(data, indices, self.negative, subject, warns=warns)
        if self.duplicates is Duplicates.RAISE and self.reduction is Reduction.NONE:
            rule = settled or self.out_of_range
            yield DistinctMove(target, columns, updates.layout.sizes, rule, self.negative, subject, within)
        yield CopyMove(data, output)
        yield ScatterMove(
            target,
            columns,
            updates.over(how.over_coordinates(updates.layout)),
            self.reduction,
            self.use_init_val,
            self.nan,
            settled or self.out_of_range,
            self.negative,
            within,
        )


@dataclass(frozen=True)
class ScatterElements(Scatter):
    """`out = data; out[c with c[axis] replaced by indices[c]] = reduction(.., updates[c])`.

    Inputs: data, indices and updates, all of the same number of axes; updates has the sizes of indices. Along `axis`
    they may be shorter or longer than data; on the others `off_axis` tells.
    """

    axis: int = 0
    off_axis: OffAxis = OffAxis.EQUAL

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return data's type, which the result has; see Deferred."""
        return (given["data"],)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of data; see Operator."""
        data, indices, updates = inputs
        self.check_types(data, indices, updates)
        if indices.sizes is not None:
            self.check_updates(updates, indices.sizes)
        if data.sizes is not None:
            axis = normalized_axis(self.axis, len(data.sizes))
            if indices.sizes is not None:
                indexing.check_off_axis(data.sizes, indices.sizes, axis, self.off_axis)
            indexing.check_not_empty(data, [axis], indices, self.out_of_range, "write")
        return (data,)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield the copy of data and one scatter."""
        data, indices, updates = inputs
        how = beside(indices.layout, normalized_axis(self.axis, data.layout.ndim))
        yield from self.moves(how, (data, indices, updates, outputs[0]), subject)


@dataclass(frozen=True)
class ScatterND(Scatter):
    """`out = data; out[indices[q.., 0], .., indices[q.., k-1], t..] = reduction(.., updates[q.., t..])`.

    k is the size of the last axis of indices, from 0 (each row is the whole of data) to the rank of data; updates has
    the sizes `indices[:-1] + data[k:]`. With `one_of_any_rank` updates that should be a scalar may be one element with
    any number of axes (OpenVINO ScatterNDUpdate). Inputs: data, indices (1 axis and more), updates.
    """

    one_of_any_rank: bool = False

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of data; see Operator."""
        data, indices, updates = inputs
        self.check_types(data, indices, updates)
        length = indexing.tuple_length(data, indices, 0)
        if length is not None and data.sizes is not None and indices.sizes is not None:
            expected = (*indices.sizes[:-1], *data.sizes[length:])
            if not (self.one_of_any_rank and not expected and _is_one(updates)):
                self.check_updates(updates, expected)
            indexing.check_not_empty(data, range(length), indices, self.out_of_range, "write")
        return (data,)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield the copy of data and one scatter."""
        data, indices, updates = inputs
        how = by_tuples(data.layout, indices.layout, 0)
        if len(how.coordinates) != updates.layout.ndim:
            updates = updates.over(Layout((), offset=updates.layout.offset))
        yield from self.moves(how, (data, indices, updates, outputs[0]), subject)


class Window(StrEnum):
    """What one index of a ScatterUpdate addresses on its axis."""

    NONE = "none"
    """One position."""
    LINEAR = "linear"
    """So many positions as updates has there, the index being the first; all lie on the axis."""
    CIRCULAR = "circular"
    """So many positions as updates has there, the index being the first; behind the last comes position 0."""


@dataclass(frozen=True)
class ScatterUpdate(Scatter):
    """`out = data; out[p.., indices[p[:batch_dims].., i..], t..] = reduction(.., updates[p.., i.., t..])`.

    The inverse of Gather: updates has the sizes `data[:axis] + indices[batch_dims:] + data[axis + 1:]`.
    With a `window` of S positions there is one index for each batch (`indices` has batch_dims axes, negative is
    `invalid`), updates has the sizes of data but S on `axis`, and
    `out[p.., indices[p[:batch_dims]..] + s, t..] = reduction(.., updates[p.., s, t..])`; circular: modulo the axis.
    Inputs: data, indices, updates; with a window indices may be missing, and all are 0.
    """

    axis: int = 0
    batch_dims: Annotated[int, at_least(0)] = 0
    window: Window = Window.NONE

    def _check_fields(self) -> None:
        if self.window is Window.NONE:
            return
        if self.negative is not Negative.INVALID:
            raise invalid(
                "negative", repr(str(self.negative)), "'invalid'", "a window begins at a position of its axis"
            )
        allowed = [rule for rule in OutOfRangeWrite if rule is not OutOfRangeWrite.WRAP]
        if self.window is Window.CIRCULAR:
            allowed = [OutOfRangeWrite.RAISE]
        if self.out_of_range not in allowed:
            raise invalid("out_of_range", repr(str(self.out_of_range)), ", ".join(repr(str(rule)) for rule in allowed),
                          f"the window is {self.window}")  # fmt: skip

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return data's type, which the result has; see Deferred."""
        return (given["data"],)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of data; see Operator."""
        data, updates = inputs[0], inputs[-1]
        indices = inputs[1] if len(inputs) > 2 else None
        if indices is None and self.window is Window.NONE:
            raise InvalidValueError("indices is missing, allowed to be so only with a window")
        if indices is None and self.reduction is not Reduction.NONE:
            raise InvalidValueError(f"indices is missing, needed for the reduction {self.reduction}; give zeros")
        self.check_types(data, indices, updates)
        if data.sizes is None:
            return (data,)
        axis = normalized_axis(self.axis, len(data.sizes))
        if self.batch_dims > axis:
            raise invalid("batch_dims", self.batch_dims, f"up to the axis, {axis}", "batch axes lie before the axis")
        if indices is None or indices.sizes is None:
            middle = None
        else:
            middle = self._middle(data.sizes, indices.sizes)
            indexing.check_not_empty(data, [axis], indices, self.out_of_range, "write")
        if self.window is not Window.NONE:
            middle = (self._window_size(data.sizes, updates.sizes, axis),)
        if middle is not None:
            self.check_updates(updates, (*data.sizes[:axis], *middle, *data.sizes[axis + 1 :]))
        return (data,)

    def _middle(self, data: Sequence[Size], indices: Sequence[Size]) -> tuple[Size, ...]:
        """Return the sizes of updates in the place of the axis, without a window."""
        if len(indices) < self.batch_dims:
            raise InvalidValueError(
                f"indices has {len(indices)} axes, allowed {self.batch_dims} and more: the batch axes"
            )
        if self.window is not Window.NONE and len(indices) != self.batch_dims:
            raise InvalidValueError(
                f"indices has {len(indices)} axes, allowed {self.batch_dims}: one window for each batch"
            )
        indexing.check_batch(data, indices, self.batch_dims)
        return tuple(indices[self.batch_dims :])

    @staticmethod
    def _window_size(data: Sequence[Size], updates: Sequence[Size] | None, axis: int) -> Size:
        if updates is None or len(updates) != len(data):
            return None
        size, most = updates[axis], data[axis]
        if isinstance(size, int) and isinstance(most, int) and size > most:
            raise invalid(f"size of axis {axis} of updates", size, f"0..{most}", "data has that size")
        return known(size, None)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield the copy of data and one scatter."""
        data, updates, (out,) = inputs[0], inputs[-1], outputs
        axis = normalized_axis(self.axis, data.layout.ndim)
        if self.window is Window.NONE:
            how = along_axis(data.layout, inputs[1].layout, axis, self.batch_dims)
            yield from self.moves(how, (data, inputs[1], updates, out), subject)
        elif len(inputs) > 2:
            yield from self._windows(axis, (data, inputs[1], updates, out), subject)
        else:
            yield from self._at_the_start(axis, data, updates, out)

    def _windows(self, axis: int, views: tuple[View, View, View, View], subject: str) -> Iterator[Move]:
        """One window for each batch: linear ones are slices, circular ones go position by position."""
        data, _, updates, _ = views
        most, size = data.layout.sizes[axis], updates.layout.sizes[axis]
        linear = self.window is Window.LINEAR
        coordinates = [
            Coordinate(size, axis if linear else None, None)
            if a == axis
            else Coordinate(data.layout.sizes[a], a, a if a < self.batch_dims else None)
            for a in range(data.layout.ndim)
        ]
        positions = most - size + 1 if linear else most
        reason = f"axis {axis} of data has size {most}, updates {size}; the window is {self.window}"
        how = Indexing(
            tuple(coordinates), (axis,), sizes=(positions,), limits=(positions if linear else LIMIT,), reason=reason
        )
        if linear:
            yield from self.moves(how, views, subject)
        else:
            yield from self.moves(how, views, subject, advance=axis, settled=OutOfRangeWrite.WRAP)

    def _at_the_start(self, axis: int, data: View, updates: View, output: View) -> Iterator[Move]:
        yield CopyMove(data, output)
        yield CopyMove(updates, output.over(output.layout.sliced(axis, 0, updates.layout.sizes[axis])))


def _is_one(updates: TensorType) -> bool:
    return updates.is_known and set(updates.shape) <= {1}
