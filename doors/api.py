"""The Python interface: an agent as a value that a program makes and calls.

Everything it needs stands in its AgentConfig. It reads no environment and no `.env`, prints nothing and installs no
signal handlers; importing it loads no SDK. An Agent may be used from several threads: each run opens what it needs and
closes it. What is public here (the names in `__all__`, the fields of AgentConfig and AgentResult) keeps its meaning
within a minor version of Glassbox.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agent.contracts import AgentResult, ToolCall
from agent.events import Event, Finished, Listener
from agent.run import Run
from config import PROJECT, PROVIDERS, ConfigError, Settings
from jobs.job import job_named
from session import Record, opened

__all__ = ["Agent", "AgentConfig", "AgentResult", "ConfigError", "Event"]


@dataclass(frozen=True)
class AgentConfig:
    """What an agent is made of. `working_directory` is the job's own that ships where none is given.

    `settings` are further fields of config.Settings, such as {"max_output_tokens": 5000}. `approve(call)` returns why a
    call that changes something may not run, None when it may. `environment` is what MCP servers are started with, and
    `variables` the values for `${NAME}` in a file that names them. `allow_unconfined`: run a model's code also where no
    wall can hold it in.
    """

    provider: str = "offline"
    model: str = ""
    api_key: str = ""
    base_url: str = ""
    job: str = "coder"
    working_directory: str | Path = ""
    max_iters: int = 20
    max_calls: int = 0
    max_seconds: int = 0
    mcp: Sequence[str] = ()
    skills: Sequence[str | Path] = ()
    listeners: Sequence[Listener] = ()
    approve: Callable[[ToolCall], str | None] | None = None
    environment: Mapping[str, str] = field(default_factory=lambda: {"PATH": "/usr/local/bin:/usr/bin:/bin"})
    variables: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    allow_unconfined: bool = False


class Agent:
    """An agent that runs one prompt after the other, or several at once, each a run of its own."""

    def __init__(self, config: AgentConfig) -> None:
        """Raises ConfigError for a provider, a job or a setting that there is not."""
        self.config = config
        if config.provider not in PROVIDERS:
            raise ConfigError(f"there is no provider {config.provider!r}. It may be {', '.join(PROVIDERS)}.")
        self._job = job_named(config.job)
        try:
            self._settings = settings_of(config, PROJECT / self._job.workplace)
        except TypeError as error:
            raise ConfigError(f"AgentConfig.settings holds what no setting is: {error}.") from None

    def run(self, prompt: str, *, stop: threading.Event | None = None) -> AgentResult:
        """Run to the end. Set `stop` from another thread to interrupt it. Raises ConfigError for what cannot be used;
        whatever a server or a model does stands in the result."""
        return self._run(prompt, stop or threading.Event(), self.config.listeners)

    async def arun(self, prompt: str) -> AgentResult:
        """Run in a thread of its own while the event loop goes on; cancelling the task interrupts the run."""
        stop = threading.Event()
        running = asyncio.ensure_future(asyncio.to_thread(self.run, prompt, stop=stop))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            stop.set()
            await asyncio.wait({running})
            raise

    def events(self, prompt: str) -> Iterator[Event]:
        """Yield what happens as it happens; the last event is `Finished`, with the result. Closing the
        iterator interrupts the run."""
        happened: queue.Queue[Event | BaseException | None] = queue.Queue()
        stop = threading.Event()

        def work() -> None:
            try:
                self._run(prompt, stop, [*self.config.listeners, happened.put])
            except BaseException as error:
                happened.put(error)
            happened.put(None)

        thread = threading.Thread(target=work, name="glassbox", daemon=True)
        thread.start()
        try:
            while (event := happened.get()) is not None:
                if isinstance(event, BaseException):
                    raise event
                yield event
        finally:
            stop.set()
            thread.join()

    def _run(self, prompt: str, stop: threading.Event, listeners: Sequence[Listener]) -> AgentResult:
        if not prompt.strip():
            raise ConfigError("the prompt is empty; say what to do.")
        from jobs.equipment.equipped import Outside

        config = self.config
        told: list[str] = []
        approve = config.approve
        with opened(
            self._settings,
            self._job,
            tell=told.append,
            unconfined=lambda provider: config.allow_unconfined or provider == "offline",
            outside=Outside(lambda: config.environment, config.variables.get),
        ) as session:
            stopper = Stop(stop)

            def began(run: Run, record: Record | None) -> None:
                stopper.watch(run)
                for line in told:
                    run.notice(line)

            return session.run(
                prompt,
                listeners=[*listeners, stopper],
                began=began,
                keeps=False,
                approve=lambda call, run: approve(call) if approve else None,
            )


class Stop:
    """The last listener of a run: where it is to be stopped, the next event interrupts it, as Ctrl-C does a program."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop, self._over = stop, False

    def __call__(self, event: Event) -> None:
        if isinstance(event, Finished):
            self._over = True
        elif self._stop.is_set():
            raise KeyboardInterrupt

    def watch(self, run: Run) -> None:
        """Let a tool or a request of this run that is under way end at once."""
        threading.Thread(target=self._watch, args=(run,), daemon=True).start()

    def _watch(self, run: Run) -> None:
        while not self._stop.wait(0.2):
            if self._over:
                return
        if not self._over:
            run.stop()


def settings_of(config: AgentConfig, workplace: Path) -> Settings:
    """The settings that a config means; what it does not name has its default, whatever the environment says."""
    defaults = Settings()
    provider = PROVIDERS[config.provider]
    model = {"model": config.model, "api_key": config.api_key, "base_url": config.base_url.rstrip("/")}
    given: dict[str, Any] = {provider.setting(name): value for name, value in model.items() if value}
    return replace(
        defaults,
        llm_provider=config.provider,
        working_directory=Path(config.working_directory or workplace).expanduser(),
        max_iters=config.max_iters,
        max_calls=config.max_calls,
        max_seconds=config.max_seconds,
        mcp=tuple(config.mcp),
        skills_paths=tuple(map(str, config.skills)),
        **{**given, **config.settings},
    )
