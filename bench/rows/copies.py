"""Copies from one order of axes, or one set of strides, to another."""

from __future__ import annotations

from typing import Any

import numpy as np

import wherry as wh

from ..case import Array, Case, empty, into, parts, row, values
from ..runtimes import narrowed, onnxruntime, openvino, tensor


def permuted(data: Array, *order: int) -> Case:
    """Packed data with its axes in another order."""
    view = data.transpose(order)
    inputs = {"data": data}
    makers = {
        **_three(view),
        "onnxruntime": onnxruntime(lambda node: [node("Transpose", ["data"], ["out"], perm=order)], inputs),
    }
    if not narrowed(data):
        makers["openvino"] = openvino(lambda ops, p: ops.transpose(p[0], ops.constant(np.array(order))), inputs)
    return Case([np.ascontiguousarray(view)], makers)


def _three(view: Array) -> dict[str, Any]:
    """Those that copy any strides."""

    def by_torch(out: Array) -> Any:
        into_, source = tensor(out), tensor(view)
        return lambda: into_.copy_(source)

    return {
        "wherry": into(lambda out: lambda: wh.copy(view, out)),
        "numpy": into(lambda out: lambda: np.copyto(out, view)),
        "torch": into(by_torch),
    }


@row("copy/nchw-nhwc-112", "16x64x112x112 float32 to NHWC", bandwidth=True)
def _(k: int) -> Case:
    return permuted(values(16 // min(k, 16), 64, 112, 112), 0, 2, 3, 1)


@row("copy/nhwc-nchw-112", "16x64x112x112 float32 from NHWC", bandwidth=True)
def _(k: int) -> Case:
    return permuted(values(16 // min(k, 16), 112, 112, 64), 0, 3, 1, 2)


@row("copy/nchw-nhwc-512", "16x3x512x512 float32 to NHWC", bandwidth=True)
def _(k: int) -> Case:
    return permuted(values(16 // min(k, 16), 3, 512, 512), 0, 2, 3, 1)


@row("copy/nhwc-nchw-512", "16x3x512x512 float32 from NHWC", bandwidth=True)
def _(k: int) -> Case:
    return permuted(values(16 // min(k, 16), 512, 512, 3), 0, 3, 1, 2)


@row("copy/transpose-1", "4096 x 4096 uint8 transposed", bandwidth=True)
def _(k: int) -> Case:
    return permuted(values(4096 // k, 4096, dtype="uint8"), 1, 0)


@row("copy/transpose-2", "4096 x 4096 int16 transposed", bandwidth=True)
def _(k: int) -> Case:
    return permuted(values(4096 // k, 4096, dtype="int16"), 1, 0)


@row("copy/transpose-4", "4096 x 4096 float32 transposed", bandwidth=True)
def _(k: int) -> Case:
    return permuted(values(4096 // k, 4096), 1, 0)


@row("copy/transpose-8", "4096 x 4096 int64 transposed", bandwidth=True)
def _(k: int) -> Case:
    return permuted(values(4096 // k, 4096, dtype="int64"), 1, 0)


@row("copy/transpose-16", "4096 x 4096 complex128 transposed", bandwidth=True)
def _(k: int) -> Case:
    data = empty((4096 // k, 4096), np.complex128)
    data.real, data.imag = values(*data.shape), values(*data.shape) + 1
    return Case([np.ascontiguousarray(data.T)], _three(data.T))


@row("copy/heads", "attention heads: 8x512x12x64 float32 to 8x12x512x64", bandwidth=True)
def _(k: int) -> Case:
    return permuted(values(max(1, 8 // k), 512, 12, 64), 0, 2, 1, 3)


@row("copy/reversed", "16M float32 backwards", bandwidth=True)
def _(k: int) -> Case:
    data = values(16_000_000 // k)
    case = Case([data[::-1].copy()], _three(data[::-1]))
    whole = {"data": data}

    def by_torch(out: Array) -> Any:
        source = tensor(data)
        import torch

        return lambda: tensor(out).copy_(torch.flip(source, (0,)))

    case.contenders["torch"] = into(by_torch)  # it has no negative strides
    case.contenders["onnxruntime"] = onnxruntime(
        lambda node: [node("Slice", ["data", "starts", "ends", "axes", "steps"], ["out"])],
        whole | {"starts": [-1], "ends": [-(2**62)], "axes": [0], "steps": [-1]},
    )
    case.contenders["openvino"] = openvino(
        lambda ops, p: ops.slice(p[0], np.array([-1]), np.array([-(2**31) + 1]), np.array([-1])), whole
    )
    return case


@row("copy/step-2", "every second of 32M float32", bandwidth=True)
def _(k: int) -> Case:
    data = values(32_000_000 // k)
    case = Case([data[::2].copy()], _three(data[::2]), reads=data.nbytes)
    whole = {"data": data}
    case.contenders["onnxruntime"] = onnxruntime(
        lambda node: [node("Slice", ["data", "starts", "ends", "axes", "steps"], ["out"])],
        whole | {"starts": [0], "ends": [2**62], "axes": [0], "steps": [2]},
    )
    case.contenders["openvino"] = openvino(
        lambda ops, p: ops.slice(p[0], np.array([0]), np.array([2**31 - 1]), np.array([2])), whole
    )
    return case


@row("copy/rows-padded", "100k rows of 128 float32, 160 apart, packed", bandwidth=True)
def _(k: int) -> Case:
    data = values(100_000 // k, 160)
    case = Case([data[:, :128].copy()], _three(data[:, :128]), parts=parts(data[:, :128], (slice(None),)))
    whole = {"data": data}
    case.contenders["onnxruntime"] = onnxruntime(
        lambda node: [node("Slice", ["data", "starts", "ends", "axes"], ["out"])],
        whole | {"starts": [0], "ends": [128], "axes": [1]},
    )
    case.contenders["openvino"] = openvino(
        lambda ops, p: ops.slice(p[0], np.array([0]), np.array([128]), np.array([1]), np.array([1])), whole
    )
    return case
