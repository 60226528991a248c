"""The table of real models: what a row says of models that run, of one that is damaged, and of one that takes long."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from bench.models.__main__ import files_of, in_own_process
from bench.models.inputs import NoInputs, candidates, found_inputs
from bench.models.one import Subject, difference, same, stages
from bench.models.table import head, line, summary
from onnx import TensorProto, helper

from wherry.tensors import TensorType

pytest.importorskip("onnxruntime")

node = helper.make_node


def written(folder: Path, name: str, nodes: list[onnx.NodeProto], **constants: object) -> Path:
    """Write a model from x, float32[N, 4], to y."""
    given = [onnx.numpy_helper.from_array(np.asarray(value), key) for key, value in constants.items()]
    ends = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes) for name, sizes in (("x", ["N", 4]), ("y", None))
    )
    graph = helper.make_graph(nodes, "model", [next(ends)], [next(ends)], given)
    path = folder / f"{name}.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), path)
    return path


def mixed(folder: Path) -> Path:
    """Write a model of two chains, one of which adds, around an operator that wherry does not have."""
    nodes = [node("Gather", ["x", "i"], ["a"], axis=1), node("Add", ["a", "a"], ["b"]), node("Softmax", ["b"], ["c"]),
             node("Transpose", ["c"], ["y"])]  # fmt: skip
    return written(folder, "mixed", nodes, i=np.array([1, 0, 3]))


def found_of(path: Path, **values: float) -> dict[str, Any]:
    found: dict[str, Any] = {"model": path.name}
    for each in stages(Subject(path, {"x": [2, 4]}, values, threads=1)):
        found |= each
    return found


def test_a_model_that_runs(tmp_path: Path) -> None:
    found = found_of(mixed(tmp_path))
    assert (found["listed"]["nodes"], found["listed"]["movement"], found["listed"]["arithmetic"]) == (4, 3, 1)
    assert found["own"]["is_equal"]
    assert not any(found["rules"].values())
    assert (found["chains"]["count"], found["chains"]["run"], found["chains"]["agree"]) == (2, 2, 2)
    assert len(found["chains"]["faster"]) == 2
    row = line(found)
    assert row.count("|") == head().splitlines()[0].count("|")
    assert row.startswith("| mixed.onnx | 4 | 3 (1) | 2 / 2 / 2 | 4 of 4 | equal |")
    assert summary([found])[0] == (
        "1 models: 1 open and are listed, 1 give ONNX Runtime's bits by their own rules, 1 run by all rules"
    )


def test_an_if_is_followed_to_its_branch(tmp_path: Path) -> None:
    def branch(perm: list[int]) -> onnx.GraphProto:
        made = f"z{perm[0]}"
        return helper.make_graph(
            [node("Transpose", ["x"], [made], perm=perm)], "b", [], [onnx.ValueInfoProto(name=made)]
        )

    choice = node("If", ["c"], ["y"], then_branch=branch([1, 0]), else_branch=branch([0, 1]))
    path = written(tmp_path, "choice", [choice], c=np.array(False))
    chains = found_of(path)["chains"]
    assert (chains["count"], chains["run"], chains["agree"]) == (2, 2, 2)
    shapes = sorted(list(one["sizes"].values()) for one in chains["slowest"])
    assert shapes == [[[1, 4]], [[2, 4]]]  # made up, and the model's own


def test_what_is_wrong_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.models.one.same", lambda ours, theirs: ours.ndim == 0)
    found = found_of(mixed(tmp_path))
    assert not found["own"]["is_equal"]
    assert found["parting"]["node"] == "Gather"
    assert found["chains"]["states"] == {"differs": 2}
    assert "wrong: mixed.onnx: chain 0 differs" in "\n".join(summary([found]))


def test_a_stage_that_fails_leaves_its_place_empty(tmp_path: Path) -> None:
    path = written(tmp_path, "refused", [node("Gather", ["x", "i"], ["y"], axis=1)], i=np.array([9]))
    found = found_of(path)
    assert "indices" in found["own"]["failed"]
    assert line(found).startswith("| refused.onnx | 1 | 1 (0) |  |  | fails |")
    assert "wrong: refused.onnx: own: NoInputs" in summary([found])[-1]


def options(**given: object) -> argparse.Namespace:
    return argparse.Namespace(**{"threads": 1, "megabytes": 4096, "seconds": 60, "sizes": [], "value": [], **given})


def test_a_process_of_its_own_gives_all_stages(tmp_path: Path) -> None:
    found = in_own_process(mixed(tmp_path), options(sizes=["x=3x4"], value=["x=0.5"]))
    assert list(found) == ["listed", "own", "rules", "whole", "chains"]
    assert found["own"]["inputs"] == {"x": [3, 4]}


def test_a_model_that_takes_too_long_or_is_damaged_does_not_stop_the_rest(tmp_path: Path) -> None:
    found = in_own_process(mixed(tmp_path), options(seconds=0.01))
    assert found == {"killed": "not done within 0.01 seconds"}
    assert summary([{"model": "mixed.onnx", **found}])[-1] == "wrong: mixed.onnx: not done within 0.01 seconds"
    damaged = tmp_path / "damaged.onnx"
    damaged.write_bytes(b"no model")
    found = in_own_process(damaged, options())
    assert found["listed"]["failed"].startswith("FileFormatError")
    assert line({"model": "damaged.onnx", **found}).startswith("| damaged.onnx | fails |")
    assert sorted(files_of([tmp_path])) == [damaged, tmp_path / "mixed.onnx"]


def test_open_sizes_are_tried_until_the_runtime_takes_them() -> None:
    types = {"x": TensorType("float32", ("N", 3, None)), "n": TensorType("int64", ("N",))}

    def run(given: dict[str, np.ndarray]) -> None:
        if given["x"].shape != (1, 3, 512):
            raise ValueError("no")

    found = found_inputs(types, {}, {"n": 7}, run)
    assert found["n"].tolist() == [7]
    assert all(given["x"].shape[:2] == (1, 3) for given in candidates(types, {}, {}))
    assert len(list(candidates(types, {"x": (1, 3, 5), "n": (1,)}, {}))) == 1
    assert {given["x"].shape for given in candidates(types, {"x": (1, 4, 5), "n": (3,)}, {})} >= {(1, 3, 512)}
    with pytest.raises(NoInputs, match="no"):
        found_inputs({"x": TensorType("float32", (2,))}, {}, {}, run)
    with pytest.raises(NoInputs, match="unknown number of axes"):
        found_inputs({"x": TensorType("float32", None)}, {}, {}, run)


def test_what_is_the_same() -> None:
    zero, minus = np.zeros(2, np.float32), -np.zeros(2, np.float32)
    assert same(zero, zero)
    assert not same(zero, minus)
    assert not same(zero, zero.astype(np.float64))
    assert same([zero, zero], [zero, zero])
    assert not same([zero], [zero, zero])
    assert difference(zero, zero + 2) == 2
    assert difference(zero, zero[:1]) == np.inf
