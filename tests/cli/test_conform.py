"""wherry conform: lines of a screen's width, JSON as documented, and a page that a real browser draws."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import opened
from tests.cli.test_cli import call
from wherry.cli import matrix
from wherry.cli.show import COLUMNS
from wherry.runtimes.conform.matrix import Cell, Column, Outcome, as_json, key_of
from wherry.runtimes.conform.rules import RULES

DOCS = Path(__file__).parents[2] / "docs"
GATHER = [one for one in RULES if one.operator == "Gather"]
AGREES = Cell(Outcome.AGREES)


def column(name: str, **cells: Cell) -> Column:
    found = {name.replace("_", " "): cell for name, cell in cells.items()}
    return Column(name, "1.2.3", {key_of(one): found.get(one.name, AGREES) for one in GATHER})


SOME = [
    column("steady"),
    column("other.runtime", index_past_the_end=Cell(Outcome.DIFFERS, "float32[2] 2.0, 0.0")),
    column("third", no_index=Cell(Outcome.CRASHES, "SIGFPE"), strings=Cell(Outcome.CANNOT_SAY, "no strings")),
]


def test_a_line_a_rule_under_the_names_of_the_runtimes() -> None:
    lines = list(matrix.lines(SOME, GATHER))
    assert lines[0].split() == ["steady", "other.", "third"]
    assert lines[1].split() == ["1.2.3", "runtime", "1.2.3"]
    by_rule = {line[:38].strip(): line[38:].split() for line in lines}
    assert by_rule["Gather: an ordinary case"] == ["ok", "ok", "ok"]
    assert by_rule["Gather: index past the end"] == ["ok", "diff", "ok"]
    assert by_rule["Gather: no index"] == ["ok", "ok", "crash"]
    assert by_rule["Gather: strings"] == ["ok", "ok", "-"]
    assert by_rule["crashes"] == ["0", "0", "1"]


@pytest.mark.parametrize("count", [1, 5, 13])
def test_lines_fit_a_screen(count: int) -> None:
    columns = [Column(f"a-runtime-with-a-name-{number}", "2026.10.1", SOME[2].cells) for number in range(count)]
    lines = list(matrix.lines(columns, RULES))
    assert max(map(len, lines)) <= COLUMNS
    assert len(lines) > len(RULES)


def test_details_tell_what_came_and_what_was_asked_for() -> None:
    text = "\n".join(matrix.details(SOME, GATHER))
    assert "Gather: index past the end: indices lie in -s..s-1 along an axis of size s; others are an error" in text
    assert re.search(r"other.runtime 1.2.3 +differs: float32\[2\] 2.0, 0.0", text)
    assert re.search(r"specified +ONNX Gather-13 'Gather': indices\[1\] is 5, allowed -5..4", text)
    assert "an ordinary case" not in text


def test_json_has_the_documented_members() -> None:
    found = json.loads(json.dumps(as_json(SOME, GATHER)))
    documented = set(re.findall(r"^\| `([a-z_.\[\]]+)` \|", (DOCS / "conform.md").read_text(), re.MULTILINE))
    members = {f"rules[].{name}" for rule in found["rules"] for name in rule}
    members |= {f"runtimes[].{name}" for one in found["runtimes"] for name in one}
    assert members == documented
    assert found["runtimes"][2]["cells"]["Gather"]["no index"] == {"crashes": "SIGFPE"}
    assert found["runtimes"][2]["counts"]["cannot say"] == 1
    assert found["rules"][0]["answer"] == "float32[2, 2] 7.0, 8.0, 1.0, 2.0"


def test_the_command_measures_what_is_named(tmp_path: Path) -> None:
    out = tmp_path / "matrix.json"
    status, printed, err = call("conform", "--runtime", "numpy", "--op", "Trilu", "--json", out)
    assert (status, err) == (0, "")
    assert "Trilu: negative k" in printed
    assert f"{out}: written" in printed
    assert json.loads(out.read_text())["runtimes"][0]["runtime"] == "numpy"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--op", "Gathr"), "--op is 'Gathr', allowed 'Gather'"),
        (("--runtime", "onnx"), "runtime is 'onnx', allowed 'onnxruntime', 'openvino', 'onnx.reference'"),
        (("--shipped", "--write"), "--shipped and --write are both given, allowed one of them"),
    ],
)
def test_what_is_not_known_is_refused(arguments: tuple[str, ...], words: str) -> None:
    status, _, err = call("conform", *arguments)
    assert status == 2
    assert words in err


# The page, in a browser.


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    path = tmp_path / "matrix.html"
    path.write_text(matrix.draw(SOME, GATHER), encoding="utf-8")
    return path


def test_a_page_filters_and_explains(page_file: Path, browser: object) -> None:
    page, errors = opened(browser, page_file)
    assert page.locator("#matrix tbody tr").count() == len(GATHER)
    assert page.locator("#matrix thead th").all_inner_texts() == ["rule", *(f"{one.runtime}\n1.2.3" for one in SOME)]
    page.fill("#search", "PAST the end")
    assert page.inner_text("#count") == f"3 of {len(GATHER)} rules"
    page.fill("#search", "")
    page.select_option("#outcome", "not")
    assert page.locator("#matrix tbody tr").count() == 3
    page.select_option("#runtime", "2")
    assert page.locator("#matrix tbody tr").count() == 2
    page.locator("#matrix tbody button.crashes").click()
    details = page.inner_text("#details")
    assert "Gather: no index" in details
    assert "float32[0, 2]" in details
    assert "SIGFPE" in details
    assert page.get_attribute("#details a", "href") == GATHER[0].link
    assert page.url.endswith("#gather/no-index/third")
    assert errors == []


def test_a_link_opens_its_cell(page_file: Path, browser: object) -> None:
    page, errors = opened(browser, page_file)
    page.goto(f"{page_file.as_uri()}#gather/index-past-the-end/other.runtime")
    assert page.inner_text("#details h2") == "Gather: index past the end"
    assert page.locator('[aria-pressed="true"]').count() == 1
    page.goto(f"{page_file.as_uri()}#Gather")
    assert errors == []


def test_all_anchors_are_different() -> None:
    plain = [re.sub(r"[^a-z0-9.+-]+", "-", f"{one.operator}/{one.name}".lower()).strip("-") for one in RULES]
    assert len(set(plain)) == len(RULES)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_stays_within_its_window(scheme: str, page_file: Path, browser: object) -> None:
    page, errors = opened(browser, page_file, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("#matrix thead").is_visible()
    assert errors == []


def test_words_of_a_runtime_cannot_leave_the_data_of_a_page(tmp_path: Path, browser: object) -> None:
    hostile = "</script><script>document.title='taken'</script><img src=x onerror=document.title='taken'>"
    path = tmp_path / "matrix.html"
    path.write_text(matrix.draw([column(hostile, strings=Cell(Outcome.REFUSES, hostile))], GATHER), encoding="utf-8")
    page, errors = opened(browser, path)
    page.locator("button.refuses").click()
    assert "taken" not in page.title()
    assert page.locator("img").count() == 0
    assert hostile in page.inner_text("#details")
    assert errors == []
