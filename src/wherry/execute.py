"""Running moves on NumPy arrays: by the C++ core, and by NumPy where elements are Python objects."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import _core, dtypes, errors, limits
from wherry.arrays import plain
from wherry.errors import IndexOutOfRangeError, IndexOutOfRangeWarning, InvalidTypeError, InvalidValueError
from wherry.layout import LIMIT, Layout, reaches_twice
from wherry.moves import (
    ARITHMETIC,
    AddMove,
    CheckMove,
    ComputeMove,
    ConvertMove,
    CopyMove,
    DiagonalsMove,
    DistinctMove,
    FillMove,
    GatherMove,
    Move,
    NanRule,
    Negative,
    OutOfRange,
    OutOfRangeWrite,
    RangeMove,
    Reduction,
    ScatterMove,
    SelectMove,
)
from wherry.ops.operator import Operator
from wherry.tensors import TensorType, View, zero_object

Array = NDArray[Any]

OUT_OF_RANGE_NUMBER = {rule: number for number, rule in enumerate(OutOfRange)}
NEGATIVE_NUMBER = {rule: number for number, rule in enumerate(Negative)}
OUT_OF_RANGE_WRITE_NUMBER = {rule: number for number, rule in enumerate(OutOfRangeWrite)}
OUT_OF_RANGE_WRITE_NUMBER[OutOfRangeWrite.REPORT] = OUT_OF_RANGE_WRITE_NUMBER[OutOfRangeWrite.SKIP]
REDUCTION_NUMBER = {rule: number for number, rule in enumerate(Reduction)}
NAN_NUMBER = {rule: number for number, rule in enumerate(NanRule)}
ELEMENT_NUMBER = {dtypes.find(name).numpy: number for number, name in enumerate(ARITHMETIC)}


def memory_of(array: Array) -> Array:
    """Return the memory under an array as one vector, from the lowest element it reaches to the highest."""
    return _core.memory_of(array)


def array_over(memory: Array, layout: Layout) -> Array:
    """Return the array that `layout` describes over a vector of elements; never outside it."""
    return _core.view(memory, layout.sizes, layout.strides, layout.offset)


def run_moves(moves: Iterable[Move], memory: Mapping[str, Array]) -> None:
    """Run the moves in order over named vectors of elements."""
    for move in moves:
        _RUN[type(move)](move, memory)


def _at(view: View, memory: Mapping[str, Array]) -> Array:
    return array_over(memory[view.buffer], view.layout)


def _indices_at(view: View, memory: Mapping[str, Array]) -> Array:
    """Return indices in the machine's byte order, those of 2 and 4 bits as bytes: what the core reads."""
    vector = memory[view.buffer]
    row = dtypes.of(vector.dtype)
    dtype = np.dtype(np.int8) if row is not None and row.bits < 8 else vector.dtype.newbyteorder("=")
    return array_over(vector.astype(dtype, copy=False), view.layout)


def _copy_move(move: CopyMove, memory: Mapping[str, Array]) -> None:
    copy(_at(move.source, memory), _at(move.target, memory))


def _fill_move(move: FillMove, memory: Mapping[str, Array]) -> None:
    target = _at(move.target, memory)
    _core.fill(target, np.frombuffer(move.value, target.dtype))


def _compute_move(move: ComputeMove, memory: Mapping[str, Array]) -> None:
    sources, target = [_at(source, memory) for source in move.sources], _at(move.target, memory)
    if move.writes:
        move.function(*sources, target)
        return
    result = move.function(*sources)
    if result is None:
        raise TypeError(f"the function of the move {move.name!r} returns nothing; only one that writes may")
    copy(result, target)


def copy(source: Array, target: Array) -> None:
    """Copy every element of `source` to `target`: equal sizes and element types, any strides, no shared memory."""
    if source.dtype.hasobject:
        target[...] = source
    else:
        _core.copy(source, target)


