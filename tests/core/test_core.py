"""The C++ core through its module, against loops over NumPy arrays."""

import inspect
import os
import platform
import shutil
import subprocess
import sys

import numpy as np
import pytest

from tests.core.naive import (
    CLAMP,
    FROM_END,
    INDEX_TYPES,
    INVALID,
    POLICIES,
    RAISE,
    WIDTHS,
    WRAP,
    ZERO,
    distinct,
    gather_into,
    naive_gather,
    place,
    same,
    strided,
)
from wherry import _core


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


@pytest.mark.parametrize("run", [*range(1, 70), 96, 100, 127, 128, 129, 255, 256, 257, 512, 1000, 4096, 5001])
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


@pytest.mark.parametrize("count", [4000, 70_000, 300_000, 1_100_000])
@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.int64])
def test_a_single_index_outside_is_found_wherever_it_is(count, dtype):
    # Where there are many, threads look at long parts of them, and each at four of these side by side.
    indices = np.zeros(count, dtype)
    for position in {0, count // 4 - 1, count // 4, 65_535, 65_536, count - 1} & set(range(count)):
        indices[position] = 5
        assert _core.check_indices(indices, 5, FROM_END) == (position, 5)
        indices[position] = 4
    assert _core.check_indices(indices, 5, FROM_END) is None


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
        ]:
            with pytest.raises(ValueError, match=r"\w"):
                call(*bad)
        with pytest.raises(IndexError, match="changed"):
            call(data, indices + 3, out, 0, 0)
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
    ((d.tolist(), i), {}), ((d, [1, 0.5]), {}), ((d, [2**70]), {}), ((d, [[0], 1]), {}),
    ((d.view(Sub), i), {}), ((d, i.view(Sub)), {}),
    ((d.astype(object), i), {"out_of_range": "zero"}), ((d, i > 0), {}),
    ((d.astype(np.dtypes.StringDType()), i), {"out_of_range": "zero"}),
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


def test_ranks_up_to_64():
    shape = (1,) * 20 + (2, 3) + (1,) * 42
    data = np.arange(6).reshape(shape)
    same(_core.gather(data, np.array([1, 0, 2]), 21), np.take(data, [1, 0, 2], 21))
    out = np.zeros(shape[::-1], data.dtype)
    _core.copy(data.transpose(), out)
    same(out, np.ascontiguousarray(data.transpose()))


@pytest.mark.chooses_isa
def test_isa_follows_the_environment():
    isas = _core.isas()
    assert isas[0] == "scalar"
    for name, chosen in (*zip(isas, isas, strict=True), ("", isas[-1]), ("no such", "scalar")):
        run = subprocess.run(
            [sys.executable, "-c", "from wherry import _core; print(_core.isa())"],
            env={**os.environ, "WHERRY_ISA": name},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == chosen


@pytest.mark.chooses_isa
@pytest.mark.skipif(
    shutil.which("qemu-x86_64") is None or platform.machine() != "x86_64" or "LD_PRELOAD" in os.environ,
    reason="needs qemu-user, and no sanitizer",
)
def test_a_processor_without_avx512_loads_the_core():
    """What is compiled for more instructions than it has does not run while the library is loaded."""
    run = subprocess.run(
        ["qemu-x86_64", "-cpu", "Haswell", sys.executable, "-c", "from wherry import _core; print(_core.isa())"],
        env={name: value for name, value in os.environ.items() if name != "WHERRY_ISA"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "avx2"


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
