"""Reshape, Squeeze, Unsqueeze, Flatten: against formula and NumPy; copies where no view is; every refusal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from tests.support.operators import assert_agrees, infer, mostly_full, planned
from tests.support.strategies import ELEMENT_DTYPES, distinct, sizes, strided
from wherry.engine.call import apply
from wherry.engine.planner import make_plan
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.graph import Deferred, GraphBuilder
from wherry.layout import Layout
from wherry.models.model import GraphModel
from wherry.moves import ComputeMove, CopyMove
from wherry.ops import Flatten, Reshape, Squeeze, Transpose, Unsqueeze
from wherry.tensors import TensorType


@st.composite
def shapes_of(draw: st.DrawFn, count: int) -> list[int]:
    """Return sizes with `count` elements."""
    if count == 0:
        shape = [*draw(sizes(3, 3)), 0]
        return draw(st.permutations(shape))
    shape = []
    while count > 1 or draw(st.booleans()):
        part = draw(st.sampled_from([n for n in range(1, count + 1) if count % n == 0]))
        shape.append(part)
        count //= part
        if len(shape) == 5:
            break
    return [*shape, count] if count > 1 else shape


@given(st.data())
def test_reshape_agrees(draw: st.DataObject) -> None:
    values = distinct(draw.draw(mostly_full(5, 4)), draw.draw(st.sampled_from(ELEMENT_DTYPES)))
    data = draw.draw(strided(values, overlapping=True))
    shape = draw.draw(shapes_of(data.size))
    expected = assert_agrees(Reshape(shape, zero="literal"), [data], draw)
    assert_same_bits(expected, data.reshape(shape))
    if data.size and shape:
        number = draw.draw(st.integers(0, len(shape) - 1))
        assert infer(Reshape([*shape[:number], -1, *shape[number + 1 :]]), data.shape) == tuple(shape)


@pytest.mark.parametrize(
    ("sizes", "shape", "expected"),
    [
        ((2, 3, 4), [0, -1], (2, 12)),  # ONNX Reshape
        ((2, 3, 4), [4, 2, 3], (4, 2, 3)),
        ((2, 3, 4), [2, 0, 4, 1], (2, 3, 4, 1)),
        ((2, 3, 4), [2, 0, 1, -1], (2, 3, 1, 4)),
        ((0, 3, 4), [3, 4, 0], None),
        ((0, 3), [3, -1], (3, 0)),
        ((1,), [], ()),
        ((), [-1], (1,)),
        (("N", 3, 4), [0, -1], ("N", 12)),
        (("N", 3, 4), [-1, 12], (None, 12)),
        (("N", "M"), [0, 0, 1], ("N", "M", 1)),
        (None, [0, 2, -1], (None, 2, None)),
        ((2, 0), [0, -1], (2, 0)),
        ((0, 3), [0, -1], None),
    ],
)
def test_reshape_sizes(sizes: tuple | None, shape: list[int], expected: tuple | None) -> None:
    if expected is None:
        with pytest.raises(InvalidValueError):
            infer(Reshape(shape), sizes)
    else:
        assert infer(Reshape(shape), sizes) == expected


def test_a_literal_zero_and_what_remains_of_nothing() -> None:
    assert infer(Reshape([3, 4, 0], "literal"), (0, 3, 4)) == (3, 4, 0)
    assert infer(Reshape([0, -1], "literal", "one"), (2, 0)) == (0, 1)  # OpenVINO Reshape-1
    with pytest.raises(InvalidValueError, match="any number would do"):
        infer(Reshape([0, -1], "literal"), (2, 0))
    with pytest.raises(InvalidValueError, match="data has sizes"):
        infer(Reshape([0, -1], "literal", "one"), (2, 1))
    assert infer(Reshape([0, 5], "literal"), None) == (0, 5)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Reshape([-1, -1]), "at most one -1"),
        (lambda: Reshape([2, -2]), r"shape\[1\] is -2, allowed -1 \(what remains\), 0 and more"),
        (lambda: Reshape(np.array(3)), "shape has 0 axes, allowed 1; pass a vector"),
        (lambda: Reshape([1], "keep"), "zero is 'keep', allowed 'copy', 'literal'"),
        (lambda: infer(Reshape([5]), (2, 3)), r"shape is \[5\], allowed sizes of 6 elements"),
        (lambda: infer(Reshape([4, -1]), (2, 3)), "whose product, now 4, divides 6"),
        (lambda: infer(Reshape([2, 3, 0]), (2, 3)), r"shape\[2\] is 0, allowed 0 at positions below 2"),
        (lambda: infer(Squeeze([0]), (2, 1)), r"size of axis 0 of data is 2, allowed 1; axes is \[0\]"),
        (lambda: infer(Squeeze([1, -1]), (2, 1)), r"axes is \[1, -1\], allowed each axis once"),
        (lambda: infer(Squeeze([2]), (2, 1)), r"axes\[0\] is 2, allowed -2..1"),
        (lambda: infer(Unsqueeze([0, 0]), (2,)), r"axes is \[0, 0\], allowed each axis once"),
        (lambda: infer(Unsqueeze([1, -2]), (2,)), r"axes is \[1, -2\], allowed each axis once"),
        (lambda: infer(Unsqueeze([2]), (2,)), r"axes\[0\] is 2, allowed -2..1; the output has 2 axes"),
        (lambda: infer(Unsqueeze([3, -1], "collapse"), (2, 2)), "entries that name one axis twice"),
        (lambda: infer(Flatten(3), (2, 2)), "axis is 3, allowed -2..2"),
        (lambda: infer(Flatten(-3), (2, 2)), "axis is -3, allowed -2..2"),
        (lambda: infer(Flatten(), ()), "axis is 1, allowed 0..0"),
    ],
)
def test_refusals(make: object, text: str) -> None:
    with pytest.raises(InvalidValueError, match=text):
        make()  # type: ignore[operator]


def test_fields_of_other_types() -> None:
    with pytest.raises(InvalidTypeError, match="axes is 'a'"):
        Squeeze("a")  # type: ignore[arg-type]
    with pytest.raises(InvalidTypeError, match=r"axis is 1\.5"):
        Flatten(1.5)  # type: ignore[arg-type]


@given(st.data())
def test_squeeze_and_unsqueeze_agree(draw: st.DataObject) -> None:
    shape = draw.draw(st.lists(st.sampled_from([1, 1, 2, 3, 0]), max_size=5))
    data = draw.draw(strided(distinct(tuple(shape), draw.draw(st.sampled_from(ELEMENT_DTYPES))), overlapping=True))
    ones = [axis for axis, size in enumerate(shape) if size == 1]
    picked = draw.draw(st.lists(st.sampled_from(ones), unique=True)) if ones else []
    signed = [axis - draw.draw(st.sampled_from([0, len(shape)])) for axis in picked]
    squeezed = assert_agrees(Squeeze(signed, "none"), [data], draw)
    assert_same_bits(squeezed, np.squeeze(data, tuple(picked)))
    assert assert_agrees(Squeeze(), [data], draw).shape == np.squeeze(data).shape
    back = Unsqueeze(picked)
    assert assert_agrees(back, [squeezed], draw).shape == data.shape


def test_squeeze_rules() -> None:
    assert infer(Squeeze([0, -2]), (1, 3, 1, 2)) == (3, 2)  # ONNX Squeeze
    assert infer(Squeeze([]), (1, 3)) == (3,)
    assert infer(Squeeze([], "none"), (1, 3)) == (1, 3)
    assert infer(Squeeze([0, 1], other_sizes="keep"), (1, 3)) == (3,)
    assert infer(Squeeze([0, -2], repeated="collapse"), (1, 3)) == (3,)
    assert infer(Squeeze(np.array(0)), (1, 3)) == (3,)
    assert infer(Squeeze([0]), ("N", 3)) == (3,)
    assert infer(Squeeze([0], other_sizes="keep"), ("N", 3)) is None
    assert infer(Squeeze(), ("N", 1)) is None
    assert infer(Squeeze([0]), None) is None


def test_unsqueeze_rules() -> None:
    assert infer(Unsqueeze([0, 4]), (3, 4, 5)) == (1, 3, 4, 5, 1)  # ONNX Unsqueeze
    assert infer(Unsqueeze([2, 0, -1]), (3, 4)) == (1, 3, 1, 4, 1)
    assert infer(Unsqueeze([0, 0], "collapse"), (1, 2)) == (1, 1, 2)  # OpenVINO Unsqueeze-1
    assert infer(Unsqueeze([0, -4], "collapse"), (4, 5)) == (1, 4, 5)
    assert infer(Unsqueeze([0, 0, 1], "collapse"), (4, 5)) == (1, 1, 4, 5)
    assert infer(Unsqueeze(1), ("N", "M")) == ("N", 1, "M")
    assert infer(Unsqueeze([0]), None) is None


@pytest.mark.parametrize(
    ("axis", "sizes", "expected"),
    [
        (2, (2, 3, 4), (6, 4)),  # ONNX Flatten
        (0, (2, 3, 4), (1, 24)),
        (-1, (2, 3, 4), (6, 4)),
        (3, (2, 3, 4), (24, 1)),
        (0, (), (1, 1)),
        (1, (0, 3), (0, 3)),
        (1, ("N", 3, 4), ("N", 12)),
        (2, ("N", 3, 1), (None, 1)),
        (2, ("N", 1, 4), ("N", 4)),
        (2, ("N", 0, 4), (0, 4)),
        (1, None, (None, None)),
    ],
)
def test_flatten_sizes(axis: int, sizes: tuple | None, expected: tuple) -> None:
    assert infer(Flatten(axis), sizes) == expected


@given(st.data())
def test_flatten_agrees(draw: st.DataObject) -> None:
    data = draw.draw(strided(distinct(draw.draw(mostly_full(4, 3)), np.dtype("uint8"))))
    axis = draw.draw(st.integers(-data.ndim, data.ndim))
    assert_agrees(Flatten(axis), [data], draw)


def test_views_in_a_chain_move_nothing() -> None:
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    plan = planned([Reshape([6, 4]), Unsqueeze([0]), Squeeze(), Flatten(0), Reshape([2, -1])], [x])
    assert [type(move) for move in plan.moves] == [CopyMove]
    assert plan.bytes_moved == x.nbytes


def test_a_reshape_that_is_no_view_copies_once() -> None:
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    plan = planned([Transpose(), Reshape([24])], [x])
    assert sum(isinstance(move, CopyMove) for move in plan.moves) == 1  # into the result: Identity copies nothing
    assert_same_bits(plan.run({"x0": x})["y"], x.T.reshape(24).copy())


def test_boundaries_that_do_not_divide_each_other() -> None:
    x = np.arange(48).reshape(6, 8)[:, :4]
    builder = GraphBuilder()
    builder.add_input("x", TensorType.of(x))
    builder.add(Reshape([4, 6]), ["x"], ["y"], "Reshape")
    out = np.zeros((4, 9), int)[:, :6]
    plan = make_plan(builder.build(["y"]), {"x": x}, outputs={"y": Layout.of(out)})
    assert [type(move) for move in plan.moves] == [ComputeMove]
    plan.run({"x": x}, {"y": out})
    assert np.array_equal(out, x.reshape(4, 6))


def test_shapes_and_axes_from_inputs() -> None:
    builder = GraphBuilder("deferred")
    builder.add_input("x", TensorType("int32", ("N", 4)))
    builder.add_input("shape", TensorType("int64", ("K",)))
    builder.add_input("axis", TensorType("int64", ()))
    builder.add(Deferred(Reshape, (), (("shape", 1),)), ["x", "shape"], ["t"], "ONNX Reshape-13")
    builder.add(Deferred(Unsqueeze, (), (("axes", 1),)), ["t", "axis"], ["y"], "ONNX Unsqueeze-13")
    model = GraphModel(builder.build(["y"]), "test")
    x = np.arange(12, dtype=np.int32).reshape(3, 4)
    assert model.run([x, np.array([2, -1]), np.array(-1)])["y"].shape == (2, 6, 1)
    with pytest.raises(InvalidValueError, match=r"ONNX Reshape-13: shape is \[5, -1\]"):
        model.run([x, np.array([5, -1]), np.array(0)])


def test_objects() -> None:
    words = np.array([["a", "b"], ["c", "d"]], object)
    (out,) = apply(Reshape([4]), [words.T], "test")
    assert out.tolist() == ["a", "c", "b", "d"]
