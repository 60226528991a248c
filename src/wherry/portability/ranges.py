"""Ranges: least and greatest possible elements of tensors of any size, for all inputs.

Of small tensors of known sizes it is known element by element (`wherry.rewrite.bounds`); of all others one pair of
numbers holds for every element. Floats have a range only where none of them is NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes, ops
from wherry.arguments import normalized_axis
from wherry.errors import WherryError
from wherry.graph import Deferred, Graph, Node, Opaque
from wherry.moves import Negative
from wherry.ops.conversion import integer_range
from wherry.portability.by_size import is_inside
from wherry.portability.divisors import is_never
from wherry.rewrite.bounds import Bounds
from wherry.rewrite.known import KnownNode, fields_of, maker_of
from wherry.rewrite.tensors import Tensors
from wherry.tensors import TensorType

Array = NDArray[Any]

_DEEPEST = 6
"""How many operators are followed back under the condition of a Where."""

_FEW = 1024
"""The most elements of constant floats that are read."""

_LONGEST_TUPLE = 64
"""The longest tuple of indices whose entries have ranges of their own."""


class Range(NamedTuple):
    """The least and the greatest number that an element may be."""

    least: float
    most: float

    def joined(self, other: Range) -> Range:
        """Return the union of two ranges."""
        return Range(min(self.least, other.least), max(self.most, other.most))

    def cut(self, least: float | None = None, most: float | None = None) -> Range | None:
        """Return the part of the range between two bounds; None if it is empty."""
        low = self.least if least is None else max(self.least, least)
        high = self.most if most is None else min(self.most, most)
        return Range(low, high) if low <= high else None


_NUMBERS = Range(-math.inf, math.inf)
"""Of floats that are not NaN."""

_BOOL = Range(0, 1)

_INT32 = Range(-(2**31), 2**31 - 1)
"""The range of numbers computed from sizes alone: greater sizes do not fit into memory."""

Assumed = Mapping[str, Range]
"""Ranges of tensors that are narrower where a condition holds."""


@dataclass(frozen=True, eq=False)
class RangedNode(KnownNode):
    """A node of which an axis of unknown size is taken to have an element at least."""

    def positions(self) -> Array | None:
        """Return the number of positions that each index chooses from; see KnownNode."""
        kinds = [_at_least_one(self.types[0]), *self.types[1:]] if self.types else []
        return KnownNode(self.operator, tuple(kinds), self.values, self.outputs).positions()


def _of_one_element(indices: TensorType, negative: Negative) -> Bounds:
    """Return the bounds of indices inside an axis that is taken to have one element."""
    ends = (-1 if negative is Negative.FROM_END else 0, 0)
    return Bounds(*(np.full(1, end, indices.numpy) for end in ends))


def _at_least_one(kind: TensorType) -> TensorType:
    sizes = kind.sizes
    return kind if sizes is None else kind.with_sizes([size if isinstance(size, int) else 1 for size in sizes])


class Ranges(Tensors):
    """The known facts about the tensors of a graph; `around` are those around it, `seen` the values of a run."""

    def __init__(
        self,
        graph: Graph,
        around: Ranges | None = None,
        given: Assumed | None = None,
        seen: Mapping[str, Array] | None = None,
    ) -> None:
        super().__init__(graph)
        self._seen = dict(seen or {})
        self.types |= {name: self.types[name].with_sizes(value.shape) for name, value in self._seen.items()}
        self._around = around
        self._inputs = frozenset(graph.inputs)
        self._ranges: dict[str, Range | None] = dict(given or {})
        self._ends: dict[str, tuple[Array, Array] | None] = {}
        self._of_sizes: set[str] = set(graph.constants)
        for node in graph.nodes:  # in their order, so that no question goes back far
            for name in node.outputs:
                if self._seen:
                    with suppress(WherryError):
                        self.refine(node)
                self.value(name)
                if isinstance(node.operator, (ops.ShapeOf, ops.SizeOf)) or self._of_sizes.issuperset(node.inputs):
                    self._of_sizes.add(name)
                self.range(name)

    def known(self, node: Node) -> KnownNode:
        """Return a node's operator with the facts about its inputs."""
        found = super().known(node)
        bounds = found.find_bounds
        if found.indices is not None and found.positions() is None and is_inside(self, node):
            bounds = (bounds[0], partial(_of_one_element, found.indices, found.field("negative")), *bounds[2:])
        divides = found.maker in (ops.Divide, ops.Remainder)
        never = tuple(self.never(name) for name in node.inputs) if divides else ()
        return RangedNode(found.operator, found.types, found.values, found.outputs, bounds, never)

    def never(self, name: str) -> frozenset[int]:
        """Return which of the divisors that may have no quotient no element is."""
        return frozenset(number for number in (0, -1) if is_never(self, name, number))

    def is_made_of_sizes(self, node: Node) -> bool:
        """Whether a node's outputs are computed from sizes and constants alone."""
        return self._of_sizes.issuperset(node.outputs)

    def fixed(self, node: Node) -> frozenset[int]:
        """Return the positions of a node's inputs that are constants, whatever a run brings."""
        return frozenset(place for place, name in enumerate(node.inputs) if super(Ranges, self).value(name) is not None)

    def value(self, name: str) -> Array | None:
        """Return the value of a constant, of a tensor of the run, or of a small one that constants and sizes decide."""
        if name in self._seen:
            return self._seen[name]
        if name in self._inputs and self._around is not None and name in self._around.types:
            return self._around.value(name)
        return super().value(name)

    def bounds(self, name: str) -> Bounds | None:
        """Return bounds of each element; where these are not known two elements stand for all."""
        exact, found = super().bounds(name), self.range(name)
        if found is None:
            return exact
        kind = self.types[name]
        last = kind.sizes[-1] if kind.sizes else None
        count = last if isinstance(last, int) and 0 < last <= _LONGEST_TUPLE else None
        entries = None if count is None else self._entries(name, count)
        if exact is not None:
            return _narrowed(exact, *(found if entries is None else entries))
        ends = found if entries is None else entries
        return Bounds(*(np.full((2,) if count is None else (2, count), end, kind.numpy) for end in ends))

    def _entries(self, name: str, count: int) -> tuple[Array, Array] | None:
        """Return the ends of each entry of a tuple, where vectors of as many constants take part in it."""
        node = self._makers.get(name)
        if node is None or count < 2 or maker_of(node.operator) not in _ONE_FOR_ONE:
            return None
        if name not in self._ends:
            self._ends[name] = self._find_entries(name, count)
        return self._ends[name]

    def _find_entries(self, name: str, count: int) -> tuple[Array, Array] | None:
        values = {one: self.value(one) for one in self._behind(name, 0)}
        vectors = {one: value for one, value in values.items() if value is not None and value.shape[-1:] == (count,)}
        if not all(value.size for value in vectors.values()) or not vectors:
            return None
        found = []
        for n in range(count):
            entry = {one: Range(int(value[..., n].min()), int(value[..., n].max())) for one, value in vectors.items()}
            found.append(self.range_if(name, entry, 0))
        known = [one for one in found if one is not None]
        if len(known) < count:
            return None
        dtype = self.types[name].numpy
        low, high = (np.array(ends, dtype) for ends in zip(*known, strict=True))
        return low, high

    def _behind(self, name: str, depth: int) -> set[str]:
        """Return the integer tensors that a tensor is made of one for one, itself too."""
        node = self._makers.get(name)
        found = {name} if _of_type(self.types[name]) is not None else set()
        if node is None or depth > _DEEPEST or maker_of(node.operator) not in _ONE_FOR_ONE:
            return found
        return found.union(*(self._behind(one, depth + 1) for one in node.inputs))

    def range(self, name: str) -> Range | None:
        """Return between which numbers the elements lie; None for other types, and floats that may be NaN."""
        if name not in self._ranges:
            found = self.range_if(name, {}, 0)
            if found is not None and name in self._of_sizes and self.value(name) is None:
                found = found.cut(*_INT32) or found
            self._ranges[name] = found
        return self._ranges[name]

    def range_if(self, name: str, assumed: Assumed, depth: int) -> Range | None:
        """Return the range of a tensor where others have these; what lies beyond `depth` operators is not followed."""
        own, is_float = _of_type(self.types[name]), _is_float(self.types[name])
        if name in assumed or (own is None and not is_float):
            return assumed.get(name)
        if assumed and not self._follows(name, frozenset(assumed), depth):
            return self.range(name)
        value = self.value(name)
        if value is not None:
            return _of_value(value)
        if name in self._inputs and self._around is not None and name in self._around.types:
            return self._around.range(name)
        node = self._makers.get(name)
        found = None if node is None else self._made(node, name, assumed, depth)
        if own is None:
            return found
        exact = super().bounds(name)
        if exact is not None and exact.low.size:
            small = Range(int(exact.low.min()), int(exact.high.max()))
            found = small if found is None else small.cut(found.least, found.most)
        return own if found is None else found.cut(own.least, own.most) or own

    def maker(self, name: str) -> Node | None:
        """Return the node that makes a tensor."""
        return self._makers.get(name)

    def _follows(self, name: str, from_: frozenset[str], depth: int) -> bool:
        """Whether each element comes, one for one, of an element of one of these."""
        node = self._makers.get(name)
        if name in from_:
            return True
        if node is None or depth > _DEEPEST or maker_of(node.operator) not in _ONE_FOR_ONE:
            return False
        if fields_of(node.operator).get("broadcast", "both") != "both":
            return False
        return any(self._follows(one, from_, depth + 1) for one in node.inputs)

    def _made(self, node: Node, name: str, assumed: Assumed, depth: int) -> Range | None:
        """Return the range of a node's output, None if its rule here gives none."""
        if isinstance(node.operator, Opaque):
            return Range(0, 2**63 - 1) if _is_place(node, name) else None
        if _is_float(self.types[name]) and maker_of(node.operator) not in _OF_FLOATS:
            return None
        rule = _RULES.get(maker_of(node.operator))
        operator = self.resolved(node) or node.operator
        return None if rule is None else rule(_Asked(self, node, operator, node.outputs.index(name), assumed, depth))


