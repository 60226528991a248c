"""The examples on the pages of the DML_*_OPERATOR_DESC structs (GATHER, SPLIT and strides have files of their own)."""

import numpy as np
import pytest

import wherry as wh
from tests.dialects.directml.running import run
from wherry.dialects import directml as dml
from wherry.errors import InvalidTypeError, InvalidValueError


def f4(values):
    return np.array(values, "float32")


def u4(values):
    return np.array(values, "uint32")


GRID = np.arange(1, 17, dtype="float32").reshape(1, 1, 4, 4)


def output(result, sizes, dtype="float32"):
    assert result.shape == sizes
    assert result.dtype == dtype
    return result.tolist()


def test_gather_elements():
    data, indices = f4([[1, 2, 3], [4, 5, 6], [7, 8, 9]]), u4([[1, 2, 0], [2, 0, 0]])
    result = run(dml.GatherElementsOperatorDesc, {"input_tensor": data, "indices_tensor": indices},
                 {"output_tensor": ("float32", (2, 3))}, 0)  # fmt: skip
    assert result.tolist() == [[4, 8, 3], [7, 2, 3]]


def test_gather_nd_with_whole_rows():
    result = run(dml.GatherNdOperatorDesc, {"input_tensor": f4([[0, 1], [2, 3]]), "indices_tensor": u4([[1], [0]])},
                 {"output_tensor": ("float32", (2, 2))}, 2, 2)  # fmt: skip
    assert result.tolist() == [[2, 3], [0, 1]]


def test_gather_nd_sizes_begin_behind_the_tuple():
    """Sizes {3,4,5,6,7} and {1,1,1,2,3} with counts 5 and 3 give {1,1,2,6,7}, as the page's text on shapes says."""
    data, indices = np.arange(2520, dtype="float32").reshape(3, 4, 5, 6, 7), u4([[0, 1, 2], [2, 3, 4]])
    result = run(dml.GatherNdOperatorDesc, {"input_tensor": data, "indices_tensor": indices.reshape(1, 1, 1, 2, 3)},
                 {"output_tensor": ("float32", (1, 1, 2, 6, 7))}, 5, 3)  # fmt: skip
    assert np.array_equal(result[0, 0], np.stack([data[0, 1, 2], data[2, 3, 4]]))


def test_gather_nd1_with_a_batch():
    data = np.arange(12, dtype="float32").reshape(1, 3, 2, 2)
    indices = u4([[[[0, 0], [1, 1]], [[1, 1], [0, 0]], [[0, 1], [1, 0]]]])
    inputs = {"input_tensor": data, "indices_tensor": indices}
    result = run(dml.GatherNd1OperatorDesc, inputs, {"output_tensor": ("float32", (1, 1, 3, 2))}, 3, 3, 1)
    assert result.tolist() == [[[[0, 3], [7, 4], [9, 10]]]]


def test_gather_nd1_without_a_batch_is_gather_nd():
    inputs = {"input_tensor": f4([[0, 1], [2, 3]]), "indices_tensor": u4([[1], [0]])}
    result = run(dml.GatherNd1OperatorDesc, inputs, {"output_tensor": ("float32", (2, 2))}, 2, 2, 0)
    assert result.tolist() == [[2, 3], [0, 1]]


@pytest.mark.parametrize("kind", [dml.ScatterOperatorDesc, dml.ScatterElementsOperatorDesc])
def test_scatter(kind):
    inputs = {"input_tensor": f4(np.zeros((3, 3))), "indices_tensor": u4([[1, 0, 2], [0, 2, 1]]),
              "updates_tensor": f4([[10, 11, 12], [20, 21, 22]])}  # fmt: skip
    result = run(kind, inputs, {"output_tensor": ("float32", (3, 3))}, 0)
    assert result.tolist() == [[20, 11, 0], [10, 0, 22], [0, 21, 12]]


