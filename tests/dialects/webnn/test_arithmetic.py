"""The methods of WebNN that compute: NumPy agrees, the text's own examples, what it leaves open, every refusal."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from tests.support.compare import assert_same_bits
from tests.support.strategies import strided
from wherry.dialects.webnn.schema import SIGNED_TYPES, SUMMED_TYPES, TYPES
from wherry.errors import InvalidTypeError, InvalidValueError, UnsupportedError, WherryError

U8 = np.uint8
F32 = np.float32
NAN = math.nan

PAIRS: dict[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    "add": (TYPES, np.add),
    "sub": (TYPES, np.subtract),
    "mul": (TYPES, np.multiply),
    "max": (TYPES, np.maximum),
    "min": (TYPES, np.minimum),
    "equal": (TYPES, lambda a, b: (a == b).astype(U8)),
    "not_equal": (TYPES, lambda a, b: (a != b).astype(U8)),
    "greater": (TYPES, lambda a, b: (a > b).astype(U8)),
    "greater_or_equal": (TYPES, lambda a, b: (a >= b).astype(U8)),
    "lesser": (TYPES, lambda a, b: (a < b).astype(U8)),
    "lesser_or_equal": (TYPES, lambda a, b: (a <= b).astype(U8)),
    "logical_and": (("uint8",), lambda a, b: ((a != 0) & (b != 0)).astype(U8)),
    "logical_or": (("uint8",), lambda a, b: ((a != 0) | (b != 0)).astype(U8)),
    "logical_xor": (("uint8",), lambda a, b: ((a != 0) ^ (b != 0)).astype(U8)),
}
SINGLES: dict[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    "abs": (SIGNED_TYPES, np.abs),
    "neg": (SIGNED_TYPES, np.negative),
    "sign": (SIGNED_TYPES, np.sign),
    "logical_not": (("uint8",), lambda a: (a == 0).astype(U8)),
}
INTEGERS = tuple(name for name in SUMMED_TYPES if "int" in name)


def array(draw: st.DataObject, shape: tuple[int, ...], name: str) -> np.ndarray:
    dtype = np.dtype(name)
    if dtype.kind == "f":
        entries: st.SearchStrategy[Any] = st.sampled_from([0.5, -0.5, 1.0, 2.0, -3.0, 7.0, math.inf])
    else:
        limits = np.iinfo(dtype)
        entries = st.integers(max(-9, limits.min), 9) | st.sampled_from([int(limits.min), int(limits.max)])
    count = math.prod(shape)
    values = draw.draw(st.lists(entries, min_size=count, max_size=count))
    return draw.draw(strided(np.array(values, "O").astype(dtype).reshape(shape)))


def shape_of(draw: st.DataObject, least: int = 0) -> tuple[int, ...]:
    return tuple(draw.draw(st.lists(st.integers(1, 3), min_size=least, max_size=3)))


@given(st.data())
def test_pairs_are_those_of_numpy(draw: st.DataObject) -> None:
    name = draw.draw(st.sampled_from(list(PAIRS)))
    types, function = PAIRS[name]
    kind, shape = draw.draw(st.sampled_from(types)), shape_of(draw)
    other = tuple(draw.draw(st.sampled_from([1, size])) for size in shape)[draw.draw(st.integers(0, len(shape))) :]
    a, b = array(draw, shape, kind), array(draw, other, kind)
    with np.errstate(all="ignore"):
        expected = np.asarray(function(a, b))
    found = getattr(wh.webnn, name)(a, b)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@given(st.data())
def test_single_operands_are_those_of_numpy(draw: st.DataObject) -> None:
    name = draw.draw(st.sampled_from(list(SINGLES)))
    types, function = SINGLES[name]
    data = array(draw, shape_of(draw), draw.draw(st.sampled_from(types)))
    with np.errstate(all="ignore"):
        assert_same_bits(getattr(wh.webnn, name)(data), np.asarray(function(data)))


REDUCED = {"reduce_sum": np.sum, "reduce_product": np.prod, "reduce_max": np.max, "reduce_min": np.min}


@given(st.data())
def test_reductions_are_those_of_numpy(draw: st.DataObject) -> None:
    name, shape = draw.draw(st.sampled_from(list(REDUCED))), shape_of(draw)
    data = array(draw, shape, draw.draw(st.sampled_from(INTEGERS)))
    axes = draw.draw(st.none() | st.lists(st.sampled_from(range(len(shape))), unique=True)) if shape else None
    keep = draw.draw(st.booleans())
    named = tuple(range(len(shape))) if axes is None else tuple(axes)
    keywords = {} if "sum" not in name and "prod" not in name else {"dtype": data.dtype}
    with np.errstate(all="ignore"):
        expected = np.asarray(REDUCED[name](data, axis=named, keepdims=keep, **keywords))
    assert_same_bits(getattr(wh.webnn, name)(data, axes=axes, keep_dimensions=keep), expected)


@given(st.data())
def test_places_and_running_sums_are_those_of_numpy(draw: st.DataObject) -> None:
    shape = shape_of(draw, 1)
    axis, keep = draw.draw(st.integers(0, len(shape) - 1)), draw.draw(st.booleans())
    data = array(draw, shape, draw.draw(st.sampled_from(INTEGERS)))
    places = np.argmax(data, axis, keepdims=keep).astype(np.int64)
    assert_same_bits(wh.webnn.arg_max(data, axis, keep_dimensions=keep, output_data_type="int64"), places)
    assert_same_bits(wh.webnn.arg_min(data, axis), np.asarray(np.argmin(data, axis)).astype(np.int32))
    exclusive, backwards = draw.draw(st.booleans()), draw.draw(st.booleans())
    line = np.flip(data, axis) if backwards else data
    total = np.cumsum(line, axis, dtype=data.dtype) - (line if exclusive else 0)
    expected = (np.flip(total, axis) if backwards else total).astype(data.dtype)
    found = wh.webnn.cumulative_sum(data, axis, exclusive=exclusive, reversed=backwards)
    assert_same_bits(found, np.ascontiguousarray(expected))


EXAMPLES: dict[str, tuple[Callable[[], Any], Any]] = {
    "inclusive": (lambda: wh.webnn.cumulative_sum([1, 2, 3, 4], 0), [1, 3, 6, 10]),
    "exclusive": (lambda: wh.webnn.cumulative_sum([1, 2, 3, 4], 0, exclusive=True), [0, 1, 3, 6]),
    "backwards": (lambda: wh.webnn.cumulative_sum([1, 2, 3, 4], 0, reversed=True), [10, 9, 7, 4]),
    "a quotient is cut": (lambda: wh.webnn.div([7, -7, 7, -7], [2, 2, -2, -2]), [3, -3, -3, 3]),
    "a quotient of floats": (lambda: wh.webnn.div(F32([1, -1, 0]), F32([0])), [np.inf, -np.inf, np.nan]),
    "a bound is rounded": (lambda: wh.webnn.clamp([1, 5], min_value=2.5, max_value=3.5), [2, 4]),
    "a bound beyond the type": (lambda: wh.webnn.clamp(U8([1, 255]), min_value=-7, max_value=300), [1, 255]),
    "no bounds": (lambda: wh.webnn.clamp(F32([NAN, np.inf])), [np.nan, np.inf]),
    "NaN is kept by clamp": (lambda: wh.webnn.clamp(F32([NAN, 9]), max_value=1), [np.nan, 1]),
    "NaN in max": (lambda: wh.webnn.max(F32([NAN, 1]), F32([0])), [np.nan, 1]),
    "NaN in sign": (lambda: wh.webnn.sign(F32([NAN, -0.0, -3])), [np.nan, 0, -1]),
    "NaN in argMax": (lambda: wh.webnn.arg_max(F32([1, NAN, 9]), 0), 1),
    "the first of equal ones": (lambda: wh.webnn.arg_min([2, 1, 1], 0), 1),
    "NaN is not equal": (lambda: wh.webnn.not_equal(F32([NAN]), F32([NAN])), [1]),
    "NaN has no order": (lambda: wh.webnn.greater_or_equal(F32([NAN]), F32([NAN])), [0]),
    "the least integer": (lambda: wh.webnn.abs(np.int8([-128])), [-128]),
    "sums wrap": (lambda: wh.webnn.add(U8([255]), U8([2])), [1]),
    "any byte is true": (lambda: wh.webnn.logical_and(U8([2, 0]), U8([4])), [1, 0]),
    "no axes": (lambda: wh.webnn.reduce_sum([[1, 2]], axes=[]), [[1, 2]]),
    "all axes": (lambda: wh.webnn.reduce_sum([[1, 2]]), 3),
    "a scalar": (lambda: wh.webnn.reduce_product(np.int32(7)), 7),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    call, expected = EXAMPLES[name]
    np.testing.assert_array_equal(call(), expected)


REFUSED: dict[str, tuple[Callable[[], Any], type[WherryError], str]] = {
    "types": (lambda: wh.webnn.add([1], F32([1])), InvalidTypeError, "WebNN add: b has dtype float32, allowed int64"),
    "no sign": (lambda: wh.webnn.neg(U8([1])), InvalidTypeError, "input has dtype uint8, allowed float32, float16"),
    "truth": (lambda: wh.webnn.logical_or([1], [1]), InvalidTypeError, "a has dtype int64, allowed uint8"),
    "sizes": (lambda: wh.webnn.add([1, 2], [1, 2, 3]), InvalidValueError, "WebNN add: "),
    "a divisor": (
        lambda: wh.webnn.div([1, 2], [1, 0]), InvalidValueError, "WebNN div: b is 0 at [1] of the result, allowed any"),
    "a quotient": (lambda: wh.webnn.div(np.int8([-128]), np.int8([-1])), InvalidValueError, "that int8 holds"),
    "crossed": (
        lambda: wh.webnn.clamp([1], min_value=3, max_value=2), InvalidValueError, "minValue is 3, allowed up to 2"),
    "narrow sums": (lambda: wh.webnn.reduce_sum(U8([1])), InvalidTypeError, "input has dtype uint8, allowed float32"),
    "sums of floats": (
        lambda: wh.webnn.reduce_sum(F32([1])), UnsupportedError,
        "WebNN reduceSum: input has dtype float32, of which wherry computes integers: how floats are rounded is open"),
    "running sums of floats": (lambda: wh.webnn.cumulative_sum(F32([1]), 0), UnsupportedError, "wherry computes"),
    "an axis": (lambda: wh.webnn.reduce_max([1], axes=[1]), InvalidValueError, "axes[0] is 1, allowed 0..0"),
    "axes twice": (lambda: wh.webnn.reduce_max([1], axes=[0, 0]), InvalidValueError, "axes is [0, 0], allowed each"),
    "a place": (lambda: wh.webnn.arg_max([1], 1), InvalidValueError, "axis is 1, allowed 0..0"),
    "a type of places": (
        lambda: wh.webnn.arg_max([1], 0, output_data_type="uint32"), InvalidValueError, "'int32', 'int64'"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    call, kind, words = REFUSED[name]
    with pytest.raises(kind) as caught:
        call()
    assert words in str(caught.value)


def test_a_graph_of_json_computes(tmp_path: Path) -> None:
    """Sizes of a half, by calls as MLGraphBuilder has them."""
    vector = {"dataType": "int32", "shape": [3]}
    calls = [
        {"method": "div", "operands": ["x", "two"], "outputs": ["half"]},
        {"method": "lesser", "operands": ["half", "two"], "outputs": ["small"]},
        {"method": "logicalNot", "operands": ["small"], "outputs": ["great"]},
        {"method": "clamp", "operands": ["half"], "options": {"maxValue": 4}, "outputs": ["few"]},
        {"method": "reduceMax", "operands": ["few"], "options": {"keepDimensions": True}, "outputs": ["most"]},
        {"method": "argMax", "operands": ["few"], "arguments": {"axis": 0}, "outputs": ["place"]},
    ]
    graph = {
        "inputs": {"x": vector},
        "constants": {"two": {**vector, "data": [2, 2, 2]}},
        "operations": calls,
        "outputs": ["great", "most", "place"],
    }
    (tmp_path / "half.webnn.json").write_text(json.dumps(graph))
    model = wh.load(tmp_path / "half.webnn.json")
    found = model.run({"x": np.int32([3, 9, -5])})
    assert {name: value.tolist() for name, value in found.items()} == {"great": [0, 1, 0], "most": [4], "place": 1}
    wh.save(model, tmp_path / "half.mjs")
    text = (tmp_path / "half.mjs").read_text()
    assert "const great = builder.logicalNot(small);" in text
    assert "const few = builder.clamp(half, {maxValue: 4});" in text
    assert 'const place = builder.argMax(few, 0, {keepDimensions: false, outputDataType: "int32"});' in text
