"""The rows of Scatter, ScatterElements, ScatterND and TensorScatter."""

from __future__ import annotations

from functools import partial

from wherry.dialects.onnx.row import Attribute, Kind, OnnxRow, Parameter, Use
from wherry.dialects.onnx.rows_gather import AXIS
from wherry.dialects.onnx.types import ALL_1, ALL_13, ALL_24, INDICES, LENGTHS, TypeSet
from wherry.errors import invalid
from wherry.moves import Negative
from wherry.ops import OffAxis, ScatterElements, ScatterND, ScatterUpdate, Window

_REDUCTIONS = {16: ("none", "add", "mul"), 18: ("none", "add", "mul", "max", "min")}
"""The words for `reduction`, by the version that brought them."""


def _reduction(since: int) -> tuple[Attribute, ...]:
    words = _REDUCTIONS.get(since)
    return () if words is None else (Attribute("reduction", Kind.STRING, default="none", allowed=words),)


def _scatter_elements(use: Use, negative: Negative) -> ScatterElements:
    return ScatterElements(
        axis=use.attributes["axis"],
        reduction=use.attributes.get("reduction", "none"),
        negative=negative,
        off_axis=OffAxis.AT_MOST,
    )


def _scatter_elements_row(
    name: str, since: int, types: TypeSet, rule: str, negative: Negative = Negative.FROM_END, deprecated: str = ""
) -> OnnxRow:
    return OnnxRow(
        name=name,
        since=since,
        rule=rule,
        source=f"ONNX operator {name}-{since}",
        inputs=(Parameter("data", types), Parameter("indices", INDICES, "Tind"), Parameter("updates", types)),
        outputs=(Parameter("output", types),),
        attributes=(AXIS, *_reduction(since)),
        build=partial(_scatter_elements, negative=negative),
        deprecated=deprecated,
    )


SCATTER_ROWS = (
    _scatter_elements_row("Scatter", 9, ALL_1, "as ScatterElements-11, but the range of indices is not stated, so "
                          "negative ones are out of bounds", Negative.INVALID),
    _scatter_elements_row("Scatter", 11, ALL_1, "deprecated", deprecated="use ScatterElements"),
)  # fmt: skip

SCATTER_ELEMENTS_ROWS = (
    _scatter_elements_row("ScatterElements", 11, ALL_1, "indices lie in -s..s-1, any other is an error; of several "
                          "updates for one element, which the text forbids, the last one in row-major order stays"),
    _scatter_elements_row("ScatterElements", 13, ALL_13, "adds bfloat16"),
    _scatter_elements_row("ScatterElements", 16, ALL_13, "adds reduction: add, mul"),
    _scatter_elements_row("ScatterElements", 18, ALL_13, "adds reduction: max, min; NaN propagates"),
)  # fmt: skip


def _scatter_nd(use: Use) -> ScatterND:
    return ScatterND(reduction=use.attributes.get("reduction", "none"))


def _scatter_nd_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    return OnnxRow(
        name="ScatterND",
        since=since,
        rule=rule,
        source=f"ONNX operator ScatterND-{since}",
        inputs=(
            Parameter("data", types),
            Parameter("indices", LENGTHS, "tensor(int64)"),
            Parameter("updates", types),
        ),
        outputs=(Parameter("output", types),),
        attributes=_reduction(since),
        build=_scatter_nd,
    )


SCATTER_ND_ROWS = (
    _scatter_nd_row(11, ALL_1, "tuples of 0 to r indices, each in -s..s-1, any other is an error; of several updates "
                    "for one element, which the text forbids, the last one in row-major order stays"),
    _scatter_nd_row(13, ALL_13, "adds bfloat16"),
    _scatter_nd_row(16, ALL_13, "adds reduction: add, mul"),
    _scatter_nd_row(18, ALL_13, "adds reduction: max, min; NaN propagates"),
)  # fmt: skip


def _tensor_scatter(use: Use) -> ScatterUpdate:
    if use.attributes["axis"] == 0:
        raise invalid("axis", 0, "any axis but 0", "axis 0 is the batch axis")
    return ScatterUpdate(
        axis=use.attributes["axis"],
        batch_dims=1,
        window=Window(use.attributes["mode"]),
        negative=Negative.INVALID,
    )


TENSOR_SCATTER_ROWS = (
    OnnxRow(
        name="TensorScatter",
        since=24,
        rule="one window for each batch, from its write index on (0 without); linear: inside the axis, else an error; "
        "circular: modulo the axis; a negative write index is an error",
        source="ONNX operator TensorScatter-24",
        inputs=(
            Parameter("past_cache", ALL_24),
            Parameter("update", ALL_24),
            Parameter("write_indices", LENGTHS, "tensor(int64)", optional=True),
        ),
        outputs=(Parameter("present_cache", ALL_24),),
        attributes=(
            Attribute("axis", Kind.INT, default=-2),
            Attribute("mode", Kind.STRING, default="linear", allowed=("linear", "circular")),
        ),
        build=_tensor_scatter,
        reads=("past_cache", "write_indices", "update"),
    ),
)

ROWS = SCATTER_ROWS + SCATTER_ELEMENTS_ROWS + SCATTER_ND_ROWS + TENSOR_SCATTER_ROWS
