"""A job's catalogue of tools, in each provider's schema dialect.

A new tool is one file in functions/ that ends in `TOOL`, and one name in a job.
"""

from __future__ import annotations

from typing import Any

from functions.tool import Catalogue


def openai_tools(catalogue: Catalogue) -> list[dict[str, Any]]:
    """Return the catalogue as chat completions take it: JSON schema, each tool wrapped as a function."""
    return [{"type": "function", "function": tool.schema} for tool in catalogue.values()]


def gemini_tools(catalogue: Catalogue) -> list[dict[str, Any]]:
    """Return the catalogue as generateContent takes it: one list of declarations, types in capitals."""
    declared = [{**tool.schema, "parameters": gemini_schema(tool.parameters)} for tool in catalogue.values()]
    return [{"functionDeclarations": declared}] if declared else []


def gemini_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Translate one JSON schema into Google's dialect: a closed set of types in capitals, choices as texts, none of
    them empty (mcp-server-excel#607), no empty `required`, nothing about further properties or what a text holds.

    The rules stand in the API's reference under `Schema` and `Type`.
    """
    translated = {**schema, "type": schema["type"].upper()}
    for name in ("additionalProperties", "contentMediaType"):
        translated.pop(name, None)
    if "properties" in schema:
        translated["properties"] = {name: gemini_schema(part) for name, part in schema["properties"].items()}
    if "items" in schema:
        translated["items"] = gemini_schema(schema["items"])
    if "enum" in schema:  # Google takes choices of texts alone, and "" is none; the validator holds the others
        translated["enum"] = [choice for choice in schema["enum"] if choice and schema["type"] == "string"]
        if not translated["enum"]:
            del translated["enum"]
    if not translated.get("required", True):
        del translated["required"]
    return translated
