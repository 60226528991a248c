"""What the arithmetic operators of ONNX refuse, in their words; as functions, which say version, field and value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import wherry as wh
from wherry.errors import InvalidTypeError, InvalidValueError, UnsupportedError

F = np.arange(6, dtype=np.float32).reshape(2, 3)
I = np.arange(6).reshape(2, 3)  # noqa: E741
B = I > 2
VALUE, TYPE, LACKS = InvalidValueError, InvalidTypeError, UnsupportedError
o = wh.onnx

BINARY = {
    "add": ("Add-14", I), "sub": ("Sub-14", I), "mul": ("Mul-14", I), "div": ("Div-14", F), "mod": ("Mod-28", I),
    "equal": ("Equal-19", I), "less": ("Less-13", I), "less_or_equal": ("LessOrEqual-16", I),
    "greater": ("Greater-13", I), "greater_or_equal": ("GreaterOrEqual-16", I), "and_": ("And-7", B),
    "or_": ("Or-7", B), "xor": ("Xor-7", B), "bitwise_and": ("BitwiseAnd-18", I), "bitwise_or": ("BitwiseOr-18", I),
    "bitwise_xor": ("BitwiseXor-18", I),
}  # fmt: skip
"""The functions of two tensors, with the newest version and data that it takes."""

REFUSALS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "div by zero": (lambda: o.div(I, 0), VALUE, r"Div-14: b is 0 at \[0, 0\] of the result, allowed any number but 0"),
    "div least": (
        lambda: o.div(np.int8(-128), np.int8(-1)),
        VALUE,
        "Div-14: a is -128 and b is -1 at .* of the result",
    ),
    "mod by zero": (lambda: o.mod([1, 2], [1, 0]), VALUE, r"Mod-28: b is 0 at \[1\] of the result"),
    "mod of floats": (lambda: o.mod(F, F, opset=13), TYPE, "Mod-13: A has dtype float32, allowed integers where fmod"),
    "mod flag": (lambda: o.mod(I, I, 2), VALUE, "Mod-28: fmod is 2, allowed 0, 1"),
    "add before 7": (lambda: o.add(F, F[0], opset=6), VALUE, r"Add-6: b has sizes \[3\], allowed \[2, 3\]"),
    "add at an axis": (lambda: o.add(F, F[0], 0, 1, opset=6), VALUE, "b has size 3 on axis 0, allowed 1 or 2"),
    "add at -1": (lambda: o.add(F, F[0], -1, 1, opset=6), VALUE, "axis is -1, allowed 0 and more"),
    "add axis at 7": (lambda: o.add(F, F, 0, opset=7), VALUE, "Add-7: axis is given, allowed A, B; this version does"),
    "add int8 at 13": (lambda: o.add(np.int8(1), np.int8(1), opset=13), TYPE, "A has dtype int8, allowed int32, int64"),
    "and flag": (lambda: o.and_(B, B, None, 2, opset=1), VALUE, "And-1: broadcast is 2, allowed 0, 1"),
    "neg unsigned": (lambda: o.neg(np.uint8(1)), TYPE, "Neg-13: X has dtype uint8, allowed int8, int16"),
    "abs bool": (lambda: o.abs(B), TYPE, "Abs-13: X has dtype bool, allowed int8"),
    "sign bool": (lambda: o.sign(B), TYPE, "Sign-13: input has dtype bool, allowed int8"),
    "not_ number": (lambda: o.not_(I), TYPE, "Not-1: X has dtype int64, allowed bool"),
    "bitwise_not float": (lambda: o.bitwise_not(F), TYPE, "BitwiseNot-18: X has dtype float32, allowed int8"),
    "min none": (lambda: o.min([]), VALUE, "Min-13: input data_0 is missing, allowed int8"),
    "max types": (lambda: o.max([F, I]), TYPE, r"Max-13: data_0\[1\] has dtype int64, allowed float32 as data_0\[0\]"),
    "max sizes": (lambda: o.max([F, F[0]], opset=6), VALUE, r"Max-6: b has sizes \[3\], allowed \[2, 3\], those of a"),
    "clip bounds": (lambda: o.clip(I, [0, 1]), VALUE, "min has 2 elements, allowed 1; pass a scalar"),
    "clip types": (lambda: o.clip(I, F[0, 0]), TYPE, "min has dtype float32, allowed int64 as input"),
    "reduce_sum floats": (
        lambda: o.reduce_sum(F),
        LACKS,
        "ReduceSum-13: data has dtype float32, allowed integers; the",
    ),
    "reduce_prod floats": (lambda: o.reduce_prod(F), LACKS, "ReduceProd-18: data has dtype float32, allowed integers"),
    "reduce_min axis": (lambda: o.reduce_min(F, [2]), VALUE, r"ReduceMin-20: axes\[0\] is 2, allowed -2\.\.1"),
    "reduce_max twice": (lambda: o.reduce_max(F, [1, -1]), VALUE, r"axes\[1\] is -1, the axis of axes\[0\]; name each"),
    "reduce_max negative": (
        lambda: o.reduce_max(F, [-1], opset=1),
        VALUE,
        r"ReduceMax-1: axes\[0\] is -1, allowed 0 and",
    ),
    "cum_sum floats": (lambda: o.cum_sum(F, 0), LACKS, "CumSum-14: x has dtype float32, allowed integers; the result"),
    "cum_sum axis": (lambda: o.cum_sum(I, 2), VALUE, r"CumSum-14: axis is 2, allowed -2\.\.1"),
    "cum_prod floats": (lambda: o.cum_prod(F, 0), LACKS, "CumProd-26: x has dtype float32, allowed integers"),
    "arg_max empty": (lambda: o.arg_max(F[:0]), VALUE, "ArgMax-13: size of axis 0 is 0, allowed 1 and more"),
    "arg_min axis": (lambda: o.arg_min(F, -1, opset=1), VALUE, "ArgMin-1: axis is -1, allowed 0 and more"),
}

FUNCTIONS = {*BINARY, *(name.split(" ")[0] for name in REFUSALS)}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusal(name: str) -> None:
    call, error, words = REFUSALS[name]
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize("name", BINARY)
def test_sizes_and_types_of_two(name: str) -> None:
    title, data = BINARY[name]
    call = getattr(o, name)
    with pytest.raises(
        InvalidValueError, match=f"^ONNX {title}: b has size 2 on axis -1, allowed 1 or 3, the size of a"
    ):
        call(data, data[:, :2])
    with pytest.raises(InvalidTypeError, match=f"^ONNX {title}: B has dtype .*, allowed {data.dtype}"):
        call(data, B.astype(np.int8) if data.dtype != np.int8 else B)
    with pytest.raises(InvalidTypeError, match=f"^ONNX {title}: A has dtype complex64, allowed"):
        call(F.astype(np.complex64), F)


def test_an_error_leaves_out_as_it_was() -> None:
    out = np.full(2, 7)
    with pytest.raises(InvalidValueError, match="b is 0"):
        o.div([1, 2], [1, 0], out=out)
    assert out.tolist() == [7, 7]
