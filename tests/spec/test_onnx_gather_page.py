"""The ONNX operator page "Gather" (the Chinese edition): every example and every rule of its three versions.

Each version's section (Gather-13, Gather-11, Gather-1) gives the same two examples with numbers;
Gather-13 adds a table of shapes with formulas. They run through the function, through a model that is read, and
through the plain formula.
"""

import itertools

import numpy as np
import pytest

import wherry as wh
from tests.support.compare import assert_same_bits
from wherry import dtypes, reference
from wherry.dialects.onnx.table import find_row
from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError
from wherry.ops import Gather

onnx = pytest.importorskip("onnx")

VERSIONS = (1, 11, 13)

# Sections "axis = 0" (Gather-13, Gather-11) and "Example 1" (Gather-1).
AXIS_0 = dict(
    data=[[1.0, 1.2], [2.3, 3.4], [4.5, 5.7]],
    indices=[[0, 1], [1, 2]],
    axis=0,
    output=[[[1.0, 1.2], [2.3, 3.4]], [[2.3, 3.4], [4.5, 5.7]]],
)

# Sections "axis = 1" (Gather-13, Gather-11) and "Example 2" (Gather-1).
AXIS_1 = dict(
    data=[[1.0, 1.2, 1.9], [2.3, 3.4, 3.9], [4.5, 5.7, 5.9]],
    indices=[[0, 2]],
    axis=1,
    output=[[[1.0, 1.9]], [[2.3, 3.9]], [[4.5, 5.9]]],
)

# The page's table: shape of data, shape of indices, axis, shape of the output, formula.
P, Q, R, S = 2, 3, 4, 5
SHAPES = [
    ((P, Q), (), 0, (Q,), lambda data, i, q: data[i[()], q]),
    ((P, Q, R), (), 1, (P, R), lambda data, i, p, r: data[p, i[()], r]),
    ((P, Q), (R, S), 0, (R, S, Q), lambda data, i, r, s, q: data[i[r, s], q]),
    ((P, Q), (R, S), 1, (P, R, S), lambda data, i, p, r, s: data[p, i[r, s]]),
]

# "Type constraints": T of Gather-1 and Gather-11, and what Gather-13 adds.
T_1 = {
    "bool", "complex128", "complex64", "double", "float", "float16", "int16", "int32", "int64", "int8", "string",
    "uint16", "uint32", "uint64", "uint8",
}  # fmt: skip
T = {1: T_1, 11: T_1, 13: T_1 | {"bfloat16"}}


def by_function(data: np.ndarray, indices: np.ndarray, axis: int, version: int) -> np.ndarray:
    return wh.onnx.gather(data, indices, axis, opset=version)


def by_model(data: np.ndarray, indices: np.ndarray, axis: int, version: int) -> np.ndarray:
    node = onnx.helper.make_node("Gather", ["data", "indices"], ["output"], axis=axis)
    (result,) = wh.onnx.Backend.run_node(node, [data, indices], opset_version=version)
    return result


def by_formula(data: np.ndarray, indices: np.ndarray, axis: int, version: int) -> np.ndarray:
    return reference.run(Gather(axis), [data, indices])[0]


WAYS = pytest.mark.parametrize("way", [by_function, by_model, by_formula])


@WAYS
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("example", [AXIS_0, AXIS_1], ids=["axis 0", "axis 1"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("index_dtype", ["int32", "int64"])
def test_examples(way, version, example, dtype, index_dtype) -> None:
    indices = np.array(example["indices"], index_dtype)
    result = way(np.array(example["data"], dtype), indices, example["axis"], version)
    assert_same_bits(result, np.array(example["output"], dtype))


@WAYS
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("data_shape", "index_shape", "axis", "shape", "formula"), SHAPES)
def test_table_of_shapes(way, version, data_shape, index_shape, axis, shape, formula) -> None:
    data = np.arange(np.prod(data_shape), dtype=np.float32).reshape(data_shape)
    indices = np.arange(np.prod(index_shape), dtype=np.int64).reshape(index_shape) % data_shape[axis]
    result = way(data, indices, axis, version)
    assert result.shape == shape
    for coords in itertools.product(*map(range, shape)):
        assert result[coords] == formula(data, indices, *coords)


@WAYS
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_general_formula(way, version, axis) -> None:
    """`k = indices[i..]; output[j[:axis].., i.., j[axis:]..] = input[j[:axis].., k, j[axis:]..]`, for any axis."""
    data = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    indices = np.array([[1, 0, 1], [0, 1, 1]])
    result = way(data, indices, axis, version)
    for i in np.ndindex(2, 3):
        for j in np.ndindex(*np.delete(data.shape, axis)):
            assert result[(*j[:axis], *i, *j[axis:])] == data[(*j[:axis], indices[i], *j[axis:])]


@pytest.mark.parametrize("version", VERSIONS)
def test_axis_is_0_by_default_and_lies_in_minus_r_to_r_minus_1(version) -> None:
    data = np.arange(6).reshape(2, 3)
    assert_same_bits(wh.onnx.gather(data, [1], opset=version), data[[1]])
    assert_same_bits(wh.onnx.gather(data, [1], -1, opset=version), data[:, [1]])
    assert_same_bits(wh.onnx.gather(data, [1], -2, opset=version), data[[1]])
    for axis in (2, -3):
        with pytest.raises(InvalidValueError, match=rf"ONNX Gather-{version}: axis is {axis}, allowed -2\.\.1"):
            wh.onnx.gather(data, [0], axis, opset=version)


@pytest.mark.parametrize("version", VERSIONS)
def test_data_has_rank_1_and_more(version) -> None:
    with pytest.raises(InvalidValueError, match=f"ONNX Gather-{version}: axis is 0, but data is a scalar"):
        wh.onnx.gather(1.0, [0], opset=version)


@pytest.mark.parametrize("version", VERSIONS)
def test_types(version) -> None:
    data, indices = find_row("Gather", version).inputs
    assert {dtype.onnx for dtype in data.types.members} == T[version]
    assert {dtype.onnx for dtype in indices.types.members} == {"int32", "int64"}
    for dtype in dtypes.TABLE:
        if dtype.is_integer and dtype.name not in ("int32", "int64"):
            with pytest.raises(InvalidTypeError, match="indices has dtype"):
                wh.onnx.gather([1, 2], np.zeros(1, dtype.numpy), opset=version)


@pytest.mark.parametrize("version", [11, 13])
def test_indices_lie_in_minus_s_to_s_minus_1(version) -> None:
    data = np.arange(3)
    assert wh.onnx.gather(data, [-3, -2, -1, 0, 1, 2], opset=version).tolist() == [0, 1, 2, 0, 1, 2]
    for bad in (3, -4):
        with pytest.raises(
            IndexOutOfRangeError, match=rf"ONNX Gather-{version}: indices\[1\] is {bad}, allowed -3\.\.2"
        ):
            wh.onnx.gather(data, [0, bad], opset=version)


def test_version_1_names_no_negative_indices_and_makes_what_is_out_of_bounds_an_error() -> None:
    for bad in (3, -1):
        with pytest.raises(IndexOutOfRangeError, match=rf"ONNX Gather-1: indices\[1\] is {bad}, allowed 0\.\.2"):
            wh.onnx.gather(np.arange(3), [0, bad], opset=1)
