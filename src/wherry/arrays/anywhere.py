"""Arrays from any object that holds one on the CPU: NumPy, buffers, `__array__`, DLPack, numbers, lists, libraries.

docs/arrays.md has the policy as a table: an array comes in with all of its values as they are, or is refused.
"""

from __future__ import annotations

import cmath
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds
from numpy.typing import NDArray

from wherry import _core, limits
from wherry.arrays.libraries import adapter_of
from wherry.errors import InvalidTypeError, InvalidValueError, ResourceLimitError, WherryError, cut, short

Array = NDArray[Any]

_SCALARS = (bool, int, float, complex, str, bytes, np.generic)

_KINDS: dict[type, str] = {bool: "b", int: "iu", float: "f", complex: "c", str: "", bytes: ""}
"""The Python types of elements, and the kinds of NumPy dtypes that surely hold them: strings may end in NUL."""

_PROTOCOLS = ("__array__", "__array_interface__", "__array_struct__", "__dlpack__")

_HOST_DEVICES = (1, 3, 11, 13)
"""DLPack's devices whose memory the CPU reads: kDLCPU, kDLCUDAHost, kDLROCMHost, kDLCUDAManaged."""

_ALLOWED = "allowed an array on the CPU, a number, a string, or lists of these"


def as_array(value: Any, field: str) -> Array:
    """Return `value` as a NumPy array, without a copy where its memory can be shared.

    Raises InvalidTypeError for what is no array or hides a part of its values (units, gradients, another device),
    InvalidValueError where values are missing or no one element type holds them, ResourceLimitError for lack of memory.
    """
    if type(value) is np.ndarray and value.dtype.itemsize:
        return value
    try:
        array = _taken(value, field)
        if not array.dtype.itemsize:
            raise InvalidTypeError(
                f"{field} has dtype {array.dtype}, whose elements have no bytes, allowed one and more"
            )
        return array
    except WherryError:
        raise
    except MemoryError:
        raise ResourceLimitError(f"{field} is a {_kind(value)} that takes more memory than there is") from None
    except Exception as error:  # the code of another library: whatever it raises, there is no array
        raise InvalidTypeError(f"{field} is a {_kind(value)}, {_ALLOWED}: {_words(error)}") from None


INTEGERS = "integers; use .astype(np.int64)"
NUMBERS = "numbers; use .astype(np.int64) or another type of them"
TEXTS = "str, or an array of numbers"
"""What an array of Python objects may hold instead, in words."""


def as_indices(value: Any, field: str = "indices", allowed: str = INTEGERS) -> Array:
    """Return `value` as an array of indices; an empty list, which has no type of its own, counts as int64.

    Raises InvalidTypeError for Python objects that are no strings, with what is `allowed`.
    """
    if type(value) is not np.ndarray:
        made = _core.integers(value)
        if made is not None:
            return made
    array = as_array(value, field)
    refuse_objects(array, field, allowed)
    if array.size == 0 and array.dtype == np.float64 and not hasattr(value, "dtype"):
        return array.astype(np.int64)
    return array


def refuse_objects(array: Array, field: str, allowed: str) -> None:
    """Raise InvalidTypeError for an array of Python objects that are not all strings."""
    other = first_no_string(array)
    if other is not None:
        place, entry = other
        where = f"{field}{list(place) if place else ''}"
        raise InvalidTypeError(f"{where} is a Python object ({type(entry).__name__}), allowed {allowed}")


def first_no_string(array: Array) -> tuple[tuple[int, ...], object] | None:
    """Return the first of an array's Python objects that is no string, behind its place; None where there is none."""
    if array.dtype.kind != "O" or _core.hold_strings(array):
        return None
    entries = np.ndenumerate(array)
    return next(((place, entry) for place, entry in entries if not isinstance(entry, (str, bytes))), None)


def plain(array: Array, field: str) -> Array:
    """Return the array of a subclass of NumPy's as one of NumPy's own, over the same memory.

    Raises InvalidValueError if elements are masked, InvalidTypeError if a unit would be dropped.
    """
    if type(array) is np.ndarray:
        return array
    mask = getattr(array, "mask", None)
    if mask is not None and np.ascontiguousarray(mask).view(np.uint8).any():  # the mask of a record is a record
        raise InvalidValueError(f"{field} is a {_kind(array)} with masked elements, allowed elements that all have a "
                                "value; pass .filled(value), and move the mask by a call of its own")  # fmt: skip
    for unit in ("unit", "units"):
        if getattr(array, unit, None) is not None:
            raise InvalidTypeError(f"{field} is a {_kind(array)} with a unit, allowed plain numbers; pass its values, "
                                   "and keep the unit")  # fmt: skip
    return array.view(np.ndarray)


