"""Calls: one operator on arrays now, as a plan of one node; plans of calls that come again are kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import _core, dtypes, errors, limits
from wherry.arrays.anywhere import plain
from wherry.engine.plan import Plan
from wherry.engine.recent import Recent
from wherry.errors import InvalidTypeError, InvalidValueError, ResourceLimitError, WherryError
from wherry.layout import Layout, reaches_twice
from wherry.ops.operator import Operator
from wherry.ops.values import ValuesOperator
from wherry.tensors import TensorType, View

Array = NDArray[Any]
Arrays = dict[str, Array]

CALLS_KEPT = 1024
_MOST_COPIED = 16 * 1024
"""Bytes of results that are kept, and copied for each call."""
_MOST_OUTPUTS = 5
"""Numbers of 8 bytes that an operator on values makes of each element at most, or as many as there are axes."""
Calls = Recent[object, Plan | _core.Program]
"""By operator and arrays: the plan of a call that came once, or has no program, else the program."""

_calls: Calls = Recent(CALLS_KEPT)


def apply(
    operator: Operator,
    inputs: Sequence[Array],
    subject: str,
    out: Array | None = None,
    *,
    calls: Calls | None = None,
) -> tuple[Array, ...]:
    """Run one operator now; return its outputs in row-major memory, or write its only output to `out`.

    `out` may have any strides that do not overlap themselves; if it shares memory with an input, the result goes
    through a temporary. Whatever is refused leaves `out` as it was. `calls` keeps plans in place of those of all
    callers: it is given by who calls the same operator again and again, and so need not find it among equal ones.
    """
    return _applied(operator, inputs, subject, out, calls)[0]


def _applied(
    operator: Operator, inputs: Sequence[Array], subject: str, out: Array | None, calls: Calls | None
) -> tuple[tuple[Array, ...], Plan | None]:
    """Return the outputs, and the plan that made them, if it was not one that was kept."""
    made = None if inputs or out is not None else _made_of_values(operator, subject)
    if made is not None:
        return made, None
    key = _key(operator, inputs, out, calls is not None)
    calls = _calls if calls is None else calls
    found = None if key is None else _run_again(calls, key, inputs, out)
    if found is not None:
        return found, None
    sources = {f"in{number}": array if _has_layout(array) else array.copy() for number, array in enumerate(inputs)}
    plan = _plan(operator, sources, subject, out)
    if key is not None and key not in calls:
        calls.put(key, plan)
    if out is None:
        return tuple(plan.run_moves(sources).values()), plan
    if _has_layout(out) and not any(np.may_share_memory(out, array) for array in operator.arrays):
        plan.run_moves(sources, {"out0": out})
    else:
        out[...] = plan.run_moves(sources)["out0"]
    return (out,), plan


def _made_of_values(operator: Operator, subject: str) -> tuple[Array, ...] | None:
    """Return the outputs of an operator on the values of its only array, without a plan; None where it needs one."""
    if not isinstance(operator, ValuesOperator) or len(operator.arrays) != 1 or not limits.are_default():
        return None
    maker = operator.maker() if _may_repeat(operator.arrays) else None
    with errors.subject(subject):
        try:
            return None if maker is None else maker(*operator.arrays)
        except WherryError:
            raise
        except MemoryError:
            given = f"{operator.arrays[0].nbytes} bytes of values"
            raise ResourceLimitError(f"what is made of {given} takes more memory than there is") from None


def apply_again(
    calls: _core.RecentCalls,
    arguments: object,
    operator: Operator,
    inputs: Sequence[Array],
    subject: str,
    out: Array | None = None,
    read: Sequence[Array] = (),
) -> tuple[Array, ...]:
    """As `apply`, of an operator made of `arguments`, which `calls` then runs without looking at them again.

    `arguments` is all that decided what the operator is, and which arrays are its inputs: an array of them that is
    none of the inputs counts with its elements, and an input that is made of an argument, such as a list, is kept.
    `read` are arrays among the arguments whose values are fields of the operator.
    """
    made, plan = _applied(operator, inputs, subject, out, None)
    if not limits.are_default():
        return made
    sources = read if isinstance(operator, ValuesOperator) and not inputs and len(read) == 1 else inputs
    maker = operator.maker() if sources and _may_repeat(sources) else None
    if maker is not None:
        calls.keep(arguments, maker, list(sources), keeps_made=True, takes_arrays=True, out=out)
        return made
    key = _key(operator, inputs, out, False)
    kept = None if key is None else _calls.get(key)
    if isinstance(kept, _core.Program):  # the same came before, by other arguments at least
        calls.keep(arguments, kept, list(inputs), keeps_made=True, out=out)
        return made
    is_single = key is None or out is not None  # nothing else finds a plan without a program
    again = plan if is_single else kept if plan is None else None  # what ran, where there is no program
    if again is not None and all(map(_has_layout, inputs)) and (out is None or _has_layout(out)):
        calls.keep(arguments, _Again(again), list(inputs), is_found_again=True, keeps_made=True, out=out)
    return made


def _may_repeat(sources: Sequence[Array]) -> bool:
    """Whether limits allow whatever an operator on values makes of arrays like these."""
    made = sum(8 * max(_MOST_OUTPUTS, each.ndim) * each.size for each in sources)
    return limits.is_small(made) or limits.allows(made, sum(map(limits.memory_nbytes, sources)))


class _Again:
    """Finds what runs a call like one that came once, when the call comes again, which most do not."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def __call__(self, arrays: Arrays) -> _core.Program | Callable[..., Arrays | None]:
        program = self._plan.program
        if program is not None:
            return program
        return self._run_moves if self._reads() else _core.Copies(self._plan.run_moves(arrays))

    def _reads(self) -> bool:
        """Whether the results depend on elements of the inputs; large ones, and warnings, are made anew anyway."""
        buffers = {view.buffer for view in self._plan.inputs.values()}
        reads = any(view.buffer in buffers for move in self._plan.moves for view in move.views)
        return reads or self._plan.bytes_moved > _MOST_COPIED or any(move.may_warn for move in self._plan.moves)

    def _run_moves(self, arrays: Arrays, written: Arrays | None = None) -> Arrays | None:
        try:
            return self._plan.run_moves(arrays, written)
        except WherryError:
            return None  # the way that was not kept raises the same, and knows who calls


