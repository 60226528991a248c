"""The operators of operations/selection.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.openvino.call import answered, call, call_all

Array = NDArray[Any]


@answered
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

    `batch_shape` gives the sizes of leading axes. All sizes and the index are i32 or i64.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Eye-9.

    >>> wh.openvino.eye(2, 4, 1, "i32")
    array([[0, 1, 0, 0],
           [0, 0, 1, 0]], dtype=int32)
    """
    return call("Eye", opset, [num_rows, num_columns, diagonal_index, batch_shape], output_type=output_type, out=out)


@answered
def non_zero(data: ArrayLike, output_type: object = "i64", *, opset: int = 3, out: Array | None = None) -> Array:
    """Return the coordinates of the elements that are not zero, a column for each, in row-major order.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO NonZero-3.

    >>> wh.openvino.non_zero([[1, 0], [1, 1]])
    array([[0, 1, 1],
           [0, 0, 1]])
    """
    return call("NonZero", opset, [data], output_type=output_type, out=out)


@answered
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
    """Return on_value at the position of each index along a new axis of size `depth`, and off_value elsewhere.

    OneHot-16 has `negative_indices_mode`; with normalize, indices -depth..-1 count from the end.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    New with opset 16: `negative_indices_mode`.
    Specification: OpenVINO OneHot-1, -16.

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


@answered
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

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    New with opset 4: `output_type`.
    Specification: OpenVINO Range-1, -4.

    >>> wh.openvino.range(23, 2, -3, "i32")
    array([23, 20, 17, 14, 11,  8,  5], dtype=int32)
    """
    return call("Range", opset, [start, stop, step], output_type=output_type, out=out)


@answered
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

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Select-1.

    >>> wh.openvino.select([True, False], [1, 2], [3, 4])
    array([1, 4])
    """
    return call("Select", opset, [cond, then, otherwise], auto_broadcast=auto_broadcast, out=out)


@answered
def unique(
    data: ArrayLike,
    axis: ArrayLike | None = None,
    sorted: bool = True,
    index_element_type: object = "i64",
    count_element_type: object = "i64",
    *,
    opset: int = 10,
    out: Sequence[Array] | None = None,
) -> tuple[Array, ...]:
    """Return each element, or slice along `axis`, once; with first positions, inverse, and counts.

    `out`, a sequence with an array of any strides for each result, receives the results if given; an error leaves the
    arrays as they were.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Unique-10.

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
        out=out,
    )
