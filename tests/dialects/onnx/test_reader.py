"""Reading ONNX files: what is read, and every refusal with its words."""

from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import ModelProto, TensorProto, helper

import wherry as wh
from tests.dialects.onnx.models import model, value_info
from tests.support.compare import assert_same_bits
from wherry.errors import (
    FileFormatError,
    IndexOutOfRangeError,
    InvalidTypeError,
    InvalidValueError,
    SizeOverflowError,
    UnsupportedError,
    WherryError,
)
from wherry.moves import Negative
from wherry.ops import Concat, Gather, Identity, Split, Uneven

node = helper.make_node
F = np.arange(12, dtype=np.float32).reshape(3, 4)
I = np.array([2, 0])  # noqa: E741


def chain(opset: int = 13) -> ModelProto:
    """Gather rows, cut them in two, and put the halves together the other way round."""
    return model(
        [
            node("Gather", ["x", "i"], ["rows"], name="take"),
            node("Split", ["rows", "sizes"], ["a", "b"], name="cut", axis=1),
            node("Concat", ["b", "a"], ["y"], name="turn", axis=1),
        ],
        {"x": F, "i": I},
        ["y"],
        opset=opset,
        constants={"sizes": np.array([1, 3])},
    )


def test_a_chain(tmp_path: Path) -> None:
    path = tmp_path / "chain.onnx"
    path.write_bytes(chain().SerializeToString())
    read = wh.load(path)
    assert read.dialect == "onnx"
    assert [str(kind) for kind in read.inputs.values()] == ["float32[3, 4]", "int64[2]"]
    assert {name: str(kind) for name, kind in read.outputs.items()} == {"y": "float32[2, 4]"}
    assert [n.operator for n in read.graph.nodes] == [Gather(0), Split(1, sizes=(1, 3)), Concat(1)]
    assert [n.name for n in read.graph.nodes] == ["take", "cut", "turn"]
    assert [n.subject for n in read.graph.nodes] == [
        "ONNX Gather-13 'take'",
        "ONNX Split-13 'cut'",
        "ONNX Concat-13 'turn'",
    ]
    assert list(read.graph.constants) == []
    assert_same_bits(read.run({"x": F, "i": I})["y"], np.roll(F[I], 3, axis=1))
    assert_same_bits(read.run([F[::-1, ::-1], I])["y"], np.roll(F[::-1, ::-1][I], 3, axis=1))


def test_a_bad_index_is_told_with_its_node_and_leaves_nothing() -> None:
    read = wh.onnx.read_proto(chain())
    with pytest.raises(IndexOutOfRangeError, match=r"^ONNX Gather-13 'take': indices\[1\] is 3, allowed -3\.\.2"):
        read.run([F, np.array([0, 3])])
    out = {"y": np.full((2, 4), 7, np.float32)}
    with pytest.raises(IndexOutOfRangeError):
        read.plan.run({"x": F, "i": np.array([0, 3])}, out)
    assert (out["y"] == 7).all()


@pytest.mark.parametrize(
    ("opset", "attributes", "outputs", "expected"),
    [
        (2, {"split": [1, 2]}, 2, Split(0, sizes=(1, 2))),
        (2, {}, 3, Split(0, sections=3)),
        (11, {"axis": -2}, 3, Split(-2, sections=3)),
        (13, {}, 3, Split(0, sections=3)),
        (18, {"num_outputs": 2}, 2, Split(0, sections=2, uneven=Uneven.ONLY_LAST)),
    ],
)
def test_split_of_each_version(opset: int, attributes: dict, outputs: int, expected: Split) -> None:
    names = [f"y{n}" for n in range(outputs)]
    read = wh.onnx.read_proto(model([node("Split", ["x"], names, **attributes)], {"x": F}, names, opset=opset))
    assert [n.operator for n in read.graph.nodes] == [expected]


