"""Compress: moves, plan and formula agree; it is NumPy's; evenly spaced choices are views; every refusal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run import agreed, one
from tests.support.strategies import ELEMENT_DTYPES, distinct, sizes, strided
from wherry import _core
from wherry.engine.call import apply
from wherry.engine.planner import make_plan
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.graph import Deferred, GraphBuilder
from wherry.layout import Layout
from wherry.models.model import GraphModel
from wherry.ops import Compress, Concat, LongerCondition
from wherry.tensors import TensorType


@given(st.data())
def test_moves_plan_and_reference_agree(draw: st.DataObject) -> None:
    shape = draw.draw(sizes(4, 3))
    data = draw.draw(strided(distinct(shape, draw.draw(st.sampled_from(ELEMENT_DTYPES))), overlapping=True))
    axis = draw.draw(st.none() | st.integers(-len(shape), len(shape) - 1)) if shape else None
    most = data.size if axis is None else shape[axis]
    condition = draw.draw(st.lists(st.booleans(), max_size=most))
    result = one(Compress(np.array(condition, bool), axis), data)
    if data.dtype.names is None:
        assert np.array_equal(result.view("u1"), np.compress(condition, data, axis).view("u1")) or not result.ndim


@given(st.data())
def test_small_calls_of_any_sizes_agree(draw: st.DataObject) -> None:
    shape = draw.draw(sizes(4, 3).filter(lambda found: 0 not in found))
    data = draw.draw(strided(distinct(shape, draw.draw(st.sampled_from(ELEMENT_DTYPES))), overlapping=True))
    axis = draw.draw(st.none() | st.integers(-len(shape), len(shape) - 1)) if shape else None
    condition = np.array(draw.draw(st.lists(st.booleans(), max_size=data.size + 2)), bool)[
        :: draw.draw(st.sampled_from([1, -2]))
    ]
    place = draw.draw(st.integers(0, 1))
    arrays = [condition, data] if place == 0 else [data, condition]
    found = _core.Compressing(place, axis)(*arrays)
    if np.any(condition[data.size if axis is None else shape[axis] :]):
        assert found is None
    else:
        assert found.dtype == data.dtype
        assert found.tolist() == np.compress(condition, data, axis).tolist()


def test_small_calls_leave_what_is_not_theirs() -> None:
    data, condition = np.arange(6).reshape(2, 3), np.array([True, False])
    assert _core.Compressing(1, 0)(data, condition).tolist() == [[0, 1, 2]]
    assert _core.Compressing(0, None)(condition, data.astype(object)).tolist() == [0]
    assert _core.Compressing(1, 0)(data, condition.astype(np.int8)) is None
    assert _core.Compressing(1, 0)(data, condition[None]) is None
    assert _core.Compressing(1, 0)(data[:0], condition) is None
    assert _core.Compressing(1, None)(np.zeros(2**22 + 1, np.int8), condition) is None
    assert _core.Compressing(1, 0)(data.view(np.ma.MaskedArray), condition) is None
    with pytest.raises(ValueError, match="there is no such axis"):
        _core.Compressing(1, 2)(data, condition)
    with pytest.raises(ValueError, match="there are two arrays"):
        _core.Compressing(1, 0)(data)


def test_onnx_compress_examples() -> None:
    data = [[1, 2], [3, 4], [5, 6]]
    assert one(Compress([False, True, True], 0), data).tolist() == [[3, 4], [5, 6]]
    assert one(Compress([False, True], 1), data).tolist() == [[2], [4], [6]]
    assert one(Compress([False, True, False, False, True]), data).tolist() == [2, 5]
    assert one(Compress([False] * 3, 0), data).shape == (0, 2)


def test_evenly_spaced_choices_move_nothing() -> None:
    rows = Layout((6, 2))
    assert Compress([True, False] * 3, 0).view([rows]) == ((0, Layout((3, 2), (4, 1))),)
    assert Compress([False] * 5 + [True], 0).view([rows]) == ((0, Layout((1, 2), offset=10)),)
    assert Compress([True, True, False, True], 0).view([rows]) is None
    assert Compress([False, True, False, False, True]).view([rows]) == ((0, Layout((2,), (3,), 1)),)
    assert Compress([True, True]).view([Layout((2, 2), (1, 2))]) is None
    builder = GraphBuilder()
    builder.add_input("x", TensorType("int32", (6, 2)))
    builder.add(Compress([True, False] * 3, 0), ["x"], ["c"], "Compress")
    builder.add(Concat(0), ["c", "x"], ["y"], "Concat")
    x = np.arange(12, dtype=np.int32).reshape(6, 2)
    plan = make_plan(builder.build(["y"]), {"x": x})
    assert plan.bytes_moved == 9 * 2 * 4
    assert not plan.temporaries
    assert plan.run({"x": x})["y"].tolist() == [*x[::2].tolist(), *x.tolist()]


def test_condition_may_be_an_input() -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (3,)))
    builder.add_input("c", TensorType("bool", (None,)))
    (kind,) = builder.add(
        Deferred(Compress, (("axis", 0),), (("condition", 1),)), ["x", "c"], ["y"], "ONNX Compress-11"
    )
    assert str(kind) == "float32[?]"
    model = GraphModel(builder.build(["y"]), "onnx")
    x = np.array([1, 2, 3], np.float32)
    assert model.run([x, np.array([True, False, True])])["y"].tolist() == [1, 3]
    assert model.run([x, np.array([False])])["y"].tolist() == []


def test_longer_conditions() -> None:
    longer = [False, True, False, True]
    assert one(Compress(longer, 0, LongerCondition.IGNORE), [5, 6]).tolist() == [6]
    assert one(Compress([False, True, False], 0), [5, 6]).tolist() == [6]
    with pytest.raises(InvalidValueError, match=r"T: condition\[3\] is True, allowed False from entry 2 on"):
        apply(Compress(longer, 0), [np.array([5, 6])], "T")


def test_equal_by_bits() -> None:
    assert Compress([True]) == Compress(np.array([True]))
    assert hash(Compress([True])) == hash(Compress(np.array([True])))
    assert Compress([True]) != Compress([True, False])
    assert str(Compress([True, False], 1)) == "Compress(condition=bool[2], axis=1, longer=refuse_true)"


def test_unknown_sizes() -> None:
    assert Compress([True], 1).infer([TensorType("int8", ("N", 3))])[0].sizes == ("N", 1)
    assert Compress([True], 0).infer([TensorType("int8", ("N", 3))])[0].sizes == (None, 3)
    assert Compress([True]).infer([TensorType("int8", ("N", 3))])[0].sizes == (None,)
    assert Compress([True], 0).infer([TensorType("int8", None)])[0].sizes is None


def test_refusals() -> None:
    with pytest.raises(InvalidTypeError, match="condition has dtype int64, allowed bool"):
        Compress([1, 0])
    with pytest.raises(InvalidValueError, match="condition has 2 axes, allowed 1"):
        Compress([[True]])
    with pytest.raises(InvalidValueError, match=r"axis is 2, allowed -2..1"):
        agreed(Compress([True], 2), np.zeros((2, 2)))
