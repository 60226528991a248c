"""Guards: what the source refuses of values, a converted model refuses too, on wherry and on OpenVINO."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import wherry as wh
from tests.conversion.running import assert_same_results, on_openvino
from tests.conversion.sites import Use, data, use
from tests.differential.openvino_runtime import OpenVINORuntime, RefusedError
from wherry.errors import ConversionError, IndexOutOfRangeError, InvalidValueError, WherryError
from wherry.graph import Deferred
from wherry.ops import (
    Gather,
    GatherElements,
    GatherND,
    Pad,
    ScatterElements,
    ScatterND,
    ScatterUpdate,
    Split,
    Tile,
    pad_of_pairs,
)
from wherry.ops.split import split_by_sizes

pytest.importorskip("openvino")


def indices(*values: object, dtype: str = "int64") -> np.ndarray:
    return np.array(values, dtype)


X = data(4, 3)
TILE = Deferred(Tile, (), (("repeats", 1),))
SPLIT = Deferred(split_by_sizes, (("axis", 0),), (("sizes", 1),), 2, makes=Split)
PAD = Deferred(pad_of_pairs, (("mode", "constant"), ("beyond", "fold")), (("pads", 1),), makes=Pad)

GOOD: dict[str, Use] = {
    "Gather": use(Gather(0), X, indices(3, -4, 0)),
    "Gather of int32": use(Gather(1), X, indices([2, -3], [0, 1], dtype="int32")),
    "Gather of one": use(Gather(0), X, np.array(-4)),
    "Gather of uint8": use(Gather(0), X, indices(3, 0, dtype="uint8")),
    "Tile": use(TILE, X, indices(2, 0)),
    "Split": use(SPLIT, X, indices(1, 3)),
    "Split of int32": use(SPLIT, X, indices(4, 0, dtype="int32")),
    "Pad": use(PAD, X, indices(-1, 2, -2, -3)),
}
"""Uses whose values are all taken."""

BAD: dict[str, Use] = {
    "Gather": use(Gather(0), X, indices(3, 4, 0)),
    "Gather below": use(Gather(0), X, indices(-5, 0)),
    "Gather of int32": use(Gather(1), X, indices([2, -4], [0, 1], dtype="int32")),
    "Gather of one": use(Gather(0), X, np.array(4)),
    "Gather of one in a vector": use(Gather(0), X, indices(4)),
    "Gather of uint8": use(Gather(0), X, indices(3, 255, dtype="uint8")),
    "Gather far away": use(Gather(0), X, indices(2**31 - 1)),
    "Tile": use(TILE, X, indices(2, -1)),
    "Split": use(SPLIT, X, indices(3, -1)),
    "Split below": use(SPLIT, X, indices(-2, 6)),
    "Pad": use(PAD, X, indices(-2, 0, -3, 0)),
}
"""Uses of which one value is refused."""


VECTORS = ("Tile", "Pad", "Split", "Split of int32", "Split below")
"""Uses of fields whose number must be known."""

OPEN = [(name, is_open) for name in {**GOOD, **BAD} for is_open in (False, True) if not is_open or name not in VECTORS]
"""Each use with sizes that are known and that are open."""


def guarded(one: Use, is_open: bool) -> wh.Model:
    """Return the use converted with a guard, told that it has one, and without one refused."""
    source = Use(one.operator, one.arrays, is_open=is_open).model()
    with pytest.raises(ConversionError) as error:
        wh.convert(source, "openvino")
    assert "a guard refuses it at run: guard=True (wherry convert: --guard)" in str(error.value)
    made = wh.convert(source, "openvino", guard=True)
    assert "note" in [finding.effect for finding in made.findings if finding.rule == "guard"]
    return made


@pytest.mark.parametrize(("name", "is_open"), [pair for pair in OPEN if pair[0] in GOOD])
def test_a_guard_changes_nothing(name: str, is_open: bool, openvino: OpenVINORuntime, tmp_path: Path) -> None:
    one = GOOD[name]
    made = guarded(one, is_open)
    expected = one.model().run(one.given)
    assert_same_results(made.run(one.given), expected)
    assert_same_results(on_openvino(made, one.given, openvino, tmp_path), expected)


@pytest.mark.parametrize(("name", "is_open"), [pair for pair in OPEN if pair[0] in BAD])
def test_a_guard_refuses(name: str, is_open: bool, openvino: OpenVINORuntime, tmp_path: Path) -> None:
    """OpenVINO runs in a process of its own, which must neither die nor give a result."""
    one = BAD[name]
    made = guarded(one, is_open)
    with pytest.raises((IndexOutOfRangeError, InvalidValueError)):
        one.model().run(one.given)
    with pytest.raises(WherryError, match="Reshape"):
        made.run(one.given)
    with pytest.raises(RefusedError, match="conflicts with the reshape pattern"):
        on_openvino(made, one.given, openvino, tmp_path)


@pytest.mark.parametrize("shape", [(0,), (2, 0)])
def test_a_guard_of_no_indices(shape: tuple[int, ...], openvino: OpenVINORuntime, tmp_path: Path) -> None:
    one = use(Gather(0), X, np.zeros(shape, np.int64), is_open=True)
    made = guarded(one, is_open=True)
    assert_same_results(on_openvino(made, one.given, openvino, tmp_path), one.model().run(one.given))


def test_what_openvino_refuses_itself_has_no_guard() -> None:
    updates = -data(1, 3)
    for one in (
        use(GatherElements(1), X, indices([2, -3, 0], [0, 1, 2], [0, 0, 0], [1, 1, 1])),
        use(GatherND(), X, indices([3, -3], [-4, 2])),
        use(ScatterElements(0), X, indices([0, 1, 2]), updates),
        use(ScatterND(), X, indices([1]), updates),
        use(ScatterUpdate(0), X, indices(1), updates),
    ):
        made = wh.convert(one.model(), "openvino", guard=True)
        assert "guard" not in [finding.rule for finding in made.findings]


def test_a_target_that_cannot_refuse_has_no_guard() -> None:
    """All sizes are known in DirectML: there is nothing that depends on values."""
    with pytest.raises(ConversionError) as error:
        wh.convert(GOOD["Gather"].model(), "directml", guard=True)
    assert "guard" not in str(error.value)
