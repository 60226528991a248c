"""Scatters: the core against the reference and NumPy, examples of the specifications, rules, and every refusal."""

import itertools
import warnings

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from tests.support.compare import assert_same_bits
from tests.support.strategies import ELEMENT_DTYPES, distinct, index_arrays, sizes, strided
from wherry import reference
from wherry.engine.call import apply
from wherry.errors import IndexOutOfRangeError, IndexOutOfRangeWarning, InvalidTypeError, InvalidValueError
from wherry.graph import GraphBuilder
from wherry.models.model import GraphModel
from wherry.moves import ARITHMETIC
from wherry.ops import ScatterElements, ScatterND, ScatterUpdate, Window
from wherry.ops.scatter import Scatter
from wherry.tensors import TensorType

NUMBERS = [np.dtype(getattr(ml_dtypes, name, name)) for name in ARITHMETIC]
REDUCTIONS = ["add", "sub", "mul", "min", "max", "mean"]
RULES = ["raise", "clamp", "skip", "wrap", "report"]


def numbers(rng: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """Return values whose sums and products round, wrap and tie; no NaN, so that bits are decided."""
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    values = rng.choice([0.0, -0.0, 1.0, -1.5, 0.1, 3e4, -7e-6, 1e-7], shape) * rng.choice([1.0, 1.1], shape)
    if dtype.kind == "c":
        return (values + 1j * rng.permutation(values.ravel()).reshape(shape)).astype(dtype)
    return values.astype(dtype)


@st.composite
def cases(draw: st.DrawFn, *, kind: str = "move") -> tuple[Scatter, list[np.ndarray]]:
    """Return an operator with inputs that fit it; `kind` is move, reduce or words."""
    family = draw(st.sampled_from(["elements", "nd", "along", "linear", "circular"]))
    shape = draw(sizes(4, 3).filter(len))
    axis = draw(st.integers(0, len(shape) - 1))
    batch = draw(st.integers(0, min(axis, 1)))
    rules = dict(
        out_of_range=draw(st.sampled_from(RULES)),
        negative=draw(st.sampled_from(["from_end", "invalid"])),
        duplicates=draw(st.sampled_from(["last", "last", "raise"])),
        nan=draw(st.sampled_from(["propagate", "update", "data"])),
    )
    window = min(shape[axis], draw(st.integers(0, 3)))
    if family == "elements":
        picked = tuple(draw(st.integers(0, 4)) if a == axis else draw(st.integers(0, n)) for a, n in enumerate(shape))
        indices = draw(index_arrays(picked, (shape[axis],), bad=True))
        build, expected = (lambda **more: ScatterElements(axis=axis - len(shape), off_axis="at_most", **more)), picked
    elif family == "nd":
        length = draw(st.integers(0, len(shape)))
        rows = draw(sizes(2, 3))
        indices = draw(index_arrays((*rows, length), shape[:length] or (1,), bad=True))
        build, expected = ScatterND, (*rows, *shape[length:])
    elif family == "along":
        picked = (*shape[:batch], *draw(sizes(2, 3)))
        indices = draw(index_arrays(picked, (shape[axis],), bad=True))
        build = lambda **more: ScatterUpdate(axis=axis, batch_dims=batch, **more)  # noqa: E731
        expected = (*shape[:axis], *picked[batch:], *shape[axis + 1 :])
    else:
        circular = family == "circular"
        rules["negative"] = "invalid"
        rules["out_of_range"] = "raise" if circular else draw(st.sampled_from(["raise", "clamp", "skip", "report"]))
        positions = 3 * shape[axis] if circular else shape[axis] - window + 1
        indices = draw(index_arrays(shape[:batch], (positions,), bad=True))
        if draw(st.booleans()):
            indices = np.asarray(np.abs(indices.astype(np.int64) + 1) % max(positions, 1))
        build = lambda **more: ScatterUpdate(axis=axis, batch_dims=batch, window=family, **more)  # noqa: E731
        expected = (*shape[:axis], window, *shape[axis + 1 :])
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    if kind == "reduce":
        dtype = draw(st.sampled_from(NUMBERS))
        allowed = [r for r in REDUCTIONS if not (dtype.kind == "c" and r in ("min", "max", "mean"))]
        rules["reduction"] = draw(st.sampled_from([r for r in allowed if not (dtype.kind == "b" and r == "mean")]))
        rules["use_init_val"] = draw(st.booleans())
        data, updates = numbers(rng, shape, dtype), numbers(rng, expected, dtype)
    elif kind == "words":
        data = np.array([f"{n}" for n in range(int(np.prod(shape)))], object).reshape(shape)
        updates = np.array([f"u{n}" for n in range(int(np.prod(expected)))], object).reshape(expected)
        return build(**rules), [data, indices, updates]
    else:
        dtype = draw(st.sampled_from(ELEMENT_DTYPES))
        data, updates = distinct(shape, dtype), distinct(expected, dtype)
    return build(**rules), [draw(strided(data, overlapping=True)), indices, draw(strided(updates, overlapping=True))]


def agrees(operator: Scatter, inputs: list[np.ndarray], out: np.ndarray | None = None) -> None:
    before = None if out is None else out.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IndexOutOfRangeWarning)
        try:
            (expected,) = reference.run(operator, inputs)
        except (IndexError, ValueError):
            with pytest.raises((IndexError, InvalidValueError)):
                apply(operator, inputs, "test", out)
            if out is not None:
                assert_same_bits(out.copy(), before)
            return
        (result,) = apply(operator, inputs, "test", out)
    assert_same_bits(result.copy(), expected)


