"""A memory that is a state: each request holds the system prompt, the prompt with the state, and the last turn.

So a request costs the same at the fiftieth iteration as at the fifth; a transcript's cost grows with every turn.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from agent.context import Context, Message, size_of
from agent.contracts import TokenUsage
from agent.events import Event, Started
from agent.run import Run
from jobs.auditor.audit import TURN_CHARACTERS, Audit, Finding
from jobs.auditor.summary import summary

SHOWN = 1_000  # of a finding's rows in the trace


class StateMemory(Context):
    """Keeps every message for the record, and sends the state of the audit in place of all but the last turn.

    The audit among the resources becomes this run's own: nothing of it is shared with another run.
    """

    def __init__(self, run: Run, wire: Any) -> None:
        super().__init__(run, wire)
        self.audit = begin(run)
        self._prompt = ""
        self._beginning: list[Message] = []  # the system prompt
        self._turn = 0  # where the last turn begins
        self._seen = 0  # how many messages there were at the last request
        self._sent_characters = 0
        run.listen(self._hear)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Started):
            self._prompt = event.prompt

    def fit(self) -> list[Message]:
        """Return the beginning, the prompt with the state as it is now, and what the last turn added."""
        if not self._seen:
            earlier = len(self.wire.history(self.run.history))  # another audit's conversation is no part of this state
            first = len(self.wire.system_messages(self.run.system_prompt))
            self._beginning = self.messages[:first]
            self._turn = first + earlier + 1  # what follows the prompt was looked at before the model was asked
        elif len(self.messages) > self._seen:
            self._turn = self._seen
        self._seen = len(self.messages)
        self.audit.asked.clear()
        self.audit.room = TURN_CHARACTERS
        self._sent_characters = size_of(self.wire.beside(self.run)) + size_of(self._sent())
        super().fit()
        return self._sent()

    def _sent(self) -> list[Message]:
        run = self.run
        budget = next(
            (limit.most for limit in run.limits if hasattr(limit, "most") and limit.stop_reason == "max_iters"), 0
        )
        state = summary(self.audit, run.turns, budget, (run.tokens.input or 0, run.tokens.output or 0))
        prompt = self.wire.user_message(f"{self._prompt}\n\n# The audit so far\n\n{state}")
        return [*self._beginning, prompt, *([] if self.audit.answered else self.messages[self._turn :])]

    @property
    def tokens(self) -> int:
        return int(self._sent_characters / self.characters_per_token)

    def counted(self, usage: TokenUsage) -> None:
        """Estimate by what was sent, which is not all that was said; keep what each iteration cost."""
        self.audit.usage.append((usage.input, usage.output))
        characters, self.characters = self.characters, self._sent_characters
        super().counted(usage)
        self.characters = characters


class Kept(NamedTuple):
    """A finding was written down; `dismissed` says why it does not count, "" where it does."""

    finding: dict[str, Any]
    dismissed: str
    at: float = 0.0
    kind: str = "finding"


def begin(run: Run) -> Audit:
    """Put an audit of this run's own in the place of the one that was opened; it is kept as it goes on."""
    opened, store = run.resources["audit"], run.resources["store"]
    opened.database.cancelled.clear()  # Ctrl-C stopped the run before this one, and not this one
    audit = Audit(opened.database, opened.collection)
    audit.history = store.history(opened.database.identity, opened.collection)
    audit.number = store.begin(opened.database.identity, opened.collection, audit.size)

    def keep(finding: Finding, reason: str) -> None:
        store.keep(audit.number, finding, reason)
        shown = {**finding.to_json(), "rows": finding.rows[:SHOWN], "cells": finding.cells[:SHOWN]}
        run.emit(Kept(shown, reason))

    audit.kept = keep
    run.resources["audit"] = audit  # type: ignore[index] - the run's own mapping
    return audit
