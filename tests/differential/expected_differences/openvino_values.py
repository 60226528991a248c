"""OpenVINO's CPU plugin in operations that compute, compare or convert elements."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

import ml_dtypes
import numpy as np

from tests.differential.conditions import Has, HasInput, all_of, any_of, attribute, named, not_, of, typed
from tests.differential.difference import Difference
from tests.differential.expected_differences.openvino_entries import (
    NODES,
    SOURCE,
    but,
    difference,
    known,
    model,
    no_constant,
    not_all_constant,
    several_elements,
)
from tests.differential.openvino_data import array
from tests.differential.openvino_runtime import OpenVINOCase
from tests.support.places import UNEVEN, UNEVEN_DATA, named_twice

_FLOATS = ("f32", "f16", "bf16", "f64", "f8e4m3", "f8e5m2")
_FLOAT8 = ("f8e4m3", "f8e5m2", "f8e8m0")
_LARGE_FLOATS = ("f32", "f16", "bf16", "f64")
_BYTES = ("i8", "u8", "boolean", "i4", "u4")
_INTEGERS = ("i4", "i8", "i16", "i32", "i64", "u4", "u8", "u16", "u32", "u64")
_NOT_TO = {
    "f4e2m1": ("boolean", "i16", "u16", "i32", "u32", "i64", "u64", "f8e4m3", "f8e5m2", "u2"),
    "f8e4m3": ("boolean",),
    "f8e5m2": ("boolean",),
    "u2": ("boolean",),
}
_CONVERTS = of("Convert", "ConvertLike")
_UNIQUE = of("Unique")
_REDUCES = all_of(of("ScatterNDUpdate", "ScatterElementsUpdate"), not_(attribute("reduction", "none", default="none")))


@named("stop lies the other way from start")
def _away_from_the_stop(case: OpenVINOCase) -> bool:
    start, stop, step = (float(value) for value in case.inputs)
    return (stop - start) * step < 0


def _slices(case: OpenVINOCase) -> tuple[np.ndarray, int]:
    """The slices of data along the axis of a Unique, as rows of numbers, and the number of their own rows."""
    data = case.inputs[0]
    axis = int(case.inputs[1].reshape(())) % data.ndim
    slices = np.moveaxis(data, axis, 0).reshape(data.shape[axis], -1).astype(np.float64)
    return slices, prod(data.shape[:axis])


@named("not all slices are equal")
def _unequal_slices(case: OpenVINOCase) -> bool:
    return len(np.unique(_slices(case)[0], axis=0)) > 1


@named("of three slices or more two are equal but for their later rows")
def _slices_of_several_rows(case: OpenVINOCase) -> bool:
    slices, rows = _slices(case)
    if rows < 2 or len(slices) < 3:
        return False
    firsts = slices.reshape(len(slices), rows, -1)[:, 0]
    return len(np.unique(firsts, axis=0)) < len(np.unique(slices, axis=0))


def _ends(case: OpenVINOCase) -> tuple[str, str]:
    return case.kinds[0], case.attributes.get("destination_type") or case.kinds[1]


def _numbers(case: OpenVINOCase) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return case.inputs[0].astype(np.float64)


@named("floats lie outside the integer type, that of 32 bits for wider ones; f32 to i16, i32 and u16 aside")
def _outside_the_destination(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    if source not in _FLOATS or to[0] not in "iu" or (source in ("f32", "bf16") and to in ("i16", "i32", "u16")):
        return False
    bits = 31 if to in ("u32", "i64", "u64") else int(to[1:]) - (to[0] == "i")
    least = 0 if to[0] == "u" else -(2**bits)
    whole = np.trunc(_numbers(case))
    return not bool(((whole >= least) & (whole < 2**bits)).all())


@named("from or to f64, and a number is infinite or no f32")
def _held_as_f32(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    if "f64" not in (source, to) or source == to:
        return False
    numbers = _numbers(case)
    with np.errstate(all="ignore"):
        return bool((np.isinf(numbers) | (numbers != numbers.astype(np.float32)) & ~np.isnan(numbers)).any())


@named("NaN of f64, f32, f16 or bf16 to boolean")
def _nan_as_bool(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    return to == "boolean" and source in _LARGE_FLOATS and bool(np.isnan(_numbers(case)).any())


@named("the least number of i32 to boolean")
def _least_as_bool(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    return to == "boolean" and source in ("i32", "i64") and bool((_numbers(case) == -(2.0**31)).any())


@named("to bf16, and a number is none of bf16")
def _cut_to_bfloat16(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    if to != "bf16" or source == "bf16":
        return False
    numbers = _numbers(case)
    with np.errstate(all="ignore"):
        rounded = numbers.astype(np.float32).astype(ml_dtypes.bfloat16).astype(np.float64)
    return bool(((numbers != rounded) & ~np.isnan(numbers)).any())


def _bits_of_nan(case: OpenVINOCase) -> np.ndarray:
    """The bits of each NaN of data, as f32."""
    with np.errstate(invalid="ignore"):
        numbers = np.atleast_1d(case.inputs[0].astype(np.float32))
    return numbers[np.isnan(numbers)].view(np.uint32)


@named("a signalling NaN of f32 or bf16 to f16")
def _signalling_to_f16(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    return to == "f16" and source in ("f32", "bf16") and bool((_bits_of_nan(case) & 0x400000 == 0).any())


@named("NaN, signalling or of a payload beyond the 18th bit, to bf16 or f8e5m2")
def _nan_to_infinity(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    fractions = _bits_of_nan(case) & 0x7FFFFF
    is_large = (fractions < 0x400000) | (fractions >= 0x440000)
    return to in ("bf16", "f8e5m2") and source in _LARGE_FLOATS and source != to and bool(is_large.any())


@named("zero, a negative number or NaN or an infinity to f8e8m0, or NaN to f4e2m1")
def _without_such_numbers(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    numbers = _numbers(case)
    if to == "f8e8m0" and source != to:
        return bool(((numbers <= 0) | np.signbit(numbers) | np.isinf(numbers)).any())
    return to == "f4e2m1" and source != to and bool(np.isnan(numbers).any())


@named("NaN of f8e5m2 to f64, f32, f16 or bf16")
def _nan_of_float8(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    return source == "f8e5m2" and to in _LARGE_FLOATS and bool(np.isnan(_numbers(case)).any())


@named("f8e8m0 or f4e2m1 with other types than f32, f16 and bf16; float8 or u2 to boolean")
def _no_pair(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    if to in ("f8e8m0", "f4e2m1"):
        return source not in (to, "f32", "f16", "bf16")
    if source == "f8e8m0":
        return to not in _LARGE_FLOATS
    return to in _NOT_TO.get(source, ())


@named("the number of output_size or kernel_size is not known")
def _unknown_sizes(case: OpenVINOCase) -> bool:
    return case.is_dynamic and not {1, 2} <= case.constants | case.sized


@named("strides, dilations, pads_begin or pads_end is left out")
def _without_attributes(case: OpenVINOCase) -> bool:
    return len(case.attributes) < 4


@named("diagonal_index is beyond i32")
def _diagonal_beyond_32_bits(case: OpenVINOCase) -> bool:
    return abs(int(case.inputs[2].reshape(()))) >= 2**31


@named("an element is updated twice")
def _named_twice(case: OpenVINOCase) -> bool:
    return named_twice(*case.inputs[:2])


@named("it runs in several threads")
def _in_threads(case: OpenVINOCase) -> bool:
    return case.threads > 1


@named("a slice is updated twice, by more than 64 indices")
def _many_replaced_twice(case: OpenVINOCase) -> bool:
    """Enough updates for two threads."""
    data, indices, _, axis = case.inputs
    along = np.moveaxis(data, int(axis.reshape(())), 0)
    return indices.size > 64 and named_twice(along, indices[..., np.newaxis])


def _places(case: OpenVINOCase) -> list[tuple[Any, ...]]:
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


def _reduced(case: OpenVINOCase, dtype: Any, reduction: str | None = None, *, is_reversed: bool = False) -> np.ndarray:
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
        return (result / np.maximum(counts, 1)).astype(dtype) if reduction == "mean" else result


@named("a mean is negative, and no whole number")
def _negative_mean(case: OpenVINOCase) -> bool:
    means = _reduced(case, np.float64)
    return bool((np.floor(means) != np.trunc(means)).any())


@named("another order, or one rounding at the end, gives another result")
def _rounded_in_another_order(case: OpenVINOCase) -> bool:
    dtype = case.inputs[0].dtype
    with np.errstate(all="ignore"):
        at_once = _reduced(case, np.float32).astype(dtype)
    stepwise = _reduced(case, dtype)
    return any(stepwise.tobytes() != one.tobytes() for one in (_reduced(case, dtype, is_reversed=True), at_once))


@named("steps in f32 give another result")
def _reduced_in_float32(case: OpenVINOCase) -> bool:
    return _reduced(case, np.float64).tobytes() != _reduced(case, np.float32).astype(np.float64).tobytes()


@named("a result is beyond 31 bits, or the sum before a mean beyond 31, or the 15 of 16-bit types")
def _reduced_in_32_bits(case: OpenVINOCase) -> bool:
    is_mean, dtype = case.attributes["reduction"] == "mean", case.inputs[0].dtype
    numbers = np.abs(_reduced(case, np.float64, "sum" if is_mean else None))
    return bool((numbers >= (2**31 if dtype.itemsize > 2 or not is_mean else 2**15)).any())


@named("the result has a NaN, to which NaN of several bits come, that of infinities among them")
def _one_of_several_nan(case: OpenVINOCase) -> bool:
    numbers = np.concatenate([case.inputs[0].ravel(), case.inputs[2].ravel()])
    with np.errstate(invalid="ignore"):
        given = numbers[np.isnan(numbers)]
        kinds = len({one.tobytes() for one in given}) + bool(np.isinf(numbers).any())
        return kinds > 1 and bool(np.isnan(_reduced(case, np.float64)).any())


@named("an updated element becomes an infinity, or is updated with NaN alone")
def _extremes_of_infinities(case: OpenVINOCase) -> bool:
    zeros = replace(case, inputs=(np.zeros_like(case.inputs[0]), *case.inputs[1:]))
    return not bool(np.isfinite(_reduced(zeros, np.float64)).all())


@named("a result is none of bf16 before it is rounded")
def _rounded_to_bfloat16(case: OpenVINOCase) -> bool:
    exact, rounded = _reduced(case, np.float64), _reduced(case, case.inputs[0].dtype)
    return bool((exact != rounded.astype(np.float64)).any())


_COLUMNS = ("f32", [[1.0, 2.0], [3.0, 4.0]]), ("i32", [1, 3]), ("i32", [1, 2])
PLAIN = {"strides": "1,1", "dilations": "1,1", "pads_begin": "0,0", "pads_end": "0,0"}
_MANY = np.arange(len(UNEVEN))
_THREE_SLICES = np.random.default_rng(0).integers(-50, 50, (3, 3, 4))

ENTRIES: tuple[Difference, ...] = (
    difference(
        "a Range whose stop lies the other way is not empty",
        "the plugin counts the steps without their sign; by the page there are max(ceil((stop - start) / step), 0)",
        f"{NODES}/range.cpp",
        all_of(of("Range"), not_all_constant, _away_from_the_stop),
        model("Range", 4, ("i32", 18), ("i32", 11), ("i32", 2), constants=frozenset({2}),
              attributes={"output_type": "i32"}),
        but({1: ("i32", 18)}),
        known(0, 1, 2),
    ),
    difference(
        "the mean of integers is truncated",
        "the page rounds toward minus infinity, as the reference kernel does",
        f"{NODES}/scatter_update.cpp",
        all_of(of("ScatterElementsUpdate"), attribute("reduction", "mean"), typed(0, *_INTEGERS), _negative_mean),
        model("ScatterElementsUpdate", 12, ("i32", [-1, 0]), ("i32", [0]), ("i32", [-2]), ("i32", 0),
              constants=frozenset({3}), attributes={"reduction": "mean", "use_init_val": "true"}),
        but({2: ("i32", [3])}),
        but({0: ("f32", [-1.0, 0.0]), 2: ("f32", [-2.0])}),
    ),
    difference(
        "first places and counts of slices of bytes are wrong",
        "with an axis the plugin copies them by the width of data's elements; unsorted ones are foreign memory",
        f"{NODES}/unique.cpp",
        all_of(_UNIQUE, HasInput(1), typed(0, *_BYTES), any_of(attribute("sorted", "false"), _unequal_slices)),
        model("Unique", 10, ("u8", np.arange(48).reshape(3, 4, 4) % 3), ("i32", 2), constants=frozenset({1}),
              attributes={"sorted": "false"}, output_count=4),
        but({0: ("i32", np.arange(48).reshape(3, 4, 4) % 3)}),
        but({0: ("u8", np.ones((3, 4, 4)))}, attributes={"sorted": "true"}),
    ),
    difference(
        "slices of several rows are compared with foreign memory",
        "with an axis behind others equal slices may stay apart, and unequal ones become one",
        f"{NODES}/unique.cpp",
        all_of(_UNIQUE, HasInput(1), not_(typed(0, "string")), _slices_of_several_rows),
        model("Unique", 10, ("i32", [[0, 0, 0], [0, 1, 1]]), ("i32", 1), constants=frozenset({1}),
              attributes={"sorted": "false"}, output_count=4),
        but({0: ("i32", [[0, 1, 2], [0, 1, 1]])}),
    ),
    difference(
        "floats outside an integer type are clamped",
        "some pairs of types wrap, others are clamped, some to 32 bits, and the page says nothing; here all wrap",
        f"{NODES}/common/cpu_convert.cpp",
        all_of(_CONVERTS, _outside_the_destination),
        model("Convert", 1, ("f16", [[-7.25], [4.75]]), is_dynamic=True, attributes={"destination_type": "u8"}),
        but({0: ("f16", [[7.25], [4.75]])}),
    ),
    difference(
        "f64 is converted as f32",
        "the plugin holds f64 as f32: integers beyond 2**24 are rounded, and infinities become the greatest f32",
        f"{SOURCE}/plugins/intel_cpu/src/plugin.cpp",
        all_of(_CONVERTS, _held_as_f32),
        model("Convert", 1, ("i32", [2**24 + 1]), attributes={"destination_type": "f64"}),
        but({0: ("i32", [2**24])}),
    ),
    difference(
        "NaN is false",
        "a Convert to boolean compares with 0 so that NaN fails; by the page all but 0 is true",
        f"{NODES}/common/cpu_convert.cpp",
        all_of(_CONVERTS, _nan_as_bool),
        model("Convert", 1, ("f16", [np.nan]), attributes={"destination_type": "boolean"}),
        but({0: ("f16", [1.0])}),
    ),
    difference(
        "the least i32 is false",
        "a Convert to boolean loses -2**31, which has no opposite; by the page all but 0 is true",
        f"{NODES}/common/cpu_convert.cpp",
        all_of(_CONVERTS, _least_as_bool),
        model("Convert", 1, ("i32", np.full(36, -(2**31))), attributes={"destination_type": "boolean"}),
        but({0: ("i32", np.full(36, 1 - 2**31))}),
    ),
    difference(
        "a Convert to bf16 cuts bits off",
        "integers, f64, and floats of unknown sizes are not rounded to the nearest",
        f"{SOURCE}/core/include/openvino/core/type/bfloat16.hpp",
        all_of(_CONVERTS, _cut_to_bfloat16),
        model("Convert", 1, ("i16", [22123]), attributes={"destination_type": "bf16"}),
        but({0: ("i16", [22016])}),
    ),
    difference(
        "a NaN becomes an infinity, or zero",
        "its bits are cut or rounded as those of numbers are: of 0x7F800001 the infinity is left, others are carried "
        "into the sign",
        f"{SOURCE}/core/include/openvino/core/type/bfloat16.hpp",
        all_of(_CONVERTS, _nan_to_infinity),
        model("Convert", 1, ("f32", np.uint32([0x7F800001]).view(np.float32)), attributes={"destination_type": "bf16"}),
        but({0: ("f32", np.uint32([0x7FC00001, 0xFFC00001]).view(np.float32))}),
        but({0: ("f32", [np.nan, np.inf])}, attributes={"destination_type": "f8e5m2"}),
    ),
    difference(
        "a signalling NaN becomes quiet on its way to f16",
        "the instruction sets the quiet bit; here the payload is cut, and stays signalling where bits of it are left",
        f"{NODES}/common/cpu_convert.cpp",
        all_of(_CONVERTS, _signalling_to_f16),
        model("Convert", 1, ("f32", np.uint32([0x7FBFFFFF]).view(np.float32)), attributes={"destination_type": "f16"}),
        but({0: ("f32", np.uint32([0x7FC12345, 0xFFFFFFFF]).view(np.float32))}),
    ),
    difference(
        "numbers that a narrow float does not have",
        "f8e8m0 has neither zero, nor signs, nor infinities: they become its least or greatest number, not NaN, and so "
        "does a NaN with a sign; f4e2m1 has no NaN: it becomes 6, not -0",
        f"{SOURCE}/core/src/type",
        all_of(_CONVERTS, _without_such_numbers),
        model("Convert", 1, ("f32", [-1.0]), attributes={"destination_type": "f8e8m0"}),
        but({0: ("f32", [1.0])}),
    ),
    difference(
        "NaN of float8 keep other bits",
        "f8e5m2 has several NaN; here each gives the one NaN of the larger type, there its bits stay",
        f"{SOURCE}/core/src/type/float8_e5m2.cpp",
        all_of(_CONVERTS, _nan_of_float8),
        model("Convert", 1, ("f8e5m2", np.array([0x7D], np.uint8).view(array("f8e5m2", 0).dtype)),
              attributes={"destination_type": "f32"}),
        but({0: ("f8e5m2", [1.0])}),
    ),
    difference(
        "NonZero of float8 is refused",
        "the node has no kernel for it, though the page allows any numeric type",
        f"{NODES}/non_zero.cpp",
        all_of(of("NonZero"), typed(0, *_FLOAT8)),
        model("NonZero", 3, ("f8e4m3", [1.0]), attributes={"output_type": "i64"}),
        but({0: ("f16", [1.0])}),
    ),
    difference(
        "a Convert between types of 8 bits or less is refused",
        "f8e8m0 and f4e2m1 go to and from larger floats, and little else; float8 and u2 do not become bool",
        f"{NODES}/common/cpu_convert.cpp",
        all_of(_CONVERTS, _no_pair),
        model("Convert", 1, ("f8e4m3", [1.0]), attributes={"destination_type": "boolean"}),
        but(attributes={"destination_type": "i8"}),
    ),
    difference(
        "an Eye without batch axes is foreign memory",
        "with an empty batch_shape nothing is written, unless all is constant; the page says that it means one matrix",
        f"{NODES}/eye.cpp",
        all_of(of("Eye"), Has(3, "no element"), not_all_constant),
        model("Eye", 9, ("i64", 2), ("i64", 2), ("i64", 0), ("i64", []), attributes={"output_type": "f32"}),
        known(0, 1, 2, 3),
    ),
    difference(
        "an Eye of float8 is refused",
        "the node has no kernel for it, though the page allows any numeric type",
        f"{NODES}/eye.cpp",
        all_of(of("Eye"), attribute("output_type", *_FLOAT8)),
        model("Eye", 9, ("i64", 2), ("i64", 2), ("i64", 0), attributes={"output_type": "f8e5m2"}),
        but(attributes={"output_type": "f16"}),
    ),
    difference(
        "the diagonal of an Eye is cut to 32 bits",
        "known at run it is made a 32-bit integer: 2**40 becomes 0",
        f"{NODES}/eye.cpp",
        all_of(of("Eye"), no_constant, _diagonal_beyond_32_bits),
        model("Eye", 9, ("i64", 2), ("i64", 2), ("i64", 2**40), attributes={"output_type": "f32"}),
        but({2: ("i64", 2**31 - 1)}),
    ),
    difference(
        "bool is subtracted as a number",
        "false - true - true is -2, which is true; here each difference is true where the two differ",
        f"{NODES}/scatter_update.cpp",
        all_of(of("ScatterNDUpdate"), attribute("reduction", "sub"), typed(0, "boolean"), _named_twice),
        model("ScatterNDUpdate", 15, ("boolean", [False]), ("i64", [[0], [0]]), ("boolean", [True, True]),
              attributes={"reduction": "sub"}),
        but({1: ("i64", [[0]]), 2: ("boolean", [True])}),
    ),
    difference(
        "threads replace one element in any order",
        "of several updates for one element any stays, another one each time; the page leaves it open",
        "https://github.com/openvinotoolkit/openvino/pull/31650",
        all_of(of("ScatterNDUpdate"), attribute("reduction", "none", default="none"), _named_twice, _in_threads),
        model("ScatterNDUpdate", 15, ("f32", UNEVEN_DATA), ("i32", UNEVEN[:, np.newaxis]), ("f32", _MANY),
              threads=2),
        but({1: ("i32", np.arange(10**6)[:, np.newaxis])}),
        but(attributes={"reduction": "max"}),
        of_threads=True,
    ),
    difference(
        "threads replace one slice in any order",
        "ScatterUpdate does it too, where updates are many",
        f"{NODES}/scatter_update.cpp",
        all_of(of("ScatterUpdate"), _many_replaced_twice, _in_threads),
        model("ScatterUpdate", 3, ("f32", UNEVEN_DATA), ("i32", UNEVEN), ("f32", _MANY), ("i32", 0),
              threads=2),
        but({1: ("i32", [0] * 64), 2: ("f32", np.arange(64))}),
        of_threads=True,
    ),
    difference(
        "16-bit floats are reduced in another order",
        "updates of one element are not combined, and rounded, one after the other; the page names no order",
        f"{NODES}/scatter_update.cpp",
        all_of(
            _REDUCES, typed(0, "f16", "bf16"), attribute("reduction", "sum", "sub", "prod"), _rounded_in_another_order
        ),
        model("ScatterNDUpdate", 15, ("bf16", _THREE_SLICES[:1]), ("i64", [[0], [0], [0]]), ("bf16", _THREE_SLICES),
              attributes={"reduction": "prod"}),
        but({0: ("f32", _THREE_SLICES[:1]), 2: ("f32", _THREE_SLICES)}),
    ),
    difference(
        "f64 is reduced in f32",
        "the plugin holds f64 as f32, so that quotients have its precision",
        f"{SOURCE}/plugins/intel_cpu/src/plugin.cpp",
        all_of(_REDUCES, typed(0, "f64"), _reduced_in_float32),
        model("ScatterElementsUpdate", 12, ("f64", [23.0]), ("i32", [0, 0]), ("f64", [1.0, 2.0]), ("i32", 0),
              constants=frozenset({3}), attributes={"reduction": "mean", "use_init_val": "true"}),
        but({2: ("f64", [1.0, 3.0])}),
    ),
    difference(
        "integers are reduced in 32 bits",
        "the plugin holds i64, u64, u32, i16 and u16 as i32: 64 bits overflow, sums of 16 do not before a mean",
        f"{SOURCE}/plugins/intel_cpu/src/plugin.cpp",
        all_of(_REDUCES, typed(0, "i64", "u64", "u32", "i16", "u16"), _reduced_in_32_bits),
        model("ScatterNDUpdate", 15, ("i64", [2**30]), ("i32", [[0]]), ("i64", [4]), attributes={"reduction": "prod"}),
        but({2: ("i64", [1])}),
    ),
    difference(
        "which of several NaN",
        "the bits of one of two NaN stay, and which one depends on the order of the operands in the vector's loop",
        f"{NODES}/scatter_update.cpp",
        all_of(
            _REDUCES, typed(0, *_LARGE_FLOATS), attribute("reduction", "sum", "sub", "prod", "mean"),
            _one_of_several_nan,
        ),
        model("ScatterElementsUpdate", 12, ("f32", [35.0]), ("i32", [0, 0, 0, 0]),
              ("f32", [-0.0, np.inf, np.nan, -4.0]), ("u8", 0), is_dynamic=True,
              attributes={"reduction": "prod", "use_init_val": "true"}),
        but({2: ("f32", [-0.0, 1.0, np.nan, -4.0])}),
    ),
    difference(
        "the greatest of infinities is finite",
        "without the old value max begins with the least finite number and min with the greatest, not with an "
        "infinity; NaN alone leave these",
        f"{NODES}/scatter_update.cpp",
        all_of(
            of("ScatterElementsUpdate"), attribute("use_init_val", "false"), attribute("reduction", "min", "max"),
            typed(0, *_FLOATS), _extremes_of_infinities,
        ),
        model("ScatterElementsUpdate", 12, ("f32", [35.0]), ("i8", [0]), ("f32", [-np.inf]), ("i8", 0),
              constants=frozenset({3}), attributes={"reduction": "max", "use_init_val": "false"}),
        but(attributes={"use_init_val": "true"}),
        but({0: ("f32", [np.inf, 1.0]), 1: ("i8", [1]), 2: ("f32", [2.0])}),
    ),
    difference(
        "bf16 with an even last bit is cut off",
        "a sum or product is rounded to the nearest where its last bit that stays is 1, and else toward zero",
        f"{SOURCE}/core/include/openvino/core/type/bfloat16.hpp",
        all_of(
            _REDUCES, typed(0, "bf16"), attribute("reduction", "sum", "sub", "prod", "mean"), _rounded_to_bfloat16
        ),
        model("ScatterNDUpdate", 15, ("bf16", [41.0]), ("i32", [[0]]), ("bf16", [29.0]),
              attributes={"reduction": "prod"}),
        but({2: ("bf16", [2.0])}),
    ),
    difference(
        "NaN leave the order of Unique undefined",
        "NaN is unequal to itself and no less than a number: slices come twice, or stand in any order",
        f"{NODES}/unique.cpp",
        all_of(_UNIQUE, typed(0, *_FLOATS, "f8e8m0"), Has(0, "a NaN"), several_elements),
        model("Unique", 10, ("f32", [np.nan, -np.inf, np.nan, -np.inf]), attributes={"sorted": "true"}, output_count=4),
        but({0: ("f32", [np.inf, -np.inf, -0.0, 0.0, np.inf])}),
    ),
    difference(
        "a Col2Im of unknown sizes is refused",
        "the shapes of output_size and kernel_size must be known while compiling",
        f"{SOURCE}/core/src/op/col2im.cpp",
        all_of(of("Col2Im"), _unknown_sizes),
        model("Col2Im", 15, *_COLUMNS, is_dynamic=True, attributes=PLAIN),
        but(sized=frozenset({1, 2})),
    ),
    difference(
        "a Col2Im with an attribute left out ends the process",
        "strides, dilations, pads_begin and pads_end have defaults on the page; the plugin reads empty lists",
        f"{NODES}/col2im.cpp",
        all_of(of("Col2Im"), _without_attributes),
        model("Col2Im", 15, *_COLUMNS, constants=frozenset({1, 2})),
        but(attributes=PLAIN),
    ),
)  # fmt: skip
