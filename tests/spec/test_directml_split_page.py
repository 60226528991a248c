"""DML_SPLIT_OPERATOR_DESC (the German page; the English one says the same): examples, divisions, tables."""

import numpy as np
import pytest

from wherry.dialects.directml import BufferTensorDesc, JoinOperatorDesc, SplitOperatorDesc, execute, validate
from wherry.errors import InvalidTypeError, InvalidValueError

DATA = np.arange(1, 13, dtype="float32").reshape(1, 1, 6, 2)


def split(data, parts, axis, **members):
    outputs = [np.zeros(part, "float32") for part in parts]
    desc = SplitOperatorDesc(
        BufferTensorDesc("FLOAT32", data.shape), [BufferTensorDesc("FLOAT32", part) for part in parts], axis, **members
    )
    execute(desc, {"InputTensor": data, "OutputTensors": outputs})
    return [output.tolist() for output in outputs]


def test_example_1_split_on_axis_2():
    first, second, third = split(DATA, [(1, 1, 2, 2), (1, 1, 1, 2), (1, 1, 3, 2)], 2, output_count=3)
    assert first == [[[[1, 2], [3, 4]]]]
    assert second == [[[[5, 6]]]]
    assert third == [[[[7, 8], [9, 10], [11, 12]]]]


def test_example_2_split_on_axis_3():
    first, second = split(DATA, [(1, 1, 6, 1)] * 2, 3, output_count=2)
    assert first == [[[[1], [3], [5], [7], [9], [11]]]]
    assert second == [[[[2], [4], [6], [8], [10], [12]]]]


@pytest.mark.parametrize("parts", [(1, 1, 1), (1, 2), (2, 1), (3,)])
def test_the_divisions_of_an_axis_of_3(parts):
    results = split(np.float32([7, 8, 9]), [(part,) for part in parts], 0)
    assert [value for part in results for value in part] == [7, 8, 9]
    assert tuple(map(len, results)) == parts


@pytest.mark.parametrize("parts", [(1, 1), (2, 2), (1, 1, 1, 1), (4,)])
def test_parts_that_do_not_sum_to_the_axis(parts):
    with pytest.raises(InvalidValueError, match=rf"allowed a sum of 3, .* the sum is {sum(parts)}"):
        split(np.float32([7, 8, 9]), [(part,) for part in parts], 0)


def test_sizes_differ_off_the_axis():
    with pytest.raises(
        InvalidValueError, match=r"OutputTensors\[1\]\.Sizes\[3\] is 3, allowed 2, InputTensor\.Sizes\[3\]"
    ):
        split(DATA, [(1, 1, 3, 2), (1, 1, 3, 3)], 2)


def test_output_count_is_above_0_and_the_length():
    with pytest.raises(InvalidValueError, match="OutputCount is 0, allowed 1 and more"):
        split(DATA, [], 2)
    with pytest.raises(InvalidValueError, match="OutputCount is 3, allowed 1"):
        split(DATA, [DATA.shape], 2, output_count=3)


def test_axis_is_below_the_dimension_count():
    with pytest.raises(InvalidValueError, match=r"Axis is 4, allowed 0\.\.3"):
        split(DATA, [DATA.shape], 4)


def test_join_is_the_inverse():
    outputs = [np.float32(part) for part in split(DATA, [(1, 1, 2, 2), (1, 1, 1, 2), (1, 1, 3, 2)], 2)]
    joined = np.zeros_like(DATA)
    tensors = [BufferTensorDesc("FLOAT32", part.shape) for part in outputs]
    execute(JoinOperatorDesc(tensors, BufferTensorDesc("FLOAT32", DATA.shape), 2),
            {"input_tensors": outputs, "output_tensor": joined})  # fmt: skip
    assert (joined == DATA).all()


SIX = {"FLOAT32", "FLOAT16", "INT32", "INT16", "UINT32", "UINT16"}
EIGHT = SIX | {"INT8", "UINT8"}
WIDE = EIGHT | {"FLOAT64", "INT64", "UINT64"}
# Tensor support, as the page prints it
SUPPORT = [
    (["1.0", "2.0"], {4}, SIX),
    (["2.1"], {4}, EIGHT),
    (["3.0", "3.1", "4.0"], set(range(1, 9)), EIGHT),
    (["4.1", "5.0", "5.1", "5.2", "6.0", "6.1", "6.2", "6.3", "6.4"], set(range(1, 9)), WIDE),
]


@pytest.mark.parametrize(("levels", "counts", "types"), SUPPORT)
def test_tensor_support_tables(levels, counts, types):
    for level in levels:
        for count in range(1, 9):
            for data_type in WIDE:
                sizes = [1] * (count - 1) + [2]
                tensor = BufferTensorDesc(data_type, sizes)
                desc = SplitOperatorDesc(tensor, [tensor], 0)
                if count in counts and data_type in types:
                    validate(desc, level)
                    continue
                kind = InvalidValueError if count not in counts else InvalidTypeError
                with pytest.raises(kind, match=f"at feature level {level}"):
                    validate(desc, level)
