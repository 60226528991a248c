"""The rows of Pad."""

from __future__ import annotations

from collections.abc import Sequence

from wherry.dialects.onnx.row import Attribute, Kind, OnnxRow, Parameter, Use
from wherry.dialects.onnx.spelling import Fields, Spelling, by_name, waits
from wherry.dialects.onnx.types import ALL, ALL_13, FLOATS_1, INDICES, LENGTHS, NEW, NUMBERS_1, TypeSet
from wherry.graph import Deferred
from wherry.ops import Beyond, MixedSigns, Operator, Pad, pad_of_pairs
from wherry.tensors import TensorType

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


def _spell(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    """Return Pad; for data of known sizes, rules that come to nothing are ONNX's, and pads name all axes."""
    if waits(fields):
        return Spelling(fields)
    own = Pad(**fields)
    begins, ends, axes = own.begins, own.ends, own.axes
    if axes is not None and not any(parameter.name == "axes" for parameter in row.inputs) and types[0].ndim is not None:
        begins, ends = (
            (tuple(side) for side in zip(*own.pads(types[0].ndim), strict=True)) if types[0].ndim else ((), ())
        )
        axes = None
    same = Pad(begins, ends, own.mode, own.value, axes, own.mixed_signs, own.beyond, own.overcrop)
    canonical = Pad(begins, ends, own.mode, own.value, axes, MixedSigns.CROP_FIRST, Beyond.FOLD)
    if canonical != same and types[0].is_known and _means_the_same(canonical, own, types[0]):
        same = canonical
    pads = [*begins, *ends]
    return Spelling(
        {
            "pads": pads,
            "paddings": pads,
            "mode": own.mode,
            "value": own.value,
            "constant_value": own.value,
            "axes": axes,
        },
        same,
    )


def _means_the_same(first: Pad, second: Pad, data: TensorType) -> bool:
    """Whether two pads of equal widths read the same: no axis grows and shrinks, and both take data of these sizes."""
    mixed = any(begin < 0 < end or end < 0 < begin for begin, end in zip(first.begins, first.ends, strict=True))
    return not mixed and first.infer([data]) == second.infer([data])


SPELLINGS = {
    Pad: (("Pad", _spell),),
    pad_of_pairs: (("Pad", by_name("pads", "mode", "axes", value="constant_value")),),
}
