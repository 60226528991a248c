"""Elementwise: the base of operators that compute each element from those at its coordinate, and the simplest ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.errors import InvalidTypeError, InvalidValueError, invalid
from wherry.layout import Layout
from wherry.moves import CalculateMove, ComputeMove, Move
from wherry.moves.calculate import can_calculate
from wherry.ops.operator import Operator, known
from wherry.ops.where import broadcast_sizes
from wherry.tensors import Size, TensorType, View

Array = NDArray[Any]

Named = Sequence[tuple[str, TensorType]]
"""The types of inputs with what messages call them."""

_BOOL = dtypes.find("bool")
_WIDE_FLOATS = ("float16", "bfloat16", "float32", "float64")


class Broadcast(StrEnum):
    """How the sizes of the inputs become those of the output."""

    BOTH = "both"
    """Last axes together; an axis of 1, or a missing one, repeats in every input: NumPy's rule."""
    SECOND = "second"
    """The output has the sizes of the first input; axes of the second of size 1, and missing ones, repeat."""
    NONE = "none"
    """All inputs have the sizes of the output."""


@dataclass(frozen=True)
class Elementwise(Operator):
    """An operator that computes each element of the output from the elements at the same coordinate of its inputs.

    `broadcast` says how sizes meet. With `second`, axis i of the second input is axis `axis + i` of the first; `axis`
    of None puts the last axes together.
    """

    broadcast: Broadcast = field(default=Broadcast.BOTH, kw_only=True)
    axis: int | None = field(default=None, kw_only=True)

    input_names: ClassVar[tuple[str, ...]] = ("a", "b")

    def _check_fields(self) -> None:
        if self.axis is not None and (self.broadcast is not Broadcast.SECOND or self.axis < 0):
            raise invalid("axis", self.axis, "0 and more, where broadcast is 'second', else None")

    @property
    def words(self) -> str:
        """The operator's name in messages and plans."""
        return str(getattr(self, "function", type(self).__name__.lower()))

    @property
    def calculation(self) -> str:
        """The core's name of the function of one or two elements; empty if only NumPy computes it."""
        return ""

    def by_core(self, dtype: np.dtype[Any]) -> bool:
        """Return whether the core computes the function of one or two arrays of a type."""
        return can_calculate(self.calculation, dtype)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of element types that the operator takes: int and uint of 8 bits and more, float of 16, bool ..."""
        return ("int", "uint", "float")

    def result(self, dtype: dtypes.DType | np.dtype[Any]) -> dtypes.DType | np.dtype[Any]:
        """Return the element type of the output, given that of the inputs."""
        return dtype

    def function_of(self, dtype: np.dtype[Any], subject: str) -> tuple[Callable[..., Any], bool]:
        """Return what computes arrays of `dtype`, and whether it writes to the last array it gets; see ComputeMove."""
        raise NotImplementedError

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        named = list(zip(self._names(len(inputs)), inputs, strict=True))
        check_types(self.words, self.kinds, named)
        return (TensorType(self.result(inputs[0].dtype), self._sizes(named)),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one computation."""
        (target,) = outputs
        sources = list(inputs)
        if self.broadcast is Broadcast.SECOND:
            sources[1] = sources[1].over(self._aligned(sources[1].layout, target.layout.ndim))
        function, writes = self.function_of(sources[0].dtype, subject)
        yield self._computation(function, tuple(sources), target, writes)

    def _computation(
        self, function: Callable[..., Any], sources: tuple[View, ...], target: View, writes: bool
    ) -> ComputeMove:
        """Return the move that computes the result, by the core where it can."""
        if len(sources) <= 2 and self.by_core(sources[0].dtype):
            return CalculateMove(self.words, function, sources, target, writes, self.calculation)
        return ComputeMove(self.words, function, sources, target, writes)

    def _names(self, count: int) -> list[str]:
        names = list(self.input_names[:count])
        return names + [f"{self.input_names[-1]}{number}" for number in range(2, 2 + count - len(names))]

    def _sizes(self, named: Named) -> Sequence[Size] | None:
        sizes = [(name, given.sizes) for name, given in named]
        if self.broadcast is Broadcast.BOTH or len(named) == 1:
            return broadcast_sizes(sizes)
        if self.broadcast is Broadcast.NONE:
            return _same_sizes(sizes)
        (_, first), (_, second) = sizes
        if first is not None and second is not None:
            self._check_second(first, second)
        return first

    def _check_second(self, first: tuple[Size, ...], second: tuple[Size, ...]) -> None:
        if all(size == 1 for size in second) and len(second) <= len(first):
            return
        start = len(first) - len(second) if self.axis is None else self.axis
        if start < 0 or start + len(second) > len(first):
            raise InvalidValueError(f"b has {len(second)} axes from axis {start} of a on, allowed those that a has: "
                                    f"{len(first)}")  # fmt: skip
        for number, size in enumerate(second):
            own = first[start + number]
            if isinstance(size, int) and isinstance(own, int) and size not in (1, own):
                raise InvalidValueError(
                    f"b has size {size} on axis {number}, allowed 1 or {own}, the size of a on axis {start + number}"
                )

    def _aligned(self, second: Layout, ndim: int) -> Layout:
        """Return the second input with axes of size 1 so that NumPy's rule puts its axes where `axis` wants them."""
        behind = 0 if self.axis is None else max(ndim - self.axis - second.ndim, 0)
        return Layout((*second.sizes, *[1] * behind), (*second.strides, *[0] * behind), second.offset)


