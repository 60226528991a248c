"""ONNX Runtime's arithmetic where it differs: NaN, zeros, integers computed as floats, and quotients that kill it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.differential.case import Case
from tests.differential.conditions import Has, all_of, attribute, before, named, not_, of, typed
from tests.differential.difference import Difference
from tests.differential.expected_differences.onnxruntime_entries import KERNELS, NAN, PAGES, SOURCE, F, H, difference
from tests.differential.expected_differences.onnxruntime_types import ARITHMETIC, FIRST_KERNELS

_FLOATS = ("float16", "float32", "float64", "bfloat16")
_SUMS = of("ReduceSum", "ReduceProd", "CumSum", "CumProd")
_REDUCTIONS = of("ReduceSum", "ReduceProd", "ReduceMin", "ReduceMax")
_LEAST = np.array([-(2**31)], np.int32)
_ZEROS = np.array([-0.0, 0.0], np.float32)


def _vector(*entries: int) -> np.ndarray:
    return np.array(entries, np.int64)


@named("a type that the CPU provider has no kernel for in that version")
def _no_kernel(case: Any) -> bool:
    kinds = ARITHMETIC.get(case.operator)
    return kinds is not None and case.version < kinds.get(case.kind(0), 99)


@named("the least integer divided by -1")
def _overflows(case: Any) -> bool:
    a, b = np.broadcast_arrays(*case.inputs[:2])
    return a.dtype.kind == "i" and bool(((a == np.iinfo(a.dtype).min) & (b == -1)).any())


@named("a sum or product of integers that may be beyond 2^53, or beyond its type")
def _is_great(case: Any) -> bool:
    numbers = np.abs(case.inputs[0].astype(np.float64))
    most = 2.0**53 if case.kind(0) == "int64" else 2.0**31 - 1
    return bool(numbers.sum() > most) if case.operator == "ReduceSum" else bool(np.maximum(numbers, 1).prod() > most)


def _axes(case: Any) -> list[int]:
    return [int(axis) for axis in (case.inputs[1] if len(case.inputs) > 1 else case.attributes["axes"])]


@named("an axis named twice")
def _twice(case: Any) -> bool:
    axes = [axis % case.inputs[0].ndim for axis in _axes(case)]
    return len(set(axes)) < len(axes)


@named("min is more than max")
def _crossed(case: Any) -> bool:
    return bool(case.attributes["min"] > case.attributes["max"])


@named("a vector without elements")
def _empty(case: Any) -> bool:
    return bool(case.inputs[0].shape == (0,))


ENTRIES: tuple[Difference, ...] = (
    difference(
        "arithmetic without a kernel for the type",
        "the CPU provider has kernels for some of the schema's element types only: NOT_IMPLEMENTED",
        KERNELS,
        all_of(of(*ARITHMETIC), not_(all_of(_SUMS, typed(0, *_FLOATS))), _no_kernel),
        Case("Max", 13, (np.ones(2, np.int16), np.ones(2, np.int16))),
        Case("Max", 13, (np.ones(2, np.int32), np.ones(2, np.int32))),
    ),
    *(
        difference(
            f"arithmetic before version {first}",
            "the CPU provider has kernels for later versions only: NOT_IMPLEMENTED",
            KERNELS,
            all_of(of(*names), before(first)),
            Case(names[0], first - 1, (F, F) if first == 7 else (F,)),
            Case(names[0], first, (F, F) if first == 7 else (F,)),
        )
        for first in (6, 7)
        if (names := [name for name, since_ in FIRST_KERNELS.items() if since_ == first])
    ),
    difference(
        "sums of floats",
        "wherry refuses them, since the specification leaves the order open, which decides the bits",
        f"{PAGES}ReduceSum.html",
        all_of(_SUMS, typed(0, *_FLOATS)),
        Case("ReduceSum", 13, (F,)),
        Case("ReduceSum", 13, (F.astype(np.int64),)),
    ),
    difference(
        "the least integer divided by -1",
        "the quotient of int32 and int64 is computed by the processor, which ends the process with SIGFPE; narrower "
        "ones wrap around; the specification does not speak of it, wherry refuses",
        f"{SOURCE}/math/element_wise_ops.cc",
        all_of(of("Div", "Mod"), _overflows),
        Case("Div", 14, (_LEAST, np.array([-1], np.int32))),
        Case("Div", 14, (_LEAST + 1, np.array([-1], np.int32))),
        crashes=True,
    ),
    difference(
        "remainders of 64-bit integers as floats",
        "with fmod of 1 the integers are cast to float64, which does not hold them all",
        f"{SOURCE}/math/element_wise_ops.cc",
        all_of(of("Mod"), attribute("fmod", 1), typed(0, "int64", "uint64")),
        Case("Mod", 13, (_vector(2**62 + 1), _vector(7)), {"fmod": 1}),
        Case("Mod", 13, (_vector(2**62 + 1), _vector(7)), {"fmod": 0}),
    ),
    difference(
        "great integers summed",
        "sums and products are computed as floating point numbers: those of int64 lose bits beyond 2^53, and none "
        "wraps around; the specification does not speak of overflow",
        f"{SOURCE}/reduction/reduction_ops.cc",
        all_of(of("ReduceSum", "ReduceProd"), typed(0, "int32", "int64"), _is_great),
        Case("ReduceSum", 13, (np.array([2**31 - 1, 2**31 - 2], np.int32),)),
        Case("ReduceSum", 13, (np.array([2**31 - 2, 1], np.int32),)),
    ),
    difference(
        "an axis reduced twice",
        "an axis named twice counts once; the specification does not speak of it, wherry refuses",
        f"{PAGES}ReduceSum.html",
        all_of(_REDUCTIONS, _twice),
        Case("ReduceSum", 13, (np.ones((2, 2), np.int32), _vector(0, -2))),
        Case("ReduceSum", 13, (np.ones((2, 2), np.int32), _vector(0, -1))),
    ),
    difference(
        "NaN among the elements of an extreme",
        "NaN comes out where it stands first only; the specification does not speak of it, wherry gives NaN",
        f"{SOURCE}/reduction/reduction_ops.h",
        all_of(of("ReduceMin", "ReduceMax", "ArgMin", "ArgMax"), Has(0, "a NaN")),
        Case("ReduceMax", 13, (np.array([1, np.nan], np.float32),)),
        Case("ReduceMax", 13, (np.array([1, 2], np.float32),)),
    ),
    difference(
        "the sign of the zero that is an extreme",
        "of two zeros it depends on their order which one comes out; wherry's -0.0 is less than 0.0",
        f"{SOURCE}/math/element_wise_ops.cc",
        all_of(of("Min", "Max", "ReduceMin", "ReduceMax"), Has(None, "a negative zero")),
        Case("Min", 13, (_ZEROS, _ZEROS[::-1].copy())),
        Case("Min", 13, (_ZEROS[1:], _ZEROS[1:])),
    ),
    difference(
        "the sign of NaN in float16",
        "Sign of float16 is 0 for NaN, of the other floats NaN",
        f"{SOURCE}/math/sign.cc",
        all_of(of("Sign"), typed(0, "float16"), Has(0, "a NaN")),
        Case("Sign", 13, (NAN.astype(np.float16),)),
        Case("Sign", 13, (NAN,)),
        Case("Sign", 13, (H,)),
    ),
    difference(
        "Clip before version 11 where min is more than max",
        "the kernel refuses the attributes, of which the specification says nothing",
        f"{SOURCE}/math/clip.h",
        all_of(of("Clip"), before(11), _crossed),
        Case("Clip", 6, (F,), {"min": 2.0, "max": 1.0}),
        Case("Clip", 6, (F,), {"min": 1.0, "max": 2.0}),
    ),
    difference(
        "reductions of an empty vector",
        "the axis of size 0 stays in the result, with or without keepdims",
        f"{SOURCE}/reduction/reduction_ops.cc",
        all_of(_REDUCTIONS, _empty),
        Case("ReduceSum", 13, (np.zeros(0, np.int64), _vector(-1)), {"keepdims": 0}),
        Case("ReduceSum", 13, (np.ones(1, np.int64), _vector(-1)), {"keepdims": 0}),
    ),
)
