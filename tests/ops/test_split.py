"""Split: parts against NumPy and the reference; they are views; every refusal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from tests.support.compare import assert_same_bits
from tests.support.strategies import ELEMENT_DTYPES, distinct, sizes, strided
from wherry import reference
from wherry.engine.call import apply
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.ops import Split, Uneven
from wherry.tensors import TensorType


@st.composite
def splits(draw: st.DrawFn) -> tuple[Split, np.ndarray]:
    parts = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    shape = list(draw(sizes(3, 3)))
    axis = draw(st.integers(0, len(shape)))
    shape.insert(axis, sum(parts))
    data = draw(strided(distinct(tuple(shape), draw(st.sampled_from(ELEMENT_DTYPES))), overlapping=True))
    given_sizes: list[int] = list(parts)
    if draw(st.booleans()):
        given_sizes[draw(st.integers(0, len(parts) - 1))] = -1
    return Split(axis if draw(st.booleans()) else axis - len(shape), given_sizes), data


@given(splits())
def test_views_moves_and_reference_agree(case: tuple[Split, np.ndarray]) -> None:
    operator, data = case
    expected = reference.run(operator, [data])
    views = wh.split(data, list(operator.sizes or ()), operator.axis)
    moved = apply(operator, [data], "test")
    for view, copy, part in zip(views, moved, expected, strict=True):
        assert_same_bits(np.array(view), part)
        assert_same_bits(copy, part)
        assert part.size == 0 or np.shares_memory(view, data)
        assert not np.shares_memory(copy, data)


def test_sections_are_numpys() -> None:
    data = np.arange(24).reshape(2, 12)
    for ours, theirs in zip(wh.split(data, 3, 1), np.split(data, 3, 1), strict=True):
        assert np.array_equal(ours, theirs)
        assert ours.base is data or np.shares_memory(ours, data)


@pytest.mark.parametrize(
    ("size", "sections", "parts"),
    [(7, 3, (3, 3, 1)), (5, 4, (2, 2, 1, 0)), (2, 4, (1, 1, 0, 0)), (0, 3, (0, 0, 0)), (6, 3, (2, 2, 2)), (1, 1, (1,))],
)
def test_uneven_sections(size: int, sections: int, parts: tuple[int, ...]) -> None:
    assert Split(sections=sections, uneven=Uneven.SMALLER_LAST).part_sizes(size) == parts


@pytest.mark.parametrize(
    ("size", "sections", "parts"), [(7, 3, (3, 3, 1)), (6, 4, (2, 2, 2, 0)), (2, 3, (1, 1, 0)), (0, 2, (0, 0))]
)
def test_only_the_last_section_is_smaller(size: int, sections: int, parts: tuple[int, ...]) -> None:
    assert Split(sections=sections, uneven=Uneven.ONLY_LAST).part_sizes(size) == parts


@pytest.mark.parametrize(("size", "sections"), [(5, 4), (9, 7), (2, 4)])
def test_more_than_the_last_section_would_be_smaller(size: int, sections: int) -> None:
    with pytest.raises(InvalidValueError, match=f"sections is {sections}, allowed a number of parts of which only"):
        Split(sections=sections, uneven=Uneven.ONLY_LAST).part_sizes(size)


def test_unknown_sizes() -> None:
    kind = TensorType("float32", ("N", 3))
    assert [part.sizes for part in Split(0, [2, -1]).infer([kind])] == [(2, 3), (None, 3)]
    assert [part.sizes for part in Split(0, sections=2).infer([kind])] == [(None, 3), (None, 3)]
    assert [part.sizes for part in Split(0, sections=2).infer([TensorType("int8", None)])] == [None, None]


@pytest.mark.parametrize(
    ("sections_or_sizes", "axis", "error", "text"),
    [
        (4, 0, InvalidValueError, "wherry.split: sections is 4, allowed a divisor of 6"),
        (0, 0, InvalidValueError, "sections is 0, allowed 1 and more"),
        (2, 2, InvalidValueError, "axis is 2, allowed -2..1"),
        ([1, 2], 0, InvalidValueError, r"sizes is \[1, 2\], allowed a sum of 6; the sum is 3"),
        ([7, -1], 0, InvalidValueError, "allowed a sum of 6; the sum is 7"),
        ([-1, -1], 0, InvalidValueError, "at most one -1"),
        ([8, -2], 0, InvalidValueError, r"sizes\[1\] is -2"),
        ([2.5, 3.5], 0, InvalidTypeError, "sizes is"),
        ([], 0, InvalidValueError, "allowed a sum of 6"),
    ],
)
def test_refusals(sections_or_sizes: object, axis: int, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        wh.split(np.zeros((6, 2)), sections_or_sizes, axis)  # type: ignore[arg-type]


def test_a_scalar_has_no_axis() -> None:
    with pytest.raises(InvalidValueError, match="data is a scalar"):
        wh.split(np.float32(1), 1)


def test_sizes_and_sections_exclude_each_other() -> None:
    with pytest.raises(InvalidValueError, match="exactly one"):
        Split(0)
    with pytest.raises(InvalidValueError, match="exactly one"):
        Split(0, [1], 1)
