"""Operators run now: the same answers and refusals the first time, the second, and from then on."""

from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import wherry as wh
from tests.support.compare import assert_same_bits
from wherry import reference
from wherry.engine.call import apply
from wherry.engine.planner import make_plan
from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError
from wherry.graph import GraphBuilder
from wherry.ops import Concat, Gather, GatherElements, GatherND, Identity, Operator, Pad, Split
from wherry.tensors import TensorType

TIMES = 4


def random(*sizes: int) -> np.ndarray:
    return np.random.default_rng().random(sizes, np.float32)


CASES = {
    "gather": (Gather(1), lambda: [random(3, 5), np.array([[0, -1], [4, 2]])]),
    "gather of a column-major table": (Gather(0, out_of_range="zero"), lambda: [random(5, 3).T, np.array([2, 9])]),
    "elements": (GatherElements(0), lambda: [random(4, 2), np.array([[1, 0], [3, 3], [0, 0]], np.int32)]),
    "tuples": (GatherND(), lambda: [random(4, 2), np.array([[1, 0], [3, 1]])]),
    "join": (Concat(1), lambda: [random(2, 3), random(2, 4)[:, ::-2]]),
    "copy": (Identity(), lambda: [np.broadcast_to(random(3), (2, 3))]),
    "nothing": (Concat(0), lambda: [random(0, 3), random(0, 3)]),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("given", [False, True])
def test_every_time_the_same(name: str, given: bool) -> None:
    operator, make = CASES[name]
    for _ in range(TIMES):
        inputs = make()
        (expected,) = reference.run(operator, inputs)
        out = np.zeros((*expected.shape, 2), np.float32)[..., 0] if given else None
        (result,) = apply(operator, inputs, "test", out)
        assert out is None or result is out
        assert not any(np.shares_memory(result, each) for each in inputs)
        assert_same_bits(np.ascontiguousarray(result), expected)


def test_a_bad_index_is_refused_every_time_and_leaves_out_alone() -> None:
    out = np.full(2, 7, np.float32)
    for index in (1, 1, 1, 5, 1, 5):
        indices, data = np.array([0, index]), random(3)
        if index == 1:
            wh.onnx.gather(data, indices)
            apply(Gather(0), [data, indices], "test", out)
            out[:] = 7
            continue
        with pytest.raises(IndexOutOfRangeError, match=r"test: indices\[1\] is 5, allowed -3..2"):
            apply(Gather(0), [data, indices], "test", out)
        assert (out == 7).all()


def test_out_that_is_also_read() -> None:
    for _ in range(TIMES):
        memory = np.arange(6, dtype=np.float32)
        wh.concat([memory[3:], memory[:3]], out=memory)
        assert memory.tolist() == [3, 4, 5, 0, 1, 2]


def test_what_is_wrong_with_out_is_said_every_time() -> None:
    parts = [random(2), random(2)]
    locked = np.zeros(4, np.float32)
    locked.flags.writeable = False
    for _ in range(TIMES):
        with pytest.raises(InvalidValueError, match="read-only"):
            wh.concat(parts, out=locked)
        with pytest.raises(InvalidValueError, match="overlap"):
            wh.concat(parts, out=np.lib.stride_tricks.as_strided(np.zeros(4, np.float32), (4,), (0,)))
        with pytest.raises(InvalidTypeError, match="nothing is cast"):
            wh.concat(parts, out=np.zeros(4))
        with pytest.raises(InvalidTypeError, match="out is a list"):
            wh.concat(parts, out=[0, 0, 0, 0])  # type: ignore[arg-type]
        wh.concat(parts, out=np.zeros(4, np.float32))


def test_values_that_compare_equal_are_told_apart() -> None:
    data = np.zeros(1)
    operators: list[Operator] = [Pad([1], [0], value=0.0), Pad([1], [0], value=-0.0)]
    for _ in range(TIMES):
        signs = [bool(np.signbit(apply(each, [data], "test")[0][0])) for each in operators]
        assert signs == [False, True]


def test_byte_orders_and_strings() -> None:
    for _ in range(TIMES):
        for dtype in (">i4", "<i4", "U3", "S2", "datetime64[s]"):
            parts = [np.array([1, 2]).astype(dtype), np.array([3]).astype(dtype)]
            assert_same_bits(wh.concat(parts), np.concatenate(parts).astype(dtype))


def test_copies_to_any_strides() -> None:
    x, out = random(4, 6), np.zeros((8, 12), np.float32)[::-2, ::2]
    assert wh.copy(x, out) is out
    assert_same_bits(out.copy(), x)


def test_a_plan_whose_output_is_its_input() -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("int32", (4,)))
    builder.add(Split(0, [1, 3]), ["x"], ["a", "b"], "Split")
    builder.add(Concat(0), ["b", "a"], ["y"], "Concat")
    graph, x = builder.build(["y"]), np.arange(4, dtype=np.int32)
    plan = make_plan(graph, {"x": x})
    for step in range(1, 4):
        plan.run({"x": x}, {"y": x})
        assert x.tolist() == [(each + step) % 4 for each in range(4)]


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "unique": wh.onnx.unique,
    "unique of OpenVINO": wh.openvino.unique,
    "in order": partial(wh.onnx.unique, sorted=0),
    "along an axis": partial(wh.onnx.unique, axis=1),
    "non-zero": wh.onnx.non_zero,
    "non-zero of OpenVINO": partial(wh.openvino.non_zero, output_type="i32"),
    "running sum": partial(wh.onnx.cum_sum, axis=np.array(1)),
    "largest": partial(wh.onnx.arg_max, axis=0),
    "size": wh.onnx.size,
    "clip": partial(wh.onnx.clip, min=np.array(1), max=np.array(3)),
    "triangle": wh.onnx.trilu,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_call_that_comes_again_with_other_elements(name: str) -> None:
    """What is kept of a call must not hold its elements, nor hand out one array twice."""
    function = FUNCTIONS[name]
    rng = np.random.default_rng(4)
    for sizes in ((3, 5), (5, 3)):
        made = []
        for _ in range(4):
            data = rng.integers(0, 5, sizes)
            found = function(data)
            function(data[::1].copy(order="F"))
            fresh = function(data.tolist())  # a list is an array of its own, of which nothing is kept
            made += list(found) if isinstance(found, tuple) else [found]
            pairs = zip(found, fresh, strict=True) if isinstance(found, tuple) else [(found, fresh)]
            assert all(np.array_equal(a, b) and a.dtype == b.dtype for a, b in pairs)
        assert not any(np.may_share_memory(a, b) for a, b in combinations(made, 2) if a.size and b.size)


def test_a_call_that_refuses_when_it_comes_again_says_why() -> None:
    begins, symbols = np.array([0, 1]), np.frombuffer(b"abc", np.uint8)
    for _ in range(3):
        assert wh.openvino.string_tensor_pack(begins, np.array([1, 3]), symbols).tolist() == ["a", "bc"]
        with pytest.raises(wh.errors.IndexOutOfRangeError, match=r"StringTensorPack"):
            wh.openvino.string_tensor_pack(begins, np.array([1, 4]), symbols)
