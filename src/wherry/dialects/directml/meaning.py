"""Each operator description as semantic operators: the same movement with every rule a field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from wherry import errors
from wherry.dialects.directml import arithmetic, descs
from wherry.dialects.directml.enums import DataType, DepthSpaceOrder, FeatureLevel, PaddingMode
from wherry.dialects.directml.steps import Meaning, Moved, Step
from wherry.graph import Deferred
from wherry.moves import Negative, OutOfRange, OutOfRangeWrite
from wherry.ops import (
    Beyond,
    Cast,
    ChannelOrder,
    Col2Im,
    Concat,
    DepthToSpace,
    Eye,
    Fill,
    FloatOverflow,
    FloatToInteger,
    Gather,
    GatherElements,
    GatherND,
    Identity,
    Im2Col,
    IntegerOverflow,
    NonZeroCoordinates,
    OffAxis,
    OneHot,
    Operator,
    Pad,
    PadMode,
    Range,
    ReverseSequence,
    ScaleBias,
    ScatterElements,
    ScatterND,
    Slice,
    SpaceToDepth,
    Split,
    Steps,
    Tile,
    TooLong,
    Trilu,
    Where,
    window_slice,
)

PAD_MODES: Mapping[PaddingMode, PadMode] = {
    PaddingMode.CONSTANT: PadMode.CONSTANT,
    PaddingMode.EDGE: PadMode.EDGE,
    PaddingMode.REFLECTION: PadMode.REFLECT,
    PaddingMode.SYMMETRIC: PadMode.SYMMETRIC,
    PaddingMode.WRAP: PadMode.WRAP,
}
"""DML_PADDING_MODE. No page defines WRAP, the name does: the input again and again."""

CHANNEL_ORDERS: Mapping[DepthSpaceOrder, ChannelOrder] = {
    DepthSpaceOrder.DEPTH_COLUMN_ROW: ChannelOrder.BLOCKS_FIRST,
    DepthSpaceOrder.COLUMN_ROW_DEPTH: ChannelOrder.DEPTH_FIRST,
}
"""DML_DEPTH_SPACE_ORDER."""

CAST_RULES: Mapping[str, Any] = {
    "float_overflow": FloatOverflow.INFINITY,
    "float_to_integer": FloatToInteger.SATURATE,
    "integer_overflow": IntegerOverflow.WRAP,
}
"""What CAST makes of values that the type cannot hold; DirectML documents none of it."""

OUT_OF_RANGE_WRITE = OutOfRangeWrite.REPORT
"""What SCATTER and SCATTER_ND do with an update outside the axis; DirectML documents nothing."""


def meaning_of(desc: Any, level: FeatureLevel) -> Meaning[Any]:
    """Return a valid description as operators."""
    with errors.subject(desc.subject(level)):
        made = MEANINGS[desc.name](desc, level)
    if isinstance(made, Meaning):
        return made
    operator, ndims = made if isinstance(made, tuple) else (made, {})
    inputs = tuple(path for path, member, _ in desc.tensors if not member.is_output)
    outputs = tuple(path for path, member, _ in desc.tensors if member.is_output)
    return Meaning(operator, inputs, outputs, ndims)


Ranked = tuple[Moved, Mapping[str, int]]
"""An operator, and the number of axes of tensors: see `Meaning`."""

Made = Operator | Deferred | Ranked[Operator] | Meaning[Any]


def _negative(level: FeatureLevel) -> Negative:
    """From 3_0 on signed indices exist, and count from the end where they are negative."""
    return Negative.FROM_END if level >= FeatureLevel.LEVEL_3_0 else Negative.INVALID


def _gather(desc: descs.GatherOperatorDesc, level: FeatureLevel) -> Ranked[Gather]:
    """DML_GATHER_OPERATOR_DESC: sizes are right-aligned, so the operator sees each tensor without its filling ones."""
    count, index_dims = desc.input_tensor.dimension_count, desc.index_dimensions
    filled = max(index_dims - 1, 0)
    return Gather(desc.axis - filled, 0, OutOfRange.CLAMP, _negative(level)), {
        "InputTensor": count - filled,
        "IndicesTensor": index_dims,
        "OutputTensor": count if index_dims else count - 1,
    }


def _gather_elements(desc: descs.GatherElementsOperatorDesc, level: FeatureLevel) -> GatherElements:
    return GatherElements(desc.axis, OutOfRange.CLAMP, _negative(level))


def _gather_nd(desc: descs.GatherNdOperatorDesc | descs.GatherNd1OperatorDesc, level: FeatureLevel) -> Ranked[GatherND]:
    batch = desc.batch_dimension_count if isinstance(desc, descs.GatherNd1OperatorDesc) else 0
    ndims = _tuple_ndims(desc, "OutputTensor", batch)
    return GatherND(batch, OutOfRange.CLAMP, _negative(level)), ndims


def _scatter(desc: descs.ScatterOperatorDesc, level: FeatureLevel) -> ScatterElements:
    return ScatterElements(
        axis=desc.axis, out_of_range=OUT_OF_RANGE_WRITE, negative=_negative(level), off_axis=OffAxis.AT_MOST
    )


def _scatter_nd(desc: descs.ScatterNdOperatorDesc, level: FeatureLevel) -> Ranked[ScatterND]:
    ndims = _tuple_ndims(desc, "UpdatesTensor", 0)
    return ScatterND(out_of_range=OUT_OF_RANGE_WRITE, negative=_negative(level)), {
        **ndims,
        "OutputTensor": ndims["InputTensor"],
    }


def _tuple_ndims(
    desc: descs.GatherNdOperatorDesc | descs.GatherNd1OperatorDesc | descs.ScatterNdOperatorDesc,
    slices: str,
    batch: int,
) -> dict[str, int]:
    data, indices = desc.input_dimension_count, desc.indices_dimension_count
    rest = data - batch - desc.indices_tensor.sizes[-1]
    return {"InputTensor": data, "IndicesTensor": indices, slices: indices - 1 + rest}


def _split(desc: descs.SplitOperatorDesc, level: FeatureLevel) -> Split:
    return Split(desc.axis, sizes=tuple(part.sizes[desc.axis] for part in desc.output_tensors))


def _join(desc: descs.JoinOperatorDesc, level: FeatureLevel) -> Concat:
    return Concat(desc.axis)


def _slice(desc: descs.SliceOperatorDesc, level: FeatureLevel) -> Slice:
    return Slice(tuple(desc.offsets), sizes=tuple(desc.sizes), steps=tuple(desc.strides))


def _slice1(desc: descs.Slice1OperatorDesc, level: FeatureLevel) -> Slice:
    return window_slice(
        desc.input_window_offsets,
        desc.input_window_sizes,
        desc.input_window_strides,
        desc.input_tensor.sizes,
        desc.output_tensor.sizes,
    )


def _tile(desc: descs.TileOperatorDesc, level: FeatureLevel) -> Tile:
    return Tile(tuple(desc.repeats))


def _padding(desc: descs.PaddingOperatorDesc, level: FeatureLevel) -> Pad:
    constant = desc.padding_mode is PaddingMode.CONSTANT
    value = float_value(desc.padding_value, desc.output_tensor.data_type) if constant else None
    return _pad(desc, value)


def _padding1(desc: descs.Padding1OperatorDesc, level: FeatureLevel) -> Pad:
    constant = desc.padding_mode is PaddingMode.CONSTANT
    return _pad(desc, desc.padding_value.element(desc.padding_value_data_type) if constant else None)


def _pad(desc: descs.PaddingOperatorDesc | descs.Padding1OperatorDesc, value: Any) -> Pad:
    mode = PAD_MODES[desc.padding_mode]
    return Pad(tuple(desc.start_padding), tuple(desc.end_padding), mode, value, beyond=Beyond.FOLD)


def _depth_to_space(
    desc: descs.DepthToSpaceOperatorDesc | descs.DepthToSpace1OperatorDesc, level: FeatureLevel
) -> DepthToSpace:
    order = desc.order if isinstance(desc, descs.DepthToSpace1OperatorDesc) else DepthSpaceOrder.DEPTH_COLUMN_ROW
    return DepthToSpace(desc.block_size, CHANNEL_ORDERS[order])


def _space_to_depth(
    desc: descs.SpaceToDepthOperatorDesc | descs.SpaceToDepth1OperatorDesc, level: FeatureLevel
) -> SpaceToDepth:
    order = desc.order if isinstance(desc, descs.SpaceToDepth1OperatorDesc) else DepthSpaceOrder.DEPTH_COLUMN_ROW
    return SpaceToDepth(desc.block_size, CHANNEL_ORDERS[order])


def _reverse_subsequences(
    desc: descs.ReverseSubsequencesOperatorDesc, level: FeatureLevel
) -> ReverseSequence | Deferred:
    """The lengths decide the moves: they are known when the operator runs."""
    fields = (("time_axis", desc.axis), ("batch_axes", None), ("too_long", TooLong.CLAMP))
    return Deferred(ReverseSequence, fields, (("lengths", 1),))


def _fill_constant(desc: descs.FillValueConstantOperatorDesc, level: FeatureLevel) -> Fill:
    return Fill(desc.value.element(desc.value_data_type), desc.output_tensor.sizes)  # type: ignore[arg-type]


def _fill_sequence(desc: descs.FillValueSequenceOperatorDesc, level: FeatureLevel) -> Range:
    """DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC: the page's pseudocode adds the delta again and again."""
    start, delta = (value.element(desc.value_data_type) for value in (desc.value_start, desc.value_delta))
    return Range(np.asarray(start), np.asarray(delta), sizes=desc.output_tensor.sizes, steps=Steps.ACCUMULATE)


