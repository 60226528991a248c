"""ScaleBias: DML_SCALE_BIAS, what ELEMENT_WISE_IDENTITY may make of each element."""

from __future__ import annotations

from dataclasses import dataclass

from wherry import errors
from wherry.dialects.directml.c_numbers import as_float32
from wherry.faults import Faults
from wherry.ops.operator import set_fields


@dataclass(frozen=True)
class ScaleBias:
    """DML_SCALE_BIAS: `x * scale + bias`; both are rounded to float32, as the C struct holds them.

    >>> ScaleBias(2, 0.1)
    ScaleBias(scale=2.0, bias=0.10000000149011612)
    """

    scale: float
    bias: float

    def __post_init__(self) -> None:
        with errors.subject("DirectML ScaleBias"):
            faults = Faults()
            scale, bias = faults.of(as_float32, "Scale", self.scale), faults.of(as_float32, "Bias", self.bias)
            faults.check()
            set_fields(self, scale=scale, bias=bias)
