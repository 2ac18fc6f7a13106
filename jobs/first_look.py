"""What a careful agent looks at first: what a prompt wants, and which files it, the tests and its words point to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from agent.context import Context
from agent.contracts import OPENING, Reply, TokenUsage, ToolCall, ToolResult
from agent.run import Run
from call_functions import run_calls
from config import MAX_CHARACTERS
from functions import run_tests
from sandbox.files.root import Refusal

Calls = Sequence[tuple[str, Mapping[str, Any]]]  # names and arguments

SHARE, USUAL_WINDOW, CHARACTERS_A_TOKEN = 0.3, 32_768, 4  # of the window, for what is looked at first
MOST_FILES = 4  # that are read before the model is asked
MOST_READ = 10_000  # characters of them together: what is larger is left to the model
MOST_RANKED = 200  # files whose text is looked at for the words of the prompt
QUESTION = re.compile(r"^\s*(?:where|what|why|how|which|who|when|does|is|are|explain|describe)\b|\?\s*$", re.IGNORECASE)
REQUEST = re.compile(
    r"\b(?:can|could|would|will) you\b|\bplease\b"
    r"|(?:^|[.!?;]\s+|,?\s+and\s+)(?:then\s+)?(?:fix|repair|change|add|write|"
    r"rename|remove|make|implement|update|correct|mend|solve|replace|edit)\b",
    re.IGNORECASE,
)
NAMED_FILE = re.compile(r"[\w./-]+\.\w+")
IN_TRACEBACK = re.compile(r'File "([^"\n]+)", line \d+|^([\w./-]+\.py):\d+', re.MULTILINE)
A_WORD = re.compile(r"[A-Za-z_]\w{2,}")
MOST_WORDS = 12
COMMON = frozenset(
    re.findall(
        r"\w+",
        """where which what there these those does defined about explain program file files test tests the and for not
        are has have when that this with from into its than then bug fix please should must will can was were why how
        who let""",
    )
)


def make_calls(context: Context, run: Run, calls: Calls) -> None:
    """Make these calls as a turn of the model's own, in the words of its wire; in a fork, those of its parent."""
    if not calls:
        return
    reply = first_reply(context, run, calls)
    context.append(reply.message)
    run.replied(reply)
    results = run_calls(reply.calls, run)
    context.append_results(context.wire.tool_messages(results, reply), results)


def made_for(context: Context, run: Run, calls: Calls) -> list[ToolResult]:
    """Make these calls for a model that is then told of them in words: one that has seen calls goes on with them."""
    reply = first_reply(context, run, calls)
    run.replied(reply)
    return list(run_calls(reply.calls, run))


def first_reply(context: Context, run: Run, calls: Calls) -> Reply:
    run.asking()
    return run.replayed(context) or as_a_reply(context, calls, f"{OPENING}{run.turns}")


def as_a_reply(context: Context, calls: Calls, named: str) -> Reply:
    """A reply of these calls; `named` is what their ids begin with."""
    entries = [{"name": name, "arguments": arguments} for name, arguments in calls]
    message = context.wire.model_message("", entries, named)
    ids = [call["id"] for call in message.get("tool_calls") or ()]
    asked = tuple(
        ToolCall(ids[number] if ids else f"{named}_{number}", name, arguments)
        for number, (name, arguments) in enumerate(calls)
    )
    return Reply("", asked, TokenUsage(), "", message)


def most_calls(run: Run) -> int:
    """How many results, each as long as one may be, fit into a share of the window; at least one."""
    tokens = (run.context_window or USUAL_WINDOW) * SHARE
    return max(1, int(tokens * CHARACTERS_A_TOKEN / MAX_CHARACTERS))


def opens(run: Run) -> bool:
    """Whether a run begins with a first look: a conversation that goes on has seen what there is."""
    return not run.history and looks_anew(run)


def looks_anew(run: Run) -> bool:
    """Whether a prompt is looked into before the model is asked, as each is that is about something of its own; a fork
    looks as its parent did."""
    return run.known is None or run.known.opened()


def named_in(test: str, path: str) -> bool:
    """Whether a failing test's name says that it stands in a file, as pytest (`test_a.py::test_x`) or unittest
    (`test_x (test_a.Test.test_x)`) says it."""
    module = path.removesuffix(".py").replace("/", ".")
    return path in test or re.search(rf"(?<![\w.]){re.escape(module)}(?!\w)", test) is not None


def files_in(report: str, run: Run) -> list[str]:
    """The program's files that a report of failing tests names, the nearest to the failure first; no test files."""
    named = [one or other for one, other in IN_TRACEBACK.findall(report)]
    suspects = re.findall(r"^suspect: ([\w./-]+\.py):", report, re.MULTILINE)
    paths = [*suspects, *(relative(path, run) for path in reversed(named))]
    tests = [path for path in paths if run_tests.TEST_FILE.fullmatch(PurePosixPath(path).name)]
    return [path for path in dict.fromkeys(paths) if path and path not in tests and is_there(run, path)]


def relative(path: str, run: Run) -> str:
    return path.removeprefix(f"{run.root.path}/") if path.startswith(f"{run.root.path}/") else path


def is_order(prompt: str) -> bool:
    """Whether a prompt asks for something to be done; else it is a question, which nothing is changed for."""
    return QUESTION.search(prompt) is None or REQUEST.search(prompt) is not None


def is_there(run: Run, path: str) -> bool:
    try:
        return run.root.is_file(path)
    except Refusal:
        return False


def text_of(run: Run, path: str) -> str:
    try:
        return run.root.read_text(path)
    except Refusal:
        return ""


def related(run: Run, prompt: str) -> list[str]:
    """The program's files that share most words with a prompt, those first that share the rarest; all of a program that
    is small enough to be read whole."""
    words = [word.lower() for word in words_of(prompt)]
    texts = {path: f"{path}\n{text_of(run, path)}".lower() for path in program(run)}
    known = {word: sum(word in text for text in texts.values()) for word in words}
    likeness = {path: sum(1 / known[word] for word in words if word in text) for path, text in texts.items()}
    whole = sum(map(len, texts.values())) <= MOST_READ
    ranked = sorted(texts, key=lambda path: -likeness[path])
    return ranked if whole else [path for path in ranked if likeness[path]]


def speaks_of(run: Run, paths: Sequence[str], prompt: str) -> bool:
    """Whether these files hold some word of a prompt; else it is about something else."""
    texts = [text_of(run, path).lower() for path in paths]
    return any(word.lower() in text for word in words_of(prompt) for text in texts)


def what_it_defines(run: Run) -> str:
    """The program's files, each with what it defines: a small model takes one file for another."""
    from index.definitions import names_in

    return ", ".join(f"{path} ({', '.join(names_in(text_of(run, path)))})" for path in program(run))


def program(run: Run) -> list[str]:
    """The program's own files: source that is no test."""
    paths = (path for path, entry in run.root.walk() if path.endswith(".py") and entry.size)
    return list(
        islice((path for path in paths if not run_tests.TEST_FILE.fullmatch(PurePosixPath(path).name)), MOST_RANKED)
    )


def words_of(prompt: str) -> list[str]:
    """The words of a question that may stand in a program, the longest first."""
    words = [word for word in A_WORD.findall(prompt) if word.lower() not in COMMON]
    return sorted(dict.fromkeys(words), key=len, reverse=True)[:MOST_WORDS]
