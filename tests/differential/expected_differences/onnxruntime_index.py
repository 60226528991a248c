"""ONNX Runtime in operators that read indices, or choose elements."""

from __future__ import annotations

import numpy as np

from tests.differential.case import Case
from tests.differential.conditions import (
    Has,
    all_of,
    any_of,
    attribute,
    before,
    bits_of,
    named,
    of,
    typed,
)
from tests.differential.difference import Difference
from tests.differential.expected_differences.onnxruntime_entries import NAN, PAGES, SOURCE, TRUE, F, difference, vector
from tests.support.places import UNEVEN, UNEVEN_DATA, named_twice
from tests.support.processor import Processors

_UNEVEN = UNEVEN[:, np.newaxis].astype(np.int64)
_WORDS = np.array([["a", "b"], ["c", "d"]], object)
_TEN = np.arange(10, dtype=np.float32)


@named("the axis is not the last one")
def _by_rows(case: Case) -> bool:
    return case.inputs[0].ndim > 1 and case.attributes.get("axis", 0) not in (-1, case.inputs[0].ndim - 1)


@named("two of more than 1000 updates are for one place")
def _meets_on_threads(case: Case) -> bool:
    """Several threads share the rows of a ScatterND where there are so many."""
    data, indices, updates = case.inputs
    return updates.size > 1000 and named_twice(data, indices)


@named("an index is outside, and the result is empty")
def _gathers_nothing(case: Case) -> bool:
    data, indices = case.inputs
    batch = case.attributes.get("batch_dims", 0)
    along = data.shape[batch : batch + indices.shape[-1]]
    if len(along) < indices.shape[-1]:
        return False
    is_outside = (indices < -np.array(along, np.int64)) | (indices >= np.array(along, np.int64))
    return 0 in (*indices.shape[:-1], *data.shape[batch + len(along) :]) and bool(is_outside.any())


@named("input 1 has tuples of no index")
def _no_index(case: Case) -> bool:
    return case.inputs[1].shape[-1:] == (0,)


@named("batch_dims is the number of axes of indices, or more")
def _batches_alone(case: Case) -> bool:
    return bool(case.attributes.get("batch_dims", 0) >= case.inputs[1].ndim > 0)


@named("the batch axes of the inputs differ, but the tuples can be shared out evenly")
def _other_batches(case: Case) -> bool:
    batch, (data, indices) = case.attributes.get("batch_dims", 0), case.inputs
    count = max(1, int(np.prod(data.shape[:batch])))
    return data.shape[:batch] != indices.shape[:batch] and int(np.prod(indices.shape[:-1])) % count == 0


@named("an entry beyond the axis is true")
def _marks_beyond(case: Case) -> bool:
    data, condition = case.inputs
    axis = case.attributes.get("axis")
    size = data.size if axis is None else data.shape[axis] if -data.ndim <= axis < data.ndim else 0
    return bool(condition[size:].any())


@named("a negative zero of input 1 is chosen, or one of input 2 that is repeated")
def _chosen_negative_zero(case: Case) -> bool:
    condition, first, second = case.inputs
    if first.dtype.hasobject or first.dtype.kind != "f":
        return False
    try:
        chosen, of_first, of_second = np.broadcast_arrays(condition, first, second)
    except ValueError:
        return False
    is_lost = chosen & (of_first == 0) & np.signbit(of_first)
    if np.broadcast(condition, second).shape != chosen.shape:
        is_lost = is_lost | (~chosen & (of_second == 0) & np.signbit(of_second))
    return bool(is_lost.any())


@named("NaN of different bits, or a NaN and an infinity")
def _several_nan(case: Case) -> bool:
    numbers = [array for array in case.inputs if array.dtype.kind == "f"]
    found = {bits for array in numbers for bits in bits_of(array)[np.isnan(array)].tolist()}
    return len(found) > 1 or (len(found) == 1 and any(np.isinf(array).any() for array in numbers))


_THREADS = "https://github.com/microsoft/onnxruntime/issues/18048"
_TWO_NAN = np.array([0x7FC00001, 0x7FC00002], np.uint32).view(np.float32)
_SCATTERS = of("ScatterElements", "ScatterND")

