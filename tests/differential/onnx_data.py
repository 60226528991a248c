"""What the random ONNX models are drawn with: versions, sizes, faults on purpose, and elements of every kind.

Strategies are made once: making one costs more than a draw from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
from hypothesis import strategies as st

from wherry.runtimes.case import Case

Draw = Callable[[st.SearchStrategy[Any]], Any]

NEWEST = 26
"""The newest opset that ONNX Runtime loads."""

DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "complex64", "object", "bfloat16",
]  # fmt: skip
FED = [name for name in DTYPES if name not in ("complex64", "bfloat16")]
"""The types that ONNX Runtime's binding takes."""

NARROW = ["float8_e4m3fn", "float8_e5m2", "int4", "uint4"]
SINCE = {"bfloat16": 13, **dict.fromkeys(NARROW, 21)}
"""The opsets from which on Cast makes types that the binding does not take."""


@cache
def _up_to(most: int) -> st.SearchStrategy[int]:
    return st.integers(0, most)


def number(draw: Draw, low: int, high: int) -> int:
    """A number between two, both included."""
    return low + int(draw(_up_to(high - low)))


def pick(draw: Draw, choices: Sequence[Any]) -> Any:
    """One of some choices."""
    return choices[number(draw, 0, len(choices) - 1)]


def rarely(draw: Draw, one_in: int = 10) -> bool:
    """True once in so many draws; never in the simplest example."""
    return number(draw, 0, one_in - 1) == one_in - 1


def either(draw: Draw) -> bool:
    return number(draw, 0, 1) == 1


def fault(draw: Draw, *kinds: str) -> str:
    """A fault that the model is to have, or mostly none: an empty text."""
    return pick(draw, kinds) if rarely(draw, 16) else ""


def version(draw: Draw, since: int, first: int | None = None) -> int:
    """A version that ONNX Runtime has a kernel for; now and then an older one, or one that is too new."""
    if rarely(draw, 24):
        return number(draw, since if first is None else first, 28)
    return number(draw, since, NEWEST)


def kind_of(draw: Draw, opset: int, usual: Sequence[str] = FED, others: Sequence[str] = DTYPES) -> str:
    """An element type, mostly a usual one, that Cast has at this opset where the binding does not take it."""
    kinds = others if rarely(draw, 24) else usual
    return pick(draw, [kind for kind in kinds if opset >= SINCE.get(kind, 1)])


def rng(draw: Draw) -> np.random.Generator:
    return np.random.default_rng(number(draw, 0, 2**16))


def sizes(draw: Draw, least: int = 0, most: int = 4) -> tuple[int, ...]:
    """Sizes of which few are 0: an empty tensor compares nothing."""
    found = [number(draw, 1, 4) for _ in range(number(draw, least, most))]
    if found and rarely(draw, 32):
        found[number(draw, 0, len(found) - 1)] = 0
    return tuple(found)


def axis_of(draw: Draw, ndim: int, is_outside: bool = False, is_signed: bool = True) -> int:
    """An axis, in half of the cases counted from the end."""
    if is_outside:
        return pick(draw, (ndim, -ndim - 1))
    axis = number(draw, 0, max(0, ndim - 1))
    return axis - ndim if is_signed and ndim and either(draw) else axis


def places(draw: Draw, along: Sequence[int], shape: Sequence[int], is_outside: bool = False, is_signed: bool = True
           ) -> np.ndarray:  # fmt: skip
    """Indices into axes of these sizes, which follow each other along the last axis of `shape`; one may be outside."""
    least = np.resize([-size if is_signed else 0 for size in along], shape)
    most = np.resize([max(size, 1) for size in along], shape)
    picked = np.asarray(rng(draw).integers(least, np.maximum(most, least + 1), dtype=np.int64))
    if is_outside and picked.size:
        place = number(draw, 0, picked.size - 1)
        size = along[place % len(along)]
        picked.reshape(-1)[place] = pick(draw, (size, -size - 1, 2**31 - 1, -(2**31)))
    return picked


def placed(draw: Draw, case: Case) -> Case:
    """The case with some inputs as constants, and its sizes known while loading or not."""
    behind = range(1, len(case.inputs))
    how = number(draw, 0, 3)
    constants = frozenset(behind if how == 1 else [pick(draw, behind)] if how == 2 and behind else [])
    return replace(case, constants=constants, is_dynamic=either(draw))


def laid_out(draw: Draw, array: np.ndarray) -> np.ndarray:
    """An array equal to this one that lies oddly in memory: axes turned round, with gaps, backwards; or as it was."""
    step = number(draw, -2, 2)
    if array.dtype.hasobject or step == 0:
        return array
    memory = np.zeros([2 * size for size in reversed(array.shape)], array.dtype).T
    odd = memory[(..., *(np.s_[::step],) * array.ndim)][(..., *(np.s_[:size] for size in array.shape))]
    odd[...] = array
    return odd


