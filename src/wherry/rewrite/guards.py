"""Guards that raise errors at run: bad values give sizes for which a Reshape fails.

OpenVINO has no operation that refuses. Its CPU plugin checks the sizes of a Reshape at run, unless it drops it, as it
does from one axis to one; so the checked tensor gets one axis more, of size 1, which is 2 where a value is bad.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from wherry import dtypes
from wherry.arguments import normalized_axis
from wherry.graph import Deferred
from wherry.moves import Negative, OutOfRange, OutOfRangeWrite
from wherry.ops import (
    BelowZero,
    Binary,
    BinaryFunction,
    Cast,
    Compare,
    Concat,
    Gather,
    GatherElements,
    GatherND,
    Overcrop,
    Reduce,
    ReduceFunction,
    Relation,
    Reshape,
    ScatterElements,
    ScatterND,
    ScatterUpdate,
    ShapeOf,
    Split,
    Tile,
    Unary,
    UnaryFunction,
    Undetermined,
    Zero,
    pad_of_pairs,
)
from wherry.ops.split import split_by_sizes
from wherry.rewrite.builder import NodeBuilder, Rewrite, StuckError
from wherry.rewrite.known import changed

_INT64 = dtypes.find("int64")
_INDEXED = (Gather, GatherElements, GatherND, ScatterElements, ScatterND, ScatterUpdate)


def _indices_checked(builder: NodeBuilder) -> str | None:
    """Let indices through only if all lie inside their axes, then use them by whichever rule the target has."""
    known, operator = builder.known, builder.operator
    row = None if known.indices is None else known.indices.row
    rule = known.field("out_of_range")
    if row is None or not row.is_integer or row.name == "uint64" or rule.value != "raise":
        return None
    data, indices, *others = builder.inputs
    sizes = _indexed_sizes(builder, operator, data, indices)
    wide = indices if row == _INT64 else builder.add(Cast(_INT64), indices)
    bad = builder.add(Compare(Relation.GREATER_OR_EQUAL), wide, sizes)
    if row.kind == "int":
        least = _zero(builder)
        if known.field("negative") == Negative.FROM_END:
            least = builder.add(Unary(UnaryFunction.NEGATIVE), sizes)
        bad = builder.add(Binary(BinaryFunction.OR), bad, builder.add(Compare(Relation.LESS), wide, least))
    checked = _let_through(builder, indices, bad)
    others_rule = OutOfRange if isinstance(rule, OutOfRange) else OutOfRangeWrite
    for other in others_rule:
        made = None if other is rule else builder.try_add(changed(operator, out_of_range=other), data, checked, *others)
        if made is not None:
            return made
    return None


def _indexed_sizes(builder: NodeBuilder, operator: Any, data: str, indices: str) -> str:
    """Return the sizes of the axes that indices choose from, a vector that broadcasts against them."""
    ndim, shape = builder.type(data).ndim, builder.type(indices).sizes
    if ndim is None or shape is None:
        raise StuckError
    if isinstance(operator, (GatherND, ScatterND)):
        first, count = getattr(operator, "batch_dims", 0), shape[-1]
        if not isinstance(count, int) or not count:
            raise StuckError
        return builder.add(ShapeOf(first, first + count), data)
    axis = normalized_axis(operator.axis, ndim)
    return builder.add(ShapeOf(axis, axis + 1), data)


def _repeats_checked(builder: NodeBuilder) -> str | None:
    """Let repeats through only if none is negative."""
    if builder.known.field("negative") != BelowZero.REFUSE:
        return None
    return _not_negative(builder, "repeats", changed(builder.operator, negative=BelowZero.ZERO))[0]


def _parts_checked(builder: NodeBuilder) -> Sequence[str]:
    """Let sizes of parts through only if none is negative: a -1, which Split takes as the rest, is refused."""
    operator = builder.operator
    return _not_negative(builder, "sizes", replace(operator, build=Split))


def _not_negative(builder: NodeBuilder, field: str, made: Any) -> Sequence[str]:
    """Return the results of an operator that gets a field from a tensor only if no number in it is negative."""
    name = _waiting(builder, field)
    wide = name if builder.type(name).row == _INT64 else builder.add(Cast(_INT64), name)
    checked = _let_through(builder, wide, builder.add(Compare(Relation.LESS), wide, _zero(builder)))
    return builder.add_all(made, *(checked if one == name else one for one in builder.inputs))


def _crops_checked(builder: NodeBuilder) -> str | None:
    """Let pads through only if no axis loses more than it has."""
    name, data = _waiting(builder, "pads"), builder.inputs[0]
    ndim = builder.type(data).ndim
    is_plain = builder.known.field("axes") is None and builder.type(name).sizes == (2 * (ndim or 0),)
    if builder.known.field("overcrop") != Overcrop.REFUSE or not ndim or not is_plain:
        return None
    wide = name if builder.type(name).row == _INT64 else builder.add(Cast(_INT64), name)
    begins, ends = builder.add_all(Split(0, sizes=(ndim, ndim)), wide)
    plus = Binary(BinaryFunction.ADD)
    left = builder.add(plus, builder.add(plus, begins, ends), builder.add(ShapeOf(), data))
    checked = _let_through(builder, wide, builder.add(Compare(Relation.LESS), left, _zero(builder)))
    inputs = [checked if one == name else one for one in builder.inputs]
    return builder.add(changed(builder.operator, overcrop=Overcrop.EMPTY), *inputs)


def _waiting(builder: NodeBuilder, field: str) -> str:
    """Return the tensor that holds a field. Raises StuckError where none does."""
    operator = builder.operator
    waiting = dict(operator.from_inputs) if isinstance(operator, Deferred) else {}
    if field not in waiting:
        raise StuckError
    return builder.inputs[waiting[field]]


def _zero(builder: NodeBuilder) -> str:
    return builder.constant(np.zeros(1, np.int64), "zero")


def _let_through(builder: NodeBuilder, name: str, bad: str) -> str:
    """Return a tensor as it is; no run gets past it where an element of `bad`, which has axes, is true."""
    ndim, bad_ndim = builder.type(name).ndim, builder.type(bad).ndim
    if ndim is None or not bad_ndim:
        raise StuckError
    is_bad = builder.add(Reduce(ReduceFunction.MAXIMUM, tuple(range(bad_ndim)), False), bad)
    number = builder.add(Reshape((1,), Zero.LITERAL), builder.add(Cast(_INT64), is_bad))
    one = builder.constant(np.ones(1, np.int64), "one")
    own = builder.add(ShapeOf(), name) if ndim else one  # the plugin sees a single element as one axis
    sizes = builder.add(Concat(0), builder.add(Binary(BinaryFunction.ADD), number, one), own)
    fields = (("zero", Zero.LITERAL), ("undetermined", Undetermined.ONE))
    fitting = builder.add(Deferred(Reshape, fields, (("shape", 1),)), name, sizes)
    first, found = _first_of(builder, fitting), builder.type(name)
    return builder.add(Reshape(found.shape, Zero.LITERAL), first) if found.is_known else first


def _first_of(builder: NodeBuilder, name: str) -> str:
    """Return the only position of axis 0, which the target takes to be there."""
    first = builder.constant(np.array(0), "first")
    for rule in OutOfRange:
        found = None if rule is OutOfRange.RAISE else builder.add_directly(Gather(0, 0, rule), name, first)
        if found is not None:
            return found
    raise StuckError


_WHY = "a Reshape refuses sizes that do not fit"

GUARDS: tuple[Rewrite, ...] = (
    Rewrite(_INDEXED, "a bad index is refused, indices are integers but uint64",
            "Compare, Reduce, Reshape of the indices, the same by another rule", _WHY, _indices_checked),
    Rewrite((Tile,), "repeats are a tensor, negative ones are refused",
            "Compare, Reduce, Reshape of the repeats, Tile that takes negative ones", _WHY, _repeats_checked,
            deferred=True),
    Rewrite((split_by_sizes,), "sizes are a tensor, negative ones are refused",
            "Compare, Reduce, Reshape of the sizes, Split by sizes", _WHY, _parts_checked, deferred=True),
    Rewrite((pad_of_pairs,), "pads are a tensor of known length for all axes, cropping more than there is is refused",
            "Split of the pads, Add, ShapeOf, Compare, Reduce, Reshape of the pads, Pad that takes it", _WHY,
            _crops_checked, deferred=True),
)  # fmt: skip
"""Rows for `guard` only: they raise an error at run where the operator does, with another text."""
