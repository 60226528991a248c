"""Graphs as a browser runs them: the JavaScript that wherry writes, built by Chromium's own WebNN, beside our results.

Debian's Chromium has the interface and no backend; `make browser` unpacks one that has both.
"""

from __future__ import annotations

import base64
import http.server
import json
import os
import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wherry as wh
from tests.conversion.sites import Use, use
from tests.conversion.strategies import USES, uses
from tests.conversion.test_webnn import SAID
from tests.support.compare import assert_same_bits
from wherry import dtypes
from wherry.errors import ConversionError, IndexOutOfRangeError, InvalidValueError
from wherry.models.model import Model
from wherry.ops import Accumulate, ArgExtreme, Binary, Clip, Compare, Divide, Extreme, Reduce, Unary, Where

UNPACKED = Path(__file__).parents[3] / "build" / "chromium-webnn" / "chromium"
"""Where `make browser` puts a Chromium with a backend for WebNN."""

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-zygote", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync",
             "--enable-features=WebMachineLearningNeuralNetwork"]  # fmt: skip

RUN = """async ([path, arrays]) => {
  const context = globalThis.context ??= await navigator.ml.createContext({deviceType: "cpu"});
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const {build, inputs, outputs} = await import(path);
  const graph = await build(context);
  const given = {}, wanted = {}, results = {};
  for (const name in inputs) {
    given[name] = await context.createTensor({...inputs[name], writable: true});
    context.writeTensor(given[name], bytes(arrays[name]));
  }
  for (const name in outputs)
    wanted[name] = await context.createTensor({...outputs[name], readable: true});
  context.dispatch(graph, given, wanted);
  for (const name of Object.keys(wanted))
    results[name] = btoa(String.fromCharCode(...new Uint8Array(await context.readTensor(wanted[name]))));
  return results;
}"""

PROBE = """async () => {
  if (typeof MLGraphBuilder === "undefined" || !navigator.ml) return "it has no WebNN";
  try { await navigator.ml.createContext({deviceType: "cpu"}); return ""; } catch (error) { return String(error); }
}"""


class Browser:
    """A page of a real browser, to which a local server hands modules."""

    def __init__(self, page: Any, pages: dict[str, str]) -> None:
        self.page = page
        self.pages = pages
        self.errors: list[str] = []

    def run(self, model: Model, arrays: dict[str, np.ndarray], folder: Path) -> dict[str, np.ndarray]:
        """Save a model as JavaScript, and return what the browser's graph of it makes of arrays."""
        wh.save(model, folder / "m.mjs")
        path = f"/{len(self.pages)}.mjs"
        self.pages[path] = (folder / "m.mjs").read_text()
        described = model.graph.types
        texts = {name: base64.b64encode(array.tobytes()).decode() for name, array in arrays.items()}
        found = self.page.evaluate(RUN, [path, texts])
        return {
            name: np.frombuffer(base64.b64decode(text), described[name].numpy).reshape(described[name].shape)
            for name, text in found.items()
        }


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api")
    own = os.environ.get("WHERRY_CHROMIUM") or (str(UNPACKED) if UNPACKED.exists() else None)
    path = own or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("no Chromium is installed: see make browser")
    pages = {"/": "<!doctype html><title>WebNN</title>"}
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(pages))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=path, args=ARGUMENTS)
        page = started.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        reason = page.evaluate(PROBE)
        if reason:
            started.close()
            pytest.skip(f"{path}: {reason}")
        yield Browser(page, pages)
        started.close()
    server.shutdown()


def _handler(pages: dict[str, str]) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            text = pages.get(self.path)
            self.send_response(200 if text is not None else 404)
            self.send_header("content-type", "text/javascript" if self.path.endswith(".mjs") else "text/html")
            self.end_headers()
            self.wfile.write((text or "").encode())

        def log_message(self, *_: object) -> None:
            pass

    return Handler


INTEGERS = np.int32([[7, -7, 5], [-5, 0, 2]])
OTHERS = np.int32([[2, 2, -3], [3, 1, 2]])
FLOATS = np.float32([[1.5, -2.25, 0.0], [np.inf, -0.0, 3.0]])
UINT8 = dtypes.find("uint8")

