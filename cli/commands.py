"""The commands about runs that are over: list, view, result, diff, undo. Each returns the exit code."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from cli.desktop import open_in_browser
from cli.screen.terminal import cut, one_line, printable
from config import COMMAND, ConfigError, Settings
from jobs.job import job_named, names
from records.folders import damaged, find, folders, read_events, result_of, summary, under_way


def jobs() -> int:
    """List the jobs: what each does, and a command to try."""
    from jobs.elsewhere import names_elsewhere

    for job in map(job_named, [*names(), *names_elsewhere(names())]):
        print(f"{job.name:12} {job.does}\n{'':12} {job.example.replace('python main.py', COMMAND)}")
    return 0


def runs(settings: Settings, options: argparse.Namespace) -> int:
    """List the runs, the newest first: name, how it ended, turns, seconds, model, prompt; forks below their parent."""
    from records.overview import as_tree
    from records.undo.undo import WHOLE, undone_names

    known = [summary(folder) for folder in folders(settings.runs_directory)]
    if not known:
        print(f'There are no runs yet. Begin one, for example: {COMMAND} "fix the bug"')
        return 0
    undone = undone_names(known)
    rows = [*as_tree(known)]
    widest = max(len(about.name) + 2 * depth for about, depth in rows)
    for about, depth in rows:
        going = not about.stop_reason and under_way(settings.runs_directory / about.name)
        ended = (
            ("undo" if about.stop_reason == WHOLE else "undo, a part")
            if about.undoes
            else about.stop_reason or ("under way" if going else "did not end")
        )
        mark = " (undone)" if about.name in undone else ""
        figures = f"{about.turns:3} turns {about.seconds:7.1f} s" if not about.undoes else " " * 19
        what = printable(cut(" ".join(about.prompt.split()), 60))
        if about.parent:
            what = f"from step {about.step}: {what}" if depth else f"from {about.parent}:{about.step}: {what}"
        name = "  " * depth + about.name
        print(f"{name:{widest}}  {ended:14} {figures}  {printable(about.provider):8} {what}{mark}".rstrip())
    return 0


def result(settings: Settings, options: argparse.Namespace) -> int:
    folder = found(settings, options.result)
    print(json.dumps(result_of(folder)))
    return 0


def diff(settings: Settings, options: argparse.Namespace) -> int:
    """Print the patch: to a terminal without what could command it, to a pipe byte for byte."""
    from records.undo.undo import diff as patch_of
    from records.undo.undo import undoable

    folder = find(settings.runs_directory, options.diff) if options.diff else undoable(*_where(settings, options))
    patch = patch_of(folder)
    if sys.stdout.isatty():
        print(printable(patch.decode("utf-8", "backslashreplace")), end="")
    else:
        sys.stdout.buffer.write(patch)
    return 0


def undo(settings: Settings, options: argparse.Namespace) -> int:
    from records.undo.undo import left_alone, undoable
    from records.undo.undo import undo as take_back

    folder = find(settings.runs_directory, options.undo) if options.undo else undoable(*_where(settings, options))
    if not options.force and not summary(folder).stop_reason and under_way(folder):
        raise ConfigError(
            f"{folder.name} is still under way, and would go on with what is put back. Stop it with Ctrl-C where it "
            f"runs, or wait for its end. To undo what it did until now: {COMMAND} --undo {folder.name} --force"
        )
    undone = take_back(folder, settings.runs_directory, force=options.force)
    for path in undone.paths:
        print(f"Put back {one_line(path)}", file=sys.stderr)
    for path in undone.failed:
        print(f"Not put back: {one_line(path)}", file=sys.stderr)
    if undone.left:
        print(left_alone(folder.name, undone.left), file=sys.stderr)
    if not undone.whole:
        print(f"{folder.name} is not undone as a whole. Again: {COMMAND} --undo {folder.name}", file=sys.stderr)
    if undone.name:
        done = f"{folder.name} is undone. " if undone.whole else ""
        print(f"{done}To take that back: {COMMAND} --undo {undone.name}", file=sys.stderr)
    return 1 if undone.failed else 0


def _where(settings: Settings, options: argparse.Namespace) -> tuple[Path, Path | None]:
    """Where the runs are kept, and of which working directory one is meant: of any, unless one was named."""
    named = Path(os.path.realpath(settings.working_directory)) if options.workdir else None
    return settings.runs_directory, named


def view(settings: Settings, options: argparse.Namespace) -> int:
    """Write the page beside the trace, say where and how large, and open it where there is a desktop."""
    from records.page import write_page

    chosen = _one_or_two(settings, options.view, options)
    page = _written(write_page, chosen)
    page = job_pages(chosen[0]) or page
    print(page)
    open_in_browser(page.as_uri())
    return 0


def svg(settings: Settings, options: argparse.Namespace) -> int:
    """Write the run as an animation beside the trace, say where and how large."""
    from records.page import write_picture

    print(_written(write_picture, _one_or_two(settings, options.svg, options)))
    return 0


def _one_or_two(settings: Settings, name: str, options: argparse.Namespace) -> list[Path]:
    names = [name, options.against] if options.against else [name]
    return [found(settings, each) for each in names]


def found(settings: Settings, name: str) -> Path:
    """The folder of a run; the person hears of it where its trace is damaged. Raises ConfigError."""
    folder = find(settings.runs_directory, name)
    if count := damaged(folder):
        lines, are = ("line", "is") if count == 1 else ("lines", "are")
        print(f"{count} {lines} of the trace of {folder.name} {are} damaged and passed over.", file=sys.stderr)
    return folder


def _written(write: Callable[[Sequence[Path], Counter[str]], Path], chosen: Sequence[Path]) -> Path:
    from records.share import told

    found: Counter[str] = Counter()
    try:
        file = write(chosen, found)
    except OSError as error:
        raise ConfigError(f"it cannot be written ({error.strerror}).") from None
    size = file.stat().st_size / 1000
    print(f"One file of {size:,.0f} kB that needs no network. {told(found)}", file=sys.stderr)
    return file


def job_pages(folder: Path) -> Path | None:
    """Write what the run's job shows of it; return the first, None where it has nothing of its own."""
    about = result_of(folder)
    try:
        pages = job_named(str(about.get("job"))).pages
    except ConfigError:  # an older run, or a package that is not there any more
        pages = None
    if pages is None:
        return None
    try:
        texts = pages(about, read_events(folder))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:  # what only the job itself knows
        raise ConfigError(f"what the job kept of {folder.name} is damaged ({error!r:.200}).") from None
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / next(iter(texts))


COMMANDS: dict[str, Callable[[Settings, argparse.Namespace], int]] = {
    "runs": runs,
    "view": view,
    "svg": svg,
    "result": result,
    "diff": diff,
    "undo": undo,
}
