"""Random descriptions against loops over coordinates, straight from the formulas, between guard bytes."""

from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dialects.directml.buffers import DATA_TYPES, Buffer, coordinates, packed, tensors
from wherry.dialects.directml import (
    BufferTensorDesc,
    ElementWiseIdentityOperatorDesc,
    GatherOperatorDesc,
    JoinOperatorDesc,
    ScaleBias,
    SplitOperatorDesc,
    execute,
)
from wherry.errors import WherryError


@st.composite
def gathers(draw):
    """A valid GATHER from natural sizes: data of rank r, indices of rank q, filled to DimensionCount."""
    rank, index_dims = draw(st.integers(1, 3)), draw(st.integers(0, 3))
    data_sizes = [draw(st.integers(1, 3)) for _ in range(rank)]
    index_sizes = [draw(st.integers(1, 3)) for _ in range(index_dims)]
    axis = draw(st.integers(0, rank - 1))
    natural = [*data_sizes[:axis], *index_sizes, *data_sizes[axis + 1 :]]
    least = max(rank, index_dims, len(natural), 1)
    count = draw(st.integers(least, min(least + 2, 8)))

    def filled(sizes):
        return [1] * (count - len(sizes)) + list(sizes)

    data_type = draw(st.sampled_from(DATA_TYPES))
    index_type = draw(st.sampled_from(["INT32", "INT64", "UINT32", "UINT64"]))
    desc = GatherOperatorDesc(
        draw(tensors(data_type, filled(data_sizes))),
        draw(tensors(index_type, filled(index_sizes))),
        draw(tensors(data_type, filled(natural), output=True)),
        axis + count - rank,
        index_dims,
    )
    lowest = 0 if index_type.startswith("U") else -5
    values = [draw(st.integers(lowest, 5)) for _ in range(int(np.prod(index_sizes, dtype=int)))]
    return desc, values, draw(st.integers(0, 2**32))


def gather_by_formula(desc, data, indices):
    """DML_GATHER_OPERATOR_DESC with a, q, t, p as in the formula of the right-aligned output."""
    count, a, q = desc.input_tensor.dimension_count, desc.axis, desc.index_dimensions
    t = count - 1 - a
    p = count - t - q
    size = desc.input_tensor.sizes[a]
    signed = desc.indices_tensor.data_type.name.startswith("INT")
    expected = {}
    for c in coordinates(desc.output_tensor.sizes):
        raw = indices.element((0,) * (count - q) + c[p : p + q])
        value = int.from_bytes(raw, "little", signed=signed)
        value = min(max(value + size if value < 0 else value, 0), size - 1)
        kept = min(p, a)
        lead = (0,) * (a - kept) + c[p - kept : p]
        expected[c] = data.element((*lead, value, *c[count - t :]))
    return expected


@given(gathers())
def test_gather(case):
    desc, values, seed = case
    rng = np.random.default_rng(seed)
    data, indices, out = (
        Buffer(tensor, rng) for tensor in (desc.input_tensor, desc.indices_tensor, desc.output_tensor)
    )
    indices.write(values)
    execute(desc, {"input_tensor": data.bound, "indices_tensor": indices.bound, "output_tensor": out.bound})
    out.check(gather_by_formula(desc, data, indices))
    assert data.untouched()
    assert indices.untouched()


@st.composite
def cuts(draw):
    """A whole and its parts along one axis."""
    sizes = [draw(st.integers(1, 3)) for _ in range(draw(st.integers(1, 4)))]
    axis = draw(st.integers(0, len(sizes) - 1))
    parts = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    data_type = draw(st.sampled_from(DATA_TYPES))
    sizes[axis] = sum(parts)
    part_sizes = [[*sizes[:axis], part, *sizes[axis + 1 :]] for part in parts]
    is_split = draw(st.booleans())
    whole = draw(tensors(data_type, sizes, output=not is_split))
    pieces = [draw(tensors(data_type, part, output=is_split)) for part in part_sizes]
    return is_split, whole, pieces, axis, draw(st.integers(0, 2**32))


