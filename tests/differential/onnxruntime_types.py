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

_WIDE = dict.fromkeys(("int32", "int64"), 1)
_ALL = dict.fromkeys(("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"), 1)
_SINCE_14 = {**dict.fromkeys(("int8", "int16", "uint8", "uint16"), 14), **_WIDE, "uint32": 1, "uint64": 1}
_HALF_AND_MORE = dict.fromkeys(("float16", "float32", "float64"), 1)
_SINCE_9 = {**dict.fromkeys(_ALL, 9), **_HALF_AND_MORE}
_SINCE_12 = {**dict.fromkeys(("int8", "int32", "int64", "uint8", "uint32", "uint64"), 12), **_HALF_AND_MORE}
_PLACED = {**dict.fromkeys(("int8", "int32", "int64", "uint8"), 1), **_HALF_AND_MORE, "float16": 6}
_LEAST = {**_WIDE, "int8": 12, "uint8": 12, **_HALF_AND_MORE, "float16": 6, "bool": 20}

ARITHMETIC: dict[str, dict[str, int]] = {
    name: kinds
    for names, kinds in (
        ("Add Sub Mul Div", {**_SINCE_14, **_HALF_AND_MORE}),
        ("Mod Abs Sign", {**_ALL, **_HALF_AND_MORE}),
        ("Min Max", {**_SINCE_12, "float64": 8}),
        ("Clip", {**_SINCE_12, "float64": 12}),
        ("Equal", {**_SINCE_9, **dict.fromkeys((*_ALL, *_HALF_AND_MORE), 11), **_WIDE, "bool": 1}),
        ("Less LessOrEqual Greater GreaterOrEqual", _SINCE_9),
        ("And Or Xor Not", {"bool": 1}),
        ("BitwiseAnd BitwiseOr BitwiseXor BitwiseNot", _ALL),
        ("Neg", {**{kind: 1 for kind in _ALL if kind[0] == "i"}, **_HALF_AND_MORE}),
        ("ReduceSum ReduceProd CumSum", _WIDE),
        ("CumProd", {**_WIDE, "uint32": 1, "uint64": 1}),
        ("ReduceMin ReduceMax", _LEAST),
        ("ArgMax ArgMin", _PLACED),
    )
    for name in names.split()
}
"""The element types that the CPU provider has kernels for, of arithmetic that wherry has, and the versions since."""

FIRST_KERNELS: dict[str, int] = {
    **dict.fromkeys(("Add", "Sub", "Mul", "Div", "Equal", "Less", "Greater", "And", "Or", "Xor"), 7),
    **dict.fromkeys(("LessOrEqual", "GreaterOrEqual"), 12),
    **dict.fromkeys(("BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseNot"), 18),
    "Mod": 10, "Min": 6, "Max": 6, "Neg": 6, "Abs": 6, "Sign": 9, "Clip": 6, "Not": 1, "CumSum": 11, "CumProd": 26,
    **dict.fromkeys(("ReduceSum", "ReduceProd", "ReduceMin", "ReduceMax", "ArgMax", "ArgMin"), 1),
}  # fmt: skip
"""The first version of each of them that has kernels."""

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
