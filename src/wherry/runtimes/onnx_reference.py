"""onnx.reference: the Python evaluator of the onnx package."""

from __future__ import annotations

from wherry.models.parts import PartFile
from wherry.runtimes.runtime import CalledSession, Runtime, Session


class OnnxReference(Runtime):
    """The evaluator of the onnx package."""

    name = module = "onnx.reference"
    distribution = extra = "onnx"
    late = ("onnx.reference.ops",)
    reads_paths = True

    def _session(self, part: PartFile) -> Session:
        from onnx import load, load_from_string

        model = load_from_string(part.content) if part.path is None else load(part.path)
        evaluator = self.package.ReferenceEvaluator(model)
        return CalledSession(self, part, lambda inputs: evaluator.run(list(part.outputs), dict(inputs)))


INSTALLED = OnnxReference
