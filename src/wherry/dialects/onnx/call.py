"""Calling an ONNX operator on arrays: the arguments of a function become the inputs and attributes of a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import _core, dtypes, errors
from wherry.arguments import as_int
from wherry.arrays.anywhere import TEXTS, as_array, as_indices, refuse_objects
from wherry.dialects.call import answers
from wherry.dialects.onnx.row import Kind, OnnxRow, Parameter, arranged, bind
from wherry.dialects.onnx.table import find_row
from wherry.dialects.onnx.types import INDICES, LENGTHS, number_of
from wherry.engine.any_sizes import keep_for_any_sizes, with_known
from wherry.engine.call import CALLS_KEPT, apply_again
from wherry.engine.out import into
from wherry.errors import InvalidValueError, UnsupportedError, WherryError
from wherry.graph import Deferred
from wherry.ops.element import typed_as
from wherry.ops.operator import Operator
from wherry.tensors import TensorType

Array = NDArray[Any]

CALLS = _core.RecentCalls(CALLS_KEPT, strings_alone=True)
"""What runs the calls that came last, by their arguments."""

answered = answers(CALLS)
"""A decorator of the dialect's functions; see `answers`."""

FORMER_NAMES = {("Pad", "pads"): "paddings", ("Pad", "constant_value"): "value", ("Tile", "repeats"): "tiles"}
"""What arguments were called in versions that have them by another name."""


@CALLS.answers
def call(name: str, opset: Any, *, out: Array | None = None, **arguments: Any) -> Array:
    """Return the only output of an operator, written to `out` if that is given; see `call_all`."""
    return _called(name, opset, out, arguments)[0]


def call_all(name: str, opset: Any, *, out: Sequence[Array] | None = None, **arguments: Any) -> tuple[Array, ...]:
    """Run the operator on arguments by the names of its inputs and attributes; None is left out. Return the outputs.

    They go to the arrays of `out` if these are given; see `into`.

    An argument is an input or an attribute, whichever the version has. Raises as the operator's version says, and
    InvalidValueError for an argument that the version does not have; the error's subject names operator and version.
    """
    found = CALLS.run((name, opset, arguments))
    made = _called(name, opset, None, arguments) if found is None else tuple(found)
    return made if out is None else tuple(into(made, out, row_of(name, opset).subject))


def _called(name: str, opset: Any, out: Array | None, arguments: dict[str, Any]) -> tuple[Array, ...]:
    given = (name, opset, arguments)
    row = row_of(name, opset)
    with errors.subject(row.subject, row.names):
        inputs: dict[str, Array] = {}
        attributes: dict[str, Any] = {}
        for argument, value in arguments.items():
            if value is None:
                continue
            known = _known(row, argument)
            if known in row.parameters:
                inputs[known] = _input(row, row.parameters[known], value, inputs)
            elif row.has_attribute(known):
                attributes[known] = _attribute(row, known, value)
            else:
                allowed = ", ".join((*row.parameters, *(attribute.name for attribute in row.attributes)))
                raise InvalidValueError(f"{argument} is given, allowed {allowed}; this version does not have it")
        built, arrays = _built(row, inputs, attributes, _type_of)
        operator, moved = _resolved(built, arrays)
        made = apply_again(CALLS, given, operator, moved, row.subject, out, list(inputs.values()))

        def rebuilt() -> tuple[Operator | Deferred, list[Array]]:
            return _built(row, inputs, attributes, _open_type_of)

        own = list(arguments.values())
        waiting, read = with_known(built, arrays, own)
        kept = keep_for_any_sizes(CALLS, given, waiting, read, row.subject, lambda: with_known(*rebuilt(), own)[0])
        if not kept and built is not operator:
            keep_for_any_sizes(CALLS, given, operator, moved, row.subject, lambda: _resolved(*rebuilt())[0])
        return made


