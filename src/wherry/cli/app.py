"""The commands and their arguments."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console

import wherry as wh
from wherry import __version__, errors
from wherry.arrays import npy
from wherry.cli import show
from wherry.errors import ConversionError, ResourceLimitError, WherryError
from wherry.files import beside
from wherry.formats import dialect_of, load, save
from wherry.garbage import uncollected
from wherry.layout import Layout
from wherry.limits import LEAST_VALUES, Limits
from wherry.models.model import Model, made_up_input
from wherry.models.summary import Summary

FAILED, UNUSABLE = 1, 2

app = typer.Typer(
    help="Run, check, compare and convert tensor data movement as ONNX, OpenVINO, DirectML and WebNN specify it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@contextmanager
def _exit_with(status: int) -> Iterator[None]:
    """Print errors of the user's input on stderr in one line, and exit with `status`."""
    try:
        yield
    except BrokenPipeError:  # the reader of the output has closed it
        raise
    except (WherryError, OSError, ValueError, EOFError) as error:
        text = str(error)
        if isinstance(error, ResourceLimitError):
            text = text.replace("raise Limits.", "raise --limit-")
        Console(stderr=True).print(f"[bold red]wherry[/]: {show.escaped(text)}", soft_wrap=True, highlight=False)
        raise typer.Exit(status) from None


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"wherry {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Declare the options before a command."""


ModelFile = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model: .onnx, .xml (OpenVINO IR), .json (DxDispatch) or .webnn.json.")
]

LimitBytes = Annotated[
    str | None,
    typer.Option(
        metavar="N[K|M|G|T]", help="Limit on the bytes that a plan allocates (2G less one, or 16 times its inputs)."
    ),
]
LimitValues = Annotated[
    int | None,
    typer.Option(
        metavar="N", help=f"Limit on the values that planning computes and reads from tensors ({LEAST_VALUES})."
    ),
]

_BYTES = re.compile(r"(\d{1,18})([KMGT]?)", re.ASCII)


def _limits(limit_bytes: str | None, limit_values: int | None) -> Limits:
    found = None if limit_bytes is None else _BYTES.fullmatch(limit_bytes)
    if limit_bytes is not None and found is None:
        raise ValueError(f"--limit-bytes is {limit_bytes[:40]!r}, allowed a number, with K, M, G or T behind it")
    count = None if found is None else int(found[1]) << 10 * " KMGT".index(found[2] or " ")
    return Limits(count, limit_values)


Sizes = Annotated[
    list[str] | None,
    typer.Option("--sizes", "-s", metavar="NAME=NxN", help="Sizes of an input that the model leaves open."),
]


@app.command(epilog="Example: [bold]wherry run model.onnx --input data=table.npy --output y=result.npy[/]")
def run(
    model: ModelFile,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", "-i", metavar="NAME=FILE.npy", help="An input; what is not given is made up."),
    ] = None,
    outputs: Annotated[
        list[str] | None,
        typer.Option("--output", "-o", metavar="NAME=FILE.npy", help="File for an output; others are printed."),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[:VERSION]",
            help="Specification whose rules the operators follow: onnx:21, openvino:opset8, directml:6.4, webnn; "
            "by default the model's own.",
        ),
    ] = None,
    through: Annotated[
        str | None,
        typer.Option(metavar="RUNTIME", help="Runtime for operators that wherry lacks: onnxruntime or openvino."),
    ] = None,
    optimize: Annotated[
        bool, typer.Option("--optimize/--no-optimize", help="Whether that runtime may optimize its parts of the graph.")
    ] = True,
    sizes: Sizes = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of made-up inputs.")] = 0,
    limit_bytes: LimitBytes = None,
    limit_values: LimitValues = None,
) -> None:
    """Run a model and print or save its outputs.

    Missing inputs are small random numbers from the seed, and printed; a DxDispatch model has its own, and its print
    commands print as DxDispatch does. Operators whose rules --rules changes are listed on stderr.
    """
    with _exit_with(UNUSABLE):
        loaded = load(model, sizes=dict(_sizes(sizes)), limits=_limits(limit_bytes, limit_values))
        given = {name: _read_array(path) for name, path in _pairs("--input", inputs, loaded.inputs)}
        saved = dict(_pairs("--output", outputs, loaded.outputs))
    console, aside = show.console(), Console(stderr=True)
    given |= _made_up(loaded, given, seed, console)
    try:
        with _exit_with(FAILED), show.progress(aside, model.name):
            results, lines = loaded.run_and_print(given, rules=rules, through=through, optimize=optimize)
    finally:
        show.notes(aside, loaded.notes)
    for line in lines:
        typer.echo(line)
    for name, array in results.items():
        if name in saved:
            with _exit_with(UNUSABLE):
                _write_array(saved[name], array)
            console.print(f"{show.escaped(name)}: saved to {show.escaped(str(saved[name]))}", highlight=False)
        elif not lines:
            show.result(console, name, array)


