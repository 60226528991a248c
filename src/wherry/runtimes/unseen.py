"""Unseen: an input with unknown elements, used in place of an array, with the facts known before a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, NoReturn

import numpy as np


class NotKnownError(Exception):
    """A condition asked for what is not known before a run."""


class Sizes(tuple[int | None, ...]):
    """Sizes of which some are not known: None in a tuple, NotKnownError where they are read."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        if found is None:
            raise NotKnownError("a size")
        return Sizes(found) if isinstance(key, slice) else found

    def __iter__(self) -> Iterator[int]:
        if None in tuple(super().__iter__()):
            raise NotKnownError("sizes")
        return super().__iter__()  # type: ignore[return-value]

    def __contains__(self, size: object) -> bool:
        known = tuple(super().__iter__())
        if size not in known and None in known:
            raise NotKnownError("sizes")
        return size in known

    def __eq__(self, other: object) -> bool:
        return tuple(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(tuple(self))


@dataclass(frozen=True, eq=False)
class Unseen:
    """An array of which type, sizes and the range of its numbers are known, as far as they are given.

    None, for a size or in place of all, is what is not known. Where `least` and `most` are given, every number lies
    between them, both included, and none is NaN. Whatever else is asked of it raises NotKnownError.
    """

    type: np.dtype[Any] | None = None
    sizes: tuple[int | None, ...] | None = None
    least: float | None = None
    most: float | None = None
    count: int | None = None
    """The number of elements, where that is known and sizes are not."""
    never: frozenset[int] = frozenset()
    """Numbers between the two that are known to be no elements."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type."""
        found: np.dtype[Any] = _known(self.type, "the element type")
        return found

    @property
    def shape(self) -> Sizes:
        """The sizes; each that is not known raises NotKnownError where it is read."""
        return Sizes(_known(self.sizes, "sizes"))

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(_known(self.sizes, "sizes"))

    @property
    def size(self) -> int:
        """The number of elements."""
        if self.sizes is None and self.count is not None:
            return self.count
        return 0 if 0 in self.shape else prod(list[Any](self.shape))

    @property
    def has_elements(self) -> bool:
        """Whether it is known to have one."""
        sizes = self.sizes
        return sizes is not None and all(size is not None and size > 0 for size in sizes)

    def __array__(self, *_: object, **__: object) -> NoReturn:
        raise NotKnownError("elements")

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotKnownError("elements")

    def _refuse(self, *_: object) -> NoReturn:
        raise NotKnownError("elements")

    __hash__ = object.__hash__
    __bool__ = __int__ = __float__ = __index__ = __iter__ = __getitem__ = __contains__ = __len__ = _refuse
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __neg__ = __abs__ = __invert__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __truediv__ = __rtruediv__ = __and__ = __rand__ = _refuse
    __or__ = __ror__ = __xor__ = __rxor__ = _refuse


def _known(value: Any, what: str) -> Any:
    if value is None:
        raise NotKnownError(what)
    return value
