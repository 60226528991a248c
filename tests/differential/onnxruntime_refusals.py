"""Why a model is refused: the words of ONNX Runtime, and the errors of wherry, brought to the same few reasons."""

from __future__ import annotations

import re

from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError, UnsupportedError, WherryError

OF_WHERRY: dict[type[WherryError], str] = {
    IndexOutOfRangeError: "index",
    InvalidTypeError: "type",
    InvalidValueError: "value",
    UnsupportedError: "operator",
}
"""Other errors are no reason why both may refuse a model."""

OF_ONNXRUNTIME: tuple[tuple[str, str], ...] = (
    (r"deprecated in domain_version", "operator"),
    (r"^\[ONNXRuntimeError\] : 10 : INVALID_GRAPH .* Type Error: Type '.*' of input parameter .* is invalid", "type"),
    (r"Mismatched attribute type", "type"),
    (r"Type parameter \(T\) of Optype \(\w+\) bound to different types", "type"),
    (r"running ArgM(ax|in) node\. Name:'\w*' Status Message: |m(in|ax) should be a scalar", "value"),
    (r"Integer (division|modulo) by zero|fmod attribute must be true for floating point types", "value"),
    (r"element out of data bounds|Out of range value in index tensor|invalid ind(ex|ice) found", "index"),
    (r"write_indices\[\d+\]", "index"),
    (r"Required attribute '\w+' is missing", "value"),
    # axes
    (r"axis -?\d+ is not in valid range|axis -?\d+ is out of range|Unexpected axis value", "value"),
    (r"axis'? must be in|rank must be greater than axis|Invalid value.* attribute 'axis'", "value"),
    (r"ax[ei]s'?( attribute)? (has|must not contain any) duplicates|has a duplicate axis", "value"),
    (r"referred to more than once|has an axis outside|beyond the bounds of the computed output", "value"),
    (r"Input axes has invalid data", "value"),
    (r"[Aa]ttribute perm|perm size: \d+ does not match", "value"),
    (r"batch_axis (!=|<) \w+ was false", "value"),
    # sizes
    (r"[Mm]ust be (rank )?\d(-dimensional| tensor)|must have rank >= \d|must have exactly two elements", "value"),
    (r"[Ii]ncompatible (dimensions|shapes)|Can't merge shape info|dimensions must match", "value"),
    (r"cannot be reshaped to the requested shape|invalid expand shape|Attempting to broadcast an axis", "value"),
    (r"multiple -1 dimensions|At most one dimension can be -1|Invalid position of 0", "value"),
    (r"Invalid dimension value|dimension cannot be less than -1|value zero exceeds the dimension size", "value"),
    (r"Tensor shape.Size\(\) must be >= 0", "value"),
    (r"must not be larger than (the )?rank of|same rank|needs to be equal to rank|is greater than input dim", "value"),
    (r"dimensions differs|updates tensor should have shape|is not divisible by input batch size", "value"),
    (r"does not match the number of sliding blocks|Padded image extent is smaller", "value"),
    (r"not evenly splittable|cannot be split evenly|values within bounds of 'data' shape", "value"),
    (r"multiple of \(?block_size|same length as the 'input'|incorrect number of values", "value"),
    (r"exceeds max_sequence_length|sequence_lens shape must be|Invalid argument for values", "value"),
    # values
    (
        r"must be a single-element tensor|Blocksize must be positive|Depth is negative|modes? (must be|are supported)",
        "value",
    ),
    (
        r"[Rr]epeat value must be non-negative|delta in Range operator can not be zero|'step'( value)? cannot be",
        "value",
    ),
    (r"Invalid sequence length|sum of 'split'|split_sizes_|Split size \d+ exceeds|[Vv]alues? in 'split'", "value"),
)
"""Patterns of its words, and the reason that they tell; the first that is found holds."""


def reason_of_wherry(error: WherryError) -> str:
    """Return the reason of an error, an empty text for one that no bad model should meet."""
    return next((reason for kind, reason in OF_WHERRY.items() if isinstance(error, kind)), "")


def reason_of_onnxruntime(words: str) -> str:
    """Return the reason that words tell, an empty text if they tell none: a crash, a kernel that is missing."""
    flat = words.replace("\n", " ")
    return next((reason for pattern, reason in OF_ONNXRUNTIME if re.search(pattern, flat)), "")
