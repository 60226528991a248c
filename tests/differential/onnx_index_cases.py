"""Random one-node models of ONNX's operators that read indices: valid by construction, now and then with one fault."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.differential.onnx_data import (
    DTYPES,
    FED,
    Draw,
    axis_of,
    dropped,
    either,
    fault,
    kind_of,
    number,
    pick,
    places,
    rarely,
    repeated,
    rng,
    sizes,
    values,
    vector,
    version,
)
from tests.differential.onnxruntime_types import HOT_KINDS
from wherry.runtimes.case import Case


def _signed(draw: Draw, opset: int, since: int = 11) -> bool:
    """Whether indices and axes may be negative: from a version on, and now and then before it."""
    return opset >= since or rarely(draw, 16)


def _bent(draw: Draw, wrong: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Sizes that are wrong, if that is the fault: an axis more, or one less, or another size."""
    if wrong != "sizes":
        return shape
    return pick(draw, ((*shape, 2), shape[1:], (*shape[:-1], (shape or (1,))[-1] + 1)))


@st.composite
def gathers(draw: Draw) -> Case:
    wrong = fault(draw, "index", "index", "axis", "scalar")
    opset = version(draw, 1)
    data = values(draw, () if wrong == "scalar" else sizes(draw, 1), kind_of(draw, opset))
    axis = axis_of(draw, data.ndim, wrong == "axis")
    size = data.shape[axis] if -data.ndim <= axis < data.ndim else 3
    picked = sizes(draw, 0, 2) if size else (0,)
    index_kind = pick(draw, ("int32", "int64", "int64", "uint8" if wrong else "int64"))
    indices = places(draw, (size,), picked, wrong == "index", _signed(draw, opset)).astype(index_kind)
    return Case("Gather", opset, (data, indices), dropped(draw, {"axis": axis}, axis=0))


@st.composite
def gather_elements(draw: Draw) -> Case:
    wrong = fault(draw, "index", "index", "axis", "sizes")
    opset = version(draw, 11)
    data = values(draw, sizes(draw, 1), kind_of(draw, opset))
    axis = axis_of(draw, data.ndim, wrong == "axis")
    at = axis % data.ndim
    shape = _bent(draw, wrong, _along(draw, data.shape, at))
    indices = places(draw, (data.shape[at],), shape, wrong == "index").astype(pick(draw, ("int32", "int64")))
    return Case("GatherElements", opset, (data, indices), dropped(draw, {"axis": axis}, axis=0))


def _along(draw: Draw, shape: tuple[int, ...], at: int) -> tuple[int, ...]:
    """Sizes of indices along an axis: any there, and elsewhere those of data, or now and then a smaller one."""
    along = number(draw, 1, 4) if shape[at] else 0
    return tuple(
        along if axis == at else size - 1 if size > 1 and rarely(draw, 8) else size for axis, size in enumerate(shape)
    )


@st.composite
def gather_nd(draw: Draw) -> Case:
    wrong = fault(draw, "index", "index", "none", "long", "sizes")
    opset = version(draw, 11)
    data = values(draw, sizes(draw, 1), kind_of(draw, opset))
    batch = number(draw, 0, min(2, data.ndim - 1)) if opset >= 12 else 0
    length = {"none": 0, "long": data.ndim + 1}.get(wrong, number(draw, 1, data.ndim - batch))
    along = data.shape[batch : batch + length] or (1,)
    rows = sizes(draw, 0, 2) if 0 not in along else (0,)
    shape = (*_bent(draw, wrong if batch else "", data.shape[:batch]), *rows, length)
    indices = places(draw, along, shape, wrong == "index")
    attributes = dropped(draw, {"batch_dims": batch}, batch_dims=0) if opset >= 12 else {}
    return Case("GatherND", opset, (data, indices), attributes)


_REDUCED = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]
"""The types that ONNX Runtime reduces in every way."""


def _reduction(draw: Draw, opset: int) -> tuple[dict[str, Any], str]:
    """The attribute, and an element type."""
    words = ["none", "none", *(["add", "mul"] if opset >= 16 else []), *(["max", "min"] if opset >= 18 else [])]
    word = pick(draw, words)
    given = {"reduction": word} if word != "none" or (opset >= 16 and either(draw)) else {}
    return given, kind_of(draw, opset, FED if word == "none" else _REDUCED)


def _updated(draw: Draw, shape: tuple[int, ...], kind: str, attributes: dict[str, Any]) -> np.ndarray:
    """Elements of any bits where they are only moved; else numbers that often repeat."""
    if attributes.get("reduction", "none") == "none":
        return values(draw, shape, kind)
    return repeated(draw, shape, kind, is_special=rarely(draw, 4))


