"""The schemas of `wherry.onnx`, from the onnx package: inputs, outputs, types, attributes and defaults by version.

Nothing of the dialect is imported here: it cannot be imported before its schemas are written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import onnx
from onnx import defs, helper

from wherry import dtypes

from .python import filled, literal
from .words import BY_HAND, words

TYPE_SETS: Mapping[str, tuple[str, int, str]] = {
    "BOOL": ("Compress", 9, "T1"),
    "INDICES": ("Gather", 1, "Tind"),
    "LENGTHS": ("Shape", 1, "T1"),
    "FLOATS_1": ("Pad", 1, "T"),
    "NUMBERS_1": ("OneHot", 9, "T1"),
    "ALL_1": ("Gather", 1, "T"),
    "ALL_13": ("Gather", 13, "T"),
    "ALL_19": ("Shape", 19, "T"),
    "ALL_21": ("Shape", 21, "T"),
    "ALL_23": ("Shape", 23, "T"),
    "ALL_24": ("Shape", 24, "T"),
    "ALL_25": ("Shape", 25, "T"),
    "NOT_COMPLEX_9": ("Cast", 9, "T1"),
    "NOT_COMPLEX_13": ("Cast", 13, "T1"),
    "NOT_COMPLEX_19": ("Cast", 19, "T1"),
    "NOT_COMPLEX_21": ("Cast", 21, "T1"),
    "NOT_COMPLEX_23": ("Cast", 23, "T1"),
    "NOT_COMPLEX_24": ("Cast", 24, "T1"),
    "NOT_COMPLEX_25": ("Cast", 25, "T1"),
    "NUMBERS_AND_BOOL_1": ("Cast", 1, "T1"),
    "NUMBERS_AND_BOOL_20": ("ConstantOfShape", 20, "T2"),
    "NUMBERS_AND_BOOL_21": ("ConstantOfShape", 21, "T2"),
    "NUMBERS_AND_BOOL_23": ("ConstantOfShape", 23, "T2"),
    "NUMBERS_AND_BOOL_24": ("ConstantOfShape", 24, "T2"),
    "NUMBERS_AND_BOOL_25": ("ConstantOfShape", 25, "T2"),
    "EYES_22": ("EyeLike", 22, "T1"),
    "RANGES_11": ("Range", 11, "T"),
    "RANGES_27": ("Range", 27, "T"),
    "WIDE_NUMBERS_1": ("ReduceSum", 1, "T"),
    "WIDE_NUMBERS_13": ("ReduceSum", 13, "T"),
    "NUMBERS_13": ("Add", 14, "T"),
    "SIGNED_6": ("Neg", 6, "T"),
    "SIGNED_13": ("Neg", 13, "T"),
    "CUMSUMS_11": ("CumSum", 11, "T"),
    "EQUALS_1": ("Equal", 1, "T"),
    "EQUALS_13": ("Equal", 13, "T"),
    "EQUALS_19": ("Equal", 19, "T"),
    "EXTREMES_12": ("ReduceMax", 12, "T"),
    "EXTREMES_13": ("ReduceMax", 13, "T"),
    "EXTREMES_20": ("ReduceMax", 20, "T"),
    "INTEGERS_18": ("BitwiseAnd", 18, "T"),
}
"""What each set of element types is called, and where a schema says it: operator, version, type parameter."""

IN_TYPES = ("BOOL", "INDICES", "LENGTHS")
"""The sets that stand in `wherry.dialects.onnx.types`, as code asks for them."""

UNKNOWN = {"tensor(float6e2m3)", "tensor(float6e3m2)"}
"""Element types that wherry does not have."""

OTHERS = {"seq": "sequences of tensors", "optional": "optional values"}
"""What a schema may take besides tensors."""

MARGIN = len("    Schema(")

HEAD = '''"""The schemas of ONNX's operators that wherry has, {}: one entry a version, as the onnx package has it.

Written by `python -m generate`. What operators mean, and limits that schemas do not hold, stand in operators/.
"""

from __future__ import annotations

from wherry.dialects.onnx import type_sets as sets
from wherry.dialects.onnx.row import Attribute, Kind, Parameter, Schema
from wherry.dialects.onnx.types import BOOL, INDICES, LENGTHS

# fmt: off

'''

HEAD_OF_SETS = '''"""The sets of element types that ONNX's schemas name. Written by `python -m generate`."""

from __future__ import annotations

from wherry.dialects.onnx.types import type_set, with_types

# fmt: off

'''

WHOLE = '''"""The schemas of ONNX's operators that wherry has. Written by `python -m generate`."""

from __future__ import annotations

from wherry.dialects.onnx.row import Schema
from wherry.dialects.onnx.schema_a_to_m import A_TO_M
from wherry.dialects.onnx.schema_n_to_z import N_TO_Z

NEWEST_OPSET = {newest}
"""The newest opset whose operators these are."""

NEWEST_IR_VERSION = {ir}
"""The newest version of the file format."""

