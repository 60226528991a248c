"""Operations called as functions: arguments checked by the row of an opset, the operator run now."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import _core, errors
from wherry.arguments import as_entries
from wherry.arrays.anywhere import INTEGERS, NUMBERS, TEXTS
from wherry.dialects.call import answers, operands, views_again
from wherry.dialects.openvino.row import INTEGER_TYPES, REQUIRED, OpenVINORow
from wherry.dialects.openvino.table import ROWS, as_opset, in_opset
from wherry.engine.any_sizes import keep_for_any_sizes, open_type_of, with_known
from wherry.engine.call import CALLS_KEPT, apply_again
from wherry.engine.out import into
from wherry.errors import InvalidValueError, WherryError
from wherry.graph import Deferred
from wherry.ops.operator import Operator
from wherry.tensors import TensorType

Array = NDArray[Any]

_CALLS = _core.RecentCalls(CALLS_KEPT, strings_alone=True)
"""What runs the calls that came last, by their arguments."""

answered = answers(_CALLS)
"""A decorator of the dialect's functions; see `answers`."""


@_CALLS.answers
def call(name: str, opset: int, inputs: Sequence[Any], *, out: Array | None = None, **attributes: Any) -> Array:
    """Return the only output of an operation, written to `out` if that is given; see `call_all`."""
    return _called(name, opset, inputs, out, attributes)[0]


def call_all(
    name: str, opset: int, inputs: Sequence[Any], *, out: Sequence[Array] | None = None, **attributes: Any
) -> tuple[Array, ...]:
    """Return the outputs of an operation of an opset; inputs that are None are left out.

    They go to the arrays of `out` if these are given; see `into`.
    """
    found = _CALLS.run((name, opset, inputs, attributes))
    made = _called(name, opset, inputs, None, attributes) if found is None else tuple(found)
    return made if out is None else tuple(into(made, out, row_of(name, opset).subject()))


def _called(
    name: str, opset: int, inputs: Sequence[Any], out: Array | None, attributes: dict[str, Any]
) -> tuple[Array, ...]:
    given = (name, opset, inputs, attributes)
    row = row_of(name, opset)
    operator, arrays = made(row, inputs, attributes)
    read = [each for each in inputs if isinstance(each, np.ndarray)]
    results = apply_again(_CALLS, given, operator, arrays, row.subject(), out, read)
    if not _kept_waiting(row, given, inputs, attributes):

        def bind() -> object:
            return _made(row, inputs, attributes, open_type_of)[0]

        keep_for_any_sizes(_CALLS, given, operator, arrays, row.subject(), bind)
    return results


def _kept_waiting(row: OpenVINORow, given: object, inputs: Sequence[Any], attributes: Mapping[str, Any]) -> bool:
    """Keep the way of calls like this one whose values may be others, too; False where there is none."""
    if all(one.field is None for one in row.inputs):
        return False
    try:
        waiting, arrays = _made(row, inputs, attributes, TensorType.of, lambda _: None)
    except WherryError:
        return False  # a value must be a constant
    if not isinstance(waiting, Deferred):
        return False

    def bind() -> object:
        again, _ = _made(row, inputs, attributes, open_type_of, lambda _: None)
        return with_known(again, arrays, inputs)[0]

    return keep_for_any_sizes(_CALLS, given, *with_known(waiting, arrays, inputs), row.subject(), bind)


def call_views(
    name: str, opset: int, inputs: Sequence[Any], *, out: Sequence[Array] | None = None, **attributes: Any
) -> list[Array]:
    """Return the parts of an operation that splits, as views of its input, or copied to the arrays of `out`."""
    given = (name, opset, inputs, attributes)
    found = _CALLS.run(given)
    if found is not None and out is None:
        return list(found)
    row = row_of(name, opset)

    def bind() -> object:
        return _made(row, inputs, attributes, open_type_of)[0]

    parts = views_again(_CALLS, given, *made(row, inputs, attributes), row.subject(), bind) if found is None else found
    return into(parts, out, row.subject())


def row_of(name: str, opset: int) -> OpenVINORow:
    """Return the row of an operation in an opset that a caller names."""
    with errors.subject(f"OpenVINO {name}"):
        return in_opset(name, as_opset(opset))


def made(row: OpenVINORow, inputs: Sequence[Any], attributes: Mapping[str, Any]) -> tuple[Operator, list[Array]]:
    """Return the operator that a row makes of arguments, and the arrays that are its inputs.

    Raises InvalidTypeError or InvalidValueError for what the row or the operator refuses, all with the row's subject.
    """
    operator, sources = _made(row, inputs, attributes, TensorType.of)
    assert isinstance(operator, Operator)
    with row.speaking():
        operator.infer([TensorType.of(array) for array in sources])
    return operator, sources


def _made(
    row: OpenVINORow,
    inputs: Sequence[Any],
    attributes: Mapping[str, Any],
    type_of: Callable[[Array], TensorType],
    value_of: Callable[[int], Array | None] | None = None,
) -> tuple[Operator | Deferred, list[Array]]:
    """Return the operator that a row makes of arguments whose arrays have these types, and those that are its inputs.

    `value_of` gives the value of an input, or None: then it is Deferred. Without it all are known.
    """
    with row.speaking():
        values = _attributes(row, attributes)
        many = row.inputs[0].repeats
        given = as_entries("arrays", inputs, "a sequence of arrays") if many else [x for x in inputs if x is not None]
        allowed = [_allowed(row.input_at(number).types) for number in range(len(given))]
        arrays = operands(row.input_names(len(given)), given, allowed)
        types = list(map(type_of, arrays))
        row.check(types)
        operator, moved = row.operator(values, types, value_of or arrays.__getitem__)
    return operator, [arrays[number] for number in moved]


def _allowed(types: frozenset[str]) -> str | None:
    """Return in words what an input holds that may be indices; None for any other."""
    if "int64" not in types:
        return None
    return INTEGERS if types <= INTEGER_TYPES else TEXTS if "string" in types else NUMBERS


def _attributes(row: OpenVINORow, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of a row as values; one that this version lacks must have the value it means there."""
    own = {one.argument: one for one in row.attributes}
    for name, value in given.items():
        if name in own or value is None:
            continue
        newer = [(other.since, one) for other in ROWS if other.name == row.name for one in other.attributes]
        since, one = next((since, one) for since, one in newer if one.argument == name)
        if one.kind.take(name, value) != one.default:
            default = one.kind.write(one.default)
            raise InvalidValueError(
                f"{name} is {value}, allowed {default}: {row.title} has no {name}; use opset {since} or newer"
            )
    return {
        one.name: _default(name, one.default) if given.get(name) is None else one.kind.take(name, given[name])
        for name, one in own.items()
    }


def _default(name: str, default: Any) -> Any:
    if default is REQUIRED:
        raise InvalidValueError(f"{name} is missing, and has no default")
    return default
