"""Uses of operators that rearrange, repeat and make tensors, to which rows of the table of rewrites apply."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tests.conversion.drawn import Draw, element_types, indices, of_open_sizes, sizes
from tests.conversion.sites import Use, data, use
from tests.conversion.strategies_index import (
    chosen,
    constant_scatter,
    slice_scatter,
    sliced,
    zeros_by_constants,
)
from wherry import dtypes
from wherry.graph import Deferred
from wherry.moves import Duplicates, OutOfRangeWrite
from wherry.ops import (
    Alignment,
    BatchToSpace,
    Cast,
    ChannelOrder,
    Col2Im,
    Compress,
    Concat,
    DepthToSpace,
    Expand,
    ExtractImagePatches,
    Eye,
    EyeLike,
    Fill,
    Flatten,
    Gather,
    Identity,
    Im2Col,
    NonZero,
    Pad,
    Range,
    Reshape,
    Reverse,
    ReverseSequence,
    Roll,
    ScatterND,
    ShapeOf,
    ShuffleChannels,
    Slice,
    SpaceToBatch,
    SpaceToDepth,
    Split,
    Squeeze,
    StridedSlice,
    Tile,
    Transpose,
    Trilu,
    Unsqueeze,
)


def split(draw: Draw) -> Use:
    shape = sizes(draw, 1, 3, 0)
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    if draw(st.booleans()):
        return use(Split(axis, sections=draw(st.integers(1, 3)), uneven="smaller_last"), data(*shape))
    first = draw(st.integers(0, shape[axis]))
    return use(Split(axis, sizes=draw(st.sampled_from([(first, -1), (-1, first)]))), data(*shape))


def even_split(draw: Draw) -> Use:
    count = draw(st.integers(1, 3))
    return use(Split(0, sizes=(2,) * count), data(2 * count, 3))


def strided(draw: Draw) -> Use:
    shape = sizes(draw, 2, 4)
    bits = st.lists(st.integers(0, 1), min_size=2, max_size=2)
    masks = {name: draw(bits) for name in ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask")}
    operator = StridedSlice((0, -1), (2, 4), draw(st.sampled_from([None, (1, 2), (-1, 1)])), **masks)
    return use(operator, data(*shape))


def roll(draw: Draw) -> Use:
    shape = sizes(draw)
    axes = draw(st.lists(st.integers(-len(shape), len(shape) - 1), min_size=1, max_size=3))
    return use(Roll(tuple(draw(st.integers(-5, 5)) for _ in axes), tuple(axes)), data(*shape))


def reverse(draw: Draw) -> Use:
    shape = sizes(draw)
    if draw(st.booleans()):
        return use(Reverse(mask=tuple(draw(st.booleans()) for _ in shape)), data(*shape))
    return use(Reverse(tuple(draw(st.lists(st.integers(-len(shape), len(shape) - 1), max_size=3)))), data(*shape))


def rearranged(draw: Draw) -> Use:
    order = draw(st.sampled_from(ChannelOrder))
    space = sizes(draw, 1, 3)
    block = draw(st.integers(1, 2))
    kind = draw(st.integers(0, 2))
    if kind == 0:
        return use(DepthToSpace(block, order), data(2, 3 * block ** len(space), *space))
    if kind == 1:
        return use(SpaceToDepth(block, order), data(2, 3, *(block * n for n in space)))
    return use(ShuffleChannels(-1, block), data(*space, 3 * block))


def batch_to_space(draw: Draw) -> Use:
    blocks = sizes(draw, 1, 3)
    blocks = tuple(min(block, 2) for block in blocks)
    space = tuple(draw(st.integers(1, 3)) for _ in blocks)
    begins = tuple(draw(st.integers(0, 1)) for _ in blocks)
    ends = tuple(min(1, n * b - begin) for n, b, begin in zip(space, blocks, begins, strict=True))
    batch = 2 * int(np.prod(blocks))
    return use(BatchToSpace((1, *blocks), (0, *begins), (0, *ends)), data(batch, *space))


def space_to_batch(draw: Draw) -> Use:
    blocks = tuple(min(block, 2) for block in sizes(draw, 1, 3))
    begins = tuple(draw(st.integers(0, 2)) for _ in blocks)
    space = tuple(draw(st.integers(1, 3)) for _ in blocks)
    ends = tuple(-(n + begin) % b for n, begin, b in zip(space, begins, blocks, strict=True))
    return use(SpaceToBatch((1, *blocks), (0, *begins), (0, *ends)), data(2, *space, dtype=element_types(draw)))


def squeezed(draw: Draw) -> Use:
    shape = tuple(draw(st.sampled_from([1, 1, 2])) for _ in range(draw(st.integers(1, 4))))
    ones = [axis for axis, size in enumerate(shape) if size == 1]
    axes = draw(st.sampled_from([None, (), tuple(ones), tuple(range(len(shape)))]))
    empty = draw(st.sampled_from(["all", "none"]))
    return use(Squeeze(axes, empty, other_sizes="keep"), data(*shape))


def reshaped(draw: Draw) -> Use:
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return use(Flatten(draw(st.integers(-2, 2))), data(2, 3, dtype=element_types(draw)))
    if kind == 1:
        return use(Reshape((0, -1), undetermined="one"), data(2, 3, 4))
    if kind == 2:
        return use(Unsqueeze(draw(st.sampled_from([(0,), (-1, 0), (1, 1)])), repeated="collapse"), data(2, 3))
    return squeezed(draw)


def transposed(draw: Draw) -> Use:
    return use(Transpose(None), data(*sizes(draw)))


def expanded(draw: Draw) -> Use:
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return use(Expand((2, 3), Alignment.EXPLICIT, (1,)), data(3))
    if kind == 1:
        return use(Expand((2, 3, 4), Alignment.START, start=0), data(2, 1, dtype=element_types(draw)))
    if kind == 2:
        return use(Expand((3, 1), Alignment.TWO_WAY), data(2, 1, 4))
    return use(Expand((2, 3), Alignment.START, start=-1), data(3))


def tiled(draw: Draw) -> Use:
    if draw(st.booleans()):
        return use(Tile((draw(st.integers(0, 3)),), axis=1), data(2, 3))
    repeats = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    return use(Tile(tuple(repeats), lengths="pad"), data(*sizes(draw, 1, 3)))


def tiled_often(draw: Draw) -> Use:
    return use(Tile((draw(st.integers(1, 3)), 2)), data(2, 3, dtype=element_types(draw)))


def padded(draw: Draw) -> Use:
    shape = sizes(draw, 1, 3)
    number = st.integers(-1, 2)
    begins, ends = (tuple(draw(number) for _ in shape) for _ in range(2))
    ends = tuple(max(end, -begin - n) for begin, end, n in zip(begins, ends, shape, strict=True))
    dtype = element_types(draw)
    value = draw(st.sampled_from([None, "z"] if dtype is object else [None, True] if dtype == "bool" else [None, 3]))
    axes = tuple(range(len(shape))) if draw(st.booleans()) else tuple(axis - len(shape) for axis in range(len(shape)))
    return use(Pad(begins, ends, value=value, axes=axes), data(*shape, dtype=dtype))


def grown(draw: Draw) -> Use:
    shape = sizes(draw, 1, 3)
    begins, ends = (tuple(draw(st.integers(0, 2)) for _ in shape) for _ in range(2))
    dtype = element_types(draw)
    value = draw(st.sampled_from([None, "z"] if dtype is object else [None, True] if dtype == "bool" else [None, 3]))
    return use(Pad(begins, ends, value=value), data(*shape, dtype=dtype))


def along_axes(draw: Draw) -> Use:
    kind = draw(st.integers(0, 4))
    if kind == 0:
        mode = draw(st.sampled_from(["edge", "reflect", "symmetric", "wrap"]))
        signs = draw(st.sampled_from(["crop_first", "original"]))
        return use(Pad((5, -1), (2, 1), mode, mixed_signs=signs, beyond="fold"), data(3, 4))
    if kind == 1:
        condition = draw(st.lists(st.booleans(), min_size=1, max_size=3))
        return use(Compress(np.array(condition), 1), data(2, 3))
    return (roll, sliced, reverse)[kind - 2](draw)


def patches(draw: Draw) -> Use:
    auto_pad = draw(st.sampled_from(["valid", "same_upper", "same_lower"]))
    return use(ExtractImagePatches((2, 3), (1, 2), (2, 1), auto_pad), data(2, 3, 5, 6))


def wrapped(draw: Draw) -> Use:
    shape = sizes(draw, 1, 3)
    pads = [[draw(st.integers(0, 9)) for _ in shape] for _ in range(2)]
    return use(Pad(*map(tuple, pads), "wrap", beyond="fold"), data(*shape, dtype=element_types(draw)))


def joined_with_empty(draw: Draw) -> Use:
    dtype = element_types(draw)
    parts = [data(2, draw(st.integers(0, 2)), dtype=dtype) for _ in range(3)]
    return use(Concat(1), data(2, 0, dtype=dtype), *parts)


def of_no_elements(draw: Draw) -> Use:
    dtype = element_types(draw)
    if draw(st.booleans()):
        return use(Split(0, sizes=(0, 0)), data(0, 2, dtype=dtype))
    return use(Slice((1,), (1,), (draw(st.integers(0, 1)),), (1,)), data(2, 3, dtype=dtype))


def columns(draw: Draw) -> Use:
    pads = draw(st.sampled_from([((1, 0), (0, 2)), ((0, 0), (0, 0))]))
    return use(Im2Col((2, 3), (1, 2), (2, 1), *pads), data(2, 3, 5, 6, dtype=element_types(draw)))


def reversed_lines(draw: Draw) -> Use:
    lengths = np.array(draw(st.lists(st.integers(0, 5), min_size=2, max_size=2)))
    return use(ReverseSequence(lengths, 1, (0,), "clamp"), data(2, 4, 3))


def by_places(draw: Draw) -> Use:
    kinds = (
        patches,
        columns,
        reversed_lines,
        chosen,
        zeros_by_constants,
        constant_scatter,
        slice_scatter,
        space_to_batch,
        tiled,
    )
    return draw(st.sampled_from(kinds))(draw)


def resolved(draw: Draw) -> Use:
    deferred = Deferred(Tile, (), (("repeats", 1),))
    return use(deferred, data(2, 3), np.array([draw(st.integers(0, 3)), 1]), constants=[])


def same_type(draw: Draw) -> Use:
    dtype = draw(st.sampled_from(["float32", "int8"]))
    return use(Cast(dtypes.find(dtype)), data(2, 3, dtype=dtype))


def filled(draw: Draw) -> Use:
    value = draw(st.sampled_from([np.float32(-0.0), np.int64(7), np.array("a", object), np.True_]))
    return use(Fill(np.asarray(value), sizes(draw, 0, 3, 0)))


def made(draw: Draw) -> Use:
    kind = draw(st.integers(0, 2))
    if kind == 0:
        return use(Range(np.float32(1), np.float32(0.1), sizes=(2, 5), steps="accumulate"))
    if kind == 1:
        return use(Eye(np.int32(3), (2, 3, 4), -1, 2, draw(st.booleans())))
    return use(EyeLike(draw(st.integers(-3, 3)), "int8"), data(3, 4))


def band(draw: Draw) -> Use:
    begin = draw(st.none() | st.integers(-3, 3))
    value = draw(st.sampled_from([None, np.float32(5)]))
    return use(Trilu(value, begin, draw(st.none() | st.integers(-3, 3)), draw(st.booleans())), data(2, 3, 4))


def part_of_shape(draw: Draw) -> Use:
    end = draw(st.none() | st.integers(-4, 4))
    return use(ShapeOf(draw(st.sampled_from([1, -1, -4, 3])), end), data(*sizes(draw, 1, 4)))


def copied(draw: Draw) -> Use:
    return use(Identity(), data(*sizes(draw, 0, 3), dtype=element_types(draw)))


def known(draw: Draw) -> Use:
    kind = draw(st.integers(0, 2))
    if kind == 0:
        return use(ShapeOf(), data(*sizes(draw, 0, 4)))
    if kind == 1:
        return use(Deferred(NonZero, (), (("data", 0),)), np.array([1, 0, 2]), constants=[0])
    picked = indices(draw, (3, 1), 4, "int64")
    reduction = ScatterND(reduction="add", duplicates=Duplicates.LAST, out_of_range=OutOfRangeWrite.SKIP)
    return use(reduction, data(4), picked, data(3), constants=[0, 1, 2])


def few_axes(draw: Draw) -> Use:
    if draw(st.booleans()):
        return use(Col2Im((5,), (2,), (2,), begins=(1,)), data(2, 4, 3))
    return use(Col2Im((3, 3), (2, 2), begins=(1, 0), unbatched=True), data(8, 6, dtype="int32"))


def narrow_cast(draw: Draw) -> Use:
    dtype = draw(st.sampled_from(["int8", "uint8", "int16", "uint16"]))
    limits = np.iinfo(dtype)
    values = draw(st.lists(st.integers(int(limits.min), int(limits.max)), min_size=1, max_size=6))
    given = np.array([*values, limits.min, limits.max], dtype)
    return use(Cast(draw(st.sampled_from(["int8", "uint8", "uint16", "float16"])), integer_overflow="saturate"), given)


def eye_of_sizes(draw: Draw) -> Use:
    operator = EyeLike(draw(st.integers(-5, 5)), draw(st.sampled_from([None, "int8", "bool"])))
    return use(operator, of_open_sizes(draw, 2, 2), is_open=True)


def any_band(draw: Draw) -> Use:
    limit = st.none() | st.integers(-6, 6)
    value = draw(st.sampled_from([None, np.float32(5)]))
    operator = Trilu(value, draw(limit), draw(limit), draw(st.booleans()))
    return use(operator, of_open_sizes(draw), is_open=True)


def open_flat(draw: Draw) -> Use:
    given = of_open_sizes(draw, 1, 4)
    return use(Flatten(draw(st.integers(-given.ndim, given.ndim))), given, is_open=True)


def open_wrap(draw: Draw) -> Use:
    shape = sizes(draw, 1, 3)
    begins, ends = (tuple(draw(st.integers(0, 5)) for _ in shape) for _ in range(2))
    return use(Pad(begins, ends, "wrap"), data(*shape), is_open=draw(st.booleans()))


def open_pad(draw: Draw) -> Use:
    """Pads of all modes but constant, some of them negative, that have something to read."""
    shape = sizes(draw, 1, 3)
    mode = draw(st.sampled_from(["edge", "reflect", "symmetric", "wrap"]))
    number = st.integers(-1, 9)
    begins, ends = (tuple(draw(number) for _ in shape) for _ in range(2))
    enough = [max(0, n + min(b, 0) + min(e, 0)) for n, b, e in zip(shape, begins, ends, strict=True)]
    begins, ends = (
        tuple(pad if left else 0 for pad, left in zip(pads, enough, strict=True)) for pads in (begins, ends)
    )
    fields = {"mixed_signs": draw(st.sampled_from(["crop_first", "original"])), "beyond": "fold"}
    return use(Pad(begins, ends, mode, **fields), data(*shape), is_open=True)


def open_squeeze(draw: Draw) -> Use:
    shape = (*(draw(st.sampled_from([1, 1, 2])) for _ in range(draw(st.integers(1, 4)))), draw(st.sampled_from([3, 0])))
    ones = [axis - draw(st.sampled_from([0, len(shape)])) for axis, size in enumerate(shape) if size == 1]
    axes = draw(st.sampled_from([tuple(ones), tuple(ones[1:]), tuple(ones[::-1])]))
    return use(Squeeze(axes, "none"), data(*shape), is_open=True)


def picked_by_constants(draw: Draw) -> Use:
    shape = sizes(draw, 1, 3)
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    picked = indices(draw, draw(st.sampled_from([(), (1,), (3,), (2, 2)])), shape[axis], "int64")
    return use(Gather(axis, 0, "raise"), data(*shape), picked, constants=[1], is_open=True)
