"""The table of element types against NumPy and ml_dtypes."""

import subprocess
import sys

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


_WITHOUT_ML_DTYPES = """
import sys
import numpy as np
import wherry as wh

x = np.arange(12, dtype=np.float32).reshape(3, 4)
wh.gather(x, [0, 2], axis=1)
wh.onnx.cast(x, to="int64")
wh.onnx.clip(x, None, 3)
wh.onnx.unique(x)
wh.onnx.add(x, x)
wh.onnx.scatter_elements(x, np.zeros((1, 4), np.int64), x[:1], reduction="add")
wh.openvino.gather(x, [0, 2], 1)
wh.load("examples/table.xml")
assert "ml_dtypes" not in sys.modules
"""

_FIRST_MET = {
    "a name of the table": 'assert wh.dtypes.find("int4").numpy.name == "int4"',
    "a name that only ml_dtypes has": 'assert wh.dtypes.numpy_of("float8_e3m4").name == "float8_e3m4"',
    "an array": """
import ml_dtypes
x = np.ones(3, ml_dtypes.bfloat16)
assert wh.onnx.add(x, x).tolist() == [2.0] * 3
assert wh.onnx.cast(x, to="uint4").dtype.name == "uint4"
""",
    "an array whose elements are summed": """
import ml_dtypes
x = np.ones((2, 3), ml_dtypes.bfloat16)
summed = wh.onnx.scatter_elements(x, np.zeros((1, 3), np.int64), x[:1], reduction="add")
assert summed.tolist() == [[2.0] * 3, [1.0] * 3]
""",
    "a type to cast to": 'assert wh.onnx.cast(np.ones(3, np.float32), to="bfloat16").dtype.name == "bfloat16"',
}


def _run(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_types_of_numpy_do_without_ml_dtypes() -> None:
    """To import it takes longer than all else."""
    _run(_WITHOUT_ML_DTYPES)


@pytest.mark.parametrize("code", _FIRST_MET.values(), ids=_FIRST_MET)
def test_a_type_of_ml_dtypes_is_known_however_it_is_met_first(code: str) -> None:
    _run(f"import numpy as np, wherry as wh, wherry.dtypes\n{code}")
