"""Writing ONNX files: round trips, equal meaning where the words differ, and what ONNX cannot say."""

from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from tests.dialects.onnx.test_reader import F, I, chain
from tests.support.compare import assert_same_bits
from wherry.errors import InvalidValueError, UnsupportedError
from wherry.graph import Deferred, Graph, GraphBuilder, Node
from wherry.layout import LIMIT
from wherry.models.model import GraphModel
from wherry.ops import (
    Concat,
    Constant,
    DepthToSpace,
    Expand,
    Gather,
    Identity,
    Pad,
    Reshape,
    Reverse,
    Roll,
    ScatterElements,
    Slice,
    Split,
    Squeeze,
    Tile,
    Transpose,
    Trilu,
    Uneven,
    Unsqueeze,
)
from wherry.ops.split import split_by_sizes
from wherry.tensors import TensorType

X = TensorType("float32", (3, 4))
INDICES = TensorType("int64", (2,))
FROM_1 = dict(negative="invalid")


def one(operator: object, inputs: dict[str, TensorType], outputs: int = 1, **constants: np.ndarray) -> Graph:
    """Return the graph of one node that reads all inputs and constants in order."""
    names = tuple(f"y{n}" for n in range(outputs))
    node = Node(operator, (*inputs, *constants), names, "test", "the node")
    return Graph(inputs, names, (node,), constants)


SIZES = TensorType("int64", (2,))
EXACT = {
    "gather": (one(Gather(1), {"x": X, "i": INDICES}), 11, 28),
    "gather of version 1": (one(Gather(1, **FROM_1), {"x": X, "i": INDICES}), 1, 10),
    "gather by a constant": (one(Gather(-1), {"x": X}, i=I), 11, 28),
    "split by sizes": (one(Split(0, sizes=(1, 2)), {"x": X}, 2), 2, 28),
    "split from the end": (one(Split(-1, sizes=(1, 3)), {"x": X}, 2), 11, 28),
    "split evenly": (one(Split(0, sections=3), {"x": X}, 3), 2, 17),
    "split with a smaller last": (one(Split(0, sections=2, uneven=Uneven.ONLY_LAST),
                                      {"x": TensorType("float32", ("N",))}, 2), 18, 28),
    "split by sizes known at run": (one(Deferred(split_by_sizes, (("axis", 1),), (("sizes", 1),), 2, Split),
                                        {"x": X, "s": SIZES}, 2), 13, 28),
    "join": (one(Concat(1), {"a": X, "b": X}), 4, 28),
    "join from the end": (one(Concat(-1), {"a": X, "b": X, "c": X}), 11, 28),
    "copy": (one(Identity(), {"x": TensorType("string", ("N", None))}), 1, 28),
    "copy of float8": (one(Identity(), {"x": TensorType("float8_e5m2", None)}), 19, 28),
    "copy of int2": (one(Identity(), {"x": TensorType("int2", ())}), 25, 28),
    "no node": (Graph({"x": X}, ("x", "c"), (), {"c": np.array([1, -8], ml_dtypes.int4)}), 1, 28),
}  # fmt: skip


@pytest.mark.parametrize("name", EXACT)
def test_round_trip_in_every_opset_that_can_say_it(name: str, tmp_path: Path) -> None:
    graph, first, last = EXACT[name]
    for opset in range(1, 29):
        if first <= opset <= last:
            wh.onnx.write(graph, tmp_path / "m.onnx", opset=opset)
            read = wh.onnx.read(tmp_path / "m.onnx").graph
            assert read.same_as(graph), f"opset {opset}:\n{read}\nwritten:\n{graph}"
            assert graph.same_as(read)


@pytest.mark.parametrize("name", [name for name, (_, first, _) in EXACT.items() if first > 4 and name != "no node"])
def test_opsets_that_cannot_say_it_refuse(name: str) -> None:
    graph, first, _ = EXACT[name]
    for opset in range(1, first):
        with pytest.raises(
            UnsupportedError, match=rf"^ONNX writer, opset {opset}, node 'the node': .*; write opset {first}\.\.28$"
        ):
            wh.onnx.to_proto(graph, opset)


