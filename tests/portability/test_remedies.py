"""The table of remedies tells of all that a check can name, and what it calls guarded is gone behind the guard."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from onnx import helper

import wherry as wh
from tests.portability.models import ALL, FLOAT, INDEXED, INT64, model, node
from tests.portability.test_fix import BOTH, TRIALS, answers, forget_sessions, onnxruntime_on, written
from tests.portability.trials import ASKED, ENTRIES, trial_of
from wherry.models.model import GraphModel, Model
from wherry.ops import Cast, Concat, Gather, OneHot, ScatterND
from wherry.portability.fix import fixed
from wherry.portability.remedies import REMEDIES, ROWS, Kind, Remedy, is_guarded, remedy_of
from wherry.rewrite.known import maker_of
from wherry.rewrite.rules import RULES
from wherry.rewrite.table import NEAR

__all__ = ["forget_sessions"]  # a fixture for this module too

GUARDED = [row for row in REMEDIES if row.kind is Kind.GUARDED]

OTHERS = {
    "a Gather for all targets": lambda: model([node("Gather", "x i")], INDEXED),
    "an old Gather": lambda: model([node("Gather", "x i")], INDEXED, opset=10),
    "a short Gather": lambda: model([node("Gather", "x i")], {"x": (6, [5]), "i": (6, [2])}),
    "a ScatterND of short tuples": lambda: model(
        [node("ScatterND", "x i u")], {"x": (FLOAT, [5]), "i": (INT64, [2, 1]), "u": (FLOAT, [2])}
    ),
    "an old Scatter": lambda: model([node("Scatter", "x i u")], {**INDEXED, "u": (FLOAT, [2])}, opset=10),
    "an old OneHot": lambda: model(
        [node("OneHot", "i d v")], {"i": (INT64, [4]), "v": (FLOAT, [2])}, {"d": np.int64(3)}, opset=10
    ),
}
"""Models beside those of the trials, which are checked for all targets."""

TOLD_BY_RULES = {
    (Gather, name)
    for name in (
        "bad indices of GATHER are clamped", "bad indices of GATHER_ELEMENTS", "bad indices of GATHER_ND",
        "bad indices are clamped", "bad indices are read inside", "some old Gathers count from the end",
    )
} | {
    (ScatterND, "bad indices of SCATTER"), (ScatterND, "bad indices of SCATTER_ND"),
    (Cast, "floats beyond an integer type"), (Cast, "nan_is_true"),
}  # fmt: skip
"""Known differences that are told of graphs under the name of the rule that they are about; and the rule about NaN, in
which no target parts from a graph but by a known difference."""

LEFT = {
    "Gather-1 takes negative indices": 1,
    "OneHot-9 takes negative indices": 1,
    "floats beyond 32 bits as wider integers": 1,
    "negative and bad indices": 2,
}
"""How many findings of a name stay: in opset 1, which lacks the operators; of a OneHot whose depth a run brings; of
tuples that choose from axes of several sizes, of which a known difference sees only the greatest index; of a Cast of
doubles, which have numbers that int64 holds and the plugin does not."""


def subjects() -> Iterator[tuple[Model, tuple[str, ...]]]:
    """Yield models with what they are checked for: trials of fix, examples of known differences, and others."""
    for trial in TRIALS.values():
        yield wh.load(trial.build()), tuple(trial.targets)
    for build in OTHERS.values():
        yield wh.load(build()), ALL
    names = {name for row in GUARDED for name in row.names}
    with tempfile.TemporaryDirectory() as folder:
        for entry in ASKED:
            if entry.name in names and entry.runtime in ("onnxruntime", "openvino"):
                trial_ = trial_of(entry, entry.example, Path(folder))
                assert isinstance(trial_.subject, Model)
                yield trial_.subject, (trial_.target,)


@cache
def outcomes() -> tuple[Counter[tuple[int, str]], Counter[tuple[int, str]]]:
    """Count, by the row of the table and the name, the guarded findings before a fix, and those that are left."""
    before: Counter[tuple[int, str]] = Counter()
    left: Counter[tuple[int, str]] = Counter()
    for subject, targets in subjects():
        assert isinstance(subject, GraphModel)
        makers = {node.label: maker_of(node.operator) for node in subject.graph.nodes}
        found = fixed(subject, targets)
        for counts, findings in ((before, found.before.findings), (left, found.after.findings)):
            for one in findings:
                row = remedy_of(one.name, makers.get(one.node))
                assert row is not None, one.name
                if row.kind is Kind.GUARDED:
                    counts[REMEDIES.index(row), one.name] += 1
    return before, left


def known_names() -> set[str]:
    return {rule.field for rule in RULES} | {entry.name for entry in ENTRIES} | {row.into for row in NEAR}


def test_each_rule_and_each_known_difference_has_a_row() -> None:
    for rule in RULES:
        for operator in rule.operators:
            assert remedy_of(rule.field, operator) is not None, (rule.field, operator)
    for name in known_names():
        assert remedy_of(name, Concat) is not None, name
        assert any(name in row.names for row in REMEDIES), name


def test_no_row_tells_of_what_there_is_not() -> None:
    named = {name for row in REMEDIES for name in row.names}
    assert named == known_names()


def test_no_row_hides_another() -> None:
    """Rows of some operators stand before those of all, and no name stands twice for one operator."""
    seen: dict[str, list[Remedy]] = {}
    for row in REMEDIES:
        for name in row.names:
            for earlier in seen.setdefault(name, []):
                assert earlier.operators, name
                assert not set(earlier.operators) & set(row.operators), name
            seen[name].append(row)


def test_what_is_not_needed_is_never_found() -> None:
    not_asked = {entry.name for entry in ENTRIES if entry.not_asked}
    rows = [row for row in REMEDIES if row.kind is Kind.NOT_NEEDED and not row.operators]
    assert {name for row in rows for name in row.names} == not_asked


@pytest.mark.parametrize(("row", "name"), [(row, name) for row in GUARDED for name in row.names])
def test_a_finding_that_is_guarded_is_gone_behind_the_guard(row: Remedy, name: str) -> None:
    before, left = outcomes()
    key = REMEDIES.index(row), name
    assert (before[key] > 0) != any((operator, name) in TOLD_BY_RULES for operator in row.operators)
    assert left[key] == (LEFT.get(name, 0) if before[key] else 0)


def test_enough_findings_are_guarded() -> None:
    before, left = outcomes()
    assert before.total() >= 100
    assert left.total() == sum(LEFT.values())


def test_a_remedy_is_told_of_an_operator() -> None:
    assert is_guarded("negative", OneHot)
    assert is_guarded("float_to_integer", Cast)
    assert not is_guarded("float_to_integer", Gather)
    assert remedy_of("Trilu is refused", None) is ROWS[-2]
    assert remedy_of("float_to_integer", None) is ROWS[-1]
    assert remedy_of("what there is not", None) is None


@pytest.mark.parametrize("to", [2, 3, 4, 5, 6, 12])
def test_each_short_float_is_cast_alike(to: int) -> None:
    """All 65536 float16: the same bits on both runtimes; of those that the type holds, those of the model as it was."""
    numbers = np.arange(2**16, dtype=np.uint16).view(np.float16)
    proto = model([node("Cast", "x", to=to)], {"x": (10, [2**16])})
    after = written(fixed(wh.load(proto), BOTH))
    first, other = answers(after, {"x": numbers})
    assert first is not None
    assert first == other
    before = onnxruntime_on(proto.SerializeToString())({"x": numbers})[0]
    made = onnxruntime_on(after.SerializeToString())({"x": numbers})[0]
    ends = np.iinfo(before.dtype)
    with np.errstate(invalid="ignore"):
        whole = np.trunc(numbers.astype(np.float64))
    is_legal = (whole >= ends.min) & (whole <= ends.max)
    assert is_legal.sum() > 10_000
    assert (made[is_legal] == before[is_legal]).all()
    assert (made[is_legal] == whole[is_legal]).all()
    assert (made[np.isnan(whole)] == 0).all()


@pytest.mark.parametrize(("operator", "fmod"), [("Div", None), ("Mod", 0), ("Mod", 1)])
@pytest.mark.parametrize("kind", [2, 3])
def test_each_pair_of_bytes_is_divided_alike(kind: int, operator: str, fmod: int | None) -> None:
    """All 65536 pairs: both runtimes give the same; where there is a quotient, that of the model as it was."""
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    a, b = (one.reshape(-1).astype(np.uint8).view(dtype) for one in np.indices((256, 256)))
    sizes = {"a": (kind, [2**16]), "b": (kind, [2**16])}
    proto = model([node(operator, "a b", **({} if fmod is None else {"fmod": fmod}))], sizes)
    after = written(fixed(wh.load(proto), BOTH))
    first, other = answers(after, {"a": a, "b": b})
    assert first is not None
    assert first == other
    is_legal = b != 0
    made = onnxruntime_on(after.SerializeToString())({"a": a, "b": b})[0]
    before = onnxruntime_on(proto.SerializeToString())({"a": a, "b": np.where(is_legal, b, 1).astype(dtype)})[0]
    assert (made == before).all()  # what is divided by 0 is divided by 1
