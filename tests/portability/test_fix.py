"""wherry.fix: behind guards two runtimes that parted give the same bits, and legal inputs keep their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper

import wherry as wh
from tests.portability.models import ALL, BAD, DATA, FLOAT, INDEXED, INT32, INT64, X, model, node
from wherry.errors import InvalidValueError, UnsupportedError
from wherry.portability.finding import Finding
from wherry.portability.fix import Fixed, fixed
from wherry.runtimes.onnxruntime import OnnxRuntime
from wherry.runtimes.openvino import OpenVINO, core

Array = np.ndarray
Feeds = Mapping[str, Any]

BOTH = ("onnxruntime", "openvino")
FAR = [2**32 + 1, -(2**33) - 2, 2**62, 2**31]
"""Indices that do not fit 32 bits."""


@cache
def onnxruntime_on(content: bytes) -> Callable[[Feeds], list[Array]]:
    package = OnnxRuntime.imported()
    options = package.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = package.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    return lambda feeds: list(session.run(None, dict(feeds)))


@cache
def openvino_on(content: bytes) -> Callable[[Feeds], list[Array]]:
    model = core().read_model(content)
    # Ports of the compiled model may have further names: of results of nodes that it leaves out.
    names = [port.any_name for port in model.inputs]
    compiled = core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})

    def run(feeds: Feeds) -> list[Array]:
        results = compiled([feeds[name] for name in names])
        return [np.array(results[port]) for port in compiled.outputs]

    return run


@pytest.fixture(autouse=True, scope="module")
def forget_sessions() -> Iterator[None]:
    """Let go of what was compiled before the interpreter ends: OpenVINO's plugin is gone then."""
    yield
    onnxruntime_on.cache_clear()
    openvino_on.cache_clear()


RUN = {"onnxruntime": onnxruntime_on, "openvino": openvino_on}


def answers(proto: onnx.ModelProto, feeds: Feeds, names: Sequence[str] = BOTH) -> list[list[bytes] | None]:
    """What both runtimes make of a model: types, sizes and bits of its outputs; None for a refusal."""
    found: list[list[bytes] | None] = []
    for name in names:
        try:
            made = RUN[name](proto.SerializeToString())(feeds)
        except Exception:  # each runtime has errors of its own
            found.append(None)
        else:
            found.append([f"{one.dtype}{one.shape}".encode() + one.tobytes() for one in made])
    return found


def feeds_of(values: Mapping[str, Any], proto: onnx.ModelProto) -> dict[str, Array]:
    types = {one.name: helper.tensor_dtype_to_np_dtype(one.type.tensor_type.elem_type) for one in proto.graph.input}
    return {name: np.asarray(value, types[name]) for name, value in values.items()}


def written(found: Fixed) -> onnx.ModelProto:
    proto = wh.onnx.to_proto(found.model, found.model.options["opset"])
    onnx.checker.check_model(proto, full_check=True)
    return proto


def prove(proto: onnx.ModelProto, found: Fixed, legal: Sequence[Feeds], bad: Sequence[Feeds]) -> int:
    """Compare both runtimes before and after, on legal and bad inputs; return how many answers were compared."""
    after, compared = written(found), 0
    for values in legal:
        feeds = feeds_of(values, proto)
        first, other = answers(proto, feeds)
        assert first is not None
        assert answers(after, feeds) == [first, other] == [first, first]
        compared += 2
    for values in bad:
        feeds = feeds_of(values, proto)
        if any(one.op_type.startswith("Scatter") for one in proto.graph.node):
            refused, *_ = answers(proto, feeds, BOTH[:1])  # OpenVINO writes there, wherever that is
            assert refused is None
        else:
            first, other = answers(proto, feeds)
            assert first != other or first is None
        first, other = answers(after, feeds)
        assert first == other
        compared += 1
    return compared


@dataclass(frozen=True)
class Trial:
    """A model, what is written around its node, and inputs that it takes and refuses."""

    build: Callable[[], onnx.ModelProto]
    by: str
    legal: Sequence[Feeds]
    bad: Sequence[Feeds]
    bad_index: str = "clamp"
    left: Sequence[str] = ()
    targets: Sequence[str] = BOTH
    bad_is: Callable[[Feeds], Any] | None = None
    """What the first output is on a bad input."""
    only_after: Sequence[Feeds] = ()
    """Bad inputs that are run behind the guard alone: without it the process may end, or both may agree by chance."""


MATRIX = np.arange(15, dtype=np.float32).reshape(3, 5)
ZEROS = np.array([-0.0, np.nan, 0.0, -1.0, np.inf], np.float32)
TUPLES = [[0, 0], [2, 4], [-3, -5], [1, -1]]
BAD_TUPLES = [[0, 0], [3, 4], [-4, 0], [2, 9]]
UPDATES = np.array([50, 60, 70, 80], np.float32)


def cut(indices: Any, size: int) -> Array:
    return np.clip(np.asarray(indices, np.int64).astype(np.int32), -size, size - 1)


