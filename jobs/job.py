"""A job as a value: what its agent is told, which tools it has, what they hold, and what must be true of its work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from agent.context import Context
from agent.events import Listener
from agent.gates import Gate, Substance
from agent.limits import limits_of
from agent.run import Run
from agent.setup import Help, Hook, Limit, Setup
from config import Settings
from functions.tool import Catalogue, Resources, Tool
from prompts import system_prompt
from sandbox.files.root import Root

DEFAULT = "coder"

Tell = Callable[[str], None]


class Option(NamedTuple):
    """A command-line option that only one job has; what is given lands in the setting of that name."""

    flag: str  # "--data"
    metavar: str  # "SOURCE"
    help: str
    setting: str  # a field of the job's own settings


@contextmanager
def nothing_more(settings: Settings, root: Root, tell: Tell) -> Iterator[Resources]:
    """What a job's tools hold that need the working directory alone."""
    yield {}


class Equipment(NamedTuple):
    """MCP servers and skills to use, as the person names them, and whether it goes on without one that cannot be."""

    mcp: tuple[str, ...]
    skills: tuple[str, ...]
    can_do_without: bool = False


def named_by_the_person(settings: Settings) -> Equipment:
    return Equipment(settings.mcp, settings.skills_paths)


@dataclass(frozen=True)
class Job:
    """A kind of work. Everything but the first five has a default that fits a job with nothing special.

    `opens` makes the resources that the tools hold beside the working directory, tells the person what they should know
    of them, and raises ConfigError where it cannot; `tools` may hang on those. `report` makes the job's own part of a
    result out of the run and its answer, `pages` what `--view` writes beside the page of a run: texts by file name, out
    of its result and its events, the first to be opened. `workplace` is the directory, below the project's, that is
    worked in when the person names none. `equipment` are the MCP servers and skills that are opened
    (jobs/equipment/equipped.py). `settings` is the frozen dataclass of what it alone has of settings (config.py), and
    `with_ask` names those that --ask switches on, as each use is asked about then.
    """

    name: str
    does: str  # in one line, for --jobs
    example: str  # one command, for --jobs
    prompt: str  # its part of the system prompt
    tools: Callable[[Resources], Iterable[Tool]]
    workplace: str = "calculator"
    opens: Callable[[Settings, Root, Tell], AbstractContextManager[Resources]] = nothing_more
    gates: Callable[[Settings, Resources], Sequence[Gate]] = lambda settings, resources: ()
    hooks: Callable[[Settings, Resources], Sequence[Hook]] = lambda settings, resources: ()
    limits: Callable[[Settings], Sequence[Limit]] = lambda settings: ()
    help: Callable[[Settings, Run], Help | None] = lambda settings, run: None
    memory: Callable[[Run, Any], Context] = Context
    report: Callable[[Run, str], dict[str, Any] | None] = lambda run, answer: None
    settings: type[Any] | None = None
    with_ask: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    equipment: Callable[[Settings], Equipment] = named_by_the_person
    default_prompt: str = ""  # where the prompt may be left out
    pages: Callable[[Mapping[str, Any], Iterable[Mapping[str, Any]]], dict[str, str]] | None = None
    entry: Callable[[Settings, str], str] = lambda settings, text: text  # the prompt, from the command line's words

    def begin(
        self,
        provider: str,
        root: Root,
        settings: Settings,
        listeners: Sequence[Listener] = (),
        *,
        resources: Resources | None = None,
        instructions: str = "",
        **more: Any,
    ) -> Run:
        """Return a run of this job that a provider's loop can take. `resources` are those that `opens` yielded,
        `instructions` the person's for this directory, `more` are fields of the Setup; hooks are added to the job's
        own. Raises SchemaError for a tool that cannot be offered."""
        resources = resources or {}
        setup = Setup(
            provider,
            root,
            job=self.name,
            resources=resources,
            catalogue=Catalogue(self.tools(resources)),
            system_prompt=system_prompt(self.prompt, instructions),
            gates=[Substance(), *self.gates(settings, resources)],
            hooks=[*more.pop("hooks", ()), *self.hooks(settings, resources)],
            limits=[*limits_of(settings), *self.limits(settings)],
            memory=self.memory,
            report=self.report,
            help=partial(self.help, settings),
        )
        return Run(replace(setup, **more), listeners)


def names() -> list[str]:
    """The names of all jobs, the default first."""
    return [DEFAULT, *sorted(path.parent.name for path in Path(__file__).parent.glob("*/job.py"))]


def own_settings() -> list[type[Any]]:
    """The settings that one of this program's jobs alone has, of each that has some."""
    return [own for name in names() if (own := job_named(name).settings)]


def job_named(name: str) -> Job:
    """Return a job, this program's own or another package's. Raises ConfigError with the names that there are."""
    if name in names():
        job: Job = import_module(f".{name}" if name == DEFAULT else f".{name}.job", __package__).JOB
        return job
    from jobs.elsewhere import job_of_a_package

    return job_of_a_package(name, names(), Job)
