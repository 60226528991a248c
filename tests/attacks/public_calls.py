"""Every public function and method with a call of it that is valid: those of the docstrings, and some written here."""

from __future__ import annotations

import ast
import copy
import doctest
import enum
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx

import wherry as wh

EXAMPLES = Path(__file__).parents[2] / "examples"

EXCEPT = {
    "Model": "abstract; the methods of loaded models are called",
    "compare": "each call starts two processes; tests/portability/test_compare.py has its hostile arguments",
    "onnx.Backend": "a class of functions, called below",
}
"""Public names that are not called by the example in their docstring, and why."""


@dataclass(frozen=True)
class PublicCall:
    """A function, a valid call's arguments by name, and the names of all its parameters."""

    name: str
    function: Callable[..., Any]
    arguments: Mapping[str, Any]
    parameters: tuple[str, ...]

    def fresh(self) -> dict[str, Any]:
        """Return the valid arguments; arrays are copies."""
        return {
            name: copy.copy(value) if isinstance(value, (np.ndarray, bytearray)) else value
            for name, value in self.arguments.items()
        }


def public_names() -> Iterator[tuple[str, Any]]:
    """Yield every public function and class, and the public methods of classes that hold no data of a runtime."""
    for prefix, module in (("", wh), ("onnx.", wh.onnx), ("openvino.", wh.openvino), ("directml.", wh.directml)):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.ismodule(value) or (inspect.isclass(value) and issubclass(value, enum.Enum)):
                continue
            yield prefix + name, value
    for owner in (wh.Layout, wh.TensorType, wh.directml.ScalarUnion):
        for name, value in vars(owner).items():
            if not name.startswith("_") and not isinstance(value, property) and callable(getattr(owner, name)):
                yield f"{owner.__name__}.{name}", getattr(owner, name)


def calls() -> list[PublicCall]:
    """Return a call of everything public that takes an argument."""
    written = {call.name: call for call in _written()}
    found = []
    for name, value in public_names():
        call = written.pop(name, None) or (None if name in EXCEPT else _of_example(name, value))
        if call is not None and call.parameters:
            found.append(call)
    return [*found, *written.values()]


def takes_arguments(value: Any) -> bool:
    """Whether a function or class takes anything but the instance that a method is of."""
    return bool(set(inspect.signature(value).parameters) - {"self"})


def _of_example(name: str, value: Any) -> PublicCall | None:
    """Return the first call of a function or method in its docstring, or None if it takes nothing."""
    called = value.__name__  # one class has two names
    if not takes_arguments(value):
        return None
    (test,) = doctest.DocTestFinder(recurse=False).find(value, called, module=False, globs={})
    module = inspect.getmodule(value)
    names = {**(vars(module) if module else {}), "np": np, "wh": wh}
    for example in test.examples:
        for node in ast.walk(ast.parse(example.source)):
            spelled = getattr(node.func, "attr", getattr(node.func, "id", None)) if isinstance(node, ast.Call) else None
            if isinstance(node, ast.Call) and spelled == called:
                return _captured(name, node, names)
        exec(example.source, names)
    raise AssertionError(f"{name} has no example")


def _captured(name: str, node: ast.Call, names: dict[str, Any]) -> PublicCall:
    function = eval(ast.unparse(node.func), names)
    caught: list[dict[str, Any]] = []
    signature = inspect.signature(function)

    def catch(*args: Any, **keywords: Any) -> None:
        caught.append(dict(signature.bind(*args, **keywords).arguments))

    node.func = ast.Name("catch", ast.Load())
    eval(ast.unparse(node), {**names, "catch": catch})
    return PublicCall(name, function, caught[0], tuple(signature.parameters))


