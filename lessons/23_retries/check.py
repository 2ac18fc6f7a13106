"""Lesson 23: servers that fail in every way, and a clock that only notes how long it was asked to wait."""

from __future__ import annotations

import re
from typing import Any

from lessons.checking import Failed, cut

PASSING = (408, 429, 500, 502, 503, 504)
LASTING = (400, 401, 403, 404, 409, 413, 422, 425, 501, 505, 507, 520, 529, 201, 202, 204, 206, 304)
ATTEMPTS, LONGEST = 4, 60
TIMEOUT = "timeout"
FAULTS = (ValueError, KeyError, PermissionError)  # of the program; a server does not mend them
ERROR = 'text that begins with "Error: "'


class Server:
    """Answers what its script says, the last thing again and again; counts requests, and notes the waits."""

    def __init__(self, *script: Any) -> None:
        self.script, self.asked = script, 0
        self.waits: list[float] = []

    def attempt(self) -> dict[str, Any]:
        said = self.script[min(self.asked, len(self.script) - 1)]
        self.asked += 1
        if self.asked > 20:
            raise RuntimeError("asked for the 21st time: there is no end to it")
        if said == TIMEOUT:
            raise TimeoutError("timed out")
        if isinstance(said, Exception):
            raise said
        status, text, wait = said
        return {"status": status, "text": text, "wait": wait}

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)


def check(lesson: Any) -> None:
    fresh = lesson.fresh

    def play(*script: Any) -> tuple[Server, Any]:
        server = Server(*script)
        shown = ", ".join(spoken(*each) if isinstance(each, tuple) else str(each) for each in script)
        return server, lesson.call(
            "persist", server.attempt, server.sleep, shown=f"persist(a server that says {shown})"
        )

    def waited(server: Server, count: int, why: str) -> None:
        got = ", ".join(f"{each:.2f}" for each in server.waits) or "none"
        lesson.expect(len(server.waits) == count, times(count, "wait"), why, got=f"waits: {got}")

    with lesson.case("it works at once", "most requests do"):
        text = fresh.sentence()
        server, said = play((200, text, None))
        lesson.expect(said == text, f"the text: {text!r}", "that is the answer")
        lesson.expect(
            (server.asked, server.waits) == (1, []), "one request, and no wait", got=f"{server.asked} requests"
        )
        server, said = play((200, "", None))
        lesson.expect(said == "", 'the text, though it is empty: ""', "200 has worked, whatever its text")
        text = "\n".join([" ", *(fresh.sentence() for _ in range(99)), " "])
        server, said = play((200, text, LONGEST + 1))
        got = f"{len(said)} characters" if isinstance(said, str) and said in text else None
        lesson.expect(said == text, f"the text as it came: {len(text)} characters", "that is the answer", got)
    with lesson.case("what passes is tried again", "a run of an hour must not die of a moment"):
        for fault in (*PASSING, TIMEOUT):
            text = fresh.sentence()
            server, said = play(fault if fault == TIMEOUT else (fault, fresh.sentence(), None), (200, text, None))
            lesson.expect(said == text, f"the text of the second attempt: {text!r}", f"{fault} passes")
            lesson.expect(
                server.asked == 2, "two requests", "it worked, and that is enough", f"{server.asked} requests"
            )
            waited(server, 1, "at once, the server is as busy as before")
    with lesson.case("what lasts is not", "the same request gets the same answer, and may cost one of a few a day"):
        for status in LASTING:
            text = " ".join(fresh.sentence() for _ in range(40 if status == 401 else fresh.randint(1, 12)))
            server, said = play((status, text, fresh.choice((None, 2))))
            why = f"{status} is not in PASSING: it does not pass"
            lesson.expect(server.asked == 1, "one request", why, f"{server.asked} requests")
            ended(lesson, said, status, text, 1)
            waited(server, 0, "there is nothing to wait for")
        text = fresh.sentence()
        server, said = play((503, "busy", None), (401, text, None))
        lesson.expect(server.asked == 2, "two requests", "401 does not pass", f"{server.asked} requests")
        ended(lesson, said, 401, text, 2)
    with lesson.case("another exception goes through", "a fault in the program stays one, however often it is tried"):
        for fault in FAULTS:
            text = fresh.word()
            for before in ((), ((503, "busy", None),)):
                server = Server(*before, fault(text), (200, "", None))
                got = raised(lesson, server, f"persist(a server, and an attempt that raises {fault.__name__})")
                through = fault.__name__ in got and text in got
                lesson.expect(through, f"{fault.__name__}: {text}, which goes through", got=got)
    with lesson.case("longer each time: 1, 2, 4 seconds, and up to a quarter more", "a busy server stays busy else"):
        for fault in ((503, fresh.sentence(), None), TIMEOUT):
            server, _ = play(fault)
            waited(server, ATTEMPTS - 1, "between four attempts lie three waits")
            low, high = (0.7, 1.3) if lesson.shipped else (1, 1.25)
            for base, wait in zip((1, 2, 4), server.waits, strict=True):
                fits = base * low - 0.001 <= wait <= base * high + 0.001
                lesson.expect(fits, f"between {base} and {base * 1.25} s", "it doubles", got=f"{wait:.2f} s")
        server, _ = play((503, "busy", None), (429, "too many", 9), (503, "busy", None), (503, "busy", None))
        waited(server, ATTEMPTS - 1, "between four attempts lie three waits")
        fits = 4 * low - 0.001 <= server.waits[2] <= 4 * high + 0.001
        why = "it is 1, 2, 4 after the first, second, third attempt, also where the server has spoken in between"
        lesson.expect(fits, "between 4 and 5.0 s after the third", why, got=f"{server.waits[2]:.2f} s")
    with lesson.case("drawn anew each time", "those who failed together all come back together else"):
        shares: list[float] = []  # of all the waits, to be looked at below
        for asks in (None, fresh.randint(8, 30)):
            server, _ = play((429, "too many", asks))
            waited(server, ATTEMPTS - 1, "between four attempts lie three waits")
            bases = (1, 2, 4) if asks is None else [asks] * 3
            more = {round(wait / base, 6) for base, wait in zip(bases, server.waits, strict=True)}
            got = f"{', '.join(f'{each:.2f} s' for each in server.waits)}: the same share more at each"
            lesson.expect(len(more) > 1, "another share more at each wait, between 0 and a quarter", got=got)
            shares += more
    with lesson.case("the server says how long: never less", "it knows when it will answer, and you do not"):
        drawn = [fresh.randint(5, 30) for _ in range(16)]  # so many that no luck hides a wait that is too short
        longest = 59 if lesson.shipped else LONGEST  # the real agent counts what it adds
        for wait in (*drawn, 0, longest, round(fresh.uniform(0.2, 0.9), 2)):
            text = fresh.sentence()
            server, said = play((429, fresh.sentence(), wait), (200, text, None))
            waited(server, 1, "it said when to come back")
            took = server.waits[0]
            fits = wait <= took + 0.001 and took <= wait * 1.25 + (0.3 if lesson.shipped else 0.001)
            wanted = f"between {wait} and {wait * 1.25:.2f} s" if wait else "0 s"
            lesson.expect(fits, wanted, f"it said so: come back in {wait} s", got=f"{took:.2f} s")
            lesson.expect(said == text, f"then the text: {text!r}")
            shares += [took / wait] if wait else []
        apart = lesson.shipped or min(shares) < 1.15 and max(shares) > 1.1  # of so many shares some lie apart
        got = f"{len(shares)} waits, each {min(shares):.3f} to {max(shares):.3f} times what it should be at least"
        lesson.expect(apart, "any share between 0 and a quarter: random.uniform(1, 1.25) times", got=got)
    with lesson.case(f"more than {LONGEST} seconds are not waited for", "a person sits there and waits"):
        for wait in (LONGEST + 1, 3600 * fresh.randint(1, 9)):
            text = fresh.sentence()
            server, said = play((429, text, wait), (200, "too late", None))
            waited(server, 0, "it is told, not waited for")
            ended(lesson, said, 429, text, 1)
            server, said = play((503, "busy", None), (429, text, wait), (200, "too late", None))
            waited(server, 1, "it is told, not waited for, also by the second attempt")
            ended(lesson, said, 429, text, 2)
    with lesson.case("four attempts, and an end", "a loop that tries for ever hangs, and nobody knows why"):
        faults = [(status, fresh.sentence(), None) for status in fresh.sample(PASSING, 4)]
        server, said = play(*faults, (200, "the fifth", None))
        lesson.expect(server.asked == ATTEMPTS, f"{ATTEMPTS} requests", got=f"{server.asked} requests")
        ended(lesson, said, faults[-1][0], faults[-1][1], ATTEMPTS)
        waited(server, ATTEMPTS - 1, "no wait after the last: nothing comes after it")
        server, said = play(TIMEOUT)
        ended(lesson, said, 408, "", ATTEMPTS)
    with lesson.case("the fourth attempt counts", "three faults in a row are no rare thing"):
        text = fresh.sentence()
        _, said = play(TIMEOUT, (503, "busy", None), (429, "too many", 3), (200, text, None))
        lesson.expect(said == text, f"the text of the fourth: {text!r}")
    if lesson.holds:
        lesson.picture.append(story(play))


