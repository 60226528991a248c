"""How arrays, models and layouts are printed; colour only on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from itertools import islice
from threading import Timer
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from wherry.conversion.findings import Finding
from wherry.errors import WherryError, invalid, short
from wherry.layout import Layout
from wherry.models.listing import Entry, Movement
from wherry.models.summary import Count, Summary, rules_of
from wherry.tensors import TensorType

LINES, COLUMNS = 60, 120
"""The size of a screen in lines and columns."""

_SHOWN, _SHOWN_UNKNOWN, _COUNT_LINES = 8, 4, 3
"""The most inputs, outputs and largest nodes on a screen; nodes of unknown sizes; lines of counts."""

_FORMATS = {"onnx": "ONNX", "openvino": "OpenVINO IR", "directml": "DxDispatch", "webnn": "WebNN graph"}

_WIDEST = 40
"""Names are padded to at most this many columns."""

_NAMED = 3
"""The most nodes that a note names."""

_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


def console() -> Console:
    """Return a console on stdout that colours a terminal only and keeps long lines whole elsewhere."""
    found = Console(highlight=False, emoji=False)
    return found if found.is_terminal else Console(highlight=False, emoji=False, width=200, no_color=True)


def escaped(text: str) -> str:
    """Return untrusted text without markup of rich and control characters of terminals."""
    return escape(_visible(text))


def plain(to: Console, text: str) -> None:
    """Print untrusted text without markup, colours or wrapping, which are slow for large models."""
    to.file.write(f"{_visible(text)}\n")


def _visible(text: str) -> str:
    """Return text with control characters (except line ends) and those of text direction as escapes."""
    return text.translate(_SPELT)


_SPELT = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) != "\n"}
_SPELT |= {code: f"\\u{code:04x}" for code in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))}


def nbytes(count: int) -> str:
    """Return a number of bytes with its unit.

    >>> nbytes(512), nbytes(3 * 2**20)
    ('512 bytes', '3.0 MiB')
    """
    size, unit = float(count), 0
    while size >= 1024 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    return f"{count} bytes" if unit == 0 else f"{size:.1f} {_UNITS[unit]}"


def array(to: Console, name: str, value: np.ndarray[Any, Any]) -> None:
    """Print an array under its name and type."""
    to.print(f"[bold]{escaped(name)}[/]: {escaped(str(TensorType.of(value)))}")
    plain(to, np.array2string(value, threshold=200, max_line_width=100))


def summary(to: Console, found: Summary) -> None:
    """Print the summary of a model: at most LINES lines of COLUMNS columns."""
    model, listing = found.model, found.listing
    about = [_FORMATS.get(model.dialect, model.dialect), *(str(model.about[key]) for key in ("version", "producer")
             if key in model.about)]  # fmt: skip
    size = f", {nbytes(int(model.about['bytes']))}" if "bytes" in model.about else ""
    _line(to, f"{model.about.get('file', model.dialect)}: {', '.join(about)}{size}")
    for kind, tensors in (("input", model.inputs), ("output", model.outputs)):
        _tensors(to, kind, tensors)
    moving, computing = len(listing.movements), found.computing
    _line(to, "")
    refused = f", {len(listing.refused)} of them refused" if listing.refused else ""
    does = f"{moving - computing} move data, {computing} compute, {len(listing.passed)} do neither"
    if not computing:
        does = f"{moving} move data, {len(listing.passed)} do not"
    _line(to, f"{_many(len(listing.entries), 'node')}: {does}{refused}")
    _counts(to, "moving", [count for count in found.counts if count.moves and not count.computes])
    _counts(to, "compute", [count for count in found.counts if count.computes])
    _counts(to, "other", [count for count in found.counts if not count.moves])
    if moving:
        _line(to, f"moved   {nbytes(found.moved)} if each node runs once; {nbytes(found.viewed)} more lie in views")
    if found.largest:
        _line(to, "largest")
        for movement in found.largest[:_SHOWN]:
            _line(to, f"  {nbytes(movement.nbytes or 0):>10}  {_made(movement)}")
        _more(to, len(found.largest), "that move data")
    if found.unknown:
        _line(to, f"unknown sizes: {_many(len(found.unknown), 'moving node')}")
        for movement in found.unknown[:_SHOWN_UNKNOWN]:
            _line(to, f"  {_made(movement)}")
        _more(to, len(found.unknown), "", _SHOWN_UNKNOWN)
        _settling(to, found)
    for note in model.findings[:_SHOWN_UNKNOWN]:
        _line(to, f"note: {note}")
    _line(to, "")
    _line(to, "more: --nodes (all of them, with every rule), --node NAME, --json, --html FILE")


def _line(to: Console, text: str) -> None:
    """Print one line of untrusted text, cut to the columns of a screen."""
    shown = _visible(text.replace("\n", " "))
    plain(to, shown if len(shown) <= COLUMNS else f"{shown[: COLUMNS - 4]} ...")


def _made(movement: Movement) -> str:
    """Return operator, outputs and name of a node; the name last, because it may be long."""
    return f"{movement.versioned} -> {', '.join(map(str, movement.outputs))}  {movement.node.label}"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _more(to: Console, count: int, what: str, shown: int = _SHOWN) -> None:
    if count > shown:
        _line(to, f"  ... and {count - shown:,} more {what}".rstrip())


def _tensors(to: Console, kind: str, tensors: Mapping[str, TensorType]) -> None:
    shown = list(islice(tensors.items(), _SHOWN))
    width = min(_WIDEST, max((len(_visible(name)) for name, _ in shown), default=0))
    for name, declared in shown:
        _line(to, f"{kind:7} {_visible(name):{width}}  {declared}")
    _more(to, len(tensors), f"{kind}s")


def _counts(to: Console, kind: str, counts: list[Count]) -> None:
    """Print operators with their counts in at most three lines."""
    lines = [f"{kind:7}"]
    for number, count in enumerate(counts):
        word = f" {count.nodes:,} {count.operator}" + ("," if number < len(counts) - 1 else "")
        if len(lines[-1]) + len(word) > COLUMNS - 20:
            if len(lines) == _COUNT_LINES:
                lines[-1] += f" and {len(counts) - number} others"
                break
            lines.append(" " * 7)
        lines[-1] += word
    if counts:
        for line in lines:
            _line(to, line)


def _settling(to: Console, found: Summary) -> None:
    """Print which sizes of inputs are open, as unknown sizes usually depend on them."""
    options = [f"--sizes {name}={_sizes(declared)}" for name, declared in found.open_inputs.items()]
    if options:
        _line(to, f"  settled by numbers for ?: {' '.join(options[:_SHOWN_UNKNOWN])}")
    else:
        _line(to, "  they follow from values that are known at run")


def _sizes(declared: TensorType) -> str:
    if declared.sizes is None:
        return "?"
    return "x".join("?" if not isinstance(size, int) else str(size) for size in declared.sizes)


def part(to: Console, name: str, found: Summary) -> None:
    """Print one line about a part of a model: its nodes and its bytes."""
    operators = ", ".join(f"{count.nodes} {count.operator}" for count in found.counts)
    unknown = f", {len(found.unknown)} of unknown sizes" if found.unknown else ""
    _line(to, f"{name}: {operators}; {nbytes(found.moved)} moved, {nbytes(found.viewed)} in views{unknown}")


def nodes(to: Console, found: Summary) -> None:
    """Print every node with all rules, and the plan if wherry runs all nodes of the model."""
    if found.listing.passed:
        plain(to, str(found.listing))
        return
    plain(to, str(found.model.graph))
    to.print()
    try:
        plan = found.model.plan
    except WherryError as error:
        plain(to, f"no plan yet: {error}")
        return
    plain(to, str(plan))
    to.print(f"  one run writes {nbytes(found.model.bytes_moved)}")


def node(to: Console, found: Summary, name: str) -> None:
    """Print the nodes with this name or an output of this name. Raises InvalidValueError if there are none."""
    matching = [entry for entry in found.listing.entries if name in (entry.node.name, *entry.node.outputs)]
    if not matching:
        labels = [entry.node.label for entry in found.listing.entries]
        near = get_close_matches(name, labels, n=5)
        raise invalid("--node", short(name), ", ".join(map(repr, near)) or "the names of nodes or of what they make")
    for entry in matching:
        _node(to, entry)


def _node(to: Console, entry: Entry) -> None:
    plain(to, f"{entry.versioned} {entry.node.label}")
    facts: list[tuple[str, object]] = [("in", " / ".join(entry.place))] if entry.place else []
    sides = (("reads", entry.node.inputs, entry.inputs), ("makes", entry.node.outputs, entry.outputs))
    facts += [
        (side, f"{name}: {kind}") for side, names, kinds in sides for name, kind in zip(names, kinds, strict=True)
    ]
    if isinstance(entry, Movement):
        facts += [("bytes", entry.cost), *((f"rule {rule}", value) for rule, value in rules_of(entry).items())]
        facts += [(f"view of input {source}", layout) for source, layout in entry.layouts or ()]
    else:
        facts.append(("moves", "nothing that wherry knows of"))
    for fact, value in facts:
        plain(to, f"  {fact:24} {value}")


def result(to: Console, name: str, value: Any) -> None:
    """Print an output under its name: an array, or another object of a runtime."""
    if isinstance(value, np.ndarray):
        array(to, name, value)
    else:
        to.print(f"[bold]{escaped(name)}[/]: a {type(value).__name__}")
        plain(to, short(value))


@contextmanager
def progress(to: Console, name: str, after: float = 0.5) -> Iterator[None]:
    """Show a spinner with the elapsed time on a terminal, after `after` seconds."""
    if not to.is_terminal:
        yield
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    bar = Progress(SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), console=to, transient=True)
    bar.add_task(escaped(f"running {name}"), total=None)
    timer = Timer(after, bar.start)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


def notes(to: Console, findings: Iterable[Finding]) -> None:
    """Print the findings of a run, equal ones once with their nodes."""
    subjects: dict[tuple[str, str], list[str]] = {}
    for finding in findings:
        subjects.setdefault((finding.effect, finding.message), []).append(finding.subject)
    for (effect, message), about in subjects.items():
        others = f" and {len(about) - _NAMED} more" if len(about) > _NAMED else ""
        plain(to, f"{effect}: {', '.join(about[:_NAMED])}{others}: {message}")


def layout(to: Console, drawn: Layout, dtype: str) -> None:
    """Print a layout: a table of its properties, then its diagram."""
    words = ("packed", "padded", "broadcast", "overlapping")
    kinds = [word for word in words if getattr(drawn, f"is_{word}")]
    facts = {
        "sizes": list(drawn.sizes),
        "strides": f"{list(drawn.strides)} elements",
        "offset": f"{drawn.offset} elements",
        "extent": f"{drawn.extent} elements, {drawn.size} of them logical",
        "kind": ", ".join(kinds) or "permuted",
        "buffer": f"{drawn.nbytes(dtype, align=1)} bytes of {dtype}, {drawn.nbytes(dtype)} as DirectML counts",
    }
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold")
    table.add_column()
    for fact, value in facts.items():
        table.add_row(fact, escape(str(value)))
    to.print(table)
    to.print()
    try:
        to.print(escape(drawn.diagram()), soft_wrap=True)
    except WherryError as error:
        to.print(f"too large to draw: {escape(str(error))}")
