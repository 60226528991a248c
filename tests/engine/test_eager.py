"""Eager runs by the core: what each function of the core makes, against NumPy and against the operator's plan."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal as assert_same
from numpy.typing import NDArray

from wherry import _core, ops
from wherry.engine.eager import eager_run
from wherry.engine.runner import Runner
from wherry.graph import Deferred, GraphBuilder
from wherry.ops.slice import clamped
from wherry.tensors import TensorType

Array = NDArray[Any]

X = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
INTEGERS = [np.int8, np.uint8, np.int32, np.int64, np.uint64]
EXTREMES = st.one_of(
    st.integers(-9, 9), st.sampled_from([-(2**63), -(2**63) + 1, 2**63 - 2, 2**63 - 1, 2**31, -(2**31)])
)


@given(st.data())
def test_a_slice_is_that_of_the_rule(data: st.DataObject) -> None:
    """Of bounds that are known and bounds that are inputs, however far out."""
    x = X[:, ::-1, ::2] if data.draw(st.booleans()) else X
    count = data.draw(st.integers(0, 3))
    axes = data.draw(st.permutations([0, 1, 2]).map(lambda order: order[:count]))
    named = [axis - 3 if data.draw(st.booleans()) else axis for axis in axes]
    starts, ends = ([data.draw(EXTREMES) for _ in axes] for _ in range(2))
    steps = [data.draw(EXTREMES.filter(bool)) for _ in axes]
    arrays: list[Array] = [x]

    def told(values: list[int]) -> int | list[int]:
        if data.draw(st.booleans()):
            return values
        arrays.append(np.array(values, np.int64))
        return len(arrays) - 1

    found = _core.Slicing(told(starts), told(ends), told(named), told(steps), False)(*arrays)
    expected = x
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        first, size = clamped(start, end, step, x.shape[axis])
        assert isinstance(size, int)
        expected = expected.take([first + n * step for n in range(size)], axis)
    assert_same(found, expected)
    assert np.shares_memory(found, x) == (found.size > 0)


def test_what_no_slice_is_is_left_to_a_plan() -> None:
    for starts, ends, axes, steps in (
        ([0], [1, 2], None, None), ([0], [1], [3], None), ([0], [1], [-4], None), ([0, 0], [1, 1], [1, -2], None),
        ([0], [1], None, [0]), ([0], [1], [0, 1], None), ([0] * 4, [1] * 4, None, None),
    ):  # fmt: skip
        assert _core.Slicing(starts, ends, axes, steps, False)(X) is None
    assert _core.Slicing([0], [1], [-1], None, True)(X) is None
    assert _core.Slicing([0], [1], None, None, False)() is None
    assert _core.Slicing(1, [1], None, None, False)(X) is None
    for wrong in (
        np.array([[0]]),
        np.array(0),
        np.array([0.0]),
        np.array([2**64 - 1], np.uint64),
        [0],
        np.zeros(65, int),
    ):
        assert _core.Slicing(1, [1], None, None, False)(X, wrong) is None
    scalar = np.array(1)
    assert _core.Slicing([], [], None, None, False)(scalar) is scalar
    assert _core.Slicing([0], [1], None, None, False)(scalar) is None


@given(
    st.lists(st.integers(0, 3), max_size=3), st.lists(st.integers(0, 3), max_size=4), st.booleans(),
    st.sampled_from(INTEGERS),
)  # fmt: skip
def test_an_expansion_is_that_of_numpy(own: list[int], sizes: list[int], two_way: bool, dtype: type) -> None:
    x = np.arange(np.prod(own, dtype=int), dtype=np.uint8).reshape(own)
    found = _core.Expanding(1, two_way)(x, np.array(sizes, dtype))
    try:
        wanted = np.broadcast_shapes(x.shape, tuple(sizes)) if two_way else tuple(sizes)
        expected = np.broadcast_to(x, wanted)
    except ValueError:
        assert found is None
        return
    assert_same(found, expected)
    assert not np.shares_memory(found, x)


def test_huge_and_negative_sizes_are_left_to_a_plan() -> None:
    x = np.ones(1, np.uint8)
    for sizes in ([-1], [2**22 + 1], [2**62, 4], [2**40, 0], [2048, 2049], [2**63 - 1] * 3):
        assert _core.Expanding(1, True)(x, np.array(sizes)) is None, sizes
    assert _core.Expanding(1, True)(x, np.array([2048, 2048])).nbytes == 2**22
    assert _core.Expanding(1, True)(np.array([None]), np.array([2])) is None


@given(st.lists(st.integers(-2, 6), max_size=4), st.sampled_from([X, X[:, ::2], X[:0], np.array(3)]), st.booleans())
def test_a_reshape_is_that_of_numpy(sizes: list[int], x: Array, copies: bool) -> None:
    function = _core.Reshaping(1, copies, True)
    wanted = [x.shape[n] if copies and size == 0 and n < x.ndim else size for n, size in enumerate(sizes)]
    refused = (
        min(wanted, default=0) < -1
        or (copies and 0 in sizes[x.ndim :])
        or (x.size == 0 and -1 in wanted and 0 in wanted)
    )
    if refused:
        assert function(x, np.array(sizes, int)) is None
        return
    try:
        expected = x.reshape(wanted)
    except ValueError as error:
        with pytest.raises(ValueError, match=r"reshape|unknown"):
            function(x, np.array(sizes, int))
        assert error
        return
    assert_same(function(x, np.array(sizes, int)), expected)


@given(st.sampled_from(["int8", "uint8", "int16", "uint32", "int64", "uint64"]), st.data())
def test_a_range_of_integers_is_pythons(name: str, data: st.DataObject) -> None:
    limits = np.iinfo(name)
    number = st.one_of(st.integers(int(limits.min), int(limits.max)), st.integers(0, 9),
                       st.sampled_from([int(limits.min), int(limits.max)]))  # fmt: skip
    start, limit, delta = (data.draw(number) for _ in range(3))
    function = _core.Ranging(
        0, 1, 2, ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"].index(name)
    )
    found = function(*(np.array(each, name) for each in (start, limit, delta)))
    count = 0 if delta == 0 else -((start - limit) // delta)  # rounded up; len() takes no more than sys.maxsize
    if delta == 0 or count > 2**22 // np.dtype(name).itemsize:
        assert found is None
    else:
        assert found.tolist() == [*range(start, limit, delta)]
        assert found.dtype == name


def test_what_no_range_is_is_left_to_a_plan() -> None:
    one = np.array(1, np.float32)
    for wrong in (
        np.array([1, 2], np.float32),
        np.array(1),
        np.array(np.nan, np.float32),
        np.array(1e31, np.float32),
        1,
    ):
        for place in range(3):
            given_arrays: list[Any] = [one, one, one]
            given_arrays[place] = wrong
            assert _core.Ranging(0, 1, 2, 10)(*given_arrays) is None
    for element in (8, 12, 13, 15, -1):
        with pytest.raises(ValueError, match="ranges"):
            _core.Ranging(0, 1, 2, element)


@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.data())
def test_tuples_of_indices_pick_as_numpys_do(sizes: list[int], data: st.DataObject) -> None:
    x = np.arange(np.prod(sizes)).reshape(sizes)
    length = data.draw(st.integers(1, len(sizes)))
    rows = data.draw(st.lists(st.integers(1, 3), max_size=2))
    picked = np.stack([np.array(data.draw(st.lists(st.integers(-size, size - 1), min_size=int(np.prod(rows)),
                                                   max_size=int(np.prod(rows))))).reshape(rows)
                       for size in sizes[:length]], -1)  # fmt: skip
    function = _core.GatheringTuples(1, 0, 0, lambda *arrays: "general")
    assert_same(function(x, picked), x[tuple(np.moveaxis(picked, -1, 0))])
    bad = picked.copy()
    bad.flat[0] = sizes[0]
    assert function(x, bad) is None
    swapped = np.asfortranarray(x)
    assert x.flags.f_contiguous or function(swapped, picked) == "general"


def test_the_coordinates_of_what_is_not_0() -> None:
    mask = X % 3 == 0
    for dtype in (np.int32, np.int64):
        found = _core.FindingNonZero(255, np.dtype(dtype))(mask)
        assert_same(found, np.nonzero(mask))
        assert found.dtype == dtype
    assert _core.FindingNonZero(255, np.dtype(int))(np.array(True)) is None
    assert _core.FindingNonZero(255, np.dtype(int))(np.ones(2**19 + 1, bool)) is None
    with pytest.raises(ValueError, match="integers"):
        _core.FindingNonZero(1, np.dtype(float))


def chain() -> Any:
    builder = GraphBuilder("chain")
    line, matrix = TensorType("int64", (None,)), TensorType("float32", (None, None))
    for name, kind in {"x": matrix, "s": line}.items():
        builder.add_input(name, kind)
    builder.add(Deferred(ops.Expand, (), (("shape", 1),)), ["x", "s"], ["big"], "Expand")
    builder.add(ops.Transpose((1, 0)), ["big"], ["turned"], "Transpose")
    return builder.build(["turned", "big", "x"])


def test_results_are_new_arrays_and_views_of_nothing() -> None:
    eager = eager_run(chain())
    assert eager is not None
    x = np.arange(3, dtype=np.float32)[:, None]
    found = eager.run({"x": x, "s": np.array([1, 4])})
    assert found is not None
    assert list(found) == ["turned", "big", "x"]
    assert_same(found["turned"], np.repeat(x.T, 4, 0))
    assert found["turned"].flags.c_contiguous
    arrays = [*found.values(), x]
    assert not any(np.shares_memory(a, b) for n, a in enumerate(arrays) for b in arrays[:n])
    assert eager.run({"x": x, "s": np.array([2, 4])}) is None
    assert eager.run({"x": x}) is None
    assert eager.run([x, np.array([1, 4])]) is None
    assert eager.taken() is None


def test_defaults_stand_for_inputs_that_are_left_out() -> None:
    x = np.arange(3, dtype=np.float32)[:, None]
    eager = eager_run(chain(), {"s": np.array([3, 2])})
    assert eager is not None
    for given_arrays in ({"x": x}, {"x": x, "s": np.array([1, 2])}):
        found = eager.run(given_arrays)
        assert found is not None
        assert found["big"].shape == (3, 2)
    assert eager.run({"s": np.array([3, 2])}) is None
    assert eager.run({"x": x, "y": x}) is None


def test_a_run_that_comes_again_is_planned() -> None:
    x, sizes = np.arange(3, dtype=np.float32)[:, None], np.array([1, 4])
    runner = Runner(chain())
    assert runner.run_eagerly({"x": x, "s": sizes}) is None  # nothing was planned
    runner.run({"x": x, "s": sizes})
    assert runner.run_eagerly({"x": x, "s": sizes + 1}) is None  # refused
    found = [runner.run_kept({"x": x, "s": np.array([1, 5])}) for _ in range(12)]
    assert [each is not None for each in found] == [False] + [True] * 7 + [False] + [True] * 3
    assert runner.last is not None
    assert eager_sizes(runner) == [(5, 3), (3, 5), (3, 1)]


def eager_sizes(runner: Runner) -> list[tuple[int, ...]]:
    """The sizes of the outputs of the last run's plan."""
    assert runner.last is not None
    return [view.layout.sizes for view in runner.last.outputs.values()]