def spoken(status: int, text: str, wait: float | None) -> str:
    return str(status) if wait is None else f"{status} (come back in {wait} s)"


def times(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count or 'no'} {what}s"


def ended(lesson: Any, said: Any, status: int, text: str, tried: int) -> None:
    lesson.expect(isinstance(said, str) and said.startswith("Error: "), ERROR, "the program goes on, and says why")
    why, beside = "from it a person knows what to do", said.replace(text, "", 1) if text else said
    whole = f"{len(said)} characters, to {said[-30:]!r}"
    lesson.expect(text in said, f"an error with the server's text, whole: {len(text)} characters", why, whole)
    if not lesson.shipped:
        numbers = re.findall(r"\d+", beside)
        lesson.expect(str(status) in numbers, f"an error with the status, {status}", why, beside)
        lesson.expect(str(tried) in numbers, f"an error that says how often: {tried}", why, beside)


def raised(lesson: Any, server: Server, shown: str) -> str:
    """What came of a call that is to raise."""
    try:
        return str(lesson.show(lesson.call("persist", server.attempt, server.sleep, shown=shown)))
    except Failed as failed:
        return failed.parts["got"]


def story(play: Any) -> str:
    lines = ["Servers that fail, and your patience:"]
    faults = {
        "busy, then well": ((503, "overloaded", None), (503, "overloaded", None), (200, "here you are", None)),
        "says when": ((429, "too many requests", 7), (200, "here you are", None)),
        "the key is wrong": ((401, "incorrect API key", None),),
        "down all day": (TIMEOUT,),
    }
    for title, script in faults.items():
        server, said = play(*script)
        waits = " ".join(f"{each:.1f}" for each in server.waits) or "-"
        lines.append(cut(f"{title:17} {times(server.asked, 'request'):10} waits {waits:12} {said}", 78))
    return "\n".join(lines)
