"""BufferTensorDesc: DML_BUFFER_TENSOR_DESC, a tensor's type, sizes and strides in a buffer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from wherry import errors
from wherry.arguments import as_entries
from wherry.dialects.directml.c_numbers import as_uint
from wherry.dialects.directml.enums import DataType, TensorFlags, as_data_type, as_flags
from wherry.errors import invalid, short
from wherry.faults import Faults
from wherry.layout import Layout
from wherry.limits import check_ndim
from wherry.ops.operator import set_fields

SUBJECT = "DirectML BufferTensorDesc"


@dataclass(frozen=True, init=False)
class BufferTensorDesc:
    """A tensor's type, sizes, strides (in elements), and the least buffer that it is bound to.

    `data_type` is DirectML's name with or without its prefix, its number, or anything that names a dtype.
    `strides=None` is packed, the last dimension fastest; `total_tensor_size_in_bytes=None` is what
    `calc_buffer_tensor_size` says. Here is refused only what the C struct cannot hold; the rules of DirectML are
    checked with the operator (`validate`), as they depend on it. Specification: DML_BUFFER_TENSOR_DESC.

    Raises InvalidTypeError, InvalidValueError (negative sizes or strides, strides of another count than sizes), or
    SizeOverflowError; the error tells every member that is wrong.

    >>> padded = BufferTensorDesc("FLOAT32", (2, 3), strides=(5, 1))
    >>> padded.total_tensor_size_in_bytes, padded.layout.is_padded
    (32, True)
    """

    data_type: DataType
    sizes: tuple[int, ...]
    strides: tuple[int, ...] | None
    total_tensor_size_in_bytes: int
    flags: TensorFlags
    guaranteed_base_offset_alignment: int

    def __init__(
        self,
        data_type: object,
        sizes: Iterable[int],
        strides: Iterable[int] | None = None,
        total_tensor_size_in_bytes: int | None = None,
        flags: object = TensorFlags.NONE,
        guaranteed_base_offset_alignment: int = 0,
    ) -> None:
        with errors.subject(SUBJECT):
            faults = Faults()
            element_type = faults.of(as_data_type, data_type)
            lengths = faults.of(_uints, "Sizes", sizes)
            steps = None if strides is None else faults.of(_uints, "Strides", strides)
            if lengths is not None and steps is not None and len(steps) != len(lengths):
                faults.add(invalid("Strides", short(list(steps)), f"{len(lengths)} entries",
                                   "Sizes and Strides both have DimensionCount entries"))  # fmt: skip
            total = total_tensor_size_in_bytes
            if total is not None:
                total = faults.of(as_uint, "TotalTensorSizeInBytes", total, 64)
            elif not faults:
                total = faults.of(calc_buffer_tensor_size, element_type, lengths or (), steps)
            held_flags = faults.of(as_flags, "Flags", flags, TensorFlags)
            alignment = faults.of(as_uint, "GuaranteedBaseOffsetAlignment", guaranteed_base_offset_alignment)
            faults.check()
            set_fields(
                self,
                data_type=element_type,
                sizes=lengths,
                strides=steps,
                total_tensor_size_in_bytes=total,
                flags=held_flags,
                guaranteed_base_offset_alignment=alignment,
            )

    @property
    def dimension_count(self) -> int:
        """DimensionCount: the length of Sizes and of Strides."""
        return len(self.sizes)

    @property
    def layout(self) -> Layout:
        """Where each element lies, from the start of the bound range on."""
        return Layout(self.sizes, self.strides)

    @property
    def least_binding_in_bytes(self) -> int:
        """The bytes that a bound range must have: TotalTensorSizeInBytes, or the exact size if that is it rounded up.

        The at most 3 bytes that DMLCalcBufferTensorSize adds hold nothing, and an array in memory does not have them.
        """
        exact = 0 if self.data_type.dtype is None else self.layout.nbytes(self.data_type.dtype, align=1)
        return exact if self.total_tensor_size_in_bytes - exact < 4 else self.total_tensor_size_in_bytes


def calc_buffer_tensor_size(data_type: object, sizes: Iterable[int], strides: Iterable[int] | None = None) -> int:
    """Return the bytes of the least buffer for a tensor, rounded up to a multiple of 4: DMLCalcBufferTensorSize.

    In 64-bit arithmetic, where DirectML's own sum of strides wraps at 32 bits. UNKNOWN gives 0, as in DirectML.

    Raises SizeOverflowError beyond 64 bits. Specification: DirectML helper functions.

    >>> calc_buffer_tensor_size("FLOAT32", (2, 3), strides=(0, 1)), calc_buffer_tensor_size("FLOAT16", (5,))
    (12, 12)
    """
    dtype = as_data_type(data_type).dtype
    layout = Layout(sizes, strides)
    return 0 if dtype is None else layout.nbytes(dtype)


def _uints(field: str, values: Iterable[int]) -> tuple[int, ...]:
    given = as_entries(field, values, "a sequence of integers")
    check_ndim(len(given), field)
    faults = Faults()
    numbers = [faults.of(as_uint, f"{field}[{number}]", value) for number, value in enumerate(given)]
    faults.check()
    return tuple(number for number in numbers if number is not None)
