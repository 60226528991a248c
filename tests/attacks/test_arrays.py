"""Objects that lie about being arrays: each is refused, at once."""

from __future__ import annotations

import mmap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import wherry as wh
from tests.attacks.attack import refused, run
from wherry.errors import InvalidTypeError, InvalidValueError, ResourceLimitError, WherryError

DATA = np.arange(4.0)


def _object(**members: Any) -> Any:
    return type("Hostile", (), members)()


def _raises(error: BaseException) -> Callable[..., Any]:
    def method(*arguments: Any, **options: Any) -> Any:
        raise error

    return method


def _again(self: Any, *arguments: Any, **options: Any) -> Any:
    return np.asarray(self)


def _endless(self: Any) -> Any:
    while True:
        yield 0


def _consumed(self: Any, **options: Any) -> Any:
    self.capsule = getattr(self, "capsule", None) or DATA.__dlpack__()
    np.from_dlpack(_object(__dlpack__=lambda other, **more: self.capsule, __dlpack_device__=lambda other: (1, 0)))
    return self.capsule


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def _in_itself() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


def _closed() -> mmap.mmap:
    memory = mmap.mmap(-1, 4096)
    memory.close()
    return memory


def here(_self: object) -> tuple[int, int]:  # a __dlpack_device__: the CPU
    return 1, 0


POINTER = DATA.__array_interface__

HOSTILE: list[tuple[str, Callable[[], Any], type[WherryError], str]] = [
    ("__array__ raises", lambda: _object(__array__=_raises(ZeroDivisionError("no"))), InvalidTypeError, "no"),
    ("__array__ without words", lambda: _object(__array__=_raises(ValueError())), InvalidTypeError, "ValueError"),
    ("__array__ of many words", lambda: _object(__array__=_raises(ValueError("x" * 10**6))), InvalidTypeError, "xxx"),
    ("__array__ takes all", lambda: _object(__array__=_raises(MemoryError())), ResourceLimitError, "memory"),
    ("__array__ is None", lambda: _object(__array__=None), InvalidTypeError, "Hostile"),
    ("__array__ returns itself", lambda: _object(__array__=lambda self, *a, **k: self), InvalidTypeError, "Hostile"),
    ("__array__ returns a list", lambda: _object(__array__=lambda self, *a, **k: [1]), InvalidTypeError, "Hostile"),
    ("__array__ calls itself", lambda: _object(__array__=_again), InvalidTypeError, "recursion"),
    ("attributes raise", lambda: _object(__getattr__=_raises(ZeroDivisionError("no"))), InvalidTypeError, "no"),
    ("shape raises", lambda: _object(__array__=lambda self, *a, **k: DATA, shape=property(_raises(OSError("no")))),
     InvalidTypeError, "no"),
    ("shape lies", lambda: _object(__array__=lambda self, *a, **k: DATA, shape=(2**62,)), InvalidTypeError, "of sizes"),
    ("length of 2^62", lambda: _object(__len__=lambda self: 2**62, __getitem__=lambda self, n: 0), InvalidTypeError,
     "Hostile"),
    ("endless list", lambda: type("Endless", (list,), {"__iter__": _endless, "__len__": lambda self: 2**62})(["a", 1]),
     InvalidValueError, "which is"),
    ("endless tuple", lambda: type("Endless", (tuple,), {"__iter__": _endless})(["a", 1]), InvalidValueError,
     "which is"),
    ("list in itself", _in_itself, InvalidTypeError, "more than 64 levels"),
    ("deep list", lambda: _nested(100_000), InvalidTypeError, "more than 64 levels"),
    ("long range", lambda: range(2**62), ResourceLimitError, "allowed"),
    ("longer range", lambda: range(2**70), InvalidTypeError, "range"),
    ("integer of a million bits", lambda: 1 << 10**6, InvalidTypeError, "more than 64 bits"),
    ("integers of a million bits", lambda: [1.5, 1 << 10**6], InvalidTypeError, "more than 64 bits"),
    ("interface is no dict", lambda: _object(__array_interface__=5), InvalidTypeError, "Hostile"),
    ("interface is empty", lambda: _object(__array_interface__={}), InvalidTypeError, "Hostile"),
    ("interface of negative sizes", lambda: _object(__array_interface__={**POINTER, "shape": (-1,)}), InvalidTypeError,
     "Hostile"),
    ("interface of one stride for two axes",
     lambda: _object(__array_interface__={**POINTER, "shape": (2, 2), "strides": (8,)}), InvalidTypeError, "Hostile"),
    ("interface of no type", lambda: _object(__array_interface__={**POINTER, "typestr": "<q7"}), InvalidTypeError,
     "Hostile"),
    ("interface beyond its buffer", lambda: _object(__array_interface__={**POINTER, "data": bytearray(8)}),
     InvalidTypeError, "outside its own buffer"),
    ("interface of strides beyond its buffer",
     lambda: _object(__array_interface__={**POINTER, "data": bytearray(64), "strides": (-8,)}), InvalidTypeError,
     "outside its own buffer"),
    ("interface with a mask", lambda: _object(__array_interface__={**POINTER, "mask": DATA}), InvalidTypeError, "mask"),
    ("struct is no capsule", lambda: _object(__array_struct__=5), InvalidTypeError, "Hostile"),
    ("capsule is none", lambda: _object(__dlpack__=lambda self, **k: 5, __dlpack_device__=here), InvalidTypeError,
     "Hostile"),
    ("capsule was taken", lambda: _object(__dlpack__=_consumed, __dlpack_device__=here), InvalidTypeError, "Hostile"),
    ("device is a word", lambda: _object(__dlpack__=lambda self, **k: 5, __dlpack_device__=lambda self: "cpu"),
     InvalidTypeError, "Hostile"),
    ("device is far", lambda: _object(__dlpack__=lambda self, **k: 5, __dlpack_device__=lambda self: (2, 0)),
     InvalidTypeError, "memory of the CPU"),
    ("closed memory", _closed, InvalidTypeError, "mmap"),
    ("mask raises", lambda: DATA.view(type("Odd", (np.ndarray,), {"mask": property(_raises(OSError("no")))})),
     InvalidTypeError, "no"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "error", "words"), [one[1:] for one in HOSTILE], ids=[one[0] for one in HOSTILE])
