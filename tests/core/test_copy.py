"""Copies and fills of the core through its module."""

import numpy as np
import pytest

from tests.core.naive import WIDTHS, distinct, same, strided
from tests.core.tuned import on_each_isa, on_each_isa_with, run_tuned
from wherry import _core


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("seed", range(20))
def test_copy_any_strides(width, seed):
    rng = np.random.default_rng([width, seed, 1])
    shape = [int(n) for n in rng.integers(1, 40 if seed % 2 else 6, int(rng.integers(0, 4)))]
    values = distinct(shape, width)
    src = strided(values, rng)
    dst = strided(np.zeros(shape, values.dtype), rng)
    around = dst.base.copy()
    _core.copy(src, dst)
    same(dst, values)
    dst[...] = np.zeros((), dst.dtype)
    assert (dst.base == around).all()


LOW = [(300, 5), (33, 7), (129, 8), (300, 12), (1000, 15), (70, 31)]
"""Matrices whose transposes have fewer rows than a tile of some element."""


@pytest.mark.parametrize("dtype", ["u1", "u2", "f4", "f8", "c16"])
@pytest.mark.parametrize("shape", [(1, 1), (7, 9), (64, 64), (65, 63), (130, 257), (1000, 3), (3, 1000), *LOW])
def test_transpose(dtype, shape):
    src = np.arange(np.prod(shape)).astype(dtype).reshape(shape)
    dst = np.zeros(shape[::-1], dtype)
    _core.copy(src.T, dst)
    same(dst, np.ascontiguousarray(src.T))
    _core.copy(src.T[::-1, ::-1], dst)
    same(dst, np.ascontiguousarray(src.T[::-1, ::-1]))


@pytest.mark.parametrize("dtype", ["u1", "u2", "f4", "f8"])
@pytest.mark.parametrize("channels", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("size", [1, 7, 15, 16, 17, 33, 64, 126, 1000, 20_011])
def test_channels_to_planes_and_back(dtype, channels, size):
    pixels = (np.arange(size * channels) % 251).astype(dtype).reshape(size, channels)
    planes = np.zeros((channels, size), dtype)
    _core.copy(pixels.T, planes)
    same(planes, np.ascontiguousarray(pixels.T))
    back = np.zeros((size, channels), dtype)
    _core.copy(planes.T, back)
    same(back, pixels)


RUNS = """
from itertools import permutations
import numpy as np
from tests.support.memory import assert_writes
from wherry import _core

tried = 0
for run in (256, 260, 511, 640, 1024, 1100):
    data = np.arange(3 * 22 * 7 * run, dtype=np.uint32).astype(np.uint8).reshape(3, 22, 7, run)
    for order in permutations(range(3)):
        for view in (data, data[:, ::-1, :, :], data[:, ::2, 1:, :], data[::-1, :, ::-1, : run - 3]):
            view = view.transpose(*order, 3)
            assert_writes(lambda out: _core.copy(view, out), view, tried % 64)
            tried += 1
print(tried)
"""


FETCHED = {"in the order of the source": 1, "in that of the result": 128}


@on_each_isa_with("order", FETCHED)
def test_long_runs_outside_the_caches_of_a_core(isa, order):
    done = run_tuned(f"second=8K,last=16M,fetch-written={FETCHED[order]}", "-c", RUNS, WHERRY_ISA=isa)
    assert done.stdout.split() == [str(6 * 6 * 4)], done.stderr


def test_copy_from_broadcast_and_to_itself():
    row = np.arange(50, dtype="i2")
    out = np.zeros((30, 50), "i2")
    _core.copy(np.broadcast_to(row, (30, 50)), out)
    same(out, np.tile(row, (30, 1)))
    _core.copy(np.broadcast_to(row[:30, None], (30, 50)), out)
    same(out, np.repeat(row[:30, None], 50, 1))
    _core.copy(out, out)
    same(out, np.repeat(row[:30, None], 50, 1))


@pytest.mark.parametrize("width", WIDTHS)
def test_fill(width):
    rng = np.random.default_rng(width)
    value = distinct((1,), width)
    for shape in [(), (1,), (5, 7), (3, 100, 2), (0, 4)]:
        dst = strided(np.zeros(shape, value.dtype), rng)
        _core.fill(dst, value)
        same(dst, np.broadcast_to(value.reshape(()), shape).copy())


def test_payloads_survive():
    bits = np.array([0x7FC00001, 0xFFC12345, 0x7F800001, 0x80000000], "u4")
    same(_core.gather(bits.view("f4"), np.arange(4)).view("u4"), bits)


def test_fill_with_an_element_of_itself():
    array = np.arange(5.0)
    _core.fill(array, array[3:4])
    assert (array == 3).all()


PARTS = """
import numpy as np
import wherry as wh
from tests.support.memory import Room
from wherry import _core, dtypes

assert _core.machine()["side-by-side"] == _core.machine()["side-by-side-element"] == 1
room, rng = Room(64 << 20), np.random.default_rng(0)
tried = 0
# From less than two pages of each part on; parts, lines and pages end in all places.
for bytes in (4096, 32_767, 32_768, 33_000, 50_000, 65_536, *rng.integers(32_768, 600_000, 40).tolist(), 5_000_000):
    for begin, shift in ((0, 0), (16, 0), (int(rng.integers(64)), int(rng.integers(64)))):
        src = rng.integers(0, 256, bytes + begin, np.uint8)[begin:]
        room.assert_writes(lambda out: _core.copy(src, out), src, shift)
        tried += 1
# The same of elements that are computed.
pairs = [("int64", "float32"), ("float32", "int64"), ("float64", "int32"), ("int16", "float32"),
         ("float32", "bfloat16"), ("int64", "uint8"), ("uint8", "float64"), ("float32", "float16"), ("int8", "int16")]
for count in (2000, 4096, 8191, 8192, 8300, 20_001, 65_536, *rng.integers(8000, 100_000, 5).tolist()):
    numbers, chosen = rng.integers(-100, 100, count), rng.integers(0, 2, count).astype(bool)
    for shift in (0, 16, 3, 8 * int(rng.integers(8))):
        for source, target in pairs:
            data = numbers.astype(source)
            expected = data.astype(dtypes.find(target).numpy)
            room.assert_writes(lambda out: wh.onnx.cast(data, to=target, out=out), expected, shift)
            tried += 1
        for dtype in ("uint8", "int16", "float32", "float64"):
            x, y = numbers.astype(dtype), numbers[::-1].astype(dtype)
            for first, second in ((x, y), (x[:1], y), (x, y[:1])):
                expected = np.where(chosen, first, second)
                room.assert_writes(lambda out: wh.onnx.where(chosen, first, second, out=out), expected, shift)
                tried += 1
print(tried)
"""


@on_each_isa
def test_parts_that_are_streamed_side_by_side_are_the_whole(isa):
    done = run_tuned("stream=64,stream-dense=64,side-by-side=1,side-by-side-element=1", "-c", PARTS, WHERRY_ISA=isa)
    assert done.stdout.split() == [str(47 * 3 + 12 * 4 * 21)], done.stderr
