"""JSON of model files: every error tells line and column. Comments and trailing commas, as DxDispatch has them, too.

Refused where many parsers are silent: a name given twice in one object, text after the root value, deep nesting,
numbers beyond a double, unpaired surrogates.

A scanner says what is wrong and where; values in which nothing is wrong are read by Python's own parser, at the speed
of C. Where comments and trailing commas are allowed, both parsers see spaces in their place.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn

from wherry.errors import SHORT, FileFormatError, ResourceLimitError, WherryError, cut, short
from wherry.limits import MAX_DIGITS

DEPTH_LIMIT = 64
"""The deepest nesting of objects and arrays; a model needs about ten."""

_TRIED_DEPTH = 6  # only values this near to the root: each level reads a text again that is wrong at its end

Path = tuple[str | int, ...]

_WHITE = re.compile(r"[ \t\r\n]*")
_CONTROL = re.compile(r"[\x00-\x1f]")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None}

# Possessive: what was matched is never tried again, so that time is linear in the length of any text. Each repetition
# of a group takes memory: strings are searched for where their escapes are blanked, which needs no group.
_ANY_STRING = r'"[^"]*+"?'
_UP_TO_COMMENT = re.compile(rf'(?:[^"/]++|{_ANY_STRING}|/(?![/*]))*+(?:(//[^\n]*+|/\*.*?\*/)|/\*)', re.DOTALL)
_UP_TO_LAST_COMMA = re.compile(rf'(?:[^",]++|{_ANY_STRING}|,(?!\s*+[\]}}]))*+(,)', re.DOTALL)

_LAST_COMMA = re.compile(r",\s*+[\]}]")
"""What looks like a comma behind the last value; it may lie in a string."""

_STEP = 64
_FLAT = rf'[^\[\]{{}}",]++|{_ANY_STRING}'
_ENTRIES = re.compile(rf"(?:(?:{_FLAT}|[\[{{](?:{_FLAT}|,)*+[\]}}])++,){{{_STEP}}}+")
"""So many entries of an array, each with its comma, that are scalars, or hold nothing but scalars."""

_BEFORE_NUMBER = r"(?:\A|[\s\[,:])"
_LONG = 300
"""The characters of a number that is too long, if not fewer."""
_STRIDE = _LONG // 3
_DOUBTFUL = tuple(
    (stride, re.compile(part), re.compile(whole))
    for stride, part, whole in (
        (1, r"\\u", r"\\u[dD][89a-fA-F]"),
        (1, r"[0-9]\.?[eE]\+?[0-9]{3}", rf"{_BEFORE_NUMBER}-?[0-9][0-9.]*+[eE]\+?[0-9]{{3}}"),
        (_STRIDE, r"[-+.eE0-9]{3}", rf"{_BEFORE_NUMBER}[-+.eE0-9]{{{_LONG}}}"),
    )
)
"""Perhaps an unpaired surrogate, a number beyond a double, a number that is too long: a part that is found quickly, in
every so many characters, and the whole."""


@dataclass(frozen=True)
class Document:
    """A parsed file: its value, and its text, to find positions in; spaces stand for comments and trailing commas."""

    value: Any
    text: str
    name: str
    _inner: dict[int, dict[str | int, int]] = field(default_factory=dict, compare=False, repr=False)

    def error(self, path: Sequence[str | int], message: str) -> FileFormatError:
        """Return the error for the value at `path`, or for the nearest one around it that exists."""
        return FileFormatError(f"{self._placed_title(path)}: {message}", self.name)

    def placed(self, path: Sequence[str | int], error: WherryError) -> WherryError:
        """Return an error about the value at `path` as one of the file; each of its faults gets the place."""
        error_class = ResourceLimitError if isinstance(error, ResourceLimitError) else FileFormatError
        first, *others = (f"{self._placed_title(path)}: {words}" for words in error.faults)
        placed = error_class(first, self.name)
        placed.more = tuple(others)
        return placed

    @contextmanager
    def at(self, path: Sequence[str | int]) -> Iterator[None]:
        """Make an error that is raised inside one of the file, with the place."""
        try:
            yield
        except WherryError as error:
            raise self.placed(path, error) from None

    @contextmanager
    def subject_at(self, path: Sequence[str | int], subject: str) -> Iterator[None]:
        """Give an error that is raised inside the place and a subject; its class stays."""
        try:
            yield
        except WherryError as error:
            error.subject = f"{self._placed_title(path)}: {subject}"
            raise

    def _placed_title(self, path: Sequence[str | int]) -> str:
        return f"{path_title(path)} ({_place(self.text, self._position(path))})"

    def _position(self, path: Sequence[str | int]) -> int:
        at = _after_white(self.text, 0)
        for step in path:
            found = self._inner.setdefault(at, {})
            if step not in found and (inner := self._inner_position(at, step, found)) is not None:
                found[step] = inner
            if step not in found:
                return at
            at = found[step]
        return at

    def _inner_position(self, at: int, step: str | int, known: dict[str | int, int]) -> int | None:
        """Return where a member of the object, or an entry of the array, that begins at `at` lies; None without it.

        `known` holds what was found in it before: errors come in the order of the file, and the search goes on there.
        """
        match self.text[at : at + 1], step:
            case "{", str():
                last = max(known.values(), default=None)
                starts = [at + 1] if last is None else [_after_comma(self.text, last), at + 1]
                places = (pair for start in starts for pair in _members(self.text, start))
                return next((place for name, place in places if name == step), None)
            case "[", int():
                number = max((entry for entry in known if isinstance(entry, int) and entry < step), default=0)
                return _entry(self.text, self._bare, known.get(number, at + 1), step - number)
        return None

    @cached_property
    def _bare(self) -> str:
        return _without_escapes(self.text)


def parse(source: str | bytes, name: str, *, comments: bool = False) -> Document:
    """Parse JSON, with `comments` also comments and trailing commas. Raises FileFormatError with line and column.

    >>> parse('{"sizes": [1, 2,], /* two */}', "model.json", comments=True).value
    {'sizes': [1, 2]}
    """
    text = _decoded(source, name) if isinstance(source, bytes) else source
    if comments:
        text = _plain(text)
    return Document(_Scanner(text, name, comments).document(), text, name)


def _decoded(source: bytes, name: str) -> str:
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError(f"the file is not UTF-8: {error}", name) from None


def path_title(path: Sequence[str | int]) -> str:
    """Return a path as JavaScript would write it: `commands[0].bindings.InputTensor`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return "".join(parts).removeprefix(".") or "the model"


