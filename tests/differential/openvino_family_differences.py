"""Every known disagreement of the rest of OpenVINO's data movement, continued from `openvino_differences`.

Each was seen with the version it names, and each has an example that must still disagree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.differential.expected_differences import Difference
from tests.differential.openvino_cases import array
from tests.differential.openvino_runtime import OpenVINOCase

VERSION = "2026.4.1"
_SOURCE = "https://github.com/openvinotoolkit/openvino/blob/master/src"
_NODES = f"{_SOURCE}/plugins/intel_cpu/src/nodes"


def _case(operator: str, version: int, *tensors: tuple[str, Any], **rest: Any) -> OpenVINOCase:
    arrays = tuple(array(kind, value) for kind, value in tensors)
    return OpenVINOCase(operator, version, arrays, kinds=tuple(kind for kind, _ in tensors), **rest)


def _bits(case: OpenVINOCase, name: str) -> bool:
    return "1" in str(case.attributes.get(name, ""))


def _of(*names: str) -> Callable[[Callable[[OpenVINOCase], bool]], Callable[[OpenVINOCase], bool]]:
    return lambda applies: lambda case: case.operator in names and applies(case)


@_of("StridedSlice")
def _new_and_shrunk(case: OpenVINOCase) -> bool:
    return _bits(case, "new_axis_mask") and _bits(case, "shrink_axis_mask")


@_of("SpaceToBatch")
def _padded(case: OpenVINOCase) -> bool:
    return case.inputs[0].ndim > 3 and bool((case.inputs[2] + case.inputs[3] > 0).any())


@_of("Range")
def _away_from_the_stop(case: OpenVINOCase) -> bool:
    start, stop, step = (float(value) for value in case.inputs)
    return (stop - start) * step < 0


@_of("ScatterElementsUpdate")
def _mean_of_integers(case: OpenVINOCase) -> bool:
    is_float = case.kinds[0] in ("f32", "f16", "bf16", "f64")
    return case.attributes.get("reduction") == "mean" and not is_float


@_of("Broadcast")
def _narrow_target(case: OpenVINOCase) -> bool:
    return bool(case.constants) and any(kind not in ("i32", "i64", "u32", "u64") for kind in case.kinds[1:])


@_of("Transpose")
def _one_axis(case: OpenVINOCase) -> bool:
    return case.inputs[0].ndim == 1 and bool(case.constants)


@_of("Transpose", "Reverse")
def _empty_list(case: OpenVINOCase) -> bool:
    return case.inputs[1].size == 0


@_of("Squeeze")
def _unknown_rank(case: OpenVINOCase) -> bool:
    axes = case.inputs[1] if len(case.inputs) > 1 else np.array([])
    skips = case.attributes.get("allow_axis_skip") == "true"
    shape = case.inputs[0].shape
    return case.is_dynamic and (skips or axes.size == 0 or any(shape[int(axis)] != 1 for axis in axes.ravel()))


@_of("Unsqueeze")
def _same_axis_twice(case: OpenVINOCase) -> bool:
    return case.is_dynamic and not case.constants


@_of("Unique")
def _unsorted_slices(case: OpenVINOCase) -> bool:
    return case.attributes["sorted"] == "false" and len(case.inputs) > 1


@_of("StringTensorPack")
def _not_ascending(case: OpenVINOCase) -> bool:
    runs = np.stack([case.inputs[0].ravel(), case.inputs[1].ravel()], -1).ravel()
    return bool((np.diff(runs.astype(np.int64)) < 0).any())


@_of("Convert", "ConvertLike")
def _outside_the_destination(case: OpenVINOCase) -> bool:
    values = case.inputs[0]
    to = case.attributes.get("destination_type") or case.kinds[1]
    if case.kinds[0] not in ("f16", "bf16") or to[0] not in "iu":
        return False
    limits = np.iinfo(array(to, 0).dtype)
    whole = np.trunc(values.astype(np.float64))
    return bool(((whole < limits.min) | (whole > limits.max)).any())


@_of("Col2Im")
def _unknown_sizes(case: OpenVINOCase) -> bool:
    return not case.constants


@_of("Eye")
def _no_batch_at_run(case: OpenVINOCase) -> bool:
    return len(case.inputs) == 4 and case.inputs[3].size == 0 and not case.constants


@_of("Eye")
def _diagonal_beyond_32_bits(case: OpenVINOCase) -> bool:
    return abs(int(case.inputs[2].reshape(()))) >= 2**31 and not case.constants


def _difference(name: str, reason: str, link: str, applies: Callable[..., bool], example: OpenVINOCase) -> Difference:
    return Difference(name, "openvino", VERSION, reason, link, applies, example)


_MASKS = {"begin_mask": "0,0", "end_mask": "0,0", "ellipsis_mask": "0,0"}
_MATRIX = ("f32", [[1.0, 2.0], [3.0, 4.0]])

FAMILY_DIFFERENCES: tuple[Difference, ...] = (
    _difference(
        "new axes beside shrunk ones give foreign memory",
        "new_axis_mask with shrink_axis_mask: the plugin gives other elements, its reference kernel the right ones",
        f"{_NODES}/strided_slice.cpp",
        _new_and_shrunk,
        _case("StridedSlice", 1, ("u8", np.arange(24).reshape(2, 3, 4)), ("i64", [0, 0, 1]), ("i64", [0, 0, 0]),
              ("i64", [1, 1, 1]), is_dynamic=True, sized=frozenset({1, 2, 3}),
              attributes={"begin_mask": "0,0,0", "end_mask": "0,0,0", "new_axis_mask": "0,1,0",
                          "shrink_axis_mask": "1,0,1", "ellipsis_mask": "0,0,0"}),
    ),
    _difference(
        "SpaceToBatch of 4 axes loses elements beside pads",
        "with pads some elements of data are left out, or come twice",
        f"{_NODES}/space_to_batch.cpp",
        _padded,
        _case("SpaceToBatch", 2, ("f32", np.arange(1, 9).reshape(1, 2, 2, 2)), ("i64", [1, 2, 2, 3]),
              ("i64", [0, 1, 0, 0]), ("i64", [0, 1, 0, 1]), constants=frozenset({1, 2, 3})),
    ),
    _difference(
        "a Range whose stop lies the other way is not empty",
        "the plugin counts the steps without their sign; by the page there are max(ceil((stop - start) / step), 0)",
        f"{_NODES}/range.cpp",
        _away_from_the_stop,
        _case("Range", 4, ("i32", 18), ("i32", 11), ("i32", 2), constants=frozenset({2}),
              attributes={"output_type": "i32"}),
    ),
    _difference(
        "the mean of integers is truncated",
        "the page rounds toward minus infinity, as the reference kernel does",
        f"{_NODES}/scatter_update.cpp",
        _mean_of_integers,
        _case("ScatterElementsUpdate", 12, ("i32", [-1, 0]), ("i32", [0]), ("i32", [-2]), ("i32", 0),
              constants=frozenset({3}), attributes={"reduction": "mean", "use_init_val": "true"}),
    ),
    _difference(
        "a Broadcast to a constant of narrow integers is refused",
        "a constant target_shape or axes_mapping of less than 32 bits is read as if it had more",
        f"{_NODES}/broadcast.cpp",
        _narrow_target,
        _case("Broadcast", 3, ("f32", [1.0]), ("u8", [3]), constants=frozenset({1}), attributes={"mode": "numpy"}),
    ),
    _difference(
        "an empty list of axes is refused",
        "Reverse of no axis, and Transpose with an empty order known at run, fail for some types",
        f"{_SOURCE}/core/shape_inference/include/utils.hpp",
        _empty_list,
        _case("Reverse", 1, ("f16", np.ones((3, 1, 3))), ("i16", []), is_dynamic=True, sized=frozenset({1}),
              attributes={"mode": "index"}),
    ),
    _difference(
        "a Transpose of one axis is refused",
        "with a constant order of 8 bits the plugin leaves the node out, and then misses it",
        f"{_SOURCE}/plugins/intel_cpu/src/node.cpp",
        _one_axis,
        _case("Transpose", 1, ("f32", [1.0, 2.0]), ("i8", [0]), constants=frozenset({1})),
    ),
    _difference(
        "a Squeeze to an unknown number of axes is refused",
        "the plugin runs known numbers of axes only",
        f"{_SOURCE}/plugins/intel_cpu/src/node.cpp",
        _unknown_rank,
        _case("Squeeze", 1, ("f32", [[1.0]]), is_dynamic=True),
    ),
    _difference(
        "an Unsqueeze by axes known at run is refused",
        "axes may repeat, so that their number does not tell that of the result's axes",
        f"{_SOURCE}/plugins/intel_cpu/src/node.cpp",
        _same_axis_twice,
        _case("Unsqueeze", 1, ("f32", [1.0]), ("i64", [0, -1]), is_dynamic=True, sized=frozenset({1})),
    ),
    _difference(
        "inverse and counts of unsorted slices are foreign memory",
        "with an axis and sorted=false the plugin does not write all of them",
        f"{_NODES}/unique.cpp",
        _unsorted_slices,
        _case("Unique", 10, ("u8", np.arange(48).reshape(3, 4, 4) % 3), ("i32", 2), constants=frozenset({1}),
              attributes={"sorted": "false"}, output_count=4),
    ),
    _difference(
        "strings that do not follow each other are refused",
        "the page allows any begins and ends; the runtime wants them ascending, where it can see them",
        f"{_SOURCE}/core/shape_inference/include/string_tensor_pack_shape_inference.hpp",
        _not_ascending,
        _case("StringTensorPack", 15, ("i32", [2, 1, 0]), ("i32", [2, 2, 3]), ("u8", [65, 66, 67]), is_dynamic=True),
    ),
    _difference(
        "16-bit floats outside an integer type are clamped",
        "f32 wraps, and the page says nothing; f16 goes another way",
        f"{_NODES}/common/cpu_convert.cpp",
        _outside_the_destination,
        _case("Convert", 1, ("f16", [[-7.25], [4.75]]), is_dynamic=True, attributes={"destination_type": "u8"}),
    ),
    _difference(
        "an Eye without batch axes is foreign memory",
        "with an empty batch_shape known at run nothing is written; the page says that it means one matrix",
        f"{_NODES}/eye.cpp",
        _no_batch_at_run,
        _case("Eye", 9, ("i64", 2), ("i64", 2), ("i64", 0), ("i64", []), attributes={"output_type": "f32"}),
    ),
    _difference(
        "the diagonal of an Eye is cut to 32 bits",
        "known at run it is made a 32-bit integer: 2**40 becomes 0",
        f"{_NODES}/eye.cpp",
        _diagonal_beyond_32_bits,
        _case("Eye", 9, ("i64", 2), ("i64", 2), ("i64", 2**40), attributes={"output_type": "f32"}),
    ),
    _difference(
        "a Col2Im of unknown sizes is refused",
        "the shapes of output_size and kernel_size must be known while compiling",
        f"{_SOURCE}/core/src/op/col2im.cpp",
        _unknown_sizes,
        _case("Col2Im", 15, ("f32", [[1.0, 2.0], [3.0, 4.0]]), ("i32", [1, 3]), ("i32", [1, 2]), is_dynamic=True),
    ),
)  # fmt: skip


def expected_in_family(case: OpenVINOCase) -> Difference | None:
    """Return the entry under which a case falls, or None if the runtime must agree."""
    return next((entry for entry in FAMILY_DIFFERENCES if entry.applies(case)), None)
