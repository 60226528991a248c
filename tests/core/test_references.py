"""Elements that are references to Python objects, or hold some: each is counted as often as it lies in an array."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import wherry as wh
from wherry import ops
from wherry.engine.call import apply

Array = NDArray[Any]
COUNT = 20_000  # with which results are large enough for kept memory, and for several threads
RECORD = np.dtype([("number", "i1"), ("one", "O"), ("two", "O", (2,))])  # references that are not aligned


class Thing:
    """An object whose references are those that a test made."""


THINGS = [Thing() for _ in range(7)]


def extra() -> list[int]:
    """How many references each has beside those of THINGS, of its loop here, and of the call that asks."""
    return [sys.getrefcount(THINGS[number]) - 2 for number in range(len(THINGS))]


def held(*arrays: Array) -> list[int]:
    """How many references of each lie in arrays."""
    found = [0] * len(THINGS)
    for array in arrays:
        vectors = [array.ravel()] if array.dtype == object else [array["one"].ravel(), array["two"].ravel()]
        for vector in vectors:
            for number, thing in enumerate(THINGS):
                found[number] += sum(each is thing for each in vector.tolist())
    return found


def content(array: Array) -> list[Any]:
    """What can be compared as a whole: sizes and elements, field by field."""
    return [
        array.shape,
        *([array.tolist()] if array.dtype == object else [array[name].tolist() for name in RECORD.names]),
    ]


def things(count: int, dtype: Any = object) -> Array:
    made = np.empty(count, dtype)
    picked = np.empty(count, object)
    picked[:] = [THINGS[number % 5] for number in range(count)]
    if dtype is object:
        return picked
    made["number"] = np.arange(count) % 100
    made["one"] = picked
    made["two"][:, 1] = THINGS[5]
    return made


def numbers(*shape: int, below: int) -> Array:
    return np.random.default_rng(0).integers(0, below, shape)


ROWS = COUNT // 10
MOVES: dict[str, tuple[Any, Callable[[Array], list[Array]], Callable[..., Array]]] = {
    "gather": (ops.Gather(0), lambda a: [a, numbers(ROWS, below=ROWS)], lambda a, i: a[i]),
    "clamp": (
        ops.Gather(0, out_of_range="clamp"),
        lambda a: [a, numbers(ROWS, below=2 * ROWS)],
        lambda a, i: a[i.clip(0, ROWS - 1)],
    ),
    "elements": (
        ops.GatherElements(1),
        lambda a: [a, numbers(ROWS, 10, below=10)],
        lambda a, i: np.take_along_axis(a, i, 1),
    ),
    "slice": (ops.Slice((0, 1), (ROWS, 9), None, (2, 3)), lambda a: [a], lambda a: a[::2, 1:9:3]),
    "concat": (ops.Concat(1), lambda a: [a, a[::-1]], lambda a, b: np.concatenate([a, b], 1)),
    "transpose": (ops.Transpose((1, 0)), lambda a: [a], lambda a: a.T),
    "reverse": (ops.Reverse((0,)), lambda a: [a], lambda a: a[::-1]),
    "tile": (ops.Tile((1, 2)), lambda a: [a], lambda a: np.tile(a, (1, 2))),
    "where": (
        ops.Where(),
        lambda a: [numbers(ROWS, 10, below=2).astype(bool), a, a[::-1]],
        np.where,
    ),
    "scatter": (
        ops.ScatterUpdate(0),
        lambda a: [a, numbers(5, below=ROWS), a[:5]],
        lambda a, i, u: (made := a.copy(), made.__setitem__(i, u))[0],
    ),
}


@pytest.mark.parametrize("dtype", [object, RECORD], ids=["objects", "records"])
@pytest.mark.parametrize("name", MOVES)
def test_each_reference_is_counted(name: str, dtype: Any) -> None:
    operator, make, formula = MOVES[name]
    inputs = make(things(COUNT, dtype).reshape(ROWS, 10))
    before = extra()
    expected = formula(*inputs).copy()
    counts = held(expected)
    for _ in range(3):  # as moves, and as a program that was kept
        (result,) = apply(operator, inputs, "")
        assert content(result) == content(expected)
        assert held(result) == counts
        assert [now - then for now, then in zip(extra(), before, strict=True)] == [2 * each for each in counts]
        del result
    out = np.empty_like(expected, order="C")
    apply(operator, inputs, "", out)
    assert content(out) == content(expected)
    strided = np.empty((2, *expected.shape), expected.dtype)[1].T.copy().T
    apply(operator, inputs, "", strided)
    assert content(strided) == content(expected)
    assert [now - then for now, then in zip(extra(), before, strict=True)] == [3 * each for each in counts]
    del out, strided, expected
    assert extra() == before


@pytest.mark.parametrize("dtype", [object, RECORD], ids=["objects", "records"])
@pytest.mark.parametrize("count", [4, COUNT])
def test_what_is_refused_counts_nothing(dtype: Any, count: int) -> None:
    data, out, kept = things(count, dtype), things(count, dtype)[::-1].copy(), content(things(count, dtype)[::-1])
    indices = np.arange(count)
    indices[-1] = count  # the last one: all others have been moved by then
    before = extra()
    for given in (None, out):
        for _ in range(3):
            with pytest.raises(wh.errors.IndexOutOfRangeError, match=rf"indices\[{count - 1}\] is {count}"):
                wh.gather(data, indices, out=given)
            with pytest.raises(wh.errors.IndexOutOfRangeError):
                apply(ops.GatherND(), [data, indices[:, None]], "", given)
    assert content(out) == kept
    assert extra() == before


def test_a_zero_is_the_zero_of_the_elements_and_nothing_stays_none() -> None:
    words, nothing = np.array(["a", "b"], object), np.empty(2, object)
    for _ in range(3):
        assert wh.gather(words, np.array([1, 5]), out_of_range="zero").tolist() == ["b", ""]
        assert wh.gather(nothing, np.array([1, 0])).tolist() == [None, None]


def test_what_an_array_held_is_let_go_when_its_new_content_is_whole() -> None:
    seen = []

    class Last:
        def __del__(self) -> None:
            seen.append(out.tolist())

    data = things(3)
    for _ in range(2):
        out = np.array([Last(), Last()], object)
        wh.gather(data, np.array([2, 1]), out=out)
    for _ in range(2):
        out = np.array([Last(), Last()], object)
        apply(ops.Concat(0), [data[:1], data[1:2]], "", out)
    first, second = [THINGS[2], THINGS[1]], [THINGS[0], THINGS[1]]
    assert seen == [first] * 4 + [second] * 4


def test_out_may_be_where_the_data_is() -> None:
    data = things(6)
    before = extra()
    wh.gather(data[:4], np.array([3, 2, 1, 0]), out=data[1:5])
    assert [THINGS.index(each) for each in data] == [0, 3, 2, 1, 0, 0]
    data[:] = things(6)
    assert extra() == before
