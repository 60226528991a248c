"""Every known disagreement between wherry and a runtime: the one place for them, each with version, reason and link.

A case that a predicate matches is not compared with that runtime. Each entry has an `example`: a case that must still
disagree (or crash the runtime); when a newer runtime agrees, `test_expected_differences.py` fails and the entry goes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Case:
    """A one-node model: the operator as the runtime spells it, its version, its inputs and attributes."""

    operator: str
    version: int
    inputs: tuple[np.ndarray, ...]
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Difference:
    """One disagreement; `applies` tells whether a case falls under it."""

    name: str
    runtime: str
    version: str
    reason: str
    link: str
    applies: Callable[[Case], bool]
    example: Case


DIFFERENCES: tuple[Difference, ...] = ()


def expected(runtime: str, case: Case) -> Difference | None:
    """Return the entry under which a case falls, or None if the runtime must agree."""
    return next((d for d in DIFFERENCES if d.runtime == runtime and d.applies(case)), None)
