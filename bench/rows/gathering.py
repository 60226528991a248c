"""The contenders of a gather along one axis, for any row of that kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import wherry as wh

from ..case import Array, Case, Maker, anew, into, parts
from ..runtimes import narrowed, onnxruntime, openvino, tensor


def gather(data: Array, indices: Array, axis: int = 0, *, outputs: Callable[[], list[Array]] | None = None) -> Case:
    """Slices along one axis; for torch, onnxruntime and openvino indices are of a type that they take."""
    wide = indices if indices.dtype in (np.int32, np.int64) else indices.astype(np.int32)
    return Case(
        [np.take(data, indices, axis)],
        {
            "wherry": into(lambda out: lambda: wh.gather(data, indices, axis, out=out)),
            "numpy": anew(lambda: np.take(data, indices, axis)),
            # Any mode but "raise" does without a buffer.
            "numpy out": into(lambda out: lambda: np.take(data, indices, axis, out=out, mode="clip")),
            "torch": into(torch_select(data, wide, axis)),
            **runtimes(data, wide, axis),
        },
        outputs=outputs,
        parts=parts(data, (slice(None),) * axis + (indices,)) if data[(0,) * (axis + 1)].flags.c_contiguous else None,
    )


def torch_select(data: Array, indices: Array, axis: int) -> Callable[[Array], Any]:
    """torch.index_select into an output."""

    def make(out: Array) -> Any:
        import torch

        table, picked, into_, select = tensor(data), tensor(indices), tensor(out), torch.index_select
        return lambda: select(table, axis, picked, out=into_)

    return make


def runtimes(data: Array, indices: Array, axis: int) -> dict[str, Maker]:
    """Gather in onnxruntime and openvino, which take packed data only."""
    inputs = {"data": np.ascontiguousarray(data), "indices": indices}
    makers = {
        "onnxruntime": onnxruntime(lambda node: [node("Gather", ["data", "indices"], ["out"], axis=axis)], inputs),
    }
    if not narrowed(data):
        makers["openvino"] = openvino(lambda ops, p: ops.gather(p[0], p[1], ops.constant(np.int64(axis))), inputs)
    return makers


def elements(data: Array, indices: Array) -> Case:
    """Single elements of a vector: also by the functions that are made for them."""
    case = gather(data, indices)
    inputs = {"data": data, "indices": indices}

    def torch_gather(out: Array) -> Any:
        import torch

        table, picked, into_ = tensor(data), tensor(indices), tensor(out)
        return lambda: torch.gather(table, 0, picked, out=into_)

    case.contenders |= {
        "torch gather": into(torch_gather),
        "onnxruntime elements": onnxruntime(
            lambda node: [node("GatherElements", ["data", "indices"], ["out"], axis=0)], inputs
        ),
    }
    if not narrowed(data):
        case.contenders["openvino elements"] = openvino(lambda ops, p: ops.gather_elements(p[0], p[1], 0), inputs)
    return case
