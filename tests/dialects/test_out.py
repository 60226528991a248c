"""`out` of all functions with one result: written whatever its strides, refused and left alone where it is not fit."""

import ast
import doctest
import inspect
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import wherry as wh
from tests.support.compare import assert_same_bits
from wherry.errors import InvalidTypeError, InvalidValueError

OTHERS = {
    "read",
    "write",
    "read_proto",
    "to_proto",
    "split",
    "unique",
    "variadic_split",
    "string_tensor_unpack",
}
"""Functions about files, and those that return views or several arrays."""

FUNCTIONS = [
    pytest.param(module, name, id=f"{module.__name__.split('.')[-1]}.{name}")
    for module in (wh.onnx, wh.openvino)
    for name in module.__all__
    if name not in OTHERS and inspect.isfunction(getattr(module, name))
]


def called_as_in_its_example(module: ModuleType, name: str, **more: Any) -> Any:
    """Return what the function returns in its docstring's example, given more arguments."""
    names = {"np": np, "wh": wh, "more": more}
    (test,) = doctest.DocTestFinder(recurse=False).find(getattr(module, name), name)
    for example in test.examples:
        for node in ast.walk(ast.parse(example.source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name:
                node.keywords.append(ast.keyword(None, ast.Name("more", ast.Load())))
                return eval(ast.unparse(node), names)
        exec(example.source, names)
    raise AssertionError(f"{name} has no example")


def test_the_list_is_whole() -> None:
    assert len(FUNCTIONS) > 70


@pytest.mark.parametrize(("module", "name"), FUNCTIONS)
def test_out_is_written_and_returned(module: ModuleType, name: str) -> None:
    expected = called_as_in_its_example(module, name)
    for steps in (1, 2):
        memory = np.zeros([steps * size for size in expected.shape], expected.dtype)
        out = memory[(slice(None, None, steps),) * expected.ndim] if expected.ndim else memory
        for _ in range(3):  # the third time by a kept program, where there is one
            assert called_as_in_its_example(module, name, out=out) is out
            assert_same_bits(np.ascontiguousarray(out).reshape(expected.shape), expected)


@pytest.mark.parametrize(("module", "name"), FUNCTIONS)
def test_out_of_other_sizes_or_type_is_refused_as_it_was(module: ModuleType, name: str) -> None:
    expected = called_as_in_its_example(module, name)
    longer = np.full((*expected.shape, 2), b"7", "S1")
    with pytest.raises(InvalidValueError, match="out has sizes"):
        called_as_in_its_example(module, name, out=longer)
    other = np.full(expected.shape, b"7", "S1")
    with pytest.raises(InvalidTypeError, match="out has dtype"):
        called_as_in_its_example(module, name, out=other)
    assert (longer == b"7").all()
    assert (other == b"7").all()


def test_out_may_be_the_data_itself() -> None:
    data = np.array([[0, 2, 0], [1, 0, 3]])
    expected = np.stack(np.nonzero(data))
    memory = np.zeros(8, np.int64)
    memory[:6] = data.ravel()
    out = memory[1:7].reshape(2, 3)
    assert np.array_equal(wh.onnx.non_zero(memory[:6].reshape(2, 3), out=out), expected)
    data = np.arange(10)
    assert wh.onnx.compress(data, [False, False, *[True] * 5], out=data[4:9]).tolist() == [2, 3, 4, 5, 6]
    marks = np.array([True, False, True, True])
    assert wh.onnx.compress(np.array([True, True, False, True]), marks, out=marks[1:]).tolist() == [True, False, True]
