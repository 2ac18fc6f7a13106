"""The web as a value: a page is read, and no link leads to this machine, its network, or anywhere without an end."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from reach.web import Web, is_of_this_machine, is_public
from sandbox.files.root import Refusal


class Site(ThreadingHTTPServer):
    """A server on this machine that stands for the public web, and counts what reaches it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Pages)
        self.seen: list[str] = []
        self.ended = threading.Event()
        self.secret = 0  # the port of what must not be reached

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Pages(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.seen.append(self.path)
        with contextlib.suppress(OSError):
            getattr(self, self.path.strip("/").replace(".", "_").partition("?")[0] or "home")()

    def home(self) -> None:
        self.send(b"<h1>Hello</h1>", "text/html; charset=utf-8")

    def robots_txt(self) -> None:
        self.send(b"User-agent: *\nDisallow: /private\n", "text/plain")

    def private(self) -> None:
        self.send(b"private", "text/plain")

    def agent(self) -> None:
        self.send(self.headers["User-Agent"].encode(), "text/plain")

    def inward(self) -> None:
        self.redirect(f"http://127.0.0.1:{self.server.secret}/")

    def metadata(self) -> None:
        self.redirect("http://169.254.169.254/latest/meta-data/")

    def file(self) -> None:
        self.redirect("file:///etc/passwd")

    def circle(self) -> None:
        self.redirect("/circle")

    def missing(self) -> None:
        self.send_error(404)

    def slow(self) -> None:
        self.wfile.write(b"HTTP/1.0 200 OK\r\n")
        while not self.server.ended.wait(0.05):
            self.wfile.write(b"X")

    def endless(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        while not self.server.ended.is_set():
            self.wfile.write(b"x" * 65536)

    def redirect(self, where: str) -> None:
        self.send_response(302)
        self.send_header("Location", where)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[Site]:
    servers = [Site(), Site()]
    servers[0].secret = servers[1].server_address[1]
    servers[0].hidden = servers[1]
    for server in servers:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield servers[0]
    for server in servers:
        server.ended.set()
        server.shutdown()
        server.server_close()


@pytest.fixture
def web(site: Site) -> Web:
    """The web with the site in it, and nothing else of this machine."""
    port = site.server_address[1]
    return Web(lambda address, at: is_public(address, at) or (str(address), at) == ("127.0.0.1", port), seconds=1.0)


def test_a_page_comes_with_its_type_and_under_a_name_of_our_own(site: Site, web: Web):
    page = web.fetch(f"{site.address}/?q=a b")
    assert (page.kind, page.charset, page.data) == ("text/html", "utf-8", b"<h1>Hello</h1>")
    assert web.fetch(f"{site.address}/agent").data.startswith(b"Glassbox/")
    assert site.seen.count("/robots.txt") == 1


def test_what_a_site_asks_robots_to_leave_alone_is_not_read(site: Site, web: Web):
    with pytest.raises(Refusal, match="robots"):
        web.fetch(f"{site.address}/private")
    assert "/private" not in site.seen


def test_an_answer_that_is_no_page_is_told_with_its_status(site: Site, web: Web):
    with pytest.raises(Refusal, match="404 Not Found"):
        web.fetch(f"{site.address}/missing")


SPELLINGS = [
    "http://localhost:{port}/",
    "http://127.0.0.1:{port}/",
    "http://127.1:{port}/",
    "http://2130706433:{port}/",
    "http://0x7f000001:{port}/",
    "http://0177.0.0.1:{port}/",
    "http://0.0.0.0:{port}/",
    "http://[::1]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://[::ffff:7f00:1]:{port}/",
    "http://[::127.0.0.1]:{port}/",
    "http://[64:ff9b::7f00:1]:{port}/",
    "http://[2002:7f00:1::]:{port}/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://10.0.0.1/",
    "http://8.8.8.8:25/",
    "http://ann@127.0.0.1:{port}/",
    "http://example.org\\@127.0.0.1:{port}/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:{port}/_x",
    "http:///etc/passwd",
]


@pytest.mark.parametrize("link", SPELLINGS)
def test_no_link_leads_to_this_machine_or_its_network(site: Site, link: str, monkeypatch: pytest.MonkeyPatch):
    connected: list[object] = []
    monkeypatch.setattr(socket, "create_connection", lambda *given, **_: connected.append(given))
    with pytest.raises(Refusal):
        Web().fetch(link.format(port=site.server_address[1]))
    assert connected == []


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/inward", "not a public address"),
        ("/metadata", "not a public address"),
        ("/file", "no address of the web"),
        ("/circle", "redirected more than 5 times"),
        ("/slow", "longer than 1 seconds"),
        ("/endless", "larger than 5,000,000 bytes|longer than"),
    ],
)
def test_no_page_leads_inwards_or_holds_us_up(site: Site, web: Web, path: str, why: str):
    began = time.monotonic()
    with pytest.raises(Refusal, match=why):
        web.fetch(site.address + path)
    assert time.monotonic() - began < 30
    assert site.hidden.seen == []


def test_a_name_that_answers_differently_the_second_time_is_looked_up_once(
    site: Site, web: Web, monkeypatch: pytest.MonkeyPatch
):
    port, real = site.server_address[1], (socket.getaddrinfo, socket.create_connection)
    asked: list[str] = []
    connected: list[str] = []

    def resolve(host: str, *given: object, **named: object) -> list[tuple[object, ...]]:
        if host != "rebinding.example":
            return real[0](host, *given, **named)
        asked.append(host)
        number = "127.0.0.1" if len(asked) <= 2 else "10.0.0.1"  # robots.txt, the page, and then the trap
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, port))]

    def connect(where: tuple[str, int], *given: object) -> socket.socket:
        connected.append(where[0])
        return real[1](where, *given)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", connect)
    assert web.fetch(f"http://rebinding.example:{port}/").data == b"<h1>Hello</h1>"
    assert connected == ["127.0.0.1", "127.0.0.1"]
    assert len(asked) == 2
    with pytest.raises(Refusal, match="not a public address"):
        web.fetch(f"http://rebinding.example:{port}/")


def test_a_name_with_one_inward_address_among_public_ones_is_refused(monkeypatch: pytest.MonkeyPatch):
    both = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, 80)) for number in ("8.8.8.8", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: both)
    with pytest.raises(Refusal, match="not a public address"):
        Web().fetch("http://both.example/")


@pytest.mark.parametrize("address", ["168.63.129.16", "192.0.0.192", "192.0.0.9", "3fff::1", "3fff:fff::1", "5f00::1"])
def test_addresses_of_clouds_and_of_documents_are_not_public(address: str):
    assert not is_public(ipaddress.ip_address(address), 443)


def test_an_address_of_this_machine_is_not_public_whatever_it_is():
    """Loopback is the only one that every machine has; the question is asked of the system, not of a table."""
    assert is_of_this_machine(ipaddress.ip_address("127.0.0.1"))
    assert not is_of_this_machine(ipaddress.ip_address("93.184.216.34"))


def test_a_public_address_that_an_interface_here_has_is_not_reached(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("reach.web.is_of_this_machine", lambda address: str(address) == "93.184.216.34")
    assert not is_public(ipaddress.ip_address("93.184.216.34"), 443)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])
def test_public_addresses_are_public(address: str):
    assert is_public(ipaddress.ip_address(address), 443)
