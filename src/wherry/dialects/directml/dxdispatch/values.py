"""Initial values: JSON numbers and strings to elements of a type, and the kinds of initialisers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PureWindowsPath
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.arrays import npy
from wherry.dialects.directml.dxdispatch import structs
from wherry.dialects.directml.enums import DataType, as_data_type
from wherry.dialects.json_text import Document, shown
from wherry.dialects.json_text import Path as JsonPath
from wherry.errors import FileFormatError, InvalidTypeError, ResourceLimitError, cut, short
from wherry.faults import Faults
from wherry.limits import check_bytes

Array = NDArray[Any]
Entry = TypeVar("Entry")

_SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_IMAGES = (".jpg", ".jpeg", ".png")


@dataclass(frozen=True)
class Values:
    """A vector of initial values; the type is UNKNOWN where it mixes types, and the vector then holds bytes."""

    data_type: DataType
    vector: Array


class BadValue(Exception):
    """Why a value does not fit; the caller adds where it stands."""


def as_element(value: object, data_type: DataType) -> np.generic:
    """Return a JSON value as one element. Raises BadValue.

    Integers must be whole and fit; floats may be `nan`, `inf`, `-inf` in any letter case. A float too large for its
    type is refused, not made infinite. FLOAT16 is rounded through FLOAT32, as DxDispatch does.
    """
    dtype = _numpy(data_type)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if not isinstance(value, int) or isinstance(value, bool):
            raise BadValue(f"is {shown(value)}, allowed a whole number for {data_type.name}")
        if not limits.min <= value <= limits.max:
            raise BadValue(f"is {short(value)}, allowed {limits.min}..{limits.max} for {data_type.name}")
        return cast(np.generic, dtype.type(value))
    return _as_float(value, data_type, dtype)


def _as_float(value: object, data_type: DataType, dtype: np.dtype[Any]) -> np.generic:
    if isinstance(value, str) and value.lower() in _SPECIAL:
        return cast(np.generic, dtype.type(_SPECIAL[value.lower()]))
    if isinstance(value, (str, bool)) or not isinstance(value, (int, float)):
        raise BadValue(f"is {shown(value)}, allowed a number, or one of {', '.join(map(repr, _SPECIAL))}")
    number = _double(value)
    if math.isinf(number) or number != value:
        raise BadValue(f"is {short(value)}, which no double holds without loss")
    narrow = np.float32(number) if data_type is DataType.FLOAT16 and abs(number) < 2**127 else np.float64(number)
    with np.errstate(over="ignore"):
        element = dtype.type(narrow)
    if np.isinf(element):
        raise BadValue(f"is {value}, beyond the range of {data_type.name}")
    return cast(np.generic, element)


def _double(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf


def _as_elements(values: list[Any], data_type: DataType) -> Array | None:
    """Return JSON values as elements, as `as_element` does one by one; None if one of them is wrong."""
    dtype, kinds = _numpy(data_type), set(map(type, values))
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        fits = kinds <= {int} and limits.min <= min(values, default=0) and max(values, default=0) <= limits.max
        return np.array(values, dtype) if fits else None
    if str in kinds:
        values = [_SPECIAL.get(value.lower(), value) if isinstance(value, str) else value for value in values]
        kinds = set(map(type, values))
    if not kinds <= {int, float}:
        return None
    try:
        doubles = [float(value) for value in values]
    except OverflowError:
        return None
    if doubles != values:  # an integer that no double holds
        return None
    wide = np.array(doubles, np.float64)
    with np.errstate(over="ignore"):
        narrow = wide.astype(np.float32) if data_type is DataType.FLOAT16 else wide
        elements = narrow.astype(dtype)
    return elements if (np.isinf(elements) == np.isinf(wide)).all() else None


_BLOCK = 1024
"""So many values are looked at one by one where one of them is wrong."""


def _doubtful(values: list[Any], data_type: DataType) -> Iterator[int]:
    """Yield the numbers of values that may be wrong, in order: the blocks that hold a wrong one."""
    for start in range(0, len(values), _BLOCK):
        block = values[start : start + _BLOCK]
        if _as_elements(block, data_type) is None:
            yield from range(start, start + len(block))


def _numpy(data_type: DataType) -> np.dtype[Any]:
    dtype = data_type.dtype
    if dtype is None or dtype.bits < 8:
        raise BadValue(f"has the type {data_type.name}, allowed a type of 8 bits and more")
    return dtype.numpy


@dataclass
class Memory:
    """What a model's resources take so far, and how many bytes of values its files give, which the limits depend on."""

    taken: int = 0
    given: int = 0
    _files: dict[Path, Array] = field(default_factory=dict)

    def read(self, path: Path, load: Callable[[Path], Array]) -> Array:
        """Return what a file holds, loaded and counted once however often it is named. Raises ResourceLimitError."""
        if path not in self._files:
            nbytes = path.stat().st_size
            self.given += nbytes
            self.check(nbytes, "the file and the resources before it")
            self._files[path] = load(path)
        return self._files[path]

    def check(self, nbytes: int, what: str) -> None:
        """Raise ResourceLimitError if so many bytes more are too many."""
        check_bytes(self.taken + nbytes, what, self.given)


