"""Whole models: what moves data by wherry, the rest by a runtime; under the model's own rules the runtime's bits."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper

import wherry as wh
from tests.dialects.onnx.models import model, value_info
from tests.differential.test_real_models import REAL, Tensors, file_of
from tests.support.compare import assert_same_bits
from wherry.errors import (
    IndexOutOfRangeError,
    InvalidTypeError,
    InvalidValueError,
    OtherRuntimeError,
    ResourceLimitError,
    UnsupportedError,
)
from wherry.limits import Limits
from wherry.models.cut import Side

onnxruntime = pytest.importorskip("onnxruntime")
node = helper.make_node
F = np.zeros((2, 3), np.float32)
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def alone(file: Path | onnx.ModelProto, inputs: Tensors, optimize: bool) -> Tensors:
    """Return what ONNX Runtime makes of the whole model."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    if not optimize:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    content = file.SerializeToString() if isinstance(file, onnx.ModelProto) else str(file)
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, inputs), strict=True))


def parts(loaded: wh.Model) -> list[Side]:
    """Return the sides of the parts of a model that ran."""
    (whole,) = loaded._wholes.values()
    return [part.side for part in whole.cut.parts]


@pytest.mark.parametrize("name", REAL)
def test_a_real_model_gives_its_runtimes_bits(name: str) -> None:
    real = REAL[name]
    loaded = wh.load(file_of(real))
    for inputs in real.inputs:
        expected = alone(file_of(real), inputs, optimize=False)
        found = loaded.run(inputs, optimize=False)
        assert list(found) == list(expected)
        for output, wanted in expected.items():
            assert_same_bits(found[output], wanted)
    sides = parts(loaded)
    assert Side.OURS in sides
    assert len(sides) < len(loaded.graph.nodes)


@pytest.mark.parametrize("name", ["magika", "vad", "vad half"])
def test_a_real_model_through_what_optimizes_is_within_rounding(name: str) -> None:
    real = REAL[name]
    loaded = wh.load(file_of(real))
    for inputs in real.inputs:
        expected = alone(file_of(real), inputs, optimize=True)
        for through in ("onnxruntime", "openvino"):
            found = loaded.run(inputs, through=through)
            for output, wanted in expected.items():
                np.testing.assert_allclose(found[output], wanted, rtol=1e-2 if name == "vad half" else 1e-4, atol=1e-3)


@pytest.mark.parametrize("name", ["magika", "vad 16k opset 15"])
@pytest.mark.parametrize("rules", ["onnx:21", "openvino:opset8", "directml:6.4", "webnn"])
def test_a_real_model_answers_alike_by_every_dialects_rules(name: str, rules: str) -> None:
    """Its indices are inside their axes, so that no rule can show."""
    real = REAL[name]
    loaded = wh.load(file_of(real))
    expected = loaded.run(real.inputs[0], optimize=False)
    found = loaded.run(real.inputs[0], rules=rules, optimize=False)
    for output, wanted in expected.items():
        assert_same_bits(found[output], wanted)


def lookup(opset: int = 13) -> onnx.ModelProto:
    """A table, a lookup whose indices may be bad, and something that wherry does not have before and behind it."""
    nodes = [
        node("Neg", ["x"], ["n"]) if opset < 13 else node("Sigmoid", ["x"], ["n"]),
        node("Gather", ["n", "i"], ["rows"], name="take"),
        node("Softplus", ["rows"], ["y"]),
    ]
    return model(nodes, {"x": F, "i": np.zeros(3, np.int64)}, ["y"], opset=opset)


BAD = {"x": X, "i": np.array([1, -1, 7])}


@pytest.mark.parametrize(
    ("rules", "chosen", "told"),
    [
        ("openvino:opset8", [1, 1, None], {"out_of_range"}),
        ("openvino:opset1", [1, None, None], {"out_of_range", "negative"}),
        ("directml:6.4", [1, 1, 1], {"out_of_range"}),
        ("webnn", [1, 1, 1], {"out_of_range"}),
    ],
)
def test_other_rules_change_the_answer_for_bad_indices_and_are_told(rules: str, chosen: list, told: set) -> None:
    loaded = wh.onnx.read_proto(lookup())
    with pytest.raises(IndexOutOfRangeError, match="ONNX Gather-13 'take': indices\\[2\\] is 7"):
        loaded.run(BAD)
    sigmoid = 1 / (1 + np.exp(-X.astype(np.float64)))
    rows = np.stack([np.zeros(3) if row is None else sigmoid[row] for row in chosen])
    np.testing.assert_allclose(loaded.run(BAD, rules=rules)["y"], np.log1p(np.exp(rows)), rtol=1e-5)
    assert {finding.rule for finding in loaded.notes} == told
    assert all(finding.subject == "ONNX Gather-13 'take'" for finding in loaded.notes)
    with pytest.raises(IndexOutOfRangeError):  # the model's own rules hold again
        loaded.run(BAD)
    assert loaded.notes == ()


