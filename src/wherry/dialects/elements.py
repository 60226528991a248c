"""Elements as files hold them: checks that the formats share, so that nothing is cut off or made up on the way."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.dtypes import DType
from wherry.errors import InvalidTypeError, InvalidValueError, short


def utf8(texts: NDArray[Any], where: str, errors: str = "strict") -> list[bytes]:
    """Return strings as UTF-8; `errors` says what Python does with lone surrogates, and with bytes that are no UTF-8.

    Raises InvalidTypeError for an element that is no string, InvalidValueError for one that UTF-8 does not have.

    >>> utf8(np.array(["a", b"b"], object), "y")
    [b'a', b'b']
    """
    found = []
    for number, text in enumerate(texts.ravel().tolist()):
        if not isinstance(text, (str, bytes)):
            raise InvalidTypeError(f"{where}, element {number} is a {type(text).__name__}, allowed str or bytes")
        try:
            encoded = text if isinstance(text, bytes) else text.encode("utf-8", errors)
            encoded.decode("utf-8", errors)
        except UnicodeError:
            raise InvalidValueError(f"{where}, element {number} is {short(text)}, allowed what UTF-8 has") from None
        found.append(encoded)
    return found


def codes(values: NDArray[Any], dtype: DType, where: str) -> NDArray[np.uint8]:
    """Return elements narrower than a byte as codes in the low bits of a byte.

    NumPy's integers of this kind are read by their low bits. Raises InvalidValueError for a float or a code with other
    bits set, which mean nothing.

    >>> from wherry import dtypes
    >>> codes(np.array([-1, 3]).astype("int4"), dtypes.find("int4"), "y")
    array([15,  3], dtype=uint8)
    """
    raw = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
    mask = np.uint8(2**dtype.bits - 1)
    if dtype.is_integer:
        return raw & mask
    wrong = np.flatnonzero(raw > mask)
    if wrong.size:
        raise InvalidValueError(
            f"{where}, element {wrong[0]} has the code {raw[wrong[0]]}, allowed 0..{mask} in {dtype}"
        )
    return raw