@dataclass(frozen=True)
class ValueReader:
    """Reads the initial values of one resource; `memory` counts those of the whole model."""

    document: Document
    path: JsonPath
    folder: Path | None
    memory: Memory

    def read(self, resource: structs.Resource) -> Values:
        """Return the initial values. Raises FileFormatError for all that DxDispatch refuses or wherry does not read."""
        given = resource.initial_values
        data_type = self._data_type(resource.initial_values_data_type)
        if isinstance(given, str):
            raise self._error(f"is {short(given)}, allowed an array or an object; 'deferred' is an output of ONNX, "
                              "which wherry does not run from here")  # fmt: skip
        if isinstance(given, list):
            mixed = bool(given) and all(isinstance(entry, dict) for entry in given)
            values = self._mixed(given, data_type) if mixed else self._array(given, data_type)
        else:
            values = self._object(given, data_type)
        if values.vector.size == 0:
            raise self._error("holds no values, allowed one and more")
        return values

    def _object(self, given: dict[str, Any], data_type: DataType) -> Values:
        kinds: dict[str, Callable[[dict[str, Any], DataType], Values]] = {
            "value": self._constant, "valueStart": self._sequence, "sourcePath": self._file}  # fmt: skip
        found = [key for key in kinds if key in given]
        if len(found) != 1:
            raise self._error(
                f"has {' and '.join(found) or 'none of its kinds'}, allowed exactly one of {', '.join(kinds)}"
            )
        return kinds[found[0]](given, data_type)

    def _array(self, given: list[Any], data_type: DataType) -> Values:
        self._typed(data_type)
        elements = _as_elements(given, data_type)
        if elements is None:
            self._each(lambda number: self._element(given[number], data_type, number), _doubtful(given, data_type))
            raise TypeError("unreachable: one of the values is wrong")
        return Values(data_type, elements)

    def _mixed(self, given: list[Any], data_type: DataType) -> Values:
        """Values one after another, without padding; their types differ, so the whole has none."""
        if data_type is not DataType.UNKNOWN:
            raise self._error(f"is a list of typed values, allowed initialValuesDataType UNKNOWN or none, not "
                              f"{data_type.name}")  # fmt: skip
        parts = self._each(lambda number: self._mixed_entry(given[number], number), range(len(given)))
        return Values(DataType.UNKNOWN, np.frombuffer(b"".join(parts), np.uint8))

    def _mixed_entry(self, raw: dict[str, Any], number: int) -> bytes:
        entry = structs.validated(structs.ListEntry, raw, (*self.path, "initialValues", number), self.document)
        entry_type = self._data_type(entry.type, number, "type")
        if entry_type is DataType.FLOAT16:
            raise self._error("is FLOAT16, which DxDispatch lacks in lists; give its bits as UINT16", number, "type")
        return self._element(entry.value, entry_type, number, "value").tobytes()

    @staticmethod
    def _each(read: Callable[[int], Entry], numbers: Iterable[int]) -> list[Entry]:
        """Return what reading each of these entries gives; the error tells all that are wrong."""
        faults = Faults()
        found = [faults.of(read, number) for number in numbers]
        faults.check()
        return [entry for entry in found if entry is not None]

    def _constant(self, given: dict[str, Any], data_type: DataType) -> Values:
        entry = structs.validated(structs.ConstantValues, given, (*self.path, "initialValues"), self.document)
        self._claim(entry.value_count, data_type)
        element = self._element(entry.value, data_type, "value")
        return Values(data_type, np.broadcast_to(element, (entry.value_count,)))

    def _sequence(self, given: dict[str, Any], data_type: DataType) -> Values:
        """The delta is added again and again in the type itself: integers wrap, floats round at each step."""
        entry = structs.validated(structs.SequenceValues, given, (*self.path, "initialValues"), self.document)
        self._claim(entry.value_count, data_type)
        start = self._element(entry.value_start, data_type, "valueStart")
        delta = self._element(entry.value_delta, data_type, "valueDelta")
        steps = np.full(entry.value_count, delta)
        steps[:1] = start
        with np.errstate(all="ignore"):
            return Values(data_type, np.add.accumulate(steps, dtype=steps.dtype))

    def _file(self, given: dict[str, Any], data_type: DataType) -> Values:
        entry = structs.validated(structs.FileValues, given, (*self.path, "initialValues"), self.document)
        try:
            path = inside(self.folder, entry.source_path)
        except (BadValue, OSError) as error:
            reason = error if isinstance(error, BadValue) else f"is {short(entry.source_path)}: {error.strerror}"
            raise self._error(str(reason), "sourcePath") from None
        ending = path.suffix.lower()
        if ending in _IMAGES:
            raise self._error(f"is an image ({cut(entry.source_path)}), which wherry does not decode; save it as .npy",
                              "sourcePath")  # fmt: skip
        try:
            if ending == ".npy":
                return _typed_npy(self.memory.read(path, _read_npy), data_type)
            return self._raw(self.memory.read(path, _read_bytes), data_type)
        except (BadValue, FileFormatError) as error:
            raise self._error(f"{cut(entry.source_path)}: {error}", "sourcePath") from None
        except ResourceLimitError as error:
            raise self.document.placed((*self.path, "initialValues", "sourcePath"), error) from None

    def _raw(self, data: Array, data_type: DataType) -> Values:
        dtype = self._typed(data_type)
        if data.nbytes % dtype.itemsize:
            raise BadValue(f"has {data.nbytes} bytes, allowed a multiple of {dtype.itemsize} for {data_type.name}")
        return Values(data_type, data.view(dtype))

    def _claim(self, count: int, data_type: DataType) -> None:
        """Refuse what would take too much, before anything is allocated."""
        nbytes = count * self._typed(data_type).itemsize
        with self.document.at((*self.path, "initialValues")):
            self.memory.check(nbytes, "the initial values and the resources before them")

    def _typed(self, data_type: DataType) -> np.dtype[Any]:
        if data_type is DataType.UNKNOWN:
            allowed = ", ".join(data_type.name for data_type in DataType if data_type.bits >= 8)
            raise self.document.error(self.path, f"initialValuesDataType is missing or UNKNOWN, allowed {allowed}")
        try:
            return _numpy(data_type)
        except BadValue as error:
            raise self.document.error((*self.path, "initialValuesDataType"), str(error)) from None

    def _data_type(self, name: str, *inner: str | int) -> DataType:
        try:
            if name not in DataType.__members__ and not name.startswith("DML_TENSOR_DATA_TYPE_"):
                raise InvalidTypeError("")
            return as_data_type(name)
        except InvalidTypeError:
            allowed = ", ".join(DataType.__members__)
            place = ("initialValues", *inner) if inner else ("initialValuesDataType",)
            raise self.document.error((*self.path, *place), f"is {short(name)}, allowed {allowed}") from None

    def _element(self, value: object, data_type: DataType, *inner: str | int) -> np.generic:
        self._typed(data_type)
        try:
            return as_element(value, data_type)
        except BadValue as error:
            raise self._error(str(error), *inner) from None

    def _error(self, message: str, *inner: str | int) -> FileFormatError:
        return self.document.error((*self.path, "initialValues", *inner), message)


