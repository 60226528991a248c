"""The schema of DirectML: each operator's members and what feature levels support, out of the descriptions' classes."""

from __future__ import annotations

from collections.abc import Mapping

from wherry.dialects.directml.descs import DESCS
from wherry.dialects.directml.enums import OperatorType
from wherry.dialects.directml.members import OperatorInfo

SCHEMA: Mapping[str, OperatorInfo] = {name: desc.operator_info() for name, desc in DESCS.items()}
"""Every operator by its name without the prefix DML_OPERATOR_."""

ALIASES: Mapping[str, str] = {
    alias: operator.name for alias, operator in OperatorType.__members__.items() if alias != operator.name
}
"""Second names of operators: one operator type, one struct."""
