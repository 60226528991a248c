"""How DirectML says windows over images: UNFOLD and FOLD."""

from __future__ import annotations

from collections.abc import Sequence

from wherry.dialects.directml import descs
from wherry.dialects.directml.say.call import Call, Said, tensor
from wherry.ops import Col2Im, Im2Col


def col2im(call: Call) -> Said:
    """FOLD; an image without a batch has one of 1."""
    operator: Col2Im = call.operator
    ndim = len(operator.image_shape) + 2
    data, out = tensor(call.inputs[0], 3), tensor(call.outputs[0], ndim)
    block, strides, dilations, begins, ends = _fields(operator)
    return call.filled(descs.FoldOperatorDesc(data, out, block, strides, dilations, begins, ends))


def im2col(call: Call) -> Said:
    """UNFOLD."""
    data, out = tensor(call.inputs[0]), tensor(call.outputs[0])
    block, strides, dilations, begins, ends = _fields(call.operator)
    return call.filled(descs.UnfoldOperatorDesc(data, out, block, strides, dilations, begins, ends))


def _fields(operator: Col2Im | Im2Col) -> tuple[Sequence[int], ...]:
    return (
        operator.block_shape,
        operator.strides or (),
        operator.dilations or (),
        operator.begins or (),
        operator.ends or (),
    )
