"""Real models beside ONNX Runtime: each in a process of its own, within a time and a memory."""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..machine import machine
from .table import head, line, summary

EXAMPLE = "python -m bench.models folder --sizes state=2x1x128 --value sr=16000"


def main() -> int:
    given = arguments()
    if given.one:
        return one(given)
    files = sorted(files_of(given.models))
    if not files:
        print("no .onnx file among what is named", file=sys.stderr)
        return 2
    where = machine(given.threads)
    print(f"{where['text']}\n\n{head()}", flush=True)
    all_found = []
    for path in files:
        found = {"model": path.name, **in_own_process(path, given)}
        all_found.append(found)
        print(line(found), flush=True)
    print("\n" + "\n".join(summary(all_found)))
    if given.json:
        given.json.write_text(json.dumps({"machine": where, "models": all_found}, indent=1), encoding="utf-8")
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.models", description=__doc__, epilog=f"Example: {EXAMPLE}")
    parser.add_argument("models", nargs="+", type=Path, help=".onnx files, and folders of them")
    parser.add_argument("--sizes", action="append", default=[], metavar="NAME=NxN",
                        help="of an input of this name, in models where it may have them")  # fmt: skip
    parser.add_argument("--value", action="append", default=[], metavar="NAME=N",
                        help="the value of an input of this name, at every place")  # fmt: skip
    parser.add_argument("--threads", type=int, default=2, help="for both (default 2)")
    parser.add_argument("--seconds", type=float, default=120, help="for one model (default 120)")
    parser.add_argument("--megabytes", type=int, default=6144, help="for one model (default 6144)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all that was found")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def files_of(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        yield from path.rglob("*.onnx") if path.is_dir() else (path,)


def in_own_process(path: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Return what a process of its own found of a model: of stages that it did not live to end, nothing."""
    options = [f"--threads={given.threads}", f"--megabytes={given.megabytes}"]
    options += [f"--sizes={each}" for each in given.sizes] + [f"--value={each}" for each in given.value]
    found: dict[str, Any] = {}
    with tempfile.NamedTemporaryFile("r", suffix=".json") as results:  # runtimes print what they like
        command = [sys.executable, "-m", "bench.models", f"--one={results.name}", str(path), *options]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=given.seconds, check=False)
        except subprocess.TimeoutExpired:
            found["killed"] = f"not done within {given.seconds:g} seconds"
        else:
            if done.returncode:
                found["killed"] = f"exit status {done.returncode}: {done.stderr[-300:]}"
        for each in results:
            found |= json.loads(each)
    return found


def one(given: argparse.Namespace) -> int:
    """Write what is found of the one model, a line of JSON a stage."""
    limit = given.megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    from .one import Subject, stages

    sizes = {name: [int(size) for size in text.split("x")] for name, text in map(pair, given.sizes)}
    values = {name: float(text) for name, text in map(pair, given.value)}
    with given.one.open("a") as results:
        for found in stages(Subject(given.models[0], sizes, values, given.threads)):
            print(json.dumps(found), file=results, flush=True)
    return 0


def pair(text: str) -> tuple[str, str]:
    name, _, value = text.rpartition("=")
    return name, value


if __name__ == "__main__":
    sys.exit(main())