def _narrowed(bounds: Bounds, low: Array | int, high: Array | int) -> Bounds:
    if not bounds.low.size:
        return bounds
    ends = np.maximum(bounds.low, low), np.minimum(bounds.high, high)
    return Bounds(*map(np.asarray, ends))  # of arrays without axes NumPy makes scalars


def _of_type(kind: TensorType) -> Range | None:
    row = kind.row
    if row is None or not (row.is_integer or row.kind == "bool"):
        return None
    return _BOOL if row.kind == "bool" else Range(*integer_range(row))


def _is_float(kind: TensorType) -> bool:
    """Whether elements are floats with ranges."""
    return kind.row is not None and kind.row.kind == "float" and kind.row.bits >= 16


def _of_value(value: Array) -> Range | None:
    """Return the range of constants; None where one is NaN, there are many floats, or they are no numbers.

    Arrays that a run is given may hold what the graph does not declare.
    """
    if not value.size:
        return Range(0, 0)
    if value.dtype.kind in "iub":
        return Range(int(value.min()), int(value.max()))
    row = dtypes.of(value.dtype)
    if row is None or row.kind != "float" or value.size > _FEW:
        return None
    least, most = float(value.min()), float(value.max())
    return None if math.isnan(least) or math.isnan(most) else Range(least, most)


