"""Which operators DirectML can express, and the one that stands for views: a copy from other strides."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wherry import ops
from wherry.dialects.directml.dxdispatch import express_indexing, express_movement, express_values, express_windows
from wherry.dialects.directml.dxdispatch.draft import Call
from wherry.dialects.directml.dxdispatch.express_movement import express_layout
from wherry.errors import UnsupportedError
from wherry.graph import Deferred
from wherry.layout import Layout
from wherry.ops import Operator


def express(call: Call) -> None:
    """Add the dispatches of one node. Raises UnsupportedError and others that say what DirectML lacks."""
    operator = call.operator
    made = (operator.makes or operator.build) if isinstance(operator, Deferred) else type(operator)
    if made in _LACKING:
        raise UnsupportedError(f"operator is {getattr(made, '__name__', made)}, which DirectML lacks: {_LACKING[made]}")
    if isinstance(operator, Deferred):
        if operator.build is ops.ReverseSequence:
            express_movement.reverse_by_input(call)
            return
        raise UnsupportedError(f"operator is {operator}, allowed known fields: a description is fixed before the first "
                               "run; make its inputs constants")  # fmt: skip
    found = _EXPRESSIONS.get(type(operator))
    if found is not None:
        found(call)
    else:
        _view(call)


def _view(call: Call) -> None:
    """Operators whose outputs are mere views of packed inputs: ELEMENT_WISE_IDENTITY reads the other strides."""
    parts = call.operator.view([Layout(kind.shape) for kind in call.inputs])
    if parts is None:
        allowed = ", ".join(sorted(kind.__name__ for kind in _EXPRESSIONS))
        raise UnsupportedError(f"operator is {call.operator}, allowed {allowed}, and those that only look at their "
                               "input through other strides")  # fmt: skip
    for number, (source, layout) in enumerate(parts):
        express_layout(call, call.input_names[source], layout, call.outputs[number], call.output_names[number])


_SIZES = "its values decide the sizes of its results, which a description fixes before the first run"
_STRINGS = "it has no strings"
_LACKING: Mapping[object, str] = {
    ops.GatherTree: "a walk compares each step with end_token, and no operator of movement compares",
    ops.NonZero: f"{_SIZES}; NONZERO_COORDINATES gives rows for the worst case",
    ops.StringPack: _STRINGS,
    ops.StringUnpack: _STRINGS,
    ops.Unique: _SIZES,
}
"""Operators that DirectML cannot express unless constants decide their results, and why."""

_EXPRESSIONS: Mapping[type[Operator], Callable[[Call], None]] = {
    ops.Eye: express_values.band_matrix,
    ops.BatchToSpace: express_movement.batch_to_space,
    ops.Cast: express_values.cast,
    ops.Col2Im: express_windows.col2im,
    ops.DepthToSpace: express_movement.depth_to_space,
    ops.ExtractImagePatches: express_windows.image_patches,
    ops.EyeLike: express_values.eye_like,
    ops.Fill: express_values.fill,
    ops.Trilu: express_values.fill_band,
    ops.Gather: express_indexing.gather,
    ops.GatherElements: express_indexing.gather_elements,
    ops.GatherND: express_indexing.gather_nd,
    ops.Im2Col: express_windows.im2col,
    ops.Concat: express_movement.join,
    ops.NonZeroCoordinates: express_values.nonzero_coordinates,
    ops.OneHot: express_values.one_hot,
    ops.Pad: express_movement.pad,
    ops.Reverse: express_movement.reverse,
    ops.ReverseSequence: express_movement.reverse_sequence,
    ops.Roll: express_movement.roll,
    ops.ScaleBias: express_values.scale_bias,
    ops.ScatterUpdate: express_indexing.scatter_along,
    ops.ScatterElements: express_indexing.scatter_elements,
    ops.ScatterND: express_indexing.scatter_nd,
    ops.Range: express_values.sequence,
    ops.ShuffleChannels: express_movement.rearrange,
    ops.Slice: express_movement.slice_,
    ops.SpaceToBatch: express_movement.space_to_batch,
    ops.SpaceToDepth: express_movement.space_to_depth,
    ops.Split: express_movement.split,
    ops.StridedSlice: express_movement.strided_slice,
    ops.Tile: express_movement.tile,
    ops.Where: express_values.where,
}
