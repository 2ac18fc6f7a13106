"""Connections to a server: what is trusted when one is made without certificates."""

from __future__ import annotations

import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx2
import pytest

from providers.common import trusting_nobody


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
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with httpx2.Client(verify=trusting_nobody()) as client, pytest.raises(httpx2.ConnectError, match="certificate"):
            client.get(f"https://localhost:{server.server_port}/v1/models")
    finally:
        server.shutdown()
        server.server_close()
    assert not asked
