"""The real agent in place of the learner's query_api(): its tool and its Api, over HTTP to a server that hands each
request on to the check."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from jobs.librarian.tools import query_api as tool
from reach.api import Api

BASE, KEY = "", ""


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        headers = {name: value for name, value in self.headers.items() if name == "Authorization"}
        try:
            status, text = sys.modules["wire"].send(self.command, BASE + self.path, headers)
        except OSError:  # no answer: the connection ends
            return
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_HEAD = do_OPTIONS = do_GET

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def standing_in() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def query_api(method: str, path: str, auth: bool = True) -> str:
    with standing_in() as address, Api(address, KEY) as api:
        return tool.query_api(api, method, path, auth=auth)
