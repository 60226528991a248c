"""Cases of nodes: a node as a runtime writes it, with facts about its inputs, for conditions of known differences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.conversion.targets import DirectMLTarget, OnnxTarget, Target, WebNNTarget
from wherry.dialects.directml.descs import OperatorDesc
from wherry.dialects.directml.dxdispatch.writer import desc_to_json
from wherry.dialects.directml.enums import FeatureLevel
from wherry.dialects.directml.say import say as say_directml
from wherry.dialects.directml.say.call import Bound, Part
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.dialects.openvino.say import say as say_openvino
from wherry.dialects.refusal import Refusal
from wherry.graph import Node
from wherry.layout import Layout
from wherry.rewrite.bounds import Bounds
from wherry.rewrite.known import KnownNode
from wherry.rewrite.rules import rules_of
from wherry.rewrite.tensors import Tensors
from wherry.runtimes.case import Case
from wherry.runtimes.differences import Difference
from wherry.runtimes.unseen import Unseen
from wherry.tensors import TensorType

Array = NDArray[Any]

_ORDINARY = 100
"""The assumed value of an open size on which a difference depends: neither empty nor short."""

_MOST_READ = 2**24
"""Constants of more elements are known by their type and sizes alone."""


@dataclass(frozen=True)
class Written:
    """Nodes as a target has them, with the facts about their tensors."""

    nodes: Sequence[Node]
    tensors: Tensors
    is_dynamic: bool
    """Whether sizes of the model's inputs are known at run only."""
    constants: Collection[str] = ()
    """Tensors that are constants of the model, whether their values are read or not."""
    of_a_run: Collection[str] = ()
    """Tensors whose values, where they are known, may be those of one run: they are no constants for that."""
    is_within: bool = False
    """Whether another node of the model makes the first input, or a result is no result of the model."""


def cases_of(target: Target, written: Written) -> list[Case]:
    """Return the cases of nodes as the target's runtimes write them, except nodes that the target lacks."""
    spelled = _case_in(target)
    return [case for node in written.nodes if (case := spelled(written, node)) is not None]


def _case_in(target: Target) -> Callable[[Written, Node], Case | None]:
    if isinstance(target, OnnxTarget):
        return partial(_onnx, target.opset)
    if isinstance(target, DirectMLTarget):
        return partial(_directml, target)
    return _webnn if isinstance(target, WebNNTarget) else _openvino


def may_hold(entries: Iterable[Difference], case: Case) -> Iterator[tuple[Difference, bool]]:
    """Yield the known differences that a case may come under, with whether it certainly does."""
    for entry in entries:
        holds = entry.decided(case)
        if holds is None and entry.decided(with_sizes(case)) is False:
            continue  # only sizes that are out of the ordinary come under it
        if holds is not False:
            yield entry, bool(holds)


def is_settled(entry: Difference, node: KnownNode) -> bool:
    """Whether a known difference is about the value of a rule that cannot matter for a node."""
    return bool(entry.rule) and any(rule.field == entry.rule and rule.settled(node) for rule in rules_of(node))


def _onnx(opset: int, written: Written, node: Node) -> Case | None:
    from wherry.dialects.onnx.say import say

    known = written.tensors.known(node)
    filled = say(node, known.types, known.values, opset)
    if isinstance(filled, Refusal):
        return None
    given = _until_left_out(list(filled.inputs.values()))
    inputs, constants, _ = _inputs(written, given)
    outputs = len(node.outputs)
    return Case(filled.row.name, opset, inputs, dict(filled.attributes), outputs, constants, written.is_dynamic,
                threads=None, instruction_set=None)  # fmt: skip


def _openvino(written: Written, node: Node) -> Case | None:
    known = written.tensors.known(node)
    filled = say_openvino(node, known.types, known.values)
    if isinstance(filled, Refusal):
        return None
    given = _until_left_out(list(filled.inputs.values()))
    inputs, constants, types = _inputs(written, given)
    row = filled.row
    attributes = {one.name: one.kind.write(filled.attributes[one.name]) for one in row.attributes}
    kinds = tuple(getattr(kind.row, "openvino", None) or str(kind.dtype) for kind in types)
    known_sizes = {place for place, kind in enumerate(types) if kind.is_known} - constants
    sized = frozenset(known_sizes) if written.is_dynamic else frozenset[int]()
    return Case(row.name, row.since, inputs, attributes, len(node.outputs), constants, written.is_dynamic, kinds, sized,
                threads=None, instruction_set=None, is_within=written.is_within)  # fmt: skip


