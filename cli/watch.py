"""--watch: the page of a run while it goes on, in a browser on this machine. The terminal goes on as it is."""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.desktop import open_privately
from cli.typed import Typed, at_a_terminal
from config import INSTALLED, PROJECT, ConfigError, Settings
from live.home import Home
from live.server import Server, serving
from live.steer import Steering, nobody_types
from live.watch import ForkTo, Watch
from records.folders import NAME, find

if TYPE_CHECKING:
    from agent.run import Run

FIRST_SECONDS = 10.0  # that a run which is over waits for a browser that was asked to come
LAST_SECONDS = 3.0  # after the last page was closed: it may be loading again
SAID = "Watch it: "
HOME = "All runs: "


class Watching:
    """The page of a session's runs. `steering` is there for what asks the person."""

    def __init__(self, watch: Watch, server: Server, steering: Steering | None, tell: Callable[[str], None]) -> None:
        self._watch, self._server, self._tell = watch, server, tell
        self.steering = watch.steering = steering
        self._announced = False

    def begin(self, run: Run, folder: Path) -> None:
        """A run begins: show it, and say where, once."""
        assert self.steering is not None
        self.steering.take(run)
        self.show(folder)

    def show(self, folder: Path) -> None:
        self._watch.show(folder)
        if not self._announced:
            self._announced = True
            self._tell(f"{SAID}{self._server.address}")
            if sys.stderr.isatty():
                open_privately(self._server.ticket(), folder)

    def linger(self, first: float = FIRST_SECONDS) -> None:
        """The run is over: stay for the pages that are open, until the last is closed or Ctrl-C."""
        with contextlib.suppress(KeyboardInterrupt):
            if not self._watch.came.wait(first if first < threading.TIMEOUT_MAX else None):
                return
            if self._watch.pages() and sys.stderr.isatty():
                self._tell("The page stays until you close it, or press Ctrl-C.")
            self._watch.wait_until_left(LAST_SECONDS)


@contextlib.contextmanager
def watching(settings: Settings, options: argparse.Namespace, tell: Callable[[str], None]) -> Iterator[Watching]:
    """Serve the page of what a session runs. Raises ConfigError when no port can be had."""
    watch = watch_of(settings, options)
    typed = Typed().wait if at_a_terminal() else nobody_types
    steering = Steering(tell, watch.pages, typed, step=options.step, changed=watch.bell.ring)
    with served(watch) as server:
        yield Watching(watch, server, steering, tell)


@contextlib.contextmanager
def served(watch: Watch) -> Iterator[Server]:
    with contextlib.ExitStack() as stack:
        try:
            server = stack.enter_context(serving(watch.routes()))
        except OSError as error:
            raise ConfigError(f"the page cannot be served on this machine ({error.strerror}).") from None
        yield server


def watch(settings: Settings, options: argparse.Namespace) -> int:
    """--watch RUN: show a run that was started elsewhere, or is over."""

    def tell(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    folder = find(settings.runs_directory, options.watch)
    shown = watch_of(settings, options)
    with served(shown) as server:
        page = Watching(shown, server, None, tell)
        page.show(folder)
        page.linger(threading.TIMEOUT_MAX if sys.stderr.isatty() else FIRST_SECONDS)
    return 0


def home(settings: Settings, options: argparse.Namespace) -> int:
    """--home: show all runs, and each that is clicked."""
    with served(watch_of(settings, options)) as server:
        print(f"{HOME}{server.address}", file=sys.stderr, flush=True)
        if sys.stderr.isatty():
            settings.runs_directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            open_privately(server.ticket(), settings.runs_directory)
            print("The page stays until you press Ctrl-C.", file=sys.stderr)
        with contextlib.suppress(KeyboardInterrupt):
            server.stay()
    return 0


def watch_of(settings: Settings, options: argparse.Namespace) -> Watch:
    runs = settings.runs_directory
    many = None if INSTALLED else many_forks  # by the bench, which only a clone has
    return Watch(lambda name: find(runs, name), forks(options), Home(runs), many)


def names_a_run(word: str) -> bool:
    """Whether what stands behind --watch is a run and no prompt: "" (the last one), a run's name, or its folder."""
    return not word or NAME.fullmatch(word) is not None or (Path(word) / "trace.jsonl").is_file()


def forks(options: argparse.Namespace) -> ForkTo:
    """What begins a fork for a page: another process of this program, with a page of its own."""

    def begin(folder: Path, step: int, wanted: Mapping[str, Any]) -> Mapping[str, str]:
        from records.fork import KEPT

        ask = ["--ask"] if options.ask else []
        command = [str(PROJECT / "main.py"), "--fork", f"{folder.name}:{step}", "--watch", "--plain", *ask]
        process = started(command, wanted)
        assert process.stderr
        said = name = ""
        for line in process.stderr:
            if line.startswith(SAID):
                threading.Thread(target=process.communicate, daemon=True).start()  # or its lines would fill the pipe
                address = {"address": line.removeprefix(SAID).strip()}
                return address if options.ask else {**address, "name": name}  # questions are put at its own page
            name = line.removeprefix(KEPT).strip() if line.startswith(KEPT) else name
            said = line.strip() or said
        raise ConfigError(said.removeprefix("Error: ") or "the fork did not begin")

    return begin


def many_forks(folder: Path, step: int, wanted: Mapping[str, Any], times: int) -> Callable[[], Mapping[str, Any]]:
    """Begin a step's batch of forks (bench/forks.py) in a process of its own; return what tells how it stands."""
    command = ["-m", "bench", "fork", f"{folder.name}:{step}", "--json", "--times", str(times)]
    process = started(command, wanted)
    stands: dict[str, Any] = {"times": times, "outcomes": [], "over": False, "error": ""}
    said: list[str] = []

    def hear() -> None:
        assert process.stdout
        for line in process.stdout:
            stands["outcomes"] = json.loads(line)
        listener.join()
        failed = process.wait() and said
        stands.update(over=True, error=said[-1].strip().removeprefix("Error: ") if failed else "")

    listener = threading.Thread(target=lambda: said.extend(process.stderr or ()), daemon=True)
    listener.start()
    threading.Thread(target=hear, daemon=True).start()
    return lambda: stands


def started(command: list[str], wanted: Mapping[str, Any]) -> subprocess.Popen[str]:
    """A process of this program that forks with what a page wants: the provider, the model, and what is changed."""
    for name in ("provider", "model"):
        if isinstance(wanted.get(name), str) and wanted[name].strip():
            command.append(f"--{name}={wanted[name].strip()}")
    changes = wanted.get("changes") or {}
    process = subprocess.Popen(
        [sys.executable, *command, *(["--edit", "-"] if changes else [])],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    assert process.stdin
    with contextlib.suppress(BrokenPipeError), process.stdin as asked:
        asked.write(json.dumps(changes) if changes else "")
    process.stdin = None  # communicate() would write to it once more
    return process
