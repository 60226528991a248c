"""Wherry as a runtime of `compare`, without the processes that it takes."""

import importlib

import pytest

import wherry as wh
from wherry.runtimes import outcomes, whole_child
from wherry.runtimes.handed import Task


class Here(outcomes.Worker):
    """Wherry in this process, without the time that a child takes to start."""

    def __init__(self, name: str) -> None:
        self.name, self.runs = name, 0
        self.work, self.version = whole_child._start(name)

    def run(self, task: Task) -> outcomes.Outcome:
        self.runs += 1
        with wh.limited(wh.Limits()):  # a child knows no limits of this process
            return self._outcome(whole_child.answer(self.work, task), task)

    def close(self) -> None:
        pass


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherry runs in this process; all others run in theirs."""
    ours = ("wherry", "rules:")
    monkeypatch.setattr(
        importlib.import_module("wherry.portability.compare"), "Worker",
        lambda name: Here(name) if name.startswith(ours) else outcomes.Worker(name),
    )  # fmt: skip
