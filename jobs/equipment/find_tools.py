"""Tool: find, among the servers' tools, those that are not sent with each request because there are too many.

A model picks worse among many tools, and pays for each with every request (a search instead of the whole list is what
Anthropic's tool search does: https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from functions import ToolError
from functions.tool import Tool
from index.words import split

MOST_SENT = 40  # tools of all servers together; above it they are found
MOST_SENT_TOKENS = 8_000  # what their descriptions and schemas may cost with every request
MOST_FOUND = 5  # by one search
SCHEMA = {
    "name": "find_tools",
    "description": "Find more tools, of MCP servers. What is found can be called from the next turn on.",
    "parameters": {
        "type": "object",
        "properties": {"query": {"type": "string", "description": "A few words of what is to be done"}},
        "required": ["query"],
    },
}


class Shelf:
    """The servers' tools of a session: all of them where they are few, else those that were found so far."""

    def __init__(self) -> None:
        self._all: dict[str, Tool] = {}
        self._found: dict[str, None] = {}  # in the order in which they were found: what was sent before stays in place

    def offered(self, tools: Sequence[Tool]) -> list[Tool]:
        """Take what the servers have now, and return what a model is told of."""
        self._all = {tool.name: tool for tool in tools}
        cost = sum(len(str(tool.schema)) for tool in tools) // 4
        if len(tools) <= MOST_SENT and cost <= MOST_SENT_TOKENS:
            return list(tools)
        return [TOOL, *(self._all[name] for name in self._found if name in self._all)]

    def find(self, query: str) -> list[Tool]:
        """The tools with most words of the query, those in the name first; they are offered from now on."""
        asked = set(words_in(query))
        scores = {name: score(tool, asked) for name, tool in self._all.items()}
        enough = max(1, (max(scores.values(), default=0) + 1) // 2)  # half of the best; less is no likely meaning
        best = sorted((name for name in scores if scores[name] >= enough), key=lambda name: -scores[name])[:MOST_FOUND]
        self._found |= dict.fromkeys(best)
        return [self._all[name] for name in best]

    def servers(self) -> str:
        """How many tools each server has, in words."""
        names = [name.partition("__")[0] for name in self._all]
        return ", ".join(f"{server} ({names.count(server)} tools)" for server in dict.fromkeys(names))


def words_in(text: str) -> list[str]:
    """The words of a text or a name in any notation, in small letters, without the endings of many."""
    return [re.sub(r"(?<=x)es$|(?<=\w{3})s$", "", word.lower()) for word in split(text)]


def score(tool: Tool, asked: set[str]) -> int:
    """How well a tool fits: 3 for each word in its name, 1 for each elsewhere in its schema."""
    named = asked & set(words_in(tool.name))
    return 3 * len(named) + len(asked & set(words_in(str(tool.schema))) - named)


def find_tools(shelf: Shelf, query: str) -> str:
    """Return the names and descriptions of the tools that were found."""
    found = shelf.find(query)
    if not found:
        return ToolError(f"no tool has a word of {query[:80]!r}. There are tools of {shelf.servers()}: try other words")
    lines = [f"{tool.name}: {tool.schema['description'].partition(chr(10))[0][:200]}" for tool in found]
    return "\n".join(["These can be called now:", *lines])


TOOL = Tool(name="find_tools", function=find_tools, schema=SCHEMA, reads_only=True, resource="shelf")
