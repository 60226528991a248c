"""Values as an IR writes them: integers, booleans, words, lists, element types and shapes, from and to text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from wherry import dtypes
from wherry.arguments import as_flag, as_float, as_int, as_ints
from wherry.dtypes import DType
from wherry.errors import InvalidTypeError, InvalidValueError, SizeOverflowError, UnsupportedError, cut, short
from wherry.limits import check_ndim, check_values
from wherry.tensors import TensorType

LARGEST = 2**63 - 1

DIGITS = 19
"""A number of fewer digits has at most 64 bits."""

Dimension = tuple[int, int | None]
"""The least and the greatest size of a dimension; None: no upper bound."""

PartialShape = tuple[Dimension, ...] | None
"""The dimensions of a tensor, or None where not even their number is known."""

_INTEGER = re.compile(r"[+-]?[0-9]{1,20}(\.0*)?")
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_RANGE = re.compile(r"(?P<least>[0-9]{1,20})?\.\.(?P<most>[0-9]{1,20})?")


@dataclass(frozen=True)
class Kind:
    """How one kind of attribute value is read from text and written as text; `read` refuses by raising ValueError."""

    words: str
    """What is allowed, for messages."""
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    take: Callable[[str, Any], Any] = lambda field, value: value
    """How the argument of a function becomes a value, given the field's name."""
    has: Callable[[Any], bool] = lambda value: True
    """Whether there is a text for a value."""
    argument: str = "object"
    """What the argument of a function is, as an annotation."""

    def parse(self, field: str, text: str) -> Any:
        """Return the value that `text` spells. Raises InvalidValueError that names the field and what is allowed."""
        try:
            return self.read(text)
        except (InvalidValueError, InvalidTypeError, SizeOverflowError):
            raise
        except UnsupportedError as error:
            raise UnsupportedError(f"{field} is {error.message}") from None
        except ValueError:
            raise InvalidValueError(f"{field} is {short(text)}, allowed {self.words}") from None


def _integer(text: str) -> int:
    if len(text) < DIGITS and text.isascii() and text.isdigit():  # as nearly all are written
        return int(text)
    if not _INTEGER.fullmatch(text.strip()):
        raise ValueError(text)
    value = int(text.strip().partition(".")[0])
    if abs(value) > LARGEST:
        raise SizeOverflowError(
            f"the number {cut(text.strip())} does not fit in 64 bits, allowed {-LARGEST}..{LARGEST}"
        )
    return value


def _size(text: str) -> int:
    value = _integer(text)
    if value < 0:
        raise ValueError(text)
    return value


def _boolean(text: str) -> bool:
    if text.strip().lower() not in _BOOLEANS:
        raise ValueError(text)
    return _BOOLEANS[text.strip().lower()]


def _entries(text: str) -> list[str]:
    """Return the parts of a comma list, which may stand in square brackets; an empty text is an empty list."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1].strip()
    return [entry.strip() for entry in text.split(",")] if text else []


def _integers(text: str) -> tuple[int, ...]:
    entries = _entries(text)
    check_values(len(entries), "the integers of an attribute")
    return tuple(_integer(entry) for entry in entries)


def _shape(text: str) -> tuple[int, ...]:
    entries = _entries(text)
    check_ndim(len(entries), "attribute shape")
    return tuple(_size(entry) for entry in entries)


def _partial_shape(text: str) -> PartialShape:
    entries = _entries(text)
    check_ndim(len(entries), "attribute shape")
    return None if entries == ["..."] else tuple(map(_dimension, entries))


def _dimension(text: str) -> Dimension:
    if text in ("?", "-1"):
        return 0, None
    span = _RANGE.fullmatch(text)
    if span is None:
        return (_size(text),) * 2
    least = _size(span["least"] or "0")
    most = None if span["most"] is None else _size(span["most"])
    if most is not None and most < least:
        raise ValueError(text)
    return least, most


def spell_dimension(dimension: Dimension) -> str:
    """Return a dimension as the writer spells it: `5`, `?`, `1..5`, `1..` or `..5`.

    >>> [spell_dimension(d) for d in ((5, 5), (0, None), (1, 5), (1, None), (0, 5))]
    ['5', '?', '1..5', '1..', '..5']
    """
    least, most = dimension
    if least == most:
        return str(least)
    if dimension == (0, None):
        return "?"
    return f"{least or ''}..{'' if most is None else most}"


def _spell_partial_shape(shape: PartialShape) -> str:
    return "..." if shape is None else ",".join(map(spell_dimension, shape))


def _element_type(text: str) -> DType:
    return element_type(text, "openvino")


def element_type(text: str, vocabulary: str) -> DType:
    """Return the element type of a name, in any case; `vocabulary` is openvino, or openvino_port for `precision`.

    Raises InvalidTypeError for `dynamic`, which wherry does not run, and for a name that is none.

    >>> element_type("F32", "openvino").name, element_type("BIN", "openvino_port").name
    ('float32', 'uint1')
    """
    names = _lower_names(vocabulary)
    found = names.get(text.strip().lower())
    if found is not None:
        return found
    if text.strip().lower() in ("dynamic", "undefined"):
        raise InvalidTypeError(
            f"element type is {short(text)}: unknown until run, which wherry does not take; fix it in the model"
        )
    raise InvalidTypeError(f"element type is {short(text)}, allowed {', '.join(names)}")


@cache
def _lower_names(*vocabularies: str) -> dict[str, DType]:
    return {name.lower(): row for each in vocabularies for name, row in dtypes.by_spelling(each).items()}


@lru_cache(1024)
def is_precision(text: str) -> bool:
    """Whether `text` is a legal `precision` of a port: both vocabularies, in any case, and the unknown type."""
    word = text.strip().lower()
    return word in _lower_names("openvino", "openvino_port") or word in ("dynamic", "undefined", "unspecified")


def declared_type(precision: str, dims: Sequence[int]) -> TensorType:
    """Return the type that a port declares; nothing is known of the axes where it has none, as of any scalar.

    >>> print(declared_type("FP32", (2, -1)), declared_type("I64", ()), declared_type("dynamic", ()))
    float32[2, ?] int64[...] unknown[...]
    """
    word = precision.strip().lower()
    dtype = _lower_names("openvino", "openvino_port").get(word, dtypes.UNKNOWN)
    return TensorType(dtype, [None if size == -1 else size for size in dims] if dims else None)


def names_of(text: str) -> tuple[str, ...]:
    r"""Return the tensor names of a comma list, in which a comma inside a name is written `\,`.

    >>> names_of("a,b\\,c")
    ('a', 'b,c')
    """
    if "," not in text:
        return (text,) if text else ()
    return tuple(name.replace("\\,", ",") for name in re.split(r"(?<!\\),", text) if name)


def spell_names(names: Sequence[str]) -> str:
    r"""Return names as a comma list.

    >>> spell_names(["a", "b,c"])
    'a,b\\,c'
    """
    return ",".join(name.replace(",", "\\,") for name in names)


def kind_of(dtype: DType, shape: PartialShape) -> TensorType:
    """Return the type of a Parameter; a size that is a range is unknown until run.

    >>> print(kind_of(dtypes.find("int8"), ((2, 2), (1, 5))))
    int8[2, ?]
    """
    if shape is None:
        return TensorType(dtype, None)
    return TensorType(dtype, [least if least == most else None for least, most in shape])


def _taken_type(field: str, value: Any) -> DType:
    names = _lower_names("openvino")
    if isinstance(value, str):  # NumPy reads "i8" as 8 bytes, and other names as types that OpenVINO lacks
        found = names.get(value.lower()) or {row.name: row for row in names.values()}.get(value)
    else:
        found = dtypes.find(value)
    if found is None or found.openvino is None:
        raise InvalidTypeError(f"{field} is {short(value)}, allowed {', '.join(names)}")
    return found


def _start_axis(field: str, value: int) -> int | None:
    if value < -1:
        raise InvalidValueError(f"{field} is {value}, allowed -1, or an integer of 0 and more")
    return None if value == -1 else value


INTEGER = Kind("an integer", _integer, str, as_int, argument="int")
START_AXIS = Kind(
    "-1, or an integer of 0 and more",
    lambda text: _start_axis("auto_broadcast_axis", _integer(text)),
    lambda value: "-1" if value is None else str(value),
    lambda field, value: _start_axis(field, as_int(field, value)),
    argument="int",
)
"""The axis that another input's axes begin at; -1, which is None for the operator, puts the last axes together."""
ONE_INTEGER = Kind("an integer", lambda text: (_integer(text),), lambda values: str(values[0]),
                   lambda field, value: (as_int(field, value),), lambda values: len(values or ()) == 1,
                   argument="int")  # fmt: skip
