"""What the pages show of `wherry fix`: the guards of an example, both runtimes before and after, and the table."""

from __future__ import annotations

import numpy as np

import wherry as wh
from wherry.cli.fixing import lines
from wherry.dialects.onnx import to_proto
from wherry.errors import WherryError
from wherry.models.model import Model
from wherry.models.parts import PartFile
from wherry.portability.fix import fixed
from wherry.portability.remedies import REMEDIES, ROWS, Kind
from wherry.rewrite.inside import INSIDE
from wherry.runtimes.runtime import runtime_of

from .check import MODEL
from .conversion import operators_of, table_row

_TARGETS = ("onnxruntime", "openvino")
_INPUTS = {"legal: 1 and -4": [1, -4], "bad: 1 and 9": [1, 9], "bad: 1 and 4294967297": [1, 2**32 + 1]}


def report() -> list[str]:
    """Return what the command says of a model that is to run on OpenVINO."""
    return ["```", *lines(fixed(wh.load(MODEL), _TARGETS)), "```"]


def proof() -> list[str]:
    """Return the table of what both runtimes answer before and after."""
    before = wh.load(MODEL)
    found = [table_row("numbers", "model", *(runtime_of(name).title for name in _TARGETS)), table_row(*["---"] * 4)]
    for words, numbers in _INPUTS.items():
        for name, model in (("as it was", before), ("fixed", wh.fix(before, _TARGETS))):
            found.append(table_row(words, name, *(_answer(target, model, numbers) for target in _TARGETS)))
    return found


def _answer(target: str, model: Model, numbers: list[int]) -> str:
    content = to_proto(model, model.options["opset"]).SerializeToString()
    session = runtime_of(target).session(PartFile("onnx", content, ("numbers",), ("score",), {}))
    try:
        score = session.run({"numbers": np.array(numbers)})["score"]
    except WherryError:
        return "refuses"
    return "; ".join(", ".join(f"{number:.2f}" for number in line) for line in np.asarray(score))


def guards() -> list[str]:
    """Return the table of guards."""
    found = [table_row("operator", "findings", "when", "written", "why"), table_row(*["---"] * 5)]
    for one in INSIDE:
        names = sorted({name for row in REMEDIES if set(one.operators) & set(row.operators)
                        and row.kind is Kind.GUARDED for name in row.names})  # fmt: skip
        found.append(table_row(operators_of(one.operators), "; ".join(names), one.when, one.into, one.why))
    return found


def without() -> list[str]:
    """Return the table of what has no guard."""
    found = [table_row("guard", "because", "findings"), table_row(*["---"] * 3)]
    for row in ROWS:
        if row.kind is not Kind.GUARDED:
            of = f"; of {operators_of(row.operators)}" if row.operators else ""
            found.append(table_row(str(row.kind), row.why, "; ".join(sorted(row.names)) + of))
    return found


WALK = {"fix": report, "proof of the fix": proof}
PARTS = {"guards": guards, "no guards": without}
