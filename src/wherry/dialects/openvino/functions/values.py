"""Selections, sequences, types and strings as functions."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.openvino.call import call, call_all

Array = NDArray[Any]


def unique(
    data: ArrayLike,
    axis: ArrayLike | None = None,
    sorted: bool = True,
    index_element_type: object = "i64",
    count_element_type: object = "i64",
    *,
    opset: int = 10,
) -> tuple[Array, ...]:
    """Return each element, or slice along `axis`, once; its first place; what each came to; and its count.

    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Unique-10.

    >>> import wherry as wh
    >>> [part.tolist() for part in wh.openvino.unique([2, 1, 1, 3])]
    [[1, 2, 3], [1, 0, 3], [1, 0, 0, 2], [2, 1, 1]]
    """
    return call_all(
        "Unique",
        opset,
        [data, axis],
        sorted=sorted,
        index_element_type=index_element_type,
        count_element_type=count_element_type,
    )


def one_hot(
    indices: ArrayLike,
    depth: ArrayLike,
    on_value: ArrayLike,
    off_value: ArrayLike,
    axis: int,
    negative_indices_mode: str = "ignore_negative",
    *,
    opset: int = 16,
    out: Array | None = None,
) -> Array:
    """Return, along a new axis of `depth` positions, on_value where the index is, off_value elsewhere.

    OneHot-16 takes `negative_indices_mode` normalize: indices -depth..-1 count from the end.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO OneHot-1, -16.

    >>> import wherry as wh
    >>> wh.openvino.one_hot([0, 3, 1], 3, 1, 0, -1)
    array([[1, 0, 0],
           [0, 0, 0],
           [0, 1, 0]])
    """
    return call(
        "OneHot",
        opset,
        [indices, depth, on_value, off_value],
        axis=axis,
        negative_indices_mode=negative_indices_mode,
        out=out,
    )


def range(
    start: ArrayLike,
    stop: ArrayLike,
    step: ArrayLike,
    output_type: object = None,
    *,
    opset: int = 4,
    out: Array | None = None,
) -> Array:
    """Return the numbers start, start + step ... before stop, as `output_type`.

    Opset 4 and newer need `output_type`; the older Range-1 has none: its three numbers have one type, the result's.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Range-1, -4.

    >>> import wherry as wh
    >>> wh.openvino.range(23, 2, -3, "i32")
    array([23, 20, 17, 14, 11,  8,  5], dtype=int32)
    """
    return call(
        "Range", opset, [start, stop, step], **({} if output_type is None else {"output_type": output_type}), out=out
    )


def eye(
    num_rows: ArrayLike,
    num_columns: ArrayLike,
    diagonal_index: ArrayLike,
    output_type: object,
    batch_shape: ArrayLike | None = None,
    *,
    opset: int = 9,
    out: Array | None = None,
) -> Array:
    """Return matrices with ones where column - row is `diagonal_index`, and zeros elsewhere, as `output_type`.

    `batch_shape` gives the sizes of leading axes. Sizes, and the index, are i32 or i64.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Eye-9.

    >>> import wherry as wh
    >>> wh.openvino.eye(2, 4, 1, "i32")
    array([[0, 1, 0, 0],
           [0, 0, 1, 0]], dtype=int32)
    """
    return call("Eye", opset, [num_rows, num_columns, diagonal_index, batch_shape], output_type=output_type, out=out)


def select(
    cond: ArrayLike,
    then: ArrayLike,
    otherwise: ArrayLike,
    auto_broadcast: str = "numpy",
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return elements of `then` where `cond` is true, and of `otherwise` elsewhere; all three broadcast.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Select-1.

    >>> import wherry as wh
    >>> wh.openvino.select([True, False], [1, 2], [3, 4])
    array([1, 4])
    """
    return call("Select", opset, [cond, then, otherwise], auto_broadcast=auto_broadcast, out=out)


def non_zero(data: ArrayLike, output_type: object = "i64", *, opset: int = 3, out: Array | None = None) -> Array:
    """Return the coordinates of the elements that are not zero, one column for each, in row-major order.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO NonZero-3.

    >>> import wherry as wh
    >>> wh.openvino.non_zero([[1, 0], [1, 1]])
    array([[0, 1, 1],
           [0, 0, 1]])
    """
    return call("NonZero", opset, [data], output_type=output_type, out=out)


def shape_of(data: ArrayLike, output_type: object = "i64", *, opset: int = 3, out: Array | None = None) -> Array:
    """Return the sizes of `data` as a vector.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO ShapeOf-1, -3.

    >>> import wherry as wh
    >>> wh.openvino.shape_of([[1, 2, 3]])
    array([1, 3])
    """
    return call("ShapeOf", opset, [data], output_type=output_type, out=out)


def convert(data: ArrayLike, destination_type: object, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return every element as another type: floats truncated, integers wrapped.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Convert-1.

    >>> import wherry as wh
    >>> wh.openvino.convert([1.5, -3.7, 300.0], "u8")
    array([  1, 253,  44], dtype=uint8)
    """
    return call("Convert", opset, [data], destination_type=destination_type, out=out)


def convert_like(data: ArrayLike, like: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return every element as the type of `like`, whose values are not read.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO ConvertLike-1.

    >>> import wherry as wh
    >>> wh.openvino.convert_like([1.5, 2.5], [0])
    array([1, 2])
    """
    return call("ConvertLike", opset, [data, like], out=out)


def identity(data: ArrayLike, *, opset: int = 16, out: Array | None = None) -> Array:
    """Return a copy of `data`.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Identity-16.

    >>> import wherry as wh
    >>> wh.openvino.identity([1, 2])
    array([1, 2])
    """
    return call("Identity", opset, [data], out=out)


def string_tensor_pack(
    begins: ArrayLike, ends: ArrayLike, symbols: ArrayLike, *, opset: int = 15, out: Array | None = None
) -> Array:
    """Return the runs `symbols[begin:end]` of UTF-8 bytes as strings.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what the operation does not take, IndexOutOfRangeError for a bad
    index.
    Specification: OpenVINO StringTensorPack-15.

    >>> import wherry as wh
    >>> import numpy as np
    >>> wh.openvino.string_tensor_pack([0, 5], [5, 13], np.frombuffer(b"IntelOpenVINO", np.uint8)).tolist()
    ['Intel', 'OpenVINO']
    """
    return call("StringTensorPack", opset, [begins, ends, symbols], out=out)


def string_tensor_unpack(data: ArrayLike, *, opset: int = 15) -> tuple[Array, ...]:
    """Return where the bytes of each string begin and end, and the bytes of all.

    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO StringTensorUnpack-15.

    >>> import wherry as wh
    >>> [part.tolist() for part in wh.openvino.string_tensor_unpack(["a", "bc"])]
    [[0, 1], [1, 3], [97, 98, 99]]
    """
    return call_all("StringTensorUnpack", opset, [data])
