"""The operations as functions: results, and every refusal with its words."""

from __future__ import annotations

import numpy as np
import pytest

import wherry as wh
from tests.support.compare import assert_same_bits
from wherry.errors import InvalidTypeError, InvalidValueError, UnsupportedError

ov = wh.openvino
INTEGERS = "int8, int16, int32, int64, uint8, uint16, uint32, uint64"


def refused(kind: type[Exception], words: str, call, *args, **options) -> None:
    with pytest.raises(kind) as caught:
        call(*args, **options)
    assert str(caught.value) == words


@pytest.mark.parametrize("opset", [1, 6, 7])
def test_old_gathers_never_count_from_the_end(opset: int) -> None:
    assert_same_bits(ov.gather([1, 2, 3], [-1, 2, 3], 0, opset=opset), np.array([0, 3, 0]))


@pytest.mark.parametrize("opset", [8, 13, 16])
def test_gather_8_counts_from_the_end_and_fills_with_zero(opset: int) -> None:
    assert_same_bits(ov.gather([1, 2, 3], [-1, 2, 3, -3, -4], 0, opset=opset), np.array([3, 3, 0, 1, 0]))


@pytest.mark.parametrize("axis", [1, -1, np.uint8(1), np.array([1], np.int16), np.array(-1, np.int64)])
def test_axis_is_an_integer_scalar_or_one_element(axis: object) -> None:
    data = np.arange(6).reshape(2, 3)
    assert_same_bits(ov.gather(data, [2, 0], axis), data[:, [2, 0]])


def test_zero_is_false_and_the_empty_string() -> None:
    assert_same_bits(ov.gather(np.array([True]), [0, 1], 0), np.array([True, False]))
    assert_same_bits(ov.gather(np.array(["a"], object), [0, 1], 0), np.array(["a", ""], object))


def test_strings_of_one_width_and_foreign_byte_orders() -> None:
    assert_same_bits(ov.gather(np.array(["ab", "c"]), [1, 5], 0), np.array(["c", ""], "<U2"))
    assert_same_bits(ov.gather(np.array([1, 2], ">f4"), np.array([1], ">i2"), 0), np.array([2], ">f4"))


def test_unsigned_indices_have_their_own_value() -> None:
    indices = np.array([0, 2**64 - 1, 2**32], np.uint64)
    assert_same_bits(ov.gather([7, 8], indices, 0), np.array([7, 0, 0]))


def test_empty_indices_and_an_empty_axis() -> None:
    assert ov.gather(np.ones((2, 3)), [], 1).shape == (2, 0)
    assert_same_bits(ov.gather(np.ones((0, 2), np.int8), [0, 1], 0), np.zeros((2, 2), np.int8))


@pytest.mark.parametrize(
    ("kind", "words", "arguments", "options"),
    [
        (InvalidValueError, "axis is 2, allowed -1..0; data has 1 axes", ([1, 2], [0], 2), {}),
        (InvalidValueError, "axis is -2, allowed -1..0; data has 1 axes", ([1, 2], [0], -2), {}),
        (InvalidValueError, "axis has 2 elements, allowed 1", ([1, 2], [0], [0, 0]), {}),
        (InvalidValueError, "axis has 2 axes, allowed a scalar or 1 axis; reshape it", ([1, 2], [0], [[0]]), {}),
        (InvalidTypeError, f"axis has dtype float64, allowed {INTEGERS}; convert it first", ([1, 2], [0], 0.0), {}),
        (InvalidTypeError, f"axis has dtype bool, allowed {INTEGERS}; convert it first", ([1, 2], [0], False), {}),
        (InvalidTypeError, f"indices has dtype float64, allowed {INTEGERS}; convert it first", ([1, 2], [0.0], 0), {}),
        (InvalidTypeError, f"indices has dtype bool, allowed {INTEGERS}; convert it first", ([1, 2], [True], 0), {}),
        (InvalidValueError, "data is a scalar, allowed 1 axis and more; reshape it", (1, [0], 0), {}),
        (
            InvalidValueError,
            "indices has size 3 on axis 0, allowed 2: the first 1 axes are batch axes and equal those of data",
            (np.ones((2, 2)), np.zeros((3, 1), int), 1),
            {"batch_dims": 1},
        ),
        (
            InvalidValueError,
            "batch_dims is 1, allowed up to the axis, 0; batch axes lie before the axis",
            (np.ones((2, 2)), np.zeros((2, 1), int), 0),
            {"batch_dims": 1},
        ),
        (
            InvalidValueError,
            "batch_dims is 3, allowed -2..2; data has 2 axes, indices 2",
            (np.ones((2, 2)), np.zeros((2, 1), int), 1),
            {"batch_dims": 3},
        ),
        (
            InvalidValueError,
            "batch_dims is -3, allowed -2..2; data has 2 axes, indices 2",
            (np.ones((2, 2)), np.zeros((2, 1), int), 1),
            {"batch_dims": -3},
        ),
        (InvalidTypeError, "batch_dims is 0.5, allowed one integer", ([1], [0], 0), {"batch_dims": 0.5}),
    ],
)
def test_gather_refuses(kind: type[Exception], words: str, arguments: tuple, options: dict) -> None:
    refused(kind, f"OpenVINO Gather-8: {words}", ov.gather, *arguments, **options)


