"""StringPack and StringUnpack by their formula: OpenVINO StringTensorPack-15 and StringTensorUnpack-15."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import StringPack, StringUnpack

Array = NDArray[Any]


def string_pack(operator: StringPack, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c]` = the bytes `symbols[begins[c]:ends[c]]`. Raises IndexError for a run outside symbols."""
    begins, ends, symbols = inputs
    for c in np.ndindex(begins.shape):
        run = [int(symbols[at]) for at in range(int(begins[c]), int(ends[c])) if at >= 0 or _outside(at)]
        if not 0 <= begins[c] <= ends[c] <= len(symbols):
            _outside(int(begins[c]))
        outputs[0][c] = bytes(run).decode("utf-8", "surrogateescape")


def _outside(at: int) -> bool:
    raise IndexError(at)


def string_unpack(operator: StringUnpack, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """Each string's bytes follow those of the string before."""
    begins, ends, symbols = outputs
    at = 0
    for c in np.ndindex(operator.data.shape):
        text = operator.data[c]
        run = text if isinstance(text, bytes) else str(text).encode("utf-8", "surrogateescape")
        begins[c], ends[c] = at, at + len(run)
        for symbol in run:
            symbols[at] = symbol
            at += 1
