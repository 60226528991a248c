"""The machine that is measured on."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from .report import LIBRARIES


def machine(threads: int) -> dict[str, Any]:
    """What was measured on, and with which versions."""
    versions = {}
    for name in ("wherry", *LIBRARIES):
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    processor = platform.processor()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [each.partition(":")[2].strip() for each in info.read_text().splitlines() if "model name" in each]
        processor = names[0] if names else processor
    listed = ", ".join(f"{name} {each}" for name, each in versions.items())
    text = f"{processor}, {threads} threads; Python {platform.python_version()}, {listed}"
    return {"text": text, "processor": processor, "threads": threads, "versions": versions}
