"""Serve the built-in model to any client: python -m offline [--port N]."""

from __future__ import annotations

import argparse
import sys
import threading

from offline.wire.openai import MODEL
from offline.wire.server import serve


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m offline", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="where to listen on 127.0.0.1 (default: any free port)")
    options = parser.parse_args()
    try:
        with serve(options.port) as address:
            print(f"The built-in model {MODEL!r} is served. Ctrl-C ends it.")
            print(f"OpenAI base URL: {address}/v1")
            print(f"Gemini base URL: {address}", flush=True)
            threading.Event().wait()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        print(f"Error: cannot listen on port {options.port} ({reason}). Try another --port.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
