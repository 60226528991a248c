"""Random one-node models of OpenVINO's slices, Pad, Tile, Broadcast, Transpose and the reshapes."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from tests.differential.openvino_data import (
    INDEX_KINDS,
    STRINGS_TOO,
    Draw,
    Named,
    integers,
    moved,
    one_in,
    shapes,
    some_or_none,
)
from tests.differential.openvino_one_node import case, signed_axis
from wherry.dialects.openvino.row import OpenVINORow
from wherry.runtimes.case import Case


def ranges(draw: Draw, shape: Sequence[int]) -> tuple[list[Named], list[int]]:
    """Return start, stop, step and axes of a slice that is not empty, and its sizes."""
    axes = draw(st.permutations(range(len(shape))))[: draw(st.integers(1, len(shape)))]
    if draw(st.booleans()):
        axes = list(range(len(axes)))
    starts, stops, steps, sizes = [], [], [], list(shape)
    for axis in axes:
        size = shape[axis]
        step = draw(st.sampled_from([1, 1, 2, 3, -1, -2]))
        start = draw(st.integers(-size - 3, size + 3))
        stop = draw(st.integers(-size - 3, size + 3))
        starts.append(start), stops.append(stop), steps.append(step)
        low = max(0, min(start + size if start < 0 else start, size if step > 0 else size - 1))
        end = stop + size if stop < 0 else stop
        end = min(max(end, 0), size) if step > 0 else min(max(end, -1), size - 1)
        sizes[axis] = max(0, -((low - end) // step))
    tensors = [integers(draw, each) for each in (starts, stops, steps)]
    named = [signed_axis(draw, axis, len(shape)) for axis in axes]
    if axes != list(range(len(axes))) or draw(st.booleans()):
        tensors.append(integers(draw, named))
    return tensors, sizes


def slices(draw: Draw, row: OpenVINORow) -> Case:
    shape = some_or_none(draw)
    return case(draw, row, [moved(draw, shape, STRINGS_TOO), *ranges(draw, shape)[0]])


def slice_scatters(draw: Draw, row: OpenVINORow) -> Case:
    shape = draw(shapes())
    tensors, sizes = ranges(draw, shape)
    kind, data = moved(draw, shape)
    return case(draw, row, [(kind, data), moved(draw, sizes, kind=kind), *tensors])


def strided_slices(draw: Draw, row: OpenVINORow) -> Case:
    shape = draw(shapes())
    entries = draw(st.integers(1, len(shape)))
    also = ["new", "shrink"] if one_in(draw, 8) else [draw(st.sampled_from(["new", "shrink"]))]
    words = draw(st.lists(st.sampled_from(["range", "range", "ellipsis", *also]), min_size=1, max_size=5))
    kept: list[str] = []
    for word in words:
        used = sum(one in ("range", "shrink") for one in kept)
        if (word in ("range", "shrink") and used == entries) or (word == "ellipsis" and "ellipsis" in kept):
            continue
        kept.append(word)
    used = sum(one in ("range", "shrink") for one in kept)
    axis = 0
    columns: list[tuple[int, int, int, int, int]] = []
    for word in kept:
        if word == "ellipsis":
            axis += len(shape) - used
        if word in ("new", "ellipsis"):
            columns.append((0, 0, 1, 0, 0))
            continue
        size = shape[axis]
        axis += 1
        if word == "shrink":
            columns.append((draw(st.integers(-size, size - 1)), 0, 1, 0, 0))
            continue
        ends = [draw(st.integers(-size - 2, size + 2)) for _ in range(2)]
        masks = [draw(st.integers(0, 1)) for _ in range(2)]
        columns.append((*ends, draw(st.sampled_from([1, 2, -1, -2])), *masks))
    begin, end, stride, begin_mask, end_mask = (list(column) for column in zip(*columns, strict=True))
    attributes = {
        "begin_mask": begin_mask,
        "end_mask": end_mask,
        "new_axis_mask": [int(word == "new") for word in kept],
        "shrink_axis_mask": [int(word == "shrink") for word in kept],
        "ellipsis_mask": [int(word == "ellipsis") for word in kept],
    }
    tensors = [integers(draw, each, ["i32", "i64"]) for each in (begin, end, stride)]
    if set(stride) == {1} and draw(st.booleans()):
        del tensors[-1]
    return case(draw, row, [moved(draw, shape), *tensors], attributes)


def pads(draw: Draw, row: OpenVINORow) -> Case:
    shape = draw(shapes(small=2))
    mode = draw(st.sampled_from(["constant", "edge", "reflect", "symmetric"]))
    most = {"constant": 5, "edge": 5, "reflect": min(shape) - 1, "symmetric": min(shape)}[mode]
    begins = [draw(st.integers(0, most)) for _ in shape]
    ends = [draw(st.integers(0, most)) for _ in shape]
    if draw(st.booleans()):
        at = draw(st.integers(0, len(shape) - 1))
        (begins if draw(st.booleans()) else ends)[at] = -draw(st.integers(1, shape[at] - 1))
    kind, data = moved(draw, shape)
    tensors = [(kind, data), integers(draw, begins), integers(draw, ends)]
    if draw(st.booleans()):
        tensors.append(moved(draw, (), kind=kind))
    return case(draw, row, tensors, {"pad_mode": mode})


def tiles(draw: Draw, row: OpenVINORow) -> Case:
    repeats = integers(draw, draw(st.lists(st.integers(0, 3), min_size=1, max_size=4)))
    return case(draw, row, [moved(draw, some_or_none(draw, 0, 3)), repeats])


def broadcasts(draw: Draw, row: OpenVINORow) -> Case:
    mode = draw(st.sampled_from(["numpy", "explicit"] + ["bidirectional"] * (row.since > 1)))
    kinds = INDEX_KINDS if one_in(draw, 8) else ["i16", "i32", "i64", "u16", "u32", "u64"]
    target = draw(shapes(1, 4))
    if mode == "explicit":
        axes = sorted(draw(st.sets(st.integers(0, len(target) - 1), min_size=1)))
        shape = [draw(st.sampled_from([1, target[axis]])) for axis in axes]
        tensors = [integers(draw, target, kinds), integers(draw, axes, kinds)]
    else:
        tail = target[draw(st.integers(0, len(target))) :]
        shape = [draw(st.sampled_from([1, size])) for size in tail]
        if mode == "bidirectional":
            target = [draw(st.sampled_from([1, size])) for size in target]
            shape = [size if size > 1 or given == 1 else 1 for size, given in zip(shape, tail, strict=True)]
        tensors = [integers(draw, target, kinds)]
    return case(draw, row, [moved(draw, shape), *tensors], {"mode": mode})


def transposes(draw: Draw, row: OpenVINORow) -> Case:
    shape = some_or_none(draw, 1, 5)
    order = draw(st.permutations(range(len(shape)))) if draw(st.integers(0, 4)) else []
    return case(draw, row, [moved(draw, shape, STRINGS_TOO), integers(draw, order)])


def reshapes(draw: Draw, row: OpenVINORow) -> Case:
    shape = draw(shapes(1, 4))
    target = list(draw(st.permutations([*shape, 1])))
    special = draw(st.booleans())
    if draw(st.booleans()):
        target[draw(st.integers(0, len(target) - 1))] = -1
    if special:
        equal = [n for n, size in enumerate(target[: len(shape)]) if size == shape[n]]
        for number in draw(st.sets(st.sampled_from(equal))) if equal else ():
            target[number] = 0
    return case(
        draw,
        row,
        [moved(draw, shape, STRINGS_TOO), integers(draw, target)],
        {"special_zero": special},
    )


def squeezes(draw: Draw, row: OpenVINORow) -> Case:
    shape = some_or_none(draw, 1, 5, large=2)
    attributes = {"allow_axis_skip": draw(st.booleans())} if row.attributes else {}
    is_dynamic = one_in(draw, 4)
    if one_in(draw, 5):
        return case(draw, row, [moved(draw, shape, STRINGS_TOO)], attributes, is_dynamic=is_dynamic)
    ones = [axis for axis, size in enumerate(shape) if size == 1 or draw(st.integers(0, 5)) == 0]
    axes = [signed_axis(draw, axis, len(shape)) for axis in ones]
    tensors = [moved(draw, shape, STRINGS_TOO), integers(draw, axes)]
    return case(draw, row, tensors, attributes, may_wait=False, is_dynamic=is_dynamic)


def unsqueezes(draw: Draw, row: OpenVINORow) -> Case:
    shape = some_or_none(draw, 0, 3)
    count = draw(st.integers(1, 3))
    ndim = len(shape) + count
    axes = draw(st.permutations(range(ndim)))[:count]
    named = [signed_axis(draw, axis, ndim) for axis in axes]
    return case(draw, row, [moved(draw, shape, STRINGS_TOO), integers(draw, named)])
