"""One person's notekeeper: a folder, a history, preferences; its runs are async, one after the other, and undone when
they fail."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from agent.contracts import AgentResult
from agent.events import Listener
from agent.run import Run
from config import ConfigError, Settings
from doors.api import Stop
from doors.people.failed import AgentAPIError, AgentError, AgentTimeoutError, notes_after, take_back
from doors.people.kept import Kept, alone, checked, load, put_aside, store
from jobs.notekeeper.job import JOB, MAKE_A_NOTE
from jobs.notekeeper.memory import DamagedMemory
from jobs.notekeeper.settings import NotekeeperSettings
from records.folders import NAME
from records.trace import Trace, new_folder
from records.undo.keep import Keeper
from records.undo.undo import Undone, undo, undoable
from sandbox.files.root import Root

Loop = Callable[[str, Settings, Run], AgentResult]
HISTORY = "history.json"
KEPT_MESSAGES = 200  # of a history
STEPS = 20  # requests to the model for one task, where the settings say 0


@contextmanager
def told_of_the_disk() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = error.strerror or error
        raise AgentError(f"the disk refused it ({why}); make room, or let it be written to, then try again") from error


class Notekeeper:
    """One person's agent. Its runs come one after the other; another person's do not wait for them."""

    def __init__(self, settings: Settings, base: Path, kind: str, loop: Loop, threads: ThreadPoolExecutor) -> None:
        """`base` is this person's own: the notes lie in it, and beside them what is kept. See Notekeepers."""
        self._given, self._kind, self._loop, self._threads = settings, kind, loop, threads
        self.folder = self._where = base / "notes"  # `_where` is the folder of the call: see `process`
        self._base, self.state = base, base / "state"
        self.turn = asyncio.Lock()
        self.used = time.monotonic()
        self.waiting = 0
        self._kept = Kept()
        self._stack = ExitStack()
        self._opened: tuple[Path, dict[str, Any]] | None = None  # the folder and the preferences that it is open with

    @property
    def history(self) -> list[dict[str, str]]:
        return self._kept.history

    @property
    def preferences(self) -> dict[str, Any]:
        """timeout in seconds, max_iters, tools."""
        return self._kept.preferences

    @told_of_the_disk()
    def open(self) -> None:
        """Open the folder and what the tools hold. What is kept and cannot be used is put aside and said in the next
        result. Raises ConfigError, Refusal and AgentError."""
        for folder in (self._where, self.state):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._read()
        try:
            self._open_with(self.preferences)
        except ConfigError as error:
            if not self.preferences:
                raise
            if (line := f"the preferences are not used: {error}") not in self._kept.said:
                self._kept.said.append(line)
            self._kept.preferences = {}
            self._open_with({})

    def _read(self) -> None:
        """Read what is kept, which another process may have written. What was not said yet still is to be, once."""
        said, self._kept = self._kept.said, load(self.state / HISTORY)
        self._kept.said = list(dict.fromkeys([*said, *self._kept.said]))

    def _open_with(self, preferences: Mapping[str, Any]) -> None:
        """Open with these preferences; where that fails, what was open stays."""
        own = replace(self._given.of(NotekeeperSettings), notekeeper_user="me")  # the memory is this person's alone
        settings = replace(
            self._given,
            working_directory=self._where,
            runs_directory=self.state,
            jobs=(replace(own, notekeeper_tools=preferences.get("tools", own.notekeeper_tools)),),
            max_iters=preferences.get("max_iters") or self._given.max_iters or STEPS,
        )
        with ExitStack() as stack:
            root = stack.enter_context(Root(self._where))
            try:
                resources = stack.enter_context(JOB.opens(settings, root, lambda line: None))
            except DamagedMemory as error:  # it is this person's alone, and they could not move it away themselves
                aside = put_aside(error.path)
                self._kept.said.append(f"what was remembered could not be read; it was put aside as {aside}")
                resources = stack.enter_context(JOB.opens(settings, root, lambda line: None))
            self._stack.close()
            self._stack, self.settings, self.root, self.resources = stack.pop_all(), settings, root, resources
            self._opened = (self._where, dict(preferences))

    def close(self) -> None:
        """Let go of what is open; it is opened again for as long as a run takes, where somebody still has this."""
        self._stack.close()
        self._opened = None

    @contextmanager
    def _open_now(self) -> Iterator[None]:
        """Open while the block runs, with what is kept now: another process may have written it."""
        was_open = self._opened is not None
        if not was_open:
            self.open()
        else:
            self._read()
            if self._opened != (self._where, self.preferences):
                self.open()
        try:
            yield
        finally:
            if not was_open:
                self.close()

    @contextmanager
    def _alone(self, cancelled: threading.Event, folder: Path | None = None) -> Iterator[None]:
        """The person's state, and the folder, for this run alone, among all processes of the machine. What the disk
        refuses is an AgentError."""
        with told_of_the_disk(), ExitStack() as stack:
            held = stack.enter_context(alone(self.state / "lock", cancelled))
            self._where = folder or self.folder
            if folder and os.name != "nt":  # where a folder has no lock, the person's own is all there is
                held = held and stack.enter_context(alone(folder, cancelled))
            if not held:
                raise AgentError("it was stopped while another program worked on the same folder")
            stack.enter_context(self._open_now())
            yield

    def _folder(self, kb_path: Path | None) -> Path | None:
        """The folder of one call. Raises ConfigError for one that is another person's, or holds them all."""
        if kb_path is None:
            return None
        folder, people = Path(kb_path).resolve(), self._base.parent.resolve()
        if folder == self.folder.resolve():
            return None
        if folder.is_relative_to(people) or people.is_relative_to(folder):
            raise ConfigError(f"{folder} is no folder for one call: it is where the people's own folders are kept.")
        if not folder.is_dir():
            raise ConfigError(f"{folder} is no folder. Make it first, or leave kb_path out.")
        return folder

    @property
    def busy(self) -> bool:
        return self.waiting > 0

    async def process(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        kb_path: Path | None = None,
        hear: Listener | None = None,
        stop: threading.Event | None = None,
    ) -> dict[str, Any]:
        """Make a note of the messages' texts, in the person's own folder or, for this call, in `kb_path`, which several
        people may share. `hear` is called with each event of the run, in a thread of its own; `stop`, set from any
        thread, ends the run. Returns the result that docs/notekeeper.md describes. Raises AgentError, after which the
        folder is as it was but for what the error names, and ConfigError for a kb_path that may not be used."""
        text = "\n\n".join(each["content"] for each in messages if each.get("role", "user") == "user")
        if self._kind == "offline":
            return await self._work(text, lambda cancelled: self._without_model(text), kb_path, stop)
        prompt = f"{MAKE_A_NOTE}\n\n{text}"
        return await self._work(text, lambda cancelled: self._run(prompt, cancelled, hear), kb_path, stop)

    async def execute_task(
        self,
        task: str,
        *,
        kb_path: Path | None = None,
        hear: Listener | None = None,
        stop: threading.Event | None = None,
    ) -> dict[str, Any]:
        """Work on the folder. As `process`."""
        if self._kind == "offline":
            raise AgentError("an agent of the kind offline only makes notes; use the kind autonomous for tasks")
        return await self._work(task, lambda cancelled: self._run(task, cancelled, hear), kb_path, stop)

    async def undo(self, *, kb_path: Path | None = None) -> list[str]:
        """Take back the last run that changed the folder and was not taken back; the paths that are as they were.
        Raises ConfigError where there is none, or where somebody changed the same files since. The kind offline keeps
        none."""
        return (await self.take_back(kb_path=kb_path)).paths

    async def take_back(self, run: str = "", *, kb_path: Path | None = None) -> Undone:
        """As `undo`, of one run by its name (`metadata.run` of a result), also of an undo; and all that is told."""
        folder = self._folder(kb_path)

        def take_back() -> Undone:
            with self._alone(threading.Event(), folder):
                return self._undo(self.kept(run) if run else undoable(self.state, self._where))

        async with self.turn:
            return await asyncio.get_running_loop().run_in_executor(self._threads, take_back)

    def kept(self, run: str) -> Path:
        """Where a run of this person's is kept. Raises ConfigError where none has that name."""
        if not NAME.fullmatch(run) or not (self.state / run / "trace.jsonl").is_file():
            raise ConfigError(f"there is no run {run[:80]!r} any more: only the last {self._given.keep_runs} are kept.")
        return self.state / run

    def get_context(self, max_messages: int = 10) -> list[dict[str, str]]:
        """The last messages of this person's conversation, oldest first: {"role", "content"}."""
        return [dict(message) for message in self.history[-max_messages:]] if max_messages > 0 else []

    async def set_preferences(self, **preferences: Any) -> None:
        """Keep them: timeout (seconds), max_iters, tools. They hold from the next run on. Raises ConfigError for what
        nothing could run with; then nothing is changed."""
        wanted = checked(preferences)

        def keep() -> None:
            with self._alone(threading.Event()):
                both = self.preferences | wanted
                self._open_with(both)
                self._kept.preferences = both
                store(self.state / HISTORY, self._kept)

        async with self.turn:
            await asyncio.get_running_loop().run_in_executor(self._threads, keep)

    def get_available_tools(self) -> list[str]:
        with self._open_now():
            return list(JOB.begin("", self.root, self.settings, resources=self.resources).catalogue)

    async def _work(
        self,
        asked: str,
        work: Callable[[threading.Event], dict[str, Any]],
        kb_path: Path | None,
        stop: threading.Event | None,
    ) -> dict[str, Any]:
        """Do it in a thread, with the person's turn held until it has ended, also when nobody waits for it any more."""
        cancelled, folder = stop or threading.Event(), self._folder(kb_path)
        begun, unheard = asyncio.Event(), threading.Event()

        def kept(cancelled: threading.Event) -> dict[str, Any]:
            with self._alone(cancelled, folder):
                try:
                    result = work(cancelled)
                except AgentError as error:
                    if unheard.is_set() and error.left:
                        self._kept.said.append(f"a run was stopped. {notes_after(error)}")
                    raise
                self.history.append({"role": "user", "content": asked})
                self.history.append({"role": "assistant", "content": result["answer"]})
                del self.history[:-KEPT_MESSAGES]
                try:
                    store(self.state / HISTORY, self._kept)
                except OSError as error:  # what was asked is done, and who heard an error would ask it again
                    why = error.strerror or error
                    self._kept.said.append(f"the conversation could not be kept ({why}); make room on the disk")
                if self._kept.said:
                    result["metadata"]["notices"] = self._kept.said
                    self._kept.said = []
                return result

        async def in_turn() -> dict[str, Any]:
            self.waiting += 1
            try:
                async with self.turn:
                    begun.set()
                    loop = asyncio.get_running_loop()
                    return await loop.run_in_executor(self._threads, kept, cancelled)
            finally:
                self.waiting -= 1
                self.used = time.monotonic()

        working = asyncio.ensure_future(in_turn())
        working.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may be waiting any more
        seconds = self.preferences.get("timeout") or None
        try:
            return await asyncio.wait_for(asyncio.shield(working), seconds)
        except TimeoutError:
            cancelled.set()
            left: Sequence[str] = ()
            try:
                if begun.is_set():  # what it has changed is taken back when it has ended; or it was done just then
                    return await asyncio.shield(working)
                working.cancel()
            except AgentError as error:
                left = error.left
            raise AgentTimeoutError(f"it took longer than {seconds:g} seconds, and was stopped", left) from None
        except asyncio.CancelledError:
            unheard.set()
            cancelled.set()
            raise

    def _run(self, prompt: str, cancelled: threading.Event, hear: Listener | None) -> dict[str, Any]:
        """One run of the loop, kept and undoable; one that fails is undone."""

        self.root.cancelled.clear()
        folder = new_folder(self.state, prompt, self.settings.keep_runs)
        history = [_entry(message) for message in self.history]
        run = JOB.begin(self._kind, self.root, self.settings, resources=self.resources, history=history)
        trace = Trace(folder, {"prompt": prompt, "working_directory": str(self.root.path), "job": JOB.name})
        keeper = Keeper(folder, self.root, run.notice, run.catalogue)
        run.listen(trace, keeper)
        stop = Stop(cancelled)  # as a person's Ctrl-C: the loop ends the run, and tells it
        run.listen(*([hear] if hear else []), stop)
        stop.watch(run)
        try:
            result = self._loop(prompt, self.settings, run)
        except Exception as error:
            left = take_back(keeper, folder, self.state, self.root.file_changed)
            raise AgentError(f"it failed ({type(error).__name__}: {error})", left) from error
        finally:
            trace.close()
        if result.stop_reason in ("provider_error", "interrupted") or cancelled.is_set():
            left = take_back(keeper, folder, self.state, self.root.file_changed)
            kind = AgentAPIError if result.stop_reason == "provider_error" else AgentError
            raise kind(result.errors[-1] if result.errors else "it was stopped", left)
        told = _told(result.report or {}, result.answer, self._kind, result.seconds, result.stop_reason)
        told["metadata"]["run"] = folder.name
        return told

    def _without_model(self, text: str) -> dict[str, Any]:
        """A note by the built-in mind's own rules, with no model asked."""
        from functions import ToolError
        from jobs.notekeeper.changes import Changes
        from jobs.notekeeper.outcome import outcome
        from jobs.notekeeper.tools.kb_vector_search import kb_vector_search
        from jobs.notekeeper.tools.save_note import save_note
        from offline.notekeeper.mind import LONGEST_QUERY, NEIGHBOURS, note_for

        began, kb = time.monotonic(), self.resources["kb"]
        changes = Changes(self.root)
        said = save_note(kb, **note_for(text, kb_vector_search(kb, text[:LONGEST_QUERY], NEIGHBOURS)))
        if isinstance(said, ToolError):
            raise AgentError(said.removeprefix("Error: "))
        since = changes.since()
        report = {**vars(since), **outcome(kb, since.files_created, since.files_edited, said)}
        return _told(report, said, "offline", time.monotonic() - began, "answered")

    def _undo(self, run: Path) -> Undone:
        """Put back what a run changed, which is not written through the root: so the searches here are told of it."""
        undone = undo(run, self.state)
        for path in undone.paths:
            self.root.file_changed(path)
        return undone


def _entry(message: Mapping[str, str]) -> dict[str, Any]:
    """A message as records/history.py has it."""
    if message["role"] == "user":
        return {"role": "user", "text": message["content"]}
    return {"role": "model", "text": message["content"], "calls": []}


def _told(report: Mapping[str, Any], answer: str, kind: str, seconds: float, stop_reason: str) -> dict[str, Any]:
    about = {"agent": kind, "processing_time": round(seconds, 3), "stop_reason": stop_reason}
    return {**report, "answer": answer, "metadata": {**report.get("metadata", {}), **about}}
