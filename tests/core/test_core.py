"""The C++ core through its module, against loops over NumPy arrays."""

import inspect
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from wherry import _core

RAISE, CLAMP, ZERO, WRAP = range(4)
FROM_END, INVALID = range(2)
POLICIES = {"raise": RAISE, "clamp": CLAMP, "zero": ZERO, "wrap": WRAP}
INDEX_TYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
WIDTHS = [1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 33]


def place(value, size, policy, negative):
    """The position that an index stands for: None for a zero, IndexError for a refusal."""
    value = int(value)
    if negative == FROM_END and value < 0:
        value += size
    if 0 <= value < size:
        return value
    if policy == CLAMP:
        return 0 if value < 0 else size - 1
    if policy == WRAP:
        return value % size
    if policy == ZERO:
        return None
    raise IndexError


def naive_gather(data, indices, axis, batch_dims=0, policy=RAISE, negative=FROM_END):
    shape = data.shape[:axis] + indices.shape[batch_dims:] + data.shape[axis + 1 :]
    out = np.zeros(shape, data.dtype)
    index_dims = indices.ndim - batch_dims
    for o in np.ndindex(shape):
        which = o[:batch_dims] + o[axis : axis + index_dims]
        at = place(indices[which], data.shape[axis], policy, negative)
        if at is not None:
            out[o] = data[(*o[:axis], at, *o[axis + index_dims :])]
    return out


def gather_into(data, indices, out, axis, batch_dims, policy, negative):
    """A gather along one axis in the uniform form of the core; under RAISE the check comes first."""
    if policy == RAISE:
        bad = _core.check_indices(indices, data.shape[axis], negative)
        if bad is not None:
            return bad
    picked = indices.ndim - batch_dims
    spread = np.expand_dims(np.moveaxis(data, axis, -1), tuple(range(axis, axis + picked)))
    ones = data.ndim - axis - 1
    index = np.expand_dims(indices, tuple(range(batch_dims, axis)))
    index = index.reshape(index.shape + (1,) * (ones + 1)) if index.size else np.zeros((*out.shape, 1), indices.dtype)
    size = data.shape[axis]
    return _core.gather_into(
        np.broadcast_to(spread, (*out.shape, size)), np.broadcast_to(index, (*out.shape, 1)), out, policy, negative
    )


def distinct(shape, width):
    """An array of elements of that many bytes, all different."""
    raw = np.random.default_rng(width).integers(0, 256, (int(np.prod(shape)), width), np.uint8)
    return raw.view(f"V{width}").reshape(shape)


def same(a, b):
    assert a.dtype == b.dtype
    assert a.shape == b.shape
    assert a.tobytes() == b.tobytes()


def strided(array, rng):
    """The same values behind other strides: padded, reversed, in another order, maybe unaligned."""
    order = rng.permutation(array.ndim)
    steps = rng.integers(1, 4, array.ndim)
    big = [int(array.shape[a] * steps[a]) for a in order]
    start = int(rng.integers(0, 4))
    width = array.dtype.itemsize
    buffer = np.zeros(int(np.prod(big)) * width + start, np.uint8)
    view = buffer[start:].view(array.dtype).reshape(big).transpose(np.argsort(order))
    view = view[(..., *(slice(None, None, int(s)) for s in steps))]
    view = view[(..., *(slice(None, None, int(rng.choice([1, -1]))) for _ in steps))]
    view[...] = array
    return view


def test_the_comparison_can_fail():
    with pytest.raises(AssertionError):
        same(np.array([1]), np.array([2]))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("seed", range(20))
