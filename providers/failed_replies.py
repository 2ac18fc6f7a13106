"""A server's words about its failure in a reply whose status is a good one: LM Studio, llama.cpp, proxies do so."""

from __future__ import annotations

import contextlib
import json
from typing import Any


class ServerFailed(Exception):
    """What the server says, in the attributes of the SDKs' own exceptions."""

    def __init__(self, body: Any) -> None:
        code = body.get("code") if isinstance(body, dict) else None
        self.body, self.code = body, code if isinstance(code, int) and 400 <= code < 600 else None
        super().__init__(str(body))


def look_for_failure(text: bytes) -> None:
    """Raise ServerFailed where the text, or an event on a line of it, is an error's document."""
    for part in (text, *text.splitlines()):
        with contextlib.suppress(ValueError, RecursionError):
            document = json.loads(part.removeprefix(b"data:"))
            first = document[0] if isinstance(document, list) and document else document
            if isinstance(first, dict) and first.get("error"):
                raise ServerFailed(first["error"])
