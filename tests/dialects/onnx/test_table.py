"""The table against the schemas of the installed onnx package, row by row."""

from itertools import pairwise

import pytest
from onnx import defs, helper

from wherry.dialects.onnx.operators import MEANINGS
from wherry.dialects.onnx.row import FIELD_NAMES, NO_LIMIT, OnnxRow, Parameter
from wherry.dialects.onnx.schema import NEWEST_IR_VERSION, NEWEST_OPSET, SCHEMAS
from wherry.dialects.onnx.table import NAMES, ROWS, find_row
from wherry.errors import InvalidTypeError, UnsupportedError

SIX_BITS = {"tensor(float6e2m3)", "tensor(float6e3m2)"}  # element types that wherry does not have

_OPTIONS = {(False, False): "Single", (True, False): "Optional", (False, True): "Variadic"}


def schemas(name: str) -> list[defs.OpSchema]:
    return [schema for schema in defs.get_all_schemas_with_history() if schema.name == name and schema.domain == ""]


def tensor_types(schema: defs.OpSchema, type_str: str) -> set[str]:
    """The types of a schema's type parameter, or the one type that is written out."""
    for constraint in schema.type_constraints:
        if constraint.type_param_str == type_str:
            return set(constraint.allowed_type_strs)
    return {type_str}


def check_parameters(schema: defs.OpSchema, ours: tuple[Parameter, ...], theirs: list[object], refuses: bool) -> None:
    assert len(ours) == len(theirs)
    for parameter, formal in zip(ours, theirs, strict=True):
        assert parameter.name == formal.name.rstrip(".")
        assert _OPTIONS[parameter.optional, parameter.variadic] == formal.option.name
        assert parameter.type_name == formal.type_str
        types = tensor_types(schema, formal.type_str)
        tensors = {kind for kind in types if kind.startswith("tensor")} - SIX_BITS
        assert {f"tensor({dtype.onnx})" for dtype in parameter.types.members} == tensors
        assert refuses == any(t[:6] != "tensor" for t in types)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.subject)
def test_row_is_the_schema(row: OnnxRow) -> None:
    schema = defs.get_schema(row.name, row.since, "")
    assert schema.since_version == row.since
    assert schema.deprecated == bool(row.deprecated)
    check_parameters(schema, row.inputs, schema.inputs, bool(row.refuses))
    check_parameters(schema, row.outputs, schema.outputs, bool(row.refuses))
    assert {attribute.name for attribute in row.attributes} == set(schema.attributes)
    for attribute in row.attributes:
        theirs = schema.attributes[attribute.name]
        assert attribute.kind == theirs.type.name
        assert attribute.required == theirs.required
        default = helper.get_attribute_value(theirs.default_value) if theirs.default_value.name else None
        assert attribute.default == (default.decode() if isinstance(default, bytes) else default)
    if not (row.inputs and row.inputs[-1].variadic):
        assert schema.max_input == len(row.inputs)
    assert schema.min_input == sum(not parameter.optional for parameter in row.inputs)
    assert row.rule
    assert row.source == f"ONNX operator {row.name}-{row.since}"


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_version_has_a_row(name: str) -> None:
    assert [row.since for row in ROWS if row.name == name] == sorted(schema.since_version for schema in schemas(name))


@pytest.mark.parametrize("name", sorted(NAMES))
def test_the_row_of_each_opset_is_the_schemas(name: str) -> None:
    first = min(row.since for row in ROWS if row.name == name)
    for opset in range(1, first):
        with pytest.raises(UnsupportedError, match=f"version of {name} is {opset}, allowed {first} and newer"):
            find_row(name, opset)
    for opset in range(first, NEWEST_OPSET + 1):
        assert find_row(name, opset).since == defs.get_schema(name, opset, "").since_version


def test_every_schema_has_a_row_and_every_meaning_a_schema() -> None:
    versions = {(schema.name, schema.since) for schema in SCHEMAS}
    assert versions == {(row.name, row.since) for row in ROWS}
    assert versions >= {(name, meaning.since) for name, meanings in MEANINGS.items() for meaning in meanings}


def shapes(row: OnnxRow) -> list[tuple[str, bool, bool]]:
    return [(one.name, one.optional, one.variadic) for one in (*row.inputs, *row.outputs)]


@pytest.mark.parametrize("name", sorted(NAMES))
def test_versions_without_a_meaning_of_their_own_add_types_only(name: str) -> None:
    own = {meaning.since for meaning in MEANINGS[name]}
    for before, row in pairwise(row for row in ROWS if row.name == name):
        if row.since not in own:
            assert row.rule.removeprefix("adds ")
            assert [(one.name, one.optional) for one in row.inputs] == [
                (one.name, one.optional) for one in before.inputs
            ]
            assert row.attributes == before.attributes
            assert row.refuses == before.refuses


@pytest.mark.parametrize("name", sorted(NAMES))
def test_limits_are_those_of_attributes_that_the_version_has(name: str) -> None:
    for meaning in MEANINGS[name]:
        row = find_row(name, meaning.since)
        limited = {attribute.name for attribute in row.attributes if attribute.limit is not NO_LIMIT}
        assert limited == set(meaning.limits)


def test_newest_versions_are_at_least_the_installed_ones() -> None:
    import onnx

    assert defs.onnx_opset_version() <= NEWEST_OPSET, "run python -m generate, and say what the new versions mean"
    assert onnx.IR_VERSION <= NEWEST_IR_VERSION


@pytest.mark.parametrize("opset", [0, -1, 29])
def test_unknown_opsets(opset: int) -> None:
    with pytest.raises(UnsupportedError, match=f"opset is {opset}, allowed 1..28"):
        find_row("Gather", opset)


def test_unknown_operator() -> None:
    with pytest.raises(UnsupportedError, match="operator is 'Conv', allowed Abs, Add, And, ArgMax, ArgMin"):
        find_row("Conv", 13)


def test_opset_is_an_integer() -> None:
    with pytest.raises(InvalidTypeError, match=r"opset is 13\.5"):
        find_row("Gather", 13.5)


def test_every_name_of_a_field_is_one_of_a_version() -> None:
    unused = {(ours, name) for ours, names in FIELD_NAMES.items() for name in names}
    for row in ROWS:
        unused.difference_update(row.names.items())
    assert unused == set()