def _taken(value: Any, field: str) -> Array:
    """Return the array, or raise any exception of the object."""
    if isinstance(value, np.ndarray):
        return plain(value, field)
    if isinstance(value, (list, tuple)):
        return _of_list(value, field)
    if isinstance(value, _SCALARS):
        return _kept(np.asarray(value), [value], field)
    if isinstance(value, range):
        return _of_range(value, field)
    adapter = adapter_of(value)
    if adapter is not None:
        adapted = adapter(value, field)
        if adapted is not None:
            return as_array(adapted, field)
    return _by_protocol(value, field)


def _by_protocol(value: Any, field: str) -> Array:
    """Return the array that an object gives through DLPack, the buffer protocol or NumPy's own protocols."""
    if value is None or not _has_protocol(value):
        words = "None" if value is None else f"a {_kind(value)}"
        raise InvalidTypeError(f"{field} is {words}, {_ALLOWED}")
    interface = getattr(value, "__array_interface__", None)
    if isinstance(interface, dict) and interface.get("mask") is not None:
        raise InvalidTypeError(f"{field} is a {_kind(value)} with a mask, allowed elements that all have a value")
    array = None
    if interface is None and hasattr(value, "__dlpack__"):
        array = _by_dlpack(value, field)
    if array is None:
        array = plain(np.asanyarray(value), field)
    if isinstance(interface, dict):
        _check_bounds(interface, value, array, field)
    if array.dtype.hasobject and array.ndim == 0:
        raise InvalidTypeError(f"{field} is a {_kind(value)}, {_ALLOWED}")
    _check_promise(value, array, field)
    return array


def _has_protocol(value: Any) -> bool:
    """Whether an object means to be an array; NumPy alone would make one of anything."""
    if any(hasattr(type(value), name) or hasattr(value, name) for name in _PROTOCOLS):
        return True
    try:
        memoryview(value).release()
    except TypeError:
        return False
    return True


def _by_dlpack(value: Any, field: str) -> Array | None:
    """Return the array of DLPack's; None for an element type that DLPack or NumPy lacks, to be had another way."""
    if hasattr(value, "__dlpack_device__"):
        kind, number = value.__dlpack_device__()
        if kind not in _HOST_DEVICES:
            raise InvalidTypeError(f"{field} is a {_kind(value)} on DLPack's device {int(kind)} ({number}), allowed "
                                   "memory of the CPU; copy it there")  # fmt: skip
    try:
        return np.from_dlpack(value)
    except (AttributeError, BufferError, RuntimeError, TypeError, ValueError):
        if not hasattr(value, "__array__"):
            raise
        return None


def _check_bounds(interface: dict[str, Any], value: Any, array: Array, field: str) -> None:
    """Refuse an array that reaches outside the buffer that its object names: NumPy does not look."""
    memory = interface.get("data")
    if isinstance(memory, tuple) or array.size == 0:
        return  # an address is taken at its word
    low, high = byte_bounds(array)
    first, end = byte_bounds(np.frombuffer(value if memory is None else memory, np.uint8))
    if low < first or high > end:
        raise InvalidTypeError(f"{field} is a {_kind(value)} that reaches outside its own buffer, allowed "
                               f"{end - first} bytes; correct its __array_interface__")  # fmt: skip


def _check_promise(value: Any, array: Array, field: str) -> None:
    """Refuse an array of other sizes or another element type than its object says it has."""
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if isinstance(shape, tuple) and shape != array.shape:
        raise InvalidTypeError(f"{field} is a {_kind(value)} of sizes {short(shape)}, but gives an array of sizes "
                               f"{list(array.shape)}; pass the array that is meant")  # fmt: skip
    if isinstance(dtype, np.dtype) and dtype != array.dtype:
        raise InvalidTypeError(f"{field} is a {_kind(value)} of {dtype}, but gives an array of {array.dtype}; pass the "
                               "array that is meant")  # fmt: skip