def test_files_pass_the_onnx_checker() -> None:
    for graph, first, last in EXACT.values():
        if any(kind.sizes is None for kind in graph.types.values()):
            continue  # the checker, not the format, wants the number of axes of each input and output
        for opset in {first, last}:
            onnx.checker.check_model(wh.onnx.to_proto(graph, opset), full_check=True)


@given(st.data())
def test_random_graphs_come_back(data: st.DataObject) -> None:
    builder = GraphBuilder()
    builder.add_input("x", X)
    builder.add_constant("i", np.array([0, -1]))
    types = builder.types
    for number in range(data.draw(st.integers(1, 5))):
        source = data.draw(st.sampled_from(sorted(types.keys() - {"i"})))
        axis = data.draw(st.integers(-len(types[source].sizes), len(types[source].sizes) - 1))
        size = types[source].sizes[axis]
        cut = data.draw(st.integers(0, size))
        operator, inputs, count = data.draw(st.sampled_from([
            (Gather(axis), (source, "i"), 1), (Split(axis, sizes=(cut, size - cut)), (source,), 2),
            (Concat(axis), (source, source), 1), (Identity(), (source,), 1),
        ]))  # fmt: skip
        names = [f"t{number} {part}" for part in range(count)]
        builder.add(operator, inputs, names, "test", f"n{number}")
    graph = builder.build(names)
    assert wh.onnx.read_proto(wh.onnx.to_proto(graph, 18)).graph.same_as(graph)


def test_a_model_keeps_its_defaults(tmp_path: Path) -> None:
    model = GraphModel(one(Gather(0), {"x": X, "i": INDICES}), "onnx", {"i": I})
    wh.onnx.write(model, tmp_path / "m.onnx")
    read = wh.load(tmp_path / "m.onnx")
    assert_same_bits(read.defaults["i"], I)
    assert_same_bits(read.run([F])["y0"], F[I])


def test_a_model_that_was_read_comes_back() -> None:
    read = wh.onnx.read_proto(chain()).graph
    assert wh.onnx.read_proto(wh.onnx.to_proto(read, 13)).graph.same_as(read)
    assert read.name == "g"


@pytest.mark.parametrize(
    ("opset", "ir_version"), [(1, 3), (8, 3), (9, 4), (13, 7), (18, 8), (21, 10), (25, 13), (28, 14)]
)
def test_ir_version_is_the_first_that_has_the_opset(opset: int, ir_version: int) -> None:
    graph = one(Identity(), {"x": X})
    assert wh.onnx.to_proto(graph, opset).ir_version == ir_version
    assert wh.onnx.to_proto(graph, opset, ir_version=14).ir_version == 14
    with pytest.raises(InvalidValueError, match=rf"ir_version is {ir_version - 1}, allowed {ir_version}\.\.14"):
        wh.onnx.to_proto(graph, opset, ir_version=ir_version - 1)


def test_ir_version_has_the_element_types() -> None:
    assert wh.onnx.to_proto(EXACT["no node"][0], 1).ir_version == 10


SAME_MEANING = {
    "even parts at 18": (Split(0, sections=3), 3, 18, Split(0, sizes=(1, 1, 1))),
    "smaller last before 18": (Split(1, sections=3, uneven=Uneven.SMALLER_LAST), 3, 13, Split(1, sizes=(2, 2, 0))),
    "what remains": (Split(1, sizes=(1, -1)), 2, 11, Split(1, sizes=(1, 3))),
}


@pytest.mark.parametrize("name", SAME_MEANING)
def test_sizes_say_it_where_the_version_has_no_word(name: str) -> None:
    operator, count, opset, expected = SAME_MEANING[name]
    graph = one(operator, {"x": X}, count)
    read = wh.onnx.read_proto(wh.onnx.to_proto(graph, opset))
    assert [node.operator for node in read.graph.nodes] == [expected]
    for a, b in zip(read.run([F]).values(), GraphModel(graph, "test").run([F]).values(), strict=True):
        assert_same_bits(a, b)


def unresolved(axis: np.ndarray) -> Gather:
    return Gather(axis)


