"""Decide the next message from the conversation so far: the built-in model's whole mind but for the repairing.

It keeps nothing between requests. Like any model behind this wire, it sees what the conversation holds and no more.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import replace

from offline.coder.changing import plan_add_test, plan_rename
from offline.coder.explaining import plan_about, plan_explain, plan_outline, plan_uses, read_through
from offline.coder.fixing import OFFER, UNSURE, plan_fix
from offline.coder.hinting import KINDS as HINT_KINDS
from offline.coder.hinting import plan_hint
from offline.coder.phrases import read_wish
from offline.coder.reading import files_shown, listing
from offline.coder.verifying import call
from offline.coder.wish import Wish
from offline.wire.conversation import Conversation, Decision, Think

ABOUT = (
    "I am Glassbox's built-in model: a small program, not a language model. I find and repair small bugs by search, "
    "where a test, an example or your words show them, and give hints; I explain functions and files, say who uses "
    "what, rename, add a test from an example, and list, read, search, run and test files."
)
MODEL_NEEDED = (
    "For this you need a language model: start LM Studio's server with a model loaded, or set LLM_PROVIDER=gemini and "
    "GEMINI_API_KEY in .env; then ask again."
)
CANNOT = (  # what the prompt speaks of, and what would help; the first that fits
    (r"\b(undo|revert|roll back|take back)\b", "I can't take changes back, but you can: python main.py --undo."),
    (r"\b(delete|remove)\b", "I have no tool that deletes a file or a part of one: do that yourself."),
    (r"\brename\b", "I renamed nothing. To have it done, say: rename OLD to NEW."),
    (
        r"\b(spelling|typos?|grammar|wording|comments?|docstrings?|docs|readme|translat\w+)\b",
        "I can't judge prose. {model}",
    ),
    (r"\b(format\w*|indent\w*|lint\w*|style)\b", "I don't format code: a formatter does, such as `ruff format`."),
    (r"", "I can't do that. {about}\n\n{model}"),
)
NO_MORE_TURNS = "I was not allowed another step, so I stopped before I was done."


def decide(conversation: Conversation, think: Think, cancelled: threading.Event) -> Decision:
    """Return the next message. `think` is told what is being tried; `cancelled` ends the search early."""
    wish, conversation = meant(conversation)
    decision = PLANS[wish.kind](wish, conversation, think, cancelled)
    if not {call.name for call in decision.calls} <= conversation.tools:
        return Decision(f"{decision.text}\n{NO_MORE_TURNS}".strip())
    return decision


def meant(conversation: Conversation) -> tuple[Wish, Conversation]:
    """What the prompt asks for, as a person means it after what was said before: "yes" to an offer, "more" of hints."""
    wish = read_wish(conversation.prompt)
    before = conversation.earlier[-1] if conversation.earlier else None
    if wish.kind == "yes" and before and (OFFER in before.answer or UNSURE in before.answer):
        asked = read_wish(before.prompt)
        return replace(asked, kind="fix"), replace(conversation, prompt=before.prompt)
    if wish.kind == "more" and before and read_wish(before.prompt).kind in HINT_KINDS:
        wish = replace(wish, kind="hint")
    if wish.kind == "hint" and (asked := first_of_the_hints(conversation)):
        return read_wish(asked), replace(conversation, prompt=asked)
    return wish, conversation


def first_of_the_hints(conversation: Conversation) -> str:
    """The prompt that began the row of hints which goes on now: it may say what was expected."""
    asked = ""
    for exchange in reversed(conversation.earlier):
        if read_wish(exchange.prompt).kind not in HINT_KINDS:
            break
        asked = exchange.prompt
    return asked


def plan_list(wish: Wish, conversation: Conversation, *_: object) -> Decision:
    done = conversation.results_of("get_dir_info")
    if not done:
        return call("get_dir_info", directory=wish.path)
    if done[-1].failed:
        return Decision(done[-1].result)
    if not listing(done[-1]) and "is empty" not in done[-1].result:
        return Decision(f"I can't read the listing that get_dir_info gave: {done[-1].result[:300]}")
    place = "the root" if wish.path == "." else f'"{wish.path}"'
    names = [f"- {entry.name}{'/' if entry.is_directory else f' ({entry.size} bytes)'}" for entry in listing(done[-1])]
    return Decision("\n".join([f"In {place} there are {len(names)} entries:", *names]))


def plan_read(wish: Wish, conversation: Conversation, *_: object) -> Decision:
    read = conversation.results_of("get_file_content")
    if reading := read_through(wish.path, read):
        return reading
    path, text = next(iter(files_shown(read).items()), (wish.path, ""))
    if not text and read[-1].failed:
        return Decision(read[-1].result)
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return Decision(f'"{path}" says:\n\n{fence}\n{text.rstrip()}\n{fence}')


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


def plan_unknown(wish: Wish, conversation: Conversation, *_: object) -> Decision:
    answer = next(answer for about, answer in CANNOT if re.search(about, conversation.prompt, re.IGNORECASE))
    return Decision(answer.format(about=ABOUT, model=MODEL_NEEDED))


def plan_help(*_: object) -> Decision:
    return Decision(ABOUT)


PLANS: dict[str, Callable[..., Decision]] = {
    "fix": plan_fix,
    "diagnose": plan_fix,
    "hint": plan_hint,
    "rename": plan_rename,
    "add_test": plan_add_test,
    "explain": plan_explain,
    "about": plan_about,
    "uses": plan_uses,
    "outline": plan_outline,
    "list": plan_list,
    "read": plan_read,
    "search": plan_search,
    "run": plan_run,
    "test": plan_test,
    "help": plan_help,
    "yes": plan_help,
    "more": plan_help,
    "unknown": plan_unknown,
}
