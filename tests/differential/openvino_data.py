"""Random tensors for models of one node: of any element type, and of any bits where these are only moved."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import ml_dtypes
import numpy as np
from hypothesis import strategies as st

from wherry import dtypes

INDEX_KINDS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
WIDE_INDEX_KINDS = ["i32", "i64"]
KINDS = ["f32", "f16", "bf16", "f64", "boolean", *INDEX_KINDS]
MOVED_KINDS = [*KINDS, "f8e4m3", "f8e5m2", "f8e8m0", "i4", "u4"]
STRINGS_TOO = [*MOVED_KINDS, "string"]
FLOAT8_KINDS = ["f8e4m3", "f8e5m2", "f8e8m0"]
FLOAT_KINDS = ["f32", "f16", "bf16", "f64", "f8e4m3", "f8e5m2"]
CONVERTED_KINDS = [*MOVED_KINDS, "u2", "f4e2m1"]
NUMBER_KINDS = ["f32", "f16", "bf16", "f64", *INDEX_KINDS]

Named = tuple[str, np.ndarray]
Draw = st.DrawFn


def array(kind: str, value: Any) -> np.ndarray:
    """Return values in the NumPy dtype that holds an element type."""
    dtype = dtypes.by_spelling("openvino")[kind]
    return np.array(value, object if dtype.is_string else None).astype(dtype.numpy)


def data_of(draw: Draw, shape: Sequence[int], kinds: Sequence[str] = KINDS, kind: str | None = None) -> Named:
    """Return a tensor of small numbers, which every type holds, and which survive any arithmetic of the runtime."""
    kind = kind or draw(st.sampled_from(kinds))
    random = np.random.default_rng(draw(st.integers(0, 2**16)))
    if kind == "boolean":
        return kind, random.integers(0, 2, shape).astype(bool)
    if kind == "string":
        return kind, random.choice(np.array(["a", "bc", "", "déf"], object), shape)
    least = 0 if kind.startswith("u") else -50
    return kind, array(kind, random.integers(least, 50, shape))


def special(kind: str, is_hard: bool = False) -> np.ndarray:
    """Return the numbers of a type that runtimes are least good at, but for those known to be changed unless `is_hard`.

    Of floats: NaN with payloads and signs, signalling ones, infinities, zeros with signs, the least and greatest
    numbers; of integers those at both ends. Hard are 64 bits that 32 do not hold, and signalling NaN of f16.
    """
    dtype = dtypes.by_spelling("openvino")[kind]
    if kind == "f64" and not is_hard:
        narrow = special("f32")
        with np.errstate(invalid="ignore"):
            return narrow[~np.isinf(narrow)].astype(np.float64)
    if kind in ("f16", "bf16", "f32", "f64"):
        bits, fraction = dtype.bits, ml_dtypes.finfo(dtype.numpy).nmant
        sign, quiet, endless = 1 << bits - 1, 1 << fraction - 1, (1 << bits - 1) - (1 << fraction)
        codes = [endless | quiet, endless | quiet | 5, endless, endless - 1, 0, 1, (1 << fraction) - 1, 1 << fraction]
        if kind != "f16" or is_hard:
            codes += [endless | 1, endless | quiet - 1]
        return np.array([*codes, *(sign | code for code in codes)], f"u{bits // 8}").view(dtype.numpy)
    if kind == "i4":
        return np.arange(-8, 8).astype(dtype.numpy)
    if kind == "boolean" or dtype.bits < 8 or dtype.kind == "float":
        return np.arange(2 if kind == "boolean" else 2**dtype.bits).astype(np.uint8).view(dtype.numpy)
    bits = dtype.bits if dtype.bits < 32 or kind == "i32" or is_hard else 32 - (kind[0] == "u")
    least = -(2 ** (bits - 1)) if kind[0] == "i" else 0
    return np.array([least, least + 1, 0, 1, least + 2**bits - 2, least + 2**bits - 1, -least // 2], dtype.numpy)


def any_bits(kind: str, shape: Sequence[int], seed: int, is_hard: bool = False) -> np.ndarray:
    """Return elements of any bits, half of them special; of hard ones see `special`."""
    dtype, random, count = dtypes.by_spelling("openvino")[kind], np.random.default_rng(seed), prod(shape)
    if dtype.is_string:
        return random.choice(np.array(["a", "bc", "", "déf"], object), shape)
    chosen = random.choice(special(kind, is_hard), count)
    if kind == "boolean" or dtype.bits < 8:
        return chosen.reshape(shape)
    if dtype.numpy.kind in "iu":
        ends = special(kind, is_hard)
        bits = random.integers(int(ends.min()), int(ends.max()), count, dtype.numpy, endpoint=True)
    elif kind == "f64" and not is_hard:
        bits = random.standard_normal(count).astype(np.float32).astype(np.float64)
    else:
        bits = random.integers(0, 256, count * dtype.numpy.itemsize).astype(np.uint8).view(dtype.numpy)
        bits = np.where(np.isnan(bits), np.ones(1, dtype.numpy), bits) if kind == "f16" and not is_hard else bits
    return np.where(random.integers(0, 2, count) == 0, bits, chosen).reshape(shape)


def few_values(draw: Draw, kind: str, shape: Sequence[int]) -> np.ndarray:
    """Return elements that are often equal, or zero; floats may be special."""
    random = np.random.default_rng(draw(st.integers(0, 2**16)))
    if kind == "string":
        return any_bits(kind, shape, draw(st.integers(0, 2**16)))
    chosen = special(kind)
    if kind in FLOAT_KINDS and draw(st.integers(0, 2)) > 0:
        with np.errstate(invalid="ignore"):
            return random.choice(chosen if one_in(draw, 4) else chosen[~np.isnan(chosen)], shape)
    return array(kind, random.integers(0, 3, shape))


def moved(draw: Draw, shape: Sequence[int], kinds: Sequence[str] = MOVED_KINDS, kind: str | None = None) -> Named:
    """Return a tensor whose elements are only moved: of any type, and any bits."""
    kind = kind or draw(st.sampled_from(kinds))
    return kind, any_bits(kind, shape, draw(st.integers(0, 2**16)), one_in(draw, 16))


def integers(draw: Draw, values: Any, kinds: Sequence[str] = INDEX_KINDS) -> Named:
    """Return integers in one of the types that hold them."""
    numbers = np.array(values, np.int64)
    fitting = [
        kind
        for kind in kinds
        if numbers.size == 0
        or (np.array_equal(array(kind, numbers).astype(np.int64), numbers) and (numbers.min() >= 0 or kind[0] == "i"))
    ]
    kind = draw(st.sampled_from(fitting))
    return kind, array(kind, numbers)


def one_in(draw: Draw, count: int) -> bool:
    """Whether to draw what is rare: never in the simplest example."""
    return draw(st.integers(0, count - 1)) == count - 1


def mostly(draw: Draw, usual: Sequence[str], rare: Sequence[str]) -> str:
    """Return one of those that the plugin has kernels for, or one time in eight one of the others."""
    return draw(st.sampled_from(rare if one_in(draw, 8) else usual))


def shapes(least: int = 1, most: int = 4, small: int = 1, large: int = 4) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(small, large), min_size=least, max_size=most)


def some_or_none(draw: Draw, least: int = 1, most: int = 4, large: int = 4) -> list[int]:
    """Return sizes, in one of six cases perhaps sizes of 0."""
    return draw(shapes(least, most, small=int(draw(st.integers(0, 5)) > 0), large=large))


def a_scalar_or_one(draw: Draw, tensor: Named) -> Named:
    return tensor if draw(st.booleans()) else (tensor[0], tensor[1].reshape(1))


def inside(draw: Draw, shape: Sequence[int], size: int, negative: bool = True) -> np.ndarray:
    random = np.random.default_rng(draw(st.integers(0, 2**16)))
    least = -size if negative and draw(st.booleans()) else 0
    return random.integers(least, size, shape)


def reduced(draw: Draw, shape: Sequence[int], kind: str) -> Named:
    """Return numbers to reckon with: small ones, fractions and special ones among the floats, or of any bits."""
    choice = draw(st.integers(0, 5))
    if choice == 4:
        return moved(draw, shape, kind=kind)
    _, values = data_of(draw, shape, kind=kind)
    if kind not in FLOAT_KINDS or choice == 0:
        return kind, values
    values = (values.astype(np.float32) / 8).astype(values.dtype)
    if choice == 5:
        random = np.random.default_rng(draw(st.integers(0, 2**16)))
        special = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0]).astype(values.dtype)
        values = np.where(random.integers(0, 4, shape) == 0, random.choice(special, shape), values)
    return kind, values