MOVED = {
    "slice by sizes": (Slice((1, 3), sizes=(2, 2), steps=(1, -2)), X, Slice((1, 3), (3, 0), None, (1, -2))),
    "slice to the front": (Slice((2,), sizes=(3,), steps=(-1,)), X, Slice((2,), (-LIMIT,), None, (-1,))),
    "reverse": (Reverse((1, -1)), X, Slice((-1,), (-LIMIT,), (1,), (-1,))),
    "squeeze what is 1": (Squeeze((0, 1), other_sizes="keep"), X.with_sizes((1, 4)), Squeeze((0,), empty="none")),
    "squeeze nothing listed": (Squeeze((), empty="all"), X.with_sizes((1, 4)), Squeeze(None, empty="none")),
    "squeeze twice": (Squeeze((0, -2), repeated="collapse"), X.with_sizes((1, 4)), Squeeze((0,), empty="none")),
    "unsqueeze twice": (Unsqueeze((0, 0), repeated="collapse"), X, Unsqueeze((0,))),
    "reverse the axes": (Transpose((), empty="reverse"), X, Transpose(None)),
    "expand one way": (Expand((2, 3, 4), "one_way"), X, Expand((2, 3, 4))),
    "expand by axes": (Expand((2, 3, 4), "explicit", (1, 2)), X, Expand((2, 3, 4))),
    "tile fewer axes": (Tile((2,), lengths="pad"), X, Tile((1, 2))),
    "tile along an axis": (Tile((2,), axis=-2), X, Tile((2, 1))),
    "reshape by numbers": (Reshape((4, 3), "literal", "one"), X, Reshape((4, 3))),
    "pad without mirrors": (Pad((1, 0), (0, 0), "edge", mixed_signs="original", overcrop="empty"), X,
                            Pad((1, 0), (0, 0), "edge", beyond="fold")),
    "blocks": (DepthToSpace(1, "depth_first"), TensorType("int8", (1, 2, 3, 4)), DepthToSpace(1, "depth_first", 4)),
}  # fmt: skip


@pytest.mark.parametrize("name", MOVED)
def test_rules_that_come_to_nothing_are_written_as_onnx_has_them(name: str) -> None:
    operator, kind, expected = MOVED[name]
    graph = one(operator, {"x": kind})
    read = wh.onnx.read_proto(wh.onnx.to_proto(graph, 28))
    assert [node.operator for node in read.graph.nodes] == [expected]
    data = np.arange(int(np.prod(kind.shape))).astype(kind.numpy).reshape(kind.shape)
    assert_same_bits(read.run([data])["y0"], GraphModel(graph, "test").run([data])["y0"])


def test_a_literal_is_a_constant_node() -> None:
    graph = Graph({}, ("y",), (Node(Constant(np.array([1, 2])), (), ("y",), "test"),))
    written = wh.onnx.to_proto(graph, 13)
    assert [node.op_type for node in written.graph.node] == ["Constant"]
    assert wh.onnx.read_proto(written).run({})["y"].tolist() == [1, 2]


