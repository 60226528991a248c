"""OpenVINO's CPU plugin in operations that compute, compare or convert elements."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from tests.differential.difference import Difference
from tests.differential.expected_differences.openvino_entries import NODES, SOURCE, difference, model, of
from tests.differential.openvino_cases import array
from tests.differential.openvino_runtime import OpenVINOCase
from tests.support.places import UNEVEN, UNEVEN_DATA, named_twice
from wherry import openvino


@of("Range")
def _away_from_the_stop(case: OpenVINOCase) -> bool:
    start, stop, step = (float(value) for value in case.inputs)
    return (stop - start) * step < 0 and len(case.constants) < 3


@of("ScatterElementsUpdate")
def _mean_of_integers(case: OpenVINOCase) -> bool:
    """Whether a mean is negative and no whole number."""
    if case.attributes.get("reduction") != "mean" or case.kinds[0][0] not in "iu":
        return False
    data, indices, updates, axis = case.inputs
    rest: dict[str, Any] = {"reduction": "mean", "use_init_val": case.attributes["use_init_val"] == "true"}
    means = openvino.scatter_elements_update(data.astype(np.float64), indices, updates.astype(np.float64), axis, **rest)
    return bool((np.floor(means) != np.trunc(means)).any())


@of("Unique")
def _slices_of_bytes(case: OpenVINOCase) -> bool:
    if case.kinds[0] not in ("i8", "u8", "boolean", "i4", "u4") or len(case.inputs) < 2:
        return False
    return case.attributes["sorted"] == "false" or len(openvino.unique(*case.inputs)[1]) > 1


@of("Unique")
def _slices_of_several_rows(case: OpenVINOCase) -> bool:
    """Whether two slices of three or more are equal before their second row."""
    if len(case.inputs) < 2 or case.kinds[0] == "string":
        return False
    data = case.inputs[0]
    axis = int(case.inputs[1].reshape(())) % data.ndim
    rows = prod(data.shape[:axis])
    slices = np.moveaxis(data, axis, 0).reshape(data.shape[axis], rows, -1).astype(np.float64)
    if rows < 2 or len(slices) < 3:
        return False
    return len(np.unique(slices[:, 0], axis=0)) < len(np.unique(slices.reshape(len(slices), -1), axis=0))


@of("Unique")
def _of_nan(case: OpenVINOCase) -> bool:
    data = case.inputs[0]
    return case.kinds[0][0] in "bf" and bool(np.isnan(data.astype(np.float32)).any()) and data.size > 1


_FLOATS = ("f32", "f16", "bf16", "f64", "f8e4m3", "f8e5m2")
_LARGE_FLOATS = ("f32", "f16", "bf16", "f64")
_NOT_TO = {
    "f4e2m1": ("boolean", "i16", "u16", "i32", "u32", "i64", "u64", "f8e4m3", "f8e5m2", "u2"),
    "f8e4m3": ("boolean",),
    "f8e5m2": ("boolean",),
    "u2": ("boolean",),
}


def _ends(case: OpenVINOCase) -> tuple[str, str]:
    return case.kinds[0], case.attributes.get("destination_type") or case.kinds[1]


def _numbers(case: OpenVINOCase) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return case.inputs[0].astype(np.float64)


@of("Convert", "ConvertLike")
def _outside_the_destination(case: OpenVINOCase) -> bool:
    """Whether floats lie outside an integer type, that of 32 bits for wider ones; some wrap as f32 does here."""
    source, to = _ends(case)
    if source not in _FLOATS or to[0] not in "iu" or (source in ("f32", "bf16") and to in ("i16", "i32", "u16")):
        return False
    bits = 31 if to in ("u32", "i64", "u64") else int(to[1:]) - (to[0] == "i")
    least = 0 if to[0] == "u" else -(2**bits)
    whole = np.trunc(_numbers(case))
    return not bool(((whole >= least) & (whole < 2**bits)).all())


@of("Convert", "ConvertLike")
def _held_as_f32(case: OpenVINOCase) -> bool:
    """Whether f64 is infinite, or an integer is that f32 does not hold."""
    source, to = _ends(case)
    if "f64" not in (source, to) or source == to:
        return False
    numbers = _numbers(case)
    with np.errstate(all="ignore"):
        return bool((np.isinf(numbers) | (numbers != numbers.astype(np.float32)) & ~np.isnan(numbers)).any())


@of("Convert", "ConvertLike")
def _nan_as_bool(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    return to == "boolean" and source in _LARGE_FLOATS and bool(np.isnan(_numbers(case)).any())


@of("Convert", "ConvertLike")
def _cut_to_bfloat16(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    if to != "bf16" or source == "bf16":
        return False
    numbers = _numbers(case)
    with np.errstate(all="ignore"):
        rounded = numbers.astype(np.float32).astype(array(to, 0).dtype).astype(np.float64)
    return bool(((numbers != rounded) & ~np.isnan(numbers)).any())


@of("Convert", "ConvertLike")
def _without_such_numbers(case: OpenVINOCase) -> bool:
    """Whether float8_e8m0 has no such number, or float4 no NaN."""
    source, to = _ends(case)
    numbers = _numbers(case)
    if to == "f8e8m0" and source != to:
        return bool(((numbers <= 0) | np.isinf(numbers)).any())
    return to == "f4e2m1" and source != to and bool(np.isnan(numbers).any())


@of("Convert", "ConvertLike")
def _nan_of_float8(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    return source == "f8e5m2" and to in _LARGE_FLOATS and bool(np.isnan(_numbers(case)).any())


@of("NonZero")
def _zeros_of_float8(case: OpenVINOCase) -> bool:
    return case.kinds[0].startswith("f8")


@of("Convert", "ConvertLike")
def _no_pair(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    if to in ("f8e8m0", "f4e2m1"):
        return source not in (to, "f32", "f16", "bf16")
    if source == "f8e8m0":
        return to not in _LARGE_FLOATS
    return to in _NOT_TO.get(source, ())


@of("Col2Im")
def _unknown_sizes(case: OpenVINOCase) -> bool:
    return case.is_dynamic and not {1, 2} <= case.constants | case.sized


@of("Col2Im")
def _without_attributes(case: OpenVINOCase) -> bool:
    return len(case.attributes) < 4


@of("Eye")
def _no_batch_at_run(case: OpenVINOCase) -> bool:
    return len(case.inputs) == 4 and case.inputs[3].size == 0 and len(case.constants) < 4


@of("Eye")
def _of_float8(case: OpenVINOCase) -> bool:
    return str(case.attributes["output_type"]).startswith("f8")


@of("Eye")
def _diagonal_beyond_32_bits(case: OpenVINOCase) -> bool:
    return abs(int(case.inputs[2].reshape(()))) >= 2**31 and not case.constants


@of("ScatterNDUpdate")
def _differences_of_bool(case: OpenVINOCase) -> bool:
    return case.attributes.get("reduction") == "sub" and case.kinds[0] == "boolean" and named_twice(*case.inputs[:2])


@of("ScatterNDUpdate")
def _replaced_twice(case: OpenVINOCase) -> bool:
    return case.attributes.get("reduction", "none") == "none" and named_twice(*case.inputs[:2])


@of("ScatterUpdate")
def _many_replaced_twice(case: OpenVINOCase) -> bool:
    """Whether there are enough updates for two threads."""
    data, indices, _, axis = case.inputs
    along = np.moveaxis(data, int(axis.reshape(())), 0)
    return indices.size > 64 and named_twice(along, indices[..., np.newaxis])


@of("ScatterNDUpdate", "ScatterElementsUpdate")
def _rounded_in_another_order(case: OpenVINOCase) -> bool:
    """Whether steps in 16 bits differ from those of the reversed updates, or from one rounding at the end."""
    if case.kinds[0] not in ("f16", "bf16") or case.attributes.get("reduction", "none") not in ("sum", "sub", "prod"):
        return False
    data, indices, updates, *axis = case.inputs
    rest: dict[str, Any] = {"reduction": case.attributes["reduction"]}
    function, turned = openvino.scatter_nd_update, (slice(None, None, -1),) * (indices.ndim - 1)
    if case.operator == "ScatterElementsUpdate":
        rest["use_init_val"] = case.attributes["use_init_val"] == "true"
        function, turned = openvino.scatter_elements_update, (slice(None, None, -1),) * indices.ndim
    stepwise = function(data, indices, updates, *axis, **rest)
    reversed_order = function(data, indices[turned], updates[turned], *axis, **rest)
    at_once = function(data.astype(np.float32), indices, updates.astype(np.float32), *axis, **rest)
    with np.errstate(all="ignore"):
        others = (reversed_order, at_once.astype(data.dtype))
    return any(stepwise.tobytes() != np.ascontiguousarray(other).tobytes() for other in others)


def _reduced(case: OpenVINOCase, dtype: Any, reduction: str | None = None) -> np.ndarray:
    """Return what a scatter makes of data and updates as another type, or by another reduction."""
    data, indices, updates, *axis = case.inputs
    rest: dict[str, Any] = {"reduction": reduction or case.attributes["reduction"]}
    function = openvino.scatter_nd_update
    if case.operator == "ScatterElementsUpdate":
        rest["use_init_val"] = case.attributes["use_init_val"] == "true"
        function = openvino.scatter_elements_update
    with np.errstate(all="ignore"):
        return function(data.astype(dtype), indices, updates.astype(dtype), *axis, **rest)


@of("ScatterNDUpdate", "ScatterElementsUpdate")
def _reduced_in_float32(case: OpenVINOCase) -> bool:
    if case.kinds[0] != "f64" or case.attributes.get("reduction", "none") == "none":
        return False
    return _reduced(case, np.float64).tobytes() != _reduced(case, np.float32).astype(np.float64).tobytes()


@of("ScatterNDUpdate", "ScatterElementsUpdate")
def _reduced_in_32_bits(case: OpenVINOCase) -> bool:
    """Whether a result is beyond 31 bits, or the sum on the way to a mean beyond them or the 16 of its type."""
    reduction = case.attributes.get("reduction", "none")
    if case.kinds[0] not in ("i64", "u64", "u32", "i16", "u16") or reduction == "none":
        return False
    is_mean, dtype = reduction == "mean", case.inputs[0].dtype
    numbers = np.abs(_reduced(case, np.float64, "sum" if is_mean else None))
    return bool((numbers >= (2**31 if dtype.itemsize > 2 or not is_mean else 2**15)).any())


@of("ScatterNDUpdate", "ScatterElementsUpdate")
def _one_of_several_nan(case: OpenVINOCase) -> bool:
    """Whether a sum or product is NaN, and NaN of several bits come into it, that of infinities among them."""
    if case.kinds[0] not in _LARGE_FLOATS or case.attributes.get("reduction") not in ("sum", "sub", "prod", "mean"):
        return False
    numbers = np.concatenate([case.inputs[0].ravel(), case.inputs[2].ravel()])
    with np.errstate(invalid="ignore"):
        given = numbers[np.isnan(numbers)]
        kinds = len({one.tobytes() for one in given}) + bool(np.isinf(numbers).any())
        return kinds > 1 and bool(np.isnan(_reduced(case, np.float64)).any())


@of("ScatterElementsUpdate")
def _extremes_of_infinities(case: OpenVINOCase) -> bool:
    """Whether nothing but an infinity is written, and the old value does not count."""
    is_alone = case.attributes.get("use_init_val") == "false" and case.attributes["reduction"] in ("min", "max")
    return is_alone and case.kinds[0] in _FLOATS and bool(np.isinf(_reduced(case, np.float64)).any())


@of("ScatterNDUpdate", "ScatterElementsUpdate")
def _rounded_to_bfloat16(case: OpenVINOCase) -> bool:
    if case.kinds[0] != "bf16" or case.attributes.get("reduction", "none") not in ("sum", "sub", "prod", "mean"):
        return False
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
        _away_from_the_stop,
        model("Range", 4, ("i32", 18), ("i32", 11), ("i32", 2), constants=frozenset({2}),
              attributes={"output_type": "i32"}),
    ),
    difference(
        "the mean of integers is truncated",
        "the page rounds toward minus infinity, as the reference kernel does",
        f"{NODES}/scatter_update.cpp",
        _mean_of_integers,
        model("ScatterElementsUpdate", 12, ("i32", [-1, 0]), ("i32", [0]), ("i32", [-2]), ("i32", 0),
              constants=frozenset({3}), attributes={"reduction": "mean", "use_init_val": "true"}),
    ),
    difference(
        "first places and counts of slices of bytes are wrong",
        "with an axis the plugin copies them by the width of data's elements; unsorted ones are foreign memory",
        f"{NODES}/unique.cpp",
        _slices_of_bytes,
        model("Unique", 10, ("u8", np.arange(48).reshape(3, 4, 4) % 3), ("i32", 2), constants=frozenset({1}),
              attributes={"sorted": "false"}, output_count=4),
    ),
    difference(
        "slices of several rows are compared with foreign memory",
        "with an axis behind others equal slices may stay apart, and unequal ones become one",
        f"{NODES}/unique.cpp",
        _slices_of_several_rows,
        model("Unique", 10, ("i32", [[0, 0, 0], [0, 1, 1]]), ("i32", 1), constants=frozenset({1}),
              attributes={"sorted": "false"}, output_count=4),
    ),
    difference(
        "floats outside an integer type are clamped",
        "some pairs of types wrap, others are clamped, some to 32 bits, and the page says nothing; here all wrap",
        f"{NODES}/common/cpu_convert.cpp",
        _outside_the_destination,
        model("Convert", 1, ("f16", [[-7.25], [4.75]]), is_dynamic=True, attributes={"destination_type": "u8"}),
    ),
    difference(
        "f64 is converted as f32",
        "the plugin holds f64 as f32: integers beyond 2**24 are rounded, and infinities become the greatest f32",
        f"{SOURCE}/plugins/intel_cpu/src/plugin.cpp",
        _held_as_f32,
        model("Convert", 1, ("i32", [2**24 + 1]), attributes={"destination_type": "f64"}),
    ),
    difference(
        "NaN is false",
        "a Convert to boolean compares with 0 so that NaN fails; by the page all but 0 is true",
        f"{NODES}/common/cpu_convert.cpp",
        _nan_as_bool,
        model("Convert", 1, ("f16", [np.nan]), attributes={"destination_type": "boolean"}),
    ),
    difference(
        "a Convert to bf16 cuts bits off",
        "integers, f64, and floats of unknown sizes are not rounded to the nearest",
        f"{SOURCE}/core/include/openvino/core/type/bfloat16.hpp",
        _cut_to_bfloat16,
        model("Convert", 1, ("i16", [22123]), attributes={"destination_type": "bf16"}),
    ),
    difference(
        "numbers that a narrow float does not have",
        "f8e8m0 has neither zero, nor signs, nor infinities: they become its least or greatest number, not NaN; "
        "f4e2m1 has no NaN: it becomes 6, not -0",
        f"{SOURCE}/core/src/type",
        _without_such_numbers,
        model("Convert", 1, ("f32", [-1.0]), attributes={"destination_type": "f8e8m0"}),
    ),
    difference(
        "NaN of float8 keep other bits",
        "f8e5m2 has several NaN; here each gives the one NaN of the larger type, there its bits stay",
        f"{SOURCE}/core/src/type/float8_e5m2.cpp",
        _nan_of_float8,
        model("Convert", 1, ("f8e5m2", np.array([0x7D], np.uint8).view(array("f8e5m2", 0).dtype)),
              attributes={"destination_type": "f32"}),
    ),
    difference(
        "NonZero of float8 is refused",
        "the node has no kernel for it, though the page allows any numeric type",
        f"{NODES}/non_zero.cpp",
        _zeros_of_float8,
        model("NonZero", 3, ("f8e4m3", [1.0]), attributes={"output_type": "i64"}),
    ),
    difference(
        "a Convert between types of 8 bits or less is refused",
        "f8e8m0 and f4e2m1 go to and from larger floats, and little else; float8 and u2 do not become bool",
        f"{NODES}/common/cpu_convert.cpp",
        _no_pair,
        model("Convert", 1, ("f8e4m3", [1.0]), attributes={"destination_type": "boolean"}),
    ),
    difference(
        "an Eye without batch axes is foreign memory",
        "with an empty batch_shape nothing is written, unless all is constant; the page says that it means one matrix",
        f"{NODES}/eye.cpp",
        _no_batch_at_run,
        model("Eye", 9, ("i64", 2), ("i64", 2), ("i64", 0), ("i64", []), attributes={"output_type": "f32"}),
    ),
    difference(
        "an Eye of float8 is refused",
        "the node has no kernel for it, though the page allows any numeric type",
        f"{NODES}/eye.cpp",
        _of_float8,
        model("Eye", 9, ("i64", 2), ("i64", 2), ("i64", 0), attributes={"output_type": "f8e5m2"}),
    ),
    difference(
        "the diagonal of an Eye is cut to 32 bits",
        "known at run it is made a 32-bit integer: 2**40 becomes 0",
        f"{NODES}/eye.cpp",
        _diagonal_beyond_32_bits,
        model("Eye", 9, ("i64", 2), ("i64", 2), ("i64", 2**40), attributes={"output_type": "f32"}),
    ),
    difference(
        "bool is subtracted as a number",
        "false - true - true is -2, which is true; here each difference is true where the two differ",
        f"{NODES}/scatter_update.cpp",
        _differences_of_bool,
        model("ScatterNDUpdate", 15, ("boolean", [False]), ("i64", [[0], [0]]), ("boolean", [True, True]),
              attributes={"reduction": "sub"}),
    ),
    difference(
        "threads replace one element in any order",
        "of several updates for one element any stays, another one each time; the page leaves it open",
        "https://github.com/openvinotoolkit/openvino/pull/31650",
        _replaced_twice,
        model("ScatterNDUpdate", 15, ("f32", UNEVEN_DATA), ("i32", UNEVEN[:, np.newaxis]), ("f32", _MANY),
              threads=2),
        of_threads=True,
    ),
    difference(
        "threads replace one slice in any order",
        "ScatterUpdate does it too, where updates are many",
        f"{NODES}/scatter_update.cpp",
        _many_replaced_twice,
        model("ScatterUpdate", 3, ("f32", UNEVEN_DATA), ("i32", UNEVEN), ("f32", _MANY), ("i32", 0),
              threads=2),
        of_threads=True,
    ),
    difference(
        "16-bit floats are reduced in another order",
        "updates of one element are not combined, and rounded, one after the other; the page names no order",
        f"{NODES}/scatter_update.cpp",
        _rounded_in_another_order,
        model("ScatterNDUpdate", 15, ("bf16", _THREE_SLICES[:1]), ("i64", [[0], [0], [0]]), ("bf16", _THREE_SLICES),
              attributes={"reduction": "prod"}),
    ),
    difference(
        "f64 is reduced in f32",
        "the plugin holds f64 as f32, so that quotients have its precision",
        f"{SOURCE}/plugins/intel_cpu/src/plugin.cpp",
        _reduced_in_float32,
        model("ScatterElementsUpdate", 12, ("f64", [23.0]), ("i32", [0, 0]), ("f64", [1.0, 2.0]), ("i32", 0),
              constants=frozenset({3}), attributes={"reduction": "mean", "use_init_val": "true"}),
    ),
    difference(
        "integers are reduced in 32 bits",
        "the plugin holds i64, u64, u32, i16 and u16 as i32: 64 bits overflow, sums of 16 do not before a mean",
        f"{SOURCE}/plugins/intel_cpu/src/plugin.cpp",
        _reduced_in_32_bits,
        model("ScatterNDUpdate", 15, ("i64", [2**30]), ("i32", [[0]]), ("i64", [4]), attributes={"reduction": "prod"}),
    ),
    difference(
        "which of several NaN",
        "the bits of one of two NaN stay, and which one depends on the order of the operands in the vector's loop",
        f"{NODES}/scatter_update.cpp",
        _one_of_several_nan,
        model("ScatterElementsUpdate", 12, ("f32", [35.0]), ("i32", [0, 0, 0, 0]),
              ("f32", [-0.0, np.inf, np.nan, -4.0]), ("u8", 0), is_dynamic=True,
              attributes={"reduction": "prod", "use_init_val": "true"}),
    ),
    difference(
        "the greatest of infinities is finite",
        "without the old value max begins with the least finite number and min with the greatest, not with an infinity",
        f"{NODES}/scatter_update.cpp",
        _extremes_of_infinities,
        model("ScatterElementsUpdate", 12, ("f32", [35.0]), ("i8", [0]), ("f32", [-np.inf]), ("i8", 0),
              constants=frozenset({3}), attributes={"reduction": "max", "use_init_val": "false"}),
    ),
    difference(
        "bf16 with an even last bit is cut off",
        "a sum or product is rounded to the nearest where its last bit that stays is 1, and else toward zero",
        f"{SOURCE}/core/include/openvino/core/type/bfloat16.hpp",
        _rounded_to_bfloat16,
        model("ScatterNDUpdate", 15, ("bf16", [41.0]), ("i32", [[0]]), ("bf16", [29.0]),
              attributes={"reduction": "prod"}),
    ),
    difference(
        "NaN leave the order of Unique undefined",
        "NaN is unequal to itself and no less than a number: slices come twice, or stand in any order",
        f"{NODES}/unique.cpp",
        _of_nan,
        model("Unique", 10, ("f32", [np.nan, -np.inf, np.nan, -np.inf]), attributes={"sorted": "true"}, output_count=4),
    ),
    difference(
        "a Col2Im of unknown sizes is refused",
        "the shapes of output_size and kernel_size must be known while compiling",
        f"{SOURCE}/core/src/op/col2im.cpp",
        _unknown_sizes,
        model("Col2Im", 15, *_COLUMNS, is_dynamic=True, attributes=PLAIN),
    ),
    difference(
        "a Col2Im with an attribute left out ends the process",
        "strides, dilations, pads_begin and pads_end have defaults on the page; the plugin reads empty lists",
        f"{NODES}/col2im.cpp",
        _without_attributes,
        model("Col2Im", 15, *_COLUMNS, constants=frozenset({1, 2})),
    ),
)  # fmt: skip