def test_fields_say_what_versions_leave_implicit() -> None:
    for opset, negative in ((1, Negative.INVALID), (11, Negative.FROM_END)):
        read = wh.onnx.read_proto(model([node("Gather", ["x", "i"], ["y"])], {"x": F, "i": I}, ["y"], opset=opset))
        assert read.graph.nodes[0].operator == Gather(0, negative=negative)
    read = wh.onnx.read_proto(model([node("Concat", ["x", "x"], ["y"])], {"x": F}, ["y"], opset=3, ir_version=3))
    assert read.graph.nodes[0].operator == Concat(1)


def test_the_sizes_of_split_may_be_known_only_at_run() -> None:
    sizes = np.array([1, 2])
    read = wh.onnx.read_proto(model([node("Split", ["x", "s"], ["a", "b"])], {"x": F, "s": sizes}, ["a", "b"]))
    assert str(read.outputs["a"]) == "float32[?, 4]"
    for cut in ([1, 2], [3, 0], [0, 3]):
        a, b = read.run({"x": F, "s": np.array(cut)}).values()
        assert_same_bits(a, F[: cut[0]])
        assert_same_bits(b, F[cut[0] :])
    with pytest.raises(InvalidValueError, match=r"^ONNX Split-13 'a': split\[1\] is -1, allowed 0 and more"):
        read.run({"x": F, "s": np.array([4, -1])})
    with pytest.raises(InvalidValueError, match=r"^ONNX Split-13 'a': sizes is \[1, 1\], allowed a sum of 3"):
        read.run({"x": F, "s": np.array([1, 1])})


def test_the_sizes_of_split_may_be_computed() -> None:
    nodes = [
        node("Gather", ["s", "i"], ["sizes"]),
        node("Split", ["x", "sizes"], ["a", "b"]),
    ]
    read = wh.onnx.read_proto(
        model(nodes, {"x": F, "i": np.array([1, 0])}, ["a", "b"], constants={"s": np.array([2, 1])})
    )
    assert [part.shape for part in read.run([F, np.array([1, 0])]).values()] == [(1, 4), (2, 4)]


def test_number_of_sizes_and_outputs_must_agree() -> None:
    nodes = [node("Split", ["x", "s"], ["a", "b"])]
    with pytest.raises(InvalidValueError, match=r"^ONNX Split-13 'a': outputs has 2 entries, allowed 3"):
        wh.onnx.read_proto(model(nodes, {"x": F}, ["a"], constants={"s": np.array([1, 1, 1])}))
    for count, names in ((2, ["a", "b", "c"]), (3, ["a", "b"])):
        with pytest.raises(
            InvalidValueError, match=rf"^ONNX Split-18 'a': num_outputs is {count}, allowed {len(names)};"
        ):
            wh.onnx.read_proto(model([node("Split", ["x"], names, num_outputs=count)], {"x": F}, ["a"], opset=18))
    with pytest.raises(InvalidValueError, match=r"^ONNX Split-11 'a': split has 3 entries, allowed 2: one"):
        wh.onnx.read_proto(model([node("Split", ["x"], ["a", "b"], split=[1, 1, 1])], {"x": F}, ["a"], opset=11))


def test_unused_outputs_may_have_no_name() -> None:
    nodes = [node("Split", ["x"], ["", "b", ""], num_outputs=3), node("Identity", ["b"], ["unused output 0"])]
    proto = model(nodes, {"x": F}, ["b", "unused output 0"], opset=18)
    proto.graph.node[0].output[2] = "c"
    read = wh.onnx.read_proto(proto)
    assert [n.outputs for n in read.graph.nodes] == [("unused output 1", "b", "c"), ("unused output 0",)]
    assert_same_bits(read.run([F])["b"], F[1:2])


def test_an_optional_input_may_be_left_out_by_an_empty_name() -> None:
    read = wh.onnx.read_proto(model([node("Split", ["x", ""], ["a", "b", "c"])], {"x": F}, ["c"]))
    assert_same_bits(read.run([F])["c"], F[2:])


