"""The one opener: working directory, provider, job and the record of each run, for everybody who starts one.

The command line, the Python interface, the MCP server, people and the bench open a Session and run prompts in it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.contracts import AgentResult
from agent.deadline import TimeUp, at_most
from agent.events import Listener
from agent.run import Run
from config import PROVIDERS, ConfigError, Settings, need
from sandbox.files.root import Refusal, Root

if TYPE_CHECKING:
    from functions.tool import Resources
    from jobs.equipment.equipped import Outside
    from jobs.job import Job
    from records.fork import Fork
    from records.trace import Record

Tell = Callable[[str], None]
Loop = Callable[[str, Settings, Run], AgentResult]

INSTRUCTIONS = "AGENTS.md"
MOST_CHARACTERS = 8_000  # of them; about 2,000 tokens, sent with every request


@dataclass
class Session:
    """What stays the same from run to run. `folder` is the last run's, None where none could be kept; a fork's is there
    before it begins."""

    provider: str
    loop: Loop
    settings: Settings
    root: Root
    job: Job
    resources: Resources
    tell: Tell
    folder: Path | None = field(default=None, init=False)

    def begin(self, listeners: Sequence[Listener] = (), **more: Any) -> Run:
        """Return a run of the job, not yet asked anything; `more` are fields of its Setup."""
        run = self.job.begin(self.provider, self.root, self.settings, listeners, resources=self.resources, **more)
        if run.catalogue.needs("caller"):
            from jobs.subagents import Caller

            run.resources["caller"] = Caller(self.loop, self.settings, run)
        return run

    def run(
        self,
        prompt: str,
        *,
        listeners: Sequence[Listener] = (),
        began: Callable[[Run, Record | None], None] = lambda run, record: None,
        keeps: bool = True,
        continues: Path | Mapping[str, Any] | None = None,
        forks: Fork | None = None,
        **more: Any,
    ) -> AgentResult:
        """Run the loop on one prompt, kept and undoable unless not `keeps`; after the conversation of the run in the
        folder `continues` (or after this one), or with the beginning that `forks` knows (its files lie in the working
        directory already). `began` hears of the run before anything happens in it. `more` are fields of its Setup."""
        self.root.cancelled.clear()  # Ctrl-C stopped the run before this one, and not this one
        prompt = prompt.encode("utf-8", "replace").decode()  # of a byte that is no text JSON cannot tell
        instructions, about = read_instructions(self.root)
        before = None
        if continues is not None or forks:
            from records.history import earlier

            before = earlier(continues, forks)
        if before:
            more["history"] = before["conversation"]
        if forks:
            from records.replay import Replay

            more |= {"known": Replay(forks.turns), "system_prompt": forks.system_prompt}
        asked = prompt
        if self.resources.keys() & {"skills", "mcp"}:
            from jobs.equipment.asked import what_is_asked

            asked, more = what_is_asked(prompt, self.resources, more, self.tell)
        run = self.begin(instructions=instructions, **more)
        about = forks.lacks(run.catalogue) if forks else about
        record = self._record(prompt, instructions, run, before, forks) if keeps else None
        if record:
            run.listen(record.trace, record.keeper)
        run.listen(*listeners)  # last: a summary tells what the others have written down
        self.root.quarantine = record.folder / "quarantine" if record else None
        began(run, record)
        if about:
            run.notice(about)
        try:
            with at_most(self.settings.max_seconds, run) if self.settings.max_seconds else nullcontext():
                if self.settings.tries > 1 and not forks:
                    return self._several(asked, run, record, {**more, "instructions": instructions})
                return self.loop(asked, self.settings, run)
        except KeyboardInterrupt as stop:  # again, in the very moment in which the loop began to finish the run
            return run.finish("time_budget" if isinstance(stop, TimeUp) else "interrupted")
        except (ConfigError, OSError):  # each says in its own words what the person can do
            raise
        except Exception as error:  # a defect: what was done until then is kept and told
            run.broken(error)
            return run.finish("provider_error")
        finally:
            if record:
                record.trace.close()

    def _several(self, prompt: str, run: Run, record: Record | None, more: Mapping[str, Any]) -> AgentResult:
        from tries import several

        def begin(settings: Settings) -> Run:
            return replace(self, settings=settings).begin(**more)

        return several(prompt, self.settings, run, self.loop, record.keeper if record else None, begin)

    def _record(
        self, prompt: str, instructions: str, run: Run, before: Mapping[str, Any] | None, forks: Fork | None
    ) -> Record | None:
        from records.trace import record_of

        if forks and self.folder is None:
            return None
        more = {"instructions": instructions, **({"forked": forks.about()} if forks else {})}
        where = self.folder if forks else None
        record = record_of(run, prompt, self.settings, self.resources, self.tell, where, before, **more)
        self.folder = record.folder if record else None
        return record


@contextmanager
def opened(
    settings: Settings,
    job: Job,
    *,
    tell: Tell = lambda line: None,
    unconfined: Callable[[str], bool] = lambda provider: provider == "offline",
    outside: Outside | None = None,
) -> Iterator[Session]:
    """Open all that runs of a job need; everything is closed at the end. `unconfined` says of a provider whether code
    may run where no wall can hold it in, `outside` is what MCP servers get of the surroundings. Raises ConfigError,
    with the next step, for what cannot be used."""
    if job.settings:  # checked before anybody is asked; the trace tells them, and hides what is secret of them
        settings = replace(settings, jobs=(settings.of(job.settings), *settings.jobs))
    if settings.without:
        from agent.mechanisms import refuse_unknown

        refuse_unknown(settings.without)
    try:
        root = Root(settings.working_directory)
    except Refusal as refusal:
        raise ConfigError(f"{refusal}. Choose it with --workdir: now it is {settings.working_directory}") from None
    with root, chosen_provider(settings, tell) as (name, loop, settings):
        refuse_records_within(root, settings.runs_directory)
        root.allow_unconfined = unconfined(name)
        wanted = job.equipment(settings)
        if wanted.mcp or wanted.skills:
            from jobs.equipment.equipped import equipped

            with equipped(job, wanted, settings, root, tell, outside) as (job, resources):
                yield Session(name, loop, settings, root, job, resources, tell)
            return
        with job.opens(settings, root, tell) as resources:
            yield Session(name, loop, settings, root, job, resources, tell)


def refuse_records_within(root: Root, runs: Path) -> None:
    """Raise ConfigError where what is kept of runs would lie in the working directory: an agent could change there what
    undo believes, and undo works outside the sandbox."""
    if Path(os.path.realpath(runs)).is_relative_to(root.path):
        raise ConfigError(
            f"the runs would be kept in {runs}, inside the working directory, where the agent could change its own "
            "records. Name another place as GLASSBOX_RUNS_DIRECTORY, or another --workdir."
        )


@contextmanager
def chosen_provider(settings: Settings, tell: Tell) -> Iterator[tuple[str, Loop, Settings]]:
    """Yield the provider's name, its loop and the settings to run it with; the built-in model is served meanwhile."""
    name = settings.llm_provider
    if not name:
        from providers.discovery import available_provider

        name = available_provider(settings, tell)
    loop = loop_of(name, settings)
    if name != "offline":
        yield name, loop, settings
        return
    from offline.wire.openai import MODEL
    from offline.wire.server import serve

    with serve() as address:
        yield name, loop, replace(settings, lmstudio_base_url=f"{address}/v1", lmstudio_model=MODEL)


