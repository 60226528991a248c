"""Slice, StridedSlice, SliceScatter: against formula and NumPy, the specifications' examples, every refusal."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from tests.support.operators import assert_agrees, infer, mostly_full, planned
from tests.support.strategies import ELEMENT_DTYPES, distinct, strided
from tests.support.thinning import thinned
from wherry.engine.call import apply
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.graph import Deferred, GraphBuilder
from wherry.models.model import GraphModel
from wherry.moves import CopyMove
from wherry.ops import MaskedShrink, Slice, SliceScatter, StridedSlice, slice_scatter, strided_slice, window_slice
from wherry.tensors import TensorType

ENDS = st.one_of(st.integers(-7, 7), st.sampled_from([-(2**63), 2**63 - 1, 2**31 - 1]))
STEPS = st.sampled_from([1, 1, 2, 3, -1, -2, -3, 2**63 - 1, -(2**63)])


def run(operator: object, *inputs: object) -> list:
    (out,) = apply(operator, [np.asarray(each) for each in inputs], "test")  # type: ignore[arg-type]
    return out.tolist()


@st.composite
def ranges(draw: st.DrawFn, size: int) -> tuple[int, int, int]:
    """Return start, end and step: anything, or what picks something of an axis of `size`."""
    if size < 2 or draw(st.integers(0, 3)) == 0:
        return draw(ENDS), draw(ENDS), draw(STEPS)
    low = draw(st.integers(0, size - 2))
    high = draw(st.integers(low + 1, size - 1))
    step = draw(st.sampled_from([1, 2, 3]))
    if draw(st.booleans()):
        return low, high + 1, step
    return high, low - 1 if low else -size - 1, -step


@st.composite
def slices(draw: st.DrawFn, shape: tuple[int, ...]) -> Slice:
    ndim = len(shape)
    axes = draw(st.permutations(range(ndim)))[draw(st.integers(0, ndim)) :] if ndim else []
    parts = [draw(ranges(shape[axis])) for axis in axes]
    signed = [axis - ndim if draw(st.booleans()) else axis for axis in axes]
    starts, ends, steps = (tuple(part[place] for part in parts) for place in range(3))
    return Slice(starts, ends, signed, steps)


@given(st.data())
def test_slice_agrees(draw: st.DataObject) -> None:
    values = distinct(draw.draw(mostly_full(5, 4)), draw.draw(st.sampled_from(ELEMENT_DTYPES)))
    data = draw.draw(strided(values, overlapping=True))
    assert_agrees(draw.draw(slices(data.shape)), [data], draw)


def test_every_range_of_a_small_axis_is_numpys_or_the_clamp_rules_exception() -> None:
    for size in range(5):
        data = np.arange(size)
        for start, end, step in itertools.product(range(-7, 8), range(-7, 8), (-3, -2, -1, 1, 2, 3)):
            ours = run(Slice([start], [end], steps=[step]), data)
            if step < 0 and start < -size and end < -size:
                assert ours == ([0] if size else [])
            elif step < 0 and start < -size:
                assert ours in ([], [0])
            else:
                assert ours == data[start:end:step].tolist(), (size, start, end, step)


def test_examples_of_the_specifications() -> None:
    matrix = [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert run(Slice([1, 0], [2, 3], [0, 1], [1, 2]), matrix) == [[5, 7]]  # ONNX Slice
    assert run(Slice([0, 1], [-1, 1000]), matrix) == [[2, 3, 4]]  # ONNX Slice
    ten = np.arange(10)
    assert run(Slice([1], [8], steps=[2]), ten) == [1, 3, 5, 7]  # OpenVINO Slice-8
    assert run(Slice([100], [-100], steps=[-3]), ten) == [9, 6, 3, 0]
    assert run(Slice([-11], [-12], steps=[-1]), ten) == [0]
    assert run(Slice([-20], [-11], steps=[-1]), ten) == [0]
    assert run(Slice([9], [-11], steps=[-1]), ten) == list(range(9, -1, -1))
    grid = np.arange(1, 17).reshape(1, 1, 4, 4)
    part = Slice([0, 0, 1, 0], sizes=[1, 1, 2, 2], steps=[1, 1, 2, 3])  # DirectML SLICE
    assert run(part, grid) == [[[[5, 8], [13, 16]]]]
    window = window_slice([0, 0, 0, 1], [1, 1, 4, 3], [1, 1, -2, 2], (1, 1, 4, 4))  # DirectML SLICE1
    assert run(window, grid) == [[[[14, 16], [6, 8]]]]
    assert window.sizes == (1, 1, 2, 2)
    smaller = window_slice([0, 0, 0, 1], [1, 1, 4, 3], [1, 1, -2, 2], (1, 1, 4, 4), [1, 1, 1, 2])
    assert run(smaller, grid) == [[[[14, 16]]]]


def test_views_move_nothing_until_the_end() -> None:
    x = np.arange(60.0).reshape(3, 4, 5)
    plan = planned([Slice([-1], [-(2**63)], [0], [-2]), Slice([1], [4], [2], [2])], [x])
    assert [type(move) for move in plan.moves] == [CopyMove]
    assert_same_bits(plan.run({"x0": x})["y"], np.ascontiguousarray(x[::-2, :, 1:4:2]))


def test_objects_and_scalars() -> None:
    assert run(Slice([2], [None or -4], steps=[-1]), np.array(["a", "b", "c"], object)) == ["c", "b", "a"]
    assert run(Slice([], []), np.float32(3)) == 3
    assert run(Slice(np.array([], np.int64), np.array([], np.int64)), np.arange(3)) == [0, 1, 2]


def test_unknown_sizes() -> None:
    whole = Slice([0, 1], [2**63 - 1, 3], [0, 2])
    assert infer(whole, ("N", "M", 5)) == ("N", "M", 2)
    assert infer(Slice([-1], [-(2**63)], steps=[-1]), ("N",)) == ("N",)
    assert infer(Slice([1], [3]), ("N", 4)) == (None, 4)
    assert infer(Slice([1], sizes=[3]), ("N", 4)) == (3, 4)
    assert infer(Slice([1], [3]), None) is None


def test_ranges_from_inputs() -> None:
    builder = GraphBuilder("deferred")
    builder.add_input("x", TensorType("int32", ("N",)))
    for name in ("starts", "ends", "steps"):
        builder.add_input(name, TensorType("int64", (1,)))
    deferred = Deferred(Slice, (), (("starts", 1), ("ends", 2), ("steps", 3)))
    builder.add(deferred, ["x", "starts", "ends", "steps"], ["y"], "ONNX Slice-13")
    model = GraphModel(builder.build(["y"]), "test")
    x = np.arange(7, dtype=np.int32)
    for start, end, step in [(1, 6, 2), (-1, -9, -3)]:
        results = model.run([x, np.array([start]), np.array([end]), np.array([step])])
        assert results["y"].tolist() == x[start:end:step].tolist()
    with pytest.raises(InvalidValueError, match=r"ONNX Slice-13: steps\[0\] is 0, allowed any number but 0"):
        model.run([x, np.array([1]), np.array([2]), np.array([0])])


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Slice([0], [1], steps=[0]), r"steps\[0\] is 0"),
        (lambda: Slice([0]), "ends and sizes are both given or both missing"),
        (lambda: Slice([0], [1], sizes=[1]), "ends and sizes are both given or both missing"),
        (lambda: Slice([0], [1, 2]), "ends has 2 entries, allowed 1 as starts"),
        (lambda: Slice([0], [1], [0, 1]), "axes has 2 entries, allowed 1"),
        (lambda: Slice([0], sizes=[-1]), r"sizes\[0\] is -1"),
        (lambda: infer(Slice([0, 0], [1, 1], [0, -2]), (2, 3)), r"axes is \[0, -2\], allowed each axis once"),
        (lambda: infer(Slice([0], [1], [2]), (2, 3)), r"axes\[0\] is 2, allowed -2..1"),
        (lambda: infer(Slice([0, 0, 0], [1, 1, 1]), (2, 3)), "starts has 3 entries, allowed up to 2"),
        (lambda: infer(Slice([0], [1]), ()), "starts has 1 entries, allowed up to 0"),
        (lambda: infer(Slice([1], sizes=[2], steps=[2]), (3,)), "go from position 1 to 3 of axis 0, allowed 0..2"),
        (lambda: infer(Slice([-1], sizes=[1]), (3,)), "go from position -1"),
        (lambda: window_slice([1], [3], [1], [3]), r"offsets\[0\] is 1 and window_sizes\[0\] is 3"),
        (lambda: window_slice([0], [0], [1], [3]), r"window_sizes\[0\] is 0"),
        (lambda: window_slice([0], [3], [0], [3]), r"steps\[0\] is 0"),
        (lambda: window_slice([0], [3], [-2], [3], [3]), r"sizes\[0\] is 3, allowed 1..2"),
    ],
)  # fmt: skip
def test_slice_refusals(make: object, text: str) -> None:
    with pytest.raises(InvalidValueError, match=text):
        make()  # type: ignore[operator]


@st.composite
def strided_slices(draw: st.DrawFn, shape: tuple[int, ...]) -> StridedSlice:
    names = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")
    masks: dict[str, list[int]] = {name: [] for name in names}
    begin, end, strides = [], [], []
    axis = 0
    for _ in range(draw(st.integers(0, 6))):
        kind = draw(st.sampled_from(["range", "range", "new", "shrink", "ellipsis"]))
        if (kind == "shrink" and (axis >= len(shape) or not shape[axis])) or (kind == "range" and axis >= len(shape)):
            kind = "new"
        if kind == "ellipsis" and any(masks["ellipsis_mask"]):
            kind = "new"
        after = any(masks["ellipsis_mask"]) or kind == "ellipsis"
        if after and kind == "shrink":
            kind = "new"
        masks["ellipsis_mask"].append(int(kind == "ellipsis"))
        masks["new_axis_mask"].append(int(kind == "new"))
        masks["shrink_axis_mask"].append(
            int(kind == "shrink") if kind in ("range", "shrink") else draw(st.integers(0, 1))
        )
        masks["begin_mask"].append(draw(st.integers(0, 1)))
        masks["end_mask"].append(draw(st.integers(0, 1)))
        size = shape[axis] if axis < len(shape) else 1
        first, last, stride = draw(ranges(size))
        begin.append(draw(st.integers(-size, size - 1)) if kind == "shrink" else first)
        end.append(last)
        strides.append(stride)
        axis += kind in ("range", "shrink")
    return StridedSlice(begin, end, strides, **masks, masked_shrink=draw(st.sampled_from(MaskedShrink)))


@given(st.data())
def test_strided_slice_agrees(draw: st.DataObject) -> None:
    values = distinct(draw.draw(mostly_full(4, 3)), draw.draw(st.sampled_from(ELEMENT_DTYPES)))
    operator = draw.draw(strided_slices(values.shape))
    expected = assert_agrees(operator, [draw.draw(strided(values))], draw)
    current = values
    for part in operator.parts(values.shape):
        (current,) = apply(part, [current], "part")
    assert_same_bits(current, expected)


def test_strided_slice_examples() -> None:
    data = np.arange(10).reshape(2, 5)  # OpenVINO StridedSlice-1
    whole_rows = StridedSlice([1, 0], [2, 0], [1, 1], begin_mask=[0, 0], end_mask=[0, 1])
    assert run(whole_rows, data) == [[5, 6, 7, 8, 9]]
    assert run(StridedSlice([1, 0], [2, 0], end_mask=[0, 1], shrink_axis_mask=[1, 0]), data) == [5, 6, 7, 8, 9]
    assert run(StridedSlice([3], [0], [-1]), np.arange(4)) == [3, 2, 1]
    assert run(StridedSlice([5], [0], [-1], end_mask=[1]), np.arange(10)) == [5, 4, 3, 2, 1, 0]
    assert run(StridedSlice([2], [2], [1]), np.arange(4)) == []
    assert run(StridedSlice([-11], [-12], [-1]), np.arange(10)) == [0]
    masked = StridedSlice([2], [0], begin_mask=[1], shrink_axis_mask=[1])
    assert run(masked, np.arange(4)) == 0
    assert run(StridedSlice([2], [0], begin_mask=[1], shrink_axis_mask=[1], masked_shrink="begin"), np.arange(4)) == 2
    assert run(StridedSlice([-1], [0], shrink_axis_mask=[1]), np.arange(4)) == 3
    parts = strided_slice([0, 0], [1, 0], (2, 3), shrink_axis_mask=[1], new_axis_mask=[0, 1])
    assert [type(part).__name__ for part in parts] == ["Slice", "Squeeze", "Unsqueeze"]


def test_strided_slice_of_unknown_sizes() -> None:
    operator = StridedSlice([0, 0, 1], [0, 0, 3], new_axis_mask=[1], ellipsis_mask=[0, 1])
    assert infer(operator, ("N", 4, 5)) == (1, "N", 4, 2)
    assert infer(StridedSlice([0], [0], shrink_axis_mask=[1]), (None, 4)) == (4,)
    assert infer(operator, None) is None


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: StridedSlice([0], [1, 2]), "end has 2 entries, allowed 1 as begin"),
        (lambda: StridedSlice([0], [1], [0]), r"strides\[0\] is 0"),
        (lambda: StridedSlice([0], [1], begin_mask=[2]), r"begin_mask\[0\] is 2, allowed 0 or 1"),
        (lambda: StridedSlice([0], [1], end_mask=[0, 1]), "end_mask has 2 entries, allowed up to 1"),
        (lambda: StridedSlice([0, 0], [1, 1], ellipsis_mask=[1, 1]), "at most one 1"),
        (lambda: infer(StridedSlice([0, 0], [1, 1]), (3,)), "begin has 2 entries that use an axis, allowed up to 1"),
        (lambda: infer(StridedSlice([3], [0], shrink_axis_mask=[1]), (3,)), r"begin\[0\] is 3, allowed -3..2"),
        (lambda: infer(StridedSlice([0], [0], shrink_axis_mask=[1]), (0,)), r"begin\[0\] is 0, allowed none"),
    ],
)
def test_strided_slice_refusals(make: object, text: str) -> None:
    with pytest.raises(InvalidValueError, match=text):
        make()  # type: ignore[operator]


@given(st.data())
def test_slice_scatter_agrees(draw: st.DataObject) -> None:
    dtype = draw.draw(st.sampled_from(ELEMENT_DTYPES))
    data = draw.draw(strided(distinct(draw.draw(mostly_full(4, 4)), dtype), overlapping=True))
    part = draw.draw(slices(data.shape))
    operator = SliceScatter(part.starts, part.ends, part.axes, part.steps)
    (kind,) = part.infer([TensorType.of(data)])
    updates = draw.draw(strided(distinct((2, *kind.shape), dtype)[1, ...]))
    assert_agrees(operator, [data, updates], draw)


@pytest.mark.parametrize("least_row", [slice_scatter.LEAST_ROW, 1])
def test_slice_scatter_of_every_range_writes_every_position(monkeypatch: pytest.MonkeyPatch, least_row: int) -> None:
    monkeypatch.setattr(slice_scatter, "LEAST_ROW", least_row)
    for size, step in itertools.product(range(6), (-3, -2, -1, 1, 2, 3)):
        for start, end in thinned(itertools.product(range(-6, 7), repeat=2), 5, size + step):
            data = np.arange(size, dtype=np.int16)
            count = len(run(Slice([start], [end], steps=[step]), data))
            assert_agrees(
                SliceScatter([start], [end], steps=[step]), [data, np.arange(100, 100 + count, dtype=np.int16)]
            )


def test_slice_scatter_keeps_what_lies_between_on_every_axis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slice_scatter, "LEAST_ROW", 1)
    data = np.arange(7 * 6 * 5, dtype=np.int16).reshape(7, 6, 5)
    for axes in ((0,), (1,), (2,), (0, 1), (1, 2), (2, 0), (0, 1, 2), (2, 1, 0)):
        for steps in itertools.product((2, -3, 1), repeat=len(axes)):
            starts = [1 if step > 0 else -1 for step in steps]
            ends = [100 if step > 0 else -100 for step in steps]
            (kind,) = Slice(starts, ends, axes, steps).infer([TensorType.of(data)])
            updates = ~data[tuple(slice(0, size) for size in kind.shape)]
            assert_agrees(SliceScatter(starts, ends, axes, steps), [data, updates])


@pytest.mark.parametrize("ndim", [3, 64])
def test_slice_scatter_writes_each_byte_once_where_gaps_have_long_rows(ndim: int) -> None:
    data = np.arange(9 * 7 * slice_scatter.LEAST_ROW, dtype=np.uint32).astype(np.uint8)
    data = data.reshape((9, 7, *(1,) * (ndim - 3), slice_scatter.LEAST_ROW))
    updates = np.invert(data[1:8:3, ::-2])
    expected = data.copy()
    expected[1:8:3, ::-2] = updates
    operator = SliceScatter([1, -1], [8, -100], [0, 1], [3, -2])
    plan = planned([operator], [data, updates])
    assert_same_bits(apply(operator, [data, updates], "test")[0], expected)
    # As many axes as there may be: none is left for the positions of a gap, and all of data is copied.
    assert plan.bytes_moved == data.nbytes + (updates.nbytes if ndim == 64 else 0)


def test_slice_scatter_examples() -> None:
    data, updates = np.arange(10).reshape(2, 5), [[10, 20, 30], [40, 50, 60]]  # OpenVINO SliceScatter-15
    assert run(SliceScatter([0], [5], [1], [2]), data, updates) == [[10, 1, 20, 3, 30], [40, 6, 50, 8, 60]]
    assert run(SliceScatter([-11], [-12], steps=[-1]), np.arange(10), [99])[0] == 99
    words = np.array(["a", "b", "c"], object)
    assert run(SliceScatter([1], [2]), words, np.array(["x"], object)) == ["a", "x", "c"]


def test_slice_scatter_writes_each_byte_once_without_gaps() -> None:
    data, updates = np.zeros((6, 8), np.uint8), np.ones((2, 3), np.uint8)
    builder = GraphBuilder()
    for name, array in (("x", data), ("u", updates)):
        builder.add_input(name, TensorType.of(array))
    builder.add(SliceScatter([2, 3], [4, 6]), ["x", "u"], ["y"], "SliceScatter")
    plan = GraphModel(builder.build(["y"]), "test").plan
    assert plan.bytes_moved == 48


def test_slice_scatter_of_unknown_sizes() -> None:
    operator = SliceScatter([1], [3], [1])
    assert infer(operator, ("N", 4), (2, 2)) == (2, 4)
    assert infer(operator, None, (2, 2)) == (None, None)
    assert infer(operator, None, None) is None
    assert infer(operator, ("N", 4), None) == ("N", 4)


def test_slice_scatter_refusals() -> None:
    with pytest.raises(InvalidValueError, match=r"updates has sizes \[3\], allowed \[2\], those of the slice"):
        infer(SliceScatter([0], [2]), (4,), (3,))
    with pytest.raises(InvalidValueError, match=r"updates has sizes \[1, 2\], allowed \[2\]"):
        infer(SliceScatter([0], [2]), (4,), (1, 2))
    with pytest.raises(InvalidValueError, match=r"steps\[0\] is 0"):
        SliceScatter([0], [2], steps=[0])
    with pytest.raises(InvalidTypeError, match="updates has dtype int8, allowed float32 as data"):
        SliceScatter([0], [2]).infer([TensorType("float32", (4,)), TensorType("int8", (2,))])
