"""Random descriptions of operators that compute with integers, and their formulas, for test_family_properties.py."""

from __future__ import annotations

import math

import numpy as np

from tests.dialects.directml.buffers import coordinates
from wherry.dialects import directml as dml

INTEGERS = ["INT64", "INT32", "INT16", "INT8", "UINT64", "UINT32", "UINT16", "UINT8"]
WIDE = ["INT64", "INT32", "UINT64", "UINT32"]
SIGNED = ["INT64", "INT32", "INT16", "INT8"]


class Case:
    def __init__(self, desc, writes, formula):
        self.desc, self.writes, self.formula = desc, writes, formula


def number(raw, data_type):
    return int.from_bytes(raw, "little", signed=data_type.startswith("INT"))


def raw(value, data_type):
    bits = int(data_type.removeprefix("U").removeprefix("INT"))
    return (value % 2**bits).to_bytes(bits // 8, "little")


def floor_remainder(a, b):
    return a % b


def truncated_remainder(a, b):
    return a - b * truncated(a, b)


def truncated(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


PAIRS = {
    "Add": (INTEGERS, lambda a, b: a + b),
    "Subtract": (INTEGERS, lambda a, b: a - b),
    "Multiply": (INTEGERS, lambda a, b: a * b),
    "Min": (INTEGERS, min),
    "Max": (INTEGERS, max),
    "Divide": (INTEGERS, truncated),
    "ModulusFloor": (INTEGERS, floor_remainder),
    "ModulusTruncate": (INTEGERS, truncated_remainder),
    "BitAnd": (INTEGERS, lambda a, b: a & b),
    "BitOr": (INTEGERS, lambda a, b: a | b),
    "BitXor": (INTEGERS, lambda a, b: a ^ b),
    "LogicalAnd": (["UINT32", "UINT8"], lambda a, b: int(bool(a and b))),
    "LogicalOr": (["UINT32", "UINT8"], lambda a, b: int(bool(a or b))),
    "LogicalXor": (["UINT32", "UINT8"], lambda a, b: int(bool(a) != bool(b))),
}
COMPARED = {
    "LogicalEquals": lambda a, b: a == b,
    "LogicalGreaterThan": lambda a, b: a > b,
    "LogicalGreaterThanOrEqual": lambda a, b: a >= b,
    "LogicalLessThan": lambda a, b: a < b,
    "LogicalLessThanOrEqual": lambda a, b: a <= b,
}
SINGLES = {
    "Abs": (SIGNED, abs),
    "Negate": (SIGNED, lambda a: -a),
    "Sign": (INTEGERS, lambda a: (a > 0) - (a < 0)),
    "BitNot": (INTEGERS, lambda a: ~a),
    "LogicalNot": (["UINT32", "UINT8"], lambda a: int(not a)),
}


def desc_of(name):
    return getattr(dml, f"ElementWise{name}OperatorDesc")


def values_of(cases, sizes, data_type, least=-9):
    low = 0 if data_type.startswith("U") else least
    return [cases.integer(low, 9) for _ in range(math.prod(sizes))]


def pair(cases):
    name = cases.pick(list(PAIRS))
    types, function = PAIRS[name]
    kind, sizes = cases.pick(types), cases.sizes()
    a, b, out = (cases.tensor(sizes, written, kind) for written in (False, False, True))
    divides = name.startswith(("Divide", "Modulus"))
    writes = {"BTensor": [value or 1 for value in values_of(cases, sizes, kind, 1)]} if divides else {}

    def formula(element):
        found = {c: [number(element(path, c), kind) for path in ("ATensor", "BTensor")] for c in coordinates(sizes)}
        return {"OutputTensor": {c: raw(function(*both), kind) for c, both in found.items()}}

    return Case(desc_of(name)(a, b, out), writes, formula)


def compared(cases):
    name, kind, truth = cases.pick(list(COMPARED)), cases.pick(INTEGERS), cases.pick(["UINT8", "UINT32"])
    sizes = cases.sizes()
    desc = desc_of(name)(cases.tensor(sizes, data_type=kind), cases.tensor(sizes, data_type=kind),
                         cases.tensor(sizes, True, truth))  # fmt: skip
    writes = {path: values_of(cases, sizes, kind) for path in ("ATensor", "BTensor")}

    def formula(element):
        found = {c: [number(element(path, c), kind) for path in ("ATensor", "BTensor")] for c in coordinates(sizes)}
        return {"OutputTensor": {c: raw(int(COMPARED[name](*both)), truth) for c, both in found.items()}}

    return Case(desc, writes, formula)


def single(cases):
    name = cases.pick(list(SINGLES))
    types, function = SINGLES[name]
    kind, sizes = cases.pick(types), cases.sizes()
    desc = desc_of(name)(cases.tensor(sizes, data_type=kind), cases.tensor(sizes, True, kind))

    def formula(element):
        found = {c: raw(function(number(element("InputTensor", c), kind)), kind) for c in coordinates(sizes)}
        return {"OutputTensor": found}

    return Case(desc, {}, formula)


def clip(cases):
    kind, sizes = cases.pick(INTEGERS), cases.sizes()
    low, high = (cases.integer(0, 100) for _ in range(2))
    tensors = cases.tensor(sizes, data_type=kind), cases.tensor(sizes, True, kind)
    if cases.pick([True, False]):
        desc = dml.ElementWiseClipOperatorDesc(*tensors, None, low + 0.5, high + 0.25)
    else:
        desc = dml.ElementWiseClip1OperatorDesc(*tensors, None, kind, low, high)

    def formula(element):
        found = {c: max(low, min(number(element("InputTensor", c), kind), high)) for c in coordinates(sizes)}
        return {"OutputTensor": {c: raw(value, kind) for c, value in found.items()}}

    return Case(desc, {}, formula)


REDUCED = {
    "SUM": (WIDE, sum),
    "MULTIPLY": (WIDE, math.prod),
    "MIN": (INTEGERS, min),
    "MAX": (INTEGERS, max),
    "L1": (WIDE, lambda values: sum(map(abs, values))),
    "SUM_SQUARE": (WIDE, lambda values: sum(value * value for value in values)),
}


def along(coords, axes, sizes):
    """The coordinates that are reduced into one, in row-major order."""
    ranges = [range(size) if axis in axes else [coords[axis]] for axis, size in enumerate(sizes)]
    return [tuple(line[at] for line, at in zip(ranges, place, strict=True))
            for place in np.ndindex(*map(len, ranges))]  # fmt: skip


def axes_of(cases, sizes):
    chosen = [axis for axis in range(len(sizes)) if cases.pick([True, False])] or [0]
    return chosen[::-1] if cases.pick([True, False]) else chosen


def reduced(cases):
    name, sizes = cases.pick(list(REDUCED)), cases.sizes()
    types, function = REDUCED[name]
    kind, axes = cases.pick(types), axes_of(cases, sizes)
    out = [1 if axis in axes else size for axis, size in enumerate(sizes)]
    desc = dml.ReduceOperatorDesc(name, cases.tensor(sizes, data_type=kind), cases.tensor(out, True, kind), axes)

    def formula(element):
        result = {}
        for c in coordinates(out):
            values = [number(element("InputTensor", at), kind) for at in along(c, axes, sizes)]
            result[c] = raw(function(values), kind)
        return {"OutputTensor": result}

    return Case(desc, {}, formula)


def places(cases):
    sizes, kind, result = cases.sizes(), cases.pick(INTEGERS), cases.pick(WIDE)
    axes, last = axes_of(cases, sizes), cases.pick(["INCREASING", "DECREASING"])
    greatest = cases.pick([True, False])
    out = [1 if axis in axes else size for axis, size in enumerate(sizes)]
    pair = cases.tensor(sizes, data_type=kind), cases.tensor(out, True, result)
    if last == "INCREASING" and cases.pick([True, False]):
        desc = dml.ReduceOperatorDesc("ARGMAX" if greatest else "ARGMIN", *pair, axes)
    else:
        desc = (dml.ArgmaxOperatorDesc if greatest else dml.ArgminOperatorDesc)(*pair, axes, last)

    def formula(element):
        result_of = {}
        for c in coordinates(out):
            values = [number(element("InputTensor", at), kind) for at in along(c, axes, sizes)]
            chosen = (max if greatest else min)(values)
            found = [place for place, value in enumerate(values) if value == chosen]
            result_of[c] = raw(found[-1 if last == "DECREASING" else 0], result)
        return {"OutputTensor": result_of}

    return Case(desc, {"InputTensor": values_of(cases, sizes, kind)}, formula)


def running(cases):
    sizes, kind = cases.sizes(), cases.pick(WIDE)
    axis, exclusive = cases.integer(0, len(sizes) - 1), cases.pick([True, False])
    direction, product = cases.pick(["INCREASING", "DECREASING"]), cases.pick([True, False])
    kind_of = dml.CumulativeProductOperatorDesc if product else dml.CumulativeSummationOperatorDesc
    desc = kind_of(cases.tensor(sizes, data_type=kind), cases.tensor(sizes, True, kind), axis, direction, exclusive)

    def formula(element):
        found = {}
        for c in coordinates(sizes):
            line = range(c[axis], sizes[axis]) if direction == "DECREASING" else range(c[axis] + 1)
            values = [number(element("InputTensor", (*c[:axis], k, *c[axis + 1 :])), kind)
                      for k in line if not (exclusive and k == c[axis])]  # fmt: skip
            found[c] = raw((math.prod if product else sum)(values), kind)
        return {"OutputTensor": found}

    return Case(desc, {}, formula)


CASES = dict.fromkeys((pair, compared, single, clip, reduced, places, running), INTEGERS)
"""What draws descriptions, and the types that it draws of; each picks among those that its operators take."""
