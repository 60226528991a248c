"""OpenVINO's CPU plugin in the other operations that only move elements."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

import numpy as np

from tests.differential.difference import Difference
from tests.differential.expected_differences.openvino_entries import (
    NODES,
    SOURCE,
    difference,
    has_subnormal,
    model,
    of,
)
from tests.differential.expected_differences.openvino_gather import elements_of
from tests.differential.openvino_runtime import OpenVINOCase
from wherry import openvino


def _bits(case: OpenVINOCase, name: str) -> bool:
    return "1" in str(case.attributes.get(name, ""))


@of("StridedSlice")
def _new_and_shrunk(case: OpenVINOCase) -> bool:
    return _bits(case, "new_axis_mask") and _bits(case, "shrink_axis_mask")


@of("StridedSlice")
def _new_axis_and_ellipsis(case: OpenVINOCase) -> bool:
    new, ellipsis = (str(case.attributes[name]).split(",") for name in ("new_axis_mask", "ellipsis_mask"))
    return case.is_dynamic and not case.constants and "1" in ellipsis and "1" in new[ellipsis.index("1") :]


@of("Slice")
def _before_the_first(case: OpenVINOCase) -> bool:
    """Whether a range with a negative step begins and ends before the first element, so that it takes that one."""
    starts, stops, steps = (value.tolist() for value in case.inputs[1:4])
    axes = case.inputs[4].tolist() if len(case.inputs) > 4 else range(len(starts))
    sizes = [case.inputs[0].shape[axis] for axis in axes]
    return _is_before(case, zip(starts, stops, steps, sizes, strict=True))


@of("StridedSlice")
def _strided_before_the_first(case: OpenVINOCase) -> bool:
    """The same, of entries that are neither masked nor anything else than a range."""
    names = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")
    masks = [[bit == "1" for bit in str(case.attributes[name]).split(",")] for name in names]
    ndim, axis, ranges = case.inputs[0].ndim, 0, []
    used = sum(not new and not ellipsis for *_, new, _, ellipsis in zip(*masks, strict=True))
    values = [value.tolist() for value in case.inputs[1:]]
    steps = values[2] if len(values) > 2 else [1] * len(values[0])
    for start, stop, step, bits in zip(*values[:2], steps, zip(*masks, strict=True), strict=True):
        _, _, new, _, ellipsis = bits
        if not any(bits):
            ranges.append((start, stop, step, case.inputs[0].shape[axis]))
        axis += ndim - used if ellipsis else int(not new)
    return _is_before(case, ranges)


def _is_before(case: OpenVINOCase, ranges: Iterable[tuple[int, int, int, int]]) -> bool:
    is_told = case.is_dynamic and {1, 2, 3} <= case.constants
    return is_told and any(step < 0 and start <= stop < -size for start, stop, step, size in ranges)


@of("Slice")
def _slices_of_strings(case: OpenVINOCase) -> bool:
    return case.kinds[0] == "string" and openvino.slice(*case.inputs).size > 0


@of("Squeeze")
def _strings_that_skip_axes(case: OpenVINOCase) -> bool:
    return case.kinds[0] == "string" and case.attributes.get("allow_axis_skip") == "true"


@of("SpaceToBatch")
def _padded_behind(case: OpenVINOCase) -> bool:
    """Whether an axis has a block and pads at its end, and data more than one line along the axes before it."""
    data, blocks, _, ends = case.inputs
    axes = [axis for axis in range(1, data.ndim) if ends[axis] > 0 and blocks[axis] > 1]
    return data.ndim > 3 and any(prod(data.shape[:axis]) > 1 for axis in axes)


@of("Broadcast")
def _narrow_target(case: OpenVINOCase) -> bool:
    is_narrow = any(case.kinds[number] in ("i8", "u8") for number in case.constants)
    return is_narrow and case.attributes["mode"] != "bidirectional"


@of("Broadcast")
def _multiplied_float8(case: OpenVINOCase) -> bool:
    """Whether the sizes of the result are not known while compiling."""
    target = case.inputs[1]
    is_told = bool(case.constants) and 1 not in target and target.size >= case.inputs[0].ndim
    is_wide = case.attributes["mode"] == "bidirectional" and case.kinds[0].startswith("f8")
    return is_wide and case.is_dynamic and not is_told


@of("Transpose")
def _one_axis(case: OpenVINOCase) -> bool:
    is_known = bool(case.constants) and not case.is_dynamic
    return case.inputs[0].ndim == 1 and is_known and case.kinds[1] in ("i8", "u8")


@of("Transpose", "Reverse")
def _empty_list(case: OpenVINOCase) -> bool:
    return case.inputs[1].size == 0 and not case.constants


@of("Squeeze")
def _unknown_rank(case: OpenVINOCase) -> bool:
    axes = case.inputs[1] if len(case.inputs) > 1 else np.array([])
    skips = case.attributes.get("allow_axis_skip") == "true"
    shape = case.inputs[0].shape
    return case.is_dynamic and (skips or axes.size == 0 or any(shape[int(axis)] != 1 for axis in axes.ravel()))


@of("Unsqueeze")
def _axes_at_run(case: OpenVINOCase) -> bool:
    return case.is_dynamic and not case.constants


@of("StringTensorPack")
def _not_ascending(case: OpenVINOCase) -> bool:
    runs = np.stack([case.inputs[0].ravel(), case.inputs[1].ravel()], -1).ravel()
    return case.is_dynamic and bool((np.diff(runs.astype(np.int64)) < 0).any())


_SCATTERS = ("ScatterElementsUpdate", "ScatterNDUpdate")


@of("Pad", "ReverseSequence", "SpaceToBatch", "Unique", *_SCATTERS)
def _float8_through_float32(case: OpenVINOCase) -> bool:
    lost = {"f8e4m3": (0x80,), "f8e5m2": (0x7D, 0x80, 0xFD)}.get(case.kinds[0], ())
    values = [value for _, value in elements_of(case)] if lost else []
    return any(np.isin(np.ascontiguousarray(value).view(np.uint8), lost).any() for value in values)


@of("ReverseSequence")
def _through_float32(case: OpenVINOCase) -> bool:
    data = case.inputs[0]
    if case.kinds[0] == "bf16":
        return has_subnormal(data)
    is_integer = case.kinds[0][0] in "iu"
    return is_integer and bool((data.astype(np.float32).astype(np.float64) != data.astype(np.float64)).any())


_NO_STRINGS = ("ExtractImagePatches", "ReverseSequence", "Roll", "Select", "ShuffleChannels", "Unique")
_LOST_STRINGS = ("BatchToSpace", "DepthToSpace", "Reverse", "SpaceToDepth")


@of(*_NO_STRINGS)
def _refused_strings(case: OpenVINOCase) -> bool:
    return "string" in case.kinds


@of(*_LOST_STRINGS)
def _lost_strings(case: OpenVINOCase) -> bool:
    return "string" in case.kinds


@of("Pad")
def _strings_at_edges(case: OpenVINOCase) -> bool:
    return "string" in case.kinds and case.attributes["pad_mode"] != "constant"


@of("Pad")
def _rounded_pad_value(case: OpenVINOCase) -> bool:
    if len(case.inputs) < 4 or case.attributes["pad_mode"] != "constant" or case.kinds[0][0] not in "iu":
        return False
    value = case.inputs[3]
    return float(value.astype(np.float32)) != float(value)


@of("Reverse")
def _reversed_halves_of_bytes(case: OpenVINOCase) -> bool:
    by_mask = case.attributes["mode"] == "mask" or not case.constants
    return case.kinds[0] in ("i4", "u4") and by_mask and case.inputs[0].size > 1


@of("Select")
def _narrow_floats(case: OpenVINOCase) -> bool:
    return case.kinds[1].startswith("f8")


def _narrower_than_a_byte(case: OpenVINOCase) -> bool:
    others = ("Gather", "Split", "VariadicSplit", "Concat", "Convert", "ConvertLike")
    return case.kinds[0] in ("u2", "f4e2m1") and case.operator not in others


@of("GatherTree")
def _trees_of_other_numbers(case: OpenVINOCase) -> bool:
    return case.kinds[0] in ("i8", "u8", "bf16")


ENTRIES: tuple[Difference, ...] = (
    difference(
        "new axes beside shrunk ones give foreign memory",
        "new_axis_mask with shrink_axis_mask: the plugin gives other elements, its reference kernel the right ones",
        f"{NODES}/strided_slice.cpp",
        _new_and_shrunk,
        model("StridedSlice", 1, ("u8", np.arange(24).reshape(2, 3, 4)), ("i64", [0, 0, 1]), ("i64", [0, 0, 0]),
              ("i64", [1, 1, 1]), is_dynamic=True, sized=frozenset({1, 2, 3}),
              attributes={"begin_mask": "0,0,0", "end_mask": "0,0,0", "new_axis_mask": "0,1,0",
                          "shrink_axis_mask": "1,0,1", "ellipsis_mask": "0,0,0"}),
    ),
    difference(
        "SpaceToBatch of 4 axes reads beyond the end of a line",
        "where an axis has pads at its end, some elements of the next line stand in their place",
        f"{NODES}/space_to_batch.cpp",
        _padded_behind,
        model("SpaceToBatch", 2, ("f32", np.arange(1, 9).reshape(1, 2, 2, 2)), ("i64", [1, 2, 2, 3]),
              ("i64", [0, 1, 0, 0]), ("i64", [0, 1, 0, 1]), constants=frozenset({1, 2, 3})),
    ),
    difference(
        "a Broadcast to a constant of narrow integers is refused",
        "a constant target_shape or axes_mapping of 8 bits is read as if it had more, but in the mode bidirectional",
        f"{NODES}/broadcast.cpp",
        _narrow_target,
        model("Broadcast", 3, ("f32", [1.0]), ("u8", [3]), constants=frozenset({1}), attributes={"mode": "numpy"}),
    ),
    difference(
        "a bidirectional Broadcast of float8 to unknown sizes is refused",
        "it becomes a product with ones, which has no kernel for float8",
        f"{NODES}/eltwise.cpp",
        _multiplied_float8,
        model("Broadcast", 3, ("f8e4m3", [1.0]), ("i64", [1]), constants=frozenset({1}), is_dynamic=True,
              sized=frozenset({1}), attributes={"mode": "bidirectional"}),
    ),
    difference(
        "an empty list of axes known at run is refused",
        "Reverse of no axis, and Transpose with an empty order, read their vector where there is none",
        f"{SOURCE}/core/shape_inference/include/utils.hpp",
        _empty_list,
        model("Reverse", 1, ("f16", np.ones((3, 1, 3))), ("i16", []), is_dynamic=True, sized=frozenset({1}),
              attributes={"mode": "index"}),
    ),
    difference(
        "a Transpose of one axis is refused",
        "with a constant order of 8 bits the plugin leaves the node out, and then misses it",
        f"{SOURCE}/plugins/intel_cpu/src/node.cpp",
        _one_axis,
        model("Transpose", 1, ("f32", [1.0, 2.0]), ("i8", [0]), constants=frozenset({1})),
    ),
    difference(
        "a Squeeze to an unknown number of axes is refused",
        "the plugin runs known numbers of axes only",
        f"{SOURCE}/plugins/intel_cpu/src/node.cpp",
        _unknown_rank,
        model("Squeeze", 1, ("f32", [[1.0]]), is_dynamic=True),
    ),
    difference(
        "an Unsqueeze by axes known at run is refused",
        "axes may repeat, so that their number does not tell that of the result's axes",
        f"{SOURCE}/plugins/intel_cpu/src/node.cpp",
        _axes_at_run,
        model("Unsqueeze", 1, ("f32", [1.0]), ("i64", [0, -1]), is_dynamic=True, sized=frozenset({1})),
    ),
    difference(
        "strings that do not follow each other are refused",
        "the page allows any begins and ends; the runtime wants them ascending, where it can see them",
        f"{SOURCE}/core/shape_inference/include/string_tensor_pack_shape_inference.hpp",
        _not_ascending,
        model("StringTensorPack", 15, ("i32", [2, 1, 0]), ("i32", [2, 2, 3]), ("u8", [65, 66, 67]), is_dynamic=True),
    ),
    difference(
        "a GatherTree of 8 bits, or bf16, is refused",
        "the node runs in f32 and i32 only, to which these types are not brought; the page allows any numeric type",
        f"{NODES}/gather_tree.cpp",
        _trees_of_other_numbers,
        model("GatherTree", 1, ("u8", [[[1]]]), ("u8", [[[0]]]), ("u8", [1]), ("u8", 2)),
    ),
    difference(
        "float8 loses the sign of zero",
        "these nodes compute in f32: -0.0 becomes 0.0, and a signalling NaN quiet",
        f"{NODES}/common/cpu_convert.cpp",
        _float8_through_float32,
        model("Pad", 12, ("f8e4m3", [-0.0]), ("i64", [1]), ("i64", [0]), constants=frozenset({1, 2}),
              attributes={"pad_mode": "edge"}),
    ),
    difference(
        "ReverseSequence computes in f32",
        "integers beyond 2**24 are rounded, and subnormal bf16 are zero",
        f"{NODES}/reverse_sequence.cpp",
        _through_float32,
        model("ReverseSequence", 1, ("i32", [[2**24 + 1, 1]]), ("i32", [1]), constants=frozenset({1}),
              attributes={"batch_axis": "0", "seq_axis": "1"}),
    ),
    difference(
        "strings are refused",
        "the node has no kernel for them, though the page allows any type",
        f"{NODES}/roll.cpp",
        _refused_strings,
        model("Roll", 7, ("string", ["a", "bc"]), ("i64", [1]), ("i64", [0]), constants=frozenset({1, 2})),
    ),
    difference(
        "strings are moved as bytes",
        "their memory is copied, not the strings: results are empty, or the process ends",
        f"{NODES}/space_to_depth.cpp",
        _lost_strings,
        model("SpaceToDepth", 1, ("string", [[[["a", "bc"]]]]), attributes={"mode": "blocks_first", "block_size": "1"}),
    ),
    difference(
        "strings are padded by constants only",
        "the other modes are refused, though the page allows any type",
        f"{NODES}/pad.cpp",
        _strings_at_edges,
        model("Pad", 12, ("string", ["a", "bc"]), ("i64", [1]), ("i64", [0]), constants=frozenset({1, 2}),
              attributes={"pad_mode": "edge"}),
    ),
    difference(
        "a pad value is rounded to f32",
        "integers beyond 2**24 lose their last bits",
        f"{NODES}/pad.cpp",
        _rounded_pad_value,
        model("Pad", 12, ("i32", [1]), ("i32", [0]), ("i32", [1]), ("i32", 2**24 + 1), constants=frozenset({1, 2, 3}),
              attributes={"pad_mode": "constant"}),
    ),
    difference(
        "4 bits are reversed by bytes",
        "the reference kernel, which takes masks and axes known at run, counts whole bytes",
        f"{SOURCE}/core/reference/src/op/reverse.cpp",
        _reversed_halves_of_bytes,
        model("Reverse", 1, ("u4", [14, 3]), ("boolean", [True]), constants=frozenset({1}),
              attributes={"mode": "mask"}),
    ),
    difference(
        "Select of float8 is refused",
        "the node has no kernel for it, though the page allows any type",
        f"{NODES}/eltwise.cpp",
        _narrow_floats,
        model("Select", 1, ("boolean", [True]), ("f8e4m3", [1.0]), ("f8e4m3", [2.0]),
              attributes={"auto_broadcast": "numpy"}),
    ),
    difference(
        "types of 2 bits, and float4, are moved by bytes",
        "i4 and u4 are held in 8 bits; these are not, and most nodes then count whole bytes",
        f"{NODES}/reference.cpp",
        _narrower_than_a_byte,
        model("Roll", 7, ("f4e2m1", [1.0, 2.0, 3.0, 4.0]), ("i64", [1]), ("i64", [0]), constants=frozenset({1, 2})),
    ),
    difference(
        "a negative step from before the first element is refused",
        "with unknown sizes the plugin expects no element, and then finds the first one, to which begin is clamped",
        f"{SOURCE}/core/shape_inference/include/slice_shape_inference_utils.hpp",
        _before_the_first,
        model("Slice", 8, ("u8", [9, 8]), ("i32", [-5]), ("i64", [-3]), ("i64", [-1]), is_dynamic=True,
              constants=frozenset({1, 2, 3})),
    ),
    difference(
        "a negative stride from before the first element is refused",
        "as of Slice",
        f"{SOURCE}/core/shape_inference/include/slice_shape_inference_utils.hpp",
        _strided_before_the_first,
        model("StridedSlice", 1, ("u8", [[9, 8]]), ("i32", [0, -5]), ("i64", [0, -3]), ("i64", [1, -1]),
              is_dynamic=True, constants=frozenset({1, 2, 3}),
              attributes={"begin_mask": "0,0", "end_mask": "0,0", "new_axis_mask": "0,0", "shrink_axis_mask": "0,0",
                          "ellipsis_mask": "1,0"}),
    ),
    difference(
        "a slice of strings ends the process",
        "the heap is damaged (SIGABRT, at times later or not at all)",
        f"{NODES}/strided_slice.cpp",
        _slices_of_strings,
        model("Slice", 8, ("string", ["a", "bc"]), ("i32", [0]), ("i32", [1]), ("i32", [1]),
              constants=frozenset({1, 2, 3})),
    ),
    difference(
        "a Squeeze of strings that may skip axes ends the process",
        "the node is kept where allow_axis_skip is true, and copies the strings' memory",
        f"{NODES}/reshape.cpp",
        _strings_that_skip_axes,
        model("Squeeze", 15, ("string", ["a", "bc"]), ("i64", [0]), constants=frozenset({1}),
              attributes={"allow_axis_skip": "true"}),
    ),
    difference(
        "a new axis behind an ellipsis is refused",
        "with begin, end and stride known at run the size of 1 stands elsewhere than the plugin expected",
        f"{NODES}/strided_slice.cpp",
        _new_axis_and_ellipsis,
        model("StridedSlice", 1, ("f32", [[1.0, 2.0]]), ("i32", [0, 0, 0]), ("i32", [0, 0, 0]), ("i32", [2, 1, 1]),
              is_dynamic=True, sized=frozenset({1, 2, 3}),
              attributes={"begin_mask": "0,0,0", "end_mask": "1,0,0", "new_axis_mask": "0,0,1",
                          "shrink_axis_mask": "0,0,0", "ellipsis_mask": "0,1,0"}),
    ),
)  # fmt: skip
