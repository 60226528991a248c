"""OpenVINORow: one version of one operation as data, and the one mechanism that reads attributes and checks inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes, errors
from wherry.dialects.openvino.values import Kind
from wherry.dialects.rows import Row
from wherry.dtypes import DType
from wherry.errors import InvalidTypeError, InvalidValueError, UnsupportedError, WherryError, short
from wherry.faults import Faults
from wherry.graph import Deferred
from wherry.limits import check_values
from wherry.ops.constant import Constant
from wherry.ops.operator import Operator
from wherry.tensors import TensorType

Array = NDArray[Any]


class Required(Enum):
    """The default of what has none."""

    REQUIRED = "required"


REQUIRED: Final = Required.REQUIRED

ANY_TYPE = frozenset(row.name for row in dtypes.TABLE if row.openvino is not None)
"""`T`: every element type that OpenVINO has."""

INTEGER_TYPES = frozenset(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
"""`T_IND`, `T_AXIS`: "any supported integer type"; narrower integers are refused by OpenVINO itself."""

INDEX_TYPES = frozenset({"int32", "int64"})
"""Integers of operations that take no others."""

NUMBER_TYPES = frozenset(
    row.name
    for row in dtypes.TABLE
    if row.openvino is not None and row.bits >= 8 and row.kind in ("int", "uint", "float")
)
"""Any numeric type."""

BOOL = frozenset({"bool"})
"""The type of what is true or false."""

FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})
"""The floats that are computed with."""

COMPUTED = INTEGER_TYPES | FLOATS
"""The numbers that are computed with."""

WHOLE_OPSET = 16
"""The newest opset that is a whole table: opset17 holds a few operations only."""

HARMLESS = frozenset({"PrimitivesPriority", "alt_width"})
"""Attributes of `<data>` that any layer may have: hints for the choice of a kernel, without influence on the result."""


@dataclass(frozen=True)
class Input:
    """One input of an operation: its types, how many axes it may have, and whether its value is a field."""

    name: str
    types: frozenset[str] = ANY_TYPE
    not_computed: frozenset[str] = frozenset()
    """Types that the specification has too, and that wherry does not compute with."""
    ndim: tuple[int, int | None] = (0, None)
    """The least and the greatest number of axes."""
    field: str | None = None
    """The field of the operator that the value of this input is; None for data that is moved."""
    is_single: bool = False
    """Whether it holds one element: the field is an integer, not a tuple of them."""
    repeats: bool = False
    """Whether it stands for one or more inputs; only the last does."""
    is_optional: bool = False
    """Whether it may be missing; then so are all after it."""
    entries: tuple[int, int | None] = (0, None)
    """The least and the greatest number of entries of a vector."""
    is_kept: bool = False
    """Whether the field is the tensor itself, not integers."""
    is_constant: bool = False
    """Whether the value must be known before the model runs."""
    dtype_field: str | None = None
    """The field of the operator that the element type of this input is."""
    same_type: str | None = None
    """The input before this one whose element type it has."""
    only_with: tuple[str, object] | None = None
    """An attribute, and the value that it has where this input means something."""

    @property
    def is_moved(self) -> bool:
        """Whether the operator reads it as data."""
        return self.field is None and self.dtype_field is None

    def value(self, array: Array) -> Any:
        """Return the value of this input as a field: one integer, a tuple of them, or the array."""
        if self.is_kept:
            return array
        if self.is_single:
            return int(array.reshape(()))
        check_values(array.size, f"the entries of {self.name}")
        return tuple(array.tolist()) if array.ndim else array.item()

    def check(self, tensor_type: TensorType, name: str) -> None:
        """Refuse a tensor of another type or other sizes; what is unknown until run may fit.

        Raises InvalidTypeError or InvalidValueError that name the input.
        """
        dtype = tensor_type.dtype if isinstance(tensor_type.dtype, DType) else dtypes.of(tensor_type.dtype)
        if dtype is not dtypes.UNKNOWN and (dtype is None or dtype.name not in self.types):
            allowed = ", ".join(row.name for row in dtypes.TABLE if row.name in self.types)
            if dtype is not None and dtype.name in self.not_computed:
                raise UnsupportedError(f"{name} has dtype {tensor_type.dtype}, of which wherry computes {allowed}")
            raise InvalidTypeError(f"{name} has dtype {tensor_type.dtype}, allowed {allowed}; convert it first")
        if tensor_type.sizes is None:
            return
        least, most = self.ndim
        if len(tensor_type.sizes) < least or (most is not None and len(tensor_type.sizes) > most):
            given = {0: "is a scalar", 1: "has 1 axis"}.get(
                len(tensor_type.sizes), f"has {len(tensor_type.sizes)} axes"
            )
            raise InvalidValueError(f"{name} {given}, allowed {_ndim_words(least, most)}; reshape it")
        fewest, greatest = (1, 1) if self.is_single else self.entries
        size = tensor_type.sizes[0] if len(tensor_type.sizes) == 1 else None
        if isinstance(size, int) and (size < fewest or (greatest is not None and size > greatest)):
            allowed = f"{fewest}" if fewest == greatest else f"{fewest} and more"
            raise InvalidValueError(f"{name} has {size} elements, allowed {allowed}")


def _ndim_words(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} axes and more" if least != 1 else "1 axis and more"
    if most == 0:
        return "a scalar"
    if least == 0:
        return "a scalar or 1 axis" if most == 1 else f"up to {most} axes"
    return f"{least} axis" if least == most == 1 else f"{least} to {most} axes"


@dataclass(frozen=True)
class Attribute:
    """One attribute of `<data>`: how its text is read, its default, and the field of the operator that it is."""

    name: str
    kind: Kind
    default: Any = REQUIRED
    field: str | None = None
    """The operator's name for it, where it is another one."""
    is_hint: bool = False
    """Whether it has no influence on results that are known: it is read, checked, and no field."""
    only_with: tuple[str, Any] | None = None
    """Another attribute and its value, without which a file has none of this."""

    @property
    def argument(self) -> str:
        """What functions call it: the last part of a name with dots."""
        return self.name.rpartition(".")[2]

    def is_in_file(self, values: Mapping[str, Any]) -> bool:
        """Whether a file has it beside attributes of these values."""
        return self.only_with is None or values[self.only_with[0]] == self.only_with[1]


