"""The shape rules of each operator: what its tensors' sizes and its numbers must be to each other."""

from collections.abc import Callable, Mapping
from typing import Any

from wherry.dialects.directml.shapes import indexing, movement, values
from wherry.faults import Faults

CHECKS: Mapping[str, Callable[[Any, Faults], None]] = {
    "ACTIVATION_IDENTITY": movement.check_identity,
    "CAST": values.check_cast,
    "DEPTH_TO_SPACE": movement.check_depth_to_space,
    "DEPTH_TO_SPACE1": movement.check_depth_to_space,
    "DIAGONAL_MATRIX": values.check_diagonal_matrix,
    "DIAGONAL_MATRIX1": values.check_diagonal_matrix1,
    "ELEMENT_WISE_IDENTITY": movement.check_identity,
    "ELEMENT_WISE_IF": movement.check_if,
    "FILL_VALUE_CONSTANT": values.check_fill,
    "FILL_VALUE_SEQUENCE": values.check_fill,
    "FOLD": movement.check_fold,
    "GATHER": indexing.check_gather,
    "GATHER_ELEMENTS": indexing.check_gather_elements,
    "GATHER_ND": indexing.check_gather_nd,
    "GATHER_ND1": indexing.check_gather_nd,
    "JOIN": movement.check_join,
    "NONZERO_COORDINATES": values.check_nonzero_coordinates,
    "ONE_HOT": values.check_one_hot,
    "PADDING": movement.check_padding,
    "PADDING1": movement.check_padding1,
    "REVERSE_SUBSEQUENCES": movement.check_reverse_subsequences,
    "SCATTER": indexing.check_scatter,
    "SCATTER_ND": indexing.check_scatter_nd,
    "SLICE": movement.check_slice,
    "SLICE1": movement.check_slice1,
    "SPACE_TO_DEPTH": movement.check_space_to_depth,
    "SPACE_TO_DEPTH1": movement.check_space_to_depth,
    "SPLIT": movement.check_split,
    "TILE": movement.check_tile,
    "UNFOLD": movement.check_unfold,
}
"""The shape rules by the operator's name. Each keeps the faults it finds, and raises one that hides what follows."""
