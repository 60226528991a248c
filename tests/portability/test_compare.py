"""wherry.compare: the first node at which two runtimes part, how it is told, and what ends no process but a child's."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import parser

import wherry as wh
from tests.cli.test_info import real
from wherry.errors import InvalidValueError, ResourceLimitError
from wherry.portability import onnx_submodels
from wherry.portability.comparison import Verdict
from wherry.portability.equality import Level, Tolerance, difference
from wherry.portability.onnx_submodels import OnnxPart, OnnxSubmodels
from wherry.runtimes import outcomes
from wherry.runtimes.handed import WEIGHTS
from wherry.runtimes.openvino import core

HEAD = '<ir_version: 8, opset_import: ["": 17]> '
X = np.arange(5, dtype=np.float32)
ROOT = Path(__file__).parents[2]


def graph(text: str) -> onnx.ModelProto:
    return parser.parse_model(HEAD + text)


TAKE = graph("m (float[5] x, int64[2] i) => (float[2] z) "
             "{ a = Neg(x) b = Transpose(a) y = Gather(b, i) c = Neg(y) z = Neg(c) }")  # fmt: skip


def compare(model: Any, inputs: Any, *runtimes: str, **options: Any) -> Any:
    return wh.compare(model, inputs, runtimes, **options)


def test_an_index_that_one_runtime_refuses() -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("openvino")
    found = compare(TAKE, {"x": X, "i": np.array([0, 7])}, "onnxruntime", "openvino")
    assert (found.verdict, found.node.name, found.node.number, found.node.of) == (Verdict.BY_ITSELF, "y", 3, 5)
    assert [one.does for one in found.runtimes] == ["refuses", "answers"]
    assert "idx=7" in found.runtimes[0].words
    assert [(one.target, one.name) for one in found.findings] == [("openvino", "out_of_range")]
    told = found.as_json()
    assert (told["verdict"], told["parts"], told["node"]["name"]) == ("parts by itself", True, "y")


@pytest.mark.usefixtures("here")
def test_two_rules_part_bit_by_bit_where_they_say() -> None:
    found = compare(TAKE, [X, np.array([0, 7])], "rules:directml:6.4", "rules:openvino:opset8")
    (difference,) = found.differences
    assert (found.verdict, found.node.name, found.node.moves) == (Verdict.BY_ITSELF, "y", True)
    assert (difference.how, difference.coordinate, difference.values, difference.count) == ("bits", (1,), (-4, 0), 1)
    assert {one.target for one in found.findings} == {"directml", "openvino"}


@pytest.mark.usefixtures("here")
def test_they_agree_and_what_was_compared_is_told() -> None:
    found = compare(TAKE, {"x": X, "i": np.array([0, 3])}, "rules:directml:6.4", "wherry")
    assert (found.verdict, found.parts, found.node, found.runs) == (Verdict.AGREE, False, None, 2)
    assert found.outputs == ({"tensor": "z", "how": "tolerance"},)


@pytest.mark.usefixtures("here")
def test_neither_answers() -> None:
    found = compare(TAKE, {"x": X, "i": np.array([0, 7])}, "wherry", "rules:onnx:17")
    assert (found.verdict, found.parts, found.node.name) == (Verdict.NEITHER, False, "y")


@pytest.mark.usefixtures("here")
def test_numbers_that_openvino_narrows() -> None:
    pytest.importorskip("openvino")
    model = graph("m (int64[2] x) => (int64[2] z) { a = Transpose(x) z = Transpose(a) }")
    found = compare(model, {"x": np.array([2**40 + 1, 3])}, "wherry", "openvino")
    assert (found.node.name, found.differences[0].coordinate) == ("a", (0,))
    assert found.differences[0].values == (2**40 + 1, 1)
    assert "wide data loses bits" in [one.name for one in found.findings]


@pytest.fixture
def spoilt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A runtime that is wrong on purpose, under the name of tract."""
    monkeypatch.setattr(outcomes, "_CHILD", "tests.portability.spoilt_child")
    monkeypatch.setenv("PYTHONPATH", f"{Path(wh.__file__).parents[1]}:{ROOT}")


@pytest.mark.usefixtures("spoilt")
def test_a_runtime_that_kills_itself() -> None:
    model = graph("m (float[5] x) => (float[5] z) { a = Neg(x) y = Tanh(a) z = Neg(y) }")
    found = compare(model, {"x": X}, "wherry", "tract")
    assert (found.verdict, found.node.name, found.node.moves) == (Verdict.BY_ITSELF, "y", False)
    assert [(one.does, one.words) for one in found.runtimes] == [("answers", ""), ("crashes", "SIGSEGV")]


@pytest.mark.usefixtures("spoilt", "here")
def test_a_runtime_that_never_ends() -> None:
    found = compare(graph("m (float[5] x) => (float[5] z) { z = Sin(x) }"), {"x": X}, "wherry", "tract", seconds=2)
    assert (found.verdict, found.node.name) == (Verdict.BY_ITSELF, "z")
    assert [(one.does, one.words) for one in found.runtimes] == [("answers", ""), ("hangs", "more than 2 s")]