def _select_move(move: SelectMove, memory: Mapping[str, Array]) -> None:
    condition, x, y, target = (_at(view, memory) for view in move.views)
    if target.dtype.hasobject:
        target[...] = np.where(condition, x, y)
    else:
        _core.select(condition, x, y, target)


def _convert_move(move: ConvertMove, memory: Mapping[str, Array]) -> None:
    source, target = (_at(view, memory) for view in move.views)
    _core.convert(source, target, ELEMENT_NUMBER[move.source.dtype], ELEMENT_NUMBER[move.target.dtype])


def _add_move(move: AddMove, memory: Mapping[str, Array]) -> None:
    target = _at(move.target, memory)
    source = None if move.source is None else _at(move.source, memory)
    _core.add(target, source, ELEMENT_NUMBER[target.dtype])


def _diagonals_move(move: DiagonalsMove, memory: Mapping[str, Array]) -> None:
    source, target = None if move.source is None else _at(move.source, memory), _at(move.target, memory)
    value = np.frombuffer(move.value, target.dtype)
    _core.fill_diagonals(target, source, value, move.begin, move.end, move.inverted)


def _range_move(move: RangeMove, memory: Mapping[str, Array]) -> None:
    target = _at(move.target, memory)
    _core.sequence(target, move.start, move.delta, ELEMENT_NUMBER[target.dtype])


def _check_move(move: CheckMove, memory: Mapping[str, Array]) -> None:
    """Refuse the first bad index in row-major order, or warn of it."""
    indices = _indices_at(move.indices, memory)
    columns = [indices[..., column] for column in range(len(move.sizes))] if move.tuples else [indices]
    found = []
    for column, (values, size) in enumerate(zip(columns, move.sizes, strict=True)):
        bad = _core.check_indices(values, size, NEGATIVE_NUMBER[move.negative])
        if bad is not None:
            found.append((bad[0] * len(columns) + column, column, bad[1]))
    if not found:
        return
    position, column, value = min(found)
    text = _index_text(move, indices.shape, position, column, value)
    if not move.warns:
        raise IndexOutOfRangeError(f"{text}; correct the index, or choose a rule that does not raise", move.subject)
    warnings.warn(f"{move.subject}: {text}; it was left out", IndexOutOfRangeWarning, stacklevel=2)


def _index_text(move: CheckMove, shape: Sequence[int], position: int, column: int, value: int) -> str:
    size = move.sizes[column]
    lowest = -size if move.negative is Negative.FROM_END else 0
    allowed = "none" if size == 0 else f"{lowest} and more" if size == LIMIT else f"{lowest}..{size - 1}"
    return f"{_element('indices', shape, position)} is {value}, allowed {allowed} ({move.reasons[column]})"


def _element(name: str, shape: Sequence[int], position: int) -> str:
    """Return how a message calls one element of a tensor, given its place in row-major order."""
    return f"{name}[{', '.join(str(int(at)) for at in np.unravel_index(position, shape))}]" if shape else name


def _gather_move(move: GatherMove, memory: Mapping[str, Array]) -> None:
    data, indices, target = (_at(move.data, memory), _indices_at(move.indices, memory), _at(move.target, memory))
    if data.dtype.hasobject:
        _gather_objects(move, data, indices, memory)
    else:
        _core.gather_into(data, indices, target, OUT_OF_RANGE_NUMBER[move.out_of_range], NEGATIVE_NUMBER[move.negative])


def _gather_objects(move: GatherMove, data: Array, indices: Array, memory: Mapping[str, Array]) -> None:
    """The gather of elements that are Python objects: their places by the core, themselves by NumPy."""
    target = _at(move.target, memory)
    if data.size == 0:
        target[...] = zero_object(data)
        return
    places = _places(move.data, indices, OUT_OF_RANGE_NUMBER[move.out_of_range], move.negative).ravel()
    picked = memory[move.data.buffer][np.maximum(places, 0)]
    picked[places < 0] = zero_object(data)
    target[...] = picked.reshape(target.shape)