@given(cuts())
def test_split_and_join(case):
    is_split, whole_desc, part_descs, axis, seed = case
    rng = np.random.default_rng(seed)
    whole, parts = Buffer(whole_desc, rng), [Buffer(desc, rng) for desc in part_descs]
    starts = [0, *accumulate(desc.sizes[axis] for desc in part_descs)]
    pairs = [
        (number, c, (*c[:axis], c[axis] + starts[number], *c[axis + 1 :]))
        for number, desc in enumerate(part_descs)
        for c in coordinates(desc.sizes)
    ]
    bounds = [part.bound for part in parts]
    if is_split:
        execute(
            SplitOperatorDesc(whole_desc, part_descs, axis), {"input_tensor": whole.bound, "output_tensors": bounds}
        )
        for number, part in enumerate(parts):
            part.check({c: whole.element(inside) for at, c, inside in pairs if at == number})
        assert whole.untouched()
    else:
        execute(JoinOperatorDesc(part_descs, whole_desc, axis), {"input_tensors": bounds, "output_tensor": whole.bound})
        whole.check({inside: parts[at].element(c) for at, c, inside in pairs})
        assert all(part.untouched() for part in parts)


@st.composite
def copies(draw):
    sizes = [draw(st.integers(1, 4)) for _ in range(draw(st.integers(1, 4)))]
    data_type = draw(st.sampled_from(DATA_TYPES))
    return (draw(tensors(data_type, sizes)), draw(tensors(data_type, sizes, output=True)), draw(st.booleans()),
            draw(st.integers(0, 2**32)))  # fmt: skip


@given(copies())
def test_identity_also_in_place(case):
    source, target, in_place, seed = case
    rng = np.random.default_rng(seed)
    total = max(source.total_tensor_size_in_bytes, target.total_tensor_size_in_bytes)
    if in_place:
        source, target = (BufferTensorDesc(d.data_type, d.sizes, d.strides, total) for d in (source, target))
    out = Buffer(target, rng)
    data = out if in_place else Buffer(source, rng)
    expected = {}
    for c in coordinates(source.sizes):
        start = sum(a * s for a, s in zip(c, source.strides or packed(source.sizes), strict=True)) * data.width
        expected[c] = data.bound[start : start + data.width].tobytes()
    execute(ElementWiseIdentityOperatorDesc(source, target), {"input_tensor": data.bound, "output_tensor": out.bound})
    out.check(expected)


@given(copies())
def test_a_refused_call_leaves_every_byte(case):
    source, target, _, seed = case
    rng = np.random.default_rng(seed)
    data, out = Buffer(source, rng), Buffer(target, rng)
    desc = ElementWiseIdentityOperatorDesc(source, target)
    wrong = [
        (desc, {"input_tensor": data.bound[: source.least_binding_in_bytes - 1], "output_tensor": out.bound}, "6.4"),
        (desc, {"input_tensor": data.bound, "output_tensor": out.bound[: target.least_binding_in_bytes - 1]}, "6.4"),
        (desc, {"input_tensor": data.bound, "output_tensor": out.bound, "more": data.bound}, "6.4"),
        (desc, {"input_tensor": out.memory[8:], "output_tensor": out.bound}, "6.4"),
        (ElementWiseIdentityOperatorDesc(source, target, ScaleBias(1e30, 1)),
         {"input_tensor": data.bound, "output_tensor": out.bound}, "1.0"),
    ]  # fmt: skip
    for bad, bindings, level in wrong:
        if level == "1.0" and source.data_type.name.startswith("FLOAT") and source.dimension_count in (4, 5):
            continue
        with pytest.raises(WherryError):
            execute(bad, bindings, feature_level=level)
        assert data.untouched()
        assert out.untouched()
