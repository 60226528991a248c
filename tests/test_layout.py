"""Layout: facts, named orders, views and pictures; facts exhaustively against the set of places."""

import copy
import math
import pickle
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import wherry as wh
from tests.support.strategies import distinct, sizes, strided
from wherry.errors import InvalidTypeError, InvalidValueError, ResourceLimitError, SizeOverflowError
from wherry.layout import Layout, reaches_twice
from wherry.tensors import TensorType


def places(layout: Layout) -> list[int]:
    return [layout.offset_of(coords) for coords in np.ndindex(*layout.sizes)]


SMALL = [(), (0,), (1,), (3,), (2, 3), (3, 2), (1, 3), (2, 2, 2), (2, 1, 3)]


def layouts_of(shape: tuple[int, ...]) -> Iterator[Layout]:
    for strides in product(range(-2, 7), repeat=len(shape)):
        lowest = sum(min(0, (n - 1) * s) for n, s in zip(shape, strides, strict=True)) if 0 not in shape else 0
        yield Layout(shape, strides, offset=-lowest)


@pytest.mark.parametrize("shape", SMALL, ids=str)
def test_facts_agree_with_the_set_of_places(shape: tuple[int, ...]) -> None:
    for layout in layouts_of(shape):
        reached = places(layout)
        distinct_places = set(reached)
        gaps = len(distinct_places) < (max(reached) - min(reached) + 1 if reached else 0)
        assert layout.size == len(reached)
        assert layout.extent == (max(reached) + 1 if reached else 0)
        assert layout.is_overlapping == (len(distinct_places) < len(reached))
        assert layout.is_padded == gaps
        assert layout.is_packed == (not gaps and not layout.is_overlapping)
        assert Layout(layout.sizes, layout.strides, layout.offset) == layout


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(-40, 40)), max_size=5))
def test_reaches_twice_is_exact(axes: list[tuple[int, int]]) -> None:
    shape, strides = [n for n, _ in axes], [s for _, s in axes]
    reached = [sum(c * s for c, s in zip(coords, strides, strict=True)) for coords in np.ndindex(*shape)]
    assert reaches_twice(shape, strides) == (len(set(reached)) < len(reached))


def test_reaches_twice_of_large_tensors_is_quick() -> None:
    assert not reaches_twice((2**20, 2**20, 2**20), (2**40, 2**20, 1))
    assert reaches_twice((10**6, 10**6), (3, 2))
    assert not reaches_twice((8,) * 8, tuple(8**n for n in range(8)))


@pytest.mark.parametrize("kind", ["layout", "strides", "offset"])
def test_immutable(kind: str) -> None:
    with pytest.raises(AttributeError):
        setattr(Layout((2, 3)), kind, 0)


