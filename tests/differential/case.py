"""A one-node model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Case:
    """A one-node model: the operator as the runtime spells it, its version, inputs, attributes, number of outputs.

    The inputs at the positions `constants` are constants of the model; if it `is_dynamic`, sizes of the others are
    known at run only.
    """

    operator: str
    version: int
    inputs: tuple[np.ndarray, ...]
    attributes: dict[str, Any] = field(default_factory=dict)
    outputs: int = 1
    constants: frozenset[int] = frozenset()
    is_dynamic: bool = False

    def kind(self, position: int) -> str:
        """Return the name of the element type of an input."""
        dtype = self.inputs[position].dtype
        return "string" if dtype.hasobject else dtype.name