def _diagonal_matrix(desc: descs.DiagonalMatrixOperatorDesc, level: FeatureLevel) -> Eye:
    value = float_value(desc.value, desc.output_tensor.data_type)
    return Eye(np.asarray(value), desc.output_tensor.sizes, desc.offset, desc.offset + 1)


def _diagonal_matrix1(desc: descs.DiagonalMatrix1OperatorDesc, level: FeatureLevel) -> Eye | Trilu:
    value = np.asarray(desc.value.element(desc.value_data_type))
    begin, end = desc.diagonal_fill_begin, desc.diagonal_fill_end
    inverted = begin > end
    band = (end, begin, True) if inverted else (begin, end, False)
    if desc.input_tensor is None:
        return Eye(value, desc.output_tensor.sizes, *band)
    return Trilu(value, *band)


def _one_hot(desc: descs.OneHotOperatorDesc, level: FeatureLevel) -> Meaning[OneHot]:
    """Off is the first of the values, on the second one along their last dimension that is longer than 1."""
    sizes = desc.values_tensor.sizes
    at = max(number for number, size in enumerate(sizes) if size > 1)
    one = (1,) * len(sizes)
    on = tuple(int(number == at) for number in range(len(sizes)))
    hot = OneHot(desc.output_tensor.sizes[desc.axis], desc.axis, _negative(level), keep_axis=True)
    values: tuple[Step, ...] = (
        (Slice((0,) * len(sizes), sizes=one), ("ValuesTensor",), ("off",)),
        (Slice(on, sizes=one), ("ValuesTensor",), ("on",)),
    )
    return Meaning(hot, ("IndicesTensor", "off", "on"), ("OutputTensor",), before=values)


def _nonzero_coordinates(desc: descs.NonzeroCoordinatesOperatorDesc, level: FeatureLevel) -> NonZeroCoordinates:
    count = desc.input_tensor.dimension_count
    return NonZeroCoordinates(desc.output_coordinates_tensor.sizes[-1], count, count)


def _identity(desc: descs.ElementWiseIdentityOperatorDesc, level: FeatureLevel) -> Identity | ScaleBias:
    given = desc.scale_bias
    return Identity() if given is None else ScaleBias(given.scale, given.bias)


def _activation_identity(desc: descs.ActivationIdentityOperatorDesc, level: FeatureLevel) -> Identity:
    return Identity()


def _if(desc: descs.ElementWiseIfOperatorDesc, level: FeatureLevel) -> Where:
    return Where()


def _unfold(desc: descs.UnfoldOperatorDesc, level: FeatureLevel) -> Ranked[Im2Col]:
    return Im2Col(*_windows(desc)), {"InputTensor": len(desc.window_sizes) + 2, "OutputTensor": 3}


def _fold(desc: descs.FoldOperatorDesc, level: FeatureLevel) -> Ranked[Col2Im]:
    """DML_FOLD_OPERATOR_DESC tells no order in which floats are added: that of the places in a window."""
    spatial = len(desc.window_sizes)
    block, strides, dilations, begins, ends = _windows(desc)
    summed = Col2Im(desc.output_tensor.sizes[-spatial:], block, strides, dilations, begins, ends)
    return summed, {"InputTensor": 3, "OutputTensor": spatial + 2}


def _windows(desc: descs.UnfoldOperatorDesc | descs.FoldOperatorDesc) -> tuple[tuple[int, ...], ...]:
    fields = (desc.window_sizes, desc.strides, desc.dilations, desc.start_padding, desc.end_padding)
    return tuple(map(tuple, fields))


def _cast(desc: descs.CastOperatorDesc, level: FeatureLevel) -> Cast:
    return Cast(desc.output_tensor.data_type.dtype, **CAST_RULES)  # type: ignore[arg-type]


def float_value(value: float, data_type: DataType) -> np.generic:
    """Return a FLOAT member as an element: cut toward zero for integers, rounded for narrower floats."""
    dtype = data_type.dtype
    if dtype is None:
        raise TypeError("unreachable: validated descriptions have no UNKNOWN type")
    with np.errstate(over="ignore"):
        element: np.generic = dtype.numpy.type(int(value) if dtype.is_integer else np.float32(value))
    return element


MEANINGS: Mapping[str, Callable[[Any, FeatureLevel], Made]] = {
    **arithmetic.MEANINGS,
    "ACTIVATION_IDENTITY": _activation_identity,
    "CAST": _cast,
    "DEPTH_TO_SPACE": _depth_to_space,
    "DEPTH_TO_SPACE1": _depth_to_space,
    "DIAGONAL_MATRIX": _diagonal_matrix,
    "DIAGONAL_MATRIX1": _diagonal_matrix1,
    "ELEMENT_WISE_IDENTITY": _identity,
    "ELEMENT_WISE_IF": _if,
    "FILL_VALUE_CONSTANT": _fill_constant,
    "FILL_VALUE_SEQUENCE": _fill_sequence,
    "FOLD": _fold,
    "GATHER": _gather,
    "GATHER_ELEMENTS": _gather_elements,
    "GATHER_ND": _gather_nd,
    "GATHER_ND1": _gather_nd,
    "JOIN": _join,
    "NONZERO_COORDINATES": _nonzero_coordinates,
    "ONE_HOT": _one_hot,
    "PADDING": _padding,
    "PADDING1": _padding1,
    "REVERSE_SUBSEQUENCES": _reverse_subsequences,
    "SCATTER": _scatter,
    "SCATTER_ND": _scatter_nd,
    "SLICE": _slice,
    "SLICE1": _slice1,
    "SPACE_TO_DEPTH": _space_to_depth,
    "SPACE_TO_DEPTH1": _space_to_depth,
    "SPLIT": _split,
    "TILE": _tile,
    "UNFOLD": _unfold,
}
