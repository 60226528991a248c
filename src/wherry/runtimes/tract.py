"""tract: Sonos' runtime in Rust, through its Python package."""

from __future__ import annotations

from tempfile import NamedTemporaryFile

from wherry.models.parts import PartFile
from wherry.runtimes.runtime import CalledSession, Runtime, Session, of_numpy


class Tract(Runtime):
    """tract, which reads files only."""

    name = extra = "tract"

    def _session(self, part: PartFile) -> Session:
        with NamedTemporaryFile(suffix=".onnx") as file:
            file.write(part.content)
            file.flush()
            model = self.package.onnx().load(file.name)
        names = [model.input_name(number) for number in range(model.input_count())]
        runnable = model.into_model().into_runnable()
        return CalledSession(
            self,
            part,
            lambda inputs: [
                one.to_numpy() for one in runnable.run([of_numpy(inputs[name], "tract") for name in names])
            ],
        )


INSTALLED = Tract
