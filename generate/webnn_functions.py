"""The functions of `wherry.webnn`, from the schema of its methods and what words.toml says of each."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from wherry.dialects.webnn.schema import FAMILIES, OPERATIONS, Member, Operation

from .python import OUT, OUTS, docstring, literal, modules, snake, within
from .words import words

IMPORTS = (
    ("from collections.abc import Sequence", "from typing import Any"),
    ("from numpy.typing import ArrayLike, NDArray",),
    ("from wherry.dialects.webnn.call import answered, call, call_views",),
)


def files() -> dict[str, str]:
    """Return the texts of `wherry.dialects.webnn`'s functions by file."""
    texts = words("webnn")
    names = {one.name for one in OPERATIONS}
    if set(texts) != names:
        raise SystemExit(f"the words and the table differ in {sorted(set(texts) ^ names)}")
    families = {
        family: {one.name: _function(one, texts[one.name]) for one in operations}
        for family, operations in FAMILIES.items()
    }
    return modules("wherry.dialects.webnn.functions", "schema.py, family {},", IMPORTS, families)


def _function(operation: Operation, said: Mapping[str, Any]) -> str:
    """Return a function: operands and arguments by position, options by name."""
    variadic = operation.operands[-1].variadic
    operands = [snake(one.name) for one in operation.operands]
    passed = [literal(operation.name), operands[0] if variadic else f"[{', '.join(operands)}]"]
    passed += [f"{one.name}={snake(one.name)}" for one in operation.members]
    signature = [f"{name}: {'Sequence[ArrayLike]' if variadic else 'ArrayLike'}" for name in operands]
    signature += [_argument(one) for one in operation.members if not one.is_option]
    options = [_argument(one) for one in operation.members if one.is_option]
    returned, function = ("list[Array]", "call_views") if operation.has_parts else ("Array", "call")
    options.append(f"out: {'Sequence[Array]' if operation.has_parts else 'Array'} | None = None")
    passed.append("out=out")
    signature += ["*", *options]
    head = within(f"def {snake(operation.name)}(", signature, f") -> {returned}:")
    text = docstring(said["text"], _facts(operation, said), said["example"])
    return f"@answered\n{head}\n{text}\n{within(f'return {function}(', passed, ')', 4)}\n"


def _argument(member: Member) -> str:
    """Return an argument with its annotation, that of what its reader returns, and the default of an option."""
    annotation = str(inspect.signature(member.read).return_annotation).replace("tuple[int, ...]", "Sequence[int]")
    if not member.is_option:
        return f"{snake(member.name)}: {annotation}"
    optional = " | None" if member.default is None else ""
    return f"{snake(member.name)}: {annotation}{optional} = {literal(member.default)}"


def _facts(operation: Operation, said: Mapping[str, Any]) -> list[str]:
    """Return the sentences of the docstring that follow from the row."""
    raises = f", {said['raises']}" if "raises" in said else ""
    return [
        OUTS if operation.has_parts else OUT,
        f"Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.{operation.name}() throws{raises}.",
        f"Specification: Web Neural Network API, {operation.name}.",
    ]
