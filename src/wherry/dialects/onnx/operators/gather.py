"""What Gather, GatherElements and GatherND mean by version, and how they are written as nodes."""

from __future__ import annotations

from functools import partial

from wherry.dialects.onnx.as_node import by_name
from wherry.dialects.onnx.row import NOT_NEGATIVE, Meaning, Use
from wherry.moves import Negative
from wherry.ops import Gather, GatherElements, GatherND, OffAxis


def _gather(use: Use, negative: Negative) -> Gather:
    return Gather(axis=use.attributes["axis"], negative=negative)


def _gather_elements(use: Use) -> GatherElements:
    return GatherElements(axis=use.attributes["axis"], off_axis=OffAxis.AT_MOST)


def _gather_nd(use: Use) -> GatherND:
    return GatherND(batch_dims=use.attributes.get("batch_dims", 0), least_indices=1)


MEANINGS = {
    "Gather": (
        Meaning(
            1,
            "an index out of bounds is an error; negative indices are not named, so they are out of bounds",
            partial(_gather, negative=Negative.INVALID),
        ),
        Meaning(
            11,
            "indices lie in -s..s-1 for an axis of size s, any other is an error",
            partial(_gather, negative=Negative.FROM_END),
        ),
    ),
    "GatherElements": (
        Meaning(
            11,
            "indices lie in -s..s-1, any other is an error; off the axis the sizes of indices may be smaller than "
            "those of data, for which the formula has a meaning too",
            _gather_elements,
        ),
    ),
    "GatherND": (
        Meaning(11, "tuples of 1 to r indices, each in -s..s-1, any other is an error", _gather_nd),
        Meaning(
            12,
            "adds batch_dims, below the ranks of data and indices; batch sizes are equal",
            _gather_nd,
            {"batch_dims": NOT_NEGATIVE},
        ),
    ),
}


TO_NODES = {
    Gather: (("Gather", by_name("axis")),),
    GatherElements: (("GatherElements", by_name("axis")),),
    GatherND: (("GatherND", by_name("batch_dims")),),
}
