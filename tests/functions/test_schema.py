"""The validator of arguments: jsonschema is the judge of what it says, and what it does not know fails at once."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functions.misfit import describe_type
from functions.schema import SchemaError, check_arguments, check_schema
from functions.tool import Catalogue, Tool
from list_functions import gemini_tools

NAMES = st.sampled_from(["a", "b", "c", "d"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.floats(-5, 5),
    st.floats(-5, 5).map(round).map(float),
    st.text("xyz"),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=6
)


def bounded(kind: str, numbers: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    optional = {"minimum": numbers, "maximum": numbers, "enum": st.lists(numbers, min_size=1, max_size=3)}
    return st.fixed_dictionaries({"type": st.just(kind)}, optional=optional)


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    properties = draw(st.dictionaries(NAMES, inner, max_size=3))
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if properties and draw(st.booleans()):
        schema["required"] = draw(st.lists(st.sampled_from(sorted(properties)), unique=True))
    if draw(st.booleans()):
        schema["additionalProperties"] = draw(st.booleans() | inner)
    return schema


def arrays(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"type": st.just("array")}, optional={"items": inner})


LEAVES = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("string")}, optional={"enum": st.lists(st.text("xyz"), min_size=1, max_size=3)}
    ),
    st.just({"type": "boolean"}),
    bounded("integer", st.integers(-5, 5)),
    bounded("number", st.floats(-5, 5)),
)
SCHEMAS = st.recursive(LEAVES, lambda inner: objects(inner) | arrays(inner), max_leaves=6)


@pytest.mark.long
@settings(max_examples=400, deadline=None)
@given(objects(SCHEMAS), st.dictionaries(NAMES, VALUES, max_size=3))
def test_it_takes_what_jsonschema_takes_and_nothing_else(schema: dict[str, Any], arguments: dict[str, Any]):
    check_schema(schema, "tool")
    judged = {"additionalProperties": False, **schema}  # a tool that does not say otherwise takes what it names alone
    right = jsonschema.Draft202012Validator(judged).is_valid(arguments)
    if right:
        assert check_arguments(arguments, schema) == arguments
        return
    with pytest.raises(ValueError, match="."):
        check_arguments(arguments, schema)


@settings(max_examples=100, deadline=None)
@given(objects(SCHEMAS))
def test_google_s_own_types_take_every_schema_that_it_takes(schema: dict[str, Any]):
    from google.genai import types

    catalogue = Catalogue([Tool("tool", str, {"name": "tool", "description": "", "parameters": schema}, True)])
    types.Tool.model_validate(gemini_tools(catalogue)[0])


@pytest.mark.parametrize(
    ("schema", "named"),
    [
        ({"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}]}}}, "a has the type None"),
        ({"type": "object", "properties": {"a": {"type": "string", "pattern": "x"}}}, "'pattern'"),
        ({"type": "object", "properties": {"a": {"type": ["string", "null"]}}}, "['string', 'null']"),
        ({"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#/x"}}}}, "a, items"),
        ({"type": "object", "patternProperties": {}}, "'patternProperties'"),
        ({"type": "object", "properties": {}, "required": ["b"]}, "requires 'b'"),
        ({"type": "object", "properties": {"a": {"type": "string", "enum": []}}}, "no list of choices"),
        ({"type": "string"}, "must be an object"),
        ({}, "has the type None"),
    ],
)
def test_a_schema_with_something_else_in_it_fails_when_the_catalogue_is_made(schema: dict[str, Any], named: str):
    with pytest.raises(SchemaError, match="the tool odd") as raised:
        Catalogue([Tool("odd", str, {"name": "odd", "description": "", "parameters": schema}, True)])
    assert named in str(raised.value)


def test_a_default_is_filled_in_and_a_whole_number_comes_as_one():
    schema = {"type": "object", "properties": {"n": {"type": "integer"}, "m": {"type": "string", "default": "x"}}}
    taken = check_arguments({"n": 3.0}, schema)
    assert taken == {"n": 3, "m": "x"}
    assert isinstance(taken["n"], int)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"share": "half"}, "'share' is text where a number from 0 to 1 is needed"),
        ({"share": 1.5}, "'share' is 1.5 where a number from 0 to 1 is needed"),
        ({"mode": "fsat"}, "'mode' is 'fsat' where one of fast, slow is needed (did you mean 'fast'?)"),
        ({"tags": ["a", 1]}, "'tags', item 2 is a number where a string is needed"),
        ({"place": {"town": 1}}, "in 'place', 'town' is a number where a string is needed"),
        ({"place": {}}, "in 'place', it needs 'town'"),
        ({"shair": 1}, "it has no parameter 'shair' (did you mean 'share'?)"),
    ],
)
def test_a_refusal_names_the_parameter_and_what_it_may_be(arguments: dict[str, Any], sentence: str):
    schema = {
        "type": "object",
        "properties": {
            "share": {"type": "number", "minimum": 0, "maximum": 1},
            "mode": {"type": "string", "enum": ["fast", "slow"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "place": {"type": "object", "properties": {"town": {"type": "string"}}, "required": ["town"]},
        },
    }
    with pytest.raises(ValueError, match=r"^") as raised:
        check_arguments(arguments, schema)
    assert str(raised.value) == sentence
    assert describe_type(schema["properties"]["place"]) == '{"town": a string}'
