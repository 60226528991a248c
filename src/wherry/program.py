"""Programs: the moves of a plan handed to the core at once, so that a run costs one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from wherry import _core
from wherry.execute import (
    ELEMENT_NUMBER,
    NAN_NUMBER,
    NEGATIVE_NUMBER,
    OUT_OF_RANGE_NUMBER,
    OUT_OF_RANGE_WRITE_NUMBER,
    REDUCTION_NUMBER,
)
from wherry.moves import (
    AddMove,
    CheckMove,
    ConvertMove,
    CopyMove,
    DiagonalsMove,
    FillMove,
    GatherMove,
    Move,
    RangeMove,
    Reduction,
    ScatterMove,
    SelectMove,
)
from wherry.tensors import View

if TYPE_CHECKING:
    from wherry.plan import Plan

_MOST_BUFFERS = 64

Step = tuple[Any, ...]


def program_of(plan: Plan) -> _core.Program | None:
    """Return the program that runs a plan, or None if a move needs Python: objects, arithmetic by NumPy, warnings."""
    groups = [
        [view.buffer for view in plan.inputs.values()],
        [view.buffer for view in plan.outputs.values()],
        list(plan.temporaries),
        list(plan.constants),
    ]
    names = [name for group in groups for name in group]
    moves = plan.moves
    if len(names) > _MOST_BUFFERS or not all(map(_runs_in_core, moves)):
        return None
    if not all(_begins_at_its_lowest(view) for view in plan.outputs.values()):
        return None
    numbers = {name: number for number, name in enumerate(names)}
    steps = [step for move in moves for step in _STEPS[type(move)](move, numbers)]
    return _core.Program(
        [_array(name, view) for name, view in plan.inputs.items()],
        [_array(name, view) for name, view in plan.outputs.items()],
        [view.layout.extent * view.dtype.itemsize for view in plan.temporaries.values()],
        list(plan.constants.values()),
        steps,
    )


def _begins_at_its_lowest(view: View) -> bool:
    """Whether the offset is as low as the strides allow: that of an array, counted from its lowest element."""
    layout = view.layout
    spans = [(size - 1) * stride for size, stride in zip(layout.sizes, layout.strides, strict=True)]
    return layout.offset == (0 if 0 in layout.sizes else -sum(span for span in spans if span < 0))


def _runs_in_core(move: Move) -> bool:
    if any(view.dtype.hasobject or view.dtype.itemsize == 0 for view in move.views):
        return False
    if isinstance(move, (GatherMove, ScatterMove, CheckMove)):
        dtype = move.indices.dtype
        if dtype.kind not in "iu" or not dtype.isnative:
            return False  # the core reads neither the other byte order nor integers of 4 bits
    if isinstance(move, ScatterMove):
        return move.advance is None and move.use_init_val and move.reduction is not Reduction.MEAN
    if isinstance(move, CheckMove):
        return not move.warns
    return isinstance(
        move, (AddMove, ConvertMove, CopyMove, DiagonalsMove, FillMove, GatherMove, SelectMove, RangeMove)
    )


def _array(name: str, view: View) -> Step:
    width, layout = view.dtype.itemsize, view.layout
    strides = [stride * width for stride in layout.strides]
    return (name, view.dtype, list(layout.sizes), strides, layout.offset * width, layout.extent * width)


def _place(view: View, numbers: Mapping[str, int]) -> Step:
    width, layout = view.dtype.itemsize, view.layout
    return (numbers[view.buffer], layout.offset * width, list(layout.sizes), [s * width for s in layout.strides])


def _copy(move: CopyMove, numbers: Mapping[str, int]) -> list[Step]:
    return [("copy", _place(move.target, numbers), _place(move.source, numbers), move.target.dtype.itemsize)]


def _fill(move: FillMove, numbers: Mapping[str, int]) -> list[Step]:
    return [("fill", _place(move.target, numbers), move.value)]


def _check(move: CheckMove, numbers: Mapping[str, int]) -> list[Step]:
    negative = NEGATIVE_NUMBER[move.negative]
    columns = [move.indices]
    if move.tuples:
        layout, last = move.indices.layout, move.indices.layout.ndim - 1
        columns = [move.indices.over(layout.sliced(last, number, 1)) for number in range(len(move.sizes))]
    return [
        ("check", _place(column, numbers), column.dtype, size, negative)
        for column, size in zip(columns, move.sizes, strict=True)
    ]


def _gather(move: GatherMove, numbers: Mapping[str, int]) -> list[Step]:
    places = (_place(view, numbers) for view in (move.target, move.data, move.indices))
    rules = OUT_OF_RANGE_NUMBER[move.out_of_range], NEGATIVE_NUMBER[move.negative]
    if move.indices.layout.sizes[-1] == 0:
        return [("copy", *list(places)[:2], move.target.dtype.itemsize)]
    return [("gather", *places, move.target.dtype.itemsize, move.indices.dtype, *rules)]


def _scatter(move: ScatterMove, numbers: Mapping[str, int]) -> list[Step]:
    places = (_place(view, numbers) for view in (move.target, move.indices, move.updates))
    rules = OUT_OF_RANGE_WRITE_NUMBER[move.out_of_range], NEGATIVE_NUMBER[move.negative]
    element = ELEMENT_NUMBER.get(np.dtype(move.target.dtype), -1)
    return [
        ("scatter", *places, move.target.dtype.itemsize, move.indices.dtype, REDUCTION_NUMBER[move.reduction], *rules,
         element, NAN_NUMBER[move.nan])
    ]  # fmt: skip


def _select(move: SelectMove, numbers: Mapping[str, int]) -> list[Step]:
    places = (_place(view, numbers) for view in (move.target, move.condition, move.x, move.y))
    return [("select", *places, move.target.dtype.itemsize)]


def _convert(move: ConvertMove, numbers: Mapping[str, int]) -> list[Step]:
    places = (_place(view, numbers) for view in (move.target, move.source))
    elements = (ELEMENT_NUMBER[np.dtype(view.dtype)] for view in (move.source, move.target))
    return [("convert", *places, *elements)]


def _add(move: AddMove, numbers: Mapping[str, int]) -> list[Step]:
    source = None if move.source is None else _place(move.source, numbers)
    return [("add", _place(move.target, numbers), source, ELEMENT_NUMBER[np.dtype(move.target.dtype)])]


def _diagonals(move: DiagonalsMove, numbers: Mapping[str, int]) -> list[Step]:
    source = None if move.source is None else _place(move.source, numbers)
    return [("diagonals", _place(move.target, numbers), source, move.value, move.begin, move.end, move.inverted)]


def _range(move: RangeMove, numbers: Mapping[str, int]) -> list[Step]:
    element = ELEMENT_NUMBER[np.dtype(move.target.dtype)]
    return [("sequence", _place(move.target, numbers), move.start, move.delta, element)]


_STEPS: dict[type[Move], Callable[[Any, Mapping[str, int]], list[Step]]] = {
    AddMove: _add,
    CheckMove: _check,
    ConvertMove: _convert,
    CopyMove: _copy,
    DiagonalsMove: _diagonals,
    FillMove: _fill,
    GatherMove: _gather,
    ScatterMove: _scatter,
    SelectMove: _select,
    RangeMove: _range,
}
