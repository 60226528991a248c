"""Every file of the fuzzers' corpora once more: refused in words or run, soon; and fuzzers that can fail."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

import wherry as wh
from tests.fuzz import mutate
from tests.fuzz.__main__ import CORPUS, SECONDS_EACH
from tests.fuzz.targets import TARGETS, refusal
from tests.fuzz.use import counts

pytestmark = pytest.mark.filterwarnings("ignore::wherry.errors.IndexOutOfRangeWarning")
"""DirectML leaves such updates out and warns, and mutations make indices of all kinds."""

FILES = [pytest.param(name, path, id=f"{name} {path.name}")
         for name in TARGETS for path in sorted((CORPUS / name).iterdir())]  # fmt: skip

LEAST = {"onnx": 60, "openvino": 50, "dxdispatch": 25, "webnn": 25, "wire": 6, "tensor": 20, "desc": 25}
"""Files of each corpus: fewer, and a corpus was lost."""


def test_there_is_a_corpus_for_each_target() -> None:
    assert LEAST.keys() == TARGETS.keys()
    for name, least in LEAST.items():
        assert len(list((CORPUS / name).iterdir())) >= least, name


@pytest.mark.parametrize(("name", "path"), FILES)
def test_refused_in_words_or_runs(name: str, path: Path) -> None:
    began = time.process_time()
    words = refusal(TARGETS[name], path.read_bytes())
    assert words is None or 20 < len(words) < 5000
    assert time.process_time() - began < SECONDS_EACH


@pytest.mark.parametrize("name", TARGETS)
def test_mutations_reach_past_the_parser(name: str) -> None:
    rng, before = Random(1), counts.copy()
    inputs = [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]
    for _ in range(200):
        refusal(TARGETS[name], TARGETS[name].mutate(rng.choice(inputs), rng))
    assert (counts - before)["read"] >= 5, counts - before


@pytest.mark.parametrize("name", TARGETS)
def test_a_seed_gives_the_same_inputs(name: str) -> None:
    first = min((CORPUS / name).iterdir()).read_bytes()
    made = [[TARGETS[name].mutate(first, Random(seed)) for seed in range(20)] for _ in range(2)]
    assert made[0] == made[1]
    assert len(set(made[0])) > 10


def test_a_wrong_value_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(graph: object, inputs: object) -> dict[str, np.ndarray]:
        return {"picked": np.zeros(1, np.float32)}

    monkeypatch.setattr("tests.fuzz.use.reference.run_graph", wrong)
    with pytest.raises(AssertionError):
        _run_all("onnx")


def test_a_location_that_is_not_utf_8_is_refused() -> None:
    tensor = bytes.fromhex("10016a0f0a086c6f636174696f6e120364c3617001")
    words = refusal(TARGETS["tensor"], tensor)
    assert words == "FileFormatError: StringStringEntryProto.value is b'd\\xc3a', which is not UTF-8"


@pytest.mark.parametrize("error", [RuntimeError, MemoryError, ZeroDivisionError, RecursionError])
def test_an_error_that_is_not_ours_is_a_finding(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_given: object, **_named: object) -> None:
        raise error

    monkeypatch.setattr(wh, "load", broken)
    with pytest.raises(error):
        _run_all("dxdispatch")


def _run_all(name: str) -> None:
    for path in sorted((CORPUS / name).iterdir()):
        refusal(TARGETS[name], path.read_bytes())


@pytest.mark.parametrize(
    "change", [mutate.json_file, lambda data, rng, words: mutate.xml_text(data.decode(), rng, words)]
)
def test_hostile_text_does_not_stop_a_mutation(change: Callable[..., object]) -> None:
    for data in (b"", b"[" * 5000, b"{}", b"<a", b'<a b="', json.dumps([[]] * 9).encode()):
        for seed in range(20):
            change(data, Random(seed), ["word"])
