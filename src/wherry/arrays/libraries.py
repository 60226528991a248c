"""Properties of other libraries' arrays that NumPy does not see: how each library's arrays are read, or why not.

No library is imported: an object is known by the module of its type, and asked for its own methods.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.errors import InvalidTypeError, InvalidValueError

Array = NDArray[Any]

Adapter = Callable[[Any, str], Any]
"""Returns a NumPy array, another object that holds the same values, or None: NumPy's own protocols do."""


def adapter_of(value: Any) -> Adapter | None:
    """Return the adapter of the library that the type of `value`, or a base of it, comes from."""
    for base in type(value).__mro__:
        adapter = _ADAPTERS.get(str(base.__module__).partition(".")[0])
        if adapter is not None:
            return adapter
    return None


def _refused(value: Any, field: str, what: str, advice: str) -> InvalidTypeError:
    kind = type(value)
    library = str(kind.__module__).partition(".")[0]
    return InvalidTypeError(f"{field} is a {library}.{kind.__name__} {what}; {advice}")


def _refuse_missing(value: Any, field: str, missing: int, advice: str) -> None:
    if missing:
        kind = type(value)
        library = str(kind.__module__).partition(".")[0]
        raise InvalidValueError(f"{field} is a {library}.{kind.__name__} of which {missing} of {len(value)} elements "
                                f"have no value, allowed none; {advice}")  # fmt: skip


def _torch(value: Any, field: str) -> Any:
    """A tensor: its own bits, with negation and conjugation, which DLPack does not know, done first."""
    if not hasattr(value, "resolve_neg"):
        return None
    for is_so, what, advice in _TORCH_HIDES:
        if is_so(value):
            raise _refused(value, field, what, advice)
    value = value.resolve_conj().resolve_neg()
    name = str(value.dtype).removeprefix("torch.")
    row = dtypes.by_name(name)
    if row is None or row.bits < 8:
        raise _refused(value, field, f"of {value.dtype}, which NumPy does not have", "convert it, or pass its bits")
    if row.numpy.isbuiltin == 1:
        return value.numpy()
    bits = getattr(sys.modules["torch"], f"int{row.bits}")
    return value.view(bits).numpy().view(row.numpy)  # bfloat16 and float8: ml_dtypes has the same bits


_TORCH_HIDES: tuple[tuple[Callable[[Any], bool], str, str], ...] = (
    (lambda value: value.is_nested, "whose parts differ in sizes", "pass its parts one by one"),
    (lambda value: value.is_quantized, "whose scale would be lost", "pass .dequantize(), or .int_repr()"),
    (lambda value: value.device.type != "cpu", "on another device than the CPU", "pass .cpu()"),
    (lambda value: str(value.layout) != "torch.strided", "that is not dense", "pass .to_dense()"),
    (lambda value: value.requires_grad, "whose gradients a move would lose", "pass .detach()"),
)
"""Properties of a tensor that DLPack and `__array__` do not show: attribute, error text, advice."""


def _pandas(value: Any, field: str) -> Any:
    """A Series, an Index or an array: as NumPy or Arrow holds it, if nothing is missing."""
    if hasattr(value, "columns"):
        kinds = {column.name for column in value.dtypes}
        if len(kinds) > 1 or not all(isinstance(column, np.dtype) for column in value.dtypes):
            raise _refused(value, field, "of several types, or of one that is not NumPy's", "pass its columns")
        return np.asarray(value)
    dtype = getattr(value, "dtype", None)
    if dtype is None:
        return None
    if hasattr(value, "levels"):
        raise _refused(value, field, "of several levels", "pass .get_level_values(level)")
    if isinstance(dtype, np.dtype):
        return np.asarray(value)
    _refuse_missing(value, field, int(np.sum(value.isna())), "pass .fillna(value)")
    if hasattr(dtype, "pyarrow_dtype"):
        return getattr(value, "array", value).__arrow_array__()
    numpy_dtype = object if getattr(dtype, "type", None) is str else getattr(dtype, "numpy_dtype", None)
    if numpy_dtype is None:
        raise _refused(value, field, f"of {dtype}, allowed the types of NumPy", "pass its codes or .to_numpy(dtype)")
    return value.to_numpy(dtype=numpy_dtype)


