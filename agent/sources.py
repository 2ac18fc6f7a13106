"""What an answer rests on: the files, and the lines of them, that the calls read, found, wrote or ran."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agent.contracts import ToolResult
from functions.tool import Tool

Range = tuple[int, int]
Drawn = list[tuple[str, list[Range]]]


def drawn_by(tool: Tool | None, result: ToolResult) -> Drawn:
    """What one result rests on, as its tool says; a call that failed rests on nothing."""
    arguments = result.call.readable
    if tool is None or tool.sources is None or not result.ok or not isinstance(arguments, dict):
        return []
    return tool.sources(arguments, result.content)


def sources(drawn: Iterable[Drawn]) -> list[dict[str, Any]]:
    """Return `{"path", "lines"}` for each file, in the order in which they came up; `lines` are pairs of first and last
    line, merged and sorted, and empty for a file that was run and not read."""
    found: dict[str, list[Range]] = {}
    for path, lines in (one for each in drawn for one in each):
        found.setdefault(path.removeprefix("./"), []).extend((first, last) for first, last in lines)
    return [{"path": path, "lines": [list(lines) for lines in merged(ranges)]} for path, ranges in found.items()]


def merged(ranges: Sequence[Range]) -> list[Range]:
    """Join ranges that touch or overlap."""
    joined: list[Range] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined
