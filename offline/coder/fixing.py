"""Repairing and diagnosing: see what fails, search in a copy, change one thing, look again, say what was done."""

from __future__ import annotations

import re
import threading

from offline.coder.bounds import Bounds, bounds_of
from offline.coder.evidence import REPAIR_SECONDS, Evidence, evidence_for, shown_by
from offline.coder.gathering import READ_ALL, next_to_see, the_rest, untestable
from offline.coder.reading import files_shown
from offline.coder.verifying import FOUND, TRY, after_the_edit
from offline.coder.wish import Wish
from offline.repair.repair import Finding, Repair
from offline.wire.conversation import Call, Conversation, Decision, Think

OFFER = "I changed nothing. To have it changed, ask me to fix it."
NO_TESTS = (
    "I found no test that fails, no example in a docstring and no script that ends with an error, so I cannot tell "
    "right from wrong. I changed nothing. Tell me what should come out, such as: area(2, 3) should be 6."
)
EMPTY_HANDED = {
    "nothing_to_fix": "All tests pass, so there is nothing that I could find to fix.",
    "no_tests": NO_TESTS,
    "cancelled": "I was stopped before I found anything. I changed nothing.",
}
LEAST_SURE = 0.5  # below it a change is shown and not made; of a large project the rest is read, too
FIRST_SECONDS = 15.0  # of the search in a part of it
UNSURE = (
    "It makes every test pass, but that is all that speaks for it, and I am not sure enough to change anything. "
    "To have it changed all the same, say: fix it anyway"
)
ANYWAY = re.compile(r"\banyway\b|\ball the same\b|\bregardless\b", re.IGNORECASE)
HOLDS = "I tried what you said in a copy, and it comes out as you want it already. I changed nothing."
NOTHING_FOUND = "I found no small change that makes the failing tests pass. I changed nothing."


def plan_fix(wish: Wish, conversation: Conversation, think: Think, cancelled: threading.Event) -> Decision:
    """Look, think, edit, run the tests again, answer. For "diagnose": all but the edit."""
    edited = conversation.results_of("edit_file")
    if edited:
        return after_the_edit(wish, conversation)
    looking = next_to_see(wish, conversation)
    if looking:
        return looking
    if why := untestable(conversation):
        return Decision(why)
    files = files_shown(conversation.results_of("get_file_content"))
    bounds = bounds_of(wish, files)
    if isinstance(bounds, str):
        return Decision(bounds)
    evidence = evidence_for(wish, conversation, files)
    rest = the_rest(conversation)
    finding = evidence.search(think, cancelled, bounds.allowed(files), FIRST_SECONDS if rest else REPAIR_SECONDS)
    chosen = next((one for one in (finding.repair, finding.runner_up) if bounds.hold(one)), None)
    if rest and (chosen is None or (finding.sure or 0.0) < LEAST_SURE) and not cancelled.is_set():
        return Decision(READ_ALL, rest)
    if chosen is None and wish.kind != "diagnose" and bounds.hold(finding.partial) and worth_trying(finding, evidence):
        return Decision(f"{TRY}{place(finding.partial)}{how_sure(finding.partial_sure)}", edits_of(finding.partial))
    if chosen is None:
        return Decision(empty_handed(finding, evidence, bounds))
    sure = finding.sure if chosen is finding.repair else None
    others = f"{how_sure(sure)}{another(finding)}" if chosen is finding.repair else ""
    asked_again = ANYWAY.search(conversation.prompt) or any(UNSURE in one.answer for one in conversation.earlier)
    unsure = sure is not None and sure < LEAST_SURE and not asked_again
    if wish.kind == "diagnose" or unsure:
        values = evidence.values(chosen, finding, cancelled)
        offer = OFFER if wish.kind == "diagnose" else UNSURE
        return Decision(f"{explain(chosen, values, evidence.said)}{others}\n\n{offer}")
    return Decision(f"{FOUND}{place(chosen)}{others}", edits_of(chosen))


def worth_trying(finding: Finding, evidence: Evidence) -> bool:
    """Whether a change that makes most of the failing tests pass in the copy may make all pass where all files are: a
    test that reads one that is no text, say, fails in the copy alone."""
    mended = len(finding.partial.shown_by) if finding.partial else 0
    return evidence.lacking and mended * 2 >= finding.failing and (finding.partial_sure or 0.0) >= LEAST_SURE


def edits_of(change: Repair) -> tuple[Call, ...]:
    return tuple(
        Call("edit_file", {"file_path": part.path, "old_text": old, "new_text": new})
        for part in (change, *change.also)
        for old, new in part.edits
    )


def empty_handed(finding: Finding, evidence: Evidence, bounds: Bounds) -> str:
    if finding.status == "nothing_to_fix" and evidence.hint:
        return HOLDS
    if str(bounds) and finding.status != "nothing_to_fix":
        path, line = finding.suspicious[0] if finding.suspicious else ("", 0)
        look = f" The line that looks most suspicious is {path}, line {line}." if path else ""
        return f"I found no change within {bounds} that would do, so I changed nothing.{look}"
    return EMPTY_HANDED.get(finding.status) or finding.message or NOTHING_FOUND


def how_sure(sure: float | None) -> str:
    """How probable it is that the change is right and does not only pass, in tens: it is known no better."""
    return "" if sure is None else f" I am about {min(90, max(10, round(sure * 10) * 10))} % sure of it."


def place(chosen: Repair) -> str:
    return f"{chosen.path}, line {chosen.line}: {chosen.operator}."


def another(finding: Finding) -> str:
    """Say what else would have passed the tests: they cannot tell, so a person should."""
    runner_up = finding.runner_up
    if runner_up is None:
        return ""
    others = f"{finding.remaining} other changes pass" if finding.remaining > 1 else "Another change passes"
    first, *more = runner_up.new_line.strip().split("\n")
    line = f"{runner_up.path}, line {runner_up.line}: {first}{' ... (and more lines)' if more else ''}"
    return f"\n{others} the tests too; the next best is {line}"


def explain(chosen: Repair, values: str, said: str) -> str:
    """Say what the line does, with the values of a failing test, what it should do, and which test shows it."""
    change = f"  it is:        {chosen.old_line.strip()}\n  it should be: {chosen.new_line.strip()}"
    return "\n".join(filter(None, (place(chosen), change, values, shown_by(chosen.shown_by, said))))