def _made_up(model: Model, given: dict[str, Any], seed: int, console: Console) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    made = {}
    for name in model.needed_inputs:
        if name not in given:
            with _exit_with(UNUSABLE):
                made[name] = made_up_input(model.inputs[name], rng)
            show.array(console, f"{name} (made up, seed {seed})", made[name])
    return made


def _pairs(option: str, entries: list[str] | None, names: dict[str, Any]) -> Iterator[tuple[str, Path]]:
    for entry in entries or []:
        known = [name for name in names if entry.startswith(f"{name}=")]  # names and paths may have "=" in them
        name = max(known, key=len, default=entry.rpartition("=")[0])
        if "=" not in entry:
            raise ValueError(f"{option} is {entry!r}, allowed NAME=FILE.npy")
        if not known:
            raise ValueError(f"{option} names {name!r}, allowed {', '.join(map(repr, names)) or 'none'}")
        yield name, Path(entry[len(name) + 1 :])


def _read_array(path: Path) -> Any:
    with errors.subject(path.name):
        return npy.read(path)


def _write_array(path: Path, array: Any) -> None:
    """Write a new file and rename it, so that a failed write keeps the old one; the name needs no ending."""
    with beside(path) as aside, aside.open("wb") as file:
        np.save(file, array.astype(str) if array.dtype.hasobject else array, allow_pickle=False)


@app.command(epilog="Example: [bold]wherry info model.onnx --sizes image=1x3x224x224[/]")
def info(
    model: ModelFile,
    sizes: Sizes = None,
    nodes: Annotated[bool, typer.Option("--nodes", help="List every node that moves data, with all rules.")] = False,
    node: Annotated[
        str | None, typer.Option("--node", metavar="NAME", help="Show one node, by its name or an output.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print everything as JSON; docs/info.md has the members.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Draw the graph on a self-contained page.")
    ] = None,
    limit_bytes: LimitBytes = None,
    limit_values: LimitValues = None,
) -> None:
    """Summarise a model on one screen: inputs, outputs, operators, and the bytes that it moves.

    Operators that wherry lacks are counted; --nodes lists the nodes that move data with their rules and sizes.
    """
    with _exit_with(UNUSABLE), uncollected():  # the model is freed before garbage collection would visit it
        if nodes + (node is not None) + as_json + (html is not None) > 1:
            raise ValueError("several of --nodes, --node, --json and --html are given, allowed one of them")
        found = Summary.of(load(model, sizes=dict(_sizes(sizes)), limits=_limits(limit_bytes, limit_values)))
        _show(found, nodes, node, as_json, html)
        del found


def _show(found: Summary, nodes: bool, node: str | None, as_json: bool, html: Path | None) -> None:
    console = show.console()
    if as_json:
        for text in found.json_lines():
            typer.echo(text, nl=False)
    elif html is not None:
        with beside(html) as aside:
            aside.write_text(importlib.import_module("wherry.cli.page").draw(found), encoding="utf-8")
        show.plain(console, f"{html}: written")
    elif node is not None:
        show.node(console, found, node)
    elif nodes:
        show.nodes(console, found)
    else:
        show.summary(console, found)


