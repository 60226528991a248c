"""What Scatter, ScatterElements, ScatterND and TensorScatter mean by version, and how they are written as nodes."""

from __future__ import annotations

from functools import partial

from wherry.dialects.onnx.as_node import by_name
from wherry.dialects.onnx.row import Limit, Meaning, Use
from wherry.errors import invalid
from wherry.moves import Negative
from wherry.ops import OffAxis, ScatterElements, ScatterND, ScatterUpdate, Window


def _scatter_elements(use: Use, negative: Negative = Negative.FROM_END) -> ScatterElements:
    return ScatterElements(
        axis=use.attributes["axis"],
        reduction=use.attributes.get("reduction", "none"),
        negative=negative,
        off_axis=OffAxis.AT_MOST,
    )


def _scatter_nd(use: Use) -> ScatterND:
    return ScatterND(reduction=use.attributes.get("reduction", "none"))


def _tensor_scatter(use: Use) -> ScatterUpdate:
    if use.attributes["axis"] == 0:
        raise invalid("axis", 0, "any axis but 0", "axis 0 is the batch axis")
    return ScatterUpdate(
        axis=use.attributes["axis"],
        batch_dims=1,
        window=Window(use.attributes["mode"]),
        negative=Negative.INVALID,
    )


_ADD_MUL = {"reduction": Limit(allowed=("none", "add", "mul"))}
_ADD_TO_MIN = {"reduction": Limit(allowed=("none", "add", "mul", "max", "min"))}

MEANINGS = {
    "Scatter": (
        Meaning(
            9,
            "as ScatterElements-11, but the range of indices is not stated, so negative ones are out of bounds",
            partial(_scatter_elements, negative=Negative.INVALID),
        ),
        Meaning(11, "deprecated", _scatter_elements, instead="use ScatterElements"),
    ),
    "ScatterElements": (
        Meaning(
            11,
            "indices lie in -s..s-1, any other is an error; of several updates for one element, which the text "
            "forbids, the last one in row-major order stays",
            _scatter_elements,
        ),
        Meaning(16, "adds reduction: add, mul", _scatter_elements, _ADD_MUL),
        Meaning(18, "adds reduction: max, min; NaN propagates", _scatter_elements, _ADD_TO_MIN),
    ),
    "ScatterND": (
        Meaning(
            11,
            "tuples of 0 to r indices, each in -s..s-1, any other is an error; of several updates for one element, "
            "which the text forbids, the last one in row-major order stays",
            _scatter_nd,
        ),
        Meaning(16, "adds reduction: add, mul", _scatter_nd, _ADD_MUL),
        Meaning(18, "adds reduction: max, min; NaN propagates", _scatter_nd, _ADD_TO_MIN),
    ),
    "TensorScatter": (
        Meaning(
            24,
            "one window for each batch, from its write index on (0 without); linear: inside the axis, else an error; "
            "circular: modulo the axis; a negative write index is an error",
            _tensor_scatter,
            {"mode": Limit(allowed=("linear", "circular"))},
            reads=("past_cache", "write_indices", "update"),
        ),
    ),
}


TO_NODES = {
    ScatterElements: (("ScatterElements", by_name("axis", "reduction")), ("Scatter", by_name("axis"))),
    ScatterND: (("ScatterND", by_name("reduction")),),
    ScatterUpdate: (("TensorScatter", by_name("axis", window="mode")),),
}
