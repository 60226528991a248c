"""Random one-node models of every operation of the family, for OpenVINO and wherry side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st

from tests.differential.expected_differences import expected
from tests.differential.openvino_cases_basic import concats, gathers, splits, variadic_splits
from tests.differential.openvino_data import (
    CONVERTED_KINDS,
    FLOAT8_KINDS,
    FLOAT_KINDS,
    INDEX_KINDS,
    KINDS,
    MOVED_KINDS,
    NUMBER_KINDS,
    STRINGS_TOO,
    WIDE_INDEX_KINDS,
    Draw,
    Named,
    a_scalar_or_one,
    array,
    data_of,
    few_values,
    inside,
    integers,
    mostly,
    moved,
    one_in,
    reduced,
    shapes,
    some_or_none,
)
from tests.differential.openvino_runtime import OpenVINOCase
from tests.differential.openvino_spoiled import spoiled
from wherry.dialects.openvino.row import OpenVINORow
from wherry.dialects.openvino.table import ROWS


def case(
    draw: Draw,
    row: OpenVINORow,
    tensors: Sequence[Named],
    attributes: dict[str, Any] | None = None,
    count: int = 1,
    may_wait: bool = True,
    is_dynamic: bool | None = None,
) -> OpenVINOCase:
    """Return a model of one node: value inputs are constants, or known only at run in a model of unknown sizes."""
    is_dynamic = draw(st.booleans()) if is_dynamic is None else is_dynamic
    values = {number for number in range(len(tensors)) if row.inputs[number].field is not None}
    constants, sized = values, frozenset(values)
    if row.name == "GatherND":
        sized = frozenset({1})  # the plugin must know the number of axes of the result
    if is_dynamic and may_wait and not any(one.is_constant or one.is_kept for one in row.inputs):
        constants = draw(st.sampled_from([values, set()]))
    if row.inputs[0].is_kept:
        constants = values - {0}
    return OpenVINOCase(
        row.name,
        draw(st.sampled_from([opset for opset in range(row.since, row.last + 1) if opset not in row.gaps])),
        tuple(value for _, value in tensors),
        {name: spelled(value) for name, value in (attributes or {}).items()},
        kinds=tuple(kind for kind, _ in tensors),
        constants=frozenset(constants),
        is_dynamic=is_dynamic,
        sized=sized,
        output_count=count,
    )


def spelled(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def signed_axis(draw: Draw, axis: int, ndim: int) -> int:
    return axis - draw(st.sampled_from([0, ndim]))


def gather_elements(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = draw(shapes())
    axis = draw(st.integers(0, len(shape) - 1))
    picked = [draw(st.integers(1, 5)) if number == axis else size for number, size in enumerate(shape)]
    indices = integers(draw, inside(draw, picked, shape[axis]), WIDE_INDEX_KINDS)
    return case(draw, row, [moved(draw, shape), indices], {"axis": signed_axis(draw, axis, len(shape))})


def gather_nd(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = draw(shapes())
    batch = draw(st.integers(0, len(shape) - 1))
    length = draw(st.integers(1, len(shape) - batch))
    lead = [*shape[:batch], *draw(shapes(0, 2, large=3))]
    columns = [inside(draw, lead, shape[batch + number]) for number in range(length)]
    indices = integers(draw, np.stack(columns, -1))
    return case(draw, row, [moved(draw, shape), indices], {"batch_dims": batch})


def gather_tree(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    steps, batch, beams = draw(shapes(3, 3))
    kind = mostly(draw, ["f32", "f16", "f64", "i16", "i32", "i64", "u16", "u32", "u64"], ["i8", "u8", "bf16"])
    random = np.random.default_rng(draw(st.integers(0, 2**16)))
    values = [
        random.integers(0, 6, (steps, batch, beams)),
        random.integers(0, beams, (steps, batch, beams)),
        random.integers(1, steps + 2, batch),
        random.integers(0, 6, ()),
    ]
    return case(draw, row, [(kind, array(kind, value)) for value in values])


def scatter_update(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = draw(shapes())
    axis = draw(st.integers(0, len(shape) - 1))
    picked = draw(shapes(1, 2, large=3))
    kind, data = moved(draw, shape)
    updates = moved(draw, (*shape[:axis], *picked, *shape[axis + 1 :]), kind=kind)
    indices = integers(draw, inside(draw, picked, shape[axis], negative=False))
    where = a_scalar_or_one(draw, integers(draw, signed_axis(draw, axis, len(shape))))
    return case(draw, row, [(kind, data), indices, updates, where])


def scatter_elements(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = draw(shapes())
    axis = draw(st.integers(0, len(shape) - 1))
    attributes: dict[str, Any] = {}
    if row.attributes:
        words = ["none", "sum", "prod", "min", "max", "mean"]
        attributes = {"reduction": draw(st.sampled_from(words)), "use_init_val": draw(st.booleans())}
    elements, kinds = _elements_to_scatter(attributes)
    kind = draw(st.sampled_from([each for each in kinds if (each, attributes.get("reduction")) != ("boolean", "mean")]))
    picked = [draw(st.integers(1, 5)) if n == axis else draw(st.integers(1, size)) for n, size in enumerate(shape)]
    indices = integers(draw, inside(draw, picked, shape[axis]))
    where = a_scalar_or_one(draw, integers(draw, signed_axis(draw, axis, len(shape))))
    tensors = [elements(draw, shape, kind=kind), indices, elements(draw, picked, kind=kind), where]
    return case(draw, row, tensors, attributes)


def scatter_nd(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = draw(shapes())
    length = draw(st.integers(1, len(shape)))
    lead = draw(shapes(0, 2, large=3))
    attributes = {}
    if row.attributes:
        attributes = {"reduction": draw(st.sampled_from(["none", "sum", "sub", "prod", "min", "max"]))}
    elements, kinds = _elements_to_scatter(attributes)
    kind = draw(st.sampled_from(kinds))
    columns = [inside(draw, lead, shape[number]) for number in range(length)]
    if attributes.get("reduction", "none") == "none":  # threads write a place that is named twice in any order
        places = draw(st.permutations(range(prod(shape[:length]))))[: draw(st.integers(1, 6))]
        lead, columns = [len(places)], list(np.unravel_index(places, shape[:length]))
    indices = integers(draw, np.stack(columns, -1), WIDE_INDEX_KINDS)
    updates = elements(draw, (*lead, *shape[length:]), kind=kind)
    return case(draw, row, [elements(draw, shape, kind=kind), indices, updates], attributes)


def _elements_to_scatter(attributes: dict[str, Any]) -> tuple[Callable[..., Named], Sequence[str]]:
    """Return what makes data and updates, and the types that they may have."""
    return (moved, MOVED_KINDS) if attributes.get("reduction", "none") == "none" else (reduced, KINDS)


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


def slices(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = some_or_none(draw)
    return case(draw, row, [moved(draw, shape, STRINGS_TOO), *ranges(draw, shape)[0]])


def slice_scatters(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = draw(shapes())
    tensors, sizes = ranges(draw, shape)
    kind, data = moved(draw, shape)
    return case(draw, row, [(kind, data), moved(draw, sizes, kind=kind), *tensors])


def strided_slices(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
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


def pads(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
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


def tiles(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    repeats = integers(draw, draw(st.lists(st.integers(0, 3), min_size=1, max_size=4)))
    return case(draw, row, [moved(draw, some_or_none(draw, 0, 3)), repeats])


def broadcasts(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
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


def transposes(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = some_or_none(draw, 1, 5)
    order = draw(st.permutations(range(len(shape)))) if draw(st.integers(0, 4)) else []
    return case(draw, row, [moved(draw, shape, STRINGS_TOO), integers(draw, order)])


def reshapes(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
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


def squeezes(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = some_or_none(draw, 1, 5, large=2)
    attributes = {"allow_axis_skip": draw(st.booleans())} if row.attributes else {}
    is_dynamic = one_in(draw, 4)
    if one_in(draw, 5):
        return case(draw, row, [moved(draw, shape, STRINGS_TOO)], attributes, is_dynamic=is_dynamic)
    ones = [axis for axis, size in enumerate(shape) if size == 1 or draw(st.integers(0, 5)) == 0]
    axes = [signed_axis(draw, axis, len(shape)) for axis in ones]
    tensors = [moved(draw, shape, STRINGS_TOO), integers(draw, axes)]
    return case(draw, row, tensors, attributes, may_wait=False, is_dynamic=is_dynamic)


def unsqueezes(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = some_or_none(draw, 0, 3)
    count = draw(st.integers(1, 3))
    ndim = len(shape) + count
    axes = draw(st.permutations(range(ndim)))[:count]
    named = [signed_axis(draw, axis, ndim) for axis in axes]
    return case(draw, row, [moved(draw, shape, STRINGS_TOO), integers(draw, named)])


def depth_to_space(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    space, block = draw(shapes(1, 3, large=3)), draw(st.integers(1, 3))
    shape = [draw(st.integers(1, 2)), draw(st.integers(1, 2)), *space]
    if row.name == "DepthToSpace":
        shape[1] *= block ** len(space)
    else:
        shape[2:] = [size * block for size in space]
    mode = draw(st.sampled_from(["blocks_first", "depth_first"]))
    return case(draw, row, [moved(draw, shape)], {"mode": mode, "block_size": block})


def batches(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    space = draw(shapes(2, 3, large=3))
    blocks = [draw(st.integers(1, 3)) for _ in space]
    begins = [draw(st.integers(0, 2)) for _ in space]
    kind = draw(st.sampled_from(["i32", "i64"]))
    if row.name == "BatchToSpace":
        ends = [draw(st.integers(0, 1)) for _ in space]
        both = zip(begins, ends, space, blocks, strict=True)
        begins = [min(b, n * k - e - 1) if n * k - e - 1 > 0 else 0 for b, e, n, k in both]
        both = zip(begins, ends, space, blocks, strict=True)
        ends = [e if b + e < n * k else 0 for b, e, n, k in both]
        shape = [prod(blocks) * draw(st.integers(1, 2)), *space]
    else:
        if not one_in(draw, 4):
            space = [n + -(n + b) % k for n, b, k in zip(space, begins, blocks, strict=True)]
        ends = [-(n + b) % k for n, b, k in zip(space, begins, blocks, strict=True)]
        shape = [draw(st.integers(1, 2)), *space]
    tensors = [array(kind, [one, *each]) for one, each in ((1, blocks), (0, begins), (0, ends))]
    return case(draw, row, [moved(draw, shape), *((kind, each) for each in tensors)])


def shuffles(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = some_or_none(draw)
    axis, group = draw(st.integers(0, len(shape) - 1)), draw(st.integers(1, 3))
    shape[axis] *= group
    return case(draw, row, [moved(draw, shape)], {"axis": signed_axis(draw, axis, len(shape)), "group": group})


def patches(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = [draw(st.integers(1, 2)), draw(st.integers(1, 2)), draw(st.integers(1, 7)), draw(st.integers(1, 7))]
    pad = draw(st.sampled_from(["valid", "same_upper", "same_lower"]))
    pairs = {name: [draw(st.integers(1, 3)) for _ in range(2)] for name in ("sizes", "strides", "rates")}
    if pad == "valid":
        reach = [(k - 1) * r + 1 for k, r in zip(pairs["sizes"], pairs["rates"], strict=True)]
        shape[2:] = [max(size, need) for size, need in zip(shape[2:], reach, strict=True)]
    return case(draw, row, [moved(draw, shape)], {**pairs, "auto_pad": pad})


def col2im(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    kernel, strides, dilations, begins, ends, image = ([draw(st.integers(*span)) for _ in range(2)] for span in (
        (1, 3), (1, 3), (1, 2), (0, 2), (0, 2), (1, 6)))  # fmt: skip
    axes = list(zip(image, kernel, dilations, begins, ends, strides, strict=True))
    image = [max(n, (k - 1) * d + 1) for n, k, d, *_ in axes]
    axes = list(zip(image, kernel, dilations, begins, ends, strides, strict=True))
    windows = prod((n + b + e - d * (k - 1) - 1) // s + 1 for n, k, d, b, e, s in axes)
    lead = draw(shapes(0, 1, large=2))
    depth = draw(st.integers(1, 2)) * prod(kernel)
    kind = draw(st.sampled_from(["i32", "i64"]))
    attributes = {"strides": strides, "dilations": dilations, "pads_begin": begins, "pads_end": ends}
    data = data_of(draw, (*lead, depth, windows), NUMBER_KINDS)
    return case(draw, row, [data, (kind, array(kind, image)), (kind, array(kind, kernel))], attributes)


def reverses(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = some_or_none(draw)
    if draw(st.booleans()):
        mask = "boolean", np.array([draw(st.booleans()) for _ in shape])
        return case(draw, row, [moved(draw, shape), mask], {"mode": "mask"})
    axes = [signed_axis(draw, axis, len(shape)) for axis in draw(st.lists(st.integers(0, len(shape) - 1), max_size=3))]
    return case(draw, row, [moved(draw, shape), integers(draw, axes)], {"mode": "index"})


def reverse_sequences(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = draw(shapes(2, 4))
    batch, seq = draw(st.permutations(range(len(shape))))[:2]
    lengths = [draw(st.integers(0, shape[seq])) for _ in range(shape[batch])]
    given = integers(draw, lengths)
    kind = mostly(draw, ["f32", "f16", "f64", "boolean", "i8", "u8", "i16", "u16", "i4", "u4", "f8e8m0"], MOVED_KINDS)
    attributes = {"batch_axis": signed_axis(draw, batch, len(shape)), "seq_axis": signed_axis(draw, seq, len(shape))}
    return case(draw, row, [moved(draw, shape, kind=kind), given], attributes)


def rolls(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = some_or_none(draw)
    axes = draw(st.lists(st.integers(-len(shape), len(shape) - 1), min_size=1, max_size=3))
    shifts = [draw(st.integers(-9, 9)) for _ in axes]
    kind = draw(st.sampled_from(WIDE_INDEX_KINDS))
    tensors = [array(kind, shifts), array(kind, axes)]
    if len(axes) == 1 and draw(st.booleans()):
        tensors = [each.reshape(()) for each in tensors]
    return case(draw, row, [moved(draw, shape), *((kind, each) for each in tensors)])


def uniques(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = draw(shapes(1, 3))
    kind = draw(st.sampled_from(STRINGS_TOO))
    tensors = [(kind, few_values(draw, kind, shape))]
    if draw(st.booleans()):
        axis = signed_axis(draw, draw(st.integers(0, len(shape) - 1)), len(shape))
        tensors.append(a_scalar_or_one(draw, integers(draw, axis, WIDE_INDEX_KINDS)))
    types = {name: draw(st.sampled_from(["i32", "i64"])) for name in ("index_element_type", "count_element_type")}
    return case(draw, row, tensors, {"sorted": draw(st.booleans()), **types}, count=4)


def one_hots(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape, depth = draw(shapes(0, 3)), draw(st.integers(1, 5))
    axis = draw(st.integers(-len(shape) - 1, len(shape)))
    random = np.random.default_rng(draw(st.integers(0, 2**16)))
    places = random.integers(-2 * depth, 2 * depth, shape)
    if draw(st.integers(0, 3)) == 0:
        places = np.where(random.integers(0, 2, shape), places, draw(st.sampled_from([2**31 - 1, -(2**31)])))
    indices = integers(draw, places, WIDE_INDEX_KINDS)
    kind, on = moved(draw, ())
    attributes = {"axis": axis}
    if len(row.attributes) > 1:
        attributes["negative_indices_mode"] = draw(st.sampled_from(["ignore_negative", "normalize"]))
    depth_tensor = integers(draw, depth, WIDE_INDEX_KINDS)
    return case(draw, row, [indices, depth_tensor, (kind, on), moved(draw, (), kind=kind)], attributes)


def number_ranges(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    kind = draw(st.sampled_from(NUMBER_KINDS))
    attributes = {"output_type": draw(st.sampled_from(NUMBER_KINDS))} if row.attributes else {}
    made_of = {kind, *attributes.values()}
    is_unsigned = any(one[0] == "u" for one in made_of)
    start, stop = (draw(st.integers(0 if is_unsigned else -20, 20)) for _ in range(2))
    step = draw(st.sampled_from([1, 2, 3])) * (-1 if start > stop and not is_unsigned else 1)
    if is_unsigned and start > stop and not one_in(draw, 8):
        start, stop = stop, start
    elif not is_unsigned and one_in(draw, 8):
        step = -step
    values = [start, stop, step]
    if made_of <= set(FLOAT_KINDS):
        values = [value / 4 for value in values]
    tensors = [(kind, array(kind, value)) for value in values]
    made = case(draw, row, tensors, attributes)
    return OpenVINOCase(**{**vars(made), "constants": frozenset(draw(st.sampled_from([{0, 1, 2}, {2}, set()])))})


def eyes(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    kind = draw(st.sampled_from(WIDE_INDEX_KINDS))
    far = [2**31 - 1, -(2**31)] + [2**40, -(2**63)] * (kind == "i64")
    diagonal = draw(st.integers(-6, 6)) if draw(st.integers(0, 4)) else draw(st.sampled_from(far))
    given = [draw(st.integers(0, 5)), draw(st.integers(0, 5)), diagonal]
    tensors = [a_scalar_or_one(draw, (kind, array(kind, value))) for value in given]
    if draw(st.booleans()):
        tensors.append((kind, array(kind, draw(shapes(0, 2, small=0, large=3)))))
    return case(draw, row, tensors, {"output_type": mostly(draw, [*KINDS, "i4", "u4"], ["f8e4m3", "f8e5m2"])})


def identities(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    kind = mostly(draw, [*KINDS, "string", *FLOAT8_KINDS], ["i4", "u4"])
    return case(draw, row, [moved(draw, some_or_none(draw, 0, 4), kind=kind)])


def selects(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    shape = some_or_none(draw)

    def part() -> list[int]:
        return [draw(st.sampled_from([1, size])) for size in shape][draw(st.integers(0, len(shape) - 1)) :]

    kind, then = moved(draw, shape, kind=mostly(draw, [*KINDS, "i4", "u4"], FLOAT8_KINDS))
    condition = data_of(draw, part(), kind="boolean")
    return case(draw, row, [condition, (kind, then), moved(draw, part(), kind=kind)], {"auto_broadcast": "numpy"})


def non_zeros(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    kind = mostly(draw, [*KINDS, "i4", "u4"], FLOAT8_KINDS)
    data = few_values(draw, kind, draw(shapes(0, 4)))
    return case(draw, row, [(kind, data)], {"output_type": draw(st.sampled_from(["i32", "i64"]))})


def shapes_of(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    attributes = {"output_type": draw(st.sampled_from(["i32", "i64"]))} if row.attributes else {}
    return case(draw, row, [moved(draw, some_or_none(draw, 0, 4), STRINGS_TOO)], attributes)


def converts(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    kind, values = moved(draw, draw(shapes(0, 3)), CONVERTED_KINDS)
    if draw(st.booleans()):
        kind, values = data_of(draw, values.shape, kind=kind)
        if kind in FLOAT_KINDS:
            values = (values.astype(np.float32) / 4).astype(values.dtype)
    if row.name == "ConvertLike":
        return case(draw, row, [(kind, values), moved(draw, draw(shapes(0, 2)), CONVERTED_KINDS)])
    return case(draw, row, [(kind, values)], {"destination_type": draw(st.sampled_from(CONVERTED_KINDS))})


def string_packs(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    symbols = np.frombuffer(b"Intel OpenVINO", np.uint8)
    shape = draw(shapes(1, 2))
    ends = inside(draw, shape, len(symbols) + 1, negative=False)
    begins = np.minimum(inside(draw, shape, len(symbols) + 1, negative=False), ends)
    kind = draw(st.sampled_from(WIDE_INDEX_KINDS))
    return case(draw, row, [(kind, array(kind, begins)), (kind, array(kind, ends)), ("u8", symbols)])


def string_unpacks(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    return case(draw, row, [data_of(draw, draw(shapes(1, 3)), kind="string")], count=3)


_MAKERS: dict[str, Callable[[Draw, OpenVINORow], OpenVINOCase]] = {
    "BatchToSpace": batches,
    "Broadcast": broadcasts,
    "Col2Im": col2im,
    "Concat": concats,
    "Convert": converts,
    "ConvertLike": converts,
    "DepthToSpace": depth_to_space,
    "ExtractImagePatches": patches,
    "Eye": eyes,
    "Gather": gathers,
    "GatherElements": gather_elements,
    "GatherND": gather_nd,
    "GatherTree": gather_tree,
    "Identity": identities,
    "NonZero": non_zeros,
    "OneHot": one_hots,
    "Pad": pads,
    "Range": number_ranges,
    "Reshape": reshapes,
    "Reverse": reverses,
    "ReverseSequence": reverse_sequences,
    "Roll": rolls,
    "ScatterElementsUpdate": scatter_elements,
    "ScatterNDUpdate": scatter_nd,
    "ScatterUpdate": scatter_update,
    "Select": selects,
    "ShapeOf": shapes_of,
    "ShuffleChannels": shuffles,
    "Slice": slices,
    "SliceScatter": slice_scatters,
    "SpaceToBatch": batches,
    "SpaceToDepth": depth_to_space,
    "Split": splits,
    "Squeeze": squeezes,
    "StridedSlice": strided_slices,
    "StringTensorPack": string_packs,
    "StringTensorUnpack": string_unpacks,
    "Tile": tiles,
    "Transpose": transposes,
    "Unique": uniques,
    "Unsqueeze": unsqueezes,
    "VariadicSplit": variadic_splits,
}

FAMILY = tuple(row for row in ROWS if row.name in _MAKERS)
"""The rows that have random models here."""

_TRIES = 20
"""Of no row more than half of the models fall under entries: so many draws find one beside them."""


@st.composite
def good_cases(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    """Models of one row that the specification allows."""
    return _MAKERS[row.name](draw, row)


@st.composite
def comparable_cases(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    """Models of one row that both take, and with equal results: under an entry is none of them."""
    for _ in range(_TRIES):
        found = draw(good_cases(row))
        if expected(found, "openvino") is None:
            return found
    reject()


@st.composite
def rare_cases(draw: Draw, row: OpenVINORow) -> OpenVINOCase:
    """Models of one row, under an entry or not; every second one is bad on purpose."""
    good = draw(good_cases(row))
    return spoiled(draw, good) if draw(st.booleans()) else good
