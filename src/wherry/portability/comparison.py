"""Comparison: the result of `wherry compare`, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from wherry.errors import cut, listed
from wherry.portability.equality import Difference
from wherry.portability.finding import Finding


class Verdict(StrEnum):
    """The verdict of a comparison."""

    AGREE = "agree"
    """Both answer, and the outputs are the same."""
    BY_ITSELF = "parts by itself"
    """A node's outputs differ on the same inputs."""
    CARRIES = "carries on a difference"
    """A node's outputs differ because its inputs do, by less than the tolerance."""
    TOGETHER = "parts together with others"
    """A node's outputs differ on the same inputs, but not when it runs alone: a runtime fuses it with neighbours."""
    NEITHER = "neither answers"
    """Both refuse, crash or hang at the same node: there is nothing to compare."""


_MEANS = {
    Verdict.BY_ITSELF: "given the same inputs, the node parts by itself",
    Verdict.CARRIES: "given the same inputs, the node does not part: it carries on a difference within the tolerance",
    Verdict.TOGETHER: "its inputs are the same, and alone it does not part: only together with the nodes before it",
    Verdict.NEITHER: "neither runtime answers this node",
}


@dataclass(frozen=True)
class Ran:
    """A runtime, and its outcome for the model, or for the node that differs."""

    runtime: str
    version: str
    does: str
    """`answers`, `refuses`, `crashes` or `hangs`."""
    words: str = ""


@dataclass(frozen=True)
class Parting:
    """The first node whose outputs differ."""

    name: str
    operator: str
    number: int
    """Its number in the file's order, from 1."""
    of: int
    moves: bool
    """Whether it moves data, so that its outputs are compared bit by bit."""


@dataclass(frozen=True)
class Comparison:
    """The comparison of two runtimes on one model and the same inputs; docs/compare.md has the members."""

    model: str
    verdict: Verdict
    runtimes: tuple[Ran, Ran]
    outputs: tuple[dict[str, str], ...]
    """The model's outputs, each with `tensor` and `how` it was compared."""
    runs: int
    """How often a model was run, on both runtimes together."""
    node: Parting | None = None
    differences: tuple[Difference, ...] = ()
    before: float = 0.0
    """The largest difference of the tensors before the node."""
    findings: tuple[Finding, ...] = field(default=())
    """The findings of `wherry.check` for the node, these runtimes and inputs."""
    carried: tuple[str, ...] = ()
    """The nodes before it that only propagate differences within the tolerance."""

    @property
    def parts(self) -> bool:
        """Whether the runtimes differ."""
        return self.verdict not in (Verdict.AGREE, Verdict.NEITHER)

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as what `json.dumps` takes."""
        return {
            "model": self.model,
            "verdict": str(self.verdict),
            "parts": self.parts,
            "runtimes": [asdict(one) for one in self.runtimes],
            "outputs": list(self.outputs),
            "runs": self.runs,
            "node": None if self.node is None else asdict(self.node),
            "differences": [one.as_json() for one in self.differences],
            "before": self.before,
            "findings": [one.as_json() for one in self.findings],
            "carried": list(self.carried),
        }

    def __str__(self) -> str:
        return "\n".join(lines(self))


def lines(found: Comparison) -> Iterator[str]:
    """Yield the lines of a comparison; names from the model are not escaped."""
    first, second = (f"{one.runtime} {one.version}" for one in found.runtimes)
    if found.node is None:
        yield f"{found.model}: {first} and {second} agree"
        yield from (f"  {one['tensor']}: the same by {one['how']}" for one in found.outputs)
        return
    node = found.node
    does = "fail" if found.verdict is Verdict.NEITHER else "part"
    yield f"{found.model}: {first} and {second} {does} at node {node.number} of {node.of}: {node.operator} {node.name}"
    yield f"  {_MEANS[found.verdict]}"
    for one in found.runtimes:
        yield f"  {one.runtime:16} {one.does}" + (f": {cut(one.words)}" if one.words else "")
    for parting in found.differences:
        yield from _difference(parting, found.runtimes)
    if found.before:
        yield f"  the tensors before it part by {found.before:.3g} at most"
    if found.carried:
        yield f"  before it part, as they only carry on a difference: {listed(found.carried)}"
    for finding in found.findings:
        yield f"  {finding.severity}: {finding.target} {finding.version}".rstrip() + f": {finding.name}"
        yield f"    model  {finding.rule.words} [{finding.rule.source}]"
        yield f"    there  {finding.other_rule.words} [{finding.other_rule.source}]"
        yield f"    do     {finding.advice}"
    yield f"  found in {found.runs} runs"


def _difference(parting: Difference, runtimes: tuple[Ran, Ran]) -> Iterator[str]:
    if parting.values is None:
        first, second = (one.runtime for one in runtimes)
        yield f"  {parting.tensor}: {first} gives {parting.types[0]}, {second} {parting.types[1]}"
        return
    at = ", ".join(map(str, parting.coordinate or ()))
    yield (f"  {parting.tensor}: {parting.count} of {parting.of} elements part by {parting.how}, the first at [{at}]: "
           f"{parting.values[0]} and {parting.values[1]}")  # fmt: skip
