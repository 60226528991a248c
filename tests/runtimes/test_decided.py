"""Conditions of a model before a run: what is known decides, and never tells the opposite of what the model shows."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.differential.onnx_cases import CASES
from tests.differential.openvino_cases import FAMILY, rare_cases
from wherry.runtimes import differences as known
from wherry.runtimes.case import Case
from wherry.runtimes.conditions import AllOf, AnyOf, Has, Not, Outside, Property, Types
from wherry.runtimes.differences import Difference, Does, differences
from wherry.runtimes.unseen import NotKnownError, Sizes, Unseen

ENTRIES = [entry for runtime in known.runtimes() for entry in differences(*runtime)]
SMALL = [entry for entry in ENTRIES if entry.does is not Does.ORDER]


def _ends(array: np.ndarray) -> tuple[Any, Any]:
    """Least and greatest number of an array; none of text, of what has a NaN, and of none."""
    if array.dtype.hasobject or array.dtype.kind == "c" or not array.size:
        return None, None
    if array.dtype.kind in "iu":
        return int(array.min()), int(array.max())
    with np.errstate(invalid="ignore"):
        numbers = array.astype(np.float64)
    return (None, None) if np.isnan(numbers).any() else (float(numbers.min()), float(numbers.max()))


def _hidden(array: Any, *, sizes: str = "known", has_range: bool = False, has_type: bool = True) -> Unseen:
    shape = tuple(None if sizes == "some" and place % 2 else size for place, size in enumerate(array.shape))
    ends = _ends(array) if has_range else (None, None)
    return Unseen(array.dtype if has_type else None, None if sizes == "none" else shape, *ends)


WAYS: list[dict[str, Any]] = [
    {},
    {"has_range": True},
    {"sizes": "some", "has_range": True},
    {"sizes": "none"},
    {"sizes": "none", "has_type": False},
]


def _veiled(case: Case) -> Iterator[Case]:
    """Yield a case with the elements, sizes or types of one input unknown, and of all."""
    for way in WAYS:
        stand_ins = [_hidden(array, **way) for array in case.inputs]
        yield replace(case, inputs=tuple(stand_ins), threads=None, instruction_set=None)
        for place, one in enumerate(stand_ins):
            yield replace(case, inputs=(*case.inputs[:place], one, *case.inputs[place + 1 :]))


def _assert_never_opposite(entry: Difference, case: Case) -> None:
    applies = entry.applies(case)
    for veiled in _veiled(case):
        assert entry.decided(veiled) in (applies, None), (entry.name, veiled)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.runtime}: {entry.name}")
def test_all_that_is_known_decides(entry: Difference) -> None:
    assert entry.decided(entry.example) is True
    for case in entry.neighbours:
        assert entry.decided(case) is entry.applies(case) is False


@pytest.mark.parametrize("entry", SMALL, ids=lambda entry: f"{entry.runtime}: {entry.name}")
def test_what_is_hidden_is_never_told(entry: Difference) -> None:
    for case in (entry.example, *entry.neighbours):
        _assert_never_opposite(entry, case)


def test_sizes_types_and_ranges_decide_most() -> None:
    """An answer of None alone would be sound, and of no use."""
    found: Counter[bool | None] = Counter()
    for entry in SMALL:
        for case in (entry.example, *entry.neighbours):
            inputs = tuple(_hidden(array, has_range=True) for array in case.inputs)
            found[entry.decided(replace(case, inputs=inputs))] += 1
    assert found[True] >= 90
    assert found[False] >= 160
    assert found.total() - found[None] >= 0.65 * found.total(), found


@pytest.mark.parametrize("operator", CASES)
def test_random_models_of_onnx(operator: str) -> None:
    entries = [one for one in differences("onnxruntime") if not one.operators or operator in one.operators]

    @settings(max_examples=20)
    @given(CASES[operator])
    def hide(case: Case) -> None:
        for entry in entries:
            _assert_never_opposite(entry, case)

    hide()


@pytest.mark.parametrize("operation", sorted({row.name for row in FAMILY}))
def test_random_models_of_openvino(operation: str) -> None:
    entries = [one for one in differences("openvino") if not one.operators or operation in one.operators]
    rows = [row for row in FAMILY if row.name == operation]

    @settings(max_examples=20)
    @given(st.one_of(*map(rare_cases, rows)))
    def hide(case: Case) -> None:
        for entry in entries:
            _assert_never_opposite(entry, case)

    hide()


def _of(*inputs: Any, **fields: Any) -> Case:
    return Case("Gather", 13, inputs, **fields)


I64, F32 = np.dtype(np.int64), np.dtype(np.float32)
FIVE = Unseen(F32, (5,))


@pytest.mark.parametrize(
    ("least", "most", "decided"),
    [(0, 4, False), (-5, 4, False), (5, 9, True), (-9, -6, True), (0, 5, None), (None, None, None), (None, -6, None)],
)
def test_a_range_decides_whether_an_index_is_outside(least: int | None, most: int | None, decided: bool | None) -> None:
    (entry,) = (one for one in differences("openvino") if one.name == "short vectors are read without a check")
    indices = Unseen(I64, (3,), least, most)
    case = Case("Gather", 8, (Unseen(np.dtype(np.int32), (5,)), indices, np.array(0)), kinds=("i32", "i64", "i64"))
    if (least, most) == (None, -6):
        decided = True  # an int64 ends somewhere, too
    assert entry.decided(case) is decided


@pytest.mark.parametrize(
    ("what", "array", "decided"),
    [
        ("a NaN", Unseen(I64, (2,)), False),
        ("a NaN", Unseen(F32, (2,)), None),
        ("a NaN", Unseen(F32, (2,), 0.0, 1.0), False),
        ("a NaN", Unseen(F32, (0,)), False),
        ("a signalling NaN", Unseen(F32, (2,), -1.0, 1.0), False),
        ("an infinity", Unseen(F32, (2,), 0.0, 1.0), False),
        ("an infinity", Unseen(F32, (2,), 0.0, np.inf), None),
        ("a negative zero", Unseen(F32, (2,), 0.5, 1.0), False),
        ("a negative zero", Unseen(F32, (2,), -1.0, 1.0), None),
        ("a subnormal number", Unseen(F32, None, 1.0, 2.0), False),
        ("a number that is subnormal as float32", Unseen(np.dtype(np.float64), None, 1e-40, 2.0), None),
        ("a negative number", Unseen(np.dtype(np.uint8)), False),
        ("a negative number", Unseen(I64, (2,), 0, 7), False),
        ("a negative number", Unseen(I64, (2,), -3, -1), True),
        ("a negative number", Unseen(I64, (None,), -3, -1), None),
        ("a negative number", Unseen(None, (2,)), None),
        ("a fraction", Unseen(I64), False),
        ("no element", Unseen(None, (3, 0)), True),
        ("no element", Unseen(None, (3, None)), None),
        ("no axis", Unseen(None, (None,)), False),
        ("no axis", Unseen(), None),
    ],
)
def test_values(what: str, array: Unseen, decided: bool | None) -> None:
    assert Has(0, what).decided(_of(array)) is decided
    assert Has(None, what).decided(_of(FIVE, array)) in (decided, None)


def test_three_values_are_joined() -> None:
    case = _of(Unseen(None, (2,)), Unseen(I64, (2,), 0, 7))
    unknown, false, true = Types(0, ("int64",)), Types(1, ("float32",)), Outside(1, -9, -1)
    assert [one.decided(case) for one in (unknown, false, true)] == [None, False, True]
    assert AllOf((unknown, false)).decided(case) is False
    assert AllOf((unknown, true)).decided(case) is None
    assert AnyOf((unknown, true)).decided(case) is True
    assert AnyOf((unknown, false)).decided(case) is None
    assert Not(unknown).decided(case) is None
    assert Not(true).decided(case) is False
    assert Outside(2, 0, 1).decided(case) is False
    assert Outside(0, 0, 1).decided(case) is None


def test_threads_and_instructions_may_be_unknown() -> None:
    case = _of(FIVE, threads=None, instruction_set=None)
    assert Property("it runs in several threads").decided(case) is None
    assert Property("run with AVX512_CORE_BF16").decided(case) is None


_ARRAY = Unseen(I64, (2, None), 0, 3)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: np.asarray(_ARRAY), lambda: _ARRAY + 1, lambda: 1 - _ARRAY, lambda: -_ARRAY, lambda: _ARRAY < 1,
        lambda: _ARRAY == 1, lambda: np.zeros(2) == _ARRAY, lambda: _ARRAY.astype(np.int8), lambda: _ARRAY[0],
        lambda: list(_ARRAY), lambda: bool(_ARRAY), lambda: int(_ARRAY), lambda: 1 in _ARRAY, lambda: np.abs(_ARRAY),
        lambda: np.broadcast_arrays(_ARRAY, np.zeros(2)), lambda: _ARRAY.shape[1], lambda: _ARRAY.size,
        lambda: tuple(_ARRAY.shape), lambda: 5 in _ARRAY.shape, lambda: _ARRAY.shape == (2, 3), lambda: Unseen().ndim,
        lambda: Unseen().dtype, lambda: _ARRAY.shape != (2, 3), lambda: Unseen(I64).shape, lambda: np.prod(_ARRAY),
    ],
)  # fmt: skip
def test_what_is_not_known_is_not_given(ask: Any) -> None:
    with pytest.raises(NotKnownError):
        ask()


def test_what_is_known_is_given() -> None:
    assert _ARRAY.ndim == 2
    assert _ARRAY.shape[0] == 2
    assert 2 in _ARRAY.shape
    assert _ARRAY.shape[:1] == (2,)
    assert Unseen(I64, (None, 0)).size == 0
    assert Unseen(I64, (3, 2)).size == 6
    assert hash(Sizes((1, 2))) == hash((1, 2))


DECIDING = ("case", "conditions", "processor", "unseen", "values", "properties/*")


def test_conditions_never_call_wherry() -> None:
    """A mistake in wherry must not decide which cases are compared."""
    folder = Path(known.__file__).parent
    paths = [path for name in DECIDING for path in folder.glob(f"{name}.py")]
    assert len(paths) >= 14
    allowed = {f"wherry.runtimes.{name}".removesuffix("/*") for name in DECIDING}
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [
                name.name for name in getattr(node, "names", ()) if isinstance(node, ast.Import)]  # fmt: skip
            others = [name for name in names if name.split(".")[0] == "wherry" and not any(
                name == one or name.startswith(f"{one}.") for one in allowed)]  # fmt: skip
            assert others == [], f"{path.name}, line {node.lineno}"