def test_scatter_nd():
    """The page prints FLOAT32 indices and unequal dimension counts; its values are right."""
    inputs = {"input_tensor": f4([[1, 2, 3, 4, 5, 6, 7, 8]]), "indices_tensor": u4([[4], [3], [1], [7]]),
              "updates_tensor": f4([[9, 10, 11, 12]])}  # fmt: skip
    result = run(dml.ScatterNdOperatorDesc, inputs, {"output_tensor": ("float32", (1, 8))}, 1, 2)
    assert result.tolist() == [[1, 11, 3, 10, 9, 6, 7, 12]]
    with pytest.raises(InvalidTypeError, match=r"IndicesTensor\.DataType is FLOAT32"):
        run(dml.ScatterNdOperatorDesc, {**inputs, "indices_tensor": f4([[4], [3], [1], [7]])},
            {"output_tensor": ("float32", (1, 8))}, 1, 2)  # fmt: skip


def test_slice():
    result = run(dml.SliceOperatorDesc, {"input_tensor": GRID}, {"output_tensor": ("float32", (1, 1, 2, 2))},
                 [0, 0, 1, 0], [1, 1, 2, 2], [1, 1, 2, 3])  # fmt: skip
    assert result.tolist() == [[[[5, 8], [13, 16]]]]


def test_slice1_walks_back_from_the_end_of_its_window():
    result = run(dml.Slice1OperatorDesc, {"input_tensor": GRID}, {"output_tensor": ("float32", (1, 1, 2, 2))},
                 [0, 0, 0, 1], [1, 1, 4, 3], [1, 1, -2, 2])  # fmt: skip
    assert result.tolist() == [[[[14, 16], [6, 8]]]]


def test_slice1_may_take_less_than_its_window_holds():
    result = run(dml.Slice1OperatorDesc, {"input_tensor": GRID}, {"output_tensor": ("float32", (1, 1, 1, 3))},
                 [0, 0, 0, 0], [1, 1, 4, 4], [1, 1, -1, 1])  # fmt: skip
    assert result.tolist() == [[[[13, 14, 15]]]]


def test_tile():
    result = run(dml.TileOperatorDesc, {"input_tensor": f4([[[[1, 2, 3]]]])},
                 {"output_tensor": ("float32", (1, 1, 2, 6))}, [1, 1, 2, 2])  # fmt: skip
    assert result.tolist() == [[[[1, 2, 3, 1, 2, 3], [1, 2, 3, 1, 2, 3]]]]


PADDINGS = [
    ("CONSTANT", [9, 9, 1, 2, 3, 4, 9, 9, 9, 9]),
    ("EDGE", [1, 1, 1, 2, 3, 4, 4, 4, 4, 4]),
    ("REFLECTION", [3, 2, 1, 2, 3, 4, 3, 2, 1, 2]),
    ("SYMMETRIC", [2, 1, 1, 2, 3, 4, 4, 3, 2, 1]),
    ("WRAP", [3, 4, 1, 2, 3, 4, 1, 2, 3, 4]),  # by its name; no page defines it
]


@pytest.mark.parametrize(("mode", "expected"), PADDINGS)
def test_padding(mode, expected):
    inputs, outputs = {"input_tensor": f4([1, 2, 3, 4])}, {"output_tensor": ("float32", (10,))}
    assert run(dml.PaddingOperatorDesc, inputs, outputs, mode, 9, [2], [4]).tolist() == expected
    assert run(dml.Padding1OperatorDesc, inputs, outputs, mode, "FLOAT32", 9, [2], [4]).tolist() == expected


def test_padding_cuts_its_value_toward_zero_for_integers():
    for value, expected in ((10.6, 10), (-10.6, -10)):
        result = run(dml.PaddingOperatorDesc, {"input_tensor": np.int32([5])}, {"output_tensor": ("int32", (2,))},
                     "CONSTANT", value, [1], [0])  # fmt: skip
        assert result.tolist() == [expected, 5]


def test_padding_ignores_its_value_in_the_other_modes():
    result = run(dml.PaddingOperatorDesc, {"input_tensor": np.uint8([5])}, {"output_tensor": ("uint8", (2,))},
                 "EDGE", float("nan"), [1], [0])  # fmt: skip
    assert result.tolist() == [5, 5]


