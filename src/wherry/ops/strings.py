"""StringPack and StringUnpack: strings from ranges of UTF-8 bytes, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry import _core, dtypes, errors
from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError, SizeOverflowError
from wherry.moves import ComputeMove, Move
from wherry.moves.indices import core_reads
from wherry.ops.conversion import integer_range
from wherry.ops.operator import Operator, known, same_size
from wherry.ops.shape_of import IndexType
from wherry.ops.values import ValuesOperator, frozen
from wherry.tensors import Size, TensorType, View, is_integer

Array = NDArray[Any]

_INT32 = dtypes.find("int32")


@dataclass(frozen=True)
class StringPack(Operator):
    """`out[c]` = the bytes `symbols[begins[c]:ends[c]]` as a string.

    Inputs: begins and ends (one integer type, equal sizes), symbols (a vector of uint8). Runs may overlap and leave
    symbols out. Bytes that are no UTF-8 are kept as Python keeps them (`surrogateescape`). A run that is not
    0 <= begin <= end <= number of symbols raises IndexOutOfRangeError.
    """

    input_names: ClassVar[tuple[str, ...]] = ("begins", "ends", "symbols")

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        begins, ends, symbols = inputs
        if not is_integer(begins.dtype):
            raise InvalidTypeError(f"begins has dtype {begins.dtype}, allowed integers; convert it first")
        if ends.dtype != begins.dtype:
            raise InvalidTypeError(f"ends has dtype {ends.dtype}, allowed {begins.dtype}, that of begins")
        if symbols.numpy != np.dtype(np.uint8):
            raise InvalidTypeError(f"symbols has dtype {symbols.dtype}, allowed uint8: the bytes of UTF-8")
        if symbols.sizes is not None and len(symbols.sizes) != 1:
            raise InvalidValueError(f"symbols has {len(symbols.sizes)} axes, allowed 1")
        sizes = begins.sizes if begins.sizes is not None else ends.sizes
        if begins.sizes is not None and ends.sizes is not None:
            pairs = list(zip(begins.sizes, ends.sizes, strict=False))
            if len(begins.sizes) != len(ends.sizes) or not all(same_size(a, b) for a, b in pairs):
                raise InvalidValueError(f"ends has sizes {list(ends.sizes)}, allowed {list(begins.sizes)}: "
                                        f"those of begins")  # fmt: skip
            sizes = tuple(known(a, b) for a, b in pairs)
        return (TensorType(dtypes.STRING, sizes),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one computation."""

        def pack(begins: Array, ends: Array, symbols: Array) -> Array:
            with errors.subject(subject):
                return _pack(begins, ends, symbols)

        yield ComputeMove("string_pack", pack, tuple(inputs), outputs[0])

    def maker(self) -> Callable[[Array, Array, Array], tuple[Array, ...] | None]:
        """Return what makes the strings; see Operator."""
        return _packed


def _packed(begins: Array, ends: Array, symbols: Array) -> tuple[Array, ...] | None:
    """Return the strings by the core; None where it does not read the runs, or refuses one."""
    if not core_reads(begins.dtype) or not symbols.flags.c_contiguous:
        return None
    made = _core.strings(begins, ends, symbols)
    return None if made is None else (made,)


def _pack(begins: Array, ends: Array, symbols: Array) -> Array:
    made = _packed(begins, ends, symbols)
    if made is not None:
        return made[0]
    data = symbols.tobytes()
    result = np.empty(begins.shape, object)
    for place, run in zip(np.ndindex(begins.shape), zip(begins.flat, ends.flat, strict=True), strict=True):
        begin, end = map(int, run)
        if not 0 <= begin <= end <= len(data):
            raise IndexOutOfRangeError(f"the run at {list(place)} is {begin}..{end}, allowed 0 <= begin <= end <= "
                                       f"{len(data)}, the number of symbols")  # fmt: skip
        result[place] = data[begin:end].decode("utf-8", "surrogateescape")
    return result


def as_strings(field: str, value: Any) -> Array:
    """Return a read-only copy of strings. Raises InvalidTypeError for anything else."""
    strings = frozen(value)
    if strings.dtype.kind not in "OUS":
        raise InvalidTypeError(f"{field} has dtype {strings.dtype}, allowed strings")
    return strings


@dataclass(frozen=True, eq=False)
class StringUnpack(ValuesOperator):
    """`begins[c], ends[c]` = where the UTF-8 bytes of `data[c]` lie in `symbols`, all strings in row-major order.

    Outputs: begins and ends (`dtype`, sizes of data), symbols (a vector of uint8). There is no input: `data` is a
    field, because its values decide the sizes. Raises SizeOverflowError for more bytes than `dtype` counts.
    """

    data: Annotated[Array, as_strings]
    dtype: IndexType = _INT32

    input_names: ClassVar[tuple[str, ...]] = ()
    reads_values: ClassVar[bool] = False

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return the types of the outputs before data is known; see Deferred."""
        data, dtype = given["data"], fields.get("dtype", _INT32)
        sizes: tuple[Size, ...] | None = data.sizes
        return (TensorType(dtype, sizes), TensorType(dtype, sizes), TensorType("uint8", (None,)))

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the types of the outputs; see Operator."""
        runs = TensorType(self.dtype, self.data.shape)
        return (runs, runs, TensorType("uint8", (sum(map(len, self._runs())),)))

    def _runs(self) -> list[bytes]:
        return [_utf8(text, place) for place, text in enumerate(self.data.ravel().tolist())]

    def fold(self, inputs: Sequence[TensorType]) -> tuple[Array, ...]:
        """Return begins, ends and symbols."""
        runs = self._runs()
        bounds = np.cumsum([0, *map(len, runs)], dtype=np.int64)
        if bounds[-1] > integer_range(self.dtype)[1]:
            raise SizeOverflowError(f"data has {bounds[-1]} bytes, more than {self.dtype} counts; split the tensor")
        places = bounds.astype(self.dtype.numpy)
        shape = self.data.shape
        return (places[:-1].reshape(shape), places[1:].reshape(shape), np.frombuffer(b"".join(runs), np.uint8))


def _utf8(text: object, place: int) -> bytes:
    if isinstance(text, bytes):
        return text
    if not isinstance(text, str):
        raise InvalidTypeError(f"element {place} of data is a {type(text).__name__}, allowed a string")
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise InvalidValueError(
            f"element {place} of data has no UTF-8 form ({error.reason}); correct the text"
        ) from None
