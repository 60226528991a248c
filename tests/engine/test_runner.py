"""Runs of models whose sizes are values: whatever is kept of one run must not show in another.

Every run of one model, by a kept program, eagerly or by a new plan, gives what a model does that never ran before, and
what the reference gives; or the same error in the same words.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from tests.support.strategies import distinct, strided
from wherry import Limits, limited, ops, reference
from wherry.engine import runner
from wherry.engine.eager import eager_run
from wherry.engine.runner import Runner
from wherry.errors import InvalidValueError, ResourceLimitError
from wherry.graph import Deferred, Graph, GraphBuilder
from wherry.models.model import GraphModel
from wherry.ops.constant import Constant
from wherry.ops.fill import constant_of_shape
from wherry.ops.range import count as count_range
from wherry.ops.slice import slice_of_version_10
from wherry.ops.split import split_by_sizes
from wherry.tensors import TensorType

Inputs = dict[str, np.ndarray]

DTYPES = [np.dtype(name) for name in ("float32", "int64", "uint8", "bool", "complex128", "S3")]
NUMBERS = [np.dtype(name) for name in ("int64", "int32", "uint8", "int8")]


class Maker:
    """Makes a graph node by node on the tensor `x`, and values of its inputs that mostly fit."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.builder = GraphBuilder("dynamic")
        self.dtype = draw(st.sampled_from(DTYPES))
        self.ndim = draw(st.integers(0, 3))
        self.builder.add_input("x", TensorType(self.dtype, [None] * self.ndim))
        self.values: list[tuple[str, Callable[[tuple[int, ...], int], list[int]], np.dtype, str, int]] = []
        self.last, self.count = "x", 0

    def values_of(self, kind: Callable[[tuple[int, ...], int], list[int]], ndim: int = 1) -> str:
        """Return a new input of integers, which `kind` draws for the sizes of what is the last tensor now."""
        name = f"v{len(self.values)}"
        dtype = self.draw(st.sampled_from(NUMBERS))
        self.builder.add_input(name, TensorType(dtype, [None] * ndim))
        self.values.append((name, kind, dtype, self.last, ndim))
        return name

    def add(self, operator: Any, *others: str, outputs: int = 1, data: bool = True) -> None:
        self.count += 1
        names = [f"t{self.count}_{number}" for number in range(outputs)]
        self.builder.add(operator, [self.last, *others] if data else others, names, f"Node {self.count}")
        self.last = names[0]

    def reshape(self) -> None:
        zero = self.draw(st.sampled_from(["copy", "literal"]))
        undetermined = self.draw(st.sampled_from(["refuse", "one"]))
        fields = (("zero", zero), ("undetermined", undetermined))
        self.add(Deferred(ops.Reshape, fields, (("shape", 1),)), self.values_of(self._shape))

    def slice(self) -> None:
        build = self.draw(st.sampled_from([ops.Slice, slice_of_version_10]))
        names = ["starts", "ends", "axes", "steps"][: self.draw(st.integers(2, 4))]
        places = tuple((name, 1 + number) for number, name in enumerate(names))
        kinds = [getattr(self, f"_{name}") for name in names]
        self.add(Deferred(build, (), places, makes=ops.Slice), *map(self.values_of, kinds))

    def expand(self) -> None:
        alignment = self.draw(st.sampled_from(["two_way", "one_way"]))
        self.add(Deferred(ops.Expand, (("alignment", alignment),), (("shape", 1),)), self.values_of(self._larger))

    def tile(self) -> None:
        self.add(Deferred(ops.Tile, (), (("repeats", 1),)), self.values_of(self._repeats))

    def unsqueeze(self) -> None:
        self.add(Deferred(ops.Unsqueeze, (), (("axes", 1),)), self.values_of(self._one_axis))

    def squeeze(self) -> None:
        self.add(Deferred(ops.Squeeze, (("empty", "none"),), (("axes", 1),)), self.values_of(self._ones))

    def split(self) -> None:
        build = self.draw(st.sampled_from([ops.Split, split_by_sizes]))
        made = Deferred(build, (("axis", 0),), (("sizes", 1),), 2, ops.Split)
        self.add(made, self.values_of(self._parts), outputs=2)

    def fill(self) -> None:
        value = Constant(distinct((1,), self.dtype).reshape(()))
        made = Deferred(constant_of_shape, (("value", value),), (("sizes", 0),), makes=ops.Fill)
        self.add(made, self.values_of(self._sizes), data=False)

    def nonzero(self) -> None:
        data = self.last
        if self.dtype.kind != "S":
            self.add(Deferred(ops.NonZero, (), (("data", 0),)))
            self.add(ops.Transpose([1, 0]))
            self.builder.add(ops.GatherND(), [data, self.last], [f"picked{self.count}"], "GatherND")
            self.last = f"picked{self.count}"

    def gather(self) -> None:
        axis, rule = self.draw(st.integers(-1, 1)), self.draw(st.sampled_from(["raise", "clamp", "zero"]))
        self.add(ops.Gather(axis, out_of_range=rule), self.values_of(self._indices, self.draw(st.integers(0, 2))))

    def concat(self) -> None:
        before = self.last
        self.add(ops.Identity())
        self.add(ops.Concat(0), before)

    def pad(self) -> None:
        made = Deferred(ops.Pad, (), (("begins", 1), ("ends", 2)))
        self.add(made, self.values_of(self._repeats), self.values_of(self._repeats))

    def transpose(self) -> None:
        self.add(ops.Transpose())

    def cast(self) -> None:
        if self.dtype.kind in "iu":
            self.add(ops.Cast("int64"))

    def shape_of(self) -> None:
        data = self.last
        self.add(ops.ShapeOf())
        shape, self.last = self.last, data
        self.add(Deferred(ops.Expand, (("alignment", "two_way"),), (("shape", 1),)), shape)

    def compute(self) -> None:
        if self.dtype.kind in "iuf":
            function = self.draw(st.sampled_from(["add", "subtract", "multiply"]))
            self.add(ops.Binary(function), self.last)
            self.add(ops.Unary("absolute"))

    def flatten(self) -> None:
        self.add(ops.Flatten(0))

    def _some(self, count: int, low: int, high: int) -> list[int]:
        return self.draw(st.lists(st.integers(low, high), min_size=count, max_size=count))

    def _shape(self, sizes: tuple[int, ...], ndim: int) -> list[int]:
        size = int(np.prod(sizes))
        options = [list(sizes), [size], [1, size], [-1], [-1, max(1, sizes[-1] if sizes else 1)], [0, -1], [2, -1]]
        return self.draw(st.sampled_from([*options, [-2, 3], [-1, -1], [0], [*sizes, 1]]))

    def _starts(self, sizes: tuple[int, ...], ndim: int) -> list[int]:
        return self._some(min(1, len(sizes)), -4, 4)

    _ends = _starts

    def _axes(self, sizes: tuple[int, ...], ndim: int) -> list[int]:
        return self._some(min(1, len(sizes)), -len(sizes), max(0, len(sizes) - 1))

    def _steps(self, sizes: tuple[int, ...], ndim: int) -> list[int]:
        return [self.draw(st.sampled_from([1, 2, -1, -3, 0]))] * min(1, len(sizes))

    def _larger(self, sizes: tuple[int, ...], ndim: int) -> list[int]:
        own = [self.draw(st.integers(0, 3)) if size == 1 else size for size in sizes]
        return self.draw(st.sampled_from([own, [2, *own], [3, 1, *own], own[1:], [1] * len(own), [0, *own]]))

    def _repeats(self, sizes: tuple[int, ...], ndim: int) -> list[int]:
        return self._some(len(sizes), 0, 2)

    def _one_axis(self, sizes: tuple[int, ...], ndim: int) -> list[int]:
        return self._some(self.draw(st.integers(0, 2)), -len(sizes) - 1, len(sizes))

    def _ones(self, sizes: tuple[int, ...], ndim: int) -> list[int]:
        return [axis for axis, size in enumerate(sizes) if size == 1][: self.draw(st.integers(0, 2))]

    def _parts(self, sizes: tuple[int, ...], ndim: int) -> list[int]:
        size = sizes[0] if sizes else 2
        first = self.draw(st.integers(0, size))
        return self.draw(st.sampled_from([[first, size - first]] * 4 + [[-1, first], [size], [size, 1]]))

    def _sizes(self, sizes: tuple[int, ...], ndim: int) -> list[int]:
        return self._some(self.draw(st.integers(0, 3)), 0 if self.draw(st.booleans()) else -1, 3)

    def _indices(self, sizes: tuple[int, ...], ndim: int) -> list[int]:
        return self._some(1 if ndim == 0 else 2**ndim // 2, -3, 3)


KINDS = [Maker.reshape, Maker.slice, Maker.expand, Maker.tile, Maker.unsqueeze, Maker.squeeze, Maker.split,
         Maker.fill, Maker.nonzero, Maker.gather, Maker.concat, Maker.pad, Maker.transpose, Maker.flatten,
         Maker.cast, Maker.shape_of, Maker.compute]  # fmt: skip


@st.composite
def sessions(draw: st.DrawFn) -> tuple[Graph, list[Inputs]]:
    """Return a graph whose sizes are values, and inputs of several runs of it."""
    maker = Maker(draw)
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4))
    outputs = []
    for kind in kinds:
        with suppress(InvalidValueError):  # not for so many axes
            kind(maker)
        if draw(st.booleans()):
            outputs.append(maker.last)
    graph = maker.builder.build(dict.fromkeys([*outputs, maker.last]))
    return graph, [_inputs(draw, maker, graph) for _ in range(draw(st.integers(1, 4)))]


