"""GatherElements: the core against the reference and NumPy, examples of the specifications, every refusal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from tests.support.strategies import ELEMENT_DTYPES, distinct, index_arrays, sizes, strided
from wherry import reference
from wherry.engine.call import apply
from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError
from wherry.graph import GraphBuilder
from wherry.models.model import GraphModel
from wherry.ops import GatherElements
from wherry.tensors import TensorType

RULES = ["raise", "clamp", "zero", "wrap"]


@st.composite
def cases(draw: st.DrawFn, *, bad: bool, words: bool = False) -> tuple[GatherElements, np.ndarray, np.ndarray]:
    shape = draw(sizes(5, 3).filter(len))
    axis = draw(st.integers(0, len(shape) - 1))
    off_axis = draw(st.sampled_from(["equal", "at_most"]))
    smaller = [draw(st.integers(0, n)) if off_axis == "at_most" else n for n in shape]
    picked = (*smaller[:axis], draw(st.integers(0, 4)), *smaller[axis + 1 :])
    indices = draw(index_arrays(picked, (shape[axis],), bad=bad))
    if words:
        data = np.array([f"{n}" for n in range(int(np.prod(shape)))], object).reshape(shape)
    else:
        data = draw(strided(distinct(shape, draw(st.sampled_from(ELEMENT_DTYPES))), overlapping=True))
    operator = GatherElements(
        axis - draw(st.sampled_from([0, len(shape)])),
        draw(st.sampled_from(RULES)),
        draw(st.sampled_from(["from_end", "invalid"])),
        off_axis,
    )
    return operator, data, indices


def agrees(operator: GatherElements, data: np.ndarray, indices: np.ndarray) -> None:
    try:
        (expected,) = reference.run(operator, [data, indices])
    except (IndexError, InvalidValueError) as error:
        with pytest.raises((IndexError, InvalidValueError)) as raised:
            apply(operator, [data, indices], "test")
        assert isinstance(raised.value, IndexError) == isinstance(error, IndexError)
        return
    assert_same_bits(apply(operator, [data, indices], "test")[0], expected)


@given(cases(bad=True))
def test_core_agrees_with_the_reference(case: tuple[GatherElements, np.ndarray, np.ndarray]) -> None:
    agrees(*case)


@given(cases(bad=True, words=True))
def test_objects_agree_with_the_reference(case: tuple[GatherElements, np.ndarray, np.ndarray]) -> None:
    agrees(*case)


@given(cases(bad=True), st.data())
def test_a_strided_out_is_filled_or_left_alone(
    case: tuple[GatherElements, np.ndarray, np.ndarray], draw: st.DataObject
) -> None:
    operator, data, indices = case
    blank = np.full(indices.shape, np.frombuffer(b"\x5a" * data.itemsize, data.dtype)[0], data.dtype)
    out = draw.draw(strided(blank))
    try:
        (expected,) = reference.run(operator, [data, indices])
    except (IndexError, InvalidValueError):
        expected = blank
        with pytest.raises((IndexError, InvalidValueError)):
            apply(operator, [data, indices], "test", out)
    else:
        apply(operator, [data, indices], "test", out)
    assert_same_bits(out.copy(), expected)


@given(cases(bad=False))
def test_good_indices_are_numpys_take_along_axis(case: tuple[GatherElements, np.ndarray, np.ndarray]) -> None:
    operator, data, indices = case
    axis = operator.axis % data.ndim
    if data.shape[axis] == 0 or operator.negative == "invalid":
        return
    part = data[tuple(slice(None) if a == axis else slice(n) for a, n in enumerate(indices.shape))]
    expected = np.take_along_axis(part, indices.astype(np.int64), axis)
    assert_same_bits(apply(operator, [data, indices], "test")[0], expected)


@pytest.mark.parametrize("shape", [(5000, 3), (3, 5000), (2000, 7, 2), (300, 70), (64, 600)])
@pytest.mark.parametrize("dtype", ["u1", "f4", "c16", "V3"])
def test_large_arrays_of_common_shapes(shape: tuple[int, ...], dtype: str) -> None:
    rng = np.random.default_rng(len(shape))
    data = distinct(shape, np.dtype(dtype))
    for axis, size in enumerate(shape):
        indices = rng.integers(-size, size, shape)
        assert_same_bits(
            apply(GatherElements(axis), [data, indices], "test")[0],
            np.take_along_axis(data, indices, axis),
        )
        bad = indices.copy()
        bad[-1] = size
        zeros = apply(GatherElements(axis, "zero"), [data, bad], "test")[0]
        assert zeros[-1].tobytes() == bytes(zeros[-1].nbytes)
        assert_same_bits(zeros[:-1], np.take_along_axis(data, indices, axis)[:-1])


@pytest.mark.parametrize(
    ("axis", "data", "indices", "expected"),
    [
        (1, [[1, 2], [3, 4]], [[0, 0], [1, 0]], [[1, 1], [4, 3]]),  # ONNX GatherElements, example 1
        (0, [[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[1, 2, 0], [2, 0, 0]], [[4, 8, 3], [7, 2, 3]]),  # example 2
        (0, [[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[-1, -2, 0], [-2, 0, 0]], [[7, 5, 3], [4, 2, 3]]),  # negative
        (0, [[1, 2], [3, 4]], [[0, 1], [0, 0]], [[1, 4], [1, 2]]),  # OpenVINO GatherElements-6
    ],
)
def test_examples_of_the_specifications(axis: int, data: list, indices: list, expected: list) -> None:
    out = apply(GatherElements(axis), [np.array(data), np.array(indices)], "test")[0]
    assert out.tolist() == expected


@pytest.mark.parametrize(
    ("fields", "data", "indices", "error", "text"),
    [
        (dict(axis=2), (2, 2), (2, 2), InvalidValueError, "axis is 2, allowed -2..1; data has 2 axes"),
        (dict(), (), (), InvalidValueError, "data is a scalar"),
        (dict(), (2, 2), (2,), InvalidValueError, "indices has 1 axes, allowed 2, as many as data"),
        (
            dict(),
            (2, 2),
            (3, 1),
            InvalidValueError,
            "size of axis 1 of indices is 1, allowed 2; only axis 0 may differ",
        ),
        (dict(off_axis="at_most"), (2, 2), (2, 3), InvalidValueError, "axis 1 of indices is 3, allowed up to 2"),
        (dict(out_of_range="skip"), (2,), (1,), InvalidValueError, "out_of_range is 'skip', allowed 'raise', 'clamp'"),
        (dict(off_axis="any"), (2,), (1,), InvalidValueError, "off_axis is 'any', allowed 'equal', 'at_most'"),
        (dict(out_of_range="clamp"), (0,), (1,), InvalidValueError, "size of axis 0 of data is 0, allowed 1 and more"),
        (dict(), (0,), (1,), IndexOutOfRangeError, r"indices\[0\] is 0, allowed none"),
    ],
)
def test_refusals(fields: dict, data: tuple, indices: tuple, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        apply(GatherElements(**fields), [np.zeros(data), np.zeros(indices, int)], "test")


def test_a_bad_index_is_named() -> None:
    indices = np.zeros((2, 3), np.uint8)
    indices[1, 2] = 7
    with pytest.raises(
        IndexOutOfRangeError, match=r"X: indices\[1, 2\] is 7, allowed -2..1 \(axis 0 of data has size 2"
    ):
        apply(GatherElements(0), [np.zeros((2, 3)), indices], "X")
    with pytest.raises(InvalidTypeError, match="indices has dtype float64"):
        apply(GatherElements(0), [np.zeros(2), np.zeros(2)], "X")


def test_infer_with_unknown_sizes() -> None:
    data, indices = TensorType("string", ("N", 4)), TensorType("int32", (None, "M"))
    assert GatherElements(1).infer([data, indices]) == (TensorType("string", (None, "M")),)
    assert GatherElements(1).infer([data, TensorType("int32", None)])[0].sizes is None
    assert GatherElements(1).infer([TensorType("int8", None), indices])[0].sizes == (None, "M")


def test_in_a_plan() -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", ("N", 3)))
    builder.add_input("i", TensorType("int64", ("N", 3)))
    builder.add(GatherElements(1), ["x", "i"], ["y"], "ONNX GatherElements-13 'pick'")
    model = GraphModel(builder.build(["y"]), "test")
    x, i = np.arange(6, dtype="f4").reshape(2, 3), np.array([[0, -1, 1], [2, 2, 0]])
    assert model.run([x, i])["y"].tolist() == [[0, 2, 1], [5, 5, 3]]
    assert model.plan.bytes_moved == 24
    assert "check   input i[2, 3] within [3] (negative from_end)" in str(model.plan)
    with pytest.raises(IndexOutOfRangeError, match=r"ONNX GatherElements-13 'pick': indices\[0, 0\] is 3"):
        model.run([x, i + 3])
