"""One row for each further operator of the family."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import wherry as wh
from wherry import dtypes
from wherry.moves import Negative, Reduction
from wherry.ops import (
    Cast,
    Col2Im,
    Expand,
    GatherElements,
    GatherND,
    Reverse,
    ReverseSequence,
    Roll,
    ScatterAlong,
    ScatterND,
    Slice,
    SliceScatter,
    SpaceToBatch,
    Where,
)
from wherry.ops.scatter import Window

from ..case import Array, Case, Maker, anew, into, picks, row, values
from ..ours import planned
from ..runtimes import onnxruntime, openvino, tensor

Inputs = dict[str, Array]


def moved(
    operator: Any, inputs: Inputs, expected: Array, numpy: Callable[[Array], Any], torch: Callable[[Any], Any]
) -> Case:
    """An operator that is planned; NumPy and torch get the array, or the tensor, to write."""
    return Case(
        [expected],
        {
            "wherry": planned([(operator, list(inputs), ["out"])], inputs),
            "numpy": into(lambda out: lambda: numpy(out)),
            "torch": into(lambda out: _writes(torch, tensor(out))),
        },
    )


def _writes(torch: Callable[[Any], Any], out: Any) -> Callable[[], Any]:
    return lambda: torch(out)


def node(name: str, inputs: dict[str, Any], *, opset: int = 18, **attributes: Any) -> Maker:
    """One ONNX node with all inputs, in order."""
    return onnxruntime(lambda make: [make(name, list(inputs), ["out"], **attributes)], inputs, opset=opset)


@row("elements/along-rows", "take_along_axis: 1024 of 4096 in each of 4096 rows of float32, random int64")
def _(k: int) -> Case:
    return _along(values(4096 // k, 4096), picks(4096, 4096 // k, 1024), 1)


@row("elements/along-vector", "GatherElements: 4M of 10M float32, random int64")
def _(k: int) -> Case:
    return _along(values(10_000_000 // k), picks(10_000_000 // k, 4_000_000 // k), 0)


def _along(data: Array, indices: Array, axis: int) -> Case:
    import torch

    inputs = {"data": data, "indices": indices}
    source, picked = tensor(data), tensor(indices)
    case = moved(
        GatherElements(axis),
        inputs,
        np.take_along_axis(data, indices, axis),
        lambda out: np.copyto(out, np.take_along_axis(data, indices, axis)),
        lambda out: torch.gather(source, axis, picked, out=out),
    )
    case.contenders["numpy"] = anew(lambda: np.take_along_axis(data, indices, axis))
    case.contenders["onnxruntime"] = node("GatherElements", inputs, axis=axis)
    case.contenders["openvino"] = openvino(lambda ops, p: ops.gather_elements(p[0], p[1], axis), inputs)
    return case


@row("gather/tuples", "GatherND: 100k rows of 64 float32 of 1000 x 1000, random pairs of int64")
def _(k: int) -> Case:
    data, tuples = values(1000 // k, 1000, 64), picks(1000 // k, 100_000 // k, 2)
    inputs = {"data": data, "tuples": tuples}
    source, first, second = tensor(data), tensor(tuples)[:, 0].contiguous(), tensor(tuples)[:, 1].contiguous()
    case = moved(
        GatherND(),
        inputs,
        data[tuples[:, 0], tuples[:, 1]],
        lambda out: np.copyto(out, data[tuples[:, 0], tuples[:, 1]]),
        lambda out: out,
    )
    case.contenders["numpy"] = anew(lambda: data[tuples[:, 0], tuples[:, 1]])
    case.contenders["torch"] = anew(lambda: source[first, second])
    case.contenders["onnxruntime"] = node("GatherND", inputs)
    case.contenders["openvino"] = openvino(lambda ops, p: ops.gather_nd(p[0], p[1], 0), inputs)
    return case


@row("scatter/tuples-add", "ScatterND: 1M float32 added into 2000 x 2000, random pairs of int64, to a copy")
def _(k: int) -> Case:
    data, tuples = np.floor(values(2000 // k, 2000) * 100), picks(2000 // k, 1_000_000 // k, 2)
    updates = np.floor(values(1_000_000 // k) * 100)  # whole numbers: their sums are the same in any order
    inputs = {"data": data, "tuples": tuples, "updates": updates}
    source, added = tensor(data), tensor(updates)
    pair = (tensor(tuples)[:, 0].contiguous(), tensor(tuples)[:, 1].contiguous())
    expected = data.copy()
    np.add.at(expected, (tuples[:, 0], tuples[:, 1]), updates)

    def by_numpy(out: Array) -> None:
        np.copyto(out, data)
        np.add.at(out, (tuples[:, 0], tuples[:, 1]), updates)

    case = moved(
        ScatterND(reduction=Reduction.ADD),
        inputs,
        expected,
        by_numpy,
        lambda out: out.copy_(source).index_put_(pair, added, accumulate=True),
    )
    case.contenders["onnxruntime"] = node("ScatterND", inputs, reduction="add")
    return case


@row("scatter/cache", "TensorScatter: 16 new of 2048 positions in 8x16x2048x64 float32, to a copy", bandwidth=True)
def _(k: int) -> Case:
    data, updates = values(8, 16 // k, 2048, 64), values(8, 16 // k, 16, 64) + 1
    starts = picks(2048 - 16, 8)
    inputs = {"data": data, "starts": starts, "updates": updates}
    source, added = tensor(data), tensor(updates)
    expected = data.copy()

    def write(out: Any, new: Any) -> None:
        for batch, start in enumerate(starts.tolist()):
            out[batch, :, start : start + 16] = new[batch]

    def by_numpy(out: Array) -> None:
        np.copyto(out, data)
        write(out, updates)

    write(expected, updates)
    case = moved(
        ScatterAlong(2, batch_dims=1, negative=Negative.INVALID, window=Window.LINEAR),
        inputs,
        expected,
        by_numpy,
        lambda out: write(out.copy_(source), added),
    )
    return case


@row("scatter/slice", "SliceScatter: every second of 4096 rows of 4096 float32 replaced, to a copy", bandwidth=True)
def _(k: int) -> Case:
    import torch

    data, updates = values(4096 // k, 4096), values(2048 // k, 4096) + 1
    source, added = tensor(data), tensor(updates)
    expected = data.copy()
    expected[::2] = updates

    def by_numpy(out: Array) -> None:
        np.copyto(out, data)
        out[::2] = updates

    return moved(
        SliceScatter((0,), (4096 // k,), (0,), (2,)),
        {"data": data, "updates": updates},
        expected,
        by_numpy,
        lambda out: torch.slice_scatter(source, added, 0, 0, None, 2, out=out),
    )


@row("slice/backwards", "every second row of 8192 x 4096 float32 from the end, each backwards", bandwidth=True)
def _(k: int) -> Case:
    import torch

    data = values(8192 // k, 4096)
    source = tensor(data)
    case = moved(
        Slice((-1, -1), (-(2**62), -(2**62)), (0, 1), (-2, -1)),
        {"data": data},
        data[::-2, ::-1].copy(),
        lambda out: np.copyto(out, data[::-2, ::-1]),
        lambda out: out.copy_(torch.flip(source[1::2], (0, 1))),
    )
    steps = {"starts": [-1, -1], "ends": [-(2**62)] * 2, "axes": [0, 1], "steps": [-2, -1]}
    case.contenders["onnxruntime"] = node("Slice", {"data": data, **steps})
    return case


@row("expand", "1024 x 1 x 1024 float32 to 1024 x 16 x 1024", bandwidth=True)
def _(k: int) -> Case:
    data, shape = values(1024 // k, 1, 1024), (1024 // k, 16, 1024)
    source = tensor(data)
    case = moved(
        Expand(shape),
        {"data": data},
        np.broadcast_to(data, shape).copy(),
        lambda out: np.copyto(out, data),
        lambda out: out.copy_(source),
    )
    case.contenders["onnxruntime"] = node("Expand", {"data": data, "shape": list(shape)})
    case.contenders["openvino"] = openvino(lambda ops, p: ops.broadcast(p[0], np.array(shape)), {"data": data})
    return case


@row("roll", "4096 x 4096 float32, by 1000 on both axes", bandwidth=True)
def _(k: int) -> Case:
    import torch

    data = values(4096 // k, 4096)
    source = tensor(data)
    case = moved(Roll((1000, 1000), (0, 1)), {"data": data}, np.roll(data, (1000, 1000), (0, 1)), _unused, _unused)
    case.contenders["numpy"] = anew(lambda: np.roll(data, (1000, 1000), (0, 1)))
    case.contenders["torch"] = anew(lambda: torch.roll(source, (1000, 1000), (0, 1)))
    case.contenders["openvino"] = openvino(
        lambda ops, p: ops.roll(p[0], np.array([1000, 1000]), np.array([0, 1])), {"data": data}
    )
    return case


def _unused(out: Any) -> Any:
    raise NotImplementedError


@row("reverse", "16x3x512x512 float32 upside down and mirrored", bandwidth=True)
def _(k: int) -> Case:
    import torch

    data = values(16 // min(k, 16), 3, 512, 512)
    source = tensor(data)
    case = moved(
        Reverse((2, 3)),
        {"data": data},
        data[:, :, ::-1, ::-1].copy(),
        lambda out: np.copyto(out, data[:, :, ::-1, ::-1]),
        _unused,
    )
    case.contenders["torch"] = anew(lambda: torch.flip(source, (2, 3)))
    steps = {"starts": [-1, -1], "ends": [-(2**62)] * 2, "axes": [2, 3], "steps": [-1, -1]}
    case.contenders["onnxruntime"] = node("Slice", {"data": data, **steps})
    return case


@row("reverse-sequence", "512 x 64 x 256 float32, 1 to 512 of each sequence reversed", bandwidth=True)
def _(k: int) -> Case:
    data, lengths = values(512 // k, 64, 256), picks(512 // k, 64) + 1
    expected = data.copy()

    def turn(out: Any) -> None:
        for batch, length in enumerate(lengths.tolist()):
            out[:length, batch] = data[:length, batch][::-1]

    turn(expected)

    def by_numpy(out: Array) -> None:
        np.copyto(out, data)
        turn(out)

    case = moved(ReverseSequence(lengths), {"data": data}, expected, by_numpy, _unused)
    del case.contenders["torch"]
    inputs = {"data": data, "lengths": lengths}
    case.contenders["onnxruntime"] = node("ReverseSequence", inputs, time_axis=0, batch_axis=1)
    case.contenders["openvino"] = openvino(lambda ops, p: ops.reverse_sequence(p[0], p[1], 1, 0), inputs)
    return case


@row("where", "16M float32 of two tensors, random condition")
def _(k: int) -> Case:
    import torch

    x, y = values(16_000_000 // k), values(16_000_000 // k) + 1
    condition = picks(2, 16_000_000 // k).astype(bool)
    inputs = {"condition": condition, "x": x, "y": y}
    given = [tensor(each) for each in inputs.values()]

    case = moved(
        Where(),
        inputs,
        np.where(condition, x, y),
        _unused,
        lambda out: torch.where(given[0], given[1], given[2], out=out),
    )
    case.contenders["numpy"] = anew(lambda: np.where(condition, x, y))
    case.contenders["onnxruntime"] = node("Where", inputs)
    case.contenders["openvino"] = openvino(lambda ops, p: ops.select(p[0], p[1], p[2]), inputs)
    return case


def made(expected: Array, wherry: Any, numpy: Any, torch: Any = None) -> Case:
    """New arrays, because values decide the sizes."""
    makers = {"wherry": anew(wherry), "numpy": anew(numpy)}
    return Case([expected], makers if torch is None else makers | {"torch": anew(torch)})


@row("non-zero", "coordinates of the 10% of 4096 x 4096 float32 that are not zero")
def _(k: int) -> Case:
    import torch

    data = values(4096 // k, 4096)
    data[data < 0.9] = 0
    source = tensor(data)
    case = made(
        np.stack(np.nonzero(data)),
        lambda: wh.onnx.non_zero(data),
        lambda: np.stack(np.nonzero(data)),
        lambda: torch.nonzero(source).t(),
    )
    case.contenders["onnxruntime"] = node("NonZero", {"data": data})
    return case


@row("compress", "half of 1M rows of 64 float32, by a random condition", bandwidth=True)
def _(k: int) -> Case:
    data, condition = values(1_000_000 // k, 64), picks(2, 1_000_000 // k).astype(bool)
    source, marks = tensor(data), tensor(condition)
    case = made(
        data[condition],
        lambda: wh.onnx.compress(data, condition, 0),
        lambda: np.compress(condition, data, 0),
        lambda: source[marks],
    )
    case.contenders["onnxruntime"] = node("Compress", {"data": data, "condition": condition}, axis=0)
    return case


@row("one-hot", "20k indices, 1000 positions of float32")
def _(k: int) -> Case:
    indices, pair = picks(1000, 20_000 // k), np.array([0, 1], np.float32)
    depth = np.array(1000)
    expected = np.zeros((len(indices), 1000), np.float32)
    places = np.arange(len(indices))
    expected[places, indices] = 1
    picked = tensor(indices)[:, None]

    def by_numpy(out: Array) -> Callable[[], None]:
        def call() -> None:
            out.fill(0)
            out[places, indices] = 1

        return call

    case = made(expected, lambda: wh.onnx.one_hot(indices, depth, pair), None)
    case.contenders["numpy"] = into(by_numpy)
    case.contenders["torch"] = into(lambda out: lambda: tensor(out).zero_().scatter_(1, picked, 1))
    case.contenders["onnxruntime"] = onnxruntime(
        lambda make: [make("OneHot", ["indices", "depth", "values"], ["out"])],
        {"indices": indices, "depth": 1000, "values": pair},
    )
    return case


@row("trilu", "lower triangle of 4096 x 4096 float32", bandwidth=True)
def _(k: int) -> Case:
    import torch

    data = values(4096 // k, 4096)
    source = tensor(data)
    case = made(np.tril(data), lambda: wh.onnx.trilu(data, upper=0), lambda: np.tril(data))
    case.contenders["torch"] = into(lambda out: lambda: torch.tril(source, out=tensor(out)))
    case.contenders["onnxruntime"] = node("Trilu", {"data": data}, upper=0)
    return case


@row("unique", "the values among 1M int64 of 1000, with first places, inverse and counts")
def _(k: int) -> Case:
    data = picks(1000, 1_000_000 // k)
    case = made(data, lambda: list(wh.onnx.unique(data)), lambda: np.unique(data, True, True, True))
    case.expected = list(np.unique(data, True, True, True))
    case.contenders["onnxruntime"] = onnxruntime(
        lambda make: [make("Unique", ["data"], [f"out{number}" for number in range(4)], sorted=1)], {"data": data}
    )
    return case


@row("sequence", "Range: 16M int64", bandwidth=True)
def _(k: int) -> Case:
    import torch

    start, limit, delta = (np.array(each) for each in (3, 3 + 7 * (16_000_000 // k), 7))
    case = made(
        np.arange(start, limit, delta),
        lambda: wh.onnx.range(start, limit, delta),
        lambda: np.arange(start, limit, delta),
    )
    case.contenders["torch"] = into(
        lambda out: lambda: torch.arange(int(start), int(limit), int(delta), out=tensor(out))
    )
    case.contenders["onnxruntime"] = node("Range", {"start": start, "limit": limit, "delta": delta})
    return case


@row("space-to-batch", "8x64x128x128 float32, blocks of 2 x 2", bandwidth=True)
def _(k: int) -> Case:
    data = values(8 // min(k, 8), 64, 128, 128)
    batches = len(data)
    pieces = data.reshape(batches, 64, 64, 2, 64, 2).transpose(3, 5, 0, 1, 2, 4)
    source = tensor(pieces)
    inputs = {"data": data}
    block = [1, 1, 2, 2]
    case = moved(
        SpaceToBatch(block, [0] * 4, [0] * 4),
        inputs,
        pieces.reshape(batches * 4, 64, 64, 64).copy(),
        lambda out: np.copyto(out.reshape(pieces.shape), pieces),
        lambda out: out.view(pieces.shape).copy_(source),
    )
    case.contenders["openvino"] = openvino(
        lambda ops, p: ops.space_to_batch(p[0], np.array(block), np.zeros(4, int), np.zeros(4, int)), inputs
    )
    return case


@row("col2im", "8 x 64 channels of 64 x 64 float32 from blocks of 2 x 2 that touch")
def _(k: int) -> Case:
    import torch

    batches = 8 // min(k, 8)
    data = values(batches, 256, 1024)
    source = tensor(data)
    pieces = data.reshape(batches, 64, 2, 2, 32, 32).transpose(0, 1, 4, 2, 5, 3)
    case = moved(
        Col2Im((64, 64), (2, 2), (2, 2)),
        {"data": data},
        pieces.reshape(batches, 64, 64, 64).copy(),
        lambda out: np.copyto(out.reshape(pieces.shape), pieces),
        _unused,
    )
    case.contenders["torch"] = anew(lambda: torch.nn.functional.fold(source, (64, 64), (2, 2), stride=(2, 2)))
    case.contenders["onnxruntime"] = node("Col2Im", {"data": data, "image": [64, 64], "block": [2, 2]}, strides=[2, 2])
    return case


@row("cast", "16M float32 to float16")
def _(k: int) -> Case:
    data = values(16_000_000 // k)
    source = tensor(data)
    case = moved(
        Cast(dtypes.find("float16")),
        {"data": data},
        data.astype(np.float16),
        lambda out: np.copyto(out, data, casting="unsafe"),
        lambda out: out.copy_(source),
    )
    case.contenders["onnxruntime"] = node("Cast", {"data": data}, to=10)
    case.contenders["openvino"] = openvino(lambda ops, p: ops.convert(p[0], "f16"), {"data": data})
    return case
