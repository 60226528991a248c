"""Writes the parts of the pages that come from code and measurements: `python -m docs.make`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from . import benchmark, check, conform, conversion, differences, directml, fix, operators, versions

ROOT = Path(__file__).parents[2]

PAGES: dict[str, Mapping[str, Callable[[], list[str]]]] = {
    "README.md": benchmark.SUMMARY,
    "docs/benchmark.md": benchmark.PARTS,
    "docs/conform.md": conform.PARTS,
    "docs/check.md": {**check.PARTS, **fix.WALK},
    "docs/fix.md": fix.PARTS,
    "docs/conversion.md": conversion.PARTS,
    "docs/differences.md": differences.PARTS,
    "docs/onnx.md": versions.ONNX_PARTS,
    "docs/openvino.md": versions.OPENVINO_PARTS,
    "docs/directml.md": directml.PARTS,
    "docs/operators/README.md": operators.PARTS,
    "docs/webnn.md": operators.WEBNN_PARTS,
}
"""Each page with its parts: what stands between two comments, and the function that gives its lines."""


def contents() -> Iterator[tuple[Path, str]]:
    """Yield each file with the text it is to have."""
    for name, parts in PAGES.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        for part, lines in parts.items():
            text = replaced(text, part, lines())
        yield ROOT / name, text
    yield ROOT / "docs" / "benchmark.svg", benchmark.picture()
    yield ROOT / "docs" / "conform.html", conform.page()


def replaced(text: str, part: str, lines: list[str]) -> str:
    """Return a text with other lines between the two comments of a part."""
    begin, end = f"<!-- {part}: written by python -m docs.make -->\n", f"<!-- end of {part} -->\n"
    if text.count(begin) != 1 or text.count(end) != 1:
        raise SystemExit(f"a page lacks the comments about {part!r}, or has them twice")
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    return "".join([before, begin, *(f"{line}\n" for line in lines), end, after])
