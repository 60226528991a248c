"""What Slice, Compress and Where mean, by version."""

from __future__ import annotations

from functools import partial
from typing import Any

from wherry.dialects.onnx.row import FROM_FRONT, Meaning, Use
from wherry.graph import Deferred
from wherry.ops import Compress, Operator, Slice, Where
from wherry.ops.slice import slice_of_version_10


def _slice(use: Use, build: Any = Slice) -> Operator | Deferred:
    if use.row.since == 1:
        return Slice(use.attributes["starts"], use.attributes["ends"], use.attributes["axes"])
    return use.deferred(build, {name: name for name in ("starts", "ends", "axes", "steps")}, Slice)


def _compress(use: Use) -> Operator | Deferred:
    return use.deferred(Compress, {"condition": "condition"}, axis=use.attributes["axis"])


def _where(use: Use) -> Where:
    return Where()


MEANINGS = {
    "Slice": (
        Meaning(
            1,
            "starts and ends below 0 count from the end, both are clamped to the axis; negative axes are not named, so "
            "they are refused",
            _slice,
            {"axes": FROM_FRONT},
        ),
        Meaning(
            10,
            "starts, ends and axes become inputs; steps, which may be negative",
            partial(_slice, build=slice_of_version_10),
        ),
        Meaning(11, "negative axes count from the end; a step of 0 is an error", _slice),
        Meaning(
            13,
            "starts and ends below 0 get the size added once; clamped to 0..s, for a negative step the start to 0..s-1 "
            "and the end to -1..s-1; an axis named twice, which is undefined, is refused",
            _slice,
        ),
    ),
    "Compress": (
        Meaning(
            9,
            "without axis the elements in row-major order; a shorter condition ends early, a true entry beyond the "
            "axis, of which the text does not speak, is refused; so are negative axes",
            _compress,
            {"axis": FROM_FRONT},
        ),
        Meaning(11, "a negative axis counts from the end", _compress),
    ),
    "Where": (Meaning(9, "X where the condition is true, else Y; all three broadcast", _where),),
}
