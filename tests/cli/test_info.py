"""wherry info: a screen, all nodes, one node, JSON, and a page that a real browser draws; wherry extract."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import pytest

import wherry as wh
from tests.cli.conftest import opened
from tests.cli.test_cli import EXAMPLES, call
from tests.dialects.onnx.models import model
from wherry.cli.show import COLUMNS, LINES
from wherry.models.summary import Summary

node = onnx.helper.make_node

X = np.zeros((2, 3, 4), np.float32)
DOCS = Path(__file__).parents[2] / "docs"


def real(package: str, path: str) -> Path:
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        pytest.skip(f"{package} is not installed")
    return Path(found.origin).parent / path


@pytest.fixture
def net(tmp_path: Path) -> Path:
    nodes = [
        node("Relu", ["x"], ["r"], name="act"),
        node("Transpose", ["r"], ["t"], name="turn"),
        node("Concat", ["t", "t"], ["y"], axis=0, name="<b>twice</b>"),
    ]
    path = tmp_path / "net.onnx"
    onnx.save(model(nodes, {"x": X}, ["y"]), path)
    return path


def test_a_model_on_a_screen(net: Path) -> None:
    status, out, _ = call("info", net)
    assert status == 0
    assert out.splitlines()[1:3] == ["input   x  float32[2, 3, 4]", "output  y  float32[8, 3, 2]"]
    assert "3 nodes: 2 move data, 1 do not\nmoving  1 Concat, 1 Transpose\nother   1 Relu\n" in out
    assert "moved   192 bytes if each node runs once; 96 bytes more lie in views" in out
    assert "   192 bytes  Concat-13 -> float32[8, 3, 2]  <b>twice</b>" in out
    assert "unknown sizes" not in out


@pytest.mark.parametrize("path", ["data/silero_vad.onnx", "data/silero_vad_openvino_16k.onnx"])
def test_real_models_fit_a_screen(path: str) -> None:
    status, out, _ = call("info", real("silero_vad", path))
    assert status == 0
    lines = out.splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= COLUMNS


def test_hundreds_of_ends_and_operators_fit_a_screen(tmp_path: Path) -> None:
    names = [f"{'long' * 50}{number}" for number in range(300)]
    nodes = [node(f"Own{number}", [name], [f"y{number}"], domain="own") for number, name in enumerate(names)]
    nodes += [node("Transpose", [name], [f"z{number}"]) for number, name in enumerate(names)]
    proto = model(nodes, dict.fromkeys(names, X), [f"z{number}" for number in range(300)])
    proto.opset_import.add(domain="own", version=1)
    onnx.save(proto, tmp_path / "wide.onnx")
    lines = call("info", tmp_path / "wide.onnx")[1].splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= COLUMNS


def test_what_computes_is_told_apart_from_what_moves(tmp_path: Path) -> None:
    nodes = [node("Transpose", ["x"], ["t"]), node("Add", ["t", "t"], ["a"]), node("Relu", ["a"], ["y"])]
    onnx.save(model(nodes, {"x": X}, ["y"]), tmp_path / "sum.onnx")
    out = call("info", tmp_path / "sum.onnx")[1]
    assert "3 nodes: 1 move data, 1 compute, 1 do neither\nmoving  1 Transpose\ncompute 1 Add\nother   1 Relu\n" in out


def test_sizes_that_would_settle_the_unknown_ones() -> None:
    out = call("info", EXAMPLES / "lookup.onnx")[1]
    assert "unknown sizes: 2 moving nodes\n  Gather-13 -> string[count]  word\n" in out
    assert "settled by numbers for ?: --sizes numbers=?" in out


def test_one_node(net: Path) -> None:
    status, out, _ = call("info", net, "--node", "turn")
    assert status == 0
    assert out.splitlines() == [
        "Transpose-13 turn",
        f"  {'reads':24} r: float32[2, 3, 4]",
        f"  {'makes':24} t: float32[4, 3, 2]",
        f"  {'bytes':24} 96 bytes, a view",
        f"  {'rule perm':24} None",
        f"  {'rule empty':24} refuse",
        f"  {'view of input 0':24} {wh.Layout((4, 3, 2), (1, 4, 12))}",
    ]
    assert call("info", net, "--node", "t")[1] == out  # by the name of what it makes
    assert "moves                    nothing that wherry knows of" in call("info", net, "--node", "act")[1]
    status, _, err = call("info", net, "--node", "turm")
    assert status == 2
    assert "--node is 'turm', allowed 'turn'" in err


def test_a_listing_imports_what_it_needs(net: Path) -> None:
    code = "import sys; from wherry.cli.app import app; app(sys.argv[1:], standalone_mode=False); print(*sys.modules)"
    command = [sys.executable, "-c", code, "info", str(net)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "wherry.dialects.onnx.reader" in loaded
    others = {
        "onnxruntime",
        "openvino",
        "wherry.dialects.openvino",
        "wherry.dialects.directml",
        "wherry.dialects.webnn",
    }
    assert loaded.isdisjoint(others | {"wherry.conversion.models", "wherry.rewrite", "wherry.cli.page"})


def test_one_way_of_showing_at_a_time(net: Path) -> None:
    status, _, err = call("info", net, "--nodes", "--json")
    assert status == 2
    assert "several of --nodes, --node, --json and --html are given" in err


def test_json_has_the_documented_members(net: Path) -> None:
    status, out, _ = call("info", net, "--json")
    assert status == 0
    found = json.loads(out)
    assert found == Summary.of(wh.load(net)).as_json()
    lines = [line.strip().rstrip(",") for line in out.splitlines()]
    assert all(lines.count(json.dumps(movement)) == 1 for movement in found["movement"])
    assert found["nodes"] == {"count": 3, "moving": 2, "computing": 0, "refused": 0, "unknown_sizes": 0}
    turn = found["movement"][0]
    assert turn["rules"] == {"perm": "None", "empty": "refuse"}
    assert turn["layouts"] == [{"output": "t", "of_input": 0, "sizes": [4, 3, 2], "strides": [1, 4, 12], "offset": 0}]
    documented = set(re.findall(r"^\| `([a-z_.\[\]]+)` \|", (DOCS / "info.md").read_text(), re.MULTILINE))
    assert set(_members(found)) == documented - {"refused[].place", "refused[].node", "refused[].why", "model.producer"}


def test_a_reader_of_the_output_may_leave(net: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "wherry.cli", "info", str(net)]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert done.returncode == 1
    assert done.stderr == b""


def _members(value: object, path: str = "") -> Iterator[str]:
    if isinstance(value, dict) and not path.endswith("rules"):
        for name, inner in value.items():
            yield from _members(inner, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for inner in value:
            yield from _members(inner, f"{path}[]")
    else:
        yield path


def test_a_model_of_dispatches(tmp_path: Path) -> None:
    status, out, _ = call("info", EXAMPLES / "picture.json")
    assert status == 0
    assert "DxDispatch, feature level 6.4" in out
    assert call("info", EXAMPLES / "picture.json", "--html", tmp_path / "page.html")[0] == 0


def test_a_model_and_a_graph_have_a_repr(net: Path) -> None:
    loaded = wh.load(net)
    words = "net.onnx: 3 nodes, 1 of them opaque"
    assert repr(loaded) == f"<GraphModel {words}; x: float32[2, 3, 4] -> y: float32[8, 3, 2]>"
    assert f"<caption>{words}</caption><tr><td>input</td><td>x</td>" in loaded._repr_html_()
    assert repr(loaded.graph) == "<Graph 'g': 3 nodes, 0 constants; 'x' -> 'y'>"
    assert "&lt;b&gt;twice" in loaded.graph._repr_html_()


def test_parts_are_written(net: Path, tmp_path: Path) -> None:
    out = tmp_path / "parts"
    status, printed, _ = call("extract", net, "--out", out)
    assert status == 0
    assert printed.splitlines() == [
        "net-1.onnx: 1 Concat, 1 Transpose; 192 bytes moved, 96 bytes in views",
        f"1 of 1 parts written to {out}",
    ]
    assert list(wh.load(out / "net-1.onnx").run([X])) == ["y"]


# The page, in a browser.


def test_a_page_draws_finds_and_explains(net: Path, tmp_path: Path, browser: object) -> None:
    assert call("info", net, "--html", tmp_path / "page.html")[0] == 0
    page, errors = opened(browser, tmp_path / "page.html")
    assert page.title() == "net.onnx \u2013 wherry info"
    assert page.locator(".row").count() == 5  # an input, three nodes, an output
    assert page.locator(".row b").all_inner_texts() == [
        "input",
        "Relu of opset 13",
        "Transpose-13",
        "Concat-13",
        "output",
    ]
    page.fill("#search", "transpose")
    assert page.inner_text("#matches") == "1 of 1"
    details = page.inner_text("#details")
    assert "float32[4, 3, 2]" in details
    assert "sizes 4 x 3 x 2, strides 1, 4, 12, offset 0" in details
    page.locator("#row-3").click()
    assert page.locator("#details h2").inner_text() == "Concat-13"
    assert page.locator("#details b").count() == 0  # the name of the node is text, whatever it holds
    assert "<b>twice</b>" in page.inner_text("#details")
    page.check("#moving")
    assert page.locator(".row b").all_inner_texts() == ["Transpose-13", "Concat-13"]
    assert errors == []


def test_lanes_run_from_what_makes_a_tensor_to_what_reads_it(net: Path, tmp_path: Path, browser: object) -> None:
    call("info", net, "--html", tmp_path / "page.html")
    page, _ = opened(browser, tmp_path / "page.html")
    dots = page.evaluate("[...document.querySelectorAll('.row circle')].map(dot => dot.getBoundingClientRect().y)")
    assert dots == sorted(dots)
    assert len(dots) == 5
    assert page.locator("#row-0 path").count() == 1  # goes on
    assert page.locator("#row-2 path").count() == 2  # in, and on


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_of_a_real_model_is_drawn_within_a_screen(scheme: str, tmp_path: Path, browser: object) -> None:
    path = real("silero_vad", "data/silero_vad.onnx")
    assert call("info", path, "--html", tmp_path / "page.html")[0] == 0
    page, errors = opened(browser, tmp_path / "page.html", color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert 20 < page.locator(".row").count() < 80  # what can be seen, and a little more
    page.fill("#search", "decoder/rnn/concat_1")
    page.press("#search", "Enter")
    assert page.locator(".row.chosen").is_visible()
    assert errors == []
    again, _ = opened(browser, tmp_path / "page.html")
    again.goto(page.url)
    assert again.locator("#details h2").inner_text() == page.locator("#details h2").inner_text()


def test_a_page_of_20000_nodes_is_drawn_where_it_is_seen(tmp_path: Path, browser: object) -> None:
    count = 20_000
    operators = ("Transpose", "Neg")  # types of both are known without another process, which may be slow
    nodes = [
        node(operators[n % 2], [f"x{n}"], [f"x{n + 1}"], name=f"layers.{n}/{operators[n % 2]}") for n in range(count)
    ]
    onnx.save(model(nodes, {"x0": X}, [f"x{count}"]), tmp_path / "long.onnx")
    assert call("info", tmp_path / "long.onnx", "--html", tmp_path / "page.html")[0] == 0
    page, errors = opened(browser, tmp_path / "page.html")
    drawn = page.locator(".row")
    assert drawn.count() < 80
    page.fill("#search", f"layers.{count - 2}/")
    assert page.inner_text("#matches") == "1 of 1"
    assert page.locator(".row.chosen .name").inner_text() == f"layers.{count - 2}/Transpose"
    assert "float32[4, 3, 2]" in page.inner_text("#details")
    page.fill("#search", "neg")
    assert page.inner_text("#matches") == f"1 of {count // 2}"
    page.evaluate("document.getElementById('graph').scrollTop = 1e9")
    page.wait_for_selector(f"#row-{count + 1}")
    assert drawn.last.inner_text().startswith("output")
    assert drawn.count() < 80
    assert errors == []


def test_names_cannot_leave_the_data_of_a_page(tmp_path: Path, browser: object) -> None:
    hostile = "</script><script>document.title='taken'</script><img src=x onerror=document.title='taken'>"
    path = tmp_path / "net.onnx"
    onnx.save(model([node("Transpose", ["x"], [hostile], name=hostile)], {"x": X}, [hostile]), path)
    assert call("info", path, "--html", tmp_path / "page.html")[0] == 0
    page, errors = opened(browser, tmp_path / "page.html")
    page.locator("#row-1").click()
    assert page.title() == "net.onnx \u2013 wherry info"
    assert page.locator("img").count() == 0
    assert hostile in page.inner_text("#details")
    assert errors == []
