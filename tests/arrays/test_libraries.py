"""The libraries themselves, where they are installed: what their arrays become, or in which words they are refused."""

from __future__ import annotations

import datetime
import decimal
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import wherry as wh
from wherry.arrays.anywhere import as_array
from wherry.errors import WherryError


def _same(value: Any, expected: Any) -> None:
    found, wanted = as_array(value, "data"), np.asarray(expected)
    assert type(found) is np.ndarray
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    if wanted.dtype.hasobject:
        assert found.tolist() == wanted.tolist()
    else:
        assert found.tobytes() == wanted.tobytes()


def _shares(value: Any) -> bool:
    return bool(np.shares_memory(as_array(value, "data"), as_array(value, "data")))


def _refused(value: Any, words: str) -> None:
    with pytest.raises(WherryError, match=words) as caught:
        as_array(value, "data")
    assert str(caught.value).startswith("data")
    assert len(str(caught.value)) < 400


def test_torch() -> None:
    torch = pytest.importorskip("torch")
    numbers = torch.arange(6.0).reshape(2, 3)
    pairs = torch.complex(numbers, numbers)
    _same(numbers.T, np.arange(6, dtype=np.float32).reshape(2, 3).T)
    assert _shares(numbers.T)
    _same(pairs.conj(), pairs.numpy().conj())
    _same(pairs.conj().imag, -numbers.numpy())
    np.testing.assert_array_equal(wh.gather(pairs.conj().imag, [1]), -numbers.numpy()[[1]])
    for name in ("bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"):
        narrow = (numbers + 1).to(getattr(torch, name))
        _same(narrow[:, ::2], (numbers.numpy() + 1)[:, ::2].astype(getattr(ml_dtypes, name)))
        assert _shares(narrow)
    for dtype in (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16,
                  torch.uint32, torch.uint64, torch.float16, torch.float64):  # fmt: skip
        _same(numbers.to(dtype), numbers.to(dtype).numpy())
    _refused(numbers.clone().requires_grad_(), r"gradients.*\.detach\(\)")
    _refused(torch.nn.Parameter(numbers), r"gradients.*\.detach\(\)")
    _refused(numbers.to_sparse(), r"not dense.*\.to_dense\(\)")
    _refused(torch.eye(2).to_sparse_csr(), "not dense")
    _refused(torch.quantize_per_tensor(numbers, 0.1, 0, torch.quint8), r"scale.*\.dequantize\(\)")
    _refused(torch.empty(2, device="meta"), r"another device.*\.cpu\(\)")
    _refused(torch.nested.nested_tensor([numbers, numbers]), "parts differ in sizes")
    _refused(pairs.to(torch.complex32), "of torch.complex32")
    _refused(torch.zeros(2, dtype=torch.uint8).view(torch.bits8), "of torch.bits8")
    _refused(torch.empty(2, dtype=torch.uint4), "of torch.uint4")
    _refused(torch._efficientzerotensor(3), "ZeroTensor")
    _refused(torch.masked.masked_tensor(numbers, numbers > 1), "not supported for tensor subclasses")


def test_jax() -> None:
    jax = pytest.importorskip("jax")
    _same(jax.numpy.arange(3), np.arange(3, dtype=np.int32))
    for name in ("bfloat16", "float8_e4m3fn", "int4"):
        _same(jax.numpy.arange(3).astype(name), np.arange(3).astype(getattr(ml_dtypes, name)))
    _refused(jax.random.key(0), "PRNGKey")
    with pytest.raises(WherryError, match="data is a jax"):
        jax.jit(lambda value: as_array(value, "data"))(jax.numpy.arange(3))


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    _same(pandas.Series([1, 2]), [1, 2])
    _same(pandas.Series([1.5, None]), [1.5, np.nan])
    _same(pandas.Series([1, 2], dtype="Int8"), np.array([1, 2], np.int8))
    _same(pandas.Series([2**63], dtype="UInt64"), np.array([2**63], np.uint64))
    _same(pandas.array([True, False], dtype="boolean"), [True, False])
    _same(pandas.Series(["a", "b\0"]), np.array(["a", "b\0"], object))
    _same(pandas.Series([1, None], dtype=object), np.array([1, None], object))
    _same(pandas.Index([1, 2]), [1, 2])
    _same(pandas.DataFrame({"a": [1, 2], "b": [3, 4]}), [[1, 3], [2, 4]])
    _same(pandas.Series(np.array(["2020-01-01"], "M8[ns]")), np.array(["2020-01-01"], "M8[ns]"))
    assert _shares(pandas.Series([1, 2]))
    _refused(pandas.Series([1, None], dtype="Int64"), r"1 of 2 elements have no value.*\.fillna")
    _refused(pandas.Series([True, None], dtype="boolean"), "1 of 2 elements have no value")
    _refused(pandas.Series(["a", None]), "1 of 2 elements have no value|str")
    _refused(pandas.Series(["a", "b"], dtype="category"), "of category")
    _refused(pandas.Series(pandas.date_range("2020", periods=2, tz="UTC")), "UTC")
    _refused(pandas.Series(pandas.period_range("2020", periods=2, freq="D")), "of period")
    _refused(pandas.Series(pandas.interval_range(0, 2)), "of interval")
    _refused(pandas.Series(pandas.arrays.SparseArray([0, 1])), "of Sparse")
    _refused(pandas.DataFrame({"a": [1], "b": [2.0]}), "of several types")
    _refused(pandas.MultiIndex.from_tuples([(1, 2)]), "of several levels")
    _refused(pandas.NA, "NAType")
    _refused(pandas.Timestamp("2020"), "Timestamp")


