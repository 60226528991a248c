"""How Split and Concat are written as nodes."""

from __future__ import annotations

from collections.abc import Sequence

from wherry.arguments import normalized_axis
from wherry.dialects.onnx.row import OnnxRow
from wherry.dialects.onnx.spelling import Fields, Spelling, by_name
from wherry.errors import UnsupportedError
from wherry.ops import Concat, Split, Uneven
from wherry.ops.split import split_by_sizes
from wherry.tensors import TensorType


def _spell_split(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    """Return Split by the version's own equal parts where it means the same, else by the sizes of the parts."""
    operator, data = Split(**fields), types[0]
    counts = row.has_attribute("num_outputs")
    own_rule = Uneven.ONLY_LAST if counts else Uneven.REFUSE
    if operator.sections is not None and operator.uneven is own_rule:
        return Spelling({"axis": operator.axis, "num_outputs": operator.sections}, operator)
    if data.sizes is None:
        raise UnsupportedError("the number of axes of data is not known, so the sizes of the parts cannot be written")
    parts = operator.part_sizes(data.sizes[normalized_axis(operator.axis, len(data.sizes))])
    sizes = [part for part in parts if isinstance(part, int)]
    if len(sizes) != len(parts):
        raise UnsupportedError("the size of the axis is not known, so the sizes of the parts cannot be written")
    return Spelling({"axis": operator.axis, "split": sizes}, Split(operator.axis, sizes=tuple(sizes)))


SPELLINGS = {
    Split: (("Split", _spell_split),),
    split_by_sizes: (("Split", by_name("axis", sizes="split")),),
    Concat: (("Concat", by_name("axis")),),
}
