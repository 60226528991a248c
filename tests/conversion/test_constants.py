"""Constants of every element type through every dialect and its file: the same bits, or a refusal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wherry as wh
from wherry import dtypes
from wherry.dialects.onnx.tensor_data import encode
from wherry.dtypes import DType
from wherry.errors import ConversionError, InvalidTypeError, InvalidValueError
from wherry.graph import GraphBuilder
from wherry.models.model import GraphModel, Model
from wherry.ops import Cast, Concat, Constant, Fill, Identity, Pad
from wherry.tensors import TensorType

FILES = {"onnx": "m.onnx", "openvino": "m.xml", "directml": "m.json"}

COMPARED: Counter[str] = Counter()


def joined(row: DType, values: np.ndarray) -> GraphModel:
    builder = GraphBuilder()
    builder.add_input("x", TensorType(row, (1,)))
    builder.add_constant("c", values, TensorType(row, values.shape))
    builder.add(Concat(0), ["c", "x"], ["y"], "test Concat")
    return GraphModel(builder.build(["y"]), "onnx")


def filled(row: DType, values: np.ndarray) -> GraphModel:
    builder = GraphBuilder()
    builder.add_input("x", TensorType(row, (1,)))
    builder.add(Fill(values[0], (3,)), [], ["f"], "test Fill")
    builder.add(Concat(0), ["f", "x"], ["y"], "test Concat")
    return GraphModel(builder.build(["y"]), "onnx")


def padded(row: DType, values: np.ndarray) -> GraphModel:
    builder = GraphBuilder()
    builder.add_input("x", TensorType(row, (1,)))
    builder.add(Pad((1,), (2,), value=Constant(values[:1])), ["x"], ["y"], "test Pad")
    return GraphModel(builder.build(["y"]), "onnx")


def defaulted(row: DType, values: np.ndarray) -> GraphModel:
    builder = GraphBuilder()
    builder.add_input("d", TensorType(row, values.shape))
    builder.add_input("x", TensorType(row, (1,)))
    builder.add(Identity(), ["d"], ["copied"], "test Identity")
    builder.add(Concat(0), ["copied", "x"], ["y"], "test Concat")
    return GraphModel(builder.build(["y"]), "onnx", {"d": values})


MODELS: dict[str, Callable[[DType, np.ndarray], GraphModel]] = {
    "constant": joined,
    "value of Fill": filled,
    "value of Pad": padded,
    "value of an input": defaulted,
}

EXTREMES = (0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 5e-324, 1e-45, 6e-8, 65504.0, 3.4028235e38, 1.7e308)

TEXTS = st.text(max_size=4) | st.sampled_from(["\0", "a\0", "\0b", "\udcff", "\ud800", "x" * 1000])


def elements(row: DType) -> st.SearchStrategy[np.ndarray]:
    """Any bits that the type has; text of any kind."""
    if row.is_string:
        return st.lists(TEXTS, min_size=1, max_size=4).map(lambda texts: np.array(texts, object))
    width = row.numpy.itemsize
    raw = st.lists(st.binary(min_size=width, max_size=width), min_size=1, max_size=9)
    codes = raw.map(lambda parts: np.frombuffer(b"".join(parts), np.uint8) & np.uint8(2 ** min(row.bits, 8) - 1))
    bits = codes.map(lambda found: found.view(row.numpy))
    if row.kind not in ("float", "complex"):
        return bits
    with np.errstate(all="ignore"):
        extremes = np.array(EXTREMES).astype(row.numpy)
    return bits | st.just(extremes)


def contents(array: np.ndarray) -> object:
    return array.tolist() if array.dtype.hasobject else array.tobytes()


def results(model: Model, x: np.ndarray) -> np.ndarray:
    given = x if model.inputs["x"].numpy == x.dtype else x.view(model.inputs["x"].numpy)
    return model.run({"x": given})["y"]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NaN in types that have none
@pytest.mark.parametrize(
    ("row", "what"),
    [(row, what) for row in dtypes.TABLE for what in MODELS if row.has_own_numpy or what != "value of Fill"],
    ids=str,
)
def test_constants_keep_their_bits(row: DType, what: str, tmp_path: Path) -> None:
    @settings(max_examples=4)
    @given(values=elements(row))
    def keep(values: np.ndarray) -> None:
        x = values[:1].copy()
        model = MODELS[what](row, values)
        expected = contents(results(model, x))
        for dialect, name in FILES.items():
            try:
                converted = wh.convert(model, dialect, opset=25 if dialect == "onnx" else None)
            except ConversionError as error:
                assert error.findings
                continue
            assert contents(results(converted, x)) == expected
            wh.save(converted, tmp_path / name)
            assert contents(results(wh.load(tmp_path / name), x)) == expected
            COMPARED[f"{dialect} {row}"] += 1

    keep()


def test_every_type_of_a_dialect_was_compared() -> None:
    if not COMPARED:
        pytest.skip("counts what the tests above did, which were not selected")
    least = {"onnx": 24, "openvino": 20, "directml": 12}
    for dialect, count in least.items():
        assert sum(key.startswith(f"{dialect} ") for key in COMPARED) >= count, COMPARED


@pytest.mark.parametrize(("values", "error", "words"), [
    (np.array(["\ud800"], object), InvalidValueError, r"element 0 is '\\ud800', allowed what UTF-8 has"),
    (np.array(["a", None], object), InvalidTypeError, "element 1 is a NoneType, allowed str or bytes"),
    (np.array([0, 0x1C], np.uint8).view(dtypes.find("float4_e2m1fn").numpy), InvalidValueError,
     r"element 1 has the code 28, allowed 0\.\.15 in float4_e2m1fn"),
])  # fmt: skip
def test_elements_that_a_file_cannot_hold(values: np.ndarray, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        encode(values, "c")
    with pytest.raises(ConversionError, match=words):
        wh.convert(joined(dtypes.find(values.dtype), values), "openvino")


def test_bytes_that_are_no_utf8_are_kept_by_openvino_only() -> None:
    model = joined(dtypes.STRING, np.array([b"\xff\xfe"], object))
    assert wh.convert(model, "openvino").run({"x": np.array(["q"], object)})["y"].tolist() == ["\udcff\udcfe", "q"]
    with pytest.raises(ConversionError, match="allowed what UTF-8 has"):
        wh.convert(model, "onnx")


CASTS = [dtypes.find(name) for name in ("bool", "int8", "uint16", "int32", "int64", "uint64", "float16", "float32",
                                        "float64", "bfloat16", "float8_e5m2", "string")]  # fmt: skip

NUMBERS = (0, -0.0, 1, -1, 0.5, 255, 256, 65504, 65519, 65520, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**63,
           -(2**31) - 1, 1e300, np.inf, -np.inf, np.nan, 5e-324, 1e-45)  # fmt: skip


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("source", CASTS, ids=str)
def test_casts_convert_or_are_refused(source: DType) -> None:
    """One of each kind and width to every other, by both rules for what does not fit."""
    if source.is_string:
        values = np.array(["1", "2.5", "-3"], object)
    else:
        with np.errstate(all="ignore"):
            values = np.array(NUMBERS).astype(source.numpy)
    compared = 0
    for target in CASTS:
        for rule in (
            {},
            {"float_overflow": "saturate"} if target.kind == "float" else {"integer_overflow": "saturate"},
        ):
            builder = GraphBuilder()
            builder.add_input("x", TensorType(source, values.shape))
            try:
                builder.add(Cast(target, **rule), ["x"], ["y"], "test Cast")
                model = GraphModel(builder.build(["y"]), "onnx")
                expected = contents(results(model, values))
            except (InvalidTypeError, InvalidValueError):
                continue  # no such cast, or no such number in a string
            for dialect in ("openvino", "directml"):
                try:
                    converted = wh.convert(model, dialect)
                except ConversionError as error:
                    assert error.findings
                    continue
                assert contents(results(converted, values)) == expected
                compared += 1
    assert compared > 5, source
