"""Functions whose calls are answered by what is kept: they are functions of Python's in all else."""

from __future__ import annotations

import copy
import inspect
import pickle
import pydoc
import weakref
from typing import Any, NamedTuple

import numpy as np
import pytest

import wherry as wh
from wherry import _core
from wherry.dialects.call import answers
from wherry.errors import InvalidValueError, WherryError

FUNCTIONS = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (wh.onnx, wh.openvino, wh.webnn)
    for name in module.functions.__all__
}
ANSWERED = {name: each for name, each in FUNCTIONS.items() if type(each) is type(wh.onnx.transpose)}


def test_all_functions_are_answered() -> None:
    assert set(ANSWERED) == set(FUNCTIONS)
    assert len(ANSWERED) > 180


@pytest.mark.parametrize("function", ANSWERED.values(), ids=ANSWERED)
def test_an_answered_function_is_one_of_pythons(function: Any) -> None:
    own = function.__wrapped__
    assert inspect.isfunction(own)
    assert (function.__name__, function.__qualname__, function.__module__) == (own.__name__,) * 2 + (own.__module__,)
    assert function.__doc__ == own.__doc__
    assert function.__annotations__ == own.__annotations__
    assert inspect.signature(function) == inspect.signature(own)
    assert inspect.isroutine(function)
    assert own.__name__ in repr(function)
    assert pickle.loads(pickle.dumps(function)) is function
    assert copy.deepcopy(function) is function
    assert weakref.ref(function)() is function
    assert str(inspect.signature(function)) in pydoc.render_doc(function).replace("\n", "")
    assert inspect.getsource(function) == inspect.getsource(own)


def test_what_the_function_refuses_is_refused_in_its_words() -> None:
    x = np.zeros((2, 3))
    for given, named in (((), {}), ((x, [1, 0], 3), {}), ((x,), {"data": x}), ((x,), {"order": [1, 0]})):
        with pytest.raises(TypeError) as found:
            wh.onnx.transpose(*given, **named)
        with pytest.raises(TypeError) as expected:
            wh.onnx.transpose.__wrapped__(*given, **named)  # type: ignore[attr-defined]
        assert str(found.value) == str(expected.value)
        assert not isinstance(found.value, WherryError)
    for _ in range(3):
        with pytest.raises(InvalidValueError, match=r"ONNX Transpose-\d+: perm"):
            wh.onnx.transpose(x, perm=[0, 0])
    with pytest.raises(AttributeError):
        wh.onnx.transpose.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_arguments_by_position_and_by_name_are_one_call() -> None:
    x, out = np.arange(6).reshape(2, 3), np.empty((3, 2), np.int64)
    by_name = b"perm".decode()  # a name that Python does not keep once
    for _ in range(3):
        ways = [
            wh.onnx.transpose(x, [1, 0]),
            wh.onnx.transpose(x, perm=[1, 0]),
            wh.onnx.transpose(perm=[1, 0], data=x),
            wh.onnx.transpose(x, **{by_name: [1, 0]}),
            wh.onnx.transpose(x, [1, 0], opset=13, out=None),
            wh.onnx.transpose(x, out=out),
        ]
        assert all(each.tolist() == x.T.tolist() for each in ways)
        assert ways[-1] is out
        assert wh.onnx.transpose(x, [0, 1]).tolist() == x.tolist()


class Pair(NamedTuple):
    """Two outputs."""

    first: np.ndarray[Any, Any]
    second: np.ndarray[Any, Any]


def call(name: str, inputs: list[Any], *, out: Any = None, **named: Any) -> Any:
    return (name, inputs, named)


call_all = call_views = call


def test_what_is_passed_on_decides() -> None:
    """Each parameter stands where the function puts it; what is kept for its call answers, and for no other."""
    calls, ran = _core.RecentCalls(8), []

    @answers(calls)
    def both(a: Any, b: Any = None, *, rule: str = "x", out: Any = None) -> Any:
        return call("both", [b, a], rule=rule, out=out)

    @answers(calls)
    def pair(a: Any, *, out: Any = None) -> Any:
        return Pair(*call_all("pair", [a], out=out))

    @answers(calls)
    def views(a: Any, *, out: Any = None) -> Any:
        return call_views("views", [a], out=out)

    @answers(calls)
    def every(a: Any, *, out: Any = None) -> Any:
        return call_all("every", [a], out=out)

    def kept(arrays: dict[str, Any]) -> Any:
        ran.append(len(arrays))
        return {f"out{n}": array * 2 for n, array in enumerate(arrays.values())}

    a, b = np.arange(2), np.arange(3)
    calls.keep(("both", [b, a], {"rule": "x"}), kept, [a])
    for given in (lambda: both(a, b), lambda: both(b=b, a=a), lambda: both(a, b, rule="x", out=None)):
        assert given().tolist() == [0, 2]
    assert ran == [1, 1, 1]
    assert both(b, a) == ("both", [a, b], {"rule": "x"})
    assert both(a, b, rule="y") == ("both", [b, a], {"rule": "y"})
    assert both(a, b, out=a) == ("both", [b, a], {"rule": "x"})
    for name in ("pair", "views", "every"):
        calls.keep((name, [a], {}), lambda arrays: {"o": arrays["in0"], "p": -arrays["in0"]}, [a])
    assert isinstance(pair(a), Pair)
    assert pair(a).second.tolist() == [0, -1]
    assert [type(each(a)) for each in (views, every)] == [list, tuple]
    assert [part.tolist() for part in views(a)] == [[0, 1], [0, -1]]


def test_what_cannot_be_passed_on_is_refused() -> None:
    for names, positional, places, given in (
        (("a",), 2, (1,), ()),
        (("a",), 1, (), ()),
        (("a",) * 17, 1, tuple(range(17)), ()),
        (("a",), 1, (a := object(),), (a, {1, 2})),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            _core.Passing(names, positional, {}, places, given)
    with pytest.raises(ValueError, match="Passing"):
        _core.RecentCalls(4).answers(call, 1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="tuples"):
        _core.RecentCalls(4).answers(call, None, dict)  # type: ignore[arg-type]
