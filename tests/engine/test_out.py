"""`model.run(out=...)`: given arrays are written and returned; an error leaves them alone."""

import numpy as np
import pytest
from hypothesis import given

from tests.support.compare import assert_same_bits
from tests.support.strategies import distinct, strided
from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError
from wherry.graph import GraphBuilder
from wherry.models.model import GraphModel
from wherry.ops import Fill, Gather, Identity, Reverse, Transpose
from wherry.tensors import TensorType

X = np.arange(12, dtype=np.float32).reshape(3, 4)


def two() -> GraphModel:
    """A model whose outputs are rows that indices choose, and the input turned round."""
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (3, 4)))
    builder.add_input("i", TensorType("int64", (2,)))
    builder.add(Transpose((1, 0)), ["x"], ["turned"], "turn")
    builder.add(Gather(), ["x", "i"], ["rows"], "take")
    return GraphModel(builder.build(["turned", "rows"]), "onnx")


INPUTS = {"x": X, "i": np.array([2, -1])}
WANTED = {"turned": X.T.copy(), "rows": X[[2, 2]]}


@given(strided(distinct((4, 3), np.dtype("float32"))), strided(distinct((2, 4), np.dtype("float32"))))
def test_any_strides_are_written_and_returned(turned: np.ndarray, rows: np.ndarray) -> None:
    model = two()
    for out in ({"rows": rows, "turned": turned}, [turned, rows]):
        for array in (turned, rows):
            array[...] = 0
        results = model.run(INPUTS, out=out)
        assert results["turned"] is turned
        assert results["rows"] is rows
        for name, wanted in WANTED.items():
            assert_same_bits(np.ascontiguousarray(results[name]), wanted)


@pytest.mark.parametrize("out", [{}, [], {"rows": np.zeros((2, 4), np.float32)}, [np.zeros((4, 3), np.float32)]])
def test_outputs_that_are_not_given_are_new(out) -> None:
    given = out if isinstance(out, dict) else dict(zip(WANTED, out, strict=False))
    results = two().run(INPUTS, out=out)
    assert list(results) == list(WANTED)
    for name, wanted in WANTED.items():
        assert_same_bits(results[name], wanted)
        assert (results[name] is given.get(name)) is (name in given)


def test_a_run_like_one_before_takes_the_same_arrays_and_no_others() -> None:
    model = two()
    memory = np.zeros(24, np.float32)
    for _ in range(3):
        out = {"turned": np.zeros((4, 3), np.float32), "rows": np.zeros((2, 4), np.float32)}
        results = model.run(INPUTS, out=out)
        assert all(results[name] is out[name] for name in out)
        for name, wanted in WANTED.items():
            assert_same_bits(out[name], wanted)
    kept = {name: array.copy() for name, array in out.items()}
    with pytest.raises(IndexOutOfRangeError, match=r"is 3, allowed -3\.\.2"):
        model.run({**INPUTS, "i": np.array([0, 3])}, out=out)
    frozen = out["rows"].copy()
    frozen.flags.writeable = False
    with pytest.raises(InvalidValueError, match="read-only"):
        model.run(INPUTS, out={**out, "rows": frozen})
    with pytest.raises(InvalidValueError, match="shares memory"):
        model.run(INPUTS, out={"turned": memory[:12].reshape(4, 3), "rows": memory[8:16].reshape(2, 4)})
    with pytest.raises(InvalidTypeError, match="dtype"):
        model.run(INPUTS, out={**out, "rows": np.zeros((2, 4), np.int32)})
    for name, array in kept.items():
        assert_same_bits(out[name], array)
    x = X.copy()
    model.run({**INPUTS, "x": x}, out={**out, "turned": x.reshape(4, 3)})
    assert_same_bits(x.reshape(4, 3), WANTED["turned"])


def test_odd_strides_are_written_too() -> None:
    memory = np.zeros(4 * 3 * 7 + 8, np.uint8)
    odd = np.ndarray((4, 3), np.float32, memory, 1, (21, 7))
    assert two().run(INPUTS, out={"turned": odd})["turned"] is odd
    assert odd.tolist() == X.T.tolist()


