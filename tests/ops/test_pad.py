"""Pad: against formula and NumPy, the specifications' examples, crops, values of every type, every refusal."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from tests.support.operators import assert_agrees, infer, mostly_full, planned
from tests.support.strategies import ELEMENT_DTYPES, distinct, strided
from wherry.engine.call import apply
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.graph import Deferred, GraphBuilder
from wherry.models.model import GraphModel
from wherry.moves import ComputeMove
from wherry.ops import Constant, Pad, PadMode, pad_of_pairs
from wherry.tensors import TensorType


def run(operator: Pad, data: object) -> list:
    (out,) = apply(operator, [np.asarray(data)], "test")
    return out.tolist()


@st.composite
def pads(draw: st.DrawFn, shape: tuple[int, ...], least: int = -4, most: int = 9) -> Pad:
    begins, ends = ([draw(st.integers(least, most)) for _ in shape] for _ in range(2))
    return Pad(
        begins,
        ends,
        draw(st.sampled_from(PadMode)),
        mixed_signs=draw(st.sampled_from(["crop_first", "original"])),
        beyond=draw(st.sampled_from(["refuse", "fold"])),
        overcrop=draw(st.sampled_from(["refuse", "empty"])),
    )


@given(st.data())
def test_core_agrees_with_the_formula(draw: st.DataObject) -> None:
    values = distinct(draw.draw(mostly_full(3, 4)), draw.draw(st.sampled_from(ELEMENT_DTYPES)))
    operator = draw.draw(pads(values.shape))
    data = draw.draw(strided(values, overlapping=True))
    try:
        operator.infer([TensorType.of(data)])
    except InvalidValueError:
        assume(False)
    assert_agrees(operator, [data], draw)


@given(st.data())
def test_pads_along_one_axis_of_any_length(draw: st.DataObject) -> None:
    data = np.arange(draw.draw(st.integers(1, 5)), dtype=np.int16)
    operator = draw.draw(pads(data.shape, -8, 40))
    try:
        operator.infer([TensorType.of(data)])
    except InvalidValueError:
        assume(False)
    assert_agrees(operator, [data])


@given(st.data())
def test_numpys_modes(draw: st.DataObject) -> None:
    shape = tuple(draw.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    data = distinct(shape, np.dtype("int32"))
    mode = draw.draw(st.sampled_from(PadMode))
    widths = [(draw.draw(st.integers(0, 9)), draw.draw(st.integers(0, 9))) for _ in shape]
    operator = Pad([a for a, _ in widths], [b for _, b in widths], mode, beyond="fold")
    assert_same_bits(assert_agrees(operator, [data], draw), np.pad(data, widths, str(mode)))


def test_examples_of_onnx() -> None:
    data = np.array([[1.0, 1.2], [2.3, 3.4], [4.5, 5.7]], np.float32)
    rows = data.tolist()
    assert run(Pad([0, 2], [0, 0], value=0.0), data) == [[0, 0, *row] for row in rows]
    assert run(Pad([0, 2], [0, 0], "edge"), data) == [[row[0], row[0], *row] for row in rows]
    assert run(Pad([0, 2], [0, 0], "reflect", beyond="fold"), data) == [[*row, *row] for row in rows]
    assert run(Pad([2, 1], [1, 1], "wrap"), data) == np.pad(data, [(2, 1), (1, 1)], "wrap").tolist()
    assert run(Pad([1], [1], axes=[-1]), [[5, 6]]) == [[0, 5, 6, 0]]
    assert run(Pad([-1], [2], "wrap"), [1, 2, 3]) == [2, 3, 2, 3]
    assert run(Pad([-1], [2], "edge"), [1, 2, 3]) == [2, 3, 3, 3]
    assert run(Pad([-4], [4]), [1, 2, 3]) == [0, 0, 0]
    with pytest.raises(InvalidValueError, match="pads of axis 0 is -1 and 2, allowed up to 1; mode reflect mirrors 2"):
        run(Pad([-1], [2], "reflect"), [1, 2, 3])


def test_examples_of_openvino() -> None:
    data = np.arange(1, 13).reshape(3, 4)

    def padded(mode: str, begins: list[int], ends: list[int]) -> list:
        return run(Pad(begins, ends, mode, mixed_signs="original"), data)  # type: ignore[arg-type]

    assert padded("constant", [0, 1], [2, 3])[0] == [0, 1, 2, 3, 4, 0, 0, 0]
    assert padded("edge", [0, 1], [2, 3])[0] == [1, 1, 2, 3, 4, 4, 4, 4]
    assert padded("reflect", [0, 1], [2, 3])[0] == [2, 1, 2, 3, 4, 3, 2, 1]
    assert padded("symmetric", [0, 1], [2, 3])[0] == [1, 1, 2, 3, 4, 4, 3, 2]
    assert padded("reflect", [0, 1], [2, 3])[-1] == [2, 1, 2, 3, 4, 3, 2, 1]
    assert padded("symmetric", [0, 1], [2, 3])[-1] == [5, 5, 6, 7, 8, 8, 7, 6]
    zeros = [0] * 6
    assert padded("constant", [2, -1], [-1, 3]) == [zeros, zeros, [2, 3, 4, 0, 0, 0], [6, 7, 8, 0, 0, 0]]
    assert padded("reflect", [2, -1], [-1, 3]) == [
        [10, 11, 12, 11, 10, 9], [6, 7, 8, 7, 6, 5], [2, 3, 4, 3, 2, 1], [6, 7, 8, 7, 6, 5]
    ]  # fmt: skip
    assert padded("symmetric", [2, -1], [-1, 3]) == [
        [6, 7, 8, 8, 7, 6], [2, 3, 4, 4, 3, 2], [2, 3, 4, 4, 3, 2], [6, 7, 8, 8, 7, 6]
    ]  # fmt: skip
    assert run(Pad([-4], [4], "edge", mixed_signs="original"), [1, 2, 3]) == [3, 3, 3]
    assert infer(Pad([-4], [0], overcrop="empty"), (3,)) == (0,)
    assert infer(Pad([0, 1], [0, 1], "reflect"), (1, 2)) == (1, 4)


def test_examples_of_directml() -> None:
    def padded(mode: str, value: object = None) -> list:
        return run(Pad([2], [4], mode, value, beyond="fold"), [1, 2, 3, 4])  # type: ignore[arg-type]

    assert padded("constant", 9) == [9, 9, 1, 2, 3, 4, 9, 9, 9, 9]
    assert padded("edge") == [1, 1, 1, 2, 3, 4, 4, 4, 4, 4]
    assert padded("reflect") == [3, 2, 1, 2, 3, 4, 3, 2, 1, 2]
    assert padded("symmetric") == [2, 1, 1, 2, 3, 4, 4, 3, 2, 1]
    assert padded("wrap") == [3, 4, 1, 2, 3, 4, 1, 2, 3, 4]
    assert run(Pad([1], [0], value=np.int64(-9007199254740993)), [5]) == [-9007199254740993, 5]
    assert run(Pad([2], [2], "reflect", beyond="fold"), [7]) == [7] * 5


def test_values_keep_their_bits() -> None:
    payload = np.array([0x7FC00123], np.uint32).view(np.float32)
    (out,) = apply(Pad([1], [0], value=payload), [np.zeros(1, np.float32)], "test")
    assert out.view(np.uint32)[0] == 0x7FC00123
    (out,) = apply(Pad([1], [0], value=0.1), [np.zeros(1, np.float32)], "test")
    assert out[0] == np.float32(0.1)
    (out,) = apply(Pad([1], [0], value=float("nan")), [np.zeros(1, ml_dtypes.bfloat16)], "test")
    assert np.isnan(out[0])
    (out,) = apply(Pad([1], [0], value=-3), [np.zeros(1, ml_dtypes.int4)], "test")
    assert int(out[0]) == -3
    assert run(Pad([1], [1], value=True), [False]) == [True, False, True]
    big = np.array([1.5], ">f4")
    (out,) = apply(Pad([1], [0], value=np.float32(2.5)), [big], "test")
    assert out.tolist() == [2.5, 1.5]


def test_objects() -> None:
    words = np.array(["a", "b"], object)
    assert run(Pad([1], [0]), words) == ["", "a", "b"]
    assert run(Pad([1], [0], value="x"), words) == ["x", "a", "b"]
    assert run(Pad([1], [0], value=np.array(["y"], object)), words) == ["y", "a", "b"]
    assert run(Pad([1], [0], "edge"), words) == ["a", "a", "b"]
    assert run(Pad([1], [0]), np.array([3], object)) == [0, 3]


def test_operators_compare_by_the_bits_of_their_value() -> None:
    nan = np.array(np.nan, np.float32)
    assert Pad([1], [0], value=nan) == Pad([1], [0], value=nan.copy())
    assert hash(Pad([1], [0], value=nan)) == hash(Pad([1], [0], value=[nan][0].reshape(1)))
    assert Pad([1], [0], value=np.float32(0)) != Pad([1], [0], value=np.float32(-0.0))
    assert Pad([1], [0], value=Constant(nan)) == Pad([1], [0], value=nan)


@pytest.mark.parametrize(
    ("value", "dtype", "error", "text"),
    [
        (300, "uint8", InvalidValueError, "value is 300, allowed a value of uint8"),
        (0.5, "int32", InvalidValueError, "value is 0.5, allowed a value of int32"),
        (1e39, "float32", InvalidValueError, "value is 1e\\+39, allowed a value of float32"),
        (2**24 + 1, "float32", InvalidValueError, "value is 16777217"),
        (1, "bool", InvalidValueError, "value is 1, allowed a value of bool"),
        (True, "int8", InvalidValueError, "value is True"),
        (9, "int4", InvalidValueError, "value is 9, allowed a value of int4"),
        ("a", "int8", InvalidTypeError, "value is 'a', allowed a value of int8"),
        (1, "string", InvalidTypeError, "value is 1, allowed a value of object"),
        (np.float64(1), "float32", InvalidTypeError, "value has dtype float64, allowed float32, that of the data"),
        (np.int64(1), "string", InvalidTypeError, "value has dtype int64, allowed object"),
    ],
)  # fmt: skip
def test_values_of_another_type(value: object, dtype: str, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        Pad([1], [0], value=value).infer([TensorType(dtype, (2,))])  # type: ignore[arg-type]
    Pad([1], [0], "edge", value).infer([TensorType(dtype, (2,))])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Pad([1], [1, 2]), "ends has 2 entries, allowed 1 as begins"),
        (lambda: Pad([1], [1], axes=[0, 1]), "axes has 2 entries, allowed 1 as begins"),
        (lambda: Pad([1], [1], "mirror"), "mode is 'mirror', allowed 'constant', 'edge', 'reflect'"),
        (lambda: Pad([1], [1], value=[1, 2]), None),
        (lambda: Pad([1], [1], value=np.zeros(2)), r"value has sizes \[2\], allowed \[\] or \[1\]: one element"),
        (lambda: infer(Pad([1], [1]), (2, 3)), "begins has 1 entries, allowed 2: one for each axis of data"),
        (lambda: infer(Pad([1, 1], [1, 1], axes=[0, -2]), (2, 3)), r"axes is \[0, -2\], allowed each axis once"),
        (lambda: infer(Pad([1], [1], axes=[2]), (2, 3)), r"axes\[0\] is 2, allowed -2..1"),
        (lambda: infer(Pad([-2], [-2]), (3,)), "pads of axis 0 is -2 and -2, allowed a sum of -3 and more"),
        (lambda: infer(Pad([2], [0], "reflect"), (2,)), "pads of axis 0 is 2 and 0, allowed up to 1"),
        (lambda: infer(Pad([0], [3], "symmetric"), (2,)), "pads of axis 0 is 0 and 3, allowed up to 2"),
        (lambda: infer(Pad([1], [0], "edge"), (0,)), "size of axis 0 of data is 0, allowed 1 and more left to read"),
        (lambda: infer(Pad([-3], [4], "wrap"), (3,)), "size of axis 0 of data is 3, allowed 1 and more left to read"),
        (lambda: pad_of_pairs([1, 2, 3]), "pads has 3 entries, allowed an even number"),
        (lambda: pad_of_pairs([1, 2], axes=[0, 1]), "pads has 2 entries, allowed 4"),
    ],
)  # fmt: skip
def test_refusals(make: object, text: str | None) -> None:
    with pytest.raises((InvalidValueError, InvalidTypeError), match=text):
        make()  # type: ignore[operator]


def test_unknown_sizes() -> None:
    assert infer(Pad([1, 0], [0, 0]), ("N", "M")) == (None, "M")
    assert infer(Pad([9], [9], "reflect"), ("N",)) == (None,)
    assert infer(Pad([1], [0]), None) is None


def test_pads_from_inputs() -> None:
    builder = GraphBuilder("deferred")
    builder.add_input("x", TensorType("float32", ("N",)))
    builder.add_input("pads", TensorType("int64", (2,)))
    builder.add_input("value", TensorType("float32", ()))
    builder.add(Deferred(pad_of_pairs, (), (("pads", 1), ("value", 2))), ["x", "pads", "value"], ["y"], "ONNX Pad-13")
    model = GraphModel(builder.build(["y"]), "test")
    x = np.arange(3, dtype=np.float32)
    assert model.run([x, np.array([1, -1]), np.float32(7)])["y"].tolist() == [7, 0, 1]
    with pytest.raises(InvalidValueError, match="ONNX Pad-13: pads of axis 0 is 1 and -9"):
        model.run([x, np.array([1, -9]), np.float32(7)])


def test_each_byte_is_written_once_and_long_pads_stay_few_moves() -> None:
    x = np.arange(12, dtype=np.uint8).reshape(3, 4)
    for mode in PadMode:
        operator = Pad([50, 70], [90, 61], mode, beyond="fold")
        plan = planned([operator], [x], join=0)
        assert plan.bytes_moved == 2 * 143 * 135
        assert len(plan.moves) < 80
    many = planned([Pad([1] * 6, [1] * 6, "edge")], [np.arange(64, dtype=np.uint8).reshape((2,) * 6)], join=0)
    assert [type(move) for move in many.moves] == [ComputeMove] * 2
    assert_agrees(Pad([1] * 6, [1] * 6, "edge"), [np.arange(64, dtype=np.uint8).reshape((2,) * 6)])


def test_a_value_of_strings_is_never_cut() -> None:
    (padded,) = apply(Pad((1,), (0,), value="fill"), [np.array(["a"], "U4")], "test")
    assert padded.tolist() == ["fill", "a"]
    assert apply(Pad((1,), (0,), value="b"), [np.array([b"a"])], "test")[0].tolist() == [b"b", b"a"]
    for narrow in (np.array(["a"]), np.array([b"a"])):
        with pytest.raises(InvalidValueError, match=r"value is 'fill', allowed a value of .*; nothing is cut"):
            apply(Pad((1,), (0,), value="fill"), [narrow], "test")


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect"])
@pytest.mark.parametrize("seed", range(12))
def test_many_rows_padded_on_every_side(mode: str, seed: int) -> None:
    """So many bytes that the rows are filled together, and what pads whole planes by itself."""
    rng = np.random.default_rng([seed, len(mode)])
    shape = (int(rng.integers(150, 300)), int(rng.integers(20, 64)), int(rng.integers(30, 90)))
    begins, ends = rng.integers(0, 4, (2, 3)).tolist()
    data = rng.random(shape, np.float32)
    extra = {"constant_values": np.float32(7)} if mode == "constant" else {}
    expected = np.pad(data, list(zip(begins, ends, strict=True)), mode, **extra)
    operator = Pad(begins, ends, mode, value=7.0)
    plan = planned([operator], [data])
    (source,), (target,) = plan.inputs, plan.outputs
    made = plan.run({source: data}, {target: np.full_like(expected, 5)})[target]
    assert_same_bits(made, expected)
    out = np.zeros((*expected.shape[:2], expected.shape[2] + 5), np.float32)
    apply(operator, [data], "test", out[:, :, 2:-3])
    assert_same_bits(out[:, :, 2:-3].copy(), expected)
    assert not out[:, :, :2].any()
    assert not out[:, :, -3:].any()
