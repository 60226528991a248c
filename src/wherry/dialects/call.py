"""What calls of all dialects share: functions that calls answer, arguments as arrays, and views of what is split."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import FunctionType
from typing import Any, TypeVar

from numpy.typing import NDArray

from wherry import _core, errors
from wherry.arrays.anywhere import as_array, as_indices
from wherry.engine.any_sizes import Bind, keep_for_any_sizes
from wherry.functions import split_bounds
from wherry.graph import Deferred
from wherry.ops import Operator, Split

Array = NDArray[Any]
Function = TypeVar("Function", bound=Callable[..., Any])


def answers(calls: _core.RecentCalls) -> Callable[[Function], Function]:
    """Return a decorator of functions that do no more than `return call(...)`: calls that come again need none of them.

    What `calls` keeps of a call are the arguments of `call`. Where each parameter of the function stands among these is
    found by running the function once, on objects in place of arguments and with what tells its arguments for `call`.
    In place of `call` there may be `call_views`, whose result is a list, or `call_all`, of which the function makes a
    tuple of a class.
    """

    def answered(function: Any) -> Any:
        return calls.answers(function, _passing(function), _results(function))

    return answered


def _passing(function: FunctionType) -> _core.Passing:
    code = function.__code__
    positional, count = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    names = code.co_varnames[:count]
    places = tuple(object() for _ in names)
    last = function.__defaults__ or ()
    defaults = dict(zip(names[positional - len(last) : positional], last, strict=True))
    defaults.update(function.__kwdefaults__ or {})

    def tell(*given: object, out: object, **named: object) -> list[object]:
        return [(*given, named)]

    told = FunctionType(code, {name: tell if name.startswith("call") else _same for name in code.co_names})
    (given,) = told(**dict(zip(names, places, strict=True)))
    return _core.Passing(names, positional, defaults, places, given)


def _same(given: object) -> list[object]:
    return [given]


def _results(function: FunctionType) -> type | None:
    """Return what a function makes of all outputs; None where it returns the only one."""
    called, *classes = function.__code__.co_names
    if "call_all" in (called, *classes):
        return function.__globals__[called] if classes else tuple
    return list if called == "call_views" else None


def operands(names: Iterable[str], values: Iterable[Any], allowed: Iterable[str | None]) -> list[Array]:
    """Return arguments as arrays; lists of Python integers that are indices get an integer type, empty ones too.

    `allowed` says in words what those hold that may be indices, and None of the others.
    """
    given = zip(names, values, allowed, strict=True)
    return [as_indices(value, name, words) if words else as_array(value, name) for name, value, words in given]


def views_again(
    calls: _core.RecentCalls,
    arguments: object,
    operator: Operator | Deferred,
    arrays: Sequence[Array],
    subject: str,
    bind: Bind,
    fits: Callable[..., bool] | None = None,
) -> list[Array]:
    """Return the parts of the one input of a Split as views, which `calls` cuts next time.

    See `apply_again`, and `keep_for_any_sizes` for `bind` and `fits`.
    """
    if not isinstance(operator, Split) or len(arrays) != 1:
        raise TypeError(f"unreachable: {operator} does not split one array")
    with errors.subject(subject):
        bounds = split_bounds(operator, arrays[0])
    axis = operator.axis % arrays[0].ndim

    keep_for_any_sizes(calls, arguments, operator, arrays, subject, bind, as_views=True, fits=fits)
    calls.keep(arguments, lambda given: _core.parts(given["in0"], axis, bounds), list(arrays))
    return _core.parts(arrays[0], axis, bounds)
