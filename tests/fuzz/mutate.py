"""Mutations of what a file means: JSON trees, XML text, protobuf messages; and of bare bytes."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

NUMBERS = [0, 1, 2, 3, 4, 5, 7, 8, 16, 63, 64, 65, 127, 128, 255, 256, 1000, 65536, 2**24, 2**31 - 1, 2**31, 2**32 - 1,
           2**32, 2**53, 2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**64]  # fmt: skip
FLOATS = [0.0, -0.0, 0.5, 1.0, -1.5, 1e-45, 3e38, 1e308, float("inf"), float("-inf"), float("nan")]
WORDS = ["", "x", "é", "\n", "../x", "/", "a" * 300, "0", "-1", "none", "null", "true"]

ALIKE = 0.6
"""Changes of JSON that keep the kind of a value: most others are refused at once, for what no reader allows there."""

Tree = Any


def number(rng: Random) -> int:
    """Return a number at which something changes, or a small one."""
    value = rng.choice(NUMBERS) if rng.random() < 0.5 else rng.randrange(8)
    return -value if rng.random() < 0.2 else value


def some_bytes(data: bytes, rng: Random) -> bytes:
    """Return the data with a few bytes changed, inserted, repeated or left out."""
    out = bytearray(data or b"\0")
    for _ in range(rng.choice((1, 1, 2, 5))):
        at, count = rng.randrange(len(out) + 1), rng.choice((1, 1, 2, 4, 16))
        match rng.randrange(4):
            case 0:
                out[at : at + count] = rng.randbytes(count)
            case 1:
                out[at:at] = rng.randbytes(count)
            case 2:
                del out[at : at + count]
            case 3:
                out[at:at] = out[at : at + count]
    return bytes(out)


def _places(tree: Tree) -> Iterator[tuple[Any, Any]]:
    """Yield each container with each of its keys."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        keys = range(len(node)) if isinstance(node, list) else list(node) if isinstance(node, dict) else ()
        for key in keys:
            yield node, key
            waiting.append(node[key])


def _leaf(value: Tree, rng: Random) -> Tree:
    if isinstance(value, str) and rng.random() < 0.5:
        return rng.choice(WORDS)
    if isinstance(value, float) or rng.random() < 0.1:
        return rng.choice(FLOATS)
    return rng.choice([number(rng), number(rng), number(rng), str(number(rng)), None, True, [], {}, [number(rng)]])


def _of_its_kind(value: Tree, rng: Random, words: list[str]) -> Tree:
    """Return another number for a number, another word for a word."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, 2 * value, -value, 0, 1, rng.randrange(8), number(rng)])
    if isinstance(value, float):
        return rng.choice([*FLOATS, float(rng.randrange(-9, 9))])
    return rng.choice([word for word in words if _look(word) == _look(value)] or words)


def _look(word: str) -> tuple[str, ...]:
    """Return how a word is written: what precedes its last underscore, if it is a constant of an interface."""
    return tuple(word.split("_")[:2]) if word.isupper() and "_" in word else (str(word.isupper()), word[:1].upper())


def _change_alike(places: list[tuple[Any, Any]], rng: Random, words: list[str]) -> None:
    """Change a value to another of its kind, here or wherever it stands: sizes that must agree go on agreeing."""
    leaves = [(node, key) for node, key in places if isinstance(node[key], (bool, int, float, str))]
    if not leaves:
        return
    node, key = rng.choice(leaves)
    old, others = node[key], [node[key] for node, key in leaves]
    if isinstance(old, str) and old not in words:
        _rename(places, old, rng.choice([*WORDS, *words, *(name for name in others if isinstance(name, str))]))
        return
    if rng.random() < 0.3:
        new = rng.choice([value for value in others if type(value) is type(old)])
    else:
        new = _of_its_kind(old, rng, words)
    everywhere = rng.random() < 0.6
    for holder, name in leaves:
        if (holder is node and name == key) or (everywhere and type(holder[name]) is type(old) and holder[name] == old):
            holder[name] = new


def _rename(places: list[tuple[Any, Any]], old: str, new: str) -> None:
    """Give what has a name another, wherever it is named."""
    for holder, key in places:
        if isinstance(holder[key], str) and holder[key] == old:
            holder[key] = new
    for holder in [holder for holder, key in places if isinstance(holder, dict) and key == old]:
        holder[new] = holder.pop(old)


def tree(root: Tree, rng: Random, words: list[str]) -> Tree:
    """Return a JSON tree with a few members changed, moved, repeated or left out; `words` are names that mean much."""
    root = copy.deepcopy(root)
    for _ in range(rng.choice((1, 1, 1, 2))):
        places = list(_places(root))
        if not places:
            return _leaf(root, rng)
        if rng.random() < ALIKE:
            _change_alike(places, rng, words)
            continue
        node, key = rng.choice(places)
        other, its_key = rng.choice(places)
        match rng.randrange(12):
            case 0 | 1 | 2 | 3 | 4 | 5 | 6:
                node[key] = rng.choice(words) if isinstance(node[key], str) else _leaf(node[key], rng)
            case 7:
                del node[key]
            case 8:
                node[key] = copy.deepcopy(other[its_key])
            case 9 if isinstance(node, list):
                node[key:key] = [copy.deepcopy(node[key])] * rng.choice((1, 1, 2, 9))
            case 10 if isinstance(node, dict):
                node[rng.choice(words)] = node.pop(key)
            case _ if isinstance(node, dict):
                node[rng.choice(words)] = copy.deepcopy(other[its_key])
    return root


def json_file(data: bytes, rng: Random, words: list[str]) -> bytes:
    """Return a JSON file that means something else."""
    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError):
        return some_bytes(data, rng)
    if rng.random() < 0.05:
        return some_bytes(data, rng)
    return json.dumps(tree(parsed, rng, words)).encode()


_VALUE = re.compile(r'(?<==")[^"]*(?=")')
_ELEMENT = re.compile(r"<(\w+)\b[^<>]*/>|<(\w+)\b[^<>]*>(?:(?!<\2\b).)*?</\2>", re.DOTALL)
_TEXT = re.compile(r"(?<=>)[^<>]*[^<>\s][^<>]*(?=<)")


def xml_text(text: str, rng: Random, words: list[str]) -> str:
    """Return XML with a few attributes' values, texts or whole elements changed, moved, repeated or left out."""
    for _ in range(rng.choice((1, 1, 1, 2))):
        values, elements = list(_VALUE.finditer(text)), list(_ELEMENT.finditer(text))
        texts = list(_TEXT.finditer(text))
        kind = rng.randrange(8)
        found = values if kind < 4 else texts if kind == 4 else elements
        if not found:
            continue
        old, other = rng.choice(found), rng.choice(found)
        match kind:
            case 0 | 1:
                new = ",".join(str(number(rng)) for _ in range(rng.choice((1, 1, 1, 3))))
            case 2:
                new = rng.choice(words)
            case 3 | 5:
                new = other.group()
            case 4:
                new = rng.choice([str(number(rng)), rng.choice(words), ""])
            case 6:
                new = old.group() * 2
            case _:
                new = ""
        text = text[: old.start()] + new + text[old.end() :]
    return text


