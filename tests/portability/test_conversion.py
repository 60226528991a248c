"""What check finds for a target, a conversion to it tells as well: by the same name, and once."""

from collections import Counter

import pytest

import wherry as wh
from tests.cli.test_info import real
from tests.portability.models import TRIALS, Trial
from tests.portability.trials import ENTRIES
from wherry.conversion.findings import Finding
from wherry.errors import ConversionError
from wherry.models.model import Model
from wherry.portability.finding import Severity

RULES = {f"{entry.runtime} {entry.version}: {entry.name}": entry.rule for entry in ENTRIES if entry.rule}
"""Of entries about the value of a rule, which rule that is: a conversion may tell of it under that name."""

DIALECTS = ("openvino", "directml", "webnn")


def told(model: Model, dialect: str) -> list[Finding]:
    """What a conversion tells, whether it is made or refused."""
    try:
        return list(wh.convert(model, dialect, allow_loss=True).findings)
    except ConversionError as error:
        return list(error.findings)


def assert_all_told(model: Model, dialect: str) -> None:
    findings = told(model, dialect)
    twice = [one for one, count in Counter((f.subject, f.rule, f.message) for f in findings).items() if count > 1]
    assert twice == []
    names = {one.rule for one in findings}
    refused = any(one.effect == "refused" for one in findings)
    for one in wh.check(model, dialect).findings:
        if one.severity is Severity.REFUSED and one.witness["source"] == "computed":
            assert refused, one.other_rule.words
        else:
            assert {one.name, RULES.get(one.witness.get("entry", ""))} & names, (one.node, one.name)


@pytest.mark.parametrize("trial", TRIALS.values(), ids=TRIALS)
def test_a_conversion_tells_what_check_finds(trial: Trial) -> None:
    model = wh.load(trial.build())
    for dialect in DIALECTS:
        assert_all_told(model, dialect)


def test_int64_for_openvino_is_told_as_held_in_32_bits() -> None:
    model = wh.load(TRIALS["wide numbers that are moved"].build())
    (note,) = told(model, "openvino")
    assert (note.effect, note.rule) == ("note", "wide data loses bits")
    assert "holds it as int32" in note.message


def test_what_is_known_of_a_runtime_is_one_note_for_all_its_nodes() -> None:
    findings = told(wh.load(TRIALS["a Gather whose indices may be anything"].build()), "openvino")
    (note,) = [one for one in findings if one.rule == "indices are cut to 32 bits"]
    assert note.message.startswith("openvino 2026")
    assert note.message.endswith("it matters where: an index is beyond i32")


def test_a_real_model_is_told_the_same() -> None:
    assert_all_told(wh.load(real("silero_vad", "data/silero_vad_openvino_16k.onnx")), "openvino")
