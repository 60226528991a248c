"""How arrays, models and layouts are printed; colour only on a terminal."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from wherry.errors import WherryError
from wherry.graph import Graph
from wherry.layout import Layout
from wherry.models.listing import Listing
from wherry.models.model import Model
from wherry.tensors import TensorType

_WIDEST = 40
"""The most columns to which names are filled up; longer ones push what follows."""

_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


def console() -> Console:
    """Return a console on stdout that colours a terminal only and keeps long lines whole elsewhere."""
    found = Console(highlight=False, emoji=False)
    return found if found.is_terminal else Console(highlight=False, emoji=False, width=200, no_color=True)


def escaped(text: str) -> str:
    """Return text from outside so that rich does not read it as markup, nor a terminal as commands."""
    return escape(_visible(text))


def plain(to: Console, text: str) -> None:
    """Print text from outside as it is: no markup, colours or wrapping, which take long for large models."""
    to.file.write(f"{_visible(text)}\n")


def _visible(text: str) -> str:
    """Return text whose control characters but line ends are spelt out."""
    return text.translate(_SPELT)


_SPELT = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) != "\n"}


def nbytes(count: int) -> str:
    """Return a number of bytes in words.

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


def model(to: Console, name: str, loaded: Model) -> None:
    """Print a model: its inputs and outputs, its graph with all rules, its plan and the bytes it moves."""
    to.print(f"[bold]{escaped(name)}[/] ({loaded.dialect})")
    ends = (("input", loaded.inputs), ("output", loaded.outputs))
    rows = [(kind, tensor, str(declared)) for kind, tensors in ends for tensor, declared in tensors.items()]
    width = min(_WIDEST, max((len(tensor) for _, tensor, _ in rows), default=0))
    plain(to, "\n".join(f"{kind:6}  {tensor:{width}}  {declared}" for kind, tensor, declared in rows))
    to.print()
    if isinstance(loaded.graph, Graph) and loaded.graph.opaque:
        plain(to, str(Listing.of(loaded.graph)))
        return
    plain(to, str(loaded.graph))
    to.print()
    try:
        plan = loaded.plan
    except WherryError as error:
        plain(to, f"no plan yet: {error}")
        return
    plain(to, str(plan))
    to.print(f"  one run writes {nbytes(loaded.bytes_moved)}")


def layout(to: Console, drawn: Layout, dtype: str) -> None:
    """Print a layout: its facts in a table, then its picture."""
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
