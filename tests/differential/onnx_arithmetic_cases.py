"""Random one-node models of ONNX's arithmetic operators, mostly of types that ONNX Runtime has kernels for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.differential.onnx_data import (
    Draw,
    axis_of,
    dropped,
    either,
    fault,
    number,
    pick,
    rarely,
    repeated,
    sizes,
    values,
    vector,
    version,
)
from tests.differential.onnxruntime_types import ARITHMETIC, FIRST_KERNELS
from wherry.runtimes.case import Case

_SUMS = ("ReduceSum", "ReduceProd", "CumSum", "CumProd")


def _opset(draw: Draw, operator: str) -> int:
    since = FIRST_KERNELS[operator]
    return version(draw, since, first=1 if since in (6, 7) else since)


def _kind(draw: Draw, operator: str, opset: int) -> str:
    """An element type that the version takes, mostly one with a kernel."""
    usual = ARITHMETIC[operator]
    if rarely(draw, 24):
        return pick(draw, ("bool", "int16", "uint16", "uint32", "uint64", "float64"))
    fitting = [kind for kind, since in usual.items() if since <= opset and not (operator in _SUMS and "float" in kind)]
    return pick(draw, fitting or list(usual))


def _elements(draw: Draw, shape: Sequence[int], kind: str) -> np.ndarray:
    """Elements that are often equal, or of any bits."""
    return repeated(draw, shape, kind) if either(draw) else values(draw, shape, kind)


def _part(draw: Draw, shape: Sequence[int], wrong: bool) -> tuple[int, ...]:
    """Sizes that broadcast to others; or, if they shall be wrong, perhaps do not."""
    own = tuple(1 if rarely(draw, 4) else size + (wrong and size > 1) for size in shape)
    return own[number(draw, 0, len(own)) :] if either(draw) else own


def _two(operator: str) -> st.SearchStrategy[Case]:
    @st.composite
    def cases(draw: Draw) -> Case:
        wrong, opset = fault(draw, "sizes", "types"), _opset(draw, operator)
        shape, kind = sizes(draw, 0, 3), _kind(draw, operator, opset)
        other = pick(draw, ("int32", "float32")) if wrong == "types" else kind
        count = number(draw, 0, 2) if operator in ("Min", "Max") else 1
        if operator in ("Min", "Max") and opset < 8:  # all of the same sizes
            return Case(operator, opset, tuple(_elements(draw, shape, kind) for _ in range(count + 1)))
        inputs = [_elements(draw, _part(draw, shape, False), kind)]
        inputs += [_elements(draw, _part(draw, shape, wrong == "sizes"), other) for _ in range(count)]
        attributes: dict[str, Any] = {}
        if operator == "Mod":
            attributes = dropped(draw, {"fmod": 1 if kind.startswith("float") else number(draw, 0, 1)}, fmod=0)
        if operator in ("Div", "Mod") and not kind.startswith("float") and not rarely(draw, 8):
            inputs[1] = np.where(inputs[1] == 0, np.array(3, inputs[1].dtype), inputs[1])
        return Case(operator, opset, tuple(inputs), attributes)

    return cases()


def _one(operator: str) -> st.SearchStrategy[Case]:
    @st.composite
    def cases(draw: Draw) -> Case:
        opset = _opset(draw, operator)
        return Case(operator, opset, (_elements(draw, sizes(draw), _kind(draw, operator, opset)),))

    return cases()


@st.composite
def _clip(draw: Draw) -> Case:
    opset = version(draw, 6, first=1)
    kind = _kind(draw, "Clip", opset) if opset >= 12 else "float32"
    data = _elements(draw, sizes(draw), kind)
    bounds = np.sort(repeated(draw, (2,), kind, is_special=False))[:: -1 if rarely(draw, 6) else 1]
    if opset < 11:
        return Case(
            "Clip", opset, (data,), {name: float(one) for name, one in zip(("min", "max"), bounds, strict=True)}
        )
    shape = (2,) if fault(draw, "two") else ()
    inputs = [data, *(np.broadcast_to(one, shape).copy() for one in bounds)]
    return Case("Clip", opset, tuple(inputs[: number(draw, 1, 3)]))


def _reduce(operator: str) -> st.SearchStrategy[Case]:
    @st.composite
    def cases(draw: Draw) -> Case:
        wrong, opset = fault(draw, "axis", "twice"), _opset(draw, operator)
        kind = _kind(draw, operator, opset)
        data = _elements(draw, sizes(draw, 1, 3), kind)
        if operator in _SUMS and not rarely(draw, 8):
            data = (data % 5).astype(kind)
        axes = [axis for axis in range(data.ndim) if either(draw)]
        if wrong:
            axes = [*axes, *([data.ndim] if wrong == "axis" else [0, 0])]
        if opset >= 11 and either(draw):
            axes = [axis - data.ndim for axis in axes]
        attributes = dropped(draw, {"keepdims": number(draw, 0, 1)}, keepdims=1)
        as_input = opset >= (13 if operator == "ReduceSum" else 18)
        if as_input and either(draw):
            attributes |= {"noop_with_empty_axes": number(draw, 0, 1)}
        if not axes and either(draw):
            return Case(operator, opset, (data,), attributes)
        if as_input:
            return Case(operator, opset, (data, vector(*axes)), attributes)
        return Case(operator, opset, (data,), attributes | ({"axes": axes} if axes else {}))

    return cases()


def _running(operator: str) -> st.SearchStrategy[Case]:
    @st.composite
    def cases(draw: Draw) -> Case:
        wrong, opset = fault(draw, "axis"), _opset(draw, operator)
        data = _elements(draw, sizes(draw, 1, 3), _kind(draw, operator, opset))
        axis = np.array(axis_of(draw, data.ndim, wrong == "axis"), pick(draw, ("int32", "int64")))
        attributes = {name: number(draw, 0, 1) for name in ("exclusive", "reverse") if either(draw)}
        return Case(operator, opset, (data, axis), attributes)

    return cases()


def _place(operator: str) -> st.SearchStrategy[Case]:
    @st.composite
    def cases(draw: Draw) -> Case:
        wrong, opset = fault(draw, "axis"), _opset(draw, operator)
        data = _elements(draw, sizes(draw, 1, 3), _kind(draw, operator, opset))
        attributes: dict[str, Any] = {"axis": axis_of(draw, data.ndim, wrong == "axis", opset >= 11)}
        attributes |= dropped(draw, {"keepdims": number(draw, 0, 1)}, keepdims=1)
        if opset >= 12 and either(draw):
            attributes["select_last_index"] = number(draw, 0, 1)
        return Case(operator, opset, (data,), attributes)

    return cases()


_TWO = ("Add", "Sub", "Mul", "Div", "Mod", "Min", "Max", "Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual",
        "And", "Or", "Xor", "BitwiseAnd", "BitwiseOr", "BitwiseXor")  # fmt: skip

ARITHMETIC_CASES: dict[str, st.SearchStrategy[Case]] = {
    **{name: _two(name) for name in _TWO},
    **{name: _one(name) for name in ("Neg", "Abs", "Sign", "Not", "BitwiseNot")},
    **{name: _reduce(name) for name in ("ReduceSum", "ReduceProd", "ReduceMin", "ReduceMax")},
    **{name: _running(name) for name in ("CumSum", "CumProd")},
    **{name: _place(name) for name in ("ArgMax", "ArgMin")},
    "Clip": _clip(),
}
