"""ONNX Runtime in all other operators."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
import numpy as np

from tests.differential.case import Case
from tests.differential.difference import Difference
from tests.differential.expected_differences.onnxruntime_entries import KERNELS, PAGES, difference
from tests.support.places import UNEVEN, UNEVEN_DATA, named_twice

_F = np.arange(4, dtype=np.float32)
_H = _F.astype(np.float16)
_BYTES = np.arange(4, dtype=np.uint8)
_TRUE = np.array([True])
_UNEVEN = UNEVEN[:, np.newaxis].astype(np.int64)


def _vector(*entries: int) -> np.ndarray:
    return np.array(entries, np.int64)


def _kind(array: np.ndarray) -> str:
    return "string" if array.dtype.hasobject else array.dtype.name


_FLOATS = {"float16", "float32", "float64"}
_TYPES: dict[str, set[str]] = {
    "Where": {"int8", "int32", "int64", "uint8", "uint32", "string", *_FLOATS},
    "DepthToSpace": {"int8", "uint8", *_FLOATS},
    "SpaceToDepth": {"int8", "uint8", *_FLOATS},
    "Trilu": {"bool", "int32", "int64", *_FLOATS},
    "EyeLike": {"int32", "int64", "uint64", *_FLOATS},
    "NonZero": {"bool", "int32", "int64", "uint8", "float16", "float32"},
    "Unique": {"int8", "int64", "string", *_FLOATS},
    "Col2Im": {"float16", "float32"},
    "Pad": {"bool", "int8", "int32", "int64", "uint8", "uint32", "uint64", *_FLOATS},
}
"""The element types that the CPU provider has kernels for, of operators that have them for some only."""

_MISSING_EXAMPLES = {
    "Where": Case("Where", 16, (_TRUE, *2 * (np.array([True]),))),
    "DepthToSpace": Case("DepthToSpace", 13, (np.arange(4).reshape(1, 4, 1, 1),), {"blocksize": 2}),
    "SpaceToDepth": Case("SpaceToDepth", 13, (np.arange(4).reshape(1, 1, 2, 2),), {"blocksize": 2}),
    "Trilu": Case("Trilu", 14, (_BYTES.reshape(2, 2),)),
    "EyeLike": Case("EyeLike", 9, (_BYTES.reshape(2, 2),)),
    "NonZero": Case("NonZero", 13, (_F.astype(np.float64),)),
    "Unique": Case("Unique", 11, (_BYTES,)),
    "Col2Im": Case("Col2Im", 18, (np.ones((1, 4, 1)), _vector(2, 2), _vector(2, 2))),
    "Pad": Case("Pad", 13, (_BYTES.astype(np.int16), _vector(1, 1))),
}


def _moved(case: Case) -> np.ndarray:
    return case.inputs[1 if case.operator == "Where" else 0]


def _lacks_kernel(operator: str) -> Callable[[Case], bool]:
    return lambda case: case.operator == operator and _kind(_moved(case)) not in _TYPES[operator]


_GAPS = tuple(
    difference(
        f"no kernel for {operator} of some types",
        "the CPU provider has kernels for some of the schema's element types only: NOT_IMPLEMENTED",
        KERNELS,
        _lacks_kernel(operator),
        _MISSING_EXAMPLES[operator],
    )
    for operator in _TYPES
)

_ONE_HOT = {
    ("int64", "int64"): {"int64", "float32", "string"}, ("int64", "int32"): {"float32"},
    ("int64", "float32"): {"int32", "float32"}, ("int32", "int32"): {"float32"}, ("int32", "float32"): {"float32"},
    ("float32", "int64"): {"int64", "string"}, ("float32", "float32"): {"float32"},
}  # fmt: skip
"""The types of values with a kernel for OneHot, by those of indices and depth."""

_EYES = {1: "float32", 6: "int32", 7: "int64", 11: "float64", 13: "uint64"}


def _one_hot_gap(case: Case) -> bool:
    if case.operator != "OneHot":
        return False
    indices, depth, values = map(_kind, case.inputs)
    return values not in _ONE_HOT.get((indices, depth), set())


def _older_depth_to_space(case: Case) -> bool:
    return case.operator == "DepthToSpace" and case.version < 11 and _kind(case.inputs[0]) in ("int8", "uint8")


_THROUGH_FLOAT32 = ("Where", "DepthToSpace", "SpaceToDepth", "Tile", "Trilu", "EyeLike", "NonZero", "Unique", "OneHot",
                    "Pad", "Size", "Col2Im", "ReverseSequence")  # fmt: skip


def _half(case: Case) -> bool:
    return case.operator in _THROUGH_FLOAT32 and _kind(_moved(case)) == "float16"


def _half_nan(case: Case) -> bool:
    arrays = [array for array in case.inputs if array.dtype == np.float16]
    return _half(case) and any(np.isnan(array.astype(np.float32)).any() for array in arrays)


def _reduces(case: Case, *words: str) -> bool:
    return case.operator in ("ScatterElements", "ScatterND") and case.attributes.get("reduction") in words


def _meets_on_threads(case: Case, *words: str) -> bool:
    """Whether several threads share the rows of a ScatterND, and two of these are for one place."""
    if case.operator != "ScatterND" or case.attributes.get("reduction", "none") not in words:
        return False
    data, indices, updates = case.inputs
    return updates.size > 1000 and named_twice(data, indices)


def _axes(case: Case) -> list[int]:
    """The axes that a case names, as attribute or as input."""
    if "axes" in case.attributes:
        return list(case.attributes["axes"])
    place = {"Slice": 3, "Squeeze": 1, "Unsqueeze": 1}[case.operator]
    return case.inputs[place].tolist() if len(case.inputs) > place else []


def _old_negative_axis(operator: str) -> Callable[[Case], bool]:
    def applies(case: Case) -> bool:
        if case.operator != operator or case.version >= 11:
            return False
        named = [case.attributes.get("axis", 0)] if operator == "Compress" else _axes(case)
        return any(axis < 0 for axis in named)

    return applies


_NEGATIVE = {
    "Slice": Case("Slice", 10, (_F, _vector(1), _vector(2), _vector(-1))),
    "Compress": Case("Compress", 9, (_F, _TRUE), {"axis": -1}),
    "Squeeze": Case("Squeeze", 1, (_F[:1],), {"axes": [-1]}),
    "Unsqueeze": Case("Unsqueeze", 1, (_F,), {"axes": [-1]}),
}

_NEGATIVE_AXES = tuple(
    difference(
        f"{operator} before 11 takes a negative axis",
        f"one kernel counts from the end in all versions; {operator} names no negative axes before version 11, wherry "
        "refuses",
        f"{PAGES}{operator}.html",
        _old_negative_axis(operator),
        _NEGATIVE[operator],
    )
    for operator in _NEGATIVE
)


def _gathers_nothing(case: Case) -> bool:
    """Whether a GatherND has an empty result, and perhaps indices outside."""
    if case.operator != "GatherND":
        return False
    data, indices = case.inputs
    kept = data.shape[case.attributes.get("batch_dims", 0) + indices.shape[-1] :]
    return 0 in (*indices.shape[:-1], *kept)


def _backwards_to_the_most(case: Case) -> bool:
    if case.operator != "Slice" or len(case.inputs) < 5:
        return False
    most = (2**31 - 1, 2**63 - 1)
    return any(step < 0 and end in most for end, step in zip(case.inputs[2], case.inputs[4], strict=False))


def _is_bfloat16(case: Case) -> bool:
    return case.inputs[0].dtype == np.dtype(ml_dtypes.bfloat16)


def _marks_beyond(case: Case) -> bool:
    if case.operator != "Compress":
        return False
    data, condition = case.inputs
    axis = case.attributes.get("axis")
    size = data.size if axis is None else data.shape[axis] if -data.ndim <= axis < data.ndim else 0
    return bool(condition[size:].any())


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


def _mirrors_far(case: Case) -> bool:
    if case.operator != "Pad" or case.attributes.get("mode") != "reflect":
        return False
    return any(max(b, e) > 0 and max(b, e) > _left(size, b, e) - 1 for size, b, e in _pads(case))


def _reads_nothing(case: Case) -> bool:
    if case.operator != "Pad" or case.attributes.get("mode", "constant") == "constant":
        return False
    return any(_left(*pad) == 0 for pad in _pads(case)) or 0 in case.inputs[0].shape


def _squeezes_no_axis(case: Case) -> bool:
    return case.operator == "Squeeze" and case.version >= 13 and len(case.inputs) > 1 and case.inputs[1].size == 0


def _squeezes_twice(case: Case) -> bool:
    if case.operator != "Squeeze":
        return False
    axes = [axis % max(1, case.inputs[0].ndim) for axis in _axes(case)]
    return len(set(axes)) < len(axes)


def _zero_and_rest(case: Case) -> bool:
    if case.operator != "Reshape" or not case.attributes.get("allowzero"):
        return False
    shape = case.inputs[1].tolist()
    return 0 in shape and -1 in shape


def _whole(array: np.ndarray) -> bool:
    return array.dtype.kind != "f" or bool((np.trunc(array) == array).all())


def _accumulates(case: Case) -> bool:
    """Whether a Range of floats is another one when delta is added again and again."""
    if case.operator != "Range" or case.inputs[0].dtype.kind != "f" or case.inputs[2] == 0:
        return False
    start, limit, delta = case.inputs
    count = max(0, int(np.ceil(float(limit - start) / float(delta))))
    steps = np.full(count, delta)
    steps[:1] = start
    return not np.array_equal(np.add.accumulate(steps), start + np.arange(count).astype(delta.dtype) * delta)


def _empty_slices(case: Case) -> bool:
    axis = case.attributes.get("axis")
    if case.operator != "Unique" or axis is None:
        return False
    return case.inputs[0].size == 0 and case.inputs[0].shape[axis] > 0


_TENTH = np.float32(0.1)

ENTRIES: tuple[Difference, ...] = (
    *_GAPS,
    *_NEGATIVE_AXES,
    difference(
        "no kernel for OneHot of some types",
        "kernels exist for a few combinations of the three element types only: NOT_IMPLEMENTED",
        KERNELS,
        _one_hot_gap,
        Case("OneHot", 11, (_vector(1), np.array(2), np.arange(2, dtype=np.int32))),
    ),
    difference(
        "no kernel for EyeLike to some types",
        "the CPU provider has kernels for some of the schema's element types only: NOT_IMPLEMENTED",
        KERNELS,
        lambda case: case.operator == "EyeLike" and case.attributes.get("dtype", 1) not in _EYES,
        Case("EyeLike", 9, (_F.reshape(2, 2),), {"dtype": 9}),
    ),
    difference(
        "no kernel for DepthToSpace-1 of bytes",
        "they came with version 11: NOT_IMPLEMENTED",
        KERNELS,
        _older_depth_to_space,
        Case("DepthToSpace", 1, (_BYTES.reshape(1, 4, 1, 1),), {"blocksize": 2}),
    ),
    difference(
        "no kernel for Pad-1",
        "the CPU provider registers Pad from version 2 on: NOT_IMPLEMENTED",
        KERNELS,
        lambda case: case.operator == "Pad" and case.version < 2,
        Case("Pad", 1, (_F,), {"paddings": [1, 0]}),
    ),
    difference(
        "no kernel for Tile-1",
        "the CPU provider registers Tile from version 6 on: NOT_IMPLEMENTED",
        KERNELS,
        lambda case: case.operator == "Tile" and case.version < 6,
        Case("Tile", 1, (_F, np.float32(2).reshape(()), np.float32(0).reshape(()))),
    ),
    difference(
        "float16 before opset 6",
        "where it has no kernel it inserts casts to float32, as no Cast before version 6 is: the model does not load",
        KERNELS,
        lambda case: case.version < 6 and _half(case),
        Case("Pad", 2, (_H,), {"pads": [1, 0]}),
    ),
    difference(
        "float16 goes through float32",
        "where it has no kernel for float16 it casts to float32 and back, which sets the quiet bit of a NaN",
        KERNELS,
        _half_nan,
        Case("Where", 16, (_TRUE, *2 * (np.array([0x7C01], np.uint16).view(np.float16),))),
    ),
    difference(
        "scatters of float16 are not reduced",
        "no kernel: it refuses while it runs",
        f"{PAGES}ScatterND.html",
        lambda case: _reduces(case, "add", "mul", "max", "min") and _kind(case.inputs[0]) == "float16",
        Case("ScatterND", 16, (_H, _vector(1).reshape(1, 1), _H[:1]), {"reduction": "add"}),
    ),
    difference(
        "scatters of bool have no max and min",
        "no kernel: it refuses while it runs; wherry takes False below True",
        f"{PAGES}ScatterElements.html",
        lambda case: _reduces(case, "max", "min") and _kind(case.inputs[0]) == "bool",
        Case("ScatterElements", 18, (_TRUE, _vector(0), _TRUE), {"reduction": "max"}),
    ),
    difference(
        "scatters of strings are reduced",
        "add joins the strings, and nothing is refused where there is none; no "
        "specification says what the sum of two is, wherry refuses",
        f"{PAGES}ScatterElements.html",
        lambda case: _reduces(case, "add", "mul", "max", "min") and _kind(case.inputs[0]) == "string",
        Case("ScatterElements", 18, (*2 * (np.array(["a"], object), _vector(0)),)[:3], {"reduction": "add"}),
    ),
    difference(
        "scatters forget a NaN under max and min",
        "a comparison with NaN is false, so that the update stays; the text is silent, wherry lets NaN propagate",
        f"{PAGES}ScatterElements.html",
        lambda case: (
            _reduces(case, "max", "min")
            and case.inputs[0].dtype.kind == "f"
            and bool(np.isnan(case.inputs[0]).any() or np.isnan(case.inputs[2]).any())
        ),
        Case("ScatterElements", 18, (_F[:1] * np.float32(np.nan), _vector(0), _F[1:2]), {"reduction": "max"}),
    ),
    difference(
        "threads replace one element in any order",
        "of several updates for one element any stays, or parts of several, others each time, where there are enough "
        "for two threads; the text asks for none",
        "https://github.com/microsoft/onnxruntime/issues/18048",
        lambda case: _meets_on_threads(case, "none"),
        Case("ScatterND", 18, (UNEVEN_DATA, _UNEVEN, np.arange(len(UNEVEN)).astype(np.float32))),
        of_threads=True,
    ),
    difference(
        "threads lose updates of one element",
        "a ScatterND that reduces reads and writes an element from two threads at once: some updates are not in its "
        "result, others each time",
        "https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/core/providers/cpu/tensor/scatter_nd.cc",
        lambda case: _meets_on_threads(case, "add", "mul", "max", "min"),
        Case(
            "ScatterND", 18, (_F[:1], np.zeros((10**6, 1), np.int64), np.ones(10**6, np.float32)), {"reduction": "add"}
        ),
        of_threads=True,
    ),
    difference(
        "Scatter-9 takes negative indices",
        "one kernel counts from the end in all versions; Scatter-9 names no negative indices, wherry refuses",
        f"{PAGES}Scatter.html",
        lambda case: case.operator == "Scatter" and bool((case.inputs[1] < 0).any()),
        Case("Scatter", 9, (_F, _vector(-1), _F[:1])),
    ),
    difference(
        "Slice backwards with an end of INT_MAX",
        "it takes the largest int32 or int64 for the end of the way, the "
        "beginning of the axis; by the text it is clamped to the last position",
        f"{PAGES}Slice.html",
        _backwards_to_the_most,
        Case("Slice", 13, (_F, _vector(2), _vector(2**63 - 1), _vector(0), _vector(-1))),
    ),
    difference(
        "Pad-18 with constant axes of int32",
        "shape inference reads them as int64: the model does not load",
        f"{PAGES}Pad.html",
        lambda case: case.operator == "Pad" and len(case.inputs) > 3 and case.inputs[3].dtype == np.int32,
        Case("Pad", 18, (_F, _vector(1, 0), _F[0], np.zeros(1, np.int32))),
    ),
    difference(
        "Col2Im of three axes and more with dilations",
        "windows are read from wrong columns",
        f"{PAGES}Col2Im.html",
        lambda case: (
            case.operator == "Col2Im" and case.inputs[1].size > 2 and max(case.attributes.get("dilations", [1])) > 1
        ),
        Case(
            "Col2Im",
            18,
            (np.arange(1, 5, dtype=np.float32).reshape(1, 4, 1), _vector(3, 1, 1), _vector(2, 1, 1)),
            {"dilations": [2, 1, 1]},
        ),
    ),
    difference(
        "Expand of strings with a negative size",
        "it takes -1 for 1; the text gives it no meaning, wherry refuses",
        f"{PAGES}Expand.html",
        lambda case: (
            case.operator == "Expand" and _kind(case.inputs[0]) == "string" and bool((case.inputs[1] < 0).any())
        ),
        Case("Expand", 13, (np.array([["a", "b"]], object), _vector(-1, 2))),
    ),
    difference(
        "no kernel of bfloat16",
        "Tile, Expand and Size have kernels for all other numbers: NOT_IMPLEMENTED",
        KERNELS,
        lambda case: case.operator in ("Tile", "Expand", "Size") and _is_bfloat16(case),
        Case("Size", 13, (_F.astype(ml_dtypes.bfloat16),)),
    ),
    difference(
        "no reduction of bfloat16",
        "the kernel is there, and throws when it runs",
        KERNELS,
        lambda case: (
            case.operator.startswith("Scatter")
            and _is_bfloat16(case)
            and case.attributes.get("reduction", "none") != "none"
        ),
        Case(
            "ScatterElements",
            18,
            (_F.astype(ml_dtypes.bfloat16), _vector(0), _F[:1].astype(ml_dtypes.bfloat16)),
            {"reduction": "add"},
        ),
    ),
    difference(
        "GatherND of tuples without an index",
        "it takes all of data for each; the text asks for 1 and more",
        f"{PAGES}GatherND.html",
        lambda case: case.operator == "GatherND" and case.inputs[1].shape[-1:] == (0,),
        Case("GatherND", 13, (_F, np.zeros((1, 0), np.int64))),
    ),
    difference(
        "GatherND does not check indices of an empty result",
        "its kernel returns before; wherry checks in all cases, as the text makes a bad index an error",
        f"{PAGES}GatherND.html",
        _gathers_nothing,
        Case("GatherND", 13, (np.zeros((3, 0), np.float32), _vector(7))),
    ),
    difference(
        "Compress ignores what it has no position for",
        "a true entry beyond the axis is not read; the text does not speak of a longer condition, wherry refuses",
        f"{PAGES}Compress.html",
        _marks_beyond,
        Case("Compress", 11, (_F, np.ones(5, bool))),
    ),
    difference(
        "Pad mirrors at most size - 1",
        "it refuses the schema's own example, where 2 positions mirror 2",
        f"{PAGES}Pad.html",
        _mirrors_far,
        Case("Pad", 13, (_F[:2], _vector(2, 0)), {"mode": "reflect"}),
    ),
    difference(
        "Pad refuses modes without anything to read",
        "also where no position has to be read",
        f"{PAGES}Pad.html",
        _reads_nothing,
        Case("Pad", 13, (_F[:1], _vector(-1, 0)), {"mode": "edge"}),
    ),
    difference(
        "Squeeze takes an empty list for none",
        "axes without an entry squeeze all axes of size 1; the text says that of axes that are not provided",
        f"{PAGES}Squeeze.html",
        _squeezes_no_axis,
        Case("Squeeze", 13, (_F[:1], _vector())),
    ),
    difference(
        "Squeeze takes an axis twice",
        "it counts once; the text is silent, wherry refuses",
        f"{PAGES}Squeeze.html",
        _squeezes_twice,
        Case("Squeeze", 13, (_F[:1], _vector(0, 0))),
    ),
    difference(
        "Reshape with allowzero, 0 and -1",
        "of data without elements it divides the sizes that are not 0; the text calls such a shape invalid",
        f"{PAGES}Reshape.html",
        _zero_and_rest,
        Case("Reshape", 14, (np.zeros((0, 3), np.float32), _vector(0, -1)), {"allowzero": 1}),
    ),
    difference(
        "OneHot refuses scalar indices",
        "shape inference asks for one axis and more; the text allows any rank",
        f"{PAGES}OneHot.html",
        lambda case: case.operator == "OneHot" and case.inputs[0].ndim == 0,
        Case("OneHot", 11, (np.array(1), np.array(2), _vector(0, 1))),
    ),
    difference(
        "OneHot-9 takes negative indices",
        "one kernel counts from the end in all versions; by the text of version 9 they have all positions off",
        f"{PAGES}OneHot.html",
        lambda case: case.operator == "OneHot" and case.version < 11 and bool((case.inputs[0] < 0).any()),
        Case("OneHot", 9, (_vector(-1), np.array(2), _vector(0, 1))),
    ),
    difference(
        "OneHot of a fraction",
        "an index such as 1.9 has all positions off; the text casts it to int64",
        f"{PAGES}OneHot.html",
        lambda case: case.operator == "OneHot" and not _whole(case.inputs[0]),
        Case("OneHot", 11, (np.array([1.9], np.float32), np.array(2), _vector(0, 1))),
    ),
    difference(
        "NonZero of a scalar",
        "it gives one row; the text gives as many rows as axes, none",
        f"{PAGES}NonZero.html",
        lambda case: case.operator == "NonZero" and case.inputs[0].ndim == 0,
        Case("NonZero", 13, (np.float32(1).reshape(()),)),
    ),
    difference(
        "Unique of slices without elements",
        "its kernel throws where nothing catches: the process ends",
        f"{PAGES}Unique.html",
        _empty_slices,
        Case("Unique", 11, (np.zeros((2, 0), np.float32),), {"axis": 0}),
        crashes=True,
    ),
    difference(
        "Range adds again and again",
        "it adds delta to the element before; the text multiplies, once rounded",
        f"{PAGES}Range.html",
        _accumulates,
        Case("Range", 11, (_TENTH * 0, _TENTH * 10, _TENTH)),
    ),
    difference(
        "Col2Im of an image of one axis",
        "the text asks for two axes and more, wherry refuses",
        f"{PAGES}Col2Im.html",
        lambda case: case.operator == "Col2Im" and case.inputs[1].size < 2,
        Case("Col2Im", 18, (np.ones((1, 1, 1), np.float32), _vector(1), _vector(1))),
    ),
)
