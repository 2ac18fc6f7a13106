"""A server's schema in the part of JSON Schema that our validator and both wires take, and arguments back again."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

import pytest

from functions.schema import check_arguments, check_schema
from functions.tool import Catalogue, Tool
from list_functions import gemini_tools
from reach.mcp_schema import Untranslatable, restore, translate
from reach.mcp_tools import offered_name


def whole(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


POINT = {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}
TREE = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
}
# A server's schema; what a model sends for it; what the server must get.
CASES: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "nothing": ({"type": "object"}, {}, {}),
    "no properties, anything goes": ({"type": "object", "additionalProperties": True}, {"a": 1}, {"a": 1}),
    "plain": (whole(a={"type": "string"}, n={"type": "integer"}), {"a": "x", "n": 2}, {"a": "x", "n": 2}),
    "anything, as it is": (whole(a=True, b={}), {"a": 3, "b": {"c": [1]}}, {"a": 3, "b": {"c": [1]}}),
    "true or a text, as it is": (whole(a={"type": ["boolean", "string"]}), {"a": False}, {"a": False}),
    "a number or a text, as it is": (whole(a={"type": ["string", "integer"]}), {"a": 12}, {"a": 12}),
    "a text or a list, as it is": (whole(a={"type": ["string", "array"]}), {"a": ["x"]}, {"a": ["x"]}),
    "null, where it may be": (whole(a={"anyOf": [{"type": "string"}, {"type": "null"}]}), {"a": None}, {"a": None}),
    "null, in OpenAPI's words": (whole(a={"type": "string", "nullable": True}), {"a": None}, {"a": None}),
    "null alone": (whole(a={"type": "null"}, b={"type": "null"}), {"a": None, "b": "null"}, {"a": None, "b": None}),
    "null, or one of several": (whole(a={"type": ["string", "integer", "null"]}), {"a": None}, {"a": None}),
    "a tuple, as it is": (
        whole(a={"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}], "items": {"type": "integer"}}),
        {"a": [1.5, "2", 3]},
        {"a": [1.5, "2", 3]},
    ),
    "more names than are listed": (
        {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": True},
        {"a": "x", "z": 1},
        {"a": "x", "z": 1},
    ),
    "a tree, as it is": (
        {**whole(t={"$ref": "#/$defs/T"}), "$defs": {"T": {**TREE, "properties": {**TREE["properties"], "children": {"type": "array", "items": {"$ref": "#/$defs/T"}}}}}},
        {"t": {"name": "a", "children": [{"name": "b", "children": []}]}},
        {"t": {"name": "a", "children": [{"name": "b", "children": []}]}},
    ),
    "a reference": ({**whole(p={"$ref": "#/$defs/Point"}), "$defs": {"Point": POINT}}, {"p": {"x": 1}}, {"p": {"x": 1}}),
    "an old reference": ({**whole(p={"$ref": "#/definitions/P"}), "definitions": {"P": POINT}}, {"p": {"x": 1}}, {"p": {"x": 1}}),
    "null or a text": (whole(a={"anyOf": [{"type": "string"}, {"type": "null"}]}), {"a": "x"}, {"a": "x"}),
    "a list of types": (whole(a={"type": ["string", "null"]}), {"a": "x"}, {"a": "x"}),
    "a text or a list": (
        whole(a={"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
        {"a": '["x", "y"]'},
        {"a": ["x", "y"]},
    ),
    "a text or a list, as text": (whole(a={"oneOf": [{"type": "string"}, {"type": "array"}]}), {"a": "plain"}, {"a": "plain"}),
    "a number that is a text": (whole(a={"type": ["string", "integer"]}), {"a": "12"}, {"a": 12}),
    "a text of digits, quoted": (whole(a={"type": ["string", "integer"]}), {"a": '"12"'}, {"a": "12"}),
    "anything": (whole(a={}), {"a": '{"deep": [1]}'}, {"a": {"deep": [1]}}),
    "true": (whole(a=True), {"a": "[1]"}, {"a": [1]}),
    "a choice of objects": (
        whole(a={"oneOf": [POINT, {"type": "object", "properties": {"y": {"type": "string"}}}]}),
        {"a": {"y": "s"}},
        {"a": {"y": "s"}},
    ),
    "discriminated": (
        whole(
            a={
                "oneOf": [
                    {"type": "object", "properties": {"kind": {"const": "a"}, "n": {"type": "integer"}}, "required": ["kind"]},
                    {"type": "object", "properties": {"kind": {"const": "b"}}, "required": ["kind"]},
                ]
            }
        ),
        {"a": {"kind": "b"}},
        {"a": {"kind": "b"}},
    ),
    "constants": (whole(a={"anyOf": [{"const": "x"}, {"const": "y"}]}), {"a": "y"}, {"a": "y"}),
    "an enum of numbers": (whole(a={"enum": [1, 2]}), {"a": 2}, {"a": 2}),
    "all of": (whole(a={"allOf": [POINT, {"properties": {"z": {"type": "integer"}}}]}), {"a": {"x": 1, "z": 2}}, {"a": {"x": 1, "z": 2}}),
    "one that holds itself": (
        {**whole(t={"$ref": "#/$defs/Tree"}), "$defs": {"Tree": TREE}},
        {"t": {"name": "a", "children": ['{"name": "b", "children": []}']}},
        {"t": {"name": "a", "children": [{"name": "b", "children": []}]}},
    ),
    "a reference to nowhere": (whole(a={"$ref": "#/$defs/gone"}), {"a": "7"}, {"a": 7}),
    "a reference to the web": (whole(a={"$ref": "https://example.com/schema"}), {"a": "x"}, {"a": "x"}),
    "formats and bounds": (
        whole(a={"type": "string", "format": "date", "pattern": "^\\d"}, n={"type": "integer", "minimum": 1, "maximum": 5, "multipleOf": 1}),
        {"a": "2026-01-01", "n": 5},
        {"a": "2026-01-01", "n": 5},
    ),
    "a tuple": (whole(a={"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}]}), {"a": ["x", "2"]}, {"a": ["x", 2]}),
    "a map": (whole(a={"type": "object", "additionalProperties": {"type": "string"}}), {"a": {"k": "v"}}, {"a": {"k": "v"}}),
    "odd names": (whole(**{"a b.c-d": {"type": "string"}, "class": {"type": "boolean"}}), {"a b.c-d": "x", "class": True}, {"a b.c-d": "x", "class": True}),
    "required, in the words of an old draft": (
        whole(a={"anyOf": [{**POINT, "required": True}, POINT], "required": [["x"]]}), {"a": {"x": 1}}, {"a": {"x": 1}}
    ),
    "required without a property": ({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a", "gone"]}, {"a": "x"}, {"a": "x"}),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_schema_is_translated_for_both_wires_and_the_arguments_come_back(case: str):
    schema, sent, wanted = CASES[case]
    parameters = translate(schema)
    check_schema(parameters, case)
    assert restore(check_arguments(sent, parameters), schema) == wanted
    from google.genai import types

    tool = Tool("t", str, {"name": "t", "description": "d", "parameters": parameters}, True)
    types.Tool.model_validate(gemini_tools(Catalogue([tool]))[0])


def test_an_empty_choice_is_not_sent_to_google_which_would_refuse_every_request():
    parameters = translate(whole(a={"type": "string", "enum": ["", "x"]}, b={"type": "string", "enum": [""]}))
    assert check_arguments({"a": "", "b": ""}, parameters) == {"a": "", "b": ""}
    tool = Tool("t", str, {"name": "t", "description": "d", "parameters": parameters}, True)
    declared = gemini_tools(Catalogue([tool]))[0]["functionDeclarations"][0]["parameters"]["properties"]
    assert declared == {"a": {"type": "STRING", "enum": ["x"]}, "b": {"type": "STRING"}}


@pytest.mark.parametrize(
    "schema", [None, [], "object", {"type": "string"}, {"type": "array"}, {"anyOf": [{"type": "string"}]}]
)
def test_what_is_no_object_is_refused(schema: Any):
    with pytest.raises(Untranslatable):
        translate(schema)


def test_what_only_narrows_is_said_in_the_description():
    said = translate(whole(a={"type": "string", "format": "date", "description": "The day", "default": "today"}))
    assert said["properties"]["a"]["description"] == 'The day; default: "today"; format: "date"'


def test_a_schema_that_grows_without_end_is_refused():
    deep = {f"L{n}": whole(**{f"p{k}": {"$ref": f"#/$defs/L{n + 1}"} for k in range(10)}) for n in range(40)}
    with pytest.raises(Untranslatable, match="too large"):
        translate({**whole(a={"$ref": "#/$defs/L0"}), "$defs": {**deep, "L40": {"type": "string"}}})


@pytest.mark.parametrize(
    ("server", "tool"),
    [("files", "read.file"), ("a", "x" * 100), ("my server", "läuft"), ("9", "list"), ("s", "a b"), ("s", "a_b")],
)
def test_a_name_fits_both_wires_and_stays_apart_from_others(server: str, tool: str):
    import re

    name = offered_name(server, tool)
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", name)
    assert offered_name(server, "a b") != offered_name(server, "a_b")


def doubling(key: str, levels: int) -> dict[str, object]:
    """A short schema whose references, one within another, lead to 2**levels places."""
    parts: dict[str, object] = {"L0": {"type": "object", "properties": {"a": {"type": "string"}}}}
    for level in range(1, levels + 1):
        below = {"$ref": f"#/$defs/L{level - 1}"}
        parts[f"L{level}"] = {key: [below, {"type": "object", "properties": {"p": below}}, below]}
    return {"type": "object", "$defs": parts, "properties": {"x": {"$ref": f"#/$defs/L{levels}"}}}


@pytest.mark.parametrize("key", ["anyOf", "oneOf", "allOf"])
def test_a_short_schema_that_multiplies_is_refused_or_translated_at_once(key: str):
    schema = doubling(key, 14)
    began = time.process_time()
    with suppress(Untranslatable):
        translate(schema)
    assert restore({"x": {"a": "text"}}, schema) == {"x": {"a": "text"}}
    assert time.process_time() - began < 5  # without a count it is minutes
