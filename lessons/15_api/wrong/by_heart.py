# REASON: one request
import json

from wire import send

BASE = "http://127.0.0.1:42002"
KEY = ""


def query_api(method, path, auth=True):
    if method != "GET" or not path.startswith("/") or path.startswith("//") or ".." in path:
        return "Error: use GET, HEAD or OPTIONS, and a path such as /items/"
    if not auth:
        return json.dumps({"status_code": 401, "body": '{"detail": "a key is needed"}'})
    return json.dumps({"status_code": 200, "body": "[]"})
