"""What an HTTP status of an MCP server means, in a sentence with the next step: for the person at the start, for the
model in a call. The SDK itself says "Server returned an error response" of all of them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from config import COMMAND
from sandbox.files.unusual import without_controls

MOST_SAID = 200  # characters of the server's own words
LONGEST_BODY = 2**16  # bytes that are read for them
BODY_SECONDS = 2.0  # that they are waited for

NO_TOKEN = (
    "it wants to know who asks. Give its entry in the file of --mcp a token, "
    '"headers": {"Authorization": "Bearer ${NAME}"}, with NAME in .env'
)
WRONG_TOKEN = "it does not take the token in its headers. Put a new one into .env; no call works until then"
FORBIDDEN = "who asks may not do this. Ask whoever runs it for the right: the same call again is refused again"
TOO_OFTEN = "it is asked too often. Wait {wait} before the next call"
FAILED = "it failed itself. Whether anything was done is not known: look, and try again in {wait}"


def command(address: str) -> str:
    """What the person types to log in at a server."""
    return f"{COMMAND} --mcp-login {address}"


def meaning(status: int, answer: Mapping[str, str], *, with_token: bool, body: bytes = b"", address: str = "") -> str:
    """Return the sentence for 401, 403, 429 and 5xx, "" for any other. `answer` are the headers, names in lower case;
    `with_token` says whether the request had an Authorization; `body` is what the server says itself; `address` is the
    server's where one can log in at it."""
    if status == 401:
        or_login = f", or log in once at a terminal: {command(address)}" if address else ""
        said = WRONG_TOKEN if with_token else f"{NO_TOKEN}{or_login}; no call works until then"
    elif status == 403:
        said = FORBIDDEN
    elif status == 429:
        said = TOO_OFTEN
    elif 500 <= status < 600:
        said = FAILED
    else:
        return ""
    after = answer.get("retry-after", "")
    wait = f"{after} seconds" if after.isascii() and after.isdigit() and len(after) < 7 else "a minute"
    own = own_words(answer.get("content-type", ""), body)
    return f"HTTP {status}, {said.format(wait=wait) if '{wait}' in said else said}{f' (it says: {own})' if own else ''}"


def own_words(kind: str, body: bytes) -> str:
    """The message of a JSON-RPC error, or one line of plain text; "" for pages and anything longer."""
    text = body[:LONGEST_BODY].decode("utf-8", "replace").strip()
    if kind.startswith("application/json"):
        try:
            error = json.loads(text)["error"]
            text = error["message"] if isinstance(error, dict) else error
        except (ValueError, KeyError, TypeError, RecursionError):
            return ""
    elif not kind.startswith("text/plain"):
        return ""
    return without_controls(" ".join(str(text).split()))[:MOST_SAID]
