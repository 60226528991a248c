"""The rows of Slice, Compress and Where."""

from __future__ import annotations

from functools import partial
from typing import Any

from wherry.dialects.onnx.row import Attribute, Kind, OnnxRow, Parameter, Use
from wherry.dialects.onnx.types import ALL_1, ALL_13, BOOL, INDICES, TypeSet
from wherry.errors import invalid
from wherry.graph import Deferred
from wherry.ops import Compress, Operator, Slice, Where

_FROM_11 = "a negative axis counts from the end from version 11 on"


def slice_of_version_10(starts: Any, ends: Any, axes: Any = None, steps: Any = None) -> Slice:
    """Return a Slice; its axes, where they are given, count from the front."""
    part = Slice(starts, ends, axes, steps)
    for number, axis in enumerate(part.axes or ()):
        if axis < 0:
            raise invalid(f"axes[{number}]", axis, "0 and more", _FROM_11)
    return part


def _slice(use: Use, build: Any = Slice) -> Operator | Deferred:
    if use.row.since == 1:
        return Slice(use.attributes["starts"], use.attributes["ends"], use.attributes["axes"])
    return use.deferred(build, {name: name for name in ("starts", "ends", "axes", "steps")}, Slice)


def _slice_row(since: int, types: TypeSet, rule: str, build: Any = Slice) -> OnnxRow:
    data = Parameter("data", types)
    vectors = tuple(
        Parameter(name, INDICES, "Tind", optional=name in ("axes", "steps"))
        for name in ("starts", "ends", "axes", "steps")
    )
    return OnnxRow(
        name="Slice",
        since=since,
        rule=rule,
        source=f"ONNX operator Slice-{since}",
        inputs=(data,) if since == 1 else (data, *vectors),
        outputs=(Parameter("output", types),),
        attributes=() if since > 1 else (
            Attribute("starts", Kind.INTS, required=True),
            Attribute("ends", Kind.INTS, required=True),
            Attribute("axes", Kind.INTS, minimum=0, advice=_FROM_11),
        ),
        build=partial(_slice, build=build),
    )  # fmt: skip


SLICE_ROWS = (
    _slice_row(1, ALL_1, "starts and ends below 0 count from the end, both are clamped to the axis; negative axes are "
               "not named, so they are refused"),
    _slice_row(10, ALL_1, "starts, ends and axes become inputs; steps, which may be negative", slice_of_version_10),
    _slice_row(11, ALL_1, "negative axes count from the end; a step of 0 is an error"),
    _slice_row(13, ALL_13, "starts and ends below 0 get the size added once; clamped to 0..s, for a negative step the "
               "start to 0..s-1 and the end to -1..s-1; an axis named twice, which is undefined, is refused"),
)  # fmt: skip


def _compress(use: Use) -> Operator | Deferred:
    return use.deferred(Compress, {"condition": "condition"}, axis=use.attributes["axis"])


def _compress_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    axis = Attribute("axis", Kind.INT) if since > 9 else Attribute("axis", Kind.INT, minimum=0, advice=_FROM_11)
    return OnnxRow(
        name="Compress",
        since=since,
        rule=rule,
        source=f"ONNX operator Compress-{since}",
        inputs=(Parameter("input", types), Parameter("condition", BOOL, "T1")),
        outputs=(Parameter("output", types),),
        attributes=(axis,),
        build=_compress,
    )


COMPRESS_ROWS = (
    _compress_row(9, ALL_1, "without axis the elements in row-major order; a shorter condition ends early, a true "
                  "entry beyond the axis, of which the text does not speak, is refused; so are negative axes"),
    _compress_row(11, ALL_1, "a negative axis counts from the end"),
    _compress_row(28, ALL_13, "adds bfloat16"),
)  # fmt: skip


def _where(use: Use) -> Where:
    return Where()


def _where_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    return OnnxRow(
        name="Where",
        since=since,
        rule=rule,
        source=f"ONNX operator Where-{since}",
        inputs=(Parameter("condition", BOOL, "B"), Parameter("X", types), Parameter("Y", types)),
        outputs=(Parameter("output", types),),
        build=_where,
    )


WHERE_ROWS = (
    _where_row(9, ALL_1, "X where the condition is true, else Y; all three broadcast"),
    _where_row(16, ALL_13, "adds bfloat16"),
)

ROWS = SLICE_ROWS + COMPRESS_ROWS + WHERE_ROWS
