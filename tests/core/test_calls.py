"""Calls that come again: they do what their arguments say, whatever ran before."""

from __future__ import annotations

import threading
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wherry as wh
from tests.support.compare import assert_same_bits
from wherry import _core
from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError, ResourceLimitError
from wherry.limits import Limits, limited

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)

# Each a function of one array, and arguments that differ in what decides: numbers, lists, arrays, types, names.
CALLS = {
    "transpose": [lambda x, p=p: wh.onnx.transpose(x, perm=p) for p in ([0, 1, 2], [2, 1, 0], (1, 0, 2), None)],
    "cast": [
        lambda x, t=t: wh.onnx.cast(x, to=t) for t in ("int8", "float32", "float64", np.int8, np.dtype("int16"), "bool")
    ],
    "pad": [lambda x, v=v: wh.onnx.pad(x, [0, 0, 1, 0, 0, 0], constant_value=v) for v in (None, 0.0, -0.0, 1.5)],
    "slice": [lambda x, s=s: wh.onnx.slice(x, s, np.array([2])) for s in ([0], [1], np.array([0]), np.array([1]))],
    "reshape": [lambda x, s=s: wh.onnx.reshape(x, s) for s in ([-1], [24], np.array([4, 6]), np.array([6, 4]))],
    "opset": [lambda x, o=o: wh.onnx.squeeze(x[:1], [0], opset=o) for o in (11, 13)],
    "split": [lambda x, s=s: wh.onnx.split(x, s, axis=2) for s in ([1, 3], [3, 1], np.array([2, 2]), [4])],
    "parts": [lambda x, n=n: wh.openvino.split(x, 2, n) for n in (1, 2, 4)],
    "axes": [lambda x, p=p: wh.openvino.transpose(x, p) for p in ([0, 2, 1], np.array([0, 2, 1]), np.array([2, 1, 0]))],
    "concat": [lambda x, a=a: wh.concat([x, x + 1], a) for a in (0, 1, -1)],
    "both": [lambda x, n=n: wh.onnx.concat([x] * n, axis=0) for n in (1, 2, 3)],
    "webnn": [lambda x, p=p: wh.webnn.transpose(x, permutation=p) for p in ([0, 2, 1], [2, 0, 1])],
}


ARRAYS = [X, X + 1, X.astype(np.float16), np.asfortranarray(X), X[:, ::-1], np.ascontiguousarray(X[:, ::-1])]


def results(name: str, a: int, c: int) -> list[np.ndarray]:
    made = CALLS[name][c](ARRAYS[a])
    return made if isinstance(made, list) else [made]


@pytest.mark.parametrize("name", CALLS)
def test_a_call_does_what_its_arguments_say(name: str) -> None:
    """In any order, on arrays of other types and layouts, and of other values."""
    ways = [(a, c) for a in range(len(ARRAYS)) for c in range(len(CALLS[name]))]
    with limited(Limits(bytes=2**40)):  # other limits than the default ones: nothing is kept, nothing is looked up
        expected = {way: results(name, *way) for way in ways}

    @settings(max_examples=10)
    @given(st.permutations(ways))
    def in_order(order: list[tuple[int, int]]) -> None:
        for way in (*order, *order):
            for one, other in zip(results(name, *way), expected[way], strict=True):
                assert_same_bits(one, other)

    in_order()


def test_results_are_new_and_parts_are_views() -> None:
    for _ in range(4):
        assert not np.shares_memory(*[wh.onnx.transpose(X, perm=[1, 0, 2]) for _ in range(2)])
        assert np.shares_memory(wh.openvino.split(X, 0, 2)[1], X)


def test_arrays_that_decide_are_told_by_their_elements() -> None:
    """Also where the same array is given as data, and changes between two calls."""
    sizes = np.array([2, 12])
    for _ in range(4):
        assert wh.onnx.reshape(X, sizes).shape == (2, 12)
    sizes[:] = 12, 2
    assert wh.onnx.reshape(X, sizes).shape == (12, 2)
    both = np.array([2, 1])
    for _ in range(4):
        assert wh.onnx.reshape(both, both).shape == (2, 1)
        assert wh.onnx.reshape(np.array([7, 8]), both).tolist() == [[7], [8]]
        on, off = np.array(1), np.array(0)
        assert wh.openvino.one_hot(np.array([1]), 2, on, on, -1).tolist() == [[1, 1]]
        assert wh.openvino.one_hot(np.array([1]), 2, on, off, -1).tolist() == [[0, 1]]


