"""ONNX Runtime beside wherry: the model as it is, and with tensors on the way as results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import onnx
import onnxruntime
from onnx import GraphProto, ModelProto, helper

from ..case import Array

Tensors = Mapping[str, Array]


def session(source: str | bytes, threads: int, *, optimize: bool) -> Any:
    """Return a session on a file, or on the bytes of one."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 4
    if not optimize:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])


class Exposed:
    """A model whose tensors between nodes can be had; an If is replaced by the branch that these inputs take."""

    def __init__(self, path: Path, inputs: Tensors, threads: int) -> None:
        self.inputs = inputs
        self.threads = threads
        self.proto = onnx.load(path)
        while self._replace_if():
            pass
        fixed = {tensor.name for tensor in self.proto.graph.initializer}
        made = [name for node in self.proto.graph.node for name in node.output if name]
        self.names = [name for name in made if name not in fixed]
        """The tensors that nodes make, in order."""

    def values(self, names: Iterable[str]) -> dict[str, Any]:
        """Return those of the named tensors that nodes of the model make, and the model's inputs."""
        there = set(self.names)
        wanted = [name for name in dict.fromkeys(names) if name in there]
        found = session(self.bytes(wanted), self.threads, optimize=False).run(wanted, dict(self.inputs))
        return {**self.inputs, **dict(zip(wanted, found, strict=True))}

    def bytes(self, outputs: Sequence[str]) -> bytes:
        """Return the model with these results."""
        made = ModelProto()
        made.CopyFrom(self.proto)
        del made.graph.output[:]
        made.graph.output.extend(onnx.ValueInfoProto(name=name) for name in outputs)
        content: bytes = made.SerializeToString()
        return content

    def _replace_if(self) -> bool:
        """Put the nodes of the branch that is taken in the place of the first If; return whether there is one."""
        graph = self.proto.graph
        self.names = [name for node in graph.node for name in node.output]
        place = next((number for number, node in enumerate(graph.node) if node.op_type == "If"), None)
        if place is None:
            return False
        node = graph.node[place]
        branch = _branch(node, bool(self._condition(node.input[0])))
        joints = [
            helper.make_node("Identity", [inner.name], [outer])
            for inner, outer in zip(branch.output, node.output, strict=True)
            if outer
        ]
        nodes = [*graph.node[:place], *branch.node, *joints, *graph.node[place + 1 :]]
        graph.initializer.extend(branch.initializer)
        del graph.node[:]
        graph.node.extend(nodes)
        return True

    def _condition(self, name: str) -> Any:
        fixed = [onnx.numpy_helper.to_array(one) for one in self.proto.graph.initializer if one.name == name]
        return (fixed[0] if fixed else self.values([name])[name]).item()


def _branch(node: onnx.NodeProto, is_true: bool) -> GraphProto:
    wanted = "then_branch" if is_true else "else_branch"
    return next(attribute.g for attribute in node.attribute if attribute.name == wanted)
