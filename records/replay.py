"""The beginning of a run that is known already: a fork takes its first replies and results from its parent's record.

The loops know nothing of it. A turn's reply is looked for in the run first, a call's result in call_functions.py, and
both look here; so the gates, the limits and the memory see the same as the first time, and no request is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from agent.contracts import OPENING, Reply, TokenUsage, ToolCall, ToolResult, is_cut
from functions import Sources, Verdict

if TYPE_CHECKING:
    from agent.context import Context
    from agent.run import Run

Message = dict[str, Any]


@dataclass(frozen=True)
class KnownResult:
    """What a call gave. `again` makes the changes to the files that the call made, where they were made."""

    content: str
    ok: bool
    seconds: float
    sources: Sources = ()
    verdict: Verdict | None = None
    again: Callable[[Run], None] = lambda run: None


@dataclass(frozen=True)
class KnownTurn:
    """A turn of the parent. `calls` are id, name and arguments; `native` is the model's message as its own wire had it,
    None where the person wrote it. `results` are those of the first calls: the others are run. `request` is what was
    sent beside the messages, with the name of the field that held them."""

    text: str
    calls: Sequence[Mapping[str, Any]]
    usage: TokenUsage
    finish_reason: str
    fault: str = ""
    thought: str = ""
    wire: str = ""
    native: Message | None = None
    request: tuple[str, Mapping[str, Any]] | None = None
    results: Sequence[KnownResult] = ()
    typed: Sequence[str] = ()


class Replayed(NamedTuple):
    """The reply of this turn is known, and nobody is asked for it."""

    turn: int
    at: float = 0.0
    kind: str = "replayed"


class Replay:
    """What is known of a run: whole turns, the last of which may have results for its first calls alone."""

    def __init__(self, turns: Sequence[KnownTurn] = ()) -> None:
        self._turns = turns
        self._now: KnownTurn | None = None  # the turn that is under way
        self._calls: tuple[ToolCall, ...] = ()

    def opened(self) -> bool:
        """Whether what is known has no turn of the model's before those that the program made itself."""
        first = next(iter(self._turns), None)
        return first is None or bool(first.calls) and all(OPENING in str(call["id"]) for call in first.calls)

    def knows_next(self, run: Run) -> bool:
        """Whether the turn that is about to begin has a reply here."""
        return run.turns < len(self._turns)

    def reply(self, context: Context, run: Run) -> Reply | None:
        """The reply of the turn that is under way, told as it was told then; None when the model must be asked."""
        self._now = next(iter(self._turns[run.turns - 1 : run.turns]), None)
        self._calls = ()
        if self._now is None:
            return None
        known, messages = self._now, context.fit()
        run.emit(Replayed(run.turns))
        if known.request and known.wire == context.wire.NAME:
            key, rest = known.request
            run.request(known.wire, {**rest, key: messages})
        if known.thought:
            run.thought(known.thought)
        if known.text:
            run.text(known.text)
        reply = reply_of(known, context, run.turns)
        self._calls = reply.calls
        context.counted(reply.usage)
        return reply

    def knows(self, call: ToolCall) -> bool:
        """Whether the result of a call is known."""
        return self._known(call) is not None

    def result(self, call: ToolCall, run: Run) -> ToolResult | None:
        """The result of a call, its files changed as it changed them; None when it must be run."""
        known = self._known(call)
        if known is None:
            return None
        known.again(run)
        return ToolResult(call, known.content, known.ok, known.seconds, known.sources, known.verdict)

    def typed(self) -> list[str]:
        """What the person typed in the turn that is under way. It is told once."""
        now, self._now = self._now, None
        return list(now.typed) if now else []

    def _known(self, call: ToolCall) -> KnownResult | None:
        position = next((number for number, each in enumerate(self._calls) if each is call), None)
        if position is None or self._now is None or position >= len(self._now.results):
            return None
        return self._now.results[position]


def reply_of(known: KnownTurn, context: Context, turn: int) -> Reply:
    """The reply as it was; on another wire, or where the person changed it, a message that says the same."""
    native = known.native if known.wire == context.wire.NAME else None
    as_it_was, message = native is not None, native or context.wire.model_message(known.text, known.calls, turn)
    given = [call["id"] for call in message.get("tool_calls") or ()]  # on the wire that tells calls apart by them
    in_text = as_it_was and bool(known.calls) and not context.wire.has_calls(message)
    last = len(known.calls) if is_cut(known.finish_reason) else 0
    calls = tuple(
        ToolCall(
            given[number - 1] if given and not in_text else str(call["id"]),
            call["name"],
            call["arguments"],
            as_text=in_text,
            cut=number == last,
        )
        for number, call in enumerate(known.calls, 1)
    )
    return Reply(known.text, calls, known.usage, known.finish_reason, dict(message), known.fault)
