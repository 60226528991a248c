"""Random descriptions of every operator against loops over coordinates, straight from the formulas, between guards.

A case is a description, integers to write into some of its inputs, and a formula: from `element(path, coordinates)`,
the bytes of an input's element, to the bytes of each output's elements. Whatever else lies in a buffer stays.
"""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dialects.directml import arithmetic_cases
from tests.dialects.directml.buffers import DATA_TYPES, Buffer, coordinates, tensors
from wherry.dialects import directml as dml
from wherry.errors import IndexOutOfRangeWarning

INDEX_TYPES = ["INT32", "INT64", "UINT32", "UINT64"]
TYPES = {name: kind.dtype.numpy for name, kind in dml.DataType.__members__.items() if kind.dtype and kind.bits >= 8}


@dataclass
class Case:
    desc: Any
    writes: dict
    formula: Any


class Cases:
    """Draws sizes, tensors with strides, and indices."""

    def __init__(self, draw, types=DATA_TYPES):
        self.draw = draw
        self.data_type = self.pick(types)

    def integer(self, low, high):
        return self.draw(st.integers(low, high))

    def pick(self, values):
        return self.draw(st.sampled_from(values))

    def sizes(self, least=1, most=4):
        return [self.integer(1, 3) for _ in range(self.integer(least, most))]

    def tensor(self, sizes, output=False, data_type=None):
        return self.draw(tensors(data_type or self.data_type, sizes, output=output))

    def indices(self, sizes, low, high):
        data_type = self.pick(INDEX_TYPES)
        low = 0 if data_type.startswith("U") else low
        values = [self.integer(low, high) for _ in range(int(np.prod(sizes)))]
        return self.tensor(sizes, data_type=data_type), values


def integer(raw, desc):
    return int.from_bytes(raw, "little", signed=desc.data_type.name.startswith("INT"))


def clamped(value, size):
    return min(max(value + size if value < 0 else value, 0), size - 1)


def with_axis(coords, axis, value):
    return (*coords[:axis], value, *coords[axis + 1 :])


def gather_elements(cases):
    sizes = cases.sizes()
    axis = cases.integer(0, len(sizes) - 1)
    picked = list(with_axis(tuple(sizes), axis, cases.integer(1, 4)))
    indices, values = cases.indices(picked, -sizes[axis] - 2, sizes[axis] + 2)
    desc = dml.GatherElementsOperatorDesc(cases.tensor(sizes), indices, cases.tensor(picked, True), axis)

    def formula(element):
        return {"OutputTensor": {
            c: element("InputTensor", with_axis(c, axis, clamped(integer(element("IndicesTensor", c), indices),
                                                                 sizes[axis])))
            for c in coordinates(picked)}}  # fmt: skip

    return Case(desc, {"IndicesTensor": values}, formula)


def filled(sizes, count):
    return [1] * (count - len(sizes)) + list(sizes)


def tuples(cases, batched):
    """Natural sizes of data, indices and slices, the batch, and a DimensionCount that has room for them."""
    data = cases.sizes(1, 3)
    batch = cases.integer(0, len(data) - 1) if batched else 0
    length = cases.integer(1, len(data) - batch)
    middle = cases.sizes(0, 2)
    indices = [*data[:batch], *middle, length]
    slices = [*indices[:-1], *data[batch + length :]]
    count = max(len(data), len(indices), len(slices), 1) + cases.integer(0, 2)
    return data, indices, slices, batch, length, count


def index_tuple(element, desc, count, head, length):
    """The indices of one tuple; `head` are the coordinates of the indices' own axes before the last."""
    lead = (0,) * (count - len(head) - 1)
    return [integer(element("IndicesTensor", (*lead, *head, k)), desc) for k in range(length)]


