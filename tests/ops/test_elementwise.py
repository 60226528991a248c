"""Elementwise operators: moves, plan and formula agree; every small integer; every rule; every refusal."""

import math
from collections.abc import Sequence

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from tests.support.operators import unlike
from tests.support.strategies import sizes, strided
from wherry import dtypes, reference
from wherry.engine.call import apply
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.ops import (
    Binary,
    BinaryFunction,
    Broadcast,
    Clip,
    Compare,
    Divide,
    Elementwise,
    Extreme,
    Operator,
    Relation,
    Remainder,
    Unary,
    UnaryFunction,
)
from wherry.tensors import TensorType

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
SPECIAL = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 3.5, -2.25, 65504.0, 6e-8, 1e-45, 3e38, 1e300, 0.1]

NUMERIC: list[Elementwise] = [
    *(Binary(function) for function in (BinaryFunction.ADD, BinaryFunction.SUBTRACT, BinaryFunction.MULTIPLY)),
    *(Compare(function) for function in Relation),
    *(Compare("less", dtype=dtypes.find(truth)) for truth in ("uint8", "uint32")),
    *(Extreme(function, nan) for function in ("minimum", "maximum") for nan in ("propagate", "number")),
    Divide(by_zero="zero", overflow="wrap"),
    Remainder(by_zero="zero"),
    Remainder(rounding="floor", by_zero="zero"),
]
BITWISE = [Binary(function) for function in ("and", "or", "xor")]
OF_INTEGERS = [
    *(Binary(function) for function in ("logical_and", "logical_or", "logical_xor")),
    Divide(rounding="floor", by_zero="zero", overflow="wrap"),
]


def array_of(name: str) -> np.dtype:
    return np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)


def agree(operator: Operator, *inputs: np.ndarray, draw: st.DataObject | None = None) -> np.ndarray:
    """Return the result of moves and formula; which NaN it holds is left to the machine."""
    (expected,) = reference.run(operator, inputs)
    (found,) = apply(operator, inputs, "test")
    out = unlike(expected) if draw is None else draw.draw(strided(unlike(expected)))
    apply(operator, inputs, "test", out)
    for result in (found, out.copy()):
        assert_same_bits(*(np.where(one != one, one.dtype.type(0), one) for one in (result, expected)))  # noqa: PLR0124
        assert ((result != result) == (expected != expected)).all()  # noqa: PLR0124
    return found


