"""Finding: two rules that differ at a node, an example with both results, the severity, and advice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from wherry.errors import invalid


class Severity(StrEnum):
    """How bad it is, the worst first."""

    UNSAFE = "unsafe"
    """The target is known to crash there, or to read or write memory that is not the model's."""
    REFUSED = "refused"
    """The target does not take the node."""
    DIFFERS = "differs"
    """The target gives another answer, whatever the inputs are, or for constants that are in the model."""
    NARROWED = "narrowed"
    """Numbers are held in a type that has fewer: those that do not fit change."""
    MAYBE = "maybe"
    """The target gives another answer, or refuses, where `when` comes true at a run."""

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Severity).index(self)


def level_of(field: str, value: object) -> Severity:
    """Return the severity of a name. Raises InvalidValueError for any other value."""
    if not isinstance(value, str) or value not in list(Severity):
        raise invalid(field, value, ", ".join(Severity))
    return Severity(value)


@dataclass(frozen=True)
class Side:
    """The behaviour of one side as text, and its source: a section of a specification, or a link."""

    words: str
    source: str


@dataclass(frozen=True)
class Finding:
    """One difference between a node and its form on a target; docs/check.md has the members."""

    severity: Severity
    node: str
    """The node's name, or that of its first output."""
    operator: str
    """With its version, as its dialect calls it: `Gather-13`."""
    target: str
    version: str
    name: str
    """The rule or known difference, the same for all nodes with it: `out_of_range`, `no kernel for Pad-1`."""
    rule: Side
    """The rule of the model's own specification."""
    other_rule: Side
    """The behaviour of the target."""
    when: str
    """The condition on a run; empty if there is none."""
    example: Mapping[str, Any] = field(compare=False)
    """A node and inputs that separate the two; see docs/check.md."""
    witness: Mapping[str, Any] = field(compare=False)
    """Both results of the example, and their origin: `computed`, `measured` or `documented`."""
    advice: str
    place: tuple[str, ...] = ()
    """The names of the graphs around the node, outermost first; none for that of the model."""

    @property
    def group(self) -> tuple[int, str, str, str, str]:
        """The key of findings of one rule; more severe ones sort first."""
        return (self.severity.rank, self.target, self.version, self.name, self.other_rule.words)

    def as_json(self) -> dict[str, Any]:
        """Return the finding as what `json.dumps` takes."""
        return {**asdict(self), "severity": str(self.severity), "place": list(self.place)}
