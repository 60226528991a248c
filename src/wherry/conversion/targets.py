"""Targets: the dialects that a model can be converted to, with their operators and the models that they make."""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from numpy.typing import NDArray

from wherry.conversion.bitcast import Holders
from wherry.conversion.findings import Finding
from wherry.conversion.openvino_plugin import WIDE, narrowed, not_compiled, rounded, without_rank
from wherry.dialects.directml import say as directml
from wherry.dialects.directml.dxdispatch.from_graph import Descriptions, from_graph
from wherry.dialects.directml.enums import FeatureLevel, as_feature_level
from wherry.dialects.directml.meaning import meaning_of
from wherry.dialects.openvino import say as openvino
from wherry.dialects.refusal import Fault, Refusal
from wherry.errors import InvalidValueError, short
from wherry.graph import Graph, Node
from wherry.models.model import Model
from wherry.moves import OutOfRangeWrite
from wherry.ops import Operator
from wherry.rewrite.known import KnownNode, fields_of
from wherry.rewrite.rules import rules_of
from wherry.tensors import TensorType

Array = NDArray[Any]


class Target(ABC):
    """A dialect in one version, as something to write."""

    name: str
    """The dialect: onnx, openvino, directml or webnn."""

    title: str
    """The dialect with its version, for messages."""

    preferred: Mapping[str, object]
    """The values of rules that the dialect has where a rule cannot matter."""

    has_defaults: bool
    """Whether an input may have a value of its own, used where none is given."""

    holders: Holders | None = None
    """The types that hold the bits of element types that the dialect lacks; None if it converts none."""

    results_are_made: bool = False
    """Whether a result must be written by a node: an input or a constant is none."""

    needs_sizes: bool = False
    """Whether the dialect needs known sizes."""

    def says(self, node: Node, known: KnownNode) -> bool:
        """Whether the dialect has a node's operator with its fields."""
        return self.refusal(node, known) is None

    def lacks(self, tensor_type: TensorType) -> bool:
        """Whether no operator of the dialect takes or makes tensors of this type, so that no rewrite can help."""
        return False

    tells: frozenset[str] = frozenset()
    """The known differences, by name, that `notes` reports for the graph as a whole."""

    def notes(self, graph: Graph) -> Iterable[Finding]:
        """Return notes on elements of a converted graph that the dialect's runtime is known to change."""
        return ()

    @abstractmethod
    def refusal(self, node: Node, known: KnownNode) -> Refusal | None:
        """Return why the dialect cannot express a node, or None if it can."""

    def reason(self, node: Node, known: KnownNode) -> str:
        """Return why the dialect cannot express a node, and advice, as text."""
        refusal = self.refusal(node, known)
        return "" if refusal is None else refusal.message

    @abstractmethod
    def finish(self, graph: Graph, defaults: Mapping[str, Array]) -> Model:
        """Return the model of a graph whose nodes the dialect can all express."""


@dataclass(frozen=True)
class OnnxTarget(Target):
    """ONNX in one opset."""

    opset: int

    name = "onnx"
    has_defaults = True
    preferred = MappingProxyType({"out_of_range": "raise", "negative": "from_end", "off_axis": "at_most"})

    @property
    def title(self) -> str:  # type: ignore[override]
        """ONNX with its opset."""
        return f"ONNX opset {self.opset}"

    def refusal(self, node: Node, known: KnownNode) -> Refusal | None:
        """Return why ONNX cannot express a node, or None if it can."""
        from wherry.dialects.onnx.say import lacking, say

        filled = say(node, known.types, known.values, self.opset)
        if isinstance(filled, Refusal):
            return filled
        return lacking(dict(zip(node.outputs, known.outputs, strict=True)))

    def reason(self, node: Node, known: KnownNode) -> str:
        """Return why ONNX cannot express a node, and the opsets that can, as text."""
        from wherry.dialects.onnx.say import advised

        refusal = self.refusal(node, known)
        return "" if refusal is None else advised(refusal, node, known.types).message

    def finish(self, graph: Graph, defaults: Mapping[str, Array]) -> Model:
        """Return what a reader makes of the written model."""
        from wherry.dialects.onnx.reader import read_proto
        from wherry.dialects.onnx.writer import to_proto
        from wherry.models.model import GraphModel

        model = read_proto(to_proto(GraphModel(graph, "onnx", defaults), self.opset))
        model.options = {"opset": self.opset}
        return model


@dataclass(frozen=True)
class OpenVINOTarget(Target):
    """OpenVINO: every operation in the opset that introduced it."""

    name = "openvino"
    title = "OpenVINO"
    has_defaults = False
    preferred = openvino.PREFERRED
    tells = frozenset({WIDE})

    def notes(self, graph: Graph) -> Iterable[Finding]:
        """Return what OpenVINO's CPU plugin changes in elements, or does not compile."""
        return (*narrowed(graph), *rounded(graph), *without_rank(graph))

    def refusal(self, node: Node, known: KnownNode) -> Refusal | None:
        """Return why OpenVINO cannot express a node, or its CPU plugin refuses it; None if both can."""
        filled = openvino.say(node, known.types, known.values)
        if isinstance(filled, Refusal):
            return filled
        return openvino.lacking(dict(zip(node.outputs, known.outputs, strict=True))) or not_compiled(known)

    def finish(self, graph: Graph, defaults: Mapping[str, Array]) -> Model:
        """Return what a reader makes of the written model."""
        from wherry.dialects.openvino import read, write

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.xml"
            write(graph, path)
            return read(path)


