"""python -m lessons --web: what the page may ask, what nobody else may, and two sittings at once."""

from __future__ import annotations

import contextlib
import hmac
import http.client
import json
import os
import re
import socket
import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from lessons.answers import wrong_answers
from lessons.course import LESSONS, all_lessons
from lessons.learner import Learner
from lessons.progress import Progress, fingerprint, read
from lessons.web.desk import Desk
from lessons.web.pages import rendered
from lessons.web.place import PORT, Place, keep, name_of, wanted
from live.server import LARGEST_BODY, Server, serving

HANG = 60.0
COURSE = all_lessons()
SOLUTION = (LESSONS / "01_messages" / "solution.py").read_text(encoding="utf-8")
WRONG = next(answer.text for answer in wrong_answers(all_lessons()[0]) if answer.name == "task_first")
VENDOR = LESSONS / "web" / "vendor"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return tmp_path / "my_agent"


@pytest.fixture
def served(mine: Path) -> Iterator[Server]:
    with serving(Desk(Learner(mine, COURSE)).routes()) as server:
        yield server


def ask(server: Server, path: str = "", body: Any = None, **headers: str) -> tuple[int, Any, dict[str, str]]:
    """Ask as the page does, with these headers beside or instead; returns status, answer and headers."""
    own = {"Origin": f"http://127.0.0.1:{server.server_port}", "Content-Type": "application/json"}
    named = {**(own if body is not None else {}), **{name.replace("_", "-"): value for name, value in headers.items()}}
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=HANG)
    way = path if path.startswith("/") else f"/{server.token}/{path}"
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    connection.request("GET" if body is None else "POST", way, data, named)
    answer = connection.getresponse()
    text = answer.read()
    json_type = answer.headers.get("Content-Type") == "application/json"
    return answer.status, json.loads(text) if json_type else text.decode(), dict(answer.headers)


def act(server: Server, what: str, **body: Any) -> Any:
    status, told, _ = ask(server, what, body)
    assert status == 200, told
    return told


def test_a_lesson_is_opened_saved_checked_and_passed_in_the_learners_own_folder(served: Server, mine: Path):
    first = act(served, "open")
    assert (first["number"], first["file"], first["passed"]) == (1, "my_agent/messages.py", False)
    assert [lesson["number"] for lesson in first["lessons"]] == list(range(1, len(COURSE) + 1))
    file = mine / "messages.py"
    assert first["text"] == file.read_text(encoding="utf-8")
    assert "<p>" in first["page"]
    assert first["ask"]
    assert len(first["question"]["choices"]) == 3
    saved = act(served, "save", lesson=1, text=WRONG, seen=first["hash"])
    assert file.read_text(encoding="utf-8") == WRONG
    failed = act(served, "check", lesson=1)
    assert failed["state"] == "failed"
    [worst, *_] = [case for case in failed["cases"] if case["state"] == "failed"]
    assert all(worst[part] for part in ("called", "got", "expected", "why"))
    act(served, "save", lesson=1, text=SOLUTION, seen=saved["hash"])
    passed = act(served, "check", lesson=1)
    assert (passed["state"], passed["passed"]) == ("passed", True)
    assert passed["picture"]
    assert passed["lessons"][0]["done"]
    record = (read(mine / "progress.json") or {})["lessons"]["01_messages"]
    assert record["passed"]
    assert (record["saves"], record["failed_saves"]) == (2, 1)


def test_a_file_that_nobody_has_written_waits_and_is_no_failure(served: Server):
    act(served, "open", lesson=2)
    assert act(served, "check", lesson=2)["state"] == "waiting"


def test_the_question_the_hints_and_the_solution_are_remembered_as_in_the_terminal(served: Server, mine: Path):
    act(served, "open", lesson=3)
    told = act(served, "predict", lesson=3, letter="y")
    assert (told["right"], told["output"]) == (False, "inside: True")
    assert act(served, "hint", lesson=3)["hints_left"] == 2
    assert "def inside" in act(served, "solution", lesson=3)["solution"]
    record = (read(mine / "progress.json") or {})["lessons"]["03_confine"]
    assert (record["predicted"], record["hints"], record["solution_seen"]) == ("y", 1, True)
    again = act(served, "open", lesson=3)
    assert not again["ask"]
    assert len(again["hints"]) == 1
    assert ask(served, "predict", {"lesson": 3, "letter": "q"})[0] == 400


