"""--fork RUN:STEP: go on from a step of a kept run, on a copy of its files, with something changed or with nothing."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Any

from cli.desk import desk_for, job_of, run_once
from cli.signals import interruptible
from config import PROVIDERS, ConfigError, Settings
from records.folders import COPY, find
from records.fork import KEPT, Fork, fork_at
from records.trace import new_folder

AS_THE_PARENT: Mapping[str, type] = {
    **dict.fromkeys(
        ("max_iters", "max_calls", "max_input_tokens", "max_output_tokens", "max_seconds", "max_repeats"), int
    ),
    "verify": int,
    "model_size": str,  # how a small model was helped, and the two below
    "assist": str,
    "without": list,
}


@interruptible()
def fork(settings: Settings, options: argparse.Namespace) -> int:
    """Run the fork, print what came of it, return the exit code. Raises ConfigError when it cannot begin."""

    forked = changed(fork_at(*place(settings, options.fork)), options)
    settings = settings_of(forked, settings, options)
    options.job = options.job or str(forked.first.get("job") or "")
    refuse_another_memory(options)
    try:
        folder = new_folder(settings.runs_directory, forked.prompt)
    except OSError as error:
        raise ConfigError(
            f"no branch can be kept in {settings.runs_directory} ({error.strerror or error}). Name another folder as "
            f"GLASSBOX_RUNS_DIRECTORY, and say: --fork {quote(f'{forked.parent}:{forked.step}')}"
        ) from None
    try:
        settings = replace(settings, working_directory=with_files(forked, folder, settings, options.workdir))
        print(f"{KEPT}{folder.name}", file=sys.stderr, flush=True)
        with desk_for(settings, options) as desk:
            desk.session.folder = folder
            return run_once(desk, options, forked.prompt, forks=forked)
    finally:
        if not (folder / "trace.jsonl").exists():  # no run came of it
            shutil.rmtree(folder, ignore_errors=True)


def place(settings: Settings, named: str) -> tuple[Path, int]:
    """The run and the step that RUN:STEP names; a step alone is one of the last run."""
    name, _, number = named.rpartition(":")
    if not re.fullmatch("[0-9]{1,9}", number):
        raise ConfigError(
            f"--fork takes RUN:STEP, such as fix-the-bug:7, and not {named[:80]!r}. The page numbers the steps."
        )
    return find(settings.runs_directory, name), int(number)


def changed(forked: Fork, options: argparse.Namespace) -> Fork:
    """The fork with what the person wants to stand there instead."""
    if options.edit is None:
        return forked
    from cli.editing import edited, from_file

    changes = from_file(forked, options.edit) if options.edit else edited(forked)
    forked = forked.with_changes(changes)
    print(f"Changed: {', '.join(forked.changed) or 'nothing'}.", file=sys.stderr)
    return forked


def settings_of(forked: Fork, settings: Settings, options: argparse.Namespace) -> Settings:
    """The provider and the model are the parent's, unless the person names others on the command line; the limits, the
    gate and the help for a small model, unless they are set."""
    before = forked.first.get("settings") or {}
    provider = options.provider or str(forked.first.get("provider") or "")
    if provider not in PROVIDERS:
        raise ConfigError(f"{forked.parent.name} asked {provider!r}, which is not known here. Choose with --provider.")
    kept: dict[str, Any] = {
        name: tuple(before[name]) if kind is list else before[name]
        for name, kind in AS_THE_PARENT.items()
        if name not in settings.chosen and isinstance(before.get(name), kind)
    }
    model = PROVIDERS[provider].setting("model")
    if not options.provider and not options.model and forked.model:
        kept[model] = forked.model
    return replace(settings, llm_provider=provider, **kept)


def refuse_another_memory(options: argparse.Namespace) -> None:
    from agent.context import Context

    job = job_of(options)
    if job.memory is not Context:
        raise ConfigError(
            f"a run of the {job.name} cannot be forked: what it remembers is a state, and not its conversation."
        )


def with_files(forked: Fork, folder: Path, settings: Settings, wanted: str | None) -> Path:
    """Make and return the directory with the files as they were when the parent began: the steps bring them further."""
    from records.undo.copy import copy_as_it_began

    target = settings.working_directory if wanted else folder / COPY
    if wanted and target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ConfigError(f"{target} is not empty, and a fork puts its files into an empty directory.")
    try:
        target.mkdir(parents=True, exist_ok=True)
        told = copy_as_it_began(forked.parent, settings.runs_directory, target)
    except OSError as error:
        raise ConfigError(f"the files cannot be copied ({error.strerror or error}).") from None
    for line in told:
        print(line, file=sys.stderr)
    return target
