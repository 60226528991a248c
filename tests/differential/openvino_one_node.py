"""A model of one node of OpenVINO: its opset, inputs and attributes, drawn or given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from tests.differential.openvino_data import (
    Draw,
    Named,
)
from wherry.dialects.openvino.row import OpenVINORow
from wherry.runtimes.case import Case


def case(
    draw: Draw,
    row: OpenVINORow,
    tensors: Sequence[Named],
    attributes: dict[str, Any] | None = None,
    count: int = 1,
    may_wait: bool = True,
    is_dynamic: bool | None = None,
) -> Case:
    """Return a model of one node: value inputs are constants, or known only at run in a model of unknown sizes."""
    is_dynamic = draw(st.booleans()) if is_dynamic is None else is_dynamic
    values = {number for number in range(len(tensors)) if row.inputs[number].field is not None}
    constants, sized = values, frozenset(values)
    if row.name == "GatherND":
        sized = frozenset({1})  # the plugin must know the number of axes of the result
    if is_dynamic and may_wait and not any(one.is_constant or one.is_kept for one in row.inputs):
        constants = draw(st.sampled_from([values, set()]))
    if row.inputs[0].is_kept:
        constants = values - {0}
    return Case(
        row.name,
        opset_of(draw, row),
        tuple(value for _, value in tensors),
        {name: spelled(value) for name, value in (attributes or {}).items()},
        kinds=tuple(kind for kind, _ in tensors),
        constants=frozenset(constants),
        is_dynamic=is_dynamic,
        sized=sized,
        outputs=count,
    )


def opset_of(draw: Draw, row: OpenVINORow) -> int:
    """Return one of the opsets that hold a row."""
    return draw(st.sampled_from([opset for opset in range(row.since, row.last + 1) if opset not in row.gaps]))


def spelled(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def signed_axis(draw: Draw, axis: int, ndim: int) -> int:
    return axis - draw(st.sampled_from([0, ndim]))
