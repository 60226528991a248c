"""What check calls refused is refused, and what it does not is taken, on the node tests of the onnx package."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from warnings import catch_warnings

import onnx
import pytest
from onnx.backend.test.case.node import collect_testcases

import wherry as wh
from tests.differential.node_tests import SUMS_OF_FLOATS
from wherry.dialects.onnx.table import NAMES
from wherry.models.model import GraphModel
from wherry.portability.finding import Severity
from wherry.runtimes.onnxruntime import OnnxRuntime
from wherry.runtimes.openvino import core

_ONE_OF = 8
"""Of the models that nothing is said of, so many are left out for one that is tried: to compile them takes time."""


def judged() -> Iterator[tuple[onnx.ModelProto, GraphModel]]:
    """Yield the models of one node that is judged."""
    with catch_warnings(action="ignore"):
        cases = collect_testcases(None)
    for case in cases:
        operators = [] if case.model is None else [node.op_type for node in case.model.graph.node]
        if len(operators) != 1 or operators[0] not in NAMES - SUMS_OF_FLOATS:  # sums are not judged
            continue
        model = wh.load(case.model)
        assert isinstance(model, GraphModel)
        if not model.graph.opaque:
            yield case.model, model


def onnxruntime_takes() -> Callable[[bytes], bool]:
    package = OnnxRuntime.imported()
    options = package.SessionOptions()
    options.log_severity_level = 4

    def takes(content: bytes) -> bool:
        try:
            package.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        except Exception:  # it has many kinds
            return False
        return True

    return takes


def openvino_takes() -> Callable[[bytes], bool]:
    def takes(content: bytes) -> bool:
        try:
            core().compile_model(core().read_model(content), "CPU")
        except RuntimeError:
            return False
        return True

    return takes


def test_a_model_is_refused_where_check_says_so_and_nowhere_else() -> None:
    """A `maybe` may be either; a model of which something is not judged too."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("openvino")
    runtimes = {"onnxruntime": onnxruntime_takes(), "openvino": openvino_takes()}
    tried: Counter[tuple[str, str]] = Counter()
    for place, (proto, model) in enumerate(judged()):
        report = wh.check(model, list(runtimes))
        left_out = {target for (target, _), _, _ in report.left_out}
        for name, takes in runtimes.items():
            found = {one.severity for one in report.findings if one.target == name and "refuse" in str(one.witness)}
            if Severity.REFUSED in found:
                assert not takes(proto.SerializeToString()), (proto.graph.name, name)
                tried[name, "refused"] += 1
            elif not found and name not in left_out and place % _ONE_OF == 0:
                assert takes(proto.SerializeToString()), (proto.graph.name, name)
                tried[name, "taken"] += 1
    assert tried["onnxruntime", "refused"] >= 120
    assert tried["openvino", "refused"] >= 80
    assert min(tried["onnxruntime", "taken"], tried["openvino", "taken"]) >= 50