@pytest.mark.parametrize(
    ("order", "shape", "strides"),
    [
        ("NCHW", (2, 3, 4, 5), (60, 20, 5, 1)),
        ("NHWC", (2, 3, 4, 5), (60, 1, 15, 3)),
        ("NCDHW", (2, 3, 4, 5, 6), (360, 120, 30, 6, 1)),
        ("NDHWC", (2, 3, 4, 5, 6), (360, 1, 90, 18, 3)),
        ("HW", (2, 3), (3, 1)),
        ("WH", (2, 3), (1, 2)),
        ("DHW", (2, 2, 3), (6, 3, 1)),
        ("WHD", (2, 2, 3), (1, 2, 4)),
        ("CHWN", (2, 3, 4, 5), (1, 40, 10, 2)),
        ("C", (7,), (1,)),
    ],
)
def test_named_orders(order: str, shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
    layout = wh.Layout.ordered(shape, order)
    assert layout.strides == strides
    assert layout.is_packed


def test_order_of_other_letters_names_its_logical_order() -> None:
    assert Layout.ordered((2, 3, 4), "TBX", logical="BTX").strides == (4, 8, 1)
    with pytest.raises(InvalidValueError, match="logical="):
        Layout.ordered((2, 3), "BX")


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: Layout((2, -1)), InvalidValueError, r"sizes\[1\] is -1, allowed 0 and more"),
        (lambda: Layout((2, 3), (1,)), InvalidValueError, "strides has 1 entries, allowed 2"),
        (lambda: Layout((2.5,)), InvalidTypeError, "sizes is"),
        (lambda: Layout((3,), (-1,)), InvalidValueError, "offset is 0, allowed 2 and more"),
        (lambda: Layout((3,), (1,), -1), InvalidValueError, "offset is -1, allowed 0 and more"),
        (lambda: Layout((0,), (1,), -1), InvalidValueError, "offset is -1"),
        (lambda: Layout((2**40, 2**40)), SizeOverflowError, "split the tensor"),
        (lambda: Layout((2**40, 2**40, 0)), SizeOverflowError, "split the tensor"),
        (lambda: Layout((2, 2), (2**63 - 1, 1)), SizeOverflowError, "allowed up to"),
        (lambda: Layout((2,), (2**63,)), SizeOverflowError, "allowed up to"),
        (lambda: Layout((1,), (1,), 2**63), SizeOverflowError, "allowed up to"),
        (lambda: Layout((2**61,)).nbytes("float64"), SizeOverflowError, "bytes"),
        (lambda: Layout((3,)).nbytes("float99"), InvalidTypeError, "float99"),
        (lambda: Layout((3,)).nbytes("float32", align=0), InvalidValueError, "align is 0"),
        (lambda: Layout.ordered((1, 2, 3), "NHWC"), InvalidValueError, "sizes has 3 entries, allowed 4"),
        (lambda: Layout.ordered((1, 2), "HH"), InvalidValueError, "order"),
        (lambda: Layout((2, 3)).offset_of((2, 0)), InvalidValueError, r"coords\[0\] is 2, allowed 0..1"),
        (lambda: Layout((2, 3)).offset_of((-1, 0)), InvalidValueError, r"coords\[0\] is -1, allowed 0..1"),
        (lambda: Layout((2, 3)).offset_of((0,)), InvalidValueError, "coords has 1 entries, allowed 2"),
        (lambda: Layout((2, 3)).with_ndim(1), InvalidValueError, "ndim is 1, allowed 2 and more"),
        (lambda: Layout((2, 3)).permuted((0, 0)), InvalidValueError, "axes"),
        (lambda: Layout((2, 3)).sliced(1, 2, 2), InvalidValueError, "positions 2..3 of axis 1, allowed 0..2"),
        (lambda: Layout((2,)).broadcast_to((3,)), InvalidValueError, "do not broadcast"),
        (lambda: Layout((2, 2)).broadcast_to((2,)), InvalidValueError, "do not broadcast"),
        (lambda: Layout((10**5,)).diagram(), InvalidValueError, "draw a part"),
    ],
)
def test_refusals(call: object, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("layout", "dtype", "aligned", "plain"),
    [
        (Layout((2, 3)), "float32", 24, 24),
        (Layout((2, 3), (0, 1)), "float32", 12, 12),
        (Layout((2, 3), (5, 1)), "float32", 32, 32),
        (Layout((5,)), "float16", 12, 10),
        (Layout((1, 1, 1, 3)), "uint8", 4, 3),
        (Layout((5,)), "int4", 4, 3),
        (Layout((3,)), ml_dtypes.bfloat16, 8, 6),
        (Layout((3,)), np.dtype("S5"), 16, 15),
        (Layout(()), "float64", 8, 8),
        (Layout((0, 3)), "float64", 0, 0),
        (Layout((2,), (1,), 3), "uint16", 12, 10),
    ],
)
def test_nbytes_is_the_size_helper_of_directml(layout: Layout, dtype: object, aligned: int, plain: int) -> None:
    assert (layout.nbytes(dtype), layout.nbytes(dtype, align=1)) == (aligned, plain)


@given(st.data())
def test_of_and_view_return_the_same_array(data: st.DataObject) -> None:
    values = distinct(data.draw(sizes(4, 3)), np.dtype("int32"))
    array = data.draw(strided(values))
    layout = Layout.of(array)
    memory = np.full(layout.extent, 7, np.int32)
    view = layout.view(memory, "int32")
    view[...] = values
    assert np.array_equal(view, values)
    assert values.size == 0 or Layout.of(view) == layout
    assert layout.extent == layout.span


def test_view_refuses_to_leave_its_buffer() -> None:
    layout = Layout((2, 3), (5, 1))
    assert layout.view(bytearray(32), "float32").shape == (2, 3)
    with pytest.raises(InvalidValueError, match="the buffer has 31 bytes, needed 32"):
        layout.view(bytearray(31), "float32")
    with pytest.raises(InvalidValueError, match="needed 4"):
        Layout(()).view(b"", "float32")


def test_view_is_writable_only_where_that_is_safe() -> None:
    assert Layout((3,)).view(bytearray(3), "uint8").flags.writeable
    assert not Layout((3,)).view(bytes(3), "uint8").flags.writeable
    assert not Layout((3, 2), (0, 1)).view(bytearray(2), "uint8").flags.writeable


def test_view_of_other_memory() -> None:
    assert Layout((0, 3)).view(b"", "float32").shape == (0, 3)
    with pytest.raises(InvalidValueError, match="strided"):
        Layout((2,)).view(np.arange(8)[::2], "int64")
    with pytest.raises(InvalidTypeError, match="strings"):
        Layout((2,)).view(bytearray(64), "string")


