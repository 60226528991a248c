"""The rules: each is told once, and the formulas give what wherry gives."""

from collections import Counter

import pytest

from wherry.dialects.onnx.reader import read_proto
from wherry.errors import WherryError
from wherry.runtimes.conform.answers import given, is_same, model_of, specified, spelled
from wherry.runtimes.conform.carried import KINDS, MOVERS
from wherry.runtimes.conform.matrix import key_of
from wherry.runtimes.conform.rule import ORDINARY, Rule, floats, rule
from wherry.runtimes.conform.rules import OPERATORS, RULES


def test_each_rule_has_a_name_of_its_own_and_a_sentence() -> None:
    twice = [key for key, count in Counter(map(key_of, RULES)).items() if count > 1]
    assert twice == []
    assert len(RULES) > 500
    assert [one.name for one in RULES if not one.says or one.says.endswith(".")] == []


@pytest.mark.parametrize("operator", OPERATORS)
def test_the_formulas_give_what_wherry_gives(operator: str) -> None:
    outcomes: Counter[str] = Counter()
    for one in (one for one in RULES if one.operator == operator):
        expected = specified(one)
        if isinstance(expected, str):
            with pytest.raises(WherryError):
                read_proto(model_of(one.case)).run(given(one.case))
        else:
            results = list(read_proto(model_of(one.case)).run(given(one.case)).values())
            assert is_same(one, results, expected), f"{one.name}: {spelled(results)}, not {spelled(expected)}"
        outcomes[type(expected).__name__] += 1
    assert outcomes["list"] > outcomes["str"]


def test_every_operator_has_an_ordinary_case_first() -> None:
    first = {}
    for one in RULES:
        first.setdefault(one.operator, one.name)
    assert set(first.values()) == {ORDINARY}
    assert MOVERS.keys() <= first.keys()


def test_every_type_is_moved_by_every_mover_that_has_it() -> None:
    moved = Counter(one.operator for one in RULES if one.name in KINDS)
    lacking = {"OneHot": 1, "ReverseSequence": 1, "Compress": 1}
    assert {name: moved[name] for name in MOVERS} == {name: len(KINDS) - lacking.get(name, 0) for name in MOVERS}


def test_a_link_names_the_version_that_holds_in_the_opset() -> None:
    gather = next(one for one in RULES if one.operator == "Gather")
    assert gather.link == "https://onnx.ai/onnx/operators/onnx__Gather.html#gather-13"


def test_words_show_every_bit() -> None:
    assert [spelled([KINDS[kind]]) for kind in ("NaN payloads and -0.0", "float16", "strings")] == [
        "float32[6] NaN 0x7fc00001, NaN 0xffc12345, -0.0, NaN 0x7fe00000, 1e-45, -0.0",
        "float16[6] 1.5, -0.0, 6.55e+04, 6e-08, -2.25, 0.1",
        r"string[6] '', 'a', 'two words', '\xe9\u4e2d', 'nul\x00inside', 'f'",
    ]
    assert spelled([floats(30)]).endswith("24.0, and 6 more")
    assert spelled([floats(1).reshape(()), floats(0)]) == "float32[] 1.0; float32[0]"


def test_answers_are_compared_bit_for_bit() -> None:
    one: Rule = rule("Identity", "none", "none", [floats(2)])
    assert is_same(one, [floats(2)], [floats(2)])
    assert not is_same(one, [floats(2)], [floats(2), floats(2)])
    assert not is_same(one, [floats(2)], [floats(1, 2)])
    assert not is_same(one, [floats(2)], [floats(2).astype("f8")])
    assert not is_same(one, [floats(1) * 0.0], [floats(1) * -0.0])
    quiet, other = KINDS["NaN payloads and -0.0"][:1], KINDS["NaN payloads and -0.0"][1:2]
    assert not is_same(one, [quiet], [other])
    assert is_same(rule("Identity", "none", "none", [floats(2)], any_nan=True), [quiet], [other])