def vector(*entries: int) -> np.ndarray:
    return np.array(entries, np.int64)


def dropped(draw: Draw, attributes: dict[str, Any], **defaults: Any) -> dict[str, Any]:
    """Attributes; those that have their default are left out half of the time."""
    return {name: value for name, value in attributes.items() if value != defaults.get(name) or either(draw)}


_WORDS = np.array(["", "a", "é", "b" * 40, "-0", "nan", "word", "\N{GREEK SMALL LETTER ALPHA}"], object)
_SUB_BYTE = {"int4": (-8, 8), "uint4": (0, 16), "int2": (-2, 2), "uint2": (0, 4)}


def values(draw: Draw, shape: Sequence[int], kind: str) -> np.ndarray:
    """Elements of any bits, many of them the special ones of their type."""
    random = rng(draw)
    if kind == "object":
        return random.choice(_WORDS, tuple(shape))
    dtype = np.dtype(kind)
    if kind == "bool" or kind in _SUB_BYTE:
        return random.integers(*_SUB_BYTE.get(kind, (0, 2)), shape).astype(dtype)
    if kind.startswith("complex"):
        return values(draw, (*shape, 2), "float32").view(dtype).reshape(shape)
    if kind.startswith(("float4", "float8")):
        return random.integers(0, 16 if kind.startswith("float4") else 256, shape, np.uint8).view(dtype)
    count = int(np.prod(shape))
    unsigned = _unsigned(dtype)
    bits = random.integers(0, 256, count * dtype.itemsize).astype(np.uint8).view(unsigned)
    bits = np.where(random.integers(0, 2, count) == 0, bits, random.choice(specials(kind), count))
    if dtype.kind not in "iu":
        bits = _with_nan(bits, dtype, pick(draw, ("any", "quiet", "none")))
    return bits.view(dtype).reshape(shape)


def _with_nan(bits: np.ndarray, dtype: np.dtype, which: str) -> np.ndarray:
    """Floats whose NaN are all quiet, or are infinities instead."""
    mantissa = int(ml_dtypes.finfo(dtype).nmant)
    changed = bits | bits.dtype.type(1 << (mantissa - 1)) if which == "quiet" else bits >> mantissa << mantissa
    with np.errstate(invalid="ignore"):
        return bits if which == "any" else np.where(np.isnan(bits.view(dtype)), changed, bits)


def repeated(draw: Draw, shape: Sequence[int], kind: str, is_special: bool = True) -> np.ndarray:
    """Few distinct elements, in no order: small numbers, and in half of the cases special ones too."""
    random = rng(draw)
    if kind == "object":
        return random.choice(np.array(["b", "a", "", "10", "9"], object), tuple(shape))
    low = 0 if kind.startswith(("u", "b")) else -5
    small = random.integers(low, 2 if kind == "bool" else 6, 4).astype(kind)
    if is_special and kind not in ("bool", "complex64"):
        small[:2] = random.choice(specials(kind), 2).view(kind)
    return random.choice(small.view(_unsigned(small.dtype)), tuple(shape)).view(kind)


def _unsigned(dtype: np.dtype) -> np.dtype:
    """The unsigned integers of the same width, in which no NaN changes its bits."""
    return np.dtype(f"u{dtype.itemsize}")


@cache
def specials(kind: str) -> np.ndarray:
    """The bits of the special elements of a type of numbers.

    Of floats: zeros and infinities, several NaN of both signs, quiet and signalling, the subnormal numbers at both
    ends, the least normal and the greatest number; of integers the ends, 0, and 1.
    """
    dtype = np.dtype(kind)
    unsigned = _unsigned(dtype)
    if dtype.kind in "iu":
        ends = np.iinfo(dtype)
        return np.array([ends.min, ends.max, 0, 1, ends.max - 1], dtype).view(unsigned)
    info = ml_dtypes.finfo(dtype)
    mantissa = int(info.nmant)
    top = 1 << (info.bits - 1)
    exponents = top - (1 << mantissa)
    quiet = 1 << (mantissa - 1)
    positive = [0, 1, (1 << mantissa) - 1, 1 << mantissa, exponents - 1, exponents, exponents | quiet,
                exponents | quiet | (mantissa > 3) * 3, exponents | 1, exponents | quiet >> 1,
                exponents | ((1 << mantissa) - 1)]  # fmt: skip
    return np.array([sign | bits for bits in positive for sign in (0, top)], np.uint64).astype(unsigned)
