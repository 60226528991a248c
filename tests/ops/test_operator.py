"""Fields of operators: their annotations say in which form they hold what was given."""

from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from types import NoneType
from typing import Annotated, get_type_hints

import numpy as np
import pytest

from wherry import dtypes, ops
from wherry.dtypes import DType
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.ops.operator import Operator, at_least, canonical_of, each_at_least

OPERATORS = [kind for kind in vars(ops).values() if isinstance(kind, type) and issubclass(kind, Operator)]


class Word(StrEnum):
    ONE = "one"
    TWO = "two"


@dataclass(frozen=True)
class Sample(Operator):
    integer: int
    integers: tuple[int, ...] | None = (1,)
    flag: bool = False
    number: float = 0.0
    word: Word = Word.ONE
    dtype: DType | None = None
    positive: Annotated[int, lambda field, value: abs(value)] = 0
    count: Annotated[int, at_least(1)] = 1
    sizes: Annotated[tuple[int, ...], each_at_least(-1, "-1 (any), 0 and more")] | None = None

    def _check_fields(self):
        if self.integer < 0:
            raise InvalidValueError(f"integer is {self.integer}, allowed 0 and more")


def test_what_is_given_takes_the_form_of_its_annotation():
    made = Sample(np.int64(3), [1, np.int8(2)], np.True_, 1, "two", "float32", -8)
    assert made == Sample(3, (1, 2), True, 1.0, Word.TWO, dtypes.find("float32"), 8)
    for f, form in zip(fields(made), (int, tuple, bool, float, Word, DType, int, int, NoneType), strict=True):
        assert type(getattr(made, f.name)) is form
    assert Sample(3, None).integers is None


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("integer", 1.5, "integer is 1.5, allowed one integer"),
        ("integer", None, "integer is None, allowed one integer"),
        ("integers", 4, "integers is 4, allowed a sequence of integers"),
        ("flag", 1, "flag is 1, allowed True or False"),
        ("number", "x", "number is 'x', allowed a number"),
        ("word", "three", "word is 'three', allowed 'one', 'two'"),
        ("dtype", "float33", "float33"),
        ("count", 0, "count is 0, allowed 1 and more"),
        ("sizes", [0, -1, -2], r"sizes\[2\] is -2, allowed -1 \(any\), 0 and more"),
    ],
)
def test_what_has_not_the_form_is_refused(field, value, words):
    with pytest.raises((InvalidTypeError, InvalidValueError), match=words):
        Sample(**{"integer": 0, field: value})


def test_fields_are_checked_against_each_other_in_their_form():
    with pytest.raises(InvalidValueError, match="integer is -1, allowed 0 and more"):
        Sample(np.array([-1]))


def test_an_annotation_without_a_form_is_no_field():
    with pytest.raises(KeyError):
        canonical_of(complex)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_every_field_has_a_form_and_its_default_has_it(operator):
    annotations = get_type_hints(operator, include_extras=True)
    for f in fields(operator):
        canonical = canonical_of(annotations[f.name])
        if f.default is not MISSING and f.default is not None:
            assert canonical(f.name, f.default) is f.default


def test_most_operators_are_here():
    assert len(OPERATORS) > 40
