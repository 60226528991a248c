"""Each known difference is found in the model that shows it, alone, and in none of those just outside."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.portability.trials import ASKED, ENTRIES, main, trial_of
from wherry.errors import WherryError
from wherry.portability.report import Report
from wherry.runtimes.differences import Difference, Does, Source

NAMED = {"ids": lambda entry: f"{entry.runtime}: {entry.name}"}

_TOGETHER = {
    "bad indices of SCATTER": ("updates of one element in SCATTER",),
    "updates of one element in SCATTER": ("bad indices of SCATTER",),
    "bad indices of SCATTER_ND": ("updates of one slice in SCATTER_ND",),
    "updates of one slice in SCATTER_ND": ("bad indices of SCATTER_ND",),
    "threads lose updates of one element": ("which of several NaN",),
    "an axis reduced twice": ("great integers summed",),
    "16-bit floats are reduced in another order": ("bf16 with an even last bit is cut off",),
    "bad indices of scatters": ("updates of one element",),
    "bad indices are clamped": ("updates of one element",),
}
"""Entries whose example may come under another: where no inputs are given, or the model's own rules refuse them."""


def found_of(report: Report, entry: Difference) -> set[str]:
    return {one.name for one in report.findings if one.target == told_of(entry)}


def told_of(entry: Difference) -> str:
    """Return the target of findings by an entry: that of a reader of ONNX is the runtime that it belongs to."""
    return entry.runtime.removesuffix("-onnx")


@pytest.mark.parametrize("entry", ASKED, **NAMED)
def test_an_example_gives_its_finding_alone(entry: Difference, tmp_path: Path) -> None:
    report = trial_of(entry, entry.example, tmp_path).report()
    found = found_of(report, entry)
    assert found & {entry.name, entry.rule or entry.name}
    assert found <= {entry.name, entry.rule, *_TOGETHER.get(entry.name, ())}
    (one, *_) = [one for one in report.findings
                 if one.name in (entry.name, entry.rule) and one.target == told_of(entry)]  # fmt: skip
    assert json.dumps(one.witness["rule"]) != json.dumps(one.witness["other_rule"])  # in which -0.0 is not 0.0
    if "entry" in one.witness:
        assert one.witness["entry"] == f"{entry.runtime} {entry.version}: {entry.name}"
        assert one.witness["source"] == entry.source


@pytest.mark.parametrize("entry", ASKED, **NAMED)
def test_a_neighbour_gives_another_finding_or_none(entry: Difference, tmp_path: Path) -> None:
    for case in entry.neighbours:
        trial = trial_of(entry, case, tmp_path)
        certain = {one.name for one in trial.report().findings if not one.when and one.target == told_of(entry)}
        assert entry.name not in certain


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.not_asked], **NAMED)
def test_what_is_not_asked_cannot_be_found(entry: Difference, tmp_path: Path) -> None:
    """Else the entry should say so no longer."""
    try:
        report = trial_of(entry, entry.example, tmp_path).report()
    except WherryError:
        assert entry.not_asked.endswith("wherry.load refuses the model")
        return
    assert entry.name not in found_of(report, entry)


def test_few_entries_are_not_asked() -> None:
    reasons = Counter(entry.not_asked for entry in ENTRIES if entry.not_asked)
    assert reasons.pop("the model's own specification does not allow it: wherry.load refuses the model") <= 17
    assert reasons.total() <= 7
    assert len(ASKED) >= 206


def test_the_folder_of_trials_can_be_written(tmp_path: Path) -> None:
    first = {entry.runtime: entry for entry in reversed(ASKED)}
    main(tmp_path, first.values())
    found = json.loads((tmp_path / "trials.json").read_text())
    assert len(found) == len(first) >= 7
    assert all(one["findings"] for one in found)
    assert {path.name for path in tmp_path.iterdir()} >= {one["file"] for one in found}


def test_every_kind_of_entry_is_tried() -> None:
    assert {entry.does for entry in ASKED} == set(Does)
    assert {entry.source for entry in ASKED} == set(Source)
