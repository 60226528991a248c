"""Inputs made up for a model from its declared types, with open sizes that ONNX Runtime takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from wherry.dtypes import UNKNOWN
from wherry.tensors import Size, TensorType

from ..case import Array

OPEN_SIZES = (64, 512, 32, 256, 1024, 16_000, 2, 1)
"""What sizes without a number are tried with, in turn, until ONNX Runtime runs the model."""

Sizes = Mapping[str, Sequence[int]]


class NoInputs(Exception):
    """No made-up inputs that ONNX Runtime runs the model on."""


def found_inputs(
    types: Mapping[str, TensorType],
    sizes: Sizes,
    values: Mapping[str, float],
    run: Callable[[dict[str, Array]], object],
) -> dict[str, Array]:
    """Return the first inputs that `run` takes; `sizes` and `values` are those of inputs by name, where they are given.

    Raises NoInputs with what `run` says of the last ones.
    """
    why = "an input is no tensor, or of an unknown number of axes"
    for given in candidates(types, sizes, values):
        try:
            run(given)
        except Exception as error:
            why = str(error)
        else:
            return given
    raise NoInputs(why)


def candidates(
    types: Mapping[str, TensorType], sizes: Sizes, values: Mapping[str, float]
) -> Iterator[dict[str, Array]]:
    """Yield inputs of these types: floats of -0.5 to 0.5, integers of 0 to 3, true and false; or the given values.

    Open sizes are those of one picture, then of one row: 1 but for the last. Given sizes that an input of this name
    cannot have here are those of another model.
    """
    sizes = {
        name: own for name, own in sizes.items() if name in types and types[name].accepts(types[name].with_sizes(own))
    }
    if any(kind.dtype is UNKNOWN or (kind.sizes is None and name not in sizes) for name, kind in types.items()):
        return
    is_fixed = all(kind.is_known or name in sizes for name, kind in types.items())
    tries = ((0, 0),) if is_fixed else ((size, each) for size in OPEN_SIZES for each in (size, 1))
    for last, others in tries:
        rng = np.random.default_rng(7)
        chosen = {name: sizes.get(name) or _sizes(kind.sizes or (), last, others) for name, kind in types.items()}
        yield {name: made_up(kind, chosen[name], values.get(name), rng) for name, kind in types.items()}


def _sizes(declared: Sequence[Size], last: int, others: int) -> list[int]:
    """Return sizes with numbers for those that are open: the first axis is the batch, of 1."""
    numbers = [1, *[others] * (len(declared) - 2), last] if len(declared) > 1 else [1]
    return [known if isinstance(known, int) else made for known, made in zip(declared, numbers, strict=False)]


def made_up(kind: TensorType, sizes: Sequence[int], value: float | None, rng: np.random.Generator) -> Array:
    """Return an array of a type: of one value, or of random ones."""
    dtype = kind.numpy
    if dtype.hasobject:
        return rng.choice(np.array(["a", "bc", "", "déf"], object), sizes)
    if value is not None:
        return np.full(sizes, value).astype(dtype)
    if dtype.kind in "iub":
        return np.asarray(rng.integers(0, 2 if dtype.kind == "b" else 4, sizes)).astype(dtype)
    return np.asarray(rng.random(sizes) - 0.5).astype(dtype)