def gather_nd(cases):
    batched = cases.draw(st.booleans())
    data, picked, slices, batch, length, count = tuples(cases, batched)
    indices, values = cases.indices(filled(picked, count), -4, 5)
    fields = (cases.tensor(filled(data, count)), indices, cases.tensor(filled(slices, count), True), len(data),
              len(picked))  # fmt: skip
    desc = dml.GatherNd1OperatorDesc(*fields, batch) if batched else dml.GatherNdOperatorDesc(*fields)

    def formula(element):
        result = {}
        for c in coordinates(slices):
            head, tail = c[: len(picked) - 1], c[len(picked) - 1 :]
            found = index_tuple(element, indices, count, head, length)
            place = [clamped(value, size) for value, size in zip(found, data[batch:], strict=False)]
            source = (*(0,) * (count - len(data)), *head[:batch], *place, *tail)
            result[(*(0,) * (count - len(slices)), *c)] = element("InputTensor", source)
        return {"OutputTensor": result}

    return Case(desc, {"IndicesTensor": values}, formula)


def scatter(cases):
    sizes = cases.sizes()
    axis = cases.integer(0, len(sizes) - 1)
    picked = [cases.integer(1, 4) if number == axis else cases.integer(1, size) for number, size in enumerate(sizes)]
    indices, values = cases.indices(picked, -sizes[axis] - 2, sizes[axis] + 2)
    desc = dml.ScatterOperatorDesc(cases.tensor(sizes), indices, cases.tensor(picked), cases.tensor(sizes, True), axis)

    def formula(element):
        result = {c: element("InputTensor", c) for c in coordinates(sizes)}
        for c in coordinates(picked):
            value = integer(element("IndicesTensor", c), indices)
            value = value + sizes[axis] if value < 0 else value
            if 0 <= value < sizes[axis]:
                result[with_axis(c, axis, value)] = element("UpdatesTensor", c)
        return {"OutputTensor": result}

    return Case(desc, {"IndicesTensor": values}, formula)


def scatter_nd(cases):
    data, picked, slices, _, length, count = tuples(cases, False)
    indices, values = cases.indices(filled(picked, count), -4, 5)
    desc = dml.ScatterNdOperatorDesc(
        cases.tensor(filled(data, count)), indices, cases.tensor(filled(slices, count)),
        cases.tensor(filled(data, count), True), len(data), len(picked))  # fmt: skip

    def formula(element):
        result = {c: element("InputTensor", c) for c in coordinates(filled(data, count))}
        for c in coordinates(slices):
            head, tail = c[: len(picked) - 1], c[len(picked) - 1 :]
            found = index_tuple(element, indices, count, head, length)
            place = [value + size if value < 0 else value for value, size in zip(found, data, strict=False)]
            if all(0 <= value < size for value, size in zip(place, data, strict=False)):
                source = (*(0,) * (count - len(slices)), *c)
                result[(*(0,) * (count - len(data)), *place, *tail)] = element("UpdatesTensor", source)
        return {"OutputTensor": result}

    return Case(desc, {"IndicesTensor": values}, formula)


def slice_(cases):
    sizes, offsets, strides = cases.sizes(), [], []
    for _ in sizes:
        offsets.append(cases.integer(0, 2))
        strides.append(cases.integer(1, 3))
    whole = [offset + stride * (size - 1) + 1 + cases.integer(0, 2)
             for offset, stride, size in zip(offsets, strides, sizes, strict=True)]  # fmt: skip
    desc = dml.SliceOperatorDesc(cases.tensor(whole), cases.tensor(sizes, True), offsets, sizes, strides)

    def formula(element):
        return {"OutputTensor": {
            c: element("InputTensor", tuple(o + s * k for o, s, k in zip(offsets, strides, c, strict=True)))
            for c in coordinates(sizes)}}  # fmt: skip

    return Case(desc, {}, formula)


