"""Run a target: `python -m tests.fuzz NAME --seconds 60 --seed 1`, or `python -m tests.fuzz NAME FILE...`."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import pkgutil
import re
import signal
import sys
import time
import traceback
import warnings
from pathlib import Path
from random import Random
from types import FrameType

CORPUS = Path(__file__).parent / "corpus"
FOUND = Path("build/fuzz")
SECONDS_EACH = 5
"""That an input may take."""

MEGABYTES = 2048
"""That the process may take, Atheris's own and everything imported included."""

MOST_BYTES = 2**15


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("name")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--by-chance", action="store_true", help="without Atheris: its first input takes 10 seconds")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.files:
        _replay(given.name, given.files)
    elif not given.by_chance and importlib.util.find_spec("atheris") is not None:
        _guided(given.name, given.seconds, given.seed)
    else:
        if not given.by_chance:
            print("atheris is not installed (pip install wherry[fuzz]): new words of refusals guide the inputs")
        _by_words(given.name, given.seconds, given.seed)


def _replay(name: str, files: list[Path]) -> None:
    from tests.fuzz.targets import TARGETS, refusal

    for path in files:
        print(f"{path}: {refusal(TARGETS[name], path.read_bytes()) or 'runs'}")


def _print_counts(name: str) -> None:
    from tests.fuzz.use import counts

    print(f"{name}: " + ", ".join(f"{count} {what}" for what, count in counts.items()), flush=True)


def _guided(name: str, seconds: int, seed: int) -> None:
    """Let Atheris make the inputs. Modules are instrumented while they are imported, also those imported late."""
    import atheris

    with atheris.instrument_imports(include=["wherry"]):
        import wherry

        for module in pkgutil.walk_packages(wherry.__path__, "wherry."):
            if not module.name.startswith("wherry.cli"):
                importlib.import_module(module.name)
        from tests.fuzz.targets import TARGETS, refusal
    target, until = TARGETS[name], time.monotonic() + seconds
    found: set[str] = set()

    def one(data: bytes) -> None:
        try:
            refusal(target, data)
        except Exception as error:  # what one line of the sources raises is told once, so that the rest is tried too
            where = traceback.extract_tb(error.__traceback__)[-1]
            line = f"{type(error).__name__}, {where.filename}:{where.lineno}"
            if line not in found:
                found.add(line)
                _keep(name, data, len(found))
        if time.monotonic() > until:  # libFuzzer's own end would leave no time to print
            _print_counts(name)
            os._exit(len(found) > 0)

    originals = [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]

    def mutated(data: bytes, most: int, choice: int) -> bytes:
        """Every second time one that is read: what is refused covers much, and takes the place of the others."""
        rng = Random(choice)
        return target.mutate(rng.choice((bytes(data), rng.choice(originals))), rng)[:most]

    folder = FOUND / name
    (folder / "corpus").mkdir(parents=True, exist_ok=True)
    arguments = {"seed": seed, "timeout": SECONDS_EACH, "rss_limit_mb": MEGABYTES,
                 "max_len": MOST_BYTES, "artifact_prefix": f"{folder}/"}  # fmt: skip
    options = [f"-{option}={value}" for option, value in arguments.items()]
    atheris.Setup([sys.argv[0], *options, str(folder / "corpus"), str(CORPUS / name)], one, custom_mutator=mutated)
    atheris.Fuzz()


def _by_words(name: str, seconds: int, seed: int) -> None:
    """Mutate at random; keep the inputs that are refused in words not seen before, numbers and names left out."""
    from tests.fuzz.targets import TARGETS, refusal

    target, rng, seen = TARGETS[name], Random(seed), set()
    inputs = [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]
    signal.signal(signal.SIGALRM, _too_long)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        data = target.mutate(rng.choice(inputs), rng)[:MOST_BYTES]
        signal.alarm(SECONDS_EACH)
        try:
            words = re.sub(r"\d+|'[^']*'", "", refusal(target, data) or "")
        except Exception:
            _keep(name, data, 1)
            sys.exit(1)
        finally:
            signal.alarm(0)
        if words not in seen:
            seen.add(words)
            inputs.append(data)
    _print_counts(name)


def _keep(name: str, data: bytes, number: int) -> None:
    """Write an input that is a finding to a file, and print what it raised."""
    path = FOUND / name / f"finding-{number}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    traceback.print_exc()
    print(f"the input is in {path}", flush=True)


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"an input takes more than {SECONDS_EACH} s")


if __name__ == "__main__":
    main()
