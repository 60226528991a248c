"""Tensor support of every operator by feature level, as the pages' tables print it, against validate."""

import itertools
from functools import cache, partial

import pytest

from wherry.dialects import directml as dml
from wherry.dialects.directml.descs import DESCS
from wherry.dialects.directml.schema import SCHEMA
from wherry.errors import InvalidTypeError, InvalidValueError, UnsupportedError

F2 = {"FLOAT32", "FLOAT16"}
T6 = F2 | {"INT32", "INT16", "UINT32", "UINT16"}
T8 = T6 | {"INT8", "UINT8"}
T10 = T8 | {"INT64", "UINT64"}
T11 = T10 | {"FLOAT64"}
EVERY = sorted(T11 | {"UNKNOWN", "UINT4", "INT4"})
I4 = {"INT64", "INT32", "UINT64", "UINT32"}
U1 = {"UINT32"}
WIDE = F2 | {"INT32", "UINT32"}
WIDE64 = WIDE | {"INT64", "UINT64"}
SIGNED = F2 | {"INT32", "INT16", "INT8"}
TRUTH = {"UINT32", "UINT8"}
BITS = {"UINT32", "UINT16", "UINT8"}
ALL, FOUR, FOUR_FIVE, BAND = range(1, 9), range(4, 5), range(4, 6), range(2, 5)


def indexed(first=()):
    return [*first, ("2.1", FOUR, T8, U1), ("3.0", ALL, T8, I4), ("4.1", ALL, T11, I4)]


SUMS = [("1.0", FOUR_FIVE, F2), ("2.1", FOUR_FIVE, WIDE), ("3.0", ALL, WIDE), ("4.1", ALL, WIDE64), ("5.1", ALL, T10)]
EXTREMES = [("1.0", FOUR, F2), ("2.1", FOUR, T8), ("3.0", ALL, T8), ("5.0", ALL, T10)]
MODULI = [("2.1", FOUR, T8), ("3.0", ALL, T8), ("6.0", ALL, T10)]
COMPARED = [("1.0", FOUR, F2, U1), ("2.0", FOUR, F2, TRUTH), ("2.1", FOUR, T8, TRUTH), ("3.0", ALL, T8, TRUTH),
            ("4.1", ALL, T10, TRUTH)]  # fmt: skip
TRUTHS = [("1.0", FOUR, U1), ("2.0", FOUR, TRUTH), ("3.0", ALL, TRUTH)]
BITWISE = [("3.0", ALL, BITS), ("4.1", ALL, T11)]
PLACES = [("1.0", FOUR, F2, U1), ("2.1", FOUR, T8, U1), ("3.0", ALL, T8, I4), ("4.1", ALL, T10, I4)]