def _inputs(draw: st.DrawFn, maker: Maker, graph: Graph) -> Inputs:
    sizes = tuple(draw(st.lists(st.integers(0, 3), min_size=maker.ndim, max_size=maker.ndim)))
    x = distinct(sizes, maker.dtype)
    if x.size and draw(st.booleans()):
        x[draw(st.tuples(*(st.integers(0, size - 1) for size in sizes)))] = np.zeros((), x.dtype)[()]
    tensors: Inputs = {**graph.constants, "x": draw(strided(x))}
    pending = {name: (kind, dtype, source, ndim) for name, kind, dtype, source, ndim in maker.values}
    inputs = {"x": tensors["x"]}

    def drawn(name: str) -> np.ndarray:
        kind, dtype, source, ndim = pending[name]
        values = np.array(kind(tensors[source].shape if source in tensors else (2,), ndim))
        values = values.astype(dtype)  # below 0 becomes a large number where the type has no sign: refused by both
        values = values.reshape((-1,) if ndim == 1 else (1,) * ndim if values.size == 1 else (2, -1))
        return draw(strided(values)) if draw(st.booleans()) and values.dtype != np.uint8 else values

    for node in graph.nodes:
        for name in node.inputs:
            if name in pending and name not in inputs:
                inputs[name] = tensors[name] = drawn(name)
        try:
            results = reference.run(node.resolve(tensors), [tensors[name] for name in node.data_inputs])
        except Exception:
            break
        if len(results) != len(node.outputs):
            break
        tensors.update(zip(node.outputs, results, strict=True))
    for name in pending:
        if name not in inputs:
            inputs[name] = drawn(name)
    return {name: inputs[name] for name in graph.inputs}


