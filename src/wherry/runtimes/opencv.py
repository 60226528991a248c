"""OpenCV's DNN module, on the CPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wherry.errors import UnsupportedError
from wherry.models.parts import PartFile
from wherry.runtimes.runtime import Array, CalledSession, Runtime, Session, of_numpy


class OpenCV(Runtime):
    """cv2.dnn, which reads ONNX files."""

    name = extra = "opencv"
    module = "cv2"
    distribution = "opencv-python-headless"

    def _session(self, part: PartFile) -> Session:
        net = self.package.dnn.readNetFromONNX(np.frombuffer(part.content, np.uint8))

        def call(inputs: Mapping[str, Array]) -> Sequence[Any]:
            for name, array in inputs.items():
                net.setInput(of_numpy(array, "OpenCV"), name)
            found: Sequence[Any] = net.forward(list(part.outputs))
            if any(one is None for one in found):
                raise UnsupportedError("OpenCV's Python package gives None for a tensor without elements")
            return found

        return CalledSession(self, part, call)


INSTALLED = OpenCV
