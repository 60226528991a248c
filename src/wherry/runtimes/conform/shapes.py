"""Rules of operators that change sizes or the order of elements."""

from __future__ import annotations

import numpy as np

from wherry.runtimes.conform.rule import ORDINARY, Rule, floats, ints, longs, rule, scalar, strings

_AXIS = "a negative axis counts from the last"
_SCALAR = scalar(1)

_EXPAND = (
    rule("Expand", ORDINARY, "repeated along axes of size 1", [floats(3, 1), ints(3, 2)], constants=[1]),
    rule("Expand", "shape known at run", "shape is an input like others", [floats(3, 1), ints(3, 2)]),
    rule("Expand", "shape of lower rank", "both sides are broadcast", [floats(2, 1), ints(3)], constants=[1]),
    rule("Expand", "1 in shape", "the size of data stays", [floats(2, 3), ints(1, 1)], constants=[1]),
    rule("Expand", "new axes", "they stand in front", [floats(2), ints(2, 1, 2)], constants=[1]),
    rule("Expand", "0 in shape", "an axis of size 1 becomes one of size 0", [floats(2, 1), ints(2, 0)], constants=[1]),
    rule("Expand", "sizes that do not fit", "sizes are equal, or one of them 1", [floats(2, 3), ints(2, 2)],
         constants=[1]),
    rule("Expand", "rank 0", "one element everywhere", [_SCALAR, ints(2, 2)], constants=[1]),
    rule("Expand", "shape of nothing", "data as it is", [floats(2), ints()], constants=[1]),
    rule("Expand", "rank 8", "any number of axes", [floats(1, 1, 1, 1, 1, 1, 1, 1), ints(1, 2, 1, 1, 1, 1, 1, 2)],
         constants=[1]),
)  # fmt: skip

_RESHAPE = (
    rule("Reshape", ORDINARY, "the same elements in order", [floats(2, 3), ints(3, 2)], constants=[1]),
    rule("Reshape", "shape known at run", "shape is an input like others", [floats(2, 3), ints(3, 2)]),
    rule("Reshape", "-1", "what remains", [floats(2, 3), ints(3, -1)], constants=[1]),
    rule("Reshape", "0", "the size of data on that axis", [floats(2, 3), ints(0, 3, 1)], constants=[1]),
    rule("Reshape", "0 and -1", "first the copied size, then what remains", [floats(2, 3, 2), ints(0, -1)],
         constants=[1]),
    rule("Reshape", "0 past the axes of data", "there is no size to copy", [floats(2), ints(2, 0)], constants=[1]),
    rule("Reshape", "allowzero", "0 is a size", [floats(0, 3), ints(3, 0)], {"allowzero": 1}, constants=[1]),
    rule("Reshape", "two of -1", "one -1 at most", [floats(2, 3), ints(-1, -1)], constants=[1]),
    rule("Reshape", "-2", "-1 is the only negative size", [floats(2, 3), ints(3, -2)], constants=[1]),
    rule("Reshape", "sizes that do not fit", "the number of elements stays", [floats(2, 3), ints(4, 2)],
         constants=[1]),
    rule("Reshape", "-1 that does not divide", "the number of elements stays", [floats(2, 3), ints(4, -1)],
         constants=[1]),
    rule("Reshape", "to rank 0", "an empty shape is a scalar", [floats(1, 1), ints()], constants=[1]),
    rule("Reshape", "without elements", "sizes of 0 are copied", [floats(0, 3), ints(0, 3, 1)], constants=[1]),
    rule("Reshape", "to rank 8", "any number of axes", [floats(2, 3), ints(1, 2, 1, 1, 3, 1, 1, 1)], constants=[1]),
)  # fmt: skip

