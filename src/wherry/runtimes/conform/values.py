"""Rules of operators that choose, convert and create elements."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import TensorProto

from wherry.runtimes.conform.rule import ORDINARY, Array, Rule, floats, ints, longs, rule, scalar, strings

_WHERE = (
    rule("Where", ORDINARY, "x where condition is true, else y", [np.array([True, False]), floats(2), -floats(2)]),
    rule("Where", "three shapes", "all three are broadcast", [np.array([[True], [False]]), floats(3), floats(1, 1)]),
    rule("Where", "rank 0", "a scalar", [np.array(True), scalar(1), scalar(2)]),
    rule("Where", "size 0 beside 1", "0 wins over 1", [np.array([True]), floats(0), floats(1)]),
    rule("Where", "sizes that do not fit", "sizes are equal, or 1", [np.array([True, False]), floats(3), floats(3)]),
    rule("Where", "types that differ", "x and y have one type", [np.array([True]), floats(1), ints(1)]),
)


def _cast(name: str, says: str, x: Any, to: str, **more: Any) -> Rule:
    return rule("Cast", name, says, [x], {"to": TensorProto.DataType.Value(to)}, opset=13, **more)


def _of(dtype: Any, *entries: Any) -> Array:
    return np.array(entries, dtype)


_F = np.float32
_OUTSIDE = "of a float outside the integer type the result is undefined"
_WRAPS = "of an integer outside the other type the high bits are dropped"

_CAST = (
    _cast(ORDINARY, "fractions are dropped toward 0", _of(_F, 1.5, -1.5, 2.0), "INT32"),
    _cast("float32 to int64, beyond float32's integers", "fractions are dropped toward 0", _of(_F, 2**40, -(2**62)),
          "INT64"),
    _cast("float64 to float32", "rounded to the nearest, ties to even", _of("f8", 0.1, 1 + 2**-24, 1e-46), "FLOAT"),
    _cast("float64 past float32", "infinite", _of("f8", 1e39, -1e39), "FLOAT"),
    _cast("float32 past float16", "infinite", _of(_F, 65520, -1e6), "FLOAT16"),
    _cast("float32 to float16, ties", "rounded to the nearest, ties to even", _of(_F, 2049, 2051, 6e-8), "FLOAT16"),
    _cast("int64 to float32", "rounded to the nearest", ints(2**24 + 1, 2**53 + 1, -1), "FLOAT"),
    _cast("int64 to float64", "rounded to the nearest", ints(2**53 + 1, -1), "DOUBLE"),
    _cast("int64 to int32 past the type", _WRAPS, ints(2**31, 2**32 + 5, -(2**31) - 1), "INT32"),
    _cast("int32 to uint8 past the type", _WRAPS, _of("i4", -1, 256, 300), "UINT8"),
    _cast("int32 to int8 past the type", _WRAPS, _of("i4", 128, -129, 255), "INT8"),
    _cast("int8 to uint8", _WRAPS, _of("i1", -1, -128, 5), "UINT8"),
    _cast("int64 to uint64", _WRAPS, ints(-1, 5), "UINT64"),
    _cast("float32 past int32", _OUTSIDE, _of(_F, 3e9, -3e9), "INT32", is_open=True),
    _cast("float32 past int64", _OUTSIDE, _of(_F, 1e20, -1e20), "INT64", is_open=True),
    _cast("float32 past uint8", _OUTSIDE, _of(_F, 256, 300, 1000), "UINT8", is_open=True),
    _cast("negative float32 to uint8", _OUTSIDE, _of(_F, -1, -2.5), "UINT8", is_open=True),
    _cast("float32 past int8", _OUTSIDE, _of(_F, 128, -129), "INT8", is_open=True),
    _cast("infinite to int32", _OUTSIDE, _of(_F, np.inf, -np.inf), "INT32", is_open=True),
    _cast("NaN to int32", _OUTSIDE, _of(_F, np.nan), "INT32", is_open=True),
    _cast("NaN to int64", _OUTSIDE, _of(_F, np.nan), "INT64", is_open=True),
    _cast("NaN to uint8", _OUTSIDE, _of(_F, np.nan), "UINT8", is_open=True),
    _cast("float32 to bool", "all but 0 is true", _of(_F, 0, 0.3, -2, 1e-45), "BOOL"),
    _cast("NaN and -0.0 to bool", "-0.0 is 0, NaN is not", _of(_F, -0.0, np.nan), "BOOL"),
    _cast("int32 to bool", "all but 0 is true", _of("i4", 0, 256, -1), "BOOL"),
    _cast("int64 beyond int32 to bool", "all but 0 is true", ints(2**32, 0), "BOOL"),
    _cast("bool to float32", "true is 1", _of(bool, True, False), "FLOAT"),
    _cast("bool to int64", "true is 1", _of(bool, True, False), "INT64"),
    _cast("NaN to float16", "NaN", _of(_F, np.nan, -np.inf, -0.0), "FLOAT16", any_nan=True),
    _cast("float32 to bfloat16", "rounded to the nearest, ties to even", _of(_F, 1.0039062, 1.01171875, 3.4e38),
          "BFLOAT16"),
    _cast("float32 to string", "in scientific notation or plain", _of(_F, 1.5, -2), "STRING", is_open=True),
    _cast("string to float32", "as it is written", strings("1.5", "-2e3", "INF"), "FLOAT"),
    _cast("string to int64", "as it is written", strings("123", "-9007199254740993"), "INT64"),
    _cast("words to float32", "what is no number is refused", strings("one"), "FLOAT", is_open=True),
    _cast("rank 0", "a scalar", _of(_F, 2.5).reshape(()), "INT32"),
    _cast("nothing", "nothing comes of nothing", floats(0, 3), "INT32"),
)  # fmt: skip


def _range(name: str, says: str, *ends: Array, **more: Any) -> Rule:
    return rule("Range", name, says, [one.reshape(()) for one in ends], **more)


_COUNT = "max(ceil((limit - start) / delta), 0) numbers start + i * delta"

_RANGE = (
    _range(ORDINARY, _COUNT, ints(1), ints(8), ints(3)),
    _range("negative delta", _COUNT, ints(5), ints(0), ints(-2)),
    _range("limit the other way", _COUNT, ints(5), ints(0), ints(1)),
    _range("limit equal to start", _COUNT, ints(5), ints(5), ints(1)),
    _range("delta 0", "the quotient is not defined", ints(1), ints(5), ints(0), is_open=True),
    _range("float32", "each number is start + i * delta, rounded once or at each step",
           *(_of(_F, n) for n in (0, 1, 0.1)), is_open=True),
    _range("int64 beyond float64", _COUNT, ints(2**53), ints(2**53 + 3), ints(1)),
    _range("int32", _COUNT, *(_of("i4", n) for n in (-2, 3, 2))),
    _range("int16", _COUNT, *(_of("i2", n) for n in (-2, 3, 2))),
    _range("float64", _COUNT, *(_of("f8", n) for n in (0, 1, 0.25))),
)  # fmt: skip

_CONSTANT_OF_SHAPE = (
    rule("ConstantOfShape", ORDINARY, "zeros of float32", [ints(2, 3)]),
    rule("ConstantOfShape", "value", "value everywhere", [ints(2)],
         {"value": TensorProto(data_type=TensorProto.INT64, dims=[1], raw_data=longs(1).tobytes())}),
    rule("ConstantOfShape", "size 0", "no element", [ints(2, 0)]),
    rule("ConstantOfShape", "shape of nothing", "a scalar", [ints()]),
    rule("ConstantOfShape", "negative size", "sizes are 0 or more", [ints(2, -1)]),
)  # fmt: skip

_EYE_LIKE = (
    rule("EyeLike", ORDINARY, "ones on the diagonal", [floats(2, 3)]),
    rule("EyeLike", "k", "the diagonal k above the main one", [floats(3, 3)], {"k": 1}),
    rule("EyeLike", "k past the matrix", "zeros", [floats(2, 2)], {"k": -5}),
    rule("EyeLike", "dtype", "of the type named", [floats(2, 2)], {"dtype": TensorProto.INT64}),
    rule("EyeLike", "rank 1", "data is a matrix", [floats(2)]),
)

RULES: tuple[Rule, ...] = (*_WHERE, *_CAST, *_RANGE, *_CONSTANT_OF_SHAPE, *_EYE_LIKE)
