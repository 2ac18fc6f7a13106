import json
from urllib.parse import unquote

from wire import send

BASE = "http://127.0.0.1:42002"
KEY = ""
READS = ("GET", "HEAD", "OPTIONS")
MOST = 10_000
RULES = [
    (lambda method, path: method in READS, "This method is not sent; try GET."),
    (lambda method, path: path.startswith("/"), "The path has no slash in front; put one there."),
    (lambda method, path: not path.startswith("//"), "The path has two slashes in front; take one away."),
    (lambda method, path: ".." not in unquote(path.split("?")[0]).split("/"), "The path leads upwards; write it out."),
]


def query_api(method, path, auth=True):
    for holds, otherwise in RULES:
        if not holds(method, path):
            return "Error: " + otherwise
    headers = dict()
    if auth and KEY:
        headers.update(Authorization="Bearer %s" % KEY)
    try:
        (status, text) = send(method, BASE + path, headers)
    except OSError:
        return "Error: The API does not answer. Try again later."
    else:
        text = "[key]".join(text.split(KEY)) if KEY else text
        long = len(text) > MOST
        return json.dumps(
            {"status_code": status, "body": text[:MOST]} | ({"note": f"first {MOST} of {len(text)}"} if long else {})
        )
