"""What an opaque node of an IR keeps, so that a runtime can be given a part of the model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.openvino.document import Layer


@dataclass(frozen=True)
class Source:
    """The layer as written, and the .bin file: `weights` returns the bytes that constants in its bodies lie in."""

    layer: Layer
    weights: Callable[[], NDArray[np.uint8]]
