"""What a browser can ask of one person's notekeeper. A server has the routes of one person alone (live/server.py): its
token opens no other's."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from config import ConfigError
from doors.people.page.shelf import Shelf
from doors.people.page.talk import Talk
from jobs.notekeeper.job import LARGEST_TEXT, text_in
from live.server import Refused, Request, Response, Route, as_json

HERE = Path(__file__).parent
STATIC = {
    "page.css": "text/css; charset=utf-8",
    **{f"{name}.js": "text/javascript; charset=utf-8" for name in ("page", "talk", "shelf", "links", "tools")},
}
# Nothing from elsewhere, and no text is ever made into HTML or script: the browser holds the page to that, too.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)


class Page:
    """One person's page. `about` is what it says of itself: `name`, `where`, `model`."""

    def __init__(self, talk: Talk, shelf: Shelf, about: Mapping[str, str]) -> None:
        self._talk, self._shelf, self._about = talk, shelf, about

    def routes(self) -> Mapping[str, Route]:
        talk, shelf = self._talk, self._shelf
        return {
            "GET /": page,
            "GET /static/": static,
            "GET /events": self.events,
            "GET /talk": lambda request: as_json({**talk.now(), "about": self._about, "largest": LARGEST_TEXT}),
            "GET /diff": lambda request: as_json(talk.diffs(request.query.get("run", ""))),
            "GET /notes": lambda request: as_json(shelf.notes()),
            "GET /note": lambda request: as_json(shelf.note(request.query.get("path", ""))),
            "GET /search": lambda request: as_json(shelf.found(request.query.get("q", ""))),
            "GET /links": lambda request: as_json(shelf.links()),
            "POST /say": asked(self.say),
            "POST /file": asked(self.file),
            "POST /stop": asked(lambda body: talk.stop()),
            "POST /undo": asked(lambda body: talk.take_back(str(body.get("run")), again=body.get("again") is True)),
        }

    def events(self, request: Request) -> Response:
        after = request.last_event or request.query.get("after", "")
        if not (after.isascii() and after.isdigit()):
            raise Refused(400, "after which event?")
        return Response(self._talk.stream(int(after)), "text/event-stream")

    def say(self, body: Mapping[str, Any]) -> None:
        """{"text", "keep"}: a message; with `keep` it is a text to make a note of, whatever it says."""
        text = body.get("text")
        if not isinstance(text, str) or not text.strip():
            raise Refused(400, "There is nothing in this message. Write something to keep, or ask.")
        text = read("This message", text.encode("utf-8", "surrogatepass"))
        self._talk.keep(text) if body.get("keep") is True else self._talk.say(text)

    def file(self, body: Mapping[str, Any]) -> None:
        """{"name", "data"}: a file that was dragged in, its bytes in base 64."""
        name, data = body.get("name"), body.get("data")
        if not isinstance(name, str) or not isinstance(data, str):
            raise Refused(400, "a file has a name, and its data in base 64")
        try:
            raw = base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError):
            raise Refused(400, "the data is not in base 64") from None
        text = read(name[:200], raw)
        if not text.strip():
            raise Refused(400, f"{name[:200]} is empty.")
        self._talk.keep(text)


def read(name: str, data: bytes) -> str:
    """The text of what was sent, as the command line reads a file. Raises Refused with a sentence."""
    try:
        return text_in(name, data)
    except ConfigError as error:
        raise Refused(413, str(error)) from None
    except ValueError:
        raise Refused(415, f"{name} is no text in UTF-8. Take what it says, as plain text or Markdown.") from None


def asked(action: Callable[[Mapping[str, Any]], Mapping[str, Any] | None]) -> Route:
    """A route for what changes something; its answer is what the action returns."""

    def route(request: Request) -> Response:
        if not isinstance(request.body, dict):
            raise Refused(400, "this is asked with an object")
        return as_json(action(request.body) or {})

    return route


def page(_: Request) -> Response:
    return Response((HERE / "page.html").read_bytes(), "text/html; charset=utf-8", policy=POLICY)


def static(request: Request) -> Response:
    if request.rest not in STATIC:
        raise Refused(404, "there is nothing here")
    return Response((HERE / request.rest).read_bytes(), STATIC[request.rest])
