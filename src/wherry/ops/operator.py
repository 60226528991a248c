"""Operator: the base of all operators, and the checks of fields and inputs that they share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from numpy.typing import NDArray

from wherry.layout import Layout
from wherry.limits import check_ndim
from wherry.moves import ComputeMove, CopyMove, Move
from wherry.tensors import Size, TensorType, View


@dataclass(frozen=True)
class Operator:
    """What moves where. Subclasses are frozen dataclasses; every rule is a field.

    An operator answers three questions: `infer` the output types from the input types; whether its outputs are mere
    views of its inputs (`view`), or its inputs mere parts of its output (`place`); and, where bytes must move, which
    moves do it (`lower`). Errors name the field; the caller adds who speaks (`errors.subject`).
    """

    input_names: ClassVar[tuple[str, ...]] = ("data",)
    """How messages and docs call the inputs; the last name stands for all further inputs."""

    reads_values: ClassVar[bool] = True
    """Whether the outputs depend on the inputs' values; not so for the shape of a tensor."""

    equal_is_same: ClassVar[bool] = True
    """Whether operators that compare equal do the same, and are small enough to be kept with what they do.

    Not so where a field is a number of data, since 0.0 equals -0.0, or an array.
    """

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


def ranked(kind: TensorType) -> TensorType:
    """Return the type with what is known of its number of axes, but of no size."""
    return kind.with_sizes(None if kind.sizes is None else [None] * len(kind.sizes))


def unknown_sizes(ndim: int) -> list[Size]:
    """Return the sizes of a result of which only the number of axes is known; ResourceLimitError for too many."""
    check_ndim(ndim, "the result")
    return [None] * ndim


def vector_size(kind: TensorType | None) -> int | None:
    """Return how many entries a vector has, or None where that is not known."""
    size = kind.sizes[0] if kind is not None and kind.sizes else None
    return size if isinstance(size, int) else None


def set_fields(instance: object, **values: object) -> None:
    """Write canonical values over the given ones of a frozen dataclass; for `__post_init__` only."""
    for name, value in values.items():
        object.__setattr__(instance, name, value)


def same_size(first: Size, second: Size) -> bool:
    """Whether two sizes can be equal: unknown ones can."""
    return not (isinstance(first, int) and isinstance(second, int)) or first == second


def known(first: Size, second: Size) -> Size:
    """Return the better known of two equal sizes."""
    return first if isinstance(first, int) or second is None else second
