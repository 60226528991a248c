"""Fewer cases where the whole of tests/core and tests/ops runs again: on lower instruction sets, under sanitizers."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

IS_BRIEF = os.environ.get("HYPOTHESIS_PROFILE") == "brief"

Case = TypeVar("Case")


def thinned(cases: Iterable[Case], parts: int, shift: int) -> list[Case]:
    """Return all cases; under the profile brief one in so many of them, from another one on for another shift."""
    return list(islice(cases, shift % parts, None, parts)) if IS_BRIEF else list(cases)
