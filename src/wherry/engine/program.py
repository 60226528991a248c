"""Programs: the moves of a plan handed to the core at once, so that a run costs one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from wherry import _core
from wherry.moves import Move
from wherry.moves.calculate import JoinedMoves, joined
from wherry.moves.move import Array, Step
from wherry.tensors import View

_MOST_BUFFERS = 64
_LINE = 64
"""Bytes of a cache line."""
_COPIED_BYTES = 2**20
"""Of a constant that is copied to begin with a line: more stays where it is, as a file's weights do."""

Views = Mapping[str, View]


def program_of(
    moves: Sequence[Move],
    inputs: Views,
    outputs: Views,
    temporaries: Views,
    constants: Mapping[str, Array],
    values: Mapping[str, Array],
) -> _core.Program | None:
    """Return the program that runs a plan's moves, or None if one needs Python: objects, NumPy, warnings.

    It runs on no other `values` of those inputs that are named there.
    """
    if not all(map(_is_movable, moves)) or any(value.dtype.hasobject for value in values.values()):
        return None
    parts = list(joined(moves, temporaries))
    nowhere = {name for _, held in parts for name in held}
    temporaries = {name: view for name, view in temporaries.items() if name not in nowhere}
    groups = [
        [view.buffer for view in inputs.values()],
        [view.buffer for view in outputs.values()],
        list(temporaries),
        list(constants),
    ]
    names = [name for group in groups for name in group]
    if len(names) > _MOST_BUFFERS or not all(map(begins_at_its_lowest, outputs.values())):
        return None
    if not all(inputs[name].layout.is_row_major for name in values):
        return None  # the core compares values as the bytes that lie there
    numbers = {name: number for number, name in enumerate(names)}
    steps: list[Step] = []
    for part, held in parts:
        made = part.steps(numbers, held) if isinstance(part, JoinedMoves) else part.steps(numbers)
        if made is None:
            return None
        steps += made
    return _core.Program(
        [_array(name, view) for name, view in inputs.items()],
        [_array(name, view) for name, view in outputs.items()],
        [view.layout.extent * view.dtype.itemsize for view in temporaries.values()],
        [_on_a_line(vector) for vector in constants.values()],
        steps,
        [values[name].tobytes() if name in values else None for name in inputs],
    )


def _on_a_line(vector: Array) -> Array:
    """Return a vector that begins with a cache line: constants of files begin anywhere, and are read in every run."""
    if not _LINE < vector.nbytes <= _COPIED_BYTES or vector.dtype.hasobject or not vector.ctypes.data % _LINE:
        return vector
    memory = np.empty(vector.nbytes + _LINE, np.uint8)
    start = -memory.ctypes.data % _LINE
    memory[start : start + vector.nbytes] = vector.view(np.uint8)
    return memory[start : start + vector.nbytes].view(vector.dtype)


def _is_movable(move: Move) -> bool:
    """Whether the core can run a move: on elements that are bytes of memory, or of one dtype that it only moves."""
    types = [view.dtype for view in move.views]
    if any(dtype.itemsize == 0 for dtype in types):
        return False
    held = [dtype for dtype in types if dtype.hasobject]
    return not held or (move.only_moves and all(dtype == held[0] for dtype in held))


def begins_at_its_lowest(view: View) -> bool:
    """Whether the offset is as low as the strides allow: that of an array, counted from its lowest element."""
    layout = view.layout
    spans = [(size - 1) * stride for size, stride in zip(layout.sizes, layout.strides, strict=True)]
    return layout.offset == (0 if 0 in layout.sizes else -sum(span for span in spans if span < 0))


def _array(name: str, view: View) -> Step:
    width, layout = view.dtype.itemsize, view.layout
    strides = [stride * width for stride in layout.strides]
    return (name, view.dtype, list(layout.sizes), strides, layout.offset * width, layout.extent * width)
