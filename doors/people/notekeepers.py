"""A notekeeper for each of many people, made when it is asked for and kept while it is used.

What one person's agent holds is opened for that person alone, and a model can name no other: that is all the isolation
there is, and it needs no check that could be forgotten.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import session
from config import ConfigError, Settings, provider_of
from doors.people.notekeeper import Loop, Notekeeper

KINDS = ("offline", "autonomous", "cli")


class Notekeepers:
    """Makes and keeps one agent a person. Belongs to one event loop."""

    def __init__(
        self,
        settings: Settings,
        base: Path,
        loop: Loop | None = None,
        *,
        kind: str = "autonomous",
        most: int = 100,
        idle_seconds: float = 900.0,
        at_once: int = 64,
    ) -> None:
        """`base` is where the folders lie, and beside them what is kept of each person; `loop` asks the model (the one
        of `settings` when None; none is asked by `kind` "offline"). At most `most` agents stay open, each for
        `idle_seconds` after its last work; `at_once` runs go on at the same time. Raises ConfigError."""
        if kind not in KINDS:
            raise ConfigError(f"there is no kind of agent {kind!r}. It may be {', '.join(KINDS)}.")
        self.settings, self.base, self.kind = settings, base, kind
        self.loop = loop or loop_of(settings, kind)
        self.threads = ThreadPoolExecutor(at_once, thread_name_prefix="notekeeper")
        self._most, self._idle_seconds = most, idle_seconds
        self._agents: OrderedDict[str, Notekeeper] = OrderedDict()

    async def get_agent(self, user: object) -> Notekeeper:
        """The agent of a person, opened where it is not. `user` is any name or number; no other is ever told it."""
        name = hashlib.sha256(repr(user).encode()).hexdigest()[:24]
        agent = self._agents.get(name)
        if agent is None:
            self._refuse_cli(name)
            opening = Notekeeper(self.settings, self.base / name, self.kind, self.loop, self.threads)
            await asyncio.get_running_loop().run_in_executor(self.threads, opening.open)
            agent = self._agents.setdefault(name, opening)
            if agent is not opening:  # two asked for it at once
                opening.close()
        agent.used = time.monotonic()
        self._agents.move_to_end(name)
        self._let_go(keep=agent)
        return agent

    def _refuse_cli(self, name: str) -> None:
        """Another command line's agent works with its own tools, which reach every folder of this user of the machine:
        what one person asks it could read another's notes."""
        others = [folder for folder in self.base.iterdir() if folder.name != name] if self.base.is_dir() else []
        if self.kind == "cli" and others:
            raise ConfigError("the kind cli is for one person: its program could read everybody's. Use autonomous.")

    def __len__(self) -> int:
        return len(self._agents)

    async def close(self) -> None:
        """Wait for what is under way, and let go of everything."""
        for agent in self._agents.values():
            async with agent.turn:
                agent.close()
        self._agents.clear()
        self.threads.shutdown()

    def _let_go(self, keep: Notekeeper) -> None:
        """Close the agents that nobody used for long, and the least used beyond the limit; never one at work."""
        now = time.monotonic()
        for name, agent in list(self._agents.items()):
            too_many = len(self._agents) > self._most
            if agent is not keep and not agent.busy and (too_many or now - agent.used > self._idle_seconds):
                del self._agents[name]
                agent.close()


def loop_of(settings: Settings, kind: str) -> Loop:
    """The loop of another command line's agent, or of the wire that the settings name."""
    return session.loop_of("cli" if kind == "cli" else provider_of(settings).name, settings)
