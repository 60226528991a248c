"""Gather-1, Gather-7 and Gather-8."""

from __future__ import annotations

from wherry.dialects.openvino.row import INTEGER_TYPES, Attribute, Input, OpenVINORow
from wherry.dialects.openvino.values import INTEGER
from wherry.moves import Negative, OutOfRange
from wherry.ops import Gather

AXIS = Input("axis", INTEGER_TYPES, ndim=(0, 1), field="axis", is_single=True)

_INPUTS = (Input("data", ndim=(1, None)), Input("indices", INTEGER_TYPES), AXIS)
_BATCH_DIMS = Attribute("batch_dims", INTEGER, default=0)

# The pages of -1 and -7 allow indices 0..d-1 and leave open what others give. The choice here never reads another
# element than the one asked for: zero, negative ones included, which is what the CPU plugin gives too.
_OPEN = {"out_of_range": OutOfRange.ZERO, "negative": Negative.INVALID}
_OPEN_RULE = "indices 0..d-1; others are outside the contract, and give zero here"

ROWS = (
    OpenVINORow(
        name="Gather",
        since=1,
        last=6,
        rule=f"no batch_dims; {_OPEN_RULE}",
        source="Operation specifications, Gather-1",
        build=Gather,
        inputs=_INPUTS,
        fixed=_OPEN,
    ),
    OpenVINORow(
        name="Gather",
        since=7,
        last=7,
        rule=f"negative batch_dims count from the axes of indices; {_OPEN_RULE}",
        source="Operation specifications, Gather-7",
        build=Gather,
        inputs=_INPUTS,
        attributes=(_BATCH_DIMS,),
        fixed=_OPEN,
    ),
    OpenVINORow(
        name="Gather",
        since=8,
        last=16,
        rule="negative batch_dims count from the axes of indices; indices -d..-1 count from the end, others give zero",
        source="Operation specifications, Gather-8",
        build=Gather,
        inputs=_INPUTS,
        attributes=(_BATCH_DIMS,),
        fixed={"out_of_range": OutOfRange.ZERO, "negative": Negative.FROM_END},
    ),
)
