import json
import re

from wire import send

BASE = "http://127.0.0.1:42002"
KEY = ""
READS = ("GET", "HEAD", "OPTIONS")
MOST = 10_000
PATH = re.compile(r"/(?!/)(?!(?:[^?#]*/)?\.\.(?:[/?#]|$))", re.S)


def query_api(method, path, auth=True):
    if method not in READS or not PATH.match(path):
        return f"Error: not sent. Methods: {READS}; a path like /items/1, without '..'"
    cover = (lambda text: text.replace(KEY, "[key]")) if KEY else str
    try:
        status, text = send(method, BASE + path, {"Authorization": "Bearer " + KEY} if auth and KEY else {})
    except OSError as e:
        return cover(f"Error: {e}")
    text = cover(text)
    answer = dict(status_code=status, body=text[:MOST])
    if text[MOST:]:
        answer.update(note=f"cut; it had {len(text)} characters")
    return json.dumps(answer, ensure_ascii=False)