def _places(view: View, indices: Array, out_of_range: int, negative: Negative) -> Array:
    """Return for each c the place in its buffer of the element `view[c ++ indices[c]]`, or -1 where there is none."""
    layout = view.layout
    marks = array_over(np.arange(1, layout.extent + 1), layout)
    if indices.shape[-1] == 0:
        return marks - 1
    places = np.empty(indices.shape[:-1], np.int64)
    rule = (
        OUT_OF_RANGE_NUMBER[OutOfRange.ZERO] if out_of_range == OUT_OF_RANGE_NUMBER[OutOfRange.RAISE] else out_of_range
    )
    _core.gather_into(marks, indices, places, rule, NEGATIVE_NUMBER[negative])
    return places - 1


def _scatter_move(move: ScatterMove, memory: Mapping[str, Array]) -> None:
    updates, indices = _at(move.updates, memory), _advanced(move, _indices_at(move.indices, memory))
    if updates.dtype.hasobject:
        places = _places(move.target, indices, OUT_OF_RANGE_WRITE_NUMBER[move.out_of_range], move.negative)
        inside = places >= 0
        memory[move.target.buffer][places[inside]] = updates[inside]  # NumPy keeps the last of several
        return
    target = _at(move.target, memory)
    if move.reduction is not Reduction.NONE and not move.use_init_val:
        start = np.broadcast_to(_neutral(move.reduction, target.dtype), updates.shape)
        _scatter(move, target, indices, start, Reduction.NONE)
    if move.reduction is Reduction.MEAN:
        _scatter_mean(move, indices, updates, memory)
    else:
        _scatter(move, target, indices, updates, move.reduction)


def _scatter(move: ScatterMove, target: Array, indices: Array, updates: Array, reduction: Reduction) -> None:
    element = ELEMENT_NUMBER.get(target.dtype, -1)
    rules = OUT_OF_RANGE_WRITE_NUMBER[move.out_of_range], NEGATIVE_NUMBER[move.negative], element, NAN_NUMBER[move.nan]
    _core.scatter_into(target, indices, updates, REDUCTION_NUMBER[reduction], *rules)


def _scatter_mean(move: ScatterMove, indices: Array, updates: Array, memory: Mapping[str, Array]) -> None:
    """Sum up, count, divide: the one scatter that needs memory beside the output, a count for each place in it."""
    vector = memory[move.target.buffer][: move.target.layout.extent]
    counts = np.zeros(vector.shape, np.int64)
    one = np.broadcast_to(np.int64(1), updates.shape)
    _scatter(move, array_over(counts, move.target.layout), indices, one, Reduction.ADD)
    _scatter(move, array_over(vector, move.target.layout), indices, updates, Reduction.ADD)
    touched = np.flatnonzero(counts)
    vector[touched] = _quotient(vector[touched], counts[touched] + int(move.use_init_val))


