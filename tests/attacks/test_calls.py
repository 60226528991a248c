"""Each argument of each public function, replaced by each hostile value, is taken, or refused in words."""

from __future__ import annotations

import mmap
import os
import pathlib
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import wherry as wh
from tests.attacks import attack
from tests.attacks.hostile_values import HOSTILE
from tests.attacks.public_calls import EXCEPT, PublicCall, calls, public_names, takes_arguments
from tests.support.operators import unlike
from wherry.errors import SCREEN, WherryError

CALLS = {call.name: call for call in calls()}
FILES = {
    "load",
    "save",
    "onnx.read",
    "onnx.write",
    "openvino.read",
    "openvino.write",
    "directml.read",
    "directml.write",
}
"""The functions that may also raise OSError."""


def test_everything_public_is_called() -> None:
    assert {name for name, value in public_names() if takes_arguments(value)} - set(EXCEPT) <= set(CALLS)
    assert len(CALLS) > 140
    assert sum(len(call.parameters) for call in CALLS.values()) > 500


@pytest.mark.parametrize("name", CALLS)
def test_hostile_arguments(name: str, tmp_path: pathlib.Path) -> None:
    doing = mmap.mmap(-1, 4096)  # shared with the process that makes the calls: where it was when it died

    def attacked() -> list[str]:
        os.chdir(tmp_path)
        warnings.simplefilter("error")  # NumPy's are no words of ours
        with wh.limited(wh.Limits(bytes=2**24)):
            return list(_failures(CALLS[name], doing))[:20]

    try:
        # Hundreds of calls, each within attack.SECONDS; what a function makes of its arguments may have 16 MiB.
        outcome = attack.run(attacked, seconds=30, megabytes=200)
    except AssertionError as error:
        raise AssertionError(f"{doing[:].rstrip(bytes(1)).decode()}: {error}") from None
    assert outcome.error is None, f"{outcome.error}: {outcome.words}"
    assert outcome.result == "[]", outcome.result.replace("', '", "\n")


def _failures(call: PublicCall, doing: mmap.mmap) -> Iterator[str]:
    """Make all calls; yield what is wrong with each that ends badly."""
    result = call.function(**call.fresh())
    outs = [None]
    if "out" in call.parameters and isinstance(result, np.ndarray) and "out" not in call.arguments:
        outs.append(unlike(result))
    for parameter in call.parameters:
        for value, make in HOSTILE.items():
            for out in outs:
                arguments = call.fresh()
                if out is not None:
                    arguments["out"] = out.copy()
                arguments[parameter] = make()
                doing[:] = f"{call.name}({parameter} = {value})".encode().ljust(4096, b"\0")
                wrong = _wrong(call, arguments)
                if wrong:
                    yield f"{call.name}({parameter} = {value}{', out' if out is not None else ''}): {wrong}"


def _wrong(call: PublicCall, arguments: dict[str, Any]) -> str:
    """Return what is wrong with how a call ends; nothing if it returns, or is refused as it should be."""
    arrays = [
        (name, value, value.tobytes())
        for name, value in arguments.items()
        if isinstance(value, np.ndarray) and not value.dtype.hasobject and value.nbytes < 2**20
    ]
    started = time.process_time()
    try:
        call.function(**arguments)
    except WherryError as error:
        words = str(error)
        changed = [name for name, value, before in arrays if value.tobytes() != before]
        if changed:
            return f"{changed} were changed by a call that was refused: {words[:200]}"
        if not error.message or len(words) > SCREEN + 100:
            return f"a message of {len(words)} characters"
    except Exception as error:
        if not (isinstance(error, OSError) and call.name in FILES):
            return f"{type(error).__name__}: {str(error)[:150]}"
    seconds = time.process_time() - started
    return f"it took {seconds:.1f} s" if seconds > attack.allowed(attack.SECONDS, seconds) else ""
