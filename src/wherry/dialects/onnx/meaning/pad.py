"""What Pad means, by version."""

from __future__ import annotations

from wherry.dialects.onnx.row import Limit, Meaning, Use
from wherry.graph import Deferred
from wherry.ops import Beyond, Operator, Pad, pad_of_pairs

_MODE = Limit(allowed=("constant", "reflect", "edge"))


def _pad(use: Use) -> Operator | Deferred:
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
