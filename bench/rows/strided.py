"""Gathers from and to memory that is not packed; onnxruntime and openvino take packed arrays, in the same order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import wherry as wh

from ..case import Array, Case, anew, empty, into, parts, picks, row, values
from ..runtimes import onnxruntime, openvino
from .gathering import gather, torch_select


@row("strided/column-major", "column-major table of 200k x 128 float32, 20k random int64")
def _(k: int) -> Case:
    size = 200_000 // k
    packed, indices = values(128, size), picks(size, 20_000 // k)
    inputs = {"data": packed, "indices": indices}
    return Case(
        [np.ascontiguousarray(packed[:, indices].T)],
        {
            **_three(packed.T, indices, 0),
            "onnxruntime": onnxruntime(
                lambda node: [
                    node("Gather", ["data", "indices"], ["columns"], axis=1),
                    node("Transpose", ["columns"], ["out"], perm=[1, 0]),
                ],
                inputs,
            ),
            "openvino": openvino(
                lambda ops, p: ops.transpose(
                    ops.gather(p[0], p[1], ops.constant(np.int64(1))), ops.constant(np.array([1, 0]))
                ),
                inputs,
            ),
        },
        parts=parts(packed.T, (indices[:, None], np.arange(128))),
    )


@row("strided/table-padded", "rows of 128 float32, 160 apart, 1M of them, 20k random int64", bandwidth=True)
def _(k: int) -> Case:
    size = 1_000_000 // k
    data, indices = values(size, 160)[:, :128], picks(size, 20_000 // k)
    return Case([data[indices]], _three(data, indices, 0), parts=parts(data, (indices,)))


@row("strided/nhwc", "32 of 64 channels of 16x64x112x112 in NHWC memory, to NHWC memory", bandwidth=True)
def _(k: int) -> Case:
    packed, indices = values(16 // min(k, 16), 112, 112, 64), np.sort(picks(64, 32))
    data = packed.transpose(0, 3, 1, 2)
    inputs = {"data": packed, "indices": indices}

    def outputs() -> list[Array]:
        return [empty((*packed.shape[:3], 32), np.float32).transpose(0, 3, 1, 2)]

    def first(contender: Any) -> Any:
        """Contenders of packed arrays have their result in the order of the memory."""

        def make(given: list[Array], threads: int) -> Any:
            made = contender([given[0].transpose(0, 2, 3, 1)], threads)
            return type(made)(made.call, lambda result: [made.results(result)[0].transpose(0, 3, 1, 2)])

        return make

    return Case(
        [np.take(data, indices, 1)],
        {
            **_three(data, indices, 1),
            "numpy packed": first(into(lambda out: lambda: np.take(packed, indices, 3, out=out, mode="clip"))),
            "torch packed": first(into(torch_select(packed, indices, 3))),
            "onnxruntime": first(
                onnxruntime(lambda node: [node("Gather", ["data", "indices"], ["out"], axis=3)], inputs)
            ),
            "openvino": first(openvino(lambda ops, p: ops.gather(p[0], p[1], ops.constant(np.int64(3))), inputs)),
        },
        outputs=outputs,
        reads=packed.nbytes,  # some of the channels lie in each line
    )


@row("strided/out-padded", "1M x 128 float32, 100k random int64, to rows 160 apart", bandwidth=True)
def _(k: int) -> Case:
    size, count = 1_000_000 // k, 100_000 // k
    data, indices = values(size, 128), picks(size, count)
    return Case(
        [data[indices]],
        _three(data, indices, 0),
        outputs=lambda: [empty((count, 160), np.float32)[:, :128]],
        parts=parts(data, (indices,), targets=np.arange(count) * 160 * data.itemsize),
    )


@row("strided/broadcast", "axis 1 of 1000 x 256 float32 repeated 64 times, 500 random int64", bandwidth=True)
def _(k: int) -> Case:
    data = np.broadcast_to(values(1, 1000, 256), (64 // min(k, 64), 1000, 256))
    case = gather(data, picks(1000, 500), 1)
    for name in ("onnxruntime", "openvino"):  # they would read other data: all of the repetitions
        del case.contenders[name]
    return case


def _three(data: Array, indices: Array, axis: int) -> dict[str, Any]:
    """Those that take any strides."""
    takers: Sequence[tuple[str, Callable[[Array], Any]]] = (
        ("wherry", lambda out: lambda: wh.gather(data, indices, axis, out=out)),
        ("numpy out", lambda out: lambda: np.take(data, indices, axis, out=out, mode="clip")),
        ("torch", torch_select(data, indices, axis)),
    )
    return {name: into(make) for name, make in takers} | {"numpy": anew(lambda: np.take(data, indices, axis))}