@given(cases())
def test_moves_agree_with_the_reference(case: tuple[Scatter, list[np.ndarray]]) -> None:
    agrees(*case)


@given(cases(kind="reduce"))
def test_reductions_agree_with_the_reference(case: tuple[Scatter, list[np.ndarray]]) -> None:
    agrees(*case)


@given(cases(kind="words"))
def test_objects_agree_with_the_reference(case: tuple[Scatter, list[np.ndarray]]) -> None:
    agrees(*case)


@given(cases(), st.data())
def test_a_strided_out_is_filled_or_left_alone(case: tuple[Scatter, list[np.ndarray]], draw: st.DataObject) -> None:
    data = case[1][0]
    blank = np.full(data.shape, np.frombuffer(b"\x5a" * data.itemsize, data.dtype)[0], data.dtype)
    agrees(*case, draw.draw(strided(blank)))


ZEROS = np.zeros((3, 3))
MANY = ([2.0, 3, 4, 6], [1, 0, 0, -2, -1, 2], [10.0, 20, 30, 40, 70, 60])  # OpenVINO ScatterElementsUpdate-12


@pytest.mark.parametrize(
    ("operator", "data", "indices", "updates", "expected"),
    [
        # ONNX ScatterElements and DirectML SCATTER
        (ScatterElements(), ZEROS, [[1, 0, 2], [0, 2, 1]], [[1.0, 1.1, 1.2], [2.0, 2.1, 2.2]],
         [[2.0, 1.1, 0.0], [1.0, 0.0, 2.2], [0.0, 2.1, 1.2]]),
        (ScatterElements(axis=1), [[1.0, 2, 3, 4, 5]], [[1, 3]], [[1.1, 2.1]], [[1.0, 1.1, 3, 2.1, 5]]),
        (ScatterElements(axis=1, reduction="add"), [[1.0, 2, 3, 4, 5]], [[1, 1]], [[1.1, 2.1]], [[1.0, 5.2, 3, 4, 5]]),
        (ScatterElements(axis=1), [[1.0, 2, 3, 4, 5]], [[1, -3]], [[1.1, 2.1]], [[1.0, 1.1, 2.1, 4, 5]]),
        (ScatterElements(), *MANY, [30, 10, 60, 70]),
        (ScatterElements(reduction="add"), *MANY, [52, 13, 104, 76]),
        (ScatterElements(reduction="add", use_init_val=False), *MANY, [50, 10, 100, 70]),
        (ScatterElements(reduction="mul"), *MANY, [1200, 30, 9600, 420]),
        (ScatterElements(reduction="mul", use_init_val=False), *MANY, [600, 10, 2400, 70]),
        (ScatterElements(reduction="min"), *MANY, [2, 3, 4, 6]),
        (ScatterElements(reduction="min", use_init_val=False), *MANY, [20, 10, 40, 70]),
        (ScatterElements(reduction="max"), *MANY, [30, 10, 60, 70]),
        (ScatterElements(reduction="max", use_init_val=False), *MANY, [30, 10, 60, 70]),
        (ScatterElements(reduction="mean"), *MANY, [52 / 3, 6.5, 104 / 3, 38]),
        (ScatterElements(reduction="mean", use_init_val=False), *MANY, [25, 10, 50, 70]),
        # OpenVINO ScatterElementsUpdate-12: the mean of integers rounds down
        (ScatterElements(reduction="mean"), [-1], [0, 0], [-2, -2], [-2]),
        # ONNX ScatterND and DirectML SCATTER_ND
        (ScatterND(), [1, 2, 3, 4, 5, 6, 7, 8], [[4], [3], [1], [7]], [9, 10, 11, 12], [1, 11, 3, 10, 9, 6, 7, 12]),
        (ScatterND(), np.arange(4), [2], 9, [0, 1, 9, 3]),
        (ScatterND(one_of_any_rank=True), np.arange(4), [2], [[9]], [0, 1, 9, 3]),
        # no index at all: each row is the whole tensor
        (ScatterND(), [1, 2], np.zeros((2, 0), int), [[3, 4], [5, 6]], [5, 6]),
        (ScatterND(reduction="add"), [1, 2], np.zeros((2, 0), int), [[3, 4], [5, 6]], [9, 12]),
        # OpenVINO ScatterNDUpdate-15
        *((ScatterND(reduction=word), [1, 2, 3, 4], [[0], [2], [-3], [-3], [0]], [10, 20, 30, 40, 50], result)
          for word, result in [("none", [50, 40, 20, 4]), ("add", [61, 72, 23, 4]), ("sub", [-59, -68, -17, 4]),
                               ("mul", [500, 2400, 60, 4]), ("min", [1, 2, 3, 4]), ("max", [50, 40, 20, 4])]),
        # OpenVINO ScatterUpdate-3
        (ScatterUpdate(axis=1, negative="invalid"), np.zeros((3, 4), int), [0, 2], [[1, 2], [3, 4], [5, 6]],
         [[1, 0, 2, 0], [3, 0, 4, 0], [5, 0, 6, 0]]),
        (ScatterUpdate(), [1, 2, 3], 1, 9, [1, 9, 3]),
        # ONNX TensorScatter
        (ScatterUpdate(axis=1, batch_dims=1, window="circular", negative="invalid"), np.zeros((2, 4), int), [3, 1],
         [[1, 2], [3, 4]], [[2, 0, 0, 1], [0, 3, 4, 0]]),
        (ScatterUpdate(axis=1, batch_dims=1, window="linear", negative="invalid"), np.zeros((2, 4), int), [2, 1],
         [[1, 2], [3, 4]], [[0, 0, 1, 2], [0, 3, 4, 0]]),
    ],
)  # fmt: skip
def test_examples_of_the_specifications(
    operator: Scatter, data: object, indices: object, updates: object, expected: list
) -> None:
    inputs = [np.array(data), np.array(indices), np.array(updates)]
    assert np.array_equal(apply(operator, inputs, "test")[0], np.array(expected))
    assert np.array_equal(reference.run(operator, inputs)[0], np.array(expected))


