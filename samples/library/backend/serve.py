"""Start the service. Prints its address as the first line, so that a free port (--port 0) can be found."""

from __future__ import annotations

import argparse
import os
import socket
import sys
import threading

import uvicorn

from app.settings import load_settings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=42002)
    parser.add_argument("--with-parent", action="store_true", help="end when standard input does")
    given = parser.parse_args()
    if given.with_parent:
        threading.Thread(target=wait_for_parent, daemon=True).start()
    settings = load_settings()
    listening = socket.create_server((given.host, given.port))
    print(f"http://{given.host}:{listening.getsockname()[1]}", flush=True)
    config = uvicorn.Config("app.main:app", log_level=settings.log_level, access_log=False)
    uvicorn.Server(config).run(sockets=[listening])


def wait_for_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()
