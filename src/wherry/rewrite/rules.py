"""The rules in which dialects differ: when a rule cannot matter, and a text for each of its values.

A rule that cannot matter for what is known of a node may be written as any other; changing one that can is a loss.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wherry import ops
from wherry.arguments import normalized_axis
from wherry.dtypes import DType
from wherry.engine.call import apply
from wherry.errors import WherryError
from wherry.graph import Deferred
from wherry.moves import Duplicates, NanRule, Negative, OutOfRange, OutOfRangeWrite, Reduction
from wherry.ops import (
    Alignment,
    BelowZero,
    Beyond,
    Cast,
    Clip,
    Col2Im,
    Compress,
    Crossed,
    Divide,
    Empty,
    EmptyOrder,
    Expand,
    Extreme,
    FloatOverflow,
    FloatText,
    FloatToInteger,
    FractionalIndex,
    Gather,
    GatherElements,
    GatherND,
    IntegerOverflow,
    Lengths,
    LongerCondition,
    MaskedShrink,
    MixedSigns,
    NaN,
    NanOperand,
    NonZero,
    OffAxis,
    OneHot,
    OtherSizes,
    Overcrop,
    Pad,
    Quotient,
    Range,
    Remainder,
    Repeated,
    Reshape,
    ReverseSequence,
    Rounding,
    ScalarCoordinates,
    ScatterElements,
    ScatterND,
    ScatterUpdate,
    Squeeze,
    Steps,
    StridedSlice,
    Tile,
    TooLong,
    Transpose,
    Undetermined,
    Uneven,
    Unique,
    Unsqueeze,
    Zero,
    pad_of_pairs,
)
from wherry.ops.conversion import integer_range
from wherry.rewrite.bounds import of_value
from wherry.rewrite.known import MOST_PLACES, KnownNode

Words = Mapping[Any, str]


@dataclass(frozen=True)
class Rule:
    """A field with the rule for an edge case; `settled` decides whether no input can reach it.

    `words` has every value of the field, with what it does; `left_open` those that no specification promises, with what
    runtimes do instead.
    """

    field: str
    operators: tuple[object, ...]
    words: Words
    settled: Callable[[KnownNode], bool]
    when: str
    left_open: Words | None = None

    def note(self, node: KnownNode) -> str | None:
        """Return what to tell of a value that the specifications leave open and that can matter, or None."""
        value = node.field(self.field)
        if self.left_open is None or value not in self.left_open or self.settled(node):
            return None
        meant = f"{self.field} is {value} ({self.words[value]})"
        return f"{meant}, which the specifications leave open: {self.left_open[value]}"


GATHERS = (Gather, GatherElements, GatherND)
SCATTERS = (ScatterElements, ScatterND, ScatterUpdate)


def _inside(node: KnownNode) -> bool:
    return node.indices_are(Negative(node.field("negative")))


def _never_negative(node: KnownNode) -> bool:
    kind, place = node.indices, 1
    if isinstance(node.operator, OneHot):
        kind, place = node.types[0], 0
    if kind is None:
        return False
    if kind.row is not None and kind.row.kind == "uint":
        return True
    given = node.values[place]
    bounds = node.bounds(place) if given is None else of_value(given)
    return bounds is not None and bool((bounds.low >= 0).all())


def _no_duplicates(node: KnownNode) -> bool:
    """Whether updates combine, or each has an element of its own."""
    if node.field("reduction") != Reduction.NONE:
        return True
    given = node.indices_value
    if given is None or not node.is_known or not _inside(node):
        return False
    return _writes_each_once(node)


def _writes_each_once(node: KnownNode) -> bool:
    """Whether a scatter by constant indices writes no element twice, found by running it under the rule to refuse."""
    operator: Any = node.operator
    if max(math.prod(node.data.shape), math.prod(node.types[-1].shape)) > MOST_PLACES:
        return False
    arrays = [np.zeros(node.data.shape, np.uint8), node.indices_value, np.zeros(node.types[-1].shape, np.uint8)]
    try:
        apply(replace(operator, duplicates=Duplicates.RAISE), [a for a in arrays if a is not None], "conversion")
    except WherryError:
        return False
    return True


def _no_nan(node: KnownNode) -> bool:
    row = node.data.row
    compares = node.field("reduction") in (Reduction.MIN, Reduction.MAX)
    return not compares or (row is not None and row.kind in ("int", "uint", "bool"))


def _listed_are_one(node: KnownNode) -> bool:
    """Whether the listed axes are known to have size 1; no list means those that have it."""
    axes, sizes = node.field("axes"), node.data.sizes
    if isinstance(node.operator, Deferred):
        return False
    return axes is None or (sizes is not None and all(sizes[axis] == 1 for axis in axes))


def _listed_once(node: KnownNode) -> bool:
    """Whether no axis is listed twice, counted from the front or from the end."""
    axes, ndim = node.field("axes"), node.data.ndim
    if isinstance(node.operator, Deferred):
        return all(node.types[place].sizes in ((), (0,), (1,)) for _, place in node.operator.from_inputs)
    if axes is None or len(axes) < 2:
        return True
    if ndim is None:
        return len(set(axes)) == len(axes) and len({axis < 0 for axis in axes}) == 1
    count = ndim + (len(axes) if node.maker is Unsqueeze else 0)
    return len({axis % count for axis in axes}) == len(axes)


def _replaces(node: KnownNode) -> bool:
    return bool(node.field("reduction") == Reduction.NONE)


def _all_known(node: KnownNode) -> bool:
    return node.is_known and not isinstance(node.operator, Deferred)


def _has_axes(node: KnownNode) -> bool:
    """Whether data, an input or a constant field, is known to have axes."""
    if node.types:
        return bool(node.data.ndim)
    return bool(getattr(node.field("data"), "ndim", 0))


def _equal_off_axis(node: KnownNode) -> bool:
    """Whether sizes are known, and equal but for the axis."""
    if not _all_known(node):
        return False
    data, indices = node.types[0].shape, node.types[1].shape
    axis = normalized_axis(node.field("axis"), len(data))
    return all(a == b for number, (a, b) in enumerate(zip(data, indices, strict=True)) if number != axis)


def _divides(node: KnownNode) -> bool:
    sections, sizes = node.field("sections"), node.data.sizes
    if sections is None:
        return True
    size = None if sizes is None else sizes[node.field("axis")]
    return isinstance(size, int) and size % sections == 0


def _no_zero(node: KnownNode) -> bool:
    shape, bounds = node.field("shape"), node.field_bounds("shape")
    if bounds is not None:
        return not bounds.may_be(0).any()
    return bool(shape is not None and 0 not in shape)


def _no_rest(node: KnownNode) -> bool:
    shape, bounds = node.field("shape"), node.field_bounds("shape")
    if bounds is not None:
        rests, zeros = bounds.may_be(-1), bounds.may_be(0)
        only = rests.sum() == 1 and (rests & zeros).sum() == zeros.sum()  # one element that is one or the other
        if only or not rests.any() or not zeros.any():
            return True
    if shape is not None and (-1 not in shape or 0 not in shape):
        return True
    return node.data.is_known and 0 not in node.data.shape


def _listed(node: KnownNode) -> bool:
    return bool(node.field("axes")) or node.field("axes") is None


def _crops_nothing(node: KnownNode) -> bool:
    for name in ("pads",) if node.maker is pad_of_pairs else ("begins", "ends"):
        value, bounds = node.field(name), node.field_bounds(name)
        least = bounds.low.min(initial=0) if value is None and bounds is not None else min(value or (), default=0)
        if (value is None and bounds is None) or least < 0:
            return False
    return True


def _no_mirror(node: KnownNode) -> bool:
    mode = node.field("mode")
    return mode in ("constant", "edge", "wrap") or _same_with(node, beyond=Beyond.REFUSE)


def _same_with(node: KnownNode, **values: Any) -> bool:
    """Whether the stricter rule takes these known sizes too."""
    if not _all_known(node):
        return False
    try:
        return tuple(replace(node.operator, **values).infer(node.types)) == node.outputs
    except WherryError:
        return False


def _condition_fits(node: KnownNode) -> bool:
    """Whether a condition, known or a tensor, has no true entry beyond the axis, as its sizes tell."""
    if not isinstance(node.operator, Deferred):
        return _same_with(node, longer=LongerCondition.REFUSE_TRUE)
    sizes, axis = node.types[dict(node.operator.from_inputs)["condition"]].sizes, node.field("axis")
    if not node.data.is_known or not sizes or not isinstance(sizes[0], int):
        return False
    return sizes[0] <= (math.prod(node.data.shape) if axis is None else node.data.shape[axis])


def _repeats_fit(node: KnownNode) -> bool:
    """Whether no number of repeats is negative."""
    bounds = node.field_bounds("repeats")
    return not isinstance(node.operator, Deferred) or (bounds is not None and bool((bounds.low >= 0).all()))


def _one_entry_each(node: KnownNode) -> bool:
    """Whether repeats, known or a tensor, are as many as the axes of data."""
    if isinstance(node.operator, Deferred):
        lengths = [node.types[place].sizes for _, place in node.operator.from_inputs]
        return node.data.ndim is not None and all(sizes == (node.data.ndim,) for sizes in lengths)
    return _same_with(node, lengths=Lengths.EXACT)


def _not_crossed(node: KnownNode) -> bool:
    """Whether bounds are known, and in order as elements and as numbers."""
    if isinstance(node.operator, Deferred) or node.data.row is None:
        return False
    operator: Any = node.operator
    if operator.least is None or operator.greatest is None:
        return True
    pairs = [[operator.bound(name, node.data.numpy) for name in ("least", "greatest")]]
    pairs.append([operator.least, operator.greatest])
    return not any(bool(least > greatest) for least, greatest in pairs)


def _rounds_one_way(node: KnownNode) -> bool:
    row = node.data.row
    return row is not None and (row.kind == "uint" or (node.maker is Divide and row.kind == "float"))


def _row(kind: Any) -> DType | None:
    found: DType | None = kind.row
    return found


def _cast_to(node: KnownNode, kinds: Iterable[str], of: Iterable[str]) -> bool:
    """Whether a Cast goes from one of some kinds of types to one of others."""
    row, to = _row(node.data), node.field("to")
    return row is not None and row.kind in of and to.kind in kinds


def _floats_fit(node: KnownNode) -> bool:
    row, to = _row(node.data), node.field("to")
    if to.kind != "float" or row is None or row == to:
        return True
    wide = {"float16": 15, "float32": 127, "float64": 1023, "bfloat16": 127}
    if row.kind == "float":
        return False  # an infinity is beyond every finite number
    return row.kind != "string" and to.name in wide and wide[to.name] >= row.bits - (row.kind == "int")


def _integers_fit(node: KnownNode) -> bool:
    row, to = _row(node.data), node.field("to")
    if not _cast_to(node, ("int", "uint"), ("int", "uint")):
        return (row is not None and row.kind in ("bool", "float", "string")) or to.kind not in ("int", "uint")
    assert row is not None
    (low, high), (least, most) = integer_range(row), integer_range(to)
    given = node.values[0]
    if given is not None and given.size:
        low, high = int(given.min()), int(given.max())
    return least <= low and high <= most


def _wholes_fit(node: KnownNode) -> bool:
    """Whether it is no Cast of floats to integers, or all of them are known to have an integer of the type."""
    if not _cast_to(node, ("int", "uint"), ("float",)):
        return True
    bounds = node.bounds(0)
    if bounds is None or not bounds.low.size:
        return False
    least, most = integer_range(node.field("to"))
    return bool(float(bounds.low.min()) > least - 1 and float(bounds.high.max()) < most + 1)


_OUT = {
    OutOfRange.RAISE: "an index outside its axis is refused",
    OutOfRange.CLAMP: "an index outside its axis reads the nearest end",
    OutOfRange.ZERO: "an index outside its axis gives zero",
    OutOfRange.WRAP: "an index outside its axis is taken modulo its size",
}
_OUT_WRITE = {
    OutOfRangeWrite.RAISE: "an update outside its axis is refused",
    OutOfRangeWrite.CLAMP: "an update outside its axis goes to the nearest end",
    OutOfRangeWrite.SKIP: "an update outside its axis is left out",
    OutOfRangeWrite.WRAP: "the index of an update is taken modulo the axis",
    OutOfRangeWrite.REPORT: "an update outside its axis is left out with a warning",
}
_NEGATIVE = {
    Negative.FROM_END: "a negative index counts from the end",
    Negative.INVALID: "a negative index is outside its axis",
}
_CAST = (Cast,)
_PADS = (Pad, pad_of_pairs)

RULES: tuple[Rule, ...] = (
    Rule("out_of_range", GATHERS, _OUT, _inside, "the indices are known to lie inside their axes"),
    Rule("out_of_range", SCATTERS, _OUT_WRITE, _inside, "the indices are known to lie inside their axes"),
    Rule("negative", (*GATHERS, *SCATTERS, OneHot), _NEGATIVE, _never_negative,
         "the indices are unsigned, or known not to be negative"),
    Rule("off_axis", (GatherElements, ScatterElements), {
        OffAxis.EQUAL: "indices smaller than data beside the axis are refused",
        OffAxis.AT_MOST: "indices may be smaller than data beside the axis"}, _equal_off_axis,
        "the sizes are known and equal beside the axis"),
    Rule("duplicates", SCATTERS, {
        Duplicates.LAST: "of two updates for one element the last one stays",
        Duplicates.RAISE: "two updates for one element are refused"}, _no_duplicates,
        "updates are reduced, or the indices are constants that name no element twice",
        {Duplicates.LAST: "a runtime that writes on several threads keeps any of them, or parts of several"}),
    Rule("nan", SCATTERS, {
        NanRule.PROPAGATE: "min and max with NaN are NaN",
        NanRule.UPDATE: "min and max take the update where one of the two is NaN",
        NanRule.DATA: "min and max keep the element where one of the two is NaN"}, _no_nan,
        "the reduction is not min or max, or the elements are integers"),
    Rule("use_init_val", SCATTERS, {
        True: "updates are reduced with what data holds",
        False: "updates are reduced without what data holds"}, _replaces, "nothing is reduced"),
    Rule("one_of_any_rank", (ScatterND,), {
        False: "one update for one element has no axes",
        True: "one update for one element may have axes of 1"},
        lambda node: _same_with(node, one_of_any_rank=False), "the sizes of updates are known to fit"),
    Rule("least_indices", (GatherND,), {
        0: "tuples of no index take the whole", 1: "tuples of no index are refused"},
        lambda node: _same_with(node, least_indices=1), "the length of the tuples is known and not 0"),
    Rule("uneven", (ops.Split,), {
        Uneven.REFUSE: "an axis that the sections do not divide is refused",
        Uneven.SMALLER_LAST: "the last parts of an axis that the sections do not divide are smaller",
        Uneven.ONLY_LAST: "only the very last part of an axis that the sections do not divide is smaller"}, _divides,
        "the sections divide the axis, whose size is known"),
    Rule("zero", (Reshape,), {
        Zero.COPY: "a 0 in the shape copies a size", Zero.LITERAL: "a 0 in the shape is a size of 0"}, _no_zero,
        "the shape has no 0"),
    Rule("undetermined", (Reshape,), {
        Undetermined.REFUSE: "a -1 beside a size of 0 is refused", Undetermined.ONE: "a -1 beside a size of 0 is 1"},
        _no_rest, "the shape is known to have no -1, or no 0 beside it, or data to have elements"),
    Rule("empty", (Squeeze,), {
        Empty.ALL: "an empty list of axes means all of size 1", Empty.NONE: "an empty list of axes means none"},
        _listed, "axes are listed"),
    Rule("other_sizes", (Squeeze,), {
        OtherSizes.REFUSE: "a listed axis whose size is not 1 is refused",
        OtherSizes.KEEP: "a listed axis whose size is not 1 stays"},
        _listed_are_one, "the sizes of the listed axes are known to be 1"),
    Rule("repeated", (Squeeze, Unsqueeze), {
        Repeated.REFUSE: "an axis listed twice is refused", Repeated.COLLAPSE: "an axis listed twice counts once"},
        _listed_once, "no axis is listed twice"),
    Rule("empty", (Transpose,), {
        EmptyOrder.REFUSE: "an empty order is one for data without axes",
        EmptyOrder.REVERSE: "an empty order reverses the axes"}, lambda node: bool(node.field("perm")),
        "the order is not empty"),
    Rule("alignment", (Expand,), {
        Alignment.TWO_WAY: "a target of 1, or with fewer axes, gives way to data",
        Alignment.ONE_WAY: "a target of 1, or with fewer axes, is refused if data has more"},
        lambda node: node.data.ndim == 0, "data has no axes"),
    Rule("lengths", (Tile,), {
        Lengths.EXACT: "repeats has one entry for each axis",
        Lengths.PAD: "the shorter of repeats and sizes gets ones"},
        _one_entry_each, "there is one entry for each axis"),
    Rule("negative", (Tile,), {
        BelowZero.REFUSE: "negative repeats are refused", BelowZero.ZERO: "negative repeats mean 0"},
        _repeats_fit, "repeats are known not to be negative"),
    Rule("mixed_signs", _PADS, {
        MixedSigns.CROP_FIRST: "modes read what cropping left", MixedSigns.ORIGINAL: "modes read what is cropped away"},
        lambda node: _crops_nothing(node) or node.field("mode") == "constant", "nothing is cropped"),
    Rule("beyond", _PADS, {
        Beyond.REFUSE: "mirrors longer than data are refused", Beyond.FOLD: "mirrors longer than data fold"},
        _no_mirror, "nothing is mirrored, or less than data has"),
    Rule("overcrop", _PADS, {
        Overcrop.REFUSE: "cropping more than there is is refused",
        Overcrop.EMPTY: "cropping more than there is leaves size 0"},
        lambda node: _crops_nothing(node) or _same_with(node, overcrop=Overcrop.REFUSE),
        "no more is cropped than there is"),
    Rule("masked_shrink", (StridedSlice,), {
        MaskedShrink.FIRST: "a shrunk and masked entry takes element 0",
        MaskedShrink.BEGIN: "a shrunk and masked entry takes element begin"},
        lambda node: not any(a and b for a, b in zip(
            node.field("begin_mask") or (), node.field("shrink_axis_mask") or (), strict=False)),
        "no entry is both masked and shrunk"),
    Rule("longer", (Compress,), {
        LongerCondition.IGNORE: "entries of the condition beyond the axis are not read",
        LongerCondition.REFUSE_TRUE: "a true entry of the condition beyond the axis is refused"},
        _condition_fits, "the condition is known to fit the axis"),
    Rule("too_long", (ReverseSequence,), {
        TooLong.REFUSE: "a length beyond the axis is refused",
        TooLong.CLAMP: "a length beyond the axis means all of it"},
        lambda node: _same_with(node, too_long=TooLong.REFUSE), "the lengths are known to fit the axis"),
    Rule("fractional", (OneHot,), {
        FractionalIndex.TRUNCATE: "the fraction of an index is dropped",
        FractionalIndex.OFF: "an index with a fraction is off everywhere"},
        lambda node: node.types[0].row is not None and node.types[0].row.is_integer, "the indices are integers"),
    Rule("nan", (Unique,), {
        NaN.EQUAL: "all NaN are one value", NaN.DISTINCT: "each NaN is a value of its own"},
        lambda node: bool(node.types) and node.data.row is not None and node.data.row.kind != "float",
        "the elements are no floats"),
    Rule("scalar", (NonZero,), {
        ScalarCoordinates.NONE: "an element without axes has no coordinate",
        ScalarCoordinates.ONE: "an element without axes has one coordinate"},
        _has_axes, "data has axes"),
    Rule("unbatched", (Col2Im,), {
        False: "windows without a batch axis are refused", True: "windows may have no batch axis"},
        lambda node: node.data.ndim == 3, "data has a batch axis"),
    Rule("crossed", (Clip,), {
        Crossed.GREATEST: "of a range whose least number is above its greatest, all become the greatest",
        Crossed.LEAST: "of a range whose least number is above its greatest, all become the least",
        Crossed.RAISE: "a range whose least number is above its greatest is refused"},
        _not_crossed, "the bounds are known, and the least is not above the greatest"),
    Rule("nan", (Extreme,), {
        NanOperand.PROPAGATE: "an extreme with NaN is NaN",
        NanOperand.NUMBER: "an extreme of NaN and a number is the number"},
        lambda node: node.data.row is not None and node.data.row.kind != "float", "the elements are no floats"),
    Rule("rounding", (Divide, Remainder), {
        Quotient.TRUNCATE: "quotients are rounded toward zero", Quotient.FLOOR: "quotients are rounded down"},
        _rounds_one_way, "the integers have no sign, or it is a quotient of floats"),
    Rule("steps", (Range,), {
        Steps.MULTIPLY: "elements are start + n * delta",
        Steps.ACCUMULATE: "each element is the one before plus delta"},
        lambda node: node.outputs[0].row is not None and node.outputs[0].row.is_integer, "the elements are integers"),
    Rule("float_overflow", _CAST, {
        FloatOverflow.INFINITY: "a number too large becomes infinity, or NaN where there is none",
        FloatOverflow.SATURATE: "a number too large becomes the greatest one"}, _floats_fit,
        "it is from an integer type to a float type that holds every value"),
    Rule("float_to_integer", _CAST, {
        FloatToInteger.SATURATE: "a float beyond the integers becomes the nearest end",
        FloatToInteger.INDEFINITE: "a float beyond the integers becomes what the processor makes of it"},
        _wholes_fit, "it is not from float to integer, or the floats are no NaN, and lie inside the integers"),
    Rule("integer_overflow", _CAST, {
        IntegerOverflow.WRAP: "an integer that does not fit wraps around",
        IntegerOverflow.SATURATE: "an integer that does not fit becomes the nearest end"}, _integers_fit,
        "the type holds every value"),
    Rule("rounding", _CAST, {
        Rounding.NEAREST_EVEN: "numbers become the nearest one, of two the even one",
        Rounding.NEAREST_UP: "numbers become the nearest one, of two the greater one",
        Rounding.UP: "numbers are rounded up", Rounding.DOWN: "numbers are rounded down"},
        lambda node: node.field("to").name != "float8_e8m0fnu", "the type is not float8_e8m0fnu"),
    Rule("nan_is_true", _CAST, {True: "NaN is true", False: "NaN is false"},
         lambda node: not _cast_to(node, ("bool",), ("float",)), "it is not from float to bool"),
    Rule("float_text", _CAST, {
        FloatText.PLAIN: "floats are written with as many digits as they need, without an exponent",
        FloatText.SIGNIFICANT_8: "floats are written with up to 8 digits"},
        lambda node: not _cast_to(node, ("string",), ("float",)), "it is not from float to string"),
)  # fmt: skip


STRICT: Mapping[str, tuple[Any, Any]] = {
    "undetermined": (Undetermined.REFUSE, Undetermined.ONE),
    "other_sizes": (OtherSizes.REFUSE, OtherSizes.KEEP),
    "one_of_any_rank": (False, True),
    "overcrop": (Overcrop.REFUSE, Overcrop.EMPTY),
}
"""Rules by which some sizes are refused: that value, and the one that takes them. What both take has the same results,
so that a rewrite may leave such a refusal out; a note tells it."""


_RULES_FOR = {
    maker: tuple(rule for rule in RULES if maker in rule.operators) for each in RULES for maker in each.operators
}
"""The rules of each operator, by what makes it."""


def rules_of(node: KnownNode) -> list[Rule]:
    """Return the rules that an operator has as fields."""
    fields = node.fields
    return [
        rule for rule in _RULES_FOR.get(node.maker, ()) if rule.field in fields and fields[rule.field] in rule.words
    ]
