"""Arrays that a caller gives for a model's outputs: which are taken, and how they are written."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import _core, errors
from wherry.arguments import as_entries, as_mapping
from wherry.engine.call import check_out
from wherry.engine.plan import Plan
from wherry.errors import InvalidTypeError, InvalidValueError, short
from wherry.layout import Layout
from wherry.limits import new_array
from wherry.moves.copy import copy_array
from wherry.tensors import TensorType

Array = NDArray[Any]

_MOST_WORK = 10**6
"""How many steps the search for an element that two arrays share may take; arrays beyond it count as sharing one."""


def given_outputs(out: Mapping[str, Array] | Sequence[Array], names: Collection[str]) -> dict[str, Array]:
    """Return the arrays by the names of the outputs.

    Raises InvalidTypeError for what is no NumPy array, InvalidValueError for other names, for more arrays than outputs,
    and for arrays that share memory with each other.
    """
    listed = errors.cut(", ".join(map(repr, names)) or "none")
    if isinstance(out, Mapping):
        given = as_mapping("out", out)
    else:
        arrays = as_entries("out", out, "a mapping by name, or a sequence of arrays")
        if len(arrays) > len(names):
            raise InvalidValueError(f"out has {len(arrays)} arrays, allowed {len(names)}: {listed}")
        given = dict(zip(names, arrays, strict=False))
    for name, array in given.items():
        if name not in names:
            raise InvalidValueError(f"out has {short(name)}, allowed {listed}")
        if not isinstance(array, np.ndarray):
            raise InvalidTypeError(f"out for {short(name)} is a {type(array).__name__}, allowed a NumPy array")
    for (first, one), (second, other) in combinations(given.items(), 2):
        if _share_memory(one, other):
            raise InvalidValueError(f"out for {short(first)} shares memory with that for {short(second)}, allowed "
                                    "arrays of their own")  # fmt: skip
    return given


def into(results: Sequence[Array], out: Sequence[Array] | None, subject: str) -> list[Array]:
    """Return results, which may be views of inputs, in the arrays of `out`, one for each, if these are given.

    All of them are looked at before the first is written; see `check_out` for what is refused, and arrays that share
    memory with each other.
    """
    if out is None:
        return list(results)
    if _core.write_results(results, out):
        return list(out)
    with errors.subject(subject):
        given = as_entries("out", out, "a sequence of arrays, one for each result")
        if len(given) != len(results):
            raise InvalidValueError(f"out has {len(given)} arrays, allowed {len(results)}: one for each result")
        for number, (array, result) in enumerate(zip(given, results, strict=True)):
            with errors.renamed({"out": f"out[{number}]"}):
                check_out(array, TensorType.of(result), result.dtype)
        for (first, one), (second, other) in combinations(enumerate(given), 2):
            if _share_memory(one, other):
                raise InvalidValueError(f"out[{second}] shares memory with out[{first}], allowed arrays of their own")
    if any(np.may_share_memory(array, result) for array in given for result in results):
        results = [result.copy() for result in results]
    for array, result in zip(given, results, strict=True):
        copy_array(result, array)
    return list(given)


def layouts_of(given: Mapping[str, Array]) -> dict[str, Layout]:
    """Return how the arrays lie that a plan can write to: those whose strides are multiples of the element."""
    return {name: Layout.of(array) for name, array in given.items() if _has_layout(array)}


def run_into(plan: Plan, inputs: Mapping[str, Array], given: Mapping[str, Array]) -> dict[str, Array]:
    """Run a plan that was made for the layouts of the given arrays, and return all outputs."""
    types = {name: TensorType(view.dtype, view.layout.sizes) for name, view in plan.outputs.items()}
    _check(given, types)
    targets = {
        name: given[name] if name in given and _has_layout(given[name]) else new_array(kind.shape, kind.numpy)
        for name, kind in types.items()
    }
    return written(plan.run(inputs, targets), given)


def written(results: dict[str, Array], given: Mapping[str, Array]) -> dict[str, Array]:
    """Return results, those for which an array is given in that array. Raises for arrays that do not fit, as `out`."""
    _check(given, {name: TensorType.of(results[name]) for name in given})
    for name, array in given.items():
        if results[name] is not array:
            array[...] = results[name]
    return {**results, **given}


def _check(given: Mapping[str, Array], types: Mapping[str, TensorType]) -> None:
    for name, array in given.items():
        with errors.subject(f"output {short(name)}"):
            check_out(array, types[name], types[name].numpy)


def _has_layout(array: Array) -> bool:
    return all(stride % array.itemsize == 0 for stride in array.strides)


def _share_memory(one: Array, other: Array) -> bool:
    try:
        return np.shares_memory(one, other, max_work=_MOST_WORK)  # type: ignore[arg-type]  # any integer, says NumPy
    except np.exceptions.TooHardError:
        return True
