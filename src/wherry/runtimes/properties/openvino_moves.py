"""Properties of OpenVINO models: the other operations that only move elements."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

import numpy as np

from wherry.runtimes.case import Case
from wherry.runtimes.conditions import named
from wherry.runtimes.properties.openvino_models import elements_of
from wherry.runtimes.unseen import NotKnownError
from wherry.runtimes.values import any_outside


def _bits(case: Case, name: str) -> list[bool]:
    return [bit.strip() == "1" for bit in str(case.attributes.get(name, "")).split(",")]


@named("axes are added and shrunk")
def _new_and_shrunk(case: Case) -> bool:
    return any(_bits(case, "new_axis_mask")) and any(_bits(case, "shrink_axis_mask"))


@named("an axis is added behind an ellipsis")
def _new_axis_and_ellipsis(case: Case) -> bool:
    new, ellipsis = _bits(case, "new_axis_mask"), _bits(case, "ellipsis_mask")
    return any(ellipsis) and any(new[ellipsis.index(True) :])


@named("a range with a negative step begins and ends before the first element")
def _before_the_first(case: Case) -> bool:
    return _is_before(_ranges(case))


def _ranges(case: Case) -> Iterable[tuple[int, int, int, int]]:
    """Start, stop and step of each range of a Slice, and the size of its axis."""
    starts, stops, steps = (value.tolist() for value in case.inputs[1:4])
    axes = case.inputs[4].tolist() if len(case.inputs) > 4 else range(len(starts))
    sizes = [case.inputs[0].shape[axis] for axis in axes]
    return zip(starts, stops, steps, sizes, strict=True)


@named("an entry without masks has a negative stride, and begins and ends before the first element")
def _strided_before_the_first(case: Case) -> bool:
    names = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")
    masks = [_bits(case, name) for name in names]
    ndim, axis, ranges = case.inputs[0].ndim, 0, []
    used = sum(not new and not ellipsis for *_, new, _, ellipsis in zip(*masks, strict=True))
    values = [value.tolist() for value in case.inputs[1:]]
    steps = values[2] if len(values) > 2 else [1] * len(values[0])
    for start, stop, step, bits in zip(*values[:2], steps, zip(*masks, strict=True), strict=True):
        _, _, new, _, ellipsis = bits
        if not any(bits):
            ranges.append((start, stop, step, case.inputs[0].shape[axis]))
        axis += ndim - used if ellipsis else int(not new)
    return _is_before(ranges)


def _is_before(ranges: Iterable[tuple[int, int, int, int]]) -> bool:
    return any(step < 0 and start <= stop < -size for start, stop, step, size in ranges)


@named("no range is empty")
def _full_ranges(case: Case) -> bool:
    picked = (range(*slice(start, stop, step).indices(size)) for start, stop, step, size in _ranges(case))
    return bool(case.inputs[0].size > 0) and all(picked)


@named("an axis has a block and pads at its end, and there are several lines along the axes before it")
def _padded_behind(case: Case) -> bool:
    data, blocks, _, ends = case.inputs
    axes = [axis for axis in range(1, data.ndim) if ends[axis] > 0 and blocks[axis] > 1]
    return bool(data.ndim > 3) and any(prod(data.shape[:axis]) > 1 for axis in axes)


@named("target_shape or axes_mapping is a constant of 8 bits")
def _narrow_target(case: Case) -> bool:
    return any(case.kinds[number] in ("i8", "u8") for number in case.constants)


@named("the sizes of the result are known at run only")
def _open_result(case: Case) -> bool:
    target = case.inputs[1]
    return case.is_dynamic and not (case.constants and 1 not in target and target.size >= case.inputs[0].ndim)


@named("data and updates have two types")
def _of_two_types(case: Case) -> bool:
    return case.kind(0) != case.kind(1)


@named("data and pad_value have two types")
def _padded_with_another_type(case: Case) -> bool:
    return case.kind(0) != case.kind(3)


@named("pads are constant and pad_value is not")
def _value_at_run(case: Case) -> bool:
    return len(case.inputs) > 3 and {1, 2} <= case.constants and 3 not in case.constants


@named("more is cropped at one end than the axis has, and more than that is padded at the other")
def _cropped_beyond(case: Case) -> bool:
    if not any(any_outside(pads, 0, np.inf) for pads in case.inputs[1:3]):
        return False
    pads = zip(case.inputs[0].shape, case.inputs[1], case.inputs[2], strict=True)
    return any(min(begin, end) < -size < begin + end for size, begin, end in pads)


@named("data has one axis")
def _one_axis(case: Case) -> bool:
    return bool(case.inputs[0].ndim == 1)


@named("an axis of axes has not size 1, or none is named")
def _unknown_rank(case: Case) -> bool:
    axes = case.inputs[1] if len(case.inputs) > 1 else np.array([])
    shape = case.inputs[0].shape
    return axes.size == 0 or any(shape[int(axis)] != 1 for axis in axes.ravel())


@named("begins and ends do not ascend")
def _not_ascending(case: Case) -> bool:
    runs = np.stack([case.inputs[0].ravel(), case.inputs[1].ravel()], -1).ravel()
    return bool((np.diff(runs.astype(np.int64)) < 0).any())


@named("moved elements of float8 have a negative zero or a signalling NaN")
def _float8_through_float32(case: Case) -> bool:
    lost = {"f8e4m3": (0x80,), "f8e5m2": (0x7D, 0x80, 0xFD)}.get(case.kinds[0], ())
    values = [value for _, value in elements_of(case)] if lost else []
    return any(np.isin(np.ascontiguousarray(value).view(np.uint8), lost).any() for value in values)


@named("data has an integer that f32 does not")
def _rounded_integers(case: Case) -> bool:
    data = case.inputs[0]
    if not any_outside(data, -(2**24), 2**24):
        return False
    return bool((data.astype(np.float32).astype(np.float64) != data.astype(np.float64)).any())


@named("pad_value is an integer that f32 does not have")
def _rounded_pad_value(case: Case) -> bool:
    value = case.inputs[3]
    return any_outside(value, -(2**24), 2**24) and float(value.astype(np.float32)) != float(value)


@named("run with AVX512_CORE_BF16")
def _by_bfloat16(case: Case) -> bool:
    if case.instruction_set is None:
        raise NotKnownError("the instruction set")
    return case.instruction_set == "AVX512_CORE_BF16"
