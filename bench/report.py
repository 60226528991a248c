"""From times to what they say: a line of the table for each row, and the summary."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .limit import ORDERED, PREFIX

LIBRARIES = ("numpy", "torch", "onnxruntime", "openvino")


TURNS, BURSTS, BESIDE = "seconds", "bursts", "beside"
"""The regimes: contenders take turns; each in bursts of its own; each right after another library's call."""


@dataclass(frozen=True)
class Finding:
    """What the measured times of one row say."""

    measured: dict[str, Any]

    def best(self, library: str, regime: str = TURNS) -> float | None:
        """The median of a library's best contender."""
        return self._least(lambda name: name.split()[0] == library, regime)

    def _times(self, regime: str) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = self.measured.get(regime, {})
        return found

    def _least(self, chosen: Callable[[str], bool], regime: str = TURNS) -> float | None:
        return min((each["median"] for name, each in self._times(regime).items() if chosen(name)), default=None)

    def _against(self, chosen: Callable[[str], bool], regime: str = TURNS) -> dict[str, float]:
        """The times of each chosen contender over wherry's; older files have no rounds, but their medians."""
        times = self._times(regime)
        if "wherry" not in times:
            return {}
        rounds = {name: each.get("rounds", [each["median"]]) for name, each in times.items()}
        return {name: paired(rounds[name], rounds["wherry"]) for name in filter(chosen, times)}

    @property
    def best_peer(self) -> str:
        """The name of the best contender that is not wherry's, where contenders take turns."""
        ratios = self._against(_is_peer)
        return min(ratios, key=ratios.__getitem__)

    @property
    def ours(self) -> float:
        """The median of wherry itself."""
        return float(self._times(TURNS)["wherry"]["median"])

    @property
    def ratio(self) -> float:
        """How many times as fast as the best peer."""
        return min(self._against(_is_peer).values())

    def ratio_in(self, regime: str) -> float | None:
        """How many times as fast as the best peer of a regime; None where it was not measured."""
        return min(self._against(_is_peer, regime).values(), default=None)

    @property
    def fastest_copy(self) -> float | None:
        """The median of the fastest copy of as many bytes."""
        return self._least(_is_any_copy)

    @property
    def share(self) -> float | None:
        """The share of the fastest copy's speed, for as many bytes as the outputs have."""
        return min(self._against(_is_any_copy).values(), default=None)

    @property
    def ordered_share(self) -> float | None:
        """The share of the speed of the fastest bare loop that reads the same places in the same order."""
        return min(self._against(lambda name: name.startswith(f"{ORDERED} ")).values(), default=None)

    @property
    def scaling(self) -> tuple[float, float] | None:
        """One thread's time over all threads' time: wherry's and memcpy's."""
        ratios = self._against(lambda name: True)
        alone, memcpy_alone, memcpy = map(ratios.get, ("wherry, one thread", "memcpy, one thread", "memcpy"))
        if alone is None or memcpy_alone is None or memcpy is None:
            return None
        return alone, memcpy_alone / memcpy


def _is_copy(name: str) -> bool:
    return name.startswith(f"{PREFIX} ")


def _is_any_copy(name: str) -> bool:
    return name == "memcpy" or _is_copy(name)


def _is_peer(name: str) -> bool:
    return name.split(maxsplit=1)[0] in LIBRARIES


COLUMNS = ("row", "wherry", *LIBRARIES, "best peer", "times faster", "in bursts", "beside", "copy", "share",
           "of ordered", "threads", "extra MiB")  # fmt: skip


def head() -> str:
    """The first two lines of the table."""
    return f"| {' | '.join(COLUMNS)} |\n|{' --- |' * 2}{' ---: |' * (len(COLUMNS) - 2)}"


