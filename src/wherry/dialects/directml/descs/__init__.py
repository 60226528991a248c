"""The operator descriptions: one frozen dataclass for each DML_*_OPERATOR_DESC, with what feature levels support."""

from wherry.dialects.directml.descs import arithmetic, blocks, elementwise, indexing, logic, parts, reductions, values
from wherry.dialects.directml.descs.arithmetic import *
from wherry.dialects.directml.descs.base import OperatorDesc as OperatorDesc
from wherry.dialects.directml.descs.blocks import *
from wherry.dialects.directml.descs.elementwise import *
from wherry.dialects.directml.descs.indexing import *
from wherry.dialects.directml.descs.logic import *
from wherry.dialects.directml.descs.parts import *
from wherry.dialects.directml.descs.reductions import *
from wherry.dialects.directml.descs.values import *
from wherry.dialects.directml.scale_bias import ScaleBias

__all__ = ["ScaleBias"]
__all__ += arithmetic.__all__
__all__ += blocks.__all__
__all__ += elementwise.__all__
__all__ += indexing.__all__
__all__ += logic.__all__
__all__ += parts.__all__
__all__ += reductions.__all__
__all__ += values.__all__

_CLASSES: list[type[OperatorDesc]] = [globals()[name] for name in __all__ if name.endswith("OperatorDesc")]

DESCS: dict[str, type[OperatorDesc]] = {desc.name: desc for desc in _CLASSES}
"""Every operator description by the operator's name."""
