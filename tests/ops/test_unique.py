"""Unique: constants, plan and formula agree; it is NumPy's; the specifications' examples; NaN and -0.0."""

import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from tests.support.run import agreed
from tests.support.strategies import sizes, strided
from wherry import _core
from wherry.engine.call import apply
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.graph import Deferred, GraphBuilder
from wherry.models.model import GraphModel
from wherry.ops import Unique
from wherry.tensors import TensorType

POOLS = {
    "int8": [0, -1, 5, 127], "uint64": [0, 2**64 - 1, 2**63, 7], "bool": [False, True], "U2": ["", "a", "b", "ab"],
    "S2": [b"", b"a", b"b"], "float16": [0.0, -0.0, np.nan, -np.inf, 1.5], "float64": [0.0, -0.0, np.nan, np.inf, 2],
    "complex64": [0, 1j, 1, -1 + 2j], ">f4": [1, 2, -0.0, 0.0], "object": ["", "x", "y", "xy"],
    "bfloat16": [0.0, -0.0, np.nan, 3], "float8_e5m2": [0.0, -0.0, np.nan, np.inf, 3], "int4": [-8, 0, 7],
    "uint4": [15, 0],
}  # fmt: skip


@contextmanager
def several_threads(threads: int) -> Iterator[None]:
    wh.set_num_threads(threads)
    try:
        yield
    finally:
        wh.set_num_threads(0)


def test_lack_of_memory_is_told_in_words_each_time() -> None:
    code = """
import resource
import numpy as np
import wherry as wh
data = np.arange(10_000_000) % 7
wh.onnx.unique(data[:100])
for times in (0, 3):  # a call that is new, and one that is kept
    for _ in range(times):
        assert wh.onnx.unique(data).counts.sum() == data.size
    pages = int(open("/proc/self/statm").read().split()[0])
    free = pages * resource.getpagesize() + (48 << 20)
    resource.setrlimit(resource.RLIMIT_AS, (free, resource.RLIM_INFINITY))
    for _ in range(2):
        try:
            wh.onnx.unique(data)
        except MemoryError as error:
            print(type(error).__name__, error)
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
"""
    environment = {**os.environ, "WHERRY_KEPT_BYTES": "0"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120)
    words = "ONNX Unique-28: what is made of 80000000 bytes of values takes more memory than there is"
    assert done.stdout.splitlines() == [f"ResourceLimitError {words}"] * 4


@given(st.data())
def test_constants_plan_and_reference_agree(draw: st.DataObject) -> None:
    name = draw.draw(st.sampled_from(sorted(POOLS)))
    shape = draw.draw(sizes(3, 3))
    count = int(np.prod(shape))
    drawn = draw.draw(st.lists(st.sampled_from(POOLS[name]), min_size=count, max_size=count))
    values = np.array(drawn, getattr(ml_dtypes, name, name)).reshape(shape)
    data = values if name == "object" else draw.draw(strided(values))
    axis = draw.draw(st.none() | st.integers(-len(shape), len(shape) - 1)) if shape else None
    ordered, nan = draw.draw(st.booleans()), draw.draw(st.sampled_from(["equal", "distinct"]))
    index, counts = draw.draw(st.sampled_from([("int64", "int32"), ("int32", "int64")]))
    outputs = agreed(Unique(data, axis, ordered, nan, index, counts))
    assert [out.dtype.name for out in outputs[1:]] == [index, index, counts]
    if name in ("int8", "bool", "U2") and ordered and (axis is None or 0 not in shape):
        expected = np.unique(data, True, True, True, axis=axis)
        assert all(np.array_equal(a, b.reshape(a.shape)) for a, b in zip(outputs, expected, strict=True))


@pytest.mark.parametrize("dtype", ["int8", "int16", "int64", "uint8", "uint32", "uint64"])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_integers_are_counted_as_numpy_sorts_them(dtype: str, axis: int | None) -> None:
    """Spread less than there are of them, as much, and more; at either end of the type's range."""
    limits = np.iinfo(dtype)
    for low in (limits.min, -1 if limits.min else 0, limits.max - 120):
        for spread in (1, 5, 119, 120, 121):
            drawn = np.random.default_rng(spread).integers(0, spread, (4, 30))
            drawn[1, :2] = 0, spread - 1
            data = (drawn.astype(object) + max(low, limits.min)).astype(dtype)
            expected = np.unique(data, True, True, True, axis=axis)
            found = agreed(Unique(data, axis))
            assert all(np.array_equal(a, b.reshape(a.shape)) for a, b in zip(found, expected, strict=True))


def test_bools_of_any_byte_are_two_values() -> None:
    data = np.array([2, 0, 1, 255, 0], np.uint8).view(bool)
    assert [out.tolist() for out in Unique(data).fold([])][1:] == [[1, 0], [1, 0, 1, 1, 0], [2, 3]]


def as_lists(operator: Unique) -> list[object]:
    return [out.tolist() for out in agreed(operator)]


