"""Gathers by loops over NumPy arrays, arrays with any strides, and a comparison of all bits."""

import numpy as np

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
