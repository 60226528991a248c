"""The rows of Pad."""

from __future__ import annotations

from wherry.dialects.onnx.row import Attribute, Kind, OnnxRow, Parameter, Use
from wherry.dialects.onnx.types import ALL, ALL_13, FLOATS_1, INDICES, LENGTHS, NEW, NUMBERS_1, TypeSet
from wherry.graph import Deferred
from wherry.ops import Beyond, Operator, Pad, pad_of_pairs

_MODES = ("constant", "reflect", "edge")


def _pad(use: Use) -> Operator | Deferred:
    rules = {"mode": use.attributes["mode"], "beyond": Beyond.FOLD}
    if use.row.since < 11:
        pads = use.attributes["paddings" if use.row.since == 1 else "pads"]
        return pad_of_pairs(pads, value=use.attributes["value"], **rules)
    waiting = {"pads": "pads", "value": "constant_value", "axes": "axes"}
    return use.deferred(pad_of_pairs, waiting, Pad, **rules)


def _row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    mode = Attribute("mode", Kind.STRING, default="constant", allowed=(*_MODES, "wrap") if since >= 19 else _MODES)
    inputs: tuple[Parameter, ...] = (Parameter("data", types),)
    attributes: tuple[Attribute, ...] = (mode,)
    if since < 11:
        pads = (
            Attribute("paddings", Kind.INTS, required=True, minimum=0, advice="version 2 and newer crop")
            if since == 1
            else Attribute("pads", Kind.INTS, required=True)
        )
        attributes += (pads, Attribute("value", Kind.FLOAT, default=0.0))
    else:
        inputs += (
            Parameter("pads", LENGTHS, "tensor(int64)"),
            Parameter("constant_value", types, optional=True),
        )
    if since >= 18:
        inputs += (Parameter("axes", INDICES, "Tind", optional=True),)
    return OnnxRow(
        name="Pad",
        since=since,
        rule=rule,
        source=f"ONNX operator Pad-{since}",
        inputs=inputs,
        outputs=(Parameter("output", types),),
        attributes=attributes,
        build=_pad,
    )


ROWS = (
    _row(1, FLOATS_1, "all begins, then all ends; constant, reflect or edge; reflect goes back and forth where it "
         "must, as the example of later versions does"),
    _row(2, FLOATS_1, "negative pads crop, before the mode is applied, which is open"),
    _row(11, NUMBERS_1, "pads and the value become inputs"),
    _row(13, ALL_13, "any tensor; the value is 0, an empty string or False by default"),
    _row(18, ALL_13, "adds axes; one that is named twice, which is undefined, is refused"),
    _row(19, ALL_13, "adds the mode wrap"),
    *(_row(since, ALL[since], NEW[since]) for since in (21, 23, 24, 25)),
)  # fmt: skip