@app.command(epilog="Example: [bold]wherry extract model.onnx --out parts[/]")
def extract(
    model: ModelFile,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Folder for the parts; created if missing.")],
    sizes: Sizes = None,
    limit_bytes: LimitBytes = None,
    limit_values: LimitValues = None,
) -> None:
    """Write the largest parts of a model that only move data as models of the same format, most bytes first.

    If the format cannot express a part, the reason is printed, and the exit status is 1.
    """
    with _exit_with(UNUSABLE):
        limits = _limits(limit_bytes, limit_values)
        parts = load(model, sizes=dict(_sizes(sizes)), limits=limits).chains()
        out.mkdir(parents=True, exist_ok=True)
    console, failed = show.console(), 0
    for number, part in enumerate(parts, 1):
        path = out / f"{model.stem}-{number:0{len(str(len(parts)))}}{model.suffix}"
        try:
            save(part, path)
        except WherryError as error:
            failed += 1
            show.plain(console, f"{path.name}: not written: {error}")
        else:
            show.part(console, path.name, Summary.of(part))
    show.plain(console, f"{len(parts) - failed} of {len(parts)} parts written to {out}")
    if failed:
        raise typer.Exit(FAILED)


def _sizes(entries: list[str] | None) -> Iterator[tuple[str, list[int]]]:
    for entry in entries or []:
        name, equals, text = entry.rpartition("=")
        if not equals:
            raise ValueError(f"--sizes is {entry!r}, allowed NAME=NxN")
        yield name, _numbers("--sizes", "x")(text) or []


@app.command(
    epilog="Example: [bold]wherry convert model.onnx model.json --sizes data=1x3x224x224[/]   "
    "Exit status: 0 fine, 1 refused with findings, 2 unusable arguments."
)
def convert(
    model: ModelFile,
    out: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help="The file to write; its ending selects the dialect: .onnx, .xml, .json, .webnn.json, .js or .mjs.",
        ),
    ],
    allow_loss: Annotated[
        bool,
        typer.Option(
            "--allow-loss", help="Write the nearest rules where nodes would give another answer for some inputs."
        ),
    ] = False,
    guard: Annotated[
        bool,
        typer.Option("--guard", help="Add operators that raise errors at run for values that only the model refuses."),
    ] = False,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", "-i", metavar="NAME", help="An input with a default value that stays an input."),
    ] = None,
    sizes: Sizes = None,
    opset: Annotated[int | None, typer.Option(help="The opset of an ONNX model (21).")] = None,
    feature_level: Annotated[str | None, typer.Option(help="The feature level of a DxDispatch model (6.4).")] = None,
    limit_bytes: LimitBytes = None,
    limit_values: LimitValues = None,
) -> None:
    """Convert a model to another dialect, and list all changes.

    If nodes would give another answer for some inputs, they are listed with their rules, and nothing is written.
    """
    with _exit_with(UNUSABLE):
        dialect = dialect_of(out)
        loaded = load(model, limits=_limits(limit_bytes, limit_values))
        if not out.parent.is_dir():
            raise FileNotFoundError(f"the folder {out.parent} is not there")
        try:
            made = wh.convert(
                loaded, dialect, allow_loss=allow_loss, guard=guard, inputs=inputs, sizes=dict(_sizes(sizes)),
                opset=opset, feature_level=feature_level,
            )  # fmt: skip
        except ConversionError as error:
            Console(stderr=True).print(
                f"[bold red]wherry[/]: {show.escaped(str(error))}", soft_wrap=True, highlight=False
            )
            raise typer.Exit(FAILED) from None
        save(made, out)
    console = show.console()
    for finding in made.findings:
        console.print(show.escaped(str(finding)), soft_wrap=True)
    console.print(f"{show.escaped(str(out))}: written, {dialect}", soft_wrap=True)


