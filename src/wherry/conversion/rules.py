"""Rules: applies the rules of another dialect, in one version, to every operator of a model."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from numpy.typing import NDArray

from wherry.conversion.bitcast import bitcast
from wherry.conversion.findings import Effect, Finding
from wherry.conversion.targets import OpenVINOTarget, Target, target_of
from wherry.dialects.openvino import say as openvino
from wherry.dialects.openvino.table import NEWEST_OPSET
from wherry.dialects.refusal import Refusal
from wherry.engine.recent import Recent
from wherry.errors import InvalidTypeError, InvalidValueError, WherryError, cut, invalid, short
from wherry.graph import Deferred, Graph, Node
from wherry.ops import Operator
from wherry.rewrite.known import KnownNode, fields_of
from wherry.rewrite.rules import Rule, rules_of
from wherry.rewrite.search import Search
from wherry.rewrite.table import NEAR, REWRITES
from wherry.tensors import TensorType

Array = NDArray[Any]

_KEPT = 4096
"""How many operators are kept as they were read: more than the nodes of most models."""

OF_DATA = frozenset({
    "out_of_range", "negative", "duplicates", "nan", "fractional", "too_long", "steps", "float_overflow",
    "float_to_integer", "integer_overflow", "rounding", "nan_is_true", "float_text",
})  # fmt: skip
"""The rules about elements. A converter cannot see what a run will bring, and writes the operator of the same name.

All others are about sizes and axes, which a converter knows, and writes so that the result stays.
"""


class Rules:
    """How operators are read under the rules of a dialect in one version; called by the planner for each node.

    `findings` tells what is read otherwise, and which operators keep their rules because the dialect has none.
    """

    def __init__(self, target: Callable[[], Target]) -> None:
        self._target = target
        self.title = target().title
        self._read: Recent[object, Operator] = Recent(_KEPT)
        self.findings: dict[tuple[str, str], Finding] = {}

    def __call__(
        self, node: Node, operator: Operator, types: Sequence[TensorType], constants: Sequence[Array | None]
    ) -> Operator:
        """Return the operator as the dialect reads it, for inputs of these types, some of them constants."""
        key = _key(node, operator, types, constants)
        found = None if key is None else self._read.get(key)
        if found is None:
            found = self._reading(node, operator, types, constants)
            if key is not None:
                self._read.put(key, found)
        return found

    def _reading(
        self, node: Node, operator: Operator, types: Sequence[TensorType], constants: Sequence[Array | None]
    ) -> Operator:
        target = self._target()
        try:
            graph = alone(node, operator, types, constants, target)
        except WherryError:  # the operator's own rules refuse what others may take
            return self._mended(node, operator, types, constants)
        search = Search(graph, target, REWRITES, NEAR)
        (single,) = graph.nodes
        known = search.tensors.known(single)
        if any(search.says(single, one) for one in (single.operator, *search.settled(known))):
            return operator
        for variant, rules in search.lossy(known):
            if OF_DATA.issuperset(rule.field for rule in rules) and search.says(single, variant):
                return self._changed(node, operator, variant, rules)
        if search.nodes_for(single) is not None:
            return operator
        nearest = search.nearest(single)
        if nearest is not None and nearest.row is None:
            return self._changed(node, operator, nearest.operator, nearest.rules)
        words = f"keeps its own rules; {self.title}: {cut(target.reason(single, known))}"
        self.findings[node.subject, ""] = Finding(Effect.NOTE, node.subject, "rules", words)
        return operator

    def _mended(
        self, node: Node, operator: Operator, types: Sequence[TensorType], constants: Sequence[Array | None]
    ) -> Operator:
        """Return the operator with the one rule changed with which the dialect takes these inputs, if there is one."""
        for rule in rules_of(KnownNode(operator, tuple(types), tuple(constants), ())):
            for value in rule.words:
                target = self._target()
                try:
                    variant = replace(operator, **{rule.field: value})
                    graph = alone(node, variant, types, constants, target)
                    if Search(graph, target, REWRITES, NEAR).nodes_for(graph.nodes[0]) is not None:
                        return self._changed(node, operator, variant, [rule])
                except WherryError:
                    continue
        return operator

    def _changed(self, node: Node, operator: Operator, variant: Operator | Deferred, rules: Sequence[Rule]) -> Operator:
        """Return the operator with the values that a variant has for some rules."""
        theirs = fields_of(variant)
        for rule in rules:
            own, other = getattr(operator, rule.field), theirs[rule.field]
            words = f"{rule.words[other]} ({self.title}: {rule.field}={other}, its own is {own})"
            self.findings[node.subject, rule.field] = Finding(Effect.LOSS, node.subject, rule.field, words)
        return replace(operator, **{rule.field: theirs[rule.field] for rule in rules})


def alone(
    node: Node,
    operator: Operator | Deferred,
    types: Sequence[TensorType],
    constants: Sequence[Array | None],
    target: Target,
) -> Graph:
    """Return the graph of one node, in elements that the dialect has. Raises what the operator refuses."""
    names = [f"in{number}" for number in range(len(types))]
    known = {name: value for name, value in zip(names, constants, strict=True) if value is not None}
    kinds = dict(zip(names, types, strict=True))
    outputs = tuple(f"out{number}" for number in range(len(node.outputs)))
    graph = Graph(
        {name: kind for name, kind in kinds.items() if name not in known},
        outputs,
        (Node(operator, tuple(names), outputs, node.subject, node.name),),
        known,
        constant_types={name: kinds[name] for name in known if kinds[name] != TensorType.of(known[name])},
    )
    in_bits = graph if target.holders is None else bitcast(graph, {}, target.holders)[0]
    return in_bits if len(in_bits.nodes) == 1 and in_bits.types else graph


def _key(node: Node, operator: Operator, types: Sequence[TensorType], constants: Sequence[Array | None]) -> object:
    """Return the key of an operator's rules for a cache; None if it has no cheap key."""
    given = tuple(name for name, value in zip(node.data_inputs, constants, strict=True) if value is not None)
    key = (node.subject, node.outputs, operator, tuple(types), given)
    if not operator.equal_is_same:
        return None
    try:
        hash(key)
    except TypeError:
        return None
    return key