def test_what_has_changed_on_the_disk_is_told_and_never_overwritten(served: Server, mine: Path):
    opened, file = act(served, "open", lesson=1), mine / "messages.py"
    file.write_text("# from the editor\n", encoding="utf-8")
    _, looked, _ = ask(served, f"look?lesson=1&seen={opened['hash']}")
    assert looked["text"] == "# from the editor\n"
    status, told, _ = ask(served, "save", {"lesson": 1, "text": "# from the page\n", "seen": opened["hash"]})
    assert status == 409
    assert (told["text"], told["hash"]) == ("# from the editor\n", fingerprint(file))
    assert "has changed on the disk" in told["error"]
    assert file.read_text(encoding="utf-8") == "# from the editor\n"
    kept = act(served, "save", lesson=1, text="# from the page\n", seen=told["hash"], keep=True)
    assert "my_agent/old/messages-1.py" in kept["kept"]
    assert (mine / "old" / "messages-1.py").read_text(encoding="utf-8") == "# from the editor\n"
    assert file.read_text(encoding="utf-8") == "# from the page\n"
    assert "text" not in ask(served, f"look?lesson=1&seen={kept['hash']}")[1]


def test_of_many_saves_at_once_over_the_same_text_one_is_taken(served: Server, mine: Path):
    seen, statuses = act(served, "open", lesson=1)["hash"], []
    texts = [f"# {number}\n" for number in range(12)]

    def save(text: str) -> None:
        statuses.append(ask(served, "save", {"lesson": 1, "text": text, "seen": seen})[0])

    threads = [threading.Thread(target=save, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANG)
    assert sorted(statuses) == [200, *[409] * 11]
    assert (mine / "messages.py").read_text(encoding="utf-8") in texts


def test_a_file_with_other_line_ends_keeps_them_and_one_that_is_no_text_is_left_alone(served: Server, mine: Path):
    act(served, "open", lesson=1)
    file = mine / "messages.py"
    file.write_bytes(b"a = 1\r\nb = 2\r\n")
    opened = act(served, "open", lesson=1)
    assert opened["text"] == "a = 1\nb = 2\n"
    act(served, "save", lesson=1, text="a = 3\nb = 2\n", seen=opened["hash"])
    assert file.read_bytes() == b"a = 3\r\nb = 2\r\n"
    for raw in (b"\xff\xfe", b"#" * 600_000):
        file.write_bytes(raw)
        told = act(served, "open", lesson=1)
        assert "text" not in told
        assert str(file) in told["problem"]
        assert file.read_bytes() == raw


def test_a_sitting_in_the_terminal_and_one_on_the_page_lose_nothing_of_each_other(served: Server, mine: Path):
    opened = act(served, "open", lesson=1)
    terminal = Learner(mine, COURSE)
    act(served, "save", lesson=1, text=SOLUTION, seen=opened["hash"])
    assert act(served, "check", lesson=1)["passed"]
    terminal.progress.of(COURSE[1])["hints"] = 2
    terminal.progress.mark_passed(COURSE[2], "x")
    terminal.progress.save()
    assert terminal.progress.passed(COURSE[0]), "what the page did is known from now on"
    told = act(served, "open", lesson=2)
    assert [lesson["number"] for lesson in told["lessons"] if lesson["done"]] == [1, 3]
    assert len(told["hints"]) == 2
    terminal.progress.forget(COURSE[0])
    terminal.progress.save()
    assert [row["number"] for row in act(served, "open", lesson=2)["lessons"] if row["done"]] == [3]


def test_many_sittings_that_write_at_once_all_leave_their_mark(mine: Path):
    mine.mkdir()

    def sit(index: int) -> None:
        progress = Progress(mine / "progress.json", read(mine / "progress.json"))
        for hints in range(5):
            progress.of(COURSE[index])["hints"] = hints + 1
            progress.save()

    threads = [threading.Thread(target=sit, args=(index,)) for index in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANG)
    assert [record["hints"] for record in (read(mine / "progress.json") or {})["lessons"].values()] == [5] * 20


def test_a_damaged_progress_file_is_set_aside_told_and_made_again_from_the_learners_files(served: Server, mine: Path):
    opened = act(served, "open", lesson=1)
    act(served, "save", lesson=1, text=SOLUTION, seen=opened["hash"])
    (mine / "progress.json").write_text("{", encoding="utf-8")
    told = act(served, "open", lesson=1)
    assert "damaged" in told["notice"]
    assert told["passed"]
    assert (mine / "progress.damaged-1.json").read_text(encoding="utf-8") == "{"


def test_a_reset_puts_the_start_back_and_the_learners_version_aside(served: Server, mine: Path):
    opened = act(served, "open", lesson=1)
    act(served, "save", lesson=1, text=SOLUTION, seen=opened["hash"])
    told = act(served, "reset", lesson=1)
    assert told["text"] == COURSE[0].text("start.py")
    assert "my_agent/old/messages-1.py" in told["said"]
    assert (mine / "old" / "messages-1.py").read_text(encoding="utf-8") == SOLUTION


def test_the_pages_policy_lets_nothing_run_but_its_own_files(served: Server):
    _, page, headers = ask(served)
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert "<script>" not in page
    assert not re.search(r"https?:", page), "it asks for nothing elsewhere"
    assert ask(served)[2]["Content-Security-Policy"] != policy, "a nonce is used once"


def test_a_fault_of_the_course_itself_is_told_and_the_page_goes_on(served: Server, monkeypatch: pytest.MonkeyPatch):
    act(served, "open", lesson=1)
    monkeypatch.setattr("lessons.sitting.run_check", lambda *_: 1 / 0)
    status, told, _ = ask(served, "check", {"lesson": 1})
    assert (status, "ZeroDivisionError" in told["error"]) == (500, True)
    monkeypatch.undo()
    assert act(served, "check", lesson=1)["state"] == "waiting"


def test_html_in_a_lessons_text_is_text_and_links_lead_to_the_source():
    assert "<script" not in rendered("<script>alert(1)</script> [x](javascript:alert(1))")
    assert 'href="source?file=main.py" target="_blank"' in rendered("[main.py](../../main.py)")


def test_the_source_is_shown_of_what_the_lessons_lead_to(served: Server):
    assert "def " in ask(served, "source?file=sandbox/files/off_limits.py")[1]


def test_the_words_are_explained_and_the_finale_waits(served: Server):
    assert len(ask(served, "words")[1]) > 10
    status, told, _ = ask(served, "finale")
    assert (status, "lesson 14" in told["error"]) == (404, True)
    assert ask(served, "player?lesson=6")[0] == 404


def test_the_editor_is_the_file_that_was_pinned_and_comes_with_its_licence():
    digest = sha256((VENDOR / "codemirror.min.js").read_bytes()).hexdigest()
    versions = (VENDOR / "versions.txt").read_text(encoding="utf-8").splitlines()
    assert versions[-1] == f"sha256 of codemirror.min.js: {digest}"
    licences = (VENDOR / "LICENSE").read_text(encoding="utf-8")
    assert all(package in licences for package in versions[:-1] if not package.startswith("esbuild"))


def test_the_address_is_kept_for_each_learner_where_only_the_person_can_read_it(mine: Path, tmp_path: Path):
    first, runs = wanted(mine), Path(os.environ["RUNS_DIRECTORY"])
    assert first.port == PORT
    assert wanted(mine) != first, "not kept yet"
    keep(mine, Place(1234, first.token))
    assert wanted(mine) == Place(1234, first.token)
    keep(mine, Place(4321, first.token))
    assert wanted(mine).port == 1234, "a port that is taken once is no reason to move"
    assert wanted(tmp_path / "another").token != first.token
    [file] = runs.glob(f".course-{name_of(mine)}.json")
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o600
        file.chmod(0o644)
        assert wanted(mine).token != first.token, "others may have read it"
        file.chmod(0o600)
    for damaged in ("", "[]", "{}", '{"port": 1, "token": "short"}', '{"port": 99999, "token": "' + "a" * 43 + '"}'):
        file.write_text(damaged, encoding="utf-8")
        assert wanted(mine).token not in (first.token, "short", "a" * 43)


def test_a_server_proves_that_it_knows_a_kept_token_and_only_of_its_own_port(mine: Path):
    token = "t" * 43
    with serving(Desk(Learner(mine, COURSE)).routes(), token=token) as server:
        status, told, _ = ask(server, "/proof/a-question")
        proof = hmac.new(token.encode(), f"{server.server_port} a-question".encode(), "sha256").hexdigest()
        assert (status, told) == (200, {"proof": proof})
        assert ask(server, "/proof/a-question", Host="evil.example")[0] == 421
        assert ask(server, "/proof/a-question", Origin="http://evil.example")[0] == 403
        assert ask(server, "/proof/a-question", {})[0] == 404


def test_a_server_whose_token_is_of_one_start_proves_nothing(served: Server):
    assert ask(served, "/proof/a-question")[0] == 404


def test_the_first_port_that_can_be_had_is_taken(served: Server):
    with serving({}, (served.server_port, 0)) as other:
        assert other.server_port != served.server_port
    with pytest.raises(OSError, match="in use|use of"), serving({}, (served.server_port,)):
        pass


def test_a_deleted_file_is_told_as_one_and_not_as_an_empty_one(served: Server, mine: Path):
    opened, file = act(served, "open", lesson=1), mine / "messages.py"
    file.write_text("", encoding="utf-8")
    looked = ask(served, f"look?lesson=1&seen={opened['hash']}")[1]
    assert (looked["text"], looked["gone"]) == ("", False)
    act(served, "check", lesson=1)
    file.unlink()
    assert ask(served, f"look?lesson=1&seen={opened['hash']}")[1]["gone"]
    status, told, _ = ask(served, "save", {"lesson": 1, "text": "x = 1\n", "seen": opened["hash"]})
    assert (status, told["gone"], "is gone from the disk" in told["error"]) == (409, True, True)
    assert not file.exists()
    assert "was gone from the disk" in act(served, "open", lesson=1)["said"]
    assert act(served, "open", lesson=1)["said"] == ""


def told_of_the_run(server: Server) -> list[dict[str, Any]]:
    events, told = [], {"going": True, "after": 0}
    while told["going"]:
        told = ask(server, f"running?after={told['after']}")[1]
        events += told["events"]
    return events


def test_without_a_loop_that_passes_there_is_nothing_to_run(served: Server, mine: Path):
    assert ask(served, "running?after=0")[1]["going"] is False
    assert not act(served, "open", lesson=6)["real"]
    act(served, "run", lesson=6, prompt="fix the bug", provider="offline")
    assert "Lesson 6 builds it" in told_of_the_run(served)[-1]["problem"]
    assert not (mine / "run").exists()


def test_a_verdict_tells_what_was_called_and_what_came_back(served: Server):
    opened = act(served, "open", lesson=1)
    act(served, "save", lesson=1, text=WRONG, seen=opened["hash"])
    failed = act(served, "check", lesson=1)
    [worst, *_] = [case for case in failed["cases"] if case["state"] == "failed"]
    carried = [(step["from"], step["to"], step["called"], step["got"]) for step in failed["trail"]]
    assert ("check", "messages", worst["called"], worst["got"]) in carried


def test_the_drawing_has_a_box_for_each_part_and_for_both_ends(served: Server):
    boxes = [box for row in act(served, "open", lesson=2)["diagram"] for box in row]
    assert [box["name"] for box in boxes if box["is"] == "end"] == ["person", "model", "disk"]
    assert sorted(box["name"] for box in boxes if box["is"] != "end") == sorted(lesson.part for lesson in COURSE)
    assert [box["name"] for box in boxes if box["is"] == "today"] == ["listing"]


def test_50_mb_that_are_really_sent_are_not_taken_in_and_the_page_goes_on(served: Server, mine: Path):
    opened, sent = act(served, "open", lesson=1), 0
    head = f"POST /{served.token}/save HTTP/1.1\r\nHost: 127.0.0.1:{served.server_port}\r\n"
    head += f"Origin: http://127.0.0.1:{served.server_port}\r\nContent-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", served.server_port), timeout=HANG) as connection:
        connection.sendall(f"{head}Content-Length: {50 * 2**20}\r\n\r\n".encode())
        with contextlib.suppress(OSError):
            for _ in range(50):
                connection.sendall(b'"' + b"x" * (2**20 - 1))
                sent += 1
    assert sent < 50, "the server has left before"
    assert act(served, "open", lesson=1) == opened


