"""Properties of WebNN's methods: a case's inputs are the operands, its attributes the other arguments and options."""

from __future__ import annotations

from wherry.runtimes.case import Case
from wherry.runtimes.conditions import named
from wherry.runtimes.properties.indices import elements_named_twice, outside_axes, outside_axis
from wherry.runtimes.properties.places import named_twice
from wherry.runtimes.values import any_whole_outside, is_float


def _by_tuples(case: Case) -> bool:
    return case.operator.endswith("ND")


@named("an index is beyond the ends of its axis")
def _outside(case: Case) -> bool:
    data, indices = case.inputs[:2]
    if _by_tuples(case):
        return outside_axes(indices, data.shape[: indices.shape[-1]])
    return outside_axis(indices, data.shape[case.attributes.get("axis", 0)])


@named("two updates are for one place")
def _updated_twice(case: Case) -> bool:
    data, indices = case.inputs[:2]
    if _by_tuples(case):
        return named_twice(data, indices)
    return elements_named_twice(data, indices, case.attributes.get("axis", 0))


_ENDS = {
    f"{sign}int{bits}": (0, 2**bits - 1) if sign else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    for sign in ("", "u")
    for bits in (8, 32, 64)
}


@named("a float has no integer of the type")
def _beyond_the_type(case: Case) -> bool:
    data, kind = case.inputs[0], case.attributes["dataType"]
    if kind not in _ENDS or not is_float(data.dtype):
        return False
    least, most = _ENDS[kind]
    return any_whole_outside(data, least, most)


def _widths(case: Case) -> list[tuple[int, int]]:
    """The size of each axis, and the greater of its paddings."""
    pads = zip(case.attributes["beginningPadding"], case.attributes["endingPadding"], strict=True)
    return [(size, max(pad)) for size, pad in zip(case.inputs[0].shape, pads, strict=True)]


@named("an edge is repeated more often than its axis is long")
def _wide_edges(case: Case) -> bool:
    return any(width > size for size, width in _widths(case))


@named("an axis before the last two is padded")
def _pads_many_axes(case: Case) -> bool:
    pads = zip(case.attributes["beginningPadding"][:-2], case.attributes["endingPadding"][:-2], strict=True)
    return any(max(pad) > 0 for pad in pads)
