"""WebNN graphs as JavaScript: an ES module that builds the graph with an MLGraphBuilder."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wherry.dialects.rows import FilledRow
from wherry.dialects.webnn.graph_json import calls_of, graph_of, little_endian
from wherry.dialects.webnn.schema import Operation
from wherry.files import beside
from wherry.graph import Graph, free_name
from wherry.models.model import Model
from wherry.tensors import TensorType

_EXACT = 2**53
"""Integers up to this are numbers of JavaScript; greater ones are written as BigInt."""

_KEYWORDS = """
    await break case catch class const continue debugger default delete do else enum export
    extends false finally for function if implements import in instanceof interface let new null package private
    protected public return static super switch this throw true try typeof var void while with yield
"""

_TAKEN = frozenset((*_KEYWORDS.split(), "builder", "bytes", "context", "inputs", "outputs"))
"""Names that a tensor may not have."""

_HEAD = """
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

export async function build(context) {
  const builder = new MLGraphBuilder(context);
"""


def to_javascript(graph: Graph) -> str:
    """Return an ES module whose `build(context)` returns the MLGraph. Raises WherryError for what WebNN cannot say.

    `inputs` and `outputs` are its descriptors by name. What no output is made of is left out: an MLGraph has no such
    inputs, and MLContext.dispatch() refuses tensors for them.
    """
    calls = calls_of(graph)
    made = {name for node in graph.needed for name in node.outputs}
    read = {name for node in graph.needed for name in node.inputs}
    names = _identifiers(graph)
    inputs = {name: kind for name, kind in graph.inputs.items() if name in read}
    lines = [f"  const {names[name]} = builder.input({_text(name)}, inputs[{_text(name)}]);" for name in inputs]
    for name in filter(read.__contains__, graph.constants):
        data = _text(base64.b64encode(little_endian(graph.constants[name])).decode())
        lines.append(f"  const {names[name]} = builder.constant({_descriptor(graph.types[name])}, bytes({data}));")
    for row, results, label in calls:
        if made.isdisjoint(results):
            continue
        call = f"builder.{row.row.name}({', '.join(_arguments(row, names, label))})"
        named = [names[name] for name in results]
        target = f"[{', '.join(named)}]" if row.row.name == "split" else named[0]
        lines.append(f"  const {target} = {call};")
    returned = ", ".join(f"{_key(name)}: {names[name]}" for name in graph.outputs)
    ends = _descriptors("inputs", inputs) + _descriptors("outputs", graph.output_types)
    return ends + _HEAD + "\n".join([*lines, f"  return await builder.build({{{returned}}});", "}", ""])


def _descriptors(name: str, types: Mapping[str, TensorType]) -> str:
    lines = [f"  {_key(tensor)}: {_descriptor(kind)},\n" for tensor, kind in types.items()]
    return f"export const {name} = {{\n{''.join(lines)}}};\n"


def _identifiers(graph: Graph) -> dict[str, str]:
    """Return a name of JavaScript for each tensor, near its own."""
    given: dict[str, str] = {}
    taken = set(_TAKEN)
    for name in graph.types:
        plain = re.sub(r"[^0-9A-Za-z_$]", "_", name) or "_"
        plain = f"_{plain}" if plain[0].isdigit() else plain
        unique = free_name(plain, taken)
        taken.add(unique)
        given[name] = unique
    return given


def _text(value: str) -> str:
    return json.dumps(value)


def _key(name: str) -> str:
    """Return a name as a key of an object; `__proto__` alone would be what the object is made from."""
    return f"[{_text(name)}]" if name == "__proto__" else _text(name)


def _descriptor(given: TensorType) -> str:
    return f'{{dataType: "{given.dtype}", shape: {list(given.shape)}}}'


def _arguments(row: FilledRow[Operation], names: Mapping[str, str], label: str) -> list[str]:
    operands = [names[str(name)] for name in row.inputs.values()]
    variadic = row.row.operands[-1].variadic
    arguments = [f"[{', '.join(operands)}]"] if variadic else operands
    values: Mapping[str, Any] = row.attributes
    arguments += [_value(values[one.name]) for one in row.row.members if not one.is_option]
    options = [f"{one.name}: {_value(values[one.name])}" for one in row.row.members
               if one.is_option and values[one.name] is not None]  # fmt: skip
    if label:
        options.append(f"label: {_text(label)}")
    return [*arguments, f"{{{', '.join(options)}}}"] if options else arguments


def _value(value: Any) -> str:
    """Return a value in JavaScript."""
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _EXACT:
        return f"{value}n"
    return json.dumps(value)  # which writes NaN and Infinity as JavaScript does


def write(model: Model, path: str | Path) -> None:
    """Write a model of one graph as an ES module. Raises WherryError for what WebNN cannot say; no file is written."""
    text = to_javascript(graph_of(model))
    with beside(Path(path)) as part:
        part.write_text(text)
