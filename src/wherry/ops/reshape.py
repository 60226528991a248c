"""Reshape, Squeeze, Unsqueeze, Flatten: the same elements in row-major order with other sizes; views if possible."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import numpy as np

from wherry.arguments import as_int, as_ints, normalized_axis
from wherry.errors import InvalidValueError, invalid
from wherry.layout import Layout
from wherry.moves import Move
from wherry.ops.operator import Operator, each_at_least, unknown_sizes, vector_size
from wherry.ops.rearrange import copy_row_major
from wherry.tensors import Size, TensorType, View


def as_axes(field: str, value: Any) -> tuple[int, ...]:
    """Return the integers of a sequence, a vector, or one integer alone."""
    if np.ndim(value) == 0 and not isinstance(value, str):
        return (as_int(field, value),)
    return as_ints(field, value)


Axes = Annotated[tuple[int, ...], as_axes]
"""A field that holds axes; one axis may be given alone."""


@dataclass(frozen=True)
class Resizing(Operator):
    """An operator that leaves elements in row-major order and changes only the sizes."""

    def result(self, sizes: tuple[Size, ...]) -> Sequence[Size] | None:
        """Return the output sizes for data of such sizes; None where not even their number is known."""
        raise NotImplementedError

    def result_of_unranked(self) -> Sequence[Size] | None:
        """Return the known output sizes where the number of data's axes is unknown."""
        return None

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type with other sizes; see Operator."""
        (data,) = inputs
        return (data.with_sizes(self.result_of_unranked() if data.sizes is None else self.result(data.sizes)),)

    def view(self, inputs: Sequence[Layout]) -> tuple[tuple[int, Layout], ...] | None:
        """Return data's places under other sizes, or None where strides cannot say that."""
        (data,) = inputs
        layout = data.reshaped(self._sizes(data.sizes))
        return None if layout is None else ((0, layout),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one copy in row-major order."""
        yield from copy_row_major(inputs[0], outputs[0])

    def _sizes(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        return TensorType("uint8", self.result(sizes)).shape


class Zero(StrEnum):
    """The meaning of a 0 in the shape of a Reshape."""

    COPY = "copy"
    """The size of data at the same position."""
    LITERAL = "literal"
    """A size of 0."""


class Undetermined(StrEnum):
    """What -1 becomes where the other sizes are 0 in product, so that any number would do."""

    REFUSE = "refuse"
    """Nothing: the shape is refused."""
    ONE = "one"
    """1."""


@dataclass(frozen=True)
class Reshape(Resizing):
    """`out` has the elements of data in row-major order under the sizes `shape`.

    One entry may be -1: what remains. A 0 is what `zero` says. `undetermined` says what -1 is where the other sizes
    are 0 in product (then data must have no element either).

    Raises InvalidValueError for another number of elements, two -1, an entry below -1, a copied 0 beyond data's axes.
    """

    shape: Annotated[tuple[int, ...], each_at_least(-1, "-1 (what remains), 0 and more")]
    zero: Zero = Zero.COPY
    undetermined: Undetermined = Undetermined.REFUSE

    def _check_fields(self) -> None:
        if self.shape.count(-1) > 1:
            raise invalid("shape", list(self.shape), "at most one -1", "only one size can be what remains")

    def result_of_unranked(self) -> Sequence[Size]:
        """Return the sizes that follow from the shape alone."""
        unknown = (-1, 0) if self.zero is Zero.COPY else (-1,)
        return [None if size in unknown else size for size in self.shape]

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return as many axes as the shape has entries; see Deferred."""
        count = vector_size(given.get("shape"))
        return (given["data"].with_sizes(None if count is None else unknown_sizes(count)),)

    def result(self, sizes: tuple[Size, ...]) -> Sequence[Size]:
        """Return the output sizes; see Resizing."""
        copied = [number for number, size in enumerate(self.shape) if size == 0 and self.zero is Zero.COPY]
        for number in copied:
            if number >= len(sizes):
                raise invalid(f"shape[{number}]", 0, f"0 at positions below {len(sizes)}",
                              "it copies a size of data, which has no such axis")  # fmt: skip
        result: list[Size] = [sizes[number] if number in copied else size for number, size in enumerate(self.shape)]
        self._fill_rest(result, sizes, copied)
        if all(isinstance(size, int) for size in (*sizes, *result)) and _product(result) != _product(sizes):
            raise invalid("shape", list(self.shape), f"sizes of {_product(sizes)} elements in all",
                          f"data has sizes {list(sizes)}")  # fmt: skip
        return result

    def _fill_rest(self, result: list[Size], sizes: tuple[Size, ...], copied: Sequence[int]) -> None:
        """Replace -1 by what remains, where that is known; a copied size that is unknown divides out."""
        if -1 not in self.shape:
            return
        at = self.shape.index(-1)
        result[at] = None
        divided = {number for number in copied if not isinstance(sizes[number], int)}
        ours = [size for number, size in enumerate(result) if number not in divided and number != at]
        theirs = [size for number, size in enumerate(sizes) if number not in divided]
        if any(not isinstance(size, int) for size in theirs):
            return
        elements, rest = _product(theirs), _product(ours)
        if rest == 0 and self.undetermined is Undetermined.ONE and elements == 0:
            result[at] = 1
        elif rest == 0 or elements % rest:
            why = "any number would do" if rest == 0 and elements == 0 else f"data has sizes {list(sizes)}"
            raise invalid("shape", list(self.shape), f"other sizes whose product, now {rest}, divides {elements}",
                          f"-1 is what remains, and {why}")  # fmt: skip
        else:
            result[at] = elements // rest


def _product(sizes: Sequence[Size]) -> int:
    return math.prod(size for size in sizes if isinstance(size, int))


class Empty(StrEnum):
    """What an empty list of axes means."""

    ALL = "all"
    """The meaning of a missing list: every axis of size 1."""
    NONE = "none"
    """No axis."""


class OtherSizes(StrEnum):
    """What becomes of a listed axis whose size is not 1."""

    REFUSE = "refuse"
    """It is an error."""
    KEEP = "keep"
    """It stays."""


class Repeated(StrEnum):
    """What an axis means that is listed twice."""

    REFUSE = "refuse"
    """It is an error."""
    COLLAPSE = "collapse"
    """It counts once."""


@dataclass(frozen=True)
class Squeeze(Resizing):
    """`out` is data without the listed axes of size 1 (`axes=None`: all of them); a view."""

    axes: Axes | None = None
    empty: Empty = Empty.ALL
    other_sizes: OtherSizes = OtherSizes.REFUSE
    repeated: Repeated = Repeated.REFUSE

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return data's number of axes without the listed ones; see Deferred."""
        data, count = given["data"], vector_size(given.get("axes"))
        exact = fields.get("other_sizes", OtherSizes.REFUSE) == OtherSizes.REFUSE
        exact &= fields.get("repeated", Repeated.REFUSE) == Repeated.REFUSE
        if not exact or not count or data.sizes is None or count > len(data.sizes):
            return (data.with_sizes(None),)
        return (data.with_sizes([None] * (len(data.sizes) - count)),)

    def result(self, sizes: tuple[Size, ...]) -> Sequence[Size] | None:
        """Return the output sizes; see Resizing."""
        if self.axes is None or (not self.axes and self.empty is Empty.ALL):
            return None if any(not isinstance(n, int) for n in sizes) else [n for n in sizes if n != 1]
        listed = [normalized_axis(axis, len(sizes), field=f"axes[{n}]") for n, axis in enumerate(self.axes)]
        if self.repeated is Repeated.REFUSE:
            check_distinct(self.axes, listed)
        for axis in listed:
            if sizes[axis] != 1 and isinstance(sizes[axis], int) and self.other_sizes is OtherSizes.REFUSE:
                raise invalid(f"size of axis {axis} of data", sizes[axis], "1",
                              f"axes is {list(self.axes)}, and only axes of size 1 can go")  # fmt: skip
        if self.other_sizes is OtherSizes.KEEP:
            if any(not isinstance(sizes[axis], int) for axis in listed):
                return None
            listed = [axis for axis in listed if sizes[axis] == 1]
        return [size for axis, size in enumerate(sizes) if axis not in listed]


@dataclass(frozen=True)
class Unsqueeze(Resizing):
    """`out` is data with axes of size 1 at the positions `axes`, counted in the output; a view.

    The output has as many axes more as `axes` has different entries; negative entries count from its end.
    """

    axes: Axes
    repeated: Repeated = Repeated.REFUSE

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return data's number of axes and the listed ones; see Deferred."""
        data, count = given["data"], vector_size(given.get("axes"))
        if count is None or data.sizes is None or fields.get("repeated", Repeated.REFUSE) != Repeated.REFUSE:
            return (data.with_sizes(None),)
        return (data.with_sizes(unknown_sizes(len(data.sizes) + count)),)

    def result(self, sizes: tuple[Size, ...]) -> Sequence[Size]:
        """Return the output sizes; see Resizing."""
        given = self.axes if self.repeated is Repeated.REFUSE else tuple(dict.fromkeys(self.axes))
        ndim = len(sizes) + len(given)
        listed = [normalized_axis(axis, ndim, "the output", f"axes[{n}]") for n, axis in enumerate(given)]
        if self.repeated is Repeated.REFUSE:
            check_distinct(self.axes, listed)
        result = list(sizes)
        for axis in sorted(set(listed)):
            if axis > len(result):
                raise invalid("axes", list(self.axes), f"axes up to {len(result)}",
                              "entries that name one axis twice leave fewer axes; name each once")  # fmt: skip
            result.insert(axis, 1)
        return result


@dataclass(frozen=True)
class Flatten(Resizing):
    """`out` is data as a matrix: the axes before `axis` in its rows, the others in its columns.

    `axis` is in -r..r for data of r axes; an empty product is 1.
    """

    axis: int = 1

    def result_of_unranked(self) -> Sequence[Size]:
        """Return two unknown sizes."""
        return (None, None)

    def result(self, sizes: tuple[Size, ...]) -> Sequence[Size]:
        """Return the output sizes; see Resizing."""
        ndim = len(sizes)
        if not -ndim <= self.axis <= ndim:
            raise invalid("axis", self.axis, f"{-ndim}..{ndim}", f"data has {ndim} axes")
        axis = self.axis + ndim if self.axis < 0 else self.axis
        return [_merged(sizes[:axis]), _merged(sizes[axis:])]


def _merged(sizes: Sequence[Size]) -> Size:
    others = [size for size in sizes if size != 1]
    if all(isinstance(size, int) for size in others):
        return _product(others)
    return others[0] if len(others) == 1 else 0 if 0 in others else None


def check_distinct(given: Sequence[int], axes: Sequence[int], field: str = "axes") -> None:
    """Refuse axes that name one twice."""
    if len(set(axes)) < len(axes):
        raise InvalidValueError(f"{field} is {list(given)}, allowed each axis once")
