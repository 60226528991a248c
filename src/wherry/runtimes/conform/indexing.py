"""Rules of operators with indices."""

from __future__ import annotations

import numpy as np

from wherry.runtimes.conform.rule import ORDINARY, Rule, floats, ints, longs, rule, scalar, strings

_TABLE = floats(5, 2)
_LINE = floats(5)
_BOUNDS = "indices lie in -s..s-1 along an axis of size s; others are an error"
_FROM_END = "a negative index counts from the end"
_AXIS = "a negative axis counts from the last"

_GATHER = (
    rule("Gather", ORDINARY, "rows of data by their numbers", [_TABLE, ints(3, 0)]),
    rule("Gather", "axis 1", "the axes of indices stand where axis stood", [_TABLE, ints(1, 0, 1)], {"axis": 1}),
    rule("Gather", "negative axis", _AXIS, [_TABLE, ints(1, 0, 1)], {"axis": -1}),
    rule("Gather", "axis past the last", "axis lies in -r..r-1", [_TABLE, ints(1)], {"axis": 2}),
    rule("Gather", "negative index", _FROM_END, [_LINE, ints(-1, -5)]),
    rule("Gather", "index past the end", _BOUNDS, [_LINE, ints(1, 5)]),
    rule("Gather", "index below the start", _BOUNDS, [_LINE, ints(1, -6)]),
    rule("Gather", "index far past the end", _BOUNDS, [_LINE, ints(1, 100_000_000)]),
    rule("Gather", "constant index past the end", _BOUNDS, [_LINE, ints(1, 5)], constants=[1]),
    rule("Gather", "index past int32", _BOUNDS, [_LINE, ints(1, 2**32 + 1)]),
    rule("Gather", "repeated index", "an index may be named any number of times", [_LINE, ints(2, 2, 2)]),
    rule("Gather", "index of rank 0", "the axis vanishes", [_TABLE, np.array(3)]),
    rule("Gather", "index of rank 3", "the axes of indices stand where axis stood", [_TABLE, longs(1, 2, 1)]),
    rule("Gather", "no index", "no index, no element", [_TABLE, ints()]),
    rule("Gather", "data without elements", "rows of size 0 are gathered too", [np.zeros((5, 0), np.float32), ints(4)]),
    rule("Gather", "any index of an axis of size 0", _BOUNDS, [np.zeros((0, 2), np.float32), ints(0)]),
    rule("Gather", "int32 indices", "indices are int32 or int64", [_LINE, ints(3, 1).astype(np.int32)]),
    rule("Gather", "uint8 indices", "indices are int32 or int64", [_LINE, ints(3, 1).astype(np.uint8)]),
    rule("Gather", "data of rank 0", "data has an axis at least", [scalar(3), ints(0)]),
    rule("Gather", "rank 8", "any number of axes", [floats(1, 2, 1, 1, 1, 1, 1, 2), ints(1, 0)], {"axis": 7}),
)

_SQUARE = floats(3, 3)

_GATHER_ELEMENTS = (
    rule("GatherElements", ORDINARY, "an index for each element of the result", [_SQUARE, longs(2, 3) % 3]),
    rule("GatherElements", "axis 1", "the index replaces the coordinate of axis", [_SQUARE, longs(3, 2) % 3],
         {"axis": 1}),
    rule("GatherElements", "negative axis", _AXIS, [_SQUARE, longs(3, 2) % 3], {"axis": -1}),
    rule("GatherElements", "negative index", _FROM_END, [_LINE, ints(-1, -5)]),
    rule("GatherElements", "index past the end", _BOUNDS, [_LINE, ints(1, 5)]),
    rule("GatherElements", "index below the start", _BOUNDS, [_LINE, ints(1, -6)]),
    rule("GatherElements", "index far past the end", _BOUNDS, [_LINE, ints(1, 100_000_000)]),
    rule("GatherElements", "index past int32", _BOUNDS, [_LINE, ints(1, 2**32 + 1)]),
    rule("GatherElements", "indices of fewer rows", "only the result has the sizes of indices",
         [_SQUARE, ints(2, 0)[None]]),
    rule("GatherElements", "no index", "no index, no element", [_SQUARE, np.zeros((0, 3), np.int64)]),
    rule("GatherElements", "another rank of indices", "indices have the rank of data", [_SQUARE, ints(1)]),
    rule("GatherElements", "int32 indices", "indices are int32 or int64", [_LINE, ints(3, 1).astype(np.int32)]),
)  # fmt: skip

