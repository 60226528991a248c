"""How DirectML says operators that make values, choose between them, or change their type."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from wherry.dialects.directml import descs
from wherry.dialects.directml.meaning import CAST_RULES
from wherry.dialects.directml.say.arithmetic import pointwise
from wherry.dialects.directml.say.call import Call, FilledDesc, Said, data_type_of, refusal, refused, tensor
from wherry.dialects.directml.say.movement import exact_float
from wherry.dialects.directml.scalar_union import as_union
from wherry.dialects.refusal import Refusal
from wherry.dtypes import DType
from wherry.errors import InvalidTypeError, invalid
from wherry.moves import Negative
from wherry.ops import Eye, Steps, Trilu
from wherry.ops.conversion import integer_range
from wherry.ops.values import zero_of
from wherry.tensors import TensorType

_LEAST, _MOST = -(2**31), 2**31 - 1
_BAND_NDIM = 4
"""DIAGONAL_MATRIX takes 2 to 4 dimensions."""


def scale_bias(call: Call) -> Said:
    """ELEMENT_WISE_IDENTITY, whose Scale and Bias are float32."""
    operator = call.operator
    struct = descs.ScaleBias(operator.scale, operator.bias)
    for field in ("scale", "bias"):
        given, held = getattr(operator, field), getattr(struct, field)
        if given != held and not math.isnan(given):
            raise invalid(field, given, f"a float32, the nearest is {held}")
    count = call.count("ELEMENT_WISE_IDENTITY", len(call.inputs[0].shape))
    return call.filled(
        descs.ElementWiseIdentityOperatorDesc(tensor(call.inputs[0], count), tensor(call.outputs[0], count), struct)
    )


def cast(call: Call) -> Said:
    """CAST; rules for values that do not fit must be those that wherry reads into its silence, where they matter."""
    data, out, operator = call.inputs[0], call.outputs[0], call.operator
    data_type_of(data)
    data_type_of(out)
    for name in _rules_in_play(data.row, out.row):
        given, only = getattr(operator, name), CAST_RULES[name]
        if given != only:
            return refused(name, given, repr(str(only)), f"CAST from {data.dtype} to {out.dtype} knows no other rule")
    count = call.count("CAST", len(data.shape))
    return call.filled(descs.CastOperatorDesc(tensor(data, count), tensor(out, count)))


def _rules_in_play(source: DType | None, target: DType | None) -> list[str]:
    """Return the rules that some value of the one type needs to become the other."""
    if source is None or target is None:
        return []
    if target.kind == "float":
        # Every float type has infinities, which one of the rules makes finite; of the integers only float16 lacks some.
        beyond = source != target if source.kind == "float" else target.bits == 16 and integer_range(source)[1] >= 65520
        return ["float_overflow"] if beyond else []
    if source.kind == "float":
        return ["float_to_integer"]
    (low, high), (least, most) = integer_range(source), integer_range(target)
    return [] if least <= low and high <= most else ["integer_overflow"]


def where(call: Call) -> Said:
    """ELEMENT_WISE_IF, which reads what is broadcast through strides of 0."""
    return pointwise(call, "ELEMENT_WISE_IF")


def fill(call: Call) -> Said:
    """FILL_VALUE_CONSTANT."""
    out = call.outputs[0]
    count = call.count("FILL_VALUE_CONSTANT", len(out.shape))
    data_type = data_type_of(out)
    value = as_union("value", call.operator.value, data_type)
    return call.filled(descs.FillValueConstantOperatorDesc(tensor(out, count), data_type, value))


def range_(call: Call) -> Said:
    """FILL_VALUE_SEQUENCE, which adds step by step in the type of the output."""
    operator, out = call.operator, call.outputs[0]
    if operator.compute != operator.dtype:
        return refused(
            "compute", operator.compute, str(operator.dtype), "FILL_VALUE_SEQUENCE adds in the output's type"
        )
    if operator.steps is not Steps.ACCUMULATE and not operator.dtype.is_integer:
        return refused("steps", operator.steps, "'accumulate'", "FILL_VALUE_SEQUENCE adds the delta again and again")
    count = call.count("FILL_VALUE_SEQUENCE", len(out.shape))
    data_type = data_type_of(out)
    start, delta = (as_union(name, getattr(operator, name), data_type) for name in ("start", "delta"))
    return call.filled(descs.FillValueSequenceOperatorDesc(tensor(out, count), data_type, start, delta))


def eye(call: Call) -> Said:
    """DIAGONAL_MATRIX1 without an input, or DIAGONAL_MATRIX for one diagonal where the level has no other."""
    return _band(call, call.operator)


def eye_like(call: Call) -> Said:
    """As Eye: the input gives its sizes only."""
    out, k = call.outputs[0], call.operator.k
    return _band(call, Eye(np.ones((), out.numpy), out.shape, k, k + 1))


def _band(call: Call, operator: Eye) -> Said:
    out, value = call.outputs[0], operator.value
    sizes, data_type = _matrices(out), data_type_of(out)
    begin, end = _begin_and_end(operator)
    if call.knows("DIAGONAL_MATRIX1"):
        count = call.count("DIAGONAL_MATRIX1", len(sizes))
        union = as_union("value", value, data_type)
        return call.filled(
            descs.DiagonalMatrix1OperatorDesc(None, tensor(out, count, sizes), data_type, union, begin, end)
        )
    if end != begin + 1:
        words = f"begin and end are {begin} and {end}, allowed one diagonal at feature level {call.level}: "
        return refusal("begin, end", words + "DIAGONAL_MATRIX1 came with 5.1", (begin, end))
    number = exact_float("value", value)
    if isinstance(number, Refusal):
        return number
    count = call.count("DIAGONAL_MATRIX", len(sizes))
    return call.filled(descs.DiagonalMatrixOperatorDesc(tensor(out, count, sizes), begin, number))


def trilu(call: Call) -> Said:
    """DIAGONAL_MATRIX1 over the input."""
    out, operator = call.outputs[0], call.operator
    sizes, data_type = _matrices(out), data_type_of(out)
    count = call.count("DIAGONAL_MATRIX1", len(sizes))
    value = zero_of(out.numpy) if operator.value is None else operator.value
    union = as_union("value", value, data_type)
    whole = tensor(out, count, sizes)
    return call.filled(descs.DiagonalMatrix1OperatorDesc(whole, whole, data_type, union, *_begin_and_end(operator)))


def _matrices(tensor_type: TensorType) -> Sequence[int]:
    """Return the sizes with so many leading ones merged that DIAGONAL_MATRIX takes them."""
    *batch, rows, columns = tensor_type.shape
    keep = _BAND_NDIM - 3
    merged = [*batch[:keep], math.prod(batch[keep:])] if len(batch) > keep + 1 else batch
    return [*merged, rows, columns]


def _begin_and_end(operator: Eye | Trilu) -> tuple[int, int]:
    """Return DiagonalFillBegin and DiagonalFillEnd, which swap places where the band is what is not filled."""
    begin = _LEAST if operator.begin is None else max(_LEAST, min(_MOST, operator.begin))
    end = _MOST if operator.end is None else max(_LEAST, min(_MOST, operator.end))
    if not operator.inverted:
        return (begin, end) if begin < end else (0, 0)
    return (end, begin) if begin < end else (_LEAST, _MOST)


def one_hot(call: Call) -> Said:
    """ONE_HOT reads off and on from one buffer: that of an input of both, or a constant."""
    operator, (indices, off, *_), out = call.operator, call.inputs, call.outputs[0]
    signed = indices.numpy.kind == "i"
    constant, *ends = call.values
    if data_type_of(indices).name not in ("INT64", "INT32", "UINT64", "UINT32"):
        raise InvalidTypeError(
            f"indices has dtype {indices.dtype}, allowed INT64, INT32, UINT64, UINT32; convert it first"
        )
    if operator.negative is not Negative.FROM_END and signed and (constant is None or constant.min() < 0):
        return refused("negative", operator.negative, "'from_end'", "ONE_HOT knows no other rule")
    known = [value.reshape(1) for value in ends if value is not None] if len(ends) == 2 else []
    axis = operator.axis % len(out.shape)
    count = call.count("ONE_HOT", len(out.shape))
    sizes = [1 if number == axis else size for number, size in enumerate(out.shape)]
    desc = descs.OneHotOperatorDesc(
        tensor(indices, count, sizes),
        tensor(off.with_sizes([2]), count),
        tensor(out, count),
        axis + count - len(out.shape),
    )
    both = np.concatenate(known) if known else call.input_names[1]
    found = call.filled(desc, indices_tensor=call.input_names[0], values_tensor=both)
    if isinstance(found, FilledDesc) and len(known) < 2 == len(ends):
        return refusal("off, on", "off and on are two inputs, allowed one of both: ONE_HOT has one ValuesTensor")
    return found


def nonzero_coordinates(call: Call) -> Said:
    """NONZERO_COORDINATES; all tensors have one DimensionCount, coordinates at least two."""
    data, (counted, coordinates) = call.inputs[0], call.outputs
    count = call.count("NONZERO_COORDINATES", len(data.shape), len(coordinates.shape), 2)
    return call.filled(
        descs.NonzeroCoordinatesOperatorDesc(
            tensor(data, count), tensor(counted, count), tensor(coordinates, count, coordinates.shape[-2:])
        )
    )
