"""The shape rules of operators that make each element out of those at its own place."""

from __future__ import annotations

import math

from wherry.dialects.directml import descs
from wherry.dialects.directml.descs.arithmetic import PairOperatorDesc, SingleOperatorDesc
from wherry.dialects.directml.shapes.common import check_sizes, check_type
from wherry.errors import invalid
from wherry.faults import Faults

_REPEATED = "to repeat a dimension give it its full size and stride 0"


def check_pair(desc: PairOperatorDesc, faults: Faults) -> None:
    """DML_ELEMENT_WISE_ADD_OPERATOR_DESC and others of two inputs: equal sizes; strides may differ."""
    for path, tensor in (("BTensor", desc.b_tensor), ("OutputTensor", desc.output_tensor)):
        faults.of(check_sizes, path, tensor, desc.a_tensor.sizes, f"those of ATensor; {_REPEATED}")


def check_clip(desc: descs.ElementWiseClipOperatorDesc, faults: Faults) -> None:
    """DML_ELEMENT_WISE_CLIP_OPERATOR_DESC: bounds that are numbers."""
    for path, value in (("Min", desc.min), ("Max", desc.max)):
        if math.isnan(value):
            faults.add(invalid(path, value, "numbers", "no number is on one side of NaN"))
    check_single(desc, faults)


def check_clip1(desc: descs.ElementWiseClip1OperatorDesc, faults: Faults) -> None:
    """DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC: bounds of the output's type that are numbers."""
    check_type("MinMaxDataType", desc.min_max_data_type, desc.output_tensor)
    for path, value in (("Min", desc.min), ("Max", desc.max)):
        element = value.element(desc.min_max_data_type)
        if element != element:  # noqa: PLR0124  only NaN is not itself
            faults.add(invalid(path, element, "numbers", "no number is on one side of NaN"))
    check_single(desc, faults)


def check_single(
    desc: SingleOperatorDesc | descs.ElementWiseIdentityOperatorDesc | descs.ActivationIdentityOperatorDesc,
    faults: Faults,
) -> None:
    """DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC and others of one input: equal sizes; strides may differ."""
    check_sizes("OutputTensor", desc.output_tensor, desc.input_tensor.sizes, f"those of InputTensor; {_REPEATED}")


def check_if(desc: descs.ElementWiseIfOperatorDesc, faults: Faults) -> None:
    """DML_ELEMENT_WISE_IF_OPERATOR_DESC: equal sizes; strides may differ."""
    for path, tensor in (("ATensor", desc.a_tensor), ("BTensor", desc.b_tensor), ("OutputTensor", desc.output_tensor)):
        faults.of(check_sizes, path, tensor, desc.condition_tensor.sizes, f"those of ConditionTensor; {_REPEATED}")


def check_cast(desc: descs.CastOperatorDesc, faults: Faults) -> None:
    """DML_CAST_OPERATOR_DESC: equal sizes; types and strides may differ."""
    check_sizes("OutputTensor", desc.output_tensor, desc.input_tensor.sizes, "those of InputTensor")
