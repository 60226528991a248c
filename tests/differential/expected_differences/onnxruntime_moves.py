"""ONNX Runtime in operators that cut, join, pad and order."""

from __future__ import annotations

import numpy as np

from tests.differential.case import Case
from tests.differential.conditions import (
    Has,
    HasAttribute,
    HasInput,
    all_of,
    attribute,
    before,
    named,
    not_,
    of,
    since,
    typed,
)
from tests.differential.difference import Difference
from tests.differential.expected_differences.onnxruntime_entries import PAGES, SOURCE, TRUE, F, difference, vector

_TENTH = np.float32(0.1)


@named("an axis is negative")
def _negative_axis(case: Case) -> bool:
    return any(axis < 0 for axis in [case.attributes.get("axis", 0), *_axes(case)])


def _axes(case: Case) -> list[int]:
    """The axes that a Slice, Squeeze or Unsqueeze names, as attribute or as input."""
    if "axes" in case.attributes:
        return list(case.attributes["axes"])
    place = {"Slice": 3, "Squeeze": 1, "Unsqueeze": 1}.get(case.operator, len(case.inputs))
    return case.inputs[place].tolist() if len(case.inputs) > place else []


@named("an axis is named twice")
def _axis_twice(case: Case) -> bool:
    axes = [axis % max(1, case.inputs[0].ndim) for axis in _axes(case)]
    return len(set(axes)) < len(axes)


_BEFORE_11 = {
    "Split": (Case("Split", 2, (F,), {"axis": -1}, outputs=2), Case("Split", 11, (F,), {"axis": -1}, outputs=2)),
    "Concat": (Case("Concat", 4, (F, F), {"axis": -1}), Case("Concat", 11, (F, F), {"axis": -1})),
    "Slice": (Case("Slice", 10, (F, vector(1), vector(2), vector(-1))),
              Case("Slice", 11, (F, vector(1), vector(2), vector(-1)))),
    "Compress": (Case("Compress", 9, (F, TRUE), {"axis": -1}), Case("Compress", 11, (F, TRUE), {"axis": -1})),
    "Squeeze": (Case("Squeeze", 1, (F[:1],), {"axes": [-1]}), Case("Squeeze", 11, (F[:1],), {"axes": [-1]})),
    "Unsqueeze": (Case("Unsqueeze", 1, (F,), {"axes": [-1]}), Case("Unsqueeze", 11, (F,), {"axes": [-1]})),
}  # fmt: skip

_NEGATIVE_AXES = tuple(
    difference(
        f"{operator} before 11 takes a negative axis",
        f"one kernel counts from the end in all versions; {operator} names no negative axes before version 11, wherry "
        "refuses",
        f"{PAGES}{operator}.html",
        all_of(of(operator), before(11), _negative_axis),
        *cases,
    )
    for operator, cases in _BEFORE_11.items()
)


