"""The run as JSON lines, written as it happens. docs/trace-format.md describes every line.

Nothing is held back: what has happened stands on the disk before the next thing begins, so that a killed run keeps all
but the line in flight. A disk that is full or read-only is told once, and never stops the run.
"""

from __future__ import annotations

import dataclasses
import json
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from agent import events
from agent.contracts import Reply, ToolCall, ToolResult
from config import Settings
from records.folders import hold

FORMAT = 1
TEXT_SECONDS, TEXT_CHARACTERS = 0.25, 1000  # streamed text is put together to lines of at most this
SHORTEST_SECRET = 6  # characters; "lm-studio" is a default, and hiding "x" would hide everything
REPLY_ENDS = (
    events.Replied,
    events.Asking,
    events.Request,
    events.Finished,
)  # nothing more of a streamed text comes after these
HISTORY_KEYS = ("messages", "contents")  # where a request holds the conversation, on either wire


class Trace:
    """A listener that writes each event of a run as one line of `trace.jsonl` in `folder`."""

    def __init__(
        self,
        folder: Path,
        setting: Mapping[str, Any],
        *,
        secrets: Iterable[str] = (),
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        """`setting` becomes the first line; no line ever holds one of the `secrets`. `tell` hears of a failure."""
        self.path = folder / "trace.jsonl"
        self._secrets = [secret for secret in secrets if len(secret) >= SHORTEST_SECRET]
        self._spelt = [json.dumps(secret)[1:-1] for secret in self._secrets]  # as they would stand in a line
        self._tell = tell
        self._messages = _Messages()
        self._last_request: dict[str, Any] = {}
        self._pending: dict[str, Any] = {}
        self._turn = 0
        self.text_seconds = TEXT_SECONDS
        try:
            self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            hold(self._descriptor)
        except OSError as error:
            self._descriptor = -1
            self._give_up(error)
        began = {"began": time.time(), "time": time.strftime("%Y-%m-%dT%H:%M:%S%z")}
        self._line({"kind": "run", "at": 0.0, "format": FORMAT, **began, **setting})

    def __call__(self, event: events.Event) -> None:
        if isinstance(event, events.Text | events.Thought):
            self._streamed(event)
            return
        self._flush_text(whole=isinstance(event, REPLY_ENDS))
        at = round(event.at, 4)
        match event:
            case events.Asking():
                self._turn = event.turn
                self._line({"kind": event.kind, "at": at, "turn": event.turn, "window": event.window})
            case events.Message():
                self._message(at, event.message)
            case events.Request():
                self._request(at, event.wire, event.body)
            case events.Replied():
                self._replied(at, event.turn, event.reply)
            case events.CallStarted():
                self._line({"kind": event.kind, "at": at, "turn": self._turn, "call": _call(event.call)})
            case events.CallFinished():
                self._call_finished(at, event.result)
            case events.Finished():
                self._line({"kind": event.kind, "at": at, "result": event.result.to_json()})
            case _:
                self._line({"kind": event.kind, **vars(event), "at": at})

    def continued(self, name: str, conversation: Sequence[Mapping[str, Any]]) -> None:
        """The run goes on with the conversation of another, which is written here in full: that run may be deleted."""
        self._line({"kind": "continued", "at": 0.0, "from": name, "conversation": conversation})

    def close(self) -> None:
        """Write what is pending and let go of the file."""
        self._flush_text()
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _streamed(self, event: events.Text | events.Thought) -> None:
        same = self._pending.get("kind") == event.kind
        if not same:
            self._flush_text()
            self._pending = {"kind": event.kind, "at": round(event.at, 4), "text": ""}
        self._pending["text"] += event.text
        late = event.at - self._pending["at"] >= self.text_seconds
        if late or len(self._pending["text"]) >= TEXT_CHARACTERS:
            self._flush_text(whole=False)

    def _flush_text(self, *, whole: bool = True) -> None:
        """Write what is pending; unless `whole`, without an end with which a secret may begin: its rest may come in
        the next piece, and no reader must be able to put the pieces together again."""
        pending, self._pending = self._pending, {}
        if not pending:
            return
        text = pending["text"]
        cut = len(text) if whole else len(text) - self._begun_secret(text)
        if cut:
            self._line({**pending, "text": text[:cut]})
        if cut < len(text):
            self._pending = {**pending, "text": text[cut:]}

    def _begun_secret(self, text: str) -> int:
        """How many characters at the end of a text are the beginning of a secret."""
        lengths = ((secret, length) for secret in self._secrets for length in range(1, len(secret)))
        return max((length for secret, length in lengths if text.endswith(secret[:length])), default=0)

    def _message(self, at: float, message: Mapping[str, Any]) -> None:
        self._line({"kind": "message", "at": at, "number": self._messages.add(message), "message": message})

    def _request(self, at: float, wire: str, body: Mapping[str, Any]) -> None:
        """Write a request as its difference to the one before, so that a run's trace grows with its length alone."""
        key = next(key for key in HISTORY_KEYS if key in body)
        spans: list[list[int]] = []
        for message in body[key]:
            number = self._messages.number(message)
            if number is None:  # sent, but not as it stands in the history: a shortened copy, an earlier conversation
                number = self._messages.add(message)
                self._line({"kind": "message", "at": at, "number": number, "message": message, "only_sent": True})
            if spans and spans[-1][1] == number:
                spans[-1][1] += 1
            else:
                spans.append([number, number + 1])
        self._messages.keep(body[key])
        rest = {name: value for name, value in body.items() if name != key}
        changed = {name: value for name, value in rest.items() if self._last_request.get(name, _Messages) != value}
        gone = [name for name in self._last_request if name not in rest]
        self._last_request = rest
        line = {"kind": "request", "at": at, "turn": self._turn, "wire": wire, "history": key, "messages": spans}
        self._line({**line, "set": changed, "unset": gone})

    def _replied(self, at: float, turn: int, reply: Reply) -> None:
        line = {"kind": "replied", "at": at, "turn": turn, "text": reply.text, "calls": list(map(_call, reply.calls))}
        number = self._messages.number(reply.message)
        usage = {"input": reply.usage.input, "output": reply.usage.output}
        fault = {"fault": reply.fault} if reply.fault else {}
        self._line({**line, "usage": usage, "finish_reason": reply.finish_reason, "message": number, **fault})

    def _call_finished(self, at: float, result: ToolResult) -> None:
        line = {"kind": "call_finished", "at": at, "turn": self._turn, "id": result.call.id, "name": result.call.name}
        self._line(
            {
                **line,
                "ok": result.ok,
                "seconds": round(result.seconds, 4),
                "content": str(result.content),
                "sources": result.sources,
                **({"verdict": result.verdict._asdict()} if result.verdict else {}),
            }
        )

    def _line(self, data: Mapping[str, Any]) -> None:
        """Write one line, whole, in one go."""
        if self._descriptor < 0:
            return
        line = json.dumps(data, default=_plain)
        if any(spelt in line for spelt in self._spelt):
            line = json.dumps(_without(json.loads(line), self._secrets))
        rest = memoryview(line.encode() + b"\n")
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        """Half a line may stand there now, so nothing more is written; readers pass over it."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        self._tell(f"The run goes on, but its trace is not kept any more: {error.strerror or error}.")


class _Messages:
    """Which number each message of the conversation has. Messages are told apart by identity: comparing their text
    would cost more with every turn. Only what the last request held, or came since, is remembered."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, Mapping[str, Any]]] = {}
        self._next = 0

    def add(self, message: Mapping[str, Any]) -> int:
        number, self._next = self._next, self._next + 1
        self._known[id(message)] = (number, message)
        return number

    def number(self, message: Mapping[str, Any]) -> int | None:
        found = self._known.get(id(message))
        return found[0] if found else None

    def keep(self, messages: Sequence[Mapping[str, Any]]) -> None:
        self._known = {id(message): self._known[id(message)] for message in messages}


def _call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "name": call.name, "arguments": call.arguments}


