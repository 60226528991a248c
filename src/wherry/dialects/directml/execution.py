"""execute: one operator on buffers, in place of device, operator, binding table and command list."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import _core, errors
from wherry.arguments import as_mapping
from wherry.arrays.anywhere import plain
from wherry.dialects.directml.binding import BoundRange, check_count, check_ranges
from wherry.dialects.directml.descs import OperatorDesc
from wherry.dialects.directml.enums import FeatureLevel, as_feature_level
from wherry.dialects.directml.lowering import Lowered, lower
from wherry.dialects.directml.members import Member, MemberType
from wherry.engine.call import CALLS_KEPT
from wherry.errors import InvalidTypeError, InvalidValueError, invalid, short
from wherry.limits import Limits, are_default, current
from wherry.tensors import View

Memory = NDArray[np.uint8]

_CALLS = _core.RecentCalls(CALLS_KEPT)
"""What runs the descriptions that were executed last, by their addresses and the arrays that they were bound to."""


def execute(desc: OperatorDesc, bindings: Mapping[str, Any], *, feature_level: object = "6.4") -> None:
    """Run one operator: read the input buffers, write the output buffers, by the rules of a feature level.

    `bindings` gives each tensor member a buffer, by its Python or DirectML name (`input_tensor` or `InputTensor`);
    array members a list of buffers. A buffer is anything with the buffer protocol; its bytes count, not its own type.
    A buffer alone is bound whole; `(buffer, byte_offset)` binds the tensor's TotalTensorSizeInBytes from there on, and
    `(buffer, byte_offset, byte_size)` exactly that range. Inputs that DirectML owns are bound like the others.

    Everything is checked before the first byte is written: what is refused leaves all buffers as they were. Bytes of
    an output that belong to no element are left alone.

    Raises what `validate` raises; InvalidValueError for missing or unknown bindings, a buffer that is too short or
    read-only, a bad offset or overlap; InvalidTypeError for what is no buffer.
    Specification: Binding in DirectML; IDMLBindingTable.

    >>> import numpy as np
    >>> import wherry as wh
    >>> tensor = wh.directml.BufferTensorDesc
    >>> gather = wh.directml.GatherOperatorDesc(
    ...     tensor("FLOAT32", [4]), tensor("INT32", [3]), tensor("FLOAT32", [3]), axis=0, index_dimensions=1)
    >>> out = np.zeros(3, "float32")
    >>> wh.directml.execute(gather, {"input_tensor": np.float32([11, 12, 13, 14]),
    ...                              "indices_tensor": np.int32([3, -3, 0]), "output_tensor": out})
    >>> out
    array([14., 12., 11.], dtype=float32)
    """
    given = (id(desc), feature_level, bindings)
    if _CALLS.run(given) is not None:
        return
    lowered = prepared(desc, as_feature_level(feature_level))
    with errors.subject(desc.subject(lowered.level)):
        bound = _bound(desc, bindings)
        check_ranges(desc, {path: BoundRange(address(memory), offset, size)
                            for path, (memory, offset, size) in bound.items()})  # fmt: skip
    run(lowered, {path: memory[offset : offset + size] for path, (memory, offset, size) in bound.items()})
    _keep(given, desc, lowered, bindings)


def _keep(given: object, desc: OperatorDesc, lowered: Lowered, bindings: Mapping[str, Any]) -> None:
    """Keep what runs the same description on arrays like these, where each is a tensor as it lies, packed and whole.

    Ranges that overlap, which the bindings' rules tell apart, the program refuses.
    """
    program = None if lowered.plan is None else lowered.plan.program_into
    arrays = _sources(desc, bindings)
    if (
        program is None
        or not are_default()
        or not all(_is_tensor(lowered.views[path], array) for path, array in arrays.items())
    ):
        return
    outputs = frozenset(lowered.graph.outputs)
    tensors = [(path, tuple(lowered.views[path].layout.sizes), path in outputs) for path in arrays]

    def run_again(read: dict[str, NDArray[Any]], written: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]] | None:
        assert desc is not None  # its address stands for it in `given`: it must live as long as this
        return program.run(read, written)

    _CALLS.keep(given, run_again, list(arrays.values()), tensors)


def _is_tensor(view: View, array: object) -> bool:
    """Whether an array has the elements of a tensor, in its memory one after another."""
    is_plain = type(array) is np.ndarray and array.flags.c_contiguous and array.dtype == view.dtype
    return bool(is_plain and view.layout.is_packed and array.size == view.layout.size)  # type: ignore[attr-defined]


def prepared(desc: OperatorDesc, level: FeatureLevel) -> Lowered:
    """Return the plan of a description, from a small cache."""
    if not isinstance(desc, OperatorDesc):
        raise InvalidTypeError(f"desc is a {type(desc).__name__}, allowed an operator description", "DirectML execute")
    return _cached(desc, level, desc.float_bits, current())


@lru_cache(maxsize=256)
def _cached(desc: OperatorDesc, level: FeatureLevel, float_bits: tuple[bytes, ...], limits: Limits) -> Lowered:
    """`float_bits` keeps apart what is equal and yet not the same, `limits` what was planned under others."""
    return lower(desc, level)


def run(lowered: Lowered, memories: Mapping[str, Memory]) -> None:
    """Run a plan on the bytes of each tensor, which were checked before."""
    graph = lowered.graph
    outputs = {path: lowered.array(path, memories[path]) for path in graph.outputs}
    written = [address(memories[path]) for path in graph.outputs]
    inputs = {}
    for path in graph.inputs:
        memory = memories[path]
        if address(memory) in written:  # in place: read from a copy, as strides may differ
            memory = memory.copy()
        inputs[path] = lowered.array(path, memory)
    lowered.plan_for(memories).run(inputs, outputs)


def address(memory: Memory) -> int:
    """Return the address of the first byte."""
    return int(memory.__array_interface__["data"][0])


def as_memory(path: str, buffer: Any) -> Memory:
    """Return the bytes of a buffer, without a copy. Raises InvalidTypeError for what has none."""
    if isinstance(buffer, np.ndarray):
        if buffer.dtype.hasobject:
            raise InvalidTypeError(f"binding {path} holds Python objects, allowed a buffer of numbers")
        if not buffer.flags.forc:
            raise InvalidValueError(f"binding {path} is a strided array, allowed contiguous memory; give its base and "
                                    "say the strides in the description")  # fmt: skip
        return plain(buffer, f"binding {path}").ravel(order="K").view(np.uint8)
    try:
        memory = memoryview(buffer)
    except TypeError:
        raise InvalidTypeError(
            f"binding {path} is a {type(buffer).__name__}, allowed anything with the buffer protocol"
        ) from None
    if not memory.contiguous:
        raise InvalidValueError(f"binding {path} is strided memory, allowed contiguous memory")
    return np.frombuffer(memory, np.uint8) if memory.nbytes else np.empty(0, np.uint8)


def _bound(desc: OperatorDesc, bindings: Mapping[str, Any]) -> dict[str, tuple[Memory, int, int]]:
    """Return memory, offset and size in bytes of every tensor by its path."""
    sources = _sources(desc, bindings)
    return {
        path: _range(path, sources[path], tensor.total_tensor_size_in_bytes, member)
        for path, member, tensor in desc.tensors
    }


def _sources(desc: OperatorDesc, bindings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what each tensor is bound to, by its path."""
    given = _by_member(desc, bindings)
    sources: dict[str, Any] = {}
    for member in desc.tensor_members:
        if member.name not in given:
            raise InvalidValueError(f"binding {member.field} is missing, allowed a buffer, or a list of them where the "
                                    f"member is an array; the tensors are {_fields(desc)}")  # fmt: skip
        if member.type is MemberType.TENSORS:
            sources.update(_array_sources(desc, member, given[member.name]))
        else:
            sources[member.name] = given[member.name]
    return sources


