"""A person's talk with their notekeeper: messages one after the other, told to every page of theirs as they go on."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any

from agent.events import CallFinished, CallStarted, Event, Listener, Text
from config import ConfigError
from doors.people.failed import AS_THEY_WERE, AgentError, AgentTimeoutError, notes_after
from doors.people.notekeeper import Notekeeper
from doors.people.page.told import cut, diffs, step, turn, turns, undos_of
from live.server import Refused
from records.folders import folders, summary
from records.undo.undo import Conflict, Undone

MOST_WAITING = 5  # messages
MOST_EVENTS = 20_000  # that are kept for a page that comes back; one that missed more asks for everything again
BEAT_SECONDS = 5.0  # so that a connection that is gone is noticed
CHANGED = (
    "Nothing was undone: {names} changed since. If a later message did that, undo that one first; else open the note "
    "and change it by hand."
)
TAKEN_BACK = "What it had changed is taken back."
Work = Callable[[Listener, threading.Event], Awaitable[Mapping[str, Any]]]


class Talk:
    """What one page asks of one person's agent. `loop` is the event loop that the agent belongs to."""

    def __init__(self, agent: Notekeeper, folder: Path | None, loop: asyncio.AbstractEventLoop) -> None:
        """`folder` is where the notes are, the person's own where it is None."""
        self._agent, self._folder, self._loop = agent, folder, loop
        self.where = (folder or agent.folder).resolve()
        self._events: list[dict[str, Any]] = []
        self._before = 0  # events that are not kept any more
        self._news = threading.Condition()
        self._turns = 0
        # a message -> its first event, what stops it, and the work
        self._working: dict[int, tuple[int, threading.Event, Future[None]]] = {}

    def say(self, text: str) -> None:
        self._begin(text, lambda hear, stop: self._agent.execute_task(text, kb_path=self._folder, hear=hear, stop=stop))

    def keep(self, text: str) -> None:
        """Make a note of a text."""
        message = [{"role": "user", "content": text}]
        self._begin(text, lambda hear, stop: self._agent.process(message, kb_path=self._folder, hear=hear, stop=stop))

    def stop(self) -> None:
        """End what is under way, and what waits behind it; what it has changed is taken back."""
        with self._news:
            for _, stop, _ in self._working.values():
                stop.set()

    def close(self) -> None:
        """Stop, and wait until all has ended."""
        self.stop()
        with self._news:
            working = [work for _, _, work in self._working.values()]
        wait(working)

    def now(self) -> dict[str, Any]:
        """What was said up to now, and the number of the event with which a page goes on."""
        with self._news:  # what ends while the runs are read is told once more, and known by its name
            after = min((first for first, _, _ in self._working.values()), default=self._before + len(self._events))
        return {"turns": turns(self._agent.state, str(self.where)), "after": after}

    def stream(self, after: int) -> Generator[bytes]:
        """Every event behind a number, and those to come, for as long as somebody reads."""
        yield b"retry: 1000\n\n"
        while True:
            fresh = self._behind(after)
            if fresh is None:
                yield b'data: {"kind": "lost"}\n\n'
                return
            lines = (
                b"id: %d\ndata: %s\n\n" % (n, json.dumps(each).encode()) for n, each in enumerate(fresh, after + 1)
            )
            yield b"".join(lines) or b": still here\n\n"
            after += len(fresh)

    def _behind(self, after: int) -> list[dict[str, Any]] | None:
        """The events behind a number, none after a while without any; None where they are not kept any more."""
        with self._news:
            self._news.wait_for(lambda: self._before + len(self._events) > after, BEAT_SECONDS)
            return self._events[after - self._before :] if after >= self._before else None

    def take_back(self, run: str, *, again: bool = False) -> dict[str, Any]:
        """Undo what a message changed, or, `again`, undo that. Returns the message as it is then told, with a `note`
        where a part was left. Raises Refused with a sentence where it cannot be done."""
        if self._working:
            raise Refused(409, "Wait until what is under way has ended, then undo.")
        try:
            folder = self._agent.kept(run)
            undo = self._undo_of(run)
            if again == (not undo):
                raise Refused(409, "This is done already: another page of yours was quicker.")
            undone = self._wait(self._agent.take_back(undo if again else run, kb_path=self._folder))
        except Conflict as conflict:
            names = ", ".join(conflict.paths[:3]) + (" and others" if len(conflict.paths) > 3 else "")
            raise Refused(409, CHANGED.format(names=names)) from None
        except ConfigError as error:
            raise Refused(409, sentence(error)) from None
        told = turn(folder, self._undo_of(run))
        left = [*undone.failed, *undone.left]
        told["note"] = f"Not put back: {', '.join(left[:5])}." if left else ""
        self._tell("turn", turn=0, told=told)
        return told

    def diffs(self, run: str) -> dict[str, str]:
        try:
            return diffs(self._agent.kept(run))
        except ConfigError as error:
            raise Refused(404, sentence(error)) from None

    def _undo_of(self, run: str) -> str:
        return undos_of(map(summary, folders(self._agent.state))).get(run, "")

    def _wait(self, work: Coroutine[Any, Any, Undone]) -> Undone:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _begin(self, text: str, work: Work) -> None:
        with self._news:
            if len(self._working) >= MOST_WAITING:
                raise Refused(429, f"{MOST_WAITING} messages are waiting already. Let some be done first.")
            self._turns += 1
            number = self._turns
            first = self._before + len(self._events)
            stop = threading.Event()
            done = asyncio.run_coroutine_threadsafe(self._work(number, work, stop), self._loop)
            self._working[number] = first, stop, done
            self._tell("asked", turn=number, text=cut(text))

    async def _work(self, number: int, work: Work, stop: threading.Event) -> None:
        """Do what was asked, and tell how it ended; nothing that goes wrong here leaves the page waiting."""
        told: dict[str, Any] = {}
        try:
            result = await work(lambda event: self._hear(number, event), stop)
            run = result["metadata"]["run"]
            told = {"told": await asyncio.to_thread(turn, self._agent.kept(run), "")}
            told["notices"] = list(result["metadata"].get("notices", ()))
        except (AgentError, ConfigError) as error:
            stopped = stop.is_set() and not isinstance(error, AgentTimeoutError)
            said, whole = ("Stopped.", TAKEN_BACK) if stopped else (sentence(error), AS_THEY_WERE)
            told = {"problem": f"{said} {notes_after(error, whole)}"}
        except Exception as error:  # a defect
            told = {"problem": f"This went wrong in the program itself ({type(error).__name__}: {error})."}
        finally:
            with self._news:
                self._working.pop(number, None)
                self._tell("ended", turn=number, **told)

    def _hear(self, number: int, event: Event) -> None:
        match event:
            case Text(text=text) if text:
                self._tell("text", turn=number, text=text)
            case CallStarted(call=call):
                self._tell("call", turn=number, id=call.id, **step(call.name, call.arguments, None))
            case CallFinished(result=result):
                self._tell("called", turn=number, id=result.call.id, ok=result.ok)

    def _tell(self, kind: str, **data: Any) -> None:
        with self._news:
            if not self._working and len(self._events) > MOST_EVENTS:
                self._before += len(self._events)
                self._events.clear()
            self._events.append({"kind": kind, **data})
            self._news.notify_all()


def sentence(error: Exception) -> str:
    text = str(error).strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
