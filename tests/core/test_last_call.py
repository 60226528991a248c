"""The last call that the core answered by itself: one that differs in anything is not taken for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal as assert_same
from numpy.typing import NDArray

import wherry as wh
from wherry import _core
from wherry.dialects.call import answers
from wherry.errors import IndexOutOfRangeError, InvalidValueError, ResourceLimitError

Array = NDArray[Any]


class Counted:
    """A function of two arrays, and how often it was asked because the core did not answer."""

    def __init__(self, **rules: Any) -> None:
        self.asked = 0
        self.rules = rules
        self.calls = _core.RecentCalls(64)
        self.gather: Callable[..., Array] = answers(self.calls)(_gather)
        COUNTED[:] = [self]


COUNTED: list[Counted] = []


def call(*given: Any, out: Any = None, **named: Any) -> Array:
    one = COUNTED[0]
    one.asked += 1
    inputs = [array for array in given if isinstance(array, np.ndarray)]
    gathering = _core.Gathering(0, 0, "raise", "from_end")
    one.calls.keep_for_any_sizes((*given, named), gathering, inputs, makes_view=False, **one.rules)
    return inputs[0][inputs[1]]


def _gather(a: Any, b: Any, rule: Any = None, *, out: Any = None) -> Any:
    return call(a, b, rule, out=out)


X, PICKS = np.arange(12, dtype=np.float32).reshape(4, 3), np.array([3, 0])


def test_sizes_do_not_matter_and_all_else_does() -> None:
    one = Counted()
    for rows in range(1, 9):
        picks = np.arange(rows) - 1
        assert_same(
            one.gather(np.arange(rows * 2.0).reshape(rows, 2), picks), np.arange(rows * 2.0).reshape(-1, 2)[picks]
        )
    assert one.asked == 1
    others = [
        lambda: one.gather(X, PICKS),
        lambda: one.gather(X[..., None], PICKS),
        lambda: one.gather(X, PICKS.astype(np.int32)),
        lambda: one.gather(X, PICKS[None]),
        lambda: one.gather(X, PICKS, 1),
        lambda: one.gather(X, PICKS, True),
        lambda: one.gather(X, PICKS, [1, 0]),
        lambda: one.gather(X, PICKS, (1, 0)),
        lambda: one.gather(X, PICKS, [0, 1]),
        lambda: one.gather(X, PICKS, [1]),
    ]
    for number, other in enumerate(others):
        assert_same(other(), other())
        assert one.asked == 2 + number
    for number, other in enumerate(others):
        other()
        assert one.asked == 1 + len(others), number


def test_an_array_for_the_result_is_the_one_of_this_call() -> None:
    one = Counted()
    one.gather(X, PICKS)
    outs = [np.zeros((2, 3), np.float32), np.zeros((3, 2), np.float32).T, np.zeros((2, 3), np.float32)]
    for out in outs:
        assert one.gather(X, PICKS, out=out) is out
        assert_same(out, X[PICKS])
        assert one.gather(X[::-1], PICKS, out=out) is out
        assert_same(out, X[::-1][PICKS])
        assert_same(one.gather(X, PICKS), X[PICKS])
    assert_same(one.gather(X, np.array([1]), out=np.zeros((1, 3), np.float32)), X[[1]])
    assert one.asked == 1
    y = np.arange(4)
    assert_same(one.gather(y, y[::-1], out=y), np.arange(3, -1, -1))  # what is read and written is left to others
    assert one.asked == 2
    before = outs[0].copy()
    one.gather(X, PICKS, out=outs[1])
    with pytest.raises(IndexError):
        one.gather(X, PICKS + 1, out=outs[0])
    assert_same(outs[0], before)
    one.gather(X, PICKS, out=outs[0].astype(np.float64))
    assert one.asked == 4  # of another type, as of an index outside, who knows the call speaks


def test_arguments_by_name() -> None:
    one = Counted()
    for _ in range(3):
        assert_same(one.gather(b=PICKS, a=X), X[PICKS])
        assert_same(one.gather(X, b=PICKS), X[PICKS])
        assert_same(one.gather(X, PICKS, rule=None), X[PICKS])
        assert_same(one.gather(X, PICKS, out=None), X[PICKS])
    assert one.asked == 1
    y = np.arange(4)
    assert_same(one.gather(a=y, b=y[::-1]), y[::-1])
    assert_same(one.gather(b=y, a=y[::-1]), y[::-1])
    assert_same(one.gather(a=y * 2, b=y[::-1]), y[::-1] * 2)


def test_a_list_that_is_changed_is_another_argument() -> None:
    one, rule = Counted(), [1, 0]
    one.gather(X, PICKS, rule)
    one.gather(X, PICKS, rule)
    assert one.asked == 1
    rule[0] = 0
    one.gather(X, PICKS, rule)
    assert one.asked == 2


def test_an_array_twice_is_not_two_arrays() -> None:
    one, x = Counted(), np.array([2, 0, 1])
    for _ in range(3):
        assert_same(one.gather(x, x), x[x])
    for y in (np.array([1, 1, 0]), np.array([0, 2])):
        assert_same(one.gather(x, y), x[y])
        assert_same(one.gather(y, np.zeros(2, int)), y[[0, 0]])
        assert_same(one.gather(x, x), x[x])


def test_arrays_without_elements_may_be_refused() -> None:
    for refuses, asked in ((False, 1), (True, 3)):
        one = Counted(refuses_empty=refuses)
        one.gather(X, PICKS)
        one.gather(X[1:], PICKS[:1] - 1)
        for _ in range(2):
            assert_same(one.gather(X, PICKS[:0]), X[PICKS[:0]])
        assert one.asked == asked


@pytest.mark.parametrize("call", [wh.onnx.gather, wh.openvino.gather, wh.webnn.gather])
def test_results_are_those_of_the_general_way(call: Any) -> None:
    """Of any layout, sizes, and axes; what comes first and what comes again."""
    axis: Any = {} if call is wh.webnn.gather else {"axis": 0}
    x = np.arange(70, dtype=np.float32).reshape(10, 7)
    for data in (x, x[::-2], x[:, ::2], x.T.copy().T, np.broadcast_to(x[0], x.shape), x[:, :1], x[:1]):
        for picks in (
            np.array([0]),
            np.zeros((2, 3), int),
            np.arange(len(data))[::-1],
            np.zeros(300, int),
            np.array(0),
        ):
            assert_same(call(data, picks, **axis), np.take(data, picks, 0))
    strings: Array = np.array(["a", "b", None], object)
    for _ in range(3):
        assert_same(wh.onnx.gather(strings[:2], PICKS[1:]), ["a"])
    large = np.arange(2**18, dtype=np.float32).reshape(-1, 2)
    for _ in range(3):
        assert_same(call(large, np.arange(len(large)), **axis), large)


def test_errors_are_those_of_the_dialect() -> None:
    for rows in (5, 4, 3, 3):
        if rows > 3:
            wh.onnx.gather(np.zeros((rows, 2)), PICKS)
            continue
        with pytest.raises(IndexOutOfRangeError, match="Gather-13") as found:
            wh.onnx.gather(np.zeros((rows, 2)), PICKS)
        assert "3" in str(found.value)
    with pytest.raises(IndexOutOfRangeError):
        wh.onnx.gather(np.zeros((4, 2)), np.array([-1]), opset=1)
    wh.webnn.gather(X, PICKS)
    for _ in range(2):
        with pytest.raises(InvalidValueError):
            wh.webnn.gather(X[:0], PICKS)


def test_limits_hold() -> None:
    for _ in range(2):
        wh.onnx.gather(X, PICKS)
        wh.onnx.transpose(X)
    with wh.limited(wh.Limits(bytes=10)):
        for call in (lambda: wh.onnx.gather(X, PICKS), lambda: wh.onnx.transpose(X)):
            with pytest.raises(ResourceLimitError):
                call()
    assert_same(wh.onnx.gather(X, PICKS), X[PICKS])


def test_rules_that_do_not_exist_are_refused() -> None:
    for rules in (("raise", "x"), ("x", "invalid")):
        with pytest.raises(ValueError, match="rule"):
            _core.Gathering(0, 0, *rules)
    gathering = _core.Gathering(-1, 0, "zero", "invalid")
    assert_same(gathering(X, np.array([-1, 2])), np.c_[np.zeros(4), X[:, 2]])
    no_array: Any = [1]
    assert gathering(no_array, PICKS) is None
    assert _core.Gathering(0, 0, "raise", "invalid")(X, np.array([-1])) is None
    assert _core.Gathering(5, 0, "raise", "invalid")(X, PICKS) is None
