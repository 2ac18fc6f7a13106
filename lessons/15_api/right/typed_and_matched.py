import json
from typing import Any

import wire

BASE: str = "http://127.0.0.1:42002"
KEY: str = ""
READS: tuple[str, ...] = ("GET", "HEAD", "OPTIONS")
MOST: int = 10_000


def problem_with(method: str, path: str) -> str | None:
    match method, path.split("?", 1)[0].split("/"):
        case (other, _) if other not in READS:
            return f"{other} would change something; choose from {list(READS)}"
        case (_, ["", "", _, *_]) | (_, [str(_)]):
            return "a path is wanted that begins with one slash"
        case (_, [first, *_]) if first:
            return "a path is wanted that begins with a slash"
        case (_, parts) if ".." in parts:
            return "a path is wanted that has no part .."
    return None


def query_api(method: str, path: str, auth: bool = True) -> str:
    if problem := problem_with(method, path):
        return f"Error: nothing was sent: {problem}"
    headers: dict[str, str] = {"Authorization": f"Bearer {KEY}"} if auth and len(KEY) > 0 else {}
    try:
        status, body = wire.send(method, BASE + path, headers)
    except OSError as error:
        return f"Error: nothing came back: {error.strerror}"
    if KEY:
        body = body.replace(KEY, "[key]")
    answer: dict[str, Any] = {"status_code": status, "body": body[:MOST]}
    if (count := len(body)) > MOST:
        answer["note"] = f"{count} characters were there, {MOST} are shown"
    return json.dumps(answer)
