"""Graphs of every operator that DirectML can express: written, read back and run, they give what the formulas give."""

import json
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dialects.directml.test_writer import one, written
from tests.support.compare import assert_same_bits
from wherry import ops, reference
from wherry.dialects.directml import read, write
from wherry.errors import IndexOutOfRangeWarning, UnsupportedError, WherryError
from wherry.graph import Deferred, GraphBuilder
from wherry.tensors import TensorType

F = "float32"
INDEX = np.int64
CLAMP = {"out_of_range": "clamp"}
SKIP = {"out_of_range": "skip"}


def data_for(kind, seed=3):
    """Random values; of an index type from -2 to 4, so that some lie outside small axes."""
    rng = np.random.default_rng(seed)
    if kind.numpy.kind == "f":
        return rng.standard_normal(kind.shape).astype(kind.numpy)
    low = 0 if kind.numpy.kind == "u" else -2
    return rng.integers(low, 5, kind.shape).astype(kind.numpy)


def same(graph, tmp_path, **options):
    """Write, read and run a graph; compare bits with the formulas; return the model."""
    model = written(graph, tmp_path, **options)
    inputs = {name: data_for(kind, number) for number, (name, kind) in enumerate(graph.inputs.items())}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IndexOutOfRangeWarning)
        results = model.run({name: array.ravel() for name, array in inputs.items()})
    for name, expected in reference.run_graph(graph, inputs).items():
        assert_same_bits(results[name], np.ascontiguousarray(expected).ravel())
    return model


def used(model):
    return [dispatchable.desc.name for dispatchable in model.dispatchables.values()]


