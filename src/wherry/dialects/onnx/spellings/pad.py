"""How pads are written as nodes."""

from __future__ import annotations

from collections.abc import Sequence

from wherry.dialects.onnx.row import OnnxRow
from wherry.dialects.onnx.spelling import Fields, Spelling, by_name, waits
from wherry.ops import Beyond, MixedSigns, Pad, pad_of_pairs
from wherry.tensors import TensorType


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
