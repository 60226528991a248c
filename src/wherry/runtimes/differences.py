"""Known differences: where each runtime departs from its specification, or decides what the specification leaves open.

The entries ship as data, one file for each runtime and version, read when they are first asked for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import wherry.runtimes.properties  # noqa: F401  it fills PROPERTIES, which conditions name
from wherry.runtimes.case import Case
from wherry.runtimes.case_json import case_from_json, tensor_from_json
from wherry.runtimes.condition_json import condition_from_json
from wherry.runtimes.conditions import AllOf, Condition, Of
from wherry.runtimes.processor import Processors

DATA = Path(__file__).parent / "data"


class Does(StrEnum):
    """The behaviour of a runtime where it differs."""

    REFUSES = "refuses"
    """It refuses a model or inputs that its specification allows."""
    DIFFERS = "differs"
    """It gives another answer, or one where the specification asks for an error."""
    CRASHES = "crashes"
    """Its process ends."""
    UNSAFE = "unsafe"
    """It reads or writes memory that is not the model's: its answers vary, and it may crash, at times later."""
    ORDER = "order"
    """Threads meet: its answers vary."""


class Source(StrEnum):
    """How a difference is known."""

    MEASURED = "measured"
    DOCUMENTED = "documented"


@dataclass(frozen=True)
class Answer:
    """The result of an example: tensors, or an outcome (`refuses`, `crashes`, `varies`, `open`)."""

    what: str
    words: str = ""
    tensors: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Difference:
    """One thing that a runtime does in the models that `when` and `operators` (all, where there are none) tell.

    `example` is the smallest model found that shows it; each of the `neighbours` is just outside, and there the runtime
    does as its specification says. Where `is_open`, the specification leaves it open, and wherry has chosen otherwise.
    `holds_on` are the processors on which the example was seen; None stands for all.
    """

    name: str
    runtime: str
    version: str
    operators: tuple[str, ...]
    when: Condition
    does: Does
    reason: str
    link: str
    source: Source = Source.MEASURED
    is_open: bool = False
    rule: str = ""
    """The field of an operator that it is about: where no value of that can matter, nor can this; empty for none."""
    holds_on: Processors | None = None
    not_asked: str = ""
    """Why `check` never reports it; empty if it does."""
    written: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """The entry as its file has it: the cases are made of it when they are asked for."""

    @cached_property
    def example(self) -> Case:
        """A model and inputs that show the difference."""
        return case_from_json(self.written["example"], self.runtime)

    @cached_property
    def neighbours(self) -> tuple[Case, ...]:
        """Models and inputs that are just outside."""
        return tuple(case_from_json(one, self.runtime) for one in self.written["neighbours"])

    @cached_property
    def answer(self) -> Answer:
        """The runtime's result of the example."""
        return _answer(self.written["answers"]["runtime"])

    @cached_property
    def specified(self) -> Answer:
        """The specification's result of the example, or wherry's choice where the specification is open."""
        return _answer(self.written["answers"]["specification"])

    @property
    def condition(self) -> Condition:
        """The operators and `when` as one condition, for people to read."""
        if not self.operators:
            return self.when
        parts = self.when.conditions if isinstance(self.when, AllOf) else (self.when,)
        return AllOf((Of(self.operators), *parts))

    def applies(self, case: Case) -> bool:
        """Whether a case falls under this entry."""
        return (not self.operators or case.operator in self.operators) and self.when.holds(case)

    def decided(self, case: Case) -> bool | None:
        """Whether the entry applies to every case that this may be, to none (False), or to some (None)."""
        if self.operators and case.operator not in self.operators:
            return False
        return self.when.decided(case)


def runtimes() -> tuple[tuple[str, str], ...]:
    """Return name and version of all runtimes that something is known of."""
    found = (path.name.removesuffix(".json").rpartition("-") for path in DATA.glob("*.json"))
    return tuple(sorted((runtime, version) for runtime, _, version in found))


@cache
def content(runtime: str, version: str) -> Mapping[str, Any]:
    """Return the file of a runtime and version. Raises KeyError if there is none."""
    if (runtime, version) not in runtimes():
        raise KeyError(f"nothing is known of {runtime} {version}")
    found: Mapping[str, Any] = json.loads((DATA / f"{runtime}-{version}.json").read_text(encoding="utf-8"))
    return found


@cache
def differences(runtime: str, version: str | None = None) -> tuple[Difference, ...]:
    """Return the known differences of a runtime, by default of the latest known version. Raises KeyError."""
    if version is None:
        versions = [known for name, known in runtimes() if name == runtime]
        if not versions:
            raise KeyError(f"nothing is known of {runtime}")
        return differences(runtime, max(versions, key=_in_order))
    return tuple(difference_from_json(one, runtime, version) for one in content(runtime, version)["differences"])


def expected(case: Case, runtime: str) -> Difference | None:
    """Return the first entry of a runtime's latest version under which a case falls, or None if it must agree."""
    return next((entry for entry in differences(runtime) if entry.applies(case)), None)


def difference_from_json(value: Mapping[str, Any], runtime: str, version: str) -> Difference:
    """Return the entry from its JSON."""
    holds_on = value.get("holds_on")
    return Difference(
        value["name"],
        runtime,
        version,
        tuple(value["operators"]),
        condition_from_json(value["when"]),
        Does(value["does"]),
        value["reason"],
        value["link"],
        Source(value["source"]),
        value.get("is_open", False),
        value.get("rule", ""),
        None
        if holds_on is None
        else Processors(
            holds_on["machine"], frozenset(holds_on.get("having", ())), frozenset(holds_on.get("lacking", ()))
        ),
        value.get("not_asked", ""),
        value,
    )


def _answer(value: Mapping[str, Any]) -> Answer:
    if "gives" in value:
        return Answer("gives", tensors=tuple(tensor_from_json(one) for one in value["gives"]))
    ((what, words),) = value.items()
    return Answer(what, words)


def _in_order(version: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in version.split("."))
