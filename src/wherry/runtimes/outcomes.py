"""Outcomes of whole models on runtimes: an answer, an error, a crash or a hang, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field

from wherry.conversion.rules import rules_named
from wherry.errors import (
    MissingDependencyError,
    OtherRuntimeError,
    ResourceLimitError,
    UnsupportedError,
    invalid,
    short,
)
from wherry.runtimes.conform.pipe import Reply, receive, send
from wherry.runtimes.handed import Stored, Task
from wherry.runtimes.known import NAMES, known
from wherry.runtimes.runtime import Runtime

_CHILD = "wherry.runtimes.whole_child"
"""Not imported here: it needs a system with fork."""

_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""A process that forks has no threads."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a model: `does` is answers, refuses, crashes or hangs; `words` describe the last three."""

    does: str
    words: str = ""
    arrays: dict[str, Stored] = field(default_factory=dict)

    @property
    def answers(self) -> bool:
        """Whether there are results."""
        return self.does == "answers"


def check_name(name: object) -> str:
    """Return the name of a runtime of whole ONNX models. Raises InvalidValueError for others."""
    allowed = "'wherry', 'rules:NAME[:VERSION]', 'onnxruntime', 'openvino', 'onnx.reference' ..."
    if not isinstance(name, str):
        raise invalid("runtimes", short(name), allowed)
    if name.startswith("rules:"):
        rules_named(name.removeprefix("rules:"))
    elif name != "wherry" and (name not in NAMES or not issubclass(known(name), Runtime)):
        raise invalid("runtimes", short(name), allowed)
    return name


class Worker:
    """A child process that runs whole models on one runtime, each in a fork; a context that ends it."""

    def __init__(self, name: str) -> None:
        if not hasattr(os, "fork"):
            raise UnsupportedError("this system cannot fork, which keeps runs apart; run wherry compare on Linux")
        self.name = name
        self.runs = 0
        # -P: files that lie where the command is given are no packages of a runtime
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", _CHILD, name], env={**os.environ, **_ONE_THREAD},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        kind, content = self._reply()
        if kind != "found":
            self.close()
            raise MissingDependencyError(content) if kind == "missing" else OtherRuntimeError(content)
        self.version: str = content

    @property
    def title(self) -> str:
        """The runtime with its version."""
        return f"{self.name} {self.version}"

    def run(self, task: Task) -> Outcome:
        """Return the outcome of a task. Raises ResourceLimitError for results beyond its limit of bytes."""
        self.runs += 1
        assert self._process.stdin is not None
        send(task, self._process.stdin)
        return self._outcome(self._reply(), task)

    def _outcome(self, reply: Reply, task: Task) -> Outcome:
        does, content = reply
        if does == "exceeds":
            raise ResourceLimitError(
                f"{self.title}: the results take {content} bytes, allowed {task.most_bytes}; raise Limits.bytes"
            )
        return Outcome(does, arrays=content) if does == "answers" else Outcome(does, content)

    def _reply(self) -> Reply:
        assert self._process.stdout is not None
        try:
            found: Reply = receive(self._process.stdout)
        except EOFError:
            self.close()
            raise OtherRuntimeError(f"{self.name} ends its process when it is imported") from None
        return found

    def close(self) -> None:
        """End the child; a fork that runs is given up by the child's own end."""
        self._process.kill()
        self._process.communicate()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
