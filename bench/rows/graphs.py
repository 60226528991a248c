"""Graphs of movement operators: here each byte can move once, where others copy at each node."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from wherry.ops import Concat, Gather, Reshape, Slice, Split, Transpose

from ..case import Array, Case, into, picks, row, values
from ..ours import planned
from ..runtimes import onnx_model, onnxruntime, openvino, openvino_model, tensor


@row("graph/chain", "64 MB of float32: Split, Gather, two Transposes, Concat, Slice", bandwidth=True)
def _(k: int) -> Case:
    batches = 8 // min(k, 8)
    data, indices = values(batches, 2048, 1024), picks(2048, 2048)
    inputs = {"data": data, "indices": indices}
    first, second = data[:, :, :512], data[:, :, 512:]
    expected = np.concatenate([first[:, indices].transpose(0, 2, 1), second.transpose(0, 2, 1)], 1)[:, :, 8:]

    def by_numpy(out: Array) -> Any:
        def call() -> None:
            out[:, :512] = np.take(first, indices[8:], 1).transpose(0, 2, 1)
            out[:, 512:] = second.transpose(0, 2, 1)[:, :, 8:]

        return call

    def by_torch(out: Array) -> Any:
        import torch

        whole, picked, into_ = tensor(data), tensor(indices), tensor(out)

        def call() -> None:
            a, b = whole.split(512, 2)
            torch.cat([a.index_select(1, picked[8:]).transpose(1, 2), b.transpose(1, 2)[:, :, 8:]], 1, out=into_)

        return call

    return Case(
        [np.ascontiguousarray(expected)],
        {
            "wherry": planned(
                [
                    (Split(2, sections=2), ["data"], ["a", "b"]),
                    (Gather(1), ["a", "indices"], ["picked"]),
                    (Transpose([0, 2, 1]), ["picked"], ["c"]),
                    (Transpose([0, 2, 1]), ["b"], ["d"]),
                    (Concat(1), ["c", "d"], ["whole"]),
                    (Slice([8], [2048], [2]), ["whole"], ["out"]),
                ],
                inputs,
            ),
            "numpy": into(by_numpy),
            "torch": into(by_torch),
            "onnxruntime": onnxruntime(
                lambda node: [
                    node("Split", ["data"], ["a", "b"], axis=2, num_outputs=2),
                    node("Gather", ["a", "indices"], ["picked"], axis=1),
                    node("Transpose", ["picked"], ["c"], perm=[0, 2, 1]),
                    node("Transpose", ["b"], ["d"], perm=[0, 2, 1]),
                    node("Concat", ["c", "d"], ["whole"], axis=1),
                    node("Slice", ["whole", "starts", "ends", "axes"], ["out"]),
                ],
                inputs | {"starts": [8], "ends": [2048], "axes": [2]},
            ),
            "openvino": openvino(_chain, inputs),
        },
    )


def _chain(ops: Any, parameters: Any) -> Any:
    data, indices = parameters
    order = ops.constant(np.array([0, 2, 1]))
    a, b = ops.split(data, ops.constant(np.int64(2)), 2).outputs()
    picked = ops.gather(a, indices, ops.constant(np.int64(1)))
    whole = ops.concat([ops.transpose(picked, order), ops.transpose(b, order)], 1)
    return ops.slice(whole, np.array([8]), np.array([2048]), np.array([1]), np.array([2]))


@row("graph/qkv", "8x512x2304 float32: Split in three, each to 12 heads of 64, permuted", bandwidth=True)
def _(k: int) -> Case:
    batches = 8 // min(k, 8)
    data = values(batches, 512, 2304)
    inputs, shape, order = {"data": data}, [batches, 512, 12, 64], [0, 2, 1, 3]
    names, heads = ["q", "k", "v"], ["q heads", "k heads", "v heads"]
    outputs = ["out0", "out1", "out2"]
    views = [part.reshape(shape).transpose(order) for part in np.split(data, 3, 2)]

    def by_numpy(*made: Array) -> Any:
        def call() -> None:
            for out, view in zip(made, views, strict=True):
                np.copyto(out, view)

        return call

    def by_torch(*made: Array) -> Any:
        whole, targets = tensor(data), [tensor(out) for out in made]

        def call() -> None:
            for target, part in zip(targets, whole.split(768, 2), strict=True):
                target.copy_(part.view(shape).transpose(1, 2))

        return call

    def by_openvino(ops: Any, parameters: Any) -> Any:
        return [
            ops.transpose(ops.reshape(part, ops.constant(np.array(shape)), False), ops.constant(np.array(order)))
            for part in ops.split(parameters[0], ops.constant(np.int64(2)), 3).outputs()
        ]

    return Case(
        [view.copy() for view in views],
        {
            "wherry": planned(
                [
                    (Split(2, sections=3), ["data"], names),
                    *((Reshape(shape), [name], [head]) for name, head in zip(names, heads, strict=True)),
                    *((Transpose(order), [head], [out]) for head, out in zip(heads, outputs, strict=True)),
                ],
                inputs,
            ),
            "numpy": into(by_numpy),
            "torch": into(by_torch),
            "onnxruntime": onnxruntime(
                lambda node: [
                    node("Split", ["data"], names, axis=2, num_outputs=3),
                    *(node("Reshape", [name, "shape"], [head]) for name, head in zip(names, heads, strict=True)),
                    *(node("Transpose", [head], [out], perm=order) for head, out in zip(heads, outputs, strict=True)),
                ],
                inputs | {"shape": shape},
            ),
            "openvino": openvino(by_openvino, inputs),
        },
    )


@row("graph/focus-onnx", "YOLO focus of 16x3x640x640 float32, a .onnx file", bandwidth=True)
def _(k: int) -> Case:
    return _focus(".onnx", k)


@row("graph/focus-xml", "YOLO focus of 16x3x640x640 float32, an .xml file", bandwidth=True)
def _(k: int) -> Case:
    return _focus(".xml", k)


_FOLDER = tempfile.TemporaryDirectory()  # goes when the process ends

CORNERS = [(0, 0), (1, 0), (0, 1), (1, 1)]  # of the four slices: row, column


def _focus(ending: str, k: int) -> Case:
    """Four slices of every second row and column, joined: a quarter of the size, four times the channels."""
    data = values(16 // min(k, 16), 3, 640, 640)
    inputs, names = {"data": data}, [f"part{number}" for number in range(4)]
    views = [data[:, :, y::2, x::2] for y, x in CORNERS]
    expected = np.concatenate(views, 1)
    file = Path(_FOLDER.name) / f"focus{ending}"
    if ending == ".onnx":
        _write_onnx(file, data, expected, names)
    else:
        import openvino as ov

        ov.save_model(openvino_model(_focus_openvino, inputs), file, compress_to_fp16=False)

    def by_torch(out: Array) -> Any:
        import torch

        whole, into_ = tensor(data), tensor(out)
        return lambda: torch.cat([whole[:, :, y::2, x::2] for y, x in CORNERS], 1, out=into_)

    case = Case(
        [expected],
        {
            "wherry": planned(file, inputs),
            "numpy": into(lambda out: lambda: np.concatenate(views, 1, out=out)),
            "torch": into(by_torch),
            "openvino": openvino(file, inputs),
        },
    )
    if ending == ".onnx":
        case.contenders["onnxruntime"] = onnxruntime(file, inputs)
    return case


def _write_onnx(file: Path, data: Array, expected: Array, names: list[str]) -> None:
    import onnx

    def nodes(node: Any) -> list[Any]:
        slices = [
            node("Slice", ["data", f"start{number}", "ends", "axes", "steps"], [name])
            for number, name in enumerate(names)
        ]
        return [*slices, node("Concat", names, ["out"], axis=1)]

    starts = {f"start{number}": list(corner) for number, corner in enumerate(CORNERS)}
    constants = starts | {"ends": [2**62, 2**62], "axes": [2, 3], "steps": [2, 2]}
    onnx.save(onnx_model(nodes, {"data": data, **constants}, {"out": expected}), file)


def _focus_openvino(ops: Any, parameters: Any) -> Any:
    end, step, axes = np.array([2**31 - 1] * 2), np.array([2, 2]), np.array([2, 3])
    parts = [ops.slice(parameters[0], np.array(corner), end, step, axes) for corner in CORNERS]
    result = ops.concat(parts, 1)
    result.set_friendly_name("out")
    return result
