"""Findings: notes, losses and refusals of a conversion about a tensor or a node."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from wherry.errors import ConversionError


class Effect(StrEnum):
    """The effect of a finding on the results."""

    NOTE = "note"
    """All results stay the same."""
    LOSS = "loss"
    """Some inputs give another answer, or an error instead of one; written only if losses are allowed."""
    REFUSED = "refused"
    """The dialect cannot express the node, not even by nearest rules."""


@dataclass(frozen=True)
class Finding:
    """One thing that a conversion has to tell: who it is about, which rule, and what changes."""

    effect: Effect
    subject: str
    """The node with its dialect and version (`ONNX Gather-13 'take'`), or the tensor."""
    rule: str
    """The field, or what it is about: `out_of_range`, `element type`, `sizes` ..."""
    message: str
    nodes: int = 1
    """How many nodes it is about."""

    def __str__(self) -> str:
        return f"{self.effect}: {self.subject}: {self.message}"


_NAMES_TOLD = 3


def in_the_way(findings: Iterable[Finding]) -> int:
    """Return of how many nodes there is more to tell than notes."""
    return sum(finding.nodes for finding in findings if finding.effect is not Effect.NOTE)


def refusal(findings: Sequence[Finding], dialect: str, sizes_of: Sequence[str] = ()) -> ConversionError:
    """Return the one error that lists everything in the way of a conversion.

    `sizes_of` are the inputs whose sizes are open, where known ones would help.
    """
    listed = [finding for finding in findings if finding.effect is not Effect.NOTE]
    losses = sum(finding.effect is Effect.LOSS for finding in listed)
    advice = ""
    if losses:
        which = "all" if losses == len(listed) else f"{losses} of them"
        advice = f"; {which} can be written near enough with allow_loss=True (wherry convert: --allow-loss)"
    if sizes_of:
        names = ", ".join(map(repr, sizes_of[:_NAMES_TOLD])) + (" ..." if len(sizes_of) > _NAMES_TOLD else "")
        advice += (
            f"; there are fewer where the sizes of {names} are known: sizes={{...}} (wherry convert: --sizes NAME=2x3)"
        )
    lines = "".join(f"\n  {finding}" for finding in listed)
    things = "1 thing" if len(listed) == 1 else f"{len(listed)} things"
    return ConversionError(f"{dialect} cannot say {things} of this model{advice}:{lines}", None, findings)