@st.composite
def scatter_elements(draw: Draw, name: str = "ScatterElements") -> Case:
    wrong = fault(draw, "index", "index", "axis", "sizes", "updates")
    opset = number(draw, 9, 10) if name == "Scatter" and not rarely(draw, 16) else version(draw, 11)
    attributes, kind = _reduction(draw, opset) if name == "ScatterElements" else ({}, kind_of(draw, opset))
    data = _updated(draw, sizes(draw, 1), kind, attributes)
    axis = axis_of(draw, data.ndim, wrong == "axis", _signed(draw, opset))
    at = axis % data.ndim
    shape = _bent(draw, wrong, _along(draw, data.shape, at))
    indices = places(draw, (data.shape[at],), shape, wrong == "index", _signed(draw, opset))
    updates = _updated(draw, _bent(draw, "sizes" if wrong == "updates" else "", shape), kind, attributes)
    indices = indices.astype(pick(draw, ("int32", "int64")))
    return Case(name, opset, (data, indices, updates), attributes | dropped(draw, {"axis": axis}, axis=0))


@st.composite
def scatter_nd(draw: Draw) -> Case:
    wrong = fault(draw, "index", "index", "long", "sizes")
    opset = version(draw, 11)
    attributes, kind = _reduction(draw, opset)
    data = _updated(draw, sizes(draw, 1), kind, attributes)
    length = data.ndim + 1 if wrong == "long" else number(draw, 0 if rarely(draw) else 1, data.ndim)
    along = data.shape[:length] or (1,)
    rows = sizes(draw, 0, 2) if 0 not in along else (0,)
    indices = places(draw, along, (*rows, length), wrong == "index")
    updates = _updated(draw, _bent(draw, wrong, (*rows, *data.shape[length:])), kind, attributes)
    return Case("ScatterND", opset, (data, indices, updates), attributes)


@st.composite
def tensor_scatter(draw: Draw) -> Case:
    wrong = fault(draw, "mode", "start", "long", "axis")
    shape = [number(draw, 1, 3), number(draw, 1, 4), number(draw, 1, 3)]
    kind = pick(draw, ("float16", "float32", "int8", "int64", "bool", "uint8"))
    axis = 0 if wrong == "axis" else pick(draw, (-2, 1, 2, -1))
    width = shape[axis] + 1 if wrong == "long" else number(draw, 1, shape[axis])
    update = list(shape)
    update[axis] = width
    mode = "other" if wrong == "mode" else pick(draw, ("linear", "circular"))
    inputs = [values(draw, shape, kind), values(draw, update, kind)]
    if either(draw) or wrong == "start":
        starts = [number(draw, 0, max(0, shape[axis] - width)) for _ in range(shape[0])]
        starts[0] = pick(draw, (-1, shape[axis])) if wrong == "start" else starts[0]
        inputs.append(vector(*starts))
    return Case("TensorScatter", version(draw, 24), tuple(inputs),
                dropped(draw, {"axis": axis, "mode": mode}, axis=-2, mode="linear"))  # fmt: skip


@st.composite
def compress(draw: Draw) -> Case:
    wrong = fault(draw, "long", "axis")
    opset = version(draw, 9)
    data = values(draw, sizes(draw, 1), kind_of(draw, opset))
    axis = None if either(draw) else axis_of(draw, data.ndim, wrong == "axis", _signed(draw, opset))
    size = data.size if axis is None else data.shape[axis % data.ndim]
    count = size + 2 if wrong == "long" else size if either(draw) else number(draw, min(size, 1), min(size, 6))
    condition = rng(draw).integers(0, 3, count) > 0
    condition[:1] |= not rarely(draw)
    return Case("Compress", opset, (data, condition), {} if axis is None else {"axis": axis})


@st.composite
def one_hot(draw: Draw) -> Case:
    wrong = fault(draw, "depth", "values", "scalar", "fraction", "types")
    opset = version(draw, 9)
    depth = pick(draw, (0, -1)) if wrong == "depth" else number(draw, 1, 4)
    kind, depth_kind = pick(draw, tuple(HOT_KINDS))
    usual = ["object" if name == "string" else name for name in HOT_KINDS[kind, depth_kind]]
    of_values = pick(draw, DTYPES if wrong == "types" else usual)
    shape = () if wrong == "scalar" else sizes(draw, 1, 2)
    picked = places(draw, (max(1, depth),), shape, not wrong and either(draw), _signed(draw, opset)).astype(kind)
    if wrong == "fraction" and kind == "float32":
        picked = (picked + np.float32(0.9)).astype(kind)
    pair = values(draw, pick(draw, ((3,), (2, 1))) if wrong == "values" else (2,), of_values)
    axis = axis_of(draw, len(shape) + 1)
    return Case("OneHot", opset, (picked, np.array(depth, depth_kind), pair), dropped(draw, {"axis": axis}, axis=-1))


INDEX_CASES: dict[str, st.SearchStrategy[Case]] = {
    "Gather": gathers(), "GatherElements": gather_elements(), "GatherND": gather_nd(),
    "Scatter": scatter_elements("Scatter"), "ScatterElements": scatter_elements(), "ScatterND": scatter_nd(),
    "TensorScatter": tensor_scatter(), "Compress": compress(), "OneHot": one_hot(),
}  # fmt: skip
