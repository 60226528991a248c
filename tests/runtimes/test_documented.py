"""What documents tell of DirectML and WebNN: their examples are said here as those runtimes would be given them."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wherry as wh
from tests.runtimes.test_data_files import ENTRIES
from wherry.dialects.directml.dxdispatch.reader import read
from wherry.errors import FileFormatError, WherryError
from wherry.runtimes.case import Case
from wherry.runtimes.case_json import tensor_to_json
from wherry.runtimes.conditions import level_name
from wherry.runtimes.differences import Difference, Does

DIRECTML = [entry for entry in ENTRIES if entry.runtime == "directml"]
WEBNN = [entry for entry in ENTRIES if entry.runtime.startswith("webnn-")]
NAMED = {"ids": lambda entry: f"{entry.runtime}: {entry.name}"}


_INPUTS = {"ONE_HOT": ("IndicesTensor", "ValuesTensor"), "FILL_VALUE_SEQUENCE": ()}


def _dispatch(case: Case, folder: Path) -> dict[str, np.ndarray]:
    """Run a case as a DxDispatch model of one operator, at its feature level."""
    names = _INPUTS.get(case.operator, ("InputTensor", "IndicesTensor", "UpdatesTensor"))
    resources: dict[str, Any] = {}
    desc, bindings = dict(case.attributes), {}
    for name, array, kind in zip(names, case.inputs, case.kinds, strict=False):
        desc[name] = {"DataType": kind, "Sizes": list(array.shape)}
        resources[name] = {"initialValuesDataType": kind, "initialValues": array.ravel().tolist() or [0]}
        bindings[name] = name
    for name, value in case.attributes.items():
        for number, tensor in enumerate(value if name == "OutputTensors" else [value] if "Tensor" in name else []):
            count = max(1, int(np.prod(tensor["Sizes"])))
            zeros = {"valueCount": count, "value": 0}
            resources[f"{name}{number}"] = {"initialValuesDataType": tensor["DataType"], "initialValues": zeros}
            bindings.setdefault(name, []).append(f"{name}{number}")
    model = {
        "resources": resources,
        "dispatchables": {"it": {"type": case.operator, "desc": desc}},
        "commands": [{"type": "dispatch", "dispatchable": "it", "bindings": bindings}],
    }
    path = folder / "model.json"
    path.write_text(json.dumps(model))
    return read(path, feature_level=level_name(case.version)).run({})


@pytest.mark.parametrize("entry", DIRECTML, **NAMED)
def test_directml(entry: Difference, tmp_path: Path) -> None:
    """What a level refuses is refused here, too; what is left open is legal, and has a result or is refused."""
    for case in entry.neighbours:
        assert _dispatch(case, tmp_path)
    if entry.does is Does.REFUSES or entry.specified.words == "wherry refuses":
        with pytest.raises(WherryError) as refusal:
            _dispatch(entry.example, tmp_path)
        assert not isinstance(refusal.value, FileFormatError), refusal.value
        return
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        results = _dispatch(entry.example, tmp_path)
    assert bool(warned) == entry.specified.words.endswith("with a warning")
    number = re.search(r"[\d.]+$", entry.specified.words)
    assert number is None or float(number[0]) in np.concatenate([one.ravel() for one in results.values()])


def _called(case: Case) -> np.ndarray:
    """Call a method of WebNN, its arguments and options by the names that Python gives them."""
    options = {_in_python(name): value for name, value in case.attributes.items()}
    return np.asarray(getattr(wh.webnn, _in_python(case.operator))(*case.inputs, **options))


def _in_python(name: str) -> str:
    return re.sub("(ND|[A-Z])", lambda found: "_" + found[1].lower(), name)


@pytest.mark.parametrize("entry", WEBNN, **NAMED)
def test_webnn(entry: Difference) -> None:
    """All are legal by the specification; where it has a result, that is here."""
    for case in entry.neighbours:
        _called(case)
    if entry.specified.what == "gives":
        assert [tensor_to_json(_called(entry.example))] == entry.written["answers"]["specification"]["gives"]
    else:
        assert entry.is_open
