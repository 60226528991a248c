"""onnxruntime-web: ONNX Runtime compiled to WebAssembly, under Node."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from wherry.errors import MissingDependencyError, OtherRuntimeError
from wherry.models.parts import PartFile
from wherry.runtimes.runtime import Array, CalledSession, Runtime, Session, of_numpy

_PACKAGE = Path("node_modules", "onnxruntime-web", "package.json")


class OnnxRuntimeWeb(Runtime):
    """The npm package onnxruntime-web, found in NODE_PATH, or in node_modules here or in a folder above."""

    name = extra = "onnxruntime-web"

    @classmethod
    def imported(cls) -> Any:
        """Return where Node and the package are."""
        node = shutil.which("node")
        here = Path.cwd()
        listed = [Path(place).parent for place in os.environ.get("NODE_PATH", "").split(os.pathsep) if place]
        folder = next((one for one in (*listed, here, *here.parents) if (one / _PACKAGE).is_file()), None)
        if node is None or folder is None:
            raise MissingDependencyError("running through onnxruntime-web needs Node and the npm package "
                                         "onnxruntime-web; install it with: npm install onnxruntime-web")  # fmt: skip
        return _Package(node, folder)

    def _session(self, part: PartFile) -> Session:
        def call(inputs: Mapping[str, Array]) -> Sequence[Any]:
            reply: Any = self.package.ask(
                {
                    "model": base64.b64encode(part.content).decode(),
                    "inputs": {name: _packed(array) for name, array in inputs.items()},
                    "outputs": list(part.outputs),
                }
            )
            if "error" in reply:
                raise OtherRuntimeError(f"{self.title} refuses or fails: {reply['error']}")
            return [_array(one) for one in reply["outputs"]]

        return CalledSession(self, part, call)


class _Package:
    """Node, and the folder in whose node_modules the package is."""

    def __init__(self, node: str, folder: Path) -> None:
        self._node = node
        self._folder = folder
        self.__version__ = json.loads((folder / _PACKAGE).read_text("utf-8"))["version"]

    def ask(self, request: dict[str, Any]) -> Any:
        """Return the reply of the script; if Node dies, this process dies of the same signal."""
        with resources.as_file(resources.files(__package__).joinpath("onnxruntime_web.mjs")) as script:
            done = subprocess.run(
                [self._node, str(script)],
                input=json.dumps({**request, "folder": str(self._folder)}).encode(),
                capture_output=True,
                check=False,
            )
        if done.returncode < 0:
            os.kill(os.getpid(), -done.returncode)
        if not done.stdout:
            words = done.stderr.decode(errors="replace").strip().splitlines()
            raise OtherRuntimeError(f"Node ends with status {done.returncode}: {words[-1] if words else 'no words'}")
        return json.loads(done.stdout)


def _packed(array: Array) -> dict[str, Any]:
    dims = list(array.shape)
    if array.dtype.hasobject:
        return {"type": "string", "dims": dims, "data": array.reshape(-1).tolist()}
    content = of_numpy(array, "onnxruntime-web").tobytes()
    return {"type": array.dtype.name, "dims": dims, "data": base64.b64encode(content).decode()}


def _array(found: Mapping[str, Any]) -> Array:
    if found["type"] == "string":
        return np.array(found["data"], object).reshape(found["dims"])
    return np.frombuffer(base64.b64decode(found["data"]), found["type"]).reshape(found["dims"])


INSTALLED = OnnxRuntimeWeb
