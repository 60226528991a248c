"""What the strategies for uses of operators draw from: element types and sizes."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tests.conversion.sites import data

Draw = st.DrawFn

DTYPES = ("float32", "uint8", "int64", "float16", "bool", object)


def element_types(draw: Draw) -> object:
    return draw(st.sampled_from(DTYPES))


def sizes(draw: Draw, least: int = 1, most: int = 4, smallest: int = 1) -> tuple[int, ...]:
    return tuple(draw(st.lists(st.integers(smallest, 4), min_size=least, max_size=most)))


def indices(draw: Draw, shape: tuple[int, ...], size: int, dtype: str, *, bad: bool = False) -> np.ndarray:
    limits = np.iinfo(dtype)
    low, high = (-size - 3, size + 3) if bad else (-size, size - 1)
    values = st.integers(max(low, int(limits.min)), min(high, int(limits.max)))
    count = int(np.prod(shape))
    return np.array(draw(st.lists(values, min_size=count, max_size=count)), dtype).reshape(shape)


def of_open_sizes(draw: Draw, least: int = 2, most: int = 4) -> np.ndarray:
    return data(*sizes(draw, least, most, smallest=0))
