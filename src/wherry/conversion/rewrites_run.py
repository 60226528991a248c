"""Rewrites of operators some of whose fields are known only at run: the same values in other inputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from wherry import dtypes
from wherry.conversion.draft import Edit, Rewrite
from wherry.conversion.site import fields_of
from wherry.dialects.onnx.meaning_make import constant_of_shape
from wherry.dialects.onnx.meaning_select import slice_of_version_10
from wherry.dialects.onnx.meaning_split import split_by_sizes
from wherry.dialects.openvino.operations.selection import count
from wherry.graph import Deferred
from wherry.moves import Reduction
from wherry.ops import (
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
    Slice,
    Split,
    Steps,
    TooLong,
    Transpose,
    Zero,
    pad_of_pairs,
)

_INT64 = dtypes.find("int64")


def _waiting(edit: Edit) -> dict[str, str]:
    """Return the tensors that hold fields, by the names of these."""
    operator = edit.operator
    return {name: edit.inputs[place] for name, place in operator.from_inputs} if isinstance(operator, Deferred) else {}


def _built(
    edit: Edit, build: Any, fields: Mapping[str, Any], waiting: Mapping[str, str], moved: tuple[str, ...] | None = None
) -> Any:
    """Add a deferred operator with these known fields, and the others from tensors."""
    data = edit.node.data_inputs if moved is None else moved
    places = tuple((name, len(data) + number) for number, name in enumerate(waiting))
    made = edit.operator.makes or edit.operator.build
    operator = Deferred(build, tuple(fields.items()), places, len(edit.node.outputs), made)
    return edit.add_all(operator, *data, *waiting.values())


def _counted_lengths(edit: Edit) -> str | None:
    """Cast unsigned lengths to a type that DirectML takes."""
    waiting = _waiting(edit)
    row = edit.kind(waiting["lengths"]).row if set(waiting) == {"lengths"} else None
    if row is None or row.kind != "uint":
        return None
    return _cast_lengths(edit, edit.operator, waiting["lengths"], ("uint32",) if row.bits < 32 else ())


def _any_lengths(edit: Edit) -> str | None:
    """Cast lengths of any kind, and let those that do not fit mean the whole axis."""
    waiting = _waiting(edit)
    if set(waiting) != {"lengths"}:
        return None
    operator = replace(edit.operator, fields=tuple({**dict(edit.operator.fields), "too_long": TooLong.CLAMP}.items()))
    return _cast_lengths(edit, operator, waiting["lengths"], ("uint64", "uint32"))


def _lengths_of_lines(edit: Edit) -> str | None:
    """Lay all lines that have a length along axis 0, and their positions along axis 1."""
    waiting, sizes = _waiting(edit), edit.shape()
    if set(waiting) != {"lengths"}:
        return None
    lengths, ndim = waiting["lengths"], len(sizes)
    row = edit.kind(lengths).row
    if row is None or not row.is_integer:
        return None
    time_axis = edit.site.field("time_axis") % ndim
    axes, too_long = edit.site.field("batch_axes"), edit.site.field("too_long")
    batch = [axis for axis in range(ndim) if axis != time_axis] if axes is None else [axis % ndim for axis in axes]
    order = (*batch, time_axis, *(axis for axis in range(ndim) if axis not in (*batch, time_axis)))
    if len(batch) == 1 and order == tuple(range(ndim)) and too_long != TooLong.CLAMP:
        return None
    count = math.prod(sizes[axis] for axis in batch)
    line = edit.add(Reshape((count,), Zero.LITERAL), lengths)
    if too_long == TooLong.CLAMP:
        line = _at_most(edit, line, sizes[time_axis])
    if edit.kind(line).row != _INT64:
        line = edit.add(Cast(_INT64), line)
    moved = tuple(sizes[axis] for axis in order)
    lines = edit.add(Transpose(order), edit.inputs[0])
    lines = edit.add(Reshape((count, *moved[len(batch) :]), Zero.LITERAL), lines)
    fields = {"time_axis": 1, "batch_axes": (0,), "too_long": TooLong.REFUSE}
    lines = edit.add(Deferred(ReverseSequence, tuple(fields.items()), (("lengths", 1),)), lines, line)
    back = tuple(order.index(axis) for axis in range(ndim))
    return edit.add(Transpose(back), edit.add(Reshape(moved, Zero.LITERAL), lines))


def _at_most(edit: Edit, line: str, most: int) -> str:
    """Return integers of one axis, each no more than this: the lesser of both, which a scatter keeps."""
    kind = edit.kind(line)
    if most > np.iinfo(kind.numpy).max:
        return line
    edit.check_places(*kind.shape)
    bounds = edit.constant(np.full(kind.shape, most, kind.numpy), "bounds")
    return edit.add(ScatterElements(reduction=Reduction.MIN), bounds, edit.constant(np.arange(*kind.shape)), line)


def _cast_lengths(edit: Edit, operator: Deferred, lengths: str, wanted: tuple[str, ...]) -> str | None:
    for name in wanted:
        row = dtypes.find(name)
        cast = edit.try_add(Cast(row), lengths)
        if cast is not None:
            inputs = [cast if tensor == lengths else tensor for tensor in edit.inputs]
            found = edit.try_add(operator, *inputs)
            if found is not None:
                return found
    return None


def _wide_fields(edit: Edit) -> Any:
    """Cast integer tensors that hold fields to int64."""
    waiting = _waiting(edit)
    narrow = {
        name: tensor for name, tensor in waiting.items()
        if (row := edit.kind(tensor).row) is not None and row.is_integer and row not in (_INT64, dtypes.find("uint64"))
    }  # fmt: skip
    if not narrow or edit.site.kind in (Range, count):
        return None
    wide = {name: edit.add(Cast(_INT64), tensor) if name in narrow else tensor for name, tensor in waiting.items()}
    places = {place: wide[name] for name, place in edit.operator.from_inputs}
    inputs = [places.get(number, name) for number, name in enumerate(edit.inputs)]
    return edit.add_all(edit.operator, *inputs)


def _pads_apart(edit: Edit) -> Any:
    """Cut the list of pads into begins and ends."""
    waiting = _waiting(edit)
    if "pads" not in waiting or "axes" in waiting:
        return None
    (length,) = edit.shape(waiting["pads"])
    half, pads = length // 2, waiting.pop("pads")
    begins = edit.add(Slice((0,), (half,), (0,), (1,)), pads)
    ends = edit.add(Slice((half,), (length,), (0,), (1,)), pads)
    fields = {name: value for name, value in fields_of(edit.operator).items() if name not in ("pads", "begins", "ends")}
    if (axes := fields.pop("axes", None)) is not None:
        ndim = edit.kind(edit.inputs[0]).ndim
        if ndim is None or len({axis % ndim for axis in axes}) < len(axes) or not all(-ndim <= a < ndim for a in axes):
            return None
        none = edit.constant(np.zeros(ndim, edit.kind(pads).numpy), "none")
        places = edit.constant(np.array(axes, np.int64), "axes")
        begins, ends = (edit.add(ScatterElements(), none, places, each) for each in (begins, ends))
    return _built(edit, Pad, fields, {"begins": begins, "ends": ends, **waiting})


def _slice_in_full(edit: Edit) -> Any:
    """Give steps of 1, and then all axes from the front, as constants."""
    waiting = _waiting(edit)
    if "starts" not in waiting or "steps" in waiting or edit.site.field("steps") is not None:
        return None
    (count,) = edit.shape(waiting["starts"])
    steps = edit.constant(np.ones(count, np.int64), "steps")
    fields = {name: value for name, value in dict(edit.operator.fields).items() if name not in ("steps", "sizes")}
    return _built(edit, Slice, fields, {**waiting, "steps": steps})


def _pads_together(edit: Edit) -> Any:
    """Lay begins and ends end to end."""
    waiting = _waiting(edit)
    if not {"begins", "ends"} <= set(waiting):
        return None
    wide = [name if edit.kind(name).row == _INT64 else edit.add(Cast(_INT64), name)
            for name in (waiting.pop("begins"), waiting.pop("ends"))]  # fmt: skip
    fields = {name: value for name, value in fields_of(edit.operator).items() if name not in ("begins", "ends")}
    return _built(edit, pad_of_pairs, fields, {"pads": edit.add(Concat(0), *wide), **waiting})


def _expanded_at_run(edit: Edit) -> Any:
    """Repeat a constant of no axes."""
    if "sizes" not in _waiting(edit):
        return None
    value = edit.site.field("value")
    array = value.value if isinstance(value, Constant) else np.asarray(value)
    constant = edit.constant(array.reshape(()))
    for alignment in ("one_way", "two_way"):
        operator = Deferred(Expand, (("alignment", alignment),), (("shape", 1),))
        found = edit.try_add(operator, constant, _waiting(edit)["sizes"])
        if found is not None:
            return found
    return None


def _same_numbers(edit: Edit) -> Any:
    """Count in integers; the ways to compute them agree."""
    waiting = _waiting(edit)
    row = edit.site.outputs[0].row
    if set(waiting) != {"start", "limit", "delta"} or row is None or not row.is_integer:
        return None
    if any(edit.kind(name).row != row for name in waiting.values()):
        return None
    if edit.draft.target.name == "onnx":
        return _built(edit, Range, {}, waiting)
    for compute in (row, _INT64, dtypes.find("uint64")):
        fields = {"dtype": row, "compute": compute, "steps": Steps.ACCUMULATE}
        operator = Deferred(Range, tuple(fields.items()), tuple((name, n) for n, name in enumerate(waiting)))
        found = edit.try_add(operator, *waiting.values())
        if found is not None:
            return found
    return None


def _other_build(build: Any, *kept: str) -> Callable[[Edit], Any]:
    """Return the row that leaves all fields and only says what builds them."""

    def rebuilt(edit: Edit) -> Any:
        if not isinstance(edit.operator, Deferred):
            return None
        known = {name: value for name, value in fields_of(edit.operator).items() if name in kept}
        return _built(edit, build, known, _waiting(edit))

    return rebuilt


_sizes_from_onnx = _other_build(Split, "axis")
_sizes_to_onnx = _other_build(split_by_sizes, "axis")
_slice_from_10 = _other_build(Slice)
_sizes_from_onnx.__name__, _sizes_to_onnx.__name__ = "_sizes_from_onnx", "_sizes_to_onnx"
_slice_from_10.__name__ = "_slice_from_10"

REWRITES: tuple[Rewrite, ...] = (
    Rewrite((ReverseSequence,), "lengths are a tensor of uint8 or uint16", "Cast to uint32, ReverseSequence",
            "DirectML takes uint32 and uint64", _counted_lengths, ("directml",), deferred=True),
    Rewrite((ReverseSequence,), "lengths are a tensor, for several axes, or those beyond the axis mean all of it",
            "Transpose and Reshape to lines, ReverseSequence by the lesser of length and size (ScatterElements of the "
            "lengths with min), Reshape, Transpose", "ONNX and OpenVINO have one axis of lengths, and refuse those "
            "beyond the other", _lengths_of_lines, ("onnx", "openvino"), deferred=True),
    Rewrite((pad_of_pairs,), "pads are a tensor of known length",
            "Slice of the tensor, ScatterElements to all axes, Pad by begins and ends",
            "ONNX has one list of both, for some axes", _pads_apart, ("openvino",), deferred=True),
    Rewrite((Slice,), "starts and ends are tensors, steps are not given", "Slice with steps of 1",
            "OpenVINO has no default for them", _slice_in_full, ("openvino",), deferred=True),
    Rewrite((Pad,), "begins and ends are tensors", "Concat of both, Pad by pairs", "ONNX has one list of both",
            _pads_together, ("onnx",), deferred=True),
    Rewrite((constant_of_shape, Fill), "sizes are a tensor", "Expand of a constant to these sizes",
            "one element, repeated", _expanded_at_run, deferred=True),
    Rewrite((Range, count), "start, limit and delta are tensors of one integer type", "Range",
            "integers are the same however they are computed", _same_numbers, ("onnx", "openvino"), deferred=True),
    Rewrite((object,), "fields are tensors of another integer type", "Cast to int64", "ONNX takes int64 only",
            _wide_fields, deferred=True),
)  # fmt: skip
"""The rows for fields known only at run; all keep every answer and every error."""

NEAR: tuple[Rewrite, ...] = (
    Rewrite((ReverseSequence,), "lengths are a tensor", "Cast to uint64, before feature level 5.0 to uint32, "
            "ReverseSequence", "a length that is negative or longer than the axis reverses all of it instead of being "
            "refused (a length cut to uint32: what is left of it)", _any_lengths, ("directml",), deferred=True),
    Rewrite((split_by_sizes,), "sizes are a tensor", "Split by sizes",
            "a part of -1 takes what remains instead of being refused", _sizes_from_onnx, ("openvino",), deferred=True),
    Rewrite((Split,), "sizes are a tensor", "Split by sizes",
            "a part of -1, which takes what remains, is refused", _sizes_to_onnx, ("onnx",), deferred=True),
    Rewrite((slice_of_version_10,), "axes are a tensor", "Slice",
            "a negative axis counts from the end instead of being refused", _slice_from_10, deferred=True),
)  # fmt: skip
"""What is written only where losses are allowed; `why` tells what is lost."""
