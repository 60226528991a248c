"""What Pad means by version, and how it is written as a node."""

from __future__ import annotations

from collections.abc import Sequence

from wherry.dialects.onnx.as_node import AsNode, Fields, by_name, waits
from wherry.dialects.onnx.row import Limit, Meaning, OnnxRow, Use
from wherry.graph import Deferred
from wherry.ops import Beyond, MixedSigns, Pad, pad_of_pairs
from wherry.tensors import TensorType

_MODE = Limit(allowed=("constant", "reflect", "edge"))


def _pad(use: Use) -> Pad | Deferred:
    rules = {"mode": use.attributes["mode"], "beyond": Beyond.FOLD}
    if use.row.since < 11:
        pads = use.attributes["paddings" if use.row.since == 1 else "pads"]
        return pad_of_pairs(pads, value=use.attributes["value"], **rules)
    waiting = {"pads": "pads", "value": "constant_value", "axes": "axes"}
    return use.deferred(pad_of_pairs, waiting, Pad, **rules)


MEANINGS = {
    "Pad": (
        Meaning(
            1,
            "all begins, then all ends; constant, reflect or edge; reflect goes back and forth where it must, as the "
            "example of later versions does",
            _pad,
            {"mode": _MODE, "paddings": Limit(minimum=0, advice="version 2 and newer crop")},
        ),
        Meaning(2, "negative pads crop, before the mode is applied, which is open", _pad, {"mode": _MODE}),
        Meaning(11, "pads and the value become inputs", _pad, {"mode": _MODE}),
        Meaning(13, "any tensor; the value is 0, an empty string or False by default", _pad, {"mode": _MODE}),
        Meaning(18, "adds axes; one that is named twice, which is undefined, is refused", _pad, {"mode": _MODE}),
        Meaning(19, "adds the mode wrap", _pad, {"mode": Limit(allowed=(*_MODE.allowed, "wrap"))}),
    ),
}


def _pad_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    """Return Pad; for data of known sizes, rules that come to nothing are ONNX's, and pads name all axes."""
    if waits(fields):
        return AsNode(fields)
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
    return AsNode(
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


TO_NODES = {
    Pad: (("Pad", _pad_to_node),),
    pad_of_pairs: (("Pad", by_name("pads", "mode", "axes", value="constant_value")),),
}
