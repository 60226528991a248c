"""Apache TVM: models compiled for the CPU by Relax and LLVM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wherry.models.parts import PartFile
from wherry.runtimes.runtime import Array, CalledSession, Runtime, Session


class TVM(Runtime):
    """TVM's Relax front end for ONNX, and its virtual machine."""

    name = extra = "tvm"
    distribution = "apache-tvm"

    def _session(self, part: PartFile) -> Session:
        from onnx import load_from_string
        from tvm import relax
        from tvm.relax.frontend.onnx import from_onnx

        module = relax.transform.DecomposeOpsForInference()(from_onnx(load_from_string(part.content)))
        machine = relax.VirtualMachine(self.package.compile(module, target="llvm"), self.package.cpu())

        def call(inputs: Mapping[str, Array]) -> Sequence[Any]:
            found = machine["main"](*(self.package.runtime.tensor(inputs[name]) for name in part.inputs))
            return [one.numpy() if hasattr(one, "numpy") else np.array(one, np.int64) for one in self._several(found)]

        return CalledSession(self, part, call)

    def _several(self, found: Any) -> Sequence[Any]:
        """Return results as several; one result is a tensor, or a shape."""
        return found if isinstance(found, self.package.ir.Array) else [found]


INSTALLED = TVM
