"""Rows that several sources fill together, around the cache: of a Concat and of a Pad, fetched ahead and not."""

from tests.core.tuned import on_each_isa_with, run_tuned

ROWS = """
import numpy as np
import wherry as wh

numbers = np.random.default_rng(1)
tried = 0


def check(call, expected):
    global tried
    for _ in range(4):  # a call that comes again has a plan, which puts rows together
        assert np.array_equal(call(), expected)
    tried += 1


for count, run in [(2, 256), (3, 1000), (12, 260), (15, 300)]:
    parts = [numbers.integers(0, 256, (2_000_000 // count // run, run), np.uint8) for _ in range(count)]
    repeated = np.broadcast_to(parts[-1][:1], parts[-1].shape)
    for given in (parts, [part[::-1] for part in parts], [*parts[:-1], repeated]):
        check(lambda: wh.concat(given, axis=1), np.concatenate(given, axis=1))
pads = np.array([0, 1, 1, 0, 1, 1])
for rows in (60, 112, 300):
    images = numbers.integers(0, 1 << 31, (2_000_000 // rows**2, rows, rows), np.int32)
    for given in (images, images[:, ::-1]):
        check(lambda: wh.onnx.pad(given, pads), np.pad(given, [(0, 0), (1, 1), (1, 1)]))
print(tried)
"""


AHEAD = {"as they come": 1, "fetched ahead": 8192}


@on_each_isa_with("fetched", AHEAD)
def test_rows_have_the_bits_of_all_their_sources(isa, fetched):
    done = run_tuned(f"second=64K,last=1M,fetch-parts={AHEAD[fetched]}", "-c", ROWS, WHERRY_ISA=isa)
    assert done.stdout.split() == [str(4 * 3 + 3 * 2)], done.stderr