@pytest.mark.parametrize("give_out", [True, False])
def test_a_new_size_or_stride_makes_another_plan(give_out: bool) -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", ("N",)))
    builder.add(Reverse((0,)), ["x"], ["y"], "flip")
    model = GraphModel(builder.build(["y"]), "onnx")
    for size in (3, 5, 3):
        for step in (1, 2):
            x, memory = np.arange(size, dtype=np.float32), np.zeros(size * step, np.float32)
            out = memory[::step]
            results = model.run([x], out=[out] if give_out else None)
            assert results["y"].tolist() == x[::-1].tolist()
            assert (out.tolist() == results["y"].tolist()) is give_out


def test_an_error_leaves_all_of_them_alone() -> None:
    out = {name: np.full_like(wanted, 7) for name, wanted in WANTED.items()}
    with pytest.raises(IndexOutOfRangeError):
        two().run({"x": X, "i": np.array([0, 9])}, out=out)
    assert all((array == 7).all() for array in out.values())


def test_memory_shared_with_an_input_is_as_if_it_were_not() -> None:
    square = np.arange(9, dtype=np.float32).reshape(3, 3)
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (3, 3)))
    builder.add(Transpose((1, 0)), ["x"], ["y"], "turn")
    model = GraphModel(builder.build(["y", "x"]), "onnx")
    wanted = square.T.copy()
    first = square.copy()
    results = model.run([square], out={"y": square})
    assert results["y"] is square
    assert_same_bits(square, wanted)
    assert_same_bits(results["x"], first)


REFUSED = {
    "no array": ({"rows": [[0.0] * 4] * 2}, InvalidTypeError, "out for 'rows' is a list, allowed a NumPy array"),
    "another name": ({"columns": X}, InvalidValueError, "out has 'columns', allowed 'turned', 'rows'"),
    "too many": ([X, X, X], InvalidValueError, "out has 3 arrays, allowed 2: 'turned', 'rows'"),
    "no arrays": (5, InvalidTypeError, "out is 5, allowed a mapping by name, or a sequence of arrays"),
    "sizes": ({"rows": np.zeros((4, 2), np.float32)}, InvalidValueError,
              r"'rows'.* has sizes \[4, 2\], allowed \[2, 4\]"),
    "type": ({"rows": np.zeros((2, 4))}, InvalidTypeError, "output 'rows': out has dtype float64, allowed float32"),
    "itself": ({"rows": np.lib.stride_tricks.as_strided(np.zeros(8, np.float32), (2, 4), (4, 4))}, InvalidValueError,
               "output 'rows': out has byte strides .*, allowed strides that do not overlap themselves"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused(name: str) -> None:
    out, error, words = REFUSED[name]
    with pytest.raises(error, match=words):
        two().run(INPUTS, out=out)


def test_read_only_memory_is_refused() -> None:
    array = np.zeros((2, 4), np.float32)
    array.flags.writeable = False
    with pytest.raises(InvalidValueError, match="output 'rows': out is read-only, allowed a writable array"):
        two().run(INPUTS, out={"rows": array})


def test_arrays_that_share_memory_with_each_other_are_refused() -> None:
    memory = np.zeros(16, np.float32)
    with pytest.raises(InvalidValueError, match="out for 'turned' shares memory with that for 'rows'"):
        two().run(INPUTS, out=[memory[:12].reshape(4, 3), memory[8:].reshape(2, 4)])
    between = np.zeros((4, 6), np.float32)  # neighbours that lie between each other share none
    results = two().run(INPUTS, out=[between[:, ::2], np.zeros((2, 4), np.float32)])
    assert_same_bits(results["turned"].copy(), WANTED["turned"])


def test_a_model_without_inputs_runs_without_arguments() -> None:
    builder = GraphBuilder()
    builder.add_constant("c", np.arange(3))
    builder.add(Identity(), ["c"], ["y"], "same")
    builder.add(Fill(np.float32(5), (2,)), [], ["z"], "fill")
    model = GraphModel(builder.build(["y", "z"]), "onnx")
    for _ in range(3):
        assert {name: array.tolist() for name, array in model.run().items()} == {"y": [0, 1, 2], "z": [5.0, 5.0]}
    with pytest.raises(InvalidValueError, match="input 'x' is missing"):
        two().run()
