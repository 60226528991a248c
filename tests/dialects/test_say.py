"""say: how each dialect says a node is data, and so is why it cannot; no model is written to find out."""

import subprocess
import sys

import numpy as np
import pytest

from wherry.dialects.directml import say as directml
from wherry.dialects.directml.enums import as_feature_level
from wherry.dialects.onnx.say import advised
from wherry.dialects.onnx.say import say as say_onnx
from wherry.dialects.openvino.say import say as say_openvino
from wherry.dialects.refusal import Fault, Refusal
from wherry.dialects.rows import FilledRow
from wherry.errors import InvalidTypeError, InvalidValueError, UnsupportedError
from wherry.graph import Deferred, Node
from wherry.ops import Gather, GatherTree, Pad, Roll, Split, Transpose
from wherry.tensors import TensorType

FLOATS, PLACES = TensorType("float32", (4, 6)), TensorType("int64", (2,))
LEVEL = as_feature_level("6.4")


def node(operator, count=1):
    return Node(operator, tuple(f"x{n}" for n in range(count)), ("y",), "test 'node'", "node")


def gather(rule):
    return node(Gather(1, 0, rule), 2)


def test_onnx_fills_a_row():
    filled = say_onnx(gather("raise"), [FLOATS, PLACES], [None, None], 13)
    assert isinstance(filled, FilledRow)
    assert filled.row.subject == "ONNX Gather-13"
    assert filled.attributes == {"axis": 1}
    assert filled.inputs == {"data": "x0", "indices": "x1"}


def test_onnx_puts_fields_where_the_version_has_them():
    split = Node(Split(0, sizes=(1, 3)), ("x0",), ("y", "z"), "test 'node'")
    assert say_onnx(split, [FLOATS], [None], 11).attributes == {"axis": 0, "split": [1, 3]}
    filled = say_onnx(split, [FLOATS], [None], 13)
    assert filled.attributes == {"axis": 0}
    assert filled.inputs["split"].tolist() == [1, 3]


def test_openvino_fills_a_row_with_constants():
    filled = say_openvino(gather("zero"), [FLOATS, PLACES], [None, None])
    assert filled.row.title == "Gather-8"
    assert filled.attributes == {"batch_dims": 0}
    assert [filled.inputs["data"], filled.inputs["indices"], int(filled.inputs["axis"])] == ["x0", "x1", 1]


def test_openvino_reads_fields_from_tensors():
    fixed = (("out_of_range", "zero"), ("negative", "from_end"), ("batch_dims", 0))
    waiting = node(Deferred(Gather, fixed, (("axis", 2),)), 3)
    filled = say_openvino(waiting, [FLOATS, PLACES, TensorType("int64", ())], [None] * 3)
    assert dict(filled.inputs) == {"data": "x0", "indices": "x1", "axis": "x2"}


def test_directml_fills_a_description():
    filled = directml.say(gather("clamp"), [FLOATS, PLACES], [None, None], LEVEL)
    assert filled.desc.name == "GATHER"
    assert filled.bindings == {"InputTensor": ("x0",), "IndicesTensor": ("x1",), "OutputTensor": ("y",)}


def test_directml_says_views_by_strides_and_parts_by_bytes():
    turned = directml.say(node(Transpose()), [FLOATS], [None], LEVEL)
    assert (turned.desc.name, turned.desc.input_tensor.strides) == ("ELEMENT_WISE_IDENTITY", (1, 6))
    rolled = directml.say(node(Roll((2,), (0,))), [FLOATS], [None], LEVEL)
    assert rolled.desc.name == "JOIN"
    assert rolled.bindings["InputTensors"] == (directml.Part("x0", 48), "x0")


def test_directml_says_one_description_or_none():
    refusal = directml.say(node(Roll((1, 1), (0, 1))), [FLOATS], [None], LEVEL)
    assert refusal.faults[0].field == "axes"
    assert directml.say(node(Pad((-1, 0), (0, 0))), [FLOATS], [None], LEVEL).faults[0].field == "begins, ends"


def test_directml_depends_on_known_values():
    places = np.array([1, 2])
    assert isinstance(directml.say(gather("raise"), [FLOATS, PLACES], [None, None], LEVEL), Refusal)
    assert isinstance(directml.say(gather("raise"), [FLOATS, PLACES], [None, places], LEVEL), directml.FilledDesc)


REFUSED = {
    "onnx": (lambda: say_onnx(gather("zero"), [FLOATS, PLACES], [None, None], 13), "out_of_range", UnsupportedError),
    "onnx types": (lambda: say_onnx(gather("raise"), [FLOATS, TensorType("uint8", (2,))], [None, None], 13),
                   "indices", UnsupportedError),
    "onnx operator": (lambda: say_onnx(node(GatherTree(), 4), [FLOATS] * 4, [None] * 4, 13), "operator",
                      UnsupportedError),
    "openvino": (lambda: say_openvino(gather("clamp"), [FLOATS, PLACES], [None, None]), "out_of_range",
                 UnsupportedError),
    "openvino types": (lambda: say_openvino(gather("zero"), [FLOATS, TensorType("float32", (2,))], [None, None]),
                       "indices", InvalidTypeError),
    "directml": (lambda: directml.say(gather("raise"), [FLOATS, PLACES], [None, None], LEVEL), "out_of_range",
                 UnsupportedError),
    "directml sizes": (lambda: directml.say(node(Transpose()), [FLOATS.with_sizes((None, 6))], [None], LEVEL),
                       "sizes", InvalidValueError),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_is_data_until_it_is_raised(name):
    say, field, error = REFUSED[name]
    refusal = say()
    assert isinstance(refusal, Refusal)
    assert refusal.faults[0].field.split(".")[0] == field
    assert all(fault.words in refusal.message for fault in refusal.faults)
    assert type(refusal.error()) is error
    assert refusal.error().message == refusal.message


def test_a_refusal_tells_the_value_and_what_the_dialect_has():
    fault = directml.say(gather("raise"), [FLOATS, PLACES], [None, None], LEVEL).faults[0]
    assert (fault.value, fault.allowed) == ("raise", "'clamp'")
    fault = say_openvino(gather("clamp"), [FLOATS, PLACES], [None, None]).faults[0]
    assert (fault.value, fault.allowed) == ("clamp", "zero")


def test_onnx_advises_other_opsets():
    backwards = Node(Pad((0, 1), (0, 0), "edge", axes=(0, 1), beyond="fold"), ("x0",), ("y",), "test 'node'")
    types = [FLOATS.with_sizes(None)]
    refusal = say_onnx(backwards, types, [None], 13)
    assert not refusal.advice
    assert advised(refusal, backwards, types).message.endswith("; write opset 18..28")


def test_faults_are_joined_and_introduced():
    refusal = Refusal((Fault("a", "a is 1"), Fault("b", "b is 2")), "no: ", "; do c", "who")
    assert str(refusal.error()) == "who: no: a is 1; b is 2; do c"
    assert Refusal.of(InvalidValueError("a is 1, allowed 2", "who")).faults[0].field == "a"


def test_nothing_is_written_to_find_out():
    code = (
        "import sys\n"
        "from wherry.conversion.targets import target_of\n"
        "from tests.dialects import test_say as t\n"
        "t.say_onnx(t.gather('zero'), [t.FLOATS, t.PLACES], [None, None], 13)\n"
        "t.say_openvino(t.gather('raise'), [t.FLOATS, t.PLACES], [None, None])\n"
        "assert not {'onnx', 'google.protobuf'} & set(sys.modules)\n"
        "assert not [name for name in sys.modules if name.startswith('wherry.') and name.endswith('.writer')]\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
