"""Unique by its formula: ONNX Unique, OpenVINO Unique-10."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import NaN, Unique

Array = NDArray[Any]


def compared(a: Any, b: Any, equal_nan: bool) -> int:
    """Return -1, 0 or 1 as element a sorts before, with or after b; NaN after all others."""
    a_is_nan, b_is_nan = bool(a != a), bool(b != b)  # noqa: PLR0124 - NaN alone differs from itself
    if a_is_nan or b_is_nan:
        return int(a_is_nan) - int(b_is_nan) or (0 if equal_nan else 2)
    if isinstance(a, complex):
        return compared(a.real, b.real, equal_nan) or compared(a.imag, b.imag, equal_nan)
    return (int(a > b) - int(a < b)) if not isinstance(a, np.bool_) else int(a) - int(b)


def formula(operator: Unique, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """Each slice is compared with the ones before it; then the values are sorted, unless they keep their order."""
    data, axis = operator.data, operator.axis
    values, indices, inverse, counts = outputs
    slices = [[data[c]] for c in np.ndindex(data.shape)] if axis is None else _slices(data, axis)
    equal_nan = operator.nan is NaN.EQUAL

    def order(first: int, second: int) -> int:
        for a, b in zip(slices[first], slices[second], strict=True):
            sign = compared(a, b, equal_nan)
            if sign:
                return sign if sign != 2 else first - second
        return 0

    firsts: list[int] = []
    members: dict[int, list[int]] = {}
    for number in range(len(slices)):
        same = next((first for first in firsts if order(first, number) == 0), None)
        if same is None:
            firsts.append(number)
        members.setdefault(number if same is None else same, []).append(number)
    if operator.sorted:
        firsts.sort(key=cmp_to_key(order))
    for place, first in enumerate(firsts):
        indices[place], counts[place] = first, len(members[first])
        for number in members[first]:
            inverse[number] = place
        if axis is None:
            values[place] = slices[first][0]
        else:
            values[(slice(None),) * axis + (place,)] = data[(slice(None),) * axis + (first,)]


def _slices(data: Array, axis: int) -> list[list[Any]]:
    others = data.shape[:axis] + data.shape[axis + 1 :]
    return [[data[(*c[:axis], at, *c[axis:])] for c in np.ndindex(others)] for at in range(data.shape[axis])]
