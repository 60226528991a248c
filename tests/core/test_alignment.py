"""Every kernel at every alignment: lengths around all vector widths, offsets 0 to 63, nothing written outside."""

from functools import cache
from math import prod

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from tests.support.thinning import thinned
from wherry import _core
from wherry.moves import ELEMENT_NUMBER

LENGTHS = sorted({n + d for n in (0, 8, 16, 32, 64, 128, 256) for d in (-1, 0, 1)} - {-1} | {2, 3, 5, 100})
LARGE = _core.machine()["stream-dense"] + 2**20  # bytes from which on destinations go around the caches
around = pytest.mark.skipif(LARGE > 8 * 2**20, reason="test_every_isa.py runs it, where smaller ones do")
GUARD, GUARDED = 64, 0xA5


def kind(width):
    """A type of that many bytes; NumPy is quicker with integers than with bytes."""
    return f"u{width}" if width in (1, 2, 4, 8) else f"V{width}"


def address(array):
    """Where an array begins; `array.ctypes` takes several times as long."""
    return array.__array_interface__["data"][0]


@cache
def unlike_bytes(seed):
    """Bytes that an array of any size repeats."""
    return np.random.default_rng(seed).integers(0, 256, 65_537, np.uint8)


def at_offset(offset, shape, width):
    """An array of unlike elements that begins so many bytes behind a line of the cache."""
    count = prod(shape) * width
    buffer = np.empty(count + offset + 64, np.uint8)
    start = -address(buffer) % 64 + offset
    unlike = unlike_bytes(width)
    buffer[start : start + count] = unlike[:count] if count <= unlike.size else np.resize(unlike, count)
    return buffer[start : start + count].view(kind(width)).reshape(shape)


class Guarded:
    """An array like at_offset's, between bytes that must stay as they are."""

    def __init__(self, offset, shape, width):
        count = prod(shape) * width
        self.buffer = np.full(count + 2 * GUARD + 128, GUARDED, np.uint8)
        self.start = -address(self.buffer) % 64 + 64 + offset
        self.end = self.start + count
        self.array = self.buffer[self.start : self.end].view(kind(width)).reshape(shape)

    def is_now(self, expected):
        written, between = self.buffer.data, self.buffer[self.start : self.end]
        untouched = written[: self.start].tobytes() + written[self.end :].tobytes()
        if untouched != bytes([GUARDED]) * len(untouched):
            return False
        if between.size < LARGE // 4:
            return between.tobytes() == expected.tobytes()
        same = np.ascontiguousarray(expected).reshape(-1).view(np.uint8)  # copies of many megabytes cost more
        return np.array_equal(between, same)


def copied(shape, view):
    """A copy of what a view shows of an array of so many elements."""

    def run(offset, other, length, width):
        source = view(at_offset(other, shape(length), width))
        out = Guarded(offset, source.shape, width)
        _core.copy(source, out.array)
        return out.is_now(np.ascontiguousarray(source))

    return run


def written(shape, view):
    """A copy into what a view shows of out."""

    def run(offset, other, length, width):
        out = Guarded(offset, shape(length), width)
        expected = out.array.copy()
        part = view(out.array)
        source = at_offset(other, part.shape, width)
        _core.copy(source, part)
        view(expected)[...] = source
        return out.is_now(expected)

    return run


def filled(offset, other, length, width):
    out, value = Guarded(offset, (length,), width), at_offset(other, (1,), width)
    _core.fill(out.array, value.reshape(()))
    return out.is_now(np.repeat(value, length))


@cache
def places(size, count):
    return np.random.default_rng(count).integers(-size, size, count)


def gathered(take):
    """A gather along one axis of a table, whose indices are as unaligned as the table."""

    def run(offset, other, length, width):
        table, axis = take(at_offset(other, (9, length), width))
        picked = places(table.shape[axis], length)
        indices = at_offset(other % 8, picked.shape, 8).view(np.int64)
        indices[...] = picked
        expected = np.take(table, picked, axis)
        out = Guarded(offset, expected.shape, width)
        _core.gather(table, indices, axis, out=out.array)
        return out.is_now(expected)

    return run


def scattered(offset, other, length, width):
    """An update of every second row of out."""
    out = Guarded(offset, (8, length), width)
    expected = out.array.copy()
    updates = at_offset(other, (4, length), width)
    picked = np.array([6, -8, 2, 4])
    row = out.array.strides[0]
    spread = as_strided(out.array, (4, length, 8), (0, width, row))
    _core.scatter_into(spread, np.broadcast_to(picked[:, None, None], (4, length, 1)), updates, 0, 0, 0, -1, 0)
    expected[picked] = updates
    return out.is_now(expected)


