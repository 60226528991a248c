"""AsStrided: against its formula and NumPy; a view where data is packed; every refusal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from wherry import reference
from wherry.engine.call import apply
from wherry.errors import InvalidValueError
from wherry.layout import Layout
from wherry.ops import AsStrided, Transpose
from wherry.tensors import TensorType


def infer(operator, *sizes):
    return operator.infer([TensorType("float32", sizes)])[0].sizes


@given(draw=st.data())
def test_any_strides_read_what_the_formula_reads(draw):
    sizes = tuple(draw.draw(st.lists(st.integers(0, 3), max_size=4)))
    strides = tuple(draw.draw(st.integers(0, 4)) for _ in sizes)
    offset = draw.draw(st.integers(0, 3))
    extent = Layout(sizes, strides, offset).extent
    data = np.arange(max(extent, 1) * 2, dtype=np.int32).reshape(2, -1)
    shape = draw.draw(st.sampled_from([None, (int(np.prod(sizes)),), (1, *sizes)]))
    operator = AsStrided(sizes, strides, offset, shape)
    (expected,) = reference.run(operator, [data])
    for given_data in (data, np.asfortranarray(data), np.repeat(data, 2, 1)[:, ::2]):
        (actual,) = apply(operator, [given_data], "test")
        assert_same_bits(actual, expected)


def test_a_transpose_is_strides_of_packed_data():
    operator = AsStrided((3, 2), (1, 3))
    assert operator.view([Layout((2, 3))]) == Transpose().view([Layout((2, 3))])
    assert operator.view([Layout((2, 3), (1, 2))]) is None
    assert AsStrided((3, 2), (1, 3), shape=(6,)).view([Layout((2, 3))]) is None


def test_sizes_of_the_result():
    assert infer(AsStrided((2, 2), (1, 1)), 3) == (2, 2)
    assert infer(AsStrided((2, 2), (1, 1), shape=(4,)), "N") == (4,)
    assert infer(AsStrided((0,), (1,), 9), 3) == (0,)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (((2, 2), (1,)), "strides has 1 entries, allowed 2 as sizes"),
        (((2, 2), (1, 1), 0, (3,)), r"shape is \[3\], allowed 4 elements, as sizes has"),
        (((2, 2), (2, 1), 1), "sizes, strides, offset reach element 4, data has 4"),
    ],
)
def test_refusals(fields, message):
    with pytest.raises(InvalidValueError, match=message):
        infer(AsStrided(*fields), 4)
