"""assert_writes fails for each fault that it looks for."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from tests.support.memory import LINE, Room, assert_writes

EXPECTED = np.arange(6, dtype=np.float32)


def write(out: np.ndarray) -> None:
    assert out.ctypes.data % LINE == 20
    out[...] = EXPECTED


@pytest.mark.parametrize("place", [-1, EXPECTED.nbytes])
def test_a_byte_beside_it(place: int) -> None:
    def too_much(out: np.ndarray) -> None:
        write(out)
        ctypes.c_uint8.from_address(out.ctypes.data + place).value = 0

    assert_writes(write, EXPECTED, 20)
    with pytest.raises(AssertionError):
        assert_writes(too_much, EXPECTED, 20)


def test_elements_that_are_not_written() -> None:
    with pytest.raises(AssertionError, match="bits differ"):
        assert_writes(lambda out: out.fill(0), EXPECTED, 20)


def test_what_a_room_held_before_is_no_result() -> None:
    room = Room(EXPECTED.nbytes)
    for _ in range(2):
        room.assert_writes(write, EXPECTED, 20)
        with pytest.raises(AssertionError, match="bits differ"):
            room.assert_writes(lambda out: None, EXPECTED, 20)
    with pytest.raises(AssertionError, match="48 bytes in room for 24"):
        room.assert_writes(write, np.tile(EXPECTED, 2), 20)