def drawn(draw: st.DataObject, name: str, shape: Sequence[int]) -> np.ndarray:
    dtype, count = array_of(name), math.prod(shape)
    if name == "bool":
        entries: st.SearchStrategy = st.booleans()
    elif name in FLOATS:
        entries = st.sampled_from(SPECIAL) | st.floats(width=16)
    else:
        limits = np.iinfo(dtype)
        edges = [limits.min, limits.max, limits.min + 1, 0, 1, limits.max // 2]
        entries = st.sampled_from(edges) | st.integers(max(-9, limits.min), 9)
    values = draw.draw(st.lists(entries, min_size=count, max_size=count))
    with np.errstate(all="ignore"):
        return draw.draw(strided(np.array(values, "O").astype(np.float64 if name in FLOATS else dtype).astype(dtype)
                                 .reshape(shape)))  # fmt: skip


@given(st.data())
def test_moves_and_formula_agree(draw: st.DataObject) -> None:
    operator = draw.draw(st.sampled_from([*NUMERIC, *BITWISE, *OF_INTEGERS]))
    bools = isinstance(operator, (Compare, Extreme)) or operator in BITWISE
    floats = [] if operator in OF_INTEGERS else FLOATS
    name = draw.draw(st.sampled_from([*INTEGERS, *floats, *(["bool"] if bools else [])]))
    shape = draw.draw(sizes(3, 3))
    others = [tuple(1 if draw.draw(st.booleans()) else size for size in shape)[draw.draw(st.integers(0, len(shape))) :]]
    count = draw.draw(st.integers(0, 2)) if isinstance(operator, Extreme) else 1
    agree(operator, drawn(draw, name, shape), *(drawn(draw, name, others[0]) for _ in range(count)), draw=draw)


@given(st.data())
def test_one_operand_agrees(draw: st.DataObject) -> None:
    function = draw.draw(st.sampled_from(UnaryFunction))
    signed = [name for name in INTEGERS if name[0] == "i"]
    numbers = [*INTEGERS, *FLOATS]
    own = {"negative": [*signed, *FLOATS], "not": [*numbers, "bool"], "logical_not": INTEGERS}
    allowed = own.get(function, numbers)
    data = drawn(draw, draw.draw(st.sampled_from(allowed)), draw.draw(sizes(3, 3)))
    agree(Unary(function), data, draw=draw)


@given(st.data())
def test_the_second_input_at_an_axis_agrees(draw: st.DataObject) -> None:
    shape = draw.draw(st.lists(st.integers(1, 3), max_size=4))
    start = draw.draw(st.integers(0, len(shape)))
    end = draw.draw(st.integers(start, len(shape)))
    axis = None if end == len(shape) and draw.draw(st.booleans()) else start
    own = [draw.draw(st.sampled_from([1, size])) for size in shape[start:end]]
    function = draw.draw(st.sampled_from([Binary, Compare]))
    operator = function("add" if function is Binary else "less", broadcast="second", axis=axis)
    agree(operator, drawn(draw, "int32", shape), drawn(draw, "int32", own), draw=draw)


@pytest.mark.parametrize("name", ["int8", "uint8"])
@pytest.mark.parametrize("operator", [*NUMERIC, *BITWISE, *OF_INTEGERS], ids=str)
def test_every_pair_of_bytes(operator: Elementwise, name: str) -> None:
    limits = np.iinfo(name)
    middle = (limits.min + limits.max) // 2
    ends = *range(limits.min, limits.min + 6), *range(limits.max - 5, limits.max + 1)
    values = np.array([*ends, *range(middle - 5, middle + 6), 0], name)
    agree(operator, values[:, np.newaxis], values)


def test_quotients_of_all_bytes_are_those_of_python() -> None:
    values = np.arange(-128, 128, dtype=np.int8)
    a, b = (one.ravel() for one in np.meshgrid(values, values[values != 0]))
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    modulo = [(x // y + 128) % 256 - 128 for x, y in pairs]
    floor = Divide(rounding="floor", overflow="wrap")
    assert apply(floor, [a, b], "test")[0].tolist() == modulo
    truncated = [(math.trunc(x / y) + 128) % 256 - 128 for x, y in pairs]
    assert apply(Divide(overflow="wrap"), [a, b], "test")[0].tolist() == truncated
    assert apply(Remainder(rounding="floor"), [a, b], "test")[0].tolist() == [x % y for x, y in pairs]
    assert apply(Remainder(), [a, b], "test")[0].tolist() == [int(math.fmod(x, y)) for x, y in pairs]


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("operator", [Divide(), Divide(rounding="floor"), Remainder(), Remainder(rounding="floor")])
@pytest.mark.parametrize("count", [1, 3, 40])
def test_division_by_zero_names_the_place(operator: Elementwise, name: str, count: int) -> None:
    a, b = np.ones((2, count), name), np.ones(count, name)
    b[-1] = 0
    out = np.full((2, count), 7, name)
    words = rf"^Div: b is 0 at \[0, {count - 1}\] of the result, allowed any number but 0; no integer is the quotient$"
    with pytest.raises(InvalidValueError, match=words):
        apply(operator, [a, b], "Div", out)
    assert (out == 7).all()
    with pytest.raises(InvalidValueError, match=r"b is 0 at \[\] of the result"):
        apply(operator, [np.ones((), name), np.zeros((), name)], "Div")


@pytest.mark.parametrize("name", INTEGERS[:4])
@pytest.mark.parametrize("rounding", ["truncate", "floor"])
@pytest.mark.parametrize("count", [1, 40])
def test_a_quotient_that_no_integer_holds(name: str, rounding: str, count: int) -> None:
    least = np.iinfo(name).min
    a, b = np.full(count, least, name), np.ones(count, name)
    b[-1] = -1
    words = rf"a is {least} and b is -1 at \[{count - 1}\] of the result, allowed quotients that {name} holds"
    with pytest.raises(InvalidValueError, match=words):
        apply(Divide(rounding=rounding), [a, b], "Div")
    with pytest.raises(InvalidValueError, match=r"at \[0\] of the result"):
        apply(Divide(rounding=rounding), [a, np.array(-1, name)], "Div")
    assert (agree(Divide(rounding=rounding, overflow="wrap"), a, b) == least).all()
    assert agree(Remainder(rounding=rounding), a, b)[-1] == 0


def test_zeros_and_nan_of_extremes() -> None:
    nan, zeros = np.array([math.nan, 1.0, math.nan]), np.array([0.0, -0.0])
    assert str(agree(Extreme("minimum"), zeros, zeros[::-1])) == "[-0. -0.]"
    assert str(agree(Extreme("maximum"), zeros, zeros[::-1])) == "[0. 0.]"
    assert np.isnan(agree(Extreme("minimum"), nan, nan[[1, 0, 0]])).all()
    assert str(agree(Extreme("maximum", "number"), nan, nan[[1, 0, 0]])) == "[ 1.  1. nan]"
    assert agree(Extreme("maximum"), np.array([3, 1])).tolist() == [3, 1]


def test_signs_keep_the_payload_of_nan() -> None:
    data = np.array([0x7F800001, 0xFFC12345], np.uint32).view(np.float32)
    assert apply(Unary("negative"), [data], "test")[0].view(np.uint32).tolist() == [0xFF800001, 0x7FC12345]
    assert apply(Unary("absolute"), [data], "test")[0].view(np.uint32).tolist() == [0x7F800001, 0x7FC12345]
    swapped = np.array([1.5, -2.5]).astype(">f4")
    assert apply(Unary("negative"), [swapped], "test")[0].tolist() == [-1.5, 2.5]


def test_truth_as_a_number() -> None:
    found = agree(Compare("less", dtype="uint8"), np.array([1, 5]), np.array([3, 3]))
    assert found.tolist() == [1, 0]
    assert found.dtype == np.uint8
    with pytest.raises(InvalidValueError, match="dtype is int8, allowed bool, uint8"):
        Compare("less", dtype="int8")


def test_strings_are_equal_or_not() -> None:
    a, b = np.array(["a", "b", ""], object), np.array(["a", "c", ""], object)
    assert agree(Compare("equal"), a, b).tolist() == [True, False, True]
    with pytest.raises(InvalidTypeError, match="a has dtype string, allowed integers of 8 bits and more, floats"):
        apply(Compare("less"), [a, b], "test")


@given(st.data())
def test_clip_agrees(draw: st.DataObject) -> None:
    name = draw.draw(st.sampled_from([*INTEGERS, *FLOATS]))
    bounds = [drawn(draw, name, ()) if draw.draw(st.booleans()) else None for _ in range(2)]
    crossed = draw.draw(st.sampled_from(["greatest", "least"]))
    agree(Clip(*bounds, crossed), drawn(draw, name, draw.draw(sizes(3, 3))), draw=draw)


def test_clip_of_a_crossed_range() -> None:
    data, least, greatest = np.array([1, 5, 9]), np.array(6), np.array(3)
    assert agree(Clip(least, greatest), data).tolist() == [3, 3, 3]
    assert agree(Clip(least, greatest, "least"), data).tolist() == [6, 6, 6]
    with pytest.raises(InvalidValueError, match="least is 6, allowed up to 3, the greatest number"):
        Clip(least, greatest, "raise")
    with pytest.raises(InvalidTypeError, match="least has dtype int64, allowed float32, that of data; convert it"):
        apply(Clip(least), [np.zeros(2, np.float32)], "test")


@pytest.mark.parametrize(
    ("operator", "a", "b", "words"),
    [
        (Binary("add"), "int32", "int64", "b has dtype int64, allowed int32, that of a; convert it first"),
        (Binary("add"), "bool", "bool", "a has dtype bool, allowed integers of 8 bits and more, floats of 16, 32"),
        (
            Binary("logical_and"),
            "float32",
            "float32",
            "a has dtype float32, allowed integers of 8 bits and more for log",
        ),
        (Binary("add"), "int4", "int4", "a has dtype int4, allowed integers of 8 bits and more"),
        (Remainder(), "bool", "bool", "a has dtype bool, allowed integers of 8 bits and more"),
        (Extreme("maximum"), "string", "string", "a has dtype string"),
    ],
)
def test_types_that_are_refused(operator: Elementwise, a: str, b: str, words: str) -> None:
    with pytest.raises(InvalidTypeError, match=words):
        operator.infer([TensorType(a, (2,)), TensorType(b, (2,))])


def test_unsigned_numbers_have_no_negative() -> None:
    with pytest.raises(InvalidTypeError, match="data has dtype uint8, allowed signed integers, floats of 16"):
        Unary("negative").infer([TensorType("uint8", (2,))])


@pytest.mark.parametrize(
    ("broadcast", "axis", "a", "b", "words"),
    [
        ("both", None, (2, 3), (2,), "b has size 2 on axis -1, allowed 1 or 3, the size of a there"),
        ("none", None, (2, 3), (3,), r"b has sizes \[3\], allowed \[2, 3\], those of a; nothing is broadcast"),
        ("none", None, (2, None), (3, None), r"b has sizes \[3, \?\], allowed \[2, \?\]"),
        ("second", None, (3,), (2, 3), "b has 2 axes from axis -1 of a on, allowed those that a has: 1"),
        ("second", 1, (2, 3), (2,), "b has size 2 on axis 0, allowed 1 or 3, the size of a on axis 1"),
        ("second", 2, (2, 3), (2,), "b has 1 axes from axis 2 of a on, allowed those that a has: 2"),
        ("second", None, (1, 3), (2, 3), "b has size 2 on axis 0, allowed 1 or 1"),
    ],
)
def test_sizes_that_do_not_fit(broadcast: str, axis: int | None, a: tuple, b: tuple, words: str) -> None:
    operator = Binary("add", broadcast=broadcast, axis=axis)
    with pytest.raises(InvalidValueError, match=words):
        operator.infer([TensorType("int8", a), TensorType("int8", b)])


@pytest.mark.parametrize(
    ("broadcast", "a", "b", "expected"),
    [
        ("both", (2, None), (1, 3), (2, 3)),
        ("both", None, (1, 3), None),
        ("none", (2, None), ("N", 3), (2, 3)),
        ("none", None, (2,), (2,)),
        ("second", (2, None), None, (2, None)),
        ("second", (2, None), (5,), (2, None)),
    ],
)
def test_sizes_that_are_not_known_yet(broadcast: str, a: tuple, b: tuple, expected: tuple) -> None:
    operator = Binary("add", broadcast=broadcast)
    assert operator.infer([TensorType("int8", a), TensorType("int8", b)])[0].sizes == expected


def test_an_axis_needs_its_rule() -> None:
    for fields in ({"axis": 0}, {"axis": -1, "broadcast": Broadcast.SECOND}):
        with pytest.raises(InvalidValueError, match=r"axis is .*, allowed 0 and more, where broadcast is 'second'"):
            Binary("add", **fields)


def test_it_prints_every_rule() -> None:
    assert str(Divide()) == "Divide(broadcast=both, axis=None, rounding=truncate, by_zero=raise, overflow=raise)"
    assert str(Clip(np.array(1))) == "Clip(least=1, greatest=None, crossed=greatest)"
