"""A server that answers in the background for as long as a block lasts."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer

POLL_SECONDS = 0.02  # so that closing takes no longer


@contextlib.contextmanager
def in_background(server: ThreadingHTTPServer) -> Iterator[None]:
    """Serve until the block ends. `server.closing` is set then, for what answers slowly."""
    threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True).start()
    try:
        yield
    finally:
        server.closing.set()  # type: ignore[attr-defined]
        server.shutdown()
        server.server_close()
