"""Random one-node models of ONNX's movement operators: every version, mode, reduction, element type; good and bad."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.differential.case import Case
from tests.support.strategies import distinct

DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "complex64", "object", "bfloat16",
]  # fmt: skip
NARROW_TOO = [*DTYPES, "float8_e4m3fn", "float8_e5m2", "int4", "uint4"]
VERSIONS = st.integers(1, 28)
Draw = Callable[[st.SearchStrategy[Any]], Any]


def values(shape: Sequence[int], dtype: str) -> np.ndarray:
    """Distinct elements; strings where the type is object."""
    if dtype != "object":
        return distinct(tuple(shape), np.dtype(dtype))
    words = [["", "a", "é", "long word"][number % 4] + str(number) for number in range(int(np.prod(shape)))]
    return np.array(words, object).reshape(shape)


def numbers(shape: Sequence[int], dtype: str) -> np.ndarray:
    """Small numbers without NaN, in no order."""
    count = int(np.prod(shape))
    rng = np.random.default_rng(count * 7 + len(dtype))
    if dtype == "object":
        return np.array([f"{n}" for n in rng.integers(0, 5, count)], object).reshape(shape)
    low = 0 if dtype.startswith(("u", "b")) else -5
    return rng.integers(low, 2 if dtype == "bool" else 6, shape).astype(dtype)


def shapes(least: int = 0, most: int = 4) -> st.SearchStrategy[tuple[int, ...]]:
    return st.lists(st.integers(0, 4), min_size=least, max_size=most).map(tuple)


def mostly(usual: Any, *others: Any) -> st.SearchStrategy[Any]:
    """The usual value, and now and then another one."""
    return st.integers(0, 7).flatmap(lambda n: st.sampled_from(others) if n == 0 else st.just(usual))


def index_list(draw: Draw, sizes: Sequence[int], count: int) -> list[int]:
    """Indices into axes of these sizes in turn; in one of four lists one of them may be outside."""
    picked = [draw(st.integers(-sizes[n % len(sizes)], max(sizes[n % len(sizes)] - 1, 0))) for n in range(count)]
    if picked and draw(st.integers(0, 3)) == 0:
        place = draw(st.integers(0, count - 1))
        size = sizes[place % len(sizes)]
        picked[place] = draw(st.sampled_from([size, -size - 1, 2**31 - 1, -(2**31)]))
    return picked


def axis_of(draw: Draw, ndim: int) -> int:
    return draw(st.integers(-ndim, max(0, ndim - 1)) | mostly(0, ndim, -ndim - 1))


def vector(*entries: int) -> np.ndarray:
    return np.array(entries, np.int64)


def dropped(draw: Draw, attributes: dict[str, Any], **defaults: Any) -> dict[str, Any]:
    """Attributes; those that have their default are left out half of the time."""
    return {name: value for name, value in attributes.items() if value != defaults.get(name) or draw(st.booleans())}


@st.composite
def gather_elements(draw: Draw) -> Case:
    data = values(draw(shapes(1)), draw(st.sampled_from(DTYPES)))
    axis = axis_of(draw, data.ndim)
    at = axis % data.ndim
    shape = [draw(st.integers(0, 4)) if n == at else draw(mostly(size, max(0, size - 1), size + 1))
             for n, size in enumerate(data.shape)]  # fmt: skip
    indices = index_list(draw, [data.shape[at]], int(np.prod(shape)))
    kind = draw(st.sampled_from(["int32", "int64"]))
    return Case("GatherElements", draw(st.integers(11, 28)), (data, np.array(indices, kind).reshape(shape)),
                dropped(draw, {"axis": axis}, axis=0))  # fmt: skip


@st.composite
def gather_nd(draw: Draw) -> Case:
    data = values(draw(shapes(1)), draw(st.sampled_from(DTYPES)))
    version = draw(st.integers(11, 28))
    batch = draw(st.integers(0, min(2, data.ndim - 1))) if version >= 12 else 0
    length = draw(st.integers(1, data.ndim - batch) | mostly(1, 0, data.ndim + 1))
    shape = (*data.shape[:batch], *draw(shapes(0, 2)), length)
    sizes = data.shape[batch : batch + length] or (1,)
    indices = index_list(draw, sizes, int(np.prod(shape)))
    attributes = dropped(draw, {"batch_dims": batch}, batch_dims=0) if version >= 12 else {}
    return Case("GatherND", version, (data, np.array(indices, np.int64).reshape(shape)), attributes)


def reduction(draw: Draw, version: int) -> dict[str, Any]:
    words = ["none", "none", *(["add", "mul"] if version >= 16 else []), *(["max", "min"] if version >= 18 else [])]
    word = draw(st.sampled_from(words))
    return {"reduction": word} if word != "none" or (version >= 16 and draw(st.booleans())) else {}


@st.composite
def scatter_elements(draw: Draw, name: str = "ScatterElements", first: int = 11) -> Case:
    version = draw(st.integers(first, 28))
    attributes = reduction(draw, version) if name == "ScatterElements" else {}
    make = numbers if attributes.get("reduction", "none") != "none" else values
    dtype = draw(st.sampled_from(DTYPES))
    data = make(draw(shapes(1)), dtype)
    axis = axis_of(draw, data.ndim)
    at = axis % data.ndim
    shape = [draw(st.integers(0, 4)) if n == at else draw(mostly(size, max(0, size - 1), size + 1))
             for n, size in enumerate(data.shape)]  # fmt: skip
    indices = np.array(index_list(draw, [data.shape[at]], int(np.prod(shape))), np.int64).reshape(shape)
    updates = make(draw(mostly(tuple(shape), (*shape, 1), shape[1:])), dtype)
    indices = indices.astype(draw(st.sampled_from(["int32", "int64"])))
    return Case(name, version, (data, indices, updates), attributes | dropped(draw, {"axis": axis}, axis=0))


@st.composite
def scatter(draw: Draw) -> Case:
    return draw(scatter_elements("Scatter", 9))


@st.composite
def scatter_nd(draw: Draw) -> Case:
    version = draw(st.integers(11, 28))
    attributes = reduction(draw, version)
    make = numbers if attributes.get("reduction", "none") != "none" else values
    dtype = draw(st.sampled_from(DTYPES))
    data = make(draw(shapes(1)), dtype)
    length = draw(st.integers(0, data.ndim) | mostly(1, data.ndim + 1))
    rows = draw(shapes(0, 2))
    indices = np.array(index_list(draw, data.shape[:length] or (1,), int(np.prod((*rows, length)))), np.int64)
    updates = make(draw(mostly((*rows, *data.shape[length:]), (1, *rows), rows)), dtype)
    return Case("ScatterND", version, (data, indices.reshape((*rows, length)), updates), attributes)


@st.composite
def tensor_scatter(draw: Draw) -> Case:
    batch, most = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    shape = [batch, most, draw(st.integers(1, 3))]
    dtype = draw(st.sampled_from(["float16", "float32", "int8", "int64", "bool", "uint8"]))
    axis = draw(st.sampled_from([-2, 1, -2, 1, 2, 0, -1]))
    width = draw(st.integers(0, shape[axis]) | mostly(1, shape[axis] + 1))
    update = list(shape)
    update[axis] = width
    attributes = dropped(draw, {"axis": axis, "mode": draw(mostly("linear", "circular", "circular", "other"))}, axis=-2,
                         mode="linear")  # fmt: skip
    inputs = [values(shape, dtype), values(update, dtype)]
    if draw(st.booleans()):
        starts = [
            draw(st.integers(0, shape[axis] - width) if width <= shape[axis] else st.just(0)) for _ in range(batch)
        ]
        starts[0] = draw(mostly(starts[0], -1, shape[axis]))
        inputs.append(vector(*starts))
    return Case("TensorScatter", draw(st.integers(24, 26)), tuple(inputs), attributes)


@st.composite
def slices(draw: Draw) -> Case:
    version = draw(VERSIONS)
    data = values(draw(shapes(1)), draw(st.sampled_from(DTYPES)))
    axes = draw(st.lists(st.integers(0, data.ndim - 1), max_size=data.ndim, unique=True))
    near = st.integers(-6, 6) | st.sampled_from([2**31 - 1, -(2**31), 2**63 - 1, -(2**63)])
    starts, ends = ([draw(near) for _ in axes] for _ in range(2))
    steps = [draw(st.sampled_from([1, 1, 2, -1, -2, 3, 0] if draw(st.integers(0, 9)) == 0 else [1, 1, 2, -1, -2, 3]))
             for _ in axes]  # fmt: skip
    named = [axis - data.ndim if draw(st.integers(0, 3)) == 0 else axis for axis in axes]
    if named and draw(st.integers(0, 9)) == 0:
        named[0] = draw(st.sampled_from([data.ndim, named[-1]]))
    has_axes = axes != list(range(len(axes))) or draw(st.booleans())
    if version < 10:
        return Case("Slice", version, (data,), {"starts": starts, "ends": ends} | ({"axes": named} if has_axes else {}))
    inputs = [data, vector(*starts), vector(*ends)]
    if has_axes:
        inputs.append(vector(*named))
        if draw(st.booleans()):
            inputs.append(vector(*steps))
    if all(abs(v) < 2**31 for v in starts + ends) and draw(st.booleans()):
        inputs[1:] = [array.astype(np.int32) for array in inputs[1:]]
    return Case("Slice", version, tuple(inputs))


@st.composite
def compress(draw: Draw) -> Case:
    data = values(draw(shapes(1)), draw(st.sampled_from(DTYPES)))
    axis = draw(st.none() | st.integers(-data.ndim, data.ndim - 1))
    size = data.size if axis is None else data.shape[axis]
    count = draw(st.integers(0, min(size, 6)) | mostly(size, size + 2))
    condition = np.array([draw(st.booleans()) for _ in range(count)], bool)
    return Case("Compress", draw(st.integers(9, 28)), (data, condition), {} if axis is None else {"axis": axis})


@st.composite
def where(draw: Draw) -> Case:
    shape = draw(shapes())
    dtype = draw(st.sampled_from(DTYPES))

    def part() -> tuple[int, ...]:
        own = tuple(draw(mostly(size, 1, 1, 3)) for size in shape)
        return own[draw(st.integers(0, len(own))) :] if draw(st.booleans()) else own

    return Case(
        "Where", draw(st.integers(9, 28)), (numbers(part(), "bool"), values(part(), dtype), values(part(), dtype))
    )


@st.composite
def tile(draw: Draw) -> Case:
    version = draw(VERSIONS)
    if version < 6:
        data = values(draw(shapes(1, 3)), draw(st.sampled_from(["float16", "float32", "float64"])))
        return Case("Tile", version, (data, *(np.array(n, data.dtype) for n in (2, 0))))
    data = values(draw(shapes(0, 3)), draw(st.sampled_from(DTYPES)))
    repeats = [draw(st.integers(0, 3)) for _ in range(data.ndim)]
    repeats = draw(mostly(repeats, [*repeats, 1], repeats[1:], [-1, *repeats[1:]]))
    return Case("Tile", version, (data, vector(*repeats)))


@st.composite
def pad(draw: Draw) -> Case:
    version = draw(VERSIONS)
    dtype = draw(st.sampled_from(["float16", "float32", "float64"] if version < 11 else DTYPES))
    data = values(draw(shapes(1, 3)), dtype)
    modes = ["constant", "constant", "edge", "reflect", *(["wrap"] if version >= 19 else [])]
    mode = draw(st.sampled_from(modes))
    axes = list(range(data.ndim))
    if version >= 18 and draw(st.booleans()):
        axes = draw(st.lists(st.sampled_from(axes), max_size=data.ndim, unique=True))
    low = -2 if version > 1 and draw(st.booleans()) else 0
    pads = [draw(st.integers(low, 3)) for _ in range(2 * len(axes))]
    attributes: dict[str, Any] = dropped(draw, {"mode": mode}, mode="constant")
    if version < 11:
        attributes["paddings" if version == 1 else "pads"] = pads
        if draw(st.booleans()):
            attributes["value"] = draw(st.sampled_from([0.0, 1.5, -2.0]))
        return Case("Pad", version, (data,), attributes)
    inputs = [data, vector(*pads)]
    if draw(st.booleans()) or len(axes) < data.ndim or version >= 18:
        inputs.append(values((), dtype) if dtype != "object" else np.array("fill", object))
    if version >= 18 and (len(axes) < data.ndim or axes != sorted(axes) or draw(st.booleans())):
        named = [axis - data.ndim if draw(st.booleans()) else axis for axis in axes]
        inputs.append(np.array(named, draw(st.sampled_from(["int32", "int64"]))))
    return Case("Pad", version, tuple(inputs), attributes)


@st.composite
def transpose(draw: Draw) -> Case:
    data = values(draw(shapes()), draw(st.sampled_from(NARROW_TOO)))
    perm = list(draw(st.permutations(range(data.ndim))))
    perm = draw(mostly(perm, perm[1:], [*perm[1:], *perm[1:2]], [axis - data.ndim for axis in perm]))
    return Case("Transpose", draw(VERSIONS), (data,), {"perm": perm} if draw(st.booleans()) and perm else {})


@st.composite
def expand(draw: Draw) -> Case:
    data = values([draw(st.sampled_from([1, 1, 2, 3, 0])) for _ in range(draw(st.integers(0, 3)))],
                  draw(st.sampled_from(DTYPES)))  # fmt: skip
    shape = [draw(mostly(size if size != 1 else draw(st.integers(0, 3)), 1, -1, 4)) for size in data.shape]
    shape = [*draw(shapes(0, 2)), *shape][draw(st.integers(0, 1)) :]
    return Case("Expand", draw(st.integers(8, 28)), (data, vector(*shape)))


@st.composite
def reshape(draw: Draw) -> Case:
    version = draw(st.integers(5, 28))
    data = values(draw(shapes()), draw(st.sampled_from(DTYPES)))
    rest, shape = data.size, []
    while rest > 1 and draw(st.integers(0, 3)):
        size = draw(st.sampled_from([n for n in range(1, rest + 1) if rest % n == 0]))
        shape.append(size)
        rest //= size
    shape = draw(st.permutations([*shape, rest])) if data.size else list(data.shape)
    shape = draw(st.sampled_from([shape, shape, [*shape[:-1], -1], [*shape, 2], [-1, *shape[1:]], [-1, -1], [0, -1],
                                  [-2, *shape], [0, *shape[1:]], [0, 0, -1], []]))  # fmt: skip
    zero = draw(mostly(0, 1, 1, 1))
    return Case("Reshape", version, (data, vector(*shape)), {"allowzero": zero} if version >= 14 and zero else {})


def _axes_case(draw: Draw, name: str, data: np.ndarray, axes: list[int] | None) -> Case:
    version = draw(VERSIONS)
    if axes is None:
        return Case(name, version, (data,))
    if version < 13:
        return Case(name, version, (data,), {"axes": axes} if axes else {})
    return Case(name, version, (data, vector(*axes)))


@st.composite
def squeeze(draw: Draw) -> Case:
    shape = [draw(st.sampled_from([1, 1, 1, 2, 0])) for _ in range(draw(st.integers(0, 4)))]
    ones = [axis for axis, size in enumerate(shape) if size == 1]
    axes = draw(st.lists(st.sampled_from(ones), unique=True)) if ones else []
    axes = [axis - len(shape) if draw(st.integers(0, 3)) == 0 else axis for axis in axes]
    axes = draw(mostly(axes, None, None, [*axes, *axes[:1]], [0], [len(shape)]))
    return _axes_case(draw, "Squeeze", values(shape, draw(st.sampled_from(DTYPES))), axes)


@st.composite
def unsqueeze(draw: Draw) -> Case:
    data = values(draw(shapes(0, 3)), draw(st.sampled_from(DTYPES)))
    count = draw(st.integers(0, 3))
    ndim = data.ndim + count
    axes = draw(st.lists(st.integers(0, ndim - 1), min_size=count, max_size=count, unique=True)) if count else []
    axes = [axis - ndim if draw(st.integers(0, 3)) == 0 else axis for axis in axes]
    return _axes_case(draw, "Unsqueeze", data, draw(mostly(axes, [*axes, *axes[:1]], [ndim], [*axes[1:], -ndim - 1])))


@st.composite
def flatten(draw: Draw) -> Case:
    data = values(draw(shapes()), draw(st.sampled_from(DTYPES)))
    axis = draw(st.integers(-data.ndim, data.ndim) | mostly(1, data.ndim + 1, -data.ndim - 1))
    return Case("Flatten", draw(VERSIONS), (data,), dropped(draw, {"axis": axis}, axis=1))


@st.composite
def depth_to_space(draw: Draw) -> Case:
    version, block = draw(VERSIONS), draw(st.integers(1, 3))
    shape = [
        draw(st.integers(0, 2)),
        draw(st.integers(1, 2)) * block**2,
        draw(st.integers(0, 3)),
        draw(st.integers(1, 3)),
    ]
    shape = draw(mostly(shape, [1, block**2 + 1, 2, 2], shape[1:], [*shape, 2]))
    mode = {"mode": draw(mostly("DCR", "CRD", "CRD", "CRD", "RCD"))} if version >= 11 else {}
    attributes = {"blocksize": draw(mostly(block, 0, -1))} | dropped(draw, mode, mode="DCR")
    return Case("DepthToSpace", version, (values(shape, draw(st.sampled_from(DTYPES))),), attributes)


@st.composite
def space_to_depth(draw: Draw) -> Case:
    block = draw(st.integers(1, 3))
    shape = [
        draw(st.integers(0, 2)),
        draw(st.integers(1, 2)),
        draw(st.integers(0, 3)) * block,
        draw(st.integers(1, 3)) * block,
    ]
    shape = draw(mostly(shape, [1, 1, block + 1, block], shape[1:], [*shape, 2]))
    data = values(shape, draw(st.sampled_from(DTYPES)))
    return Case("SpaceToDepth", draw(VERSIONS), (data,), {"blocksize": draw(mostly(block, 0, -1))})


@st.composite
def reverse_sequence(draw: Draw) -> Case:
    shape = (draw(st.integers(1, 4)), draw(st.integers(1, 4)), *draw(shapes(0, 1)))
    time, batch = draw(st.sampled_from([(0, 1), (0, 1), (1, 0), (1, 0), (0, 0), (0, 2)]))
    size, count = shape[time], shape[batch] if batch < len(shape) else 1
    lengths = [draw(st.integers(0, size)) for _ in range(count)]
    lengths = draw(mostly(lengths, [*lengths, 1], [size + 1, *lengths[1:]], [-1, *lengths[1:]]))
    attributes = dropped(draw, {"time_axis": time, "batch_axis": batch}, time_axis=0, batch_axis=1)
    return Case(
        "ReverseSequence",
        draw(st.integers(10, 28)),
        (values(shape, draw(st.sampled_from(DTYPES))), vector(*lengths)),
        attributes,
    )


@st.composite
def one_hot(draw: Draw) -> Case:
    version, depth = draw(st.integers(9, 28)), draw(mostly(draw(st.integers(1, 4)), 0, -1))
    shape = draw(shapes(0, 2))
    kind = draw(st.sampled_from(["int64", "int64", "int32", "float32"]))
    fraction = draw(mostly(0.0, 0.9)) if kind == "float32" else 0
    picked = [draw(st.integers(-depth - 2, depth + 2)) + fraction for _ in range(int(np.prod(shape)))]
    indices = np.array(picked, kind).reshape(shape)
    depth_array = np.array(depth, draw(st.sampled_from(["int64", "int64", "int32", "float32"])))
    pair = values(draw(mostly((2,), (3,), (2, 1))), draw(st.sampled_from(["int64", "float32", "object", "int32"])))
    axis = draw(st.integers(-len(shape) - 1, len(shape)))
    return Case("OneHot", version, (indices, depth_array, pair), dropped(draw, {"axis": axis}, axis=-1))


@st.composite
def trilu(draw: Draw) -> Case:
    data = values(draw(shapes(2, 4)), draw(st.sampled_from(DTYPES)))
    far = st.sampled_from([2**63 - 1, -(2**63), 2**31])
    k = [] if draw(st.booleans()) else [np.array(draw(st.integers(-5, 5) | far))]
    upper = draw(mostly(1, 0, 0, 0))
    return Case("Trilu", draw(st.integers(14, 28)), (data, *k), dropped(draw, {"upper": upper}, upper=1))


@st.composite
def eye_like(draw: Draw) -> Case:
    data = values(
        draw(mostly((draw(st.integers(0, 4)), draw(st.integers(0, 4))), (3,), (2, 2, 2))), draw(st.sampled_from(DTYPES))
    )
    attributes = {"k": draw(st.integers(-5, 5)), "dtype": draw(st.sampled_from([None, 1, 7, 6, 11, 13, 9]))}
    given = {name: value for name, value in attributes.items() if value is not None}
    return Case("EyeLike", draw(st.integers(9, 28)), (data,), dropped(draw, given, k=0))


@st.composite
def nonzero(draw: Draw) -> Case:
    return Case("NonZero", draw(st.integers(9, 28)), (numbers(draw(shapes()), draw(st.sampled_from(DTYPES))),))


@st.composite
def unique(draw: Draw) -> Case:
    data = numbers(draw(shapes(0, 3)), draw(st.sampled_from(DTYPES)))
    axis = draw(st.none() | st.integers(-data.ndim, data.ndim - 1)) if data.ndim else None
    attributes = dropped(draw, {"sorted": draw(st.sampled_from([0, 1]))}, sorted=1)
    outputs = draw(st.integers(1, 4))
    return Case(
        "Unique", draw(st.integers(11, 28)), (data,), attributes | ({} if axis is None else {"axis": axis}), outputs
    )


@st.composite
def ranges(draw: Draw) -> Case:
    dtype = draw(st.sampled_from(["int16", "int32", "int64", "float32", "float64", "uint8"]))
    pieces = [draw(st.integers(-8, 8)) for _ in range(3)] if dtype != "uint8" else [1, 5, 2]
    scale = draw(st.sampled_from([1, 0.5, 0.1])) if dtype.startswith("float") else 1
    return Case("Range", draw(st.integers(11, 28)), tuple(np.array(piece * scale, dtype) for piece in pieces))


@st.composite
def constant_of_shape(draw: Draw) -> Case:
    from onnx import numpy_helper

    version = draw(st.integers(9, 28))
    sizes = vector(*draw(shapes(0, 3)))
    if sizes.size and draw(st.integers(0, 9)) == 0:
        sizes[0] = -1
    dtype = draw(st.sampled_from([name for name in DTYPES if name not in ("complex64", "object", "bfloat16")]))
    shape = draw(mostly((1,), (2,)))
    attributes = {} if draw(st.integers(0, 3)) == 0 else {"value": numpy_helper.from_array(values(shape, dtype), "v")}
    return Case("ConstantOfShape", version, (sizes,), attributes)


@st.composite
def shape_of(draw: Draw) -> Case:
    version = draw(VERSIONS)
    data = values(draw(shapes()), draw(st.sampled_from(NARROW_TOO)))
    attributes = {}
    if version >= 15:
        near = st.integers(-6, 6)
        attributes = {name: draw(near) for name in draw(st.lists(st.sampled_from(["start", "end"]), unique=True))}
    return Case("Shape", version, (data,), attributes)


@st.composite
def size_of(draw: Draw) -> Case:
    return Case("Size", draw(VERSIONS), (values(draw(shapes()), draw(st.sampled_from(DTYPES))),))


_NUMBER_KINDS = {1: "float32", 10: "float16", 11: "float64", 9: "bool", 3: "int8", 5: "int16", 6: "int32", 7: "int64",
                 2: "uint8", 4: "uint16", 12: "uint32", 13: "uint64"}  # fmt: skip
_LATER_KINDS = {"object": (8, 9), "bfloat16": (16, 13), "float8_e4m3fn": (17, 19), "float8_e4m3fnuz": (18, 19),
                "float8_e5m2": (19, 19), "float8_e5m2fnuz": (20, 19), "uint4": (21, 21), "int4": (22, 21),
                "float4_e2m1fn": (23, 23), "float8_e8m0fnu": (24, 24), "uint2": (25, 25), "int2": (26, 25)}  # fmt: skip
"""Number of a type, and the version of Cast that has it first."""
_SPECIAL = [0.0, -0.0, 0.5, 1.5, 2.5, -2.5, 7, 8, -9, 100, 240, 448, 464, 480, 57344, 61440, 65504, 1e5, 1e-3, 2**-9,
            2**-10, 2**-16, 2**-17, np.inf, -np.inf, np.nan, 1e-40, 3e38]  # fmt: skip


def to_cast(draw: Draw, shape: Sequence[int], kind: str) -> np.ndarray:
    """Distinct elements, numbers in words, or floats at the ends and middles of narrower types."""
    dtype = np.dtype(kind)
    if kind == "object":
        return numbers(shape, kind)
    if dtype.kind in "iub" or draw(st.booleans()):
        return values(shape, kind)
    random = np.random.default_rng(draw(st.integers(0, 2**16)))
    with np.errstate(all="ignore"):
        return random.choice(np.array(_SPECIAL), shape).astype(dtype)


@st.composite
def casts(draw: Draw) -> Case:
    version = draw(st.integers(6, 28))
    kinds = {name: number for number, name in _NUMBER_KINDS.items()}
    kinds |= {name: number for name, (number, since) in _LATER_KINDS.items() if since <= version}
    source, to = draw(st.sampled_from(list(kinds))), draw(st.sampled_from(list(kinds)))
    attributes = {"to": kinds[to]}
    if to.startswith("float8") and draw(st.booleans()):
        attributes["saturate"] = draw(st.integers(0, 1))
    return Case("Cast", version, (to_cast(draw, draw(shapes(0, 2)), source),), attributes)


@st.composite
def cast_likes(draw: Draw) -> Case:
    kinds = list(_NUMBER_KINDS.values())
    data = values(draw(shapes(0, 2)), draw(st.sampled_from(kinds)))
    return Case("CastLike", draw(st.integers(15, 28)), (data, values((1,), draw(st.sampled_from(kinds)))))


@st.composite
def col2im(draw: Draw) -> Case:
    ndim = draw(st.sampled_from([2, 2, 2, 3, 1]))
    image = [draw(st.integers(1, 5)) for _ in range(ndim)]
    block = [draw(st.integers(1, 2)) for _ in image]
    strides, dilations = ([draw(st.integers(1, 2)) for _ in image] for _ in range(2))
    pads = [draw(st.integers(0, 1)) for _ in range(2 * ndim)]
    counts = [
        (n + pads[a] + pads[a + ndim] - dilations[a] * (block[a] - 1) - 1) // strides[a] + 1
        for a, n in enumerate(image)
    ]
    windows = max(0, int(np.prod(counts)))
    channels = draw(st.integers(1, 2))
    data = numbers((draw(st.integers(1, 2)), channels * int(np.prod(block)), draw(mostly(windows, windows + 1))),
                   draw(st.sampled_from(["float32", "float32", "float64", "int32"])))  # fmt: skip
    attributes = {"strides": strides, "dilations": dilations, "pads": pads}
    return Case("Col2Im", draw(st.integers(18, 28)), (data, vector(*image), vector(*block)), attributes)


CASES: dict[str, st.SearchStrategy[Case]] = {
    "GatherElements": gather_elements(), "GatherND": gather_nd(), "Scatter": scatter(),
    "ScatterElements": scatter_elements(), "ScatterND": scatter_nd(), "TensorScatter": tensor_scatter(),
    "Slice": slices(), "Compress": compress(), "Where": where(), "Tile": tile(), "Pad": pad(), "Transpose": transpose(),
    "Expand": expand(), "Reshape": reshape(), "Squeeze": squeeze(), "Unsqueeze": unsqueeze(), "Flatten": flatten(),
    "ConstantOfShape": constant_of_shape(), "Shape": shape_of(), "Size": size_of(), "Cast": casts(),
    "CastLike": cast_likes(), "DepthToSpace": depth_to_space(), "SpaceToDepth": space_to_depth(),
    "ReverseSequence": reverse_sequence(), "OneHot": one_hot(), "Trilu": trilu(), "EyeLike": eye_like(),
    "NonZero": nonzero(), "Unique": unique(), "Range": ranges(), "Col2Im": col2im(),
}  # fmt: skip