def test_padding_reflects_a_single_element_onto_itself():
    """Undocumented: the period is 0."""
    result = run(dml.PaddingOperatorDesc, {"input_tensor": f4([7])}, {"output_tensor": ("float32", (6,))},
                 "REFLECTION", 0, [2], [3])  # fmt: skip
    assert result.tolist() == [7] * 6


def test_padding1_holds_what_no_float_could():
    result = run(dml.Padding1OperatorDesc, {"input_tensor": np.int64([5])}, {"output_tensor": ("int64", (2,))},
                 "CONSTANT", "INT64", -9007199254740993, [1], [0])  # fmt: skip
    assert result.tolist() == [-9007199254740993, 5]


DEEP = (9 * np.arange(8)[:, None, None] + np.arange(6).reshape(2, 3)).astype("float32")[None]
ORDERS = [
    ("DEPTH_COLUMN_ROW", [[0, 18, 1, 19, 2, 20], [36, 54, 37, 55, 38, 56]]),
    ("COLUMN_ROW_DEPTH", [[0, 9, 1, 10, 2, 11], [18, 27, 19, 28, 20, 29]]),
]


@pytest.mark.parametrize(("order", "rows"), ORDERS)
def test_depth_to_space_and_back(order, rows):
    outputs = {"output_tensor": ("float32", (1, 2, 4, 6))}
    result = run(dml.DepthToSpace1OperatorDesc, {"input_tensor": DEEP}, outputs, 2, order)
    assert result[0, 0, :2].tolist() == rows
    back = run(dml.SpaceToDepth1OperatorDesc, {"input_tensor": result}, {"output_tensor": ("float32", DEEP.shape)},
               2, order)  # fmt: skip
    assert np.array_equal(back, DEEP)
    if order == "DEPTH_COLUMN_ROW":
        plain = run(dml.DepthToSpaceOperatorDesc, {"input_tensor": DEEP}, outputs, 2)
        assert np.array_equal(plain, result)


def test_space_to_depth():
    result = run(dml.SpaceToDepthOperatorDesc, {"input_tensor": f4([[[[1, 2, 3, 4], [5, 6, 7, 8]]]])},
                 {"output_tensor": ("float32", (1, 4, 1, 2))}, 2)  # fmt: skip
    assert result.tolist() == [[[[1, 3]], [[2, 4]], [[5, 7]], [[6, 8]]]]


ROWS = f4([[[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]]])


def test_reverse_subsequences_along_rows_and_columns():
    def reverse(axis, lengths):
        return run(dml.ReverseSubsequencesOperatorDesc, {"input_tensor": ROWS, "sequence_lengths_tensor": u4(lengths)},
                   {"output_tensor": ("float32", ROWS.shape)}, axis).tolist()  # fmt: skip

    assert reverse(3, [[[[2], [4], [3]]]]) == [[[[2, 1, 3, 4], [8, 7, 6, 5], [11, 10, 9, 12]]]]
    assert reverse(2, [[[[2, 3, 1, 0]]]]) == [[[[5, 10, 3, 4], [1, 6, 7, 8], [9, 2, 11, 12]]]]
    assert reverse(2, [[[[9, 2**32 - 1, 3, 1]]]]) == [[[[9, 10, 11, 4], [5, 6, 7, 8], [1, 2, 3, 12]]]]


def test_fill_value_constant():
    result = run(dml.FillValueConstantOperatorDesc, {}, {"output_tensor": ("int16", (2, 2))}, "INT16", -7)
    assert result.tolist() == [[-7, -7], [-7, -7]]


def test_fill_value_sequence():
    result = run(dml.FillValueSequenceOperatorDesc, {}, {"output_tensor": ("float32", (1, 1, 1, 3))}, "FLOAT32", 3, 2)
    assert result.tolist() == [[[[3, 5, 7]]]]
    delta = dml.ScalarUnion.of(-2, "INT8")
    result = run(dml.FillValueSequenceOperatorDesc, {}, {"output_tensor": ("uint8", (1, 1, 2, 2))}, "UINT8", 10, delta)
    assert result.tolist() == [[[[10, 8], [6, 4]]]]