# the operators written, the node's operator, its inputs as (dtype, sizes), and constants behind them
WRITTEN = [
    (["GATHER_ELEMENTS"], ops.Gather(2, 1, **CLAMP), [(F, (2, 3, 4, 2)), ("int32", (2, 2, 3))], []),
    (["GATHER_ELEMENTS"], ops.Gather(1, 1, **CLAMP), [(F, (2, 3)), ("uint32", (2,))], []),
    (["GATHER_ELEMENTS"], ops.GatherElements(1, **CLAMP), [(F, (2, 3)), ("int64", (2, 5))], []),
    (["GATHER_ELEMENTS"], ops.GatherElements(1, **CLAMP, off_axis="at_most"),
     [(F, (3, 4, 2)), ("int64", (2, 5, 1))], []),
    (["GATHER_ELEMENTS"], ops.GatherElements(0), [(F, (3, 2))], [INDEX([[-3, 2], [0, 1]])]),
    (["GATHER_ND"], ops.GatherND(**CLAMP), [(F, (2, 3, 4)), ("int64", (5, 2))], []),
    (["GATHER_ND"], ops.GatherND(), [(F, (2, 3))], [INDEX([1, -3])]),
    (["GATHER_ND1"], ops.GatherND(1, **CLAMP), [(F, (2, 3, 4)), ("int64", (2, 5, 1))], []),
    (["GATHER_ND1"], ops.GatherND(2, **CLAMP, merge_batch=True), [(F, (2, 3, 4, 2)), ("int32", (2, 3, 1))], []),
    (["SCATTER"], ops.ScatterElements(axis=1, **SKIP), [(F, (2, 3)), ("int64", (2, 2)), (F, (2, 2))], []),
    (["SCATTER"], ops.ScatterElements(axis=0, out_of_range="report", off_axis="at_most"),
     [(F, (3, 3)), ("int32", (2, 1)), (F, (2, 1))], []),
    (["SCATTER"], ops.ScatterElements(axis=0), [(F, (4,))], [INDEX([-1, 0]), np.float32([7, 8])]),
    (["SCATTER_ND"], ops.ScatterND(**SKIP), [(F, (3, 4, 2)), ("int64", (2, 2)), (F, (2, 2))], []),
    (["SCATTER_ND"], ops.ScatterND(one_of_any_rank=True, **SKIP), [(F, (3, 4)), ("int64", (2,)), (F, (1, 1, 1))], []),
    (["SCATTER"], ops.ScatterUpdate(axis=1, **SKIP), [(F, (2, 4, 3)), ("int64", (2, 2)), (F, (2, 2, 2, 3))], []),
    (["SCATTER"], ops.ScatterUpdate(axis=2, batch_dims=1, **SKIP),
     [(F, (2, 2, 4)), ("int64", (2, 3)), (F, (2, 2, 3))], []),
    (["SLICE"], ops.Slice((1, 0), (3, 9), (1, 0), (1, 2)), [(F, (5, 4))], []),
    (["SLICE"], ops.Slice((-2,), sizes=None, ends=(9,)), [(F, (4,))], []),
    (["SLICE"], ops.Slice((3,), sizes=(1,), steps=(-(2**40),)), [(F, (4, 2))], []),
    (["SLICE1"], ops.Slice((-1, 3), (-9, 0), (0, 1), (-1, -2)), [(F, (3, 5))], []),
    (["SLICE1"], ops.Slice((4, 0), (0, 2), (0, 1), (-3, 1)), [("int8", (6, 2))], []),
    (["SLICE"], ops.StridedSlice((1, 0, 1), (2, 0, 9), (1, 1, 2), shrink_axis_mask=(1, 0, 0), new_axis_mask=(0, 1, 0)),
     [(F, (3, 5))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.StridedSlice((0,), (0,), new_axis_mask=(1,)), [(F, (3,))], []),
    (["SLICE1"], ops.Reverse(axes=(0, 2)), [(F, (2, 3, 2))], []),
    (["TILE"], ops.Tile((2, 3)), [(F, (2, 2))], []),
    (["TILE"], ops.Tile((2, 1, 3), lengths="pad"), [(F, (2, 2))], []),
    (["TILE"], ops.Tile((3,), axis=1), [("int64", (2, 2))], []),
    (["PADDING1"], ops.Pad((1, 0), (0, 2), value=2.5), [(F, (2, 3))], []),
    (["PADDING1"], ops.Pad((1,), (0,), value=np.int64(-(2**53) - 1)), [("int64", (2,))], []),
    (["PADDING1"], ops.Pad((1,), (1,)), [("float16", (3,))], []),
    (["PADDING1"], ops.Pad((2,), (1,), "reflect", axes=(-1,)), [(F, (2, 3))], []),
    (["PADDING1"], ops.Pad((1, 2), (2, 1), "symmetric"), [("uint8", (2, 3))], []),
    (["PADDING1"], ops.Pad((5,), (7,), "reflect", beyond="fold"), [(F, (3,))], []),
    (["PADDING1"], ops.Pad((1,), (2,), "edge"), [(F, (3,))], []),
    (["PADDING1"], ops.Pad((4,), (5,), "wrap"), [(F, (3,))], []),
    (["SLICE"], ops.Pad((-1, 0), (0, -2)), [(F, (3, 4))], []),
    (["SLICE", "PADDING1"], ops.Pad((-1, 2), (1, -1), value=9.0), [(F, (3, 4))], []),
    (["PADDING1", "SLICE"], ops.Pad((-5,), (4,), value=9.0, overcrop="empty"), [(F, (3,))], []),
    (["SLICE", "PADDING1"], ops.Pad((-1,), (2,), "edge", mixed_signs="crop_first"), [(F, (4,))], []),
    (["SLICE", "PADDING1"], ops.Pad((2,), (-2,), "reflect", mixed_signs="crop_first"), [(F, (5,))], []),
    (["PADDING1", "SLICE"], ops.Pad((2,), (-2,), "reflect", mixed_signs="original"), [(F, (5,))], []),
    (["DEPTH_TO_SPACE1"], ops.DepthToSpace(2), [(F, (1, 8, 2, 3))], []),
    (["DEPTH_TO_SPACE1"], ops.DepthToSpace(2, "depth_first"), [(F, (1, 8, 2, 3))], []),
    (["SPACE_TO_DEPTH1"], ops.SpaceToDepth(2, "depth_first"), [(F, (2, 1, 4, 2))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.DepthToSpace(2), [(F, (1, 8, 2, 1, 3))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.SpaceToDepth(3, "depth_first"), [(F, (2, 2, 6))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.ShuffleChannels(1, 3), [(F, (2, 6, 2))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.BatchToSpace((1, 2, 3), (0, 0, 0), (0, 0, 0)), [(F, (12, 2, 3))], []),
    (["ELEMENT_WISE_IDENTITY", "SLICE"], ops.BatchToSpace((1, 2, 2), (0, 1, 0), (0, 0, 1)), [(F, (8, 2, 3))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.SpaceToBatch((1, 2, 3), (0, 0, 0), (0, 0, 0)), [(F, (2, 4, 3))], []),
    (["PADDING1", "ELEMENT_WISE_IDENTITY"], ops.SpaceToBatch((1, 2, 2), (0, 1, 0), (0, 0, 1)), [(F, (2, 3, 3))], []),
    (["REVERSE_SUBSEQUENCES"], ops.ReverseSequence(INDEX([2, 0, 3]), 0, (1,)), [(F, (4, 3, 2))], []),
    (["REVERSE_SUBSEQUENCES"], ops.ReverseSequence(INDEX([9, 1]), 1, (0,), "clamp"), [(F, (2, 4, 3))], []),
    (["REVERSE_SUBSEQUENCES"], ops.ReverseSequence(np.uint32([[3], [1]]), 1, None), [(F, (2, 3))], []),
    (["REVERSE_SUBSEQUENCES"], ops.ReverseSequence(INDEX([[1, 2], [3, 0]]), 0, (2, 1)), [(F, (3, 2, 2))], []),
    (["JOIN"], ops.Roll((2,), (0,)), [(F, (4, 2))], []),
    (["JOIN"], ops.Roll((-16,), (1,)), [("int8", (3, 20))], []),
    (["SPLIT", "JOIN"], ops.Roll((1,), (0,)), [(F, (4, 2))], []),
    (["JOIN", "SPLIT", "JOIN"], ops.Roll((-1, 7), (1, 0)), [(F, (3, 4))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.Roll((4,), (0,)), [(F, (4, 2))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.Roll((), ()), [(F, ())], []),
    (["ELEMENT_WISE_IF"], ops.Where(), [("uint8", (2, 3)), (F, (2, 3)), (F, (2, 3))], []),
    (["ELEMENT_WISE_IF"], ops.Where(), [("uint8", (3, 1)), ("int64", (1,)), ("int64", (2, 1, 4))], []),
    (["ELEMENT_WISE_IF"], ops.Where(), [("uint8", ()), (F, ()), (F, ())], []),
    (["ELEMENT_WISE_IF"], ops.Where(), [("uint8", (2,) * 9), (F, (2,) * 9), (F, (2,))], []),
    (["FOLD"], ops.Col2Im((3, 4), (2, 2), (1, 2), (1, 1), (1, 0), (0, 0)), [(F, (2, 8, 6))], []),
    (["FOLD"], ops.Col2Im((3, 4), (2, 2), unbatched=True), [(F, (8, 6))], []),
    (["UNFOLD"], ops.Im2Col((2, 2), (1, 2), (2, 1), (1, 0), (0, 2)), [(F, (2, 3, 3, 4))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.Im2Col((2, 3), (2, 1)), [("int16", (2, 3, 5, 4))], []),
    (["PADDING1", "ELEMENT_WISE_IDENTITY"], ops.Im2Col((2,), (2,), (3,), (1,), (2,)), [("int64", (2, 2, 5))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.ExtractImagePatches((2, 2), (1, 2), (2, 1)), [(F, (2, 3, 5, 4))], []),
    (["PADDING1", "ELEMENT_WISE_IDENTITY"], ops.ExtractImagePatches((3, 2), (2, 1), (1, 2), "same_upper"),
     [("uint8", (1, 2, 4, 5))], []),
    (["PADDING1", "ELEMENT_WISE_IDENTITY"], ops.ExtractImagePatches((2, 4), (1, 3), (1, 1), "same_lower"),
     [(F, (2, 1, 3, 3))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.ExtractImagePatches((1, 1), (4, 4), (1, 1), "same_upper"), [(F, (1, 2, 3, 3))], []),
    (["DIAGONAL_MATRIX1"], ops.Trilu.triangle(True, 1), [(F, (3, 4))], []),
    (["DIAGONAL_MATRIX1"], ops.Trilu.triangle(False, -1), [("int64", (2, 1, 2, 3, 4))], []),
    (["DIAGONAL_MATRIX1"], ops.Trilu(np.float32(7), 0, 2, True), [(F, (3, 4))], []),
    (["DIAGONAL_MATRIX1"], ops.Trilu(np.float32(7), 2, 2, True), [(F, (3, 4))], []),
    (["DIAGONAL_MATRIX1"], ops.Trilu(np.float32(7), 2, 0), [(F, (3, 4))], []),
    (["DIAGONAL_MATRIX1"], ops.Trilu(np.float32(7), -(2**40), 2**40), [(F, (3, 4))], []),
    (["DIAGONAL_MATRIX1"], ops.Eye(np.int16(-3), (2, 3, 3), 0, 1), [], []),
    (["DIAGONAL_MATRIX1"], ops.Eye(np.int16(-3), (3, 3), None, 1, True), [], []),
    (["DIAGONAL_MATRIX1"], ops.EyeLike(1, "int32"), [(F, (3, 4))], []),
    (["FILL_VALUE_CONSTANT"], ops.Fill(np.float16(-0.0), (2, 3)), [], []),
    (["FILL_VALUE_CONSTANT"], ops.Fill(np.float32(np.nan), ()), [], []),
    (["FILL_VALUE_SEQUENCE"], ops.Range(np.int32(5), np.int32(-2), np.int32(-9)), [], []),
    (["FILL_VALUE_SEQUENCE"], ops.Range(np.float32(3.2), np.float32(1.5), sizes=(5,), steps="accumulate"), [], []),
    (["ONE_HOT"], ops.OneHot(4, 1), [("int64", (2, 3))], [np.float32([0.5]), np.float32([2])]),
    (["ONE_HOT"], ops.OneHot(3, 0, keep_axis=True), [("uint32", (1, 3))], [np.int8(0), np.int8(1)]),
    (["ELEMENT_WISE_IDENTITY", "JOIN", "ONE_HOT"], ops.OneHot(4), [("int32", (5,)), (F, ()), (F, (1,))], []),
    (["NONZERO_COORDINATES"], ops.NonZeroCoordinates(2), [("int32", (3, 4))], []),
    (["NONZERO_COORDINATES"], ops.NonZeroCoordinates(1), [("int32", (7,))], []),
    (["CAST"], ops.Cast("int32"), [(F, (3,))], []),
    (["CAST"], ops.Cast("float64", float_to_integer="indefinite"), [("int8", (2, 3))], []),
    (["CAST"], ops.Cast("uint8"), [("int16", (7,))], []),
    (["CAST"], ops.Cast("int64", integer_overflow="saturate"), [("int16", (7,))], []),
    (["CAST"], ops.Cast("float16", float_overflow="saturate"), [("int16", (7,))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.AsStrided((2, 2), (1, 1)), [(F, (3,))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.AsStrided((2, 3, 2), (0, 1, 3), 4, (4, 3)), [(F, (2, 5))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.Transpose((2, 0, 1)), [(F, (2, 3, 4))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.Reshape((4, -1)), [(F, (2, 3, 2))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.Reshape((1,) * 12), [(F, ())], []),
    (["ELEMENT_WISE_IDENTITY"], ops.Squeeze(), [(F, (1, 3, 1))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.Unsqueeze((0, 3)), [(F, (2, 3))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.Flatten(2), [(F, (2, 3, 2))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.Expand((4, 2, 3)), [(F, (2, 1))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.Transpose(), [(F, (2, 1, 3, 1, 2, 1, 2, 1, 2))], []),
    (["ELEMENT_WISE_IDENTITY"], ops.Identity(), [(F, (2,) * 9)], []),
]  # fmt: skip


@pytest.mark.parametrize(("names", "operator", "inputs", "constants"), WRITTEN)
def test_written_as(tmp_path, names, operator, inputs, constants):
    graph = node(operator, inputs, constants)
    assert used(same(graph, tmp_path)) == names


def node(operator, inputs, constants=()):
    arrays = [np.asarray(value) for value in constants]
    count = len(operator.infer([TensorType(*kind) for kind in inputs] + [TensorType.of(array) for array in arrays]))
    return one(operator, {f"x{n}": kind for n, kind in enumerate(inputs)},
               {f"c{n}": array for n, array in enumerate(arrays)}, count)  # fmt: skip


@pytest.mark.parametrize("level", ["1.0", "2.1", "3.0", "4.1", "5.0"])
@pytest.mark.parametrize(("names", "operator", "inputs", "constants"), WRITTEN)
def test_lower_levels_refuse_or_agree(tmp_path, level, names, operator, inputs, constants):
    graph = node(operator, inputs, constants)
    try:
        same(graph, tmp_path, feature_level=level)
    except WherryError as error:
        assert str(error).startswith("Test 'node' as DirectML"), error
        assert any(word in str(error) for word in ("level", "version of ", "dimensions", "indices has dtype")), error


LOWER = [
    ("2.1", ["PADDING"], ops.Pad((1, 0), (0, 2), value=2.5), [(F, (2, 3))]),
    ("3.1", ["PADDING"], ops.Pad((1,), (0,), value=np.int32(-7)), [("int32", (2,))]),
    ("1.0", ["DEPTH_TO_SPACE"], ops.DepthToSpace(2), [(F, (1, 8, 2, 3))]),
    ("1.0", ["SPACE_TO_DEPTH"], ops.SpaceToDepth(2), [(F, (1, 2, 2, 4))]),
    ("4.1", ["DIAGONAL_MATRIX"], ops.Eye(np.int16(-3), (2, 3, 3), -1, 0), []),
    ("2.0", ["DIAGONAL_MATRIX"], ops.EyeLike(0), [(F, (3, 4))]),
    ("1.0", ["GATHER"], ops.Gather(0, 0, "clamp"), [(F, (3, 4)), ("uint32", (2,))]),
    ("2.1", ["GATHER_ELEMENTS"], ops.Gather(1, 1, "clamp", "invalid"), [(F, (3, 4)), ("uint32", (3, 2))]),
    ("1.0", ["SPLIT"], ops.Split(-1, sizes=(1, 3)), [(F, (2, 4))]),
    ("1.0", ["JOIN"], ops.Concat(0), [(F, (2, 4)), (F, (1, 4))]),
    ("1.0", ["SLICE"], ops.Slice((1,), (3,)), [(F, (5,))]),
    ("1.0", ["TILE"], ops.Tile((2,)), [(F, (5,))]),
]


@pytest.mark.parametrize(("level", "names", "operator", "inputs"), LOWER)
def test_lower_levels_have_older_spellings(tmp_path, level, names, operator, inputs):
    assert used(same(node(operator, inputs), tmp_path, feature_level=level)) == names


CANNOT = [
    (ops.Pad((1,), (0,), value=0.5), [("float64", (2,))], "4.1", "DataType is FLOAT64"),
    (ops.Pad((1,), (0,), value=np.float32(0.1)), [(F, (2,))], "2.0", None),
    (ops.Pad((1,), (0,), value=np.int32(2**24 + 1)), [("int32", (2,))], "4.1",
     "value is '16777217', allowed a float32, the nearest is 16777216.0"),
    (ops.Eye(np.float32(1), (3, 3), 0, 2), [], "4.1", "begin and end are 0 and 2, allowed one diagonal"),
    (ops.Gather(0, 0, "raise"), [(F, (3,)), ("int64", (2,))], "6.4", "out_of_range is 'raise', allowed 'clamp': GAT"),
    (ops.GatherElements(0, "clamp", "invalid"), [(F, (3,)), ("int64", (2,))], "6.4", "negative is 'invalid', allowe"),
    (ops.GatherND(0, "zero"), [(F, (3, 2)), ("int64", (2, 2))], "6.4", "constants from -3 to 2, -2 to 1 would do as"),
    (ops.GatherND(0, "clamp"), [(F, (3, 2)), ("int64", (2, 0))], "6.4", "a tensor has sizes [2, 0], allowed sizes f"),
    (ops.ScatterElements(), [(F, (3,)), ("int64", (2,)), (F, (2,))], "6.4",
     "out_of_range is 'raise', allowed 'report' or 'skip': SCATTER knows no other rule; indices that are constants"),
    (ops.ScatterElements(reduction="add", **SKIP), [(F, (3,)), ("int64", (2,)), (F, (2,))], "6.4",
     "reduction is 'add', allowed 'none': SCATTER replaces elements"),
    (ops.ScatterND(duplicates="raise", **SKIP), [(F, (3,)), ("int64", (2, 1)), (F, (2,))], "6.4",
     "duplicates is 'raise', allowed 'last': SCATTER_ND does not look for them"),
    (ops.ScatterElements(negative="invalid", **SKIP), [(F, (3,)), ("int64", (2,)), (F, (2,))], "6.4",
     "negative is 'invalid', allowed 'from_end'"),
    (ops.ScatterElements(**SKIP), [(F, (3,)), ("int16", (2,)), (F, (2,))], "6.4", "indices has dtype int16, allowed"),
    (ops.ScatterUpdate(axis=0, window="linear", negative="invalid"), [(F, (3,)), ("int64", ()), (F, (2,))], "6.4",
     "window is 'linear', allowed 'none'"),
    (ops.OneHot(3, negative="invalid"), [("int64", (2,)), (F, ()), (F, ())], "6.4", "negative is 'invalid', allowed"),
    (ops.OneHot(3), [(F, (2,)), (F, ()), (F, ())], "6.4", "indices has dtype float32, allowed INT64"),
    (ops.Cast("int32", float_to_integer="indefinite"), [(F, (2,))], "6.4",
     "float_to_integer is 'indefinite', allowed 'saturate': CAST from float32 to int32 knows no other rule"),
    (ops.Cast("int8", integer_overflow="saturate"), [("int16", (2,))], "6.4", "integer_overflow is 'saturate', allo"),
    (ops.Cast("float16", float_overflow="saturate"), [(F, (2,))], "6.4", "float_overflow is 'saturate', allowed 'in"),
    (ops.Cast("bool"), [(F, (2,))], "6.4", "has dtype bool, allowed the types of DirectML"),
    (ops.Range(np.float32(0), np.float32(1), sizes=(3,)), [], "6.4", "steps is 'multiply', allowed 'accumulate'"),
    (ops.Range(np.int8(0), np.int8(1), sizes=(3,), compute="int16"), [], "6.4", "compute is 'int16', allowed int"),
    (ops.Range(np.float64(0), np.float64(1), sizes=(3,), steps="accumulate"), [], "6.4", "DataType is FLOAT64"),
    (ops.Tile((2,)), [("float64", (3,))], "6.4", "InputTensor.DataType is FLOAT64, allowed FLOAT32"),
    (ops.DepthToSpace(2), [(F, (1, 16, 1, 1, 1, 1))], "6.4", None),
    (ops.Transpose(tuple(range(8, -1, -1))), [(F, (2,) * 9)], "6.4", "it needs 9 dimensions, allowed 1..8"),
    (ops.Where(), [("bool", (2,)), (F, (2,)), (F, (2,))], "6.4", "tensor 'x0' as DirectML: a tensor has dtype bool"),
    (ops.Compress(np.array([1, 1, 0, 1], bool), 0), [(F, (4,))], "6.4", ", allowed Accumulate, ArgExtreme,"),
    (ops.Compress(np.array([0, 1, 1], bool), 0), [(F, (3,))], "6.4", "the part starts at byte 4, allowed multiples"),
    (ops.SliceScatter((0,), (1,)), [(F, (3,)), (F, (1,))], "6.4", "operator is SliceScatter("),
    (ops.Reverse(axes=(0,)), [("float64", (3,))], "4.0", "InputTensor.DataType is FLOAT64"),
    (ops.Gather(1, 1, "clamp"), [(F, (3, 4)), ("uint32", (3, 2))], "2.0", "version of GATHER_ELEMENTS is 2.0, allow"),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "inputs", "level", "message"), CANNOT)
def test_what_directml_cannot_express(tmp_path, operator, inputs, level, message):
    graph = node(operator, inputs)
    if message is None:
        same(graph, tmp_path, feature_level=level)
        return
    with pytest.raises(WherryError) as caught:
        write(graph, tmp_path / "written.json", feature_level=level)
    assert message in str(caught.value)
    assert str(caught.value).startswith("Test 'node' as DirectML") or str(caught.value).startswith("tensor ")
    assert list(tmp_path.iterdir()) == []


@settings(max_examples=40)
@given(draw=st.data())
def test_rolls_of_all_sizes(draw, tmp_path_factory):
    """Parts that begin at multiples of 16 bytes are bound where they lie, others are split off: the bits agree."""
    sizes = draw.draw(st.lists(st.sampled_from([1, 2, 3, 4, 8]), min_size=1, max_size=3))
    axes = draw.draw(st.lists(st.integers(0, len(sizes) - 1), max_size=3))
    shifts = [draw.draw(st.integers(-9, 9)) for _ in axes]
    dtype = draw.draw(st.sampled_from(["int8", "float16", F, "int64"]))
    graph = node(ops.Roll(shifts, axes), [(dtype, tuple(sizes))])
    assert set(used(same(graph, tmp_path_factory.mktemp("roll")))) <= {"SPLIT", "JOIN", "ELEMENT_WISE_IDENTITY"}


@settings(max_examples=30)
@given(draw=st.data())
def test_choices_of_all_shapes(draw, tmp_path_factory):
    sizes = draw.draw(st.lists(st.integers(1, 3), max_size=6))

    def part():
        kept = sizes[draw.draw(st.integers(0, len(sizes))) :]
        return tuple(draw.draw(st.sampled_from([1, size])) for size in kept)

    dtype = draw.draw(st.sampled_from(["int8", "float16", F, "int64"]))
    graph = node(ops.Where(), [("uint8", part()), (dtype, part()), (dtype, part())])
    assert used(same(graph, tmp_path_factory.mktemp("where"))) == ["ELEMENT_WISE_IF"]


@settings(max_examples=30)
@given(draw=st.data())
def test_windows_of_all_shapes(draw, tmp_path_factory):
    """UNFOLD, the copy through strides that overlap, and patches: the bits of the formulas."""
    kernel, strides, rates, begins, ends = (
        draw.draw(st.tuples(st.integers(low, high), st.integers(low, high)))
        for low, high in ((1, 3), (1, 3), (1, 2), (0, 2), (0, 2))
    )
    image = tuple(draw.draw(st.integers((k - 1) * r + 1, 6)) for k, r in zip(kernel, rates, strict=True))
    kind = (draw.draw(st.sampled_from([F, "int16"])), (draw.draw(st.integers(1, 2)), 2, *image))
    auto_pad = draw.draw(st.sampled_from(["valid", "same_upper", "same_lower"]))
    for operator in (
        ops.Im2Col(kernel, strides, rates, begins, ends),
        ops.ExtractImagePatches(kernel, strides, rates, auto_pad),
    ):
        names = used(same(node(operator, [kind]), tmp_path_factory.mktemp("windows")))
        assert names[-1] in ("UNFOLD", "ELEMENT_WISE_IDENTITY")


def lengths_graph(dtype, too_long, batch_axes=(1,)):
    builder = GraphBuilder()
    builder.add_input("data", TensorType(F, (4, 3)))
    builder.add_input("lengths", TensorType(dtype, (3,)))
    fields = (("time_axis", 0), ("batch_axes", batch_axes), ("too_long", too_long))
    builder.add(Deferred(ops.ReverseSequence, fields, (("lengths", 1),)), ["data", "lengths"], ["out"], "Test 'node'")
    return builder.build(["out"])


def test_lengths_as_an_input(tmp_path):
    for batch_axes in ((1,), None):
        model = same(lengths_graph("uint32", "clamp", batch_axes), tmp_path)
        assert used(model) == ["REVERSE_SUBSEQUENCES"]
    assert "copy" in str(model.plan)
    for dtype, too_long, message in (
        ("int64", "clamp", "lengths has dtype int64, allowed uint32, uint64; make it a constant"),
        ("uint64", "refuse", "too_long is 'refuse', allowed 'clamp'"),
    ):
        with pytest.raises(WherryError) as caught:
            write(lengths_graph(dtype, too_long), tmp_path / "none.json")
        assert message in str(caught.value)


def test_fields_that_only_a_run_tells(tmp_path):
    builder = GraphBuilder()
    builder.add_input("data", TensorType(F, (4, 3)))
    builder.add_input("shape", TensorType("int64", (1,)))
    builder.add(Deferred(ops.Reshape, (), (("shape", 1),)), ["data", "shape"], ["out"], "Test 'node'")
    with pytest.raises(UnsupportedError) as caught:
        write(builder.build(["out"]), tmp_path / "none.json")
    assert "Test 'node' as DirectML: operator is Reshape(shape=<input 1>), allowed known fields" in str(caught.value)


def test_shapes_that_the_graph_computes(tmp_path):
    """ShapeOf, Gather, Concat and Reshape: the shape is known before a run, and only the Reshape is written."""
    builder = GraphBuilder()
    builder.add_input("data", TensorType(F, (4, 3)))
    builder.add(ops.ShapeOf(), ["data"], ["shape"], "Test 'shape'")
    builder.add_constant("pick", np.int64([1]))
    builder.add(ops.Gather(0), ["shape", "pick"], ["columns"], "Test 'gather'")
    builder.add_constant("two", np.int64([2]))
    builder.add(ops.Concat(0), ["two", "columns", "two"], ["target"], "Test 'join'")
    builder.add(Deferred(ops.Reshape, (), (("shape", 1),)), ["data", "target"], ["out"], "Test 'reshape'")
    builder.add(ops.Transpose((1, 0, 2)), ["out"], ["turned"], "Test 'transpose'")
    model = same(builder.build(["turned"]), tmp_path)
    assert used(model) == ["ELEMENT_WISE_IDENTITY", "ELEMENT_WISE_IDENTITY"]
    assert list(model.resources) == ["data", "out", "turned"]


def test_views_start_where_bindings_can(tmp_path):
    """Every other element from the byte 16 on is a strided copy of what is bound from there on."""
    model = same(node(ops.Compress(np.array([0, 0, 0, 0, 1, 0, 1, 0], bool), 0), [(F, (8,))]), tmp_path)
    assert model.commands[0].bindings["InputTensor"][0].offset == 16
    assert model.dispatchables["element_wise_identity_0"].desc.input_tensor.strides == (2,)


def test_names_of_the_graph_are_not_taken(tmp_path):
    """Buffers that no tensor of the graph is get names of their own."""
    builder = GraphBuilder()
    builder.add_input("out/concat", TensorType("int32", (5,)))
    builder.add_input("off", TensorType(F, (1,)))
    builder.add(ops.OneHot(3), ["out/concat", "off", "off"], ["out"], "Test 'hot'")
    builder.add_input("hot_values", TensorType("int32", (5,)))
    builder.add_constant("on", np.float32([1]))
    builder.add(ops.OneHot(3), ["hot_values", "on", "on"], ["hot"], "Test 'hot'")
    model = same(builder.build(["out", "hot"]), tmp_path)
    assert list(model.resources) == ["out/concat", "off", "hot_values", "out/concat 2", "out", "hot_values_2", "hot"]


def test_the_description_of_a_transpose(tmp_path):
    write(node(ops.Transpose((1, 0)), [(F, (2, 3))]), tmp_path / "t.json")
    desc = json.loads((tmp_path / "t.json").read_text())["dispatchables"]["element_wise_identity_0"]["desc"]
    assert desc == {"InputTensor": {"DataType": "FLOAT32", "Sizes": [3, 2], "Strides": [1, 3]},
                    "OutputTensor": {"DataType": "FLOAT32", "Sizes": [3, 2]}}  # fmt: skip
    assert read(tmp_path / "t.json").run({"x0": np.float32([1, 2, 3, 4, 5, 6])})["out0"].tolist() == [1, 4, 2, 5, 3, 6]
