"""Rule: one sentence of ONNX's specification, with the smallest model that tests it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.onnx.table import find_row
from wherry.runtimes.case import Case

Array = NDArray[Any]

OPSET = 18
"""Of the models, unless a rule needs another: new enough for the operators' last rules, old enough for all runtimes."""

ORDINARY = "an ordinary case"
"""The rule of each operator that a runtime must answer before its refusals of others say anything about these."""

_PAGES = "https://onnx.ai/onnx/operators/onnx__"


@dataclass(frozen=True)
class Rule:
    """One rule of the specification with a case that tests it.

    Where it `is_open` the specification leaves the answer to the runtime, and the one compared with is wherry's. With
    `any_nan` one NaN is as good as another: they come out of a conversion.
    """

    name: str
    case: Case
    says: str
    is_open: bool = False
    any_nan: bool = False

    @property
    def operator(self) -> str:
        """The operator, as ONNX calls it."""
        return self.case.operator

    @property
    def since(self) -> int:
        """The version of the operator that the model's opset has."""
        return find_row(self.operator, self.case.version).since

    @property
    def link(self) -> str:
        """The section of the specification."""
        return f"{_PAGES}{self.operator}.html#{self.operator.lower()}-{self.since}"


def rule(
    operator: str,
    name: str,
    says: str,
    inputs: Sequence[Array],
    attributes: dict[str, Any] | None = None,
    *,
    opset: int = OPSET,
    outputs: int = 1,
    constants: Sequence[int] = (),
    is_open: bool = False,
    any_nan: bool = False,
) -> Rule:
    """Return a rule; the inputs at `constants` are initializers of the model, the others are given when it runs."""
    case = Case(operator, opset, tuple(map(np.asarray, inputs)), attributes or {}, outputs, frozenset(constants))
    return Rule(name, case, says, is_open, any_nan)


def ints(*entries: int) -> Array:
    """Return a vector of int64, of which most indices and sizes are."""
    return np.array(entries, np.int64)


def floats(*sizes: int) -> Array:
    """Return 1.0, 2.0, ... as float32 of these sizes."""
    return np.arange(1, np.prod(sizes, dtype=int) + 1, dtype=np.float32).reshape(sizes)


def scalar(number: float) -> Array:
    """Return a float32 of rank 0."""
    return np.array(number, np.float32)


def longs(*sizes: int) -> Array:
    """Return 1, 2, ... as int64 of these sizes."""
    return floats(*sizes).astype(np.int64)


def strings(*entries: str) -> Array:
    """Return a vector of strings."""
    return np.array(entries, object)
