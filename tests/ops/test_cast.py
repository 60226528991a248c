"""Cast: conversion, plan and formula agree to the bit; the specifications' tables; runtimes' answers; refusals."""

import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from tests.support.run import agreed, one
from tests.support.strategies import distinct, sizes, strided
from wherry import _core, dtypes, reference
from wherry.engine.call import apply
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.layout import Layout
from wherry.moves import ARITHMETIC, ELEMENT_NUMBER, ConvertMove, CopyMove, can_convert
from wherry.ops import Cast, FloatToInteger
from wherry.tensors import TensorType, View

NUMBERS = [row for row in dtypes.TABLE if row.kind in ("bool", "int", "uint", "float")]
WHOLE = [row for row in map(dtypes.find, ARITHMETIC) if row.kind in ("int", "uint")]
ELEMENTS = [dtypes.find(name) for name in ARITHMETIC if not name.startswith("complex")]
FLOAT8 = ["float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"]
WORDS = {
    "float_overflow": ["infinity", "saturate"],
    "float_to_integer": ["saturate", "indefinite"],
    "integer_overflow": ["wrap", "saturate"],
    "float_text": ["plain", "significant_8"],
}
HARD = [
    0.0, -0.0, 0.5, -0.5, 1.0, 1.5, 2.5, 3.0, -3.7, 6.0, 7.0, 200.0, 239.9, 248.0, 256.0, 300.0, 448.0, 464.0,
    464.01, 480.0, 57344.0, 61440.0, 65504.0, 65519.99, 65520.0, 2.0**31, 2.0**32, 2.0**63, 2.0**64,
    -(2.0**63), -(2.0**31) - 1, 1e20, 3e38, 3.4028236e38, 1e300, 2.0**-127, 2.0**-126 * 0.75, 1e-45, 1e-8,
    2.0**-10, 2.0**-24, 1 + 2.0**-8 + 2.0**-40, 1.0625 + 2.0**-40, 1.25 - 2.0**-45, np.inf, -np.inf, np.nan,
    -np.nan,
]  # fmt: skip


def hard(row: dtypes.DType) -> np.ndarray:
    """Return values of a type that lie on the edges of others."""
    if row.kind == "float":
        with np.errstate(over="ignore", invalid="ignore"):
            return np.array(HARD, np.float64).astype(row.numpy)
    if row.kind == "bool":
        return np.array([False, True])
    most = 2 ** (row.bits - 1) if row.kind == "int" else 2**row.bits
    if row.bits <= 8:
        return np.arange(-most if row.kind == "int" else 0, most).astype(row.numpy)
    edges = [2**n + d for n in range(row.bits) for d in (-1, 0, 1)] + [2**40 + 2**32 + 1, 2**30 + 2**22 + 1]
    edges += [-edge for edge in edges]
    return np.array([edge for edge in edges if (-most if row.kind == "int" else 0) <= edge < most], row.numpy)


@pytest.mark.parametrize("source", NUMBERS, ids=str)
@pytest.mark.parametrize("to", NUMBERS, ids=str)
def test_edges_agree(source: dtypes.DType, to: dtypes.DType) -> None:
    values = hard(source)
    for second in (0, 1):
        words = {field: choices[second] for field, choices in WORDS.items()}
        one(Cast(to, **words, nan_is_true=bool(second)), values)


@given(st.data())
def test_random_bits_agree(draw: st.DataObject) -> None:
    source, to = draw.draw(st.sampled_from(NUMBERS)), draw.draw(st.sampled_from(NUMBERS))
    values = distinct(draw.draw(sizes(4, 3)), source.numpy) if source.bits >= 8 else np.zeros(2, source.numpy)
    if source.kind == "float":
        values[np.isnan(values.astype(np.float64))] = 1  # other payloads than the canonical one become canonical
    words = {field: draw.draw(st.sampled_from(choices)) for field, choices in WORDS.items()}
    one(Cast(to, **words), draw.draw(strided(values)))


