"""Hints instead of answers, for somebody who wants to find the bug: three, each more exact than the one before.

First which test and which function; then which line, what it does with the values of the test, and what kind of mistake
it is; then the change, as a question. A hint never changes anything.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping

from offline.coder.evidence import Evidence, evidence_for, failing_of, function_at, shown_by, told_by
from offline.coder.gathering import next_to_see, untestable
from offline.coder.phrases import read_wish
from offline.coder.reading import files_shown
from offline.coder.wish import Wish
from offline.repair.repair import Finding, Repair
from offline.wire.conversation import Conversation, Decision, Think

HINTS = 3
KINDS = frozenset(("hint", "more"))
NO_FAILURE = "All tests pass, so I have no hint to give: nothing shows a mistake. Tell me what you expected instead."
NO_EVIDENCE = (
    "I found no test that fails and no example, so I cannot tell where the mistake is. Tell me what should come out, "
    "such as: area(2, 3) should be 6."
)


def plan_hint(wish: Wish, conversation: Conversation, think: Think, cancelled: threading.Event) -> Decision:
    """Look as for a repair, then tell a part of it."""
    looking = next_to_see(wish, conversation)
    if looking:
        return looking
    if why := untestable(conversation):
        return Decision(why)
    files = files_shown(conversation.results_of("get_file_content"))
    evidence = evidence_for(wish, conversation, files)
    finding = evidence.search(think, cancelled, None)
    if finding.status == "nothing_to_fix":
        return Decision(NO_FAILURE)
    if finding.status in ("no_tests", "cancelled"):
        return Decision(NO_EVIDENCE)
    about = subject(finding, evidence.said)
    number = min(HINTS, 1 + given_before(conversation, about))
    if finding.repair is None:
        return Decision(without_a_repair(number, finding))
    parts = HINT_WORDS[number](finding.repair, files, conversation, evidence, finding, cancelled)
    return Decision("\n".join(filter(None, (f"Hint {number} of {HINTS}, about {about}.", *parts, NEXT[number]))))


def subject(finding: Finding, said: str) -> str:
    """What the hints are about: the test that shows the bug, by the name that a person sees."""
    tests = finding.repair.shown_by if finding.repair else ()
    return shown_by(tests[:1], said).removeprefix("Shown by ").removesuffix(".") or "the failing tests"


def given_before(conversation: Conversation, about: str) -> int:
    """How many hints about this were given, one after another, up to now."""
    count = 0
    for exchange in reversed(conversation.earlier):
        if read_wish(exchange.prompt).kind not in KINDS or f"about {about}." not in exchange.answer:
            break
        count += 1
    return count


def first_hint(change: Repair, files: Mapping[str, str], conversation: Conversation, *_: object) -> list[str]:
    line, error = told_by(failing_of(conversation), change.shown_by[0] if change.shown_by else "")
    fails = f"It fails at: {line}\nand says: {error}" if line and error else ""
    function = function_at(files[change.path], change.line)
    where = f"the function {function} in {change.path}" if function else f"what {change.path} does outside of functions"
    return [fails, f"Look at {where}."]


def second_hint(
    change: Repair,
    files: Mapping[str, str],
    conversation: Conversation,
    evidence: Evidence,
    finding: Finding,
    cancelled: threading.Event,
) -> list[str]:
    return [
        f"Look at line {change.line} of {change.path}:\n  {change.old_line.strip()}",
        evidence.values(change, finding, cancelled),
        f"What it needs is of this kind: {change.operator}.",
    ]


def third_hint(
    change: Repair,
    files: Mapping[str, str],
    conversation: Conversation,
    evidence: Evidence,
    finding: Finding,
    cancelled: threading.Event,
) -> list[str]:
    now = evidence.values(change, finding, cancelled)
    question = f"What would happen if line {change.line} of {change.path} said this?\n  {change.new_line.strip()}"
    return [now, question]


HINT_WORDS = {1: first_hint, 2: second_hint, 3: third_hint}
NEXT = {
    1: "Ask for another hint when you need one.",
    2: "Ask for another hint when you need one.",
    3: "That was the last hint. Change it yourself and run the tests, or ask me to fix it.",
}


def without_a_repair(number: int, finding: Finding) -> str:
    """What can be said where the search found no change: the lines that look suspicious, one more with each hint."""
    places = [f"{path}, line {line}" for path, line in finding.suspicious[:number]]
    look = f"I would look at {' and '.join(places)}." if places else "I have no place to point at."
    return f"Hint {number} of {HINTS}, about the failing tests.\nI found no small change myself. {look}"