def taken(data: Array, indices: Any) -> Array:
    """The elements that indices name, zeros for bad ones."""
    near = np.asarray(indices, np.int64).astype(np.int32)
    return np.where((near >= -len(data)) & (near < len(data)), data[cut(indices, len(data))], np.float32(0))


def put(data: Array, indices: Any, updates: Array) -> Array:
    made = data.copy()
    for index, update in zip(np.asarray(indices).tolist(), updates, strict=True):
        places = index if isinstance(index, list) else [index]
        if all(-size <= place < size for place, size in zip(places, data.shape, strict=False)):
            made[tuple(places)] = update
    return made


def cast(kind: int, to: int, size: int = 5) -> onnx.ModelProto:
    return model([node("Cast", "x", to=to)], {"x": (kind, [size])})


def divided(operator: str, kind: int, by: Sequence[int] | None = None, **attributes: int) -> onnx.ModelProto:
    inputs = {"a": (kind, [5]), "b": (kind, [5])} if by is None else {"a": (kind, [5])}
    constants = None if by is None else {"b": np.array(by, helper.tensor_dtype_to_np_dtype(kind))}
    return model([node(operator, "a b", **attributes)], inputs, constants)


PADDED = "Cast-13, Clip-13, Cast-13, Max-13, Split-13, Neg-13, Max-13, Less-13, Where-16, Slice-13"


def if_model() -> onnx.ModelProto:
    branches = [
        helper.make_graph([node(operator, "x i" if operator == "Gather" else "x", "z")], operator, [],
                          [helper.make_tensor_value_info("z", FLOAT, None)])
        for operator in ("Gather", "Identity")
    ]  # fmt: skip
    choose = helper.make_node("If", ["c"], ["w"], "choose", then_branch=branches[0], else_branch=branches[1])
    return model([node("Gather", "x i"), choose], {**INDEXED, "c": (TensorProto.BOOL, [])}, outputs=["y", "w"])


