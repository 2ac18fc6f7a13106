"""Answer a client that is not ours: what the coder would do next, done with what the client has."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from dataclasses import replace

from offline.coder import TOOLS
from offline.coder import mind as coder
from offline.coder.phrases import read_wish
from offline.foreign.aside import CAN, NOTE, step_aside
from offline.foreign.hands import Unreadable, calls_for, edited, files_of, own_steps
from offline.foreign.kit import KNOWN, Hand, Kit, kit_of
from offline.foreign.shell import listings
from offline.foreign.spoken import BLOCKS, Spoken, spoken_in
from offline.wire.conversation import Call, Conversation, Decision, Step, Think

BLOCK = "{}\n```python\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n```"
SUBMITS = re.compile(r"`(echo [A-Z][A-Z_]{9,})`")
NO_FILES = (
    "I can't do this, because I was given neither a tool nor a file: those that I know are {known}, each after a line "
    "with its path, between fences."
)


def is_foreign(conversation: Conversation, *, is_strange: bool) -> bool:
    """Whether a client that is none of ours has what a repair takes, or asks for one without it. `is_strange`: none of
    its tools has the name of one of ours, so that it may be for the operator, who picks among any tools."""
    spoken = spoken_in(conversation)
    kind = read_wish(spoken.task).kind
    if conversation.schemas:
        names = " ".join(conversation.schemas)
        works = kit_of(conversation.schemas, "").works and not (is_strange and kind == "unknown")
        return works or kind == "fix" and "__" not in names and "fix" not in names
    return not conversation.steps and (bool(spoken.fence) or kind in ("fix", "diagnose", "hint"))


def decide(conversation: Conversation, think: Think, cancelled: threading.Event) -> Decision:
    """Return the next message, in the client's own calls."""
    spoken = spoken_in(conversation)
    kit, steps = kit_for(conversation, spoken), (*spoken.steps, *conversation.steps)
    if kit is None:
        return on_files(conversation, spoken, think, cancelled)
    if not kit.works:
        return finished(kit.cannot(), kit, conversation)
    try:
        made = own_steps(kit, steps)
    except Unreadable as problem:
        return finished(str(problem), kit, conversation)
    own = as_ours(conversation, spoken.task, made if kit["shell"] else with_tests(made))
    used_aside = False
    while (decision := coder.decide(own, think, cancelled)).calls:
        files = edited(files_of(own.steps), own.steps)
        if calls := calls_for(kit, decision.calls, files):
            return given(Decision(decision.text, calls), spoken.fence, conversation)
        if not {call.name for call in decision.calls} <= CAN:
            return finished(kit.cannot(), kit, conversation)
        made = [step_aside(call, files) for call in decision.calls]
        own = replace(own, steps=(*own.steps, *made))
        used_aside = True
    text = kit.cannot() if decision.text.endswith(coder.NO_MORE_TURNS) and conversation.tools else decision.text
    return finished(f"{text}\n{NOTE}" if used_aside else text, kit, conversation, spoken.fence)


def kit_for(conversation: Conversation, spoken: Spoken) -> Kit | None:
    """The tools; a block of commands is a shell. None where there are neither."""
    if spoken.fence:
        return Kit({"shell": Hand(spoken.fence, {"command": "command"}, {})}, (spoken.fence,))
    return kit_of(conversation.schemas, told_in(conversation)) if conversation.schemas else None


def told_in(conversation: Conversation) -> str:
    """All that a client says, what its person sees first."""
    return "\n".join((*(each.prompt for each in (*conversation.earlier, conversation)), conversation.system))


def as_ours(conversation: Conversation, task: str, steps: list[Step]) -> Conversation:
    """The conversation as the coder sees it: without tools where none may be called now."""
    may_call = conversation.tools or not conversation.schemas
    tools = TOOLS - {"search_files", "write_file"} if may_call else frozenset()
    return Conversation(task, tuple(steps), conversation.answer, tools=tools, earlier=conversation.earlier)


def with_tests(steps: list[Step]) -> list[Step]:
    """The steps with what the tests said before the first edit, where the client's own runner said nothing readable."""
    steps = [step for step in steps if step.name != "run_tests" or step.result]
    first = next((number for number, step in enumerate(steps) if step.name == "edit_file"), None)
    if first is None or any(step.name == "run_tests" for step in steps[:first]):
        return steps
    return [*steps[:first], step_aside(Call("run_tests", {"path": "."}), files_of(steps)), *steps[first:]]


def on_files(conversation: Conversation, spoken: Spoken, think: Think, cancelled: threading.Event) -> Decision:
    """Work on the files in the messages alone, and give those that changed, as the client wants them."""
    if not spoken.files:
        return Decision(NO_FILES.format(known=KNOWN))
    files: Mapping[str, str] = dict(spoken.files)
    steps = listings({path: len(text) for path, text in files.items()})
    own = as_ours(conversation, spoken.task, steps)
    changes: list[Call] = []
    while (decision := coder.decide(own, think, cancelled)).calls:
        made = []
        for call in decision.calls:
            if call.name == "edit_file":
                made.append(Step(decision.text, call.name, call.arguments, "edited"))
                changes.append(call)
                files = edited(files, made[-1:])
            elif call.name == "get_file_content":
                text = files.get(str(call.arguments["file_path"]), "Error: it was not shown")
                made.append(Step("", call.name, call.arguments, text))
            elif call.name in CAN:
                made.append(step_aside(call, files))
            else:
                made.append(Step("", call.name, call.arguments, "Error: there is nothing more"))
        own = replace(own, steps=(*own.steps, *made))
    return Decision("\n\n".join((decision.text, NOTE, *shown(changes, files, conversation)))) if changes else decision


def shown(changes: list[Call], files: Mapping[str, str], conversation: Conversation) -> list[str]:
    """The files that changed, whole, or the pieces of them, as the client asked for them."""
    if BLOCKS in f"{conversation.system}{conversation.prompt}":
        names = ("file_path", "old_text", "new_text")
        return [BLOCK.format(*(str(call.arguments[name]).strip("\n") for name in names)) for call in changes]
    paths = dict.fromkeys(str(call.arguments["file_path"]) for call in changes)
    return [f"{path}\n```\n{files[path]}```" for path in paths]


def given(decision: Decision, fence: str, conversation: Conversation) -> Decision:
    """The calls as the client takes them: in a block, or one at a time."""
    if fence:
        command = decision.calls[0].arguments["command"]
        return Decision(f"THOUGHT: {decision.text or 'I look further.'}\n\n```{fence}\n{command}\n```")
    told_as_text = "Observation:" in (conversation.body.get("stop") or ())  # then one text holds all results of a turn
    if told_as_text or conversation.body.get("parallel_tool_calls") is False:
        return replace(decision, calls=decision.calls[:1])
    return decision


def finished(text: str, kit: Kit, conversation: Conversation, fence: str = "") -> Decision:
    """The answer, given the way that ends the client's loop: by a tool, by a command, or as text."""
    if (hand := kit["answer"]) and hand.name in conversation.tools:
        return Decision("", (Call(hand.name, hand.arguments(text=text)),))
    told = told_in(conversation)
    if (shell := kit["shell"]) and (submit := SUBMITS.search(told)) and (fence or conversation.tools):
        return given(Decision(text, (Call(shell.name, shell.arguments(command=submit[1])),)), fence, conversation)
    return Decision(text)
