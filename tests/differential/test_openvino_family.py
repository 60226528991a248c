"""Random models of the whole family beside OpenVINO's CPU plugin, and there and back through our writer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dialects.openvino.test_writer import assert_same_graph
from tests.differential.expected_differences import expected
from tests.differential.openvino_cases import FAMILY, cases
from tests.differential.openvino_runtime import OpenVINOCase, OpenVINORuntime, ours
from tests.support.compare import assert_same_bits
from wherry import reference
from wherry.dialects.openvino.reader import read
from wherry.dialects.openvino.row import OpenVINORow
from wherry.dialects.openvino.writer import write

pytest.importorskip("openvino")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("family")


@pytest.mark.parametrize("row", FAMILY, ids=lambda row: row.spoken)
def test_row(row: OpenVINORow, openvino: OpenVINORuntime, folder: Path) -> None:
    """Every model runs here, agrees with the formula, survives our writer, and agrees with the plugin or an entry."""

    @settings(max_examples=settings.default.max_examples // 4)
    @given(case=cases(row))
    def check(case: OpenVINOCase) -> None:
        results = ours(case, folder)
        xml, weights = case.files()
        (folder / "case.xml").write_text(xml)
        model = read(folder / "case.xml", weights)
        inputs = dict(zip(model.graph.inputs, (value for _, value in case.given), strict=True))
        formula = reference.run_graph(model.graph, inputs)
        for mine, other in zip(results, formula.values(), strict=True):
            assert_same_bits(np.asarray(mine), np.asarray(other))
        write(model, folder / "again.xml")
        assert_same_graph(read(folder / "again.xml").graph, model.graph)
        if expected(case, "openvino") is None:
            theirs = openvino.run_undamaged(case)
            for mine, other in zip(results, theirs, strict=True):
                assert_same_bits(np.asarray(mine), other)

    check()


@settings(max_examples=80)
@given(case=st.sampled_from(FAMILY).flatmap(cases))
def test_models_that_openvino_writes(case: OpenVINOCase, openvino: OpenVINORuntime, folder: Path) -> None:
    path = folder / "saved.xml"
    xml, weights = openvino.save(*case.files())
    path.write_bytes(xml)
    given = [value for _, value in case.given]
    for mine, other in zip(read(path, weights).run(given).values(), ours(case, folder), strict=True):
        assert_same_bits(np.asarray(mine), np.asarray(other))


@settings(max_examples=80)
@given(case=st.sampled_from(FAMILY).flatmap(cases))
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
