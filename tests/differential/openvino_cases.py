"""Random one-node models of every operation of the family, for OpenVINO and wherry side by side."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import reject
from hypothesis import strategies as st

from tests.differential.openvino_cases_basic import concats, gathers, splits, variadic_splits
from tests.differential.openvino_cases_blocks import (
    batches,
    col2im,
    depth_to_space,
    patches,
    reverse_sequences,
    reverses,
    rolls,
    shuffles,
)
from tests.differential.openvino_cases_indexing import (
    gather_elements,
    gather_nd,
    gather_tree,
    scatter_elements,
    scatter_nd,
    scatter_update,
)
from tests.differential.openvino_cases_shapes import (
    broadcasts,
    pads,
    reshapes,
    slice_scatters,
    slices,
    squeezes,
    strided_slices,
    tiles,
    transposes,
    unsqueezes,
)
from tests.differential.openvino_cases_values import (
    converts,
    eyes,
    identities,
    non_zeros,
    number_ranges,
    one_hots,
    selects,
    shapes_of,
    string_packs,
    string_unpacks,
    uniques,
)
from tests.differential.openvino_data import (
    Draw,
)
from tests.differential.openvino_spoiled import spoiled
from wherry.dialects.openvino.row import OpenVINORow
from wherry.dialects.openvino.table import ROWS
from wherry.runtimes.case import Case
from wherry.runtimes.differences import expected

_MAKERS: dict[str, Callable[[Draw, OpenVINORow], Case]] = {
    "BatchToSpace": batches,
    "Broadcast": broadcasts,
    "Col2Im": col2im,
    "Concat": concats,
    "Convert": converts,
    "ConvertLike": converts,
    "DepthToSpace": depth_to_space,
    "ExtractImagePatches": patches,
    "Eye": eyes,
    "Gather": gathers,
    "GatherElements": gather_elements,
    "GatherND": gather_nd,
    "GatherTree": gather_tree,
    "Identity": identities,
    "NonZero": non_zeros,
    "OneHot": one_hots,
    "Pad": pads,
    "Range": number_ranges,
    "Reshape": reshapes,
    "Reverse": reverses,
    "ReverseSequence": reverse_sequences,
    "Roll": rolls,
    "ScatterElementsUpdate": scatter_elements,
    "ScatterNDUpdate": scatter_nd,
    "ScatterUpdate": scatter_update,
    "Select": selects,
    "ShapeOf": shapes_of,
    "ShuffleChannels": shuffles,
    "Slice": slices,
    "SliceScatter": slice_scatters,
    "SpaceToBatch": batches,
    "SpaceToDepth": depth_to_space,
    "Split": splits,
    "Squeeze": squeezes,
    "StridedSlice": strided_slices,
    "StringTensorPack": string_packs,
    "StringTensorUnpack": string_unpacks,
    "Tile": tiles,
    "Transpose": transposes,
    "Unique": uniques,
    "Unsqueeze": unsqueezes,
    "VariadicSplit": variadic_splits,
}

FAMILY = tuple(row for row in ROWS if row.name in _MAKERS)
"""The rows that have random models here."""

_TRIES = 20
"""Of no row more than half of the models fall under entries: so many draws find one beside them."""


@st.composite
def good_cases(draw: Draw, row: OpenVINORow) -> Case:
    """Models of one row that the specification allows."""
    return _MAKERS[row.name](draw, row)


@st.composite
def comparable_cases(draw: Draw, row: OpenVINORow) -> Case:
    """Models of one row that both take, and with equal results: under an entry is none of them."""
    for _ in range(_TRIES):
        found = draw(good_cases(row))
        if expected(found, "openvino") is None:
            return found
    reject()


@st.composite
def rare_cases(draw: Draw, row: OpenVINORow) -> Case:
    """Models of one row, under an entry or not; every second one is bad on purpose."""
    good = draw(good_cases(row))
    return spoiled(draw, good) if draw(st.booleans()) else good
