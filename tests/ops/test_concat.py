"""Concat: against NumPy and the reference, into strided outputs, and every refusal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from tests.support.compare import assert_same_bits
from tests.support.operators import planned
from tests.support.strategies import ELEMENT_DTYPES, distinct, sizes, strided
from wherry import reference
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.ops import Concat
from wherry.tensors import TensorType


@st.composite
def joins(draw: st.DrawFn) -> tuple[int, list[np.ndarray]]:
    shape, dtype = list(draw(sizes(3, 3))), draw(st.sampled_from(ELEMENT_DTYPES))
    axis = draw(st.integers(0, len(shape)))
    arrays = []
    for part in draw(st.lists(st.integers(0, 3), min_size=1, max_size=4)):
        values = distinct((*shape[:axis], part, *shape[axis:]), dtype)
        arrays.append(draw(strided(values, overlapping=True)))
    return axis if draw(st.booleans()) else axis - len(shape) - 1, arrays


@given(joins(), st.data())
def test_core_reference_and_numpy_agree(case: tuple[int, list[np.ndarray]], draw: st.DataObject) -> None:
    axis, arrays = case
    (expected,) = reference.run(Concat(axis), arrays)
    assert_same_bits(wh.concat(arrays, axis), expected)
    assert_same_bits(np.concatenate(arrays, axis, dtype=expected.dtype), expected)
    out = draw.draw(strided(np.zeros(expected.shape, expected.dtype)))
    assert wh.concat(arrays, axis, out=out) is out
    assert_same_bits(out.copy(), expected)


def test_strings() -> None:
    words = [np.array(["a", "bc"], object), np.array(["def"], object)]
    assert wh.concat(words).tolist() == ["a", "bc", "def"]


def test_out_that_is_an_input() -> None:
    memory = np.arange(6)
    assert wh.concat([memory[3:], memory[:3]], out=memory).tolist() == [3, 4, 5, 0, 1, 2]


@pytest.mark.parametrize(
    ("arrays", "axis", "error", "text"),
    [
        ([], 0, InvalidValueError, "wherry.concat: inputs is empty, allowed 1 and more"),
        ([np.zeros(2), np.zeros(2, "f4")], 0, InvalidTypeError, r"inputs\[1\] has dtype float32, allowed float64"),
        ([np.array(["ab"]), np.array(["abc"])], 0, InvalidTypeError, "dtype <U3, allowed <U2"),
        ([np.zeros(2), np.zeros((2, 1))], 0, InvalidValueError, r"inputs\[1\] has 2 axes, allowed 1"),
        ([np.zeros((2, 3)), np.zeros((2, 2))], 0, InvalidValueError, r"inputs\[1\] has size 2 on axis 1, allowed 3"),
        ([np.zeros((2, 3)), np.zeros((0,))], 0, InvalidValueError, "has 1 axes, allowed 2"),
        ([np.float32(1), np.float32(2)], 0, InvalidValueError, r"inputs\[0\] is a scalar"),
        ([np.zeros(2)], 1, InvalidValueError, "axis is 1, allowed -1..0"),
        (b"abc", 0, InvalidTypeError, "arrays is b'abc', allowed a sequence"),
        (3, 0, InvalidTypeError, "arrays is 3, allowed a sequence"),
    ],
)
def test_refusals(arrays: object, axis: int, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        wh.concat(arrays, axis)  # type: ignore[arg-type]


def test_a_refused_call_leaves_out_alone() -> None:
    out = np.full(5, 9.0)
    with pytest.raises(InvalidValueError, match="out has sizes"):
        wh.concat([np.zeros(2), np.zeros(2)], out=out)
    with pytest.raises(InvalidTypeError, match="inputs"):
        wh.concat([np.zeros(2), np.zeros(3, int)], out=out)
    assert out.tolist() == [9.0] * 5


PLANNED = [
    ((521, 4, 2), (8, 8, 8, 8, 8, 8, 8, 8), "float32"),
    ((105, 10, 2), (72, 9, 1), "float64"),
    ((53, 62, 20), (1, 1, 1), "float32"),
    ((734, 512), (1, 1), "float32"),
    ((64, 30, 2), (70, 33, 70, 70), "int16"),
    ((3000,), (1, 1), "float32"),
    ((40, 60), (1, 1, 1, 1), "uint8"),
    ((9, 7), (1, 1, 1), "int16"),
    ((50, 30), (2, 2), "uint8"),
]
"""Sizes in front of the axis, positions on it of each array, and their elements: within the caches and beyond them."""


@pytest.mark.parametrize(("outer", "along", "dtype"), PLANNED)
@pytest.mark.parametrize("gap", [0, 3])
def test_rows_put_together_by_a_program(outer: tuple[int, ...], along: tuple[int, ...], dtype: str, gap: int) -> None:
    rng = np.random.default_rng(len(along))
    arrays = [rng.integers(0, 99, (*outer, count + gap)).astype(dtype)[..., :count] for count in along]
    expected = np.concatenate(arrays, -1)
    plan = planned([Concat(len(outer))], arrays)
    (target,) = plan.outputs
    out = np.zeros_like(expected)
    assert plan.run(dict(zip(plan.inputs, arrays, strict=True)), {target: out})[target] is out
    assert plan.program_into is not None
    assert_same_bits(out, expected)


def test_unknown_sizes() -> None:
    known, named, unranked = TensorType("int8", (2, 3)), TensorType("int8", ("N", None)), TensorType("int8", None)
    assert Concat(0).infer([known, named]) == (TensorType("int8", (None, 3)),)
    assert Concat(1).infer([named, known]) == (TensorType("int8", (2, None)),)
    assert Concat(0).infer([unranked, known]) == (TensorType("int8", (None, 3)),)
    assert Concat(0).infer([named]) == (named,)
