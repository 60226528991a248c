"""What happens to a model that was read: run on made-up inputs, compared with the reference, taken through a file."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

import wherry as wh
from tests.support.compare import assert_same_bits
from wherry import reference
from wherry.errors import WherryError
from wherry.models.model import GraphModel, Model, made_up_input

LIMITS = wh.Limits(bytes=2**22, values=2**14)
MOST_ELEMENTS = 2**13
"""Of an input; made-up arrays are the fuzzer's own memory."""

FEW_ELEMENTS = 600
"""Of all tensors of a graph together: so many the reference, which is slow, computes anew."""

LARGE = 500
"""The largest number in a graph that is compared."""

counts: Counter[str] = Counter()
"""How far inputs got; a fuzzer prints it in the end."""

Arrays = dict[str, Any]


def use(model: Model, other: Path, seed: int) -> None:
    """Run a model on inputs made up from `seed`, and compare; `other` is where its copy may be written.

    WherryErrors are refusals, and fine.
    """
    counts["read"] += 1
    inputs = _inputs(model, np.random.default_rng(seed))
    if inputs is None:
        return
    results = model.run(inputs)
    counts["run"] += 1
    if isinstance(model, GraphModel):
        _compare(model, inputs, results)
    try:
        wh.save(model, other)
    except WherryError:
        counts["not written"] += 1
        return
    again = wh.load(other, limits=LIMITS)
    _same(again.run(inputs), results)
    counts["through a file"] += 1


def _inputs(model: Model, rng: np.random.Generator) -> Arrays | None:
    inputs = {}
    for name in model.needed_inputs:
        kind = model.inputs[name]
        sizes = [size if isinstance(size, int) else 2 for size in kind.sizes or ()]
        if math.prod(sizes) > MOST_ELEMENTS:
            return None
        inputs[name] = made_up_input(kind, rng)
    return inputs


def _compare(model: GraphModel, inputs: Arrays, results: Arrays) -> None:
    arrays = {**model.defaults, **inputs}
    tensors = [*model.graph.constants.values(), *arrays.values(), *results.values()]
    # Open sizes inside a graph may be any: few bytes moved tell that they were small.
    if sum(array.size for array in tensors) > FEW_ELEMENTS or model.bytes_moved > 8 * FEW_ELEMENTS:
        return
    if _has_large_numbers(model):
        return
    with np.errstate(all="ignore"):
        expected = reference.run_graph(model.graph, arrays)
    _same(results, expected)
    counts["compared"] += 1


def _has_large_numbers(model: GraphModel) -> bool:
    """Return whether some size or field may make the reference loop for long, even over tensors without elements."""
    integers = [array for array in model.graph.constants.values() if array.dtype.kind in "iu" and array.size]
    in_tensors = any(int(array.max()) > LARGE or int(array.min()) < -LARGE for array in integers)
    return in_tensors or any(int(digits) > LARGE for digits in re.findall(r"\d{3,}", str(model.graph)))


def _same(results: Arrays, expected: Arrays) -> None:
    assert list(results) == list(expected), f"outputs {list(results)}, expected {list(expected)}"
    for name, array in results.items():
        assert_same_bits(array, np.asarray(expected[name]))
