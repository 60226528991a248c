"""convert: converts a model of one dialect to another."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from wherry.arguments import as_flag, as_mapping, as_names, check_is
from wherry.conversion.bitcast import bitcast
from wherry.conversion.findings import Effect, Finding, in_the_way, refusal
from wherry.conversion.known import known_there
from wherry.conversion.nodes import expressed
from wherry.conversion.targets import Target, target_of
from wherry.errors import InvalidTypeError, InvalidValueError, WherryError, invalid, short
from wherry.graph import Graph, GraphBuilder
from wherry.limits import limited
from wherry.models.model import GraphModel, Model
from wherry.ops import Identity
from wherry.tensors import Size, TensorType

Array = NDArray[Any]


def convert(
    model: Model,
    dialect: str,
    *,
    allow_loss: bool = False,
    guard: bool = False,
    inputs: Collection[str] | None = None,
    sizes: Mapping[str, Sequence[Size]] | None = None,
    opset: int | None = None,
    feature_level: object = None,
) -> Model:
    """Return the model in another dialect (onnx, openvino, directml, webnn) with the same bits for the same inputs.

    Operators that the dialect has keep their fields, others are replaced (docs/conversion.md has the table). A node
    that would give another answer for some inputs is an error, or, with `allow_loss`, written with the nearest rules.
    With `guard`, operators that raise errors at run check indices and repeats that only the model refuses, where the
    dialect has such operators. `findings` of the result lists all changes.

    `inputs` names the inputs that stay inputs among those with default values (a DxDispatch buffer with initial values,
    an ONNX input with an initializer); without it, they keep the defaults from ONNX to ONNX and DirectML, and become
    constants otherwise. `sizes` fixes sizes of inputs, which DirectML and WebNN need. `opset` is that of ONNX (default
    21), `feature_level` that of DirectML (default 6.4).

    Raises ConversionError, which lists every node that cannot be converted, InvalidValueError or InvalidTypeError for
    wrong arguments, ResourceLimitError beyond the model's limits, which the result keeps.

    >>> from wherry.ops import Gather
    >>> builder = GraphBuilder()
    >>> builder.add_input("x", TensorType("float32", (3,)))
    >>> builder.add_input("i", TensorType("uint8", (2,)))
    >>> _ = builder.add(Gather(0, 0, "clamp"), ["x", "i"], ["y"], "example Gather")
    >>> converted = convert(GraphModel(builder.build(["y"]), "directml"), "onnx")
    >>> [node.subject.split(" '")[0] for node in converted.graph.nodes]
    ['ONNX Cast-21', 'ONNX Gather-13', 'ONNX Gather-13']
    """
    check_is("model", model, Model, "what wherry.load returns")
    inputs = None if inputs is None else as_names("inputs", inputs)
    sizes = as_mapping("sizes", sizes)
    target = target_of(dialect, {"opset": opset, "feature_level": feature_level})
    with limited(model.limits):
        result = _converted(model, target, as_flag("allow_loss", allow_loss), as_flag("guard", guard), inputs, sizes)
    result.limits = model.limits
    return result


def _converted(
    model: Model,
    target: Target,
    allow_loss: bool,
    guard: bool,
    inputs: Collection[str] | None,
    sizes: Mapping[str, Sequence[Size]] | None,
) -> Model:
    findings: list[Finding] = []
    graph, defaults = _source(model, inputs, target, findings)
    if sizes:
        graph = _rebuilt(graph, _sized(graph, sizes), graph.constants)
    if target.holders is not None:
        graph, defaults, reported = bitcast(graph, defaults, target.holders)
        findings += reported
    if target.results_are_made:
        graph, findings = _with_own_results(graph, findings)
    made, reported = expressed(target, graph, guard)
    findings += reported
    bad = (Effect.REFUSED,) if allow_loss else (Effect.REFUSED, Effect.LOSS)
    if any(finding.effect in bad for finding in findings):
        helpful = _settled_by_sizes(graph, target, guard, findings)
        raise refusal(findings, target.title, [name for name in helpful if name in model.inputs])
    try:
        result = target.finish(made, defaults)
    except WherryError as error:
        subject = error.subject or target.title
        raise refusal([*findings, Finding(Effect.REFUSED, subject, "model", error.message)], target.title) from None
    if model.dialect != target.name:
        rules = {finding.rule for finding in findings}
        findings += [*target.notes(graph), *known_there(target, made, rules)]
    result.findings = tuple(findings)
    return result


_PROBES = (2, 1, 4)
"""The sizes by which it is found out whether known sizes help: those of models often agree where all are the same."""

_MOST_PROBED = 2000
"""The most nodes that are converted a second time to find sizes that would help."""


def _settled_by_sizes(graph: Graph, target: Target, guard: bool, findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return the inputs whose sizes are open, if fewer things are in the way where they are known."""
    sizes = {name: kind.sizes for name, kind in graph.inputs.items() if not kind.is_known}
    if not sizes or len(graph.nodes) > _MOST_PROBED or None in sizes.values():
        return ()
    for probe in _PROBES:
        fixed = {name: [one if isinstance(one, int) else probe for one in given or ()] for name, given in sizes.items()}
        try:
            _, reported = expressed(target, _rebuilt(graph, _sized(graph, fixed), graph.constants), guard)
        except WherryError:
            continue  # sizes that do not fit each other
        return tuple(sizes) if in_the_way(reported) < in_the_way(findings) else ()
    return ()


