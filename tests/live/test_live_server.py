"""The server of live pages: who is let in, and what nobody can do to it or to the run."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.contracts import AgentResult, TokenUsage
from agent.events import Finished
from agent.run import Run
from agent.setup import Setup
from live import server as room
from live.server import LARGEST_BODY, MOST_CONNECTIONS, Handler, Request, Response, Server, as_json, serving
from live.watch import Watch
from records.folders import find
from records.trace import Trace, new_folder
from sandbox.files.root import Root

HANG = 60.0


class Site:
    """A server whose routes remember what they were asked."""

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.closed = threading.Event()
        self.piece = b"data: x\n\n"

    def echo(self, request: Request) -> Response:
        self.asked.append(request)
        return as_json({"rest": request.rest, "body": request.body})

    def endless(self, request: Request) -> Response:
        return Response(self._pieces(), "text/event-stream")

    def _pieces(self) -> Generator[bytes]:
        try:
            while True:
                yield self.piece
        finally:
            self.closed.set()

    def routes(self) -> dict[str, Any]:
        return {"GET /": self.echo, "GET /below/": self.echo, "POST /act": self.echo, "GET /events": self.endless}


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def served(site: Site) -> Iterator[Server]:
    with serving(site.routes()) as server:
        yield server


def ask(
    server: Server, path: str = "", method: str = "GET", body: Any = None, token: str | None = None, **headers: str
) -> http.client.HTTPResponse:
    """Ask as a browser does, with these headers beside or instead (`Sec_Fetch_Site` stands for Sec-Fetch-Site)."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=HANG)
    way = server.token if token is None else token
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    connection.request(method, f"/{way}/{path}", data, named)
    return connection.getresponse()


def own(server: Server) -> dict[str, str]:
    return {"Origin": f"http://127.0.0.1:{server.server_port}", "Content-Type": "application/json"}


def test_who_has_the_address_is_answered_and_nothing_may_be_framed_or_kept(served: Server):
    answer = ask(served)
    assert answer.status == 200
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert served.server_address[0] == "127.0.0.1"


def test_below_a_folder_the_route_gets_the_rest(served: Server, site: Site):
    assert ask(served, "below/a/b.js").status == 200
    assert site.asked[-1].rest == "a/b.js"
    assert ask(served, "beside").status == 404


@pytest.mark.parametrize("token", ["", "x", "a" * 43, "..", "%00", "%C3%BC"])
def test_without_the_token_or_with_a_guess_there_is_nothing(token: str, served: Server, site: Site):
    answer = ask(served, token=token)
    assert (answer.status, answer.read()) == (404, b'{"error": "there is nothing here"}')
    assert not site.asked
    assert len(served.token) >= 43, "256 bits"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:{port}", "[::1]:{port}"])  # fmt: skip
def test_a_name_of_a_strangers_that_leads_here_is_refused(host: str, served: Server, site: Site):
    assert ask(served, Host=host.format(port=served.server_port)).status == 421
    assert not site.asked
    assert ask(served, Host=f"localhost:{served.server_port}").status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}", "http://localhost:{port}"])  # fmt: skip
def test_another_origin_is_refused_whatever_it_asks(origin: str, served: Server, site: Site):
    said = origin.format(port=served.server_port)
    assert ask(served, Origin=said).status == 403
    assert ask(served, "act", "POST", {"do": "stop"}, **{**own(served), "Origin": said}).status == 403
    assert not site.asked


def test_a_request_that_changes_something_needs_its_origin_and_json(served: Server, site: Site):
    assert ask(served, "act", "POST", {"do": "go"}, **own(served)).status == 200
    assert site.asked[-1].body == {"do": "go"}
    assert ask(served, "act", "POST", {"do": "go"}, Content_Type="application/json").status == 403
    assert ask(served, "act", "POST", {}, **{**own(served), "Content-Type": "text/plain"}).status == 415
    assert ask(served, "act", "POST", b"{", **own(served)).status == 400
    assert ask(served, "act", "POST", b"[" * 100_000, **own(served)).status == 400
    assert len(site.asked) == 1


