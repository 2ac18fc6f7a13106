"""Tool: small changes that make the failing tests pass, found by a search and not by a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from functions import ToolError
from functions.suggestions import SECONDS, Suggestions, texts_in
from functions.tool import Tool
from sandbox.files.root import Refusal, Root, hold

if TYPE_CHECKING:
    from offline.repair.repair import Finding, Repair

MOST_LOOKED_AT = 5  # suspicious lines that are named
LONGEST_LINE = 160  # characters of a line that are shown

SCHEMA = {
    "name": "suggest_repair",
    "description": f"Search up to {SECONDS:g} s for small changes that make the failing tests pass. Changes nothing.",
    "parameters": {"type": "object", "properties": {}, "required": []},
}


def suggest_repair(suggestions: Suggestions) -> str:
    """Return the changes that make all tests pass, numbered, each tried; else what comes near, and where to look."""
    try:
        finding = suggestions.search()
    except Refusal as refusal:
        return ToolError(refusal)
    if finding.status == "nothing_to_fix":
        return "All tests pass, so there is nothing to repair."
    if finding.status == "cancelled":
        return ToolError("the search was stopped by the person")
    tried = f"({finding.tried} changes tried in {finding.seconds:.1f} s)"
    if not suggestions.found:
        return "\n".join([f"{finding.message} {tried}", *suspects(finding, suggestions)])
    changes = [f"{number}. {in_words(each)}" for number, each in enumerate(suggestions.found, 1)]
    return "\n".join(
        [
            f"Each of these changes makes all tests pass {tried}. Nothing was changed yet.",
            *changes,
            "Make one with apply_repair, number=1 unless you have a reason for another.",
        ]
    )


def suspect_lines(working_directory: str | Path | Root) -> list[str]:
    """The lines of the program where a bug most likely is, as `suspect: path:line: code`. At most four seconds; [] when
    it takes longer."""
    from offline.repair.repair import suspicious_lines

    try:
        with hold(working_directory) as root:
            texts = texts_in(root)
    except Refusal:  # too much for a search
        return []
    lines = [(path, line, texts[path].split("\n")[line - 1].strip()) for path, line in suspicious_lines(texts)]
    return [f"suspect: {path}:{line}: {code[:LONGEST_LINE]}" for path, line, code in lines[:MOST_LOOKED_AT]]


def in_words(change: Repair) -> str:
    """A change in a line: where, what stands there, and what would."""
    parts = [
        f"{each.path}:{each.line}: {quoted(each.old_line)} becomes {quoted(each.new_line)}" for each in all_of(change)
    ]
    return f"{'; and '.join(parts)} ({change.operator})"


def all_of(change: Repair) -> Sequence[Repair]:
    """A change file by file."""
    return (change, *change.also)


def quoted(code: str) -> str:
    if not code.strip():
        return "nothing"
    lines = code.strip("\n").split("\n")
    shown = "\n".join(line[:LONGEST_LINE] for line in lines)
    return f"`{shown}`" if len(lines) == 1 else f"\n```\n{shown}\n```\n"


def suspects(finding: Finding, suggestions: Suggestions) -> list[str]:
    """The most suspicious lines of the program with the reason, as far as one is known."""
    shown = []
    for (path, line), why in zip(
        finding.suspicious[:MOST_LOOKED_AT], [*finding.why, *[""] * MOST_LOOKED_AT], strict=False
    ):
        lines = suggestions.files.get(path, "").split("\n")
        if 1 <= line <= len(lines):
            code = lines[line - 1].strip()[:LONGEST_LINE]
            shown.append(f"suspect: {path}:{line}: {code}{f' ({why})' if why else ''}")
    return shown


TOOL = Tool(
    name="suggest_repair",
    function=suggest_repair,
    schema=SCHEMA,
    reads_only=False,
    verifies=True,
    resource="suggestions",
)
