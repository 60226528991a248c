"""Random one-node models of OpenVINO's operations on blocks and windows, the reverses and Roll."""

from __future__ import annotations

from math import prod

import numpy as np
from hypothesis import strategies as st

from tests.differential.openvino_data import (
    MOVED_KINDS,
    NUMBER_KINDS,
    WIDE_INDEX_KINDS,
    Draw,
    array,
    data_of,
    integers,
    mostly,
    moved,
    one_in,
    shapes,
    some_or_none,
)
from tests.differential.openvino_one_node import case, signed_axis
from wherry.dialects.openvino.row import OpenVINORow
from wherry.runtimes.case import Case


def depth_to_space(draw: Draw, row: OpenVINORow) -> Case:
    space, block = draw(shapes(1, 3, large=3)), draw(st.integers(1, 3))
    shape = [draw(st.integers(1, 2)), draw(st.integers(1, 2)), *space]
    if row.name == "DepthToSpace":
        shape[1] *= block ** len(space)
    else:
        shape[2:] = [size * block for size in space]
    mode = draw(st.sampled_from(["blocks_first", "depth_first"]))
    return case(draw, row, [moved(draw, shape)], {"mode": mode, "block_size": block})


def batches(draw: Draw, row: OpenVINORow) -> Case:
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


def shuffles(draw: Draw, row: OpenVINORow) -> Case:
    shape = some_or_none(draw)
    axis, group = draw(st.integers(0, len(shape) - 1)), draw(st.integers(1, 3))
    shape[axis] *= group
    return case(draw, row, [moved(draw, shape)], {"axis": signed_axis(draw, axis, len(shape)), "group": group})


def patches(draw: Draw, row: OpenVINORow) -> Case:
    shape = [draw(st.integers(1, 2)), draw(st.integers(1, 2)), draw(st.integers(1, 7)), draw(st.integers(1, 7))]
    pad = draw(st.sampled_from(["valid", "same_upper", "same_lower"]))
    pairs = {name: [draw(st.integers(1, 3)) for _ in range(2)] for name in ("sizes", "strides", "rates")}
    if pad == "valid":
        reach = [(k - 1) * r + 1 for k, r in zip(pairs["sizes"], pairs["rates"], strict=True)]
        shape[2:] = [max(size, need) for size, need in zip(shape[2:], reach, strict=True)]
    return case(draw, row, [moved(draw, shape)], {**pairs, "auto_pad": pad})


def col2im(draw: Draw, row: OpenVINORow) -> Case:
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


def reverses(draw: Draw, row: OpenVINORow) -> Case:
    shape = some_or_none(draw)
    if draw(st.booleans()):
        mask = "boolean", np.array([draw(st.booleans()) for _ in shape])
        return case(draw, row, [moved(draw, shape), mask], {"mode": "mask"})
    axes = [signed_axis(draw, axis, len(shape)) for axis in draw(st.lists(st.integers(0, len(shape) - 1), max_size=3))]
    return case(draw, row, [moved(draw, shape), integers(draw, axes)], {"mode": "index"})


def reverse_sequences(draw: Draw, row: OpenVINORow) -> Case:
    shape = draw(shapes(2, 4))
    batch, seq = draw(st.permutations(range(len(shape))))[:2]
    lengths = [draw(st.integers(0, shape[seq])) for _ in range(shape[batch])]
    given = integers(draw, lengths)
    kind = mostly(draw, ["f32", "f16", "f64", "boolean", "i8", "u8", "i16", "u16", "i4", "u4", "f8e8m0"], MOVED_KINDS)
    attributes = {"batch_axis": signed_axis(draw, batch, len(shape)), "seq_axis": signed_axis(draw, seq, len(shape))}
    return case(draw, row, [moved(draw, shape, kind=kind), given], attributes)


def rolls(draw: Draw, row: OpenVINORow) -> Case:
    shape = some_or_none(draw)
    axes = draw(st.lists(st.integers(-len(shape), len(shape) - 1), min_size=1, max_size=3))
    shifts = [draw(st.integers(-9, 9)) for _ in axes]
    kind = draw(st.sampled_from(WIDE_INDEX_KINDS))
    tensors = [array(kind, shifts), array(kind, axes)]
    if len(axes) == 1 and draw(st.booleans()):
        tensors = [each.reshape(()) for each in tensors]
    return case(draw, row, [moved(draw, shape), *((kind, each) for each in tensors)])
