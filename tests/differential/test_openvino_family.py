"""Random models of the whole family beside OpenVINO's CPU plugin, and there and back through our writer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dialects.openvino.test_writer import assert_same_graph
from tests.differential.expected_differences import expected
from tests.differential.openvino_beside import Outcomes, beside
from tests.differential.openvino_cases import FAMILY, cases, good_cases
from tests.differential.openvino_runtime import OpenVINOCase, OpenVINORuntime, loaded, ours
from tests.support.compare import assert_same_bits
from wherry.dialects.openvino.reader import read
from wherry.dialects.openvino.row import OpenVINORow
from wherry.dialects.openvino.writer import write

pytest.importorskip("openvino")


_MOST_USED = ("Gather", "Split", "VariadicSplit", "Concat")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("family")


@pytest.mark.parametrize("row", FAMILY, ids=lambda row: row.spoken)
def test_row(row: OpenVINORow, openvino: OpenVINORuntime, folder: Path) -> None:
    """Models agree with their formulas, and with the plugin or an entry; of bad ones both say the same."""
    outcomes = Outcomes()

    @settings(max_examples=settings.default.max_examples // (2 if row.name in _MOST_USED else 4))
    @given(case=cases(row))
    def check(case: OpenVINOCase) -> None:
        outcomes.add(beside(case, openvino, folder))

    check()
    outcomes.check()


@pytest.mark.parametrize("row", FAMILY, ids=lambda row: row.spoken)
def test_writer(row: OpenVINORow, folder: Path) -> None:
    """A model that we write again is the same graph."""

    @settings(max_examples=settings.default.max_examples // 6)
    @given(case=good_cases(row))
    def check(case: OpenVINOCase) -> None:
        model = loaded(case, folder)
        write(model, folder / "again.xml")
        assert_same_graph(read(folder / "again.xml").graph, model.graph)

    check()


@settings(max_examples=80)
@given(case=st.sampled_from(FAMILY).flatmap(good_cases))
def test_models_that_openvino_writes(case: OpenVINOCase, openvino: OpenVINORuntime, folder: Path) -> None:
    path = folder / "saved.xml"
    xml, weights = openvino.save(*case.files())
    path.write_bytes(xml)
    given = [value for _, value in case.given]
    for mine, other in zip(read(path, weights).run(given).values(), ours(case, folder), strict=True):
        assert_same_bits(np.asarray(mine), np.asarray(other))


@settings(max_examples=80)
@given(case=st.sampled_from(FAMILY).flatmap(good_cases))
def test_models_that_we_write(case: OpenVINOCase, openvino: OpenVINORuntime, folder: Path) -> None:
    """What OpenVINO makes of our file is what it makes of the first one."""
    if expected(case, "openvino") is not None:
        return
    xml, weights = case.files()
    (folder / "first.xml").write_text(xml)
    path = folder / "second.xml"
    write(read(folder / "first.xml", weights), path)
    theirs = openvino.run(path.read_bytes(), path.with_suffix(".bin").read_bytes(), case.given)
    for mine, other in zip(ours(case, folder), theirs, strict=True):
        assert_same_bits(np.asarray(mine), other)
