"""Report: the findings of a check, grouped by rule and summed by target; as text and as JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Protocol

from wherry.errors import cut
from wherry.portability.finding import Finding, Severity, level_of

_OTHERS = 8
"""How many operators that are not judged are named."""

_NAMED = 4
"""How many nodes of a group are named."""


@dataclass(frozen=True)
class Group:
    """The findings of one rule at one target."""

    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """What stands for all of them."""
        return self.findings[0]

    @property
    def by_condition(self) -> dict[str, list[Finding]]:
        """The findings by what must come true at a run."""
        found: dict[str, list[Finding]] = {}
        for one in self.findings:
            found.setdefault(one.when, []).append(one)
        return found


@dataclass
class Report:
    """What parts a model from what targets make of it; the worst first."""

    model: str
    targets: Sequence[tuple[str, str]]
    findings: list[Finding] = field(default_factory=list)
    reached: list[dict[str, Any]] = field(default_factory=list)
    """What reached the indices of each node at a run on given inputs; docs/check.md has the members."""
    judged: int = 0
    """How many nodes move data or compute indices, and were judged."""
    passed: Counter[str] = field(default_factory=Counter)
    """How many nodes there are of each operator that is not judged."""
    left_out: Counter[tuple[tuple[str, str], str, str]] = field(default_factory=Counter)
    """How many nodes were not judged for one target: name and version, why, and the operator."""

    def pass_by(self, operator: str) -> None:
        """Count a node whose operator is not judged."""
        self.passed[operator] += 1

    def leave_out(self, target: tuple[str, str], why: str, operator: str) -> None:
        """Count a node that is not judged for a target."""
        self.left_out[target, why, operator] += 1

    @property
    def reasons(self) -> Iterator[tuple[tuple[tuple[str, str], str, str], int]]:
        """For each target, and each reason why nodes are not judged for it: their operators, and how many they are."""
        found: dict[tuple[tuple[str, str], str], Counter[str]] = {}
        for (target, why, operator), count in self.left_out.items():
            found.setdefault((target, why), Counter())[operator] += count
        for (target, why), counts in found.items():
            named = ", ".join(f"{count} {name}" for name, count in counts.most_common(_OTHERS))
            more = f" and {len(counts) - _OTHERS} other operators" if len(counts) > _OTHERS else ""
            yield (target, why, named + more), counts.total()

    def sort(self) -> None:
        """Put the worst first, and findings of one rule together."""
        self.findings.sort(key=lambda one: one.group)

    @property
    def groups(self) -> list[Group]:
        """The findings by rule, target and severity."""
        ordered = sorted(self.findings, key=lambda one: one.group)
        return [Group(tuple(ones)) for _, ones in groupby(ordered, key=lambda one: one.group)]

    @property
    def sums(self) -> dict[tuple[str, str], Counter[Severity]]:
        """For each target, and each runtime behind one, how many findings there are of each severity."""
        sums: dict[tuple[str, str], Counter[Severity]] = {target: Counter() for target in self.targets}
        for one in self.findings:
            sums.setdefault((one.target, one.version), Counter())[one.severity] += 1
        return sums

    def fails(self, level: str) -> bool:
        """Whether there is a finding of this severity or a worse one. Raises InvalidValueError for no severity."""
        worst = level_of("level", level).rank
        return any(one.severity.rank <= worst for one in self.findings)

    def as_json(self) -> dict[str, Any]:
        """Return the report as what `json.dumps` takes; docs/check.md has the members."""
        return {
            "model": self.model,
            "targets": [
                {"target": name, "version": version, **{str(level): counts[level] for level in Severity}}
                for (name, version), counts in self.sums.items()
            ],
            "nodes": {"judged": self.judged, "not_judged": sum(self.passed.values())},
            "not_judged": [{"operator": name, "nodes": count} for name, count in self.passed.most_common()],
            "not_judged_there": [
                {"target": name, "version": version, "operator": operator, "why": why, "nodes": count}
                for ((name, version), why, operator), count in self.left_out.items()
            ],
            "reached": self.reached,
            "findings": [one.as_json() for one in self.findings],
        }

    def __str__(self) -> str:
        return "\n".join(lines(self))


def lines(report: Report) -> Iterator[str]:
    """Yield the lines of a report; texts of the model stand there as they are."""
    yield f"{report.model}: {many(report.judged, 'node')} judged"
    yield from _sums(report)
    for group in report.groups:
        yield ""
        yield from _group(group)
    for one in report.reached:
        if one["outside"]:
            at = ", ".join(map(str, one["first_outside"]))
            yield ""
            yield f"reached {one['node']}: {one['outside']} of {one['indices']} indices outside, the first at [{at}]"
    yield ""
    yield from _not_judged(report)


def _sums(report: Report) -> Iterator[str]:
    for (name, version), counts in report.sums.items():
        found = ", ".join(f"{counts[level]} {level}" for level in Severity if counts[level])
        left = sum(count for (target, _, _), count in report.left_out.items() if target == (name, version))
        more = f"; {left} of {report.judged} nodes not judged" if left else ""
        yield f"  {f'{name} {version}'.rstrip():24} {found or 'nothing found'}{more}"


def _group(group: Group) -> Iterator[str]:
    first = group.first
    title = f"{first.target} {first.version}".rstrip()
    yield f"{first.severity}: {title}: {first.name}"
    yield f"  model    {first.rule.words} [{first.rule.source}]"
    yield f"  there    {first.other_rule.words} [{first.other_rule.source}]"
    for when, findings in group.by_condition.items():
        nodes = ", ".join(map(named, findings[:_NAMED]))
        more = f" and {len(findings) - _NAMED} more" if len(findings) > _NAMED else ""
        yield f"  {many(len(findings), 'node'):8} {nodes}{more}"
        if when:
            yield f"  if       {when}"
    if first.witness:
        yield f"  example  {_example(first.example)}"
        yield f"  {first.witness['source']:8} {_answer('the model', first.witness['rule'])}"
        yield f"           {_answer(first.target, first.witness['other_rule'])}"
    yield f"  do       {first.advice}"


class _Node(Protocol):
    """What is told of a node."""

    @property
    def operator(self) -> str:
        """The operator with its version."""

    @property
    def node(self) -> str:
        """The node's label."""

    @property
    def place(self) -> tuple[str, ...]:
        """The names of the graphs around it."""


