"""The rows of Gather, GatherElements and GatherND."""

from __future__ import annotations

from functools import partial

from wherry.dialects.onnx.row import Attribute, Kind, OnnxRow, Parameter, Use
from wherry.dialects.onnx.types import ALL_1, ALL_13, INDICES, LENGTHS, TypeSet
from wherry.moves import Negative
from wherry.ops import Gather, GatherElements, GatherND, OffAxis

AXIS = Attribute("axis", Kind.INT, default=0)


def _gather(use: Use, negative: Negative) -> Gather:
    return Gather(axis=use.attributes["axis"], negative=negative)


def _gather_row(since: int, types: TypeSet, negative: Negative, rule: str) -> OnnxRow:
    return OnnxRow(
        name="Gather",
        since=since,
        rule=rule,
        source=f"ONNX operator Gather-{since}",
        inputs=(Parameter("data", types), Parameter("indices", INDICES, "Tind")),
        outputs=(Parameter("output", types),),
        attributes=(AXIS,),
        build=partial(_gather, negative=negative),
    )


GATHER_ROWS = (
    _gather_row(1, ALL_1, Negative.INVALID,
                "an index out of bounds is an error; negative indices are not named, so they are out of bounds"),
    _gather_row(11, ALL_1, Negative.FROM_END, "indices lie in -s..s-1 for an axis of size s, any other is an error"),
    _gather_row(13, ALL_13, Negative.FROM_END,
                "indices lie in -s..s-1 on an axis of size s, else an error; bfloat16 is new"),
)  # fmt: skip


def _gather_elements(use: Use) -> GatherElements:
    return GatherElements(axis=use.attributes["axis"], off_axis=OffAxis.AT_MOST)


def _gather_elements_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    return OnnxRow(
        name="GatherElements",
        since=since,
        rule=rule,
        source=f"ONNX operator GatherElements-{since}",
        inputs=(Parameter("data", types), Parameter("indices", INDICES, "Tind")),
        outputs=(Parameter("output", types),),
        attributes=(AXIS,),
        build=_gather_elements,
    )


GATHER_ELEMENTS_ROWS = (
    _gather_elements_row(11, ALL_1, "indices lie in -s..s-1, any other is an error; off the axis the sizes of indices "
                         "may be smaller than those of data, for which the formula has a meaning too"),
    _gather_elements_row(13, ALL_13, "adds bfloat16"),
)  # fmt: skip


def _gather_nd(use: Use) -> GatherND:
    return GatherND(batch_dims=use.attributes.get("batch_dims", 0), least_indices=1)


def _gather_nd_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    return OnnxRow(
        name="GatherND",
        since=since,
        rule=rule,
        source=f"ONNX operator GatherND-{since}",
        inputs=(Parameter("data", types), Parameter("indices", LENGTHS, "tensor(int64)")),
        outputs=(Parameter("output", types),),
        attributes=() if since < 12 else (Attribute("batch_dims", Kind.INT, default=0, minimum=0),),
        build=_gather_nd,
    )


GATHER_ND_ROWS = (
    _gather_nd_row(11, ALL_1, "tuples of 1 to r indices, each in -s..s-1, any other is an error"),
    _gather_nd_row(12, ALL_1, "adds batch_dims, below the ranks of data and indices; batch sizes are equal"),
    _gather_nd_row(13, ALL_13, "adds bfloat16"),
)

ROWS = GATHER_ROWS + GATHER_ELEMENTS_ROWS + GATHER_ND_ROWS
