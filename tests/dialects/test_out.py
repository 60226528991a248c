"""`out` of all functions with one result: written whatever its strides, refused and left alone where it is not fit."""

import ast
import doctest
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import wherry as wh
from tests.support.compare import assert_same_bits
from wherry.errors import InvalidTypeError, InvalidValueError

FILES = {"read", "write", "read_proto", "to_proto"}

SEVERAL = {"split", "unique", "variadic_split", "string_tensor_unpack"}
"""Functions of several results, some of which are views: `out` is a sequence."""


def functions(several: bool) -> list[Any]:
    return [
        pytest.param(module, name, id=f"{module.__name__.split('.')[-1]}.{name}")
        for module in (wh.onnx, wh.openvino, wh.webnn)
        for name in module.functions.__all__
        if name not in FILES and (name in SEVERAL) == several
    ]


FUNCTIONS = functions(several=False)


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
    assert len(FUNCTIONS) > 180
    assert len(functions(several=True)) == 7


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


def _zeros(results: Any, steps: int) -> list[Any]:
    """Return arrays like results, of other strides where `steps` is not 1."""
    made = [np.zeros([steps * size for size in each.shape], each.dtype) for each in results]
    return [each[(slice(None, None, steps),) * each.ndim] for each in made]


@pytest.mark.parametrize(("module", "name"), functions(several=True))
def test_each_result_goes_to_an_array_of_its_own(module: ModuleType, name: str) -> None:
    expected = called_as_in_its_example(module, name)
    for steps in (1, 2):
        for _ in range(3):
            out = _zeros(expected, steps)
            made = called_as_in_its_example(module, name, out=out)
            assert all(one is other for one, other in zip(made, out, strict=True))
            assert type(made) is type(expected)
            for one, other in zip(made, expected, strict=True):
                assert_same_bits(np.ascontiguousarray(one).reshape(other.shape), np.ascontiguousarray(other))


@pytest.mark.parametrize(("module", "name"), functions(several=True))
def test_all_of_several_arrays_are_looked_at_first(module: ModuleType, name: str) -> None:
    expected = called_as_in_its_example(module, name)
    last = len(expected) - 1
    readonly, several = _zeros(expected, 1), _zeros(expected, 1)
    readonly[-1].flags.writeable = False
    cases: list[tuple[Any, type[Exception], str]] = [
        ([*several[:-1], np.zeros((99, 99), several[-1].dtype)], InvalidValueError, rf"out\[{last}\] has sizes"),
        ([*several[:-1], several[-1].astype("S1")], InvalidTypeError, rf"out\[{last}\] has dtype"),
        (readonly, InvalidValueError, rf"out\[{last}\] is read-only"),
        (several[:-1], InvalidValueError, f"out has {last} arrays, allowed {last + 1}: one for each result"),
        (7, InvalidTypeError, "out is 7, allowed a sequence of arrays, one for each result"),
    ]
    for out, error, text in cases:
        with pytest.raises(error, match=text) as raised:
            called_as_in_its_example(module, name, out=out)
        assert raised.value.subject
    assert not any(each.any() for each in (*readonly, *several) if each.dtype != object)


def test_parts_may_go_to_the_data_itself() -> None:
    data = np.arange(6)
    made = wh.split(data, [2, 4], out=[data[4:], data[:4]])
    assert data.tolist() == [2, 3, 4, 5, 0, 1]
    assert [each.tolist() for each in made] == [[0, 1], [2, 3, 4, 5]]
    with pytest.raises(InvalidValueError, match=r"wherry.split: out\[1\] shares memory with out\[0\]"):
        wh.split(data, 2, out=[data[:3], data[2:5]])
    assert data.tolist() == [2, 3, 4, 5, 0, 1]
