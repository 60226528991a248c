"""Reverse, ReverseSequence, Roll: against formula and NumPy, the specifications' examples, every refusal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from tests.support.operators import assert_agrees, infer, mostly_full, planned
from tests.support.strategies import ELEMENT_DTYPES, distinct, strided
from wherry.engine.call import apply
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.graph import Deferred, GraphBuilder
from wherry.models.model import GraphModel
from wherry.moves import ComputeMove, CopyMove
from wherry.ops import Operator, Reverse, ReverseSequence, Roll, reverse_sequence
from wherry.tensors import TensorType


def run(operator: Operator, data: object) -> list:
    (out,) = apply(operator, [np.asarray(data)], "test")
    return out.tolist()


def seen(draw: st.DataObject, shape: tuple[int, ...]) -> np.ndarray:
    return draw.draw(strided(distinct(shape, draw.draw(st.sampled_from(ELEMENT_DTYPES))), overlapping=True))


@given(st.data())
def test_reverse_agrees(draw: st.DataObject) -> None:
    data = seen(draw, draw.draw(mostly_full(5, 3)))
    mask = [draw.draw(st.booleans()) for _ in range(data.ndim)]
    axes = [axis - draw.draw(st.sampled_from([0, data.ndim])) for axis, chosen in enumerate(mask) if chosen]
    expected = assert_agrees(Reverse(axes), [data], draw)
    assert_same_bits(expected, np.array(np.flip(data, tuple(axes))) if axes else data.copy())
    assert_same_bits(assert_agrees(Reverse(mask=mask), [data], draw), expected)


def test_reverse_examples() -> None:
    data = [[0, 1, 2], [3, 4, 5]]  # OpenVINO Reverse-1
    assert run(Reverse([1]), data) == [[2, 1, 0], [5, 4, 3]]
    assert run(Reverse(mask=[True, False]), data) == [[3, 4, 5], [0, 1, 2]]
    assert run(Reverse([1, -1, 1]), data) == [[2, 1, 0], [5, 4, 3]]
    assert run(Reverse([]), data) == data
    assert run(Reverse(mask=np.array([False, False])), data) == data
    assert run(Reverse([0]), np.array(["a", "b"], object)) == ["b", "a"]
    assert infer(Reverse([0]), ("N", 3)) == ("N", 3)
    assert infer(Reverse([0]), None) is None


def test_reverse_is_a_view() -> None:
    plan = planned([Reverse([0]), Reverse([1]), Reverse([0])], [np.arange(6).reshape(2, 3)])
    assert [type(move) for move in plan.moves] == [CopyMove]


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (Reverse, InvalidValueError, "axes and mask are both given or both missing"),
        (lambda: Reverse([0], [True]), InvalidValueError, "axes and mask are both given or both missing"),
        (lambda: Reverse(mask=[1, 0]), InvalidTypeError, "allowed a vector of truth values"),
        (lambda: Reverse(mask=True), InvalidTypeError, "allowed a vector of truth values"),
        (lambda: infer(Reverse([2]), (2, 3)), InvalidValueError, r"axes\[0\] is 2, allowed -2..1"),
        (lambda: infer(Reverse(mask=[True]), (2, 3)), InvalidValueError, "mask has 1 entries, allowed 2"),
        (lambda: Roll([1, 2], [0]), InvalidValueError, "shifts has 2 entries, allowed 1 as axes, or one integer alone"),
        (lambda: Roll([1], [0, 1]), InvalidValueError, "shifts has 1 entries, allowed 2"),
        (lambda: Roll(1.5, [0]), InvalidTypeError, "shifts is 1.5"),
        (lambda: infer(Roll(1, 2), (2, 3)), InvalidValueError, r"axes\[0\] is 2, allowed -2..1"),
        (lambda: infer(Roll(1, 0), ()), InvalidValueError, r"axes\[0\] is 0, but data is a scalar"),
        (lambda: ReverseSequence([1, -1]), InvalidValueError, r"lengths\[1\] is -1, allowed 0 and more"),
        (lambda: ReverseSequence([1.5]), InvalidValueError, "allowed whole numbers"),
        (lambda: ReverseSequence([np.inf]), InvalidValueError, "allowed whole numbers"),
        (lambda: ReverseSequence(["a"]), InvalidTypeError, "lengths has dtype <U1, allowed integers"),
        (lambda: ReverseSequence([[1]]), InvalidValueError, "lengths has 2 axes, allowed 1"),
        (lambda: infer(ReverseSequence([1]), (2, 3)), InvalidValueError, "lengths has size 1 on axis 0, allowed 3"),
        (lambda: infer(ReverseSequence([1, 3, 1]), (2, 3)), InvalidValueError, r"lengths\[1\] is 3, allowed 0..2"),
        (lambda: infer(ReverseSequence([1, 1], 1), (2, 2)), InvalidValueError, "allowed different axes"),
        (lambda: infer(ReverseSequence([1, 1], 2), (2, 2)), InvalidValueError, "time_axis is 2, allowed -2..1"),
        (lambda: infer(ReverseSequence([1, 1], 0, [3]), (2, 2)), InvalidValueError, r"batch_axes\[0\] is 3"),
        (lambda: infer(ReverseSequence([1], 0, None), (2, 2, 2)), InvalidValueError, "lengths has 1 axes, allowed 2"),
    ],
)  # fmt: skip
def test_refusals(make: object, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        make()  # type: ignore[operator]


@given(st.data())
def test_reverse_sequence_agrees(draw: st.DataObject) -> None:
    shape = draw.draw(st.lists(st.integers(0, 4), min_size=1, max_size=5))
    data = seen(draw, tuple(shape))
    axes = draw.draw(st.permutations(range(len(shape))))
    time, batch = axes[0], axes[1 : draw.draw(st.integers(1, len(axes)))]
    lengths = np.zeros([shape[axis] for axis in batch], draw.draw(st.sampled_from(["uint8", "int64", "float32"])))
    for place in np.ndindex(lengths.shape):
        lengths[place] = draw.draw(st.integers(0, shape[time] + 2))
    operator = ReverseSequence(lengths, time - draw.draw(st.sampled_from([0, len(shape)])), batch, "clamp")
    assert_agrees(operator, [data], draw)
    others = [axis for axis in range(len(shape)) if axis != time]
    if list(batch) == others:
        whole = ReverseSequence(np.expand_dims(lengths, time), time, None, "clamp")
        assert_same_bits(apply(whole, [data], "t")[0], apply(operator, [data], "t")[0])


def test_reverse_sequence_examples() -> None:
    columns = np.arange(16).reshape(4, 4).T  # ONNX ReverseSequence
    assert run(ReverseSequence([4, 3, 2, 1]), columns)[0] == [3, 6, 9, 12]
    rows = np.arange(15).reshape(3, 5)  # OpenVINO ReverseSequence-1
    assert run(ReverseSequence([1, 3, 5], 1, [0]), rows) == [[0, 1, 2, 3, 4], [7, 6, 5, 8, 9], [14, 13, 12, 11, 10]]
    assert run(ReverseSequence([0, 1, 0], 1, [0]), rows) == rows.tolist()
    grid = np.arange(1, 13).reshape(1, 1, 3, 4)  # DirectML REVERSE_SUBSEQUENCES
    lines = ReverseSequence(np.array([2, 4, 3]).reshape(1, 1, 3, 1), 3, None, "clamp")
    assert run(lines, grid) == [[[[2, 1, 3, 4], [8, 7, 6, 5], [11, 10, 9, 12]]]]
    lines = ReverseSequence(np.array([2, 3, 1, 0], np.uint32).reshape(1, 1, 1, 4), 2, None, "clamp")
    assert run(lines, grid) == [[[[5, 10, 3, 4], [1, 6, 7, 8], [9, 2, 11, 12]]]]
    far = ReverseSequence(np.array([2**64 - 1], np.uint64), 0, [1], "clamp")
    assert run(far, [[1], [2]]) == [[2], [1]]
    assert run(ReverseSequence([2], 1, [0]), np.array([["a", "b", "c"]], object)) == [["b", "a", "c"]]
    assert infer(ReverseSequence([9, 9]), ("T", "N")) == ("T", "N")
    assert infer(ReverseSequence([9, 9]), None) is None


def test_lengths_of_few_bits_along_a_longer_axis() -> None:
    lines = np.arange(600).reshape(2, 300)
    (result,) = apply(ReverseSequence(np.uint8([0, 255]), 1, (0,)), [lines], "test")
    assert np.array_equal(result, [lines[0], [*range(554, 299, -1), *range(555, 600)]])


def test_many_lengths_are_one_move() -> None:
    rng = np.random.default_rng(1)
    data, lengths = rng.random((7, 600)), rng.integers(0, 8, 600)
    plan = planned([ReverseSequence(lengths)], [data], join=0)
    assert [type(move) for move in plan.moves] == [ComputeMove] * 2
    assert_agrees(ReverseSequence(lengths), [data])
    equal = planned([ReverseSequence(np.full(600, 5))], [data], join=0)
    assert [type(move) for move in equal.moves] == [CopyMove] * 4


@pytest.mark.parametrize("axes", [(0, 1, 2), (2, 0, 1), (1, 3, 0), (3, 0, 2)])
@pytest.mark.parametrize("kind", ["u1", "f8", "c16", object])
def test_many_lengths_some_positions_at_once(
    axes: tuple[int, ...], kind: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reverse_sequence, "INDICES_AT_ONCE", 50)
    time, *batch = axes
    data = np.arange(3 * 4 * 5 * 6).reshape(3, 4, 5, 6).astype(kind)
    lengths = np.random.default_rng(2).integers(0, data.shape[time] + 1, [data.shape[axis] for axis in batch])
    assert_agrees(ReverseSequence(lengths, time, batch), [data])


def test_lengths_from_an_input() -> None:
    builder = GraphBuilder("deferred")
    builder.add_input("x", TensorType("int32", ("T", "N")))
    builder.add_input("lengths", TensorType("int64", ("N",)))
    builder.add(Deferred(ReverseSequence, (), (("lengths", 1),)), ["x", "lengths"], ["y"], "ONNX ReverseSequence-10")
    model = GraphModel(builder.build(["y"]), "test")
    x = np.arange(6, dtype=np.int32).reshape(3, 2)
    assert model.run([x, np.array([3, 2])])["y"].tolist() == [[4, 3], [2, 1], [0, 5]]
    with pytest.raises(InvalidValueError, match=r"ONNX ReverseSequence-10: lengths\[0\] is 4, allowed 0..3"):
        model.run([x, np.array([4, 2])])


@given(st.data())
def test_roll_agrees(draw: st.DataObject) -> None:
    data = seen(draw, draw.draw(mostly_full(4, 4)))
    axes = draw.draw(st.lists(st.integers(-data.ndim, data.ndim - 1), max_size=4)) if data.ndim else []
    shifts = [draw.draw(st.one_of(st.integers(-9, 9), st.sampled_from([2**62, -(2**63)]))) for _ in axes]
    expected = assert_agrees(Roll(shifts, axes), [data], draw)
    if axes and all(abs(shift) < 10 for shift in shifts):
        assert_same_bits(expected, np.roll(data, shifts, axes))


def test_roll_examples() -> None:
    data = np.arange(1, 13).reshape(4, 3)  # OpenVINO Roll-7
    assert run(Roll(1, 0), data) == [[10, 11, 12], [1, 2, 3], [4, 5, 6], [7, 8, 9]]
    assert run(Roll([-1, 2], [0, 1]), data) == [[5, 6, 4], [8, 9, 7], [11, 12, 10], [2, 3, 1]]
    assert run(Roll(1, [0, 1]), data) == np.roll(data, (1, 1), (0, 1)).tolist()
    assert run(Roll(np.array(1), np.array([0, 0])), data) == np.roll(data, 2, 0).tolist()
    assert run(Roll([], []), data) == data.tolist()
    assert run(Roll(1, 0), np.array(["a", "b", "c"], object)) == ["c", "a", "b"]
    assert infer(Roll(1, -1), ("N", 3)) == ("N", 3)
    assert infer(Roll(1, -1), None) is None


def test_roll_along_many_axes_is_one_move() -> None:
    data = np.arange(512, dtype=np.uint16).reshape((2,) * 9)
    assert [type(move) for move in planned([Roll(1, range(9))], [data], join=0).moves] == [ComputeMove] * 2  # type: ignore[arg-type]
    assert_agrees(Roll(1, range(9)), [data])  # type: ignore[arg-type]
