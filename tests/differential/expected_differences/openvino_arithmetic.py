"""OpenVINO's CPU plugin in arithmetic: quotients, integers computed as floats or in fewer bits, NaN and zeros."""

from __future__ import annotations

import numpy as np

from tests.differential.conditions import Has, all_of, any_of, attribute, named, of, typed
from tests.differential.difference import Difference
from tests.differential.expected_differences.openvino_entries import NODES, but, difference, model
from tests.differential.openvino_runtime import OpenVINOCase

_QUOTIENTS = of("Divide", "Mod", "FloorMod")
_RELATIONS = ("Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual")
_EXTREMES = of("Minimum", "Maximum", "ReduceMin", "ReduceMax", "Clamp")
_REDUCTIONS = of("ReduceSum", "ReduceProd", "ReduceMin", "ReduceMax")
_INTEGERS = ("i32", "i64", "u32", "u64", "i16", "u16", "i8", "u8")


@named("an integer is divided by 0, or the least by -1")
def _undefined(case: OpenVINOCase) -> bool:
    a, b = np.broadcast_arrays(*case.inputs)
    least = np.iinfo(a.dtype).min
    return bool((b == 0).any() or ((a == least) & (b == -1) & (least < 0)).any())


@named("a quotient of integers is negative and has a remainder")
def _rounded(case: OpenVINOCase) -> bool:
    a, b = (one.astype(np.int64) for one in np.broadcast_arrays(*case.inputs))
    return bool((((a < 0) != (b < 0)) & (b != 0) & (np.fmod(a, np.where(b == 0, 1, b)) != 0)).any())


@named("an integer beyond 2^24")
def _beyond_float(case: OpenVINOCase) -> bool:
    return any(bool((np.abs(one.astype(np.float64)) > 2**24).any()) for one in case.inputs)


@named("a product beyond 2^24")
def _great_product(case: OpenVINOCase) -> bool:
    return bool(np.abs(case.inputs[0].astype(np.float64)).prod() > 2**24)


@named("no axes")
def _no_axes(case: OpenVINOCase) -> bool:
    return case.inputs[1].size == 0


ENTRIES: tuple[Difference, ...] = (
    difference(
        "quotients of integers rounded down",
        "the kernel rounds toward zero, whatever m_pythondiv says",
        f"{NODES}/eltwise.cpp",
        all_of(of("Divide"), typed(0, *_INTEGERS), attribute("m_pythondiv", "true", default="true"), _rounded),
        model("Divide", 1, ("i32", [-7, 7]), ("i32", [2, 2])),
        but({0: ("i32", [-8, 7])}),
        but(attributes={"m_pythondiv": "false"}),
    ),
    difference(
        "quotients of integers that there are not",
        "the quotient is computed as a float, and infinity becomes -2147483648; the specification does not speak of "
        "it, wherry refuses",
        f"{NODES}/eltwise.cpp",
        all_of(_QUOTIENTS, typed(0, *_INTEGERS), _undefined),
        model("Divide", 1, ("i32", [1, 2]), ("i32", [0, 1])),
        but({1: ("i32", [3, 1])}),
    ),
    difference(
        "remainders of floats",
        "they are computed as a - b * floor(a / b), or trunc, each step rounded: by infinity they are NaN, and a zero "
        "has no sign",
        f"{NODES}/eltwise.cpp",
        all_of(of("Mod", "FloorMod"), typed(0, "f32")),
        model("Mod", 1, ("f32", [7.0]), ("f32", [np.inf])),
        but({0: ("i32", [7]), 1: ("i32", [4])}),
    ),
    difference(
        "narrow integers saturate",
        "integers of 8 bits are computed in 32, and their results clamped instead of wrapped around",
        f"{NODES}/eltwise.cpp",
        all_of(of("Add", "Subtract", "Multiply", "Negative", "Abs", "ReduceSum", "ReduceProd"), typed(0, "i8", "u8")),
        model("Add", 1, ("i8", [100]), ("i8", [100])),
        but({0: ("i32", [100]), 1: ("i32", [100])}),
    ),
    difference(
        "integers compared and divided as floats",
        "i32 is compared and divided as f32, which does not hold integers beyond 2^24",
        f"{NODES}/eltwise.cpp",
        all_of(of(*_RELATIONS, "Divide", "Mod", "FloorMod"), typed(0, *_INTEGERS), _beyond_float),
        model("Equal", 1, ("i32", [2**24 + 1]), ("i32", [2**24])),
        but({0: ("i32", [2**24])}),
    ),
    difference(
        "integers reduced as floats",
        "with constant axes integers are computed as f32, which does not hold those beyond 2^24",
        f"{NODES}/reduce.cpp",
        all_of(_REDUCTIONS, typed(0, *_INTEGERS), any_of(_beyond_float, _great_product)),
        model("ReduceMax", 1, ("i32", [3, 2**31 - 1, 2**31 - 2]), ("i32", [0]), constants=frozenset({1})),
        but({0: ("i32", [3, 5, 4])}),
    ),
    difference(
        "NaN among the elements of an extreme",
        "of two elements, one of them NaN, the second comes out, and Clamp makes NaN its least number; the "
        "specification does not speak of it",
        f"{NODES}/eltwise.cpp",
        all_of(_EXTREMES, Has(None, "a NaN")),
        model("Maximum", 1, ("f32", [np.nan]), ("f32", [1.0])),
        but({0: ("f32", [0.0])}),
    ),
    difference(
        "the sign of the zero that is an extreme",
        "of two zeros the second comes out; wherry's -0.0 is less than 0.0",
        f"{NODES}/eltwise.cpp",
        all_of(_EXTREMES, Has(None, "a negative zero")),
        model("Maximum", 1, ("f32", [0.0]), ("f32", [-0.0])),
        but({1: ("f32", [0.0])}),
    ),
    difference(
        "reductions along no axes",
        "the node refuses its sizes where keep_dims is false",
        f"{NODES}/reduce.cpp",
        all_of(_REDUCTIONS, _no_axes, attribute("keep_dims", "false", default="false")),
        model(
            "ReduceSum",
            1,
            ("i32", [[1, 2], [3, 4]]),
            ("i32", []),
            attributes={"keep_dims": "false"},
            constants=frozenset({1}),
        ),
        but({1: ("i32", [0])}),
    ),
)
