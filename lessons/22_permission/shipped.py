"""The real agent in place of the learner's permitted(): what it shows of a call, and what it makes of an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agent.contracts import ToolCall
from cli.approval import NO_TERMINAL, Approval
from cli.screen.terminal import arguments_text, one_line

READS = ("get_dir_info", "get_file_content", "search_files")


def permitted(call: dict[str, Any], ask: Callable[[str], str] | None, always: list[str]) -> str:
    name, raw = call["function"]["name"], call["function"]["arguments"]
    if name in READS or name in always:
        return ""
    if ask is None:
        return NO_TERMINAL
    approval, what = Approval(None), ToolCall("1", name, raw)
    answer = ask(f"May it run {one_line(name)}? {one_line(arguments_text(what))}").strip()
    why = approval._decide(what, answer)
    always += sorted(approval._always)
    return why or ""
