"""Identity by its formula: ONNX Identity, DirectML ELEMENT_WISE_IDENTITY."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import Identity


def formula(operator: Identity, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
    """`out[c] = data[c]`."""
    for c in np.ndindex(inputs[0].shape):
        outputs[0][c] = inputs[0][c]