def test_fill_value_sequence_adds_step_by_step():
    """The page's pseudocode: from 2048 on, a half no longer grows by 1; start + n * delta would."""
    result = run(dml.FillValueSequenceOperatorDesc, {}, {"output_tensor": ("float16", (4,))}, "FLOAT16", 2046, 1)
    assert result.tolist() == [2046, 2047, 2048, 2048]


def test_diagonal_matrix():
    result = run(dml.DiagonalMatrixOperatorDesc, {}, {"output_tensor": ("float32", (3, 2))}, -1, 1)
    assert result.tolist() == [[0, 0], [1, 0], [0, 1]]
    result = run(dml.DiagonalMatrixOperatorDesc, {}, {"output_tensor": ("int8", (2, 2))}, 0, -3.9)
    assert result.tolist() == [[-3, 0], [0, -3]]


def test_diagonal_matrix1_fills_a_band():
    """The page's first example gives Value 7 and prints ones; these are the sevens."""
    result = run(dml.DiagonalMatrix1OperatorDesc, {"input_tensor": None}, {"output_tensor": ("float32", (4, 5))},
                 "FLOAT32", 7, 0, 3)  # fmt: skip
    assert result.tolist() == [[7, 7, 7, 0, 0], [0, 7, 7, 7, 0], [0, 0, 7, 7, 7], [0, 0, 0, 7, 7]]


@pytest.mark.parametrize(
    ("begin", "end", "kept"),
    [
        (-(2**31), 1, "y < x"),
        (1, 0, "y == x"),
        (2, 2, "y == y"),
        (0, 2**31 - 1, "x < y"),
        (2**31 - 1, -(2**31), "y == y"),
    ],
)
def test_diagonal_matrix1_over_an_input(begin, end, kept):
    data = np.arange(1, 13, dtype="float32").reshape(3, 4)
    result = run(dml.DiagonalMatrix1OperatorDesc, {"input_tensor": data}, {"output_tensor": ("float32", (3, 4))},
                 "FLOAT32", 0, begin, end)  # fmt: skip
    rule = {"y < x": np.less, "y == x": np.equal, "x < y": np.greater, "y == y": lambda y, x: np.equal(y, y)}[kept]
    assert np.array_equal(result, np.where(rule(*np.indices((3, 4))), data, 0))