"""An integer that is a list of one for the operator."""
NUMBER = Kind("a number", float, repr, as_float, lambda value: isinstance(value, float), argument="float")
SIZE = Kind("an integer of 0 and more", _size, str, as_int)
BOOLEAN = Kind("true, false, 1 or 0", _boolean, lambda value: str(value).lower(), as_flag, argument="bool")
INTEGERS = Kind("integers separated by commas", _integers, lambda values: ", ".join(map(str, values)), as_ints,
                argument="Sequence[int]")  # fmt: skip
SHAPE = Kind("sizes of 0 and more separated by commas", _shape, lambda values: ",".join(map(str, values)))
PARTIAL_SHAPE = Kind(
    "sizes separated by commas, each 0 and more, ? or -1, or a range such as 1..5, 1.. or ..5; or ... alone",
    _partial_shape,
    _spell_partial_shape,
)
ELEMENT_TYPE = Kind(
    "an element type",
    _element_type,
    lambda dtype: str(dtypes.find(dtype).openvino),
    _taken_type,
    lambda dtype: dtype is not None and dtypes.find(dtype).openvino is not None,
)


def flag_of(if_true: str, if_false: str) -> Kind:
    """Return the kind of a boolean that is one of two words for the operator.

    >>> flag_of("copy", "literal").parse("special_zero", "true")
    'copy'
    """
    return Kind(
        BOOLEAN.words,
        lambda text: if_true if _boolean(text) else if_false,
        lambda word: str(word == if_true).lower(),
        lambda field, value: if_true if as_flag(field, value) else if_false,
        argument="bool",
    )


def word_of(*words: str, ours: Mapping[str, str] | None = None, unsupported: Sequence[str] = ()) -> Kind:
    """Return the kind of a value that is one of some words, read in any case; `ours` are the operator's for them.

    A word that is legal, but not run here, raises UnsupportedError.

    >>> word_of("edge", "reflect").parse("pad_mode", "EDGE"), word_of("sum", ours={"sum": "add"}).parse("mode", "sum")
    ('edge', 'add')
    """
    table = {word: (ours or {}).get(word, word) for word in words}
    spelled = {value: word for word, value in reversed(table.items())}

    def read(text: str) -> str:
        word = text.strip().lower()
        if word in unsupported:
            raise UnsupportedError(f"{short(word)}, which wherry does not have; it has {', '.join(words)}")
        if word not in table:
            raise ValueError(text)
        return table[word]

    def take(field: str, value: Any) -> str:
        if not isinstance(value, str):
            raise InvalidTypeError(f"{field} is {short(value)}, allowed {', '.join(words)}")
        return str(kind.parse(field, value))

    kind = Kind(", ".join(words), read, lambda value: spelled[value], take, lambda value: value in spelled, "str")
    return kind
