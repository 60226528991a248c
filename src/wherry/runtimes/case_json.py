"""Cases as JSON: types by name, elements as numbers, or as bits where JSON has no number."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.runtimes.case import Case
from wherry.runtimes.conditions import level, level_name

Array = NDArray[Any]

_SPELLINGS = frozenset({"openvino", "directml"})
"""The runtimes that have names of their own for element types."""

_LISTED = 64
"""A tensor of more elements is written by the rule that makes it, where there is one."""

_FIELDS = ("attributes", "outputs", "constants", "is_dynamic", "sized", "threads", "instruction_set")
"""What is written of a case where it is not the default."""


def case_to_json(case: Case, runtime: str) -> dict[str, Any]:
    """Return a case as JSON has it; DirectML's versions are its feature levels."""
    plain = Case(case.operator, case.version, case.inputs)
    version = level_name(case.version) if runtime == "directml" else case.version
    written: dict[str, Any] = {"operator": case.operator, "version": version}
    written["inputs"] = [tensor_to_json(array, case.kind(place)) for place, array in enumerate(case.inputs)]
    for name in _FIELDS:
        value = getattr(case, name)
        if value != getattr(plain, name):
            written[name] = sorted(value) if isinstance(value, frozenset) else value
    return written


def case_from_json(value: dict[str, Any], runtime: str) -> Case:
    """Return the case that JSON tells, with types as a runtime names them."""
    spelling = runtime if runtime in _SPELLINGS else None
    more: dict[str, Any] = {
        name: frozenset(one) if name in ("constants", "sized") else one
        for name, one in value.items()
        if name in _FIELDS
    }
    version = value["version"]
    return Case(
        value["operator"],
        level(version) if isinstance(version, str) else version,
        tuple(tensor_from_json(one, spelling) for one in value["inputs"]),
        kinds=tuple(one["type"] for one in value["inputs"]) if spelling else (),
        **more,
    )


def tensor_to_json(array: Array, kind: str = "") -> dict[str, Any]:
    """Return a tensor as JSON has it, its type by a name or as NumPy calls it."""
    written: dict[str, Any] = {"type": kind or ("string" if array.dtype.hasobject else array.dtype.name)}
    if array.size > _LISTED:
        return {**written, "sizes": list(array.shape), **_rule(array)}
    if 0 in array.shape:
        return {**written, "sizes": list(array.shape)}
    return {**written, "values": _listed(array)}


def tensor_from_json(value: dict[str, Any], spelling: str | None = None) -> Array:
    """Return the tensor that JSON tells, its type in a dialect's spelling or our own."""
    row = dtypes.by_spelling(spelling)[value["type"]] if spelling else dtypes.find(value["type"])
    if "values" not in value:
        made = _made(value) if 0 not in value["sizes"] else np.zeros(0)
        return made.astype(row.numpy).reshape(value["sizes"])
    if row.is_string:
        return np.array(value["values"], object)
    listed = np.array(value["values"], object)
    content = b"".join(_bytes_of(one, row.numpy) for one in listed.ravel())
    return np.frombuffer(bytearray(content), row.numpy).reshape(listed.shape)


def _listed(array: Array) -> Any:
    if array.dtype.hasobject or array.dtype.kind in "biu":
        return array.tolist()
    return [_listed(one) for one in array] if array.ndim else _number(array)


def _number(array: Array) -> Any:
    """The only element of an array: a number where JSON has it, else text."""
    if array.dtype.name.startswith(("int", "uint")):
        return int(array)
    if array.dtype.kind == "c":
        return str(array.item()).strip("()")
    number = float(array)
    if np.isnan(number):
        return f"0x{int.from_bytes(array.tobytes(), 'little'):0{2 * array.dtype.itemsize}X}"
    if np.isinf(number):
        return "-inf" if number < 0 else "inf"
    return float(str(array)) if array.dtype.kind == "f" else number


def _bytes_of(value: Any, dtype: np.dtype[Any]) -> bytes:
    if isinstance(value, str) and value.startswith("0x"):
        return int(value, 16).to_bytes(dtype.itemsize, "little")
    number: Any = value if not isinstance(value, str) else complex(value) if dtype.kind == "c" else float(value)
    return np.array(number).astype(dtype).tobytes()


def uneven(size: int) -> Array:
    """Places in 2^22. Every second one of the first half is far from the one before, the rest is place 0.

    So a thread that has the second half ends before another has written place 0 for the last time.
    """
    places = np.zeros(size, np.int64)
    far = places[: size // 2 : 2]
    far[:] = np.arange(len(far)) * 1_000_003 % 2**22
    return places


def _made(value: dict[str, Any]) -> Array:
    count = int(np.prod(value["sizes"]))
    if "filled" in value:
        return np.full(count, value["filled"])
    return uneven(count) if value.get("is_uneven") else np.arange(count) % value.get("counted_to", max(count, 1))


def _rule(array: Array) -> dict[str, Any]:
    """Return what makes a large tensor: one number, numbers in order that begin again, or `uneven`."""
    flat = array.ravel()
    with np.errstate(invalid="ignore"):
        repeats = np.flatnonzero(flat == flat[0])
    rules: list[dict[str, Any]] = [{"filled": flat[0].item()}, {"is_uneven": True}, {}]
    rules += [{"counted_to": int(repeats[1])}] if len(repeats) > 1 else []
    for rule in rules:
        with np.errstate(over="ignore"):
            made = _made({"sizes": array.shape, **rule}).astype(array.dtype)
        if made.tolist() == flat.tolist() if array.dtype.hasobject else made.tobytes() == flat.tobytes():
            return rule
    return {"values": _listed(array)}