TRIALS: Mapping[str, Trial] = {
    "a Gather": Trial(
        lambda: model([node("Gather", "x i")], INDEXED), "Cast-13, Clip-13",
        [{"x": X, "i": [0, -5]}, {"x": ZEROS, "i": [4, -1]}], [BAD, {"x": X, "i": [-6, 3]}, {"x": X, "i": FAR[:2]},
                                                              {"x": X, "i": FAR[2:]}],
        bad_is=lambda f: f["x"][cut(f["i"], 5)]),
    "a Gather by int32 along the last axis": Trial(
        lambda: model([node("Gather", "x i", axis=-1)], {"x": (FLOAT, [3, 5]), "i": (INT32, [2, 1])}), "Clip-13",
        [{"x": MATRIX, "i": [[4], [-5]]}], [{"x": MATRIX, "i": [[5], [-6]]}],
        bad_is=lambda f: f["x"][:, cut(f["i"], 5)]),
    "a Gather by one index": Trial(
        lambda: model([node("Gather", "x i")], {"x": (FLOAT, [5]), "i": (INT64, [])}), "Cast-13, Clip-13",
        [{"x": X, "i": 4}], [{"x": X, "i": 7}], bad_is=lambda f: f["x"][cut(f["i"], 5)]),
    "a Gather of an axis of unknown size": Trial(
        lambda: model([node("Gather", "x i")], {"x": (FLOAT, ["n"]), "i": (INT64, ["m"])}),
        "Cast-13, Shape-15, Cast-13, Neg-13, Add-14, Min-13, Max-13",
        [{"x": X, "i": [0, -5]}, {"x": X[:1], "i": [-1, 0, 0]}], [BAD, {"x": X[:1], "i": [1, -2, *FAR]}],
        bad_is=lambda f: f["x"][cut(f["i"], len(f["x"]))]),
    "a Gather by one index of an axis of unknown size": Trial(
        lambda: model([node("Gather", "x i")], {"x": (FLOAT, ["n"]), "i": (INT64, [])}),
        "Cast-13, Shape-15, Cast-13, Reshape-14, Neg-13, Add-14, Min-13, Max-13",
        [{"x": X, "i": 4}], [{"x": X, "i": 7}], bad_is=lambda f: f["x"][cut(f["i"], 5)]),
    "a Gather before opset 12": Trial(
        lambda: model([node("Gather", "x i")], INDEXED, opset=11),
        "Cast-9, Greater-9, Where-9, Less-9, Where-9", [{"x": X, "i": [0, -5]}], [BAD, {"x": X, "i": FAR[1:3]}],
        bad_is=lambda f: f["x"][cut(f["i"], 5)]),
    "a Gather of computed indices": Trial(
        lambda: model([node("Add", "i i", "j"), node("Gather", "x j")], INDEXED), "Cast-13, Clip-13",
        [{"x": X, "i": [2, -2]}], [{"x": X, "i": [3, 2**32]}], left=["wide data loses bits"],
        bad_is=lambda f: f["x"][cut(f["i"] * 2, 5)]),
    "a Gather that reads zeros": Trial(
        lambda: model([node("Gather", "x i")], INDEXED), "Cast-13, Clip-13, Add-14, Less-13, Where-16, Concat-13",
        [{"x": ZEROS, "i": [0, -5]}, {"x": ZEROS, "i": [4, 1]}],
        [BAD, {"x": ZEROS, "i": [-6, 3]}, {"x": X, "i": FAR[2:]}], "zero", bad_is=lambda f: taken(f["x"], f["i"])),
    "a GatherElements": Trial(
        lambda: model([node("GatherElements", "x i", axis=1)], {"x": (FLOAT, [3, 5]), "i": (INT64, [3, 1])}),
        "Cast-13, Clip-13, Add-14, Less-13, Where-16", [{"x": MATRIX, "i": [[0], [4], [-5]]}],
        [{"x": MATRIX, "i": [[5], [0], [-6]]}],
        targets=ALL, bad_is=lambda f: np.take_along_axis(f["x"], cut(f["i"], 5) % 5, 1)),
    "a GatherElements that reads zeros": Trial(
        lambda: model([node("GatherElements", "x i")], INDEXED),
        "Cast-13, Clip-13, Add-14, Less-13, Where-16, Less-13, Where-16, Concat-13", [{"x": ZEROS, "i": [0, -5]}],
        [BAD], "zero", targets=ALL, bad_is=lambda f: taken(f["x"], f["i"])),
    "a GatherND": Trial(
        lambda: model([node("GatherND", "x i")], {"x": (FLOAT, [3, 5]), "i": (INT64, [4, 2])}),
        "Cast-13, Min-13, Max-13, Add-14, Less-13, Where-16, Cast-13", [{"x": MATRIX, "i": TUPLES}],
        [{"x": MATRIX, "i": BAD_TUPLES}], targets=ALL,
        bad_is=lambda f: f["x"][cut(f["i"][:, 0], 3), cut(f["i"][:, 1], 5)]),
    "a GatherND that reads zeros": Trial(
        lambda: model([node("GatherND", "x i")], {"x": (FLOAT, [3, 5]), "i": (INT64, [4, 2])}),
        "Cast-13, Min-13, Max-13, Add-14, Less-13, Where-16, Less-13, Where-16, Concat-13, Concat-13, Cast-13",
        [{"x": MATRIX, "i": TUPLES}], [{"x": MATRIX, "i": BAD_TUPLES}], "zero", targets=ALL,
        bad_is=lambda f: f["x"][[0, 0, 0, 0], [0, 0, 0, 0]]),
    "a ScatterElements": Trial(
        lambda: model([node("ScatterElements", "x i u")], {**INDEXED, "u": (FLOAT, [2])}),
        "Cast-13, Clip-13, Add-14, Less-13, Where-16, Slice-13, Concat-13, Slice-13",
        [{"x": ZEROS, "i": [0, -1], "u": X[:2]}], [{"x": ZEROS, "i": [5, 1], "u": X[:2]}, {"x": X, "i": [0, -6],
                                                                                       "u": X[3:]}],
        targets=ALL, bad_is=lambda f: put(f["x"], f["i"], f["u"])),
    "a ScatterElements that adds": Trial(
        lambda: model([node("ScatterElements", "x i u", reduction="add")], {**INDEXED, "u": (FLOAT, [2])}, opset=18),
        "Cast-13, Clip-13, Add-14, Less-13, Where-16, Slice-13, Concat-13, Slice-13",
        [{"x": X, "i": [0, -1], "u": X[:2]}, {"x": X, "i": [2, -3], "u": X[:2]}],
        [{"x": X, "i": [5, 1], "u": X[:2]}, {"x": X, "i": [0, -6], "u": X[3:]}],
        left=["which of several NaN", "which of several NaN"]),
    "a Compress": Trial(
        lambda: model([node("Compress", "x c", axis=0)], {**DATA, "c": (TensorProto.BOOL, [7])}), "Slice-13",
        [{"x": X, "c": [1, 0, 0, 1, 1, 0, 0]}], [], only_after=[{"x": X, "c": [1, 0, 0, 1, 1, 0, 1]}],
        bad_is=lambda f: X[[0, 3, 4]]),
    "a OneHot": Trial(
        lambda: model([node("OneHot", "i d v")], {"i": (INT64, [4]), "v": (FLOAT, [2])}, {"d": np.int64(3)}),
        "Add-14, Less-13, Where-16, Less-13, Where-16", [{"i": [0, -1, 2, -3], "v": [8, 9]}], [],
        targets=("onnxruntime", "directml"),
        only_after=[{"i": [3, -4, 7, -9], "v": [8, 9]}], bad_is=lambda f: np.full((4, 3), 8)),
    "a OneHot that counts none from the end": Trial(
        lambda: model([node("OneHot", "i d v")], {"i": (INT64, [4]), "v": (FLOAT, [2])}, {"d": np.int64(3)}, opset=10),
        "Less-9, Where-9", [{"i": [0, 1, 2, 3], "v": [8, 9]}], [{"i": [-1, -4, 7, -2], "v": [8, 9]}],
        targets=("onnxruntime",), bad_is=lambda f: np.full((4, 3), 8)),
    "a ScatterND": Trial(
        lambda: model([node("ScatterND", "x i u")], {"x": (FLOAT, [3, 5]), "i": (INT64, [4, 2]), "u": (FLOAT, [4])}),
        "Cast-13, Min-13, Max-13, Add-14, Less-13, Where-16, Less-13, Where-16, Slice-13, Concat-13, Slice-13, "
        "Concat-13, Cast-13, Slice-13", [{"x": MATRIX, "i": TUPLES, "u": UPDATES}],
        [{"x": MATRIX, "i": BAD_TUPLES, "u": UPDATES}],
        targets=ALL, left=["threads replace one element in any order"],
        bad_is=lambda f: put(f["x"], f["i"], f["u"])),
    "a Tile": Trial(
        lambda: model([node("Tile", "x r")], {"x": (FLOAT, [5]), "r": (INT64, [1])}), "Cast-13, Max-13, Cast-13",
        [{"x": X, "r": [2]}, {"x": X, "r": [0]}], [{"x": X, "r": [-1]}], bad_is=lambda f: f["x"][:0]),
    "a Split": Trial(
        lambda: model([node("Split", "x s", "y z")], {"x": (FLOAT, [5]), "s": (INT64, [2])}, outputs=["y", "z"]),
        "Cast-13, Max-13, Cast-13", [{"x": X, "s": [2, 3]}, {"x": X, "s": [5, 0]}], [{"x": X, "s": [-1, 3]}]),
    "a Cast of floats to bytes": Trial(
        lambda: cast(FLOAT, TensorProto.UINT8), "Equal-13, Where-16, Clip-13",
        [{"x": [1.5, 255.9, 0, -0.5, 254.9]}], [],
        only_after=[{"x": [np.nan, np.inf, -np.inf, 300, -7]}], bad_is=lambda f: np.uint8([0, 255, 0, 255, 0])),
    "a Cast of floats to integers of 32 bits": Trial(
        lambda: cast(FLOAT, INT32), "Equal-13, Where-16, Clip-13",
        [{"x": [1.5, -(2**31), -0.0, -0.5, 2147483520]}], [], targets=ALL,
        only_after=[{"x": [np.nan, np.inf, -np.inf, 2**31, -3e9]}],
        bad_is=lambda f: np.int32([0, 2147483520, -(2**31), 2147483520, -(2**31)])),
    "a Cast of short floats": Trial(
        lambda: cast(TensorProto.FLOAT16, INT32), "Equal-13, Where-16, Clip-13",
        [{"x": [1.5, -65504, 0, -0.5, 65504]}], [{"x": [np.nan, np.inf, -np.inf, 1, -1]}],
        bad_is=lambda f: np.int32([0, 65504, -65504, 1, -1])),
    "a Cast of short floats to long integers": Trial(
        lambda: cast(TensorProto.FLOAT16, INT64), "Equal-13, Where-16, Clip-13",
        [{"x": [1.5, -65504, 0, -0.5, 65504]}], [{"x": [np.nan, np.inf, -np.inf, 1, -1]}],
        bad_is=lambda f: np.int64([0, 65504, -65504, 1, -1])),
    "a Cast of bfloat16 to bytes": Trial(
        lambda: model([node("Cast", "x", "b", to=TensorProto.BFLOAT16), node("Cast", "b", to=TensorProto.UINT8)],
                      {"x": (FLOAT, [5])}),
        "Cast-13, Equal-13, Where-16, Clip-13", [{"x": [1.5, 255.0, 0, -0.5, 254.0]}], [],
        left=["a Convert to bf16 cuts bits off", "a NaN becomes an infinity, or zero"],
        only_after=[{"x": [1e6, np.inf, -np.inf, 300, -7]}], bad_is=lambda f: np.uint8([255, 255, 0, 255, 0])),
    "a Cast of floats to bool": Trial(
        lambda: cast(FLOAT, TensorProto.BOOL), "Equal-13, Where-16",
        [{"x": [1.5, -0.0, 0, -np.inf, 1e-30]}], [{"x": [np.nan, 0, 1, 2, 3]}],
        bad_is=lambda f: np.array([True, False, True, True, True])),
    "a Cast of integers to bool": Trial(
        lambda: cast(INT32, TensorProto.BOOL, 40), "Equal-13, Where-16",
        [{"x": [1, -1, 0, 2**31 - 1] * 10}], [{"x": [-(2**31), 0] * 20}],
        bad_is=lambda f: np.array([True, False] * 20)),
    "a quotient": Trial(
        lambda: divided("Div", INT32), "Equal-13, Equal-13, Or-7, Where-16, Neg-13, Where-16",
        [{"a": [7, -7, 9, 0, -(2**24)], "b": [-1, 2, -4, 5, -1]}], [{"a": [7, -7, 9, 0, 1], "b": [0, 2, 0, 0, 1]}],
        left=["integers compared and divided as floats"],
        only_after=[{"a": [-(2**31), -(2**31), 3, 4, 5], "b": [-1, 0, 1, 1, -1]}],
        bad_is=lambda f: np.int32([7, -3, 9, 0, 1] if f["a"][0] > 0 else [-(2**31), -(2**31), 3, 4, -5])),
    "a quotient of bytes with a sign": Trial(
        lambda: divided("Div", TensorProto.INT8), "Cast-13, Cast-13, Equal-13, Where-16, Cast-13",
        [{"a": [7, -7, 127, -128, 0], "b": [-1, 2, -1, 1, 3]}], [{"a": [7, -7, 9, -128, 0], "b": [0, 2, 1, 1, 0]}],
        only_after=[{"a": [-128] * 5, "b": [-1, 0, 1, 2, -2]}]),
    "a quotient of bytes": Trial(
        lambda: divided("Div", TensorProto.UINT8), "Max-13",
        [{"a": [7, 255, 9, 0, 1], "b": [1, 2, 3, 4, 255]}], [{"a": [7, 255, 9, 0, 1], "b": [0, 2, 0, 0, 1]}]),
    "a quotient by a constant": Trial(
        lambda: divided("Div", INT32, [-1, 2, -1, 3, -1]), "Equal-13, Where-16, Neg-13, Where-16",
        [{"a": [7, -7, 9, 0, 5]}], [], left=["integers compared and divided as floats"],
        only_after=[{"a": [-(2**31), 6, -(2**31), 9, 1]}],
        bad_is=lambda f: np.int32([-(2**31), 3, -(2**31), 3, -1])),
    "a remainder": Trial(
        lambda: divided("Mod", INT32), "Equal-13, Equal-13, Or-7, Where-16",
        [{"a": [7, -7, 9, 0, 5], "b": [-1, 2, -4, 5, 3]}], [{"a": [7, -7, 9, 0, 1], "b": [0, 2, 0, 0, 1]}],
        left=["integers compared and divided as floats"],
        only_after=[{"a": [-(2**31), -(2**31), 7, -7, 5], "b": [-1, 0, -4, 4, -1]}],
        bad_is=lambda f: np.where(abs(f["b"]) < 2, 0, f["a"] % np.where(f["b"] == 0, 1, f["b"]))),
    "a remainder with the sign of the dividend": Trial(
        lambda: divided("Mod", INT32, fmod=1), "Equal-13, Equal-13, Or-7, Where-16",
        [{"a": [7, -7, 9, 0, 5], "b": [-1, 2, -4, 5, 3]}], [{"a": [7, -7, 9, 0, 1], "b": [0, 2, 0, 0, 1]}],
        left=["integers compared and divided as floats"],
        only_after=[{"a": [-(2**31), -(2**31), 7, -7, 5], "b": [-1, 0, -4, 4, -1]}]),
    "a Pad": Trial(
        lambda: model([node("Pad", "x p")], {"x": (FLOAT, [3, 5]), "p": (INT64, [4])}), PADDED,
        [{"x": MATRIX, "p": pads} for pads in ([1, 0, 0, 2], [-1, -2, 0, 3], [-3, 0, 0, 0], [1, 0, -2, -5])],
        [{"x": MATRIX, "p": pads} for pads in ([-4, 0, 0, 0], [1, -3, -1, -3], [-3, -9, -3, 1])],
        only_after=[{"x": MATRIX, "p": [0, -6, 0, 3]}],
        bad_is=lambda f: np.zeros([max(0, n + f["p"][k] + f["p"][k + 2]) for k, n in enumerate((3, 5))])),
    "a Pad by constants": Trial(
        lambda: model([node("Pad", "x p")], DATA, {"p": [4, -6]}), "Slice-13",
        [], [], only_after=[{"x": X}], bad_is=lambda f: np.zeros(3)),
    "a Pad of one axis": Trial(
        lambda: model([node("Pad", "x p zero a")], {"x": (FLOAT, [3, 5]), "p": (INT64, [2])},
                      {"zero": np.float32(0), "a": [-1]}, opset=18),
        PADDED.replace("Split-13", "Split-18"),
        [{"x": MATRIX, "p": pads} for pads in ([1, 2], [-1, 3], [-2, -3])],
        [{"x": MATRIX, "p": pads} for pads in ([-6, 0], [-3, -3])], only_after=[{"x": MATRIX, "p": [3, -6]}],
        bad_is=lambda f: np.zeros([3, max(0, 5 + sum(f["p"]))])),
    "a Pad by edges": Trial(
        lambda: model([node("Pad", "x p", mode="edge")], {**DATA, "p": (INT64, [2])}), PADDED,
        [{"x": X, "p": pads} for pads in ([1, 2], [-2, 3], [3, -4])],
        [{"x": X, "p": pads} for pads in ([-6, 0], [-3, -3])],
        left=["Pad refuses modes without anything to read"], only_after=[{"x": X, "p": [3, -6]}],
        bad_is=lambda f: X[[0] * max(0, 5 + sum(f["p"]))]),
}  # fmt: skip


