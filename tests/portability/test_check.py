"""wherry.check: each small model gives its findings for its targets and no other, and the runtimes part there."""

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper

import wherry as wh
from tests.cli.test_info import real
from tests.portability.models import ALL, DATA, FLOAT, INDEXED, INT64, TRIALS, Trial, X, model, node
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.portability.check import NARROWING
from wherry.portability.finding import Severity
from wherry.portability.report import Report
from wherry.runtimes.differences import differences

CHILD = Path(__file__).with_name("child.py")


def checked(proto: onnx.ModelProto, *targets: str) -> Report:
    return wh.check(wh.load(proto), targets or ALL)


def found_by(report: Report) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for one in report.findings:
        found.setdefault(one.target, {})[one.name] = str(one.severity)
    return found


@pytest.mark.parametrize("trial", TRIALS.values(), ids=TRIALS)
def test_a_model_gives_its_findings_and_no_others(trial: Trial) -> None:
    assert found_by(checked(trial.build())) == trial.found


ENDED = "the process ended with"


def answer_of(runtime: str, proto: onnx.ModelProto, inputs: dict[str, np.ndarray]) -> list[np.ndarray] | str:
    """What a runtime makes of a model; words where it refuses, or its process ends."""
    given = pickle.dumps((runtime, proto.SerializeToString(), inputs))
    done = subprocess.run([sys.executable, CHILD], input=given, capture_output=True, timeout=120, check=False)
    _, mark, answer = done.stdout.partition(b"answer:")
    found: list[np.ndarray] | str = pickle.loads(answer) if mark else f"{ENDED} {done.returncode}"
    return found


def agree(one: list[np.ndarray] | str, other: list[np.ndarray] | str) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and one.startswith(ENDED) == other.startswith(ENDED)
    return len(one) == len(other) and all(a.shape == b.shape and a.tobytes() == b.tobytes()
                                          for a, b in zip(one, other, strict=True))  # fmt: skip


@pytest.mark.parametrize(
    "trial", [t for t in TRIALS.values() if t.parts_on], ids=[n for n, t in TRIALS.items() if t.parts_on]
)
def test_the_runtimes_part_on_the_inputs_that_a_finding_speaks_of(trial: Trial) -> None:
    answers = [answer_of(name, trial.build(), dict(trial.parts_on)) for name in ("onnxruntime", "openvino")]
    assert not agree(*answers)


def test_findings_say_all_that_is_known() -> None:
    (one,) = checked(TRIALS["a Gather of short vectors of integers"].build(), "openvino:opset8").findings
    assert (one.severity, one.node, one.operator, one.target, one.version) == (
        Severity.MAYBE, "y", "Gather-13", "openvino", "opset8",
    )  # fmt: skip
    assert (one.rule.words, one.rule.source) == ("an index outside its axis is refused", "ONNX Gather-13")
    assert one.other_rule.words == "an index outside its axis gives zero"
    assert one.other_rule.source.startswith("OpenVINO Gather-8, ")
    assert one.when == "an index leaves -5..4"
    assert one.example["breaks"] == "index 7 on an axis of size 5"
    assert one.witness["source"] == "computed"
    assert one.witness["other_rule"] == {"gives": [{"type": "int32", "values": [40, 0]}]}
    assert one.advice == "see to it that the indices are known to lie inside their axes"
    assert json.loads(json.dumps(one.as_json()))["other_rule"]["words"] == one.other_rule.words


def test_no_finding_is_without_a_way_to_show_it() -> None:
    for trial in TRIALS.values():
        for one in checked(trial.build()).findings:
            assert one.witness["rule"] != one.witness["other_rule"], one
            assert one.example["inputs"]
            assert one.advice


def test_constant_indices_beyond_the_axis_are_certain() -> None:
    report = checked(model([node("Gather", "x i")], DATA, {"i": [7]}), "openvino:opset8")
    assert found_by(report) == {"openvino": {"out_of_range": "differs"}}


def test_an_axis_of_unknown_size_is_taken_to_have_an_element() -> None:
    sized: Any = {"x": (FLOAT, ["N"])}
    assert checked(model([node("Gather", "x i")], sized, {"i": [-1, 0]}), "openvino:opset8").findings == []
    (one,) = checked(model([node("Gather", "x i")], sized, {"i": [3]}), "openvino:opset8").findings
    assert one.when == "the axis, whose size is not known, has fewer than 4 elements"


