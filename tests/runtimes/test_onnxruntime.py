"""ONNX Runtime behind the interface: every element type goes in and comes out bit by bit, without copies."""

import sys

import numpy as np
import onnx
import pytest
from onnx import helper

from tests.dialects.onnx.models import model, value_info
from tests.support.compare import assert_same_bits
from wherry import dtypes
from wherry.dialects.onnx.parts import OnnxParts
from wherry.dialects.onnx.source import Source
from wherry.errors import InvalidValueError, MissingDependencyError, OtherRuntimeError, UnsupportedError
from wherry.graph import Node, Opaque
from wherry.models.parts import PartFile
from wherry.runtimes.runtime import Held, runtime_of
from wherry.tensors import TensorType

pytest.importorskip("onnxruntime")


def part(nodes: list[onnx.NodeProto], inputs: dict[str, object], outputs: list[str], **given: object) -> PartFile:
    """Return nodes as a part, given inputs by example or type, and constants."""
    constants, apart = given.pop("constants", {}), given.pop("apart", True)
    frame = model([], {}, [], **given)
    wrapped = [
        Node(Opaque(node.op_type, (), source=Source(node, frame)), tuple(node.input), tuple(node.output), "")
        for node in nodes
    ]
    types = {name: TensorType.of(kind) if isinstance(kind, np.ndarray) else kind for name, kind in inputs.items()}
    return OnnxParts(frame).write(wrapped, types, outputs, constants, {}, apart)


def identity(array: np.ndarray, opset: int = 24) -> object:
    nodes = [helper.make_node("Identity", ["x"], ["y"])]
    session = runtime_of("onnxruntime").session(part(nodes, {"x": array}, ["y"], opset=opset, ir_version=10))
    return session.run({"x": array})["y"]


BITS = np.random.default_rng(3).integers(0, 256, 192, np.uint8)
TAKEN = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
         "float64", "bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"]  # fmt: skip


@pytest.mark.parametrize("name", TAKEN)
def test_elements_of_every_type_keep_their_bits(name: str) -> None:
    dtype = dtypes.find(name).numpy
    array = (BITS % 2 if name == "bool" else BITS).view(dtype).reshape(2, 3, -1)
    assert_same_bits(identity(array), array)
    assert_same_bits(identity(array[:, ::-1]), array[:, ::-1].copy())
    assert_same_bits(identity(array[0, 0, :1].reshape(())), array[0, 0, :1].reshape(()))
    assert_same_bits(identity(array[:, :0]), array[:, :0])


@pytest.mark.parametrize("name", ["int4", "uint4"])
def test_elements_under_a_byte_are_packed_and_unpacked(name: str) -> None:
    codes = np.arange(15, dtype=np.uint8).view(dtypes.find(name).numpy)
    nodes = [helper.make_node("DequantizeLinear", ["x", "s"], ["y"])]
    session = runtime_of("onnxruntime").session(
        part(nodes, {"x": codes}, ["y"], constants={"s": np.float32(1).reshape(())}, opset=21, ir_version=10)
    )
    assert session.run({"x": codes})["y"].tolist() == codes.astype(np.float32).tolist()
    back = [helper.make_node("QuantizeLinear", ["x", "s", "z"], ["y"])]
    given = {"s": np.float32(1).reshape(()), "z": np.zeros((), codes.dtype)}
    floats = codes.astype(np.float32)
    session = runtime_of("onnxruntime").session(
        part(back, {"x": floats}, ["y"], constants=given, opset=21, ir_version=10)
    )
    assert_same_bits(session.run({"x": floats})["y"].view(np.int8) & 15, codes.view(np.int8) & 15)


def test_strings_go_in_and_out() -> None:
    words = np.array([["a", "déf"], ["", "bc"]], object)
    assert_same_bits(identity(words), words)
    assert identity(words.astype("T")).tolist() == words.tolist()


def test_results_are_the_runtimes_memory_and_outlive_it() -> None:
    x = np.arange(2**16, dtype=np.float32)
    session = runtime_of("onnxruntime").session(part([helper.make_node("Neg", ["x"], ["y"])], {"x": x}, ["y"]))
    results = [session.run({"x": x + n})["y"] for n in range(4)]
    del session
    assert all(array.base is not None and array.flags.writeable for array in results)
    for n, array in enumerate(results):
        assert_same_bits(array, -(x + n))


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("optimize", [True, False])
def test_weights_are_not_copied(optimize: bool) -> None:
    weight = np.random.default_rng(1).random((4096, 4096), np.float32)  # 64 MiB
    x = np.ones(4096, np.float32)
    runtime_of("onnxruntime", optimize=optimize)  # what the import takes does not count
    made = part([helper.make_node("Add", ["x", "w"], ["y"])], {"x": x}, ["y"], constants={"w": weight})
    assert len(made.content) < 1000
    before = resident()
    session = runtime_of("onnxruntime", optimize=optimize).session(made)
    assert resident() - before < 32 * 2**20
    assert_same_bits(session.run({"x": x})["y"], x + weight)


