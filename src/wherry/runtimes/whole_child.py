"""Runs whole models on one runtime, each in a fork of this process, which the runtime may crash, block or fill.

Run as a module with the runtime's name: tasks come in and replies go out as pickles, each behind its length; arrays lie
in files. The runtime is imported once.
"""

from __future__ import annotations

import importlib
import os
import resource
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import __version__, formats
from wherry.conversion.rules import rules_named
from wherry.errors import OtherRuntimeError, WherryError
from wherry.models.parts import PartFile
from wherry.runtimes.conform.child import apart, freeze, load
from wherry.runtimes.conform.pipe import Reply, receive, send
from wherry.runtimes.handed import WEIGHTS, Stored, Task
from wherry.runtimes.known import known
from wherry.runtimes.runtime import Held, Runtime

Array = NDArray[Any]

Run = Callable[[Task, Mapping[str, Array]], Mapping[str, Any]]
"""Returns the outputs of a task's model by name, given its inputs."""


_IMPORTED = ("wherry.dialects.onnx.reader", "wherry.runtimes.whole", "wherry.reference", "onnxruntime")
"""Modules that wherry imports late, imported here once instead of in each fork."""


def _of_wherry(rules: str | None, task: Task, given: Mapping[str, Array]) -> Any:
    if _is_ir(task):
        from wherry.dialects.openvino.reader import read

        return read(task.model, task.weights).run(given, rules=rules)
    return formats.load(task.model).run(given, rules=rules)


def _of_runtime(found: type[Runtime], task: Task, given: Mapping[str, Array]) -> Mapping[str, Any]:
    return found().session(_part(task, given)).run(given)


def _part(task: Task, given: Mapping[str, Array]) -> PartFile:
    """Return a task's model in the form that a runtime reads."""
    path, inputs = task.model, tuple(given)
    if _is_ir(task):
        weights = np.empty(0, np.uint8) if task.weights is None else np.memmap(task.weights, np.uint8, mode="c")
        return PartFile("openvino", path.read_bytes(), inputs, task.outputs, {"": weights})
    by_path = path if path.with_suffix(WEIGHTS).exists() else None
    return PartFile("onnx", path.read_bytes(), inputs, task.outputs, {}, path=by_path)


def _is_ir(task: Task) -> bool:
    return task.model.suffix == ".xml"


def answer(run: Run, task: Task) -> Reply:
    """Return the outcome of a task in this process; results are files."""
    try:
        given = {name: stored.read() for name, stored in task.inputs.items()}
        results = dict(_tensors(run(task, given)))
    except OtherRuntimeError as error:
        return "refuses", str(error).partition(": ")[2]  # what stands before it is the runtime, which is known
    except (WherryError, MemoryError) as error:
        return "refuses", str(error)
    total = sum(array.nbytes for array in results.values())
    if total > task.most_bytes:
        return "exceeds", str(total)
    return "answers", {
        name: Stored.of(array, task.folder / str(number)) for number, (name, array) in enumerate(results.items())
    }


def _tensors(results: Mapping[str, Any]) -> Iterator[tuple[str, Array]]:
    """Yield results that are tensors, and those that sequences hold; a map is none."""
    for name, value in results.items():
        plain = value.plain() if isinstance(value, Held) else value
        if isinstance(plain, np.ndarray):
            yield name, plain
        elif isinstance(plain, list) and all(isinstance(one, np.ndarray) for one in plain):
            yield from ((f"{name}[{place}]", one) for place, one in enumerate(plain))


def _start(name: str) -> tuple[Run, str]:
    """Return the runtime of a name, and its version."""
    if name == "wherry" or name.startswith("rules:"):
        rules = name.partition(":")[2] or None
        for module in _IMPORTED:
            with suppress(ImportError):
                importlib.import_module(module)
        if rules is not None:
            rules_named(rules)
        freeze()
        return partial(_of_wherry, rules), __version__
    found = known(name)
    load(found)
    assert issubclass(found, Runtime)
    kind, version = apart(lambda: ("found", found().version))
    if kind != "found":
        raise OtherRuntimeError(f"{name} {kind} when it is started: {version}")
    return partial(_of_runtime, found), version


def main() -> None:
    """Run tasks until there are no more; the first reply is the runtime's version, or why it cannot be had."""
    tasks, replies = (os.fdopen(os.dup(stream), mode) for stream, mode in ((0, "rb"), (1, "wb")))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # what a runtime prints must not reach the pipes
        os.dup2(nowhere, stream)
    try:
        run, version = _start(sys.argv[1])
    except (ImportError, WherryError) as error:
        send(("missing" if isinstance(error, ImportError) else "fails", str(error)), replies)
        return
    send(("found", version), replies)
    while True:
        try:
            task = receive(tasks)
        except EOFError:
            return
        send(apart(partial(answer, run, task), task.seconds, resource.RLIM_INFINITY), replies)


if __name__ == "__main__":
    main()
