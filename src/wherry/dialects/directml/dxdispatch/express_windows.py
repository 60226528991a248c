"""Windows over images, as DirectML's: UNFOLD and FOLD, or a copy from strides that read the image again and again."""

from __future__ import annotations

from collections.abc import Sequence

from wherry.dialects.directml.descs import FoldOperatorDesc, UnfoldOperatorDesc
from wherry.dialects.directml.dxdispatch.draft import Call, data_type_of, tensor
from wherry.dialects.directml.dxdispatch.express_movement import emit_zero_pad, express_layout
from wherry.dialects.directml.schema import SCHEMA
from wherry.layout import Layout, packed_strides
from wherry.ops import Col2Im, Im2Col

Axis = tuple[int, int, int, int]
"""Number of places in a window, of windows, and the steps from one place, and from one window, to the next."""


def col2im(call: Call) -> None:
    """FOLD; an image without a batch has one of 1."""
    operator: Col2Im = call.operator
    data, out = call.inputs[0], call.outputs[0]
    ndim = len(operator.image_shape) + 2
    block, strides, dilations, begins, ends = _fields(operator)
    desc = FoldOperatorDesc(tensor(data, 3), tensor(out, ndim), block, strides, dilations, begins, ends)
    call.emit(desc)


def im2col(call: Call) -> None:
    """UNFOLD, or a copy of windows where the level or the type has none, behind a PADDING where there are pads."""
    operator: Im2Col = call.operator
    data, out = call.inputs[0], call.outputs[0]
    block, strides, dilations, begins, ends = _fields(operator)
    if call.knows("UNFOLD") and data_type_of(data).name in SCHEMA["UNFOLD"].row(call.level).support["data"].types:
        call.emit(UnfoldOperatorDesc(tensor(data), tensor(out), block, strides, dilations, begins, ends))
        return
    padded, source = emit_zero_pad(call, data, (0, 0, *begins), (0, 0, *ends), call.input_names[0])
    counts = operator.counts(data.shape[2:])
    axes = list(zip(block, counts, dilations, strides, strict=True))
    express_layout(call, source, _windows(padded.shape, axes), data, call.output_names[0])


def image_patches(call: Call) -> None:
    """A copy of windows, behind a PADDING where they reach over the image."""
    operator, data, out = call.operator, call.inputs[0], call.outputs[0]
    axes, begins, ends = list[Axis](), [0, 0], [0, 0]
    for place, size in enumerate(data.shape[2:]):
        count, before = out.shape[2 + place], operator.windows(place, size)[1]
        kernel, stride, rate = operator.sizes[place], operator.strides[place], operator.rates[place]
        axes.append((kernel, count, rate, stride))
        begins.append(before)
        ends.append(max(0, (count - 1) * stride + (kernel - 1) * rate + 1 - before - size))
    padded, source = emit_zero_pad(call, data, begins, ends, call.input_names[0])
    layout = _windows(padded.shape, axes).permuted((0, 2, 3, 1, 4, 5))
    express_layout(call, source, layout, data, call.output_names[0])


def _fields(operator: Col2Im | Im2Col) -> tuple[Sequence[int], ...]:
    return (
        operator.block_shape,
        operator.strides or (),
        operator.dilations or (),
        operator.begins or (),
        operator.ends or (),
    )


def _windows(image: Sequence[int], axes: Sequence[Axis]) -> Layout:
    """Return how a packed image is read as batch, channels, places in the window, and windows."""
    batch, channels, *steps = packed_strides(image)
    places = [(number, rate * step) for (number, _, rate, _), step in zip(axes, steps, strict=True)]
    windows = [(number, stride * step) for (_, number, _, stride), step in zip(axes, steps, strict=True)]
    read = [(image[0], batch), (image[1], channels), *places, *windows]
    return Layout([size for size, _ in read], [step for _, step in read])
