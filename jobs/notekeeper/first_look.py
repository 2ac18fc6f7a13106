"""How the notekeeper helps a small model: a text to keep is kept word for word, a question is answered from the notes
that are near.

Measured with Qwen2.5-Coder 1.5B: shown the nearest notes alone it called kb_check six times, for a text as for a
question, saved nothing, and answered that the notes are out of order. Told to move a note, it searched for the order
until it was ended.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agent.contracts import NOTE, Reply, ToolCall, ToolResult
from agent.gates import Gate
from agent.mechanisms import Idle, InWords, parts_for
from agent.run import Run
from agent.setup import Help, Hook
from call_functions import run_calls
from config import Settings
from functions.tool import Tool
from jobs.first_look import Calls, looks_anew, made_for, make_calls
from jobs.notekeeper.facts import tokens
from jobs.notekeeper.forms import forms
from jobs.notekeeper.knowledge_base import KnowledgeBase, folders_of
from jobs.notekeeper.tools import get_kb_structure, kb_read_file, kb_vector_search, save_note

MECHANISMS = ("opening", "idle", "nudge", "done", "search")
LONGEST = 500  # characters of a text that are searched for: a note says at its beginning what it is about
MOST_READ, CLOSE = 3, 0.7  # notes that a question is answered from; what their score is of the best one's, at least
CHECKED = ("tidy", "links", "repeated", "check")  # wishes that begin with what is out of order
ORDERED = {  # wishes that one call does
    "move": "move_note",
    "delete": "delete_file",
    "write": "write_file",
    "remember": "store_memory",
    "forget": "forget_memory",
    "commit": "git_commit",
    "push": "git_push",
    "pull": "git_pull",
}
TOLD = ("structure", "find", "read", "summary", "recall", "status")  # wishes that leave nothing to judge
MENDING = ("kb_check", "edit_file", "move_note")  # what puts notes in order; no new one does
LOOKING = (kb_read_file.TOOL.name, kb_vector_search.TOOL.name)
KEEPING = (save_note.TOOL.name, *LOOKING)
SCHEMA = {
    "name": save_note.TOOL.name,
    "description": "Keep the person's text as a note, word for word: it is put in by itself.",
    "parameters": {
        "type": "object",
        "properties": {
            "title": {"type": "string", "description": "A few words that say what it is about"},
            "category": {"type": "string", "description": "A folder's name, used where no folder is near"},
        },
        "required": ["title"],
    },
}
SAVE_IT = f"{NOTE}Now call save_note with a title of a few words. The text itself is put in word for word."
NOT_SAVED = "Nothing is kept yet. Call save_note with a title of a few words; the text is put in word for word."
NOT_ITS_OWN = "The model did not keep the text; this program did, as it would without one."
DONE = "It is done. Answer with one word: done."  # the answer is this program's line
ANSWER = NOTE + "This stands in the notes:\n\n{read}\n\nAnswer from this alone, and name the path of the note: {prompt}"
NO_ANSWER = "The model gave no answer. What was found for it stands in the trace of this run."
PUSH_BACKS = 1


def help_for(settings: Settings, run: Run) -> Help | None:
    """Return what this run's model is given, None for one that needs nothing."""
    names = parts_for(settings, run, MECHANISMS)
    if names is None:
        return None
    from offline.notekeeper.wishes import read_wish

    wish = read_wish(run.prompt)
    keeps, asks = wish.kind == "note" and save_note.TOOL.name in run.catalogue, wish.kind == "ask"
    ordered = None if wish.topic else run.catalogue.get(ORDERED.get(wish.kind, ""))

    def stands_still(run: Run) -> str:
        if wish.kind in CHECKED:
            run.answer_due = NO_ANSWER
        return NOT_SAVED if keeps and not run.told else ""

    idle = Idle(stands_still)
    gates: list[tuple[str, Gate]] = [("idle", idle), ("done", InWords(lambda: not asks))]
    gates += [("done", Named())] if asks else []
    hooks: list[Hook] = [idle] if "idle" in names else []
    if keeps:
        tools = [run.catalogue[name] for name in KEEPING if name in run.catalogue]
        run.catalogue.replace([keeping(wish.content) if tool is save_note.TOOL else tool for tool in tools])
        gates.append(("nudge", Kept(settings.assist)))
    elif ordered or wish.kind in CHECKED:
        offered = (ordered.name, *LOOKING) if ordered else (*MENDING, *LOOKING)
        run.catalogue.replace([run.catalogue[name] for name in offered if name in run.catalogue])
    carried_out = wish.kind in (*CHECKED, *TOLD) and "search" in names
    if keeps or ordered or carried_out:
        due = AnswerDue(ordered.name if ordered else save_note.TOOL.name)
        gates.append(("done", due))
        hooks += [due] if "done" in names and not carried_out else []

    def opening(context: Any, run: Run) -> None:
        if not looks_anew(run) or not {"kb_vector_search", "kb_read_file"} <= run.catalogue.keys():
            return
        if asks:
            read_for(context, run)
            return
        if carried_out:
            carry_out(context, run)
            return
        if ordered:
            context.append(context.wire.user_message(f"{NOTE}Now call {ordered.name}."))
            return
        first = ("kb_vector_search", {"query": (wish.content or run.prompt)[:LONGEST]})
        make_calls(context, run, [("kb_check", {}) if wish.kind in CHECKED else first])
        if keeps:
            context.append(context.wire.user_message(SAVE_IT))

    chosen = [gate for name, gate in gates if name in names]
    return Help(chosen, hooks, opening) if "opening" in names else Help(chosen, hooks)


