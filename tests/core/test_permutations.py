"""Permutations of any rank, width and size, against NumPy; and what WHERRY_TUNE says of when they are tiled."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.core.tuned import on_each_isa, on_each_isa_with, run_tuned
from tests.support.memory import assert_writes
from tests.support.thinning import thinned
from wherry import _core

WIDTHS = {1: "u1", 2: "u2", 3: "V3", 4: "f4", 8: "f8", 16: "c16", 24: "V24"}
MOST = 200_000
"""Elements of an array."""


@st.composite
def permutations(draw):
    """Sizes, an order, the bytes of an element, and how far both operands begin behind a line."""
    ndim = draw(st.integers(2, 6))
    most = int(MOST ** (1 / ndim))
    sizes = [draw(st.integers(1, 2 * most)) for _ in range(ndim)]
    while np.prod(sizes) > MOST:
        sizes[sizes.index(max(sizes))] //= 2
    order = draw(st.permutations(range(ndim)))
    width = draw(st.sampled_from(sorted(WIDTHS)))
    return sizes, order, width, draw(st.sampled_from([0, 1, 16, width])), draw(st.sampled_from([0, 1, 16, width]))


def _bytes(count, shift):
    """So many bytes that begin `shift` behind a line."""
    memory = np.random.default_rng(0).integers(0, 256, count + 128, np.uint8)
    start = shift + -memory.ctypes.data % 64
    return memory[start : start + count]


@given(permutations())
def test_every_permutation_has_the_bits_of_numpy(case):
    sizes, order, width, src_shift, dst_shift = case
    count = int(np.prod(sizes)) * width
    view = _bytes(count, src_shift).view(WIDTHS[width]).reshape(sizes).transpose(order)
    assert_writes(lambda out: _core.copy(view, out), view, dst_shift)


STREAM_ALL = "tiled=1,stream=64,stream-runs=64,stream-dense=64,last=3M"

COPY = """
import numpy as np
from tests.support.memory import Room
from wherry import _core

room = Room(64 << 20)

def copy(view, shift, *case):
    try:
        room.assert_writes(lambda out: _core.copy(view, out), view, shift)
    except AssertionError as error:
        error.add_note(f"{case}")
        raise
"""
"""A copy to `shift` bytes behind a line has the bits of NumPy's, and leaves what lies on both sides."""

STREAMED = """
from itertools import product
from tests.support.thinning import thinned

machine = _core.machine()
assert (machine["tiled"], machine["stream-runs"], machine["last"]) == (1, 64, 3 << 20)
rng = np.random.default_rng(0)
MOST = {2: 1100, 3: 90, 4: 32, 5: 14, 6: 9}
for dtype in ("u1", "u2", "f4", "f8", "c16", "V3", "V24", "V96", "V300"):
    for order in ((1, 0), (2, 1, 0), (1, 0, 2), (0, 2, 1), (3, 1, 2, 0), (0, 1, 3, 2), (2, 0, 3, 1), (2, 4, 1, 0, 3),
                  (5, 3, 2, 4, 1, 0)):
        width, tried = np.dtype(dtype).itemsize, 0
        for line, shift in thinned(product((1, 1, 1, 64 // width or 1), (0, width, int(rng.integers(64)))), 2, width):
            sizes = rng.integers(1, MOST[len(order)], len(order)) // (4 if width > 96 else 2 if width > 16 else 1) + 1
            sizes[order[-1]] = -(-sizes[order[-1]] // line) * line
            count = int(np.prod(sizes)) * width
            view = rng.integers(0, 256, count, np.uint8).view(dtype).reshape(sizes).transpose(order)
            copy(view, shift, dtype, order, sizes, shift)
            tried += 1
        print(dtype, order, tried)
# Short rows of columns that lie far apart: 600,000 bytes and a few.
tried = 0
for dtype in ("u2", "f4", "c16"):
    width = np.dtype(dtype).itemsize
    data = rng.integers(0, 256, 70 * 2 * (300_000 + 64), np.uint8).view(dtype).reshape(70, 2, -1)
    copy(data.transpose(2, 1, 0), 0, dtype, "far")
    copy(data[:64].transpose(2, 0, 1), width, dtype, "far")
    tried += 2
print(tried)
"""


ENDS = """
from tests.support.thinning import thinned

rng = np.random.default_rng(0)
for dtype in ("u1", "u2", "f4", "f8", "c16"):
    width, tried = np.dtype(dtype).itemsize, 0
    # Rows of the source longer than a page.
    data = rng.integers(0, 256, 6400 * 4160 // width, np.uint8).view(dtype).reshape(6400 // width, -1)
    for length in thinned(range(2000 // width, 6400 // width, 19 // width), 2, width):
        view = data[:length, :97].T
        copy(view, 2 * width, dtype, length)
        tried += 1
    print(tried)
"""


TILES = {
    "next tile fetched, as on a Zen 4": "fetch-columns=1,tile-column=1,tile-row=128,tile-far-row=384",
    "long tiles, as on a Zen 5": "fetch-columns=1,tile-column=1K,tile-row=128,tile-far-row=128",
    "columns fetched ahead, as on Intel": "fetch-columns=128,tile-column=1,tile-row=256,tile-far-row=128",
}


@on_each_isa_with("tiles", TILES)
def test_permutations_that_are_streamed_have_the_bits_of_numpy(isa, tiles):
    done = run_tuned(f"{STREAM_ALL},{TILES[tiles]}", "-c", COPY + STREAMED, WHERRY_ISA=isa)
    tried = [int(line.split()[-1]) for line in done.stdout.splitlines()]
    assert tried == [*([len(thinned(range(12), 2, 0))] * 9 * 9), 6], done.stderr


def test_a_setting_that_is_none_is_refused():
    done = run_tuned("strem=1M", "-c", "import wherry")
    assert done.returncode == 1
    assert "WHERRY_TUNE: 'strem=1M' is no setting; write NAME=NUMBER" in done.stderr
    assert "ImportError" in done.stderr


@on_each_isa
def test_streamed_rows_of_any_length_end_where_they_should(isa):
    # The last piece of some is shorter than a line, which belongs to the piece before it, and to the row behind.
    done = run_tuned(STREAM_ALL, "-c", COPY + ENDS, WHERRY_ISA=isa)
    lengths = [len(thinned(range(count), 2, 0)) for count in (232, 245, 275, 275, 275)]
    assert [int(line) for line in done.stdout.split()] == lengths, done.stderr
