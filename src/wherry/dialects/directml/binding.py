"""Binding: which bytes of which buffer each tensor of a description lies in, and whether DirectML allows it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from wherry.dialects.directml.descs import OperatorDesc
from wherry.errors import InvalidValueError, invalid

BASE_ALIGNMENT = 16
"""DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT: a bound range starts at a multiple of this many bytes of its buffer."""


@dataclass(frozen=True)
class BoundRange:
    """`size` bytes from `offset` on, in a buffer that starts at address `base`."""

    base: int
    offset: int
    size: int

    @property
    def start(self) -> int:
        """The address of the first byte."""
        return self.base + self.offset

    @property
    def end(self) -> int:
        """The address after the last byte."""
        return self.start + self.size

    def overlaps(self, other: BoundRange) -> bool:
        """Whether the two share a byte."""
        return self.start < other.end and other.start < self.end


def check_count(path: str, given: int, wanted: int) -> None:
    """Refuse an array bind point that has not one source for each tensor."""
    if given != wanted:
        raise InvalidValueError(f"binding {path} has {given} buffers, allowed {wanted}: one for each tensor")


def check_ranges(desc: OperatorDesc, ranges: Mapping[str, BoundRange]) -> None:
    """Refuse ranges that are too short, badly aligned, or overlap where DirectML forbids it.

    `ranges` has every bound tensor by its path. Specification: Binding in DirectML; IDMLBindingTable::BindInputs and
    BindOutputs: outputs never overlap; an input overlaps an output only if both ranges are exactly the same and the
    operator supports in-place execution.
    """
    for path, _, tensor in desc.tensors:
        if path not in ranges:
            continue
        bound, alignment = ranges[path], max(BASE_ALIGNMENT, tensor.guaranteed_base_offset_alignment)
        if bound.offset % alignment:
            raise invalid(f"binding {path} offset", bound.offset, f"multiples of {alignment} bytes",
                          "move the tensor in its buffer")  # fmt: skip
        if bound.size < tensor.least_binding_in_bytes:
            raise invalid(f"binding {path} size in bytes", bound.size, f"{tensor.least_binding_in_bytes} and more",
                          "TotalTensorSizeInBytes, but for what DMLCalcBufferTensorSize rounds up")  # fmt: skip
    written = [(path, ranges[path]) for path, member, _ in desc.tensors if member.is_output and path in ranges]
    read = [(path, ranges[path]) for path, member, _ in desc.tensors if not member.is_output and path in ranges]
    _check_overlaps(desc, sorted(written, key=lambda item: item[1].start), read)


def _check_overlaps(
    desc: OperatorDesc, written: Sequence[tuple[str, BoundRange]], read: Sequence[tuple[str, BoundRange]]
) -> None:
    """`written` is in order of addresses."""
    for (first_path, first), (path, bound) in pairwise(written):
        if first.overlaps(bound):
            raise InvalidValueError(f"binding {path} shares {min(first.end, bound.end) - bound.start} bytes with "
                                    f"{first_path}, allowed none: outputs may not overlap")  # fmt: skip
    starts = [bound.start for _, bound in written]
    for path, bound in read:
        for number in range(max(bisect_right(starts, bound.start) - 1, 0), len(written)):
            output_path, output = written[number]
            if output.start >= bound.end:
                break
            if output.overlaps(bound):
                _check_in_place(desc, path, bound, output_path, output)


def _check_in_place(desc: OperatorDesc, path: str, bound: BoundRange, output_path: str, output: BoundRange) -> None:
    if not desc.info.in_place:
        raise InvalidValueError(f"binding {output_path} shares bytes with {path}, allowed none: {desc.name} does not "
                                "run in place; bind another buffer")  # fmt: skip
    if (bound.start, bound.size) != (output.start, output.size):
        raise InvalidValueError(
            f"binding {output_path} covers bytes {output.start - bound.start}..{output.end - bound.start - 1} counted "
            f"from the start of {path}, allowed exactly 0..{bound.size - 1}, or none of its bytes; to run in place "
            "bind the same range to both"
        )