SAVE = {"lesson": 1, "text": "# in\n", "seen": ""}
OWN = "http://127.0.0.1:{port}"
HOSTILE: list[tuple[str, str, Any, dict[str, str], int]] = [
    ("another origin", "save", SAVE, {"Origin": "http://evil.example"}, 403),
    ("no origin is named", "save", SAVE, {"Origin": "null"}, 403),
    ("another port", "save", SAVE, {"Origin": "http://127.0.0.1:1"}, 403),
    ("a name that leads here", "save", SAVE, {"Host": "evil.example"}, 421),
    ("a page of a stranger's asks", "look?lesson=1", None, {"Sec_Fetch_Site": "cross-site"}, 403),
    ("in a frame", "", None, {"Sec_Fetch_Dest": "iframe", "Sec_Fetch_Site": "same-origin"}, 403),
    ("no token", "/save", SAVE, {}, 404),
    ("a guessed token", f"/{'a' * 43}/save", SAVE, {}, 404),
    ("a token that is no ASCII", "/%C3%BC/save", SAVE, {}, 404),
    ("a form", "save", b"lesson=1&text=x", {"Content_Type": "application/x-www-form-urlencoded"}, 415),
    ("50 MB", "save", b"", {"Content_Length": str(50 * 2**20)}, 413),
    ("a little more than there is room for", "save", b"", {"Content_Length": str(LARGEST_BODY + 1)}, 413),
    ("a path as the lesson", "save", {**SAVE, "lesson": "../../main"}, {}, 400),
    ("an absolute path as the lesson", "save", {**SAVE, "lesson": "/etc/passwd"}, {}, 400),
    ("a NUL in the lesson", "save", {**SAVE, "lesson": "messages\0"}, {}, 400),
    ("a list as the lesson", "open", {"lesson": ["messages"]}, {}, 400),
    ("a path to a static file", "static/../desk.py", None, {}, 404),
    ("a hidden path to a static file", "static/%2e%2e/desk.py", None, {}, 404),
    ("the source of what no lesson names", "source?file=../../../../etc/passwd", None, {}, 404),
    ("the environment's file", "source?file=.env", None, {}, 404),
    ("a path as the run", "player?lesson=../..", None, {}, 404),
    ("a run with nothing to do", "run", {"lesson": 1, "prompt": " ", "provider": "offline"}, {}, 400),
    ("a run of no provider's", "run", {"lesson": 1, "prompt": "x", "provider": "../offline"}, {}, 400),
    ("a run with a book to read", "run", {"lesson": 1, "prompt": "x" * 5000, "provider": "offline"}, {}, 400),
    (
        "a run from another origin",
        "run",
        {"prompt": "x", "provider": "offline"},
        {"Origin": "http://evil.example"},
        403,
    ),
    ("what is new since a word", "running?after=x", None, {}, 400),
    ("a path as the real run", "player?lesson=real/../loop", None, {}, 404),
    ("half a character", "save", b'{"lesson": 1, "text": "\\ud800", "seen": ""}', {}, 400),
    ("a text that is no text", "save", {**SAVE, "text": {"a": 1}}, {}, 400),
    ("a file without what was seen", "save", {"lesson": 1, "text": "x"}, {}, 400),
    ("a body of brackets", "save", b"[" * 100_000, {}, 400),
]


@pytest.mark.parametrize(("what", "path", "body", "headers", "status"), HOSTILE, ids=[row[0] for row in HOSTILE])
def test_a_hostile_request_gets_nothing_in_and_loses_nothing(
    what: str, path: str, body: Any, headers: dict[str, str], status: int, served: Server, mine: Path
):
    act(served, "open", lesson=1)
    before = {each: each.read_bytes() for each in mine.parent.rglob("*") if each.is_file()}
    assert ask(served, path, body, **headers)[0] == status
    assert {each: each.read_bytes() for each in mine.parent.rglob("*") if each.is_file()} == before
    assert act(served, "open", lesson=1)["text"] == COURSE[0].text("start.py")
