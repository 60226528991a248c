"""The operators of operations/model.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.openvino.call import answered, call

Array = NDArray[Any]


@answered
def identity(data: ArrayLike, *, opset: int = 16, out: Array | None = None) -> Array:
    """Return a copy of `data`.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Identity-16.

    >>> wh.openvino.identity([1, 2])
    array([1, 2])
    """
    return call("Identity", opset, [data], out=out)