def test_a_model_without_other_nodes_follows_chosen_rules_too() -> None:
    proto = model([node("Gather", ["x", "i"], ["y"])], {"x": F, "i": np.zeros(3, np.int64)}, ["y"])
    loaded = wh.onnx.read_proto(proto)
    assert loaded.run(BAD, rules="openvino")["y"].tolist() == [X[1].tolist(), X[1].tolist(), [0, 0, 0]]
    assert loaded.run(BAD, rules="directml")["y"].tolist() == [X[1].tolist()] * 3
    with pytest.raises(IndexOutOfRangeError):
        loaded.run(BAD)


def choice(flag: str = "flag") -> onnx.ModelProto:
    """An If whose branches capture, move data, hold an If of their own; one is never taken, and does not fit."""
    inner_then = helper.make_graph([node("Gather", ["moved", "i"], ["t"])], "then", [], [onnx.ValueInfoProto(name="t")])
    inner_else = helper.make_graph([node("Relu", ["x"], ["e"])], "else", [], [onnx.ValueInfoProto(name="e")])
    then = helper.make_graph(
        [
            node("Transpose", ["x"], ["turned"]),
            node("Sigmoid", ["turned"], ["s"]),
            node("Transpose", ["s"], ["moved"]),
            node("If", [flag], ["b"], then_branch=inner_then, else_branch=inner_else),
        ],
        "then", [], [onnx.ValueInfoProto(name="b")],
    )  # fmt: skip
    wrong = helper.make_graph(
        [node("Transpose", ["x"], ["w"], perm=[0, 1, 2])], "else", [], [onnx.ValueInfoProto(name="w")]
    )
    nodes = [node("If", [flag], ["r"], then_branch=then, else_branch=wrong), node("Neg", ["r"], ["y"]),
             node("Softplus", ["y"], ["z"])]  # fmt: skip
    return model(nodes, {"x": F, "i": np.zeros(3, np.int64), "flag": np.zeros((), bool)}, ["y", "z"])


def test_the_branch_that_is_taken_follows_the_rules_and_the_other_is_not_asked() -> None:
    loaded = wh.onnx.read_proto(choice())
    given = {**BAD, "flag": np.array(True)}
    with pytest.raises(IndexOutOfRangeError, match="ONNX Gather-13"):
        loaded.run(given)
    zeros = loaded.run(given, rules="openvino:opset8")["y"]
    assert zeros[2].tolist() == [0, 0, 0]
    np.testing.assert_allclose(zeros[:2], -1 / (1 + np.exp(-X[[1, 1]])), rtol=1e-6)
    assert (loaded.run(given, rules="directml:6.4")["y"][2] == zeros[1]).all()
    with pytest.raises(OtherRuntimeError, match="perm"):
        loaded.run({**BAD, "flag": np.array(False)})


