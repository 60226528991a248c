"""StringPack and StringUnpack: plan and formula agree; OpenVINO's examples; they undo each other; every refusal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run import agreed, one
from tests.support.strategies import sizes, strided
from wherry.engine.call import apply
from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError
from wherry.graph import Deferred, GraphBuilder
from wherry.models.model import GraphModel
from wherry.ops import StringPack, StringUnpack
from wherry.tensors import TensorType


def symbols(text: str) -> np.ndarray:
    return np.frombuffer(text.encode(), np.uint8)


@given(st.data())
def test_they_undo_each_other(draw: st.DataObject) -> None:
    shape = draw.draw(sizes(3, 3))
    count = int(np.prod(shape))
    texts = draw.draw(
        st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), min_size=count, max_size=count)
    )
    data = np.empty(count, object)
    data[:] = texts
    begins, ends, run = agreed(StringUnpack(data.reshape(shape), draw.draw(st.sampled_from(["int32", "int64"]))))
    begins, ends = draw.draw(strided(begins)), draw.draw(strided(ends))
    assert one(StringPack(), begins, ends, draw.draw(strided(run))).ravel().tolist() == texts


@pytest.mark.parametrize(
    ("begins", "ends", "text", "strings"),
    [
        ([0, 5], [5, 13], "IntelOpenVINO", ["Intel", "OpenVINO"]),
        ([0, 3, 3, 8, 9], [3, 3, 8, 9, 13], "OMZGenAI 2024", ["OMZ", "", "GenAI", " ", "2024"]),
        ([[0, 5], [13, 16]], [[5, 13], [16, 21]], "IntelOpenVINOOMZGenAI", [["Intel", "OpenVINO"], ["OMZ", "GenAI"]]),
    ],
)
def test_openvino_string_tensor_examples(begins: list, ends: list, text: str, strings: list) -> None:
    assert one(StringPack(), begins, ends, symbols(text)).tolist() == strings
    outputs = agreed(StringUnpack(np.array(strings, object)))
    assert [out.dtype.name for out in outputs] == ["int32", "int32", "uint8"]
    assert [out.tolist() for out in outputs] == [begins, ends, list(text.encode())]


def test_runs_may_skip_and_overlap() -> None:
    assert one(StringPack(), [0, 8], [1, 9], symbols("123456789")).tolist() == ["1", "9"]
    assert one(StringPack(), [0, 1, 3], [3, 2, 3], symbols("abc")).tolist() == ["abc", "b", ""]


def test_bytes_that_are_no_utf8_are_kept() -> None:
    run = np.array([0xFF, 0xFE, 0x41], np.uint8)
    packed = one(StringPack(), [0], [3], run)
    assert agreed(StringUnpack(packed))[2].tolist() == run.tolist()


def test_strings_of_one_width() -> None:
    for data in (np.array(["é", ""]), np.array(["é".encode(), b""])):
        assert [out.tolist() for out in agreed(StringUnpack(data))] == [[0, 2], [2, 2], [0xC3, 0xA9]]
    assert [out.shape for out in agreed(StringUnpack(np.zeros((0, 2), object)))] == [(0, 2), (0, 2), (0,)]


def test_data_may_be_an_input() -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("string", ("N",)))
    kinds = builder.add(Deferred(StringUnpack, (), (("data", 0),)), ["x"], ["b", "e", "s"], "Unpack")
    assert list(map(str, kinds)) == ["int32[N]", "int32[N]", "uint8[?]"]
    builder.add(StringPack(), ["b", "e", "s"], ["y"], "Pack")
    assert GraphModel(builder.build(["y"]), "openvino").run([["ab", "", "c"]])["y"].tolist() == ["ab", "", "c"]


def test_unknown_sizes() -> None:
    index, run = TensorType("int64", ("N", None)), TensorType("uint8", (None,))
    assert str(StringPack().infer([index, TensorType("int64", (2, 3)), run])[0]) == "string[2, 3]"
    assert str(StringPack().infer([TensorType("int64", None), index, run])[0]) == "string[N, ?]"


@pytest.mark.parametrize(
    ("inputs", "error", "text"),
    [
        (([[0, 3]], [[2, 9]], symbols("1234")), IndexOutOfRangeError, r"T: the run at \[0, 1\] is 3..9, allowed 0 <= "),
        (([3], [1], symbols("1234")), IndexOutOfRangeError, r"the run at \[0\] is 3..1"),
        (([-1], [1], symbols("1234")), IndexOutOfRangeError, "is -1..1"),
        (([9], [9], symbols("1234")), IndexOutOfRangeError, "is 9..9"),
        (([0.0], [1.0], symbols("a")), InvalidTypeError, "begins has dtype float64, allowed integers"),
        (([0], np.array([1], np.int32), symbols("a")), InvalidTypeError, "ends has dtype int32, allowed int64"),
        (([0], [1], [97]), InvalidTypeError, "symbols has dtype int64, allowed uint8"),
        (([0], [1], [symbols("a")]), InvalidValueError, "symbols has 2 axes, allowed 1"),
        (([0], [1, 1], symbols("a")), InvalidValueError, r"ends has sizes \[2\], allowed \[1\]"),
    ],
)
def test_refusals(inputs: tuple, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        apply(StringPack(), [np.asarray(value) for value in inputs], "T")


def test_unpack_refusals() -> None:
    with pytest.raises(InvalidTypeError, match="data has dtype int64, allowed strings"):
        StringUnpack([1])
    with pytest.raises(InvalidTypeError, match="element 1 of data is a int, allowed a string"):
        agreed(StringUnpack(np.array(["a", 1], object)))
    with pytest.raises(InvalidValueError, match="element 0 of data has no UTF-8 form"):
        agreed(StringUnpack(np.array(["\ud800"], object)))