def _is_place(node: Node, name: str) -> bool:
    """Whether it is the output of places of TopK, an operator that moves no data."""
    return getattr(node.operator, "name", "").startswith("TopK") and node.outputs.index(name) == 1


@dataclass(frozen=True)
class _Asked:
    """A node whose range is computed, with access to the ranges of its inputs."""

    ranges: Ranges
    node: Node
    operator: Any
    number: int
    assumed: Assumed
    depth: int

    def __call__(self, place: int) -> Range | None:
        """Return the range of an input of the operator."""
        read = self.node.inputs if isinstance(self.operator, Deferred) else self.node.data_inputs
        return self.of(read[place])

    def of(self, name: str, assumed: Assumed = MappingProxyType({})) -> Range | None:
        """Return the range of a tensor, under the assumptions and more of them."""
        all_ = {**self.assumed, **assumed}
        return self.ranges.range_if(name, all_, self.depth + 1) if all_ else self.ranges.range(name)

    @property
    def first(self) -> TensorType:
        """The type of the first input."""
        return self.ranges.types[self.node.inputs[0]]

    @property
    def made(self) -> TensorType:
        """The type of the output."""
        return self.ranges.types[self.node.outputs[self.number]]

    def field(self, name: str) -> Range | None:
        """Return the range of a field that is a number, or the value of an input; None for one that is not given."""
        operator = self.operator
        if isinstance(operator, Deferred) and name in dict(operator.from_inputs):
            return self.of(self.node.inputs[dict(operator.from_inputs)[name]])
        value = fields_of(operator).get(name)
        with suppress(TypeError, ValueError, OverflowError):
            if value is not None and _is_float(self.made):
                return None if math.isnan(float(value)) else Range(float(value), float(value))
            if value is not None and np.asarray(value).dtype.kind in "iu":
                return Range(int(value), int(value))
        return None

    def data(self) -> list[Range | None]:
        """Return the ranges of the inputs that the operator moves."""
        return [self.of(name) for name in self.node.data_inputs]


