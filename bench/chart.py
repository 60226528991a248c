"""The table as a picture: for each row, the time of each contender over wherry's, on a logarithmic scale."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from .report import LIBRARIES, Finding

COLOURS = {"numpy": "#4c72b0", "torch": "#dd8452", "onnxruntime": "#55a868", "openvino": "#8172b3"}
ROW, LEFT, WIDTH, TOP, MARGIN = 18, 210, 640, 64, 24
LEAST, MOST = 0.25, 64.0  # of the scale; what lies beyond stands at its end


def place(ratio: float) -> float:
    """Where a ratio stands, in pixels from the left."""
    inside = min(max(ratio, LEAST), MOST)
    return LEFT + WIDTH * math.log(inside / LEAST) / math.log(MOST / LEAST)


def svg(findings: Sequence[Finding], caption: str) -> str:
    """The whole picture."""
    height = TOP + ROW * len(findings) + MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + MARGIN}" height="{height}" '
        'font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{MARGIN}" y="18" font-size="13">Time over wherry\'s: right of 1 is slower than wherry</text>',
        f'<text x="{MARGIN}" y="{height - 8}" fill="#555">{escape(caption)}</text>',
        *_scale(height),
        *_legend(),
    ]
    for number, finding in enumerate(findings):
        lines += _row(finding, TOP + ROW * number + ROW / 2)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _scale(height: int) -> Iterator[str]:
    steps = round(math.log2(MOST / LEAST))
    for step in range(steps + 1):
        ratio = LEAST * 2**step
        x, strong = place(ratio), ratio == 1
        yield (
            f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{height - MARGIN}" '
            f'stroke="{"#222" if strong else "#ddd"}"/>'
        )
        yield f'<text x="{x:.1f}" y="{TOP - 6}" text-anchor="middle" fill="#555">{ratio:g}</text>'


def _legend() -> Iterator[str]:
    x = LEFT
    for name in LIBRARIES:
        yield f'<circle cx="{x}" cy="36" r="4" fill="{COLOURS[name]}"/><text x="{x + 8}" y="40">{name}</text>'
        x += 100
    yield f'<path d="M{x} 31v10" stroke="#c44e52" stroke-width="3"/><text x="{x + 8}" y="40">fastest copy</text>'


def _row(finding: Finding, y: float) -> Iterator[str]:
    yield f'<text x="{LEFT - 10}" y="{y + 4:.0f}" text-anchor="end">{escape(finding.measured["row"])}</text>'
    yield f'<line x1="{LEFT}" y1="{y:.0f}" x2="{LEFT + WIDTH}" y2="{y:.0f}" stroke="#eee"/>'
    if finding.share is not None:
        yield f'<path d="M{place(finding.share):.1f} {y - 6:.0f}v12" stroke="#c44e52" stroke-width="3"/>'
    for name in LIBRARIES:
        seconds = finding.best(name)
        if seconds is not None:
            ratio = seconds / finding.ours
            hint = f"<title>{name}: {ratio:.2f}</title>"
            yield f'<circle cx="{place(ratio):.1f}" cy="{y:.0f}" r="4" fill="{COLOURS[name]}">{hint}</circle>'
