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
from tests.conversion.layers import known_difference
from tests.conversion.running import assert_same_results, on_onnxruntime, on_openvino, on_wherry
from tests.conversion.sites import Use
from tests.conversion.strategies import USES
from tests.differential.onnxruntime_runtime import Refused
from tests.differential.openvino_runtime import OpenVINORuntime
from wherry.errors import ConversionError, IndexOutOfRangeError, InvalidValueError
from wherry.graph import Deferred
from wherry.model import Model
from wherry.ops import NonZero, Operator

DIALECTS = ("onnx", "openvino", "directml")

EXAMPLES = 6

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
        assert all(str(finding) in str(error) for finding in error.findings if finding.effect != "note")
        return None


def is_known_of_onnxruntime(model: Model) -> bool:
    """ONNX Runtime 1.31 gives an element without axes a coordinate."""
    types = model.graph.types
    return any(
        node.operator.build is NonZero and types[node.inputs[0]].ndim == 0
        for node in model.graph.nodes
        if isinstance(node.operator, Deferred)
    )


def check_onnxruntime(model: Model, use: Use, expected: Mapping[str, np.ndarray]) -> None:
    """Compare with ONNX Runtime, where it has kernels for the types."""
    if any(kind.numpy.hasobject for kind in model.graph.types.values()) or is_known_of_onnxruntime(model):
        return
    found = on_onnxruntime(model, use.given)
    if isinstance(found, Refused):
        assert "NOT_IMPLEMENTED" in found.words or "Indices tensor must have rank >= 1" in found.words, found
        return
    assert_same_results(found, expected)
    RAN["onnx"] += 1


def check_openvino(
    model: Model, use: Use, expected: Mapping[str, np.ndarray], runtime: OpenVINORuntime, to: Path
) -> None:
    """Compare with OpenVINO, which must take the model unless one of its layers is known to differ."""
    if known_difference(model, use.given, to) is not None:
        RAN["openvino differs"] += 1
        return
    assert_same_results(on_openvino(model, use.given, runtime, to), expected)
    RAN["openvino"] += 1


@pytest.mark.filterwarnings("ignore::wherry.errors.IndexOutOfRangeWarning")  # by rule, of some of the values drawn
@pytest.mark.parametrize("name", USES)
def test_all_pairs_of_dialects(name: str, openvino: OpenVINORuntime, tmp_path: Path) -> None:
    @settings(max_examples=EXAMPLES)
    @given(draw=st.data())
    def pairs(draw: st.DataObject) -> None:
        use: Use = draw.draw(st.composite(USES[name])())
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
        found = model.run(shaped)
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
    assert RAN["openvino"] > 9 * RAN["openvino differs"], RAN


def test_uses_cover_the_operators() -> None:
    """Operators that no strategy has are those of one dialect, or have a test of their own."""
    from wherry import ops

    seen: set[str] = set()
    for strategy in USES.values():

        @settings(max_examples=12, database=None)
        @given(use=st.composite(strategy)())
        def collect(use: Use) -> None:
            operator = use.operator
            seen.add(type(operator).__name__ if isinstance(operator, Operator) else operator.build.__name__)

        collect()
    every = {
        name for name in ops.__all__ if isinstance(kind := getattr(ops, name), type) and issubclass(kind, Operator)
    }
    alone = {"GatherTree", "ScaleBias", "NonZeroCoordinates", "StringPack", "StringUnpack", "Join", "Literal"}
    assert every - seen - alone <= {"Operator"}
