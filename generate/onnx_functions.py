"""The functions of `wherry.onnx`, from the rows of its operators and what words.toml says of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from wherry.dialects.onnx.call import FORMER_NAMES
from wherry.dialects.onnx.operators import FAMILIES, MEANINGS
from wherry.dialects.onnx.row import Kind, OnnxRow
from wherry.dialects.onnx.table import ROWS
from wherry.dialects.onnx.types import new_types

from .python import OUT, OUTS, docstring, listed, literal, modules, snake, within
from .words import BY_HAND, words

LEGACY = {"consumed_inputs"}
"""Attributes that mean nothing, and are no arguments."""

IMPORTS = (
    ("from collections.abc import Sequence", "from typing import Any, NamedTuple"),
    ("import numpy as np", "from numpy.typing import ArrayLike, NDArray"),
    ("from wherry.dialects.onnx.call import answered, call, call_all", "from wherry.dtypes import DType"),
)

ANNOTATIONS = {
    Kind.INT: "int",
    Kind.FLOAT: "float",
    Kind.STRING: "str",
    Kind.INTS: "ArrayLike",
    Kind.TENSOR: "ArrayLike",
}
ELEMENT_TYPE = "DType | str | type[Any] | np.dtype[Any]"


def files() -> dict[str, str]:
    """Return the texts of `wherry.dialects.onnx`'s functions by file."""
    texts = words("onnx")
    names = set(MEANINGS) - {"Constant"}
    if {*texts, *BY_HAND} != names:
        raise SystemExit(f"the words and the table differ in {sorted({*texts, *BY_HAND} ^ names)}")
    families = {
        family: {name: _function([row for row in ROWS if row.name == name], texts[name]) for name in sorted(own)}
        for family, operators in FAMILIES.items()
        if (own := set(operators) & set(texts))
    }
    return modules("wherry.dialects.onnx.functions", "operators/{}.py", IMPORTS, families, sorted(map(snake, BY_HAND)))


def _function(rows: Sequence[OnnxRow], said: Mapping[str, Any]) -> str:
    current = [row for row in rows if not row.deprecated]
    name, outputs = current[-1].name, current[-1].outputs
    arguments, called = _arguments(current, said), said.get("names", {})
    passed = [f'"{name}"', "opset", *(f"{argument}={called.get(argument, argument)}" for argument in arguments)]
    signature = [f"{called.get(argument, argument)}{rest}" for argument, rest in arguments.items()]
    signature += ["*", f"opset: int = {said.get('opset', current[-1].since)}"]
    text = docstring(said["text"], _facts(rows, said), said["example"])
    if len(outputs) == 1:
        head = within(f"def {snake(name)}(", [*signature, "out: Array | None = None"], ") -> Array:")
        return f"@answered\n{head}\n{text}\n{within('return call(', [*passed, 'out=out'], ')', 4)}\n"
    fields = "".join(f"    {output.name}: Array\n" for output in outputs)
    results = f'class {name}s(NamedTuple):\n    """{said["result"]}"""\n\n{fields}\n\n'
    head = within(f"def {snake(name)}(", [*signature, "out: Sequence[Array] | None = None"], f") -> {name}s:")
    return (
        f"{results}@answered\n{head}\n{text}\n{within(f'return {name}s(*call_all(', [*passed, 'out=out'], '))', 4)}\n"
    )


def _arguments(rows: Sequence[OnnxRow], said: Mapping[str, Any]) -> dict[str, str]:
    """Return what follows the name of each argument in the signature, in its order.

    Inputs come as in the newest version, then attributes: those that must be given, those that old versions have, those
    that came later; then inputs that only old versions have.
    """
    newest = rows[-1]
    unused = LEGACY | {old for (name, _), old in FORMER_NAMES.items() if name == newest.name}
    required = [one.name for one in newest.attributes if one.required]
    others = [one.name for row in rows for one in row.attributes]
    old = [name for row in rows for name in row.parameters]
    names = [name for name in dict.fromkeys((*newest.parameters, *required, *others, *old)) if name not in unused]
    order = said.get("order", [])
    return {name: _rest(name, rows) for name in (*(name for name in names if name not in order), *order)}


def _rest(name: str, rows: Sequence[OnnxRow]) -> str:
    """Return the annotation and the default of an argument; a default holds if all versions have it."""
    inputs = rows[-1].parameters
    attributes = [one for row in rows for one in row.attributes if one.name == name]
    if name in inputs or not attributes:
        return ": ArrayLike" if name in inputs and not inputs[name].optional else ": ArrayLike | None = None"
    newest = attributes[-1]
    annotation = ELEMENT_TYPE if newest.limit.is_element_type else ANNOTATIONS[newest.kind]
    if newest.required:
        return f": {annotation}"
    if newest.default is None or len(attributes) < len(rows):
        return f": {annotation} | None = None"
    return f": {annotation} = {literal(newest.default)}"


def _facts(rows: Sequence[OnnxRow], said: Mapping[str, Any]) -> list[str]:
    """Return the sentences of the docstring that follow from the rows."""
    current = [row for row in rows if not row.deprecated]
    deprecated = [f", and from {row.since} on" for row in rows if row.deprecated]
    errors = [
        *([said["raises"]] if "raises" in said else []),
        "InvalidTypeError for an element type that the version lacks",
        "InvalidValueError for another illegal argument",
        f"UnsupportedError for an unknown opset{''.join(deprecated)}",
    ]
    news = [f"{row.since}: {', '.join(_news(before, row))}" for before, row in pairwise(current) if _news(before, row)]
    versions = "version" if len(rows) == 1 else "versions"
    return [
        OUT if len(rows[0].outputs) == 1 else OUTS,
        f"Raises {', '.join(errors)}.",
        *([f"New with opset {'; '.join(news)}."] if news else []),
        f"Specification: ONNX {rows[0].name}, {versions} {listed(row.since for row in rows)}.",
    ]


def _news(before: OnnxRow, row: OnnxRow) -> list[str]:
    """Return the arguments and element types that came with a version."""
    names = [*row.parameters, *(one.name for one in row.attributes)]
    former = {name: FORMER_NAMES.get((row.name, name), name) for name in names}
    new = [f"`{name}`" for name in names if not (before.takes(name) or before.takes(former[name]))]
    types = new_types(before.types, row.types)
    return [*new, types] if types else new
