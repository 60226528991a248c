"""The reference: each operator as the formula of its specification, slow and readable; the oracle of the tests.

It shares no code with the C++ core, and only `infer` with the operators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import ops
from wherry.graph import Graph
from wherry.ops import Operator
from wherry.reference import (
    as_strided,
    blocks,
    cast,
    compress,
    concat,
    diagonals,
    elementwise,
    expand,
    fill,
    gather,
    gather_tree,
    identity,
    nonzero,
    one_hot,
    pad,
    patches,
    range,
    reduce,
    reshape,
    reverse,
    scale_bias,
    scatter,
    shape_of,
    slice,
    split,
    strings,
    tile,
    transpose,
    unique,
    where,
)
from wherry.tensors import TensorType

Array = NDArray[Any]

_FORMULAS: dict[type[Operator], Callable[[Any, Sequence[Array], Sequence[Array]], None]] = {
    ops.Accumulate: reduce.accumulate,
    ops.ArgExtreme: reduce.place,
    ops.AsStrided: as_strided.formula,
    ops.Binary: elementwise.binary,
    ops.Eye: diagonals.eye,
    ops.BatchToSpace: blocks.formula_of_batch_to_space,
    ops.Cast: cast.formula,
    ops.Clip: elementwise.clip,
    ops.Col2Im: patches.formula_of_col2im,
    ops.Compare: elementwise.compare,
    ops.Compress: compress.formula,
    ops.Divide: elementwise.divide,
    ops.Identity: identity.formula,
    ops.DepthToSpace: blocks.formula_of_depth_to_space,
    ops.Expand: expand.formula,
    ops.ExtractImagePatches: patches.formula,
    ops.Im2Col: patches.formula_of_im2col,
    ops.EyeLike: diagonals.eye_like,
    ops.Extreme: elementwise.extreme,
    ops.Fill: fill.formula,
    ops.Trilu: diagonals.trilu,
    ops.Flatten: reshape.formula,
    ops.Gather: gather.formula,
    ops.GatherElements: gather.formula_elements,
    ops.GatherND: gather.formula_nd,
    ops.GatherTree: gather_tree.formula,
    ops.Concat: concat.formula,
    ops.NonZero: nonzero.nonzero,
    ops.NonZeroCoordinates: nonzero.nonzero_coordinates,
    ops.OneHot: one_hot.formula,
    ops.Pad: pad.formula,
    ops.Reduce: reduce.formula,
    ops.Remainder: elementwise.remainder,
    ops.Reshape: reshape.formula,
    ops.Reverse: reverse.formula,
    ops.ReverseSequence: reverse.formula_of_sequence,
    ops.Roll: reverse.formula_of_roll,
    ops.ScaleBias: scale_bias.formula,
    ops.ScatterUpdate: scatter.formula_of_update,
    ops.ScatterElements: scatter.formula_elements,
    ops.ScatterND: scatter.formula_nd,
    ops.Range: range.formula,
    ops.ShapeOf: shape_of.shape_of,
    ops.ShuffleChannels: blocks.formula_of_shuffle,
    ops.SizeOf: shape_of.size_of,
    ops.Slice: slice.formula,
    ops.SliceScatter: slice.formula_of_scatter,
    ops.SpaceToBatch: blocks.formula_of_space_to_batch,
    ops.SpaceToDepth: blocks.formula_of_space_to_depth,
    ops.Split: split.formula,
    ops.Squeeze: reshape.formula,
    ops.StridedSlice: slice.formula_of_strided,
    ops.StringPack: strings.string_pack,
    ops.StringUnpack: strings.string_unpack,
    ops.Tile: tile.formula,
    ops.Transpose: transpose.formula,
    ops.Unary: elementwise.unary,
    ops.Unique: unique.formula,
    ops.Unsqueeze: reshape.formula,
    ops.Where: where.formula,
}


def run(operator: Operator, inputs: Sequence[Array]) -> tuple[Array, ...]:
    """Return the outputs of an operator by its formula, element by element.

    >>> from wherry.ops import Gather
    >>> run(Gather(axis=0), [np.array([10, 20, 30]), np.array([2, -1])])[0]
    array([30, 30])
    """
    types = operator.infer([TensorType.of(array) for array in inputs])
    outputs = tuple(np.zeros(output.shape, output.numpy) for output in types)
    formula = _FORMULAS.get(type(operator))
    if formula is None:  # an operator without a formula is a value that is written down
        return operator.fold([TensorType.of(array) for array in inputs]) or ()
    formula(operator, inputs, outputs)
    return outputs


def run_graph(graph: Graph, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """Return the results of a graph, node by node; as in a plan, nodes that no result needs are left out."""
    values = {**graph.constants, **inputs}
    for node in graph.needed:
        results = run(node.resolve(values), [values[name] for name in node.data_inputs])
        values.update(zip(node.outputs, results, strict=True))
    return {name: values[name] for name in graph.outputs}
