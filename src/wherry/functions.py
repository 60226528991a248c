"""Functions on arrays: gather (its general path), split, concat and copy; the number of threads.

Allowed arrays, and `out` after an error: docs/arrays.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wherry import _core, errors
from wherry.arguments import as_entries, as_int
from wherry.arrays.anywhere import as_array, as_indices
from wherry.engine.any_sizes import keep_for_any_sizes
from wherry.engine.call import CALLS_KEPT, apply, apply_again, check_out
from wherry.engine.out import into
from wherry.errors import InvalidTypeError, invalid
from wherry.moves.copy import copy_array
from wherry.ops import Concat, Gather, Split
from wherry.tensors import TensorType

Array = NDArray[Any]

_MOST_THREADS = 1024
"""The limit of the core."""


def gather_general(
    data: Any,
    indices: Any,
    axis: Any = 0,
    batch_dims: Any = 0,
    out_of_range: Any = "raise",
    negative: Any = "from_end",
    out: Any = None,
) -> Array:
    """Gather what the core's fast path does not: other kinds of arrays, Python objects, and wrong arguments."""
    with errors.subject("wherry.gather"):
        rule = Gather(axis, batch_dims, out_of_range, negative)
        arrays = [as_array(data, "data"), as_indices(indices)]
    return apply(rule, arrays, "wherry.gather", out)[0]


def split(
    data: ArrayLike, sections_or_sizes: int | Sequence[int], axis: int = 0, *, out: Sequence[Array] | None = None
) -> list[Array]:
    """Cut `data` along `axis` into views: a number of equal sections, or parts of the given sizes; nothing is copied.

    Sizes are a list with one entry for each part, and sum to the size of the axis; one may be -1, the remaining size.
    (numpy.split takes the positions of the cuts instead.) With `out`, a sequence with an array for each part, the parts
    are copied there, and these arrays are returned; an error leaves them as they were.

    Raises InvalidValueError for sections that do not divide the axis, sizes that do not sum to it, or a bad axis.
    Specification: ONNX Split-18, OpenVINO Split-1 and VariadicSplit-1, DirectML SPLIT.

    >>> import numpy as np
    >>> import wherry as wh
    >>> wh.split(np.arange(6), [2, 1, 3])
    [array([0, 1]), array([2]), array([3, 4, 5])]
    """
    plain = _core.split(data, sections_or_sizes, axis)  # faster than numpy.split; a call through an operator is not
    if plain is not None:
        return plain if out is None else into(plain, out, "wherry.split")
    with errors.subject("wherry.split"):
        array = as_array(data, "data")
        if isinstance(sections_or_sizes, Iterable):
            rule = Split(axis, sizes=sections_or_sizes)  # type: ignore[arg-type]
        else:
            rule = Split(
                axis,
                sections=as_int("sections_or_sizes", sections_or_sizes, "a number of sections, or a list of sizes"),
            )
        parts = split_views(rule, array)
    return into(parts, out, "wherry.split")


def split_views(rule: Split, array: Array) -> list[Array]:
    """Return the parts of `array` as views of it."""
    bounds = split_bounds(rule, array)  # which refuses a scalar
    return _core.parts(array, rule.axis % array.ndim, bounds)


def split_bounds(rule: Split, array: Array) -> list[int]:
    """Return where the parts of `array` begin and end along the axis."""
    parts = rule.infer([TensorType.of(array)])
    axis = rule.axis % array.ndim
    return [0, *accumulate(part.shape[axis] for part in parts)]


def _plain_source(src: Any, out: Any) -> Array | None:
    """Return `src` broadcast to `out` if both are plain NumPy arrays apart in memory; None if they need more checks."""
    if type(src) is not np.ndarray or type(out) is not np.ndarray or src.dtype.hasobject or src.dtype != out.dtype:
        return None
    flags = out.flags
    if not flags.forc or not flags.writeable or np.may_share_memory(src, out):
        return None
    return src if src.shape == out.shape else _core.broadcast(src, out.shape)


_CONCATS = _core.RecentCalls(CALLS_KEPT)


def concat(arrays: Sequence[ArrayLike], axis: int = 0, *, out: Array | None = None) -> Array:
    """Lay `arrays` end to end along `axis`, into a new array or into `out`; nothing is cast.

    All have one dtype, and equal sizes on other axes. `out` may have any strides that do not overlap themselves.

    Raises InvalidTypeError for mixed dtypes, InvalidValueError for wrong sizes; an error leaves `out` as it was.
    Specification: ONNX Concat-13, OpenVINO Concat-1, DirectML JOIN.

    >>> import numpy as np
    >>> import wherry as wh
    >>> wh.concat([np.array([1, 2]), np.array([3])])
    array([1, 2, 3])
    """
    call = (arrays, axis)
    found = _CONCATS.run(call, out)
    if found is not None:
        return found[0]
    with errors.subject("wherry.concat"):
        given = as_entries("arrays", arrays, "a sequence of arrays")
        inputs = [as_array(array, f"arrays[{number}]") for number, array in enumerate(given)]
        rule = Concat(axis)
    made = apply_again(_CONCATS, call, rule, inputs, "wherry.concat", out)[0]
    if out is None:
        keep_for_any_sizes(_CONCATS, call, rule, inputs, "wherry.concat", lambda: rule)
    return made


def copy(src: ArrayLike, out: Array) -> Array:
    """Copy every element of `src`, broadcast to the sizes of `out`, to the same coordinate of `out`; return `out`.

    Both may have any strides; the dtypes are equal, nothing is cast. If they share memory, the result is as if `src`
    had been copied first.

    Raises InvalidTypeError for another dtype, InvalidValueError for sizes that do not broadcast, a read-only `out`, or
    one that overlaps itself; an error leaves `out` as it was. Specification: DirectML ELEMENT_WISE_IDENTITY.

    >>> import numpy as np
    >>> import wherry as wh
    >>> wh.copy(np.array([1, 2, 3]), np.zeros((2, 3), dtype=int))
    array([[1, 2, 3],
           [1, 2, 3]])
    """
    plain = _plain_source(src, out)
    if plain is not None:
        _core.copy(plain, out)
        return out
    with errors.subject("wherry.copy"):
        source = as_array(src, "src")
        if not isinstance(out, np.ndarray):
            raise InvalidTypeError(f"out is a {type(out).__name__}, allowed a NumPy array")
        check_out(out, TensorType(out.dtype, out.shape), source.dtype)
        try:
            source = np.broadcast_to(source, out.shape)
        except ValueError:
            raise errors.InvalidValueError(
                f"src has sizes {list(source.shape)}, allowed sizes that broadcast to {list(out.shape)}, those of out"
            ) from None
    if np.may_share_memory(source, out):
        source = source.copy()
    copy_array(source, out)
    return out


def set_num_threads(n: int) -> None:
    """Let large moves use up to `n` threads; 0 restores the default (OMP_NUM_THREADS, or the number of cores).

    Raises InvalidTypeError unless `n` is an integer, InvalidValueError unless it is in 0..1024.
    """
    if isinstance(n, bool):
        raise InvalidTypeError(f"n is {n}, allowed a number of threads")
    number = as_int("n", n)
    if not 0 <= number <= _MOST_THREADS:
        raise invalid("n", number, f"0..{_MOST_THREADS}", "0 means as many as there are cores")
    _core.set_num_threads(number)


def get_num_threads() -> int:
    """Return how many threads a large move may use."""
    return _core.get_num_threads()
