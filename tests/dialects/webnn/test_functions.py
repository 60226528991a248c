"""The functions of WebNN: NumPy and the reference agree, the conformance tests' cases, and every refusal in words."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from tests.support.compare import assert_same_bits
from tests.support.strategies import distinct, sizes, strided
from wherry.dialects.webnn.meaning import cast_number
from wherry.dialects.webnn.schema import BY_NAME, OPERATIONS, TYPES
from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError

F = np.arange(12, dtype=np.float32).reshape(4, 3)
U8 = np.uint8


def operands(shape: tuple[int, ...], draw: st.DrawFn) -> np.ndarray:
    return draw(strided(distinct(shape, np.dtype(draw(st.sampled_from(TYPES))))))


@given(st.data())
def test_gather_clamps_to_both_ends(draw: st.DataObject) -> None:
    shape = draw.draw(sizes(3, 3).filter(lambda given: len(given) > 0 and 0 not in given))
    axis = draw.draw(st.integers(0, len(shape) - 1))
    size = shape[axis]
    data = operands(shape, draw.draw)
    picked = np.array(draw.draw(st.lists(st.integers(-9, 9), min_size=1, max_size=5)), np.int64)
    clamped = np.clip(picked, -size, size - 1)
    assert_same_bits(wh.webnn.gather(data, picked, axis=axis), np.take(data, clamped, axis))


def test_indices_that_the_conformance_tests_clamp() -> None:
    """WPT: gather on size 2 by 10 and -10; gatherElements on size 6 by 7; gatherND on size 16 by 16 and 20."""
    assert wh.webnn.gather([5, 6], [10, -10]).tolist() == [6, 5]
    assert wh.webnn.gather_elements(np.arange(6), [7]).tolist() == [5]
    assert wh.webnn.gather_nd(np.arange(16), [[16], [20]]).tolist() == [15, 15]
    largest = np.array([2**32 - 1], np.uint32)
    assert wh.webnn.gather([5, 6], largest).tolist() == [6]
    edges = np.array([-(2**63), 2**63 - 1])
    assert wh.webnn.gather([5, 6], edges).tolist() == [5, 6]


EXAMPLES: dict[str, tuple[Callable[[], Any], Any]] = {
    "gather a scalar index": (lambda: wh.webnn.gather(F, np.int32(2), axis=1), F[:, 2]),
    "gather_nd of a whole tuple": (lambda: wh.webnn.gather_nd(F, np.int32([3, 2])), F[3, 2]),
    "scatter_nd": (lambda: wh.webnn.scatter_nd([1, 2], [[1], [1]], [8, 9]), [1, 9]),
    "slice of a window": (lambda: wh.webnn.slice(F, [1, 0], [3, 3], strides=[2, 2]), F[1:4:2, 0:3:2]),
    "slice of a scalar": (lambda: wh.webnn.slice(np.float32(3), [], []), np.float32(3)),
    "reflection": (
        lambda: wh.webnn.pad(np.arange(1, 7).reshape(2, 3), [1, 2], [1, 2], mode="reflection"),
        np.pad(np.arange(1, 7).reshape(2, 3), ((1, 1), (2, 2)), "reflect"),
    ),
    "edge, wider than the axis": (lambda: wh.webnn.pad([7, 8], [3], [3], mode="edge"), [7, 7, 7, 7, 8, 8, 8, 8]),
    "pad rounds half to even": (lambda: wh.webnn.pad(np.int32([1]), [1], [0], value=2.5), [2, 1]),
    "pad clamps": (lambda: wh.webnn.pad(U8([1]), [1], [0], value=300), [255, 1]),
    "value means nothing at an edge": (lambda: wh.webnn.pad(U8([1]), [1], [0], mode="edge", value=300), [1, 1]),
    "expand": (lambda: wh.webnn.expand([[1], [2]], [2, 2, 2]), [[[1, 1], [2, 2]]] * 2),
    "reverse nothing": (lambda: wh.webnn.reverse(F, axes=[]), F),
    "reverse one axis": (lambda: wh.webnn.reverse(F, axes=[0]), F[::-1]),
    "reverse all": (lambda: wh.webnn.reverse(F), F[::-1, ::-1]),
    "transpose": (lambda: wh.webnn.transpose(F[None]), F[None].transpose()),
    "triangular beyond the matrix": (lambda: wh.webnn.triangular(F, diagonal=9), np.zeros_like(F)),
    "lower": (lambda: wh.webnn.triangular(F, upper=False, diagonal=-1), np.tril(F, -1)),
    "where broadcasts": (lambda: wh.webnn.where(U8([[1], [0]]), [1, 2], 3), [[1, 2], [3, 3]]),
    "cast saturates": (lambda: wh.webnn.cast(np.float32([300, -1.5, np.nan]), "uint8"), [255, 0, 0]),
    "cast wraps": (lambda: wh.webnn.cast(np.int8([-1]), "uint8"), [255]),
    "cast to float16": (lambda: wh.webnn.cast(np.int32([2049, 65519, 65520]), "float16"), [2048, 65504, np.inf]),
    "concat of one": (lambda: wh.webnn.concat([F], 1), F),
    "split": (lambda: wh.webnn.split(F, 2)[1], F[2:]),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    call, expected = EXAMPLES[name]
    result = call()
    np.testing.assert_array_equal(result, expected)


def test_what_is_not_chosen_does_not_matter() -> None:
    """The emulation in a note multiplies and adds, and would make NaN of it."""
    assert wh.webnn.where(U8([1, 0]), np.float32([1, np.nan]), np.float32([np.inf, 2])).tolist() == [1, 2]


def test_results_go_to_out() -> None:
    out = np.zeros((3, 8), np.float32)[:, ::2]
    assert wh.webnn.transpose(F, out=out) is out
    assert_same_bits(out.copy(), F.T.copy())


REFUSALS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "bool": (
        lambda: wh.webnn.where([True], [1], [2]),
        InvalidTypeError,
        "WebNN where: condition has dtype bool, allowed",
    ),
    "float64": (
        lambda: wh.webnn.identity([0.5]),
        InvalidTypeError,
        "WebNN identity: input has dtype float64, allowed fl",
    ),
    "int8 indices": (
        lambda: wh.webnn.gather(F, np.int8([0])),
        InvalidTypeError,
        "indices has dtype int8, allowed int32",
    ),
    "a negative axis": (
        lambda: wh.webnn.gather(F, [0], axis=-1),
        InvalidValueError,
        "axis is -1, allowed 0..4294967295",
    ),
    "an axis too many": (lambda: wh.webnn.gather(F, [0], axis=2), InvalidValueError, "axis is 2, allowed 0..1"),
    "a scalar": (
        lambda: wh.webnn.gather(np.float32(1), [0]),
        InvalidValueError,
        "input has 0 axes, allowed 1 and more",
    ),
    "no elements": (
        lambda: wh.webnn.identity(np.zeros((2, 0), U8)),
        InvalidValueError,
        "input on axis 1 is 0, allowed",
    ),
    "off the axis": (
        lambda: wh.webnn.gather_elements(F, [[0]]),
        InvalidValueError,
        "size of axis 1 of indices is 1, allowed 3; only axis 0 may differ from input",
    ),
    "types of updates": (
        lambda: wh.webnn.scatter_nd([1], [[0]], np.float32([2])),
        InvalidTypeError,
        "updates has dtype float32, allowed int64",
    ),
    "a bad scatter": (
        lambda: wh.webnn.scatter_elements([1], [1], [2]),
        IndexOutOfRangeError,
        "indices[0] is 1, allowed",
    ),
    "a window outside": (
        lambda: wh.webnn.slice(F, [2, 0], [3, 3]),
        InvalidValueError,
        "sizes[0] is 3, allowed up to 2",
    ),
    "a window that begins outside": (
        lambda: wh.webnn.slice(F, [5, 0], [1, 3]),
        InvalidValueError,
        "starts[0] is 5, allowed 0..3",
    ),
    "sizes of parts": (lambda: wh.webnn.split(F, [1, 2]), InvalidValueError, "splits is [1, 2], allowed a sum of 4"),
    "other elements": (
        lambda: wh.webnn.reshape(F, [5, 3]),
        InvalidValueError,
        "newShape is [5, 3], allowed sizes of 12 elements in all; input has sizes [4, 3]",
    ),
    "broadcasting": (
        lambda: wh.webnn.where(U8([1]), [1, 2], [1, 2, 3]),
        InvalidValueError,
        "falseValue has size 3 on axis -1, allowed 1 or 2, the size of trueValue there",
    ),
    "a bad tuple": (
        lambda: wh.webnn.scatter_nd(F, [[9]], F[:1]),
        IndexOutOfRangeError,
        "indices[0, 0] is 9, allowed -4..3 (axis 0 of input has size 4)",
    ),
    "a stride of 0": (lambda: wh.webnn.slice(F, [0, 0], [1, 1], strides=[1, 0]), InvalidValueError, "strides[1] is 0"),
    "a size of 0": (lambda: wh.webnn.slice(F, [0, 0], [0, 1]), InvalidValueError, "sizes[0] is 0, allowed 1.."),
    "starts": (
        lambda: wh.webnn.slice(F, [0], [1]),
        InvalidValueError,
        "starts is 1 entries, allowed 2, one for each axis",
    ),
    "uneven": (lambda: wh.webnn.split(F, 3), InvalidValueError, "splits is 3, allowed a divisor of 4"),
    "an empty part": (lambda: wh.webnn.split(F, [4, 0]), InvalidValueError, "splits[1] is 0, allowed 1 and more"),
    "too many parts": (lambda: wh.webnn.split(F, 8193), InvalidValueError, "splits is 8193, allowed 1..8192"),
    "no inputs": (lambda: wh.webnn.concat([], 0), InvalidValueError, "inputs is 0 operands, allowed 1..8192"),
    "no sequence": (lambda: wh.webnn.concat(5, 0), InvalidTypeError, "inputs is 5, allowed a sequence of arrays"),
    "symmetric": (lambda: wh.webnn.pad(F, [1, 1], [1, 1], mode="symmetric"), InvalidValueError, "mode is 'symmetric'"),
    "a mirror too wide": (
        lambda: wh.webnn.pad([1, 2], [2], [0], mode="reflection"),
        InvalidValueError,
        "mode reflect mirrors 2 elements once",
    ),
    "both ways": (
        lambda: wh.webnn.expand([[1, 2]], [2, 1]),
        InvalidValueError,
        "size of axis 1 of input is 2, allowed 1; newShape is [2, 1]",
    ),
    "-1": (lambda: wh.webnn.reshape(F, [-1]), InvalidValueError, "newShape[0] is -1, allowed 0..4294967295"),
    "an axis twice": (
        lambda: wh.webnn.reverse(F, axes=[0, 0]),
        InvalidValueError,
        "axes is [0, 0], allowed each axis once",
    ),
    "no repetitions": (lambda: wh.webnn.tile(F, [1, 0]), InvalidValueError, "repetitions[1] is 0, allowed 1.."),
    "a type of ours": (lambda: wh.webnn.cast(F, "bool"), InvalidValueError, "dataType is 'bool', allowed 'float32'"),
    "a number": (
        lambda: wh.webnn.pad(F, [1, 1], [1, 1], value="1"),
        InvalidTypeError,
        "value is '1', allowed one number",
    ),
    "too many elements": (
        lambda: wh.webnn.expand(U8([1]), [2**16, 2**16]),
        InvalidValueError,
        "in elements is 4294967296",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name: str) -> None:
    call, kind, words = REFUSALS[name]
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value).startswith("WebNN ")
    assert words in str(caught.value)
    assert not re.search(r"\b(data|shape|sections|perm|repeats|[xy])\b", str(caught.value)), "no names of WebNN"


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (2.5, "int32", 2), (3.5, "int32", 4), (-0.5, "int8", 0), (float("nan"), "int8", 0), (float("inf"), "int8", 127),
        (3e9, "uint32", 3_000_000_000), (-1, "uint8", 0), (2**70, "int64", 2**63 - 1), (1e300, "uint64", 2**64 - 1),
        (70000.0, "float16", np.inf), (2049, "float16", 2048),
    ],
)  # fmt: skip
def test_casting_of_numbers(value: float, dtype: str, expected: float) -> None:
    assert cast_number(value, np.dtype(dtype)) == expected
    assert np.signbit(cast_number(-0.0, np.dtype("float32")))


def test_every_method_is_a_function() -> None:
    title = {"".join(f"_{c.lower()}" if c.isupper() else c for c in one.name.replace("ND", "Nd")) for one in OPERATIONS}
    assert title == set(wh.webnn.__all__)
    assert len(BY_NAME) == len(OPERATIONS) == 45