def test_an_error_of_a_step_is_a_refusal_unless_it_stops_a_program() -> None:
    declared = _core.Declared([("x", np.dtype(np.float32), None, False)], 64)

    def eager(step: Any) -> _core.EagerRun:
        return _core.EagerRun(declared, [], 2, [(step, [0], [1], True, False)], [("y", 1, True)], 100, 100, 0, 0, 1)

    def raising(error: type[BaseException]) -> Any:
        def step(x: Array) -> Array:
            raise error("no")

        return step

    x = np.zeros(3, np.float32)
    for refusal in (ValueError, TypeError, IndexError, ZeroDivisionError, MemoryError):
        assert eager(raising(refusal)).run({"x": x}) is None
    with pytest.raises(KeyboardInterrupt):
        eager(raising(KeyboardInterrupt)).run({"x": x})
    for made in (None, 3, (x,), x.tolist(), np.zeros(26, np.float32)):
        assert eager(lambda x, made=made: made).run({"x": x}) is None
    found = eager(np.negative).run({"x": x})
    assert found is not None
    assert_same(found["y"], -x)
    no_steps: list[Any] = [[(len, [2], [1], True, False)], [(len, [0], [1])], [(len, [0], [-1], True, False)]]
    for wrong in no_steps:
        with pytest.raises((ValueError, TypeError, RuntimeError)):
            _core.EagerRun(declared, [], 2, wrong, [], 100, 100, 0, 0, 1)
