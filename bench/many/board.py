"""`--watch`: the page of a batch while it runs, for a browser on this machine, as `--watch` shows a run (cli/watch.py).

It is the page that is written at the end (page.html), with a script (live.js) that puts each record on its square as it
comes. A square leads to the page of its run, where that is kept. Who looks is nothing to the batch.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path

from bench.many.batch import Tally
from bench.many.page import TEMPLATE, data_of, figures, write_page
from bench.record import Line
from cli.desktop import open_privately
from cli.watch import SAID, Watching, forks, served
from config import load_settings
from live.announced import announced
from live.home import HTML
from live.server import Request, Response, Route
from live.watch import Watch
from records.folders import find
from records.page import filled, policy_in

SCRIPT = Path(__file__).with_name("live.js")
Key = tuple[str, int]


class Board(Watch):
    """What is known of a batch that runs, and who looks at it."""

    def __init__(self, announce: Callable[[Path], None] = lambda path: None) -> None:
        super().__init__(self._run)
        self._announce = announce  # the first batch begins, whose record is at a path
        self._path = Path()
        self._keys: set[Key] = set()
        self._came: list[Line] = []  # records, in the order in which they came
        self._going: list[Key] = []
        self._kept: dict[str, Path] = {}  # the folders of runs whose trace came with their record
        self.over = False

    def begin(self, path: Path, keys: set[Key], lines: Sequence[Line]) -> None:
        """A batch begins, whose record is `path` and already holds `lines`. Its page is written, so that one that is
        killed leaves a page which says so."""
        first, self._path, self.over = not self._keys, path, False
        self._keys = self._keys | keys
        known = {_key(line) for line in self._came}
        for line in lines:
            if _key(line) not in known:
                self._take(line)
        write_page(path, self._came, len(self._keys))
        if first:
            self._announce(path)

    def hear(self, tally: Tally, line: Line | None) -> None:
        """Hear of a new record, and of what has changed in between (None)."""
        going = [trial.task.key for trial in tally.under_way]
        if line:
            self._take(line)
        if line or going != self._going:
            self._going = going
            self.bell.ring()

    def _take(self, line: Line) -> None:
        if "trace" in line:
            name = Path(line["trace"]).name
            self._kept[name] = self._path.parent / line["trace"]
        if "run" in line:  # one of the person's own runs, which can be forked
            self._fork = forks(argparse.Namespace(ask=False))
        self._came.append(line)

    def end(self) -> None:
        """Nothing more is made."""
        self.over = True
        self.bell.ring()

    def routes(self) -> Mapping[str, Route]:
        return {**super().routes(), "GET /records": self.records}

    def page(self, request: Request) -> Response:
        if request.query.get("run"):
            return super().page(request)
        came = [*self._came]
        known = {_key(line) for line in came}
        waiting = [{"task": task, "repeat": n, "outcome": "waiting"} for task, n in self._keys - known]
        data = {**data_of(self._path.stem, [*came, *waiting]), "live": {"after": len(came)}}
        script = SCRIPT.read_text(encoding="utf-8")
        return Response(filled(TEMPLATE, data, script).encode(), HTML, policy=policy_in(TEMPLATE, script))

    def records(self, request: Request) -> Response:
        after = request.last_event or request.query.get("after", "")
        number = int(after) if after.isascii() and after.isdigit() else 0
        return Response(self._counted(self._told(number)), "text/event-stream")

    def _told(self, after: int) -> Generator[bytes]:
        """What has come since record `after`, as it comes."""
        wait, told = self.bell.listener(), ""
        yield b"retry: 500\n\n"
        while True:
            now = {"going": self._going, "over": self.over, "total": len(self._keys)}
            fresh = self._came[after:]
            after += len(fresh)
            if fresh or json.dumps(now) != told:
                told = json.dumps(now)
                all_of_it = {**now, **figures(self._came), "runs": fresh}
                yield b"id: %d\ndata: %s\n\n" % (after, json.dumps(all_of_it).encode())
            else:
                yield b": still here\n\n"
            wait()

    def _run(self, name: str) -> Path:
        return self._kept.get(name) or find(load_settings({}).runs_directory, name)


def _key(line: Line) -> Key:
    return line["task"], line["repeat"]


@contextlib.contextmanager
def watched() -> Iterator[Board]:
    """Serve the page of the batch that is made meanwhile, and stay for who still looks at it when it has ended by
    itself. Raises ConfigError when no port can be had."""

    def tell(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    def announce(path: Path) -> None:
        tell(f"{SAID}{server.address}")
        if sys.stderr.isatty():
            open_privately(server.ticket(), path.parent)
        stack.enter_context(announced(load_settings({}).runs_directory, path.stem, server.address))

    board = Board(announce)
    with served(board) as server, contextlib.ExitStack() as stack:
        yield board
        if board.over:
            Watching(board, server, None, tell).linger()
