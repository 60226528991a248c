"""Random models of every operation, opset and element type, beside OpenVINO's CPU plugin: equal bits, or an entry."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dialects.openvino.test_writer import graphs
from tests.differential.expected_differences import expected
from tests.differential.openvino_runtime import OpenVINOCase, OpenVINORuntime, RefusedError, ours
from tests.support.compare import assert_same_bits
from wherry import dtypes
from wherry.dialects.openvino.reader import read
from wherry.dialects.openvino.table import in_opset
from wherry.dialects.openvino.writer import write
from wherry.errors import WherryError
from wherry.graph import Graph
from wherry.model import GraphModel

pytest.importorskip("openvino")

INDEX_KINDS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
KINDS = ["f32", "f16", "bf16", "f64", "boolean", "string", "f8e4m3", "f8e5m2", "f8e8m0", *INDEX_KINDS]
SUB_BYTE_KINDS = ["i4", "u4", "u2", "nf4", "f4e2m1"]


_BASE = OpenVINOCase(
    "Gather",
    8,
    (np.arange(4, dtype=np.float32).reshape(2, 2), np.array([0, 1]), np.array(0)),
    {"batch_dims": 0},
    kinds=("f32", "i64", "i64"),
    constants=frozenset({2}),
)


def values(kind: str, shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Return elements of any bits, but for the 64-bit types values that survive 32 bits."""
    dtype = dtypes.by_spelling("openvino")[kind]
    random = np.random.default_rng(seed)
    if dtype.is_string:
        return random.choice(np.array(["a", "bc", "", "déf"], object), shape)
    if kind == "boolean":
        return random.integers(0, 2, shape).astype(bool)
    if kind == "f64":
        return random.standard_normal(shape).astype(np.float32).astype(np.float64)
    if kind in ("i64", "u64", "u32"):
        return random.integers(0, 2**31, shape).astype(dtype.numpy)
    if dtype.bits < 8:
        codes = random.integers(0, 2**dtype.bits, shape).astype(np.uint8)
        return codes.view(dtype.numpy) if dtype.kind != "int" else random.integers(-8, 8, shape).astype(dtype.numpy)
    count = int(np.prod(shape)) * dtype.numpy.itemsize
    return random.integers(0, 256, count).astype(np.uint8).view(dtype.numpy).reshape(shape)


def any_values(draw: st.DrawFn, shape: tuple[int, ...], kinds: list[str]) -> tuple[str, np.ndarray]:
    kind = draw(st.sampled_from(kinds))
    return kind, values(kind, shape, draw(st.integers(0, 2**16)))


def axis_tensor(draw: st.DrawFn, axis: int, ndim: int, *, scalar: bool = False) -> tuple[str, np.ndarray]:
    kind = draw(st.sampled_from(INDEX_KINDS))
    if draw(st.booleans()) and not kind.startswith("u"):
        axis -= ndim
    array = np.array(axis, dtypes.by_spelling("openvino")[kind].numpy)
    return kind, array if scalar or draw(st.booleans()) else array.reshape(1)


sizes = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)


@st.composite
def gathers(draw: st.DrawFn) -> OpenVINOCase:
    shape = draw(sizes) if draw(st.integers(0, 5)) else draw(st.lists(st.integers(0, 3), min_size=1, max_size=3))
    data_kind, data = any_values(draw, tuple(shape), KINDS)
    axis = draw(st.integers(0, data.ndim - 1))
    opset = draw(st.integers(1, 16))
    row = in_opset("Gather", opset)
    batch_dims = draw(st.integers(0, axis)) if row.attributes else 0
    rest = draw(st.lists(st.integers(0 if draw(st.integers(0, 9)) == 0 else 1, 3), max_size=2))
    index_kind = draw(st.sampled_from(INDEX_KINDS))
    limits = np.iinfo(dtypes.by_spelling("openvino")[index_kind].numpy)
    size = data.shape[axis]
    allowed = st.integers(max(limits.min, -2 * size - 1), min(limits.max, 2 * size + 1))
    if draw(st.booleans()):
        allowed = st.integers(0, max(size - 1, 0))
    shape = (*data.shape[:batch_dims], *rest)
    count = int(np.prod(shape))
    picked = draw(st.lists(allowed, min_size=count, max_size=count))
    indices = np.array(picked, limits.dtype).reshape(shape)
    axis_kind, axis_array = axis_tensor(draw, axis, data.ndim)
    if batch_dims and draw(st.booleans()):
        batch_dims = batch_dims - indices.ndim or batch_dims
    constants = {2} | draw(st.sets(st.integers(0, 1)))
    return OpenVINOCase(
        "Gather",
        opset,
        (data, indices, axis_array),
        {"batch_dims": batch_dims} if row.attributes else {},
        kinds=(data_kind, index_kind, axis_kind),
        constants=frozenset(constants),
        is_dynamic=draw(st.booleans()),
    )


