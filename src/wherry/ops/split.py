"""Split: data cut into parts along one axis; each part is a view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from typing import Annotated, Any

from numpy.typing import NDArray

from wherry.arguments import normalized_axis
from wherry.errors import InvalidTypeError, InvalidValueError, invalid
from wherry.layout import Layout
from wherry.limits import check_values
from wherry.ops.operator import Operator, at_least, ranked
from wherry.tensors import Size, TensorType


class Uneven(StrEnum):
    """How an axis is divided into a number of sections that its size is no multiple of."""

    REFUSE = "refuse"
    """It is not: the size must be a multiple."""
    SMALLER_LAST = "smaller_last"
    """Parts of `ceil(size / sections)`, the last ones smaller or empty."""
    ONLY_LAST = "only_last"
    """Parts of `ceil(size / sections)`, the last one smaller or empty; refused where another one would be smaller too.

    ONNX Split-18 speaks of one smaller chunk; a size of 5 in 4 sections (2, 2, 1, 0) is not what it says.
    """


@dataclass(frozen=True)
class Split(Operator):
    """`outputs[k][c] = data[c with c[axis] + start(k)]`, where start(k) is the sum of the sizes before part k.

    Either `sizes`, one for each part (one of them may be -1: what remains), or a number of `sections`.
    """

    axis: int = 0
    sizes: tuple[int, ...] | None = None
    sections: Annotated[int, at_least(1)] | None = None
    uneven: Uneven = Uneven.REFUSE

    def _check_fields(self) -> None:
        if (self.sizes is None) == (self.sections is None):
            raise InvalidValueError("sizes and sections are both given or both missing, allowed exactly one of them")
        check_values(self.part_count, "the parts")
        if self.sizes is not None:
            self._check_sizes(self.sizes)

    @staticmethod
    def _check_sizes(sizes: tuple[int, ...]) -> None:
        for number, size in enumerate(sizes):
            if size < -1:
                raise invalid(f"sizes[{number}]", size, "-1 (what remains), 0 and more")
        if sizes.count(-1) > 1:
            raise invalid("sizes", list(sizes), "at most one -1", "only one part can be what remains")

    @property
    def part_count(self) -> int:
        """The number of parts."""
        return len(self.sizes) if self.sizes is not None else self.sections or 0

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return data's sizes but that of the axis; see Deferred."""
        data, axis = given["data"], fields.get("axis")
        if axis is None or data.sizes is None:
            return (ranked(data),)
        at = normalized_axis(axis, len(data.sizes))
        return (data.with_sizes([None if n == at else size for n, size in enumerate(data.sizes)]),)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of each part; see Operator."""
        (data,) = inputs
        if data.sizes is None:
            return (data,) * self.part_count
        axis = normalized_axis(self.axis, len(data.sizes))
        parts = self.part_sizes(data.sizes[axis])
        return tuple(data.with_sizes([*data.sizes[:axis], part, *data.sizes[axis + 1 :]]) for part in parts)

    def part_sizes(self, size: Size) -> tuple[Size, ...]:
        """Return the size of each part of an axis of `size`. Raises InvalidValueError where it cannot be cut so."""
        if self.sizes is not None:
            return self._given_sizes(self.sizes, size)
        assert self.sections is not None
        if not isinstance(size, int):
            return (None,) * self.sections
        if self.uneven is Uneven.REFUSE and size % self.sections:
            raise invalid(
                "sections",
                self.sections,
                f"a divisor of {size}",
                "the axis has that size; give the sizes of the parts",
            )
        part = -(-size // self.sections)
        if self.uneven is Uneven.ONLY_LAST and part * (self.sections - 1) > size:
            raise invalid("sections", self.sections, f"a number of parts of which only the last is smaller than {part}",
                          f"the axis has size {size}; give the sizes of the parts")  # fmt: skip
        return tuple(max(0, min(part, size - number * part)) for number in range(self.sections))

    @staticmethod
    def _given_sizes(sizes: tuple[int, ...], size: Size) -> tuple[Size, ...]:
        fixed = sum(part for part in sizes if part != -1)
        if not isinstance(size, int):
            return tuple(None if part == -1 else part for part in sizes)
        if fixed > size or (fixed < size and -1 not in sizes):
            raise invalid("sizes", list(sizes), f"a sum of {size}", f"the sum is {fixed}, and the axis has size {size}")
        return tuple(size - fixed if part == -1 else part for part in sizes)

    def view(self, inputs: Sequence[Layout]) -> tuple[tuple[int, Layout], ...]:
        """Return each part as a layout over data's buffer."""
        (data,) = inputs
        axis = normalized_axis(self.axis, data.ndim)
        parts = [int(part or 0) for part in self.part_sizes(data.sizes[axis])]
        starts = [0, *accumulate(parts)]
        return tuple((0, data.sliced(axis, start, part)) for start, part in zip(starts, parts, strict=False))


def split_by_sizes(axis: int, sizes: NDArray[Any]) -> Split:
    """Return the Split whose part sizes are the values of the input `split`.

    Raises InvalidValueError for a negative size, InvalidTypeError for one that is no whole number (Split-1 has them in
    the type of the data).
    """
    if sizes.ndim != 1:
        raise InvalidValueError(f"split has {sizes.ndim} axes, allowed 1; pass a vector")
    check_values(sizes.size, "the entries of split")
    for number, size in enumerate(sizes.tolist()):
        if not size >= 0:  # also what is no number
            raise invalid(f"split[{number}]", size, "0 and more")
        if size % 1:
            raise InvalidTypeError(f"split[{number}] is {size}, allowed a whole number")
    return Split(axis, sizes=tuple(map(int, sizes.tolist())))
