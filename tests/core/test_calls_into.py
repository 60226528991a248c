"""Calls that come again and write to `out`: its layout decides, too; what cannot be written is refused."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import wherry as wh
from tests.support.compare import assert_same_bits
from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError, ResourceLimitError
from wherry.limits import Limits, limited

Array = NDArray[Any]

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)

CALLS: list[Callable[..., Array]] = [
    lambda x, **out: wh.onnx.transpose(x, perm=[2, 0, 1], **out),
    lambda x, **out: wh.onnx.cast(x, np.int16, **out),
    lambda x, **out: wh.onnx.pad(x, [0, 0, 1, 0, 0, 0], **out),
    lambda x, **out: wh.onnx.slice(x, [0], np.array([2]), **out),
    lambda x, **out: wh.onnx.gather(x, np.array([[2, 0], [-1, 1]]), axis=1, **out),
    lambda x, **out: wh.onnx.gather_nd(x, np.array([[1, 0], [0, 2]]), **out),
    lambda x, **out: wh.onnx.concat([x, x], axis=1, **out),
    lambda x, **out: wh.concat([x, x + 1], 2, **out),
    lambda x, **out: wh.openvino.gather(x, np.array([2, 5, 0]), 1, **out),
    lambda x, **out: wh.openvino.broadcast(x[:1, :1], [2, 3, 4], **out),
    lambda x, **out: wh.webnn.transpose(x, permutation=[0, 2, 1], **out),
    # What follows is an operator on values, or one whose fields are values, or of no inputs.
    lambda x, **out: wh.onnx.clip(x, x.dtype.type(2), x.dtype.type(9), **out),
    wh.onnx.non_zero,
    lambda x, **out: wh.onnx.compress(x, np.array([True, False, True]), 1, **out),
    lambda x, **out: wh.onnx.trilu(x, np.array(1), **out),
    wh.onnx.shape,
    lambda x, **out: wh.onnx.constant_of_shape(np.array(x.shape), x.dtype.type(3), **out),
    lambda x, **out: wh.openvino.reverse_sequence(x, np.array([2, 3]), 0, 1, **out),
]

ARRAYS = [X, X * 2, X.astype(np.float16), np.asfortranarray(X), X[:, ::-1]]

LAYOUTS: list[Callable[[Array], Array]] = [
    np.empty_like,
    lambda result: np.full_like(result, 9),
    lambda result: np.zeros(result.shape[::-1], result.dtype).T,
    lambda result: np.zeros((*result.shape, 2), result.dtype)[..., 1],
    lambda result: np.zeros(result.shape, result.dtype)[::-1],
    lambda result: np.zeros(result.nbytes + 1, np.uint8)[1:].view(result.dtype).reshape(result.shape),
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_a_call_writes_what_its_arguments_say(number: int) -> None:
    """In any order, from arrays of other types and layouts, to arrays of other layouts, and to new ones."""
    call = CALLS[number]
    expected = [call(array) for array in ARRAYS]
    ways = [(a, o) for a in range(len(ARRAYS)) for o in range(len(LAYOUTS))]

    @settings(max_examples=10)
    @given(st.permutations(ways))
    def in_order(order: list[tuple[int, int]]) -> None:
        for a, o in (*order, *order):
            out = LAYOUTS[o](expected[a])
            assert call(ARRAYS[a], out=out) is out
            assert_same_bits(out, expected[a])
            assert_same_bits(call(ARRAYS[a]), expected[a])

    in_order()


def test_nothing_but_the_result_is_written() -> None:
    memory = np.full((2, 3, 9), 7, np.float32)
    for _ in range(5):
        wh.onnx.transpose(X.reshape(2, 4, 3), perm=[0, 2, 1], out=memory[:, :, 1::2])
    assert (memory[:, :, ::2] == 7).all()


@pytest.mark.parametrize(
    ("out", "error", "words"),
    [
        (np.zeros((4, 3, 3), np.float32), InvalidValueError, r"ONNX Transpose-\d+: out has sizes \[4, 3, 3\]"),
        (np.zeros((4, 3, 2), np.float64), InvalidTypeError, r"ONNX Transpose-\d+: out has dtype float64"),
        (np.zeros((4, 3, 2), ">f4"), InvalidTypeError, r"ONNX Transpose-\d+: out has dtype >f4"),
        (np.broadcast_to(np.zeros(2, np.float32), (4, 3, 2)), InvalidValueError, "out is read-only"),
        (np.lib.stride_tricks.as_strided(np.zeros(24, np.float32), (4, 3, 2), (4, 4, 4)), InvalidValueError, "overlap"),
        ([[[0.0]]], InvalidTypeError, "out is a list"),
    ],
)
def test_what_cannot_be_written_is_refused_each_time(out: Any, error: type[Exception], words: str) -> None:
    before = np.array(out)
    fits = np.empty((4, 3, 2), np.float32)
    for _ in range(5):
        wh.onnx.transpose(X, perm=[2, 1, 0], out=fits)
        with pytest.raises(error, match=words):
            wh.onnx.transpose(X, perm=[2, 1, 0], out=out)
        assert_same_bits(np.array(out), before)


def test_an_array_that_becomes_read_only_is_refused() -> None:
    out = np.zeros((4, 3, 2), np.float32)
    for _ in range(4):
        wh.onnx.transpose(X, perm=[2, 1, 0], out=out)
    out.flags.writeable = False
    with pytest.raises(InvalidValueError, match="out is read-only"):
        wh.onnx.transpose(X + 1, perm=[2, 1, 0], out=out)
    assert_same_bits(out, X.transpose(2, 1, 0))


def test_memory_that_is_read_and_written() -> None:
    """The result is as if it had been made elsewhere, also where the same call wrote to other memory before."""
    square = np.arange(16, dtype=np.int32).reshape(4, 4)
    for _ in range(5):
        assert_same_bits(wh.onnx.transpose(square, out=np.empty_like(square)), square.T.copy())
        same = square.copy()
        assert_same_bits(wh.onnx.transpose(same, out=same), square.T.copy())
        memory = np.arange(20, dtype=np.int32)
        wh.onnx.transpose(memory[:16].reshape(4, 4), out=memory[4:].reshape(4, 4))
        assert_same_bits(memory[4:].reshape(4, 4), square.T.copy())
        row = np.arange(3, dtype=np.int32)
        assert_same_bits(wh.concat([row[:1], row[:2]], out=row), np.array([0, 0, 1], np.int32))


def test_an_error_leaves_out_as_it_was() -> None:
    table, picks, out = np.arange(4), np.array([[0], [3]]), np.empty(2, np.int64)
    for _ in range(5):
        assert wh.onnx.gather_nd(table, picks, out=out).tolist() == [0, 3]
    with pytest.raises(IndexOutOfRangeError, match=r"ONNX GatherND-13: indices\[1, 0\] is 4"):
        wh.onnx.gather_nd(table, np.array([[1], [4]]), out=out)
    assert out.tolist() == [0, 3]


@pytest.mark.parametrize("dtype", [np.uint8, np.float64, object])
@pytest.mark.parametrize("count", [3, 700, 20_000])
def test_a_bad_index_anywhere_leaves_out_as_it_was(dtype: Any, count: int) -> None:
    """Elements much smaller than their indices are made in other memory; before others all indices are looked at."""
    table, out = np.arange(100).astype(str if dtype is object else dtype).astype(dtype), np.empty(count, dtype)
    picks = np.random.default_rng(count).integers(-100, 100, count)
    for gather in (wh.gather, wh.onnx.gather):
        for _ in range(3):
            assert gather(table, picks, out=out) is out
        assert out.tolist() == table[picks].tolist()
        for place in (0, count // 2, count - 1):
            bad = picks.copy()
            bad[place] = 100
            before = out.copy()
            with pytest.raises(IndexOutOfRangeError, match=rf"indices\[{place}\] is 100"):
                gather(table, bad, out=out)
            assert out.tolist() == before.tolist()


@pytest.mark.parametrize("dtype", [np.uint8, np.float64, object])
@pytest.mark.parametrize("count", [2, 900])
def test_gathers_that_look_at_indices_themselves(dtype: Any, count: int) -> None:
    """Into new arrays they do, and only there: the checks before them are not run."""
    rng = np.random.default_rng(count)
    table = rng.integers(0, 9, (6, 50)).astype(str if dtype is object else dtype).astype(dtype)
    pairs = rng.integers(-6, 6, (count, 2))
    picks = rng.integers(-50, 50, (6, count))
    calls: list[tuple[Callable[..., Array], Array, Array, int]] = [
        (wh.onnx.gather_elements, picks, np.take_along_axis(table, picks, 1), 50),
        (wh.onnx.gather_nd, pairs, table[pairs[:, 0], pairs[:, 1]], 6),
    ]
    for gather, indices, expected, size in calls:
        rule = {"axis": 1} if gather is wh.onnx.gather_elements else {}
        out = np.empty(expected.shape, dtype)
        for _ in range(4):
            assert gather(table, indices, **rule).tolist() == expected.tolist()
            assert gather(table, indices, **rule, out=out).tolist() == expected.tolist()
        for place in [(0, 0), (len(indices) - 1, 0), (len(indices) - 1, indices.shape[1] - 1)]:
            limit = size if rule or place[1] == 0 else 50
            for value in (limit, -limit - 1):
                bad = indices.copy()
                bad[place] = value
                words = rf"indices\[{place[0]}, {place[1]}\] is {value}, allowed -{limit}..{limit - 1}"
                with pytest.raises(IndexOutOfRangeError, match=words):
                    gather(table, bad, **rule)
                with pytest.raises(IndexOutOfRangeError, match=words):
                    gather(table, bad, **rule, out=out)
                assert out.tolist() == expected.tolist()


def test_an_index_is_looked_at_where_it_takes_nothing() -> None:
    table, bad = np.zeros((4, 0), np.float32), np.array([[1], [4]])
    for _ in range(4):
        assert wh.onnx.gather_nd(table, bad - 1).shape == (2, 0)
        with pytest.raises(IndexOutOfRangeError):
            wh.onnx.gather_nd(table, bad)
        with pytest.raises(IndexOutOfRangeError):
            wh.gather(table, bad, out=np.zeros((2, 1, 0), np.float32))


def test_gathers_over_what_they_read() -> None:
    for _ in range(4):
        table = np.arange(1000, dtype=np.uint8)
        expected = table[table[::-1].astype(int)]
        assert wh.onnx.gather(table, table[::-1].astype(int), out=table).tolist() == expected.tolist()


def test_limits_hold() -> None:
    out = np.empty((4, 6, 8), np.float32)
    for _ in range(5):
        wh.onnx.tile(X, [2, 2, 2], out=out)
    with limited(Limits(bytes=100)), pytest.raises(ResourceLimitError):
        wh.onnx.tile(X, [2, 2, 2], out=out)


def test_elements_that_decide_are_told_apart() -> None:
    """Sizes in an array that changes between calls; `out` is told from it, also where both are one array."""
    sizes, out = np.array([3]), np.empty(3, np.int64)
    for _ in range(5):
        assert wh.onnx.reshape(np.arange(3), sizes, out=out).tolist() == [0, 1, 2]
    sizes[0] = 4
    with pytest.raises(InvalidValueError):
        wh.onnx.reshape(np.arange(3), sizes, out=out)
    for _ in range(5):
        sizes[0] = 1
        assert wh.onnx.reshape(np.array([7]), sizes, out=sizes).tolist() == [7]


def test_objects_are_let_go_and_kept() -> None:
    names = np.array([["a", "b"], ["c", "d"]], object)
    out = np.empty((2, 2), object)
    for _ in range(5):
        assert wh.onnx.transpose(names, out=out).tolist() == [["a", "c"], ["b", "d"]]


def words_of(count: int) -> Array:
    return np.array([f"word {number}" for number in range(count)], object).reshape(2, -1)


WORDS: list[Callable[..., Array]] = [
    wh.onnx.transpose,
    lambda x, **out: wh.onnx.gather(x, np.array([2, 0]), axis=1, **out),
    lambda x, **out: wh.onnx.concat([x, x], axis=1, **out),
    lambda x, **out: wh.openvino.gather(x, np.array([2, 0]), 1, **out),
    lambda x, **out: wh.openvino.transpose(x, [1, 0], **out),
    lambda x, **out: wh.openvino.concat([x, x], 0, **out),
]


@pytest.mark.parametrize("call", WORDS)
def test_strings_go_where_the_call_before_wrote_some(call: Callable[..., Array]) -> None:
    words = words_of(6)
    expected = call(words)
    out = np.empty(expected.shape, object)
    for _ in range(4):
        out.fill(None)
        assert call(words, out=out) is out
        assert out.tolist() == expected.tolist()
    other = words.copy()
    other[0, 0] = 7
    for _ in range(4):
        with pytest.raises(InvalidTypeError):
            call(other, out=out)
        assert out.tolist() == expected.tolist()
    many = words_of(10_000)  # more than are looked at
    larger = np.empty(call(many).shape, object)
    for _ in range(3):
        assert call(many, out=larger).tolist() == call(many).tolist()
    many[0, 0] = 7
    larger.fill(None)
    with pytest.raises(InvalidTypeError):
        call(many, out=larger)
    assert larger.tolist() == np.full(larger.shape, None).tolist()


def test_packed_strings_need_no_plan_again(monkeypatch: pytest.MonkeyPatch) -> None:
    begins, ends, symbols = np.array([0, 5]), np.array([5, 13]), np.frombuffer(b"IntelOpenVINO", np.uint8)
    out = np.empty(2, object)
    for _ in range(3):
        wh.openvino.string_tensor_pack(begins, ends, symbols, out=out)
    monkeypatch.setattr("wherry.engine.call._plan", None)
    for texts in (["Intel", "OpenVINO"], ["Int", "elOpenVINO"]):
        ends[0] = begins[1] = len(texts[0])
        assert wh.openvino.string_tensor_pack(begins, ends, symbols, out=out).tolist() == texts


SEVERAL: list[Callable[..., Any]] = [
    lambda x, **out: wh.split(x, [1, 3], 2, **out),
    lambda x, **out: wh.split(x, 2, **out),
    lambda x, **out: wh.onnx.split(x, np.array([1, 2]), axis=1, **out),
    lambda x, **out: wh.openvino.split(x, 2, 4, **out),
    lambda x, **out: wh.openvino.variadic_split(x, 1, [2, -1], **out),
    lambda x, **out: wh.webnn.split(x, 2, **out),
    wh.onnx.unique,
]


@pytest.mark.parametrize("number", range(len(SEVERAL)))
def test_several_results_go_to_their_arrays(number: int) -> None:
    call = SEVERAL[number]
    expected = [list(map(np.array, call(array))) for array in ARRAYS]
    for sequence in (list, tuple):
        for a in list(range(len(ARRAYS))) * 3:
            for layout in LAYOUTS:
                outs = sequence(map(layout, expected[a]))
                made = call(ARRAYS[a], out=outs)
                assert type(made) is type(call(ARRAYS[a]))
                for one, out, result in zip(made, outs, expected[a], strict=True):
                    assert one is out
                    assert_same_bits(out, result)


@pytest.mark.parametrize("number", range(6))
def test_several_arrays_that_cannot_be_written_are_left(number: int) -> None:
    call = SEVERAL[number]
    parts = list(map(np.array, call(X)))
    read_only = np.zeros_like(parts[-1])
    read_only.flags.writeable = False
    shared = np.zeros(max(part.size for part in parts), X.dtype)
    wrong: list[tuple[Any, str]] = [
        (parts[:-1], "arrays, allowed"),
        ([*parts, parts[0]], "arrays, allowed"),
        ([*parts[:-1], parts[-1].astype(np.int32)], "has dtype int32"),
        ([*parts[:-1], parts[-1].T], "has sizes"),
        ([*parts[:-1], read_only], "is read-only"),
        ([shared[: part.size].reshape(part.shape) for part in parts], r"shares memory with out\[0\]"),
        (parts[0].tolist() if len(parts) == 1 else 5, "out"),
    ]
    for outs, words in wrong * 3:
        call(X, out=list(map(np.empty_like, parts)))
        before = [np.array(out) for out in outs] if isinstance(outs, list) else []
        with pytest.raises((InvalidValueError, InvalidTypeError), match=words):
            call(X + 1, out=outs)
        for out, kept in zip(outs if before else [], before, strict=True):
            assert_same_bits(np.array(out), kept)


def test_parts_that_go_where_they_come_from() -> None:
    for _ in range(5):
        memory = np.arange(6)
        wh.split(memory, 2, out=[memory[3:], memory[:3]])
        assert memory.tolist() == [3, 4, 5, 0, 1, 2]
        wh.onnx.split(memory, axis=0, num_outputs=2, out=[memory[3:], memory[:3]])
        assert memory.tolist() == [0, 1, 2, 3, 4, 5]
        whole = np.arange(4)
        wh.onnx.non_zero(whole, out=(place := np.empty((1, 3), np.int64)))
        assert place.tolist() == [[1, 2, 3]]
        with pytest.raises(InvalidValueError, match="out has sizes"):
            wh.onnx.non_zero(whole + 1, out=place)


@pytest.mark.parametrize("count", [1, 5, 127, 128, 129, 600])
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "uint32", "int64", "float32", "float64"])
def test_unique_goes_to_its_arrays(dtype: str, count: int) -> None:
    rng = np.random.default_rng(count)
    for ascending in (0, 1):
        for data in (rng.integers(0, 99, count), rng.integers(0, 3, (count, 1)).T, np.arange(count)[::-1]):
            given = data.astype(dtype)
            if given.dtype.kind == "f":
                given[data == 2] = np.nan
            expected = wh.onnx.unique(given, sorted=ascending)
            values = given.ravel()
            assert_same_bits(expected.Y[expected.inverse_indices], values)
            assert_same_bits(values[expected.indices], expected.Y)
            for layout in (np.array, *LAYOUTS):
                outs = list(map(layout, map(np.zeros_like, expected)))
                for _ in range(4):
                    assert all(map(operator.is_, wh.onnx.unique(given, sorted=ascending, out=outs), outs))
                    for out, result in zip(outs, expected, strict=True):
                        assert_same_bits(out, result)
                        out.fill(0)


@pytest.mark.parametrize("k", range(4))
def test_arrays_that_cannot_take_what_is_unique_are_left(k: int) -> None:
    data = np.array([3, 1, 3, 2])
    outs = list(map(np.empty_like, wh.onnx.unique(data)))
    longer, other = np.zeros(len(outs[k]) + 1, np.int64), np.zeros(len(outs[k]), np.int32)
    for _ in range(4):
        wh.onnx.unique(data, out=outs)
        before = list(map(np.array, outs))
        for wrong, words in (
            (longer, "has sizes"),
            (other, "has dtype int32"),
            (outs[k - 1], "shares memory|has sizes"),
        ):
            with pytest.raises((InvalidValueError, InvalidTypeError), match=words):
                wh.onnx.unique(data[::-1], out=[*outs[:k], wrong, *outs[k + 1 :]])
            assert all(map(np.array_equal, outs, before))
            assert not longer.any()
            assert not other.any()
    # What is read is no place for what is found: there is a copy in between.
    for _ in range(4):
        data = np.array([3, 1, 3, 2])
        given = [*outs[:k], data[: len(outs[k])], *outs[k + 1 :]]
        expected = list(map(np.array, wh.onnx.unique(data)))
        wh.onnx.unique(data, out=given)
        assert all(map(np.array_equal, given, expected))


def test_results_that_are_the_same_each_time_go_to_their_arrays() -> None:
    words = np.array(["one", "", "four"])
    expected = wh.openvino.string_tensor_unpack(words)
    outs = [np.zeros_like(each) for each in expected]
    for _ in range(6):
        made = wh.openvino.string_tensor_unpack(words, out=outs)
        for one, out, result in zip(made, outs, expected, strict=True):
            assert one is out
            assert_same_bits(out, result)
            out.fill(0)
        with pytest.raises(InvalidValueError, match="has sizes"):
            wh.openvino.string_tensor_unpack(words, out=[*outs[:2], np.zeros(6, np.uint8)])
        assert not any(out.any() for out in outs)
    words[0] = "two"
    assert bytes(wh.openvino.string_tensor_unpack(words, out=outs)[2]) == b"twofour"


def test_large_results_of_values() -> None:
    """They are made where they go: what is kept would make them elsewhere first."""
    data, expected = np.arange(40_000), np.arange(1, 40_000)[None]
    out = np.empty_like(expected)
    for _ in range(4):
        assert wh.onnx.non_zero(data, out=out) is out
        assert_same_bits(out, expected)
