import json
import re

import wire

BASE = "http://127.0.0.1:42002"
KEY = ""
ALLOWED = re.compile(r"/(?!/)(?!(.*/)?\.\.(/|$)).*", re.DOTALL)


def query_api(method, path, auth=True):
    if method not in ("GET", "HEAD", "OPTIONS"):
        return "Error: only GET, HEAD and OPTIONS are sent here"
    if not ALLOWED.fullmatch(path):
        return "Error: give a path below the API's address, such as /items/"
    try:
        status, body = wire.send(method, f"{BASE}{path}", sign(auth))
    except OSError:
        return "Error: the API is not there"
    body = body.replace(KEY, "[key]") if KEY else body
    return json.dumps({"status_code": status, "body": body[:10_000], "characters": len(body)})


def sign(auth):
    headers = {}
    if auth and KEY:
        headers["Authorization"] = "Bearer " + KEY
    return headers
