"""JSON with comments and trailing commas: what it reads, what it refuses, and where it says so."""

import contextlib
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherry.dialects.json_text import DEPTH_LIMIT, parse, path_title
from wherry.errors import FileFormatError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.booleans(), st.sampled_from([None, 2]))
def test_reads_what_json_writes(value, ascii_only, indent):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    for comments in (False, True):
        result = parse(text, "model", comments=comments).value
        assert result == value
        assert repr(result) == repr(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("// first\n[1, /* two, ] */ 2, // three\n]", [1, 2]),
        ('{"a": 1,}', {"a": 1}),
        ('{"a": "/* no */ // comment",}', {"a": "/* no */ // comment"}),
        ("[]", []),
        ("{ }", {}),
        ("[1.0, 1, -0, 1e2]", [1.0, 1, 0, 100.0]),
        (" 7 /**/", 7),
        ('"\\u00e9\\n\\ud83d\\ude00"', "é\n😀"),
    ],
)
def test_reads(text, value):
    assert parse(text, "model", comments=True).value == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: the file ends here"),
        ('{"a": 1', "line 1, column 8: the file ends here"),
        ('{"a"', "line 1, column 5: the file ends here"),
        ("[1,\n2", "line 2, column 2: the file ends here"),
        ("[1 2]", "line 1, column 4: a comma or ']' is expected"),
        ("[,]", "line 1, column 2: a value is expected"),
        ("[1,,]", "line 1, column 4: a value is expected"),
        ("{,}", "line 1, column 2: a member's name"),
        ("{a: 1}", "line 1, column 2: a member's name"),
        ('{"a" 1}', "line 1, column 6: a colon is expected"),
        ('{"a": 1, "a": 2}', "line 1, column 10: the name 'a' is given twice in one object"),
        ("[1] 2", "line 1, column 5: text after the end"),
        ("/* open", "line 1, column 1: a comment is not closed"),
        ("/ 1", "line 1, column 1: a comment is not closed, or a stray slash"),
        ('"open', "line 1, column 1: a string is not closed"),
        ('"a\nb"', "line 1, column 1: a string is not closed, or holds a control character"),
        ('"\\x"', "line 1, column 1: a string holds a bad escape"),
        ('"\\ud800"', "line 1, column 1: a string holds a bad escape"),
        ("NaN", "line 1, column 1: a value is expected"),
        ("Infinity", "a value is expected"),
        ("[01]", "a comma or ']' is expected"),
        ("[1e999]", "line 1, column 2: the number 1e999 is beyond a double"),
        ("1" * 5000, "a number has 5000 characters, allowed up to 400"),
        ("[" * (DEPTH_LIMIT + 2), f"nested deeper than {DEPTH_LIMIT} levels"),
        ("[" * 1_000_000, "nested deeper"),
        ('{"a":' * 100_000, "nested deeper"),
    ],
)
def test_refuses(text, message):
    with pytest.raises(FileFormatError) as caught:
        parse(text, "model.json", comments=True)
    assert str(caught.value).startswith("model.json: line ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("// first\n[1]", "line 1, column 1: a value is expected"),
        ("[1] // last", "line 1, column 5: text after the end"),
        ("[1, /* two */ 2]", "line 1, column 5: a value is expected"),
        ("[1, 2,]", "line 1, column 7: a value is expected"),
        ('{"a": 1,}', "line 1, column 9: a member's name"),
        ("NaN", "neither NaN nor Infinity is a number of JSON"),
    ],
)
def test_refuses_what_is_not_plain_json(text, message):
    with pytest.raises(FileFormatError) as caught:
        parse(text, "model.json")
    assert str(caught.value).startswith(f"model.json: {message}" if "line" in message else "model.json: line 1")
    assert message in str(caught.value)


def test_bytes_are_utf_8():
    assert parse(b'\xef\xbb\xbf["\xc3\xa9"]', "model").value == ["é"]
    with pytest.raises(FileFormatError, match=r"model: the file is not UTF-8: .*byte 0xff in position 1"):
        parse(b"[\xff", "model")


@pytest.mark.parametrize("text", ['["4E1234567890"]', '["' + "E" * 1000 + '"]', '{"a4e999": 1}'])
def test_strings_that_look_like_numbers_are_read_at_the_speed_of_c(text, monkeypatch):
    monkeypatch.setattr("wherry.dialects.json_text._Scanner.string", None)
    assert parse(text, "model").value == json.loads(text)


@given(st.text(alphabet='{}[]",:/*0123456789.eE-+ \n\\truefalsn', max_size=40))
def test_garbage_is_refused_or_read(text):
    with contextlib.suppress(FileFormatError):
        json.dumps(parse(text, "model", comments=True).value, allow_nan=False)
    try:
        strict = parse(text, "model").value
    except FileFormatError:
        return
    assert json.loads(text) == strict


def paths(value, path=()):
    """The path of every value inside a value, and of itself."""
    yield path
    for step, inner in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from paths(inner, (*path, step))


def at(value, path):
    for step in path:
        value = value[step]
    return value


LONG = st.builds(lambda entries, times: entries * times, st.lists(VALUES, min_size=1, max_size=3), st.integers(1, 100))


@given(LONG, st.sampled_from([None, 1]), st.randoms())
def test_the_place_of_every_value_in_any_order(value, indent, random):
    text = json.dumps(value, indent=indent)
    document = parse(text, "model")
    asked = list(paths(value))
    for path in random.sample(asked, min(len(asked), 50)):
        line, column = map(int, re.search(r"\(line (\d+), column (\d+)\)", str(document.error(path, ""))).groups())
        start = sum(len(before) + 1 for before in text.split("\n")[: line - 1]) + column - 1
        assert json.JSONDecoder().raw_decode(text, start)[0] == at(value, path)
    assert "(line 1, column 1)" in str(document.error((len(value),), ""))


def test_places_of_values():
    document = parse('{\n  "a": [1,\n    {"b": 2}],\n}', "model.json", comments=True)
    assert "a[1].b (line 3, column 11): wrong" in str(document.error(("a", 1, "b"), "wrong"))
    assert "a[1].c (line 3, column 5): missing" in str(document.error(("a", 1, "c"), "missing"))
    assert path_title(()) == "the model"
