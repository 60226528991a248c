"""Uses of operators that have another form: the same operator with other fields."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tests.conversion.drawn import Draw, element_types, indices, sizes
from tests.conversion.sites import Use, data, use
from tests.conversion.strategies_index import slices
from wherry.ops import DepthToSpace, GatherND, Range, Reshape, ScatterND, Slice, SpaceToDepth


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
    if draw(st.booleans()):
        return use(Reshape((-1, shape[-1])), data(*shape, dtype=element_types(draw)))
    picked = indices(draw, (2, 1), shape[0], "int64")
    return use(ScatterND(), data(*shape), picked, -data(2, *shape[1:]))


def integers(draw: Draw) -> Use:
    dtype = np.dtype(draw(st.sampled_from(["int8", "uint8", "int32", "int64"])))
    start, delta, count = (draw(st.integers(low, 9)) for low in (0, 1, 0))
    return use(Range(dtype.type(start), dtype.type(delta), dtype.type(start + delta * count)))
