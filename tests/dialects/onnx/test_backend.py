"""The onnx package's own node tests on wherry, and the backend's interface.

Included are all cases whose operators are in the table; what they hold and wherry does not take is listed, with its
reason, in tests/differential/node_tests.py.
"""

import re
import unittest
import warnings
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from onnx import helper, numpy_helper
from onnx.backend.test import BackendTest
from onnx.backend.test.case.node import collect_testcases
from onnx.backend.test.case.test_case import TestCase

import wherry as wh
from tests.differential.node_tests import EXCLUDED_NODE_TESTS, SUMS_OF_FLOATS
from tests.support.compare import assert_same_bits
from wherry.dialects.onnx.table import NAMES
from wherry.errors import InvalidValueError, UnsupportedError

F = np.arange(6, dtype=np.float32)


@cache
def cases() -> dict[str, TestCase]:
    """The package's node tests by name. It computes them all, for seconds: so not where the tests are collected."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the cases of other operators overflow while they are made
        return {case.name: case for case in collect_testcases(None) if case.model is not None}


@cache
def ours() -> set[str]:
    """The names of those whose operators are in the table."""
    return {name for name, case in cases().items() if {node.op_type for node in case.model.graph.node} <= NAMES}


@cache
def sums_of_floats() -> set[str]:
    """The names of those that wherry refuses because they sum floats."""
    models = {name: cases()[name].model for name in ours()}
    summing = [name for name, model in models.items() if SUMS_OF_FLOATS & {node.op_type for node in model.graph.node}]
    return {name for name in summing if not wh.onnx.Backend.is_compatible(models[name])}


@cache
def included() -> set[str]:
    return ours() - EXCLUDED_NODE_TESTS.keys() - sums_of_floats()


@cache
def node_tests() -> type[unittest.TestCase]:
    """The package's own tests of our backend."""
    runner = BackendTest(wh.onnx.Backend, __name__)
    for name in included():
        runner.include(f"^{re.escape(name)}_cpu$")
    return runner.test_cases["OnnxBackendNodeModelTest"]


ONE_NODE = {
    "Abs": 1, "Add": 8, "And": 8, "ArgMax": 16, "ArgMin": 16, "BitwiseAnd": 4, "BitwiseNot": 3, "BitwiseOr": 4,
    "BitwiseXor": 4, "Cast": 116, "CastLike": 56, "Clip": 12, "Col2Im": 5, "Compress": 5, "Concat": 12, "Constant": 1,
    "ConstantOfShape": 3, "CumProd": 2, "CumSum": 2, "DepthToSpace": 2, "Div": 10, "Equal": 10, "Expand": 2,
    "EyeLike": 3, "Flatten": 9, "Gather": 4, "GatherElements": 3, "GatherND": 3, "Greater": 8, "GreaterOrEqual": 8,
    "Identity": 3, "Less": 8, "LessOrEqual": 8, "Max": 14, "Min": 14, "Mod": 19, "Mul": 9, "Neg": 2, "NonZero": 1,
    "Not": 3, "OneHot": 6, "Or": 8, "Pad": 6, "Range": 4, "ReduceMax": 11, "ReduceMin": 10, "ReduceProd": 0,
    "ReduceSum": 0, "Reshape": 10, "ReverseSequence": 3, "Scatter": 2, "ScatterElements": 7, "ScatterND": 7,
    "Shape": 11, "Sign": 1, "Size": 2, "Slice": 8, "SpaceToDepth": 4, "Split": 16, "Squeeze": 2, "Sub": 9,
    "TensorScatter": 3, "Tile": 2, "Transpose": 7, "Trilu": 18, "Unique": 7, "Unsqueeze": 7, "Where": 2, "Xor": 8,
}  # fmt: skip
"""How many cases of one node there are for each operator in onnx 1.23.2."""


RANGES = {"INT2": (-2, 1), "UINT2": (0, 3), "INT4": (-8, 7), "UINT4": (0, 15)}
ROUNDED = re.compile(f"test_cast(?:like)?_FLOAT(?:16)?_to_({'|'.join(RANGES)})(?:_expanded)?")
"""Cases that cast floats to these types, also of numbers outside their ranges: Cast leaves undefined what becomes of
them, and what the package expects is what ml_dtypes gives, the lowest bits before version 0.7, and 0 since."""


@pytest.mark.parametrize("operator", ONE_NODE)
def test_the_cases_of_an_operator(operator: str) -> None:
    names = [name for name in included() if [n.op_type for n in cases()[name].model.graph.node] == [operator]]
    assert len(names) == ONE_NODE[operator]
    _pass(names)


def test_the_cases_of_several_nodes() -> None:
    """Functions of ONNX as the operators that they are made of."""
    _pass([name for name in included() if len(cases()[name].model.graph.node) > 1])


def _pass(names: Sequence[str]) -> None:
    whole = [name for name in names if not ROUNDED.fullmatch(name)]
    suite = unittest.TestSuite(node_tests()(f"{name}_cpu") for name in whole)
    result = unittest.TestResult()
    suite.run(result)
    assert not result.failures + result.errors, "\n".join(words for _, words in result.failures + result.errors)
    assert result.testsRun == len(whole)
    assert not result.skipped
    for name in set(names).difference(whole):
        _pass_in_range(name)


