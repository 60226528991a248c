"""Rewrites of operators with fields known only at run: the values move to other inputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from wherry import dtypes
from wherry.graph import Deferred
from wherry.moves import Reduction
from wherry.ops import (
    Binary,
    BinaryFunction,
    Cast,
    Concat,
    Constant,
    Expand,
    Fill,
    Pad,
    Range,
    Reshape,
    ReverseSequence,
    ScatterElements,
    ShapeOf,
    Slice,
    Split,
    Steps,
    TooLong,
    Transpose,
    Zero,
    pad_of_pairs,
)
from wherry.ops.fill import constant_of_shape
from wherry.ops.range import count
from wherry.ops.slice import slice_of_version_10
from wherry.ops.split import split_by_sizes
from wherry.rewrite.builder import NodeBuilder, Rewrite
from wherry.rewrite.known import fields_of

_INT64 = dtypes.find("int64")
_WIDE = (_INT64, dtypes.find("uint64"))


def _waiting(builder: NodeBuilder) -> dict[str, str]:
    """Return the tensors that hold fields, by the names of these."""
    operator = builder.operator
    return (
        {name: builder.inputs[place] for name, place in operator.from_inputs} if isinstance(operator, Deferred) else {}
    )


def _built(
    builder: NodeBuilder,
    build: Any,
    fields: Mapping[str, Any],
    waiting: Mapping[str, str],
    moved: tuple[str, ...] | None = None,
) -> Any:
    """Add a deferred operator with these known fields, and the others from tensors."""
    data = builder.node.data_inputs if moved is None else moved
    places = tuple((name, len(data) + number) for number, name in enumerate(waiting))
    made = builder.operator.makes or builder.operator.build
    operator = Deferred(build, tuple(fields.items()), places, len(builder.node.outputs), made)
    return builder.add_all(operator, *data, *waiting.values())


def _counted_lengths(builder: NodeBuilder) -> str | None:
    """Cast unsigned lengths to a type that DirectML takes."""
    waiting = _waiting(builder)
    row = builder.type(waiting["lengths"]).row if set(waiting) == {"lengths"} else None
    if row is None or row.kind != "uint":
        return None
    return _cast_lengths(builder, builder.operator, waiting["lengths"], ("uint32",) if row.bits < 32 else ())


def _any_lengths(builder: NodeBuilder) -> str | None:
    """Cast lengths of any kind, and let those that do not fit mean the whole axis."""
    waiting = _waiting(builder)
    if set(waiting) != {"lengths"}:
        return None
    operator = replace(
        builder.operator, fields=tuple({**dict(builder.operator.fields), "too_long": TooLong.CLAMP}.items())
    )
    return _cast_lengths(builder, operator, waiting["lengths"], ("uint64", "uint32"))


def _lengths_of_lines(builder: NodeBuilder) -> str | None:
    """Lay all lines that have a length along axis 0, and their positions along axis 1."""
    waiting, sizes = _waiting(builder), builder.shape()
    if set(waiting) != {"lengths"}:
        return None
    lengths, ndim = waiting["lengths"], len(sizes)
    row = builder.type(lengths).row
    if row is None or not row.is_integer:
        return None
    time_axis = builder.known.field("time_axis") % ndim
    axes, too_long = builder.known.field("batch_axes"), builder.known.field("too_long")
    batch = [axis for axis in range(ndim) if axis != time_axis] if axes is None else [axis % ndim for axis in axes]
    order = (*batch, time_axis, *(axis for axis in range(ndim) if axis not in (*batch, time_axis)))
    if len(batch) == 1 and order == tuple(range(ndim)) and too_long != TooLong.CLAMP:
        return None
    count = math.prod(sizes[axis] for axis in batch)
    line = builder.add(Reshape((count,), Zero.LITERAL), lengths)
    if too_long == TooLong.CLAMP:
        line = _at_most(builder, line, sizes[time_axis])
    if builder.type(line).row != _INT64:
        line = builder.add(Cast(_INT64), line)
    moved = tuple(sizes[axis] for axis in order)
    lines = builder.add(Transpose(order), builder.inputs[0])
    lines = builder.add(Reshape((count, *moved[len(batch) :]), Zero.LITERAL), lines)
    fields = {"time_axis": 1, "batch_axes": (0,), "too_long": TooLong.REFUSE}
    lines = builder.add(Deferred(ReverseSequence, tuple(fields.items()), (("lengths", 1),)), lines, line)
    back = tuple(order.index(axis) for axis in range(ndim))
    return builder.add(Transpose(back), builder.add(Reshape(moved, Zero.LITERAL), lines))


def _at_most(builder: NodeBuilder, line: str, most: int) -> str:
    """Return integers of one axis, each no more than this: the lesser of both, which a scatter keeps."""
    tensor_type = builder.type(line)
    if most > np.iinfo(tensor_type.numpy).max:
        return line
    builder.check_places(*tensor_type.shape)
    bounds = builder.constant(np.full(tensor_type.shape, most, tensor_type.numpy), "bounds")
    return builder.add(
        ScatterElements(reduction=Reduction.MIN), bounds, builder.constant(np.arange(*tensor_type.shape)), line
    )


def _cast_lengths(builder: NodeBuilder, operator: Deferred, lengths: str, wanted: tuple[str, ...]) -> str | None:
    for name in wanted:
        row = dtypes.find(name)
        cast = builder.try_add(Cast(row), lengths)
        if cast is not None:
            inputs = [cast if tensor == lengths else tensor for tensor in builder.inputs]
            found = builder.try_add(operator, *inputs)
            if found is not None:
                return found
    return None


def _wide_fields(builder: NodeBuilder) -> Any:
    """Cast integer tensors that hold fields to int64."""
    waiting = _waiting(builder)
    narrow = {
        name: tensor for name, tensor in waiting.items()
        if (row := builder.type(tensor).row) is not None and row.is_integer and row not in _WIDE
    }  # fmt: skip
    if not narrow or builder.known.maker in (Range, count):
        return None
    wide = {name: builder.add(Cast(_INT64), tensor) if name in narrow else tensor for name, tensor in waiting.items()}
    places = {place: wide[name] for name, place in builder.operator.from_inputs}
    inputs = [places.get(number, name) for number, name in enumerate(builder.inputs)]
    return builder.add_all(builder.operator, *inputs)


def _pads_apart(builder: NodeBuilder) -> Any:
    """Cut the list of pads into begins and ends."""
    waiting = _waiting(builder)
    if "pads" not in waiting:
        return None
    fields = {
        name: value for name, value in fields_of(builder.operator).items() if name not in ("pads", "begins", "ends")
    }
    if "axes" in waiting:
        named = builder.value(waiting.pop("axes"))
        if named is None:
            return None
        fields["axes"] = tuple(named.tolist())
    value = builder.value(waiting["pads"])
    half, pads = _padded_axes(builder, waiting["pads"], fields.get("axes")), waiting.pop("pads")
    if half is None:
        return None
    if value is not None and fields.get("axes") is None:
        widths = tuple(value.tolist())
        return _built(builder, Pad, {**fields, "begins": widths[:half], "ends": widths[half:]}, waiting)
    begins, ends = builder.add_all(Split(0, sizes=(half, half)), pads)
    if (axes := fields.pop("axes", None)) is not None:
        ndim = builder.type(builder.inputs[0]).ndim
        if ndim is None or len({axis % ndim for axis in axes}) < len(axes) or not all(-ndim <= a < ndim for a in axes):
            return None
        none = builder.constant(np.zeros(ndim, builder.type(pads).numpy), "none")
        places = builder.constant(np.array(axes, np.int64), "axes")
        begins, ends = (builder.add(ScatterElements(), none, places, each) for each in (begins, ends))
    return _built(builder, Pad, fields, {"begins": begins, "ends": ends, **waiting})


def _padded_axes(builder: NodeBuilder, pads: str, axes: Sequence[int] | None) -> int | None:
    """Return how many axes are padded: half as many as there are pads, those that are named, or all."""
    sizes = builder.type(pads).sizes
    if sizes is not None and len(sizes) == 1 and isinstance(sizes[0], int):
        return sizes[0] // 2 if sizes[0] % 2 == 0 else None
    return builder.type(builder.inputs[0]).ndim if axes is None else len(axes)


def _slice_in_full(builder: NodeBuilder) -> Any:
    """Give steps of 1, and then all axes from the front, as constants."""
    waiting = _waiting(builder)
    if "starts" not in waiting or "steps" in waiting or builder.known.field("steps") is not None:
        return None
    sizes = builder.type(waiting["starts"]).sizes
    if sizes is not None and len(sizes) == 1 and isinstance(sizes[0], int):
        steps = builder.constant(np.ones(sizes[0], np.int64), "steps")
    else:
        one = builder.constant(np.ones(1, np.int64), "step")
        operator = Deferred(Expand, (("alignment", "one_way"),), (("shape", 1),))
        steps = builder.add(operator, one, builder.add(ShapeOf(), waiting["starts"]))
    fields = {name: value for name, value in dict(builder.operator.fields).items() if name not in ("steps", "sizes")}
    return _built(builder, Slice, fields, {**waiting, "steps": steps})


def _pads_together(builder: NodeBuilder) -> Any:
    """Lay begins and ends end to end."""
    waiting = _waiting(builder)
    if not {"begins", "ends"} <= set(waiting):
        return None
    wide = [name if builder.type(name).row == _INT64 else builder.add(Cast(_INT64), name)
            for name in (waiting.pop("begins"), waiting.pop("ends"))]  # fmt: skip
    fields = {name: value for name, value in fields_of(builder.operator).items() if name not in ("begins", "ends")}
    return _built(builder, pad_of_pairs, fields, {"pads": builder.add(Concat(0), *wide), **waiting})


def _expanded_at_run(builder: NodeBuilder) -> Any:
    """Repeat a constant of no axes."""
    if "sizes" not in _waiting(builder):
        return None
    value = builder.known.field("value")
    array = value.value if isinstance(value, Constant) else np.asarray(value)
    constant = builder.constant(array.reshape(()))
    for alignment in ("one_way", "two_way"):
        operator = Deferred(Expand, (("alignment", alignment),), (("shape", 1),))
        found = builder.try_add(operator, constant, _waiting(builder)["sizes"])
        if found is not None:
            return found
    return None


def _same_numbers(builder: NodeBuilder) -> Any:
    """Count in integers; the ways to compute them agree."""
    waiting = _waiting(builder)
    row = builder.known.outputs[0].row
    if set(waiting) != {"start", "limit", "delta"} or row is None or not row.is_integer:
        return None
    if any(builder.type(name).row != row for name in waiting.values()):
        return None
    places = tuple((name, number) for number, name in enumerate(waiting))
    sums = [(("dtype", row), ("compute", compute), ("steps", Steps.ACCUMULATE))
            for compute in (row, _INT64, dtypes.find("uint64"))]  # fmt: skip
    for fields in ((), *sums):
        operator = Deferred(Range, fields, places, makes=Range)
        found = builder.try_add(operator, *waiting.values())
        if found is not None:
            return found
    return None


def _floats_by_number(builder: NodeBuilder) -> Any:
    """Count the steps by the difference alone, number them, multiply by delta and add start, as the operator does."""
    waiting, known = _waiting(builder), builder.known
    row = known.outputs[0].row
    if set(waiting) != {"start", "limit", "delta"} or row is None or row.kind != "float" or row.bits < 32:
        return None
    same = all(builder.type(name).row == row for name in waiting.values()) and known.field("compute") in (None, row)
    if not same or known.field("steps") != Steps.MULTIPLY or known.field("sizes") is not None:
        return None
    start, limit, delta = (waiting[name] for name in ("start", "limit", "delta"))
    places = tuple((name, number) for number, name in enumerate(("start", "limit", "delta")))
    span = builder.add(Binary(BinaryFunction.SUBTRACT), limit, start)
    fields = (("dtype", row), ("compute", dtypes.find("float64")), ("steps", Steps.ACCUMULATE))
    zero = builder.constant(np.zeros((), row.numpy), "zero")
    line = builder.add(Deferred(Range, fields, places, makes=Range), zero, span, delta)
    size = builder.add(Reshape((), Zero.LITERAL), builder.add(ShapeOf(), line))
    ends = (builder.constant(np.array(0), "first"), size, builder.constant(np.array(1), "one"))
    numbers = builder.add(Cast(row), builder.add(Deferred(Range, (), places, makes=Range), *ends))
    return builder.add(Binary(BinaryFunction.ADD), start, builder.add(Binary(BinaryFunction.MULTIPLY), numbers, delta))


def _other_build(build: Any, *kept: str) -> Callable[[NodeBuilder], Any]:
    """Return the row that keeps all fields and only builds their inputs."""

    def rebuilt(builder: NodeBuilder) -> Any:
        if not isinstance(builder.operator, Deferred):
            return None
        known = {name: value for name, value in fields_of(builder.operator).items() if name in kept}
        return _built(builder, build, known, _waiting(builder))

    return rebuilt


_sizes_with_rest = _other_build(Split, "axis")
_sizes_without_rest = _other_build(split_by_sizes, "axis")
_slice_from_10 = _other_build(Slice)


def _sizes_without_negative(builder: NodeBuilder) -> Any:
    waiting = dict(builder.operator.from_inputs) if isinstance(builder.operator, Deferred) else {}
    bounds = builder.known.bounds(waiting["sizes"]) if "sizes" in waiting else None
    return _sizes_with_rest(builder) if bounds is not None and bool((bounds.low >= 0).all()) else None


_sizes_with_rest.__name__, _sizes_without_rest.__name__ = "_sizes_with_rest", "_sizes_without_rest"
_slice_from_10.__name__ = "_slice_from_10"

REWRITES: tuple[Rewrite, ...] = (
    Rewrite((ReverseSequence,), "lengths are a tensor of uint8 or uint16", "Cast to uint32, ReverseSequence",
            "DirectML takes uint32 and uint64", _counted_lengths, deferred=True, is_direct=True),
    Rewrite((ReverseSequence,), "lengths are a tensor, for several axes, or those beyond the axis mean all of it",
            "Transpose and Reshape to lines, ReverseSequence by the lesser of length and size (ScatterElements of the "
            "lengths with min), Reshape, Transpose", "ONNX and OpenVINO have one axis of lengths, and refuse those "
            "beyond the other", _lengths_of_lines, deferred=True),
    Rewrite((pad_of_pairs,), "pads are a tensor, the axes or its length are known",
            "Split of the tensor, ScatterElements to all axes, Pad by begins and ends",
            "ONNX has one list of both, for some axes", _pads_apart, deferred=True),
    Rewrite((Slice,), "starts and ends are tensors, steps are not given", "Slice with steps of 1",
            "OpenVINO has no default for them", _slice_in_full, deferred=True),
    Rewrite((Pad,), "begins and ends are tensors", "Concat of both, Pad by pairs", "ONNX has one list of both",
            _pads_together, deferred=True),
    Rewrite((constant_of_shape, Fill), "sizes are a tensor", "Expand of a constant to these sizes",
            "one element, repeated", _expanded_at_run, deferred=True),
    Rewrite((Range, count), "start, limit and delta are tensors of one integer type", "Range",
            "integers are the same however they are computed", _same_numbers, deferred=True),
    Rewrite((Range,), "start, limit and delta are tensors of float32 or float64, elements are start + n * delta",
            "Subtract, Range, ShapeOf, Range of integers, Cast, Multiply, Add", "OpenVINO adds floats up in 64 bits",
            _floats_by_number, deferred=True),
    Rewrite((split_by_sizes,), "sizes are a tensor, known not to be negative", "Split by sizes",
            "no part takes what remains", _sizes_without_negative, deferred=True),
    Rewrite((object,), "fields are tensors of another integer type", "Cast to int64", "ONNX takes int64 only",
            _wide_fields, deferred=True),
)  # fmt: skip
"""The rows for fields known only at run; all keep every answer and every error."""

NEAR: tuple[Rewrite, ...] = (
    Rewrite((ReverseSequence,), "lengths are a tensor", "Cast to uint64, before feature level 5.0 to uint32, "
            "ReverseSequence", "a length that is negative or longer than the axis reverses all of it instead of being "
            "refused (a length cut to uint32: what is left of it)", _any_lengths, deferred=True, is_direct=True),
    Rewrite((split_by_sizes,), "sizes are a tensor", "Split by sizes",
            "a part of -1 takes what remains instead of being refused", _sizes_with_rest, deferred=True),
    Rewrite((Split,), "sizes are a tensor", "Split by sizes",
            "a part of -1, which takes what remains, is refused", _sizes_without_rest, deferred=True),
    Rewrite((slice_of_version_10,), "axes are a tensor", "Slice",
            "a negative axis counts from the end instead of being refused", _slice_from_10, deferred=True),
)  # fmt: skip
"""Rows for `allow_loss` only; `why` describes the loss."""
