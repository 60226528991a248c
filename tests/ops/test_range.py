"""Sequence: values and formula agree; examples of Range and FILL_VALUE_SEQUENCE; counts; every refusal."""

import math

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run import one
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.graph import Deferred, GraphBuilder
from wherry.layout import Layout
from wherry.models.model import GraphModel
from wherry.moves import ComputeMove, RangeMove
from wherry.ops import Range
from wherry.tensors import TensorType, View

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint32", "uint64"]
FLOATS = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64]


@given(st.sampled_from(INTEGERS), st.sampled_from(INTEGERS), st.data())
def test_integers_agree(dtype: str, compute: str, draw: st.DataObject) -> None:
    start, delta = (draw.draw(st.integers(np.iinfo(dtype).min, np.iinfo(dtype).max)) for _ in range(2))
    shape = draw.draw(st.lists(st.integers(0, 4), max_size=3))
    values = np.array([start, delta], dtype)
    one(Range(values[0], values[1], sizes=shape, dtype=dtype, compute=compute))


@given(st.sampled_from(FLOATS), st.sampled_from(FLOATS), st.sampled_from(["multiply", "accumulate"]), st.data())
def test_floats_agree(dtype: type, compute: type, steps: str, draw: st.DataObject) -> None:
    start, delta = (draw.draw(st.floats(-1e4, 1e4, width=16)) for _ in range(2))
    count = draw.draw(st.integers(0, 40))
    one(Range(dtype(start), dtype(delta), sizes=[count], compute=np.dtype(compute), steps=steps))


@given(
    st.integers(-50, 50), st.integers(-50, 50), st.integers(-7, 7).filter(bool), st.sampled_from(["int8", "float32"])
)
def test_limits_are_numpys(start: int, limit: int, delta: int, dtype: str) -> None:
    given_values = np.array([start, delta, limit], dtype)
    result = one(Range(given_values[0], given_values[1], given_values[2]))
    assert np.array_equal(result, np.arange(start, limit, delta))
    assert result.dtype == dtype


def test_which_sequences_are_the_cores() -> None:
    def kind(operator: Range, layout: Layout) -> type:
        (move,) = operator.lower([], [View("y", operator.infer([])[0].numpy, layout)], "t")
        return type(move)

    line, grid = Layout((6,)), Layout((2, 3), (3, 1))
    one_, two = np.float32(1), np.float32(2)
    assert kind(Range(3, 2, sizes=(6,), dtype="int8", compute="int64"), line) is RangeMove
    assert kind(Range(3, 2, sizes=(6,), dtype="int64", compute="int8"), line) is ComputeMove
    assert kind(Range(one_, two, sizes=(2, 3)), grid) is RangeMove
    assert kind(Range(one_, two, sizes=(2, 3)), Layout((2, 3), (1, 2))) is ComputeMove
    assert kind(Range(one_, two, sizes=(6,), steps="accumulate"), line) is ComputeMove
    assert kind(Range(one_, np.float32(np.inf), sizes=(6,)), line) is ComputeMove
    assert kind(Range(np.float16(1), np.float16(2), sizes=(6,)), line) is ComputeMove


def test_onnx_range_examples() -> None:
    assert one(Range(3, 3, 9, dtype="int64")).tolist() == [3, 6]
    assert one(Range(np.int32(10), np.int32(-2), np.int32(4))).tolist() == [10, 8, 6]
    assert one(Range(np.array([1.0]), np.array([2.0]), np.array([5.0]))).tolist() == [1, 3]
    tenth = {"start": np.float32(0), "delta": np.float32(0.1), "limit": np.float32(1)}
    assert one(Range(**tenth))[7] == np.float32(np.float32(0.1) * 7)
    assert (
        one(Range(**tenth, steps="accumulate"))[7:].tolist() == np.float32([0.70000005, 0.8000001, 0.9000001]).tolist()
    )
    half = {"start": np.float16(2000), "delta": np.float16(1), "limit": np.float16(2056)}
    assert one(Range(**half, steps="accumulate"))[-1] == 2048  # x + 1 == x
    assert one(Range(**half, steps="accumulate", compute="float32"))[-1] == np.float16(2055)


def test_openvino_range_examples() -> None:
    assert one(Range(2, 3, 23, dtype="int32")).tolist() == [2, 5, 8, 11, 14, 17, 20]
    assert one(Range(23, -3, 2, dtype="int32")).tolist() == [23, 20, 17, 14, 11, 8, 5]
    assert one(Range(1, 0.5, 2.5, dtype="float32")).tolist() == [1, 1.5, 2]
    mixed = {"start": np.float32(1.7), "delta": np.float32(1.5), "limit": np.float32(5.2)}
    assert one(Range(**mixed, dtype="int32")).tolist() == [1, 2, 3, 4]  # cast toward zero first
    tenth = {"start": np.float32(0), "delta": np.float32(0.1), "limit": np.float32(1)}
    wide = one(Range(**tenth, dtype="float32", compute="float64", steps="accumulate"))
    assert wide[7:].tolist() == np.float32([0.7, 0.8, 0.90000004]).tolist()


