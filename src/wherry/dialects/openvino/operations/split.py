"""Split-1, VariadicSplit-1 and Concat-1."""

from __future__ import annotations

from wherry.dialects.openvino.operations.gather import AXIS
from wherry.dialects.openvino.row import INTEGER_TYPES, Attribute, Input, OpenVINORow
from wherry.dialects.openvino.values import INTEGER
from wherry.ops import Concat, Split, Uneven

ROWS = (
    OpenVINORow(
        name="Split",
        since=1,
        rule="axis is a scalar; num_splits divides the size of the axis",
        build=Split,
        inputs=(Input("data", ndim=(1, None)), Input("axis", INTEGER_TYPES, ndim=(0, 0), field="axis", is_single=True)),
        attributes=(Attribute("num_splits", INTEGER, field="sections"),),
        fixed={"uneven": Uneven.REFUSE},
        outputs="num_splits",
    ),
    OpenVINORow(
        name="VariadicSplit",
        since=1,
        rule="lengths sum to the size of the axis; one may be -1, what remains, which is never below 0",
        build=Split,
        inputs=(
            Input("data", ndim=(1, None)),
            AXIS,
            Input("split_lengths", INTEGER_TYPES, ndim=(1, 1), field="sizes"),
        ),
        outputs="split_lengths",
    ),
    OpenVINORow(
        name="Concat",
        since=1,
        rule="equal sizes outside the axis; a size of 0 on it adds nothing",
        build=Concat,
        inputs=(Input("inputs", ndim=(1, None), repeats=True),),
        attributes=(Attribute("axis", INTEGER),),
    ),
)