REFUSALS = {
    "a squeeze of unknown sizes": (one(Squeeze((0,), other_sizes="keep"), {"x": TensorType("int8", ("N", 1))}),
                                   "ONNX Squeeze-21 cannot say it: other_sizes is keep, allowed refuse"),
    "an expansion to less": (one(Expand((1, 1), "one_way"), {"x": TensorType("int8", ("N", 1))}),
                             "alignment is one_way, allowed two_way"),
    "mirrors in the original": (one(Pad((-1, 0), (1, 0), "reflect", mixed_signs="original"), {"x": X}),
                                "mixed_signs is original, allowed crop_first"),
    "a permutation at run": (one(Deferred(Transpose, (), (("perm", 1),)), {"x": X, "p": INDICES}),
                             "ONNX Transpose-21 cannot say it: perm is the value of 'p', and no input of this version"),
    "a band": (one(Trilu(begin=0, end=1), {"x": X}), "ONNX Trilu-14 cannot say it: "),
    "a roll": (one(Roll((1,), (0,)), {"x": X}), "ONNX has no operator that says Roll"),
    "a mean": (one(ScatterElements(reduction="mean"), {"x": X, "i": TensorType("int64", (3, 4)), "u": X}),
               "reduction is 'mean', allowed"),
    "zero": (one(Gather(0, out_of_range="zero"), {"x": X, "i": INDICES}),
             "ONNX Gather-13 cannot say it: out_of_range is zero, allowed raise$"),
    "clamp": (one(Gather(0, 0, "clamp", "invalid"), {"x": X, "i": INDICES}),
              "cannot say it: out_of_range is clamp, allowed raise, negative is invalid, allowed from_end$"),
    "batch dims": (one(Gather(1, 1), {"x": X, "i": TensorType("int32", (3, 2))}), "batch_dims is 1, allowed 0$"),
    "negative": (one(Gather(0, **FROM_1), {"x": X, "i": INDICES}),
                 r"negative is invalid, allowed from_end; write opset 1\.\.10$"),
    "index type": (one(Gather(0), {"x": X, "i": TensorType("uint8", (2,))}),
                   "ONNX Gather-13 cannot say it: indices has dtype uint8, allowed int32, int64; convert it first$"),
    "float8": (one(Gather(0), {"x": TensorType("float8_e5m2", (3,)), "i": INDICES}),
               "data has dtype float8"),
    "unknown size": (one(Split(0, sections=2, uneven="smaller_last"), {"x": TensorType("int8", ("N",))}, 2),
                     "the size of the axis is not known, so the sizes of the parts cannot be written"),
    "unknown axes": (one(Split(0, sizes=(-1, 2)), {"x": TensorType("int8", None)}, 2), "the number of axes of data"),
    "deferred": (one(Deferred(unresolved, (), (("axis", 2),)), {"x": X, "i": INDICES, "a": TensorType("int64", ())}),
                 r"ONNX has no operator that says unresolved\(axis=<input 2>\)"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSALS)
def test_what_onnx_cannot_say(name: str) -> None:
    graph, text = REFUSALS[name]
    with pytest.raises(UnsupportedError, match=f"^ONNX writer, opset 21, node 'the node': .*{text}"):
        wh.onnx.to_proto(graph)


def test_element_types_that_onnx_lacks() -> None:
    with pytest.raises(UnsupportedError, match="tensor 'x' has dtype nf4, which ONNX does not have"):
        wh.onnx.to_proto(one(Identity(), {"x": TensorType("nf4", (2,))}))
    with pytest.raises(UnsupportedError, match=r"tensor 'c' has dtype datetime64\[s\], which ONNX does not have"):
        wh.onnx.to_proto(Graph({}, ("c",), (), {"c": np.zeros(1, "M8[s]")}))


def test_unknown_opsets() -> None:
    with pytest.raises(UnsupportedError, match=r"opset is 29, allowed 1\.\.28"):
        wh.onnx.to_proto(one(Identity(), {"x": X}), 29)


def test_a_refused_graph_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(b"before")
    with pytest.raises(UnsupportedError):
        wh.onnx.write(REFUSALS["zero"][0], path)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]
    wh.onnx.write(one(Identity(), {"x": X}), path)
    assert list(tmp_path.iterdir()) == [path]


def test_same_as_sees_every_difference() -> None:
    graph = EXACT["gather by a constant"][0]
    nan = np.array([np.nan])
    others = [
        Graph({"x": TensorType("float32", (3, 5))}, graph.outputs, graph.nodes, graph.constants),
        Graph(graph.inputs, ("x",), graph.nodes, graph.constants),
        Graph(graph.inputs, graph.outputs, (), graph.constants),
        Graph(graph.inputs, graph.outputs, graph.nodes, {"i": I[::-1]}),
        Graph(graph.inputs, graph.outputs, graph.nodes, {"i": I.astype(np.int32)}),
        one(Gather(-2), {"x": X}, i=I),
    ]
    assert graph.same_as(graph)
    assert not any(graph.same_as(other) or other.same_as(graph) for other in others)
    assert Graph({}, ("c",), (), {"c": nan}).same_as(Graph({}, ("c",), (), {"c": nan.copy()}))
    assert not Graph({}, ("c",), (), {"c": nan}).same_as(Graph({}, ("c",), (), {"c": -nan}))
