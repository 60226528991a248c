"""Running moves on NumPy arrays: by the C++ core, and by NumPy where elements are Python objects."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import _core, errors
from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError
from wherry.layout import Layout, reaches_twice
from wherry.moves import ComputeMove, CopyMove, FillMove, GatherMove, Move, Negative, OutOfRange
from wherry.ops.operator import Operator
from wherry.tensors import TensorType, View

Array = NDArray[Any]

_OUT_OF_RANGE = {rule: number for number, rule in enumerate(OutOfRange)}
_NEGATIVE = {rule: number for number, rule in enumerate(Negative)}


def memory_of(array: Array) -> Array:
    """Return the memory under an array as one vector, from the lowest element it reaches to the highest."""
    return _core.memory_of(array)


def array_over(memory: Array, layout: Layout) -> Array:
    """Return the array that `layout` describes over a vector of elements; never outside it."""
    return _core.view(memory, layout.sizes, layout.strides, layout.offset)


def run_moves(moves: Iterable[Move], memory: Mapping[str, Array]) -> None:
    """Run the moves in order over named vectors of elements."""

    def at(view: View) -> Array:
        return array_over(memory[view.buffer], view.layout)

    for move in moves:
        if isinstance(move, CopyMove):
            copy(at(move.source), at(move.target))
        elif isinstance(move, FillMove):
            target = at(move.target)
            _core.fill(target, np.frombuffer(move.value, target.dtype))
        elif isinstance(move, ComputeMove):
            copy(move.function(*map(at, move.sources)), at(move.target))
        else:
            gather(move, at(move.data), at(move.indices), at(move.target))


def copy(source: Array, target: Array) -> None:
    """Copy every element of `source` to `target`: equal sizes and element types, any strides, no shared memory."""
    if source.dtype.hasobject:
        target[...] = source
    else:
        _core.copy(source, target)


def gather(move: GatherMove, data: Array, indices: Array, target: Array) -> None:
    """Run one gather. Raises IndexOutOfRangeError, before anything is written, where its rule is to raise."""
    if not (indices.dtype.isnative and indices.flags.aligned):
        indices = indices.astype(indices.dtype.newbyteorder("="))
    if data.dtype.hasobject:
        bad = _gather_objects(move, data, indices, target)
    else:
        rules = _OUT_OF_RANGE[move.out_of_range], _NEGATIVE[move.negative]
        bad = _core.gather_into(data, indices, target, move.axis, move.batch_dims, *rules)
    if bad is not None:
        raise _index_error(move, indices.shape, data.shape[move.axis], *bad)


def _index_error(move: GatherMove, shape: Sequence[int], size: int, position: int, value: int) -> IndexOutOfRangeError:
    place = ", ".join(str(int(coord)) for coord in np.unravel_index(position, shape)) if shape else ""
    lowest = -size if move.negative is Negative.FROM_END else 0
    allowed = f"{lowest}..{size - 1}" if size else "none"
    return IndexOutOfRangeError(
        f"indices{f'[{place}]' if place else ''} is {value}, allowed {allowed} "
        f"(axis {move.axis} of data has size {size}); correct the index, or choose a rule that does not raise",
        move.subject,
    )


def _gather_objects(move: GatherMove, data: Array, indices: Array, target: Array) -> tuple[int, int] | None:
    """The gather of elements that are Python objects, by NumPy's own indexing."""
    size = data.shape[move.axis]
    if move.out_of_range is OutOfRange.RAISE:
        bad = _core.check_indices(indices, size, _NEGATIVE[move.negative])
        if bad is not None:
            return bad
    places, outside = _resolved(indices, size, move)
    batch, picked = move.batch_dims, indices.ndim - move.batch_dims
    spread = indices.shape[:batch] + (1,) * (move.axis - batch) + indices.shape[batch:]
    spread += (1,) * (data.ndim - move.axis - 1)
    if size == 0:
        target[...] = zero_object(data)
        return None
    grid: list[Array] = []
    for axis, length in enumerate(data.shape):
        at = axis if axis < move.axis else axis - 1 + picked
        grid.append(np.arange(length).reshape((-1,) + (1,) * (target.ndim - at - 1)))
    grid[move.axis] = places.reshape(spread)
    target[...] = data[tuple(grid)]
    if outside.any():
        target[np.broadcast_to(outside.reshape(spread), target.shape)] = zero_object(data)
    return None


