"""Properties of ONNX models: casts and arithmetic."""

from __future__ import annotations

import numpy as np

from wherry.runtimes.case import Case
from wherry.runtimes.conditions import named
from wherry.runtimes.values import any_equal, as_numbers


@named("the least integer divided by -1")
def _overflows(case: Case) -> bool:
    first, second = case.inputs[:2]
    if first.dtype.kind != "i" or not any_equal(second, -1) or not any_equal(first, np.iinfo(first.dtype).min):
        return False
    a, b = np.broadcast_arrays(first, second)
    return bool(((a == np.iinfo(a.dtype).min) & (b == -1)).any())


@named("a sum or product of integers that may be beyond 2^53, or beyond its type")
def _is_great(case: Case) -> bool:
    numbers = np.abs(case.inputs[0].astype(np.float64))
    most = 2.0**53 if case.kind(0) == "int64" else 2.0**31 - 1
    return bool(numbers.sum() > most) if case.operator == "ReduceSum" else bool(np.maximum(numbers, 1).prod() > most)


def _axes(case: Case) -> list[int]:
    return [int(axis) for axis in (case.inputs[1] if len(case.inputs) > 1 else case.attributes["axes"])]


@named("an axis named twice")
def _twice(case: Case) -> bool:
    axes = [axis % case.inputs[0].ndim for axis in _axes(case)]
    return len(set(axes)) < len(axes)


@named("min is more than max")
def _crossed(case: Case) -> bool:
    return bool(case.attributes["min"] > case.attributes["max"])


@named("a vector without elements")
def _empty(case: Case) -> bool:
    return bool(case.inputs[0].shape == (0,))


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
