"""What the lists of OpenVINO's differences are written with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from tests.differential.conditions import Condition, named
from tests.differential.difference import Difference
from tests.differential.openvino_data import array
from tests.differential.openvino_runtime import OpenVINOCase

VERSION = "2026.4.1"
SOURCE = "https://github.com/openvinotoolkit/openvino/blob/master/src"
NODES = f"{SOURCE}/plugins/intel_cpu/src/nodes"

Change = Callable[[OpenVINOCase], OpenVINOCase]
"""Makes a neighbour of an entry's example."""

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
}
"""The inputs whose elements an operation moves, by its name; all of a Concat, the first of any other."""


def model(operator: str, version: int, *tensors: tuple[str, Any], **rest: Any) -> OpenVINOCase:
    """Return a model of element types and values."""
    arrays = tuple(array(kind, value) for kind, value in tensors)
    return OpenVINOCase(operator, version, arrays, kinds=tuple(kind for kind, _ in tensors), **rest)


def but(
    inputs: dict[int, tuple[str, Any]] | None = None, attributes: dict[str, str] | None = None, **fields: Any
) -> Change:
    """Return the change to other inputs, attributes (over those that are there) or fields."""

    def changed(case: OpenVINOCase) -> OpenVINOCase:
        arrays, kinds = list(case.inputs), list(case.kinds)
        for position, (kind, value) in (inputs or {}).items():
            arrays[position], kinds[position] = array(kind, value), kind
        joined = {**case.attributes, **(attributes or {})}
        return replace(case, inputs=tuple(arrays), kinds=tuple(kinds), attributes=joined, **fields)

    return changed


def known(*positions: int) -> Change:
    """Return the change to these constants, and to sizes that are known."""
    return but(constants=frozenset(positions), is_dynamic=False)


def difference(
    name: str,
    reason: str,
    link: str,
    when: Condition,
    example: OpenVINOCase,
    *changes: Change,
    neighbours: tuple[OpenVINOCase, ...] = (),
    **more: Any,
) -> Difference:
    """Return an entry of the version that all of them were seen with; `changes` make neighbours of the example."""
    beside = (*(change(example) for change in changes), *neighbours)
    return Difference(name, "openvino", VERSION, reason, link, when, example, beside, **more)


def elements_of(case: OpenVINOCase) -> list[tuple[str, np.ndarray]]:
    """Return the inputs whose elements the operation moves."""
    positions = range(len(case.inputs)) if case.operator == "Concat" else _MOVED.get(case.operator, (0,))
    return [(case.kind(number), case.inputs[number]) for number in positions if number < len(case.inputs)]


def beyond_int32(values: np.ndarray) -> bool:
    return values.size > 0 and not -(2**31) <= int(values.min()) <= int(values.max()) < 2**31


@named("sizes are known when the model is loaded")
def static(case: OpenVINOCase) -> bool:
    return not case.is_dynamic or all(value.ndim == 0 for _, value in case.given)


@named("some elements are read at run")
def not_all_constant(case: OpenVINOCase) -> bool:
    return len(case.constants) < len(case.inputs)


@named("no input is constant")
def no_constant(case: OpenVINOCase) -> bool:
    return not case.constants


@named("data has several elements")
def several_elements(case: OpenVINOCase) -> bool:
    return case.inputs[0].size > 1
