"""`load` and `save`: model files, by the endings of their names."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wherry.arguments import as_mapping, as_path, check_is, ending_of
from wherry.errors import InvalidValueError
from wherry.garbage import uncollected
from wherry.limits import Limits, limited
from wherry.models.model import Model

if TYPE_CHECKING:
    from onnx import ModelProto

_READERS = {
    ".webnn.json": "wherry.dialects.webnn.graph_json",
    ".onnx": "wherry.dialects.onnx.reader",
    ".xml": "wherry.dialects.openvino.reader",
    ".json": "wherry.dialects.directml.dxdispatch.reader",
}

_WRITERS = {
    ".webnn.json": ("webnn", "wherry.dialects.webnn.graph_json"),
    ".js": ("webnn", "wherry.dialects.webnn.javascript"),
    ".mjs": ("webnn", "wherry.dialects.webnn.javascript"),
    ".onnx": ("onnx", "wherry.dialects.onnx.writer"),
    ".xml": ("openvino", "wherry.dialects.openvino.writer"),
    ".json": ("directml", "wherry.dialects.directml.dxdispatch.writer"),
}

_SIZED = (".onnx",)
"""The formats whose reader can fix sizes."""


def load(
    source: str | Path | bytes | ModelProto,
    *,
    sizes: Mapping[str, Sequence[int]] | None = None,
    limits: Limits | None = None,
) -> Model:
    """Read a model: ONNX (.onnx), OpenVINO IR (.xml with its .bin), DxDispatch (.json) or a WebNN graph (.webnn.json).

    `source` is a path, the bytes of a file, or an onnx.ModelProto. Bytes have no files beside them: read an .xml with
    constants by `wherry.openvino.read(xml, weights)`, a ModelProto with external data by `wherry.onnx.read_proto`.
    Operators of an ONNX model or an IR that wherry lacks become opaque nodes, which a runtime runs, and `save` writes
    unchanged. `sizes` fixes open sizes of an ONNX model's inputs. `limits` bounds reading, planning and running; `run`
    takes others.

    Raises FileFormatError for a file that is damaged or of another format, ResourceLimitError for one that exceeds the
    limits, UnsupportedError for an operator of a DxDispatch or WebNN file that wherry lacks, MissingDependencyError if
    a package that the format needs is not installed, FileNotFoundError.
    """
    read, ending, about = _reading(source)
    with limited(limits), uncollected():
        if ending in _SIZED:
            model = read(sizes=sizes)
        elif sizes is not None and as_mapping("sizes", sizes):
            raise InvalidValueError(f"sizes is given, allowed for {', '.join(_SIZED)}; the model declares its own")
        else:
            model = read()
    model.limits = limits
    model.about = {**about, **model.about}
    model.file = Path(source).resolve() if isinstance(source, str | os.PathLike) else None
    return model


def _reading(source: Any) -> tuple[Callable[..., Model], str, dict[str, str | int]]:
    """Return the reader of a source, the ending of its format, and facts for `Model.about`."""
    if isinstance(source, bytes | bytearray | memoryview):
        content = bytes(source)
        ending = _ending_of_bytes(content)
        reader = importlib.import_module(_READERS[ending])
        return partial(reader.read if ending == ".xml" else reader.read_bytes, content), ending, {"bytes": len(content)}
    if type(source).__name__ == "ModelProto":  # onnx is imported where there is one
        reader = importlib.import_module(_READERS[".onnx"])
        return partial(reader.read_proto, source), ".onnx", {}
    path = as_path("source", source)
    ending = ending_of(path, _READERS)
    if not path.is_file():
        raise FileNotFoundError(f"the file {path} is not there")
    reader = importlib.import_module(_READERS[ending])
    return partial(reader.read, path), ending, {"file": path.name, "bytes": path.stat().st_size}


def _ending_of_bytes(content: bytes) -> str:
    """Return the ending of the format of a file's bytes: no protobuf message begins like XML or JSON.

    >>> _ending_of_bytes(b'<?xml version="1.0"?><net/>'), _ending_of_bytes(b'{"dispatchables": {}}')
    ('.xml', '.json')
    """
    first = content[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if first == b"<":
        return ".xml"
    if first in (b"{", b"/"):  # a comment, as DxDispatch has them
        return ".json" if b'"dispatchables"' in content else ".webnn.json"
    return ".onnx"


def dialect_of(path: str | Path) -> str:
    """Return the dialect of files with this path's ending. Raises FileFormatError for an unknown ending.

    >>> dialect_of("model.xml")
    'openvino'
    """
    return _WRITERS[ending_of(as_path("path", path), _WRITERS)][0]


def save(model: Model, path: str | Path) -> None:
    """Write a model in its own dialect: ONNX (.onnx), OpenVINO IR (.xml with its .bin), DxDispatch (.json), or a WebNN
    graph as JSON (.webnn.json) or as JavaScript that calls MLGraphBuilder (.js, .mjs).

    The version stays that of the model (`model.options`). Raises InvalidValueError if the ending is that of another
    dialect (use `wherry.convert`), UnsupportedError for operators that the format cannot express,
    MissingDependencyError if a package that the format needs is not installed, OSError. After an error no file is
    written.
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
