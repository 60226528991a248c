"""CalculateMove: elementwise functions that the core computes with NumPy's results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from wherry import dtypes
from wherry.moves.compute import ComputeMove
from wherry.moves.convert import ConvertMove
from wherry.moves.move import ELEMENT_NUMBER, Move, Numbers, Step, place_of
from wherry.tensors import View

_RELATIONS = ("equal", "not_equal", "less", "less_or_equal", "greater", "greater_or_equal")
_LOGICAL = ("and", "or", "xor", "not")
_OF_TRUTH = ("logical_and", "logical_or", "logical_xor", "logical_not")
"""Of integers that are truth: 0, or any other number."""
FUNCTIONS = (
    "add", "subtract", "multiply", "and", "or", "xor", "divide", "minimum", "maximum", *_RELATIONS,
    "negative", "absolute", "sign", "not", "raise_to", "lower_to", *_OF_TRUTH,
)  # fmt: skip
"""The functions of the core, in the order of its numbers."""

_OF_BOOLS = frozenset({*_RELATIONS, *_LOGICAL, "minimum", "maximum"})
_SLOTS = 8
_MOST_TENSORS = 8
_MOST_VALUES = 4
_VALUE = -1  # in place of a slot
_CONVERT = len(FUNCTIONS)
_MOST_MOVES = 16


def can_calculate(function: str, dtype: np.dtype[Any]) -> bool:
    """Whether the core calculates a function of elements of a type.

    Not quotients of integers, which may be refused, and not floats of 16 bits.
    """
    row = dtypes.of(dtype)
    if function not in FUNCTIONS or row is None or not dtype.isnative or dtype not in ELEMENT_NUMBER:
        return False
    if row.kind == "bool":
        return function in _OF_BOOLS
    if row.is_integer:
        return function != "divide"
    return row.name in ("float32", "float64") and function not in (*_LOGICAL, *_OF_TRUTH)


@dataclass(frozen=True)
class CalculateMove(ComputeMove):
    """`target[c] = calculation of sources[..][c]`: a ComputeMove of one or two sources, which the core does as well.

    The target may be a source. With a `value`, the bytes of one element, that is the second source everywhere.
    """

    calculation: str = ""
    value: bytes = b""

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the step by which the core runs the move."""
        return JoinedMoves([self]).steps(numbers)


Joinable = CalculateMove | ConvertMove


class JoinedMoves:
    """Calculations, and conversions between them, that the core runs as one step, a few elements at a time."""

    def __init__(self, moves: Sequence[Joinable]) -> None:
        self.moves = moves
        self.views = [[_widened(view, move.target) for view in (move.target, *move.sources)] for move in moves]

    @property
    def is_possible(self) -> bool:
        """Whether the moves give the same, run for some elements each, as one after the other."""
        sizes = [move.target.layout.trimmed().sizes for move in self.moves]
        written: dict[str, View] = {}
        touched: dict[str, set[View]] = {}
        for target, *sources in self.views:
            if any(written.get(view.buffer, view) != view for view in sources):
                return False
            for view in (*sources, target):
                touched.setdefault(view.buffer, set()).add(view)
            if len(touched[target.buffer]) > 1:
                return False
            written[target.buffer] = target
        return all(one == sizes[0] for one in sizes)

    def held(self, temporaries: Iterable[str], uses: Mapping[str, int]) -> set[str]:
        """Return the temporaries of which no other move knows."""
        own = Counter(view.buffer for views in self.views for view in views)
        return {name for name in temporaries if own[name] and own[name] == uses[name]}

    def slots(self, held: Set[str]) -> dict[str, int] | None:
        """Return the slot of each held result; None if there are not as many slots, or tensors, as are needed."""
        operands = [view for number in range(len(self.moves)) for view in self._operands(number)]
        tensors = sum(isinstance(one, View) and one.buffer not in held for one in operands)
        if tensors > _MOST_TENSORS or sum(isinstance(one, bytes) for one in operands) > _MOST_VALUES:
            return None
        last = {view.buffer: number for number, views in enumerate(self.views) for view in views}
        free, found = list(range(_SLOTS)), {}
        for number, (target, *sources) in enumerate(self.views):
            if target.buffer in held and target.buffer not in found:
                if not free:
                    return None
                found[target.buffer] = free.pop(0)
            free += {found[view.buffer] for view in sources if view.buffer in held and last[view.buffer] == number}
        return found

    def steps(self, numbers: Numbers, held: Set[str] = frozenset()) -> list[Step]:
        """Return the step; the results in `held` are written nowhere."""
        slots = self.slots(held)
        assert slots is not None
        fields: list[Any] = ["calculate", len(self.moves)]
        for number, move in enumerate(self.moves):
            function = _CONVERT if isinstance(move, ConvertMove) else FUNCTIONS.index(move.calculation)
            fields += [function, ELEMENT_NUMBER[np.dtype(move.sources[0].dtype)]]
            for one in self._operands(number):
                if isinstance(one, bytes):
                    fields += [one, _VALUE]
                else:
                    slot = slots.get(one.buffer)
                    fields += [place_of(one, numbers), 0] if slot is None else [None, slot]
            if isinstance(move, ConvertMove):
                fields += move.rule[1:]
        return [tuple(fields)]

    def _operands(self, number: int) -> Sequence[View | bytes]:
        """Return target and sources as the core takes them: two of a function, which are one where it has one."""
        target, first, *_ = views = self.views[number]
        move = self.moves[number]
        return views if isinstance(move, ConvertMove) else (target, first, move.value or views[-1])


def _widened(view: View, target: View) -> View:
    """Return a source with the sizes of the target, both without axes of size 1."""
    return view.over(view.layout.broadcast_to(target.layout.sizes).trimmed())


def joined(moves: Sequence[Move], temporaries: Iterable[str]) -> Iterator[tuple[Move | JoinedMoves, set[str]]]:
    """Yield the moves in order, those that the core had better calculate together as one; and what these hold."""
    uses = Counter(view.buffer for move in moves for view in move.views)
    group: list[Joinable] = []
    for move in moves:
        longer = JoinedMoves([*group, move]) if isinstance(move, Joinable) else None
        if group and not (longer and _is_joined(longer, temporaries, uses)):
            yield _as_one(group, temporaries, uses)
            group = []
        if isinstance(move, Joinable):
            group.append(move)
        else:
            yield move, set()
    if group:
        yield _as_one(group, temporaries, uses)


def _is_joined(moves: JoinedMoves, temporaries: Iterable[str], uses: Mapping[str, int]) -> bool:
    fits = len(moves.moves) <= _MOST_MOVES and moves.is_possible
    return fits and moves.slots(moves.held(temporaries, uses)) is not None


def _as_one(
    moves: Sequence[Joinable], temporaries: Iterable[str], uses: Mapping[str, int]
) -> tuple[Move | JoinedMoves, set[str]]:
    """Return moves as the core runs them, with what they hold; a conversion alone has a step of its own."""
    if len(moves) == 1 and isinstance(moves[0], ConvertMove):
        return moves[0], set()
    one = JoinedMoves(moves)
    return one, one.held(temporaries, uses)