def _quotient(sums: Array, counts: Array) -> Array:
    """Return sums divided by counts, rounded down for integers and once, to the element type, for floats."""
    if sums.dtype.kind in "iu":
        wide = np.uint64 if sums.dtype.kind == "u" else np.int64
        return np.asarray((sums.astype(wide) // counts.astype(wide)).astype(sums.dtype))
    with np.errstate(all="ignore"):
        return np.asarray((sums.astype(np.float64) / counts).astype(sums.dtype))


def _neutral(reduction: Reduction, dtype: np.dtype[Any]) -> Array:
    """Return the value that a reduction starts from if the data takes no part."""
    if reduction not in (Reduction.MIN, Reduction.MAX):
        return np.array(1 if reduction is Reduction.MUL else 0).astype(dtype)
    lowest = reduction is Reduction.MAX
    if dtype.kind == "b":
        return np.array(not lowest)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return np.array(limits.min if lowest else limits.max, dtype)
    return np.array(-np.inf if lowest else np.inf).astype(dtype)


def _advanced(move: ScatterMove | DistinctMove, indices: Array) -> Array:
    """Return the indices with the coordinate of one axis added, in the range of that axis so that nothing overflows."""
    if move.advance is None:
        return indices
    layout = move.target.layout if move.target is not None else move.target_of_scatter.layout
    size, ndim = layout.sizes[-1], indices.ndim
    if indices.size == 0:
        return indices
    once = tuple(
        slice(0, 1) if stride == 0 and axis != move.advance else slice(None)
        for axis, stride in enumerate(indices.strides)
    )
    steps = np.arange(indices.shape[move.advance]).reshape((-1,) + (1,) * (ndim - move.advance - 1))
    return np.broadcast_to((indices[once].astype(np.int64) % size + steps) % size, indices.shape)


def _distinct_move(move: DistinctMove, memory: Mapping[str, Array]) -> None:
    """Refuse two updates for one element."""
    indices = _advanced(move, _indices_at(move.indices, memory))
    places = _places(move.target_of_scatter, indices, OUT_OF_RANGE_WRITE_NUMBER[move.out_of_range], move.negative)
    flat = places.ravel()
    order = np.argsort(flat, kind="stable")
    again = order[1:][(flat[order][1:] == flat[order][:-1]) & (flat[order][1:] >= 0)]
    if not again.size:
        return
    second = int(again.min())
    first = int(np.flatnonzero(flat == flat[second])[0])
    raise InvalidValueError(
        f"{_element('updates', move.sizes, first)} and {_element('updates', move.sizes, second)} go to one element, "
        f"allowed one update for each; remove one, or let the last one win",
        move.subject,
    )


_RUN: dict[type[Move], Callable[[Any, Mapping[str, Array]], None]] = {
    AddMove: _add_move,
    CheckMove: _check_move,
    ComputeMove: _compute_move,
    ConvertMove: _convert_move,
    CopyMove: _copy_move,
    DiagonalsMove: _diagonals_move,
    DistinctMove: _distinct_move,
    FillMove: _fill_move,
    GatherMove: _gather_move,
    ScatterMove: _scatter_move,
    SelectMove: _select_move,
    RangeMove: _range_move,
}


def apply(operator: Operator, inputs: Sequence[Array], subject: str, out: Array | None = None) -> tuple[Array, ...]:
    """Run one operator now; return its outputs in row-major memory, or write its only output to `out`.

    `out` may have any strides that do not overlap themselves; if it shares memory with an input, the result goes
    through a temporary. Whatever is refused leaves `out` as it was.
    """
    found = _run_again(operator, inputs, out) if operator.equal_is_same and limits.are_default() else None
    if found is not None:
        return found
    with errors.subject(subject):
        types = operator.infer([TensorType.of(array) for array in inputs])
        if out is not None:
            check_out(out, types[0], types[0].numpy)
        _check_results(types, inputs)
    if out is None or any(np.may_share_memory(out, array) for array in (*inputs, *operator.arrays)):
        outputs = tuple(limits.new_array(kind.shape, kind.numpy) for kind in types)
    else:
        outputs = (out,)
    sources = [array if _has_layout(array) else array.copy() for array in inputs]
    targets = [array if _has_layout(array) else np.empty(array.shape, array.dtype) for array in outputs]
    names = {f"in{n}": array for n, array in enumerate(sources)} | {f"out{n}": array for n, array in enumerate(targets)}
    views = {name: View(name, array.dtype, Layout.of(array)) for name, array in names.items()}
    ins, outs = ([view for name, view in views.items() if name.startswith(kind)] for kind in ("in", "out"))
    moves = list(operator.lower(ins, outs, subject))
    with errors.subject(subject):
        _check_moves(moves, inputs)
    run_moves(moves, {name: memory_of(array) for name, array in names.items()})
    for target, output in zip(targets, outputs, strict=True):
        if target is not output:
            output[...] = target
    if out is not None and outputs[0] is not out:
        copy(outputs[0], out)
    return outputs if out is None else (out,)


def _check_results(types: Iterable[TensorType], inputs: Iterable[Array]) -> None:
    """Refuse results that are larger than a function may make of these inputs."""
    _check_bytes(sum(kind.nbytes for kind in types), "the results", inputs)


def _check_moves(moves: Iterable[Move], inputs: Iterable[Array]) -> None:
    """Refuse moves that write more, such as updates that repeat few bytes of memory: they would never end."""
    _check_bytes(max((move.bytes_written for move in moves), default=0), "the elements to write", inputs)


def _check_bytes(needed: int, what: str, inputs: Iterable[Array]) -> None:
    if not limits.is_small(needed):
        limits.check_bytes(needed, what, sum(map(limits.memory_nbytes, inputs)), of_function=True)


_PROGRAMS_KEPT = 256
_programs: dict[object, _core.Program | bool] = {}  # True: seen once; False: there can be none


def _run_again(operator: Operator, inputs: Sequence[Array], out: Array | None) -> tuple[Array, ...] | None:
    """Run the program that was made when an operator came with such arrays for the second time; None before.

    None also for what a program does not run: objects, arrays that share memory, a bad index. It words no errors.
    """
    if out is not None and type(out) is not np.ndarray:
        return None
    arrays = {f"in{number}": array for number, array in enumerate(inputs)}
    results = None if out is None else {"out0": out}
    kinds = [(array.dtype, array.shape, array.strides) for array in inputs]
    key = (operator, *kinds, None if out is None else (out.dtype, out.shape, out.strides))
    program = _programs.get(key)
    if program is None:
        if len(_programs) >= _PROGRAMS_KEPT:
            _programs.clear()
        _programs[key] = True
        return None
    if program is True:
        program = _programs[key] = _program(operator, arrays, out) or False
    found = program.run(arrays, results) if isinstance(program, _core.Program) else None
    return None if found is None else tuple(found.values())


def _program(operator: Operator, inputs: Mapping[str, Array], out: Array | None) -> _core.Program | None:
    """Return the program of one operator on arrays like these; None for what is refused, or needs Python."""
    from wherry.plan import Plan

    try:
        types = operator.infer([TensorType.of(array) for array in inputs.values()])
        if out is not None:
            check_out(out, types[0], types[0].numpy)
        ins = {name: View(name, array.dtype, Layout.of(array)) for name, array in inputs.items()}
        layouts = [Layout(kind.shape) for kind in types] if out is None else [Layout.of(out)]
        outs = {
            f"out{number}": View(f"out{number}", kind.numpy, layout)
            for number, (kind, layout) in enumerate(zip(types, layouts, strict=True))
        }
        _check_results(types, inputs.values())
        moves = tuple(operator.lower(list(ins.values()), list(outs.values()), ""))
        _check_moves(moves, inputs.values())
    except errors.WherryError:
        return None
    return Plan(moves, ins, outs, {}, {}).program


def _has_layout(array: Array) -> bool:
    return all(stride % array.itemsize == 0 for stride in array.strides)


def check_out(out: object, expected: TensorType, dtype: np.dtype[Any]) -> None:
    """Refuse an `out` that cannot take the result: wrong kind, sizes, type, read-only, or overlapping itself."""
    if not isinstance(out, np.ndarray):
        raise InvalidTypeError(f"out is a {type(out).__name__}, allowed a NumPy array")
    plain(out, "out")
    if out.shape != expected.shape:
        raise InvalidValueError(f"out has sizes {list(out.shape)}, allowed {list(expected.shape)}, those of the result")
    if out.dtype != dtype:
        raise InvalidTypeError(f"out has dtype {out.dtype}, allowed {dtype}, that of the data; nothing is cast")
    if not out.flags.writeable:
        raise InvalidValueError("out is read-only, allowed a writable array")
    if reaches_twice((*out.shape, out.itemsize), (*out.strides, 1)):
        raise InvalidValueError(f"out has byte strides {out.strides}, allowed strides that do not overlap themselves")