def slice1(cases):
    windows, ndim = [], cases.integer(1, 4)
    for _ in range(ndim):
        window = cases.integer(1, 5)
        stride = cases.pick([-3, -2, -1, 1, 2, 3])
        most = 1 + (window - 1) // abs(stride)
        windows.append((cases.integer(0, 2), window, stride, cases.integer(1, most), cases.integer(0, 2)))
    whole = [offset + window + after for offset, window, _, _, after in windows]
    sizes = [size for _, _, _, size, _ in windows]
    fields = [[entry[number] for entry in windows] for number in range(3)]
    desc = dml.Slice1OperatorDesc(cases.tensor(whole), cases.tensor(sizes, True), *fields)

    def formula(element):
        return {"OutputTensor": {
            c: element("InputTensor", tuple(
                offset + (window - 1 if stride < 0 else 0) + stride * k
                for (offset, window, stride, _, _), k in zip(windows, c, strict=True)))
            for c in coordinates(sizes)}}  # fmt: skip

    return Case(desc, {}, formula)


def tile(cases):
    sizes = cases.sizes()
    repeats = [cases.integer(1, 3) for _ in sizes]
    out = [size * count for size, count in zip(sizes, repeats, strict=True)]
    desc = dml.TileOperatorDesc(cases.tensor(sizes), cases.tensor(out, True), repeats)

    def formula(element):
        return {"OutputTensor": {
            c: element("InputTensor", tuple(k % size for k, size in zip(c, sizes, strict=True)))
            for c in coordinates(out)}}  # fmt: skip

    return Case(desc, {}, formula)


def source_of(mode, k, n):
    """The source coordinate on one dimension, None outside; the table of DML_PADDING_MODE."""
    if mode == "CONSTANT":
        return k if 0 <= k < n else None
    if mode == "EDGE":
        return min(max(k, 0), n - 1)
    if mode == "WRAP":
        return k % n
    if mode == "SYMMETRIC":
        return k % (2 * n) if k % (2 * n) < n else 2 * n - 1 - k % (2 * n)
    if n == 1:
        return 0
    r = k % (2 * (n - 1))
    return r if r < n else 2 * (n - 1) - r


def padding(cases):
    sizes = cases.sizes(1, 3)
    begins, ends = ([cases.integer(0, 5) for _ in sizes] for _ in range(2))
    out = [b + n + e for b, n, e in zip(begins, sizes, ends, strict=True)]
    mode, dtype = cases.pick(["CONSTANT", "EDGE", "REFLECTION", "SYMMETRIC", "WRAP"]), TYPES[cases.data_type]
    value = cases.integer(0, 100) / 4
    pair = (cases.tensor(sizes), cases.tensor(out, True))
    if cases.draw(st.booleans()):
        desc = dml.PaddingOperatorDesc(*pair, mode, value, begins, ends)
        fill = dtype.type(int(value) if dtype.kind in "iu" else value)
    else:
        fill = dtype.type(int(value))
        desc = dml.Padding1OperatorDesc(*pair, mode, cases.data_type, fill, begins, ends)

    def formula(element):
        result = {}
        for c in coordinates(out):
            source = tuple(source_of(mode, k - b, n) for k, b, n in zip(c, begins, sizes, strict=True))
            result[c] = fill.tobytes() if None in source else element("InputTensor", source)
        return {"OutputTensor": result}

    return Case(desc, {}, formula)


def blocks(cases):
    """Both directions and orders: which element of the deep tensor is which of the wide one."""
    block, channels, order = cases.integer(1, 3), cases.integer(1, 2), cases.pick([None, 0, 1])
    batch, height, width = (cases.integer(1, 2) for _ in range(3))
    deep, wide = [batch, channels * block**2, height, width], [batch, channels, height * block, width * block]
    to_space = cases.draw(st.booleans())
    pair = (cases.tensor(deep if to_space else wide), cases.tensor(wide if to_space else deep, True))
    name = ("DepthToSpace" if to_space else "SpaceToDepth") + ("" if order is None else "1") + "OperatorDesc"
    desc = getattr(dml, name)(*pair, block) if order is None else getattr(dml, name)(*pair, block, order)

    def formula(element):
        result = {}
        for n, c, y, x in coordinates(wide):
            (h, bh), (w, bw) = divmod(y, block), divmod(x, block)
            depth = c * block**2 + bh * block + bw if order == 1 else (bh * block + bw) * channels + c
            inside, outside = (n, depth, h, w), (n, c, y, x)
            source, target = (inside, outside) if to_space else (outside, inside)
            result[target] = element("InputTensor", source)
        return {"OutputTensor": result}

    return Case(desc, {}, formula)


