"""A run's folder, and in it the run as JSON lines, written as it happens. docs/trace-format.md describes every line.

Nothing is held back: what has happened stands on the disk before the next thing begins, so that a killed run keeps all
but the line in flight. A disk that is full or read-only is told once, and never stops the run.
"""

from __future__ import annotations

import dataclasses
import json
import os
import platform
import re
import sys
import time
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from agent import events
from agent.contracts import Reply, ToolCall, ToolResult
from agent.run import Run
from config import VERSION, Settings, checks_of, variable_of

if TYPE_CHECKING:
    from records.undo.keep import Keeper

FORMAT = 1
MOST_WORDS = 5  # of the prompt, in a run's name
LONGEST_WORD = 20  # characters; a longer one may be a key
TEXT_SECONDS, TEXT_CHARACTERS = 0.25, 1000  # streamed text is put together to lines of at most this
SHORTEST_SECRET = 6  # characters; "lm-studio" is a default, and hiding "x" would hide everything
# Nothing more of a streamed text comes after these.
REPLY_ENDS = (events.Replied, events.Asking, events.Request, events.Finished)
KEYS = ("_key", "_token")  # how the names of settings end that are secret
HISTORY_KEYS = ("messages", "contents")  # where a request holds the conversation, on either wire


def new_folder(runs: Path, prompt: str, keep: int = 0) -> Path:
    """Make and return the folder of a new run; with it, the newest `keep` are left (0: all). Raises OSError."""
    plain = unicodedata.normalize("NFKD", prompt).encode("ascii", "ignore").decode().lower()
    said = [word for word in re.findall(r"[a-z0-9]+", plain[:200]) if len(word) < LONGEST_WORD]
    words = "-".join(said[:MOST_WORDS])[:48].strip("-")
    base = time.strftime("%Y%m%d-%H%M%S") + (f"-{words}" if words else "")
    runs.mkdir(parents=True, exist_ok=True, mode=0o700)
    for attempt in range(1, 1000):
        folder = runs / (base if attempt == 1 else f"{base}-{attempt}")
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            continue
        if keep and len(list(runs.iterdir())) > keep:
            from records.folders import prune

            prune(runs, keep - 1)  # the new one is the newest, though nothing tells of it yet
        return folder
    raise FileExistsError(f"{base} is taken")


class Record(NamedTuple):
    """What is kept of a run while it goes on: the folder, the trace and what undo needs."""

    folder: Path
    trace: Trace
    keeper: Keeper