def test_onnx_unique_examples() -> None:
    data = np.array([2, 1, 1, 3, 4, 3], np.float32)
    assert as_lists(Unique(data, sorted=False)) == [[2, 1, 3, 4], [0, 1, 3, 4], [0, 1, 1, 2, 3, 2], [1, 2, 2, 1]]
    assert as_lists(Unique([[1, 3], [2, 3]])) == [[1, 2, 3], [0, 2, 1], [0, 2, 1, 2], [1, 1, 2]]
    rows = [[1, 0, 0], [1, 0, 0], [2, 3, 4]]
    assert as_lists(Unique(rows, 0)) == [[[1, 0, 0], [2, 3, 4]], [0, 2], [0, 0, 1], [2, 1]]
    planes = [[[1, 1], [0, 1], [2, 1], [0, 1]]] * 2
    assert as_lists(Unique(planes, 1)) == [[[[0, 1], [1, 1], [2, 1]]] * 2, [1, 0, 2], [1, 0, 2, 0], [2, 1, 1]]


def test_openvino_unique_examples() -> None:
    data = [2, 1, 1, 3, 4, 3]
    expected = [[1, 2, 3, 4], [1, 0, 3, 4], [1, 0, 0, 2, 3, 2], [2, 1, 2, 1]]
    assert as_lists(Unique(data, np.array([0]), index_dtype="int32")) == expected
    assert as_lists(Unique(np.array(7))) == [[7], [0], [0], [1]]


def test_nan_and_zero() -> None:
    first, second = np.array([0x7FC00001, 0xFFC00002], np.uint32).view(np.float32)
    data = np.array([first, 1, second, -0.0, 0.0], np.float32)
    values, indices, inverse, counts = agreed(Unique(data))
    assert values.view(np.uint32).tolist() == [0x80000000, 0x3F800000, 0x7FC00001]
    assert (indices.tolist(), inverse.tolist(), counts.tolist()) == ([3, 1, 0], [2, 1, 2, 0, 0], [2, 1, 2])
    values, _, inverse, counts = agreed(Unique(data, nan="distinct"))
    assert values.view(np.uint32).tolist()[2:] == [0x7FC00001, 0xFFC00002]
    assert (inverse.tolist(), counts.tolist()) == ([2, 1, 3, 0, 0], [2, 1, 1, 1])


def test_empty() -> None:
    assert as_lists(Unique(np.zeros(0))) == [[], [], [], []]
    values, *others = agreed(Unique(np.zeros((2, 0)), 1))
    assert values.shape == (2, 0)
    assert [other.shape for other in others] == [(0,)] * 3
    values, *_ = agreed(Unique(np.zeros((3, 0)), 0))
    assert values.shape == (1, 0)  # slices without elements are equal


def test_data_may_be_an_input() -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("int8", ("N", 2)))
    deferred = Deferred(Unique, (("axis", 0), ("count_dtype", "int32")), (("data", 0),))
    kinds = builder.add(deferred, ["x"], ["v", "i", "r", "c"], "OpenVINO Unique-10")
    assert list(map(str, kinds)) == ["int8[?, 2]", "int64[?]", "int64[?]", "int32[?]"]
    model = GraphModel(builder.build(["v", "c"]), "openvino")
    results = model.run([np.array([[1, 2], [0, 9], [1, 2]], np.int8)])
    assert results["v"].tolist() == [[0, 9], [1, 2]]
    assert results["c"].tolist() == [1, 2]


def test_expectations() -> None:
    assert str(Unique.expect({}, {"data": TensorType("int8", ("N", 2))})[0]) == "int8[?]"
    assert str(Unique.expect({"axis": 1}, {"data": TensorType("int8", None)})[0]) == "int8[...]"


def test_refusals() -> None:
    with pytest.raises(InvalidTypeError, match="data has dtype datetime64"):
        Unique(np.zeros(2, "M8[s]"))
    with pytest.raises(InvalidValueError, match=r"axis is 2, allowed -2\.\.1"):
        Unique(np.zeros((2, 2)), 2)
    with pytest.raises(InvalidValueError, match="index_dtype is int8, allowed int32, int64"):
        Unique([1], index_dtype="int8")


def test_signalling_nan_warn_of_nothing() -> None:
    with warnings.catch_warnings(action="error"):
        agreed(Unique(np.array([0x7F800001, 0x3F800000], np.uint32).view(np.float32)))