@st.composite
def splits(draw: st.DrawFn) -> OpenVINOCase:
    shape = list(draw(sizes))
    axis = draw(st.integers(0, len(shape) - 1))
    parts = draw(st.integers(1, 4))
    shape[axis] = parts * draw(st.integers(0, 3))
    data_kind, data = any_values(draw, tuple(shape), KINDS)
    axis_kind, axis_array = axis_tensor(draw, axis, data.ndim, scalar=True)
    return OpenVINOCase(
        "Split",
        draw(st.integers(1, 16)),
        (data, axis_array),
        {"num_splits": parts},
        kinds=(data_kind, axis_kind),
        constants=frozenset({1}),
        is_dynamic=draw(st.booleans()),
        output_count=parts,
    )


@st.composite
def variadic_splits(draw: st.DrawFn) -> OpenVINOCase:
    shape = list(draw(sizes))
    axis = draw(st.integers(0, len(shape) - 1))
    lengths = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    shape[axis] = sum(lengths)
    data_kind, data = any_values(draw, tuple(shape), KINDS)
    axis_kind, axis_array = axis_tensor(draw, axis, data.ndim)
    lengths_kind = draw(st.sampled_from(INDEX_KINDS))
    if not lengths_kind.startswith("u") and draw(st.booleans()):
        lengths[draw(st.integers(0, len(lengths) - 1))] = -1
    lengths_array = np.array(lengths, dtypes.by_spelling("openvino")[lengths_kind].numpy)
    return OpenVINOCase(
        "VariadicSplit",
        draw(st.integers(1, 16)),
        (data, axis_array, lengths_array),
        kinds=(data_kind, axis_kind, lengths_kind),
        constants=frozenset({1, 2}),
        is_dynamic=draw(st.booleans()),
        output_count=len(lengths),
    )


@st.composite
def concats(draw: st.DrawFn) -> OpenVINOCase:
    shape = list(draw(sizes))
    axis = draw(st.integers(0, len(shape) - 1))
    kind = draw(st.sampled_from(KINDS))
    parts = []
    for _ in range(draw(st.integers(1, 4))):
        shape[axis] = draw(st.integers(0, 3))
        parts.append(values(kind, tuple(shape), draw(st.integers(0, 2**16))))
    return OpenVINOCase(
        "Concat",
        draw(st.integers(1, 16)),
        tuple(parts),
        {"axis": axis - draw(st.sampled_from([0, len(shape)]))},
        kinds=(kind,) * len(parts),
        constants=frozenset(draw(st.sets(st.integers(0, len(parts) - 1)))),
        is_dynamic=draw(st.booleans()),
    )


def assert_agree(case: OpenVINOCase, openvino: OpenVINORuntime, folder: Path) -> None:
    """Fail unless both give the same bits; ours runs in any case, also where an entry says that they differ."""
    results = ours(case, folder)
    if expected(case, "openvino") is not None:
        return
    theirs = openvino.run_undamaged(case)
    for mine, other in zip(results, theirs, strict=True):
        assert_same_bits(np.asarray(mine), other)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("openvino")


@settings(max_examples=300)
@given(case=gathers())
def test_gather(case: OpenVINOCase, openvino: OpenVINORuntime, folder: Path) -> None:
    assert_agree(case, openvino, folder)


@settings(max_examples=100)
@given(case=splits())
def test_split(case: OpenVINOCase, openvino: OpenVINORuntime, folder: Path) -> None:
    assert_agree(case, openvino, folder)


@settings(max_examples=100)
@given(case=variadic_splits())
def test_variadic_split(case: OpenVINOCase, openvino: OpenVINORuntime, folder: Path) -> None:
    assert_agree(case, openvino, folder)


@settings(max_examples=100)
@given(case=concats())
def test_concat(case: OpenVINOCase, openvino: OpenVINORuntime, folder: Path) -> None:
    assert_agree(case, openvino, folder)


@settings(max_examples=40)
@given(case=gathers().filter(lambda case: len(case.constants) == 1))
def test_gather_with_an_axis_known_at_run(case: OpenVINOCase, openvino: OpenVINORuntime, folder: Path) -> None:
    assert_agree(replace(case, constants=frozenset(), is_dynamic=True), openvino, folder)


