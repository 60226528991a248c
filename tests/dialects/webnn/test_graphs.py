"""WebNN graphs: what is said is meant, JSON comes back, JavaScript calls the methods, refusals are in words."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from tests.support.compare import assert_same_bits
from wherry import ops, reference
from wherry.dialects.refusal import Refusal
from wherry.dialects.rows import FilledRow
from wherry.dialects.webnn.javascript import to_javascript
from wherry.dialects.webnn.meaning import meaning
from wherry.dialects.webnn.say import say
from wherry.dialects.webnn.schema import OPERATIONS
from wherry.errors import FileFormatError, InvalidTypeError, InvalidValueError, UnsupportedError, WherryError
from wherry.graph import GraphBuilder, Node
from wherry.models.model import GraphModel
from wherry.ops import Operator
from wherry.tensors import TensorType

RNG = np.random.default_rng(7)


def sizes_of(draw: st.DrawFn, least: int = 1) -> tuple[int, ...]:
    return tuple(draw(st.lists(st.integers(1, 4), min_size=least, max_size=3)))


@st.composite
def nodes(draw: st.DrawFn) -> tuple[Operator, list[np.ndarray]]:
    """An operator as other dialects have it: axes from the end, rules of all kinds, and arrays it takes."""
    shape = sizes_of(draw)
    data = RNG.integers(0, 100, shape).astype(draw(st.sampled_from(["float32", "int8", "uint64", "float16"])))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    size = shape[axis]
    picked = RNG.integers(-size, size, draw(st.integers(1, 4)))
    everywhere = RNG.integers(-size, size, shape)
    rule = draw(st.sampled_from(["raise", "clamp", "zero", "wrap"]))
    negative = draw(st.sampled_from(["from_end", "invalid"]))
    mode = draw(st.sampled_from(["constant", "edge", "reflect", "wrap"]))
    begin, end = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    made: list[tuple[Operator, list[np.ndarray]]] = [
        (ops.Gather(axis, 0, rule, negative), [data, picked]),
        (ops.GatherElements(axis, rule, negative, draw(st.sampled_from(["equal", "at_most"]))), [data, everywhere]),
        (ops.GatherND(0, rule, negative), [data, RNG.integers(-1, 1, (2, 1))]),
        (ops.ScatterElements(axis, draw(st.sampled_from(["equal", "at_most"]))), [data, everywhere, data]),
        (ops.ScatterND(), [data, np.array([[0]]), data[:1]]),
        (ops.Concat(axis), [data, data, data]),
        (ops.Split(axis, sections=1), [data]),
        (ops.Split(axis, sizes=[1, size - 1] if size > 1 else [1]), [data]),
        (ops.Slice([begin], [4], [axis], [draw(st.sampled_from([1, 2, -1]))]), [data]),
        (ops.Transpose(None), [data]),
        (ops.Reverse([axis]), [data]),
        (ops.Flatten(0), [data]),
        (ops.Squeeze(None), [data]),
        (ops.Unsqueeze([0]), [data]),
        (ops.Reshape([-1, 1]), [data]),
        (ops.Expand([2, *shape]), [data]),
        (ops.Tile([2] * len(shape)), [data]),
        (ops.Tile([2, *[1] * len(shape)], lengths="pad"), [data]),
        (ops.Pad([begin] * len(shape), [end] * len(shape), mode), [data]),
        (ops.Pad([begin], [-1 if size > 1 else 0], axes=[axis], value=draw(st.sampled_from([None, 3]))), [data]),
        (ops.Trilu.triangle(draw(st.booleans()), begin - 1), [data[None]]),
        (ops.Trilu(begin=0, end=1), [data[None]]),
        (ops.Where(), [RNG.integers(0, 2, shape).astype(np.uint8), data, data]),
        (ops.Where(), [RNG.integers(0, 2, shape).astype(bool), data, data]),
        (ops.Cast(draw(st.sampled_from(["int32", "float16", "float64"]))), [data]),
        (ops.Identity(), [data]),
    ]  # fmt: skip
    return draw(st.sampled_from(made))


SAID: dict[bool, int] = {True: 0, False: 0}


@given(nodes())
def test_what_is_said_is_what_was_meant(case: tuple[Operator, list[np.ndarray]]) -> None:
    operator, arrays = case
    types = [TensorType.of(array) for array in arrays]
    try:
        expected = reference.run(operator, arrays)
    except (WherryError, IndexError):  # the reference words no index
        return
    names = tuple(f"in{number}" for number in range(len(arrays)))
    outputs = tuple(f"out{number}" for number in range(len(expected)))
    found = say(Node(operator, names, outputs, "test"), types)
    SAID[isinstance(found, FilledRow)] += 1
    if isinstance(found, Refusal):
        assert found.faults
        assert found.message
        return
    assert list(found.inputs.values()) == list(names)
    again = meaning(found.row, types, found.attributes)
    for ours, theirs in zip(expected, reference.run(again, arrays), strict=True):
        assert_same_bits(theirs, ours)


def test_most_of_these_were_said() -> None:
    if not sum(SAID.values()):
        pytest.skip("the test before did not run")
    assert SAID[True] > SAID[False] > 0


def model() -> GraphModel:
    """Every kind of member: arguments, options, operands in lists, several results, a label, odd names."""
    builder = GraphBuilder("all")
    builder.add_input("x", TensorType("float32", (4, 3)))
    builder.add_input("my index", TensorType("int32", (2,)))
    builder.add_constant("class", np.array([[1.5, np.nan, -0.0]], np.float32))
    builder.add_constant("big", np.array([2**63 - 1], np.int64))
    builder.add(ops.Gather(0, out_of_range="clamp"), ["x", "my index"], ["g"], "test", "take")
    builder.add(ops.Concat(0), ["g", "class", "x"], ["c"], "test")
    builder.add(ops.Split(0, sizes=[3, 4]), ["c"], ["p", "q"], "test")
    padded = ops.Pad([0], [1], value=ops.Constant(np.array(2**63 - 1)))
    builder.add(padded, ["big"], ["w"], "test")
    builder.add(ops.Transpose([1, 0]), ["p"], ["y 1"], "test")
    builder.add(ops.Pad([1, 0], [0, 0], "edge"), ["q"], ["y 2"], "test")
    return GraphModel(builder.build(["y 1", "y 2", "w"]), "webnn")


def given_inputs() -> dict[str, np.ndarray]:
    return {"x": RNG.random((4, 3), np.float32), "my index": np.array([7, -1], np.int32)}


def test_json_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "all.webnn.json"
    wh.save(model(), path)
    again = wh.load(path)
    assert again.dialect == "webnn"
    arrays = given_inputs()
    for name, expected in model().run(arrays).items():
        assert_same_bits(again.run(arrays)[name], expected)
    wh.save(again, tmp_path / "again.webnn.json")
    assert (tmp_path / "again.webnn.json").read_text() == path.read_text()
    assert str(again.graph.nodes[0].subject) == "WebNN gather 'take'"


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, -0.0, 0.1])
def test_numbers_that_json_lacks(value: float, tmp_path: Path) -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (1,)))
    builder.add(ops.Pad([1], [0], value=value), ["x"], ["y"], "test")
    wh.save(GraphModel(builder.build(["y"]), "webnn"), tmp_path / "y.webnn.json")
    result = wh.load(tmp_path / "y.webnn.json").run([np.zeros(1, np.float32)])["y"]
    assert_same_bits(result, np.array([value, 0], np.float32))


def test_javascript_makes_these_calls(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node.js to run JavaScript")
    wh.save(model(), tmp_path / "all.mjs")
    methods = [one.name for one in OPERATIONS] + ["input", "constant"]
    script = Path(__file__).with_name("record.mjs")
    run = subprocess.run(
        [node, str(script), str(tmp_path / "all.mjs"), *methods], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    calls = json.loads(run.stdout)

    def operand(number: int) -> dict[str, str]:
        return {"operand": f"t{number}"}

    assert calls[0] == ["input", ["x", {"dataType": "float32", "shape": [4, 3]}], operand(0)]
    constant = np.array([[1.5, np.nan, -0.0]], np.float32)
    assert calls[2][1] == [{"dataType": "float32", "shape": [1, 3]}, {"bytes": list(constant.tobytes())}]
    assert calls[4] == ["gather", [operand(0), operand(1), {"axis": 0, "label": "take"}], operand(4)]
    assert calls[5] == ["concat", [[operand(4), operand(2), operand(0)], 0], operand(5)]
    assert calls[6] == ["split", [operand(5), [3, 4], {"axis": 0}], [operand(6), operand(7)]]
    assert calls[7][1][1:] == [[0], [1], {"mode": "constant", "value": {"bigint": str(2**63 - 1)}}]
    assert calls[-1] == ["build", {"y 1": operand(9), "y 2": operand(10), "w": operand(8)}]


def test_names_become_identifiers() -> None:
    text = to_javascript(model().graph)
    assert "const class_2 = builder.constant(" in text
    assert 'const my_index = builder.input("my index", inputs["my index"]);' in text


def test_javascript_tells_what_is_needed() -> None:
    builder = GraphBuilder("some")
    for name in ("x", "inputs", "no"):
        builder.add_input(name, TensorType("float32", (2, 3)))
    builder.add(ops.Transpose([1, 0]), ["no"], ["no result"], "test")
    builder.add(ops.Concat(0), ["x", "inputs"], ["__proto__"], "test")
    text = to_javascript(builder.build(["__proto__"]))
    assert text.startswith(
        'export const inputs = {\n  "x": {dataType: "float32", shape: [2, 3]},\n'
        '  "inputs": {dataType: "float32", shape: [2, 3]},\n};\n'
        'export const outputs = {\n  ["__proto__"]: {dataType: "float32", shape: [4, 3]},\n};\n'
    )
    assert 'builder.build({["__proto__"]: __proto__})' in text
    assert 'builder.input("inputs", inputs["inputs"])' in text
    assert "no" not in text.replace("const", "")


UNSAYABLE: dict[str, tuple[dict[str, TensorType], Operator, type[Exception], str]] = {
    "a size that is not known": (
        {"x": TensorType("float32", (None,))}, ops.Identity(), InvalidValueError, "allowed known sizes"),
    "float64": ({"x": TensorType("float64", (1,))}, ops.Identity(), InvalidTypeError, "the element type is float64"),
    "no method": ({"x": TensorType("int8", (1,))}, ops.Roll([1], [0]), UnsupportedError, "no method that says Roll"),
    "another rule": (
        {"x": TensorType("int8", (1,)), "i": TensorType("int32", (1,))}, ops.Gather(0), UnsupportedError,
        "out_of_range is raise, allowed clamp"),
    "a band": ({"x": TensorType("int8", (1, 2))}, ops.Trilu(begin=0, end=1), UnsupportedError, "allowed triangles"),
    "a step": ({"x": TensorType("int8", (3,))}, ops.Slice([2], [-9], [0], [-1]), UnsupportedError, "reverse first"),
    "a NaN of its own": (
        {"x": TensorType("float32", (1,))},
        ops.Pad([1], [0], value=ops.Constant(np.array([0x7FC00001], np.uint32).view(np.float32)[0:1].reshape(()))),
        UnsupportedError, "value"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNSAYABLE)
def test_what_webnn_cannot_say(name: str, tmp_path: Path) -> None:
    inputs, operator, kind, words = UNSAYABLE[name]
    builder = GraphBuilder()
    for tensor, given_type in inputs.items():
        builder.add_input(tensor, given_type)
    builder.add(operator, list(inputs), ["y"], "test")
    with pytest.raises(kind, match=words):
        wh.save(GraphModel(builder.build(["y"]), "webnn"), tmp_path / "y.js")
    assert not list(tmp_path.iterdir())


def test_numbers_beyond_those_of_the_type_are_infinite(tmp_path: Path) -> None:
    path = tmp_path / "y.webnn.json"
    given = {"dataType": "float32", "shape": [3], "data": [-(10**39), 1e39, 1]}
    pad = {"beginningPadding": [1], "endingPadding": [0]}
    call = {"method": "pad", "operands": ["c"], "arguments": pad, "options": {"value": 1e39}, "outputs": ["y"]}
    path.write_text(json.dumps({"constants": {"c": given}, "operations": [call], "outputs": ["y"]}))
    assert_same_bits(wh.load(path).run([])["y"], np.array([np.inf, -np.inf, np.inf, 1], np.float32))
    assert_same_bits(
        wh.webnn.pad(np.zeros(1, np.float32), [0], [1], value=-(10**400)), np.array([0, -np.inf], np.float32)
    )


BROKEN = {
    "no JSON": ("{", "line 1, column 2: the file ends here"),
    "no UTF-8": (b"\xff", "the file is not UTF-8"),
    "a comment": ('{} // all', "line 1, column 4: text after the end of the model"),
    "a last comma": ('{"outputs": ["y",]}', "line 1, column 18: a value is expected"),
    "a list": ("[]", "the model (line 1, column 1): is [], allowed an object with inputs"),
    "deep": ("[" * 100_000, "nested deeper than 64 levels"),
    "another member": ('{\n "nodes": []}', "nodes (line 2, column 11): is not a member here, allowed inputs"),
    "twice": ('{"inputs": {}, "inputs": {}}', "line 1, column 16: the name 'inputs' is given twice"),
    "an input": ('{"inputs": {"x": {"shape": [1]}}}', "inputs.x.dataType (line 1, column 18): is missing"),
    "a type": (
        '{"inputs": {"x": {"dataType": "bool", "shape": [1]}}}', "inputs.x (line 1, column 18): dataType is 'bool'"),
    "no elements": (
        '{"inputs": {"x": {"dataType": "int8", "shape": [0]}}}', "inputs.x (line 1, column 18): shape[0] is 0"),
    "too many elements": (
        '{"inputs": {"x": {"dataType": "int8", "shape": [65536, 65536]}}}', "in elements is 4294967296"),
    "two of one name": (
        '{"inputs": {"x": {"dataType": "int8", "shape": [1]}},\n'
        '"constants": {"x": {"dataType": "int8", "shape": [1], "data": [1]}}}', "constants.x (line 2, column 20): "),
    "data": (
        '{"constants": {"c": {"dataType": "int8", "shape": [2], "data": [1]}}}',
        "constants.c.data (line 1, column 64): has 1 entries, allowed an array of 2 numbers"),
    "a great number": (
        '{"constants": {"c": {"dataType": "int8", "shape": [2], "data": [1, 300]}}}',
        "constants.c.data[1] (line 1, column 68): is 300, allowed -128..127"),
    "no number": (
        '{"constants": {"c": {"dataType": "float32", "shape": [1], "data": [true]}}}', "is true, allowed a number"),
    "bytes": ('{"constants": {"c": {"dataType": "int8", "shape": [2], "data": "AA=="}}}', "has 1 bytes, allowed 2"),
    "no base64": ('{"constants": {"c": {"dataType": "int8", "shape": [2], "data": "?"}}}', "is '?', allowed base64"),
    "NaN": (
        '{"constants": {"c": {"dataType": "float32", "shape": [1], "data": [NaN]}}}',
        "line 1, column 68: a value is expected: an object, array, string, number, true, false or null; neither NaN"),
    "beyond a double": (
        '{"constants": {"c": {"dataType": "float32", "shape": [1], "data": [1e999]}}}', "1e999 is beyond a double"),
    "a huge constant": (
        '{"constants": {"c": {"dataType": "float32", "shape": [2147483647], "data": ""}}}', "take 8589934588 bytes"),
    "no calls": ('{"operations": {}}', "operations (line 1, column 16): is {}, allowed an array of calls"),
    "no name": ('{"operations": [{"method": ["gather"], "outputs": ["y"]}]}', 'is ["gather"], allowed text'),
    "a method": ('{"operations": [{"method": "conv2d", "outputs": ["y"]}]}', "wherry does not have: conv2d"),
    "digits": ("1" * 401, "a number has 401 characters, allowed up to 400"),
    "an integer beyond": ("1" * 400, "is beyond a double"),
    "no results": (
        '{"operations": [{"method": "identity", "outputs": "y"}]}',
        "operations[0].outputs (line 1, column 51): is 'y', allowed an array of names"),
    "a label": (
        '{"operations": [{"method": "identity", "outputs": ["y"], "label": 1}]}', "label (line 1, column 67): is 1"),
    "options": (
        '{"operations": [{"method": "identity", "outputs": ["y"], "options": []}]}',
        "options (line 1, column 69): is [], allowed an object by name"),
    "an operand": (
        '{"operations": [{"method": "identity", "operands": ["x"], "outputs": ["y"]}]}',
        "operations[0].operands[0] (line 1, column 53): is 'x', allowed operands that come before"),
    "an argument": (
        '{"inputs": {"x": {"dataType": "int8", "shape": [1]}},\n "operations": [{"method": "concat",\n'
        '  "operands": ["x"], "arguments": {"axis": 1}, "outputs": ["y"]}]}',
        "bad.webnn.json: operations[0] (line 2, column 17): WebNN concat 'y': axis is 1, allowed 0..0"),
    "an output": ('{"outputs": ["y"]}', "outputs (line 1, column 13): output 'y' is not defined"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_files_that_are_refused(name: str, tmp_path: Path) -> None:
    text, words = BROKEN[name]
    path = tmp_path / "bad.webnn.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(WherryError) as caught:
        wh.load(path)
    assert str(caught.value).startswith("bad.webnn.json: ")
    assert words in str(caught.value)


def test_an_output_that_is_an_input(tmp_path: Path) -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("int8", (1,)))
    with pytest.raises(FileFormatError, match="put an identity between"):
        wh.save(GraphModel(builder.build(["x"]), "webnn"), tmp_path / "x.js")
