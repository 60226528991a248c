"""Hostile arguments of the commands: a line on stderr and exit status 2, never a traceback."""

from __future__ import annotations

import pathlib
from collections.abc import Sequence

import pytest
from typer.testing import CliRunner

from tests.attacks import attack
from wherry.cli.app import app

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
TABLE = str(EXAMPLES / "table.onnx")
LOOKUP = str(EXAMPLES / "lookup.onnx")

LONG = "x" * 100_000
DIGITS = "9" * 10_000
NUMBERS = (
    "",
    " ",
    "x",
    "1.5",
    "-1",
    "2x",
    "1xx2",
    "NaN",
    "\u0661",
    "x".join("1" * 100),
    DIGITS,
    f"2x{2**63}",
    "a\nb",
    LONG,
)
PATHS = ("", " ", ".", "/", "no/such/file.onnx", "a\0b", LONG, f"{LONG}.onnx", "[red].onnx", "model.txt", "\udcff.onnx")
OUTS = ("", "out.txt", "no/such/out.xml", "a\0b.xml", f"{LONG}.xml")

USES: list[tuple[str, ...]] = [
    *(("layout", numbers) for numbers in NUMBERS if numbers not in ("1xx2",)),
    *(("layout", "2x3", "--strides", numbers.replace("x", ",")) for numbers in NUMBERS[1:]),
    *(("layout", "2x3", "--at", numbers.replace("x", ",")) for numbers in NUMBERS[1:]),
    *(("layout", "2x3", "--order", order) for order in ("", "NN", "NCHWNCHW", "1", LONG, "a\0b")),
    *(("layout", "2x3", "--dtype", dtype) for dtype in ("", "float", "object", "x", LONG, "V0", "f4,i8")),
    ("layout", "x".join(["100000"] * 3)),
    *(("run", path) for path in PATHS),
    *(("run", LOOKUP, "--input", entry) for entry in ("", "=", "numbers", "numbers=", "x=y.npy", f"numbers={LONG}")),
    ("run", LOOKUP, "--input", f"numbers={TABLE}"),
    ("run", LOOKUP, "--output", "nothing=here.npy"),
    ("run", TABLE, "--seed", "-1"),
    ("run", TABLE, "--seed", DIGITS),
    *(("info", path) for path in PATHS),
    *(
        ("info", LOOKUP, "--sizes", entry)
        for entry in ("", "numbers", "numbers=x", f"numbers={DIGITS}", "y=1", f"={LONG}")
    ),
    *(("convert", path, "out.xml") for path in PATHS),
    *(
        ("convert", str(EXAMPLES / "table.xml"), path)
        for path in ("", "out.txt", "no/such/out.xml", "a\0b.xml", f"{LONG}.xml")
    ),
    *(("convert", LOOKUP, "out.json", "--sizes", entry) for entry in ("numbers=-1", "numbers=x", "y=1")),
    *(("convert", LOOKUP, "out.onnx", "--opset", opset) for opset in ("-1", "0", "10000", "x", DIGITS)),
    *(("convert", LOOKUP, "out.json", "--feature-level", level) for level in ("", "9.9", LONG)),
    ("no such command",),
]


@pytest.mark.parametrize(
    "use", USES, ids=lambda use: " ".join(use).replace(f"{EXAMPLES}/", "")[:60].encode("unicode_escape").decode()
)
def test_a_hostile_argument_is_one_line(
    use: Sequence[str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def invoke() -> tuple[int, str, str]:
        result = CliRunner().invoke(app, list(use))
        raised = "" if isinstance(result.exception, SystemExit | None) else repr(result.exception)
        return result.exit_code, raised[:200], result.stderr[-300:]

    outcome = attack.run(invoke)
    assert outcome.error is None, outcome
    status, raised, stderr = eval(outcome.result)
    assert not raised, raised
    assert status in (0, 2) if use[0] == "layout" else status == 2, (status, stderr)
    assert "Traceback" not in stderr
    assert bool(stderr) == (status != 0)