def test_an_initializer_that_is_an_input_is_a_default() -> None:
    for ir_version in (3, 8):
        proto = model([node("Gather", ["x", "i"], ["y"])], {"i": I, "x": F}, ["y"], ir_version=ir_version,
                      constants={"i": I})  # fmt: skip
        read = wh.onnx.read_proto(proto)
        assert_same_bits(read.run({"x": F})["y"], F[I])
        assert_same_bits(read.run({"x": F, "i": np.array([1])[[0, 0]]})["y"], F[[1, 1]])
        assert read.defaults.keys() == {"i"}
        (result,) = wh.onnx.Backend.prepare(proto).run([F])
        assert_same_bits(result, F[I])


def test_symbolic_and_unknown_sizes() -> None:
    proto = model([node("Gather", ["x", "i"], ["y"])], {}, ["y"])
    proto.graph.input.extend([value_info("x", "float32", ["N", None, 4]), value_info("i", "int64", None)])
    read = wh.onnx.read_proto(proto)
    assert [str(kind) for kind in read.inputs.values()] == ["float32[N, ?, 4]", "int64[...]"]
    for data in (F[:, None], F[None, 1:]):
        assert_same_bits(read.run([data, np.array([0])])["y"], data[[0]])
    with pytest.raises(InvalidValueError, match=r"input 'x' has sizes \[3, 4\], allowed float32\[N, \?, 4\]"):
        read.run([F, I])


CONSTANTS = [
    ({"value": onnx.numpy_helper.from_array(F, "v")}, F, 1),
    ({"value": onnx.numpy_helper.from_array(I, "v")}, I, 9),
    ({"value_int": 7}, np.array(7), 12),
    ({"value_ints": [7, -8]}, np.array([7, -8]), 12),
    ({"value_float": 0.1}, np.array(0.1, np.float32), 12),
    ({"value_floats": [0.1, -0.0]}, np.array([0.1, -0.0], np.float32), 12),
    ({"value_string": "é"}, np.array("é", object), 12),
    ({"value_strings": ["a", "b"]}, np.array(["a", "b"], object), 12),
    ({"value": helper.make_tensor("v", TensorProto.FLOAT8E5M2, [2], [1.0, 2.0])},
     np.array([1, 2], ml_dtypes.float8_e5m2), 19),
    ({"value": helper.make_tensor("v", TensorProto.INT4, [3], [1, -8, 7])}, np.array([1, -8, 7], ml_dtypes.int4), 21),
]  # fmt: skip


@pytest.mark.parametrize(("attributes", "value", "since"), CONSTANTS)
def test_constants(attributes: dict, value: np.ndarray, since: int) -> None:
    read = wh.onnx.read_proto(model([node("Constant", [], ["c"], **attributes)], {}, ["c"], opset=since))
    assert_same_bits(read.run([])["c"], value)
    if since > 1:
        with pytest.raises((InvalidValueError, InvalidTypeError), match=r"^ONNX Constant-\d+ 'c': "):
            wh.onnx.read_proto(model([node("Constant", [], ["c"], **attributes)], {}, ["c"], opset=since - 1))


def test_a_sparse_constant_and_a_sparse_initializer() -> None:
    sparse = helper.make_sparse_tensor(
        onnx.numpy_helper.from_array(np.array([5.0], np.float32), "s"),
        onnx.numpy_helper.from_array(np.array([2])),
        [2, 2],
    )
    expected = np.array([[0, 0], [5, 0]], np.float32)
    read = wh.onnx.read_proto(model([node("Constant", [], ["c"], sparse_value=sparse)], {}, ["c"]))
    assert_same_bits(read.run([])["c"], expected)
    proto = model([node("Identity", ["s"], ["y"])], {}, ["y"])
    proto.graph.sparse_initializer.append(sparse)
    assert_same_bits(wh.onnx.read_proto(proto).run([])["y"], expected)


def test_constants_resolve_what_waits_for_values() -> None:
    nodes = [node("Constant", [], ["s"], value_ints=[1, 2]), node("Split", ["x", "s"], ["a", "b"])]
    read = wh.onnx.read_proto(model(nodes, {"x": F}, ["a", "b"]))
    assert [n.operator for n in read.graph.nodes] == [Split(0, sizes=(1, 2))]


