"""What deferred operators expect of their outputs is what they turn out to be."""

import numpy as np
import pytest

from wherry.graph import Deferred
from wherry.ops import (
    Col2Im,
    Compress,
    Expand,
    Eye,
    Gather,
    OneHot,
    Operator,
    Pad,
    Reshape,
    ReverseSequence,
    ScatterElements,
    ScatterUpdate,
    Slice,
    Split,
    Squeeze,
    Tile,
    Transpose,
    Trilu,
    Unsqueeze,
    pad_of_pairs,
)
from wherry.tensors import TensorType

X = TensorType("float32", (2, 1, 3))
I = TensorType("int64", (2, 1, 1))  # noqa: E741


def vector(*entries: int) -> np.ndarray:
    return np.array(entries, np.int64)


# build, fields, the values of inputs, the inputs that are moved, whether each size is known before
CASES: dict[str, tuple[object, dict, dict, list[TensorType], tuple | None]] = {
    "slice": (Slice, {}, {"starts": vector(1), "ends": vector(2)}, [X], (None,) * 3),
    "pad": (Pad, {}, {"begins": vector(1, 0, 0), "ends": vector(0, 0, 2)}, [X], (None,) * 3),
    "transpose": (Transpose, {}, {"perm": vector(2, 0, 1)}, [X], (None,) * 3),
    "tile": (Tile, {}, {"repeats": vector(1, 2, 3)}, [X], (None,) * 3),
    "tile an axis": (Tile, {"axis": 1}, {"repeats": vector(2)}, [X], (None,) * 3),
    "tile padded": (Tile, {"lengths": "pad"}, {"repeats": vector(2, 1, 1, 1)}, [X], (None,) * 4),
    "tile padded, shorter": (Tile, {"lengths": "pad"}, {"repeats": vector(2)}, [X], (None,) * 3),
    "expand": (Expand, {}, {"shape": vector(4, 1, 2, 1, 1)}, [X.with_sizes((2, 1, 3))], (None,) * 5),
    "expand less": (Expand, {}, {"shape": vector(3)}, [X], (None,) * 3),
    "expand one way": (Expand, {"alignment": "one_way"}, {"shape": vector(4, 2, 1, 3)}, [X], (None,) * 4),
    "reshape": (Reshape, {}, {"shape": vector(-1, 2)}, [X], (None,) * 2),
    "squeeze": (Squeeze, {}, {"axes": vector(1)}, [X], (None,) * 2),
    "squeeze none": (Squeeze, {"empty": "none"}, {"axes": vector()}, [X], None),
    "squeeze, others stay": (Squeeze, {"other_sizes": "keep"}, {"axes": vector(0)}, [X], None),
    "unsqueeze": (Unsqueeze, {}, {"axes": vector(0, -1)}, [X], (None,) * 5),
    "split": (Split, {"axis": -1}, {"sizes": vector(3)}, [X], (2, 1, None)),
    "split an axis": (Split, {"sections": 1}, {"axis": np.array(1)}, [X], (None,) * 3),
    "compress": (Compress, {"axis": 1}, {"condition": np.array([True])}, [X], (2, None, 3)),
    "compress elements": (Compress, {}, {"condition": np.array([True])}, [X], (None,)),
    "reverse sequence": (ReverseSequence, {}, {"lengths": vector(2)}, [X], (2, 1, 3)),
    "band": (Trilu, {}, {"begin": np.array(1)}, [X], (2, 1, 3)),
    "eye": (Eye.eye, {"dtype": "int8", "columns": 3, "k": 0}, {"rows": np.array(2)}, [], (None, 3)),
    "batch of eyes": (Eye.eye, {"dtype": "int8", "rows": 2, "columns": 3, "k": 1}, {"batch": vector(4)}, [],
                      (None, 2, 3)),
    "col2im": (Col2Im, {"block_shape": (1, 1)}, {"image_shape": vector(1, 3)}, [X], (None,) * 4),
    "one hot": (OneHot, {"axis": 0}, {"depth": np.array(4)}, [I, X.with_sizes((2,))], (None, 2, 1, 1)),
    "one hot, kept axis": (OneHot, {"axis": -1, "keep_axis": True}, {"depth": np.array(4)},
                           [I, X.with_sizes((1,)), X.with_sizes((1,))], (2, 1, None)),
    "gather": (Gather, {"batch_dims": 1}, {"axis": np.array(2)}, [X, I], (None,) * 4),
    "scatter elements": (ScatterElements, {"off_axis": "at_most"}, {"axis": np.array(-1)},
                         [X, I, X.with_sizes(I.sizes)], (2, 1, 3)),
    "scatter along": (ScatterUpdate, {}, {"axis": np.array(0)}, [X, I.with_sizes((1,)), X.with_sizes((1, 1, 3))],
                      (2, 1, 3)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_expected_is_what_comes(name: str) -> None:
    build, fields, values, moved, sizes = CASES[name]
    kinds = [*moved, *map(TensorType.of, values.values())]
    waiting = {field: len(moved) + number for number, field in enumerate(values)}
    makes = getattr(build, "__self__", None)  # the class of a class method
    deferred = Deferred(build, tuple(fields.items()), tuple(waiting.items()), makes=makes)
    (expected,) = deferred.infer(kinds)
    assert expected.sizes == sizes
    operator = deferred.resolve({waiting[field]: value for field, value in values.items()})
    (found,) = operator.infer(moved)
    assert expected.accepts(found)
    unknown = [kind.with_sizes(None) for kind in kinds]
    assert deferred.infer(unknown)[0].accepts(found)


def test_a_function_says_what_it_makes() -> None:
    pads = TensorType("int64", (6,))
    waiting = (("pads", 1),)
    assert Deferred(pad_of_pairs, (), waiting).infer([X, pads])[0].sizes is None
    assert Deferred(pad_of_pairs, (), waiting, makes=Pad).infer([X, pads])[0].sizes == (None,) * 3
    assert issubclass(Pad, Operator)
    assert [kind.sizes for kind in Deferred(Split, (("axis", 0),), (("sizes", 1),), 2).infer([X, pads])] == [
        (None, 1, 3)
    ] * 2
