"""Strings of NumPy's own: short ones lie in elements, longer ones in storage that each array's dtype has for itself."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import wherry as wh
from tests.support.thinning import thinned
from wherry import Layout, limits, ops
from wherry.engine.call import apply
from wherry.engine.planner import make_plan
from wherry.errors import IndexOutOfRangeError, InvalidTypeError
from wherry.graph import GraphBuilder
from wherry.tensors import TensorType

Array = NDArray[Any]
ROWS, COLUMNS = 210, 40  # more than a block of strings, large enough for kept memory
LENGTHS = (0, 1, 14, 15, 16, 17, 255, 256, 257, 1000)  # around the longest that lies in an element, and that is medium


class Missing:
    """A missing value that is nothing else."""


MISSING = Missing()
KINDS = {
    "plain": np.dtypes.StringDType(),
    "not coerced": np.dtypes.StringDType(coerce=False),
    "missing": np.dtypes.StringDType(na_object=MISSING),
    "missing are NaN": np.dtypes.StringDType(na_object=np.nan),
    "missing are strings": np.dtypes.StringDType(na_object="none at all, and no short string"),
}


@cache
def words_of_all_lengths(seed: int, count: int) -> tuple[str, ...]:
    lengths = np.random.default_rng(seed).choice(LENGTHS, count).tolist()
    return tuple(f"{seed}:{k}é{'x' * length}"[:length] for k, length in enumerate(lengths))


def strings(dtype: Any, seed: int = 0, shape: tuple[int, ...] = (ROWS, COLUMNS)) -> Array:
    """Strings of all lengths, some of them missing, some of them changed after they were stored."""
    random = np.random.default_rng(seed)
    count = int(np.prod(shape))
    words: list[Any] = list(words_of_all_lengths(seed, count))
    if hasattr(dtype, "na_object"):
        for place in random.integers(0, count, count // 9).tolist():
            words[place] = dtype.na_object
    made = np.array(words, dtype)
    for place in random.integers(0, count, count // 9).tolist():
        made[place] = "longer than it was before, so that it lies on the heap" * 2
    return made.reshape(shape)


def content(array: Array) -> list[Any]:
    """Sizes, and elements in row-major order; NaN are one value."""
    elements = array.ravel().tolist()
    if isinstance(getattr(array.dtype, "na_object", None), float):
        elements = ["NaN" if isinstance(each, float) else each for each in elements]
    return [array.shape, *elements]


def numbers(*shape: int, below: int) -> Array:
    return np.random.default_rng(1).integers(0, below, shape)


MOVES: dict[str, tuple[Any, Callable[[Array, Array], list[Array]], Callable[..., Array]]] = {
    "gather": (ops.Gather(0), lambda a, b: [a, numbers(ROWS, below=ROWS)], lambda a, i: a[i]),
    "few": (ops.Gather(0), lambda a, b: [a, numbers(2, below=ROWS)], lambda a, i: a[i]),
    "clamp": (
        ops.Gather(0, out_of_range="clamp"),
        lambda a, b: [a, numbers(ROWS, below=2 * ROWS)],
        lambda a, i: a[i.clip(0, ROWS - 1)],
    ),
    "elements": (
        ops.GatherElements(1),
        lambda a, b: [a, numbers(ROWS, COLUMNS, below=COLUMNS)],
        lambda a, i: np.take_along_axis(a, i, 1),
    ),
    "slice": (ops.Slice((0, 1), (ROWS, 9), None, (2, 3)), lambda a, b: [a], lambda a: a[::2, 1:9:3]),
    "concat": (ops.Concat(1), lambda a, b: [a, b], lambda a, b: np.concatenate([a, b], 1)),
    "concat of one": (ops.Concat(0), lambda a, b: [a, a[::-1]], lambda a, b: np.concatenate([a, b])),
    "concat of parts": (ops.Concat(0), lambda a, b: [a[::7], b[:2, ::-1]], lambda a, b: np.concatenate([a, b])),
    "concat of little": (ops.Concat(0), lambda a, b: [a[::99, :1], b[:1, :1]], lambda a, b: np.concatenate([a, b])),
    "repeated": (
        ops.Concat(0),
        lambda a, b: [np.broadcast_to(a[:1], (99, COLUMNS)), b],
        lambda a, b: np.concatenate([a, b]),
    ),
    "transpose": (ops.Transpose((1, 0)), lambda a, b: [a], lambda a: a.T),
    "reverse": (ops.Reverse((0,)), lambda a, b: [a], lambda a: a[::-1]),
    "tile": (ops.Tile((1, 2)), lambda a, b: [a], lambda a: np.tile(a, (1, 2))),
    "where": (ops.Where(), lambda a, b: [numbers(ROWS, COLUMNS, below=2).astype(bool), a, b[::-1]], np.where),
    "scatter": (
        ops.ScatterUpdate(0),
        lambda a, b: [a, np.array([7, 3, 11, 3]), b[:4]],
        lambda a, i, u: (made := a.copy(), made.__setitem__(i, u))[0],
    ),
    "empty": (ops.Gather(0), lambda a, b: [a, numbers(0, below=1)], lambda a, i: a[i]),
}


@pytest.mark.parametrize(("name", "kind"), thinned(product(MOVES, KINDS), 2, 0))
def test_moves_bring_strings_into_arrays_of_their_own(name: str, kind: str) -> None:
    operator, make, formula = MOVES[name]
    dtype = KINDS[kind]
    inputs = make(strings(dtype), strings(dtype, 1))
    expected = content(formula(*inputs))
    before = [content(each) for each in inputs]
    results = []
    for _ in range(3):  # as moves, and as a program that was kept
        (result,) = apply(operator, inputs, "")
        assert result.dtype == dtype
        assert all(result.dtype is not each.dtype for each in inputs)
        assert content(result) == expected
        results.append(result)
    out = strings(dtype, 2, results[0].shape)
    assert apply(operator, inputs, "", out)[0] is out
    assert content(out) == expected
    strided = strings(dtype, 3, (*results[0].shape[::-1], 2))[..., 1].T
    apply(operator, inputs, "", strided)
    assert content(strided) == expected
    if results[0].size:
        results[0][...] = "what is written to a result is written to no other array" * 2
    assert [content(each) for each in inputs] == before
    del inputs
    gc.collect()
    for made in (*results[1:], out):  # which outlive what they were made of
        assert content(made) == expected


def test_a_program_runs_every_move_on_strings() -> None:
    dtype, ran = KINDS["missing"], 0
    for operator, make, formula in MOVES.values():
        inputs = make(strings(dtype), strings(dtype, 1))
        given = {f"in{number}": array for number, array in enumerate(inputs)}
        builder = GraphBuilder("one node")
        for name, array in given.items():
            builder.add_input(name, TensorType.of(array))
        builder.add(operator, list(given), ["out"], "node")
        plan = make_plan(builder.build(["out"]), given)
        assert plan.program is not None
        found = plan.program.run(given)
        ran += found is not None
        if found is not None:
            assert content(found["out"]) == content(formula(*inputs))
        assert content(plan.run(given)["out"]) == content(formula(*inputs))
    assert ran == len(MOVES) - 1  # of little, most of whose addresses nobody would read, each move runs by itself


@pytest.mark.parametrize("count", [4, ROWS * COLUMNS])
def test_what_is_refused_leaves_out_as_it_was(count: int) -> None:
    data, out = strings(KINDS["missing"], 0, (count,)), strings(KINDS["missing"], 1, (count,))
    before, indices = content(out), np.arange(count)
    indices[-1] = count  # the last one: all others have been moved by then
    for given in (None, out):
        for _ in range(3):
            with pytest.raises(IndexOutOfRangeError, match=rf"indices\[{count - 1}\] is {count}"):
                wh.gather(data, indices, out=given)
            with pytest.raises(IndexOutOfRangeError):
                apply(ops.GatherND(), [data, indices[:, None]], "", given)
    assert content(out) == before
    with pytest.raises(InvalidTypeError, match="out has dtype"):
        wh.gather(data, indices[:-1], out=np.empty(count - 1, KINDS["plain"]))


def test_out_may_be_where_the_data_is() -> None:
    for dtype in KINDS.values():
        data = strings(dtype, 0, (400,))
        expected = content(data[np.arange(398, -1, -1)])
        wh.gather(data[:399], np.arange(398, -1, -1), out=data[1:])
        assert content(data[1:]) == expected
        expected = content(data[::-1])
        apply(ops.Reverse((0,)), [data], "", data)
        assert content(data) == expected
        expected = content(np.concatenate([data[200:], data[:200]]))
        apply(ops.Concat(0), [data[200:], data[:200]], "", data)
        assert content(data) == expected


def test_dtypes_that_differ_are_told_apart() -> None:
    """A plan for strings of one missing value is none for those of another."""
    arrays = [strings(dtype, 0, (40,)) for dtype in KINDS.values()]
    for _ in range(3):
        for array in arrays:
            assert content(wh.concat([array, array[:3]])) == content(np.concatenate([array, array[:3]]))
            assert content(wh.gather(array, np.array([39, 0]))) == content(array[[39, 0]])
            assert wh.concat([array, array]).dtype == array.dtype
    with pytest.raises(InvalidTypeError):
        wh.concat(arrays[:2])


def test_what_is_kept_of_a_call_keeps_no_strings() -> None:
    """Each array has a dtype of its own: calls are told by what makes these equal, and do not hold them."""
    kept = []
    for seed in range(3):
        array = strings(np.dtypes.StringDType(na_object=MISSING), seed, (50,))
        wh.concat([array, array])
        apply(ops.Reverse((0,)), [array], "")
        kept.append(weakref.ref(array))
        owned = array.dtype
        del array
        gc.collect()
        # This name, the argument, and nothing else.
        assert len(gc.get_referrers(owned)) == 0 or all(each is globals() for each in gc.get_referrers(owned))
    assert all(each() is None for each in kept)
    before = len(wh.functions._CONCATS)
    for seed in range(5):
        array = strings(np.dtypes.StringDType(na_object=MISSING), seed, (50,))
        wh.concat([array, array])
    assert len(wh.functions._CONCATS) == before


def test_several_threads_read_the_same_strings() -> None:
    """In whatever order they take the storages."""
    one, two = strings(KINDS["missing"]), strings(KINDS["missing"], 1)
    expected = [content(np.concatenate(pair)) for pair in ([one, two], [two, one])]
    found: list[bool] = []

    def work(number: int) -> None:
        pair = [one, two] if number % 2 == 0 else [two, one]
        for _ in range(20):
            made = wh.concat(pair)
            found.append(content(made) == expected[number % 2])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [True] * 80


def test_limits_hold() -> None:
    data = strings(KINDS["plain"], 0, (1000,))
    with limits.limited(limits.Limits(bytes=1000)), pytest.raises(wh.errors.ResourceLimitError):
        wh.gather(data, np.zeros(1000, int))
    assert Layout.of(data).sizes == (1000,)
