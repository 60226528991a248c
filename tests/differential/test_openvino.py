"""Graphs that we write, constants of every type and models that both refuse, beside OpenVINO's CPU plugin."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from tests.dialects.openvino.test_writer import graphs
from tests.differential.openvino_beside import Outcome, beside
from tests.differential.openvino_data import STRINGS_TOO, any_bits
from tests.differential.openvino_runtime import OpenVINORuntime, files_of
from tests.support.compare import assert_same_bits
from tests.support.own import own
from wherry.dialects.openvino.reader import read
from wherry.dialects.openvino.writer import write
from wherry.graph import Graph
from wherry.models.model import GraphModel
from wherry.runtimes.case import Case
from wherry.runtimes.differences import expected

pytest.importorskip("openvino")

SUB_BYTE_KINDS = ["u2", "nf4", "f4e2m1"]


_BASE = Case(
    "Gather",
    8,
    (np.arange(4, dtype=np.float32).reshape(2, 2), np.array([0, 1]), np.array(0)),
    {"batch_dims": 0},
    kinds=("f32", "i64", "i64"),
    constants=frozenset({2}),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("openvino")


@settings(max_examples=60)
@given(graph=graphs(is_tame=True))
def test_graphs_that_we_write(graph: Graph, openvino: OpenVINORuntime, folder: Path) -> None:
    path = folder / "graph.xml"
    write(graph, path)
    x = any_bits("f32", (2, 4), 0)
    theirs = openvino.run(path.read_bytes(), path.with_suffix(".bin").read_bytes(), [("f32", x)])
    for mine, other in zip(own(GraphModel(graph, "openvino")).run([x]).values(), theirs, strict=True):
        assert_same_bits(mine, other)


@pytest.mark.parametrize("kind", [*STRINGS_TOO, *SUB_BYTE_KINDS, "u1", "u3", "u6"])
def test_constants_of_every_type(kind: str, openvino: OpenVINORuntime, folder: Path) -> None:
    """A Const read and written by OpenVINO has the bytes that we read and write."""
    data = any_bits(kind, (3, 7), 1)
    case = Case("Identity", 16, (data,), kinds=(kind,), constants=frozenset({0}))
    path = folder / "constant.xml"
    xml, weights = openvino.save(*files_of([case]))
    path.write_bytes(xml)
    (value,) = own(read(path, weights)).run([]).values()
    assert_same_bits(np.asarray(value), data)
    if kind not in ("u1", "string") and expected(case, "openvino") is None:  # no output of the plugin has these two
        (theirs,) = openvino.run(*files_of([case]), [])
        assert_same_bits(theirs, data)


@pytest.mark.parametrize(
    "case",
    [
        replace(_BASE, inputs=(_BASE.inputs[0], _BASE.inputs[1], np.array(2))),
        replace(_BASE, inputs=(_BASE.inputs[0], _BASE.inputs[1], np.array([0, 0]))),
        replace(_BASE, inputs=(np.float32(1), _BASE.inputs[1], np.array(0))),
        replace(_BASE, inputs=(_BASE.inputs[0], np.float32([0, 1]), np.array(0)), kinds=("f32", "f32", "i64")),
        replace(_BASE, inputs=(_BASE.inputs[0], _BASE.inputs[1], np.float32(0)), kinds=("f32", "i64", "f32")),
        replace(_BASE, attributes={"batch_dims": 1}),
        replace(_BASE, attributes={"batch_dims": 1}, inputs=(_BASE.inputs[0], np.zeros(3, np.int64), np.array(1))),
        replace(_BASE, attributes={"batch_dims": 2}),
        replace(_BASE, attributes={"batch_dims": "abc"}),
        replace(_BASE, version=17),
        replace(_BASE, version=18),
        Case("Split", 1, (np.float32([1, 2, 3]), np.array(0)), {"num_splits": 2}, kinds=("f32", "i64"),
                     constants=frozenset({1}), outputs=2),
        Case("Split", 1, (np.float32([1, 2]), np.array([0])), {"num_splits": 2}, kinds=("f32", "i64"),
                     constants=frozenset({1}), outputs=2),
        Case("Split", 1, (np.float32([1, 2]), np.array(0)), {"num_splits": 0}, kinds=("f32", "i64"),
                     constants=frozenset({1}), outputs=2),
        Case("VariadicSplit", 1, (np.float32([1, 2]), np.array(0), np.array([-1, -1])),
                     kinds=("f32", "i64", "i64"), constants=frozenset({1, 2}), outputs=2),
        Case("VariadicSplit", 1, (np.float32([1, 2]), np.array(0), np.array([1, 2])),
                     kinds=("f32", "i64", "i64"), constants=frozenset({1, 2}), outputs=2),
        Case("Concat", 1, (np.float32([1]), np.float32([[1]])), {"axis": 0}, kinds=("f32", "f32")),
        Case("Concat", 1, (np.float32([1]), np.int32([1])), {"axis": 0}, kinds=("f32", "i32")),
        Case("Concat", 1, (np.float32([1]),), {"axis": 1}, kinds=("f32",)),
    ],
)  # fmt: skip
def test_both_refuse(case: Case, openvino: OpenVINORuntime, folder: Path) -> None:
    assert beside(case, openvino, folder) is Outcome.REFUSED