def _same_sizes(inputs: Sequence[tuple[str, tuple[Size, ...] | None]]) -> Sequence[Size] | None:
    found: tuple[Size, ...] | None = None
    for name, sizes in inputs:
        if sizes is None:
            continue
        if found is None:
            found = sizes
            continue
        differs = len(sizes) != len(found) or any(
            isinstance(one, int) and isinstance(other, int) and one != other
            for one, other in zip(found, sizes, strict=True)
        )
        if differs:
            raise InvalidValueError(f"{name} has sizes {_listed(sizes)}, allowed {_listed(found)}, those of "
                                    f"{inputs[0][0]}; nothing is broadcast")  # fmt: skip
        found = tuple(map(known, found, sizes))
    return found


def _listed(sizes: tuple[Size, ...]) -> str:
    return f"[{', '.join('?' if size is None else str(size) for size in sizes)}]"


def check_types(words: str, kinds: Sequence[str], named: Named) -> None:
    """Raise InvalidTypeError unless all inputs have one element type, of one of these kinds."""
    (name, first), *others = named
    if not takes(first, kinds):
        raise InvalidTypeError(f"{name} has dtype {first.dtype}, allowed {_kinds_in_words(kinds)} for {words}")
    for other, given in others:
        if given.dtype != first.dtype:
            raise InvalidTypeError(f"{other} has dtype {given.dtype}, allowed {first.dtype}, that of {name}; convert "
                                   "it first")  # fmt: skip


def takes(tensor_type: TensorType, kinds: Sequence[str]) -> bool:
    """Whether an element type is one of these kinds, and wide enough to be computed with."""
    row = tensor_type.row
    if row is None or row.kind not in kinds:
        return False
    return row.kind in ("bool", "string") or (row.name in _WIDE_FLOATS if row.kind == "float" else row.bits >= 8)


_WORDS = {"float": "floats of 16, 32 and 64 bits", "bool": "bool", "string": "strings"}


def _kinds_in_words(kinds: Sequence[str]) -> str:
    words = ["integers of 8 bits and more" if kinds[:2] == ("int", "uint") else "signed integers"]
    return ", ".join((words if "int" in kinds else []) + [_WORDS[kind] for kind in kinds if kind in _WORDS])


def quietly(function: Callable[..., Any], dtype: np.dtype[Any]) -> Callable[..., Any]:
    """Return a ufunc that gives no warnings about overflow and NaN; integers give none."""
    return function if dtype.kind in "iub" else partial(_without_warnings, function)


def _without_warnings(function: Callable[..., Any], *arrays: Array) -> Any:
    with np.errstate(all="ignore"):
        return function(*arrays)


_INTEGERS = ("int", "uint")
_NUMBERS = (*_INTEGERS, "float")


