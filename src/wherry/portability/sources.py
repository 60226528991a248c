"""Sources: the section of a specification that defines a node."""

from __future__ import annotations

import re

from wherry.conversion.targets import OpenVINOTarget, Target
from wherry.dialects.openvino.say import say as say_openvino
from wherry.dialects.refusal import Refusal
from wherry.graph import Node
from wherry.portability.reading import Reading

_LABEL = re.compile(r" ['\"].*", re.DOTALL)
"""What follows operator and version in the subject of a node: its own name."""


def spoken_of(node: Node) -> str:
    """Return a node's operator with its version, as its dialect calls it: `Gather-13`."""
    return _section(node).partition(" ")[2]


def _section(node: Node) -> str:
    return _LABEL.sub("", node.subject)


def source_of(node: Node, target: Target | None = None, reading: Reading | None = None) -> str:
    """Return the section that says what a node does: of its own dialect, or of that of a target that reads it."""
    if target is None or reading is None:
        return _section(node)
    if isinstance(target, OpenVINOTarget):
        known = reading.search.tensors.known(node)
        filled = say_openvino(node, known.types, known.values)
        if not isinstance(filled, Refusal):
            return f"OpenVINO {filled.row.name}-{filled.row.since}, {filled.row.source}"
    return target.title