def read_for(context: Any, run: Run) -> None:
    """Search for the question and read the best notes; the model is shown them as texts, after which nothing is left
    but to answer."""
    found = run.resources["kb"].search(run.prompt, MOST_READ)
    looks: Calls = [
        ("kb_read_file", {"paths": [each.hit.path]}) for each in found if each.score >= CLOSE * found[0].score
    ]
    if looks:
        read = "\n\n".join(result.content for result in made_for(context, run, looks))
        run.answer_due = NO_ANSWER
        context.append(context.wire.user_message(ANSWER.format(read=read, prompt=run.prompt)))


def carry_out(context: Any, run: Run) -> None:
    """Do what the built-in notekeeper would, which changes only what is sure. A model of this size, told to fix two
    links, left the path of one and no link; asked what there is, it looked again and again."""
    from offline.notekeeper.mind import decide
    from offline.wire.conversation import Conversation, Step

    steps: tuple[Step, ...] = ()
    while True:
        talk = Conversation(run.prompt, steps, tools=frozenset(run.catalogue))
        decision = decide(talk, lambda thought: None, run.root.cancelled)
        if not decision.calls:
            break
        made = made_for(context, run, [(each.name, each.arguments) for each in decision.calls])
        steps += tuple(Step("", each.call.name, each.call.readable, each.content) for each in made)
    run.answer_due = run.told = decision.text
    context.append(context.wire.user_message(f"{NOTE}{decision.text}\n\n{DONE}"))


def keeping(text: str) -> Tool:
    """save_note for a model that cannot copy a text: the text is the person's, and what else a note needs is as the
    built-in notekeeper would have it. Of the model's own is a title that shares a word with the text (seen: that of a
    note which it was shown), and the name of a new folder where none is near."""

    def function(kb: KnowledgeBase, title: str, category: str = "") -> str:
        from offline.notekeeper.found import NEIGHBOURS, note_for

        near = kb_vector_search.kb_vector_search(kb, text[:LONGEST], NEIGHBOURS)
        note = note_for(text, near, structure=get_kb_structure.get_kb_structure(kb))
        if forms(title) & forms(text):
            note["title"] = title
        if note["category"] == "general" and category.strip() and category.strip() not in folders_of(kb.look()):
            note["category"] = category
        return save_note.save_note(kb, **note)

    return replace(save_note.TOOL, function=function, schema=SCHEMA)


class Named(Gate):
    """An answer from the notes names one: where it does not, the one that holds most of its words is named for it."""

    def reply(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        read = {
            path: each["result"]
            for each in run.trajectory
            if (each["name"], each["status"]) == (kb_read_file.TOOL.name, "completed")
            for path in each["arguments"]["paths"]
        }
        if not last or not read or any(path in run.partial_answer for path in read) or run.partial_answer == NO_ANSWER:
            return None
        words = set(tokens(run.partial_answer.casefold()))
        best = max(read, key=lambda path: len(words & set(tokens(str(read[path]).casefold()))))
        run.partial_answer = f"{run.partial_answer.strip()}\n\nFrom {best}, which holds most of these words."
        return None


class AnswerDue(Gate, Hook):
    """What one call of a tool does needs no more calls, and the answer is what it says."""

    def __init__(self, tool: str) -> None:
        self._tool = tool

    def reply(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        if last and run.told:
            run.partial_answer = run.told
        return None

    def after_call(self, result: ToolResult, run: Run) -> ToolResult:
        if result.call.name != self._tool or not result.ok:
            return result
        run.answer_due = run.told = f"{result.content}."
        return replace(result, content=f"{result.content}\n\n{DONE}")


class Kept(Gate):
    """A text that was sent to be kept is kept: where the model, asked again, does not, the program does."""

    def __init__(self, assist: str) -> None:
        self._assist, self._told = assist, 0

    def reply(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        if (reply.calls and not last) or is_saved(run):
            return None
        if not last and self._told < PUSH_BACKS:
            self._told += 1
            run.notice("The model answers, and nothing was kept; it is asked once more.")
            return NOT_SAVED
        if self._assist == "off":
            run.warn("The text was not kept.")
            return None
        call = ToolCall(f"keep_{run.turns}", save_note.TOOL.name, {"title": ""})
        run.called(call)
        run.warn(NOT_ITS_OWN if run_calls([call], run)[0].ok else "The text was not kept.")
        run.partial_answer = run.told
        return None


def is_saved(run: Run) -> bool:
    return any(each["name"] == save_note.TOOL.name and each["status"] == "completed" for each in run.trajectory)
