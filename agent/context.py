"""What is sent when the context window is short: old tool output makes room first, with a note on how to get it back.

Sending stays append-only until it must not be, so that a server's prompt cache holds; then enough is left out at once
that it can be append-only again for a while. The system prompt, the task, every call and every result stay in place.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from agent.contracts import ProviderError, TokenUsage, ToolResult

CHARACTERS_PER_TOKEN = 3.5  # until a server has said how many tokens it counted; source code takes more than prose
REPLY_SHARE = 6  # one sixth of the window is kept for the reply
ROOM_AGAIN = 0.75  # of what may be sent: how far down a shortening goes
WORTH_SHORTENING = 300  # characters; less saves nothing once the note stands there
NEW_SHARE = 4  # one quarter of what may be sent is for any one new output, when room is short
SHORTEST_CUT = 600  # characters of a new output that are always kept
EARLIER = -1_000  # the turn of an earlier conversation's outputs
PROTECTED_TURNS = 2  # the last one that was sent and the one that is to be sent: what the model is working with

LEFT_OUT = "[This output ({size} characters) was left out to make room. To see it, make the same call again.]"

if TYPE_CHECKING:
    from agent.run import Run

Message = dict[str, Any]
Path = tuple[str | int, ...]


class TooLong(ProviderError):
    """The conversation does not fit the model's window; both in tokens, None where nobody said."""

    def __init__(self, window: int | None, size: int | None) -> None:
        is_size = f" ({size:,} tokens)" if size else ""
        is_window = f" ({window:,} tokens)" if window else ""
        super().__init__(
            f"The conversation{is_size} does not fit the model's context window{is_window}. "
            "Load the model with a larger context length (LM Studio: the model's settings when it is loaded), "
            "or ask for something smaller."
        )
        self.window, self.size = window, size


@dataclass
class Output:
    """The text of one tool result inside a message that is sent."""

    index: int
    path: Path
    turn: int
    result: ToolResult | None  # None for one of an earlier conversation
    sent: bool = False


class Wire(Protocol):
    """What a provider's messages are made of: providers/openai_messages.py and providers/gemini_messages.py."""

    NAME: str

    def user_message(self, text: str) -> Message: ...
    def model_message(self, text: str, calls: Sequence[Mapping[str, Any]], number: int | str) -> Message:
        """What a model says, written by another than the model that is asked; no other has its `number`."""
        ...

    def has_calls(self, message: Message) -> bool: ...
    def outputs_in(self, message: Message) -> list[Path]:
        """Where a message holds the texts of tool results."""
        ...

    def beside(self, run: Run) -> object:
        """What is sent beside the messages, in a request: the tools, the system prompt."""
        ...


