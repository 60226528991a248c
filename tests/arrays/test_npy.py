"""Reading .npy files: what NumPy writes comes back; hostile files are in tests/attacks/test_dxdispatch_files.py."""

import numpy as np
import pytest

from tests.support.compare import assert_same_bits
from wherry.arrays import npy
from wherry.errors import FileFormatError


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype="f4").reshape(2, 3),
        np.arange(6, dtype=">i8").reshape(2, 3).T,
        np.asfortranarray(np.arange(24).reshape(2, 3, 4)),
        np.float64(3.5),
        np.empty((0, 3), "u1"),
        np.array(["a", "bc"]),
        np.zeros(2, [("x", "i4"), ("y", "f8")]),
        np.array(["2020-01-01"], "M8[D]"),
    ],
    ids=str,
)
def test_what_numpy_writes(tmp_path, array):
    np.save(tmp_path / "a.npy", array)
    found = npy.read(tmp_path / "a.npy")
    assert found.dtype == array.dtype
    assert_same_bits(found, np.asarray(array))


def test_version_2(tmp_path):
    with (tmp_path / "a.npy").open("wb") as file:
        np.lib.format.write_array(file, np.arange(3), version=(2, 0))
    assert npy.read(tmp_path / "a.npy").tolist() == [0, 1, 2]


def test_objects_are_not_unpickled(tmp_path):
    np.save(tmp_path / "a.npy", np.array([{}]), allow_pickle=True)
    with pytest.raises(FileFormatError, match=r"a\.npy holds object, allowed elements of fixed width"):
        npy.read(tmp_path / "a.npy")