@dataclass(frozen=True)
class OpenVINORules(OpenVINOTarget):
    """OpenVINO in one opset: its rules, whatever its plugins compile."""

    opset: int

    @property
    def title(self) -> str:  # type: ignore[override]
        """OpenVINO with its opset."""
        return f"OpenVINO opset{self.opset}"

    def refusal(self, node: Node, known: KnownNode) -> Refusal | None:
        """Return why no operation of the opset expresses a node, or None if one does."""
        filled = openvino.say(node, known.types, known.values, self.opset)
        return filled if isinstance(filled, Refusal) else None


def _openvino(version: str) -> Target:
    if not version:
        return OpenVINORules(NEWEST_OPSET)
    found = _OPSET.fullmatch(version)
    if found is None or not 1 <= int(found[1]) <= NEWEST_OPSET:
        raise invalid("rules", f"openvino:{version}", f"openvino:opset1..openvino:opset{NEWEST_OPSET}")
    return OpenVINORules(int(found[1]))


def _onnx(version: str) -> Target:
    if version and not (version.isascii() and version.isdecimal() and len(version) < _DIGITS):
        raise invalid("rules", f"onnx:{version}", "onnx:1, onnx:2 ... the opset")
    return target_of("onnx", {"opset": int(version) if version else None})


def _directml(version: str) -> Target:
    return target_of("directml", {"feature_level": version or None})


def _webnn(version: str) -> Target:
    if version:
        raise invalid("rules", f"webnn:{version}", "webnn, which has no versions")
    return target_of("webnn", {})


_BY_DIALECT = {"onnx": _onnx, "openvino": _openvino, "directml": _directml, "webnn": _webnn}
_OPSET = re.compile(r"(?:opset)?([0-9]{1,3})", re.ASCII)
_DIGITS = 10


def rules_named(name: object) -> Rules:
    """Return the rules of a name: `onnx:21`, `openvino:opset8`, `directml:6.4`, `webnn`; without version the newest.

    Raises InvalidValueError for a dialect or version that there is not.

    >>> rules_named("openvino:opset8").title, rules_named("directml").title
    ('OpenVINO opset8', 'DirectML at feature level 6.4')
    """
    return Rules(dialect_named(name, "rules"))


def dialect_named(name: object, field: str) -> Callable[[], Target]:
    """Return the constructor of the target for a name of rules; errors mention `field`. See `rules_named`."""
    if not isinstance(name, str):
        raise InvalidTypeError(f"{field} is {short(name)}, allowed a text: {_ALLOWED}")
    dialect, _, version = name.partition(":")
    if dialect not in _BY_DIALECT:
        raise InvalidValueError(f"{field} is {short(name)}, allowed {_ALLOWED}")
    return partial(_BY_DIALECT[dialect], version)


_ALLOWED = "'onnx:21', 'openvino:opset8', 'directml:6.4', 'webnn', or without the version"
