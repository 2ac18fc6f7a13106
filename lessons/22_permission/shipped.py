"""The real agent in place of the learner's permitted(): what it shows of a call, and what it makes of an answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from agent.contracts import ToolCall
from cli.approval import NO_TERMINAL, Approval
from cli.screen.terminal import one_line

READS = ("get_dir_info", "get_file_content", "search_files")


def permitted(call: dict[str, Any], ask: Callable[[str], str] | None, always: list[str]) -> str:
    name, raw = call["function"]["name"], call["function"]["arguments"]
    if name in READS or name in always:
        return ""
    if ask is None:
        return NO_TERMINAL
    approval = Approval(None)
    answer = ask(f"May it run {one_line(name)}? {one_line(json.dumps(json.loads(raw)))}").strip()
    why = approval._decide(ToolCall("1", name, raw), answer)
    always += sorted(approval._always)
    return why or ""