def _directml(target: DirectMLTarget, written: Written, node: Node) -> Case | None:
    known = written.tensors.known(node)
    said = say_directml(node, known.types, known.values, target.feature_level)
    if isinstance(said, Refusal):
        return None
    described = case_of_description(said.desc, target.feature_level)
    members = [member for member in said.desc.tensor_members if not member.is_output]
    bounds = [bound for member in members for bound in said.bindings[member.name]]
    inputs, constants, _ = _inputs(written, [one.tensor if isinstance(one, Part) else one for one in bounds])
    tensors = [tensor for _, member, tensor in said.desc.tensors if not member.is_output]
    seen = tuple(_filled(*one) for one in zip(described.inputs, inputs, bounds, tensors, strict=True))
    return replace(described, inputs=seen, constants=constants)


def case_of_description(desc: OperatorDesc, level: FeatureLevel) -> Case:
    """Return a description of DirectML as a case, of whose elements nothing is known."""
    given = [tensor for _, member, tensor in desc.tensors if not member.is_output]
    names = {member.name for member in desc.tensor_members if not member.is_output}
    attributes = {name: value for name, value in desc_to_json(desc).items() if name not in names}
    outputs = sum(member.is_output for _, member, _ in desc.tensors)
    dtypes = [tensor.data_type.dtype for tensor in given]
    inputs = tuple(
        Unseen(None if dtype is None else dtype.numpy, tensor.sizes)
        for dtype, tensor in zip(dtypes, given, strict=True)
    )
    kinds = tuple(tensor.data_type.name for tensor in given)
    return Case(desc.name, int(level), inputs, attributes, outputs, kinds=kinds, threads=None, instruction_set=None)


def _filled(described: Unseen, given: Any, bound: Bound, tensor: BufferTensorDesc) -> Any:
    """Return an input of a description with bounds on its elements, which it may repeat or skip."""
    if isinstance(bound, Part):
        return described
    if isinstance(given, Unseen):
        return replace(described, least=given.least, most=given.most)
    return Layout(tensor.sizes, tensor.strides).view(np.ascontiguousarray(given), described.type)


def _webnn(written: Written, node: Node) -> Case | None:
    from wherry.dialects.webnn.say import say

    known = written.tensors.known(node)
    filled = say(node, known.types, known.values)
    if isinstance(filled, Refusal):
        return None
    inputs, constants, _ = _inputs(written, _until_left_out(list(filled.inputs.values())))
    attributes = {name: value for name, value in filled.attributes.items() if value is not None}
    return Case(filled.row.name, 1, inputs, attributes, len(node.outputs), constants,
                threads=None, instruction_set=None)  # fmt: skip


def _until_left_out(given: list[str | Array | None]) -> list[str | Array]:
    """Return the inputs before the first omitted one: no entry depends on later ones."""
    found: list[str | Array] = []
    for one in given:
        if one is None:
            break
        found.append(one)
    return found


def _inputs(written: Written, given: Sequence[str | Array]) -> tuple[tuple[Any, ...], frozenset[int], list[TensorType]]:
    """Return the inputs with known facts, the positions of constants, and the types."""
    tensors = written.tensors
    found: list[Any] = []
    types: list[TensorType] = []
    for one in given:
        if not isinstance(one, str):
            found.append(one)
            types.append(TensorType.of(one))
            continue
        value, kind = tensors.value(one), tensors.types[one]
        types.append(kind)
        is_read = value is not None and value.size <= _MOST_READ
        found.append(value if is_read else unseen(kind, tensors.bounds(one), tensors.never(one)))
    values = [
        not isinstance(name, str)
        or name in written.constants
        or (name not in written.of_a_run and isinstance(one, np.ndarray))
        for one, name in zip(found, given, strict=True)
    ]
    return tuple(found), frozenset(place for place, is_value in enumerate(values) if is_value), types


def with_sizes(case: Case) -> Case:
    """Return a case in which sizes that a model leaves open are ordinary ones."""
    return replace(case, inputs=tuple(_with_sizes(one) if isinstance(one, Unseen) else one for one in case.inputs))


def _with_sizes(one: Unseen) -> Unseen:
    if one.sizes is None:
        return replace(one, count=_ORDINARY)
    if None not in one.sizes:
        return one
    return replace(one, sizes=tuple(_ORDINARY if size is None else size for size in one.sizes))


def unseen(kind: TensorType, bounds: Bounds | None, never: frozenset[int] = frozenset()) -> Unseen:
    """Return a tensor as conditions use it before a run: its value, or the facts about it."""
    sizes = None if kind.sizes is None else tuple(size if isinstance(size, int) else None for size in kind.sizes)
    if bounds is None or not bounds.low.size:
        return Unseen(kind.numpy, sizes, never=never)
    number = int if kind.numpy.kind in "iub" else float
    return Unseen(kind.numpy, sizes, number(bounds.low.min()), number(bounds.high.max()), never=never)