def names_of(findings: Iterable[Finding]) -> list[str]:
    """The names of findings, but for what documents tell: that a runtime lacks something, or leaves an order open."""
    return [one.name for one in findings if one.witness["source"] != "documented"]


@pytest.mark.parametrize("trial", TRIALS.values(), ids=TRIALS)
def test_a_guard_makes_runtimes_agree_and_keeps_legal_answers(trial: Trial) -> None:
    proto = trial.build()
    found = fixed(wh.load(proto), trial.targets, bad_index=trial.bad_index)
    assert [", ".join(one.written) for one in found.guards] == ([trial.by] if trial.by else [])
    assert sorted(names_of(one for one, _ in found.left)) == sorted(trial.left)
    assert prove(proto, found, trial.legal, trial.bad) == 2 * len(trial.legal) + len(trial.bad)
    kind = helper.tensor_dtype_to_np_dtype(proto.graph.output[0].type.tensor_type.elem_type)
    for values in (*trial.bad, *trial.only_after):
        feeds = feeds_of(values, proto)
        first, other = answers(written(found), feeds)
        assert first == other
        if trial.bad_is is not None:
            expected = np.asarray(trial.bad_is(feeds), kind)
            assert first == [f"{expected.dtype}{expected.shape}".encode() + expected.tobytes()]


