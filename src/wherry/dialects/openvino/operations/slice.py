"""Slice-8 and StridedSlice-1."""

from __future__ import annotations

from wherry.dialects.openvino.row import INTEGER_TYPES, Attribute, Input, OpenVINORow
from wherry.dialects.openvino.values import INTEGERS
from wherry.ops import MaskedShrink, Slice, StridedSlice


def vector(name: str, field: str | None = None, *, is_optional: bool = False) -> Input:
    """Return an input that is a vector of integers, which are a field of the operator."""
    return Input(name, INTEGER_TYPES, ndim=(1, 1), field=field or name, is_optional=is_optional)


def slice_inputs() -> tuple[Input, ...]:
    """Return the inputs that say what a slice is."""
    return (
        vector("start", "starts"),
        vector("stop", "ends"),
        vector("step", "steps"),
        vector("axes", is_optional=True),
    )


_MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")

ROWS = (
    OpenVINORow(
        name="Slice",
        since=8,
        rule="start and stop count from the end once, then are clamped; an axis listed twice is refused",
        build=Slice,
        inputs=(Input("data", ndim=(1, None)), *slice_inputs()),
    ),
    OpenVINORow(
        name="StridedSlice",
        since=1,
        rule="begin == end selects nothing; an ellipsis goes before a new axis, that before shrinking; "
        "an entry that is shrunk and in begin_mask takes element 0",
        build=StridedSlice,
        inputs=(
            Input("data"),
            vector("begin"),
            vector("end"),
            vector("stride", "strides", is_optional=True),
        ),
        attributes=tuple(
            Attribute(name, INTEGERS) if name in _MASKS[:2] else Attribute(name, INTEGERS, default=())
            for name in _MASKS
        ),
        fixed={"masked_shrink": MaskedShrink.FIRST},
    ),
)
