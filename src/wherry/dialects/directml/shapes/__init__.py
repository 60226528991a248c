"""The shape rules of each operator: what its tensors' sizes and its numbers must be to each other."""

from collections.abc import Callable, Mapping
from typing import Any

from wherry.dialects.directml.shapes import blocks, elementwise, indexing, parts, values
from wherry.faults import Faults

CHECKS: Mapping[str, Callable[[Any, Faults], None]] = {
    "ACTIVATION_IDENTITY": elementwise.check_identity,
    "CAST": elementwise.check_cast,
    "DEPTH_TO_SPACE": blocks.check_depth_to_space,
    "DEPTH_TO_SPACE1": blocks.check_depth_to_space,
    "DIAGONAL_MATRIX": values.check_diagonal_matrix,
    "DIAGONAL_MATRIX1": values.check_diagonal_matrix1,
    "ELEMENT_WISE_IDENTITY": elementwise.check_identity,
    "ELEMENT_WISE_IF": elementwise.check_if,
    "FILL_VALUE_CONSTANT": values.check_fill,
    "FILL_VALUE_SEQUENCE": values.check_fill,
    "FOLD": blocks.check_fold,
    "GATHER": indexing.check_gather,
    "GATHER_ELEMENTS": indexing.check_gather_elements,
    "GATHER_ND": indexing.check_gather_nd,
    "GATHER_ND1": indexing.check_gather_nd,
    "JOIN": parts.check_join,
    "NONZERO_COORDINATES": values.check_nonzero_coordinates,
    "ONE_HOT": values.check_one_hot,
    "PADDING": parts.check_padding,
    "PADDING1": parts.check_padding1,
    "REVERSE_SUBSEQUENCES": parts.check_reverse_subsequences,
    "SCATTER": indexing.check_scatter,
    "SCATTER_ND": indexing.check_scatter_nd,
    "SLICE": parts.check_slice,
    "SLICE1": parts.check_slice1,
    "SPACE_TO_DEPTH": blocks.check_space_to_depth,
    "SPACE_TO_DEPTH1": blocks.check_space_to_depth,
    "SPLIT": parts.check_split,
    "TILE": parts.check_tile,
    "UNFOLD": blocks.check_unfold,
}
"""The shape rules by the operator's name. Each keeps the faults it finds, and raises one that hides what follows."""
