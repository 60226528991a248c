"""Hypothesis strategies: sizes, element types of every width, and arrays with unusual strides and exact bits."""

from __future__ import annotations

import ml_dtypes
import numpy as np
from hypothesis import strategies as st

INDEX_DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]

ELEMENT_DTYPES = [
    np.dtype(kind)
    for kind in (
        "bool", "uint8", "float16", "float32", "float64", "complex128", "int64", "S3", "S5", "U3", "S20",
        ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.int4, "M8[s]", ">f4",
        [("a", "u1"), ("b", "<f8")],
    )
]  # fmt: skip
"""Every width with a kernel of its own (1, 2, 4, 8, 16) and others that move as a run of bytes."""


def sizes(max_ndim: int = 6, max_size: int = 4) -> st.SearchStrategy[tuple[int, ...]]:
    return st.lists(st.integers(0, max_size), max_size=max_ndim).map(tuple)


def distinct(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """Return an array whose elements have distinct bit patterns as far as their width allows, NaN payloads included."""
    count = int(np.prod(shape, dtype=np.int64))
    rng = np.random.default_rng(count * 31 + dtype.itemsize)
    if dtype == np.dtype(bool):
        return rng.integers(0, 2, shape).astype(bool)
    if dtype == np.dtype(ml_dtypes.int4):
        return rng.integers(-8, 8, shape).astype(dtype)
    if dtype.kind == "U":
        return np.array([chr(65 + n % 50) * (n % 4) for n in range(count)], dtype).reshape(shape)
    raw = rng.integers(0, 256, count * dtype.itemsize).astype(np.uint8)
    return raw.view(dtype).reshape(shape)


@st.composite
def strided(draw: st.DrawFn, values: np.ndarray, *, overlapping: bool = False) -> np.ndarray:
    """Return an array equal to `values` that lies oddly: axes permuted in memory, padded, reversed, at an offset.

    With `overlapping`, an axis along which all values are made equal may have stride 0.
    """
    ndim = values.ndim
    order = draw(st.permutations(range(ndim)))
    steps = [draw(st.sampled_from([1, 1, 2, -1, -2])) for _ in range(ndim)]
    padding = [draw(st.integers(0, 2)) for _ in range(ndim)]
    memory_sizes = [values.shape[axis] * abs(steps[axis]) + padding[axis] for axis in order]
    nbytes = int(np.prod(memory_sizes)) * values.dtype.itemsize
    memory = np.full(nbytes, 0xA5, np.uint8).view(values.dtype).reshape(memory_sizes)
    array = memory.transpose(np.argsort(order)) if ndim else memory
    for axis in range(ndim):
        size, step = values.shape[axis], steps[axis]
        picked = np.s_[: size * step : step] if step > 0 else np.s_[(size - 1) * -step :: step] if size else np.s_[:0]
        array = array[(slice(None),) * axis + (picked,)]
    array = array.reshape(values.shape) if array.shape != values.shape else array
    array[...] = values
    if overlapping and ndim and values.size and draw(st.booleans()):
        axis = draw(st.integers(0, ndim - 1))
        first = array[(slice(None),) * axis + (slice(0, 1),)]
        return np.broadcast_to(first, values.shape)
    return array


@st.composite
def index_arrays(draw: st.DrawFn, shape: tuple[int, ...], sizes: tuple[int, ...], *, bad: bool) -> np.ndarray:
    """Return indices of any type and strides; `sizes` are those of the indexed axes, along the last axis of `shape`.

    With one size, all of `shape` index one axis. With `bad`, some are around or far outside the axis.
    """
    dtype = np.dtype(draw(st.sampled_from(INDEX_DTYPES)))
    limits = np.iinfo(dtype)
    flat = []
    for number in range(int(np.prod(shape))):
        size = sizes[number % len(sizes)]
        low, high = (-size - 2, size + 1) if bad else (-size, size - 1)
        low, high = max(low, int(limits.min)), min(high, int(limits.max))
        near = st.integers(low, high) if low <= high else st.just(0)
        far = st.sampled_from([int(limits.min), int(limits.max)])
        flat.append(draw(near | far if bad and draw(st.integers(0, 9)) == 0 else near))
    return draw(strided(np.array(flat, dtype).reshape(shape), overlapping=len(sizes) == 1))
