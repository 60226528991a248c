"""The processor that the tests run on, and sets of processors."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Processors:
    """Those of an architecture that have all of some instruction sets and none of others, named as Linux names them."""

    machine: str = "x86_64"
    having: frozenset[str] = frozenset()
    lacking: frozenset[str] = frozenset()

    def __str__(self) -> str:
        having = f" with {', '.join(sorted(self.having))}" if self.having else ""
        lacking = f" without {', '.join(sorted(self.lacking))}" if self.lacking else ""
        return f"{self.machine}{having}{lacking}"

    @property
    def has_this(self) -> bool:
        """Whether this processor is known to be one of them."""
        sets = instruction_sets()
        return bool(sets) and platform.machine() == self.machine and self.having <= sets and not self.lacking & sets


@cache
def instruction_sets() -> frozenset[str]:
    """Return the names that Linux gives to the instruction sets of this processor; none where it does not tell."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return frozenset()
    found = (line.partition(":")[2].split() for line in lines if line.startswith(("flags", "Features")))
    return frozenset(next(found, ()))
