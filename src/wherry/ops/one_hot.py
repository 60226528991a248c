"""OneHot: along a new axis one position is on, the others are off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry.arguments import as_int, normalized_axis
from wherry.errors import InvalidTypeError, InvalidValueError, invalid
from wherry.layout import Layout
from wherry.moves import ComputeMove, CopyMove, Move, NanRule, Negative, OutOfRangeWrite, Reduction, ScatterMove
from wherry.ops.gather import beside
from wherry.ops.operator import Operator
from wherry.ops.values import bits_of
from wherry.tensors import TensorType, View


class FractionalIndex(StrEnum):
    """What an index that is a float, but no whole number, means."""

    TRUNCATE = "truncate"
    """Its fraction is dropped."""
    OFF = "off"
    """It is no position: all are off."""


def as_depth(field: str, value: Any) -> int:
    """Return the size of the new axis. ONNX gives depth as a tensor of any number type, which is cast to int64."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.size == 1 and np.isfinite(value).all():
        value = int(value.reshape(()).item())
    depth = as_int(field, value)
    if not 1 <= depth < 2**62:
        raise invalid(field, depth, "1 and more", "it is the size of the new axis")
    return depth


@dataclass(frozen=True)
class OneHot(Operator):
    """`out[p.., j, t..] = on if indices[p.., t..] == j else off`, for j in 0..depth-1 along `axis` of the result.

    An index outside the axis, after `negative` has been applied, has all positions off; so have NaN and infinities.
    With `keep_axis`, indices already have that axis, of size 1. Inputs: indices (integers or floats), off and on
    (one element each, one type), or instead of these two one vector of both. The bits of on and off are kept.
    """

    depth: Annotated[int, as_depth]
    axis: int = -1
    negative: Negative = Negative.FROM_END
    fractional: FractionalIndex = FractionalIndex.TRUNCATE
    keep_axis: bool = False

    input_names: ClassVar[tuple[str, ...]] = ("indices", "off", "on")

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return indices' sizes and one more; see Deferred."""
        indices, axis, values = given["indices"], fields.get("axis"), given.get("off", given["indices"])
        if indices.sizes is None or axis is None:
            return (values.with_sizes(None),)
        sizes = list(indices.sizes)
        if fields.get("keep_axis", False):
            sizes[normalized_axis(axis, len(sizes), "the result")] = None
        else:
            sizes.insert(normalized_axis(axis, len(sizes) + 1, "the result"), None)
        return (values.with_sizes(sizes),)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        indices, off, on = inputs[0], inputs[1], inputs[-1]
        if indices.row is None or indices.row.kind not in ("int", "uint", "float"):
            raise InvalidTypeError(f"indices has dtype {indices.dtype}, allowed integers and floats; convert it first")
        if off.dtype != on.dtype:
            raise InvalidTypeError(f"on has dtype {on.dtype}, allowed {off.dtype}, that of off; convert it first")
        if len(inputs) == 2 and off.is_known and off.shape != (2,):
            raise InvalidValueError(f"values has sizes {list(off.shape)}, allowed [2]: off and on")
        for name, given in (("off", off), ("on", on)) if len(inputs) > 2 else ():
            if given.is_known and any(size != 1 for size in given.shape):
                raise InvalidValueError(f"{name} has sizes {list(given.shape)}, allowed one element")
        if indices.sizes is None:
            return (off.with_sizes(None),)
        sizes = list(indices.sizes)
        axis = normalized_axis(self.axis, len(sizes) + (not self.keep_axis), "the result")
        if not self.keep_axis:
            sizes.insert(axis, self.depth)
        elif sizes[axis] in (1, None) or isinstance(sizes[axis], str):
            sizes[axis] = self.depth
        else:
            raise invalid(f"size of axis {axis} of indices", sizes[axis], "1", "the result has depth positions there")
        return (off.with_sizes(sizes),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield a copy of off to all places, and a scatter of on; floats are first made integers."""
        (out,), indices = outputs, inputs[0]
        axis = normalized_axis(self.axis, out.layout.ndim)
        step = inputs[1].layout.strides[0] if len(inputs) == 2 else 0
        off, on = (
            view.over(Layout((), offset=view.layout.offset + place * step))
            for place, view in enumerate((inputs[1], inputs[-1]))
        )
        yield CopyMove(off.over(off.layout.broadcast_to(out.layout.sizes)), out)
        if indices.dtype.kind not in "iu":
            yield ComputeMove("one_hot", partial(self._set, axis=axis), (indices, on), out, writes=True)
            return
        at = indices.layout
        if not self.keep_axis:
            places = range(at.ndim)
            at = at.spread((*at.sizes[:axis], 1, *at.sizes[axis:]), (*places[:axis], None, *places[axis:]))
        how = beside(at, axis)
        columns = indices.over(how.over_indices(at))
        yield ScatterMove(
            out.over(how.over_data(out.layout)),
            columns,
            on.over(on.layout.broadcast_to(columns.layout.sizes[:-1])),
            Reduction.NONE,
            True,
            NanRule.PROPAGATE,
            OutOfRangeWrite.SKIP,
            self.negative,
        )

    def _set(self, indices: NDArray[Any], on: NDArray[Any], out: NDArray[Any], *, axis: int) -> None:
        """Write the on values for indices that are no integers of NumPy and the core."""
        bits = bits_of(out)
        positions, inside = self._positions(indices if self.keep_axis else np.expand_dims(indices, axis))
        places = list(np.nonzero(inside))
        places[axis] = positions[inside]
        bits[tuple(places)] = bits_of(on)

    def _positions(self, indices: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the position that each index means, and whether it is one."""
        indices, whole = _whole(indices, self.depth)
        whole |= self.fractional is FractionalIndex.TRUNCATE
        if self.negative is Negative.FROM_END:
            indices = np.where(indices < 0, indices + self.depth, indices)
        return indices, whole & (indices >= 0) & (indices < self.depth)


def _whole(indices: NDArray[Any], depth: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return floats, and types narrower than a byte, as integers cut at depth, and whether they had no fraction."""
    values = indices.astype(np.float64)
    truncated = np.trunc(np.where(np.isfinite(values), values, depth))
    return np.clip(truncated, -depth - 1, depth).astype(np.int64), truncated == values
