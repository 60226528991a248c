"""IREE: models compiled for the CPU by LLVM, through MLIR's torch dialect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wherry.models.parts import PartFile
from wherry.runtimes.runtime import Array, CalledSession, Runtime, Session


class IREE(Runtime):
    """IREE's compiler and its runtime."""

    name = extra = "iree"
    module = "iree.runtime"
    distribution = "iree-base-runtime"

    def _session(self, part: PartFile) -> Session:
        from iree import compiler
        from iree.compiler import ir
        from iree.compiler.extras import onnx_importer
        from onnx import load_from_string

        model = load_from_string(part.content)
        context = ir.Context()
        info = onnx_importer.ModelInfo(model)
        made = info.create_module(context=context)
        importer = onnx_importer.NodeImporter.define_function(info.main_graph, made.operation)
        importer.import_all()
        compiled = compiler.compile_str(
            str(made), input_type="onnx", target_backends=["llvm-cpu"], extra_args=["--iree-llvmcpu-target-cpu=host"]
        )
        config = self.package.Config("local-sync")
        module = self.package.VmModule.copy_buffer(config.vm_instance, compiled)
        bound = self.package.load_vm_module(module, config)
        main = getattr(bound, model.graph.name)

        def call(inputs: Mapping[str, Array]) -> Sequence[Any]:
            found = main(*(inputs[name] for name in part.inputs))
            return [one.to_host() for one in (found if isinstance(found, (tuple, list)) else [found])]

        return CalledSession(self, part, call)


INSTALLED = IREE
