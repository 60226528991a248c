"""OpenVINO's CPU plugin in Gather, Split, VariadicSplit and Concat, and in types of any operation."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from tests.differential.conditions import Has, all_of, before, named, not_, of, typed
from tests.differential.difference import Difference
from tests.differential.expected_differences.openvino_entries import (
    NODES,
    SOURCE,
    beyond_int32,
    but,
    difference,
    elements_of,
    model,
    not_all_constant,
    static,
)
from tests.differential.openvino_runtime import OpenVINOCase

_HELD_AS_INT32 = ("i32", "i64", "u32", "u64", "i16", "u16")
_BY_BYTES = ("u1", "u2", "u3", "u6", "nf4", "f4e2m1")
_GATHER = of("Gather")
_SPLITS = of("Split", "VariadicSplit")


def _gather(data: tuple[str, Any], indices: tuple[str, Any], axis: int = 0, **rest: Any) -> OpenVINOCase:
    opset = rest.pop("opset", 8)
    rest.setdefault("constants", frozenset({2}))
    batch_dims = rest.pop("batch_dims", 0)
    attributes = {"batch_dims": batch_dims} if opset > 6 else {}
    return model("Gather", opset, data, indices, ("i64", axis), attributes=attributes, **rest)


def _parts(case: OpenVINOCase) -> tuple[np.ndarray, np.ndarray, int, int]:
    data, indices, axis = case.inputs
    batch_dims = int(case.attributes.get("batch_dims", 0))
    batch_dims += indices.ndim if batch_dims < 0 else 0
    return data, indices, int(axis.reshape(())) % data.ndim, batch_dims


@named("an index is out of range")
def _outside(case: OpenVINOCase) -> bool:
    data, indices, axis, _ = _parts(case)
    size, values = data.shape[axis], indices.reshape(-1).tolist()
    least = -size if case.version >= 8 else 0
    return any(not least <= value < size for value in values)


@named("the axis has size 0, and there are indices")
def _empty_axis(case: OpenVINOCase) -> bool:
    data, indices, axis, _ = _parts(case)
    return data.shape[axis] == 0 and indices.size > 0


@named("data or indices are empty")
def _empty(case: OpenVINOCase) -> bool:
    return any(0 in one.shape for one in case.inputs[:2])


@named("data and indices are vectors of up to 64 elements")
def _short(case: OpenVINOCase) -> bool:
    return all(one.ndim <= 1 and one.size <= 64 for one in case.inputs[:2])


@named("batch_dims is not 0, and one element stands before the axis")
def _one_batch(case: OpenVINOCase) -> bool:
    data, _, axis, batch_dims = _parts(case)
    return batch_dims > 0 and prod(data.shape[:axis]) == 1


@named("data is constant and has one element on the axis")
def _only_one_element(case: OpenVINOCase) -> bool:
    data, _, axis, _ = _parts(case)
    return 0 in case.constants and data.shape[axis] == 1


@named("all is constant, or data are strings, or there is one constant index")
def _left_to_the_reference(case: OpenVINOCase) -> bool:
    is_one = 1 in case.constants and case.inputs[1].size == 1 and static.holds(case)
    return len(case.constants) == 3 or case.kinds[0] == "string" or is_one


@named("a constant of f32, f64 or bf16 has a number that is subnormal as f32")
def _subnormal_constants(case: OpenVINOCase) -> bool:
    constants = [case.inputs[number] for number in case.constants if case.kinds[number] in ("f32", "f64", "bf16")]
    numbers = [np.abs(one.astype(np.float64)) for one in constants]
    return any(((one > 0) & (one < np.finfo(np.float32).smallest_normal)).any() for one in numbers)


@named("an index is beyond i32")
def _far_index(case: OpenVINOCase) -> bool:
    return beyond_int32(case.inputs[1])


def _beyond_float32(value: np.ndarray) -> bool:
    """Whether a conversion to f32 and back changes bits; an infinity becomes the greatest number."""
    with np.errstate(all="ignore"):
        back = np.ascontiguousarray(value.astype(np.float32).astype(np.float64))
    return bool(np.isinf(value).any()) or back.tobytes() != np.ascontiguousarray(value).tobytes()


@named("moved elements of i64, u64 or u32 are beyond i32, or those of f64 are no finite f32")
def _wide_data(case: OpenVINOCase) -> bool:
    return any(
        _beyond_float32(value) if kind == "f64" else kind in ("i64", "u64", "u32") and beyond_int32(value)
        for kind, value in elements_of(case)
    )


@named("moved elements of f16 have a signalling NaN")
def _signalling(case: OpenVINOCase) -> bool:
    def is_signalling(value: np.ndarray) -> bool:
        bits = value.view(np.uint16)
        return bool((((bits & 0x7E00) == 0x7C00) & ((bits & 0x1FF) != 0)).any())

    return any(kind == "f16" and is_signalling(value) for kind, value in elements_of(case))


@named("all inputs are constants, there are batch_dims, and the indices of all batches together are 0..d-1 in order")
def _whole_axis_of_batches(case: OpenVINOCase) -> bool:
    _, indices, axis, batch_dims = _parts(case)
    in_order = indices.reshape(-1).tolist() == list(range(case.inputs[0].shape[axis]))
    return batch_dims != 0 and in_order and len(case.constants) == len(case.inputs)


@named("one input has elements, and it is no constant")
def _one_full_input(case: OpenVINOCase) -> bool:
    full = [number for number, value in enumerate(case.inputs) if value.size]
    return len(full) == 1 and full[0] not in case.constants


ENTRIES: tuple[Difference, ...] = (
    difference(
        "constants gathered by batches are taken whole",
        "constant folding takes indices 0..d-1 for the whole axis, though each batch has its own: it gives the data",
        f"{SOURCE}/core/src/op/util/gather_base.cpp",
        all_of(_GATHER, _whole_axis_of_batches),
        _gather(("f32", [[1, 2], [3, 4]]), ("i64", [[0], [1]]), 1, batch_dims=1, constants=frozenset({0, 1, 2})),
        but(constants=frozenset({1, 2})),
        but({1: ("i64", [[1], [0]])}),
    ),
    difference(
        "an empty Gather kills the process",
        "with static shapes the kernel divides by a size of 0 (SIGFPE); dynamic shapes give the empty result",
        f"{NODES}/gather.cpp",
        all_of(_GATHER, static, _empty),
        _gather(("f32", [1, 2]), ("i32", [])),
        but(is_dynamic=True),
    ),
    difference(
        "an empty axis gives foreign memory",
        "Gather-8 says zero where an index is out of range, and on an axis of size 0 every index is",
        f"{NODES}/gather.cpp",
        all_of(_GATHER, _empty_axis),
        _gather(("f32", np.ones((0, 8))), ("i32", [0] * 64), is_dynamic=True),
        but({0: ("f32", np.ones((1, 8)))}),
    ),
    difference(
        "short vectors are read without a check",
        "up to 64 elements held as 32-bit integers, by up to 64 indices: an index outside reads neighbouring memory",
        f"{NODES}/gather.cpp",
        all_of(_GATHER, typed(0, *_HELD_AS_INT32), _short, _outside),
        _gather(("i32", [1, 2, 3, 4, 5]), ("i32", list(range(5, 69)))),
        but({1: ("i32", list(range(5, 70)))}),
        but({0: ("f32", [1, 2, 3, 4, 5])}),
        but({1: ("i32", [4, 0, -5])}),
    ),
    difference(
        "one batch is gathered wrongly",
        "static shapes, batch_dims above 0, and one element in all axes before the gathered one: wrong or no result",
        f"{NODES}/gather.cpp",
        all_of(_GATHER, static, _one_batch),
        _gather(("f32", [[1, 2, 3, 4]]), ("i64", [2]), 1, batch_dims=1),
        but(is_dynamic=True),
        but({0: ("f32", [[1, 2], [3, 4]]), 1: ("i64", [1, 0])}),
    ),
    difference(
        "an axis of size 1 is taken as it is",
        "where data is a constant with one element on the axis, the operation is dropped without a look at its index",
        "https://github.com/openvinotoolkit/openvino/blob/master/src/common/transformations/src/transformations"
        "/common_optimizations/nop_elimination.cpp",
        all_of(_GATHER, static, _only_one_element, _outside),
        _gather(("f32", [[5], [6], [7]]), ("i64", [1]), 1, constants=frozenset({0, 2})),
        but({1: ("i64", [-1])}),
        but(constants=frozenset({2})),
    ),
    difference(
        "some old Gathers count from the end",
        "a single constant index has the size of the axis added if it is negative; constants alone, and strings, are "
        "left to the reference kernel, which reads it as Gather-8 does; of Gather-1 and -7 a negative index is outside "
        "the contract, and zero here and in the plugin's own kernel",
        "https://github.com/openvinotoolkit/openvino/blob/master/src/common/transformations/src/transformations"
        "/op_conversions/gather_normalize_negative_indices.cpp",
        all_of(_GATHER, before(8), Has(1, "a negative number"), _left_to_the_reference),
        _gather(("f32", [1, 2, 3]), ("i32", [-1]), opset=1, constants=frozenset({1, 2})),
        but(version=8, attributes={"batch_dims": "0"}),
        but({1: ("i32", [-1, 0])}),
        but(constants=frozenset({2})),
    ),
    difference(
        "subnormal constants become zero",
        "the plugin flushes those of a model's constants when it compiles the model, and with them the signs of zeros; "
        "f64 is held as f32, bf16 has its range",
        f"{NODES}/input.cpp",
        _subnormal_constants,
        _gather(("f32", [1e-45, 1]), ("i32", [0]), constants=frozenset({0, 2})),
        but(constants=frozenset({2})),
        but({0: ("f16", [1e-7, 1])}),
        but({0: ("bf16", [-0.0, 1])}),
    ),
    difference(
        "indices are cut to 32 bits",
        "an index is made a signed 32-bit integer before it is checked: 2**32 + 1 becomes 1, 2**32 - 1 becomes -1; the "
        "greatest unsigned value so is the last element",
        f"{NODES}/gather.cpp",
        all_of(_GATHER, _far_index),
        _gather(("f32", [1, 2, 3]), ("i64", [2**32 + 1])),
        but({1: ("i64", [2**31 - 1])}),
        but({1: ("u32", [2**31 - 1])}),
        but({1: ("i64", [-(2**31)])}),
    ),
    difference(
        "wide data loses bits",
        "the plugin holds 64-bit integers and u32 as i32, and f64 as f32, in which an infinity is the greatest number",
        f"{SOURCE}/plugins/intel_cpu/src/plugin.cpp",
        _wide_data,
        _gather(("i64", [2**40 + 1]), ("i32", [0])),
        but({0: ("i64", [2**31 - 1])}),
        but({0: ("u32", [2**31 - 1])}),
        but({0: ("f64", [2.0**127])}),
        but({0: ("f64", [np.nan])}),
    ),
    difference(
        "a signalling NaN of f16 becomes quiet",
        "f16 passes through f32, and the conversion sets the quiet bit",
        f"{NODES}/split.cpp",
        _signalling,
        model(
            "Split", 1, ("f16", np.array([0x7D01, 0x3C00], np.uint16).view(np.float16)), ("i64", 0),
            attributes={"num_splits": 2}, constants=frozenset({1}), output_count=2,
        ),
        but({0: ("f16", np.array([0x7E01, 0xFE02], np.uint16).view(np.float16))}),
        but({0: ("f16", [6e-8, -0.0])}),
    ),
    difference(
        "types narrower than a byte are gathered by bytes",
        "the reference kernel, which folds constants, counts whole bytes; the results do not even have the right size",
        "https://github.com/openvinotoolkit/openvino/blob/master/src/core/reference/include/openvino/reference/gather.hpp",
        all_of(_GATHER, typed(0, *_BY_BYTES)),
        _gather(("nf4", [[1, 2, 3, 4]]), ("i32", [1, 3]), 1, constants=frozenset({0, 1, 2})),
        but({0: ("u4", [[1, 2, 3, 4]])}, constants=frozenset({2})),
    ),
    difference(
        "strings are gathered by i32 and i64 only",
        "the plugin has no kernel for strings and asks the reference, which has none for other indices",
        f"{NODES}/reference.cpp",
        all_of(_GATHER, typed(0, "string"), not_(typed(1, "i32", "i64"))),
        _gather(("string", ["a", "b"]), ("u8", [1])),
        but({1: ("i64", [1])}),
        but({0: ("u8", [3, 4])}),
    ),
    difference(
        "splitting strings kills the process",
        "the heap is damaged (SIGABRT or SIGSEGV), or the parts hold other strings; few come out right",
        f"{NODES}/split.cpp",
        all_of(_SPLITS, typed(0, "string")),
        model(
            "Split", 1, ("string", ["a", "bc", "", "d"]), ("i64", 0), attributes={"num_splits": 2},
            constants=frozenset({1}), is_dynamic=True, output_count=2,
        ),
        but({0: ("u8", [1, 2, 3, 4])}),
    ),
    difference(
        "constants of 4 bits are joined by bytes",
        "the reference kernel, which folds constants, counts whole bytes: an odd number of elements takes one more",
        f"{SOURCE}/core/reference/src/op/concat.cpp",
        all_of(of("Concat"), typed(0, "i4", "u4"), not_(not_all_constant)),
        model("Concat", 1, ("i4", [1, 2, 3]), ("i4", [4, 5]), constants=frozenset({0, 1}), attributes={"axis": 0}),
        but(constants=frozenset({0})),
        but({0: ("i8", [1, 2, 3]), 1: ("i8", [4, 5])}),
    ),
    difference(
        "a Concat of one string input is refused",
        "with static shapes a Concat of which one input is not empty becomes a reorder, which does not take strings",
        f"{SOURCE}/plugins/intel_cpu/src/dnnl_extension_utils.cpp",
        all_of(of("Concat"), typed(0, "string"), static, _one_full_input),
        model("Concat", 1, ("string", ["a"]), ("string", []), attributes={"axis": 0}),
        but(is_dynamic=True),
        but({1: ("string", ["b"])}),
    ),
)  # fmt: skip
