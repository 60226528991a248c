"""Calls on sizes that did not come before: the answers and the refusals of plans, without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from wherry import _core
from wherry.engine import call as planned
from wherry.errors import InvalidValueError, ResourceLimitError, WherryError
from wherry.moves.calculate import FUNCTIONS as FUNCTIONS_OF_CORE
from wherry.moves.move import ELEMENT_NUMBER

Array = np.ndarray[Any, Any]

FUNCTIONS: dict[str, Callable[..., Array]] = {
    "transpose": lambda x, **out: wh.onnx.transpose(x, perm=[2, 0, 1], **out),
    "reverse axes": wh.onnx.transpose,
    "reshape": lambda x, **out: wh.onnx.reshape(x, [0, -1], **out),
    "flatten": lambda x, **out: wh.onnx.flatten(x, axis=2, **out),
    "slice": lambda x, **out: wh.onnx.slice(x, [1, -3], [9, -1], axes=[0, 2], **out),
    "slice backwards": lambda x, **out: wh.onnx.slice(x, [-1], [-4], axes=[-1], steps=[-2], **out),
    "concat": lambda x, **out: wh.onnx.concat([x, x[::-1]], axis=1, **out),
    "wherry.concat": lambda x, **out: wh.concat([x, x, x], axis=-1, **out),
    "expand": lambda x, **out: wh.onnx.expand(x[:, :1], [2, 1, 4, 1], **out),
    "tile": lambda x, **out: wh.onnx.tile(x, [1, 0, 3], **out),
    "pad": lambda x, **out: wh.onnx.pad(x, [0, 1, 2, 3, 0, 0], **out),
    "pad of an axis": lambda x, **out: wh.openvino.pad(x, [0, 0, 1], [2, 0, 0], pad_mode="constant", **out),
    "cast": lambda x, **out: wh.onnx.cast(x, to="int16", **out),
    "clip": lambda x, **out: wh.onnx.clip(x, -1.0, 1.0, **out),
    "squeeze": lambda x, **out: wh.onnx.squeeze(x[:, :1], axes=[1], **out),
    "unsqueeze": lambda x, **out: wh.onnx.unsqueeze(x, axes=[0, -1], **out),
    "openvino": lambda x, **out: wh.openvino.transpose(x, [1, 0, 2], **out),
    "gather": lambda x, **out: wh.onnx.gather(x, np.array([1, -1]), axis=1, **out),
    "gather elements": lambda x, **out: wh.onnx.gather_elements(x, places(x[:1]), axis=0, **out),
    "gather elements, zeros": lambda x, **out: wh.openvino.gather_elements(x, places(x), axis=-1, **out),
    "gather nd": lambda x, **out: wh.onnx.gather_nd(x, pairs(x), **out),
    "scatter elements": lambda x, **out: wh.onnx.scatter_elements(x, places(x[:, :1]), -x[:, :1], axis=1, **out),
    "scatter added": lambda x, **out: wh.onnx.scatter_elements(x, places(x), x, axis=2, reduction="add", **out),
    "scatter nd": lambda x, **out: wh.onnx.scatter_nd(x, pairs(x), np.ones((3, x.shape[2]), np.float32), **out),
    "add": lambda x, **out: wh.onnx.add(x, x[::-1], **out),
    "sub": lambda x, **out: wh.onnx.sub(x, x[:, :1], **out),
    "add two ranks": lambda x, **out: wh.onnx.add(x, np.ones(x.shape[2], np.float32), **out),
    "less": lambda x, **out: wh.onnx.less(x, -x, **out),
    "neg": wh.onnx.neg,
    "abs": wh.openvino.abs,
    "max": lambda x, **out: wh.onnx.max([x, -x], **out),
    "quotients": lambda x, **out: wh.onnx.div(whole(x), whole(x) | 1, **out),
    "quotients by 0": lambda x, **out: wh.onnx.div(whole(x), whole(x) - 1, **out),
    "remainders": lambda x, **out: wh.onnx.mod(whole(x), whole(x) | 1, **out),
    "quotients of floats": lambda x, **out: wh.onnx.div(x, x, **out),
    "clip by numbers": lambda x, **out: wh.onnx.clip(x, np.float32(-1), np.float32(0), **out),
    "clip by one": lambda x, **out: wh.onnx.clip(x, max=-0.0, **out),
    "clamp": lambda x, **out: wh.openvino.clamp(x, min=-1.0, max=0.0, **out),
    "place of the greatest": lambda x, **out: wh.onnx.arg_max(x, axis=1, keepdims=0, **out),
    "place of the last": lambda x, **out: wh.onnx.arg_min(x, axis=0, select_last_index=1, **out),
    "greatest": lambda x, **out: wh.onnx.reduce_max(x, axes=[0, -1], **out),
    "triangle": lambda x, **out: wh.onnx.trilu(x, upper=0, **out),
    "reshape by an array": lambda x, **out: wh.onnx.reshape(x, np.array([x.shape[2], -1]), **out),
    "slice by arrays": lambda x, **out: wh.onnx.slice(x, np.array([x.shape[1] // 2]), np.array([9]), axes=[1], **out),
    "tile by an array": lambda x, **out: wh.onnx.tile(x, np.array([1, x.shape[0] % 3, 2]), **out),
    "unsqueeze by an array": lambda x, **out: wh.onnx.unsqueeze(x, np.array([x.shape[0] % 3]), **out),
    "openvino by an array": lambda x, **out: wh.openvino.unsqueeze(x, np.array([x.shape[0] % 3]), **out),
    "pad with a value": lambda x, **out: wh.onnx.pad(x, [0, 1, 2, 3, 0, 0], np.float32(-0.0), **out),
    "pad with a number": lambda x, **out: wh.webnn.pad(x, [0, 1, 2], [1, 0, 0], value=7.5, **out),
    "where": lambda x, **out: wh.onnx.where(x > 0, x[:, :1], -x, **out),
    "where of bytes": lambda x, **out: wh.webnn.where((x > 0).astype(np.uint8) * 3, x, x[:1], **out),
    "one hot": lambda x, **out: wh.onnx.one_hot(places(x), np.array(3), np.array([-0.0, 2]), axis=1, **out),
    "one hot of a size": lambda x, **out: wh.onnx.one_hot(places(x), np.array(len(x) + 1), np.array([0, 2]), **out),
    "one hot of numbers": lambda x, **out: wh.openvino.one_hot(places(x), 4, np.int8(7), np.int8(-1), 0, **out),
    "sum": lambda x, **out: wh.onnx.reduce_sum(whole(x), np.array([-1, 0]), keepdims=0, **out),
    "product of all": lambda x, **out: wh.onnx.reduce_prod(whole(x), **out),
    "least of halves": lambda x, **out: wh.onnx.reduce_min(x.astype(np.float16), [1], **out),
    "all": lambda x, **out: wh.openvino.reduce_logical_and(x > -1, [2], **out),
    "extremes of no axes": lambda x, **out: wh.openvino.reduce_max(x, np.array([], np.int64), **out),
    "sum of zeros": lambda x, **out: wh.webnn.reduce_max(x * 0, axes=[0, 2], **out),
    "running sum": lambda x, **out: wh.onnx.cum_sum(whole(x), np.array(-2), exclusive=1, reverse=1, **out),
    "small place": lambda x, **out: wh.webnn.arg_min(x + 1, 2, output_data_type="int32", **out),
    "depth to space": lambda x, **out: wh.onnx.depth_to_space(np.stack([flat(x)] * 4)[None], 2, mode="CRD", **out),
    "space to depth": lambda x, **out: wh.onnx.space_to_depth(np.tile(x, (1, 2, 2))[None], 2, **out),
    "shuffled channels": lambda x, **out: wh.openvino.shuffle_channels(x.repeat(2, 1), axis=1, group=2, **out),
    "reversed": lambda x, **out: wh.openvino.reverse(x, np.array([-1, 0]), mode="index", **out),
    "reversed by webnn": lambda x, **out: wh.webnn.reverse(x + 1, **out),
    "rolled": lambda x, **out: wh.openvino.roll(x, np.array([1, -2]), np.array([0, -1]), **out),
    "eye like": lambda x, **out: wh.onnx.eye_like(flat(x), k=-1, dtype="int16", **out),
    "eye": lambda x, **out: wh.openvino.eye(
        np.array(len(x)), np.array(x.shape[1]), np.array(1), output_type="f32", **out
    ),
    "compressed": lambda x, **out: wh.onnx.compress(x, np.arange(x.shape[1]) % 2 == 1, axis=1, **out),
    "compressed elements": lambda x, **out: wh.onnx.compress(x, np.arange(4) % 2 == 0, **out),
    "cast like": lambda x, **out: wh.onnx.cast_like(x, np.zeros(2, np.int16), **out),
    "strided": lambda x, **out: wh.openvino.strided_slice(
        x, np.array([-1, 1]), np.array([-9, 3]), np.array([-2, 1]), begin_mask=[0, 1], end_mask=[1, 0], **out
    ),
    "strided and shrunk": lambda x, **out: wh.openvino.strided_slice(
        x, [1, -1, 0], [2, 0, 9], begin_mask=[0, 0, 0], end_mask=[0, 0, 0], shrink_axis_mask=[0, 1], **out
    ),
    "scatter update": lambda x, **out: wh.openvino.scatter_update(
        x, np.array([[1, 0], [2, 1]]), counted(len(x), 2, 2, x.shape[2]), np.array(1), **out
    ),
    "scatter update of one": lambda x, **out: wh.openvino.scatter_update(
        x, np.array(0), counted(*x.shape[:2]), -1, **out
    ),
    "window": lambda x, **out: wh.onnx.tensor_scatter(x, x[:, :, :1] + 1, np.arange(len(x)) % 3, axis=2, **out),
    "replaced slice": lambda x, **out: wh.openvino.slice_scatter(
        x, -x[:, 1::2], np.array([1]), np.array([99]), np.array([2]), np.array([1]), **out
    ),
    "reversed sequences": lambda x, **out: wh.onnx.reverse_sequence(
        x, np.minimum(np.arange(x.shape[1]) % 4, len(x)), **out
    ),
    "reversed sequences of openvino": lambda x, **out: wh.openvino.reverse_sequence(
        x, np.arange(len(x), dtype=np.int32) % 3, batch_axis=0, seq_axis=2, **out
    ),
    "slice of webnn": lambda x, **out: wh.webnn.slice(x, [1, 0, 0], [1, 2, 1], strides=[1, 2, 1], **out),
    "axis by an array": lambda x, **out: wh.openvino.gather(x, np.array([0, 0]), np.array(1), **out),
    "where of a list": lambda x, **out: wh.onnx.where([True], x, -x, **out),
    "expand by an array": lambda x, **out: wh.onnx.expand(x, np.array([2, *x.shape]), **out),
}


def places(x: Array) -> Array:
    """Positions of two on each axis, some from its end: there are not always so many."""
    return np.arange(x.size).reshape(x.shape) % 4 - 2


def pairs(x: Array) -> Array:
    return np.array([[0, -1], [len(x) - 1, 0], [len(x) % 3, 1]])


def counted(*sizes: int) -> Array:
    return np.arange(np.prod(sizes), dtype=np.float32).reshape(sizes)


def flat(x: Array) -> Array:
    return x.reshape(len(x), x.shape[1] * x.shape[2])


def whole(x: Array) -> Array:
    return (x * 3).astype(np.int32)


SIZES = st.tuples(*[st.integers(0, 5)] * 3)


def data(sizes: tuple[int, ...], step: int = 1) -> Array:
    whole = np.random.default_rng(sum(sizes)).standard_normal((*sizes[:-1], sizes[-1] * step)).astype(np.float32)
    return whole[..., ::step]


def answer(function: Callable[..., Array], *given: Any, **out: Any) -> Array | tuple[type, str]:
    try:
        return function(*given, **out)
    except WherryError as error:
        return type(error), str(error)


def by_plan(function: Callable[..., Array], x: Array) -> Array | tuple[type, str]:
    """The answer under limits that are not the default ones, which no shortcut knows."""
    with wh.limited(wh.Limits(bytes=2**40)):
        return answer(function, x)


def into(function: Callable[..., Array], x: Array, found: Array) -> Array | tuple[type, str]:
    """The answer in an array whose elements lie apart."""
    out = np.empty(found.shape[::-1], found.dtype).T
    given = answer(function, x, out=out)
    assert isinstance(given, tuple) or given is out
    return given


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
@given(SIZES, SIZES, st.integers(1, 2))
def test_other_sizes_have_the_answers_of_a_plan(
    function: Callable[..., Array], first: tuple[int, ...], second: tuple[int, ...], step: int
) -> None:
    answers = {sizes: by_plan(function, data(sizes, step)) for sizes in {first, second}}
    for sizes in (first, second, first, second, second):
        x = data(sizes, step)
        found, expected = answer(function, x), answers[sizes]
        if isinstance(found, tuple) or isinstance(expected, tuple):
            assert found == expected
            continue
        assert (found.dtype, found.shape, found.flags.c_contiguous) == (expected.dtype, expected.shape, True)
        assert found.tobytes() == expected.tobytes()
        assert not np.may_share_memory(found, x)
        written = into(function, x, expected)
        assert isinstance(written, np.ndarray)
        assert written.tobytes() == expected.tobytes()


def plans(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    made: list[object] = []
    own = planned._plan
    monkeypatch.setattr(planned, "_plan", lambda *given: made.append(given[0]) or own(*given))
    return made


def test_a_plan_is_made_for_the_first_call_and_for_sizes_that_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = plans(monkeypatch)
    shapes = [(n, 7) for n in range(1, 30)]
    for sizes in shapes:
        wh.onnx.tile(np.zeros(sizes, np.uint16), [1, 2])
    assert len(made) == 1
    for _ in range(3):
        for sizes in shapes[1:4]:
            wh.onnx.tile(np.zeros(sizes, np.uint16), [1, 2])
    assert len(made) == 4


def test_sizes_that_come_again_much_later_are_new(monkeypatch: pytest.MonkeyPatch) -> None:
    made = plans(monkeypatch)
    for _ in range(3):
        for n in range(1, 1500):
            wh.onnx.tile(np.zeros((n, 1), np.int8), [1, 2])
    assert len(made) == 1


def test_many_calls_in_turn_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = [np.zeros((n, 1), np.uint32) for n in range(1, 600)]
    for _ in range(2):
        for x in arrays:
            wh.onnx.tile(x, [1, 2])
    made = plans(monkeypatch)
    for x in arrays:
        wh.onnx.tile(x, [1, 2])
    assert len(made) < 150  # those whose place among the calls that came was taken by another


def test_a_transpose_has_a_plan_for_the_first_call_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    made = plans(monkeypatch)
    for _ in range(3):
        for n in range(1, 30):
            x = np.arange(n * 7, dtype=np.uint32).reshape(n, 7)
            assert wh.onnx.transpose(x).tolist() == x.T.tolist()
    assert len(made) == 1


def test_what_is_refused_is_refused_in_the_same_words() -> None:
    wide, narrow, x = np.zeros((2, 3), np.int32), np.zeros((2, 4), np.int32), np.zeros((3, 3), np.int32)
    wh.onnx.concat([wide, wide], axis=0)
    with pytest.raises(InvalidValueError) as first:
        wh.onnx.concat([wide, narrow], axis=0)
    with pytest.raises(InvalidValueError) as second:
        wh.onnx.concat([wide, narrow], axis=0, out=np.empty((4, 3), np.int32))
    assert str(first.value) == str(second.value)
    wh.onnx.transpose(x)
    with wh.limited(wh.Limits(bytes=100)), pytest.raises(ResourceLimitError):
        wh.onnx.transpose(np.zeros((6, 5), np.int32))


def test_large_arrays_have_a_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    made = plans(monkeypatch)
    for n in (1, 1600, 1601):
        wh.onnx.transpose(np.zeros((n, 500), np.float64))
    assert len(made) == 3


def test_the_same_array_twice_and_arrays_that_are_no_inputs() -> None:
    x = np.arange(6.0).reshape(2, 3)
    assert wh.onnx.concat([x, x], axis=0).shape == (4, 3)
    y = np.arange(8.0).reshape(2, 4)
    assert wh.onnx.concat([y, -y], axis=0).tolist() == [*y.tolist(), *(-y).tolist()]
    for sizes in ([3, 2], [6, 1], [1, 6]):  # an array that decides the sizes
        assert wh.onnx.reshape(x, np.array(sizes)).shape == tuple(sizes)


def test_what_raises_is_nothing_to_a_caller_but_what_stops_a_program() -> None:
    calls, x = _core.RecentCalls(4), np.zeros((2, 3))

    def fails(array: Array) -> Array:
        raise ValueError

    def stops(array: Array) -> Array:
        raise KeyboardInterrupt

    calls.keep_for_any_sizes(("a", x), fails, [x], False)
    calls.keep_for_any_sizes(("b", x), stops, [x], False)
    assert calls.run(("a", np.zeros((2, 4)))) is None
    with pytest.raises(KeyboardInterrupt):
        calls.run(("b", np.zeros((2, 4))))
    assert calls.run(("c", np.zeros((2, 4)))) is None


def test_calls_of_all_results_are_answered_too() -> None:
    calls, x = _core.RecentCalls(4), np.zeros((2, 3))
    calls.keep_for_any_sizes((x,), np.negative, [x], False)
    assert not calls.lacks_for_any_sizes((np.zeros((9, 9)),))
    assert calls.lacks_for_any_sizes((np.zeros(9),))
    (found,) = calls.run((np.ones((1, 2)),)) or ()
    assert found.tolist() == [[-1, -1]]


def test_the_parts_of_new_sizes_are_views() -> None:
    for n in range(1, 12):
        x = np.arange(4 * n).reshape(4, n)
        for parts in (
            wh.onnx.split(x, num_outputs=3),
            wh.openvino.split(x, 0, num_splits=2),
            wh.openvino.split(x, np.array(0), num_splits=2),
            wh.webnn.split(x, 2),
        ):
            assert [len(part) for part in parts] == ([2, 2, 0] if len(parts) == 3 else [2, 2])
            assert np.concatenate(parts).tolist() == x.tolist()
            assert all(part.size == 0 or np.may_share_memory(part, x) for part in parts)
    with pytest.raises(InvalidValueError, match="divisor of 5"):
        wh.openvino.split(np.zeros((5, 1)), 0, num_splits=2)


def test_webnn_refuses_parts_that_do_not_fit_other_sizes() -> None:
    for n in (4, 5, 6, 7):
        x = np.zeros((n, 3), np.float32)
        if n % 2:
            with pytest.raises(InvalidValueError, match=f"divisor of {n}"):
                wh.webnn.split(x, 2)
        else:
            assert [len(part) for part in wh.webnn.split(x, 2)] == [n // 2, n // 2]
    for n in (4, 3, 2):
        assert wh.webnn.slice(np.zeros((n, 3), np.float32), [0, 0], [2, 1]).shape == (2, 1)
    with pytest.raises(InvalidValueError, match="inside"):
        wh.webnn.slice(np.zeros((1, 3), np.float32), [0, 0], [2, 1])


def test_different_elements_of_new_sizes_need_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    for function in (wh.onnx.unique, wh.openvino.unique):
        function(np.array([2, 1]))
    made = plans(monkeypatch)
    for n in range(3, 20):
        x = np.arange(n) * 7 % 5
        for function in (wh.onnx.unique, wh.openvino.unique):
            found = function(x)
            for one, other in zip(found, np.unique(x, True, True, True), strict=True):
                assert one.tolist() == other.tolist()
    assert made == []


def test_values_that_are_new_are_a_new_call(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.arange(3.0)
    wh.onnx.expand(x, np.array([1, 3]))
    made = plans(monkeypatch)
    for n in range(2, 20):
        assert wh.onnx.expand(x, np.array([n, 3])).shape == (n, 3)
    assert made == []


def test_arrays_that_are_no_inputs_decide_by_their_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, x, axis = _core.RecentCalls(64), np.zeros((2, 3)), np.array([1])
    for one in (axis, axis + 1):
        assert calls.keep_for_any_sizes((x, one), lambda x, n=int(one[0]): x + n, [x], False)
    assert not calls.keep_for_any_sizes((x, np.zeros(17)), np.negative, [x], False)  # of many
    assert not calls.keep_for_any_sizes((x, np.zeros(4)[::2]), np.negative, [x], False)  # scattered
    y = np.zeros((1, 1))
    for number, expected in ((1, 1), (2, 2), (3, None)):
        found = calls.run((y, np.array([number])))
        assert (None if found is None else found[0].item()) == expected
    assert calls.run((y, axis[0])) is None
    made = plans(monkeypatch)
    for n in range(2, 9):
        for axis in (0, 1):
            x = np.arange(2.0 * n).reshape(2, n)
            assert wh.openvino.gather(x, np.array([1]), np.array(axis)).tolist() == x.take([1], axis).tolist()
    assert len(made) <= 2


def test_inputs_made_of_arguments_are_the_same_for_other_sizes() -> None:
    calls, x = _core.RecentCalls(8), np.zeros((2, 3))
    calls.keep_for_any_sizes((x, 5), np.add, [x, np.array([5])], False)
    assert (calls.run((np.ones((1, 1)), 5)) or [None])[0].tolist() == [[6]]
    assert calls.run((np.ones((1, 1)), 6)) is None
    assert not calls.keep_for_any_sizes((x, 7), np.add, [np.array([k]) for k in range(40)], False)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, np.uint64, np.int32, np.float16, np.bool_])
def test_reductions_of_any_axes_and_strides(dtype: type) -> None:
    rng = np.random.default_rng(0)
    compared = 0
    functions = [wh.onnx.reduce_max, wh.onnx.reduce_min] + [wh.onnx.reduce_sum, wh.onnx.reduce_prod] * (
        dtype in (np.int32, np.uint64)
    )
    for function in functions:
        for axes in (None, [0], [-1], [2, 0], [1, 0, 2]):
            for keepdims in (0, 1):
                for n in range(5):
                    whole = (rng.standard_normal((n, 8, 4)) * 3).astype(dtype)
                    if n == 3 and np.dtype(dtype).kind == "f":
                        whole[..., 0], whole[..., 1] = np.nan, -0.0
                    for x in (whole, whole[:, ::-2], np.asfortranarray(whole)):
                        found = function(x, axes, keepdims=keepdims)
                        out = np.empty(found.shape, dtype)
                        assert found.tobytes() == function(x, axes, keepdims=keepdims, out=out).tobytes()
                        compared += 1
    assert compared == len(functions) * 150


def test_a_reduction_as_a_function() -> None:
    add = FUNCTIONS_OF_CORE.index("add")
    function = _core.Reducing([0], True, add, ELEMENT_NUMBER[np.dtype(np.int32)], bytes(4))
    x = np.arange(6, dtype=np.int32).reshape(2, 3)
    found = function(x)
    assert found is not None
    assert found.tolist() == [[3, 5, 7]]
    assert function(x[0, :1].reshape(())) is None
    assert function(np.zeros((2, 2**20), np.int32)) is None
    assert _core.Reducing([0, -2], True, add, 2, bytes(4))(x) is None
    for wrong in (np.zeros(3), np.array(["a"], object), [1]):
        with pytest.raises((ValueError, TypeError)):
            function(wrong)  # type: ignore[arg-type]
    for element, of_none in ((15, bytes(4)), (-1, bytes(4)), (0, bytes(3))):
        with pytest.raises(ValueError, match="element"):
            _core.Reducing(None, True, add, element, of_none)


def test_places_of_what_is_not_zero_need_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    wh.onnx.non_zero(np.ones((2, 2), np.float32))
    made = plans(monkeypatch)
    for n in range(1, 20):
        x = (rng.random((n, 3)) < 0.5).astype(np.float32)
        assert wh.onnx.non_zero(x).tolist() == np.array(np.nonzero(x)).tolist()
    assert made == []


@pytest.mark.parametrize("size", [300, 10_000])
@pytest.mark.parametrize("gives_out", [False, True])
def test_what_many_elements_decide_needs_no_plan(gives_out: bool, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    x = rng.random((size, 2))
    wh.onnx.compress(x, np.ones(size, np.bool_), axis=0)
    made = plans(monkeypatch)
    for _ in range(5):
        condition = rng.random(size) < 0.5
        expected = x[condition]
        for _ in range(3):  # also where the same elements come again
            out = {"out": np.empty_like(expected)} if gives_out else {}
            assert wh.onnx.compress(x, condition, axis=0, **out).tolist() == expected.tolist()
    assert made == []
    with pytest.raises(InvalidValueError, match="condition"):
        wh.onnx.compress(x[:-1], np.ones(size, np.bool_), axis=0, **out)


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - {"quotients by 0", "eye", "one hot of a size"}))
def test_only_the_first_call_of_all_with_out_has_a_plan(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given = [data((n, n - 3, n + 2)) for n in range(9, 16)]
    expected = [FUNCTIONS[name](x) for x in given]
    made = plans(monkeypatch)
    for x, result in zip(given, expected, strict=True):
        out = np.full_like(result, 1)
        assert FUNCTIONS[name](x, out=out) is out
        assert out.tobytes() == result.tobytes()
    assert len(made) <= 1


def test_out_for_new_sizes_is_as_it_was_where_something_is_refused() -> None:
    for n in range(2, 9):
        x, out = np.arange(n * 2).reshape(n, 2), np.full((n + 1, 2), 7)
        with pytest.raises(InvalidValueError, match="out has sizes"):
            wh.onnx.transpose(x, [0, 1], out=out)
        with pytest.raises(WherryError, match="indices"):
            wh.onnx.gather_elements(x, np.full((n + 1, 2), n), axis=0, out=out)
        assert (out == 7).all()
        both = np.arange(n * n).reshape(n, n)
        expected = both.T.copy()
        assert wh.onnx.transpose(both, [1, 0], out=both) is both  # out is the input
        assert both.tolist() == expected.tolist()


def test_numbers_of_numpy_are_told_from_each_other() -> None:
    x = np.array([-3.0, -0.0, 0.5, 9.0], np.float32)
    for _ in range(3):
        assert wh.onnx.clip(x, np.float32(-1), np.float32(2)).tolist() == [-1, 0, 0.5, 2]
        assert wh.onnx.clip(x, np.float32(-2), np.float32(2)).tolist() == [-2, 0, 0.5, 2]
        with pytest.raises(WherryError):
            wh.onnx.clip(x, np.float64(-2), np.float32(2))

    class Number(np.float32):
        """Whose value is nobody's business."""

    assert wh.onnx.clip(x, Number(-1), np.float32(2)).tolist() == [-1, 0, 0.5, 2]
    calls = _core.RecentCalls(4)
    calls.keep_for_any_sizes((x, np.int8(1)), np.negative, [x], False)
    assert not calls.lacks_for_any_sizes((x, np.int8(1)))
    assert all(calls.lacks_for_any_sizes((x, one)) for one in (np.int8(2), np.int16(1), np.uint8(1), 1, True))
    assert not calls.keep_for_any_sizes((x, Number(1)), np.negative, [x], False)


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - {"quotients by 0", "eye", "one hot of a size"}))
def test_only_the_first_call_of_all_has_a_plan(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = plans(monkeypatch)
    for n in range(9, 16):
        FUNCTIONS[name](data((n, n - 3, n + 1)))
    assert len(made) <= 1


def test_a_permutation_of_axes_as_a_function() -> None:
    x = np.arange(24).reshape(2, 3, 4)
    function = _core.Transposing([2, 0, 1])
    found = function(x)
    assert found.tolist() == x.transpose(2, 0, 1).tolist()
    assert np.shares_memory(found, x)
    for perm in ([0, 0], [-1, 0], [2, 1], [2**40], list(range(65))):
        with pytest.raises(ValueError, match="axes"):
            _core.Transposing(perm)
    with pytest.raises(ValueError, match="number of axes"):
        function(x[0])
    with pytest.raises(TypeError, match="array"):
        function([1])  # type: ignore[arg-type]


def test_what_runs_a_call_is_found_when_it_comes_again() -> None:
    calls, x, asked = _core.RecentCalls(4), np.arange(3), []

    def find(arrays: dict[str, Array]) -> Callable[[dict[str, Array]], dict[str, Array]]:
        asked.append(arrays["in0"])
        return lambda arrays: {"out0": -arrays["in0"]}

    calls.keep((1, x), find, [x], is_found_again=True)
    assert [calls.run((1, x + n))[0].tolist() for n in range(3)] == [[0, -1, -2], [-1, -2, -3], [-2, -3, -4]]
    assert len(asked) == 1


@pytest.mark.parametrize("columns", [7, 250_000])
def test_a_plan_that_is_found_again_writes_to_out(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    condition, x = np.array([True, False, True, True, False]), np.arange(5.0 * columns).reshape(5, columns)
    out = np.zeros((3, columns, 2))[:, ::-1, 0]
    wh.onnx.compress(x, condition, axis=0, out=out)
    made = plans(monkeypatch)
    for step in range(1, 4):
        x += step
        assert wh.onnx.compress(x, condition.copy(), axis=0, out=out) is out
        assert np.array_equal(out, x[condition])
    source = np.asarray(out.base).reshape(-1, columns)[:5]
    expected = source[condition]
    wh.onnx.compress(source, condition, axis=0, out=out)  # lies where it reads
    assert np.array_equal(out, expected)
    assert made == []
    locked = out.view()
    locked.flags.writeable = False
    for _ in range(2):
        with pytest.raises(InvalidValueError, match="read-only"):
            wh.onnx.compress(x, condition, axis=0, out=locked)


def test_an_out_that_no_layout_describes_is_written_every_time() -> None:
    condition, x = np.array([True, False, True, True, False]), np.arange(35.0).reshape(5, 7)
    records = np.zeros((3, 7), np.dtype([("mark", "u1"), ("value", "f8")]))
    for _ in range(4):
        x += 1
        wh.onnx.compress(x, condition, axis=0, out=records["value"])
        assert np.array_equal(records["value"], x[condition])
        assert not records["mark"].any()


def test_results_that_are_the_same_each_time_are_written_to_out() -> None:
    for out in (np.zeros(2, np.int64), np.zeros((2, 2), np.int64)[:, 1]):
        for _ in range(4):
            out[...] = 7
            assert wh.onnx.shape(np.zeros((3, 4)), out=out) is out
            assert out.tolist() == [3, 4]


def test_inputs_made_of_lists_are_kept_with_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    calls: list[Callable[[Array], Array]] = [
        lambda x: wh.onnx.where([True, False, True], x, np.float32(0)),
        lambda x: wh.openvino.gather(x, [1, 0], 0),
        lambda x: wh.webnn.gather(x, [[0], [1]]),
        lambda x: wh.onnx.add(x, np.float32(1)),
    ]
    first = [call(x) for call in calls]
    made = plans(monkeypatch)
    for _ in range(3):
        for call, expected in zip(calls, first, strict=True):
            found = call(x.copy())
            assert found.tobytes() == expected.tobytes()
            found[...] = 9  # a result is the caller's own
            assert call(x + 1).tobytes() != expected.tobytes()
    assert made == []


def test_views_of_lists_are_views_of_their_own() -> None:
    for _ in range(3):
        parts = wh.onnx.split([1, 2, 3, 4], num_outputs=2)
        assert [part.tolist() for part in parts] == [[1, 2], [3, 4]]
        parts[0][...] = 9
