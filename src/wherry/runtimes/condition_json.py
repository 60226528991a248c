"""Conditions as JSON: an object whose first member names the kind of condition."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, cast

from wherry.runtimes.conditions import (
    AllOf,
    AnyOf,
    Attribute,
    Condition,
    Constant,
    Dynamic,
    Has,
    HasAttribute,
    HasInput,
    Levels,
    Not,
    Of,
    Outside,
    Property,
    Types,
    Versions,
)

_SPELLED: dict[type[Condition], dict[str, str]] = {
    AllOf: {"all": "conditions"},
    AnyOf: {"any": "conditions"},
    Not: {"not": "condition"},
    Of: {"operator": "operators"},
    Versions: {"version from": "first", "to": "last"},
    Levels: {"feature level from": "first", "to": "last"},
    Types: {"type": "names", "of input": "position"},
    Attribute: {"attribute": "name", "is": "values", "default": "default"},
    HasAttribute: {"attribute given": "name"},
    HasInput: {"input given": "position"},
    Constant: {"constant inputs": "positions"},
    Dynamic: {"sizes known at run": ""},
    Has: {"has": "what", "of input": "position"},
    Outside: {"outside from": "least", "to": "most", "of input": "position"},
    Property: {"property": "words"},
}
"""The members of each condition, and the fields that they stand for; the first one is in no other condition."""

_BY_FIRST = {next(iter(members)): kind for kind, members in _SPELLED.items()}


def condition_to_json(condition: Condition) -> dict[str, Any]:
    """Return a condition as JSON has it."""
    members = _SPELLED[type(condition)]
    if isinstance(condition, Dynamic):
        return dict.fromkeys(members, True)
    first = next(iter(members))
    defaults = {one.name: None if one.default is MISSING else one.default for one in fields(cast(Any, condition))}
    return {
        member: _written(value)
        for member, name in members.items()
        if (value := getattr(condition, name)) != defaults[name] or member == first
    }


def condition_from_json(value: dict[str, Any]) -> Condition:
    """Return the condition that JSON tells. Raises KeyError for a member that none has."""
    kind = _BY_FIRST[next(iter(value))]
    if kind is Dynamic:
        return Dynamic()
    members = _SPELLED[kind]
    given = {members[member]: _read(one) for member, one in value.items()}
    if kind in (Types, Has):
        given.setdefault("position", None)
    return kind(**given)


def _written(value: Any) -> Any:
    if isinstance(value, Condition):
        return condition_to_json(value)
    return [_written(one) for one in value] if isinstance(value, tuple) else value


def _read(value: Any) -> Any:
    if isinstance(value, dict):
        return condition_from_json(value)
    return tuple(_read(one) for one in value) if isinstance(value, list) else value
