"""Guards that correct bad numbers before operators: legal inputs keep their answers bit for bit.

A graph cannot refuse an index on every runtime. So an index that the operator refuses gets an answer here that all
runtimes give: of a gather the nearest end of the axis, or a zero; a scatter leaves the update out.

For zeros, and for updates that are left out, data get one position more behind each axis that is chosen from, to which
bad indices are sent; a Where on the result would lose the sign of zeros in some runtimes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.arguments import normalized_axis
from wherry.moves import Negative, OutOfRange, OutOfRangeWrite
from wherry.ops import (
    Binary,
    BinaryFunction,
    Cast,
    Compare,
    Concat,
    Gather,
    GatherElements,
    GatherND,
    Operator,
    Relation,
    Reshape,
    ScatterElements,
    ScatterND,
    ScatterUpdate,
    ShapeOf,
    Slice,
    Unary,
    UnaryFunction,
    Where,
    Window,
    Zero,
)
from wherry.ops.conversion import integer_range
from wherry.rewrite.builder import NodeBuilder, Rewrite, StuckError
from wherry.rewrite.inside_pads import PADS_INSIDE
from wherry.rewrite.inside_values import VALUES_INSIDE, clipped, narrowed

Array = NDArray[Any]

_INT32, _INT64 = dtypes.find("int32"), dtypes.find("int64")
_LEAST, _MOST = integer_range(_INT32)

GATHERS = (Gather, GatherElements, GatherND)
SCATTERS = (ScatterElements, ScatterND, ScatterUpdate)


class BadIndex(StrEnum):
    """The element that a gather reads for an index that the model refuses."""

    CLAMP = "clamp"
    """The nearest end of the axis; one that does not fit 32 bits is cut to them first."""
    ZERO = "zero"


@dataclass(frozen=True)
class _Sizes:
    """The sizes of the axes that indices choose from, as integers of one type: numbers, or a tensor of them."""

    builder: NodeBuilder
    dtype: np.dtype[Any]
    numbers: Array | None
    tensor: str = ""

    def plus(self, more: int, factor: int = 1) -> str:
        """Return the tensor of `factor * sizes + more`, where the factor is 1 or -1."""
        if self.numbers is not None:
            return self.builder.constant(np.asarray(factor * self.numbers + more, self.dtype), "bound")
        found = self.tensor if factor == 1 else self.builder.add(Unary(UnaryFunction.NEGATIVE), self.tensor)
        return self.builder.add(_ADD, found, self.number(more)) if more else found

    def number(self, value: int) -> str:
        """Return a constant of the same type."""
        return self.builder.constant(np.array(value, self.dtype), "number")


_ADD = Binary(BinaryFunction.ADD)


def _inside(builder: NodeBuilder, bad_index: BadIndex, from_front: bool) -> str | None:
    """Let only indices through that lie inside their axes, or at the position that is put behind them."""
    operator, (data, indices, *others) = builder.operator, builder.inputs
    row = builder.type(indices).row
    axes = _indexed(builder)
    answer = _answer(operator, bad_index)
    if row is None or not row.is_integer or not axes or answer is None or row.name == "uint64":
        return None
    is_refused = operator.out_of_range in (OutOfRange.RAISE, OutOfRangeWrite.RAISE)
    if is_refused and row.name == "uint32":  # cut to a negative number, a bad index might count from the end
        return None
    cut = narrowed(builder, indices) if is_refused else _widened(builder, indices)
    sizes = _sizes(builder, data, axes, cut)
    from_end = operator.negative is Negative.FROM_END and row.kind == "int"
    if answer is OutOfRange.CLAMP:
        return _use(builder, data, _nearest(sizes, cut, from_end, from_front), others, row)
    is_read = isinstance(operator, GATHERS)
    checked, longer = _behind(sizes, cut, from_end, from_front), data
    for axis in axes:
        longer = _one_more(builder, longer, axis, is_zero=is_read)
    found = _use(builder, longer, checked, others, row)
    return found if is_read else _cut_off(builder, found, data, axes)


def _nearest(sizes: _Sizes, indices: str, from_end: bool, from_front: bool) -> str:
    """Return indices with bad ones replaced by the nearest end."""
    builder = sizes.builder
    low = sizes.plus(0, -1) if from_end else sizes.number(0)
    found = clipped(builder, indices, low, sizes.plus(-1))
    if from_end and from_front:
        found = _choose_if_negative(found, builder.add(_ADD, found, sizes.plus(0)), sizes)
    return found


def _behind(sizes: _Sizes, indices: str, from_end: bool, from_front: bool) -> str:
    """Return indices that count from the front, with bad ones replaced by the position behind the end.

    That is the size, or -1 where that counts from the end.
    """
    builder = sizes.builder
    low = sizes.plus(-1, -1) if from_end else sizes.number(-1)
    found = clipped(builder, indices, low, sizes.plus(0))
    front = builder.add(_ADD, found, sizes.plus(0)) if from_end else sizes.plus(0)
    found = _choose_if_negative(found, front, sizes)
    return _choose_if_negative(found, sizes.plus(0), sizes) if from_end and from_front else found


def _answer(operator: Any, bad_index: BadIndex) -> OutOfRange | None:
    """Return what a bad index does behind the guard: by the operator's own rule, if that is not to refuse it."""
    rule = operator.out_of_range
    if isinstance(operator, SCATTERS):
        return {OutOfRangeWrite.CLAMP: OutOfRange.CLAMP, OutOfRangeWrite.WRAP: None}.get(rule, OutOfRange.ZERO)
    if rule is OutOfRange.RAISE:
        return OutOfRange(bad_index)
    return None if rule is OutOfRange.WRAP else OutOfRange(rule)


