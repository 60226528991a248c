"""A case on wherry, by the formulas of its operators, and on OpenVINO: what came of it, and why both refused it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from pathlib import Path

import numpy as np

from tests.differential.openvino_runtime import (
    CrashedError,
    OpenVINORuntime,
    RefusedError,
    disagree,
    loaded,
)
from tests.support.compare import assert_same_bits
from tests.support.own import own
from wherry import reference
from wherry.errors import InvalidTypeError, InvalidValueError, UnsupportedError, WherryError
from wherry.models.model import GraphModel
from wherry.runtimes.case import Case
from wherry.runtimes.differences import expected

REASONS: tuple[tuple[str, type[WherryError], str], ...] = (
    (r"from unsupported opset|Opset opset\d+ doesn't contain",
     UnsupportedError, r"which is no opset|of opset\d+(, | \()only"),
    (r"is not a member of enum|Cannot parse '\w+' to number", InvalidValueError, r"attribute \w+ is '\w+', allowed"),
    (r"Axis -?\d+ out of the tensor rank range", InvalidValueError, r"is -?\d+, allowed -?\d+\.\."),
    (r"index '\d+' out of range|node index is out of range|input_shapes\.size\(\) == |inputs_count == |"
     r"has to have \d or \d inputs|axes_mapping input should not be provided",
     InvalidValueError, r"inputs has \d+ entries, allowed"),
    (r"[Ee]lement type|input type must be|indices type is|an integral number|int32 or int64 type|"
     r"type are required to be the same",
     InvalidTypeError, r"has dtype \w+, allowed"),
    (r"must be scalar or have 1 element", InvalidValueError, r"has \d elements, allowed 1"),
    (r"Accessing out-of-range dimension", InvalidValueError, r"is a scalar, allowed 1 axis and more"),
    (r"batch_dims must be <= axis", InvalidValueError, r"batch_dims is \d, allowed"),
    (r"are not consistent\. data and indices", InvalidValueError, r"has size \d on axis \d, allowed \d"),
    (r"must be evenly divisible by 'num_splits'", InvalidValueError, r"allowed a divisor of \d"),
    (r"axis_ps\.rank\(\)\.compatible\(0\)", InvalidValueError, r"allowed a scalar"),
    (r"'num_splits' must be greater than zero", InvalidValueError, r"is 0, allowed 1 and more"),
    (r"split with multiple -1 values", InvalidValueError, r"allowed at most one -1"),
    (r"must match the length of the chosen axis", InvalidValueError, r"allowed a sum of \d"),
    (r"must have the same rank, and must have equal dimension", InvalidValueError, r"has \d axes, allowed \d"),
)  # fmt: skip
"""What OpenVINO says when it refuses, the error that wherry raises then, and what that says."""


class Outcome(Enum):
    """What a case has shown."""

    COMPARED = "compared"
    REFUSED = "refused by both"
    EXCLUDED = "excluded by an entry"


class Outcomes:
    """Counts what came of the cases of one operation."""

    LEAST = 0.6
    """The share of the cases whose values must be compared."""

    def __init__(self) -> None:
        self._counts: Counter[Outcome] = Counter()

    def add(self, outcome: Outcome, count: int = 1) -> None:
        self._counts[outcome] += count

    def check(self) -> None:
        """Fail if too few values were compared."""
        words = {outcome.value: count for outcome, count in self._counts.items()}
        assert self._counts[Outcome.COMPARED] >= self.LEAST * self._counts.total(), words


def by_formula(model: GraphModel, case: Case) -> list[np.ndarray]:
    """Return what the formulas of the specification give."""
    inputs = dict(zip(model.graph.inputs, (value for _, value in case.given), strict=True))
    return [np.asarray(value) for value in reference.run_graph(model.graph, inputs).values()]


def by_wherry(case: Case, folder: Path) -> list[np.ndarray]:
    """Return the results of a case here, which are those of the formulas. Raises WherryError."""
    model = loaded(case, folder)
    results = [np.asarray(value) for value in own(model).run([value for _, value in case.given]).values()]
    assert_all_same(results, by_formula(model, case))
    return results


def beside(case: Case, openvino: OpenVINORuntime, folder: Path) -> Outcome:
    """Compare wherry with the formulas, and with OpenVINO unless an entry tells that it differs."""
    try:
        results = by_wherry(case, folder)
    except WherryError as refusal:
        return _refused(case, openvino, refusal)
    if expected(case, "openvino") is not None:
        return Outcome.EXCLUDED
    assert_all_same(results, openvino.run_undamaged(case))
    return Outcome.COMPARED


def beside_together(cases: Sequence[Case], openvino: OpenVINORuntime, folder: Path) -> None:
    """Compare cases that nobody refuses, and no entry excludes, with the formulas and with OpenVINO."""
    results = [by_wherry(case, folder) for case in cases]
    try:
        for mine, theirs in zip(results, openvino.run_together(cases), strict=True):
            assert_all_same(mine, theirs)
    except (AssertionError, CrashedError, RefusedError):
        for case in cases:
            assert not disagree(case, openvino, folder), case
        raise  # they disagree side by side only


def _refused(case: Case, openvino: OpenVINORuntime, refusal: WherryError) -> Outcome:
    """Fail unless OpenVINO refuses it too, and for the same reason, or an entry tells that it differs."""
    try:
        openvino.run_case(case)
    except RefusedError as error:
        if expected(case, "openvino") is None:  # otherwise OpenVINO may have the reason of the entry
            assert_same_reason(str(error), refusal)
        return Outcome.REFUSED
    except CrashedError:
        pass
    assert expected(case, "openvino") is not None, f"OpenVINO takes what is refused here: {refusal}"
    return Outcome.EXCLUDED


def assert_all_same(actual: list[np.ndarray], wanted: list[np.ndarray]) -> None:
    for mine, other in zip(actual, wanted, strict=True):
        assert_same_bits(np.asarray(mine), np.asarray(other))


def assert_same_reason(words: str, refusal: WherryError) -> None:
    """Fail unless OpenVINO's words and the error name one reason."""
    for theirs, kind, ours in REASONS:
        if re.search(theirs, words):
            assert isinstance(refusal, kind), (words, refusal)
            assert re.search(ours, str(refusal)), (words, refusal)
            return
    raise AssertionError(f"a reason that is not in REASONS: {words}\nhere: {refusal!r}")
