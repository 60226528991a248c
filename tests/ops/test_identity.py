"""Identity: any strides to any strides, broadcasting, shared memory, and every refusal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from tests.support.compare import assert_same_bits
from tests.support.strategies import ELEMENT_DTYPES, distinct, sizes, strided
from wherry import reference
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.ops import Identity


@given(st.data())
def test_core_agrees_with_the_reference(data: st.DataObject) -> None:
    values = distinct(data.draw(sizes(6, 3)), data.draw(st.sampled_from(ELEMENT_DTYPES)))
    source = data.draw(strided(values, overlapping=True))
    out = data.draw(strided(np.zeros(values.shape, values.dtype)))
    (expected,) = reference.run(Identity(), [source])
    assert wh.copy(source, out) is out
    assert_same_bits(out.copy(), expected)


@given(st.data())
def test_src_broadcasts_as_numpy_does(data: st.DataObject) -> None:
    shape = data.draw(sizes(4, 3))
    narrow = tuple(1 if data.draw(st.booleans()) else n for n in shape)[data.draw(st.integers(0, len(shape))) :]
    source = distinct(narrow, np.dtype("int32"))
    out = np.zeros(shape, np.int32)
    wh.copy(source, out)
    assert np.array_equal(out, np.broadcast_to(source, shape))


def test_gaps_of_out_are_left_alone() -> None:
    memory = np.full((3, 5), 9)
    wh.copy(np.zeros((3, 2), int), memory[:, 1:5:2])
    assert memory.tolist() == [[9, 0, 9, 0, 9]] * 3


def test_shared_memory_is_as_if_copied_first() -> None:
    memory = np.arange(6)
    assert wh.copy(memory[:5], memory[1:]).tolist() == [0, 1, 2, 3, 4]
    square = np.arange(9).reshape(3, 3)
    expected = square.T.copy()
    assert np.array_equal(wh.copy(square.T, square), expected)
    assert np.array_equal(wh.copy(square, square), expected)


@pytest.mark.parametrize(
    ("src", "out", "error", "text"),
    [
        (
            np.zeros(3),
            np.zeros(2),
            InvalidValueError,
            r"wherry.copy: src has sizes \[3\], allowed sizes that broadcast",
        ),
        (np.zeros((2, 2)), np.zeros(2), InvalidValueError, "src has sizes"),
        (np.zeros(3, "f4"), np.zeros(3), InvalidTypeError, "out has dtype float64, allowed float32"),
        (np.zeros(3), [0.0] * 3, InvalidTypeError, "out is a list"),
        (np.zeros(3), np.broadcast_to(np.zeros(1), 3), InvalidValueError, "out is read-only"),
        (
            np.zeros((2, 2)),
            np.lib.stride_tricks.as_strided(np.zeros(3), (2, 2), (8, 8)),
            InvalidValueError,
            "overlap themselves",
        ),
    ],
)
def test_refusals(src: np.ndarray, out: np.ndarray, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        wh.copy(src, out)
