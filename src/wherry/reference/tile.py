"""Tile by its formula: ONNX Tile, OpenVINO Tile-1, DirectML TILE."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import Tile

Array = NDArray[Any]


def formula(operator: Tile, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c] = data[c mod size]`, data having leading axes of 1 as out has."""
    (data,), (out,) = inputs, outputs
    new = out.ndim - data.ndim
    for c in np.ndindex(out.shape):
        out[c] = data[tuple(coord % size for coord, size in zip(c[new:], data.shape, strict=True))]
