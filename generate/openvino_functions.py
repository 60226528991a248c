"""The functions of `wherry.openvino`, from the rows of its operations and what words.toml says of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from wherry.dialects.openvino.row import REQUIRED, Attribute, Input, OpenVINORow
from wherry.dialects.openvino.table import FAMILIES, ROWS

from .python import OUT, OUTS, docstring, literal, modules, snake, within
from .words import words

IMPORTS = (
    ("from collections.abc import Sequence", "from typing import Any"),
    ("from numpy.typing import ArrayLike, NDArray",),
    ("from wherry.dialects.openvino.call import answered, call, call_all, call_views",),
)


def files() -> dict[str, str]:
    """Return the texts of `wherry.dialects.openvino`'s functions by file."""
    texts = words("openvino")
    names = {row.name for row in ROWS if row.build is not None}
    if set(texts) != names:
        raise SystemExit(f"the words and the table differ in {sorted(set(texts) ^ names)}")
    families = {
        family: {name: _function([row for row in rows if row.name == name], texts[name]) for name in sorted(own)}
        for family, rows in FAMILIES.items()
        if (own := {row.name for row in rows} & names)
    }
    return modules("wherry.dialects.openvino.functions", "operations/{}.py", IMPORTS, families)


def _function(rows: Sequence[OpenVINORow], said: Mapping[str, Any]) -> str:
    newest, called = rows[-1], said.get("names", {})
    inputs = [called.get(one.name, one.name) for one in newest.inputs]
    attributes = [f"{name}={called.get(name, name)}" for name in _attributes(rows)]
    passed = [f'"{newest.name}"', "opset", inputs[0] if newest.inputs[0].repeats else f"[{', '.join(inputs)}]"]
    text = docstring(said["text"], _facts(rows, said), said["example"])
    signature = [*_arguments(rows, said), f"opset: int = {newest.since}"]
    returned, function = "Array", "call"
    if isinstance(newest.outputs, int) and newest.outputs > 1:
        returned, function = "tuple[Array, ...]", "call_all"
    elif newest.outputs != 1:
        returned, function = "list[Array]", "call_views"
    signature.append(f"out: {'Array' if newest.outputs == 1 else 'Sequence[Array]'} | None = None")
    attributes.append("out=out")
    head = within(f"def {snake(newest.name)}(", signature, f") -> {returned}:")
    return f"@answered\n{head}\n{text}\n{within(f'return {function}(', [*passed, *attributes], ')', 4)}\n"


def _attributes(rows: Sequence[OpenVINORow]) -> dict[str, list[Attribute]]:
    """Return each attribute by name, as those versions have it that have it."""
    names = dict.fromkeys(one.argument for row in rows for one in row.attributes)
    return {name: [one for row in rows for one in row.attributes if one.argument == name] for name in names}


def _arguments(rows: Sequence[OpenVINORow], said: Mapping[str, Any]) -> list[str]:
    """Return the arguments: inputs and attributes that must be given, then the others; then those by name only."""
    called, by_name = said.get("names", {}), said.get("keywords", [])
    inputs = {called.get(one.name, one.name): _input_rest(one) for one in rows[-1].inputs}
    attributes = {name: _rest(versions, len(rows)) for name, versions in _attributes(rows).items()}
    given = inputs | {name: rest for name, rest in attributes.items() if name not in by_name}
    return [
        *(f"{name}{rest}" for name, rest in given.items() if "=" not in rest),
        *(f"{name}{rest}" for name, rest in given.items() if "=" in rest),
        "*",
        *(f"{name}{attributes[name]}" for name in by_name),
    ]


def _input_rest(one: Input) -> str:
    if one.repeats:
        return ": Sequence[ArrayLike]"
    return ": ArrayLike | None = None" if one.is_optional else ": ArrayLike"


def _rest(versions: Sequence[Attribute], count: int) -> str:
    """Return what follows the name of an attribute: annotation and default; None if not every version has it."""
    kind, default = versions[-1].kind, versions[-1].default
    if default is REQUIRED:
        return f": {kind.argument}" if len(versions) == count else f": {kind.argument} = None"
    if kind.argument == "int":
        return f": int = {kind.write(default)}"
    if kind.argument == "bool":
        return f": bool = {kind.write(default).capitalize()}"
    return f": {kind.argument} = {default if isinstance(default, tuple) else literal(kind.write(default))}"


def _facts(rows: Sequence[OpenVINORow], said: Mapping[str, Any]) -> list[str]:
    """Return the sentences of the docstring that follow from the rows."""
    versions = ", -".join(str(row.documented or row.since) for row in rows)
    raises = f"; {said['raises']}" if "raises" in said else ""
    news = [f"{row.since}: {', '.join(_news(before, row))}" for before, row in pairwise(rows) if _news(before, row)]
    return [
        OUT if rows[-1].outputs == 1 else OUTS,
        f"Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments{raises}.",
        *([f"New with opset {'; '.join(news)}."] if news else []),
        f"Specification: OpenVINO {rows[0].name}-{versions}.",
    ]


def _news(before: OpenVINORow, row: OpenVINORow) -> list[str]:
    """Return the arguments that came with a version."""
    old, new = ([*(one.name for one in r.inputs), *(one.argument for one in r.attributes)] for r in (before, row))
    return [f"`{name}`" for name in new if name not in old]
