"""Plan: moves in order over named buffers, and how they run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from numpy.lib.array_utils import byte_bounds
from numpy.typing import NDArray

from wherry import _core, limits
from wherry.engine.program import begins_at_its_lowest, program_of
from wherry.errors import InvalidValueError
from wherry.layout import Layout
from wherry.moves import Move
from wherry.moves.copy import copy_array
from wherry.moves.move import array_over, memory_of
from wherry.tensors import View

Array = NDArray[Any]


@dataclass(frozen=True)
class Plan:
    """Moves in order over named buffers, ready to run any number of times, from several threads at once.

    `inputs` and `outputs` say how the arrays given to `run` lie in their buffers; `temporaries` are made anew by each
    run. Printing a plan lists buffers and moves.
    """

    moves: tuple[Move, ...]
    inputs: Mapping[str, View]
    outputs: Mapping[str, View]
    constants: Mapping[str, Array]
    temporaries: Mapping[str, View]
    values: Mapping[str, Array] = field(default_factory=dict, compare=False, repr=False)
    """The values of inputs that the moves were planned for, where the core is to run them for no others."""
    remake: tuple[Callable[..., Plan], tuple[Any, ...]] | None = field(default=None, compare=False, repr=False)
    """The function that made the plan, and its arguments: what a pickle holds, since moves may hold functions."""

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self.moves, self.inputs, self.outputs, self.constants, self.temporaries, self.values)
        return self.remake or (Plan, parts)

    @property
    def program_into(self) -> _core.Program | None:
        """The program that may write to arrays of the caller's: what it refuses, it refuses before it writes."""
        return None if self._may_refuse_late else self.program

    def run(self, inputs: Mapping[str, Array], outputs: Mapping[str, Array] | None = None) -> dict[str, Array]:
        """Run the moves and return the outputs by name: new arrays, or the given `outputs`.

        Arrays have the sizes and strides that were planned for. What is refused leaves the given outputs as they were.
        Raises InvalidValueError for arrays of another layout, IndexOutOfRangeError for a bad index under `raise`.
        """
        program = self.program if outputs is None else self.program_into
        if program is not None:
            found = program.run(inputs, outputs)
            if found is not None:
                return found
        self._check_layouts(self.inputs, inputs)
        if outputs is not None:
            self._check_layouts(self.outputs, outputs)
        return self.run_moves(inputs, outputs)

    def run_moves(self, inputs: Mapping[str, Array], outputs: Mapping[str, Array] | None = None) -> dict[str, Array]:
        """Run the moves one by one, on arrays that lie as planned; see `run`. References to objects the core moves."""
        found = self.program.run(inputs, outputs) if self._has_references and self.program else None
        if found is not None:
            return found
        memory = {view.buffer: memory_of(inputs[name]) for name, view in self.inputs.items()}
        memory.update(self.constants)
        memory.update((name, _new(view)) for name, view in self.temporaries.items())
        aside = outputs is None or self._may_refuse_late or _share_memory(outputs, inputs)
        results = {
            name: _new_result(view) if aside or outputs is None else outputs[name]
            for name, view in self.outputs.items()
        }
        memory.update((view.buffer, memory_of(results[name])) for name, view in self.outputs.items())
        for move in self.moves:
            move.run(memory)
        if outputs is None:
            return results
        if aside:
            for name, result in results.items():
                copy_array(result, outputs[name])
        return dict(outputs)

    @cached_property
    def program(self) -> _core.Program | None:
        """The moves as one call of the core; None where some move needs Python.

        Its run returns None for whatever it does not run, without a reason: `run` then runs the moves and words errors.
        """
        return program_of(self.moves, self.inputs, self.outputs, self.temporaries, self.constants, self.values)

    def _check_layouts(self, views: Mapping[str, View], arrays: Mapping[str, Array]) -> None:
        for name, view in views.items():
            array = arrays[name]
            if (array.dtype.itemsize, array.shape, array.strides) != self._in_memory[name]:
                _check_layout(name, view, array)

    @cached_property
    def _in_memory(self) -> dict[str, tuple[int, tuple[int, ...], tuple[int, ...]] | None]:
        """Bytes of an element, sizes and byte strides of arrays that lie as planned: what most arrays are known by."""
        found: dict[str, tuple[int, tuple[int, ...], tuple[int, ...]] | None] = {}
        for name, view in {**self.inputs, **self.outputs}.items():
            width, layout = view.dtype.itemsize, view.layout
            strides = tuple(stride * width for stride in layout.strides)
            found[name] = (width, layout.sizes, strides) if begins_at_its_lowest(view) else None
        return found

    @cached_property
    def _has_references(self) -> bool:
        return any(view.dtype.hasobject for view in self.outputs.values())

    @cached_property
    def _may_refuse_late(self) -> bool:
        """Whether a move can fail after another one has written to an output."""
        outputs, written = {view.buffer for view in self.outputs.values()}, False
        for move in self.moves:
            if written and move.may_refuse:
                return True
            written = written or (move.target is not None and move.target.buffer in outputs)
        return False

    @property
    def bytes_moved(self) -> int:
        """The bytes that one run writes."""
        return sum(move.bytes_written for move in self.moves)

    def __str__(self) -> str:
        lines = ["plan"]
        groups = (("input", self.inputs), ("temporary", self.temporaries), ("output", self.outputs))
        lines += [f"  {kind:9} {name}: {view.dtype} {view}" for kind, views in groups for name, view in views.items()]
        lines += [f"  {move}" for move in self.moves]
        lines.append(f"  {len(self.moves)} moves, {self.bytes_moved} bytes written")
        return "\n".join(lines)


def _share_memory(outputs: Mapping[str, Array], inputs: Mapping[str, Array]) -> bool:
    """Whether an output may lie where an input, or another output, does."""
    spans = [(*byte_bounds(array), True) for array in outputs.values() if array.size]
    spans += [(*byte_bounds(array), False) for array in inputs.values() if array.size]
    end_of_all = end_of_written = 0  # of those that begin before
    for begin, end, is_written in sorted(spans):
        if begin < (end_of_all if is_written else end_of_written):
            return True
        end_of_all = max(end_of_all, end)
        if is_written:
            end_of_written = max(end_of_written, end)
    return False


def _new(view: View) -> Array:
    return limits.new_array((view.layout.extent,), view.dtype)


def _new_result(view: View) -> Array:
    """Return a new array that lies as a view does."""
    if view.layout.is_row_major:
        return limits.new_array(view.layout.sizes, view.dtype)
    return array_over(_new(view), view.layout)


def _check_layout(name: str, view: View, array: Array) -> None:
    if array.dtype.itemsize != view.dtype.itemsize or Layout.of(array) != view.layout:
        raise InvalidValueError(f"{name!r} is {array.dtype}{list(array.shape)} with byte strides {array.strides}, "
                                f"planned for {view.dtype} {view}; make a plan for it")  # fmt: skip