def proto(message: Any, rng: Random, words: list[str]) -> None:
    """Change a few fields of a protobuf message, or of a message in it, in place."""
    for _ in range(rng.choice((1, 1, 1, 2))):
        _change(rng.choice(list(_messages(message))), rng, words)


def _messages(message: Any) -> Iterator[Any]:
    yield message
    for field, value in message.ListFields():
        if field.message_type is not None:
            for inner in value if _repeats(field) else (value,):
                yield from _messages(inner)


def _repeats(field: Any) -> bool:
    return bool(field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED)


def _change(message: Any, rng: Random, words: list[str]) -> None:
    present = [field for field, _ in message.ListFields()]
    use_present = present and rng.random() < 0.8
    field = rng.choice(present if use_present else list(message.DESCRIPTOR.fields))
    if rng.random() < 0.1:
        message.ClearField(field.name)
    elif _repeats(field):
        _change_list(getattr(message, field.name), field, rng, words)
    elif field.message_type is not None:
        getattr(message, field.name).SetInParent()
    else:
        setattr(message, field.name, _scalar(field, getattr(message, field.name), rng, words))


def _change_list(values: Any, field: Any, rng: Random, words: list[str]) -> None:
    if values and rng.random() < 0.3:
        del values[rng.randrange(len(values))]
    elif field.message_type is not None:
        values.add().CopyFrom(rng.choice(values)) if len(values) > 1 else values.add()
    elif values and rng.random() < 0.7:
        at = rng.randrange(len(values))
        values[at] = _scalar(field, values[at], rng, words)
    else:
        values.append(_scalar(field, values[0] if values else None, rng, words))


_RANGES = {"INT32": (-(2**31), 2**31 - 1), "INT64": (-(2**63), 2**63 - 1), "UINT64": (0, 2**64 - 1)}


def _scalar(field: Any, old: Any, rng: Random, words: list[str]) -> Any:
    kinds = {getattr(field, f"TYPE_{kind}"): bounds for kind, bounds in _RANGES.items()}
    if field.type in kinds:
        low, high = kinds[field.type]
        return min(max(number(rng), low), high)
    if field.type in (field.TYPE_FLOAT, field.TYPE_DOUBLE):
        return rng.choice(FLOATS)
    if field.type == field.TYPE_ENUM:
        return rng.choice(field.enum_type.values).number
    if field.type == field.TYPE_STRING:
        return rng.choice(words + WORDS)
    return some_bytes(old or b"", rng)


def message_file(data: bytes, rng: Random, kind: Callable[[], Any], words: Callable[[Any], list[str]]) -> bytes:
    """Return a protobuf file that means something else; `words` are strings that mean much in a message."""
    message = kind()
    try:
        message.ParseFromString(data)
    except Exception:  # DecodeError of any protobuf there is
        return some_bytes(data, rng)
    if rng.random() < 0.05:
        return some_bytes(data, rng)
    try:
        proto(message, rng, words(message))
        return bytes(message.SerializeToString())
    except UnicodeError:  # a string that is not UTF-8: it can be read from a file, and not be named
        return some_bytes(data, rng)
