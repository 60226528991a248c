"""Unique: each element, or slice along an axis, once; with first positions, inverse and counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry import _core, dtypes
from wherry.arguments import normalized_axis
from wherry.errors import InvalidTypeError
from wherry.moves.move import ARITHMETIC, ELEMENT_NUMBER
from wherry.ops.operator import set_fields
from wherry.ops.shape_of import IndexType
from wherry.ops.values import Data, ValuesOperator, bits_of
from wherry.tensors import TensorType

Array = NDArray[Any]

_INT64 = dtypes.find("int64")


_CORE_KEYS = frozenset(
    dtypes.find(name).numpy for name in ARITHMETIC if "int" in name or name in ("bool", "float32", "float64")
)
"""The types that the core finds the different values of."""

_MOST_COLUMNS = 64
"""The most elements of slices that are compared element by element; NumPy compares longer ones as bytes."""


class NaN(StrEnum):
    """Whether two NaN are one value."""

    EQUAL = "equal"
    """All NaN are one value, which sorts last."""
    DISTINCT = "distinct"
    """Each NaN is a value of its own, in order of occurrence after all others."""


@dataclass(frozen=True, eq=False)
class Unique(ValuesOperator):
    """Outputs: values (each once), indices (first place of each), inverse (which value came here), counts.

    `axis=None` takes the elements of data in row-major order; else whole slices along `axis` are compared, in the
    order of their elements. `sorted` puts values in ascending order, else they stay in order of first occurrence.
    -0.0 and 0.0 are one value; the bits of the first occurrence are kept. `index_dtype` is that of indices and
    inverse. There is no input: `data` is a field, because its values decide the sizes.
    """

    data: Data
    axis: int | None = None
    sorted: bool = True
    nan: NaN = NaN.EQUAL
    index_dtype: IndexType = _INT64
    count_dtype: IndexType = _INT64

    input_names: ClassVar[tuple[str, ...]] = ()
    reads_values: ClassVar[bool] = False

    def _check_fields(self) -> None:
        if dtypes.of(self.data.dtype) is None:
            raise InvalidTypeError(f"data has dtype {self.data.dtype}, allowed numbers, bool and strings")
        if self.axis is not None:
            set_fields(self, axis=normalized_axis(self.axis, self.data.ndim))

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return the types of the outputs before data is known; see Deferred."""
        data, axis = given["data"], fields.get("axis")
        index, count = fields.get("index_dtype", _INT64), fields.get("count_dtype", _INT64)
        values = data.with_sizes((None,))
        if axis is not None or "axis" in given:
            values = data.with_sizes(None)
        if axis is not None and data.sizes is not None:
            at = normalized_axis(axis, len(data.sizes))
            values = data.with_sizes([None if n == at else size for n, size in enumerate(data.sizes)])
        return (values, TensorType(index, (None,)), TensorType(index, (None,)), TensorType(count, (None,)))

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the types of the outputs; see Operator."""
        return tuple(TensorType.of(array) for array in self._outputs)

    def fold(self, inputs: Sequence[TensorType]) -> tuple[Array, ...]:
        """Return the outputs."""
        return self._outputs

    @cached_property
    def _outputs(self) -> tuple[Array, ...]:
        return _unique(self._rules, self.data)

    @property
    def _rules(self) -> _Rules:
        return (self.axis, self.sorted, self.nan, self.index_dtype.numpy, self.count_dtype.numpy)

    def maker(self) -> Callable[[Array], tuple[Array, ...]]:
        """Return what makes the outputs of other data; see Operator."""
        if self.axis is None and self.data.dtype in _CORE_KEYS:
            return _of_elements(self._rules, ELEMENT_NUMBER[self.data.dtype])
        return partial(_unique, self._rules)


_Rules = tuple[int | None, bool, NaN, np.dtype[Any], np.dtype[Any]]


def _of_elements(rules: _Rules, element: int) -> Callable[[Array], tuple[Array, ...]]:
    """Return `_unique` of elements of a type that the core knows, where there are no slices."""
    _, ascending, nan, index, count = rules
    unique = _core.FindingUnique(element, nan is NaN.DISTINCT, ascending)
    if index == count == np.dtype(np.int64):
        return unique

    def converted(data: Array) -> tuple[Array, ...]:
        kept, first, inverse, counts = unique(data)
        return (kept, first.astype(index), inverse.astype(index), counts.astype(count))

    return converted


def _unique(rules: _Rules, data: Array) -> tuple[Array, ...]:
    axis, ascending, nan, index, count = rules
    first, inverse, counts = _found(_keys(data, axis, nan), nan, ascending)
    if axis is None and data.size:
        kept = _core.gather(data.ravel(), first)
    else:
        kept = bits_of(data).take(first, axis).view(data.dtype)
    return (kept, first.astype(index, copy=False), inverse.astype(index, copy=False), counts.astype(count, copy=False))


def _keys(data: Array, axis: int | None, nan: NaN) -> Array:
    """Return one key for each element or slice: equal ones share it, and the keys sort as they do."""
    elements = _comparable(data).ravel()
    if axis is None:
        return elements
    ranks = _found(elements, nan)[1]
    slices: Array = np.moveaxis(ranks.reshape(data.shape), axis, 0)
    rows = slices.reshape(len(slices), int(np.prod(slices.shape[1:])))
    if rows.size == 0:
        return np.zeros(len(rows), np.int64)
    return _ranks_of_rows(rows)


def _ranks_of_rows(rows: Array) -> Array:
    """Return which of the different rows each one is, in the order of their elements, which are small numbers."""
    if rows.shape[1] > _MOST_COLUMNS:
        return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
    ranks = _found(rows[:, 0], NaN.EQUAL)[1]
    for column in range(1, rows.shape[1]):
        number = int(ranks.max()) + 1
        if number == len(rows):  # no two are equal so far: what follows decides nothing
            break
        ranks = _found(ranks * len(rows) + _found(rows[:, column], NaN.EQUAL)[1], NaN.EQUAL)[1]
    return ranks


def _found(keys: Array, nan: NaN, ascending: bool = True) -> tuple[Array, Array, Array]:
    """Return first places, inverse and counts of the different keys of a vector, in ascending or their own order."""
    if keys.dtype in _CORE_KEYS:
        vector = np.ascontiguousarray(keys)
        return _core.unique(vector, ELEMENT_NUMBER[keys.dtype], nan is NaN.DISTINCT, ascending)
    strings = _core.unique_strings(np.ascontiguousarray(keys)) if keys.dtype.kind == "O" else None
    if strings is not None:
        first, inverse, counts = strings
    elif keys.dtype.kind in "OSTU" and keys.size:
        first, inverse, counts = _found_by_order(keys)
    else:
        # return_index makes the sort stable, which keeps distinct NaN in their order
        first, inverse, counts = np.unique(keys, True, True, True, equal_nan=nan is NaN.EQUAL)[1:]
        inverse = inverse.reshape(-1)
    if ascending:
        return first, inverse, counts
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(first.size)
    return first[order], place[inverse], counts[order]


def _found_by_order(keys: Array) -> tuple[Array, Array, Array]:
    """Return the same in ascending order, of strings or objects: as numpy.unique finds it, but gathered by the core."""
    order = keys.argsort(kind="stable")
    ascending = _core.gather(keys, order)
    begins = np.empty(keys.size, bool)
    begins[0] = True
    begins[1:] = ascending[1:] != ascending[:-1]
    bounds = np.append(np.flatnonzero(begins), keys.size)
    inverse = np.empty(keys.size, np.int64)
    inverse[order] = begins.cumsum() - 1
    return order[bounds[:-1]], inverse, np.diff(bounds)


def _comparable(data: Array) -> Array:
    """Return the data as a type that the core or NumPy sorts by value; of complex numbers -0.0 becomes 0.0."""
    row = dtypes.of(data.dtype)
    if row is None or row.is_string:
        return data
    if row.kind == "float":
        return data.astype(np.float32 if row.bits < 32 else data.dtype.newbyteorder("="), copy=False)
    if row.kind == "complex":
        with np.errstate(invalid="ignore"):  # a signalling NaN becomes quiet, which its comparisons do not see
            return np.asarray(data.astype(data.dtype.newbyteorder("=")) + 0)
    signed = row.kind == "int"
    return data.astype(np.int8 if row.bits < 8 and signed else row.numpy if row.bits >= 8 else np.uint8, copy=False)
