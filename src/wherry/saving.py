"""save: a model to a file of its dialect, by the file's ending."""

from __future__ import annotations

import importlib
from pathlib import Path

from wherry.arguments import as_path, check_is, ending_of
from wherry.errors import InvalidValueError
from wherry.model import Model

_WRITERS = {
    ".webnn.json": ("webnn", "wherry.dialects.webnn.graph_json"),
    ".js": ("webnn", "wherry.dialects.webnn.javascript"),
    ".mjs": ("webnn", "wherry.dialects.webnn.javascript"),
    ".onnx": ("onnx", "wherry.dialects.onnx.writer"),
    ".xml": ("openvino", "wherry.dialects.openvino.writer"),
    ".json": ("directml", "wherry.dialects.directml.dxdispatch.writer"),
}


def dialect_of(path: str | Path) -> str:
    """Return the dialect of the files with this path's ending. Raises FileFormatError for an ending that none has.

    >>> dialect_of("model.xml")
    'openvino'
    """
    return _WRITERS[ending_of(as_path("path", path), _WRITERS)][0]


def save(model: Model, path: str | Path) -> None:
    """Write a model in its own dialect: ONNX (.onnx), OpenVINO IR (.xml with its .bin), DxDispatch (.json), or a WebNN
    graph as JSON (.webnn.json) or as JavaScript that calls MLGraphBuilder (.js, .mjs).

    The version stays that of the model (`model.options`). Raises InvalidValueError for a model of another dialect than
    the path's ending says, which `wherry.convert` turns into it; UnsupportedError for what the writer cannot express,
    MissingDependencyError for a package that the format needs, OSError. No file is written then.
    """
    path = as_path("path", path)
    dialect = dialect_of(path)
    check_is("model", model, Model, "what wherry.load returns")
    if dialect != model.dialect:
        raise InvalidValueError(
            f"the file {path.name} is for a model of the dialect {dialect}, but this one is of {model.dialect}; "
            f"convert it first: wherry.convert(model, {dialect!r})"
        )
    writer = importlib.import_module(_WRITERS[ending_of(path, _WRITERS)][1])
    writer.write(model, path, **model.options)