def _resolved(indices: Array, size: int, move: GatherMove) -> tuple[Array, Array]:
    """Return positions inside the axis, and where zero belongs instead of what lies there."""
    if move.out_of_range is OutOfRange.WRAP and size:
        wrapped = np.mod(indices, np.array(size, np.uint64 if indices.dtype.kind == "u" else np.int64))
        return wrapped.astype(np.int64), np.zeros(indices.shape, bool)
    if indices.dtype.kind == "u":
        values = np.minimum(indices, np.uint64(size)).astype(np.int64)
    else:
        values = indices.astype(np.int64)
        if move.negative is Negative.FROM_END:
            values = np.where(values < 0, values + size, values)
    outside = (values < 0) | (values >= size)
    inside = np.clip(values, 0, max(size - 1, 0))
    return inside, outside & (move.out_of_range is OutOfRange.ZERO)


def zero_object(data: Array) -> object:
    """Return the zero of an array of Python objects: what the type of its first element makes of nothing."""
    if data.size == 0:
        return ""
    return type(data.flat[0])()


def apply(operator: Operator, inputs: Sequence[Array], subject: str, out: Array | None = None) -> tuple[Array, ...]:
    """Run one operator now; return its outputs in row-major memory, or write its only output to `out`.

    `out` may have any strides that do not overlap themselves; if it shares memory with an input, the result goes
    through a temporary. Whatever is refused leaves `out` as it was.
    """
    with errors.subject(subject):
        types = operator.infer([TensorType.of(array) for array in inputs])
        if out is not None:
            check_out(out, types[0], types[0].numpy)
    if out is None or any(np.may_share_memory(out, array) for array in inputs):
        outputs = tuple(np.empty(kind.shape, kind.numpy) for kind in types)
    else:
        outputs = (out,)
    sources = [array if _has_layout(array) else array.copy() for array in inputs]
    targets = [array if _has_layout(array) else np.empty(array.shape, array.dtype) for array in outputs]
    names = {f"in{n}": array for n, array in enumerate(sources)} | {f"out{n}": array for n, array in enumerate(targets)}
    views = {name: View(name, array.dtype, Layout.of(array)) for name, array in names.items()}
    ins, outs = ([view for name, view in views.items() if name.startswith(kind)] for kind in ("in", "out"))
    run_moves(operator.lower(ins, outs, subject), {name: memory_of(array) for name, array in names.items()})
    for target, output in zip(targets, outputs, strict=True):
        if target is not output:
            output[...] = target
    if out is not None and outputs[0] is not out:
        copy(outputs[0], out)
    return outputs if out is None else (out,)


def _has_layout(array: Array) -> bool:
    return all(stride % array.itemsize == 0 for stride in array.strides)


def check_out(out: object, expected: TensorType, dtype: np.dtype[Any]) -> None:
    """Refuse an `out` that cannot take the result: wrong kind, sizes, type, read-only, or overlapping itself."""
    if not isinstance(out, np.ndarray):
        raise InvalidTypeError(f"out is a {type(out).__name__}, allowed a NumPy array")
    if out.shape != expected.shape:
        raise InvalidValueError(f"out has sizes {list(out.shape)}, allowed {list(expected.shape)}, those of the result")
    if out.dtype != dtype:
        raise InvalidTypeError(f"out has dtype {out.dtype}, allowed {dtype}, that of the data; nothing is cast")
    if not out.flags.writeable:
        raise InvalidValueError("out is read-only, allowed a writable array")
    if reaches_twice((*out.shape, out.itemsize), (*out.strides, 1)):
        raise InvalidValueError(f"out has byte strides {out.strides}, allowed strides that do not overlap themselves")


def nbytes_of(moves: Iterable[Move]) -> int:
    """Return the bytes that the moves write: the least that any execution of them must move."""
    return sum(math.prod(view.layout.sizes) * view.dtype.itemsize for view in (move.target for move in moves))