Rule = Callable[[_Asked], Range | None]


def _joined(ranges: list[Range | None]) -> Range | None:
    found = [one for one in ranges if one is not None]
    if not found or len(found) < len(ranges):
        return None
    return Range(min(one.least for one in found), max(one.most for one in found))


def _of_all(asked: _Asked) -> Range | None:
    return _joined(asked.data())


def _of_first(asked: _Asked) -> Range | None:
    return asked.of(asked.node.inputs[0])


def _of_gather(asked: _Asked) -> Range | None:
    found = _of_first(asked)
    rule = fields_of(asked.operator).get("out_of_range")
    return found if found is None or rule != "zero" else found.joined(Range(0, 0))


def _of_pad(asked: _Asked) -> Range | None:
    found, fields = _of_first(asked), fields_of(asked.operator)
    if found is None or fields.get("mode", "constant") != "constant":
        return found
    is_zero = fields.get("value") is None and "value" not in dict(getattr(asked.operator, "from_inputs", ()))
    return found.joined(Range(0, 0)) if is_zero else _joined([found, asked.field("value")])


def _of_scatter(asked: _Asked) -> Range | None:
    if fields_of(asked.operator).get("reduction") != "none":
        return None
    first, *_, last = asked.data()
    return _joined([first, last])


def _of_sizes(asked: _Asked) -> Range:
    return Range(0, 2**63 - 1)


def _of_places(asked: _Asked) -> Range:
    """Of NonZero: places along all axes of data."""
    data = asked.first
    sizes = data.sizes if data.sizes is not None else (None,)
    numbers = [size for size in sizes if isinstance(size, int)]
    return Range(0, max([*numbers, 1]) - 1 if len(numbers) == len(sizes) else 2**63 - 1)


def _of_extreme_place(asked: _Asked) -> Range:
    sizes = asked.first.sizes
    size = None if not sizes else sizes[normalized_axis(asked.operator.axis, len(sizes))]
    return Range(0, max(size, 1) - 1 if isinstance(size, int) else 2**63 - 1)


def _of_unique(asked: _Asked) -> Range | None:
    if asked.number == 0:
        return _of_first(asked)
    return Range(0, 2**63 - 1)


def _of_cast(asked: _Asked) -> Range | None:
    found, own = asked(0), _of_type(asked.made)
    if found is None:
        return own
    if own is None:  # to floats, rounded
        with np.errstate(over="ignore"):
            return Range(*(float(np.asarray(end).astype(asked.made.numpy)) for end in found))
    if own == _BOOL and _is_float(asked.first):
        return own
    is_inside = own.least - 1 < found.least and found.most < own.most + 1
    return Range(math.trunc(found.least), math.trunc(found.most)) if is_inside else own


