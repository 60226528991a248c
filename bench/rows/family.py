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
    OneHot,
    Range,
    Reverse,
    ReverseSequence,
    Roll,
    ScatterND,
    ScatterUpdate,
    Slice,
    SliceScatter,
    SpaceToBatch,
    Trilu,
    Where,
)
from wherry.ops.scatter import Window

from ..case import Array, Case, Maker, anew, into, parts, picks, row, values
from ..ours import planned
from ..runtimes import onnxruntime, openvino, torch_anew, torch_into

Inputs = dict[str, Array]


def moved(operator: Any, inputs: Inputs, expected: Array, *, reads_all: bool = False, **peers: Maker) -> Case:
    """An operator that is planned, beside its peers; it may have to read all of its inputs."""
    reads = sum(array.nbytes for array in inputs.values()) if reads_all else 0
    return Case([expected], {"wherry": planned([(operator, list(inputs), ["out"])], inputs), **peers}, reads=reads)


def writes(write: Callable[[Array], Any]) -> Maker:
    """A contender whose every call writes to the output."""
    return into(lambda out: lambda: write(out))


def written(like: Array, write: Callable[[Array], Any]) -> Array:
    """What `write` makes of a new array."""
    out = np.empty_like(like)
    write(out)
    return out


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
    inputs = {"data": data, "indices": indices}
    rows = [np.arange(size).reshape(-1, *[1] * (data.ndim - number - 1)) for number, size in enumerate(indices.shape)]
    case = moved(
        GatherElements(axis),
        inputs,
        np.take_along_axis(data, indices, axis),
        numpy=anew(lambda: np.take_along_axis(data, indices, axis)),
        torch=torch_into(lambda torch, out, *given: torch.gather(given[0], axis, given[1], out=out), data, indices),
        onnxruntime=node("GatherElements", inputs, axis=axis),
        openvino=openvino(lambda ops, p: ops.gather_elements(p[0], p[1], axis), inputs),
    )
    case.parts = parts(data, (*rows[:axis], indices, *rows[axis + 1 :]))
    return case