def selected(axes):
    """Elements of two arrays, or of one element each, as a condition that is unaligned too says."""

    def run(offset, other, length, width):
        x, y = (at_offset(other + k, axes(length, k), width) for k in (0, 1))
        out = Guarded(offset, (3, length), width)
        condition = at_offset(other, (3, length), 1)
        condition %= 3
        spread = [np.broadcast_to(each, out.array.shape) for each in (x, y)]
        _core.select(condition, *spread, out.array)
        return out.is_now(np.where(condition, *spread))

    return run


CONVERTED = {1: ("i4", "u1"), 2: ("f4", "f2"), 4: ("f2", "f4"), 8: ("u1", "f8")}
"""Two element types, of which the second has so many bytes."""


def converted(offset, other, length, width, view=lambda a: a):
    """Numbers as another type, which may be wider or narrower, to memory as unaligned as they are."""
    source, to = map(np.dtype, CONVERTED[width])
    data = at_offset(other, (3, 2 * length), source.itemsize).view(source)
    data[...] = np.resize(np.arange(-30, 90).astype(source), data.shape)
    out = Guarded(offset, (3, 2 * length), width)
    expected = out.array.copy()
    numbers = (ELEMENT_NUMBER[each] for each in (source, to))
    _core.convert(view(data), view(out.array), *numbers)
    view(expected.view(to))[...] = view(data)
    return out.is_now(expected)


VIEWS = {
    "dense": lambda a: a,
    "every second": lambda a: a[:, ::2],
    "backwards": lambda a: a[::-1, ::-1],
    "columns": lambda a: a.T,
    "thirds": lambda a: a[:, ::3],
}


@pytest.mark.parametrize("width", CONVERTED)
@pytest.mark.parametrize("view", VIEWS)
def test_conversions_of_all_lengths_and_offsets(view, width):
    wrong = [
        (length, offset, other)
        for length in LENGTHS
        for offset, other in thinned(zip(range(64), (*range(13, 64), *range(13)), strict=True), 4, length + width)
        if not converted(offset, other, length, width, VIEWS[view])
    ]
    assert not wrong


