"""The operators of operations/types.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.openvino.call import answered, call, call_all

Array = NDArray[Any]


@answered
def convert(data: ArrayLike, destination_type: object, *, opset: int = 1, out: Array | None = None) -> Array:
    """Convert every element to another type: floats are truncated, integers wrap around.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Convert-1.

    >>> wh.openvino.convert([1.5, -3.7, 300.0], "u8")
    array([  1, 253,  44], dtype=uint8)
    """
    return call("Convert", opset, [data], destination_type=destination_type, out=out)


@answered
def convert_like(data: ArrayLike, like: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Convert every element to the type of `like`, whose values are not read.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO ConvertLike-1.

    >>> wh.openvino.convert_like([1.5, 2.5], [0])
    array([1, 2])
    """
    return call("ConvertLike", opset, [data, like], out=out)


@answered
def shape_of(data: ArrayLike, output_type: object = "i64", *, opset: int = 3, out: Array | None = None) -> Array:
    """Return the sizes of `data` as a vector.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    New with opset 3: `output_type`.
    Specification: OpenVINO ShapeOf-1, -3.

    >>> wh.openvino.shape_of([[1, 2, 3]])
    array([1, 3])
    """
    return call("ShapeOf", opset, [data], output_type=output_type, out=out)


@answered
def string_tensor_pack(
    begins: ArrayLike, ends: ArrayLike, symbols: ArrayLike, *, opset: int = 15, out: Array | None = None
) -> Array:
    """Return the ranges `symbols[begin:end]` of UTF-8 bytes as strings.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments; IndexOutOfRangeError for a bad
    index.
    Specification: OpenVINO StringTensorPack-15.

    >>> wh.openvino.string_tensor_pack([0, 5], [5, 13], np.frombuffer(b"IntelOpenVINO", np.uint8)).tolist()
    ['Intel', 'OpenVINO']
    """
    return call("StringTensorPack", opset, [begins, ends, symbols], out=out)


@answered
def string_tensor_unpack(data: ArrayLike, *, opset: int = 15, out: Sequence[Array] | None = None) -> tuple[Array, ...]:
    """Return the begin and end of each string in the bytes of all strings, and these bytes.

    `out`, a sequence with an array of any strides for each result, receives the results if given; an error leaves the
    arrays as they were.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO StringTensorUnpack-15.

    >>> [part.tolist() for part in wh.openvino.string_tensor_unpack(["a", "bc"])]
    [[0, 1], [1, 3], [97, 98, 99]]
    """
    return call_all("StringTensorUnpack", opset, [data], out=out)
