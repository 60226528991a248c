"""ONNX Runtime in Cast and CastLike."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from tests.differential.case import Case
from tests.differential.conditions import (
    Has,
    Outside,
    all_of,
    any_of,
    as_numbers,
    attribute,
    named,
    of,
    typed,
)
from tests.differential.difference import Difference
from tests.differential.expected_differences.onnxruntime_entries import KERNELS, PAGES, F, difference

_PAGE = f"{PAGES}Cast.html"
_FLOATS = typed(
    0, "float16", "float32", "float64", "bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2",
    "float8_e5m2fnuz", "float8_e8m0fnu", "float4_e2m1fn",
)  # fmt: skip


@named("a number whose eight digits are no plain numeral of all its digits")
def _numerals(case: Case) -> bool:
    data = case.inputs[0]
    data = data if data.dtype.name in ("float16", "float64") else data.astype(np.float32)
    return any(np.isfinite(one) and f"{one:.8g}" != np.format_float_positional(one, trim="-") for one in data.flat)


@named("a number beyond the greatest of the type, but no infinity")
def _beyond_float8(case: Case) -> bool:
    numbers = np.abs(as_numbers(case.inputs[0]))
    low, high = (464, 496) if case.attributes["to"] == 17 else (61440, np.inf)
    return bool(((numbers >= low) & (numbers < high)).any())


_BITS = {2: 8, 4: 16, 12: 32, 13: 64, 21: 4, 25: 2, 3: -8, 5: -16, 6: -32, 7: -64, 22: -4, 26: -2}
"""The widths of the integers by their numbers; those of signed ones are negative."""


@named("a numeral is no number of the type")
def _beyond_integers(case: Case) -> bool:
    bits = _BITS[case.attributes["to"]]
    least, most = (0, 2**bits - 1) if bits > 0 else (-(2 ** (-bits - 1)), 2 ** (-bits - 1) - 1)
    return any(not least <= int(word) <= most for word in case.inputs[0].flat)


ENTRIES: tuple[Difference, ...] = (
    difference(
        "floats outside the range as uint32",
        "four at a time they become 0 or 2**31, alone they lose their higher "
        "bits, so that one array has both; the text leaves them undefined, wherry always drops the bits",
        _PAGE,
        all_of(
            any_of(all_of(of("Cast"), attribute("to", 12)), all_of(of("CastLike"), typed(1, "uint32"))),
            typed(0, "float16", "float32", "float64"),
            Outside(0, -(2**31), 2**32 - 1),
        ),
        Case("Cast", 13, (np.full(4, -1e14, np.float32),), {"to": 12}),
        Case("Cast", 13, (np.full(4, -1e9, np.float32),), {"to": 12}),
    ),
    difference(
        "floats in scientific numerals",
        "of eight digits; the text asks for plain ones, which wherry writes with as many digits as each number needs",
        _PAGE,
        all_of(of("Cast"), attribute("to", 8), _FLOATS, _numerals),
        Case("Cast", 13, (np.array([1e-10], np.float32),), {"to": 8}),
        Case("Cast", 13, (np.array([0.125, -3, 1e5, np.inf, -np.inf, np.nan], np.float32),), {"to": 8}),
    ),
    difference(
        "numerals beyond an integer type",
        "they lose their higher bits ('300' is 44 as uint8), or become the nearest number of 4 bits; the text leaves "
        "them undefined, wherry refuses",
        _PAGE,
        all_of(of("Cast"), typed(0, "string"), attribute("to", *_BITS), _beyond_integers),
        Case("Cast", 13, (np.array(["300"], object),), {"to": 2}),
        Case("Cast", 13, (np.array(["255", "0"], object),), {"to": 2}),
    ),
    difference(
        "no kernel for Cast of float4",
        "the CPU provider has float4e2m1 in no Cast: NOT_IMPLEMENTED",
        KERNELS,
        all_of(of("Cast"), any_of(attribute("to", 23), typed(0, "float4_e2m1fn"))),
        Case("Cast", 23, (F,), {"to": 23}),
        Case("Cast", 23, (F,), {"to": 22}),
    ),
    difference(
        "negative numbers as float8e8m0",
        "they become its least number; the text leaves them undefined, wherry gives NaN",
        _PAGE,
        all_of(of("Cast"), attribute("to", 24), _FLOATS, Has(0, "a negative number")),
        Case("Cast", 24, (-F,), {"to": 24}),
        Case("Cast", 24, (F[1:],), {"to": 24}),
    ),
    difference(
        "NaN of float8e8m0 as uint64",
        "it becomes 0, where NaN of other floats becomes 2**63, as in wherry; the text leaves it undefined",
        _PAGE,
        all_of(of("Cast"), attribute("to", 13), typed(0, "float8_e8m0fnu"), Has(0, "a NaN")),
        Case("Cast", 24, (np.array([np.nan]).astype(ml_dtypes.float8_e8m0fnu),), {"to": 13}),
        Case("Cast", 24, (np.array([1.0]).astype(ml_dtypes.float8_e8m0fnu),), {"to": 13}),
        Case("Cast", 24, (np.array([np.nan]).astype(ml_dtypes.float8_e4m3fn),), {"to": 13}),
    ),
    difference(
        "fractions as integers of 2 and 4 bits",
        "they are rounded, halves away from zero; for wider integers it truncates, as the onnx package does for all",
        _PAGE,
        all_of(of("Cast"), attribute("to", 21, 22, 25, 26), _FLOATS, Has(0, "a fraction")),
        Case("Cast", 21, (np.array([0.5], np.float32),), {"to": 22}),
        Case("Cast", 21, (np.array([1.0], np.float32),), {"to": 22}),
        Case("Cast", 21, (np.array([0.5], np.float32),), {"to": 3}),
    ),
    difference(
        "floats beyond float8 that are not saturated",
        "by the text's table e5m2 makes infinities of them, not NaN, and e4m3fn NaN of 480, not 448",
        _PAGE,
        all_of(of("Cast"), attribute("to", 17, 19), attribute("saturate", 0), _FLOATS, _beyond_float8),
        Case("Cast", 19, (np.array([61440.0], np.float32),), {"to": 19, "saturate": 0}),
        Case("Cast", 19, (np.array([57344.0], np.float32),), {"to": 19, "saturate": 0}),
    ),
)