def _spread(dtype: str, count: int) -> dict[str, np.ndarray]:
    """Vectors of each kind that the core has a way of its own for."""
    rng = np.random.default_rng(5)
    bits = rng.integers(0, 256, (count, 8), np.uint8).view(np.uint64).ravel()
    wide = bits.view(dtype)[:count] if np.dtype(dtype).itemsize == 8 else bits.astype(np.uint32).view(dtype)
    few = np.array([7, 100, 101], dtype)[rng.integers(0, 3, count)]
    skewed = np.where(rng.integers(0, 2, count) == 0, few, wide)
    return {"wide": wide, "few": few, "skewed": skewed, "ascending": np.sort(wide), "equal": np.full(count, wide[0])}


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint64", "float32", "float64"])
@pytest.mark.parametrize("count", [600, 40_000, 150_000])
def test_any_number_of_threads_finds_what_numpy_does(dtype: str, count: int) -> None:
    for data in _spread(dtype, count).values():
        _, first, inverse, counts = np.unique(data, True, True, True)
        order = np.argsort(first)
        number = np.argsort(order)
        for threads in (1, 3):
            with several_threads(threads):
                found, in_order = Unique(data).fold([]), Unique(data, sorted=False).fold([])
            assert found[0].tobytes() == data[first].tobytes()
            assert all(map(np.array_equal, found[1:], (first, inverse, counts)))
            assert in_order[0].tobytes() == data[first[order]].tobytes()
            assert all(map(np.array_equal, in_order[1:], (first[order], number[inverse], counts[order])))


def test_each_nan_is_a_value_behind_all_others() -> None:
    data = np.random.default_rng(1).standard_normal(50_000).astype(np.float32)
    data[::7] = np.nan
    data[1::7] = 3
    _, first, inverse, counts = np.unique(data, True, True, True, equal_nan=False)
    for threads in (1, 2):
        with several_threads(threads):
            found = Unique(data, nan="distinct").fold([])
        assert found[0].tobytes() == data[first].tobytes()
        assert all(map(np.array_equal, found[1:], (first, inverse, counts)))


@pytest.mark.parametrize("columns", [1, 3, 20, 70])
@pytest.mark.parametrize("dtype", ["int64", "float32", "U1"])
def test_rows_as_numpy_sorts_them(dtype: str, columns: int) -> None:
    data = np.random.default_rng(2).integers(0, 3 if columns < 20 else 2, (300, columns))
    data[:, 1 : columns - 1] = 1  # most rows differ in their ends alone
    expected = np.unique(data, True, True, True, axis=0)
    found = Unique(data.astype(dtype), 0).fold([])
    assert np.array_equal(found[0].astype(np.int64), expected[0])
    assert all(np.array_equal(a, b.reshape(a.shape)) for a, b in zip(found[1:], expected[1:], strict=True))


@pytest.mark.parametrize("dtype", ["U9", "S9", object, np.dtypes.StringDType(), np.dtypes.StringDType(na_object="?")])
def test_strings_as_numpy_finds_them(dtype: object) -> None:
    for count in (1, 2, 700, 20_000):
        words = [f"{number * number % 97}" + "x" * (number % 30) for number in range(count)]
        data = np.array(words, dtype)
        expected = np.unique(data, True, True, True)
        _, first, inverse, counts = expected
        order = np.argsort(first)
        number = np.argsort(order)
        for made in (Unique(data).fold([]), apply(Unique(data), [], ""), apply(Unique(data), [], "")):
            assert [each.tolist() for each in made] == [each.tolist() for each in expected]
            assert made[0].dtype == data.dtype
        found = apply(Unique(data, sorted=False), [], "")
        wanted = (data[first[order]], first[order], number[inverse], counts[order])
        assert [each.tolist() for each in found] == [each.tolist() for each in wanted]
        found[0][...] = data[:1]  # which are new arrays, of which the operator keeps none
        assert apply(Unique(data, sorted=False), [], "")[0].tolist() == wanted[0].tolist()


@given(words=st.lists(st.text("a\0b\xe9\xff\u0100\u20ac\ud800\U0001f600", max_size=11) | st.text("ab", max_size=2)))
def test_strings_of_any_characters(words: list[str]) -> None:
    data = np.empty(len(words), object)
    data[:] = words
    values, first, inverse, counts = Unique(data).fold([])
    assert values.tolist() == sorted(set(words))
    assert first.tolist() == [words.index(value) for value in values]
    assert values[inverse].tolist() == words
    assert counts.tolist() == [words.count(value) for value in values]


@pytest.mark.parametrize("words", [[b"b", b"a", b"b"], [2.5, 1.0, 2.5], [2**70, -1, 2**70]])
def test_objects_that_are_no_strings(words: list[object]) -> None:
    data = np.array([*words, words[1]], object)
    assert [each.tolist() for each in Unique(data).fold([])] == [[words[1], words[0]], [1, 0], [1, 0, 1, 0], [2, 2]]


def test_the_core_takes_vectors_of_strings_alone() -> None:
    words = np.array(["b", "a", "b", "c"], object)
    assert _core.unique_strings(np.append(words, None)) is None
    assert _core.unique_strings(np.array([np.str_("a")], object)) is None  # of a class of somebody's own
    for refused in (words[::2], words.reshape(2, 2), words.astype(str), ["a"]):
        with pytest.raises(ValueError, match="data must be a vector of objects without gaps"):
            _core.unique_strings(refused)
