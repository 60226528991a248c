"""Running what a conversion makes: on wherry, on ONNX Runtime and on OpenVINO, as the arrays of the source model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import wherry as wh
from tests.differential.onnxruntime_runtime import Refused, by_onnxruntime
from tests.differential.openvino_runtime import OpenVINORuntime
from tests.support.compare import assert_same_bits
from tests.support.own import own
from wherry.conversion.bitcast import SAME_WIDTH
from wherry.dialects.directml.dxdispatch.model import Print
from wherry.models.model import GraphModel, Model

Arrays = Mapping[str, np.ndarray]
Result = TypeVar("Result")

_RESULTS: dict[bytes, Any] = {}
"""What the runtimes gave, by a hash of the file and the inputs: many ways of converting lead to the same file."""


def _once(run: Callable[[], Result], *files: bytes, inputs: Iterable[np.ndarray]) -> Result:
    """Return the result of `run`, from before where the same files have had the same inputs; errors are not kept."""
    parts = [*files, *(text for array in inputs for text in (f"{array.dtype} {array.shape}".encode(), _bytes(array)))]
    key = hashlib.sha256(b"".join(len(part).to_bytes(8) + part for part in parts)).digest()
    if key not in _RESULTS:
        _RESULTS[key] = run()
    return _RESULTS[key]


def _bytes(array: np.ndarray) -> bytes:
    return repr(array.tolist()).encode() if array.dtype.hasobject else array.tobytes()


def assert_same_results(actual: Arrays, expected: Arrays) -> None:
    """Compare by name; outputs of DirectML are vectors of the same elements, in carriers where it lacks the type."""
    assert list(actual) == list(expected)
    for name, value in actual.items():
        wanted = expected[name]
        is_carrier = value.dtype != wanted.dtype and value.dtype == np.dtype(SAME_WIDTH[wanted.dtype.itemsize * 8])
        found = value.view(wanted.dtype) if is_carrier else value
        assert_same_bits(found.reshape(wanted.shape) if found.size == wanted.size else found, wanted)


def on_wherry(model: Model, inputs: Arrays) -> Arrays:
    """Run a model on the inputs of the one it was made of."""
    if model.dialect != "directml":
        return own(model).run(inputs)
    buffers = {name: _as(array.reshape(-1), model.inputs[name].numpy) for name, array in inputs.items()}
    results = own(model).run(buffers)
    return {command.resource: results[command.resource] for command in model.commands if isinstance(command, Print)}


def _as(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    return array if array.dtype == dtype else np.ascontiguousarray(array).view(dtype)


def on_onnxruntime(model: GraphModel, inputs: Arrays) -> Arrays | Refused:
    """Run an ONNX model on ONNX Runtime."""
    proto = wh.onnx.to_proto(model, model.options["opset"])
    file = b"onnxruntime" + proto.SerializeToString(deterministic=True)
    results = _once(lambda: by_onnxruntime(proto, dict(inputs)), file, inputs=inputs.values())
    return results if isinstance(results, Refused) else dict(zip(model.outputs, results, strict=True))


def on_openvino(model: GraphModel, inputs: Arrays, runtime: OpenVINORuntime, folder: Path) -> Arrays:
    """Run an OpenVINO model on OpenVINO. Raises RefusedError or CrashedError."""
    wh.save(model, folder / "m.xml")
    xml, weights = ((folder / name).read_bytes() for name in ("m.xml", "m.bin"))
    given = [(str(kind.row.openvino), inputs[name]) for name, kind in model.inputs.items()]
    results = _once(lambda: runtime.run(xml, weights, given), xml, weights, inputs=[array for _, array in given])
    return dict(zip(model.outputs, results, strict=True))
