"""The Gather family's rows, and how its operators are spelled."""

from __future__ import annotations

from functools import partial

from wherry.dialects.onnx.row import Attribute, Kind, OnnxRow, Parameter, Use
from wherry.dialects.onnx.spelling import Spelling
from wherry.dialects.onnx.types import ALL_1, ALL_13, INDICES, TypeSet
from wherry.moves import Negative
from wherry.ops import Gather
from wherry.tensors import TensorType


def _build(use: Use, negative: Negative) -> Gather:
    return Gather(axis=use.attributes["axis"], negative=negative)


def spell_gather(operator: Gather, row: OnnxRow, data: TensorType) -> Spelling:
    """Return Gather with its axis; what else the operator says must be what the row's version means anyway."""
    return Spelling(operator, {"axis": operator.axis})


def _row(since: int, types: TypeSet, negative: Negative, rule: str) -> OnnxRow:
    return OnnxRow(
        name="Gather",
        since=since,
        rule=rule,
        source=f"ONNX operator Gather-{since}",
        inputs=(Parameter("data", types), Parameter("indices", INDICES, "Tind")),
        outputs=(Parameter("output", types),),
        attributes=(Attribute("axis", Kind.INT, default=0),),
        build=partial(_build, negative=negative),
    )


ROWS = (
    _row(1, ALL_1, Negative.INVALID,
         "an index out of bounds is an error; negative indices are not named, so they are out of bounds"),
    _row(11, ALL_1, Negative.FROM_END, "indices lie in -s..s-1 for an axis of size s, any other is an error"),
    _row(13, ALL_13, Negative.FROM_END, "indices lie in -s..s-1 on an axis of size s, else an error; bfloat16 is new"),
)  # fmt: skip
