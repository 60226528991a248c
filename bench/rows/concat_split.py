"""Splits that copy their parts out, and joins."""

from __future__ import annotations

from typing import Any

import numpy as np

import wherry as wh
from wherry.ops import Concat, Split, Squeeze, Unsqueeze

from ..case import Array, Case, into, row, values
from ..ours import planned
from ..runtimes import onnxruntime, openvino, tensor


def split(data: Array, parts: int, axis: int) -> Case:
    """Equal parts, each copied to an output of its own."""
    inputs, names = {"data": data}, [f"out{number}" for number in range(parts)]
    views = np.split(data, parts, axis)

    def by_numpy(*outputs: Array) -> Any:
        def call() -> None:
            for out, view in zip(outputs, views, strict=True):
                np.copyto(out, view)

        return call

    def by_torch(*outputs: Array) -> Any:
        import torch

        whole, targets = tensor(data), [tensor(out) for out in outputs]
        return lambda: torch.split_copy(whole, data.shape[axis] // parts, axis, out=targets)

    return Case(
        [view.copy() for view in views],
        {
            "wherry": planned([(Split(axis, sections=parts), ["data"], names)], inputs),
            "numpy": into(by_numpy),
            "torch": into(by_torch),
            "onnxruntime": onnxruntime(
                lambda node: [node("Split", ["data"], names, axis=axis, num_outputs=parts)], inputs
            ),
            "openvino": openvino(
                lambda ops, p: list(ops.split(p[0], ops.constant(np.int64(axis)), parts).outputs()), inputs
            ),
        },
    )


def concat(parts: list[Array], axis: int) -> Case:
    """Packed parts to one packed whole."""
    inputs = {f"part{number}": part for number, part in enumerate(parts)}

    def by_torch(out: Array) -> Any:
        import torch

        sources, into_ = [tensor(part) for part in parts], tensor(out)
        return lambda: torch.cat(sources, axis, out=into_)

    return Case(
        [np.concatenate(parts, axis)],
        {
            "wherry": into(lambda out: lambda: wh.concat(parts, axis, out=out)),
            "wherry plan": planned([(Concat(axis), list(inputs), ["out"])], inputs),
            "numpy": into(lambda out: lambda: np.concatenate(parts, axis, out=out)),
            "torch": into(by_torch),
            "onnxruntime": onnxruntime(lambda node: [node("Concat", list(inputs), ["out"], axis=axis)], inputs),
            "openvino": openvino(lambda ops, p: ops.concat(p, axis), inputs),
        },
    )


@row("split/last-3", "8192 x 3072 float32 in three on the last axis", bandwidth=True)
def _(k: int) -> Case:
    return split(values(8192 // k, 3072), 3, 1)


@row("split/first-4", "8192 x 3072 float32 in four on the first axis", bandwidth=True)
def _(k: int) -> Case:
    return split(values(8192 // k, 3072), 4, 0)


@row("concat/last-3", "three of 8192 x 1024 float32 on the last axis", bandwidth=True)
def _(k: int) -> Case:
    return concat([values(8192 // k, 1024) + part for part in range(3)], 1)


@row("concat/first-4", "four of 2048 x 3072 float32 on the first axis", bandwidth=True)
def _(k: int) -> Case:
    return concat([values(2048 // k, 3072) + part for part in range(4)], 0)


def planes(data: Array) -> Case:
    """The columns of a matrix as three vectors."""
    inputs, names = {"data": data}, ["a", "b", "c"]
    views = [data[:, column] for column in range(3)]

    def by_numpy(*outputs: Array) -> Any:
        def call() -> None:
            for out, view in zip(outputs, views, strict=True):
                np.copyto(out, view)

        return call

    def by_torch(*outputs: Array) -> Any:
        import torch

        whole, targets = tensor(data), [tensor(out) for out in outputs]
        return lambda: torch.unbind_copy(whole, 1, out=targets)

    return Case(
        [view.copy() for view in views],
        {
            "wherry": planned(
                [(Split(1, sections=3), ["data"], names)]
                + [(Squeeze([1]), [name], [f"out{number}"]) for number, name in enumerate(names)],
                inputs,
            ),
            "numpy": into(by_numpy),
            "torch": into(by_torch),
            "onnxruntime": onnxruntime(
                lambda node: [
                    node("Split", ["data"], names, axis=1, num_outputs=3),
                    *(node("Squeeze", [name, "axes"], [f"out{number}"]) for number, name in enumerate(names)),
                ],
                inputs | {"axes": [1]},
            ),
            "openvino": openvino(
                lambda ops, p: [
                    ops.squeeze(part, ops.constant(np.array([1])))
                    for part in ops.split(p[0], ops.constant(np.int64(1)), 3).outputs()
                ],
                inputs,
            ),
        },
    )


def interleaved(parts: list[Array]) -> Case:
    """Vectors as the columns of a matrix."""
    inputs = {f"part{number}": part for number, part in enumerate(parts)}
    columns = [f"column{number}" for number in range(len(parts))]

    def by_torch(out: Array) -> Any:
        import torch

        sources, into_ = [tensor(part) for part in parts], tensor(out)
        return lambda: torch.stack(sources, 1, out=into_)

    return Case(
        [np.stack(parts, 1)],
        {
            "wherry": planned(
                [
                    *((Unsqueeze([1]), [part], [column]) for part, column in zip(inputs, columns, strict=True)),
                    (Concat(1), columns, ["out"]),
                ],
                inputs,
            ),
            "numpy": into(lambda out: lambda: np.stack(parts, 1, out=out)),
            "torch": into(by_torch),
            "onnxruntime": onnxruntime(
                lambda node: [
                    *(
                        node("Unsqueeze", [part, "axes"], [column])
                        for part, column in zip(inputs, columns, strict=True)
                    ),
                    node("Concat", columns, ["out"], axis=1),
                ],
                inputs | {"axes": [1]},
            ),
            "openvino": openvino(
                lambda ops, p: ops.concat([ops.unsqueeze(part, ops.constant(np.array([1]))) for part in p], 1), inputs
            ),
        },
    )


@row("split/planes-uint8", "4M x 3 uint8 into planes", bandwidth=True)
def _(k: int) -> Case:
    return planes(values(4_000_000 // k, 3, dtype="uint8"))


@row("split/planes-float32", "4M x 3 float32 into planes", bandwidth=True)
def _(k: int) -> Case:
    return planes(values(4_000_000 // k, 3))


@row("concat/planes-uint8", "three planes of 4M uint8 to 4M x 3", bandwidth=True)
def _(k: int) -> Case:
    return interleaved([values(4_000_000 // k, dtype="uint8") ^ part for part in np.arange(3, dtype=np.uint8)])


@row("concat/planes-float32", "three planes of 4M float32 to 4M x 3", bandwidth=True)
def _(k: int) -> Case:
    return interleaved([values(4_000_000 // k) + part for part in range(3)])
