"""What a runtime does to a node only where other nodes stand around it: OpenVINO drops a Gather along one element."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import wherry as wh
from tests.conversion.running import on_openvino
from tests.differential.openvino_runtime import OpenVINORuntime
from wherry.graph import GraphBuilder
from wherry.models.model import GraphModel
from wherry.moves import OutOfRange
from wherry.ops import Gather, Unary, UnaryFunction
from wherry.tensors import TensorType

pytest.importorskip("openvino")

NEGATIVE = Unary(UnaryFunction.NEGATIVE)

DROPPED = "an axis of size 1 is taken as it is"

DATA, INDICES = np.array([[5], [6], [7]], np.float32), np.array([1])


def gather(before: bool, after: bool) -> GraphModel:
    """Return a model of a Gather along an axis of one element, behind a Neg and before one, or not."""
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", DATA.shape))
    builder.add_input("i", TensorType("int64", INDICES.shape))
    data, last = ("minus" if before else "x"), ("y" if after else "g")
    if before:
        builder.add(NEGATIVE, ["x"], [data], "Negative")
    builder.add(Gather(1, out_of_range=OutOfRange.ZERO), [data, "i"], ["g"], "OpenVINO Gather-8 'take'")
    if after:
        builder.add(NEGATIVE, ["g"], [last], "Negative")
    return GraphModel(builder.build([last]), "openvino")


@pytest.mark.parametrize(("before", "after"), [(False, False), (True, False), (False, True), (True, True)])
def test_a_gather_is_dropped_among_other_nodes_only(
    before: bool, after: bool, openvino: OpenVINORuntime, tmp_path: Path
) -> None:
    model = gather(before, after)
    given = {"x": DATA, "i": INDICES}
    (zeros,) = model.run(given).values()
    (found,) = on_openvino(model, given, openvino, tmp_path).values()
    assert not zeros.any()
    assert np.abs(found).tolist() == (np.abs(DATA) if before or after else zeros).tolist()
    told = [one for one in wh.check(model, ["openvino"], given).findings if one.name == DROPPED]
    assert bool(told) == (before or after)
    assert all(one.when == "" for one in told)
    maybe = [one for one in wh.check(model, ["openvino"]).findings if one.name == DROPPED]
    assert bool(maybe) == (before or after)