def test_an_if_that_moves_nothing_and_a_loop_stay_with_the_runtime_and_are_told() -> None:
    body = helper.make_graph(
        [node("Identity", ["more"], ["more_out"]), node("Gather", ["x", "i"], ["rows"]),
         node("ReduceSum", ["rows"], ["sum"], keepdims=0), node("Sum", ["sum", "acc"], ["acc_out"])],
        "body", [value_info("n", "int64", []), value_info("more", "bool", []), value_info("acc", "float32", [])],
        [value_info("more_out", "bool", []), value_info("acc_out", "float32", [])],
    )  # fmt: skip
    plain = [helper.make_graph([node(op, ["total"], ["b"])], op, [], [value_info("b", "float32", [])])
             for op in ("Sigmoid", "Softplus")]  # fmt: skip
    nodes = [node("Loop", ["times", "go", "start"], ["total"], body=body, name="loop"),
             node("If", ["go"], ["y"], then_branch=plain[0], else_branch=plain[1])]  # fmt: skip
    constants = {"times": np.array(3), "go": np.array(True), "start": np.float32(0).reshape(())}
    proto = model(nodes, {"x": F, "i": np.zeros(3, np.int64)}, ["y"], constants=constants)
    inputs = {"x": X / 10, "i": np.array([1, 0, 1])}
    loaded = wh.onnx.read_proto(proto)
    assert_same_bits(loaded.run(inputs, optimize=False)["y"], alone(proto, inputs, optimize=False)["y"])
    assert parts(loaded) == [Side.THEIRS]
    assert loaded.notes == ()
    loaded.run(inputs, rules="openvino:opset8")
    (note,) = loaded.notes
    assert str(note) == (
        "note: inside ONNX Loop of opset 13 'loop': 2 nodes that move data follow the rules of the runtime, not those "
        "of OpenVINO opset8"
    )


def of_floats(opset: int, dtype: str) -> onnx.ModelProto:
    """Operators that compute floats, with rules that are attributes, constants and tensors, among others."""
    bounds = {"low": "low"} if opset > 10 else {}
    clip = node("Clip", ["a", *bounds], ["b"]) if bounds else node("Clip", ["a"], ["b"], min=0.25, max=2.0)
    nodes = [
        node("Sigmoid", ["x"], ["s"]),
        node("Mul", ["s", "w"], ["a"]),
        clip,
        node("Tanh", ["b"], ["c"]),
        node("Div", ["c", "s"], ["d"]),
        node("Identity", ["d"], ["same"]),
        node("ReduceMax", ["same"], ["e"], axes=[1], keepdims=0),
        node("Less", ["e", "half"], ["f"]),
        node("Sub", ["d", "a"], ["g"]),
        node("Exp", ["g"], ["y"]),
    ]
    constants = {"w": np.linspace(-1, 3, 600).reshape(200, 3), "low": np.array(0.25), "half": np.array([0.5])}
    typed = {name: value.astype(dtype) for name, value in constants.items()}
    return model(nodes, {"x": np.zeros((1, 3), dtype)}, ["y", "f"], opset=opset, constants=typed)


@pytest.mark.parametrize(("opset", "dtype"), [(9, "float32"), (13, "float32"), (13, "float16"), (17, "float64")])
def test_arithmetic_on_floats_goes_with_its_neighbours_by_the_models_own_rules(opset: int, dtype: str) -> None:
    proto = of_floats(opset, dtype)
    given = {"x": np.array([[0.5, -2, 3]], dtype)}
    loaded = wh.onnx.read_proto(proto)
    for optimize in (False, True):
        for output, wanted in alone(proto, given, optimize=optimize).items():
            assert_same_bits(loaded.run(given, optimize=optimize)[output], wanted)
    assert [part.side for whole in loaded._wholes.values() for part in whole.cut.parts] == [Side.THEIRS] * 2
    loaded = wh.onnx.read_proto(proto)
    loaded.run(given, rules=f"onnx:{opset}")
    assert Side.OURS in parts(loaded)


def test_arithmetic_that_decides_sizes_or_is_openvinos_stays_with_wherry() -> None:
    nodes = [node("Shape", ["x"], ["n"]), node("Mul", ["n", "two"], ["m"]), node("Softplus", ["x"], ["s"])]
    nodes += [node("Add", ["s", "s"], ["a"]), node("Tile", ["a", "m"], ["t"]), node("Softsign", ["t"], ["y"])]
    proto = model(nodes, {"x": F}, ["y"], constants={"two": np.array([2, 2])})
    loaded = wh.onnx.read_proto(proto)
    assert_same_bits(loaded.run([X], optimize=False)["y"], alone(proto, {"x": X}, optimize=False)["y"])
    (whole,) = loaded._wholes.values()
    moved = [one.subject.split()[1] for part in whole.cut.parts if part.side is Side.OURS for one in part.nodes]
    assert sorted(moved) == ["Mul-13", "Shape-13", "Tile-13"]
    loaded = wh.onnx.read_proto(of_floats(13, "float32"))
    loaded.run([np.ones((1, 3), np.float32)], through="openvino")
    assert parts(loaded).count(Side.OURS) == 2


