"""Summary: the facts that `wherry info` prints, draws and writes as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from wherry.garbage import uncollected
from wherry.graph import Deferred
from wherry.layout import Layout
from wherry.models.listing import Entry, Listing, Movement
from wherry.models.model import Model
from wherry.tensors import TensorType


@dataclass(frozen=True)
class Count:
    """How many nodes a model has of one operator, and the bytes that they make where all sizes are known."""

    operator: str
    nodes: int
    moves: bool
    computes: bool
    """Whether those that move data make elements of others."""
    nbytes: int
    unknown: int
    """The nodes that move data and whose sizes are not known."""


@dataclass(frozen=True)
class Summary:
    """A model at a glance; `listing` has every node."""

    model: Model
    listing: Listing

    @classmethod
    def of(cls, model: Model) -> Summary:
        """Summarise a model of any dialect."""
        with uncollected():
            return cls(model, Listing.of_all(model.graphs))

    @cached_property
    def counts(self) -> list[Count]:
        """The operators, most frequent first."""
        groups: dict[tuple[str, bool, bool], list[Entry]] = {}
        for entry in self.listing.entries:
            moves = isinstance(entry, Movement)
            groups.setdefault((entry.operator, moves, isinstance(entry, Movement) and entry.computes), []).append(entry)
        counts = [_count(*group, entries) for group, entries in groups.items()]
        return sorted(counts, key=lambda count: (-count.nodes, count.operator))

    @property
    def computing(self) -> int:
        """How many of the nodes that move data make elements of others."""
        return sum(count.nodes for count in self.counts if count.computes)

    @cached_property
    def moved(self) -> int:
        """The bytes that the nodes of known sizes make, without views."""
        return sum(one.nbytes or 0 for one in self.listing.movements if not one.is_view)

    @cached_property
    def viewed(self) -> int:
        """The bytes of views, which no node moves."""
        return sum(one.nbytes or 0 for one in self.listing.movements if one.is_view)

    @cached_property
    def unknown(self) -> list[Movement]:
        """The nodes that move data and make tensors of unknown sizes."""
        return [one for one in self.listing.movements if one.nbytes is None]

    @cached_property
    def largest(self) -> list[Movement]:
        """The nodes that move data, those of the most bytes first; views and unknown sizes are left out."""
        movers = [one for one in self.listing.movements if one.nbytes and not one.is_view]
        return sorted(movers, key=lambda one: -(one.nbytes or 0))

    @property
    def open_inputs(self) -> dict[str, TensorType]:
        """The inputs whose sizes the file leaves open: `sizes` of `wherry.load` fixes them."""
        return {name: declared for name, declared in self.model.inputs.items() if not declared.is_known}

    def as_json(self) -> dict[str, Any]:
        """Return the summary with every movement node as what `json.dumps` takes; docs/info.md has the members."""
        return {name: list(value) if isinstance(value, Iterator) else value for name, value in self.members().items()}

    def json_lines(self) -> Iterator[str]:
        """Yield what `as_json` returns as the lines of a document, of which one holds a node: no more is held at once.

        >>> from wherry.formats import load
        >>> lines = Summary.of(load("examples/table.onnx")).json_lines()
        >>> [member for member in json.loads("".join(lines))][:4]
        ['model', 'inputs', 'outputs', 'nodes']
        """
        opening = "{"
        for name, value in self.members().items():
            yield f"{opening}\n{json.dumps(name)}: "
            opening = ","
            if not isinstance(value, Iterator):
                yield json.dumps(value, indent=2)
                continue
            yield "["
            for number, node in enumerate(value):
                yield f"{',' if number else ''}\n  {json.dumps(node)}"
            yield "\n]"
        yield "\n}\n"

    def members(self) -> dict[str, Any]:
        """Return the members of the document; those that have an entry for each node are iterators."""
        moving = self.listing.movements
        return {
            "model": {"dialect": self.model.dialect, **self.model.about},
            "inputs": _tensors(self.model.inputs),
            "outputs": _tensors(self.model.outputs),
            "nodes": {
                "count": len(self.listing.entries),
                "moving": len(moving),
                "computing": self.computing,
                "refused": len(self.listing.refused),
                "unknown_sizes": len(self.unknown),
            },
            "bytes": {"moved": self.moved, "in_views": self.viewed},
            "operators": [
                {"operator": count.operator, "nodes": count.nodes, "moves_data": count.moves}
                | ({"computes": count.computes} if count.moves else {})
                | ({"bytes": count.nbytes, "unknown_sizes": count.unknown} if count.moves else {})
                for count in self.counts
            ],
            "open_inputs": list(self.open_inputs),
            "movement": map(movement_as_json, moving),
            "refused": (
                {"place": list(place), "node": node.label, "why": str(node.operator)}
                for place, node in self.listing.refused
            ),
        }


def _count(operator: str, moves: bool, computes: bool, entries: Iterable[Entry]) -> Count:
    entries = list(entries)
    sizes = [entry.nbytes for entry in entries if isinstance(entry, Movement)]
    return Count(operator, len(entries), moves, computes, sum(size or 0 for size in sizes), sizes.count(None))


def movement_as_json(movement: Movement) -> dict[str, Any]:
    """Return a node that moves data as what `json.dumps` takes."""
    node = movement.node
    return {
        "place": list(movement.place),
        "node": node.label,
        "operator": movement.versioned,
        "rules": rules_of(movement),
        "inputs": _tensors(dict(zip(node.inputs, movement.inputs, strict=True))),
        "outputs": _tensors(dict(zip(node.outputs, movement.outputs, strict=True))),
        "bytes": movement.nbytes,
        "is_view": movement.is_view,
        "layouts": [
            {"output": name, "of_input": source, **_layout(layout)}
            for name, (source, layout) in zip(node.outputs, movement.layouts or (), strict=False)
        ],
    }


def rules_of(movement: Movement) -> dict[str, str]:
    """Return the fields of a node's operator, by name, in words; those that are values of inputs say which."""
    operator = movement.node.operator
    if not isinstance(operator, Deferred):
        return {field.name: _words(getattr(operator, field.name)) for field in fields(operator)}
    known = {name: _words(value) for name, value in operator.fields}
    inputs = movement.node.inputs
    return known | {name: f"values of {inputs[position]}" for name, position in operator.from_inputs}


def _words(value: object) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."


_LONGEST = 400
"""The most characters of one rule: a large constant is no rule to be read."""


def _tensors(tensors: Mapping[str, TensorType]) -> list[dict[str, Any]]:
    return [
        {"name": name, "type": _type_name(declared), "sizes": None if declared.sizes is None else list(declared.sizes)}
        for name, declared in tensors.items()
    ]


def _type_name(declared: TensorType) -> str:
    return getattr(declared.dtype, "name", None) or str(declared.dtype)


def _layout(layout: Layout) -> dict[str, Any]:
    return {"sizes": list(layout.sizes), "strides": list(layout.strides), "offset": layout.offset}
