"""Operator: the base of all operators, and the checks of fields and inputs that they share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache, partial
from typing import Any, ClassVar, get_args, get_type_hints

from numpy.typing import NDArray

from wherry import dtypes
from wherry.arguments import as_flag, as_float, as_int, as_ints, as_word
from wherry.dtypes import DType
from wherry.errors import InvalidValueError, invalid
from wherry.layout import Layout
from wherry.limits import check_ndim
from wherry.moves import ComputeMove, CopyMove, Move
from wherry.tensors import Size, TensorType, View

Canonical = Callable[[str, Any], Any]
"""Returns the one form in which a field holds what was given for it; what has it already is returned as it is.

The first argument is the field's name, for errors."""

_CANONICAL: Mapping[Any, Canonical] = {
    int: as_int,
    bool: as_flag,
    float: as_float,
    tuple[int, ...]: as_ints,
    DType: lambda field, value: dtypes.find(value),
}
"""The form of a field by its annotation. `Annotated[type, function]` says another; words are members of a StrEnum."""


@dataclass(frozen=True)
class Operator:
    """What moves where. Subclasses are frozen dataclasses; every rule is a field.

    The annotation of a field says what may be given for it and what it then holds: an `int` takes anything that is an
    integer, and a StrEnum one of its words. Rules between fields are checked by `_check_fields`.

    An operator answers three questions: `infer` the output types from the input types; whether its outputs are mere
    views of its inputs (`view`), or its inputs mere parts of its output (`place`); and, where bytes must move, which
    moves do it (`lower`). Errors name the field; the caller adds the subject (`errors.subject`).
    """

    input_names: ClassVar[tuple[str, ...]] = ("data",)
    """How messages and docs call the inputs; the last name stands for all further inputs."""

    reads_values: ClassVar[bool] = True
    """Whether the outputs depend on the inputs' values; not so for the shape of a tensor."""

    def __post_init__(self) -> None:
        for name, canonical, as_it_is in self._canonical():
            value = getattr(self, name)
            if value is not as_it_is:
                object.__setattr__(self, name, canonical(name, value))
        self._check_fields()

    @property
    def equal_is_same(self) -> bool:
        """Whether operators that compare equal do the same, and are small enough to be kept with what they do.

        Not so where a field is a number of data, since 0.0 equals -0.0, or an array.
        """
        return True

    def maker(self) -> Callable[..., tuple[NDArray[Any], ...] | None] | None:
        """Return what makes the outputs from other inputs of the same types and sizes, all fields as they are.

        Of an operator whose one field of values stands for its input: from other values. None where nothing is shorter
        than a plan, or another operator. What it returns keeps no data; it returns None for what is to be refused.
        """
        return None

    def _check_fields(self) -> None:
        """Raise where fields, each of them right by itself, do not fit each other; fill in what follows from others."""

    @classmethod
    @cache
    def _canonical(cls) -> tuple[tuple[str, Canonical, object], ...]:
        """Return for each field its name, its form, and the value that has it already: None or the default."""
        annotations = get_type_hints(cls, include_extras=True)
        return tuple(
            (f.name, canonical_of(annotations[f.name]), None if _is_optional(annotations[f.name]) else f.default)
            for f in fields(cls)
        )

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the output types; sizes may stay unknown where input sizes are.

        Raises InvalidValueError or InvalidTypeError for inputs that the operator does not take.
        """
        raise NotImplementedError

    def view(self, inputs: Sequence[Layout]) -> tuple[tuple[int, Layout], ...] | None:
        """Return each output as (number of an input, layout over its buffer), or None if bytes must move."""
        return None

    def place(self, inputs: Sequence[tuple[int, ...]], output: Layout) -> tuple[Layout, ...] | None:
        """Return where in the only output's buffer each input (given by its sizes) lies, or None if it lies nowhere."""
        return None

    def fold(self, inputs: Sequence[TensorType]) -> tuple[NDArray[Any], ...] | None:
        """Return the outputs themselves where input types alone decide them (`reads_values` is False), else None."""
        return None

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield the moves that make the outputs of the inputs."""
        parts = self.view([view.layout for view in inputs])
        if parts is not None:
            for (number, layout), output in zip(parts, outputs, strict=True):
                yield CopyMove(inputs[number].over(layout), output)
            return
        folded = self.fold([TensorType(view.dtype, view.layout.sizes) for view in inputs])
        if folded is not None:
            for value, output in zip(folded, outputs, strict=True):
                yield ComputeMove("constant", value.view, (), output)
            return
        places = self.place([view.layout.sizes for view in inputs], outputs[0].layout)
        if places is None:
            raise NotImplementedError(f"{type(self).__name__} has neither view, place, fold nor lower")
        for source, layout in zip(inputs, places, strict=True):
            yield CopyMove(source, outputs[0].over(layout))

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """The fields that are arrays."""
        return ()

    def __str__(self) -> str:
        rules = ", ".join(f"{f.name}={getattr(self, f.name)}" for f in fields(self))
        return f"{type(self).__name__}({rules})"


def canonical_of(annotation: Any) -> Canonical:
    """Return the form of a field with this annotation. Raises KeyError for an annotation that has none."""
    metadata = getattr(annotation, "__metadata__", ())
    if metadata:
        return metadata[0]  # type: ignore[no-any-return]
    if _is_optional(annotation):
        return canonical_of(get_args(annotation)[0])
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return partial(as_word, words=annotation)
    return _CANONICAL[annotation]


def at_least(least: int, allowed: str = "") -> Canonical:
    """Return the form of an integer that has a lower bound."""

    def canonical(field: str, value: Any) -> int:
        number = as_int(field, value)
        if number < least:
            raise invalid(field, number, allowed or f"{least} and more")
        return number

    return canonical


def each_at_least(least: int, allowed: str = "") -> Canonical:
    """Return the form of integers that all have a lower bound."""

    def canonical(field: str, value: Any) -> tuple[int, ...]:
        numbers = as_ints(field, value)
        for place, number in enumerate(numbers):
            if number < least:
                raise invalid(f"{field}[{place}]", number, allowed or f"{least} and more")
        return numbers

    return canonical


def _is_optional(annotation: Any) -> bool:
    return type(None) in get_args(annotation)


def ranked(tensor_type: TensorType) -> TensorType:
    """Return the type with the same number of axes and unknown sizes."""
    return tensor_type.with_sizes(None if tensor_type.sizes is None else [None] * len(tensor_type.sizes))


def unknown_sizes(ndim: int) -> list[Size]:
    """Return the sizes of a result of which only the number of axes is known; ResourceLimitError for too many."""
    check_ndim(ndim, "the result")
    return [None] * ndim


def vector_size(tensor_type: TensorType | None) -> int | None:
    """Return how many entries a vector has, or None where that is not known."""
    size = tensor_type.sizes[0] if tensor_type is not None and tensor_type.sizes else None
    return size if isinstance(size, int) else None


def check_lengths(operator: Operator, first: str, *others: str) -> None:
    """Raise InvalidValueError unless the other fields that are given have as many entries as the first."""
    wanted = len(getattr(operator, first))
    for name in others:
        values = getattr(operator, name)
        if values is not None and len(values) != wanted:
            raise InvalidValueError(f"{name} has {len(values)} entries, allowed {wanted} as {first}")


def set_fields(instance: object, **values: object) -> None:
    """Write values over those of a frozen dataclass; for use while it is made only."""
    for name, value in values.items():
        object.__setattr__(instance, name, value)


def same_size(first: Size, second: Size) -> bool:
    """Whether two sizes can be equal: unknown ones can."""
    return not (isinstance(first, int) and isinstance(second, int)) or first == second


def known(first: Size, second: Size) -> Size:
    """Return the better known of two equal sizes."""
    return first if isinstance(first, int) or second is None else second
