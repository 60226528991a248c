"""Rules that hold for every operator that moves elements: bits are unchanged for every type and axis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from wherry import dtypes
from wherry.runtimes.conform.rule import Array, Rule, ints, rule, strings

Inputs = tuple[Sequence[Array], dict[str, Any]]


class _Mover(NamedTuple):
    """How six elements become the inputs and attributes of an operator, and which inputs are constants."""

    inputs: Callable[[Array], Inputs]
    constants: tuple[int, ...] = ()
    outputs: int = 1


def _plain(*behind: Array, sizes: tuple[int, ...] = (3, 2), **attributes: Any) -> Callable[[Array], Inputs]:
    """Return the six elements of some sizes, and what stands behind them."""
    return lambda six: ((six.reshape(sizes), *behind), attributes)


_ROWS_BACK = np.array([[2, 0], [1, 1], [0, 2]])

MOVERS: dict[str, _Mover] = {
    "Gather": _Mover(_plain(ints(2, 0, 1))),
    "GatherElements": _Mover(_plain(_ROWS_BACK)),
    "GatherND": _Mover(_plain(np.array([[2], [0], [1]]))),
    "ScatterElements": _Mover(lambda six: ((six.reshape(3, 2), np.array([[2, 0]]), six[4:].reshape(1, 2)), {})),
    "ScatterND": _Mover(lambda six: ((six.reshape(3, 2), np.array([[1]]), six[4:].reshape(1, 2)), {})),
    "Slice": _Mover(_plain(ints(2), ints(-4), ints(0), ints(-1)), (1, 2, 3, 4)),
    "Split": _Mover(_plain(ints(1, 2)), (1,), 2),
    "Concat": _Mover(lambda six: ((six[:4].reshape(2, 2), six[4:].reshape(1, 2)), {"axis": 0})),
    "Pad": _Mover(lambda six: ((six[1:].reshape(5, 1), ints(1, 0, 0, 1), six[:1].reshape(())), {}), (1, 2)),
    "Expand": _Mover(_plain(ints(2, 3, 2)), (1,)),
    "Reshape": _Mover(_plain(ints(2, 3)), (1,)),
    "Transpose": _Mover(_plain(perm=[1, 0])),
    "Tile": _Mover(_plain(ints(2, 1)), (1,)),
    "Trilu": _Mover(_plain(upper=0)),
    "Where": _Mover(lambda six: ((np.array([True, False, True]), six[:3], six[3:]), {})),
    "Squeeze": _Mover(_plain(ints(0), sizes=(1, 3, 2)), (1,)),
    "Unsqueeze": _Mover(_plain(ints(1)), (1,)),
    "Compress": _Mover(_plain(np.array([True, False, True]), axis=0)),
    "ReverseSequence": _Mover(_plain(ints(3, 2), batch_axis=1, time_axis=0)),
    "DepthToSpace": _Mover(lambda six: ((six[:4].reshape(1, 4, 1, 1),), {"blocksize": 2})),
    "SpaceToDepth": _Mover(lambda six: ((six[:4].reshape(1, 1, 2, 2),), {"blocksize": 2})),
    "OneHot": _Mover(lambda six: ((ints(1, 0, 1), ints(2), six[2:4]), {}), (1, 2)),
    "Flatten": _Mover(_plain(axis=0)),
    "Identity": _Mover(_plain()),
}
"""The smallest case of each operator that moves all of six elements."""


def _bits(width: int, *patterns: int) -> Array:
    return np.array(patterns, f"u{width}").view(f"f{width}")


_TEXT = "elements are moved, not computed: every bit of them stays"

KINDS: dict[str, Array] = {
    "NaN payloads and -0.0": _bits(4, 0x7FC00001, 0xFFC12345, 0x80000000, 0x7FE00000, 0x00000001, 0x80000000),
    "signalling NaN": _bits(4, 0x7F800001, 0xFF812345, 0x7FA00000, 0xFFBFFFFF, 0x7F800002, 0x7F912345),
    "float64 that float32 lacks": np.array([0.1, -1e300, 1e-310, 2.0**53 - 1, np.pi, -0.0]),
    "float16": np.array([1.5, -0.0, 65504, 6e-8, -2.25, 0.1], np.float16),
    "bfloat16": np.array([1.5, -0.0, 3e38, 1e-40, -2.25, 0.1], dtypes.find("bfloat16").numpy),
    "int64 beyond int32": ints(2**40, -(2**40), 2**63 - 1, -(2**63), 2**31, 2**53 + 1),
    "int32 beyond float32": np.array([2**31 - 1, -(2**31), 2**24 + 1, 0, -1, 7], np.int32),
    "uint64 beyond int64": np.array([2**64 - 1, 2**63, 2**53 + 1, 0, 1, 2], np.uint64),
    "int8": np.array([-128, 127, 0, -1, 1, 5], np.int8),
    "uint8": np.array([255, 128, 0, 127, 1, 5], np.uint8),
    "bool": np.array([True, False, True, True, False, False]),
    "strings": strings("", "a", "two words", "\u00e9\u4e2d", "nul\0inside", "f"),
}
"""Six elements of a type that a runtime could lose something of."""

_NOT_OF = {"bfloat16": frozenset({"OneHot", "ReverseSequence", "Compress"})}
"""Types that the specification does not give some operators."""


def _moved(operator: str, mover: _Mover) -> Iterator[Rule]:
    for kind, six in KINDS.items():
        if operator in _NOT_OF.get(kind, ()):
            continue
        inputs, attributes = mover.inputs(six)
        yield rule(operator, kind, _TEXT, inputs, attributes, outputs=mover.outputs, constants=mover.constants)


RULES: tuple[Rule, ...] = tuple(one for operator, mover in MOVERS.items() for one in _moved(operator, mover))