def _written() -> Iterator[PublicCall]:
    def call(name: str, function: Callable[..., Any], **arguments: Any) -> PublicCall:
        return PublicCall(name, function, arguments, tuple(arguments))

    table = EXAMPLES / "table.onnx"
    lookup, words = wh.load(EXAMPLES / "lookup.onnx"), wh.load(EXAMPLES / "table.onnx")
    proto = onnx.load(table)
    numbers = np.array([1, 2])
    data, out = np.arange(6.0).reshape(2, 3), np.zeros((2, 3))
    tensor = wh.directml.BufferTensorDesc("FLOAT32", [2, 3])
    copied = wh.directml.ElementWiseIdentityOperatorDesc(tensor, tensor)
    node = onnx.helper.make_node("Gather", ["data", "indices"], ["y"], axis=0)
    kind = wh.TensorType("float32", (2, 3))
    plan = wh.load(EXAMPLES / "table.json")

    yield call("set_num_threads", wh.set_num_threads, n=1)
    yield call("copy", wh.copy, src=data, out=out)
    yield call("Limits", wh.Limits, bytes=1, values=1)
    yield call("limited", lambda limits: wh.limited(limits).__enter__(), limits=None)
    yield call("TensorType", wh.TensorType, dtype="float32", sizes=[2, "N"])
    yield call("TensorType.of", wh.TensorType.of, array=data)
    yield call("TensorType.with_sizes", kind.with_sizes, sizes=[2, None])
    yield call("TensorType.accepts", kind.accepts, other=kind)
    yield call("load", wh.load, source=table, sizes=None)
    yield call("save", wh.save, model=words, path="saved.onnx")
    yield call("convert", wh.convert, model=words, dialect="openvino", allow_loss=True, guard=False, inputs=None,
               sizes=None, opset=None, feature_level=None)  # fmt: skip
    yield call("onnx.read", wh.onnx.read, path=table, sizes=None)
    yield call("onnx.read_proto", wh.onnx.read_proto, model_proto=proto, base_dir=None, sizes=None)
    yield call("onnx.to_proto", wh.onnx.to_proto, graph=words, opset=21, ir_version=None)
    yield call("onnx.write", wh.onnx.write, graph=words, path="written.onnx", opset=21, ir_version=None)
    yield call("openvino.read", wh.openvino.read, path=EXAMPLES / "table.xml", weights=EXAMPLES / "table.bin")
    yield call("openvino.write", wh.openvino.write,
               graph_or_model=wh.load(EXAMPLES / "table.xml"), path="written.xml")  # fmt: skip
    yield call("directml.read", wh.directml.read, path=EXAMPLES / "table.json")
    yield call("directml.write", wh.directml.write, model=plan, path="written.json")
    yield call("directml.validate", wh.directml.validate, desc=copied, feature_level="6.4")
    yield call("directml.execute", wh.directml.execute, desc=copied, feature_level="6.4",
               bindings={"input_tensor": data.astype("float32"), "output_tensor": out.astype("float32")})  # fmt: skip
    yield call("directml.ScalarUnion", wh.directml.ScalarUnion, content=b"\0" * 8)
    yield call("directml.ScaleBias", wh.directml.ScaleBias, scale=1.0, bias=0.0)
    yield call("ScalarUnion.of", wh.directml.ScalarUnion.of, value=1, data_type="INT16")
    yield call("ScalarUnion.element", wh.directml.ScalarUnion.of(1, "INT16").element, data_type="INT16")
    yield call("Model.run", lookup.run, inputs={"numbers": numbers})
    yield call("Model.run of an array", lambda numbers: lookup.run({"numbers": numbers}), numbers=numbers)
    yield call("Model.run of a list", lambda numbers: lookup.run([numbers]), numbers=numbers)
    yield call("DispatchModel.run", plan.run, inputs={})
    yield call("DispatchModel.run of an array", lambda indices: plan.run({"indices": indices}), indices=np.arange(4))
    yield call("Backend.prepare", wh.onnx.Backend.prepare, model=proto, device="CPU")
    yield call(
        "Backend.run_model",
        wh.onnx.Backend.run_model,
        model=onnx.load(EXAMPLES / "lookup.onnx"),
        inputs=[numbers],
        device="CPU",
    )
    yield call("Backend.run_node", wh.onnx.Backend.run_node, node=node, inputs=[data, numbers - 1], device="CPU",
               outputs_info=None)  # fmt: skip
