"""The API as a value: what it sends, and that nothing a hostile server does gets out of it, or anything secret in."""

from __future__ import annotations

import base64
import gzip
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from reach.api import LARGEST, Answer, Api, Patience
from reach.paths import ApiRefusal, request_path

KEY = "s3cret-Key/with+signs"
SHORT = Patience(connect=2.0, first_byte=0.4, whole=0.8)
PATIENT = Patience(first_byte=60.0, whole=60.0)  # for answers that come: a busy machine may take its time


class Hostile:
    """A server that answers every connection by a script, and remembers what it was sent."""

    def __init__(self, script: Callable[[socket.socket, bytes], None], listening: socket.socket) -> None:
        self.script, self.listening = script, listening
        self.port = listening.getsockname()[1]
        self.requests: list[bytes] = []
        self.ended = threading.Event()

    def serve(self) -> None:
        while not self.ended.is_set():
            with suppress(OSError):
                connection, _ = self.listening.accept()
                threading.Thread(target=self.one, args=(connection,), daemon=True).start()

    def one(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.settimeout(5)
            request = connection.recv(65_536)
            if b"Content-Type" in request and not request.endswith(b"}"):
                request += connection.recv(65_536)
            self.requests.append(request)
            self.script(connection, request)


@contextmanager
def hostile(script: Callable[[socket.socket, bytes], None] | bytes) -> Iterator[Hostile]:
    answer = script
    act = (lambda connection, _: connection.sendall(answer)) if isinstance(answer, bytes) else script
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Hostile(act, listening)
        threading.Thread(target=server.serve, daemon=True).start()
        yield server
        server.ended.set()
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)


def says(body: bytes, *headers: str, status: str = "200 OK", length: bool = True) -> bytes:
    size = [f"Content-Length: {len(body)}"] if length else []
    return "\r\n".join([f"HTTP/1.1 {status}", *headers, *size, "", ""]).encode() + body


def ask(server: Hostile, path: str = "/items/", *, patience: Patience = PATIENT, **more: object) -> Answer:
    with Api(f"http://127.0.0.1:{server.port}", KEY, patience=patience) as api:
        return api.request("GET", path, **more)


def refused(server: Hostile, path: str = "/items/", patience: Patience = PATIENT) -> str:
    started = time.monotonic()
    with pytest.raises(ApiRefusal) as refusal:
        ask(server, path, patience=patience)
    assert time.monotonic() - started < 60  # a hang guard
    assert KEY not in str(refusal.value)
    return str(refusal.value)


def test_a_request_goes_to_the_base_address_with_the_key_and_an_answer_comes_back():
    with hostile(says(b'{"ok": true}', "Content-Type: application/json; charset=utf-8")) as server:
        answer = ask(server, "/items/?type=lab")
    assert (answer.status, answer.kind, answer.text, answer.cut) == (200, "application/json", '{"ok": true}', False)
    assert server.requests[0].startswith(b"GET /items/?type=lab HTTP/1.1\r\n")
    assert f"Authorization: Bearer {KEY}\r\n".encode() in server.requests[0]
    assert f"Host: 127.0.0.1:{server.port}\r\n".encode() in server.requests[0]


def test_without_auth_the_key_stays_here():
    with hostile(says(b"{}", status="401 Unauthorized")) as server:
        assert ask(server, auth=False).status == 401
    assert b"authorization" not in server.requests[0].lower()


# The twenty cases of a hostile server and of a hostile path.


@pytest.mark.parametrize(
    "target", ["http://127.0.0.1:{port}/stolen", "file:///etc/passwd", "//127.0.0.1:{port}/stolen", "gopher://x/"]
)
@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"])
def test_1_and_2_a_redirect_to_another_host_or_to_a_file_is_shown_and_never_followed(target: str, status: str):
    with hostile(says(b"stolen")) as other:
        where = target.format(port=other.port)
        with hostile(says(b"", f"Location: {where}", status=status)) as server:
            answer = ask(server)
        assert (answer.status, answer.location, answer.text) == (int(status[:3]), where, "")
        assert (len(server.requests), other.requests) == (1, [])


