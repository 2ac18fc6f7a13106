"""The pages of several people, each with an agent, a folder and a server of its own."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from config import ConfigError, Settings
from doors.people.failed import AgentError
from doors.people.notekeeper import Loop
from doors.people.notekeepers import Notekeepers
from doors.people.page.routes import Page
from doors.people.page.shelf import Shelf
from doors.people.page.talk import Talk
from jobs.notekeeper.opening import open_notes
from live.server import Server, serving
from sandbox.files.root import Refusal, Root

MOST_PEOPLE = 20


@dataclass(frozen=True)
class Opened:
    """A page: whose, where their notes are, and the server that has it."""

    name: str
    where: Path
    server: Server


@contextlib.contextmanager
def pages(
    settings: Settings, loop: Loop, model: str, names: Sequence[str] = (), *, kind: str = "autonomous"
) -> Iterator[list[Opened]]:
    """Serve a page for each name, with notes of its own beside the runs; without names one, over the working directory.
    `model` is what a page says of who answers. Raises ConfigError."""
    if len(names) > MOST_PEOPLE:
        raise ConfigError(f"{len(names)} people are too many for one program: at most {MOST_PEOPLE}.")
    folder = None if names else settings.working_directory.resolve()
    users: dict[str, Any] = {name: name for name in names} or {"": str(folder)}
    base = settings.runs_directory / "people"
    with ExitStack() as stack:
        events = stack.enter_context(looping())
        makers = Notekeepers(settings, base, loop, kind=kind, most=len(users))
        stack.callback(lambda: asyncio.run_coroutine_threadsafe(makers.close(), events).result())
        opened = []
        for name, user in users.items():
            try:
                agent = asyncio.run_coroutine_threadsafe(makers.get_agent(user), events).result()
            except AgentError as error:
                raise ConfigError(f"{error}: {base}") from None
            talk = Talk(agent, folder, events)
            stack.callback(talk.close)
            try:
                root = stack.enter_context(Root(talk.where))
            except Refusal as refusal:
                raise ConfigError(f"{refusal}. Choose it with --workdir.") from None
            kb = open_notes(replace(settings, runs_directory=agent.state), root, lambda line: None)["kb"]
            stack.callback(kb.close)
            about = {"name": name, "where": str(talk.where), "model": model}
            try:
                server = stack.enter_context(serving(Page(talk, Shelf(kb), about).routes()))
            except OSError as error:
                raise ConfigError(f"the page cannot be served on this machine ({error.strerror}).") from None
            opened.append(Opened(name, talk.where, server))
        yield opened


@contextlib.contextmanager
def looping() -> Iterator[asyncio.AbstractEventLoop]:
    """An event loop in a thread of its own, until the block ends."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="events", daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