def shown(value: object) -> str:
    """Return a value as a message shows it, in JSON's words; a long one is cut.

    >>> shown(None), shown([True, 1.5]), shown("a")
    ('null', '[true, 1.5]', "'a'")
    """
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return short(value)
    text = ""
    for part in json.JSONEncoder(ensure_ascii=False).iterencode(value):
        text += part if len(part) <= SHORT else part[:SHORT] + "..."
        if len(text) > SHORT:
            return f"{text[:SHORT]}... (cut)"
    return text


def _plain(text: str) -> str:
    """Return the text with spaces in place of comments and trailing commas: JSON, with everything where it was."""
    if "//" in text or "/*" in text:
        text = _without_comments(text)
    return _without_last_commas(text) if _LAST_COMMA.search(text) else text


def _without_comments(text: str) -> str:
    parts, at, bare = [], 0, _without_escapes(text)
    while (found := _UP_TO_COMMENT.match(bare, at)) and found[1]:
        parts += [text[at : found.start(1)], re.sub(r"[^\n]", " ", found[1])]
        at = found.end()
    return "".join((*parts, text[at:]))


def _without_last_commas(text: str) -> str:
    parts, at, bare = [], 0, _without_escapes(text)
    while found := _UP_TO_LAST_COMMA.match(bare, at):
        follows_value = text[at : found.start(1)].rstrip()[-1:] not in ("", "[", "{", ",", ":")
        parts += [text[at : found.start(1)], " " if follows_value else ","]
        at = found.end()
    return "".join((*parts, text[at:]))


def _without_escapes(text: str) -> str:
    """Return the text with spaces in place of escaped backslashes and quotes: any quote begins or ends a string."""
    return text.replace("\\\\", "  ").replace('\\"', "  ") if "\\" in text else text


def _is_deeper(value: Any, levels: int) -> bool:
    """Whether a value has others inside it that lie more than so many levels below."""
    inner = [value]
    for _ in range(levels):
        inner = [child for one in inner for child in _children(one) if type(child) in _PARENTS]
    return any(inner)


_PARENTS = (dict, list)
"""The types of what has values inside it; the parser makes no others."""


def _children(value: Any) -> Iterable[Any]:
    return value.values() if type(value) is dict else value if type(value) is list else ()


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(members)
    if len(result) != len(members):
        raise ValueError("a name is given twice")
    return result


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is none of JSON's words")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)
_ANY_DECODER = json.JSONDecoder()


