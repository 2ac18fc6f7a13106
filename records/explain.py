"""What the loop does at each kind of step, in three lines for somebody who learns: what happened and which line of this
program does it, which lesson builds it, and what another answer would have led to. A page from which one can fork adds
what a fork would try."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from config import PROJECT


class Explanation(NamedTuple):
    did: str
    file: str
    code: str  # what the line holds
    lesson: int
    otherwise: str
    fork: str = ""


EXPLANATIONS = {
    "you": Explanation(
        "Your words enter the conversation as a message of their own. Done by",
        "main.py",
        "context.append(wire.user_message(prompt))",
        1,
        "Other words, other run.",
        "Fork here with another prompt, and compare the two.",
    ),
    "gate": Explanation(
        "The loop did not take the reply: a gate told the model why, in your role, as no wire has one for it. Done by",
        "main.py",
        "objected = objection(reply, run",
        13,
        "Without the objection the reply would have been the answer, and the run over.",
    ),
    "model": Explanation(
        "The whole conversation was sent, and the model's reply appended as it came. Done by",
        "main.py",
        "reply = run.replayed(context) or request()",
        6,
        "Calls in the reply are run and their results sent back; a reply in text alone would have ended the run here.",
    ),
    "answer": Explanation(
        "The reply holds no call, and no gate objects: it is the answer. Done by",
        "main.py",
        'return run.finish(limit or "answered")',
        6,
        "One call in it, and the loop would have gone round once more.",
    ),
    "call": Explanation(
        "The call was checked against its schema, run, and its result put where the model looks for it. Done by",
        "call_functions.py",
        "def dispatch(",
        5,
        "The model believes what stands here.",
        "Fork here with another result, and see what it makes of it.",
    ),
    "failed": Explanation(
        "The tool refused or failed; the reason is a result like any other, and says what would be right. Done by",
        "call_functions.py",
        "return ToolError(",
        5,
        "An exception would have ended the run; a sentence lets the model try another way.",
    ),
    "note": Explanation(
        "Told to you alone: the model does not hear of it. Done by",
        "agent/run.py",
        "def notice(",
        10,
        "Nothing: it changes neither the conversation nor the files.",
    ),
}


@cache
def explained() -> dict[str, dict[str, Any]]:
    """The lines by kind of step, as the page shows them, with the number of each line of source."""
    return {
        kind: {
            "did": f"{each.did} Glassbox's",
            "file": each.file,
            "line": line_of(each.file, each.code),
            "lesson": f"Lesson {each.lesson} of the course builds it: python -m lessons, or python -m lessons --web.",
            "otherwise": each.otherwise,
            "fork": each.fork,
        }
        for kind, each in EXPLANATIONS.items()
    }


def line_of(file: str, code: str) -> int:
    """The first line, from 1, that holds a piece of code; 1 where the source is not there."""
    try:
        lines = (PROJECT / file).read_text(encoding="utf-8").splitlines()
    except OSError:
        return 1
    return next((number for number, line in enumerate(lines, 1) if code in line), 1)
