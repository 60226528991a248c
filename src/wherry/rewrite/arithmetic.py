"""Rewrites of operators that compute with the elements at one place of several tensors."""

from __future__ import annotations

from dataclasses import replace

from wherry.ops import Binary, Broadcast, Compare, Divide, Extreme, Remainder, Unsqueeze
from wherry.ops.elementwise import Elementwise
from wherry.rewrite.builder import NodeBuilder, Rewrite

_BROADCAST = (Binary, Compare, Divide, Remainder, Extreme)


def _broadcast_both(builder: NodeBuilder) -> str | None:
    """Give the second input axes of size 1 behind its own, where the first has axes there."""
    operator: Elementwise = builder.operator
    if operator.broadcast is Broadcast.BOTH or not builder.known.is_known:
        return None
    first, *others = builder.inputs
    if operator.axis is not None and builder.shape(others[0]) != (1,) * len(builder.shape(others[0])):
        own = len(builder.shape(others[0]))
        behind = range(own, len(builder.shape(first)) - operator.axis)
        others = [builder.add(Unsqueeze(tuple(behind)), others[0])] if behind else others
    return builder.add(replace(operator, broadcast=Broadcast.BOTH, axis=None), first, *others)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite(_BROADCAST, "sizes are known, and are not broadcast by NumPy's rule",
            "Unsqueeze of the second input where it stands at an axis, the same by NumPy's rule",
            "sizes that fit are repeated to those of the first input by either rule", _broadcast_both),
)  # fmt: skip
"""The rows for elementwise operators."""
