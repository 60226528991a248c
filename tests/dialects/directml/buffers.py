"""Buffers between guard bytes, and strategies for descriptions of tensors with any strides."""

from itertools import accumulate, product

import numpy as np
from hypothesis import strategies as st

from wherry.dialects.directml import BufferTensorDesc

GUARD = 16
DATA_TYPES = ["UINT8", "FLOAT16", "FLOAT32", "INT64"]


class Buffer:
    """A buffer of exactly TotalTensorSizeInBytes with random bytes, between guard bytes."""

    def __init__(self, desc, rng):
        self.desc = desc
        size = desc.total_tensor_size_in_bytes
        self.memory = rng.integers(0, 256, size + 2 * GUARD, dtype=np.uint8)
        self.bound = self.memory[GUARD : GUARD + size]
        self.before = self.memory.copy()
        self.width = desc.data_type.bits // 8

    def place(self, coords):
        """The bytes of an element: the dot product of coordinates and strides, times the element's bytes."""
        strides = self.desc.strides or packed(self.desc.sizes)
        start = sum(c * s for c, s in zip(coords, strides, strict=True)) * self.width
        return slice(start, start + self.width)

    def element(self, coords):
        return self.bound[self.place(coords)].tobytes()

    def write(self, values):
        """Write integers in coordinate order."""
        dtype = self.desc.layout.view(self.bound, self.desc.data_type.dtype).dtype
        for coords, value in zip(coordinates(self.desc.sizes), values, strict=True):
            self.bound[self.place(coords)] = np.frombuffer(np.array(value, dtype).tobytes(), np.uint8)
        self.before = self.memory.copy()

    def check(self, expected):
        """Elements are as expected, and every other byte is as it was."""
        wanted = self.before.copy()
        for coords, value in expected.items():
            place = self.place(coords)
            wanted[GUARD + place.start : GUARD + place.stop] = np.frombuffer(value, np.uint8)
        assert self.memory.tobytes() == wanted.tobytes()

    def untouched(self):
        return self.memory.tobytes() == self.before.tobytes()


def packed(sizes):
    steps = [1, *accumulate(reversed(sizes), lambda a, b: a * b)]
    return tuple(reversed(steps[: len(sizes)]))


def coordinates(sizes):
    return product(*map(range, sizes))


@st.composite
def strides(draw, sizes, *, output):
    """No strides; or axes in any order with padding; for inputs also broadcast and any other strides."""
    kind = draw(st.sampled_from(["none", "padded"] if output else ["none", "padded", "broadcast", "any"]))
    if kind == "none":
        return None
    if kind == "any":
        return tuple(draw(st.integers(0, 5)) for _ in sizes)
    result, running = [0] * len(sizes), 1
    for axis in draw(st.permutations(range(len(sizes)))):
        if kind == "broadcast" and draw(st.booleans()):
            continue
        result[axis] = running
        running = running * sizes[axis] + draw(st.integers(0, 2))
    return tuple(result)


@st.composite
def tensors(draw, data_type, sizes, *, output=False):
    extra = draw(st.integers(0, 1)) * draw(st.integers(1, 9))
    desc = BufferTensorDesc(data_type, sizes, draw(strides(sizes, output=output)))
    return BufferTensorDesc(data_type, sizes, desc.strides, desc.total_tensor_size_in_bytes + extra)
