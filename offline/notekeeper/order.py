"""Putting the folder in order: what kb_check found, changed where it is sure what was meant. Notes that repeat each
other are proposed, with what a merge drops and keeps, and never merged before a person says so."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import quote

from offline.notekeeper.wishes import Wish
from offline.wire.conversation import Call, Conversation, Decision, fields_of

PROPOSED = "These repeat each other. I merge none without being told to; say the line of each that you want:"
_PATH = re.compile(
    r"(.*\](?:\(|:)\s*<?)[^#<>]*?(?=[#>]|\s+[\"'(]|\s*\)?$)", re.DOTALL
)  # what a link names, after the rest
UNDO = "To take it back: python main.py --undo"


def plan_tidy(wish: Wish, conversation: Conversation) -> Decision:
    """Ask what is out of order, change what is sure, and say what was left."""
    checked = conversation.results_of("kb_check")
    if not checked:
        return Decision("", (Call("kb_check", {}),))
    if checked[-1].failed or " | " not in checked[-1].result:
        return Decision(checked[-1].result)
    findings = [fields_of(line) for line in checked[-1].result.split("\n")]
    kinds = {"links": ("broken link",), "repeated": ("repeated",), "check": ()}
    wanted = kinds.get(wish.kind, ("broken link", "misplaced"))
    calls = [change for finding in findings if finding[0] in wanted and (change := change_for(finding))]
    done = [step for step in conversation.steps if step.name in ("edit_file", "move_note")]
    if calls and not done:
        return Decision("", tuple(calls))
    left = [finding for finding in findings if finding[0] not in wanted or not change_for(finding)]
    proposed = [finding for finding in left if finding[0] == "repeated" and len(finding) == 5]
    left = [finding for finding in left if finding not in proposed]
    lines = [f"- {step.result}" for step in done]
    if left:
        lines += ["Left as it is:", *(f"- {', '.join(filter(None, finding))}" for finding in left)]
    if proposed:
        lines += [PROPOSED, *(f"- merge {other} into {kept} ({says})" for _, kept, other, _, says in proposed)]
    return Decision("\n".join([*lines, *([UNDO] if done else [])]))


def change_for(finding: list[str]) -> Call | None:
    """The call that puts one finding in order; None where it is not sure what was meant."""
    if finding[0] == "broken link" and finding[-1] and not finding[-1].startswith("perhaps "):
        _, path, *several, to = finding
        raw = " | ".join(several)
        there = quote(posixpath.relpath(to, posixpath.dirname(path) or "."))
        if spelled := _PATH.match(raw):
            new = spelled[1] + there + raw[spelled.end() :]
        else:
            named, _, shown = raw[2:-2].partition("|")
            new = f"[{shown or named}]({there}{quote(''.join(named.partition('#')[1:]), safe='#')})"
        return Call("edit_file", {"file_path": path, "old_text": raw, "new_text": new})
    if finding[0] == "repeated" and finding[-1].endswith("keeps 0 paragraphs of its own"):
        return Call("move_note", {"path": finding[2], "to": finding[1]})
    if finding[0] == "misplaced":
        return Call("move_note", {"path": finding[1], "to": f"{finding[2]}/{posixpath.basename(finding[1])}"})
    return None