def test_what_is_no_tensor_is_handed_on_as_it_is() -> None:
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    split = part([helper.make_node("SplitToSequence", ["x"], ["s"], axis=0)], {"x": x}, ["s"])
    runtime = runtime_of("onnxruntime")
    made = runtime.session(split).run({"x": x})["s"]
    assert isinstance(made, Held)
    assert made.type == "seq(tensor(float))"
    assert [array.tolist() for array in made.plain()] == [[row] for row in x.tolist()]
    join = part([helper.make_node("ConcatFromSequence", ["s"], ["y"], axis=0)], {"s": made.type}, ["y"])
    assert_same_bits(runtime.session(join).run({"s": made})["y"], x)


def test_nodes_run_as_the_file_has_them_without_optimizations() -> None:
    """Exp of Log is no identity in float32; both ways give what the runtime gives for the whole file."""
    x = np.linspace(0.1, 3, 50, dtype=np.float32)
    nodes = [helper.make_node("Cast", ["x"], ["h"], to=10), helper.make_node("Cast", ["h"], ["y"], to=1)]
    off = runtime_of("onnxruntime", optimize=False).session(part(nodes, {"x": x}, ["y"])).run({"x": x})["y"]
    assert_same_bits(off, x.astype(np.float16).astype(np.float32))


def test_refusals_name_the_runtime_and_its_version() -> None:
    import onnxruntime

    title = f"onnxruntime {onnxruntime.__version__}"
    unknown = helper.make_node("Unknown", ["x"], ["y"], domain="nowhere")
    x = np.zeros(2, np.float32)
    with pytest.raises(OtherRuntimeError, match=f"^{title} refuses to load a part of the model: .*nowhere"):
        runtime_of("onnxruntime").session(part([unknown], {"x": x}, ["y"]))
    session = runtime_of("onnxruntime").session(
        part([helper.make_node("MatMul", ["x", "x"], ["y"])], {"x": TensorType("float32", None)}, ["y"])
    )
    with pytest.raises(OtherRuntimeError, match=f"^{title} fails on a part of the model: .*MatMul"):
        session.run({"x": np.zeros((2, 3), np.float32)})
    with pytest.raises(
        UnsupportedError, match=f"^{title} does not read the parts of this model, which are of openvino"
    ):
        runtime_of("onnxruntime").session(PartFile("openvino", b"", (), (), {}))


def test_other_names_are_refused() -> None:
    for name in ("onnx", "", None, 3, "ONNXRuntime"):
        with pytest.raises(InvalidValueError, match="allowed 'onnxruntime', 'openvino'"):
            runtime_of(name)


@pytest.mark.parametrize("name", ["onnxruntime", "openvino"])
def test_a_package_that_is_not_there_is_told_with_its_extra(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = pytest.importorskip(name) and f"wherry.runtimes.{name}"
    __import__(runtime)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(
        MissingDependencyError, match=rf"needs the package {name}; install it with: pip install 'wherry\["
    ):
        runtime_of(name)


def test_types_that_are_no_tensors_are_declared_in_words() -> None:
    written = part(
        [],
        {"m": "seq(map(int64,tensor(float)))", "o": "optional(tensor(int64))", "f": TensorType("float32", (2, None))},
        [],
    )
    inputs = {info.name: info.type for info in onnx.ModelProto.FromString(written.content).graph.input}
    assert inputs["m"].sequence_type.elem_type.map_type.key_type == onnx.TensorProto.INT64
    assert inputs["m"].sequence_type.elem_type.map_type.value_type.tensor_type.elem_type == onnx.TensorProto.FLOAT
    assert inputs["o"].optional_type.elem_type.tensor_type.elem_type == onnx.TensorProto.INT64
    assert [dim.dim_value for dim in inputs["f"].tensor_type.shape.dim] == [2, 0]
    with pytest.raises(UnsupportedError, match="a value is of type 'opaque"):
        part([], {"x": "opaque(a,b)"}, [])
    assert value_info("x", "float32", None).type == onnx.TypeProto(
        tensor_type=inputs["m"].sequence_type.elem_type.map_type.value_type.tensor_type
    )