# operator -> first level of each table, dimension counts, types of data, types of the second group (indices, lengths)
SUPPORT = {
    "GATHER": indexed([("1.0", FOUR, F2, U1)]),
    "GATHER_ELEMENTS": indexed(),
    "GATHER_ND": indexed(),
    "GATHER_ND1": indexed()[1:],
    "SCATTER": indexed([("2.0", FOUR, F2, U1)]),
    "SCATTER_ND": indexed(),
    "ONE_HOT": indexed([("2.0", FOUR, F2, U1)]),
    "SPLIT": [("1.0", FOUR, T6), ("2.1", FOUR, T8), ("3.0", ALL, T8), ("4.1", ALL, T11)],
    "JOIN": [("1.0", FOUR, T6), ("2.1", FOUR, T8), ("3.0", FOUR_FIVE, T8), ("3.1", ALL, T8), ("4.1", ALL, T11)],
    "SLICE": [("1.0", FOUR_FIVE, T6), ("2.1", FOUR_FIVE, T8), ("3.0", ALL, T8), ("4.1", ALL, T11)],
    "SLICE1": [("2.1", FOUR_FIVE, T8), ("3.0", ALL, T8), ("4.1", ALL, T11)],
    "TILE": [("1.0", FOUR, F2), ("2.1", FOUR, T8), ("3.1", ALL, T8), ("4.1", ALL, T10)],
    "PADDING": [("1.0", FOUR_FIVE, F2), ("2.1", FOUR_FIVE, T8), ("3.1", ALL, T8), ("5.0", ALL, T11)],
    "PADDING1": [("5.0", ALL, T11)],
    "DEPTH_TO_SPACE": [("1.0", FOUR, F2), ("2.1", FOUR, T8), ("5.0", FOUR, T11)],
    "SPACE_TO_DEPTH": [("1.0", FOUR, F2), ("2.1", FOUR, T8), ("5.0", FOUR, T11)],
    "DEPTH_TO_SPACE1": [("2.1", FOUR, T8), ("5.0", FOUR, T11)],
    "SPACE_TO_DEPTH1": [("2.1", FOUR, T8), ("5.0", FOUR, T11)],
    "REVERSE_SUBSEQUENCES": [("2.1", FOUR, T8, U1), ("3.0", FOUR_FIVE, T8, U1), ("4.0", ALL, T8, U1),
                             ("5.0", ALL, T11, {"UINT32", "UINT64"})],
    "FILL_VALUE_CONSTANT": [("2.1", FOUR, T8), ("4.0", ALL, T8), ("4.1", ALL, T11)],
    "FILL_VALUE_SEQUENCE": [("2.1", FOUR, T8), ("4.0", ALL, T8), ("5.0", ALL, T10)],
    "DIAGONAL_MATRIX": [("2.0", FOUR, F2), ("2.1", FOUR, T8), ("4.0", BAND, T8), ("5.1", BAND, T11)],
    "DIAGONAL_MATRIX1": [("5.1", BAND, T11)],
    "NONZERO_COORDINATES": [("3.0", FOUR_FIVE, T8), ("4.0", range(2, 9), T8)],
    "ELEMENT_WISE_IDENTITY": [("1.0", FOUR_FIVE, F2), ("2.1", FOUR_FIVE, T8), ("3.0", ALL, T8), ("4.1", ALL, T11)],
    "CAST": [("1.0", FOUR, {"FLOAT32", "FLOAT16", "INT16", "INT8", "UINT16", "UINT8"}), ("3.0", FOUR, T10),
             ("3.1", ALL, T10), ("4.1", ALL, T11)],
    "ELEMENT_WISE_IF": [("2.0", FOUR, {"FLOAT16"}, {"UINT8"}), ("3.0", ALL, T8, {"UINT8"}),
                        ("5.0", ALL, T11, {"UINT8"})],
    "ACTIVATION_IDENTITY": [("1.0", FOUR, F2), ("2.0", FOUR_FIVE, F2), ("3.0", ALL, F2)],
    "FOLD": [("6.4", range(3, 9), {"FLOAT32"})],
    "UNFOLD": [("6.4", range(3, 9), {"FLOAT32"})],
    "ELEMENT_WISE_ADD": SUMS,
    "ELEMENT_WISE_MULTIPLY": SUMS,
    "ELEMENT_WISE_SUBTRACT": [("1.0", FOUR, F2), ("2.1", FOUR, WIDE), *SUMS[2:]],
    "ELEMENT_WISE_DIVIDE": [("1.0", FOUR, F2), ("2.1", FOUR, WIDE), ("3.0", ALL, WIDE), ("5.1", ALL, T8),
                            ("6.0", ALL, T10)],
    "ELEMENT_WISE_MODULUS_TRUNCATE": MODULI,
    "ELEMENT_WISE_MODULUS_FLOOR": MODULI,
    "ELEMENT_WISE_MIN": EXTREMES,
    "ELEMENT_WISE_MAX": EXTREMES,
    "ELEMENT_WISE_CLIP": EXTREMES,
    "ELEMENT_WISE_CLIP1": EXTREMES[3:],
    "ELEMENT_WISE_ABS": [("1.0", FOUR, F2), ("2.1", FOUR, SIGNED), ("3.0", ALL, SIGNED),
                         ("4.1", ALL, SIGNED | {"INT64"})],
    "ELEMENT_WISE_SIGN": [("2.0", FOUR, F2), ("2.1", FOUR, T8), ("3.0", ALL, T8), ("4.1", ALL, T10)],
    "ELEMENT_WISE_NEGATE": [("5.0", ALL, SIGNED | {"INT64"})],
    "ELEMENT_WISE_LOGICAL_EQUALS": COMPARED,
    "ELEMENT_WISE_LOGICAL_GREATER_THAN": COMPARED,
    "ELEMENT_WISE_LOGICAL_LESS_THAN": COMPARED,
    "ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL": COMPARED[3:],
    "ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL": COMPARED[3:],
    **{f"ELEMENT_WISE_LOGICAL_{name}": TRUTHS for name in ("AND", "OR", "XOR", "NOT")},
    **{f"ELEMENT_WISE_BIT_{name}": BITWISE for name in ("AND", "OR", "XOR", "NOT")},
    "REDUCE": PLACES,  # of ARGMAX, its first function; of all others below
    "ARGMAX": PLACES[2:],
    "ARGMIN": PLACES[2:],
    "CUMULATIVE_SUMMATION": [("2.1", FOUR, WIDE), ("4.0", ALL, WIDE), ("5.0", ALL, WIDE64)],
    "CUMULATIVE_PRODUCT": [("3.1", FOUR, WIDE), ("4.0", ALL, WIDE), ("5.0", ALL, WIDE64)],
}  # fmt: skip
SECOND = {"IndicesTensor", "SequenceLengthsTensor", "ConditionTensor"}
OWN_RESULTS = {name for name, rows in SUPPORT.items() if rows in (COMPARED, COMPARED[3:], PLACES, PLACES[2:])}
ZERO = {"StartPadding", "EndPadding", "Offsets", "InputWindowOffsets", "Axes"}
ONE_ENTRY = {"FOLD", "UNFOLD", "REDUCE", "ARGMAX", "ARGMIN"}  # their arrays are of axes, or of axes of windows
NUMBERS = {
    "index_dimensions": 1,
    "input_dimension_count": 1,
    "indices_dimension_count": 1,
    "block_size": 1,
    "order": 0,
    "padding_mode": "EDGE",
    "diagonal_fill_end": 1,
    "has_exclusive_sum": False,
    "has_exclusive_product": False,
}
LEVELS = [str(level) for level in dml.FeatureLevel]


