"""The tool catalogue, in each provider's schema dialect. A new tool is one file in functions/ and one line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from functions import edit_file, get_dir_info, get_file_content, run_python_file, run_tests, search_files, write_file

MODULES = (
    get_dir_info,
    get_file_content,
    search_files,
    run_tests,
    run_python_file,
    edit_file,
    write_file,
)


@dataclass(frozen=True)
class Tool:
    """A tool as the dispatcher needs it: what to call, what it takes, and whether it only reads."""

    name: str
    function: Callable[..., str]
    schema: dict[str, Any]
    reads_only: bool


TOOLS: dict[str, Tool] = {
    module.SCHEMA["name"]: Tool(
        name=module.SCHEMA["name"],
        function=getattr(module, module.SCHEMA["name"]),
        schema=module.SCHEMA,
        reads_only=module.READS_ONLY,
    )
    for module in MODULES
}


def openai_tools() -> list[dict[str, Any]]:
    """Return the catalogue as chat completions take it: JSON schema, each tool wrapped as a function."""
    return [{"type": "function", "function": tool.schema} for tool in TOOLS.values()]


def gemini_tools() -> list[dict[str, Any]]:
    """Return the catalogue as generateContent takes it: one list of declarations, types in capitals."""
    declarations = [{**tool.schema, "parameters": gemini_schema(tool.schema["parameters"])} for tool in TOOLS.values()]
    return [{"functionDeclarations": declarations}]


def gemini_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Translate one JSON schema into Google's dialect: a closed set of types in capitals, no empty `required`.

    The rules stand in the API's reference under `Schema` and `Type`.
    """
    translated = {**schema, "type": schema["type"].upper()}
    if "properties" in schema:
        translated["properties"] = {name: gemini_schema(part) for name, part in schema["properties"].items()}
    if "items" in schema:
        translated["items"] = gemini_schema(schema["items"])
    if not translated.get("required", True):
        del translated["required"]
    return translated