class Context:
    """The messages of a run as they are sent: a transcript, which is the memory of a run."""

    def __init__(self, run: Run, wire: Wire) -> None:
        self.messages: list[Message] = []
        self._run, self.wire = run, wire
        self._outputs: list[Output] = []
        self._sizes: list[int] = []
        self._characters = size_of(wire.beside(run))
        self._characters_per_token = CHARACTERS_PER_TOKEN

    def append(self, message: Message) -> None:
        """Add a message to the history, exactly as it goes over the wire."""
        self._take(message)
        self._run.message(message)

    def recall(self, messages: Sequence[Message]) -> None:
        """Add messages of an earlier conversation, which the record of the run holds already. Its outputs make room
        before those of this run."""
        for message in messages:
            for path in self.wire.outputs_in(message):
                self._outputs.append(Output(len(self.messages), path, EARLIER, None, sent=True))
            self._take(message)

    def _take(self, message: Message) -> None:
        self.messages.append(message)
        self._sizes.append(size_of(message))
        self._characters += self._sizes[-1]

    def append_results(self, messages: Sequence[Message], results: Sequence[ToolResult]) -> None:
        """Add the messages that answer a turn's calls; their outputs may be shortened later."""
        left = iter(results)
        for message in messages:
            paths = self.wire.outputs_in(message)
            for path, result in zip(paths, left, strict=False):
                self._outputs.append(Output(len(self.messages), path, self._run.turns, result))
            self.append(message)

    @property
    def tokens(self) -> int:
        """The estimated size of what is sent."""
        return int(self._characters / self._characters_per_token)

    def counted(self, usage: TokenUsage) -> None:
        """A server has taken what was sent, and counted it where it counts: estimate as it does from now on."""
        for output in reversed(self._outputs):
            if output.sent:
                break
            output.sent = True
        if usage.input and usage.input > 100:
            self._characters_per_token = min(6.0, max(1.5, self._characters / usage.input))

    def fit(self) -> list[Message]:
        """Return the messages to send: all of them, shortened first when they would not fit a window that is known."""
        window = self._run.context_window
        if window and self.tokens > may_send(window):
            self._shorten(may_send(window))
        return self.messages

    def make_room(self, error: TooLong) -> None:
        """Shorten after the server has refused what was sent. Raises TooLong when there is nothing left to shorten."""
        if error.size:
            self._characters_per_token = max(1.0, self._characters / error.size)
        if error.window:
            self._run.context_window = error.window
        size = self.tokens
        target = may_send(error.window) if error.window else int(size * 0.6)
        if not self._shorten(min(target, int(size * 0.9))):
            raise TooLong(error.window or self._run.context_window, error.size or size)

    def _shorten(self, target: int) -> int:
        """Leave out old outputs; then cut new ones that would take more than a share; then the turn before makes room
        as well; then new ones are cut as far as it takes. Say how many were changed.
        """
        before = self._characters
        share = int(target * self._characters_per_token) // NEW_SHARE
        left_out = self._leave_out_old(int(target * ROOM_AGAIN), PROTECTED_TURNS)
        cut = self._cut_new(target, share)
        if self.tokens > target:
            left_out += self._leave_out_old(target, 0)
            cut += self._cut_new(target, SHORTEST_CUT)
        if left_out or cut:
            self._tell(left_out, cut, before)
        return left_out + cut

    def _leave_out_old(self, target: int, protected: int) -> int:
        """Leave out outputs that were sent before, oldest reads first, down to a size in tokens."""
        old = [output for output in self._outputs if output.sent and output.turn < self._run.turns - protected]
        left_out = 0
        for output in sorted(old, key=self._matters):
            if self.tokens <= target:
                break
            left_out += self._leave_out(output)
        return left_out

    def _matters(self, output: Output) -> bool:
        """Whether an output may be more than what can be read again."""
        return output.result is not None and not self._run.catalogue.reads_only(output.result.call)

    def _leave_out(self, output: Output) -> bool:
        text = self._text(output)
        if len(text) < WORTH_SHORTENING:
            return False
        self._replace(output, LEFT_OUT.format(size=f"{len(text):,}"))
        return True

    def _cut_new(self, target: int, shortest: int) -> int:
        """Cut the outputs of the last turn, longest first, until all fits or each is as short as it may become."""
        new = [output for output in self._outputs if not output.sent]
        cut = 0
        for output in sorted(new, key=lambda output: -len(self._text(output))):
            text = self._text(output)
            excess = int((self.tokens - target) * self._characters_per_token) + 200  # the note takes room too
            if self.tokens <= target or len(text) <= shortest:
                break
            assert output.result is not None, "what an earlier conversation holds has been sent"
            self._replace(output, self._shortened(output.result, text, max(shortest, len(text) - excess)))
            cut += 1
        return cut

    def _shortened(self, result: ToolResult, text: str, most: int) -> str:
        """Return the beginning of an output and a note that says how to get the rest, as its tool has it."""
        tool, arguments = self._run.catalogue.get(result.call.name), result.call.readable
        kept = text[: text.rfind("\n", 0, most) + 1]
        alone = (
            result.ok and not result.call.as_text
        )  # a failure is no file, and with text calls the message holds more
        if tool and tool.read_on and alone and kept and isinstance(arguments, dict):
            return kept + tool.read_on(arguments, kept)
        return f"{text[:most]}\n[...cut to fit the context window: {len(text) - most:,} more characters. Ask for less.]"

    def _text(self, output: Output) -> str:
        value: Any = self.messages[output.index]
        for step in output.path:
            value = value[step]
        return str(value)

    def _replace(self, output: Output, text: str) -> None:
        """Put another text in place of an output, in a copy: listeners hold the message as it was."""
        index = output.index
        self.messages[index] = replaced(self.messages[index], output.path, text)
        self._characters -= self._sizes[index]
        self._sizes[index] = size_of(self.messages[index])
        self._characters += self._sizes[index]

    def _tell(self, left_out: int, cut: int, before: int) -> None:
        window = self._run.context_window
        of = f" of {window:,} tokens" if window else ""
        done = [f"the output of {left_out} earlier calls was left out"] if left_out else []
        done += [f"{cut} new outputs were cut"] if cut else []
        saved = int((before - self._characters) / self._characters_per_token)
        self._run.notice(
            f"To fit the model's context window{of}, {' and '.join(done)} (about {saved:,} tokens). "
            "The model can ask for them again."
        )


def may_send(window: int) -> int:
    return window - window // REPLY_SHARE


def size_of(data: object) -> int:
    """Characters of the JSON that goes over the wire."""
    return len(json.dumps(data, ensure_ascii=False))


def replaced(value: Any, path: Path, text: str) -> Any:
    """Return a copy of nested data with the text at `path` replaced; what is not on the path is shared."""
    if not path:
        return text
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], text)
    return copy