@pytest.mark.parametrize("length", [str(LARGEST_BODY + 1), "99999999999999999999", "-1", "x", ""])
def test_a_body_that_is_too_large_or_has_no_length_is_not_read(length: str, served: Server, site: Site):
    assert ask(served, "act", "POST", b"", **{**own(served), "Content-Length": length}).status == 413
    assert not site.asked


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}, 403),
        ({"Sec_Fetch_Site": "same-site", "Sec_Fetch_Mode": "no-cors", "Sec_Fetch_Dest": "script"}, 403),
        ({"Sec_Fetch_Site": "same-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"}, 403),
        ({"Sec_Fetch_Site": "same-origin", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"}, 403),
        ({"Sec_Fetch_Site": "same-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}, 200),
        ({"Sec_Fetch_Site": "none", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}, 200),
        ({"Sec_Fetch_Site": "same-origin"}, 200),
    ],
)
def test_what_a_browser_says_of_where_a_request_comes_from_decides(
    headers: dict[str, str], status: int, served: Server
):
    assert ask(served, **headers).status == status


def test_a_ticket_leads_to_the_page_once(served: Server, site: Site):
    ticket = served.ticket().rstrip("/").rsplit("/", 1)[1]
    from_a_file = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}
    assert ask(served, "act", "POST", {}, token=ticket, **own(served)).status == 404
    answer = ask(served, token=ticket, **from_a_file)
    assert served.address.encode() in answer.read()
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert ask(served, token=ticket, **from_a_file).status == 404
    assert not site.asked


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", "CONNECT"])
def test_there_are_no_other_methods(method: str, served: Server, site: Site):
    assert ask(served, method=method).status == 501
    assert not site.asked


def raw(server: Server, data: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", server.server_port), timeout=HANG)
    connection.sendall(data)
    return connection


def get(server: Server, path: str = "") -> bytes:
    return f"GET /{server.token}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n".encode()


def test_a_reader_that_does_not_read_is_left(served: Server, site: Site, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Handler, "timeout", 0.3)
    site.piece = b"data: " + b"x" * 60_000 + b"\n\n"
    with raw(served, get(served, "events")):
        assert site.closed.wait(HANG), "what it would have read is closed"
    assert ask(served).status == 200


def test_a_reader_that_goes_is_noticed_though_nothing_is_sent(served: Server, site: Site):
    site.piece = b""
    with raw(served, get(served, "events")) as reader:
        assert reader.recv(12) == b"HTTP/1.1 200"
        assert not site.closed.is_set()
    assert site.closed.wait(HANG), "what it would have read is closed"


def test_who_never_finishes_asking_is_left(served: Server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Handler, "timeout", 0.2)
    with raw(served, b"GET /") as connection:
        assert connection.recv(100) == b""


@pytest.mark.long
def test_more_at_once_than_there_is_room_for_are_sent_away_and_the_others_are_served(served: Server, site: Site):
    site.piece = b"data: " + b"x" * 60_000 + b"\n\n"  # large, so that soon each waits for its reader
    before = threading.active_count()
    held = [raw(served, get(served, "events")) for _ in range(MOST_CONNECTIONS)]  # of the owner's own
    try:
        assert [connection.recv(12) for connection in held] == [b"HTTP/1.1 200"] * MOST_CONNECTIONS
        for _ in range(136):
            with raw(served) as more:
                assert more.recv(12) == b"HTTP/1.1 503"
        assert threading.active_count() <= before + MOST_CONNECTIONS + 20
    finally:
        for connection in held:
            connection.close()
    until = time.monotonic() + HANG
    while time.monotonic() < until:  # as soon as the held ones are noticed to be gone
        with raw(served, get(served)) as connection:
            if connection.recv(12) == b"HTTP/1.1 200":
                return
    pytest.fail("it does not answer any more")


def test_connections_that_say_nothing_keep_the_owner_neither_out_nor_waiting(served: Server):
    before = threading.active_count()
    held = [raw(served) for _ in range(200)]
    try:
        began = time.monotonic()
        answers = [ask(served).status for _ in range(20)]
        took = time.monotonic() - began
        print(f"\n20 answers beside {MOST_CONNECTIONS} idle connections in {1000 * took:.0f} ms")
        assert answers == [200] * 20
        assert took < room.SECONDS, "before the idle ones are left for their silence"
        assert held[0].recv(12) == b"", "who has waited longest was sent away"
        assert threading.active_count() <= before + MOST_CONNECTIONS + 20
    finally:
        for connection in held:
            connection.close()


@pytest.mark.long
def test_10_000_connections_one_after_the_other_leave_nothing_behind(served: Server):
    import resource

    threads = threading.active_count()
    before = len(list(Path("/proc/self/fd").iterdir())), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(10_000):
        with raw(served, get(served) if number % 3 else b"\0nonsense\r\n\r\n") as connection:
            connection.recv(12)
    assert ask(served).status == 200
    deadline = time.monotonic() + HANG
    while threading.active_count() > threads + 10 and time.monotonic() < deadline:
        time.sleep(0.05)
    after = len(list(Path("/proc/self/fd").iterdir())), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"\ndescriptors {before[0]} -> {after[0]}, memory {before[1]} -> {after[1]} kB")
    assert after[0] <= before[0] + 3


# ---------------------------------------------------------------- a run that is watched


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return new_folder(tmp_path / "runs", "watch me")


@pytest.fixture
def watched(kept: Path) -> Iterator[Server]:
    watch = Watch(lambda name: find(kept.parent, name))
    watch.show(kept)
    with serving(watch.routes()) as server:
        server.watch = watch  # type: ignore[attr-defined]
        yield server


def lines_of(server: Server, last: int, most: int) -> list[tuple[int, str]]:
    """What a page that received line `last` is sent: number and text of the next lines."""
    answer = ask(server, "events", Last_Event_ID=str(last), Accept="text/event-stream")
    assert answer.status == 200
    found, number = [], 0
    while len(found) < most:
        line = answer.readline().decode().rstrip("\n")
        if line.startswith("id: "):
            number = int(line[4:])
        elif line.startswith("data: ") and number:
            found.append((number, line[6:]))
            number = 0
    return found


def test_every_line_comes_once_under_its_number_and_who_comes_back_misses_nothing(watched: Server, kept: Path):
    trace = kept / "trace.jsonl"
    trace.write_text(
        '{"kind": "run", "at": 0}\n{"kind": "notice", "at": 1, "text": "a"}\n{"kind": "noti', encoding="utf-8"
    )
    first = lines_of(watched, 0, 2)
    assert [number for number, _ in first] == [1, 2]

    def write() -> None:
        with trace.open("a", encoding="utf-8") as file:
            file.write('ce", "at": 2, "text": "half"}\n')

    late = threading.Timer(0.1, write)
    late.start()
    assert lines_of(watched, 2, 1) == [(3, '{"kind": "notice", "at": 2, "text": "half"}')], (
        "a line is sent when it is whole"
    )
    assert lines_of(watched, 0, 3)[2] == lines_of(watched, 2, 1)[0]
    late.join()


@pytest.mark.parametrize(("ended", "last"), [(True, b'"last": true'), (False, b'"last": false')])
def test_the_stream_of_a_run_that_is_over_ends_where_no_page_is_counted(ended: bool, last: bytes, tmp_path: Path):
    trace = Trace(folder := new_folder(tmp_path, "look"), {})
    if ended:
        trace(Finished(AgentResult("", "answered", 1, (), TokenUsage(), 0.0, "", "", ())))
    trace.close()
    with serving(Watch(lambda name: find(tmp_path, name)).routes()) as server:
        answer = ask(server, f"events?run={folder.name}", Accept="text/event-stream")
        lines = [answer.readline() for _ in range(15 if ended else 11)]
    assert any(last in line for line in lines)
    assert sum(line.startswith(b"id: ") for line in lines) == (2 if ended else 1)
    assert (lines[-1] == b"") is ended


def test_what_stands_twice_in_a_trace_is_sent_once(watched: Server, kept: Path, tmp_path: Path):
    with Root(tmp_path) as root:
        run = Run(Setup("offline", root), [Trace(kept, {"prompt": "p"})])
        run.finish("answered", "done")
    (_, finished) = lines_of(watched, 1, 1)[0]
    assert "tool_calls" not in json.loads(finished)["result"]
    assert json.loads(finished)["result"]["answer"] == "done"


@pytest.mark.parametrize("name", ["../runs", "..", "/etc", "watch", "nothing", "a\\b", "%2e%2e"])
def test_no_name_of_a_run_leads_anywhere_else(name: str, watched: Server):
    for path in ("", "events", "patch", "stands"):
        assert ask(watched, f"{path}?run={name}&step=1").status == 404


@pytest.mark.parametrize("name", ["../config.py", "config.py", "/etc/passwd", "", ".env"])
def test_no_source_is_shown_but_what_an_explanation_names(name: str, watched: Server):
    assert ask(watched, f"source?file={name}").status == 404
    assert b"def run_agent(" in ask(watched, "source?file=main.py").read()


def test_where_nothing_is_steered_and_nothing_forks_that_is_said(watched: Server, kept: Path):
    (kept / "trace.jsonl").write_text('{"kind": "run", "at": 0}\n', encoding="utf-8")
    assert ask(watched, "act", "POST", {"do": "stop"}, **own(watched)).status == 400
    assert ask(watched, "fork", "POST", {"run": kept.name, "step": 1}, **own(watched)).status == 400
    many = {"run": kept.name, "step": 1, "times": 201}
    with serving(Watch(lambda name: find(kept.parent, name), lambda *_: {}, many=lambda *_: dict).routes()) as more:
        refused = ask(more, "fork", "POST", many, **own(more))
        assert (refused.status, json.loads(refused.read())["error"]) == (400, "a step is forked at most 200 times")
        assert ask(more, "fork", "POST", {**many, "times": 200}, **own(more)).status == 200
    assert "no step 9" in json.loads(ask(watched, "stands?step=9").read())["error"]


def test_the_page_and_its_header_have_one_policy_and_it_names_both_scripts(watched: Server):
    answer = ask(watched)
    page, policy = answer.read().decode(), answer.headers["Content-Security-Policy"]
    assert policy.count("sha256-") == 3
    assert "unsafe" not in policy
    assert policy.split(";")[0] == "default-src 'none'"
    assert page.count("<script>") == 2
    assert room.NOTHING_MORE in policy
