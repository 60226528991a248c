"""Each condition holds for a case that it is about, and not for one beside it; its words say which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

import ml_dtypes
import numpy as np
import pytest

from wherry.runtimes.case import Case
from wherry.runtimes.conditions import (
    AllOf,
    AnyOf,
    Attribute,
    Condition,
    Constant,
    Dynamic,
    Has,
    HasAttribute,
    HasInput,
    Levels,
    Not,
    Of,
    Outside,
    Property,
    Types,
    Versions,
    level,
    level_name,
    named,
)
from wherry.runtimes.differences import Does, differences
from wherry.runtimes.values import VALUES

F = np.array([1.5, -0.0, np.nan], np.float32)
CASE = Case("Pad", 11, (F, np.array([1, -1])), {"mode": "edge"}, constants=frozenset({1}))


@named("the first input is longer than the second")
def longer(case: Case) -> bool:
    return case.inputs[0].size > case.inputs[1].size


@pytest.mark.parametrize(
    ("condition", "beside", "words"),
    [
        (Of(("Pad", "Tile")), replace(CASE, operator="Slice"), "Pad or Tile"),
        (Versions(1, 11), replace(CASE, version=12), "version 11 and earlier"),
        (Versions(11), replace(CASE, version=10), "version 11 and later"),
        (Types(0, ("float16", "float32")), replace(CASE, inputs=(F > 1,)), "input 0 is float16 or float32"),
        (Types(None, ("int64",)), replace(CASE, inputs=(F,)), "an input is int64"),
        (Attribute("mode", ("a", "edge", "b")), replace(CASE, attributes={}), "mode is a, edge or b"),
        (Attribute("axis", (0,), 0), replace(CASE, attributes={"axis": 1}), "axis is 0 or left out"),
        (HasAttribute("mode"), replace(CASE, attributes={}), "mode is given"),
        (HasInput(1), replace(CASE, inputs=(F,)), "input 1 is given"),
        (Constant((1,)), replace(CASE, constants=frozenset({0})), "constants: input 1"),
        (Not(Dynamic()), replace(CASE, is_dynamic=True), "not (sizes are known at run only)"),
        (Has(1, "a negative number"), replace(CASE, inputs=(F,)), "input 1 has a negative number"),
        (Has(None, "a negative number"), replace(CASE, inputs=(F,)), "an input has a negative number"),
        (Outside(1, 0, 5), replace(CASE, inputs=(F, np.arange(6))), "input 1 has a number outside 0 .. 5"),
        (longer, replace(CASE, inputs=(F, F)), "the first input is longer than the second"),
        (AllOf((Of(("Pad",)), Versions(11))), replace(CASE, version=10), "Pad; version 11 and later"),
        (AnyOf((Of(("Tile",)), Versions(11))), replace(CASE, version=10), "Tile or version 11 and later"),
    ],
    ids=str,
)
def test_condition(condition: Condition, beside: Case, words: str) -> None:
    assert condition.holds(CASE)
    assert not condition.holds(beside)
    assert str(condition) == words


@pytest.mark.parametrize(
    ("condition", "inside", "outside", "words"),
    [
        (Levels("3.0"), 0x3000, 0x2100, "feature level 3.0 and later"),
        (Levels(last="2.1"), 0x2100, 0x3000, "feature level 2.1 and earlier"),
        (Levels("2.1", "4.0"), 0x4000, 0x4100, "feature levels 2.1 to 4.0"),
    ],
)
def test_feature_levels(condition: Levels, inside: int, outside: int, words: str) -> None:
    assert condition.holds(replace(CASE, version=inside))
    assert not condition.holds(replace(CASE, version=outside))
    assert str(condition) == words
    assert level(level_name(inside)) == inside


_HALF_BITS = {"a NaN": 0xFE00, "a signalling NaN": 0x7C01, "an infinity": 0xFC00, "a negative zero": 0x8000,
              "a subnormal number": 0x0001, "a negative number": 0xBC00, "a fraction": 0x3800}  # fmt: skip


@pytest.mark.parametrize("what", _HALF_BITS)
def test_values_are_known_by_their_bits(what: str) -> None:
    found = [name for name, bits in _HALF_BITS.items()
             if VALUES[what].of(np.array([0x3C00, bits], np.uint16).view(np.float16))]  # fmt: skip
    also = {"a NaN": ["a signalling NaN"], "a negative number": ["an infinity"], "a fraction": ["a subnormal number"]}
    assert sorted(found) == sorted([what, *also.get(what, [])])


def test_values_of_narrow_floats_and_text() -> None:
    assert VALUES["a subnormal number"].of(np.array([2**-9], ml_dtypes.float8_e4m3fn))
    assert VALUES["a number that is subnormal as float32"].of(np.array([1e-40]))
    assert not VALUES["a subnormal number"].of(np.array([1e-40]))
    assert not any(value.of(np.array(["a"], object)) for value in VALUES.values())


def test_what_is_not_in_a_table_is_an_error() -> None:
    with pytest.raises(KeyError, match="not in VALUES"):
        Has(0, "a soul")
    with pytest.raises(KeyError, match="two properties"):
        named("the first input is longer than the second")(lambda case: True)
    assert isinstance(longer, Property)


def _parts(condition: Condition) -> Iterator[Condition]:
    """Yield a condition and all that it is made of, as a part that fails early hides those behind it."""
    yield condition
    for one in fields(condition):
        value = getattr(condition, one.name)
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, Condition):
                yield from _parts(inner)


def _malformed(case: Case) -> Iterator[Case]:
    """Yield a case without inputs or attributes, and with inputs that no such model has."""
    for count in range(len(case.inputs)):
        yield replace(case, inputs=case.inputs[:count])
    for position in range(len(case.inputs)):
        for other in _ODD_INPUTS:
            yield replace(case, inputs=(*case.inputs[:position], other, *case.inputs[position + 1 :]))
    yield replace(case, attributes={})
    for word in ("", "neither", "7,7,7,7,7,7,7", "-9"):
        yield replace(case, attributes=dict.fromkeys(case.attributes, word))


_ODD_INPUTS = (
    np.array(0.5, np.float32), np.full((2, 2), np.nan), np.zeros((0, 2, 0), np.int64), np.array([2**63 - 1, -(2**63)]),
    np.array([2**64 - 1], np.uint64), np.array(["a", ""], object), np.array([1j], np.complex64), np.array(True),
)  # fmt: skip


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("runtime", ["onnxruntime", "openvino"])
def test_malformed_cases_are_decided(runtime: str) -> None:
    """Whether an entry covers a model is asked of spoiled ones, too."""
    for entry in differences(runtime):
        for case in (
            () if entry.does is Does.ORDER else (entry.example, *entry.neighbours)
        ):  # those of threads are large
            for bad in _malformed(case):
                for condition in _parts(entry.when):
                    assert condition.holds(bad) in (True, False), condition