def test_3_a_redirect_that_would_carry_the_key_in_its_address_is_shown_with_the_key_covered():
    with hostile(says(b"", f"Location: http://127.0.0.1/?k={KEY}", status="302 Found")) as server:
        assert ask(server).location == "http://127.0.0.1/?k=[key]"


def drip(data: bytes) -> Callable[[socket.socket, bytes], None]:
    def script(connection: socket.socket, _: bytes) -> None:
        for letter in data * 50:
            connection.sendall(bytes([letter]))
            time.sleep(0.05)

    return script


def test_4_headers_that_drip_are_not_waited_for():
    with hostile(drip(b"HTTP/1.1 200 OK\r\nX-Slow: yes")) as server:
        assert "not answered in time" in refused(server, patience=SHORT)


def test_5_a_body_that_drips_is_not_waited_for():
    def script(connection: socket.socket, request: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        drip(b"x")(connection, request)

    with hostile(script) as server:
        assert "not answered in time" in refused(server, patience=SHORT)


def test_6_a_server_that_says_nothing_is_not_waited_for():
    with hostile(lambda connection, _: time.sleep(3)) as server:
        assert "not answered in time" in refused(server, patience=SHORT)


def endless(head: bytes, piece: bytes) -> Callable[[socket.socket, bytes], None]:
    def script(connection: socket.socket, _: bytes) -> None:
        connection.sendall(head)
        for _ in range(2_000):
            connection.sendall(piece)

    return script


def test_7_an_endless_body_is_cut_after_a_mebibyte():
    with hostile(endless(b"HTTP/1.1 200 OK\r\n\r\n", b"y" * 65_536)) as server:
        answer = ask(server)
    assert (len(answer.text), answer.cut) == (LARGEST, True)


def test_8_a_body_of_endless_chunks_is_cut_after_a_mebibyte():
    chunk = b"10000\r\n" + b"z" * 65_536 + b"\r\n"
    with hostile(endless(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", chunk)) as server:
        answer = ask(server)
    assert (len(answer.text), answer.cut) == (LARGEST, True)


def test_9_a_promise_of_ten_gigabytes_costs_no_memory():
    import tracemalloc

    tracemalloc.start()
    with hostile(says(b"small", f"Content-Length: {10 * 2**30}", length=False)) as server:
        told = refused(server)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "5 bytes read" in told
    assert most < 16 * 2**20


def test_an_answer_that_breaks_off_is_not_taken_for_a_whole_one():
    with hostile(says(b'[{"id": 1}', "Content-Length: 5000", length=False)) as server:
        assert "got no answer that can be read: IncompleteRead(10 bytes read, 4990 more expected)" in refused(server)
    with hostile(says(b"y" * (LARGEST + 9))) as server:
        assert ask(server).cut


def test_10_a_compressed_bomb_is_not_unpacked():
    with hostile(says(gzip.compress(b"\0" * 20_000_000), "Content-Encoding: gzip")) as server:
        assert "compressed its answer (gzip)" in refused(server)
    assert b"Accept-Encoding: identity" in server.requests[0]


@pytest.mark.parametrize(
    "path",
    [
        "/items/\r\nX-Injected: 1",
        "/items/\nHost: evil",
        "/items/%0d%0aX-Injected:1",
        "/a?x=%250d%250a",
        "/\x00",
        "/a\u2028b",
    ],
)
def test_11_no_path_injects_a_header(path: str):
    with hostile(says(b"{}")) as server:
        assert "control character" in refused(server, path)
    assert server.requests == []


@pytest.mark.parametrize(
    "path",
    [
        "http://evil.example/x",
        "//evil.example/x",
        "evil.example",
        "@evil.example/",
        "\\\\evil.example\\x",
        "",
        "items/",
        "/a#b",
    ],
)
def test_12_no_path_names_another_host(path: str):
    with hostile(says(b"{}")) as server:
        assert refused(server, path)
    assert server.requests == []


@pytest.mark.parametrize(
    "path", ["/../x", "/a/..", "/a/%2e%2e/x", "/a/%252e%252e/x", "/a/..%2fx", "/a\\..\\x", "/a/%5c..", "/a//b", "/./x"]
)
def test_13_no_path_climbs_above_the_base_address(path: str):
    with hostile(says(b"{}")) as server:
        assert refused(server, path)
    assert server.requests == []


def test_14_a_name_that_resolves_twice_leads_where_it_led_at_first(monkeypatch: pytest.MonkeyPatch):
    real, answers = socket.getaddrinfo, []

    def resolve(host: str, port: int, *args: object, **more: object) -> list:
        answers.append(host)
        first = host != "rebound.example" or answers.count(host) == 1
        return real("127.0.0.1" if first else "127.0.0.2", port, *args, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with hostile(says(b"{}")) as server, Api(f"http://rebound.example:{server.port}", KEY) as api:
        assert [api.request("GET", "/a").status, api.request("GET", "/b").status] == [200, 200]
    assert answers.count("rebound.example") == 1
    assert len(server.requests) == 2
    assert b"Host: rebound.example:" in server.requests[1]


def forms_of_the_key() -> list[str]:
    encoded = base64.b64encode(f"Bearer {KEY}".encode()).decode()
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
    return [
        KEY,
        KEY.upper(),
        KEY[::-1],
        KEY.encode().hex(),
        encoded,
        escaped,
        "s3cret-Key%2Fwith%2Bsigns",
        f'{{"a": "{KEY}"}}',
    ]


@pytest.mark.parametrize("echo", forms_of_the_key())
def test_15_a_key_that_is_echoed_in_a_body_is_covered(echo: str):
    with hostile(says(f'{{"you sent": "{echo}"}}'.encode())) as server:
        text = ask(server).text
    assert echo not in text
    assert "[key]" in text


def test_16_a_key_that_is_echoed_in_a_broken_status_line_is_covered():
    with hostile(f"HTTP/1.1 abc {KEY}\r\n\r\n".encode()) as server:
        assert "no answer that can be read" in refused(server)
    with hostile(f"{KEY} is what you sent\r\n\r\n".encode()) as server:
        assert "[key]" in refused(server)


def test_17_headers_without_an_end_are_refused():
    with hostile(endless(b"HTTP/1.1 200 OK\r\n", b"X-More: " + b"h" * 60_000 + b"\r\n")) as server:
        assert "no answer that can be read" in refused(server)


def test_18_answers_of_100_continue_without_an_end_are_not_waited_for():
    def script(connection: socket.socket, _: bytes) -> None:
        for _ in range(200):
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            time.sleep(0.02)

    with hostile(script) as server:
        assert "not answered in time" in refused(server, patience=SHORT)


@pytest.mark.parametrize(
    "answer",
    [b"", b"\0\xff\xfe\x00", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n", b"SSH-2.0-x\r\n"],
)
def test_19_what_is_no_http_is_a_sentence(answer: bytes):
    with hostile(answer) as server:
        assert "no answer that can be read" in refused(server)


def test_20_a_server_that_is_no_tls_server_or_hangs_in_the_handshake_gets_no_key():
    for script in (says(b"{}"), lambda connection, _: time.sleep(3)):
        with hostile(script) as server, pytest.raises(ApiRefusal):
            Api(f"https://127.0.0.1:{server.port}", KEY, patience=SHORT).request("GET", "/")
        assert server.requests
        assert all(KEY.encode() not in request for request in server.requests)


# The rest of what it promises.


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "post"])
def test_a_method_that_writes_is_not_sent_unless_it_was_allowed(method: str):
    with hostile(says(b"{}", status="201 Created")) as server:
        with Api(f"http://127.0.0.1:{server.port}", KEY) as api, pytest.raises(ApiRefusal, match="API_WRITES=on"):
            api.request(method, "/items/")
        assert server.requests == []
        with Api(f"http://127.0.0.1:{server.port}", KEY, writes=True) as api:
            assert api.request(method, "/items/", '{"name": "x"}').status == 201
        assert server.requests[0].endswith(b'{"name": "x"}')


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "", "GET /x HTTP/1.1\r\nX:", "BREW"])
def test_no_other_method_is_sent(method: str):
    with hostile(says(b"{}")) as server, pytest.raises(ApiRefusal, match="no method"):
        Api(f"http://127.0.0.1:{server.port}", KEY, writes=True).request(method, "/")
    assert server.requests == []


@pytest.mark.parametrize("body", ["{", "[" * 100_001, "[" * 20_000])
def test_a_body_that_is_no_json_is_not_sent(body: str):
    with Api("http://127.0.0.1:9", KEY, writes=True) as api, pytest.raises(ApiRefusal, match="body"):
        api.request("POST", "/", body)


def test_letters_outside_ascii_are_encoded_and_a_code_that_is_there_is_kept():
    assert request_path("/b\u00fccher/?name=\u4f60 a%20b") == "/b%C3%BCcher/?name=%E4%BD%A0%20a%20b"
    with pytest.raises(ApiRefusal, match="UTF-8"):
        request_path("/\ud800")


def test_nothing_at_the_address_is_a_sentence_that_names_it():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with (
        Api(f"http://127.0.0.1:{port}", KEY) as api,
        pytest.raises(ApiRefusal, match=f"Nothing answers at http://127.0.0.1:{port}"),
    ):
        api.request("GET", "/")


@pytest.mark.parametrize("base", ["", "localhost", "ftp://x", "file:///etc", "http://user:pass@x/", "http://"])
def test_an_address_that_is_none_is_refused_when_it_is_opened(base: str):
    with pytest.raises(ApiRefusal, match="http://localhost:42002"):
        Api(base)


def test_closing_ends_a_request_that_is_under_way():
    asked = threading.Event()

    def script(connection: socket.socket, _: bytes) -> None:
        asked.set()
        time.sleep(3)

    with hostile(script) as server:
        api = Api(f"http://127.0.0.1:{server.port}", KEY)
        threading.Thread(target=lambda: (asked.wait(10), api.close()), daemon=True).start()
        started = time.monotonic()
        with pytest.raises(ApiRefusal):
            api.request("GET", "/")
        assert time.monotonic() - started < 60
        with pytest.raises(ApiRefusal, match="closed"):
            api.request("GET", "/")


def test_a_run_that_is_stopped_hangs_up_what_is_under_way_and_the_next_request_goes_out():
    asked = threading.Event()

    def script(connection: socket.socket, request: bytes) -> None:
        if b"/slow" in request:
            asked.set()
            time.sleep(3)
        connection.sendall(says(b"{}"))

    with hostile(script) as server, Api(f"http://127.0.0.1:{server.port}", KEY) as api:
        threading.Thread(target=lambda: (asked.wait(10), api.cancelled.set()), daemon=True).start()
        with pytest.raises(ApiRefusal):
            api.request("GET", "/slow")
        assert api.request("GET", "/").status == 200


def test_an_address_with_a_path_is_kept_to():
    with hostile(says(b"{}")) as server, Api(f"http://127.0.0.1:{server.port}/api/v1/", KEY) as api:
        api.request("GET", "/items/")
        assert json.loads(api.request("GET", "/x").text) == {}
        assert api.describe().startswith(f"API http://127.0.0.1:{server.port}/api/v1: GET, HEAD, OPTIONS;")
        assert KEY not in api.describe()
    assert server.requests[0].startswith(b"GET /api/v1/items/ HTTP/1.1")


def test_the_certificate_of_an_https_address_is_checked():
    assert Api("https://example.org")._tls.verify_mode == ssl.CERT_REQUIRED