_GATHER_ND = (
    rule("GatherND", ORDINARY, "each row of indices names an element", [_SQUARE, np.array([[0, 1], [2, 2]])]),
    rule("GatherND", "slices", "a short row of indices names a slice", [_SQUARE, np.array([[2], [0]])]),
    rule(
        "GatherND",
        "batch_dims",
        "the first axes of both are walked together",
        [floats(2, 2, 2), np.array([[[1]], [[0]]])],
        {"batch_dims": 1},
    ),
    rule("GatherND", "negative index", _FROM_END, [_SQUARE, np.array([[-1, -3]])]),
    rule("GatherND", "index past the end", _BOUNDS, [_SQUARE, np.array([[0, 1], [1, 3]])]),
    rule("GatherND", "index below the start", _BOUNDS, [_SQUARE, np.array([[0, 1], [1, -4]])]),
    rule("GatherND", "index far past the end", _BOUNDS, [_SQUARE, np.array([[0, 1], [100_000_000, 0]])]),
    rule("GatherND", "constant index past the end", _BOUNDS, [_SQUARE, np.array([[0, 1], [1, 3]])], constants=[1]),
    rule("GatherND", "no index", "no index, no element", [_SQUARE, np.zeros((0, 2), np.int64)]),
    rule("GatherND", "rows of indices too long", "a row of indices names an axis each", [_SQUARE, longs(1, 3) * 0]),
    rule("GatherND", "int32 indices", "indices are int64", [_SQUARE, np.array([[0, 1]], np.int32)]),
)

_ADD, _MUL, _MIN, _MAX = ({"reduction": name} for name in ("add", "mul", "min", "max"))
_LEFT_OPEN = "which of several updates of an element remains is open"

_SCATTER_ELEMENTS = (
    rule("ScatterElements", ORDINARY, "an index for each update", [_SQUARE, ints(2, 0, 1)[None], -floats(1, 3)]),
    rule("ScatterElements", "axis 1", "the index replaces the coordinate of axis",
         [_SQUARE, ints(2, 0)[None], -floats(1, 2)], {"axis": 1}),
    rule("ScatterElements", "negative axis", _AXIS, [_SQUARE, ints(2, 0)[None], -floats(1, 2)], {"axis": -1}),
    rule("ScatterElements", "negative index", _FROM_END, [_LINE, ints(-1, -5), -floats(2)]),
    rule("ScatterElements", "index past the end", _BOUNDS, [_LINE, ints(1, 5), -floats(2)]),
    rule("ScatterElements", "index below the start", _BOUNDS, [_LINE, ints(1, -6), -floats(2)]),
    rule("ScatterElements", "index far past the end", _BOUNDS, [_LINE, ints(1, 100_000_000), -floats(2)]),
    rule("ScatterElements", "index past int32", _BOUNDS, [_LINE, ints(1, 2**32 + 1), -floats(2)]),
    rule("ScatterElements", "repeated index", _LEFT_OPEN, [_LINE, ints(2, 2), -floats(2)], is_open=True),
    rule("ScatterElements", "add, repeated index", "updates are added one by one",
         [_LINE, ints(2, 2), floats(2)], _ADD),
    rule("ScatterElements", "mul, repeated index", "updates are multiplied one by one",
         [_LINE, ints(2, 2), floats(2) + 1], _MUL),
    rule("ScatterElements", "min", "the least of element and updates stays", [_LINE, ints(2, 0), floats(2)], _MIN),
    rule("ScatterElements", "max", "the greatest of element and updates stays", [_LINE, ints(2, 0), floats(2)], _MAX),
    rule("ScatterElements", "add of int64", "integers are added exactly",
         [ints(2**53, 2**40), ints(0, 1), ints(1, 1)], _ADD),
    rule("ScatterElements", "no index", "data as it is", [_LINE, ints(), floats(0)]),
    rule("ScatterElements", "updates of other sizes", "updates have the sizes of indices",
         [_LINE, ints(1, 2), floats(3)]),
    rule("ScatterElements", "int32 indices", "indices are int32 or int64",
         [_LINE, ints(3, 1).astype(np.int32), -floats(2)]),
)  # fmt: skip

_SCATTER_ND = (
    rule("ScatterND", ORDINARY, "each row of indices names an element",
         [_SQUARE, np.array([[0, 1], [2, 2]]), -floats(2)]),
    rule("ScatterND", "slices", "a short row of indices names a slice", [_SQUARE, np.array([[1]]), -floats(1, 3)]),
    rule("ScatterND", "negative index", _FROM_END, [_SQUARE, np.array([[-1, -3]]), -floats(1)]),
    rule("ScatterND", "index past the end", _BOUNDS, [_SQUARE, np.array([[0, 1], [1, 3]]), -floats(2)]),
    rule("ScatterND", "index below the start", _BOUNDS, [_SQUARE, np.array([[0, 1], [1, -4]]), -floats(2)]),
    rule("ScatterND", "index far past the end", _BOUNDS, [_SQUARE, np.array([[100_000_000, 0]]), -floats(1)]),
    rule("ScatterND", "repeated index", _LEFT_OPEN, [_SQUARE, np.array([[1, 1], [1, 1]]), -floats(2)], is_open=True),
    rule("ScatterND", "add, repeated index", "updates are added one by one",
         [_SQUARE, np.array([[1, 1], [1, 1]]), floats(2)], _ADD),
    rule("ScatterND", "mul, repeated index", "updates are multiplied one by one",
         [_SQUARE, np.array([[1, 1], [1, 1]]), floats(2) + 1], _MUL),
    rule("ScatterND", "min", "the least of element and updates stays", [_SQUARE, np.array([[2, 2]]), floats(1)], _MIN),
    rule("ScatterND", "max", "the greatest of element and updates stays", [_SQUARE, np.array([[2, 2]]), floats(1)],
         _MAX),
    rule("ScatterND", "no index", "data as it is", [_SQUARE, np.zeros((0, 2), np.int64), floats(0)]),
    rule("ScatterND", "updates of other sizes", "updates have a place for each row of indices",
         [_SQUARE, np.array([[0, 1], [2, 2]]), floats(3)]),
)  # fmt: skip