@dataclass(frozen=True)
class DirectMLTarget(Target):
    """DirectML at a feature level, as a DxDispatch model."""

    feature_level: FeatureLevel
    descriptions: Descriptions = field(default_factory=Descriptions, compare=False)

    name = "directml"
    has_defaults = True
    preferred = directml.PREFERRED

    needs_sizes = True
    results_are_made = True

    @property
    def holders(self) -> Holders:  # type: ignore[override]
        """Unsigned integers of the same width."""
        return Holders("DirectML", lambda one: one.row is not None and one.row.directml is None)

    @property
    def title(self) -> str:  # type: ignore[override]
        """DirectML with its feature level."""
        return f"DirectML at feature level {self.feature_level}"

    def lacks(self, tensor_type: TensorType) -> bool:
        """Whether it is a type without DirectML's name."""
        return directml.lacks(tensor_type)

    def refusal(self, node: Node, known: KnownNode) -> Refusal | None:
        """Return why no description of the feature level means a node, or None where one does."""
        filled = directml.say(node, known.types, known.values, self.feature_level)
        if isinstance(filled, Refusal):
            return filled
        for operator, _, _ in meaning_of(filled.desc, self.feature_level).steps:
            fault = _other_rule(known, operator)
            if fault is not None:
                return Refusal((fault,))
        self.descriptions.add(node, filled)
        return None

    def finish(self, graph: Graph, defaults: Mapping[str, Array]) -> Model:
        """Return the DxDispatch model, with the defaults of inputs as initial values."""
        model = from_graph(graph, self.feature_level, self.descriptions)
        for name, value in defaults.items():
            model.resources[name] = replace(model.resources[name], values=value.reshape(-1))
        model.options = {"feature_level": self.feature_level}
        return model


@dataclass(frozen=True)
class WebNNTarget(Target):
    """WebNN, as a graph of calls of MLGraphBuilder's methods."""

    name = "webnn"
    title = "WebNN"
    has_defaults = False
    preferred = MappingProxyType({"out_of_range": "clamp", "negative": "from_end"})
    needs_sizes = True
    results_are_made = True

    @property
    def holders(self) -> Holders:  # type: ignore[override]
        """Unsigned integers of the same width; none has 16 bits."""
        from wherry.dialects.webnn.schema import TYPES

        return Holders("WebNN", self.lacks, TYPES)

    def lacks(self, tensor_type: TensorType) -> bool:
        """Whether it is a type that no operand has."""
        from wherry.dialects.webnn.schema import lacks

        return lacks(tensor_type)

    def refusal(self, node: Node, known: KnownNode) -> Refusal | None:
        """Return why no method expresses a node, or None if one does."""
        from wherry.dialects.webnn.say import say

        filled = say(node, known.types, known.values)
        return filled if isinstance(filled, Refusal) else None

    def finish(self, graph: Graph, defaults: Mapping[str, Array]) -> Model:
        """Return what a reader makes of the written graph."""
        from wherry.dialects.webnn.graph_json import from_json, to_json

        return from_json(to_json(graph).encode(), graph.name)


def _other_rule(node: KnownNode, meant: object) -> Fault | None:
    """Return the first rule that can matter and that a description has otherwise than the operator; None for none."""
    if not isinstance(meant, Operator) or type(meant) is not node.maker:
        return None
    theirs = fields_of(meant)
    for rule in rules_of(node):
        wanted, given = node.field(rule.field), theirs[rule.field]
        if {wanted, given} == {OutOfRangeWrite.SKIP, OutOfRangeWrite.REPORT}:
            continue  # but for the warning they are one
        if wanted != given and not rule.settled(node):
            words = f"{rule.field} is {str(wanted)!r}, there it is {str(given)!r}: {rule.words[given]}"
            return Fault(rule.field, words, wanted, given)
    return None


def _onnx(options: dict[str, Any]) -> Target:
    from wherry.dialects.onnx.table import check_opset
    from wherry.dialects.onnx.writer import DEFAULT_OPSET

    opset = options.pop("opset", None)
    return OnnxTarget(check_opset(DEFAULT_OPSET if opset is None else opset))


def _openvino(options: dict[str, Any]) -> Target:
    return OpenVINOTarget()


def _directml(options: dict[str, Any]) -> Target:
    level = options.pop("feature_level", None)
    return DirectMLTarget(as_feature_level("6.4" if level is None else level))


def _webnn(options: dict[str, Any]) -> Target:
    return WebNNTarget()


_TARGETS: Mapping[str, Callable[[dict[str, Any]], Target]] = {
    "onnx": _onnx,
    "openvino": _openvino,
    "directml": _directml,
    "webnn": _webnn,
}

DIALECTS = tuple(_TARGETS)


def target_of(dialect: str, options: Mapping[str, Any]) -> Target:
    """Return the target of a dialect with its options: `opset` of ONNX, `feature_level` of DirectML.

    Raises InvalidValueError for another dialect, and for an option that the dialect does not have.
    """
    if not isinstance(dialect, str) or dialect not in _TARGETS:
        raise InvalidValueError(f"dialect is {short(dialect)}, allowed {', '.join(map(repr, DIALECTS))}")
    left = {name: value for name, value in options.items() if value is not None}
    target = _TARGETS[dialect](left)
    if left:
        raise InvalidValueError(f"{', '.join(left)} is given, but {target.title} has no such option; leave it out")
    return target
