"""The rooms of `src/wherry`: arrows point down the list of rooms, and no two files import each other."""

import ast
from functools import cache
from pathlib import Path

import wherry as wh

SOURCE = Path(wh.__file__).parent

ROOMS = (
    "errors faults files garbage limits arguments dtypes arrays layout tensors",
    "moves",
    "ops",
    "graph",
    "reference",
    "engine",
    "functions",
    "conversion.findings",
    "rewrite",
    "models",
    "dialects.call dialects.elements dialects.json_text dialects.refusal dialects.rows",
    "dialects.onnx dialects.openvino dialects.directml dialects.webnn",
    "runtimes.case runtimes.case_json runtimes.condition_json runtimes.conditions runtimes.differences "
    "runtimes.processor runtimes.properties runtimes.unseen runtimes.values",
    "conversion formats",
    "runtimes",
    "portability",
    "cli",
)
"""From the ground up; what stands on one line may import what stands there too, but never in a circle."""


def module_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports() -> dict[str, set[str]]:
    """Every module with the modules that it imports, at its head, late, or for types only."""
    paths = {module_of(path): path for path in SOURCE.rglob("*.py")}
    found: dict[str, set[str]] = {}
    for module, path in paths.items():
        names: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "wherry":
                base = node.module.removeprefix("wherry").removeprefix(".")
                for alias in node.names:
                    full = f"{base}.{alias.name}".lstrip(".")
                    names.add(full if full in paths else base)
            elif isinstance(node, ast.Import):
                names |= {a.name.removeprefix("wherry.") for a in node.names if a.name.startswith("wherry.")}
        found[module] = {name for name in names if name in paths and name not in ("", module)}
    del found[""]
    return found


def level_of(module: str) -> int:
    fitting = [
        (len(room), level)
        for level, line in enumerate(ROOMS)
        for room in line.split()
        if module == room or module.startswith(f"{room}.")
    ]
    assert fitting or module == "dialects", f"{module} stands in no room of the list"
    return max(fitting)[1] if fitting else 0


def test_arrows_point_down() -> None:
    drawn = imports()
    assert len(drawn) > 150
    wrong = [
        f"{module} imports {other}" for module in drawn for other in drawn[module] if level_of(other) > level_of(module)
    ]
    assert wrong == []


def test_no_two_files_import_each_other() -> None:
    drawn = imports()
    left = dict(drawn)
    while free := [module for module, others in left.items() if not others & left.keys()]:
        for module in free:
            del left[module]
    assert sorted(left) == [], "these import each other, or one that does"


def test_a_circle_and_an_arrow_upward_would_be_seen() -> None:
    assert level_of("ops.gather") < level_of("engine.plan") < level_of("dialects.onnx.reader") < level_of("cli.app")
    assert "ops.operator" in imports()["engine.call"]


def test_no_file_is_too_long_to_be_read() -> None:
    assert len(imports()) > 200
    long = {module: lines for module in imports() if (lines := _lines(module)) > 600}
    assert long == {}


def _lines(module: str) -> int:
    path = SOURCE / module.replace(".", "/")
    return len((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text().splitlines())