def first_of(name):
    """A data type and one of the second group that every level of an operator takes."""
    _, _, types, *second = SUPPORT[name][0]
    return "FLOAT32" if "FLOAT32" in types else min(types), min(second[0]) if second else "UINT32"


def smallest(name, count, data_type, second="UINT32"):
    """A description whose tensors all have sizes of 1, as far as the operator lets them."""
    kind, fields = DESCS[name], {}
    for member in SCHEMA[name].members:
        if member.is_tensor:
            fixed = "UINT32" if member.group in ("output_count_tensor", "output_coordinates_tensor") else None
            is_second = member.name in SECOND or (name in OWN_RESULTS and member.is_output)
            given = second if is_second else data_type
            sizes = [1] * (count - 1) + [2 if member.name == "ValuesTensor" else 1]
            tensor = dml.BufferTensorDesc(fixed or given, sizes)
            fields[member.field] = [tensor] if member.type == "tensors" else tensor
        elif member.type in ("uints", "ints"):
            fields[member.field] = [int(member.name not in ZERO)] * (1 if name in ONE_ENTRY else count)
        elif member.type == "data_type":
            fields[member.field] = data_type
        elif member.type == "scalar":
            fields[member.field] = dml.ScalarUnion(bytes(8))
        elif member.type != "count":
            fields[member.field] = None if member.optional else NUMBERS.get(member.field, 0)
    return kind(**fields)


def at_level(name, level):
    """The row of the table that holds at a level, or None before the first."""
    order = [row for row in SUPPORT[name] if LEVELS.index(row[0]) <= LEVELS.index(level)]
    return order[-1] if order else None


def test_every_operator_is_here():
    assert set(SUPPORT) == set(SCHEMA) == set(DESCS)
    assert {desc.__name__ for desc in DESCS.values()} <= set(dml.__all__)


@pytest.mark.parametrize("name", SUPPORT)
def test_types_by_level(name):
    described = cache(partial(smallest, name))  # most levels are asked for the same descriptions
    for level in LEVELS:
        row = at_level(name, level)
        if row is None:
            with pytest.raises(
                UnsupportedError, match=rf"feature level {level}\): version of {name} is {level}, allow"
            ):
                dml.validate(smallest(name, 4, *first_of(name)), level)
            continue
        _, counts, types, *second = row
        for data_type, index_type in itertools.product(EVERY, EVERY if second else ["UINT32"]):
            desc = described(max(counts), data_type, index_type)
            if data_type in types and (not second or index_type in second[0]):
                dml.validate(desc, level)
            else:
                with pytest.raises(InvalidTypeError, match=f"at feature level {level} .DirectML answers E_INVALIDARG"):
                    dml.validate(desc, level)


@pytest.mark.parametrize("name", SUPPORT)
def test_dimension_counts_by_level(name):
    for level in LEVELS:
        row = at_level(name, level)
        for count in range(1, 10) if row else ():
            desc = smallest(name, count, *first_of(name))
            if count in row[1]:
                dml.validate(desc, level)
            else:
                with pytest.raises(InvalidValueError, match=rf"DimensionCount is {count}, allowed \d.* level {level}"):
                    dml.validate(desc, level)


REDUCED = {
    "AVERAGE L2 LOG_SUM LOG_SUM_EXP": [("1.0", F2), ("3.0", F2)],
    "L1 SUM_SQUARE": [("1.0", F2), ("3.0", F2), ("5.0", WIDE64)],
    "MAX MIN": [("1.0", F2), ("2.1", WIDE), ("3.0", T8), ("5.0", T10)],
    "MULTIPLY SUM": [("1.0", F2), ("2.1", WIDE), ("3.0", WIDE), ("5.0", WIDE64)],
}


