"""The commands: what they print, what they save, and their exit status."""

import time
from io import StringIO
from pathlib import Path

import numpy as np
import onnx
import pytest
from rich.console import Console
from typer.testing import CliRunner

import wherry as wh
from wherry.cli import show
from wherry.cli.app import app
from wherry.conversion.findings import Effect, Finding

EXAMPLES = Path(__file__).parents[2] / "examples"


def call(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return result.exit_code, result.stdout, result.stderr


def test_run_prints_as_dxdispatch_does() -> None:
    assert call("run", EXAMPLES / "table.json") == (0, "Resource 'picked': 40, 50, 40, 10\n", "")


def test_run_prints_outputs() -> None:
    status, out, err = call("run", EXAMPLES / "table.xml")
    assert (status, out, err) == (0, "picked: float32[4]\n[40.  0. 40.  0.]\n", "")


def test_run_makes_inputs_up_and_says_so() -> None:
    first = call("run", EXAMPLES / "lookup.onnx", "--seed", 3)
    assert first[0] == 0
    assert first[1].startswith("numbers (made up, seed 3): int64[2]\n")
    assert first == call("run", EXAMPLES / "lookup.onnx", "--seed", 3)
    assert first != call("run", EXAMPLES / "lookup.onnx", "--seed", 4)


def test_run_reads_and_saves_arrays(tmp_path: Path) -> None:
    np.save(tmp_path / "numbers.npy", np.array([4, 0]))
    vector, word = tmp_path / "vector.npy", tmp_path / "word.npy"
    status, out, _ = call("run", EXAMPLES / "lookup.onnx", "--input", f"numbers={tmp_path / 'numbers.npy'}",
                          "--output", f"vector={vector}", "-o", f"word={word}")  # fmt: skip
    assert status == 0
    assert "made up" not in out
    expected = wh.load(EXAMPLES / "lookup.onnx").run([np.array([4, 0])])
    assert np.array_equal(np.load(vector), expected["vector"])
    assert np.load(word).tolist() == expected["word"].tolist()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["numbers.npy", "vector.npy", "word.npy"]


def test_run_by_other_rules_tells_what_they_read_otherwise(tmp_path: Path) -> None:
    np.save(tmp_path / "numbers.npy", np.array([1, 9]))
    given = ("run", EXAMPLES / "scores.onnx", "--input", f"numbers={tmp_path / 'numbers.npy'}")
    status, out, err = call(*given)
    assert (status, out) == (1, "")
    assert err.startswith("wherry: ONNX Gather-13 'take': indices[1] is 9, allowed -4..3")
    for rules, last, words in (
        ("openvino:opset8", "[0.5", "out_of_range=zero"),
        ("directml:6.4", "[0.993", "out_of_range=clamp"),
    ):
        for more in (), ("--no-optimize",), ("--through", "openvino"):
            status, out, err = call(*given, "--rules", rules, *more)
            assert status == 0
            assert out.startswith("score: float32[2, 2]\n[[0.8807")
            assert f"\n {last}" in out
            assert err.startswith("loss: ONNX Gather-13 'take': an index outside its axis ")
            assert err.endswith(f"{words}, its own is raise)\n")
            assert err.count("\n") == 1


def test_run_by_other_rules_takes_every_format(tmp_path: Path) -> None:
    assert call("run", EXAMPLES / "table.json", "--rules", "openvino")[:2] == (0, "Resource 'picked': 40, 0, 40, 0\n")
    status, out, err = call("run", EXAMPLES / "table.xml", "--rules", "directml")
    assert (status, out) == (0, "picked: float32[4]\n[40. 50. 40. 10.]\n")
    assert err.startswith("loss: OpenVINO Gather-8 ")
    assert call("run", EXAMPLES / "table.onnx", "--rules", "webnn")[:2] == (
        0,
        "picked: float32[4]\n[40. 50. 40. 10.]\n",
    )


def test_a_run_that_fails_tells_its_notes_too() -> None:
    status, _, err = call("run", EXAMPLES / "table.xml", "--rules", "onnx:21")
    assert status == 1
    assert err.splitlines()[0].startswith("wherry: OpenVINO Gather-8 ")
    assert err.splitlines()[1].startswith("loss: OpenVINO Gather-8 ")


@pytest.mark.parametrize(("is_terminal", "after", "shown"), [(True, 0, True), (True, 60, False), (False, 0, False)])
def test_long_runs_are_told_on_a_terminal_alone(is_terminal: bool, after: float, shown: bool) -> None:
    console = Console(file=StringIO(), width=80, force_terminal=is_terminal)
    with show.progress(console, "[a].onnx", after):
        time.sleep(0.3)
    assert ("running [a].onnx" in console.file.getvalue()) is shown
    assert bool(console.file.getvalue()) is shown


def test_notes_of_many_nodes_are_one_line() -> None:
    findings = [Finding(Effect.LOSS, f"ONNX Gather-13 'g{n}'", "out_of_range", "reads zero") for n in range(9)]
    console = Console(file=StringIO(), width=80)
    show.notes(console, [*findings, Finding(Effect.NOTE, "ONNX Cast-13", "rules", "keeps [red] \x1b")])
    assert console.file.getvalue() == (
        "loss: ONNX Gather-13 'g0', ONNX Gather-13 'g1', ONNX Gather-13 'g2' and 6 more: reads zero\n"
        "note: ONNX Cast-13: keeps [red] \\x1b\n"
    )


def test_outputs_that_are_no_arrays_are_printed() -> None:
    console = Console(file=StringIO(), width=80)
    show.result(console, "scores", [{0: 0.5}])
    assert console.file.getvalue() == "scores: a list\n[{0: 0.5}]\n"


def test_a_refused_run_is_status_1() -> None:
    status, out, err = call("run", EXAMPLES / "table.onnx")
    assert (status, out) == (1, "")
    assert err.startswith("wherry: ONNX Gather-13 'picked': indices[1] is 7, allowed -5..4")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("run", "nothing.onnx"), "the file nothing.onnx is not there"),
        (("run", __file__), "allowed .json, .onnx, .webnn.json, .xml"),
        (("run", EXAMPLES / "lookup.onnx", "--input", "numbers"), "--input is 'numbers', allowed NAME=FILE.npy"),
        (("run", EXAMPLES / "lookup.onnx", "--input", "x=a.npy"), "--input names 'x', allowed 'numbers'"),
        (("run", EXAMPLES / "lookup.onnx", "--output", "x=a.npy"), "--output names 'x', allowed 'word', 'vector'"),
        (("run", EXAMPLES / "lookup.onnx", "--input", "numbers=a.npy"), "a.npy"),
        (("run", EXAMPLES / "lookup.onnx", "--input", f"numbers={EXAMPLES / 'table.bin'}"), "is no .npy file"),
        (("run", EXAMPLES / "lookup.onnx", "--sizes", "x=2"), "sizes is 'x', allowed 'numbers'"),
        (("info", "nothing.xml"), "not there"),
        (("info", EXAMPLES / "lookup.onnx", "--sizes", "numbers"), "--sizes is 'numbers', allowed NAME=NxN"),
        (("info", EXAMPLES / "lookup.onnx", "--sizes", "x=2"), "sizes is 'x', allowed 'numbers'"),
        (("info", EXAMPLES / "table.xml", "--sizes", "x=2"), "sizes is given, allowed for .onnx"),
        (("layout", "2xa"), "SIZES is '2xa', allowed integers with 'x' between them"),
        (("layout", "2x3", "--strides", "1"), "strides has 1 entries, allowed 2"),
        (("layout", "2x3", "--strides", "3,1", "--order", "HW"), "--strides and --order are both given"),
        (("layout", "2x3", "--dtype", "float99"), "dtype is 'float99'"),
        (("layout", "2x3", "--order", "NHWC"), "sizes has 2 entries, allowed 4"),
        (("layout", "99999999999x99999999999"), "split the tensor"),
    ],
)
def test_unusable_arguments_are_status_2(arguments: tuple[object, ...], text: str) -> None:
    status, out, err = call(*arguments)
    assert (status, out) == (2, "")
    assert text in err
    assert "Traceback" not in err