ONE_HOTS = [
    ([[[[0], [3], [2]]]], [[[[0, 1]]]], 3, [[1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]),
    ([[[[0, 2, 1, 0]]]], [[[[0, 1]]]], 2, [[1, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0]]),
    ([[[[0], [3], [2]]]], [[[[4], [2], [9]]]], 3, [[2, 4, 4, 4], [4, 4, 4, 2], [4, 4, 2, 4]]),
    ([[[[-3], [100], [3]]]], [[[[0, 1]]]], 3, [[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]]),
    ([[[[-5], [-4], [4]]]], [[[[0, 1]]]], 3, [[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]),
]


@pytest.mark.parametrize(("indices", "values", "axis", "expected"), ONE_HOTS)
def test_one_hot(indices, values, axis, expected):
    inputs = {"indices_tensor": np.int32(indices), "values_tensor": f4(values)}
    result = run(dml.OneHotOperatorDesc, inputs, {"output_tensor": ("float32", (1, 1, 3, 4))}, axis)
    assert result.tolist() == [[expected]]


def test_nonzero_coordinates():
    inputs = {"input_tensor": f4([[[[1, 0, 0, 2], [-0.0, 3.5, 0, -5.2]]]])}
    outputs = {"output_count_tensor": ("uint32", (1, 1, 1, 1)), "output_coordinates_tensor": ("uint32", (1, 1, 8, 3))}
    count, coordinates = run(dml.NonzeroCoordinatesOperatorDesc, inputs, outputs)
    assert count.tolist() == [[[[4]]]]
    assert coordinates[0, 0, :4].tolist() == [[0, 0, 0], [0, 0, 3], [0, 1, 1], [0, 1, 3]]


def test_cast():
    result = run(dml.CastOperatorDesc, {"input_tensor": f4([1, 2])}, {"output_tensor": ("int32", (2,))})
    assert result.tolist() == [1, 2]


@pytest.mark.parametrize("index_type", ["int32", "int64", "uint32", "uint64"])
def test_bad_indices_of_gathers_read_the_nearest_end(index_type):
    limits = np.iinfo(index_type)
    indices = np.array([4, limits.max, limits.min, 2], index_type)
    data = f4([11, 12, 13, 14])
    elements = run(dml.GatherElementsOperatorDesc, {"input_tensor": data, "indices_tensor": indices},
                   {"output_tensor": ("float32", (4,))}, 0)  # fmt: skip
    assert elements.tolist() == [14, 14, 11, 13]
    slices = run(dml.GatherNdOperatorDesc, {"input_tensor": data[None], "indices_tensor": indices[:, None]},
                 {"output_tensor": ("float32", (1, 4))}, 1, 2)  # fmt: skip
    assert slices.tolist() == [[14, 14, 11, 13]]


def test_bad_indices_of_scatters_are_left_out_with_a_warning():
    inputs = {"input_tensor": f4([1, 2, 3]), "indices_tensor": np.int32([-1, 3, -4]), "updates_tensor": f4([7, 8, 9])}
    with pytest.warns(wh.errors.IndexOutOfRangeWarning, match=r"DirectML SCATTER .*indices\[1\] is 3"):
        result = run(dml.ScatterOperatorDesc, inputs, {"output_tensor": ("float32", (3,))}, 0)
    assert result.tolist() == [1, 2, 7]
    inputs = {"input_tensor": f4([[1, 2, 3]]), "indices_tensor": np.int32([[-1], [3], [-4]]),
              "updates_tensor": f4([[7, 8, 9]])}  # fmt: skip
    with pytest.warns(wh.errors.IndexOutOfRangeWarning, match=r"DirectML SCATTER_ND .*it was left out"):
        result = run(dml.ScatterNdOperatorDesc, inputs, {"output_tensor": ("float32", (1, 3))}, 1, 2)
    assert result.tolist() == [[1, 2, 7]]


def test_the_last_of_two_updates_stays():
    inputs = {"input_tensor": f4([1, 2]), "indices_tensor": np.int32([0, 0]), "updates_tensor": f4([7, 8])}
    assert run(dml.ScatterOperatorDesc, inputs, {"output_tensor": ("float32", (2,))}, 0).tolist() == [8, 2]


def test_scatter_takes_smaller_indices():
    """Against its page, and as DirectML does (webnn-baseline#105)."""
    inputs = {"input_tensor": f4([[1, 2], [3, 4]]), "indices_tensor": np.int32([[1]]), "updates_tensor": f4([[9]])}
    assert run(dml.ScatterOperatorDesc, inputs, {"output_tensor": ("float32", (2, 2))}, 0).tolist() == [[1, 2], [9, 4]]
    with pytest.raises(InvalidValueError, match=r"IndicesTensor\.Sizes\[1\] is 1, allowed 2"):
        run(dml.GatherElementsOperatorDesc, {"input_tensor": f4([[1, 2]]), "indices_tensor": np.int32([[0]])},
            {"output_tensor": ("float32", (1, 1))}, 0)  # fmt: skip


CASTS = [
    ("float32", "int32", [1.9, -1.9, 3e9, -3e9, np.nan, np.inf], [1, -1, 2**31 - 1, -(2**31), 0, 2**31 - 1]),
    ("float32", "uint8", [1.9, -1.9, 300, np.nan], [1, 0, 255, 0]),
    ("int32", "uint8", [-1, 256, 257, 5], [255, 0, 1, 5]),
    ("int64", "int32", [2**32 + 7, -1], [7, -1]),
    ("float64", "float16", [1e6, -1e6, 1 + 2**-11, 1 + 3 * 2**-11], [np.inf, -np.inf, 1, 1 + 2**-9]),
]


@pytest.mark.parametrize(("source", "target", "values", "expected"), CASTS)
def test_cast_of_values_that_do_not_fit(source, target, values, expected):
    """Undocumented: floats are cut toward zero and kept in range, NaN is 0, integers lose their higher bits."""
    result = run(dml.CastOperatorDesc, {"input_tensor": np.array(values, source)},
                 {"output_tensor": (target, (len(values),))})  # fmt: skip
    assert result.tolist() == expected
