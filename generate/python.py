"""Python as text, laid out as the formatter lays it out: argument lists, docstrings, lists of names."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 120

OUT = "The result goes to `out` if given, of any strides; after an error that is as it was."


def snake(name: str) -> str:
    """Return an operator's name as that of a function.

    >>> [snake(name) for name in ("GatherND", "ScatterNDUpdate", "Col2Im", "NonZero")]
    ['gather_nd', 'scatter_nd_update', 'col2im', 'non_zero']
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


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


def names_list(names: Iterable[str]) -> str:
    """Return the assignment of `__all__`."""
    return "__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(names)) + "]\n"


def within(head: str, arguments: Sequence[str], tail: str, indent: int = 0) -> str:
    """Return arguments between brackets: on one line, else on one of their own, else on one line each."""
    margin, one = " " * indent, ", ".join(arguments)
    if len(margin + head + one + tail) <= WIDTH:
        return f"{margin}{head}{one}{tail}"
    if len(margin) + 4 + len(one) <= WIDTH:
        return f"{margin}{head}\n{margin}    {one}\n{margin}{tail}"
    return f"{margin}{head}\n" + "".join(f"{margin}    {argument},\n" for argument in arguments) + f"{margin}{tail}"


def filled(head: str, arguments: Iterable[str], tail: str, indent: int = 0) -> str:
    """Return arguments between brackets, as many on each line as there is room for."""
    lines, margin = [head], " " * (indent + len(head))
    for number, argument in enumerate(arguments):
        separator = ", " if number else ""
        if indent + len(lines[-1] + separator + argument + tail) + 1 > WIDTH:
            lines[-1] += separator.rstrip()
            lines.append(f"{margin}{argument}")
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
