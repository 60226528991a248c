"""NumPy: the calls that correspond to ONNX's operators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wherry.errors import UnsupportedError
from wherry.runtimes.case import Case
from wherry.runtimes.spelled import Array, Speller, Spelling, listed, options, sizes_of_parts, wanted


def _take(package: Any, case: Case, x: Sequence[Array]) -> Any:
    return package.take(x[0], x[1], options(case, axis=0)["axis"])


def _take_along(package: Any, case: Case, x: Sequence[Array]) -> Any:
    return package.take_along_axis(x[0], x[1], options(case, axis=0)["axis"])


def _gather_nd(package: Any, case: Case, x: Sequence[Array]) -> Any:
    wanted(case, batch_dims=0)
    return x[0][tuple(package.moveaxis(x[1], -1, 0))]


def _put_along(package: Any, case: Case, x: Sequence[Array]) -> Any:
    wanted(case, reduction="none")
    made = x[0].copy()
    package.put_along_axis(made, x[1], x[2], options(case, axis=0)["axis"])
    return made


_AT = {"add": "add", "mul": "multiply", "min": "minimum", "max": "maximum"}


def _scatter_nd(package: Any, case: Case, x: Sequence[Array]) -> Any:
    made, where = x[0].copy(), tuple(package.moveaxis(x[1], -1, 0))
    reduction = options(case, reduction="none")["reduction"]
    if reduction == "none":
        made[where] = x[2]
    else:
        getattr(package, _AT[reduction]).at(made, where, x[2])
    return made


def _slice(package: Any, case: Case, x: Sequence[Array]) -> Any:
    return x[0][tuple(slices(x))]


def slices(x: Sequence[Any]) -> list[slice]:
    """Return the ranges of a Slice as Python's; a negative axis and a clamped end are the same in both."""
    starts, ends = (listed(one) for one in x[1:3])
    axes = listed(x[3]) if len(x) > 3 else range(len(starts))
    steps = listed(x[4]) if len(x) > 4 else [1] * len(starts)
    found = [slice(None)] * x[0].ndim
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        found[axis] = slice(start, end, step)
    return found


def _split(package: Any, case: Case, x: Sequence[Array]) -> Any:
    axis = options(case, axis=0)["axis"]
    sizes = sizes_of_parts(case, x)
    return package.split(x[0], np.cumsum(sizes)[:-1] if isinstance(sizes, list) else sizes, axis)


_MODES = {"constant": "constant", "edge": "edge", "reflect": "reflect", "wrap": "wrap"}


def _pad(package: Any, case: Case, x: Sequence[Array]) -> Any:
    pads, ndim = listed(x[1]), x[0].ndim
    axes = [axis % ndim for axis in listed(x[3])] if len(x) > 3 else list(range(ndim))
    widths = [(0, 0)] * ndim
    for number, axis in enumerate(axes):
        widths[axis] = (pads[number], pads[number + len(axes)])
    mode = _MODES[options(case, mode="constant")["mode"]]
    value = {"constant_values": x[2]} if len(x) > 2 and mode == "constant" else {}
    return package.pad(x[0], widths, mode, **value)


def _one_hot(package: Any, case: Case, x: Sequence[Array]) -> Any:
    wanted(case, axis=-1)
    return package.where(package.arange(int(x[1].reshape(-1)[0])) == x[0][..., None], x[2][1], x[2][0])


def _unique(package: Any, case: Case, x: Sequence[Array]) -> Any:
    wanted(case, sorted=1)
    several = {"return_index": True, "return_inverse": True, "return_counts": True} if case.outputs > 1 else {}
    return package.unique(x[0], axis=options(case, axis=None)["axis"], **several)


def _trilu(package: Any, case: Case, x: Sequence[Array]) -> Any:
    call = package.triu if options(case, upper=1)["upper"] else package.tril
    return call(x[0], int(x[1]) if len(x) > 1 else 0)


def _cast(package: Any, case: Case, x: Sequence[Array]) -> Any:
    from onnx.helper import tensor_dtype_to_np_dtype

    to = tensor_dtype_to_np_dtype(case.attributes["to"])
    with np.errstate(all="ignore"):
        return x[0].astype(to)


def _compress(package: Any, case: Case, x: Sequence[Array]) -> Any:
    return package.compress(x[1], x[0], options(case, axis=None)["axis"])


def _squeeze(package: Any, case: Case, x: Sequence[Array]) -> Any:
    return package.squeeze(x[0], tuple(listed(x[1])) if len(x) > 1 else None)


_SPELLINGS: dict[str, Spelling] = {
    "Cast": _cast,
    "Compress": _compress,
    "Concat": lambda package, case, x: package.concatenate(x, case.attributes["axis"]),
    "Expand": lambda package, case, x: package.broadcast_to(
        x[0], package.broadcast_shapes(x[0].shape, tuple(listed(x[1])))
    ),
    "Gather": _take,
    "GatherElements": _take_along,
    "GatherND": _gather_nd,
    "NonZero": lambda package, case, x: package.array(package.nonzero(x[0])),
    "OneHot": _one_hot,
    "Pad": _pad,
    "Range": lambda package, case, x: package.arange(*(one[()] for one in x), dtype=x[0].dtype),
    "Reshape": lambda package, case, x: package.reshape(x[0], listed(x[1])),
    "ScatterElements": _put_along,
    "ScatterND": _scatter_nd,
    "Slice": _slice,
    "Split": _split,
    "Squeeze": _squeeze,
    "Tile": lambda package, case, x: package.tile(x[0], listed(x[1])),
    "Transpose": lambda package, case, x: package.transpose(x[0], case.attributes.get("perm")),
    "Trilu": _trilu,
    "Unique": _unique,
    "Unsqueeze": lambda package, case, x: package.expand_dims(x[0], tuple(listed(x[1]))),
    "Where": lambda package, case, x: package.where(*x),
}
"""The calls, by ONNX's operators."""


class NumPy(Speller):
    """NumPy itself."""

    name = "numpy"
    extra = "conform"
    spellings = _SPELLINGS

    def taken(self, array: Array) -> Array:
        """See Speller; strings are of NumPy's own type, as it computes on no other."""
        if array.dtype.hasobject:
            raise UnsupportedError("NumPy's calls treat Python's strings as any object")
        return array


INSTALLED = NumPy
