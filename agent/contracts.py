"""What passes between the rooms, as plain data: tool calls, tool results, token usage, replies, and how a run ended."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from functions import Sources, Verdict

STOP_REASONS = {  # why a run ended, each in the few words that a page has room for
    "answered": "answered",
    "max_iters": "limit of turns",
    "max_calls": "limit of calls",
    "token_budget": "limit of tokens",
    "time_budget": "out of time",
    "repeating": "repeated itself",
    "gate": "no try solved it",  # of --tries: the tests are the gate
    "interrupted": "interrupted",
    "provider_error": "the model failed",
}

# In the person's role, since no wire has one for it: who speaks here is this program.
NOTE = "[Glassbox] "
OPENING = "opening"  # stands in the ids of the calls that a program makes before it asks the model
TEXT_RESULTS = f"{NOTE}Results of the calls that stood in your text:"
CUT_FINISH = ("length", "MAX_TOKENS")  # what the two wires call a reply that hit the token limit
REPEATS = "repeats"  # how a reply ended that this program has stopped, since it says the same again and again


@dataclass(frozen=True)
class ToolCall:
    """One call that a model asks for; `arguments` is the raw JSON text or the mapping, as received.

    `as_text`: it stood in the reply's text instead of coming as a call. `cut`: the reply hit the token limit in it.
    """

    id: str
    name: str
    arguments: str | Mapping[str, Any]
    as_text: bool = False
    cut: bool = False

    @property
    def readable(self) -> Any:
        """The arguments as data when they are a JSON object, else the text as it came."""
        return readable_arguments(self.arguments)


@dataclass(frozen=True)
class ToolResult:
    """What one call gave: exactly one per call. `ok` is False when the tool, or the way to it, failed. `sources` are
    what the content rests on, `verdict` what a person should see of it at once, as its tool said them."""

    call: ToolCall
    content: str
    ok: bool
    seconds: float
    sources: Sources = ()
    verdict: Verdict | None = None


@dataclass(frozen=True)
class TokenUsage:
    """Tokens read and written by the model; None where the server did not say."""

    input: int | None = None
    output: int | None = None

    def __add__(self, other: TokenUsage) -> TokenUsage:
        return TokenUsage(_add(self.input, other.input), _add(self.output, other.output))


def _add(left: int | None, right: int | None) -> int | None:
    if left is None or right is None:
        return left if right is None else right
    return left + right


@dataclass(frozen=True)
class Reply:
    """One reply of a model, read from whatever its server sent; `message` is what goes back into the history.

    `fault` is what the model must be told when its server could not read what it wrote, else empty.
    """

    text: str
    calls: tuple[ToolCall, ...]
    usage: TokenUsage
    finish_reason: str
    message: dict[str, Any]
    fault: str = ""


ANSWERED = ("answer", "status", "source", "warnings")  # of a job's report: how its answer is to be taken


@dataclass(frozen=True)
class AgentResult:
    """How a run ended. `tool_calls` is the trajectory, in order: id, turn, name, arguments, result, status, seconds.

    `sandbox` is the level that was observed, in one line; empty where the run ended before it was known. `sources` are
    the files and lines that the calls rest on; `report` is the job's own part, None where it has none.
    """

    answer: str
    stop_reason: str
    turns: int
    tool_calls: tuple[dict[str, Any], ...]
    tokens: TokenUsage
    seconds: float
    provider: str
    model: str
    errors: tuple[str, ...]
    sandbox: str = ""
    sources: tuple[dict[str, Any], ...] = ()
    job: str = ""
    report: dict[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `json.dumps`: what `--json` prints. docs/result.schema.json describes it. Where a job's
        report has its own word on the answer, that stands here."""
        report = self.report or {}
        own = {name: report[name] for name in ANSWERED} if report.keys() >= set(ANSWERED) else {}
        return {
            "answer": self.answer,
            "stop_reason": self.stop_reason,
            "turns": self.turns,
            "tool_calls": list(self.tool_calls),
            "tokens": {"input": self.tokens.input, "output": self.tokens.output},
            "seconds": round(self.seconds, 3),
            "provider": self.provider,
            "model": self.model,
            "errors": list(self.errors),
            "sandbox": self.sandbox,
            "sources": list(self.sources),
            "job": self.job,
            "report": self.report,
            **own,
        }


def is_cut(finish_reason: str) -> bool:
    """Whether a reply ended because it hit the token limit, on either wire."""
    return finish_reason in CUT_FINISH


def readable_arguments(arguments: str | Mapping[str, Any]) -> Any:
    """Return arguments as data when they are a JSON object, else the text as it came."""
    if not isinstance(arguments, str):
        return dict(arguments)
    try:
        parsed = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        return arguments
    return parsed if isinstance(parsed, dict) and not too_deep(parsed) else arguments


def same_call(name: str, arguments: Any) -> tuple[str, str]:
    """What makes two calls the same: the name and the arguments, in whatever order they came."""
    return name, arguments if isinstance(arguments, str) else json.dumps(arguments, sort_keys=True, default=str)


def too_deep(value: Any, most: int = 100) -> bool:
    """Whether data is nested more than `most` levels deep: reading it back and forth would end in RecursionError."""
    level = [value]
    for _ in range(most):
        level = [child for parent in level if isinstance(parent, dict | list) for child in children(parent)]
        if not level:
            return False
    return True


def children(parent: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return parent.values() if isinstance(parent, dict) else parent


def files_and_lines(drawn: Iterable[Sources]) -> list[dict[str, Any]]:
    """What results rest on as `AgentResult.sources` has it: `{"path", "lines"}` for each file, in the order in which
    they came up; `lines` are pairs of first and last line, merged and sorted, and empty for a file that was run and not
    read."""
    found: dict[str, list[tuple[int, int]]] = {}
    for path, lines in (one for each in drawn for one in each):
        found.setdefault(path.removeprefix("./"), []).extend((first, last) for first, last in lines)
    return [{"path": path, "lines": [list(lines) for lines in merged(ranges)]} for path, ranges in found.items()]


def merged(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join ranges that touch or overlap."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined
