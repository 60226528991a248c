"""The one table of DirectML's operators: members in struct order, and what each feature level supports."""

from __future__ import annotations

from collections.abc import Mapping

from wherry.dialects.directml.enums import DepthSpaceOrder, PaddingMode
from wherry.dialects.directml.members import Kind, LevelRow, Member, OperatorInfo, Support

_F2 = ("FLOAT32", "FLOAT16")
_T6 = (*_F2, "INT32", "INT16", "UINT32", "UINT16")
_T8 = (*_T6, "INT8", "UINT8")
_T10 = (*_T8, "INT64", "UINT64")
_T11 = (*_T8, "FLOAT64", "INT64", "UINT64")
_CAST6 = (*_F2, "INT16", "INT8", "UINT16", "UINT8")
_INDEX4 = ("INT64", "INT32", "UINT64", "UINT32")
_U32 = ("UINT32",)
_1_TO_8, _2_TO_8, _3_TO_8, _2_TO_4, _4, _4_TO_5 = (
    range(1, 9), range(2, 9), range(3, 9), range(2, 5), range(4, 5), range(4, 6)
)  # fmt: skip

_Level = tuple[int, dict[str, Support], str]


def _data(dims: range, types: tuple[str, ...]) -> dict[str, Support]:
    return {"data": Support(dims, types)}


def _indexed(dims: range, types: tuple[str, ...], index_types: tuple[str, ...]) -> dict[str, Support]:
    return {"data": Support(dims, types), "indices": Support(dims, index_types)}


def _lengths(dims: range, types: tuple[str, ...], length_types: tuple[str, ...]) -> dict[str, Support]:
    return {"data": Support(dims, types), "lengths": Support(dims, length_types)}


def _cast(dims: range, types: tuple[str, ...]) -> dict[str, Support]:
    return {"input": Support(dims, types), "output": Support(dims, types)}


def _chosen(dims: range, types: tuple[str, ...]) -> dict[str, Support]:
    return {"condition": Support(dims, ("UINT8",)), "data": Support(dims, types)}


def _counted(dims: range, coordinate_dims: range) -> dict[str, Support]:
    return {
        "data": Support(dims, _T8),
        "count": Support(dims, _U32),
        "coordinates": Support(coordinate_dims, _U32),
    }


def _info(
    name: str, members: tuple[Member, ...], *levels: _Level, in_place: bool = False, own_counts: bool = False
) -> OperatorInfo:
    source = f"DML_{name}_OPERATOR_DESC, Tensor support"
    rows = tuple(
        LevelRow(name=name, since=since, support=support, rule=rule, source=source) for since, support, rule in levels
    )
    return OperatorInfo(name, members, rows, in_place, own_counts)


_INPUT = Member("InputTensor", Kind.TENSOR)
_INDICES = Member("IndicesTensor", Kind.TENSOR, group="indices")
_UPDATES = Member("UpdatesTensor", Kind.TENSOR)
_OUTPUT = Member("OutputTensor", Kind.TENSOR, is_output=True)
_AXIS = Member("Axis", Kind.UINT)
_ND_COUNTS = (Member("InputDimensionCount", Kind.UINT), Member("IndicesDimensionCount", Kind.UINT))
_BLOCKS = (_INPUT, _OUTPUT, Member("BlockSize", Kind.UINT))
_ORDER = Member("Order", Kind.NUMBER, numbers=DepthSpaceOrder)
_PADDING_MODE = Member(
    "PaddingMode",
    Kind.NUMBER,
    numbers=PaddingMode,
    since=((PaddingMode.SYMMETRIC, 0x3000), (PaddingMode.WRAP, 0x6400)),
)
_PADDINGS = (
    Member("DimensionCount", Kind.COUNT, counts=("StartPadding", "EndPadding")),
    Member("StartPadding", Kind.UINTS),
    Member("EndPadding", Kind.UINTS),
)
_WINDOWS = (
    _INPUT,
    _OUTPUT,
    Member(
        "DimensionCount",
        Kind.COUNT,
        counts=("WindowSizes", "Strides", "Dilations", "StartPadding", "EndPadding"),
        allowed=range(1, 7),
    ),
    *(Member(name, Kind.UINTS) for name in ("WindowSizes", "Strides", "Dilations", "StartPadding", "EndPadding")),
)
_VALUE_TYPE = Member("ValueDataType", Kind.DATA_TYPE)
_VALUE = Member("Value", Kind.SCALAR, typed_by="ValueDataType")