def test_gather_1_has_no_batch_dims() -> None:
    words = "OpenVINO Gather-1: batch_dims is 1, allowed 0: Gather-1 has no batch_dims; use opset 7 or newer"
    refused(InvalidValueError, words, ov.gather, [[1]], [[0]], 1, batch_dims=1, opset=1)


def test_types_that_openvino_lacks_are_refused() -> None:
    with pytest.raises(InvalidTypeError, match=r"^OpenVINO Gather-8: data has dtype complex64, allowed bool, int8, "):
        ov.gather(np.zeros(2, np.complex64), [0], 0)
    with pytest.raises(InvalidTypeError, match=r"^OpenVINO Split-1: data has dtype datetime64\[s\], allowed bool"):
        ov.split(np.zeros(2, "M8[s]"), 0, 1)


@pytest.mark.parametrize(
    ("kind", "words", "opset"),
    [
        (UnsupportedError, "OpenVINO Gather: Gather is not in opset17, allowed opset1..opset16", 17),
        (InvalidValueError, "OpenVINO Gather: opset is 18, allowed 1..17", 18),
        (InvalidValueError, "OpenVINO Gather: opset is 0, allowed 1..17", 0),
        (InvalidTypeError, "OpenVINO Gather: opset is 'opset8', allowed an integer 1..17", "opset8"),
        (InvalidTypeError, "OpenVINO Gather: opset is True, allowed an integer 1..17", True),
    ],
)
def test_opsets_without_the_operation(kind: type[Exception], words: str, opset: object) -> None:
    refused(kind, words, ov.gather, [1], [0], 0, opset=opset)


def test_split_gives_views() -> None:
    data = np.arange(12).reshape(2, 6)
    parts = ov.split(data, np.int32(-1), 3)
    assert [part.tolist() for part in parts] == [[[0, 1], [6, 7]], [[2, 3], [8, 9]], [[4, 5], [10, 11]]]
    assert all(np.shares_memory(part, data) for part in parts)
    assert [part.shape for part in ov.split(np.ones((2, 0)), 1, 3)] == [(2, 0)] * 3


@pytest.mark.parametrize(
    ("kind", "words", "arguments"),
    [
        (InvalidValueError, "num_splits is 4, allowed a divisor of 6; the axis has that size; give the sizes of the "
         "parts", (range(6), 0, 4)),
        (InvalidValueError, "num_splits is 0, allowed 1 and more", (range(6), 0, 0)),
        (InvalidValueError, "axis has 1 axis, allowed a scalar; reshape it", (range(6), [0], 2)),
        (InvalidValueError, "axis is 1, allowed -1..0; data has 1 axes", (range(6), 1, 2)),
        (InvalidTypeError, f"axis has dtype float64, allowed {INTEGERS}; convert it first", (range(6), 0.0, 2)),
        (InvalidValueError, "data is a scalar, allowed 1 axis and more; reshape it", (6, 0, 1)),
        (InvalidTypeError, "num_splits is 2.0, allowed one integer", (range(6), 0, 2.0)),
    ],
)  # fmt: skip
def test_split_refuses(kind: type[Exception], words: str, arguments: tuple) -> None:
    data, *rest = arguments
    refused(kind, f"OpenVINO Split-1: {words}", ov.split, np.array(data), *rest)