def _source(
    model: Model, inputs: Collection[str] | None, target: Target, findings: list[Finding]
) -> tuple[Graph, dict[str, Array]]:
    """Return the graph of a model, and the values of inputs that need not be given."""
    if isinstance(model, GraphModel):
        graph, defaults = model.graph, model.defaults
        _check_names("inputs", inputs or (), graph.inputs)
        findings += _ranges(model)
    else:
        from wherry.conversion.dispatches import graph_of
        from wherry.dialects.directml.dxdispatch.model import DispatchModel

        if not isinstance(model, DispatchModel):
            raise InvalidTypeError(f"model is a {type(model).__name__}, allowed what wherry.load returns")
        found = graph_of(model, inputs)
        graph, defaults = found.graph, found.defaults
        findings += found.findings
    fixed: dict[str, Array] = {}
    for name in list(defaults):
        kept = name in inputs if inputs is not None else target.has_defaults
        if kept and target.has_defaults:
            continue
        value = defaults.pop(name)
        if kept:
            text = f"must be given: {target.title} has no values for inputs, so its own one is left out"
        else:
            text = "becomes a constant: the value of its own; name it in inputs to keep it an input"
            fixed[name] = value
        findings.append(Finding(Effect.NOTE, f"input {name!r}", "default", text))
    if not fixed:
        return graph, defaults
    kinds = {name: kind for name, kind in graph.inputs.items() if name not in fixed}
    return _rebuilt(graph, kinds, {**graph.constants, **fixed}), defaults


def _ranges(model: GraphModel) -> Iterable[Finding]:
    """Tell which ranges of sizes an OpenVINO model loses: no other dialect checks them."""
    shapes: Mapping[str, Any] = getattr(model, "partial_shapes", {})
    for name, shape in shapes.items():
        bounded = [
            axis for axis, (least, most) in enumerate(shape or ()) if (least, most) != (0, None) and least != most
        ]
        if bounded:
            text = f"its sizes on axes {', '.join(map(str, bounded))} are ranges; now every size is taken"
            yield Finding(Effect.NOTE, f"input {name!r}", "sizes", text)


def _check_names(field: str, names: Iterable[str], inputs: Mapping[str, TensorType]) -> None:
    for name in names:
        if name not in inputs:
            raise InvalidValueError(f"{field} names {short(name)}, allowed {', '.join(map(repr, inputs)) or 'none'}")


def _sized(graph: Graph, sizes: Mapping[str, Sequence[Size]]) -> dict[str, TensorType]:
    """Return the inputs with the given sizes."""
    _check_names("sizes", sizes, graph.inputs)
    kinds = dict(graph.inputs)
    for name, given in sizes.items():
        for axis, size in enumerate(given):
            if isinstance(size, int) and size < 0:
                raise invalid(f"sizes of {name!r}[{axis}]", size, "0 and more")
        wanted = kinds[name].with_sizes(given)
        if not kinds[name].accepts(wanted):
            raise InvalidValueError(f"sizes of {name!r} are {list(given)}, allowed {kinds[name]}")
        kinds[name] = wanted
    return kinds


def _rebuilt(graph: Graph, inputs: Mapping[str, TensorType], constants: Mapping[str, Array]) -> Graph:
    """Return the graph with other inputs and constants; what they decide is resolved."""
    builder = GraphBuilder(graph.name)
    for name, kind in inputs.items():
        builder.add_input(name, kind)
    for name, value in constants.items():
        builder.add_constant(name, value, graph.types[name].with_sizes(value.shape))
    for node in graph.nodes:
        builder.add(node.operator, node.inputs, node.outputs, node.subject, node.name)
    return builder.build(graph.outputs)


def _with_own_results(graph: Graph, findings: list[Finding]) -> tuple[Graph, list[Finding]]:
    """Let every result be written by a node of its own: a buffer that is an input cannot be a result as well."""
    makers = {name for node in graph.nodes for name in node.outputs}
    given = [name for name in graph.outputs if name not in makers]
    if not given:
        return graph, findings
    builder = GraphBuilder(graph.name)
    outputs = {name: f"{name}/result" for name in given}
    for name, kind in graph.inputs.items():
        builder.add_input(name, kind)
    for name, value in graph.constants.items():
        builder.add_constant(name, value, graph.constant_types.get(name))
    for node in graph.nodes:
        builder.add(node.operator, node.inputs, node.outputs, node.subject, node.name)
    for name, written in outputs.items():
        builder.add(Identity(), [name], [written], f"output {name!r}")
        text = f"is the output {written!r}: a result of DxDispatch is a buffer that a dispatch writes"
        findings = [*findings, Finding(Effect.NOTE, f"output {name!r}", "name", text)]
    return builder.build([outputs.get(name, name) for name in graph.outputs]), findings
