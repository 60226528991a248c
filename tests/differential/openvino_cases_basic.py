"""Random one-node models of Gather, Split, VariadicSplit and Concat."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tests.differential.openvino_data import (
    INDEX_KINDS,
    KINDS,
    MOVED_KINDS,
    WIDE_INDEX_KINDS,
    Draw,
    Named,
    a_scalar_or_one,
    array,
    inside,
    integers,
    mostly,
    moved,
    one_in,
    shapes,
    some_or_none,
)
from tests.differential.openvino_one_node import opset_of
from wherry.dialects.openvino.row import OpenVINORow
from wherry.runtimes.case import Case


def _axis(draw: Draw, axis: int, ndim: int) -> Named:
    return integers(draw, axis - draw(st.sampled_from([0, ndim])))


def gathers(draw: Draw, row: OpenVINORow) -> Case:
    """Indices are in range, negative ones of Gather-8 too, or one time in four anything."""
    is_empty = one_in(draw, 8)
    shape = draw(shapes(1, 3, small=0)) if is_empty else draw(shapes(2, 4))
    axis = draw(st.integers(0, len(shape) - 1))
    batch_dims = draw(st.integers(0, axis)) if row.attributes and not is_empty else 0
    picked = [*shape[:batch_dims], *draw(shapes(0, 2, small=int(not is_empty), large=3))]
    size = shape[axis]
    kind = mostly(draw, MOVED_KINDS, ["string", "f8e8m0"])
    if one_in(draw, 4) or size == 0:
        index_kind = draw(st.sampled_from(INDEX_KINDS))
        limits = np.iinfo(array(index_kind, 0).dtype)
        span = max(limits.min, -2 * size - 1), min(limits.max, 2 * size + 1) + 1
        random = np.random.default_rng(draw(st.integers(0, 2**16)))
        indices = index_kind, array(index_kind, random.integers(*span, picked))
    else:
        kinds = WIDE_INDEX_KINDS if kind == "string" else INDEX_KINDS
        indices = integers(draw, inside(draw, picked, size, negative=row.since >= 8), kinds)
    signed = batch_dims - len(picked) if batch_dims and draw(st.booleans()) else batch_dims
    tensors = [moved(draw, shape, kind=kind), indices, a_scalar_or_one(draw, _axis(draw, axis, len(shape)))]
    constants = draw(st.sampled_from([{2}, {2}, {2}, {1, 2}, {0, 2}, {0, 1, 2}, set()]))
    return Case(
        "Gather",
        opset_of(draw, row),
        tuple(value for _, value in tensors),
        {"batch_dims": signed or batch_dims} if row.attributes else {},
        kinds=tuple(kind for kind, _ in tensors),
        constants=frozenset(constants),
        is_dynamic=is_empty or not constants or draw(st.booleans()),
    )


def _kind_to_split(draw: Draw) -> str:
    return mostly(draw, [*MOVED_KINDS, *KINDS], ["string"])


def splits(draw: Draw, row: OpenVINORow) -> Case:
    shape = draw(shapes())
    axis, parts = draw(st.integers(0, len(shape) - 1)), draw(st.integers(1, 4))
    shape[axis] = parts * draw(st.integers(0, 3))
    kind, data = moved(draw, shape, kind=_kind_to_split(draw))
    axis_kind, axis_array = _axis(draw, axis, len(shape))
    return Case(
        "Split",
        opset_of(draw, row),
        (data, axis_array),
        {"num_splits": parts},
        kinds=(kind, axis_kind),
        constants=frozenset({1}),
        is_dynamic=draw(st.booleans()),
        outputs=parts,
    )


def variadic_splits(draw: Draw, row: OpenVINORow) -> Case:
    shape = draw(shapes())
    axis = draw(st.integers(0, len(shape) - 1))
    lengths = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    shape[axis] = sum(lengths)
    if draw(st.booleans()):
        lengths[draw(st.integers(0, len(lengths) - 1))] = -1
    kind, data = moved(draw, shape, kind=_kind_to_split(draw))
    axis_kind, axis_array = a_scalar_or_one(draw, _axis(draw, axis, len(shape)))
    lengths_kind, lengths_array = integers(draw, lengths)
    return Case(
        "VariadicSplit",
        opset_of(draw, row),
        (data, axis_array, lengths_array),
        kinds=(kind, axis_kind, lengths_kind),
        constants=frozenset({1, 2}),
        is_dynamic=draw(st.booleans()),
        outputs=len(lengths),
    )


def concats(draw: Draw, row: OpenVINORow) -> Case:
    shape = some_or_none(draw)
    axis = draw(st.integers(0, len(shape) - 1))
    kind = mostly(draw, MOVED_KINDS, ["string"])
    parts = []
    for _ in range(draw(st.integers(1, 4))):
        shape[axis] = draw(st.integers(0, 3))
        parts.append(moved(draw, shape, kind=kind)[1])
    return Case(
        "Concat",
        opset_of(draw, row),
        tuple(parts),
        {"axis": axis - draw(st.sampled_from([0, len(shape)]))},
        kinds=(kind,) * len(parts),
        constants=frozenset(draw(st.sets(st.integers(0, len(parts) - 1)))),
        is_dynamic=draw(st.booleans()),
    )
