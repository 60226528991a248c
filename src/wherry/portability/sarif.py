"""SARIF 2.1.0: the findings of a report for tools of code review."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from wherry import __version__
from wherry.portability.finding import Finding, Severity
from wherry.portability.report import Report

_LEVELS = {
    Severity.UNSAFE: "error",
    Severity.REFUSED: "error",
    Severity.DIFFERS: "error",
    Severity.NARROWED: "warning",
    Severity.MAYBE: "note",
}

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"


def as_sarif(report: Report) -> dict[str, Any]:
    """Return a report as a SARIF log of one run: a rule for each group of findings, a result for each finding."""
    rules = [_rule(number, group.first) for number, group in enumerate(report.groups)]
    results = [_result(report, number, one) for number, group in enumerate(report.groups) for one in group.findings]
    driver = {"name": "wherry check", "version": __version__, "rules": rules}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _name(one: Finding) -> str:
    return f"{one.target} {one.version}".rstrip() + f": {one.name}"


def _rule(number: int, one: Finding) -> dict[str, Any]:
    rule: dict[str, Any] = {
        "id": f"wherry/{one.target}/{one.name}/{number}",
        "name": one.name,
        "shortDescription": {"text": _name(one)},
        "fullDescription": {"text": f"{one.rule.words}; there: {one.other_rule.words}"},
        "help": {"text": one.advice},
        "properties": {"example": one.example, "witness": one.witness},
    }
    if one.other_rule.source.startswith("https://"):
        rule["helpUri"] = one.other_rule.source
    return rule


def _result(report: Report, number: int, one: Finding) -> dict[str, Any]:
    place = "/".join([*one.place, one.node])
    when = f" if {one.when}" if one.when else ""
    return {
        "ruleId": f"wherry/{one.target}/{one.name}/{number}",
        "ruleIndex": number,
        "level": _LEVELS[one.severity],
        "message": {"text": f"{one.operator}: {_name(one)}: {one.other_rule.words}{when}"},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": _uri(report.model)}},
                "logicalLocations": [{"fullyQualifiedName": place, "kind": "element"}],
            }
        ],
        "properties": {"severity": str(one.severity)},
    }


def _uri(name: str) -> str:
    """Return a file's name as a relative reference."""
    return quote(name)
