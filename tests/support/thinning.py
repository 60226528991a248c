"""Fewer cases where the whole of tests/core and tests/ops runs again: on lower instruction sets, under sanitizers."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "")

Case = TypeVar("Case")


def thinned(cases: Iterable[Case], parts: int, shift: int) -> list[Case]:
    """Return one in so many cases under the profile brief, else one in half so many; under explore all of them.

    For another shift it begins with another case.
    """
    step = {"brief": parts, "explore": 1}.get(PROFILE, (parts + 1) // 2)
    return list(islice(cases, shift % step, None, step))
