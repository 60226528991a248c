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


BY_SIZE: dict[str, tuple[list[Any], bool]] = {
    "by the size, less 1": ([node("Min", "i last", "j"), node("Max", "j first", "k")], True),
    "by a size that was cast": ([node("Cast", "i", "a", to=INT32), node("Cast", "last", "b", to=INT32),
                                 node("Min", "a b", "j"), node("Cast", "first", "c", to=INT32),
                                 node("Max", "j c", "k")], True),
    "brought to the front": ([node("Min", "i last", "j"), node("Max", "j first", "q"), node("Less", "q zero", "l"),
                              node("Add", "q n", "p"), node("Where", "l p q", "k")], True),
    "by the size": ([node("Min", "i n", "j"), node("Max", "j first", "k")], False),
    "on one side": ([node("Min", "i last", "k")], False),
    "by twice the size": ([node("Min", "i last", "j"), node("Add", "first first", "f"),
                           node("Max", "j f", "k")], False),
    "by the size of another axis": ([node("Shape", "other", "o"), node("Sub", "o one", "e"), node("Min", "i e", "j"),
                                     node("Max", "j first", "k")], False),
}  # fmt: skip


@pytest.mark.parametrize(("nodes", "is_inside"), BY_SIZE.values(), ids=BY_SIZE)
def test_indices_that_are_bounded_by_the_size_of_their_axis(nodes: list[Any], is_inside: bool) -> None:
    ends = [node("Shape", "x", "n"), node("Sub", "n one", "last"), node("Neg", "n", "first")]
    inputs: Any = {"x": (FLOAT, ["N"]), "other": (FLOAT, ["M"]), **INDICES}
    constants = {"one": np.int64(1), "zero": np.int64(0)}
    proto = model([*ends, *nodes, node("Gather", "x k")], inputs, constants)
    found = [one for one in wh.check(wh.load(proto), "openvino:opset8").findings if one.node == "y"]
    assert [one.name for one in found] == ([] if is_inside else ["out_of_range"])


def test_each_entry_of_a_tuple_has_bounds_of_its_own() -> None:
    nodes = [node("Min", "t most", "j"), node("Max", "j least", "k"), node("GatherND", "x k")]
    for most, names in (([2, 4], []), ([4, 2], ["out_of_range"])):
        constants = {"most": np.array(most), "least": np.array([-3, -5])}
        proto = model(nodes, {"x": (FLOAT, [3, 5]), "t": (INT64, ["N", 2])}, constants)
        sized = wh.load(proto, sizes={"t": (4, 2)})
        assert [one.name for one in wh.check(sized, "directml").findings] == names