def record_of(
    run: Run,
    prompt: str,
    settings: Settings,
    resources: Mapping[str, Any],
    tell: Callable[[str], None],
    folder: Path | None = None,
    before: Mapping[str, Any] | None = None,
    **more: Any,
) -> Record | None:
    """Begin to keep a run, in a folder that is there or in a new one; None where none can be made, which `tell` hears.
    `before` is what it continues (records/history.py), `more` is said of it in its first line."""
    from records.undo.keep import Keeper

    try:
        folder = folder or new_folder(settings.runs_directory, prompt, settings.keep_runs)
    except OSError as error:
        where, why = settings.runs_directory, error.strerror or error
        tell(f"This run is not kept and cannot be undone: {where} cannot be written ({why}).")
        return None
    setting = setting_of(prompt, run, settings, **more)
    trace = Trace(folder, setting, secrets=secrets(settings, resources), tell=tell)
    if before:
        trace.continued(before["from"], before["conversation"])
    return Record(folder, trace, Keeper(folder, run.root, tell, run.catalogue))


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
        long_enough = [secret for secret in secrets if len(secret) >= SHORTEST_SECRET]
        self._secrets = sorted(set().union(*map(_spellings, long_enough)), key=len, reverse=True)
        self._spelt = [json.dumps(secret)[1:-1] for secret in self._secrets]  # as they would stand in a line
        self._tell = tell
        # Messages are told apart by identity: comparing their text would cost more with every turn. Only what the last
        # request held, or came since, is remembered.
        self._numbers: dict[int, tuple[int, Mapping[str, Any]]] = {}
        self._next = 0
        self._last_request: dict[str, Any] = {}
        self._pending: dict[str, Any] = {}
        self._turn = 0
        self.text_seconds = TEXT_SECONDS
        try:
            self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            mark_under_way(self._descriptor)
        except OSError as error:
            self._descriptor = -1
            self._give_up(error)
        began = {"began": time.time(), "time": time.strftime("%Y-%m-%dT%H:%M:%S%z")}
        self._line("run", 0.0, format=FORMAT, **began, **setting)

    def __call__(self, event: events.Event) -> None:
        if isinstance(event, events.Text | events.Thought):
            self._streamed(event)
            return
        self._flush_text(whole=isinstance(event, REPLY_ENDS))
        at = round(event.at, 4)
        match event:
            case events.Message():
                self._message(at, event.message)
            case events.Request():
                self._request(at, event.wire, event.body)
            case events.Replied():
                self._replied(at, event.turn, event.reply)
            case events.CallStarted():
                self._line(event.kind, at, turn=self._turn, call=_call(event.call))
            case events.CallFinished():
                self._call_finished(at, event.result)
            case events.Finished():
                self._line(event.kind, at, result=event.result.to_json())
            case _:
                self._turn = event.turn if isinstance(event, events.Asking) else self._turn
                self._line(**{**event._asdict(), "at": at})

    def continued(self, name: str, conversation: Sequence[Mapping[str, Any]]) -> None:
        """The run goes on with the conversation of another, which is written here in full: that run may be deleted."""
        self._line("continued", 0.0, **{"from": name}, conversation=conversation)

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
            self._line(**{**pending, "text": text[:cut]})
        if cut < len(text):
            self._pending = {**pending, "text": text[cut:]}

    def _begun_secret(self, text: str) -> int:
        """How many characters at the end of a text are the beginning of a secret."""
        lengths = ((secret, length) for secret in self._secrets for length in range(1, len(secret)))
        return max((length for secret, length in lengths if text.endswith(secret[:length])), default=0)

    def _message(self, at: float, message: Mapping[str, Any], **more: Any) -> int:
        number, self._next = self._next, self._next + 1
        self._numbers[id(message)] = number, message
        self._line("message", at, number=number, message=message, **more)
        return number

    def _request(self, at: float, wire: str, body: Mapping[str, Any]) -> None:
        """Write a request as its difference to the one before, so that a run's trace grows with its length alone."""
        key = next(key for key in HISTORY_KEYS if key in body)
        spans: list[list[int]] = []
        for message in body[key]:
            known = self._numbers.get(id(message))
            # Sent, but not as it stands in the history: a shortened copy, an earlier conversation.
            number = known[0] if known else self._message(at, message, only_sent=True)
            if spans and spans[-1][1] == number:
                spans[-1][1] += 1
            else:
                spans.append([number, number + 1])
        self._numbers = {id(message): self._numbers[id(message)] for message in body[key]}
        rest = {name: value for name, value in body.items() if name != key}
        changed = {name: value for name, value in rest.items() if self._last_request.get(name, ...) != value}
        gone = [name for name in self._last_request if name not in rest]
        self._last_request = rest
        sent = {"turn": self._turn, "wire": wire, "history": key, "messages": spans}
        self._line("request", at, **sent, set=changed, unset=gone)

    def _replied(self, at: float, turn: int, reply: Reply) -> None:
        said = {"text": reply.text, "calls": list(map(_call, reply.calls))}
        usage = {"input": reply.usage.input, "output": reply.usage.output}
        number = self._numbers.get(id(reply.message), (None,))[0]
        fault = {"fault": reply.fault} if reply.fault else {}
        ended = {"usage": usage, "finish_reason": reply.finish_reason, "message": number}
        self._line("replied", at, turn=turn, **said, **ended, **fault)

    def _call_finished(self, at: float, result: ToolResult) -> None:
        of = {"turn": self._turn, "id": result.call.id, "name": result.call.name}
        ended = {"ok": result.ok, "seconds": round(result.seconds, 4), "content": str(result.content)}
        verdict = {"verdict": result.verdict._asdict()} if result.verdict else {}
        self._line("call_finished", at, **of, **ended, sources=result.sources, **verdict)

    def _line(self, kind: str, at: float, **data: Any) -> None:
        """Write one line, whole, in one go."""
        if self._descriptor < 0:
            return
        line = json.dumps({"kind": kind, "at": at, **data}, default=_plain)
        if any(spelt in line for spelt in self._spelt):
            from records.keys import without

            line = json.dumps(without(json.loads(line), self._secrets))
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