def _plain(value: Any) -> Any:
    """What JSON has no word for."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    return str(value)


def _without(value: Any, secrets: Sequence[str]) -> Any:
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, "[key removed]")
        return value
    if isinstance(value, list):
        return [_without(item, secrets) for item in value]
    if isinstance(value, dict):
        # Names are left alone: a key that reads like one of this format's names must not break the format.
        return {name: _without(item, secrets) for name, item in value.items()}
    return value


def plain_settings(settings: Settings) -> dict[str, Any]:
    """Every setting as JSON, but for the keys, and without a password in an address."""
    values = {name: value for name, value in vars(settings).items() if not name.endswith(("_key", "_token"))}
    return {
        name: value if isinstance(value, (int, float)) else _without_user(str(value)) for name, value in values.items()
    }


def _without_user(text: str) -> str:
    parts = urlsplit(text) if "://" in text else None
    return text if parts is None or "@" not in parts.netloc else text.replace(parts.netloc, parts.netloc.split("@")[-1])


def secrets(settings: Settings, resources: Mapping[str, Any]) -> list[str]:
    """What must never stand in a trace: keys, passwords in addresses, and what was filled in for an MCP server."""
    addresses = [value for value in vars(settings).values() if isinstance(value, str) and "://" in value]
    passwords = [urlsplit(address).password or "" for address in addresses]
    for address in addresses:
        passwords += [value for name, value in parse_qsl(urlsplit(address).query) if name == "password"]
    keys = [value for name, value in vars(settings).items() if name.endswith(("_key", "_token"))]
    filled = [secret for value in resources.values() for secret in getattr(value, "secrets", ())]
    return [secret for secret in [*keys, *passwords, *filled] if secret and secret != Settings().lmstudio_api_key]