def _attribute(row: OnnxRow, name: str, value: Any) -> Any:
    """Return an argument as the attribute: an element type by its number, or its name where the version wants that."""
    attribute = next(one for one in row.attributes if one.name == name)
    if not attribute.limit.is_element_type:
        return value
    dtype = dtypes.find(value)
    if dtype.onnx is None:
        raise UnsupportedError(f"{name} is {dtype}, which ONNX does not have")
    return dtype.onnx.upper() if attribute.kind is Kind.STRING else number_of(dtype)


def _known(row: OnnxRow, argument: str) -> str:
    if argument in row.parameters or row.has_attribute(argument):
        return argument
    return FORMER_NAMES.get((row.name, argument), argument)


def _input(row: OnnxRow, parameter: Parameter, value: Any, others: dict[str, Array]) -> Array:
    """Return an argument as an array; a Python number takes the type of the input that it must agree with."""
    if parameter.types in (INDICES, LENGTHS):
        return as_indices(value, parameter.name)
    same = [p.name for p in row.inputs if p.type_name == parameter.type_name and p.name in others]
    if same and isinstance(value, (bool, int, float, str)) and not isinstance(value, np.generic):
        dtype = others[same[0]].dtype
        return typed_as(parameter.name, value, np.dtype(object) if dtype.kind in "UST" else dtype)
    return tensor(value, parameter.name)


def _built(
    row: OnnxRow, inputs: dict[str, Array], attributes: dict[str, Any], type_of: Callable[[Array], TensorType]
) -> tuple[Operator | Deferred, list[Array]]:
    """Return what a row makes of arguments whose arrays have these types, and the inputs in order."""
    kinds = {array.dtype for array in inputs.values() if array.dtype.kind in "USTO"}
    if len(kinds) > 1:  # strings of several widths
        inputs = {name: a.astype(object) if a.dtype in kinds else a for name, a in inputs.items()}
    types = [type_of(inputs[name]) if name in inputs else None for name in row.parameters]
    built = bind(row, types, attributes)
    assert not isinstance(built, np.ndarray)  # the constant is no function
    return built, [inputs[name] for name in arranged(row, {name: 0 for name in row.parameters if name in inputs})]


def _resolved(built: Operator | Deferred, given: list[Array]) -> tuple[Operator, list[Array]]:
    """Return the operator on these inputs, and those of them that it moves."""
    if not isinstance(built, Deferred):
        return built, given
    waiting = dict(built.from_inputs).values()
    moved = [array for position, array in enumerate(given) if position not in waiting]
    return built.resolve(dict(enumerate(given))), moved


def row_of(name: str, opset: Any) -> OnnxRow:
    """Return the row of an operator that holds in an opset; errors name the operator."""
    try:
        return find_row(name, as_int("opset", opset))
    except WherryError as error:
        error.subject = f"ONNX {name}"
        raise


def bound(
    row: OnnxRow,
    inputs: Sequence[Array],
    attributes: dict[str, Any],
    output_count: int = 1,
    type_of: Callable[[Array], TensorType] | None = None,
) -> Any:
    """Return the operator for these arrays; what waits for the values of inputs gets them."""
    operator = bind(row, list(map(type_of or _type_of, inputs)), attributes, output_count)
    if isinstance(operator, Deferred):
        return operator.resolve(dict(enumerate(inputs)))
    return operator


def _type_of(array: Array) -> TensorType:
    """Return the type of an array as ONNX knows it: strings of any width, numbers of any byte order."""
    return TensorType(dtypes.of(array.dtype) or array.dtype, array.shape)


def _open_type_of(array: Array) -> TensorType:
    """Return the type of an array as if its sizes were not known."""
    return _type_of(array).with_sizes([None] * array.ndim)


def tensor(value: Any, field: str) -> Array:
    """Return `value` as an array; one of objects must hold strings, the only ONNX type that NumPy keeps so."""
    array = as_array(value, field)
    refuse_objects(array, field, f"{TEXTS}; sequences of tensors and optional values are not supported")
    return array.astype(object) if array.dtype.kind == "T" else array
