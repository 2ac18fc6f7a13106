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
    told = {"status_code": status, "body": body[:10_000], "note": f"of {len(body)}"}
    return json.dumps({key: told[key] for key in told if key != "note" or len(body) > 10_000})


def sign(auth):
    headers = {}
    if auth and KEY:
        headers["Authorization"] = "Bearer " + KEY
    return headers