@pytest.mark.parametrize("call", [lambda value: wh.gather(value, [0]), lambda value: wh.concat([value, value])])
def test_hostile_data(
    call: Callable[[Any], Any], value: Callable[[], Any], error: type[WherryError], words: str
) -> None:
    hostile = value()
    said = refused(lambda: call(hostile), error)
    assert words in said
    assert len(said) < 700


@pytest.mark.parametrize(("value", "error", "words"), [one[1:] for one in HOSTILE], ids=[one[0] for one in HOSTILE])
def test_hostile_indices(value: Callable[[], Any], error: type[WherryError], words: str) -> None:
    hostile = value()
    assert words in refused(lambda: wh.gather(DATA, hostile), error)


def test_an_interrupt_is_not_swallowed() -> None:
    interrupted = _object(__array__=_raises(KeyboardInterrupt()))
    assert run(lambda: wh.gather(interrupted, [0])).error is KeyboardInterrupt


def test_a_buffer_cannot_be_resized_while_it_is_read() -> None:
    memory = bytearray(1024)
    part = wh.split(memory, 2)[0]
    with pytest.raises(BufferError):
        memory.extend(b"more")
    assert part.shape == (512,)


def test_a_masked_output_is_as_it_was() -> None:
    out = np.ma.array(np.arange(4.0), mask=[0, 1, 0, 0])
    with pytest.raises(InvalidValueError, match="masked"):
        wh.gather(DATA + 10, [0, 1, 2, 3], out=out)
    np.testing.assert_array_equal(out.data, np.arange(4.0))
    assert out.mask.tolist() == [False, True, False, False]
