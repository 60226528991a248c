"""A one-node model, and an entry that says in which of them a runtime differs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Case:
    """A one-node model: the operator as the runtime spells it, its version, inputs, attributes, number of outputs."""

    operator: str
    version: int
    inputs: tuple[np.ndarray, ...]
    attributes: dict[str, Any] = field(default_factory=dict)
    outputs: int = 1


@dataclass(frozen=True)
class Difference:
    """One disagreement; `applies` tells whether a case falls under it, `crashes` whether the runtime dies of it.

    A case that falls under an entry is not compared with that runtime. `example` is one that must still disagree, or
    crash the runtime: when a newer runtime agrees, test_expected_differences.py fails and the entry goes.
    One `of_threads` needs two of them at once.
    """

    name: str
    runtime: str
    version: str
    reason: str
    link: str
    applies: Callable[[Case], bool]
    example: Case
    crashes: bool = False
    of_threads: bool = False
