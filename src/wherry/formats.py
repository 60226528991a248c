"""load and save: model files by their endings."""

from __future__ import annotations

import importlib
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

    `source` is a file, the bytes of one, or an onnx.ModelProto. Bytes have no files beside them: those of an .xml with
    constants go to `wherry.openvino.read(xml, weights)`, a ModelProto with external data to `wherry.onnx.read_proto`.
    Operators of an ONNX model or an IR that wherry does not have are kept as opaque nodes, which a runtime runs, and
    `save` writes as they were.
    `sizes` fixes the sizes of an ONNX model's inputs that the file leaves open. `limits` is what reading, planning and
    running the model may take; `run` may be told others.

    Raises FileFormatError for a file that is damaged or of another kind, ResourceLimitError for one that asks for more
    than the limits allow, UnsupportedError for what a file of another format holds and wherry does not have,
    MissingDependencyError for a package that the format needs, FileNotFoundError.
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
    return model


def _reading(source: Any) -> tuple[Callable[..., Model], str, dict[str, str | int]]:
    """Return what reads a source, the ending of files of its format, and what is known of it before."""
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
    """Return the ending of files that begin so: XML and JSON do as no message of protobuf does.

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
