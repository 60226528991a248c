"""Every known disagreement of the rest of OpenVINO's data movement, continued from `openvino_differences`.

Each was seen with the version it names, and each has an example that must still disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod
from typing import Any

import numpy as np

from tests.differential.expected_differences import Difference
from tests.differential.openvino_cases import array
from tests.differential.openvino_differences import elements_of, expected
from tests.differential.openvino_runtime import OpenVINOCase
from wherry import openvino

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


@_of("StridedSlice")
def _new_axis_and_ellipsis(case: OpenVINOCase) -> bool:
    new, ellipsis = (str(case.attributes[name]).split(",") for name in ("new_axis_mask", "ellipsis_mask"))
    return case.is_dynamic and not case.constants and "1" in ellipsis and "1" in new[ellipsis.index("1") :]


@_of("Slice")
def _before_the_first(case: OpenVINOCase) -> bool:
    """Whether a range with a negative step begins and ends before the first element, so that it takes that one."""
    starts, stops, steps = (value.tolist() for value in case.inputs[1:4])
    axes = case.inputs[4].tolist() if len(case.inputs) > 4 else range(len(starts))
    sizes = [case.inputs[0].shape[axis] for axis in axes]
    return _is_before(case, zip(starts, stops, steps, sizes, strict=True))


@_of("StridedSlice")
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


@_of("Slice")
def _slices_of_strings(case: OpenVINOCase) -> bool:
    return case.kinds[0] == "string" and openvino.slice(*case.inputs).size > 0


@_of("Squeeze")
def _strings_that_skip_axes(case: OpenVINOCase) -> bool:
    return case.kinds[0] == "string" and case.attributes.get("allow_axis_skip") == "true"


@_of("SpaceToBatch")
def _padded_behind(case: OpenVINOCase) -> bool:
    """Whether an axis has a block and pads at its end, and data more than one line along the axes before it."""
    data, blocks, _, ends = case.inputs
    axes = [axis for axis in range(1, data.ndim) if ends[axis] > 0 and blocks[axis] > 1]
    return data.ndim > 3 and any(prod(data.shape[:axis]) > 1 for axis in axes)


@_of("Range")
def _away_from_the_stop(case: OpenVINOCase) -> bool:
    start, stop, step = (float(value) for value in case.inputs)
    return (stop - start) * step < 0 and len(case.constants) < 3


@_of("ScatterElementsUpdate")
def _mean_of_integers(case: OpenVINOCase) -> bool:
    """Whether a mean is negative and no whole number."""
    if case.attributes.get("reduction") != "mean" or case.kinds[0][0] not in "iu":
        return False
    data, indices, updates, axis = case.inputs
    rest: dict[str, Any] = {"reduction": "mean", "use_init_val": case.attributes["use_init_val"] == "true"}
    means = openvino.scatter_elements_update(data.astype(np.float64), indices, updates.astype(np.float64), axis, **rest)
    return bool((np.floor(means) != np.trunc(means)).any())


@_of("Broadcast")
def _narrow_target(case: OpenVINOCase) -> bool:
    is_narrow = any(case.kinds[number] in ("i8", "u8") for number in case.constants)
    return is_narrow and case.attributes["mode"] != "bidirectional"


@_of("Broadcast")
def _multiplied_float8(case: OpenVINOCase) -> bool:
    """Whether the sizes of the result are not known while compiling."""
    target = case.inputs[1]
    is_told = bool(case.constants) and 1 not in target and target.size >= case.inputs[0].ndim
    is_wide = case.attributes["mode"] == "bidirectional" and case.kinds[0].startswith("f8")
    return is_wide and case.is_dynamic and not is_told


@_of("Transpose")
def _one_axis(case: OpenVINOCase) -> bool:
    is_known = bool(case.constants) and not case.is_dynamic
    return case.inputs[0].ndim == 1 and is_known and case.kinds[1] in ("i8", "u8")


@_of("Transpose", "Reverse")
def _empty_list(case: OpenVINOCase) -> bool:
    return case.inputs[1].size == 0 and not case.constants


@_of("Squeeze")
def _unknown_rank(case: OpenVINOCase) -> bool:
    axes = case.inputs[1] if len(case.inputs) > 1 else np.array([])
    skips = case.attributes.get("allow_axis_skip") == "true"
    shape = case.inputs[0].shape
    return case.is_dynamic and (skips or axes.size == 0 or any(shape[int(axis)] != 1 for axis in axes.ravel()))


@_of("Unsqueeze")
def _axes_at_run(case: OpenVINOCase) -> bool:
    return case.is_dynamic and not case.constants


@_of("Unique")
def _slices_of_bytes(case: OpenVINOCase) -> bool:
    if case.kinds[0] not in ("i8", "u8", "boolean", "i4", "u4") or len(case.inputs) < 2:
        return False
    return case.attributes["sorted"] == "false" or len(openvino.unique(*case.inputs)[1]) > 1


@_of("Unique")
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


@_of("Unique")
def _of_nan(case: OpenVINOCase) -> bool:
    data = case.inputs[0]
    return case.kinds[0][0] in "bf" and bool(np.isnan(data.astype(np.float32)).any()) and data.size > 1


@_of("StringTensorPack")
def _not_ascending(case: OpenVINOCase) -> bool:
    runs = np.stack([case.inputs[0].ravel(), case.inputs[1].ravel()], -1).ravel()
    return case.is_dynamic and bool((np.diff(runs.astype(np.int64)) < 0).any())


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


@_of("Convert", "ConvertLike")
def _outside_the_destination(case: OpenVINOCase) -> bool:
    """Whether floats lie outside an integer type, that of 32 bits for wider ones; some wrap as f32 does here."""
    source, to = _ends(case)
    if source not in _FLOATS or to[0] not in "iu" or (source in ("f32", "bf16") and to in ("i16", "i32", "u16")):
        return False
    bits = 31 if to in ("u32", "i64", "u64") else int(to[1:]) - (to[0] == "i")
    least = 0 if to[0] == "u" else -(2**bits)
    whole = np.trunc(_numbers(case))
    return not bool(((whole >= least) & (whole < 2**bits)).all())


@_of("Convert", "ConvertLike")
def _held_as_f32(case: OpenVINOCase) -> bool:
    """Whether f64 is infinite, or an integer is that f32 does not hold."""
    source, to = _ends(case)
    if "f64" not in (source, to) or source == to:
        return False
    numbers = _numbers(case)
    with np.errstate(all="ignore"):
        return bool((np.isinf(numbers) | (numbers != numbers.astype(np.float32)) & ~np.isnan(numbers)).any())


@_of("Convert", "ConvertLike")
def _nan_as_bool(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    return to == "boolean" and source in _LARGE_FLOATS and bool(np.isnan(_numbers(case)).any())


@_of("Convert", "ConvertLike")
def _cut_to_bfloat16(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    if to != "bf16" or source == "bf16":
        return False
    numbers = _numbers(case)
    with np.errstate(all="ignore"):
        rounded = numbers.astype(np.float32).astype(array(to, 0).dtype).astype(np.float64)
    return bool(((numbers != rounded) & ~np.isnan(numbers)).any())


@_of("Convert", "ConvertLike")
def _without_such_numbers(case: OpenVINOCase) -> bool:
    """Whether float8_e8m0 has no such number, or float4 no NaN."""
    source, to = _ends(case)
    numbers = _numbers(case)
    if to == "f8e8m0" and source != to:
        return bool(((numbers <= 0) | np.isinf(numbers)).any())
    return to == "f4e2m1" and source != to and bool(np.isnan(numbers).any())


@_of("Convert", "ConvertLike")
def _nan_of_float8(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    return source == "f8e5m2" and to in _LARGE_FLOATS and bool(np.isnan(_numbers(case)).any())


@_of("NonZero")
def _zeros_of_float8(case: OpenVINOCase) -> bool:
    return case.kinds[0].startswith("f8")


@_of("Convert", "ConvertLike")
def _no_pair(case: OpenVINOCase) -> bool:
    source, to = _ends(case)
    if to in ("f8e8m0", "f4e2m1"):
        return source not in (to, "f32", "f16", "bf16")
    if source == "f8e8m0":
        return to not in _LARGE_FLOATS
    return to in _NOT_TO.get(source, ())


@_of("Col2Im")
def _unknown_sizes(case: OpenVINOCase) -> bool:
    return case.is_dynamic and not {1, 2} <= case.constants | case.sized


@_of("Col2Im")
def _without_attributes(case: OpenVINOCase) -> bool:
    return len(case.attributes) < 4


@_of("Eye")
def _no_batch_at_run(case: OpenVINOCase) -> bool:
    return len(case.inputs) == 4 and case.inputs[3].size == 0 and len(case.constants) < 4


@_of("Eye")
def _diagonal_beyond_32_bits(case: OpenVINOCase) -> bool:
    return abs(int(case.inputs[2].reshape(()))) >= 2**31 and not case.constants


@_of("Pad", "ReverseSequence", "SpaceToBatch", "Unique")
def _float8_through_float32(case: OpenVINOCase) -> bool:
    lost = {"f8e4m3": (0x80,), "f8e5m2": (0x7D, 0x80, 0xFD)}.get(case.kinds[0], ())
    values = [value for _, value in elements_of(case)] if lost else []
    return any(np.isin(np.ascontiguousarray(value).view(np.uint8), lost).any() for value in values)


@_of("ReverseSequence")
def _through_float32(case: OpenVINOCase) -> bool:
    data = case.inputs[0]
    if case.kinds[0] == "bf16":
        bits = data.view(np.uint16) & 0x7FFF
        return bool(((bits > 0) & (bits < 0x80)).any())
    is_integer = case.kinds[0][0] in "iu"
    return is_integer and bool((data.astype(np.float32).astype(np.float64) != data.astype(np.float64)).any())


_NO_STRINGS = ("ExtractImagePatches", "ReverseSequence", "Roll", "Select", "ShuffleChannels", "Unique")
_LOST_STRINGS = ("BatchToSpace", "DepthToSpace", "Reverse", "SpaceToDepth")


@_of(*_NO_STRINGS)
def _refused_strings(case: OpenVINOCase) -> bool:
    return "string" in case.kinds


@_of(*_LOST_STRINGS)
def _lost_strings(case: OpenVINOCase) -> bool:
    return "string" in case.kinds


@_of("Pad")
def _strings_at_edges(case: OpenVINOCase) -> bool:
    return "string" in case.kinds and case.attributes["pad_mode"] != "constant"


@_of("Pad")
def _rounded_pad_value(case: OpenVINOCase) -> bool:
    if len(case.inputs) < 4 or case.attributes["pad_mode"] != "constant" or case.kinds[0][0] not in "iu":
        return False
    value = case.inputs[3]
    return float(value.astype(np.float32)) != float(value)


@_of("Reverse")
def _reversed_halves_of_bytes(case: OpenVINOCase) -> bool:
    by_mask = case.attributes["mode"] == "mask" or not case.constants
    return case.kinds[0] in ("i4", "u4") and by_mask and case.inputs[0].size > 1


@_of("Select")
def _narrow_floats(case: OpenVINOCase) -> bool:
    return case.kinds[1].startswith("f8")


def _narrower_than_a_byte(case: OpenVINOCase) -> bool:
    return case.kinds[0] in ("u2", "f4e2m1") and not case.operator.startswith("Convert")


@_of("ScatterNDUpdate")
def _differences_of_bool(case: OpenVINOCase) -> bool:
    return case.attributes.get("reduction") == "sub" and case.kinds[0] == "boolean" and _named_twice(case)


@_of("ScatterNDUpdate", "ScatterElementsUpdate")
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


@_of("ScatterNDUpdate", "ScatterElementsUpdate")
def _reduced_in_float32(case: OpenVINOCase) -> bool:
    if case.kinds[0] != "f64" or case.attributes.get("reduction", "none") == "none":
        return False
    return _reduced(case, np.float64).tobytes() != _reduced(case, np.float32).astype(np.float64).tobytes()


@_of("ScatterNDUpdate", "ScatterElementsUpdate")
def _reduced_in_32_bits(case: OpenVINOCase) -> bool:
    """Whether a result is beyond 31 bits, or the sum on the way to a mean beyond them or the 16 of its type."""
    reduction = case.attributes.get("reduction", "none")
    if case.kinds[0] not in ("i64", "u64", "u32", "i16", "u16") or reduction == "none":
        return False
    is_mean, dtype = reduction == "mean", case.inputs[0].dtype
    numbers = np.abs(_reduced(case, np.float64, "sum" if is_mean else None))
    return bool((numbers >= (2**31 if dtype.itemsize > 2 or not is_mean else 2**15)).any())


@_of("ScatterNDUpdate", "ScatterElementsUpdate")
def _one_of_several_nan(case: OpenVINOCase) -> bool:
    """Whether a sum or product is NaN, and NaN of several bits come into it, that of infinities among them."""
    if case.kinds[0] not in _LARGE_FLOATS or case.attributes.get("reduction") not in ("sum", "sub", "prod", "mean"):
        return False
    numbers = np.concatenate([case.inputs[0].ravel(), case.inputs[2].ravel()])
    with np.errstate(invalid="ignore"):
        given = numbers[np.isnan(numbers)]
        kinds = len({one.tobytes() for one in given}) + bool(np.isinf(numbers).any())
        return kinds > 1 and bool(np.isnan(_reduced(case, np.float64)).any())


@_of("ScatterElementsUpdate")
def _extremes_of_infinities(case: OpenVINOCase) -> bool:
    """Whether nothing but an infinity is written, and the old value does not count."""
    is_alone = case.attributes.get("use_init_val") == "false" and case.attributes["reduction"] in ("min", "max")
    return is_alone and case.kinds[0] in _FLOATS and bool(np.isinf(_reduced(case, np.float64)).any())


@_of("ScatterNDUpdate", "ScatterElementsUpdate")
def _rounded_to_bfloat16(case: OpenVINOCase) -> bool:
    if case.kinds[0] != "bf16" or case.attributes.get("reduction", "none") not in ("sum", "sub", "prod", "mean"):
        return False
    exact, rounded = _reduced(case, np.float64), _reduced(case, case.inputs[0].dtype)
    return bool((exact != rounded.astype(np.float64)).any())


def _named_twice(case: OpenVINOCase) -> bool:
    data, tuples = case.inputs[0], case.inputs[1]
    length = tuples.shape[-1]
    places = [tuple(row % np.array(data.shape[:length])) for row in tuples.reshape(-1, length)]
    return len(set(places)) < len(places)


def _difference(name: str, reason: str, link: str, applies: Callable[..., bool], example: OpenVINOCase) -> Difference:
    return Difference(name, "openvino", VERSION, reason, link, applies, example)


_MASKS = {"begin_mask": "0,0", "end_mask": "0,0", "ellipsis_mask": "0,0"}
_MATRIX = ("f32", [[1.0, 2.0], [3.0, 4.0]])

_COLUMNS = ("f32", [[1.0, 2.0], [3.0, 4.0]]), ("i32", [1, 3]), ("i32", [1, 2])
PLAIN = {"strides": "1,1", "dilations": "1,1", "pads_begin": "0,0", "pads_end": "0,0"}
_THREE_SLICES = np.random.default_rng(0).integers(-50, 50, (3, 3, 4))

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
        "SpaceToBatch of 4 axes reads beyond the end of a line",
        "where an axis has pads at its end, some elements of the next line stand in their place",
        f"{_NODES}/space_to_batch.cpp",
        _padded_behind,
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
        "a constant target_shape or axes_mapping of 8 bits is read as if it had more, but in the mode bidirectional",
        f"{_NODES}/broadcast.cpp",
        _narrow_target,
        _case("Broadcast", 3, ("f32", [1.0]), ("u8", [3]), constants=frozenset({1}), attributes={"mode": "numpy"}),
    ),
    _difference(
        "a bidirectional Broadcast of float8 to unknown sizes is refused",
        "it becomes a product with ones, which has no kernel for float8",
        f"{_NODES}/eltwise.cpp",
        _multiplied_float8,
        _case("Broadcast", 3, ("f8e4m3", [1.0]), ("i64", [1]), constants=frozenset({1}), is_dynamic=True,
              sized=frozenset({1}), attributes={"mode": "bidirectional"}),
    ),
    _difference(
        "an empty list of axes known at run is refused",
        "Reverse of no axis, and Transpose with an empty order, read their vector where there is none",
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
        _axes_at_run,
        _case("Unsqueeze", 1, ("f32", [1.0]), ("i64", [0, -1]), is_dynamic=True, sized=frozenset({1})),
    ),
    _difference(
        "first places and counts of slices of bytes are wrong",
        "with an axis the plugin copies them by the width of data's elements; unsorted ones are foreign memory",
        f"{_NODES}/unique.cpp",
        _slices_of_bytes,
        _case("Unique", 10, ("u8", np.arange(48).reshape(3, 4, 4) % 3), ("i32", 2), constants=frozenset({1}),
              attributes={"sorted": "false"}, output_count=4),
    ),
    _difference(
        "slices of several rows are compared with foreign memory",
        "with an axis behind others equal slices may stay apart, and unequal ones become one",
        f"{_NODES}/unique.cpp",
        _slices_of_several_rows,
        _case("Unique", 10, ("i32", [[0, 0, 0], [0, 1, 1]]), ("i32", 1), constants=frozenset({1}),
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
        "floats outside an integer type are clamped",
        "some pairs of types wrap, others are clamped, some to 32 bits, and the page says nothing; here all wrap",
        f"{_NODES}/common/cpu_convert.cpp",
        _outside_the_destination,
        _case("Convert", 1, ("f16", [[-7.25], [4.75]]), is_dynamic=True, attributes={"destination_type": "u8"}),
    ),
    _difference(
        "f64 is converted as f32",
        "the plugin holds f64 as f32: integers beyond 2**24 are rounded, and infinities become the greatest f32",
        f"{_SOURCE}/plugins/intel_cpu/src/plugin.cpp",
        _held_as_f32,
        _case("Convert", 1, ("i32", [2**24 + 1]), attributes={"destination_type": "f64"}),
    ),
    _difference(
        "NaN is false",
        "a Convert to boolean compares with 0 so that NaN fails; by the page all but 0 is true",
        f"{_NODES}/common/cpu_convert.cpp",
        _nan_as_bool,
        _case("Convert", 1, ("f16", [np.nan]), attributes={"destination_type": "boolean"}),
    ),
    _difference(
        "a Convert to bf16 cuts bits off",
        "integers, f64, and floats of unknown sizes are not rounded to the nearest",
        f"{_SOURCE}/core/include/openvino/core/type/bfloat16.hpp",
        _cut_to_bfloat16,
        _case("Convert", 1, ("i16", [22123]), attributes={"destination_type": "bf16"}),
    ),
    _difference(
        "numbers that a narrow float does not have",
        "f8e8m0 has neither zero, nor signs, nor infinities: they become its least or greatest number, not NaN; "
        "f4e2m1 has no NaN: it becomes 6, not -0",
        f"{_SOURCE}/core/src/type",
        _without_such_numbers,
        _case("Convert", 1, ("f32", [-1.0]), attributes={"destination_type": "f8e8m0"}),
    ),
    _difference(
        "NaN of float8 keep other bits",
        "f8e5m2 has several NaN; here each gives the one NaN of the larger type, there its bits stay",
        f"{_SOURCE}/core/src/type/float8_e5m2.cpp",
        _nan_of_float8,
        _case("Convert", 1, ("f8e5m2", np.array([0x7D], np.uint8).view(array("f8e5m2", 0).dtype)),
              attributes={"destination_type": "f32"}),
    ),
    _difference(
        "NonZero of float8 is refused",
        "the node has no kernel for it, though the page allows any numeric type",
        f"{_NODES}/non_zero.cpp",
        _zeros_of_float8,
        _case("NonZero", 3, ("f8e4m3", [1.0]), attributes={"output_type": "i64"}),
    ),
    _difference(
        "a Convert between types of 8 bits or less is refused",
        "f8e8m0 and f4e2m1 go to and from larger floats, and little else; float8 and u2 do not become bool",
        f"{_NODES}/common/cpu_convert.cpp",
        _no_pair,
        _case("Convert", 1, ("f8e4m3", [1.0]), attributes={"destination_type": "boolean"}),
    ),
    _difference(
        "an Eye without batch axes is foreign memory",
        "with an empty batch_shape nothing is written, unless all is constant; the page says that it means one matrix",
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
        "float8 loses the sign of zero",
        "these nodes compute in f32: -0.0 becomes 0.0, and a signalling NaN quiet",
        f"{_NODES}/common/cpu_convert.cpp",
        _float8_through_float32,
        _case("Pad", 12, ("f8e4m3", [-0.0]), ("i64", [1]), ("i64", [0]), constants=frozenset({1, 2}),
              attributes={"pad_mode": "edge"}),
    ),
    _difference(
        "ReverseSequence computes in f32",
        "integers beyond 2**24 are rounded, and subnormal bf16 are zero",
        f"{_NODES}/reverse_sequence.cpp",
        _through_float32,
        _case("ReverseSequence", 1, ("i32", [[2**24 + 1, 1]]), ("i32", [1]), constants=frozenset({1}),
              attributes={"batch_axis": "0", "seq_axis": "1"}),
    ),
    _difference(
        "strings are refused",
        "the node has no kernel for them, though the page allows any type",
        f"{_NODES}/roll.cpp",
        _refused_strings,
        _case("Roll", 7, ("string", ["a", "bc"]), ("i64", [1]), ("i64", [0]), constants=frozenset({1, 2})),
    ),
    _difference(
        "strings are moved as bytes",
        "their memory is copied, not the strings: results are empty, or the process ends",
        f"{_NODES}/space_to_depth.cpp",
        _lost_strings,
        _case("SpaceToDepth", 1, ("string", [[[["a", "bc"]]]]), attributes={"mode": "blocks_first", "block_size": "1"}),
    ),
    _difference(
        "strings are padded by constants only",
        "the other modes are refused, though the page allows any type",
        f"{_NODES}/pad.cpp",
        _strings_at_edges,
        _case("Pad", 12, ("string", ["a", "bc"]), ("i64", [1]), ("i64", [0]), constants=frozenset({1, 2}),
              attributes={"pad_mode": "edge"}),
    ),
    _difference(
        "a pad value is rounded to f32",
        "integers beyond 2**24 lose their last bits",
        f"{_NODES}/pad.cpp",
        _rounded_pad_value,
        _case("Pad", 12, ("i32", [1]), ("i32", [0]), ("i32", [1]), ("i32", 2**24 + 1), constants=frozenset({1, 2, 3}),
              attributes={"pad_mode": "constant"}),
    ),
    _difference(
        "4 bits are reversed by bytes",
        "the reference kernel, which takes masks and axes known at run, counts whole bytes",
        f"{_SOURCE}/core/reference/src/op/reverse.cpp",
        _reversed_halves_of_bytes,
        _case("Reverse", 1, ("u4", [14, 3]), ("boolean", [True]), constants=frozenset({1}),
              attributes={"mode": "mask"}),
    ),
    _difference(
        "Select of float8 is refused",
        "the node has no kernel for it, though the page allows any type",
        f"{_NODES}/eltwise.cpp",
        _narrow_floats,
        _case("Select", 1, ("boolean", [True]), ("f8e4m3", [1.0]), ("f8e4m3", [2.0]),
              attributes={"auto_broadcast": "numpy"}),
    ),
    _difference(
        "types of 2 bits, and float4, are moved by bytes",
        "i4 and u4 are held in 8 bits; these are not, and most nodes then count whole bytes",
        f"{_NODES}/reference.cpp",
        _narrower_than_a_byte,
        _case("Roll", 7, ("f4e2m1", [1.0, 2.0, 3.0, 4.0]), ("i64", [1]), ("i64", [0]), constants=frozenset({1, 2})),
    ),
    _difference(
        "bool is subtracted as a number",
        "false - true - true is -2, which is true; here each difference is true where the two differ",
        f"{_NODES}/scatter_update.cpp",
        _differences_of_bool,
        _case("ScatterNDUpdate", 15, ("boolean", [False]), ("i64", [[0], [0]]), ("boolean", [True, True]),
              attributes={"reduction": "sub"}),
    ),
    _difference(
        "16-bit floats are reduced in another order",
        "updates of one element are not combined, and rounded, one after the other; the page names no order",
        f"{_NODES}/scatter_update.cpp",
        _rounded_in_another_order,
        _case("ScatterNDUpdate", 15, ("bf16", _THREE_SLICES[:1]), ("i64", [[0], [0], [0]]), ("bf16", _THREE_SLICES),
              attributes={"reduction": "prod"}),
    ),
    _difference(
        "a negative step from before the first element is refused",
        "with unknown sizes the plugin expects no element, and then finds the first one, to which begin is clamped",
        f"{_SOURCE}/core/shape_inference/include/slice_shape_inference_utils.hpp",
        _before_the_first,
        _case("Slice", 8, ("u8", [9, 8]), ("i32", [-5]), ("i64", [-3]), ("i64", [-1]), is_dynamic=True,
              constants=frozenset({1, 2, 3})),
    ),
    _difference(
        "a negative stride from before the first element is refused",
        "as of Slice",
        f"{_SOURCE}/core/shape_inference/include/slice_shape_inference_utils.hpp",
        _strided_before_the_first,
        _case("StridedSlice", 1, ("u8", [[9, 8]]), ("i32", [0, -5]), ("i64", [0, -3]), ("i64", [1, -1]),
              is_dynamic=True, constants=frozenset({1, 2, 3}),
              attributes={"begin_mask": "0,0", "end_mask": "0,0", "new_axis_mask": "0,0", "shrink_axis_mask": "0,0",
                          "ellipsis_mask": "1,0"}),
    ),
    _difference(
        "a slice of strings ends the process",
        "the heap is damaged (SIGABRT, at times later or not at all)",
        f"{_NODES}/strided_slice.cpp",
        _slices_of_strings,
        _case("Slice", 8, ("string", ["a", "bc"]), ("i32", [0]), ("i32", [1]), ("i32", [1]),
              constants=frozenset({1, 2, 3})),
    ),
    _difference(
        "a Squeeze of strings that may skip axes ends the process",
        "the node is kept where allow_axis_skip is true, and copies the strings' memory",
        f"{_NODES}/reshape.cpp",
        _strings_that_skip_axes,
        _case("Squeeze", 15, ("string", ["a", "bc"]), ("i64", [0]), constants=frozenset({1}),
              attributes={"allow_axis_skip": "true"}),
    ),
    _difference(
        "f64 is reduced in f32",
        "the plugin holds f64 as f32, so that quotients have its precision",
        f"{_SOURCE}/plugins/intel_cpu/src/plugin.cpp",
        _reduced_in_float32,
        _case("ScatterElementsUpdate", 12, ("f64", [23.0]), ("i32", [0, 0]), ("f64", [1.0, 2.0]), ("i32", 0),
              constants=frozenset({3}), attributes={"reduction": "mean", "use_init_val": "true"}),
    ),
    _difference(
        "integers are reduced in 32 bits",
        "the plugin holds i64, u64, u32, i16 and u16 as i32: 64 bits overflow, sums of 16 do not before a mean",
        f"{_SOURCE}/plugins/intel_cpu/src/plugin.cpp",
        _reduced_in_32_bits,
        _case("ScatterNDUpdate", 15, ("i64", [2**30]), ("i32", [[0]]), ("i64", [4]), attributes={"reduction": "prod"}),
    ),
    _difference(
        "which of several NaN",
        "the bits of one of two NaN stay, and which one depends on the order of the operands in the vector's loop",
        f"{_NODES}/scatter_update.cpp",
        _one_of_several_nan,
        _case("ScatterElementsUpdate", 12, ("f32", [35.0]), ("i32", [0, 0, 0, 0]),
              ("f32", [-0.0, np.inf, np.nan, -4.0]), ("u8", 0), is_dynamic=True,
              attributes={"reduction": "prod", "use_init_val": "true"}),
    ),
    _difference(
        "the greatest of infinities is finite",
        "without the old value max begins with the least finite number and min with the greatest, not with an infinity",
        f"{_NODES}/scatter_update.cpp",
        _extremes_of_infinities,
        _case("ScatterElementsUpdate", 12, ("f32", [35.0]), ("i8", [0]), ("f32", [-np.inf]), ("i8", 0),
              constants=frozenset({3}), attributes={"reduction": "max", "use_init_val": "false"}),
    ),
    _difference(
        "bf16 with an even last bit is cut off",
        "a sum or product is rounded to the nearest where its last bit that stays is 1, and else toward zero",
        f"{_SOURCE}/core/include/openvino/core/type/bfloat16.hpp",
        _rounded_to_bfloat16,
        _case("ScatterNDUpdate", 15, ("bf16", [41.0]), ("i32", [[0]]), ("bf16", [29.0]),
              attributes={"reduction": "prod"}),
    ),
    _difference(
        "a new axis behind an ellipsis is refused",
        "with begin, end and stride known at run the size of 1 stands elsewhere than the plugin expected",
        f"{_NODES}/strided_slice.cpp",
        _new_axis_and_ellipsis,
        _case("StridedSlice", 1, ("f32", [[1.0, 2.0]]), ("i32", [0, 0, 0]), ("i32", [0, 0, 0]), ("i32", [2, 1, 1]),
              is_dynamic=True, sized=frozenset({1, 2, 3}),
              attributes={"begin_mask": "0,0,0", "end_mask": "1,0,0", "new_axis_mask": "0,0,1",
                          "shrink_axis_mask": "0,0,0", "ellipsis_mask": "0,1,0"}),
    ),
    _difference(
        "NaN leave the order of Unique undefined",
        "NaN is unequal to itself and no less than a number: slices come twice, or stand in any order",
        f"{_NODES}/unique.cpp",
        _of_nan,
        _case("Unique", 10, ("f32", [np.nan, -np.inf, np.nan, -np.inf]), attributes={"sorted": "true"}, output_count=4),
    ),
    _difference(
        "a Col2Im of unknown sizes is refused",
        "the shapes of output_size and kernel_size must be known while compiling",
        f"{_SOURCE}/core/src/op/col2im.cpp",
        _unknown_sizes,
        _case("Col2Im", 15, *_COLUMNS, is_dynamic=True, attributes=PLAIN),
    ),
    _difference(
        "a Col2Im with an attribute left out ends the process",
        "strides, dilations, pads_begin and pads_end have defaults on the page; the plugin reads empty lists",
        f"{_NODES}/col2im.cpp",
        _without_attributes,
        _case("Col2Im", 15, *_COLUMNS, constants=frozenset({1, 2})),
    ),
)  # fmt: skip


def expected_in_family(case: OpenVINOCase) -> Difference | None:
    """Return the entry under which a case falls, or None if the runtime must agree."""
    return next((entry for entry in FAMILY_DIFFERENCES if entry.applies(case)), None) or expected(case)
