"""Calls so small that overhead is all: new results, all checks included."""

from __future__ import annotations

import numpy as np

import wherry as wh
from wherry.models.model import GraphModel
from wherry.ops import Gather

from ..case import Array, Case, Maker, anew, picks, row, values
from ..ours import graph_of
from ..runtimes import onnxruntime, openvino, tensor
from .gathering import runtimes

CALLS = 2000


@row("small/gather-2-of-4", "4 float32, 2 int64")
def _(k: int) -> Case:
    return _gather(values(4), np.array([1, 3]))


@row("small/gather-128-rows", "1000 x 64 float32, 128 int64")
def _(k: int) -> Case:
    return _gather(values(1000, 64), picks(1000, 128))


def _gather(data: Array, indices: Array) -> Case:
    def by_torch(outputs: list[Array], threads: int) -> object:
        import torch

        table, picked, select = tensor(data), tensor(indices), torch.index_select
        return anew(lambda: select(table, 0, picked))(outputs, threads)

    gather, take = wh.gather, data.take
    makers: dict[str, Maker] = {
        "wherry": anew(lambda: gather(data, indices)),
        "numpy": anew(lambda: data[indices]),
        "numpy take": anew(lambda: take(indices, 0)),
        "torch": by_torch,  # type: ignore[dict-item]
        **runtimes(data, indices, 0),
    }
    return Case([np.take(data, indices, 0)], makers, CALLS)


@row("small/split", "12 x 8 float32 in three, as views")
def _(k: int) -> Case:
    data = values(12, 8)

    def by_torch(outputs: list[Array], threads: int) -> object:
        whole = tensor(data)
        return anew(lambda: whole.split(4))(outputs, threads)

    ours, by_numpy = wh.split, np.split
    return Case(
        np.split(data, 3),
        {
            "wherry": anew(lambda: ours(data, 3)),
            "numpy": anew(lambda: by_numpy(data, 3)),
            "torch": by_torch,  # type: ignore[dict-item]
            "onnxruntime": onnxruntime(
                lambda node: [node("Split", ["data"], ["out0", "out1", "out2"], axis=0, num_outputs=3)], {"data": data}
            ),
            "openvino": openvino(
                lambda ops, p: list(ops.split(p[0], ops.constant(np.int64(0)), 3).outputs()), {"data": data}
            ),
        },
        CALLS,
    )


@row("small/model", "a model of one Gather: 4 float32, 2 int64, through `run`")
def _(k: int) -> Case:
    inputs = {"data": values(4), "indices": np.array([1, 3])}
    model = GraphModel(graph_of([(Gather(0), ["data", "indices"], ["out"])], inputs, 1), "onnx")
    return Case(
        [inputs["data"][inputs["indices"]]],
        {
            "wherry": anew(lambda: model.run(inputs)["out"]),
            **runtimes(inputs["data"], inputs["indices"], 0),
        },
        CALLS,
    )
