"""Fill, Trilu, Eye and EyeLike: moves, plan and formula agree; the specifications' examples; refusals."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run import agreed, one
from tests.support.strategies import ELEMENT_DTYPES, distinct, sizes, strided
from wherry.engine.call import apply
from wherry.errors import InvalidTypeError, InvalidValueError, SizeOverflowError
from wherry.graph import Deferred, GraphBuilder
from wherry.layout import Layout
from wherry.models.model import GraphModel
from wherry.moves import ComputeMove, CopyMove, DiagonalsMove, FillMove
from wherry.ops import Eye, EyeLike, Fill, Trilu
from wherry.ops.diagonals import clamped
from wherry.tensors import TensorType, View

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1


def element(dtype: np.dtype) -> np.ndarray:
    return distinct((3,), dtype)[1:2]


@given(sizes(5, 3), st.sampled_from(ELEMENT_DTYPES))
def test_fill_agrees(shape: tuple[int, ...], dtype: np.dtype) -> None:
    result = one(Fill(element(dtype), shape))
    assert result.shape == shape
    assert result.tobytes() == element(dtype).tobytes() * result.size


def test_constant_of_shape_and_fill_value_constant_examples() -> None:
    assert one(Fill(np.array([7], np.int32), np.array([2, 2]))).tolist() == [[7, 7], [7, 7]]
    assert one(Fill(np.int16(-7), [2, 2])).tolist() == [[-7, -7], [-7, -7]]
    assert one(Fill(np.float32(0), np.array([], np.int64))).shape == ()
    assert one(Fill(np.float32(1), [0, 2])).shape == (0, 2)
    assert one(Fill("ab", [2])).tolist() == ["ab", "ab"]


def test_shape_may_be_an_input() -> None:
    builder = GraphBuilder()
    builder.add_input("shape", TensorType("int64", (2,)))
    deferred = Deferred(Fill, (("value", np.float16(3)),), (("sizes", 0),))
    assert str(builder.add(deferred, ["shape"], ["y"], "ONNX ConstantOfShape-9")[0]) == "float16[?, ?]"
    model = GraphModel(builder.build(["y"]), "onnx")
    assert model.run([np.array([1, 2])])["y"].tolist() == [[3.0, 3.0]]
    with pytest.raises(InvalidValueError, match=r"ONNX ConstantOfShape-9: sizes\[1\] is -1, allowed 0 and more"):
        model.run([np.array([2, -1])])


def test_fill_refusals() -> None:
    with pytest.raises(InvalidValueError, match="value has 2 elements, allowed 1"):
        Fill(np.zeros(2), [2])
    with pytest.raises(SizeOverflowError):
        Fill(np.float32(0), [2**40, 2**40])
    with pytest.raises(InvalidValueError, match="sizes has 2 axes, allowed 1"):
        Fill(np.float32(0), np.zeros((1, 1), int))


limits = st.none() | st.integers(-5, 5) | st.sampled_from([INT64_MIN, INT64_MAX])


@given(st.data())
def test_bands_agree(draw: st.DataObject) -> None:
    shape = (*draw.draw(sizes(2, 2)), draw.draw(st.integers(0, 12)), draw.draw(st.integers(0, 12)))
    dtype = draw.draw(st.sampled_from(ELEMENT_DTYPES))
    band = {"begin": draw.draw(limits), "end": draw.draw(limits), "inverted": draw.draw(st.booleans())}
    value = draw.draw(st.sampled_from([None, element(dtype)]))
    agreed(Trilu(value, **band), draw.draw(strided(distinct(shape, dtype))))
    agreed(Eye(element(dtype), shape, **band))


@given(st.booleans(), st.integers(-7, 7), st.tuples(st.integers(0, 6), st.integers(0, 6)))
def test_triangles_are_numpys(upper: bool, k: int, shape: tuple[int, int]) -> None:
    data = np.arange(1, 1 + shape[0] * shape[1]).reshape(shape)
    expected = np.triu(data, k) if upper else np.tril(data, k)
    assert np.array_equal(one(Trilu.triangle(upper, k), data), expected)


def test_onnx_trilu_examples() -> None:
    data = np.arange(1, 10).reshape(3, 3)
    assert one(Trilu.triangle(True, np.array(1)), data).tolist() == [[0, 2, 3], [0, 0, 6], [0, 0, 0]]
    assert one(Trilu.triangle(False, np.array([-1])), data).tolist() == [[0, 0, 0], [4, 0, 0], [7, 8, 0]]
    assert not one(Trilu.triangle(True, INT64_MAX), data).any()
    assert np.array_equal(one(Trilu.triangle(True, INT64_MIN), data), data)
    assert np.array_equal(one(Trilu.triangle(False, INT64_MAX), data), data)
    assert not one(Trilu.triangle(False, INT64_MIN), data).any()
    nan = np.full((2, 2), np.nan)
    assert one(Trilu.triangle(True), nan)[1, 0] == 0
    words = np.array([["a", "b"], ["c", "d"]], object)
    assert one(Trilu.triangle(False), words).tolist() == [["a", ""], ["c", "d"]]


def test_directml_diagonal_matrix_examples() -> None:
    assert one(Eye(np.float32(1), [3, 2], -1, 0)).tolist() == [[0, 0], [1, 0], [0, 1]]
    band = one(Eye(np.int32(7), [4, 5], 0, 3))
    assert band.tolist() == [[7, 7, 7, 0, 0], [0, 7, 7, 7, 0], [0, 0, 7, 7, 7], [0, 0, 0, 7, 7]]
    data = np.arange(1, 13, dtype=np.float32).reshape(3, 4)
    assert np.array_equal(one(Trilu(np.float32(0), -(2**31), 1), data), np.triu(data, 1))
    # Begin 1, End 0: everything except 0 <= x - y < 1
    assert np.array_equal(one(Trilu(np.float32(0), 0, 1, inverted=True), data), data * np.eye(3, 4, dtype="f4"))


@given(st.integers(-9, 9), st.tuples(st.integers(0, 5), st.integers(0, 5)), st.sampled_from(["f4", "i8", "?", "u1"]))
def test_eye_like_is_numpys(k: int, shape: tuple[int, int], dtype: str) -> None:
    assert np.array_equal(one(EyeLike(k), np.zeros(shape, dtype)), np.eye(*shape, k=k, dtype=dtype))


def test_onnx_eye_like_examples() -> None:
    assert one(EyeLike(1), np.zeros((2, 3), np.int32)).tolist() == [[0, 1, 0], [0, 0, 1]]
    result = one(EyeLike(0, "bfloat16"), np.zeros((2, 2), np.float64))
    assert result.dtype == ml_dtypes.bfloat16
    assert result.tolist() == [[1, 0], [0, 1]]


def test_narrow_bands_are_fills() -> None:
    out = View("out", np.dtype("f4"), Layout((2, 3, 4)))
    moves = list(Eye(np.float32(1), (2, 3, 4), 0, 1).lower([], [out], "t"))
    assert [type(move) for move in moves] == [FillMove, FillMove]
    assert moves[1].target.layout == Layout((2, 3), (12, 5))
    moves = list(Trilu(None, 0, 1).lower([View("x", np.dtype("f4"), Layout((3, 3)))], [out.over(Layout((3, 3)))], "t"))
    assert [type(move) for move in moves] == [CopyMove, FillMove]
    big = View("out", np.dtype("f4"), Layout((20, 20)))
    assert [type(m) for m in Trilu(None, 0).lower([big], [big], "t")] == [DiagonalsMove]
    turned = View("x", np.dtype("f4"), Layout((20, 20), (1, 20)))
    assert [type(m) for m in Trilu(None, 0).lower([turned], [big], "t")] == [CopyMove, DiagonalsMove]
    words = View("x", np.dtype(object), Layout((20, 20)))
    assert [type(m) for m in Trilu(None, 0).lower([words], [words], "t")] == [CopyMove, ComputeMove]
    assert clamped(5, -5, 3, 3) == (3, 3)


def test_unknown_sizes() -> None:
    kind = TensorType("float32", ("N", None))
    assert Trilu().infer([kind])[0] == kind
    assert Trilu().infer([TensorType("int8", None)])[0].sizes is None
    assert EyeLike(dtype="int8").infer([kind])[0] == TensorType("int8", ("N", None))
    assert EyeLike().infer([TensorType("int8", None)])[0].sizes == (None, None)


def test_band_refusals() -> None:
    with pytest.raises(InvalidValueError, match="test: data has 1 axes, allowed 2 and more"):
        apply(Trilu(), [np.zeros(3)], "test")
    with pytest.raises(InvalidValueError, match="sizes has 1 axes, allowed 2 and more"):
        Eye(np.float32(1), [3])
    with pytest.raises(InvalidTypeError, match="value has dtype float64, allowed float32"):
        agreed(Trilu(np.float64(1)), np.zeros((2, 2), np.float32))
    with pytest.raises(InvalidValueError, match="data has 1 axes, allowed 2"):
        agreed(EyeLike(), np.zeros(3))
    with pytest.raises(InvalidTypeError, match="dtype is string, allowed bool, integers and floats"):
        agreed(EyeLike(dtype="string"), np.zeros((2, 2)))
    with pytest.raises(InvalidTypeError, match=r"k is 1\.5, allowed one integer"):
        EyeLike(1.5)  # type: ignore[arg-type]