def test_of_refuses_strides_inside_an_element() -> None:
    record = np.zeros(3, [("a", "u1"), ("b", "<f8")])
    with pytest.raises(InvalidValueError, match="multiples of 8"):
        Layout.of(record["b"])


def test_leading_ones() -> None:
    layout = Layout((2, 3), (5, 1), 4)
    assert layout.with_ndim(4).sizes == (1, 1, 2, 3)
    assert layout.with_ndim(4).with_ndim(2) == layout
    assert layout.with_ndim(4).trimmed() == layout
    assert Layout((2, 3)).with_ndim(4).strides == (6, 6, 3, 1)
    assert Layout(()).with_ndim(2).sizes == (1, 1)


@given(st.data())
def test_layout_algebra_follows_numpy(data: st.DataObject) -> None:
    values = distinct(data.draw(sizes(4, 4).filter(lambda shape: 0 not in shape and shape)), np.dtype("int64"))
    layout = Layout(values.shape)
    axes = data.draw(st.permutations(range(values.ndim)))
    assert np.array_equal(layout.permuted(axes).view(values, "int64"), values.transpose(axes))
    axis = data.draw(st.integers(0, values.ndim - 1))
    start = data.draw(st.integers(0, values.shape[axis] - 1))
    step = data.draw(st.sampled_from([-2, -1, 1, 2]))
    expected = values[(slice(None),) * axis + (slice(start, None, step),)]
    sliced = layout.sliced(axis, start, expected.shape[axis], step)
    assert np.array_equal(sliced.view(values, "int64"), expected)
    target = (2, *values.shape)
    assert np.array_equal(layout.broadcast_to(target).view(values, "int64"), np.broadcast_to(values, target))


def is_strided(order: NDArray[Any], offset: int) -> bool:
    """Whether steps along each axis, those from the first place, lead to every place."""
    sizes = order.shape
    steps = [int(order.take(1, axis).flat[0] - order.flat[0]) if n > 1 else 1 for axis, n in enumerate(sizes)]
    expected = offset + sum(
        np.arange(n).reshape((-1,) + (1,) * (len(sizes) - axis - 1)) * steps[axis] for axis, n in enumerate(sizes)
    )
    return np.array_equal(np.broadcast_to(expected, sizes), order)


@cache
def reshapes(size: int) -> list[tuple[int, ...]]:
    return [shape for ndim in range(4) for shape in product(range(1, 9), repeat=ndim) if math.prod(shape) == size]


@pytest.mark.parametrize("shape", [each for each in SMALL if 0 not in each], ids=str)
def test_reshaped_finds_a_view_exactly_where_there_is_one(shape: tuple[int, ...]) -> None:
    for layout in layouts_of(shape):
        reached = places(layout)
        assert places(layout.merged()) == reached
        for other in reshapes(layout.size):
            order = np.array(reached).reshape(other)
            found = layout.reshaped(other)
            if is_strided(order, layout.offset):
                assert found is not None
                assert found.sizes == other
                assert places(found) == reached
            else:
                assert found is None


def test_reshaped_of_nothing_and_of_another_size() -> None:
    empty = Layout((2, 0, 3), offset=4)
    assert empty.reshaped((0, 7)) == Layout((0, 7), offset=4)
    assert empty.merged() == Layout((0,), offset=4)
    with pytest.raises(InvalidValueError, match=r"sizes \[4\] have 4 elements, allowed 6"):
        Layout((2, 3)).reshaped((4,))


def test_diagram_of_overlap_and_offset() -> None:
    assert Layout((2, 3), (1, 1), 1).diagram() == (
        "Offset: | 0 | 1 | 2 | 3 | 4\nValue:  | x | A | B | C | D\n\nA B C\nB C D"
    )
    assert Layout((0, 2)).diagram().endswith("(no elements)")
    assert Layout(()).diagram().endswith("\n\nA")


def test_diagram_of_planes_and_many_letters() -> None:
    picture = Layout((2, 1, 2)).diagram()
    assert picture.endswith("A B\n\nC D")
    assert " AA " in Layout((3, 10)).diagram()


@given(st.data())
def test_spread_reads_the_axes_that_it_names(data: st.DataObject) -> None:
    layout = Layout.of(data.draw(strided(np.zeros(data.draw(sizes(3, 4)), "i2"))))
    own = st.sampled_from(range(layout.ndim)) if layout.ndim else st.none()
    axes = data.draw(st.lists(own | st.none(), max_size=4))
    wanted = [data.draw(st.integers(0, 4)) for _ in axes]
    reached = [sum(n - 1 for n, a in zip(wanted, axes, strict=True) if a == axis) for axis in range(layout.ndim)]
    if 0 not in wanted and any(far >= size for far, size in zip(reached, layout.sizes, strict=True)):
        with pytest.raises(InvalidValueError, match="positions 0"):
            layout.spread(wanted, axes)
        return
    spread = layout.spread(wanted, axes)
    for coords in np.ndindex(*wanted):
        place = [sum(c for c, a in zip(coords, axes, strict=True) if a == axis) for axis in range(layout.ndim)]
        assert spread.offset_of(coords) == layout.offset_of(place)


