"""Each measured difference is shown by another installed runtime that answers as the specification says, where one can.

What the runtime itself answers is measured in test_differences.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from warnings import catch_warnings

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

import wherry as wh
from tests.differential.onnxruntime_runtime import Refused, by_onnxruntime
from tests.differential.openvino_runtime import is_witness
from tests.portability.trials import ASKED, trial_of
from wherry.dialects.onnx.writer import to_proto
from wherry.errors import WherryError
from wherry.models.model import GraphModel
from wherry.runtimes.case import Case
from wherry.runtimes.case_json import tensor_to_json
from wherry.runtimes.conform.measure import Asked
from wherry.runtimes.differences import Difference, Does, Source

MEASURED = [entry for entry in ASKED if entry.source is Source.MEASURED]
SMALL = [entry for entry in MEASURED if entry.does is not Does.ORDER]

ALONE = frozenset({
    *(f"onnxruntime: {name}" for name in (
        "no kernel for Mod, Abs and Sign of some types", "no kernel for Add, Sub, Mul and Div of some types",
        "NaN of float8e8m0 as uint64", "floats beyond float8 that are not saturated",
        "floats in scientific numerals", "fractions as integers of 2 and 4 bits", "negative numbers as float8e8m0",
        "no kernel for Cast of float4", "floats outside the range as uint32", "the least integer divided by -1",
        "no kernel for Equal of some types", "Gather-1 takes negative indices",
        "no kernel for Less, LessOrEqual, Greater and GreaterOrEqual of some types",
        "the sign of the zero that is an extreme", "no kernel for Neg of some types", "no reduction of bfloat16",
        "Slice before 11 takes a negative axis", "no kernel for Tile-1",
    )),
    *(f"openvino: {name}" for name in (
        "types of 2 bits, and float4, are moved by bytes",
        "a bidirectional Broadcast of float8 to unknown sizes is refused",
        "the sign of the zero that is an extreme", "numbers that a narrow float does not have",
        "an Eye of float8 is refused", "an Eye without batch axes is foreign memory",
        "the diagonal of an Eye is cut to 32 bits", "an axis of size 1 is taken as it is",
        "an empty axis gives foreign memory", "a GatherTree of 8 bits, or bf16, is refused",
        "a GatherTree of no step is foreign memory", "an Identity of 4 bits writes behind its memory",
        "NonZero of float8 is refused", "a Range whose stop lies the other way is not empty",
        "4 bits are reversed by bytes", "the greatest of infinities is finite",
        "the mean of integers is truncated", "f64 is reduced in f32", "bool is subtracted as a number",
        "Select of float8 is refused", "strings that do not follow each other are refused",
        "first places and counts of slices of bytes are wrong",
        "slices of several rows are compared with foreign memory",
    )),
})  # fmt: skip
"""The entries that no other installed runtime shows: it parts from the specification as well, or lacks the model."""


_OPSET = 22
"""The newest that both take."""


def spelled(outcome: Any) -> dict[str, Any]:
    """An answer as entries have it; the words of a refusal do not count."""
    if isinstance(outcome, str):
        return {"refuses": ""}
    return {"gives": [tensor_to_json(np.asarray(one)) for one in outcome]}


def specified(entry: Difference) -> dict[str, Any]:
    answer = entry.written["answers"]["specification"]
    return {"refuses": ""} if "refuses" in answer else dict(answer)


def beside_onnxruntime(cases: list[Case]) -> Iterator[list[dict[str, Any]]]:
    """Yield what the other installed runtimes that take ONNX models make of each case."""
    with Asked("openvino") as openvino, Asked("onnx.reference") as reference:
        for case in cases:
            replies = [runtime.reply(case) for runtime in (openvino, reference)]
            yield [spelled(found) if kind in ("answers", "refuses") else {kind: ""} for kind, found in replies]


def as_onnx(entry: Difference, folder: Path) -> Iterator[tuple[onnx.ModelProto, dict[str, np.ndarray]]]:
    """Yield the example of OpenVINO as ONNX models with their inputs; none where ONNX does not say it.

    What ONNX cannot say with all inputs open it may with the first alone, which is what the operation moves.
    """
    trial = trial_of(entry, entry.example, folder)
    assert isinstance(trial.subject, GraphModel)
    inputs = dict(trial.inputs or {})
    fixed = dict(list(inputs.items())[1:])
    for constants, allow_loss in product(({}, fixed) if fixed else ({},), (False, True)):
        graph = trial.subject.graph
        open_ones = {name: kind for name, kind in graph.inputs.items() if name not in constants}
        graph = replace(graph, inputs=open_ones, constants={**graph.constants, **constants})
        with suppress(WherryError):
            model = wh.convert(trial.subject.over(graph), "onnx", opset=_OPSET, allow_loss=allow_loss)
            yield to_proto(model, _OPSET), {name: inputs[name] for name in open_ones}


def beside_reader(cases: list[Case]) -> Iterator[list[dict[str, Any]]]:
    """Yield what the other installed runtimes make of each case that OpenVINO does not read."""
    with Asked("onnxruntime") as onnxruntime, Asked("onnx.reference") as reference:
        for case in cases:
            replies = [runtime.reply(case) for runtime in (onnxruntime, reference)]
            yield [spelled(found) if kind in ("answers", "refuses") else {kind: ""} for kind, found in replies]


def beside_openvino(entry: Difference, folder: Path) -> Iterator[dict[str, Any]]:
    """Yield what ONNX Runtime and the onnx package make of the example of OpenVINO, as ONNX models."""
    for proto, inputs in as_onnx(entry, folder):
        found = by_onnxruntime(proto, inputs)
        yield spelled(found.words if isinstance(found, Refused) else found)
        with (
            suppress(Exception),
            np.errstate(all="ignore"),
            catch_warnings(action="ignore"),
        ):  # it has no errors of its own
            yield spelled(ReferenceEvaluator(proto).run(None, inputs))


def shown(folder: Path) -> dict[str, bool]:
    """By runtime and name of an entry whether another runtime answers its example as the specification says."""
    of_onnxruntime = [entry for entry in SMALL if entry.runtime == "onnxruntime"]
    found: dict[str, Iterable[dict[str, Any]]] = dict(zip(map(name_of, of_onnxruntime),
                     beside_onnxruntime([entry.example for entry in of_onnxruntime]), strict=True))  # fmt: skip
    found |= {name_of(entry): beside_openvino(entry, folder) for entry in SMALL if entry.runtime == "openvino"}
    read = [entry for entry in SMALL if entry.runtime == "openvino-onnx"]
    found |= dict(zip(map(name_of, read), beside_reader([entry.example for entry in read]), strict=True))
    wanted = {name_of(entry): json.dumps(specified(entry)) for entry in SMALL}
    return {name: wanted[name] in map(json.dumps, answers) for name, answers in found.items()}


def name_of(entry: Difference) -> str:
    return f"{entry.runtime}: {entry.name}"


@pytest.fixture(scope="module")
def witnesses(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bool]:
    if not is_witness():
        pytest.skip("the other runtimes' answers were seen on x86-64")
    pytest.importorskip("onnxruntime")
    pytest.importorskip("openvino")
    return shown(tmp_path_factory.mktemp("witnesses"))


def test_another_runtime_shows_most_differences(witnesses: dict[str, bool]) -> None:
    alone = {name for name, is_shown in witnesses.items() if not is_shown}
    assert alone == ALONE
    assert len(witnesses) - len(alone) >= 122