def test_gather_into_any_strides(width, seed):
    rng = np.random.default_rng([width, seed])
    ndim = int(rng.integers(1, 5))
    shape = [int(n) for n in rng.integers(1, 6, ndim)]
    axis = int(rng.integers(0, ndim))
    batch_dims = int(rng.integers(0, axis + 1))
    index_shape = shape[:batch_dims] + [int(n) for n in rng.integers(1, 5, int(rng.integers(0, 3)))]
    data = strided(distinct(shape, width), rng)
    size = shape[axis]
    policy = int(rng.integers(0, 4))
    negative = int(rng.integers(0, 2))
    low, high = (-size if negative == FROM_END else 0, size) if policy == RAISE else (-3 * size, 3 * size)
    indices = strided(rng.integers(low, high, index_shape).astype("i8"), rng)
    expected = naive_gather(data, indices, axis, batch_dims, policy, negative)
    out = strided(np.zeros(expected.shape, expected.dtype), rng)
    assert gather_into(data, indices, out, axis, batch_dims, policy, negative) is None
    same(out, expected)


@pytest.mark.parametrize("kind", INDEX_TYPES)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("negative", ["from_end", "invalid"])
def test_every_index_type_and_rule(kind, policy, negative):
    info = np.iinfo(kind)
    values = {0, 1, 2, 3, 4, 5, 6, 11, info.max, info.max - 1, info.min, info.min + 1}
    values |= {v for v in (-1, -2, -4, -5, -6, -11) if v >= info.min}
    data = np.arange(5, dtype="f4") + 10
    good = []
    for value in sorted(values):
        indices = np.array([value], kind)
        out = np.full(1, 99, "f4")
        try:
            expected = naive_gather(data, indices, 0, 0, POLICIES[policy], negative == "invalid")
        except IndexError:
            assert gather_into(data, indices, out, 0, 0, RAISE, negative == "invalid") == (0, value)
            assert _core.check_indices(indices, 5, negative == "invalid") == (0, value)
            assert out[0] == 99
            continue
        good.append(value)
        same(_core.gather(data, indices, out_of_range=policy, negative=negative), expected)
    many = np.array(good * 700, kind)
    expected = naive_gather(data, np.array(good, kind), 0, 0, POLICIES[policy], negative == "invalid")
    same(_core.gather(data, many, out_of_range=policy, negative=negative), np.tile(expected, 700))


@pytest.mark.parametrize("count", [*range(70), 127, 128, 129, 2047, 2048, 2049, 5000])
@pytest.mark.parametrize("dtype", ["u1", "u2", "f4", "f8", "c16"])
def test_tails_around_vector_widths(count, dtype):
    rng = np.random.default_rng(count)
    data = rng.integers(0, 255, 77).astype(dtype)
    indices = rng.integers(-77, 77, count)
    same(_core.gather(data, indices), data[indices])
    rows = np.stack([data, data + 1, data[::-1]]).astype(dtype)
    same(_core.gather(rows, indices, 1), rows[:, indices])


@pytest.mark.parametrize("run", [*range(1, 70), 100, 127, 128, 129, 255, 256, 257, 1000, 4096, 5001])
@pytest.mark.parametrize("offset", [0, 1, 13])
def test_runs_of_any_length_and_offset(run, offset):
    buffer = np.random.default_rng(run).integers(0, 256, 9 * run + offset + 1, np.uint8)
    data = buffer[offset : offset + 9 * run].reshape(9, run)
    indices = np.array([8, 0, -1, 3, 3, 5, 1, 0, 8, 2, 7])
    space = np.full(11 * run + 32, 7, np.uint8)
    out = space[16 - offset : 16 - offset + 11 * run].reshape(11, run)
    assert gather_into(data, indices, out, 0, 0, RAISE, FROM_END) is None
    same(out, data[indices])
    assert (space[: 16 - offset] == 7).all()
    assert (space[16 - offset + 11 * run :] == 7).all()
    indices[4] = 9
    assert gather_into(data, indices, out, 0, 0, ZERO, FROM_END) is None
    same(out, naive_gather(data, indices, 0, 0, ZERO))


