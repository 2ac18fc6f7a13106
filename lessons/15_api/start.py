"""Lesson 15: an API, with a key and without."""

import json

from wire import send  # given: send(method, address, headers) returns (status, text), or raises OSError

BASE = "http://127.0.0.1:42002"  # the one place that a model may ask
KEY = ""  # yours: no model ever reads it
READS = ("GET", "HEAD", "OPTIONS")
MOST = 10_000  # characters of a body


def query_api(method, path, auth=True):
    """Ask the API; return {"status_code": ..., "body": ...} as JSON, or text that begins with "Error: "."""
    raise NotImplementedError("refuse what must not be sent, send the rest, cover the key in what comes back")
