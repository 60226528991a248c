"""Faults: what is collected, what is raised, and how it is printed."""

import pytest

from wherry.errors import FileFormatError, InvalidTypeError, InvalidValueError
from wherry.faults import Faults


def raising(error):
    raise error


def test_nothing_collected_raises_nothing():
    faults = Faults()
    assert faults.of(int, "3") == 3
    assert not faults
    faults.check()


def test_one_error_is_raised_as_it_is():
    faults, error = Faults(), InvalidTypeError("wrong", "ONNX Gather-13")
    assert faults.of(raising, error) is None
    with pytest.raises(InvalidTypeError) as caught:
        faults.check()
    assert caught.value is error
    assert error.faults == ("wrong",)


def test_the_first_tells_the_others_with_their_subjects():
    faults = Faults()
    inner = Faults()
    for words in ("a", "b"):
        inner.add(InvalidValueError(words))
    for error in (FileFormatError("one", "file"), InvalidValueError("two", "file"), InvalidTypeError("three", "node")):
        faults.of(raising, error)
    faults.of(inner.check)
    with pytest.raises(FileFormatError) as caught:
        faults.check()
    assert str(caught.value) == "file: one\n  two\n  node: three\n  a\n  b"


def test_what_is_no_error_of_ours_is_not_collected():
    with pytest.raises(ZeroDivisionError), Faults().collected():
        raising(ZeroDivisionError())


def test_the_error_that_was_raised_is_not_collected_twice():
    faults = Faults()
    faults.add(InvalidValueError("one"))
    with faults.collected():
        faults.check()
    with pytest.raises(InvalidValueError) as caught:
        faults.check()
    assert caught.value.faults == ("one",)
