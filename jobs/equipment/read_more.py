"""Tool: read on in a long result that came from outside."""

from __future__ import annotations

from functions import ToolError
from functions.tool import Tool
from reach.pages import Pages

SCHEMA = {
    "name": "read_more",
    "description": "Read another page of a long result; its first page says how.",
    "parameters": {
        "type": "object",
        "properties": {
            "result": {"type": "string", "description": "The result's name, such as r1"},
            "page": {"type": "integer", "description": "Page, from 1", "minimum": 1},
        },
        "required": ["result", "page"],
    },
}


def read_more(pages: Pages, result: str, page: int) -> str:
    """Return one page of a result that is still kept."""
    try:
        return pages.page(result, page)
    except KeyError:
        return ToolError(
            f"there is no result {result[:40]!r}; only the last few long ones are kept. Make the call again"
        )
    except IndexError as error:
        return ToolError(f"there is no page {page}: the result {result} has {error.args[0]}")


TOOL = Tool(name="read_more", function=read_more, schema=SCHEMA, reads_only=True, resource="pages")
