"""Uses of operators that have another form, or that copies of parts make up."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tests.conversion.drawn import Draw, element_types, indices, sizes
from tests.conversion.sites import Use, data, use
from tests.conversion.strategies_index import slices
from wherry.ops import (
    DepthToSpace,
    ExtractImagePatches,
    GatherND,
    Im2Col,
    Pad,
    Range,
    Reshape,
    ScatterND,
    ShapeOf,
    SizeOf,
    Slice,
    SpaceToDepth,
)


def counted_slice(draw: Draw) -> Use:
    """Slices without steps, and slices by a number of positions."""
    shape = sizes(draw)
    if draw(st.booleans()):
        return use(Slice(**slices(draw, shape, steps=False)), data(*shape, dtype=element_types(draw)))
    starts = tuple(draw(st.integers(0, size - 1)) for size in shape)
    counts = tuple(draw(st.integers(0, size - start)) for size, start in zip(shape, starts, strict=True))
    if draw(st.booleans()):
        return use(Slice(starts, sizes=counts), data(*shape))
    backwards = tuple(draw(st.integers(0, start + 1)) for start in starts)
    return use(Slice(starts, sizes=backwards, steps=(-1,) * len(shape)), data(*shape))


def one_batch_axis(draw: Draw) -> Use:
    shape = sizes(draw, 3, 4)
    batch = draw(st.integers(0, 1))
    picked = indices(draw, (*shape[:batch], 2, 1), shape[batch], "int64")
    return use(GatherND(batch, merge_batch=True), data(*shape), picked)


def known_ndim(draw: Draw) -> Use:
    block = draw(st.integers(1, 2))
    if draw(st.booleans()):
        return use(DepthToSpace(block, ndim=4), data(2, 3 * block**2, 2, 1))
    return use(SpaceToDepth(block, ndim=4), data(2, 3, 2 * block, block))


def refusing(draw: Draw) -> Use:
    """Uses that are not refused, by operators that would refuse others."""
    shape = sizes(draw, 2, 3)
    kind = draw(st.integers(0, 2))
    if kind == 0:
        return use(Reshape((-1, shape[-1])), data(*shape, dtype=element_types(draw)))
    if kind == 1:
        ends = tuple(-draw(st.integers(0, size)) for size in shape)
        return use(Pad((0,) * len(shape), ends), data(*shape), is_open=True)
    picked = indices(draw, (2, 1), shape[0], "int64")
    return use(ScatterND(), data(*shape), picked, -data(2, *shape[1:]))


def integers(draw: Draw) -> Use:
    dtype = np.dtype(draw(st.sampled_from(["int8", "uint8", "int32", "int64"])))
    start, delta, count = (draw(st.integers(low, 9)) for low in (0, 1, 0))
    return use(Range(dtype.type(start), dtype.type(delta), dtype.type(start + delta * count)))


def cropped(draw: Draw) -> Use:
    shape = sizes(draw, 1, 3)
    begins, ends = ([draw(st.integers(-1, 2)) for _ in shape] for _ in range(2))
    mode = draw(st.sampled_from(["constant", "edge", "wrap", "reflect"]))
    fields = {"value": np.float32(7)} if mode == "constant" else {"mixed_signs": draw(st.sampled_from(MIXED))}
    beyond = {} if mode in ("constant", "edge") else {"beyond": "fold"}
    return use(Pad(tuple(begins), tuple(ends), mode, overcrop="empty", **fields, **beyond), data(*shape))


MIXED = ["crop_first", "original"]


def windows_of_images(draw: Draw) -> Use:
    kernel, strides, rates = (draw(st.tuples(st.integers(1, high), st.integers(1, high))) for high in (3, 3, 2))
    image = tuple((k - 1) * r + 1 + draw(st.integers(0, 3)) for k, r in zip(kernel, rates, strict=True))
    array = data(draw(st.integers(1, 2)), 2, *image)
    if draw(st.booleans()):
        return use(ExtractImagePatches(kernel, strides, rates, draw(st.sampled_from(PADS))), array)
    begins, ends = (draw(st.tuples(st.integers(0, 2), st.integers(0, 2))) for _ in range(2))
    return use(Im2Col(kernel, strides, rates, begins, ends), array)


PADS = ["valid", "same_upper", "same_lower"]


def sizes_of(draw: Draw) -> Use:
    operator = draw(st.sampled_from([ShapeOf(), ShapeOf(1, -1, "int32"), SizeOf(), SizeOf("int32")]))
    return use(operator, data(*sizes(draw, 1, 4, smallest=0)))


def wide_slice(draw: Draw) -> Use:
    """Slices that leave most of data."""
    shape = tuple(draw(st.lists(st.integers(3, 5), min_size=1, max_size=3)))
    steps = tuple(draw(st.sampled_from([1, 2, -1])) for _ in shape)
    first = draw(st.integers(0, 1))
    starts = tuple(first if step > 0 else -1 - first for step in steps)
    ends = tuple(9 if step > 0 else -9 for step in steps)
    return use(Slice(starts, ends, steps=steps), data(*shape, dtype=element_types(draw)))
