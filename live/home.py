"""The page of all runs (home.html): rows as they are asked for, and word of it when one is new or other than it was."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Generator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from live.announced import batches
from live.server import Request, Response, Route, as_json

if TYPE_CHECKING:
    from records.overview import Overview

TEMPLATE = Path(__file__).with_name("home.html")
POLL = 1.0  # seconds between two looks at all runs
TELL = 0.4  # seconds between two words to a page
FIRST_ROWS, FIRST_SECONDS = 100, 0.3  # what stands in the page when it comes, and what it waits for that
MOST_ROWS = 500  # in one answer
HTML = "text/html; charset=utf-8"


class Home:
    """What a browser can ask of all runs. They are read in the background, from the first question on."""

    def __init__(self, runs: Path) -> None:
        self._runs = runs
        self._begun = threading.Lock()
        self._enough = threading.Event()  # the first rows, or all there are

    @cached_property
    def _overview(self) -> Overview:
        from records.overview import Overview  # not before somebody asks: a run that is watched need not pay for it

        return Overview(self._runs)

    def routes(self) -> Mapping[str, Route]:
        return {"GET /home": self.page, "GET /rows": self.rows}

    def page(self, request: Request) -> Response:
        from agent.contracts import STOP_REASONS
        from records.page import filled, policy_in

        self._begin()
        self._enough.wait(FIRST_SECONDS)
        first = self._overview.window(count=FIRST_ROWS)
        data = {"window": first, "batches": batches(self._runs), "ends": STOP_REASONS}
        text = filled(TEMPLATE, data, connects=True)
        return Response(text.encode("utf-8", "replace"), HTML, policy=policy_in(TEMPLATE, connects=True))

    def rows(self, request: Request) -> Response:
        self._begin()
        query, said = request.query, request.query.get
        first, count = (int(text) if (text := query.get(name, "0")).isdecimal() else 0 for name in ("first", "count"))
        window = self._overview.window(
            said("q", "")[:1000], said("sort", ""), said("only", ""), first, min(count, MOST_ROWS)
        )
        return as_json(window)

    def changes(self) -> Generator[bytes]:
        """Word of each new version, for as long as somebody listens."""
        self._begin()
        told: Any = None
        quiet = 0
        while True:
            now = {"version": self._overview.version, "read": self._overview.read, "total": self._overview.total}
            quiet += 1
            if now != told:
                told = now
                yield b"data: %s\n\n" % json.dumps(now).encode()
            elif quiet % 10 == 0:
                yield b": still here\n\n"
            else:
                yield b""
            time.sleep(TELL)

    def _begin(self) -> None:
        if self._begun.acquire(blocking=False):
            threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while True:
            for _ in self._overview.look():
                if self._overview.read >= FIRST_ROWS:
                    self._enough.set()
            self._enough.set()
            time.sleep(POLL)