def test_what_is_refused_stays_refused() -> None:
    """An index that is bad the next time, sizes that do not fit, limits that are in force."""
    table, picks = np.arange(4), np.array([[0], [3]])
    for _ in range(4):
        assert wh.onnx.gather_nd(table, picks).tolist() == [0, 3]
    with pytest.raises(IndexOutOfRangeError, match=r"ONNX GatherND-13: indices\[1, 0\] is 4"):
        wh.onnx.gather_nd(table, np.array([[0], [4]]))
    with pytest.raises(InvalidValueError, match="ONNX Transpose"):
        wh.onnx.transpose(X, perm=[0, 1, 1])
    for _ in range(4):
        wh.onnx.tile(X, [2, 2, 2])
    with limited(Limits(bytes=100)), pytest.raises(ResourceLimitError):
        wh.onnx.tile(X, [2, 2, 2])
    assert wh.onnx.tile(X, [2, 2, 2]).shape == (4, 6, 8)


def test_descriptions_run_again_on_other_buffers() -> None:
    tensor = wh.directml.BufferTensorDesc
    descs = [
        wh.directml.GatherOperatorDesc(
            tensor("FLOAT32", [4]), tensor("INT64", [2]), tensor("FLOAT32", [2]), axis=0, index_dimensions=1
        )
        for _ in range(2)
    ]
    for turn in range(6):
        data, indices = np.arange(4, dtype=np.float32) + turn, np.array([turn % 4, -1])
        out = np.zeros(2, np.float32)
        bindings = {"input_tensor": data, "indices_tensor": indices, "output_tensor": out}
        wh.directml.execute(descs[turn % 2], bindings)
        assert out.tolist() == [turn % 4 + turn, 3 + turn]
        with pytest.raises(InvalidValueError, match="shares"):
            wh.directml.execute(descs[0], {**bindings, "output_tensor": data[:2]})
        out.flags.writeable = False
        with pytest.raises(InvalidValueError, match="read-only"):
            wh.directml.execute(descs[0], bindings)
        with pytest.raises(InvalidValueError, match="size in bytes is 4, allowed 8"):
            wh.directml.execute(descs[0], {**bindings, "output_tensor": np.zeros(1, np.float32)})


def test_the_store_is_bounded() -> None:
    calls = _core.RecentCalls(8)
    x = np.arange(3)
    for number in range(100):
        calls.keep((number, x), lambda arrays, number=number: {"y": arrays["in0"] + number}, [x])
        assert calls.run((number, x))[0].tolist() == [number, number + 1, number + 2]
        assert len(calls) <= 8
    assert calls.run((0, x)) is None
    assert calls.run((99.0, x)) is None
    assert calls.run([99, x]) is None


@pytest.mark.parametrize(
    "strange", [object(), 2**64, "\ud800", [[[[[1]]]]], {"x": object()}, list(range(1000)), np.ma.array([1]), {1}]
)
def test_arguments_that_cannot_be_told_apart_are_not_kept(strange: object) -> None:
    calls = _core.RecentCalls(8)
    x = np.arange(3)
    calls.keep((strange, x), lambda arrays: arrays, [x])
    assert len(calls) == 0
    assert calls.run((strange, x)) is None


