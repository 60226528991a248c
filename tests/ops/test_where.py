"""Where: moves, plan and formula agree; it broadcasts as NumPy does; every refusal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run import agreed, one
from tests.support.strategies import ELEMENT_DTYPES, distinct, sizes, strided
from tests.support.thinning import PROFILE
from wherry.engine.call import apply
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.ops import Where
from wherry.tensors import TensorType


@st.composite
def wheres(draw: st.DrawFn) -> list[np.ndarray]:
    shape = draw(sizes(5, 3))

    def part(dtype: np.dtype) -> np.ndarray:
        narrow = tuple(1 if draw(st.booleans()) else n for n in shape)[draw(st.integers(0, len(shape))) :]
        return draw(strided(distinct(narrow, dtype), overlapping=True))

    dtype = draw(st.sampled_from(ELEMENT_DTYPES))
    return [part(np.dtype(bool)), part(dtype), part(dtype)]


@given(wheres())
def test_moves_plan_and_reference_agree(inputs: list[np.ndarray]) -> None:
    agreed(Where(), *inputs)


def test_onnx_where_example() -> None:
    condition = np.array([[1, 0], [1, 1]], bool)
    assert one(Where(), condition, [[1, 2], [3, 4]], [[9, 8], [7, 6]]).tolist() == [[1, 8], [3, 4]]


def test_bits_and_strings_are_kept() -> None:
    payload = np.array([0x7F800001, 0xFFC12345], np.uint32).view(np.float32)
    assert one(Where(), [True, False], payload, payload[::-1]).view(np.uint32).tolist() == [0x7F800001] * 2
    words = np.array(["a", "bc"], object)
    assert one(Where(), [True, False], words, np.array("", object)).tolist() == ["a", ""]


def test_numbers_as_conditions() -> None:
    """DirectML ELEMENT_WISE_IF: every value but 0 chooses x."""
    agreed(Where(), np.array([[0, 1, 2, 255]], np.uint8), np.arange(8.0).reshape(2, 4), np.array(-1.0))
    assert one(Where(), np.array([0, 2], np.uint8), [1, 2], [3, 4]).tolist() == [3, 2]


def test_zero_sizes_broadcast() -> None:
    assert one(Where(), np.zeros((0, 1), bool), np.zeros((1, 3)), np.zeros(3)).shape == (0, 3)


def test_unknown_sizes() -> None:
    def sizes_of(*given: tuple[object, ...] | None) -> object:
        kinds = ("bool", "int8", "int8")
        return Where().infer([TensorType(k, s) for k, s in zip(kinds, given, strict=True)])[0].sizes

    assert sizes_of(("N", 1), (3,), ()) == ("N", 3)
    assert sizes_of(("N",), ("M",), ()) == (None,)
    assert sizes_of(("N",), (4,), (1,)) == (4,)
    assert sizes_of((None,), (1,), ("N",)) == (None,)
    assert sizes_of(None, (1,), (1,)) is None


@pytest.mark.parametrize(
    ("inputs", "error", "text"),
    [
        (([1, 0], [1, 2], [3, 4]), InvalidTypeError, "T: condition has dtype int64, allowed bool"),
        (([True], [1], [1.0]), InvalidTypeError, "y has dtype float64, allowed int64, that of x"),
        (
            ([True] * 2, [1] * 3, [1]),
            InvalidValueError,
            "x has size 3 on axis -1, allowed 1 or 2, the size of condition",
        ),
    ],
)
def test_refusals(inputs: tuple[object, ...], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        apply(Where(), [np.array(value) for value in inputs], "T")


@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32", "int64", "complex128"])
def test_long_tensors_are_selected_bit_by_bit(dtype: str) -> None:
    rng = np.random.default_rng(0)
    count, width = 50_003 if PROFILE == "brief" else 200_003, np.dtype(dtype).itemsize
    x, y = (np.frombuffer(rng.bytes(count * width), dtype) for _ in range(2))
    condition = rng.integers(0, 3, count).astype(np.uint8).view(bool)  # any byte but 0 is true
    expected = np.where(condition.view(np.uint8) != 0, x.view(f"V{width}"), y.view(f"V{width}"))
    assert one(Where(), condition, x, y).tobytes() == expected.tobytes()
    assert one(Where(), condition.view(np.uint8), x, y).tobytes() == expected.tobytes()
