"""Uses of gathers, scatters, slices and selections that rows of the table of rewrites apply to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from tests.conversion.drawn import Draw, element_types, indices, sizes
from tests.conversion.sites import Use, data, use
from wherry import dtypes
from wherry.graph import Deferred
from wherry.moves import Negative, OutOfRange, Reduction
from wherry.ops import (
    Compress,
    Gather,
    GatherElements,
    GatherND,
    Identity,
    NonZero,
    OneHot,
    ScatterElements,
    ScatterND,
    ScatterUpdate,
    ShapeOf,
    SizeOf,
    Slice,
    SliceScatter,
    Unique,
    Where,
)


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
    return use(ScatterUpdate(axis=axis, reduction=reduction), data(*shape, dtype=np.int32), picked, updates)


def window_at_start(draw: Draw) -> Use:
    shape = sizes(draw, 1, 3)
    axis = draw(st.integers(0, len(shape) - 1))
    updated = [draw(st.integers(0, n)) if a == axis else n for a, n in enumerate(shape)]
    return use(ScatterUpdate(axis=axis, window="linear", negative="invalid"), data(*shape), -data(*updated))


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
    part = operator.slice.infer([use(Identity(), data(*shape)).graph().types["x0"]])[0].shape
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


def window_of_constants(draw: Draw) -> Use:
    window = draw(st.sampled_from(["linear", "circular"]))
    starts = np.array([draw(st.integers(0, 2 if window == "linear" else 9)) for _ in range(2)])
    operator = ScatterUpdate(axis=1, batch_dims=1, window=window, negative="invalid")
    return use(operator, data(2, 5, 2), starts, -data(2, 3, 2), constants=[1])


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
    operator = ScatterUpdate(axis=axis, batch_dims=batch_dims, window="linear", negative="invalid")
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


def hot_computed(draw: Draw) -> Use:
    kind = hot(draw)
    if draw(st.booleans()):
        return use(kind.operator, *kind.arrays, constants=[draw(st.integers(1, 2))])
    depth = Deferred(OneHot, (("axis", kind.operator.axis),), (("depth", draw(st.sampled_from([1, 3]))),))
    inputs = list(kind.arrays)
    inputs.insert(depth.from_inputs[0][1], np.array(3))
    return use(depth, *inputs)


def one_element(draw: Draw) -> Use:
    fields = (("scalar", draw(st.sampled_from(["none", "one"]))),)
    return use(Deferred(NonZero, fields, (("data", 0),)), np.float32(draw(st.integers(0, 1))))


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
