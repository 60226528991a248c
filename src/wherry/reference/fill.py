"""Fill by its formula: ONNX ConstantOfShape, DirectML FILL_VALUE_CONSTANT."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import Fill


def formula(operator: Fill, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
    """`out[c] = value`."""
    for c in np.ndindex(outputs[0].shape):
        outputs[0][c] = operator.value[()]
