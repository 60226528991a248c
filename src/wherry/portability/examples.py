"""Examples of rules: for each rule in which dialects differ, a small node whose result depends on it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes, ops
from wherry.engine.call import apply
from wherry.errors import WherryError, cut
from wherry.graph import Deferred
from wherry.moves import Negative, Reduction
from wherry.ops import Operator
from wherry.portability.reading import Parting
from wherry.rewrite.known import KnownNode
from wherry.runtimes.case_json import tensor_to_json

Array = NDArray[Any]


@dataclass(frozen=True)
class Example:
    """An operator without one of its rules, and inputs; `breaks` is the value for which the rule matters."""

    kind: Any
    fields: Mapping[str, Any]
    inputs: tuple[Array, ...]
    breaks: str

    def answer(self, field: str, value: object) -> dict[str, Any]:
        """Return the result under one value of the rule: tensors, or the text of an error."""
        try:
            operator: Operator = self.kind(**self.fields, **{field: value})
            with warnings.catch_warnings(action="ignore"):
                made = apply(operator, list(self.inputs), "")
        except WherryError as error:
            return {"refuses": cut(error.message)}
        return {"gives": [tensor_to_json(one) for one in made]}

    def as_json(self) -> dict[str, Any]:
        """Return the node: its operator, the fields that are given, but for the rule itself, and inputs."""
        fields = {name: _plain(value) for name, value in self.fields.items()}
        inputs = [tensor_to_json(array) for array in self.inputs]
        return {"operator": self.kind.__name__, "fields": fields, "inputs": inputs}


def _plain(value: Any) -> Any:
    if isinstance(value, (bool, int, float)):
        return value
    return np.asarray(value).tolist() if isinstance(value, (tuple, np.ndarray, np.generic)) else str(value)


_DATA = np.array([10, 20, 30, 40, 50], np.int32)
_UPDATES = np.array([1, 2], np.int32)
_OUT = np.array([3, 7])
_BACK = np.array([3, -1])
_TWICE = np.array([3, 3])
_FIRST = np.array([0, 1])
_NANS = np.array([np.nan, 1.0], np.float32)
_FLOATS = np.array([1.5, 3e9, -3e9], np.float32)
_OFF, _ON = np.array(0, np.int32), np.array(1, np.int32)


def _column(indices: Array) -> Array:
    return indices.reshape(-1, 1)


def _indexed(rule: str, places: Array, breaks: str) -> dict[tuple[object, str], Example]:
    """Return the examples of all operators with indices for one rule."""
    return {
        (kind, rule): Example(kind, {}, (_DATA, indices, *more), breaks)
        for kinds, more in ((_READS, ()), (_WRITES, (_UPDATES,)))
        for kind, indices in ((one, _column(places) if one in _TUPLES else places) for one in kinds)
    }


def _written(rule: str, places: Array, inputs: tuple[Array, Array], breaks: str, **fields: Any) -> Any:
    """Return the examples of all scatters for one rule."""
    data, updates = inputs
    return {
        (kind, rule): Example(kind, fields, (data, _column(places) if kind in _TUPLES else places, updates), breaks)
        for kind in _WRITES
    }


_READS = (ops.Gather, ops.GatherElements, ops.GatherND)
_WRITES = (ops.ScatterElements, ops.ScatterND, ops.ScatterUpdate)
_TUPLES = (ops.GatherND, ops.ScatterND)


def _one(kind: Any, rule: str, breaks: str, *inputs: Array, **fields: Any) -> dict[tuple[object, str], Example]:
    return {(kind, rule): Example(kind, fields, inputs, breaks)}


_SQUARE = _DATA[:4].reshape(2, 2)
_SMALL = np.array([[0]])

EXAMPLES: Mapping[tuple[object, str], Example] = {
    **_indexed("out_of_range", _OUT, "index 7 on an axis of size 5"),
    **_indexed("negative", _BACK, "index -1"),
    **_written("duplicates", _TWICE, (_DATA, _UPDATES), "two updates for element 3"),
    **_written("nan", _FIRST, (_NANS[::-1], _NANS), "an update of NaN, and an element", reduction=Reduction.MAX),
    **_written("use_init_val", _FIRST, (_DATA, _UPDATES), "a reduction", reduction=Reduction.ADD),
    **_one(ops.GatherElements, "off_axis", "indices of size 1 beside data of size 2", _SQUARE, _SMALL),
    **_one(ops.ScatterElements, "off_axis", "indices of size 1 beside data of size 2", _SQUARE, _SMALL,
           _DATA[:1, None]),
    **_one(ops.OneHot, "negative", "index -1", _BACK - 1, _OFF, _ON, depth=3),
    **_one(ops.OneHot, "fractional", "index 1.5", np.array([1.5], np.float32), _OFF, _ON, depth=3),
    **_one(ops.GatherND, "least_indices", "a tuple of no index", _DATA, np.zeros((1, 0), np.int64)),
    **_one(ops.ScatterND, "one_of_any_rank", "one update with an axis", _DATA, np.array([3]), _UPDATES[:1]),
    **_one(ops.Split, "uneven", "4 sections of an axis of size 5", _DATA, sections=4),
    **_one(ops.Reshape, "zero", "a 0 in the shape", _DATA, shape=(0,)),
    **_one(ops.Reshape, "undetermined", "a -1 beside a size of 0", np.zeros((0, 2), np.int32), shape=(0, -1)),
    **_one(ops.Squeeze, "empty", "an empty list of axes", _DATA[None], axes=()),
    **_one(ops.Squeeze, "other_sizes", "an axis of size 5 that is listed", _DATA, axes=(0,)),
    **_one(ops.Squeeze, "repeated", "axis 0 listed twice", _DATA[None], axes=(0, 0)),
    **_one(ops.Unsqueeze, "repeated", "axis 0 listed twice", _DATA, axes=(0, 0)),
    **_one(ops.Transpose, "empty", "an empty order", _DATA[None], perm=()),
    **_one(ops.Expand, "alignment", "a target of 1 for an axis of size 5", _DATA, shape=(1,)),
    **_one(ops.Tile, "lengths", "one repeat for two axes", _DATA[None], repeats=(2,)),
    **_one(ops.Tile, "negative", "a repeat of -1", _DATA, repeats=(-1,)),
    **_one(ops.Pad, "mixed_signs", "cropped and mirrored", _DATA, begins=(-2,), ends=(2,), mode="wrap"),
    **_one(ops.Pad, "beyond", "6 mirrored of 5", _DATA, begins=(6,), ends=(0,), mode="reflect"),
    **_one(ops.Pad, "overcrop", "6 cropped of 5", _DATA, begins=(-6,), ends=(0,)),
    **_one(ops.StridedSlice, "masked_shrink", "an entry that is masked and shrunk", _DATA, begin=(2,), end=(3,),
           begin_mask=(1,), shrink_axis_mask=(1,)),
    **_one(ops.Compress, "longer", "a true entry beyond the axis", _DATA[:1], condition=np.array([True, True]), axis=0),
    **_one(ops.ReverseSequence, "too_long", "a length of 7 on an axis of size 5", _DATA[None], lengths=np.array([7]),
           time_axis=1, batch_axes=(0,)),
    **_one(ops.Unique, "nan", "two NaN", data=np.full(2, np.nan, np.float32)),
    **_one(ops.NonZero, "scalar", "an element without axes", data=np.array(1, np.int32)),
    **_one(ops.Col2Im, "unbatched", "windows without a batch axis", np.ones((1, 1), np.float32), image_shape=(1, 1),
           block_shape=(1, 1)),
    **_one(ops.Range, "steps", "steps of 0.1", start=np.float32(0), delta=np.float32(0.1), limit=np.float32(1)),
    **_one(ops.Cast, "float_overflow", "3e9 as float8_e5m2", _FLOATS, to=dtypes.find("float8_e5m2")),
    **_one(ops.Cast, "float_to_integer", "3e9 as int32", _FLOATS, to=dtypes.find("int32")),
    **_one(ops.Cast, "integer_overflow", "300 as int8", np.array([300]), to=dtypes.find("int8")),
    **_one(ops.Cast, "rounding", "numbers between powers of two", np.array([1.1, 1.5, 1.7, 3.0], np.float32),
           to=dtypes.find("float8_e8m0fnu")),
    **_one(ops.Cast, "nan_is_true", "NaN as bool", _NANS, to=dtypes.find("bool")),
    **_one(ops.Cast, "float_text", "a third as text", np.array([1 / 3]), to=dtypes.find("string")),
}  # fmt: skip


@lru_cache(256)
def _answers(
    maker: object, field: str, own: object, other: object
) -> tuple[dict[str, Any], dict[str, Any], str] | None:
    example = EXAMPLES.get((maker, field))
    if example is None:
        return None
    answers = {"rule": example.answer(field, own), "other_rule": example.answer(field, other), "source": "computed"}
    return example.as_json(), answers, example.breaks


def example_of(parting: Parting, operator: Operator | Deferred) -> tuple[dict[str, Any], dict[str, Any], str] | None:
    """Return an example of a rule, both results, and the value for which the rule matters; None if there is none."""
    made = (operator.makes or operator.build) if isinstance(operator, Deferred) else type(operator)
    kind: Any = ops.Pad if made is ops.pad_of_pairs else made
    found = _answers(kind, parting.rule.field, parting.own, parting.other)
    return found if found is not None and found[1]["rule"] != found[1]["other_rule"] else None


def edge_of(parting: Parting, known: KnownNode) -> str:
    """Return as text the condition on elements at run under which the rule matters."""
    field, sizes = parting.rule.field, known.positions()
    if field == "out_of_range":
        if known.indices_value is not None:
            return _too_short(known.indices_value)
        if sizes is None or KnownNode.positions(known) is None:  # an axis is taken to have an element
            return "an index leaves its axis, whose size is not known"
        least = -sizes if known.field("negative") == Negative.FROM_END else np.zeros_like(sizes)
        ends = dict.fromkeys(f"{low}..{size - 1}" for low, size in zip(least.tolist(), sizes.tolist(), strict=True))
        return f"an index leaves {' or '.join(ends)}"
    if field == "negative":
        return "an index is negative"
    return _EDGES.get(field, "")


def _too_short(indices: Array) -> str:
    """Return as text the least size of an axis that constant indices need."""
    if not indices.size:
        return "an index leaves its axis"
    least = max(int(indices.max()) + 1, -int(indices.min()))
    return f"the axis, whose size is not known, has fewer than {least} elements"


_EDGES: Mapping[str, str] = {
    "duplicates": "an element is updated twice",
    "nan": "an element is NaN",
    "fractional": "an index has a fraction",
    "too_long": "a length is beyond the axis",
    "float_overflow": "a number is beyond the new type",
    "float_to_integer": "a number is beyond the new type",
    "integer_overflow": "a number is beyond the new type",
    "rounding": "a number lies between two of the new type",
    "nan_is_true": "an element is NaN",
    "float_text": "a number needs more digits, or an exponent",
    "steps": "a step is rounded",
}
"""When rules about elements matter."""
