"""Random models of the whole family beside OpenVINO's CPU plugin, and there and back through our writer."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.dialects.openvino.test_writer import assert_same_graph
from tests.differential.openvino_beside import Outcome, Outcomes, assert_all_same, beside, beside_together
from tests.differential.openvino_cases import FAMILY, comparable_cases, good_cases, rare_cases
from tests.differential.openvino_runtime import OpenVINORuntime, files_of, loaded_together, ours
from tests.support.own import own
from wherry.dialects.openvino.reader import read
from wherry.dialects.openvino.row import OpenVINORow
from wherry.dialects.openvino.writer import write
from wherry.runtimes.case import Case

pytest.importorskip("openvino")


_MOST_USED = ("Gather", "Split", "VariadicSplit", "Concat")

_TOGETHER = 10
"""So many nodes side by side are compared in one model, as compiling a model takes longer than all else."""

_groups = partial(st.lists, min_size=_TOGETHER, max_size=_TOGETHER)


def _examples(share: int) -> int:
    """A share of the examples that tests usually take; the first one is the simplest, so that one is too few."""
    return max(2, settings.default.max_examples // share)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("family")


@pytest.mark.parametrize("row", FAMILY, ids=lambda row: row.title)
def test_row(row: OpenVINORow, openvino: OpenVINORuntime, folder: Path) -> None:
    """Models agree with their formulas, and with the plugin or an entry; of bad ones both say the same."""
    outcomes = Outcomes()

    # Without shrinking, as the case of a group that is at fault is told, and compiling takes long.
    @settings(max_examples=_examples(18 if row.name in _MOST_USED else 36), phases=[Phase.generate])
    @given(group=_groups(comparable_cases(row)))
    def compare(group: list[Case]) -> None:
        beside_together(group, openvino, folder)
        outcomes.add(Outcome.COMPARED, len(group))

    @settings(max_examples=_examples(15))
    @given(case=rare_cases(row))
    def check(case: Case) -> None:
        outcomes.add(beside(case, openvino, folder))

    compare()
    check()
    outcomes.check()


@pytest.mark.parametrize("row", FAMILY, ids=lambda row: row.title)
def test_writer(row: OpenVINORow, folder: Path) -> None:
    """A model that we write again is the same graph."""

    @settings(max_examples=_examples(30))
    @given(group=_groups(good_cases(row)))
    def check(group: list[Case]) -> None:
        model = loaded_together(group, folder)
        write(model, folder / "again.xml")
        assert_same_graph(read(folder / "again.xml").graph, model.graph)

    check()


@settings(max_examples=10)
@given(group=_groups(st.sampled_from(FAMILY).flatmap(good_cases)))
def test_models_that_openvino_writes(group: list[Case], openvino: OpenVINORuntime, folder: Path) -> None:
    path = folder / "saved.xml"
    xml, weights = openvino.save(*files_of(group))
    path.write_bytes(xml)
    results = own(read(path, weights)).run([value for case in group for _, value in case.given])
    assert_all_same(list(results.values()), [value for case in group for value in ours(case, folder)])


@settings(max_examples=10)
@given(group=_groups(st.sampled_from(FAMILY).flatmap(comparable_cases)))
def test_models_that_we_write(group: list[Case], openvino: OpenVINORuntime, folder: Path) -> None:
    """What OpenVINO makes of our file is what it makes of the first one."""
    path = folder / "second.xml"
    write(loaded_together(group, folder), path)
    given = [tensor for case in group for tensor in case.given]
    theirs = openvino.run(path.read_bytes(), path.with_suffix(".bin").read_bytes(), given)
    assert_all_same([value for case in group for value in ours(case, folder)], theirs)