def _of_clip(asked: _Asked) -> Range | None:
    found = _of_first(asked)
    least, greatest = asked.field("least"), asked.field("greatest")
    if found is None or (least is not None and greatest is not None and least.most > greatest.least):
        return None
    low = found.least if least is None else max(found.least, least.least)
    high = found.most if greatest is None else min(found.most, greatest.most)
    low = low if greatest is None else min(low, greatest.most)
    high = high if least is None else max(high, least.most)
    return Range(low, high)


def _of_extreme(asked: _Asked) -> Range | None:
    found = asked.data()
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return None
    pick = min if asked.operator.function == "minimum" else max
    return Range(pick(one.least for one in known), pick(one.most for one in known))


def _of_range(asked: _Asked) -> Range | None:
    start, delta, limit = (asked.field(name) for name in ("start", "delta", "limit"))
    if start is None or delta is None or limit is None or delta.least <= 0 <= delta.most:
        return None
    if delta.least > 0:
        return Range(start.least, max(start.most, limit.most - 1))
    return Range(min(start.least, limit.least + 1), start.most)


def _of_binary(asked: _Asked) -> Range | None:
    a, b, own = asked(0), asked(1), _of_type(asked.made)
    how = _BINARY.get(asked.operator.function)
    if a is None or b is None or own is None or how is None:
        return None
    found = how(a, b)
    return found if found is not None and own.least <= found.least and found.most <= own.most else None


def _product(a: Range, b: Range) -> Range:
    ends = [x * y for x in a for y in b]
    return Range(min(ends), max(ends))


def _masked(a: Range, b: Range) -> Range | None:
    masks = [one.most for one in (a, b) if one.least >= 0]
    return Range(0, min(masks)) if masks else None


_BINARY: Mapping[str, Callable[[Range, Range], Range | None]] = {
    "add": lambda a, b: Range(a.least + b.least, a.most + b.most),
    "subtract": lambda a, b: Range(a.least - b.most, a.most - b.least),
    "multiply": _product,
    "and": _masked,
}


def _of_unary(asked: _Asked) -> Range | None:
    found, own = asked(0), _of_type(asked.made)
    if found is None or own is None or (found.least == own.least and own.least < 0):
        return None  # the least integer stays itself
    if asked.operator.function == "absolute":
        return Range(0 if found.least <= 0 <= found.most else min(map(abs, found)), max(map(abs, found)))
    return {"negative": Range(-found.most, -found.least), "sign": Range(-1, 1)}.get(asked.operator.function)


def _of_remainder(asked: _Asked) -> Range | None:
    a, by = asked(0), asked(1)
    if a is None or by is None or by.least <= 0:
        return None
    if asked.operator.rounding == "floor" or a.least >= 0:
        return Range(0, min(by.most - 1, a.most) if a.least >= 0 else by.most - 1)
    return Range(1 - by.most, by.most - 1)


