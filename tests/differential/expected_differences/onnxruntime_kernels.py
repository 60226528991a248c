"""ONNX Runtime where it has no kernel for a version or an element type."""

from __future__ import annotations

from dataclasses import replace

import ml_dtypes
import numpy as np

from tests.differential.case import Case
from tests.differential.conditions import (
    Has,
    HasInput,
    all_of,
    any_of,
    attribute,
    before,
    constant,
    not_,
    of,
    since,
    typed,
)
from tests.differential.difference import Difference
from tests.differential.expected_differences.onnxruntime_entries import (
    BYTES,
    KERNELS,
    PAGES,
    TRUE,
    F,
    H,
    difference,
    vector,
)
from tests.differential.expected_differences.onnxruntime_types import EYE_KINDS, HOT_KINDS, WITH_KERNELS

_MISSING = {
    "Where": Case("Where", 16, (TRUE, *2 * (np.array([True]),))),
    "DepthToSpace": Case("DepthToSpace", 13, (np.arange(4).reshape(1, 4, 1, 1),), {"blocksize": 2}),
    "SpaceToDepth": Case("SpaceToDepth", 13, (np.arange(4).reshape(1, 1, 2, 2),), {"blocksize": 2}),
    "Trilu": Case("Trilu", 14, (BYTES.reshape(2, 2),)),
    "EyeLike": Case("EyeLike", 9, (BYTES.reshape(2, 2),)),
    "NonZero": Case("NonZero", 13, (F.astype(np.float64),)),
    "Unique": Case("Unique", 11, (BYTES,)),
    "Col2Im": Case("Col2Im", 18, (np.ones((1, 4, 1)), vector(2, 2), vector(2, 2))),
    "Pad": Case("Pad", 13, (BYTES.astype(np.int16), vector(1, 1))),
}
"""A case of a type that the CPU provider has no kernel for."""


def _as_float32(case: Case) -> Case:
    """The same case with elements that there is a kernel for."""
    moved = (1, 2) if case.operator == "Where" else (0,)
    return replace(
        case, inputs=tuple(array.astype(np.float32) if n in moved else array for n, array in enumerate(case.inputs))
    )


_GAPS = tuple(
    difference(
        f"no kernel for {operator} of some types",
        "the CPU provider has kernels for some of the schema's element types only: NOT_IMPLEMENTED",
        KERNELS,
        all_of(of(operator), not_(typed(1 if operator == "Where" else 0, *WITH_KERNELS[operator]))),
        _MISSING[operator],
        _as_float32(_MISSING[operator]),
    )
    for operator in WITH_KERNELS
)

_CAST_HALVES = (
    "Where", "DepthToSpace", "SpaceToDepth", "Tile", "Trilu", "EyeLike", "NonZero", "Unique", "Pad", "Size",
    "ReverseSequence",
)  # fmt: skip
"""The operators that have no kernel for float16, and are run as float32 between two casts."""

_MOVED_HALVES = [name for name in _CAST_HALVES if name not in ("Size", "EyeLike", "NonZero")]
"""Those of them whose results hold elements of float16 inputs."""

_REDUCES = all_of(of("ScatterElements", "ScatterND"), attribute("reduction", "add", "mul", "max", "min"))

_SIGNALLING_HALF = np.array([0x7C01], np.uint16).view(np.float16)