def test_unfolded_splits_an_axis_in_any_strides() -> None:
    layout = Layout((2, 6, 3), strides=(40, -6, 2), offset=30)
    unfolded = layout.unfolded(1, (3, 1, 2))
    assert unfolded.sizes == (2, 3, 1, 2, 3)
    for a, b, c, d in np.ndindex(2, 3, 2, 3):
        assert unfolded.offset_of((a, b, 0, c, d)) == layout.offset_of((a, 2 * b + c, d))
    assert Layout((0,)).unfolded(0, (3, 0)).sizes == (3, 0)
    with pytest.raises(InvalidValueError, match=r"sizes is \[4\], allowed a product of 6, the size of axis 1"):
        layout.unfolded(1, (4,))


@pytest.mark.parametrize("dtype", ["S5", "U3", np.dtype("S5"), np.dtype([("a", "u1"), ("b", "<f8")]), "M8[s]", "V7"])
def test_types_of_one_width_lie_in_buffers(dtype: object) -> None:
    element = np.dtype(dtype)
    array = np.zeros((2, 3), element)
    array.view(np.uint8)[...] = np.arange(array.nbytes, dtype=np.uint8).reshape(2, -1) % 50
    layout = Layout((3, 2), strides=(1, 3))
    assert layout.nbytes(dtype, align=1) == array.nbytes
    viewed = layout.view(array, dtype)
    assert viewed.dtype == element
    assert viewed.tobytes() == array.T.tobytes()
    assert Layout.of(viewed) == layout


def test_elements_without_bytes_lie_nowhere_and_are_packed() -> None:
    assert Layout.of(np.zeros((2, 3), "V0")) == Layout((2, 3))
    assert Layout((2, 3)).nbytes(np.dtype("V0")) == 0


def test_layout_of_memory_that_is_not_numpys() -> None:
    assert Layout.of(memoryview(np.arange(6)[::2])) == Layout((3,), strides=(2,))
    for value in ([1, 2], 3, None, "text"):
        with pytest.raises(InvalidTypeError, match="allowed an array"):
            Layout.of(value)


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda layout: layout.sliced(7, 0, 1), InvalidValueError, r"axis is 7, allowed -2\.\.1"),
        (lambda layout: layout.spread((2,), (5,)), InvalidValueError, r"axis is 5, allowed -2\.\.1"),
        (lambda layout: layout.spread((2, 2), (0,)), InvalidValueError, "axes has 1 entries, allowed 2"),
        (lambda layout: layout.unfolded(2, (2,)), InvalidValueError, r"axis is 2, allowed -2\.\.1"),
        (lambda layout: layout.with_ndim(2 * 10**9), ResourceLimitError, "2000000000 axes, allowed up to 64"),
        (lambda layout: layout.with_ndim(-1), InvalidValueError, "ndim is -1, allowed 2 and more"),
        (lambda layout: Layout((1,), offset=1.5), InvalidTypeError, "offset is 1.5, allowed one integer"),
        (lambda layout: Layout((1,) * 65), ResourceLimitError, "65 axes, allowed up to 64"),
        (lambda layout: Layout((10**5000,)), InvalidValueError, "an integer of 16610 bits"),
        (lambda layout: Layout.ordered((1,), 5), InvalidTypeError, "order is 5, allowed letters"),
        (lambda layout: layout.view(5, "u1"), InvalidTypeError, "the buffer is 5, allowed"),
        (lambda layout: layout.view(np.zeros(9, object), "u1"), InvalidTypeError, "the buffer holds object"),
    ],
)
def test_refusals_of_odd_arguments(call: Callable[[Layout], object], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        call(Layout((2, 3)))


def test_layouts_survive_pickles_and_copies() -> None:
    layout = Layout((2, 3), strides=(5, 1), offset=2)
    for value in (layout, TensorType("float32", (2, "N", None)), TensorType("S5", None), wh.Limits(bytes=5)):
        for twin in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
            assert twin == value
            assert hash(twin) == hash(value)


@pytest.mark.parametrize("n", [-1, 10**30, 1.5, None, True, "2", 1025])
def test_odd_numbers_of_threads_are_refused(n: object) -> None:
    before = wh.get_num_threads()
    with pytest.raises((InvalidTypeError, InvalidValueError), match=r"^n is "):
        wh.set_num_threads(n)
    assert wh.get_num_threads() == before