@row("gather/tuples", "GatherND: 100k rows of 64 float32 of 1000 x 1000, random pairs of int64")
def _(k: int) -> Case:
    data, tuples = values(1000 // k, 1000, 64), picks(1000 // k, 100_000 // k, 2)
    first, second = np.ascontiguousarray(tuples.T)
    inputs = {"data": data, "tuples": tuples}
    case = moved(
        GatherND(),
        inputs,
        data[first, second],
        numpy=anew(lambda: data[first, second]),
        torch=torch_anew(lambda torch, data, first, second: data[first, second], data, first, second),
        onnxruntime=node("GatherND", inputs),
        openvino=openvino(lambda ops, p: ops.gather_nd(p[0], p[1], 0), inputs),
    )
    case.parts = parts(data, (first, second))
    return case


@row("scatter/tuples-add", "ScatterND: 1M float32 added into 2000 x 2000, random pairs of int64, to a copy")
def _(k: int) -> Case:
    data, tuples = np.floor(values(2000 // k, 2000) * 100), picks(2000 // k, 1_000_000 // k, 2)
    first, second = np.ascontiguousarray(tuples.T)
    updates = np.floor(values(1_000_000 // k) * 100)  # whole numbers: their sums are the same in any order
    inputs = {"data": data, "tuples": tuples, "updates": updates}

    def by_numpy(out: Array) -> None:
        np.copyto(out, data)
        np.add.at(out, (first, second), updates)

    return moved(
        ScatterND(reduction=Reduction.ADD),
        inputs,
        written(data, by_numpy),
        numpy=writes(by_numpy),
        torch=torch_into(
            lambda torch, out, data, first, second, added: out.copy_(data).index_put_(
                (first, second), added, accumulate=True
            ),
            *(data, first, second, updates),
        ),
        onnxruntime=node("ScatterND", inputs, reduction="add"),
    )


@row("scatter/cache", "TensorScatter: 16 new of 2048 positions in 8x16x2048x64 float32, to a copy", bandwidth=True)
def _(k: int) -> Case:
    data, updates = values(8, 16 // k, 2048, 64), values(8, 16 // k, 16, 64) + 1
    starts = picks(2048 - 16, 8)

    def write(out: Any, new: Any) -> None:
        for batch, start in enumerate(starts.tolist()):
            out[batch, :, start : start + 16] = new[batch]

    def by_numpy(out: Array) -> None:
        np.copyto(out, data)
        write(out, updates)

    return moved(
        ScatterUpdate(2, batch_dims=1, negative=Negative.INVALID, window=Window.LINEAR),
        {"data": data, "starts": starts, "updates": updates},
        written(data, by_numpy),
        numpy=writes(by_numpy),
        torch=torch_into(lambda torch, out, data, new: write(out.copy_(data), new), data, updates),
    )


@row("scatter/slice", "SliceScatter: every second of 4096 rows of 4096 float32 replaced, to a copy", bandwidth=True)
def _(k: int) -> Case:
    data, updates = values(4096 // k, 4096), values(2048 // k, 4096) + 1

    def by_numpy(out: Array) -> None:
        np.copyto(out, data)
        out[::2] = updates

    return moved(
        SliceScatter((0,), (4096 // k,), (0,), (2,)),
        {"data": data, "updates": updates},
        written(data, by_numpy),
        numpy=writes(by_numpy),
        torch=torch_into(
            lambda torch, out, data, new: torch.slice_scatter(data, new, 0, 0, None, 2, out=out), data, updates
        ),
    )


@row("slice/backwards", "every second row of 8192 x 4096 float32 from the end, each backwards", bandwidth=True)
def _(k: int) -> Case:
    data = values(8192 // k, 4096)
    steps = {"starts": [-1, -1], "ends": [-(2**62)] * 2, "axes": [0, 1], "steps": [-2, -1]}
    return moved(
        Slice((-1, -1), (-(2**62), -(2**62)), (0, 1), (-2, -1)),
        {"data": data},
        data[::-2, ::-1].copy(),
        numpy=writes(lambda out: np.copyto(out, data[::-2, ::-1])),
        torch=torch_into(lambda torch, out, data: out.copy_(torch.flip(data[1::2], (0, 1))), data),
        onnxruntime=node("Slice", {"data": data, **steps}),
    )


@row("expand", "1024 x 1 x 1024 float32 to 1024 x 16 x 1024", bandwidth=True)
def _(k: int) -> Case:
    data, shape = values(1024 // k, 1, 1024), (1024 // k, 16, 1024)
    return moved(
        Expand(shape),
        {"data": data},
        np.broadcast_to(data, shape).copy(),
        numpy=writes(lambda out: np.copyto(out, data)),
        torch=torch_into(lambda torch, out, data: out.copy_(data), data),
        onnxruntime=node("Expand", {"data": data, "shape": list(shape)}),
        openvino=openvino(lambda ops, p: ops.broadcast(p[0], np.array(shape)), {"data": data}),
    )


@row("roll", "4096 x 4096 float32, by 1000 on both axes", bandwidth=True)
def _(k: int) -> Case:
    data, by, axes = values(4096 // k, 4096), (1000, 1000), (0, 1)
    return moved(
        Roll(by, axes),
        {"data": data},
        np.roll(data, by, axes),
        numpy=anew(lambda: np.roll(data, by, axes)),
        torch=torch_anew(lambda torch, data: torch.roll(data, by, axes), data),
        openvino=openvino(lambda ops, p: ops.roll(p[0], np.array(by), np.array(axes)), {"data": data}),
    )


@row("reverse", "16x3x512x512 float32 upside down and mirrored", bandwidth=True)
def _(k: int) -> Case:
    data = values(16 // min(k, 16), 3, 512, 512)
    steps = {"starts": [-1, -1], "ends": [-(2**62)] * 2, "axes": [2, 3], "steps": [-1, -1]}
    return moved(
        Reverse((2, 3)),
        {"data": data},
        data[:, :, ::-1, ::-1].copy(),
        numpy=writes(lambda out: np.copyto(out, data[:, :, ::-1, ::-1])),
        torch=torch_anew(lambda torch, data: torch.flip(data, (2, 3)), data),
        onnxruntime=node("Slice", {"data": data, **steps}),
    )


@row("reverse-sequence", "512 x 64 x 256 float32, 1 to 512 of each sequence reversed", bandwidth=True)
def _(k: int) -> Case:
    data, lengths = values(512 // k, 64, 256), picks(512 // k, 64) + 1
    inputs = {"data": data, "lengths": lengths}

    def by_numpy(out: Array) -> None:
        np.copyto(out, data)
        for batch, length in enumerate(lengths.tolist()):
            out[:length, batch] = data[:length, batch][::-1]

    times, batches = np.ogrid[: len(data), :64]
    case = moved(
        ReverseSequence(lengths),
        {"data": data},
        written(data, by_numpy),
        numpy=writes(by_numpy),
        onnxruntime=node("ReverseSequence", inputs, time_axis=0, batch_axis=1),
        openvino=openvino(lambda ops, p: ops.reverse_sequence(p[0], p[1], 1, 0), inputs),
    )
    case.parts = parts(data, (np.where(times < lengths, lengths - 1 - times, times), batches))
    return case


@row("where", "16M float32 of two tensors, random condition")
def _(k: int) -> Case:
    x, y = values(16_000_000 // k), values(16_000_000 // k) + 1
    condition = picks(2, 16_000_000 // k).astype(bool)
    inputs = {"condition": condition, "x": x, "y": y}
    return moved(
        Where(),
        inputs,
        np.where(condition, x, y),
        reads_all=True,
        numpy=anew(lambda: np.where(condition, x, y)),
        torch=torch_into(lambda torch, out, *given: torch.where(*given, out=out), *inputs.values()),
        onnxruntime=node("Where", inputs),
        openvino=openvino(lambda ops, p: ops.select(p[0], p[1], p[2]), inputs),
    )


@row("non-zero", "coordinates of the 10% of 4096 x 4096 float32 that are not zero")
def _(k: int) -> Case:
    data = values(4096 // k, 4096)
    data[data < 0.9] = 0
    return Case(
        [np.stack(np.nonzero(data))],
        {
            "wherry": writes(lambda out: wh.onnx.non_zero(data, out=out)),
            "numpy": anew(lambda: np.stack(np.nonzero(data))),
            "torch": torch_anew(lambda torch, data: torch.nonzero(data).t(), data),
            "torch out": torch_into(lambda torch, out, data: torch.nonzero(data, out=out.t()), data),
            "onnxruntime": node("NonZero", {"data": data}),
        },
    )


@row("compress", "half of 1M rows of 64 float32, by a random condition", bandwidth=True)
def _(k: int) -> Case:
    data, condition = values(1_000_000 // k, 64), picks(2, 1_000_000 // k).astype(bool)
    return Case(
        [data[condition]],
        {
            "wherry": writes(lambda out: wh.onnx.compress(data, condition, 0, out=out)),
            "numpy": writes(lambda out: np.compress(condition, data, 0, out=out)),
            "numpy new": anew(lambda: np.compress(condition, data, 0)),
            "torch": torch_into(
                lambda torch, out, data, condition: torch.index_select(data, 0, condition.nonzero().view(-1), out=out),
                data,
                condition,
            ),
            "onnxruntime": node("Compress", {"data": data, "condition": condition}, axis=0),
        },
        parts=parts(data, (np.flatnonzero(condition),)),
    )


@row("one-hot", "20k indices, 1000 positions of float32")
def _(k: int) -> Case:
    indices, pair = picks(1000, 20_000 // k), np.array([0, 1], np.float32)
    places = np.arange(len(indices))
    inputs = {"indices": indices, "values": pair}

    def by_numpy(out: Array) -> None:
        out.fill(0)
        out[places, indices] = 1

    return moved(
        OneHot(1000),
        inputs,
        written(np.empty((len(indices), 1000), np.float32), by_numpy),
        numpy=writes(by_numpy),
        torch=torch_into(lambda torch, out, picked: out.zero_().scatter_(1, picked, 1), indices[:, None]),
        onnxruntime=onnxruntime(
            lambda make: [make("OneHot", ["indices", "depth", "values"], ["out"])], inputs | {"depth": 1000}
        ),
    )


@row("trilu", "lower triangle of 4096 x 4096 float32", bandwidth=True)
def _(k: int) -> Case:
    data = values(4096 // k, 4096)
    return moved(
        Trilu.triangle(upper=False),
        {"data": data},
        np.tril(data),
        numpy=anew(lambda: np.tril(data)),
        torch=torch_into(lambda torch, out, data: torch.tril(data, out=out), data),
        onnxruntime=node("Trilu", {"data": data}, upper=0),
    )


def _unique(data: Array) -> Case:
    outputs = [f"out{number}" for number in range(4)]
    return Case(
        list(np.unique(data, True, True, True)),
        {
            "wherry": anew(lambda: list(wh.onnx.unique(data))),
            "numpy": anew(lambda: np.unique(data, True, True, True)),
            "onnxruntime": onnxruntime(lambda make: [make("Unique", ["data"], outputs, sorted=1)], {"data": data}),
        },
        is_new=True,
    )


@row("unique", "the values among 1M int64 of 1000, with first places, inverse and counts")
def _(k: int) -> Case:
    return _unique(picks(1000, 1_000_000 // k))


@row("unique/wide", "the same of 1M int64, nearly all different")
def _(k: int) -> Case:
    return _unique(picks(2**62, 1_000_000 // k))


@row("unique/floats", "the same of 1M float32 of 10000")
def _(k: int) -> Case:
    return _unique(values(10_000)[picks(10_000, 1_000_000 // k)])


@row("unique/rows", "the same of 100k rows of 10 int64, of 4")
def _(k: int) -> Case:
    data = picks(4, 100_000 // k, 10)
    outputs = [f"out{number}" for number in range(4)]

    def by_numpy() -> list[Array]:
        rows, *others = np.unique(data, True, True, True, axis=0)
        return [rows, *(each.reshape(-1) for each in others)]

    return Case(
        by_numpy(),
        {
            "wherry": anew(lambda: list(wh.onnx.unique(data, axis=0))),
            "numpy": anew(by_numpy),
            "onnxruntime": onnxruntime(
                lambda make: [make("Unique", ["data"], outputs, axis=0, sorted=1)], {"data": data}
            ),
        },
        is_new=True,
    )


@row("sequence", "Range: 16M int64", bandwidth=True)
def _(k: int) -> Case:
    start, limit, delta = bounds = 3, 3 + 7 * (16_000_000 // k), 7
    given = dict(zip(("start", "limit", "delta"), (np.array(each) for each in bounds), strict=True))
    return moved(
        Range(given["start"], given["delta"], given["limit"]),
        {},
        np.arange(*bounds),
        numpy=anew(lambda: np.arange(start, limit, delta)),
        torch=torch_into(lambda torch, out: torch.arange(start, limit, delta, out=out)),
        onnxruntime=node("Range", given),
    )


@row("space-to-batch", "8x64x128x128 float32, blocks of 2 x 2", bandwidth=True)
def _(k: int) -> Case:
    data = values(8 // min(k, 8), 64, 128, 128)
    batches, block = len(data), [1, 1, 2, 2]
    pieces = data.reshape(batches, 64, 64, 2, 64, 2).transpose(3, 5, 0, 1, 2, 4)
    return moved(
        SpaceToBatch(block, [0] * 4, [0] * 4),
        {"data": data},
        pieces.reshape(batches * 4, 64, 64, 64).copy(),
        numpy=writes(lambda out: np.copyto(out.reshape(pieces.shape), pieces)),
        torch=torch_into(lambda torch, out, pieces: out.view(pieces.shape).copy_(pieces), pieces),
        openvino=openvino(
            lambda ops, p: ops.space_to_batch(p[0], np.array(block), np.zeros(4, int), np.zeros(4, int)),
            {"data": data},
        ),
    )


@row("col2im", "8 x 64 channels of 64 x 64 float32 from blocks of 2 x 2 that touch")
def _(k: int) -> Case:
    batches = 8 // min(k, 8)
    data = values(batches, 256, 1024)
    pieces = data.reshape(batches, 64, 2, 2, 32, 32).transpose(0, 1, 4, 2, 5, 3)
    return moved(
        Col2Im((64, 64), (2, 2), (2, 2)),
        {"data": data},
        pieces.reshape(batches, 64, 64, 64).copy(),
        numpy=writes(lambda out: np.copyto(out.reshape(pieces.shape), pieces)),
        torch=torch_anew(lambda torch, data: torch.nn.functional.fold(data, (64, 64), (2, 2), stride=(2, 2)), data),
        onnxruntime=node("Col2Im", {"data": data, "image": [64, 64], "block": [2, 2]}, strides=[2, 2]),
    )


@row("cast", "16M float32 to float16")
def _(k: int) -> Case:
    data = values(16_000_000 // k)
    return moved(
        Cast(dtypes.find("float16")),
        {"data": data},
        data.astype(np.float16),
        reads_all=True,
        numpy=writes(lambda out: np.copyto(out, data, casting="unsafe")),
        torch=torch_into(lambda torch, out, data: out.copy_(data), data),
        onnxruntime=node("Cast", {"data": data}, to=10),
        openvino=openvino(lambda ops, p: ops.convert(p[0], "f16"), {"data": data}),
    )
