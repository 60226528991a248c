"""ncnn: models converted by pnnx, run on the CPU. It computes in floats, and its tensors have four axes at most."""

from __future__ import annotations

import importlib
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from wherry.errors import OtherRuntimeError, UnsupportedError
from wherry.models.parts import PartFile
from wherry.runtimes.runtime import Array, CalledSession, Runtime, Session

_KINDS = {"float32": "f32", "int64": "i64", "int32": "i32"}
"""pnnx's names of the types that ncnn's Python package hands over; it computes the integers as floats."""


class Ncnn(Runtime):
    """pnnx wants to know the sizes of what is given, so that it converts when it is asked to run."""

    name = extra = "ncnn"

    def _session(self, part: PartFile) -> Session:
        pnnx = importlib.import_module("pnnx")

        def call(inputs: Mapping[str, Array]) -> Sequence[Any]:
            arrays = [inputs[name] for name in part.inputs]
            with TemporaryDirectory() as folder:
                self._convert(pnnx.EXEC_PATH, Path(folder), part.content, arrays)
                net = self.package.Net()
                net.opt.use_fp16_packed = net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = False
                if net.load_param(f"{folder}/part.ncnn.param") or net.load_model(f"{folder}/part.ncnn.bin"):
                    raise OtherRuntimeError(f"{self.title} does not load it: an operator that ncnn has not")
            return self._extracted(net, arrays, len(part.outputs))

        return CalledSession(self, part, call)

    def _convert(self, program: str, folder: Path, content: bytes, arrays: Sequence[Array]) -> None:
        """Write part.ncnn.param and part.ncnn.bin."""
        (folder / "part.onnx").write_bytes(content)
        for array in arrays:
            if array.dtype.name not in _KINDS:
                raise UnsupportedError(f"ncnn takes no {array.dtype}")
        sizes = ",".join(f"{str(list(one.shape)).replace(' ', '')}{_KINDS[one.dtype.name]}" for one in arrays)
        done = subprocess.run(
            [program, "part.onnx", f"inputshape={sizes}", "fp16=0"], cwd=folder, capture_output=True, check=False
        )
        if done.returncode or not (folder / "part.ncnn.param").exists():
            words = (done.stdout + done.stderr).decode(errors="replace").strip().splitlines()
            raise OtherRuntimeError(f"pnnx does not convert it: {words[-1] if words else done.returncode}")

    def _extracted(self, net: Any, arrays: Sequence[Array], count: int) -> list[Array]:
        with net.create_extractor() as extractor:
            for number, array in enumerate(arrays):
                if extractor.input(f"in{number}", self.package.Mat(array).clone()):
                    raise OtherRuntimeError(f"{self.title} does not take input {number}")
            found = []
            for number in range(count):
                status, mat = extractor.extract(f"out{number}")
                if status:
                    raise OtherRuntimeError(f"{self.title} fails: status {status}")
                found.append(np.array(mat))
            return found


INSTALLED = Ncnn
