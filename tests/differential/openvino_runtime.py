"""OpenVINO's CPU plugin as a witness, in a child process that is started anew when a model kills it."""

from __future__ import annotations

import pickle
import struct
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from wherry import dtypes
from wherry.dialects.openvino.packing import pack, unpack
from wherry.dialects.openvino.writer import write

_CHILD = Path(__file__).with_name("openvino_child.py")


class RefusedError(Exception):
    """The runtime refused the model or its inputs, with words."""


class CrashedError(Exception):
    """The runtime killed its process."""


class OpenVINORuntime:
    """Runs graphs, written by our writer, on OpenVINO."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None

    def close(self) -> None:
        """End the child, if there is one."""
        if self._child is not None:
            self._child.kill()
            self._child.communicate()
            self._child = None

    def run_graph(self, graph, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Write the graph, run it, and return its outputs by name."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / "m.xml"
            write(graph, path)
            xml, weights = path.read_bytes(), path.with_suffix(".bin").read_bytes()
        kinds = [(graph.inputs[name].dtype, value) for name, value in inputs.items()]
        return dict(zip(graph.outputs, self.run(xml, weights, kinds), strict=True))

    def run(self, xml: bytes, weights: bytes, inputs: list[tuple[Any, np.ndarray]]) -> list[np.ndarray]:
        """Run a model on arrays, each with its element type. Raises RefusedError or CrashedError."""
        return [_array(*tensor) for tensor in self._ask((xml, weights, [_tensor(*one) for one in inputs]))]

    def _ask(self, request: object) -> Any:
        if self._child is None:
            command = [sys.executable, str(_CHILD)]
            self._child = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        data = pickle.dumps(request)
        pipe_in, pipe_out = self._child.stdin, self._child.stdout
        try:
            pipe_in.write(struct.pack("<q", len(data)) + data)
            pipe_in.flush()
            head = pipe_out.read(8)
            answer = pipe_out.read(struct.unpack("<q", head)[0]) if len(head) == 8 else b""
        except BrokenPipeError:
            answer = b""
        if not answer:
            self._child.wait()
            status = self._child.returncode
            self.close()
            raise CrashedError(f"the process ended with {status}")
        kind, content = pickle.loads(answer)
        if kind == "error":
            raise RefusedError(content)
        return content


def _tensor(dtype: Any, value: np.ndarray) -> tuple[str, tuple[int, ...], Any]:
    content = value.reshape(-1).tolist() if dtype.is_string else pack(dtype, value)
    return dtype.openvino, value.shape, content


def _array(kind: str, shape: tuple[int, ...], content: Any) -> np.ndarray:
    dtype = dtypes.by_spelling("openvino")[kind]
    if dtype.is_string:
        return np.array(content, object).reshape(shape)
    return unpack(dtype, np.frombuffer(content, np.uint8), shape)
