"""The objects and structs of a DxDispatch model, member by member; an unknown member is refused, never dropped."""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import Annotated, Any, TypeVar

from wherry import errors

try:
    from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
    from pydantic.alias_generators import to_camel, to_pascal
except ImportError:
    raise errors.missing("pydantic", "directml", "reading a DxDispatch model") from None

from wherry.dialects.directml.members import MemberType
from wherry.dialects.directml.schema import SCHEMA
from wherry.dialects.json_text import Document, Path, shown
from wherry.faults import Faults
from wherry.limits import MAX_ENTRIES

UInt32 = Annotated[int, Field(ge=0, lt=2**32)]
UInt64 = Annotated[int, Field(ge=0, lt=2**64)]
Int32 = Annotated[int, Field(ge=-(2**31), lt=2**31)]
UInt32s = Annotated[list[UInt32], Field(max_length=MAX_ENTRIES)]
Int32s = Annotated[list[Int32], Field(max_length=MAX_ENTRIES)]
Flags = str | Annotated[list[str], Field(max_length=MAX_ENTRIES)]


class Strict(BaseModel):
    """A tool-level object: member names in camel case, values as they stand, nothing else."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", alias_generator=to_camel)


class DirectMLStruct(BaseModel):
    """A DirectML struct: member names as in the header."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", alias_generator=to_pascal)


class Root(Strict):
    """The model; other members of the root, such as $schema, are ignored by DxDispatch and here."""

    model_config = ConfigDict(strict=True, extra="ignore", alias_generator=to_camel)

    resources: dict[str, Any]
    dispatchables: dict[str, Any]
    commands: list[Any]


class Resource(Strict):
    """A buffer with its initial values."""

    initial_values: list[Any] | dict[str, Any] | str
    initial_values_data_type: str = "UNKNOWN"
    size_in_bytes: UInt64 | None = None
    initial_values_offset_in_bytes: UInt64 = 0
    resample_size: UInt32s = []
    resample_mode: str = "scale"
    type: str = "buffer"


class ConstantValues(Strict):
    """One value, repeated."""

    value_count: UInt64
    value: int | float | str


class SequenceValues(Strict):
    """A start, and what each next value adds."""

    value_count: UInt64
    value_start: int | float | str
    value_delta: int | float | str


class FileValues(Strict):
    """A file beside the model."""

    source_path: str


class ListEntry(Strict):
    """One value of its own type; the name is a comment."""

    name: str = ""
    type: str
    value: int | float | str


class Dispatchable(Strict):
    """A DirectML operator; its description may stand in `desc`, or beside `type`."""

    type: str
    desc: dict[str, Any]
    dml_compile_type: str = "DmlCompileOp"
    execution_flags: Flags = "NONE"
    bindings: dict[str, Any] = {}


class Source(Strict):
    """A resource, from an element on. DxDispatch reads `elementCount` but binds the rest of the buffer all the same."""

    name: str
    element_offset: UInt64 = 0
    element_size_in_bytes: UInt64 | None = None
    element_count: UInt64 | None = None


class DispatchCommand(Strict):
    """Run a dispatchable; `threadGroupCount` is for HLSL and means nothing here."""

    type: str
    dispatchable: str
    bindings: dict[str, Any]
    thread_group_count: Annotated[list[UInt32], Field(min_length=3, max_length=3)] = [1, 1, 1]


class PrintCommand(Strict):
    """Print a resource."""

    type: str
    resource: str
    verbose: bool = False


class WriteFileCommand(Strict):
    """Write a resource to a file."""

    type: str
    resource: str
    target_path: str
    dimensions: UInt32s = []


COMMANDS: dict[str, type[Strict]] = {
    "dispatch": DispatchCommand,
    "print": PrintCommand,
    "writefile": WriteFileCommand,
}
"""The commands by their type, in lower case: its letter case does not matter."""


class TensorDesc(DirectMLStruct):
    """DML_BUFFER_TENSOR_DESC."""

    data_type: str
    sizes: UInt32s
    dimension_count: UInt32 | None = None
    strides: UInt32s = []
    flags: Flags = "NONE"
    total_tensor_size_in_bytes: UInt64 = 0
    guaranteed_base_offset_alignment: UInt32 = 0


class ScaleBiasStruct(DirectMLStruct):
    """DML_SCALE_BIAS."""

    scale: int | float | str
    bias: int | float | str


_JSON_TYPES: dict[MemberType, Any] = {
    MemberType.TENSOR: dict[str, Any],
    MemberType.TENSORS: list[Any],
    MemberType.COUNT: UInt32,
    MemberType.UINT: UInt32,
    MemberType.INT: Int32,
    MemberType.UINTS: UInt32s,
    MemberType.INTS: Int32s,
    MemberType.FLOAT: int | float | str,
    MemberType.BOOL: bool,
    MemberType.DATA_TYPE: str,
    MemberType.SCALAR: int | float | dict[str, Any],
    MemberType.NUMBER: str,
    MemberType.SCALE_BIAS: ScaleBiasStruct,
}


@cache
def operator_desc(name: str) -> type[DirectMLStruct]:
    """Return the shape of an operator's description, made from the schema: every member, the optional ones optional."""
    fields: dict[str, Any] = {
        member.field: (_JSON_TYPES[member.type], None if member.optional else ...) for member in SCHEMA[name].members
    }
    return create_model(f"{name} description", __base__=DirectMLStruct, **fields)


Shape = TypeVar("Shape", bound=BaseModel)


def as_object(value: Any, path: Path, document: Document) -> dict[str, Any]:
    """Return a value that is an object. Raises FileFormatError."""
    if not isinstance(value, dict):
        raise document.error(path, f"is {shown(value)}: input should be a valid object")
    return value


def validated(shape: type[Shape], value: Any, path: Path, document: Document) -> Shape:
    """Return `value` in its shape. Raises FileFormatError that names every member that does not fit."""
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False)
    names = [field.alias or name for name, field in shape.model_fields.items()]
    faults = Faults()
    for inner, at_place in groupby(details, lambda detail: _existing(value, detail["loc"])):
        faults.add(document.error((*path, *inner), _message(list(at_place), names)))
    faults.check()
    raise TypeError("unreachable: pydantic names what does not fit")


def _existing(value: Any, location: tuple[int | str, ...]) -> Path:
    """Return the part of a location that names members: pydantic adds the names of union types."""
    path: list[int | str] = []
    for part in location:
        if isinstance(value, dict) or (isinstance(value, list) and isinstance(part, int)):
            path.append(part)
            if isinstance(value, dict):
                value = value.get(part)
            else:
                value = value[part] if isinstance(part, int) and part < len(value) else None
    return tuple(path)


_JSON_WORDS = {"dictionary": "object", "list": "array"}
"""What JSON calls the Python types that pydantic names."""


def _message(details: list[Any], names: list[str]) -> str:
    """Return what is wrong with one member; a union has one detail for each of its types."""
    match details[0]["type"]:
        case "missing":
            return "is missing; it has no default"
        case "extra_forbidden":
            return f"is not a member here, allowed {', '.join(names)}; DxDispatch would ignore it, wherry does not"
    words = [detail["msg"][:1].lower() + detail["msg"][1:] for detail in details]
    told = " or ".join([words[0], *(text.removeprefix("input should be ") for text in words[1:])])
    for python, title in _JSON_WORDS.items():
        told = told.replace(f"valid {python}", f"valid {title}")
    return f"is {shown(details[0]['input'])}: {told}"
