"""Scatter, pad, tile, depth to space."""

from __future__ import annotations

from typing import Any

import numpy as np

from wherry.ops import DepthToSpace, Pad, ScatterElements, ScatterUpdate, Tile

from ..case import Array, Case, Parts, into, parts, row, values
from ..ours import planned
from ..runtimes import onnxruntime, openvino, tensor


@row("scatter/elements", "4M of 10M float32 replaced, random int64, to a copy")
def _(k: int) -> Case:
    size = 10_000_000 // k
    return _scatter_elements(values(size), np.random.default_rng(1).permutation(size)[: 4_000_000 // k], 0)


@row("scatter/elements-rows", "1024 of 4096 in each of 4096 rows of float32 replaced, to a copy")
def _(k: int) -> Case:
    rng = np.random.default_rng(1)
    indices = np.stack([rng.permutation(4096)[:1024] for _ in range(4096 // k)])
    return _scatter_elements(values(4096 // k, 4096), indices, 1)


def _scatter_elements(data: Array, indices: Array, axis: int) -> Case:
    updates = values(*indices.shape) + 1
    inputs = {"data": data, "indices": indices, "updates": updates}
    expected = data.copy()
    np.put_along_axis(expected, indices, updates, axis)

    def by_numpy(out: Array) -> Any:
        def call() -> None:
            np.copyto(out, data)
            if data.ndim == 1:
                out[indices] = updates
            else:
                np.put_along_axis(out, indices, updates, axis)

        return call

    def by_torch(out: Array) -> Any:
        import torch

        source, picked, added, into_ = tensor(data), tensor(indices), tensor(updates), tensor(out)
        return lambda: torch.scatter(source, axis, picked, added, out=into_)

    return Case(
        [expected],
        {
            "wherry": planned([(ScatterElements(axis), list(inputs), ["out"])], inputs),
            "numpy": into(by_numpy),
            "torch": into(by_torch),
            "onnxruntime": onnxruntime(
                lambda node: [node("ScatterElements", list(inputs), ["out"], axis=axis)], inputs
            ),
            "openvino": openvino(
                lambda ops, p: ops.scatter_elements_update(p[0], p[1], p[2], ops.constant(np.int64(axis))), inputs
            ),
        },
    )


@row("scatter/rows", "50k of 100k rows of 128 float32 replaced, random int64, to a copy", bandwidth=True)
def _(k: int) -> Case:
    size, count = 100_000 // k, 50_000 // k
    data, indices = values(size, 128), np.random.default_rng(1).permutation(size)[:count]
    updates = values(count, 128) + 1
    inputs = {"data": data, "indices": indices, "updates": updates}
    expected = data.copy()
    expected[indices] = updates
    origins = np.arange(size)
    origins[indices] = size + np.arange(count)

    def by_numpy(out: Array) -> Any:
        def call() -> None:
            np.copyto(out, data)
            out[indices] = updates

        return call

    def by_torch(out: Array) -> Any:
        import torch

        source, picked, added, into_ = tensor(data), tensor(indices), tensor(updates), tensor(out)
        return lambda: torch.index_copy(source, 0, picked, added, out=into_)

    return Case(
        [expected],
        {
            "wherry": planned([(ScatterUpdate(0), list(inputs), ["out"])], inputs),
            "numpy": into(by_numpy),
            "torch": into(by_torch),
            "onnxruntime": onnxruntime(
                lambda node: [node("ScatterND", ["data", "tuples", "updates"], ["out"])],
                {"data": data, "tuples": indices[:, None], "updates": updates},
            ),
            "openvino": openvino(
                lambda ops, p: ops.scatter_update(p[0], p[1], p[2], ops.constant(np.int64(0))), inputs
            ),
        },
        parts=parts(np.concatenate((data, updates)), (origins,)),
    )


@row("pad/constant", "16x64x112x112 float32, one zero around each image", bandwidth=True)
def _(k: int) -> Case:
    return _pad(values(16 // min(k, 16), 64, 112, 112), 1, "constant")


@row("pad/reflect", "16x64x112x112 float32, 3 mirrored around each image", bandwidth=True)
def _(k: int) -> Case:
    return _pad(values(16 // min(k, 16), 64, 112, 112), 3, "reflect")


def _pad(data: Array, width: int, mode: str) -> Case:
    inputs = {"data": data}
    pads = [0, 0, width, width]
    whole = [(each, each) for each in pads]
    case = Case(
        [np.pad(data, whole, mode)],  # type: ignore[call-overload]
        {
            "wherry": planned([(Pad(pads, pads, mode), ["data"], ["out"])], inputs),
            "onnxruntime": onnxruntime(
                lambda node: [node("Pad", ["data", "pads"], ["out"], mode=mode)], inputs | {"pads": pads + pads}
            ),
            "openvino": openvino(
                lambda ops, p: ops.pad(p[0], np.array(pads), np.array(pads), mode, ops.constant(np.float32(0))), inputs
            ),
        },
        parts=_rows_of_images(data, width, mode),
    )
    if mode != "constant":
        case.contenders["numpy"] = lambda outputs, threads: _anew_numpy(data, whole, mode)
        case.contenders["torch"] = lambda outputs, threads: _anew_torch(data, width, mode)
        return case

    inner = (slice(None), slice(None), slice(width, -width), slice(width, -width))

    def by_numpy(out: Array) -> Any:
        def call() -> None:
            for axis in (2, 3):
                for edge in (slice(0, width), slice(-width, None)):
                    out[(slice(None),) * axis + (edge,)] = 0
            out[inner] = data

        return call

    def by_torch(out: Array) -> Any:
        into_, source = tensor(out), tensor(data)

        def call() -> None:
            for axis in (2, 3):
                for edge in (slice(0, width), slice(-width, None)):
                    into_[(slice(None),) * axis + (edge,)] = 0
            into_[inner] = source

        return call

    case.contenders |= {"numpy": into(by_numpy), "torch": into(by_torch)}
    return case


def _rows_of_images(data: Array, width: int, mode: Any) -> Parts:
    """The rows that a padded image has from the image: all but `width` elements on either side."""
    images, channels, height, columns = data.shape
    numbers: Any = np.arange(1, height + 1)
    origins = np.pad(numbers, width, mode) - 1  # constant: -1
    inner = np.flatnonzero(origins >= 0)
    first = np.arange(images * channels)[:, None] * len(origins) + inner
    targets = (first.reshape(-1) * (columns + 2 * width) + width) * data.itemsize
    return parts(data, np.ix_(range(images), range(channels), origins[inner]), targets)


def _anew_numpy(data: Array, pads: Any, mode: Any) -> Any:
    from ..case import anew

    return anew(lambda: np.pad(data, pads, mode))([], 0)


def _anew_torch(data: Array, width: int, mode: str) -> Any:
    from torch.nn.functional import pad

    from ..case import anew

    source = tensor(data)
    return anew(lambda: pad(source, (width,) * 4, mode))([], 0)


@row("tile/4x4", "1024 x 1024 float32, 4 times on both axes", bandwidth=True)
def _(k: int) -> Case:
    rows_ = 1024 // k
    data = values(rows_, 1024)
    inputs = {"data": data}
    source = np.broadcast_to(data[None, :, None, :], (4, rows_, 4, 1024))

    def by_torch(out: Array) -> Any:
        into_, repeated = tensor(out).view(source.shape), tensor(data)[None, :, None, :]
        return lambda: into_.copy_(repeated)

    return Case(
        [np.tile(data, (4, 4))],
        {
            "wherry": planned([(Tile((4, 4)), ["data"], ["out"])], inputs),
            "numpy": into(lambda out: lambda: np.copyto(out.reshape(source.shape), source)),
            "torch": into(by_torch),
            "onnxruntime": onnxruntime(
                lambda node: [node("Tile", ["data", "repeats"], ["out"])], inputs | {"repeats": [4, 4]}
            ),
            "openvino": openvino(lambda ops, p: ops.tile(p[0], np.array([4, 4])), inputs),
        },
    )


@row("depth-to-space", "8x256x64x64 float32, blocks of 2", bandwidth=True)
def _(k: int) -> Case:
    data = values(8 // min(k, 8), 256, 64, 64)
    batches = len(data)
    inputs = {"data": data}
    pieces = data.reshape(batches, 2, 2, 64, 64, 64).transpose(0, 3, 4, 1, 5, 2)

    def by_torch(out: Array) -> Any:
        into_, source = tensor(out).view(pieces.shape), tensor(pieces)
        return lambda: into_.copy_(source)

    return Case(
        [pieces.reshape(batches, 64, 128, 128).copy()],
        {
            "wherry": planned([(DepthToSpace(2), ["data"], ["out"])], inputs),
            "numpy": into(lambda out: lambda: np.copyto(out.reshape(pieces.shape), pieces)),
            "torch": into(by_torch),
            "onnxruntime": onnxruntime(
                lambda node: [node("DepthToSpace", ["data"], ["out"], blocksize=2, mode="DCR")], inputs
            ),
            "openvino": openvino(lambda ops, p: ops.depth_to_space(p[0], "blocks_first", 2), inputs),
        },
    )
