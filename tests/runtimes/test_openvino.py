"""OpenVINO behind the interface: element types, layers of an IR as parts, and whole IRs by chosen rules."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from onnx import helper

import wherry as wh
from tests.dialects.onnx.models import model, value_info
from tests.runtimes.test_onnxruntime import part
from tests.support.compare import assert_same_bits
from wherry import dtypes
from wherry.errors import FileFormatError, IndexOutOfRangeError, InvalidValueError, OtherRuntimeError, UnsupportedError
from wherry.models.cut import Side
from wherry.runtimes.openvino import core
from wherry.runtimes.runtime import Held, Session, runtime_of

openvino = pytest.importorskip("openvino")
from openvino import opset13 as ops  # noqa: E402

X = np.arange(12, dtype=np.float32).reshape(3, 4)
BITS = np.random.default_rng(3).integers(0, 256, 192, np.uint8)


@pytest.fixture
def session_of() -> Callable[..., Session]:
    """Return what makes sessions of ONNX nodes."""
    runtime = runtime_of("openvino")
    return lambda *arguments, **given: runtime.session(part(*arguments, **given, apart=False))


TAKEN = ["bool", "int8", "int32", "int64", "uint8", "float16", "float32", "float64", "bfloat16"]


@pytest.mark.parametrize("name", TAKEN)
def test_elements_keep_their_values(name: str, session_of) -> None:
    array = (BITS % 2 if name in ("bool", "int64") else BITS % 100).astype(dtypes.find(name).numpy).reshape(2, 8, -1)
    session = session_of([helper.make_node("Transpose", ["x"], ["y"], perm=[1, 0, 2])], {"x": array}, ["y"])
    assert_same_bits(session.run({"x": array})["y"].copy(), array.transpose(1, 0, 2).copy())
    assert_same_bits(session.run({"x": array[:, ::-1]})["y"].copy(), array[:, ::-1].transpose(1, 0, 2).copy())


def test_results_outlive_the_session_and_the_next_run(session_of) -> None:
    session = session_of([helper.make_node("Exp", ["x"], ["y"])], {"x": X}, ["y"])
    results = [session.run({"x": X + n})["y"] for n in range(3)]
    del session
    for n, array in enumerate(results):
        np.testing.assert_allclose(array, np.exp(X + n), rtol=1e-5)


def test_strings_go_in_and_out() -> None:
    runtime = runtime_of("openvino")
    words = np.array(["a", "déf", ""], object)
    assert runtime.tensor(words).str_data.tolist() == words.tolist()


@pytest.mark.parametrize("name", ["int4", "uint4", "bfloat16", "float8_e4m3fn"])
def test_types_that_numpy_lacks_are_copied_bit_by_bit(name: str) -> None:
    dtype = dtypes.find(name)
    codes = np.arange(15, dtype=np.uint8)
    array = codes.view(dtype.numpy) if dtype.numpy.itemsize == 1 else codes.astype(dtype.numpy)
    made = runtime_of("openvino").tensor(array)
    assert made.element_type.get_type_name() == dtype.openvino
    from wherry.runtimes.openvino import array_of

    found = array_of(made, None)
    assert found.astype(np.float32).tolist() == array.astype(np.float32).tolist()


def test_refusals_are_told(session_of) -> None:
    session = session_of([helper.make_node("Exp", ["x"], ["y"])], {"x": X}, ["y"])
    with pytest.raises(UnsupportedError, match=r"tensor 'x' is of seq\(tensor\(float\)\), allowed tensors in OpenVINO"):
        session.run({"x": Held(None, "seq(tensor(float))", list)})
    with pytest.raises(OtherRuntimeError, match=r"^openvino \d.* refuses to load a part of the model"):
        session_of([helper.make_node("Nothing", ["x"], ["y"], domain="nowhere")], {"x": X}, ["y"])


def ir(folder: Path, results: list, parameters: list) -> Path:
    path = folder / "model.xml"
    openvino.save_model(openvino.Model(results, parameters), path, compress_to_fp16=False)
    return path


def network(folder: Path) -> Path:
    """Weights, a Gather and a Split between operations that wherry lacks, three outputs."""
    x = ops.parameter([-1, 4], np.float32, name="x")
    i = ops.parameter([3], np.int64, name="i")
    weights = np.random.default_rng(1).random((4, 8), np.float32)
    product = ops.matmul(x, ops.constant(weights), False, False)
    rows = ops.gather(product, i, ops.constant(np.int64(0)))
    act = ops.sigmoid(rows)
    parts = ops.split(act, ops.constant(np.int64(1)), 2)
    top = ops.topk(parts.output(1), ops.constant(np.int64(2)), 1, "max", "value")
    for output, name in ((act.output(0), "act"), (top.output(0), "best"), (top.output(1), "places")):
        output.get_tensor().set_names({name})
    return ir(folder, [act.output(0), top.output(0), top.output(1)], [x, i])


def alone(path: Path, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
    compiled = core().compile_model(path, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    return [np.array(value) for value in compiled(inputs).values()]


def test_an_ir_runs_as_openvino_runs_it(tmp_path: Path) -> None:
    path = network(tmp_path)
    loaded = wh.load(path)
    for size in (3, 5):
        inputs = {"x": np.random.default_rng(size).random((size, 4), np.float32), "i": np.array([2, -1, 0])}
        for found, wanted in zip(loaded.run(inputs).values(), alone(path, inputs), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-5)
    (whole,) = loaded._wholes.values()
    assert [piece.side for piece in whole.cut.parts].count(Side.OURS) == 2
    assert loaded.notes == ()


def test_an_ir_follows_chosen_rules(tmp_path: Path) -> None:
    loaded = wh.load(network(tmp_path))
    inputs = {"x": X, "i": np.array([1, 7, -1])}
    own = loaded.run(inputs)["act"]
    assert (own[1] == 0.5).all()  # OpenVINO reads zeros
    clamped = loaded.run(inputs, rules="directml:6.4")["act"]
    assert_same_bits(clamped[[0, 2]], own[[0, 2]])
    assert_same_bits(clamped[1], own[2])
    with pytest.raises(IndexOutOfRangeError, match=r"OpenVINO Gather-8 .*: indices\[1\] is 7"):
        loaded.run(inputs, rules="onnx:21")
    assert [finding.rule for finding in loaded.notes] == ["out_of_range"]


def test_bodies_keep_their_constants(tmp_path: Path) -> None:
    """An If whose branches hold weights, read from another place of the part's own weights."""
    x = ops.parameter([3, 4], np.float32, name="x")
    flag = ops.parameter([], np.bool_, name="flag")
    big = np.random.default_rng(2).random((4, 4), np.float32)
    bodies = []
    for factor in (1, 2):
        inner = ops.parameter([3, 4], np.float32)
        made = ops.matmul(ops.transpose(inner, ops.constant([0, 1])), ops.constant(big * factor), False, False)
        bodies.append((openvino.Model([ops.result(made)], [inner]), inner))
    (then, then_input), (otherwise, otherwise_input) = bodies
    shared = ops.sigmoid(ops.matmul(x, ops.constant(big), False, False))
    choice = ops.if_op(flag)
    choice.set_then_body(then)
    choice.set_else_body(otherwise)
    choice.set_input(shared.output(0), then_input, otherwise_input)
    result = choice.set_output(then.get_results()[0], otherwise.get_results()[0])
    path = ir(tmp_path, [ops.tanh(result)], [x, flag])
    loaded = wh.load(path)
    for value in (True, False):
        inputs = {"x": X / 10, "flag": np.array(value)}
        for found, wanted in zip(loaded.run(inputs).values(), alone(path, inputs), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-5)
    loaded.run({"x": X, "flag": np.array(True)}, rules="onnx:21")
    assert "2 nodes that move data follow the rules of the runtime" in str(loaded.notes[0])


