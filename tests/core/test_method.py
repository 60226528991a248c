"""Methods that a function of the core, or any other, is asked before."""

from __future__ import annotations

import gc
import inspect
import pydoc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from wherry import _core
from wherry.models.model import GraphModel


class Owner:
    """Doubles numbers below ten by `first`."""

    def __init__(self, first: Callable[[Any], Any] | None = None) -> None:
        self.asked: list[Any] = []
        if first is not None:
            self.first = first

    @_core.asks_first("first")
    def run(self, number: Any = 0, *, by: int = 3) -> Any:
        """Multiply a number."""
        self.asked.append(number)
        return number * by


def doubled(number: Any) -> Any:
    return 2 * number if number < 10 else None


def test_a_call_with_one_argument_is_answered_first() -> None:
    owner = Owner(doubled)
    assert owner.run(4) == Owner.run(owner, 4) == 8
    assert not owner.asked
    assert owner.run(10) == 30
    assert owner.asked == [10]


def test_any_other_call_is_the_methods_own() -> None:
    owner = Owner(doubled)
    assert [owner.run(), owner.run(number=4), owner.run(4, by=5)] == [0, 8, 20]
    assert Owner().run(4) == 12  # without the attribute
    with pytest.raises(TypeError, match="positional argument"):
        owner.run(1, 2)  # type: ignore[call-arg, misc]
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        Owner.run()  # type: ignore[call-arg, misc]


def test_an_error_of_what_is_asked_first_is_raised() -> None:
    with pytest.raises(TypeError, match="not supported between"):
        Owner(doubled).run("text")


def test_an_error_of_finding_what_is_asked_first_is_raised() -> None:
    class Failing(Owner):
        @property
        def first(self) -> Any:
            raise KeyError("no such function")

    with pytest.raises(KeyError, match="no such function"):
        Failing().run(1)


def test_it_is_a_method_to_whoever_looks() -> None:
    assert str(inspect.signature(Owner.run)) == "(self, number: 'Any' = 0, *, by: 'int' = 3) -> 'Any'"
    assert str(inspect.signature(Owner().run)).startswith("(number: ")
    assert (Owner.run.__name__, Owner.run.__doc__) == ("run", "Multiply a number.")
    assert Owner.run.__qualname__ == "Owner.run"
    assert inspect.isroutine(Owner.run)
    assert "run(self, number" in pydoc.plain(pydoc.render_doc(Owner))
    assert list(inspect.signature(GraphModel.run).parameters)[:3] == ["self", "inputs", "out"]
    with pytest.raises(AttributeError):
        Owner.run.no_such_attribute  # type: ignore[attr-defined]  # noqa: B018


def test_a_subclass_calls_it_as_any_method() -> None:
    class Other(Owner):
        def run(self, number: Any = 0, *, by: int = 3) -> Any:
            return super().run(number) + 1

    assert Other(doubled).run(4) == 9


def test_its_objects_are_freed() -> None:
    @_core.asks_first("first")
    def function(self: Owner, number: int) -> None: ...

    alive = weakref.ref(function.__wrapped__)  # type: ignore[attr-defined]
    del function
    gc.collect()
    assert alive() is None


def test_a_method_without_an_argument_is_refused() -> None:
    with pytest.raises(ValueError, match="one argument"):
        _core.asks_first("first")(lambda self: None)
