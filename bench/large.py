"""Models of two gigabytes of weights, and what `wherry info` and `wherry check` take of them: time and memory.

The weights are holes of the files, which take no disk: nothing may read them, and what did would take their memory.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from onnx import ModelProto, NodeProto, TensorProto, helper

WEIGHTS = 2**31 - 2**20
"""The bytes of weights: a file with all of them inside stays just below protobuf's limit."""

_WATCH = """
import os, sys, time
before = time.perf_counter()
nowhere = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
_, status, usage = os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=nowhere), 0)
wall, processor = time.perf_counter() - before, usage.ru_utime + usage.ru_stime
print(wall, processor, usage.ru_maxrss, os.waitstatus_to_exitcode(status))
"""
"""Runs a program. A process counts the memory of the one that starts it as its own, which is therefore a small one."""

_ROWS = 1_024
_LAYERS = 500
_GRAPH, _INITIALIZER, _RAW_DATA = 7, 5, 9


@dataclass(frozen=True)
class Taken:
    """What a process took: seconds on the clock and on processors, the most bytes of memory, and how it ended."""

    wall: float
    processor: float
    memory: int
    status: int


def info(path: Path, *options: str) -> Taken:
    """Run `wherry info` as a process of its own, as a person does: imports count."""
    return _taken_by("info", path, *options)


def check(path: Path, *options: str) -> Taken:
    """Run `wherry check` so."""
    return _taken_by("check", path, *options)


def _taken_by(name: str, path: Path, *options: str) -> Taken:
    command = [sys.executable, "-m", "wherry.cli", name, str(path), *options]
    done = subprocess.run([sys.executable, "-I", "-S", "-c", _WATCH, *command], stdout=subprocess.PIPE, check=True)
    wall, processor, memory, status = map(float, done.stdout.split())
    return Taken(wall, processor, int(memory) * 1024, int(status))


def layers(weights: int) -> tuple[ModelProto, list[TensorProto]]:
    """Return a model of layers that multiply and cut off what is too much, and apart from it its weights."""
    columns = weights // (4 * _ROWS * _LAYERS)
    nodes: list[NodeProto] = []
    for number in range(_LAYERS):
        read, made = f"x{number}", f"x{number + 1}"
        nodes += [
            helper.make_node("MatMul", [read, f"w{number}"], [f"m{number}"], name=f"layer.{number}/MatMul"),
            helper.make_node("Relu", [f"m{number}"], [f"r{number}"], name=f"layer.{number}/Relu"),
            helper.make_node("Slice", [f"r{number}", "0", "rows", "1"], [made], name=f"layer.{number}/Slice"),
        ]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [8, _ROWS]) for name in ("x0", f"x{_LAYERS}")]
    bounds = {"0": 0, "rows": _ROWS, "1": 1}
    constants = [helper.make_tensor(name, TensorProto.INT64, [1], [value]) for name, value in bounds.items()]
    graph = helper.make_graph(nodes, "layers", ends[:1], ends[1:], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    tensors = [
        TensorProto(name=f"w{number}", data_type=TensorProto.FLOAT, dims=(_ROWS, columns)) for number in range(_LAYERS)
    ]
    return model, tensors


def inside(path: Path, weights: int = WEIGHTS) -> None:
    """Write the model with its weights inside."""
    model, tensors = layers(weights)
    graph = model.graph.SerializeToString()
    model.ClearField("graph")
    heads = [(_head(tensor), 4 * math.prod(tensor.dims)) for tensor in tensors]
    length = len(graph) + sum(len(_key(_INITIALIZER, len(head) + size)) + len(head) + size for head, size in heads)
    with path.open("wb") as file:
        file.write(model.SerializeToString() + _key(_GRAPH, length) + graph)
        for head, size in heads:
            file.write(_key(_INITIALIZER, len(head) + size) + head)
            file.seek(size, os.SEEK_CUR)
        file.truncate(file.tell())


def beside(path: Path, weights: int = WEIGHTS) -> None:
    """Write the model with its weights in a file beside it."""
    model, tensors = layers(weights)
    data = path.with_suffix(".weights")
    at = 0
    for tensor in tensors:
        size = 4 * math.prod(tensor.dims)
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", data.name), ("offset", at), ("length", size)):
            tensor.external_data.add(key=key, value=str(value))
        at += size
    model.graph.initializer.extend(tensors)
    path.write_bytes(model.SerializeToString())
    with data.open("wb") as file:
        file.truncate(at)


def _head(tensor: TensorProto) -> bytes:
    """Return a tensor without its bytes, and what says how many follow."""
    found: bytes = tensor.SerializeToString() + _key(_RAW_DATA, 4 * math.prod(tensor.dims))
    return found


def _key(field: int, length: int) -> bytes:
    """Return what stands before a field of so many bytes: its number and type, and the length, seven bits a byte."""
    written = bytearray([field << 3 | 2])
    while length > 127:
        written.append(length & 127 | 128)
        length >>= 7
    return bytes([*written, length])


FORMS: dict[str, Callable[[Path], None]] = {"weights inside": inside, "weights beside": beside}


def lines(folder: Path, forms: Sequence[str] = tuple(FORMS)) -> Iterator[str]:
    """Yield the rows of a table in Markdown: what `wherry info` and `wherry check` take of each form."""
    yield "| form | command | GB | seconds | of processors, s | MB of memory |"
    yield "| --- | --- | ---: | ---: | ---: | ---: |"
    for form in forms:
        path = folder / f"{form.replace(' ', '_')}.onnx"
        FORMS[form](path)
        size = sum(each.stat().st_size for each in folder.glob(f"{path.stem}.*")) / 1e9
        for command in (info, check):
            taken = command(path)
            assert taken.status == 0, form
            cells = f"{size:.2f} | {taken.wall:.2f} | {taken.processor:.2f} | {taken.memory / 1e6:.0f}"
            yield f"| {form} | {command.__name__} | {cells} |"
