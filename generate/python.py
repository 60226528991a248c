"""Python as text, laid out as the formatter lays it out: argument lists, docstrings, lists of names."""

from __future__ import annotations

import keyword
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence

WIDTH = 120

OUT = "`out`, an array of any strides, receives the result if given; an error leaves it as it was."


OUTS = (
    "`out`, a sequence with an array of any strides for each result, receives the results if given; an error leaves "
    "the arrays as they were."
)


def snake(name: str) -> str:
    """Return an operator's name as that of a function.

    A word of Python's own gets a line behind it.

    >>> [snake(name) for name in ("GatherND", "ScatterNDUpdate", "Col2Im", "NonZero", "And")]
    ['gather_nd', 'scatter_nd_update', 'col2im', 'non_zero', 'and_']
    """
    found = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    return f"{found}_" if keyword.iskeyword(found) else found


def listed(entries: Iterable[object]) -> str:
    """Return entries as words.

    >>> listed([1, 11, 13])
    '1, 11 and 13'
    """
    *most, end = map(str, entries)
    return f"{', '.join(most)} and {end}" if most else end


def literal(value: object) -> str:
    """Return a default as Python has it, strings in double quotes."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def modules(
    package: str,
    table: str,
    imports: Sequence[Sequence[str]],
    families: Mapping[str, Mapping[str, str]],
    by_hand: Sequence[str] = (),
) -> dict[str, str]:
    """Return the texts of the files of a dialect's functions by their names: one a family, and one with all names.

    `table` is the file with a family's rows. `families` holds the texts of the functions by family and operator. A file
    has those of `imports` that it uses.
    """
    files, lines = {}, []
    for family, functions in sorted(families.items()):
        body = "\n\n".join(["Array = NDArray[Any]\n", *functions.values()])
        groups = ["".join(_used(line, body) for line in group) for group in imports]
        head = f'"""The operators of {table.format(family)} as functions. Written by `python -m generate`."""\n'
        parts = [head, "from __future__ import annotations\n", *filter(None, groups), body]
        files[f"_{family}.py"] = "\n".join(parts)
        lines.append(from_import(f"{package}._{family}", sorted(map(snake, functions))))
    if by_hand:
        lines.append(from_import(f"{package}.by_hand", by_hand))
    names = sorted([*by_hand, *(snake(name) for functions in families.values() for name in functions)])
    exported = "".join(f'    "{name}",\n' for name in names)
    head = '"""All operators as functions, from where each stands. Written by `python -m generate`."""'
    return files | {"__init__.py": "\n".join([head, "", *lines, "", f"__all__ = [\n{exported}]\n"])}


def _used(line: str, body: str) -> str:
    """Return a line of imports with the names that a text uses outside its examples, or nothing."""
    module, _, names = line.partition("import ")
    code = re.sub(r">>> .*", "", body)
    found = [name for name in names.split(", ") if re.search(rf"\b{name.split(' as ')[-1]}\b", code)]
    return f"{module}import {', '.join(found)}\n" if found else ""


def from_import(module: str, names: Sequence[str]) -> str:
    """Return the import of names from a module."""
    line = f"from {module} import {', '.join(names)}"
    listing = "".join(f"    {name},\n" for name in names)
    return line if len(line) <= WIDTH else f"from {module} import (\n{listing})"


def within(head: str, arguments: Sequence[str], tail: str, indent: int = 0) -> str:
    """Return arguments between brackets: on one line, else on one of their own, else on one line each."""
    margin, one = " " * indent, ", ".join(arguments)
    if len(margin + head + one + tail) <= WIDTH:
        return f"{margin}{head}{one}{tail}"
    if len(margin) + 4 + len(one) <= WIDTH:
        return f"{margin}{head}\n{margin}    {one}\n{margin}{tail}"
    return f"{margin}{head}\n" + "".join(f"{margin}    {argument},\n" for argument in arguments) + f"{margin}{tail}"


def filled(head: str, arguments: Iterable[str], tail: str, margin: int | None = None) -> str:
    """Return arguments between brackets, as many on each line as there is room for, and a margin before later lines."""
    lines = [head]
    for number, argument in enumerate(arguments):
        separator = ", " if number else ""
        if len(lines[-1] + separator + argument.partition("\n")[0] + tail) + 1 > WIDTH:
            lines[-1] = (lines[-1] + separator).rstrip()
            lines.append(" " * (len(head) if margin is None else margin) + argument)
        else:
            lines[-1] += f"{separator}{argument}"
    return "\n".join(lines) + tail


def docstring(text: str, facts: Iterable[str], example: str, indent: int = 4) -> str:
    """Return a docstring: paragraphs, the first a line of its own; then facts, and an example.

    Raises ValueError if the first paragraph is longer than a line.
    """
    first, *others = [" ".join(part.split()) for part in text.strip().split("\n\n")]
    if indent + len(f'"""{first}') > WIDTH:
        raise ValueError(f"the first paragraph is longer than a line: {first}")
    parts = [first, *map(_filled, others), "\n".join(map(_filled, facts)), example.strip()]
    body = "\n\n".join(part for part in parts if part)
    return textwrap.indent(f'"""{body}\n"""', " " * indent)


def _filled(text: str, indent: int = 4) -> str:
    return textwrap.fill(text, WIDTH - indent, break_long_words=False, break_on_hyphens=False)