@pytest.mark.parametrize(
    ("function", "rows"), [(one, rows) for names, rows in REDUCED.items() for one in names.split()]
)
def test_types_of_reductions_by_level(function, rows):
    for level in LEVELS:
        types = [types for first, types in rows if LEVELS.index(first) <= LEVELS.index(level)][-1]
        for data_type in EVERY:
            tensor = dml.BufferTensorDesc(data_type, [1, 1, 1, 1])
            desc = dml.ReduceOperatorDesc(function, tensor, tensor, [0])
            if data_type in types:
                dml.validate(desc, level)
            else:
                with pytest.raises(InvalidTypeError, match=f"at feature level {level}"):
                    dml.validate(desc, level)
    assert len(REDUCED) == 4
    assert sum(len(names.split()) for names in REDUCED) == len(dml.ReductionFunction) - 2


@pytest.mark.parametrize("name", ["PADDING", "PADDING1"])
def test_padding_modes_by_level(name):
    since = {"CONSTANT": "1.0", "EDGE": "1.0", "REFLECTION": "1.0", "SYMMETRIC": "3.0", "WRAP": "6.4"}
    for level, (mode, first) in itertools.product(LEVELS, since.items()):
        if at_level(name, level) is None:
            continue
        good = smallest(name, 4, "FLOAT32")
        fields = {member.field: getattr(good, member.field) for member in SCHEMA[name].members}
        desc = DESCS[name](**{**fields, "padding_mode": mode})
        if LEVELS.index(first) <= LEVELS.index(level):
            dml.validate(desc, level)
        else:
            with pytest.raises(UnsupportedError, match=f"PaddingMode is {mode}, allowed from feature level {first} on"):
                dml.validate(desc, level)


def test_operator_types():
    """DML_OPERATOR_TYPE, counted in the header's list."""
    assert {name: SCHEMA[name].type.value for name in SCHEMA} == {
        "ELEMENT_WISE_IDENTITY": 1, "SLICE": 60, "CAST": 61, "SPLIT": 62, "JOIN": 63, "PADDING": 64, "GATHER": 67,
        "SPACE_TO_DEPTH": 68, "DEPTH_TO_SPACE": 69, "TILE": 70, "DIAGONAL_MATRIX": 93, "SCATTER": 94, "ONE_HOT": 95,
        "FILL_VALUE_CONSTANT": 103, "FILL_VALUE_SEQUENCE": 104, "REVERSE_SUBSEQUENCES": 106, "GATHER_ELEMENTS": 107,
        "GATHER_ND": 108, "SCATTER_ND": 109, "SLICE1": 111, "DEPTH_TO_SPACE1": 113, "SPACE_TO_DEPTH1": 114,
        "NONZERO_COORDINATES": 133, "GATHER_ND1": 140, "PADDING1": 155, "DIAGONAL_MATRIX1": 163,
        "ELEMENT_WISE_IF": 88, "ACTIVATION_IDENTITY": 38, "FOLD": 176, "UNFOLD": 177,
        "ELEMENT_WISE_ABS": 2, "ELEMENT_WISE_ADD": 4, "ELEMENT_WISE_CLIP": 8, "ELEMENT_WISE_DIVIDE": 10,
        "ELEMENT_WISE_LOGICAL_AND": 14, "ELEMENT_WISE_LOGICAL_EQUALS": 15, "ELEMENT_WISE_LOGICAL_GREATER_THAN": 16,
        "ELEMENT_WISE_LOGICAL_LESS_THAN": 17, "ELEMENT_WISE_LOGICAL_NOT": 18, "ELEMENT_WISE_LOGICAL_OR": 19,
        "ELEMENT_WISE_LOGICAL_XOR": 20, "ELEMENT_WISE_MAX": 21, "ELEMENT_WISE_MIN": 23, "ELEMENT_WISE_MULTIPLY": 24,
        "ELEMENT_WISE_SUBTRACT": 30, "REDUCE": 55, "ELEMENT_WISE_SIGN": 79, "ELEMENT_WISE_MODULUS_TRUNCATE": 101,
        "ELEMENT_WISE_MODULUS_FLOOR": 102, "CUMULATIVE_SUMMATION": 105, "ELEMENT_WISE_BIT_AND": 121,
        "ELEMENT_WISE_BIT_OR": 122, "ELEMENT_WISE_BIT_XOR": 123, "ELEMENT_WISE_BIT_NOT": 124,
        "ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL": 126, "ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL": 127,
        "ARGMIN": 137, "ARGMAX": 138, "CUMULATIVE_PRODUCT": 145, "ELEMENT_WISE_CLIP1": 153,
        "ELEMENT_WISE_NEGATE": 156,
    }  # fmt: skip
    assert dml.OperatorType.SCATTER is dml.OperatorType.SCATTER_ELEMENTS
