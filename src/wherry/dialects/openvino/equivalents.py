"""Equivalents: operators with the same results on given inputs, and rules that OpenVINO has."""

from __future__ import annotations

from collections import abc
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from numpy.typing import NDArray

from wherry.dialects.openvino.operations.selection import count
from wherry.dialects.openvino.operations.types import CONVERT
from wherry.layout import LIMIT
from wherry.moves import NanRule, Negative, OutOfRange, Reduction
from wherry.ops import (
    BelowZero,
    Cast,
    DepthToSpace,
    Empty,
    EmptyOrder,
    Flatten,
    Gather,
    GatherElements,
    GatherND,
    Identity,
    Lengths,
    MixedSigns,
    NonZero,
    OffAxis,
    Operator,
    OtherSizes,
    Overcrop,
    Pad,
    PadMode,
    Range,
    Repeated,
    Reshape,
    ScalarCoordinates,
    ScatterElements,
    ScatterND,
    ScatterUpdate,
    Slice,
    SliceScatter,
    SpaceToDepth,
    Split,
    Squeeze,
    Tile,
    Transpose,
    Undetermined,
    Uneven,
    Unsqueeze,
)
from wherry.ops import Zero as ZeroRule
from wherry.tensors import TensorType

Array = NDArray[Any]
Kinds = abc.Sequence[TensorType]
Constants = abc.Sequence[Array | None]


def equivalent_of(operator: Operator, kinds: Kinds, constants: Constants) -> Operator:
    """Return an operator with the same results on these inputs and rules that OpenVINO has, where there is one."""
    find = _EQUIVALENTS.get(type(operator))
    return operator if find is None else find(operator, kinds, constants)


def _inside_gather(operator: Any, kinds: Kinds, constants: Constants) -> Operator:
    if constants[1] is None or not _all_inside(operator, kinds[0], constants[1]):
        return cast(Operator, operator)
    return cast(Operator, replace(operator, out_of_range=OutOfRange.ZERO, negative=Negative.FROM_END))


def _all_inside(operator: Gather, data: TensorType, indices: Array) -> bool:
    """Whether constant indices are all inside the axis, so that no rule about others is ever used."""
    size = None if data.sizes is None else data.sizes[operator.axis]
    if not isinstance(size, int):
        return False
    if indices.size == 0:
        return True
    least = -size if operator.negative is Negative.FROM_END else 0
    return least <= int(indices.min()) and int(indices.max()) < size


def _even_split(operator: Any, kinds: Kinds, constants: Constants) -> Operator:
    size = None if kinds[0].sizes is None else kinds[0].sizes[operator.axis]
    if operator.uneven is Uneven.REFUSE or not isinstance(size, int):
        return cast(Operator, operator)
    return Split(operator.axis, sizes=tuple(int(part or 0) for part in operator.part_sizes(size)))


def _with_steps(operator: Any, kinds: Kinds, constants: Constants) -> Operator:
    """OpenVINO wants a step for each start; a number of positions becomes an end."""
    steps = operator.steps or (1,) * len(operator.starts)
    if getattr(operator, "sizes", None) is None:
        return cast(Operator, replace(operator, steps=steps))
    ends = []
    for start, size, step in zip(operator.starts, operator.sizes, steps, strict=True):
        last = start + size * step
        ends.append(last if last >= 0 else -LIMIT)
    return cast(Operator, replace(operator, steps=steps, ends=tuple(ends), sizes=None))


def _off_axis(operator: Any, kinds: Kinds, constants: Constants) -> Operator:
    """Sizes that are known and equal off the axis fit every rule about them."""
    data, indices = (kind.sizes for kind in kinds[:2])
    if data is None or indices is None:
        return cast(Operator, operator)
    axis = operator.axis % len(data)
    pairs = [pair for number, pair in enumerate(zip(data, indices, strict=True)) if number != axis]
    equal = all(isinstance(size, int) and size == other for size, other in pairs)
    rule = OffAxis.AT_MOST if isinstance(operator, ScatterElements) else OffAxis.EQUAL
    return cast(Operator, replace(operator, off_axis=rule) if equal else operator)


def _unused_rules(operator: Any, kinds: Kinds, constants: Constants) -> Operator:
    """Without a reduction, or on integers, the rules about NaN and old values are never used."""
    row = kinds[0].row
    plain = operator.reduction is Reduction.NONE
    if plain:
        operator = replace(operator, use_init_val=True)
    if plain or operator.reduction not in (Reduction.MIN, Reduction.MAX) or (row is not None and row.kind != "float"):
        operator = replace(operator, nan=NanRule.DATA)
    if isinstance(operator, ScatterElements):
        return _off_axis(operator, kinds, constants)
    if isinstance(operator, ScatterND):
        return replace(operator, one_of_any_rank=True)
    return cast(Operator, operator)


def _merged_or_not(operator: Any, kinds: Kinds, constants: Constants) -> Operator:
    """With up to one batch axis merging changes nothing; nor does a least number of indices once it is met."""
    indices = kinds[1].sizes
    length = indices[-1] if indices else None
    met = operator.least_indices == 0 or (isinstance(length, int) and length >= operator.least_indices)
    merges = operator.merge_batch and operator.batch_dims > 1
    return cast(Operator, replace(operator, least_indices=0 if met else operator.least_indices, merge_batch=merges))


