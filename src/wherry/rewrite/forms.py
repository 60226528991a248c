"""Forms: the same operator with other fields, or another operator, that has the same result for these inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.arguments import normalized_axis
from wherry.graph import Deferred
from wherry.layout import LIMIT
from wherry.ops import (
    DepthToSpace,
    EmptyOrder,
    Flatten,
    GatherND,
    Pad,
    PadMode,
    Range,
    Reshape,
    Reverse,
    ScatterND,
    Slice,
    SliceScatter,
    SpaceToDepth,
    Split,
    Squeeze,
    Steps,
    Tile,
    Transpose,
    Unsqueeze,
    Zero,
)
from wherry.ops.constant import Constant
from wherry.ops.element import typed_as
from wherry.rewrite.builder import NodeBuilder, Rewrite
from wherry.rewrite.known import changed
from wherry.rewrite.rules import STRICT
from wherry.tensors import TensorType

Array = NDArray[Any]


def _batch_as_it_is(builder: NodeBuilder) -> str | None:
    """With at most one batch axis, merge_batch changes nothing."""
    operator: GatherND = builder.operator
    if not operator.merge_batch or operator.batch_dims > 1:
        return None
    return builder.add(replace(operator, merge_batch=False), *builder.inputs)


def _any_number_of_axes(builder: NodeBuilder) -> str | None:
    """Drop the rule about the number of axes where data is known to have that number."""
    operator: DepthToSpace | SpaceToDepth = builder.operator
    if operator.ndim is None or builder.type(builder.inputs[0]).ndim != operator.ndim:
        return None
    return builder.add(replace(operator, ndim=None), *builder.inputs)


def _less_refused(builder: NodeBuilder) -> str | None:
    """Where sizes are not known, refuse less: what the operator takes has the same results either way."""
    known = builder.known
    if known.maker is Squeeze and known.data.ndim is not None:
        return None  # what is written then has no known number of axes: Reshape does better
    if known.maker is Pad and isinstance(builder.operator, Deferred):
        return None  # its values decide, not sizes alone
    taken = {field: more for field, (strict, more) in STRICT.items() if known.field(field) == strict}
    return builder.add(changed(builder.operator, **taken), *builder.inputs) if taken else None


def _transpose_empty(builder: NodeBuilder) -> str | None:
    operator: Transpose = builder.operator
    if operator.perm is not None:
        return None
    return builder.add(Transpose((), EmptyOrder.REVERSE), *builder.inputs)


def _ends_and_steps(builder: NodeBuilder) -> str | None:
    """Give a step for each start, and an end where a number of positions is given."""
    operator: Slice | SliceScatter = builder.operator
    steps = operator.steps or (1,) * len(operator.starts)
    plain = replace(operator, steps=steps)
    if isinstance(operator, Slice) and operator.sizes is not None:
        last = [start + size * step for start, size, step in zip(operator.starts, operator.sizes, steps, strict=True)]
        plain = replace(operator, steps=steps, ends=tuple(end if end >= 0 else -LIMIT for end in last), sizes=None)
    return None if plain == operator else builder.add(plain, *builder.inputs)


def _counted(builder: NodeBuilder) -> str | None:
    """Count in int64 or uint64 by sums: integers that fit come out the same as by products."""
    operator: Range = builder.operator
    dtype = operator.dtype
    if operator.limit is None or dtype is None or not dtype.is_integer or operator.compute != dtype:
        return None
    for compute in (dtypes.find("int64"), dtypes.find("uint64")):
        found = builder.try_add(replace(operator, compute=compute, steps=Steps.ACCUMULATE))
        if found is not None:
            return found
    return None


def _split_by_sizes(builder: NodeBuilder) -> Sequence[str] | None:
    operator: Split = builder.operator
    sizes = builder.type(builder.inputs[0]).sizes
    if sizes is None:
        return None
    parts = operator.part_sizes(sizes[operator.axis])
    if not all(isinstance(part, int) for part in parts) or parts == operator.sizes:
        return None
    return builder.add_all(Split(operator.axis, sizes=tuple(int(part or 0) for part in parts)), *builder.inputs)


def _split_by_sections(builder: NodeBuilder) -> Sequence[str] | None:
    operator: Split = builder.operator
    if operator.sizes is None or len(set(operator.sizes)) != 1 or -1 in operator.sizes:
        return None
    builder.shape()
    return builder.add_all(Split(operator.axis, sections=len(operator.sizes)), *builder.inputs)


def _slice_by_ends(builder: NodeBuilder) -> str | None:
    """Write starts and ends as they are after clamping, axes and steps in full."""
    operator: Slice = builder.operator
    entries = operator.ranges(builder.shape())
    ends = [start + int(size or 0) * step for _, start, size, step in entries]
    plain = Slice(
        tuple(start for _, start, _, _ in entries),
        tuple(end if end >= 0 else -LIMIT for end in ends),
        tuple(axis for axis, *_ in entries),
        tuple(step for *_, step in entries),
    )
    return None if plain == operator else builder.add(plain, *builder.inputs)


def _slice_by_sizes(builder: NodeBuilder) -> str | None:
    """Write starts and sizes of all axes."""
    operator: Slice = builder.operator
    starts, counts, steps = operator.spread(builder.shape())
    plain = Slice(starts, steps=steps, sizes=counts)
    return None if plain == operator else builder.add(plain, *builder.inputs)


def _reverse_other(builder: NodeBuilder) -> str | None:
    operator: Reverse = builder.operator
    ndim = builder.type(builder.inputs[0]).ndim
    if ndim is None:
        return None
    axes = operator.reversed_axes(ndim)
    other = Reverse(axes) if operator.axes is None else Reverse(mask=tuple(axis in axes for axis in range(ndim)))
    return builder.add(other, *builder.inputs)


def _reverse_as_slice(builder: NodeBuilder) -> str | None:
    ndim = builder.type(builder.inputs[0]).ndim
    if ndim is None:
        return None
    axes = builder.operator.reversed_axes(ndim)
    if not axes:
        return builder.inputs[0]
    count = len(axes)
    return builder.add(Slice((-1,) * count, (-LIMIT,) * count, axes, (-1,) * count), *builder.inputs)


def _squeeze_listed(builder: NodeBuilder) -> str | None:
    operator: Squeeze = builder.operator
    sizes = builder.shape()
    if operator.axes is None or not operator.axes:
        axes = tuple(axis for axis, size in enumerate(sizes) if size == 1) if len(operator.result(sizes) or ()) < len(
            sizes
        ) else ()  # fmt: skip
    else:
        given = dict.fromkeys(normalized_axis(axis, len(sizes)) for axis in operator.axes)
        axes = tuple(axis for axis in given if sizes[axis] == 1)
    if not axes:
        return builder.inputs[0]
    plain = Squeeze(axes)
    return None if plain == operator else builder.add(plain, *builder.inputs)


def _as_reshape(builder: NodeBuilder) -> str | None:
    """Write the sizes of the result; one may be unknown, if the others are more than 0 in product."""
    sizes = builder.type(builder.node.outputs[0]).sizes
    if sizes is None:
        return None
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) < len(sizes) - 1 or (len(known) < len(sizes) and 0 in known):
        return None
    shape = tuple(size if isinstance(size, int) else -1 for size in sizes)
    found = None
    for zero in Zero:
        plain = Reshape(shape, zero)
        if plain != builder.operator and (zero is Zero.LITERAL or 0 not in shape):
            found = found or builder.try_add(plain, *builder.inputs)
    return found


def _transpose_listed(builder: NodeBuilder) -> str | None:
    ndim = builder.type(builder.inputs[0]).ndim
    if ndim is None:
        return None
    plain = Transpose(builder.operator.order(ndim))
    return None if plain == builder.operator else builder.add(plain, *builder.inputs)


def _tile_plain(builder: NodeBuilder) -> str | None:
    operator: Tile = builder.operator
    sizes = builder.type(builder.inputs[0]).sizes
    if sizes is None:
        return None
    aligned, repeats = operator.aligned(sizes)
    name = builder.inputs[0]
    if len(aligned) > len(sizes):
        name = builder.add(Unsqueeze(tuple(range(len(aligned) - len(sizes)))), name)
    plain = Tile(repeats)
    return None if plain == operator and name == builder.inputs[0] else builder.add(plain, name)


def _pad_plain(builder: NodeBuilder) -> str | None:
    """Pad all axes, by a value with a type."""
    operator: Pad = builder.operator
    tensor_type = builder.type(builder.inputs[0])
    if tensor_type.ndim is None:
        return None
    pads = operator.pads(tensor_type.ndim)
    begins, ends = (tuple(pair[side] for pair in pads) for side in (0, 1))
    values: list[Any] = [operator.value]
    if operator.mode is PadMode.CONSTANT:
        values = [typed_value(operator, tensor_type), operator.value]
        if is_zero(values[0]):
            values.append(None)
    for value in values:
        plain = replace(operator, begins=begins, ends=ends, axes=None, value=value)
        found = None if plain == operator else builder.try_add(plain, *builder.inputs)
        if found is not None:
            return found
    return None


def typed_value(operator: Pad, tensor_type: TensorType) -> Constant:
    """Return the value of a Pad as an element of the type of data."""
    if operator.value is None and tensor_type.numpy.hasobject:
        return Constant(np.array("", object))
    return Constant(typed_as("value", operator.value, tensor_type.numpy))


def is_zero(value: Constant) -> bool:
    """Whether all bits of a value are 0; of strings the empty one."""
    array = value.value
    return bool(array[()] == "") if array.dtype.hasobject else not any(array.tobytes())


RESHAPES = (Reshape, Squeeze, Unsqueeze, Flatten)

REWRITES: tuple[Rewrite, ...] = (
    Rewrite((Split,), "the size of the axis is known", "Split by sizes", "an uneven division is a rule; sizes are not",
            _split_by_sizes),
    Rewrite((Split,), "all parts have one size", "Split by sections", "equal parts are what sections mean",
            _split_by_sections),
    Rewrite((Slice, SliceScatter), "steps are not given, or sizes in place of ends", "the same with ends and steps",
            "OpenVINO has no default for steps", _ends_and_steps),
    Rewrite((Slice,), "sizes are known", "Slice with starts and ends inside the axes", "then no clamping is left",
            _slice_by_ends),
    Rewrite((Slice,), "sizes are known", "Slice with starts and sizes", "a step of a single position does not matter",
            _slice_by_sizes),
    Rewrite((Reverse,), "the number of axes is known", "Reverse with a mask, or with axes", "both say the same",
            _reverse_other),
    Rewrite((Reverse,), "the number of axes is known", "Slice with steps of -1", "an axis read backwards",
            _reverse_as_slice),
    Rewrite((GatherND,), "merge_batch, up to one batch axis", "GatherND that does not merge",
            "one axis is merged already", _batch_as_it_is),
    Rewrite((DepthToSpace, SpaceToDepth), "data has the number of axes that is asked for", "the same for any number",
            "OpenVINO asks for none", _any_number_of_axes),
    Rewrite((Squeeze,), "sizes are known", "Squeeze of listed axes", "then no rule about other axes is left",
            _squeeze_listed),
    Rewrite((Reshape, ScatterND, Pad, Squeeze), "a -1 beside a size of 0, one update that has axes, cropping more than "
            "there is, or another size than 1 where the number of axes is not known, is refused",
            "the same that takes it", "OpenVINO refuses none of them", _less_refused, deferred=True),
    Rewrite(RESHAPES, "all sizes but one are known", "Reshape to the sizes of the result",
            "only the sizes change", _as_reshape),
    Rewrite((Transpose,), "the order is missing", "Transpose with an empty order", "both reverse the axes",
            _transpose_empty),
    Rewrite((Transpose,), "the number of axes is known", "Transpose with the whole order",
            "a missing order reverses the axes", _transpose_listed),
    Rewrite((Tile,), "the number of axes is known", "Unsqueeze, Tile with repeats of all axes",
            "then repeats are as many as axes", _tile_plain),
    Rewrite((Pad,), "the number of axes is known", "Pad of all axes by a typed value",
            "axes and values without a type are not everywhere", _pad_plain),
    Rewrite((Range,), "integers up to a limit", "Range that adds them up in int64 or uint64",
            "integers are the same however they are computed", _counted),
)  # fmt: skip
"""Rows that make one operator of another, tried in this order; the writer of OpenVINO uses these alone."""