def test_directml_fill_value_sequence_examples() -> None:
    assert one(Range(np.uint8(10), np.uint8(0xFE), sizes=[2, 2])).tolist() == [[10, 8], [6, 4]]
    result = one(Range(np.float32(3.2), np.float32(1.5), sizes=[5], steps="accumulate"))
    assert np.allclose(result, [3.2, 4.7, 6.2, 7.7, 9.2], rtol=1e-6)
    assert one(Range(np.int8(120), np.int8(5), sizes=[3])).tolist() == [120, 125, -126]
    assert one(Range(np.int8(1), np.int8(0), sizes=[3])).tolist() == [1, 1, 1]


def test_counts_are_exact_for_integers() -> None:
    high = 2**63 - 1
    assert one(Range(np.int64(high - 2), np.int64(1), np.int64(high))).tolist() == [high - 2, high - 1]
    assert Range(np.int64(0), np.int64(2**62), np.int64(high)).infer([])[0].sizes == (2,)
    assert Range(np.float64(1), np.float64(-1), np.float64(np.inf)).infer([])[0].sizes == (0,)


def test_bounds_may_be_inputs() -> None:
    builder = GraphBuilder()
    for name in ("start", "limit", "delta"):
        builder.add_input(name, TensorType("int16", ()))
    deferred = Deferred(Range, (), (("start", 0), ("limit", 1), ("delta", 2)))
    assert str(builder.add(deferred, ["start", "limit", "delta"], ["y"], "ONNX Range-11")[0]) == "int16[?]"
    model = GraphModel(builder.build(["y"]), "onnx")
    assert model.run([np.int16(3), np.int16(9), np.int16(3)])["y"].tolist() == [3, 6]
    with pytest.raises(InvalidValueError, match="ONNX Range-11: delta is 0, allowed any number but 0"):
        model.run([np.int16(3), np.int16(9), np.int16(0)])


NAN = math.nan


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(("start", "delta"), [(NAN, 1), (1, NAN), (math.inf, -math.inf), (math.inf, -1)])
def test_with_sizes_nothing_has_to_be_reached(dtype: str, start: float, delta: float) -> None:
    for steps in ("multiply", "accumulate"):
        values = np.array([start, delta], dtype)
        result = one(Range(values[0], values[1], sizes=(2, 2), steps=steps))
        assert not np.isfinite(result.ravel()[1:]).any()


@pytest.mark.parametrize(
    ("fields", "error", "text"),
    [
        ({"start": 0, "delta": 1}, InvalidValueError, "exactly one of them"),
        ({"start": 0.0, "delta": 0.0, "limit": 1.0}, InvalidValueError, "delta is 0, allowed any number but 0"),
        ({"start": 0.0, "delta": NAN, "limit": 1.0}, InvalidValueError, "delta is NaN, allowed numbers"),
        (
            {"start": np.float32(NAN), "delta": 1, "sizes": [1], "dtype": "int8"},
            InvalidValueError,
            "start is NaN, allowed numbers",
        ),
        (
            {"start": 0.0, "delta": 1.0, "limit": math.inf},
            InvalidValueError,
            "limit is inf, allowed one that is reached",
        ),
        ({"start": -math.inf, "delta": 1.0, "limit": 0.0}, InvalidValueError, "start is -inf"),
        ({"start": -(2**63), "delta": 1, "limit": 2**63 - 1}, InvalidValueError, "allowed one that is reached in"),
        ({"start": 1, "delta": 1, "sizes": [-1]}, InvalidValueError, r"sizes\[0\] is -1"),
        ({"start": True, "delta": 1, "sizes": [1]}, InvalidTypeError, "dtype is bool, allowed integers and floats"),
        (
            {"start": 1, "delta": 1, "sizes": [1], "compute": "float32"},
            InvalidTypeError,
            "compute is float32, allowed a",
        ),
        (
            {"start": np.float32(300), "delta": 1, "sizes": [1], "dtype": "int8"},
            InvalidValueError,
            "start is 300.0, allowed",
        ),
        ({"start": np.zeros(2), "delta": 1, "sizes": [1]}, InvalidValueError, "start has 2 elements, allowed 1"),
        (
            {"start": 300, "delta": 1, "sizes": [1], "dtype": "uint8"},
            InvalidTypeError,
            "start is 300, allowed a value of",
        ),
    ],
)
def test_refusals(fields: dict, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        Range(**fields)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "uint64"])
@pytest.mark.parametrize("delta", [3, -7])
def test_long_sequences_wrap_around(dtype: str, delta: int) -> None:
    if np.dtype(dtype).kind == "u":
        delta = abs(delta)
    sequence = Range(np.array(5, dtype), np.array(delta, dtype), sizes=(3, 33_337), dtype=dtype, compute=dtype)
    expected = [(5 + i * delta) % 2 ** (8 * np.dtype(dtype).itemsize) for i in range(3 * 33_337)]
    bits = one(sequence).view(f"u{np.dtype(dtype).itemsize}")
    assert bits.ravel().tolist() == expected