def _members(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Yield each name from a position in an object on, and where its value lies."""
    at = _after_white(text, at)
    while text[at : at + 1] == '"':
        name, at = _ANY_DECODER.raw_decode(text, at)
        at = _after_white(text, _after_white(text, at) + 1)
        yield name, at
        at = _after_comma(text, at)


def _entry(text: str, bare: str, at: int, count: int) -> int | None:
    """Return where the entry of an array lies that is so many after the one at a position; None past the last."""
    while count >= _STEP and (run := _ENTRIES.match(bare, at)):
        at, count = run.end(), count - _STEP
    at = _after_white(text, at)
    while count and text[at : at + 1] not in ("", "]"):
        at, count = _after_comma(text, at), count - 1
    return at if text[at : at + 1] not in ("", "]") else None


def _after_comma(text: str, at: int) -> int:
    """Return where what follows the value at a position lies, behind its comma."""
    _, at = _ANY_DECODER.raw_decode(text, at)
    at = _after_white(text, at)
    return _after_white(text, at + 1) if text[at : at + 1] == "," else at


def _after_white(text: str, at: int) -> int:
    match = _WHITE.match(text, at)
    return match.end() if match else at


class _Scanner:
    """A recursive descent that says what is wrong; near the root it lets Python's parser try each value first."""

    def __init__(self, text: str, name: str, had_comments: bool) -> None:
        self.text, self.name, self.had_comments = text, name, had_comments
        self.is_plain = not any(part.search(text[::stride]) and whole.search(text) for stride, part, whole in _DOUBTFUL)
        self.at = 0
        self.depth = 0

    @cached_property
    def bare(self) -> str:
        """The text in which a quote ends a string."""
        return _without_escapes(self.text)

    def document(self) -> Any:
        self.skip()
        value = self.value()
        self.skip()
        if self.at < len(self.text):
            self.refuse("text after the end of the model, allowed one value; remove it")
        return value

    def value(self) -> Any:
        if self.depth > DEPTH_LIMIT:
            self.refuse(f"nested deeper than {DEPTH_LIMIT} levels, which no model needs")
        if self.is_plain and self.depth < _TRIED_DEPTH:
            try:
                value, end = _DECODER.raw_decode(self.text, self.at)
            except (ValueError, RecursionError):
                pass  # what follows finds out why
            else:
                if not _is_deeper(value, DEPTH_LIMIT - self.depth):
                    self.at = end
                    return value
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
        self.depth += 1
        is_last = self.closes("}")
        while not is_last:
            start = self.at
            self.need('"', "a member's name in double quotes")
            name = self.string()
            if name in result:
                self.refuse(f"the name {short(name)} is given twice in one object, allowed once", start)
            self.skip()
            self.expect(":", "a colon")
            self.skip()
            result[name] = self.value()
            is_last = self.ends("}")
        self.depth -= 1
        return result

    def array(self) -> list[Any]:
        self.at += 1
        result: list[Any] = []
        self.depth += 1
        is_last = self.closes("]")
        while not is_last:
            result.append(self.value())
            is_last = self.ends("]")
        self.depth -= 1
        return result

    def string(self) -> str:
        start, end = self.at, self.bare.find('"', self.at + 1)
        if end < 0 or _CONTROL.search(self.text, start, end):
            self.refuse("a string is not closed, or holds a control character; escape it")
        self.at = end + 1
        quoted = self.text[start : self.at]
        if "\\" not in quoted:
            return quoted[1:-1]
        try:
            decoded: str = json.loads(quoted)
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
            self.refuse("a value is expected: an object, array, string, number, true, false or null; neither NaN nor "
                        "Infinity is a number of JSON")  # fmt: skip
        if len(match[0]) > MAX_DIGITS:
            self.refuse(f"a number has {len(match[0])} characters, allowed up to {MAX_DIGITS}")
        number = float(match[0])
        if math.isinf(number):
            self.refuse(f"the number {cut(match[0])} is beyond a double, allowed up to 1.797e308")
        self.at = match.end()
        return int(match[0]) if match[1] is None and match[2] is None else number

    def closes(self, bracket: str) -> bool:
        self.skip()
        if self.text[self.at : self.at + 1] != bracket:
            return False
        self.at += 1
        return True

    def ends(self, bracket: str) -> bool:
        """Take what follows a value: a comma, or the bracket, and tell whether it was the bracket."""
        if self.closes(bracket):
            return True
        self.expect(",", f"a comma or {bracket!r}")
        self.skip()
        return False

    def expect(self, character: str, what: str) -> None:
        self.need(character, what)
        self.at += 1

    def need(self, character: str, what: str) -> None:
        if self.at == len(self.text):
            self.refuse("the file ends here, before the model is complete")
        if self.text[self.at] != character:
            self.refuse(f"{what} is expected")

    def skip(self) -> None:
        self.at = _after_white(self.text, self.at)
        if self.had_comments and self.text[self.at : self.at + 1] == "/":
            self.refuse("a comment is not closed, or a stray slash")

    def refuse(self, message: str, at: int | None = None) -> NoReturn:
        position = self.at if at is None else at
        raise FileFormatError(f"{_place(self.text, position)}: {message}", self.name)


def _place(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    return f"line {line}, column {position - text.rfind(chr(10), 0, position)}"