class BinaryFunction(StrEnum):
    """A function of two elements. Integers wrap around; a float is the nearest one to the exact result."""

    ADD = "add"
    SUBTRACT = "subtract"
    MULTIPLY = "multiply"
    AND = "and"
    """Of bools, or of the bits of numbers; so are the next two."""
    OR = "or"
    XOR = "xor"
    LOGICAL_AND = "logical_and"
    """1 where neither integer is 0, else 0; so are the next two, of integers that are truth."""
    LOGICAL_OR = "logical_or"
    LOGICAL_XOR = "logical_xor"


_BINARY: Mapping[BinaryFunction, tuple[Callable[..., Array], tuple[str, ...]]] = {
    BinaryFunction.ADD: (np.add, _NUMBERS),
    BinaryFunction.SUBTRACT: (np.subtract, _NUMBERS),
    BinaryFunction.MULTIPLY: (np.multiply, _NUMBERS),
    BinaryFunction.AND: (np.bitwise_and, (*_NUMBERS, "bool")),
    BinaryFunction.OR: (np.bitwise_or, (*_NUMBERS, "bool")),
    BinaryFunction.XOR: (np.bitwise_xor, (*_NUMBERS, "bool")),
    BinaryFunction.LOGICAL_AND: (np.logical_and, _INTEGERS),
    BinaryFunction.LOGICAL_OR: (np.logical_or, _INTEGERS),
    BinaryFunction.LOGICAL_XOR: (np.logical_xor, _INTEGERS),
}
"""What NumPy calls each function, and the kinds of element types that it takes."""


@dataclass(frozen=True)
class Binary(Elementwise):
    """`out[c] = a[c] function b[c]`: a sum, a difference, a product, or a logical function.

    Integers wrap around, floats are rounded once, to the nearest, of two equally near the even one; which NaN comes
    out is left to the machine.
    """

    function: BinaryFunction

    @property
    def calculation(self) -> str:
        """The core's name of the function."""
        return self.function

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of element types that the operator takes."""
        return _BINARY[self.function][1]

    def function_of(self, dtype: np.dtype[Any], subject: str) -> tuple[Callable[..., Any], bool]:
        """Return what computes the result; see Elementwise."""
        function = _BINARY[self.function][0]
        if dtype.kind not in "iub" and self.function in _BITWISE:
            return partial(_of_bits, function), True
        return quietly(function, dtype), True


_BITWISE = frozenset((BinaryFunction.AND, BinaryFunction.OR, BinaryFunction.XOR))


def _of_bits(function: Callable[..., Array], *arrays: Array) -> None:
    """Compute with the bits of floats."""
    function(*(array.view(bits_dtype(array.dtype)) for array in arrays))


class UnaryFunction(StrEnum):
    """A function of one element."""

    NEGATIVE = "negative"
    """The number with the other sign; the least integer stays itself. Of a float the sign bit is turned."""
    ABSOLUTE = "absolute"
    """The number without its sign; the least integer stays itself. Of a float the sign bit is cleared."""
    SIGN = "sign"
    """-1, 0 or 1; of -0.0 0.0, of NaN NaN."""
    SIGN_OR_ZERO = "sign_or_zero"
    """-1, 0 or 1; of -0.0 and of NaN 0.0."""
    NOT = "not"
    """Of bools, or of the bits of numbers."""
    LOGICAL_NOT = "logical_not"
    """1 where an integer is 0, else 0."""


_UNARY: Mapping[UnaryFunction, tuple[Callable[..., Array], tuple[str, ...]]] = {
    UnaryFunction.NEGATIVE: (np.negative, ("int", "float")),
    UnaryFunction.ABSOLUTE: (np.absolute, _NUMBERS),
    UnaryFunction.SIGN: (np.sign, _NUMBERS),
    UnaryFunction.SIGN_OR_ZERO: (np.sign, _NUMBERS),
    UnaryFunction.NOT: (np.invert, (*_NUMBERS, "bool")),
    UnaryFunction.LOGICAL_NOT: (np.logical_not, _INTEGERS),
}


@dataclass(frozen=True)
class Unary(Elementwise):
    """`out[c] = function(data[c])`: the other sign, no sign, the sign alone, or not."""

    function: UnaryFunction

    input_names: ClassVar[tuple[str, ...]] = ("data",)

    @property
    def calculation(self) -> str:
        """The core's name of the function."""
        return self.function

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of element types that the operator takes."""
        return _UNARY[self.function][1]

    def function_of(self, dtype: np.dtype[Any], subject: str) -> tuple[Callable[..., Any], bool]:
        """Return what computes the result; see Elementwise."""
        if dtype.kind not in "iub" and self.function in _OF_FLOATS:
            return _OF_FLOATS[self.function], True
        return quietly(_UNARY[self.function][0], dtype), True


def _change_sign_bit(function: Callable[..., Array], with_sign_bit: bool, data: Array, target: Array) -> None:
    """Change nothing but the sign bit, so that NaN keep their payload."""
    bits = bits_dtype(data.dtype)
    sign = 1 << (8 * bits.itemsize - 1)
    mask = np.array(sign if with_sign_bit else sign - 1, bits)
    function(data.view(bits), mask, target.view(bits))


def _sign(of_nan: bool, data: Array, target: Array) -> None:
    """Write signs; that of a zero is 0.0, which NumPy gives for all float types but bfloat16."""
    _without_warnings(np.sign, data, target)
    zero = (target == 0) if of_nan else (target == 0) | np.isnan(target)
    np.copyto(target, np.zeros((), target.dtype), where=zero)


_OF_FLOATS: Mapping[UnaryFunction, Callable[..., None]] = {
    UnaryFunction.NEGATIVE: partial(_change_sign_bit, np.bitwise_xor, True),
    UnaryFunction.ABSOLUTE: partial(_change_sign_bit, np.bitwise_and, False),
    UnaryFunction.SIGN: partial(_sign, True),
    UnaryFunction.SIGN_OR_ZERO: partial(_sign, False),
    UnaryFunction.NOT: partial(_of_bits, np.invert),
}
"""What computes with floats where NumPy's own function does otherwise; NEGATIVE and ABSOLUTE use all bits but one."""


