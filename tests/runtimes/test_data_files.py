"""The files of what is known of runtimes: what is written is read back, and they are as one function writes them."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.differential.onnx_cases import CASES
from tests.differential.openvino_cases import FAMILY, rare_cases
from wherry import dtypes
from wherry.runtimes import data_file
from wherry.runtimes.case import Case
from wherry.runtimes.case_json import case_from_json, case_to_json, tensor_from_json, tensor_to_json, uneven
from wherry.runtimes.condition_json import condition_from_json, condition_to_json
from wherry.runtimes.conditions import Condition
from wherry.runtimes.differences import DATA, Difference, Does, Source, content, differences, expected, runtimes

ENTRIES = [entry for runtime in runtimes() for entry in differences(*runtime)]
NAMED = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.runtime}: {entry.name}")


def assert_same_case(first: Case, second: Case) -> None:
    assert replace(first, inputs=()) == replace(second, inputs=())
    for one, other in zip(first.inputs, second.inputs, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        same = one.tolist() == other.tolist() if one.dtype.hasobject else one.tobytes() == other.tobytes()
        assert same, (one, other)


def through_json(value: Any) -> Any:
    return json.loads(data_file.spelled({"one": value}))["one"]


@pytest.mark.parametrize("path", sorted(DATA.glob("*.json")), ids=lambda path: path.name)
def test_a_file_is_as_it_is_written(path: Any) -> None:
    text = path.read_text(encoding="utf-8")
    value = json.loads(text)
    assert data_file.spelled(value) == text
    assert path.name == f"{value['runtime']}-{value['version']}.json"
    assert all(len(line) <= 120 or line.lstrip().startswith('"') for line in text.splitlines())


@NAMED
def test_an_entry_says_what_why_and_where(entry: Difference) -> None:
    assert entry.name
    assert entry.reason
    assert entry.link.startswith("https://")
    assert entry.neighbours
    assert str(entry.condition)
    assert list(entry.operators) == sorted(set(entry.operators))
    assert set(entry.written) <= {
        "name", "operators", "when", "does", "is_open", "rule", "reason", "link", "source", "not_asked", "holds_on",
        "example", "answers", "neighbours",
    }  # fmt: skip


@NAMED
def test_conditions_and_cases_are_read_back(entry: Difference) -> None:
    when = condition_to_json(entry.when)
    assert when == entry.written["when"]
    assert condition_from_json(through_json(when)) == entry.when
    for case, written in zip(
        (entry.example, *entry.neighbours), (entry.written["example"], *entry.written["neighbours"]), strict=True
    ):
        assert case_to_json(case, entry.runtime) == written
        assert_same_case(case_from_json(through_json(written), entry.runtime), case)


@NAMED
def test_the_answers_part(entry: Difference) -> None:
    theirs, specified = entry.answer, entry.specified
    if entry.source is Source.MEASURED:
        assert (
            theirs.what
            in {
                Does.REFUSES: {"refuses"},
                Does.DIFFERS: {"gives"},
                Does.CRASHES: {"crashes"},
                Does.UNSAFE: {"crashes", "varies", "gives"},
                Does.ORDER: {"varies"},
            }[entry.does]
        )
    else:
        assert theirs.what == "documented"
    assert specified.what in ("gives", "large", "refuses", "open")
    assert theirs.words or theirs.tensors
    assert specified.words or specified.tensors
    if theirs.what == specified.what == "gives":
        mine, other = ([tensor_to_json(one) for one in answer.tensors] for answer in (specified, theirs))
        assert json.dumps(mine) != json.dumps(other)  # in which -0.0 is not 0.0


def test_names_are_distinct() -> None:
    names = [(entry.runtime, entry.version, entry.name) for entry in ENTRIES]
    assert len(set(names)) == len(names)


@settings(max_examples=300)
@given(st.one_of([made for name, made in CASES.items() if name != "ConstantOfShape"]))
def test_any_case_of_onnx_is_read_back(case: Case) -> None:
    """NaN payloads, signs of zero, text, types of a few bits, no elements; but for attributes that are tensors."""
    assert_same_case(case_from_json(through_json(case_to_json(case, "onnxruntime")), "onnxruntime"), case)


@settings(max_examples=300)
@given(st.one_of([rare_cases(row) for row in FAMILY]))
def test_any_case_of_openvino_is_read_back(case: Case) -> None:
    assert_same_case(case_from_json(through_json(case_to_json(case, "openvino")), "openvino"), case)


@pytest.mark.parametrize("row", [row for row in dtypes.TABLE if row.bits <= 16 and not row.is_string], ids=str)
def test_every_bit_pattern_is_read_back(row: dtypes.DType) -> None:
    codes = np.arange(2 if row.name == "bool" else 2**row.bits)
    array = codes.astype(f"u{row.numpy.itemsize}").view(row.numpy)
    for part in np.array_split(array, max(1, len(array) // 4096)):
        back = tensor_from_json(through_json(tensor_to_json(part)))
        assert back.dtype == row.numpy
        assert back.tobytes() == part.tobytes()


def test_large_tensors_are_rules() -> None:
    for array, members in (
        (np.zeros((10**6, 1), np.int64), {"filled": 0}),
        (np.arange(1000) % 8, {"counted_to": 8}),
        (np.arange(100.0), {}),
        (uneven(10**4).astype(np.int32), {"is_uneven": True}),
    ):
        written = tensor_to_json(array)
        assert written == {"type": array.dtype.name, "sizes": list(array.shape), **members}
        assert_same_case(Case("", 1, (tensor_from_json(written),)), Case("", 1, (array,)))
    listed = np.random.default_rng(0).standard_normal(100)
    assert np.array_equal(tensor_from_json(through_json(tensor_to_json(listed))), listed)


def test_what_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError, match=r"nothing is known of onnxruntime 0\.1"):
        content("onnxruntime", "0.1")
    with pytest.raises(KeyError, match="nothing is known of abacus"):
        differences("abacus")
    with pytest.raises(KeyError, match="a soul"):
        condition_from_json({"a soul": 1})
    with pytest.raises(KeyError, match="to whom"):
        condition_from_json({"version from": 1, "to whom": 2})


def test_the_first_entry_is_expected() -> None:
    entry = next(one for one in ENTRIES if one.name == "Gather of strings copies only the first of each slice")
    found = expected(entry.example, "onnxruntime")
    assert found is entry
    assert isinstance(found.when, Condition)
    assert expected(entry.neighbours[0], "onnxruntime") is None


_LOADED = """
import sys, time
import wherry
early = [name for name in sys.modules if name.startswith("wherry.runtimes.")]
from wherry.runtimes import differences
begin = time.process_time()
count = sum(len(differences.differences(*runtime)) for runtime in differences.runtimes())
print(early == [], count, time.process_time() - begin)
"""


def test_nothing_is_read_before_it_is_asked_for_and_all_of_it_at_once() -> None:
    answers = [
        subprocess.run([sys.executable, "-c", _LOADED], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(3)
    ]
    assert {answer[0] for answer in answers} == {"True"}
    assert {int(answer[1]) for answer in answers} == {len(ENTRIES)}
    assert min(float(answer[2]) for answer in answers) < 0.1
