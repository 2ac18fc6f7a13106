"""A provider that is chosen and a working directory that is open: runs begin here, one after the other."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from agent.contracts import AgentResult
from agent.deadline import at_most
from agent.instructions import read_instructions
from agent.replay import Replay
from agent.run import Run
from cli.sandbox_notice import announce_sandbox
from config import VERSION, Settings
from records.folders import new_folder
from records.history import history_of
from records.trace import Trace
from records.undo.keep import Keeper

if TYPE_CHECKING:
    from cli.approval import Approval
    from cli.screen.terminal import Terminal
    from cli.watch import Watching
    from functions.tool import Resources
    from jobs.job import Job
    from records.fork import Fork
    from sandbox.files.root import Root

Loop = Callable[[str, Settings, Run], AgentResult]


@dataclass
class Session:
    """What stays the same from run to run. `folder` is the last run's, None where none could be kept; a fork's is there
    before it begins."""

    provider: str
    loop: Loop
    settings: Settings
    options: argparse.Namespace
    root: Root
    terminal: Terminal
    approval: Approval | None = None
    typed: Callable[[], Sequence[str]] = tuple
    job: Job = field(kw_only=True)
    resources: Resources = field(kw_only=True)
    watching: Watching | None = field(default=None, kw_only=True)
    folder: Path | None = field(default=None, init=False)

    def run(self, prompt: str, *, continues: Path | None = None, forks: Fork | None = None) -> AgentResult:
        """Run the loop on one prompt, kept, watched and undoable; with the conversation of an earlier run before it, or
        with the beginning of one whose files lie in the working directory already (`folder` is there then)."""
        self.root.cancelled.clear()  # Ctrl-C stopped the run before this one, and not this one
        instructions, about_instructions = read_instructions(self.root)
        before = continued_before(forks) if forks else continued(continues) if continues else None
        if not forks:
            self.folder = self._new_folder(prompt)
        run = self.job.begin(
            self.provider,
            self.root,
            self.settings,
            resources=self.resources,
            instructions=instructions,
            history=before.conversation if before else [],
            approve=self.approval or (lambda call, run: None),
            typed=self._typed,
            replay=Replay(forks.turns) if forks else None,
        )
        if forks:
            run.system_prompt, about_instructions = forks.system_prompt, ""
        trace = keeper = None
        if self.folder:
            keeper = Keeper(self.folder, self.root, self.terminal.notice, run.catalogue)
            trace = self._trace(self.folder, prompt, instructions, run, before, forks)
            run.listen(trace, keeper)
        run.listen(self.terminal)  # last: its summary tells what the others have written down
        self.root.quarantine = self.folder and self.folder / "quarantine"
        self.terminal.follow(run, self.folder, keeper)
        if self.watching and self.folder:
            self.watching.begin(run, self.folder)
        if about_instructions:
            run.notice(about_instructions)
        announce_sandbox(run)
        try:
            with at_most(self.settings.max_seconds, run):
                return self.loop(prompt, self.settings, run)
        finally:
            self.terminal.close()
            if trace:
                trace.close()

    def _typed(self) -> list[str]:
        """What the person typed meanwhile, at the terminal and at the page."""
        steering = self.watching.steering if self.watching else None
        return [*self.typed(), *(steering.said() if steering else ())]

    def _new_folder(self, prompt: str) -> Path | None:
        try:
            return new_folder(self.settings.runs_directory, prompt, self.settings.keep_runs)
        except OSError as error:
            where = self.settings.runs_directory
            why = error.strerror or error
            self.terminal.notice(f"This run is not kept and cannot be undone: {where} cannot be written ({why}).")
            return None

    def _trace(
        self, folder: Path, prompt: str, instructions: str, run: Run, before: Before | None, forks: Fork | None
    ) -> Trace:
        setting = {
            "prompt": prompt,
            "provider": self.provider,
            "working_directory": str(self.root.path),
            "settings": plain_settings(self.settings),
            "job": self.job.name,
            "system_prompt": run.system_prompt,
            "instructions": instructions,
            "tools": [tool.schema for tool in run.catalogue.values()],
            "versions": {"glassbox": VERSION, "python": platform.python_version(), "system": platform.system()},
        }
        if forks:
            setting["forked"] = forks.about()
        trace = Trace(folder, setting, secrets=secrets(self.settings, self.resources), tell=self.terminal.notice)
        trace.text_seconds = 0.0 if self.watching else trace.text_seconds  # each piece is shown when it is there
        if before:
            trace.continued(before.name, before.conversation)
        return trace


class Before(NamedTuple):
    """The run that was before, by name, and its conversation."""

    name: str
    conversation: Sequence[Mapping[str, Any]]


def continued(folder: Path) -> Before:
    return Before(folder.name, history_of(folder))


def continued_before(forks: Fork) -> Before | None:
    """What the parent of a fork went on from, if it did."""
    told = forks.continued
    return Before(told["from"], told["conversation"]) if told else None


def plain_settings(settings: Settings) -> dict[str, Any]:
    """Every setting as JSON, but for the keys, and without a password in an address."""
    values = {name: value for name, value in vars(settings).items() if not name.endswith(("_key", "_token"))}
    return {
        name: value if isinstance(value, (int, float)) else _without_user(str(value)) for name, value in values.items()
    }


def _without_user(text: str) -> str:
    parts = urlsplit(text) if "://" in text else None
    return text if parts is None or "@" not in parts.netloc else text.replace(parts.netloc, parts.netloc.split("@")[-1])


def secrets(settings: Settings, resources: Resources) -> list[str]:
    """What must never stand in a trace: keys, passwords in addresses, and what was filled in for an MCP server."""
    addresses = [value for value in vars(settings).values() if isinstance(value, str) and "://" in value]
    passwords = [urlsplit(address).password or "" for address in addresses]
    for address in addresses:
        passwords += [value for name, value in parse_qsl(urlsplit(address).query) if name == "password"]
    keys = [value for name, value in vars(settings).items() if name.endswith(("_key", "_token"))]
    filled = [secret for value in resources.values() for secret in getattr(value, "secrets", ())]
    return [secret for secret in [*keys, *passwords, *filled] if secret and secret != Settings().lmstudio_api_key]


def print_result(result: AgentResult, *, as_json: bool, already_shown: bool) -> None:
    """Put the answer, or the JSON object, on standard output, alone."""
    if as_json:
        print(json.dumps(result.to_json(), ensure_ascii=False))
    elif result.answer and not already_shown:
        text = result.answer
        if sys.stdout.isatty():
            from cli.screen.terminal import printable

            text = printable(text)
        print(text)