def inside(folder: Path | None, source: str) -> Path:
    """Return the path of a regular file inside the folder, symlinks resolved. Raises BadValue for one outside.

    DxDispatch also tries the current folder; a model that reaches outside its own is refused here.
    """
    if folder is None:
        raise BadValue(f"is {short(source)}, but the model was given as bytes, which have no folder; load its file")
    parts = PureWindowsPath(source)
    if not source or "\0" in source or parts.drive or parts.root:
        raise BadValue(f"is {short(source)}, allowed a path relative to the model's folder")
    try:
        root = folder.resolve()
        path = (root / Path(*parts.parts)).resolve()
        is_file = path.is_file()
    except (OSError, RuntimeError) as error:  # links in a circle, a name that is too long
        raise BadValue(f"is {short(source)}, which leads nowhere: {cut(str(error))}") from None
    if not path.is_relative_to(root):
        raise BadValue(f"is {short(source)}, which leads out of the model's folder; put the file beside the model")
    if not is_file:
        raise BadValue(f"is {short(source)}, and there is no such file beside the model")
    return path


def _read_bytes(path: Path) -> Array:
    with npy.open_file(path) as file:
        return np.frombuffer(file.read(), np.uint8)


def _read_npy(path: Path) -> Array:
    with npy.open_file(path) as file:
        header = npy.read_header(file)
        dtype = header.dtype
        row = None if dtype.hasobject or dtype.names else dtypes.of(dtype)
        if row is None or row.directml is None:
            raise BadValue(f"holds {cut(str(dtype))}, allowed the types of DirectML")
        if header.fortran_order and sum(size > 1 for size in header.shape) > 1:
            raise BadValue("is in Fortran order, allowed C order; save it with numpy.ascontiguousarray")
        return npy.read_data(file, header).astype(row.numpy, copy=False)


def _typed_npy(array: Array, data_type: DataType) -> Values:
    found = as_data_type(array.dtype)
    if data_type not in (DataType.UNKNOWN, found):
        raise BadValue(f"holds {found.name}, allowed {data_type.name}, its initialValuesDataType")
    return Values(found, array)
