"""The shape rules of operators that make each element out of those at its own place."""

from __future__ import annotations

from wherry.dialects.directml import descs
from wherry.dialects.directml.shapes.common import (
    check_sizes,
)
from wherry.faults import Faults


def check_identity(
    desc: descs.ElementWiseIdentityOperatorDesc | descs.ActivationIdentityOperatorDesc, faults: Faults
) -> None:
    """DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC, ACTIVATION_IDENTITY: equal sizes; strides may differ."""
    check_sizes("OutputTensor", desc.output_tensor, desc.input_tensor.sizes,
                "those of InputTensor; to repeat a dimension give it its full size and stride 0")  # fmt: skip


def check_if(desc: descs.ElementWiseIfOperatorDesc, faults: Faults) -> None:
    """DML_ELEMENT_WISE_IF_OPERATOR_DESC: equal sizes; strides may differ."""
    for path, tensor in (("ATensor", desc.a_tensor), ("BTensor", desc.b_tensor), ("OutputTensor", desc.output_tensor)):
        faults.of(check_sizes, path, tensor, desc.condition_tensor.sizes,
                  "those of ConditionTensor; to repeat a dimension give it its full size and stride 0")  # fmt: skip


def check_cast(desc: descs.CastOperatorDesc, faults: Faults) -> None:
    """DML_CAST_OPERATOR_DESC: equal sizes; types and strides may differ."""
    check_sizes("OutputTensor", desc.output_tensor, desc.input_tensor.sizes, "those of InputTensor")