def test_a_window_without_indices_is_at_the_start() -> None:
    operator = ScatterUpdate(axis=1, batch_dims=1, window="linear", negative="invalid")
    inputs = [np.zeros((2, 3), int), np.array([[1, 2], [3, 4]])]
    for result in (apply(operator, inputs, "test")[0], reference.run(operator, inputs)[0]):
        assert result.tolist() == [[1, 2, 0], [3, 4, 0]]
    with pytest.raises(InvalidValueError, match="indices is missing, allowed to be so only with a window"):
        ScatterUpdate().infer([TensorType("int8", (3,))] * 2)
    with pytest.raises(InvalidValueError, match="needed for the reduction add"):
        ScatterUpdate(window="linear", negative="invalid", reduction="add").infer([TensorType("int8", (3,))] * 2)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("reduction", ["none", "add", "max"])
@pytest.mark.parametrize(
    ("shape", "axis"), [((40_000, 3), 0), ((3, 40_000), 1), ((300, 400), 0), ((300, 400), 1), ((90_000,), 0)]
)
def test_any_number_of_threads_gives_the_order_of_one(
    threads: int, reduction: str, shape: tuple[int, ...], axis: int
) -> None:
    rng = np.random.default_rng(1)
    data, updates = rng.random(shape, np.float32), rng.random(shape, np.float32)
    indices = rng.integers(-shape[axis] // 7, shape[axis] // 9, shape)
    expected = data.copy()
    where = list(np.indices(shape))
    where[axis] = indices
    places = np.ravel_multi_index(tuple(where), shape, mode="wrap").ravel()
    combine = {"none": lambda old, new: new, "add": lambda old, new: old + new, "max": max}[reduction]
    flat = expected.ravel()
    for place, update in zip(places.tolist(), updates.ravel(), strict=True):
        flat[place] = combine(flat[place], update)
    before = wh.get_num_threads()
    try:
        wh.set_num_threads(threads)
        result = apply(ScatterElements(axis=axis, reduction=reduction), [data, indices, updates], "test")[0]
    finally:
        wh.set_num_threads(before)
    assert_same_bits(result, expected)


def test_slices_go_to_their_rows() -> None:
    rng = np.random.default_rng(2)
    data, rows = rng.random((500, 300)), rng.permutation(500)[:400]
    updates = rng.random((400, 300))
    expected = data.copy()
    expected[rows] = updates
    assert_same_bits(apply(ScatterND(), [data, rows[:, None], updates], "test")[0], expected)
    np.add.at(expected := data.copy(), rows % 7, updates)
    result = apply(ScatterND(reduction="add"), [data, rows[:, None] % 7, updates], "test")[0]
    assert_same_bits(result, expected)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize(
    ("word", "rule", "expected"),
    [
        ("max", "propagate", ["nan", "nan", "nan"]),
        ("max", "update", ["nan", 1, "nan"]),  # ONNX Runtime
        ("max", "data", [1, "nan", "nan"]),  # OpenVINO on the CPU
        ("min", "propagate", ["nan", "nan", "nan"]),
        ("min", "update", ["nan", 1, "nan"]),
        ("min", "data", [1, "nan", "nan"]),
    ],
)
def test_nan_rules(dtype: str, word: str, rule: str, expected: list) -> None:
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    data, updates = np.array([1, np.nan, np.nan]).astype(kind), np.array([np.nan, 1, -np.nan]).astype(kind)
    operator = ScatterElements(reduction=word, nan=rule)
    result = apply(operator, [data, np.arange(3), updates], "test")[0]
    assert ["nan" if np.isnan(x) else x for x in result.astype(float).tolist()] == expected
    assert_same_bits(result, reference.run(operator, [data, np.arange(3), updates])[0])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_floats_round_at_each_step(dtype: str) -> None:
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    every = np.arange(1 << 16, dtype=np.uint16).view(kind)
    finite = every[np.isfinite(every.astype(np.float32))]
    for other in (1.0, 1e-7, 3e4, -0.3, 6e-8):
        updates = np.full(finite.shape, other).astype(kind)
        for word, ufunc in (("add", np.add), ("sub", np.subtract), ("mul", np.multiply)):
            with np.errstate(all="ignore"):
                expected = ufunc(finite, updates)
            result = apply(ScatterElements(reduction=word), [finite, np.arange(finite.size), updates], "test")[0]
            assert_same_bits(result, expected)


def test_bool_reductions() -> None:
    data, updates = np.array([False, False, True, True]), np.array([False, True, False, True])
    for word, expected in (("add", data | updates), ("sub", data ^ updates), ("mul", data & updates),
                           ("min", data & updates), ("max", data | updates)):  # fmt: skip
        result = apply(ScatterElements(reduction=word), [data, np.arange(4), updates], "test")[0]
        assert result.tolist() == expected.tolist()


def test_report_says_what_is_left_out() -> None:
    operator = ScatterND(out_of_range="report")
    with pytest.warns(IndexOutOfRangeWarning, match=r"DML: indices\[1, 0\] is 7, allowed -3..2 .*; it was left out"):
        result = apply(operator, [np.arange(3), np.array([[0], [7]]), np.array([5, 6])], "DML")[0]
    assert result.tolist() == [5, 1, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        apply(ScatterND(out_of_range="skip"), [np.arange(3), np.array([[9]]), np.array([5])], "DML")


def test_duplicates_are_refused_if_wanted() -> None:
    operator = ScatterElements(duplicates="raise")
    data, indices = np.zeros((3, 2)), np.array([[0, 1], [1, 0], [0, -2]])
    out = np.full((3, 2), 7.0)
    with pytest.raises(InvalidValueError, match=r"X: updates\[0, 0\] and updates\[2, 0\] go to one element"):
        apply(operator, [data, indices, np.ones((3, 2))], "X", out)
    assert (out == 7).all()
    assert apply(operator, [data, indices[:2], np.ones((2, 2))], "X")[0].sum() == 4
    many = ScatterElements(duplicates="raise", reduction="add")
    assert apply(many, [data, indices, np.ones((3, 2))], "X")[0].sum() == 6


KV = dict(axis=1, batch_dims=1, negative="invalid")


@pytest.mark.parametrize(
    ("operator", "shapes", "error", "text"),
    [
        (
            ScatterElements(),
            [(2, 2), (2, 2), (1, 2)],
            InvalidValueError,
            r"updates has sizes \[1, 2\], allowed \[2, 2\]",
        ),
        (ScatterElements(), [(), (), ()], InvalidValueError, "data is a scalar"),
        (ScatterElements(), [(2, 2), (2,), (2,)], InvalidValueError, "indices has 1 axes, allowed 2"),
        (
            ScatterElements(),
            [(2, 2), (1, 1), (1, 1)],
            InvalidValueError,
            "axis 1 of indices is 1, allowed 2; only axis 0",
        ),
        (ScatterElements(axis=3), [(2, 2), (1, 2), (1, 2)], InvalidValueError, "axis is 3, allowed -2..1"),
        (ScatterElements(out_of_range="wrap"), [(0,), (1,), (1,)], InvalidValueError, "wrap has no element to write"),
        (ScatterElements(), [(0,), (1,), (1,)], IndexOutOfRangeError, "allowed none"),
        (ScatterND(), [(2, 2), (3, 3), (3,)], InvalidValueError, "axis 1 of indices is 3, allowed 0..2"),
        (ScatterND(), [(2, 2), (3, 1), (3,)], InvalidValueError, r"updates has sizes \[3\], allowed \[3, 2\]"),
        (ScatterND(), [(2,), (1,), (1,)], InvalidValueError, r"updates has sizes \[1\], allowed \[\]"),
        (ScatterND(one_of_any_rank=True), [(2,), (1,), (2,)], InvalidValueError, r"updates has sizes \[2\]"),
        (ScatterND(), [(2,), (), (1,)], InvalidValueError, "indices is a scalar"),
        (
            ScatterUpdate(axis=1),
            [(2, 3), (4,), (2, 3)],
            InvalidValueError,
            r"updates has sizes \[2, 3\], allowed \[2, 4\]",
        ),
        (
            ScatterUpdate(batch_dims=1),
            [(2, 3), (2,), (3,)],
            InvalidValueError,
            "batch_dims is 1, allowed up to the axis",
        ),
        (ScatterUpdate(axis=1, batch_dims=1), [(2, 3), (), (2, 3)], InvalidValueError, "indices has 0 axes, allowed 1"),
        (ScatterUpdate(axis=1, batch_dims=1), [(2, 3), (3,), (2,)], InvalidValueError, "indices has size 3 on axis 0"),
        (
            ScatterUpdate(window="linear", **KV),
            [(2, 3), (2, 1), (2, 1)],
            InvalidValueError,
            "one window for each batch",
        ),
        (
            ScatterUpdate(window="circular", **KV),
            [(2, 3), (2,), (2, 4)],
            InvalidValueError,
            "of updates is 4, allowed 0..3",
        ),
        (
            ScatterUpdate(window="linear", **KV),
            [(2, 3), (2,), (1, 2)],
            InvalidValueError,
            r"updates has sizes \[1, 2\]",
        ),
    ],
)
def test_refused_sizes(operator: Scatter, shapes: list, error: type[Exception], text: str) -> None:
    data, indices, updates = np.zeros(shapes[0]), np.zeros(shapes[1], int), np.zeros(shapes[2])
    with pytest.raises(error, match=text):
        apply(operator, [data, indices, updates], "test")


@pytest.mark.parametrize(
    ("build", "fields", "text"),
    [
        (ScatterElements, dict(reduction="sum"), "reduction is 'sum', allowed 'none', 'add', 'sub', 'mul'"),
        (ScatterElements, dict(out_of_range="zero"), "out_of_range is 'zero', allowed 'raise', 'clamp', 'skip'"),
        (ScatterND, dict(nan="first"), "nan is 'first', allowed 'propagate'"),
        (ScatterND, dict(duplicates="first"), "duplicates is 'first', allowed 'last', 'raise'"),
        (ScatterUpdate, dict(window="ring"), "window is 'ring', allowed 'none', 'linear', 'circular'"),
        (ScatterUpdate, dict(batch_dims=-1), "batch_dims is -1"),
        (ScatterUpdate, dict(window="linear"), "negative is 'from_end', allowed 'invalid'"),
        (
            ScatterUpdate,
            dict(window="circular", out_of_range="skip", negative="invalid"),
            "allowed 'raise'; the window",
        ),
        (
            ScatterUpdate,
            dict(window="linear", out_of_range="wrap", negative="invalid"),
            "'raise', 'clamp', 'skip', 'report'",
        ),
        (ScatterElements, dict(use_init_val=2), "use_init_val is 2, allowed True or False"),
    ],
)
def test_refused_fields(build: type[Scatter], fields: dict, text: str) -> None:
    with pytest.raises((InvalidValueError, InvalidTypeError), match=text):
        build(**fields)


@pytest.mark.parametrize(
    ("reduction", "dtype", "text"),
    [
        ("max", "complex64", "data has dtype complex64, allowed int8, .*, bool for the reduction max"),
        ("mean", "bool", "data has dtype bool, allowed int8, .*float64 for the reduction mean"),
        ("add", ml_dtypes.int4, "data has dtype int4"),
        ("add", object, "data has dtype string"),
        ("add", ">f4", "data has dtype >f4"),
        ("add", "S3", "data has dtype"),
    ],
)
def test_refused_types(reduction: str, dtype: object, text: str) -> None:
    data = np.zeros(2, dtype)
    with pytest.raises(InvalidTypeError, match=text):
        apply(ScatterElements(reduction=reduction), [data, np.zeros(2, int), data], "test")
    with pytest.raises(InvalidTypeError, match="updates has dtype float32, allowed float64, that of data"):
        apply(ScatterND(), [np.zeros(2), np.zeros((1, 1), int), np.zeros(1, "f4")], "test")
    with pytest.raises(InvalidTypeError, match="indices has dtype bool"):
        apply(ScatterND(), [np.zeros(2), np.zeros((1, 1), bool), np.zeros(1)], "test")


def test_bad_windows_are_explained() -> None:
    data, updates, out = np.zeros((2, 4)), np.ones((2, 2)), np.full((2, 4), 7.0)
    with pytest.raises(
        IndexOutOfRangeError, match=r"KV: indices\[1\] is 3, allowed 0..2 \(axis 1 of data has size 4, upda"
    ):
        apply(ScatterUpdate(window="linear", **KV), [data, np.array([0, 3]), updates], "KV", out)
    with pytest.raises(IndexOutOfRangeError, match=r"KV: indices\[0\] is -1, allowed 0 and more"):
        apply(ScatterUpdate(window="circular", **KV), [data, np.array([-1, 3]), updates], "KV", out)
    assert (out == 7).all()
    far = apply(ScatterUpdate(window="circular", **KV), [data, np.array([2**62 + 3, 7]), updates], "KV")[0]
    assert far.tolist() == [[1, 0, 0, 1], [1, 0, 0, 1]]


def test_infer_with_unknown_sizes() -> None:
    data, flat = TensorType("float32", ("N", 3)), TensorType("float32", None)
    index = TensorType("int64", (None, 3))
    assert ScatterElements().infer([data, index, flat]) == (data,)
    assert ScatterND().infer([data, TensorType("int64", ("M", None)), flat]) == (data,)
    assert ScatterND().infer([data, TensorType("int64", None), flat]) == (data,)
    assert ScatterUpdate(axis=1).infer([data, TensorType("int32", ("M",)), TensorType("float32", (4, None))]) == (data,)
    assert ScatterUpdate(window=Window.LINEAR, **KV).infer([data, TensorType("int32", ("M",)), flat]) == (data,)
    assert ScatterElements().infer([flat, index, flat]) == (flat,)


def model(**fields: object) -> GraphModel:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (4, 3)))
    builder.add_input("i", TensorType("int64", (2, 1)))
    builder.add_input("u", TensorType("float32", (2, 3)))
    builder.add(ScatterND(**fields), ["x", "i", "u"], ["y"], "ONNX ScatterND-18 'put'")
    return GraphModel(builder.build(["y"]), "test")


