"""Properties of OpenVINO models that several families share."""

from __future__ import annotations

from typing import Any

from wherry.runtimes.case import Case
from wherry.runtimes.conditions import named
from wherry.runtimes.values import any_outside

_OF_TWO = (
    "Add", "Divide", "Equal", "FloorMod", "Greater", "GreaterEqual", "Less", "LessEqual", "Maximum", "Minimum", "Mod",
    "Multiply", "NotEqual", "Subtract",
)  # fmt: skip

_MOVED = {
    "Eye": (),
    "GatherTree": (0, 1, 2, 3),
    "OneHot": (2, 3),
    "Pad": (0, 3),
    "Range": (),
    "ScatterElementsUpdate": (0, 2),
    "ScatterNDUpdate": (0, 2),
    "ScatterUpdate": (0, 2),
    "Select": (1, 2),
    "ShapeOf": (),
    "SliceScatter": (0, 1),
    "StringTensorPack": (0, 1, 2),
    **dict.fromkeys(_OF_TWO, (0, 1)),
}
"""The inputs whose elements an operation moves, by its name; all of a Concat, the first of any other."""


def elements_of(case: Case) -> list[tuple[str, Any]]:
    """Return the inputs whose elements the operation moves."""
    positions = range(len(case.inputs)) if case.operator == "Concat" else _MOVED.get(case.operator, (0,))
    return [(case.kind(number), case.inputs[number]) for number in positions if number < len(case.inputs)]


def beyond_int32(values: Any) -> bool:
    """Whether a number is none of 32 bits."""
    return any_outside(values, -(2**31), 2**31 - 1)


@named("sizes are known when the model is loaded")
def static(case: Case) -> bool:
    """Whether no size is left to the run."""
    return not case.is_dynamic or all(value.ndim == 0 for _, value in case.given)


@named("some elements are read at run")
def not_all_constant(case: Case) -> bool:
    """Whether an input is no constant."""
    return len(case.constants) < len(case.inputs)


@named("no input is constant")
def no_constant(case: Case) -> bool:
    """Whether no input is one."""
    return not case.constants


@named("data has several elements")
def several_elements(case: Case) -> bool:
    """Whether the first input has more than one."""
    return bool(case.inputs[0].size > 1)
