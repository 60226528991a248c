"""Parts of each second row and column, moved together, against NumPy; test_turns starts it as a program too."""

from __future__ import annotations

import sys

import numpy as np

import wherry as wh
from tests.support.memory import assert_writes
from wherry.graph import GraphBuilder
from wherry.models.model import GraphModel
from wherry.ops import Concat, Slice
from wherry.tensors import TensorType

CASES = [
    # Axes of src, elements, rows and columns that are apart, and whether parts come in the order of src.
    ((3, 2, 16, 48), "float32", 2, 2, True),
    ((3, 2, 16, 48), "float32", 2, 2, False),
    ((1, 1, 90, 130), "uint8", 2, 2, False),
    ((3, 2, 16, 64), "float32", 2, 2, True),  # rows of whole lines
    ((1, 3, 20, 384), "uint8", 2, 2, False),
    ((2, 3, 12, 36), "int64", 2, 3, True),
    ((2, 3, 12, 36), "int16", 2, 4, False),
    ((5, 1, 40, 26), "int32", 4, 2, False),
    ((2, 2, 12, 24), "complex128", 2, 2, True),  # wider than channels are
    ((2, 2, 24, 24), "uint8", 3, 3, True),  # more places than take turns
    ((1, 2, 6, 6000), "float32", 2, 2, True),  # rows that are long
]


def part_and_join(case: tuple[tuple[int, ...], str, int, int, bool]) -> None:
    """Run Slices and their Concat as a model, on outputs beside a line and new ones; compare with NumPy."""
    shape, dtype, down, across, in_order = case
    x = np.random.default_rng(1).integers(0, 99, shape).astype(dtype)
    builder = GraphBuilder()
    builder.add_input("x", TensorType(x.dtype, shape))
    places = [(row, column) for row in range(down) for column in range(across)]
    places = places if in_order else [places[n * 5 % len(places)] for n in range(len(places))]
    if len(set(places)) < len(places):
        places = sorted(set(places), reverse=True)
    names = []
    for row, column in places:
        starts, ends, steps = (row, column), shape[2:], (down, across)
        builder.add(Slice(starts, ends, (2, 3), steps), ["x"], [f"s{len(names)}"], "Slice")
        names.append(f"s{len(names)}")
    builder.add(Concat(1), names, ["y"], "Concat")
    model = GraphModel(builder.build(["y"]), "test")
    expected = np.concatenate([x[..., row::down, column::across] for row, column in places], 1)
    for beside in (0, 16, x.itemsize):
        assert_writes(lambda out: model.run({"x": x}, out={"y": out}), expected, beside)
    assert np.array_equal(model.run({"x": x})["y"], expected)


if __name__ == "__main__":
    wh.set_num_threads(int(sys.argv[1]))
    for each in CASES:
        part_and_join(each)
    print(len(CASES))
