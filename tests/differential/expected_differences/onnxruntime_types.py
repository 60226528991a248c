"""The element types of ONNX Runtime's kernels."""

from __future__ import annotations

_FLOATS = ("float16", "float32", "float64")

WITH_KERNELS: dict[str, tuple[str, ...]] = {
    "Where": ("int8", "int32", "int64", "uint8", "uint32", "string", *_FLOATS),
    "DepthToSpace": ("int8", "uint8", *_FLOATS),
    "SpaceToDepth": ("int8", "uint8", *_FLOATS),
    "Trilu": ("bool", "int32", "int64", *_FLOATS),
    "EyeLike": ("int32", "int64", "uint64", *_FLOATS),
    "NonZero": ("bool", "int32", "int64", "uint8", "float16", "float32"),
    "Unique": ("int8", "int64", "string", *_FLOATS),
    "Col2Im": ("float16", "float32"),
    "Pad": ("bool", "int8", "int32", "int64", "uint8", "uint32", "uint64", *_FLOATS),
}
"""The element types that the CPU provider has kernels for, of operators that have them for some only."""

HOT_KINDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("int64", "int64"): ("int64", "float32", "string"), ("int64", "int32"): ("float32",),
    ("int64", "float32"): ("int32", "float32"), ("int32", "int32"): ("float32",), ("int32", "float32"): ("float32",),
    ("float32", "int64"): ("int64", "string"), ("float32", "float32"): ("float32",),
}  # fmt: skip
"""The types of values with a kernel for OneHot, by those of indices and depth."""

EYE_KINDS = {1: "float32", 6: "int32", 7: "int64", 11: "float64", 13: "uint64"}
"""The types that EyeLike has kernels to make, by their numbers."""

CAST_KINDS: dict[str, tuple[int, int]] = {
    "float32": (1, 6), "float16": (10, 6), "float64": (11, 6), "bool": (9, 6), "int8": (3, 6), "int16": (5, 6),
    "int32": (6, 6), "int64": (7, 6), "uint8": (2, 6), "uint16": (4, 6), "uint32": (12, 6), "uint64": (13, 6),
    "object": (8, 9), "bfloat16": (16, 13), "float8_e4m3fn": (17, 19), "float8_e4m3fnuz": (18, 19),
    "float8_e5m2": (19, 19), "float8_e5m2fnuz": (20, 19), "uint4": (21, 21), "int4": (22, 21),
    "float4_e2m1fn": (23, 23), "float8_e8m0fnu": (24, 24), "uint2": (25, 25), "int2": (26, 25),
}  # fmt: skip
"""Number of a type, and the version of Cast that has it first."""