def _of_quotient(asked: _Asked) -> Range | None:
    a, by = asked(0), asked(1)
    if a is None or by is None or by.least <= 0:
        return None
    ends = [x // y for x in a for y in by] + [-(-x // y) for x in a for y in by]
    return Range(min(ends), max(ends))


def _of_choice(asked: _Asked) -> Range | None:
    """Of Where: each branch under the condition that chooses it."""
    condition, first, other = asked.node.data_inputs
    branches = [(name, _assumption(asked, condition, holds)) for name, holds in ((first, True), (other, False))]
    return _joined([asked.of(name, assumption) for name, assumption in branches if assumption is not None])


def _assumption(asked: _Asked, condition: str, holds: bool) -> Assumed | None:
    """Return the narrower ranges of what a comparison compares, where it holds or does not; None where it cannot."""
    node = asked.ranges.maker(condition)
    if node is None or not isinstance(node.operator, ops.Compare) or node.operator.broadcast != "both":
        return {}
    left, right = node.inputs
    a, b = asked.of(left), asked.of(right)
    relation = node.operator.function if holds else _OPPOSITE[node.operator.function]
    if _is_float(asked.ranges.types[left]):
        return _equal_floats(left, a, right, b) if relation == "equal" else {}
    if a is None or b is None or left == right:
        return {}
    mirrored = _MIRRORED[relation]
    first, second = _compared(a, relation, b), _compared(b, mirrored, a)
    return None if first is None or second is None else {left: first, right: second}


def _equal_floats(left: str, a: Range | None, right: str, b: Range | None) -> Assumed | None:
    """Return the range of two tensors where they are equal, as no NaN is to anything."""
    a, b = a or _NUMBERS, b or _NUMBERS
    found = a.cut(b.least, b.most)
    return None if found is None else {left: found, right: found}


def _compared(one: Range, relation: str, other: Range) -> Range | None:
    """Return the part of a range in which this relation to an element of another can hold."""
    least, most = {
        "less": (None, other.most - 1),
        "less_or_equal": (None, other.most),
        "greater": (other.least + 1, None),
        "greater_or_equal": (other.least, None),
        "equal": (other.least, other.most),
        "not_equal": (None, None),
    }[relation]
    return one.cut(least, most)


_OPPOSITE = {"less": "greater_or_equal", "greater_or_equal": "less", "greater": "less_or_equal",
             "less_or_equal": "greater", "equal": "not_equal", "not_equal": "equal"}  # fmt: skip
_MIRRORED = {"less": "greater", "greater": "less", "less_or_equal": "greater_or_equal",
             "greater_or_equal": "less_or_equal", "equal": "equal", "not_equal": "not_equal"}  # fmt: skip

_MOVES = (ops.AsStrided, ops.DepthToSpace, ops.Expand, ops.Flatten, ops.Identity, ops.Reshape, ops.Reverse,
          ops.ReverseSequence, ops.Roll, ops.ShuffleChannels, ops.Slice, ops.SpaceToDepth, ops.Split, ops.Squeeze,
          ops.StridedSlice, ops.strided_slice, ops.Tile, ops.Transpose, ops.Unsqueeze, ops.Compress)  # fmt: skip
"""Operators whose results hold elements of their first input, and nothing else."""

_RULES: Mapping[object, Rule] = {
    **dict.fromkeys(_MOVES, _of_first),
    **dict.fromkeys((ops.Gather, ops.GatherElements, ops.GatherND), _of_gather),
    **dict.fromkeys((ops.Pad, ops.pad_of_pairs), _of_pad),
    **dict.fromkeys((ops.ScatterElements, ops.ScatterND, ops.ScatterUpdate), _of_scatter),
    **dict.fromkeys((ops.ShapeOf, ops.SizeOf), _of_sizes),
    **dict.fromkeys((ops.NonZero, ops.NonZeroCoordinates), _of_places),
    ops.Concat: _of_all,
    ops.ArgExtreme: _of_extreme_place,
    ops.Unique: _of_unique,
    ops.Cast: _of_cast,
    ops.Clip: _of_clip,
    ops.Extreme: _of_extreme,
    ops.Range: _of_range,
    ops.Binary: _of_binary,
    ops.Unary: _of_unary,
    ops.Remainder: _of_remainder,
    ops.Divide: _of_quotient,
    ops.Where: _of_choice,
}

_ONE_FOR_ONE = frozenset({ops.Binary, ops.Unary, ops.Cast, ops.Clip, ops.Extreme, ops.Remainder, ops.Divide,
                          ops.Identity, ops.Where})  # fmt: skip
"""Operators each of whose output elements depends on the input elements at the same coordinate."""

_OF_FLOATS = frozenset({*_MOVES, ops.Gather, ops.GatherElements, ops.GatherND, ops.Pad, ops.pad_of_pairs, ops.Concat,
                        ops.ScatterElements, ops.ScatterND, ops.ScatterUpdate, ops.Cast, ops.Clip, ops.Extreme,
                        ops.Where})  # fmt: skip
"""Operators whose rules hold for floats too."""
