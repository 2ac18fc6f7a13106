"""Decide the next message from the conversation so far: the built-in model's whole mind but for the repairing.

It keeps nothing between requests. Like any model behind this wire, it sees what the conversation holds and no more.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence

from offline.coder.phrases import Wish, read_wish
from offline.coder.reading import files_shown, listing, more_to_list, more_to_read, read_again
from offline.repair.repair import Finding, repair
from offline.wire.conversation import Call, Conversation, Decision, Step, Think

ABOUT = (
    "I am Glassbox's built-in model: a small program, not a language model. I can find and repair small bugs by search "
    "when tests show them, and list, read, search, run and test files when asked in plain words."
)
CANNOT = (
    "I can't do that. {about}\n\nFor this you need a language model: start LM Studio's server with a model loaded, or "
    "set LLM_PROVIDER=gemini and GEMINI_API_KEY in .env; then ask again."
)
NO_MORE_TURNS = "I was not allowed another step, so I stopped before I was done."
REPAIR_SECONDS = 60.0
TOOLS = frozenset(
    (
        "edit_file",
        "get_dir_info",
        "get_file_content",
        "run_python_file",
        "run_tests",
        "search_files",
        "write_file",
    )
)


def decide(conversation: Conversation, think: Think, cancelled: threading.Event) -> Decision:
    """Return the next message. `think` is told what is being tried; `cancelled` ends the search early."""
    wish = read_wish(conversation.prompt)
    decision = PLANS[wish.kind](wish, conversation, think, cancelled)
    if not {call.name for call in decision.calls} <= conversation.tools:
        return Decision(f"{decision.text}\n{NO_MORE_TURNS}".strip())
    return decision


def plan_list(wish: Wish, conversation: Conversation, *_: object) -> Decision:
    done = conversation.results_of("get_dir_info")
    if not done:
        return call("get_dir_info", directory=wish.path)
    if done[-1].failed:
        return Decision(done[-1].result)
    place = "the root" if wish.path == "." else f'"{wish.path}"'
    names = [f"- {entry.name}{'/' if entry.is_directory else f' ({entry.size} bytes)'}" for entry in listing(done[-1])]
    return Decision("\n".join([f"In {place} there are {len(names)} entries:", *names]))


def plan_read(wish: Wish, conversation: Conversation, *_: object) -> Decision:
    done = conversation.results_of("get_file_content")
    if not done:
        return call("get_file_content", file_path=wish.path)
    if done[-1].failed:
        return Decision(done[-1].result)
    if more := more_to_read(done):
        return Decision("", more)
    text = files_shown(done)[wish.path]
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return Decision(f'"{wish.path}" says:\n\n{fence}\n{text.rstrip()}\n{fence}')


def plan_search(wish: Wish, conversation: Conversation, *_: object) -> Decision:
    done = conversation.results_of("search_files")
    if not done:
        return call("search_files", query=wish.query)
    lines = done[-1].result.splitlines()
    if done[-1].failed or lines[0].startswith("No match"):
        return Decision(done[-1].result)
    name = re.escape(wish.query)
    is_definition = re.compile(rf":\d+: \s*((async )?def|class) {name}\b|:\d+: \s*([\w.]+\.)?{name}\s*(:[^=]+)?=[^=]")
    defined = [line for line in lines if is_definition.search(line)]
    others = [line for line in lines if line not in defined]
    answer = [f"`{wish.query}` is defined here:", *defined, ""] if defined else []
    heading = "It is also mentioned here:" if defined else f"`{wish.query}` stands here:"
    return Decision("\n".join([*answer, *([heading, *others] if others else [])]).strip())


def plan_run(wish: Wish, conversation: Conversation, *_: object) -> Decision:
    done = conversation.results_of("run_python_file")
    if not done:
        return call("run_python_file", file_path=wish.path, args=list(wish.words))
    return Decision(done[-1].result if done[-1].failed else f'Running "{wish.path}" gave:\n\n{done[-1].result}')


def plan_test(wish: Wish, conversation: Conversation, *_: object) -> Decision:
    done = conversation.results_of("run_tests")
    if not done:
        return call("run_tests", path=".")
    return Decision(done[-1].result)


def plan_unknown(*_: object) -> Decision:
    return Decision(CANNOT.format(about=ABOUT))


def plan_fix(wish: Wish, conversation: Conversation, think: Think, cancelled: threading.Event) -> Decision:
    """List, read, run the tests, think, edit, run the tests again, answer. For "diagnose": all but the edit."""
    listed = conversation.results_of("get_dir_info")
    if not listed:
        return call("get_dir_info", "I look at the files first.", directory=".")
    if folders := more_to_list(listed):
        return Decision("", folders)
    read, edited = conversation.results_of("get_file_content"), conversation.results_of("edit_file")
    if not edited and (files := more_to_read(read, listed)):
        return Decision("" if read else "I read the program and its tests.", files)
    tested = conversation.results_of("run_tests")
    if not tested:
        return call("run_tests", "I run the tests to see what fails.", path=".")
    if not edited and (gone := read_again(read)):
        return Decision("I read again what no longer found room.", gone)
    if not edited:
        return think_and_edit(wish, conversation, files_shown(read), think, cancelled)
    if failed := [step for step in edited if step.failed]:
        return Decision(f"I found a repair, but the edit was refused. {failed[0].result}")
    if conversation.steps[-1].name == "edit_file":
        return call("run_tests", "I run the tests again.", path=".")
    return conclude(edited[0], tested[0], tested[-1])


def think_and_edit(
    wish: Wish, conversation: Conversation, files: dict[str, str], think: Think, cancelled: threading.Event
) -> Decision:
    finding = repair(files, hint=conversation.prompt, seconds=REPAIR_SECONDS, on_progress=think, cancelled=cancelled)
    if finding.repair is None:
        return Decision(EMPTY_HANDED.get(finding.status) or finding.message or NOTHING_FOUND)
    if wish.kind == "diagnose":
        return Decision(f"{explain(finding)}\n\nI changed nothing. To have it changed, ask me to fix it.")
    edits = tuple(
        Call("edit_file", {"file_path": part.path, "old_text": old, "new_text": new})
        for part in (finding.repair, *finding.repair.also)
        for old, new in part.edits
    )
    return Decision(f"{FOUND}{place(finding)}{another(finding)}", edits)


FOUND = "I found it. "
NOTHING_FOUND = "I found no small change that makes the failing tests pass. I changed nothing."
EMPTY_HANDED = {
    "nothing_to_fix": "All tests pass, so there is nothing that I could find to fix.",
    "no_tests": "I found no tests, and without a failing test I cannot tell right from wrong. I changed nothing.",
    "cancelled": "I was stopped before I found anything. I changed nothing.",
}


def place(finding: Finding) -> str:
    return f"{finding.repair.path}, line {finding.repair.line}: {finding.repair.operator}."


def another(finding: Finding) -> str:
    """Say what else would have passed the tests: they cannot tell, so a person should."""
    runner_up = finding.runner_up
    if runner_up is None:
        return ""
    others = f"{finding.remaining} other changes pass" if finding.remaining > 1 else "Another change passes"
    line = f"{runner_up.path}, line {runner_up.line}: {runner_up.new_line.strip()}"
    return f"\n{others} the tests too; the next best is {line}"


def explain(finding: Finding) -> str:
    """Say what the line does, what it should do, which test shows it, and what else would pass."""
    chosen = finding.repair
    change = f"  it is:        {chosen.old_line.strip()}\n  it should be: {chosen.new_line.strip()}"
    return f"{place(finding)}\n{change}\n{shown_by(chosen.shown_by)}{another(finding)}"


def conclude(edit: Step, before: Step, after: Step) -> Decision:
    """The answer: what the line did, what it does now, which test showed it, and that the tests pass."""
    was, now = (step.result.split("\n", 1)[0] for step in (before, after))
    if after.failed or not re.match(r"All \d+ tests passed|\d+ passed", now):
        return Decision(f"My change did not make all tests pass: {now}\n\n{edit.said}")
    found, _, others = edit.said.removeprefix(FOUND).partition("\n")
    failing = re.findall(r"^(?:(?:FAIL|ERROR): |_{3,} )([\w.\[\]-]+)", before.result, re.MULTILINE)
    old, new = (indented(str(edit.arguments.get(name))) for name in ("old_text", "new_text"))
    change = f"  before: {old}\n  now:    {new}"
    explanation = "\n".join(filter(None, (f"Fixed. {found}", change, shown_by(failing), others)))
    return Decision(f"{explanation}\n\nTests before: {was}\nTests now: {now}")


def indented(text: str) -> str:
    return text.strip("\n").replace("\n", "\n          ") or "(nothing)"


def shown_by(tests: Sequence[str]) -> str:
    return f"Shown by {', '.join(tests[:3])}{' and others' if len(tests) > 3 else ''}." if tests else ""


def call(name: str, text: str = "", **arguments: object) -> Decision:
    return Decision(text, (Call(name, arguments),))


PLANS: dict[str, Callable[..., Decision]] = {
    "fix": plan_fix,
    "diagnose": plan_fix,
    "list": plan_list,
    "read": plan_read,
    "search": plan_search,
    "run": plan_run,
    "test": plan_test,
    "unknown": plan_unknown,
}