_ARROW_TYPES = {
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "halffloat", "float", "double", "bool"),
    *("string", "large_string", "string_view", "binary", "large_binary", "binary_view"),
    *(f"{kind}[{unit}]" for kind in ("timestamp", "duration") for unit in ("s", "ms", "us", "ns")),
    *("date32[day]", "date64[ms]"),
}  # fmt: skip
"""The types of pyarrow whose values NumPy has as they are."""


def _pyarrow(value: Any, field: str) -> Any:
    """An Array or a ChunkedArray without nulls; lists of one size become axes."""
    if hasattr(value, "columns"):
        raise _refused(value, field, "of several columns, allowed one", "pass its columns")
    if not hasattr(value, "null_count"):
        return None
    _refuse_missing(value, field, value.null_count, "pass .fill_null(value)")
    if hasattr(value, "combine_chunks"):
        return value.chunk(0) if value.num_chunks == 1 else value.combine_chunks()
    kind = str(value.type)
    if kind.startswith("fixed_size_list"):
        inner = _pyarrow(value.flatten(), field)
        return inner.reshape(len(value), value.type.list_size, *inner.shape[1:])
    if kind.startswith("extension<arrow.fixed_shape_tensor"):
        _pyarrow(value.storage, field)
        return value.to_numpy_ndarray()
    if kind not in _ARROW_TYPES:
        raise _refused(value, field, f"of {kind}, allowed types that NumPy has", "cast it, or pass its parts")
    return value.to_numpy(zero_copy_only=False)


_POLARS_TYPES = {
    *("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float16", "Float32", "Float64"),
    *("Boolean", "String", "Binary", "Date", "Duration"),
}
"""The types of polars whose values NumPy has as they are."""


def _polars(value: Any, field: str) -> Any:
    """A Series without nulls; its Arrays, which are lists of one size, become axes."""
    if hasattr(value, "collect_schema"):
        raise _refused(value, field, "of several columns, allowed one", "pass its columns")
    if not hasattr(value, "null_count"):
        return None
    _refuse_missing(value, field, value.null_count(), "pass .fill_null(value)")
    kind = type(value.dtype).__name__ if not isinstance(value.dtype, type) else value.dtype.__name__
    if kind == "Array" and prod(value.dtype.shape):
        inner = _polars(value.explode(), field)
        return inner.reshape(len(value), *value.dtype.shape)
    if kind not in _POLARS_TYPES and not (kind == "Datetime" and value.dtype.time_zone is None):
        raise _refused(value, field, f"of {value.dtype}, allowed types that NumPy has", "cast it, or pass its parts")
    return value.to_numpy()


def _xarray(value: Any, field: str) -> Any:
    """A DataArray or a Variable: the array inside it; names, coordinates and attributes are no values."""
    return value.data if hasattr(value, "dims") and hasattr(value, "data") else None


def _dask(value: Any, field: str) -> Any:
    raise _refused(value, field, "that is not computed yet", "pass .compute()")


def _sparse(value: Any, field: str) -> Any:
    if hasattr(value, "todense"):
        raise _refused(value, field, "that is sparse, allowed dense arrays", "pass .todense()")
    return None


def _with_units(value: Any, field: str) -> Any:
    if hasattr(value, "magnitude"):
        raise _refused(value, field, "whose unit would be lost", "pass .magnitude, and keep the unit")
    return None


_ADAPTERS: dict[str, Adapter] = {
    "dask": _dask,
    "pandas": _pandas,
    "pint": _with_units,
    "polars": _polars,
    "pyarrow": _pyarrow,
    "scipy": _sparse,
    "sparse": _sparse,
    "torch": _torch,
    "xarray": _xarray,
}
"""By the name of the library."""