def reverse_subsequences(cases):
    sizes = cases.sizes()
    axis = cases.integer(0, len(sizes) - 1)
    sizes[axis] = cases.integer(1, 5)
    line = list(with_axis(tuple(sizes), axis, 1))
    lengths = cases.tensor(line, data_type=cases.pick(["UINT32", "UINT64"]))
    values = [cases.pick([0, 1, 2, 3, 4, 5, 6, 2**32 - 1]) for _ in range(int(np.prod(line)))]
    desc = dml.ReverseSubsequencesOperatorDesc(cases.tensor(sizes), lengths, cases.tensor(sizes, True), axis)

    def formula(element):
        result = {}
        for c in coordinates(sizes):
            length = min(integer(element("SequenceLengthsTensor", with_axis(c, axis, 0)), lengths), sizes[axis])
            source = with_axis(c, axis, length - 1 - c[axis]) if c[axis] < length else c
            result[c] = element("InputTensor", source)
        return {"OutputTensor": result}

    return Case(desc, {"SequenceLengthsTensor": values}, formula)


def fill_constant(cases):
    sizes = cases.sizes()
    content = cases.draw(st.binary(min_size=8, max_size=8))
    desc = dml.FillValueConstantOperatorDesc(cases.tensor(sizes, True), cases.data_type, dml.ScalarUnion(content))
    width = TYPES[cases.data_type].itemsize
    return Case(desc, {}, lambda element: {"OutputTensor": dict.fromkeys(coordinates(sizes), content[:width])})


def fill_sequence(cases):
    sizes, dtype = cases.sizes(), TYPES[cases.data_type]
    start, delta = (dtype.type(cases.integer(0, 200)) for _ in range(2))
    desc = dml.FillValueSequenceOperatorDesc(cases.tensor(sizes, True), cases.data_type, start, delta)

    def formula(element):
        result, value = {}, start
        for c in coordinates(sizes):
            result[c] = value.tobytes()
            with np.errstate(over="ignore"):
                value = dtype.type(value + delta)
        return {"OutputTensor": result}

    return Case(desc, {}, formula)


def diagonal(cases):
    sizes, dtype = cases.sizes(2, 4), TYPES[cases.data_type]
    bounds = [-(2**31), -4, -3, -2, -1, 0, 1, 2, 3, 4, 2**31 - 1]
    begin, end, value = cases.pick(bounds), cases.pick(bounds), cases.integer(0, 255)
    fill, zero = (dtype.type(number).tobytes() for number in (value, 0))
    out, given_input = cases.tensor(sizes, True), cases.draw(st.booleans())
    if not given_input and cases.draw(st.booleans()):
        desc = dml.DiagonalMatrixOperatorDesc(out, begin, value)
        end = begin + 1
    else:
        data = cases.tensor(sizes) if given_input else None
        desc = dml.DiagonalMatrix1OperatorDesc(data, out, cases.data_type, value, begin, end)

    def formula(element):
        result = {}
        for c in coordinates(sizes):
            t = c[-1] - c[-2]
            use = (end >= begin) ^ (t >= begin) ^ (t < end)
            result[c] = fill if use else element("InputTensor", c) if given_input else zero
        return {"OutputTensor": result}

    return Case(desc, {}, formula)