def line(finding: Finding) -> str:
    """One row of the table, times in milliseconds (us where so marked)."""
    own = finding.measured["seconds"]["wherry"]
    spread = (own["high"] - own["low"]) / 2 / own["median"]
    scaling, extra = finding.scaling, finding.measured["extra_memory"]
    cells = [
        f"{finding.measured['row']}: {finding.measured['title']}",
        f"{time_text(finding.ours)} ±{spread:.0%}",
        *(time_text(finding.best(library)) for library in LIBRARIES),
        finding.best_peer,
        f"{finding.ratio:.2f}",
        *(_two_digits(finding.ratio_in(regime)) for regime in (BURSTS, BESIDE)),
        time_text(finding.fastest_copy),
        _two_digits(finding.share),
        _two_digits(finding.ordered_share),
        "" if scaling is None else f"{scaling[0]:.2f} ({scaling[1]:.2f})",
        "" if extra is None else f"{extra / 2**20:.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def _two_digits(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def time_text(seconds: float | None) -> str:
    """Milliseconds, or microseconds below a tenth of one."""
    if seconds is None:
        return ""
    return f"{seconds * 1e3:.2f}" if seconds >= 1e-4 else f"{seconds * 1e6:.2f} us"


def summary(findings: Sequence[Finding]) -> dict[str, float]:
    """Least and geometric mean: of the ratio to the best peer in each regime; over bandwidth rows, of the share."""
    ratios = {
        "ratio": [finding.ratio for finding in findings],
        "burst_ratio": _known(finding.ratio_in(BURSTS) for finding in findings),
        "beside_ratio": _known(finding.ratio_in(BESIDE) for finding in findings),
        "ordered": _known(finding.ordered_share for finding in findings),
        "share" if any(map(_is_copy, findings[0].measured[TURNS])) else "memcpy": _known(
            finding.share for finding in findings if finding.measured["bandwidth"]
        ),
    }
    return {
        f"{word}_{name}": value
        for name, found in ratios.items()
        if found
        for word, value in (("least", min(found)), ("mean", geometric_mean(found)))
    }


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


SAID = {
    "ratio": "times faster than the best peer",
    "burst_ratio": "the same in bursts",
    "beside_ratio": "the same right after another library's call",
    "ordered": "share of a bare loop that moves the same parts in the same order",
    "share": "share of the fastest copy on rows bound by bandwidth",
    "memcpy": "share of memcpy, the only copy that was measured, on rows bound by bandwidth",
}
"""The summary's values in words."""


def summary_text(findings: Sequence[Finding]) -> str:
    """The summary in words."""
    found = summary(findings)
    lines = [
        f"{words}: least {found[f'least_{name}']:.2f}, geometric mean {found[f'mean_{name}']:.2f}"
        for name, words in SAID.items()
        if f"least_{name}" in found
    ]
    return "\n".join([f"{len(findings)} rows; {lines[0]}", *lines[1:]])


def slower(now: Sequence[Finding], before: Sequence[Finding]) -> list[str]:
    """Lines that tell which rows became slower, beside the fastest copy of the same run, or the best peer.

    What is compared is measured in one run each, so that a machine that was slower as a whole changes nothing. A row
    counts as slower from a tenth on, and beyond the spread of both.
    """
    old = {finding.measured["row"]: finding for finding in before}
    lines = []
    for finding in now:
        then = old.get(finding.measured["row"])
        if then is None:
            continue
        share, share_then = finding.share, then.share
        is_copied = finding.measured["bandwidth"] and share is not None and share_then is not None
        change = share_then / share if is_copied else then.ratio / finding.ratio
        if change > max(1.1, 1 + _noise(finding) + _noise(then)):
            measure = "copy" if is_copied else "best peer"
            lines.append(
                f"{finding.measured['row']}: {change:.2f} times as long as before, by the same run's {measure}"
            )
    return lines


def _noise(finding: Finding) -> float:
    own = finding.measured[TURNS]["wherry"]
    return float((own["high"] - own["low"]) / own["median"])


def paired(theirs: Sequence[float], ours: Sequence[float]) -> float:
    """How many times as long they take: the median over rounds.

    Where a machine has other guests, memory is for seconds at a time twice as fast as it is for others: within one
    round it is the same for all.
    """
    return statistics.median(their / our for their, our in zip(theirs, ours, strict=True))


def geometric_mean(values: Sequence[float]) -> float:
    """The mean of ratios."""
    return math.exp(sum(map(math.log, values)) / len(values))