_TRANSPOSE = (
    rule("Transpose", ORDINARY, "axes in the order of perm", [floats(2, 3, 2)], {"perm": [1, 2, 0]}),
    rule("Transpose", "without perm", "axes backwards", [floats(2, 3, 2)]),
    rule("Transpose", "rank 0", "a scalar as it is", [_SCALAR]),
    rule("Transpose", "repeated axis", "perm names each axis once", [floats(2, 3)], {"perm": [1, 1]}),
    rule("Transpose", "axis past the last", "perm names axes of data", [floats(2, 3)], {"perm": [0, 2]}),
    rule("Transpose", "negative axis", "whether perm may count from the last is not said", [floats(2, 3)],
         {"perm": [-1, 0]}, is_open=True),
    rule("Transpose", "without elements", "sizes of 0 change places", [floats(0, 3)], {"perm": [1, 0]}),
    rule("Transpose", "rank 8", "any number of axes", [floats(1, 2, 1, 3, 1, 1, 1, 2)],
         {"perm": [7, 6, 5, 4, 3, 2, 1, 0]}),
)  # fmt: skip

_TRILU = (
    rule("Trilu", ORDINARY, "zeros below the diagonal", [floats(3, 3)]),
    rule("Trilu", "lower", "zeros above the diagonal", [floats(3, 3)], {"upper": 0}),
    rule("Trilu", "k", "the diagonal k above the main one", [floats(3, 3), np.array(1)], constants=[1]),
    rule("Trilu", "negative k", "the diagonal -k below the main one", [floats(3, 3), np.array(-1)], constants=[1]),
    rule("Trilu", "k past the matrix", "nothing remains", [floats(2, 2), np.array(9)], constants=[1]),
    rule("Trilu", "k past int32", "nothing remains", [floats(2, 2), np.array(2**32)], constants=[1]),
    rule("Trilu", "batches", "each matrix of the last two axes", [floats(2, 2, 3)]),
    rule("Trilu", "rank 1", "there are two axes at least", [floats(3)]),
    rule("Trilu", "without elements", "a matrix of size 0", [floats(0, 3)]),
)

_SQUEEZE = (
    rule("Squeeze", ORDINARY, "axes of size 1 vanish", [floats(1, 2, 1), ints(0)], constants=[1]),
    rule("Squeeze", "without axes", "all axes of size 1 vanish", [floats(1, 2, 1)]),
    rule("Squeeze", "negative axis", _AXIS, [floats(1, 2, 1), ints(-1)], constants=[1]),
    rule("Squeeze", "axis of another size", "only axes of size 1", [floats(1, 2, 1), ints(1)], constants=[1]),
    rule("Squeeze", "axis past the last", "axes lie in -r..r-1", [floats(1, 2, 1), ints(3)], constants=[1]),
    rule("Squeeze", "to rank 0", "a scalar", [floats(1, 1), ints(0, 1)], constants=[1]),
)

_UNSQUEEZE = (
    rule("Unsqueeze", ORDINARY, "axes of size 1 appear", [floats(2, 3), ints(0, 3)], constants=[1]),
    rule("Unsqueeze", "negative axis", "it counts from the last of the result", [floats(2, 3), ints(-1)],
         constants=[1]),
    rule("Unsqueeze", "axes in any order", "they name places of the result", [floats(2, 3), ints(3, 0)],
         constants=[1]),
    rule("Unsqueeze", "repeated axis", "each axis once", [floats(2, 3), ints(0, 0)], constants=[1]),
    rule("Unsqueeze", "axis past the last", "axes lie in -r..r-1 of the result", [floats(2, 3), ints(3)],
         constants=[1]),
    rule("Unsqueeze", "to rank 8", "any number of axes", [floats(2, 3), ints(0, 1, 2, 3, 4, 5)], constants=[1]),
    rule("Unsqueeze", "rank 0", "a vector of one", [_SCALAR, ints(0)], constants=[1]),
)  # fmt: skip

