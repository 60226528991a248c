"""ScatterUpdate, ScatterElementsUpdate, ScatterNDUpdate and SliceScatter."""

from __future__ import annotations

from wherry.dialects.openvino.operations.gather import AXIS
from wherry.dialects.openvino.operations.slice import slice_inputs
from wherry.dialects.openvino.row import INDEX_TYPES, INTEGER_TYPES, Attribute, Input, OpenVINORow
from wherry.dialects.openvino.values import BOOLEAN, word_of
from wherry.moves import Duplicates, NanRule, Negative, OutOfRangeWrite, Reduction
from wherry.ops import OffAxis, ScatterElements, ScatterND, ScatterUpdate, SliceScatter, Window

# The pages leave the order of updates for one element open; here, as in OpenVINO, the last one stays. They allow the -3
# versions only 0..d-1; indices -d..-1 count from the end in all of them, as in the newer versions and in the code.
_RULES = {
    "out_of_range": OutOfRangeWrite.RAISE,
    "negative": Negative.FROM_END,
    "duplicates": Duplicates.LAST,
    "nan": NanRule.DATA,
}
_PLAIN = _RULES | {"reduction": Reduction.NONE, "use_init_val": True}

_OURS = {"sum": "add", "prod": "mul"}
_REDUCTION = Attribute("reduction", word_of("none", "sum", "prod", "min", "max", "mean", ours=_OURS), default="none")
_ND_REDUCTION = Attribute("reduction", word_of("none", "sum", "sub", "prod", "min", "max", ours=_OURS), default="none")

_ELEMENTS = (
    Input("data", ndim=(1, None)),
    Input("indices", INTEGER_TYPES, ndim=(1, None)),
    Input("updates", ndim=(1, None), same_type="data"),
    AXIS,
)
_TUPLES = (
    Input("data", ndim=(1, None)),
    Input("indices", INDEX_TYPES, ndim=(1, None)),
    Input("updates", same_type="data"),
)

ROWS = (
    OpenVINORow(
        name="ScatterUpdate",
        since=3,
        rule="indices 0..d-1; negative ones and others are refused",
        build=ScatterUpdate,
        inputs=(
            Input("data", ndim=(1, None)),
            Input("indices", INTEGER_TYPES),
            Input("updates", same_type="data"),
            AXIS,
        ),
        fixed=_PLAIN | {"negative": Negative.INVALID, "batch_dims": 0, "window": Window.NONE},
    ),
    OpenVINORow(
        name="ScatterElementsUpdate",
        since=3,
        rule="plain updates; indices -d..d-1, others are refused",
        build=ScatterElements,
        inputs=_ELEMENTS,
        fixed=_PLAIN | {"off_axis": OffAxis.AT_MOST},
    ),
    OpenVINORow(
        name="ScatterElementsUpdate",
        since=12,
        rule="reductions, with or without the old value; the mean of integers is rounded down; indices -d..d-1",
        build=ScatterElements,
        inputs=_ELEMENTS,
        attributes=(_REDUCTION, Attribute("use_init_val", BOOLEAN, default=True)),
        fixed=_RULES | {"off_axis": OffAxis.AT_MOST},
    ),
    OpenVINORow(
        name="ScatterNDUpdate",
        since=4,
        documented=3,
        rule="plain updates; coordinates -s..s-1, others are refused",
        build=ScatterND,
        inputs=_TUPLES,
        fixed=_PLAIN | {"one_of_any_rank": True},
    ),
    OpenVINORow(
        name="ScatterNDUpdate",
        since=15,
        rule="reductions; coordinates -s..s-1, others are refused",
        build=ScatterND,
        inputs=_TUPLES,
        attributes=(_ND_REDUCTION,),
        fixed=_RULES | {"use_init_val": True, "one_of_any_rank": True},
    ),
    OpenVINORow(
        name="SliceScatter",
        since=15,
        rule="the slice is that of Slice-8; updates have exactly its sizes",
        build=SliceScatter,
        inputs=(Input("data", ndim=(1, None)), Input("updates", ndim=(1, None), same_type="data"), *slice_inputs()),
    ),
)
