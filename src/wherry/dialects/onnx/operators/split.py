"""What Split and Concat mean by version, and how they are written as nodes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from numpy.typing import NDArray

from wherry.arguments import normalized_axis
from wherry.dialects.onnx.as_node import AsNode, Fields, by_name
from wherry.dialects.onnx.row import FROM_FRONT, NOT_NEGATIVE, Limit, Meaning, OnnxRow, Use
from wherry.errors import InvalidValueError, UnsupportedError, invalid
from wherry.graph import Deferred
from wherry.ops import Concat, Split, Uneven
from wherry.ops.split import split_by_sizes
from wherry.tensors import TensorType

Array = NDArray[Any]


def _build_split(use: Use, uneven: Uneven = Uneven.REFUSE) -> Split | Deferred:
    values = use.attributes
    axis = values["axis"]
    if axis is None:
        raise InvalidValueError("attribute 'axis' is missing, and this version names no default; give it")
    ways = [name for name in ("split", "num_outputs") if values.get(name) is not None]
    if "split" in use.positions:
        ways.append("split")
    if len(ways) > 1:
        raise InvalidValueError(f"{' and '.join(ways)} are both given, allowed one of them; leave one out")
    if not ways and use.row.has_attribute("num_outputs"):
        raise InvalidValueError("split and num_outputs are both missing, allowed exactly one of them; give one")
    _check_count(values, use.output_count)
    if "split" in use.positions:
        return use.deferred(split_by_sizes, {"sizes": "split"}, Split, axis=axis)
    if values.get("split") is not None:
        return Split(axis, sizes=values["split"])
    return Split(axis, sections=use.output_count, uneven=uneven)


def _check_count(values: dict[str, Any] | Any, output_count: int) -> None:
    """Refuse a number of parts that is not the node's number of outputs."""
    parts = values.get("num_outputs")
    if parts is not None and parts != output_count:
        raise invalid("num_outputs", parts, str(output_count), "the node has that many outputs")
    sizes = values.get("split")
    if sizes is not None and len(sizes) != output_count:
        raise InvalidValueError(f"split has {len(sizes)} entries, allowed {output_count}: one for each output")


def _build_concat(use: Use) -> Concat:
    axis = use.attributes["axis"]
    return Concat(1 if axis is None else axis)


MEANINGS = {
    "Split": (
        Meaning(
            1,
            "sizes as attribute or as input in the type of data; the axis has no default, so it is required here",
            _build_split,
            {"axis": FROM_FRONT, "split": NOT_NEGATIVE},
        ),
        Meaning(
            2,
            "sizes as attribute; without them equal parts, the size must divide; negative axes are not named, so they "
            "are refused",
            _build_split,
            {"axis": FROM_FRONT, "split": NOT_NEGATIVE},
        ),
        Meaning(11, "as Split-2; a negative axis counts from the end", _build_split, {"split": NOT_NEGATIVE}),
        Meaning(13, "sizes as input, summing to the size of the axis", _build_split),
        Meaning(
            18,
            "exactly one of the input split and num_outputs; parts of ceil(size / num_outputs), the last one smaller "
            "or empty; refused where more than the last would be smaller",
            partial(_build_split, uneven=Uneven.ONLY_LAST),
            {"num_outputs": Limit(minimum=1)},
        ),
    ),
    "Concat": (
        Meaning(
            1,
            "the axis is 1 by default (said by the text, not by the schema's default); negative axes are not named, so "
            "they are refused",
            _build_concat,
            {"axis": FROM_FRONT},
        ),
        Meaning(
            4,
            "the axis is required; negative axes are not named, so they are refused",
            _build_concat,
            {"axis": FROM_FRONT},
        ),
        Meaning(11, "a negative axis counts from the end", _build_concat),
    ),
}


def _split_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    """Return Split by the version's own equal parts where it means the same, else by the sizes of the parts."""
    operator, data = Split(**fields), types[0]
    counts = row.has_attribute("num_outputs")
    own_rule = Uneven.ONLY_LAST if counts else Uneven.REFUSE
    if operator.sections is not None and operator.uneven is own_rule:
        return AsNode({"axis": operator.axis, "num_outputs": operator.sections}, operator)
    if data.sizes is None:
        raise UnsupportedError("the number of axes of data is not known, so the sizes of the parts cannot be written")
    parts = operator.part_sizes(data.sizes[normalized_axis(operator.axis, len(data.sizes))])
    sizes = [part for part in parts if isinstance(part, int)]
    if len(sizes) != len(parts):
        raise UnsupportedError("the size of the axis is not known, so the sizes of the parts cannot be written")
    return AsNode({"axis": operator.axis, "split": sizes}, Split(operator.axis, sizes=tuple(sizes)))


TO_NODES = {
    Split: (("Split", _split_to_node),),
    split_by_sizes: (("Split", by_name("axis", sizes="split")),),
    Concat: (("Concat", by_name("axis")),),
}