@pytest.mark.usefixtures("spoilt", "here")
def test_a_difference_that_is_carried_on_is_not_a_nodes_own() -> None:
    model = graph("m (float[5] x) => (float[5] z) { a = Transpose(x) b = Cos(a) c = Floor(b) z = Neg(c) }")
    found = compare(model, {"x": 0 * X}, "wherry", "tract")
    assert (found.verdict, found.node.name, found.differences[0].values) == (Verdict.CARRIES, "c", (1, 0))
    assert 0 < found.before < 2e-6


@pytest.mark.usefixtures("spoilt", "here")
def test_the_search_goes_on_behind_a_difference_that_is_carried_on() -> None:
    """Cos is wrong within the tolerance, what Floor makes of it is not; far behind it Tanh ends the process."""
    before = ["Transpose(_)", "Cos(_)", "Floor(_)", "Log(_)", *["Transpose(_)"] * 9, "Cos(_)", "Floor(_)"]
    model = chain([*before, *["Transpose(_)"] * 5, "Tanh(_)", "Neg(_)"])
    found = compare(model, {"t0": 0 * X, "i": np.zeros(5, np.int64)}, "wherry", "tract")
    assert (found.verdict, found.node.name) == (Verdict.BY_ITSELF, "t21")
    assert found.carried == ("t3", "t15")
    assert found.as_json()["carried"] == ["t3", "t15"]
    assert "before it part, as they only carry on a difference: t3; t15" in str(found)
    assert found.runs <= 3 * 2 * (math.ceil(math.log2(22)) + 2)


@pytest.mark.usefixtures("spoilt", "here")
def test_where_all_nodes_only_carry_a_difference_the_first_is_told() -> None:
    model = chain(["Cos(_)", "Floor(_)", "Log(_)", "Cos(_)", "Floor(_)", "Transpose(_)"])
    found = compare(model, {"t0": 0 * X, "i": np.zeros(5, np.int64)}, "wherry", "tract")
    assert (found.verdict, found.node.name, found.carried) == (Verdict.CARRIES, "t2", ())


@pytest.mark.usefixtures("spoilt", "here")
def test_nodes_that_part_only_together() -> None:
    model = graph("m (float[5] x) => (float[5] z) { a = Abs(x) y = Neg(a) z = Transpose(y) }")
    found = compare(model, {"x": X}, "wherry", "tract")
    assert (found.verdict, found.node.name, found.before) == (Verdict.TOGETHER, "y", 0)


def chain(operators: Sequence[str]) -> onnx.ModelProto:
    nodes = [f"t{place + 1} = {one.replace('_', f't{place}')}" for place, one in enumerate(operators)]
    model = graph(f"m (float[5] t0, int64[5] i) => (float[5] t{len(nodes)}) {{ {' '.join(nodes)} }}")
    onnx.checker.check_model(model)
    return model


@pytest.mark.parametrize("at", [0, 120, 199])
@pytest.mark.usefixtures("here")
def test_runs_of_a_chain_of_200_nodes_are_logarithmic(at: int) -> None:
    operators = ["Transpose(_)"] * 200
    operators[at] = "Gather(_, i)"
    found = compare(chain(operators), [X, np.array([0, 1, 2, 3, 9])], "rules:directml", "rules:openvino")
    assert (found.node.name, found.node.number) == (f"t{at + 1}", at + 1)
    assert found.runs <= 2 * (math.ceil(math.log2(200)) + 2)


def test_what_is_alive_between_nodes() -> None:
    parts = OnnxSubmodels(
        graph("m (float[4] x) => (float[4] z) { a = Exp(x) b = Mul(a, a) one = Constant<value_float = 2.0>() "
              "d = Mul(b, one) z = Sub(a, d) }")
    )  # fmt: skip
    assert [parts.live(end) for end in (1, 2, 3, 4)] == [("a",), ("a", "b"), ("a", "b", "one"), ("a", "d")]
    assert [*parts.part(4).outputs] == ["a", "d"]
    rest = parts.part(4, 3, {"a": X[:4], "b": X[:4]}).proto
    assert [one.op_type for one in rest.graph.node] == ["Constant", "Mul"]
    assert [[one.name for one in ends] for ends in (rest.graph.input, rest.graph.output)] == [["b"], ["d"]]
    assert parts.fed(3) == ("b",)
    assert [one.op_type for one in parts.alone(3, {"b": X[:4]}).proto.graph.node] == ["Constant", "Mul"]


def test_a_real_model_agrees_within_the_tolerance() -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("openvino")
    path = real("silero_vad", "data/silero_vad_16k_sequence.onnx")
    rng = np.random.default_rng(7)
    inputs = {name: rng.standard_normal(sizes).astype(np.float32) / 10
              for name, sizes in (("input", (3, 576)), ("h", (1, 1, 128)), ("c", (1, 1, 128)))}  # fmt: skip
    found = compare(wh.load(path), inputs, "onnxruntime", "openvino")
    assert found.verdict is Verdict.AGREE
    assert [one["how"] for one in found.outputs] == ["tolerance"] * 3


