"""What is sent: a conversation that only ever grows, so that a server's prompt cache holds, until it must not any more.

Then agent/shorter.py leaves out enough at once that it can grow again for a while.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.contracts import TokenUsage, ToolResult
from agent.errors import TooLong
from agent.setup import Message, Path

if TYPE_CHECKING:
    from agent.run import Run
    from agent.setup import Wire

CHARACTERS_PER_TOKEN = 3.5  # until a server has said how many tokens it counted; source code takes more than prose
REPLY_SHARE = 6  # one sixth of the window is kept for the reply
EARLIER = -1_000  # the turn of an earlier conversation's outputs


@dataclass
class Output:
    """The text of one tool result inside a message that is sent."""

    index: int
    path: Path
    turn: int
    result: ToolResult | None  # None for one of an earlier conversation
    sent: bool = False


class Context:
    """The messages of a run as they are sent: a transcript, which is the memory of a run."""

    def __init__(self, run: Run, wire: Wire) -> None:
        self.messages: list[Message] = []
        self.run, self.wire = run, wire
        self.outputs: list[Output] = []
        self._sizes: list[int] = []
        self.characters = size_of(wire.beside(run))
        self.characters_per_token = CHARACTERS_PER_TOKEN

    def append(self, message: Message) -> None:
        """Add a message to the history, exactly as it goes over the wire."""
        self._take(message)
        self.run.message(message)

    def recall(self, messages: Sequence[Message]) -> None:
        """Add messages of an earlier conversation, which the record of the run holds already. Its outputs make room
        before those of this run."""
        for message in messages:
            for path in self.wire.outputs_in(message):
                self.outputs.append(Output(len(self.messages), path, EARLIER, None, sent=True))
            self._take(message)

    def _take(self, message: Message) -> None:
        self.messages.append(message)
        self._sizes.append(size_of(message))
        self.characters += self._sizes[-1]

    def append_results(self, messages: Sequence[Message], results: Sequence[ToolResult]) -> None:
        """Add the messages that answer a turn's calls; their outputs may be shortened later."""
        left = iter(results)
        for message in messages:
            paths = self.wire.outputs_in(message)
            for path, result in zip(paths, left, strict=False):
                self.outputs.append(Output(len(self.messages), path, self.run.turns, result))
            self.append(message)

    @property
    def tokens(self) -> int:
        """The estimated size of what is sent."""
        return int(self.characters / self.characters_per_token)

    def counted(self, usage: TokenUsage) -> None:
        """A server has taken what was sent, and counted it where it counts: estimate as it does from now on."""
        for output in reversed(self.outputs):
            if output.sent:
                break
            output.sent = True
        if usage.input and usage.input > 100:
            self.characters_per_token = min(6.0, max(1.5, self.characters / usage.input))

    def fit(self) -> list[Message]:
        """Return the messages to send: all of them, shortened first when they would not fit a window that is known."""
        window = self.run.context_window
        if window and self.tokens > may_send(window):
            from agent.shorter import shorten

            shorten(self, may_send(window))
        return self.messages

    def make_room(self, error: TooLong) -> None:
        """Shorten after the server has refused what was sent. Raises TooLong when there is nothing left to shorten."""
        from agent.shorter import after_refusal

        after_refusal(self, error, may_send(error.window) if error.window else None)

    def put(self, index: int, message: Message) -> None:
        """Put a message in place of one that is there."""
        size = size_of(message)
        self.characters += size - self._sizes[index]
        self.messages[index], self._sizes[index] = message, size


def may_send(window: int) -> int:
    return window - window // REPLY_SHARE


def size_of(data: object) -> int:
    """Characters of the JSON that goes over the wire."""
    return len(json.dumps(data, ensure_ascii=False))
