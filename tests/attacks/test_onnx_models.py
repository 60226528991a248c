"""Hostile ONNX models that are well formed: sizes that become axes, what kills shape inference, depth, numbers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

import wherry as wh
import wherry.dialects.onnx.reader
from tests.attacks import attack
from tests.attacks.test_onnx_files import F32, HUGE, I64, load_and_plan, model, value
from wherry.errors import FileFormatError, UnsupportedError, WherryError
from wherry.models.listing import Listing

node = helper.make_node


def ints(name: str, *values: int) -> TensorProto:
    return numpy_helper.from_array(np.array(values, np.int64), name)


SHAPE = value("s", [HUGE], I64)

AXES: dict[str, tuple[ModelProto, str]] = {
    "Reshape": (model([node("Reshape", ["x", "s"], ["y"])], [value("x", [2]), SHAPE]), "268435456 axes"),
    "Expand": (model([node("Expand", ["x", "s"], ["y"])], [value("x", [2]), SHAPE]), "268435456 axes"),
    "ConstantOfShape": (model([node("ConstantOfShape", ["s"], ["y"])], [SHAPE]), "268435456 axes"),
    "Unsqueeze": (model([node("Unsqueeze", ["x", "s"], ["y"])], [value("x", [2]), SHAPE]), "268435457 axes"),
    "Tile-1": (
        model([node("Tile", ["x", "s", "x"], ["y"])], [value("x", [2]), SHAPE], opset=1), "dtype int64"),
    "Col2Im": (
        model([node("Col2Im", ["x", "s", "s"], ["y"])], [value("x", [1, 2, 3]), SHAPE]), "268435458 axes"),
    "Transpose of 100": (model([node("Transpose", ["x"], ["y"], perm=range(100))], [value("x")]), "has 100 axes"),
    "Gather of 79": (
        model([node("Gather", ["x", "i"], ["y"])], [value("x", [1] * 40), value("i", [1] * 40, I64)]), "has 79 axes"),
    "OneHot of 65": (
        model([node("OneHot", ["x", "d", "v"], ["y"])],
              [value("x", [1] * 64, I64), value("d", [], I64), value("v", [2])]), "has 65 axes"),
    "Expand to 65": (
        model([node("Expand", ["x", "s"], ["y"])], [value("x", [1])], [ints("s", *[1] * 65)]), "has 65 axes"),
    "Reshape to 65": (
        model([node("Reshape", ["x", "s"], ["y"])], [value("x", [1])], [ints("s", *[1] * 65)]), "has 65 axes"),
    "Reshape to 2^20 and more": (
        model([node("Reshape", ["x", "s"], ["y"])], [value("x", [1])], [ints("s", *[1] * (2**20 + 1))]),
        "the entries of shape are 1048577, allowed 1048576"),
    "Split in 2^20 and more": (
        model([node("Split", ["x", "s"], ["y"])], [value("x", [1])], [ints("s", *[0] * (2**20 + 1))]),
        "the entries of split are 1048577, allowed 1048576"),
    "a chain of Unsqueeze": (
        model([node("Unsqueeze", [f"x{n}" if n else "x", "a"], [f"x{n + 1}"]) for n in range(100)],
              initializers=[ints("a", 0)], outputs=("x100",)), "has 65 axes"),
    "GatherND of tuples of 2^28": (
        model([node("GatherND", ["x", "i"], ["y"])], [value("x", [2]), value("i", [2, HUGE], I64)]),
        "size of axis 1 of indices is 268435456"),
    "DepthToSpace by 2^62": (
        model([node("DepthToSpace", ["x"], ["y"], blocksize=2**62)], [value("x", [1, 4, 2, 2])]), "size of axis 1"),
}  # fmt: skip


@pytest.mark.parametrize("name", AXES)
def test_sizes_that_become_axes_or_parts(name: str) -> None:
    proto, words = AXES[name]
    assert words in attack.refused(lambda: wh.onnx.read_proto(proto))


BYTES: dict[str, ModelProto] = {
    "Range": model(
        [node("Range", ["a", "b", "c"], ["y"])],
        [],
        [numpy_helper.from_array(np.array(number), name) for name, number in (("a", 0), ("b", 2**62), ("c", 1))],
    ),
    "Range that decides sizes": model(
        [node("Range", ["a", "b", "c"], ["s"]), node("ConstantOfShape", ["s"], ["y"])],
        [],
        [numpy_helper.from_array(np.array(number), name) for name, number in (("a", 0), ("b", 10**8), ("c", 1))],
    ),
    "ConstantOfShape": model([node("ConstantOfShape", ["s"], ["y"])], [], [ints("s", 2**30, 2**30)]),
    "Expand": model([node("Expand", ["x", "s"], ["y"])], [value("x", [1])], [ints("s", 2**31, 2**30)]),
    "Tile": model([node("Tile", ["x", "s"], ["y"])], [value("x", [2])], [ints("s", 2**60)]),
    "Pad": model([node("Pad", ["x", "s"], ["y"])], [value("x", [2])], [ints("s", 2**60, 0)]),
    "EyeLike": model([node("EyeLike", ["x"], ["y"])], [value("x", [2**31, 2**31])]),
    "Concat beyond 64 bits": model(
        [node("Concat", ["x", "x", "x"], ["y"], axis=0)], [value("x", [2**62], TensorProto.UINT8)]
    ),
}


@pytest.mark.parametrize("name", BYTES)
def test_results_that_no_machine_holds(name: str) -> None:
    attack.refused(lambda: str(wh.onnx.read_proto(BYTES[name]).plan))


INFERENCE: dict[str, ModelProto] = {
    # Each ended the process, or took gigabytes or minutes, in onnx.shape_inference 1.23.
    "indices of size -3 (GatherND)": model(
        [node("Relu", ["x"], ["r"]), node("GatherND", ["r", "i"], ["y"])], None, [TensorProto(name="i", data_type=7)]
    ),
    "a missing input (RegexFullMatch)": model([node("RegexFullMatch", [""], ["y"], pattern="a")], opset=20),
    "a missing input (StringConcat)": model([node("StringConcat", ["", ""], ["y"])], opset=20),
    "an axis of 2^31 (LayerNormalization)": model([node("LayerNormalization", ["x", "x"], ["y"], axis=2**31)]),
    "a size of 2^31 (Relu)": model([node("Relu", ["x"], ["y"]), node("Gather", ["x", "y"], ["z"])],
                                   [value("x", [2**31 - 1], TensorProto.BOOL)]),
    "a size of 2^63 - 1 (Relu)": model([node("Relu", ["x"], ["y"]), node("Gather", ["x", "y"], ["z"])],
                                       [value("x", [2**63 - 1], TensorProto.INT32)]),
    "a size of 2^40 (Unsqueeze)": model([node("Unsqueeze", ["x", "a"], ["t"]), node("Relu", ["t"], ["y"])],
                                        [value("x", [2**40], I64)], [ints("a", 1)]),
    "a size of 2^40 (MeanVarianceNormalization)": model(
        [node("MeanVarianceNormalization", ["x"], ["y"])], [value("x", [2**40], I64)]),
}  # fmt: skip
INFERENCE["indices of size -3 (GatherND)"].graph.initializer[0].dims.extend([1, -3])


@pytest.mark.parametrize("name", INFERENCE)
def test_what_kills_shape_inference(name: str) -> None:
    """It ends the process that infers, if any; the model is listed or refused here."""

    def call() -> None:
        str(Listing.of(wh.onnx.read_proto(INFERENCE[name]).graph))

    outcome = attack.run(call)
    assert outcome.error is None or issubclass(outcome.error, WherryError), outcome


def test_a_negative_size_behind_a_slice_is_named() -> None:
    proto = model([node("Relu", ["x"], ["r"]), node("Slice", ["r", "a", "b"], ["y"])],
                  [value("x", [-(2**31)])], [ints("a", 0), ints("b", 1)])  # fmt: skip
    words = attack.refused(lambda: wh.onnx.read_proto(proto), FileFormatError)
    assert "input 'x' has size -2147483648 on axis 0" in words


def branch(inner: NodeProto, result: str) -> GraphProto:
    return helper.make_graph([inner], "branch", [], [onnx.ValueInfoProto(name=result)])


def nested(depth: int, both: bool = False) -> ModelProto:
    """Return a model of If in If; with `both`, in both branches."""

    def made(level: int, name: str) -> NodeProto:
        if level == 0:
            return node("Relu", ["x"], [name])
        other = made(level - 1 if both else 0, f"{name}1")
        branches = branch(made(level - 1, f"{name}0"), f"{name}0"), branch(other, f"{name}1")
        return node("If", ["c"], [name], then_branch=branches[0], else_branch=branches[1])

    return model([made(depth, "y")], [value("x", [2, 3]), value("c", [], TensorProto.BOOL)])


@pytest.mark.parametrize(("depth", "both"), [(14, False), (30, False), (7, True)])
def test_ifs_in_ifs_are_listed(depth: int, both: bool, tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(nested(depth, both).SerializeToString())
    outcome = attack.run(lambda: Listing.of(wh.load(path).graph).opaque)
    assert outcome.error is None, outcome
    assert f"'Relu of opset 18': {2**depth if both else depth + 1}" in outcome.result


def test_messages_deeper_than_protobuf_reads(tmp_path: Path) -> None:
    depth = 40
    proto = model([node("If", ["x"], ["y"])])
    inner = proto.graph.node[0]
    for _ in range(depth):
        inner = inner.attribute.add(name="then_branch", type=5).g.node.add(op_type="If")
    words = attack.refused(lambda: wh.onnx.read_proto(proto), FileFormatError)
    assert "more than 100 deep" in words


def test_a_type_of_sequences_of_sequences() -> None:
    proto = model([node("Relu", ["x"], ["y"])])
    kind = proto.graph.input[0].type
    for _ in range(2000):
        kind = kind.sequence_type.elem_type
    kind.tensor_type.elem_type = F32
    assert "more than 100 deep" in attack.refused(lambda: wh.onnx.read_proto(proto), FileFormatError)


def many(count: int, op_type: str) -> ModelProto:
    """Return a chain of nodes."""
    names = ["x", *(f"t{number}" for number in range(count))]
    chain = [node(op_type, [read], [made]) for read, made in pairwise(names)]
    return model(chain, outputs=(names[-1],))


def test_20000_nodes_of_operators_that_wherry_lacks() -> None:
    proto = many(20_000, "Relu")

    def call() -> None:
        wh.onnx.read_proto(proto).graph.refuse_opaque()

    words = attack.refused(call, UnsupportedError)
    assert "Relu" in words
    assert "; ... and 19980 more; " in words
    assert len(words) < 5000


def test_5000_nodes_are_planned_soon() -> None:
    outcome = attack.run(lambda: len(wh.onnx.read_proto(many(5000, "Identity")).plan.moves))
    assert outcome.result == "1"


def test_an_opaque_node_without_outputs_is_named() -> None:
    proto = model([node("Relu", ["x"], []), node("Identity", ["x"], ["y"])])

    def call() -> None:
        _ = wh.onnx.read_proto(proto).plan

    assert "Relu of opset 18 (node '')" in attack.refused(call, UnsupportedError)


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "truncated": lambda content: content[: len(content) // 2],
    "zeros": lambda content: bytes(1000),
    "ones": lambda content: b"\xff" * 1000,
    "a length of 2^31": lambda content: b"\x3a\xff\xff\xff\xff\x07" + content,
    "groups": lambda content: b"\x3b" * 10**5,
    "a name that is not UTF-8": lambda content: content.replace(b"Identity", b"Identit\xff"),
    "text": lambda content: b"ir_version: 9",
    "messages 10000 deep": lambda content: _deep(10_000),
}


def _deep(depth: int) -> bytes:
    """Return graphs in attributes of nodes of graphs, as bytes."""
    content = b""
    for level in range(depth):
        tag = (b"\x32", b"\x2a", b"\x0a")[level % 3]  # AttributeProto.g, NodeProto.attribute, GraphProto.node
        content = tag + _length(content) + content
    return b"\x08\x09\x3a" + _length(content) + content


def _length(content: bytes) -> bytes:
    length, size = b"", len(content)
    while size > 127:
        length, size = length + bytes([size & 127 | 128]), size >> 7
    return length + bytes([size])


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_bytes(name: str, tmp_path: Path) -> None:
    content = model([node("Identity", ["x"], ["y"])]).SerializeToString()
    path = tmp_path / "m.onnx"
    path.write_bytes(DAMAGE[name](content))
    attack.refused(lambda: load_and_plan(path), FileFormatError)


def wrapped(content: bytes) -> bytes:
    """Return the bytes of a model whose graph is `content`."""
    return b"\x08\x09\x3a" + _length(content) + content


WALKED: dict[str, bytes] = {
    # Each is large enough that the walk for weights looks into it.
    "many empty nodes": wrapped(b"\x0a\x00" * 2**16),
    "a graph in a graph in a graph, each of kilobytes": wrapped(b"\x0a" * 5000),
    "a tensor whose length ends beyond the file": wrapped(b"\x2a\xff\xff\x7f" + bytes(9000)),
    "lengths of ten bytes": wrapped(b"\x2a" + b"\xff" * 9 + b"\x01" + bytes(9000)),
    "endless numbers": wrapped(b"\x2a" + _length(bytes(9000)) + b"\x80" * 9000),
    "raw data that is no bytes": wrapped(b"\x2a" + _length(bytes(9000)) + b"\x48\x01" * 4500),
}


@pytest.mark.parametrize("name", WALKED)
def test_bytes_that_the_walk_for_weights_looks_into(name: str, tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(WALKED[name])
    seconds, megabytes = (5, 256) if name == "many empty nodes" else (1, 64)  # protobuf makes the nodes
    attack.refused(lambda: wh.load(path), WherryError, seconds=seconds, megabytes=megabytes)


def test_ranges_that_many_tensors_share_in_the_models_own_file(tmp_path: Path) -> None:
    """A tensor of less than a byte an element takes more memory than its bytes in the file."""
    tensors = [TensorProto(name=f"t{n}", data_type=TensorProto.INT4, dims=[2**21], data_location=TensorProto.EXTERNAL)
               for n in range(4000)]  # fmt: skip
    for tensor in tensors:
        for key, text in (("location", "m.onnx"), ("offset", "0"), ("length", str(2**20))):
            tensor.external_data.add(key=key, value=text)
    proto = model([node("Identity", ["x"], ["y"])], initializers=tensors)
    path = tmp_path / "m.onnx"
    path.write_bytes(proto.SerializeToString() + b"\x32" + _length(bytes(2**20)) + bytes(2**20))
    words = attack.refused(lambda: wh.load(path, limits=wh.Limits(bytes=2**24)), WherryError, megabytes=96)
    assert "external data" in words