def _indexed(builder: NodeBuilder) -> range:
    """Return the axes of data that indices choose from. Raises StuckError where they are not known."""
    operator, (data, indices, *_) = builder.operator, builder.inputs
    ndim, picked = builder.type(data).ndim, builder.type(indices).sizes
    if ndim is None or picked is None:
        raise StuckError
    if isinstance(operator, ScatterUpdate) and (operator.window is not Window.NONE or operator.batch_dims):
        raise StuckError
    if isinstance(operator, GatherND | ScatterND):
        first, count = getattr(operator, "batch_dims", 0), picked[-1]
        if not isinstance(count, int):
            raise StuckError
        return range(first, first + count)
    axis = normalized_axis(operator.axis, ndim)
    return range(axis, axis + 1)


def _widened(builder: NodeBuilder, indices: str) -> str:
    """Return indices in a type that holds them all, and the size of an axis."""
    is_wide = builder.type(indices).row in (_INT32, _INT64)
    return indices if is_wide else builder.add(Cast(_INT64), indices)


def _sizes(builder: NodeBuilder, data: str, axes: range, indices: str) -> _Sizes:
    """Return the sizes of some axes in the type of the indices, to which they broadcast."""
    kind, sizes = builder.type(indices), builder.type(data).sizes
    assert sizes is not None
    dtype = np.dtype(kind.numpy)
    chosen = [size for size in sizes[axes.start : axes.stop] if isinstance(size, int)]
    if not all(0 < size < _MOST for size in chosen):  # of no positions every index is bad
        raise StuckError
    if len(chosen) == len(axes):
        numbers = np.array(chosen if len(set(chosen)) > 1 else chosen[0], np.int64)
        return _Sizes(builder, dtype, numbers)
    found = builder.add(ShapeOf(axes.start, axes.stop), data)
    if builder.type(found).row != kind.row:
        assert kind.row is not None
        found = builder.add(Cast(kind.row), found)
    if not kind.ndim:
        found = builder.add(Reshape((), Zero.LITERAL), found)
    return _Sizes(builder, dtype, None, found)


def _choose_if_negative(name: str, other: str, sizes: _Sizes) -> str:
    """Return a tensor with negative numbers replaced by those of another one."""
    builder = sizes.builder
    return builder.add(Where(), builder.add(Compare(Relation.LESS), name, sizes.number(0)), other, name)


def _one_more(builder: NodeBuilder, data: str, axis: int, is_zero: bool) -> str:
    """Return data with one position more behind an axis: of zeros, or like the first."""
    kind = builder.type(data)
    sizes = kind.with_sizes([*(kind.sizes or ())[:axis], 1, *(kind.sizes or ())[axis + 1 :]])
    if not is_zero:
        more = builder.add(Slice((0,), (1,), (axis,), (1,)), data)
    elif sizes.is_known and not kind.numpy.hasobject:
        builder.check_places(*sizes.shape)
        more = builder.constant(np.zeros(sizes.shape, kind.numpy), "zeros")
    else:
        raise StuckError
    return builder.add(Concat(axis), data, more)


def _cut_off(builder: NodeBuilder, found: str, data: str, axes: range) -> str:
    """Return a tensor without the last position of some axes."""
    sizes = builder.type(data).sizes or ()
    ends = tuple(size if isinstance(size, int) else -1 for size in sizes[axes.start : axes.stop])
    return builder.add(Slice((0,) * len(axes), ends, tuple(axes), (1,) * len(axes)), found)


def _use(builder: NodeBuilder, data: str, indices: str, others: Sequence[str], row: dtypes.DType) -> str:
    """Return the result of the operator by these indices, in their first type where it takes no other."""
    operator: Operator = builder.operator
    if builder.type(indices).row != row:
        found = builder.add_directly(operator, data, indices, *others)
        if found is not None:
            return found
        indices = builder.add(Cast(row), indices)
    return builder.add(operator, data, indices, *others)


def inside(bad_index: BadIndex = BadIndex.CLAMP, from_front: bool = False) -> tuple[Rewrite, ...]:
    """Return the rows by which bad numbers are kept from operators; see `INSIDE`.

    With `from_front` indices are not negative behind the guard: for targets that do not count from the end.
    """
    build = partial(_inside, bad_index=bad_index, from_front=from_front)
    return (
        Rewrite(GATHERS, "indices are integers, an axis has fewer than 2**31 positions",
                "Cast of the indices to int32, Clip, the same; for zeros Concat of data and a zero, Clip, Where, the "
                "same", "the indices lie inside their axes", build),
        Rewrite(SCATTERS, "indices are integers, an axis has fewer than 2**31 positions",
                "Concat of data and a position more, Cast of the indices to int32, Clip, Where, the same, Slice",
                "bad updates go to the position behind the axis, which is cut off", build),
        *VALUES_INSIDE,
        *PADS_INSIDE,
    )  # fmt: skip


INSIDE = inside()
"""The rows of guards by which a model gives legal answers bit for bit, and one fixed answer for each bad number."""