def mark_under_way(descriptor: int) -> None:
    """Mark a trace as one that is being written. The mark goes with the process that made it, however that ends."""
    if sys.platform != "win32":
        import fcntl

        with suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)


def _call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "name": call.name, "arguments": call.arguments}


def _spellings(secret: str) -> set[str]:
    """A secret, also as it is written in a text that is JSON, such as a call's arguments, and in one within that."""
    spelt = {secret}
    for _ in range(2):
        spelt |= {json.dumps(each, ensure_ascii=ascii_alone)[1:-1] for each in spelt for ascii_alone in (True, False)}
        spelt |= {each.replace("/", r"\/") for each in spelt}
    return spelt


def _plain(value: Any) -> Any:
    """What JSON has no word for."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return vars(value)
    if isinstance(value, (Mapping, set, frozenset)):
        return dict(value) if isinstance(value, Mapping) else list(value)
    return str(value)


def setting_of(prompt: str, run: Run, settings: Settings, **more: Any) -> dict[str, Any]:
    """What the first line of a run's trace says."""
    return {
        "prompt": prompt,
        "provider": run.provider,
        "working_directory": str(run.root.path),
        "settings": plain_settings(settings),
        "job": run.job,
        "system_prompt": run.system_prompt,
        "tools": [tool.schema for tool in run.catalogue.values()],
        "versions": {"glassbox": VERSION, "python": platform.python_version(), "system": platform.system()},
        **more,
    }


def plain_settings(settings: Settings) -> dict[str, Any]:
    """Every setting as JSON, but for the keys, and without a password in an address."""
    return {name: _setting(value) for name, value in all_settings(settings) if not name.endswith(KEYS)}


def all_settings(settings: Settings) -> list[tuple[str, Any]]:
    """The settings of a run, and what its job alone has of them."""
    ours = [(name, value) for name, value in vars(settings).items() if name not in ("jobs", "texts")]
    return [*ours, *(each for own in settings.jobs for each in vars(own).items())]


def of_other_jobs(texts: Mapping[str, str]) -> list[tuple[str, str]]:
    """What is, or may hold, a secret of a job that does not run: it was read all the same."""
    read = [(name.lower(), text) for name, text in texts.items()]
    found = [(name, text) for name, text in read if name.endswith(KEYS)]
    if any("://" in text and "@" in text for _, text in read):  # a password may stand in such an address
        from jobs.job import own_settings

        names = {variable_of(name).lower() for kind in own_settings() for name in checks_of(kind)}
        found += [(name, text) for name, text in read if name in names]
    return found


def _setting(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_setting(each) for each in value]
    return value if isinstance(value, (int, float)) else re.sub("(?<=://)[^/?#]*@", "", str(value))


def secrets(settings: Settings, resources: Mapping[str, Any]) -> list[str]:
    """What must never stand in a trace: keys, passwords in addresses, and what was filled in for an MCP server."""
    values = [*all_settings(settings), *of_other_jobs(settings.texts)]
    addresses = [urlsplit(value) for _, value in values if isinstance(value, str) and "://" in value]
    passwords = [value for each in addresses for name, value in parse_qsl(each.query) if name == "password"]
    keys = [value for name, value in values if name.endswith(KEYS)]
    filled = [secret for value in resources.values() for secret in getattr(value, "secrets", ())]
    passwords += [spelt for each in addresses if each.password for spelt in (each.password, unquote(each.password))]
    known = [*keys, *passwords, *filled]
    return [secret for secret in known if secret and secret != Settings().lmstudio_api_key]