def test_arithmetic_that_the_runtime_lacks_stays_with_wherry() -> None:
    nodes = [node("Tanh", ["x"], ["t"]), node("Clip", ["t", "low"], ["c"]), node("Exp", ["c"], ["y"])]
    proto = model(nodes, {"x": F.astype(float)}, ["y"], opset=11, constants={"low": np.array(0.5)})
    with pytest.raises(Exception, match="Could not find an implementation for Clip"):
        alone(proto, {"x": X.astype(float)}, optimize=False)
    loaded = wh.onnx.read_proto(proto)
    for _ in range(2):
        found = loaded.run([X.astype(float)])["y"]
        np.testing.assert_allclose(found, np.exp(np.maximum(np.tanh(X.astype(float)), 0.5)))
    (whole,) = loaded._wholes.values()
    assert [part.side for part in whole._instead.cut.parts] == [Side.THEIRS, Side.OURS, Side.THEIRS]


@pytest.mark.parametrize("sizes", [(), (1,), (1, 1), (2,)])
def test_an_input_that_is_declared_as_a_scalar_takes_what_the_runtime_takes(sizes: tuple[int, ...]) -> None:
    """ONNX Runtime looks at no sizes where none are declared."""
    nodes = [node("Equal", ["rate", "wanted"], ["e"]), node("Cast", ["e"], ["f"], to=onnx.TensorProto.FLOAT),
             node("Softsign", ["f"], ["y"])]  # fmt: skip
    proto = model(nodes, {"rate": np.array(0)}, ["y", "e"], constants={"wanted": np.array(16000)})
    given = {"rate": np.full(sizes, 16000)}
    loaded = wh.onnx.read_proto(proto)
    for _ in range(2):
        for output, wanted in alone(proto, given, optimize=False).items():
            assert_same_bits(loaded.run(given, optimize=False)[output], wanted)
    (part,) = loaded.chains()
    assert part.run(given)["e"].shape == sizes


def test_sequences_and_strings_go_from_part_to_part() -> None:
    nodes = [
        node("Transpose", ["x"], ["t"]),
        node("SplitToSequence", ["t"], ["s"], axis=0),
        node("Transpose", ["t"], ["u"]),
        node("Sigmoid", ["u"], ["v"]),
        node("Transpose", ["v"], ["w"]),
        node("SequenceInsert", ["s", "w"], ["longer"]),
        node("ConcatFromSequence", ["longer"], ["y"], axis=0),
        node("StringNormalizer", ["words"], ["upper"], case_change_action="UPPER", locale="C"),
        node("Gather", ["upper", "i"], ["chosen"]),
    ]
    words = np.array(["a", "def"], object)
    proto = model(nodes, {"x": F, "words": words, "i": np.zeros(3, np.int64)}, ["y", "chosen", "longer"])
    loaded = wh.onnx.read_proto(proto)
    inputs = {"x": X, "words": words, "i": np.array([1, 1, -2])}
    found = loaded.run(inputs, optimize=False)
    expected = alone(proto, inputs, optimize=False)
    assert_same_bits(found["y"], expected["y"])
    assert found["chosen"].tolist() == ["DEF", "DEF", "A"]
    assert [array.tolist() for array in found["longer"]] == [array.tolist() for array in expected["longer"]]
    assert [array.tolist() for array in loaded.run({**inputs, "words": words.astype("T")})["longer"]] == [
        array.tolist() for array in expected["longer"]
    ]


def test_functions_of_the_model_stay_with_the_runtime() -> None:
    twice = helper.make_function("local", "Twice", ["a"], ["b"], [node("Add", ["a", "a"], ["b"])],
                                 [helper.make_opsetid("", 13)])  # fmt: skip
    proto = model([node("Transpose", ["x"], ["t"]), node("Twice", ["t"], ["y"], domain="local")], {"x": F}, ["y"])
    proto.opset_import.append(helper.make_opsetid("local", 1))
    proto.functions.append(twice)
    assert wh.onnx.read_proto(proto).run([X])["y"].tolist() == (2 * X.T).tolist()