@app.command(
    epilog="Example: [bold]wherry check model.onnx --target openvino --fail-on differs[/]   "
    "Exit status: 0 fine, 1 findings of the severity of --fail-on, 2 unusable arguments."
)
def check(
    model: ModelFile,
    targets: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            "-t",
            metavar="NAME[:VERSION]",
            help="onnxruntime, openvino, directml:6.4, webnn; or a specification: onnx:21, openvino:opset8. "
            "By default the first four.",
        ),
    ] = None,
    sizes: Sizes = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            "-i",
            metavar="NAME=FILE.npy",
            help="Run the model on this input, and judge by the values of the run.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the report as JSON; docs/check.md has the members.")
    ] = False,
    sarif: Annotated[
        Path | None, typer.Option("--sarif", metavar="FILE", help="Write the findings as SARIF 2.1.0.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page that shows and filters the findings.")
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(metavar="LEVEL", help="Lowest severity that fails: unsafe, refused, differs, narrowed, maybe."),
    ] = None,
    limit_bytes: LimitBytes = None,
    limit_values: LimitValues = None,
) -> None:
    """List the nodes of a model that other runtimes refuse, or for which they give another answer.

    Data movement and index arithmetic are judged; other operators are counted as not judged.
    """
    from wherry.cli import checking
    from wherry.portability.finding import level_of

    with _exit_with(UNUSABLE):
        level = None if fail_on is None else level_of("--fail-on", fail_on)
        loaded = load(model, sizes=dict(_sizes(sizes)), limits=_limits(limit_bytes, limit_values))
        given = {name: _read_array(path) for name, path in _pairs("--input", inputs, loaded.inputs)}
        report = wh.check(loaded, targets or checking.TARGETS, given if inputs else None)
        checking.tell(report, as_json, [(sarif, checking.sarif_text), (html, checking.html_text)])
    if level is not None and report.fails(level):
        raise typer.Exit(FAILED)


@app.command(
    epilog="Example: [bold]wherry fix model.onnx fixed.onnx --target openvino[/]   "
    "Exit status: 0 fine, 1 findings are left, 2 unusable arguments."
)
def fix(
    model: ModelFile,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The model to write, of the same format.")],
    targets: Annotated[
        list[str] | None,
        typer.Option("--target", "-t", metavar="NAME[:VERSION]", help="As for wherry check."),
    ] = None,
    sizes: Sizes = None,
    bad_index: Annotated[
        str, typer.Option(metavar="clamp|zero", help="What an index that the model refuses reads.")
    ] = "clamp",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the guards as JSON; docs/fix.md has the members.")
    ] = False,
    limit_bytes: LimitBytes = None,
    limit_values: LimitValues = None,
) -> None:
    """Insert guards into a model, so that targets give its own answers, and list the remaining findings.

    Answers for legal inputs stay the same bit for bit; an index that the model refuses gets the same answer everywhere.
    """
    from wherry.cli import checking, fixing
    from wherry.portability.fix import fixed

    with _exit_with(UNUSABLE):
        dialect_of(out)
        loaded = load(model, sizes=dict(_sizes(sizes)), limits=_limits(limit_bytes, limit_values))
        found = fixed(loaded, targets or checking.TARGETS, bad_index=bad_index)
        save(found.model, out)
        fixing.tell(found, out, as_json)
    if found.left:
        raise typer.Exit(FAILED)


