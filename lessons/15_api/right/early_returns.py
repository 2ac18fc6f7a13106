import json

from wire import send

BASE = "http://127.0.0.1:42002"
KEY = ""
READS = ("GET", "HEAD", "OPTIONS")
MOST = 10_000


def query_api(method, path, auth=True):
    if method not in READS:
        return "Error: only these methods are sent: " + ", ".join(READS)
    if not path.startswith("/"):
        return "Error: the path must begin with a slash, such as /students"
    if path.startswith("//"):
        return "Error: the path must begin with one slash only, such as /students"
    if ".." in path.split("?")[0].split("/"):
        return "Error: write the path without .."
    headers = {}
    if auth == True and KEY != "":
        headers["Authorization"] = "Bearer " + KEY
    try:
        status, text = send(method, BASE + path, headers)
    except OSError as error:
        return "Error: there was no answer: " + str(error).replace(KEY or "\0", "[key]")
    if KEY != "":
        text = text.replace(KEY, "[key]")
    answer = {}
    answer["status_code"] = status
    answer["body"] = text[:MOST]
    if len(text) > MOST:
        answer["note"] = "The body had " + str(len(text)) + " characters"
    return json.dumps(answer)
