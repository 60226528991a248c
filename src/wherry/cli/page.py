"""The HTML page of a model's graph: a row per node, and lanes for tensors from producer to last reader."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import resources
from itertools import chain
from typing import Any

from wherry.graph import Opaque
from wherry.models.listing import Entry, Movement
from wherry.models.summary import Summary, movement_as_json
from wherry.tensors import TensorType

MOST_LANES = 32
"""Further tensors share the last lane."""


def draw(found: Summary) -> str:
    """Return the page: all nodes of the model as data, which a script draws."""
    title = str(found.model.about.get("file", found.model.dialect))
    facts = found.members()
    about = {key: facts[key] for key in ("model", "nodes", "bytes", "operators")}
    data = f'{{"title":{as_data(title)},"about":{as_data(about)},"rows":[{",".join(map(as_data, _rows(found)))}]}}'
    return framed("page", data)


def framed(name: str, data: str) -> str:
    """Return a page of the files `name`.html, .css and .js over some data; nothing is loaded from elsewhere.

    Texts from outside are data of the script, which shows them as text only; no other script may run.
    """
    parts = {kind: resources.files(__package__).joinpath(f"{name}.{kind}").read_text("utf-8") for kind in ("css", "js")}
    frame = resources.files(__package__).joinpath(f"{name}.html").read_text("utf-8")
    policy = f"default-src 'none'; style-src {_hash(parts['css'])}; script-src {_hash(parts['js'])}"
    for mark, text in (("POLICY", policy), ("STYLE", parts["css"]), ("SCRIPT", parts["js"]), ("DATA", data)):
        frame = frame.replace(f"@{mark}@", text, 1)
    return frame


def _hash(text: str) -> str:
    """Return the source of a content security policy that allows just this text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def as_data(value: object) -> str:
    """Return data as text of a script's element, which ends at the first `</`."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _rows(found: Summary) -> Iterator[dict[str, Any]]:
    """Yield the rows one at a time: together those of a large model take half a gigabyte."""
    inputs, entries, outputs = found.model.inputs, found.listing.entries, found.model.outputs
    lanes = _Lanes()
    for name in inputs:
        lanes.add((), [], [name])
    for entry in entries:
        lanes.add(entry.place, entry.node.inputs, entry.node.outputs)
    for name in outputs:
        lanes.add((), [name], [])
    rows = chain(
        (_end("input", name, declared) for name, declared in inputs.items()),
        map(_row, entries),
        (_end("output", name, declared) for name, declared in outputs.items()),
    )
    return (row | place for row, place in zip(rows, lanes.places(), strict=True))


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
    """The rows that produce what a row reads, and its own last reader."""

    sources: list[int]
    last_reader: int = -1


@dataclass
class _Lanes:
    """Lanes for tensors, from the row that produces them to the last that reads them, like a graph of commits.

    A name is looked up in the graph of the node, then in those around it.
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

    def places(self) -> Iterator[dict[str, Any]]:
        """Yield for each row its lane, the lanes that end in it, and those that pass it."""
        lane_of: dict[int, int] = {}
        taken: dict[int, int] = {}
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
            yield {"lane": free, "into": into, "passing": passing, "goes_on": row.last_reader > number}