@pytest.mark.parametrize(
    "trial", [one for one in TRIALS.values() if one.by], ids=[n for n, o in TRIALS.items() if o.by]
)
def test_a_check_of_the_result_finds_what_is_left_alone(trial: Trial) -> None:
    found = fixed(wh.load(trial.build()), trial.targets, bad_index=trial.bad_index)
    gone = [finding for one in found.guards for finding in one.findings]
    report = wh.check(wh.load(written(found)), trial.targets)
    assert gone
    assert names_of(report.findings) == list(trial.left)
    assert len(names_of(gone)) + len(trial.left) == len(names_of(found.before.findings))


@pytest.mark.parametrize("name", [name for name, one in TRIALS.items() if one.targets == ALL])
def test_the_specifications_agree_too(name: str) -> None:
    trial, compared = TRIALS[name], 0
    proto = trial.build()
    after = wh.load(written(fixed(wh.load(proto), trial.targets, bad_index=trial.bad_index)))
    for values in (*trial.legal, *trial.bad):
        feeds = feeds_of(values, proto)
        own = after.run(feeds)["y"]
        for rules in ("openvino:opset8", "directml:6.4", "webnn"):
            assert after.run(feeds, rules=rules)["y"].tobytes() == own.tobytes()
            compared += 1
    assert compared == 3 * (len(trial.legal) + len(trial.bad))


