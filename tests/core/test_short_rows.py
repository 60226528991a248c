"""Rows of few elements, of which several are one piece: the same bits as NumPy's, over any strides and in any part."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from tests.support.compare import assert_same_bits
from wherry.graph import GraphBuilder
from wherry.models.model import GraphModel
from wherry.ops import Binary, Cast, Divide, Operator, Reduce, Where
from wherry.tensors import TensorType

SHAPES = [(700, 3), (3, 700), (40, 7, 5), (9, 63, 2), (130, 1, 4), (1, 1500, 1), (2, 3, 4, 50)]


@st.composite
def strided(draw: st.DrawFn, shape: tuple[int, ...], dtype: str, repeats: bool = True) -> np.ndarray:
    """Return an array of this shape in some order of memory, some of it left out; an axis may repeat one element."""
    order = draw(st.permutations(range(len(shape))))
    steps = [draw(st.sampled_from([1, 1, 2, -1])) for _ in shape]
    fixed = [repeats and draw(st.integers(0, 4)) == 0 for _ in shape]
    held = [1 if is_fixed else size * abs(step) for size, step, is_fixed in zip(shape, steps, fixed, strict=True)]
    values = np.random.default_rng(draw(st.integers(0, 99))).integers(-9, 9, [held[axis] for axis in order])
    array = values.astype(dtype).transpose(np.argsort(order))
    return np.broadcast_to(array[tuple(slice(None, None, step) for step in steps)], shape)


def run(operator: Operator, *arrays: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """Return what a model of one operator makes of arrays; it must run in the core."""
    builder = GraphBuilder()
    names = [f"x{number}" for number in range(len(arrays))]
    for name, array in zip(names, arrays, strict=True):
        builder.add_input(name, TensorType(array.dtype, array.shape))
    builder.add(operator, names, ["y"], "one")
    model = GraphModel(builder.build(["y"]), "test")
    given = dict(zip(names, arrays, strict=True))
    found = model.run(given) if out is None else model.run(given, out={"y": out})
    assert model.plan.program is not None
    return found["y"]


@given(st.data(), st.sampled_from(SHAPES), st.integers(1, 3))
def test_each_element(data: st.DataObject, shape: tuple[int, ...], threads: int) -> None:
    dtype = data.draw(st.sampled_from(["float32", "int64", "int8", "float64"]))
    a, b = (data.draw(strided(shape, dtype)) for _ in range(2))
    choice, target = data.draw(strided(shape, "bool")), data.draw(strided(shape, dtype, repeats=False)).copy("K")
    before = wh.get_num_threads()
    wh.set_num_threads(threads)
    try:
        assert_same_bits(run(Binary("add"), a, b), a + b)
        assert_same_bits(run(Binary("multiply"), a, b, out=target), a * b)
        assert_same_bits(run(Where(), choice, a, b), np.where(choice, a, b))
        assert_same_bits(run(Cast("float16"), a), a.astype("float16"))
        if "int" in dtype:
            divisor = np.where(b == 0, 5, b).astype(dtype)
            assert_same_bits(run(Divide(rounding="floor"), a, divisor), a // divisor)
    finally:
        wh.set_num_threads(before)


@given(st.data(), st.sampled_from([*SHAPES, (70, 90), (5, 600, 2), (1200,)]), st.integers(1, 3))
def test_reductions(data: st.DataObject, shape: tuple[int, ...], threads: int) -> None:
    dtype, function = data.draw(st.sampled_from([("int32", "sum"), ("uint8", "product"), ("float32", "maximum")]))
    array = data.draw(strided(shape, dtype))
    axes = tuple(data.draw(st.sets(st.integers(0, len(shape) - 1), min_size=1)))
    keeps = data.draw(st.booleans())
    if dtype == "float32" and data.draw(st.booleans()):
        array = array.copy("K")
        array.reshape(-1)[data.draw(st.integers(0, array.size - 1))] = np.nan
    numpy = {"sum": np.sum, "product": np.prod, "maximum": np.max}[function]
    more = {} if function == "maximum" else {"dtype": dtype}
    before = wh.get_num_threads()
    wh.set_num_threads(threads)
    try:
        found = run(Reduce(function, axes, keeps), array)
    finally:
        wh.set_num_threads(before)
    np.testing.assert_array_equal(found, numpy(array, axis=axes, keepdims=keeps, **more))


@pytest.mark.parametrize("width", ["S3", "S40", "complex128"])
def test_elements_of_any_width_are_chosen(width: str) -> None:
    a = np.arange(2100).reshape(3, 700).T.astype(width)
    b = np.flip(a, 0)
    choice = np.arange(700).reshape(700, 1) % 3 == 0
    assert (run(Where(), choice, a, b) == np.where(choice, a, b)).all()
