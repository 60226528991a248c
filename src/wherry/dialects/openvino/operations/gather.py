"""The gathers: of slices, of elements, by tuples of indices, and along the beams of a search."""

from __future__ import annotations

from wherry.dialects.openvino.row import INDEX_TYPES, INTEGER_TYPES, NUMBER_TYPES, Attribute, Input, OpenVINORow
from wherry.dialects.openvino.values import INTEGER
from wherry.moves import Negative, OutOfRange
from wherry.ops import Gather, GatherElements, GatherND, GatherTree, OffAxis

AXIS = Input("axis", INTEGER_TYPES, ndim=(0, 1), field="axis", is_single=True)

_INPUTS = (Input("data", ndim=(1, None)), Input("indices", INTEGER_TYPES), AXIS)
_BATCH_DIMS = Attribute("batch_dims", INTEGER, default=0)

# The pages of -1 and -7 allow indices 0..d-1 and leave open what others give. The choice here never reads another
# element than the one asked for: zero, negative ones included, which is what the CPU plugin gives too.
_OPEN = {"out_of_range": OutOfRange.ZERO, "negative": Negative.INVALID}
_OPEN_RULE = "indices 0..d-1; others are outside the contract, and give zero here"

# The pages of GatherElements-6 and GatherND leave open what an index outside gives. Nothing is read there: it is
# refused. Indices -d..-1 count from the end in every version, as newer pages say and the code always did.
_REFUSED = {"out_of_range": OutOfRange.RAISE, "negative": Negative.FROM_END}
_TUPLES_RULE = "indices -s..s-1; others are outside the contract, and refused here"
_TUPLE_INPUTS = (Input("data", ndim=(1, None)), Input("indices", INTEGER_TYPES, ndim=(1, None)))

ROWS = (
    OpenVINORow(
        name="Gather",
        since=1,
        rule=f"no batch_dims; {_OPEN_RULE}",
        build=Gather,
        inputs=_INPUTS,
        fixed=_OPEN,
    ),
    OpenVINORow(
        name="Gather",
        since=7,
        rule=f"negative batch_dims count from the axes of indices; {_OPEN_RULE}",
        build=Gather,
        inputs=_INPUTS,
        attributes=(_BATCH_DIMS,),
        fixed=_OPEN,
    ),
    OpenVINORow(
        name="Gather",
        since=8,
        rule="negative batch_dims count from the axes of indices; indices -d..-1 count from the end, others give zero",
        build=Gather,
        inputs=_INPUTS,
        attributes=(_BATCH_DIMS,),
        fixed={"out_of_range": OutOfRange.ZERO, "negative": Negative.FROM_END},
    ),
    OpenVINORow(
        name="GatherElements",
        since=6,
        rule="indices have data's sizes off the axis, and -d..d-1 as values; others are refused",
        build=GatherElements,
        inputs=(Input("data", ndim=(1, None)), Input("indices", INDEX_TYPES, ndim=(1, None))),
        attributes=(Attribute("axis", INTEGER),),
        fixed=_REFUSED | {"off_axis": OffAxis.EQUAL},
    ),
    OpenVINORow(
        name="GatherND",
        since=5,
        rule=f"the batch axes of the result are one axis; {_TUPLES_RULE}",
        build=GatherND,
        inputs=_TUPLE_INPUTS,
        attributes=(_BATCH_DIMS,),
        fixed=_REFUSED | {"merge_batch": True},
    ),
    OpenVINORow(
        name="GatherND",
        since=8,
        rule=f"the batch axes of the result are those of indices; {_TUPLES_RULE}",
        build=GatherND,
        inputs=_TUPLE_INPUTS,
        attributes=(_BATCH_DIMS,),
        fixed=_REFUSED | {"merge_batch": False},
    ),
    OpenVINORow(
        name="GatherTree",
        since=1,
        rule="parents on the walk are 0..beams-1; a length of 0 gives end_token everywhere",
        build=GatherTree,
        inputs=(
            Input("step_ids", NUMBER_TYPES, ndim=(3, 3)),
            Input("parent_idx", NUMBER_TYPES, ndim=(3, 3), same_type="step_ids"),
            Input("max_seq_len", NUMBER_TYPES, ndim=(1, 1), same_type="step_ids"),
            Input("end_token", NUMBER_TYPES, ndim=(0, 0), same_type="step_ids"),
        ),
    ),
)
