"""From what was found of models to a table in Markdown, and what stays wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..report import geometric_mean

Found = dict[str, Any]

COLUMNS = ("model", "nodes", "movement (arithmetic)", "chains agree / run / all", "rules", "own rules", "whole, ms",
           "onnxruntime, ms", "times faster", "chains: mean", "least", "lists, s", "MB")  # fmt: skip

EQUAL = 0.95
"""What is as fast, as far as can be measured."""

WIDEST = 44
"""The most characters of a model's name; the middle of a longer one is left out."""


def head() -> str:
    """Return the first two lines."""
    return f"| {' | '.join(COLUMNS)} |\n| --- |{' ---: |' * (len(COLUMNS) - 1)}"


def line(found: Found) -> str:
    """Return the row of one model; what a stage that failed would tell stays empty."""
    return f"| {' | '.join([_short(found['model']), *_listed(found), *_ran(found), *_times(found), *_cost(found)])} |"


def _short(name: str) -> str:
    half = WIDEST // 2 - 1
    return name if len(name) <= WIDEST else f"{name[:half]}..{name[-half:]}"


def stage(found: Found, name: str) -> Found | None:
    """Return what a stage found, if it came to its end."""
    result: Found | None = found.get(name)
    return None if result is None or "failed" in result else result


def _listed(found: Found) -> Iterator[str]:
    listed, chains = stage(found, "listed"), stage(found, "chains")
    yield str(listed["nodes"]) if listed else "fails"
    yield f"{listed['movement']} ({listed['arithmetic']})" if listed else ""
    yield f"{chains['agree']} / {chains['run']} / {chains['count']}" if chains else ""


def _ran(found: Found) -> Iterator[str]:
    rules, own, parting = stage(found, "rules"), stage(found, "own"), stage(found, "parting")
    yield f"{sum(why is None for why in rules.values())} of {len(rules)}" if rules else ""
    if own is None:
        yield "fails"
    elif own["is_equal"]:
        yield "equal"
    else:
        yield f"{own['difference']:.1e}" + (f" from {parting['node']}" if parting and parting["tensor"] else "")


def _times(found: Found) -> Iterator[str]:
    whole, chains = stage(found, "whole"), stage(found, "chains")
    yield f"{whole['wherry'] * 1e3:.2f}" if whole else ""
    yield f"{whole['onnxruntime'] * 1e3:.2f}" if whole else ""
    yield f"{whole['onnxruntime'] / whole['wherry']:.2f}" if whole else ""
    faster = chains["faster"] if chains else []
    yield f"{geometric_mean(faster):.2f}" if faster else ""
    yield f"{min(faster):.2f}" if faster else ""


def _cost(found: Found) -> Iterator[str]:
    listed = stage(found, "listed")
    yield f"{listed['seconds']:.2f}" if listed else ""
    yield f"{listed['megabytes']:.0f}" if listed and listed["megabytes"] else ""


def summary(all_found: Sequence[Found]) -> list[str]:
    """Return what holds for all models, then the slowest chains, and what is not as it should be."""
    return totals(all_found) + _slowest(all_found) + _wrong(all_found)


def totals(all_found: Sequence[Found]) -> list[str]:
    """Return what holds for all models: a line for what became of them, of their chains, and of their times."""
    opened, own, rules, chains = (_all(all_found, name) for name in ("listed", "own", "rules", "chains"))
    equal, by_all = sum(one["is_equal"] for one in own), sum(not any(one.values()) for one in rules)
    lines = [
        f"{len(all_found)} models: {len(opened)} open and are listed, {equal} give ONNX Runtime's bits by their own "
        f"rules, {by_all} run by all rules"
    ]
    faster = [ratio for one in chains for ratio in one["faster"]]
    if faster:
        agree, run, count = (sum(one[what] for one in chains) for what in ("agree", "run", "count"))
        lines.append(f"{count} chains: {run} run on these inputs, {agree} of them agree; {_ratios(faster)}")
    whole = [one["onnxruntime"] / one["wherry"] for one in _all(all_found, "whole")]
    if whole:
        lines.append(f"{len(whole)} whole models: {_ratios(whole)}")
    return lines


def _ratios(faster: Sequence[float]) -> str:
    return (
        f"times faster than ONNX Runtime: geometric mean {geometric_mean(faster):.2f}, least {min(faster):.2f}, "
        f"{sum(ratio < EQUAL for ratio in faster)} of {len(faster)} below {EQUAL}"
    )


def _all(all_found: Sequence[Found], name: str) -> list[Found]:
    return [result for found in all_found if (result := stage(found, name)) is not None]


def _slowest(all_found: Sequence[Found], most: int = 12) -> list[str]:
    chains = [
        (one["onnxruntime"] / one["wherry"], found["model"], one)
        for found in all_found
        for one in (stage(found, "chains") or {"slowest": []})["slowest"]
    ]
    return [
        f"slow: {ratio:.2f} of ONNX Runtime, {one['wherry'] * 1e6:.1f} us: {model} chain {one['chain']}: "
        + ", ".join(f"{count} {name}" for name, count in one["operators"].items())
        for ratio, model, one in sorted(chains, key=lambda chain: chain[0])[:most]
    ]


def _wrong(all_found: Sequence[Found]) -> list[str]:
    lines = []
    for found in all_found:
        failed = [f"{name}: {result['failed']}" for name, result in found.items()
                  if isinstance(result, dict) and "failed" in result]  # fmt: skip
        failed += [f"{rules}: {why}" for rules, why in (stage(found, "rules") or {}).items() if why]
        failed += [f"chain {one['chain']} {one['state']}: {one.get('why') or one.get('wrong')}"
                   for one in (stage(found, "chains") or {"wrong": []})["wrong"]]  # fmt: skip
        failed += [found["killed"]] if "killed" in found else []
        lines += [f"wrong: {found['model']}: {why}" for why in failed]
    return lines