def one_hot(cases):
    sizes = cases.sizes()
    axis = cases.integer(0, len(sizes) - 1)
    sizes[axis] = cases.integer(1, 5)
    line = with_axis(tuple(sizes), axis, 1)
    indices, written = cases.indices(line, -sizes[axis] - 2, sizes[axis] + 2)
    values = [cases.integer(1, 3) for _ in sizes]
    at = cases.integer(0, len(sizes) - 1)
    values[at] = cases.integer(2, 3)
    desc = dml.OneHotOperatorDesc(indices, cases.tensor(values), cases.tensor(sizes, True), axis)
    fastest = max(number for number, size in enumerate(values) if size > 1)

    def formula(element):
        off = element("ValuesTensor", (0,) * len(sizes))
        on = element("ValuesTensor", with_axis((0,) * len(sizes), fastest, 1))
        result = {}
        for c in coordinates(sizes):
            value = integer(element("IndicesTensor", with_axis(c, axis, 0)), indices)
            result[c] = on if (value + sizes[axis] if value < 0 else value) == c[axis] else off
        return {"OutputTensor": result}

    return Case(desc, {"IndicesTensor": written}, formula)


def nonzero(cases):
    sizes = cases.sizes(2, 4)
    count = len(sizes)
    least = next((count - number for number, size in enumerate(sizes) if size != 1), 1)
    columns, total = cases.integer(least, count), int(np.prod(sizes))
    rows = [1] * (count - 2) + [total, columns]
    desc = dml.NonzeroCoordinatesOperatorDesc(
        cases.tensor(sizes), cases.tensor([1] * count, True, "UINT32"), cases.tensor(rows, True, "UINT32")
    )
    dtype = TYPES[cases.data_type]

    def formula(element):
        found = [c for c in coordinates(sizes) if np.frombuffer(element("InputTensor", c), dtype)[0] != 0]
        table = {}
        for n in range(total):
            for k in range(columns):
                value = found[n][count - columns + k] if n < len(found) else 0
                table[(*(0,) * (count - 2), n, k)] = value.to_bytes(4, "little")
        return {"OutputCountTensor": {(0,) * count: len(found).to_bytes(4, "little")},
                "OutputCoordinatesTensor": table}  # fmt: skip

    return Case(desc, {"InputTensor": [cases.integer(0, 1) for _ in range(total)]}, formula)


def cast(cases):
    sizes, target = cases.sizes(), cases.pick(list(TYPES))
    source = TYPES[cases.data_type]
    desc = dml.CastOperatorDesc(cases.tensor(sizes), cases.tensor(sizes, True, target))
    writes = [cases.integer(0, 127) for _ in range(int(np.prod(sizes)))]

    def formula(element):
        return {"OutputTensor": {
            c: TYPES[target].type(np.frombuffer(element("InputTensor", c), source)[0]).tobytes()
            for c in coordinates(sizes)}}  # fmt: skip

    return Case(desc, {"InputTensor": writes}, formula)


EIGHT = ["FLOAT32", "FLOAT16", "UINT8", "INT16"]
TEN = [*EIGHT, "INT64", "UINT64"]


def choice(cases):
    sizes = cases.sizes()
    condition, a, b = cases.tensor(sizes, data_type="UINT8"), cases.tensor(sizes), cases.tensor(sizes)
    desc = dml.ElementWiseIfOperatorDesc(condition, a, b, cases.tensor(sizes, True))
    values = [cases.pick([0, 1, 2, 255]) for _ in range(int(np.prod(sizes)))]

    def formula(element):
        return {"OutputTensor": {
            c: element("ATensor" if any(element("ConditionTensor", c)) else "BTensor", c)
            for c in coordinates(sizes)}}  # fmt: skip

    return Case(desc, {"ConditionTensor": values}, formula)


