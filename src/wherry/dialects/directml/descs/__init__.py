"""The operator descriptions: one frozen dataclass for each DML_*_OPERATOR_DESC, with what feature levels support."""

from wherry.dialects.directml.descs import blocks, elementwise, indexing, parts, values
from wherry.dialects.directml.descs.base import OperatorDesc as OperatorDesc
from wherry.dialects.directml.descs.blocks import *
from wherry.dialects.directml.descs.elementwise import *
from wherry.dialects.directml.descs.indexing import *
from wherry.dialects.directml.descs.parts import *
from wherry.dialects.directml.descs.values import *
from wherry.dialects.directml.scale_bias import ScaleBias

__all__ = ["ScaleBias"]
__all__ += blocks.__all__
__all__ += elementwise.__all__
__all__ += indexing.__all__
__all__ += parts.__all__
__all__ += values.__all__

DESCS: dict[str, type[OperatorDesc]] = {desc.name: desc for desc in OperatorDesc.__subclasses__()}
"""Every operator description by the operator's name."""
