"""Arrays of Python objects hold strings, or are refused: also by calls like one that was answered before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import wherry as wh
from wherry.errors import InvalidTypeError

INDICES = np.array([2, 0])
CALLS: dict[str, Callable[..., Any]] = {
    "onnx.gather": lambda data, **to: wh.onnx.gather(data, INDICES, **to),
    "onnx.gather_elements": lambda data, **to: wh.onnx.gather_elements(data, np.array([[2, 0], [0, 2]]), **to),
    "onnx.transpose": wh.onnx.transpose,
    "onnx.slice": lambda data, **to: wh.onnx.slice(data, [1], [3], **to),
    "onnx.concat": lambda data, **to: wh.onnx.concat([data, data], axis=0, **to),
    "onnx.split": lambda data, **to: wh.onnx.split(data, num_outputs=2, **to),
    "onnx.reshape": lambda data, **to: wh.onnx.reshape(data, [-1], **to),
    "onnx.tile": lambda data, **to: wh.onnx.tile(data, [2, 1], **to),
    "openvino.gather": lambda data, **to: wh.openvino.gather(data, INDICES, 0, **to),
}
STRINGS = np.array([["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]], object)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("times", [0, 1, 3])
def test_others_are_refused_after_strings_were_answered(name: str, times: int) -> None:
    call = CALLS[name]
    for _ in range(times):
        call(STRINGS)
    numbers = np.arange(8).reshape(4, 2).astype(object)
    with pytest.raises(InvalidTypeError, match="int"):
        call(numbers)
    if name != "openvino.gather":  # where the first entry alone tells
        one = STRINGS.copy()
        one[2] = None  # each of the calls moves it
        with pytest.raises(InvalidTypeError, match="NoneType"):
            call(one)
    assert np.array_equal(np.array(call(STRINGS), object), np.array(call(STRINGS.copy()), object))


@pytest.mark.parametrize("name", CALLS)
def test_what_is_refused_leaves_out_as_it_was(name: str) -> None:
    call = CALLS[name]
    made = call(STRINGS)
    several = isinstance(made, (list, tuple))
    out = [np.full_like(each, "before") for each in made] if several else np.full_like(made, "before")
    for _ in range(3):
        call(STRINGS, out=out)
    for each in out if several else [out]:
        each[...] = "before"
    with pytest.raises(InvalidTypeError):
        call(np.arange(8).reshape(4, 2).astype(object), out=out)
    for each in out if several else [out]:
        assert (each == "before").all()