@named("num_outputs leaves exactly the last part empty")
def _leaves_an_empty_part(case: Case) -> bool:
    data, axis, parts = case.inputs[0], case.attributes.get("axis", 0), case.attributes["num_outputs"]
    if not -data.ndim <= axis < data.ndim or parts < 1:
        return False
    return -(-data.shape[axis] // parts) * (parts - 1) == data.shape[axis]


@named("there are more outputs than num_outputs")
def _fewer_counted(case: Case) -> bool:
    return case.attributes["num_outputs"] < case.outputs


@named("there are fewer outputs than num_outputs")
def _more_counted(case: Case) -> bool:
    return case.attributes["num_outputs"] > case.outputs


@named("an input without elements has other sizes, the axis aside")
def _empty_of_other_sizes(case: Case) -> bool:
    axis = case.attributes.get("axis", 0)
    if all(array.size for array in case.inputs):
        return False
    others = {np.delete(array.shape, axis).tobytes() for array in case.inputs if -array.ndim <= axis < array.ndim}
    return len(others) > 1 or len({array.ndim for array in case.inputs}) > 1


@named("a step is negative where an end is INT_MAX")
def _backwards_to_the_most(case: Case) -> bool:
    most = (2**31 - 1, 2**63 - 1)
    return any(step < 0 and end in most for end, step in zip(case.inputs[2], case.inputs[4], strict=False))


def _pads(case: Case) -> list[tuple[int, int, int]]:
    """Size, begin and end of each axis of a Pad."""
    data = case.inputs[0]
    pads = case.attributes.get("pads", case.attributes.get("paddings"))
    pads = case.inputs[1].tolist() if pads is None else pads
    axes = case.inputs[3].tolist() if len(case.inputs) > 3 else range(data.ndim)
    half = len(pads) // 2
    return [(data.shape[axis], pads[n], pads[n + half]) for n, axis in enumerate(axes)]


def _left(size: int, begin: int, end: int) -> int:
    return max(0, size + min(begin, 0) + min(end, 0))


@named("more is mirrored than is left, less one")
def _mirrors_far(case: Case) -> bool:
    return any(max(b, e) > 0 and max(b, e) > _left(size, b, e) - 1 for size, b, e in _pads(case))


@named("nothing is left to read on an axis")
def _reads_nothing(case: Case) -> bool:
    return any(_left(*pad) == 0 for pad in _pads(case)) or 0 in case.inputs[0].shape


@named("input 1 has 0 and -1")
def _zero_and_rest(case: Case) -> bool:
    return {0, -1} <= set(case.inputs[1].tolist())


@named("adding delta again and again gives other numbers")
def _accumulates(case: Case) -> bool:
    start, limit, delta = case.inputs
    if delta.dtype.kind != "f" or delta == 0:
        return False
    count = max(0, int(np.ceil(float(limit - start) / float(delta))))
    steps = np.full(count, delta)
    steps[:1] = start
    return not np.array_equal(np.add.accumulate(steps), start + np.arange(count).astype(delta.dtype) * delta)


@named("there are slices along the axis, without elements")
def _empty_slices(case: Case) -> bool:
    return case.inputs[0].size == 0 and case.inputs[0].shape[case.attributes["axis"]] > 0


@named("the image has three axes or more, and a dilation above 1")
def _dilated(case: Case) -> bool:
    return case.inputs[1].size > 2 and max(case.attributes.get("dilations", [1])) > 1


@named("the image has one axis")
def _one_axis(case: Case) -> bool:
    return case.inputs[1].size < 2


_COUNTED = (of("Split"), since(18), HasAttribute("num_outputs"))
_COLUMNS = np.arange(1, 5, dtype=np.float32).reshape(1, 4, 1)

ENTRIES: tuple[Difference, ...] = (
    *_NEGATIVE_AXES,
    difference(
        "Concat leaves out empty inputs of other sizes",
        "where shapes are not known at load, its kernel skips inputs without elements before it compares sizes",
        f"{PAGES}Concat.html",
        all_of(of("Concat"), _empty_of_other_sizes),
        Case("Concat", 13, (np.ones((2, 2), np.float32), np.ones((0, 3), np.float32)), {"axis": 0}, is_dynamic=True),
        Case("Concat", 13, (np.ones((2, 2), np.float32), np.ones((0, 2), np.float32)), {"axis": 0}, is_dynamic=True),
    ),
    difference(
        "Split-18 with neither split nor num_outputs",
        "where shapes are not known at load, it cuts equal parts by the number of outputs; the text asks for one of "
        "the two",
        f"{PAGES}Split.html",
        all_of(of("Split"), since(18), not_(HasInput(1)), not_(HasAttribute("num_outputs"))),
        Case("Split", 18, (F,), outputs=2, is_dynamic=True),
        Case("Split", 18, (F,), {"num_outputs": 2}, outputs=2, is_dynamic=True),
    ),
    difference(
        "Split-18 refuses an empty last part",
        "num_outputs that leaves the last part empty is an error; the text only asks that it be smaller",
        f"{PAGES}Split.html",
        all_of(*_COUNTED, _leaves_an_empty_part),
        Case("Split", 18, (np.arange(6),), {"num_outputs": 4}, outputs=4),
        Case("Split", 18, (np.arange(7),), {"num_outputs": 4}, outputs=4),
    ),
    difference(
        "Split-18 with fewer num_outputs than outputs",
        "shape inference writes past the parts it has computed and the process ends; wherry refuses",
        f"{PAGES}Split.html",
        all_of(*_COUNTED, _fewer_counted),
        Case("Split", 18, (np.arange(5),), {"num_outputs": 2}, outputs=3),
        Case("Split", 18, (np.arange(5),), {"num_outputs": 3}, outputs=3),
        crashes=True,
    ),
    difference(
        "Split-18 with more num_outputs than outputs",
        "it follows the node's outputs and ignores the attribute; wherry refuses",
        f"{PAGES}Split.html",
        all_of(*_COUNTED, _more_counted),
        Case("Split", 18, (np.arange(5),), {"num_outputs": 3}, outputs=2),
        Case("Split", 18, (np.arange(5),), {"num_outputs": 2}, outputs=2),
    ),
    difference(
        "Slice backwards with an end of INT_MAX",
        "it takes the largest int32 or int64 for the end of the way, the "
        "beginning of the axis; by the text it is clamped to the last position",
        f"{PAGES}Slice.html",
        all_of(of("Slice"), HasInput(4), _backwards_to_the_most),
        Case("Slice", 13, (F, vector(2), vector(2**63 - 1), vector(0), vector(-1))),
        Case("Slice", 13, (F, vector(2), vector(-(2**63)), vector(0), vector(-1))),
        Case("Slice", 13, (F, vector(2), vector(2**63 - 1), vector(0), vector(1))),
    ),
    difference(
        "Expand of strings with a negative size",
        "it takes -1 for 1; the text gives it no meaning, wherry refuses",
        f"{PAGES}Expand.html",
        all_of(of("Expand"), typed(0, "string"), Has(1, "a negative number")),
        Case("Expand", 13, (np.array([["a", "b"]], object), vector(-1, 2))),
        Case("Expand", 13, (np.array([["a", "b"]], object), vector(1, 2))),
    ),
    difference(
        "Pad mirrors at most size - 1",
        "it refuses the schema's own example, where 2 positions mirror 2",
        f"{PAGES}Pad.html",
        all_of(of("Pad"), attribute("mode", "reflect"), _mirrors_far),
        Case("Pad", 13, (F[:2], vector(2, 0)), {"mode": "reflect"}),
        Case("Pad", 13, (F[:2], vector(1, 0)), {"mode": "reflect"}),
    ),
    difference(
        "Pad refuses modes without anything to read",
        "also where no position has to be read",
        f"{PAGES}Pad.html",
        all_of(of("Pad"), attribute("mode", "edge", "reflect", "wrap"), _reads_nothing),
        Case("Pad", 13, (F[:1], vector(-1, 0)), {"mode": "edge"}),
        Case("Pad", 13, (F[:2], vector(-1, 0)), {"mode": "edge"}),
    ),
    difference(
        "Squeeze takes an empty list for none",
        "axes without an entry squeeze all axes of size 1; the text says that of axes that are not provided",
        f"{PAGES}Squeeze.html",
        all_of(of("Squeeze"), since(13), HasInput(1), Has(1, "no element")),
        Case("Squeeze", 13, (F[:1], vector())),
        Case("Squeeze", 13, (F[:1],)),
    ),
    difference(
        "Squeeze takes an axis twice",
        "it counts once; the text is silent, wherry refuses",
        f"{PAGES}Squeeze.html",
        all_of(of("Squeeze"), _axis_twice),
        Case("Squeeze", 13, (F[:1], vector(0, 0))),
        Case("Squeeze", 13, (F[:1], vector(0))),
    ),
    difference(
        "Reshape with allowzero, 0 and -1",
        "of data without elements it divides the sizes that are not 0; the text calls such a shape invalid",
        f"{PAGES}Reshape.html",
        all_of(of("Reshape"), attribute("allowzero", 1), _zero_and_rest),
        Case("Reshape", 14, (np.zeros((0, 3), np.float32), vector(0, -1)), {"allowzero": 1}),
        Case("Reshape", 14, (np.zeros((0, 3), np.float32), vector(0, 3)), {"allowzero": 1}),
    ),
    difference(
        "Unique of slices without elements",
        "its kernel throws where nothing catches: the process ends",
        f"{PAGES}Unique.html",
        all_of(of("Unique"), HasAttribute("axis"), _empty_slices),
        Case("Unique", 11, (np.zeros((2, 0), np.float32),), {"axis": 0}),
        Case("Unique", 11, (np.zeros((2, 1), np.float32),), {"axis": 0}),
        crashes=True,
    ),
    difference(
        "Unique merges NaN with numbers",
        "its map orders elements by a comparison, in which NaN is neither less nor greater than any number, and so "
        "equal to each: which elements become one depends on their order",
        f"{SOURCE}/tensor/unique.cc",
        all_of(of("Unique"), Has(0, "a NaN")),
        Case("Unique", 11, (np.array([5, np.nan], np.float32),)),
        Case("Unique", 11, (np.array([5, np.inf, -np.inf, -0.0, 0.0, 1e-45], np.float32),)),
    ),
    difference(
        "Range adds again and again",
        "it adds delta to the element before; the text multiplies, once rounded",
        f"{PAGES}Range.html",
        all_of(of("Range"), _accumulates),
        Case("Range", 11, (_TENTH * 0, _TENTH * 10, _TENTH)),
        Case("Range", 11, (np.float32(0), np.float32(10), np.float32(0.5))),
    ),
    difference(
        "Col2Im of three axes and more with dilations",
        "windows are read from wrong columns",
        f"{PAGES}Col2Im.html",
        all_of(of("Col2Im"), _dilated),
        Case("Col2Im", 18, (_COLUMNS, vector(3, 1, 1), vector(2, 1, 1)), {"dilations": [2, 1, 1]}),
        Case("Col2Im", 18, (_COLUMNS.reshape(1, 2, 2), vector(3, 1, 1), vector(2, 1, 1))),
        Case("Col2Im", 18, (_COLUMNS, vector(3, 1), vector(2, 1)), {"dilations": [2, 1]}),
    ),
    difference(
        "Col2Im of an image of one axis",
        "the text asks for two axes and more, wherry refuses",
        f"{PAGES}Col2Im.html",
        all_of(of("Col2Im"), _one_axis),
        Case("Col2Im", 18, (np.ones((1, 1, 1), np.float32), vector(1), vector(1))),
        Case("Col2Im", 18, (np.ones((1, 1, 1), np.float32), vector(1, 1), vector(1, 1))),
    ),
)
