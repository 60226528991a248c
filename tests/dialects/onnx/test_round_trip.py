"""Random nodes of every operator and version: read, written, and read again they are the same graph."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import wherry as wh
from tests.differential.onnx_cases import CASES
from tests.differential.onnxruntime_runtime import feeds, model_of, same
from wherry.errors import UnsupportedError, WherryError
from wherry.graph import Graph
from wherry.models.model import GraphModel


def results(graph: Graph, inputs: dict[str, np.ndarray]) -> object:
    try:
        return tuple(GraphModel(graph, "test").run(inputs).values())
    except WherryError as error:
        return type(error)


@pytest.mark.parametrize("operator", CASES)
@settings(max_examples=60)
@given(st.data())
def test_read_write_read(operator: str, data: st.DataObject) -> None:
    case = data.draw(CASES[operator])
    if data.draw(st.booleans()):
        case = replace(case, constants=case.constants | {0})
    proto = model_of(case)
    try:
        graph = wh.onnx.read_proto(proto).graph
        graph.refuse_opaque()
    except WherryError:
        event(f"{operator}: refused")
        return
    event(f"{operator}: read")
    written = wh.onnx.to_proto(graph, case.version)
    again = wh.onnx.read_proto(written).graph
    assert again.same_as(graph), f"{graph}\n{again}"
    newest = data.draw(st.sampled_from([18, 21, 28]))
    try:
        other = wh.onnx.read_proto(wh.onnx.to_proto(graph, newest)).graph
    except UnsupportedError as error:
        event(f"{operator} of {case.version} has no words in opset {newest}")
        assert "cannot say it" in str(error) or "allowed" in str(error)
        return
    inputs = feeds(case)
    ours, theirs = results(graph, inputs), results(other, inputs)
    assert ours is theirs or same(ours, theirs), f"{graph}\n{other}"  # type: ignore[arg-type]
