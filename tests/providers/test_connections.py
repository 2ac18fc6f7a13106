"""Connections to a server: whom they trust, which way they go, and that they end when the run is stopped."""

from __future__ import annotations

import contextlib
import gc
import gzip
import importlib
import json
import ssl
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest
from wire_run import loop_of, run_against, run_script, settings_for

from agent.deadline import TimeUp, at_most
from agent.errors import ProviderError
from agent.run import Run
from config import PROVIDERS, Settings
from jobs import coder
from offline.script import GEMINI, document, ends, fail, say
from offline.scripted import serving
from providers import gemini
from providers.discovery import look
from providers.transport import is_here, loading, trusting_nobody
from sandbox.files.root import Root


def test_a_connection_that_loads_no_certificates_believes_no_server():
    settings = trusting_nobody()
    assert settings.verify_mode == ssl.CERT_REQUIRED
    assert settings.check_hostname
    assert settings.cert_store_stats()["x509"] == 0


def test_a_server_with_tls_is_refused_without_certificates(tmp_path: Path):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "1"]
    try:
        subprocess.run([*make, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no openssl here to make a certificate with")
    secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    secure.load_cert_chain(certificate, key)
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(HTTPServer):
        def handle_error(self, *_: object) -> None:
            pass

    server = Quiet(("127.0.0.1", 0), Handler)
    server.socket = secure.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        with httpx2.Client(verify=trusting_nobody()) as client, pytest.raises(httpx2.ConnectError, match="certificate"):
            client.get(f"https://localhost:{server.server_port}/v1/models")
    finally:
        server.shutdown()
        server.server_close()
    assert not asked


WIRES = ("openai", "gemini")
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


@pytest.fixture
def root(tmp_path: Path) -> Any:
    with Root(tmp_path) as opened:
        yield opened


@pytest.fixture
def elsewhere() -> Any:
    """A server that notes who came: nobody should."""
    came: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            came.append(f"{self.path} {self.headers.get('Authorization')}")
            self.send_response(502)
            self.end_headers()

        do_POST = do_CONNECT = do_GET

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", came
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("proxy", ["", "socks5://127.0.0.1:1", "nonsense"])
@pytest.mark.parametrize("wire", WIRES)
def test_this_machine_is_asked_through_no_proxy(
    wire: str, proxy: str, elsewhere: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    address, came = elsewhere
    for name in PROXIES:
        monkeypatch.setenv(name, proxy or address)
    assert run_script([say("Done.")], wire, tmp_path / "work").result.answer == "Done."
    assert came == []


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1", "nonsense://127.0.0.1:1"])
def test_a_proxy_that_cannot_be_used_is_a_sentence(proxy: str, root: Root, monkeypatch: pytest.MonkeyPatch):
    for name in PROXIES:
        monkeypatch.setenv(name, proxy)
    settings = Settings(gemini_api_key="x")
    with pytest.raises(ProviderError, match="The proxy that the environment names cannot be used .* HTTP_PROXY"):
        gemini.connect(settings, coder.JOB.begin("gemini", root, settings))


@pytest.mark.parametrize(
    ("address", "here"),
    [("http://localhost:1/v1", True), ("http://127.9.9.9", True), ("http://[::1]:1", True), ("http://a.localhost", True),
     ("http://10.0.0.1", False), ("https://localhost.example.com", False), ("http://127.0.0.1.example.com", False)],
)  # fmt: skip
def test_which_addresses_are_this_machine(address: str, here: bool):
    assert is_here(address) is here


@pytest.mark.parametrize("wire", WIRES)
def test_no_request_follows_a_redirect_to_another_host(wire: str, elsewhere: Any, tmp_path: Path):
    address, came = elsewhere
    moved = document({}, status=307, Location=f"{address}/v1/chat/completions")
    seen = run_script([moved, say("Done.")], wire, tmp_path / "work")
    assert seen.result.stop_reason == "provider_error"
    assert "another address" in seen.told
    assert came == []


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("status", [401, 503])
def test_a_key_that_a_server_repeats_in_an_error_is_told_nobody(wire: str, status: int, tmp_path: Path):
    key = "sk-the-persons/key+1234"
    script = [fail(status, f"Invalid key. Received: {key}"), fail(400, "Strange")]
    seen = run_script(script, wire, tmp_path / "work", lmstudio_api_key=key, gemini_api_key=key)
    assert "Received: [key]" in seen.told
    assert key not in seen.told
    assert key not in json.dumps(seen.result.to_json())


def test_no_variable_that_only_the_sdk_reads_leads_the_key_to_another_address(
    elsewhere: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    address, came = elsewhere
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", address)
    with serving(say("Done.")) as google:
        monkeypatch.setitem(PROVIDERS, "gemini", PROVIDERS["gemini"]._replace(address=google.address))
        assert run_against(google, GEMINI, tmp_path / "work", gemini_base_url="").result.answer == "Done."
    assert came == []


@pytest.mark.parametrize("wire", WIRES)
def test_a_reply_that_is_compressed_unasked_is_not_unpacked(wire: str, tmp_path: Path):
    """A hundred kilobytes may be a hundred megabytes: the limit on what a server sends counts what comes."""
    bomb = gzip.compress(b'{"choices": [{"message": {"content": "' + b"x" * 2**25 + b'"}}]}')
    assert len(bomb) < 2**16
    packed = document(bomb, status=200, **{"Content-Encoding": "gzip"})
    seen = run_script([packed, say("Done.")], wire, tmp_path / "work")
    assert seen.result.stop_reason == "provider_error"
    assert "is compressed, which was not asked for" in seen.told


def test_no_key_follows_a_redirect_while_looking_for_a_model(elsewhere: Any):
    address, came = elsewhere

    class Moved(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", f"{address}/v1/models")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Moved)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        assert look(f"http://localhost:{server.server_port}/v1", "the-persons-key", seconds=2) is None
    finally:
        server.shutdown()
        server.server_close()
    assert came == []


@pytest.mark.parametrize("why", [KeyboardInterrupt, TimeUp])
@pytest.mark.parametrize("kept", [0, 1])
@pytest.mark.parametrize("wire", WIRES)
def test_a_run_that_is_stopped_from_another_thread_ends_at_once_while_the_server_is_silent(
    wire: str, kept: int, why: type[BaseException], root: Root
):
    """Before its reply began and in the middle of it."""
    with serving(ends(say("One.\nTwo.\n"), "stall", keep=kept)) as server:
        settings = settings_for(wire, server.address)
        asked = threading.Event()
        run: Run = coder.JOB.begin(wire, root, settings, [lambda event: event.kind == "request" and asked.set()])
        ended: list[Any] = []
        thread = threading.Thread(target=lambda: ended.append(loop_of(wire)("x", settings, run)), daemon=True)
        thread.start()
        assert asked.wait(20)
        while not server.requests:
            time.sleep(0.01)
        began = time.monotonic()
        run.stop(why)
        thread.join(10)
        assert time.monotonic() - began < 1
    assert ended[0].stop_reason == ("time_budget" if why is TimeUp else "interrupted")


@pytest.mark.long
@pytest.mark.parametrize("wire", WIRES)
def test_a_limit_on_seconds_is_held_in_a_thread_too(wire: str, root: Root):
    with serving(ends(say("One."), "stall", keep=0)) as server:
        settings = settings_for(wire, server.address)
        run: Run = coder.JOB.begin(wire, root, settings)
        ended: list[Any] = []

        def work() -> None:
            with at_most(2, run):
                ended.append(loop_of(wire)("x", settings, run))

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(20)
    assert ended[0].stop_reason == "time_budget"
    assert ended[0].seconds < 4


@pytest.mark.parametrize("package", ["a_package_that_is_not_there", "json"])
def test_garbage_is_looked_for_again_whatever_comes_of_loading(package: str):
    with contextlib.suppress(ImportError), loading(package):
        assert gc.isenabled() == (package in sys.modules)
        importlib.import_module(package)
    assert gc.isenabled()