def _key(operator: Operator, inputs: Sequence[Array], out: Array | None, is_own: bool) -> object:
    """Return what decides how a call runs; None where a kept plan could do something else."""
    is_known = is_own or operator.equal_is_same
    if not is_known or not limits.are_default() or (out is not None and type(out) is not np.ndarray):
        return None
    kinds = [(dtypes.without_strings(array.dtype), array.shape, array.strides) for array in inputs]
    written = None if out is None else (dtypes.without_strings(out.dtype), out.shape, out.strides)
    return (None if is_own else operator, *kinds, written)


def _run_again(calls: Calls, key: object, inputs: Sequence[Array], out: Array | None) -> tuple[Array, ...] | None:
    """Run the program of a call like one before, or its plan; None if there is none, or where they refuse to run.

    They refuse without words: what is wrong is said by a plan made for this call, which knows who calls.
    """
    kept = calls.get(key)
    if isinstance(kept, Plan) and kept.program is not None:
        kept = kept.program
        calls.put(key, kept)
    if kept is None:
        return None
    arrays = {f"in{number}": array for number, array in enumerate(inputs)}
    if isinstance(kept, Plan):
        found = _moved(kept, arrays) if out is None else None
    else:
        found = kept.run(arrays, None if out is None else {"out0": out})
    return None if found is None else tuple(found.values())


def _moved(plan: Plan, arrays: Arrays) -> Arrays | None:
    """Run the moves of a plan that has no program; None where they refuse, or would tell who called first."""
    if any(move.may_warn for move in plan.moves) or not all(map(_has_layout, arrays.values())):
        return None
    try:
        return plan.run_moves(arrays)
    except WherryError:
        return None


def _plan(operator: Operator, inputs: Mapping[str, Array], subject: str, out: Array | None) -> Plan:
    """Return the plan of one operator on arrays like these. Raises whatever is wrong but for indices."""
    arrays = list(inputs.values())
    with errors.subject(subject):
        types = operator.infer([TensorType.of(array) for array in arrays])
        if out is not None:
            check_out(out, types[0], types[0].numpy)
        _check_bytes(sum(one.nbytes for one in types), "the results", arrays)
    ins = {name: View(name, dtypes.without_strings(array.dtype), Layout.of(array)) for name, array in inputs.items()}
    layouts = [Layout(one.shape) for one in types]
    if out is not None and _has_layout(out):
        layouts = [Layout.of(out)]
    outs = {
        f"out{number}": View(f"out{number}", one.numpy, layout)
        for number, (one, layout) in enumerate(zip(types, layouts, strict=True))
    }
    moves = tuple(operator.lower(list(ins.values()), list(outs.values()), subject))
    with errors.subject(subject):  # updates that repeat few bytes of memory would never end
        _check_bytes(max((move.bytes_written for move in moves), default=0), "the elements to write", arrays)
    return Plan(moves, ins, outs, {}, {})


def _check_bytes(needed: int, what: str, inputs: Sequence[Array]) -> None:
    """Refuse what takes more than a function may make of these inputs."""
    if not limits.is_small(needed):
        limits.check_bytes(needed, what, sum(map(limits.memory_nbytes, inputs)), of_function=True)


def _has_layout(array: Array) -> bool:
    """Whether the strides are multiples of the element, as those of a Layout are."""
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