def test_threads_call_at_once() -> None:
    wrong: list[object] = []

    def work(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for _ in range(300):
            x = rng.integers(0, 9, tuple(rng.integers(1, 4, 2)))
            if not np.array_equal(wh.onnx.transpose(x, perm=[1, 0]), x.T):
                wrong.append(x)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_one_array_in_two_places() -> None:
    """An array that is moved and that decides is told from one that is moved twice."""
    shape = np.array([2])
    for both in (shape, np.array([1]), shape):
        for _ in range(3):
            with nullcontext() if both[0] == 1 else pytest.raises(InvalidValueError):
                wh.onnx.reshape(both, both)
    for first, second in ((X, X), (X, X + 1), (X + 1, X + 1)):
        for _ in range(3):
            assert_same_bits(wh.onnx.concat([first, second], axis=0), np.concatenate([first, second]))


def test_a_function_is_asked_where_nothing_is_kept() -> None:
    calls, asked = _core.RecentCalls(4), []

    @calls.answers
    def function(*given: object, out: object = None, **named: object) -> str:
        asked.append((*given, named))
        calls.keep((*given, named), lambda arrays: {"out0": "kept"}, [])
        return "own"

    assert [function(1, a=[2]), function(1, a=[2]), function(1, a=[2], out=None)] == ["own", "kept", "kept"]
    assert [function(1, a=[2], out=X), function(1, a=[3]), function(2, a=[2]), function(1, b=[2])] == ["own"] * 4
    assert [function(1), function(1), function(), function()] == ["own", "kept", "own", "kept"]
    assert function(object()) == "own"
    assert asked[0] == (1, {"a": [2]})
    assert function.__wrapped__(1, a=[2]) == "own"


def test_what_the_program_of_a_function_raises_comes_out() -> None:
    calls = _core.RecentCalls(4)
    calls.keep((1, {}), lambda arrays: 1 // 0, [])
    with pytest.raises(ZeroDivisionError):
        calls.answers(lambda given: "own")(1)


@pytest.mark.parametrize(
    ("axis", "bounds"), [(0, [0, 1, 4]), (1, [0, 2]), (1, [1, 3, 2]), (2, [0]), (0, []), (0, [-1, 1])]
)
def test_parts_lie_within_their_array(axis: int, bounds: list[int]) -> None:
    array = X[0]
    ascends = bool(bounds) and bounds[0] >= 0 and sorted(bounds) == bounds
    if axis < array.ndim and ascends and bounds[-1] <= array.shape[axis]:
        (part,) = _core.parts(array, axis, bounds)
        assert_same_bits(part, array.take(range(*bounds), axis))
        assert np.shares_memory(part, array) == (part.size > 0)
    else:
        with pytest.raises(ValueError, match="bound"):
            _core.parts(array, axis, bounds)


@pytest.mark.parametrize("given", [1, 2, 3, 0, -3, 7, 2**70, True, [1, 5], [6], [0, 6, 0], [], [-1, 7], [2, 5], (3, 3)])
def test_split_cuts_what_is_plain_and_leaves_the_rest(given: Any) -> None:
    data = np.arange(12).reshape(2, 6)[::-1]
    parts = _core.split(data, given, 1)
    if type(given) is int and given in (1, 2, 3):
        cuts: Any = given
    elif type(given) is list and sum(given) == 6 and min(given) >= 0:
        cuts = np.cumsum(given)[:-1]
    else:
        assert parts is None
        return
    assert parts is not None
    for part, expected in zip(parts, np.split(data, cuts, 1), strict=True):
        assert_same_bits(part, expected)
        assert np.shares_memory(part, data) == (part.size > 0)


def test_split_leaves_what_is_no_plain_array_or_axis() -> None:
    data = np.arange(6)
    assert _core.split(None, None, None) is None
    assert _core.split(data.tolist(), 2, 0) is None
    assert _core.split(data.view(np.recarray), 2, 0) is None
    assert _core.split(data, 2, -1) is None
    assert _core.split(data, 2, 1) is None
    assert _core.split(data, 2, True) is None
    assert _core.split(data[:0], 2, 0) is None  # whose parts the operator tells
    assert _core.split(np.array(3), 1, 0) is None


def test_copies_are_new_or_go_to_what_is_written() -> None:
    results = {"a": np.arange(3), "b": np.array(["x", None], object)}
    copies = _core.Copies(results)
    for _ in range(2):
        made = copies({})
        for name, result in results.items():
            assert made[name] is not result
            assert made[name].tolist() == result.tolist()
            made[name][:] = 0
    written = {"a": np.zeros(6, np.int64)[::2], "b": np.array([None, None])}
    assert copies({}, written) is written
    assert [each.tolist() for each in written.values()] == [[0, 1, 2], ["x", None]]
    with pytest.raises(KeyError):
        copies({}, {"a": written["a"]})


def test_strings_are_packed_again_and_what_is_no_run_is_refused_each_time() -> None:
    symbols = np.frombuffer("aßc\u20acd".encode() + b"\xff", np.uint8)
    begins = np.array([[0, 1, 3], [4, 7, 8]], np.int32)
    for last in (9, 10, 9, 8, 9):
        ends = np.array([[1, 3, 4], [7, 8, last]], np.int32)
        if last > len(symbols):
            with pytest.raises(
                IndexOutOfRangeError, match=r"the run at \[1, 2\] is 8..10, allowed 0 <= begin <= end <= 9"
            ):
                wh.openvino.string_tensor_pack(begins, ends, symbols)
            continue
        for turned in (slice(None), slice(None, None, -1)):
            made = wh.openvino.string_tensor_pack(begins[turned], ends[turned], symbols)
            assert made[turned].tolist() == [["a", "ß", "c"], ["\u20ac", "d", "\udcff" if last == 9 else ""]]


@pytest.mark.parametrize("ascending", [0, 1])
@pytest.mark.parametrize("dtype", ["int8", "uint64", "float32", "float64", "bool"])
def test_unique_again_is_unique_anew(dtype: str, ascending: int) -> None:
    rng = np.random.default_rng(1)
    for _ in range(6):
        data = rng.integers(0, 5, (4, 6)).astype(dtype)
        if data.dtype.kind == "f":
            data[data == 3] = np.nan
        for view in (data, data.T, data[::-1, ::2]):
            again = wh.onnx.unique(view, sorted=ascending)
            anew = wh.onnx.unique(view.tolist() if dtype == "bool" else view.copy(), sorted=ascending)
            for one, other in zip(again, anew, strict=True):
                assert_same_bits(one, other)
            values = view.ravel()
            assert_same_bits(again.Y, values[again.indices])
            assert_same_bits(again.Y[again.inverse_indices], values)


def test_copies_that_broadcast() -> None:
    src, out = np.arange(6, dtype=np.int16).reshape(2, 1, 3), np.zeros((4, 2, 5, 3), np.int16)
    for _ in range(3):
        assert wh.copy(src, out) is out
        assert_same_bits(out, np.broadcast_to(src, out.shape))
    with pytest.raises(
        InvalidValueError, match=r"src has sizes \[2, 1, 3\], allowed sizes that broadcast to \[4, 5, 3\]"
    ):
        wh.copy(src, out[:, 0])
    first = out[0, 1:].copy()
    wh.copy(out[0, 1:], out[0])
    assert_same_bits(out[0], np.broadcast_to(first, out[0].shape))


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="NumPy has it from version 2 on")
def test_strings_with_storage_of_their_own() -> None:
    dtype = np.dtypes.StringDType()
    data = np.array([f"{'long' * (k % 9)}{k}" for k in range(24)], dtype).reshape(4, 6)
    for _ in range(3):  # planned, by the kept plan, and again
        for indices in (np.array([3, 0, -1, 2]), np.array([[1], [-4]])):
            for axis in (0, 1, -1):
                assert wh.gather(data, indices, axis).tolist() == np.take(data, indices, axis).tolist()
        rows = wh.gather(data[1:], np.array([2, 7, 0]), 0, out_of_range="zero")
        assert rows.tolist() == [*data[3:].tolist(), [""] * 6, *data[1:2].tolist()]
        turned = wh.onnx.transpose(data[::-1])
        assert turned.tolist() == data[::-1].T.tolist()
        at, updates = np.array([[5, 1], [0, -1]]), np.array([["x" * 40, "y"], ["", "z" * 300]], dtype)
        made = wh.onnx.scatter_elements(data, at, updates, axis=1)
        expected = data.copy()
        np.put_along_axis(expected[:2], at, updates, 1)
        assert made.tolist() == expected.tolist()
        with pytest.raises(IndexOutOfRangeError, match=r"wherry.gather: indices\[1\] is 4, allowed -4..3"):
            wh.gather(data, np.array([0, 4]))
        with pytest.raises(InvalidValueError, match="axis is 2"):
            wh.gather(data, np.array([0]), 2)


def test_a_kept_plan_without_a_program_tells_who_calls() -> None:
    data, indices = np.array(["a", "b"], np.dtypes.StringDType()), np.array([0, 2])
    for _ in range(3):
        with pytest.raises(IndexOutOfRangeError, match=r"^ONNX Gather"):
            wh.onnx.gather(data, indices, axis=0)
        with pytest.raises(IndexOutOfRangeError, match=r"^wherry\.gather"):
            wh.gather(data, indices)
        assert wh.onnx.gather(data, np.array([1, 0])).tolist() == ["b", "a"]


def test_records_are_told_by_the_names_of_their_fields() -> None:
    fields, inner = [("a", "i4"), ("b", "O")], np.dtype([("c", "i2")])
    first, second = np.zeros(3, fields), np.zeros(3, fields)
    nested = np.zeros(3, [("a", inner), ("b", inner, (2,))])
    for _ in range(4):
        assert wh.concat([first, second], 0).dtype.names == ("a", "b")
        assert wh.concat([nested, nested[:1]], 0).dtype["a"].names == ("c",)
    for array in (first, second):
        array.dtype.names = ("a", "other")
        if array is first:
            with pytest.raises(InvalidTypeError, match="convert it"):
                wh.concat([first, second], 0)
    nested.dtype["a"].names = ("d",)
    for _ in range(4):
        assert wh.concat([first, second], 0).dtype.names == ("a", "other")
        assert wh.concat([nested, nested[:1]], 0).dtype["a"].names == ("d",)
