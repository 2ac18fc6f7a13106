"""Lesson 15: what is sent, to whom, with which key; and what comes back, over real HTTP at the end."""

from __future__ import annotations

import json
import random
from typing import Any

NEEDS = ("lessons.services",)
BASE = "http://127.0.0.1:42002"
MOST = 10_000  # characters of a body
ERROR = 'text that begins with "Error: ", and nothing sent'
ELSEWHERE = ("@{host}/x", "//{host}/x", "http://{host}/x", ".{host}/x", ":80@{host}/x", "{host}", "/a/../../{host}", "")
dice = random.SystemRandom()


def word(letters: int = 7) -> str:
    return "".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=letters))


def foreign() -> str:
    return word() + dice.choice(("\u00fc", "\u6e2c", "\U0001f680"))


class Wire:
    """Stands in for the network: keeps what was sent, and answers what it is told to."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, dict[str, str]]] = []
        self.answer: tuple[int, str] | OSError = (200, "[]")
        self.passed_on: Any = None

    def send(self, method: str, address: str, headers: dict[str, str] | None = None) -> tuple[int, str]:
        self.sent.append((method, address, dict(headers or {})))
        if self.passed_on:
            return self.passed_on(method, address, dict(headers or {}))
        if isinstance(self.answer, OSError):
            raise self.answer
        return self.answer


def check(lesson: Any) -> None:
    wire, key = Wire(), f"key-{word(20)}"
    lesson.stub("wire", send=wire.send)

    def ask(method: str, path: str, auth: bool = True, answer: Any = (200, "[]"), has: str | None = None) -> Any:
        wire.sent.clear()
        wire.answer = answer
        lesson.put(BASE=BASE, KEY=key if has is None else has)
        arguments = (method, path) if auth else (method, path, False)
        return lesson.call("query_api", *arguments)

    with_the_key(lesson, wire, ask, key)
    without_it(lesson, wire, ask)
    with lesson.case("every status is an answer", "a model learns from a status: 404 is a path that it got wrong"):
        for status in (dice.choice((400, 403, 404, 422)), 500):
            said = answered(lesson, ask("GET", f"/{word()}/", answer=(status, f'{{"detail": "{word()}"}}')))
            lesson.expect(said.get("status_code") == status, f"status_code {status}, as the server said")
    with lesson.case("HEAD and OPTIONS read, too", "a model may look before it asks"):
        for method in ("HEAD", "OPTIONS"):
            answered(lesson, ask(method, f"/{word()}/"))
            sent = [each[0] for each in wire.sent]
            lesson.expect(sent == [method], f"one request, with {method}", got=str(sent))
    with lesson.case("what may change something is not sent", "the person has allowed reading, no more", ERROR):
        for method in ("POST", "PUT", "DELETE", dice.choice(("PATCH", "delete", "Post", word().upper()))):
            said = ask(method, f"/{word()}/")
            refused(lesson, wire, said, "a model that is told which methods there are uses one of them")
            lesson.expect("GET" in said, "an error that names the methods that are sent: GET, HEAD, OPTIONS")
    for shape in ELSEWHERE:
        path = shape.format(host=f"{word()}.example")
        with lesson.case(
            f"a path that leads elsewhere: {shape.format(host='evil.example')!r}", "your key would go along", ERROR
        ):
            refused(lesson, wire, ask("GET", path), f"BASE + path would be {BASE + path}: where does that lead?")
    covered(lesson, ask, key)
    with lesson.case("a long body is cut, and the model is told", "it would take the part for the whole"):
        long = "".join(dice.choices("abc ", k=dice.randrange(MOST + 200, MOST + 9_000)))
        said = answered(lesson, ask("GET", "/all/", answer=(200, long)))
        lesson.expect(said["body"] == long[:MOST], f"the first {MOST:,} characters", got=f"{len(said['body'])} of them")
        told = json.dumps(said).replace(",", "")
        lesson.expect(
            str(len(long)) in told,
            f"a note that says that there were {len(long):,} characters",
            got=lesson.show({name: value for name, value in said.items() if name != "body"}),
        )
        more = sorted(said.keys() - {"status_code", "body"})
        lesson.expect(
            more == ["note"], 'one key more, "note"', "the model reads it by its name", got=f"more keys: {more}"
        )
        for short in ("x" * MOST, ""):
            said = answered(lesson, ask("GET", "/all/", answer=(200, short)))
            why = "a model that reads of a cut asks for the rest"
            lesson.expect(
                said.keys() == {"status_code", "body"}, "no note: nothing was cut", why, got=f"keys: {[*said]}"
            )
    with lesson.case("nothing answers", "the loop must go on", 'text that begins with "Error: "'):
        said = ask("GET", "/x/", answer=ConnectionRefusedError(111, "Connection refused"))
        lesson.expect(isinstance(said, str) and said.startswith("Error: "), 'text that begins with "Error: "')
    if lesson.holds:
        for_real(lesson, wire, ask)


def with_the_key(lesson: Any, wire: Wire, ask: Any, key: str) -> None:
    with lesson.case("a GET goes to BASE + path, with the key in its header", "this is what the API expects"):
        path = f"/{word()}/{word()}?{word(3)}={dice.randrange(999)}"
        body = json.dumps([foreign(), word()], ensure_ascii=False)
        said = answered(lesson, ask("GET", path, answer=(200, body)))
        sent = lesson.show([list(each) for each in wire.sent])
        lesson.expect(
            len(wire.sent) == 1, "one request", "each call asks the API, and once", f"{len(wire.sent)} requests"
        )
        method, address, headers = wire.sent[0]
        lesson.expect(
            (method, address) == ("GET", BASE + path),
            f"GET {BASE + path}",
            "a key in an address stands in every log on the way" if key in address else "",
            got=sent,
        )
        lesson.expect(
            headers.get("Authorization") == f"Bearer {key}",
            f"the header Authorization: Bearer {key}",
            "without the key the server answers 401",
            got=sent,
        )
        lesson.expect(
            (said.get("status_code"), said.get("body")) == (200, body),
            f"status_code 200, and the server's text as body: {body}",
        )

    with lesson.case("dots in a name lead nowhere", "a path that is refused without need cannot be asked for"):
        for path in (f"/{word()}..{word()}/x", f"/{word()}/...", f"/{word()}..", f"/{word()}/.{word()}"):
            said = ask("GET", path)
            lesson.expect([each[1] for each in wire.sent] == [BASE + path], f"GET {BASE + path}", "no part of it is ..")
            answered(lesson, said)


def without_it(lesson: Any, wire: Wire, ask: Any) -> None:
    with lesson.case("auth=False sends no key, and the 401 is an answer", "a model learns from a 401"):
        body = json.dumps({"detail": word()})
        said = answered(lesson, ask("GET", f"/{word()}/", auth=False, answer=(401, body)))
        lesson.expect(
            len(wire.sent) == 1 and "Authorization" not in wire.sent[0][2],
            "one request without the header Authorization",
            "whether an API is open can only be found out without the key",
            got=lesson.show([list(each) for each in wire.sent]),
        )
        lesson.expect((said.get("status_code"), said.get("body")) == (401, body), f"status_code 401 and body {body}")
    with lesson.case("an API that needs no key: KEY is empty", "not every API has one"):
        body = json.dumps({"name": word()})
        said = answered(lesson, ask("GET", f"/{word()}/", answer=(200, body), has=""))
        lesson.expect(not wire.sent[0][2].get("Authorization"), "no header", got=lesson.show(list(wire.sent[0])))
        lesson.expect(
            said.get("body") == body, f"the body as it came: {body}", 'text.replace("", "[key]") puts [key] everywhere'
        )


def covered(lesson: Any, ask: Any, key: str) -> None:
    why = "the model would read your key, and it would stand in every trace"
    with lesson.case("the key in what comes back is covered", why):
        before, after = word(), word()
        said = answered(lesson, ask("GET", "/echo", answer=(200, f"{before} Bearer {key} {after} {key}")))
        lesson.expect(key not in json.dumps(said), "a body without the key", why)
        whole = before in said["body"] and after in said["body"]
        lesson.expect(whole, "the rest of the body as it was")
    with lesson.case("a key that lies across the cut is covered, too", why):
        said = answered(lesson, ask("GET", "/echo", answer=(200, "x" * (MOST - 12) + key + "y" * 400)))
        lesson.expect(
            key[:10] not in said["body"],
            "no part of the key: cover first, cut then",
            why,
            got=f"a body that ends in {said['body'][-24:]!r}",
        )


def for_real(lesson: Any, wire: Wire, ask: Any) -> None:
    key, rows = word(24), [{"id": number, "title": word()} for number in range(3)]
    heard: list[str] = []

    def over_http(method: str, address: str, headers: dict[str, str]) -> tuple[int, str]:
        asked = {"method": method, "path": address.removeprefix(BASE), "headers": headers}
        answer = lesson.ask_walk("api", key=key, rows=rows, **asked)
        heard.extend(answer["heard"])
        return answer["status"], answer["text"]

    wire.passed_on = over_http
    with lesson.case(
        "for real: a server on this machine that asks for a key", "nothing stands in for the network here"
    ):
        said = answered(lesson, ask("GET", "/items/", has=key))
        lesson.expect(said["status_code"] == 200 and json.loads(said["body"]) == rows, f"200 and {json.dumps(rows)}")
        said = answered(lesson, ask("GET", "/items/", auth=False, has=key))
        lesson.expect(said["status_code"] == 401, "401, without the key")
    covered_lines = [line.replace(key, "[your key]") for line in heard]
    lesson.picture.append("\n".join(["What went over the wire, with the key and without:", *covered_lines]))


def answered(lesson: Any, said: Any) -> dict[str, Any]:
    """The answer as data; ends the case when it is none."""
    try:
        data = json.loads(said)
    except (TypeError, ValueError):
        data = None
    whole = isinstance(data, dict) and "status_code" in data and isinstance(data.get("body"), str)
    lesson.expect(
        whole, 'JSON text: {"status_code": ..., "body": "..."}', "an answer is an answer, whatever its status"
    )
    return data


def refused(lesson: Any, wire: Wire, said: Any, why: str) -> None:
    sent = lesson.show([list(each) for each in wire.sent])
    lesson.expect(not wire.sent, ERROR, why, got=f"{lesson.show(said)}, and this was sent: {sent}")
    lesson.expect(isinstance(said, str) and said.startswith("Error: "), ERROR, why)
