"""Runs one ONNX model on a runtime, in a process of its own: what comes on stdin is pickled, so is what goes out."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import numpy as np

sys.modules["openvino_telemetry"] = None  # it would fork this process, and the fork would keep the pipe open


def onnxruntime_gives(model: bytes, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return list(session.run(None, inputs))


def openvino_gives(model: bytes, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
    import openvino

    core = openvino.Core()
    compiled = core.compile_model(core.read_model(model), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    results = compiled({compiled.input(name): value for name, value in inputs.items()})
    return [np.array(results[port]) for port in compiled.outputs]


def main() -> None:
    name, model, inputs = pickle.loads(sys.stdin.buffer.read())
    run = {"onnxruntime": onnxruntime_gives, "openvino": openvino_gives}[name]
    found: Any
    try:
        found = run(model, inputs)
    except Exception as error:
        found = str(error)
    sys.stdout.buffer.write(b"answer:" + pickle.dumps(found))


if __name__ == "__main__":
    main()
