"""GatherTree: walk, plan and formula agree; OpenVINO's example and its edges; every refusal."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run import one
from tests.support.strategies import strided
from wherry import reference
from wherry.engine.call import apply
from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError
from wherry.ops import GatherTree
from wherry.tensors import TensorType

STEPS = [[[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]], [[-1, -1, -1]]]
PARENTS = [[[0, 0, 0]], [[0, 1, 1]], [[2, 1, 2]], [[-1, -1, -1]]]
DTYPES = ["int32", "int64", "uint8", "float16", "float32", ml_dtypes.bfloat16]


@given(st.data())
def test_walk_plan_and_reference_agree(draw: st.DataObject) -> None:
    count, batch, beams = (draw.draw(st.integers(0, 4)) for _ in range(3))
    dtype = np.dtype(draw.draw(st.sampled_from(DTYPES)))

    def numbers(least: int, most: int, shape: tuple[int, ...]) -> np.ndarray:
        size = int(np.prod(shape))
        drawn = draw.draw(st.lists(st.integers(least, most), min_size=size, max_size=size))
        return draw.draw(strided(np.array(drawn, dtype).reshape(shape)))

    shape = (count, batch, beams)
    inputs = [numbers(0, 3, shape), numbers(0, max(beams, 1), shape), numbers(0, 5, (batch,)), numbers(0, 3, ())]
    try:
        reference.run(GatherTree(), inputs)
    except IndexError:
        with pytest.raises(IndexOutOfRangeError, match=r"test: parent_idx is .* allowed 0\.\."):
            apply(GatherTree(), inputs, "test")
        return
    one(GatherTree(), *inputs)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32"])
def test_openvino_gather_tree_example(dtype: str) -> None:
    def run(length: float, end: int) -> list[list[int]]:
        arrays = [np.array(value, dtype) for value in (STEPS, PARENTS, [length], end)]
        return one(GatherTree(), *arrays)[:, 0].tolist()

    assert run(3, 10) == [[2, 2, 2], [6, 5, 6], [7, 8, 9], [10, 10, 10]]
    assert run(3, 5) == [[2, 2, 2], [6, 5, 6], [7, 5, 9], [5, 5, 5]]
    assert run(0, 10) == run(-2, 10) == [[10] * 3] * 4
    assert run(1, 10) == [[1, 2, 3], [10] * 3, [10] * 3, [10] * 3]


def test_a_long_sequence_ends_with_the_steps() -> None:
    arrays = [np.array(value) for value in (STEPS[:3], PARENTS[:3], [9], 10)]
    assert one(GatherTree(), *arrays)[:, 0].tolist() == [[2, 2, 2], [6, 5, 6], [7, 8, 9]]


def test_parents_are_checked_where_the_walk_meets_them() -> None:
    arrays = [np.array(value) for value in (STEPS, PARENTS, [4], 10)]
    with pytest.raises(IndexOutOfRangeError, match=r"T: parent_idx is -1 on the walk of batch 0, beam 0, allowed 0..2"):
        apply(GatherTree(), arrays, "T")
    unmet = np.array(PARENTS)
    unmet[0, 0, 1] = 99  # the parents of the first step lead nowhere
    one(GatherTree(), np.array(STEPS), unmet, np.array([3]), np.array(10))


def test_unknown_sizes() -> None:
    full, vector, scalar = TensorType("int32", (None, "B", 3)), TensorType("int32", (2,)), TensorType("int32", ())
    assert GatherTree().infer([full, TensorType("int32", None), vector, scalar])[0].sizes == (None, 2, 3)


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({0: np.array(STEPS, bool)}, InvalidTypeError, "step_ids has dtype bool, allowed integers and floats"),
        ({1: np.array(PARENTS, np.int8)}, InvalidTypeError, "parent_idx has dtype int8, allowed int64"),
        ({1: np.zeros((4, 1, 2), int)}, InvalidValueError, "size of parent_idx is 2, allowed 3; the beams of step_ids"),
        ({2: np.zeros(2, int)}, InvalidValueError, "size of max_seq_len is 2, allowed 1; the batch of step_ids"),
        ({3: np.array([10])}, InvalidValueError, "end_token has 1 axes, allowed 0"),
    ],
)
def test_refusals(change: dict[int, np.ndarray], error: type[Exception], text: str) -> None:
    inputs = dict(enumerate(map(np.array, (STEPS, PARENTS, [3], 10)))) | change
    with pytest.raises(error, match=text):
        one(GatherTree(), *inputs.values())


def test_nan_is_no_length() -> None:
    arrays = [np.array(value, np.float32) for value in (STEPS, PARENTS, [np.nan], 10)]
    with pytest.raises(InvalidValueError, match="max_seq_len is NaN"):
        apply(GatherTree(), arrays, "T")
