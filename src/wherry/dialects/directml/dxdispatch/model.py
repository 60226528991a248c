"""DispatchModel: buffers, operators bound to ranges of them, and commands that run in order."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from wherry import errors
from wherry.arrays.anywhere import as_array
from wherry.dialects.directml.binding import BASE_ALIGNMENT, BoundRange, check_count, check_ranges
from wherry.dialects.directml.descs import OperatorDesc
from wherry.dialects.directml.dxdispatch import output
from wherry.dialects.directml.enums import DataType, FeatureLevel, TensorFlags, as_feature_level
from wherry.dialects.directml.execution import Memory, run
from wherry.dialects.directml.lowering import Lowered, lower
from wherry.dialects.directml.members import Member, MemberType
from wherry.engine.out import given_outputs, written
from wherry.engine.plan import Plan
from wherry.errors import InvalidValueError, ResourceLimitError, cut, invalid, short
from wherry.faults import Faults
from wherry.graph import Graph, check_input
from wherry.limits import Limits, check_bytes, check_values, limited
from wherry.models.model import Inputs, Model, Outputs
from wherry.tensors import TensorType

Array = NDArray[Any]
Item = TypeVar("Item")


@dataclass(frozen=True)
class Resource:
    """A buffer of `size_in_bytes`, and its initial values from `offset` bytes on; the other bytes start as zero.

    `data_type` is UNKNOWN where the values mix types; they are then held as bytes.
    """

    name: str
    data_type: DataType
    values: Array = field(repr=False, compare=False)
    size_in_bytes: int
    offset: int = 0

    def __post_init__(self) -> None:
        end = self.offset + self.values.nbytes
        if end > self.size_in_bytes:
            raise invalid(f"resource {self.name!r} sizeInBytes", self.size_in_bytes, f"{end} and more",
                          f"{self.values.nbytes} bytes of initial values start at {self.offset}")  # fmt: skip

    @property
    def type(self) -> TensorType:
        """The initial data type and the number of initial values; bytes for mixed ones."""
        return TensorType(self.data_type.dtype or "uint8", self.values.shape)

    def values_in(self, memory: Memory, offset: int | None = None) -> Array:
        """Return as many elements as there are initial values, from their place or from `offset` on."""
        start = self.offset if offset is None else offset
        return memory[start : start + self.values.nbytes].view(self.values.dtype)


@dataclass(frozen=True)
class Source:
    """Where a tensor is bound: the rest of a resource, from a byte on."""

    resource: str
    offset: int = 0


@dataclass(frozen=True)
class Dispatchable:
    """An operator, and where its inputs that DirectML owns are taken from once, before the first command."""

    name: str
    desc: OperatorDesc
    bindings: Mapping[str, tuple[Source, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Dispatch:
    """Run a dispatchable; bindings by the name of the tensor member."""

    dispatchable: str
    bindings: Mapping[str, tuple[Source, ...]]


@dataclass(frozen=True)
class Print:
    """Print a resource."""

    resource: str
    verbose: bool = False


@dataclass(frozen=True)
class WriteFile:
    """Write a resource to a file of the output folder."""

    resource: str
    target_path: str
    dimensions: tuple[int, ...] = ()


Command = Dispatch | Print | WriteFile


class Outcome(NamedTuple):
    """What a run leaves: all buffers as bytes, and the lines that the commands print."""

    buffers: dict[str, Memory]
    lines: list[str]


class Steps(Sequence[Item], Generic[Item]):
    """One graph or plan for each dispatch, in order; prints each under the dispatch it belongs to."""

    def __init__(self, titles: Sequence[str], items: Sequence[Item]) -> None:
        self._titles, self._items = tuple(titles), tuple(items)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | Sequence[Item]:
        """Return the graph or plan of a dispatch."""
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __str__(self) -> str:
        return "\n\n".join(f"{title}\n{item}" for title, item in zip(self._titles, self._items, strict=True))


class DispatchModel(Model):
    """A DxDispatch model: its inputs are the resources, its outputs the resources that a dispatch writes.

    Every run starts from the initial values, or from those given instead; the model itself never changes. A reader
    gives the `faults` that it has found, to be raised with those of the parts that it could read; a command that it
    could not read, or that names such a part, is None.

    Raises InvalidValueError for names that are not defined and for ranges that DirectML does not allow,
    ResourceLimitError for what would take more than the limits in force; the error tells all that is wrong.
    """

    dialect = "directml"

    def __init__(
        self,
        resources: Sequence[Resource],
        dispatchables: Sequence[Dispatchable],
        commands: Sequence[Command | None],
        feature_level: object = "6.4",
        faults: Faults | None = None,
    ) -> None:
        self.resources = {resource.name: resource for resource in resources}
        self.dispatchables = {dispatchable.name: dispatchable for dispatchable in dispatchables}
        self.commands = tuple(command for command in commands if command is not None)
        self.feature_level: FeatureLevel = as_feature_level(feature_level)
        self.about = {"version": f"feature level {self.feature_level}"}
        self._lowered: dict[str, Lowered] = {}
        self._bases = {name: number << 80 for number, name in enumerate(self.resources)}
        faults = faults or Faults()
        for name, dispatchable in self.dispatchables.items():
            with faults.collected(), errors.prefixed(f"dispatchables.{name}"):
                self._check(dispatchable.desc, dispatchable.bindings, owned=True)
            with faults.collected(), errors.prefixed(f"dispatchables.{name}"):
                self._lowered[name] = lower(dispatchable.desc, self.feature_level)
        for number, command in enumerate(commands):
            if command is not None:
                try:
                    self._check_command(command)
                except errors.WherryError as error:
                    error.subject = f"commands[{number}]: {error.subject}" if error.subject else f"commands[{number}]"
                    faults.add(error)
        faults.check()
        self._check_limits(with_files=False)

    @property
    def inputs(self) -> dict[str, TensorType]:
        """The resources by name: initial data type, number of initial values; bytes where types are mixed."""
        return {name: resource.type for name, resource in self.resources.items()}

    @property
    def outputs(self) -> dict[str, TensorType]:
        """The resources that a dispatch writes, in the order of the first write."""
        return {name: self.resources[name].type for name in self._written()}

    @property
    def graph(self) -> Steps[Graph]:
        """The graph of each dispatch; its tensors are named as in the description."""
        steps = self._dispatches()
        return Steps([_title(step) for step in steps], [self._lowered[step.dispatchable].graph for step in steps])

    @property
    def graphs(self) -> list[tuple[tuple[str, ...], Graph]]:
        """The graph of each dispatch, under what the dispatch is called."""
        return [((_title(step),), self._lowered[step.dispatchable].graph) for step in self._dispatches()]

    @property
    def plan(self) -> Steps[Plan]:
        """The plan of each dispatch; where values decide the moves, for the initial values of the resources."""
        steps = self._dispatches()
        memories = {} if all(self._lowered[step.dispatchable].plan for step in steps) else self._upload({})
        return Steps([_title(step) for step in steps], [self._plan(step, memories) for step in steps])

    @property
    def bytes_moved(self) -> int:
        """The bytes that one run of all dispatches writes."""
        return sum(plan.bytes_moved for plan in self.plan)

    def run(
        self,
        inputs: Inputs | None = None,
        *,
        out: Outputs | None = None,
        rules: str | None = None,
        through: str | None = None,
        optimize: bool = True,
        limits: Limits | None = None,
    ) -> dict[str, Array]:
        """Run the commands and return the outputs: of each as many elements as it has initial values; see `Model.run`.

        `inputs` takes the place of initial values, by name or in the order of `inputs`; files are not written. There is
        nothing to run `through` a runtime. Raises InvalidTypeError or InvalidValueError for arrays that do not fit,
        ResourceLimitError for what would take more than `limits` allow, those of the model without.
        """
        given = {} if out is None else given_outputs(out, tuple(self.outputs))
        results, _ = self.run_and_print(inputs, rules=rules, through=through, optimize=optimize, limits=limits)
        return written(results, given)

    def _outputs_in(self, buffers: Mapping[str, Memory]) -> dict[str, Array]:
        return {name: self.resources[name].values_in(buffers[name]).copy() for name in self._written()}

    @property
    def needed_inputs(self) -> tuple[str, ...]:
        """None: every resource brings its initial values."""
        return ()

    def run_and_print(
        self,
        inputs: Inputs | None = None,
        *,
        rules: str | None = None,
        through: str | None = None,
        optimize: bool = True,
        limits: Limits | None = None,
    ) -> tuple[dict[str, Array], list[str]]:
        """Run the commands; return the outputs, and the lines that print commands print."""
        with limited(limits or self.limits):
            buffers, lines = self.run_commands(inputs, rules=rules)
            return self._outputs_in(buffers), lines

    def run_commands(
        self,
        inputs: Inputs | None = None,
        *,
        output_folder: str | Path | None = None,
        rules: str | None = None,
    ) -> Outcome:
        """Run the commands; return all buffers as bytes and the printed lines.

        `rules` names the rules that all operators follow instead of DirectML's; `notes` then tells what changes. The
        files of writeFile commands go to `output_folder`, after the last command has succeeded; without a folder
        none is written. Raises as `run`, FileFormatError for a target outside the folder, OSError.
        """
        self._check_limits(with_files=output_folder is not None)
        lowered = self._lowered if rules is None else self._read_by(rules)
        memories = self._upload(inputs)
        first = {name: memories[name].copy() for name in self._owned_and_written}
        owned = {
            name: self._bound(dispatchable.desc, dispatchable.bindings, {**memories, **first})
            for name, dispatchable in self.dispatchables.items()
        }
        lines: list[str] = []
        files = output.Files(None if output_folder is None else Path(output_folder))
        for command in self.commands:
            if isinstance(command, Dispatch):
                bound = self._bound(lowered[command.dispatchable].desc, command.bindings, memories)
                run(lowered[command.dispatchable], {**owned[command.dispatchable], **bound})
                continue
            resource = self.resources[command.resource]
            memory = memories[resource.name]
            if isinstance(command, Print):
                lines += output.printed(resource.name, resource.values_in(memory, 0), command.verbose)
            else:
                content = partial(
                    output.file_content, command.target_path, memory, resource.values.dtype, command.dimensions
                )
                lines += files.add(resource.name, command.target_path, content)
        files.write()
        return Outcome(memories, lines)

    def _read_by(self, rules: str) -> dict[str, Lowered]:
        """Return the dispatchables by the rules of another dialect or version; `notes` is what these change."""
        reading = importlib.import_module("wherry.conversion.rules").rules_named(rules)
        try:
            return {name: lowered.read_by(reading) for name, lowered in self._lowered.items()}
        finally:
            self.notes = tuple(reading.findings.values())

    def _upload(self, inputs: Inputs | None) -> dict[str, Memory]:
        given = {name: as_array(value, f"input {name!r}") for name, value in self._by_name(inputs).items()}
        for name, array in given.items():
            check_input(name, self.inputs[name], array)
        memories = {}
        for name, resource in self.resources.items():
            memories[name] = _aligned(resource.size_in_bytes)
            resource.values_in(memories[name])[...] = given.get(name, resource.values)
        return memories

    @cached_property
    def _owned_and_written(self) -> list[str]:
        """The resources of which DirectML takes its own data before the first command, and a dispatch writes later."""
        bound = [
            source for one in self.dispatchables.values() for sources in one.bindings.values() for source in sources
        ]
        return sorted({source.resource for source in bound}.intersection(self._written()))

    @property
    def _nbytes(self) -> int:
        return sum(resource.size_in_bytes for resource in self.resources.values())

    def _check_limits(self, *, with_files: bool) -> None:
        """Refuse a run that would take too much, before it allocates or prints anything."""
        nbytes = self._nbytes
        own = sum(self.resources[name].size_in_bytes for name in self._owned_and_written)
        check_bytes(nbytes + own, "the resources, and what DirectML owns of them,", nbytes)
        printed = written = 0
        for number, command in enumerate(self.commands):
            if isinstance(command, Dispatch):
                continue
            resource = self.resources[command.resource]
            with errors.prefixed(f"commands[{number}]"):
                if isinstance(command, Print):
                    printed += resource.values.size
                    check_values(printed, "the printed values")
                elif with_files:
                    width = resource.values.itemsize
                    written += output.file_nbytes(
                        command.target_path, resource.size_in_bytes, width, command.dimensions
                    )
                    check_bytes(written, "the files of writeFile commands", nbytes)

    def _plan(self, step: Dispatch, memories: Mapping[str, Memory]) -> Plan:
        """Return the plan of a dispatch; `memories` are those of the resources where values decide it."""
        lowered, dispatchable = self._lowered[step.dispatchable], self.dispatchables[step.dispatchable]
        if lowered.plan is not None:
            return lowered.plan
        return lowered.plan_for(self._bound(lowered.desc, {**dispatchable.bindings, **step.bindings}, memories))

    def _bound(
        self, desc: OperatorDesc, bindings: Mapping[str, tuple[Source, ...]], memories: Mapping[str, Memory]
    ) -> dict[str, Memory]:
        ranges = self._ranges(desc, bindings)
        return {path: memories[source.resource][source.offset :] for path, source in ranges.items()}

    def _dispatches(self) -> list[Dispatch]:
        return [command for command in self.commands if isinstance(command, Dispatch)]

    def _written(self) -> list[str]:
        names: dict[str, None] = {}
        for command in self._dispatches():
            desc = self.dispatchables[command.dispatchable].desc
            for member in desc.tensor_members:
                if member.is_output:
                    names.update((source.resource, None) for source in command.bindings[member.name])
        return list(names)

    def _check_command(self, command: Command) -> None:
        if isinstance(command, Dispatch):
            if command.dispatchable not in self.dispatchables:
                raise _unknown("dispatchable", command.dispatchable, self.dispatchables)
            self._check(self.dispatchables[command.dispatchable].desc, command.bindings, owned=False)
            return
        if command.resource not in self.resources:
            raise _unknown("resource", command.resource, self.resources)
        resource = self.resources[command.resource]
        typed = resource.data_type is not DataType.UNKNOWN
        if isinstance(command, WriteFile):
            width = resource.values.dtype.itemsize if typed else 0
            output.check_target(command.target_path, resource.size_in_bytes, width, command.dimensions)
        elif not typed:
            raise InvalidValueError(f"resource {resource.name!r} has mixed types, allowed one type to print")

    def _check(self, desc: OperatorDesc, bindings: Mapping[str, tuple[Source, ...]], *, owned: bool) -> None:
        """The bind points of a dispatchable (what DirectML owns) or of a command (all else), and their ranges."""
        with errors.subject(desc.subject(self.feature_level)):
            wanted = {member.name: member for member in desc.tensor_members if _has_owned(desc, member) is owned}
            faults = Faults()
            for name, sources in bindings.items():
                if name not in wanted:
                    faults.add(_unknown("binding", name, wanted))
                for source in sources:
                    if source.resource not in self.resources:
                        faults.add(_unknown(f"binding {name} resource", source.resource, self.resources))
            for name, member in wanted.items():
                if name not in bindings:
                    faults.add(InvalidValueError(f"binding {name} is missing, allowed the name of a resource"))
                else:
                    faults.of(check_count, name, len(bindings[name]), _count(desc, member))
            faults.check()
            check_ranges(
                desc, {path: self._bound_range(path, source) for path, source in self._ranges(desc, bindings).items()}
            )

    def _bound_range(self, path: str, source: Source) -> BoundRange:
        """DxDispatch binds the rest of the buffer; each buffer gets an address space of its own."""
        size, base = self.resources[source.resource].size_in_bytes, self._bases[source.resource]
        if source.offset > size:
            raise invalid(
                f"binding {path} offset", source.offset, f"0..{size}", f"in bytes, inside {source.resource!r}"
            )
        return BoundRange(base, source.offset, size - source.offset)

    @staticmethod
    def _ranges(desc: OperatorDesc, bindings: Mapping[str, tuple[Source, ...]]) -> dict[str, Source]:
        """Return the source of each tensor by its path."""
        sources = {name: iter(given) for name, given in bindings.items()}
        return {path: next(sources[member.name]) for path, member, _ in desc.tensors if member.name in sources}


def _has_owned(desc: OperatorDesc, member: Member) -> bool:
    """Whether DirectML owns the data of a member. Raises InvalidValueError where it owns a part of an array."""
    flags = {bool(tensor.flags & TensorFlags.OWNED_BY_DML) for _, of, tensor in desc.tensors if of == member}
    if len(flags) > 1:
        raise InvalidValueError(f"{member.name} has Flags OWNED_BY_DML for a part of its tensors, allowed all or none")
    return True in flags


def _count(desc: OperatorDesc, member: Member) -> int:
    return len(getattr(desc, member.field)) if member.type is MemberType.TENSORS else 1


def _aligned(size: int) -> Memory:
    """Return zeroed memory that starts at a multiple of 16 bytes, as DirectML's buffers do."""
    try:
        memory = np.zeros(size + BASE_ALIGNMENT, np.uint8)
    except (MemoryError, ValueError) as error:
        raise ResourceLimitError(f"a buffer of {size} bytes is more than the machine has left: {error}") from None
    start = -memory.ctypes.data % BASE_ALIGNMENT
    return memory[start : start + size]


def _unknown(what: str, name: str, known: Mapping[str, Any]) -> InvalidValueError:
    return InvalidValueError(f"{what} is {short(name)}, allowed {cut(', '.join(map(repr, known)) or 'none')}")


def _title(step: Dispatch) -> str:
    bound = (f"{name} = {', '.join(map(_place, sources))}" for name, sources in step.bindings.items())
    return f"dispatch {step.dispatchable!r}: {'; '.join(bound)}"


def _place(source: Source) -> str:
    return f"{source.resource} from byte {source.offset}" if source.offset else source.resource
