"""load: a model file, by its ending, to a Model."""

from __future__ import annotations

import importlib
from pathlib import Path

from wherry.errors import FileFormatError
from wherry.model import Model

_READERS = {
    ".onnx": "wherry.dialects.onnx.reader",
    ".xml": "wherry.dialects.openvino.reader",
    ".json": "wherry.dialects.directml.dxdispatch.reader",
}


def load(path: str | Path) -> Model:
    """Read a model: ONNX (.onnx), OpenVINO IR (.xml with its .bin) or DxDispatch (.json).

    Raises FileFormatError for a file that is damaged or of another kind, UnsupportedError that lists every operator
    wherry does not have, MissingDependencyError for a package that the format needs, FileNotFoundError.
    """
    path = Path(path)
    module = _READERS.get(path.suffix.lower())
    if module is None:
        raise FileFormatError(f"the file {path.name} ends in {path.suffix!r}, allowed {', '.join(_READERS)}")
    if not path.is_file():
        raise FileNotFoundError(f"the file {path} is not there")
    model: Model = importlib.import_module(module).read(path)
    return model
