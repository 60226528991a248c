"""Properties of ONNX models: operators that move elements."""

from __future__ import annotations

import numpy as np

from wherry.runtimes.case import Case
from wherry.runtimes.conditions import named
from wherry.runtimes.properties.places import named_twice
from wherry.runtimes.values import VALUES, any_outside, bits_of


@named("the axis is not the last one")
def _by_rows(case: Case) -> bool:
    return bool(case.inputs[0].ndim > 1) and case.attributes.get("axis", 0) not in (-1, case.inputs[0].ndim - 1)


@named("two of more than 1000 updates are for one place")
def _meets_on_threads(case: Case) -> bool:
    """Several threads share the rows of a ScatterND where there are so many."""
    data, indices, updates = case.inputs
    return bool(updates.size > 1000) and named_twice(data, indices)


@named("an index is outside, and the result is empty")
def _gathers_nothing(case: Case) -> bool:
    data, indices = case.inputs
    batch = case.attributes.get("batch_dims", 0)
    along = data.shape[batch : batch + indices.shape[-1]]
    if len(along) < indices.shape[-1] or 0 not in (*indices.shape[:-1], *data.shape[batch + len(along) :]):
        return False
    if not any_outside(indices, -min(along), min(along) - 1):
        return False
    return bool(((indices < -np.array(along, np.int64)) | (indices >= np.array(along, np.int64))).any())


@named("input 1 has tuples of no index")
def _no_index(case: Case) -> bool:
    return bool(case.inputs[1].shape[-1:] == (0,))


@named("batch_dims is the number of axes of indices, or more")
def _batches_alone(case: Case) -> bool:
    return bool(case.attributes.get("batch_dims", 0) >= case.inputs[1].ndim > 0)


@named("the batch axes of the inputs differ, but the tuples can be shared out evenly")
def _other_batches(case: Case) -> bool:
    batch, (data, indices) = case.attributes.get("batch_dims", 0), case.inputs
    count = max(1, int(np.prod(data.shape[:batch])))
    return bool(data.shape[:batch] != indices.shape[:batch]) and int(np.prod(indices.shape[:-1])) % count == 0


@named("an entry beyond the axis is true")
def _marks_beyond(case: Case) -> bool:
    data, condition = case.inputs
    axis = case.attributes.get("axis")
    size = data.size if axis is None else data.shape[axis] if -data.ndim <= axis < data.ndim else 0
    return bool(condition.size > size and condition[size:].any())


@named("a negative zero of input 1 is chosen, or one of input 2 that is repeated")
def _chosen_negative_zero(case: Case) -> bool:
    condition, first, second = case.inputs
    if first.dtype.hasobject or first.dtype.kind != "f":
        return False
    if not (VALUES["a negative zero"].of(first) or VALUES["a negative zero"].of(second)):
        return False
    try:
        chosen, of_first, of_second = np.broadcast_arrays(condition, first, second)
    except ValueError:
        return False
    is_lost = chosen & (of_first == 0) & np.signbit(of_first)
    if np.broadcast(condition, second).shape != chosen.shape:
        is_lost = is_lost | (~chosen & (of_second == 0) & np.signbit(of_second))
    return bool(is_lost.any())


@named("NaN of different bits, or a NaN and an infinity")
def _several_nan(case: Case) -> bool:
    numbers = [array for array in case.inputs if array.dtype.kind == "f"]
    if not any(VALUES["a NaN"].of(array) for array in numbers):
        return False
    found = {bits for array in numbers for bits in bits_of(array)[np.isnan(array)].tolist()}
    return len(found) > 1 or (len(found) == 1 and any(np.isinf(array).any() for array in numbers))


@named("an axis is negative")
def _negative_axis(case: Case) -> bool:
    return any(axis < 0 for axis in [case.attributes.get("axis", 0), *_axes(case)])


def _axes(case: Case) -> list[int]:
    """The axes that a Slice, Squeeze or Unsqueeze names, as attribute or as input."""
    if "axes" in case.attributes:
        return list(case.attributes["axes"])
    place = {"Slice": 3, "Squeeze": 1, "Unsqueeze": 1}.get(case.operator, len(case.inputs))
    return list(case.inputs[place].tolist()) if len(case.inputs) > place else []


