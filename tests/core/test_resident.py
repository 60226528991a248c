"""Results written from little: their beginning stays in the cache, and the rest goes around it."""

from tests.core.tuned import on_each_isa_with, run_tuned

PROGRAM = """
import numpy as np
import wherry as wh
from tests.support.memory import Room
from wherry import _core

machine = _core.machine()
assert (machine["stream"], machine["stream-far"], machine["resident"]) == (4096, 4096, 2560)
rng = np.random.default_rng(0)
data = rng.random((100_000, 96), np.float32)
room, tried = Room(2 << 20), 0

def same(make, expected):
    global tried
    for shift in (0, 4, 20, 64):
        room.assert_writes(make, expected, shift)
        tried += 1

for rows in (3, 40, 3000):
    near, far = rng.integers(7, 90, rows), rng.integers(0, len(data), rows)
    few = far[rng.integers(0, min(rows, 20), rows)]  # that come again, far from each other
    for picks in (near, far, np.sort(far), few):
        same(lambda out: wh.onnx.gather(data, picks, axis=0, out=out), data[picks])
for count in (3, 40, 500):
    row = data[:1]
    same(lambda out: wh.onnx.expand(row, [count, 96], out=out), np.repeat(row, count, axis=0))
    same(lambda out: wh.onnx.tile(data[:3], [count, 2], out=out), np.tile(data[:3], (count, 2)))
    numbers = np.arange(0, 24 * count, 1, np.float32)
    same(lambda out: wh.onnx.range(np.float32(0), np.float32(24 * count), np.float32(1), out=out), numbers)
    index = rng.integers(0, 96, count)
    hot = np.zeros((count, 96), np.float32)
    hot[np.arange(count), index] = 1
    same(lambda out: wh.onnx.one_hot(index, 96, np.array([0, 1], np.float32), out=out), hot)
print(tried)
"""


@on_each_isa_with("threads", ["1", "3"])
def test_results_written_from_little_are_whole(isa, threads):
    tune = "stream=4K,stream-far=4K,stream-runs=4K,resident=2560,wake=1"
    done = run_tuned(tune, "-c", PROGRAM, WHERRY_ISA=isa, OMP_NUM_THREADS=threads)
    assert done.stdout.strip() == str(4 * (12 + 12)), done.stderr