def named(finding: _Node) -> str:
    """Return how a node is named: `in loop body: Gather-13 pick`."""
    place = f"in {' / '.join(finding.place)}: " if finding.place else ""
    return f"{place}{finding.operator} {finding.node}"


def _example(example: Mapping[str, Any]) -> str:
    more = example.get("fields") or example.get("attributes") or {}
    parts = [f"{key}={_short(value)}" for key, value in more.items()]
    inputs = [_tensor(one) for one in example.get("inputs", ())]
    breaks = f": {example['breaks']}" if example.get("breaks") else ""
    return f"{example['operator']}({', '.join(inputs + parts)}){breaks}"


def _tensor(tensor: Mapping[str, Any]) -> str:
    if "values" in tensor:
        return f"{tensor['type']} {_short(tensor['values'])}"
    return f"{tensor['type']}{list(tensor['sizes'])}" if "sizes" in tensor else str(tensor["type"])


def _answer(who: str, answer: Mapping[str, Any]) -> str:
    if isinstance(answer.get("gives"), list):
        return f"{who} gives {', '.join(map(_tensor, answer['gives']))}"
    ((what, words),) = answer.items()
    return f"{who} {what}" + (f": {cut(str(words))}" if words else "")


def _short(value: Any) -> str:
    return cut(_BITS.sub(r"NaN \1", json.dumps(value)))


_BITS = re.compile('"(0x[0-9A-F]+)"')
"""A NaN with its bits, as data has it."""


def _not_judged(report: Report) -> Iterator[str]:
    total = sum(report.passed.values())
    if total:
        named = [f"{count} {name}" for name, count in report.passed.most_common(_OTHERS)]
        more = f" and {many(len(report.passed) - _OTHERS, 'other')}" if len(report.passed) > _OTHERS else ""
        yield f"not judged: {many(total, 'node')} of operators that move no data: {', '.join(named)}{more}"
    alike: dict[tuple[str, str, int], list[str]] = {}
    for (target, why, operators), count in report.reasons:
        alike.setdefault((why, operators, count), []).append(" ".join(target).strip())
    for (why, operators, count), targets in alike.items():
        yield f"not judged for {', '.join(targets)}: {many(count, 'node')}, {why}: {operators}"


def many(count: int, what: str) -> str:
    """Return a count with what is counted: `1 node`, `2 nodes`."""
    return f"{count} {what}" + ("" if count == 1 else "s")
