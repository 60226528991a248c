"""Elements as files hold them: nothing is cut off, nothing made up."""

from __future__ import annotations

import numpy as np
import pytest

from wherry import dtypes
from wherry.dialects.elements import codes, utf8
from wherry.errors import InvalidTypeError, InvalidValueError

NARROW = [row for row in dtypes.TABLE if row.bits < 8]


@pytest.mark.parametrize("row", NARROW, ids=str)
def test_every_code_of_a_type(row: dtypes.DType) -> None:
    every = np.arange(256, dtype=np.uint8)
    own = every[: 2**row.bits]
    np.testing.assert_array_equal(codes(own.view(row.numpy), row, "y"), own)
    if row.is_integer:
        np.testing.assert_array_equal(codes(every.view(row.numpy), row, "y"), every % 2**row.bits)
        return
    with pytest.raises(InvalidValueError, match=rf"^y, element {2**row.bits} has the code {2**row.bits}, allowed 0"):
        codes(every.view(row.numpy), row, "y")


@pytest.mark.parametrize(("text", "errors", "expected"), [
    ("", "strict", b""),
    ("a\0", "strict", b"a\0"),
    ("é", "strict", b"\xc3\xa9"),
    (b"\xc3\xa9", "strict", b"\xc3\xa9"),
    ("\udcff", "surrogateescape", b"\xff"),
    (b"\xff", "surrogateescape", b"\xff"),
])  # fmt: skip
def test_text(text: str | bytes, errors: str, expected: bytes) -> None:
    assert utf8(np.array([text], object), "y", errors) == [expected]


@pytest.mark.parametrize(("text", "errors"), [
    ("\udcff", "strict"), (b"\xff", "strict"), ("\ud800", "surrogateescape"),
])  # fmt: skip
def test_text_that_utf8_does_not_have(text: str | bytes, errors: str) -> None:
    with pytest.raises(InvalidValueError, match=r"y, element 1 is .*, allowed what UTF-8 has"):
        utf8(np.array(["a", text], object), "y", errors)


def test_objects_that_are_no_text() -> None:
    with pytest.raises(InvalidTypeError, match="y, element 0 is a int, allowed str or bytes"):
        utf8(np.array([5], object), "y")
