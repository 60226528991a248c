"""wh.convert: what it refuses and tells, constants, element types, options; and wh.save."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import wherry as wh
from tests.conversion.running import assert_same_results, on_wherry
from tests.conversion.sites import Use, data, use
from wherry import errors
from wherry.conversion import Effect
from wherry.errors import ConversionError, FileFormatError, InvalidTypeError, InvalidValueError, UnsupportedError
from wherry.graph import Graph, GraphBuilder
from wherry.models.model import GraphModel
from wherry.moves import Duplicates, Reduction
from wherry.ops import (
    Cast,
    Concat,
    Constant,
    Eye,
    Fill,
    Gather,
    GatherElements,
    GatherND,
    GatherTree,
    Identity,
    NonZeroCoordinates,
    Pad,
    ScaleBias,
    ScatterElements,
    ScatterND,
    Split,
    Tile,
    Transpose,
    Trilu,
    Where,
)
from wherry.runtimes.differences import differences
from wherry.tensors import TensorType

EXAMPLES = Path(__file__).parents[2] / "examples"

WIDE = np.array([0, 1, 2], np.int64)
RAISE, CLAMP, ZERO, WRAP = (Gather(0, 0, rule) for rule in ("raise", "clamp", "zero", "wrap"))
IS_RAISE = "out_of_range is raise (an index outside its axis is refused)"
IS_CLAMP = "out_of_range is clamp (an index outside its axis reads the nearest end)"
IS_ZERO = "out_of_range is zero (an index outside its axis gives zero)"
TO_RAISE, TO_CLAMP, TO_ZERO = (
    words.replace("out_of_range is ", "the nearest is ") for words in (IS_RAISE, IS_CLAMP, IS_ZERO)
)
FROM_END = "negative is from_end (a negative index counts from the end)"
INVALID = "negative is invalid (a negative index is outside its axis)"

GUARD = "a guard refuses it at run: guard=True (wherry convert: --guard)"

LOSSES = {
    "raise to openvino": (use(RAISE, data(4), WIDE), "openvino", [f"{IS_RAISE}, {TO_ZERO}; {GUARD}"]),
    "raise to directml": (use(RAISE, data(4), WIDE), "directml", [f"{IS_RAISE}, {TO_CLAMP}"]),
    "zero to onnx": (use(ZERO, data(4), WIDE), "onnx", [f"{IS_ZERO}, {TO_RAISE}"]),
    "zero to directml": (use(ZERO, data(4), WIDE), "directml", [f"{IS_ZERO}, {TO_CLAMP}"]),
    "clamp to onnx": (use(CLAMP, data(4), WIDE), "onnx", [f"{IS_CLAMP}, {TO_RAISE}"]),
    "clamp to openvino": (use(CLAMP, data(4), WIDE), "openvino", [f"{IS_CLAMP}, {TO_ZERO}"]),
    "wrap to onnx": (
        use(WRAP, data(4), WIDE), "onnx",
        [f"out_of_range is wrap (an index outside its axis is taken modulo its size), {TO_RAISE}"],
    ),
    "invalid to onnx": (
        use(Gather(0, 0, "raise", "invalid"), data(4), WIDE), "onnx",
        [f"{INVALID}, {FROM_END.replace('negative is', 'the nearest is')}"],
    ),
    "two rules": (
        use(Gather(0, 0, "zero", "invalid"), data(4), WIDE), "onnx",
        [f"{IS_ZERO}, {TO_RAISE}", f"{INVALID}, {FROM_END.replace('negative is', 'the nearest is')}"],
    ),
    "scatter to directml": (
        use(ScatterND(), data(4), WIDE[:, None], data(3)), "directml",
        ["out_of_range is raise (an update outside its axis is refused), the nearest is skip (an update outside its "
         "axis is left out)"],
    ),
    "duplicates": (
        use(ScatterND(duplicates=Duplicates.RAISE), data(4), WIDE[:, None], data(3)), "onnx",
        ["duplicates is raise (two updates for one element are refused), the nearest is last (of two updates for one "
         "element the last one stays)"],
    ),
    "batch": (
        use(Gather(1, 1, "zero"), data(2, 4), np.array([[0], [1]])), "onnx", [f"{IS_ZERO}, {TO_RAISE}"],
    ),
}  # fmt: skip


LEFT_OPEN = (
    "note: test ScatterND: duplicates is last (of two updates for one element the last one stays), which the "
    "specifications leave open: a runtime that writes on several threads keeps any of them, or parts of several"
)
NOTES = {"scatter to directml": [LEFT_OPEN]}


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_is_refused_unless_allowed(name: str) -> None:
    one, dialect, texts = LOSSES[name]
    with pytest.raises(ConversionError) as error:
        wh.convert(one.model(), dialect)
    subject = f"test {type(one.operator).__name__}"
    told = [*NOTES.get(name, []), *(f"loss: {subject}: {text}" for text in texts)]
    assert [str(finding) for finding in error.value.findings] == told
    assert all(f"\n  loss: {subject}: {text}" in str(error.value) for text in texts)
    assert "all can be written near enough with allow_loss=True (wherry convert: --allow-loss)" in str(error.value)
    made = wh.convert(one.model(), dialect, allow_loss=True)
    known = {entry.name for entry in differences("openvino")} if dialect == "openvino" else set()
    assert [str(finding) for finding in made.findings if finding.rule not in known] == told
    assert_same_results(on_wherry(made, one.given), one.model().run(one.given))  # these indices reach no edge


@pytest.mark.parametrize("dialect", ["onnx", "openvino", "directml"])
def test_a_note_tells_of_updates_for_one_element(dialect: str) -> None:
    """Whose order no specification promises; where each goes to an element of its own there is nothing to tell."""
    for places, constants, texts in (
        ([2, 1, 2], (), [LEFT_OPEN]),
        ([2, 1, 2], (1,), [LEFT_OPEN]),
        ([2, 1, 0], (), [LEFT_OPEN]),
        ([2, 1, 0], (1,), []),
    ):
        scatter = ScatterND(out_of_range="skip")
        one = use(scatter, data(4), np.array(places, np.int64)[:, None], data(3), constants=constants)
        made = wh.convert(one.model(), dialect, allow_loss=True)
        assert [str(finding) for finding in made.findings if finding.rule == "duplicates"] == texts
        assert_same_results(on_wherry(made, one.given), one.model().run(one.given))


def test_updates_that_are_reduced_have_no_order() -> None:
    one = use(ScatterND(reduction="add"), data(4), [[2], [1], [2]], data(3))
    assert not wh.convert(one.model(), "onnx").findings


def test_one_element_at_a_constant_place() -> None:
    """Its place is an array without axes."""
    one = use(Gather(0, 0, "zero"), data(3), np.array(7), constants=[1])
    made = wh.convert(one.model(), "onnx")
    assert_same_results(made.run(one.given), one.model().run(one.given))
    assert made.run(one.given)["y0"].shape == ()


REFUSED = {
    "strings": (use(Concat(), data(2, dtype=object)), "directml", "a tensor has dtype string, allowed the types"),
    "an empty tensor": (use(Identity(), data(0)), "directml", "DirectML has no empty tensors"),
    "rank over 8": (use(Gather(4, 0, "clamp"), data(*[2] * 9), WIDE[:2]), "directml", "allowed 1..8"),
    "a mean": (
        use(ScatterElements(reduction=Reduction.MEAN), data(3), WIDE, data(3)),
        "onnx", "ScatterElements-18 cannot say it: reduction is",
    ),
    "a reduction": (
        use(ScatterElements(reduction=Reduction.ADD), data(3), WIDE, data(3)),
        "directml", "SCATTER replaces elements",
    ),
    "a tree": (
        use(GatherTree(), *[np.ones((2, 1, 1), np.int32)] * 2, np.ones(1, np.int32), np.array(1, np.int32)),
        "onnx", "ONNX has no operator that says GatherTree",
    ),
    "scale and bias": (use(ScaleBias(2, 1), data(3)), "openvino", "ScaleBias, which no OpenVINO operation says"),
    "coordinates": (use(NonZeroCoordinates(1), data(3)), "onnx", "ONNX has no operator that says NonZeroCoordinates"),
    "complex in OpenVINO": (use(Tile((2,)), data(2, dtype=np.complex64)), "openvino", "which OpenVINO does not have"),
    "a cast of a carried type": (
        use(Cast("float32"), data(3, dtype=ml_dtypes.bfloat16)), "directml",
        "it computes with bfloat16, which DirectML does not have; its bits alone are not enough",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_spelling_is_refused_with_and_without_losses(name: str) -> None:
    one, dialect, text = REFUSED[name]
    for allow_loss in (False, True):
        with pytest.raises(ConversionError) as error:
            wh.convert(one.model(), dialect, allow_loss=allow_loss)
        assert text in str(error.value)
        assert "refused: " in str(error.value)
        assert isinstance(error.value, UnsupportedError)
        assert [finding.effect for finding in error.value.findings if finding.effect != "note"] == [Effect.REFUSED]


def test_negative_indices_below_feature_level_3() -> None:
    one = use(CLAMP, data(1, 1, 1, 4), np.array([-1], np.int32))
    with pytest.raises(ConversionError, match=r"DirectML at feature level 2\.1 cannot say"):
        wh.convert(use(Gather(3, 0, "clamp"), *one.arrays).model(), "directml", feature_level="2.1")
    made = wh.convert(use(Gather(3, 0, "clamp"), *one.arrays, constants=[1]).model(), "directml", feature_level="2.1")
    assert made.run({"x0": data(4)})["y0"].tolist() == [4]


def test_sizes_must_be_known_for_directml() -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", ("N", 3)))
    builder.add(Transpose((1, 0)), ["x"], ["y"], "test Transpose")
    model = GraphModel(builder.build(["y"]), "onnx")
    with pytest.raises(ConversionError, match="sizes of float32"):
        wh.convert(model, "directml")
    made = wh.convert(model, "directml", sizes={"x": (2, 3)})
    assert made.run({"x": data(6)})["y"].tolist() == [1, 4, 2, 5, 3, 6]
    with pytest.raises(InvalidValueError, match=r"sizes of 'x' are \[2, 4\], allowed float32\[N, 3\]"):
        wh.convert(model, "directml", sizes={"x": (2, 4)})
    with pytest.raises(InvalidValueError, match="sizes names 'z', allowed 'x'"):
        wh.convert(model, "directml", sizes={"z": (2,)})


def test_many_nodes_of_unknown_sizes_are_one_line() -> None:
    builder = GraphBuilder()
    builder.add_input("x0", TensorType("float32", ("N", 3)))
    for number in range(5):
        operator = Transpose((1, 0)) if number % 2 else Identity()
        builder.add(operator, [f"x{number}"], [f"x{number + 1}"], f"test {type(operator).__name__} {number}")
    model = GraphModel(builder.build(["x5"]), "onnx")
    with pytest.raises(ConversionError) as error:
        wh.convert(model, "directml")
    (line,) = [line for line in str(error.value).splitlines() if "refused" in line]
    assert "refused: 5 nodes: " in line
    assert "their sizes are not known, or values decide what they do" in line
    assert "the first, test Identity 0: sizes of float32[N, 3] are not known yet" in line
    (finding,) = [finding for finding in error.value.findings if finding.effect is Effect.REFUSED]
    assert (finding.nodes, finding.rule) == (5, "sizes")
    assert len(wh.convert(model, "directml", sizes={"x0": (2, 3)}).graph) == 5


def test_everything_in_the_way_is_listed_at_once() -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (4,)))
    builder.add_input("i", TensorType("int64", (2,)))
    builder.add(CLAMP, ["x", "i"], ["a"], "first Gather")
    builder.add(ScaleBias(2, 1), ["a"], ["b"], "second ScaleBias")
    builder.add(WRAP, ["x", "i"], ["c"], "third Gather")
    model = GraphModel(builder.build(["b", "c"]), "directml")
    with pytest.raises(ConversionError) as error:
        wh.convert(model, "onnx")
    text = str(error.value)
    assert text.startswith(
        "ONNX opset 21 cannot say 3 things of this model; 2 of them can be written near enough with "
        "allow_loss=True (wherry convert: --allow-loss):\n"
        "  loss: first"
    )
    assert [text.index(subject) for subject in ("first", "second", "third")] == sorted(
        text.index(subject) for subject in ("first", "second", "third")
    )


@pytest.mark.parametrize("dialect", ["onnx", "openvino", "directml"])
@pytest.mark.parametrize(
    "operator", [RAISE, CLAMP, ZERO, WRAP, Gather(0, 0, "clamp", "invalid"), GatherElements(0, "zero")]
)
@pytest.mark.parametrize("indices", [[0, 3], [-1, -4], [-1, 2]])
def test_constant_indices_inside_the_axis_lose_nothing(dialect: str, operator: Gather, indices: list[int]) -> None:
    if operator.negative == "invalid" and min(indices) < 0:
        indices = [1, 2]
    one = use(operator, data(4), np.array(indices, np.int32), constants=[1])
    made = wh.convert(one.model(), dialect)
    assert not made.findings
    assert_same_results(on_wherry(made, one.given), one.model().run(one.given))


@pytest.mark.parametrize("dialect", ["onnx", "openvino", "directml"])
def test_constant_indices_outside_the_axis(dialect: str) -> None:
    for operator in (CLAMP, ZERO, WRAP):
        one = use(operator, data(4), np.array([0, 9, -9]), constants=[1])
        made = wh.convert(one.model(), dialect)
        assert_same_results(on_wherry(made, one.given), one.model().run(one.given))
    if dialect != "onnx":
        with pytest.raises(ConversionError):
            wh.convert(use(RAISE, data(4), np.array([0, 9]), constants=[1]).model(), dialect)


def test_constant_scatters_and_tuples_lose_nothing() -> None:
    picked = np.array([[0, 1], [-1, 2]])
    for operator, arrays in (
        (GatherND(0, "zero"), (data(2, 3), picked)),
        (ScatterND(out_of_range="clamp", duplicates="raise"), (data(2, 3), picked, data(2))),
    ):
        one = use(operator, *arrays, constants=[1])
        for dialect in ("onnx", "openvino", "directml"):
            assert_same_results(on_wherry(wh.convert(one.model(), dialect), one.given), one.model().run(one.given))


def test_an_index_that_may_be_replaced_is_no_constant() -> None:
    graph = use(CLAMP, data(4), WIDE).graph()
    model = GraphModel(graph, "onnx", {"x1": WIDE})
    with pytest.raises(ConversionError):
        wh.convert(model, "onnx")
    made = wh.convert(model, "onnx", inputs=["x0"])
    assert "becomes a constant" in str(made.findings[0])
    assert made.run({"x0": data(4)})["y0"].tolist() == [1, 2, 3]
    assert wh.convert(model, "openvino").run({"x0": data(4)})["y0"].tolist() == [1, 2, 3]
    kept = wh.convert(GraphModel(use(RAISE, data(4), WIDE).graph(), "onnx", {"x1": WIDE}), "onnx", opset=13)
    assert kept.defaults["x1"].tolist() == [0, 1, 2]
    assert kept.options == {"opset": 13}


CARRIED = {
    "bool": np.array([True, False, True]),
    "bfloat16": np.array([1, -0.0, np.nan], ml_dtypes.bfloat16),
    "float8_e4m3fn": np.array([1, -2, 3], ml_dtypes.float8_e4m3fn),
    "complex64": np.array([1 + 2j, -3j, 0], np.complex64),
}
WORDS = {
    "bool": "bool is carried as uint8, 0 and 1: DirectML has no bool",
    "bfloat16": "bfloat16 is carried as uint16, the bits are kept: DirectML has no bfloat16",
    "float8_e4m3fn": "float8_e4m3fn is carried as uint8, the bits are kept: DirectML has no float8_e4m3fn",
    "complex64": "complex64 is carried as uint64, the bits are kept: DirectML has no complex64",
}


@pytest.mark.parametrize("dtype", CARRIED)
def test_types_that_directml_lacks_are_carried(dtype: str) -> None:
    x = CARRIED[dtype]
    builder = GraphBuilder()
    builder.add_input("x", TensorType.of(x))
    builder.add_constant("k", x[::-1].copy())
    builder.add(Concat(), ["x", "k"], ["j"], "Concat")
    builder.add(Pad((1,), (0,), value=Constant(x[2])), ["j"], ["p"], "Pad")
    builder.add(Constant(x[:1]), [], ["l"], "Constant")
    builder.add(Fill(x[0], (2,)), [], ["f"], "Fill")
    builder.add(Concat(), ["p", "l", "f"], ["y"], "Concat")
    model = GraphModel(builder.build(["y"]), "onnx")
    made = wh.convert(model, "directml")
    assert [str(finding) for finding in made.findings] == [
        f"note: tensor {name!r}: {WORDS[dtype]}" for name in ("x", "y")
    ]
    assert_same_results(on_wherry(made, {"x": x}), model.run({"x": x}))


@pytest.mark.parametrize(
    "one",
    [
        use(Where(), data(2, 3, dtype=bool), data(3), -data(2, 1)),
        use(Where(), data(3, dtype=bool), data(3, dtype=bool), ~data(3, dtype=bool)),
        use(Cast("int32"), data(4, dtype=bool)),
        use(Cast("bool"), data(4, dtype=bool)),
        use(Trilu(np.True_, 0, 1), data(3, 3, dtype=bool)),
        use(Eye(np.True_, (2, 3), 0, 2)),
        use(NonZeroCoordinates(1), data(4, dtype=bool)),
        use(Gather(0, 0, "clamp"), data(4, dtype=bool), WIDE),
    ],
    ids=lambda one: str(one.operator)[:20],
)
def test_bool_in_directml(one: object) -> None:
    model = one.model()
    assert_same_results(on_wherry(wh.convert(model, "directml"), one.given), model.run(one.given))


def test_a_result_that_is_an_input_or_a_constant() -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (3,)))
    builder.add_constant("k", data(2))
    model = GraphModel(builder.build(["x", "k"]), "onnx")
    made = wh.convert(model, "directml")
    assert {name: array.tolist() for name, array in made.run({"x": data(3)}).items()} == {
        "x/result": [1, 2, 3], "k/result": [1, 2],
    }  # fmt: skip
    assert [finding.rule for finding in made.findings] == ["name", "name"]
    for dialect in ("onnx", "openvino"):
        assert_same_results(wh.convert(model, dialect).run({"x": data(3)}), model.run({"x": data(3)}))


def test_nothing_that_is_not_needed_is_left() -> None:
    made = wh.convert(use(Fill(np.float32(3), (2, 2))).model(), "openvino")
    assert [type(node.operator).__name__ for node in made.graph.nodes] == ["Expand"]
    assert made.run({})["y0"].tolist() == [[3, 3], [3, 3]]


def test_another_opset_is_another_version() -> None:
    one = use(Pad((1,), (0,), value=7.0), data(3))
    for opset in (2, 11, 21):
        made = wh.convert(one.model(), "onnx", opset=opset)
        assert made.options == {"opset": opset}
        assert_same_results(made.run(one.given), one.model().run(one.given))


def test_a_model_that_is_none_and_options_that_do_not_fit() -> None:
    model = use(Identity(), data(3)).model()
    with pytest.raises(InvalidValueError, match="dialect is 'tflite', allowed 'onnx', 'openvino', 'directml'"):
        wh.convert(model, "tflite")
    with pytest.raises(InvalidValueError, match="opset is given, but OpenVINO has no such option"):
        wh.convert(model, "openvino", opset=13)
    with pytest.raises(UnsupportedError, match=r"opset is 99, allowed 1\.\.28"):
        wh.convert(model, "onnx", opset=99)
    with pytest.raises(InvalidValueError, match="inputs names 'z', allowed 'x0'"):
        wh.convert(model, "onnx", inputs=["z"])
    with pytest.raises(InvalidTypeError, match=r"model is <Graph .*, allowed what"):
        wh.convert(model.graph, "onnx")
    with pytest.raises(InvalidTypeError, match=r"model is .model\.onnx., allowed what"):
        wh.convert("model.onnx", "onnx")


def test_names_that_a_file_cannot_hold_are_findings() -> None:
    builder = GraphBuilder()
    builder.add_input("a\0b", TensorType("float32", (3,)))
    builder.add(Identity(), ["a\0b"], ["y"], "Identity")
    with pytest.raises(ConversionError, match="characters that XML cannot hold"):
        wh.convert(GraphModel(builder.build(["y"]), "onnx"), "openvino")


def test_ranges_of_sizes_are_told(tmp_path: Path) -> None:
    wh.openvino.write(Graph({"x": TensorType("float32", (None,))}, ("x",), ()), tmp_path / "m.xml")
    path = tmp_path / "m.xml"
    path.write_text(path.read_text().replace('shape="?"', 'shape="1..5"'))
    made = wh.convert(wh.load(path), "onnx")
    assert str(made.findings[0]) == "note: input 'x': its sizes on axes 0 are ranges; now every size is taken"


@pytest.mark.parametrize("source", ["table.onnx", "table.xml", "table.json"])
@pytest.mark.parametrize("ending", [".onnx", ".xml", ".json"])
def test_the_example_in_three_formats(source: str, ending: str, tmp_path: Path) -> None:
    model = wh.load(EXAMPLES / source)
    out = tmp_path / f"out{ending}"
    dialect = {".onnx": "onnx", ".xml": "openvino", ".json": "directml"}[ending]
    if source == "table.onnx" and ending != ".onnx":
        with pytest.raises(ConversionError, match=r"loss: ONNX Gather-13 'picked': out_of_range is raise"):
            wh.convert(model, dialect)
        made = wh.convert(model, dialect, allow_loss=True)
        assert made.findings[0].effect is Effect.LOSS
        wh.save(made, out)
        assert wh.load(out).run({})["picked"].tolist() == [40, 0, 40, 0] if ending == ".xml" else [40, 50, 40, 10]
        return
    wh.save(wh.convert(model, dialect), out)
    if source == "table.onnx":
        with pytest.raises(errors.IndexOutOfRangeError):
            wh.load(out).run({})
        return
    expected = {"table.xml": [40, 0, 40, 0], "table.json": [40, 50, 40, 10]}[source]
    assert wh.load(out).run({})["picked"].tolist() == expected


def test_the_picture_in_three_formats(tmp_path: Path) -> None:
    model = wh.load(EXAMPLES / "picture.json")
    expected = model.run()["nchw"]
    for ending, dialect in ((".onnx", "onnx"), (".xml", "openvino"), (".json", "directml")):
        wh.save(wh.convert(model, dialect), tmp_path / f"out{ending}")
        assert np.array_equal(wh.load(tmp_path / f"out{ending}").run({})["nchw"].reshape(-1), expected)


def test_save_is_for_the_own_dialect_and_version(tmp_path: Path) -> None:
    model = wh.load(EXAMPLES / "table.onnx")
    with pytest.raises(InvalidValueError, match=r"convert it first: wherry\.convert\(model, 'openvino'\)"):
        wh.save(model, tmp_path / "m.xml")
    with pytest.raises(FileFormatError, match=r"ends in '\.txt', allowed \.js, \.json, \.mjs, \.onnx, "):
        wh.save(model, tmp_path / "m.txt")
    made = wh.convert(model, "onnx", opset=11)
    wh.save(made, tmp_path / "m.onnx")
    assert "ONNX Gather-11" in str(wh.load(tmp_path / "m.onnx").graph)
    assert not list(tmp_path.glob("m.xml"))


def test_sizes_are_suggested_where_they_help() -> None:
    """Known sizes settle what DirectML needs of a Split; whether an index is bad, or a type is lacking, they do not."""
    halves = Use(Split(0, sections=2), (data(4, 3),), is_open=True).model()
    with pytest.raises(ConversionError) as error:
        wh.convert(halves, "directml")
    advice = "there are fewer where the sizes of 'x0' are known: sizes={...} (wherry convert: --sizes NAME=2x3)"
    assert advice in str(error.value)
    wh.convert(halves, "directml", sizes={"x0": (4, 3)})
    taken = Use(RAISE, (data(4), WIDE), is_open=True).model()
    for model, dialect in ((taken, "openvino"), (use(RAISE, data(4), WIDE).model(), "directml")):
        with pytest.raises(ConversionError) as error:
            wh.convert(model, dialect)
        assert "--sizes" not in str(error.value)
