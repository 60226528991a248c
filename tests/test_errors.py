"""Messages: values of any kind are shown in a line, and an error fills a screen at most."""

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from wherry import errors
from wherry.errors import ConversionError, InvalidValueError, WherryError, invalid, short


class Silent:
    def __repr__(self) -> str:
        raise RuntimeError("no")


class Endless(list[int]):
    def __iter__(self) -> Iterator[int]:
        raise ValueError("no")


def of_itself() -> list[Any]:
    entries: list[Any] = []
    entries.append(entries)
    return entries


def deep(levels: int) -> list[Any]:
    entries: list[Any] = []
    for _ in range(levels):
        entries = [entries]
    return entries


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (3, "3"),
        (True, "True"),
        ("a", "'a'"),
        (None, "None"),
        ([], "[]"),
        ((), "()"),
        (set(), "set()"),
        ((1,), "(1,)"),
        ({"a": [1, 2.5]}, "{'a': [1, 2.5]}"),
        ([np.int64(3), np.float32(0.5)], "[3, 0.5]"),
        (np.str_("a"), "'a'"),
        (np.zeros((2, 0)), "float64[2, 0]"),
        (np.zeros(3, "U5"), "<U5[3]"),
        (np.zeros((), "V1000")[()], "a scalar of |V1000"),
        (10**5000, "an integer of 16610 bits"),
        (-(10**5000), "an integer of 16610 bits"),
        ([10**5000], "[an integer of 16610 bits]"),
        (Silent(), "a Silent whose repr raises RuntimeError"),
        (Endless([1]), "a Endless whose repr raises ValueError"),
        (of_itself(), "[[[[[... 1 more]]]]]"),
        (deep(10**5), "[[[[[... 1 more]]]]]"),
        (range(10**12), "range(0, 1000000000000)"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 40 else "",
)
def test_a_value_is_shown_in_one_line(value: object, shown: str) -> None:
    assert short(value) == shown


@pytest.mark.parametrize(
    ("value", "end"),
    [
        ("a" * 10**6, "... (999800 more)"),
        (b"a" * 10**6, "... (999800 more)"),
        ([1] * 10**6, "... 999939 more]"),
        (dict.fromkeys(range(1000), 0), " more}"),
        ([["a" * 30] * 20] * 20, "... 14 more], ... 19 more]"),
    ],
)
def test_a_long_value_is_cut_and_says_so(value: object, end: str) -> None:
    shown = short(value)
    assert shown.endswith(end)
    assert 150 < len(shown) < 260


def test_a_field_and_its_value_are_words() -> None:
    assert str(invalid("axis", [np.int64(1)], "0")) == "axis is [1], allowed 0"
    assert len(str(invalid("axis", "x" * 10**6, "0"))) < 300


def test_an_error_of_one_line_fills_a_screen_at_most_and_keeps_its_end() -> None:
    error = WherryError(f"{'x' * 10**6}; do this", "subject")
    assert len(str(error)) < 4100
    assert str(error).startswith("subject: xxx")
    assert str(error).endswith("; do this")
    assert len(error.message) > 10**6


def test_an_error_of_many_lines_is_cut_between_lines() -> None:
    words = str(WherryError("\n".join(f"finding {number}" for number in range(1000))))
    assert len(words) < 4100
    lines = words.splitlines()
    assert lines[-2].startswith("finding ")
    assert lines[-1] == f"... and {1000 - len(lines) + 1} lines more"


@pytest.mark.parametrize(
    "kind", [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, WherryError)]
)
def test_errors_survive_pickles_and_copies(kind: type[WherryError]) -> None:
    error = kind("axis is 4", "ONNX Gather-13")
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(twin) is kind
        assert (str(twin), twin.subject, twin.message) == (str(error), "ONNX Gather-13", "axis is 4")


def test_the_findings_of_a_conversion_survive_pickles() -> None:
    error = ConversionError("no", "subject", ["first", "second"])
    assert pickle.loads(pickle.dumps(error)).findings == ("first", "second")


def test_a_subject_is_given_once() -> None:
    with pytest.raises(InvalidValueError) as caught, errors.subject("outer"), errors.subject("inner"):
        raise InvalidValueError("no")
    assert caught.value.subject == "inner"
