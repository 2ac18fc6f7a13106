import json
from dataclasses import dataclass

import wire

BASE = "http://127.0.0.1:42002"
KEY = ""
READS = ("GET", "HEAD", "OPTIONS")
MOST = 10_000


class NotSent(Exception):
    pass


@dataclass
class Request:
    method: str
    path: str
    auth: bool

    def check(self):
        if self.method not in READS:
            raise NotSent(f"{self.method} is not allowed. Use one of {', '.join(READS)}")
        if self.path[:1] != "/" or self.path[1:2] == "/":
            raise NotSent("Begin the path with exactly one slash")
        if any(part == ".." for part in self.path.partition("?")[0].split("/")):
            raise NotSent("Leave .. out of the path")
        return self

    @property
    def headers(self):
        return {"Authorization": f"Bearer {KEY}"} if KEY and self.auth else {}

    def send(self):
        return wire.send(self.method, f"{BASE}{self.path}", self.headers)


def query_api(method, path, auth=True):
    try:
        status, text = Request(method, path, auth).check().send()
    except NotSent as e:
        return f"Error: {e}"
    except OSError as e:
        return f"Error: no answer ({type(e).__name__})"
    text = text.replace(KEY, "[key]") if KEY else text
    note = {"note": f"{len(text)} characters in all"} if len(text) > MOST else {}
    return json.dumps({"status_code": status, "body": text[:MOST], **note})
