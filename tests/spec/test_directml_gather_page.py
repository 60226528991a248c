"""DML_GATHER_OPERATOR_DESC (the German page; the English one says the same): every numbered example, limits, tables."""

import numpy as np
import pytest

from wherry.dialects.directml import BufferTensorDesc, GatherOperatorDesc, execute, validate
from wherry.errors import InvalidTypeError, InvalidValueError


def gather(data, indices, sizes, axis, index_dimensions, index_type="uint32", feature_level="6.4"):
    data, indices = np.array(data, "float32"), np.array(indices, index_type)
    out = np.zeros(sizes, "float32")
    desc = GatherOperatorDesc(
        BufferTensorDesc("FLOAT32", data.shape),
        BufferTensorDesc(index_type, indices.shape),
        BufferTensorDesc("FLOAT32", sizes),
        axis,
        index_dimensions,
    )
    buffers = {"input_tensor": data, "indices_tensor": indices, "output_tensor": out}
    execute(desc, buffers, feature_level=feature_level)
    return out.tolist()


def test_example_1_one_dimensional_remapping():
    assert gather([11, 12, 13, 14], [3, 1, 3, 0, 2], [5], 0, 1) == [14, 12, 14, 11, 13]


def test_example_2_two_dimensional_output_rows_joined():
    result = gather([[1, 2], [3, 4], [5, 6]], [[0, 1, 1, 2]], [4, 2], 0, 1)
    assert result == [[1, 2], [3, 4], [3, 4], [5, 6]]


def test_example_3_swapped_columns_as_its_formula_says():
    """The example's formula, output[y, x] = input[y, indices[x]], is IndexDimensions 1, not the printed 2."""
    assert gather([[1, 2], [3, 4], [5, 6]], [[1, 0]], [3, 2], 1, 1) == [[2, 1], [4, 3], [6, 5]]


def test_example_3_as_printed_contradicts_the_sizes_of_the_page():
    """With the printed IndexDimensions 2 the output would need 3 dimensions (see docs/directml.md)."""
    with pytest.raises(InvalidValueError, match=r"InputTensor\.Sizes\[0\] is 3, allowed 1"):
        gather([[1, 2], [3, 4], [5, 6]], [[1, 0]], [3, 2], 1, 2)


def test_example_4_nested_indices_on_the_last_axis():
    result = gather([[[1, 2, 3], [4, 5, 6], [7, 8, 9]]], [[[0, 2]]], [3, 1, 2], 2, 2)
    assert result == [[[1, 3]], [[4, 6]], [[7, 9]]]


def test_example_5_nested_indices_on_the_first_axis():
    result = gather([[[1, 2], [3, 4], [5, 6]]], [[[0, 1], [1, 2]]], [2, 2, 2], 1, 2)
    assert result == [[[1, 2], [3, 4]], [[3, 4], [5, 6]]]


def test_index_dimensions_text_sizes_1_1_4_6():
    """IndicesTensor.Sizes = {1, 1, 4, 6} with IndexDimensions = 3 means the indices {1, 4, 6}."""
    indices = np.arange(24).reshape(1, 1, 4, 6) % 5
    result = gather(np.arange(5).reshape(1, 1, 1, 5), indices, [1, 1, 4, 6], 3, 3)
    assert result == indices.tolist()


@pytest.mark.parametrize(("index", "value"), [(-1, 14), (-4, 11), (0, 11), (3, 14)])
def test_negative_indices_count_from_the_end_from_3_0(index, value):
    assert gather([11, 12, 13, 14], [index], [1], 0, 1, "int32", "3.0") == [value]
    assert gather([11, 12, 13, 14], [index], [1], 0, 1, "int64", "3.0") == [value]


def test_no_signed_indices_before_3_0():
    with pytest.raises(
        InvalidTypeError, match=r"IndicesTensor\.DataType is INT32, allowed UINT32 at feature level 2\.1"
    ):
        gather([[[[11, 12]]]], [[[[0]]]], [1, 1, 1, 1], 3, 1, "int32", "2.1")


@pytest.mark.parametrize("index_type", ["int32", "int64", "uint32", "uint64"])
def test_bad_indices_raise_nothing_and_read_inside_the_input(index_type):
    limits = np.iinfo(index_type)
    result = gather([11, 12, 13, 14], [4, limits.max, limits.min, 2], [4], 0, 1, index_type)
    assert result == [14, 14, 11, 13]


def test_unsigned_indices_are_never_negative():
    assert gather([11, 12, 13, 14], [2**64 - 1], [1], 0, 1, "uint64") == [14]
    assert gather([11, 12, 13, 14], [2**32 - 1], [1], 0, 1, "uint32") == [14]


def desc_for(data_type, index_type, count):
    return GatherOperatorDesc(
        BufferTensorDesc(data_type, [1] * (count - 1) + [4]),
        BufferTensorDesc(index_type, [1] * (count - 1) + [2]),
        BufferTensorDesc(data_type, [1] * (count - 1) + [2]),
        count - 1,
        1,
    )


EIGHT = {"FLOAT32", "FLOAT16", "INT32", "INT16", "INT8", "UINT32", "UINT16", "UINT8"}
WIDE = EIGHT | {"FLOAT64", "INT64", "UINT64"}
INDICES = {"INT64", "INT32", "UINT64", "UINT32"}
# Tensor support, as the page prints it: first level of each table, dimension counts, data types, index types
SUPPORT = [
    (["1.0", "2.0"], {4}, {"FLOAT32", "FLOAT16"}, {"UINT32"}),
    (["2.1"], {4}, EIGHT, {"UINT32"}),
    (["3.0", "3.1", "4.0"], set(range(1, 9)), EIGHT, INDICES),
    (["4.1", "5.0", "5.1", "5.2", "6.0", "6.1", "6.2", "6.3", "6.4"], set(range(1, 9)), WIDE, INDICES),
]


@pytest.mark.parametrize(("levels", "counts", "types", "index_types"), SUPPORT)
def test_tensor_support_tables(levels, counts, types, index_types):
    for level in levels:
        count = max(counts)
        for data_type in WIDE:
            for index_type in WIDE:
                desc = desc_for(data_type, index_type, count)
                if data_type in types and index_type in index_types:
                    validate(desc, level)
                else:
                    with pytest.raises(InvalidTypeError, match=f"feature level {level}"):
                        validate(desc, level)
        for other in range(1, 9):
            if other in counts:
                validate(desc_for("FLOAT32", "UINT32", other), level)
            else:
                with pytest.raises(InvalidValueError, match=rf"DimensionCount is {other}, allowed 4 at feature level"):
                    validate(desc_for("FLOAT32", "UINT32", other), level)