def test_gather_needs_no_contiguous_table():
    table = np.asfortranarray(np.arange(300 * 40, dtype="f4").reshape(300, 40))
    indices = np.random.default_rng(0).integers(-300, 300, 1000)
    same(_core.gather(table, indices), np.asarray(table)[indices])
    same(_core.gather(table.T, indices, 1), table.T[:, indices])
    same(_core.gather(table, indices[:30] % 40, 1), np.ascontiguousarray(table[:, indices[:30] % 40]))
    wide = np.broadcast_to(np.arange(300, dtype="f4")[:, None], (300, 40))
    same(_core.gather(wide, indices), wide[indices])


def test_first_bad_index_is_the_first_in_row_major_order():
    indices = np.zeros((100, 100), "i4")
    indices[3, 70] = 5
    indices[40, 0] = -6
    assert _core.check_indices(indices, 5, FROM_END) == (370, 5)
    assert _core.check_indices(indices.T, 5, FROM_END) == (40, -6)
    assert _core.check_indices(indices[::-1], 5, FROM_END) == (59 * 100, -6)
    assert _core.check_indices(indices, 6, FROM_END) is None
    assert _core.check_indices(indices, 6, INVALID) == (4000, -6)
    data, out = np.arange(5.0), np.full((100, 100), 7.0)
    assert gather_into(data, indices, out, 0, 0, RAISE, FROM_END) == (370, 5)
    assert (out == 7).all()


def test_large_unsigned_value_comes_out_as_it_is():
    indices = np.array([0, 2**64 - 1, 2**63], "u8")
    assert _core.check_indices(indices, 5, FROM_END) == (1, 2**64 - 1)
    data = np.arange(5)
    assert _core.gather(data, indices, out_of_range="clamp").tolist() == [0, 4, 4]
    assert _core.gather(data, indices, out_of_range="zero").tolist() == [0, 0, 0]
    assert _core.gather(data, indices, out_of_range="wrap").tolist() == [0, (2**64 - 1) % 5, 2**63 % 5]


def test_indices_are_checked_for_an_empty_result():
    data, out = np.zeros((3, 0)), np.zeros((2, 0))
    assert gather_into(data, np.array([0, 3]), out, 0, 0, RAISE, FROM_END) == (1, 3)
    assert gather_into(data, np.array([0, 2]), out, 0, 0, RAISE, FROM_END) is None
    nothing = np.zeros((0, 2))
    assert gather_into(nothing, np.zeros(0, "i8"), nothing.copy(), 0, 0, RAISE, FROM_END) is None
    assert gather_into(np.zeros(0), np.array([0]), np.zeros(1), 0, 0, RAISE, FROM_END) == (0, 0)
    filled = np.ones(1)
    assert gather_into(np.zeros(0), np.array([0]), filled, 0, 0, ZERO, FROM_END) is None
    assert filled[0] == 0
    for policy in (CLAMP, WRAP):
        with pytest.raises(ValueError, match="size 0"):
            gather_into(np.zeros(0), np.array([0]), np.zeros(1), 0, 0, policy, FROM_END)
        assert gather_into(np.zeros(0), np.zeros(0, "i8"), np.zeros(0), 0, 0, policy, FROM_END) is None


