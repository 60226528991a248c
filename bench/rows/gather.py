"""Gathers of rows, of elements, along axes, and by each rule for bad indices."""

from __future__ import annotations

from typing import Any

import numpy as np

import wherry as wh

from ..case import Array, Case, anew, into, parts, picks, row, values
from ..runtimes import onnxruntime, openvino, tensor
from .gathering import elements, gather


@row("gather/rows", "1M x 128 float32, 100k random int64", bandwidth=True)
def _(k: int) -> Case:
    return gather(values(1_000_000 // k, 128), picks(1_000_000 // k, 100_000 // k))


@row("gather/rows-bfloat16", "1M x 128 of 2 bytes, 100k random int32", bandwidth=True)
def _(k: int) -> Case:
    return gather(
        values(1_000_000 // k, 128, dtype="int16"), picks(1_000_000 // k, 100_000 // k, dtype="int32")
    )  # the others move bfloat16 as they move int16, or not at all


@row("gather/rows-sorted", "1M x 128 float32, 100k sorted int64", bandwidth=True)
def _(k: int) -> Case:
    return gather(values(1_000_000 // k, 128), np.sort(picks(1_000_000 // k, 100_000 // k)))


@row("gather/rows-repeated", "1M x 128 float32, 100k out of 100 rows", bandwidth=True)
def _(k: int) -> Case:
    return gather(values(1_000_000 // k, 128), picks(1_000_000 // k, 100)[picks(100, 100_000 // k)])


@row("gather/rows-unaligned", "200k x 64 float32, 100k random int64, to elsewhere in a line", bandwidth=True)
def _(k: int) -> Case:
    size, count = 200_000 // k, 100_000 // k
    data, indices = values(size, 64), picks(size, count)

    def outputs() -> list[Array]:
        room = np.empty(count * 64 + 32, np.float32)
        begin = (data.ctypes.data + 16 - room.ctypes.data) % 64 // 4
        return [room[begin : begin + count * 64].reshape(count, 64)]

    return gather(data, indices, outputs=outputs)


@row("gather/rows-narrow", "1M x 4 float32, 1M random int64")
def _(k: int) -> Case:
    return gather(values(1_000_000 // k, 4), picks(1_000_000 // k, 1_000_000 // k))


@row("gather/palette", "256 x 3 uint8, 4M uint8 indices")
def _(k: int) -> Case:
    return gather(values(256, 3, dtype="uint8"), picks(256, 4_000_000 // k, dtype="uint8"))


@row("elements/float32-10M", "4M of 10M float32, random int64")
def _(k: int) -> Case:
    return elements(values(10_000_000 // k), picks(10_000_000 // k, 4_000_000 // k))


@row("elements/float32-64k", "4M of 64k float32, random int64")
def _(k: int) -> Case:
    return elements(values(65_536), picks(65_536, 4_000_000 // k))


@row("elements/uint8-10M", "4M of 10M uint8, random int64")
def _(k: int) -> Case:
    return elements(values(10_000_000 // k, dtype="uint8"), picks(10_000_000 // k, 4_000_000 // k))


@row("elements/float64-4M", "4M of 4M float64, random int64")
def _(k: int) -> Case:
    return elements(values(4_000_000 // k, dtype="float64"), picks(4_000_000 // k, 4_000_000 // k))


@row("axis/middle", "axis 1 of 64 x 1000 x 256 float32, 500", bandwidth=True)
def _(k: int) -> Case:
    return gather(values(64 // min(k, 64), 1000, 256), picks(1000, 500), 1)


@row("axis/last", "axis 1 of 4096 x 4096 float32, 1024")
def _(k: int) -> Case:
    return gather(values(4096 // k, 4096), picks(4096, 1024), 1)


@row("axis/last-few", "axis 1 of 16384 x 256 float32, 64")
def _(k: int) -> Case:
    return gather(values(16384 // k, 256), picks(256, 64), 1)


@row("axis/batch", "batch_dims 1: 256 x 1000 x 64 float32 by 256 x 50", bandwidth=True)
def _(k: int) -> Case:
    batches = 256 // k
    data, indices = values(batches, 1000, 64), picks(1000, batches, 50)
    inputs = {"data": data, "indices": indices}
    each = np.arange(batches)[:, None]

    def torch_flat(out: Array) -> Any:
        import torch

        table, picked, into_ = tensor(data).view(-1, 64), tensor(indices), tensor(out).view(-1, 64)
        first = tensor(each * 1000)
        return lambda: torch.index_select(table, 0, (picked + first).view(-1), out=into_)

    return Case(
        [data[each, indices]],
        {
            "wherry": into(lambda out: lambda: wh.gather(data, indices, 1, batch_dims=1, out=out)),
            "numpy": anew(lambda: data[each, indices]),
            "numpy out": into(
                lambda out: lambda: np.take(data.reshape(-1, 64), indices + each * 1000, 0, out=out, mode="clip")
            ),
            "torch": into(torch_flat),
            "onnxruntime": onnxruntime(
                lambda node: [node("GatherND", ["data", "tuples"], ["out"], batch_dims=1)],
                {"data": data, "tuples": indices[..., None]},
            ),
            "openvino": openvino(lambda ops, p: ops.gather(p[0], p[1], ops.constant(np.int64(1)), 1), inputs),
        },
        parts=parts(data, (each, indices)),
    )


@row("policy/raise", "200k x 64 float32, 100k random int64, checked before the first write", bandwidth=True)
def _(k: int) -> Case:
    data, indices = values(200_000 // k, 64), picks(200_000 // k, 100_000 // k)
    case = gather(data, indices)
    case.contenders["numpy out"] = into(lambda out: lambda: np.take(data, indices, 0, out=out, mode="raise"))
    return case


@row("policy/clamp", "200k x 64 float32, 100k int64, 10% bad, clamped", bandwidth=True)
def _(k: int) -> Case:
    size = 200_000 // k
    data, indices = values(size, 64), _partly_bad(size, 100_000 // k)
    inputs = {"data": data, "indices": indices}

    def torch_clamp(out: Array) -> Any:
        import torch

        table, picked, into_ = tensor(data), tensor(indices), tensor(out)
        return lambda: torch.index_select(table, 0, picked.clamp(0, size - 1), out=into_)

    return Case(
        [np.take(data, indices, 0, mode="clip")],
        {
            "wherry": into(
                lambda out: lambda: wh.gather(data, indices, out_of_range="clamp", negative="invalid", out=out)
            ),
            "numpy": into(lambda out: lambda: np.take(data, indices, 0, out=out, mode="clip")),
            "torch": into(torch_clamp),
            "onnxruntime": onnxruntime(
                lambda node: [
                    node("Clip", ["indices", "least", "most"], ["clipped"]),
                    node("Gather", ["data", "clipped"], ["out"]),
                ],
                inputs | {"least": 0, "most": size - 1},
            ),
            "openvino": openvino(
                lambda ops, p: ops.gather(p[0], ops.clamp(p[1], 0, size - 1), ops.constant(np.int64(0))), inputs
            ),
        },
        parts=parts(data, (indices.clip(0, size - 1),)),
    )


@row("policy/zero", "200k x 64 float32, 100k int64, 10% bad, zeros", bandwidth=True)
def _(k: int) -> Case:
    size = 200_000 // k
    data, indices = values(size, 64), _partly_bad(size, 100_000 // k)
    bad = (indices < 0) | (indices >= size)
    expected = np.take(data, indices, 0, mode="clip")
    expected[bad] = 0

    def by_numpy(out: Array) -> Any:
        def call() -> None:
            np.take(data, indices, 0, out=out, mode="clip")
            out[(indices < 0) | (indices >= size)] = 0

        return call

    def by_torch(out: Array) -> Any:
        import torch

        table, picked, into_ = tensor(data), tensor(indices), tensor(out)

        def call() -> None:
            torch.index_select(table, 0, picked.clamp(0, size - 1), out=into_)
            into_.index_fill_(0, torch.nonzero((picked < 0) | (picked >= size)).view(-1), 0)

        return call

    return Case(
        [expected],
        {
            "wherry": into(
                lambda out: lambda: wh.gather(data, indices, out_of_range="zero", negative="invalid", out=out)
            ),
            "numpy": into(by_numpy),
            "torch": into(by_torch),
            # Gather-7 has zeros for such indices, and no negative ones.
            "openvino": openvino(
                lambda ops, p: _gather_7(p[0], p[1]), {"data": data, "indices": np.where(bad, size, indices)}
            ),
        },
        parts=parts(data, (indices.clip(0, size - 1),)),
    )


def _partly_bad(size: int, count: int) -> Array:
    """Random indices, one in ten of them below or above the axis."""
    indices = picks(size, count)
    bad = np.random.default_rng(2).random(count) < 0.1
    indices[bad] = np.where(indices[bad] % 2, size + indices[bad], -1 - indices[bad])
    return indices


def _gather_7(data: Any, indices: Any) -> Any:
    from openvino import opset7 as ops

    return ops.gather(data, indices, ops.constant(np.int64(0)), 0)