COMPUTED: dict[str, Use] = {
    **{f"{function} of integers": use(Binary(function), INTEGERS, OTHERS)
       for function in ("add", "subtract", "multiply")},
    "a sum that broadcasts": use(Binary("add"), FLOATS, np.float32([[1], [2]])),
    "a quotient": use(Divide(), FLOATS, np.float32([[2, 4, 8], [2, 4, 0.5]])),
    "a quotient of integers": use(Divide(), INTEGERS, OTHERS),
    "the greater": use(Extreme("maximum"), INTEGERS, OTHERS),
    "three": use(Extreme("minimum"), INTEGERS, OTHERS, np.int32([1])),
    "less": use(Compare("less", dtype=UINT8), INTEGERS, OTHERS),
    "not equal": use(Compare("not_equal", dtype=UINT8), FLOATS, FLOATS.T.copy().reshape(2, 3)),
    "a choice": use(Where(), np.uint8([[1, 0, 2]]), FLOATS, -FLOATS),
    "negative": use(Unary("negative"), FLOATS),
    "absolute": use(Unary("absolute"), FLOATS),
    "sign": use(Unary("sign"), FLOATS),
    "clip": use(Clip(-1.0, 2.0, "raise"), FLOATS),
    "a sum along an axis": use(Reduce("sum", (1,), keep_axes=False), INTEGERS),
    "a product": use(Reduce("product", (0,)), INTEGERS),
    "the greatest": use(Reduce("maximum", (0, 1)), FLOATS),
    "where the least is": use(ArgExtreme("minimum", 1, True, False), INTEGERS),
    "running sums": use(Accumulate("sum", 1, exclusive=True, reverse=True), INTEGERS),
}  # fmt: skip

MOVED = {name: one for name, (one, _) in SAID.items()}

BACKEND_LACKS = {
    "lines of bool": "gatherElements only supports constant indices",
    "a scatter": "Unsupported data type int64 for argument indices",
}
"""What Chromium's backend does not take of graphs that the text allows, by its own words."""


def model_of(one: Use) -> tuple[Model, dict[str, np.ndarray]]:
    """Return a use as a WebNN model, and its inputs: as bits where WebNN lacks their type."""
    model = wh.convert(one.model(), "webnn")
    return model, {name: np.ascontiguousarray(one.given[name]).view(model.inputs[name].numpy) for name in model.inputs}


def assert_same_numbers(found: np.ndarray, expected: np.ndarray) -> None:
    """Compare all bits, but for zeros: Chromium's neg is 0 - x, of which the zero is 0.0."""
    zeros = expected == 0
    assert_same_bits(np.where(zeros, abs(found), found), np.where(zeros, abs(expected), expected))


@pytest.mark.parametrize("name", {**COMPUTED, **MOVED})
def test_a_browser_gives_the_same_results(name: str, browser: Browser, tmp_path: Path) -> None:
    model, arrays = model_of({**COMPUTED, **MOVED}[name])
    if name in BACKEND_LACKS:
        with pytest.raises(Exception, match=BACKEND_LACKS[name]):
            browser.run(model, arrays, tmp_path)
        return
    found = browser.run(model, arrays, tmp_path)
    for output, expected in model.run(arrays).items():
        (assert_same_numbers if name == "negative" else assert_same_bits)(found[output], expected)


def test_a_graph_of_several_operators(browser: Browser, tmp_path: Path) -> None:
    """As ONNX has it: a window, a sum over it, a choice, all in one graph."""
    text = {
        "inputs": {name: {"dataType": "float32", "shape": [2, 4]} for name in ("x", "unused")},
        "constants": {"one": {"dataType": "float32", "shape": [], "data": [1]}},
        "operations": [
            {"method": "slice", "operands": ["x"], "arguments": {"starts": [0, 1], "sizes": [2, 3]}, "outputs": ["w"]},
            {"method": "sub", "operands": ["w", "one"], "outputs": ["d"]},
            {"method": "greater", "operands": ["d", "one"], "outputs": ["g"]},
            {"method": "where", "operands": ["g", "w", "d"], "outputs": ["c"]},
            {"method": "reduceMax", "operands": ["c"], "options": {"axes": [1]}, "outputs": ["y"]},
        ],
        "outputs": ["y", "c"],
    }
    (tmp_path / "g.webnn.json").write_text(json.dumps(text))
    model = wh.load(tmp_path / "g.webnn.json")
    arrays = {name: np.arange(8, dtype=np.float32).reshape(2, 4) for name in ("x", "unused")}
    found = browser.run(model, arrays, tmp_path)
    for output, expected in model.run(arrays).items():
        assert_same_bits(found[output], expected)


RAN: Counter[str] = Counter()


@pytest.mark.filterwarnings("ignore::wherry.errors.IndexOutOfRangeWarning")
def test_drawn_graphs(browser: Browser, tmp_path: Path) -> None:
    """Uses of all operators: what the backend takes has our bits."""

    @settings(max_examples=150)
    @given(draw=st.data())
    def check(draw: st.DataObject) -> None:
        one = draw.draw(uses(USES[draw.draw(st.sampled_from(sorted(USES)))]))
        try:
            model, arrays = model_of(one)
            expected = model.run(arrays)
        except (ConversionError, InvalidValueError, IndexOutOfRangeError):
            return
        try:
            found = browser.run(model, arrays, tmp_path)
        except Exception as error:
            assert "MLGraphBuilder" in str(error), error
            RAN["refused"] += 1
            return
        RAN["same"] += 1
        for output, wanted in expected.items():
            assert_same_bits(found[output], wanted)

    check()
    assert RAN["same"] > RAN["refused"], RAN
