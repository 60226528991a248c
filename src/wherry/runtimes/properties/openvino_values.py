"""Properties of OpenVINO models: operations that compute, compare or convert elements."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.runtimes.case import Case
from wherry.runtimes.conditions import Outside, named
from wherry.runtimes.properties.places import named_twice
from wherry.runtimes.unseen import NotKnownError
from wherry.runtimes.values import VALUES, any_equal, any_outside

Array = NDArray[Any]

_FLOATS = ("f32", "f16", "bf16", "f64", "f8e4m3", "f8e5m2")
_LARGE_FLOATS = ("f32", "f16", "bf16", "f64")
_NOT_TO = {
    "f4e2m1": ("boolean", "i16", "u16", "i32", "u32", "i64", "u64", "f8e4m3", "f8e5m2", "u2"),
    "f8e4m3": ("boolean",),
    "f8e5m2": ("boolean",),
    "u2": ("boolean",),
}


@named("stop lies the other way from start")
def _away_from_the_stop(case: Case) -> bool:
    start, stop, step = (float(value) for value in case.inputs)
    return (stop - start) * step < 0


def _slices(case: Case) -> tuple[Array, int]:
    """The slices of data along the axis of a Unique, as rows of numbers, and the number of their own rows."""
    data = case.inputs[0]
    axis = int(case.inputs[1].reshape(())) % data.ndim
    slices = np.moveaxis(data, axis, 0).reshape(data.shape[axis], -1).astype(np.float64)
    return slices, prod(data.shape[:axis])


@named("not all slices are equal")
def _unequal_slices(case: Case) -> bool:
    return len(np.unique(_slices(case)[0], axis=0)) > 1


@named("of three slices or more two are equal but for their later rows")
def _slices_of_several_rows(case: Case) -> bool:
    slices, rows = _slices(case)
    if rows < 2 or len(slices) < 3:
        return False
    firsts = slices.reshape(len(slices), rows, -1)[:, 0]
    return len(np.unique(firsts, axis=0)) < len(np.unique(slices, axis=0))


def _ends(case: Case) -> tuple[str, str]:
    return case.kinds[0], case.attributes.get("destination_type") or case.kinds[1]


def _numbers(case: Case) -> Array:
    with np.errstate(invalid="ignore"):
        return np.asarray(case.inputs[0].astype(np.float64))


_WIDE = ("u32", "i64", "u64")
"""The integers that the plugin holds in 32 bits with a sign."""


@named("floats lie outside an integer type of 32 bits at most; f32 to i16, i32 and u16 aside")
def _outside_the_destination(case: Case) -> bool:
    source, to = _ends(case)
    if source not in _FLOATS or to[0] not in "iu" or to in _WIDE:
        return False
    if source in ("f32", "bf16") and to in ("i16", "i32", "u16"):
        return False
    bits = int(to[1:]) - (to[0] == "i")
    least = 0 if to[0] == "u" else -(2**bits)
    return Outside(0, least, 2**bits - 1).holds(case)


@named("floats lie outside i32, and become u32, i64 or u64")
def _outside_32_bits(case: Case) -> bool:
    source, to = _ends(case)
    return source in _FLOATS and to in _WIDE and Outside(0, -(2**31), 2**31 - 1).holds(case)


@named("from or to f64, and a number is infinite or no f32")
def _held_as_f32(case: Case) -> bool:
    source, to = _ends(case)
    if "f64" not in (source, to) or source == to:
        return False
    numbers = _numbers(case)
    with np.errstate(all="ignore"):
        return bool((np.isinf(numbers) | (numbers != numbers.astype(np.float32)) & ~np.isnan(numbers)).any())


@named("NaN of f64, f32, f16 or bf16 to boolean")
def _nan_as_bool(case: Case) -> bool:
    source, to = _ends(case)
    return to == "boolean" and source in _LARGE_FLOATS and VALUES["a NaN"].of(case.inputs[0])


@named("the least number of i32 to boolean")
def _least_as_bool(case: Case) -> bool:
    source, to = _ends(case)
    return to == "boolean" and source in ("i32", "i64") and any_equal(case.inputs[0], -(2**31))


@named("to bf16, and a number is none of bf16")
def _cut_to_bfloat16(case: Case) -> bool:
    source, to = _ends(case)
    if to != "bf16" or source == "bf16":
        return False
    import ml_dtypes

    numbers = _numbers(case)
    with np.errstate(all="ignore"):
        rounded = numbers.astype(np.float32).astype(ml_dtypes.bfloat16).astype(np.float64)
    return bool(((numbers != rounded) & ~np.isnan(numbers)).any())


def _bits_of_nan(case: Case) -> Array:
    """The bits of each NaN of data, as f32."""
    with np.errstate(invalid="ignore"):
        numbers = np.atleast_1d(case.inputs[0].astype(np.float32))
    return np.asarray(numbers[np.isnan(numbers)].view(np.uint32))


@named("a signalling NaN of f32 or bf16 to f16")
def _signalling_to_f16(case: Case) -> bool:
    source, to = _ends(case)
    return to == "f16" and source in ("f32", "bf16") and bool((_bits_of_nan(case) & 0x400000 == 0).any())


@named("NaN, signalling or of a payload beyond the 18th bit, to bf16 or f8e5m2")
def _nan_to_infinity(case: Case) -> bool:
    source, to = _ends(case)
    if to not in ("bf16", "f8e5m2") or source not in _LARGE_FLOATS or source == to:
        return False
    fractions = _bits_of_nan(case) & 0x7FFFFF
    is_large = (fractions < 0x400000) | (fractions >= 0x440000)
    return bool(is_large.any())


@named("zero, a negative number or NaN or an infinity to f8e8m0, or NaN to f4e2m1")
def _without_such_numbers(case: Case) -> bool:
    source, to = _ends(case)
    if to == "f8e8m0" and source != to:
        numbers = _numbers(case)
        return bool(((numbers <= 0) | np.signbit(numbers) | np.isinf(numbers)).any())
    return to == "f4e2m1" and source != to and VALUES["a NaN"].of(case.inputs[0])


@named("NaN of f8e5m2 to f64, f32, f16 or bf16")
def _nan_of_float8(case: Case) -> bool:
    source, to = _ends(case)
    return source == "f8e5m2" and to in _LARGE_FLOATS and VALUES["a NaN"].of(case.inputs[0])


@named("f8e8m0 or f4e2m1 with other types than f32, f16 and bf16; float8 or u2 to boolean")
def _no_pair(case: Case) -> bool:
    source, to = _ends(case)
    if to in ("f8e8m0", "f4e2m1"):
        return source not in (to, "f32", "f16", "bf16")
    if source == "f8e8m0":
        return to not in _LARGE_FLOATS
    return to in _NOT_TO.get(source, ())


@named("the number of output_size or kernel_size is not known")
def _unknown_sizes(case: Case) -> bool:
    return case.is_dynamic and not {1, 2} <= case.constants | case.sized


@named("strides, dilations, pads_begin or pads_end is left out")
def _without_attributes(case: Case) -> bool:
    return len(case.attributes) < 4


@named("diagonal_index is beyond i32")
def _diagonal_beyond_32_bits(case: Case) -> bool:
    return any_outside(case.inputs[2], 1 - 2**31, 2**31 - 1)


@named("an element is updated twice")
def _named_twice(case: Case) -> bool:
    return named_twice(*case.inputs[:2])


@named("it runs in several threads")
def _in_threads(case: Case) -> bool:
    if case.threads is None:
        raise NotKnownError("the number of threads")
    return case.threads > 1


@named("a slice is updated twice")
def _slice_named_twice(case: Case) -> bool:
    data, indices, _, axis = case.inputs
    along = np.moveaxis(data, int(axis.reshape(())), 0)
    return named_twice(along, indices[..., np.newaxis])


def _places(case: Case) -> list[tuple[Any, ...]]:
    """Where each update goes, in order: an element, or a slice of data."""
    data, indices, _, *axis = case.inputs
    if axis:
        along = int(axis[0].reshape(())) % data.ndim
        at = list(np.indices(indices.shape).reshape(data.ndim, -1))
        at[along] = indices.ravel().astype(np.int64) % data.shape[along]
        return list(zip(*at, strict=True))
    length = indices.shape[-1]
    tuples = indices.reshape(-1, length).astype(np.int64) % np.array(data.shape[:length], np.int64)
    return [tuple(one) for one in tuples.tolist()]


_STEPS = {"sum": np.add, "mean": np.add, "sub": np.subtract, "prod": np.multiply, "min": np.fmin, "max": np.fmax}


def _reduced(case: Case, dtype: Any, reduction: str | None = None, *, is_reversed: bool = False) -> Array:
    """What a scatter makes of data and updates, one update after the other in a type of float."""
    data, _, updates, *axis = case.inputs
    reduction = reduction or case.attributes["reduction"]
    places = _places(case)
    order = reversed(range(len(places))) if is_reversed else range(len(places))
    counts = np.zeros(data.shape, np.int64) + (case.attributes.get("use_init_val", "true") == "true")
    with np.errstate(all="ignore"):
        parts = updates.reshape(len(places), *(() if axis else data.shape[case.inputs[1].shape[-1] :])).astype(dtype)
        result = data.astype(dtype)
        for number in order:
            place, part = places[number], parts[number]
            joined = _STEPS[reduction](result[place], part)
            result[place] = np.where(counts[place] > 0, joined, part).astype(dtype)
            counts[place] += 1
        return np.asarray((result / np.maximum(counts, 1)).astype(dtype) if reduction == "mean" else result)


@named("a mean is negative, and no whole number")
def _negative_mean(case: Case) -> bool:
    means = _reduced(case, np.float64)
    return bool((np.floor(means) != np.trunc(means)).any())


@named("another order, or one rounding at the end, gives another result")
def _rounded_in_another_order(case: Case) -> bool:
    dtype = case.inputs[0].dtype
    with np.errstate(all="ignore"):
        at_once = _reduced(case, np.float32).astype(dtype)
    stepwise = _reduced(case, dtype)
    return any(stepwise.tobytes() != one.tobytes() for one in (_reduced(case, dtype, is_reversed=True), at_once))


@named("steps in f32 give another result")
def _reduced_in_float32(case: Case) -> bool:
    return _reduced(case, np.float64).tobytes() != _reduced(case, np.float32).astype(np.float64).tobytes()


@named("a result is beyond 31 bits, or the sum before a mean beyond 31, or the 15 of 16-bit types")
def _reduced_in_32_bits(case: Case) -> bool:
    is_mean, dtype = case.attributes["reduction"] == "mean", case.inputs[0].dtype
    numbers = np.abs(_reduced(case, np.float64, "sum" if is_mean else None))
    return bool((numbers >= (2**31 if dtype.itemsize > 2 or not is_mean else 2**15)).any())


@named("the result has a NaN, to which NaN of several bits come, that of infinities among them")
def _one_of_several_nan(case: Case) -> bool:
    numbers = np.concatenate([case.inputs[0].ravel(), case.inputs[2].ravel()])
    with np.errstate(invalid="ignore"):
        given = numbers[np.isnan(numbers)]
        kinds = len({one.tobytes() for one in given}) + bool(np.isinf(numbers).any())
        return kinds > 1 and bool(np.isnan(_reduced(case, np.float64)).any())


@named("an updated element becomes an infinity, or is updated with NaN alone")
def _extremes_of_infinities(case: Case) -> bool:
    zeros = replace(case, inputs=(np.zeros_like(case.inputs[0]), *case.inputs[1:]))
    return not bool(np.isfinite(_reduced(zeros, np.float64)).all())


@named("a result is none of bf16 before it is rounded")
def _rounded_to_bfloat16(case: Case) -> bool:
    exact, rounded = _reduced(case, np.float64), _reduced(case, case.inputs[0].dtype)
    return bool((exact != rounded.astype(np.float64)).any())


@named("zeros of both signs among more than 16 elements")
def _both_zeros(case: Case) -> bool:
    data = case.inputs[0]
    if not VALUES["a negative zero"].of(data) or data.size <= _INSERTED:
        return False
    return bool(((data == 0) & ~np.signbit(data)).any())


_INSERTED = 16
"""So many elements std::sort orders by insertion, which keeps equal ones in their order."""
