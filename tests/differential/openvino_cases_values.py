"""Random one-node models of OpenVINO's operations that read or make values, types and strings."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tests.differential.openvino_data import (
    CONVERTED_KINDS,
    FLOAT8_KINDS,
    FLOAT_KINDS,
    KINDS,
    NUMBER_KINDS,
    STRINGS_TOO,
    WIDE_INDEX_KINDS,
    Draw,
    a_scalar_or_one,
    array,
    data_of,
    few_values,
    inside,
    integers,
    mostly,
    moved,
    one_in,
    shapes,
    some_or_none,
)
from tests.differential.openvino_one_node import case, signed_axis
from wherry.dialects.openvino.row import OpenVINORow
from wherry.runtimes.case import Case


def uniques(draw: Draw, row: OpenVINORow) -> Case:
    shape = draw(shapes(1, 3))
    kind = draw(st.sampled_from(STRINGS_TOO))
    tensors = [(kind, few_values(draw, kind, shape))]
    if draw(st.booleans()):
        axis = signed_axis(draw, draw(st.integers(0, len(shape) - 1)), len(shape))
        tensors.append(a_scalar_or_one(draw, integers(draw, axis, WIDE_INDEX_KINDS)))
    types = {name: draw(st.sampled_from(["i32", "i64"])) for name in ("index_element_type", "count_element_type")}
    return case(draw, row, tensors, {"sorted": draw(st.booleans()), **types}, count=4)


def one_hots(draw: Draw, row: OpenVINORow) -> Case:
    shape, depth = draw(shapes(0, 3)), draw(st.integers(1, 5))
    axis = draw(st.integers(-len(shape) - 1, len(shape)))
    random = np.random.default_rng(draw(st.integers(0, 2**16)))
    places = random.integers(-2 * depth, 2 * depth, shape)
    if draw(st.integers(0, 3)) == 0:
        places = np.where(random.integers(0, 2, shape), places, draw(st.sampled_from([2**31 - 1, -(2**31)])))
    indices = integers(draw, places, WIDE_INDEX_KINDS)
    kind, on = moved(draw, ())
    attributes = {"axis": axis}
    if len(row.attributes) > 1:
        attributes["negative_indices_mode"] = draw(st.sampled_from(["ignore_negative", "normalize"]))
    depth_tensor = integers(draw, depth, WIDE_INDEX_KINDS)
    return case(draw, row, [indices, depth_tensor, (kind, on), moved(draw, (), kind=kind)], attributes)


def number_ranges(draw: Draw, row: OpenVINORow) -> Case:
    kind = draw(st.sampled_from(NUMBER_KINDS))
    attributes = {"output_type": draw(st.sampled_from(NUMBER_KINDS))} if row.attributes else {}
    made_of = {kind, *attributes.values()}
    is_unsigned = any(one[0] == "u" for one in made_of)
    start, stop = (draw(st.integers(0 if is_unsigned else -20, 20)) for _ in range(2))
    step = draw(st.sampled_from([1, 2, 3])) * (-1 if start > stop and not is_unsigned else 1)
    if is_unsigned and start > stop and not one_in(draw, 8):
        start, stop = stop, start
    elif not is_unsigned and one_in(draw, 8):
        step = -step
    values = [start, stop, step]
    if made_of <= set(FLOAT_KINDS):
        values = [value / 4 for value in values]
    tensors = [(kind, array(kind, value)) for value in values]
    made = case(draw, row, tensors, attributes)
    return Case(**{**vars(made), "constants": frozenset(draw(st.sampled_from([{0, 1, 2}, {2}, set()])))})


def eyes(draw: Draw, row: OpenVINORow) -> Case:
    kind = draw(st.sampled_from(WIDE_INDEX_KINDS))
    far = [2**31 - 1, -(2**31)] + [2**40, -(2**63)] * (kind == "i64")
    diagonal = draw(st.integers(-6, 6)) if draw(st.integers(0, 4)) else draw(st.sampled_from(far))
    given = [draw(st.integers(0, 5)), draw(st.integers(0, 5)), diagonal]
    tensors = [a_scalar_or_one(draw, (kind, array(kind, value))) for value in given]
    if draw(st.booleans()):
        tensors.append((kind, array(kind, draw(shapes(0, 2, small=0, large=3)))))
    return case(draw, row, tensors, {"output_type": mostly(draw, [*KINDS, "i4", "u4"], ["f8e4m3", "f8e5m2"])})


def identities(draw: Draw, row: OpenVINORow) -> Case:
    kind = mostly(draw, [*KINDS, "string", *FLOAT8_KINDS], ["i4", "u4"])
    return case(draw, row, [moved(draw, some_or_none(draw, 0, 4), kind=kind)])


def selects(draw: Draw, row: OpenVINORow) -> Case:
    shape = some_or_none(draw)

    def part() -> list[int]:
        return [draw(st.sampled_from([1, size])) for size in shape][draw(st.integers(0, len(shape) - 1)) :]

    kind, then = moved(draw, shape, kind=mostly(draw, [*KINDS, "i4", "u4"], FLOAT8_KINDS))
    condition = data_of(draw, part(), kind="boolean")
    return case(draw, row, [condition, (kind, then), moved(draw, part(), kind=kind)], {"auto_broadcast": "numpy"})


def non_zeros(draw: Draw, row: OpenVINORow) -> Case:
    kind = mostly(draw, [*KINDS, "i4", "u4"], FLOAT8_KINDS)
    data = few_values(draw, kind, draw(shapes(0, 4)))
    return case(draw, row, [(kind, data)], {"output_type": draw(st.sampled_from(["i32", "i64"]))})


def shapes_of(draw: Draw, row: OpenVINORow) -> Case:
    attributes = {"output_type": draw(st.sampled_from(["i32", "i64"]))} if row.attributes else {}
    return case(draw, row, [moved(draw, some_or_none(draw, 0, 4), STRINGS_TOO)], attributes)


def converts(draw: Draw, row: OpenVINORow) -> Case:
    kind, values = moved(draw, draw(shapes(0, 3)), CONVERTED_KINDS)
    if draw(st.booleans()):
        kind, values = data_of(draw, values.shape, kind=kind)
        if kind in FLOAT_KINDS:
            values = (values.astype(np.float32) / 4).astype(values.dtype)
    if row.name == "ConvertLike":
        return case(draw, row, [(kind, values), moved(draw, draw(shapes(0, 2)), CONVERTED_KINDS)])
    return case(draw, row, [(kind, values)], {"destination_type": draw(st.sampled_from(CONVERTED_KINDS))})


def string_packs(draw: Draw, row: OpenVINORow) -> Case:
    symbols = np.frombuffer(b"Intel OpenVINO", np.uint8)
    shape = draw(shapes(1, 2))
    ends = inside(draw, shape, len(symbols) + 1, negative=False)
    begins = np.minimum(inside(draw, shape, len(symbols) + 1, negative=False), ends)
    kind = draw(st.sampled_from(WIDE_INDEX_KINDS))
    return case(draw, row, [(kind, array(kind, begins)), (kind, array(kind, ends)), ("u8", symbols)])


def string_unpacks(draw: Draw, row: OpenVINORow) -> Case:
    return case(draw, row, [data_of(draw, draw(shapes(1, 3)), kind="string")], count=3)
