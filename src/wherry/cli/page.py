"""A page of HTML that draws a model's graph: one row a node, lanes beside them for the tensors on their way."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from wherry.graph import Opaque
from wherry.models.listing import Entry, Movement
from wherry.models.summary import Summary, movement_as_json
from wherry.tensors import TensorType

MOST_LANES = 32
"""Tensors beyond share the last lane."""


def draw(found: Summary) -> str:
    """Return the page: all of the model's nodes, drawn by a script of its own; nothing is loaded from elsewhere.

    Texts of the model are data of the script, which shows them as text only; no other script may run.
    """
    parts = {name: resources.files(__package__).joinpath(f"page.{name}").read_text("utf-8") for name in ("css", "js")}
    title = str(found.model.about.get("file", found.model.dialect))
    data = json.dumps(_data(found, title), separators=(",", ":"), ensure_ascii=True).replace("<", "\\u003c")
    frame = resources.files(__package__).joinpath("page.html").read_text("utf-8")
    policy = f"default-src 'none'; style-src {_hash(parts['css'])}; script-src {_hash(parts['js'])}"
    for mark, text in (("POLICY", policy), ("STYLE", parts["css"]), ("SCRIPT", parts["js"]), ("DATA", data)):
        frame = frame.replace(f"@{mark}@", text, 1)
    return frame


def _hash(text: str) -> str:
    """Return the source of a content security policy that allows just this text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _data(found: Summary, title: str) -> dict[str, Any]:
    facts = found.as_json()
    return {
        "title": title,
        "about": {key: facts[key] for key in ("model", "nodes", "bytes", "operators")},
        "rows": _rows(found),
    }


def _rows(found: Summary) -> list[dict[str, Any]]:
    lanes = _Lanes()
    rows = []
    for name, declared in found.model.inputs.items():
        rows.append(_end("input", name, declared))
        lanes.add((), [], [name])
    for entry in found.listing.entries:
        rows.append(_row(entry))
        lanes.add(entry.place, entry.node.inputs, entry.node.outputs)
    for name, declared in found.model.outputs.items():
        rows.append(_end("output", name, declared))
        lanes.add((), [name], [])
    return [row | place for row, place in zip(rows, lanes.places(), strict=True)]


def _end(kind: str, name: str, declared: TensorType) -> dict[str, Any]:
    return {"kind": kind, "operator": kind, "node": name, "outputs": [[name, str(declared)]]}


def _row(entry: Entry) -> dict[str, Any]:
    node = entry.node
    sides = {
        "inputs": [[name, str(kind)] for name, kind in zip(node.inputs, entry.inputs, strict=True)],
        "outputs": [[name, str(kind)] for name, kind in zip(node.outputs, entry.outputs, strict=True)],
    }
    row: dict[str, Any] = {"operator": entry.versioned, "node": node.label, "place": list(entry.place), **sides}
    if isinstance(entry, Movement):
        described = movement_as_json(entry)
        kind = "view" if entry.is_view else "moves"
        return row | {"kind": kind, **{key: described[key] for key in ("rules", "layouts", "bytes")}}
    why = node.operator.why if isinstance(node.operator, Opaque) else ""
    return row | ({"kind": "refused", "why": why} if why else {"kind": "other"})


@dataclass
class _Row:
    """What one row of the drawing reads: the rows above whose lanes end in it or go on."""

    sources: list[int]
    last_reader: int = -1


@dataclass
class _Lanes:
    """Lanes for tensors, from the row that makes them to the last that reads them, as histories of commits are drawn.

    A name is that of the graph around the node, or of one further out.
    """

    rows: list[_Row] = field(default_factory=list)
    makers: dict[tuple[tuple[str, ...], str], int] = field(default_factory=dict)

    def add(self, place: tuple[str, ...], reads: Sequence[str], makes: Sequence[str]) -> None:
        """Add a row below the others."""
        number = len(self.rows)
        found = dict.fromkeys(self._maker(place, name) for name in reads)
        sources = [source for source in found if source is not None]
        for source in sources:
            self.rows[source].last_reader = number
        self.rows.append(_Row(sources))
        self.makers.update(((place, name), number) for name in makes)

    def _maker(self, place: tuple[str, ...], name: str) -> int | None:
        for depth in range(len(place), -1, -1):
            found = self.makers.get((place[:depth], name))
            if found is not None:
                return found
        return None

    def places(self) -> list[dict[str, Any]]:
        """Return for each row its lane, the lanes that run into it, and those that pass it by."""
        lane_of: dict[int, int] = {}
        taken: dict[int, int] = {}
        drawn = []
        for number, row in enumerate(self.rows):
            into = [lane_of[source] for source in row.sources]
            for source in row.sources:
                if self.rows[source].last_reader == number and taken.get(lane_of[source]) == source:
                    del taken[lane_of[source]]
            passing = sorted(taken)
            wished = (*sorted(set(into)), *range(MOST_LANES - 1))
            free = next((lane for lane in wished if lane not in taken), MOST_LANES - 1)
            lane_of[number] = free
            if row.last_reader > number:
                taken[free] = number
            drawn.append({"lane": free, "into": into, "passing": passing, "goes_on": row.last_reader > number})
        return drawn
