"""Decides fields given by inputs, and whole results, from constants and known sizes."""

from __future__ import annotations

from collections.abc import Sequence

from wherry.engine.call import apply
from wherry.errors import WherryError
from wherry.graph import Node
from wherry.ops import ShapeOf, SizeOf
from wherry.rewrite.builder import NodeBuilder, Rewrite


def _resolved(builder: NodeBuilder) -> Sequence[str] | None:
    """Take the fields from values that constants and known sizes decide."""
    operator = builder.tensors.resolved(builder.node)
    if operator is None or operator is builder.node.operator:
        return None
    return builder.add_all(operator, *builder.node.data_inputs)


def _folded(builder: NodeBuilder) -> Sequence[str] | None:
    """Write down what the types of inputs alone decide."""
    types = [builder.type(name) for name in builder.inputs]
    made = builder.operator.fold(types) if all(one.is_known for one in types) else None
    return None if made is None else [builder.constant(value) for value in made]


def _as_constant(builder: NodeBuilder) -> Sequence[str] | None:
    """Compute what constants and known sizes alone decide."""
    operator = builder.tensors.resolved(builder.node)
    if operator is None:
        return None
    node = Node(operator, builder.node.data_inputs, builder.node.outputs, builder.node.subject)
    types = [builder.type(name) for name in node.inputs]
    made = operator.fold(types) if all(kind.is_known for kind in types) else None
    if made is None:
        values = [builder.value(name) for name in node.inputs]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return None
        try:
            made = apply(operator, known, node.subject)
        except WherryError:
            return None
    return [builder.constant(value) for value in made]


FIELDS = Rewrite(
    (object,), "fields are values of inputs that constants and known sizes decide", "the same with known fields",
    "shapes that a model computes are known when its sizes are", _resolved, deferred=True,
)  # fmt: skip

SIZES = Rewrite(
    (ShapeOf, SizeOf), "sizes are known", "constants", "sizes are numbers then", _folded,
)  # fmt: skip

RESULTS = Rewrite(
    (object,), "constants and known sizes decide the results", "constants", "nothing is left to compute",
    _as_constant, deferred=True,
)  # fmt: skip