def _pass_in_range(name: str) -> None:
    least, most = RANGES[ROUNDED.fullmatch(name)[1]]
    assert cases()[name].data_sets
    for data_set in cases()[name].data_sets:
        inputs, (expected,) = ([numpy_helper.to_array(tensor) for tensor in tensors] for tensors in data_set)
        (result,) = wh.onnx.Backend.run_model(cases()[name].model, inputs)
        whole = np.trunc(inputs[0].astype(np.float32))
        defined = (least <= whole) & (whole <= most)
        assert defined.any()
        assert result.shape == defined.shape
        assert_same_bits(result[defined], expected[defined])


def test_the_cases_of_each_operator_are_included() -> None:
    assert ONE_NODE.keys() == NAMES
    several = sum(len(cases()[name].model.graph.node) > 1 for name in included())
    assert sum(ONE_NODE.values()) == len(included()) - several
    assert (len(cases()), len(ours()), len(EXCLUDED_NODE_TESTS), several) == (1884, 735, 2, 67)


@pytest.mark.parametrize("name", EXCLUDED_NODE_TESTS)
def test_excluded_cases_are_refused_by_name(name: str) -> None:
    assert name in ours()
    with pytest.raises(UnsupportedError, match="is of a type that wherry does not have, allowed tensors"):
        wh.onnx.Backend.prepare(cases()[name].model)
    assert not wh.onnx.Backend.is_compatible(cases()[name].model)


def test_sums_of_floats_are_refused() -> None:
    for name in sums_of_floats():
        with pytest.raises(UnsupportedError, match="the result of floats depends on the order of the sum or product"):
            wh.onnx.Backend.prepare(cases()[name].model)
    assert len(sums_of_floats()) == 64


def test_is_compatible_tells_the_models_apart() -> None:
    for name, case in cases().items():
        if name in included():
            assert wh.onnx.Backend.is_compatible(case.model), name
        elif not {node.op_type for node in case.model.graph.node} <= NAMES:
            assert not wh.onnx.Backend.is_compatible(case.model), name


def test_run_node_runs_the_version_of_the_opset() -> None:
    split = helper.make_node("Split", ["x"], ["a", "b"])
    first, second = wh.onnx.Backend.run_node(split, [F], opset_version=13)
    assert_same_bits(first, F[:3])
    assert_same_bits(second, F[3:])
    with pytest.raises(InvalidValueError, match=r"^ONNX Split-18 'a': split and num_outputs are both missing"):
        wh.onnx.Backend.run_node(split, [F])


def test_outputs_are_found_by_name_too() -> None:
    outputs = wh.onnx.Backend.run_node(helper.make_node("Split", ["x"], ["a", "b"], num_outputs=2), {"x": F})
    assert_same_bits(outputs["b"], F[3:])
    assert outputs.a is outputs[0]


def test_a_name_read_twice_is_fed_once_or_twice() -> None:
    concat = helper.make_node("Concat", ["x", "x"], ["y"], axis=0)
    for inputs in ([F], [F, F]):
        assert_same_bits(wh.onnx.Backend.run_node(concat, inputs)[0], np.concatenate([F, F]))
    with pytest.raises(InvalidValueError, match="ONNX backend: inputs has 3 arrays, allowed 1: one for each of x"):
        wh.onnx.Backend.run_node(concat, [F, F, F])


def test_run_model() -> None:
    data = np.arange(120, dtype=np.float32).reshape(5, 4, 3, 2)
    (result,) = wh.onnx.Backend.run_model(cases()["test_gather_0"].model, [data, np.array([0, 1, 3])])
    assert_same_bits(result, data[[0, 1, 3]])


def test_a_single_array_needs_no_list() -> None:
    rep = wh.onnx.Backend.prepare(cases()["test_identity"].model)
    data = np.zeros((1, 1, 2, 2), np.float32)
    assert_same_bits(rep.run(data)[0], data)
    with pytest.raises(InvalidValueError, match="inputs has 2 arrays, allowed 1"):
        rep.run([data, data])


def test_devices() -> None:
    assert wh.onnx.Backend.supports_device("CPU")
    assert wh.onnx.Backend.supports_device("cpu:0")
    assert not wh.onnx.Backend.supports_device("CUDA")
    with pytest.raises(UnsupportedError, match="ONNX backend: device is 'CUDA', allowed 'CPU'"):
        wh.onnx.Backend.prepare(cases()["test_identity"].model, "CUDA")


def test_unknown_keywords_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="keywords are 'speed', allowed none"):
        wh.onnx.Backend.prepare(cases()["test_identity"].model, speed=2)


def test_the_package_is_told_of_when_it_is_missing() -> None:
    import subprocess
    import sys

    code = (
        "import sys; sys.modules['onnx'] = None\n"
        "import wherry as wh\n"
        "print(wh.onnx.gather([1, 2], [1]))\n"
        "for name in ('read', 'write', 'Backend'):\n"
        "    try: getattr(wh.onnx, name)\n"
        "    except ImportError as error: print(type(error).__name__, error)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lines = run.stdout.splitlines()
    assert lines[0] == "[2]"
    assert [line.split()[0] for line in lines[1:]] == ["MissingDependencyError"] * 3
    assert "reading ONNX files needs the package onnx; install it with: pip install 'wherry[onnx]'" in lines[1]


def test_importing_the_dialect_does_not_import_onnx() -> None:
    import subprocess
    import sys

    code = "import sys, wherry as wh; wh.onnx.gather([1, 2], [1]); print('onnx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
