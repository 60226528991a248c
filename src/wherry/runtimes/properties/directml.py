"""Properties of DirectML's operators.

A case's inputs are the input tensors in the order of the operator's struct, its attributes the other members as
DxDispatch spells them in JSON (an output tensor's `Sizes` too), its version the number of the feature level.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wherry.runtimes.case import Case
from wherry.runtimes.conditions import named
from wherry.runtimes.properties.indices import elements_named_twice, outside_axes, outside_axis
from wherry.runtimes.properties.places import named_twice
from wherry.runtimes.values import any_equal, any_outside, any_whole_outside, is_float


@named("an index is beyond the ends of the axis")
def _outside(case: Case) -> bool:
    return outside_axis(case.inputs[1], case.inputs[0].shape[case.attributes["Axis"]])


def _tuple_sizes(case: Case) -> Any:
    """The sizes of the axes that a tuple of indices names."""
    data, indices = case.inputs[:2]
    first = data.ndim - case.attributes["InputDimensionCount"] + case.attributes.get("BatchDimensionCount", 0)
    return data.shape[first : first + indices.shape[-1]]


@named("an index of a tuple is beyond the ends of its axis")
def _outside_tuples(case: Case) -> bool:
    return outside_axes(case.inputs[1], _tuple_sizes(case))


@named("an index is below the first position of the output's axis")
def _below_the_output(case: Case) -> bool:
    return any_outside(case.inputs[0], -case.attributes["OutputTensor"]["Sizes"][case.attributes["Axis"]], np.inf)


@named("two updates are for one element")
def _updated_twice(case: Case) -> bool:
    data, indices = case.inputs[:2]
    return elements_named_twice(data, indices, case.attributes["Axis"])


@named("two updates are for one element or slice")
def _slice_updated_twice(case: Case) -> bool:
    data, indices = case.inputs[:2]
    first = data.ndim - case.attributes["InputDimensionCount"]
    if any(size != 1 for size in data.shape[:first]):
        return False
    return named_twice(np.broadcast_to(np.zeros(()), tuple(data.shape[first:])), indices)


@named("the outputs' sizes do not add up to that of the input's axis")
def _uneven(case: Case) -> bool:
    axis = case.attributes["Axis"]
    parts = [tensor["Sizes"][axis] for tensor in case.attributes["OutputTensors"]]
    return bool(sum(parts) != case.inputs[0].shape[axis])


@named("a size is 0")
def _no_elements(case: Case) -> bool:
    return any(0 in one.shape for one in case.inputs)


@named("a tensor has more than 8 axes")
def _many_axes(case: Case) -> bool:
    return any(one.ndim > 8 for one in case.inputs)


@named("a tensor has not 4 axes")
def _not_four_axes(case: Case) -> bool:
    return any(one.ndim != 4 for one in case.inputs)


@named("an axis of size 1 is padded")
def _one_element_mirrored(case: Case) -> bool:
    pads = zip(case.inputs[0].shape, case.attributes["StartPadding"], case.attributes["EndPadding"], strict=True)
    return any(size == 1 and start + end > 0 for size, start, end in pads)


_ENDS = {
    f"{sign}INT{bits}": (0, 2**bits - 1) if sign else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    for sign in ("", "U")
    for bits in (8, 16, 32, 64)
}


@named("a float has no integer of the output's type")
def _beyond_the_output(case: Case) -> bool:
    data, kind = case.inputs[0], case.attributes["OutputTensor"]["DataType"]
    if kind not in _ENDS or not is_float(data.dtype):
        return False
    least, most = _ENDS[kind]
    return any_whole_outside(data, least, most)


@named("an element is 0")
def _has_zeros(case: Case) -> bool:
    return any_equal(case.inputs[0], 0)
