"""Models of one node that are bad on purpose, each in one way: OpenVINO and wherry both refuse them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from tests.differential.openvino_data import Draw, array
from wherry.runtimes.case import Case

_WORDS = ("mode", "pad_mode", "reduction", "auto_pad", "negative_indices_mode")
_AXES = ("axis", "batch_axis", "seq_axis")
_INTEGERS = {
    "Broadcast": 1, "Gather": 1, "GatherElements": 1, "GatherND": 1, "OneHot": 0, "Pad": 1, "Reshape": 1,
    "Roll": 2, "ScatterElementsUpdate": 1, "ScatterNDUpdate": 1, "ScatterUpdate": 1, "Slice": 1,
    "SliceScatter": 2, "Split": 1, "StridedSlice": 1, "Tile": 1, "Transpose": 1, "Unsqueeze": 1, "VariadicSplit": 1,
}  # fmt: skip
"""An input of each operation that holds integers."""

_OF_ONE_TYPE = {
    "Concat": (0, 1), "GatherTree": (0, 1), "OneHot": (2, 3), "Pad": (0, 3), "ScatterElementsUpdate": (0, 2),
    "ScatterNDUpdate": (0, 2), "ScatterUpdate": (0, 2), "Select": (1, 2), "SliceScatter": (0, 1),
}  # fmt: skip
"""Two inputs of each operation that have one element type."""


def _with(case: Case, position: int, kind: str, value: np.ndarray) -> Case:
    inputs, kinds = list(case.inputs), list(case.kinds)
    inputs[position], kinds[position] = value, kind
    return replace(case, inputs=tuple(inputs), kinds=tuple(kinds))


def word(case: Case) -> Case | None:
    """An attribute has a value that its page does not list."""
    name = next((name for name in _WORDS if name in case.attributes), None)
    return name and replace(case, attributes={**case.attributes, name: "neither"})


def axis(case: Case) -> Case | None:
    """An axis is not there."""
    name = next((name for name in _AXES if name in case.attributes), None)
    return name and replace(case, attributes={**case.attributes, name: "7"}, is_dynamic=False)


def fraction(case: Case) -> Case | None:
    """Integers are floats."""
    position = _INTEGERS.get(case.operator)
    if position is None or position >= len(case.inputs):
        return None
    return _with(case, position, "f32", case.inputs[position].astype(np.float32))


def other_type(case: Case) -> Case | None:
    """Two inputs of one element type have two."""
    first, second = _OF_ONE_TYPE.get(case.operator, (0, len(case.inputs)))
    if second >= len(case.inputs):
        return None
    kind = "i16" if case.kinds[first] != "i16" else "f32"
    return _with(case, second, kind, np.zeros(case.inputs[second].shape, array(kind, 0).dtype))


def later(case: Case) -> Case | None:
    """The opset is not there."""
    return replace(case, version=40)


def fewer(case: Case) -> Case | None:
    """The inputs end before the second one."""
    if len(case.inputs) < 2 or case.operator in ("Concat", "Squeeze", "Unique"):
        return None
    constants = frozenset(number for number in case.constants if number < 1)
    return replace(case, inputs=case.inputs[:1], kinds=case.kinds[:1], constants=constants)


SPOILERS: tuple[Callable[[Case], Case | None], ...] = (word, axis, fraction, other_type, later, fewer)


def spoiled(draw: Draw, case: Case) -> Case:
    """Return a case spoiled in one of the ways that it can be."""
    return draw(st.sampled_from([bad for bad in (spoil(case) for spoil in SPOILERS) if bad]))