SCHEMAS: tuple[Schema, ...] = (*A_TO_M, *N_TO_Z)
'''


def files() -> dict[str, str]:
    """Return the texts of the files of `wherry.dialects.onnx` that follow from the schemas."""
    names = {"Constant", *BY_HAND, *words("onnx")}
    found = [one for one in defs.get_all_schemas_with_history() if one.domain == "" and one.name in names]
    found.sort(key=lambda one: (one.name, one.since_version))
    parts = {"A_TO_M": [one for one in found if one.name < "N"], "N_TO_Z": [one for one in found if one.name >= "N"]}
    texts = {f"schema_{name.lower()}.py": _part(name, schemas) for name, schemas in parts.items()}
    whole = WHOLE.format(newest=defs.onnx_opset_version(), ir=onnx.IR_VERSION)
    return {"type_sets.py": _type_sets(), **texts, "schema.py": whole}


def _part(name: str, schemas: Sequence[defs.OpSchema]) -> str:
    """Return the text of a file with some of the schemas."""
    entries = [f"{name}: tuple[Schema, ...] = (", *map(_entry, schemas), ")\n"]
    return HEAD.format(name.replace("_TO_", " to ")) + "\n".join(entries)


def _type_sets() -> str:
    lines = [_definition(name, types) for types, name in _sets().items() if name not in IN_TYPES]
    return HEAD_OF_SETS + "\n".join(lines) + "\n"


@cache
def _sets() -> dict[tuple[str, ...], str]:
    """Return the name of each set of element types."""
    return {_types(defs.get_schema(*place, ""), parameter): name for name, (*place, parameter) in TYPE_SETS.items()}


def _definition(name: str, types: tuple[str, ...]) -> str:
    """Return a set as the greatest one defined before that is part of it, and the types that come to that."""
    before = list(_sets())[: list(_sets()).index(types)]
    parts = [part for part in before if len(part) > 2 and set(part) < set(types)]
    if not parts:
        return filled(f"{name} = type_set(", map(literal, types), ")")
    base = max(parts, key=len)
    more = [literal(dtype) for dtype in types if dtype not in base]
    return filled(f"{name} = with_types(", [_sets()[base], *more], ")")


def _types(schema: defs.OpSchema, parameter: str) -> tuple[str, ...]:
    """Return wherry's names of the element types of a type parameter, or of the one type that is written out."""
    spelled = {f"tensor({dtype.onnx})": dtype.name for dtype in dtypes.TABLE if dtype.onnx}
    allowed = _allowed(schema, parameter)
    unknown = {kind for kind in allowed if kind.startswith("tensor")} - set(spelled) - UNKNOWN
    if unknown:
        raise SystemExit(f"{_called(schema)} takes {unknown}; add them to wherry.dtypes, or to UNKNOWN")
    return tuple(name for kind, name in spelled.items() if kind in allowed)


def _allowed(schema: defs.OpSchema, parameter: str) -> set[str]:
    constraints = {one.type_param_str: set(one.allowed_type_strs) for one in schema.type_constraints}
    return constraints.get(parameter, {parameter})


def _called(schema: defs.OpSchema) -> str:
    return f"{schema.name}-{schema.since_version}"


def _entry(schema: defs.OpSchema) -> str:
    """Return one schema as a call."""
    taken = {kind.partition("(")[0] for one in schema.inputs for kind in _allowed(schema, one.type_str)}
    others = ", and ".join(words for kind, words in OTHERS.items() if kind in taken)
    head = f"    Schema({literal(schema.name)}, {schema.since_version},"
    parts = [
        [_parameter(schema, one) for one in schema.inputs],
        [_parameter(schema, one) for one in schema.outputs],
        *([list(map(_attribute, _ordered(schema)))] if schema.attributes else []),
    ]
    more = [*(["is_deprecated=True"] if schema.deprecated else []), *([f"others={literal(others)}"] if others else [])]
    return filled(f"{head} ", [*map(_tuple, parts), *more], "),", MARGIN)


def _ordered(schema: defs.OpSchema) -> list[defs.OpSchema.Attribute]:
    """Return the attributes: those that must be given, then by the version that brought them, then by name."""
    history = [one for one in defs.get_all_schemas_with_history() if (one.name, one.domain) == (schema.name, "")]
    first = {name: min(one.since_version for one in history if name in one.attributes) for name in schema.attributes}
    return [schema.attributes[n] for n in sorted(first, key=lambda n: (not schema.attributes[n].required, first[n], n))]


def _tuple(entries: Sequence[str]) -> str:
    return filled(" " * MARGIN + "(", entries, ",)" if len(entries) == 1 else ")").lstrip()


def _parameter(schema: defs.OpSchema, one: defs.OpSchema.FormalParameter) -> str:
    types = _types(schema, one.type_str)
    if types not in _sets():
        raise SystemExit(f"{one.name} of {_called(schema)} takes {', '.join(types)}; name that in TYPE_SETS")
    option = one.option.name
    parts = [
        literal(one.name.rstrip(".")),
        name if (name := _sets()[types]) in IN_TYPES else f"sets.{name}",
        *([literal(one.type_str)] if one.type_str != "T" else []),
        *([f"{option.lower()}=True"] if option != "Single" else []),
    ]
    return f"Parameter({', '.join(parts)})"


def _attribute(one: defs.OpSchema.Attribute) -> str:
    default = helper.get_attribute_value(one.default_value) if one.default_value.name else None
    text = default.decode() if isinstance(default, bytes) else default
    given = ["required=True"] if one.required else [] if text is None else [literal(text)]
    return f"Attribute({', '.join([literal(one.name), f'Kind.{one.type.name}', *given])})"