ENTRIES: tuple[Difference, ...] = (
    *_GAPS,
    difference(
        "no kernel for Split-1",
        "the CPU provider registers Split from version 2 on: NOT_IMPLEMENTED",
        KERNELS,
        all_of(of("Split"), before(2)),
        Case("Split", 1, (F,), {"axis": 0}, outputs=2),
        Case("Split", 2, (F,), {"axis": 0}, outputs=2),
    ),
    difference(
        "no kernel for Concat-1",
        "the CPU provider registers Concat from version 4 on: NOT_IMPLEMENTED",
        KERNELS,
        all_of(of("Concat"), before(4)),
        Case("Concat", 1, (F, F), {"axis": 0}),
        Case("Concat", 4, (F, F), {"axis": 0}),
    ),
    difference(
        "no kernel for Pad-1",
        "the CPU provider registers Pad from version 2 on: NOT_IMPLEMENTED",
        KERNELS,
        all_of(of("Pad"), before(2)),
        Case("Pad", 1, (F,), {"paddings": [1, 0]}),
        Case("Pad", 2, (F,), {"pads": [1, 0]}),
    ),
    difference(
        "no kernel for Tile-1",
        "the CPU provider registers Tile from version 6 on: NOT_IMPLEMENTED",
        KERNELS,
        all_of(of("Tile"), before(6)),
        Case("Tile", 1, (F, np.float32(2).reshape(()), np.float32(0).reshape(()))),
        Case("Tile", 6, (F, vector(2))),
    ),
    difference(
        "no complex numbers",
        "tensor(complex64) and tensor(complex128) are not registered: the model does not load",
        KERNELS,
        typed(None, "complex64", "complex128"),
        Case("Identity", 13, (F.astype(np.complex64),)),
        Case("Identity", 13, (F.astype(np.float64),)),
    ),
    difference(
        "opset newer than 26",
        "it guarantees opsets up to 26 and refuses to load a model that declares a newer one",
        "https://onnxruntime.ai/docs/reference/compatibility.html",
        since(27),
        Case("Identity", 27, (F,)),
        Case("Identity", 26, (F,)),
    ),
    difference(
        "no kernel for OneHot of some types",
        "kernels exist for a few combinations of the three element types only: NOT_IMPLEMENTED",
        KERNELS,
        all_of(
            of("OneHot"),
            not_(any_of(*(all_of(typed(0, indices), typed(1, depth), typed(2, *values))
                          for (indices, depth), values in HOT_KINDS.items()))),
        ),
        Case("OneHot", 11, (vector(1), np.array(2), np.arange(2, dtype=np.int32))),
        Case("OneHot", 11, (vector(1), np.array(2), np.arange(2))),
    ),
    difference(
        "no kernel for EyeLike to some types",
        "the CPU provider has kernels for some of the schema's element types only: NOT_IMPLEMENTED",
        KERNELS,
        all_of(of("EyeLike"), not_(attribute("dtype", None, *EYE_KINDS))),
        Case("EyeLike", 9, (F.reshape(2, 2),), {"dtype": 9}),
        Case("EyeLike", 9, (F.reshape(2, 2),), {"dtype": 7}),
    ),
    difference(
        "no kernel for DepthToSpace-1 of bytes",
        "they came with version 11: NOT_IMPLEMENTED",
        KERNELS,
        all_of(of("DepthToSpace"), before(11), typed(0, "int8", "uint8")),
        Case("DepthToSpace", 1, (BYTES.reshape(1, 4, 1, 1),), {"blocksize": 2}),
        Case("DepthToSpace", 1, (F.reshape(1, 4, 1, 1),), {"blocksize": 2}),
        Case("DepthToSpace", 11, (BYTES.reshape(1, 4, 1, 1),), {"blocksize": 2}),
    ),
    difference(
        "float16 before opset 6",
        "where it has no kernel it inserts casts to float32, as no Cast before version 6 is: the model does not load",
        KERNELS,
        all_of(of(*_CAST_HALVES), before(6), typed(None, "float16")),
        Case("Pad", 2, (H,), {"pads": [1, 0]}),
        Case("Pad", 6, (H,), {"pads": [1, 0]}),
    ),
    difference(
        "float16 goes through float32",
        "where it has no kernel for float16 it casts to float32 and back, in which a NaN loses its bits",
        KERNELS,
        all_of(of(*_MOVED_HALVES), typed(None, "float16"), Has(None, "a NaN")),
        Case("Where", 16, (TRUE, *2 * (_SIGNALLING_HALF,))),
        Case("Where", 16, (TRUE, *2 * (H[1:2],))),
        Case("Transpose", 13, (_SIGNALLING_HALF,)),
    ),
    difference(
        "scatters of float16 are not reduced",
        "no kernel: it refuses while it runs",
        f"{PAGES}ScatterND.html",
        all_of(_REDUCES, typed(0, "float16")),
        Case("ScatterND", 16, (H, vector(1).reshape(1, 1), H[:1]), {"reduction": "add"}),
        Case("ScatterND", 16, (H, vector(1).reshape(1, 1), H[:1]), {"reduction": "none"}),
        Case("ScatterND", 16, (F, vector(1).reshape(1, 1), F[:1]), {"reduction": "add"}),
    ),
    difference(
        "scatters of bool have no max and min",
        "no kernel: it refuses while it runs; wherry takes False below True",
        f"{PAGES}ScatterElements.html",
        all_of(of("ScatterElements", "ScatterND"), attribute("reduction", "max", "min"), typed(0, "bool")),
        Case("ScatterElements", 18, (TRUE, vector(0), TRUE), {"reduction": "max"}),
        Case("ScatterElements", 18, (TRUE, vector(0), TRUE), {"reduction": "add"}),
    ),
    difference(
        "no reduction of bfloat16",
        "the kernel is there, and throws when it runs",
        KERNELS,
        all_of(_REDUCES, typed(0, "bfloat16")),
        Case(
            "ScatterElements",
            18,
            (F.astype(ml_dtypes.bfloat16), vector(0), F[:1].astype(ml_dtypes.bfloat16)),
            {"reduction": "add"},
        ),
        Case("ScatterElements", 18, (F.astype(ml_dtypes.bfloat16), vector(0), F[:1].astype(ml_dtypes.bfloat16))),
    ),
    difference(
        "scatters of strings are reduced",
        "add joins the strings, and nothing is refused where there is none; no "
        "specification says what the sum of two is, wherry refuses",
        f"{PAGES}ScatterElements.html",
        all_of(_REDUCES, typed(0, "string")),
        Case("ScatterElements", 18, (np.array(["a"], object), vector(0), np.array(["b"], object)),
             {"reduction": "add"}),
        Case("ScatterElements", 18, (np.array(["a"], object), vector(0), np.array(["b"], object))),
    ),
    difference(
        "no kernel of bfloat16",
        "Tile, Expand and Size have kernels for all other numbers: NOT_IMPLEMENTED",
        KERNELS,
        all_of(of("Tile", "Expand", "Size"), typed(0, "bfloat16")),
        Case("Size", 13, (F.astype(ml_dtypes.bfloat16),)),
        Case("Shape", 13, (F.astype(ml_dtypes.bfloat16),)),
    ),
    difference(
        "Pad-18 with constant axes of int32",
        "shape inference reads them as int64: the model does not load",
        f"{PAGES}Pad.html",
        all_of(of("Pad"), HasInput(3), typed(3, "int32"), constant(3)),
        Case("Pad", 18, (F, vector(1, 0), F[0], np.zeros(1, np.int32)), constants=frozenset({1, 2, 3})),
        Case("Pad", 18, (F, vector(1, 0), F[0], np.zeros(1, np.int64)), constants=frozenset({1, 2, 3})),
        Case("Pad", 18, (F, vector(1, 0), F[0], np.zeros(1, np.int32)), constants=frozenset({1, 2})),
    ),
)  # fmt: skip
