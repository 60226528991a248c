"""known_there: known differences of the target's runtime that apply to a converted model."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache

from wherry.conversion.cases import Written, cases_of, is_settled, may_hold
from wherry.conversion.findings import Effect, Finding
from wherry.conversion.targets import Target
from wherry.graph import Graph
from wherry.rewrite.tensors import Tensors
from wherry.runtimes.differences import Difference, differences, runtimes

RUNTIMES: Mapping[str, tuple[str, ...]] = {
    "onnx": ("onnxruntime",),
    "openvino": ("openvino",),
    "directml": ("directml",),
    "webnn": tuple(name for name, _ in runtimes() if name.startswith("webnn-")),
}
"""The runtimes that usually run a dialect; targets of `check`."""


def known_there(target: Target, graph: Graph, told: Collection[str] = ()) -> Iterator[Finding]:
    """Yield a note for each known difference that nodes of a written graph may come under, but for those of its notes.

    What is about rules that were `told` already is left out, too. They are the entries that `wherry check` asks: a
    difference is one note, however many nodes it is about.
    """
    found: dict[tuple[str, str], tuple[Difference, list[str], bool]] = {}
    is_dynamic = not all(kind.is_known for kind in graph.inputs.values())
    tensors = Tensors(graph)
    for node in graph.nodes:
        written = Written([node], tensors, is_dynamic, graph.constants, is_within=graph.is_within(node))
        for case in cases_of(target, written):
            for entry, is_certain in may_hold(_about(RUNTIMES[target.name], case.operator), case):
                is_told = entry.name in target.tells or (entry.is_open and entry.rule in told)
                if is_told or is_settled(entry, tensors.known(node)):
                    continue
                _, subjects, before = found.setdefault((entry.runtime, entry.name), (entry, [], False))
                subjects.append(node.subject)
                found[entry.runtime, entry.name] = entry, subjects, before or is_certain
    for (_, name), (entry, subjects, is_certain) in found.items():
        more = f", and {len(subjects) - 1} more" if len(subjects) > 1 else ""
        condition = "" if is_certain else f"; it matters where: {entry.when}"
        text = f"{entry.runtime} {entry.version}: {entry.reason}{condition}"
        yield Finding(Effect.NOTE, f"{subjects[0]}{more}", name, text)


@cache
def _about(names: tuple[str, ...], operator: str) -> tuple[Difference, ...]:
    known = (one for name in names for one in differences(name))
    return tuple(one for one in known if not one.operators or operator in one.operators)
