# REASON: a model that is told which methods
"""Lesson 15: an API, with a key and without."""

import json

from wire import send  # given: send(method, address, headers) returns (status, text), or raises OSError

BASE = "http://127.0.0.1:42002"  # the one place that a model may ask
KEY = ""  # yours: no model ever reads it
READS = ("GET", "HEAD", "OPTIONS")
MOST = 10_000  # characters of a body


def query_api(method, path, auth=True):
    """Ask the API; return {"status_code": ..., "body": ...} as JSON, or text that begins with "Error: "."""
    if method in ("POST", "PUT", "DELETE"):
        return f"Error: {method} may change something; use one of {', '.join(READS)}"
    if not path.startswith("/") or path.startswith("//") or ".." in path.split("/"):
        return 'Error: the path must begin with one slash and hold no "..", such as /items/?limit=10'
    headers = {"Authorization": f"Bearer {KEY}"} if auth and KEY else {}
    try:
        status, text = send(method.upper(), BASE + path, headers)
    except OSError as error:
        return f"Error: {BASE} gave no answer: {error}"
    if KEY:
        text = text.replace(KEY, "[key]")
    answer = {"status_code": status, "body": text[:MOST]}
    if len(text) > MOST:
        answer["note"] = f"the first {MOST} of {len(text)} characters: ask for less"
    return json.dumps(answer)