def test_pandas_of_arrow() -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    _same(pandas.Series([1, 2], dtype="int64[pyarrow]"), [1, 2])
    _refused(pandas.Series([1, None], dtype="int64[pyarrow]"), "1 of 2 elements have no value")
    zoned = pandas.Series(pandas.date_range("2020", periods=2, tz="UTC"))
    _refused(zoned.astype("timestamp[ns, UTC][pyarrow]"), "tz=UTC")


def test_pyarrow() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    array, pairs = pyarrow.array, pyarrow.list_(pyarrow.int32(), 2)
    for dtype in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"):
        _same(array(np.arange(4).astype(dtype)[1:]), np.arange(1, 4).astype(dtype))
        assert _shares(array(np.arange(3).astype(dtype)))
    _same(array([True, False, True])[1:], [False, True])
    _same(array([1, None])[:1], [1])
    _same(array(["a", "b\0"]), np.array(["a", "b\0"], object))
    _same(array([1], pyarrow.timestamp("us")), np.array([1], "M8[us]"))
    _same(array([1], pyarrow.date32()), np.array([1], "M8[D]"))
    _same(pyarrow.chunked_array([[1, 2], [3]]), [1, 2, 3])
    _same(pyarrow.chunked_array([], pyarrow.int8()), np.array([], np.int8))
    _same(array([[1, 2], [3, 4], [5, 6]], pairs)[1:], np.array([[3, 4], [5, 6]], np.int32))
    _same(array([[[1, 2]], [[3, 4]]], pyarrow.list_(pairs, 1)), np.array([[[1, 2]], [[3, 4]]], np.int32))
    _same(pyarrow.FixedShapeTensorArray.from_numpy_ndarray(np.arange(8.0).reshape(2, 2, 2)),
          np.arange(8.0).reshape(2, 2, 2))  # fmt: skip
    _same(pyarrow.Tensor.from_numpy(np.arange(4).reshape(2, 2)), np.arange(4).reshape(2, 2))
    for value, words in (
        (array([1, None]), r"1 of 2 elements have no value.*\.fill_null"),
        (pyarrow.chunked_array([[1], [None]], pyarrow.int64()), "1 of 2 elements have no value"),
        (array([[1, 2], None], pairs), "1 of 2 elements have no value"),
        (array([[1, 2], [3, None]], pairs), "1 of 4 elements have no value"),
        (array([None]), "1 of 1 elements have no value"),
        (array(["a"]).dictionary_encode(), "of dictionary"),
        (array([decimal.Decimal("1.5")]), "of decimal"),
        (array([[1], [2, 3]]), "of list"),
        (array([{"a": 1}]), "of struct"),
        (array([1], pyarrow.timestamp("ns", "UTC")), "tz=UTC"),
        (array([1], pyarrow.time64("ns")), "of time64"),
        (pyarrow.RunEndEncodedArray.from_arrays([2], pyarrow.array([None], pyarrow.int8())), "of run_end_encoded"),
        (pyarrow.table({"a": [1]}), "of several columns"),
        (pyarrow.scalar(3), "Int64Scalar"),
    ):
        _refused(value, words)


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    series = polars.Series
    _same(series([1, 2]), [1, 2])
    _same(series([True, False]), [True, False])
    _same(series(["a\0"]), np.array(["a\0"], object))
    _same(series([[1, 2], [3, 4]], dtype=polars.Array(polars.Int32, 2)), np.array([[1, 2], [3, 4]], np.int32))
    _same(series([[[1, 2]], [[3, 4]]], dtype=polars.Array(polars.Int32, (1, 2))),
          np.array([[[1, 2]], [[3, 4]]], np.int32))  # fmt: skip
    moment = series([datetime.datetime(2020, 1, 1)])
    _same(moment, np.array(["2020-01-01"], "M8[us]"))
    for value, words in (
        (series([1, None]), r"1 of 2 elements have no value.*\.fill_null"),
        (series(["a", None]), "1 of 2 elements have no value"),
        (series([[1, None]], dtype=polars.Array(polars.Int32, 2)), "1 of 2 elements have no value"),
        (series(["a"], dtype=polars.Categorical), "of Categorical"),
        (series([[1], [2, 3]]), "of List"),
        (moment.dt.replace_time_zone("UTC"), "UTC"),
        (series([decimal.Decimal("1.5")]), "of Decimal"),
        (series([1], dtype=polars.Int128), "of Int128"),
        (polars.DataFrame({"a": [1]}), "of several columns"),
        (polars.LazyFrame({"a": [1]}), "of several columns"),
    ):
        _refused(value, words)


def test_xarray() -> None:
    xarray = pytest.importorskip("xarray")
    _same(xarray.DataArray(np.arange(3), attrs={"units": "m"}), np.arange(3))
    _same(xarray.Variable("x", [1]), [1])
    _refused(xarray.Dataset(), "Dataset")


def test_lazy_and_sparse() -> None:
    dask = pytest.importorskip("dask.array")
    _refused(dask.arange(3), r"not computed yet.*\.compute\(\)")
    xarray = pytest.importorskip("xarray")
    _refused(xarray.DataArray(dask.arange(3)), "not computed yet")


def test_scipy() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    _refused(sparse.csr_matrix(np.eye(2)), r"sparse.*\.todense\(\)")
    _refused(sparse.coo_array(np.eye(2)), r"sparse.*\.todense\(\)")


def test_awkward() -> None:
    awkward = pytest.importorskip("awkward")
    _same(awkward.Array([[1, 2], [3, 4]]), [[1, 2], [3, 4]])
    _refused(awkward.Array([1, None]), "None")
    _refused(awkward.Array([[1], [2, 3]]), "regular")
