"""load: a model file, by its ending, to a Model."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from wherry.arguments import as_mapping, as_path, ending_of
from wherry.errors import InvalidValueError
from wherry.limits import Limits, limited
from wherry.model import Model

_READERS = {
    ".webnn.json": "wherry.dialects.webnn.graph_json",
    ".onnx": "wherry.dialects.onnx.reader",
    ".xml": "wherry.dialects.openvino.reader",
    ".json": "wherry.dialects.directml.dxdispatch.reader",
}


_LISTS = (".onnx",)
"""The formats whose reader can keep foreign operators, and fix sizes."""


def load(
    path: str | Path,
    *,
    foreign: str = "refuse",
    sizes: Mapping[str, Sequence[int]] | None = None,
    limits: Limits | None = None,
) -> Model:
    """Read a model: ONNX (.onnx), OpenVINO IR (.xml with its .bin), DxDispatch (.json) or a WebNN graph (.webnn.json).

    With `foreign="keep"`, an ONNX model may have operators that wherry does not have: it can be listed, and not run.
    `sizes` fixes the sizes of an ONNX model's inputs that the file leaves open. `limits` is what reading, planning and
    running the model may take; `run` may be told others.

    Raises FileFormatError for a file that is damaged or of another kind, ResourceLimitError for one that asks for more
    than the limits allow, UnsupportedError that lists every operator wherry does not have, MissingDependencyError for a
    package that the format needs, FileNotFoundError.
    """
    path = as_path("path", path)
    ending = ending_of(path, _READERS)
    if not path.is_file():
        raise FileNotFoundError(f"the file {path} is not there")
    reader = importlib.import_module(_READERS[ending])
    with limited(limits):
        if ending in _LISTS:
            model: Model = reader.read(path, foreign=foreign, sizes=sizes)
        elif sizes is not None and as_mapping("sizes", sizes):
            raise InvalidValueError(f"sizes is given, allowed for {', '.join(_LISTS)}; {path.name} declares its own")
        else:
            model = reader.read(path)
    model.limits = limits
    return model
