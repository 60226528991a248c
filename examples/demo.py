"""The main job: one Gather through three dialects side by side, then a picture's planes, then a word lookup."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from make_examples import INDICES, SENTENCE, TABLE
from rich.console import Console
from rich.table import Table

import wherry as wh
from wherry.dialects.directml.schema import SCHEMA as DIRECTML
from wherry.dialects.onnx.table import find_row
from wherry.dialects.openvino.table import in_opset

HERE = Path(__file__).parent


def outcome(path: Path) -> tuple[str, str]:
    """Return what the model's Gather gives, and the rule fields that made it so."""
    model = wh.load(path)
    graph = model.graph if model.dialect != "directml" else model.graph[0]
    rule = graph.nodes[0].operator
    fields = f"out_of_range={rule.out_of_range}\nnegative={rule.negative}"
    try:
        (result,) = model.run({}).values()
    except wh.errors.WherryError as error:
        return f"refused: {error}", fields
    return str(result.tolist()), fields


def one_gather_in_three_dialects(console: Console) -> None:
    """Print the same table and indices by each dialect's rule."""
    directml = DIRECTML["GATHER"]
    rules = {
        "table.onnx": find_row("Gather", 13),
        "table.xml": in_opset("Gather", 8),
        "table.json": max(directml.rows, key=lambda row: row.since),
    }
    table = Table(title=f"table {TABLE.tolist()}, indices {INDICES.tolist()}", title_justify="left", show_lines=True)
    for heading in ("file", "result", "fields", "the rule it follows"):
        table.add_column(heading, overflow="fold")
    for name, row in rules.items():
        result, fields = outcome(HERE / name)
        table.add_row(name, result, fields, f"{row.rule}\n({row.source})")
    console.print(table)


def planes_of_a_picture(console: Console) -> None:
    """Take a picture in NHWC memory apart into planes and join them as NCHW, as DirectML does it, and by views."""
    rgb = np.load(HERE / "picture.npy")
    height, width, _ = rgb.shape
    results = wh.load(HERE / "picture.json").run({})
    nhwc = wh.Layout.ordered((1, 3, height, width), "NHWC").view(rgb, "uint8")
    planes = wh.split(nhwc, 3, axis=1)
    joined = wh.concat(planes, axis=1)
    same = joined.tobytes() == results["nchw"].tobytes()
    console.print(f"\npicture.json: {height} x {width} pixels, SPLIT from NHWC memory, JOIN to NCHW;", end=" ")
    console.print("wh.split and wh.concat give the same bytes" if same else "[red]wh.split and wh.concat differ[/]")
    if console.is_terminal:
        for row in rgb:
            console.print("".join(f"[on rgb({r},{g},{b})]  [/]" for r, g, b in row))
    for name, plane in zip(("red", "green", "blue"), planes, strict=True):
        console.print(f"  {name:5} plane, strides {plane.strides}: mean {plane.mean():.1f}")
    if not same:
        raise SystemExit(1)


def lookup_of_words(console: Console) -> None:
    """Look up the words of a sentence in an embedding table."""
    model = wh.load(HERE / "lookup.onnx")
    words = sorted(set(SENTENCE.split()))
    numbers = np.array([words.index(word) for word in SENTENCE.split()])
    results = model.run({"numbers": numbers})
    console.print(f"\nlookup.onnx: {SENTENCE!r}")
    for word, vector in zip(results["word"], results["vector"], strict=True):
        console.print(f"  {word:8} {vector}")


if __name__ == "__main__":
    terminal = Console(highlight=False)
    console = terminal if terminal.is_terminal else Console(highlight=False, width=120)
    one_gather_in_three_dialects(console)
    planes_of_a_picture(console)
    lookup_of_words(console)
