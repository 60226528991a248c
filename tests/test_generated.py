"""The generated files are as their generator writes them now, and what stands by hand beside them agrees."""

import inspect
import re

import pytest
from generate import contents, onnx_functions, onnx_schema, openvino_functions, webnn_functions
from generate.python import docstring, snake, within
from generate.words import words

import wherry as wh
from wherry.dialects.onnx.functions import by_hand
from wherry.dialects.onnx.table import ROWS
from wherry.dialects.webnn.schema import OPERATIONS


def test_the_generated_files_are_fresh() -> None:
    files = list(contents())
    old = [path.name for path, text in files if path.read_text(encoding="utf-8") != text]
    assert len(files) > 20
    assert not old, "run python -m generate"


@pytest.mark.parametrize("name", ["Concat", "Gather", "Split"])
def test_functions_by_hand_name_the_versions_of_the_table(name: str) -> None:
    function = getattr(by_hand, name.lower())
    versions = [row.since for row in ROWS if row.name == name]
    assert inspect.signature(function).parameters["opset"].default == versions[-1]
    said = re.search(rf"Specification: ONNX {name}, versions (.*)\.", function.__doc__)
    assert said is not None
    assert list(map(int, re.findall(r"\d+", said[1]))) == versions


def test_every_function_has_its_opset_and_its_specification() -> None:
    functions = [getattr(dialect, name) for dialect in (wh.onnx, wh.openvino) for name in dialect.functions.__all__]
    assert len(functions) > 75
    for function in functions:
        assert "opset" in inspect.signature(function).parameters
        assert "Specification: O" in function.__doc__


def test_every_function_of_webnn_has_the_names_of_its_method() -> None:
    for operation in OPERATIONS:
        function = getattr(wh.webnn, snake(operation.name))
        given = inspect.signature(function).parameters
        names = [snake(one.name) for one in (*operation.operands, *operation.members)]
        assert [*given] == [*names, "out"]
        options = {snake(one.name): one.default for one in operation.members if one.is_option}
        by_name = {name: one.default for name, one in given.items() if one.kind is one.KEYWORD_ONLY and name != "out"}
        assert by_name == options
        assert f"Specification: Web Neural Network API, {operation.name}." in function.__doc__


def test_argument_lists_are_laid_out_as_the_formatter_does() -> None:
    assert within("def f(", ["a", "b"], "):") == "def f(a, b):"
    assert within("def f(", ["a" * 60, "b" * 50], ") -> int:") == f"def f(\n    {'a' * 60}, {'b' * 50}\n) -> int:"
    assert within("g(", ["a" * 60, "b" * 60], ")", 4) == f"    g(\n        {'a' * 60},\n        {'b' * 60},\n    )"


def test_a_docstring_begins_with_one_line() -> None:
    assert docstring("Do this.\n\nSo.", ["Fact."], ">>> 1\n1") == (
        '    """Do this.\n\n    So.\n\n    Fact.\n\n    >>> 1\n    1\n    """'
    )
    with pytest.raises(ValueError, match="first paragraph is longer than a line"):
        docstring("word " * 30, [], "")


def test_an_operator_without_words_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((onnx_functions, "Tile"), (openvino_functions, "Tile"), (webnn_functions, "tile")):
        texts = words(module.__name__.removeprefix("generate.").removesuffix("_functions"))
        del texts[name]
        monkeypatch.setattr(module, "words", lambda _, texts=texts: texts)
        with pytest.raises(SystemExit, match=rf"the words and the table differ in \['{name}'\]"):
            module.files()


def test_a_set_of_types_without_a_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    named = {name: place for name, place in onnx_schema.TYPE_SETS.items() if name != "RANGES_27"}
    monkeypatch.setattr(onnx_schema, "TYPE_SETS", named)
    onnx_schema._sets.cache_clear()
    with pytest.raises(SystemExit, match=r"start of Range-27 takes int16, .* name that in TYPE_SETS"):
        onnx_schema.files()
    monkeypatch.undo()
    onnx_schema._sets.cache_clear()
    assert "RANGES_27" in onnx_schema.files()["type_sets.py"]


def test_an_element_type_that_wherry_lacks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx_schema, "UNKNOWN", {"tensor(float6e2m3)"})
    with pytest.raises(
        SystemExit, match=r"Cast-28 takes .*tensor.float6e3m2.*; add them to wherry.dtypes, or to UNKNOWN"
    ):
        onnx_schema.files()