_COMPRESS = (
    rule("Compress", ORDINARY, "rows where condition is true", [_TABLE, np.array([1, 0, 0, 1, 0], bool)], {"axis": 0}),
    rule("Compress", "without axis", "of the elements in order", [_SQUARE, np.array([0, 1, 0, 0, 1], bool)]),
    rule("Compress", "negative axis", _AXIS, [_TABLE, np.array([0, 1], bool)], {"axis": -1}),
    rule("Compress", "condition shorter than the axis", "what condition does not reach is left out",
         [_TABLE, np.array([0, 1], bool)], {"axis": 0}),
    rule("Compress", "nothing chosen", "the axis has size 0", [_TABLE, np.zeros(5, bool)], {"axis": 0}),
    rule("Compress", "axis past the last", "axis lies in -r..r-1", [_TABLE, np.array([True])], {"axis": 2}),
)  # fmt: skip

_ONE_HOT = (
    rule("OneHot", ORDINARY, "on where the index says, off elsewhere", [ints(0, 2), ints(3), floats(2)], constants=[1]),
    rule("OneHot", "negative index", _FROM_END, [ints(-1, -3), ints(3), floats(2)], constants=[1]),
    rule("OneHot", "index outside", "an index outside -depth..depth-1 has off everywhere",
         [ints(3, -4, 1), ints(3), floats(2)], constants=[1]),
    rule("OneHot", "index past int32", "an index outside -depth..depth-1 has off everywhere",
         [ints(2**32, 1), ints(3), floats(2)], constants=[1]),
    rule("OneHot", "axis 0", "the new axis stands at axis", [ints(0, 2), ints(3), floats(2)], {"axis": 0},
         constants=[1]),
    rule("OneHot", "float indices", "indices may be floats", [floats(2), ints(3), floats(2)], constants=[1]),
    rule("OneHot", "index of rank 0", "a vector", [np.array(1), ints(3), floats(2)], constants=[1]),
    rule("OneHot", "no index", "no index, no row", [ints(), ints(3), floats(2)], constants=[1]),
)  # fmt: skip

_UNIQUE = (
    rule("Unique", ORDINARY, "each element once, in ascending order", [floats(3)[[2, 0, 2]]]),
    rule("Unique", "not sorted", "each element once, in the order of first sight", [floats(3)[[2, 0, 2]]],
         {"sorted": 0}),
    rule("Unique", "places and counts", "first places, inverse places, counts", [floats(3)[[2, 0, 2]]], outputs=4),
    rule("Unique", "axis", "slices along axis", [floats(3, 2)[[2, 0, 2]]], {"axis": 0}, outputs=4),
    rule("Unique", "negative axis", _AXIS, [floats(2, 2)[:, [1, 1]]], {"axis": -1}),
    rule("Unique", "int64 beyond int32", "integers are compared exactly", [ints(2**53 + 1, 2**53, 2**53 + 1)]),
    rule("Unique", "strings", "any type of the list", [strings("b", "a", "b")]),
    rule("Unique", "nothing", "nothing comes of nothing", [floats(0)], outputs=4),
    rule("Unique", "two NaN", "whether NaN equals NaN is open", [np.array([np.nan, 1, np.nan], np.float32)],
         is_open=True, any_nan=True),
)  # fmt: skip

_NON_ZERO = (
    rule("NonZero", ORDINARY, "coordinates of what is not 0, an axis a row", [floats(2, 2) - 2]),
    rule("NonZero", "NaN and -0.0", "NaN is not 0, -0.0 is", [np.array([np.nan, -0.0, 1e-45], np.float32)]),
    rule("NonZero", "bool", "true is not 0", [np.array([True, False, True])]),
    rule("NonZero", "int64 beyond int32", "any bit counts", [ints(2**32, 0, 2**63 - 1)]),
    rule("NonZero", "nothing but zeros", "no column", [floats(2, 2) * 0]),
    rule("NonZero", "rank 0", "no row, a column for what is not 0", [scalar(3)]),
    rule("NonZero", "nothing", "no column", [floats(0, 3)]),
)

RULES: tuple[Rule, ...] = (
    *_GATHER,
    *_GATHER_ELEMENTS,
    *_GATHER_ND,
    *_SCATTER_ELEMENTS,
    *_SCATTER_ND,
    *_COMPRESS,
    *_ONE_HOT,
    *_UNIQUE,
    *_NON_ZERO,
)
