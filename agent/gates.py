"""What must be true before an answer is taken: it says something, it is no tool call in disguise, changes were run.

What a gate objects to is told to the model, once or twice; after that the run fails with a clear line, or the answer is
taken and its summary says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from agent.contracts import ProviderError, Reply
from agent.run import Run
from call_functions import is_cut, reads_only

CHANGES = frozenset(("write_file", "edit_file"))
RUNS = frozenset(("run_tests", "run_python_file"))
DOCUMENTATION = frozenset((".md", ".rst", ".txt"))
PUSH_BACKS = 2

EMPTY = "Your reply was empty. Go on with a tool call, or give your answer in plain text."
EMPTY_AGAIN = (
    "The model replies with nothing, twice in a row. Try again, load another model, or raise its context length or "
    "LMSTUDIO_MAX_TOKENS: a model that thinks for long can use them up before it answers."
)
FAULTY_AGAIN = "The model wrote a tool call that its server cannot read, twice in a row. Try again, or another model."
TEXT_AGAIN = (
    "The model writes its tool calls as plain text instead of calling the tools. Load a model with tool support (LM "
    "Studio marks them with a hammer), or give this one a prompt template that fits it."
)
UNVERIFIED = (
    "You changed {files} and have not run anything since. Before you answer, run the tests (run_tests), or the program "
    "(run_python_file), and look at what comes out."
)
NOT_VERIFIED = "Not verified: {files} changed, and nothing was run or tested after that."
CUT = "The answer is cut: the reply hit the token limit."


def unverified(trajectory: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the paths that were changed and that nothing has run or tested since; documentation needs none."""
    changed: dict[str, None] = {}
    for entry in trajectory:
        if entry["status"] != "completed":
            continue
        if entry["name"] in RUNS:
            changed.clear()
        elif entry["name"] in CHANGES and isinstance(entry["arguments"], Mapping):
            path = str(entry["arguments"].get("file_path", ""))
            if PurePosixPath(path).suffix.lower() not in DOCUMENTATION:
                changed[path] = None
    return list(changed)


class Gates:
    """Looks at each reply, and counts what it has objected to. `verify` turns the gate on changes on or off."""

    def __init__(self, *, verify: bool) -> None:
        self._verify = verify
        self._in_a_row = 0
        self._text_calls = 0
        self._push_backs = 0

    def objection(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        """Return what the model must be told instead of its reply being taken, None when the reply may be.

        On the last turn nothing is objected to. Raises ProviderError when an objection has not helped.
        """
        if not last and reply.calls:
            self._in_a_row = 0
            self._look_at_text_calls(reply)
            return None
        if not last and (reply.fault or not reply.text.strip()):
            return self._once_more(reply)
        if reply.text.strip() and is_cut(reply.finish_reason):
            run.warn(CUT)
        return self._unverified(run, last=last) if self._verify else None

    def _look_at_text_calls(self, reply: Reply) -> None:
        """A call that writes or runs is not taken from text; the dispatcher says so to the model, and once only."""
        self._text_calls += any(call.as_text and not reads_only(call) for call in reply.calls)
        if self._text_calls > 1:
            raise ProviderError(TEXT_AGAIN)

    def _once_more(self, reply: Reply) -> str:
        self._in_a_row += 1
        if self._in_a_row > 1:
            raise ProviderError(FAULTY_AGAIN if reply.fault else EMPTY_AGAIN)
        return reply.fault or EMPTY

    def _unverified(self, run: Run, *, last: bool) -> str | None:
        files = ", ".join(unverified(run.trajectory))
        if not files:
            return None
        if last or self._push_backs >= PUSH_BACKS:
            run.warn(NOT_VERIFIED.format(files=files))
            return None
        self._push_backs += 1
        run.notice(f"{files} changed and was not run or tested since; the model is told so.")
        return UNVERIFIED.format(files=files)