def large() -> onnx.ModelProto:
    """A model with weights of more than a few bytes, which are little beside what its file may have here."""
    proto = graph("m (int64[2] i) => (float[2] z) { y = Gather(w, i) z = Mul(y, two) }")
    weights = {"w": np.arange(600, dtype=np.float32), "two": np.float32([2, 2]), "v": np.arange(700.0)}
    proto.graph.initializer.extend(onnx.numpy_helper.from_array(value, name) for name, value in weights.items())
    return proto


def test_weights_that_a_file_cannot_hold_lie_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx_submodels, "_FILE_LIMIT", 4096)
    proto, before = large(), large().SerializeToString()
    path = tmp_path / "m.onnx"
    OnnxPart(proto).write(path)
    assert proto.SerializeToString() == before
    assert path.with_suffix(WEIGHTS).stat().st_size == 4096 + 5600
    assert path.stat().st_size < 600
    assert onnx.load(path).graph.initializer[2].raw_data == proto.graph.initializer[2].raw_data
    inputs, expected = {"i": np.array([599, 3])}, [1198.0, 6.0]
    assert next(iter(wh.load(path).run(inputs).values())).tolist() == expected
    onnxruntime = pytest.importorskip("onnxruntime")
    assert onnxruntime.InferenceSession(path).run(None, inputs)[0].tolist() == expected
    assert core().compile_model(path, "CPU")([inputs["i"]])[0].tolist() == expected


@pytest.mark.usefixtures("here")
def test_parts_with_their_weights_beside_them_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"i": np.array([0, 999])}
    alike = compare(large(), given, "rules:directml", "rules:openvino")
    monkeypatch.setattr(onnx_submodels, "_FILE_LIMIT", 0)
    assert compare(large(), given, "rules:directml", "rules:openvino").as_json() == alike.as_json()
    assert alike.node.operator == "Gather of opset 17"
    for name in ("onnxruntime", "openvino", "onnx.reference"):
        pytest.importorskip(name.partition(".")[0])
        assert compare(large(), {"i": np.array([0, 599])}, "rules:openvino", name).verdict is Verdict.AGREE


@pytest.mark.usefixtures("here")
def test_arguments_that_do_not_fit() -> None:
    inputs = {"x": X, "i": np.array([0, 1])}
    with pytest.raises(InvalidValueError, match="runtimes has 1 names, allowed two"):
        compare(TAKE, inputs, "wherry")
    for name in ("numpy", "onyx", "rules:onyx"):
        with pytest.raises(InvalidValueError):
            compare(TAKE, inputs, "wherry", name)
    for field in ("rtol", "atol", "seconds"):
        for value in (-1, math.nan, math.inf, 10**5000, "1", True):
            with pytest.raises(InvalidValueError, match=f"{field} is "):
                compare(TAKE, inputs, "wherry", "wherry", **{field: value})
    for value in (None, 3, "x"):
        with pytest.raises(InvalidValueError, match="tell is "):
            compare(TAKE, inputs, "wherry", "wherry", tell=value)
    with pytest.raises(InvalidValueError, match="input 'i' is missing"):
        compare(TAKE, {"x": X}, "wherry", "wherry")
    with pytest.raises(InvalidValueError, match="not read from a file"):
        compare(wh.load(TAKE), inputs, "wherry", "wherry")
    with pytest.raises(ResourceLimitError, match="the results take 8 bytes, allowed 7"):
        compare(TAKE, inputs, "wherry", "wherry", limits=wh.Limits(bytes=7))


@pytest.mark.parametrize(("level", "first", "second", "at"), [
    (Level.BITS, [0.0, np.nan], [-0.0, np.nan], 0),
    (Level.VALUES, [0.0, np.nan, 1.0], [-0.0, np.nan, 2.0], 2),
    (Level.TOLERANCE, [1.0, np.inf, np.nan, 1.0], [1.0 + 1e-5, np.inf, np.nan, 1.1], 3),
    (Level.TOLERANCE, [1, 2], [1, 3], 1),
    (Level.BITS, np.array(["a", "b"], object), np.array(["a", "c"], object), 1),
    (Level.VALUES, np.ones(2, np.float32), np.ones(2), None),
    (Level.VALUES, np.ones(2), np.ones(3), None),
])  # fmt: skip
def test_where_tensors_part(level: Level, first: Any, second: Any, at: int | None) -> None:
    first, second = (np.asarray(one, np.float32) if isinstance(one, list) and isinstance(one[0], float)
                     else np.asarray(one) for one in (first, second))  # fmt: skip
    found = difference("y", first, second, level, Tolerance())
    assert found is not None
    assert found.coordinate == (None if at is None else (at,))
    assert difference("y", first, first, level, Tolerance()) is None