@pytest.mark.parametrize("value", [0, 2, {"value_int": 1, "value_float": 1.0}], ids=["none", "both", "two"])
def test_a_constant_has_exactly_one_value(value: object) -> None:
    attributes = value if isinstance(value, dict) else {"value_int": 1, "value_ints": [1]} if value else {}
    with pytest.raises(InvalidValueError, match=r"^ONNX Constant-13 'c': .* given, allowed exactly one of value"):
        wh.onnx.read_proto(model([node("Constant", [], ["c"], **attributes)], {}, ["c"]))


@pytest.mark.parametrize(
    "array",
    [
        np.array(["a", "é"], object), np.array([1 + 2j, 3], np.complex64), np.array([1, 2], ml_dtypes.bfloat16),
        np.array([1, 2], ml_dtypes.float8_e4m3fn),
        np.array([1, -2], ml_dtypes.int4), np.array([1, 0], ml_dtypes.int2),
        np.array([0.5, 6], ml_dtypes.float4_e2m1fn), np.array([1, 2], ml_dtypes.float8_e8m0fnu), np.array([True]),
    ],
    ids=lambda array: str(array.dtype),
)  # fmt: skip
def test_every_kind_of_element_passes_through(array: np.ndarray) -> None:
    read = wh.onnx.read_proto(model([node("Identity", ["x"], ["y"])], {"x": array}, ["y"], opset=25, ir_version=13))
    assert read.graph.nodes[0].operator == Identity()
    assert_same_bits(read.run([array])["y"], array)
    assert_same_bits(read.run([array[::-1]])["y"], array[::-1].copy())


def test_all_that_is_unsupported_is_listed_at_once() -> None:
    nodes = [
        node("Conv", ["x", "x"], ["a"], name="conv1"),
        node("Gather", ["x", "i"], ["g"]),
        node("FusedGemm", ["a"], ["b"], domain="com.microsoft"),
        node("If", ["b"], ["c"], then_branch=helper.make_graph([], "t", [], []), name="branch"),
        node("F", ["c"], ["y"], domain="local"),
    ]
    proto = model(nodes, {"x": F, "i": I}, ["y"])
    proto.functions.append(helper.make_function("local", "F", ["p"], ["q"], [node("Identity", ["p"], ["q"])], []))
    with pytest.raises(UnsupportedError) as caught:
        wh.onnx.read_proto(proto).graph.refuse_opaque()
    assert str(caught.value) == (
        "operators that wherry does not have: Conv of opset 13 (node 'conv1'); com.microsoft.FusedGemm (node 'b'); "
        "If of opset 13 (node 'branch'); local.F (node 'y'); model.run has a runtime run them"
    )


def test_an_opset_that_is_too_new_lists_every_node() -> None:
    with pytest.raises(
        UnsupportedError,
        match=r"Gather of opset 99 \(wherry knows opsets up to 28\) \(node 'take'\); Split of opset 99",
    ):
        wh.onnx.read_proto(chain(99)).plan  # noqa: B018


def changed(proto: ModelProto, change) -> ModelProto:
    copy = ModelProto()
    copy.CopyFrom(proto)
    change(copy)
    return copy


def set_output(kind: str, shape: list[int] | None):
    return lambda m: m.graph.output[0].CopyFrom(value_info("y", kind, shape))


FILE, VALUE, TYPE, LACKS = FileFormatError, InvalidValueError, InvalidTypeError, UnsupportedError