def test_a_loops_counter_is_not_negative_and_bodies_are_checked() -> None:
    body = helper.make_graph(
        [helper.make_node("Gather", ["x", "n"], ["piece"], "pick"), helper.make_node("Identity", ["c"], ["d"])],
        "body",
        [helper.make_tensor_value_info("n", INT64, []), helper.make_tensor_value_info("c", onnx.TensorProto.BOOL, [])],
        [helper.make_tensor_value_info("d", onnx.TensorProto.BOOL, []),
         helper.make_tensor_value_info("piece", FLOAT, [])],
    )  # fmt: skip
    loop = helper.make_node("Loop", ["m", ""], ["y"], "loop", body=body)
    proto = model([loop], {"x": (FLOAT, [5]), "m": (INT64, [])})
    report = checked(proto, "openvino:opset8")
    (one,) = report.findings
    assert (one.place, one.node, one.name) == (("loop body",), "pick", "out_of_range")
    assert report.passed == {"Loop of opset 17": 1}
    assert "in loop body: Gather-13 pick" in str(report)


def test_other_operators_are_counted_as_not_judged_and_never_as_fine() -> None:
    report = checked(model([node("Relu", "x", "r"), node("Transpose", "r")], DATA))
    assert (report.judged, report.passed) == (1, {"Relu of opset 17": 1})
    assert "not judged: 1 node of operators that move no data: 1 Relu of opset 17" in str(report)


def test_sizes_that_a_target_needs_are_asked_for() -> None:
    proto = model([node("Transpose", "x")], {"x": (FLOAT, ["N", 2])})
    report = checked(proto, "directml")
    assert report.findings == []
    assert "directml 6.4             nothing found; 1 of 1 nodes not judged" in str(report)
    assert wh.check(wh.load(proto, sizes={"x": (3, 2)}), "directml").left_out.total() == 0


def test_specifications_are_targets_too() -> None:
    proto = model([node("Split", "x", "y z", num_outputs=2)], DATA, opset=18, outputs=["y", "z"])
    assert [(one.severity.value, one.name) for one in checked(proto, "onnx:13").findings] == []
    proto = model([node("Gather", "x i")], INDEXED)
    assert found_by(checked(proto, "onnx:1")) == {"onnx": {"negative": "maybe"}}


