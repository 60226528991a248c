"""Model files written by hand for tests: layers, ports and edges as short calls."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def port(number: int, precision: str | None = None, names: str | None = None, dims: Sequence[object] = ()) -> str:
    words = "" if precision is None else f' precision="{precision}"'
    words += "" if names is None else f' names="{names}"'
    return f'<port id="{number}"{words}>{"".join(f"<dim>{dim}</dim>" for dim in dims)}</port>'


def layer(
    number: int | str,
    kind: str,
    data: str = "",
    inputs: Sequence[int] = (),
    outputs: Sequence[str] = (),
    *,
    version: str = "opset1",
    name: str | None = None,
    more: str = "",
    extra: str = "",
) -> str:
    parts = f"<data {data}/>" if data else ""
    if inputs:
        parts += f"<input>{''.join(port(one) for one in inputs)}</input>"
    if outputs:
        parts += f"<output>{''.join(outputs)}</output>"
    words = f'id="{number}" name="{name or f"n{number}"}" type="{kind}" version="{version}" {extra}'
    return f"<layer {words}>{parts}{more}</layer>"


def parameter(number: int, shape: str = "5", kind: str = "f32", names: str | None = None, **rest: str) -> str:
    return layer(number, "Parameter", f'shape="{shape}" element_type="{kind}"', (), [port(0, "FP32", names)], **rest)


def const(number: int, kind: str, shape: str, offset: int, size: int, **rest: str) -> str:
    data = f'element_type="{kind}" shape="{shape}" offset="{offset}" size="{size}"'
    return layer(number, "Const", data, (), [port(0, "I64")], **rest)


def result(number: int, **rest: str) -> str:
    return layer(number, "Result", "", [0], **rest)


def edge(source: int, source_port: int, target: int, target_port: int) -> str:
    return f'<edge from-layer="{source}" from-port="{source_port}" to-layer="{target}" to-port="{target_port}"/>'


def net(layers: str, edges: str, version: object = 11, more: str = "", head: str = '<?xml version="1.0"?>') -> str:
    return f'{head}<net name="m" version="{version}"><layers>{layers}</layers><edges>{edges}</edges>{more}</net>'


def write(folder: Path, text: str, weights: bytes | None = None) -> Path:
    path = folder / "m.xml"
    path.write_text(text)
    if weights is not None:
        path.with_suffix(".bin").write_bytes(weights)
    return path


WEIGHTS = b"".join(value.to_bytes(4, "little") for value in (0, 3, 10)) + bytes(8)
"""int32 0, 3, 10 and int64 0."""


def gather_layers(
    data: str = 'batch_dims="0"', version: str = "opset8", indices: str = "i32", axis: str = ""
) -> tuple[str, str]:
    """A Parameter of 5 floats, gathered by constants: layers and edges."""
    layers = (
        parameter(0, names="x")
        + const(1, indices, "3", 0, 12)
        + const(2, "i64", axis, 12, 8)
        + layer(3, "Gather", data, [0, 1, 2], [port(3, "FP32", "y")], version=version, name="g")
        + result(4)
    )
    return layers, edge(0, 0, 3, 0) + edge(1, 0, 3, 1) + edge(2, 0, 3, 2) + edge(3, 3, 4, 0)
