"""onnx.reference: the evaluator in Python that the onnx package has beside its specification."""

from __future__ import annotations

from wherry.models.parts import PartFile
from wherry.runtimes.runtime import CalledSession, Runtime, Session


class OnnxReference(Runtime):
    """The evaluator of the onnx package."""

    name = module = "onnx.reference"
    distribution = extra = "onnx"

    def _session(self, part: PartFile) -> Session:
        from onnx import load_from_string

        evaluator = self.package.ReferenceEvaluator(load_from_string(part.content))
        return CalledSession(self, part, lambda inputs: evaluator.run(list(part.outputs), dict(inputs)))


INSTALLED = OnnxReference
