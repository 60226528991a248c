"""Properties of OpenVINO models: Gather, Concat, and types of any operation."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from wherry.runtimes.case import Case
from wherry.runtimes.conditions import named
from wherry.runtimes.properties.indices import outside_axes
from wherry.runtimes.properties.openvino_models import beyond_int32, elements_of, static
from wherry.runtimes.values import VALUES, any_outside


def _parts(case: Case) -> tuple[Any, Any, int, int]:
    data, indices, axis = case.inputs
    batch_dims = int(case.attributes.get("batch_dims", 0))
    batch_dims += indices.ndim if batch_dims < 0 else 0
    return data, indices, int(axis.reshape(())) % data.ndim, batch_dims


@named("an index is out of range")
def _outside(case: Case) -> bool:
    data, indices, axis, _ = _parts(case)
    size = data.shape[axis]
    return any_outside(indices, -size if case.version >= 8 else 0, size - 1)


@named("the axis has size 0, and there are indices")
def _empty_axis(case: Case) -> bool:
    data, indices, axis, _ = _parts(case)
    return bool(data.shape[axis] == 0) and bool(indices.size > 0)


@named("data or indices are empty")
def _empty(case: Case) -> bool:
    return any(0 in one.shape for one in case.inputs[:2])


@named("data and indices are vectors of up to 64 elements")
def _short(case: Case) -> bool:
    return all(one.ndim <= 1 and one.size <= 64 for one in case.inputs[:2])


@named("batch_dims is not 0, and one element stands before the axis")
def _one_batch(case: Case) -> bool:
    data, _, axis, batch_dims = _parts(case)
    return batch_dims > 0 and prod(data.shape[:axis]) == 1


@named("data and result have one element on the axis")
def _one_element(case: Case) -> bool:
    data, indices, axis, batch_dims = _parts(case)
    return bool(data.shape[axis] == 1) and indices.ndim == batch_dims + 1 and bool(indices.shape[-1] == 1)


@named("data is no input of the model, or the result none of its results")
def _dropped(case: Case) -> bool:
    return 0 in case.constants or case.is_within


@named("all is constant, or data are strings, or there is one constant index")
def _left_to_the_reference(case: Case) -> bool:
    is_one = 1 in case.constants and bool(case.inputs[1].size == 1) and static.holds(case)
    return len(case.constants) == 3 or case.kinds[0] == "string" or is_one


@named("a constant of f32, f64 or bf16 has a number that is subnormal as f32")
def _subnormal_constants(case: Case) -> bool:
    constants = [case.inputs[number] for number in case.constants if case.kinds[number] in ("f32", "f64", "bf16")]
    numbers = [np.abs(one.astype(np.float64)) for one in constants]
    return any(((one > 0) & (one < np.finfo(np.float32).smallest_normal)).any() for one in numbers)


@named("an index is beyond i32")
def _far_index(case: Case) -> bool:
    return beyond_int32(case.inputs[0 if case.operator == "OneHot" else 1])


@named("an index of a tuple is outside its axis")
def _outside_tuples(case: Case) -> bool:
    data, tuples = case.inputs
    batch = int(case.attributes.get("batch_dims", 0))
    return outside_axes(tuples, data.shape[batch : batch + tuples.shape[-1]])


@named("an index is below the first position of the axis")
def _before_the_axis(case: Case) -> bool:
    data, indices, _, axis = case.inputs
    return any_outside(indices, -data.shape[int(axis.reshape(()))], 2**64)


def _beyond_float32(value: Any) -> bool:
    """Whether a conversion to f32 and back changes bits; an infinity becomes the greatest number."""
    with np.errstate(all="ignore"):
        back = np.ascontiguousarray(value.astype(np.float32).astype(np.float64))
    return bool(np.isinf(value).any()) or back.tobytes() != np.ascontiguousarray(value).tobytes()


@named("moved elements of i64, u64 or u32 are beyond i32, or those of f64 are no finite f32")
def _wide_data(case: Case) -> bool:
    return any(
        _beyond_float32(value) if kind == "f64" else kind in ("i64", "u64", "u32") and beyond_int32(value)
        for kind, value in elements_of(case)
    )


@named("moved elements of f16 have a signalling NaN")
def _signalling(case: Case) -> bool:
    return any(kind == "f16" and VALUES["a signalling NaN"].of(value) for kind, value in elements_of(case))


@named("all inputs are constants, there are batch_dims, and the indices of all batches together are 0..d-1 in order")
def _whole_axis_of_batches(case: Case) -> bool:
    _, indices, axis, batch_dims = _parts(case)
    if batch_dims == 0 or len(case.constants) < len(case.inputs):
        return False
    return bool(indices.reshape(-1).tolist() == list(range(case.inputs[0].shape[axis])))


@named("one input has elements, and it is no constant")
def _one_full_input(case: Case) -> bool:
    full = [number for number, value in enumerate(case.inputs) if value.size]
    return len(full) == 1 and full[0] not in case.constants
