"""docs/conversion.md has the tables that conversion works with."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_tables_are_those_of_the_code() -> None:
    made = runpy.run_path(str(DOCS / "make_conversion.py"))
    text = (DOCS / "conversion.md").read_text(encoding="utf-8")
    assert made["written"](text) == text, "run docs/make_conversion.py"
    assert all(text.count(f"<!-- {name}: ") == 1 for name in made["TABLES"])
