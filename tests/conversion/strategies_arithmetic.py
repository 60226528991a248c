"""Uses of operators that compute, to which rows of the table of rewrites apply."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tests.conversion.drawn import Draw, sizes
from tests.conversion.sites import Use, data, use
from wherry import dtypes
from wherry.graph import Deferred
from wherry.ops import (
    Accumulate,
    ArgExtreme,
    Binary,
    Clip,
    Compare,
    Constant,
    Divide,
    Extreme,
    Reduce,
    Remainder,
    Unary,
)


def broadcast_at_an_axis(draw: Draw) -> Use:
    """Two tensors of one type: equal sizes, or the second at an axis of the first, of fewer elements than that has."""
    shape = sizes(draw, 1, 3, 1)
    first = data(*shape, dtype=np.int32)
    kind = draw(st.sampled_from(["none", "last", "axis"]))
    if kind == "none":
        return use(Extreme("maximum", broadcast="none"), first, first[::-1] + 1)
    axis = draw(st.integers(0, len(shape) - 1))
    if kind == "last":
        return use(Binary("subtract", broadcast="second"), first, data(*shape[axis:], dtype=np.int32))
    own = shape[axis : draw(st.integers(axis + 1, len(shape)))]
    function = draw(st.sampled_from([Binary("multiply", broadcast="second", axis=axis),
                                     Compare("less", broadcast="second", axis=axis)]))  # fmt: skip
    return use(function, first, data(*own, dtype=np.int32))


BOUNDS = st.none() | st.integers(-2, 9)


def bounds(draw: Draw, dtype: str) -> dict[str, object]:
    """Return bounds of a Clip, which may be missing, of no type, or crossed."""
    given = {field: draw(BOUNDS) for field in ("least", "greatest")}
    typed = draw(st.booleans())
    made = {
        field: None if number is None else np.array(max(number, 0), dtype) if typed else float(number)
        for field, number in given.items()
    }
    return {**made, "crossed": draw(st.sampled_from(["greatest", "least"]))}


def clipped_floats(draw: Draw) -> Use:
    dtype = draw(st.sampled_from(["float32", "float16", "float64"]))
    return use(Clip(**bounds(draw, dtype)), data(*sizes(draw, 0, 3, 0), dtype=dtype) - 3, is_open=draw(st.booleans()))


def clipped(draw: Draw) -> Use:
    """Clips of integers, and by bounds that are tensors."""
    dtype = draw(st.sampled_from(["float32", "int32", "uint8", "int64"]))
    fields = bounds(draw, dtype)
    array = data(*sizes(draw, 0, 3, 0), dtype=dtype)
    known = {field: Constant(value) if isinstance(value, np.ndarray) else value for field, value in fields.items()}
    name = draw(st.sampled_from([None, "least", "greatest"]))
    if name is None:
        return use(Clip(**fields), array)
    del known[name]
    operator = Deferred(Clip, tuple(known.items()), ((name, 1),))
    return use(operator, array, np.array(draw(st.integers(0, 9)), dtype), is_open=True)


def reduced_to_one(draw: Draw) -> Use:
    function = draw(st.sampled_from(["sum", "product", "minimum", "maximum"]))
    array = data(*sizes(draw, 1, 3), dtype=draw(st.sampled_from(["int64", "int32"])))
    return use(Reduce(function, (), draw(st.booleans())), array, is_open=True)


def placed(draw: Draw) -> Use:
    """Places of extremes among few numbers, NaN too."""
    dtype = draw(st.sampled_from(["float32", "int32", "int64"]))
    shape = sizes(draw, 1, 3)
    numbers = [0, 1, 2, 3] + ([np.nan] if dtype == "float32" else [])
    count = int(np.prod(shape))
    array = np.array(draw(st.lists(st.sampled_from(numbers), min_size=count, max_size=count)), dtype).reshape(shape)
    function, axis = draw(st.sampled_from(["minimum", "maximum"])), draw(st.integers(-len(shape), len(shape) - 1))
    operator = ArgExtreme(function, axis, draw(st.booleans()), draw(st.booleans()), draw(st.sampled_from(INDEX)))
    return use(operator, array, is_open=draw(st.booleans()))


INDEX = ["int64", "int32"]


ENDS = {
    "bool": [False, True],
    "int": [-128, -3, -1, 0, 1, 2, 127],
    "uint": [0, 1, 2, 3, 127, 255],
    "float": [-2.5, -0.0, 0.0, 1.0, np.nan],
}


def numbers(draw: Draw, dtype: str, *shape: int, without: float | None = None) -> np.ndarray:
    """Return an array of few numbers, ends of 8 bits among them."""
    row = dtypes.find(dtype)
    given = [number for number in ENDS[row.kind] if number != without]
    count = int(np.prod(shape))
    return np.array(draw(st.lists(st.sampled_from(given), min_size=count, max_size=count)), row.numpy).reshape(shape)


def two(draw: Draw, dtype: str, without: float | None = None) -> list[np.ndarray]:
    """Return two arrays of which the second may have axes of 1, or fewer axes."""
    shape = sizes(draw, 0, 3)
    other = tuple(1 if draw(st.booleans()) else size for size in shape)[draw(st.integers(0, len(shape))) :]
    return [numbers(draw, dtype, *shape), numbers(draw, dtype, *other, without=without)]


def dtype_of(draw: Draw, *names: str) -> str:
    return draw(st.sampled_from(names))


TRUTH = ("bool", "uint8", "uint32")
RELATIONS = ("equal", "not_equal", "less", "less_or_equal", "greater", "greater_or_equal")
NARROW = ("int8", "uint8", "int16", "uint16")


def unequal(draw: Draw) -> Use:
    operator = Compare("not_equal", dtype=dtypes.find(dtype_of(draw, *TRUTH)))
    return use(operator, *two(draw, dtype_of(draw, "int32", "float32", "bool")), is_open=draw(st.booleans()))


def compared(draw: Draw) -> Use:
    operator = Compare(draw(st.sampled_from(RELATIONS)), dtype=dtypes.find(dtype_of(draw, *TRUTH)))
    return use(operator, *two(draw, dtype_of(draw, "int32", "float32", "uint8")))


def logical(draw: Draw) -> Use:
    dtype = dtype_of(draw, "int32", "uint8", "uint32", "int64")
    function = draw(st.sampled_from(["logical_and", "logical_or", "logical_xor", "logical_not"]))
    if function == "logical_not":
        return use(Unary(function), two(draw, dtype)[0])
    return use(Binary(function), *two(draw, dtype))


def signs(draw: Draw) -> Use:
    dtype = dtype_of(draw, "int32", "float32", "float16", "uint8")
    return use(Unary(dtype_of(draw, "sign", "sign_or_zero")), numbers(draw, dtype, *sizes(draw, 0, 3)))


def several(draw: Draw) -> Use:
    dtype = dtype_of(draw, "int32", "float32")
    arrays = [*two(draw, dtype), numbers(draw, dtype, 1), numbers(draw, dtype)]
    operator = Extreme(dtype_of(draw, "minimum", "maximum"), dtype_of(draw, "propagate", "number"))
    return use(operator, *arrays[: draw(st.sampled_from([1, 3, 4]))])


def unsigned(draw: Draw) -> Use:
    return use(Unary("absolute"), numbers(draw, dtype_of(draw, "uint8", "uint32"), *sizes(draw, 0, 3)))


def narrow(draw: Draw) -> Use:
    dtype, shape = dtype_of(draw, *NARROW), sizes(draw, 1, 3)
    array = numbers(draw, dtype, *shape)
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    operator = draw(st.sampled_from([
        Binary("add"), Binary("subtract"), Binary("multiply"), Compare("less"), Extreme("minimum"),
        Reduce("sum", (axis,)), Reduce("product", (axis,), keep_axes=False),
        Accumulate("sum", axis, exclusive=True), Accumulate("product", axis, reverse=True),
    ]))  # fmt: skip
    if isinstance(operator, (Reduce, Accumulate)):
        return use(operator, array)
    return use(operator, *two(draw, dtype))


def remainders(draw: Draw) -> Use:
    dtype = dtype_of(draw, "int32", "uint8", "int8", "int64")
    a, b = two(draw, dtype, without=0)
    if draw(st.booleans()) and a.size:
        a.flat[0] = np.iinfo(dtype).min
    return use(Remainder(dtype_of(draw, "truncate", "floor")), a, b, constants=[1] * draw(st.integers(0, 1)))


def quotients(draw: Draw) -> Use:
    a, b = two(draw, dtype_of(draw, "int32", "int8", "int64"), without=0)
    return use(Divide("floor", overflow=dtype_of(draw, "raise", "wrap")), np.abs(np.maximum(a, -127)) * np.sign(a), b)


def turned(draw: Draw) -> Use:
    return use(Unary("not"), numbers(draw, dtype_of(draw, "int32", "uint8", "int64"), *sizes(draw, 0, 3)))