ENTRIES: tuple[Difference, ...] = (
    difference(
        "Gather-1 takes negative indices",
        "one kernel counts from the end in all versions; Gather-1 names no negative indices, wherry refuses",
        "https://onnx.ai/onnx/operators/text_diff_Gather_1_11.html",
        all_of(of("Gather"), before(11), Has(1, "a negative number")),
        Case("Gather", 1, (F, vector(-1))),
        Case("Gather", 1, (F, vector(3))),
        Case("Gather", 11, (F, vector(-1))),
    ),
    difference(
        "Gather of strings copies only the first of each slice",
        "where a slice has more than one string (the axis is not the last), the others come out empty, silently",
        f"{PAGES}Gather.html",
        all_of(of("Gather"), typed(0, "string"), _by_rows),
        Case("Gather", 13, (_WORDS, vector(1))),
        Case("Gather", 13, (_WORDS, vector(1)), {"axis": 1}),
    ),
    difference(
        "GatherND of tuples without an index",
        "it takes all of data for each; the text asks for 1 and more",
        f"{PAGES}GatherND.html",
        all_of(of("GatherND"), _no_index),
        Case("GatherND", 13, (F, np.zeros((1, 0), np.int64))),
        Case("GatherND", 13, (F, np.zeros((1, 1), np.int64))),
    ),
    difference(
        "GatherND takes all axes of indices for batches",
        "by the text batch_dims is less than the number of axes of both inputs: the last axis of indices is the tuple",
        f"{PAGES}GatherND.html",
        all_of(of("GatherND"), _batches_alone),
        Case("GatherND", 12, (F.reshape(1, 4), vector(0)), {"batch_dims": 1}),
        Case("GatherND", 12, (F.reshape(1, 4), vector(0).reshape(1, 1)), {"batch_dims": 1}),
    ),
    difference(
        "GatherND takes batch axes of other sizes",
        "it shares the tuples out among the batches of data; by the text the first batch_dims axes of both are equal",
        f"{PAGES}GatherND.html",
        all_of(of("GatherND"), _other_batches),
        Case("GatherND", 12, (F.reshape(4, 1), np.zeros((1, 4, 1), np.int64)), {"batch_dims": 1}),
        Case("GatherND", 12, (F.reshape(4, 1), np.zeros((4, 1, 1), np.int64)), {"batch_dims": 1}),
    ),
    difference(
        "GatherND does not check indices of an empty result",
        "its kernel returns before; wherry checks in all cases, as the text makes a bad index an error",
        f"{PAGES}GatherND.html",
        all_of(of("GatherND"), _gathers_nothing),
        Case("GatherND", 13, (np.zeros((3, 0), np.float32), vector(7))),
        Case("GatherND", 13, (np.zeros((3, 0), np.float32), vector(2))),
    ),
    difference(
        "Scatter-9 takes negative indices",
        "one kernel counts from the end in all versions; Scatter-9 names no negative indices, wherry refuses",
        f"{PAGES}Scatter.html",
        all_of(of("Scatter"), Has(1, "a negative number")),
        Case("Scatter", 9, (F, vector(-1), F[:1])),
        Case("Scatter", 9, (F, vector(3), F[:1])),
    ),
    difference(
        "scatters forget a NaN under max and min",
        "a comparison with NaN is false, so that the update stays; the text is silent, wherry lets NaN propagate",
        f"{PAGES}ScatterElements.html",
        all_of(_SCATTERS, attribute("reduction", "max", "min"), any_of(Has(0, "a NaN"), Has(2, "a NaN"))),
        Case("ScatterElements", 18, (NAN, vector(0), F[1:2]), {"reduction": "max"}),
        Case("ScatterElements", 18, (NAN, vector(0), F[1:2]), {"reduction": "add"}),
        Case("ScatterElements", 18, (F[:1], vector(0), F[1:2]), {"reduction": "max"}),
    ),
    difference(
        "which of several NaN",
        "of two NaN that are added or multiplied the bits of one stay, and which one depends on the order of the "
        "operands, which is the compiler's choice",
        f"{SOURCE}/tensor/scatter.cc",
        any_of(
            all_of(_SCATTERS, attribute("reduction", "add", "mul"), _several_nan),
            all_of(of("Col2Im"), _several_nan),
        ),
        Case("ScatterElements", 18, (_TWO_NAN[:1], vector(0), _TWO_NAN[1:]), {"reduction": "add"}),
        Case("ScatterElements", 18, (_TWO_NAN[:1], vector(0), F[:1]), {"reduction": "add"}),
        Case("ScatterElements", 18, (F[:1], vector(0), _TWO_NAN[1:]), {"reduction": "add"}),
        holds_on=Processors("x86_64"),
    ),
    difference(
        "threads replace one element in any order",
        "of several updates for one element any stays, or parts of several, others each time, where there are enough "
        "for two threads; the text asks for none",
        _THREADS,
        all_of(of("ScatterND"), attribute("reduction", "none", default="none"), _meets_on_threads),
        Case("ScatterND", 18, (UNEVEN_DATA, _UNEVEN, np.arange(len(UNEVEN)).astype(np.float32))),
        Case("ScatterND", 18, (F, np.zeros((9, 1), np.int64), _TEN[:9])),
        of_threads=True,
    ),
    difference(
        "threads lose updates of one element",
        "a ScatterND that reduces reads and writes an element from two threads at once: some updates are not in its "
        "result, others each time",
        f"{SOURCE}/tensor/scatter_nd.cc",
        all_of(of("ScatterND"), attribute("reduction", "add", "mul", "max", "min"), _meets_on_threads),
        Case(
            "ScatterND", 18, (F[:1], np.zeros((10**6, 1), np.int64), np.ones(10**6, np.float32)), {"reduction": "add"}
        ),
        Case("ScatterND", 18, (F, np.zeros((9, 1), np.int64), _TEN[:9]), {"reduction": "add"}),
        of_threads=True,
    ),
    difference(
        "Compress ignores what it has no position for",
        "a true entry beyond the axis is not read; the text does not speak of a longer condition, wherry refuses",
        f"{PAGES}Compress.html",
        all_of(of("Compress"), _marks_beyond),
        Case("Compress", 11, (F, np.ones(5, bool))),
        Case("Compress", 11, (F, np.array([True, False, True, True, False]))),
    ),
    difference(
        "Where loses the sign of zero",
        "it makes two tensors of the chosen values and zeros elsewhere, and takes one where the other is equal to 0",
        f"{SOURCE}/tensor/where_op.cc",
        all_of(of("Where"), _chosen_negative_zero),
        Case("Where", 16, (TRUE, -F[:1], F[1:2])),
        Case("Where", 16, (~TRUE, F[1:2], -F[:1])),
        Case("Where", 16, (np.array([False, False]), F[1:2], -F[:1].repeat(2))),
        Case("Where", 16, (~TRUE, -F[:1], F[1:2])),
    ),
    difference(
        "OneHot refuses scalar indices",
        "shape inference asks for one axis and more; the text allows any rank",
        f"{PAGES}OneHot.html",
        all_of(of("OneHot"), Has(0, "no axis")),
        Case("OneHot", 11, (np.array(1), np.array(2), vector(0, 1))),
        Case("OneHot", 11, (vector(1), np.array(2), vector(0, 1))),
    ),
    difference(
        "OneHot-9 takes negative indices",
        "one kernel counts from the end in all versions; by the text of version 9 they have all positions off",
        f"{PAGES}OneHot.html",
        all_of(of("OneHot"), before(11), Has(0, "a negative number")),
        Case("OneHot", 9, (vector(-1), np.array(2), vector(0, 1))),
        Case("OneHot", 11, (vector(-1), np.array(2), vector(0, 1))),
        Case("OneHot", 9, (vector(5), np.array(2), vector(0, 1))),
    ),
    difference(
        "OneHot of a fraction",
        "an index such as 1.9 has all positions off; the text casts it to int64",
        f"{PAGES}OneHot.html",
        all_of(of("OneHot"), Has(0, "a fraction")),
        Case("OneHot", 11, (np.array([1.9], np.float32), np.array(2), vector(0, 1))),
        Case("OneHot", 11, (np.array([1.0], np.float32), np.array(2), vector(0, 1))),
    ),
    difference(
        "NonZero of a scalar",
        "it gives one row; the text gives as many rows as axes, none",
        f"{PAGES}NonZero.html",
        all_of(of("NonZero"), Has(0, "no axis")),
        Case("NonZero", 13, (np.float32(1).reshape(()),)),
        Case("NonZero", 13, (F[1:2],)),
    ),
)