def windows(cases):
    """An image, the columns of its windows, and for each column the places in the image that it reads, or None."""
    ndim = cases.integer(1, 2)
    kernel, strides, dilations, begins, ends = (
        [cases.integer(low, high) for _ in range(ndim)] for low, high in ((1, 3), (1, 2), (1, 2), (0, 2), (0, 2))
    )
    reaches = [d * (k - 1) + 1 for k, d in zip(kernel, dilations, strict=True)]
    image = [max(cases.integer(1, 4), reach - b - e) for reach, b, e in zip(reaches, begins, ends, strict=True)]
    counts = [(n + b + e - r) // s + 1 for n, b, e, r, s in zip(image, begins, ends, reaches, strides, strict=True)]
    batch, channels = cases.integer(1, 2), cases.integer(1, 2)
    sizes = [batch, channels, *image]
    columns = [batch, channels * int(np.prod(kernel)), int(np.prod(counts))]
    places = {}
    for n, c in np.ndindex(batch, channels):
        for k, at in enumerate(np.ndindex(*kernel)):
            for number, window in enumerate(np.ndindex(*counts)):
                walk = zip(window, strides, at, dilations, begins, strict=True)
                coords = [w * s + a * d - b for w, s, a, d, b in walk]
                inside = all(0 <= place < size for place, size in zip(coords, image, strict=True))
                places[n, c * int(np.prod(kernel)) + k, number] = (n, c, *coords) if inside else None
    return sizes, columns, places, (kernel, strides, dilations, begins, ends)


def unfold(cases):
    sizes, columns, places, fields = windows(cases)
    desc = dml.UnfoldOperatorDesc(cases.tensor(sizes), cases.tensor(columns, True), *fields)

    def formula(element):
        return {"OutputTensor": {c: element("InputTensor", at) if at else bytes(4) for c, at in places.items()}}

    return Case(desc, {}, formula)


def fold(cases):
    """Values of few bits, whose sums are exact in any order."""
    sizes, columns, places, fields = windows(cases)
    desc = dml.FoldOperatorDesc(cases.tensor(columns), cases.tensor(sizes, True), *fields)
    values = [float(cases.integer(-9, 9)) for _ in range(int(np.prod(columns)))]

    def formula(element):
        sums = {c: np.float32(0) for c in coordinates(sizes)}
        for c, at in places.items():
            if at:
                sums[at] += np.frombuffer(element("InputTensor", c), np.float32)[0]
        return {"OutputTensor": {c: value.tobytes() for c, value in sums.items()}}

    return Case(desc, {"InputTensor": values}, formula)


CASES = {
    gather_elements: DATA_TYPES, gather_nd: DATA_TYPES, scatter: DATA_TYPES, scatter_nd: DATA_TYPES,
    slice_: DATA_TYPES, slice1: DATA_TYPES, tile: TEN, padding: DATA_TYPES, blocks: DATA_TYPES,
    reverse_subsequences: DATA_TYPES, fill_constant: DATA_TYPES, fill_sequence: TEN, diagonal: DATA_TYPES,
    one_hot: DATA_TYPES, nonzero: EIGHT, cast: list(TYPES), choice: DATA_TYPES,
    unfold: ["FLOAT32"], fold: ["FLOAT32"],
    **arithmetic_cases.CASES,
}  # fmt: skip


@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
@settings(max_examples=80)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_as_its_formula_says(make, data, seed):
    case = make(Cases(data.draw, CASES[make]))
    rng = np.random.default_rng(seed)
    buffers = {path: Buffer(tensor, rng) for path, _, tensor in case.desc.tensors}
    outputs = [path for path, member, _ in case.desc.tensors if member.is_output]
    for path, values in case.writes.items():
        buffers[path].write(values)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IndexOutOfRangeWarning)
        dml.execute(case.desc, {path: buffer.bound for path, buffer in buffers.items()})
    expected = case.formula(lambda path, coords: buffers[path].element(coords))
    assert set(expected) == set(outputs)
    for path in outputs:
        buffers[path].check(expected[path])
    assert all(buffer.untouched() for path, buffer in buffers.items() if path not in outputs)