@given(st.data())
def test_text_agrees(draw: st.DataObject) -> None:
    numerals = st.from_regex(
        r"[+-]?(\d{1,25}\.?\d{0,9}|\.\d{1,9})([eE][+-]?\d{1,3})?", fullmatch=True, alphabet="0123456789+-.eE"
    )
    words = st.sampled_from(["INF", "+inf", "-Inf", "NaN", "nan", " 1 ", "1.00390625000000001", "0e9", "-0", "-1e-400"])
    texts = np.array(draw.draw(st.lists(numerals | words, max_size=6)), object)
    to = draw.draw(st.sampled_from(["float16", "bfloat16", "float32", "float64", "float8_e5m2", "bool"]))
    one(Cast(to, draw.draw(st.sampled_from(WORDS["float_overflow"]))), texts)


@given(st.sampled_from(NUMBERS), st.sampled_from(WORDS["float_text"]))
def test_numbers_as_text_agree(source: dtypes.DType, rule: str) -> None:
    one(Cast("string", float_text=rule), hard(source))


def test_onnx_float8_tables() -> None:
    x = np.array([0, -0.0, np.nan, np.inf, -np.inf, 1e6, -1e6], np.float32)
    saturated = {
        "float8_e4m3fn": [0, 0x80, 0x7F, 0x7E, 0xFE, 0x7E, 0xFE],
        "float8_e4m3fnuz": [0, 0, 0x80, 0x7F, 0xFF, 0x7F, 0xFF],
        "float8_e5m2": [0, 0x80, 0x7E, 0x7B, 0xFB, 0x7B, 0xFB],
        "float8_e5m2fnuz": [0, 0, 0x80, 0x7F, 0xFF, 0x7F, 0xFF],
    }
    infinite = {
        "float8_e4m3fn": [0, 0x80, 0x7F, 0x7F, 0xFF, 0x7F, 0xFF],
        "float8_e4m3fnuz": [0, 0] + [0x80] * 5,
        "float8_e5m2": [0, 0x80, 0x7E, 0x7C, 0xFC, 0x7C, 0xFC],
        "float8_e5m2fnuz": [0, 0] + [0x80] * 5,
    }
    for name in FLOAT8:
        assert one(Cast(name, "saturate"), x).view(np.uint8).tolist() == saturated[name]
        assert one(Cast(name, "infinity"), x).view(np.uint8).tolist() == infinite[name]
    # [x] > FLT_MAX: the rounded value decides, so 464 is still 448
    assert one(Cast("float8_e4m3fn"), np.float32([464, 465])).view(np.uint8).tolist() == [0x7E, 0x7F]


def test_onnx_float8_e8m0_table() -> None:
    x = np.array([0, np.nan, np.inf, 2.0**127 * 1.5, 2.0**-128, 1.0, 1.25, 1.5, 1.75, 3, -1], np.float64)
    codes = {
        ("saturate", "up"): [0, 255, 254, 254, 0, 127, 128, 128, 128, 129, 255],
        ("infinity", "nearest_up"): [255, 255, 255, 255, 255, 127, 127, 128, 128, 129, 255],
        ("infinity", "nearest_even"): [255, 255, 255, 255, 255, 127, 127, 128, 128, 128, 255],
        ("saturate", "down"): [0, 255, 254, 254, 0, 127, 127, 127, 127, 128, 255],
    }
    for (overflow, rounding), expected in codes.items():
        result = one(Cast("float8_e8m0fnu", overflow, rounding=rounding), x)
        assert result.view(np.uint8).tolist() == expected


def test_onnx_rules() -> None:
    assert one(Cast("int8"), np.array([200, -200], np.int16)).tolist() == [-56, 56]
    assert one(Cast("bool"), np.array([36, 0])).tolist() == [True, False]
    assert one(Cast("bool"), np.array([0.0, -0.0, np.nan, 0.5])).tolist() == [False, False, True, True]
    assert one(Cast("float16"), np.array([1e6, -1e6])).tolist() == [np.inf, -np.inf]
    assert one(Cast("float32"), np.array([True, False])).tolist() == [1.0, 0.0]
    assert one(Cast("float32"), np.array([3.1415926459])).tolist() == [3.1415927410125732]
    texts = np.array(["3.14", "1000", "1e-5", "1E8", "+INF", "INF", "-INF", "NaN"], object)
    numbers = np.array([3.14, 1000, 1e-5, 1e8, np.inf, np.inf, -np.inf, np.nan], np.float32)
    assert_same_bits(one(Cast("float32"), texts), numbers)
    assert one(Cast("int32"), np.array(["100.5", "-7", "1e2"], object)).tolist() == [100, -7, 100]
    assert one(Cast("string"), np.float32([314.15926, 1e-5, 1e8])).tolist() == ["314.15927", "0.00001", "100000000"]


