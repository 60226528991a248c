"""The table of element types against NumPy and ml_dtypes."""

import ml_dtypes
import numpy as np
import pytest

from wherry import dtypes
from wherry.errors import InvalidTypeError


@pytest.mark.parametrize("row", dtypes.TABLE, ids=str)
def test_each_row_is_found_by_its_name_and_its_numpy_dtype(row: dtypes.DType) -> None:
    assert dtypes.find(row.name) is row
    if row.has_own_numpy:
        assert dtypes.of(row.numpy) is row
    if row.kind != "string" and row.bits >= 8:
        assert row.numpy.itemsize * 8 == row.bits
    if row.bits < 8:
        assert row.numpy.itemsize == 1


@pytest.mark.parametrize("dialect", ["onnx", "openvino", "openvino_port", "directml"])
def test_no_dialect_spells_two_types_alike(dialect: str) -> None:
    named = [row for row in dtypes.TABLE if getattr(row, dialect) is not None]
    assert len(dtypes.by_spelling(dialect)) == len(named)


def test_strings_of_every_kind_are_one_type() -> None:
    for array in (np.array(["a"]), np.array([b"a"]), np.array(["a"], object), np.array(["a"], np.dtypes.StringDType())):
        assert dtypes.of(array.dtype) is dtypes.STRING


def test_byte_order_is_no_type_and_dates_are_none() -> None:
    assert dtypes.of(np.dtype(">f4")) is dtypes.find("float32")
    assert dtypes.of(np.dtype("M8[s]")) is None
    assert dtypes.find(ml_dtypes.bfloat16).name == "bfloat16"
    with pytest.raises(InvalidTypeError, match="dtype is 'float99', allowed bool, int8"):
        dtypes.find("float99")
