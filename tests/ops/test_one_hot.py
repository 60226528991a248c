"""OneHot: moves, plan and formula agree; examples of the three specifications; every refusal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run import agreed, one
from tests.support.strategies import ELEMENT_DTYPES, INDEX_DTYPES, distinct, sizes, strided
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.ops import OneHot
from wherry.tensors import TensorType


@given(st.data())
def test_moves_plan_and_reference_agree(draw: st.DataObject) -> None:
    shape = list(draw.draw(sizes(3, 3)))
    keep = bool(shape) and draw.draw(st.booleans())
    ndim = len(shape) + (not keep)
    axis = draw.draw(st.integers(-ndim, ndim - 1))
    if keep:
        shape[axis] = 1
    dtype = np.dtype(draw.draw(st.sampled_from([*INDEX_DTYPES, "float16", "float32", "float64"])))
    count = int(np.prod(shape))
    low = 0 if dtype.kind == "u" else -6
    numbers = st.integers(low, 6) if dtype.kind in "iu" else st.sampled_from([-1.5, -1, 0.5, 2, np.nan, np.inf, -9])
    drawn = draw.draw(st.lists(numbers, min_size=count, max_size=count))
    indices = draw.draw(strided(np.array(drawn, dtype).reshape(shape)))
    values = distinct((2,), draw.draw(st.sampled_from(ELEMENT_DTYPES)))
    rules = draw.draw(st.sampled_from(["from_end", "invalid"])), draw.draw(st.sampled_from(["truncate", "off"]))
    operator = OneHot(draw.draw(st.integers(1, 5)), axis, *rules, keep)
    pair = (values,) if draw.draw(st.booleans()) else (values[:1], values[1:])
    agreed(operator, indices, *pair)


def test_off_and_on_in_one_vector() -> None:
    assert one(OneHot(3), [0, 2], [5, 7]).tolist() == [[7, 5, 5], [5, 5, 7]]
    with pytest.raises(InvalidValueError, match=r"values has sizes \[3\], allowed \[2\]: off and on"):
        one(OneHot(3), [0, 2], [5, 7, 9])


def test_onnx_one_hot_examples() -> None:
    assert one(OneHot(3), [0, 2, 1], 0, 1).tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 0]]
    assert one(OneHot(np.array([10.0], np.float32), 1), [0, -7, -8], 1, 3).tolist() == [
        [3] + [1] * 9, [1, 1, 1, 3] + [1] * 6, [1, 1, 3] + [1] * 7
    ]  # fmt: skip
    # OneHot-9: an index outside 0..depth-1, negative ones too, has all off
    assert one(OneHot(2, negative="invalid"), [-1, 2], 0, 1).tolist() == [[0, 0], [0, 0]]
    assert one(OneHot(3), [3, -4], 0, 1).tolist() == [[0] * 3] * 2
    assert one(OneHot(3, 0), np.array(1), 0, 1).tolist() == [0, 1, 0]
    assert one(OneHot(3, fractional="off"), np.array([1.9, 1.0]), 0, 1).tolist() == [[0, 0, 0], [0, 1, 0]]
    assert one(OneHot(3), np.array([1.9]), 0, 1).tolist() == [[0, 1, 0]]


def test_openvino_one_hot_examples() -> None:
    ignore = {"negative": "invalid"}
    assert one(OneHot(3, -1, **ignore), [0, 3, 1, 2], 2, 1).tolist() == [[1, 2, 2], [2, 2, 2], [2, 1, 2], [2, 2, 1]]
    assert one(OneHot(3, 1, **ignore), [[0, 3, 1], [1, 2, 4]], 0, 1).tolist() == [
        [[1, 0, 0], [0, 0, 1], [0, 0, 0]], [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    ]  # fmt: skip
    assert one(OneHot(3), [0, -5, -2, 2], 2, 1).tolist() == [[1, 2, 2], [2, 2, 2], [2, 1, 2], [2, 2, 1]]


def test_directml_one_hot_example() -> None:
    indices = np.array([[-3], [100], [3]], np.int32)
    expected = [[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
    assert one(OneHot(4, 1, keep_axis=True), indices, [[0]], [[1]]).tolist() == expected


def test_extreme_indices() -> None:
    assert not one(OneHot(3), np.array([2**64 - 1, 2**63], np.uint64), False, True).any()
    assert not one(OneHot(3), np.array([-(2**63), 2**63 - 1]), False, True).any()


def test_bits_and_strings_are_kept() -> None:
    on = np.array(0x7F800001, np.uint32).view(np.float32)
    assert one(OneHot(1), [0], np.float32(0), on).view(np.uint32).tolist() == [[0x7F800001]]
    assert one(OneHot(2), [1], np.array("no", object), np.array("yes", object)).tolist() == [["no", "yes"]]


def test_unknown_sizes() -> None:
    index, value = TensorType("int64", ("N", None)), TensorType("float32", ())
    assert OneHot(3, 1).infer([index, value, value])[0].sizes == ("N", 3, None)
    assert OneHot(3, 1, keep_axis=True).infer([index, value, value])[0].sizes == ("N", 3)
    assert OneHot(3).infer([TensorType("int64", None), value, value])[0].sizes is None


@pytest.mark.parametrize(
    ("fields", "inputs", "error", "text"),
    [
        ({"depth": 0}, ([0], 0, 1), InvalidValueError, "depth is 0, allowed 1 and more"),
        ({"depth": -3}, ([0], 0, 1), InvalidValueError, "depth is -3"),
        ({"depth": np.array([1, 2])}, ([0], 0, 1), InvalidTypeError, "allowed one integer"),
        ({"depth": 2, "axis": 2}, ([0], 0, 1), InvalidValueError, r"axis is 2, allowed -2..1; the result has 2 axes"),
        ({"depth": 2}, ([True], 0, 1), InvalidTypeError, "indices has dtype bool"),
        ({"depth": 2}, ([0], 0, 1.0), InvalidTypeError, "on has dtype float64, allowed int64, that of off"),
        ({"depth": 2}, ([0], [0, 1], 1), InvalidValueError, r"off has sizes \[2\], allowed one element"),
        (
            {"depth": 2, "keep_axis": True},
            ([0, 1], 0, 1),
            InvalidValueError,
            "size of axis 0 of indices is 2, allowed 1",
        ),
        (
            {"depth": 2, "negative": "x"},
            ([0], 0, 1),
            InvalidValueError,
            "negative is 'x', allowed 'from_end', 'invalid'",
        ),
    ],
)
def test_refusals(fields: dict, inputs: tuple, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        agreed(OneHot(**fields), *inputs)