def _by_member(desc: OperatorDesc, bindings: Mapping[str, Any]) -> dict[str, Any]:
    members = {spelling: member for member in desc.tensor_members for spelling in (member.field, member.name)}
    given: dict[str, Any] = {}
    for name, value in as_mapping("bindings", bindings).items():
        if name not in members:
            raise InvalidValueError(f"bindings has {short(name)}, allowed {_fields(desc)}")
        if members[name].name in given:
            raise InvalidValueError(f"bindings has {members[name].field} in both spellings, allowed once")
        given[members[name].name] = value
    return given


def _fields(desc: OperatorDesc) -> str:
    return ", ".join(member.field for member in desc.tensor_members)


def _array_sources(desc: OperatorDesc, member: Member, value: Any) -> dict[str, Any]:
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes, bytearray, memoryview)):
        raise InvalidTypeError(f"binding {member.field} is a {type(value).__name__}, allowed a list of buffers")
    check_count(member.field, len(value), len(getattr(desc, member.field)))
    return {f"{member.name}[{number}]": source for number, source in enumerate(value)}


def _range(path: str, source: Any, total: int, member: Member) -> tuple[Memory, int, int]:
    """Return memory, offset and size of one binding; the range lies inside the buffer."""
    buffer, place = (source[0], source[1:]) if isinstance(source, tuple) and source else (source, ())
    memory = as_memory(path, buffer)
    if member.is_output and not memory.flags.writeable:
        raise InvalidValueError(f"binding {path} is read-only, allowed a writable buffer for an output")
    if len(place) > 2:
        raise InvalidValueError(
            f"binding {path} has {len(place) + 1} entries, allowed (buffer, byte_offset[, byte_size])"
        )
    try:
        numbers = [operator.index(number) for number in place]
    except TypeError:
        raise InvalidTypeError(f"binding {path} is placed at {short(place)}, allowed integers, in bytes") from None
    offset = numbers[0] if numbers else 0
    size = numbers[1] if len(numbers) > 1 else total if numbers else memory.nbytes
    if not 0 <= offset <= memory.nbytes:
        raise invalid(f"binding {path} offset", offset, f"0..{memory.nbytes}", "in bytes, inside the buffer")
    if size < 0 or offset + size > memory.nbytes:
        raise invalid(f"binding {path} size in bytes", size, f"0..{memory.nbytes - offset}",
                      f"the buffer has {memory.nbytes} bytes and the range starts at {offset}")  # fmt: skip
    return memory, offset, size
