"""What an answer rests on: the files, and the lines of them, that the calls read, found, wrote or ran."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

MATCH = re.compile(r"^(.+?):(\d+): ", re.MULTILINE)
PAGE = re.compile(r"^\[Lines (\d+)-(\d+) of \d+ shown\.", re.MULTILINE)
EDITED = re.compile(r"at line (\d+)$")
Range = tuple[int, int]


def sources(trajectory: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return `{"path", "lines"}` for each file, in the order in which they came up; `lines` are pairs of first and last
    line, merged and sorted, and empty for a file that was run and not read. Calls that failed count for nothing."""
    found: dict[str, list[Range]] = {}
    for call in trajectory:
        drawn = DRAWN.get(call["name"])
        if drawn and call["status"] == "completed" and isinstance(call["arguments"], Mapping):
            for path, lines in drawn(call["arguments"], call["result"] or ""):
                found.setdefault(path.removeprefix("./"), []).extend(lines)
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


def count(text: str) -> int:
    """How many lines a text has; a line feed at its end begins no line."""
    return text.count("\n") + (not text.endswith("\n")) if text else 0


def _read(arguments: Mapping[str, Any], result: str) -> list[tuple[str, list[Range]]]:
    first = int(arguments.get("start_line") or 1)
    shown = PAGE.findall(result[-300:])
    lines = (int(shown[-1][0]), int(shown[-1][1])) if shown else (first, first + count(result) - 1)
    return [(str(arguments["file_path"]), [lines] if lines[1] >= lines[0] else [])]


def _found(arguments: Mapping[str, Any], result: str) -> list[tuple[str, list[Range]]]:
    return [(path, [(int(line), int(line))]) for path, line in MATCH.findall(result)]


def _edited(arguments: Mapping[str, Any], result: str) -> list[tuple[str, list[Range]]]:
    at = EDITED.search(result)
    first = int(at[1]) if at else 1
    return [(str(arguments["file_path"]), [(first, first + max(count(str(arguments["new_text"])), 1) - 1)])]


def _written(arguments: Mapping[str, Any], result: str) -> list[tuple[str, list[Range]]]:
    lines = count(str(arguments["content"]))
    return [(str(arguments["file_path"]), [(1, lines)] if lines else [])]


def _ran(arguments: Mapping[str, Any], result: str) -> list[tuple[str, list[Range]]]:
    return [(str(arguments["file_path"]), [])]


DRAWN: dict[str, Callable[[Mapping[str, Any], str], list[tuple[str, list[Range]]]]] = {
    "get_file_content": _read,
    "search_files": _found,
    "edit_file": _edited,
    "write_file": _written,
    "run_python_file": _ran,
}