def test_onnxruntime_text() -> None:
    x = np.array([314.15926, 1e-5, 1e20, np.inf, np.nan, -0.0, 1], np.float32)
    expected = ["314.15927", "9.9999997e-06", "1e+20", "INF", "NaN", "-0", "1"]
    assert one(Cast("string", float_text="significant_8"), x).tolist() == expected
    assert one(Cast("string"), np.array([True, False])).tolist() == ["1", "0"]


def test_indefinite_integers_are_those_of_openvino_and_onnxruntime() -> None:
    x = np.array([300, -3.7, np.nan, np.inf, 3e9], np.float32)
    expected = {
        "int8": [44, -3, 0, 0, 0], "uint8": [44, 253, 0, 0, 0], "int32": [300, -3, -(2**31), -(2**31), -(2**31)],
        "uint32": [300, 4294967293, 0, 0, 3000000000], "int64": [300, -3, -(2**63), -(2**63), 3000000000],
        "int4": [-4, -3, 0, 0, 0],
    }  # fmt: skip
    for to, values in expected.items():
        assert one(Cast(to, float_to_integer="indefinite"), x).tolist() == values
    far = np.array([2.0**64, np.inf, -np.inf, np.nan, -(2.0**64), -1, 2.0**63])
    expected = [0, 0, 2**63, 2**63, 2**63, 2**64 - 1, 2**63]
    assert one(Cast("uint64", float_to_integer="indefinite"), far).tolist() == expected


def test_saturating_integers() -> None:
    x = np.array([300, -3.7, np.nan, np.inf, -np.inf], np.float32)
    assert one(Cast("int8"), x).tolist() == [127, -3, 0, 127, -128]
    assert one(Cast("uint64"), x).tolist() == [300, 0, 0, 2**64 - 1, 0]
    assert one(Cast("uint2"), x).tolist() == [3, 0, 0, 3, 0]
    assert one(Cast("int8", integer_overflow="saturate"), np.array([200, -200])).tolist() == [127, -128]


def test_directml_cast_example() -> None:
    assert one(Cast("int32"), np.float32([1.0, 2.0])).tolist() == [1, 2]


def test_each_result_is_rounded_once() -> None:
    assert one(Cast("bfloat16"), np.array([1 + 2**-8 + 2**-40])).tolist() == [1 + 2**-7]
    assert one(Cast("bfloat16"), np.array([2**40 + 2**32 + 1])).tolist() == [2**40 + 2**33]
    assert one(Cast("float32"), np.array(["1.00000005960464477539062500001"], object)) == np.float32(1 + 2**-23)


def test_the_same_type_is_a_copy_of_bits() -> None:
    view = View("x", np.dtype("f4"), Layout((2,)))
    assert [type(move) for move in Cast("float32").lower([view], [view.over(Layout((2,), (2,)))], "t")] == [CopyMove]
    payload = np.array([0x7F800001], np.uint32).view(np.float32)
    assert one(Cast("float32"), payload).view(np.uint32).tolist() == [0x7F800001]
    assert one(Cast("string"), np.array(["a", ""], object)).tolist() == ["a", ""]
    assert one(Cast("string"), np.array(["é", ""])).tolist() == ["é", ""]


def test_unknown_sizes() -> None:
    assert str(Cast("int4").infer([TensorType("float32", ("N", None))])[0]) == "int4[N, ?]"
    assert str(Cast("string").infer([TensorType("float32", None)])[0]) == "string[...]"


