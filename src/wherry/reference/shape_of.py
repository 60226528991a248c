"""ShapeOf and SizeOf by their formula: ONNX Shape and Size, OpenVINO ShapeOf-1 and -3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from wherry.ops import ShapeOf, SizeOf

Array = NDArray[Any]


def shape_of(operator: ShapeOf, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out = sizes(data)[start:end]`; Python's slice counts from the end and cuts as ONNX Shape-15 does."""
    for n, size in enumerate(inputs[0].shape[operator.start : operator.end]):
        outputs[0][n] = size


def size_of(operator: SizeOf, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out = number of elements of data`."""
    count = 1
    for size in inputs[0].shape:
        count *= size
    outputs[0][()] = count
