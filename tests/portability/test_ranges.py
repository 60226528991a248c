"""Ranges: never narrower than what a run brings, and as narrow as the operators tell."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from tests.portability.models import FLOAT, INT32, INT64, model, node
from wherry.portability.ranges import Ranges

INDICES: Any = {"i": (INT64, ["N"])}
BOUND = {"low": np.int64(-5), "high": np.int64(4), "zero": np.int64(0), "five": np.int64(5)}
CLIP = node("Clip", "i low high", "c")

KNOWN: dict[str, tuple[list[Any], tuple[int, int]]] = {
    "clipped": ([node("Identity", "c")], (-5, 4)),
    "summed": ([node("Add", "c five")], (0, 9)),
    "taken away": ([node("Sub", "c five")], (-10, -1)),
    "multiplied": ([node("Mul", "c c")], (-20, 25)),
    "remainder": ([node("Mod", "c five")], (0, 4)),
    "without sign": ([node("Abs", "c")], (0, 5)),
    "other sign": ([node("Neg", "c")], (-4, 5)),
    "least": ([node("Min", "c zero")], (-5, 0)),
    "greatest": ([node("Max", "c zero")], (0, 4)),
    "divided": ([node("Div", "c five")], (-1, 1)),
    "cast": ([node("Cast", "c", to=INT32)], (-5, 4)),
    "joined": ([node("Concat", "c five1", axis=0)], (-5, 5)),
    "chosen below": ([node("Less", "c zero", "l"), node("Add", "c five", "p"), node("Where", "l p c")], (0, 4)),
    "chosen above": (
        [node("GreaterOrEqual", "c zero", "g"), node("Add", "c five", "p"), node("Where", "g c p")], (0, 4)),
    "chosen the other way round": (
        [node("Greater", "zero c", "g"), node("Add", "c five", "p"), node("Where", "g p c")], (0, 4)),
    "chosen by what it is clipped from": (
        [node("Less", "i zero", "l"), node("Add", "c five", "p"), node("Where", "l p c")], (0, 4)),
    "moved on the way": (
        [node("Less", "c zero", "l"), node("Gather", "c zero", "q"), node("Add", "q five", "p"),
         node("Where", "l p c")], (0, 9)),
}  # fmt: skip


def ranges_of(nodes: list[Any]) -> Ranges:
    constants = {**BOUND, "five1": np.array([5])}
    return Ranges(wh.load(model([CLIP, *nodes], INDICES, constants)).graph)


@pytest.mark.parametrize(("nodes", "expected"), KNOWN.values(), ids=KNOWN)
def test_what_operators_tell(nodes: list[Any], expected: tuple[int, int]) -> None:
    assert ranges_of(nodes).range("y") == expected


@given(indices=st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=8))
@pytest.mark.parametrize("nodes", [nodes for nodes, _ in KNOWN.values()], ids=KNOWN)
def test_a_run_stays_within(nodes: list[Any], indices: list[int]) -> None:
    found = ranges_of(nodes).range("y")
    proto = model([CLIP, *nodes], INDICES, {**BOUND, "five1": np.array([5])})
    value = wh.load(proto).run([np.array(indices)])["y"]
    assert found is not None
    assert found.least <= int(value.min()) <= int(value.max()) <= found.most


def test_sizes_and_places() -> None:
    graph = wh.load(model([node("Shape", "x", "s"), node("NonZero", "x", "n"), node("ArgMax", "x", "a", axis=1),
                           node("Unique", "s")], {"x": (FLOAT, ["N", 7])})).graph  # fmt: skip
    ranges = Ranges(graph)
    assert ranges.range("s") == (0, 2**31 - 1)
    assert ranges.range("a") == (0, 6)
    assert ranges.range("n") == (0, 2**63 - 1)
    assert ranges.range("x") is None


def test_a_long_chain_is_no_matter_of_depth() -> None:
    nodes = [node("Add", f"{f't{n - 1}' if n else 'c'} zero", f"t{n}") for n in range(3000)]
    assert ranges_of([*nodes, node("Identity", "t2999")]).range("y") == (-5, 4)
