"""What a browser can ask of a run that is watched: the page, its events as they are written, its changes, its steering.

The page is records/trace.html, with live/page.js beside its own script; the events are the lines of the trace, each
under its number, so that a page that comes late or comes back misses nothing.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from config import PROJECT, ConfigError
from live.home import HTML, Home
from live.server import Refused, Request, Response, Route, as_json
from live.tail import Bell, lines, poll, slim
from records.folders import summary, under_way

if TYPE_CHECKING:
    from live.steer import Steering

SCRIPT = Path(__file__).with_name("page.js")
BEAT_SECONDS = 5.0  # so that a reader that sleeps is noticed
LOOK_SECONDS = 0.5  # from one look at whether the run still goes on to the next, while nothing comes

BESIDE = Path(__file__).with_name("beside.js")
MOST_TIMES = 200  # that a page forks one step

# Starts a fork, returns the address of its page, and where the fork can be shown beside its parent its name.
ForkTo = Callable[[Path, int, Mapping[str, Any]], Mapping[str, str]]
# Starts so many forks of one step, returns what tells the outcomes up to now.
ForkMany = Callable[[Path, int, Mapping[str, Any], int], Callable[[], Mapping[str, Any]]]


class Watch:
    """The run that is shown, and who looks at it. `find` returns the folder of a run by its name; `steering` is there
    where the run is this process's own, `fork` and `many` where forks can be begun, `home` where all runs are shown as
    well."""

    def __init__(
        self,
        find: Callable[[str], Path],
        fork: ForkTo | None = None,
        home: Home | None = None,
        many: ForkMany | None = None,
    ) -> None:
        self._find, self._fork, self._home, self._many = find, fork, home, many
        self._outcomes: list[Callable[[], Mapping[str, Any]]] = []
        self.steering: Steering | None = None
        self.folder: Path | None = None
        self._open = 0
        self._pages_changed = threading.Condition()
        self.bell = Bell()  # rung by a run of this process
        self.came = threading.Event()  # a page has been open

    def show(self, folder: Path) -> None:
        """Show this run from now on to pages that name none."""
        self.folder = folder
        self.bell.ring()

    def pages(self) -> int:
        """How many pages are open."""
        return self._open

    def wait_until_left(self, seconds: float) -> None:
        """Sleep until no page has been open for so long."""
        with self._pages_changed:
            gone = False
            while not gone:
                if self._pages_changed.wait_for(lambda: not self._open, BEAT_SECONDS):  # so that Ctrl-C is heard
                    gone = not self._pages_changed.wait_for(lambda: self._open > 0, seconds)

    def routes(self) -> Mapping[str, Route]:
        home = {**self._home.routes(), "GET /changes": self.changes} if self._home else {}
        return {
            **home,
            "GET /": self.page,
            "GET /events": self.events,
            "GET /patch": self.patch,
            "GET /compare": self.compare,
            "GET /source": source,
            "GET /stands": self.stands,
            "POST /act": self.act,
            "POST /fork": self.fork,
            "GET /outcomes": self.outcomes,
        }

    def page(self, request: Request) -> Response:
        if self._home and self.folder is None and not request.query.get("run"):
            return self._home.page(request)
        folder = self._folder(request)
        many = MOST_TIMES if self._many else 1
        live = {"run": folder.name, "steers": self._steers(folder), "forks": self._fork is not None, "many": many}
        return page_response(
            [_beginning(folder)], SCRIPT.read_text(encoding="utf-8"), live=live, home=self._home is not None
        )

    def events(self, request: Request) -> Response:
        after = request.last_event
        number = int(after) if after.isascii() and after.isdigit() else 0
        return Response(self._counted(self._stream(self._folder(request), number)), "text/event-stream")

    def changes(self, request: Request) -> Response:
        assert self._home
        return Response(self._counted(self._home.changes()), "text/event-stream")

    def _counted(self, pieces: Generator[bytes]) -> Generator[bytes]:
        """A stream of events; for as long as somebody reads it a page is open."""
        self._count(1)
        self.came.set()
        try:
            yield from pieces
        finally:
            self._count(-1)

    def _count(self, more: int) -> None:
        with self._pages_changed:
            self._open += more
            self._pages_changed.notify_all()

    def _stream(self, folder: Path, after: int) -> Generator[bytes]:
        state, dead, last, looked, told = dict[str, Any](), 0, False, time.monotonic(), time.monotonic()
        yield b"retry: 500\n\n"
        own = self._steers(folder)
        for fresh in lines(folder / "trace.jsonl", after, self.bell.listener() if own else poll):
            if fresh:
                yield b"".join(b"id: %d\ndata: %s\n\n" % (number, slim(text)) for number, text in fresh)
            at = time.monotonic()
            if fresh or at - looked > LOOK_SECONDS:  # twice in a row: its last lines may have come in between
                dead, looked = 0 if fresh or self._steers(folder) or under_way(folder) else dead + 1, at
                # Of six streams a browser lets no other request through; here nobody counts the pages.
                last = dead == 2 and self.folder is None and bool(summary(folder).stop_reason)
            now = {**self._state(folder), **({"dead": True, "last": last} if dead > 1 else {})}
            if now != state:
                state, told = now, at
                yield b"event: state\ndata: %s\n\n" % json.dumps(now).encode()
                if last:
                    return
            elif at - told > BEAT_SECONDS:
                told = at
                yield b": still here\n\n"
            else:
                yield b""

    def _state(self, folder: Path) -> dict[str, Any]:
        steering = self.steering.state() if self.steering and self._steers(folder) else {}
        return {"shown": self.folder.name if self.folder else folder.name, **steering}

    def _steers(self, folder: Path) -> bool:
        return self.steering is not None and folder == self.folder

    def patch(self, request: Request) -> Response:
        from records.page import files_of, patch_of

        folder = self._folder(request)
        return as_json({"patch": patch_of(folder), "files": files_of(folder)})

    def compare(self, request: Request) -> Response:
        from records.page import run_data

        chosen = [self._named(request.query.get(name, "")) for name in ("run", "against")]
        going = [not summary(folder).stop_reason for folder in chosen]  # these come as events, and grow
        runs = [_beginning(folder) if goes else run_data(folder) for folder, goes in zip(chosen, going, strict=True)]
        script = BESIDE.read_text(encoding="utf-8") if any(going) else ""
        return page_response(runs, script, going=going, home=self._home is not None)

    def stands(self, request: Request) -> Response:
        """What can be changed at a step."""
        from records.fork import fork_at

        with _sentences():
            return as_json(fork_at(self._folder(request), _number(request.query.get("step"))).stands)

    def act(self, request: Request) -> Response:
        if self.steering is None or not isinstance(request.body, dict):
            raise Refused(400, "this run is not steered here")
        refused = self.steering.act(request.body)
        return as_json({"error": refused}, 409) if refused else as_json({})

    def fork(self, request: Request) -> Response:
        body = request.body if isinstance(request.body, dict) else {}
        changes = body.get("changes", {})
        if self._fork is None or not isinstance(changes, dict):
            raise Refused(400, "no fork begins here")
        with _sentences():
            folder, step = self._named(str(body.get("run"))), _number(body.get("step"))
            times = _number(body.get("times", 1))
            if times < 2:
                return as_json(self._fork(folder, step, body))
            if self._many is None or times > MOST_TIMES:
                raise Refused(400, f"a step is forked at most {MOST_TIMES} times" if self._many else "not many at once")
            self._outcomes.append(self._many(folder, step, body, times))
            return as_json({"outcomes": len(self._outcomes)})

    def outcomes(self, request: Request) -> Response:
        """What came up to now of the forks of one step."""
        number = _number(request.query.get("of"))
        if not 0 < number <= len(self._outcomes):
            raise Refused(404, "there are no such forks")
        return as_json(self._outcomes[number - 1]())

    def _folder(self, request: Request) -> Path:
        name = request.query.get("run", "")
        if not name and self.folder is None:
            raise Refused(404, "there is no run yet")
        return self._named(name) if name else self.folder  # type: ignore[return-value]

    def _named(self, name: str) -> Path:
        """The folder of a run by its whole name, and by nothing that is a path."""
        if self.folder is not None and name == self.folder.name:
            return self.folder
        try:
            folder = self._find(name) if name and "/" not in name and "\\" not in name else None
        except ConfigError:
            folder = None
        if folder is None or folder.name != name:
            raise Refused(404, "there is no such run")
        return folder


def _beginning(folder: Path) -> dict[str, Any]:
    """A run before its first event: those come to the page as a stream."""
    result = {"stop_reason": "running", "tokens": {}, "seconds": 0, "sources": []}
    return {"name": folder.name, "events": [], "result": result, "patch": ""}


class _sentences:  # noqa: N801 - a context manager
    """What a person did wrong is said to the page."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ConfigError):
            raise Refused(400, str(error)) from None


def page_response(runs: list[dict[str, Any]], script: str = "", **data: Any) -> Response:
    """A page with the policy that it names itself, in the head as well."""
    from records.page import page_of, policy_of

    return Response(page_of(runs, script, **data).encode("utf-8", "replace"), HTML, policy=policy_of(script))


def source(request: Request) -> Response:
    """A file of this program, with its lines numbered: what an explanation names, and nothing else."""
    from records.explain import EXPLANATIONS

    name = request.query.get("file", "")
    if name not in {each.file for each in EXPLANATIONS.values()}:
        raise Refused(404, "there is no such file")
    return numbered(name)


def numbered(name: str) -> Response:
    """A file of the project as a page, each line under its number."""
    from html import escape

    lines = (PROJECT / name).read_text(encoding="utf-8").splitlines()
    rows = "\n".join(f'<span id="L{number}">{number:4}  {escape(line)}</span>' for number, line in enumerate(lines, 1))
    text = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(name)}</title><pre>{rows}</pre></html>'
    return Response(text.encode(), HTML)


def _number(value: Any) -> int:
    text = str(value)
    if not (text.isascii() and text.isdigit()):
        raise Refused(400, "a step is a number")
    return int(text)