@app.command(
    epilog="Example: [bold]wherry compare model.onnx --input x=x.npy --runtime onnxruntime --runtime openvino[/]   "
    "Exit status: 0 they agree, 1 they differ, 2 unusable arguments, or neither gives a result."
)
def compare(
    model: ModelFile,
    runtimes: Annotated[
        list[str],
        typer.Option(
            "--runtime",
            "-r",
            metavar="NAME",
            help="Two of: onnxruntime, openvino, onnx.reference ...; wherry; or wherry by other rules: "
            "rules:openvino:opset8.",
        ),
    ],
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", "-i", metavar="NAME=FILE.npy", help="An input; what is not given is made up."),
    ] = None,
    sizes: Sizes = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of made-up inputs.")] = 0,
    rtol: Annotated[
        float | None, typer.Option(help="Relative tolerance of computed elements; by default that of the element type.")
    ] = None,
    atol: Annotated[float | None, typer.Option(help="Absolute tolerance, likewise.")] = None,
    seconds: Annotated[float, typer.Option(help="Time limit of one run.")] = 60.0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print everything as JSON; docs/compare.md has the members.")
    ] = False,
    limit_bytes: LimitBytes = None,
    limit_values: LimitValues = None,
) -> None:
    """Find the first node of an ONNX model or an OpenVINO IR at which two runtimes differ on the same inputs.

    Each run is a process of its own, so that a runtime that crashes or hangs does not end the search.
    """
    from wherry.cli import comparing

    with _exit_with(UNUSABLE):
        loaded = load(model, sizes=dict(_sizes(sizes)), limits=_limits(limit_bytes, limit_values))
        given = {name: _read_array(path) for name, path in _pairs("--input", inputs, loaded.inputs)}
    given |= _made_up(loaded, given, seed, Console(stderr=True))
    with _exit_with(UNUSABLE):
        found = comparing.compared(loaded, given, runtimes, rtol=rtol, atol=atol, seconds=seconds)
        status = comparing.tell(found, as_json)
    if status:
        raise typer.Exit(status)


def _numbers(option: str, separator: str) -> Callable[[str | None], list[int] | None]:
    def parse(text: str | None) -> list[int] | None:
        if text is None:
            return None
        try:
            return [int(part) for part in text.split(separator)] if text else []
        except ValueError:
            raise ValueError(f"{option} is {text!r}, allowed integers with {separator!r} between them") from None

    return parse


@app.command(epilog="Example: [bold]wherry layout 2x3 --strides 5,1 --dtype float16[/]")
def layout(
    sizes: Annotated[str, typer.Argument(metavar="SIZES", help="Logical sizes, such as 2x3 or 1x3x4x5.")],
    strides: Annotated[str | None, typer.Option(metavar="N,N", help="Strides in elements; by default packed.")] = None,
    order: Annotated[str | None, typer.Option(metavar="LETTERS", help="A memory order: NCHW, NHWC, WH ...")] = None,
    offset: Annotated[int, typer.Option(help="Offset of the first element in its buffer, in elements.")] = 0,
    dtype: Annotated[str, typer.Option(help="The element type, for sizes in bytes.")] = "float32",
) -> None:
    """Draw where each element of a tensor lies in memory, and print the properties of the layout."""
    with _exit_with(UNUSABLE):
        if strides is not None and order is not None:
            raise ValueError("--strides and --order are both given, allowed one of them")
        shape = _numbers("SIZES", "x")(sizes) or []
        if order is not None:
            ordered = Layout.ordered(shape, order)
            drawn = Layout(ordered.sizes, ordered.strides, offset)
        else:
            drawn = Layout(shape, _numbers("--strides", ",")(strides), offset)
        show.layout(show.console(), drawn, dtype)


@app.command(epilog="Example: [bold]wherry conform --runtime onnxruntime --op Gather --html matrix.html[/]")
def conform(
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--runtime", "-r", metavar="NAME", help="A runtime to measure; by default all that are installed."
        ),
    ] = None,
    operators: Annotated[
        list[str] | None,
        typer.Option("--op", metavar="OP", help="Only the rules of this operator, with each answer that differs."),
    ] = None,
    is_shipped: Annotated[
        bool, typer.Option("--shipped", help="Measure nothing: show the data that wherry ships.")
    ] = False,
    write: Annotated[bool, typer.Option("--write", help="Write the results into the data that wherry ships.")] = False,
    as_json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the matrix as JSON: see docs/conform.md.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page that shows and filters the matrix.")
    ] = None,
) -> None:
    """Measure which runtime moves data as ONNX specifies: rules of each operator on each installed runtime.

    Rules run in child processes, with limits on time and memory.
    """
    from wherry.cli import measuring

    with _exit_with(UNUSABLE):
        measuring.conform(names or [], operators or [], is_shipped, write, as_json, html)
