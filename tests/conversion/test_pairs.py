"""Every family of operators from every dialect to every other: the same bits on wherry, ONNX Runtime and OpenVINO."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wherry as wh
from tests.conversion import layers, onnx_nodes
from tests.conversion.running import assert_same_results, on_onnxruntime, on_openvino, on_wherry
from tests.conversion.sites import Use
from tests.conversion.strategies import USES, uses
from tests.differential.onnxruntime_runtime import Refused
from tests.differential.openvino_runtime import CrashedError, OpenVINORuntime, RefusedError
from tests.support.own import own
from wherry.errors import SCREEN, ConversionError, IndexOutOfRangeError, InvalidValueError
from wherry.models.model import Model
from wherry.ops import Operator

DIALECTS = ("onnx", "openvino", "directml")

EXAMPLES = 3

RAN: Counter[str] = Counter()


def results_of(model: Model, inputs: Mapping[str, np.ndarray]) -> Mapping[str, np.ndarray] | None:
    """Return the results, or None where an index is refused."""
    try:
        return on_wherry(model, inputs)
    except IndexOutOfRangeError:
        return None


def converted(model: Model, dialect: str, use: Use) -> Model | None:
    try:
        return wh.convert(model, dialect, inputs=list(use.given))
    except ConversionError as error:
        assert error.findings
        told = str(error).split("\n...")[0]  # a screen at most, of whole findings
        listed = [str(finding) for finding in error.findings if finding.effect != "note"]
        count = sum(line in told for line in listed)
        assert count == len(listed) or len(told) > SCREEN // 2
        assert all(line in told for line in listed[: told.count("\n")])
        return None


def check_onnxruntime(model: Model, use: Use, expected: Mapping[str, np.ndarray]) -> None:
    """Compare with ONNX Runtime, which must take the model unless one of its nodes is known to differ."""
    found = on_onnxruntime(model, use.given)
    try:
        assert not isinstance(found, Refused), found
        assert_same_results(found, expected)
    except AssertionError:
        if onnx_nodes.known_difference(wh.onnx.to_proto(model, model.options["opset"]), use.given) is None:
            raise
        RAN["onnx differs"] += 1
    else:
        RAN["onnx"] += 1


def check_openvino(
    model: Model, use: Use, expected: Mapping[str, np.ndarray], runtime: OpenVINORuntime, to: Path
) -> None:
    """Compare with OpenVINO, which must take the model unless one of its layers is known to differ."""
    try:
        assert_same_results(on_openvino(model, use.given, runtime, to), expected)
    except (AssertionError, CrashedError, RefusedError):
        if layers.known_difference(model, use.given, to) is None:
            raise
        RAN["openvino differs"] += 1
    else:
        RAN["openvino"] += 1


@pytest.mark.filterwarnings("ignore::wherry.errors.IndexOutOfRangeWarning")  # by rule, of some of the values drawn
@pytest.mark.parametrize("name", USES)
def test_all_pairs_of_dialects(name: str, openvino: OpenVINORuntime, tmp_path: Path) -> None:
    @settings(max_examples=EXAMPLES)
    @given(draw=st.data())
    def pairs(draw: st.DataObject) -> None:
        use: Use = draw.draw(uses(USES[name]))
        try:
            model = use.model()
        except InvalidValueError:
            return  # a size that a mask or a step does not allow
        expected = results_of(model, use.given)
        for first in DIALECTS:
            there = converted(model, first, use)
            if there is None:
                continue
            check(there, use, expected)
            for second in DIALECTS:
                back = converted(there, second, use) if second != first else None
                if back is not None and first != "directml":
                    check(back, use, expected)
                elif back is not None:
                    check_from_directml(back, there, use, expected)

    def check(model: Model, use: Use, expected: Mapping[str, np.ndarray] | None) -> None:
        found = results_of(model, use.given)
        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            assert_same_results(found, expected)
            RAN["wherry"] += 1
            if model.dialect == "onnx":
                check_onnxruntime(model, use, expected)
            elif model.dialect == "openvino":
                check_openvino(model, use, expected, openvino, tmp_path)

    def check_from_directml(model: Model, there: Model, use: Use, expected: Mapping[str, np.ndarray] | None) -> None:
        """Inputs have the sizes that DirectML reads them in, and the types that carry theirs."""
        carried = {name: on_buffer(there, name, array) for name, array in use.given.items() if name in model.inputs}
        shaped = {name: array.reshape(model.inputs[name].shape) for name, array in carried.items()}
        found = own(model).run(shaped)
        assert expected is not None
        assert_same_results(found, expected)
        RAN["from directml"] += 1

    pairs()


def on_buffer(model: Model, name: str, array: np.ndarray) -> np.ndarray:
    dtype = model.inputs[name].numpy
    return array if array.dtype == dtype else np.ascontiguousarray(array).view(dtype)


def test_the_runtimes_took_part() -> None:
    if not RAN:
        pytest.skip("counts what the tests above did, which were not selected")
    assert min(RAN[name] for name in ("wherry", "onnx", "openvino", "from directml")) > 100, RAN
    for runtime in ("onnx", "openvino"):
        assert RAN[runtime] > 9 * RAN[f"{runtime} differs"], RAN


ARITHMETIC = ("arithmetic", "elementwise", "division", "extremes", "reduce", "comparison")
"""The files of ops/ whose operators tests/conversion/test_arithmetic.py converts."""


def test_uses_cover_the_operators() -> None:
    """Operators that no strategy has are those of one dialect, or have a test of their own."""
    from wherry import ops

    seen: set[str] = set()
    for strategy in USES.values():

        @settings(max_examples=20, database=None)
        @given(use=uses(strategy))
        def collect(use: Use) -> None:
            operator = use.operator
            seen.add(type(operator).__name__ if isinstance(operator, Operator) else operator.build.__name__)

        collect()
    every = {
        name for name in ops.__all__ if isinstance(kind := getattr(ops, name), type) and issubclass(kind, Operator)
    }
    alone = {"AsStrided", "Concat", "Constant", "GatherTree", "NonZeroCoordinates", "ScaleBias"}
    alone |= {"StringPack", "StringUnpack"}
    arithmetic = {name for name in every if getattr(ops, name).__module__.rpartition(".")[2] in ARITHMETIC}
    assert every - seen - alone - arithmetic <= {"Operator"}
    assert len(arithmetic) >= 10
