"""Transpose, Expand, Tile: against formula and NumPy; views where they are; every refusal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from tests.support.operators import assert_agrees, infer, mostly_full, planned
from tests.support.strategies import ELEMENT_DTYPES, distinct, strided
from wherry.engine.call import apply
from wherry.errors import InvalidValueError
from wherry.moves import CopyMove
from wherry.ops import Expand, Operator, Reshape, Slice, Tile, Transpose


def run(operator: Operator, *inputs: object) -> list:
    (out,) = apply(operator, [np.asarray(each) for each in inputs], "test")
    return out.tolist()


@given(st.data())
def test_transpose_agrees(draw: st.DataObject) -> None:
    values = distinct(draw.draw(mostly_full(5, 3)), draw.draw(st.sampled_from(ELEMENT_DTYPES)))
    data = draw.draw(strided(values, overlapping=True))
    perm = draw.draw(st.one_of(st.none(), st.permutations(range(data.ndim))))
    expected = assert_agrees(Transpose(perm), [data], draw)
    assert_same_bits(expected, np.transpose(data, perm).copy())


def test_transpose_rules() -> None:
    assert infer(Transpose(), (2, 3)) == (3, 2)  # ONNX Transpose
    assert infer(Transpose([], "reverse"), (2, "N", 4)) == (4, "N", 2)  # OpenVINO Transpose-1
    assert infer(Transpose([]), ()) == ()
    assert infer(Transpose([], "reverse"), ()) == ()
    assert infer(Transpose([1, 0]), None) == (None, None)
    assert infer(Transpose(), None) is None
    assert run(Transpose(), np.array([["a", "b"]], object)) == [["a"], ["b"]]


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Transpose([0, -1]), r"perm\[1\] is -1, allowed 0..1; count axes from the front"),
        (lambda: infer(Transpose([0, 0]), (2, 3)), r"perm is \[0, 0\], allowed each of 0..1 once"),
        (lambda: infer(Transpose([0]), (2, 3)), "data has 2 axes"),
        (lambda: infer(Transpose([0]), ()), r"perm is \[0\], allowed no entry: data has 0 axes"),
        (lambda: infer(Transpose([]), (2,)), r"perm is \[\], allowed each of 0..0 once"),
        (lambda: Expand([2, -1]), r"shape\[1\] is -1, allowed 0 and more"),
        (lambda: Expand([2], "explicit"), "allowed with 'explicit' and only there"),
        (lambda: Expand([2], "one_way", [0]), "allowed with 'explicit' and only there"),
        (lambda: Expand([2], "one_way", start=1), "start is 1, allowed -1"),
        (lambda: infer(Expand([2]), (3,)), r"size of axis 0 of data is 3, allowed 1 or 2; shape is \[2\]"),
        (lambda: infer(Expand([3]), (0,)), "size of axis 0 of data is 0, allowed 1 or 3"),
        (lambda: infer(Expand([1], "one_way"), (3,)), "size of axis 0 of data is 3, allowed 1;"),
        (lambda: infer(Expand([3], "one_way"), (3, 3)), r"shape is \[3\], allowed 2 entries and more"),
        (lambda: infer(Expand([2, 3], "explicit", [0, 1]), (2,)), "axes has 2 entries, allowed 1"),
        (
            lambda: infer(Expand([2, 3], "explicit", [1, 0]), (2, 3)),
            r"axes is \[1, 0\], allowed ascending axes in 0..1",
        ),
        (lambda: infer(Expand([2, 3], "explicit", [-1]), (2,)), "allowed ascending axes"),
        (lambda: infer(Expand([2, 3], "explicit", [2]), (2,)), "allowed ascending axes"),
        (lambda: infer(Expand([2, 3], "start", start=2), (2,)), "start is 2, allowed -1..1"),
        (lambda: Tile([-1]), r"repeats\[0\] is -1, allowed 0 and more"),
        (lambda: Tile([1, 2], axis=0), "repeats has 2 entries, allowed 1, for the given axis"),
        (lambda: infer(Tile([2]), (2, 3)), "repeats has 1 entries, allowed 2: one for each axis of data"),
        (lambda: infer(Tile([2], axis=2), (2, 3)), "axis is 2, allowed -2..1"),
    ],
)
def test_refusals(make: object, text: str) -> None:
    with pytest.raises(InvalidValueError, match=text):
        make()  # type: ignore[operator]


@given(st.data())
def test_expand_agrees(draw: st.DataObject) -> None:
    target = draw.draw(mostly_full(5, 3))
    own = tuple(1 if draw.draw(st.booleans()) else size for size in target)[draw.draw(st.integers(0, len(target))) :]
    data = draw.draw(strided(distinct(own, draw.draw(st.sampled_from(ELEMENT_DTYPES))), overlapping=True))
    expected = assert_agrees(Expand(target, "one_way"), [data], draw)
    assert_same_bits(expected, np.broadcast_to(data, target).copy())
    given_way = [1 if draw.draw(st.booleans()) else size for size in own]
    two_way = np.broadcast_shapes(own, given_way)
    assert assert_agrees(Expand(given_way), [data], draw).shape == two_way


@given(st.data())
def test_expand_along_chosen_axes_agrees(draw: st.DataObject) -> None:
    target = draw.draw(mostly_full(4, 3))
    axes = sorted(draw.draw(st.lists(st.sampled_from(range(len(target))), unique=True))) if target else []
    own = tuple(1 if draw.draw(st.booleans()) else target[axis] for axis in axes)
    data = draw.draw(strided(distinct(own, np.dtype("float32"))))
    assert_agrees(Expand(target, "explicit", axes), [data], draw)
    start = draw.draw(st.integers(-1, len(target) - len(own)))
    at = len(target) - len(own) if start == -1 else start
    fits = all(size in (1, wanted) for size, wanted in zip(own, target[at:], strict=False))
    if fits:
        assert_agrees(Expand(target, "start", start=start), [data], draw)


def test_expand_examples() -> None:
    assert infer(Expand([2, 1, 6]), (3, 1)) == (2, 3, 6)  # ONNX Expand
    assert infer(Expand([1]), (3, 4)) == (3, 4)
    assert infer(Expand([0]), (1,)) == (0,)
    assert run(Expand([3, 2, 2], "one_way"), [[1], [2]]) == [[[1, 1], [2, 2]]] * 3  # OpenVINO Broadcast-3
    assert run(Expand([1, 2]), [[[1]], [[2]]]) == [[[1, 1]], [[2, 2]]]
    assert infer(Expand([2, 1, 3]), (2, 1)) == (2, 2, 3)
    assert run(Expand([2, 3], "explicit", [0]), [1, 2]) == [[1, 1, 1], [2, 2, 2]]
    assert run(Expand([2], "explicit", []), 7) == [7, 7]
    assert run(Expand([2, 2, 2], "start", start=1), [1, 2]) == [[[1, 1], [2, 2]]] * 2


def test_expand_unknown_sizes() -> None:
    assert infer(Expand([2, 1]), ("N", "M")) == (2, "M")
    assert infer(Expand([4, 2, 1]), ("N", "M")) == (4, 2, "M")
    assert infer(Expand([4, 2], "one_way"), None) == (4, 2)
    assert infer(Expand([4, 2]), None) is None


@given(st.data())
def test_tile_agrees(draw: st.DataObject) -> None:
    values = distinct(draw.draw(mostly_full(4, 3)), draw.draw(st.sampled_from(ELEMENT_DTYPES)))
    data = draw.draw(strided(values, overlapping=True))
    repeats = draw.draw(st.lists(st.integers(0, 3), max_size=5))
    padded = assert_agrees(Tile(repeats, lengths="pad"), [data], draw)
    assert_same_bits(padded, np.tile(data, repeats).reshape(padded.shape))
    exact = draw.draw(st.lists(st.integers(0, 3), min_size=data.ndim, max_size=data.ndim))
    assert assert_agrees(Tile(exact), [data], draw).shape == np.tile(data, exact).shape


def test_tile_examples() -> None:
    assert run(Tile([1, 2]), [[1, 2], [3, 4]]) == [[1, 2, 1, 2], [3, 4, 3, 4]]  # ONNX Tile
    data = [[0, 1, 2], [3, 4, 5]]  # OpenVINO Tile-1
    assert run(Tile([2], lengths="pad"), data) == [[0, 1, 2, 0, 1, 2], [3, 4, 5, 3, 4, 5]]
    assert infer(Tile([2, 1, 1], lengths="pad"), (2, 3)) == (2, 2, 3)
    assert infer(Tile([-2, 1], negative="zero"), (2, 3)) == (0, 3)
    assert run(Tile([2], lengths="pad"), 5) == [5, 5]
    assert run(Tile([1, 1, 2, 2]), [[[[1, 2, 3]]]]) == [[[[1, 2, 3, 1, 2, 3]] * 2]]  # DirectML TILE
    assert run(Tile([3], axis=0), data) == data * 3  # ONNX Tile-1
    assert run(Tile([2]), np.array(["a", "b"], object)) == ["a", "b", "a", "b"]
    assert infer(Tile([2, 1, 0]), ("N", "M", "K")) == (None, "M", 0)
    assert infer(Tile([2]), None) is None


def test_views_move_nothing_until_the_end() -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 1, 3)
    chain: list[Operator] = [Transpose([2, 1, 0]), Expand([3, 4, 2]), Tile([1, 1, 1]), Slice([0], [2], [1])]
    plan = planned(chain, [x])
    assert [type(move) for move in plan.moves] == [CopyMove]
    expected = np.broadcast_to(x.transpose(2, 1, 0), (3, 4, 2))[:, :2]
    assert_same_bits(plan.run({"x0": x})["y"], expected.copy())
    assert [type(move) for move in planned([Reshape([6, 1]), Tile([1, 5])], [x]).moves] == [CopyMove]


def test_a_tile_writes_each_byte_once() -> None:
    plan = planned([Tile([2, 3])], [np.zeros((4, 5), np.uint8)], join=0)
    assert plan.bytes_moved == 2 * 6 * 20
