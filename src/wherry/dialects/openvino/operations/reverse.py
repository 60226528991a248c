"""Reverse, ReverseSequence and Roll."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wherry.dialects.openvino.row import INDEX_TYPES, INTEGER_TYPES, NUMBER_TYPES, Attribute, Input, OpenVINORow
from wherry.dialects.openvino.values import INTEGER, ONE_INTEGER, word_of
from wherry.errors import InvalidTypeError
from wherry.ops import Reverse, ReverseSequence, Roll, TooLong


def _reverse(mode: str, reversed_axes: Any) -> Reverse:
    given = np.asarray(reversed_axes)
    if given.size and (given.dtype == bool) != (mode == "mask"):
        allowed = "bool" if mode == "mask" else "integers"
        raise InvalidTypeError(f"reversed_axes has dtype {given.dtype}, allowed {allowed} in mode {mode}; convert it")
    return Reverse(mask=reversed_axes) if mode == "mask" else Reverse(reversed_axes)


def _reverse_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    mode = "index" if given.get("mask") is None else "mask"
    return {"mode": mode, "reversed_axes": given["mask"] if mode == "mask" else given["axes"]}


ROWS = (
    OpenVINORow(
        name="Reverse",
        since=1,
        last=1,
        rule="mode index: the listed axes, each once; mode mask: one truth value for each axis",
        build=_reverse,
        makes=Reverse,
        unbuild=_reverse_fields,
        inputs=(Input("data"), Input("reversed_axes", INTEGER_TYPES | {"bool"}, ndim=(1, 1), field="reversed_axes")),
        attributes=(Attribute("mode", word_of("index", "mask")),),
    ),
    OpenVINORow(
        name="ReverseSequence",
        since=1,
        rule="lengths are whole numbers up to the size of the axis; 0 changes nothing; the axes differ",
        build=ReverseSequence,
        inputs=(
            Input("data", ndim=(2, None)),
            Input("seq_lengths", NUMBER_TYPES, ndim=(1, 1), field="lengths", is_kept=True),
        ),
        attributes=(
            Attribute("batch_axis", ONE_INTEGER, default=(0,), field="batch_axes"),
            Attribute("seq_axis", INTEGER, default=1, field="time_axis"),
        ),
        fixed={"too_long": TooLong.REFUSE},
    ),
    OpenVINORow(
        name="Roll",
        since=7,
        rule="shifts of an axis listed twice add up; a scalar shift holds for each axis",
        build=Roll,
        inputs=(
            Input("data", ndim=(1, None)),
            Input("shift", INDEX_TYPES, ndim=(0, 1), field="shifts"),
            Input("axes", INDEX_TYPES, ndim=(0, 1), field="axes"),
        ),
    ),
)
