"""Random one-node models of ONNX's movement operators: valid by construction, now and then with one fault."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.differential.onnx_arithmetic_cases import ARITHMETIC_CASES
from tests.differential.onnx_data import (
    FED,
    NARROW,
    NEWEST,
    Draw,
    axis_of,
    dropped,
    either,
    fault,
    kind_of,
    number,
    pick,
    placed,
    rarely,
    repeated,
    rng,
    sizes,
    values,
    vector,
    version,
)
from tests.differential.onnx_index_cases import INDEX_CASES
from tests.differential.onnxruntime_types import CAST_KINDS, EYE_KINDS, WITH_KERNELS
from wherry.runtimes.case import Case


def _kind(draw: Draw, operator: str, opset: int) -> str:
    """An element type, mostly one that ONNX Runtime has a kernel for; before opset 6 it casts no float16."""
    kinds = ("object" if kind == "string" else kind for kind in WITH_KERNELS[operator])
    return kind_of(draw, opset, [kind for kind in kinds if opset >= 6 or kind != "float16"])


@st.composite
def splits(draw: Draw) -> Case:
    wrong = fault(draw, "sum", "negative", "axis", "neither", "count")
    opset = version(draw, 2, first=1)
    parts = [number(draw, 1, 3) for _ in range(number(draw, 1, 4))]
    if rarely(draw, 8):
        parts[-1] = 0
    how = pick(draw, ("sizes", "equal"))
    if how == "equal":
        parts = [parts[0]] * len(parts)
    shape = list(sizes(draw, 0, 3))
    place = number(draw, 0, len(shape))
    shape.insert(place, sum(parts))
    if how == "equal" and opset >= 18 and parts[0] > 1 and either(draw):
        shape[place] -= 1  # the last part is smaller
    axis = len(shape) if wrong == "axis" else place
    axis -= len(shape) if opset >= 11 and either(draw) else 0
    data = values(draw, shape, kind_of(draw, opset))
    attributes: dict[str, Any] = {"axis": axis}
    if how == "equal" and opset < 18:
        return Case("Split", opset, (data,), attributes, len(parts) + (wrong == "count"))
    if how == "equal":
        given = {} if wrong == "neither" else {"num_outputs": len(parts) + (wrong == "count")}
        return Case("Split", opset, (data,), attributes | given, len(parts))
    if wrong in ("sum", "negative"):
        parts[number(draw, 0, len(parts) - 1)] += pick(draw, (1, -1)) if wrong == "sum" else -4
    if opset >= 13:
        return Case("Split", opset, (data, vector(*parts)), attributes, len(parts))
    return Case("Split", opset, (data,), attributes | {"split": parts}, len(parts))


@st.composite
def concats(draw: Draw) -> Case:
    wrong = fault(draw, "axis", "no axis", "sizes")
    opset = version(draw, 4, first=1)
    shape, kind = sizes(draw, 1), kind_of(draw, opset)
    axis = axis_of(draw, len(shape), wrong == "axis", opset >= 11)
    inputs = []
    for _ in range(number(draw, 1, 4)):
        own = list(shape)
        own[axis % len(own)] = 0 if rarely(draw, 8) else number(draw, 1, 3)
        inputs.append(values(draw, own, kind))
    if wrong == "sizes":
        inputs.append(values(draw, [size + 1 for size in shape], kind))
    return Case("Concat", opset, tuple(inputs), {} if wrong == "no axis" else {"axis": axis})


@st.composite
def identities(draw: Draw) -> Case:
    opset = version(draw, 1)
    return Case("Identity", opset, (values(draw, sizes(draw), kind_of(draw, opset, (*FED, *NARROW))),))


@st.composite
def slices(draw: Draw) -> Case:
    wrong = fault(draw, "step", "axis", "twice")
    opset = version(draw, 1)
    data = values(draw, sizes(draw, 1), kind_of(draw, opset))
    axes = list(range(data.ndim))[number(draw, 0, 1) if data.ndim > 1 else 0 :]
    has_steps = opset >= 10 and either(draw)
    starts, ends, steps = [], [], []
    for axis in axes:
        start, end, step = _range(draw, data.shape[axis], has_steps)
        starts.append(start)
        ends.append(end)
        steps.append(step)
    named = [axis - data.ndim if opset >= 11 and rarely(draw, 3) else axis for axis in axes]
    if wrong in ("axis", "twice"):
        named[0] = data.ndim if wrong == "axis" else named[-1]
    if wrong == "step" and has_steps:
        steps[0] = 0
    has_axes = named != list(range(data.ndim)) or has_steps
    if opset < 10:
        return Case("Slice", opset, (data,), {"starts": starts, "ends": ends} | ({"axes": named} if has_axes else {}))
    inputs = [data, vector(*starts), vector(*ends), *([vector(*named)] if has_axes else [])]
    if has_steps:
        inputs.append(vector(*steps))
    if all(abs(entry) < 2**31 for entry in starts + ends) and either(draw):
        inputs[1:] = [array.astype(np.int32) for array in inputs[1:]]
    return Case("Slice", opset, tuple(inputs))


def _range(draw: Draw, size: int, has_step: bool) -> tuple[int, int, int]:
    """A start, an end and a step, between which there mostly is something; each may be far outside."""
    step = pick(draw, (1, 2, -1, -2, 3, -3)) if has_step else 1
    if rarely(draw, 20):
        return number(draw, -6, 6), pick(draw, (*range(-6, 7), 2**31 - 1, 2**63 - 1)), step
    low, high = number(draw, 0, max(0, size - 1)), max(1, size)
    low = pick(draw, (low, low - size, low - size, -(2**31), -(2**63))) if low or step > 0 else 0
    high = pick(draw, (high, high, 2**31 - 1, 2**63 - 1))
    return (low, high, step) if step > 0 else (high, low - 1 if low > 0 else -(2**31), step)


@st.composite
def where(draw: Draw) -> Case:
    wrong = fault(draw, "sizes")
    opset = version(draw, 9)
    shape, kind = sizes(draw), _kind(draw, "Where", opset)

    def part() -> tuple[int, ...]:
        own = tuple(1 if rarely(draw, 4) else size + (wrong == "sizes" and rarely(draw, 3)) for size in shape)
        return own[number(draw, 0, len(own)) :] if either(draw) else own

    condition = rng(draw).integers(0, 2, part()).astype(bool)
    return Case("Where", opset, (condition, values(draw, part(), kind), values(draw, part(), kind)))


@st.composite
def tile(draw: Draw) -> Case:
    wrong = fault(draw, "long", "short", "negative")
    opset = version(draw, 6, first=1)
    if opset < 6:
        data = values(draw, sizes(draw, 1, 3), pick(draw, ("float16", "float32", "float64")))
        return Case("Tile", opset, (data, *(np.array(entry, data.dtype) for entry in (2, 0))))
    data = values(draw, sizes(draw, 0, 3), kind_of(draw, opset))
    repeats = [0 if rarely(draw, 16) else number(draw, 1, 3) for _ in range(data.ndim)]
    bad = {"long": [*repeats, 1], "short": repeats[1:], "negative": [-1, *repeats[1:]]}
    return Case("Tile", opset, (data, vector(*bad.get(wrong, repeats))))


@st.composite
def pad(draw: Draw) -> Case:
    wrong = fault(draw, "far", "int32", "more")
    opset = version(draw, 2, first=1)
    early = ("float32", "float64", "float16")[: 2 + (opset >= 6)]
    kind = _kind(draw, "Pad", opset) if opset >= 11 else pick(draw, early)
    data = values(draw, sizes(draw, 1, 3), kind)
    mode = pick(draw, ("constant", "constant", "edge", "reflect", *(["wrap"] if opset >= 19 else [])))
    axes = list(range(data.ndim))
    if opset >= 18 and either(draw):
        axes = list(draw(st.permutations(axes)))[: number(draw, 1, data.ndim)]
    pads = _pads(draw, [data.shape[axis] for axis in axes], mode, wrong)
    attributes: dict[str, Any] = dropped(draw, {"mode": mode}, mode="constant")
    if opset < 11:
        attributes["paddings" if opset == 1 else "pads"] = pads
        value = {"value": pick(draw, (0.0, 1.5, -2.0))} if either(draw) else {}
        return Case("Pad", opset, (data,), attributes | value)
    inputs = [data, vector(*pads)]
    if either(draw) or opset >= 18:
        inputs.append(values(draw, (), kind))
    if opset >= 18 and (axes != list(range(data.ndim)) or either(draw)):
        named = [axis - data.ndim if either(draw) else axis for axis in axes]
        inputs.append(np.array(named, "int32" if wrong == "int32" else "int64"))
    return Case("Pad", opset, tuple(inputs), attributes)


def _pads(draw: Draw, along: list[int], mode: str, wrong: str) -> list[int]:
    """Pads that leave something to read on each axis, and mirror no more than there is."""
    begins, ends = [], []
    for size in along:
        cut = -number(draw, 0, max(0, size - 1)) if rarely(draw, 4) else 0
        most = max(0, size + cut - 1) if mode == "reflect" else 3
        begins.append(cut or number(draw, 0, most))
        ends.append(number(draw, 0, most) + (4 if wrong == "far" else 0))
    if wrong == "more":
        begins[0] = -along[0] - 1
    return [*begins, *ends]


@st.composite
def transpose(draw: Draw) -> Case:
    wrong = fault(draw, "short", "twice", "negative")
    opset = version(draw, 1)
    data = values(draw, sizes(draw), kind_of(draw, opset, (*FED, *NARROW)))
    perm = list(draw(st.permutations(range(data.ndim))))
    bad = {"short": perm[1:], "twice": [*perm[1:], *perm[1:2]], "negative": [axis - data.ndim for axis in perm]}
    perm = bad.get(wrong, perm)
    return Case("Transpose", opset, (data,), {"perm": perm} if perm and not rarely(draw, 4) else {})


@st.composite
def expand(draw: Draw) -> Case:
    wrong = fault(draw, "negative", "other")
    opset = version(draw, 8)
    data = values(draw, [1 if either(draw) else size for size in sizes(draw, 0, 3)], kind_of(draw, opset))
    shape = [number(draw, 1, 3) if size == 1 else 1 if rarely(draw, 4) else size for size in data.shape]
    shape = [*sizes(draw, 0, 2), *shape][number(draw, 0, 1) :]
    if wrong and shape:
        shape[-1] = -1 if wrong == "negative" else 5
    return Case("Expand", opset, (data, vector(*shape)))


@st.composite
def reshape(draw: Draw) -> Case:
    wrong = fault(draw, "two", "more", "negative", "zero", "fraction")
    opset = version(draw, 5)
    data = values(draw, sizes(draw), kind_of(draw, opset))
    rest, shape = data.size, []
    while rest > 1 and number(draw, 0, 3):
        size = pick(draw, [size for size in range(1, rest + 1) if rest % size == 0])
        shape.append(size)
        rest //= size
    shape = list(draw(st.permutations([*shape, rest]))) if data.size else list(data.shape)
    how = pick(draw, ("plain", "rest", "keep"))
    if how == "rest" and data.size:
        shape[number(draw, 0, len(shape) - 1)] = -1
    if how == "keep" and data.size:
        shape = [0 if axis < data.ndim and size == data.shape[axis] else size for axis, size in enumerate(shape)]
    bad = {"two": [-1, -1], "more": [*shape, 2], "negative": [-2, *shape], "zero": [*[0] * data.ndim, 0],
           "fraction": [-1, data.size + 1]}  # fmt: skip
    shape = bad.get(wrong, shape)
    zero = int(opset >= 14 and (data.size == 0 or rarely(draw, 24)))
    return Case("Reshape", opset, (data, vector(*shape)), {"allowzero": zero} if zero else {})


def _by_axes(draw: Draw, name: str, opset: int, data: np.ndarray, axes: list[int] | None, ndim: int) -> Case:
    """Axes as attribute or as input, by version; negative where the version has a word for them."""
    if axes is None:
        return Case(name, opset, (data,))
    if opset >= 11 or rarely(draw, 16):
        axes = [axis - ndim if 0 <= axis < ndim and either(draw) else axis for axis in axes]
    if opset < 13:
        return Case(name, opset, (data,), {"axes": axes} if axes else {})
    return Case(name, opset, (data, vector(*axes)))


@st.composite
def squeeze(draw: Draw) -> Case:
    wrong = fault(draw, "twice", "axis", "empty")
    shape = [1 if either(draw) else size for size in sizes(draw, 1)]
    ones = [axis for axis, size in enumerate(shape) if size == 1]
    axes = ones[number(draw, 0, max(0, len(ones) - 1)) :]
    bad = {"twice": [*axes, *axes[:1]], "axis": [len(shape)], "empty": []}
    chosen = bad.get(wrong, axes or None)
    if not wrong and rarely(draw, 4):
        chosen = None
    opset = version(draw, 1)
    return _by_axes(draw, "Squeeze", opset, values(draw, shape, kind_of(draw, opset)), chosen, len(shape))


@st.composite
def unsqueeze(draw: Draw) -> Case:
    wrong = fault(draw, "twice", "axis", "none")
    opset = version(draw, 1)
    data = values(draw, sizes(draw, 0, 3), kind_of(draw, opset))
    count = number(draw, 1, 3)
    ndim = data.ndim + count
    axes = list(draw(st.permutations(range(ndim))))[:count]
    bad = {"twice": [*axes, *axes[:1]], "axis": [*axes[1:], ndim], "none": []}
    return _by_axes(draw, "Unsqueeze", opset, data, bad.get(wrong, axes), ndim)


@st.composite
def flatten(draw: Draw) -> Case:
    wrong = fault(draw, "axis", "negative")
    opset = version(draw, 1)
    usual = ("float16", "float32", "float64") if opset < 9 else FED
    data = values(draw, sizes(draw, 1), kind_of(draw, opset, usual))
    axis = pick(draw, (data.ndim + 1, -data.ndim - 1)) if wrong == "axis" else number(draw, 0, data.ndim)
    axis -= data.ndim if axis < data.ndim and (wrong == "negative" or (opset >= 11 and either(draw))) else 0
    return Case("Flatten", opset, (data,), dropped(draw, {"axis": axis}, axis=1))


def _bent(draw: Draw, shape: list[int], indivisible: list[int]) -> list[int]:
    """Wrong sizes of images."""
    return pick(draw, (indivisible, shape[1:], [*shape, 2]))


@st.composite
def depth_to_space(draw: Draw) -> Case:
    wrong = fault(draw, "sizes", "mode", "block")
    opset, block = version(draw, 1), number(draw, 1, 3)
    shape = [number(draw, 1, 2), number(draw, 1, 2) * block**2, number(draw, 0 if rarely(draw) else 1, 3),
             number(draw, 1, 3)]  # fmt: skip
    shape = _bent(draw, shape, [1, block**2 + 1, 2, 2]) if wrong == "sizes" else shape
    mode = {"mode": "RCD" if wrong == "mode" else pick(draw, ("DCR", "CRD"))} if opset >= 11 else {}
    attributes = {"blocksize": pick(draw, (0, -1)) if wrong == "block" else block} | dropped(draw, mode, mode="DCR")
    kind = _kind(draw, "DepthToSpace", opset) if opset >= 11 else kind_of(draw, opset, ("float32", "float64"))
    return Case("DepthToSpace", opset, (values(draw, shape, kind),), attributes)


@st.composite
def space_to_depth(draw: Draw) -> Case:
    wrong = fault(draw, "sizes", "block")
    block = number(draw, 1, 3)
    shape = [number(draw, 1, 2), number(draw, 1, 2), number(draw, 0 if rarely(draw) else 1, 3) * block,
             number(draw, 1, 3) * block]  # fmt: skip
    shape = _bent(draw, shape, [1, 1, block + 1, block]) if wrong == "sizes" else shape
    opset = version(draw, 1)
    data = values(draw, shape, _kind(draw, "SpaceToDepth", opset))
    return Case("SpaceToDepth", opset, (data,), {"blocksize": pick(draw, (0, -1)) if wrong == "block" else block})


@st.composite
def reverse_sequence(draw: Draw) -> Case:
    wrong = fault(draw, "axes", "long", "more", "negative")
    shape = (number(draw, 1, 4), number(draw, 1, 4), *sizes(draw, 0, 1))
    time, batch = pick(draw, ((0, 0), (0, 2))) if wrong == "axes" else pick(draw, ((0, 1), (1, 0)))
    size, count = shape[time], shape[batch] if batch < len(shape) else 1
    lengths = [number(draw, 0 if rarely(draw, 4) else 1, size) for _ in range(count)]
    bad = {"long": [*lengths, 1], "more": [size + 1, *lengths[1:]], "negative": [-1, *lengths[1:]]}
    attributes = dropped(draw, {"time_axis": time, "batch_axis": batch}, time_axis=0, batch_axis=1)
    opset = version(draw, 10)
    data = values(draw, shape, kind_of(draw, opset))
    return Case("ReverseSequence", opset, (data, vector(*bad.get(wrong, lengths))), attributes)


@st.composite
def trilu(draw: Draw) -> Case:
    data = values(draw, sizes(draw, 2), _kind(draw, "Trilu", NEWEST))
    k = [np.array(pick(draw, (2**63 - 1, -(2**63), 2**31)) if rarely(draw, 8) else number(draw, -5, 5))]
    attributes = dropped(draw, {"upper": number(draw, 0, 1)}, upper=1)
    return Case("Trilu", version(draw, 14), (data, *k[number(draw, 0, 1) :]), attributes)


@st.composite
def eye_like(draw: Draw) -> Case:
    wrong = fault(draw, "rank", "type")
    shape = pick(draw, ((3,), (2, 2, 2))) if wrong == "rank" else (number(draw, 1, 4), number(draw, 1, 4))
    data = values(draw, shape, _kind(draw, "EyeLike", NEWEST))
    given = {"dtype": 9} if wrong == "type" else {"dtype": pick(draw, tuple(EYE_KINDS))} if either(draw) else {}
    return Case("EyeLike", version(draw, 9), (data,), given | dropped(draw, {"k": number(draw, -5, 5)}, k=0))


@st.composite
def nonzero(draw: Draw) -> Case:
    shape = () if fault(draw, "scalar") else sizes(draw, 1)
    return Case("NonZero", version(draw, 9), (repeated(draw, shape, _kind(draw, "NonZero", NEWEST)),))


@st.composite
def unique(draw: Draw) -> Case:
    data = repeated(draw, sizes(draw, 0, 3), _kind(draw, "Unique", NEWEST), is_special=rarely(draw, 3))
    axis = axis_of(draw, data.ndim) if data.ndim and either(draw) else None
    attributes = dropped(draw, {"sorted": number(draw, 0, 1)}, sorted=1) | ({} if axis is None else {"axis": axis})
    return Case("Unique", version(draw, 11), (data,), attributes, number(draw, 1, 4))


@st.composite
def ranges(draw: Draw) -> Case:
    wrong = fault(draw, "none", "zero")
    kind = pick(draw, ("int16", "int32", "int64", "float32", "float64"))
    scale = pick(draw, (1, 0.5, 0.1)) if kind.startswith("float") else 1
    start, delta = number(draw, -8, 8), 0 if wrong == "zero" else number(draw, 1, 4) * pick(draw, (1, -1))
    limit = start + (-1 if wrong == "none" else 1) * number(draw, 1, 12) * (1 if delta > 0 else -1)
    return Case("Range", version(draw, 11), tuple(np.array(piece * scale, kind) for piece in (start, limit, delta)))


@st.composite
def constant_of_shape(draw: Draw) -> Case:
    from onnx import numpy_helper

    wrong = fault(draw, "negative", "values")
    shape = vector(*sizes(draw, 0, 3))
    if shape.size and wrong == "negative":
        shape[0] = -1
    kind = pick(draw, [name for name in FED if name != "object"])
    value = values(draw, (2,) if wrong == "values" else (1,), kind)
    attributes = {} if rarely(draw, 4) and not wrong else {"value": numpy_helper.from_array(value, "v")}
    return Case("ConstantOfShape", version(draw, 9), (shape,), attributes)


@st.composite
def shape_of(draw: Draw) -> Case:
    opset = version(draw, 1)
    data = values(draw, sizes(draw, 0 if rarely(draw) else 1), kind_of(draw, opset, (*FED, *NARROW)))
    attributes = {}
    if opset >= 15 and either(draw):
        start = number(draw, 0, max(0, data.ndim - 1))
        end = number(draw, start + 1, max(start + 1, data.ndim))
        start, end = (number(draw, -6, 6), number(draw, -6, 6)) if rarely(draw, 8) else (start - data.ndim, end)
        attributes = {name: value for name, value in (("start", start), ("end", end)) if either(draw)}
    return Case("Shape", opset, (data,), attributes)


@st.composite
def size_of(draw: Draw) -> Case:
    opset = version(draw, 1)
    usual = [kind for kind in FED if opset >= 6 or kind != "float16"]
    return Case("Size", opset, (values(draw, sizes(draw), kind_of(draw, opset, usual)),))


_AT_ENDS = np.array([0.0, -0.0, 0.5, 1.5, 2.5, -2.5, 7, 8, -9, 100, 240, 448, 464, 480, 57344, 61440, 65504, 1e5, 1e-3,
                     2**-9, 2**-10, 2**-16, 2**-17, np.inf, -np.inf, np.nan, 1e-40, 3e38])  # fmt: skip
"""Floats at the ends and middles of narrower types."""


def _to_cast(draw: Draw, shape: tuple[int, ...], kind: str) -> np.ndarray:
    """Numbers in words, any bits, or floats where narrower types round or end."""
    if kind == "object":
        return rng(draw).choice(np.array(["0", "7", "12", "1", "-3" if rarely(draw, 4) else "127"], object), shape)
    if np.dtype(kind).kind in "iub" or either(draw):
        return values(draw, shape, kind)
    with np.errstate(all="ignore"):
        return rng(draw).choice(_AT_ENDS, shape).astype(kind)


@st.composite
def casts(draw: Draw) -> Case:
    opset = version(draw, 9, first=6)
    kinds = [name for name, (_, since) in CAST_KINDS.items() if since <= opset]
    source, to = pick(draw, kinds), pick(draw, kinds)
    attributes = {"to": CAST_KINDS[to][0]}
    if to.startswith("float8") and either(draw):
        attributes["saturate"] = number(draw, 0, 1)
    return Case("Cast", opset, (_to_cast(draw, sizes(draw, 0, 2), source),), attributes)


@st.composite
def cast_likes(draw: Draw) -> Case:
    data = _to_cast(draw, sizes(draw, 0, 2), pick(draw, FED[:-1]))
    return Case("CastLike", version(draw, 15), (data, values(draw, (1,), pick(draw, FED[:-1]))))


@st.composite
def col2im(draw: Draw) -> Case:
    wrong = fault(draw, "windows", "one axis", "dilations", "type")
    ndim = 1 if wrong == "one axis" else 2 if number(draw, 0, 2) else 3
    image = [number(draw, 2, 5) for _ in range(ndim)]
    block = [number(draw, 1, 2) for _ in image]
    strides = [number(draw, 1, 2) for _ in image]
    dilations = [1 if ndim == 3 and wrong != "dilations" else number(draw, 1, 2) for _ in image]
    pads = [number(draw, 0, 1) for _ in range(2 * ndim)]
    counts = [
        (n + pads[a] + pads[a + ndim] - dilations[a] * (block[a] - 1) - 1) // strides[a] + 1
        for a, n in enumerate(image)
    ]
    windows = max(0, int(np.prod(counts))) + (wrong == "windows")
    shape = (number(draw, 1, 2), number(draw, 1, 2) * int(np.prod(block)), windows)
    kind = pick(draw, ("float64", "int32")) if wrong == "type" else "float32"
    data = repeated(draw, shape, kind, is_special=rarely(draw, 4))
    attributes = {"strides": strides, "dilations": dilations, "pads": pads}
    return Case("Col2Im", version(draw, 18), (data, vector(*image), vector(*block)), attributes)


_ALL: dict[str, st.SearchStrategy[Case]] = INDEX_CASES | ARITHMETIC_CASES | {
    "Split": splits(), "Concat": concats(), "Identity": identities(),
    "Slice": slices(), "Where": where(), "Tile": tile(), "Pad": pad(), "Transpose": transpose(),
    "Expand": expand(), "Reshape": reshape(), "Squeeze": squeeze(), "Unsqueeze": unsqueeze(), "Flatten": flatten(),
    "ConstantOfShape": constant_of_shape(), "Shape": shape_of(), "Size": size_of(), "Cast": casts(),
    "CastLike": cast_likes(), "DepthToSpace": depth_to_space(), "SpaceToDepth": space_to_depth(),
    "ReverseSequence": reverse_sequence(), "Trilu": trilu(), "EyeLike": eye_like(),
    "NonZero": nonzero(), "Unique": unique(), "Range": ranges(), "Col2Im": col2im(),
}  # fmt: skip


def _placed(cases: st.SearchStrategy[Case]) -> st.SearchStrategy[Case]:
    @st.composite
    def both(draw: Draw) -> Case:
        return placed(draw, draw(cases))

    return both()


CASES = {operator: _placed(cases) for operator, cases in _ALL.items()}
"""The cases of each operator, with and without constants, of known and unknown sizes."""