@pytest.mark.parametrize(
    ("text", "to", "message"),
    [
        ("Hello World!", "float32", r"T: data\[1, 0\] is 'Hello World!', allowed numerals such as"),
        ("", "float32", r"data\[1, 0\] is '', allowed numerals"),
        ("0x10", "float64", "allowed numerals"),
        ("1_0", "int32", "allowed numerals"),
        ("5x", "int32", "allowed numerals"),
        ("true", "bool", "allowed numerals"),
        ("٣", "int32", "allowed numerals"),
        ("300", "int8", r"data\[1, 0\] is '300', allowed -128..127, the range of int8"),
        ("-1", "uint8", "allowed 0..255, the range of uint8"),
        ("1e999999999999", "int64", "allowed -9223372036854775808..9223372036854775807"),
        ("1e99999999999999999999", "int64", "the range of int64"),
        ("NaN", "int32", "the range of int32"),
    ],
)
def test_text_that_is_no_number_is_refused(text: str, to: str, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        apply(Cast(to), [np.array([["1"], [text]], object)], "T")
    if "range" in message and "e" not in text:  # exact fractions of such exponents take all memory
        with pytest.raises(InvalidValueError):
            reference.run(Cast(to), [np.array([[text]], object)])


def test_signalling_nan_warn_of_nothing() -> None:
    with warnings.catch_warnings(action="error"):
        one(Cast("int32"), np.array([0x7F800001], np.uint32).view(np.float32))


NARROW = [row for row in NUMBERS if row.bits < 8 or row.name in [*FLOAT8, "float8_e8m0fnu"]]


@pytest.mark.parametrize("source", ELEMENTS, ids=str)
def test_all_bits_as_narrow_types(source: dtypes.DType) -> None:
    """By a table of what the conversion of single elements makes: here of many elements at once, by all rules."""
    width = source.numpy.itemsize
    if width <= 2:
        bits = np.arange(2 ** (8 * width)).astype(f"u{width}")
    else:  # each exponent, the ends of fractions, and what lies between
        top = np.arange(65536, dtype=np.uint64) << np.uint64(8 * width - 16)
        low = [0, 1, 2 ** (8 * width - 17), 2 ** (8 * width - 16) - 1]
        bits = np.concatenate([top | np.uint64(each) for each in low]).astype(f"u{width}")
    values, compared = bits.view(source.numpy), 0
    for to in NARROW:
        for second in (0, 1):
            words = {field: choices[second] for field, choices in WORDS.items()}
            cast = Cast(to, **words)
            (found,) = apply(cast, [values], "T")
            assert_same_bits(found, cast._convert(values))
            compared += found.size
    assert compared >= len(NARROW) * 2 * 256


@pytest.mark.parametrize("source", NUMBERS, ids=str)
def test_narrow_types_go_by_a_table(source: dtypes.DType) -> None:
    computed = []
    for to in NUMBERS:
        data, out = (View(name, row.numpy, Layout((3,))) for name, row in (("x", source), ("y", to)))
        computed += [to.name for move in Cast(to).lower([data], [out], "t") if type(move).__name__ == "ComputeMove"]
    assert computed == []


HALVES = np.arange(65536, dtype=np.uint16)
BETWEEN = np.float32([2.0**-25, 2.0**-24 * 1.5, 65519.996, 65520.0]).view(np.uint32)


def float_bits(count: int) -> np.ndarray:
    """Return float32 of random bits, of numbers that float16 and bfloat16 hold, and of those half way between."""
    random = np.random.default_rng(0).integers(0, 2**32, count, np.uint32)
    near = HALVES[:: 65536 // count].copy().view(np.float16).astype(np.float32).view(np.uint32)
    return np.concatenate([random, near, near + 0x1000, near + 0x0FFF, near | 0x8000, BETWEEN]).view(np.float32)


@pytest.mark.parametrize(("to", "step"), [("float32", 7), ("float64", 31), ("bfloat16", 31), ("bool", 1)])
def test_halves(to: str, step: int) -> None:
    """Many of them; tests/core/test_convert.cpp has all of them as float32, on each instruction set."""
    one(Cast(to), HALVES[::step].view(np.float16))


@pytest.mark.parametrize(("to", "step"), [("float32", 31), ("float64", 31), ("float16", 31), ("bool", 1)])
def test_bfloat16(to: str, step: int) -> None:
    one(Cast(to), HALVES[::step].view(dtypes.find("bfloat16").numpy))


@pytest.mark.parametrize("to", ["float16", "bfloat16", "float64", "bool"])
def test_floats_of_random_bits(to: str) -> None:
    one(Cast(to), float_bits(1024))


@pytest.mark.parametrize("to", ["float16", "bfloat16", "float32"])
def test_doubles_of_random_bits(to: str) -> None:
    bits = np.random.default_rng(1).integers(0, 2**64, 2048, np.uint64)
    specials = bits >> np.uint64(12) | np.uint64(0x7FF << 52)
    one(Cast(to), np.concatenate([bits, specials, specials >> np.uint64(40) << np.uint64(40)]).view(np.float64))


@pytest.mark.parametrize("to", ["float16", "bfloat16"])
def test_doubles_around_every_tie_of_16_bits(to: str) -> None:
    infinity = 0x7C00 if to == "float16" else 0x7F80
    lower = np.arange(infinity - 1, dtype=np.uint16)
    values = np.arange(infinity, dtype=np.uint16).view(dtypes.find(to).numpy).astype(np.float64)
    middle = (values[:-1] + values[1:]) / 2
    for share, up in ((0.0, lower & 1), (-(2.0**-52), 0), (2.0**-52, 1), (-(2.0**-30), 0), (2.0**-30, 1)):
        for sign, bit in ((1.0, 0), (-1.0, 0x8000)):
            (found,) = apply(Cast(to), [sign * (middle + middle * share)], "T")
            np.testing.assert_array_equal(found.view(np.uint16), (lower + up) | bit)


@pytest.mark.parametrize("overflow", WORDS["float_overflow"])
@pytest.mark.parametrize("to", [*FLOAT8, "float4_e2m1fn"])
def test_floats_of_few_bits(to: str, overflow: str) -> None:
    """Numbers at and beside the middle of two neighbours; tests/core/test_round.cpp has other types and sources."""
    rule = Cast(to, overflow)
    held = np.arange(256, dtype=np.uint8 if rule.to.bits == 8 else np.int8)[: 2**rule.to.bits].view(rule.to.numpy)
    held = np.unique(held.astype(np.float64)[np.isfinite(held.astype(np.float64))])
    middles = (held[1:] + held[:-1]) / 2
    beside = [np.nextafter(middles.astype(np.float32), np.float32(end)) for end in (-np.inf, np.inf)]
    one(rule, np.concatenate([middles.astype(np.float32), *beside]))
    one(rule, np.concatenate([middles, *(np.nextafter(middles, end) for end in (-np.inf, np.inf)), [1e300, -1e-300]]))


@pytest.mark.parametrize("rule", FloatToInteger)
@pytest.mark.parametrize("to", WHOLE, ids=str)
@pytest.mark.parametrize("source", ["float16", "bfloat16", "float32", "float64"])
def test_floats_of_any_size_as_integers(source: str, to: dtypes.DType, rule: FloatToInteger) -> None:
    """As many of each power of two, whole vectors of them: ends of ranges, fractions, infinities and NaN between."""
    rng = np.random.default_rng(2)
    sizes = np.ldexp(rng.uniform(-1, 1, 300), rng.integers(-2, 68, 300))
    ends = [
        sign * 2.0**power + step for power in (7, 8, 15, 16, 31, 32, 63, 64) for sign in (-1, 1) for step in (-1, 0, 1)
    ]
    with np.errstate(over="ignore"):
        values = np.concatenate([sizes, ends, [np.nan, np.inf, -np.inf, -0.0, 0.5, -0.9]]).astype(
            dtypes.find(source).numpy
        )
    one(Cast(to, float_to_integer=rule), rng.permutation(values))


@pytest.mark.parametrize("to", ["float16", "bfloat16"])
@pytest.mark.parametrize("source", ["int32", "uint32", "int64", "uint64"])
def test_long_integers_as_short_floats(source: str, to: str) -> None:
    """Rounded once: what lies between two neighbours, and next to that."""
    rng = np.random.default_rng(3)
    row = dtypes.find(source)
    tops = rng.integers(2**11, 2**12, 400).astype(np.uint64) << rng.integers(0, row.bits - 12, 400).astype(np.uint64)
    near = np.concatenate([tops - np.uint64(1), tops, tops + np.uint64(1)]).astype(row.numpy)
    one(Cast(to), np.concatenate([near, np.negative(near)]) if row.kind == "int" else near)


def test_the_core_converts_what_it_says() -> None:
    """The table of pairs in Python is that of the core; where each number has a place, both convert as NumPy does."""
    for source, to in product(ELEMENTS, repeat=2):
        values, out = hard(source), np.empty(len(hard(source)), to.numpy)
        numbers = (ELEMENT_NUMBER[row.numpy] for row in (source, to))
        if not can_convert(source, to):
            with pytest.raises(ValueError, match="there is no such conversion"):
                _core.convert(values, out, *numbers)
            continue
        if to.kind in ("int", "uint") and source.kind == "float":
            with np.errstate(invalid="ignore"):
                values = values[(values > -1) & (values < 127)]
            out = np.empty(len(values), to.numpy)
        _core.convert(values, out, *numbers)
        view = View("x", source.numpy, Layout((2,)))
        assert [type(m) for m in Cast(to).lower([view], [View("y", to.numpy, Layout((2,)))], "t")] == [ConvertMove]
        if to.name == "bfloat16" and source.bits > 24:
            continue  # NumPy has none of its own: by way of float32 it is rounded twice
        with np.errstate(over="ignore", invalid="ignore"):
            assert_same_bits(out, values.astype(to.numpy))


def test_rules_of_the_fields_come_before_the_core() -> None:
    def kinds(operator: Cast, source: str) -> list[str]:
        view = View("x", np.dtype(source), Layout((2,)))
        out = View("y", operator.to.numpy, Layout((2,)))
        return [type(move).__name__ for move in operator.lower([view], [out], "t")]

    assert kinds(Cast("float16", "saturate"), "f4") == ["ComputeMove"]
    assert kinds(Cast("float32", "saturate"), "i4") == ["ConvertMove"]
    assert kinds(Cast("int8", integer_overflow="saturate"), "i4") == ["ConvertMove"]
    assert kinds(Cast("float8_e5m2", "saturate"), "f4") == ["RoundMove"]
    assert kinds(Cast("float8_e5m2", "saturate"), "i1") == ["TranslateMove"]
    assert kinds(Cast("float8_e8m0fnu", "saturate"), "f4") == ["TranslateMove"]
    assert kinds(Cast("int4"), "f4") == ["TranslateMove"]
    assert kinds(Cast("bool", nan_is_true=False), "f4") == ["ComputeMove"]
    assert kinds(Cast("bool", nan_is_true=False), "i4") == ["ConvertMove"]
    assert kinds(Cast("float16"), ">f4") == ["ComputeMove"]


def test_refusals() -> None:
    with pytest.raises(InvalidTypeError, match="to is complex64, allowed bool, integers, floats and string"):
        Cast("complex64")
    with pytest.raises(InvalidTypeError, match="to is nf4"):
        Cast("nf4")
    with pytest.raises(InvalidTypeError, match="dtype of data is complex64"):
        agreed(Cast("float32"), np.zeros(2, np.complex64))
    with pytest.raises(InvalidTypeError, match="dtype of data is nf4"):
        Cast("float32").infer([TensorType("nf4", (2,))])
    with pytest.raises(InvalidValueError, match="rounding is up, allowed nearest_even for float16"):
        Cast("float16", rounding="up")
    with pytest.raises(InvalidValueError, match="float_overflow is 'wrap', allowed 'infinity', 'saturate'"):
        Cast("float16", "wrap")
    with pytest.raises(InvalidTypeError, match="dtype is 'float31', allowed bool, int8"):
        Cast("float31")


@pytest.mark.parametrize(
    ("text", "value"), [("1e999999999999", np.inf), ("-1E-999999999999", -0.0), ("1e" + "9" * 5000, np.inf)]
)
def test_numerals_far_beyond_every_type(text: str, value: float) -> None:
    """They are numbers like others, and take no time in proportion to them."""
    rule, data = Cast("float32"), np.array([text], object)
    (formula,) = reference.run(rule, [data])
    assert_same_bits(formula, np.float32([value]))
    assert_same_bits(apply(rule, [data], "test")[0], formula)