_FLATTEN = (
    rule("Flatten", ORDINARY, "a matrix: axes before axis, and the others", [floats(2, 3, 2)], {"axis": 2}),
    rule("Flatten", "axis 0", "one row", [floats(2, 3)], {"axis": 0}),
    rule("Flatten", "negative axis", _AXIS, [floats(2, 3, 2)], {"axis": -1}),
    rule("Flatten", "rank 0", "a matrix of one", [_SCALAR], {"axis": 0}),
    rule("Flatten", "axis past the last", "axis lies in -r..r", [floats(2, 3)], {"axis": 3}),
)

_REVERSE_SEQUENCE = (
    rule("ReverseSequence", ORDINARY, "the first elements of each batch, backwards", [floats(3, 2), ints(3, 2)]),
    rule("ReverseSequence", "time_axis 1", "batches are rows", [floats(2, 3), ints(3, 2)],
         {"time_axis": 1, "batch_axis": 0}),
    rule("ReverseSequence", "length 1", "nothing changes", [floats(3, 2), ints(1, 1)]),
    rule("ReverseSequence", "length past the axis", "what lies behind the axis is not said", [floats(3, 2), ints(4, 2)],
         is_open=True),
    rule("ReverseSequence", "lengths that miss the batches", "a length for each batch", [floats(3, 2), ints(3, 2, 1)]),
    rule("ReverseSequence", "both axes the same", "time_axis and batch_axis are 0 and 1", [floats(3, 2), ints(3, 2)],
         {"time_axis": 0, "batch_axis": 0}),
)  # fmt: skip

_BLOCKS = (
    rule("DepthToSpace", ORDINARY, "depth first, then columns, then rows", [floats(1, 8, 1, 2)], {"blocksize": 2}),
    rule("DepthToSpace", "CRD", "columns first, then rows, then depth", [floats(1, 8, 1, 2)],
         {"blocksize": 2, "mode": "CRD"}),
    rule("DepthToSpace", "depth that does not divide", "depth is a multiple of blocksize squared", [floats(1, 6, 1, 2)],
         {"blocksize": 2}),
    rule("DepthToSpace", "no batch", "nothing comes of nothing", [floats(0, 4, 1, 1)], {"blocksize": 2}),
    rule("DepthToSpace", "int64", "any type", [longs(1, 4, 1, 1)], {"blocksize": 2}),
    rule("SpaceToDepth", ORDINARY, "blocks into depth", [floats(1, 2, 2, 4)], {"blocksize": 2}),
    rule("SpaceToDepth", "sizes that do not divide", "height and width are multiples of blocksize",
         [floats(1, 1, 3, 2)], {"blocksize": 2}),
    rule("SpaceToDepth", "no batch", "nothing comes of nothing", [floats(0, 1, 2, 2)], {"blocksize": 2}),
)  # fmt: skip

_ABOUT = (
    rule("Shape", ORDINARY, "the sizes as int64", [floats(2, 3)]),
    rule("Shape", "start and end", "some of the sizes", [floats(2, 3, 4)], {"start": 1, "end": 2}),
    rule("Shape", "negative start", "it counts from the last", [floats(2, 3, 4)], {"start": -2}),
    rule("Shape", "start past the last", "start and end are clamped", [floats(2, 3)], {"start": 5}),
    rule("Shape", "rank 0", "a vector of nothing", [_SCALAR]),
    rule("Shape", "strings", "any type", [strings("a", "b")]),
    rule("Size", ORDINARY, "the number of elements as int64", [floats(2, 3)]),
    rule("Size", "without elements", "0", [floats(2, 0)]),
    rule("Identity", ORDINARY, "the tensor as it is", [floats(2, 3)]),
    rule("Identity", "without elements", "the tensor as it is", [floats(2, 0)]),
)

RULES: tuple[Rule, ...] = (
    *_EXPAND,
    *_RESHAPE,
    *_TRANSPOSE,
    *_TRILU,
    *_SQUEEZE,
    *_UNSQUEEZE,
    *_FLATTEN,
    *_REVERSE_SEQUENCE,
    *_BLOCKS,
    *_ABOUT,
)
