"""Measures runtimes: sends the cases to a child process and judges its replies."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wherry.errors import MissingDependencyError, OtherRuntimeError, UnsupportedError
from wherry.runtimes.case import Case
from wherry.runtimes.conform.answers import is_same, specified
from wherry.runtimes.conform.matrix import Column, judged
from wherry.runtimes.conform.pipe import Reply, receive, send
from wherry.runtimes.conform.rule import Rule

_CHILD = "wherry.runtimes.conform.child"
"""Not imported here: it needs a system with fork."""

_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""A process that forks has no threads, and cases as small as these need none."""


@dataclass
class Asked:
    """A child process that tries cases on one runtime; a context that ends it."""

    name: str

    def __post_init__(self) -> None:
        if not hasattr(os, "fork"):
            raise UnsupportedError("this system cannot fork, which keeps cases apart; run wherry conform on Linux")
        # -P: files that lie where the command is given are no packages of a runtime
        command = [sys.executable, "-P", "-m", _CHILD, self.name]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command, env={**os.environ, **_ONE_THREAD}, **pipes)  # type: ignore[call-overload]
        kind, content = self._reply()
        if kind != "found":
            self.close()
            raise (
                MissingDependencyError(content)
                if kind == "missing"
                else OtherRuntimeError(f"{self.name} {kind} when it is started: {content}")
            )
        self.version: str = content

    def reply(self, case: Case, alone: bool = False) -> Reply:
        """Return the outcome of a case, in a process of its own or a shared one; see `child`."""
        send((case, alone), self._process.stdin)
        return self._reply()

    def ask(self, rule: Rule) -> Reply:
        """Return the outcome of a rule's case.

        A case that ought to be answered is tried in one process with others. Unless its answer is right, it is tried
        alone: what another case damaged must not be told of it.
        """
        expected = specified(rule)
        if not isinstance(expected, str):
            kind, content = self.reply(rule.case)
            if kind == "answers" and is_same(rule, content, expected):
                return kind, content
        return self.reply(rule.case, alone=True)

    def _reply(self) -> Reply:
        try:
            reply: Reply = receive(self._process.stdout)
        except EOFError:
            raise OtherRuntimeError(f"{self.name} ends its process when it is imported") from None
        return reply

    def close(self) -> None:
        """End the child."""
        self._process.kill()
        self._process.communicate()

    def __enter__(self) -> Asked:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def measure(name: str, rules: Sequence[Rule], tell: Callable[[str], object] = str) -> Column:
    """Return what becomes of rules on a runtime; `tell` is called with name and version before each.

    Raises MissingDependencyError where it is not installed.
    """
    with Asked(name) as found:
        replies = []
        for rule in rules:
            tell(f"{name} {found.version}")
            replies.append((rule, found.ask(rule)))
        return judged(name, found.version, replies)