def test_optional_inputs_and_outputs_that_are_left_out_stay_so() -> None:
    nodes = [node("Unsqueeze", ["x", "axes"], ["t"]), node("Clip", ["t", "", "high"], ["c"]),
             node("GRU", ["c", "w", "r"], ["", "last"], hidden_size=2), node("Squeeze", ["last"], ["y"])]  # fmt: skip
    rng = np.random.default_rng(4)
    constants = {"axes": np.array([0]), "high": np.float32(3).reshape(()), "w": rng.random((1, 6, 3), np.float32),
                 "r": rng.random((1, 6, 2), np.float32)}  # fmt: skip
    proto = model(nodes, {"x": F}, ["y"], constants=constants)
    assert_same_bits(wh.onnx.read_proto(proto).run([X])["y"], alone(proto, {"x": X}, optimize=False)["y"])


def test_new_sizes_ranks_and_defaults_are_taken() -> None:
    proto = model([node("Sigmoid", ["x"], ["s"]), node("Flatten", ["s"], ["y"])], {}, ["y"])
    proto.graph.input.append(value_info("x", "float32", None))
    proto.graph.initializer.append(onnx.numpy_helper.from_array(X, "x"))
    loaded = wh.onnx.read_proto(proto)
    for array in (X, X[:1], X[None], np.zeros((0, 3), np.float32), X[::-1], X.T):
        assert_same_bits(loaded.run([array])["y"], alone(proto, {"x": np.ascontiguousarray(array)}, True)["y"])
    assert_same_bits(loaded.run()["y"], loaded.run([X])["y"])


def test_a_type_that_the_file_declares_wrongly_is_no_obstacle() -> None:
    nodes = [node("Sigmoid", ["x"], ["s"]), node("Unknown", ["s"], ["u"], domain="com.microsoft"),
             node("Transpose", ["u"], ["y"])]  # fmt: skip
    nodes[1] = node("Gelu", ["s"], ["u"], domain="com.microsoft")
    proto = model(nodes, {"x": F}, ["y"])
    proto.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    proto.graph.value_info.append(value_info("u", "float32", [7, 7]))
    proto.graph.value_info.append(value_info("s", "float32", [5]))
    loaded = wh.onnx.read_proto(proto)
    assert_same_bits(loaded.run([X], optimize=False)["y"], alone(_undeclared(proto), {"x": X}, optimize=False)["y"])


def _undeclared(proto: onnx.ModelProto) -> onnx.ModelProto:
    found = onnx.ModelProto()
    found.CopyFrom(proto)
    del found.graph.value_info[:]
    return found


def test_given_outputs_are_written_and_an_error_leaves_them() -> None:
    loaded = wh.onnx.read_proto(lookup())
    good = {"x": X, "i": np.array([1, -1, 0])}
    expected = loaded.run(good)["y"]
    memory = np.full((3, 6), 9, np.float32)
    out = memory[:, ::2]
    assert loaded.run(good, out=[out])["y"] is out
    assert_same_bits(out.copy(), expected)
    assert (memory[:, 1::2] == 9).all()
    before = memory.copy()
    with pytest.raises(IndexOutOfRangeError):
        loaded.run(BAD, out={"y": out})
    assert_same_bits(memory, before)
    with pytest.raises(InvalidValueError, match=r"output 'y': out has sizes \[2\], allowed \[3, 3\]"):
        loaded.run(good, out=[np.zeros(2, np.float32)])


def test_results_are_nobody_elses_memory() -> None:
    nodes = [node("Sigmoid", ["x"], ["s"])]
    proto = model(nodes, {"x": F}, ["s", "x", "c"], constants={"c": X})
    loaded = wh.onnx.read_proto(proto)
    given = X.copy()
    first = loaded.run([given])
    for array in first.values():
        array[...] = 7
    assert_same_bits(given, X)
    assert_same_bits(loaded.run([X])["c"], X)


def test_weights_that_are_moved_are_moved_once() -> None:
    weight = np.random.default_rng(2).random((3, 4), np.float32)
    nodes = [node("Transpose", ["w"], ["wt"]), node("Transpose", ["wt"], ["v"]), node("MatMul", ["x", "v"], ["y"])]
    proto = model(nodes, {"x": F}, ["y"], constants={"w": weight})
    for optimize in (True, False):
        loaded = wh.onnx.read_proto(proto)
        assert_same_bits(loaded.run([X], optimize=optimize)["y"], alone(proto, {"x": X}, optimize)["y"])
        assert parts(loaded) == [Side.THEIRS]