DAMAGES = {
    "no graph": (lambda m: m.ClearField("graph"), FILE, "the model has no graph"),
    "no ir_version": (lambda m: m.ClearField("ir_version"), FILE, r"ir_version is 0, allowed 1\.\.14"),
    "new ir_version": (lambda m: setattr(m, "ir_version", 15), LACKS, r"ir_version is 15, allowed 1\.\.14"),
    "no opset": (lambda m: m.ClearField("opset_import"), FILE, "opset_import is empty"),
    "opset 0": (lambda m: setattr(m.opset_import[0], "version", 0), FILE, r"has version 0 of ai.onnx, allowed 1"),
    "two opsets": (lambda m: m.opset_import.add(domain="ai.onnx", version=12), FILE, "has the domain 'ai.onnx' twi"),
    "other domain": (lambda m: setattr(m.opset_import[0], "domain", "x"), FILE, "node 'take' is of the domain ai"),
    "opset in ir 2": (lambda m: setattr(m, "ir_version", 2), FILE, "opset_import is given, which ir_version 2"),
    "cycle": (lambda m: m.graph.node[0].input.__setitem__(0, "y"), FILE,
              "node 'take' reads 'y', which node 'turn' makes at or after it; nodes must be in topological order"),
    "self": (lambda m: m.graph.node[0].input.__setitem__(0, "rows"), FILE, "reads 'rows', which node 'take' makes"),
    "undefined": (lambda m: m.graph.node[2].input.__setitem__(0, "z"), FILE,
                  "node 'turn' reads 'z', which nothing in the graph defines"),
    "defined twice": (lambda m: m.graph.node[2].output.__setitem__(0, "rows"), FILE, "tensor 'rows' is defined tw"),
    "input twice": (lambda m: m.graph.input.append(m.graph.input[0]), FILE, "tensor 'x' is defined twice"),
    "initializer twice": (lambda m: m.graph.initializer.append(m.graph.initializer[0]), FILE,
                          "initializer 'sizes' is defined twice"),
    "initializer unnamed": (lambda m: m.graph.initializer[0].ClearField("name"), FILE, "an initializer has no name"),
    "output twice": (lambda m: m.graph.output.append(m.graph.output[0]), FILE, "output 'y' is listed twice"),
    "output undefined": (lambda m: setattr(m.graph.output[0], "name", "z"), FILE, "output 'z' is not defined"),
    "no outputs": (lambda m: m.graph.ClearField("output"), FILE, "the graph has no outputs"),
    "output type": (set_output("float16", None), FILE,
                    r"output 'y' is declared float16\[\.\.\.\], but its node makes float32\[2, 4\]"),
    "input untyped": (lambda m: m.graph.input[0].ClearField("type"), FILE, "input 'x' has no type"),
    "input unnamed": (lambda m: m.graph.input[0].ClearField("name"), FILE, "an input has no name"),
    "negative size": (lambda m: setattr(m.graph.input[0].type.tensor_type.shape.dim[1], "dim_value", -2), FILE,
                      "input 'x' has size -2 on axis 1, allowed 0 and more, and -1 or none where"),
    "default of other sizes": (lambda m: m.graph.input.append(value_info("sizes", "int64", [3])), FILE,
                               r"initializer 'sizes' is int64\[2\], its input declares int64\[3\]"),
    "default of other type": (lambda m: m.graph.input.append(value_info("sizes", "int32", [2])), FILE,
                              r"initializer 'sizes' is int64\[2\], its input declares int32\[2\]"),
    "unknown attribute": (lambda m: m.graph.node[0].attribute.append(helper.make_attribute("mode", "clip")),
                          VALUE, "^ONNX Gather-13 'take': attribute 'mode' is not one that this version has, allowed"),
    "attribute of newer version": (lambda m: m.graph.node[1].attribute.append(helper.make_attribute("num_outputs", 2)),
                                   VALUE, "^ONNX Split-13 'cut': attribute 'num_outputs' is not one that this"),
    "attribute kind": (lambda m: m.graph.node[0].attribute.append(helper.make_attribute("axis", 1.0)), FILE,
                       "^ONNX Gather-13 'take': attribute 'axis' is of kind FLOAT, allowed INT"),
    "attribute twice": (lambda m: m.graph.node[1].attribute.append(m.graph.node[1].attribute[0]), FILE,
                        "^ONNX Split-13 'cut': attribute 'axis' is given twice"),
    "attribute reference": (lambda m: setattr(m.graph.node[1].attribute[0], "ref_attr_name", "a"), FILE,
                            "attribute 'axis' refers to 'a' of a function, outside one"),
    "axis": (lambda m: setattr(m.graph.node[1].attribute[0], "i", 2), VALUE,
             r"^ONNX Split-13 'cut': axis is 2, allowed -2\.\.1"),
    "missing input": (lambda m: m.graph.node[0].input.pop(), VALUE, "^ONNX Gather-13 'take': input indices is mis"),
    "too many inputs": (lambda m: m.graph.node[0].input.append("i"), VALUE,
                        "^ONNX Gather-13 'take': inputs has 3 entries, allowed up to 2: data, indices"),
    "empty input": (lambda m: m.graph.node[2].input.__setitem__(0, ""), VALUE, "^ONNX Concat-13 'turn': input inpu"),
    "too many outputs": (lambda m: m.graph.node[0].output.append("more"), VALUE,
                         "^ONNX Gather-13 'take': outputs has 2 entries, allowed 1"),
    "index type": (lambda m: m.graph.input[1].CopyFrom(value_info("i", "uint8", [2])), TYPE,
                   "^ONNX Gather-13 'take': indices has dtype uint8, allowed int32, int64"),
    "sum": (lambda m: m.graph.initializer[0].CopyFrom(helper.make_tensor("sizes", 7, [2], [1, 1])), VALUE,
            r"^ONNX Split-13 'cut': split is \[1, 1\], allowed a sum of 4"),
    "overflow": (lambda m: m.graph.initializer[0].dims.extend([2**62, 2**62]), SizeOverflowError, "initializer 'sizes"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
def test_damages(name: str) -> None:
    change, error, text = DAMAGES[name]
    with pytest.raises(error, match=text):
        wh.onnx.read_proto(changed(chain(), change))


@pytest.mark.parametrize("kind", ["sequence", "optional", "sparse_tensor"])
def test_values_that_are_no_tensors(kind: str) -> None:
    info = onnx.ValueInfoProto(name="x")
    getattr(info.type, f"{kind}_type").SetInParent()
    proto = model([node("Identity", ["x"], ["y"])], {}, ["y"], opset=16)
    proto.graph.input.append(info)
    with pytest.raises(
        UnsupportedError, match="input 'x' is of a type that wherry does not have, allowed tensors; the model can be"
    ):
        wh.onnx.read_proto(proto).run({"x": F})


def test_names_that_are_not_utf_8() -> None:
    raw = chain().SerializeToString()
    for good in (b"take", b"Gather", b"rows", b"axis"):
        bad = raw.replace(good, b"\xff" * len(good))
        with pytest.raises(FileFormatError, match=r"is b'\\xff.*', which is not UTF-8"):
            wh.onnx.read_proto(ModelProto.FromString(bad))


def test_every_truncation_is_refused(tmp_path: Path) -> None:
    whole = chain().SerializeToString()
    path = tmp_path / "cut.onnx"
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises((FileFormatError, UnsupportedError), match=r"^ONNX model 'cut\.onnx': "):
            wh.load(path)


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04" + bytes(40), b"<?xml version='1.0'?><net/>", b"{}", b"\x89PNG\r\n"]
)
def test_files_of_other_kinds(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.onnx"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=r"^ONNX model 'other\.onnx': "):
        wh.load(path)


@given(st.data())
def test_a_file_with_changed_bytes_is_read_or_refused_in_our_words(data: st.DataObject) -> None:
    raw = bytearray(chain().SerializeToString())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        proto = ModelProto.FromString(bytes(raw))
    except Exception:  # protobuf's own refusal, which read() puts into words
        return
    try:
        read = wh.onnx.read_proto(proto)
        if all(kind.is_known and np.prod(kind.shape) < 10**6 for kind in read.inputs.values()):
            read.run([np.zeros(kind.shape, kind.numpy) for kind in read.inputs.values()])
    except WherryError:
        pass


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        wh.load(tmp_path / "none.onnx")
