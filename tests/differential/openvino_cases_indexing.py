"""Random one-node models of OpenVINO's GatherElements, GatherND, GatherTree and the scatters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.differential.openvino_data import (
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
    reduced,
    shapes,
)
from tests.differential.openvino_one_node import case, signed_axis
from wherry.dialects.openvino.row import OpenVINORow
from wherry.runtimes.case import Case


def gather_elements(draw: Draw, row: OpenVINORow) -> Case:
    shape = draw(shapes())
    axis = draw(st.integers(0, len(shape) - 1))
    picked = [draw(st.integers(1, 5)) if number == axis else size for number, size in enumerate(shape)]
    indices = integers(draw, inside(draw, picked, shape[axis]), WIDE_INDEX_KINDS)
    return case(draw, row, [moved(draw, shape), indices], {"axis": signed_axis(draw, axis, len(shape))})


def gather_nd(draw: Draw, row: OpenVINORow) -> Case:
    shape = draw(shapes())
    batch = draw(st.integers(0, len(shape) - 1))
    length = draw(st.integers(1, len(shape) - batch))
    lead = [*shape[:batch], *draw(shapes(0, 2, large=3))]
    columns = [inside(draw, lead, shape[batch + number]) for number in range(length)]
    indices = integers(draw, np.stack(columns, -1))
    return case(draw, row, [moved(draw, shape), indices], {"batch_dims": batch})


def gather_tree(draw: Draw, row: OpenVINORow) -> Case:
    steps, batch, beams = draw(shapes(3, 3))
    kind = mostly(draw, ["f32", "f16", "f64", "i16", "i32", "i64", "u16", "u32", "u64"], ["i8", "u8", "bf16"])
    random = np.random.default_rng(draw(st.integers(0, 2**16)))
    values = [
        random.integers(0, 6, (steps, batch, beams)),
        random.integers(0, beams, (steps, batch, beams)),
        random.integers(1, steps + 2, batch),
        random.integers(0, 6, ()),
    ]
    return case(draw, row, [(kind, array(kind, value)) for value in values])


def scatter_update(draw: Draw, row: OpenVINORow) -> Case:
    shape = draw(shapes())
    axis = draw(st.integers(0, len(shape) - 1))
    picked = draw(shapes(1, 2, large=3))
    kind, data = moved(draw, shape)
    updates = moved(draw, (*shape[:axis], *picked, *shape[axis + 1 :]), kind=kind)
    indices = integers(draw, inside(draw, picked, shape[axis], negative=False))
    where = a_scalar_or_one(draw, integers(draw, signed_axis(draw, axis, len(shape))))
    return case(draw, row, [(kind, data), indices, updates, where])


def scatter_elements(draw: Draw, row: OpenVINORow) -> Case:
    shape = draw(shapes())
    axis = draw(st.integers(0, len(shape) - 1))
    attributes: dict[str, Any] = {}
    if row.attributes:
        words = ["none", "sum", "prod", "min", "max", "mean"]
        attributes = {"reduction": draw(st.sampled_from(words)), "use_init_val": draw(st.booleans())}
    elements, kinds = _elements_to_scatter(attributes)
    kind = draw(st.sampled_from([each for each in kinds if (each, attributes.get("reduction")) != ("boolean", "mean")]))
    picked = [draw(st.integers(1, 5)) if n == axis else draw(st.integers(1, size)) for n, size in enumerate(shape)]
    indices = integers(draw, inside(draw, picked, shape[axis]))
    where = a_scalar_or_one(draw, integers(draw, signed_axis(draw, axis, len(shape))))
    tensors = [elements(draw, shape, kind=kind), indices, elements(draw, picked, kind=kind), where]
    return case(draw, row, tensors, attributes)


def scatter_nd(draw: Draw, row: OpenVINORow) -> Case:
    shape = draw(shapes())
    length = draw(st.integers(1, len(shape)))
    lead = draw(shapes(0, 2, large=3))
    attributes = {}
    if row.attributes:
        attributes = {"reduction": draw(st.sampled_from(["none", "sum", "sub", "prod", "min", "max"]))}
    elements, kinds = _elements_to_scatter(attributes)
    kind = draw(st.sampled_from(kinds))
    columns = [inside(draw, lead, shape[number]) for number in range(length)]
    if attributes.get("reduction", "none") == "none":  # threads write a place that is named twice in any order
        places = draw(st.permutations(range(prod(shape[:length]))))[: draw(st.integers(1, 6))]
        lead, columns = [len(places)], list(np.unravel_index(places, shape[:length]))
    indices = integers(draw, np.stack(columns, -1), WIDE_INDEX_KINDS)
    updates = elements(draw, (*lead, *shape[length:]), kind=kind)
    return case(draw, row, [elements(draw, shape, kind=kind), indices, updates], attributes)


def _elements_to_scatter(attributes: dict[str, Any]) -> tuple[Callable[..., Named], Sequence[str]]:
    """Return what makes data and updates, and the types that they may have."""
    return (moved, MOVED_KINDS) if attributes.get("reduction", "none") == "none" else (reduced, KINDS)
