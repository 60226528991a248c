"""OpenVINO's CPU plugin in the other operations that only move elements."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

import numpy as np

from tests.differential.conditions import (
    Dynamic,
    Has,
    HasInput,
    all_of,
    any_of,
    attribute,
    constant,
    named,
    not_,
    of,
    typed,
)
from tests.differential.difference import Difference
from tests.differential.expected_differences.openvino_entries import (
    NODES,
    SOURCE,
    but,
    difference,
    elements_of,
    known,
    model,
    no_constant,
    several_elements,
)
from tests.differential.openvino_runtime import INSTRUCTION_SET, OpenVINOCase
from tests.support.processor import Processors

_INTEGERS = ("i4", "i8", "i16", "i32", "i64", "u4", "u8", "u16", "u32", "u64")
_FLOAT8 = ("f8e4m3", "f8e5m2", "f8e8m0")


def _bits(case: OpenVINOCase, name: str) -> list[bool]:
    return [bit.strip() == "1" for bit in str(case.attributes.get(name, "")).split(",")]


@named("axes are added and shrunk")
def _new_and_shrunk(case: OpenVINOCase) -> bool:
    return any(_bits(case, "new_axis_mask")) and any(_bits(case, "shrink_axis_mask"))


@named("an axis is added behind an ellipsis")
def _new_axis_and_ellipsis(case: OpenVINOCase) -> bool:
    new, ellipsis = _bits(case, "new_axis_mask"), _bits(case, "ellipsis_mask")
    return any(ellipsis) and any(new[ellipsis.index(True) :])


@named("a range with a negative step begins and ends before the first element")
def _before_the_first(case: OpenVINOCase) -> bool:
    return _is_before(_ranges(case))


def _ranges(case: OpenVINOCase) -> Iterable[tuple[int, int, int, int]]:
    """Start, stop and step of each range of a Slice, and the size of its axis."""
    starts, stops, steps = (value.tolist() for value in case.inputs[1:4])
    axes = case.inputs[4].tolist() if len(case.inputs) > 4 else range(len(starts))
    sizes = [case.inputs[0].shape[axis] for axis in axes]
    return zip(starts, stops, steps, sizes, strict=True)


@named("an entry without masks has a negative stride, and begins and ends before the first element")
def _strided_before_the_first(case: OpenVINOCase) -> bool:
    names = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")
    masks = [_bits(case, name) for name in names]
    ndim, axis, ranges = case.inputs[0].ndim, 0, []
    used = sum(not new and not ellipsis for *_, new, _, ellipsis in zip(*masks, strict=True))
    values = [value.tolist() for value in case.inputs[1:]]
    steps = values[2] if len(values) > 2 else [1] * len(values[0])
    for start, stop, step, bits in zip(*values[:2], steps, zip(*masks, strict=True), strict=True):
        _, _, new, _, ellipsis = bits
        if not any(bits):
            ranges.append((start, stop, step, case.inputs[0].shape[axis]))
        axis += ndim - used if ellipsis else int(not new)
    return _is_before(ranges)


def _is_before(ranges: Iterable[tuple[int, int, int, int]]) -> bool:
    return any(step < 0 and start <= stop < -size for start, stop, step, size in ranges)


@named("no range is empty")
def _full_ranges(case: OpenVINOCase) -> bool:
    picked = (range(*slice(start, stop, step).indices(size)) for start, stop, step, size in _ranges(case))
    return case.inputs[0].size > 0 and all(picked)


@named("an axis has a block and pads at its end, and there are several lines along the axes before it")
def _padded_behind(case: OpenVINOCase) -> bool:
    data, blocks, _, ends = case.inputs
    axes = [axis for axis in range(1, data.ndim) if ends[axis] > 0 and blocks[axis] > 1]
    return data.ndim > 3 and any(prod(data.shape[:axis]) > 1 for axis in axes)


@named("target_shape or axes_mapping is a constant of 8 bits")
def _narrow_target(case: OpenVINOCase) -> bool:
    return any(case.kinds[number] in ("i8", "u8") for number in case.constants)


@named("the sizes of the result are known at run only")
def _open_result(case: OpenVINOCase) -> bool:
    target = case.inputs[1]
    is_told = bool(case.constants) and 1 not in target and target.size >= case.inputs[0].ndim
    return case.is_dynamic and not is_told


@named("data and updates have two types")
def _of_two_types(case: OpenVINOCase) -> bool:
    return case.kind(0) != case.kind(1)


@named("data and pad_value have two types")
def _padded_with_another_type(case: OpenVINOCase) -> bool:
    return case.kind(0) != case.kind(3)


@named("data has one axis")
def _one_axis(case: OpenVINOCase) -> bool:
    return case.inputs[0].ndim == 1


@named("an axis of axes has not size 1, or none is named")
def _unknown_rank(case: OpenVINOCase) -> bool:
    axes = case.inputs[1] if len(case.inputs) > 1 else np.array([])
    shape = case.inputs[0].shape
    return axes.size == 0 or any(shape[int(axis)] != 1 for axis in axes.ravel())


@named("begins and ends do not ascend")
def _not_ascending(case: OpenVINOCase) -> bool:
    runs = np.stack([case.inputs[0].ravel(), case.inputs[1].ravel()], -1).ravel()
    return bool((np.diff(runs.astype(np.int64)) < 0).any())


@named("moved elements of float8 have a negative zero or a signalling NaN")
def _float8_through_float32(case: OpenVINOCase) -> bool:
    lost = {"f8e4m3": (0x80,), "f8e5m2": (0x7D, 0x80, 0xFD)}.get(case.kinds[0], ())
    values = [value for _, value in elements_of(case)] if lost else []
    return any(np.isin(np.ascontiguousarray(value).view(np.uint8), lost).any() for value in values)


@named("data has an integer that f32 does not")
def _rounded_integers(case: OpenVINOCase) -> bool:
    data = case.inputs[0]
    return bool((data.astype(np.float32).astype(np.float64) != data.astype(np.float64)).any())


@named("pad_value is an integer that f32 does not have")
def _rounded_pad_value(case: OpenVINOCase) -> bool:
    value = case.inputs[3]
    return float(value.astype(np.float32)) != float(value)


@named("run with AVX512_CORE_BF16")
def _by_bfloat16(case: OpenVINOCase) -> bool:
    return case.instruction_set == "AVX512_CORE_BF16"


_SUBNORMAL = "a number that is subnormal as float32"
_STRIDED = of("StridedSlice")
_TWO_BITS = ("u2", "f4e2m1")

ENTRIES: tuple[Difference, ...] = (
    difference(
        "new axes beside shrunk ones give foreign memory",
        "new_axis_mask with shrink_axis_mask: the plugin gives other elements, its reference kernel the right ones",
        f"{NODES}/strided_slice.cpp",
        all_of(_STRIDED, _new_and_shrunk),
        model("StridedSlice", 1, ("u8", np.arange(24).reshape(2, 3, 4)), ("i64", [0, 0, 1]), ("i64", [0, 0, 0]),
              ("i64", [1, 1, 1]), is_dynamic=True, sized=frozenset({1, 2, 3}),
              attributes={"begin_mask": "0,0,0", "end_mask": "0,0,0", "new_axis_mask": "0,1,0",
                          "shrink_axis_mask": "1,0,1", "ellipsis_mask": "0,0,0"}),
        but(attributes={"new_axis_mask": "0,0,0"}),
    ),
    difference(
        "SpaceToBatch of 4 axes reads beyond the end of a line",
        "where an axis has pads at its end, some elements of the next line stand in their place",
        f"{NODES}/space_to_batch.cpp",
        all_of(of("SpaceToBatch"), _padded_behind),
        model("SpaceToBatch", 2, ("f32", np.arange(1, 9).reshape(1, 2, 2, 2)), ("i64", [1, 2, 2, 3]),
              ("i64", [0, 1, 0, 0]), ("i64", [0, 1, 0, 1]), constants=frozenset({1, 2, 3})),
        but({2: ("i64", [0, 0, 0, 1]), 3: ("i64", [0] * 4)}),
        but({1: ("i64", [1, 1, 1, 1])}),
    ),
    difference(
        "a Broadcast to a constant of narrow integers is refused",
        "a constant target_shape or axes_mapping of 8 bits is read as if it had more, but in the mode bidirectional",
        f"{NODES}/broadcast.cpp",
        all_of(of("Broadcast"), _narrow_target, not_(attribute("mode", "bidirectional"))),
        model("Broadcast", 3, ("f32", [1.0]), ("u8", [3]), constants=frozenset({1}), attributes={"mode": "numpy"}),
        but({1: ("u16", [3])}),
        but(attributes={"mode": "bidirectional"}),
        but(constants=frozenset()),
    ),
    difference(
        "a bidirectional Broadcast of float8 to unknown sizes is refused",
        "it becomes a product with ones, which has no kernel for float8",
        f"{NODES}/eltwise.cpp",
        all_of(of("Broadcast"), typed(0, *_FLOAT8), attribute("mode", "bidirectional"), _open_result),
        model("Broadcast", 3, ("f8e4m3", [1.0]), ("i64", [1]), constants=frozenset({1}), is_dynamic=True,
              sized=frozenset({1}), attributes={"mode": "bidirectional"}),
        but({1: ("i64", [2])}),
        but({0: ("f16", [1.0])}),
    ),
    difference(
        "an empty list of axes known at run is refused",
        "Reverse of no axis, and Transpose with an empty order, read their vector where there is none",
        f"{SOURCE}/core/shape_inference/include/utils.hpp",
        all_of(of("Transpose", "Reverse"), Has(1, "no element"), no_constant),
        model("Reverse", 1, ("f16", np.ones((3, 1, 3))), ("i16", []), is_dynamic=True, sized=frozenset({1}),
              attributes={"mode": "index"}),
        known(1),
    ),
    difference(
        "an Identity of 4 bits writes behind its memory",
        "the heap is damaged (SIGABRT or SIGSEGV), at times later or not at all: it is held in 8 bits, its result in 4",
        f"{NODES}/reference.cpp",
        all_of(of("Identity"), typed(0, "i4", "u4")),
        model("Identity", 16, ("i4", np.arange(1000) % 8)),
        but({0: ("i8", np.arange(1000) % 8)}),
        crashes=True,
    ),
    difference(
        "a OneHot by indices of 8 bits is refused",
        "wider integers are brought to i32, in which the node runs, these are not",
        f"{NODES}/one_hot.cpp",
        all_of(of("OneHot"), typed(0, "i8", "u8")),
        model("OneHot", 16, ("i8", [1, 2]), ("i64", 4), ("f32", 1.0), ("f32", 0.0), constants=frozenset({1}),
              attributes={"axis": "-1"}),
        but({0: ("i16", [1, 2])}),
        but({0: ("u16", [1, 2])}),
    ),
    difference(
        "axes may be floats",
        "Unsqueeze and VariadicSplit take axes of any type, though their pages ask for integers",
        f"{SOURCE}/core/src/op/unsqueeze.cpp",
        all_of(of("Unsqueeze", "VariadicSplit"), typed(1, "f32", "f16", "bf16", "f64")),
        model("Unsqueeze", 1, ("f32", [1.0]), ("f32", [0.0]), constants=frozenset({1})),
        but({1: ("i64", [0])}),
    ),
    difference(
        "updates of another type are converted",
        "SliceScatter compares the types of data and updates no more than by their shapes",
        f"{SOURCE}/core/src/op/slice_scatter.cpp",
        all_of(of("SliceScatter"), _of_two_types),
        model("SliceScatter", 15, ("f32", [1.0]), ("i16", [2]), ("i32", [0]), ("i32", [1]), ("i32", [1]),
              constants=frozenset({2, 3, 4})),
        but({1: ("f32", [2.0])}),
    ),
    difference(
        "a Broadcast without target_shape ends the process",
        "in the mode explicit of opset 1 its inputs are not counted",
        f"{SOURCE}/core/src/op/util/broadcast_base.cpp",
        all_of(of("Broadcast"), not_(HasInput(1))),
        model("Broadcast", 1, ("f32", [1.0]), attributes={"mode": "explicit"}),
        neighbours=(
            model("Broadcast", 1, ("f32", [1.0]), ("i64", [3]), constants=frozenset({1}), attributes={"mode": "numpy"}),
        ),
        crashes=True,
    ),
    difference(
        "a Transpose of one axis is refused",
        "with a constant order of 8 bits the plugin leaves the node out, and then misses it",
        f"{SOURCE}/plugins/intel_cpu/src/node.cpp",
        all_of(of("Transpose"), _one_axis, typed(1, "i8", "u8"), constant(1), not_(Dynamic())),
        model("Transpose", 1, ("f32", [1.0, 2.0]), ("i8", [0]), constants=frozenset({1})),
        but({1: ("i16", [0])}),
        but(constants=frozenset()),
        but({0: ("f32", [[1.0, 2.0]]), 1: ("i8", [1, 0])}),
    ),
    difference(
        "a Squeeze to an unknown number of axes is refused",
        "the plugin runs known numbers of axes only",
        f"{SOURCE}/plugins/intel_cpu/src/node.cpp",
        all_of(of("Squeeze"), Dynamic(), any_of(attribute("allow_axis_skip", "true"), _unknown_rank)),
        model("Squeeze", 1, ("f32", [[1.0]]), is_dynamic=True),
        but(is_dynamic=False),
    ),
    difference(
        "an Unsqueeze by axes known at run is refused",
        "axes may repeat, so that their number does not tell that of the result's axes",
        f"{SOURCE}/plugins/intel_cpu/src/node.cpp",
        all_of(of("Unsqueeze"), Dynamic(), no_constant),
        model("Unsqueeze", 1, ("f32", [1.0]), ("i64", [0, -1]), is_dynamic=True, sized=frozenset({1})),
        but(constants=frozenset({1})),
    ),
    difference(
        "strings that do not follow each other are refused",
        "the page allows any begins and ends; the runtime wants them ascending, where it can see them",
        f"{SOURCE}/core/shape_inference/include/string_tensor_pack_shape_inference.hpp",
        all_of(of("StringTensorPack"), Dynamic(), _not_ascending),
        model("StringTensorPack", 15, ("i32", [2, 1, 0]), ("i32", [2, 2, 3]), ("u8", [65, 66, 67]), is_dynamic=True),
        but(is_dynamic=False),
    ),
    difference(
        "a GatherTree of 8 bits, or bf16, is refused",
        "the node runs in f32 and i32 only, to which these types are not brought; the page allows any numeric type",
        f"{NODES}/gather_tree.cpp",
        all_of(of("GatherTree"), typed(0, "i8", "u8", "bf16")),
        model("GatherTree", 1, ("u8", [[[1]]]), ("u8", [[[0]]]), ("u8", [1]), ("u8", 2)),
        but({0: ("u16", [[[1]]]), 1: ("u16", [[[0]]]), 2: ("u16", [1]), 3: ("u16", 2)}),
    ),
    difference(
        "float8 loses the sign of zero",
        "these nodes compute in f32: -0.0 becomes 0.0, and a signalling NaN quiet",
        f"{NODES}/common/cpu_convert.cpp",
        all_of(
            of("Pad", "ReverseSequence", "SpaceToBatch", "Unique", "ScatterElementsUpdate", "ScatterNDUpdate"),
            _float8_through_float32,
        ),
        model("Pad", 12, ("f8e4m3", [-0.0]), ("i64", [1]), ("i64", [0]), constants=frozenset({1, 2}),
              attributes={"pad_mode": "edge"}),
        but({0: ("f8e4m3", [0.0, np.nan, -1.0])}),
    ),
    difference(
        "ReverseSequence computes in f32",
        "integers beyond 2**24 are rounded, and subnormal bf16 are zero",
        f"{NODES}/reverse_sequence.cpp",
        all_of(
            of("ReverseSequence"),
            any_of(
                all_of(typed(0, *_INTEGERS), _rounded_integers),
                all_of(typed(0, "bf16"), Has(0, _SUBNORMAL)),
            ),
        ),
        model("ReverseSequence", 1, ("i32", [[2**24 + 1, 1]]), ("i32", [1]), constants=frozenset({1}),
              attributes={"batch_axis": "0", "seq_axis": "1"}),
        but({0: ("i32", [[2**24, 1, 2**30]])}),
    ),
    difference(
        "strings are refused",
        "the node has no kernel for them, though the page allows any type",
        f"{NODES}/roll.cpp",
        all_of(
            of("Broadcast", "ExtractImagePatches", "GatherElements", "GatherND", "ReverseSequence", "Roll",
               "ScatterElementsUpdate", "ScatterNDUpdate", "Select", "ShuffleChannels", "SpaceToBatch", "Tile",
               "Unique"),
            typed(None, "string"),
        ),
        model("Roll", 7, ("string", ["a", "bc"]), ("i64", [1]), ("i64", [0]), constants=frozenset({1, 2})),
        but({0: ("u8", [1, 2])}),
    ),
    difference(
        "strings are moved as bytes",
        "their memory is copied, not the strings: results are empty, or the process ends",
        f"{NODES}/space_to_depth.cpp",
        all_of(
            of("BatchToSpace", "DepthToSpace", "Identity", "OneHot", "Reverse", "ScatterUpdate", "SliceScatter",
               "SpaceToDepth", "StridedSlice"),
            typed(None, "string"),
        ),
        model("SpaceToDepth", 1, ("string", [[[["a", "bc"]]]]), attributes={"mode": "blocks_first", "block_size": "1"}),
        but({0: ("u8", [[[[1, 2]]]])}),
    ),
    difference(
        "strings are padded by constants only",
        "the other modes are refused, though the page allows any type",
        f"{NODES}/pad.cpp",
        all_of(of("Pad"), typed(0, "string"), not_(attribute("pad_mode", "constant"))),
        model("Pad", 12, ("string", ["a", "bc"]), ("i64", [1]), ("i64", [0]), constants=frozenset({1, 2}),
              attributes={"pad_mode": "edge"}),
        but(attributes={"pad_mode": "constant"}),
    ),
    difference(
        "a pad value that is not used may have any type",
        "in all modes but constant the plugin does not look at it; the page asks for the type of data",
        f"{SOURCE}/core/src/op/util/pad_base.cpp",
        all_of(of("Pad"), HasInput(3), _padded_with_another_type, not_(attribute("pad_mode", "constant"))),
        model("Pad", 1, ("f32", [1.0]), ("i64", [1]), ("i64", [0]), ("i16", 2), constants=frozenset({1, 2, 3}),
              attributes={"pad_mode": "edge"}),
        but({3: ("f32", 2.0)}),
    ),
    difference(
        "a pad value is rounded to f32",
        "integers beyond 2**24 lose their last bits",
        f"{NODES}/pad.cpp",
        all_of(of("Pad"), typed(0, *_INTEGERS), HasInput(3), attribute("pad_mode", "constant"), _rounded_pad_value),
        model("Pad", 12, ("i32", [1]), ("i32", [0]), ("i32", [1]), ("i32", 2**24 + 1), constants=frozenset({1, 2, 3}),
              attributes={"pad_mode": "constant"}),
        but({3: ("i32", 2**24 + 2)}),
    ),
    difference(
        "4 bits are reversed by bytes",
        "the reference kernel, which takes masks and axes known at run, counts whole bytes",
        f"{SOURCE}/core/reference/src/op/reverse.cpp",
        all_of(of("Reverse"), typed(0, "i4", "u4"), any_of(attribute("mode", "mask"), no_constant), several_elements),
        model("Reverse", 1, ("u4", [14, 3]), ("boolean", [True]), constants=frozenset({1}),
              attributes={"mode": "mask"}),
        but({1: ("i64", [0])}, attributes={"mode": "index"}),
    ),
    difference(
        "Select of bf16 flushes subnormals",
        "with instructions for bf16 the node computes in it, and subnormal bf16 become zero on their way",
        f"{NODES}/eltwise.cpp",
        all_of(of("Select"), typed(1, "bf16"), _by_bfloat16, any_of(*(Has(number, _SUBNORMAL) for number in (1, 2)))),
        model("Select", 1, ("boolean", [True]), ("bf16", [1e-39]), ("bf16", [2.0]), instruction_set="AVX512_CORE_BF16",
              attributes={"auto_broadcast": "numpy"}),
        but({1: ("f16", [3e-6]), 2: ("f16", [2.0])}),
        but(instruction_set=INSTRUCTION_SET),
        holds_on=Processors("x86_64", having=frozenset({"avx512_bf16"})),
    ),
    difference(
        "Select of float8 is refused",
        "the node has no kernel for it, though the page allows any type",
        f"{NODES}/eltwise.cpp",
        all_of(of("Select"), typed(1, *_FLOAT8)),
        model("Select", 1, ("boolean", [True]), ("f8e4m3", [1.0]), ("f8e4m3", [2.0]),
              attributes={"auto_broadcast": "numpy"}),
        but({1: ("bf16", [1.0]), 2: ("bf16", [2.0])}),
    ),
    difference(
        "types of 2 bits, and float4, are moved by bytes",
        "i4 and u4 are held in 8 bits; these are not, and most nodes then count whole bytes",
        f"{NODES}/reference.cpp",
        all_of(
            typed(0, *_TWO_BITS), not_(of("Gather", "Split", "VariadicSplit", "Concat", "Convert", "ConvertLike"))
        ),
        model("Roll", 7, ("f4e2m1", [1.0, 2.0, 3.0, 4.0]), ("i64", [1]), ("i64", [0]), constants=frozenset({1, 2})),
        but({0: ("u4", [1, 2, 3, 4])}),
    ),
    difference(
        "a negative step from before the first element is refused",
        "with unknown sizes the plugin expects no element, and then finds the first one, to which begin is clamped",
        f"{SOURCE}/core/shape_inference/include/slice_shape_inference_utils.hpp",
        all_of(of("Slice"), Dynamic(), constant(1, 2, 3), _before_the_first),
        model("Slice", 8, ("u8", [9, 8]), ("i32", [-5]), ("i64", [-3]), ("i64", [-1]), is_dynamic=True,
              constants=frozenset({1, 2, 3})),
        but({1: ("i32", [-2])}),
        but(is_dynamic=False),
    ),
    difference(
        "a negative stride from before the first element is refused",
        "as of Slice",
        f"{SOURCE}/core/shape_inference/include/slice_shape_inference_utils.hpp",
        all_of(_STRIDED, Dynamic(), constant(1, 2, 3), _strided_before_the_first),
        model("StridedSlice", 1, ("u8", [[9, 8]]), ("i32", [0, -5]), ("i64", [0, -3]), ("i64", [1, -1]),
              is_dynamic=True, constants=frozenset({1, 2, 3}),
              attributes={"begin_mask": "0,0", "end_mask": "0,0", "new_axis_mask": "0,0", "shrink_axis_mask": "0,0",
                          "ellipsis_mask": "1,0"}),
        but({2: ("i64", [0, -2])}),
    ),
    difference(
        "a slice of strings ends the process",
        "the heap is damaged (SIGABRT, at times later or not at all)",
        f"{NODES}/strided_slice.cpp",
        all_of(of("Slice"), typed(0, "string"), _full_ranges),
        model("Slice", 8, ("string", ["a", "bc"]), ("i32", [0]), ("i32", [1]), ("i32", [1]),
              constants=frozenset({1, 2, 3})),
        but({1: ("i32", [1])}),
    ),
    difference(
        "a Squeeze of strings that may skip axes ends the process",
        "the node is kept where allow_axis_skip is true, and copies the strings' memory",
        f"{NODES}/reshape.cpp",
        all_of(of("Squeeze"), typed(0, "string"), attribute("allow_axis_skip", "true")),
        model("Squeeze", 15, ("string", ["a", "bc"]), ("i64", [0]), constants=frozenset({1}),
              attributes={"allow_axis_skip": "true"}),
        but(attributes={"allow_axis_skip": "false"}),
    ),
    difference(
        "a new axis behind an ellipsis is refused",
        "with begin, end and stride known at run the size of 1 stands elsewhere than the plugin expected",
        f"{NODES}/strided_slice.cpp",
        all_of(_STRIDED, Dynamic(), no_constant, _new_axis_and_ellipsis),
        model("StridedSlice", 1, ("f32", [[1.0, 2.0]]), ("i32", [0, 0, 0]), ("i32", [0, 0, 0]), ("i32", [2, 1, 1]),
              is_dynamic=True, sized=frozenset({1, 2, 3}),
              attributes={"begin_mask": "0,0,0", "end_mask": "1,0,0", "new_axis_mask": "0,0,1",
                          "shrink_axis_mask": "0,0,0", "ellipsis_mask": "0,1,0"}),
        but(attributes={"new_axis_mask": "1,0,0"}),
        known(1, 2, 3),
    ),
)  # fmt: skip
