"""What WebNN says of other dialects' models: which methods, the same bits, and what it refuses."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wherry as wh
from tests.conversion.running import Arrays, assert_same_results
from tests.conversion.sites import Use, data, use
from tests.conversion.strategies import USES
from wherry.errors import ConversionError, IndexOutOfRangeError
from wherry.models.model import Model
from wherry.ops import (
    Compress,
    DepthToSpace,
    Gather,
    GatherElements,
    GatherND,
    Pad,
    Roll,
    ScatterElements,
    Slice,
    SliceScatter,
    Trilu,
    Where,
)

MASK = np.array([True, False, True, True])
I64 = np.int64


def methods(made: Model) -> list[str]:
    return [node.subject.removeprefix("WebNN ").split(" ")[0] for node in made.graph.nodes]


def on_webnn(made: Model, given_arrays: Arrays) -> Arrays:
    """Run the model on the inputs of the one it was made of: as bits where WebNN lacks their type."""
    arrays = {name: given_arrays[name] for name in made.inputs}
    return made.run({name: array.view(made.inputs[name].numpy) for name, array in arrays.items()})


SAID: dict[str, tuple[Use, list[str]]] = {
    "an axis from the end": (use(Gather(-1, 0, "clamp"), data(2, 3), I64([0])), ["gather"]),
    "constant indices": (use(Gather(0), data(3, 2), I64([0, -1]), constants=[1]), ["gather"]),
    "smaller indices": (use(Gather(0, 0, "clamp"), data(3, 2), np.uint8([0, 9])), ["cast", "gather"]),
    "lines of bool": (use(GatherElements(1, "clamp"), data(2, 3, dtype=bool), I64([[0], [2]])), ["gatherElements"]),
    "tuples": (use(GatherND(0, "clamp"), data(2, 3), I64([[1, 3], [2, 0]])), ["gatherND"]),
    "a scatter": (use(ScatterElements(0), data(4), I64([0, 2]), data(2)), ["scatterElements"]),
    "backwards": (use(Slice([2], [-9], [0], [-1]), data(3)), ["reverse"]),
    "a band": (use(Trilu.triangle(True, 1), data(3, 3)), ["triangular"]),
    "a bool choice": (use(Where(), MASK, data(3, 4), -data(1, 4)), ["where"]),
    "a slice replaced": (use(SliceScatter((1,), (3,), (1,)), data(3, 5), -data(3, 2)), ["slice", "slice", "concat"]),
    "Roll": (use(Roll((1,), (1,)), data(3, 4)), ["split", "concat"]),
    "negative pads": (use(Pad((1,), (-1,)), data(3)), ["slice", "pad"]),
    "blocks": (use(DepthToSpace(2), data(1, 8, 2, 3)), ["reshape", "transpose", "reshape"]),
    "Compress": (use(Compress(MASK, 1), data(3, 4)), ["gather"]),
}


@pytest.mark.parametrize("name", SAID)
def test_said_by_methods(name: str) -> None:
    one, expected = SAID[name]
    made = wh.convert(one.model(), "webnn")
    assert methods(made) == expected
    assert_same_results(on_webnn(made, one.given), one.model().run(one.given))


REFUSED = {
    "a rule that matters": (
        use(Gather(0), data(3), I64([0])),
        "out_of_range is raise (an index outside its axis is refused), the nearest is clamp",
    ),
    "an open size": (use(Gather(0, 0, "clamp"), data(3), I64([0]), is_open=True), "allowed known sizes"),
    "strings": (use(Gather(0, 0, "clamp"), data(3, dtype=object), I64([0])), "dtype string"),
    "a sum": (use(ScatterElements(axis=0, reduction="add"), data(4), I64([0]), data(1)), "reduction is"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_webnn_refuses(name: str) -> None:
    one, words = REFUSED[name]
    with pytest.raises(ConversionError) as caught:
        wh.convert(one.model(), "webnn")
    assert "WebNN cannot say" in str(caught.value)
    assert words in str(caught.value)


OUTCOMES: Counter[str] = Counter()


@pytest.mark.parametrize("row", sorted(USES))
@settings(max_examples=12)
@given(draw=st.data())
def test_results_are_the_same(row: str, draw: st.DataObject) -> None:
    one = USES[row](draw.draw)
    try:
        expected = one.model().run(one.given)
    except (wh.errors.WherryError, IndexOutOfRangeError):
        return
    try:
        made = wh.convert(one.model(), "webnn")
    except ConversionError:
        OUTCOMES["refused"] += 1
        return
    OUTCOMES["said"] += 1
    assert_same_results(on_webnn(made, one.given), expected)


def test_many_were_said() -> None:
    if not sum(OUTCOMES.values()):
        pytest.skip("the test before did not run")
    assert OUTCOMES["said"] > OUTCOMES["refused"] / 2