def loop_of(name: str, settings: Settings) -> Loop:
    """Return the loop of a provider, imported now. Raises ConfigError where the SDK or the key that it needs is not
    there: before there is a run that could not end."""
    provider = PROVIDERS[name]
    if provider.package:
        need(provider.package)
    if provider.needs_key and not getattr(settings, provider.setting("api_key")):
        raise ConfigError(
            f"{provider.setting('api_key').upper()} is not set. Make a key at https://aistudio.google.com/apikey and "
            "put it into .env, or use the built-in model: --provider offline."
        )
    loop: Loop = import_module(provider.loop).run_agent
    return loop


def read_instructions(root: Root) -> tuple[str, str]:
    """Return the person's own instructions for a working directory, its AGENTS.md ("" where there is none), and a
    sentence for the person about them."""
    try:
        text = root.read_text(INSTRUCTIONS).strip() if root.exists(INSTRUCTIONS) else ""
    except Refusal as refusal:
        return "", f"{INSTRUCTIONS} is not used. {refusal}."
    if not text:
        return "", ""
    if len(text) <= MOST_CHARACTERS:
        return text, f"{INSTRUCTIONS} is read into the system prompt ({len(text):,} characters)."
    of = f"its first {MOST_CHARACTERS:,} of {len(text):,} characters are used"
    return f"{text[:MOST_CHARACTERS]}\n[cut here]", f"{INSTRUCTIONS} is long: {of}."