def test_unsafe_arguments_are_refused():
    data, indices, out = np.zeros((2, 3)), np.zeros((2, 1), int), np.zeros(2)
    readonly = np.zeros(2)
    readonly.flags.writeable = False
    text = np.dtypes.StringDType()

    def scatter(target, index, updates, policy, negative, reduction=0, element=0, nan=0):
        _core.scatter_into(target, index, updates, reduction, policy, negative, element, nan)

    def gather(target, index, updates, policy, negative):
        _core.gather_into(target, index, updates, policy, negative)

    for call in (gather, scatter):
        for bad in [
            (data, indices, out[:1], 0, 0),
            (data, indices, out.astype("f4"), 0, 0),
            (data, indices[:1], out, 0, 0),
            (data, indices[:, 0], out, 0, 0),
            (data, np.zeros((2, 2), int), out, 0, 0),
            (data[:1], indices, out, 0, 0),
            (data[0], indices, out, 0, 0),
            (data, indices, out, 4, 0),
            (data, indices, out, -1, 0),
            (data, indices, out, 0, 2),
            (data[:, :0], indices, out, 1, 0),
            (data[:, :0], indices, out, 3, 0),
            (data, indices + 3, out, 0, 0),
        ]:
            with pytest.raises(ValueError, match=r"\w"):
                call(*bad)
        for bad in [
            (data, [[0], [1]], out, 0, 0),
            (data, indices.astype(bool), out, 0, 0),
            (data, indices.astype(">i8"), out, 0, 0),
            (data, indices.astype(float), out, 0, 0),
            (data.astype(object), indices, out.astype(object), 0, 0),
            (data.astype(text), indices, out.astype(text), 0, 0),
        ]:
            with pytest.raises(TypeError, match=r"\w"):
                call(*bad)
    with pytest.raises(ValueError, match="read-only"):
        gather(data, indices, readonly, 0, 0)
    with pytest.raises(ValueError, match="read-only"):
        scatter(np.broadcast_to(data, (2, 3)), indices, out, 0, 0)
    with pytest.raises(ValueError, match="no column"):
        gather(out, np.zeros((2, 0), int), out.copy(), 0, 0)
    for rules in [(6, 11, 0), (-1, 11, 0), (1, 15, 0), (1, -1, 0), (1, 10, 0), (1, 11, 3), (4, 13, 0)]:
        with pytest.raises(ValueError, match=r"\w"):
            scatter(data, indices, out, 0, 0, *rules)
    data, indices, out = np.zeros((3, 4)), np.array([0, 1]), np.zeros((2, 4))
    readonly = np.zeros((2, 4))
    readonly.flags.writeable = False
    for bad in [(data, out), (data, data.astype("f4")), (out, readonly)]:
        with pytest.raises(ValueError, match=r"\w"):
            _core.copy(*bad)
    for bad in [(out, np.zeros(2)), (out, np.zeros(1, "f4")), (readonly, np.zeros(1))]:
        with pytest.raises(ValueError, match=r"\w"):
            _core.fill(*bad)


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


@pytest.mark.parametrize("dtype", ["u1", "u2", "f4", "f8", "c16"])
@pytest.mark.parametrize("shape", [(1, 1), (7, 9), (64, 64), (65, 63), (130, 257), (1000, 3), (3, 1000)])
def test_transpose(dtype, shape):
    src = np.arange(np.prod(shape)).astype(dtype).reshape(shape)
    dst = np.zeros(shape[::-1], dtype)
    _core.copy(src.T, dst)
    same(dst, np.ascontiguousarray(src.T))
    _core.copy(src.T[::-1, ::-1], dst)
    same(dst, np.ascontiguousarray(src.T[::-1, ::-1]))