@named("an axis is named twice")
def _axis_twice(case: Case) -> bool:
    named_axes = _axes(case)
    if len(named_axes) < 2:
        return False
    axes = [axis % max(1, case.inputs[0].ndim) for axis in named_axes]
    return len(set(axes)) < len(axes)


@named("num_outputs leaves exactly the last part empty")
def _leaves_an_empty_part(case: Case) -> bool:
    data, axis, parts = case.inputs[0], case.attributes.get("axis", 0), case.attributes["num_outputs"]
    if not -data.ndim <= axis < data.ndim or parts < 1:
        return False
    return bool(-(-data.shape[axis] // parts) * (parts - 1) == data.shape[axis])


@named("there are more outputs than num_outputs")
def _fewer_counted(case: Case) -> bool:
    return bool(case.attributes["num_outputs"] < case.outputs)


@named("there are fewer outputs than num_outputs")
def _more_counted(case: Case) -> bool:
    return bool(case.attributes["num_outputs"] > case.outputs)


@named("an input without elements has other sizes, the axis aside")
def _empty_of_other_sizes(case: Case) -> bool:
    axis = case.attributes.get("axis", 0)
    if all(array.size for array in case.inputs):
        return False
    others = {np.delete(array.shape, axis).tobytes() for array in case.inputs if -array.ndim <= axis < array.ndim}
    return len(others) > 1 or len({array.ndim for array in case.inputs}) > 1


@named("a step is negative where an end is INT_MAX")
def _backwards_to_the_most(case: Case) -> bool:
    most, steps = (2**31 - 1, 2**63 - 1), case.inputs[4]
    if isinstance(steps, np.ndarray) and not (steps < 0).any():
        return False
    return any(step < 0 and end in most for end, step in zip(case.inputs[2], case.inputs[4], strict=False))


def _pads(case: Case) -> list[tuple[int, int, int]]:
    """Size, begin and end of each axis of a Pad."""
    data = case.inputs[0]
    pads = case.attributes.get("pads", case.attributes.get("paddings"))
    pads = case.inputs[1].tolist() if pads is None else pads
    axes = case.inputs[3].tolist() if len(case.inputs) > 3 else range(data.ndim)
    half = len(pads) // 2
    return [(data.shape[axis], pads[n], pads[n + half]) for n, axis in enumerate(axes)]


def _left(size: int, begin: int, end: int) -> int:
    return max(0, size + min(begin, 0) + min(end, 0))


@named("more is mirrored than is left, less one")
def _mirrors_far(case: Case) -> bool:
    return any(max(b, e) > 0 and max(b, e) > _left(size, b, e) - 1 for size, b, e in _pads(case))


@named("nothing is left to read on an axis")
def _reads_nothing(case: Case) -> bool:
    return any(_left(*pad) == 0 for pad in _pads(case)) or 0 in case.inputs[0].shape


@named("input 1 has 0 and -1")
def _zero_and_rest(case: Case) -> bool:
    return {0, -1} <= set(case.inputs[1].tolist())


@named("adding delta again and again gives other numbers")
def _accumulates(case: Case) -> bool:
    start, limit, delta = case.inputs
    if delta.dtype.kind != "f" or delta == 0:
        return False
    count = max(0, int(np.ceil(float(limit - start) / float(delta))))
    steps = np.full(count, delta)
    steps[:1] = start
    return not np.array_equal(np.add.accumulate(steps), start + np.arange(count).astype(delta.dtype) * delta)


@named("there are slices along the axis, without elements")
def _empty_slices(case: Case) -> bool:
    return bool(case.inputs[0].size == 0) and bool(case.inputs[0].shape[case.attributes["axis"]] > 0)


@named("the image has three axes or more, and a dilation above 1")
def _dilated(case: Case) -> bool:
    return bool(case.inputs[1].size > 2) and max(case.attributes.get("dilations", [1])) > 1


@named("the image has one axis")
def _one_axis(case: Case) -> bool:
    return bool(case.inputs[1].size < 2)
