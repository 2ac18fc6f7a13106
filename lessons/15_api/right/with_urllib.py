import json
from urllib.parse import urlsplit

from wire import send

BASE, KEY, MOST = "http://127.0.0.1:42002", "", 10_000


def query_api(method, path, auth=True):
    verb = method.upper()
    if verb != "GET" and verb != "HEAD" and verb != "OPTIONS":
        return "Error: use GET (or HEAD, OPTIONS)"
    parts = urlsplit(BASE + path)
    if parts.netloc != urlsplit(BASE).netloc or path[:1] != "/" or path[:2] == "//":
        return "Error: that path leads elsewhere; begin it with one slash"
    if any(piece == ".." for piece in parts.path.split("/")):
        return "Error: no .. in a path"
    headers = dict(Authorization=f"Bearer {KEY}") if KEY and auth else None
    try:
        status, text = send(verb, BASE + path, headers or {})
    except Exception as error:
        return f"Error: no answer ({error})"
    hidden = "[key]".join(text.split(KEY)) if KEY else text
    told = {"status_code": status, "body": hidden[:MOST]}
    if hidden[MOST:]:
        told["note"] = f"{len(hidden):,} characters in all"
    return json.dumps(told)
