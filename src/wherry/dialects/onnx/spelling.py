"""Spelling: how an operator is written as a node of a row's version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from wherry.graph import Deferred
from wherry.ops import Operator


@dataclass(frozen=True)
class Spelling:
    """Attributes and added constant inputs (by the name of the input) of a node that reads as `operator`.

    `operator` is the one to be written, or one that means the same for the node's input sizes. The writer reads the
    spelling back and refuses where it says anything else.
    """

    operator: Operator | Deferred
    attributes: Mapping[str, Any]
    constants: Mapping[str, NDArray[Any]] = field(default_factory=dict)
