"""Each measured difference is shown by another installed runtime that answers as the specification says, where one can.

What the runtime itself answers is measured in test_differences.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wherry as wh
from tests.differential.onnxruntime_runtime import Refused, by_onnxruntime
from tests.differential.openvino_runtime import is_witness
from tests.portability.trials import ASKED, trial_of
from wherry.dialects.onnx.writer import to_proto
from wherry.errors import WherryError
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
        "floats in scientific numerals", "fractions as integers of 2 and 4 bits",
        "negative numbers as float8e8m0", "no kernel for Cast of float4", "floats outside the range as uint32",
        "the least integer divided by -1", "no kernel for Equal of some types", "Gather-1 takes negative indices",
        "no kernel for Less, LessOrEqual, Greater and GreaterOrEqual of some types",
        "the sign of the zero that is an extreme", "no kernel for Neg of some types", "no reduction of bfloat16",
        "Slice before 11 takes a negative axis", "no kernel for Tile-1",
    )),
    *(f"openvino: {name}" for name in (
        "types of 2 bits, and float4, are moved by bytes", "strings are moved as bytes",
        "a bidirectional Broadcast of float8 to unknown sizes is refused",
        "the sign of the zero that is an extreme", "a Col2Im of unknown sizes is refused",
        "constants of 4 bits are joined by bytes", "NaN of float8 keep other bits",
        "a Convert between types of 8 bits or less is refused", "a Convert to bf16 cuts bits off",
        "a NaN becomes an infinity, or zero", "a signalling NaN becomes quiet on its way to f16",
        "numbers that a narrow float does not have", "an Eye of float8 is refused",
        "an Eye without batch axes is foreign memory", "the diagonal of an Eye is cut to 32 bits",
        "an axis of size 1 is taken as it is", "an empty axis gives foreign memory",
        "short vectors are read without a check", "strings are gathered by i32 and i64 only",
        "indices are cut to 32 bits", "a GatherTree of 8 bits, or bf16, is refused",
        "a GatherTree of no step is foreign memory", "an Identity of 4 bits writes behind its memory",
        "NonZero of float8 is refused", "a OneHot by indices of 8 bits is refused",
        "a pad value known at run is taken for zero", "strings are padded by constants only",
        "float8 loses the sign of zero",
        "a Range whose stop lies the other way is not empty", "4 bits are reversed by bytes",
        "an empty list of axes known at run is refused", "the greatest of infinities is finite",
        "the mean of integers is truncated", "16-bit floats are reduced in another order",
        "bf16 with an even last bit is cut off", "f64 is reduced in f32", "which of several NaN",
        "bool is subtracted as a number", "Select of bf16 flushes subnormals", "Select of float8 is refused",
        "a new axis behind an ellipsis is refused", "new axes beside shrunk ones give foreign memory",
        "strings that do not follow each other are refused", "NaN leave the order of Unique undefined",
        "first places and counts of slices of bytes are wrong",
        "slices of several rows are compared with foreign memory",
    )),
})  # fmt: skip
"""The entries that no other installed runtime shows: it parts from the specification as well, or lacks the model."""


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


def by_onnxruntime_as_onnx(entry: Difference, folder: Path) -> list[dict[str, Any]]:
    """What ONNX Runtime makes of the example of OpenVINO, as an ONNX model; nothing where ONNX does not say it."""
    trial = trial_of(entry, entry.example, folder)
    for opset in (21, 22):
        try:
            model = wh.convert(trial.subject, "onnx", opset=opset, allow_loss=True)  # losses that part show below
        except WherryError:
            continue
        found = by_onnxruntime(to_proto(model, opset), dict(trial.inputs or {}))
        return [spelled(found.words if isinstance(found, Refused) else found)]
    return []


def shown(folder: Path) -> dict[str, bool]:
    """By runtime and name of an entry whether another runtime answers its example as the specification says."""
    of_onnxruntime = [entry for entry in SMALL if entry.runtime == "onnxruntime"]
    found = dict(zip(map(name_of, of_onnxruntime),
                     beside_onnxruntime([entry.example for entry in of_onnxruntime]), strict=True))  # fmt: skip
    found |= {name_of(entry): by_onnxruntime_as_onnx(entry, folder) for entry in SMALL if entry.runtime == "openvino"}
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
    assert len(witnesses) - len(alone) >= 96
