import json

from wire import send

BASE = "http://127.0.0.1:42002"
KEY = ""


class Answer:
    def __init__(self, status, text):
        self.status, self.text = status, text

    def covered(self):
        return self.text if KEY == "" else self.text.replace(KEY, "[key]")

    def __str__(self):
        body = self.covered()
        told = {"status_code": self.status, "body": body}
        if len(body) > 10000:
            told.update(body=body[:10000], note=str(len(body)) + " characters in all")
        return json.dumps(told)


def problem(method, path):
    if method not in ("GET", "HEAD", "OPTIONS"):
        return "use GET, HEAD or OPTIONS"
    if path[0:1] != "/" or path[1:2] == "/":
        return "begin the path with one slash"
    if "/../" in path + "/":
        return "leave .. out of the path"


def query_api(method, path, auth=True):
    why = problem(method, path)
    if why:
        return "Error: " + why
    headers = {}
    if KEY and auth:
        headers = {"Accept": "application/json", "Authorization": "Bearer " + KEY}
    try:
        return str(Answer(*send(method, BASE + path, headers)))
    except OSError as error:
        return "Error: " + str(error)
