"""Small classes that behave as the arrays of other libraries do, for tests that run without these libraries."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np


class Tensor:
    """As torch.Tensor: `bits` are its memory, and a negative or conjugate bit says what they mean."""

    __module__ = "torch"

    def __init__(
        self, bits: np.ndarray, dtype: str | None = None, *, neg: bool = False, conj: bool = False, **is_so: Any
    ):
        self.bits, self.neg, self.conj = bits, neg, conj
        self.dtype = f"torch.{dtype or bits.dtype}"
        self.is_nested = self.is_quantized = self.requires_grad = False
        self.device, self.layout = SimpleNamespace(type="cpu"), "torch.strided"
        vars(self).update(is_so)

    def resolve_neg(self) -> Tensor:
        return Tensor(-self.bits, self.dtype[6:], conj=self.conj) if self.neg else self

    def resolve_conj(self) -> Tensor:
        return Tensor(self.bits.conj(), self.dtype[6:], neg=self.neg) if self.conj else self

    def view(self, dtype: type) -> Tensor:
        return Tensor(self.bits.view(dtype))

    def numpy(self) -> np.ndarray:
        if self.neg or self.conj:
            raise RuntimeError("Can't call numpy() on Tensor that has negative bit set")
        if self.bits.dtype.name != self.dtype[6:]:
            raise TypeError(f"Got unsupported ScalarType {self.dtype}")
        return self.bits

    def __dlpack__(self, **options: Any) -> object:  # as torch's: whatever the bits mean
        return self.bits.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


class Column:
    """As pandas.Series: `values` with None where one is missing, and a dtype that may be pandas' own."""

    __module__ = "pandas"

    def __init__(self, values: list[Any], dtype: Any):
        self.values, self.dtype = values, dtype

    def __len__(self) -> int:
        return len(self.values)

    def isna(self) -> np.ndarray:
        return np.array([value is None for value in self.values])

    def to_numpy(self, dtype: Any) -> np.ndarray:
        return np.array(self.values, dtype)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array(self.values, float if None in self.values else None)


class ArrowArray:
    """As pyarrow.Array: `values` with None where one is missing; lists of one size have their elements in `flat`."""

    __module__ = "pyarrow.lib"

    def __init__(self, values: list[Any], kind: str, flat: ArrowArray | None = None, list_size: int = 0):
        self.values, self.flat = values, flat
        self.type = _ArrowType(kind, list_size)
        self.null_count = values.count(None)

    def __len__(self) -> int:
        return len(self.values)

    def flatten(self) -> ArrowArray:
        assert self.flat is not None
        return self.flat

    def to_numpy(self, zero_copy_only: bool = True) -> np.ndarray:
        return np.array(self.values)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array([np.nan if value is None else value for value in self.values], dtype)


class _ArrowType:
    def __init__(self, name: str, list_size: int):
        self.name, self.list_size = name, list_size

    def __str__(self) -> str:
        return self.name


class Sparse:
    """As scipy.sparse.csr_array: NumPy alone takes it for one Python object."""

    __module__ = "scipy.sparse"
    shape = (2, 2)

    def todense(self) -> np.ndarray:
        return np.eye(2)


class Lazy:
    """As dask.array.Array: NumPy alone would compute it."""

    __module__ = "dask.array"

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        raise AssertionError("computed")


class Labelled:
    """As xarray.DataArray: an array inside, with names and attributes around it."""

    __module__ = "xarray.core"
    dims = ("x",)
    units = "m"

    def __init__(self, data: Any):
        self.data = data


class Length:
    """As pint.Quantity: numbers and a unit."""

    __module__ = "pint"
    units = "metre"

    def __init__(self, magnitude: np.ndarray):
        self.magnitude = magnitude

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.magnitude


class Quantity(np.ndarray):
    """As astropy's: an array of NumPy's with a unit."""

    unit = "m"


class Exchanged:
    """Whatever speaks DLPack; `device` is where it says that it lies."""

    def __init__(self, array: np.ndarray, device: tuple[int, int] = (1, 0)):
        self.array, self.device = array, device

    def __dlpack__(self, **options: Any) -> object:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device
