"""JSON as DxDispatch writes it: comments and trailing commas are fine, and every error tells line and column.

Refused where many parsers are silent: a name given twice in one object, text after the root value, deep nesting,
numbers beyond a double, unpaired surrogates.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from wherry.errors import FileFormatError

DEPTH_LIMIT = 64
"""The deepest nesting of objects and arrays; a DxDispatch model needs about ten."""

_NUMBER_LIMIT = 400  # characters of one number; the longest double that is written out in full has 1079, none is useful

Path = tuple[str | int, ...]

_WHITE = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None}


@dataclass(frozen=True)
class Document:
    """A parsed file: its value, and the text to find positions in."""

    value: Any
    text: str
    name: str

    def error(self, path: Sequence[str | int], message: str) -> FileFormatError:
        """Return the error for the value at `path`, or for the nearest one around it that exists."""
        scanner = _Scanner(self.text, self.name, tuple(path))
        scanner.document()
        return FileFormatError(f"{spoken(path)} ({_place(self.text, scanner.found)}): {message}", self.name)


def parse(text: str, name: str) -> Document:
    """Parse JSON with comments and trailing commas. Raises FileFormatError that names the line and the column.

    >>> parse('{"sizes": [1, 2,], /* two */}', "model.json").value
    {'sizes': [1, 2]}
    """
    return Document(_Scanner(text, name).document(), text, name)


def spoken(path: Sequence[str | int]) -> str:
    """Return a path as JavaScript would write it: `commands[0].bindings.InputTensor`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return "".join(parts).removeprefix(".") or "the model"


class _Scanner:
    """A recursive descent; with a `wanted` path it notes where the value lies."""

    def __init__(self, text: str, name: str, wanted: Path | None = None) -> None:
        self.text, self.name, self.wanted = text, name, wanted
        self.at = 0
        self.found = 0
        self.trail: list[str | int] = []

    def document(self) -> Any:
        self.skip()
        value = self.value()
        self.skip()
        if self.at < len(self.text):
            self.refuse("text after the end of the model, allowed comments only")
        return value

    def value(self) -> Any:
        self.note()
        if len(self.trail) > DEPTH_LIMIT:
            self.refuse(f"nested deeper than {DEPTH_LIMIT} levels, which no DxDispatch model needs")
        match self.text[self.at : self.at + 1]:
            case "{":
                return self.object()
            case "[":
                return self.array()
            case '"':
                return self.string()
            case "":
                self.refuse("the file ends here, before the model is complete")
        return self.number_or_word()

    def object(self) -> dict[str, Any]:
        self.at += 1
        result: dict[str, Any] = {}
        self.trail.append("")
        while not self.closes("}"):
            start = self.at
            if self.text[start : start + 1] != '"':
                self.refuse("a member's name in double quotes is expected")
            name = self.string()
            if name in result:
                self.refuse(f"the name {name!r} is given twice in one object, allowed once", start)
            self.skip()
            self.expect(":", "a colon")
            self.skip()
            self.trail[-1] = name
            result[name] = self.value()
            self.separate("}")
        self.trail.pop()
        return result

    def array(self) -> list[Any]:
        self.at += 1
        result: list[Any] = []
        self.trail.append(0)
        while not self.closes("]"):
            self.trail[-1] = len(result)
            result.append(self.value())
            self.separate("]")
        self.trail.pop()
        return result

    def string(self) -> str:
        match = _STRING.match(self.text, self.at)
        if match is None:
            self.refuse("a string is not closed, or holds a control character; escape it")
        start, self.at = self.at, match.end()
        if "\\" not in match[0]:
            return match[0][1:-1]
        try:
            decoded: str = json.loads(match[0])
            decoded.encode()
        except ValueError:
            self.refuse("a string holds a bad escape", start)
        return decoded

    def number_or_word(self) -> Any:
        match = _NUMBER.match(self.text, self.at)
        if match is None:
            for word, value in _WORDS.items():
                if self.text.startswith(word, self.at):
                    self.at += len(word)
                    return value
            self.refuse("a value is expected: an object, array, string, number, true, false or null")
        if len(match[0]) > _NUMBER_LIMIT:
            self.refuse(f"a number has {len(match[0])} characters, allowed up to {_NUMBER_LIMIT}")
        if match[1] is None and match[2] is None:
            self.at = match.end()
            return int(match[0])
        number = float(match[0])
        if math.isinf(number):
            self.refuse(f"the number {match[0]} is beyond a double, allowed up to 1.797e308")
        self.at = match.end()
        return number

    def closes(self, bracket: str) -> bool:
        self.skip()
        if self.text[self.at : self.at + 1] != bracket:
            return False
        self.at += 1
        return True

    def separate(self, bracket: str) -> None:
        """Take the comma after a value; it may be the last one, or missing before the bracket."""
        self.skip()
        if self.text[self.at : self.at + 1] != bracket:
            self.expect(",", f"a comma or {bracket!r}")

    def expect(self, character: str, what: str) -> None:
        if self.text[self.at : self.at + 1] != character:
            self.refuse(f"{what} is expected" if self.at < len(self.text) else
                        "the file ends here, before the model is complete")  # fmt: skip
        self.at += 1

    def skip(self) -> None:
        while True:
            match = _WHITE.match(self.text, self.at)
            self.at = match.end() if match else self.at
            if self.text[self.at : self.at + 1] != "/":
                return
            comment = _COMMENT.match(self.text, self.at)
            if comment is None:
                self.refuse("a comment is not closed, or a stray slash")
            self.at = comment.end()

    def note(self) -> None:
        if self.wanted is not None and tuple(self.trail) == self.wanted[: len(self.trail)]:
            self.found = self.at

    def refuse(self, message: str, at: int | None = None) -> NoReturn:
        position = self.at if at is None else at
        raise FileFormatError(f"{_place(self.text, position)}: {message}", self.name)


def _place(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    return f"line {line}, column {position - text.rfind(chr(10), 0, position)}"
