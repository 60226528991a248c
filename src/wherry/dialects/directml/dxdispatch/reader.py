"""read: a DxDispatch JSON file to a DispatchModel."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from wherry import errors
from wherry.arguments import as_path
from wherry.arrays.npy import open_file
from wherry.dialects import rows
from wherry.dialects.directml.descs import DESCS, OperatorDesc
from wherry.dialects.directml.dxdispatch import scalars, structs
from wherry.dialects.directml.dxdispatch.model import (
    Command,
    Dispatch,
    Dispatchable,
    DispatchModel,
    Print,
    Resource,
    Source,
    WriteFile,
)
from wherry.dialects.directml.dxdispatch.values import BadValue, Memory, ValueReader, as_element
from wherry.dialects.directml.enums import DataType, ExecutionFlags, TensorFlags, as_data_type, as_flags, as_number
from wherry.dialects.directml.members import Member, MemberType
from wherry.dialects.directml.scalar_union import ScalarUnion
from wherry.dialects.directml.scale_bias import ScaleBias
from wherry.dialects.directml.schema import ALIASES, SCHEMA
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.dialects.json_text import Document, parse, shown
from wherry.dialects.json_text import Path as JsonPath
from wherry.errors import cut, short
from wherry.faults import Faults
from wherry.limits import Limits, check_ndim, limited

Entry = TypeVar("Entry")

_COMPILE_TYPES = ("DmlCompileOp", "DmlCompileGraph")


def read(path: str | PathLike[str], *, feature_level: object = "6.4", limits: Limits | None = None) -> DispatchModel:
    """Read a DxDispatch model whose dispatchables are DirectML operators.

    `limits` is what reading and running the model may take; a small file can ask for buffers of any size, and by
    default gets 2 GiB less one byte, or 16 times the values that it gives.

    Raises FileFormatError with line and column for what is not a DxDispatch model, ResourceLimitError beyond the
    limits, UnsupportedError that lists every operator wherry does not have, what `validate` raises for a description,
    MissingDependencyError without pydantic, OSError. The error tells all that is wrong, as far as it can be read.
    Specification: DxDispatch Guide, _schema.json, and its parser where they differ.
    """
    path = as_path("path", path)
    with open_file(path) as file, errors.prefixed(path.name), limited(limits):
        document = parse(file.read(), path.name, comments=True)
        model = _Reader(document, path.parent).model(feature_level)
    model.limits = limits
    return model


def read_bytes(content: bytes) -> DispatchModel:
    """Return the model that the bytes of a file hold; see `read`. Files that it names are refused."""
    with errors.prefixed("the model"):
        return _Reader(parse(content, "the model", comments=True), None).model("6.4")


class _Reader:
    def __init__(self, document: Document, folder: Path | None) -> None:
        self.document, self.folder = document, folder
        self.memory = Memory()
        self.resources: dict[str, Resource] = {}
        self.named: Mapping[str, object] = {}
        """All resources by their names, those too that are wrong."""

    def model(self, feature_level: object) -> DispatchModel:
        root = structs.validated(structs.Root, self.document.value, (), self.document)
        faults = Faults()
        faults.of(self._refuse_unsupported, root.dispatchables)
        self.memory.given = len(self.document.text)
        self.named = root.resources
        for name, raw in root.resources.items():
            with faults.collected():
                self.resources[name] = self._resource(name, raw)
        dispatchables = {
            name: faults.of(self._dispatchable, name, raw)
            for name, raw in root.dispatchables.items()
            if not _is_unsupported(raw)
        }
        commands = [faults.of(self._command, raw, ("commands", number)) for number, raw in enumerate(root.commands)]
        sound = {name: one for name, one in dispatchables.items() if one and self._are_sound(one.bindings)}
        unsound = root.dispatchables.keys() - sound.keys()
        return DispatchModel(
            list(self.resources.values()),
            list(sound.values()),
            [command if command and self._is_sound(command, unsound) else None for command in commands],
            feature_level,
            faults,
        )

    def _is_sound(self, command: Command, unsound: Collection[str]) -> bool:
        """Whether nothing that a command names is wrong in itself; what names nothing is for the model to find."""
        if isinstance(command, Dispatch):
            return command.dispatchable not in unsound and self._are_sound(command.bindings)
        return command.resource in self.resources or command.resource not in self.named

    def _are_sound(self, bindings: Mapping[str, tuple[Source, ...]]) -> bool:
        return all(source.resource in self.resources for sources in bindings.values() for source in sources)

    @staticmethod
    def _refuse_unsupported(dispatchables: dict[str, Any]) -> None:
        missing = [(cut(raw["type"]), short(name)) for name, raw in dispatchables.items() if _is_unsupported(raw)]
        if missing:
            raise rows.unsupported(missing, "DxDispatch", SCHEMA)

    def _resource(self, name: str, raw: Any) -> Resource:
        path = ("resources", name)
        given = structs.validated(structs.Resource, structs.as_object(raw, path, self.document), path, self.document)
        faults = Faults()
        for member, value, only in (("type", given.type, "buffer"), ("resampleMode", given.resample_mode, "scale"),
                                    ("resampleSize", given.resample_size, [])):  # fmt: skip
            if value != only:
                faults.add(self.document.error(
                    (*path, member), f"is {shown(value)}, allowed {shown(only)}: only images are resampled"
                ))  # fmt: skip
        values = faults.of(ValueReader(self.document, path, self.folder, self.memory).read, given)
        if values is None or faults:
            faults.check()
            raise TypeError("unreachable: what has no values has a fault")
        size = -(-values.vector.nbytes // 4) * 4 if given.size_in_bytes is None else given.size_in_bytes
        with self.document.at(path):
            self.memory.check(size, "the resource and those before it")
            self.memory.taken += size
            return Resource(name, values.data_type, values.vector, size, given.initial_values_offset_in_bytes)

    def _dispatchable(self, name: str, raw: Any) -> Dispatchable:
        path: JsonPath = ("dispatchables", name)
        raw, desc_path = self._with_desc(structs.as_object(raw, path, self.document), path)
        given = structs.validated(structs.Dispatchable, raw, path, self.document)
        faults = Faults()
        if given.dml_compile_type not in _COMPILE_TYPES:
            faults.add(self.document.error((*path, "dmlCompileType"), f"is {short(given.dml_compile_type)}, allowed "
                                           f"{', '.join(_COMPILE_TYPES)}"))  # fmt: skip
        with faults.collected(), self.document.at((*path, "executionFlags")):
            as_flags("executionFlags", given.execution_flags, ExecutionFlags)
        desc = faults.of(self._desc, _operator_name(given.type), given.desc, desc_path)
        bindings = faults.of(self._bindings, given.bindings, (*path, "bindings"))
        faults.check()
        assert desc is not None, "it has raised"
        return Dispatchable(name, desc, bindings or {})

    def _with_desc(self, raw: dict[str, Any], path: JsonPath) -> tuple[dict[str, Any], JsonPath]:
        """Return a dispatchable with its members under `desc`, and where they stand in the file."""
        named = [key for key in ("desc", "Desc") if key in raw]
        if len(named) > 1:
            raise self.document.error((*path, "Desc"), "stands beside desc, allowed one of them")
        if named:
            rest = {key: value for key, value in raw.items() if key not in named}
            return {**rest, "desc": raw[named[0]]}, (*path, named[0])
        own = {field.alias for field in structs.Dispatchable.model_fields.values()}
        inner = {key: value for key, value in raw.items() if key not in own}
        return {**{key: value for key, value in raw.items() if key in own}, "desc": inner}, path

    def _desc(self, name: str, raw: dict[str, Any], path: JsonPath) -> OperatorDesc:
        given = structs.validated(structs.operator_desc(name), raw, path, self.document)
        values: dict[str, Any] = {}
        faults = Faults()
        for member in SCHEMA[name].members:
            value, place = getattr(given, member.field), (*path, member.name)
            if member.typed_by is None:
                values[member.field] = faults.of(self._member, member, value, place)
            elif (data_type := values[member.typed_by.field]) is not None:
                values[member.field] = faults.of(self._scalar, value, data_type, place)
        faults.check()
        with self.document.at(path):
            return DESCS[name](**values)

    def _scalar(self, value: Any, data_type: DataType, path: JsonPath) -> ScalarUnion:
        """A number of the type beside it, or an object with the union's member of that type."""
        try:
            return scalars.read(value, data_type)
        except BadValue as error:
            raise self.document.error(path, str(error)) from None

    def _member(self, member: Member, value: Any, path: JsonPath) -> Any:
        """Return the value of a member that is not a scalar; numbers and arrays of them stand as they are."""
        if value is None:
            return None
        if member.type is MemberType.TENSORS:
            return self._every(self._tensor, value, path)
        if member.type is MemberType.NUMBER and member.numbers is not None:
            with self.document.at(path):
                return as_number(member.name, value, member.numbers)
        converters: dict[MemberType, Callable[[Any, JsonPath], Any]] = {
            MemberType.TENSOR: self._tensor,
            MemberType.DATA_TYPE: self._data_type,
            MemberType.FLOAT: self._float,
            MemberType.SCALE_BIAS: self._scale_bias,
        }
        return converters[member.type](value, path) if member.type in converters else value

    def _data_type(self, value: str, path: JsonPath) -> DataType:
        with self.document.at(path):
            return as_data_type(value)

    @staticmethod
    def _every(read: Callable[[Any, JsonPath], Entry], values: list[Any], path: JsonPath) -> tuple[Entry, ...]:
        """Return what reading each entry of an array gives; the error tells all that are wrong."""
        faults = Faults()
        found = [faults.of(read, entry, (*path, number)) for number, entry in enumerate(values)]
        faults.check()
        return tuple(entry for entry in found if entry is not None)

    def _scale_bias(self, value: Any, path: JsonPath) -> ScaleBias:
        scale, bias = (self._float(getattr(value, key.lower()), (*path, key)) for key in ("Scale", "Bias"))
        return ScaleBias(scale, bias)

    def _float(self, value: object, path: JsonPath) -> float:
        try:
            return float(as_element(value, DataType.FLOAT32))
        except BadValue as error:
            raise self.document.error(path, str(error)) from None

    def _tensor(self, raw: Any, path: JsonPath) -> BufferTensorDesc:
        """The short form, or the members under `Desc`; `Type` can only be BUFFER."""
        raw = structs.as_object(raw, path, self.document)
        if (tensor_type := raw.get("Type", "BUFFER")) not in ("BUFFER", "DML_TENSOR_TYPE_BUFFER"):
            raise self.document.error((*path, "Type"), f"is {shown(tensor_type)}, allowed 'BUFFER'")
        members = {key: value for key, value in raw.items() if key != "Type"}
        if isinstance(members.get("Desc"), dict):
            if len(members) > 1:
                raise self.document.error(path, "has members beside Desc, allowed Type only")
            members, path = members["Desc"], (*path, "Desc")
        for key in ("Sizes", "Strides"):
            if isinstance(members.get(key), list):
                with self.document.at(path):
                    check_ndim(len(members[key]), key)
        given = structs.validated(structs.TensorDesc, members, path, self.document)
        count = len(given.sizes)
        if given.dimension_count not in (None, count):
            raise self.document.error(
                (*path, "DimensionCount"), f"is {given.dimension_count}, allowed {count}, the number of Sizes"
            )
        with self.document.at(path):
            return BufferTensorDesc(
                given.data_type,
                given.sizes,
                given.strides or None,
                given.total_tensor_size_in_bytes or None,
                as_flags("Flags", given.flags, TensorFlags),
                given.guaranteed_base_offset_alignment,
            )

    def _bindings(self, raw: dict[str, Any], path: JsonPath) -> dict[str, tuple[Source, ...]]:
        faults = Faults()
        found = {name: faults.of(self._sources, value, (*path, name)) for name, value in raw.items()}
        faults.check()
        return {name: sources or () for name, sources in found.items()}

    def _sources(self, raw: Any, path: JsonPath) -> tuple[Source, ...]:
        return self._every(self._source, raw, path) if isinstance(raw, list) else (self._source(raw, path),)

    def _source(self, raw: Any, path: JsonPath) -> Source:
        if isinstance(raw, str):
            raw = {"name": raw}
        if not isinstance(raw, dict):
            raise self.document.error(
                path, f"is {shown(raw)}, allowed the name of a resource, an object with it, or an array"
            )
        given = structs.validated(structs.Source, raw, path, self.document)
        if given.name not in self.named:
            known = cut(", ".join(map(repr, self.named)) or "none")
            raise self.document.error(path, f"names the resource {short(given.name)}, allowed {known}")
        if given.name not in self.resources:
            return Source(given.name)  # what is wrong about it is told at its own place
        width = self.resources[given.name].data_type.bits // 8
        if given.element_size_in_bytes is not None:
            width = given.element_size_in_bytes
        if given.element_offset and not width:
            raise self.document.error(path, "has an elementOffset without effect, allowed with elementSizeInBytes: the "
                                      "resource has no element type")  # fmt: skip
        return Source(given.name, given.element_offset * width)

    def _command(self, raw: Any, path: JsonPath) -> Command:
        raw = structs.as_object(raw, path, self.document)
        command = raw.get("type")
        shape = structs.COMMANDS.get(command.lower()) if isinstance(command, str) else None
        if shape is None:
            found = shown(command) if "type" in raw else "missing"
            raise self.document.error((*path, "type"), f"is {found}, allowed 'dispatch', 'print', 'writeFile'")
        given = structs.validated(shape, raw, path, self.document)
        if isinstance(given, structs.DispatchCommand):
            return Dispatch(given.dispatchable, self._bindings(given.bindings, (*path, "bindings")))
        if isinstance(given, structs.PrintCommand):
            return Print(given.resource, given.verbose)
        if isinstance(given, structs.WriteFileCommand):
            return WriteFile(given.resource, given.target_path, tuple(given.dimensions))
        raise TypeError(f"unreachable: {shape}")


def _operator_name(operator_type: str) -> str:
    """DirectML's names are case-sensitive, with or without their prefix; SCATTER has two."""
    name = operator_type.removeprefix("DML_OPERATOR_")
    return ALIASES.get(name, name)


def _is_unsupported(dispatchable: Any) -> bool:
    operator_type = dispatchable.get("type") if isinstance(dispatchable, dict) else None
    return isinstance(operator_type, str) and _operator_name(operator_type) not in SCHEMA
