"""An entry that says in which cases a runtime differs."""

from __future__ import annotations

from dataclasses import dataclass

from tests.differential.case import Case
from tests.differential.conditions import Condition
from tests.support.processor import Processors


@dataclass(frozen=True)
class Difference:
    """One disagreement; `when` is the condition of the cases under it, `crashes` whether the runtime dies of it.

    A case that falls under an entry is not compared with that runtime, but with the reference. `example` is one that
    must still disagree, or crash the runtime: when a newer runtime agrees, test_expected_differences.py fails and the
    entry goes. Each of the `neighbours` is just outside: no entry covers it, and the two sides agree bit for bit.
    One `of_threads` needs two of them at once. `holds_on` are the processors on which the example was seen to disagree;
    None stands for all. On others a test of the example says nothing, and the case is not compared either.
    """

    name: str
    runtime: str
    version: str
    reason: str
    link: str
    when: Condition
    example: Case
    neighbours: tuple[Case, ...] = ()
    crashes: bool = False
    of_threads: bool = False
    holds_on: Processors | None = None

    def applies(self, case: Case) -> bool:
        """Whether a case falls under this entry."""
        return self.when.holds(case)
