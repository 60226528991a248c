"""The operations as functions on arrays: gather, split, variadic_split and concat, of any opset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from numpy.typing import ArrayLike, NDArray

from wherry import errors, execute
from wherry.arrays import as_array, as_indices
from wherry.dialects.openvino.row import OpenVINORow
from wherry.dialects.openvino.table import as_opset, in_opset
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.functions import split_views
from wherry.ops import Split
from wherry.ops.operator import Operator, as_int
from wherry.tensors import TensorType

Array = NDArray[Any]


def gather(data: ArrayLike, indices: ArrayLike, axis: ArrayLike, *, batch_dims: int = 0, opset: int = 8) -> Array:
    """Return the slices of `data` along `axis` that `indices` picks, zeros where an index is out of range.

    Gather-8 (opset 8 and newer): `data` has d elements on the axis; indices -d..-1 count from its end, all others
    outside 0..d-1 give zero (False, an empty string). Gather-7 and Gather-1 (opset 7, opsets 1 to 6) allow 0..d-1 only;
    what else gives is open, and here it is zero. A negative `batch_dims` counts from the axes of indices; Gather-1 has
    none. The result has the sizes `data[:axis] + indices[batch_dims:] + data[axis + 1:]`.

    Raises InvalidTypeError for element types, and InvalidValueError for sizes, an axis or batch_dims, that the
    operation does not take; UnsupportedError for an opset without it. Specification: OpenVINO Gather-1, -7, -8.

    >>> import wherry as wh
    >>> wh.openvino.gather([1, 2, 3, 4, 5], [3, 10, -20], 0)
    array([4, 0, 0])
    """
    row = _row("Gather", opset)
    with row.speaking():
        attributes = {"batch_dims": as_int("batch_dims", batch_dims)}
        if not row.attributes and attributes["batch_dims"] != 0:
            raise InvalidValueError(
                f"batch_dims is {batch_dims}, allowed 0: Gather-1 has no batch_dims; use opset 7 or newer"
            )
        inputs = [as_array(data, "data"), as_indices(indices), as_array(axis, "axis")]
    operator = _operator(row, attributes, inputs)
    return execute.apply(operator, inputs[:2], row.subject())[0]


def split(data: ArrayLike, axis: ArrayLike, num_splits: int, *, opset: int = 1) -> list[Array]:
    """Cut `data` along `axis` into `num_splits` views of equal sizes; nothing is copied.

    Raises InvalidValueError for a number that does not divide the axis, an axis out of range or one that is no scalar,
    InvalidTypeError for element types that the operation does not take. Specification: OpenVINO Split-1.

    >>> import wherry as wh
    >>> wh.openvino.split([0, 1, 2, 3, 4, 5], 0, 3)
    [array([0, 1]), array([2, 3]), array([4, 5])]
    """
    row = _row("Split", opset)
    with row.speaking():
        attributes = {"num_splits": as_int("num_splits", num_splits)}
        inputs = [as_array(data, "data"), as_array(axis, "axis")]
    return _views(row, attributes, inputs)


def variadic_split(data: ArrayLike, axis: ArrayLike, split_lengths: ArrayLike, *, opset: int = 1) -> list[Array]:
    """Cut `data` along `axis` into views of the given lengths, one of which may be -1: what remains.

    Raises InvalidValueError for lengths whose sum is not the size of the axis, two -1, a length below -1, an axis out
    of range; InvalidTypeError for element types that the operation does not take.
    Specification: OpenVINO VariadicSplit-1.

    >>> import wherry as wh
    >>> wh.openvino.variadic_split([0, 1, 2, 3, 4, 5], 0, [1, -1, 2])
    [array([0]), array([1, 2, 3]), array([4, 5])]
    """
    row = _row("VariadicSplit", opset)
    with row.speaking():
        inputs = [as_array(data, "data"), as_array(axis, "axis"), as_indices(split_lengths, "split_lengths")]
    return _views(row, {}, inputs)


def concat(arrays: Sequence[ArrayLike], axis: int, *, opset: int = 1) -> Array:
    """Lay `arrays` end to end along `axis` into a new array; nothing is cast.

    Raises InvalidTypeError for mixed dtypes, InvalidValueError for sizes that differ outside the axis, scalars, or an
    axis out of range. Specification: OpenVINO Concat-1.

    >>> import wherry as wh
    >>> wh.openvino.concat([[0, 1], [2]], 0)
    array([0, 1, 2])
    """
    row = _row("Concat", opset)
    with row.speaking():
        if isinstance(arrays, (str, bytes)) or not isinstance(arrays, Iterable):
            raise InvalidTypeError(f"arrays is a {type(arrays).__name__}, allowed a sequence of arrays")
        inputs = [as_array(array, f"arrays[{number}]") for number, array in enumerate(arrays)]
        attributes = {"axis": as_int("axis", axis)}
    operator = _operator(row, attributes, inputs)
    return execute.apply(operator, inputs, row.subject())[0]


def _row(name: str, opset: int) -> OpenVINORow:
    with errors.subject(f"OpenVINO {name}"):
        return in_opset(name, as_opset(opset))


def _operator(row: OpenVINORow, attributes: Mapping[str, Any], inputs: Sequence[Array]) -> Operator:
    with row.speaking():
        row.check([TensorType.of(array) for array in inputs])
        values = {number: array for number, array in enumerate(inputs) if row.input_at(number).field}
        operator = cast(Operator, row.operator(attributes, values))
        operator.infer([TensorType.of(array) for number, array in enumerate(inputs) if number not in values])
    return operator


def _views(row: OpenVINORow, attributes: Mapping[str, Any], inputs: Sequence[Array]) -> list[Array]:
    rule = cast(Split, _operator(row, attributes, inputs))
    with row.speaking():
        return split_views(rule, inputs[0])