def bits_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the unsigned type of the same width and byte order."""
    return np.dtype(f"u{dtype.itemsize}").newbyteorder("=" if dtype.isnative else "S")


class Relation(StrEnum):
    """A comparison of two elements. NaN equals nothing, and is neither less nor greater."""

    EQUAL = "equal"
    NOT_EQUAL = "not_equal"
    LESS = "less"
    LESS_OR_EQUAL = "less_or_equal"
    GREATER = "greater"
    GREATER_OR_EQUAL = "greater_or_equal"


_RELATIONS: Mapping[Relation, tuple[Callable[..., Array], tuple[str, ...]]] = {
    Relation.EQUAL: (np.equal, (*_NUMBERS, "bool", "string")),
    Relation.NOT_EQUAL: (np.not_equal, (*_NUMBERS, "bool", "string")),
    Relation.LESS: (np.less, (*_NUMBERS, "bool")),
    Relation.LESS_OR_EQUAL: (np.less_equal, (*_NUMBERS, "bool")),
    Relation.GREATER: (np.greater, (*_NUMBERS, "bool")),
    Relation.GREATER_OR_EQUAL: (np.greater_equal, (*_NUMBERS, "bool")),
}


_TRUTH = ("bool", "uint8", "uint32")
"""The element types that truth has."""


@dataclass(frozen=True)
class Compare(Elementwise):
    """`out[c] = a[c] function b[c]`, a bool; numbers are compared exactly, and -0.0 equals 0.0.

    `dtype` is that of the result: bool, or an unsigned integer of 8 or 32 bits with 0 and 1.
    """

    function: Relation
    dtype: dtypes.DType = _BOOL

    def _check_fields(self) -> None:
        super()._check_fields()
        if self.dtype.name not in _TRUTH:
            raise invalid("dtype", str(self.dtype), ", ".join(_TRUTH))

    @property
    def calculation(self) -> str:
        """The core's name of the function, whose results are bytes."""
        return self.function if self.dtype.bits == 8 else ""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of element types that the operator takes."""
        return _RELATIONS[self.function][1]

    def result(self, dtype: dtypes.DType | np.dtype[Any]) -> dtypes.DType | np.dtype[Any]:
        """Return the type of truth."""
        return self.dtype

    def function_of(self, dtype: np.dtype[Any], subject: str) -> tuple[Callable[..., Any], bool]:
        """Return what computes the result; see Elementwise."""
        return quietly(_RELATIONS[self.function][0], dtype), True
