"""The operators by family: what each of their versions means, and how they are written as nodes."""

from __future__ import annotations

from typing import Any

from wherry.dialects.onnx.as_node import ToNode
from wherry.dialects.onnx.operators import (
    arithmetic,
    blocks,
    cast,
    gather,
    logic,
    make,
    pad,
    reduce,
    scatter,
    select,
    shape,
    split,
    value,
)
from wherry.dialects.onnx.row import Meaning

_FAMILIES: tuple[Any, ...] = (
    arithmetic, blocks, cast, gather, logic, make, pad, reduce, scatter, select, shape, split, value,
)  # fmt: skip

FAMILIES: dict[str, dict[str, tuple[Meaning, ...]]] = {
    family.__name__.rpartition(".")[2]: family.MEANINGS for family in _FAMILIES
}
"""The operators by family, as the files are."""

MEANINGS = {name: meanings for family in FAMILIES.values() for name, meanings in family.items()}
"""What each operator means, from the version on that a meaning names."""

TO_NODES: dict[object, tuple[tuple[str, ToNode], ...]] = {
    key: ways for family in _FAMILIES for key, ways in family.TO_NODES.items()
}
"""The ONNX operators that can write an operator, the best first, by its class, or by class and function.

A deferred one is found by its `build`."""