def test_a_model_runs_from_several_threads_and_after_a_pickle() -> None:
    proto = lookup()
    proto.graph.input[0].CopyFrom(value_info("x", "float32", ["N", 3]))
    loaded = pickle.loads(pickle.dumps(wh.onnx.read_proto(proto)))

    def work(seed: int) -> int:
        rng = np.random.default_rng(seed)
        for _ in range(10):
            size = int(rng.integers(1, 9))
            inputs = {"x": rng.random((size, 3), np.float32), "i": rng.integers(-size, size, 3)}
            assert_same_bits(loaded.run(inputs, optimize=False)["y"], alone(proto, inputs, False)["y"])
        return 10

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(work, range(4))) == 40


REFUSED = {
    "a dialect": ({"rules": "tensorflow"}, InvalidValueError, "rules is 'tensorflow', allowed 'onnx:21', "),
    "an opset": ({"rules": "openvino:opset99"}, InvalidValueError, "rules is openvino:opset99, allowed "),
    "no opset": ({"rules": "onnx:x"}, InvalidValueError, "rules is onnx:x, allowed onnx:1, onnx:2"),
    "an opset of ONNX": ({"rules": "onnx:99"}, UnsupportedError, "opset is 99, allowed 1..28"),
    "a level": ({"rules": "directml:9.9"}, InvalidValueError, "feature_level"),
    "a version of WebNN": ({"rules": "webnn:1"}, InvalidValueError, "webnn, which has no versions"),
    "no text": ({"rules": 5}, InvalidTypeError, "rules is 5, allowed a text"),
    "a runtime": ({"through": "torch"}, InvalidValueError, "through is 'torch', allowed 'onnxruntime', 'openvino'"),
    "no runtime": ({"through": 3}, InvalidValueError, "through is 3, allowed 'onnxruntime', 'openvino'"),
    "no flag": ({"optimize": 1}, InvalidTypeError, "optimize is 1, allowed True or False"),
    "what it cannot": ({"through": "openvino", "optimize": False}, UnsupportedError, "always transforms graphs"),
    "limits": ({"limits": Limits(bytes=1)}, ResourceLimitError, "raise Limits.bytes"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_chosen_is_refused(name: str) -> None:
    given, error, words = REFUSED[name]
    with pytest.raises(error, match=words):
        wh.onnx.read_proto(lookup()).run({"x": X, "i": np.array([0, 1, 0])}, **given)


def test_what_the_runtime_does_not_know_is_told_with_its_name() -> None:
    proto = model([node("Nothing", ["x"], ["y"], domain="nowhere")], {"x": F}, ["y"])
    proto.opset_import.append(helper.make_opsetid("nowhere", 1))
    with pytest.raises(OtherRuntimeError, match=r"onnxruntime \d.* refuses to load a part of the model: .*Nothing"):
        wh.onnx.read_proto(proto).run([X])


def test_a_part_of_another_type_is_refused_where_wherry_should_move_it() -> None:
    nodes = [node("SequenceConstruct", ["x", "x"], ["s"]), node("Identity", ["s"], ["t"]),
             node("SequenceLength", ["t"], ["y"])]  # fmt: skip
    proto = model(nodes, {"x": F}, ["y"])
    with pytest.raises(UnsupportedError, match=r"tensor 's' is of seq\(tensor\(float\)\), allowed a tensor"):
        wh.onnx.read_proto(proto).run([X])


def test_the_inputs_of_an_old_file_that_have_values_are_constants_unless_given() -> None:
    nodes = [node("MatMul", ["x", "w"], ["m"]), node("Reshape", ["m", "shape"], ["y"])]
    weight, shape = np.random.default_rng(1).random((3, 3), np.float32), np.array([3, 2])
    proto = model(nodes, {"x": F, "w": weight, "shape": shape}, ["y"], constants={"w": weight, "shape": shape},
                  ir_version=3)  # fmt: skip
    loaded = wh.onnx.read_proto(proto)
    assert_same_bits(loaded.run({"x": X}, optimize=False)["y"], alone(proto, {"x": X}, optimize=False)["y"])
    (whole,) = loaded._wholes.values()
    assert [part.inputs for part in whole.cut.parts] == [("x",), ("m",)]
    found = loaded.run({"x": X, "shape": np.array([6, 1]), "w": np.eye(3, dtype=np.float32)})
    assert found["y"].tolist() == X.reshape(6, 1).tolist()