@dataclass(frozen=True, kw_only=True)
class OpenVINORow(Row):
    """One version of one operation: opsets `since` to `last` contain it, and files name opset `since`.

    A row need not say `last` if a newer version follows; the table does then.

    `build` makes the operator from `fixed`, the rules of this version, and from what attributes and value inputs give;
    it is None for Parameter, Const and Result, which are no operators. Where it is a function, `makes` is the class of
    operator that it returns, and `unbuild` gives from that operator's fields those of the function, or why it cannot.
    """

    last: int = WHOLE_OPSET
    source: str = field(init=False)
    build: Callable[..., Operator] | None = None
    inputs: tuple[Input, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    fixed: Mapping[str, object] = field(default_factory=dict)
    outputs: int | str = 1
    """How many, or the name of the attribute or input that tells it."""
    makes: type[Operator] | None = None
    unbuild: Callable[[Mapping[str, Any]], dict[str, Any] | str] | None = None
    operands: tuple[str, ...] | None = None
    """The inputs that are moved in the order in which the operator takes them, where that is another one."""
    documented: int | None = None
    """The version in the documentation, where that is not the opset."""
    page: str = ""
    """The name in the documentation, where that is another one."""
    gaps: frozenset[int] = frozenset()
    """Opsets between first and last that do not contain it."""
    is_written: bool = True
    """Whether files are written with this row; not so where another row says the same."""

    def __post_init__(self) -> None:
        page = f"{self.page or self.name}-{self.documented or self.since}"
        object.__setattr__(self, "source", f"Operation specifications, {page}")

    @cached_property
    def title(self) -> str:
        """The name with the version, as the documentation has it: `Gather-8`."""
        return f"{self.name}-{self.documented or self.since}"

    @property
    def written(self) -> str:
        """The `version` that files get."""
        return f"opset{self.since}"

    def subject(self, layer: str | None = None) -> str:
        """Return the subject of errors: `OpenVINO Gather-8`, in a file with the name of the layer."""
        return f"OpenVINO {self.title}" if layer is None else f"OpenVINO {self.title} {short(layer)}"

    def speaking(self, layer: str | None = None) -> errors.subject:
        """Return what gives every error raised inside this row's subject, and its names for the operator's fields."""
        return errors.subject(self.subject(layer), self.field_names)

    @cached_property
    def field_names(self) -> dict[str, str]:
        """What this row calls the fields of its operator."""
        names = {one.field: one.argument for one in self.attributes if one.field}
        names.update((one.field, one.name) for one in self.inputs if one.field)
        return names

    def parse(self, texts: Mapping[str, str]) -> dict[str, Any]:
        """Return the attributes of `<data>` as values, defaults filled in.

        Raises InvalidValueError for attributes that are missing, unknown, or not of their kind; it tells all of them.
        """
        try:
            if self._attribute_names.issuperset(texts):
                return {attribute.name: _parsed(attribute, texts) for attribute in self.attributes}
        except WherryError:
            pass  # and it is told below, with all else that is wrong
        faults = Faults()
        names = [attribute.name for attribute in self.attributes]
        for name in texts:
            if name not in self._attribute_names:
                faults.add(
                    InvalidValueError(f"attribute {short(name)} is unknown, allowed {', '.join(names) or 'none'}")
                )
        values = {attribute.name: faults.of(_parsed, attribute, texts) for attribute in self.attributes}
        faults.check()
        return values

    @cached_property
    def _attribute_names(self) -> frozenset[str]:
        return HARMLESS.union(attribute.name for attribute in self.attributes)

    def input_at(self, position: int) -> Input:
        """Return the input that stands at a position; the last one may repeat."""
        return self.inputs[min(position, len(self.inputs) - 1)]

    def input_names(self, count: int) -> list[str]:
        """Return what messages call each of `count` inputs. Raises InvalidValueError where there are not so many."""
        names = [row.name for row in self.inputs]
        many = bool(self.inputs) and self.inputs[-1].repeats
        least = sum(not row.is_optional for row in self.inputs)
        if count < least or (count > len(names) and not many):
            allowed = f"{least} and more" if many else f"{least}" if least == len(names) else f"{least}..{len(names)}"
            raise InvalidValueError(f"inputs has {count} entries, allowed {allowed}: {', '.join(names) or 'none'}")
        return [f"{names[-1]}[{number}]" for number in range(count)] if many and len(names) == 1 else names[:count]

    def check(self, types: Sequence[TensorType]) -> None:
        """Refuse inputs that are too few or too many, or of the wrong types or number of axes; all of them at once."""
        by_name: dict[str, TensorType] = {}
        faults = Faults()
        for position, name in enumerate(self.input_names(len(types))):
            one, kind = self.input_at(position), types[position]
            faults.of(one.check, kind, name)
            known = dtypes.UNKNOWN not in (kind.dtype, by_name.get(one.same_type or "", kind).dtype)
            if one.same_type is not None and known and kind.row != by_name[one.same_type].row:
                expected = by_name[one.same_type].dtype
                faults.add(
                    InvalidTypeError(f"{name} has dtype {kind.dtype}, allowed {expected}, that of {one.same_type}")
                )
            by_name[name] = kind
        faults.check()

    def operator(
        self,
        attributes: Mapping[str, Any],
        types: Sequence[TensorType],
        value_of: Callable[[int], Array | None],
        port_count: int = 1,
    ) -> tuple[Operator | Deferred, list[int]]:
        """Return the operator of checked inputs, and the positions of those that are its inputs.

        `value_of` gives the value of an input, None where it is only known at run; then the operator is Deferred, and
        such inputs come behind those that are moved. `port_count` is the number of outputs, where an input decides it.
        """
        if self.build is None:
            raise TypeError(f"{self.title} is no operator")
        fields = dict(self.fixed)
        fields.update((one.field or one.name, attributes[one.name]) for one in self.attributes if not one.is_hint)
        waiting: dict[str, int] = {}
        known: dict[str, Any] = {}
        for position in range(len(types)):
            one = self.input_at(position)
            if one.dtype_field is not None:
                fields[one.dtype_field] = types[position].dtype
            if one.field is None or (one.only_with and attributes[one.only_with[0]] != one.only_with[1]):
                continue
            value = value_of(position)
            if value is not None:
                known[one.field] = one.value(value)
            elif one.is_constant:
                raise InvalidValueError(f"{one.name} is known only at run, allowed a constant; make it a Const")
            else:
                waiting[one.field] = position
        moved = self.moved(len(types))
        if not waiting:
            return self.build(**fields, **known), moved
        fields.update(
            (name, Constant(value) if isinstance(value, np.ndarray) else value) for name, value in known.items()
        )
        places = tuple((name, len(moved) + number) for number, name in enumerate(waiting))
        count = self.outputs if isinstance(self.outputs, int) else attributes.get(self.outputs, port_count)
        return Deferred(self.build, tuple(fields.items()), places, count, self.makes), [*moved, *waiting.values()]

    def moved(self, count: int) -> list[int]:
        """Return the positions, among `count`, of the inputs that are moved, in the order of the operator."""
        positions = [position for position in range(count) if self.input_at(position).is_moved]
        if self.operands is None:
            return positions
        return sorted(positions, key=lambda position: (self.operands or ()).index(self.inputs[position].name))


def _parsed(attribute: Attribute, texts: Mapping[str, str]) -> Any:
    if attribute.name in texts:
        return attribute.kind.parse(f"attribute {attribute.name}", texts[attribute.name])
    if attribute.default is REQUIRED:
        raise InvalidValueError(f"attribute {attribute.name!r} is missing, allowed {attribute.kind.words}")
    return attribute.default
