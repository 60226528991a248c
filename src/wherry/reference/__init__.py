"""The reference: each operator once more as the formula of its specification, slow and readable; the oracle.

It shares no code with the C++ core, and only `infer` with the operators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.graph import Graph
from wherry.ops import (
    BandMatrix,
    Cast,
    Compress,
    Copy,
    EyeLike,
    Fill,
    FillBand,
    Gather,
    GatherTree,
    Join,
    NonZero,
    NonZeroCoordinates,
    OneHot,
    Operator,
    ScaleBias,
    ShapeOf,
    SizeOf,
    Split,
    StringPack,
    StringUnpack,
    Unique,
    Where,
)
from wherry.ops import Sequence as SequenceOperator
from wherry.reference import (
    band,
    cast,
    compress,
    copy,
    fill,
    gather,
    gather_tree,
    join,
    nonzero,
    one_hot,
    scale_bias,
    sequence,
    shape_of,
    split,
    strings,
    unique,
    where,
)
from wherry.tensors import TensorType

Array = NDArray[Any]

_FORMULAS: dict[type[Operator], Callable[[Any, Sequence[Array], Sequence[Array]], None]] = {
    BandMatrix: band.band_matrix,
    Cast: cast.formula,
    Compress: compress.formula,
    Copy: copy.formula,
    EyeLike: band.eye_like,
    Fill: fill.formula,
    FillBand: band.fill_band,
    Gather: gather.formula,
    GatherTree: gather_tree.formula,
    Join: join.formula,
    NonZero: nonzero.nonzero,
    NonZeroCoordinates: nonzero.nonzero_coordinates,
    OneHot: one_hot.formula,
    ScaleBias: scale_bias.formula,
    SequenceOperator: sequence.formula,
    ShapeOf: shape_of.shape_of,
    SizeOf: shape_of.size_of,
    Split: split.formula,
    StringPack: strings.string_pack,
    StringUnpack: strings.string_unpack,
    Unique: unique.formula,
    Where: where.formula,
}


def run(operator: Operator, inputs: Sequence[Array]) -> tuple[Array, ...]:
    """Return the outputs of an operator by its formula, element by element.

    >>> from wherry.ops import Gather
    >>> run(Gather(axis=0), [np.array([10, 20, 30]), np.array([2, -1])])[0]
    array([30, 30])
    """
    types = operator.infer([TensorType.of(array) for array in inputs])
    outputs = tuple(np.zeros(kind.shape, kind.numpy) for kind in types)
    formula = _FORMULAS.get(type(operator))
    if formula is None:  # an operator without a formula is a value that is written down
        return operator.literals([TensorType.of(array) for array in inputs]) or ()
    formula(operator, inputs, outputs)
    return outputs


def run_graph(graph: Graph, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """Return the results of a graph, node by node."""
    values = {**graph.constants, **inputs}
    for node in graph.nodes:
        results = run(node.resolve(values), [values[name] for name in node.data_inputs])
        values.update(zip(node.outputs, results, strict=True))
    return {name: values[name] for name in graph.outputs}
