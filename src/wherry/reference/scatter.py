"""Scatters by their formulas: ONNX ScatterElements, ScatterND, TensorScatter and their likes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.moves import Duplicates, NanRule, Reduction
from wherry.ops import ScatterElements, ScatterND, ScatterUpdate, Window
from wherry.ops.scatter import Scatter
from wherry.reference.gather import position

Array = NDArray[Any]
Place = tuple[int | None, ...]

_START = {Reduction.ADD: 0, Reduction.SUB: 0, Reduction.MEAN: 0, Reduction.MUL: 1}


class _Result:
    """The output while updates arrive one by one."""

    def __init__(self, operator: Scatter, data: Array, out: Array) -> None:
        self.operator, self.out = operator, out
        self.counts: dict[Place, int] = {}
        out[...] = data

    def write(self, place: Place, update: Any) -> None:
        """Combine one update with its element, if it has one."""
        if None in place:
            return
        seen = self.counts.get(place, 0)
        if seen and self.operator.duplicates is Duplicates.RAISE and self.operator.reduction is Reduction.NONE:
            raise ValueError(place)
        self.counts[place] = seen + 1
        reduction = self.operator.reduction
        if not seen and not self.operator.use_init_val and reduction is not Reduction.NONE:
            self.out[place] = start(reduction, self.out.dtype)
        self.out[place] = combined(reduction, self.out[place], update, self.operator.nan)

    def finish(self) -> None:
        """Divide the sums of a mean by the number of their terms."""
        if self.operator.reduction is not Reduction.MEAN:
            return
        for place, count in self.counts.items():
            parts = count + self.operator.use_init_val
            if self.out.dtype.kind in "iu":
                self.out[place] = int(self.out[place]) // parts
            else:
                self.out[place] = _rounded(np.float64(self.out[place]) / parts, self.out.dtype)


def start(reduction: Reduction, dtype: np.dtype[Any]) -> Any:
    """Return the initial value of a reduction without the data."""
    if reduction in _START:
        return np.array(_START[reduction]).astype(dtype)[()]
    largest = reduction is Reduction.MIN
    if dtype.kind == "b":
        return largest
    if dtype.kind in "iu":
        return np.iinfo(dtype).max if largest else np.iinfo(dtype).min
    return np.array(np.inf if largest else -np.inf).astype(dtype)[()]


def combined(reduction: Reduction, old: Any, update: Any, nan: NanRule) -> Any:
    """Return an element combined with one update."""
    boolean = isinstance(old, np.bool)
    with np.errstate(all="ignore"):
        if reduction in _START and type(old).__name__ == "bfloat16":
            return _rounded(combined(reduction, np.float32(old), np.float32(update), nan), np.dtype(type(old)))
        match reduction:
            case Reduction.NONE:
                return update
            case Reduction.ADD | Reduction.MEAN:
                return old | update if boolean else old + update
            case Reduction.SUB:
                return old ^ update if boolean else old - update
            case Reduction.MUL:
                return old & update if boolean else old * update
        return selected(reduction, old, update, nan)


def _rounded(number: np.floating[Any], dtype: np.dtype[Any]) -> Any:
    """Return a number in the type of the elements; a NaN keeps its payload, which ml_dtypes drops for bfloat16."""
    if dtype.name == "bfloat16" and np.isnan(number):
        return np.uint16(np.float32(number).view(np.uint32) >> 16).view(dtype)
    return number.astype(dtype)


def selected(reduction: Reduction, old: Any, update: Any, nan: NanRule) -> Any:
    """Return the lesser or the greater of two, one of them as it is."""
    if np.isnan(old) or np.isnan(update):
        first_nan = old if np.isnan(old) else update
        return {NanRule.PROPAGATE: first_nan, NanRule.UPDATE: update, NanRule.DATA: old}[nan]
    if old == update:
        return update if nan is NanRule.UPDATE else old
    return update if (update < old) == (reduction is Reduction.MIN) else old


def formula_elements(operator: ScatterElements, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out = data; out[c with c[axis] replaced by indices[c]] = reduction(.., updates[c])`."""
    data, indices, updates = inputs
    axis = operator.axis % data.ndim
    result = _Result(operator, data, outputs[0])
    for c in np.ndindex(updates.shape):
        place = position(int(indices[c]), data.shape[axis], operator.out_of_range, operator.negative)
        result.write((*c[:axis], place, *c[axis + 1 :]), updates[c])
    result.finish()


def formula_nd(operator: ScatterND, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out = data; out[indices[q.., 0], .., indices[q.., k-1], t..] = reduction(.., updates[q.., t..])`."""
    data, indices, updates = inputs
    length = indices.shape[-1]
    updates = updates.reshape(indices.shape[:-1] + data.shape[length:])
    result = _Result(operator, data, outputs[0])
    for q in np.ndindex(indices.shape[:-1]):
        place = [
            position(int(indices[(*q, k)]), data.shape[k], operator.out_of_range, operator.negative)
            for k in range(length)
        ]
        for t in np.ndindex(data.shape[length:]):
            result.write((*place, *t), updates[q + t])
    result.finish()


def formula_of_update(operator: ScatterUpdate, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out = data; out[p.., indices[p[:batch_dims].., i..], t..] = reduction(.., updates[p.., i.., t..])`."""
    data, updates = inputs[0], inputs[-1]
    axis, batch = operator.axis % data.ndim, operator.batch_dims
    indices = inputs[1] if len(inputs) > 2 else np.zeros(data.shape[:batch], np.int64)
    rules = operator.out_of_range, operator.negative
    size = data.shape[axis]
    end = axis + indices.ndim - batch
    result = _Result(operator, data, outputs[0])
    limit = size
    if operator.window is Window.LINEAR:
        limit = size - updates.shape[axis] + 1
    elif operator.window is Window.CIRCULAR:
        limit = 2**63 - 1
    places = {p: position(int(indices[p]), limit, *rules) for p in np.ndindex(indices.shape)}
    for c in np.ndindex(updates.shape):
        if operator.window is Window.NONE:
            result.write((*c[:axis], places[c[:batch] + c[axis:end]], *c[end:]), updates[c])
            continue
        first = places[c[:batch]]
        at = None if first is None else (first + c[axis]) % size
        result.write((*c[:axis], at, *c[axis + 1 :]), updates[c])
    result.finish()