def test_onnx_runtime_reads_no_ir(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    loaded = wh.load(network(tmp_path))
    with pytest.raises(UnsupportedError, match="does not read the parts of this model, which are of openvino"):
        loaded.run({"x": X, "i": np.array([0, 0, 0])}, through="onnxruntime")


def test_ranges_of_sizes_hold_for_whole_models_too(tmp_path: Path) -> None:
    x = ops.parameter(openvino.PartialShape([openvino.Dimension(2, 5), 4]), np.float32, name="x")
    loaded = wh.load(ir(tmp_path, [ops.sigmoid(x)], [x]))
    np.testing.assert_allclose(next(iter(loaded.run([X]).values())), 1 / (1 + np.exp(-X)), rtol=1e-5)
    with pytest.raises(InvalidValueError, match=r"input 'x' has size 1 on axis 0, allowed 2\.\.5"):
        loaded.run([X[:1]])


def test_an_onnx_model_runs_through_openvino_with_its_weights() -> None:
    weight = np.random.default_rng(1).random((4, 512), np.float32)
    nodes = [helper.make_node("MatMul", ["x", "w"], ["m"]), helper.make_node("Gather", ["m", "i"], ["g"]),
             helper.make_node("Softplus", ["g"], ["y"])]  # fmt: skip
    proto = model(nodes, {"x": X, "i": np.zeros(2, np.int64)}, ["y"], constants={"w": weight})
    proto.graph.input[0].CopyFrom(value_info("x", "float32", ["N", 4]))
    loaded = wh.onnx.read_proto(proto)
    inputs = {"x": X, "i": np.array([2, 9])}
    with pytest.raises(IndexOutOfRangeError):
        loaded.run(inputs, through="openvino")
    found = loaded.run(inputs, through="openvino", rules="openvino")["y"]
    np.testing.assert_allclose(found[0], np.log1p(np.exp(X[2] @ weight)), rtol=1e-5)
    np.testing.assert_allclose(found[1], np.log(2), rtol=1e-6)


def test_a_damaged_file_is_refused_before(tmp_path: Path) -> None:
    path = network(tmp_path)
    path.with_suffix(".bin").unlink()
    with pytest.raises(FileFormatError, match=r"no file model\.bin beside it"):
        wh.load(path)


def test_nothing_is_started_by_the_import() -> None:
    program = (
        "import sys, threading; from wherry.runtimes.known import known; known('openvino').imported(); "
        "print(threading.active_count(), 'openvino_telemetry' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["1", "False"]


SIGNALLED = """
import gc, signal, sys
import numpy as np
import wherry as wh

def run():
    return wh.load(sys.argv[1]).run({"x": np.ones((3, 4), np.float32), "i": np.array([2, 1, 0])})

first, second = run(), run()
del first
gc.collect()
del second
gc.collect()
signal.signal(signal.SIGUSR1, lambda number, frame: print("handled"))
signal.raise_signal(signal.SIGUSR1)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="what OpenVINO does with stacks for signals was seen on Linux")
def test_a_signal_is_handled_after_runtimes_have_gone(tmp_path: Path) -> None:
    """Of two cores of OpenVINO 2026.4.1 that go in the order in which they came a freed stack for signals is left."""
    run = [sys.executable, "-c", SIGNALLED, str(network(tmp_path))]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "handled\n"), done.stderr
