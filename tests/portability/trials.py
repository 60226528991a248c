"""Small models out of what is known of runtimes: for each known difference one that shows it, and some that do not.

`python -m tests.portability.trials FOLDER` writes those that show one as files, with what check finds in each.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx

import wherry as wh
from tests.differential.onnxruntime_runtime import feeds, model_of
from tests.differential.openvino_runtime import files_of
from wherry.dialects.directml.descs import DESCS, OperatorDesc
from wherry.dialects.webnn.schema import BY_NAME
from wherry.models.model import Model
from wherry.portability.report import Report
from wherry.runtimes.case import Case
from wherry.runtimes.conditions import level_name
from wherry.runtimes.differences import Difference, Does, Source, differences, runtimes

ENTRIES = [entry for known in runtimes() for entry in differences(*known)]
ASKED = [entry for entry in ENTRIES if not entry.not_asked]

_INPUTS = {"ONE_HOT": ("IndicesTensor", "ValuesTensor"), "FILL_VALUE_SEQUENCE": ()}
"""The input tensors of DirectML's operators, where they are not data, indices and updates."""

_SUFFIXES = {"onnxruntime": ".onnx", "openvino-onnx": ".onnx", "openvino": ".xml", "directml": ".json"}

READ_ONNX = ("onnxruntime", "openvino-onnx")
"""Those whose examples are ONNX models."""


@dataclass(frozen=True)
class Trial:
    """A model of one node, or a description of DirectML, whom it is checked for, and inputs where it takes some."""

    subject: Model | OperatorDesc
    target: str
    inputs: Mapping[str, np.ndarray] | None = None

    def report(self) -> Report:
        """Return what check finds."""
        return wh.check(self.subject, self.target, self.inputs)


def trial_of(entry: Difference, case: Case, folder: Path) -> Trial:
    """Return a case of an entry as a model that is read from a file, and checked for the entry's runtime."""
    if entry.runtime == "directml":
        target = f"directml:{level_name(case.version)}"
        if entry.does is Does.REFUSES:  # of others `wherry.load` takes none
            return Trial(_description(case), target)
        return Trial(wh.load(write(entry, case, folder / "model")), target)
    model = wh.load(write(entry, case, folder / "model"))
    target = {"openvino-onnx": "openvino"}.get(entry.runtime, entry.runtime)
    target = "webnn" if target.startswith("webnn-") else target
    is_large = entry.does is Does.ORDER and entry.source is Source.MEASURED  # threads have to meet
    return Trial(model, target, None if is_large else _given(entry, case, model))


def _given(entry: Difference, case: Case, model: Model) -> dict[str, np.ndarray]:
    if entry.runtime in READ_ONNX:
        return feeds(case)
    return dict(zip(model.inputs, (value for _, value in case.given), strict=True))


def write(entry: Difference, case: Case, stem: Path) -> Path:
    """Write the model of a case as its runtime takes it, and return its file."""
    path = stem.with_name(stem.name + _SUFFIXES.get(entry.runtime, ".webnn.json"))
    if entry.runtime in READ_ONNX:
        onnx.save(model_of(case), path)
    elif entry.runtime == "openvino":
        xml, weights = files_of([case])
        path.write_text(xml)
        path.with_suffix(".bin").write_bytes(weights)
    else:
        made = _dispatch(case) if entry.runtime == "directml" else _calls(case)
        path.write_text(json.dumps(made))
    return path


def _dispatch(case: Case) -> dict[str, Any]:
    """Return a DxDispatch model of one operator."""
    names = _INPUTS.get(case.operator, ("InputTensor", "IndicesTensor", "UpdatesTensor"))
    resources: dict[str, Any] = {}
    desc: dict[str, Any] = dict(case.attributes)
    bindings: dict[str, Any] = {}
    for name, array, kind in zip(names, case.inputs, case.kinds, strict=False):
        desc[name] = {"DataType": kind, "Sizes": list(array.shape)}
        resources[name] = {"initialValuesDataType": kind, "initialValues": array.ravel().tolist() or [0]}
        bindings[name] = name
    for name, value in case.attributes.items():
        for number, tensor in enumerate(value if name == "OutputTensors" else [value] if "Tensor" in name else []):
            zeros = {"valueCount": max(1, int(np.prod(tensor["Sizes"]))), "value": 0}
            resources[f"{name}{number}"] = {"initialValuesDataType": tensor["DataType"], "initialValues": zeros}
            bindings.setdefault(name, []).append(f"{name}{number}")
    return {
        "resources": resources,
        "dispatchables": {"it": {"type": case.operator, "desc": desc}},
        "commands": [{"type": "dispatch", "dispatchable": "it", "bindings": bindings}],
    }


def _description(case: Case) -> OperatorDesc:
    kind = DESCS[case.operator]
    given = _dispatch(case)["dispatchables"]["it"]["desc"]
    return kind(**{member.field: _member(given.get(member.name)) for member in kind.operator_info().members})


def _member(value: Any) -> Any:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [_member(one) for one in value]
    return wh.directml.BufferTensorDesc(value["DataType"], value["Sizes"]) if isinstance(value, dict) else value


def _calls(case: Case) -> dict[str, Any]:
    """Return a WebNN graph of one call."""
    names = [f"x{number}" for number in range(len(case.inputs))]
    tensors = {
        name: {"dataType": array.dtype.name, "shape": list(array.shape)}
        for name, array in zip(names, case.inputs, strict=True)
    }
    constants = {names[place]: case.inputs[place].ravel().tolist() for place in case.constants}
    members = [one for one in BY_NAME[case.operator].members if one.name in case.attributes]
    call = {
        "method": case.operator,
        "operands": names,
        "arguments": {one.name: case.attributes[one.name] for one in members if not one.is_option},
        "options": {one.name: case.attributes[one.name] for one in members if one.is_option},
        "outputs": ["y"],
    }
    return {
        "inputs": {name: kind for name, kind in tensors.items() if name not in constants},
        "constants": {name: {**tensors[name], "data": data} for name, data in constants.items()},
        "operations": [call],
        "outputs": ["y"],
    }


def _written(entries: Iterable[Difference], folder: Path) -> Iterator[dict[str, Any]]:
    """Write a model for each entry, and yield what is found in each."""
    for entry in entries:
        trial = trial_of(entry, entry.example, folder)
        stem = f"{entry.runtime} {re.sub(r'[^0-9A-Za-z]+', '-', entry.name).strip('-')}"
        path = write(entry, entry.example, folder / stem)
        found = [{"target": one.target, "severity": str(one.severity), "name": one.name}
                 for one in trial.report().findings]  # fmt: skip
        yield {"file": path.name, "target": trial.target, "findings": found}


def main(folder: Path, entries: Iterable[Difference] = ASKED) -> None:
    """Write the models of entries, and trials.json with what is found in each."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as aside:
        found = list(_written(entries, Path(aside)))
        for path in Path(aside).iterdir():
            if path.stem != "model":
                (folder / path.name).write_bytes(path.read_bytes())
    (folder / "trials.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
