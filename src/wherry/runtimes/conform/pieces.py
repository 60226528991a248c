"""Rules of operators that split, concatenate and pad."""

from __future__ import annotations

import numpy as np

from wherry.runtimes.conform.rule import ORDINARY, Rule, floats, ints, rule, scalar

_LINE, _TABLE = floats(5), floats(4, 3)
_AXIS = "a negative axis counts from the last"
_LAST, _FIRST = 2**63 - 1, -(2**63)
_RANGE = (1, 2, 3, 4)

_SLICE = (
    rule("Slice", ORDINARY, "from start up to end", [_LINE, ints(1), ints(4)], constants=_RANGE),
    rule("Slice", "ranges known at run", "starts and ends are inputs like others", [_LINE, ints(1), ints(4)]),
    rule("Slice", "step 2", "every second element", [_LINE, ints(0), ints(5), ints(0), ints(2)], constants=_RANGE),
    rule("Slice", "negative start and end", "they count from the end", [_LINE, ints(-4), ints(-1)], constants=_RANGE),
    rule("Slice", "end past the end", "end is clamped", [_LINE, ints(2), ints(_LAST)], constants=_RANGE),
    rule("Slice", "end of int32's greatest", "end is clamped",
         [_LINE, *(ints(n).astype(np.int32) for n in (2, 2**31 - 1))], constants=_RANGE),
    rule("Slice", "negative step", "backwards", [_LINE, ints(3), ints(0), ints(0), ints(-1)], constants=_RANGE),
    rule("Slice", "backwards to the first", "the least int64 as end reaches the first element",
         [_LINE, ints(_LAST), ints(_FIRST), ints(0), ints(-2)], constants=_RANGE),
    rule("Slice", "backwards from before the first", "start is clamped to 0",
         [_LINE, ints(-9), ints(-10), ints(0), ints(-1)], constants=_RANGE),
    rule("Slice", "empty range", "no element where start is not before end", [_LINE, ints(4), ints(1)],
         constants=_RANGE),
    rule("Slice", "start past the end", "start is clamped, no element", [_LINE, ints(9), ints(12)], constants=_RANGE),
    rule("Slice", "negative axes", _AXIS, [_TABLE, ints(1), ints(3), ints(-1)], constants=_RANGE),
    rule("Slice", "axes in any order", "each start belongs to its axis",
         [_TABLE, ints(1, 2), ints(3, 4), ints(1, 0)], constants=_RANGE),
    rule("Slice", "step 0", "a step is not 0", [_LINE, ints(1), ints(4), ints(0), ints(0)], constants=_RANGE),
    rule("Slice", "axis past the last", "axes lie in -r..r-1", [_LINE, ints(1), ints(4), ints(1)], constants=_RANGE),
    rule("Slice", "steps past int32", "a step beyond the axis leaves one element",
         [_LINE, ints(1), ints(5), ints(0), ints(2**33)], constants=_RANGE),
    rule("Slice", "data without elements", "an axis of size 0 stays", [floats(0, 3), ints(0), ints(2)],
         constants=_RANGE),
    rule("Slice", "rank 8", "any number of axes", [floats(1, 2, 1, 1, 1, 1, 1, 3), ints(1), ints(3), ints(7)],
         constants=_RANGE),
)  # fmt: skip

_SPLIT = (
    rule("Split", ORDINARY, "parts of the sizes named", [_LINE, ints(2, 3)], outputs=2, constants=[1]),
    rule("Split", "equal parts", "num_outputs parts", [_TABLE], {"num_outputs": 2}, outputs=2),
    rule("Split", "uneven parts", "the last part is the smaller one", [_LINE], {"num_outputs": 2}, outputs=2),
    rule("Split", "uneven parts before opset 18", "without sizes all parts are equal", [_LINE], opset=13, outputs=2),
    rule("Split", "sizes known at run", "split is an input like others", [_LINE, ints(2, 3)], outputs=2),
    rule("Split", "part of size 0", "a part may be empty", [_LINE, ints(0, 5)], outputs=2, constants=[1]),
    rule("Split", "negative axis", _AXIS, [_TABLE, ints(1, 2)], {"axis": -1}, outputs=2, constants=[1]),
    rule("Split", "sizes that miss the axis", "the sizes add up to that of the axis", [_LINE, ints(2, 2)], outputs=2,
         constants=[1]),
    rule("Split", "negative size", "sizes are 0 or more", [_LINE, ints(6, -1)], outputs=2, constants=[1]),
    rule("Split", "axis past the last", "axis lies in -r..r-1", [_LINE, ints(2, 3)], {"axis": 1}, outputs=2,
         constants=[1]),
    rule("Split", "one part", "the tensor itself", [_LINE, ints(5)], outputs=1, constants=[1]),
    rule("Split", "axis of size 0", "parts of size 0", [floats(0, 3)], {"num_outputs": 2}, outputs=2),
)  # fmt: skip