def test_inputs_that_do_not_fit_are_status_1(tmp_path: Path) -> None:
    np.save(tmp_path / "numbers.npy", np.array([1.5]))
    status, _, err = call("run", EXAMPLES / "lookup.onnx", "--input", f"numbers={tmp_path / 'numbers.npy'}")
    assert status == 1
    assert "input 'numbers' has dtype float64, allowed int64" in err


@pytest.mark.parametrize("name", ["table.onnx", "table.xml", "table.json", "picture.json", "lookup.onnx"])
def test_info_lists_rules_plan_and_bytes(name: str) -> None:
    assert name in call("info", EXAMPLES / name)[1]
    status, out, _ = call("info", EXAMPLES / name, "--nodes")
    assert status == 0
    assert "graph" in out
    if name == "lookup.onnx":
        assert "no plan yet: sizes of int64[count] are not known" in out
    else:
        assert "one run writes" in out


def test_info_takes_sizes_that_the_model_leaves_open() -> None:
    status, out, _ = call("info", EXAMPLES / "lookup.onnx", "--sizes", "numbers=5")
    assert status == 0
    assert "input   numbers  int64[5]" in out
    assert "unknown sizes" not in out
    status, out, _ = call("info", EXAMPLES / "lookup.onnx", "--sizes", "numbers=5", "--nodes")
    assert status == 0
    assert "no plan yet" not in out
    assert "one run writes" in out


