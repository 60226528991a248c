"""Targets: the dialects that a model can be converted to; what each of them says, and the model it makes."""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from numpy.typing import NDArray

from wherry.conversion.findings import Finding
from wherry.conversion.openvino_plugin import check_compiles, narrowed, without_rank
from wherry.conversion.rules import rules_of
from wherry.conversion.site import Site, fields_of, kind_of
from wherry.errors import InvalidValueError, UnsupportedError, WherryError, short
from wherry.graph import Graph, Node
from wherry.model import Model
from wherry.moves import OutOfRangeWrite
from wherry.ops import Operator
from wherry.tensors import TensorType

Array = NDArray[Any]


class Target(ABC):
    """A dialect in one version, as something to write."""

    name: str
    """The dialect: onnx, openvino or directml."""

    spoken: str
    """The dialect with its version, for messages."""

    preferred: Mapping[str, object]
    """The values of rules that the dialect has; tried first where a rule cannot matter."""

    has_defaults: bool
    """Whether an input may have a value of its own, used where none is given."""

    def refusal(self, node: Node, site: Site) -> WherryError | None:
        """Return why the dialect cannot say one node, or None where it can."""
        names = [f"in{number}" for number in range(len(site.types))]
        places = {name: names[number] for number, name in reversed(list(enumerate(node.inputs)))}
        alone = Node(node.operator, tuple(places[name] for name in node.inputs), node.outputs, node.subject, node.name)
        inputs = {places[name]: kind for name, kind in zip(node.inputs, site.types, strict=True)}
        try:
            self.check(Graph(inputs, node.outputs, (alone,)), site)
        except WherryError as error:
            return error
        return None

    def lacks(self, kind: TensorType) -> bool:
        """Whether no operator of the dialect takes or makes tensors of this type, so that no rewrite can help."""
        return False

    def notes(self, graph: Graph) -> Iterable[Finding]:
        """Return what the dialect's runtime is known to change in the elements of a graph that the dialect says."""
        return ()

    @abstractmethod
    def check(self, graph: Graph, site: Site) -> None:
        """Raise WherryError where the dialect cannot say the only node of a graph."""

    @abstractmethod
    def finish(self, graph: Graph, defaults: Mapping[str, Array]) -> Model:
        """Return the model of a graph that the dialect says in full."""


@dataclass(frozen=True)
class OnnxTarget(Target):
    """ONNX in one opset."""

    opset: int

    name = "onnx"
    has_defaults = True
    preferred = MappingProxyType({"out_of_range": "raise", "negative": "from_end", "off_axis": "at_most"})

    @property
    def spoken(self) -> str:  # type: ignore[override]
        """ONNX with its opset."""
        return f"ONNX opset {self.opset}"

    def check(self, graph: Graph, site: Site) -> None:
        """Raise WherryError where the dialect cannot say the only node of a graph."""
        from wherry.dialects.onnx.writer import to_proto

        to_proto(graph, self.opset)

    def finish(self, graph: Graph, defaults: Mapping[str, Array]) -> Model:
        """Return what a reader makes of the written model."""
        from wherry.dialects.onnx.reader import read_proto
        from wherry.dialects.onnx.writer import to_proto
        from wherry.model import GraphModel

        model = read_proto(to_proto(GraphModel(graph, "onnx", defaults), self.opset))
        model.options = {"opset": self.opset}
        return model


@dataclass(frozen=True)
class OpenVINOTarget(Target):
    """OpenVINO: every operation in the opset that introduced it."""

    name = "openvino"
    spoken = "OpenVINO"
    has_defaults = False
    preferred = MappingProxyType({"out_of_range": "zero", "negative": "from_end"})

    def notes(self, graph: Graph) -> Iterable[Finding]:
        """Return what OpenVINO's CPU plugin changes in elements, or does not compile."""
        return (*narrowed(graph), *without_rank(graph))

    def check(self, graph: Graph, site: Site) -> None:
        """Raise WherryError where the dialect cannot say the only node of a graph."""
        from wherry.dialects.openvino.writer import to_text

        to_text(graph)
        check_compiles(site)

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

    feature_level: object

    name = "directml"
    has_defaults = True
    preferred = MappingProxyType({"out_of_range": "clamp", "negative": "from_end"})

    @property
    def spoken(self) -> str:  # type: ignore[override]
        """DirectML with its feature level."""
        return f"DirectML at feature level {self.feature_level}"

    def lacks(self, kind: TensorType) -> bool:
        """Whether it is a type without DirectML's name."""
        return kind.row is None or kind.row.directml is None or kind.row.bits < 8

    def check(self, graph: Graph, site: Site) -> None:
        """Raise WherryError where no description of the feature level means the only node of a graph."""
        from wherry.dialects.directml.dxdispatch.from_graph import from_graph

        model = from_graph(graph, self.feature_level)
        for step in model.graph:
            for node in step.nodes:
                _check_rules(site, node.operator)

    def finish(self, graph: Graph, defaults: Mapping[str, Array]) -> Model:
        """Return the DxDispatch model, with the defaults of inputs as initial values."""
        from wherry.dialects.directml.dxdispatch.from_graph import from_graph

        model = from_graph(graph, self.feature_level)
        for name, value in defaults.items():
            model.resources[name] = replace(model.resources[name], values=value.reshape(-1))
        model.options = {"feature_level": self.feature_level}
        return model


def _check_rules(site: Site, meant: Any) -> None:
    """Refuse a description that means another rule than the operator's, where the rule can matter."""
    if not isinstance(meant, Operator) or type(meant) is not kind_of(site.operator):
        return
    theirs = fields_of(meant)
    for rule in rules_of(site):
        wanted, given = site.field(rule.field), theirs[rule.field]
        if {wanted, given} == {OutOfRangeWrite.SKIP, OutOfRangeWrite.REPORT}:
            continue  # but for the warning they are one
        if wanted != given and not rule.settled(site):
            raise UnsupportedError(f"{rule.field} is {str(wanted)!r}, it has {str(given)!r}: {rule.words[given]}")


def _onnx(options: dict[str, Any]) -> Target:
    from wherry.dialects.onnx.table import check_opset
    from wherry.dialects.onnx.writer import DEFAULT_OPSET

    opset = options.pop("opset", None)
    return OnnxTarget(check_opset(DEFAULT_OPSET if opset is None else opset))


def _openvino(options: dict[str, Any]) -> Target:
    return OpenVINOTarget()


def _directml(options: dict[str, Any]) -> Target:
    from wherry.dialects.directml.enums import as_feature_level

    level = options.pop("feature_level", None)
    return DirectMLTarget(as_feature_level("6.4" if level is None else level))


_TARGETS: Mapping[str, Callable[[dict[str, Any]], Target]] = {
    "onnx": _onnx,
    "openvino": _openvino,
    "directml": _directml,
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
        raise InvalidValueError(f"{', '.join(left)} is given, but {target.spoken} has no such option; leave it out")
    return target
