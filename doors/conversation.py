"""A conversation: prompt after prompt, each run knowing those before it. A value, or kept under a name."""

from __future__ import annotations

import json
import os
import re
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.events import CallFinished, Event, Message, Replied, Request
from config import ConfigError
from records.history import Reader
from records.lines import is_conversation

if TYPE_CHECKING:
    from doors.api import Agent, Result

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
FOLDER = "conversations"  # beside the runs


class Conversation:
    """Made by Agent.conversation. `entries` is all that was said, as plain data that JSON can hold: give it to another
    agent's conversation, and that goes on from there, whatever its provider."""

    def __init__(self, agent: Agent, name: str, entries: Sequence[Any]) -> None:
        self._agent, self.name, self.entries = agent, name, list(entries)
        self._one = threading.Lock()
        self._file = file_of(agent, name) if name else None
        self._text = read(self._file) if self._file else ""
        if self._text:
            self.entries = json.loads(self._text)

    def run(self, prompt: str, *, output: Any = None, stop: threading.Event | None = None) -> Result:
        """Say the next thing. Takes and returns what Agent.run does; one at a time."""
        with self._one:
            reader = Reader()
            reader.entries = list(self.entries)
            hearing = Hearing(reader)
            result = self._agent.run(prompt, output=output, stop=stop, conversation=self, listeners=[hearing])
            if hearing.begun:
                self.entries = reader.settled()
                self._keep()
            return result

    def _keep(self) -> None:
        if not self._file:
            return
        if read(self._file) != self._text:
            raise ConfigError(
                f"somebody else went on with the conversation {self.name!r} meanwhile, so this turn of it is not kept "
                "there. It stands in .entries."
            )
        text = json.dumps(self.entries)
        self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, beside = tempfile.mkstemp(dir=self._file.parent)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(beside).replace(self._file)
        self._text = text


def file_of(agent: Agent, name: str) -> Path:
    if not NAME.fullmatch(name):
        raise ConfigError(f"a conversation cannot be named {name!r}: letters, digits, . _ and - are taken, at most 80.")
    if not agent.config.runs_directory:
        raise ConfigError("a conversation with a name is kept beside the runs: give AgentConfig a runs_directory.")
    return Path(agent.config.runs_directory).expanduser() / FOLDER / f"{name}.json"


def read(file: Path) -> str:
    try:
        text = file.read_text(encoding="utf-8")
        valid = is_conversation(json.loads(text))
    except FileNotFoundError:
        return ""
    except (OSError, ValueError, RecursionError):
        valid = False
    if not valid:
        raise ConfigError(f"the conversation {file.stem!r} cannot be read. It is kept in {file}: move that away.")
    return text


class Hearing:
    """A listener that tells a reader of the history what it would read in the trace."""

    def __init__(self, reader: Reader) -> None:
        self._reader, self.begun = reader, False

    def __call__(self, event: Event) -> None:
        if isinstance(event, Message):
            self.begun = True
            self._reader.read({"kind": "message", "number": id(event.message), "message": event.message})
        elif isinstance(event, Request):
            self._reader.read({"kind": "request", "wire": event.wire})
        elif isinstance(event, Replied):
            reply = event.reply
            calls = [{"id": each.id, "name": each.name, "arguments": each.arguments} for each in reply.calls]
            line = {"kind": "replied", "text": reply.text, "calls": calls, "message": id(reply.message)}
            self._reader.read(line)
        elif isinstance(event, CallFinished):
            result = event.result
            line = {"id": result.call.id, "content": str(result.content), "ok": result.ok}
            self._reader.read({"kind": "call_finished", **line})
