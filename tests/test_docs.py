"""The pages have their tables as the code and the measurements are now."""

import re
from pathlib import Path

import pytest
from docs.make import contents, replaced


def test_the_pages_are_up_to_date() -> None:
    old = [path.name for path, text in contents() if path.read_text(encoding="utf-8") != text]
    assert not old, "run python -m docs.make"


def test_links_between_pages_lead_somewhere() -> None:
    root = Path(__file__).parents[1]
    pages = [root / "README.md", *(root / "docs").rglob("*.md")]
    links = [
        (page, link) for page in pages for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    ]
    assert len(links) > 50
    assert not [(page.name, link) for page, link in links if not (page.parent / link).exists()]


def test_a_page_without_the_comments_is_refused() -> None:
    with pytest.raises(SystemExit, match="lacks the comments"):
        replaced("nothing here", "table", [])
