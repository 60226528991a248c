"""Bytes of a Const and back: types narrower than a byte, and strings, as the .bin file of an IR lays them out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.elements import codes, utf8
from wherry.dtypes import DType
from wherry.errors import FileFormatError, SizeOverflowError

Array = NDArray[Any]
Bytes = NDArray[np.uint8]

# Types whose codes are cut in two: so many elements share 3 bytes. The low bits of each stand in the first two bytes,
# the high bits in the third, the first element in the highest place of each: (elements, low bits).
_CUT = {3: (8, 2), 6: (4, 4)}


def nbytes_of(dtype: DType, shape: tuple[int, ...]) -> int:
    """Return the bytes of a packed constant; strings, which have no fixed size, count only their table.

    Raises SizeOverflowError where the elements, held in memory, would not fit in 64 bits.
    """
    count = math.prod(shape)
    if math.prod(max(size, 1) for size in shape) * max(dtype.numpy.itemsize, 1) > 2**63 - 1:
        raise SizeOverflowError(f"a constant of {dtype}{list(shape)} does not fit in 64 bits of address")
    if dtype.is_string:
        return 4 * (count + 2) if count else 0
    if dtype.bits in _CUT:
        group, _ = _CUT[dtype.bits]
        return -(-count // group) * 3
    return -(-count * dtype.bits // 8)


def unpack(dtype: DType, raw: Bytes, shape: tuple[int, ...]) -> Array:
    """Return the elements that `raw` packs: a view of it where each element is whole bytes, otherwise a new array.

    Raises FileFormatError where the bytes are too few, or, of strings, do not agree with each other.

    >>> from wherry import dtypes
    >>> unpack(dtypes.find("uint4"), np.array([0x21, 0x03], np.uint8), (3,)).astype(int)
    array([1, 2, 3])
    """
    needed, count = nbytes_of(dtype, shape), math.prod(shape)
    if len(raw) < needed:
        raise FileFormatError(f"the constant has {len(raw)} bytes, needed {needed} for {dtype}{list(shape)}")
    if dtype.is_string:
        return _unpack_strings(raw, count).reshape(shape)
    raw = raw[:needed]
    if dtype.bits >= 8:
        return raw.view(dtype.numpy).reshape(shape)
    return _from_codes(dtype, _codes(dtype.bits, raw)[:count]).reshape(shape)


def pack(dtype: DType, array: Array) -> bytes:
    """Return the bytes of a constant; raises what `codes` and `utf8` raise.

    >>> from wherry import dtypes
    >>> pack(dtypes.find("uint1"), np.array([1, 0, 1], np.uint8)).hex()
    'a0'
    """
    flat = array.reshape(-1)
    if dtype.is_string:
        return _pack_strings(flat)
    if dtype.bits >= 8:
        return np.ascontiguousarray(flat, flat.dtype.newbyteorder("=")).tobytes()
    return _packed_codes(dtype.bits, codes(flat, dtype, "the constant")).tobytes()


def _codes(bits: int, raw: Bytes) -> Bytes:
    if bits == 1:
        return np.unpackbits(raw)
    if bits not in _CUT:
        return _cut_apart(raw, bits, first_low=True)
    group, low = _CUT[bits]
    triples = raw.reshape(-1, 3)
    lows = _cut_apart(triples[:, :2].reshape(-1), low, first_low=False)
    highs = _cut_apart(triples[:, 2], 8 // group, first_low=False)
    return lows | highs << np.uint8(low)


def _packed_codes(bits: int, codes: Bytes) -> Bytes:
    if bits == 1:
        return np.packbits(codes)
    if bits not in _CUT:
        return _put_together(_padded(codes, 8 // bits), bits, first_low=True)
    group, low = _CUT[bits]
    codes = _padded(codes, group)
    lows = _put_together(codes & (2**low - 1), low, first_low=False).reshape(-1, 2)
    highs = _put_together(codes >> np.uint8(low), 8 // group, first_low=False).reshape(-1, 1)
    return np.concatenate([lows, highs], axis=1).reshape(-1)


def _shifts(bits: int, first_low: bool) -> Bytes:
    places = np.arange(0, 8, bits, dtype=np.uint8)
    return places if first_low else places[::-1]


def _cut_apart(raw: Bytes, bits: int, first_low: bool) -> Bytes:
    return ((raw[:, None] >> _shifts(bits, first_low)) & np.uint8(2**bits - 1)).reshape(-1)


def _put_together(codes: Bytes, bits: int, first_low: bool) -> Bytes:
    shifted: Bytes = codes.reshape(-1, 8 // bits) << _shifts(bits, first_low)
    joined: Bytes = np.bitwise_or.reduce(shifted, axis=1)
    return joined


def _padded(codes: Bytes, group: int) -> Bytes:
    return np.concatenate([codes, np.zeros(-len(codes) % group, np.uint8)])


def _from_codes(dtype: DType, codes: Bytes) -> Array:
    if dtype.kind == "int":
        sign = np.uint8(1 << (dtype.bits - 1))
        return ((codes ^ sign) - sign).view(np.int8).astype(dtype.numpy)
    return codes.view(dtype.numpy)


# A string Const: int32 count n, n + 1 int32 offsets (0 first, then where each string ends), and the UTF-8 bytes.
# Bytes that are no UTF-8 are kept, as Python keeps those of file names: by lone surrogates.


def _unpack_strings(raw: Bytes, count: int) -> Array:
    result = np.empty(count, object)
    if count == 0:
        return result
    table = raw[: 4 * (count + 2)].view("<i4")
    stated, ends = int(table[0]), table[1:].astype(np.int64)
    text = raw[4 * (count + 2) :].tobytes()
    if stated != count:
        raise FileFormatError(f"the constant holds {stated} strings, needed {count}")
    if ends[0] != 0 or (np.diff(ends) < 0).any() or ends[-1] > len(text):
        raise FileFormatError(f"the offsets of the strings do not rise from 0 to at most {len(text)}")
    for number in range(count):
        result[number] = text[ends[number] : ends[number + 1]].decode("utf-8", "surrogateescape")
    return result


def _pack_strings(flat: Array) -> bytes:
    texts = utf8(flat, "the constant", "surrogateescape")
    ends = np.cumsum([0, *map(len, texts)])
    if ends[-1] > 2**31 - 1:
        raise SizeOverflowError(f"the strings of a constant have {ends[-1]} bytes, allowed up to {2**31 - 1}")
    return np.array([len(texts), *ends], "<i4").tobytes() + b"".join(texts)