def test_info_lists_what_moves_among_operators_that_wherry_lacks(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    node = onnx.helper.make_node
    x, y = (onnx.helper.make_tensor_value_info(name, 1, ["N", 4]) for name in "xy")
    nodes = [node("Relu", ["x"], ["r"]), node("Transpose", ["r"], ["t"]), node("Sigmoid", ["t"], ["y"])]
    graph = onnx.helper.make_graph(nodes, "g", [x], [y])
    path = tmp_path / "net.onnx"
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 13)], ir_version=8), path)
    status, out, _ = call("info", path, "--nodes")
    assert status == 0
    assert "movement: 1 nodes\n  t = Transpose(perm=None, empty=refuse)(r)   # ONNX Transpose-13 't'\n" in out
    assert "float32[N, 4] -> float32[4, N], bytes unknown" in out
    assert "other operators: 1 Relu of opset 13, 1 Sigmoid of opset 13" in out
    assert "float32[3, 4] -> float32[4, 3], 48 bytes, a view" in call("info", path, "--nodes", "--sizes", "x=3x4")[1]
    status, out, _ = call("run", path, "--sizes", "x=3x4")
    assert status == 0
    assert out.startswith("x (made up, seed 0): float32[3, 4]\n")
    assert "\ny: float32[4, 3]\n" in out


def test_layout_draws() -> None:
    status, out, _ = call("layout", "2x3", "--strides", "5,1", "--dtype", "float16")
    assert status == 0
    assert "kind     padded" in out
    assert "buffer   16 bytes of float16, 16 as DirectML counts" in out
    assert "Value:  | A | B | C | x | x | D | E | F\n\nA B C\nD E F\n" in out
    assert "strides  [1, 2] elements" in call("layout", "2x3", "--order", "WH")[1]
    assert "too large to draw" in call("layout", "1000x1000")[1]
    assert "offset   4 elements" in call("layout", "2", "--offset", "4")[1]


def test_help_shows_an_example_of_each_command() -> None:
    for command in ("run", "info", "layout"):
        status, out, _ = call(command, "--help")
        assert status == 0
        assert f"Example: wherry {command} " in out


def test_version() -> None:
    assert call("--version") == (0, f"wherry {wh.__version__}\n", "")


def test_convert_tells_what_it_wrote(tmp_path: Path) -> None:
    out = tmp_path / "out.onnx"
    status, text, err = call("convert", EXAMPLES / "table.json", out)
    assert (status, err) == (0, "")
    told = "becomes a constant: the values that it begins with; name it in inputs to keep it an input"
    assert text == f"note: buffer 'table': {told}\nnote: buffer 'indices': {told}\n{out}: written, onnx\n"
    assert wh.load(out).run({})["picked"].tolist() == [40, 50, 40, 10]


def test_convert_refuses_with_findings_and_status_1(tmp_path: Path) -> None:
    status, out, err = call("convert", EXAMPLES / "lookup.onnx", tmp_path / "out.xml")
    assert (status, out) == (1, "")
    assert err.count("loss: ONNX Gather-13") == 2
    assert "all can be written near enough with allow_loss=True (wherry convert: --allow-loss)" in err
    assert not list(tmp_path.iterdir())


def test_convert_guards_where_it_is_asked_to(tmp_path: Path) -> None:
    status, _, err = call("convert", EXAMPLES / "lookup.onnx", tmp_path / "out.xml")
    assert (status, err.count("a guard refuses it at run: guard=True (wherry convert: --guard)")) == (1, 2)
    status, out, _ = call("convert", EXAMPLES / "lookup.onnx", tmp_path / "out.xml", "--guard")
    assert (status, out.count("a bad value is refused at run by a Reshape whose sizes do not fit then")) == (0, 2)
    made, own = (wh.load(path) for path in (tmp_path / "out.xml", EXAMPLES / "lookup.onnx"))
    assert made.run([np.array([4, 1])])["word"].tolist() == own.run([np.array([4, 1])])["word"].tolist()
    with pytest.raises(wh.errors.InvalidValueError, match="Reshape"):
        made.run([np.array([4, 99])])


