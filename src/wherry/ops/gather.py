"""Gather: slices of data along one axis, picked by a tensor of indices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from wherry.errors import InvalidTypeError, InvalidValueError, invalid
from wherry.moves import GatherMove, Move, Negative, OutOfRange
from wherry.ops.operator import Operator, as_int, as_word, known, normalized_axis, same_size, set_fields
from wherry.tensors import TensorType, View, is_integer


@dataclass(frozen=True)
class Gather(Operator):
    """`out[p.., i.., t..] = data[p.., indices[p[:batch_dims].., i..], t..]`, where the index replaces `axis`.

    Sizes: `data[:axis] + indices[batch_dims:] + data[axis + 1:]`. A negative `axis` counts from data's end, a negative
    `batch_dims` from the end of indices' axes. Inputs: data (1 axis and more), indices (any integer type, any sizes).
    """

    axis: int = 0
    batch_dims: int = 0
    out_of_range: OutOfRange = OutOfRange.RAISE
    negative: Negative = Negative.FROM_END

    input_names: ClassVar[tuple[str, ...]] = ("data", "indices")

    def __post_init__(self) -> None:
        set_fields(
            self,
            axis=as_int("axis", self.axis),
            batch_dims=as_int("batch_dims", self.batch_dims),
            out_of_range=as_word("out_of_range", self.out_of_range, OutOfRange),
            negative=as_word("negative", self.negative, Negative),
        )

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        data, indices = inputs
        if not is_integer(indices.dtype):
            raise InvalidTypeError(
                f"indices has dtype {indices.dtype}, allowed int8..int64, uint8..uint64; convert it first"
            )
        if data.sizes is None or indices.sizes is None:
            return (data.with_sizes(None),)
        axis, batch_dims = self.resolve(len(data.sizes), len(indices.sizes))
        for number in range(batch_dims):
            if not same_size(data.sizes[number], indices.sizes[number]):
                raise InvalidValueError(
                    f"indices has size {indices.sizes[number]} on axis {number}, allowed {data.sizes[number]}: "
                    f"the first {batch_dims} axes are batch axes and equal those of data"
                )
        needs_element = self.out_of_range in (OutOfRange.CLAMP, OutOfRange.WRAP)
        if data.sizes[axis] == 0 and needs_element and _has_elements(indices):
            raise invalid(f"size of axis {axis} of data", 0, "1 and more",
                          f"{self.out_of_range} has no element to read there")  # fmt: skip
        batch = [known(a, b) for a, b in zip(data.sizes[:batch_dims], indices.sizes, strict=False)]
        middle = [*data.sizes[batch_dims:axis], *indices.sizes[batch_dims:]]
        return (data.with_sizes([*batch, *middle, *data.sizes[axis + 1 :]]),)

    def resolve(self, data_ndim: int, indices_ndim: int) -> tuple[int, int]:
        """Return axis and batch_dims counted from the front, checked against the ranks."""
        axis = normalized_axis(self.axis, data_ndim)
        most = min(data_ndim, indices_ndim)
        batch_dims = self.batch_dims + indices_ndim if self.batch_dims < 0 else self.batch_dims
        if not 0 <= batch_dims <= most:
            raise invalid("batch_dims", self.batch_dims, f"{-most}..{most}",
                          f"data has {data_ndim} axes, indices {indices_ndim}")  # fmt: skip
        if batch_dims > axis:
            raise invalid("batch_dims", self.batch_dims, f"up to the axis, {axis}", "batch axes lie before the axis")
        return axis, batch_dims

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one gather."""
        data, indices = inputs
        axis, batch_dims = self.resolve(data.layout.ndim, indices.layout.ndim)
        yield GatherMove(data, indices, outputs[0], axis, batch_dims, self.out_of_range, self.negative, subject)


def _has_elements(indices: TensorType) -> bool:
    return indices.is_known and 0 not in indices.shape