def test_gathers_by_the_same_indices_share_a_guard() -> None:
    nodes = [node("Gather", "x i", "y"), node("Gather", "z i", "w"), node("Gather", "long i", "v")]
    proto = model(nodes, {**INDEXED, "z": (INT32, [5, 2])}, {"long": np.arange(7.0)}, outputs=["y", "w", "v"])
    found = fixed(wh.load(proto), BOTH)
    assert [one.written for one in found.guards] == [("Cast-13", "Clip-13"), (), ("Clip-13",)]
    assert len(written(found).graph.node) == 3 + 3
    assert "guarded by the guard of a node before it" in str(found.model.findings[1])
    feeds = {"x": X, "i": [0, -5], "z": np.arange(10).reshape(5, 2)}
    assert prove(proto, found, [feeds], [{**feeds, "i": [9, -7]}]) == 3


def test_a_guard_counts_from_the_front_where_a_target_counts_no_index_from_the_end() -> None:
    proto = model([node("Gather", "x i")], INDEXED)
    found = fixed(wh.load(proto), "openvino:opset1")
    assert [one.written for one in found.guards] == [("Cast-13", "Clip-13", "Add-14", "Less-13", "Where-16")]
    assert found.left == ()
    assert prove(proto, found, [{"x": X, "i": [-5, -1]}, {"x": X, "i": [0, 4]}], [{"x": X, "i": [-6, 5]}]) == 5


def test_an_index_below_zero_is_bad_where_the_model_counts_none_from_the_end() -> None:
    scatter = model([node("Scatter", "x i u")], {**INDEXED, "u": (FLOAT, [2])}, opset=10)
    found = fixed(wh.load(scatter), BOTH)
    assert found.left == ()
    feeds = feeds_of({"x": X, "i": [-1, 2], "u": [8, 9]}, scatter)
    expected = np.array([1, 2, 9, 4, 5], np.float32).tobytes()
    assert [one and one[0][-20:] for one in answers(written(found), feeds)] == [expected, expected]


