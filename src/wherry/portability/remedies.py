"""Remedies: for each rule and known difference that a check can report the guard of `fix`, or why there is none.

A guard keeps numbers away that the model refuses, or of which its specification says nothing. So there is none of a
difference that legal numbers show, nor of one that types, sizes, axes or attributes decide.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from wherry.ops import (
    Cast,
    Clip,
    Compress,
    Divide,
    Expand,
    Extreme,
    Gather,
    GatherElements,
    GatherND,
    OneHot,
    Pad,
    Remainder,
    ScatterElements,
    ScatterND,
    ScatterUpdate,
    Tile,
    pad_of_pairs,
)
from wherry.ops.split import split_by_sizes


class Kind(StrEnum):
    """What `fix` does about a finding."""

    GUARDED = "guarded"
    NOT_NEEDED = "not needed"
    NOT_POSSIBLE = "not possible"


@dataclass(frozen=True)
class Remedy:
    """What `fix` does about findings of some names, at some operators or, where none are given, at all."""

    kind: Kind
    names: tuple[str, ...]
    why: str = ""
    """Why there is no guard; of one that there is, why it may not do, where the table of guards does not tell."""
    operators: tuple[object, ...] = ()

    def is_about(self, name: str, maker: object) -> bool:
        """Whether it tells of a finding of this name at what makes an operator."""
        return name in self.names and (not self.operators or maker in self.operators)


_GATHERS = (Gather, GatherElements, GatherND)
_SCATTERS = (ScatterElements, ScatterND, ScatterUpdate)

_REFUSED = "the target does not take the node, whatever its inputs are"
_FEWER_BITS = "the target holds the numbers in a type that has fewer before any node sees them"
_LEGAL = "the inputs are legal: to keep them away would change the model's own answer"
_DECIDED = "types, sizes, axes or attributes decide it, and a guard changes numbers alone"
_ORDER = "which updates meet in one element shows only where all indices are compared with each other"
_NEAR = "the target has the operator for constants alone, and says it by others that are nearly the same"
_NO_TEXT = "no operator that moves or compares numbers looks into text"
_MIRRORED = "how long a mirror may be depends on what a run crops, and a shorter one has another size"
_NOT_TOLD = "a check never names it: wherry refuses such a model, or cannot see how its file spells the node"
_ALIKE = "no target has another value for the rule; what runtimes do otherwise is told by known differences"

FROM_FRONT = frozenset({"negative", "negative and bad indices", "negative indices of scatterND"})
"""The findings behind whose guard no index counts from the end."""


def _guarded(operators: Iterable[object], *names: str, unless: str = "") -> Remedy:
    return Remedy(Kind.GUARDED, names, unless, tuple(operators))


REMEDIES: tuple[Remedy, ...] = (
    _guarded(_GATHERS, "out_of_range", "negative", "indices are cut to 32 bits",
             "short vectors are read without a check", "some old Gathers count from the end",
             "Gather-1 takes negative indices", "GatherND does not check indices of an empty result",
             "a tuple outside data reads foreign memory", "an axis of size 1 is taken as it is",
             "bad indices of GATHER are clamped", "bad indices of GATHER_ELEMENTS", "bad indices of GATHER_ND",
             "bad indices are clamped", "bad indices are read inside", "negative and bad indices"),
    _guarded(_SCATTERS, "out_of_range", "negative", "indices are cut to 32 bits", "Scatter-9 takes negative indices",
             "an index before the axis is written in front of memory", "bad indices of SCATTER",
             "bad indices of SCATTER_ND", "bad indices of scatters", "bad indices are clamped",
             "indices of scatterND beyond the axis", "negative indices of scatterND"),
    _guarded((OneHot,), "negative", "OneHot-9 takes negative indices", "indices of ONE_HOT below the first position"),
    _guarded((Cast,), "float_to_integer", "floats beyond an integer type", "floats outside the range as uint32",
             "floats outside an integer type are clamped", "nan_is_true", "NaN is false", "the least i32 is false"),
    _guarded((Cast,), "floats beyond 32 bits as wider integers", unless=_FEWER_BITS),
    _guarded((Divide, Remainder), "the least integer divided by -1", "quotients of integers that there are not"),
    _guarded((Tile,), "negative"),
    _guarded((split_by_sizes,), "Split by sizes"),
    _guarded((Expand,), "Expand of strings with a negative size"),
    _guarded((Compress,), "longer", "Compress ignores what it has no position for"),
    _guarded((pad_of_pairs, Pad), "overcrop", "mixed_signs",
             "an end cropped beyond its axis touches foreign memory"),
    Remedy(Kind.NOT_NEEDED, ("crossed", "nan", "rounding"), _ALIKE, (Clip, Extreme, Divide, Remainder)),
    Remedy(Kind.NOT_NEEDED, (
        "Compress before 11 takes a negative axis", "Concat before 11 takes a negative axis",
        "Concat leaves out empty inputs of other sizes", "GatherND of tuples without an index",
        "GatherND takes all axes of indices for batches", "GatherND takes batch axes of other sizes",
        "Pad-18 with constant axes of int32", "Split before 11 takes a negative axis",
        "Split-18 with fewer num_outputs than outputs", "Split-18 with more num_outputs than outputs",
        "Split-18 with neither split nor num_outputs", "Squeeze before 11 takes a negative axis",
        "Unsqueeze before 11 takes a negative axis", "a Broadcast to a constant of narrow integers is refused",
        "a Broadcast without target_shape ends the process", "a Col2Im with an attribute left out ends the process",
        "a Squeeze of strings that may skip axes ends the process", "a Transpose of one axis is refused",
        "a pad value that is not used may have any type", "axes may be floats", "integers scaled",
        "scatters of strings are reduced", "sums of floats", "updates of another type are converted",
    ), _NOT_TOLD),
    Remedy(Kind.NOT_POSSIBLE, (
        "64-bit data before feature level 4.1", "64-bit data before feature level 5.0",
        "64-bit integers in TILE before feature level 4.1", "Clip before version 11 where min is more than max",
        "NONZERO_COORDINATES of 64 bits", "NonZero of float8 is refused", "OneHot refuses scalar indices",
        "PADDING by WRAP before feature level 6.4", "PADDING by symmetry before feature level 3.0",
        "Select of float8 is refused", "Split-18 refuses an empty last part", "TILE of FLOAT64",
        "a Col2Im of unknown sizes is refused", "a Concat of one string input is refused",
        "a Convert between types of 8 bits or less is refused", "a GatherTree of 8 bits, or bf16, is refused",
        "a OneHot by indices of 8 bits is refused", "a Squeeze to an unknown number of axes is refused",
        "a bidirectional Broadcast of float8 to unknown sizes is refused",
        "a negative step from before the first element is refused",
        "a negative stride from before the first element is refused", "a new axis behind an ellipsis is refused",
        "a size of 0", "an Eye of float8 is refused", "an Unsqueeze by axes known at run is refused",
        "an empty list of axes known at run is refused", "arithmetic before version 6", "arithmetic before version 7",
        "edges repeated more often than the axis is long", "elements by indices known at run",
        "float16 before opset 6", "more than 8 axes", "no complex numbers",
        "no kernel for Add, Sub, Mul and Div of some types", "no kernel for ArgMax and ArgMin of some types",
        "no kernel for Cast of float4", "no kernel for Clip of some types", "no kernel for Col2Im of some types",
        "no kernel for Concat-1", "no kernel for DepthToSpace of some types", "no kernel for DepthToSpace-1 of bytes",
        "no kernel for Equal of some types", "no kernel for EyeLike of some types",
        "no kernel for EyeLike to some types",
        "no kernel for Less, LessOrEqual, Greater and GreaterOrEqual of some types",
        "no kernel for Min and Max of some types", "no kernel for Mod, Abs and Sign of some types",
        "no kernel for Neg of some types", "no kernel for NonZero of some types", "no kernel for OneHot of some types",
        "no kernel for Pad of some types", "no kernel for Pad-1", "no kernel for ReduceMin and ReduceMax of some types",
        "no kernel for ReduceSum, ReduceProd and CumSum of some types", "no kernel for SpaceToDepth of some types",
        "no kernel for Split-1", "no kernel for Tile-1", "no kernel for Trilu of some types",
        "no kernel for Unique of some types", "no kernel for Where of some types", "no kernel of bfloat16",
        "no reduction of bfloat16", "CumProd and TensorScatter are not read",
        "floats with a Mod that is rounded down are not read", "integers of 2 bits are not read",
        "opset newer than 26", "other pads than constants on axes before the last two",
        "other than 4 axes before feature level 3.0", "other than floats before feature level 2.1", "pad by edges",
        "parts that do not add up", "reductions along no axes", "scatters of bool have no max and min",
        "scatters of float16 are not reduced", "signed or 64-bit indices before feature level 3.0",
        "strings are gathered by i32 and i64 only", "strings are padded by constants only", "strings are refused",
        "uint32 indices",
    ), _REFUSED),
    Remedy(Kind.NOT_POSSIBLE, (
        "Cast to uint64, before feature level 5.0 to uint32, ReverseSequence", "Slice",
    ), _NEAR),
    Remedy(Kind.NOT_POSSIBLE, (
        "f64 is converted as f32", "f64 is reduced in f32", "indices are cut to 32 bits",
        "integers are reduced in 32 bits", "integers compared and divided as floats", "integers reduced as floats",
        "the diagonal of an Eye is cut to 32 bits", "wide data loses bits",
    ), _FEWER_BITS),
    Remedy(Kind.NOT_POSSIBLE, (
        "empty", "repeated", "zero", "undetermined", "other_sizes", "off_axis", "one_of_any_rank", "least_indices",
        "uneven", "alignment", "lengths", "masked_shrink", "scalar", "unbatched", "too_long", "use_init_val",
        "4 bits are reversed by bytes", "Col2Im of an image of one axis",
        "Col2Im of three axes and more with dilations", "Gather of strings copies only the first of each slice",
        "NonZero of a scalar", "PADDING by WRAP is not defined", "Reshape with allowzero, 0 and -1",
        "Slice before 11 takes a negative axis", "SpaceToBatch of 4 axes reads beyond the end of a line",
        "Squeeze takes an axis twice", "Squeeze takes an empty list for none", "Unique of slices without elements",
        "a pad value known at run is taken for zero", "a slice of strings ends the process",
        "an Eye without batch axes is foreign memory", "an Identity of 4 bits writes behind its memory",
        "an axis reduced twice", "an empty Gather kills the process", "an empty axis gives foreign memory",
        "constants gathered by batches are taken whole", "constants of 4 bits are joined by bytes",
        "first places and counts of slices of bytes are wrong", "new axes beside shrunk ones give foreign memory",
        "one batch is gathered wrongly", "one element mirrored", "reductions of an empty vector",
        "remainders of 64-bit integers as floats", "splitting strings kills the process",
        "strings are moved as bytes", "types narrower than a byte are gathered by bytes",
        "types of 2 bits, and float4, are moved by bytes",
    ), _DECIDED),
    Remedy(Kind.NOT_POSSIBLE, (
        "nan", "fractional", "steps", "float_overflow", "integer_overflow", "rounding", "float_text",
        "16-bit floats are reduced in another order", "NaN among the elements of an extreme",
        "NaN leave the order of Unique undefined", "NaN of float8 keep other bits", "NaN of float8e8m0 as uint64",
        "OneHot of a fraction", "Range adds again and again", "ReverseSequence computes in f32",
        "Select of bf16 flushes subnormals", "Slice backwards with an end of INT_MAX",
        "Unique merges NaN with numbers", "Where loses the sign of zero", "a Convert to bf16 cuts bits off",
        "a GatherTree of no step is foreign memory", "a NaN alone is counted 0 times by Unique",
        "a NaN becomes an infinity, or zero", "a Range whose stop lies the other way is not empty",
        "a pad value is rounded to f32", "a signalling NaN becomes quiet on its way to f16",
        "a signalling NaN of f16 becomes quiet", "bf16 with an even last bit is cut off",
        "bool is subtracted as a number", "coordinates behind the last one", "float16 goes through float32",
        "float8 loses the sign of zero", "floats beyond float8 that are not saturated",
        "floats in scientific numerals", "fractions as integers of 2 and 4 bits", "great integers summed",
        "int64 are ordered by halves", "narrow integers saturate", "negative numbers as float8e8m0",
        "numbers that a narrow float does not have", "quotients of integers rounded down", "remainders of floats",
        "scatters forget a NaN under max and min", "sequences of floats",
        "slices of several rows are compared with foreign memory", "subnormal constants become zero",
        "the greatest of infinities is finite", "the mean of integers is truncated", "the sign of NaN in float16",
        "the sign of the zero that is an extreme", "which of several NaN", "which of two zeros Unique keeps",
    ), _LEGAL),
    Remedy(Kind.NOT_POSSIBLE, (
        "duplicates", "threads lose updates of one element", "threads replace one element in any order",
        "threads replace one slice in any order", "updates of one element", "updates of one element are added up",
        "updates of one element in SCATTER", "updates of one slice in SCATTER_ND",
    ), _ORDER),
    Remedy(Kind.NOT_POSSIBLE, (
        "beyond", "overcrop", "mixed_signs", "Pad mirrors at most size - 1",
        "Pad refuses modes without anything to read",
    ), _MIRRORED),
    Remedy(Kind.NOT_POSSIBLE, (
        "numerals beyond an integer type", "strings that do not follow each other are refused",
    ), _NO_TEXT),
)  # fmt: skip
"""The first row that is about a finding holds."""

_IS_REFUSED = Remedy(Kind.NOT_POSSIBLE, ("... is refused",), _REFUSED)
"""Of a node that a target cannot say, whose finding is called after the operator."""

_ELSEWHERE = Remedy(
    Kind.NOT_POSSIBLE,
    ("what has a guard at other operators",),
    "it is about an operator by which the target says the node; a guard stands before nodes of the model",
)
"""Of names that have a guard, at what makes other operators."""

ROWS: tuple[Remedy, ...] = (*REMEDIES, _IS_REFUSED, _ELSEWHERE)
"""All rows, as the documentation shows them."""


def remedy_of(name: str, maker: object) -> Remedy | None:
    """Return what `fix` does about a finding at what makes an operator; None where no row tells.

    >>> remedy_of("out_of_range", Gather).kind.value
    'guarded'
    >>> remedy_of("wide data loses bits", Cast).why
    'the target holds the numbers in a type that has fewer before any node sees them'
    """
    found = next((one for one in REMEDIES if one.is_about(name, maker)), None)
    if found is None and name.endswith(" is refused"):
        return _IS_REFUSED
    return _ELSEWHERE if found is None and any(name in one.names for one in REMEDIES) else found


def is_guarded(name: str, maker: object) -> bool:
    """Whether `fix` has a guard of an operator that takes such findings away."""
    found = remedy_of(name, maker)
    return found is not None and found.kind is Kind.GUARDED
