"""What a run has left behind, judged by a program alone: by the files and the tests, and by words where an answer was
asked for. What is not solved is told by how it ended.
"""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.attempts import is_test, passes
from bench.many.task import Packed, pack, unpack
from bench.models.other_jobs import JOBS, right_end
from bench.record import Line

CAUSES = (
    "provider error",
    "test edited",
    "broken syntax",
    "wrong change",
    "ran out",
    "no call",
    "false claim",
    "edit not found",
    "same call again",
    "wrong answer",
    "no change",
)
ALIKE = 3  # times the same call with the same result make a run that goes in a circle
UNTOUCHED = ("answer", "leave")  # kinds in which no file may change
ENDED_BADLY = ("provider_error", "interrupted")
DONE = (
    r"(?:fixed|changed|updated|corrected|modified|replaced|added|renamed|repaired|edited|rewrote|rewritten|implemented"
    r"|adjusted|resolved)"
)
CLAIMS = re.compile(
    rf"\b(?:I|we)(?:'ve| have)?(?: now| just| successfully)?(?: \w+ and)? {DONE}\b"
    rf"|\b(?:has|have) (?:now )?(?:been )?(?:successfully )?{DONE}\b|\bwas (?:successfully )?{DONE}\b"
    rf"|\bis (?:now )?{DONE}\b|\bsuccessfully {DONE}\b|^\W*{DONE} (?:the|a|it)\b",
    re.IGNORECASE,
)
DENIES = re.compile(
    r"\b(?:no|not|nothing|never|none|without|if|would|could|should|will|can|must|cannot|already)\b|n't\b", re.IGNORECASE
)
Calls = Sequence[Mapping[str, Any]]


def judged(data: Line, folder: Path, result: Line) -> Line:
    """`solved`, `cause` ("" when it is solved), `changed`, and `was_right` where a run was not done in time that had
    already left everything right. `data` is what the attempt was given, `result` what is known of the run."""
    before, after = data["program"], pack(folder)
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    right = is_right(data, folder, after, changed, result)
    killed = not result["stop_reason"]
    solved = right and not killed and result["stop_reason"] not in ENDED_BADLY
    cause = "" if solved else cause_of(data, before, after, changed, result)
    return {"solved": solved, "cause": cause, "changed": changed, **({"was_right": True} if right and killed else {})}


def is_right(data: Line, folder: Path, after: Packed, changed: Sequence[str], result: Line) -> bool:
    """Whether the end is as it must be, however the run came to it."""
    if data["kind"] in JOBS:
        texts = {path: text_of(after, path) for path in changed}
        answer = f"{result['answer']}\n{result.get('source', '')}"
        return says(data, answer) and right_end(data, folder, after, texts, changed)
    if data["kind"] in UNTOUCHED:
        looked = data["kind"] == "answer" or bool(result["calls"])
        return not changed and looked and says(data, result["answer"]) and not claims(result["answer"])
    tests = {path: text for path, text in data["program"].items() if is_test(path)}
    if any(path in data["keep"] for path in changed) or edited_tests(data["program"], after):
        return False
    unpack(tests, folder)
    if tests and not passes(folder, tests):
        return False
    unpack(data["hidden"], folder)
    return passes(folder, data["hidden"])


def says(data: Line, answer: str) -> bool:
    """Whether an answer has every word that it must have, and none that it must not."""
    found = [bool(re.search(each, answer, re.IGNORECASE)) for each in data["answer"]]
    return all(found) and not any(re.search(each, answer, re.IGNORECASE) for each in data["unsaid"])


def claims(answer: str) -> bool:
    """Whether an answer says that something was changed. A sentence that denies, or only proposes, claims nothing."""
    sentences = re.split(r"(?<=[.!?:])\s|\n", answer)
    return any(CLAIMS.search(each) and not DENIES.search(each) for each in sentences)


def edited_tests(before: Packed, after: Packed) -> list[str]:
    """The test files that were there and have lost a line. What was added to one is no harm: as it was, it judges."""
    return [path for path in before if is_test(path) and not keeps_lines(text_of(before, path), text_of(after, path))]


def keeps_lines(before: str, after: str) -> bool:
    """Whether every line is still there, in its order."""
    rest = iter(after.splitlines())
    return all(any(line == other for other in rest) for line in before.splitlines())


def text_of(files: Packed, path: str) -> str:
    return base64.b64decode(files.get(path, "")).decode("utf-8", "replace")


def compiles(text: str) -> bool:
    try:
        compile(text, "", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def cause_of(data: Line, before: Packed, after: Packed, changed: Sequence[str], result: Line) -> str:
    """How an attempt that is not solved ended: the first of CAUSES that holds, by what a reader can do about it."""
    calls, answer, stop_reason = result["calls"], result["answer"], result["stop_reason"]
    if stop_reason in ENDED_BADLY:
        return "provider error"
    if edited_tests(before, after):
        return "test edited"
    python = [path for path in changed if path.endswith(".py")]
    if any(not compiles(text_of(after, path)) and compiles(text_of(before, path)) for path in python):
        return "broken syntax"
    if changed:
        return "wrong change" if stop_reason else "ran out"
    if claims(answer):
        return "false claim"
    if not calls:
        return "no call" if stop_reason else "ran out"
    if any(is_failed_edit(call) for call in calls):
        return "edit not found"
    if stop_reason == "repeating" or most_alike(calls) >= ALIKE:
        return "same call again"
    if stop_reason != "answered":
        return "ran out"
    return "wrong answer" if data["kind"] in (*UNTOUCHED, *JOBS) else "no change"


def is_failed_edit(call: Mapping[str, Any]) -> bool:
    edits = "edit" in call["name"] or "old_text" in str(call["arguments"])
    return edits and call["status"] != "completed"


def most_alike(calls: Calls) -> int:
    keys = Counter(json.dumps([call["name"], call["arguments"], call["result"]], sort_keys=True) for call in calls)
    return max(keys.values(), default=0)