def _any_rank(operator: Any, kinds: Kinds, constants: Constants) -> Operator:
    """A number of axes that data is known to have needs no rule."""
    return cast(Operator, replace(operator, ndim=None) if kinds[0].ndim == operator.ndim else operator)


def _with_all_axes(operator: Any, kinds: Kinds, constants: Constants) -> Operator:
    """OpenVINO gives pads for every axis; its rules about crops are used only where pads are negative."""
    ndim = kinds[0].ndim
    if operator.axes is not None and ndim is not None:
        begins, ends = zip(*operator.pads(ndim), strict=True) if ndim else ((), ())
        operator = replace(operator, begins=begins, ends=ends, axes=None)
    if min((*operator.begins, *operator.ends), default=0) >= 0 or operator.mode is PadMode.CONSTANT:
        operator = replace(operator, mixed_signs=MixedSigns.ORIGINAL)
    if min((*operator.begins, *operator.ends), default=0) >= 0 or kinds[0].is_known:
        operator = replace(operator, overcrop=Overcrop.EMPTY)
    return cast(Operator, operator)


def _with_all_repeats(operator: Any, kinds: Kinds, constants: Constants) -> Operator:
    if kinds[0].sizes is None:
        return cast(Operator, operator)
    _, repeats = operator.aligned(kinds[0].sizes)
    return Tile(repeats, None, Lengths.PAD, BelowZero.ZERO)


def _loose_axes(operator: Any, kinds: Kinds, constants: Constants) -> Operator:
    """Axes that are known to be 1, or to be named once, fit every rule about others."""
    sizes = kinds[0].sizes
    axes = operator.axes
    if isinstance(operator, Unsqueeze):
        return replace(operator, repeated=Repeated.COLLAPSE) if len(set(axes)) == len(axes) else operator
    if axes is None:
        rules = {"empty": Empty.ALL, "other_sizes": OtherSizes.KEEP, "repeated": Repeated.COLLAPSE}
        return cast(Operator, replace(operator, **rules))
    if sizes is None:
        return cast(Operator, operator)
    if not axes and operator.empty is Empty.NONE:
        return Identity()
    if all(isinstance(sizes[axis], int) for axis in axes):
        operator = replace(operator, other_sizes=OtherSizes.KEEP, repeated=Repeated.COLLAPSE, empty=Empty.ALL)
    return cast(Operator, operator)


def _shape_with_one(operator: Any, kinds: Kinds, constants: Constants) -> Operator:
    """What -1 is where any number would do matters only if there is a -1 beside a 0, which was refused before."""
    return cast(Operator, replace(operator, undetermined=Undetermined.ONE))


def _transpose(operator: Any, kinds: Kinds, constants: Constants) -> Operator:
    return Transpose(operator.perm or (), EmptyOrder.REVERSE)


def _row_major_scalar(operator: Any, kinds: Kinds, constants: Constants) -> Operator:
    return cast(Operator, replace(operator, scalar=ScalarCoordinates.ONE) if operator.data.ndim else operator)


def _cast(operator: Any, kinds: Kinds, constants: Constants) -> Operator:
    """Of the rules about conversions only those count that the two types use."""
    source, target = getattr(kinds[0].row, "kind", None), operator.to.kind
    used = {
        "float_to_integer": source in ("float", "string") and operator.to.is_integer,
        "integer_overflow": operator.to.is_integer,
        "float_overflow": target == "float",
        "rounding": target == "float",
        "nan_is_true": source in ("float", "string") and target == "bool",
        "float_text": target == "string",
    }
    return cast(Operator, replace(operator, **{name: rule for name, rule in CONVERT.fixed.items() if not used[name]}))


def _whole_numbers(operator: Any, kinds: Kinds, constants: Constants) -> Operator:
    """Sums and products of integers are equal, in any type that holds them."""
    if operator.limit is None or not operator.dtype.is_integer or operator.compute != operator.dtype:
        return cast(Operator, operator)
    return count(operator.start, operator.limit, operator.delta, operator.dtype)


def _flat(operator: Any, kinds: Kinds, constants: Constants) -> Operator:
    if not kinds[0].is_known:
        return cast(Operator, operator)
    return Reshape(tuple(operator.result(kinds[0].shape)), ZeroRule.LITERAL, Undetermined.ONE)


_EQUIVALENTS: dict[type[Operator], Callable[..., Operator]] = {
    Cast: _cast,
    DepthToSpace: _any_rank,
    Flatten: _flat,
    Gather: _inside_gather,
    GatherElements: _off_axis,
    GatherND: _merged_or_not,
    NonZero: _row_major_scalar,
    Pad: _with_all_axes,
    Reshape: _shape_with_one,
    ScatterUpdate: _unused_rules,
    ScatterElements: _unused_rules,
    ScatterND: _unused_rules,
    Range: _whole_numbers,
    Slice: _with_steps,
    SliceScatter: _with_steps,
    SpaceToDepth: _any_rank,
    Split: _even_split,
    Squeeze: _loose_axes,
    Tile: _with_all_repeats,
    Transpose: _transpose,
    Unsqueeze: _loose_axes,
}