def outcome(model: GraphModel, inputs: Inputs) -> Any:
    try:
        return model.run(inputs)
    except Exception as error:
        return type(error), str(error)


@given(sessions(), st.sampled_from([0, 1, 8]))
def test_every_run_is_as_the_first(case: tuple[Graph, list[Inputs]], eager_runs: int) -> None:
    graph, runs = case
    model = GraphModel(graph, "test")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "_EAGER_RUNS", eager_runs)
        compare_runs(model, graph, runs)


def compare_runs(model: GraphModel, graph: Graph, runs: list[Inputs]) -> None:
    for inputs in [*runs, *runs, *reversed(runs)]:
        found, expected = outcome(model, inputs), outcome(GraphModel(graph, "test"), inputs)
        if isinstance(expected, tuple):
            assert found == expected
            continue
        assert isinstance(found, dict), found
        oracle = reference.run_graph(graph, inputs)
        assert list(found) == list(expected)
        for name, array in found.items():
            assert_same_bits(array, expected[name])
            assert_same_bits(array, oracle[name])
            assert array.flags.c_contiguous
            assert array.flags.writeable
            assert not any(np.shares_memory(array, other) for other in inputs.values())
            array[...] = np.zeros((), array.dtype)[()]  # nothing that is kept may lie there


@given(sessions())
def test_eager_runs_give_what_plans_do(case: tuple[Graph, list[Inputs]]) -> None:
    """An eager run gives the results, or up: it never says anything else than the plan."""
    graph, runs = case
    eager = eager_run(graph)
    assert eager is not None
    for inputs in runs:
        found = eager.run(inputs)
        expected = outcome(GraphModel(graph, "test"), inputs)
        if found is not None:
            assert isinstance(expected, dict), expected
            for name, array in found.items():
                assert_same_bits(array, expected[name])


