"""Recent: a bounded store of what was used lately."""

from __future__ import annotations

from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """Up to `size` values by key; the half of them that was used last is always there.

    Values lie in two generations. What is found in the old one moves to the young one; when that is full it becomes the
    old one, and what nothing asked for meanwhile goes. So a find costs one look, and needs no order of use.

    >>> store = Recent(2)
    >>> store.put("a", 1); store.put("b", 2); store.put("c", 3)
    >>> "a" in store, store.get("c")
    (False, 3)
    """

    def __init__(self, size: int) -> None:
        self._half = max(1, size // 2)
        self._young: dict[Key, Value] = {}
        self._old: dict[Key, Value] = {}

    def __contains__(self, key: Key) -> bool:
        return key in self._young or key in self._old

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, or None if it has none."""
        try:
            return self._young[key]
        except KeyError:
            pass
        value = self._old.pop(key, None)
        if value is not None:
            self.put(key, value)
        return value

    def put(self, key: Key, value: Value) -> None:
        """Keep a value."""
        if len(self._young) >= self._half and key not in self._young:
            self._old, self._young = self._young, {}
        self._young[key] = value
