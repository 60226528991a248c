"""JAX: the calls of jax.numpy that correspond to ONNX's operators, on the CPU, with 64-bit types."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from wherry.errors import UnsupportedError
from wherry.runtimes.case import Case
from wherry.runtimes.spelled import Array, Speller, Spelling, listed, options, sizes_of_parts, wanted


def _gather(package: Any, case: Case, x: Sequence[Any]) -> Any:
    return package.numpy.take(x[0], x[1], options(case, axis=0)["axis"])


def _gather_elements(package: Any, case: Case, x: Sequence[Any]) -> Any:
    return package.numpy.take_along_axis(x[0], x[1], options(case, axis=0)["axis"])


def _gather_nd(package: Any, case: Case, x: Sequence[Any]) -> Any:
    wanted(case, batch_dims=0)
    return x[0][tuple(package.numpy.moveaxis(x[1], -1, 0))]


_AT = {"none": "set", "add": "add", "mul": "multiply", "min": "min", "max": "max"}


def _scatter_elements(package: Any, case: Case, x: Sequence[Any]) -> Any:
    axis, reduction = options(case, axis=0, reduction="none").values()
    where = list(package.numpy.indices(x[1].shape))
    where[axis] = x[1]
    return getattr(x[0].at[tuple(where)], _AT[reduction])(x[2])


def _scatter_nd(package: Any, case: Case, x: Sequence[Any]) -> Any:
    where = tuple(package.numpy.moveaxis(x[1], -1, 0))
    return getattr(x[0].at[where], _AT[options(case, reduction="none")["reduction"]])(x[2])


def _slice(package: Any, case: Case, x: Sequence[Any]) -> Any:
    axes = listed(x[3]) if len(x) > 3 else range(len(x[1]))
    steps = listed(x[4]) if len(x) > 4 else [1] * len(x[1])
    found = [slice(None)] * x[0].ndim
    for start, end, axis, step in zip(listed(x[1]), listed(x[2]), axes, steps, strict=True):
        found[axis] = slice(start, end, step)
    return x[0][tuple(found)]


def _split(package: Any, case: Case, x: Sequence[Any]) -> Any:
    sizes = sizes_of_parts(case, x)
    cuts = np.cumsum(sizes)[:-1].tolist() if isinstance(sizes, list) else sizes
    return package.numpy.split(x[0], cuts, options(case, axis=0)["axis"])


def _pad(package: Any, case: Case, x: Sequence[Any]) -> Any:
    pads, ndim = listed(x[1]), x[0].ndim
    axes = [axis % ndim for axis in listed(x[3])] if len(x) > 3 else list(range(ndim))
    widths = [(0, 0)] * ndim
    for number, axis in enumerate(axes):
        widths[axis] = (pads[number], pads[number + len(axes)])
    mode = options(case, mode="constant")["mode"]
    if mode == "constant":
        value = x[2] if len(x) > 2 else package.numpy.zeros((), x[0].dtype)
        return package.lax.pad(x[0], value, [(*pair, 0) for pair in widths])
    return package.numpy.pad(x[0], widths, mode)


def _one_hot(package: Any, case: Case, x: Sequence[Any]) -> Any:
    chosen = package.nn.one_hot(x[0], int(x[1][0]), dtype=bool, axis=options(case, axis=-1)["axis"])
    return package.numpy.where(chosen, x[2][1], x[2][0])


def _unique(package: Any, case: Case, x: Sequence[Any]) -> Any:
    wanted(case, sorted=1)
    several = {"return_index": True, "return_inverse": True, "return_counts": True} if case.outputs > 1 else {}
    return package.numpy.unique(x[0], axis=options(case, axis=None)["axis"], **several)


def _trilu(package: Any, case: Case, x: Sequence[Any]) -> Any:
    call = package.numpy.triu if options(case, upper=1)["upper"] else package.numpy.tril
    return call(x[0], int(x[1]) if len(x) > 1 else 0)


def _cast(package: Any, case: Case, x: Sequence[Any]) -> Any:
    from onnx import TensorProto
    from onnx.helper import tensor_dtype_to_np_dtype

    if case.attributes["to"] == TensorProto.STRING:
        raise UnsupportedError("jax has no strings")
    return x[0].astype(tensor_dtype_to_np_dtype(case.attributes["to"]))


def _squeeze(package: Any, case: Case, x: Sequence[Any]) -> Any:
    return package.numpy.squeeze(x[0], tuple(listed(x[1])) if len(x) > 1 else None)


def _expand(package: Any, case: Case, x: Sequence[Any]) -> Any:
    return package.numpy.broadcast_to(x[0], np.broadcast_shapes(x[0].shape, tuple(listed(x[1]))))


_SPELLINGS: dict[str, Spelling] = {
    "Cast": _cast,
    "Concat": lambda package, case, x: package.numpy.concatenate(x, case.attributes["axis"]),
    "Expand": _expand,
    "Gather": _gather,
    "GatherElements": _gather_elements,
    "GatherND": _gather_nd,
    "NonZero": lambda package, case, x: package.numpy.array(package.numpy.nonzero(x[0])),
    "OneHot": _one_hot,
    "Pad": _pad,
    "Range": lambda package, case, x: package.numpy.arange(*x, dtype=x[0].dtype),
    "Reshape": lambda package, case, x: package.numpy.reshape(x[0], listed(x[1])),
    "ScatterElements": _scatter_elements,
    "ScatterND": _scatter_nd,
    "Slice": _slice,
    "Split": _split,
    "Squeeze": _squeeze,
    "Tile": lambda package, case, x: package.numpy.tile(x[0], listed(x[1])),
    "Transpose": lambda package, case, x: package.numpy.transpose(x[0], case.attributes.get("perm")),
    "Trilu": _trilu,
    "Unique": _unique,
    "Unsqueeze": lambda package, case, x: package.numpy.expand_dims(x[0], tuple(listed(x[1]))),
    "Where": lambda package, case, x: package.numpy.where(*x),
}
"""The calls, by ONNX's operators."""


class Jax(Speller):
    """jax.numpy, operator by operator."""

    name = extra = "jax"
    spellings = _SPELLINGS

    def __init__(self) -> None:
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
        super().__init__()
        self.package.config.update("jax_enable_x64", True)

    def taken(self, array: Array) -> Any:
        """See Speller."""
        if array.dtype.hasobject:
            raise UnsupportedError("jax has no strings")
        return self.package.numpy.asarray(array)

    def given(self, made: Any) -> Array:
        """See Speller."""
        return np.asarray(made)


INSTALLED = Jax