def build(operator: Any, inputs: dict[str, TensorType], outputs: int = 1) -> Graph:
    builder = GraphBuilder("one")
    for name, kind in inputs.items():
        builder.add_input(name, kind)
    names = [f"y{number}" for number in range(outputs)]
    builder.add(operator, list(inputs), names, "ONNX Node-1 'it'")
    return builder.build(names)


LINE, MATRIX = TensorType("int64", (None,)), TensorType("float32", (None, None))
SCALAR = TensorType("int64", ())
X = np.arange(12, dtype=np.float32).reshape(3, 4)


def numbers(*values: int) -> np.ndarray:
    return np.array(values)


CASES: dict[str, tuple[Graph, Callable[[int], Inputs]]] = {
    "reshape": (build(Deferred(ops.Reshape, (), (("shape", 1),)), {"x": MATRIX, "s": LINE}),
                lambda n: {"x": np.ones((n, 6), np.float32), "s": numbers(3, -1)}),
    "slice": (build(Deferred(ops.Slice, (), (("starts", 1), ("ends", 2))), {"x": MATRIX, "a": LINE, "b": LINE}),
              lambda n: {"x": X, "a": numbers(n), "b": numbers(-n)}),
    "expand": (build(Deferred(ops.Expand, (), (("shape", 1),)), {"x": MATRIX, "s": LINE}),
               lambda n: {"x": X, "s": numbers(n, 1, 1)}),
    "range": (build(Deferred(ops.Range, (), (("start", 0), ("limit", 1), ("delta", 2))),
                    {"a": SCALAR, "b": SCALAR, "c": SCALAR}),
              lambda n: {"a": np.array(1), "b": np.array(3 * n), "c": np.array(2)}),
    "nonzero": (build(Deferred(ops.NonZero, (), (("data", 0),)), {"x": MATRIX}),
                lambda n: {"x": np.float32(n >> np.int64(X) % 6 & 1)}),
    "tile": (build(Deferred(ops.Tile, (), (("repeats", 1),)), {"x": MATRIX, "r": LINE}),
             lambda n: {"x": X, "r": numbers(n, 2)}),
    "split": (build(Deferred(ops.Split, (("axis", 1),), (("sizes", 1),), 2), {"x": MATRIX, "s": LINE}, 2),
              lambda n: {"x": np.ones((2, n), np.float32), "s": numbers(1, n - 1)}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_new_values_make_no_plan(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, inputs = CASES[name]
    model = GraphModel(graph, "test")
    model.run(inputs(2))
    planned: list[int] = []
    real = runner.make_plan
    monkeypatch.setattr(runner, "make_plan", lambda *given: planned.append(1) or real(*given))
    for n in range(3, 40):
        found, expected = model.run(inputs(n)), reference.run_graph(graph, inputs(n))
        for result in expected:
            assert_same_bits(found[result], expected[result])
    assert not planned
    for _ in range(20):  # after some runs they are planned, and then there is a program
        model.run(inputs(39))
    assert len(planned) == 1


def test_what_needs_python_runs_eagerly_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    builder = GraphBuilder("signs")
    for name, kind in {"a": LINE, "x": MATRIX}.items():
        builder.add_input(name, kind)
    builder.add(ops.Unary("sign_or_zero"), ["a"], ["s"], "Sign")
    builder.add(Deferred(ops.Reshape, (), (("shape", 1),)), ["x", "s"], ["y"], "Reshape")
    graph = builder.build(["s", "y"])
    model = GraphModel(graph, "test")
    inputs = {"a": numbers(6, -4), "x": X}
    expected = model.run(inputs)
    assert model.plan.program is None
    monkeypatch.setattr(runner, "make_plan", None)
    for _ in range(30):
        found = model.run(inputs)
        assert_same_bits(found["s"], numbers(1, -1))
        assert_same_bits(found["y"], expected["y"])


@pytest.mark.parametrize("name", CASES)
def test_a_run_like_one_before_is_one_call_of_the_core(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, inputs = CASES[name]
    model = GraphModel(graph, "test")
    expected = model.run(inputs(4))
    monkeypatch.setattr(Runner, "run", None)
    monkeypatch.setattr(Runner, "run_eagerly", None)
    found = model.run({name: array.copy() for name, array in inputs(4).items()})
    for result in expected:
        assert_same_bits(found[result], expected[result])


def test_many_values_in_turn_are_not_planned_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, inputs = CASES["slice"]
    model = GraphModel(graph, "test")
    planned: list[int] = []
    real = runner.make_plan
    monkeypatch.setattr(runner, "make_plan", lambda *given: planned.append(1) or real(*given))
    for count in (10, 64, 100):
        for _ in range(20):
            for n in range(count):
                model.run(inputs(n))
    assert len(planned) <= 3 * 32


def test_changing_a_value_in_place_changes_the_result() -> None:
    graph, _ = CASES["expand"]
    model, shape = GraphModel(graph, "test"), numbers(2, 1, 1)
    for n in (2, 2, 3, 3, 3, 2, 5):
        shape[0] = n
        assert model.run({"x": X, "s": shape})["y0"].shape == (n, 3, 4)


def test_limits_hold_whatever_ran_before() -> None:
    graph, inputs = CASES["expand"]
    model = GraphModel(graph, "test")
    for n in (2, 2, 3):
        model.run(inputs(n))
    for n in (2, 3, 4):
        with limited(Limits(bytes=10)), pytest.raises(ResourceLimitError, match=r"allowed 10; raise Limits.bytes"):
            model.run(inputs(n))
        with pytest.raises(ResourceLimitError):
            model.run(inputs(n), limits=Limits(bytes=10))
    model.limits = Limits(bytes=1000)
    other = GraphModel(graph, "test")
    other.limits = Limits(bytes=1000)
    other.run(inputs(2))
    with pytest.raises(ResourceLimitError, match="take 4800 bytes"):
        other.run(inputs(100))


def test_huge_sizes_are_refused_as_by_a_plan() -> None:
    graph, inputs = CASES["expand"]
    model = GraphModel(graph, "test")
    model.run(inputs(2))
    for _ in range(3):
        with pytest.raises(ResourceLimitError, match=r"raise Limits.bytes"):
            model.run(inputs(2**40))
    assert model.run(inputs(7))["y0"].shape == (7, 3, 4)


def test_large_results_are_planned_and_right() -> None:
    graph, inputs = CASES["expand"]
    model = GraphModel(graph, "test")
    model.run(inputs(2))
    for n in (30_000, 30_001, 5, 30_002, 30_003, 6, 7):
        found = model.run(inputs(n))["y0"]
        assert_same_bits(found, np.broadcast_to(X, (n, 3, 4)).copy())


def test_eight_threads_with_values_of_their_own() -> None:
    graph, _ = CASES["slice"]
    model = GraphModel(graph, "test")
    data = np.arange(400, dtype=np.float32).reshape(100, 4)
    failures: list[int] = []

    def work(number: int) -> None:
        for step in range(200):
            n = (number * 7 + step * step) % 50
            found = model.run({"x": data, "a": numbers(n), "b": numbers(100 - n % 5)})["y0"]
            if not np.array_equal(found, data[n : 100 - n % 5]):
                failures.append(n)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_a_pickled_model_runs_on() -> None:
    graph, inputs = CASES["nonzero"]
    model = GraphModel(graph, "test")
    for n in (2, 3, 3):
        model.run(inputs(n))
    again = pickle.loads(pickle.dumps(model))
    for n in (2, 3, 5):
        assert_same_bits(again.run(inputs(n))["y0"], model.run(inputs(n))["y0"])
    plan = pickle.loads(pickle.dumps(model.plan))
    assert_same_bits(plan.run(inputs(5))["y0"], model.run(inputs(5))["y0"])


def test_defaults_decide_as_inputs_do() -> None:
    graph, _ = CASES["reshape"]
    model = GraphModel(graph, "test", {"s": numbers(2, 6)})
    for shape in (None, (6, 2), (4, 3), None, (12, 1), (6, 2), None):
        given = {"x": X} if shape is None else {"x": X, "s": numbers(*shape)}
        assert model.run(given)["y0"].shape == (shape or (2, 6))
    assert model.run([X])["y0"].shape == (2, 6)


def test_what_is_wrong_is_said_whatever_ran_before() -> None:
    graph, inputs = CASES["reshape"]
    model = GraphModel(graph, "test")
    for n in (2, 3):
        model.run(inputs(n))
    good = inputs(4)
    wrong = [
        *({}, {"x": good["x"]}, {**good, "z": X}, {**good, "s": good["s"].astype("f8")}, {**good, "x": X[0]}),
        *({**good, "x": good["x"].astype("f8")}, {**good, "s": numbers(5, 5)}, [good["x"]], 7, {**good, "x": None}),
    ]
    for arrays in wrong:
        assert outcome(model, arrays) == outcome(GraphModel(graph, "test"), arrays)


RANGES = ["int8", "uint8", "int16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64"]


@given(st.data())
def test_eager_ranges_have_the_bits_of_planned_ones(data: st.DataObject) -> None:
    dtype = np.dtype(data.draw(st.sampled_from(RANGES)))
    build_of = data.draw(st.sampled_from([(ops.Range, ()), (count_range, (("dtype", dtype.name),))]))
    kind = TensorType(dtype, ())
    waiting = (("start", 0), ("limit", 1), ("delta", 2))
    graph = build(Deferred(build_of[0], build_of[1], waiting, makes=ops.Range), {"a": kind, "b": kind, "c": kind})
    if dtype.kind == "f":
        near = st.one_of(st.integers(-9, 9).map(float), st.floats(width=8 * dtype.itemsize))
        start, limit, delta = (data.draw(near) for _ in range(3))
    else:
        limits = np.iinfo(dtype)
        start = data.draw(st.one_of(st.integers(int(limits.min), int(limits.max)), st.just(int(limits.max))))
        near = st.integers(-20, 20).map(lambda n: min(max(n, int(limits.min)), int(limits.max)))
        limit, delta = min(max(start + data.draw(near), int(limits.min)), int(limits.max)), data.draw(near)
    inputs = {name: np.array(value, dtype) for name, value in zip("abc", (start, limit, delta), strict=True)}
    eager = eager_run(graph)
    assert eager is not None
    found, expected = eager.run(inputs), outcome(GraphModel(graph, "test"), inputs)
    if found is not None:
        assert isinstance(expected, dict), expected
        assert_same_bits(found["y0"], expected["y0"])
    elif dtype.kind != "f" and delta:
        assert isinstance(expected, tuple), expected
