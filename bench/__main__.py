"""Times every row with every contender in one process, taking turns, and prints medians."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from typing import Any

import numpy as np

from .peers import Call, available
from .rows import Gather, Row, rows


def checked(name: str, row: Row, call: Call, out: np.ndarray | None) -> None:
    """Runs the call once; its result must be equal, bit for bit."""
    result = call()
    if out is not None:
        result = out
    elif callable(result):
        result = result()
    if name != "memcpy" and not np.array_equal(np.asarray(result), row.expected):
        raise SystemExit(f"{row.name}: {name} gives another result than numpy.take or numpy.copyto")


def turn(call: Call, calls: int, repeats: int) -> list[float]:
    """Seconds for one call, several times, after one that does not count."""
    # The threads of whoever ran before may still be spinning.
    time.sleep(0.01)
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        times.append((time.perf_counter() - start) / calls)
    return times


def measure(row: Row, threads: int, rounds: int) -> dict[str, Any]:
    contenders, _ = available()
    ready: dict[str, Call] = {}
    kept = []  # outputs that a peer writes to without holding them
    for name, make in contenders.items():
        made = make(row, threads)
        if made is None:
            continue
        checked(name, row, *made)
        ready[name] = made[0]
        kept.append(made[1])
    times: dict[str, list[float]] = {name: [] for name in ready}
    for _ in range(rounds):
        for name, call in ready.items():
            times[name] += turn(call, row.calls, 3)
    medians = {name: statistics.median(t) for name, t in times.items()}
    peers = {n: t for n, t in medians.items() if n not in ("wherry", "memcpy")}
    best = min(peers, key=peers.__getitem__)
    moved = 2 * row.expected.nbytes + (row.indices.nbytes if isinstance(row, Gather) else 0)
    return {
        "row": row.name,
        "seconds": medians,
        "best_peer": best,
        "times_faster": peers[best] / medians["wherry"],
        "bytes_moved": moved,
        "gb_per_s": moved / medians["wherry"] / 1e9,
    }


def time_text(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-4 else f"{seconds * 1e6:.3f} us"


def show(found: dict[str, Any]) -> None:
    print(found["row"])
    for name, seconds in found["seconds"].items():
        print(f"    {name:12} {time_text(seconds):>12}")
    print(
        f"    {found['times_faster']:.2f} times as fast as {found['best_peer']};"
        f" {found['gb_per_s']:.1f} GB/s of {found['bytes_moved'] / 1e6:.1f} MB read and written",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rows", default="", metavar="PATTERN", help="only rows with this in their name")
    parser.add_argument("--threads", type=int, default=2, help="for every contender (default 2)")
    parser.add_argument("--rounds", type=int, default=9, help="turns that each contender gets (default 9)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--quick", action="store_true", help="small data, two rounds: does it run at all")
    given = parser.parse_args()
    _, missing = available()
    for name in missing:
        print(f"not installed, left out: {name}", file=sys.stderr)
    results = []
    for row in rows(given.rows, given.quick):
        found = measure(row, given.threads, 2 if given.quick else given.rounds)
        results.append(found)
        if not given.json:
            show(found)
    if given.json:
        print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