def test_where_there_is_no_guard_the_finding_stays_with_the_reason() -> None:
    old = fixed(wh.load(model([node("Gather", "x i")], INDEXED, opset=8)), "openvino")
    assert old.guards == ()
    assert {why.partition(",")[0] for _, why in old.left} == {"its guard needs known axes"}
    refusing = fixed(wh.load(model([node("Gather", "x i")], INDEXED)), "onnx:1")  # Clip-1 takes floats alone
    assert refusing.guards == ()
    assert [one.name for one, _ in refusing.left] == ["negative"]
    wide = fixed(wh.load(model([node("Transpose", "x")], {"x": (INT64, [2, 2])})), "openvino")
    fewer = "the target holds the numbers in a type that has fewer before any node sees them"
    assert [why for _, why in wide.left] == [fewer]
    beyond = fixed(wh.load(cast(FLOAT, INT64)), "openvino")  # the model has an answer for 3e9
    assert [(one.name, why) for one, why in beyond.left] == [("floats beyond 32 bits as wider integers", fewer)]
    refused = fixed(wh.load(model([node("Trilu", "x")], {"x": (TensorProto.UINT8, [2, 2])})), "onnxruntime")
    assert [why for _, why in refused.left] == ["the target does not take the node, whatever its inputs are"]


def test_a_model_without_findings_stays_as_it_is() -> None:
    read = wh.load(model([node("Transpose", "x")], DATA))
    made = wh.fix(read, BOTH)
    assert made.graph.same_as(read.graph)
    assert made.findings == read.findings


def test_branches_are_guarded_too() -> None:
    proto = if_model()
    found = fixed(wh.load(proto), BOTH)
    assert [(one.place, one.node, one.written) for one in found.guards] == [
        ((), "y", ("Cast-13", "Clip-13")), (("choose then_branch",), "z", ("Cast-13", "Clip-13"))
    ]  # fmt: skip
    assert found.left == ()
    assert wh.check(wh.load(written(found)), BOTH).findings == []
    legal = [{"x": X, "i": [0, -5], "c": True}]
    assert prove(proto, found, legal, [{"x": X, "i": [5, 2**32 + 1], "c": True}]) == 3
    feeds = feeds_of({"x": X, "i": [5, -9], "c": True}, proto)
    assert [one.tolist() for one in found.model.run(feeds).values()] == [[5, 1], [5, 1]]


def test_bodies_inside_bodies_are_guarded_with_names_that_nothing_around_has() -> None:
    inner = helper.make_graph([node("Gather", "x n", "taken"), node("Identity", "t", "u")], "inner",
                              [helper.make_tensor_value_info("n", INT64, []),
                               helper.make_tensor_value_info("t", TensorProto.BOOL, [])],
                              [helper.make_tensor_value_info("u", TensorProto.BOOL, []),
                               helper.make_tensor_value_info("taken", FLOAT, [])])  # fmt: skip
    body = helper.make_graph([helper.make_node("Loop", ["m", ""], ["s"], "second", body=inner),
                              node("Identity", "c", "d")], "body",
                             [helper.make_tensor_value_info("k", INT64, []),
                              helper.make_tensor_value_info("c", TensorProto.BOOL, [])],
                             [helper.make_tensor_value_info("d", TensorProto.BOOL, []),
                              helper.make_tensor_value_info("s", FLOAT, ["times"])])  # fmt: skip
    nodes = [helper.make_node("Loop", ["m", ""], ["y"], "first", body=body)]
    nodes += [helper.make_node("Gather", ["x", "i"], ["w"], "taken")]
    proto = model(nodes, {**INDEXED, "m": (INT64, [])}, outputs=["y", "w"])
    found = fixed(wh.load(proto), BOTH)
    assert [(one.place, one.node) for one in found.guards] == [(("first body", "second body"), "taken"), ((), "taken")]
    assert found.left == ()
    after = written(found)
    assert after.graph.node[0].attribute[0].g.node[0].attribute[0].g.node[0].output[0] == "taken/guard/clip"
    for times in (5, 7):
        feeds = feeds_of({"x": X, "i": [0, 1], "m": times}, proto)
        made = onnxruntime_on(after.SerializeToString())(feeds)[0]
        assert made.tolist() == [[1, 2, 3, 4, 5, 5, 5][:times]] * times


def test_a_whole_model_keeps_its_nodes_and_names() -> None:
    nodes = [node("Relu", "x", "r"), node("Gather", "r i", "taken"), node("Softmax", "taken", "y", axis=0)]
    taken_names = {"low": np.float32([9.0]), "taken/guard/clip": np.float32([1.0])}
    nodes.append(node("Sum", "y low taken/guard/clip", "w"))
    proto = model(nodes, INDEXED, taken_names, outputs=["y", "w"])
    found = fixed(wh.load(proto), BOTH)
    after = written(found)
    assert [one.op_type for one in after.graph.node] == ["Relu", "Cast", "Clip", "Gather", "Softmax", "Sum"]
    names = [name for one in after.graph.node for name in one.output] + [one.name for one in after.graph.initializer]
    assert len(set(names)) == len(names)
    feeds = feeds_of({"x": X, "i": [1, 3]}, proto)
    assert onnxruntime_on(after.SerializeToString())(feeds)[0].tobytes() == answers(proto, feeds)[0][0][-8:]  # type: ignore[index]


