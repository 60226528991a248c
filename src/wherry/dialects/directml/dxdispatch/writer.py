"""write: a graph or a model as a DxDispatch JSON file, with .npy files beside it for long constants."""

from __future__ import annotations

import io
import json
from enum import IntEnum
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import errors
from wherry.arguments import as_path
from wherry.dialects.directml.descs import OperatorDesc
from wherry.dialects.directml.dxdispatch import scalars
from wherry.dialects.directml.dxdispatch.from_graph import from_graph
from wherry.dialects.directml.dxdispatch.model import Command, Dispatch, DispatchModel, Print, Resource, Source
from wherry.dialects.directml.dxdispatch.scalars import number
from wherry.dialects.directml.dxdispatch.values import BadValue, as_element
from wherry.dialects.directml.enums import DataType
from wherry.dialects.directml.members import Member, MemberType
from wherry.dialects.directml.scale_bias import ScaleBias
from wherry.dialects.directml.tensor_desc import BufferTensorDesc, calc_buffer_tensor_size
from wherry.errors import InvalidTypeError
from wherry.files import beside
from wherry.graph import Graph
from wherry.models.model import Model

Array = NDArray[Any]

_INLINE_LIMIT = 64
"""The most values that stand in the JSON itself; more go to an .npy file."""


def write(model: Model | Graph, path: str | PathLike[str], *, feature_level: object = "6.4") -> None:
    """Write a model or a graph as a DxDispatch model.

    Of a graph every tensor becomes a buffer (inputs start as zero), every node a dispatch, every result a print
    command. Constants of more than 64 values, or that JSON cannot hold bit by bit, go to files `<stem>.<number>.npy`
    beside the model. Existing files of these names are replaced; nothing is written if something is refused.

    Raises UnsupportedError, InvalidTypeError or InvalidValueError that names the node and the rule which DirectML
    cannot express, OSError. Specification: DxDispatch Guide and _schema.json.
    """
    path = as_path("path", path)
    if isinstance(model, Model) and not isinstance(model, DispatchModel):
        model = model.graph
    if isinstance(model, Graph):
        model = from_graph(model, feature_level)
    if not isinstance(model, DispatchModel):
        raise InvalidTypeError(f"model is a {type(model).__name__}, allowed a Model or a Graph", "DxDispatch writer")
    writer = _Writer(path.stem)
    text = json.dumps(writer.document(model), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    for name, content in writer.files.items():
        with beside(path.with_name(name)) as aside:
            aside.write_bytes(content)
    with beside(path) as aside:
        aside.write_text(text, encoding="utf-8")


class _Writer:
    """Makes the JSON document, and the files that it names."""

    def __init__(self, stem: str) -> None:
        self.stem = stem
        self.files: dict[str, bytes] = {}

    def document(self, model: DispatchModel) -> dict[str, Any]:
        resources = {name: self._resource(resource) for name, resource in model.resources.items()}
        dispatchables = {
            name: {
                "type": f"DML_OPERATOR_{dispatchable.desc.name}",
                "desc": desc_to_json(dispatchable.desc),
                **({"bindings": _bindings(dispatchable.bindings, model)} if dispatchable.bindings else {}),
            }
            for name, dispatchable in model.dispatchables.items()
        }
        commands = [_command(command, model) for command in model.commands]
        return {"resources": resources, "dispatchables": dispatchables, "commands": commands}

    def _resource(self, resource: Resource) -> dict[str, Any]:
        written: dict[str, Any] = {}
        if resource.data_type is not DataType.UNKNOWN:
            written["initialValuesDataType"] = resource.data_type.name
        written["initialValues"] = self._values(resource)
        if resource.size_in_bytes != -(-resource.values.nbytes // 4) * 4:
            written["sizeInBytes"] = resource.size_in_bytes
        if resource.offset:
            written["initialValuesOffsetInBytes"] = resource.offset
        return written

    def _values(self, resource: Resource) -> object:
        values, data_type = resource.values, resource.data_type
        if data_type is DataType.UNKNOWN:
            return [{"type": "UINT8", "value": value} for value in values.tolist()]
        if _repeats(values) and (first := _tokens(values[:1], data_type)) is not None:
            return {"valueCount": values.size, "value": first[0]} if values.size > 1 else first
        if values.size <= _INLINE_LIMIT and (tokens := _tokens(values, data_type)) is not None:
            return tokens
        name = f"{self.stem}.{len(self.files)}.npy"
        file = io.BytesIO()
        np.save(file, values, allow_pickle=False)
        self.files[name] = file.getvalue()
        return {"sourcePath": name}


def _repeats(values: Array) -> bool:
    """Whether all elements have the same bits."""
    if values.strides == (0,):
        return True
    bits = values.view(f"u{values.dtype.itemsize}")
    return bool((bits == bits[0]).all())


def _tokens(values: Array, data_type: DataType) -> list[Any] | None:
    """Return the values as JSON holds them, or None where one would come back with other bits."""
    tokens = [number(value) for value in values.tolist()]
    try:
        back = np.array([as_element(token, data_type) for token in tokens], values.dtype)
    except BadValue:
        return None
    return tokens if back.tobytes() == values.tobytes() else None


def desc_to_json(desc: OperatorDesc) -> dict[str, Any]:
    """Return the members of a description as DxDispatch spells them."""
    written = {}
    for member in desc.info.members:
        value = getattr(desc, member.field)
        if member.typed_by is not None:
            with errors.subject(f"DirectML {desc.name}"):
                written[member.name] = scalars.written(member.name, value, getattr(desc, member.typed_by.field))
        elif value is not None:
            written[member.name] = _member(member, value)
    return written


def _member(member: Member, value: Any) -> Any:
    if member.type is MemberType.TENSORS:
        return [_tensor(tensor) for tensor in value]
    if isinstance(value, BufferTensorDesc):
        return _tensor(value)
    if isinstance(value, ScaleBias):
        return {"Scale": number(value.scale), "Bias": number(value.bias)}
    if isinstance(value, IntEnum):
        return value.name
    return number(value) if isinstance(value, float) else value


def _tensor(tensor: BufferTensorDesc) -> dict[str, Any]:
    written: dict[str, Any] = {"DataType": tensor.data_type.name, "Sizes": list(tensor.sizes)}
    if tensor.strides is not None:
        written["Strides"] = list(tensor.strides)
    if tensor.total_tensor_size_in_bytes != calc_buffer_tensor_size(tensor.data_type, tensor.sizes, tensor.strides):
        written["TotalTensorSizeInBytes"] = tensor.total_tensor_size_in_bytes
    if tensor.flags:
        written["Flags"] = tensor.flags.name
    if tensor.guaranteed_base_offset_alignment:
        written["GuaranteedBaseOffsetAlignment"] = tensor.guaranteed_base_offset_alignment
    return written


def _bindings(bindings: Any, model: DispatchModel) -> dict[str, Any]:
    written = {}
    for name, sources in bindings.items():
        entries = [_source(source, model) for source in sources]
        written[name] = entries[0] if len(entries) == 1 else entries
    return written


def _source(source: Source, model: DispatchModel) -> str | dict[str, Any]:
    width = model.resources[source.resource].data_type.bits // 8
    if source.offset == 0:
        return source.resource
    if width and source.offset % width == 0:
        return {"name": source.resource, "elementOffset": source.offset // width}
    return {"name": source.resource, "elementOffset": source.offset, "elementSizeInBytes": 1}


def _command(command: Command, model: DispatchModel) -> dict[str, Any]:
    if isinstance(command, Dispatch):
        bindings = _bindings(command.bindings, model)
        return {"type": "dispatch", "dispatchable": command.dispatchable, "bindings": bindings}
    if isinstance(command, Print):
        return {"type": "print", "resource": command.resource, **({"verbose": True} if command.verbose else {})}
    written: dict[str, Any] = {"type": "writeFile", "resource": command.resource, "targetPath": command.target_path}
    return {**written, "dimensions": list(command.dimensions)} if command.dimensions else written
