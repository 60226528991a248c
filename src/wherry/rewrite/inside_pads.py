"""The guard of pads that crop: a Pad with the pads above 0, then a Slice that removes the rest.

It takes away no more than there is, where cropping more is refused, or touches foreign memory: an axis is left empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.graph import Deferred
from wherry.ops import (
    Cast,
    Compare,
    Pad,
    PadMode,
    Relation,
    Slice,
    Split,
    Unary,
    UnaryFunction,
    Where,
    pad_of_pairs,
)
from wherry.ops.conversion import integer_range
from wherry.rewrite.builder import NodeBuilder, Rewrite, StuckError
from wherry.rewrite.inside_values import MAXIMUM, clipped, narrowed, number, waiting, with_fields
from wherry.rewrite.known import changed

Array = NDArray[Any]

_, _MOST = integer_range(dtypes.find("int32"))


def _cropped(builder: NodeBuilder) -> str | None:
    """Pad by pads that are not negative, and take away afterwards what the others crop."""
    if builder.known.field("mode") not in (None, PadMode.CONSTANT, PadMode.EDGE):
        return None  # mirrors of what a crop has left are others
    axes = _axes(builder)
    if not axes:
        return None
    names = ("pads",) if builder.known.maker is pad_of_pairs else ("begins", "ends")
    values = [_value(builder, name) for name in names]
    known = [value for value in values if value is not None]
    if len(known) == len(names):
        return _by_constants(builder, names, known, axes)
    return _by_tensors(builder, names, axes)


def _axes(builder: NodeBuilder) -> tuple[int, ...]:
    """Return the axes that are padded; none where they, or how many there are, is known at run only."""
    operator = builder.operator
    is_read = isinstance(operator, Deferred) and "axes" in dict(operator.from_inputs)
    given = builder.value(waiting(builder, "axes")) if is_read else builder.known.field("axes")
    if given is not None:
        return tuple(np.asarray(given, np.int64).reshape(-1).tolist())
    return () if is_read else tuple(range(builder.type(builder.inputs[0]).ndim or 0))


def _value(builder: NodeBuilder, name: str) -> Array | None:
    """Return pads that are constants: a field of the operator, or an input."""
    field = builder.known.field(name)
    return np.asarray(field, np.int64) if field is not None else builder.value(waiting(builder, name))


def _by_constants(
    builder: NodeBuilder, names: Sequence[str], values: Sequence[Array], axes: tuple[int, ...]
) -> str | None:
    begins, ends = np.split(values[0], 2) if len(values) == 1 else values
    if not (np.concatenate([begins, ends]) < 0).any():
        return None
    longer = builder.add(*_padded(builder, names, [np.maximum(value, 0) for value in values]))
    starts, stops = np.maximum(-begins, 0), np.where(ends < 0, ends, _MOST)
    return builder.add(Slice(tuple(starts.tolist()), tuple(stops.tolist()), axes, (1,) * len(axes)), longer)


def _padded(builder: NodeBuilder, names: Sequence[str], values: Sequence[Array]) -> tuple[Any, ...]:
    """Return the operator with other constants for its pads, and its inputs."""
    if not isinstance(builder.operator, Deferred):
        pads = {name: tuple(value.tolist()) for name, value in zip(names, values, strict=True)}
        return changed(builder.operator, **pads), *builder.inputs
    kept = {name: builder.constant(value, "pads") for name, value in zip(names, values, strict=True)}
    return builder.operator, *with_fields(builder, kept)


def _by_tensors(builder: NodeBuilder, names: Sequence[str], axes: tuple[int, ...]) -> str:
    count = len(axes)
    short = {name: _in_32_bits(builder, waiting(builder, name), count * 2 // len(names)) for name in names}
    first = next(iter(short.values()))
    zero = number(builder, first, 0)
    kept = {name: builder.add(MAXIMUM, one, zero) for name, one in short.items()}
    longer = builder.add(builder.operator, *with_fields(builder, kept))
    begins, ends = builder.add_all(Split(0, sizes=(count, count)), first) if len(names) == 1 else short.values()
    starts = builder.add(MAXIMUM, builder.add(Unary(UnaryFunction.NEGATIVE), begins), zero)
    is_cropped = builder.add(Compare(Relation.LESS), ends, zero)
    stops = builder.add(Where(), is_cropped, ends, number(builder, first, _MOST))
    fields = (("axes", axes), ("steps", (1,) * count))
    return builder.add(Deferred(Slice, fields, (("starts", 1), ("ends", 2))), longer, starts, stops)


def _in_32_bits(builder: NodeBuilder, pads: str, count: int) -> str:
    """Return pads, so many, with numbers whose negative has 32 bits too, in which some runtimes hold them."""
    if builder.type(pads).sizes != (count,):
        raise StuckError
    short, row = narrowed(builder, pads), builder.type(pads).row
    low, high = (number(builder, short, end) for end in (-_MOST, _MOST))
    short = clipped(builder, short, low, high)
    return short if row is None or builder.type(short).row == row else builder.add(Cast(row), short)


PADS_INSIDE = (
    Rewrite((pad_of_pairs, Pad), "the mode is constant or edge, axes are known; of pads that are tensors the length",
            "Pad, Slice; for tensors Cast to int32, Clip, Cast back, Max, Pad, Split, Neg, Max, Less, Where, Slice",
            "a Slice takes away no more than there is", _cropped, deferred=True),
)  # fmt: skip
"""The row of the guard of pads."""
