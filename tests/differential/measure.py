"""Measures the shipped differences again: `python -m tests.differential.measure [--write]`.

Each entry's example is run on the installed runtime and here. Those that no longer differ are named; with --write they
are left out of the file of the installed version, and the answers of the others are as they are now.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Iterable
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

import numpy as np

from tests.differential.onnxruntime_runtime import Refused, by_onnxruntime, by_wherry, ended_with, feeds, model_of, same
from tests.differential.openvino_beside import assert_all_same
from tests.differential.openvino_runtime import CrashedError, OpenVINORuntime, RefusedError, ours
from wherry.errors import WherryError
from wherry.runtimes import data_file, differences
from wherry.runtimes.case import Case
from wherry.runtimes.case_json import tensor_to_json
from wherry.runtimes.conform.measure import Asked
from wherry.runtimes.differences import Difference, Does

COMMAND = "python -m tests.differential.measure --write"

_WHERE = re.compile(r"Exception from \S+:\d+:|\S*/onnxruntime/\S+:\d+")
"""Places in a runtime's source, which its words begin with."""

_WORDS = 160
_LARGE = 64
_TRIES = 40

VARYING = (Does.CRASHES, Does.ORDER, Does.UNSAFE)
"""Where the runtime answers, or ends, in another way each time: what was seen first is kept."""

Answers = tuple[dict[str, Any], dict[str, Any]] | None
"""What the runtime and the specification say of an example, or None where they say the same."""


def _flat(words: object) -> str:
    text = " ".join(_WHERE.sub("", str(words)).split())
    return text if len(text) <= _WORDS else text[: _WORDS - 3].rstrip() + "..."


def _gives(results: Iterable[np.ndarray]) -> dict[str, Any]:
    listed = [np.asarray(one) for one in results]
    if any(one.size > _LARGE for one in listed):
        return {"large": ", ".join(f"{one.dtype.name} {list(one.shape)}" for one in listed)}
    return {"gives": [tensor_to_json(one) for one in listed]}


def _outcome(results: Iterable[np.ndarray] | Refused) -> dict[str, Any]:
    return {"refuses": _flat(results.words)} if isinstance(results, Refused) else _gives(results)


def answers_of_onnxruntime(case: Case, does: Does) -> Answers:
    """Run a case on ONNX Runtime, in a child where it ends its process, and here."""
    model, inputs = model_of(case), feeds(case)
    mine = by_wherry(model, inputs)
    if does in (Does.CRASHES, Does.UNSAFE):
        code = ended_with(model, inputs)
        return ({"crashes": f"the process ended with {code}"}, _outcome(mine)) if code else None
    for _ in range(_TRIES if does is Does.ORDER else 1):
        theirs = by_onnxruntime(model, inputs, 4 if does is Does.ORDER else 1)
        if not same(theirs, mine):
            return ({"varies": "other elements each time"} if does is Does.ORDER else _outcome(theirs)), _outcome(mine)
    return None


def answers_of_openvino(case: Case, does: Does, runtime: OpenVINORuntime, folder: Path) -> Answers:
    """Run a case on OpenVINO and here, and end the process that a case may have damaged: the next would die of it."""
    try:
        mine = _gives(expected := ours(case, folder))
    except WherryError as error:
        mine, expected = {"refuses": _flat(error)}, None
    theirs = _unexpected_of_openvino(case, does, runtime, expected)
    if does in (Does.CRASHES, Does.UNSAFE):
        runtime.close()
    return None if theirs is None else (theirs, mine)


def _unexpected_of_openvino(
    case: Case, does: Does, runtime: OpenVINORuntime, expected: list[np.ndarray] | None
) -> dict[str, Any] | None:
    """Return the first unexpected answer of several tries, if any: foreign memory may look right by chance."""
    sevens = Case("Tile", 1, (np.full(1, 7, np.float32), np.array([100])), kinds=("f32", "i64"))
    for _ in range(_TRIES if does is Does.ORDER else 10):
        try:
            runtime.run_case(sevens)  # which may die of the case before it
            theirs = runtime.run_case(case)
        except CrashedError as error:
            return {"crashes": _flat(error)}
        except RefusedError as error:
            if expected is not None:
                return {"refuses": _flat(error)}
        else:
            if expected is None or not _are_same(expected, theirs):
                return {"varies": "other elements each time"} if does in (Does.ORDER, Does.UNSAFE) else _gives(theirs)
    return None


def answers_of_reader(case: Case, openvino: Asked) -> Answers:
    """Run a case as an ONNX model on OpenVINO, and here."""
    mine = by_wherry(model_of(case), feeds(case))
    kind, found = openvino.reply(case)
    if kind == "answers" and not isinstance(mine, Refused) and same(tuple(found), mine):
        return None
    return ({kind: _flat(found)} if kind != "answers" else _gives(found)), _outcome(mine)


def _are_same(mine: list[np.ndarray], theirs: list[np.ndarray]) -> bool:
    try:
        assert_all_same(mine, theirs)
    except AssertionError:
        return False
    return True


def _again(runtime: str, answers: Callable[[Difference], Answers]) -> tuple[dict[str, Any], list[str]]:
    """Return the file of the installed version, and the names of the entries that no longer differ."""
    kept, gone = [], []
    for entry in differences.differences(runtime):
        if entry.holds_on is not None and not entry.holds_on.has_this:
            kept.append(dict(entry.written))
            continue
        found = answers(entry)
        if found is None:
            gone.append(entry.name)
        else:
            theirs = entry.written["answers"]["runtime"] if entry.does in VARYING else found[0]
            kept.append({**entry.written, "answers": {"runtime": theirs, "specification": found[1]}})
    content = differences.content(runtime, differences.differences(runtime)[0].version)
    return {**content, "version": installed(runtime.removesuffix("-onnx")), "differences": kept}, gone


def main(write: bool) -> None:
    """Measure all that is installed."""
    openvino = OpenVINORuntime()
    with tempfile.TemporaryDirectory() as name, Asked("openvino") as reader:
        folder = Path(name)
        answers: dict[str, Callable[[Difference], Answers]] = {
            "onnxruntime": lambda entry: answers_of_onnxruntime(entry.example, entry.does),
            "openvino": lambda entry: answers_of_openvino(entry.example, entry.does, openvino, folder),
            "openvino-onnx": lambda entry: answers_of_reader(entry.example, reader),
        }
        for runtime, asked in answers.items():
            content, gone = _again(runtime, asked)
            for one in gone:
                print(f"{runtime} {content['version']} no longer differs: {one}")
            if write:
                path = differences.DATA / f"{runtime}-{content['version']}.json"
                path.write_text(data_file.spelled(content), encoding="utf-8")
    openvino.close()


if __name__ == "__main__":
    main("--write" in sys.argv[1:])
