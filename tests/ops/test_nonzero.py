"""NonZero and NonZeroCoordinates: constants, plan and formula agree; ONNX's and DirectML's examples; refusals."""

import tracemalloc

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run import agreed, one
from tests.support.strategies import distinct, sizes, strided
from wherry.errors import InvalidTypeError, InvalidValueError, SizeOverflowError
from wherry.graph import Deferred, GraphBuilder
from wherry.models.model import GraphModel
from wherry.ops import Gather, NonZero, NonZeroCoordinates
from wherry.tensors import TensorType

DTYPES = [
    np.dtype(kind)
    for kind in ("bool", "int8", "uint64", "float16", "float64", "complex64", "S2", "U2", ">f4", ml_dtypes.bfloat16,
                 ml_dtypes.float8_e4m3fn, ml_dtypes.int4)
]  # fmt: skip


@st.composite
def sparse(draw: st.DrawFn) -> np.ndarray:
    """Return data about half of which is zero."""
    shape = draw(sizes(5, 3))
    values = distinct(shape, draw(st.sampled_from(DTYPES)))
    zeros = draw(st.lists(st.booleans(), min_size=values.size, max_size=values.size))
    values[np.array(zeros, bool).reshape(shape)] = np.zeros((), values.dtype)[()]
    return draw(strided(values))


@given(sparse(), st.sampled_from(["int32", "int64"]), st.sampled_from(["none", "one"]))
def test_nonzero_agrees(data: np.ndarray, dtype: str, scalar: str) -> None:
    result = one(NonZero(data, scalar, dtype))
    assert result.dtype == dtype
    if data.ndim and data.dtype.kind in "biuf":
        assert np.array_equal(result, np.nonzero(data))


@given(sparse(), st.integers(0, 3), st.integers(2, 4))
def test_coordinates_agree(data: np.ndarray, count_ndim: int, coordinates_ndim: int) -> None:
    count, coordinates = agreed(NonZeroCoordinates(data.ndim, count_ndim, coordinates_ndim), data)
    assert count.shape == (1,) * count_ndim
    assert coordinates.shape == (1,) * (coordinates_ndim - 2) + (data.size, data.ndim)


def test_onnx_nonzero_example() -> None:
    assert one(NonZero([[1, 0], [1, 1]])).tolist() == [[0, 1, 1], [0, 0, 1]]


def test_scalars() -> None:
    assert one(NonZero(np.float32(5))).shape == (0, 1)
    assert one(NonZero(np.float32(0))).shape == (0, 0)
    assert one(NonZero(np.float32(5), "one")).tolist() == [[0]]
    assert one(NonZero(np.float32(0), "one")).shape == (1, 0)


def test_nan_is_not_zero_and_strings() -> None:
    assert one(NonZero(np.array([np.nan, 0.0, -0.0, np.inf], np.float16))).tolist() == [[0, 3]]
    assert one(NonZero(np.array(["a", "", "b"], object))).tolist() == [[0, 2]]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", ["<f4", ">f4", "<c8"])
def test_a_signalling_nan_is_not_zero(dtype: str) -> None:
    data = np.array([0x7F800001, 0] * 9, f"{dtype[0]}u4").view(dtype)
    expected = range(9) if "c" in dtype else range(0, 18, 2)
    assert one(NonZero(data)).tolist() == [list(expected)]


def test_directml_nonzero_coordinates_example() -> None:
    data = np.array([[[[1, 0, 0, 2], [-0.0, 3.5, 0, -5.2]]]], np.float32)
    count, coordinates = agreed(NonZeroCoordinates(3, 4, 4), data)
    assert count.dtype == coordinates.dtype == np.uint32
    assert count.tolist() == [[[[4]]]]
    assert coordinates.shape == (1, 1, 8, 3)
    assert coordinates[0, 0, :4].tolist() == [[0, 0, 0], [0, 0, 3], [0, 1, 1], [0, 1, 3]]
    assert not coordinates[0, 0, 4:].any()
    count, coordinates = agreed(NonZeroCoordinates(2), data)
    assert coordinates[:4].tolist() == [[0, 0], [0, 3], [1, 1], [1, 3]]


def test_data_may_be_an_input() -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (3,)))
    (kind,) = builder.add(Deferred(NonZero, (), (("data", 0),)), ["x"], ["n"], "ONNX NonZero-13")
    assert str(kind) == "int64[1, ?]"
    builder.add(Gather(), ["x", "n"], ["y"], "ONNX Gather-13")
    model = GraphModel(builder.build(["n", "y"]), "onnx")
    results = model.run([np.array([0, 5, 7], np.float32)])
    assert results["n"].tolist() == [[1, 2]]
    assert results["y"].tolist() == [[5, 7]]
    assert model.run([np.zeros(3, np.float32)])["n"].shape == (1, 0)


def test_expectations_and_unknown_sizes() -> None:
    kind = TensorType("int8", None)
    assert str(NonZero.expect({}, {"data": kind})[0]) == "int64[?, ?]"
    assert (
        str(NonZero.expect({"scalar": "one", "dtype": "int32"}, {"data": TensorType("int8", ())})[0]) == "int32[1, ?]"
    )
    assert list(map(str, NonZeroCoordinates(2).infer([kind]))) == ["uint32[1]", "uint32[?, 2]"]
    assert str(NonZeroCoordinates(2).infer([TensorType("int8", ("N", 3))])[1]) == "uint32[?, 2]"


def test_refusals() -> None:
    with pytest.raises(InvalidTypeError, match=r"data has dtype datetime64\[s\], allowed numbers, bool and strings"):
        agreed(NonZero(np.zeros(2, "M8[s]")))
    with pytest.raises(InvalidValueError, match=r"columns is 1, allowed 2\.\.3; only leading axes of size 1"):
        agreed(NonZeroCoordinates(1), np.zeros((1, 2, 2)))
    with pytest.raises(InvalidValueError, match="columns is -1, allowed 0 and more"):
        NonZeroCoordinates(-1)
    with pytest.raises(InvalidValueError, match="coordinates_ndim is 1, allowed 2 and more"):
        NonZeroCoordinates(1, 1, 1)
    with pytest.raises(SizeOverflowError, match="data has 4294967296 elements"):
        NonZeroCoordinates(1).infer([TensorType("int8", (2**32,))])
    with pytest.raises(InvalidValueError, match="scalar is 'two', allowed 'none', 'one'"):
        NonZero([1], "two")


def test_a_model_of_large_data_keeps_neither_copies_nor_plans() -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", ("A", "B")))
    builder.add(Deferred(NonZero, (), (("data", 0),)), ["x"], ["y"], "ONNX NonZero-13")
    model = GraphModel(builder.build(["y"]), "test")
    data = (np.random.default_rng(0).random((1000, 1000)) < 0.1).astype("f4")
    model.run([data])
    tracemalloc.start()
    try:
        for row in range(20):
            data[row] = row % 2
            expected = np.stack(np.nonzero(data))
            assert np.array_equal(model.run([data])["y"], expected)
        assert tracemalloc.get_traced_memory()[0] < data.nbytes
    finally:
        tracemalloc.stop()
    assert "coordinates" in str(model.plan)
    small = np.eye(3, dtype="f4")
    assert model.run([small])["y"].tolist() == [[0, 1, 2], [0, 1, 2]]
    small[0, 0] = 0  # the first run's plan does not see it
    assert model.run([small])["y"].tolist() == [[1, 2], [1, 2]]
    assert model.run([np.eye(3, dtype="f4")])["y"].tolist() == [[0, 1, 2], [0, 1, 2]]
