"""The peers side by side: each row in a process of its own, contenders taking turns, medians with spread."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from .case import ROWS, Row, rows
from .chart import svg
from .machine import file_name, machine
from .measure import measure
from .report import Finding, head, line, slower, summary, summary_text
from .rows import declare
from .runtimes import missing


def main() -> int:
    declare()
    given = arguments()
    other = instead(given)
    if other is not None:
        print(f"{machine(given.threads)['text']}\n")
        for each in other:
            print(each, flush=True)
        return 0
    if given.one:
        print(json.dumps(measure(ROWS[given.one], given.threads, given.rounds, given.seconds, given.quick)))
        return 0
    chosen = list(rows(given.rows))
    if not chosen:
        print(f"no row has {given.rows!r} in its name; there are {', '.join(ROWS)}", file=sys.stderr)
        return 2
    for name in missing():
        print(f"not installed, left out: {name}", file=sys.stderr)
    where = machine(given.threads)
    if not given.json:
        print(f"{where['text']}\n\n{head()}", flush=True)
    findings, failed = [], []
    for row in chosen:
        found = in_own_process(row, given)
        if found is None:
            failed.append(row.key)
            continue
        findings.append(Finding(found))
        if not given.json:
            print(line(findings[-1]), flush=True)
    if findings:
        report(findings, where, given)
    for key in failed:
        print(f"failed: {key}", file=sys.stderr)
    return 1 if failed else 0


def report(findings: list[Finding], where: dict[str, Any], given: argparse.Namespace) -> None:
    """Print the summary and write the files that are asked for."""
    document = {"machine": where, "rows": [each.measured for each in findings]}
    if given.json:
        print(json.dumps({**document, "summary": summary(findings)}, indent=2))
    else:
        print(f"\n{summary_text(findings)}")
    if given.save:
        given.save.mkdir(exist_ok=True)
        (given.save / file_name(where)).write_text(json.dumps(document) + "\n", encoding="utf-8")
    if given.chart:
        given.chart.write_text(svg(findings, where["text"]), encoding="utf-8")
    if given.against:
        before = [Finding(each) for each in json.loads(given.against.read_text(encoding="utf-8"))["rows"]]
        lines = slower(findings, before) or ["no row became slower"]
        print("", *lines, sep="\n", file=sys.stderr if given.json else sys.stdout)


def instead(given: argparse.Namespace) -> Iterator[str] | None:
    """The lines that are asked for instead of the rows."""
    asked = (lines for name, lines in TABLES.items() if getattr(given, name) not in (None, False))
    return next((lines(given) for lines in asked), None)


def scale(given: argparse.Namespace) -> Iterator[str]:
    """What models of so many nodes take, and models of two gigabytes."""
    from . import large
    from .scale import SIZES, lines

    with tempfile.TemporaryDirectory() as folder:
        yield from chain(lines(given.scale or SIZES, Path(folder)), [""], large.lines(Path(folder)))


def permutations(given: argparse.Namespace) -> Iterator[str]:
    """The table of permutations."""
    from .permutations import DTYPES, Hptt, lines

    with tempfile.TemporaryDirectory() as folder:
        hptt = Hptt(given.hptt, Path(folder)) if given.hptt else None
        dtypes = DTYPES if given.dtype == "all" else (given.dtype,)
        yield from lines(given.rows, dtypes, hptt, given.threads, given.rounds, divide=8 if given.quick else 1)


def casts(given: argparse.Namespace) -> Iterator[str]:
    """The table of casts."""
    from .casts import lines

    return lines(given.rows, given.threads, given.rounds, divide=64 if given.quick else 1)


def elements(given: argparse.Namespace) -> Iterator[str]:
    """The table of objects, strings and records."""
    from .elements import lines

    return lines(given.rows)


def small(given: argparse.Namespace) -> Iterator[str]:
    """The table of small calls."""
    from .every import lines

    return lines(given.rows)


def shapes(given: argparse.Namespace) -> Iterator[str]:
    """The table of random shapes."""
    from .shapes import lines

    return lines(given.rows, given.seed, given.seconds, given.threads)


def cores(given: argparse.Namespace) -> Iterator[str]:
    """What more cores would gain."""
    from .cores import lines

    return lines(given.rows, 8 if given.quick else 1)


def scaling(given: argparse.Namespace) -> Iterator[str]:
    """What more threads gain, measured."""
    from .scaling import lines

    return lines(given.rows, 8 if given.quick else 1, given.rounds, given.seconds)


def tuned(given: argparse.Namespace) -> Iterator[str]:
    """Limits by measurement."""
    from .tune import lines

    return lines(min(given.rounds, 5))


TABLES: dict[str, Callable[[argparse.Namespace], Iterator[str]]] = {
    "scale": scale,
    "permutations": permutations,
    "casts": casts,
    "elements": elements,
    "small": small,
    "shapes": shapes,
    "cores": cores,
    "scaling": scaling,
    "tune": tuned,
}
"""What is printed instead of the rows, by the option that asks for it."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rows", default="", metavar="PATTERN", help="only rows with this in their name")
    parser.add_argument("--threads", type=int, default=2, help="for every contender (default 2)")
    parser.add_argument("--rounds", type=int, default=9, help="turns that each contender gets (default 9)")
    parser.add_argument("--seconds", type=float, default=15, help="fewer turns for rows that take longer (default 15)")
    parser.add_argument("--json", action="store_true", help="print one JSON document, with quartiles of all times")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="write a file of this machine's results there")
    parser.add_argument("--against", type=Path, metavar="FILE", help="tell what became slower since those results")
    parser.add_argument("--chart", type=Path, metavar="FILE", help="write a picture, SVG")
    parser.add_argument("--quick", action="store_true", help="small data, two rounds: does it run at all")
    parser.add_argument("--scale", nargs="*", type=int, metavar="NODES", help="instead: models of so many nodes")
    parser.add_argument("--permutations", action="store_true", help="instead: permutations of 2 to 6 axes")
    parser.add_argument("--dtype", default="float32", help="of their elements, or `all` widths (default float32)")
    parser.add_argument("--hptt", type=Path, metavar="FOLDER", help="HPTT's checkout, built: it takes part in them")
    parser.add_argument("--elements", action="store_true", help="instead: objects, strings and records beside NumPy")
    parser.add_argument("--casts", action="store_true", help="instead: casts between all pairs of element types")
    parser.add_argument("--small", action="store_true", help="instead: small calls of every public function")
    parser.add_argument("--shapes", action="store_true", help="instead: moves of random shapes, for so many seconds")
    parser.add_argument("--seed", type=int, default=0, help="of the random shapes (default 0)")
    parser.add_argument("--cores", action="store_true", help="instead: what more cores would gain, simulated")
    parser.add_argument("--scaling", action="store_true", help="instead: what more threads gain here, beside memcpy")
    parser.add_argument("--tune", action="store_true", help="instead: limits by measurement, for WHERRY_TUNE")
    parser.add_argument("--one", choices=ROWS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.quick:
        given.rounds = min(given.rounds, 2)
    return given


def in_own_process(row: Row, given: argparse.Namespace) -> dict[str, Any] | None:
    """Measure a row in a process of its own: no memory, threads or caches of the rows before."""
    options = ["--threads", str(given.threads), "--rounds", str(given.rounds), "--seconds", str(given.seconds)]
    command = [sys.executable, "-m", "bench", "--one", row.key, *options, *(["--quick"] if given.quick else [])]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        return None
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    sys.exit(main())
