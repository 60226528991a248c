"""Checks a DirectML description by itself, and reports every fault at once."""

from __future__ import annotations

from wherry.conversion.cases import case_of_description
from wherry.dialects.directml.descs import OperatorDesc
from wherry.dialects.directml.enums import FeatureLevel, as_feature_level
from wherry.dialects.directml.validation import validate
from wherry.errors import WherryError
from wherry.portability.finding import Finding, Severity, Side
from wherry.portability.report import Report
from wherry.runtimes.differences import Difference, Does, differences


def check_description(desc: OperatorDesc, feature_level: object = "6.4") -> Report:
    """Return what DirectML refuses of an operator description at a feature level: each fault with its arithmetic.

    A fault that documents tell of as well has their name for it.

    >>> from wherry.dialects.directml import BufferTensorDesc, GatherOperatorDesc
    >>> data, picked = BufferTensorDesc("FLOAT32", [1, 5]), BufferTensorDesc("FLOAT32", [1, 2])
    >>> indices = BufferTensorDesc("FLOAT32", [1, 2])
    >>> report = check_description(GatherOperatorDesc(data, indices, picked, 1, 1))
    >>> report.findings[0].other_rule.words.split(", ")[0]
    'IndicesTensor.DataType is FLOAT32'
    """
    level = as_feature_level(feature_level)
    report = Report(desc.name, [("directml", str(level))], judged=1)
    try:
        validate(desc, level)
    except WherryError as error:
        known = _documented(desc, level)
        name = "description" if known is None else known.name
        fields = desc.name, desc.name, "directml", str(level), name
        source = f"DML_{desc.name}_OPERATOR_DESC" if known is None else known.link
        legal = Side("a description that DirectML takes", source)
        example = {"operator": desc.name, "inputs": [{"type": str(tensor)} for _, _, tensor in desc.tensors]}
        advice = "correct the members that are named; DirectML answers E_INVALIDARG alone"
        for fault in error.faults:
            witness = {"rule": {"takes": ""}, "other_rule": {"refuses": fault}, "source": "computed"}
            there = Side(fault, f"DirectML at feature level {level}")
            report.findings.append(Finding(Severity.REFUSED, *fields, legal, there, "", example, witness, advice))
    return report


def _documented(desc: OperatorDesc, level: FeatureLevel) -> Difference | None:
    """Return the documented reason why a description is refused; None if there is none, or several."""
    case = case_of_description(desc, level)
    found = [entry for entry in differences("directml") if entry.does is Does.REFUSES and entry.decided(case)]
    return found[0] if len(found) == 1 else None