def test_in_a_plan() -> None:
    x, i, u = np.zeros((4, 3), "f4"), np.array([[1], [-1]]), np.ones((2, 3), "f4")
    put = model(reduction="add")
    assert put.run([x, i, u])["y"].tolist() == [[0, 0, 0], [1, 1, 1], [0, 0, 0], [1, 1, 1]]
    assert put.plan.bytes_moved == x.nbytes + u.nbytes
    text = str(put.plan)
    assert "check   input i[2, 1] within [4]" in text
    assert "scatter input u[2, 3] by input i[2, 3, 1]" in text
    y = np.full((4, 3), 5, "f4")
    with pytest.raises(IndexOutOfRangeError, match=r"ONNX ScatterND-18 'put': indices\[1, 0\] is 4, allowed -4..3"):
        put.plan.run({"x": x, "i": np.array([[1], [4]]), "u": u}, {"y": y})
    assert (y == 5).all()
    with pytest.raises(InvalidValueError, match=r"updates\[0, 0\] and updates\[1, 0\] go to one element"):
        model(duplicates="raise").run([x, np.array([[3], [-1]]), u])


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("rule", ["raise", "skip", "clamp", "wrap"])
def test_many_rows_of_a_large_table(rule: str, padded: bool) -> None:
    """The second and third time a program writes each row once, from the table or from its last update."""
    rng = np.random.default_rng(0)
    table, updates = np.zeros((5000, 64 + 8 * padded), "f4")[:, :64], rng.random((3000, 64), np.float32)
    table += np.arange(5000, dtype=np.float32)[:, None]
    picks = rng.integers(-5000, 5000, 3000) if rule == "raise" else rng.integers(-9000, 9000, 3000)
    expected, inside = table.copy(), (picks >= -5000) & (picks < 5000)
    settled = {"clamp": np.clip(np.where(picks < 0, picks + 5000, picks), 0, 4999), "wrap": picks % 5000}
    places = settled.get(rule, picks)
    kept = np.ones(3000, bool) if rule in settled else inside
    for place, update in zip(places[kept], updates[kept], strict=True):
        expected[place] = update
    for _ in range(3):
        out = np.zeros((5000, 64 + 16 * padded), "f4")[:, :64]
        apply(ScatterUpdate(out_of_range=rule), [table, picks, updates], "test", out)
        assert np.array_equal(out, expected)


@pytest.mark.parametrize(("dtype", "bits"), [("float32", "uint32"), ("float64", "uint64")])
@pytest.mark.parametrize("reduction", ["add", "sub", "mul"])
def test_of_two_nan_the_update_stays_whichever_way_it_goes(dtype: str, bits: str, reduction: str) -> None:
    nan = np.array(np.nan, dtype).view(bits)
    for count, row in itertools.product((1, 5, 300), (1, 4)):
        data = np.full((count, row), nan + 1, bits).view(dtype)
        updates = np.full((count, row), nan + 2, bits).view(dtype)
        (found,) = apply(ScatterND(reduction=reduction), [data, np.arange(count)[:, None], updates], "test")
        assert (found.view(bits) == nan + 2).all()
