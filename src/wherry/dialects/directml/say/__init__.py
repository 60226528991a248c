"""say: from an operator to one description of DirectML, or why no description does what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from wherry import ops
from wherry.dialects.directml.enums import FeatureLevel
from wherry.dialects.directml.say import arithmetic, indexing, movement, windows
from wherry.dialects.directml.say import values as values_
from wherry.dialects.directml.say.call import (
    Array,
    Call,
    FilledDesc,
    Part,
    Said,
    data_type_of,
    lacks,
    not_empty,
    refusal,
)
from wherry.dialects.refusal import Refusal
from wherry.errors import WherryError
from wherry.graph import Deferred, Node
from wherry.layout import Layout
from wherry.ops import Operator
from wherry.tensors import TensorType

__all__ = ["PREFERRED", "FilledDesc", "Part", "data_type_of", "lacks", "not_empty", "say"]

PREFERRED: Mapping[str, object] = MappingProxyType({"out_of_range": "clamp", "negative": "from_end"})
"""The values of rules that DirectML has, where a rule cannot matter."""


def say(
    node: Node, types: Sequence[TensorType], values: Sequence[Array | None], level: FeatureLevel
) -> FilledDesc | Refusal:
    """Return how DirectML says a node at a feature level, given its inputs' types and the values of constant ones."""
    operator = node.operator
    made = (operator.makes or operator.build) if isinstance(operator, Deferred) else type(operator)
    if made in _LACKING:
        words = f"operator is {getattr(made, '__name__', made)}, which DirectML lacks: {_LACKING[made]}"
        return refusal("operator", words, operator)
    try:
        if isinstance(operator, Deferred):
            return _at_run(node, operator, types, values, level)
        call = Call(operator, types, operator.infer(types), node.inputs, node.outputs, values, level)
        for one in (*call.inputs, *call.outputs):  # a rule of indices is not what is in the way of strings
            data_type_of(one)
            not_empty(one.shape)
        found = _SAID.get(type(operator))
        if found is not None:
            return found(call)
        return movement.viewed(call) if _is_view(call) else _no_description(operator)
    except WherryError as error:  # checks that readers use too
        return Refusal.of(error)


def _at_run(
    node: Node, operator: Deferred, types: Sequence[TensorType], values: Sequence[Array | None], level: FeatureLevel
) -> Said:
    """A description is fixed before the first run; of fields only lengths are an input there."""
    if operator.build is not ops.ReverseSequence:
        words = f"operator is {operator}, allowed known fields: a description is fixed before the first run; "
        return refusal("operator", words + "make its inputs constants", operator)
    data = types[node.inputs.index(node.data_inputs[0])]
    return movement.reverse_by_input(Call(operator, types, (data,), node.inputs, node.outputs, values, level))


def _is_view(call: Call) -> bool:
    parts = call.operator.view([Layout(one.shape) for one in call.inputs])
    return parts is not None and len(parts) == 1


def _no_description(operator: Operator) -> Refusal:
    allowed = ", ".join(sorted(known.__name__ for known in _SAID))
    words = f"operator is {operator}, allowed {allowed}, and those that only look at their input through other strides"
    return refusal("operator", words, operator)


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

_SAID: Mapping[type[Operator], Callable[[Call], Said]] = {
    ops.Accumulate: arithmetic.accumulate,
    ops.ArgExtreme: arithmetic.arg_extreme,
    ops.AsStrided: movement.strided,
    ops.Binary: arithmetic.binary,
    ops.Cast: values_.cast,
    ops.Clip: arithmetic.clip,
    ops.Col2Im: windows.col2im,
    ops.Compare: arithmetic.compare,
    ops.Concat: movement.join,
    ops.DepthToSpace: movement.depth_to_space,
    ops.Divide: arithmetic.divide,
    ops.Extreme: arithmetic.extreme,
    ops.Eye: values_.eye,
    ops.EyeLike: values_.eye_like,
    ops.Fill: values_.fill,
    ops.Gather: indexing.gather,
    ops.GatherElements: indexing.gather_elements,
    ops.GatherND: indexing.gather_nd,
    ops.Im2Col: windows.im2col,
    ops.NonZeroCoordinates: values_.nonzero_coordinates,
    ops.OneHot: values_.one_hot,
    ops.Pad: movement.pad,
    ops.Range: values_.range_,
    ops.Reduce: arithmetic.reduce,
    ops.Remainder: arithmetic.remainder,
    ops.ReverseSequence: movement.reverse_sequence,
    ops.Roll: movement.roll,
    ops.ScaleBias: values_.scale_bias,
    ops.ScatterElements: indexing.scatter_elements,
    ops.ScatterND: indexing.scatter_nd,
    ops.ScatterUpdate: indexing.scatter_update,
    ops.Slice: movement.slice_,
    ops.SpaceToDepth: movement.space_to_depth,
    ops.Split: movement.split,
    ops.StridedSlice: movement.strided_slice,
    ops.Tile: movement.tile,
    ops.Trilu: values_.trilu,
    ops.Unary: arithmetic.unary,
    ops.Where: values_.where,
}
