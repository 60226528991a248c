"""PyTorch: the calls that correspond to ONNX's operators, on the CPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wherry import dtypes
from wherry.errors import UnsupportedError
from wherry.runtimes.case import Case
from wherry.runtimes.spelled import Array, Speller, Spelling, listed, options, sizes_of_parts, wanted


def _gather(package: Any, case: Case, x: Sequence[Any]) -> Any:
    if x[1].ndim != 1:
        raise UnsupportedError("torch.index_select takes vectors of indices")
    return package.index_select(x[0], options(case, axis=0)["axis"], x[1])


def _gather_nd(package: Any, case: Case, x: Sequence[Any]) -> Any:
    wanted(case, batch_dims=0)
    return x[0][tuple(x[1].moveaxis(-1, 0))]


_REDUCTIONS = {"add": "sum", "mul": "prod", "min": "amin", "max": "amax"}


def _scatter(package: Any, case: Case, x: Sequence[Any]) -> Any:
    axis, reduction = options(case, axis=0, reduction="none").values()
    if reduction == "none":
        return package.scatter(x[0], axis, x[1], x[2])
    return package.scatter_reduce(x[0], axis, x[1], x[2], _REDUCTIONS[reduction])


def _scatter_nd(package: Any, case: Case, x: Sequence[Any]) -> Any:
    reduction = options(case, reduction="none")["reduction"]
    if reduction not in ("none", "add"):
        raise UnsupportedError(f"no call for ScatterND where reduction is {reduction!r}")
    return x[0].index_put(tuple(x[1].moveaxis(-1, 0)), x[2], accumulate=reduction == "add")


def _slice(package: Any, case: Case, x: Sequence[Any]) -> Any:
    axes = listed(x[3]) if len(x) > 3 else range(len(x[1]))
    steps = listed(x[4]) if len(x) > 4 else [1] * len(x[1])
    found = x[0]
    for start, end, axis, step in zip(listed(x[1]), listed(x[2]), axes, steps, strict=True):
        found = package.ops.aten.slice(found, axis, start, end, step)
    return found


def _split(package: Any, case: Case, x: Sequence[Any]) -> Any:
    sizes, axis = sizes_of_parts(case, x), options(case, axis=0)["axis"]
    return package.split(x[0], sizes, axis) if isinstance(sizes, list) else package.chunk(x[0], sizes, axis)


_MODES = {"constant": "constant", "edge": "replicate", "reflect": "reflect", "wrap": "circular"}


def _pad(package: Any, case: Case, x: Sequence[Any]) -> Any:
    pads, ndim = listed(x[1]), x[0].ndim
    axes = [axis % ndim for axis in listed(x[3])] if len(x) > 3 else list(range(ndim))
    widths = [0] * 2 * ndim  # the last axis first
    for number, axis in enumerate(axes):
        place = 2 * (ndim - 1 - axis)
        widths[place : place + 2] = [pads[number], pads[number + len(axes)]]
    mode = _MODES[options(case, mode="constant")["mode"]]
    if mode != "constant":  # of batches and channels
        return package.nn.functional.pad(x[0][None, None], widths, mode)[0, 0]
    return package.nn.functional.pad(x[0], widths, mode, x[2].item() if len(x) > 2 else 0)


def _one_hot(package: Any, case: Case, x: Sequence[Any]) -> Any:
    wanted(case, axis=-1)
    return package.where(package.nn.functional.one_hot(x[0], int(x[1])).bool(), x[2][1], x[2][0])


def _unique(package: Any, case: Case, x: Sequence[Any]) -> Any:
    wanted(case, sorted=1)
    if case.outputs > 1:
        raise UnsupportedError("torch.unique tells no first places")
    return package.unique(x[0], dim=options(case, axis=None)["axis"])


def _trilu(package: Any, case: Case, x: Sequence[Any]) -> Any:
    call = package.triu if options(case, upper=1)["upper"] else package.tril
    return call(x[0], int(x[1]) if len(x) > 1 else 0)


def _cast(package: Any, case: Case, x: Sequence[Any]) -> Any:
    from onnx import TensorProto

    name = TensorProto.DataType.Name(case.attributes["to"]).lower()
    to = getattr(package, {"float": "float32", "double": "float64"}.get(name, name), None)
    if to is None:
        raise UnsupportedError(f"torch has no {name}")
    return x[0].to(to)


def _squeeze(package: Any, case: Case, x: Sequence[Any]) -> Any:
    return package.squeeze(x[0], tuple(listed(x[1]))) if len(x) > 1 else package.squeeze(x[0])


def _unsqueeze(package: Any, case: Case, x: Sequence[Any]) -> Any:
    if len(x[1]) != 1:
        raise UnsupportedError("torch.unsqueeze adds one axis")
    return package.unsqueeze(x[0], int(x[1]))


def _transpose(package: Any, case: Case, x: Sequence[Any]) -> Any:
    perm = case.attributes.get("perm")
    return package.permute(x[0], tuple(range(x[0].ndim))[::-1] if perm is None else perm)


def _pixel_shuffle(package: Any, case: Case, x: Sequence[Any]) -> Any:
    if case.attributes.get("mode") != "CRD":
        raise UnsupportedError("torch.pixel_shuffle is DepthToSpace of the mode CRD")
    return package.nn.functional.pixel_shuffle(x[0], case.attributes["blocksize"])


_SPELLINGS: dict[str, Spelling] = {
    "Cast": _cast,
    "Concat": lambda package, case, x: package.cat(list(x), case.attributes["axis"]),
    "DepthToSpace": _pixel_shuffle,
    "Expand": lambda package, case, x: package.broadcast_to(x[0], package.broadcast_shapes(x[0].shape, listed(x[1]))),
    "Gather": _gather,
    "GatherElements": lambda package, case, x: package.gather(x[0], options(case, axis=0)["axis"], x[1]),
    "GatherND": _gather_nd,
    "NonZero": lambda package, case, x: package.nonzero(x[0]).T,
    "OneHot": _one_hot,
    "Pad": _pad,
    "Range": lambda package, case, x: package.arange(*(one.item() for one in x), dtype=x[0].dtype),
    "Reshape": lambda package, case, x: package.reshape(x[0], listed(x[1])),
    "ScatterElements": _scatter,
    "ScatterND": _scatter_nd,
    "Slice": _slice,
    "Split": _split,
    "Squeeze": _squeeze,
    "Tile": lambda package, case, x: package.tile(x[0], listed(x[1])),
    "Transpose": _transpose,
    "Trilu": _trilu,
    "Unique": _unique,
    "Unsqueeze": _unsqueeze,
    "Where": lambda package, case, x: package.where(*x),
}
"""The calls, by ONNX's operators."""


class Torch(Speller):
    """PyTorch's calls."""

    name = extra = "torch"
    spellings = _SPELLINGS

    def taken(self, array: Array) -> Any:
        """See Speller."""
        if array.dtype.hasobject:
            raise UnsupportedError("torch has no strings")
        if array.dtype.name == "bfloat16":
            return self.package.from_numpy(array.view(np.int16).copy()).view(self.package.bfloat16)
        return self.package.from_numpy(np.array(array))

    def given(self, made: Any) -> Array:
        """See Speller."""
        if made.dtype == self.package.bfloat16:
            return np.asarray(made.contiguous().view(self.package.int16).numpy()).view(dtypes.find("bfloat16").numpy)
        return np.asarray(made.numpy())


INSTALLED = Torch
