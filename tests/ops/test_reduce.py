"""Reduce, Accumulate and ArgExtreme: moves and formula agree; empty axes, NaN, zeros; every refusal."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ops.test_elementwise import FLOATS, INTEGERS, agree, drawn
from tests.support.strategies import sizes
from wherry.engine.planner import make_plan
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.graph import GraphBuilder
from wherry.ops import Accumulate, ArgExtreme, Operator, Reduce
from wherry.tensors import TensorType


@given(st.data())
def test_reductions_agree(draw: st.DataObject) -> None:
    function = draw.draw(st.sampled_from(["sum", "product", "minimum", "maximum"]))
    more = [] if function in ("sum", "product") else [*FLOATS, "bool"]
    name = draw.draw(st.sampled_from([*INTEGERS, *more]))
    shape = draw.draw(sizes(3, 3))
    axes = draw.draw(st.sets(st.integers(0, len(shape) - 1))) if shape else set()
    signed = [axis - len(shape) if draw.draw(st.booleans()) else axis for axis in axes]
    empty = draw.draw(st.sampled_from(["all", "none"]))
    operator = Reduce(function, tuple(signed), draw.draw(st.booleans()), empty)
    agree(operator, drawn(draw, name, shape), draw=draw)


@given(st.data())
def test_running_sums_agree(draw: st.DataObject) -> None:
    shape = [draw.draw(st.integers(0, 4)) for _ in range(draw.draw(st.integers(1, 3)))]
    axis = draw.draw(st.integers(-len(shape), len(shape) - 1))
    function = draw.draw(st.sampled_from(["sum", "product"]))
    operator = Accumulate(function, axis, draw.draw(st.booleans()), draw.draw(st.booleans()))
    agree(operator, drawn(draw, draw.draw(st.sampled_from(INTEGERS)), shape), draw=draw)


@given(st.data())
def test_places_agree(draw: st.DataObject) -> None:
    shape = [draw.draw(st.integers(1, 4)) for _ in range(draw.draw(st.integers(1, 3)))]
    axis = draw.draw(st.integers(-len(shape), len(shape) - 1))
    function, dtype = (draw.draw(st.sampled_from(two)) for two in (("minimum", "maximum"), ("int32", "int64")))
    operator = ArgExtreme(function, axis, draw.draw(st.booleans()), draw.draw(st.booleans()), dtype)
    agree(operator, drawn(draw, draw.draw(st.sampled_from([*INTEGERS, *FLOATS])), shape), draw=draw)


@given(st.data())
def test_places_found_by_the_core_are_those_that_numpy_finds(draw: st.DataObject) -> None:
    shape = draw.draw(st.sampled_from([(7,), (3, 40), (5, 2, 9), (2, 1, 64), (1537,), (2, 1023)]))
    axis, last = draw.draw(st.integers(0, len(shape) - 1)), draw.draw(st.booleans())
    seed = np.random.default_rng(draw.draw(st.integers(0, 99)))
    values = np.array([-1.0, -0.0, 0.0, 2.0, 3.0, math.inf, -math.inf, math.nan])
    dtype = draw.draw(st.sampled_from(["float32", "float64", "float16", "int8", "uint64"]))
    count = draw.draw(st.sampled_from([4, 5, 7, 8])) if "float" in dtype else 5
    data = seed.choice(values[:count], shape).astype(dtype)
    data = data.transpose(draw.draw(st.permutations(range(len(shape)))))
    axis = axis % data.ndim
    operator = ArgExtreme(draw.draw(st.sampled_from(["minimum", "maximum"])), axis, draw.draw(st.booleans()), last)
    builder = GraphBuilder()
    builder.add_input("x", TensorType(dtype, data.shape))
    builder.add(operator, ["x"], ["y"], "place")
    plan = make_plan(builder.build(["y"]), {"x": data})
    assert plan.program is not None
    expected = np.empty(plan.outputs["y"].layout.sizes, np.int64)
    operator.places_into(data, expected)
    found = plan.run({"x": data})["y"]
    assert found.tolist() == expected.tolist()


def test_examples_of_cumsum() -> None:
    """The examples of ONNX CumSum."""
    data = np.array([1, 2, 3])
    for exclusive, reverse, expected in ((0, 0, [1, 3, 6]), (1, 0, [0, 1, 3]), (0, 1, [6, 5, 3]), (1, 1, [5, 3, 0])):
        assert agree(Accumulate("sum", 0, bool(exclusive), bool(reverse)), data).tolist() == expected


@pytest.mark.parametrize(
    ("function", "dtype", "expected"),
    [
        ("sum", "int8", 0),
        ("product", "int8", 1),
        ("minimum", "int8", 127),
        ("maximum", "int8", -128),
        ("maximum", "uint16", 0),
        ("minimum", "float16", math.inf),
        ("maximum", "float32", -math.inf),
        ("minimum", "bool", True),
        ("maximum", "bool", False),
    ],
)
def test_of_no_elements(function: str, dtype: str, expected: object) -> None:
    assert agree(Reduce(function, (0,)), np.zeros((0, 2), dtype)).tolist() == [[expected] * 2]


def test_sums_wrap_in_their_own_type() -> None:
    assert agree(Reduce("sum"), np.array([100, 100], np.int8)).tolist() == [-56]
    assert agree(Reduce("product", keep_axes=False), np.array([2**31, 3], np.uint32)).tolist() == 2**31
    assert agree(Accumulate("sum", 0), np.array([200, 100], np.uint8)).tolist() == [200, 44]


def test_zeros_and_nan() -> None:
    zeros = np.array([[0.0, -0.0], [-0.0, 0.0], [math.nan, 0.0]], np.float32)
    assert str(agree(Reduce("minimum", (1,), False), zeros)) == "[-0. -0. nan]"
    assert str(agree(Reduce("maximum", (1,), False), zeros)) == "[ 0.  0. nan]"
    assert agree(ArgExtreme("maximum", 1, False), zeros).tolist() == [0, 0, 0]
    assert agree(ArgExtreme("minimum", 1, False, True), zeros).tolist() == [1, 1, 0]


def test_an_empty_list_of_axes() -> None:
    data = np.arange(4).reshape(2, 2)
    assert agree(Reduce("sum"), data).tolist() == [[6]]
    assert agree(Reduce("sum", empty_axes="none"), data).tolist() == data.tolist()
    assert Reduce("sum", (1,), empty_axes="none") == Reduce("sum", (1,))


@pytest.mark.parametrize(
    ("operator", "sizes_", "words"),
    [
        (Reduce("sum", (0, -2)), (2, 2), r"axes\[1\] is -2, the axis of axes\[0\]; name each once"),
        (Reduce("sum", (2,)), (2, 2), r"axes\[0\] is 2, allowed -2..1"),
        (Accumulate("sum", 2), (2, 2), "axis is 2, allowed -2..1"),
        (Accumulate("sum", 0), (), "axis is 0, but data is a scalar"),
        (ArgExtreme("maximum", 2), (2, 2), "axis is 2, allowed -2..1"),
        (ArgExtreme("maximum", 1), (2, 0), "size of axis 1 is 0, allowed 1 and more; no element is the extreme"),
    ],
)
def test_fields_that_are_refused(operator: Operator, sizes_: tuple, words: str) -> None:
    with pytest.raises(InvalidValueError, match=words):
        operator.infer([TensorType("int32", sizes_)])


@pytest.mark.parametrize(
    ("operator", "dtype"),
    [
        (Reduce("sum"), "float32"),
        (Reduce("product"), "bool"),
        (Reduce("maximum"), "string"),
        (Accumulate("sum", 0), "float16"),
        (ArgExtreme("maximum"), "bool"),
    ],
)
def test_types_that_are_refused(operator: Operator, dtype: str) -> None:
    with pytest.raises(InvalidTypeError, match=f"data has dtype {dtype}, allowed integers of 8 bits and more"):
        operator.infer([TensorType(dtype, (2,))])


def test_an_empty_result_has_no_places() -> None:
    assert agree(ArgExtreme("maximum", 1, False), np.zeros((0, 0), np.int8)).shape == (0,)


def test_sizes_that_are_not_known_yet() -> None:
    data = TensorType("int32", (2, None, 3))
    assert Reduce("sum", (1,), False).infer([data])[0].sizes == (2, 3)
    assert Reduce("sum", (0,)).infer([data])[0].sizes == (1, None, 3)
    assert Reduce("sum").infer([data.with_sizes(None)])[0].sizes is None
    assert ArgExtreme("maximum", 0, False).infer([data])[0] == TensorType("int64", (None, 3))
