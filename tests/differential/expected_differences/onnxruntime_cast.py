"""ONNX Runtime in Cast and CastLike."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from tests.differential.case import Case
from tests.differential.difference import Difference
from tests.differential.expected_differences.onnxruntime_entries import KERNELS, PAGES, difference
from wherry import dtypes

_F = np.arange(4, dtype=np.float32)


def _floats_beyond_uint32(case: Case) -> bool:
    if case.operator not in ("Cast", "CastLike") or case.inputs[0].dtype.kind != "f":
        return False
    to_uint32 = case.attributes.get("to") == 12 if case.operator == "Cast" else case.inputs[1].dtype == np.uint32
    values = np.trunc(case.inputs[0].astype(np.float64))
    return to_uint32 and not bool(((values >= -(2**31)) & (values < 2**32)).all())


def _cast_of(case: Case, *to: int) -> bool:
    """Whether it is a Cast of floats to one of some types."""
    kind = dtypes.of(case.inputs[0].dtype).kind
    return case.operator == "Cast" and kind == "float" and case.attributes.get("to") in to


def _as_double(case: Case) -> np.ndarray:
    with np.errstate(all="ignore"):
        return case.inputs[0].astype(np.float64)


def _numerals(case: Case) -> bool:
    """Whether a number has other than plain numerals, or more than eight digits."""
    if not _cast_of(case, 8):
        return False
    data = case.inputs[0]
    data = data if data.dtype.name in ("float16", "float64") else data.astype(np.float32)
    return any(np.isfinite(one) and f"{one:.8g}" != np.format_float_positional(one, trim="-") for one in data.flat)


def _float4(case: Case) -> bool:
    return case.operator == "Cast" and (case.attributes["to"] == 23 or case.inputs[0].dtype.name == "float4_e2m1fn")


def _negative_scales(case: Case) -> bool:
    return _cast_of(case, 24) and bool((_as_double(case) < 0).any())


def _nan_as_uint64(case: Case) -> bool:
    return (
        _cast_of(case, 13) and case.inputs[0].dtype.name == "float8_e8m0fnu" and bool(np.isnan(_as_double(case)).any())
    )


def _halves(case: Case) -> bool:
    numbers = _as_double(case) if _cast_of(case, 21, 22, 25, 26) else np.zeros(0)
    return bool((np.isfinite(numbers) & (numbers != np.trunc(numbers))).any())


def _beyond_float8(case: Case) -> bool:
    """Whether a number beyond float8, but no infinity, is not saturated."""
    if case.attributes.get("saturate", 1) or not _cast_of(case, 17, 19):
        return False
    numbers = np.abs(_as_double(case))
    low, high = (464, 496) if case.attributes["to"] == 17 else (61440, np.inf)
    return bool(((numbers >= low) & (numbers < high)).any())


ENTRIES: tuple[Difference, ...] = (
    difference(
        "floats outside the range as uint32",
        "four at a time they become 0 or 2**31, alone they lose their higher "
        "bits, so that one array has both; the text leaves them undefined, wherry always drops the bits",
        f"{PAGES}Cast.html",
        _floats_beyond_uint32,
        Case("Cast", 13, (np.full(4, -1e14, np.float32),), {"to": 12}),
    ),
    difference(
        "floats in scientific numerals",
        "of eight digits; the text asks for plain ones, which wherry writes with as many digits as each number needs",
        f"{PAGES}Cast.html",
        _numerals,
        Case("Cast", 13, (np.array([1e-10], np.float32),), {"to": 8}),
    ),
    difference(
        "no kernel for Cast of float4",
        "the CPU provider has float4e2m1 in no Cast: NOT_IMPLEMENTED",
        KERNELS,
        _float4,
        Case("Cast", 23, (_F,), {"to": 23}),
    ),
    difference(
        "negative numbers as float8e8m0",
        "they become its least number; the text leaves them undefined, wherry gives NaN",
        f"{PAGES}Cast.html",
        _negative_scales,
        Case("Cast", 24, (-_F,), {"to": 24}),
    ),
    difference(
        "NaN of float8e8m0 as uint64",
        "it becomes 0, where NaN of other floats becomes 2**63, as in wherry; the text leaves it undefined",
        f"{PAGES}Cast.html",
        _nan_as_uint64,
        Case("Cast", 24, (np.array([np.nan]).astype(ml_dtypes.float8_e8m0fnu),), {"to": 13}),
    ),
    difference(
        "fractions as integers of 2 and 4 bits",
        "they are rounded, halves away from zero; for wider integers it truncates, as the onnx package does for all",
        f"{PAGES}Cast.html",
        _halves,
        Case("Cast", 21, (np.array([0.5], np.float32),), {"to": 22}),
    ),
    difference(
        "floats beyond float8 that are not saturated",
        "by the text's table e5m2 makes infinities of them, not NaN, and e4m3fn NaN of 480, not 448",
        f"{PAGES}Cast.html",
        _beyond_float8,
        Case("Cast", 19, (np.array([61440.0], np.float32),), {"to": 19, "saturate": 0}),
    ),
)
