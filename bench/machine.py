"""The machine that is measured on."""

from __future__ import annotations

import os
import platform
import re
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
    processor = _processor() + _instruction_set()
    listed = ", ".join(f"{name} {each}" for name, each in versions.items())
    text = f"{processor}, {threads} threads; Python {platform.python_version()}, {listed}"
    return {"text": text, "processor": processor, "threads": threads, "versions": versions}


def _instruction_set() -> str:
    """What wherry's kernels are held to, where that is not all that the processor has: peers use the rest too."""
    held_to = os.environ.get("WHERRY_ISA")
    return f" held to {held_to}" if held_to else ""


def _processor() -> str:
    """The processor's name, with family and model: the names of virtual machines often say no more than the maker's."""
    info = Path("/proc/cpuinfo")
    if not info.exists():
        return platform.processor()
    told = dict(re.findall(r"^(model name|cpu family|model)\s*: (.*)$", info.read_text(), re.MULTILINE))
    if "model name" not in told:
        return platform.processor() or platform.machine()
    return f"{told['model name']} (family {told['cpu family']}, model {told['model']})"


def file_name(where: dict[str, Any]) -> str:
    """What the file of a machine's results is called.

    >>> file_name({"processor": "AMD EPYC (family 25, model 17)", "threads": 2})
    'amd-epyc-family-25-model-17-2-threads.json'
    """
    words = re.findall(r"[a-z0-9]+", str(where["processor"]).lower().replace("(r)", ""))
    return f"{'-'.join([*words, str(where['threads']), 'threads'])}.json"
