"""The rows of Reshape, Squeeze, Unsqueeze, Flatten, Transpose, Expand and Tile."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.arguments import as_int
from wherry.dialects.onnx.row import Attribute, Kind, OnnxRow, Parameter, Use
from wherry.dialects.onnx.types import ALL, ALL_1, ALL_13, FLOATS_1, LENGTHS, NEW, TypeSet
from wherry.errors import InvalidValueError, invalid
from wherry.graph import Deferred
from wherry.ops import Alignment, Empty, Expand, Flatten, Operator, Reshape, Squeeze, Tile, Transpose, Unsqueeze, Zero

_FROM_11 = "a negative axis counts from the end from version 11 on"
_INT64 = "tensor(int64)"


def _reshape(use: Use) -> Operator | Deferred:
    zero = Zero.LITERAL if use.attributes.get("allowzero") else Zero.COPY
    if use.row.has_attribute("shape"):
        if use.attributes["shape"] is None:
            raise InvalidValueError("attribute 'shape' is missing, allowed one INTS; an empty one makes a scalar")
        return Reshape(use.attributes["shape"], zero)
    return use.deferred(Reshape, {"shape": "shape"}, zero=zero)


def _reshape_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    attributes: tuple[Attribute, ...] = ()
    if since == 1:
        attributes = (Attribute("shape", Kind.INTS), Attribute("consumed_inputs", Kind.INTS))
    elif since >= 14:
        attributes = (Attribute("allowzero", Kind.INT, default=0, allowed=(0, 1)),)
    return OnnxRow(
        name="Reshape",
        since=since,
        rule=rule,
        source=f"ONNX operator Reshape-{since}",
        inputs=(Parameter("data", types), *(() if since == 1 else (Parameter("shape", LENGTHS, _INT64),))),
        outputs=(Parameter("reshaped", types),),
        attributes=attributes,
        build=_reshape,
    )


RESHAPE_ROWS = (
    _reshape_row(1, FLOATS_1, "one size may be -1, what remains; 0 copies the size of data; consumed_inputs, a legacy "
                 "of optimizers, means nothing"),
    _reshape_row(5, ALL_1, "the shape becomes an input"),
    _reshape_row(13, ALL_13, NEW[13]),
    _reshape_row(14, ALL_13, "adds allowzero: with 1 a 0 is a size of 0, and excludes -1"),
    *(_reshape_row(since, ALL[since], NEW[since]) for since in (19, 21, 23, 24, 25)),
)  # fmt: skip


def _squeeze(use: Use) -> Operator | Deferred:
    if use.row.has_attribute("axes"):
        return Squeeze(use.attributes["axes"], empty=Empty.NONE)
    return use.deferred(Squeeze, {"axes": "axes"}, empty=Empty.NONE)


def _unsqueeze(use: Use) -> Operator | Deferred:
    if use.row.has_attribute("axes"):
        return Unsqueeze(use.attributes["axes"])
    return use.deferred(Unsqueeze, {"axes": "axes"})


def _axes_row(name: str, since: int, types: TypeSet, rule: str) -> OnnxRow:
    squeezes = name == "Squeeze"
    axes = Attribute("axes", Kind.INTS, required=not squeezes, minimum=0 if since < 11 else None, advice=_FROM_11)
    return OnnxRow(
        name=name,
        since=since,
        rule=rule,
        source=f"ONNX operator {name}-{since}",
        inputs=(
            Parameter("data", types),
            *(() if since < 13 else (Parameter("axes", LENGTHS, _INT64, optional=squeezes),)),
        ),
        outputs=(Parameter("squeezed" if squeezes else "expanded", types),),
        attributes=(axes,) if since < 13 else (),
        build=_squeeze if squeezes else _unsqueeze,
    )


_LATER = (21, 23, 24, 25)

SQUEEZE_ROWS = (
    _axes_row("Squeeze", 1, ALL_1, "the listed axes, which have size 1 and count from the front; without a list all of "
              "size 1, an empty list is none; an axis listed twice is refused"),
    _axes_row("Squeeze", 11, ALL_1, "negative axes count from the end"),
    _axes_row("Squeeze", 13, ALL_13, "the axes become an input"),
    *(_axes_row("Squeeze", since, ALL[since], NEW[since]) for since in _LATER),
)  # fmt: skip

UNSQUEEZE_ROWS = (
    _axes_row("Unsqueeze", 1, ALL_1, "axes of size 1 at positions of the output, counted from the front, each once"),
    _axes_row("Unsqueeze", 11, ALL_1, "negative axes count from the output's end"),
    _axes_row("Unsqueeze", 13, ALL_13, "the axes become an input"),
    *(_axes_row("Unsqueeze", since, ALL[since], NEW[since]) for since in _LATER),
)


def _flatten(use: Use) -> Flatten:
    return Flatten(use.attributes["axis"])


def _flatten_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    minimum = 0 if since < 11 else None
    return OnnxRow(
        name="Flatten",
        since=since,
        rule=rule,
        source=f"ONNX operator Flatten-{since}",
        inputs=(Parameter("input", types),),
        outputs=(Parameter("output", types),),
        attributes=(Attribute("axis", Kind.INT, default=1, minimum=minimum, advice=_FROM_11),),
        build=_flatten,
    )


FLATTEN_ROWS = (
    _flatten_row(1, FLOATS_1, "the axis is in 0..r; an empty product is 1"),
    _flatten_row(9, ALL_1, "any tensor"),
    _flatten_row(11, ALL_1, "a negative axis counts from the end"),
    _flatten_row(13, ALL_13, NEW[13]),
    *(_flatten_row(since, ALL[since], NEW[since]) for since in _LATER),
)


def _transpose(use: Use) -> Transpose:
    return Transpose(use.attributes["perm"])


def _transpose_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    return OnnxRow(
        name="Transpose",
        since=since,
        rule=rule,
        source=f"ONNX operator Transpose-{since}",
        inputs=(Parameter("data", types),),
        outputs=(Parameter("transposed", types),),
        attributes=(Attribute("perm", Kind.INTS),),
        build=_transpose,
    )


TRANSPOSE_ROWS = (
    _transpose_row(1, ALL_1, "perm names each axis once, counted from the front; without it the axes are reversed"),
    *(_transpose_row(since, ALL[since], NEW[since]) for since in (13, *_LATER)),
)


def _expand(use: Use) -> Operator | Deferred:
    return use.deferred(Expand, {"shape": "shape"}, alignment=Alignment.TWO_WAY)


def _expand_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    return OnnxRow(
        name="Expand",
        since=since,
        rule=rule,
        source=f"ONNX operator Expand-{since}",
        inputs=(Parameter("input", types), Parameter("shape", LENGTHS, _INT64)),
        outputs=(Parameter("output", types),),
        build=_expand,
    )


EXPAND_ROWS = (
    _expand_row(8, ALL_1, "sizes of 1 repeat; a target of 1, or with fewer axes, gives way to data; -1 is refused"),
    _expand_row(13, ALL_13, NEW[13]),
)


def tile_along(tiles: NDArray[Any], axis: NDArray[Any]) -> Tile:
    """Return the Tile of ONNX Tile-1, whose number of copies and axis come in the type of the data."""
    return Tile((_whole("tiles", tiles),), axis=_whole("axis", axis))


def _whole(field: str, value: NDArray[Any]) -> int:
    if np.size(value) == 1 and float(value.reshape(())) % 1 == 0:
        return int(value.reshape(()))
    if np.size(value) != 1:
        return as_int(field, value)
    raise invalid(field, value.reshape(())[()], "a whole number")


def _tile(use: Use) -> Operator | Deferred:
    if use.row.since == 1:
        return use.deferred(tile_along, {"tiles": "tiles", "axis": "axis"}, Tile)
    return use.deferred(Tile, {"repeats": "repeats"})


def _tile_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    more: tuple[Parameter, ...] = (Parameter("repeats", LENGTHS, "T1"),)
    if since == 1:
        more = (Parameter("tiles", types), Parameter("axis", types))
    return OnnxRow(
        name="Tile",
        since=since,
        rule=rule,
        source=f"ONNX operator Tile-{since}",
        inputs=(Parameter("input", types), *more),
        outputs=(Parameter("output", types),),
        build=_tile,
    )


TILE_ROWS = (
    _tile_row(1, FLOATS_1, "repeats along one axis; the number of copies and the axis come in the type of the data"),
    _tile_row(6, ALL_1, "one number of copies, 0 or more, for each axis of data"),
    _tile_row(13, ALL_13, NEW[13]),
)


ROWS = RESHAPE_ROWS + SQUEEZE_ROWS + UNSQUEEZE_ROWS + FLATTEN_ROWS + TRANSPOSE_ROWS + EXPAND_ROWS + TILE_ROWS
