"""Models and plans survive a pickle, also after a run has cached programs of the core in them."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import wherry as wh
from tests.support.compare import assert_same_bits
from wherry.engine.planner import make_plan
from wherry.graph import Graph, Node
from wherry.models.model import made_up_input
from wherry.ops import Operator, Reshape, Transpose
from wherry.tensors import TensorType

EXAMPLES = Path(__file__).parents[1] / "examples"
REFUSED = "table.onnx"  # its run is refused: an index lies out of range
FILES = sorted(p for p in EXAMPLES.rglob("*") if p.suffix in (".onnx", ".xml", ".json") and p.name != REFUSED)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_model_that_has_run(path: Path) -> None:
    model = wh.load(path)
    rng = np.random.default_rng(0)
    made = {name: made_up_input(model.inputs[name], rng) for name in model.needed_inputs}
    inputs = {name: array if array.dtype.hasobject else np.zeros_like(array) for name, array in made.items()}
    expected = [model.run(inputs), model.run(inputs)][1]
    for copied in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        found = copied.run(inputs)
        assert found.keys() == expected.keys()
        for name, array in expected.items():
            assert_same_bits(found[name], array)


@pytest.mark.parametrize(
    ("operator", "array"),
    [(Transpose((1, 0)), np.arange(6.0).reshape(2, 3)), (Reshape((-1,)), np.array([["a", "b"], ["c", "d"]], object).T)],
    ids=["a copy", "a function of NumPy"],
)
def test_a_plan_that_has_run(operator: Operator, array: np.ndarray) -> None:
    graph = Graph({"x": TensorType.of(array)}, ("y",), (Node(operator, ("x",), ("y",), "operator"),))
    plan = make_plan(graph, {"x": array})
    expected = plan.run({"x": array})["y"]
    again = pickle.loads(pickle.dumps(plan))
    assert str(again) == str(plan)
    assert_same_bits(again.run({"x": array})["y"], expected)
