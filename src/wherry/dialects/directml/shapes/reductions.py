"""The shape rules of operators that make one element of many, or of all before it."""

from __future__ import annotations

from wherry.dialects.directml import descs
from wherry.dialects.directml.enums import ReductionFunction
from wherry.dialects.directml.shapes.common import check_axis, check_sizes
from wherry.errors import InvalidTypeError, invalid
from wherry.faults import Faults

PLACES = (ReductionFunction.ARGMAX, ReductionFunction.ARGMIN)
"""The functions whose results are places."""


def check_reduce(desc: descs.ReduceOperatorDesc, faults: Faults) -> None:
    """DML_REDUCE_OPERATOR_DESC: as ARGMIN; the type of the input, but for places."""
    given, out = desc.input_tensor.data_type, desc.output_tensor.data_type
    if desc.function not in PLACES and given is not out:
        faults.add(InvalidTypeError(f"OutputTensor.DataType is {out.name}, allowed {given.name}, "
                                    "InputTensor.DataType; nothing is cast"))  # fmt: skip
    check_places(desc, faults)


def check_places(
    desc: descs.ReduceOperatorDesc | descs.ArgminOperatorDesc | descs.ArgmaxOperatorDesc, faults: Faults
) -> None:
    """DML_ARGMIN_OPERATOR_DESC, ARGMAX: axes that the input has, each once, of which the output has size 1."""
    sizes, seen = list(desc.input_tensor.sizes), dict[int, int]()
    for number, axis in enumerate(desc.axes):
        if axis >= len(sizes):
            faults.add(invalid(f"Axes[{number}]", axis, f"0..{len(sizes) - 1}",
                               f"the tensors have {len(sizes)} dimensions"))  # fmt: skip
        elif axis in seen:
            faults.add(invalid(f"Axes[{number}]", axis, "each dimension once", f"it is Axes[{seen[axis]}] too"))
        seen.setdefault(axis, number)
    if not faults:
        reduced = [1 if axis in seen else size for axis, size in enumerate(sizes)]
        check_sizes("OutputTensor", desc.output_tensor, reduced, "those of InputTensor, but 1 for each of Axes")


def check_cumulative(
    desc: descs.CumulativeSummationOperatorDesc | descs.CumulativeProductOperatorDesc, faults: Faults
) -> None:
    """DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, PRODUCT: equal sizes; an axis that the tensors have."""
    faults.of(check_axis, desc.axis, desc.input_tensor.dimension_count)
    check_sizes("OutputTensor", desc.output_tensor, desc.input_tensor.sizes, "those of InputTensor")