_FROM_FRONT = "indices count from the front"
_FROM_END = "negative indices of a signed type count from the end"
_CLAMPED = "; what lies outside the axis is clamped"
_GUESSED = "; what lies outside the axis is clamped, though the page is silent"
_SKIPPED = "; an update outside the axis is left out with a warning, though the page is silent"
_UNTOLD = "the page's list of data types is empty; FLOAT32 is what its examples have"
_OFF = "; what lies outside the axis has no on-value"


def _gathers(rule: str) -> tuple[_Level, ...]:
    """The levels that most operators with indices share."""
    return (
        (0x2100, _indexed(_4, _T8, _U32), _FROM_FRONT + rule),
        (0x3000, _indexed(_1_TO_8, _T8, _INDEX4), _FROM_END + rule),
        (0x4100, _indexed(_1_TO_8, _T11, _INDEX4), _FROM_END + rule),
    )


_LATER = ((0x3000, _data(_1_TO_8, _T8), ""), (0x4100, _data(_1_TO_8, _T11), ""))
_BLOCK_LEVELS = ((0x2100, _data(_4, _T8), ""), (0x5000, _data(_4, _T11), ""))

_OPERATORS = (
    _info(
        "GATHER",
        (_INPUT, _INDICES, _OUTPUT, _AXIS, Member("IndexDimensions", Kind.UINT)),
        (0x1000, _indexed(_4, _F2, _U32), _FROM_FRONT + _CLAMPED),
        *_gathers(_CLAMPED),
    ),
    _info("GATHER_ELEMENTS", (_INPUT, _INDICES, _OUTPUT, _AXIS), *_gathers(_GUESSED)),
    _info("GATHER_ND", (_INPUT, _INDICES, _OUTPUT, *_ND_COUNTS), *_gathers(_GUESSED)),
    _info(
        "GATHER_ND1",
        (_INPUT, _INDICES, _OUTPUT, *_ND_COUNTS, Member("BatchDimensionCount", Kind.UINT)),
        *_gathers(_GUESSED)[1:],
    ),
    _info(
        "SCATTER",
        (_INPUT, _INDICES, _UPDATES, _OUTPUT, _AXIS),
        (0x2000, _indexed(_4, _F2, _U32), "introduced by the header and the level history; the page says in 1_0"),
        *_gathers(_SKIPPED),
    ),
    _info("SCATTER_ND", (_INPUT, _INDICES, _UPDATES, _OUTPUT, *_ND_COUNTS), *_gathers(_SKIPPED)),
    _info(
        "SPLIT",
        (
            _INPUT,
            Member("OutputCount", Kind.COUNT, counts=("OutputTensors",)),
            Member("OutputTensors", Kind.TENSORS, is_output=True),
            _AXIS,
        ),
        (0x1000, _data(_4, _T6), ""),
        (0x2100, _data(_4, _T8), ""),
        *_LATER,
    ),
    _info(
        "JOIN",
        (
            Member("InputCount", Kind.COUNT, counts=("InputTensors",)),
            Member("InputTensors", Kind.TENSORS),
            _OUTPUT,
            _AXIS,
        ),
        (0x1000, _data(_4, _T6), ""),
        (0x2100, _data(_4, _T8), ""),
        (0x3000, _data(_4_TO_5, _T8), ""),
        (0x3100, _data(_1_TO_8, _T8), "1 to 8 dimensions by the feature level history; the page says from 4_1 on"),
        (0x4100, _data(_1_TO_8, _T11), ""),
    ),
    _info(
        "SLICE",
        (
            _INPUT,
            _OUTPUT,
            Member("DimensionCount", Kind.COUNT, counts=("Offsets", "Sizes", "Strides")),
            Member("Offsets", Kind.UINTS),
            Member("Sizes", Kind.UINTS),
            Member("Strides", Kind.UINTS),
        ),
        (0x1000, _data(_4_TO_5, _T6), ""),
        (0x2100, _data(_4_TO_5, _T8), ""),
        *_LATER,
    ),
    _info(
        "SLICE1",
        (
            _INPUT,
            _OUTPUT,
            Member(
                "DimensionCount",
                Kind.COUNT,
                counts=("InputWindowOffsets", "InputWindowSizes", "InputWindowStrides"),
            ),
            Member("InputWindowOffsets", Kind.UINTS),
            Member("InputWindowSizes", Kind.UINTS),
            Member("InputWindowStrides", Kind.INTS),
        ),
        (0x2100, _data(_4_TO_5, _T8), ""),
        *_LATER,
    ),
    _info(
        "TILE",
        (
            _INPUT,
            _OUTPUT,
            Member("RepeatsCount", Kind.COUNT, counts=("Repeats",)),
            Member("Repeats", Kind.UINTS),
        ),
        (0x1000, _data(_4, _F2), ""),
        (0x2100, _data(_4, _T8), ""),
        (0x3100, _data(_1_TO_8, _T8), ""),
        (0x4100, _data(_1_TO_8, _T10), ""),
    ),
    _info(
        "PADDING",
        (_INPUT, _OUTPUT, _PADDING_MODE, Member("PaddingValue", Kind.FLOAT), *_PADDINGS),
        (0x1000, _data(_4_TO_5, _F2), ""),
        (0x2100, _data(_4_TO_5, _T8), ""),
        (0x3100, _data(_1_TO_8, _T8), ""),
        (0x5000, _data(_1_TO_8, _T11), ""),
    ),
    _info(
        "PADDING1",
        (
            _INPUT,
            _OUTPUT,
            _PADDING_MODE,
            Member("PaddingValueDataType", Kind.DATA_TYPE),
            Member("PaddingValue", Kind.SCALAR, typed_by="PaddingValueDataType"),
            *_PADDINGS,
        ),
        (0x5000, _data(_1_TO_8, _T11), ""),
    ),
    _info("DEPTH_TO_SPACE", _BLOCKS, (0x1000, _data(_4, _F2), "order DEPTH_COLUMN_ROW"), *_BLOCK_LEVELS),
    _info("DEPTH_TO_SPACE1", (*_BLOCKS, _ORDER), *_BLOCK_LEVELS),
    _info("SPACE_TO_DEPTH", _BLOCKS, (0x1000, _data(_4, _F2), "order DEPTH_COLUMN_ROW"), *_BLOCK_LEVELS),
    _info("SPACE_TO_DEPTH1", (*_BLOCKS, _ORDER), *_BLOCK_LEVELS),
    _info(
        "REVERSE_SUBSEQUENCES",
        (_INPUT, Member("SequenceLengthsTensor", Kind.TENSOR, group="lengths"), _OUTPUT, _AXIS),
        (0x2100, _lengths(_4, _T8, _U32), "a length beyond the axis means all of it"),
        (0x3000, _lengths(_4_TO_5, _T8, _U32), "a length beyond the axis means all of it"),
        (0x4000, _lengths(_1_TO_8, _T8, _U32), "a length beyond the axis means all of it"),
        (0x5000, _lengths(_1_TO_8, _T11, ("UINT64", "UINT32")), "a length beyond the axis means all of it"),
    ),
    _info(
        "FILL_VALUE_CONSTANT",
        (_OUTPUT, _VALUE_TYPE, _VALUE),
        (0x2100, _data(_4, _T8), ""),
        (0x4000, _data(_1_TO_8, _T8), ""),
        (0x4100, _data(_1_TO_8, _T11), ""),
    ),
    _info(
        "FILL_VALUE_SEQUENCE",
        (
            _OUTPUT,
            _VALUE_TYPE,
            Member("ValueStart", Kind.SCALAR, typed_by="ValueDataType"),
            Member("ValueDelta", Kind.SCALAR, typed_by="ValueDataType"),
        ),
        (0x2100, _data(_4, _T8), "the delta is added again and again in the type; integers wrap"),
        (0x4000, _data(_1_TO_8, _T8), "the delta is added again and again in the type; integers wrap"),
        (0x5000, _data(_1_TO_8, _T10), "the delta is added again and again in the type; integers wrap"),
    ),
    _info(
        "DIAGONAL_MATRIX",
        (_OUTPUT, Member("Offset", Kind.INT), Member("Value", Kind.FLOAT)),
        (0x2000, _data(_4, _F2), ""),
        (0x2100, _data(_4, _T8), ""),
        (0x4000, _data(_2_TO_4, _T8), ""),
        (0x5100, _data(_2_TO_4, _T11), ""),
    ),
    _info(
        "DIAGONAL_MATRIX1",
        (
            Member("InputTensor", Kind.TENSOR, optional=True),
            _OUTPUT,
            _VALUE_TYPE,
            _VALUE,
            Member("DiagonalFillBegin", Kind.INT),
            Member("DiagonalFillEnd", Kind.INT),
        ),
        (0x5100, _data(_2_TO_4, _T11), "where Begin is greater than End, all but End..Begin-1 is filled"),
    ),
    _info(
        "ONE_HOT",
        (_INDICES, Member("ValuesTensor", Kind.TENSOR), _OUTPUT, _AXIS),
        (0x2000, _indexed(_4, _F2, _U32), _FROM_FRONT + _OFF),
        *_gathers(_OFF),
    ),
    _info(
        "NONZERO_COORDINATES",
        (
            _INPUT,
            Member("OutputCountTensor", Kind.TENSOR, is_output=True, group="count"),
            Member("OutputCoordinatesTensor", Kind.TENSOR, is_output=True, group="coordinates"),
        ),
        (0x3000, _counted(_4_TO_5, _4_TO_5), "rows from the count on are undefined; here they are zero"),
        (0x4000, _counted(_1_TO_8, _2_TO_8), "rows from the count on are undefined; here they are zero"),
    ),
    _info(
        "ELEMENT_WISE_IDENTITY",
        (_INPUT, _OUTPUT, Member("ScaleBias", Kind.SCALE_BIAS, optional=True)),
        (0x1000, _data(_4_TO_5, _F2), ""),
        (0x2100, _data(_4_TO_5, _T8), ""),
        *_LATER,
        in_place=True,
    ),
    _info(
        "ACTIVATION_IDENTITY",
        (_INPUT, _OUTPUT),
        (0x1000, _data(_4, _F2), ""),
        (0x2000, _data(_4_TO_5, _F2), ""),
        (0x3000, _data(_1_TO_8, _F2), ""),
        in_place=True,
    ),
    _info(
        "ELEMENT_WISE_IF",
        (
            Member("ConditionTensor", Kind.TENSOR, group="condition"),
            Member("ATensor", Kind.TENSOR),
            Member("BTensor", Kind.TENSOR),
            _OUTPUT,
        ),
        (0x2000, _chosen(_4, ("FLOAT16",)), "the level history has integers from 2_1 on, the page has no such row"),
        (0x3000, _chosen(_1_TO_8, _T8), ""),
        (0x5000, _chosen(_1_TO_8, _T11), ""),
    ),
    _info("FOLD", _WINDOWS, (0x6400, _data(_3_TO_8, ("FLOAT32",)), _UNTOLD), own_counts=True),
    _info("UNFOLD", _WINDOWS, (0x6400, _data(_3_TO_8, ("FLOAT32",)), _UNTOLD), own_counts=True),
    _info(
        "CAST",
        (
            Member("InputTensor", Kind.TENSOR, group="input"),
            Member("OutputTensor", Kind.TENSOR, is_output=True, group="output"),
        ),
        (0x1000, _cast(_4, _CAST6), "the page's list has no integers of 32 bits"),
        (0x3000, _cast(_4, _T10), ""),
        (0x3100, _cast(_1_TO_8, _T10), ""),
        (0x4100, _cast(_1_TO_8, _T11), ""),
    ),
)

TABLE: Mapping[str, OperatorInfo] = {info.name: info for info in _OPERATORS}
"""Every operator by its name without the prefix DML_OPERATOR_."""

ALIASES: Mapping[str, str] = {"SCATTER_ELEMENTS": "SCATTER"}
"""Second names of operators: one operator type, one struct."""
