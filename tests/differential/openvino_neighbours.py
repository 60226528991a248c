"""Cases just outside the entries of `expected_differences`: OpenVINO agrees, so no entry may cover them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tests.differential.expected_differences import OPENVINO
from tests.differential.expected_differences.openvino_values import PLAIN
from tests.differential.openvino_cases import array
from tests.differential.openvino_runtime import OpenVINOCase

_EXAMPLES: dict[str, OpenVINOCase] = {entry.name: entry.example for entry in OPENVINO}


def _other(name: str, inputs: dict[int, tuple[str, Any]] | None = None, **changes: Any) -> OpenVINOCase:
    """Return the example of an entry with other inputs, attributes (over its own) or fields."""
    case = _EXAMPLES[name]
    arrays, kinds = list(case.inputs), list(case.kinds)
    for position, (kind, value) in (inputs or {}).items():
        arrays[position], kinds[position] = array(kind, value), kind
    attributes = {**case.attributes, **changes.pop("attributes", {})}
    return replace(case, inputs=tuple(arrays), kinds=tuple(kinds), attributes=attributes, **changes)


def _known(*positions: int) -> dict[str, Any]:
    return {"constants": frozenset(positions), "is_dynamic": False}


NEIGHBOURS: tuple[tuple[str, OpenVINOCase], ...] = (
    ("a GatherTree of 8 bits, or bf16, is refused",
     _other("a GatherTree of 8 bits, or bf16, is refused",
            {0: ("u16", [[[1]]]), 1: ("u16", [[[0]]]), 2: ("u16", [1]), 3: ("u16", 2)})),
    ("an Eye of float8 is refused", _other("an Eye of float8 is refused", attributes={"output_type": "f16"})),
    ("f64 is converted as f32",
     _other("f64 is converted as f32", {0: ("i32", [2**24])})),
    ("NaN is false",
     _other("NaN is false", {0: ("f16", [1.0])})),
    ("a Convert to bf16 cuts bits off",
     _other("a Convert to bf16 cuts bits off", {0: ("i16", [22016])})),
    ("numbers that a narrow float does not have",
     _other("numbers that a narrow float does not have", {0: ("f32", [1.0])})),
    ("NaN of float8 keep other bits",
     _other("NaN of float8 keep other bits", {0: ("f8e5m2", [1.0])})),
    ("NonZero of float8 is refused",
     _other("NonZero of float8 is refused", {0: ("f16", [1.0])})),
    ("a Convert between types of 8 bits or less is refused",
     _other("a Convert between types of 8 bits or less is refused", attributes={"destination_type": "i8"})),
    ("slices of several rows are compared with foreign memory",
     _other("slices of several rows are compared with foreign memory", {0: ("i32", [[0, 1, 2], [0, 1, 1]])})),
    ("integers are reduced in 32 bits",
     _other("integers are reduced in 32 bits", {2: ("i64", [1])})),
    ("which of several NaN",
     _other("which of several NaN", {2: ("f32", [-0.0, 1.0, np.nan, -4.0])})),
    ("the greatest of infinities is finite",
     _other("the greatest of infinities is finite", attributes={"use_init_val": "true"})),
    ("new axes beside shrunk ones give foreign memory",
     _other("new axes beside shrunk ones give foreign memory", attributes={"new_axis_mask": "0,0,0"})),
    ("a new axis behind an ellipsis is refused",
     _other("a new axis behind an ellipsis is refused", attributes={"new_axis_mask": "1,0,0"})),
    ("a new axis behind an ellipsis is refused",
     _other("a new axis behind an ellipsis is refused", **_known(1, 2, 3))),
    ("SpaceToBatch of 4 axes reads beyond the end of a line",
     _other("SpaceToBatch of 4 axes reads beyond the end of a line", {2: ("i64", [0, 0, 0, 1]), 3: ("i64", [0] * 4)})),
    ("SpaceToBatch of 4 axes reads beyond the end of a line",
     _other("SpaceToBatch of 4 axes reads beyond the end of a line", {1: ("i64", [1, 1, 1, 1])})),
    ("a Range whose stop lies the other way is not empty",
     _other("a Range whose stop lies the other way is not empty", {1: ("i32", 18)})),
    ("a Range whose stop lies the other way is not empty",
     _other("a Range whose stop lies the other way is not empty", **_known(0, 1, 2))),
    ("threads replace one element in any order",
     _other("threads replace one element in any order", {1: ("i32", np.arange(10**6)[:, np.newaxis])})),
    ("threads replace one element in any order",
     _other("threads replace one element in any order", attributes={"reduction": "max"})),
    ("threads replace one slice in any order",
     _other("threads replace one slice in any order", {1: ("i32", [0] * 64), 2: ("f32", np.arange(64))})),
    ("the mean of integers is truncated", _other("the mean of integers is truncated", {2: ("i32", [3])})),
    ("the mean of integers is truncated",
     _other("the mean of integers is truncated", {0: ("f32", [-1.0, 0.0]), 2: ("f32", [-2.0])})),
    ("a Broadcast to a constant of narrow integers is refused",
     _other("a Broadcast to a constant of narrow integers is refused", {1: ("u16", [3])})),
    ("a Broadcast to a constant of narrow integers is refused",
     _other("a Broadcast to a constant of narrow integers is refused", attributes={"mode": "bidirectional"})),
    ("a Broadcast to a constant of narrow integers is refused",
     _other("a Broadcast to a constant of narrow integers is refused", constants=frozenset())),
    ("an empty list of axes known at run is refused",
     _other("an empty list of axes known at run is refused", **_known(1))),
    ("a Transpose of one axis is refused", _other("a Transpose of one axis is refused", {1: ("i16", [0])})),
    ("a Transpose of one axis is refused", _other("a Transpose of one axis is refused", constants=frozenset())),
    ("a Transpose of one axis is refused",
     _other("a Transpose of one axis is refused", {0: ("f32", [[1.0, 2.0]]), 1: ("i8", [1, 0])})),
    ("a Squeeze to an unknown number of axes is refused",
     _other("a Squeeze to an unknown number of axes is refused", is_dynamic=False)),
    ("an Unsqueeze by axes known at run is refused",
     _other("an Unsqueeze by axes known at run is refused", constants=frozenset({1}))),
    ("first places and counts of slices of bytes are wrong",
     _other("first places and counts of slices of bytes are wrong", {0: ("i32", np.arange(48).reshape(3, 4, 4) % 3)})),
    ("first places and counts of slices of bytes are wrong",
     _other("first places and counts of slices of bytes are wrong", {0: ("u8", np.ones((3, 4, 4)))},
            attributes={"sorted": "true"})),
    ("NaN leave the order of Unique undefined",
     _other("NaN leave the order of Unique undefined", {0: ("f32", [np.inf, -np.inf, -0.0, 0.0, np.inf])})),
    ("strings that do not follow each other are refused",
     _other("strings that do not follow each other are refused", is_dynamic=False)),
    ("floats outside an integer type are clamped",
     _other("floats outside an integer type are clamped", {0: ("f16", [[7.25], [4.75]])})),
    ("an Eye without batch axes is foreign memory",
     _other("an Eye without batch axes is foreign memory", **_known(0, 1, 2, 3))),
    ("the diagonal of an Eye is cut to 32 bits",
     _other("the diagonal of an Eye is cut to 32 bits", {2: ("i64", 2**31 - 1)})),
    ("float8 loses the sign of zero", _other("float8 loses the sign of zero", {0: ("f8e4m3", [0.0, np.nan, -1.0])})),
    ("ReverseSequence computes in f32",
     _other("ReverseSequence computes in f32", {0: ("i32", [[2**24, 1, 2**30]])})),
    ("strings are padded by constants only",
     _other("strings are padded by constants only", attributes={"pad_mode": "constant"})),
    ("a pad value is rounded to f32",
     _other("a pad value is rounded to f32", {3: ("i32", 2**24 + 2)})),
    ("4 bits are reversed by bytes",
     _other("4 bits are reversed by bytes", {1: ("i64", [0])}, attributes={"mode": "index"})),
    ("Select of float8 is refused",
     _other("Select of float8 is refused", {1: ("bf16", [1.0]), 2: ("bf16", [2.0])})),
    ("types of 2 bits, and float4, are moved by bytes",
     _other("types of 2 bits, and float4, are moved by bytes", {0: ("u4", [1, 2, 3, 4])})),
    ("bool is subtracted as a number",
     _other("bool is subtracted as a number", {1: ("i64", [[0]]), 2: ("boolean", [True])})),
    ("16-bit floats are reduced in another order",
     _other("16-bit floats are reduced in another order",
            {0: ("f32", _EXAMPLES["16-bit floats are reduced in another order"].inputs[0].astype(np.float32)),
             2: ("f32", _EXAMPLES["16-bit floats are reduced in another order"].inputs[2].astype(np.float32))})),
    ("a negative step from before the first element is refused",
     _other("a negative step from before the first element is refused", {1: ("i32", [-2])})),
    ("a negative step from before the first element is refused",
     _other("a negative step from before the first element is refused", is_dynamic=False)),
    ("a negative stride from before the first element is refused",
     _other("a negative stride from before the first element is refused", {2: ("i64", [0, -2])})),
    ("a bidirectional Broadcast of float8 to unknown sizes is refused",
     _other("a bidirectional Broadcast of float8 to unknown sizes is refused", {1: ("i64", [2])})),
    ("a bidirectional Broadcast of float8 to unknown sizes is refused",
     _other("a bidirectional Broadcast of float8 to unknown sizes is refused", {0: ("f16", [1.0])})),
    ("a slice of strings ends the process",
     _other("a slice of strings ends the process", {1: ("i32", [1])})),
    ("a Squeeze of strings that may skip axes ends the process",
     _other("a Squeeze of strings that may skip axes ends the process", attributes={"allow_axis_skip": "false"})),
    ("f64 is reduced in f32", _other("f64 is reduced in f32", {2: ("f64", [1.0, 3.0])})),
    ("bf16 with an even last bit is cut off", _other("bf16 with an even last bit is cut off", {2: ("bf16", [2.0])})),
    ("a Col2Im of unknown sizes is refused",
     _other("a Col2Im of unknown sizes is refused", sized=frozenset({1, 2}))),
    ("a Col2Im with an attribute left out ends the process",
     _other("a Col2Im with an attribute left out ends the process", attributes=PLAIN)),
)  # fmt: skip
"""The name of an entry, and a case that it must not cover."""