def test_convert_writes_losses_where_they_are_allowed(tmp_path: Path) -> None:
    status, out, _ = call("convert", EXAMPLES / "lookup.onnx", tmp_path / "out.xml", "--allow-loss")
    assert status == 0
    assert out.count("loss: ONNX Gather-13") == 2
    assert wh.load(tmp_path / "out.xml").run([np.array([4, 99])])["word"].tolist()[1] == ""


def test_convert_takes_options(tmp_path: Path) -> None:
    assert call("convert", EXAMPLES / "table.onnx", tmp_path / "out.onnx", "--opset", 11)[0] == 0
    assert "Gather-11" in str(wh.load(tmp_path / "out.onnx").graph)
    assert call("convert", EXAMPLES / "table.json", tmp_path / "in.onnx", "--input", "table")[0] == 0
    assert list(wh.load(tmp_path / "in.onnx").inputs) == ["table"]
    status, _, err = call("convert", EXAMPLES / "lookup.onnx", tmp_path / "out.json", "--sizes", "numbers=3")
    assert status == 1
    assert "a tensor has dtype string" in err
    assert call("convert", EXAMPLES / "table.xml", tmp_path / "out.json", "--feature-level", "4.1")[0] == 0


def test_convert_status_2_for_what_cannot_be_used(tmp_path: Path) -> None:
    for arguments in (
        ("nix.onnx", tmp_path / "out.xml"),
        (EXAMPLES / "table.onnx", tmp_path / "out.txt"),
        (EXAMPLES / "table.onnx", tmp_path / "nix" / "out.xml"),
        (EXAMPLES / "table.onnx", tmp_path / "out.xml", "--opset", 3),
        (EXAMPLES / "table.onnx", tmp_path / "out.onnx", "--sizes", "three"),
        (EXAMPLES / "table.onnx", tmp_path / "out.onnx", "--input", "nix"),
    ):
        status, out, err = call("convert", *arguments)
        assert (status, out) == (2, "")
        assert err.startswith("wherry: ")
    assert not list(tmp_path.iterdir())


def test_convert_has_help_with_an_example() -> None:
    status, out, _ = call("convert", "--help")
    assert status == 0
    assert "wherry convert model.onnx model.json" in out
    assert "--allow-loss" in out


def test_limits_of_the_commands(tmp_path: Path) -> None:
    status, _, err = call("run", EXAMPLES / "lookup.onnx", "--limit-bytes", 0)
    assert (status, err.startswith("wherry: ONNX "), err.endswith("allowed 0; raise --limit-bytes\n")) == (
        1,
        True,
        True,
    )
    assert call("run", EXAMPLES / "lookup.onnx", "--limit-bytes", "1K")[0] == 0
    assert call("run", EXAMPLES / "lookup.onnx", "--limit-values", 100)[0] == 0
    assert call("info", EXAMPLES / "lookup.onnx", "--limit-bytes", "1M")[0] == 0
    assert call("convert", EXAMPLES / "lookup.onnx", tmp_path / "same.onnx", "--limit-bytes", "1M")[0] == 0


@pytest.mark.parametrize("bad", ["", "x", "-1", "1.5", "1P", "9" * 40, "٣"])
def test_limits_that_are_none(bad: str) -> None:
    status, _, err = call("run", EXAMPLES / "lookup.onnx", "--limit-bytes", bad)
    assert (status, "--limit-bytes is" in err, "K, M, G or T" in err) == (2, True, True)


def test_control_characters_in_names_are_spelt_out(tmp_path: Path) -> None:
    node = onnx.helper.make_node("Identity", ["x\x1b[2J"], ["[bold]y:smile:"])
    ends = [onnx.helper.make_tensor_value_info(name, 1, [2]) for name in (node.input[0], node.output[0])]
    graph = onnx.helper.make_graph([node], "g", ends[:1], ends[1:])
    proto = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=9)
    onnx.save(proto, tmp_path / "m.onnx")
    status, out, _ = call("info", tmp_path / "m.onnx")
    assert status == 0
    assert "x\\x1b[2J" in out
    assert "[bold]y:smile:" in out
    assert "\x1b" not in out
