"""Properties of OpenVINO models: arithmetic."""

from __future__ import annotations

import numpy as np

from wherry.runtimes.case import Case
from wherry.runtimes.conditions import named
from wherry.runtimes.values import any_equal, any_outside, may_meet


@named("an integer is divided by 0, or the least by -1")
def _undefined(case: Case) -> bool:
    least = np.iinfo(case.inputs[0].dtype).min
    overflows = least < 0 and may_meet(case.inputs[0], least, case.inputs[1], -1)
    if not overflows and not any_equal(case.inputs[1], 0):
        return False
    a, b = np.broadcast_arrays(*case.inputs)
    return bool((b == 0).any() or ((a == least) & (b == -1) & (least < 0)).any())


@named("a quotient of integers is negative and has a remainder")
def _rounded(case: Case) -> bool:
    if not any_outside(case.inputs[0], 0, np.inf) and not any_outside(case.inputs[1], 0, np.inf):
        return False
    a, b = (one.astype(np.int64) for one in np.broadcast_arrays(*case.inputs))
    return bool((((a < 0) != (b < 0)) & (b != 0) & (np.fmod(a, np.where(b == 0, 1, b)) != 0)).any())


@named("an integer beyond 2^24")
def _beyond_float(case: Case) -> bool:
    return any(any_outside(one, -(2**24), 2**24) for one in case.inputs)


@named("a product beyond 2^24")
def _great_product(case: Case) -> bool:
    return bool(np.abs(case.inputs[0].astype(np.float64)).prod() > 2**24)


@named("no axes")
def _no_axes(case: Case) -> bool:
    return bool(case.inputs[1].size == 0)
