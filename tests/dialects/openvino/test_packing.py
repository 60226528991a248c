"""Bytes of constants: the layouts that OpenVINO's files have, both ways."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from wherry import dtypes
from wherry.dialects.openvino.packing import nbytes_of, pack, unpack
from wherry.errors import FileFormatError, InvalidValueError, SizeOverflowError

# As OpenVINO 2026.4.1 saves them.
LAYOUTS = [
    ("boolean", [True, False, True], "010001"),
    ("i8", [1, 2, 3], "010203"),
    ("u16", [1, 2, 3], "010002000300"),
    ("f32", [1, 2, 3], "0000803f0000004000004040"),
    ("bf16", [1, 2, 3], "803f00404040"),
    ("f16", [1, 2, 3], "003c00400042"),
    ("u4", [1, 2, 3], "2103"),
    ("i4", [-1, -8, 7], "8f07"),
    ("nf4", [1, 2, 3], "2103"),
    ("f4e2m1", [1, 2, 3], "4205"),
    ("u2", [1, 2, 3], "39"),
    ("u1", [1, 0, 1], "a0"),
    ("u3", [1, 2, 3], "6c0000"),
    ("u3", [4, 0, 0, 0, 0, 0, 0, 0], "000080"),
    ("u3", [0, 0, 0, 0, 7, 0, 0, 1], "00c108"),
    ("u6", [1, 2, 3], "123000"),
    ("u6", [16, 0, 0, 0], "000040"),
    ("u6", [0, 0, 0, 63], "000f03"),
    ("f8e4m3", [1, 2, 3], "384044"),
    ("f8e5m2", [1, 2, 3], "3c4042"),
    ("f8e8m0", [1, 2, 4], "7f8081"),
    ("string", [], "0000000000000000"),
    ("string", ["ab", "", "héé"], "0300000000000000020000000200000007000000616268c3a9c3a9"),
]


@pytest.mark.parametrize(("name", "values", "text"), LAYOUTS)
def test_layouts(name: str, values: list, text: str) -> None:
    dtype = dtypes.by_spelling("openvino")[name]
    array = np.array(values, object if dtype.is_string else None).astype(dtype.numpy)
    assert pack(dtype, array).hex() == text
    assert_same_bits(unpack(dtype, np.frombuffer(bytes.fromhex(text), np.uint8), array.shape), array)


def test_every_type_of_the_dialect_has_a_layout_here() -> None:
    covered = {name for name, _, _ in LAYOUTS} | {"i16", "i32", "i64", "u8", "u32", "u64", "f64"}
    assert covered == set(dtypes.by_spelling("openvino"))


SIZED = sorted(name for name in dtypes.by_spelling("openvino") if name != "string")


@given(st.sampled_from(SIZED), st.lists(st.integers(0, 5), max_size=3).map(tuple), st.integers(0, 2**32))
def test_there_and_back(name: str, shape: tuple[int, ...], seed: int) -> None:
    dtype = dtypes.by_spelling("openvino")[name]
    random = np.random.default_rng(seed)
    raw = random.integers(0, 256, nbytes_of(dtype, shape) + 3).astype(np.uint8)
    array = unpack(dtype, raw, shape)
    assert array.dtype == dtype.numpy
    assert array.shape == shape
    packed = np.frombuffer(pack(dtype, array), np.uint8)
    assert len(packed) == nbytes_of(dtype, shape)
    assert_same_bits(unpack(dtype, packed, shape), array)
    if dtype.bits >= 8:
        assert packed.tobytes() == raw[:-3].tobytes()


@given(st.lists(st.text(), max_size=5))
def test_strings_there_and_back(texts: list[str]) -> None:
    texts = [text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") for text in texts]
    array = np.array(texts, object)
    assert_same_bits(unpack(dtypes.STRING, np.frombuffer(pack(dtypes.STRING, array), np.uint8), array.shape), array)


def test_bytes_that_are_no_utf8_survive() -> None:
    raw = np.frombuffer(np.array([1, 0, 2], "<i4").tobytes() + b"\xff\xfe", np.uint8)
    assert pack(dtypes.STRING, unpack(dtypes.STRING, raw, (1,))) == raw.tobytes()


def test_whole_bytes_are_not_copied() -> None:
    raw = np.arange(13, dtype=np.uint8)[1:]
    array = unpack(dtypes.find("float32"), raw, (3,))
    assert np.shares_memory(array, raw)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([2, 0, 1, 1], "the constant holds 2 strings, needed 1"),
        ([1, 1, 1], "the offsets of the strings do not rise from 0 to at most 2"),
        ([1, 0, 3], "the offsets of the strings do not rise from 0 to at most 2"),
        ([1, 0, -1], "the offsets of the strings do not rise from 0 to at most 2"),
    ],
)
def test_strings_that_contradict_themselves(table: list[int], words: str) -> None:
    raw = np.array(table[:3], "<i4").tobytes() + b"ab"
    with pytest.raises(FileFormatError) as caught:
        unpack(dtypes.STRING, np.frombuffer(raw, np.uint8), (1,))
    assert str(caught.value) == words


def test_too_few_bytes() -> None:
    with pytest.raises(FileFormatError, match=r"the constant has 3 bytes, needed 4 for float32\[1\]"):
        unpack(dtypes.find("float32"), np.zeros(3, np.uint8), (1,))


@pytest.mark.parametrize("shape", [(2**62, 2), (0, 2**62, 4), (2**63 - 1, 2**63 - 1)])
def test_sizes_beyond_64_bits(shape: tuple[int, ...]) -> None:
    assert math.prod(shape) != 1
    with pytest.raises(SizeOverflowError, match="does not fit in 64 bits of address"):
        nbytes_of(dtypes.find("float32"), shape)


def test_codes_that_a_type_does_not_have() -> None:
    with pytest.raises(InvalidValueError) as caught:
        pack(dtypes.find("nf4"), np.array([15, 16], np.uint8))
    assert str(caught.value) == "the constant, element 1 has the code 16, allowed 0..15 in nf4"