@pytest.mark.parametrize("dtype", ["u1", "u2", "f4", "f8"])
@pytest.mark.parametrize("channels", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("size", [1, 7, 15, 16, 17, 33, 1000, 20_011])
def test_channels_to_planes_and_back(dtype, channels, size):
    pixels = (np.arange(size * channels) % 251).astype(dtype).reshape(size, channels)
    planes = np.zeros((channels, size), dtype)
    _core.copy(pixels.T, planes)
    same(planes, np.ascontiguousarray(pixels.T))
    back = np.zeros((size, channels), dtype)
    _core.copy(planes.T, back)
    same(back, pixels)


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


def test_out_is_returned_and_untouched_on_error():
    data, out = np.arange(12.0).reshape(3, 4), np.full((4, 2), 5.0)
    assert _core.gather(data, np.array([2, 0]), out=out.T) is not None
    same(out.T.copy(), data[[2, 0]])
    given = np.zeros((2, 4))
    assert _core.gather(data, np.array([2, 0]), out=given) is given


def test_small_arguments_in_every_spelling():
    data = np.arange(12.0).reshape(3, 4)
    i = np.array([1, 0])
    same(_core.gather(data, i, -1), data[:, [1, 0]])
    same(_core.gather(data, indices=i, axis=1), data[:, [1, 0]])
    same(_core.gather(axis=1, indices=i, data=data), data[:, [1, 0]])
    same(_core.gather(data, i, out_of_range="".join(["cla", "mp"]), negative="inva" + "lid"[:]), data[[1, 0]])
    same(_core.gather(data, i[:1].reshape(()), batch_dims=0), data[1])
    with pytest.raises(TypeError, match="missing"):
        _core.gather(data)
    with pytest.raises(TypeError, match="unexpected"):
        _core.gather(data, i, nonsense=1)
    with pytest.raises(TypeError, match="positional"):
        _core.gather(data, i, 0, 0)
    with pytest.raises(TypeError, match="multiple"):
        _core.gather(data, i, data=data)


DELEGATION = """
import sys, types
import numpy as np
from wherry import _core
calls = []
def general(*args):
    calls.append(args)
    return "general"
functions = types.ModuleType("wherry.functions")
functions.gather_general = general
sys.modules["wherry.functions"] = functions
d, i = np.arange(12.0).reshape(3, 4), np.array([1, 0])
class Sub(np.ndarray): pass
readonly = np.zeros((2, 4)); readonly.flags.writeable = False
unaligned = np.zeros(17, "u1")[1:].view("i8")
buffer = np.zeros(40)
overlapping = np.lib.stride_tricks.as_strided(np.zeros(8), (2, 4), (8, 8))
for args, kwargs in [
    ((d.tolist(), i), {}), ((d, [1, 0]), {}), ((d, 1), {}), ((d.view(Sub), i), {}), ((d, i.view(Sub)), {}),
    ((d.astype(object), i), {}), ((d.astype(np.dtypes.StringDType()), i), {}), ((d, i > 0), {}),
    ((d, i.astype(float)), {}), ((d, i.astype(">i8")), {}), ((d, unaligned), {}),
    ((d, i, 2), {}), ((d, i, -3), {}), ((d, i, 1.0), {}), ((d, i, True), {}), ((d, i, 2**70), {}),
    ((d, i, 1), {"batch_dims": 1}), ((d, i), {"batch_dims": 1}), ((d, i), {"batch_dims": -1}),
    ((d, i), {"out_of_range": "nonsense"}), ((d, i), {"out_of_range": None}), ((d, i), {"negative": "clamp"}),
    ((d, i + 2), {}), ((d, -i), {"negative": "invalid"}), ((d[:0], i[:0]), {}),
    ((np.zeros((3, 0)), i + 2), {}),
    ((d, i + 2), {"out": np.zeros((2, 4))}),
    ((d, i), {"out": np.zeros((4, 2))}), ((d, i), {"out": np.zeros((2, 4), "f4")}),
    ((d, i), {"out": readonly}),
    ((d, i), {"out": d[:2]}), ((d, i), {"out": overlapping}), ((d, i), {"out": [0]}),
    ((buffer[:3].reshape(3, 1), buffer[4:6].view("i8")), {"out": buffer[5:7].reshape(2, 1)}),
]:
    assert isinstance(_core.gather(*args, **kwargs), str), (args, kwargs)
    seen = calls.pop()
    assert seen[0] is args[0] and seen[1] is args[1] and len(seen) == 7
    assert seen[2] == (args[2] if len(args) > 2 else 0)
    assert seen[3:] == tuple(kwargs.get(k, v) for k, v in
        [("batch_dims", 0), ("out_of_range", "raise"), ("negative", "from_end"), ("out", None)])
assert not calls
"""


def test_all_that_is_unusual_goes_to_the_general_function():
    subprocess.run([sys.executable, "-c", DELEGATION], check=True, timeout=60)


def test_gather_describes_itself():
    assert str(inspect.signature(_core.gather)).startswith("(data, indices, axis=0, *, batch_dims=0, ")
    assert _core.gather.__name__ == "gather"
    assert _core.gather.__module__ == "wherry"
    assert _core.gather.__doc__.startswith("Takes the slices")


def test_fill_with_an_element_of_itself():
    array = np.arange(5.0)
    _core.fill(array, array[3:4])
    assert (array == 3).all()


def test_ranks_up_to_64():
    shape = (1,) * 20 + (2, 3) + (1,) * 42
    data = np.arange(6).reshape(shape)
    same(_core.gather(data, np.array([1, 0, 2]), 21), np.take(data, [1, 0, 2], 21))
    out = np.zeros(shape[::-1], data.dtype)
    _core.copy(data.transpose(), out)
    same(out, np.ascontiguousarray(data.transpose()))


def test_threads_share_no_state():
    data = np.arange(200_000.0)
    failures = []

    def work(seed):
        indices = np.random.default_rng(seed).integers(-200_000, 200_000, 100_000)
        for _ in range(5):
            if not np.array_equal(_core.gather(data, indices), data[indices]):
                failures.append(seed)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failures


def test_number_of_threads():
    before = _core.get_num_threads()
    data, indices = np.arange(1000.0), np.random.default_rng(0).integers(0, 1000, 300_000)
    try:
        for n in (1, 2, 3, 7):
            _core.set_num_threads(n)
            assert _core.get_num_threads() == n
            same(_core.gather(data, indices), data[indices])
    finally:
        _core.set_num_threads(0)
    assert _core.get_num_threads() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_forked_child_still_works():
    script = """
import os, numpy as np
from wherry import _core
data, i = np.arange(1e6), np.random.default_rng(0).integers(0, 10**6, 10**6)
_core.set_num_threads(3)
threads = _core.get_num_threads()
_core.gather(data, i)
pid = os.fork()
if pid == 0:
    ok = np.array_equal(_core.gather(data, i), data[i]) and _core.get_num_threads() == threads
    os._exit(0 if ok else 3)
_, status = os.waitpid(pid, 0)
raise SystemExit(os.waitstatus_to_exitcode(status))
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, timeout=60)


def test_indices_changed_meanwhile_stay_harmless():
    data = np.arange(1000, dtype="i4")
    indices = np.zeros(200_000, "i8")
    stop = threading.Event()

    def disturb():
        while not stop.is_set():
            indices[::7] = 2**62
            indices[::7] = 0

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        deadline = time.monotonic() + 1
        while time.monotonic() < deadline:
            got = _core.gather(data, indices, out_of_range="zero")
            assert not got.any()
            out = np.empty(200_000, "i4")
            try:
                gather_into(data, indices, out, 0, 0, RAISE, FROM_END)
            except ValueError as error:
                if "changed" not in str(error):
                    raise
    finally:
        stop.set()
        thread.join()


def test_gil_is_released():
    data, indices = np.zeros((4, 1 << 20)), np.zeros(40, "i8")
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    switch = sys.getswitchinterval()
    sys.setswitchinterval(10)
    try:
        thread.start()
        time.sleep(0.01)
        start = time.perf_counter()
        _core.gather(data, indices)
        end = time.perf_counter()
    finally:
        sys.setswitchinterval(switch)
        stop.set()
        thread.join()
    assert sum(start < t < end for t in ticks) > 3


def test_isa_follows_the_environment():
    for name in ("scalar", "avx2", "avx512", "avx512vbmi"):
        run = subprocess.run(
            [sys.executable, "-c", "from wherry import _core; print(_core.isa())"],
            env={**os.environ, "WHERRY_ISA": name},
            capture_output=True,
            text=True,
            check=True,
        )
        found = run.stdout.strip()
        assert found in ("scalar", "avx2", "avx512", "avx512vbmi")
        if name == "scalar":
            assert found == "scalar"


@pytest.mark.parametrize("seed", range(60))
def test_tuples_of_indices(seed):
    rng = np.random.default_rng([seed, 2])
    shape = [int(n) for n in rng.integers(1, 6, int(rng.integers(0, 3)))]
    indexed = [int(n) for n in rng.integers(1, 6, int(rng.integers(1, 4)))]
    width = int(rng.choice(WIDTHS))
    data = strided(distinct(shape + indexed, width), rng)
    policy, negative = int(rng.integers(1, 4)), int(rng.integers(0, 2))
    values = rng.integers(-8, 8, [*shape, len(indexed)]).astype(rng.choice(["i1", "i2", "i4", "i8"]))
    indices = strided(values, rng)
    out, expected = strided(np.zeros(shape, data.dtype), rng), np.zeros(shape, data.dtype)
    target, kept = strided(distinct(shape + indexed, width), rng), data.copy()
    updates = distinct(shape, width)
    for c in np.ndindex(*shape):
        at = [place(indices[(*c, k)], n, policy, negative) for k, n in enumerate(indexed)]
        if None not in at:
            expected[c] = data[(*c, *at)]
            kept[(*c, *at)] = updates[c]
    _core.gather_into(data, indices, out, policy, negative)
    same(out.copy(), expected)
    target[...] = data
    _core.scatter_into(target, indices, updates, 0, policy, negative, -1, 0)
    same(target.copy(), kept)


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 511, 512, 513, 5000])
@pytest.mark.parametrize("columns", [1, 2, 3, 5, 64, 511, 513])
def test_short_rows_of_indices(rows, columns):
    rng = np.random.default_rng([rows, columns])
    data = rng.integers(0, 1 << 30, (rows, 9), np.int32)
    indices = rng.integers(-9, 12, (rows, columns), np.int16)
    out = np.zeros((rows, columns), np.int32)
    _core.gather_into(np.broadcast_to(data[:, None], (rows, columns, 9)), indices[..., None], out, ZERO, FROM_END)
    taken = np.take_along_axis(data, np.minimum(indices, 8).astype(int), 1)
    same(out, np.where(indices > 8, np.int32(0), taken))


@pytest.mark.parametrize("count", [0, 1, 2, 2047, 2048, 2049, 100_000])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_updates_apply_in_order(count, threads):
    rng = np.random.default_rng(count)
    indices, updates = rng.integers(0, 1000, count), rng.random(count)
    target, expected = np.zeros(1000), np.zeros(1000)
    np.add.at(expected, indices, updates)
    before = _core.get_num_threads()
    _core.set_num_threads(threads)
    space = np.lib.stride_tricks.as_strided(target, (count, 1000), (0, 8))
    try:
        _core.scatter_into(space, indices[:, None], updates, 1, RAISE, FROM_END, 11, 0)
        same(target, expected)
        _core.scatter_into(space, indices[:, None], updates, 0, RAISE, FROM_END, -1, 0)
    finally:
        _core.set_num_threads(before)
    expected[indices] = updates
    same(target, expected)


def test_scatter_with_indices_changed_meanwhile_stays_in_its_target():
    memory = np.zeros(3000)
    target = np.lib.stride_tricks.as_strided(memory[1000:2000], (200_000, 1000), (0, 8))
    indices, updates = np.zeros((200_000, 1), "i8"), np.ones(200_000)
    stop = threading.Event()

    def disturb():
        while not stop.is_set():
            indices[::7] = 1500
            indices[::7] = -1500
            indices[::7] = 0

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        deadline = time.monotonic() + 0.7
        while time.monotonic() < deadline:
            _core.scatter_into(target, indices, updates, 0, ZERO, FROM_END, -1, 0)
    finally:
        stop.set()
        thread.join()
    assert not memory[:1000].any()
    assert not memory[2000:].any()
