"""Converts a DxDispatch model to one graph: each buffer is a vector, each partial write makes a new vector."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.conversion.findings import Effect, Finding, refusal
from wherry.dialects.directml.dxdispatch.model import Dispatch, DispatchModel, Resource, Source
from wherry.dialects.directml.lowering import Lowered, lower
from wherry.dtypes import DType
from wherry.errors import InvalidValueError, UnsupportedError, WherryError
from wherry.graph import Graph, GraphBuilder, Node
from wherry.layout import Layout, packed_strides
from wherry.limits import check_bytes
from wherry.ops import Concat, Expand, Gather, Identity, Operator, Reshape, ScatterElements, Slice, Transpose, Zero
from wherry.tensors import TensorType, View

Array = NDArray[Any]


@dataclass
class Sources:
    """The graph of a DxDispatch model, the values that its inputs begin with, and what there is to tell."""

    graph: Graph
    defaults: dict[str, Array] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def graph_of(model: DispatchModel, inputs: Collection[str] | None = None) -> Sources:
    """Return a DxDispatch model as one graph.

    A buffer that is read before it is written, and begins as zero, is an input; one with other values is a constant,
    unless `inputs` names it. Outputs are the buffers that a dispatch writes and a command prints or writes to a file;
    without such commands, all that a dispatch writes. Tensors have the sizes of the description
    that first reads, or last writes, the whole buffer, else they are vectors.

    Raises ConversionError that lists what is no movement of elements: a buffer read as another type than it holds.
    """
    for name in inputs or ():
        if name not in model.resources:
            raise InvalidValueError(f"inputs names {name!r}, allowed {', '.join(map(repr, model.resources))}")
    return _Reading(model, inputs).read()


@dataclass(frozen=True)
class _Held:
    """The content of a buffer: a tensor whose elements, in row-major order, are those of the buffer."""

    name: str
    sizes: tuple[int, ...]


class _Reading:
    def __init__(self, model: DispatchModel, inputs: Collection[str] | None) -> None:
        self.model = model
        self.wanted = inputs
        self.builder = GraphBuilder("DxDispatch")
        self.held: dict[str, _Held] = {}
        self.elements: dict[str, DType] = {}
        self.sources = Sources(Graph({}, (), ()))
        self.problems: list[Finding] = []
        self.written: dict[str, None] = {}
        self.subject = ""

    def read(self) -> Sources:
        dispatches = [command for command in self.model.commands if isinstance(command, Dispatch)]
        steps = [(step, self._lowered(step)) for step in dispatches]
        for number, (step, lowered) in enumerate(steps):
            self.subject = f"dispatch {step.dispatchable!r}"
            try:
                self._dispatch(number, step, lowered)
            except WherryError as error:
                self.problems.append(Finding(Effect.REFUSED, self.subject, "buffer", error.message))
        if self.problems:
            raise refusal(self.problems, "one graph")
        results = self._results()
        graph = self.builder.build(results)
        nodes = tuple(_renamed(node, results) for node in graph.nodes)
        self.sources.graph = replace(graph, nodes=nodes, outputs=tuple(results.values()))
        return self.sources

    def _lowered(self, step: Dispatch) -> Lowered:
        return lower(self.model.dispatchables[step.dispatchable].desc, self.model.feature_level)

    def _dispatch(self, number: int, step: Dispatch, lowered: Lowered) -> None:
        owned = self.model.dispatchables[step.dispatchable].bindings
        places = _places(lowered, {**owned, **step.bindings})
        names: dict[str, str] = {}
        for path in lowered.graph.inputs:
            source = places[path]
            whole = self._initial(source) if path.split("[")[0] in owned else self._current(source, lowered.views[path])
            names[path] = self._view(whole, lowered.views[path], source)
        for node in lowered.graph.nodes:
            outputs = [f"{step.dispatchable} {number}/{name}" for name in node.outputs]
            self.builder.add(node.operator, [names[name] for name in node.inputs], outputs, node.subject)
            names.update(zip(node.outputs, outputs, strict=True))
        for path in lowered.graph.outputs:
            self._write(names[path], lowered.views[path], places[path])

    def _resource(self, source: Source) -> Resource:
        return self.model.resources[source.resource]

    def _check_type(self, source: Source, view: View) -> None:
        """Hold a buffer to one element type: that of its values, or of its first use where they mix types."""
        resource = self._resource(source)
        kind = TensorType(view.dtype, ()).row
        assert kind is not None
        own = self.elements.setdefault(source.resource, resource.data_type.dtype or kind)
        if own != kind:
            raise UnsupportedError(f"buffer {source.resource!r} holds {own}, but is bound as {kind}: a view of bits as "
                                   "another type is no movement of elements")  # fmt: skip
        if source.offset % view.dtype.itemsize:
            raise UnsupportedError(f"buffer {source.resource!r} is bound from byte {source.offset}, allowed multiples "
                                   f"of {view.dtype.itemsize}, the bytes of an element")  # fmt: skip

    def _content(self, source: Source) -> Array:
        """Return all that a buffer begins with as a vector, without the bytes that round its size up."""
        resource, dtype = self._resource(source), self.elements[source.resource].numpy
        width = dtype.itemsize
        count = resource.size_in_bytes // width
        if resource.size_in_bytes - resource.offset - resource.values.nbytes < 4 and resource.offset % width == 0:
            count = (resource.offset + resource.values.nbytes) // width
        memory = np.zeros(resource.size_in_bytes, np.uint8)
        memory[resource.offset : resource.offset + resource.values.nbytes] = np.ascontiguousarray(
            resource.values
        ).reshape(-1).view(np.uint8)  # fmt: skip
        return memory[: count * width].view(dtype)

    def _initial(self, source: Source) -> _Held:
        name = f"{source.resource}/initial"
        self.elements.setdefault(source.resource, self._resource(source).data_type.dtype or TensorType("uint8", ()).row)  # type: ignore[arg-type]
        content = self._content(source)
        if name not in self.builder.types:
            self.builder.add_constant(name, content)
        return _Held(name, content.shape)

    def _current(self, source: Source, view: View) -> _Held:
        """Return what a buffer holds; the first time, an input or a constant."""
        self._check_type(source, view)
        name = source.resource
        if name not in self.held:
            content = self._content(source)
            sizes = view.layout.sizes
            whole = source.offset == 0 and view.layout.is_row_major and prod(sizes) == content.size
            self.held[name] = _Held(name, sizes if whole else content.shape)
            self._begin(name, content.reshape(self.held[name].sizes))
        return self.held[name]

    def _begin(self, name: str, content: Array) -> None:
        is_zero = not content.view(np.uint8).any() if content.ndim else not any(content.tobytes())
        if name in (self.wanted or ()) or (self.wanted is None and is_zero):
            self.builder.add_input(name, TensorType.of(content))
            if not is_zero:
                self.sources.defaults[name] = content
            return
        self.builder.add_constant(name, content)
        self._note(name, "becomes a constant: the values that it begins with; name it in inputs to keep it an input")

    def _note(self, name: str, message: str) -> None:
        self.sources.findings.append(Finding(Effect.NOTE, f"buffer {name!r}", "initial values", message))

    def _add(self, operator: Operator, *inputs: str) -> str:
        wish, number = f"{inputs[0]}/{type(operator).__name__.lower()}", 1
        name = wish
        while name in self.builder.types:
            number += 1
            name = f"{wish} {number}"
        self.builder.add(operator, inputs, [name], self.subject)
        return name

    def _constant(self, wish: str, value: Array) -> str:
        name, number = wish, 1
        while name in self.builder.types:
            number += 1
            name = f"{wish} {number}"
        self.builder.add_constant(name, value)
        return name

    def _reshaped(self, name: str, sizes: tuple[int, ...], wanted: tuple[int, ...]) -> str:
        return name if sizes == wanted else self._add(Reshape(wanted, Zero.LITERAL), name)

    def _flat(self, held: _Held) -> str:
        return self._reshaped(held.name, held.sizes, (prod(held.sizes),))

    def _view(self, held: _Held, view: View, source: Source) -> str:
        """Return the tensor that a description sees in a buffer."""
        layout, start = view.layout, source.offset // view.dtype.itemsize
        if start == 0 and layout.is_row_major and layout.size == prod(held.sizes):
            return self._reshaped(held.name, held.sizes, layout.sizes)
        flat, count = self._flat(held), prod(held.sizes)
        own = [axis for axis in range(layout.ndim) if layout.sizes[axis] > 1 and layout.strides[axis] != 0]
        order = sorted(own, key=lambda axis: -layout.strides[axis])
        pieces = tuple(layout.sizes[axis] for axis in order)
        if tuple(layout.strides[axis] for axis in order) != packed_strides(pieces):
            places = _element_places(layout, start, count)
            return self._add(Gather(), flat, self._constant(f"{flat}/places", np.ascontiguousarray(places)))
        size = prod(pieces)
        if (start, size) != (0, count):
            flat = self._add(Slice((start,), (start + size,), (0,), (1,)), flat)
        name = self._reshaped(flat, (size,), pieces)
        if order != own:
            name = self._add(Transpose(tuple(order.index(axis) for axis in own)), name)
        aligned = tuple(layout.sizes[axis] if axis in own else 1 for axis in range(layout.ndim))
        name = self._reshaped(name, tuple(layout.sizes[axis] for axis in own), aligned)
        return name if aligned == layout.sizes else self._add(Expand(layout.sizes), name)

    def _write(self, name: str, view: View, source: Source) -> None:
        """Let a buffer hold what it held, with a tensor written as a description lies in it."""
        self._check_type(source, view)
        layout, start, resource = view.layout, source.offset // view.dtype.itemsize, source.resource
        count = self._content(source).size
        self.written[resource] = None
        if start == 0 and layout.is_row_major and layout.size == count:
            self.held[resource] = _Held(name, layout.sizes)
            return
        order = sorted(range(layout.ndim), key=lambda axis: (-layout.strides[axis], layout.sizes[axis]))
        turned = layout.permuted(order)
        if turned.is_row_major and layout.size == count and start == 0:
            self.held[resource] = _Held(self._add(Transpose(tuple(order)), name), turned.sizes)
            return
        before = self._flat(self.held[resource] if resource in self.held else self._initial(source))
        updates = self._reshaped(name, layout.sizes, (layout.size,))
        if layout.is_row_major:
            end = start + layout.size
            parts = [self._add(Slice((0,), (start,), (0,), (1,)), before)] if start else []
            rest = [self._add(Slice((end,), (count,), (0,), (1,)), before)] if end < count else []
            whole = self._add(Concat(0), *parts, updates, *rest)
        else:
            places = _element_places(layout, start, count)
            indices = self._constant(f"{name}/places", np.ascontiguousarray(places).reshape(-1))
            whole = self._add(ScatterElements(axis=0, off_axis="at_most"), before, indices, updates)  # type: ignore[arg-type]
        self.held[resource] = _Held(whole, (count,))

    def _results(self) -> dict[str, str]:
        """Return the tensors that are results, each with the name of its buffer."""
        results: dict[str, str] = {}
        shown = {command.resource for command in self.model.commands if not isinstance(command, Dispatch)}
        told = [resource for resource in self.written if resource in shown]
        for resource in told or self.written:
            held, wanted = self.held[resource], resource
            if wanted in self.builder.types:
                wanted = f"{resource}/result"
                self._note(resource, f"is read before it is written; its last content is the output {wanted!r}")
            values = self.model.resources[resource]
            first, count = values.offset // self.elements[resource].numpy.itemsize, values.values.size
            name = held.name
            self.subject = f"buffer {resource!r}"
            if values.data_type.dtype is not None and (first, count) != (0, prod(held.sizes)):
                name = self._add(Slice((first,), (first + count,), (0,), (1,)), self._flat(held))
            elif name in results or name in self.builder.constants or name in self.model.resources:
                name = self._add(Identity(), name)
            results[name] = wanted
        return results


def _renamed(node: Node, names: Mapping[str, str]) -> Node:
    inputs, outputs = (tuple(names.get(name, name) for name in given) for given in (node.inputs, node.outputs))
    return replace(node, inputs=inputs, outputs=outputs)


def _places(lowered: Lowered, bindings: Mapping[str, tuple[Source, ...]]) -> dict[str, Source]:
    """Return the source of each tensor by its path."""
    sources = {name: iter(given) for name, given in bindings.items()}
    return {path: next(sources[member.name]) for path, member, _ in lowered.desc.tensors}


def _element_places(layout: Layout, start: int, count: int) -> Array:
    """Return where each element of a tensor lies in a buffer of `count` elements."""
    reached = max(count, layout.extent + start)
    check_bytes(8 * max(reached, layout.size), "the places of a strided tensor's elements")
    return Layout(layout.sizes, layout.strides, start).view(np.arange(reached), "int64")