@pytest.mark.parametrize(
    ("targets", "error", "words"),
    [
        ("onyx", InvalidValueError, "target is 'onyx', allowed 'onnxruntime'"),
        (["openvino:1.0.0"], InvalidValueError, "allowed versions"),
        ("directml:9.9", InvalidValueError, "9.9"),
        ([], InvalidValueError, "targets is empty"),
        ([3], InvalidTypeError, "targets[0] is 3"),
        (3, InvalidTypeError, "targets is 3"),
        (["webnn"] * 17, InvalidValueError, "more than 16"),
    ],
)
def test_targets_that_there_are_not(targets: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        wh.check(wh.load(model([node("Transpose", "x")], DATA)), targets)
    assert words in str(caught.value)


def test_what_narrows_is_known_by_name() -> None:
    known = {one.name for name in ("onnxruntime", "openvino") for one in differences(name)}
    assert known >= NARROWING


@pytest.mark.parametrize("path", ["data/silero_vad.onnx", "data/silero_vad_openvino_16k.onnx"])
def test_indices_of_a_real_model_give_no_alarm_where_their_range_is_known(path: str) -> None:
    report = wh.check(wh.load(real("silero_vad", path)))
    unsure = {one.when for one in report.findings if one.name == "out_of_range"}
    assert unsure <= {"the axis, whose size is not known, has fewer than 2 elements"}  # the rank of a tensor
    assert report.judged > 40


def test_magika_has_no_index_that_may_leave_its_axis() -> None:
    report = wh.check(wh.load(real("magika", "models/standard_v3_3/model.onnx")))
    assert not [one for one in report.findings if one.name in ("out_of_range", "negative")]
    assert report.judged > 70


def seen_by(proto: onnx.ModelProto, *targets: str, **inputs: Any) -> Report:
    return wh.check(wh.load(proto), targets or ["openvino:opset8"], inputs)


def test_a_run_on_inputs_tells_what_reached_a_node() -> None:
    proto = model([node("Gather", "x i")], INDEXED)
    assert seen_by(proto, x=X, i=[0, -5]).findings == []
    report = seen_by(proto, x=X, i=[0, 7])
    (one,) = report.findings
    assert (one.severity, one.name, one.when) == (Severity.DIFFERS, "out_of_range", "")
    assert report.reached == [
        {"node": "y", "place": [], "indices": 2, "least": 0, "most": 7, "outside": 1, "first_outside": [1],
         "negative": 0, "duplicates": 0}
    ]  # fmt: skip
    assert "reached y: 1 of 2 indices outside, the first at [1]" in str(report)


def test_a_run_ends_at_the_index_that_the_model_refuses() -> None:
    nodes = [node("Abs", "i", "a"), node("Gather", "x a", "g"), node("Gather", "g j")]
    proto = model(nodes, {**INDEXED, "j": (INT64, [1])})
    report = seen_by(proto, x=X, i=[3, -9], j=[0])
    assert {one.node: str(one.severity) for one in report.findings} == {"g": "differs"}
    assert [(one["node"], one["most"], one["outside"]) for one in report.reached] == [("g", 9, 1), ("y", 0, 0)]


def test_duplicates_that_reach_a_scatter() -> None:
    proto = model([node("ScatterElements", "x i u")], {**INDEXED, "u": (FLOAT, [2])})
    assert seen_by(proto, x=X, i=[3, -2], u=X[:2]).reached[0]["duplicates"] == 1


@pytest.mark.parametrize("beyond", [[], [[2**62, -(2**62)], [2**62, 3]]], ids=["near", "far outside"])
def test_duplicates_among_tuples_are_those_of_numpy(beyond: list[list[int]]) -> None:
    drawn = np.random.default_rng(0).integers([-50, -40], [50, 40], (2000, 2))
    tuples = np.concatenate([drawn, np.array(beyond, np.int64).reshape(-1, 2)])
    proto = model([node("GatherND", "x i")], {"x": (FLOAT, [50, 40]), "i": (INT64, list(tuples.shape))})
    (reached,) = seen_by(proto, x=np.zeros((50, 40), np.float32), i=tuples).reached
    different = len(np.unique(np.where(tuples < 0, tuples + np.array([50, 40]), tuples), axis=0))
    assert reached["outside"] == len(beyond)
    assert reached["duplicates"] == len(tuples) - different > 500


def test_known_differences_are_decided_on_what_a_run_brings() -> None:
    proto = model([node("Transpose", "x")], {"x": (INT64, [2, 2])})
    assert seen_by(proto, "openvino", x=np.array([[1, 2], [3, 4]])).findings == []
    (one,) = seen_by(proto, "openvino", x=np.array([[2**40, 2], [3, 4]])).findings
    assert (one.name, one.when) == ("wide data loses bits", "")


def test_json_has_the_documented_members() -> None:
    documented = (Path(__file__).parents[2] / "docs" / "check.md").read_text()
    report = seen_by(model([node("Gather", "x i")], INDEXED), x=X, i=[0, 7]).as_json()
    for name in report:
        assert f"| `{name}" in documented
    for name in report["findings"][0]:
        assert f"`.{name}`" in documented or f"findings[].{name}`" in documented
    for name in report["reached"][0]:
        assert f"`{name}`" in documented


def test_a_description_of_directml_is_checked_by_itself_every_fault_at_once() -> None:
    tensor = wh.directml.BufferTensorDesc
    bad = tensor("FLOAT32", [4, 5], [20, 5], total_tensor_size_in_bytes=64)
    desc = wh.directml.GatherOperatorDesc(bad, tensor("FLOAT32", [1, 2]), tensor("FLOAT32", [4, 2]), 1, 1)
    first, second = wh.check(desc).findings
    assert (first.severity, first.target, first.version) == (Severity.REFUSED, "directml", "6.4")
    assert first.other_rule.words.startswith("InputTensor.TotalTensorSizeInBytes is 64, allowed 324 and more")
    assert second.other_rule.words.startswith("IndicesTensor.DataType is FLOAT32")
    with pytest.raises(InvalidValueError, match="a description is DirectML's"):
        wh.check(desc, "webnn")
