"""Elements that are no numbers beside NumPy: objects, strings and records, by each kind of move, in this process.

Both make new results, take turns, and must agree; a time is that of the fastest turn.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import wherry as wh
from wherry import dtypes
from wherry.engine.planner import make_plan
from wherry.ops import GatherElements, Reverse, ScatterElements, Slice, Tile, Transpose, Where
from wherry.ops.operator import Operator

from .case import Array, Call
from .models.timing import fastest
from .ours import graph_of

SIZES = (1_000, 300_000)
"""How many elements the rows have: within the caches, and beyond them."""

_RECORDS = {
    "record of 3": "u1,u1,u1",
    "record of 12": "f4,f4,f4",
    "record of 24": "f8,f8,f8",
    "record of 40": "f8,f8,f8,f8,f8",
    "record with an object": "i8,O",
}


def _objects(count: int) -> Array:
    return np.array([float(number) for number in range(count)], object)


def _shuffled(count: int) -> Array:
    """Objects that do not lie in memory in the order of the array."""
    return np.asarray(np.random.default_rng(3).permutation(_objects(count)))


def _text(count: int, dtype: Any, form: str) -> Array:
    return np.array([form.format(number % 5000) for number in range(count)], dtype)


def _records(fields: str) -> Callable[[int], Array]:
    def make(count: int) -> Array:
        found = np.zeros(count, fields)
        for name in found.dtype.names or ():
            is_object = found.dtype[name].hasobject
            found[name] = _objects(count) if is_object else np.arange(count) % 251
        return found

    return make


KINDS: dict[str, Callable[[int], Array]] = {
    "object": _objects,
    "object, shuffled": _shuffled,
    "object, few": lambda count: _objects(16)[np.arange(count) % 16],
    "object, strings": lambda count: _text(count, object, "{:08d}"),
    "U8": lambda count: _text(count, "U8", "{:08d}"),
    "U40": lambda count: _text(count, "U40", "{:040d}"),
    "S16": lambda count: _text(count, "S16", "{:016d}"),
    "StringDType, short": lambda count: _text(count, np.dtypes.StringDType(), "{:08d}"),
    "StringDType, long": lambda count: _text(count, np.dtypes.StringDType(), "{:040d}"),
    **{name: _records(fields) for name, fields in _RECORDS.items()},
}
"""Makes so many elements of a kind."""

Move = Callable[[Array], tuple[Call, Call]]


def _planned(operator: Operator, *inputs: Array) -> Call:
    given = {f"in{number}": array for number, array in enumerate(inputs)}
    plan = make_plan(graph_of([(operator, list(given), ["out"])], given, 1), given)
    return lambda: plan.run(given)["out"]


def _gather(data: Array) -> tuple[Call, Call]:
    indices = np.random.default_rng(1).integers(0, data.size, data.size)
    vector = data.reshape(-1)
    return lambda: wh.gather(vector, indices), lambda: vector.take(indices)


def _gather_rows(data: Array) -> tuple[Call, Call]:
    indices = np.random.default_rng(1).integers(0, len(data), len(data))
    return lambda: wh.gather(data, indices), lambda: data.take(indices, 0)


def _along(data: Array) -> tuple[Call, Call]:
    indices = np.random.default_rng(1).integers(0, data.shape[1], data.shape)
    return _planned(GatherElements(1), data, indices), lambda: np.take_along_axis(data, indices, 1)


def _slice(data: Array) -> tuple[Call, Call]:
    return _planned(Slice((0, 1), data.shape, None, (2, 3)), data), lambda: np.array(data[::2, 1::3])


def _concat(data: Array) -> tuple[Call, Call]:
    return lambda: wh.concat([data, data], 1), lambda: np.concatenate([data, data], 1)


def _transpose(data: Array) -> tuple[Call, Call]:
    return _planned(Transpose((1, 0)), data), lambda: data.T.copy(order="C")


def _reverse(data: Array) -> tuple[Call, Call]:
    return _planned(Reverse((1,)), data), lambda: np.array(data[:, ::-1], order="C")


def _tile(data: Array) -> tuple[Call, Call]:
    return _planned(Tile((2, 2)), data), lambda: np.tile(data, (2, 2))


def _where(data: Array) -> tuple[Call, Call]:
    chosen = np.random.default_rng(1).integers(0, 2, data.shape).astype(bool)
    other = data[::-1].copy()
    return _planned(Where(), chosen, data, other), lambda: np.where(chosen, data, other)


def _scatter(data: Array) -> tuple[Call, Call]:
    indices = np.stack([np.random.default_rng(row).permutation(data.shape[1]) for row in range(len(data))])
    updates = data[::-1].copy()

    def by_numpy() -> Array:
        made = data.copy()
        np.put_along_axis(made, indices, updates, 1)
        return made

    return _planned(ScatterElements(axis=1), data, indices, updates), by_numpy


def _unique(data: Array) -> tuple[Call, Call]:
    vector = data.reshape(-1)
    return lambda: wh.onnx.unique(vector).Y, lambda: np.unique(vector, True, True, True)[0]


MOVES: dict[str, Move] = {
    "gather": _gather,
    "gather rows": _gather_rows,
    "take along axis": _along,
    "slice": _slice,
    "concat": _concat,
    "transpose": _transpose,
    "reverse": _reverse,
    "tile": _tile,
    "where": _where,
    "scatter": _scatter,
    "unique": _unique,
}


def _has_order(data: Array) -> bool:
    """Whether a model can have such elements: of objects, strings alone."""
    return dtypes.of(data.dtype) is not None and (data.dtype.kind != "O" or isinstance(data.flat[0], str))


def ratio(kind: str, move: str, count: int) -> float | None:
    """How many times faster wherry is than NumPy; None where no dialect orders such elements."""
    side = math.isqrt(count)
    data = KINDS[kind](side * side).reshape(side, side)
    if move == "unique" and not _has_order(data):
        return None
    ours, theirs = MOVES[move](data)
    if not np.array_equal(ours(), theirs()):
        raise SystemExit(f"{move} of {kind}: wherry's result is another than NumPy's")
    own, other = fastest(ours, theirs)
    return other / own


def lines(pattern: str = "", sizes: Sequence[int] = SIZES) -> Iterator[str]:
    """The table, a row for each kind, and its summary."""
    yield f"| elements | of | {' | '.join(MOVES)} |"
    yield f"| --- | ---: |{' ---: |' * len(MOVES)}"
    found: list[float] = []
    for kind in [kind for kind in KINDS if pattern in kind]:
        for count in sizes:
            ratios = [ratio(kind, move, count) for move in MOVES]
            found += [each for each in ratios if each is not None]
            yield f"| {kind} | {count} | {' | '.join('' if r is None else f'{r:.2f}' for r in ratios)} |"
    if found:
        yield ""
        yield (
            f"{len(found)} figures: least {min(found):.2f}, geometric mean {statistics.geometric_mean(found):.2f}, "
            f"behind NumPy in {sum(each < 1 for each in found)}"
        )
