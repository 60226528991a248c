"""Permutations of 2 to 6 axes, which the literature on tensor transposition measures, side by side with a copy.

They are the 57 of TTC and HPTT (Springer and others, 2017), all of about 200 MB of float32, here with the last axis the
finest. HPTT is a peer where it is built: `--hptt FOLDER` names its checkout with lib/libhptt.so in it.
"""

from __future__ import annotations

import ctypes
import math
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import wherry as wh

from .case import Array, Call, empty
from .measure import ASLEEP
from .report import paired
from .runtimes import missing, tensor

SIZES = {
    (1, 0): ((7264, 7264), (1216, 43408), (43408, 1216)),
    (1, 0, 2): ((384, 384, 368), (384, 64, 2144), (2307, 64, 368)),
    (0, 2, 1): ((355, 384, 384), (59, 384, 2320), (59, 2320, 384)),
    (2, 1, 0): ((384, 355, 384), (384, 59, 2320), (2320, 59, 384)),
    (2, 1, 0, 3): ((96, 75, 96, 80), (96, 75, 16, 464), (582, 75, 16, 80)),
    (3, 0, 2, 1): ((75, 96, 75, 96), (75, 96, 12, 608), (75, 608, 12, 96)),
    (2, 0, 3, 1): ((75, 96, 75, 96), (75, 96, 12, 608), (75, 608, 12, 96)),
    (1, 0, 3, 2): ((75, 75, 96, 96), (75, 12, 96, 608), (75, 12, 608, 96)),
    (3, 2, 1, 0): ((96, 75, 75, 96), (96, 75, 12, 608), (608, 75, 12, 96)),
    (1, 3, 2, 0, 4): ((48, 28, 28, 48, 32), (48, 28, 28, 8, 176), (298, 28, 28, 8, 32)),
    (4, 0, 3, 2, 1): ((28, 48, 28, 28, 48), (28, 48, 28, 4, 352), (28, 352, 28, 4, 48)),
    (1, 3, 0, 4, 2): ((28, 28, 48, 28, 48), (28, 28, 48, 4, 352), (28, 28, 352, 4, 48)),
    (2, 0, 4, 1, 3): ((28, 28, 28, 48, 48), (28, 28, 4, 48, 352), (28, 28, 4, 352, 48)),
    (4, 3, 2, 1, 0): ((48, 28, 28, 28, 48), (48, 28, 28, 4, 352), (352, 28, 28, 4, 48)),
    (4, 1, 0, 3, 2, 5): ((15, 15, 32, 15, 32, 16), (15, 15, 32, 15, 10, 48), (15, 15, 103, 15, 10, 16)),
    (1, 4, 0, 5, 3, 2): ((15, 15, 32, 15, 15, 32), (15, 15, 32, 15, 5, 112), (15, 15, 112, 15, 5, 32)),
    (2, 0, 4, 1, 5, 3): ((15, 15, 15, 32, 15, 32), (15, 15, 15, 32, 5, 112), (15, 15, 15, 112, 5, 32)),
    (1, 5, 4, 0, 3, 2): ((15, 15, 32, 15, 15, 32), (15, 15, 32, 15, 5, 112), (15, 15, 112, 15, 5, 32)),
    (5, 4, 3, 2, 1, 0): ((32, 15, 15, 15, 15, 32), (32, 15, 15, 15, 5, 112), (112, 15, 15, 15, 5, 32)),
}
"""Sizes of the source by the order of its axes in the result."""

PERMUTATIONS = [(sizes, order) for order, all_sizes in SIZES.items() for sizes in all_sizes]

DTYPES = ("uint8", "int16", "float32", "float64")

COPY = ("copy by wherry", "copy by numpy")
"""A copy of as many bytes that lie in one piece; the faster one is the measure."""

_PLAN = """
#include <hptt.h>
template <class T>
using Plan = std::shared_ptr<hptt::Transpose<T>>;
template <class T>
void* make(const int* order, int ndim, const void* src, const int* sizes, void* dst, int threads) {
    return new Plan<T>(hptt::create_plan(order, ndim, T(1), static_cast<const T*>(src), sizes, nullptr, T(0),
                                         static_cast<T*>(dst), nullptr, hptt::MEASURE, threads));
}
extern "C" {
void* plan_float32(const int* order, int ndim, const void* src, const int* sizes, void* dst, int threads) {
    return make<float>(order, ndim, src, sizes, dst, threads);
}
void* plan_float64(const int* order, int ndim, const void* src, const int* sizes, void* dst, int threads) {
    return make<double>(order, ndim, src, sizes, dst, threads);
}
void run_float32(void* plan) { (*static_cast<Plan<float>*>(plan))->execute(); }
void run_float64(void* plan) { (*static_cast<Plan<double>*>(plan))->execute(); }
}
"""


class Hptt:
    """HPTT's plans, each the fastest of those that it tries in ten seconds.

    A library that is compiled in `folder` makes them.
    """

    def __init__(self, checkout: Path, folder: Path) -> None:
        source, made = folder / "plan.cpp", folder / "plan.so"
        source.write_text(_PLAN, encoding="utf-8")
        library = checkout.resolve() / "lib"
        options = ["-O2", "-std=c++17", "-shared", "-fPIC", "-fopenmp", f"-I{checkout / 'include'}"]
        linked = [f"-L{library}", "-l:libhptt.so", f"-Wl,-rpath,{library}"]
        subprocess.run(["c++", *options, str(source), *linked, "-o", str(made)], check=True)
        ctypes.CDLL(str(library / "libhptt.so"), mode=ctypes.RTLD_GLOBAL)
        self._library = ctypes.CDLL(str(made))

    def call(self, data: Array, order: Sequence[int], out: Array, threads: int) -> Call | None:
        """A call that writes to `out`; None for elements that HPTT does not move. Its first axis is the finest."""
        plan = getattr(self._library, f"plan_{data.dtype.name}", None)
        if plan is None:
            return None
        run = getattr(self._library, f"run_{data.dtype.name}")
        plan.restype = ctypes.c_void_p
        numbers = ctypes.c_int * data.ndim
        reversed_order = numbers(*(data.ndim - 1 - axis for axis in reversed(order)))
        source, target = ctypes.c_void_p(data.ctypes.data), ctypes.c_void_p(out.ctypes.data)
        made = ctypes.c_void_p(plan(reversed_order, data.ndim, source, numbers(*reversed(data.shape)), target, threads))
        return lambda: (data, out, run(made))[2]


