"""Sizes that change: models some of whose inputs are sizes, and functions on arrays of one shape after another.

Rows come in pairs: the same values again and again, or shapes that come again; and others at every run.

ONNX Runtime runs by `run` on arrays too: results of other sizes at every run cannot be bound before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import wherry as wh

from ..case import Array, Case, Contender, Maker, row, values
from ..runtimes import session_of, tensor

CALLS = 500
SETS = 1000
"""As many sets of values: more than anything that keeps what it saw can keep."""

Inputs = dict[str, Array]
Nodes = Callable[[Any], Sequence[Any]]


def model_of(nodes: Nodes, inputs: Mapping[str, Array], out: Array) -> Any:
    """The ONNX model of some nodes with one output, `out`; the number of axes is known, no size is."""
    from onnx import helper

    def info(name: str, array: Array) -> Any:
        kind = helper.np_dtype_to_tensor_dtype(array.dtype)
        return helper.make_tensor_value_info(name, kind, [None] * array.ndim)

    given = [info(name, array) for name, array in inputs.items()]
    graph = helper.make_graph(list(nodes(helper.make_node)), "row", given, [info("out", out)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


def in_turn(run: Callable[[Any], Any], sets: Sequence[Any]) -> Contender:
    """A call that takes the next of some sets of inputs each time."""
    turns = cycle(sets)
    return Contender(lambda: run(next(turns)), lambda made: [made])


def case_of(nodes: Nodes, by_numpy: Callable[[Inputs], Array], sets: Sequence[Inputs], calls: int = CALLS) -> Case:
    """A case of one output, on one set of inputs or on several in turn."""
    expected = by_numpy(sets[0])
    model = model_of(nodes, sets[0], expected)

    def ours(outputs: list[Array], threads: int) -> Contender:
        run = wh.onnx.read_proto(model).run
        return in_turn(lambda inputs: run(inputs)["out"], sets)

    def by_onnxruntime(outputs: list[Array], threads: int) -> Contender:
        run = session_of(model.SerializeToString(), threads).run
        return in_turn(lambda inputs: run(None, inputs)[0], sets)

    makers: dict[str, Maker] = {"wherry": ours, "onnxruntime": by_onnxruntime}
    return Case([expected], makers, calls)


def both(
    name: str,
    title: str,
    nodes: Nodes,
    by_numpy: Callable[[Inputs], Array],
    inputs: Callable[[int], Inputs],
    calls: int = CALLS,
) -> None:
    """Declare the row of one set of values, and that of another at every run."""
    row(f"dynamic/{name}", title)(lambda k: case_of(nodes, by_numpy, [inputs(3)], calls))
    row(f"dynamic/{name}-new", f"{title}; other values at every run")(
        lambda k: case_of(nodes, by_numpy, [inputs(n) for n in range(SETS)], calls)
    )


DATA = values(24, 16)


def vector(*numbers: int) -> Array:
    return np.array(numbers, np.int64)


both(
    "reshape",
    "float32 of up to 50 x 240 to two sizes that are an input",
    lambda node: [node("Reshape", ["data", "sizes"], ["out"])],
    lambda given: given["data"].reshape(given["sizes"]).copy(),
    lambda n: {"data": values(1 + n % 50, 12 * (1 + n // 50)), "sizes": vector(-1, (1, 2, 3, 4, 6, 12)[n % 6])},
)
both(
    "slice",
    "24 x 16 float32, both axes, all bounds are inputs",
    lambda node: [node("Slice", ["data", "starts", "ends", "axes", "steps"], ["out"])],
    lambda given: DATA[tuple(map(slice, given["starts"], given["ends"], given["steps"]))].copy(),
    lambda n: {
        "data": DATA,
        "starts": vector(n % 7, n // 7 % 5),
        "ends": vector(9 + n % 11, 6 + n // 35 % 10),
        "axes": vector(0, 1),
        "steps": vector(1 + n // 350, 1),
    },
)
both(
    "expand",
    "16 float32 to as many matrices and rows as an input says",
    lambda node: [node("Expand", ["data", "sizes"], ["out"])],
    lambda given: np.broadcast_to(given["data"], given["sizes"]).copy(),
    lambda n: {"data": DATA[n % 24], "sizes": vector(1 + n // 40, 1 + n % 40, 16)},
)
both(
    "nonzero",
    "24 x 16 float32 picked where a mask is not 0: NonZero, Transpose, GatherND",
    lambda node: [
        node("NonZero", ["mask"], ["found"]),
        node("Transpose", ["found"], ["places"], perm=[1, 0]),
        node("GatherND", ["data", "places"], ["out"]),
    ],
    lambda given: given["data"][np.nonzero(given["mask"])],
    lambda n: {"data": DATA, "mask": np.float32(np.random.default_rng(n).random(DATA.shape) < 0.3)},
)
both(
    "range",
    "Range with an input as its limit, expanded to as many rows as another says",
    lambda node: [node("Range", ["start", "limit", "delta"], ["line"]), node("Expand", ["line", "sizes"], ["out"])],
    lambda given: np.repeat(np.arange(given["start"], given["limit"])[None], given["sizes"][0], 0),
    lambda n: {
        "start": np.array(n % 5),
        "limit": np.array(8 + n % 37),
        "delta": np.array(1),
        "sizes": vector(1 + n // 37, 1),
    },
)


@cache
def large(*sizes: int) -> Array:
    """Data that all sets of inputs share, made when it is first needed."""
    return values(*sizes)


both(
    "slice-large",
    "about 200,000 of 500 x 500 float32, all bounds are inputs",
    lambda node: [node("Slice", ["data", "starts", "ends"], ["out"])],
    lambda given: given["data"][tuple(map(slice, given["starts"], given["ends"]))].copy(),
    lambda n: {"data": large(500, 500), "starts": vector(n % 40, n // 40), "ends": vector(450 + n % 50, 460 + n // 40)},
    CALLS // 10,
)
both(
    "expand-large",
    "200 float32 to the 500 to 1,499 rows that an input says",
    lambda node: [node("Expand", ["data", "sizes"], ["out"])],
    lambda given: np.broadcast_to(given["data"], given["sizes"]).copy(),
    lambda n: {"data": large(200), "sizes": vector(500 + (n + 497) % 1000, 200)},
    CALLS // 10,
)

SHAPES = 599
MANY_SHAPES = 4 * SHAPES
"""More than wherry keeps programs of calls: none of them is there when its shape comes again."""

Arrays = tuple[Array, ...]


def shapes(
    name: str, ours: Callable[[Any], Array], by_numpy: Callable[[Any], Array], by_torch: Callable[[Any], Any],
    *others: Array,
) -> None:  # fmt: skip
    """Declare the rows of a function whose first argument has another shape at each call; the others are the same."""

    def case(count: int) -> Case:
        sets: list[Arrays] = [(values(1 + n % 50, 1 + n // 50), *others) for n in range(count)]

        def torch_turns(outputs: list[Array], threads: int) -> Contender:
            return in_turn(by_torch, [tuple(map(tensor, each)) for each in sets])

        makers: dict[str, Maker] = {
            "wherry": lambda outputs, threads: in_turn(ours, sets),
            "numpy": lambda outputs, threads: in_turn(by_numpy, sets),
            "torch": torch_turns,
        }
        return Case([by_numpy(sets[0])], makers, CALLS)

    title = f"wh.onnx.{name} of 1 x 1 to 50 x"
    row(f"dynamic/shapes-{name}", f"{title} 12 float32, {SHAPES} shapes in turn")(lambda k: case(SHAPES))
    row(f"dynamic/shapes-{name}-new", f"{title} 48 float32, {MANY_SHAPES} shapes in turn, more than are kept")(
        lambda k: case(MANY_SHAPES)
    )


GATHER, TRANSPOSE = wh.onnx.gather, wh.onnx.transpose

shapes(
    "gather",
    lambda given: GATHER(given[0], given[1]),
    lambda given: given[0].take(given[1], 0),
    lambda given: given[0].index_select(0, given[1]),
    vector(0, 0, 0, 0),
)
shapes(
    "transpose",
    lambda given: TRANSPOSE(given[0]),
    lambda given: given[0].T.copy(),
    lambda given: given[0].T.contiguous(),
)


def chains_of(package: str, path: str, inputs: Inputs) -> Callable[[int], Case]:
    """A maker of the case of all parts of a package's model that only move data, on what ONNX Runtime feeds to them."""

    def make(k: int) -> Case:
        import onnx

        file = folder_of(package) / path
        proto = onnx.load(file)
        exposed = {name for node in proto.graph.node for name in node.output if name}
        known = exposed | {each.name for each in (*proto.graph.input, *proto.graph.initializer)}
        parts = [part for part in wh.load(file).chains() if known.issuperset({*part.inputs, *part.outputs})]
        wanted = sorted({name for part in parts for name in (*part.inputs, *part.outputs)} & exposed)
        del proto.graph.output[:]
        proto.graph.output.extend(onnx.ValueInfoProto(name=name) for name in wanted)
        made = session_of(proto.SerializeToString(), 1, optimized=False).run(wanted, inputs)
        tensors = inputs | dict(zip(wanted, made, strict=True))
        tensors |= {each.name: onnx.numpy_helper.to_array(each) for each in proto.graph.initializer}
        given = [{name: tensors[name] for name in part.inputs} for part in parts]

        def ours(outputs: list[Array], threads: int) -> Contender:
            return one_by_one([partial(part.run, arrays) for part, arrays in zip(parts, given, strict=True)])

        def by_onnxruntime(outputs: list[Array], threads: int) -> Contender:
            runs = [session_of(_bytes_of(part), threads).run for part in parts]
            names = [list(part.outputs) for part in parts]
            return one_by_one([partial(run, *each) for run, *each in zip(runs, names, given, strict=True)])

        expected = [tensors[name] for part in parts for name in part.outputs]
        return Case(expected, {"wherry": ours, "onnxruntime": by_onnxruntime}, CALLS // 10)

    return make


def one_by_one(calls: Sequence[Callable[[], Any]]) -> Contender:
    """Calls in order, none of whose results is kept: new memory for all at once would be most of what is measured."""

    def call() -> None:
        for each in calls:
            each()

    def results(_: None) -> list[Array]:
        made = [each() for each in calls]
        return [array for part in made for array in (part.values() if isinstance(part, dict) else part)]

    return Contender(call, results)


def folder_of(package: str) -> Path:
    """The folder of an installed package, which is not imported: it may need others."""
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise SystemExit(f"{package} is not installed; `make test` installs it")
    return Path(found.submodule_search_locations[0])


def _bytes_of(model: Any) -> bytes:
    """A model as an ONNX file holds it."""
    with TemporaryDirectory() as folder:
        wh.save(model, Path(folder) / "part.onnx")
        return (Path(folder) / "part.onnx").read_bytes()


RNG = np.random.default_rng(7)
AUDIO = {
    "input": RNG.standard_normal((1, 576)).astype(np.float32) / 10,
    "state": RNG.standard_normal((2, 1, 128)).astype(np.float32) / 10,
}

row("dynamic/chains-magika", "every part of magika's model that only moves data")(
    chains_of("magika", "models/standard_v3_3/model.onnx", {"bytes": RNG.integers(0, 257, (3, 2048)).astype(np.int32)})
)
row("dynamic/chains-vad", "every part of a model of silero-vad that only moves data")(
    chains_of("silero_vad", "data/silero_vad_openvino_16k.onnx", AUDIO)
)