@around
@pytest.mark.parametrize("width", CONVERTED)
def test_conversions_around_the_caches(width):
    for offset, other in thinned(((0, 0), (width * 3, width), (1, 63), (63, 2)), 2, width // 4):
        assert converted(offset, other, 2 * LARGE // width // 6 + 7, width), (offset, other)


def with_diagonals(shape, begin, end, inverted, view=lambda a: a, stays=False):
    """A band of matrices filled, and the rest copied, or left."""

    def run(offset, other, length, width):
        data, value = at_offset(other, shape(length), width), at_offset(other, (1,), width)
        out = Guarded(offset, data.shape, width)
        expected = out.array.copy()
        target, wanted = view(out.array), view(expected)
        rows, columns = target.shape[-2:]
        x_y = np.arange(columns, dtype=np.int16) - np.arange(rows, dtype=np.int16)[:, None]  # no side is that long
        low, high = min(max(begin(length), -rows), columns), min(max(end(length), -rows), columns)
        high = max(low, high)
        filled = ((low <= x_y) & (x_y < high)) != inverted
        if not stays:
            wanted[...] = view(data)
        wanted[..., filled] = value[0]
        _core.fill_diagonals(target, None if stays else view(data), value, low, high, inverted)
        return out.is_now(expected)

    return run


def wide(n):
    return (2, 3, n)


DIAGONALS = {
    "lower triangle": with_diagonals(wide, lambda n: n // 2, lambda n: n, False),
    "upper triangle": with_diagonals(wide, lambda n: -3, lambda n: n // 3, False),
    "all but a band": with_diagonals(wide, lambda n: 5, lambda n: n - 9, True),
    "a band, backwards": with_diagonals(wide, lambda n: 2, lambda n: n // 2, False, lambda a: a[::-1, ::-1, ::-1]),
    "columns": with_diagonals(wide, lambda n: 1 - n // 2, lambda n: 3, False, lambda a: a.swapaxes(1, 2)),
    "every second": with_diagonals(wide, lambda n: -1, lambda n: n // 4, True, lambda a: a[..., ::2]),
    "a band, the rest stays": with_diagonals(wide, lambda n: 3, lambda n: n - 2, False, stays=True),
}


@pytest.mark.parametrize("width", [1, 2, 3, 4, 8, 16])
@pytest.mark.parametrize("kernel", DIAGONALS)
def test_diagonals_of_all_lengths_and_offsets(kernel, width):
    wrong = [
        (length, offset, other)
        for length in LENGTHS
        for offset, other in thinned(zip(range(0, 64, 3), range(63, 0, -3), strict=False), 3, length + width)
        if not DIAGONALS[kernel](offset, other, length, width)
    ]
    assert not wrong


@around
@pytest.mark.parametrize("width", [1, 3, 4, 16])
@pytest.mark.parametrize("inverted", [False, True])
def test_diagonals_around_the_caches(width, inverted):
    side = int((LARGE / width) ** 0.5) + 3
    run = with_diagonals(lambda n: (n, n), lambda n: -5, lambda n: n // 3, inverted)
    for offset, other in thinned(((0, 0), (1, 63), (width * 3, width)), 3, width):
        assert run(offset, other, side, width), (offset, other)


COUNTED = [("i1", 7), ("u2", 40_003), ("i4", -(2**31)), ("u8", 2**63 + 5), ("f4", 0.1), ("f8", -1e-3)]


def counted(offset, step, length, kind, delta):
    """Numbers at equal distances, from element to element or with steps between."""
    dtype = np.dtype(kind)
    out = Guarded(offset, (length * abs(step),), dtype.itemsize)
    expected = out.array.copy()
    start, by = np.array(3, dtype), np.array(delta, dtype)
    _core.range(out.array[::step], start.tobytes(), by.tobytes(), ELEMENT_NUMBER[dtype])
    expected.view(dtype)[::step] = start + np.arange(length).astype(dtype) * by
    return out.is_now(expected)


@pytest.mark.parametrize(("kind", "delta"), COUNTED)
@pytest.mark.parametrize("step", [1, 2, -1, 5])
def test_sequences_of_all_lengths_and_offsets(kind, delta, step):
    lengths = [*LENGTHS, 511, 512, 513, 1700]
    wrong = [
        (length, offset)
        for length in lengths
        for offset in thinned(range(64), 6, length + step)
        if not counted(offset, step, length, kind, delta)
    ]
    assert not wrong


@around
@pytest.mark.parametrize(("kind", "delta"), COUNTED)
def test_sequences_around_the_caches(kind, delta):
    for offset in thinned((0, 24, 1, 63), 2, COUNTED.index((kind, delta))):
        assert counted(offset, 1, 2 * LARGE // np.dtype(kind).itemsize + 3, kind, delta), offset


KERNELS = {
    "dense copy": copied(lambda n: (n,), lambda a: a),
    "backwards": copied(lambda n: (n,), lambda a: a[::-1]),
    "every second": copied(lambda n: (2 * n,), lambda a: a[::2]),
    "every third, backwards": copied(lambda n: (3 * n,), lambda a: a[::-3]),
    "every fifth": copied(lambda n: (5 * n,), lambda a: a[::5]),
    "rows apart": copied(lambda n: (5, n + 7), lambda a: a[:, :-7]),
    "transposed": copied(lambda n: (5, n + 7), lambda a: a[:, :-7].T),
    "transposed, square": copied(lambda n: (n // 8, n // 8), lambda a: a.T),
    "transposed, by lines": copied(lambda n: (n // 2, 70), lambda a: a.T),
    "planes of two": copied(lambda n: (n, 2), lambda a: a.T),
    "planes of three": copied(lambda n: (n, 3), lambda a: a.T),
    "planes of four": copied(lambda n: (n, 4), lambda a: a.T),
    "two planes joined": copied(lambda n: (2, n), lambda a: a.T),
    "three planes joined": copied(lambda n: (3, n), lambda a: a.T),
    "four planes joined": copied(lambda n: (4, n), lambda a: a.T),
    "one element repeated": copied(lambda n: (n,), lambda a: np.broadcast_to(a[:1], a.shape)),
    "one element of each row repeated": copied(lambda n: (5, n), lambda a: np.broadcast_to(a[:, :1], a.shape)),
    "to every second": written(lambda n: (2 * n,), lambda a: a[::2]),
    "to rows apart": written(lambda n: (5, n + 7), lambda a: a[:, :-7]),
    "to columns": written(lambda n: (5, n + 7), lambda a: a[:, :-7].T),
    "fill": filled,
    "elements": gathered(lambda t: (t.reshape(-1), 0)),
    "elements of rows": gathered(lambda t: (t, 1)),
    "elements of rows, several times": gathered(lambda t: (t[:, : t.shape[1] // 4 + 1], 1)),
    "rows": gathered(lambda t: (t, 0)),
    "rows of columns": gathered(lambda t: (np.asfortranarray(t), 0)),
    "scatter": scattered,
    "select": selected(lambda n, k: (3, n)),
    "select x or an element": selected(lambda n, k: (1, 1) if k else (3, n)),
    "select an element or y": selected(lambda n, k: (3, n) if k else (1, 1)),
    "select of two elements": selected(lambda n, k: (1, 1)),
    "select of columns": selected(lambda n, k: (3, 1) if k else (1, n)),
}


@pytest.mark.parametrize("width", [1, 2, 3, 4, 6, 8, 12, 16])
@pytest.mark.parametrize("kernel", KERNELS)
def test_lengths_and_offsets(kernel, width):
    wrong = [
        (length, offset, other)
        for length in LENGTHS
        if length or not kernel.startswith(("elements", "one element"))
        for offset, other in thinned(zip(range(64), (*range(13, 64), *range(13)), strict=True), 6, length + width)
        if not KERNELS[kernel](offset, other, length, width)
    ]
    assert not wrong


@pytest.mark.parametrize("count", [20, 300])
@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
def test_columns_of_whole_lines_from_any_place_of_a_line(width, count):
    """Rows of a table, all at the same place of a line, are named by indices and written as columns."""
    picked = places(9, count)
    wrong = []
    for length in LENGTHS:
        for offset, other in thinned(zip(range(0, 64, width), range(64 - width, -1, -width), strict=True), 6, length):
            table = at_offset(other, (9, -(-length // 64) * 64), width).T[:length]
            out = Guarded(offset, (length, count), width)
            _core.gather(table, picked, 1, out=out.array)
            if not out.is_now(table[:, picked]):
                wrong.append((length, offset, other))
    assert not wrong


@pytest.mark.parametrize("rows", [64, 150, 192, 200, 261])
def test_bytes_transposed_of_all_lengths_and_offsets(rows):
    transposed = copied(lambda n: (n, rows), lambda a: a.T)
    wrong = [
        (length, offset, other)
        for length in [*LENGTHS, 191, 192, 193, 300]
        for offset, other in thinned(zip(range(0, 64, 3), range(63, 0, -3), strict=False), 3, length + rows)
        if not transposed(offset, other, length, 1)
    ]
    assert not wrong


@around
@pytest.mark.parametrize(("rows", "columns"), [(4096, 2100), (2100, 4096), (64, 140_000), (200, 50_000), (130_000, 70)])
def test_bytes_transposed_around_the_caches(rows, columns):
    transposed = copied(lambda n: (columns, n), lambda a: a.T)
    for offset, other in thinned(((0, 0), (1, 63), (17, 2)), 3, rows // 64):
        assert transposed(offset, other, rows, 1), (offset, other)


LARGE_KERNELS = [
    "dense copy", "backwards", "every second", "rows apart", "transposed", "planes of three", "three planes joined",
    "one element repeated", "one element of each row repeated", "elements", "rows", "fill", "scatter", "select",
]  # fmt: skip


@around
@pytest.mark.parametrize("width", [1, 3, 4, 8])
@pytest.mark.parametrize("kernel", LARGE_KERNELS)
def test_offsets_around_the_caches(kernel, width):
    divisor = {
        "rows apart": 5,
        "transposed": 5,
        "planes of three": 3,
        "three planes joined": 3,
        "one element of each row repeated": 5,
        "scatter": 8,
        "select": 3,
    }
    length = LARGE // width // divisor.get(kernel, 1)
    if kernel in ("elements", "rows"):  # a table of nine rows
        length = 3_000_001 // width if kernel == "elements" else int((LARGE // width) ** 0.5) + 1
    for offset, other in thinned(((0, 0), (1, 63), (width * 3, width), (63, 2)), 4, width // 4 + len(kernel)):
        assert KERNELS[kernel](offset, other, length, width), (offset, other)


@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_rows_that_crowd_one_set_of_the_cache(width):
    source = at_offset(width, (4096 // width, 2048 + 100), width)[:, 30:]
    for offset in (0, width, 64 - width):
        out = Guarded(offset, source.T.shape, width)
        _core.copy(source.T, out.array)
        assert out.is_now(np.ascontiguousarray(source.T))


@pytest.mark.parametrize("behind", [1, 16, 31, 63, 64])
def test_bytes_just_behind_their_source_whole_pages_apart(behind):
    """A way of its own: memcpy is slow there on some processors."""
    length = 20_000
    memory = np.random.default_rng(behind).integers(0, 256, 3 * 4096 + 2 * length, np.uint8)
    start = -address(memory) % 4096 + 5
    source = memory[start : start + length]
    apart = -(-length // 4096) * 4096 + behind
    for count in (1023, 1024, 1279, 1280, 1300, length):
        target, before = memory[start + apart :], memory.copy()
        _core.copy(source[:count], target[:count])
        before[start + apart : start + apart + count] = source[:count]
        assert np.array_equal(memory, before), count
        target[:count] ^= 0xFF


@pytest.mark.parametrize("length", [4, LARGE // 2])
def test_the_guards_can_fail(length):
    out = Guarded(3, (length,), 2)
    expected = out.array.copy()
    assert out.is_now(expected)
    for place in (out.start - 1, out.end, out.start, out.end - 1):
        out.buffer[place] ^= 1
        assert not out.is_now(expected)
        out.buffer[place] ^= 1
    assert out.is_now(expected)
