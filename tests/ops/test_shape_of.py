"""ShapeOf and SizeOf: constants and formula agree; ONNX's and OpenVINO's examples; they read no values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run import one
from tests.support.strategies import sizes
from wherry.engine.planner import make_plan
from wherry.errors import InvalidTypeError, InvalidValueError, SizeOverflowError
from wherry.graph import Deferred, GraphBuilder
from wherry.ops import Fill, ShapeOf, SizeOf
from wherry.tensors import TensorType

ends = st.none() | st.integers(-8, 8)


@given(sizes(5, 3), st.integers(-8, 8), ends, st.sampled_from(["int32", "int64"]))
def test_constants_plan_and_reference_agree(shape: tuple[int, ...], start: int, end: int | None, dtype: str) -> None:
    data = np.zeros(shape)
    result = one(ShapeOf(start, end, dtype), data)
    assert result.tolist() == list(shape[start:end])
    assert result.dtype == dtype
    assert one(SizeOf(dtype), data) == data.size


def test_onnx_shape_examples() -> None:
    data = np.zeros((2, 3, 4))
    examples = {(0, None): [2, 3, 4], (-1, None): [4], (0, -1): [2, 3], (1, 2): [3], (-2, 9): [3, 4], (-9, 1): [2]}
    for (start, end), expected in examples.items():
        assert one(ShapeOf(start, end), data).tolist() == expected
    assert one(ShapeOf(2, 1), data).shape == (0,)
    assert one(ShapeOf(), np.float32(1)).shape == (0,)


def test_unknown_sizes() -> None:
    kind = TensorType("string", ("N", 3, None))
    assert str(ShapeOf(1).infer([kind])[0]) == "int64[2]"
    assert str(ShapeOf().infer([TensorType("int8", None)])[0]) == "int64[?]"
    assert str(SizeOf("int32").infer([kind])[0]) == "int32[]"


def test_the_values_of_the_input_are_not_needed() -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", ("N", None)))
    builder.add(ShapeOf(), ["x"], ["s"], "Shape")
    builder.add(Deferred(Fill, (("value", np.int8(1)),), (("sizes", 0),)), ["s"], ["y"], "ConstantOfShape")
    graph = builder.build(["y"])
    assert graph.value_tensors == {"s"}
    x = np.zeros((2, 3), np.float32)
    plan = make_plan(graph, {"x": x})
    assert plan.bytes_moved == 6
    assert plan.run({"x": x})["y"].tolist() == [[1] * 3] * 2


def test_refusals() -> None:
    with pytest.raises(InvalidValueError, match="dtype is int8, allowed int32, int64"):
        ShapeOf(dtype="int8")
    with pytest.raises(InvalidTypeError, match=r"start is 1\.5"):
        ShapeOf(1.5)  # type: ignore[arg-type]
    big = np.broadcast_to(np.int8(0), (2**16, 2**16))
    with pytest.raises(SizeOverflowError, match="dtype is int32, but the result is 4294967296; choose int64"):
        SizeOf("int32").fold([TensorType.of(big)])
