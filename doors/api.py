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
from dataclasses import dataclass, field, fields, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.contracts import AgentResult, ToolCall
from agent.events import Event, Finished, Listener
from agent.run import Run
from config import CHECKS, PLACE, PROVIDERS, ConfigError, Settings, checks_of
from doors.kept import Kept
from doors.place import prepare
from doors.tools import tool
from functions import ToolError
from functions.tool import Tool
from jobs.job import Job, job_named, own_settings
from sandbox.files.root import Root
from session import opened

if TYPE_CHECKING:
    from doors.answers import Answer
    from doors.conversation import Conversation
    from records.trace import Record

__all__ = [
    "Agent",
    "AgentConfig",
    "AgentResult",
    "ConfigError",
    "Event",
    "Job",
    "Kept",
    "Result",
    "Root",
    "Tool",
    "ToolError",
    "subagent",
    "tool",
]


def subagent(job: Job | str, *, reads_only: bool, name: str = "", description: str = "") -> Tool:
    """Return a tool that hands a task to an agent of another job: see jobs/subagents.py."""
    from jobs.subagents import subagent

    job = job_named(job) if isinstance(job, str) else job
    return subagent(job, reads_only=reads_only, name=name, description=description)


@dataclass(frozen=True)
class AgentConfig:
    """What an agent is made of. `working_directory` is the job's own that ships where none is given.

    `job` is the name of one, this program's or another package's, or a Job; `tools` are more tools for it. Runs are
    kept, with what undo needs, in `runs_directory`, and nowhere where that is "". `settings` are further fields of
    config.Settings, or of a job's own, such as {"max_output_tokens": 5000}. `approve(call)` returns why a call that
    changes something may not run, None when it may. `environment` is what MCP servers are started with, and `variables`
    the values for `${NAME}` in a file that names them. `allow_unconfined`: run a model's code also where no wall can
    hold it in.
    """

    provider: str = "offline"
    model: str = ""
    api_key: str = ""
    base_url: str = ""
    job: str | Job = "coder"
    tools: Sequence[Tool] = ()
    working_directory: str | Path = ""
    runs_directory: str | Path = ""
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


@dataclass(frozen=True)
class Result(AgentResult):
    """How a run ended. `output` is the instance that was asked for, None where the model gave none that fits (`errors`
    says why); `kept` is what is kept of the run, None where it is not kept."""

    output: Any = None
    kept: Kept | None = None


class Agent:
    """An agent that runs one prompt after the other, or several at once, each a run of its own."""

    def __init__(self, config: AgentConfig) -> None:
        """Raises ConfigError for what no agent can be made of: it names the field and what it may be."""
        self.config = config
        check(config)
        self._job = job = config.job if isinstance(config.job, Job) else job_named(config.job)
        if config.tools:
            self._job = replace(job, tools=lambda resources: [*job.tools(resources), *config.tools])
        if not config.working_directory:
            prepare()
        self._settings = settings_of(config, PLACE / job.workplace)

    def run(
        self,
        prompt: str,
        *,
        output: Any = None,
        stop: threading.Event | None = None,
        listeners: Sequence[Listener] = (),
        conversation: Conversation | None = None,
    ) -> Result:
        """Run to the end. `output`, a dataclass or a pydantic model, is what the answer must be an instance of. Set
        `stop` from another thread to interrupt it. Raises ConfigError for what cannot be used; whatever a server or a
        model does stands in the result."""
        return self._run(prompt, stop or threading.Event(), [*self.config.listeners, *listeners], output, conversation)

    def conversation(self, name: str = "", entries: Sequence[Any] = ()) -> Conversation:
        """Begin a conversation, or go on with one: with the `entries` of another, or with the one that is kept under
        this name in the `runs_directory`."""
        from doors.conversation import Conversation

        return Conversation(self, name, entries)

    def kept(self, name: str = "") -> Kept:
        """A run that was kept, by its name or a part of it; the last one without. Raises ConfigError without one."""
        from records.folders import find

        if not self.config.runs_directory:
            raise ConfigError("no run is kept: give AgentConfig a runs_directory.")
        return Kept(find(self._settings.runs_directory, name))

    async def arun(self, prompt: str, *, output: Any = None) -> Result:
        """Run in a thread of its own while the event loop goes on; cancelling the task interrupts the run."""
        stop = threading.Event()
        running = asyncio.ensure_future(asyncio.to_thread(self.run, prompt, output=output, stop=stop))
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

    def _run(
        self,
        prompt: str,
        stop: threading.Event,
        listeners: Sequence[Listener],
        output: Any = None,
        conversation: Conversation | None = None,
    ) -> Result:
        if not isinstance(prompt, str) or not prompt.strip():
            raise ConfigError("the prompt is empty; say what to do.")
        from jobs.equipment.equipped import Outside

        config, job, answer = self.config, self._job, None
        if output is not None:
            from doors.answers import Answer

            answer = Answer(output)
            job = with_answer(job, answer)
        told: list[str] = []
        approve = config.approve
        with opened(
            self._settings,
            job,
            tell=told.append,
            unconfined=lambda provider: config.allow_unconfined or provider == "offline",
            outside=Outside(lambda: config.environment, config.variables.get),
        ) as session:
            stopper = Stop(stop)

            def began(run: Run, record: Record | None) -> None:
                stopper.watch(run)
                for line in told:
                    run.notice(line)

            result = session.run(
                prompt,
                listeners=[*listeners, stopper],
                began=began,
                keeps=bool(config.runs_directory),
                continues=conversation and {"from": conversation.name, "conversation": list(conversation.entries)},
                approve=lambda call, run: approve(call) if approve else None,
            )
            kept = Kept(session.folder) if session.folder else None
        return Result(**vars(result), output=answer and answer.value, kept=kept)


