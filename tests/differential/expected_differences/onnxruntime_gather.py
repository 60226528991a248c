"""ONNX Runtime in Gather, Split, Concat and Identity."""

from __future__ import annotations

import numpy as np

from tests.differential.case import Case
from tests.differential.difference import Difference
from tests.differential.expected_differences.onnxruntime_entries import KERNELS, PAGES, difference


def _size(case: Case) -> int | None:
    """The size of the axis that a case works on, or None where it has none."""
    data, axis = case.inputs[0], case.attributes.get("axis", 0)
    return data.shape[axis] if -data.ndim <= axis < data.ndim else None


def _counted_parts(case: Case) -> bool:
    return case.operator == "Split" and case.version >= 18 and "num_outputs" in case.attributes


def _leaves_an_empty_part(case: Case) -> bool:
    """Whether num_outputs leaves exactly the last part empty, which the text of Split-18 allows."""
    size, parts = _size(case), case.attributes.get("num_outputs", 0)
    return _counted_parts(case) and size is not None and parts > 0 and -(-size // parts) * (parts - 1) == size


def _has_empty_input_of_other_sizes(case: Case) -> bool:
    """Whether a Concat has an input without elements whose sizes do not fit, the axis aside."""
    axis = case.attributes.get("axis", 0)
    if case.operator != "Concat" or all(array.size for array in case.inputs):
        return False
    others = {np.delete(array.shape, axis).tobytes() for array in case.inputs if -array.ndim <= axis < array.ndim}
    return len(others) > 1 or len({array.ndim for array in case.inputs}) > 1


def _gathers_strings_by_rows(case: Case) -> bool:
    """Whether a Gather takes slices of more than one string."""
    data, axis = case.inputs[0], case.attributes.get("axis", 0)
    return case.operator == "Gather" and data.dtype.hasobject and data.ndim > 1 and axis not in (-1, data.ndim - 1)


_FIVE = np.arange(5, dtype=np.float32)
_SIX = np.arange(6, dtype=np.float32)

ENTRIES: tuple[Difference, ...] = (
    difference(
        name="no kernel for Split-1",
        reason="the CPU provider registers Split from version 2 on: NOT_IMPLEMENTED",
        link=KERNELS,
        applies=lambda case: case.operator == "Split" and case.version < 2,
        example=Case("Split", 1, (_SIX,), {"axis": 0}, outputs=2),
    ),
    difference(
        name="no kernel for Concat-1",
        reason="the CPU provider registers Concat from version 4 on: NOT_IMPLEMENTED",
        link=KERNELS,
        applies=lambda case: case.operator == "Concat" and case.version < 4,
        example=Case("Concat", 1, (_SIX, _SIX), {"axis": 0}),
    ),
    difference(
        name="no complex numbers",
        reason="tensor(complex64) and tensor(complex128) are not registered: the model does not load",
        link=KERNELS,
        applies=lambda case: any(array.dtype.kind == "c" for array in case.inputs),
        example=Case("Identity", 13, (_SIX.astype(np.complex64),)),
    ),
    difference(
        name="opset newer than 26",
        reason="it guarantees opsets up to 26 and refuses to load a model that declares a newer one",
        link="https://onnxruntime.ai/docs/reference/compatibility.html",
        applies=lambda case: case.version > 26,
        example=Case("Identity", 27, (_SIX,)),
    ),
    difference(
        name="Gather-1 takes negative indices",
        reason="one kernel counts from the end in all versions; Gather-1 names no negative indices, wherry refuses",
        link="https://onnx.ai/onnx/operators/text_diff_Gather_1_11.html",
        applies=lambda case: case.operator == "Gather" and case.version < 11 and bool((case.inputs[1] < 0).any()),
        example=Case("Gather", 1, (_FIVE, np.array([-1]))),
    ),
    difference(
        name="Split-2 takes a negative axis",
        reason="one kernel counts from the end in all versions; Split-2 names no negative axes, wherry refuses",
        link="https://onnx.ai/onnx/operators/text_diff_Split_2_11.html",
        applies=lambda case: case.operator == "Split" and case.version < 11 and case.attributes.get("axis", 0) < 0,
        example=Case("Split", 2, (_SIX,), {"axis": -1}, outputs=2),
    ),
    difference(
        name="Concat-4 takes a negative axis",
        reason="one kernel counts from the end in all versions; Concat-4 names no negative axes, wherry refuses",
        link="https://onnx.ai/onnx/operators/text_diff_Concat_4_11.html",
        applies=lambda case: case.operator == "Concat" and case.version < 11 and case.attributes.get("axis", 0) < 0,
        example=Case("Concat", 4, (_SIX, _SIX), {"axis": -1}),
    ),
    difference(
        name="Gather of strings copies only the first of each slice",
        reason="where a slice has more than one string (the axis is not the last), the others come out empty, silently",
        link=f"{PAGES}Gather.html",
        applies=_gathers_strings_by_rows,
        example=Case("Gather", 13, (np.array([["a", "b"], ["c", "d"]], object), np.array([1]))),
    ),
    difference(
        name="Concat leaves out empty inputs of other sizes",
        reason="where shapes are not known at load, its kernel skips inputs without elements before it compares sizes",
        link=f"{PAGES}Concat.html",
        applies=_has_empty_input_of_other_sizes,
        example=Case("Concat", 13, (np.ones((2, 2), np.float32), np.ones((0, 3), np.float32)), {"axis": 0}),
    ),
    difference(
        name="Split-18 with neither split nor num_outputs",
        reason="where shapes are not known at load, it cuts equal parts by the number of outputs; the text asks for "
        "one of the two",
        link=f"{PAGES}Split.html",
        applies=lambda case: (
            case.operator == "Split"
            and case.version >= 18
            and len(case.inputs) == 1
            and "num_outputs" not in case.attributes
        ),
        example=Case("Split", 18, (_SIX,), outputs=2),
    ),
    difference(
        name="Split-18 refuses an empty last part",
        reason="num_outputs that leaves the last part empty is an error; the text only asks that it be smaller",
        link=f"{PAGES}Split.html",
        applies=_leaves_an_empty_part,
        example=Case("Split", 18, (_SIX,), {"num_outputs": 4}, outputs=4),
    ),
    difference(
        name="Split-18 with fewer num_outputs than outputs",
        reason="shape inference writes past the parts it has computed and the process ends; wherry refuses",
        link=f"{PAGES}Split.html",
        applies=lambda case: _counted_parts(case) and case.attributes["num_outputs"] < case.outputs,
        example=Case("Split", 18, (_FIVE,), {"num_outputs": 2}, outputs=3),
        crashes=True,
    ),
    difference(
        name="Split-18 with more num_outputs than outputs",
        reason="it follows the node's outputs and ignores the attribute; wherry refuses",
        link=f"{PAGES}Split.html",
        applies=lambda case: _counted_parts(case) and case.attributes["num_outputs"] > case.outputs,
        example=Case("Split", 18, (_FIVE,), {"num_outputs": 3}, outputs=2),
    ),
)
