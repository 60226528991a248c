"""The sets of element types that ONNX's schemas name. Written by `python -m generate`."""

from __future__ import annotations

from wherry.dialects.onnx.types import type_set, with_types

# fmt: off

FLOATS_1 = type_set("float16", "float32", "float64")
NUMBERS_1 = with_types(FLOATS_1, "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
ALL_1 = with_types(NUMBERS_1, "bool", "complex64", "complex128", "string")
ALL_13 = with_types(ALL_1, "bfloat16")
ALL_19 = with_types(ALL_13, "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")
ALL_21 = with_types(ALL_19, "int4", "uint4")
ALL_23 = with_types(ALL_21, "float4_e2m1fn")
ALL_24 = with_types(ALL_23, "float8_e8m0fnu")
ALL_25 = with_types(ALL_24, "int2", "uint2")
NOT_COMPLEX_9 = with_types(NUMBERS_1, "bool", "string")
EQUALS_19 = with_types(NOT_COMPLEX_9, "bfloat16")
NOT_COMPLEX_19 = with_types(EQUALS_19, "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")
NOT_COMPLEX_21 = with_types(NOT_COMPLEX_19, "int4", "uint4")
NOT_COMPLEX_23 = with_types(NOT_COMPLEX_21, "float4_e2m1fn")
NOT_COMPLEX_24 = with_types(NOT_COMPLEX_23, "float8_e8m0fnu")
NOT_COMPLEX_25 = with_types(NOT_COMPLEX_24, "int2", "uint2")
NUMBERS_AND_BOOL_1 = with_types(NUMBERS_1, "bool")
NUMBERS_AND_BOOL_20 = with_types(NUMBERS_AND_BOOL_1, "bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2",
                                 "float8_e5m2fnuz")
NUMBERS_AND_BOOL_21 = with_types(NUMBERS_AND_BOOL_20, "int4", "uint4")
NUMBERS_AND_BOOL_23 = with_types(NUMBERS_AND_BOOL_21, "float4_e2m1fn")
NUMBERS_AND_BOOL_24 = with_types(NUMBERS_AND_BOOL_23, "float8_e8m0fnu")
NUMBERS_AND_BOOL_25 = with_types(NUMBERS_AND_BOOL_24, "int2", "uint2")
EQUALS_13 = with_types(NUMBERS_AND_BOOL_1, "bfloat16")
RANGES_11 = type_set("int16", "int32", "int64", "float32", "float64")
RANGES_27 = with_types(RANGES_11, "float16", "bfloat16")
WIDE_NUMBERS_1 = with_types(FLOATS_1, "int32", "int64", "uint32", "uint64")
WIDE_NUMBERS_13 = with_types(WIDE_NUMBERS_1, "bfloat16")
NUMBERS_13 = with_types(NUMBERS_1, "bfloat16")
SIGNED_6 = with_types(RANGES_11, "int8", "float16")
SIGNED_13 = with_types(RANGES_27, "int8")
CUMSUMS_11 = type_set("int32", "int64", "uint32", "uint64", "float32", "float64")
EQUALS_1 = type_set("bool", "int32", "int64")
EXTREMES_12 = with_types(WIDE_NUMBERS_1, "int8", "uint8")
EXTREMES_13 = with_types(EXTREMES_12, "bfloat16")
EXTREMES_20 = with_types(EXTREMES_13, "bool")
INTEGERS_18 = type_set("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