def with_answer(job: Job, answer: Answer) -> Job:
    """The job whose answer must be of a type."""
    prompt = f"{job.prompt}\n\n{answer.prompt}"
    return replace(job, prompt=prompt, gates=lambda settings, held: [*job.gates(settings, held), answer])


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


TAKEN: dict[str, tuple[Any, str]] = {  # what each field may be, and how that is said
    **dict.fromkeys(("provider", "model", "api_key", "base_url"), (str, "a text")),
    **dict.fromkeys(("working_directory", "runs_directory"), ((str, PathLike), "a path")),
    **dict.fromkeys(("max_iters", "max_calls", "max_seconds"), (int, "a whole number, 0 or more (0 means no limit)")),
    **dict.fromkeys(("environment", "variables"), (Mapping, "a mapping of texts by name")),
    "job": ((str, Job), "the name of a job, or a Job"),
    "settings": (Mapping, "a mapping of settings by name, such as {'max_output_tokens': 5000}"),
    "allow_unconfined": (bool, "True or False"),
}
LISTS: dict[str, tuple[Any, str]] = {
    "tools": (Tool, "a list of tools; put @tool(reads_only=...) above a function to make one"),
    "mcp": (str, "a list of texts, such as ['python server.py']"),
    "skills": ((str, PathLike), "a list of paths, such as ['skills']"),
}


def check(config: AgentConfig) -> None:
    """Raise ConfigError, naming the field and what it may be, for the first value that cannot be."""
    for name, (kinds, words) in TAKEN.items():
        value = getattr(config, name)
        number = kinds is int
        if not isinstance(value, kinds) or number and (isinstance(value, bool) or value < 0):
            raise ConfigError(f"AgentConfig.{name} is {value!r}, but it must be {words}.")
    for name, (kinds, words) in LISTS.items():
        value = getattr(config, name)
        if (
            isinstance(value, str)
            or not isinstance(value, Sequence)
            or not all(isinstance(one, kinds) for one in value)
        ):
            raise ConfigError(f"AgentConfig.{name} is {value!r}, but it must be {words}.")
    for what in (*config.listeners, *filter(None, [config.approve])):
        if not callable(what):
            raise ConfigError(f"AgentConfig has {what!r} where a function is needed, that takes an event or a call.")
    if config.provider not in PROVIDERS:
        raise ConfigError(f"there is no provider {config.provider!r}. It may be {', '.join(PROVIDERS)}.")


def given_settings(config: AgentConfig) -> dict[str, Any]:
    """AgentConfig.settings as fields of Settings; what one job alone has of them is made, and stands in `jobs`."""
    rest, jobs = dict(config.settings), []
    ours = {name: setting(Settings, name, rest.pop(name)) for name in config.settings if name in CHECKS}
    if rest:
        job = config.job if isinstance(config.job, Job) else job_named(config.job)
        for kind in dict.fromkeys([*filter(None, [job.settings]), *own_settings()]):
            if own := {name: setting(kind, name, rest.pop(name)) for name in checks_of(kind) if name in rest}:
                jobs.append(kind(**own))
    for name in rest:
        raise ConfigError(f"AgentConfig.settings holds {name!r}, which is no setting. See Settings in config.py.")
    return ours | {"jobs": tuple(jobs)}


def setting(kind: type[Any], name: str, value: Any) -> Any:
    """Return a value as the setting of that name has it. Raises ConfigError for one that does not fit."""
    default = next(each.default for each in fields(kind) if each.name == name)
    text = (
        ("off", "on")[value]
        if isinstance(value, bool)
        else "\n".join(value)
        if isinstance(value, tuple)
        else str(value)
    )
    if value == default or not text:
        return value
    checked = checks_of(kind)[name](f"the setting {name}", text)
    return Path(checked) if isinstance(default, Path) else checked


def settings_of(config: AgentConfig, workplace: Path) -> Settings:
    """The settings that a config means; what it does not name has its default, whatever the environment says."""
    defaults = Settings()
    provider = PROVIDERS[config.provider]
    model = {"model": config.model, "api_key": config.api_key, "base_url": config.base_url.rstrip("/")}
    named = {provider.setting(name): value for name, value in model.items() if value}
    given: dict[str, Any] = {name: setting(Settings, name, value) for name, value in named.items()}
    if config.runs_directory:
        given["runs_directory"] = Path(config.runs_directory).expanduser().absolute()
    return replace(
        defaults,
        llm_provider=config.provider,
        working_directory=Path(config.working_directory or workplace).expanduser(),
        max_iters=config.max_iters,
        max_calls=config.max_calls,
        max_seconds=config.max_seconds,
        mcp=tuple(config.mcp),
        skills_paths=tuple(map(str, config.skills)),
        **{**given, **given_settings(config)},
    )
