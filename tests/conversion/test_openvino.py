"""What OpenVINO says by other operations is run by OpenVINO itself, which must take it and give the same bits."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

import wherry as wh
from tests.conversion.layers import known_difference
from tests.conversion.running import assert_same_results, on_openvino
from tests.conversion.sites import Use, data, use
from tests.conversion.strategies import USES, uses
from tests.differential.openvino_runtime import CrashedError, OpenVINORuntime, RefusedError
from wherry.errors import ConversionError, IndexOutOfRangeError
from wherry.graph import GraphBuilder
from wherry.models.model import GraphModel
from wherry.ops import GatherElements, Slice, Trilu
from wherry.tensors import TensorType

pytest.importorskip("openvino")

ROWS = (
    "_all_axes",
    "_at_the_start",
    "_band_chosen",
    "_band_of_sizes",
    "_band_on_zeros",
    "_cast_by_table",
    "_clip_by_choice",
    "_clip_by_numbers",
    "_coordinates_of_one",
    "_cut_to_indices",
    "_elements_as_batched",
    "_expanded",
    "_eye_of_sizes",
    "_flat_by_counts",
    "_image_with_more_axes",
    "_line_of_size",
    "_made",
    "_one_hot_values",
    "_one_hot_whole",
    "_padded_by_places",
    "_picked",
    "_place_of_extreme",
    "_sliced_out",
    "_squeezed_to_sizes",
    "_tuples_of_one",
    "_whole_shape",
    "_windows",
    "_wrapped",
)
"""The rows by which OpenVINO says operators of other dialects."""

RAN: Counter[str] = Counter()


@pytest.mark.parametrize("name", ROWS)
def test_openvino_gives_the_same_bits(name: str, openvino: OpenVINORuntime, tmp_path: Path) -> None:
    @settings(max_examples=20)
    @given(one=uses(USES[name]))
    def check(one: Use) -> None:
        model = one.model()
        try:
            made = wh.convert(model, "openvino", inputs=list(one.given))
        except ConversionError:
            return
        try:
            expected = model.run(one.given)
        except IndexOutOfRangeError:
            with pytest.raises(IndexOutOfRangeError):
                made.run(one.given)
            return
        assert_same_results(made.run(one.given), expected)
        try:
            assert_same_results(on_openvino(made, one.given, openvino, tmp_path), expected)
        except (AssertionError, CrashedError, RefusedError):
            if known_difference(made, one.given, tmp_path) is None:
                raise
        else:
            RAN[name] += 1

    check()


def test_all_of_them_ran() -> None:
    if len(RAN) < 2:
        pytest.skip("counts what the tests above did, which were not selected")
    assert set(RAN) == set(ROWS)


def test_a_triangle_of_many_sizes(openvino: OpenVINORuntime, tmp_path: Path) -> None:
    """One converted model takes every size."""
    model = use(Trilu.triangle(upper=False), data(2, 2), is_open=True).model()
    made = wh.convert(model, "openvino")
    for rows, columns in ((1, 1), (1, 7), (7, 1), (5, 5), (0, 3), (3, 0), (40, 33)):
        x = data(rows, columns)
        assert_same_results(on_openvino(made, {"x0": x}, openvino, tmp_path), {"y0": np.tril(x)})


def test_a_slice_before_gather_elements_is_taken_out(openvino: OpenVINORuntime, tmp_path: Path) -> None:
    """OpenVINO 2026.4.1 then refuses data that is larger than indices; so conversion splits instead of slicing."""
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (2, 3)))
    builder.add_input("i", TensorType("int64", (1, 2)))
    builder.add(Slice((0,), (1,), (0,), (1,)), ["x"], ["part"], "Slice")
    builder.add(GatherElements(1), ["part", "i"], ["y"], "GatherElements")
    model = wh.convert(GraphModel(builder.build(["y"]), "openvino"), "openvino")
    given = {"x": data(2, 3), "i": np.array([[2, 0]])}
    assert model.run(given)["y"].tolist() == [[3, 1]]
    with pytest.raises(RefusedError, match="not consistent"):
        on_openvino(model, given, openvino, tmp_path)
