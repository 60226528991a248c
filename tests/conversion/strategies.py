"""Uses of operators that rows of the table of rewrites apply to: a strategy for each row, by its function's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from tests.conversion.sites import Use, data, use
from wherry import dtypes
from wherry.graph import Deferred
from wherry.moves import Duplicates, Negative, OutOfRange, OutOfRangeWrite, Reduction
from wherry.ops import (
    Alignment,
    BandMatrix,
    BatchToSpace,
    Cast,
    ChannelOrder,
    Col2Im,
    Compress,
    Copy,
    DepthToSpace,
    Expand,
    ExtractImagePatches,
    EyeLike,
    Fill,
    FillBand,
    Flatten,
    Gather,
    GatherElements,
    GatherND,
    Im2Col,
    Join,
    NonZero,
    OneHot,
    Pad,
    Reshape,
    Reverse,
    ReverseSequence,
    Roll,
    ScatterAlong,
    ScatterElements,
    ScatterND,
    Sequence,
    ShapeOf,
    ShuffleChannels,
    SizeOf,
    Slice,
    SliceScatter,
    SpaceToBatch,
    SpaceToDepth,
    Split,
    Squeeze,
    StridedSlice,
    Tile,
    Transpose,
    Unique,
    Unsqueeze,
    Where,
)

Draw = st.DrawFn

DTYPES = ("float32", "uint8", "int64", "float16", "bool", object)


def element_types(draw: Draw) -> object:
    return draw(st.sampled_from(DTYPES))


def sizes(draw: Draw, least: int = 1, most: int = 4, smallest: int = 1) -> tuple[int, ...]:
    return tuple(draw(st.lists(st.integers(smallest, 4), min_size=least, max_size=most)))


def indices(draw: Draw, shape: tuple[int, ...], size: int, dtype: str, *, bad: bool = False) -> np.ndarray:
    limits = np.iinfo(dtype)
    low, high = (-size - 3, size + 3) if bad else (-size, size - 1)
    values = st.integers(max(low, int(limits.min)), min(high, int(limits.max)))
    count = int(np.prod(shape))
    return np.array(draw(st.lists(values, min_size=count, max_size=count)), dtype).reshape(shape)


def gathers(draw: Draw, dtype: str, rule: OutOfRange, negative: Negative, constant: bool = False) -> Use:
    shape = sizes(draw)
    axis = draw(st.integers(0, len(shape) - 1))
    bad = rule is not OutOfRange.RAISE
    if draw(st.booleans()):
        operator, picked = Gather(axis, 0, rule, negative), sizes(draw, 0, 2)
    else:
        operator = GatherElements(axis, rule, negative, "at_most")
        picked = tuple(draw(st.integers(1, 3)) if a == axis else draw(st.integers(1, n)) for a, n in enumerate(shape))
    given = indices(draw, picked, shape[axis], dtype, bad=bad)
    if negative is Negative.INVALID and not bad:
        given = np.abs(given) % shape[axis]
    return use(operator, data(*shape, dtype=element_types(draw)), given.astype(dtype), constants=[1] * constant)


def other_index_type(draw: Draw) -> Use:
    dtype = draw(st.sampled_from(["int8", "int16", "uint8", "uint16", "int32", "uint32"]))
    rule, negative = draw(st.sampled_from(OutOfRange)), draw(st.sampled_from(Negative))
    if draw(st.integers(0, 3)) == 0:
        shape = sizes(draw, 1, 3)
        hot = OneHot(3, -1, negative)
        return use(hot, indices(draw, shape, 3, dtype, bad=True), np.array(0, np.int32), np.array(1, np.int32))
    return gathers(draw, dtype, rule, negative, constant=draw(st.booleans()))


def constant_indices(draw: Draw) -> Use:
    if draw(st.booleans()):
        return gathers(draw, "int32", OutOfRange.RAISE, Negative.FROM_END, constant=True)
    shape = sizes(draw, 2, 3)
    picked = indices(draw, (3, 2), min(shape[:2]), "int64")
    if draw(st.booleans()):
        return use(GatherND(), data(*shape), picked, constants=[1])
    return use(ScatterND(), data(*shape), picked, -data(3, *shape[2:]), constants=[1])


def by_table(draw: Draw) -> Use:
    dtype = draw(st.sampled_from(["int8", "int16", "uint8", "uint16"]))
    return gathers(draw, dtype, draw(st.sampled_from(OutOfRange)), draw(st.sampled_from(Negative)))


def zero_behind(draw: Draw) -> Use:
    dtype = draw(st.sampled_from(["uint32", "uint64", "int32", "int64"]))
    if draw(st.booleans()):
        return gathers(draw, dtype, OutOfRange.ZERO, Negative.INVALID)
    shape = sizes(draw, 2, 3)
    batch = draw(st.integers(0, 1))
    picked = indices(draw, (*shape[:batch], 3, draw(st.integers(1, len(shape) - batch))), max(shape), dtype, bad=True)
    return use(GatherND(batch, OutOfRange.ZERO, Negative.INVALID), data(*shape), picked)


def batched_elements(draw: Draw) -> Use:
    shape = sizes(draw, 2, 4)
    picked = indices(draw, (*shape[:-1], 3), shape[-1], "int64")
    return use(Gather(-1, len(shape) - 1), data(*shape), picked)


def batched(draw: Draw) -> Use:
    shape = sizes(draw, 2, 4)
    axis = draw(st.integers(1, len(shape) - 1))
    batch_dims = draw(st.integers(1, axis))
    rule = draw(st.sampled_from([OutOfRange.ZERO, OutOfRange.CLAMP, OutOfRange.RAISE]))
    picked = (*shape[:batch_dims], *sizes(draw, 0, 2))
    given = indices(draw, picked, shape[axis], "int64", bad=rule is not OutOfRange.RAISE)
    return use(Gather(axis, batch_dims, rule), data(*shape), given)


def merged(draw: Draw) -> Use:
    shape = sizes(draw, 3, 4)
    picked = indices(draw, (*shape[:2], 2, 1), shape[2], "int64")
    return use(GatherND(2, merge_batch=True), data(*shape), picked)


def scatter_along(draw: Draw) -> Use:
    shape = sizes(draw, 1, 3)
    axis = draw(st.integers(0, len(shape) - 1))
    picked = indices(draw, sizes(draw, 1, 2), shape[axis], "int64")
    reduction = draw(st.sampled_from([Reduction.NONE, Reduction.ADD, Reduction.MAX]))
    updates = -data(*shape[:axis], *picked.shape, *shape[axis + 1 :], dtype=np.int32)
    return use(ScatterAlong(axis=axis, reduction=reduction), data(*shape, dtype=np.int32), picked, updates)


def window_at_start(draw: Draw) -> Use:
    shape = sizes(draw, 1, 3)
    axis = draw(st.integers(0, len(shape) - 1))
    updated = [draw(st.integers(0, n)) if a == axis else n for a, n in enumerate(shape)]
    return use(ScatterAlong(axis=axis, window="linear", negative="invalid"), data(*shape), -data(*updated))


def slices(draw: Draw, shape: tuple[int, ...], steps: bool = True) -> dict[str, tuple[int, ...]]:
    count = draw(st.integers(1, len(shape)))
    axes = draw(st.permutations(range(len(shape))))[:count]
    number = st.integers(-6, 6)
    return {
        "starts": tuple(draw(number) for _ in axes),
        "ends": tuple(draw(number) for _ in axes),
        "axes": tuple(axes),
        "steps": tuple(draw(st.sampled_from([1, 2, -1, -2] if steps else [1])) for _ in axes),
    }


def sliced(draw: Draw) -> Use:
    shape = sizes(draw)
    return use(Slice(**slices(draw, shape)), data(*shape, dtype=element_types(draw)))


def slice_scatter(draw: Draw) -> Use:
    shape = sizes(draw, 1, 3)
    operator = SliceScatter(**slices(draw, shape))
    part = operator.slice.infer([use(Copy(), data(*shape)).graph().types["x0"]])[0].shape
    return use(operator, data(*shape), -data(*part))


def slice_between(draw: Draw) -> Use:
    shape = sizes(draw, 1, 3)
    axis = draw(st.integers(0, len(shape) - 1))
    start = draw(st.integers(0, shape[axis]))
    end = draw(st.integers(start, shape[axis]))
    updates = [end - start if a == axis else n for a, n in enumerate(shape)]
    return use(SliceScatter((start,), (end,), (axis,)), data(*shape), -data(*updates))


def where(draw: Draw) -> Use:
    shape = sizes(draw, 1, 3)
    narrow = [draw(st.sampled_from([1, n])) for n in shape]
    condition = data(*narrow, dtype=draw(st.sampled_from([bool, np.uint8])))
    condition[..., 0] = 0
    return use(Where(), condition, data(*shape), -data(*shape[draw(st.integers(0, 1)) :]))


def hot(draw: Draw, dtype: str = "int64", keep: bool = False) -> Use:
    shape = sizes(draw, 1, 3)
    axis = draw(st.integers(0, len(shape) - keep))
    axis = min(axis, len(shape) - 1) if keep else axis
    shape = tuple(1 if keep and a == axis else n for a, n in enumerate(shape))
    given = indices(draw, shape, 3, dtype, bad=True)
    kinds = [np.array(7, np.float32), np.array(9, np.float32)]
    return use(OneHot(3, axis, keep_axis=keep), given, *kinds, constants=[1, 2])


def hot_values(draw: Draw) -> Use:
    kind = hot(draw, keep=draw(st.booleans()))
    if draw(st.booleans()):
        return kind
    return use(kind.operator, kind.arrays[0], np.array([7, 9], np.float32))


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


def window_of_constants(draw: Draw) -> Use:
    window = draw(st.sampled_from(["linear", "circular"]))
    starts = np.array([draw(st.integers(0, 2 if window == "linear" else 9)) for _ in range(2)])
    operator = ScatterAlong(axis=1, batch_dims=1, window=window, negative="invalid")
    return use(operator, data(2, 5, 2), starts, -data(2, 3, 2), constants=[1])


def joined_with_empty(draw: Draw) -> Use:
    dtype = element_types(draw)
    parts = [data(2, draw(st.integers(0, 2)), dtype=dtype) for _ in range(3)]
    return use(Join(1), data(2, 0, dtype=dtype), *parts)


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


def chosen(draw: Draw) -> Use:
    if draw(st.booleans()):
        return use(Compress(np.array([True, False, True, True]), None), data(2, 3, dtype=object))
    return use(Where(), data(2, 3, dtype=bool), data(3), -data(2, 1), constants=[0])


def zeros_by_constants(draw: Draw) -> Use:
    return gathers(draw, "int64", OutOfRange.ZERO, Negative.INVALID, constant=True)


def constant_scatter(draw: Draw) -> Use:
    if draw(st.booleans()):
        picked = indices(draw, (2, 3), 4, "int64")
        return use(ScatterElements(axis=1, off_axis="at_most"), data(2, 4), picked, -data(2, 3), constants=[1])
    picked = indices(draw, (3, 1), 4, "int64", bad=True)
    return use(ScatterND(out_of_range="skip"), data(4, 2), picked, -data(3, 2), constants=[1])


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
        return use(Sequence(np.float32(1), np.float32(0.1), sizes=(2, 5), steps="accumulate"))
    if kind == 1:
        return use(BandMatrix(np.int32(3), (2, 3, 4), -1, 2, draw(st.booleans())))
    return use(EyeLike(draw(st.integers(-3, 3)), "int8"), data(3, 4))


def band(draw: Draw) -> Use:
    begin = draw(st.none() | st.integers(-3, 3))
    value = draw(st.sampled_from([None, np.float32(5)]))
    return use(FillBand(value, begin, draw(st.none() | st.integers(-3, 3)), draw(st.booleans())), data(2, 3, 4))


def positions(draw: Draw) -> Use:
    kind = draw(st.integers(0, 3))
    to = dtypes.find(draw(st.sampled_from(["int32", "int64"])))
    values = np.array(draw(st.lists(st.integers(0, 2), min_size=6, max_size=6))).reshape(2, 3)
    if kind == 0:
        return use(Deferred(NonZero, (("dtype", to),), (("data", 0),)), values)
    if kind == 1:
        fields = (("index_dtype", to), ("count_dtype", dtypes.find("int32")))
        return use(Deferred(Unique, fields, (("data", 0),)), values)
    return use((ShapeOf if kind == 2 else SizeOf)(dtype=to), values)


def part_of_shape(draw: Draw) -> Use:
    end = draw(st.none() | st.integers(-4, 4))
    return use(ShapeOf(draw(st.sampled_from([1, -1, -4, 3])), end), data(*sizes(draw, 1, 4)))


def copied(draw: Draw) -> Use:
    return use(Copy(), data(*sizes(draw, 0, 3), dtype=element_types(draw)))


def known(draw: Draw) -> Use:
    kind = draw(st.integers(0, 2))
    if kind == 0:
        return use(ShapeOf(), data(*sizes(draw, 0, 4)))
    if kind == 1:
        return use(Deferred(NonZero, (), (("data", 0),)), np.array([1, 0, 2]), constants=[0])
    picked = indices(draw, (3, 1), 4, "int64")
    reduction = ScatterND(reduction="add", duplicates=Duplicates.LAST, out_of_range=OutOfRangeWrite.SKIP)
    return use(reduction, data(4), picked, data(3), constants=[0, 1, 2])


def fewer_beside(draw: Draw) -> Use:
    shape = sizes(draw)
    axis = draw(st.integers(0, len(shape) - 1))
    picked = tuple(draw(st.integers(1, 3)) if a == axis else draw(st.integers(1, n)) for a, n in enumerate(shape))
    operator = GatherElements(axis - draw(st.sampled_from([0, len(shape)])), off_axis="at_most")
    given = indices(draw, picked, shape[axis], "int64")
    return use(operator, data(*shape, dtype=element_types(draw)), given, is_open=draw(st.booleans()))


def elements_or_zero(draw: Draw) -> Use:
    shape = sizes(draw)
    axis = draw(st.integers(0, len(shape) - 1))
    picked = tuple(draw(st.integers(1, 3)) if a == axis else n for a, n in enumerate(shape))
    given = indices(draw, picked, shape[axis], "int64", bad=True)
    return use(GatherElements(axis, "zero"), data(*shape), given, is_open=draw(st.booleans()))


def tuples_of_one(draw: Draw) -> Use:
    shape = sizes(draw, 1, 3)
    batch_dims = draw(st.integers(0, len(shape) - 1))
    given = indices(draw, (*shape[:batch_dims], *sizes(draw, 0, 2), 1), shape[batch_dims], "int64", bad=True)
    return use(GatherND(batch_dims, "zero"), data(*shape), given)


def windows(draw: Draw) -> Use:
    shape = sizes(draw, 1, 4)
    axis = draw(st.integers(0, len(shape) - 1))
    batch_dims = draw(st.integers(0, axis))
    updated = tuple(draw(st.integers(1, n)) if a == axis else n for a, n in enumerate(shape))
    low, high = draw(st.sampled_from([(0, 0), (0, 0), (-9, 9)]))
    first = st.integers(low, shape[axis] - updated[axis] + high)
    count = int(np.prod(shape[:batch_dims]))
    starts = np.array([draw(first) for _ in range(count)], np.int64).reshape(shape[:batch_dims])
    operator = ScatterAlong(axis=axis, batch_dims=batch_dims, window="linear", negative="invalid")
    return use(operator, data(*shape), starts, -data(*updated))


def open_window_at_start(draw: Draw) -> Use:
    return replace(window_at_start(draw), is_open=draw(st.booleans()))


def hot_floats(draw: Draw) -> Use:
    dtype = draw(st.sampled_from(["float32", "float16", "float64"]))
    numbers = st.sampled_from([0, 1, 2, 3, -1, -3, -4, 0.5, -0.5, 2.9, np.inf, -np.inf, np.nan, 1e30, -1e30])
    with np.errstate(over="ignore"):
        given = np.array(draw(st.lists(numbers, min_size=1, max_size=5))).astype(dtype)
    operator = OneHot(3, -1, draw(st.sampled_from(Negative)))
    return use(operator, given, np.float32(7), np.float32(9), is_open=draw(st.booleans()))


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


def one_element(draw: Draw) -> Use:
    fields = (("scalar", draw(st.sampled_from(["none", "one"]))),)
    return use(Deferred(NonZero, fields, (("data", 0),)), np.float32(draw(st.integers(0, 1))))


def of_open_sizes(draw: Draw, least: int = 2, most: int = 4) -> np.ndarray:
    return data(*sizes(draw, least, most, smallest=0))


def eye_of_sizes(draw: Draw) -> Use:
    operator = EyeLike(draw(st.integers(-5, 5)), draw(st.sampled_from([None, "int8", "bool"])))
    return use(operator, of_open_sizes(draw, 2, 2), is_open=True)


def any_band(draw: Draw) -> Use:
    limit = st.none() | st.integers(-6, 6)
    value = draw(st.sampled_from([None, np.float32(5)]))
    operator = FillBand(value, draw(limit), draw(limit), draw(st.booleans()))
    return use(operator, of_open_sizes(draw), is_open=True)


def picked(draw: Draw) -> Use:
    shape = sizes(draw, 1, 3, smallest=0)
    axis = draw(st.none() | st.integers(-len(shape), len(shape) - 1))
    size = int(np.prod(shape)) if axis is None else shape[axis]
    longer = draw(st.sampled_from(["ignore", "refuse_true"]))
    most = size + 3 if longer == "ignore" else size
    condition = np.array(draw(st.lists(st.booleans(), min_size=0, max_size=most)), bool)
    deferred = Deferred(Compress, (("axis", axis), ("longer", longer)), (("condition", 1),))
    if draw(st.booleans()):
        return use(deferred, data(*shape), condition, is_open=draw(st.booleans()))
    return use(Compress(condition, axis, longer), data(*shape), is_open=True)


def open_flat(draw: Draw) -> Use:
    given = of_open_sizes(draw, 1, 4)
    return use(Flatten(draw(st.integers(-given.ndim, given.ndim))), given, is_open=True)


def open_wrap(draw: Draw) -> Use:
    shape = sizes(draw, 1, 3)
    begins, ends = (tuple(draw(st.integers(0, 5)) for _ in shape) for _ in range(2))
    return use(Pad(begins, ends, "wrap"), data(*shape), is_open=draw(st.booleans()))


USES: dict[str, Callable[[Draw], Use]] = {
    "_resolved": resolved,
    "_other_index_type": other_index_type,
    "_from_the_front": constant_indices,
    "_zero_behind": zero_behind,
    "_by_table": by_table,
    "_batched_elements": batched_elements,
    "_batched_tuples": batched,
    "_merge_after": merged,
    "_scatter_tuples": scatter_along,
    "_at_the_start": open_window_at_start,
    "_cut_to_indices": fewer_beside,
    "_elements_as_batched": elements_or_zero,
    "_tuples_of_one": tuples_of_one,
    "_windows": windows,
    "_one_hot_whole": hot_floats,
    "_image_with_more_axes": few_axes,
    "_cast_by_table": narrow_cast,
    "_line_of_size": lambda draw: use(
        SizeOf(draw(st.sampled_from(["int32", "int64"]))), of_open_sizes(draw, 0, 4), is_open=True
    ),
    "_coordinates_of_one": one_element,
    "_eye_of_sizes": eye_of_sizes,
    "_band_on_zeros": lambda draw: use(BandMatrix(np.int32(3), (2, 3, 4), -1, 2, draw(st.booleans()))),
    "_band_of_sizes": any_band,
    "_picked": picked,
    "_flat_by_counts": open_flat,
    "_wrapped": open_wrap,
    "_slice_between": slice_between,
    "_slice_as_tuples": slice_scatter,
    "_one_hot_values": hot_values,
    "_one_hot_new_axis": lambda draw: hot(draw, keep=True),
    "_one_hot_kept_axis": hot,
    "_one_hot_constant": lambda draw: hot(draw, "uint8"),
    "_where_by_bool": where,
    "_where_as_gather": where,
    "_same_type": same_type,
    "_expanded": filled,
    "_made": made,
    "_band_chosen": band,
    "_other_dtype": positions,
    "_whole_shape": part_of_shape,
    "_split_by_sizes": split,
    "_split_by_sections": even_split,
    "_split_as_slices": split,
    "_strided_parts": strided,
    "_slice_by_ends": sliced,
    "_slice_by_sizes": sliced,
    "_roll_parts": roll,
    "_reverse_other": reverse,
    "_reverse_as_slice": reverse,
    "_rearranged": rearranged,
    "_batch_to_space": batch_to_space,
    "_space_to_batch": space_to_batch,
    "_squeeze_listed": squeezed,
    "_as_reshape": reshaped,
    "_transpose_listed": transposed,
    "_expand_plain": expanded,
    "_expand_as_tile": expanded,
    "_tile_plain": tiled,
    "_pad_plain": padded,
    "_tile_as_join": tiled_often,
    "_pad_as_join": grown,
    "_along_axes": along_axes,
    "_columns_as_patches": columns,
    "_wrapped_parts": wrapped,
    "_window_places": window_of_constants,
    "_full_parts": joined_with_empty,
    "_no_elements": of_no_elements,
    "_by_places": by_places,
    "_copied": copied,
    "_as_constant": known,
}
"""A strategy for each row: all its uses are legal, most of them are such that the row applies."""