def test_variadic_split_gives_views() -> None:
    data = np.arange(12).reshape(6, 2)
    parts = ov.variadic_split(data, [0], np.array([1, 0, -1, 2], np.int8))
    assert [part.tolist() for part in parts] == [data[:1].tolist(), [], data[1:4].tolist(), data[4:].tolist()]
    assert all(np.shares_memory(part, data) for part in parts if part.size)
    assert ov.variadic_split(np.ones(3), 0, [3, -1])[1].shape == (0,)
    assert ov.variadic_split(np.ones(0), 0, []) == []


@pytest.mark.parametrize(
    ("kind", "words", "arguments"),
    [
        (InvalidValueError, "split_lengths is [7, -1], allowed a sum of 6; the sum is 7, and the axis has size 6",
         (range(6), 0, [7, -1])),
        (InvalidValueError, "split_lengths is [1, 2], allowed a sum of 6; the sum is 3, and the axis has size 6",
         (range(6), 0, [1, 2])),
        (InvalidValueError, "split_lengths is [-1, -1], allowed at most one -1; only one part can be what remains",
         (range(6), 0, [-1, -1])),
        (InvalidValueError, "split_lengths[1] is -2, allowed -1 (what remains), 0 and more", (range(6), 0, [8, -2])),
        (InvalidValueError, "split_lengths is a scalar, allowed 1 axis; reshape it", (range(6), 0, 6)),
        (InvalidTypeError, f"split_lengths has dtype float64, allowed {INTEGERS}; convert it first",
         (range(6), 0, [6.0])),
        (InvalidValueError, "axis has 2 elements, allowed 1", (range(6), [0, 0], [6])),
    ],
)  # fmt: skip
def test_variadic_split_refuses(kind: type[Exception], words: str, arguments: tuple) -> None:
    data, *rest = arguments
    refused(kind, f"OpenVINO VariadicSplit-1: {words}", ov.variadic_split, np.array(data), *rest)


def test_concat() -> None:
    parts = [np.ones((1, 2), np.int8), np.zeros((0, 2), np.int8), np.full((2, 2), 3, np.int8)]
    assert_same_bits(ov.concat(parts, -2), np.array([[1, 1], [3, 3], [3, 3]], np.int8))


@pytest.mark.parametrize(
    ("kind", "words", "arrays", "axis"),
    [
        (InvalidValueError, "inputs[1] has 2 axes, allowed 1 as inputs[0]", [np.ones(0), np.ones((2, 2))], 0),
        (
            InvalidValueError,
            "inputs[1] has size 2 on axis 1, allowed 3 as inputs[0]; only axis 0 may differ",
            [np.ones((2, 3)), np.ones((0, 2))],
            0,
        ),
        (
            InvalidTypeError,
            "inputs[1] has dtype float32, allowed float64 as inputs[0]; convert it",
            [np.ones(1), np.ones(1, np.float32)],
            0,
        ),
        (InvalidValueError, "inputs[0] is a scalar, allowed 1 axis and more; reshape it", [np.float32(1)], 0),
        (InvalidValueError, "axis is 1, allowed -1..0; inputs[0] has 1 axes", [np.ones(1)], 1),
        (InvalidValueError, "inputs has 0 entries, allowed 1 and more: inputs", [], 0),
        (InvalidTypeError, "arrays is 'ab', allowed a sequence of arrays", "ab", 0),
        (InvalidTypeError, "axis is 0.0, allowed one integer", [np.ones(1)], 0.0),
    ],
)
def test_concat_refuses(kind: type[Exception], words: str, arrays: object, axis: object) -> None:
    refused(kind, f"OpenVINO Concat-1: {words}", ov.concat, arrays, axis)
