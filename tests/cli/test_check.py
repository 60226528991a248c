"""wherry check: what it prints and writes, its exit status, and the page that a real browser draws."""

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import helper

import wherry as wh
from tests.cli.conftest import opened
from tests.cli.test_cli import call
from tests.portability.models import INDEXED, TRIALS, X, model


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(TRIALS["a Gather whose indices may be anything"].build(), path)
    status, out, _ = call("check", path, "--target", "openvino:opset8")
    assert status == 0
    assert out.splitlines()[:2] == ["m.onnx: 1 node judged", "  openvino opset8          1 maybe"]
    assert call("check", path, "--fail-on", "unsafe")[0] == 0
    assert call("check", path, "--fail-on", "maybe")[0] == 1
    assert call("check", path, "--fail-on", "bad")[0] == 2
    assert call("check", path, "--target", "onyx")[0] == 2
    assert call("check", path, "--sarif", tmp_path / "out.sarif")[0] == 0
    log = json.loads((tmp_path / "out.sarif").read_text())
    assert log["version"] == "2.1.0"
    results, rules = log["runs"][0]["results"], log["runs"][0]["tool"]["driver"]["rules"]
    assert len(results) == len(wh.check(wh.load(path)).findings)
    assert all(rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in results)
    assert {one["level"] for one in results} == {"warning", "note"}
    np.save(tmp_path / "x.npy", X)
    np.save(tmp_path / "i.npy", np.array([0, 7]))
    given = [f"--input=x={tmp_path / 'x.npy'}", f"--input=i={tmp_path / 'i.npy'}"]
    status, out, _ = call("check", path, "--target", "openvino:opset8", *given)
    assert "openvino opset8          1 differs" in out
    status, out, _ = call("check", path, "--json")
    assert json.loads(out) == wh.check(wh.load(path)).as_json()


HOSTILE = "</script><b>\x1b[31m<img src=x onerror=alert(1)>"


def test_names_of_nodes_are_no_markup_and_no_commands(tmp_path: Path) -> None:
    gather = helper.make_node("Gather", ["x", "i"], ["y"], HOSTILE)
    path = tmp_path / "m.onnx"
    onnx.save(model([gather], INDEXED), path)
    page = tmp_path / "page.html"
    status, out, _ = call("check", path, "--target", "openvino:opset8", "--html", page)
    assert status == 0
    assert "\x1b" not in out
    assert r"\x1b[31m<img" in out
    text = page.read_text()
    assert text.count("</script>") == 2
    assert "<img" not in text
    assert "default-src 'none'" in text


def test_a_page_shows_and_filters_findings(tmp_path: Path, browser: object) -> None:
    path, page = tmp_path / "m.onnx", tmp_path / "page.html"
    onnx.save(TRIALS["a Gather whose indices may be anything"].build(), path)
    assert call("check", path, "--html", page)[0] == 0
    shown, errors = opened(browser, page)
    assert shown.title() == "m.onnx \u2013 wherry check"
    assert shown.inner_text("#count") == "5 of 5 findings"
    shown.select_option("#target", "webnn")
    assert shown.inner_text("#count") == "1 of 5 findings"
    assert shown.locator("article:visible h2").inner_text() == "maybe webnn: out_of_range"
    assert errors == []
