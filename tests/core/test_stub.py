"""The stub of the core names what the core has."""

import ast
from pathlib import Path

import wherry
from wherry import _core


def test_the_stub_names_what_the_module_has() -> None:
    stub = Path(wherry.__file__).parent / "_core.pyi"
    body = ast.parse(stub.read_text()).body
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    classes = {node.name for node in body if isinstance(node, ast.ClassDef)}
    assert set(functions) | classes == {name for name in dir(_core) if not name.startswith("_")}
    for name, node in functions.items():
        arguments = [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)]
        text = str(getattr(getattr(_core, name), "__text_signature__", None) or getattr(_core, name).__doc__)
        assert all(argument in text for argument in arguments), (name, arguments, text)
