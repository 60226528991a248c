"""The pages have their tables as the code and the measurements are now."""

import re
from pathlib import Path

import pytest
from docs.make import contents, operators, replaced

from wherry import ops


def test_the_pages_are_up_to_date() -> None:
    old = [path.name for path, text in contents() if path.read_text(encoding="utf-8") != text]
    assert not old, "run python -m docs.make"


def test_links_between_pages_lead_somewhere() -> None:
    root = Path(__file__).parents[1]
    pages = [root / "README.md", *(root / "docs").rglob("*.md")]
    texts = {
        page: re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE) for page in pages
    }
    links = [(page, link) for page, text in texts.items() for link in re.findall(r"\]\(([^)#:]+)\)", text)]
    assert len(links) > 50
    assert not [(page.name, link) for page, link in links if not (page.parent / link).exists()]


def test_no_page_has_two_readings() -> None:
    root = Path(__file__).parents[1]
    pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
    marks = ("<" * 7 + " ", "=" * 7, ">" * 7 + " ")  # of a merge that was not ended
    assert [page for page in pages for line in page.read_text().splitlines() if line.startswith(marks)] == []


def test_every_operator_of_a_dialect_stands_in_the_table_once_or_more() -> None:
    lines = "\n".join(operators.table())
    names = {name for dialect in operators.versions().values() for name in dialect}
    assert len(names) > 100
    assert not [name for name in names if f"[{name}" not in lines]


def test_a_meaning_whose_type_names_no_operator_is_refused() -> None:
    def meaning() -> ops.Operator:
        return ops.Identity()

    with pytest.raises(SystemExit, match="meaning returns an Operator; annotate it with which"):
        operators._made(meaning)


def test_a_page_without_the_comments_is_refused() -> None:
    with pytest.raises(SystemExit, match="lacks the comments"):
        replaced("nothing here", "table", [])


def test_the_walks_show_lines_that_stand_in_the_sources() -> None:
    root = Path(__file__).parents[1]
    files = [path for name in ("src", "core", "generate") for path in (root / name).rglob("*.*")]
    sources = [
        _squeezed(path.read_text(encoding="utf-8")) for path in files if path.suffix in (".py", ".cpp", ".hpp", ".toml")
    ]
    page = (root / "docs" / "contributing.md").read_text(encoding="utf-8")
    diffs = re.findall(r"^```diff\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    added = [re.sub(r"^\+", "", lines, flags=re.MULTILINE) for diff in diffs for lines in ADDED.findall(diff)]
    assert len(added) > 10
    assert not [lines for lines in added if not any(_squeezed(lines) in source for source in sources)]


ADDED = re.compile(r"(?:^\+.*\n)+", re.MULTILINE)


def _squeezed(text: str) -> str:
    """Leave out what a formatter may choose: spaces, line breaks, and commas before a bracket."""
    return re.sub(r",(?=[)\]}]|$)", "", re.sub(r"\s+", "", text))