def test_an_ir_gets_zeros_as_its_own_rule_says(tmp_path: Path) -> None:
    ir = wh.convert(wh.load(model([node("Gather", "x i")], INDEXED)), "openvino", allow_loss=True)
    found = fixed(ir, ["onnx:21", "directml"])
    assert found.left == ()
    wh.save(found.model, tmp_path / "fixed.xml")
    read = wh.load(tmp_path / "fixed.xml")
    for indices in ([0, -5], [5, 1], [-6, 4], FAR[:2], FAR[2:]):
        feeds = {"x": ZEROS, "i": np.array(indices)}
        expected = np.array([ZEROS[index] if -5 <= index < 5 else 0 for index in indices], np.float32).tobytes()
        assert next(iter(ir.run(feeds).values())).tobytes() == expected
        for rules in (None, "onnx:21", "directml:6.4"):
            assert next(iter(read.run(feeds, rules=rules).values())).tobytes() == expected


def test_a_whole_ir_keeps_its_layers(tmp_path: Path) -> None:
    nodes = [node("Softmax", "x", "s", axis=0), node("Gather", "s i", "taken"), node("Gelu", "taken", "y")]
    proto = model(nodes, INDEXED, opset=20)
    OpenVINO.imported().save_model(
        core().read_model(proto.SerializeToString()), tmp_path / "m.xml", compress_to_fp16=False
    )
    found = fixed(wh.load(tmp_path / "m.xml"), ["onnx:21"])
    assert ([one.node for one in found.guards], found.left) == (["taken"], ())
    wh.save(found.model, tmp_path / "f.xml")
    before, after = (core().compile_model(tmp_path / f"{name}.xml", "CPU") for name in "mf")
    for indices in ([0, -5], [1, 4], [7, 0], [-6, 2]):
        feeds = [X, np.array(indices)]
        assert before(feeds)[0].tobytes() == after(feeds)[0].tobytes()


def test_what_cannot_be_fixed_is_an_error() -> None:
    read = wh.load(model([node("Gather", "x i")], INDEXED))
    with pytest.raises(InvalidValueError, match="bad_index is 'wrap', allowed 'clamp', 'zero'"):
        wh.fix(read, "openvino", bad_index="wrap")
    with pytest.raises(InvalidValueError, match="target is 'onyx'"):
        wh.fix(read, "onyx")
    dispatches = wh.convert(wh.load(model([node("Transpose", "x")], DATA)), "directml")
    with pytest.raises(UnsupportedError, match="not into a model of dispatches"):
        wh.fix(dispatches)


@st.composite
def drawn(draw: st.DrawFn) -> tuple[onnx.ModelProto, dict[str, Array], dict[str, Array], str]:
    """A node with indices, legal inputs for it, bad ones, and what a bad index is to read."""
    operator = draw(st.sampled_from(["Gather", "GatherElements", "GatherND", "ScatterElements", "ScatterND"]))
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    axis = draw(st.integers(-len(sizes), len(sizes) - 1))
    is_tuple = operator.endswith("ND")
    length = draw(st.integers(1, len(sizes)))
    if is_tuple:
        shape, limits = [draw(st.integers(1, 3)), length], np.array(sizes[:length])
    elif operator == "Gather":
        shape, limits = draw(st.lists(st.integers(1, 3), max_size=2)), np.array(sizes[axis])
    else:
        shape = [*sizes]
        shape[axis], limits = draw(st.integers(1, sizes[axis])), np.array(sizes[axis])
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    legal = rng.integers(np.broadcast_to(-limits, shape), np.broadcast_to(limits, shape))
    bad = rng.integers(-9, 9, shape)
    kind = draw(st.sampled_from([INT64] if is_tuple else [INT32, INT64]))
    data = rng.standard_normal(sizes).astype(np.float32)
    inputs: dict[str, Any] = {"x": (FLOAT, sizes), "i": (kind, shape)}
    feeds = {"x": data}
    if operator.startswith("Scatter"):
        updates = [*shape[:-1], *sizes[length:]] if is_tuple else shape
        inputs["u"] = (FLOAT, updates)
        feeds["u"] = np.full(updates, 7, np.float32)  # of equal updates the order does not matter
    attributes = {} if is_tuple else {"axis": axis}
    proto = model([node(operator, " ".join(inputs), **attributes)], inputs, opset=draw(st.sampled_from([11, 13, 17])))
    names = feeds_of({**feeds, "i": legal}, proto), feeds_of({**feeds, "i": bad}, proto)
    return proto, *names, draw(st.sampled_from(["clamp", "zero"]))


@settings(max_examples=25, deadline=None)
@given(drawn())
def test_drawn_models_agree_on_all_inputs(
    case: tuple[onnx.ModelProto, dict[str, Array], dict[str, Array], str],
) -> None:
    proto, legal, bad, bad_index = case
    found = fixed(wh.load(proto), ALL, bad_index=bad_index)
    assert set(names_of(one for one, _ in found.left)) <= {"threads replace one element in any order"}
    after = written(found)
    first, other = answers(after, legal)
    assert first == other == answers(proto, legal)[0]
    first, other = answers(after, bad)
    assert first == other
    assert first is not None
