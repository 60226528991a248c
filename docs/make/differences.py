"""The tables of docs/differences.md: what ships of what is known of runtimes."""

from __future__ import annotations

from collections.abc import Iterable

from tests.differential.node_tests import EXCLUDED_NODE_TESTS

from wherry.runtimes.differences import Difference, Does, Source, differences, runtimes

_SPOKEN = {
    "onnxruntime": "ONNX Runtime",
    "openvino": "OpenVINO",
    "openvino-onnx": "OpenVINO's reader of ONNX",
    "directml": "DirectML",
    "webnn-coreml": "WebNN on Core ML",
    "webnn-directml": "WebNN on DirectML",
    "webnn-litert": "WebNN on LiteRT",
    "webnn-onnxruntime": "WebNN on ONNX Runtime",
}

_DOES = {
    Does.REFUSES: "refuses",
    Does.DIFFERS: "another answer",
    Does.CRASHES: "the process ends",
    Does.UNSAFE: "foreign memory",
    Does.ORDER: "answers may vary",
}


def _row(entry: Difference) -> str:
    where = f" (seen on {entry.holds_on})" if entry.holds_on else ""
    does = f"{_DOES[entry.does]}{', the specification leaves it open' if entry.is_open else ''}"
    runtime = f"{_SPOKEN[entry.runtime]} {entry.version}"
    cells = (runtime, entry.name, does, str(entry.condition), entry.reason + where, f"[where]({entry.link})")
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def _table(entries: Iterable[Difference]) -> list[str]:
    return [
        "| runtime | what | what it does | in which models | why | |",
        "| --- | --- | --- | --- | --- | --- |",
        *map(_row, entries),
    ]


def _of(source: Source) -> list[Difference]:
    return [entry for known in runtimes() for entry in differences(*known) if entry.source is source]


def measured() -> list[str]:
    """Return a line for each difference that was measured."""
    return _table(_of(Source.MEASURED))


def documented() -> list[str]:
    """Return a line for each difference that documents tell."""
    return _table(_of(Source.DOCUMENTED))


def not_asked() -> list[str]:
    """Return a line for each reason why check tells nothing of a difference, with those of which it tells nothing."""
    found: dict[str, list[str]] = {}
    for known in runtimes():
        for entry in differences(*known):
            if entry.not_asked:
                found.setdefault(entry.not_asked, []).append(f"{_SPOKEN[entry.runtime]}: {entry.name}")
    return [f"- {why}. {'; '.join(names)}." for why, names in found.items()]


def node_tests() -> list[str]:
    """Return a line for each node test of the onnx package that wherry cannot take."""
    return [f"- `{name}`: {reason}" for name, reason in EXCLUDED_NODE_TESTS.items()]


PARTS = {
    "differences": measured,
    "documented differences": documented,
    "not asked": not_asked,
    "node tests": node_tests,
}
