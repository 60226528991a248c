"""tinygrad: its ONNX runner, on the CPU."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from tempfile import NamedTemporaryFile
from typing import Any

from wherry.models.parts import PartFile
from wherry.runtimes.runtime import Array, CalledSession, Runtime, Session, of_numpy


class Tinygrad(Runtime):
    """tinygrad.nn.onnx, which reads files only."""

    name = extra = "tinygrad"

    def __init__(self, optimize: bool = True) -> None:
        os.environ.setdefault("DEV", "CPU")
        super().__init__(optimize)

    def _session(self, part: PartFile) -> Session:
        from tinygrad.nn.onnx import OnnxRunner

        with NamedTemporaryFile(suffix=".onnx") as file:
            file.write(part.content)
            file.flush()
            runner = OnnxRunner(file.name)

        def call(inputs: Mapping[str, Array]) -> Sequence[Any]:
            found = runner({name: of_numpy(array, "tinygrad") for name, array in inputs.items()})
            return [one.numpy() if hasattr(one, "numpy") else one for one in (found[name] for name in part.outputs)]

        return CalledSession(self, part, call)


INSTALLED = Tinygrad
