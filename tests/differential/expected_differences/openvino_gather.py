"""OpenVINO's CPU plugin in Gather, Split, VariadicSplit and Concat, and in types of any operation."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from tests.differential.difference import Difference
from tests.differential.expected_differences.openvino_entries import NODES, SOURCE, difference, has_subnormal, model
from tests.differential.openvino_runtime import OpenVINOCase
from wherry.dialects.openvino.table import in_opset

_HELD_AS_INT32 = ("i32", "i64", "u32", "u64", "i16", "u16")
_BY_BYTES = ("u1", "u2", "u3", "u6", "nf4", "f4e2m1")


def _gather(data: tuple[str, Any], indices: tuple[str, Any], axis: int = 0, **rest: Any) -> OpenVINOCase:
    opset = rest.pop("opset", 8)
    rest.setdefault("constants", frozenset({2}))
    batch_dims = rest.pop("batch_dims", 0)
    attributes = {"batch_dims": batch_dims} if opset > 6 else {}
    return model("Gather", opset, data, indices, ("i64", axis), attributes=attributes, **rest)


def _is_gather(case: OpenVINOCase) -> bool:
    return case.operator == "Gather"


def _is_static(case: OpenVINOCase) -> bool:
    """Whether all sizes are known when the model is compiled."""
    return not case.is_dynamic or all(value.ndim == 0 for _, value in case.given)


def _parts(case: OpenVINOCase) -> tuple[np.ndarray, np.ndarray, int, int]:
    data, indices, axis = case.inputs
    batch_dims = int(case.attributes.get("batch_dims", 0))
    batch_dims += indices.ndim if batch_dims < 0 else 0
    return data, indices, int(axis.reshape(())) % data.ndim, batch_dims


def _outside(case: OpenVINOCase) -> bool:
    data, indices, axis, _ = _parts(case)
    size, values = data.shape[axis], indices.reshape(-1).tolist()
    least = -size if case.version >= 8 else 0
    return any(not least <= value < size for value in values)


def _empty_axis(case: OpenVINOCase) -> bool:
    data, indices, axis, _ = _parts(case)
    return data.shape[axis] == 0 and indices.size > 0


def _empty(case: OpenVINOCase) -> bool:
    return any(0 in one.shape for one in case.inputs[:2])


def _short(case: OpenVINOCase) -> bool:
    data, indices, *_ = _parts(case)
    return (
        case.kinds[0] in _HELD_AS_INT32
        and all(one.ndim <= 1 and one.size <= 64 for one in (data, indices))
        and _outside(case)
    )


def _one_batch(case: OpenVINOCase) -> bool:
    data, _, axis, batch_dims = _parts(case)
    return _is_static(case) and batch_dims > 0 and prod(data.shape[:axis]) == 1


def _only_one_element(case: OpenVINOCase) -> bool:
    data, _, axis, _ = _parts(case)
    return 0 in case.constants and _is_static(case) and data.shape[axis] == 1 and _outside(case)


def _counted_from_the_end(case: OpenVINOCase) -> bool:
    indices = case.inputs[1]
    if case.version >= 8 or int(indices.min(initial=0)) >= 0:
        return False
    by_reference = len(case.constants) == 3 or case.kinds[0] == "string"
    return by_reference or (1 in case.constants and _is_static(case) and indices.size == 1)


def _subnormal_constants(case: OpenVINOCase) -> bool:
    return any(case.kinds[number] == "f32" and has_subnormal(case.inputs[number]) for number in case.constants)


def _beyond_int32(values: np.ndarray) -> bool:
    return values.size > 0 and not -(2**31) <= int(values.min()) <= int(values.max()) < 2**31


def _wide_data(case: OpenVINOCase) -> bool:
    return any(
        _beyond_float32(value) if kind == "f64" else kind in ("i64", "u64", "u32") and _beyond_int32(value)
        for kind, value in elements_of(case)
    )


def elements_of(case: OpenVINOCase) -> list[tuple[str, np.ndarray]]:
    """Return the inputs whose elements the operation moves."""
    row = in_opset(case.operator, case.version)
    named = [(row.input_at(number), pair) for number, pair in enumerate(zip(case.kinds, case.inputs, strict=True))]
    reads_sizes = case.operator == "ShapeOf"
    return [pair for one, pair in named if one.is_moved and one.name not in ("indices", "cond") and not reads_sizes] + [
        pair for one, pair in named if one.name in ("pad_value", "data") and not one.is_moved
    ]


def _beyond_float32(value: np.ndarray) -> bool:
    """Whether a conversion to f32 and back changes bits; an infinity becomes the greatest number."""
    with np.errstate(all="ignore"):
        back = np.ascontiguousarray(value.astype(np.float32).astype(np.float64))
    return bool(np.isinf(value).any()) or back.tobytes() != np.ascontiguousarray(value).tobytes()


def _signalling(case: OpenVINOCase) -> bool:
    def is_signalling(value: np.ndarray) -> bool:
        bits = value.view(np.uint16)
        return bool((((bits & 0x7E00) == 0x7C00) & ((bits & 0x1FF) != 0)).any())

    return any(kind == "f16" and is_signalling(value) for kind, value in elements_of(case))


def _split_strings(case: OpenVINOCase) -> bool:
    return case.operator in ("Split", "VariadicSplit") and case.kinds[0] == "string"


def _concat_of_one_string_input(case: OpenVINOCase) -> bool:
    full = [number for number, value in enumerate(case.inputs) if value.size]
    is_strings = case.operator == "Concat" and case.kinds[0] == "string" and _is_static(case)
    return is_strings and len(full) == 1 and full[0] not in case.constants


def _of_gather(applies: Callable[[OpenVINOCase], bool]) -> Callable[[OpenVINOCase], bool]:
    return lambda case: _is_gather(case) and applies(case)


ENTRIES: tuple[Difference, ...] = (
    difference(
        "an empty Gather kills the process",
        "with static shapes the kernel divides by a size of 0 (SIGFPE); dynamic shapes give the empty result",
        f"{NODES}/gather.cpp",
        _of_gather(lambda case: _is_static(case) and _empty(case)),
        _gather(("f32", [1, 2]), ("i32", [])),
    ),
    difference(
        "an empty axis gives foreign memory",
        "Gather-8 says zero where an index is out of range, and on an axis of size 0 every index is",
        f"{NODES}/gather.cpp",
        _of_gather(_empty_axis),
        _gather(("f32", np.ones((0, 8))), ("i32", [0] * 64), is_dynamic=True),
    ),
    difference(
        "short vectors are read without a check",
        "up to 64 elements held as 32-bit integers, by up to 64 indices: an index outside reads neighbouring memory",
        f"{NODES}/gather.cpp",
        _of_gather(_short),
        _gather(("i32", [1, 2, 3, 4, 5]), ("i32", list(range(5, 69)))),
    ),
    difference(
        "one batch is gathered wrongly",
        "static shapes, batch_dims above 0, and one element in all axes before the gathered one: wrong or no result",
        f"{NODES}/gather.cpp",
        _of_gather(_one_batch),
        _gather(("f32", [[1, 2, 3, 4]]), ("i64", [2]), 1, batch_dims=1),
    ),
    difference(
        "an axis of size 1 is taken as it is",
        "where data is a constant with one element on the axis, the operation is dropped without a look at its index",
        "https://github.com/openvinotoolkit/openvino/blob/master/src/common/transformations/src/transformations"
        "/common_optimizations/nop_elimination.cpp",
        _of_gather(_only_one_element),
        _gather(("f32", [[5], [6], [7]]), ("i64", [1]), 1, constants=frozenset({0, 2})),
    ),
    difference(
        "some old Gathers count from the end",
        "a single constant index has the size of the axis added if it is negative; constants alone, and strings, are "
        "left to the reference kernel, which reads it as Gather-8 does; of Gather-1 and -7 a negative index is outside "
        "the contract, and zero here and in the plugin's own kernel",
        "https://github.com/openvinotoolkit/openvino/blob/master/src/common/transformations/src/transformations"
        "/op_conversions/gather_normalize_negative_indices.cpp",
        _of_gather(_counted_from_the_end),
        _gather(("f32", [1, 2, 3]), ("i32", [-1]), opset=1, constants=frozenset({1, 2})),
    ),
    difference(
        "subnormal constants become zero",
        "the plugin flushes the subnormal f32 values of a model's constants when it compiles the model",
        f"{NODES}/input.cpp",
        _subnormal_constants,
        _gather(("f32", [1e-45, 1]), ("i32", [0]), constants=frozenset({0, 2})),
    ),
    difference(
        "indices are cut to 32 bits",
        "an index is made a signed 32-bit integer before it is checked: 2**32 + 1 becomes 1, 2**32 - 1 becomes -1",
        f"{NODES}/gather.cpp",
        _of_gather(lambda case: _beyond_int32(case.inputs[1])),
        _gather(("f32", [1, 2, 3]), ("i64", [2**32 + 1])),
    ),
    difference(
        "unsigned indices are signed",
        "the greatest unsigned value is read as -1, the last element",
        f"{NODES}/gather.cpp",
        _of_gather(lambda case: case.kinds[1] in ("u32", "u64") and _beyond_int32(case.inputs[1])),
        _gather(("f32", [1, 2, 3]), ("u32", [2**32 - 1])),
    ),
    difference(
        "wide data loses bits",
        "the plugin holds 64-bit integers and u32 as i32, and f64 as f32, in which an infinity is the greatest number",
        f"{SOURCE}/plugins/intel_cpu/src/plugin.cpp",
        _wide_data,
        _gather(("i64", [2**40 + 1]), ("i32", [0])),
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
    ),
    difference(
        "types narrower than a byte are gathered by bytes",
        "the reference kernel, which folds constants, counts whole bytes; the results do not even have the right size",
        "https://github.com/openvinotoolkit/openvino/blob/master/src/core/reference/include/openvino/reference/gather.hpp",
        _of_gather(lambda case: case.kinds[0] in _BY_BYTES),
        _gather(("nf4", [[1, 2, 3, 4]]), ("i32", [1, 3]), 1, constants=frozenset({0, 1, 2})),
    ),
    difference(
        "strings are gathered by i32 and i64 only",
        "the plugin has no kernel for strings and asks the reference, which has none for other indices",
        f"{NODES}/reference.cpp",
        _of_gather(lambda case: case.kinds[0] == "string" and case.kinds[1] not in ("i32", "i64")),
        _gather(("string", ["a", "b"]), ("u8", [1])),
    ),
    difference(
        "splitting strings kills the process",
        "the heap is damaged (SIGABRT or SIGSEGV), or the parts hold other strings; few come out right",
        f"{NODES}/split.cpp",
        _split_strings,
        model(
            "Split", 1, ("string", ["a", "bc", "", "d"]), ("i64", 0), attributes={"num_splits": 2},
            constants=frozenset({1}), is_dynamic=True, output_count=2,
        ),
    ),
    difference(
        "a Concat of one string input is refused",
        "with static shapes a Concat of which one input is not empty becomes a reorder, which does not take strings",
        f"{SOURCE}/plugins/intel_cpu/src/dnnl_extension_utils.cpp",
        _concat_of_one_string_input,
        model("Concat", 1, ("string", ["a"]), ("string", []), attributes={"axis": 0}),
    ),
)  # fmt: skip
