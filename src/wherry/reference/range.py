"""Range by its formula: ONNX Range, OpenVINO Range-4, DirectML FILL_VALUE_SEQUENCE."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import Cast, Range, Steps
from wherry.reference.cast import float_bits, number_of


def formula(operator: Range, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
    """`out[n] = start + n * delta`, or the element before plus delta; integers modulo 2 to the number of bits."""
    (out,) = outputs
    assert operator.compute is not None
    value: Any
    number, bits = operator.compute.numpy.type, operator.compute.bits
    start, delta = operator.start[()], operator.delta[()]
    value = start
    for n, c in enumerate(np.ndindex(out.shape)):
        if operator.compute.is_integer:
            exact = (int(start) + n * int(delta)) % 2**bits
            wrapped = exact - 2**bits if operator.compute.kind == "int" and exact >= 2 ** (bits - 1) else exact
            out[c] = _in_range(wrapped, out.dtype)
            continue
        with np.errstate(over="ignore", invalid="ignore"):
            if operator.steps is Steps.MULTIPLY:
                value = number(start + number(number(n) * delta))
            elif n:
                value = number(value + delta)
        out.view(f"u{out.itemsize}")[c] = float_bits(number_of(value), Cast(out.dtype))  # type: ignore[arg-type]


def _in_range(value: int, dtype: np.dtype[Any]) -> int:
    bits = dtype.itemsize * 8
    value %= 2**bits
    return value - 2**bits if dtype.kind == "i" and value >= 2 ** (bits - 1) else value
