"""The ONNX functions: each version's rules, and every refusal with its words."""

from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from tests.support.compare import assert_same_bits
from tests.support.strategies import distinct, sizes, strided
from wherry import dtypes
from wherry.dialects.onnx import type_sets
from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError, UnsupportedError

F = np.arange(5, dtype=np.float32)


@st.composite
def gathers(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    shape = list(draw(sizes(3, 3)))
    axis = draw(st.integers(0, len(shape)))
    size = draw(st.integers(1, 4))
    shape.insert(axis, size)
    dtype = draw(st.sampled_from(["bool", "int8", "float16", "float32", "complex128", ml_dtypes.bfloat16]))
    data = draw(strided(distinct(tuple(shape), np.dtype(dtype))))
    picked = draw(sizes(2, 3))
    count = int(np.prod(picked))
    values = draw(st.lists(st.integers(-size, size - 1), min_size=count, max_size=count))
    indices = draw(strided(np.array(values, draw(st.sampled_from(["int32", "int64"]))).reshape(picked)))
    return data, indices, draw(st.sampled_from([axis, axis - len(shape)]))


@given(gathers())
def test_gather_is_numpys_take(case: tuple[np.ndarray, np.ndarray, int]) -> None:
    data, indices, axis = case
    assert_same_bits(wh.onnx.gather(data, indices, axis), np.take(data, indices, axis))


@pytest.mark.parametrize("opset", range(1, 29))
def test_negative_indices_by_opset(opset: int) -> None:
    if opset >= 11:
        assert wh.onnx.gather(F, [-1], opset=opset).tolist() == [4.0]
        return
    with pytest.raises(IndexOutOfRangeError, match=r"^ONNX Gather-1: indices\[0\] is -1, allowed 0\.\.4 \(axis 0"):
        wh.onnx.gather(F, [-1], opset=opset)


@pytest.mark.parametrize("opset", [1, 11, 13])
@pytest.mark.parametrize("bad", [5, -6, 2**32 + 1, 2**63 - 1, -(2**63)])
def test_index_out_of_range_raises_in_all_versions(opset: int, bad: int) -> None:
    with pytest.raises(IndexOutOfRangeError, match=rf"^ONNX Gather-{opset}: indices\[0, 1\] is {bad}, allowed"):
        wh.onnx.gather(F, [[0, bad]], opset=opset)


def test_gather_checks_indices_of_an_empty_result() -> None:
    with pytest.raises(IndexOutOfRangeError, match=r"ONNX Gather-13: indices\[0\] is 5"):
        wh.onnx.gather(np.zeros((3, 0), np.float32), [5])
    assert wh.onnx.gather(np.zeros((0, 2)), np.zeros((0,), np.int64)).shape == (0, 2)


GATHERED = {1: type_sets.ALL_1, 11: type_sets.ALL_1, 13: type_sets.ALL_13}


@pytest.mark.parametrize("opset", GATHERED)
@pytest.mark.parametrize("dtype", [dtype for dtype in dtypes.TABLE if dtype.onnx], ids=str)
def test_gather_takes_exactly_the_types_of_its_version(opset: int, dtype: dtypes.DType) -> None:
    data = np.zeros(2, dtype.numpy) if not dtype.is_string else np.array(["a", "b"], object)
    if dtype in GATHERED[opset].members:
        assert_same_bits(wh.onnx.gather(data, [1, 0], opset=opset), data[[1, 0]])
        return
    with pytest.raises(InvalidTypeError, match=f"ONNX Gather-{opset}: data has dtype {dtype}, allowed bool, int8"):
        wh.onnx.gather(data, [1, 0], opset=opset)


SPELLED_STRINGS = [np.array(["a", "bcd"]), np.array([b"a", b"bcd"]), np.array(["a", "bcd"], np.dtypes.StringDType())]


@pytest.mark.parametrize("data", SPELLED_STRINGS, ids=lambda array: array.dtype.kind)
def test_strings_of_every_numpy_kind(data: np.ndarray) -> None:
    assert list(wh.onnx.gather(data, [1, 0])) == list(data[::-1])
    assert list(wh.onnx.identity(data)) == list(data)
    assert list(wh.onnx.concat([data, data[:1]], 0)) == [*data, data[0]]
    assert [list(part) for part in wh.onnx.split(data, [1, 1])] == [[data[0]], [data[1]]]


def test_concat_of_strings_of_several_widths() -> None:
    assert list(wh.onnx.concat([["a"], ["bcd"]], 0)) == ["a", "bcd"]


def test_split_gives_views() -> None:
    parts = wh.onnx.split(F, [2, 0, 3])
    assert [part.tolist() for part in parts] == [[0, 1], [], [2, 3, 4]]
    assert all(part.base is F for part in parts)


@pytest.mark.parametrize(
    ("opset", "sizes_"), [(1, [2, 3]), (2, (2, 3)), (11, np.array([2, 3])), (13, [2, 3]), (18, np.array([2, 3]))]
)
def test_split_takes_its_sizes_in_every_version(opset: int, sizes_: object) -> None:
    assert [part.tolist() for part in wh.onnx.split(F, sizes_, opset=opset)] == [[0, 1], [2, 3, 4]]


@pytest.mark.parametrize(
    ("size", "count", "parts"),
    [(7, 3, [3, 3, 1]), (6, 3, [2, 2, 2]), (6, 4, [2, 2, 2, 0]), (2, 3, [1, 1, 0]), (0, 2, [0, 0]), (5, 1, [5])],
)
def test_split_into_num_outputs(size: int, count: int, parts: list[int]) -> None:
    assert [len(part) for part in wh.onnx.split(np.zeros(size), num_outputs=count)] == parts


def test_concat_axis_is_1_by_default_in_version_1() -> None:
    assert wh.onnx.concat([F[None], F[None]], opset=3).shape == (1, 10)
    assert wh.onnx.concat([F[None], F[None]], 0, opset=3).shape == (2, 5)


def test_identity_is_a_copy() -> None:
    result = wh.onnx.identity(F)
    assert_same_bits(result, F)
    assert not np.shares_memory(result, F)
    assert wh.onnx.identity(3.5).shape == ()


VALUE, TYPE = InvalidValueError, InvalidTypeError

REFUSALS: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "uint8 indices": (
        lambda: wh.onnx.gather(F, np.array([1], np.uint8)), TYPE,
        "^ONNX Gather-13: indices has dtype uint8, allowed int32, int64; convert it first$"),
    "gather axis": (lambda: wh.onnx.gather(F, [0], 1), VALUE, r"^ONNX Gather-13: axis is 1, allowed -1\.\.0"),
    "gather scalar": (lambda: wh.onnx.gather(3.0, [0]), VALUE, "^ONNX Gather-13: axis is 0, but data is a sca"),
    "gather float axis": (lambda: wh.onnx.gather(F, [0], 0.5), TYPE, r"^ONNX Gather-13: axis is 0\.5"),
    "opset": (lambda: wh.onnx.gather(F, [0], opset=29), UnsupportedError, "^ONNX Gather: opset is 29, allowed 1"),
    "ragged": (lambda: wh.onnx.gather([[1], [1, 2]], [0]), TYPE, "^ONNX Gather-13: data is a list"),
    "dates": (lambda: wh.onnx.identity(np.zeros(1, "M8[s]")), TYPE, r"^ONNX Identity-25: input has dtype date"),
    "optional": (lambda: wh.onnx.identity(np.array([None])), TYPE,
                 r"^ONNX Identity-25: input\[0\] is a .*NoneType.*, allowed str, .* values are not supported"),
    "float8 too early": (lambda: wh.onnx.identity(np.zeros(1, ml_dtypes.float8_e5m2), opset=18), TYPE,
                         "^ONNX Identity-16: input has dtype float8_e5m2, allowed"),
    "num_outputs at 13": (lambda: wh.onnx.split(F, num_outputs=2, opset=13), VALUE,
                          "^ONNX Split-13: attribute 'num_outputs' is not one that this version has, allowed axis$"),
    "num_outputs at 2": (lambda: wh.onnx.split(F, num_outputs=2, opset=2), VALUE,
                         "^ONNX Split-2: attribute 'num_outputs' is not one that this version has, allowed axis, spl"),
    "both": (lambda: wh.onnx.split(F, [2, 3], num_outputs=2), VALUE, "^ONNX Split-18: num_outputs and split are"),
    "neither at 18": (lambda: wh.onnx.split(F), VALUE, "^ONNX Split-18: split and num_outputs are both missing"),
    "neither at 13": (lambda: wh.onnx.split(F, opset=13), VALUE, "^ONNX Split-13: split is missing; equal parts"),
    "no parts": (lambda: wh.onnx.split(F, num_outputs=0), VALUE, "^ONNX Split-18: num_outputs is 0, allowed 1"),
    "two smaller parts": (lambda: wh.onnx.split(F, num_outputs=4), VALUE, "^ONNX Split-18: num_outputs is 4"),
    "sum": (lambda: wh.onnx.split(F, [2, 2]), VALUE, r"^ONNX Split-18: split is \[2, 2\], allowed a sum of 5"),
    "negative size": (lambda: wh.onnx.split(F, [6, -1]), VALUE, r"^ONNX Split-18: split\[1\] is -1, allowed 0"),
    "negative size at 11": (lambda: wh.onnx.split(F, [6, -1], opset=11), VALUE,
                            r"^ONNX Split-11: split\[1\] is -1, allowed 0 and more"),
    "negative axis at 2": (lambda: wh.onnx.split(F, [2, 3], -1, opset=2), VALUE,
                           "^ONNX Split-2: axis is -1, allowed 0 and more; a negative axis counts from the end from"),
    "int32 sizes": (lambda: wh.onnx.split(F, np.array([2, 3], np.int32)), TYPE,
                    "^ONNX Split-18: split has dtype int32, allowed int64"),
    "sizes with axes": (lambda: wh.onnx.split(F, [[2, 3]]), VALUE, "^ONNX Split-18: split has 2 axes, allowed 1"),
    "int data at 1": (lambda: wh.onnx.split(np.arange(5), [2, 3], opset=1), TYPE,
                      "^ONNX Split-1: input has dtype int64, allowed float16, float32, float64"),
    "size word": (lambda: wh.onnx.split(F, 2, opset=2), TYPE, "^ONNX Split-2: split is 2, allowed a sequence"),
    "no axis": (lambda: wh.onnx.concat([F]), VALUE, "^ONNX Concat-13: attribute 'axis' is missing"),
    "no arrays": (lambda: wh.onnx.concat([], 0), VALUE, "^ONNX Concat-13: input inputs is missing"),
    "one array": (lambda: wh.onnx.concat(5, 0), TYPE, "^ONNX Concat-13: arrays is 5, allowed a sequence"),
    "mixed": (lambda: wh.onnx.concat([F, [1]], 0), TYPE,
              r"^ONNX Concat-13: inputs\[1\] has dtype int64, allowed float32 as inputs\[0\]"),
    "negative axis at 4": (lambda: wh.onnx.concat([F], -1, opset=4), VALUE, "^ONNX Concat-4: axis is -1, allow"),
    "sizes": (lambda: wh.onnx.concat([F[None], F[None, :4]], 0), VALUE,
              r"^ONNX Concat-13: inputs\[1\] has size 4 on axis 1, allowed 5"),
    "ranks": (lambda: wh.onnx.concat([F[:0], F[None]], 0), VALUE, r"^ONNX Concat-13: inputs\[1\] has 2 axes"),
    "the version's words": (lambda: wh.onnx.reverse_sequence(F[None], [1, 2]), VALUE,
                            "^ONNX ReverseSequence-28: sequence_lens has size 2 on axis 0, .* of axis . of input$"),
    "behind words": (lambda: wh.onnx.space_to_depth(np.zeros((1, 1, 3, 5)), blocksize=5), VALUE,
                     "^ONNX SpaceToDepth-13: size of axis 2 of input is 3, allowed multiples of 5; as blocksize asks$"),
    "scalars": (lambda: wh.onnx.concat([np.float32(1)], 0), VALUE, "^ONNX Concat-13: axis is 0, but inputs"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name: str) -> None:
    call, error, text = REFUSALS[name]
    with pytest.raises(error, match=text):
        call()


def test_sizes_in_the_type_of_the_data_are_whole() -> None:
    from wherry.ops.split import split_by_sizes

    assert split_by_sizes(0, np.array([2.0, 3.0], np.float32)).sizes == (2, 3)
    for bad, error in ((2.5, InvalidTypeError), (np.nan, InvalidValueError), (np.inf, InvalidTypeError)):
        with pytest.raises(error, match=r"split\[0\] is "):
            split_by_sizes(0, np.array([bad], np.float32))
