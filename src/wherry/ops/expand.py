"""Expand: data repeated along axes of size 1 and new axes; a view with strides of 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from wherry.errors import InvalidValueError, invalid
from wherry.layout import Layout
from wherry.ops.operator import Operator, each_at_least, unknown_sizes, vector_size
from wherry.tensors import Size, TensorType


class Alignment(StrEnum):
    """Which axis of the target an axis of data becomes, and whether the target gives way."""

    TWO_WAY = "two_way"
    """Last axes together; a target of 1, or with fewer axes, gives way to data: ONNX Expand, OpenVINO bidirectional."""
    ONE_WAY = "one_way"
    """Last axes together; the target is the output: OpenVINO numpy."""
    EXPLICIT = "explicit"
    """Axis i of data is axis `axes[i]` of the target: OpenVINO explicit."""
    START = "start"
    """Axis i of data is axis `start + i` of the target; `start=-1` puts the last axes together: OpenVINO pdpd."""


@dataclass(frozen=True)
class Expand(Operator):
    """`out[c] = data[c at data's axes, 0 where data has size 1]`; the output has the sizes `shape`, or more; a view.

    Raises InvalidValueError where a size of data is neither 1 nor that of the target, an entry of `shape` is negative,
    or axes are missing, unsorted or outside.
    """

    shape: Annotated[tuple[int, ...], each_at_least(0)]
    alignment: Alignment = Alignment.TWO_WAY
    axes: tuple[int, ...] | None = None
    start: int = -1

    def _check_fields(self) -> None:
        if (self.axes is None) == (self.alignment is Alignment.EXPLICIT):
            raise InvalidValueError(
                "axes is given or missing against the alignment, allowed with 'explicit' and only there"
            )
        if self.start != -1 and self.alignment is not Alignment.START:
            raise invalid("start", self.start, "-1", "only the alignment 'start' has a first axis")

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return the number of axes; see Deferred."""
        data, count = given["data"], vector_size(given.get("shape"))
        two_way = fields.get("alignment", Alignment.TWO_WAY) == Alignment.TWO_WAY
        if count is None or (two_way and data.sizes is None):
            return (data.with_sizes(None),)
        return (data.with_sizes(unknown_sizes(max(count, data.ndim or 0) if two_way else count)),)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type with the sizes of the output; see Operator."""
        (data,) = inputs
        if data.sizes is None:
            return (data.with_sizes(None if self.alignment is Alignment.TWO_WAY else self.shape),)
        target = self._target(len(data.sizes))
        result: list[Size] = list(target)
        for number, (axis, size) in enumerate(zip(self.places(len(data.sizes)), data.sizes, strict=True)):
            result[axis] = self._size(number, size, target[axis])
        return (data.with_sizes(result),)

    def _target(self, ndim: int) -> tuple[int, ...]:
        extra = ndim - len(self.shape) if self.alignment is Alignment.TWO_WAY else 0
        return (1,) * extra + self.shape

    def _size(self, number: int, size: Size, target: int) -> Size:
        gives_way = self.alignment is Alignment.TWO_WAY and target == 1
        if gives_way:
            return size
        if isinstance(size, int) and size not in (1, target):
            allowed = "1" if target == 1 else f"1 or {target}"
            raise invalid(f"size of axis {number} of data", size, allowed, f"shape is {list(self.shape)}")
        return target

    def places(self, ndim: int) -> tuple[int, ...]:
        """Return the axis of the output for each of data's axes, checked."""
        target = len(self._target(ndim))
        if self.alignment is Alignment.EXPLICIT:
            return self._explicit(ndim, target)
        start = target - ndim if self.alignment is not Alignment.START or self.start == -1 else self.start
        if not 0 <= start <= target - ndim:
            field, value = ("shape", list(self.shape)) if self.start == -1 else ("start", self.start)
            allowed = f"{ndim} entries and more" if self.start == -1 or ndim > target else f"-1..{target - ndim}"
            raise invalid(field, value, allowed, f"data has {ndim} axes")
        return tuple(range(start, start + ndim))

    def _explicit(self, ndim: int, target: int) -> tuple[int, ...]:
        axes = self.axes or ()
        if len(axes) != ndim:
            raise InvalidValueError(f"axes has {len(axes)} entries, allowed {ndim}: one for each axis of data")
        if list(axes) != sorted(set(axes)) or any(not 0 <= axis < target for axis in axes):
            raise invalid("axes", list(axes), f"ascending axes in 0..{target - 1}", "they are axes of shape")
        return axes

    def view(self, inputs: Sequence[Layout]) -> tuple[tuple[int, Layout], ...]:
        """Return data with strides of 0 along the axes that repeat."""
        (data,) = inputs
        (output,) = self.infer([TensorType("uint8", data.sizes)])
        strides = [0] * len(output.shape)
        for axis, size, stride in zip(self.places(data.ndim), data.sizes, data.strides, strict=True):
            strides[axis] = stride if size == output.shape[axis] else 0
        return ((0, Layout(output.shape, strides, data.offset)),)
