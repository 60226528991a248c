"""From times to what they say: a line of the table for each row, and the summary."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

LIBRARIES = ("numpy", "torch", "onnxruntime", "openvino")


@dataclass(frozen=True)
class Finding:
    """What the measured times of one row say."""

    measured: dict[str, Any]

    def best(self, library: str) -> float | None:
        """The median of a library's best contender."""
        times = [t["median"] for name, t in self.measured["seconds"].items() if name.split()[0] == library]
        return min(times, default=None)

    def _of(self, name: str) -> float | None:
        return self.measured["seconds"].get(name, {}).get("median")

    @property
    def best_peer(self) -> str:
        """The name of the best contender that is not wherry's."""
        times = {
            name: t["median"] for name, t in self.measured["seconds"].items() if name.split()[0] in LIBRARIES
        }  # fmt: skip
        return min(times, key=times.__getitem__)

    @property
    def ours(self) -> float:
        """The median of wherry itself."""
        return float(self.measured["seconds"]["wherry"]["median"])

    @property
    def ratio(self) -> float:
        """How many times as fast as the best peer."""
        return float(self.measured["seconds"][self.best_peer]["median"]) / self.ours

    @property
    def share(self) -> float | None:
        """The share of memcpy's speed, for as many bytes as the outputs have."""
        memcpy = self._of("memcpy")
        return None if memcpy is None else memcpy / self.ours

    @property
    def scaling(self) -> tuple[float, float] | None:
        """One thread's time over all threads' time: wherry's and memcpy's."""
        alone, memcpy_alone, memcpy = map(self._of, ("wherry, one thread", "memcpy, one thread", "memcpy"))
        if alone is None or memcpy_alone is None or memcpy is None:
            return None
        return alone / self.ours, memcpy_alone / memcpy


COLUMNS = ("row", "wherry", *LIBRARIES, "best peer", "times faster", "memcpy", "share", "threads", "extra MiB")


def head() -> str:
    """The first two lines of the table."""
    return f"| {' | '.join(COLUMNS)} |\n|{' --- |' * 2}{' ---: |' * (len(COLUMNS) - 2)}"


def line(finding: Finding) -> str:
    """One row of the table, times in milliseconds (us where so marked)."""
    own = finding.measured["seconds"]["wherry"]
    spread = (own["high"] - own["low"]) / 2 / own["median"]
    scaling, extra = finding.scaling, finding.measured["extra_memory"]
    memcpy = finding.measured["seconds"].get("memcpy")
    cells = [
        f"{finding.measured['row']}: {finding.measured['title']}",
        f"{time_text(finding.ours)} ±{spread:.0%}",
        *(time_text(finding.best(library)) for library in LIBRARIES),
        finding.best_peer,
        f"{finding.ratio:.2f}",
        time_text(memcpy["median"] if memcpy else None),
        "" if finding.share is None else f"{finding.share:.2f}",
        "" if scaling is None else f"{scaling[0]:.2f} ({scaling[1]:.2f})",
        "" if extra is None else f"{extra / 2**20:.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def time_text(seconds: float | None) -> str:
    """Milliseconds, or microseconds below a tenth of one."""
    if seconds is None:
        return ""
    return f"{seconds * 1e3:.2f}" if seconds >= 1e-4 else f"{seconds * 1e6:.2f} us"


def summary(findings: Sequence[Finding]) -> dict[str, float]:
    """Least and geometric mean, over all rows, of the ratio to the best peer; over bandwidth rows, of the share."""
    ratios = [finding.ratio for finding in findings]
    shares = [f.share for f in findings if f.measured["bandwidth"] and f.share is not None]
    result = {"least_ratio": min(ratios), "mean_ratio": geometric_mean(ratios)}
    if shares:
        result |= {"least_share": min(shares), "mean_share": geometric_mean(shares)}
    return result


def summary_text(findings: Sequence[Finding]) -> str:
    """The summary in words."""
    found = summary(findings)
    text = (
        f"{len(findings)} rows; times faster than the best peer: least {found['least_ratio']:.2f}, "
        f"geometric mean {found['mean_ratio']:.2f}"
    )
    if "least_share" in found:
        text += (
            f"\nshare of memcpy on rows bound by bandwidth: least {found['least_share']:.2f}, "
            f"geometric mean {found['mean_share']:.2f}"
        )
    return text


def geometric_mean(values: Sequence[float]) -> float:
    """The mean of ratios."""
    return math.exp(sum(map(math.log, values)) / len(values))
