"""The child process of `wherry compare` with a runtime that is wrong on purpose, under the name of tract.

It dies at a Tanh, never ends at a Sin, rounds Cos, makes one wrong node of an Abs and a Neg, and answers all else as
onnx.reference does.
"""

import os
import signal
import time
from collections.abc import Mapping
from dataclasses import replace

from onnx import ModelProto, helper, load_from_string

from wherry.models.parts import PartFile
from wherry.runtimes import whole_child
from wherry.runtimes.known import known
from wherry.runtimes.onnx_reference import OnnxReference
from wherry.runtimes.runtime import Session, Value


class Spoilt(OnnxReference):
    name = "tract"

    def _session(self, part: PartFile) -> Session:
        model = load_from_string(part.content)
        operators = {node.op_type for node in model.graph.node}
        spoil(model, operators)
        return SpoiltSession(super()._session(replace(part, content=model.SerializeToString())), operators)


def spoil(model: ModelProto, operators: set[str]) -> None:
    for place, node in enumerate(model.graph.node):
        if node.op_type == "Cos":
            (made,) = node.output
            node.output[0] = "exact"
            model.graph.node.insert(place + 1, helper.make_node("Constant", [], ["less"], value_float=1e-6))
            model.graph.node.insert(place + 2, helper.make_node("Sub", ["exact", "less"], [made]))
            return
        if node.op_type == "Neg" and "Abs" in operators:
            node.op_type = "Identity"


class SpoiltSession(Session):
    def __init__(self, session: Session, operators: set[str]) -> None:
        self.session = session
        self.operators = operators

    def run(self, inputs: Mapping[str, Value]) -> dict[str, Value]:
        if "Tanh" in self.operators:
            os.kill(os.getpid(), signal.SIGSEGV)
        while "Sin" in self.operators:
            time.sleep(60)
        return self.session.run(inputs)


if __name__ == "__main__":
    whole_child.known = lambda name: Spoilt if name == "tract" else known(name)
    whole_child.main()