_CONCAT = (
    rule("Concat", ORDINARY, "one behind the other along axis", [floats(2, 2), -floats(1, 2)], {"axis": 0}),
    rule("Concat", "negative axis", _AXIS, [floats(2, 2), -floats(2, 1)], {"axis": -1}),
    rule("Concat", "one input", "the tensor itself", [floats(2, 2)], {"axis": 0}),
    rule("Concat", "input without elements", "it adds nothing", [floats(2, 2), floats(0, 2)], {"axis": 0}),
    rule("Concat", "nothing but empty inputs", "sizes add up", [floats(0, 2), floats(0, 2)], {"axis": 0}),
    rule("Concat", "sizes that differ", "but for axis all sizes are equal", [floats(2, 2), floats(2, 3)], {"axis": 0}),
    rule("Concat", "types that differ", "all inputs have one type", [floats(2), ints(1, 2)], {"axis": 0}),
    rule("Concat", "ranks that differ", "all inputs have one rank", [floats(2), floats(1, 2)], {"axis": 0}),
    rule("Concat", "rank 0", "there is an axis to join along", [floats(1).reshape(()), floats(1).reshape(())],
         {"axis": 0}),
    rule("Concat", "axis past the last", "axis lies in -r..r-1", [floats(2), floats(2)], {"axis": 1}),
    rule("Concat", "rank 8", "any number of axes", [floats(1, 1, 1, 1, 1, 1, 1, 2), floats(1, 1, 1, 1, 1, 1, 1, 1)],
         {"axis": 7}),
)  # fmt: skip

_PADS, _EDGE, _REFLECT, _WRAP = (1, 2, 3), {"mode": "edge"}, {"mode": "reflect"}, {"mode": "wrap"}

_PAD = (
    rule("Pad", ORDINARY, "zeros around", [floats(2, 2), ints(1, 0, 0, 2)], constants=_PADS),
    rule("Pad", "pads known at run", "pads are an input like others", [floats(2, 2), ints(1, 0, 0, 2)]),
    rule("Pad", "value", "constant_value around", [floats(3), ints(1, 1), scalar(7)], constants=_PADS),
    rule("Pad", "value of -0.0", "constant_value with its sign", [floats(3), ints(1, 1), scalar(-0.0)],
         constants=_PADS),
    rule("Pad", "edge", "the edge, repeated", [floats(3), ints(2, 1)], _EDGE, constants=_PADS),
    rule("Pad", "reflect", "mirrored, the edge once", [floats(3), ints(2, 1)], _REFLECT, constants=_PADS),
    rule("Pad", "wrap", "from the other end", [floats(3), ints(2, 1)], _WRAP, opset=19, constants=_PADS),
    rule("Pad", "wrap past the other end", "round and round", [floats(3), ints(4, 5)], _WRAP, opset=19,
         constants=_PADS),
    rule("Pad", "reflect past the other end", "how far a mirror reaches is open", [floats(3), ints(4, 0)], _REFLECT,
         constants=_PADS, is_open=True),
    rule("Pad", "negative pads", "elements are taken away", [floats(5), ints(-1, -2)], constants=_PADS),
    rule("Pad", "pads of both signs", "cut on one side, filled on the other", [floats(5), ints(-2, 2)],
         constants=_PADS),
    rule("Pad", "axes", "pads of some axes", [floats(2, 2), ints(1, 0), scalar(0), ints(1)],
         constants=_PADS),
    rule("Pad", "negative axes", _AXIS, [floats(2, 2), ints(1, 0), scalar(0), ints(-1)],
         constants=_PADS),
    rule("Pad", "data without elements", "nothing but the value", [floats(0, 2), ints(1, 0, 1, 0)], constants=_PADS),
    rule("Pad", "edge of nothing", "there is no edge to repeat", [floats(0), ints(1, 0)], _EDGE, constants=_PADS,
         is_open=True),
    rule("Pad", "pads that miss the axes", "two pads for each axis", [floats(2, 2), ints(1, 0)], constants=_PADS),
    rule("Pad", "an int64 value beyond int32", "constant_value is of data's type",
         [ints(1), ints(1, 0), np.array(2**40)], constants=_PADS),
    rule("Pad", "rank 7", "any number of axes", [floats(1, 1, 1, 1, 1, 1, 2), ints(*[0] * 6, 1, *[0] * 6, 1)],
         constants=_PADS),
)  # fmt: skip

_TILE = (
    rule("Tile", ORDINARY, "side by side", [floats(2, 2), ints(1, 2)], constants=[1]),
    rule("Tile", "repeats known at run", "repeats is an input like others", [floats(2, 2), ints(1, 2)]),
    rule("Tile", "repeat 0", "the axis has size 0", [floats(2, 2), ints(1, 0)], constants=[1]),
    rule("Tile", "negative repeat", "what fewer than 0 would be is not said", [floats(2, 2), ints(1, -1)],
         constants=[1], is_open=True),
    rule("Tile", "repeats that miss the axes", "a number for each axis", [floats(2, 2), ints(2)], constants=[1]),
    rule("Tile", "rank 0", "no axis, no number", [floats(1).reshape(()), ints()], constants=[1]),
    rule("Tile", "rank 7", "any number of axes", [floats(1, 1, 1, 1, 1, 1, 2), ints(2, 1, 1, 1, 1, 1, 2)],
         constants=[1]),
)  # fmt: skip

RULES: tuple[Rule, ...] = (*_SLICE, *_SPLIT, *_CONCAT, *_PAD, *_TILE)