@settings(max_examples=60)
@given(graph=graphs(is_tame=True))
def test_graphs_that_we_write(graph: Graph, openvino: OpenVINORuntime, folder: Path) -> None:
    path = folder / "graph.xml"
    write(graph, path)
    x = values("f32", (2, 4), 0)
    theirs = openvino.run(path.read_bytes(), path.with_suffix(".bin").read_bytes(), [("f32", x)])
    for mine, other in zip(GraphModel(graph, "openvino").run([x]).values(), theirs, strict=True):
        assert_same_bits(mine, other)


@settings(max_examples=60)
@given(case=st.one_of(gathers(), splits(), variadic_splits(), concats()))
def test_models_that_openvino_writes(case: OpenVINOCase, openvino: OpenVINORuntime, folder: Path) -> None:
    path = folder / "saved.xml"
    xml, weights = openvino.save(*case.files())
    path.write_bytes(xml)
    given = [value for _, value in case.given]
    for mine, other in zip(read(path, weights).run(given).values(), ours(case, folder), strict=True):
        assert_same_bits(np.asarray(mine), np.asarray(other))


@pytest.mark.parametrize("kind", [*KINDS, *SUB_BYTE_KINDS, "u1", "u3", "u6"])
def test_constants_of_every_type(kind: str, openvino: OpenVINORuntime, folder: Path) -> None:
    """A Const read and written by OpenVINO has the bytes that we read and write."""
    data = values(kind, (3, 7), 1)
    case = OpenVINOCase("Identity", 16, (data,), kinds=(kind,), constants=frozenset({0}))
    path = folder / "constant.xml"
    xml, weights = openvino.save(*case.files())
    path.write_bytes(xml)
    (value,) = read(path, weights).run([]).values()
    assert_same_bits(np.asarray(value), data)
    if kind not in ("u1", "string"):  # no output of the plugin has these
        (theirs,) = openvino.run(*case.files(), [])
        assert_same_bits(theirs, data)


@pytest.mark.parametrize(
    "case",
    [
        replace(_BASE, inputs=(_BASE.inputs[0], _BASE.inputs[1], np.array(2))),
        replace(_BASE, inputs=(_BASE.inputs[0], _BASE.inputs[1], np.array([0, 0]))),
        replace(_BASE, inputs=(np.float32(1), _BASE.inputs[1], np.array(0))),
        replace(_BASE, inputs=(_BASE.inputs[0], np.float32([0, 1]), np.array(0)), kinds=("f32", "f32", "i64")),
        replace(_BASE, inputs=(_BASE.inputs[0], _BASE.inputs[1], np.float32(0)), kinds=("f32", "i64", "f32")),
        replace(_BASE, attributes={"batch_dims": 1}),
        replace(_BASE, attributes={"batch_dims": 1}, inputs=(_BASE.inputs[0], np.zeros(3, np.int64), np.array(1))),
        replace(_BASE, attributes={"batch_dims": 2}),
        replace(_BASE, attributes={"batch_dims": "abc"}),
        replace(_BASE, version=17),
        replace(_BASE, version=18),
        OpenVINOCase("Split", 1, (np.float32([1, 2, 3]), np.array(0)), {"num_splits": 2}, kinds=("f32", "i64"),
                     constants=frozenset({1}), output_count=2),
        OpenVINOCase("Split", 1, (np.float32([1, 2]), np.array([0])), {"num_splits": 2}, kinds=("f32", "i64"),
                     constants=frozenset({1}), output_count=2),
        OpenVINOCase("Split", 1, (np.float32([1, 2]), np.array(0)), {"num_splits": 0}, kinds=("f32", "i64"),
                     constants=frozenset({1}), output_count=2),
        OpenVINOCase("VariadicSplit", 1, (np.float32([1, 2]), np.array(0), np.array([-1, -1])),
                     kinds=("f32", "i64", "i64"), constants=frozenset({1, 2}), output_count=2),
        OpenVINOCase("VariadicSplit", 1, (np.float32([1, 2]), np.array(0), np.array([1, 2])),
                     kinds=("f32", "i64", "i64"), constants=frozenset({1, 2}), output_count=2),
        OpenVINOCase("Concat", 1, (np.float32([1]), np.float32([[1]])), {"axis": 0}, kinds=("f32", "f32")),
        OpenVINOCase("Concat", 1, (np.float32([1]), np.int32([1])), {"axis": 0}, kinds=("f32", "i32")),
        OpenVINOCase("Concat", 1, (np.float32([1]),), {"axis": 1}, kinds=("f32",)),
    ],
)  # fmt: skip
def test_both_refuse(case: OpenVINOCase, openvino: OpenVINORuntime, folder: Path) -> None:
    with pytest.raises(WherryError):
        ours(case, folder)
    with pytest.raises(RefusedError):
        openvino.run(*case.files(), case.given)