@dataclass(frozen=True)
class Measured:
    """Seconds of each contender, turn by turn, and who did not give the expected bits."""

    sizes: tuple[int, ...]
    order: tuple[int, ...]
    dtype: str
    seconds: dict[str, list[float]]
    wrong: list[str]

    @property
    def copies(self) -> list[float]:
        """The faster copy of each turn."""
        return [min(each) for each in zip(*(self.seconds[name] for name in COPY), strict=True)]

    def share(self, name: str) -> float | None:
        """The share of the copy's speed."""
        times = self.seconds.get(name)
        return None if times is None else paired(self.copies, times)

    @property
    def gigabytes(self) -> float:
        """What the copy moves in a second, read and written."""
        return 2 * math.prod(self.sizes) * np.dtype(self.dtype).itemsize / statistics.median(self.copies) / 1e9


def measure(
    sizes: tuple[int, ...], order: tuple[int, ...], dtype: str, hptt: Hptt | None, threads: int, rounds: int
) -> Measured:
    """All contenders take turns, after each has run once and was compared with NumPy."""
    data = empty(sizes, dtype)
    # Small integers: HPTT computes 1 * a + 0 * b, which keeps no NaN's bits.
    data.reshape(-1)[:] = np.random.default_rng(0).integers(0, 250, data.size, np.uint8)
    view, out, theirs = data.transpose(order), *(empty([sizes[axis] for axis in order], dtype) for _ in range(2))
    calls: dict[str, Call] = {
        "wherry": lambda: wh.copy(view, out),
        COPY[0]: lambda: wh.copy(data, theirs.reshape(sizes)),
        COPY[1]: lambda: np.copyto(theirs.reshape(sizes), data),
    }
    if "torch" not in missing():
        import torch

        torch.set_num_threads(threads)
        target, source = tensor(theirs), tensor(view)
        calls["torch"] = lambda: target.copy_(source)
    by_hptt = hptt.call(data, order, theirs, threads) if hptt else None
    if by_hptt:
        calls["hptt"] = by_hptt
    expected = np.ascontiguousarray(view)
    wrong = []
    for name, call in calls.items():
        made = out if name == "wherry" else theirs
        made[...] = 0
        call()
        if name not in COPY and made.tobytes() != expected.tobytes():
            wrong.append(name)
    del expected
    if "wherry" in wrong:
        raise SystemExit(f"{sizes} by {order}, {dtype}: wherry's result is another than NumPy's")
    seconds: dict[str, list[float]] = {name: [] for name in calls if name not in wrong}
    for _ in range(rounds):
        for name, times in seconds.items():
            time.sleep(ASLEEP)
            times.append(_timed(calls[name]))
    return Measured(sizes, order, dtype, seconds, wrong)


def _timed(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


PEERS = ("hptt", "torch")


def chosen(pattern: str) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The permutations that have the pattern in sizes and order, as the table shows them."""
    return [each for each in PERMUTATIONS if pattern in " ".join(_named(*each))]


def _named(sizes: Sequence[int], order: Sequence[int]) -> tuple[str, str]:
    return "x".join(map(str, sizes)), ",".join(map(str, order))


def lines(
    pattern: str, dtypes: Sequence[str], hptt: Hptt | None, threads: int, rounds: int, *, divide: int = 1
) -> Iterator[str]:
    """The table, row by row, and its summary; `divide` makes the first axes so many times smaller."""
    wh.set_num_threads(threads)
    yield "| source | order | elements | copy, GB/s | wherry | hptt | torch |"
    yield "| --- | --- | --- | ---: | ---: | ---: | ---: |"
    found = []
    for sizes, order in chosen(pattern):
        for dtype in dtypes:
            each = measure((max(1, sizes[0] // divide), *sizes[1:]), order, dtype, hptt, threads, rounds)
            found.append(each)
            yield _line(each)
    if not found:
        return
    shares = [each.share("wherry") or 0 for each in found]
    yield ""
    yield f"{len(found)} rows; share of the fastest copy: least {min(shares):.2f}, mean {statistics.mean(shares):.2f}"
    for peer in PEERS:
        pairs = [(each.share("wherry"), each.share(peer)) for each in found]
        ratios = [own / other for own, other in pairs if own and other]
        if ratios:
            yield (
                f"times faster than {peer}: least {min(ratios):.2f}, geometric mean "
                f"{statistics.geometric_mean(ratios):.2f}, behind it in {sum(r < 1 for r in ratios)} of {len(ratios)}"
            )


def _line(each: Measured) -> str:
    shares = [("wrong" if name in each.wrong else _text(each.share(name))) for name in ("wherry", *PEERS)]
    cells = [
        *_named(each.sizes, each.order),
        each.dtype,
        f"{each.gigabytes:.1f}",
        *shares,
    ]
    return f"| {' | '.join(cells)} |"


def _text(share: float | None) -> str:
    return "" if share is None else f"{share:.2f}"
