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
    help="Run, explain and draw tensor data movement exactly as ONNX, OpenVINO and DirectML specify it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@contextmanager
def _exit_with(status: int) -> Iterator[None]:
    """Turn errors that tell the user something into one line on stderr and an exit status."""
    try:
        yield
    except BrokenPipeError:  # who read the output has enough of it
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
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Hold the options that stand before a command."""


ModelFile = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model: .onnx, .xml (OpenVINO IR) or .json (DxDispatch).")
]

LimitBytes = Annotated[
    str | None,
    typer.Option(
        metavar="N[K|M|G|T]", help="The most bytes that a plan may allocate (2G less one, or 16 times its inputs)."
    ),
]
LimitValues = Annotated[
    int | None,
    typer.Option(
        metavar="N", help=f"The most values that planning may compute and take out of tensors ({LEAST_VALUES})."
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
        typer.Option("--output", "-o", metavar="NAME=FILE.npy", help="Where to save an output; others are printed."),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[:VERSION]",
            help="Whose rules all operators follow: onnx:21, openvino:opset8, "
            "directml:6.4, webnn; the model's own without.",
        ),
    ] = None,
    through: Annotated[
        str | None,
        typer.Option(metavar="RUNTIME", help="What runs the operators that wherry lacks: onnxruntime or openvino."),
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

    Inputs that are not given are made up, small numbers from the seed, and said to be so; a DxDispatch model brings its
    own, and its print commands print as DxDispatch does. What the chosen rules read otherwise than the model's own is
    told on stderr.
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
    """Save beside and rename, so that a failed write leaves an older file whole; names keep what ending they have."""
    with beside(path) as aside, aside.open("wb") as file:
        np.save(file, array.astype(str) if array.dtype.hasobject else array, allow_pickle=False)


@app.command(epilog="Example: [bold]wherry info model.onnx --sizes image=1x3x224x224[/]")
def info(
    model: ModelFile,
    sizes: Sizes = None,
    nodes: Annotated[bool, typer.Option("--nodes", help="List every node that moves data, with all rules.")] = False,
    node: Annotated[
        str | None, typer.Option("--node", metavar="NAME", help="Show one node, by its name or what it makes.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print all of it as JSON; docs/info.md has the members.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Draw the graph on a page that needs nothing else.")
    ] = None,
    limit_bytes: LimitBytes = None,
    limit_values: LimitValues = None,
) -> None:
    """Show what a model is on one screen: its ends, its operators, what it moves and how much.

    Operators that wherry does not have are counted; nodes that move data are listed with their rules and sizes.
    """
    with _exit_with(UNUSABLE), uncollected():  # the model is gone again before the collector sees it
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
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="Where the parts go; made if it is not there.")
    ],
    sizes: Sizes = None,
    limit_bytes: LimitBytes = None,
    limit_values: LimitValues = None,
) -> None:
    """Write the largest parts of a model that only move data as models of the same format, those of most bytes first.

    A part that the format cannot hold is named with the reason, and the exit status is 1.
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
    out: Annotated[Path, typer.Argument(metavar="OUT", help="What to write: .onnx, .xml or .json tells the dialect.")],
    allow_loss: Annotated[
        bool, typer.Option("--allow-loss", help="Write what gives another answer for some inputs as near as can be.")
    ] = False,
    guard: Annotated[
        bool, typer.Option("--guard", help="Check at run what only the model refuses, by operators that refuse it too.")
    ] = False,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", "-i", metavar="NAME", help="An input with a value of its own that stays an input."),
    ] = None,
    sizes: Sizes = None,
    opset: Annotated[int | None, typer.Option(help="The opset of an ONNX model (21).")] = None,
    feature_level: Annotated[str | None, typer.Option(help="The feature level of a DxDispatch model (6.4).")] = None,
    limit_bytes: LimitBytes = None,
    limit_values: LimitValues = None,
) -> None:
    """Convert a model to another dialect, and tell all that changes.

    What would give another answer for some inputs is refused: every node is listed with the rule in its way.
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
    "Exit status: 0 fine, 1 findings of the level of --fail-on, 2 unusable arguments."
)
def check(
    model: ModelFile,
    targets: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            "-t",
            metavar="NAME[:VERSION]",
            help="onnxruntime, openvino, directml:6.4, webnn; or a "
            "specification: onnx:21, openvino:opset8. The first four without.",
        ),
    ] = None,
    sizes: Sizes = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", "-i", metavar="NAME=FILE.npy", help="Run the model on this, and tell what happens."),
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
        str | None, typer.Option(metavar="LEVEL", help="Findings that fail: unsafe, refused, differs, narrowed, maybe.")
    ] = None,
    limit_bytes: LimitBytes = None,
    limit_values: LimitValues = None,
) -> None:
    """Tell what of a model is refused, or answered otherwise, by other runtimes.

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
        str, typer.Option(metavar="clamp|zero", help="What an index reads that the model refuses.")
    ] = "clamp",
    as_json: Annotated[bool, typer.Option("--json", help="Print what was done as JSON; docs/fix.md.")] = False,
    limit_bytes: LimitBytes = None,
    limit_values: LimitValues = None,
) -> None:
    """Write guards into a model, so that targets give its own answer, and tell what is left.

    Legal inputs keep their answers bit for bit; a bad index, which the model refuses, gets one that all targets give.
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
    "Exit status: 0 they agree, 1 they part, 2 unusable arguments, or neither answers."
)
def compare(
    model: ModelFile,
    runtimes: Annotated[
        list[str],
        typer.Option(
            "--runtime",
            "-r",
            metavar="NAME",
            help="Two of them: onnxruntime, openvino, onnx.reference ...; wherry, or wherry under other "
            "rules: rules:openvino:opset8.",
        ),
    ],
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", "-i", metavar="NAME=FILE.npy", help="An input; what is not given is made up."),
    ] = None,
    sizes: Sizes = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of made-up inputs.")] = 0,
    rtol: Annotated[
        float | None, typer.Option(help="How far computed elements may part, relatively; by element type without.")
    ] = None,
    atol: Annotated[float | None, typer.Option(help="The same, absolutely.")] = None,
    seconds: Annotated[float, typer.Option(help="How long one run may take.")] = 60.0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print all of it as JSON; docs/compare.md has the members.")
    ] = False,
    limit_bytes: LimitBytes = None,
    limit_values: LimitValues = None,
) -> None:
    """Find the first node of a model, ONNX or an OpenVINO IR, at which two runtimes part on the same inputs.

    Each run is a process of its own, which a runtime may end or block.
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
    strides: Annotated[str | None, typer.Option(metavar="N,N", help="Strides in elements; packed without.")] = None,
    order: Annotated[str | None, typer.Option(metavar="LETTERS", help="A memory order: NCHW, NHWC, WH ...")] = None,
    offset: Annotated[int, typer.Option(help="Place of the first element in its buffer, in elements.")] = 0,
    dtype: Annotated[str, typer.Option(help="The element type, for sizes in bytes.")] = "float32",
) -> None:
    """Draw where each element of a tensor lies in memory, and tell what kind of layout that is."""
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
        typer.Option("--runtime", "-r", metavar="NAME", help="What to measure; all that are found here without."),
    ] = None,
    operators: Annotated[
        list[str] | None,
        typer.Option("--op", metavar="OP", help="Only the rules of this operator, with what each runtime does."),
    ] = None,
    is_shipped: Annotated[
        bool, typer.Option("--shipped", help="Measure nothing: show what wherry ships of all runtimes.")
    ] = False,
    write: Annotated[
        bool, typer.Option("--write", help="Put what is measured into the data that wherry ships.")
    ] = False,
    as_json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the matrix as JSON: see docs/conform.md.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page that shows and filters the matrix.")
    ] = None,
) -> None:
    """Measure which runtime moves data as ONNX says: rules of each operator, on each runtime that is found here.

    Each rule runs in a process of its own, which it may crash, block or fill.
    """
    from wherry.cli import measuring

    with _exit_with(UNUSABLE):
        measuring.conform(names or [], operators or [], is_shipped, write, as_json, html)