def _of_range(value: range, field: str) -> Array:
    limits.check_bytes(8 * len(value), f"the numbers of {field}", of_function=True)
    array = np.arange(value.start, value.stop, value.step)
    _kept(array[-1:], list(value[-1:]), field)
    return array


def _of_list(value: Sequence[Any], field: str) -> Array:
    kinds: set[Any] = set()
    entries = _entries(value, field, kinds, limits.MAX_NDIM)
    try:
        array = np.asarray(entries)
    except ValueError:
        raise InvalidTypeError(f"{field} is a {_kind(value)} whose parts differ in sizes, allowed one size on each "
                               "axis; pass them one by one, or make them equal") from None  # fmt: skip
    if array.dtype.kind == "f" and kinds and all(map(_is_integral, kinds)):
        raise InvalidValueError(f"{field} has integers that no one type of 64 bits holds, allowed -2^63..2^63-1 or "
                                "0..2^64-1; pass an array of the dtype that is meant")  # fmt: skip
    natural = all(kind == array.dtype if isinstance(kind, np.dtype) else array.dtype.kind in _KINDS[kind]
                  for kind in kinds)  # fmt: skip
    return array if natural else _kept(array, entries, field)


def _entries(value: Sequence[Any], field: str, kinds: set[Any], levels: int) -> list[Any]:
    """Return a list whose lists are lists, and whose arrays are NumPy's; add the types of its elements to `kinds`."""
    if levels == 0:
        raise InvalidTypeError(f"{cut(field)} has more than {limits.MAX_NDIM} levels of lists, allowed one for each "
                               "axis")  # fmt: skip
    entries = list.copy(value) if isinstance(value, list) else list(tuple.__iter__(value))  # type: ignore[arg-type]
    types = set(map(type, entries))
    if types <= _KINDS.keys():
        kinds |= types
        return entries
    for number, entry in enumerate(entries):
        if isinstance(entry, (list, tuple)):
            entries[number] = _entries(entry, f"{field}[{number}]", kinds, levels - 1)
        elif type(entry) in _KINDS:
            kinds.add(type(entry))
        else:
            entries[number] = as_array(entry, f"{field}[{number}]")
            kinds.add(entries[number].dtype)
    return entries


def _kept(array: Array, entries: Sequence[Any], field: str) -> Array:
    """Return NumPy's array of numbers and strings if it has each value unchanged."""
    if array.dtype.hasobject:
        big = any(isinstance(one, int) and not -(2**63) <= one < 2**64 for one in _flat(entries))
        words = "integers of more than 64 bits" if big else "elements of several types"
        raise InvalidTypeError(f"{field} has {words}, allowed those of one element type; pass an array of dtype object "
                               "if Python objects are meant")  # fmt: skip
    if array.dtype.kind in "USbiufc":
        for before, after in zip(_flat(entries), array.reshape(-1).tolist(), strict=True):
            if before != after and not (_is_nan(before) and _is_nan(after)):
                raise InvalidValueError(f"{field} has {short(before)}, which is {short(after)} in an array "
                                        f"of {array.dtype}; pass an array of the dtype that is meant")  # fmt: skip
    return array


def _is_integral(kind: Any) -> bool:
    return kind.kind in "biu" if isinstance(kind, np.dtype) else kind in (bool, int)


def _is_nan(value: object) -> bool:
    return isinstance(value, (float, complex)) and cmath.isnan(value)


def _flat(entries: Iterable[Any]) -> Iterator[Any]:
    """Yield the elements of nested lists as Python's own, which are compared exactly."""
    for entry in entries:
        if isinstance(entry, list):
            yield from _flat(entry)
        elif isinstance(entry, np.ndarray):
            yield from entry.reshape(-1).tolist()
        else:
            yield entry.item() if isinstance(entry, np.generic) else entry


def _kind(value: Any) -> str:
    """Return how a message calls the type of an object: by the name of its library, if it has one."""
    kind = type(value)
    library = str(kind.__module__).partition(".")[0]
    return kind.__name__ if library in ("builtins", "__main__") else f"{library}.{kind.__name__}"


def _words(error: Exception) -> str:
    text = str(error).strip()
    return cut(text.splitlines()[0]) if text else type(error).__name__
